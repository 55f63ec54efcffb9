"""The bracket around shell commands (W-08): however a command reaches memory past the gate, it is put back or taken out, and said."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.memory.bracket import RootBracket
from desktop.memory.store import ChangeOrigin
from desktop.tools.base import Outcome, ToolContext
from desktop.tools.bash import BashTool
from tests.helpers.wait import wait_for
from tests.unit.tools.conftest import Bench

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a POSIX shell")

NOTE = "---\nname: build\ndescription: how it is built\nmetadata:\n  type: project\n---\n\nWe build with bun.\n"
MAIN, PERSON = ChangeOrigin("main", "sess_test", "msg_test"), ChangeOrigin("person")


class Guarded:
    """A bench whose memory holds two notes, with the bracket in use."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.root = bench.store.root
        bench.store.write("build.md", NOTE, base_digest=None, origin=MAIN)
        bench.store.write("deep/topic.md", NOTE.replace("bun", "make").replace("build", "topic"), base_digest=None, origin=MAIN)
        self.bracket = RootBracket([bench.store])
        self.outside = bench.base / "outside"
        self.outside.mkdir()

    @property
    def context(self) -> ToolContext:
        return replace(self.bench.context, bracket=self.bracket)

    async def start(self, command: str, **more: int) -> Outcome:
        return await (await BashTool().prepare({"command": command, **more}, self.context)).run()

    def run(self, command: str) -> Outcome:
        return asyncio.run(self.start(command.replace("@M", f"'{self.root}'").replace("@O", f"'{self.outside}'")))

    def state(self) -> dict[str, tuple[object, ...]]:
        """Everything below the root that the command must not have changed."""
        found: dict[str, tuple[object, ...]] = {}
        for folder, folders, files in os.walk(self.root):
            for name in (*folders, *files):
                path = Path(folder) / name
                status = path.lstat()
                data = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
                found[path.relative_to(self.root).as_posix()] = (status.st_mode, data, status.st_mtime_ns if data else 0)
        return found

    def quarantine(self) -> dict[str, str]:
        trash = self.bench.paths.trash / self.bench.store.memory_root.key
        found = {}
        for folder in trash.glob("quarantine-*"):
            for path in folder.rglob("*"):
                if path.is_file() and not path.is_symlink():
                    found[path.relative_to(folder).as_posix()] = path.read_text(errors="replace")
        return found


@pytest.fixture
def guarded(bench: Bench) -> Guarded:
    return Guarded(bench)


