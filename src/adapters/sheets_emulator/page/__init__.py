"""The page on which a person watches and edits."""

from importlib.resources import files

from adapters.sheets_emulator.desk import Served

_KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
_FILES = ("index.html", "page.css", "page.js", "grid.js", "api.js")


def page(method: str, path: str) -> Served | None:
    """A file of the page at that path; None if it is none of them."""
    name = path.removeprefix("/") or "index.html"
    if method != "GET" or name not in _FILES:
        return None
    kind = _KINDS[name.rpartition(".")[2]]
    content = files(__package__).joinpath(name).read_bytes()
    return Served(200, {"Content-Type": f"{kind}; charset=utf-8", "Cache-Control": "no-store"}, content)
