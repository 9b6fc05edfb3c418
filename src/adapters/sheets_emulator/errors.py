"""Errors as Google words them."""

from typing import Any


class ApiError(Exception):
    """An answer other than 200: its HTTP status, Google's name for it, and the text."""

    def __init__(self, code: int, status: str, message: str, details: list[dict[str, Any]] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.details = details or []

    def body(self) -> dict[str, Any]:
        error = {"code": self.code, "message": str(self), "status": self.status}
        if self.details:
            error["details"] = self.details
        return {"error": error}


def invalid(message: str) -> ApiError:
    return ApiError(400, "INVALID_ARGUMENT", message)


def not_found(message: str = "Requested entity was not found.") -> ApiError:
    return ApiError(404, "NOT_FOUND", message)
