"""What the core says reaches the Chinese window in Chinese: failures, questions, notices, ends of turns, results of a stored transcript."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from desktop.agent.calls import error_result
from desktop.agent.load_report import SlotItem, SlotReport
from desktop.agent.slash import about_memory, about_session
from desktop.base.errors import ConflictError, KeepsakeError, ProviderError, StorageError
from desktop.base.phrases import Phrase, listed, os_reason, say, together
from desktop.bridge.operations import Failure
from desktop.bridge.spoken import sentences, spoken
from desktop.memory.gate import GateRequest, check
from desktop.memory.switches import MemoryState
from desktop.messages.codec import message_from_json, message_to_json
from desktop.messages.events import ApprovalRequest, Notice, TurnEnded
from desktop.messages.parts import Message, ToolCallPart
from desktop.messages.usage import Usage
from desktop.permissions.access import Access
from desktop.permissions.grants import Grants
from desktop.permissions.modes import decide
from desktop.ui import i18n
from desktop.ui.chat.approval_card import ApprovalCard
from desktop.ui.chat.notice_card import NoticeCard, ended_card, notice_card
from desktop.ui.chat.tool_card import ToolCard, said_output
from desktop.ui.settings.entries import entries

LATIN_WORDS = re.compile(r"[a-z]{3,} [a-z]{2,} [a-z]{2,}")


@pytest.fixture(autouse=True)
def chinese(qapp: object) -> Iterator[None]:
    i18n.install("zh_CN")
    yield
    i18n.install("en")


def texts(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel))


def test_a_failure_is_translated_with_its_reason() -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    error = StorageError(say("{path} could not be saved ({reason}).", path="/a.md", reason=os_reason(full)), hint=say("Free some space."))
    assert Failure.of(error).text() == "/a.md 无法保存（磁盘空间已满）。请释放一些空间。"


def test_what_nobody_translated_stays_as_it_is() -> None:
    assert spoken("a server's own words") == "a server's own words"
    assert spoken(say("A sentence without its Chinese: {n}", n=1)) == "A sentence without its Chinese: 1"
    assert Failure.of(ValueError("odd")).message == "odd"


def test_lists_and_sentences_have_chinese_marks() -> None:
    assert spoken(listed([say("private key"), "x"])) == "私钥、x"
    assert spoken(together(say("Try again."), say("Wait a moment."))) == "请重试。请稍候。"
    assert sentences("one.", "", "two.") == "one. two."


def test_what_a_command_answers_has_chinese_marks_throughout() -> None:
    off = MemoryState(False, say("Memory is off for this folder."), False, "", "off")
    assert spoken(about_memory._state_text(off)) == "**这里的记忆已关闭。** 不读取、不写入、不发送任何内容。此文件夹的记忆已关闭。"
    assert (
        spoken(together(say("**Memory is on, but nothing is written to it.**"), say("Try again."))) == "**记忆已打开，但不写入。**请重试。"
    )
    slot = SlotReport("B", say("Start of the chat"), 20, (SlotItem("a.md", tokens=10), SlotItem("b.md", tokens=10), _missing()))
    shown = spoken(about_session._slot_items(slot))
    assert "a.md 10、b.md 10" in shown and "已省略：尚不存在。" in shown
    assert re.search(r"[\u4e00-\u9fff](?:[,;:!?]|\. |[。，；：] )", shown) is None, (
        "no half-width mark, and no room behind a full-width one"
    )


def _missing() -> SlotItem:
    return SlotItem("c.md", state="left-out", reason=say("There is none yet."))


def test_a_question_says_why_in_chinese(qtbot: QtBot, tmp_path: Path) -> None:
    target = Path("/etc/hosts")
    access = Access("Write", "write", target, "x", note=say("{asked} leads through a link to {real}.", asked="/l", real=target))
    decision = decide(access, mode="default", workspace=tmp_path, memory_root=None, grants=Grants())
    call = ToolCallPart("c1", "Write", {"file_path": "/etc/hosts"})
    request = ApprovalRequest("c1", call, say("Replace {path}", path=target), str(target), "x", None, decision.reason, decision.rule)
    holder = QWidget()
    qtbot.addWidget(holder)
    card = ApprovalCard(holder, request)
    shown = texts(card)
    assert "替换 /etc/hosts" in shown and "在工作区" in shown and "经由链接指向" in shown
    assert LATIN_WORDS.search(shown) is None
    assert decision.rule == "write.outside"


def test_a_retry_and_its_error(qtbot: QtBot) -> None:
    message = say("{label} says: too many requests.", label="Anthropic")
    text = say("{message} Trying again in {wait:.0f} s ({attempt} of {retries}).", message=message, wait=20.0, attempt=1, retries=5)
    holder = QWidget()
    qtbot.addWidget(holder)
    values = {"wait_s": 20.0, "attempt": 1, "retries": 5, "error": "rate_limit", "message": message}
    card = notice_card(holder, Notice("warning", "provider.retry", text, values))
    assert "请求过多" in card.label.text() and "20" in card.label.text()
    assert LATIN_WORDS.search(card.label.text()) is None


@pytest.mark.parametrize(
    "error",
    [
        ProviderError("auth", say("There is no key for {label}.", label="OpenAI"), hint=say("Paste the whole key.")),
        KeepsakeError(say("The turn reached its limit of {steps} steps.", steps=50), hint=say("Continue in a new chat.")),
    ],
)
def test_the_end_of_a_turn(qtbot: QtBot, error: KeepsakeError) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    card = ended_card(holder, TurnEnded("error", Usage(), {"message": error.message, "hint": error.hint, "detail": ""}))
    assert isinstance(card, NoticeCard)
    assert LATIN_WORDS.search(texts(card)) is None and re.search("[\u4e00-\u9fff]", texts(card))


def test_a_refusal_of_the_gate_is_chinese_also_from_a_stored_transcript(qtbot: QtBot) -> None:
    secret = "gh" + "p_" + "a1B2" * 9
    verdict = check(GateRequest("main", "write", "a.md", f"token {secret}", MemoryState(True, "", True, "", "auto")))
    call = ToolCallPart("c1", "Write", {"file_path": "a.md"})
    result = error_result(call, ConflictError(verdict.reason, hint=verdict.hint).text())
    assert result.output.startswith("The text holds what looks like a secret (GitHub token)")
    now = datetime.now(UTC)
    stored = json.loads(json.dumps(message_to_json(Message("m1", "tool", (result,), now, None, origin="tool"))))
    again = message_from_json(stored).tool_results[0]
    assert said_output(again).startswith("文本中有看起来像机密的内容（GitHub 令牌）")
    holder = QWidget()
    qtbot.addWidget(holder)
    card = ToolCard(holder, call, again)
    assert card.row.is_open


def test_every_setting_has_words_of_its_own() -> None:
    """The schema's English line is shown only for a key that the page does not know."""
    assert [entry.key for entry in entries() if entry.title == entry.key] == []
    assert [entry.key for entry in entries() if re.search("[\u4e00-\u9fff]", entry.title + entry.description) is None] == []


def test_a_phrase_stays_a_phrase_through_an_error() -> None:
    assert isinstance(StorageError(say("Try again.")).message, Phrase)
