"""Which adapters there are. Each is imported when it is built, so that `import app` stays light."""

from functools import partial
from pathlib import Path

from app.registry import AdapterRegistry
from app.settings import Settings
from ports.broker import Broker
from ports.coordination import CoordinationStore
from ports.extractor import MetadataExtractor
from ports.identity import WorkerIdentity
from ports.plugin import BrokerContext, StoreContext
from ports.time import Clock, IdGenerator, RandomSource


def _memory_store(_url: str, context: StoreContext) -> CoordinationStore:
    from adapters.memory.coordination import MemoryCoordinationStore

    return MemoryCoordinationStore(clock=context.clock, ids=context.ids, max_crashes=context.max_crashes)


def _sql_store(url: str, context: StoreContext) -> CoordinationStore:
    from adapters.sql.store import SqlCoordinationStore

    return SqlCoordinationStore(url, clock=context.clock, ids=context.ids, max_crashes=context.max_crashes)


def _sheets_store(settings: Settings, url: str, context: StoreContext) -> CoordinationStore:
    from adapters.google_sheets.credentials import GoogleAccount
    from adapters.google_sheets.store import SheetsCoordinationStore

    account = GoogleAccount(
        file=settings.service_account_file,
        content=settings.service_account_json,
        anonymous=bool(settings.sheets_api_url),
    )
    return SheetsCoordinationStore(
        url.partition("://")[2].strip("/"),
        account,
        clock=context.clock,
        ids=context.ids,
        random=context.random,
        max_crashes=context.max_crashes,
        min_interval=settings.sheets_min_interval,
        api_url=settings.sheets_api_url,
    )


def _stores(settings: Settings) -> AdapterRegistry[CoordinationStore]:
    return AdapterRegistry(
        kind="coordination store",
        group="mutirao.coordination_stores",
        builtin={
            "memory": _memory_store,
            "sqlite": _sql_store,
            "postgresql": _sql_store,
            "postgres": _sql_store,
            "gsheets": partial(_sheets_store, settings),
        },
    )


def coordination_store(settings: Settings, clock: Clock, ids: IdGenerator, random: RandomSource) -> CoordinationStore:
    """The store that COORDINATION_URL names."""
    factory = _stores(settings).find(settings.coordination_url)
    context = StoreContext(clock=clock, ids=ids, random=random, max_crashes=settings.max_crashes)
    return factory(settings.coordination_url, context)


def _memory_broker(_url: str, context: BrokerContext) -> Broker:
    from adapters.memory.broker import MemoryBroker
    from adapters.memory.message_queue import Post

    return MemoryBroker(clock=context.clock, ids=context.ids, post=Post())


def _rabbitmq_broker(url: str, context: BrokerContext) -> Broker:
    from adapters.rabbitmq.broker import RabbitMqBroker

    return RabbitMqBroker(url, clock=context.clock, random=context.random)


BROKERS = AdapterRegistry[Broker](
    kind="broker",
    group="mutirao.brokers",
    builtin={"memory": _memory_broker, "amqp": _rabbitmq_broker, "amqps": _rabbitmq_broker},
)


def push_broker(settings: Settings, clock: Clock, ids: IdGenerator, random: RandomSource) -> Broker:
    """The broker that BROKER_URL names."""
    return BROKERS.find(settings.broker_url)(settings.broker_url, BrokerContext(clock=clock, ids=ids, random=random))


def system_identity(settings: Settings, ids: IdGenerator) -> WorkerIdentity:
    """This machine's memory of its workers, where MUTIRAO_STATE_DIR says."""
    from adapters.system.identity import SystemIdentity

    return SystemIdentity(ids, state=Path(settings.state_dir) if settings.state_dir else None)


def metadata_extractor(settings: Settings) -> MetadataExtractor:
    """yt-dlp, as the YTDLP_ settings say."""
    from adapters.ytdlp.extractor import YtDlpExtractor
    from adapters.ytdlp.options import YtDlpOptions

    return YtDlpExtractor(
        YtDlpOptions(
            extractors=settings.ytdlp_extractors,
            proxy=settings.ytdlp_proxy,
            no_check_certificate=settings.ytdlp_no_check_certificate,
            cookies=settings.ytdlp_cookies,
            sleep_requests=settings.ytdlp_sleep_requests,
            raw=settings.ytdlp_options,
        )
    )
