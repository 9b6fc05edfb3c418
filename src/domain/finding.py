"""What somebody who looks after a part of the system finds, and what is to be done about it."""

from enum import StrEnum

from attrs import frozen


class Verdict(StrEnum):
    """How much a finding matters."""

    GOOD = "good"
    NOTE = "note"
    """Nothing is wrong, and somebody may want to know."""
    WARNING = "warning"
    """It works, and will not for long, or not for all."""
    PROBLEM = "problem"
    """It does not work."""


@frozen
class Finding:
    """`subject` is what was looked at, `seen` what was seen; `fix` is what to do, where there is something to do."""

    subject: str
    verdict: Verdict
    seen: str
    fix: str = ""


def good(subject: str, seen: str) -> Finding:
    return Finding(subject, Verdict.GOOD, seen)


def note(subject: str, seen: str, fix: str = "") -> Finding:
    return Finding(subject, Verdict.NOTE, seen, fix)


def warning(subject: str, seen: str, fix: str) -> Finding:
    return Finding(subject, Verdict.WARNING, seen, fix)


def problem(subject: str, seen: str, fix: str = "") -> Finding:
    return Finding(subject, Verdict.PROBLEM, seen, fix)
