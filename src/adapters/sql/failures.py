"""What a database's exceptions mean."""

from ports.errors import ConfigurationError, PortError, StoreCorrupt, StoreUnavailable

_ASKS_AGAIN = ("40001", "40P01", "55P03")  # serialization failure, deadlock, lock not available (PostgreSQL)
_REFUSED = ("28P01", "28000", "3D000", "42501", "42P01")  # password, role, no such database, no permission, no table


def translate(error: Exception, where: str) -> PortError | ConfigurationError:
    """The port's error for `error`; `where` is the store's URL without its password."""
    said = str(getattr(error, "orig", None) or error).strip()
    lowered = said.lower()
    if "not a database" in lowered or "malformed" in lowered or "file is encrypted" in lowered:
        return StoreCorrupt(f"{where} is no SQLite database: name another file in COORDINATION_URL ({said})")
    if "unable to open database file" in lowered:
        return ConfigurationError(f"{where} cannot be opened: does its directory exist, and may it be written to?")
    if "readonly database" in lowered or "read-only" in lowered:
        return ConfigurationError(f"{where} may not be written to: check its permissions")
    if "password authentication failed" in lowered or _sqlstate(error) in _REFUSED or "does not exist" in lowered:
        return ConfigurationError(f"{where} refused: {said}; check COORDINATION_URL")
    if type(error).__name__ == "ProgrammingError" or "no such table" in lowered or "no such column" in lowered:
        return StoreCorrupt(f"{where} is not what it should be: {said}")
    return StoreUnavailable(f"{where} does not answer: {said}")


def applied_nothing(error: BaseException) -> bool:
    """Whether `error` only says that others were quicker: the same transaction may simply be run again."""
    said = str(getattr(error, "orig", None) or error).lower()
    return "database is locked" in said or "table is locked" in said or _sqlstate(error) in _ASKS_AGAIN


def _sqlstate(error: BaseException) -> str:
    driver_error = getattr(error, "orig", None) or error
    return getattr(driver_error, "sqlstate", None) or ""
