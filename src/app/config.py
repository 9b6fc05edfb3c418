"""`Config`, as yt-gsheet-orchestrator's programs write it."""

from typing import Any

from attrs import evolve, field, frozen

from app.settings import Settings, load_settings


@frozen
class Config:
    """Settings from the environment and `.env`, three of which may be given here instead.

    With none of the spreadsheet's settings the work is shared through the embedded store.

    Raises:
        ConfigurationError: (a ValueError, too) names every setting that is missing or wrong.
    """

    worker_name: str = field(default=None)
    spreadsheet_id: str = field(default=None)
    service_account_file: str = field(default=None)
    settings: Settings = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        names = ("worker_name", "spreadsheet_id", "service_account_file")
        given: dict[str, Any] = {name: getattr(self, name) for name in names if getattr(self, name)}
        settings = evolve(load_settings(), **given)
        object.__setattr__(self, "settings", settings)
        for name in names:
            object.__setattr__(self, name, getattr(settings, name))