CHANGED = {
    "redirect": "echo poison > @M/build.md",
    "append": "echo poison >> @M/build.md",
    "noclobber": "echo poison >| @M/build.md",
    "tee": "echo poison | tee @M/build.md",
    "tee -a": "echo poison | tee -a @M/build.md >/dev/null",
    "sed -i": "sed -i s/bun/npm/ @M/build.md",
    "perl -i": "perl -pi -e s/bun/npm/ @M/build.md",
    "mv over": "echo poison > x.md; mv x.md @M/build.md",
    "mv away": "mv @M/build.md @O/build.md",
    "rename": "mv @M/build.md @M/other.md",
    "cp over": "echo poison > x.md; cp x.md @M/build.md",
    "dd": "echo poison | dd of=@M/build.md 2>/dev/null",
    "rm": "true; rm -f @M/build.md @M/deep/topic.md",
    "rm folder": "rm -rf @M/deep",
    "truncate": "truncate -s 0 @M/build.md",
    "same size": 'T=$(stat -c %y @M/build.md); sed -i s/bun/npm/ @M/build.md; touch -d "$T" @M/build.md',
    "in place, same size and time": "T=$(stat -c %y @M/build.md); printf X | dd of=@M/build.md conv=notrunc bs=1 2>/dev/null; "
    'touch -d "$T" @M/build.md',
    "touch -d": "touch -d 2001-01-01 @M/build.md",
    "chmod": "chmod 0 @M/build.md",
    "chmod folder": "chmod 0 @M/deep",
    "python -c": "python3 -c \"import sys; open(sys.argv[1]+'/build.md','w').write('poison')\" @M",
    "file for link": "ln -sf @O @M/build.md",
    "file for hard link": "echo poison > @O/x; ln -f @O/x @M/build.md",
    "hard link out": "ln @M/build.md @O/same; echo poison > @O/same",
    "file for folder": "rm @M/build.md; mkdir @M/build.md; echo x > @M/build.md/y.md",
    "folder for file": "rm -rf @M/deep; echo x > @M/deep",
    "folder for link": "mv @M/deep @O/deep; ln -s @O/deep @M/deep",
    "folder for link with poison": "mv @M/deep @O/deep; ln -s @O/deep @M/deep; echo poison > @M/deep/topic.md",
    "fifo": "rm @M/build.md; mkfifo @M/build.md",
    "index": "echo '- [evil](evil.md)' >> @M/MEMORY.md",
    "index gone": "true; rm @M/MEMORY.md",
    "root gone": "rm -rf @M",
    "root renamed": "mv @M @M-gone",
    "root for link": "mv @M @O/memory; ln -s @O/memory @M",
    "root for link with poison": "mv @M @O/memory; ln -s @O/memory @M; echo poison > @M/build.md",
    "root for other link": "rm -rf @M; ln -s @O @M; echo poison > @M/x.md",
    "root for file": "rm -rf @M; echo x > @M",
    "project folder for link": 'mv "$(dirname @M)" @O/project; ln -s @O/project "$(dirname @M)"; echo poison > @M/build.md',
    "git checkout": "cd @M && git init -q . && git config user.name a && git config user.email a@b.c && git add -A && git commit -qm a && "
    "echo poison > build.md && git commit -qam b && git checkout -q HEAD~1 -- . && git checkout -q HEAD -- .",
    "cd": "cd @M && echo poison > build.md",
    "subshell": "(cd @M; bash -c 'echo poison > build.md')",
    "eval": 'eval "echo poison > @M/build.md"',
    "find -exec": "find @M -name '*.md' -exec sed -i s/bun/npm/ {} +",
    "failing": "echo poison > @M/build.md; exit 7",
    "background": "(sleep 0.2; echo poison > @M/build.md) & echo started",
    "background, own session": "(setsid sh -c 'sleep 0.3; echo poison > \"$0\"/build.md; sleep 300' @M &) ; sleep 0.05",
    "background, twice forked": "(setsid sh -c '(sleep 0.3; echo poison > \"$0\"/build.md; sleep 300) &' @M >/dev/null 2>&1 &); sleep 0.05",
}


@pytest.mark.parametrize("way", sorted(CHANGED))
def test_whatever_a_command_did_to_memory_is_put_back_and_said(guarded: Guarded, way: str) -> None:
    before = guarded.state()
    outcome = guarded.run(CHANGED[way])
    assert guarded.state() == before
    assert guarded.bench.store.read("build.md").text.endswith("We build with bun.\n")
    assert not guarded.root.is_symlink()
    if way.startswith("background"):
        return  # it was ended before it wrote anything, or put back
    assert outcome.data is not None
    assert outcome.data["memory_restored"] or outcome.data["memory_quarantined"]
    assert "memory" in outcome.output
    assert "exit_status" in outcome.data
    assert guarded.run("true").data == {"exit_status": 0, "timed_out": False, "ended": 0}, "and the next look finds nothing more"


NEW = {
    "redirect": ("echo 'a new memory' > @M/new.md", "new.md"),
    "cp": ("echo 'a new memory' > x; cp x @M/deep/new.md", "deep/new.md"),
    "no note": ("echo 'a new memory' > @M/run.sh", "run.sh"),
    "new folder": ("mkdir -p @M/hooks/deep; echo 'a new memory' > @M/hooks/deep/x.md", "hooks/deep/x.md"),
    "odd name": ("echo 'a new memory' > @M/$'a\\nb.md'", "a\nb.md"),
    "heredoc": ("cat > @M/new.md <<'E'\na new memory\nE", "new.md"),
    "unreadable": ("echo 'a new memory' > @M/new.md; chmod 0 @M/new.md", "new.md"),
}


