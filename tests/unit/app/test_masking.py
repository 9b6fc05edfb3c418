"""What is shown of a URL, its password is not."""

import pytest

from app.masking import MASK, mask_secrets


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("postgresql://maria:s3@db.example/work", f"postgresql://maria:{MASK}@db.example/work"),
        ("amqp://:s3@mq.example", f"amqp://:{MASK}@mq.example"),
        ("amqp://maria:s3/s3@s3@mq.example/", f"amqp://maria:{MASK}@mq.example/"),
        ("postgresql:maria:s3@db.example", f"postgresql:{MASK}@db.example"),
        ("maria:s3@proxy.example:8080", f"maria:{MASK}@proxy.example:8080"),
        ("postgresql://db.example/work?password=s3&sslmode=require", f"postgresql://db.example/work?password={MASK}&sslmode=require"),
        ("https://sheets.example/?access_token=s3#top", f"https://sheets.example/?access_token={MASK}#top"),
    ],
)  # fmt: skip
def test_a_password_is_masked_wherever_a_url_may_hold_it(text: str, shown: str) -> None:
    assert mask_secrets(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "sqlite:///mutirao.db",
        "sqlite:///C:/work/mutirao.db",
        "amqp://maria@mq.example:5672/",
        "http://proxy.example:8080",
        "maria",
        "",
    ],
)
def test_what_holds_no_password_is_shown_as_it_is(text: str) -> None:
    assert mask_secrets(text) == text
