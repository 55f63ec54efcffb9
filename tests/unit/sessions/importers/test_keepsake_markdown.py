"""Our own Markdown export read back: the same roles, texts, times, thinking, calls, results and pictures, whatever stands in them."""

from __future__ import annotations

import base64
import random
from pathlib import Path
from typing import Any

import pytest

from desktop.messages.parts import Message, Part, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.sessions.export import export_session
from desktop.sessions.export_file import export_to
from desktop.sessions.export_words import changes_of, in_document, said
from desktop.sessions.importers import ImportedMessage, list_transcripts, open_transcript
from tests.unit.sessions.make import message, new_handle, store_in

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 2).decode()

PIECES = (
    *("# A heading", "## 3 · Person · 2026-01-01T00:00:00.000Z", "\\# kept", "\\\\## kept", "### three", "```", "````", "~~~", "```python"),
    *("<b>bold</b>", "\\<i>", "\\\\\\<script>", "`<code>` and <tag>", "``a ` b`` <x", "<https://a.example>", "1 < 2", "<!-- a -->"),
    *("<!-- text -->", "<!-- text signs -->", "<!-- end of text -->", "> *Thinking*", ">", "> quoted", "**Read**"),
    "**Result of Read** (error)",
    *("![a picture, 3 KB](x.files/0123456789abcdef.png)", "(a picture, 3 KB)", "**bold** words", "- Session: sess_1", "- [ ] todo", ""),
    *("中文，用 bun。", "\\u{1b}[0m", "\x1b[31mred\x1b[0m", "\u202eturned", "  indented", "trailing  ", "a\tb", "ünï 🙂", "{\"a\": 1}"),
)  # fmt: skip


def known(one: ImportedMessage) -> tuple[Any, ...]:
    """What has to come back."""
    return (
        *(one.role, one.text, one.thinking, one.time, one.hidden, one.pictures),
        [(call.name, call.input) for call in one.tool_calls],
        [(result.name, result.output, result.is_error, result.pictures) for result in one.tool_results],
    )


def both(tmp_path: Path, *messages: Message) -> tuple[Any, Any]:
    """The session out of the Markdown and out of the JSON export."""
    store = store_in(tmp_path)
    handle = new_handle(store)
    for one in messages:
        handle.append(one)
    handle.set_meta("title", "A *title* with `marks` | and [all]")
    handle.close()
    out = tmp_path / "out"
    out.mkdir(exist_ok=True)
    for kind in ("md", "json"):
        export_to(store, handle.id, kind, out / f"chat.{kind}")
    return open_transcript(out / "chat.md"), open_transcript(out / "chat.json")


def test_roles_texts_times_calls_and_results_are_read_back(tmp_path: Path) -> None:
    name, given, output = "Read_file*", {"file_path": "/a", "n": [1, None]}, "port = 1\n\n```\n\x1b[1mx\x1b[0m\n"
    md, js = both(
        tmp_path,
        message("请读一下配置\n\n- a\n- b"),
        message("", "assistant", number=3, parts=(ThinkingPart("hm\n\nso"), TextPart("Reading."), ToolCallPart("c", name, given))),
        message("", "tool", number=4, parts=(ToolResultPart("c", name, output, "error"), ToolResultPart("d", "", ""))),
        message("It is <b>1</b>.\n\n**Read**\n\n```json\n{}\n```", "assistant", number=5),
        message("a reminder", number=6, origin="app"),
    )  # fmt: skip
    assert md.source == js.source == "keepsake-export"
    assert (md.id, md.title, md.workspace, md.started) == (js.id, js.title, js.workspace, js.started)
    assert md.title == "A *title* with `marks` | and [all]"
    assert md.model == js.model == "scripted:demo"
    assert [known(one) for one in md.messages] == [known(one) for one in js.messages]
    assert not md.damage
    call = md.messages[1].tool_calls[0]
    assert md.messages[2].tool_results[0].id == call.id != ""


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_said_comes_back(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)

    def text() -> str:
        made = "\n".join(draw.choice(PIECES) for _ in range(draw.randrange(1, 9)))
        return made.replace("\n", "\r\n") if draw.random() < 0.1 else made

    def parts(role: str) -> tuple[Part, ...]:
        if role == "tool":
            return tuple(
                ToolResultPart("c", draw.choice(("Read", "a_b")), text(), draw.choice(("ok", "error"))) for _ in range(draw.randrange(1, 3))
            )
        if role == "user":
            return (TextPart(text() or "x"),)
        return tuple(spoken(draw.randrange(4)) for _ in range(draw.randrange(1, 5)))

    def spoken(kind: int) -> Part:
        if kind < 2:
            return ThinkingPart(text()) if kind else TextPart(text() or "x")
        return ToolCallPart("c", "Read", {"a": text()}) if kind == 2 else ToolCallPart("d", "Run", {}, "{" + text())

    roles = [draw.choice(("user", "assistant", "tool")) for _ in range(6)]
    md, js = both(tmp_path, *(message("", role, number=n, parts=parts(role)) for n, role in enumerate(roles)))  # type: ignore[arg-type]
    for one, other in zip(md.messages, js.messages, strict=True):
        assert known(one) == known(other), f"seed {seed}"


