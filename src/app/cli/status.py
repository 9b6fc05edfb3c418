"""`mutirao status`: how the work stands."""

from rich.text import Text

from app.cli.options import Json
from app.cli.output import ago, console, print_json, print_table
from app.cli.session import with_app
from app.composition import App
from app.use_cases.overview import Overview
from domain.lifecycle import State
from domain.work import Counts

EPILOG = "Examples: `mutirao status` · `mutirao status --json | jq .tasks.pending` · `watch mutirao status`"


def show(as_json: Json = False) -> None:
    """Show the workers, who leads, how much is queued, done and dead, and how fast it goes."""

    async def command(opened: App) -> Overview:
        return await opened.overview()

    snapshot = with_app(command)
    if as_json:
        print_json(as_dict(snapshot))
    else:
        render(snapshot)


def as_dict(snapshot: Overview) -> dict[str, object]:
    """The stable JSON form of a snapshot."""
    return {
        "at": snapshot.at,
        "leader": snapshot.leader.session.worker.name if snapshot.leader else None,
        "workers": [
            {
                "name": view.session.worker.name,
                "session": view.session.id,
                "last_heartbeat": view.last_beat,
                "tasks": view.stats.tasks,
                "sources": view.stats.sources,
                "failures": view.stats.failures,
            }
            for view in snapshot.workers
        ],
        "sources": _counts(snapshot.sources),
        "tasks": _counts(snapshot.tasks),
    }


def _counts(counts: Counts) -> dict[str, object]:
    return {
        **{state.lower(): counts[state] for state in State},
        "oldest_pending": counts.oldest_pending,
        "finished_last_minute": counts.finished_last_minute,
    }


def render(snapshot: Overview) -> None:
    print_table(
        "Queues",
        ["", "pending", "claimed", "completed", "failed", "discarded", "finished in 60 s", "oldest pending"],
        [_row("sources", snapshot.sources, snapshot), _row("tasks", snapshot.tasks, snapshot)],
    )
    console.print()
    if not snapshot.workers:
        console.print("no worker is running")
        return
    leader = snapshot.leader.session.id if snapshot.leader else None
    print_table(
        "Workers",
        ["name", "session", "heartbeat", "tasks", "sources", "failures", ""],
        [
            (
                view.session.worker.name,
                view.session.id,
                ago(view.last_beat, snapshot.at),
                view.stats.tasks,
                view.stats.sources,
                view.stats.failures,
                Text("leader", style="cyan") if view.session.id == leader else "",
            )
            for view in snapshot.workers
        ],
    )


def _row(name: str, counts: Counts, snapshot: Overview) -> tuple[object, ...]:
    rate = counts.finished_last_minute
    return (
        name,
        counts[State.PENDING],
        counts[State.CLAIMED],
        Text(str(counts[State.COMPLETED]), style="green" if counts[State.COMPLETED] else ""),
        Text(str(counts[State.FAILED]), style="red" if counts[State.FAILED] else ""),
        counts[State.DISCARDED],
        "" if rate is None else rate,
        ago(counts.oldest_pending, snapshot.at),
    )
