"""A RabbitMQ node of the tests' own: private ports, its own epmd and cookie, a directory that goes with the tests."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.contract.doubles.tls import server_context

PATIENCE = 90.0
"""Seconds that a node may take to come up."""


def find_rabbitmq() -> Path | None:
    """The directory of the installed server's programs."""
    # Debian's programs on the path change the user and the directory; these are the genuine ones
    for directory in (Path("/usr/lib/rabbitmq/bin"), *map(Path, os.environ.get("PATH", "").split(os.pathsep))):
        if (directory / "rabbitmq-server").exists() and shutil.which("epmd"):
            return directory
    return None


class RabbitMqNode:
    """One node, running while entered unless it is stopped meanwhile. What it keeps outlives its restarts."""

    def __init__(self, binaries: Path) -> None:
        self._binaries = binaries
        # short: Erlang's sockets and names have narrow limits
        self._directory = Path(tempfile.mkdtemp(prefix="mutirao-rabbitmq-"))
        self.port, self.tls_port, dist_port, epmd_port = free_ports(4)
        self._epmd_port = epmd_port
        server_context(self._directory, "localhost")
        self.certificate = self._directory / "cert.pem"
        (self._directory / "rabbitmq.conf").write_text(
            f"listeners.tcp.default = 127.0.0.1:{self.port}\n"
            f"listeners.ssl.default = 127.0.0.1:{self.tls_port}\n"
            f"ssl_options.certfile = {self.certificate}\n"
            f"ssl_options.keyfile = {self._directory / 'key.pem'}\n"
            "log.file.level = warning\n"
        )
        self._environment = {
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "HOME": str(self._directory),
            "ERL_EPMD_PORT": str(epmd_port),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODENAME": f"mutirao-{os.getpid()}@localhost",
            "RABBITMQ_DIST_PORT": str(dist_port),
            "RABBITMQ_CONFIG_FILE": str(self._directory / "rabbitmq.conf"),
            "RABBITMQ_CONF_ENV_FILE": os.devnull,
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self._directory / "plugins"),
            "RABBITMQ_MNESIA_BASE": str(self._directory / "data"),
            "RABBITMQ_LOG_BASE": str(self._directory / "log"),
            "RABBITMQ_PID_FILE": str(self._directory / "pid"),
            # no busy waiting on a machine that others use too; and queues tell their length more often than each 5 s
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+sbwt none +sbwtdcpu none +sbwtdio none "
            "-rabbit quorum_tick_interval 200",
        }
        self._epmd: subprocess.Popen[bytes] | None = None
        self._server: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"amqp://guest:guest@127.0.0.1:{self.port}/"

    @property
    def tls_url(self) -> str:
        return f"amqps://guest:guest@localhost:{self.tls_port}/?cacertfile={self.certificate}"

    def __enter__(self) -> Self:
        self._epmd = subprocess.Popen(
            ["epmd", "-port", str(self._epmd_port), "-address", "127.0.0.1"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        if self._epmd is not None:
            self._epmd.kill()
            self._epmd.wait()
        shutil.rmtree(self._directory, ignore_errors=True)

    def start(self) -> None:
        """Until it takes connections. Nothing happens if it runs."""
        if self._server is not None:
            return
        with (self._directory / "console").open("ab") as console:
            self._server = subprocess.Popen(
                [self._binaries / "rabbitmq-server"],
                env=self._environment,
                cwd=self._directory,
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=console,
                start_new_session=True,
            )
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            if self._server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((self._directory / "console").read_text("utf-8", "replace")[-4000:])
            time.sleep(0.05)

    def kill(self) -> None:
        """kill -9, with everything that it has started."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """In an orderly way."""
        self._end(signal.SIGTERM)

    def close_all_connections(self) -> None:
        self._control("close_all_connections", "the tests want it so")

    @contextmanager
    def out_of_memory(self) -> Iterator[None]:
        """It raises the alarm, and reads no more from whoever publishes."""
        self._control("set_vm_memory_high_watermark", "0.00001")
        try:
            yield
        finally:
            self._control("set_vm_memory_high_watermark", "0.4")

    def wait_until_nobody_is_connected(self) -> None:
        """Until it has given up every connection."""
        while self._control("list_connections", "pid", "--no-table-headers"):
            pass

    def _answers(self) -> bool:
        """Whether it begins the AMQP handshake."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
                connection.sendall(b"AMQP\x00\x00\x09\x01")
                return connection.recv(1) == b"\x01"
        except OSError:
            return False

    def _end(self, how: signal.Signals) -> None:
        if self._server is not None:
            os.killpg(self._server.pid, how)
            self._server.wait(PATIENCE)
            self._server = None

    def _control(self, *arguments: str) -> bytes:
        command = [self._binaries / "rabbitmqctl", "--quiet", *arguments]
        return subprocess.run(
            command, check=True, env=self._environment, stdout=subprocess.PIPE, cwd=self._directory
        ).stdout


def free_ports(count: int) -> list[int]:
    """Ports of the loopback interface that nobody uses just now."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()
