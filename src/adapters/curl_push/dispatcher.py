"""The fast dispatcher: requests over libcurl, with the deadline, the guard and the cap where libcurl has them."""

import os
from collections import defaultdict
from pathlib import Path

import certifi
import pycurl

from adapters.curl_push.multi import CurlLoop
from adapters.curl_push.transfer import Transfer, has_body
from domain.http_request import HttpRequest, problems
from domain.outcome import DispatchResult, FailureKind
from domain.target_policy import TargetPolicy
from ports.http import HttpDispatcher
from ports.time import Clock

# https://curl.se/libcurl/c/libcurl-errors.html; whatever is not here is a CONNECTION that went wrong
_KINDS = {
    pycurl.E_OPERATION_TIMEDOUT: FailureKind.TIMEOUT,
    pycurl.E_COULDNT_RESOLVE_HOST: FailureKind.DNS,
    pycurl.E_SSL_CONNECT_ERROR: FailureKind.TLS,
    pycurl.E_SSL_CERTPROBLEM: FailureKind.TLS,
    pycurl.E_SSL_CIPHER: FailureKind.TLS,
    pycurl.E_PEER_FAILED_VERIFICATION: FailureKind.TLS,
    pycurl.E_SSL_CACERT_BADFILE: FailureKind.TLS,
    pycurl.E_SSL_ISSUER_ERROR: FailureKind.TLS,
    pycurl.E_URL_MALFORMAT: FailureKind.INVALID,
}


class CurlDispatcher(HttpDispatcher):
    """HTTP/1.1. `max_response` is how many bytes of a response's body are read at most.

    Certificates are checked by those in `ca_file`; None: by the file SSL_CERT_FILE, else by certifi's.
    """

    def __init__(
        self, *, clock: Clock, policy: TargetPolicy, max_response: int = 10_000_000, ca_file: Path | None = None
    ) -> None:
        self._clock = clock
        self._policy = policy
        self._max_response = max_response
        self._ca_file = str(ca_file or os.environ.get("SSL_CERT_FILE") or certifi.where())
        self._curl: CurlLoop | None = None
        self._spare: defaultdict[bool, list[Transfer]] = defaultdict(list)

    async def dispatch(self, request: HttpRequest, deadline: float) -> DispatchResult:
        began = self._clock.monotonic()
        if wrong := problems(request):
            return DispatchResult(0.0, failure=FailureKind.INVALID, detail="; ".join(wrong))
        if self._curl is None:
            self._curl = CurlLoop()
        spare = self._spare[has_body(request)]
        transfer = spare.pop() if spare else self._new_transfer(request)
        try:
            transfer.prepare(request, deadline)
            code, words = await self._curl.perform(transfer.easy)
        except Exception as error:  # noqa: BLE001 - whatever it is, this attempt has failed and the worker goes on
            code, words = -1, f"{type(error).__name__}: {error}"
        finally:
            transfer.clean_up()
            spare.append(transfer)
        elapsed = self._clock.monotonic() - began
        if code == pycurl.E_OK:
            status = transfer.easy.getinfo(pycurl.RESPONSE_CODE)
            return DispatchResult(elapsed, status=status, retry_after=transfer.retry_after)
        kind = transfer.failure or _KINDS.get(code, FailureKind.CONNECTION)
        if kind is FailureKind.TIMEOUT:
            words = f"no whole answer within {deadline:g} s"
        return DispatchResult(elapsed, failure=kind, detail=transfer.detail or words)

    async def close(self) -> None:
        if self._curl is not None:
            self._curl.close()
            self._curl = None
        self._spare.clear()

    def _new_transfer(self, request: HttpRequest) -> Transfer:
        return Transfer(
            with_body=has_body(request),
            policy=self._policy,
            max_response=self._max_response,
            ca_file=self._ca_file,
        )
