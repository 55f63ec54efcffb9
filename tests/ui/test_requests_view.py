"""The request inspector: the list, the parts of a body, its text for reading and for copying, searching, and a megabyte of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Failure, Operations
from desktop.providers.dump import RequestDumper
from desktop.providers.request_log import LoggedRequest, RequestLog
from desktop.ui import theme
from desktop.ui.inspector.parts import LONGEST, drawn, parts_of, text_of_part
from desktop.ui.inspector.requests_list import rows_of
from desktop.ui.inspector.requests_view import RequestsView
from tests.helpers.clock import FixedClock

BODY: dict[str, Any] = {
    "model": "m",
    "system": "You are careful.\nYou say \\n when you mean it.",
    "messages": [
        {"role": "user", "content": "Good day, 你好 \U0001f600 needle\nsecond line"},
        {"role": "assistant", "content": [{"type": "text", "text": "Needle and \u202e thread"}]},
    ],
    "tools": [{"type": "function", "function": {"name": "Read"}}, {"name": "Write", "input_schema": {}}],
    "max_tokens": 10,
}


def logged(body: Any, **more: Any) -> LoggedRequest:
    log = RequestLog(FixedClock())
    log(more.get("kind", "main"), "a:b", "https://host/v1", body)
    return log.requests()[0]


# --- parts ------------------------------------------------------------------------------------------------------------


def test_the_parts_are_the_keys_of_the_body_its_messages_and_tools() -> None:
    found = [(part.name, part.hint, part.depth) for part in parts_of(logged(BODY))]
    assert found == [
        ("", "", 0),
        ("model", "", 1),
        ("system", "", 1),
        ("messages", "", 1),
        ("messages[0]", "user", 2),
        ("messages[1]", "assistant", 2),
        ("tools", "", 1),
        ("tools[0]", "Read", 2),
        ("tools[1]", "Write", 2),
        ("max_tokens", "", 1),
    ]
    assert all(part.tokens > 0 for part in parts_of(logged(BODY)))


def test_a_part_is_its_json_and_the_whole_is_the_record_of_the_dump(tmp_path: Path) -> None:
    request = logged(BODY)
    assert json.loads(text_of_part(request, "messages[1]")) == BODY["messages"][1]
    assert json.loads(text_of_part(request, "system")) == BODY["system"]
    RequestDumper(tmp_path, FixedClock())("main", "a:b", "https://host/v1", BODY)
    assert text_of_part(request, "") == next(tmp_path.glob("*.json")).read_text(encoding="utf-8").rstrip("\n")
    assert text_of_part(request, "messages[9]") == text_of_part(request, "messages")
    assert text_of_part(request, "nothing") == text_of_part(request, "")


@pytest.mark.parametrize("body", ["no json {", [1, 2], None, 7, {"messages": "text"}, {"a[b]": [{"x": 1}]}])
def test_a_body_of_any_shape_has_its_whole_text(body: Any) -> None:
    request = logged(body)
    for part in parts_of(request):
        assert text_of_part(request, part.name)


def test_line_breaks_are_drawn_as_lines_and_a_written_one_is_left_alone() -> None:
    text = text_of_part(logged(BODY), "system")
    assert drawn(text, lines=False).text == text
    assert drawn(text, lines=True).text.split("\n") == ['"You are careful.', '  You say \\\\n when you mean it."']


def test_no_line_is_longer_than_qt_lays_out_and_nothing_is_lost() -> None:
    text = json.dumps({"a": "x" * 50_000, "b": "短" * 5_000}, ensure_ascii=False)
    shown = drawn(text, lines=True)
    assert max(map(len, shown.lines().split("\n"))) <= LONGEST
    assert shown.lines().replace("\n", "") == text


def test_hits_are_found_over_breaks_wide_characters_and_whatever_their_case() -> None:
    text = "\U0001f600" * 3 + "x" * (LONGEST - 5) + "NeedlE" + "y" * 10 + "needle"
    shown = drawn(text, lines=False)
    whole = shown.lines()
    units = whole.encode("utf-16-le")
    found = shown.find("needle")
    assert [units[2 * a : 2 * b].decode("utf-16-le").replace("\n", "") for a, b in found] == ["NeedlE", "needle"]
    assert shown.find("") == [] and shown.find("(") == []


# --- the view ---------------------------------------------------------------------------------------------------------


class Inspector:
    """A view in a window of its own."""

    def __init__(self, qtbot: QtBot, operations: Operations) -> None:
        self.qtbot = qtbot
        self.log = RequestLog(FixedClock())
        self.failures: list[Failure] = []
        self.view = RequestsView(self.log, operations)
        self.view.failed.connect(self.failures.append)
        qtbot.addWidget(self.view)
        self.view.resize(900, 600)
        self.view.show()

    def until(self, condition: Callable[[], object], what: str) -> None:
        def holds() -> None:
            assert condition(), f"{what} did not come"

        self.qtbot.waitUntil(holds, timeout=10_000)

    def send(self, body: Any, kind: Any = "main") -> None:
        self.log(kind, "a:b", "https://host/v1", body)
        newest = self.log.requests()[0].n
        self.until(lambda: self.view.list.requests.row_of(newest) == 0, "the request in the list")

    @property
    def text(self) -> str:
        return self.view.body.edit.toPlainText()


@pytest.fixture
def inspector(qtbot: QtBot, operations: Operations, dark: theme.Theme) -> Iterator[Inspector]:
    made = Inspector(qtbot, operations)
    yield made
    made.view.dispose()
    assert not made.failures


def test_without_a_request_it_says_what_will_stand_here(inspector: Inspector) -> None:
    view = inspector.view
    inspector.until(lambda: "incognito" in view.page.body.text(), "the page")
    inspector.send(BODY)
    inspector.until(lambda: '"model": "m"' in inspector.text, "the request")
    view.clear.click()
    inspector.until(lambda: view.page.isVisible(), "the page again")


def test_the_newest_stands_first_and_the_one_that_is_read_stays(inspector: Inspector) -> None:
    view = inspector.view
    inspector.send(BODY)
    inspector.until(lambda: "needle" in inspector.text, "the first")
    inspector.send({"messages": []}, "extract")
    model = view.list.requests
    assert model.title(model.rows[0]) == "#2  Extraction"
    assert view.list.currentIndex().row() == 1 and "needle" in inspector.text
    view.list.setFocus()
    QTest.keyClick(view.list, Qt.Key.Key_Up)
    inspector.until(lambda: '"n": 2' in inspector.text, "the second")


def test_a_part_is_chosen_read_and_copied_exactly(inspector: Inspector) -> None:
    view = inspector.view
    inspector.send(BODY)
    inspector.until(lambda: view.part.count() == 10, "the parts")
    view.part.setCurrentIndex(view.part.findData("messages[1]"))
    view.part.activated.emit(view.part.currentIndex())
    inspector.until(lambda: inspector.text.startswith('{\n  "role": "assistant"'), "the part")
    assert "\\u{202e}" in inspector.text
    view.copy.click()
    assert json.loads(QGuiApplication.clipboard().text()) == BODY["messages"][1]
    inspector.send(BODY | {"messages": [BODY["messages"][0], {"role": "tool", "content": "x"}]})
    view.list.setCurrentIndex(view.list.requests.index(0))
    inspector.until(lambda: '"tool"' in inspector.text, "the same part of the other request")


def test_line_breaks_can_be_seen_as_they_are_in_the_dump(inspector: Inspector) -> None:
    inspector.send(BODY)
    inspector.until(lambda: "needle\n" in inspector.text, "the lines")
    inspector.view.lines.click()
    inspector.until(lambda: "needle\\nsecond line" in inspector.text, "the escape")


def test_searching_counts_steps_and_selects(inspector: Inspector) -> None:
    view, body = inspector.view, inspector.view.body
    inspector.send(BODY)
    inspector.until(lambda: "needle" in inspector.text, "the request")
    view.activateWindow()
    body.edit.setFocus()
    QTest.keyClick(body.edit, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert body.search.hasFocus()
    QTest.keyClicks(body.search, "NEEDLE")
    QTest.keyClick(body.search, Qt.Key.Key_Return)
    assert body.count.text() == "1 / 2" and body.edit.textCursor().selectedText() == "needle"
    QTest.keyClick(body.search, Qt.Key.Key_Return)
    assert body.count.text() == "2 / 2" and body.edit.textCursor().selectedText() == "Needle"
    QTest.keyClick(body.search, Qt.Key.Key_Return)
    assert body.count.text() == "1 / 2"
    QTest.keyClick(body.search, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert body.count.text() == "2 / 2" and body.before.isEnabled()
    body.search.setText("nowhere")
    QTest.keyClick(body.search, Qt.Key.Key_Return)
    assert body.count.text() == "No match" and not body.next.isEnabled()
    QTest.keyClick(body.search, Qt.Key.Key_Escape)
    assert body.edit.hasFocus()


def test_megabytes_are_shown_searched_and_copied_whole(inspector: Inspector) -> None:
    one_line = "lorem ipsum dolor " * 60_000
    many_lines = "\n".join(f"line {number} of the file" for number in range(40_000))
    body = {"messages": [{"role": "user", "content": one_line + "needle"}, {"role": "user", "content": many_lines}]}
    inspector.send(body)
    inspector.until(lambda: "line 39999" in inspector.text, "the request")
    inspector.view.body.search.setText("needle")
    inspector.until(lambda: inspector.view.body.count.text() == "1 / 1", "the hit")
    inspector.view.copy.click()
    assert json.loads(QGuiApplication.clipboard().text())["body"] == body


def test_more_than_can_be_shown_is_said_and_copied(inspector: Inspector) -> None:
    body = {"text": "x" * (5 << 20)}
    inspector.send(body)
    inspector.until(lambda: inspector.text.endswith("more characters. Copy gives all of it."), "what is left out")
    inspector.view.copy.click()
    assert json.loads(QGuiApplication.clipboard().text())["body"] == body


def test_rows_say_what_a_screen_reader_needs(inspector: Inspector) -> None:
    inspector.send(BODY)
    index = inspector.view.list.requests.index(0)
    said = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert said.startswith("#1  Chat, ") and "tokens" in said and said.endswith("a:b")
    assert [row.tokens for row in rows_of(inspector.log.requests())] == [inspector.log.requests()[0].tokens()]
    view = inspector.view
    assert all(one.accessibleName() for one in (view.list, view.part, view.copy, view.clear, view.body.edit, view.body.search))
