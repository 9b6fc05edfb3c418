"""Settings, from the environment and a `.env` file, and what is wrong with them."""

import json
import os
import re
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import attrs
from attrs import field, frozen

from app.durations import parse_duration
from domain.lifecycle import MAX_CRASHES
from domain.scan import ScanOptions
from ports.errors import ConfigurationError

MASK = "•••"


def _setting(
    name: str,
    default: Any,
    parse: Callable[[str], Any],
    help: str,  # noqa: A002 - it is what is shown as help
    *,
    aliases: tuple[str, ...] = (),
    secret: bool = False,
) -> Any:
    """A field read from the variable `name` (or the first of `aliases` that is set)."""
    about = {"names": (name, *aliases), "parse": parse, "help": help, "secret": secret}
    return field(default=default, metadata=about, repr=not secret)


def _text(text: str) -> str:
    return text.strip()


def _url(text: str) -> str:
    if "://" not in text:
        raise ValueError("a URL such as sqlite:///work.db or postgresql://user@host/name")
    return text.strip()


def _flag(text: str) -> bool:
    word = text.strip().lower()
    if word in {"1", "true", "yes", "on", "sim"}:
        return True
    if word in {"0", "false", "no", "off", "não", "nao", ""}:
        return False
    raise ValueError("true or false")


def _positive(text: str) -> float:
    seconds = parse_duration(text)
    if seconds <= 0:
        raise ValueError("a length of time above 0")
    return seconds


def _integer(least: int, *, also: int | None = None) -> Callable[[str], int]:
    def parse(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least and number != also:
            raise ValueError(f"a whole number of {least} or more" + (f", or {also}" if also is not None else ""))
        return number

    return parse


def _one_of(*words: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        word = text.strip().lower()
        if word not in words:
            raise ValueError("one of " + ", ".join(words))
        return word

    return parse


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in re.split(r"[,\s]+", text.strip()) if word)


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"a regular expression ({error})") from error
    return text


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise ValueError(f"a JSON object ({error})") from error
    if not isinstance(value, dict):
        raise ValueError('a JSON object such as {"retries": 5}')  # noqa: TRY004 - it is the user's value, not a type error
    return value


