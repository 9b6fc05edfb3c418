"""Whoever catches the root catches them all."""

from domain.errors import DomainError, InvalidTransition, LeaseLost, MutiraoError


def test_a_broken_rule_is_an_error_of_ours() -> None:
    assert issubclass(DomainError, MutiraoError)
    assert issubclass(InvalidTransition, DomainError)
    assert issubclass(LeaseLost, DomainError)
