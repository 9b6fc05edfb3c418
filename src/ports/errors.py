"""How a backend may fail. An adapter translates its vendor's exceptions into these, once, at its edge."""

from typing import ClassVar

from domain.errors import MutiraoError


class ConfigurationError(MutiraoError, ValueError):
    """A setting is missing or wrong. The text names it and says what it should be.

    A ValueError too: that is what programs written for yt-gsheet-orchestrator catch.
    """


class UnknownAdapter(ConfigurationError):
    """No adapter goes by that name; the text lists those that do."""


class PortError(MutiraoError):
    """A backend did not do what it was asked.

    `retryable` says whether the same call may succeed later; `retry_after` is how many seconds the backend asked to be
    left alone, None if it did not say.
    """

    retryable: ClassVar[bool] = False

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class StoreUnavailable(PortError):
    """The coordination store cannot be reached or does not answer; what was asked may or may not have happened."""

    retryable = True


class StoreQuotaExceeded(PortError):
    """The store answered that it is asked too often; nothing was done."""

    retryable = True


class StoreCorrupt(PortError):
    """The store holds something else than it should: another program's tables, a newer schema, a missing column."""


class SourceUnavailable(PortError):
    """A source could not be listed. Its subclasses say why, and so what is worth doing about it."""


class SourceRateLimited(SourceUnavailable):
    """The site asks for fewer requests. It is the worker that must pause; the source is not to blame."""

    retryable = True


class SourceNetworkError(SourceUnavailable):
    """The way to the site is broken, or the site is."""

    retryable = True


class SourceIncomplete(SourceUnavailable):
    """The list broke off: what was read is only a part of it."""

    retryable = True


class SourceNotYet(SourceUnavailable):
    """There is nothing yet: a premiere, a stream that has not started."""

    retryable = True


class SourceNeedsLogin(SourceUnavailable):
    """Only a signed-in visitor may see it."""


class SourceGone(SourceUnavailable):
    """Private, removed, never there, or not for this country."""


class SourceUnsupported(SourceUnavailable):
    """No extractor takes this URL, or none that is allowed to."""


class BrokerUnavailable(PortError):
    """The broker cannot be reached, or the connection broke."""

    retryable = True


class PublishUnconfirmed(PortError):
    """The broker did not confirm: the message may or may not be there. Publishing it again is safe under its id."""

    retryable = True


class TokenUnavailable(PortError):
    """There is no token by which a target would know the caller: its issuer cannot be asked, or refuses one."""

    retryable = True
