"""`Config`, as yt-gsheet-orchestrator's programs write it."""

from attrs import field, frozen

from app.settings import Settings, load_settings


@frozen
class Config:
    """Settings from the environment and `.env`, three of which may be given here instead.

    `worker_name` is the host's by default. With none of the spreadsheet's settings the work is shared through the
    embedded store. Whether a `service_account_file` given here exists shows when the store is opened.

    Raises:
        ConfigurationError: (a ValueError, too) names every setting that is missing or wrong.
    """

    worker_name: str | None = None
    spreadsheet_id: str | None = None
    service_account_file: str | None = None
    settings: Settings = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        names = ("worker_name", "spreadsheet_id", "service_account_file")
        given = {name: getattr(self, name) for name in names}
        settings = load_settings(**{name: value for name, value in given.items() if value})
        object.__setattr__(self, "settings", settings)
        for name in names:
            object.__setattr__(self, name, getattr(settings, name) or None)
