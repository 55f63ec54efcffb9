"""Faults of the disk at every call: nothing is acknowledged that is not there, nothing is left half, and the next save works."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop.base.errors import KeepsakeError, StorageError
from desktop.base.textio import digest
from desktop.memory.store import MemoryStore
from desktop.memory.unfinished import Unfinished
from tests.unit.memory.conftest import MAIN, ON, PERSON, Desk, make_desk

CALLS = ("write", "fsync", "replace", "unlink", "mkdir", "open", "truncate")
FAULTS = (errno.EIO, errno.ENOSPC, errno.EACCES, errno.EPERM, errno.EBUSY, errno.EROFS, errno.EDQUOT)
HELD = {errno.EACCES, errno.EPERM, errno.EBUSY}
Act = Callable[[Desk], object]


def _write(desk: Desk) -> object:
    read = desk.store.read("a.md")
    return desk.store.write("a.md", read.text + "more\n", base_digest=read.digest, origin=MAIN)


def _create(desk: Desk) -> object:
    return desk.store.write("deep/new.md", "a new fact\n", base_digest=None, origin=MAIN)


def _delete(desk: Desk) -> object:
    return desk.store.delete("a.md", origin=MAIN)


def _rename(desk: Desk) -> object:
    return desk.store.rename("a.md", "other/b.md", origin=PERSON)


def _undo(desk: Desk) -> object:
    return desk.store.undo()


def _observe(desk: Desk) -> object:
    (desk.root / "a.md").write_text("by hand\n")
    (desk.root / "came.md").write_text("came in\n")
    return desk.store.observe()


def _group(desk: Desk) -> object:
    with desk.store.exclusive(group="grp_fault") as changing:
        for name in ("x", "y"):
            data = f"fact {name}\n".encode()
            changing.follow(changing.apply(f"{name}.md", None, data, "write", MAIN), None, data)
    return changing


ACTS: dict[str, Act] = {
    "write": _write,
    "create": _create,
    "delete": _delete,
    "rename": _rename,
    "undo": _undo,
    "observe": _observe,
    "group": _group,
}


class Fault:
    """Lets the call with the given number fail, counted over all calls that change something; `lasting`: and every later one."""

    def __init__(self, patch: pytest.MonkeyPatch, code: int, at: int, *, lasting: bool) -> None:
        self.calls = 0
        self.hit = ""
        for name in CALLS:
            patch.setattr(os, name, self._failing(name, getattr(os, name), code, at, lasting))

    def _failing(self, name: str, real: Callable[..., Any], code: int, at: int, lasting: bool) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            if name == "open" and not given[1] & (os.O_WRONLY | os.O_RDWR):
                return real(*given, **named)
            self.calls += 1
            if self.calls == at or (lasting and self.calls > at):
                self.hit = name
                raise OSError(code, os.strerror(code))
            return real(*given, **named)

        return call


def files(desk: Desk) -> dict[str, bytes]:
    return {path.relative_to(desk.root).as_posix(): path.read_bytes() for path in desk.root.rglob("*.md") if path.is_file()}


def topics(desk: Desk) -> dict[str, bytes]:
    return {path: data for path, data in files(desk).items() if path != "MEMORY.md"}


def lines(desk: Desk) -> set[str]:
    return {line.split("](")[1].split(")")[0].strip("<>") for line in desk.index().splitlines()}


def check_fault(base: Path, name: str, code: int, at: int, *, lasting: bool) -> bool:
    """One act with one fault; whether the fault was met."""
    base.mkdir()
    desk = make_desk(base)
    desk.add("a.md", "fact a")
    desk.add("b.md", "fact b")
    desk.store.observe()
    before, journal = files(desk), len(desk.store.changes(with_index=True))
    with pytest.MonkeyPatch.context() as patch:
        fault = Fault(patch, code, at, lasting=lasting)
        try:
            done = ACTS[name](desk)
        except KeepsakeError as error:
            done = None
            assert error.message
    where = f"{name}, {errno.errorcode[code]} at call {at} ({fault.hit})"
    if name != "observe" and done is None and not lasting:
        assert topics(desk) == {path: data for path, data in before.items() if path != "MEMORY.md"}, where
        made = desk.store.changes(with_index=True)[: len(desk.store.changes(with_index=True)) - journal]
        assert sum(1 if change.undoes else -1 for change in made if not change.by_keeper) == 0, where
    assert not [path for path in desk.paths.data.rglob("*.tmp") if not lasting], where
    fresh = MemoryStore(desk.project, desk.paths, desk.clock, lambda: ON)
    assert all(change.origin.actor != "outside" or name == "observe" for change in fresh.observe()), where
    desk.add("next.md", "the next fact", origin=PERSON)  # the same store, without a restart
    assert lines(desk) == set(topics(desk)), where
    assert not Unfinished(desk.paths, desk.project.key).there, where
    assert desk.store.observe() == [], where
    assert {path: digest(data) for path, data in files(desk).items()} == desk.store.journal.contents(), where
    return bool(fault.hit)


def run_faults(tmp_path: Path, name: str, code: int, *, step: int, lasting: bool) -> int:
    at = 1
    while check_fault(tmp_path / f"{name}-{code}-{at}-{lasting}", name, code, at, lasting=lasting):
        at += step
    return at


@pytest.mark.parametrize("name", list(ACTS))
def test_r3_a_fault_at_any_call_leaves_the_old_state_or_the_new_one(tmp_path: Path, name: str) -> None:
    points = run_faults(tmp_path, name, errno.EIO, step=4, lasting=False)
    assert points > 8


@pytest.mark.full
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("code", "lasting"), [*((code, False) for code in FAULTS), (errno.ENOSPC, True), (errno.EROFS, True)])
@pytest.mark.parametrize("name", list(ACTS))
def test_r3_every_fault_at_every_call(tmp_path: Path, name: str, code: int, lasting: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)  # the waits for a file that another program holds
    print(f"{name}, {errno.errorcode[code]}: {run_faults(tmp_path, name, code, step=1, lasting=lasting)} points")


@pytest.mark.parametrize("code", sorted(HELD))
@pytest.mark.parametrize("call", ["replace", "unlink"])
def test_b59_a_file_that_another_program_holds_is_tried_again(desk: Desk, monkeypatch: pytest.MonkeyPatch, code: int, call: str) -> None:
    desk.add("a.md", "fact a")
    real, tries = getattr(os, call), list[str]()

    def held(*given: Any, **named: Any) -> Any:
        tries.append(str(given[-1]))
        if str(given[-1]) == "a.md" and tries.count("a.md") <= 2:
            raise OSError(code, os.strerror(code))
        return real(*given, **named)

    with monkeypatch.context() as patch:
        patch.setattr(os, call, held)
        desk.store.delete("a.md", origin=MAIN) if call == "unlink" else _write(desk)
    assert tries.count("a.md") == 3
    assert desk.store.observe() == []


@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS, errno.ENOSPC, errno.EDQUOT])
def test_a_folder_that_takes_nothing_is_named_and_the_text_is_not_lost(desk: Desk, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    desk.add("a.md", "fact a")
    before = files(desk)
    real = os.open

    def refusing(path: Any, flags: int, *given: Any, **named: Any) -> int:
        place = named.get("dir_fd")
        if flags & os.O_CREAT and place is not None and os.path.samestat(os.fstat(place), desk.root.stat()):
            raise OSError(code, os.strerror(code))
        return real(path, flags, *given, **named)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refusing)
        with pytest.raises(StorageError) as caught:
            _write(desk)
    assert "a.md" in caught.value.message
    assert caught.value.hint
    assert files(desk) == before
    _write(desk)
    assert desk.store.read("a.md").text.endswith("more\n")


_AS_NOBODY = """
import os, sys
from dataclasses import replace
from pathlib import Path
from desktop.base.clock import SystemClock
from desktop.base.errors import KeepsakeError
from desktop.base.paths import AppPaths
from desktop.memory.identity import resolve_project
from desktop.memory.store import ChangeOrigin, MemoryStore
from desktop.memory.switches import MemoryState
base, folder = Path(sys.argv[1]), Path(sys.argv[2])
def store_in(base, folder):
    paths = AppPaths(base / 'data', base / 'config', base / 'cache')
    return MemoryStore(resolve_project(folder, paths), paths, SystemClock(), lambda: MemoryState(True, '', True, '', 'auto'))
