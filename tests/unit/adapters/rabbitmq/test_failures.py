"""What pika raises comes out as the port's own, and says what to do."""

import socket
import ssl

import pytest
from pika import exceptions
from pika.adapters.utils.connection_workflow import (
    AMQPConnectionWorkflowFailed,
    AMQPConnectorAMQPHandshakeError,
    AMQPConnectorSocketConnectError,
)

from adapters.rabbitmq.failures import declared_otherwise, no_such_queue, refused, translated
from ports.errors import BrokerUnavailable


def attempt(error: Exception) -> Exception:
    """`error` as pika reports a connection that could not be made."""
    return exceptions.AMQPConnectionError(AMQPConnectionWorkflowFailed([error]))


REFUSED = attempt(AMQPConnectorAMQPHandshakeError(exceptions.ProbableAuthenticationError("closed")))


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (attempt(AMQPConnectorSocketConnectError(ConnectionRefusedError(111, "refused"))), "refused; is it running"),
        (attempt(AMQPConnectorSocketConnectError(socket.gaierror(-2, "unknown name"))), "unknown name"),
        (attempt(AMQPConnectorAMQPHandshakeError(ssl.SSLCertVerificationError("self-signed"))), "self-signed"),
        (REFUSED, "refuses this user"),
        (exceptions.StreamLostError("reset by peer"), "reset by peer"),
        (exceptions.ConnectionBlockedTimeout("blocked"), "out of memory or disk"),
        (exceptions.ConnectionClosedByBroker(320, "CONNECTION_FORCED"), "CONNECTION_FORCED"),
        (exceptions.ChannelClosedByBroker(403, "ACCESS_REFUSED"), "ACCESS_REFUSED"),
        (exceptions.ChannelWrongStateError("closed"), "closed"),
        (exceptions.NoFreeChannels(), "NoFreeChannels"),
        (TimeoutError(), "TimeoutError"),
    ],
)
def test_the_ports_error_says_what_pika_said(error: Exception, says: str) -> None:
    with pytest.raises(BrokerUnavailable, match=says) as caught, translated():
        raise error
    assert caught.value.__cause__ is error


def test_what_is_not_the_brokers_passes() -> None:
    with pytest.raises(KeyError), translated():
        raise KeyError


def test_only_a_refusal_is_not_worth_waiting_for() -> None:
    assert refused(REFUSED)
    assert not refused(attempt(AMQPConnectorSocketConnectError(ConnectionRefusedError())))


def test_a_channel_tells_why_it_was_closed_by_a_number() -> None:
    assert no_such_queue(exceptions.ChannelClosedByBroker(404, "NOT_FOUND"))
    assert not no_such_queue(exceptions.ChannelClosedByBroker(406, "PRECONDITION_FAILED"))
    assert declared_otherwise(exceptions.ChannelClosedByBroker(406, "PRECONDITION_FAILED"))
    assert not declared_otherwise(exceptions.StreamLostError("gone"))
