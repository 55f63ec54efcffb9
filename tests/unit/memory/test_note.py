"""Notes and the list of them: one bad file never hides the others, and no link is followed."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from desktop.base.errors import KeepsakeError, NotFoundError, RefusedError
from desktop.memory.note import age_days, count_notes, list_notes, manifest_of, read_note, slug_of
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


def test_fm13_the_manifest_has_every_note_but_the_index_newest_first_and_at_most_two_hundred(tmp_path: Path) -> None:
    for number in range(230):
        folder = tmp_path / f"deep{number % 3}"
        folder.mkdir(exist_ok=True)
        moment = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=number)
        (folder / f"n{number}.md").write_text(
            f"---\ndescription: |\n  two\n  lines {number}\nmetadata:\n  type: user\n  modified: {moment.isoformat()}\n---\nbody\n"
        )
        os.utime(folder / f"n{number}.md", (1_000_000_000 - number, 1_000_000_000 - number))
    (tmp_path / "MEMORY.md").write_text("- [x](x.md)\n")
    lines = manifest_of(list_notes(tmp_path)).split("\n")
    assert len(lines) == 200
    assert lines[0] == "[user] deep1/n229.md (2026-01-10T13:00:00.000Z): two lines 229"
    assert lines[-1] == "[user] deep0/n30.md (2026-01-02T06:00:00.000Z): two lines 30"
    assert manifest_of([]) == ""
    (tmp_path / "deep0" / "n0.md").write_text("---\ntype: recipe\n---\n")
    assert any(line.startswith("[-] deep0/n0.md (") for line in manifest_of(list_notes(tmp_path)).split("\n"))


def test_fm13_a_header_is_read_beyond_its_thirtieth_line_and_up_to_64_kb(tmp_path: Path) -> None:
    for size in (40, 1_000, 64_000):
        filler = "".join(f"k{number}: v\n" for number in range(40)) + f"# {'x' * max(0, size - 400)}\n"
        (tmp_path / "a.md").write_text(f"---\n{filler}name: found\ndescription: at the end\n---\nbody\n")
        note = read_note(tmp_path, "a.md")
        assert (note.name, note.description, note.problem) == ("found", "at the end", None), size
    (tmp_path / "a.md").write_text(f"---\nname: x\n# {'x' * 80_000}\n---\nbody\n")
    assert read_note(tmp_path, "a.md").problem


def test_w29_age_follows_the_header_not_the_file_s_time_and_is_never_negative(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\nmetadata:\n  modified: 2026-01-01T12:00:00Z\n---\n")
    os.utime(tmp_path / "a.md", (2_000_000_000, 2_000_000_000))
    modified = read_note(tmp_path, "a.md").modified
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    for now, days in (
        (noon, 0),
        (noon + timedelta(hours=23), 0),
        (noon + timedelta(days=1), 1),
        (noon + timedelta(days=400, hours=1), 400),
    ):
        assert age_days(modified, now) == days
    for skew in (timedelta(seconds=1), timedelta(days=366), noon - datetime(1970, 1, 1, tzinfo=UTC)):
        assert age_days(modified, noon - skew) == 0


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("Build tool", "build-tool"),
        ("构建工具", "构建工具"),
        ("构建 工具：bun（快）", "构建-工具-bun-快"),
        ("ＢＵＮ　１２", "bun-12"),
        ("Ünïcode straße", "ünïcode-strasse"),
        ("हिन्दी में", "हिन्दी-में"),
        ("עברית ועוד", "עברית-ועוד"),
        ("a/b\\c:d*e?f", "a-b-c-d-e-f"),
        ("../../etc/passwd", "etc-passwd"),
        ("a\u200bb\u202ec\x00d\ne", "a-b-c-d-e"),
        ("🎉", ""),
        ("---", ""),
        ("", ""),
        ("x" * 300, "x" * 80),
        ("中" * 300, "中" * 66),
    ],
)
def test_fm02_a_name_in_any_script_makes_a_file_name(name: str, stem: str) -> None:
    assert slug_of(name) == stem
    assert slug_of(stem) == stem
    assert len(stem.encode()) <= 200


def test_notes_are_counted_without_being_read(tmp_path: Path) -> None:
    (tmp_path / "m" / "deep").mkdir(parents=True)
    for name in ("MEMORY.md", "a.md", "deep/MEMORY.md", "deep/b.MD", "c.txt"):
        (tmp_path / "m" / name).write_text("x")
    os.mkfifo(tmp_path / "m" / "pipe.md")
    (tmp_path / "link").symlink_to(tmp_path / "m")
    assert count_notes(tmp_path / "m") == 4
    assert count_notes(tmp_path / "m", most=1) == 1
    assert count_notes(tmp_path / "link") == count_notes(tmp_path / "nowhere") == 0
