"""All that `mutirao doctor` looks at, each part built by itself, so that one that is wrong hides no other."""

import asyncio
from collections.abc import Sequence

from attrs import frozen

from app.adapters import push_broker
from app.container import Container
from app.settings import Settings
from app.use_cases.diagnose import diagnose_broker, diagnose_extractor, diagnose_store, try_assumptions
from domain.finding import Finding, Verdict, good, note, problem


@frozen
class Part:
    """A part of the system, and what was found there."""

    name: str
    findings: Sequence[Finding]

    @property
    def works(self) -> bool:
        return all(finding.verdict is not Verdict.PROBLEM for finding in self.findings)


async def examine(settings: Settings) -> Sequence[Part]:
    """Look at each part that `settings` name. Nothing is left behind, but that a database file is made if missing."""
    container = Container(settings=settings)
    store, extractor, broker = await asyncio.gather(
        diagnose_store(container.coordination_store),
        diagnose_extractor(container.extractor),
        _broker(settings, container),
    )
    return [
        Part("store", store),
        Part("extractor", extractor),
        Part("push queue", [*broker, _dispatcher(settings)]),
    ]


async def examine_assumptions(settings: Settings) -> Part:
    """Try out what the store relies on.

    Raises:
        ConfigurationError, PortError: as `app.use_cases.diagnose.try_assumptions`.
    """
    return Part("assumptions", await try_assumptions(Container(settings=settings).coordination_store))


async def _broker(settings: Settings, container: Container) -> Sequence[Finding]:
    if not settings.broker_url:
        return [note("broker", "BROKER_URL is not set: nothing is pushed")]
    clock, ids, random = container.clock(), container.ids(), container.random()
    return await diagnose_broker(lambda: push_broker(settings, clock, ids, random), settings.queue_name)


def _dispatcher(settings: Settings) -> Finding:
    """What pushes: curl where it is asked for or installed, else httpx."""
    if settings.http_dispatcher == "httpx":
        return good("dispatcher", "httpx")
    try:
        import adapters.curl_push.dispatcher  # noqa: F401 - whether it can be
    except ImportError as error:
        if settings.http_dispatcher == "curl":
            fix = "install it (pip install pycurl), or set HTTP_DISPATCHER=httpx"
            return problem("dispatcher", f"HTTP_DISPATCHER is curl, but pycurl does not load: {error}", fix)
        return note("dispatcher", f"httpx, as pycurl does not load: {error}", "pip install pycurl pushes faster")
    return good("dispatcher", "curl")
