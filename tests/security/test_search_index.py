"""The search index keeps to itself: private from the first moment (S7), no trace of what was deleted (S12), no credential in it (S15)."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from desktop.search.passage import Document, Passage
from tests.security.canaries import KEYED, SHAPED, Maker
from tests.unit.memory.conftest import Desk, make_desk, note_text
from tests.unit.memory.searching import Searching
from tests.unit.search.make import WordVectors, answers, corpus, fresh_answers, opened
from tests.unit.sessions.search_world import world_in

WORK = """
import os, sys
from pathlib import Path
os.umask(int(sys.argv[1], 8))
from desktop.search.index import SearchIndex
from tests.unit.search.make import corpus, opened
file = Path(sys.argv[2]) / "index" / "deeper" / "index.sqlite"
index, other = opened(file), opened(file)
index.update(corpus())
other.search("port")
other.update(corpus(30)[24:])
modes = sorted((path.name, oct(path.stat().st_mode & 0o777)) for path in file.parent.iterdir())
index.check()
index.scrub()
other.close()
index.purge()
index.update(corpus())
index.close()
opened(file).search("port")
file.write_bytes(b"no index")
index.update(corpus())
modes += sorted((path.name, oct(path.stat().st_mode & 0o777)) for path in file.parent.iterdir())
index.close()
print(modes)
assert {mode for _, mode in modes} == {"0o600"}, modes
assert {name.removeprefix("index.sqlite") for name, _ in modes} >= {"", "-wal", "-shm", ".open", ".lock", ".stamp"}, modes
"""
CREATED = re.compile(r'(?:openat\([^,]*, |open\()"((?:[^"\\]|\\.)*)", ([A-Z_|]*O_CREAT[A-Z_|]*), (0[0-7]*)\)\s*=\s*\d')
MADE = re.compile(r'mkdir(?:at)?\([^"]*"((?:[^"\\]|\\.)*)", (0[0-7]*)\)\s*=\s*0')


GONE = re.compile(r'unlink(?:at)?\([^"]*"((?:[^"\\]|\\.)*)"[^)]*\)\s*=\s*0')


def created(calls: str) -> list[tuple[str, str]]:
    """Path and mode of every call that made a file of the index; one that only opens a file which is there makes none."""
    there: set[str] = set()
    made = []
    for line in calls.splitlines():
        if gone := GONE.search(line):
            there.discard(gone[1])
        elif (found := CREATED.search(line)) and "index.sqlite" in found[1] and found[1] not in there:
            there.add(found[1])
            made.append((found[1], found[3]))
    return made


def environment(temporary: Path) -> dict[str, str]:
    temporary.mkdir()
    return {**os.environ, "TMPDIR": str(temporary), "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
@pytest.mark.parametrize("umask", ["077", "000"])
def test_s7_every_file_of_an_index_is_private(umask: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", WORK, umask, str(tmp_path)]
    done = subprocess.run(command, env=environment(tmp_path / "t"), capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
    assert stat.S_IMODE((tmp_path / "index" / "deeper").stat().st_mode) == 0o700
    assert list((tmp_path / "t").iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("strace") is None, reason="looks at the system calls")
def test_s7_they_are_private_from_the_call_that_makes_them(tmp_path: Path) -> None:
    log = tmp_path / "calls"
    strace = [
        "strace",
        "-f",
        "--seccomp-bpf",
        "-s",
        "500",
        "-e",
        "trace=openat,open,creat,mkdir,mkdirat,chmod,fchmod,fchmodat,unlink,unlinkat",
        "-o",
        str(log),
    ]
    done = subprocess.run(
        [*strace, sys.executable, "-c", WORK, "000", str(tmp_path)],
        env=environment(tmp_path / "t"), capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2_000:]
    calls = log.read_text(errors="replace")
    files = created(calls)
    assert {path.rpartition("index.sqlite")[2] for path, _ in files} >= {"", "-wal", "-shm", ".open", ".lock", ".stamp"}
    assert [(path, mode) for path, mode in files if int(mode, 8) != 0o600] == []
    folders = [(path, mode) for path, mode in MADE.findall(calls) if "index" in path or "deeper" in path]
    assert folders
    assert [(path, mode) for path, mode in folders if int(mode, 8) != 0o700] == []
    assert [line for line in calls.splitlines() if re.search(r"\bf?chmod(at)?\(", line) and "index.sqlite" in line] == []


# nothing is left of what was deleted


def traces(folder: Path, *words: str) -> list[str]:
    """Where a word stands in any file of a folder, in the ways that texts are written."""
    found = []
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            for word in words:
                forms = {
                    form for text in (word, word.lower(), word.upper()) for form in map(text.encode, ("utf-8", "utf-16-le", "utf-16-be"))
                }
                found += [f"{path.name}: {word}" for form in forms if form in data]
    return found


SECRET = "Xylographie"
"""A word that stands nowhere else; its stem is `xylographi`."""

LOOKED_FOR = (SECRET, "xylograph", "蜃气楼")


def secret_document() -> Document:
    passages = tuple(Passage(f"The word is {SECRET}, 蜃气楼 {n}.", unit=n, title=f"{SECRET} {n}", ref=f"{SECRET}:{n}") for n in range(40))
    return Document(f"root/{SECRET}.md", "projects", SECRET, "project", SECRET, passages)


def test_s12_nothing_of_a_purged_index_is_left(tmp_path: Path) -> None:
    index = opened(tmp_path / "index.sqlite", WordVectors())
    index.update([*corpus(), secret_document()])
    index.encode()
    assert traces(tmp_path, *LOOKED_FOR)
    index.purge()
    assert traces(tmp_path, *LOOKED_FOR) == []
    assert index.search(SECRET, dense=False).hits == ()
    assert traces(tmp_path, *LOOKED_FOR) == []
    index.close()


@pytest.mark.parametrize("how", ["removed", "replaced", "emptied"])
@pytest.mark.parametrize("still_open", [True, False])
def test_s12_nothing_of_a_deleted_document_is_left_after_scrub(how: str, still_open: bool, tmp_path: Path) -> None:
    index = opened(tmp_path / "index.sqlite", WordVectors())
    index.update(corpus(12))
    index.update([secret_document()])
    index.update(corpus()[12:])
    index.encode()
    assert len(index.search(SECRET).hits) > 3
    other = Document(secret_document().key, "projects", "p", "project", "2", (Passage("nothing of it"),) if how == "replaced" else ())
    if how == "removed":
        index.update([], [secret_document().key])
    else:
        index.update([other])
    index.scrub()
    if not still_open:
        index.close()
    wanted = LOOKED_FOR if how == "removed" else LOOKED_FOR[2:]  # the key itself stays
    assert traces(tmp_path, *wanted) == []
    assert index.search("蜃气楼", dense=False).hits == ()
    assert index.search("xylographies", dense=False).hits == ()
    assert index.check()
    assert answers(index) == fresh_answers(corpus() if how == "removed" else [*corpus(), other])
    assert index.encode() == (1 if how == "replaced" else 0), "the vectors of the others stay"
    index.close()


def test_s12_nothing_of_a_damaged_index_is_left_when_it_is_made_anew(tmp_path: Path) -> None:
    index = opened(tmp_path / "index.sqlite")
    index.update([secret_document()])
    index.close()
    with (tmp_path / "index.sqlite").open("r+b") as stream:
        stream.write(b"no database")
    assert index.fingerprints() == {}
    assert traces(tmp_path, *LOOKED_FOR) == []
    index.close()


# credentials


def _canaries(seed: int) -> dict[str, tuple[str, str]]:
    found = {}
    for number, (kind, make) in enumerate(sorted((SHAPED | KEYED).items())):
        maker = Maker(seed * 1_000 + number)
        text = make(maker)
        found[kind] = (text, maker.telling(text))
    return found


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return make_desk(tmp_path)


def test_s15_no_credential_in_memory_files_comes_into_the_index(desk: Desk) -> None:
    """In the text, in the header, in a name in the index file: written past us, by an editor or by another program."""
    at = Searching(desk)
    found = _canaries(11)
    lines = []
    for number, (text, _) in enumerate(found.values()):
        at.put(f"n{number}.md", note_text(f"n{number}", f"Before it. See {text} ok.\n\nAfter it.", description=f"fact {number}"))
        if "\n" not in text and '"' not in text:
            at.put(f"h{number}.md", f"---\nname: h{number}\ndescription: '{text}'\nmetadata:\n  type: project\n---\n\nA plain fact.\n")
            lines.append(f"- [n{number}](n{number}.md) — {text}")
    at.put("MEMORY.md", "# Memory\n\n" + "\n".join(lines) + "\n")
    assert len(found) > 100
    assert at.found("plain fact", reach="folder", limit=50).hits
    index_folder = desk.paths.index
    pieces = [piece for _, piece in found.values()]
    assert traces(index_folder, *pieces) == []
    hits = [hit for number in range(0, len(found), 9) for hit in at.found(f"n{number} before it", limit=50).hits]
    assert hits
    assert [piece for piece in pieces for hit in hits if piece in repr(hit)] == []
    at.search.close()
    assert traces(index_folder, *pieces) == []


def test_s15_no_credential_in_conversations_comes_into_the_index(tmp_path: Path) -> None:
    found = _canaries(12)
    with world_in(tmp_path) as world:
        said = [f"Before it. See {text} ok. After it {number}." for number, (text, _) in enumerate(found.values())]
        world.talk(*said, title="a " + next(iter(found.values()))[0])
        assert world.find("before it", limit=50)
        pieces = [piece for _, piece in found.values()]
        assert traces(world.paths.index, *pieces) == []
        hits = world.find("after it", limit=50)
        assert [piece for piece in pieces for hit in hits if piece in repr(hit)] == []
        world.search.close()
        assert traces(world.paths.index, *pieces) == []
