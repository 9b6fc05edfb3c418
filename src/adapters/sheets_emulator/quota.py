"""The quota: reads and writes a minute, for each user and for the project, metered apart."""

from collections import deque
from typing import Any

from attrs import define, field

from adapters.sheets_emulator.wire.errors import ApiError
from ports.time import Clock

WINDOW = 60.0


@define
class Quota:
    """Google's defaults: 60 a minute for a user, 300 for the project, of reads and of writes. A batch is one write."""

    clock: Clock
    per_user: int = 60
    per_project: int = 300
    _calls: dict[tuple[str, str], deque[float]] = field(factory=dict)

    def charge(self, kind: str, user: str) -> None:
        """Count one "read" or "write" of `user`.

        Raises:
            ApiError: 429; nothing is counted.
        """
        meters = [(f"{user}\n", self.per_user, True), ("", self.per_project, False)]
        for name, limit, per_user in meters:
            if len(self._recent(kind, name)) >= limit:
                raise exceeded(kind, per_user=per_user, limit=limit)
        for name, _, _ in meters:
            self._recent(kind, name).append(self.clock.monotonic())

    def _recent(self, kind: str, name: str) -> deque[float]:
        calls = self._calls.setdefault((kind, name), deque())
        while calls and calls[0] <= self.clock.monotonic() - WINDOW:
            calls.popleft()
        return calls


def exceeded(kind: str, *, per_user: bool, limit: int) -> ApiError:
    """429 as Google words it; the details name the meter."""
    kind = "read" if kind == "read" else "write"
    metric = f"{kind.capitalize()} requests"
    name = f"{metric} per minute" + (" per user" if per_user else "")
    details: list[dict[str, Any]] = [
        {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": "RATE_LIMIT_EXCEEDED",
            "domain": "googleapis.com",
            "metadata": {
                "service": "sheets.googleapis.com",
                "consumer": "projects/1",
                "quota_metric": f"sheets.googleapis.com/{kind}_requests",
                "quota_limit": f"{kind.capitalize()}RequestsPerMinute{'PerUser' if per_user else 'PerProject'}",
                "quota_limit_value": str(limit),
                "quota_location": "global",
                "quota_unit": "1/min/{project}/{user}" if per_user else "1/min/{project}",
            },
        },
        {
            "@type": "type.googleapis.com/google.rpc.Help",
            "links": [
                {
                    "description": "Request a higher quota limit.",
                    "url": "https://cloud.google.com/docs/quotas/help/request_increase",
                }
            ],
        },
    ]
    return ApiError(
        429,
        "RESOURCE_EXHAUSTED",
        f"Quota exceeded for quota metric '{metric}' and limit '{name}' of service 'sheets.googleapis.com' for "
        "consumer 'project_number:1'.",
        details,
    )
