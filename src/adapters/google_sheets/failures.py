"""What Google, and the way to it, may answer instead of what was asked, told apart by what can be done about it.

Texts and statuses: Sheets API v4 "Usage limits" and google.rpc.Code; those of single requests as seen in public.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from domain.errors import MutiraoError
from ports.errors import ConfigurationError, StoreCorrupt, StoreUnavailable


class Refused(MutiraoError):
    """Google took a call for invalid and did nothing. `culprit` is the number of the request at fault, if it says."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        match = re.search(r"requests\[(\d+)\]", message)
        self.culprit = int(match[1]) if match else None

    def explained(self) -> StoreCorrupt:
        """What to tell whoever asked for it."""
        text = str(self)
        if "protected" in text:
            fix = (
                "a cell that has to be written is protected: let the worker's account edit it, or remove the protection"
            )
        elif "No grid with id" in text or "Unable to parse range" in text:
            fix = "a tab was deleted or renamed meanwhile: it is made anew at the next try"
        elif "above the limit of" in text or "10000000" in text:
            fix = "the spreadsheet is full: move old rows of the History tabs elsewhere"
        else:
            fix = "run `mutirao doctor` to see what is different from what it should be"
        return StoreCorrupt(f"Google refused a change: {text}: {fix}")


class Unsure(StoreUnavailable):
    """No answer: the call may have taken effect or not."""


class OverQuota(MutiraoError):
    """Nothing was done: asked too often. `wait` is for how many seconds Google wants to be left alone, if it says."""

    def __init__(self, message: str, wait: float | None) -> None:
        super().__init__(message)
        self.wait = wait


@contextmanager
def translated(spreadsheet: str, account: str) -> Iterator[None]:
    """Turn what gspread, requests and google-auth raise into the above, or into what the settings have to do with it.

    Raises:
        Refused, Unsure, OverQuota: see there.
        ConfigurationError: what only people can mend, and how.
    """
    import requests
    from google.auth import exceptions as auth
    from gspread.exceptions import APIError

    try:
        yield
    except APIError as error:
        raise _of(error, spreadsheet, account) from error
    except auth.RefreshError as error:
        raise ConfigurationError(
            f"Google gives no token to {account or 'these credentials'}: {_first(error)}; "
            "make a new key for the account (or sign in anew), and check this machine's clock"
        ) from error
    except (auth.TransportError, requests.RequestException, OSError) as error:
        raise Unsure(f"Google does not answer: {_first(error)}") from error
    except ValueError as error:  # an answer that is cut off, or a proxy's page
        raise Unsure(f"Google's answer cannot be read: {_first(error)}") from error


def _of(error: Any, spreadsheet: str, account: str) -> MutiraoError:
    status, text = error.response.status_code, str(error.error.get("message", ""))
    if status == 429 or "RATE_LIMIT_EXCEEDED" in str(error.error.get("details", "")):
        return OverQuota(text, _seconds(error.response))
    if status >= 500 or status == 408:
        return Unsure(f"Google is not well: {status} {text}", retry_after=_seconds(error.response))
    if status == 404:
        return ConfigurationError(
            f"there is no spreadsheet {spreadsheet!r}: check SPREADSHEET_ID (the part of its address after /d/)"
        )
    if status == 403:
        whom = f"{account} as editor" if account else "the account that is used, as editor"
        return ConfigurationError(
            f"no access to the spreadsheet {spreadsheet!r}: share it with {whom}, and enable the Google Sheets API "
            f"in the account's project (Google says: {text})"
        )
    if status == 401:
        return ConfigurationError(f"Google does not accept the credentials of {account or 'this account'}: {text}")
    return Refused(text)


def _seconds(response: Any) -> float | None:
    value = response.headers.get("Retry-After", "")
    return float(value) if value.isdigit() else None


def _first(error: BaseException) -> str:
    return str(error).partition("\n")[0][:300] or type(error).__name__
