from __future__ import annotations

import pytest

from desktop.base.errors import ToolError
from desktop.memory.switches import MemoryState
from desktop.permissions.access import Mode
from desktop.tools.bash import BashTool
from desktop.tools.memory_remove import recognise
from tests.unit.tools.conftest import Bench, finish

NOTE = "---\nname: {0}\ndescription: d {0}\n---\nbody of {0}\n"


@pytest.fixture
def notes(bench: Bench) -> Bench:
    for name in ("a", "b", "sub/c", "with space"):
        bench.note(f"{name}.md", NOTE.format(name))
    bench.note("MEMORY.md", "- [a](a.md): d a\n- [b](b.md): d b\n")
    return bench


def relatives(bench: Bench, command: str) -> tuple[str, ...] | None:
    """What is recognised as deletable; None when the shell would have to run it, () when it is refused."""
    removal = recognise(command.replace("M/", f"{bench.memory_root}/"), bench.context)
    if removal is None:
        return None
    return () if removal.refused else removal.relatives


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("rm 'M/a.md'", ("a.md",)),
        ('rm "M/a.md"', ("a.md",)),
        ("  rm   -f  M/a.md ", ("a.md",)),
        ("rm -fv -i -- M/a.md M/b.md", ("a.md", "b.md")),
        ("rm --force --verbose M/sub/c.md", ("sub/c.md",)),
        ("rm 'M/with space.md'", ("with space.md",)),
        ("rm M/a.md M/a.md", ("a.md",)),
        ("rm M/gone.md", ("gone.md",)),
    ],
)
def test_the_form(notes: Bench, command: str, found: tuple[str, ...]) -> None:
    assert relatives(notes, command) == found


@pytest.mark.parametrize(
    "command",
    [
        "rm -r M/a.md",
        "rm -rf M/a.md",
        "rm -fR M/a.md",
        "rm --recursive M/a.md",
        "rm --rec M/a.md",
        "rm --no-preserve-root M/a.md",
        "rm M/*.md",
        "rm 'M/*.md'",
        "rm M/a?.md",
        "rm M/[ab].md",
        "rm M/{a,b}.md",
        "rm M/a.md; ls",
        "rm M/a.md && ls",
        "rm M/a.md | cat",
        "rm M/a.md > /tmp/x",
        "rm M/a.md 2>/dev/null",
        "rm M/a.md &",
        "rm M/a.md\nls",
        "rm $(echo M/a.md)",
        "rm `echo M/a.md`",
        "rm $HOME/a.md",
        'rm "$HOME/M/a.md"',
        "rm M/a\\.md",
        "rm ~/a.md",
        "X=1 rm M/a.md",
        "sudo rm M/a.md",
        "/bin/rm M/a.md",
        "command rm M/a.md",
        "'rm' M/a.md",
        "rm a.md",
        "rm ./a.md",
        "rm -- -x.md",
        "rm",
        "rm -f",
        "rm M/a.md b.txt",
        "rm M/a.md /etc/hosts.md",
        "rm M/a.md # c",
        "rm 'M/a.md",
        "rm\tM/a.md",
        "rm\u00a0M/a.md",
        "rm M/a.md\u200b",
        "rm M/a.md\r",
        "rmdir M/a.md",
        "ls",
        "",
    ],
)
def test_everything_else_is_an_ordinary_command(notes: Bench, command: str) -> None:
    assert relatives(notes, command) is None


@pytest.mark.parametrize(
    "command",
    ["rm M/MEMORY.md", "rm -f M/memory.md", "rm M/hooks/a.md", "rm M/.git/a.md", "rm M/a.txt", "rm M/sub", "rm M/a.md M/MEMORY.md"],
)
def test_what_may_not_go_is_denied_in_every_mode(notes: Bench, command: str) -> None:
    assert relatives(notes, command) == ()
    prepared = notes.prepare(BashTool(), command=command.replace("M/", f"{notes.memory_root}/"))
    modes: tuple[Mode, ...] = ("default", "accept-edits", "plan")
    assert [notes.decide(prepared, mode).effect for mode in modes] == ["deny"] * 3
    with pytest.raises(ToolError):
        finish(prepared)
    assert (notes.memory_root / "a.md").exists()
    assert (notes.memory_root / "MEMORY.md").exists()


def test_through_a_link_nothing_is_deleted(notes: Bench) -> None:
    (notes.memory_root / "link.md").symlink_to(notes.memory_root / "a.md")
    (notes.memory_root / "out.md").symlink_to(notes.base / "x.md")
    (notes.memory_root / "linked").symlink_to(notes.memory_root / "sub")
    for name in ("link.md", "out.md", "linked/c.md"):
        assert relatives(notes, f"rm M/{name}") == ()


def test_a_deletion_goes_to_the_trash_and_can_be_undone(notes: Bench) -> None:
    original = (notes.memory_root / "a.md").read_bytes()
    prepared = notes.prepare(BashTool(), command=f"rm '{notes.memory_root}/a.md'")
    assert notes.decide(prepared).rule == "memory.file.markdown"
    assert notes.decide(prepared, "plan").effect == "allow"
    outcome = finish(prepared)
    assert outcome.memory_saved == ()
    made = {"root": "project", "path": "a.md", "change": notes.store.changes()[0].id, "op": "delete"}
    assert outcome.data == {"deleted": ["a.md"], "memory_changes": [made]}
    assert not (notes.memory_root / "a.md").exists()
    assert "a.md" not in (notes.memory_root / "MEMORY.md").read_text()
    assert notes.store.changes()[0].op == "delete"
    notes.store.undo()
    assert (notes.memory_root / "a.md").read_bytes() == original


def test_missing_ones(notes: Bench) -> None:
    root = notes.memory_root
    assert notes.run(BashTool(), command=f"rm -f {root}/gone.md").output.startswith("None of these memories existed")
    outcome = notes.run(BashTool(), command=f"rm {root}/a.md {root}/gone.md")
    assert outcome.status == "error" and "Deleted before it: a.md" in outcome.output
    assert outcome.data is not None and outcome.data["deleted"] == ["a.md"]
    assert [made["path"] for made in outcome.data["memory_changes"]] == ["a.md"]
    with pytest.raises(ToolError):
        notes.run(BashTool(), command=f"rm {root}/gone.md {root}/b.md")


def test_the_write_switch_holds(notes: Bench) -> None:
    notes.state = MemoryState(True, "", False, "Memory writing is off in the settings (memory.write).", "off")
    with pytest.raises(ToolError, match=r"memory\.write"):
        notes.run(BashTool(), command=f"rm {notes.memory_root}/a.md")
    assert (notes.memory_root / "a.md").exists()


def test_with_memory_off_nothing_is_deleted(notes: Bench) -> None:
    notes.memory_on = False
    prepared = notes.prepare(BashTool(), command=f"rm {notes.memory_root}/a.md")
    assert notes.decide(prepared, "accept-edits").rule == "memory.refused"
    assert (notes.memory_root / "a.md").exists()
