"""Real backends for the contract tests, each started by the tests on a private address and stopped at the end."""

import os
from collections.abc import Iterator

import pytest

from tests.contract.postgres import PostgresServer, find_postgres


def missing(backend: str) -> None:
    """Skip, or fail where CI says that every backend must be there."""
    if os.environ.get("REQUIRE_BACKENDS"):
        pytest.fail(f"{backend} is not installed, but REQUIRE_BACKENDS is set")
    pytest.skip(f"{backend} is not installed")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    binaries = find_postgres()
    if binaries is None:
        missing("PostgreSQL")
        return
    with PostgresServer(binaries) as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> str:
    """An empty database of the test's own."""
    return postgres_server.create_database()
