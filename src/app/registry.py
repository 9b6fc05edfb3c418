"""Finding an adapter by the scheme of its URL: ours by name, other people's by entry point. Loaded when asked for."""

from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from typing import Any, Generic, TypeVar

from attrs import frozen

from ports.errors import ConfigurationError, UnknownAdapter

T = TypeVar("T")


@frozen
class AdapterRegistry(Generic[T]):
    """Adapters of one port. `kind` is what people call it, `group` the entry point group of other people's."""

    kind: str
    group: str
    builtin: Mapping[str, Callable[..., T]]

    def find(self, url: str) -> Callable[..., T]:
        """The factory for `url`'s scheme.

        Raises:
            UnknownAdapter: there is none; the text lists those that there are.
            ConfigurationError: somebody else's adapter does not import.
        """
        scheme, separator, _ = url.partition("://")
        scheme = scheme.partition("+")[0].lower()
        if separator and scheme in self.builtin:
            return self.builtin[scheme]
        external = {point.name: point for point in entry_points(group=self.group)}
        if not separator or scheme not in external:
            known = ", ".join(f"{name}://" for name in sorted({*self.builtin, *external}))
            asked = f"{scheme}://" if separator else url.rsplit("@", maxsplit=1)[-1]
            raise UnknownAdapter(f"no {self.kind} goes by {asked!r}; known are {known}")
        try:
            factory: Any = external[scheme].load()
        except Exception as error:
            raise ConfigurationError(f"the {self.kind} {scheme}:// does not load: {error}") from error
        return factory  # type: ignore[no-any-return]
