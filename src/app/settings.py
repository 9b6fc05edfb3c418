"""Settings, from the environment and a `.env` file, and what is wrong with them."""

import os
import socket
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

from attrs import Attribute, Factory, field, fields, frozen

from app import setting_types as read
from app.durations import parse_duration
from app.masking import MASK, mask_secrets
from domain.lifecycle import MAX_CRASHES
from domain.scan import ScanOptions
from ports.errors import ConfigurationError

EMBEDDED_STORE = "sqlite:///mutirao.db"


def _setting(
    name: str,
    default: Any,
    parse: Callable[[str], Any],
    help: str,  # noqa: A002 - it is what is shown as help
    *,
    aliases: tuple[str, ...] = (),
    secret: bool = False,
) -> Any:
    """A field that the variable `name` sets, or else one of `aliases`. A `secret` is never shown."""
    return field(default=default, metadata={"names": (name, *aliases), "parse": parse, "help": help, "secret": secret})


def _default_store(settings: "Settings") -> str:
    return f"gsheets://{settings.spreadsheet_id}" if settings.spreadsheet_id else EMBEDDED_STORE


def _default_heartbeat(settings: "Settings") -> float:
    return min(30.0, settings.lease_ttl / 10)


@frozen(kw_only=True, repr=False)
class Settings:
    """What the environment says; `Settings()` are the defaults. Times are in seconds, an unset text is empty.

    COORDINATION_URL names the store whatever else is set; without it, SPREADSHEET_ID does. `origins` tells where a
    value that is not a default comes from, by field.

    Raises:
        ConfigurationError: values that contradict each other, all of them at once.
    """

    worker_name: str = _setting("WORKER_NAME", Factory(socket.gethostname), str, "shown to people; default: the host's")

    spreadsheet_id: str = _setting("SPREADSHEET_ID", "", str, "means COORDINATION_URL=gsheets://… where that is unset")
    coordination_url: str = _setting(
        "COORDINATION_URL",
        Factory(_default_store, takes_self=True),
        read.url,
        "the store: sqlite:///FILE, postgresql://…, gsheets://SPREADSHEET_ID, memory://",
    )
    service_account_file: str = _setting(
        "SERVICE_ACCOUNT_FILE", "", read.existing_file, "the JSON file of a Google service account"
    )
    service_account_json: str = _setting(
        "SERVICE_ACCOUNT_JSON", "", read.json_text, "its content, where there is no file", secret=True
    )
    sheets_api_url: str = _setting("SHEETS_API_URL", "", read.url, "another Sheets server, for development")
    sheets_min_interval: float = _setting("SHEETS_MIN_INTERVAL", 1.0, parse_duration, "between calls to Google")

    lease_ttl: float = _setting("LEASE_TTL", 300.0, read.positive_duration, "silent for so long, a worker is dead")
    heartbeat_interval: float = _setting(
        "HEARTBEAT_INTERVAL",
        Factory(_default_heartbeat, takes_self=True),
        read.positive_duration,
        "at most a third of LEASE_TTL; default: a tenth, at most 30 s",
    )
    max_attempts: int = _setting("MAX_ATTEMPTS", 1, read.whole_number(1, also=-1), "of a task; -1 for ever")
    retry_backoff: float = _setting("RETRY_BACKOFF", 1.0, parse_duration, "before the first retry; then doubling")
    max_crashes: int = _setting("MAX_CRASHES", MAX_CRASHES, read.whole_number(1), "workers that a task may take down")
    batch: int = _setting("BATCH", 25, read.whole_number(1), "tasks claimed ahead at most")

    rescan_every: float | None = _setting(
        "RESCAN_EVERY", None, read.positive_duration, "scan finished sources again (24h, say)"
    )
    scan_title: str | None = _setting("SCAN_TITLE", None, read.pattern, "take titles that match only")
    scan_min_duration: float | None = _setting("SCAN_MIN_DURATION", None, parse_duration, "take no shorter videos")
    scan_max_duration: float | None = _setting("SCAN_MAX_DURATION", None, parse_duration, "take no longer videos")
    scan_shorts: bool = _setting("SCAN_SHORTS", default=True, parse=read.flag, help="take shorts too")
    scan_live: bool = _setting("SCAN_LIVE", default=True, parse=read.flag, help="take streams too")
    scan_limit: int | None = _setting("SCAN_LIMIT", None, read.whole_number(1), "entries of a source, at most")

    ytdlp_proxy: str = _setting("YTDLP_PROXY", "", str, "for yt-dlp's requests")
    ytdlp_no_check_certificate: bool = _setting(
        "YTDLP_NO_CHECK_CERTIFICATE", default=False, parse=read.flag, help="accept any certificate"
    )
    ytdlp_cookies: str = _setting(
        "YTDLP_COOKIES", "", read.existing_file, "a cookies.txt, for what only members may see"
    )
    ytdlp_extractors: tuple[str, ...] = _setting(
        "YTDLP_EXTRACTORS", ("youtube",), read.words, "yt-dlp's extractors that may run: youtube, generic, all, …"
    )
    ytdlp_sleep_requests: float = _setting("YTDLP_SLEEP_REQUESTS", 0.0, parse_duration, "between requests to a site")
    ytdlp_options: Mapping[str, Any] = _setting(
        "YTDLP_OPTIONS", Factory(dict), read.json_object, "any other option of yt-dlp, as JSON", secret=True
    )

    broker_url: str = _setting(
        "BROKER_URL", "", read.url, "the push queue's broker: amqp://…", aliases=("BOREAL_RABBITMQ_URL",)
    )
    queue_name: str = _setting("BOREAL_QUEUE_NAME", "", str, "the push queue")
    max_requests: int = _setting("BOREAL_MAX_REQUESTS", 10, read.whole_number(1), "pushes at a time")
    http_timeout: float = _setting("BOREAL_HTTP_TIMEOUT", 10.0, read.positive_duration, "for a push")
    requeue_on_failure: bool = _setting(
        "BOREAL_REQUEUE_ON_FAILURE", default=True, parse=read.flag, help="retry a push that failed"
    )
    http_dispatcher: str = _setting(
        "HTTP_DISPATCHER", "", read.one_of("curl", "httpx"), "what pushes; default: curl where it is installed"
    )
    ssrf_policy: tuple[str, ...] = _setting(
        "SSRF_POLICY", ("any",), read.words, "where pushes may go: any, public, or hosts and networks"
    )
    signing_secret_file: str = _setting(
        "SIGNING_SECRET_FILE", "", read.existing_file, "signs pushes; a line for each secret"
    )

    state_dir: str = _setting(
        "MUTIRAO_STATE_DIR",
        "",
        str,
        "where this machine remembers its workers' ids; default: the user's own place",
    )
    log_level: str = _setting("LOG_LEVEL", "info", read.one_of("debug", "info", "warning", "error"), "what is logged")
    log_format: str = _setting("LOG_FORMAT", "text", read.one_of("text", "json"), "how it is logged")

    origins: Mapping[str, str] = field(factory=dict, eq=False)

    def __attrs_post_init__(self) -> None:
        problems = self._contradictions()
        if problems:
            raise ConfigurationError("\n".join(problems))

    @classmethod
    def from_env(cls, environment: Mapping[str, str], **given: Any) -> Self:
        """Read the variables; `given` are values by field that win over them. An empty variable counts as unset.

        BROKER_URL wins over its old name BOREAL_RABBITMQ_URL.

        Raises:
            ConfigurationError: names every variable that is wrong, its value unless secret, and what it should be.
        """
        return cls.from_layers([("environment", environment)], given)

    @classmethod
    def from_layers(cls, layers: Sequence[tuple[str, Mapping[str, str]]], given: Mapping[str, Any]) -> Self:
        """As `from_env`, of several sets of variables with a name for each; an earlier one wins."""
        values, origins, problems = dict(given), dict.fromkeys(given, "code"), []
        for setting in _table():
            found = None if setting.name in given else _find(setting.metadata["names"], layers)
            if found is None:
                continue
            name, text, origin = found
            origins[setting.name] = origin if name == setting.metadata["names"][0] else f"{origin}, as {name}"
            try:
                values[setting.name] = setting.metadata["parse"](text)
            except ValueError as error:
                shown = MASK if setting.metadata["secret"] else repr(mask_secrets(text))
                problems.append(f"{name} is {shown}, but should be {error}")
        if "spreadsheet_id" in values and "coordination_url" not in origins:
            origins["coordination_url"] = "SPREADSHEET_ID"
        try:
            settings = cls(**values, origins=origins)
        except ConfigurationError as error:
            problems.append(str(error))
        if problems:
            raise ConfigurationError("\n".join(problems))
        return settings

    @property
    def scan_options(self) -> ScanOptions:
        """How a source is scanned of which nobody asked anything special."""
        return ScanOptions(
            title=self.scan_title,
            min_duration=self.scan_min_duration,
            max_duration=self.scan_max_duration,
            shorts=self.scan_shorts,
            live=self.scan_live,
            limit=self.scan_limit,
        )

    def describe(self) -> list["SettingRow"]:
        """Each setting by its variable's name, as it may be shown: secrets and passwords are masked."""
        defaults = Settings()
        return [
            SettingRow(
                name=setting.metadata["names"][0],
                value=_shown(self, setting),
                default=_shown(defaults, setting),
                origin=self.origins.get(setting.name, "default"),
                help=setting.metadata["help"],
            )
            for setting in _table()
        ]

    def __repr__(self) -> str:
        changed = (f"{row.name}={row.value}" for row in self.describe() if row.value != row.default)
        return f"Settings({', '.join(changed)})"

    def _contradictions(self) -> list[str]:
        problems = []
        if self.heartbeat_interval > self.lease_ttl / 3:
            problems.append(
                f"HEARTBEAT_INTERVAL ({self.heartbeat_interval:g} s) must be at most a third of LEASE_TTL "
                f"({self.lease_ttl:g} s)"
            )
        shortest, longest = self.scan_min_duration, self.scan_max_duration
        if shortest is not None and longest is not None and shortest > longest:
            problems.append(f"SCAN_MIN_DURATION ({shortest:g} s) is above SCAN_MAX_DURATION ({longest:g} s)")
        account = self.service_account_file or self.service_account_json
        # sharing work through a file that nobody else sees is not what somebody with a service account wants
        if account and self.coordination_url == EMBEDDED_STORE and "coordination_url" not in self.origins:
            problems.append(
                "a Google service account is set, but no spreadsheet: "
                "set SPREADSHEET_ID, or COORDINATION_URL to share the work elsewhere"
            )
        return problems