(base / 'warm').mkdir()
warm = store_in(base / 'warm', folder)  # the interpreter's own files may be root's: what is imported late is imported now
warm.write('a.md', '---\\nname: a\\n---\\nx\\n', base_digest=None, origin=ChangeOrigin('person'))
warm.read('a.md')
warm.undo()
warm.observe()
os.setgroups([]); os.setgid(65534); os.setuid(65534)
store = store_in(base, folder)
origin = ChangeOrigin('person')
store.write('a.md', 'one\\n', base_digest=None, origin=origin)
read = store.read('a.md')
acts = {
    'write': lambda: store.write('a.md', 'two\\n', base_digest=read.digest, origin=origin),
    'new': lambda: store.write('b.md', 'two\\n', base_digest=None, origin=origin),
    'delete': lambda: store.delete('a.md', origin=origin),
    'rename': lambda: store.rename('a.md', 'c.md', origin=origin),
    'undo': lambda: store.undo(),
}
for mode in (0o500, 0o000):
    store.root.chmod(mode)
    for name, act in acts.items():
        try:
            act()
            print('DONE', name)
        except KeepsakeError as error:
            print(type(error).__name__, name, error.message)
    print('observed', store.observe())
store.root.chmod(0o700)
assert store.read('a.md') == read
assert store.observe() == []
store.write('a.md', 'two\\n', base_digest=read.digest, origin=origin)
print('after', sorted(path.name for path in store.root.iterdir()))
"""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become nobody")
def test_r16_a_folder_without_permission_says_so_and_loses_nothing() -> None:
    repository = Path(__file__).resolve().parents[3]
    with tempfile.TemporaryDirectory() as place:  # not `tmp_path`: nobody may not enter the folders above it
        base = Path(place) / "home"
        (base / "work").mkdir(parents=True)
        for folder in (base.parent, base, base / "work"):
            folder.chmod(0o755)
            os.chown(folder, 65534, 65534)
        arguments = [sys.executable, "-c", _AS_NOBODY, str(base), str(base / "work")]
        child = subprocess.run(arguments, cwd=repository, capture_output=True, timeout=60, check=False, text=True)
    assert child.returncode == 0, child.stdout + child.stderr
    assert "DONE" not in child.stdout
    assert child.stdout.count("observed []") == 2
    assert len(re.findall(r"^StorageError .*(?:Permission denied)", child.stdout, re.MULTILINE)) == 10, child.stdout
    assert child.stdout.endswith("after ['MEMORY.md', 'a.md']\n")


def test_r6_the_calls_of_one_save_stand_in_order(tmp_path: Path) -> None:
    """strace: snapshot, note, temporary file 0600, flush, replace, flush the folder, journal; nothing is opened for the file itself."""
    if subprocess.run(["sh", "-c", "command -v strace"], capture_output=True, check=False).returncode:
        pytest.skip("there is no strace here")
    desk = make_desk(tmp_path / "home")
    desk.add("a.md", "fact a")
    code = (
        "import sys; from pathlib import Path\n"
        "from desktop.base.clock import SystemClock\n"
        "from desktop.base.paths import AppPaths\n"
        "from desktop.memory.identity import resolve_project\n"
        "from desktop.memory.store import ChangeOrigin, MemoryStore\n"
        "from desktop.memory.switches import MemoryState\n"
        "base, folder = Path(sys.argv[1]), Path(sys.argv[2])\n"
        "paths = AppPaths(base / 'data', base / 'config', base / 'cache')\n"
        "store = MemoryStore(resolve_project(folder, paths), paths, SystemClock(), lambda: MemoryState(True, '', True, '', 'auto'))\n"
        "read = store.read('a.md')\n"
        "store.write('a.md', read.text + 'more\\n', base_digest=read.digest, origin=ChangeOrigin('main'))\n"
    )
    trace = tmp_path / "trace"
    calls = "openat,write,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,truncate"
    arguments = ["strace", "-f", "-y", "-o", str(trace), "-e", f"trace={calls}", sys.executable, "-B", "-c", code]
    arguments += [str(tmp_path / "home"), str(desk.project.folder)]
    child = subprocess.run(arguments, cwd=Path(__file__).resolve().parents[3], capture_output=True, timeout=100, check=False)
    if b"Operation not permitted" in child.stderr:
        pytest.skip("strace may not be used here")
    assert child.returncode == 0, child.stderr.decode()
    steps = _steps(trace.read_text(errors="replace"), desk.project.key)
    wanted = ["note", "flush note", "temporary 0600", "text", "flush text", "replace", "flush folder", "journal", "flush journal", "done"]
    assert [step for step in steps if step != "snapshot"] == wanted, steps
    assert steps.index("snapshot") < steps.index("note")


def _steps(trace: str, key: str) -> list[str]:
    """The calls that matter, by name, each run of one kind once."""
    kinds = (
        ("note", rf"write\(\d+<[^>]*unfinished/memory-{key}\.json>"),
        ("flush note", rf"fsync\(\d+<[^>]*unfinished/memory-{key}\.json>"),
        ("temporary 0600", r"openat\(\d+<[^>]*/memory>, \"\.a\.md\.[0-9a-f]{12}\.tmp\", [^)]*O_CREAT\|O_EXCL[^)]*, 0600\)"),
        ("text", r"write\(\d+<[^>]*/memory/\.a\.md\.[0-9a-f]{12}\.tmp>"),
        ("flush text", r"fsync\(\d+<[^>]*/memory/\.a\.md\.[0-9a-f]{12}\.tmp>"),
        ("replace", r"rename[^(]*\(.*\"\.a\.md\.[0-9a-f]{12}\.tmp\", .*\"a\.md\"[^\"]*\)"),
        ("flush folder", r"fsync\(\d+<[^>]*/memory>\)"),
        ("journal", rf"write\(\d+<[^>]*journal/{key}\.jsonl>"),
        ("flush journal", rf"fsync\(\d+<[^>]*journal/{key}\.jsonl>"),
        ("done", rf"(?:f?truncate)[^(]*\(.*unfinished/memory-{key}\.json\""),
        ("in place", r"openat\([^)]*\"[^\"]*\ba\.md\", [^)]*(?:O_WRONLY|O_RDWR)"),
        ("snapshot", rf"rename[^(]*\(.*snapshots/{key}/[0-9a-f]{{64}}\""),
    )
    found: list[str] = []
    for line in trace.splitlines():
        kind = next((name for name, pattern in kinds if re.search(pattern, line)), "")
        if kind and found[-1:] != [kind]:
            found.append(kind)
    return found


def _another_disk(place: Path) -> bool:
    """Mount a small disk at `place`, where that is possible."""
    place.mkdir(parents=True)
    return subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(place)], capture_output=True, check=False).returncode == 0


def test_r16_r11_a_root_on_another_disk_is_written_undone_and_survives_a_full_disk(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "home")
    place = tmp_path / "disk"
    if not _another_disk(place):
        pytest.skip("no disk can be mounted here")
    try:
        root = replace(desk.store.memory_root, folder=place / "memory", key="elsewhere")
        store = MemoryStore(desk.project, desk.paths, desk.clock, lambda: ON, root=root)
        assert place.stat().st_dev != desk.paths.data.stat().st_dev
        store.write("a.md", "fact a\n", base_digest=None, origin=MAIN)
        store.rename("a.md", "deep/b.md", origin=PERSON)
        gone = store.delete("deep/b.md", origin=PERSON)
        store.undo(gone.id)
        store.undo()
        read = store.read("a.md")
        filler = place / "filler"
        with pytest.raises(OSError, match="No space left"), filler.open("wb") as file:
            while True:
                file.write(b"x" * 65_536)
        with pytest.raises(StorageError, match="No space left") as caught:
            store.write("a.md", "y" * 65_536, base_digest=read.digest, origin=PERSON)
        assert "a.md" in caught.value.message
        assert store.read("a.md") == read
        assert not list(place.rglob("*.tmp"))
        filler.unlink()
        store.write("a.md", "y" * 65_536, base_digest=read.digest, origin=PERSON)
        assert store.observe() == []
    finally:
        subprocess.run(["umount", "-l", str(place)], capture_output=True, check=False)


def test_r16_long_paths_and_names_that_are_no_text_are_kept_or_refused_with_a_word(desk: Desk) -> None:
    long = "/".join(["d" * 200] * 19 + ["n.md"])
    with pytest.raises(KeepsakeError, match=r"bytes|too long"):
        desk.store.write("/".join(["d" * 200] * 20 + ["n.md"]), "x\n", base_digest=None, origin=PERSON)
    with pytest.raises(KeepsakeError, match=r"bytes|too long"):
        desk.store.write("n" * 300 + ".md", "x\n", base_digest=None, origin=PERSON)
    desk.store.write(long, "deep\n", base_digest=None, origin=PERSON)
    assert desk.store.read(long).text == "deep\n"
    gone = desk.store.delete(long, origin=PERSON)
    desk.store.undo(gone.id)
    assert desk.store.read(long).text == "deep\n"
    wide = "字" * 84 + ".md"  # 255 bytes: as long as a name can be
    desk.store.write(wide, "wide\n", base_digest=None, origin=PERSON)
    gone = desk.store.delete(wide, origin=PERSON)
    desk.store.undo(gone.id)
    assert desk.store.read(wide).text == "wide\n"
    odd = os.fsdecode(b"caf\xe9.md")
    (desk.root / odd).write_text("odd\n")
    read = desk.store.read(odd)
    desk.store.write(odd, "odd, still\n", base_digest=read.digest, origin=PERSON)
    gone = desk.store.delete(odd, origin=PERSON)
    desk.store.undo(gone.id)
    assert (desk.root / odd).read_text() == "odd, still\n"
    with pytest.raises(KeepsakeError):
        desk.store.write(os.fsdecode(b"neu\xff.md"), "x\n", base_digest=None, origin=MAIN)


def test_st22_a_folder_that_cannot_be_made_is_only_logged_and_the_write_says_why(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    desk = make_desk(tmp_path)
    desk.root.rmdir()
    desk.root.write_text("a file stands here\n")
    desk.store.finish_left_over()
    assert desk.store.observe() == []
    assert desk.store.notes() == []
    with pytest.raises(KeepsakeError) as caught:
        desk.store.write("a.md", "fact a\n", base_digest=None, origin=MAIN)
    assert str(desk.root) in caught.value.message
    assert desk.root.read_text() == "a file stands here\n"
    desk.root.unlink()
    desk.store.write("a.md", "fact a\n", base_digest=None, origin=MAIN)
    assert desk.store.read("a.md").text == "fact a\n"


def test_r16_a_folder_that_goes_while_it_is_open_is_made_again_and_nothing_is_lost(desk: Desk) -> None:
    desk.add("a.md", "fact a")
    read = desk.store.read("a.md")
    for path in desk.root.iterdir():
        path.unlink()
    desk.root.rmdir()
    with pytest.raises(KeepsakeError, match=r"a\.md"):
        desk.store.write("a.md", "more\n", base_digest=read.digest, origin=PERSON)
    assert desk.store.load_index().state == "missing"
    desk.store.write("b.md", "fact b\n", base_digest=None, origin=PERSON)
    gone = [change for change in desk.store.observe() if change.path == "a.md"]
    assert [change.op for change in gone] == ["delete"]
    desk.store.undo(gone[0].id)
    assert desk.store.read("a.md") == read
