"""Signatures after Standard Webhooks 1.0 (standardwebhooks.com): the target can tell who sent a request, and when."""

import base64
import binascii
import hmac
from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import field, frozen

PREFIX = "whsec_"


@frozen
class SigningSecret:
    """A key that sender and target share."""

    key: bytes = field(repr=False)

    @classmethod
    def parse(cls, text: str) -> "SigningSecret":
        """A secret as it is handed out: base64, with ``whsec_`` before it or not.

        Raises:
            ValueError: it is none, or shorter than 24 bytes, the least that the standard allows; its text is not shown.
        """
        try:
            key = base64.b64decode(text.strip().removeprefix(PREFIX), validate=True)
        except (binascii.Error, ValueError):
            raise ValueError(f"a signing secret is {PREFIX} and base64; this one is not") from None
        if len(key) < 24:
            raise ValueError(f"a signing secret has 24 to 64 random bytes; this one has {len(key)}")
        return cls(key)


def signature_headers(
    identifier: str, body: bytes, *, now: datetime, secrets: Sequence[SigningSecret]
) -> Mapping[str, str]:
    """The three headers that sign `body`; none without a secret.

    Each of `secrets` signs, so that targets that know the old one and those that know the new one agree while a secret
    is being changed.
    """
    if not secrets:
        return {}
    timestamp = str(int(now.timestamp()))
    signed = f"{identifier}.{timestamp}.".encode() + body
    signatures = ["v1," + base64.b64encode(hmac.digest(secret.key, signed, "sha256")).decode() for secret in secrets]
    return {
        "webhook-id": identifier,
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(signatures),
    }