@frozen(kw_only=True)
class Settings:
    """What the environment says. `repr` hides secrets; `Settings()` are the defaults."""

    worker_name: str = _setting("WORKER_NAME", attrs.Factory(socket.gethostname), _text, "shown to people")
    coordination_url: str = _setting(
        "COORDINATION_URL",
        "sqlite:///mutirao.db",
        _url,
        "the store: sqlite:///FILE, postgresql://…, gsheets://SPREADSHEET_ID, memory://",
    )
    spreadsheet_id: str = _setting("SPREADSHEET_ID", "", _text, "alone, means COORDINATION_URL=gsheets://…")
    service_account_file: str = _setting("SERVICE_ACCOUNT_FILE", "", _text, "a Google service account's JSON file")
    service_account_json: str = _setting("SERVICE_ACCOUNT_JSON", "", _text, "the same, as text", secret=True)
    sheets_api_url: str = _setting("SHEETS_API_URL", "", _url, "another Sheets server, for development")
    sheets_min_interval: float = _setting("SHEETS_MIN_INTERVAL", 1.0, parse_duration, "between calls to Google")

    lease_ttl: float = _setting("LEASE_TTL", 300.0, _positive, "silent for so long, a worker is taken for dead")
    heartbeat_interval: float = _setting("HEARTBEAT_INTERVAL", 0.0, _positive, "default: a tenth of LEASE_TTL")
    max_attempts: int = _setting("MAX_ATTEMPTS", 1, _integer(1, also=-1), "of a task; -1 for ever")
    retry_backoff: float = _setting("RETRY_BACKOFF", 1.0, parse_duration, "before the first retry; then doubling")
    max_crashes: int = _setting("MAX_CRASHES", MAX_CRASHES, _integer(1), "workers a task may lose before it is dead")
    batch: int = _setting("BATCH", 25, _integer(1), "tasks claimed ahead at most")

    rescan_every: float | None = _setting("RESCAN_EVERY", None, _positive, "scan finished sources again (24h, say)")
    scan_title: str | None = _setting("SCAN_TITLE", None, _pattern, "only titles that match")
    scan_min_duration: float | None = _setting("SCAN_MIN_DURATION", None, parse_duration, "only videos as long")
    scan_max_duration: float | None = _setting("SCAN_MAX_DURATION", None, parse_duration, "only videos as short")
    scan_shorts: bool = _setting("SCAN_SHORTS", default=True, parse=_flag, help="take shorts too")
    scan_live: bool = _setting("SCAN_LIVE", default=True, parse=_flag, help="take streams too")
    scan_limit: int | None = _setting("SCAN_LIMIT", None, _integer(1), "entries a source, at most")

    ytdlp_proxy: str = _setting("YTDLP_PROXY", "", _text, "for yt-dlp's requests", secret=True)
    ytdlp_no_check_certificate: bool = _setting(
        "YTDLP_NO_CHECK_CERTIFICATE", default=False, parse=_flag, help="accept any certificate"
    )
    ytdlp_cookies: str = _setting("YTDLP_COOKIES", "", _text, "a cookies.txt, for what only members may see")
    ytdlp_extractors: tuple[str, ...] = _setting(
        "YTDLP_EXTRACTORS", ("youtube",), _words, "yt-dlp's extractors that may run: youtube, generic, all, …"
    )
    ytdlp_sleep_requests: float = _setting("YTDLP_SLEEP_REQUESTS", 0.0, parse_duration, "between requests to a site")
    ytdlp_options: Mapping[str, Any] = _setting(
        "YTDLP_OPTIONS", attrs.Factory(dict), _json_object, "any other option of yt-dlp, as JSON", secret=True
    )

    broker_url: str = _setting(
        "BROKER_URL", "", _url, "the push queue's broker: amqp://…", aliases=("BOREAL_RABBITMQ_URL",), secret=True
    )
    queue_name: str = _setting("BOREAL_QUEUE_NAME", "", _text, "the push queue")
    max_requests: int = _setting("BOREAL_MAX_REQUESTS", 10, _integer(1), "pushes at a time")
    http_timeout: float = _setting("BOREAL_HTTP_TIMEOUT", 10.0, _positive, "for a push")
    requeue_on_failure: bool = _setting(
        "BOREAL_REQUEUE_ON_FAILURE", default=True, parse=_flag, help="retry a push that failed"
    )

    log_level: str = _setting("LOG_LEVEL", "info", _one_of("debug", "info", "warning", "error"), "what is logged")
    log_format: str = _setting("LOG_FORMAT", "text", _one_of("text", "json"), "how it is logged")

    def __attrs_post_init__(self) -> None:
        if not self.heartbeat_interval:
            object.__setattr__(self, "heartbeat_interval", min(30.0, self.lease_ttl / 10))
        if self.spreadsheet_id and self.coordination_url == attrs.fields(Settings).coordination_url.default:
            object.__setattr__(self, "coordination_url", f"gsheets://{self.spreadsheet_id}")

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

    @classmethod
    def from_env(cls, environment: Mapping[str, str]) -> Self:
        """Read the variables. An empty one counts as unset.

        Raises:
            ConfigurationError: names every variable that is wrong, its value unless secret, and what it should be.
        """
        values: dict[str, Any] = {}
        problems: list[str] = []
        for attribute in attrs.fields(cls):
            about = attribute.metadata
            name = next((name for name in about["names"] if environment.get(name, "").strip()), None)
            if name is None:
                continue
            try:
                values[attribute.name] = about["parse"](environment[name])
            except ValueError as error:
                shown = MASK if about["secret"] else repr(environment[name])
                problems.append(f"{name} is {shown}, but should be {error}")
        problems += _contradictions(values)
        if problems:
            raise ConfigurationError("\n".join(problems))
        return cls(**values)

    def __repr__(self) -> str:
        shown = (f"{row.name}={row.value}" for row in self.describe())
        return f"Settings({', '.join(shown)})"

    def describe(self) -> list["SettingRow"]:
        """Each setting by its variable's name: the value in force (secrets masked) and what it is for."""
        return [
            SettingRow(
                name=attribute.metadata["names"][0],
                value=_shown(getattr(self, attribute.name), secret=attribute.metadata["secret"]),
                help=attribute.metadata["help"],
            )
            for attribute in attrs.fields(Settings)
        ]


@frozen
class SettingRow:
    name: str
    value: str
    help: str


def _shown(value: Any, *, secret: bool) -> str:
    if secret:
        return MASK if value else ""
    if value is None:
        return ""
    return mask_password(value) if isinstance(value, str) else str(value)


def mask_password(url: str) -> str:
    """`url` with its password hidden; any other text as it is."""
    try:
        password = urlsplit(url).password
    except ValueError:
        return url
    return url.replace(f":{password}@", f":{MASK}@") if password else url


def _contradictions(values: Mapping[str, Any]) -> list[str]:
    problems = []
    ttl, beat = values.get("lease_ttl", 300.0), values.get("heartbeat_interval")
    if beat is not None and beat > ttl / 3:
        problems.append(f"HEARTBEAT_INTERVAL ({beat:g} s) must be at most a third of LEASE_TTL ({ttl:g} s)")
    files = ("service_account_file", "ytdlp_cookies")
    return problems + [
        f"{name.upper()} is {values[name]!r}, but there is no such file"
        for name in files
        if values.get(name) and not Path(values[name]).is_file()
    ]


def load_settings(directory: Path | None = None) -> Settings:
    """Settings from the environment, and from the `.env` file of `directory` or above it; the environment wins.

    Raises:
        ConfigurationError: as `Settings.from_env`.
    """
    from dotenv import dotenv_values, find_dotenv

    path = str(directory / ".env") if directory else find_dotenv(usecwd=True)
    from_file = {name: value for name, value in dotenv_values(path).items() if value} if path else {}
    return Settings.from_env({**from_file, **os.environ})
