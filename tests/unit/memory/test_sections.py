"""Loading the person's own memory (a document with topics) and the single workspace file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.base.words import estimate_tokens
from desktop.memory.index import WARNING_MARK
from desktop.memory.sections import load_sections, load_single


def topic(root: Path, name: str, body: str, day: int = 1, *, pinned: bool = False) -> None:
    pin = "  pinned: true\n" if pinned else ""
    (root / f"{name}.md").write_text(f"---\nname: {name}\nmetadata:\n{pin}  modified: 2026-01-{day:02}T00:00:00Z\n---\n\n{body}\n")


def body_of(text: str) -> str:
    return text.split(f"\n\n{WARNING_MARK}")[0]


def test_the_document_whole_then_the_newest_topics(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("# About me\n\nI review in the morning.\n")
    topic(tmp_path, "old", "old body", 1)
    topic(tmp_path, "new", "new body", 9)
    topic(tmp_path, "kept", "kept body", 2, pinned=True)
    loaded = load_sections(tmp_path)
    topics = "## kept (kept.md)\n\nkept body\n\n## new (new.md)\n\nnew body\n\n## old (old.md)\n\nold body"
    assert loaded.text == f"# About me\n\nI review in the morning.\n\n{topics}"
    assert (loaded.state, loaded.entries, loaded.truncated, loaded.dropped) == ("ok", 3, False, ())
    assert loaded.whole
    assert loaded.tokens <= 6_000


def test_missing_empty_and_topics_alone(tmp_path: Path) -> None:
    assert load_sections(tmp_path / "nowhere").state == "missing"
    assert load_sections(tmp_path).state == "missing"
    (tmp_path / "MEMORY.md").write_text("<!-- nothing yet -->\n")
    assert load_sections(tmp_path).state == "empty"
    topic(tmp_path, "a", "body")
    assert load_sections(tmp_path).text == "## a (a.md)\n\nbody"


def test_what_has_no_room_is_named_and_the_newest_stays(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("word " * 200)
    for day in range(1, 21):
        topic(tmp_path, f"t{day:02}", f"fact {day} " + "word " * 40, day)
    loaded = load_sections(tmp_path, tokens=600)
    assert loaded.truncated
    assert estimate_tokens(body_of(loaded.text)) <= 600
    assert "## t20" in loaded.text
    assert "t01" in loaded.dropped
    assert "t01" in loaded.text.split(WARNING_MARK)[1]
    assert "of 600 tokens" in (loaded.limit or "")
    assert loaded.entries + len(loaded.dropped) == 20


def test_one_long_topic_does_not_push_out_the_others(tmp_path: Path) -> None:
    topic(tmp_path, "long", "\n".join("words of it" for _ in range(3_000)), 9)
    topic(tmp_path, "short", "short body", 1)
    loaded = load_sections(tmp_path, tokens=1_000)
    assert "short body" in loaded.text
    assert "## long" in loaded.text
    assert loaded.dropped == ("long (its end)",)
    assert loaded.tokens <= 1_000


def test_a_document_over_the_budget_keeps_its_head(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("\n".join(f"line {n} 中文" for n in range(2_000)))
    topic(tmp_path, "a", "body")
    loaded = load_sections(tmp_path, tokens=500)
    assert loaded.text.startswith("line 0 中文\nline 1 中文")
    assert not loaded.whole
    assert loaded.tokens <= 500
    assert any("MEMORY.md" in name for name in loaded.dropped)


def test_one_bad_file_hides_no_other(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").mkdir()
    topic(tmp_path, "good", "good body")
    (tmp_path / "bad.md").write_bytes(b"---\nname: [\n---\n\xff\xfe\x00 bytes")
    (tmp_path / "link.md").symlink_to("/etc/hostname")
    loaded = load_sections(tmp_path)
    assert loaded.state == "ok"
    assert "good body" in loaded.text
    assert loaded.error
    assert any("MEMORY.md" in name for name in loaded.dropped)
    assert any("link.md" in name for name in loaded.dropped)
    loaded.text.encode()


@settings(max_examples=80, deadline=None)
@given(
    document=st.text(st.sampled_from("ab 中\n#-[]"), max_size=600),
    bodies=st.lists(st.text(st.sampled_from("ab 中\n"), max_size=300), max_size=8),
    tokens=st.integers(8, 400),
)
def test_no_memory_ever_goes_over_its_tokens(
    tmp_path_factory: pytest.TempPathFactory, document: str, bodies: list[str], tokens: int
) -> None:
    root = tmp_path_factory.mktemp("sections")
    (root / "MEMORY.md").write_text(document)
    for number, body in enumerate(bodies):
        topic(root, f"t{number}", body, number + 1)
    loaded = load_sections(root, tokens=tokens)
    assert loaded.tokens <= tokens
    assert estimate_tokens(body_of(loaded.text)) <= tokens
    if not loaded.truncated and loaded.state == "ok":
        assert all(body.strip() in loaded.text for body in bodies)


# the single file


def test_a_single_file_is_shown_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_bytes("\ufeff---\r\nname: x\r\n---\r\n<!-- c -->\r\nfact\r\n".encode())
    loaded = load_single(tmp_path)
    assert loaded.text == "---\nname: x\n---\n<!-- c -->\nfact"
    assert loaded.whole
    assert not loaded.truncated
    assert load_single(tmp_path / "nowhere").state == "missing"
    (tmp_path / "MEMORY.md").write_text(" \n")
    assert load_single(tmp_path).state == "empty"


@pytest.mark.parametrize("letter", ["x", "é", "中", "🦊", "x\n"])
@pytest.mark.parametrize("over", [-4, -1, 0, 1, 2, 3, 4, 5_000])
def test_fm12_text_and_mark_stay_within_32_kb_on_a_character_boundary(tmp_path: Path, letter: str, over: int) -> None:
    size = 32 * 1024 + over
    text = (letter * (size // len(letter.encode()) + 1)).encode()[:size].decode(errors="ignore").ljust(1)
    text = text + "x" * (size - len(text.encode()))
    (tmp_path / "MEMORY.md").write_bytes(text.encode())
    loaded = load_single(tmp_path)
    assert len(loaded.text.encode()) <= 32 * 1024
    assert "\ufffd" not in loaded.text
    if len(text.strip().encode()) <= 32 * 1024:
        assert loaded.text == text.strip()
    else:
        assert "truncated at 32KB" in loaded.text
        assert text.startswith(body_of(loaded.text))
        assert len(loaded.text.encode()) > 32 * 1024 - 4
        assert not loaded.whole


def test_errors_and_giant_files_are_bounded(tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_text("head\n")
    os.truncate(path, 1 << 30)
    loaded = load_single(tmp_path)
    assert loaded.text.startswith("head\n")
    assert len(loaded.text.encode()) <= 32 * 1024
    path.unlink()
    path.symlink_to("/etc/hostname")
    assert load_single(tmp_path).state == "error"
    assert load_sections(tmp_path).state == "error"
    for size in (0, 1, 10, 150):
        path.unlink()
        path.write_text("中" * 400)
        assert len(load_single(tmp_path, bytes=size).text.encode()) <= size