@pytest.mark.parametrize("way", sorted(NEW))
def test_what_is_new_goes_to_quarantine_where_nothing_is_lost(guarded: Guarded, way: str) -> None:
    command, path = NEW[way]
    before = guarded.state()
    outcome = guarded.run(command)
    assert guarded.state() == before
    assert guarded.quarantine() == {path: "a new memory\n"}
    assert outcome.data is not None
    assert len(outcome.data["memory_quarantined"]) == 1
    assert "quarantine" in outcome.output
    kept = next((guarded.bench.paths.trash / guarded.bench.store.memory_root.key).glob("quarantine-*"))
    assert [path.stat().st_mode & 0o777 for path in (kept, kept / path)] == [0o700, 0o600]


PUT_IN = ["ln -s /etc/passwd @M/x.md", "ln -s @O @M/folder", "mkfifo @M/pipe.md", "ln @O/../outside.txt @M/x.md"]


@pytest.mark.parametrize("command", PUT_IN)
def test_links_and_pipes_that_were_put_in_are_removed(guarded: Guarded, command: str) -> None:
    (guarded.bench.base / "outside.txt").write_text("somebody else's")
    before = guarded.state()
    outcome = guarded.run(command)
    assert guarded.state() == before
    assert outcome.data is not None
    assert len(outcome.data["memory_quarantined"]) == 1
    assert (guarded.bench.base / "outside.txt").read_text() == "somebody else's"


def test_a_command_that_leaves_memory_alone_is_told_nothing(guarded: Guarded) -> None:
    for command in ("cat @M/build.md >/dev/null; ls @M >/dev/null", "grep -r bun @M >/dev/null", "cp @M/build.md ./copy.md"):
        outcome = guarded.run(command)
        assert outcome.data == {"exit_status": 0, "timed_out": False, "ended": 0}
        assert "memory" not in outcome.output


def test_the_journal_tells_what_was_put_back_and_the_person_can_still_have_it(guarded: Guarded) -> None:
    guarded.run("echo 'other words' > @M/build.md")
    change = guarded.bench.store.changes()[0]
    assert (change.op, change.path, change.origin.actor, change.origin.session_id) == ("restore", "build.md", "outside", "sess_test")
    assert change.before is not None
    assert guarded.bench.store.version(change.before) == b"other words\n"
    assert guarded.bench.store.observe() == []
    assert guarded.bench.store.undo().path == "deep/topic.md", "undo means the last memory, not what the command did"


def test_the_person_s_edit_in_the_window_stays_while_a_long_command_runs(guarded: Guarded) -> None:
    store, gate = guarded.bench.store, guarded.bench.base / "gate"
    wait = f"echo waiting; while [ ! -e '{gate}' ]; do sleep 0.02; done"
    command = f"echo poison > '{guarded.root}/deep/topic.md'; {wait}; rm '{guarded.root}/build.md'"

    async def both() -> Outcome:
        task = asyncio.ensure_future(guarded.start(command))
        await asyncio.to_thread(wait_for, lambda: "waiting" in "".join(guarded.bench.live), what="the command")
        await asyncio.to_thread(edit)
        gate.touch()
        return await task

    def edit() -> None:
        stored = store.read("build.md")
        store.write("build.md", stored.text.replace("bun", "deno"), base_digest=stored.digest, origin=PERSON)
        store.write("fresh.md", NOTE.replace("build", "fresh").replace("bun", "words of the person"), base_digest=None, origin=PERSON)

    outcome = asyncio.run(both())
    assert "We build with deno." in store.read("build.md").text
    assert "words of the person" in store.read("fresh.md").text
    assert "make" in store.read("deep/topic.md").text
    assert "(fresh.md)" in (guarded.root / "MEMORY.md").read_text()
    assert outcome.data is not None
    assert sorted(outcome.data["memory_restored"]) == ["build.md", "deep/topic.md"]
    assert outcome.data["memory_quarantined"] == []


