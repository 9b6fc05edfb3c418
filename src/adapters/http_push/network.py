"""Connections for httpcore: to an address that was looked up here, judged here, and is the very one connected to."""

import asyncio
import socket
import ssl
from collections.abc import Iterable
from typing import Any

import httpcore

from domain.outcome import FailureKind
from domain.target_policy import TargetPolicy

HEAD_START = 3.0
"""Seconds that an address has before the next one of the same host is tried."""


class ConnectionFailed(Exception):
    """There is no connection, and `kind` says what kind of failure that is."""

    def __init__(self, kind: FailureKind, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


class GuardedNetwork(httpcore.AsyncNetworkBackend):
    """Lets httpcore connect where `policy` allows it.

    A host's addresses are tried in the order in which the system gives them. Deadlines are the caller's: `timeout` is
    not heeded.
    """

    def __init__(self, policy: TargetPolicy) -> None:
        self._policy = policy

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to `host`.

        Raises:
            ConnectionFailed: with its kind.
        """
        addresses = self._allowed(host, await _look_up(host, port))
        failure: Exception | None = None
        for place, address in enumerate(addresses, 1):
            try:
                async with asyncio.timeout(HEAD_START if place < len(addresses) else None):
                    reader, writer = await asyncio.open_connection(address, port)
            except OSError as error:  # a TimeoutError is one, too
                failure = error
            else:
                _keep_alive(writer.get_extra_info("socket"))
                return _Stream(reader, writer)
        raise ConnectionFailed(FailureKind.CONNECTION, f"no connection to {host}:{port}: {failure}") from failure

    def _allowed(self, host: str, addresses: list[str]) -> list[str]:
        refusals = {address: self._policy.refusal(host, address) for address in addresses}
        allowed = [address for address in addresses if refusals[address] is None]
        if not allowed:
            raise ConnectionFailed(FailureKind.BLOCKED, "; ".join(str(refusal) for refusal in refusals.values()))
        return allowed


async def _look_up(host: str, port: int) -> list[str]:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:  # UnicodeError: an empty label, or one that is too long
        raise ConnectionFailed(FailureKind.DNS, f"{host} has no address: {error}") from error
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def _keep_alive(connection: socket.socket) -> None:
    """A slow answer must not cost the connection: what stands between forgets those that are silent for minutes."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if hasattr(socket, "TCP_KEEPIDLE"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 60)


class _Stream(httpcore.AsyncNetworkStream):
    """What is written goes out with the next read: a request's head and body in one piece."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._unsent = b""

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if self._unsent:
            self._writer.write(self._unsent)
            self._unsent = b""
            await self._writer.drain()
        return await self._reader.read(max_bytes)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._unsent += buffer

    async def aclose(self) -> None:
        # without a farewell, which a server might never answer
        self._writer.transport.abort()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.AsyncNetworkStream:
        try:
            await self._writer.start_tls(ssl_context, server_hostname=server_hostname)
        except (OSError, ValueError) as error:  # ssl.SSLError is an OSError; ValueError: a host that no name can be
            self._writer.transport.abort()
            raise ConnectionFailed(FailureKind.TLS, f"no TLS with {server_hostname}: {error}") from error
        return self

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":
            # an idle connection has nothing to read but its end
            return self._reader.at_eof() or self._writer.is_closing()
        return self._writer.get_extra_info(info)
