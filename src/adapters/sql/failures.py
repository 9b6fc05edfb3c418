"""What a database's exceptions mean."""

import re
import sqlite3

from ports.errors import ConfigurationError, PortError, StoreCorrupt, StoreUnavailable

_ASKS_AGAIN = ("40001", "40P01", "55P03")  # serialization failure, deadlock, lock not available (PostgreSQL)
_REFUSED = ("28", "3D000", "42501")  # whoever we are, no such database, no permission
_NOT_OURS = ("42", "3F")  # no such table, column or schema, or of other types

# libpq gives no SQLSTATE for a connection that was refused, only the server's words. A server that stops or starts
# refuses too, so nothing less than these will do; in another language they are not known, and the wait is for nothing.
_REFUSED_AT_THE_DOOR = re.compile(
    r"""password \s authentication \s failed | no \s password \s supplied | no \s pg_hba\.conf \s entry
    | (database | role) \s ".*" \s does \s not \s exist | permission \s denied \s for \s database
    | is \s not \s permitted \s to \s log \s in | invalid [\s\w]* (option | number | value)""",
    re.VERBOSE,
)


def translate(error: Exception, where: str, *, opened: bool = False) -> PortError | ConfigurationError:
    """The port's error for `error`; `where` is the store's URL without its password.

    A store that was `opened` before was named rightly: what refuses it now may pass (a failover to a server that may
    only be read from, a database that is being restored), and is no reason to give up.
    """
    cause = getattr(error, "orig", None) or error
    said = str(cause).strip()
    refusal = _sqlite_refusal(cause, where, said) if isinstance(cause, sqlite3.Error) else _refusal(cause, where, said)
    if refusal is None or (opened and isinstance(refusal, ConfigurationError)):
        return StoreUnavailable(f"{where} does not answer: {said}")
    return refusal


def applied_nothing(error: BaseException) -> bool:
    """Whether `error` only says that others were quicker: the same transaction may simply be run again."""
    cause = getattr(error, "orig", None) or error
    return _sqlite_code(cause) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or _sqlstate(cause) in _ASKS_AGAIN


def _sqlite_refusal(cause: sqlite3.Error, where: str, said: str) -> StoreCorrupt | ConfigurationError | None:
    match _sqlite_code(cause):
        case sqlite3.SQLITE_NOTADB:
            return StoreCorrupt(f"{where} is no SQLite database: name another file in COORDINATION_URL ({said})")
        case sqlite3.SQLITE_CORRUPT:
            return StoreCorrupt(
                f"{where} is damaged ({said}): stop the workers, save what can be with `sqlite3 FILE .recover`, "
                "or name another file in COORDINATION_URL"
            )
        case sqlite3.SQLITE_CANTOPEN:
            return ConfigurationError(f"{where} cannot be opened: does its directory exist, and may it be written to?")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            return ConfigurationError(f"{where} may not be written to: check its permissions")
        case sqlite3.SQLITE_ERROR if "no such" in said:  # table, column
            return StoreCorrupt(f"{where} is not what it should be: {said}")
    return None


def _refusal(cause: BaseException, where: str, said: str) -> StoreCorrupt | ConfigurationError | None:
    state = _sqlstate(cause)
    if state.startswith(_REFUSED) or (not state and _REFUSED_AT_THE_DOOR.search(said)):
        return ConfigurationError(f"{where} refused: {said}; check COORDINATION_URL")
    if state.startswith(_NOT_OURS):
        return StoreCorrupt(f"{where} is not what it should be: {said}")
    return None


def _sqlite_code(cause: BaseException) -> int | None:
    """The primary result code, which is what the low byte of an extended one says."""
    code = getattr(cause, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _sqlstate(cause: BaseException) -> str:
    return getattr(cause, "sqlstate", None) or ""
