"""Errors as Google words them."""

from typing import Any


class ApiError(Exception):
    """An answer other than 200: its HTTP status, Google's name for it, and the text.

    `retry_after` (seconds) goes into the header of that name.
    """

    def __init__(
        self,
        code: int,
        status: str,
        message: str,
        details: list[dict[str, Any]] | None = None,
        *,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.details = details or []
        self.retry_after = retry_after

    def body(self) -> dict[str, Any]:
        """The JSON of the answer."""
        error = {"code": self.code, "message": str(self), "status": self.status}
        if self.details:
            error["details"] = self.details
        return {"error": error}


def invalid(message: str) -> ApiError:
    """400: the request asks for something that cannot be."""
    return ApiError(400, "INVALID_ARGUMENT", message)


def malformed(violations: list[tuple[str, str]], message: str = "") -> ApiError:
    """400: the request itself cannot be read. Each violation is a field's path and what is wrong there."""
    return ApiError(
        400,
        "INVALID_ARGUMENT",
        message or "\n".join(text for _, text in violations),
        [
            {
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [
                    {"field": field, "description": text} if field else {"description": text}
                    for field, text in violations
                ],
            }
        ],
    )


def not_found(message: str = "Requested entity was not found.") -> ApiError:
    """404."""
    return ApiError(404, "NOT_FOUND", message)
