"""Standard Webhooks: signatures that the standard's own library verifies."""

import base64
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook, WebhookVerificationError

from domain.signing import SigningSecret, signature_headers

OLD, NEW, OTHER = ("whsec_" + base64.b64encode(bytes([n]) * 32).decode() for n in range(3))


def headers(body: bytes, *secrets: str) -> dict[str, str]:
    # the library compares with the machine's clock
    parsed = [SigningSecret.parse(secret) for secret in secrets]
    return dict(signature_headers("task-1", body, now=datetime.now(UTC), secrets=parsed))


def test_the_standards_own_example_is_met() -> None:
    secret = SigningSecret.parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    signed = signature_headers(
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        b'{"test": 2432232314}',
        now=datetime.fromtimestamp(1614265330, UTC),
        secrets=[secret],
    )
    assert signed["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert signed["webhook-timestamp"] == "1614265330"


@given(st.binary(max_size=200))
def test_a_signature_is_verified_by_the_standards_own_library(body: bytes) -> None:
    Webhook(NEW).verify(b"{}", headers(b"{}", NEW))
    signed = headers(b'"' + base64.b64encode(body) + b'"', NEW)
    Webhook(NEW).verify(b'"' + base64.b64encode(body) + b'"', signed)


def test_while_a_secret_is_changed_both_are_good() -> None:
    signed = headers(b"{}", OLD, NEW)
    Webhook(OLD).verify(b"{}", signed)
    Webhook(NEW).verify(b"{}", signed)
    with pytest.raises(WebhookVerificationError):
        Webhook(OTHER).verify(b"{}", signed)


def test_a_body_that_was_changed_is_found_out() -> None:
    with pytest.raises(WebhookVerificationError):
        Webhook(NEW).verify(b"[]", headers(b"{}", NEW))


def test_without_a_secret_nothing_is_signed() -> None:
    assert headers(b"{}") == {}


@pytest.mark.parametrize("text", ["", "whsec_", "whsec_not base64", "whsec_c2hvcnQ=", "schlüssel"])
def test_what_is_no_secret_is_refused_without_being_shown(text: str) -> None:
    with pytest.raises(ValueError, match="signing secret") as refusal:
        SigningSecret.parse(text)
    assert "c2hvcnQ" not in str(refusal.value)


def test_a_secret_does_not_show() -> None:
    assert "key" not in repr(SigningSecret.parse(NEW))
