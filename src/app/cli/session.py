"""Opening the store for one command."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from app.composition import App, create_app
from app.log import configure_logging
from app.settings import load_settings

T = TypeVar("T")


def with_app(command: Callable[[App], Awaitable[T]]) -> T:
    """Run `command` on the configured store, opened and closed around it."""

    async def body() -> T:
        settings = load_settings()
        configure_logging(settings.log_level, settings.log_format)
        async with create_app(settings) as app:
            return await command(app)

    return asyncio.run(body())
