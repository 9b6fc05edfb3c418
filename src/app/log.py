"""The worker's log: one line an event, as text or as JSON, on stderr."""

import json
import logging
from datetime import UTC, datetime
from typing import assert_never

from app.events import (
    ExtractionPaused,
    PageStored,
    SessionLost,
    SessionOpened,
    SessionsBuried,
    SettlementRefused,
    SourceFinished,
    SourceStarted,
    StoreTrouble,
    TaskFinished,
    TaskStarted,
    WorkerEvent,
)
from app.printable import one_line
from domain.lifecycle import Completed, Failed, Released, Retried, Settled

log = logging.getLogger("mutirao")


def log_event(event: WorkerEvent) -> None:
    """A `Listener` that writes `event` to the log, with its values as fields for the JSON form."""
    level, message, fields = _describe(event)
    log.log(level, message, extra={"fields": {"event": type(event).__name__, **fields}})


def _describe(event: WorkerEvent) -> tuple[int, str, dict[str, object]]:
    match event:
        case SessionOpened(session):
            return (
                logging.INFO,
                f"{session.worker.name} joined as {session.id}",
                {"session": session.id, "worker": session.worker.name},
            )
        case SessionLost(session):
            return (
                logging.WARNING,
                f"the others took {session.worker.name} for dead; what it held goes to them, it joins anew",
                {"session": session.id},
            )
        case SessionsBuried(sessions):
            names = ", ".join(f"{session.worker.name} ({session.id})" for session in sessions)
            return logging.WARNING, f"buried {names}: silent for too long", {"sessions": [s.id for s in sessions]}
        case SourceStarted(source, attempt):
            return logging.INFO, f"expanding {source.url}", {"source": source.key, "attempt": attempt}
        case PageStored(source, name, new, known, expected):
            of = f" of {expected}" if expected else ""
            return (
                logging.INFO,
                f"{name}: {new + known}{of} listed, {new} new",
                {"source": source.key, "new": new, "known": known, "expected": expected},
            )
        case SourceFinished(source, outcome, new, known, skipped, note):
            extras = [f"{count} {reason}" for reason, count in skipped.items()]
            tail = f", skipped {', '.join(extras)}" if extras else ""
            tail += f" ({note})" if note else ""
            level, what = _outcome(outcome)
            return (
                level,
                f"source {source.name or source.url} {what}: {new} new, {known} known{tail}",
                {"source": source.key, "new": new, "known": known, "skipped": dict(skipped), **_fields(outcome)},
            )
        case TaskStarted(task, attempt):
            return logging.DEBUG, f"task {task.id} started", {"task": task.key, "attempt": attempt}
        case TaskFinished(task, outcome, seconds):
            level, what = _outcome(outcome)
            return (
                level,
                f"task {task.id or task.key} {what} in {seconds:.2f} s",
                {"task": task.key, "seconds": round(seconds, 3), **_fields(outcome)},
            )
        case SettlementRefused(key):
            return logging.WARNING, f"{key} was no longer ours to settle: it is recorded elsewhere", {"key": key}
        case ExtractionPaused(seconds, reason):
            return logging.WARNING, f"no more extractions for {seconds:.0f} s: {reason}", {"seconds": seconds}
        case StoreTrouble(error, seconds):
            again = f" (again in {seconds:.1f} s)" if seconds else ""
            return logging.WARNING, f"{error}{again}", {"error": error}
        case _:
            assert_never(event)


def _outcome(outcome: Settled) -> tuple[int, str]:
    match outcome:
        case Completed():
            return logging.INFO, "completed"
        case Failed(error):
            return logging.ERROR, f"failed ({_first_line(error)})"
        case Retried(error, not_before):
            return logging.WARNING, f"to be retried at {not_before:%H:%M:%S} UTC ({_first_line(error)})"
        case Released():
            return logging.INFO, "released"
        case _:
            assert_never(outcome)


def _fields(outcome: Settled) -> dict[str, object]:
    fields: dict[str, object] = {"outcome": type(outcome).__name__.lower()}
    if isinstance(outcome, Failed | Retried):
        fields["error"] = outcome.error
    return fields


def _first_line(error: str) -> str:
    return error.strip().partition("\n")[0][:200]


class TextFormatter(logging.Formatter):
    """One line for each record, whatever titles and errors hold; a traceback follows as it is."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        record.message = one_line(record.message)
        return super().formatMessage(record)


class JsonFormatter(logging.Formatter):
    """One JSON object a line: time, level, logger, message, and the event's own fields."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def configure_logging(level: str, form: str, handler: logging.Handler | None = None) -> None:
    """Send the log to stderr (or to `handler`) from `level` up, as "text" or "json"."""
    if form == "json":
        formatter: logging.Formatter = JsonFormatter()
    elif handler is None:
        formatter = TextFormatter("%(asctime)s %(levelname)-7s %(message)s", datefmt="%H:%M:%S")
    else:
        formatter = TextFormatter("%(message)s")  # a handler of a view's own shows time and level itself
    handler = handler or logging.StreamHandler()
    handler.setFormatter(formatter)
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    # it tells of each failed connection in eight lines; we say it in one, as an error of the broker's
    logging.getLogger("pika").setLevel(logging.CRITICAL)
