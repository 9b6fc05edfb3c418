"""Who calls: service accounts, and tokens that expire."""

import base64
import json
import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from attrs import define, field

from adapters.sheets_emulator.wire.errors import ApiError
from ports.time import Clock

TOKEN_LIFETIME = 3600
GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"


@define
class Access:
    """Issues accounts and tokens that hold for `lifetime` seconds, and knows the caller by them."""

    clock: Clock
    lifetime: int = TOKEN_LIFETIME
    _keys: dict[str, str] = field(factory=dict)
    _tokens: dict[str, tuple[str, float]] = field(factory=dict)

    def service_account(self, url: str, name: str = "worker") -> dict[str, Any]:
        """The JSON of a new service account whose `token_uri` is this emulator at `url`, as google-auth takes it."""
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import rsa

        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        email = f"{name}@emulated.iam.gserviceaccount.com"
        public = key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        self._keys[email] = public.decode()
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return {
            "type": "service_account",
            "project_id": "emulated",
            "private_key_id": name,
            "private_key": private.decode(),
            "client_email": email,
            "client_id": name,
            "token_uri": f"{url}/token",
        }

    def token(self, body: bytes) -> dict[str, Any]:
        """Answer a token request: a JWT signed with a known account's key, as RFC 7523 says.

        Raises:
            ApiError: the account is unknown, or the signature is not its own.
        """
        form = {name: values[0] for name, values in parse_qs(body.decode("ascii", "replace")).items()}
        if form.get("grant_type") != GRANT:
            raise ApiError(400, "unsupported_grant_type", f"Invalid grant_type: {form.get('grant_type', '')}")
        email = self._verified(form.get("assertion", ""))
        token = f"emulated.{secrets.token_urlsafe(24)}"
        self._tokens[token] = (email, self.clock.monotonic() + self.lifetime)
        return {"access_token": token, "expires_in": self.lifetime, "token_type": "Bearer"}

    def _verified(self, assertion: str) -> str:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import padding, rsa

        refused = ApiError(400, "invalid_grant", "Invalid JWT Signature.")
        signed, _, signature = assertion.rpartition(".")
        try:
            email = json.loads(_decode(signed.split(".")[1]))["iss"]
            key = serialization.load_pem_public_key(self._keys[email].encode())
            if not isinstance(key, rsa.RSAPublicKey):
                raise refused
            key.verify(_decode(signature), signed.encode(), padding.PKCS1v15(), hashes.SHA256())
        except (IndexError, KeyError, ValueError, InvalidSignature) as error:
            raise refused from error
        return str(email)

    def caller(self, headers: Mapping[str, str]) -> str:
        """The account behind a request's token. Header names are in lower case.

        Raises:
            ApiError: 401, there is no token, or it is unknown or has expired.
        """
        token = headers.get("authorization", "").removeprefix("Bearer ")
        email, expires = self._tokens.get(token, ("", 0.0))
        if not email or self.clock.monotonic() >= expires:
            raise ApiError(
                401,
                "UNAUTHENTICATED",
                "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other "
                "valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
            )
        return email

    def expire_tokens(self) -> None:
        """Make every token out of date at once."""
        self._tokens.clear()


def _decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
