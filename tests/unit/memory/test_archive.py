"""Export and import: every byte, name and time comes back; what is there already is never lost; index and undo work."""

from __future__ import annotations

import io
import json
import os
import random
import stat
import tracemalloc
import unicodedata
import zipfile
from pathlib import Path

import pytest

from desktop.base.errors import ConflictError, RefusedError, StorageError, UsageError
from desktop.memory.archive import export_memory, import_memory
from desktop.memory.journal import ChangeOrigin
from desktop.memory.roots import foreign_root, user_root, workspace_root
from desktop.memory.store import MemoryStore
from desktop.memory.tombstones import forgotten
from tests.helpers.seeds import drawn_seed
from tests.unit.memory.conftest import MAIN, PERSON, Desk, make_desk, note_text

NAMES = [
    "构建工具",
    "部署 说明",
    "🦊-fox",
    "👩\u200d💻",
    "שלום עולם",
    "مرحبا",
    "é-combining",
    "naïve",
    "ß",
    "Ünï",
    "a b (2)",
    "x'y",
    "日本語",
    "हिन्दी",
]
FOLDERS = ["", "", "sub/", "项目/", "a b/c/", "🦊/שלום/"]


def tree(root: Path) -> dict[str, tuple[bytes, int]]:
    """Path → bytes and time of last change of every Markdown file."""
    return {
        path.relative_to(root).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.suffix == ".md"
    }


def body(rng: random.Random) -> bytes:
    text = "\n".join(
        rng.choice(["事实", "a fact", "🦊 fox", "שלום", "x" * 300, "", "---", "[[a]]", "\t"]) for _ in range(rng.randrange(12))
    )
    kind = rng.randrange(9)
    if kind == 0:
        return b""
    if kind == 1:
        return b"\xef\xbb\xbf" + text.encode()
    if kind == 2:
        return text.replace("\n", "\r\n").encode()
    if kind == 3:
        return b"\xff\xfe" + text.encode("utf-16-le")
    if kind == 4:
        return rng.randbytes(rng.randrange(1, 5_000))
    if kind == 5:
        return b"\x00" * rng.randrange(1, 400_000)
    if kind == 6:
        return note_text("n", text or "x").encode()
    return text.encode() + rng.choice([b"", b"\n", b"\r", b"\xff\xfe\xfd"])


def grown(root: Path, rng: random.Random, count: int) -> None:
    """Random files of every kind."""
    taken: set[str] = set()
    for number in range(count):
        path = f"{rng.choice(FOLDERS)}{rng.choice(NAMES)}-{number}.md"
        path = unicodedata.normalize("NFD", path) if rng.random() < 0.5 else path
        folder = unicodedata.normalize("NFC", path).rpartition("/")[0]
        path = f"{folder}/{path.rpartition('/')[2]}" if folder else path.rpartition("/")[2]
        if unicodedata.normalize("NFC", path) in taken:
            continue
        taken.add(unicodedata.normalize("NFC", path))
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(body(rng))
        os.utime(place, ns=(1, rng.randrange(0, 4_000_000_000) * 1_000_000_000 + rng.randrange(1_000_000_000)))


def exported(desk: Desk) -> io.BytesIO:
    stream = io.BytesIO()
    report = export_memory(desk.store, stream)
    assert report.skipped == ()
    stream.seek(0)
    return stream


def test_random_trees_come_back_byte_for_byte_with_their_times(tmp_path: Path) -> None:
    seed = drawn_seed()
    rng = random.Random(seed)
    for round_number in range(4):
        one, two = make_desk(tmp_path / f"one{round_number}"), make_desk(tmp_path / f"two{round_number}")
        grown(one.root, rng, 15)
        if round_number:
            one.add("last.md", "a last one, which makes an index")
            index = one.root / "MEMORY.md"
            os.utime(index, ns=(1, 1_234_567_890_123_456_789))
        before = tree(one.root)
        report = import_memory(two.store, exported(one), origin=PERSON)
        after = tree(two.root)
        assert {path: entry for path, entry in after.items() if path in before} == before
        assert after.keys() - before.keys() <= {"MEMORY.md"}
        assert set(report.written) == before.keys()
        assert tree(one.root) == before
        again = import_memory(two.store, exported(one), origin=PERSON)
        assert again.written == ()
        assert again.change is None
        assert set(again.same) == before.keys()
        assert tree(two.root) == after