@frozen
class SettingRow:
    """One setting, for people. `origin` is "default", "environment", the path of a `.env` file, or "code"."""

    name: str
    value: str
    default: str
    origin: str
    help: str


def load_settings(**given: Any) -> Settings:
    """Settings from the environment and the `.env` file of the working directory or above it.

    A variable of the environment wins over the file's even if it is empty, so that it can take a setting back;
    `given` are values by field that win over both.

    Raises:
        ConfigurationError: as `Settings.from_env`, or the file cannot be read.
    """
    from dotenv import dotenv_values, find_dotenv

    layers: list[tuple[str, Mapping[str, str]]] = [("environment", os.environ)]
    path = find_dotenv(usecwd=True)
    if path:
        try:
            # Windows' editors begin a file with a byte order mark, which older python-dotenv reads as text
            variables = dotenv_values(path, encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"{path} cannot be read: {error}") from error
        layers.append((path, {name: value for name, value in variables.items() if value is not None}))
    return Settings.from_layers(layers, given)


def _table() -> list["Attribute[Any]"]:
    return [setting for setting in fields(Settings) if setting.metadata]


def _find(names: Sequence[str], layers: Sequence[tuple[str, Mapping[str, str]]]) -> tuple[str, str, str] | None:
    """Name, text and origin of the first of `names` that is set, in the first layer that has any of them."""
    for origin, variables in layers:
        present = {name: variables[name].strip() for name in names if name in variables}
        if present:
            return next(((name, text, origin) for name, text in present.items() if text), None)
    return None


def _shown(settings: Settings, setting: "Attribute[Any]") -> str:
    value = getattr(settings, setting.name)
    if setting.metadata["secret"]:
        return MASK if value else ""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case float():
            return f"{value:g}"
        case tuple():
            return ",".join(value)
        case _:
            return mask_secrets(str(value))