def test_a_text_is_the_same_after_the_way_there_and_back() -> None:
    for seed in range(2_000):
        draw = random.Random(seed)
        text = "\n".join(
            "".join(draw.choice((*PIECES, "\\", "`", "<", "# ")) for _ in range(draw.randrange(3))) for _ in range(draw.randrange(6))
        )
        shown = in_document(text)
        assert said(shown, changes_of(text, shown)) == text, f"seed {seed}"


def test_a_tag_behind_a_backslash_is_no_tag_either() -> None:
    assert in_document("\\<script>") == "\\\\\\<script>"


def test_pictures_beside_the_document_come_with_it(tmp_path: Path) -> None:
    picture = TextPart("", data={"image": {"media": "image/png", "base64": PNG}})
    md, js = both(tmp_path, message("", number=1, parts=(TextPart("see"), picture)), message("ok", "assistant", number=2))
    assert md.messages[0].pictures == js.messages[0].pictures == (("image/png", PNG),)
    assert md.messages[0].text == "see"
    for file in (tmp_path / "out" / "chat.files").iterdir():
        file.unlink()
    lost = open_transcript(tmp_path / "out" / "chat.md")
    assert not lost.messages[0].pictures
    assert lost.damage


def test_a_picture_elsewhere_is_not_read(tmp_path: Path) -> None:
    both(tmp_path, message("hello"), message("yes", "assistant", number=1))
    place = tmp_path / "out" / "chat.md"
    (tmp_path / "out" / "x.files").mkdir()
    (tmp_path / "secret.png").write_bytes(base64.b64decode(PNG))
    (tmp_path / "out" / "x.files" / "0123456789abcdef.png").symlink_to(tmp_path / "secret.png")
    text = place.read_text(encoding="utf-8")
    for link in ("x.files/0123456789abcdef.png", "..%2Fx.files/0123456789abcdef.png"):
        place.write_text(text.replace("hello", f"![a picture, 3 KB]({link})"), encoding="utf-8")
        assert not open_transcript(place).messages[0].pictures


def test_it_is_listed_with_its_facts_and_a_document_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    both(tmp_path, message("hello"), message("yes", "assistant", number=1))
    [entry] = list_transcripts(tmp_path / "out" / "chat.md")
    assert (entry.source, entry.messages, entry.workspace) == ("keepsake-export", 2, "/srv/demo")
    old = tmp_path / "old.md"
    old.write_text(
        "# T\n\n- Session: sess_1\n- Source: keepsake\n- Workspace: /a\\_b\n- Messages: 2\n\n## 1 · Person · 2026-01-01T00:00:00.000Z\n\n"
        "\\<b> \\# no\n\\# yes\n\n## 2 · Assistant · 2026-01-01T00:00:05.000Z\n\n**Read**\n\n```json\n{\"a\": 1}\n```\n\nDone.\n"
    )  # fmt: skip
    found = open_transcript(old)
    assert (found.id, found.workspace) == ("sess_1", "/a_b")
    assert [(one.role, one.text, [call.input for call in one.tool_calls]) for one in found.messages] == [
        ("user", "<b> \\# no\n# yes", []),
        ("assistant", "Done.", [{"a": 1}]),
    ]


def test_a_cut_document_says_so(tmp_path: Path) -> None:
    both(tmp_path, message("hello"), message("", "tool", number=1, parts=(ToolResultPart("c", "Read", "x\ny"),)))
    place = tmp_path / "out" / "chat.md"
    place.write_text(place.read_text(encoding="utf-8")[:-8], encoding="utf-8")
    found = open_transcript(place)
    assert len(found.messages) == 2
    assert found.damage


def test_the_document_reads_as_before_where_nothing_has_to_be_told(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    handle.append(message("Plain words.\n\n- with a list"))
    handle.close()
    assert "<!--" not in export_session(store.load(handle.id), store.find(handle.id), "md")


HEAD = "# T\n\n- Session: sess_1\n- Source: keepsake\n\n## 1 · Person · 2026-01-01T00:00:00.000Z\n\n"


@pytest.mark.parametrize("piece", ["\\", "\\<b", "`", "<!-- text -->\n", "**a** (b", "> *Thinking*\n", "\x1b\\u{1b}"])
def test_long_repetitions_are_written_and_read_in_linear_time(tmp_path: Path, piece: str) -> None:
    text = (piece * (200_000 // len(piece))).strip()
    shown = in_document(text)
    assert said(shown, changes_of(text, shown)) == text
    place = tmp_path / "chat.md"
    place.write_text(f"{HEAD}{text}\n", encoding="utf-8")
    assert [one.role for one in open_transcript(place).messages] == ["user"]


def test_a_document_of_others_makes_no_sign_that_no_text_holds(tmp_path: Path) -> None:
    place = tmp_path / "chat.md"
    place.write_text(f"{HEAD}<!-- text signs -->\na \\u{{d800}} \\u{{1b}}[0m \\u{{41}}\n<!-- end of text -->\n", encoding="utf-8")
    [one] = open_transcript(place).messages
    assert one.text == "a \\u{d800} \x1b[0m \\u{41}"
    one.text.encode()
