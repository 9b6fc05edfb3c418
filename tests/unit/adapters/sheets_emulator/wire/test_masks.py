"""Field masks."""

import pytest

from adapters.sheets_emulator.wire.masks import masked, merged, names, parse_mask

BODY = {"id": 1, "sheets": [{"properties": {"title": "A", "index": 0}, "data": [{}]}, {"properties": {"title": "B"}}]}


@pytest.mark.parametrize(
    ("mask", "kept"),
    [
        ("*", BODY),
        ("", BODY),
        ("id", {"id": 1}),
        ("sheets.properties.title", {"sheets": [{"properties": {"title": "A"}}, {"properties": {"title": "B"}}]}),
        ("sheets/properties/title", {"sheets": [{"properties": {"title": "A"}}, {"properties": {"title": "B"}}]}),
        ("id,sheets(data)", {"id": 1, "sheets": [{"data": [{}]}, {}]}),
        (
            "sheets(properties(title),data)",
            {"sheets": [{"properties": {"title": "A"}, "data": [{}]}, {"properties": {"title": "B"}}]},
        ),
        (
            "sheets.properties.title,sheets.data",
            {"sheets": [{"properties": {"title": "A"}, "data": [{}]}, {"properties": {"title": "B"}}]},
        ),
        (
            "sheets.properties,sheets.properties.title",
            {"sheets": [{"properties": {"title": "A", "index": 0}}, {"properties": {"title": "B"}}]},
        ),
        ("sheets.*", {"sheets": BODY["sheets"]}),
        ("nothing", {}),
    ],
)
def test_an_answer_is_reduced_to_what_the_mask_names(mask: str, kept: object) -> None:
    assert masked(BODY, parse_mask(mask)) == kept


@pytest.mark.parametrize(
    ("mask", "path", "named"),
    [
        ("*", "note", True),
        ("note", "note", True),
        ("userEnteredValue.stringValue", "userEnteredValue", True),
        ("user_entered_value", "userEnteredValue", True),
        ("sheets", "sheets.data", True),
        ("sheets.properties", "sheets.data", False),
        ("note", "userEnteredValue", False),
    ],
)
def test_a_mask_names_what_is_above_and_below(mask: str, path: str, named: bool) -> None:
    assert names(parse_mask(mask), path) is named


def test_an_update_takes_what_the_mask_names_and_clears_what_is_not_given() -> None:
    old = {"a": {"x": 1, "y": 2}, "b": 3}
    assert merged(old, {"a": {"x": 9}}, parse_mask("a.x,b")) == {"a": {"x": 9, "y": 2}}
    assert merged(old, {"c": 1}, parse_mask("*")) == {"c": 1}
    assert merged(None, {"a": {"x": 9}}, parse_mask("a.x")) == {"a": {"x": 9}}