def test_an_edit_upon_what_the_command_had_put_there_comes_out_clean(guarded: Guarded) -> None:
    store, gate = guarded.bench.store, guarded.bench.base / "gate"
    command = f"printf '\\npoison\\n' >> '{guarded.root}/build.md'; echo waiting; while [ ! -e '{gate}' ]; do sleep 0.02; done"

    async def both() -> Outcome:
        task = asyncio.ensure_future(guarded.start(command))
        await asyncio.to_thread(wait_for, lambda: "waiting" in "".join(guarded.bench.live), what="the command")
        await asyncio.to_thread(edit)
        gate.touch()
        return await task

    def edit() -> None:
        stored = store.read("build.md")
        store.write("build.md", stored.text.replace("how it is built", "the build"), base_digest=stored.digest, origin=PERSON)

    asyncio.run(both())
    text = store.read("build.md").text
    assert "the build" in text
    assert "poison" not in text


def test_memory_is_guarded_whatever_the_switches_say(guarded: Guarded) -> None:
    from desktop.memory.switches import MemoryState

    guarded.bench.state = MemoryState(False, "Memory is off.", False, "Memory is off.", "off", "memory.use")
    before = guarded.state()
    assert guarded.run("echo poison > @M/build.md").data is not None
    assert guarded.state() == before


def test_a_cancelled_or_late_command_is_put_back_too(guarded: Guarded) -> None:
    before = guarded.state()

    async def cancel() -> None:
        task = asyncio.ensure_future(guarded.start(f"echo poison > '{guarded.root}/build.md'; echo done; sleep 300"))
        await asyncio.to_thread(wait_for, lambda: "done" in "".join(guarded.bench.live), what="the write")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert guarded.state() == before
    outcome = asyncio.run(guarded.start(f"echo poison > '{guarded.root}/build.md'; sleep 300", timeout=700))
    assert guarded.state() == before
    assert outcome.data is not None
    assert outcome.data["memory_restored"] == ["build.md"]


def test_a_secret_that_a_command_wrote_is_kept_nowhere_in_clear(guarded: Guarded) -> None:
    value = "ghp" + "_" + "aB3dE5fG7h" * 4
    outcome = guarded.run(f"echo 'token {value}' > @M/build.md; echo 'token {value}' > @M/{value}.md; echo 'token {value}' > @M/x.txt")
    data = guarded.bench.paths.data
    holding = [path for path in data.rglob("*") if value in path.name or (path.is_file() and value.encode() in path.read_bytes())]
    assert holding == []
    assert sorted(guarded.quarantine()) == ["[secret].md", "build.md", "x.txt"]
    assert value not in outcome.output
    assert value not in str(outcome.data)


def test_files_that_are_no_notes_come_back_too(guarded: Guarded) -> None:
    (guarded.root / "picture.png").write_bytes(bytes(range(256)) * 40)
    (guarded.root / "empty").mkdir()
    (guarded.root / "alias.md").symlink_to("build.md")
    before = guarded.state()
    outcome = guarded.run("cd @M && rm -r picture.png empty alias.md")
    assert guarded.state() == before
    assert (guarded.root / "alias.md").is_symlink()
    assert outcome.data is not None
    assert sorted(outcome.data["memory_restored"]) == ["alias.md", "empty", "picture.png"]


def test_without_a_bracket_nothing_is_looked_at(bench: Bench) -> None:
    outcome = bench.run(BashTool(), command=f"echo x > '{bench.store.root}/x.md'")
    assert outcome.status == "ok"
    assert (bench.store.root / "x.md").exists()
