"""Adding, claiming and completing: the statements that run for every task."""

from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Text,
    Update,
    bindparam,
    cast,
    column,
    exists,
    func,
    literal_column,
    null,
    select,
    tuple_,
    update,
)

from adapters.sql.items import ItemMapping
from adapters.sql.schema import in_state, sessions
from domain.lifecycle import State


def add_statement(mapping: ItemMapping[Any], dialect: str) -> Any:
    """Insert what is not known by its key, from a JSON array of objects; returns the keys of what was new.

    One statement for a whole page: binding each value of each row costs ten times as much.
    """
    table = mapping.table
    if dialect == "sqlite":
        from sqlalchemy.dialects.sqlite import insert

        each = func.json_each(bindparam("rows")).table_valued("key", "value")
        given = [func.json_extract(each.c.value, literal_column(f"'$.{name}'")) for name in mapping.columns]
        # "WHERE true": without it SQLite takes ON CONFLICT for a join's condition
        rows = select(*given, *_QUEUED).where(literal_column("true")).order_by(each.c.key)
    else:
        from sqlalchemy.dialects.postgresql import JSONB, insert  # type: ignore[assignment]

        typed = [column(name, table.c[name].type) for name in mapping.columns]
        records = func.jsonb_to_recordset(cast(bindparam("rows"), JSONB)).table_valued(*typed)
        derived = records.render_derived(name="given", with_types=True)
        rows = select(*(derived.c[name] for name in mapping.columns), *_QUEUED)
    statement = insert(table).from_select([*mapping.columns, "state", "created_at", *_DEFAULTS], rows)
    return statement.on_conflict_do_nothing(index_elements=[table.c.key]).returning(table.c.key)


_DEFAULTS = {"epoch": "0", "attempts": "0", "crashes": "0", "worker": "''", "error": "''"}
_QUEUED = (
    literal_column("'PENDING'"),
    bindparam("now", type_=BigInteger),
    *(literal_column(value) for value in _DEFAULTS.values()),
)


def claim_columns(mapping: ItemMapping[Any]) -> list[ColumnElement[Any]]:
    """What a claim is made of: place in the queue, epoch, attempts, first attempt, and the item."""
    c = mapping.table.c
    return [c.seq, c.epoch, c.attempts, c.first_attempt_at, *(c[name] for name in mapping.columns)]


def claim_statement(mapping: ItemMapping[Any]) -> Update:
    """Take the oldest items that are due, for a session that is alive. Nobody waits for another's claim.

    The session's row is locked in share: heartbeats pass, the DELETE that ends a session waits, and one that was
    quicker leaves nothing to claim for.
    """
    table = mapping.table
    c = table.c
    alive = (
        select(sessions.c.id)
        .where(sessions.c.id == bindparam("session_id"))
        .with_for_update(read=True, key_share=True)
        .cte("alive")
    )
    due = (
        select(c.seq)
        .where(
            in_state(table, State.PENDING),
            (c.not_before.is_(None)) | (c.not_before <= bindparam("now", type_=BigInteger)),
            exists(select(alive.c.id)),
        )
        .order_by(c.seq)
        .limit(bindparam("limit_number", type_=BigInteger))
        .with_for_update(skip_locked=True)
        .cte("due")  # evaluated once: as a plain subquery, PostgreSQL may run it again and lock beyond the limit
    )
    return (
        update(table)
        .where(c.seq.in_(select(due.c.seq)))
        .values(
            state=literal_column("'CLAIMED'"),
            session=bindparam("session_id"),
            request=bindparam("request_number"),
            epoch=c.epoch + literal_column("1"),
            worker=bindparam("worker_name"),
            claimed_at=bindparam("now", type_=BigInteger),
            first_attempt_at=func.coalesce(c.first_attempt_at, bindparam("now", type_=BigInteger)),
            not_before=null(),
        )
        .returning(*claim_columns(mapping))
    )


def complete_statement(mapping: ItemMapping[Any], dialect: str) -> Update:
    """Record claims of a session as completed: those named, as far as they are still its own."""
    table = mapping.table
    c = table.c
    if dialect == "sqlite":
        each = func.json_each(bindparam("claims")).table_valued("value")
        named = select(*(func.json_extract(each.c.value, literal_column(path)) for path in ("'$[0]'", "'$[1]'")))
    else:
        unnest = func.unnest(
            bindparam("claim_keys", type_=ARRAY(Text)), bindparam("claim_epochs", type_=ARRAY(BigInteger))
        )
        claims = unnest.table_valued("key", "epoch").render_derived(name="claims")
        named = select(claims.c.key, claims.c.epoch)
    return (
        update(table)
        .where(
            tuple_(c.key, c.epoch).in_(named),
            c.session == bindparam("session_id"),
            in_state(table, State.CLAIMED),
        )
        .values(
            state=literal_column("'COMPLETED'"),
            session=null(),
            request=null(),
            attempts=c.attempts + literal_column("1"),
            finished_at=bindparam("now", type_=BigInteger),
            arrival=bindparam("arrival_place", type_=BigInteger),
            error=literal_column("''"),
        )
        .returning(c.key)
    )
