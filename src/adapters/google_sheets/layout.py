"""The tabs and their columns, found by title and by header, in any order and among a person's own.

Those of yt-gsheet-orchestrator's spreadsheets are needed; the further ones are ours, and added where they are missing.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from attrs import field, frozen

from ports.errors import StoreCorrupt


@frozen
class Column:
    """A column by what we call it, and the header that people see. `aliases` are headers taken for it."""

    name: str
    header: str
    aliases: tuple[str, ...] = ()
    ours: bool = False


@frozen
class TabLayout:
    title: str
    columns: tuple[Column, ...]
    aliases: tuple[str, ...] = ()

    @property
    def titles(self) -> tuple[str, ...]:
        return (self.title, *self.aliases)


def _read_only(columns: Mapping[str, int]) -> Mapping[str, int]:
    return MappingProxyType(dict(columns))


@frozen
class Header:
    """Where the columns of a tab stand: an index (from 0) by name."""

    columns: Mapping[str, int] = field(converter=_read_only)
    width: int

    def __getitem__(self, name: str) -> int:
        return self.columns[name]

    @property
    def span(self) -> tuple[int, int]:
        """The first of the columns, and the one behind the last."""
        return min(self.columns.values()), max(self.columns.values()) + 1


_KEY = Column("key", "Chave", ours=True)
_OPTIONS = Column("options", "Opções", ours=True)
_CREATED = Column("created_at", "Timestamp de Criação")
_RECORDED = (Column("tries", "Tentativas", ours=True), Column("crashes", "Quedas", ours=True))
_ERROR = Column("error", "Mensagem de Erro")

_SOURCE = (
    Column("id", "ID"),
    Column("url", "URL"),
    Column("name", "Nome"),
    Column("entries", "Quantidade de Vídeos"),
    Column("claimed_at", "Timestamp de Reivindicação"),
    Column("finished_at", "Timestamp de Conclusão"),
    Column("status", "Status"),
    Column("worker", "Worker Atribuído"),
)
_SOURCE_OURS = (Column("created_at", "Timestamp de Criação", ours=True), _OPTIONS, _KEY)
_TASK = (
    Column("id", "ID"),
    Column("source", "ID da Fonte"),
    Column("url", "URL"),
    Column("name", "Nome"),
    Column("duration", "Duração"),
    _CREATED,
    Column("claimed_at", "Timestamp de Reivindicação"),
    Column("finished_at", "Timestamp de Conclusão"),
    Column("status", "Status"),
    Column("worker", "Worker Atribuído"),
)

WORKERS = TabLayout(
    "Workers",
    (
        Column("id", "ID do Worker"),
        Column("name", "Nome do Worker"),
        Column("beat", "Último Heartbeat"),
        Column("status", "Status"),
        Column("tasks", "Tarefas Processadas"),
        Column("sources", "Fontes Processadas"),
        Column("failures", "Falhas", ours=True),
        Column("session", "Sessão", ours=True),
    ),
)
# in the queues too, so that a row that is cut from a DLQ finds its cells under the same headers there
_ERROR_OURS = Column("error", "Mensagem de Erro", ours=True)

SOURCES = TabLayout("Sources", (*_SOURCE, _ERROR_OURS, *_SOURCE_OURS))
SOURCES_HISTORY = TabLayout("Sources History", (*_SOURCE, *_SOURCE_OURS, *_RECORDED))
SOURCES_DLQ = TabLayout("Sources DLQ", (*_SOURCE, _ERROR, *_SOURCE_OURS, *_RECORDED))
TASKS = TabLayout("Tasks", (*_TASK, _ERROR_OURS, _KEY))
TASKS_HISTORY = TabLayout("Tasks History", (*_TASK, _KEY, *_RECORDED))
TASKS_DLQ = TabLayout("Tasks DLQ", (*_TASK, _ERROR, _KEY, *_RECORDED))
ELECTIONS = TabLayout(
    "Eleição de Líderes",
    (
        Column("name", "Nome da Eleição"),
        Column("holder", "ID do Líder", aliases=("Worker ID",)),
        Column("acquired_at", "Timestamp de Aquisição", ours=True),
        Column("expires_at", "Timestamp de Expiração", aliases=("Expira Em",), ours=True),
        Column("status", "Status", ours=True),
    ),
    aliases=("Leader Election",),
)
TABS: Sequence[TabLayout] = (
    WORKERS,
    SOURCES,
    SOURCES_HISTORY,
    SOURCES_DLQ,
    TASKS,
    TASKS_HISTORY,
    TASKS_DLQ,
    ELECTIONS,
)


def find_columns(tab: TabLayout, cells: Sequence[str]) -> tuple[Header, tuple[Column, ...]]:
    """Where the columns of `tab` stand in its header row, and which of ours are not there yet.

    Raises:
        StoreCorrupt: names the tab and each column that it lacks.
    """
    places: dict[str, int] = {}
    for place, cell in enumerate(cells):
        places.setdefault(plain(cell), place)
    found: dict[str, int] = {}
    missing = []
    for column in tab.columns:
        at = next((places[plain(h)] for h in (column.header, *column.aliases) if plain(h) in places), None)
        if at is None:
            missing.append(column)
        else:
            found[column.name] = at
    needed = [column.header for column in missing if not column.ours]
    if needed:
        names = ", ".join(f"“{header}”" for header in needed)
        raise StoreCorrupt(
            f"the tab “{tab.title}” has no column {names}: put the header back in its first row "
            f"(order does not matter), or rename the tab so that a new one is made"
        )
    return Header(found, width=len(cells)), tuple(missing)


def plain(text: str) -> str:
    return " ".join(text.split()).casefold()