def test_an_exported_import_is_the_same_archive(desk: Desk, tmp_path: Path) -> None:
    grown(desk.root, random.Random(7), 20)
    desk.add("last.md", "a last one, which makes an index")
    first = exported(desk)
    two = make_desk(tmp_path / "two")
    import_memory(two.store, first, origin=PERSON)
    second = exported(two)
    with zipfile.ZipFile(first) as a, zipfile.ZipFile(second) as b:
        assert a.namelist() == b.namelist()
        for name in a.namelist():
            if name != "keepsake.json":
                assert a.read(name) == b.read(name)
                assert a.getinfo(name).date_time == b.getinfo(name).date_time
        assert json.loads(a.read("keepsake.json"))["files"] == json.loads(b.read("keepsake.json"))["files"]


def test_the_form_of_an_archive(desk: Desk, tmp_path: Path) -> None:
    desk.add("a.md", "one")
    os.umask(old := os.umask(0))
    target = tmp_path / "out.zip"
    report = export_memory(desk.store, target)
    assert (report.files, report.bytes) == (2, sum(len(data) for data, _ in tree(desk.root).values()))
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix in (".tmp", ".zip")) == ["out.zip"]
    with zipfile.ZipFile(target) as archive:
        assert archive.namelist() == ["MEMORY.md", "a.md", "keepsake.json"]
        manifest = json.loads(archive.read("keepsake.json"))
    assert manifest["schema"] == 1
    assert manifest["root"] == {"id": "project", "kind": "project", "profile": "index", "label": desk.project.label}
    assert set(manifest["files"]) == {"MEMORY.md", "a.md"}
    os.umask(old)


def test_an_export_replaces_in_one_step_or_not_at_all(desk: Desk, tmp_path: Path) -> None:
    desk.add("a.md", "one")
    target = tmp_path / "out.zip"
    target.write_bytes(b"older")
    with pytest.raises(StorageError):
        export_memory(desk.store, tmp_path / "missing" / "out.zip")
    export_memory(desk.store, target)
    assert zipfile.is_zipfile(target)


def test_what_cannot_be_in_an_archive_is_named_and_the_rest_goes(desk: Desk) -> None:
    desk.add("good.md", "one")
    (desk.root / "link.md").symlink_to("good.md")
    (desk.root / "UPPER.MD").write_text("x")
    (desk.root / "hooks").mkdir()
    (desk.root / "hooks" / "x.md").write_text("x")
    (desk.root / "big.md").write_bytes(b"x" * ((5 << 20) + 1))
    (desk.root / "zip.md").write_bytes(b"PK\x03\x04 rest")
    (desk.root / unicodedata.normalize("NFD", "café.md")).write_text("a")
    (desk.root / "café.md").write_text("b")
    (desk.root / "pipe.txt").write_text("not memory")
    stream = io.BytesIO()
    report = export_memory(desk.store, stream)
    assert {path for path, _ in report.skipped} == {"link.md", "UPPER.MD", "hooks/x.md", "big.md", "zip.md", "café.md"}
    assert all(reason for _, reason in report.skipped)
    two = make_desk(desk.root.parents[3] / "two")
    stream.seek(0)
    import_memory(two.store, stream, origin=PERSON)
    assert "good.md" in tree(two.root)


# conflicts


def other(tmp_path: Path) -> Desk:
    two = make_desk(tmp_path / "two")
    two.add("a.md", "ours, another text", name="mine")
    two.add("only.md", "only here")
    return two


def source(desk: Desk) -> io.BytesIO:
    desk.add("a.md", "theirs", name="A")
    desk.add("b.md", "brand new", name="B")
    index = desk.store.read("MEMORY.md")
    worded = index.text.replace("- [B](b.md) — brand new", "- [B, in other words](b.md)")
    desk.store.write("MEMORY.md", worded, base_digest=index.digest, origin=PERSON)
    return exported(desk)


