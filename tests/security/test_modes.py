"""S7: every file and folder that the memory code makes is private from the call that creates it, under any umask; none in temp folders."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux" or shutil.which("strace") is None, reason="looks at the system calls")

WORK = """
import os, sys
from pathlib import Path
os.umask(int(sys.argv[1], 8))
from datetime import timedelta
from desktop.memory.archive import export_memory, import_memory
from desktop.memory.bracket import RootBracket
from desktop.memory.history import history, restore
from desktop.memory.moving import move_between, set_pinned
from desktop.memory.purge import purge
from desktop.memory.roots import user_root
from desktop.memory.store import ChangeOrigin, MemoryStore
from desktop.memory.trash import list_trash, put_back
from tests.unit.memory.conftest import make_desk, note_text
base = Path(sys.argv[2])

def mark(what):
    # a call that the trace shows and that does nothing
    try:
        open(base / f"COMMAND {what}")
    except FileNotFoundError:
        pass

desk = make_desk(base)
main, person = ChangeOrigin("main", "sess_one", "msg_one"), ChangeOrigin("person")
store = desk.store
for name in ("a.md", "deep/er/b.md", "c.md", "d.md"):
    store.write(name, note_text(name[:-3], "fact " + name), base_digest=None, origin=main)
store.write("a.md", note_text("a", "another fact"), base_digest=store.read("a.md").digest, origin=main)
store.undo()
store.rename("c.md", "far/c.md", origin=main)
gone = store.delete("d.md", origin=main)
put_back(store, list_trash(store)[0].change_id)
store.delete("d.md", origin=main)
(desk.root / "outside.md").write_text("by hand")
os.chmod(desk.root / "outside.md", 0o600)
store.observe()
set_pinned(store, "a.md", True, origin=person)
user = MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state, root=user_root(desk.paths))
move_between(store, user, "far/c.md", origin=person)
export_memory(store, base / "export.zip")
import_memory(user, base / "export.zip", origin=person)
purge(store, "deep/er/b.md", origin=person)
bracket = RootBracket([store, user])
token = bracket.before()
mark("BEGINS")
os.mkdir(desk.root / "new")
(desk.root / "new" / "x.md").write_text("past the gate")
(desk.root / "a.md").write_text("past the gate")
mark("ENDS")
assert bracket.after(token, origin=main).text
"""
CREATED = re.compile(r'(?:openat\([^,]*, |open\()"((?:[^"\\\\]|\\\\.)*)", ([A-Z_|]*O_CREAT[A-Z_|]*), (0[0-7]*)\)\s*=\s*\d')
MADE = re.compile(r'(?:mkdirat\([^,]*, |mkdir\()"((?:[^"\\\\]|\\\\.)*)", (0[0-7]*)\)\s*=\s*0')


def environment(temporary: Path) -> dict[str, str]:
    temporary.mkdir()
    return {**os.environ, "TMPDIR": str(temporary), "PYTHONDONTWRITEBYTECODE": "1"}


def check_modes(base: Path) -> None:
    for path in [*(base / "data").rglob("*"), base / "export.zip"]:
        wanted = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.lstat().st_mode) == wanted, path


def test_s7_a_strict_umask_leaves_the_same_modes(tmp_path: Path) -> None:
    base = tmp_path / "base"
    base.mkdir()
    command = [sys.executable, "-c", WORK, "077", str(base)]
    done = subprocess.run(command, env=environment(tmp_path / "t"), capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    check_modes(base)


def test_s7_everything_is_private_from_its_creation_without_any_umask(tmp_path: Path) -> None:
    base, log = tmp_path / "base", tmp_path / "calls"
    base.mkdir()
    strace = ["strace", "-f", "--seccomp-bpf", "-s", "500", "-e", "trace=openat,mkdir,mkdirat", "-o", str(log)]
    done = subprocess.run(
        [*strace, sys.executable, "-c", WORK, "000", str(base)],
        env=environment(tmp_path / "temporary"), capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    files, folders, counts = [], [], True
    for line in log.read_text(errors="replace").splitlines():
        if "COMMAND BEGINS" in line or "COMMAND ENDS" in line:
            counts = "ENDS" in line
        if not counts:
            continue
        if found := CREATED.search(line):
            files.append((found[1], int(found[3], 8)))
        if found := MADE.search(line):
            folders.append((found[1], int(found[2], 8)))
    ours = [(path, mode) for path, mode in files if not path.endswith("outside.md") and not path.startswith("/dev/")]
    made = [(path, mode) for path, mode in folders if path.startswith(str(base / "data")) or not path.startswith("/")]
    assert len(ours) > 60
    assert len(made) > 8
    assert [(path, oct(mode)) for path, mode in ours if mode != 0o600] == []
    assert [(path, oct(mode)) for path, mode in made if mode != 0o700] == []
    assert list((tmp_path / "temporary").iterdir()) == []
    assert [path for path, _ in files if path.startswith(("/tmp/", "/var/tmp/")) and not path.startswith(str(tmp_path))] == []
    check_modes(base)
