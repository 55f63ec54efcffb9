"""Notes and the list of them: one bad file never hides the others, and no link is followed."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.base.errors import KeepsakeError, NotFoundError, RefusedError
from desktop.memory.note import list_notes, read_note
from tests.helpers.data import shared_data


def test_a_note_shows_what_its_header_says(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        "---\nname: build-tool\ndescription: |\n  two\n  lines\nmetadata:\n  type: user\n  created: 2026-01-02T03:04:05Z\n"
        "  modified: 2026-02-03T04:05:06.000Z\n  originSessionId: sess_x\n  originMessageId: msg_x\n  pinned: true\n"
        "  keywords: [构建, build]\n---\n\n# Head\ntext\n"
    )
    note = read_note(tmp_path, "a.md")
    assert (note.name, note.description, note.type) == ("build-tool", "two lines", "user")
    assert note.created == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert note.modified == datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC)
    assert (note.origin_session, note.origin_message, note.pinned, note.problem) == ("sess_x", "msg_x", True, None)
    assert note.hint == "Head"
    assert note.keywords == ("构建", "build")


def test_fields_at_the_top_are_read_too(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\nmodified: 2026-02-03T04:05:06Z\noriginSessionId: sess_y\npinned: true\n---\n")
    note = read_note(tmp_path, "a.md")
    assert note.modified.month == 2
    assert (note.origin_session, note.pinned) == ("sess_y", True)


def test_without_a_header_the_stem_and_the_file_s_time_serve(tmp_path: Path) -> None:
    (tmp_path / "偏好.md").write_text("just text\n")
    os.utime(tmp_path / "偏好.md", (1_000_000_000, 1_000_000_000))
    note = read_note(tmp_path, "偏好.md")
    assert (note.name, note.description, note.type, note.problem) == ("偏好", "", None, None)
    assert note.modified == datetime.fromtimestamp(1_000_000_000, UTC)
    assert note.hint == "just text"


def test_odd_times_are_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\nmetadata:\n  modified: yesterday\n  created: 99999-01-01\n---\n")
    os.utime(tmp_path / "a.md", (-5, -5))
    note = read_note(tmp_path, "a.md")
    assert note.created is None
    assert note.modified.year == 1969


def test_b11_ten_files_four_of_them_broken_are_ten_rows(tmp_path: Path) -> None:
    good = "---\nname: n{0}\ndescription: d\nmetadata:\n  type: user\n---\nbody\n"
    bad = {
        4: "---\nkey: `C:\\agent\\x`\n---\nbody\n",
        5: "---\nA rule that is never closed\n",
        6: "---\ntitle: *Italic*\n---\nbody\n",
        7: "---\nlinks:\n  - [[wikilink]]suffix\n---\nbody\n",
    }
    for number in range(1, 11):
        (tmp_path / f"t{number}.md").write_text(bad.get(number, good.format(number)))
    notes = list_notes(tmp_path)
    assert len(notes) == 10
    assert sorted(note.path for note in notes if note.problem) == ["t4.md", "t5.md", "t6.md", "t7.md"]
    assert all("line" in (note.problem or "line") for note in notes)


def test_the_list_is_nested_newest_first_and_without_the_index(tmp_path: Path) -> None:
    (tmp_path / "topics" / "deep").mkdir(parents=True)
    for number, name in enumerate(["MEMORY.md", "a.md", "topics/b.md", "topics/deep/MEMORY.md", "notes.txt", "UPPER.MD"]):
        (tmp_path / name).write_text("x")
        os.utime(tmp_path / name, (1_000 + number, 1_000 + number))
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.md").write_text("x")
    assert [note.path for note in list_notes(tmp_path)] == ["UPPER.MD", "topics/deep/MEMORY.md", "topics/b.md", "a.md"]


def test_links_folders_pipes_and_odd_names_are_rows_with_a_problem(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    root.mkdir()
    outside = tmp_path / "secret.md"
    outside.write_text("---\nname: secret\n---\n")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "x.md").write_text("x")
    (root / "link.md").symlink_to(outside)
    (root / "dangling.md").symlink_to(tmp_path / "gone.md")
    (root / "folder").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(root / "pipe.md")
    Path(os.fsdecode(os.fsencode(root) + b"/bad\xff.md")).write_text("x")
    (root / "good.md").write_text("x")
    notes = {note.path: note for note in list_notes(root)}
    assert set(notes) == {"link.md", "dangling.md", "pipe.md", "bad\udcff.md", "good.md"}
    assert notes["link.md"].name == "link"
    assert all(note.problem for path, note in notes.items() if path != "good.md")
    assert notes["good.md"].problem is None


def test_a_missing_or_unreadable_folder_has_no_notes(tmp_path: Path) -> None:
    assert list_notes(tmp_path / "nowhere") == []
    (tmp_path / "file").write_text("x")
    assert list_notes(tmp_path / "file") == []


def test_reading_one_note_says_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        read_note(tmp_path, "missing.md")
    with pytest.raises(NotFoundError):
        read_note(tmp_path, "no/folder.md")
    (tmp_path / "link.md").symlink_to("/etc/hostname")
    with pytest.raises(KeepsakeError):
        read_note(tmp_path, "link.md")
    with pytest.raises(RefusedError):
        read_note(tmp_path, "../x.md")


def test_only_the_head_of_a_large_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "big.md").write_text("---\nname: big\n---\n" + "文" * 2_000_000)
    note = read_note(tmp_path, "big.md")
    assert (note.name, note.problem) == ("big", None)
    assert note.size > 5_000_000


def test_real_folders_list_whole() -> None:
    folder = shared_data("real/memories")
    expected = sum(1 for path in folder.rglob("*") if path.is_file() and path.suffix.lower() == ".md")
    assert len(list_notes(folder)) == expected
