"""A person at the page, in a real browser."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from adapters.memory.time import ManualClock
from adapters.sheets_emulator.person import Person
from adapters.sheets_emulator.server import EmulatorServer


@pytest.fixture
def opened(clock: ManualClock) -> Iterator[EmulatorServer]:
    with EmulatorServer(clock) as server:
        server.create("Aulas", identifier="aulas")
        yield server


@pytest.fixture
def person(opened: EmulatorServer) -> Person:
    """Who edits in the back, while the page is open."""
    person = opened.person("aulas")
    for row in (["ID", "N"], ["b", "2"], ["a", "1"]):
        person.append("Sheet1", *row)
    person.add_tab("Notas")
    return person


class Page:
    """The page, as a person sees it and acts on it."""

    def __init__(self, browser: Any, url: str) -> None:
        self.browser = browser
        browser.get(url)
        self.until(lambda: self.cell("A1") == "ID")

    def until(self, holds: Callable[[], bool]) -> None:
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.browser, 20, poll_frequency=0.05).until(lambda _browser: holds())

    def cell(self, place: str) -> str | None:
        find = "return document.querySelector(`[data-place=${arguments[0]}]`)?.textContent"
        text: str | None = self.browser.execute_script(find, place)
        return text

    def shows(self, *rows: str) -> None:
        """Wait until the first column reads so."""
        self.until(lambda: [self.cell(f"A{n}") for n, _ in enumerate(rows, 1)] == list(rows))

    def select(self, place: str) -> None:
        self.browser.find_element("css selector", f"[data-place={place}]").click()

    def press(self, button: str) -> None:
        self.browser.find_element("id", button).click()

    def type(self, *keys: str) -> None:
        self.browser.switch_to.active_element.send_keys(*keys)

    def tabs(self) -> list[str]:
        read = "return [...document.querySelectorAll('#tabs button')].map((tab) => tab.textContent)"
        titles: list[str] = self.browser.execute_script(read)
        return titles


@pytest.fixture
def page(opened: EmulatorServer, person: Person, browser: Any) -> Iterator[Page]:
    page = Page(browser, opened.url)
    yield page
    complaints = [one for one in browser.get_log("browser") if one["source"] != "network"]
    browser.get("about:blank")
    assert not complaints


def test_a_cell_is_edited_where_it_stands(page: Page, person: Person) -> None:
    page.select("A2")
    page.type("novo", "\n")
    page.until(lambda: person.rows("Sheet1")[1] == ["novo", "2"])
    page.shows("ID", "novo", "a")


def test_what_others_write_appears_by_itself(page: Page, person: Person) -> None:
    person.type("Sheet1", "A4", "CLAIMED k.0 maria-7b21")
    page.shows("ID", "b", "a", "CLAIMED k.0 maria-7b21")


def test_an_edit_of_a_cell_that_moved_meanwhile_is_not_written(page: Page, person: Person) -> None:
    page.select("A2")
    page.type("n", "ovo")
    person.sort("Sheet1", 1)
    page.type("\n")
    page.until(lambda: "moved meanwhile" in page.browser.find_element("id", "toast").text)
    assert person.rows("Sheet1") == [["ID", "N"], ["a", "1"], ["b", "2"]]


def test_rows_and_columns_are_inserted_and_deleted(page: Page, person: Person) -> None:
    page.select("A2")
    page.press("insert-row")
    page.shows("ID", "", "b", "a")
    page.press("insert-column")
    page.until(lambda: person.rows("Sheet1")[0] == ["", "ID", "N"])
    page.press("delete-row")
    page.press("delete-column")
    page.until(lambda: person.rows("Sheet1") == [["ID", "N"], ["b", "2"], ["a", "1"]])


def test_a_column_is_sorted_below_its_header(page: Page, person: Person) -> None:
    page.select("B1")
    page.press("sort-up")
    page.shows("ID", "a", "b")
    page.press("sort-down")
    page.shows("ID", "b", "a")
    assert person.rows("Sheet1")[0] == ["ID", "N"]


def test_a_tab_is_added_and_shown_empty(page: Page, person: Person) -> None:
    assert page.tabs() == ["Sheet1", "Notas"]
    page.press("add-tab")
    page.until(lambda: page.tabs() == ["Sheet1", "Notas", "Sheet3"])
    page.shows("")
    assert [sheet.title for sheet in person.book.sheets] == ["Sheet1", "Notas", "Sheet3"]


def test_only_the_rows_in_sight_of_a_long_sheet_are_there(page: Page, person: Person) -> None:
    person.type("Sheet1", "A20000", "the last")
    page.until(lambda: page.browser.execute_script("return document.querySelector('.sheet').clientHeight") > 400_000)
    page.browser.execute_script("document.getElementById('grid').scrollTo(0, 1e7)")
    page.until(lambda: page.cell("A20000") == "the last")
    assert page.browser.execute_script("return document.querySelectorAll('.row').length") < 100


def test_what_google_would_refuse_is_said(page: Page, person: Person) -> None:
    grid = {"properties": {"sheetId": 0, "gridProperties": {"rowCount": 1}}, "fields": "gridProperties.rowCount"}
    person.do({"updateSheetProperties": grid})
    page.until(lambda: page.cell("A2") is None)
    page.press("delete-row")
    page.until(lambda: "You can't delete all the rows" in page.browser.find_element("id", "toast").text)
