"""What keeps a request from being sent, each with its reason and without a secret."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.http_request import HttpRequest, ascii_url, problems

URL = "https://x.example/"


@pytest.mark.parametrize(
    "request_",
    [
        HttpRequest(URL),
        HttpRequest("http://user:pass@x.example:8080/a?b=c&d=%C3%A9#e", "DELETE", {"X-Ü".replace("Ü", "U"): "é\tü"}),
        HttpRequest("http://[::1]:80/", "GET", {"X": ""}),
        HttpRequest("HTTPS://X.EXAMPLE", "HEAD"),
        HttpRequest("http://2130706433/"),
        HttpRequest(URL + "a" * (2083 - len(URL))),
        HttpRequest(URL, headers={"X": "a" * 79_999}),
    ],
    ids=lambda request: request.url[:30],
)
def test_what_can_be_sent_has_no_problem(request_: HttpRequest) -> None:
    assert problems(request_) == []


@pytest.mark.parametrize(
    ("request_", "complaint"),
    [
        (HttpRequest(""), "there is no URL"),
        (HttpRequest("x.example/a"), "must begin with http"),
        (HttpRequest("ftp://x.example/"), "must begin with http"),
        (HttpRequest("file:///etc/passwd"), "must begin with http"),
        (HttpRequest("http:x.example"), "must begin with http"),
        (HttpRequest("http:///a"), "names no host"),
        (HttpRequest("http://:80/"), "names no host"),
        (HttpRequest("http://x.example:0/"), "names no host and port"),
        (HttpRequest("http://x.example:99999/"), "cannot be read"),
        (HttpRequest("http://x.example:port/"), "cannot be read"),
        (HttpRequest("http://[::1/"), "cannot be read"),
        (HttpRequest("http://a!b/"), "names no host"),
        (HttpRequest("https://x.example/a b"), "percent-encode it"),
        (HttpRequest("https://x.example/\r\nHost: evil"), "percent-encode it"),
        (HttpRequest("https://x.example/é"), "percent-encode it"),
        (HttpRequest(URL + "a" * 2083), "2102 characters".replace("2102", str(2083 + len(URL)))),
        (HttpRequest(URL, "BREW"), "method 'BREW'"),
        (HttpRequest(URL, "CONNECT"), "method 'CONNECT'"),
        (HttpRequest(URL, "post"), "method 'post'"),
        (HttpRequest(URL, headers={"X": "a\r\nHost: evil"}), "'X' has a line break"),
        (HttpRequest(URL, headers={"X": "a\n"}), "'X' has a line break"),
        (HttpRequest(URL, headers={"X": "a\x00"}), "'X' has a line break"),
        (HttpRequest(URL, headers={"X": "日本"}), "beyond Latin-1"),
        (HttpRequest(URL, headers={"content-LENGTH": "5"}), "dispatcher's own"),
        (HttpRequest(URL, headers={"": "a"}), "header name ''"),
        (HttpRequest(URL, headers={"a b": "c"}), "header name 'a b'"),
        (HttpRequest(URL, headers={"a:b": "c"}), "header name 'a:b'"),
        (HttpRequest(URL, headers={"a\r\n": "c"}), "header name"),
        (HttpRequest(URL, headers={"X": "a" * 80_000}), "80001 bytes, 80000 are allowed"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_sent_says_why(request_: HttpRequest, complaint: str) -> None:
    (problem,) = problems(request_)
    assert complaint in problem


def test_every_problem_is_told_at_once() -> None:
    assert len(problems(HttpRequest("x", "BREW", {"a b": "\n"}))) == 4


def test_no_secret_is_shown() -> None:
    request = HttpRequest("ftp://me:hush@x.example/a?key=hush#hush", headers={"Authorization": "hush\n"})
    assert "hush" not in " ".join(problems(request))
    assert "hush" not in " ".join(problems(HttpRequest("me:hush@x.example?hush")))


@pytest.mark.parametrize(
    ("url", "encoded"),
    [
        ("https://x.example/a?b=c%20d", "https://x.example/a?b=c%20d"),
        ("https://x.example/ação?q=é ü", "https://x.example/a%C3%A7%C3%A3o?q=%C3%A9%20%C3%BC"),
        ("https://bücher.example:8080/?q={a|b}", "https://xn--bcher-kva.example:8080/?q=%7Ba%7Cb%7D"),
        ("https://mé:pä@bücher.example", "https://m%C3%A9:p%C3%A4@xn--bcher-kva.example"),
        ("http://[::1]/é", "http://[::1]/%C3%A9"),
    ],
)
def test_what_a_url_may_not_hold_is_encoded(url: str, encoded: str) -> None:
    assert ascii_url(url) == encoded
    assert problems(HttpRequest(encoded)) == []


@given(st.text(max_size=80))
def test_encoding_what_is_encoded_changes_nothing(text: str) -> None:
    once = ascii_url(f"https://x.example/{text}")
    assert ascii_url(once) == once
    assert once.isascii()


@given(st.text(max_size=80).map(lambda text: f"http://{text}"), st.text(max_size=9), st.text(max_size=9))
def test_no_request_raises(url: str, name: str, value: str) -> None:
    for spelling in (url, ascii_url(url)):
        assert isinstance(problems(HttpRequest(spelling, "GET", {name: value})), list)
