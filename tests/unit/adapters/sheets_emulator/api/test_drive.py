"""The few calls of Drive."""

import json
from typing import Any

import pytest

from adapters.memory.time import ManualClock
from adapters.sheets_emulator.api.service import Answer, SheetsService

MARIA, JOAO = "maria@x.example", "joao@x.example"


@pytest.fixture
def service() -> SheetsService:
    return SheetsService(ManualClock())


def call(service: SheetsService, method: str, rest: str, body: object = None, *, user: str = MARIA) -> Answer:
    payload = b"" if body is None else json.dumps(body).encode()
    return service.handle(method, f"/drive/v3/files{rest}", payload, user=user)


def made(service: SheetsService, name: str = "Aulas") -> str:
    body: Any = call(service, "POST", "", {"name": name, "mimeType": "application/vnd.google-apps.spreadsheet"}).body
    identifier: str = body["id"]
    return identifier


def listed(service: SheetsService, query: str = "", *, user: str = MARIA) -> list[str]:
    body: Any = call(service, "GET", query, user=user).body
    return [file["name"] for file in body["files"]]


def test_files_are_found_by_name_and_page_by_page(service: SheetsService) -> None:
    for name in ("A", "B", 'say "hi"'):
        made(service, name)
    assert listed(service) == ["A", "B", 'say "hi"']
    assert listed(service, '?q=name+%3D+"B"') == ["B"]
    assert listed(service, '?q=name+%3D+"say+%5C"hi%5C""') == ['say "hi"']
    body: Any = call(service, "GET", "?pageSize=2").body
    assert listed(service, f"?pageSize=2&pageToken={body['nextPageToken']}") == ['say "hi"']


def test_a_file_is_its_owner_s_until_it_is_shared(service: SheetsService) -> None:
    identifier = made(service)
    assert listed(service, user=JOAO) == []
    assert call(service, "GET", f"/{identifier}", user=JOAO).status == 404
    assert service.handle("GET", f"/v4/spreadsheets/{identifier}", user=JOAO).status == 403
    call(service, "POST", f"/{identifier}/permissions", {"type": "user", "role": "reader", "emailAddress": JOAO})
    assert service.handle("GET", f"/v4/spreadsheets/{identifier}", user=JOAO).status == 200
    write = json.dumps({"values": [["x"]]}).encode()
    target = f"/v4/spreadsheets/{identifier}/values/A1?valueInputOption=RAW"
    assert service.handle("PUT", target, write, user=JOAO).status == 403
    assert service.handle("PUT", target, write, user=MARIA).status == 200


def test_sharing_can_be_taken_back(service: SheetsService) -> None:
    identifier = made(service)
    shared: Any = call(service, "POST", f"/{identifier}/permissions", {"type": "anyone", "role": "writer"}).body
    assert listed(service, user=JOAO) == ["Aulas"]
    assert call(service, "DELETE", f"/{identifier}/permissions/{shared['id']}").status == 204
    assert listed(service, user=JOAO) == []


def test_a_copy_has_its_content_and_is_another_file(service: SheetsService) -> None:
    identifier = made(service)
    service.handle("PUT", f"/v4/spreadsheets/{identifier}/values/A1?valueInputOption=RAW", b'{"values": [["x"]]}')
    copied: Any = call(service, "POST", f"/{identifier}/copy", {"name": "Cópia"}).body
    call(service, "DELETE", f"/{identifier}")
    assert listed(service) == ["Cópia"]
    answer = service.handle("GET", f"/v4/spreadsheets/{copied['id']}/values/A1")
    assert isinstance(answer.body, dict)
    assert answer.body["values"] == [["x"]]


def test_a_file_may_be_renamed(service: SheetsService) -> None:
    identifier = made(service)
    call(service, "PATCH", f"/{identifier}", {"name": "Provas"})
    assert listed(service) == ["Provas"]


@pytest.mark.parametrize(
    ("method", "rest"),
    [("DELETE", "/{}/permissions/nobody"), ("GET", "/{}/revisions"), ("GET", "/{}/export?mimeType=application/pdf")],
)
def test_what_drive_does_not_do_here_is_refused(service: SheetsService, method: str, rest: str) -> None:
    assert call(service, method, rest.format(made(service))).status in (400, 404)


def test_csv_goes_in_and_out(service: SheetsService) -> None:
    identifier = made(service)
    service.handle("PUT", f"/upload/drive/v2/files/{identifier}", b'a,"b,c"\r\n1,\r\n')
    assert call(service, "GET", f"/{identifier}/export?mimeType=text/csv").body == b'a,"b,c"\r\n1'


def test_drive_words_its_errors_in_its_own_way(service: SheetsService) -> None:
    assert call(service, "DELETE", "/nowhere").body == {
        "error": {
            "code": 404,
            "message": "File not found: nowhere.",
            "errors": [
                {
                    "message": "File not found: nowhere.",
                    "domain": "global",
                    "reason": "notFound",
                    "locationType": "parameter",
                    "location": "fileId",
                }
            ],
        }
    }


def test_a_mask_holds_here_too(service: SheetsService) -> None:
    identifier = made(service)
    assert call(service, "GET", f"/{identifier}?fields=id,name").body == {"id": identifier, "name": "Aulas"}
