"""Google's token endpoint and metadata server on loopback, whose tokens google-auth itself can verify."""

import datetime
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.auth import crypt, jwt

from tests.contract.doubles.loopback import Loopback

EMAIL = "pusher@project.iam.gserviceaccount.com"
LIFETIME = 3600


class GoogleTokens(Loopback):
    """Runs while entered. `issued` is what was asked for, in order: audiences and scopes.

    `broken` makes it refuse; while `held` is clear, it answers nobody.
    """

    def __init__(self, now: datetime.datetime) -> None:
        """Tokens begin at `now`, which a test may move."""
        self.now = now
        self.issued: list[str] = []
        self.broken = False
        self.held = threading.Event()
        self.held.set()
        private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self._private = private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ).decode()
        self._public = private.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        super().__init__(_Server(self))

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._server.server_address[1]}"

    @property
    def certificates_url(self) -> str:
        """Where Google's public keys are."""
        return f"http://{self.host}/certs"

    def key(self) -> dict[str, str]:
        """A service account's key, as it is downloaded from the console."""
        return {
            "type": "service_account",
            "private_key_id": "1",
            "private_key": self._private,
            "client_email": EMAIL,
            "token_uri": f"http://{self.host}/token",
        }

    def key_file(self, directory: Path) -> Path:
        file = directory / "key.json"
        file.write_text(json.dumps(self.key()))
        return file

    def granted(self, assertion: str) -> dict[str, Any]:
        """What a signed assertion is answered with.

        Raises:
            ValueError: it is not signed by the account.
        """
        claims = jwt.decode(
            assertion, certs={"1": self._public.decode()}, audience="https://oauth2.googleapis.com/token"
        )
        if audience := claims.get("target_audience"):
            return {"id_token": self.identity(audience)}
        return self.access(claims["scope"])

    def identity(self, audience: str) -> str:
        self.issued.append(audience)
        began = int(self.now.timestamp())
        claims = {"iss": "https://accounts.google.com", "aud": audience, "email": EMAIL, "sub": "1"}
        signer = crypt.RSASigner.from_string(self._private, "1")
        return jwt.encode(signer, {**claims, "iat": began, "exp": began + LIFETIME}).decode()

    def access(self, scopes: str) -> dict[str, Any]:
        self.issued.append(scopes)
        return {"access_token": f"access-{len(self.issued)}", "expires_in": LIFETIME, "token_type": "Bearer"}

    def certificates(self) -> dict[str, str]:
        return {"1": self._public.decode()}

    def let_go(self) -> None:
        self.held.set()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, google: GoogleTokens) -> None:
        self.google = google
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        google = cast("_Server", self.server).google
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        google.held.wait()
        if google.broken:
            self._answer(400, {"error": "invalid_grant", "error_description": "Invalid JWT Signature."})
        else:
            self._answer(200, google.granted(form["assertion"][0]))

    def do_GET(self) -> None:
        google = cast("_Server", self.server).google
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        google.held.wait()
        match url.path.removeprefix("/computeMetadata/v1/").strip("/").split("/"):
            case ["certs"]:
                self._answer(200, google.certificates())
            case ["project", "project-id"]:
                self._answer(200, "project")
            case ["instance", "service-accounts", _]:
                self._answer(200, {"email": EMAIL, "scopes": ["https://www.googleapis.com/auth/cloud-platform"]})
            case ["instance", "service-accounts", _, "identity"]:
                self._answer(200, google.identity(query["audience"]))
            case ["instance", "service-accounts", _, "token"]:
                self._answer(200, google.access(query.get("scopes", "").replace(",", " ")))
            case [""]:
                self._answer(200, "computeMetadata/")
            case _:
                self._answer(404, "")

    def _answer(self, status: int, content: object) -> None:
        text = content if isinstance(content, str) else json.dumps(content)
        self.send_response(status)
        self.send_header("Metadata-Flavor", "Google")
        self.send_header("Content-Type", "application/text" if isinstance(content, str) else "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        pass