def test_both_are_kept_and_the_new_name_is_told(desk: Desk, tmp_path: Path) -> None:
    two = other(tmp_path)
    before, index = tree(two.root), two.index()
    report = import_memory(two.store, source(desk), origin=PERSON)
    assert report.renamed == (("a.md", "a-2.md"),)
    assert any("a-2.md" in line for line in report.warnings)
    assert two.store.read("a-2.md").data == desk.store.read("a.md").data
    assert tree(two.root)["a.md"] == before["a.md"]
    assert two.index() == index + "- [B, in other words](b.md)\n- [A](a-2.md) — theirs\n"
    assert report.change is not None
    two.store.undo(report.change.id)
    assert {path: data for path, (data, _) in tree(two.root).items()} == {path: data for path, (data, _) in before.items()}


def test_skip_keeps_ours_and_replace_takes_theirs(desk: Desk, tmp_path: Path) -> None:
    archive = source(desk)
    one = other(tmp_path)
    report = import_memory(one.store, archive, origin=PERSON, on_conflict="skip")
    assert (report.skipped, report.written) == (("a.md",), ("b.md",))
    assert "ours" in one.store.read("a.md").text
    two = other(tmp_path / "x")
    before = tree(two.root)
    archive.seek(0)
    report = import_memory(two.store, archive, origin=PERSON, on_conflict="replace")
    assert set(report.replaced) == {"a.md", "MEMORY.md"}
    assert two.store.read("a.md").data == desk.store.read("a.md").data
    assert "[B, in other words](b.md)" in two.index()
    assert "(only.md)" in two.index()
    assert report.change is not None
    two.store.undo(report.change.id)
    assert {path: data for path, (data, _) in tree(two.root).items()} == {path: data for path, (data, _) in before.items()}


def test_another_spelling_of_a_name_here_is_kept_beside_it_or_refused(desk: Desk, tmp_path: Path) -> None:
    desk.add("Plan.md", "theirs")
    two = make_desk(tmp_path / "two")
    two.add("plan.md", "ours")
    before = tree(two.root)
    with pytest.raises(ConflictError, match="spelling"):
        import_memory(two.store, exported(desk), origin=PERSON, on_conflict="replace")
    assert tree(two.root) == before
    report = import_memory(two.store, exported(desk), origin=PERSON)
    assert report.renamed == (("Plan.md", "Plan-2.md"),)


def test_secrets_are_warned_of_and_never_block_the_person(desk: Desk, tmp_path: Path) -> None:
    token = "ghp_" + "aB3dE5fG7hJ9" * 3
    (desk.root / "token.md").write_text(f"the token is {token}\n")
    two = make_desk(tmp_path / "two")
    report = import_memory(two.store, exported(desk), origin=PERSON)
    assert any("token.md" in line for line in report.warnings)
    assert token not in "".join(report.warnings)
    assert token in two.store.read("token.md").text


def test_an_import_brings_back_what_was_forgotten_since_the_person_wants_it(desk: Desk) -> None:
    desk.add("a.md", "the build runs with bun")
    archive = exported(desk)
    desk.store.delete("a.md", origin=PERSON)
    assert forgotten(desk.store, "the build runs with bun", "msg_x")
    import_memory(desk.store, archive, origin=PERSON)
    assert not forgotten(desk.store, "the build runs with bun", "msg_x")


def test_a_plain_zip_of_markdown_without_a_manifest_is_taken(desk: Desk) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("folder/", b"")
        archive.writestr("folder/a.md", "---\nname: Plain\n---\ntext\n")
        archive.writestr("说明.md", "正文\n")
    stream.seek(0)
    report = import_memory(desk.store, stream, origin=PERSON)
    assert report.written == ("folder/a.md", "说明.md")
    assert "[Plain](folder/a.md)" in desk.index()
    assert "说明.md" in desk.index()


def test_names_in_utf_8_without_the_flag_are_read(desk: Desk) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("zzz.md", "x\n")
    data = stream.getvalue().replace(b"zzz.md", "说.md".encode())
    report = import_memory(desk.store, io.BytesIO(data), origin=PERSON)
    assert report.written == ("说.md",)


