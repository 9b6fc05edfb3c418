"""The tables, and making sure that they are ours."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    inspect,
    literal_column,
    select,
    text,
)
from sqlalchemy.schema import SchemaItem

from domain.lifecycle import State
from ports.errors import StoreCorrupt

VERSION = 1
ADVISORY_LOCK = 0x6D757469  # "muti"

# Times are microseconds since 1970 in UTC: exact, and the same on both engines.
Micros = BigInteger
# SQLite gives rowids to INTEGER PRIMARY KEY only.
Sequence = BigInteger().with_variant(Integer, "sqlite")

metadata = MetaData()

schema_version = Table("mutirao_schema", metadata, Column("version", Integer, primary_key=True))

sessions = Table(
    "mutirao_sessions",
    metadata,
    Column("seq", Sequence, primary_key=True, autoincrement=True),
    Column("id", String(64), nullable=False, unique=True),
    Column("worker_id", String(64), nullable=False, index=True),
    Column("worker_name", Text, nullable=False),
    Column("beats", BigInteger, nullable=False, default=0),
    Column("last_beat", Micros, nullable=False),
    Column("tasks", BigInteger, nullable=False, default=0),
    Column("sources", BigInteger, nullable=False, default=0),
    Column("failures", BigInteger, nullable=False, default=0),
)

leases = Table(
    "mutirao_leases",
    metadata,
    Column("name", String(200), primary_key=True),
    Column("session", String(64)),
    Column("token", BigInteger, nullable=False, default=0),
    Column("renewals", BigInteger, nullable=False, default=0),
)


def _queue(name: str, *item: SchemaItem) -> Table:
    """A queue: what is common to sources and tasks, and the columns of the item itself.

    `arrival` orders the finished states. `request` numbers the claiming call within its session.
    """
    table = Table(
        name,
        metadata,
        Column("seq", Sequence, primary_key=True, autoincrement=True),
        Column("key", Text, nullable=False, unique=True),
        Column("state", String(9), nullable=False),
        Column("session", String(64)),
        Column("epoch", BigInteger, nullable=False, default=0),
        Column("request", BigInteger),
        Column("attempts", Integer, nullable=False, default=0),
        Column("crashes", Integer, nullable=False, default=0),
        Column("worker", Text, nullable=False, default=""),
        Column("created_at", Micros, nullable=False),
        Column("claimed_at", Micros),
        Column("first_attempt_at", Micros),
        Column("finished_at", Micros),
        Column("not_before", Micros),
        Column("arrival", Micros),
        Column("error", Text, nullable=False, default=""),
        Column("url", Text, nullable=False),
        Column("name", Text, nullable=False, default=""),
        *item,
    )
    # Partial indices: claiming, settling and burying cost the same beside a long History.
    for suffix, columns, where in (
        ("pending", [table.c.seq], "state = 'PENDING'"),
        ("held", [table.c.session], "state = 'CLAIMED'"),
        ("finished", [table.c.state, table.c.arrival, table.c.seq], "state IN ('COMPLETED', 'FAILED', 'DISCARDED')"),
    ):
        Index(f"{name}_{suffix}", *columns, sqlite_where=text(where), postgresql_where=text(where))
    return table


def in_state(table: Table, *states: State) -> ColumnElement[bool]:
    """A condition with the states spelled out: through a parameter, the partial indices would not be used."""
    spelled: list[ColumnElement[str]] = [literal_column(f"'{state.value}'") for state in states]
    return table.c.state == spelled[0] if len(spelled) == 1 else table.c.state.in_(spelled)


sources = _queue(
    "mutirao_sources",
    Column("entries", BigInteger),
    Column("options", Text, nullable=False, default="{}"),
    Column("scans", Integer, nullable=False, default=0),
    Column("full", Boolean, nullable=False, default=False),
)

tasks = _queue(
    "mutirao_tasks",
    Column("id", Text, nullable=False, default=""),
    Column("source", Text, nullable=False, default=""),
    Column("duration", Float),
)


def ensure(connection: Connection) -> None:
    """Create the tables, or check that those there are ours and of this version. Safe for many first starts at once.

    Raises:
        StoreCorrupt: another program's tables, or a newer version's.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": ADVISORY_LOCK})
    existing = set(inspect(connection).get_table_names())
    ours = set(metadata.tables)
    if not existing & ours:
        metadata.create_all(connection)
        connection.execute(schema_version.insert().values(version=VERSION))
        return
    if schema_version.name not in existing:
        raise StoreCorrupt(_foreign(existing & ours))
    version = connection.execute(select(schema_version.c.version)).scalar_one_or_none()
    if version is not None and version > VERSION:
        raise StoreCorrupt(
            f"the database has schema version {version}, this mutirao knows {VERSION}: "
            "upgrade mutirao here (pip install -U mutirao), or name another database in COORDINATION_URL"
        )
    for name, table in metadata.tables.items():
        columns = {column["name"] for column in inspect(connection).get_columns(name)} if name in existing else set()
        if missing := {column.name for column in table.columns} - columns:
            raise StoreCorrupt(f"table {name} lacks {', '.join(sorted(missing))}: " + _foreign({name}))


def _foreign(names: set[str]) -> str:
    return (
        f"the database has {', '.join(sorted(names))}, but not made by mutirao; "
        "nothing was changed: name another database in COORDINATION_URL"
    )
