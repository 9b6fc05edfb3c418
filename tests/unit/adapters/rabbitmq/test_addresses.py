"""A broker's URL, as pika, RabbitMQ and boreal-push-queue write it."""

import ssl
from pathlib import Path

import pytest

from adapters.rabbitmq.addresses import BLOCKED_TIMEOUT, addresses
from ports.errors import ConfigurationError


def test_a_url_names_user_password_host_port_and_virtual_host() -> None:
    (address,) = addresses("amqp://us%40er:p%2Fw@rabbit.example:5673/jobs?heartbeat=30")
    assert (address.host, address.port, address.virtual_host, address.heartbeat) == ("rabbit.example", 5673, "jobs", 30)
    assert (address.credentials.username, address.credentials.password) == ("us@er", "p/w")
    assert address.ssl_options is None


def test_what_is_left_open_is_rabbitmqs_own() -> None:
    (address,) = addresses("amqp://localhost/")
    assert (address.port, address.virtual_host, address.credentials.username) == (5672, "/", "guest")


def test_a_connection_that_is_held_up_is_given_up_after_a_time() -> None:
    assert addresses("amqp://localhost")[0].blocked_connection_timeout == BLOCKED_TIMEOUT
    assert addresses("amqp://localhost?blocked_connection_timeout=5")[0].blocked_connection_timeout == 5


def test_several_urls_stand_in_their_order() -> None:
    assert [each.host for each in addresses("amqp://one,amqps://two/, AMQP://three")] == ["one", "two", "three"]


def test_amqps_is_tls_that_checks_the_certificate() -> None:
    (address,) = addresses("amqps://rabbit.example")
    assert address.port == 5671
    assert address.ssl_options.context.verify_mode == ssl.CERT_REQUIRED
    assert address.ssl_options.context.check_hostname


def test_tls_may_be_told_what_rabbitmqs_uri_query_tells_it() -> None:
    (address,) = addresses("amqps://10.0.0.1?verify=verify_none&server_name_indication=rabbit.example&heartbeat=7")
    assert address.ssl_options.context.verify_mode == ssl.CERT_NONE
    assert (address.ssl_options.server_hostname, address.heartbeat) == ("rabbit.example", 7)


@pytest.mark.parametrize(
    "url",
    [
        "amqp://user:hunter2@host:no-port/",
        "amqp://user:hunter2@host/?heartbeat=often",
        "amqp://user:hunter2@host/?colour=blue",
        "amqp://user:hunter2@[::1/",
        "amqp://user@host/",
        "amqps://user:hunter2@host/?cacertfile=/no/such/file",
        "http://user:hunter2@host/",
    ],
)
def test_a_url_that_cannot_be_read_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(ConfigurationError, match="amqp://USER:PASSWORD@HOST") as caught:
        addresses(url)
    assert "hunter2" not in str(caught.value)


def test_a_certificate_authority_of_ones_own_is_read(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("no certificate")
    with pytest.raises(ConfigurationError, match="cannot be read"):
        addresses(f"amqps://host?cacertfile={tmp_path / 'ca.pem'}")
