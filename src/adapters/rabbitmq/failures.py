"""What pika's exceptions mean."""

from collections.abc import Iterator
from contextlib import contextmanager

from pika.adapters.utils.connection_workflow import (
    AMQPConnectionWorkflowFailed,
    AMQPConnectorException,
    AMQPConnectorPhaseErrorBase,
)
from pika.exceptions import (
    AMQPError,
    AuthenticationError,
    ChannelClosed,
    ConnectionBlockedTimeout,
    ConnectionClosed,
    ProbableAccessDeniedError,
    ProbableAuthenticationError,
)

from ports.errors import BrokerUnavailable

VENDOR = (AMQPError, AMQPConnectorException, OSError)
"""Everything that pika and the way to the broker raise."""

_REFUSALS = (AuthenticationError, ProbableAuthenticationError, ProbableAccessDeniedError)


@contextmanager
def translated() -> Iterator[None]:
    """What pika raises inside comes out as the port's own."""
    try:
        yield
    except VENDOR as error:
        raise unavailable(error) from error


def unavailable(error: BaseException) -> BrokerUnavailable:
    """The port's error for `error`."""
    cause = _cause(error)
    if isinstance(cause, _REFUSALS):
        return BrokerUnavailable("the broker refuses this user, password or virtual host; check the broker's URL")
    if isinstance(cause, ConnectionBlockedTimeout):
        return BrokerUnavailable("the broker takes no messages: it is out of memory or disk; see its alarms")
    if isinstance(cause, ChannelClosed | ConnectionClosed):
        return BrokerUnavailable(f"the broker closed the connection: {cause.reply_text} ({cause.reply_code})")
    said = str(cause) or type(cause).__name__
    return BrokerUnavailable(f"the broker cannot be reached: {said}; is it running, and is the broker's URL right?")


def refused(error: BaseException) -> bool:
    """Whether the broker is there, but does not let us in."""
    return isinstance(_cause(error), _REFUSALS)


def no_such_queue(error: BaseException) -> bool:
    """Whether a channel was closed for something that does not exist (404)."""
    return isinstance(error, ChannelClosed) and error.reply_code == 404


def declared_otherwise(error: BaseException) -> bool:
    """Whether a channel was closed because what was declared exists with other arguments (406)."""
    return isinstance(error, ChannelClosed) and error.reply_code == 406


def _cause(error: BaseException) -> BaseException:
    """The last word of a connection attempt, out of whatever pika has wrapped it in."""
    while True:
        if isinstance(error, AMQPConnectionWorkflowFailed) and error.exceptions:
            error = error.exceptions[-1]
        elif isinstance(error, AMQPConnectorPhaseErrorBase):
            error = error.exception
        elif isinstance(error, AMQPError) and error.args and isinstance(error.args[0], BaseException):
            error = error.args[0]
        else:
            return error
