"""From a broker's URL to what pika connects with."""

import re
import ssl
from collections.abc import Sequence
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import pika

from ports.errors import ConfigurationError

BLOCKED_TIMEOUT = 60.0
"""Seconds that the broker may hold a connection up, for want of memory or disk, before it is given up."""

_TLS_NAMES = ("cacertfile", "certfile", "keyfile", "verify", "server_name_indication")


def addresses(url: str) -> Sequence[pika.URLParameters]:
    """What `url` names: one broker or several, separated by commas, tried in their order.

    Each is ``amqp://USER:PASSWORD@HOST:PORT/VHOST?heartbeat=…``, or ``amqps://`` for TLS. Beside the parameters that
    pika knows, those of RabbitMQ's URI query are read: `cacertfile`, `certfile`, `keyfile`, `verify`
    (verify_peer or verify_none) and `server_name_indication`. A comma inside of one is written %2C.

    Raises:
        ConfigurationError: one of them cannot be read. No password is shown.
    """
    return [_address(each.strip()) for each in re.split(r",(?=\s*amqps?://)", url, flags=re.IGNORECASE)]


def _address(url: str) -> pika.URLParameters:
    shown = url.rsplit("@", maxsplit=1)[-1].partition("?")[0]
    try:
        parts = urlsplit(url)
        _check_scheme(parts.scheme)
        query = parse_qsl(parts.query)
        tls = {name: value for name, value in query if name in _TLS_NAMES}
        rest = urlencode([(name, value) for name, value in query if name not in _TLS_NAMES])
        parameters = pika.URLParameters(urlunsplit(parts._replace(query=rest)))
        if parameters.ssl_options is not None and tls:
            parameters.ssl_options = _ssl_options(tls)
    except (ValueError, TypeError, SyntaxError, OSError, AttributeError) as error:
        # an SSL error is an OSError; the URL itself may hold a password and is not repeated
        raise ConfigurationError(
            f"the broker's URL for {shown!r} cannot be read ({type(error).__name__}): "
            "it is of the form amqp://USER:PASSWORD@HOST:PORT/VHOST, with amqps:// for TLS"
        ) from error
    parameters.connection_attempts = 1
    parameters.client_properties = {"connection_name": "mutirao", **(parameters.client_properties or {})}
    if parameters.blocked_connection_timeout is None:
        parameters.blocked_connection_timeout = BLOCKED_TIMEOUT
    return parameters


def _check_scheme(scheme: str) -> None:
    # pika would take http for amqp
    if scheme.lower() not in {"amqp", "amqps"}:
        raise ValueError(scheme)


def _ssl_options(tls: dict[str, str]) -> pika.SSLOptions:
    context = ssl.create_default_context(cafile=tls.get("cacertfile"))
    if tls.get("verify") == "verify_none":
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if "certfile" in tls:
        context.load_cert_chain(tls["certfile"], tls.get("keyfile"))
    return pika.SSLOptions(context, tls.get("server_name_indication"))
