"""Real backends for the contract tests, each started by the tests on a private address and stopped at the end."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from tests.contract.postgres import PostgresServer, find_postgres
from tests.contract.rabbitmq_node import RabbitMqNode, find_rabbitmq


def missing(backend: str) -> NoReturn:
    """Skip, or fail where CI says that every backend must be there."""
    if os.environ.get("REQUIRE_BACKENDS"):
        pytest.fail(f"{backend} is not installed, but REQUIRE_BACKENDS is set")
    pytest.skip(f"{backend} is not installed")


@pytest.fixture(scope="session")
def postgres_binaries() -> Path:
    binaries = find_postgres()
    return binaries or missing("PostgreSQL")


@pytest.fixture(scope="session")
def postgres_server(postgres_binaries: Path) -> Iterator[PostgresServer]:
    with PostgresServer(postgres_binaries) as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> str:
    """An empty database of the test's own."""
    return postgres_server.create_database()


@pytest.fixture(params=["sqlite", "postgresql"])
def sql_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database on each engine in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'work.db'}"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture(scope="session")
def rabbitmq_node() -> Iterator[RabbitMqNode]:
    """Shared by all tests, and running before and after each."""
    binaries = find_rabbitmq()
    if binaries is None:
        missing("RabbitMQ")
        return
    with RabbitMqNode(binaries) as node:
        yield node


@pytest.fixture(scope="session")
def prior_python() -> str:
    """A Python with the packages that this project takes the place of."""
    if python := os.environ.get("PRIOR_PYTHON"):
        return python
    missing("PRIOR_PYTHON, a Python with boreal-push-queue 0.2.1,")
    raise AssertionError