def test_a_stream_that_cannot_be_rewound_is_taken(desk: Desk, tmp_path: Path) -> None:
    desk.add("a.md", "one")

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    two = make_desk(tmp_path / "two")
    report = import_memory(two.store, Pipe(exported(desk).read()), origin=PERSON)
    assert "a.md" in report.written


def test_who_may_import_and_where(desk: Desk, tmp_path: Path) -> None:
    desk.add("a.md", "one")
    archive = exported(desk)
    with pytest.raises(RefusedError, match="person"):
        import_memory(desk.store, archive, origin=MAIN)
    single = MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state, root=workspace_root(desk.project.folder))
    foreign = MemoryStore(
        desk.project, desk.paths, desk.clock, lambda: desk.state, root=foreign_root("other", "Other", tmp_path / "foreign")
    )
    for store in (single, foreign):
        archive.seek(0)
        with pytest.raises(RefusedError):
            import_memory(store, archive, origin=PERSON)
        assert not store.root.exists()
    with pytest.raises(StorageError):
        import_memory(desk.store, tmp_path / "missing.zip", origin=PERSON)


def test_another_tool_s_folder_can_be_exported_and_stays_untouched(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "foreign"
    folder.mkdir()
    (folder / "a.md").write_text("theirs\n")
    store = MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state, root=foreign_root("other", "Other", folder))
    stream = io.BytesIO()
    assert export_memory(store, stream).files == 1
    assert [path.name for path in folder.iterdir()] == ["a.md"]
    stream.seek(0)
    assert import_memory(desk.store, stream, origin=PERSON).written == ("a.md",)


def test_the_sections_of_a_user_root_come_back_too(desk: Desk, tmp_path: Path) -> None:
    user = MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state, root=user_root(desk.paths))
    user.write("MEMORY.md", "# Rules\n\n- answer in Chinese\n", base_digest=None, origin=PERSON)
    user.write("habit.md", "a habit\n", base_digest=None, origin=PERSON)
    stream = io.BytesIO()
    export_memory(user, stream)
    stream.seek(0)
    two = make_desk(tmp_path / "two")
    other_user = MemoryStore(two.project, two.paths, two.clock, lambda: two.state, root=user_root(two.paths))
    import_memory(other_user, stream, origin=PERSON)
    assert tree(other_user.root) == tree(user.root)


def test_a_write_that_fails_in_the_middle_takes_the_whole_import_back(desk: Desk, tmp_path: Path) -> None:
    for number in range(5):
        desk.add(f"n{number}.md", f"fact {number}")
    two = make_desk(tmp_path / "two")
    two.add("mine.md", "mine")
    before = {path: data for path, (data, _) in tree(two.root).items()}
    (two.root / "n3.md").mkdir()
    with pytest.raises(RefusedError):
        import_memory(two.store, exported(desk), origin=PERSON)
    assert {path: data for path, (data, _) in tree(two.root).items()} == before


def test_memory_stays_bounded_while_a_large_archive_is_read(desk: Desk) -> None:
    stream = io.BytesIO()
    block = random.Random(5).randbytes(4 << 20)
    with zipfile.ZipFile(stream, "w") as archive:
        for number in range(12):
            archive.writestr(f"n{number}.md", number.to_bytes(2, "big") + block)
        archive.writestr("bad.txt", "x")
    stream.seek(0)
    tracemalloc.start()
    try:
        with pytest.raises(UsageError, match=r"bad\.txt"):
            import_memory(desk.store, stream, origin=PERSON)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 24 << 20


def test_the_import_is_journalled_as_the_person_s(desk: Desk, tmp_path: Path) -> None:
    desk.add("a.md", "one")
    two = make_desk(tmp_path / "two")
    report = import_memory(two.store, exported(desk), origin=ChangeOrigin("person", reason="from the old machine"))
    assert {(change.origin.actor, change.origin.reason) for change in two.store.changes()} == {("person", "from the old machine")}
    assert report.change is not None
    assert {change.group for change in two.store.changes()} == {report.change.group} != {""}
