"""S14: what the memory keeper's calls may do. Every call goes through the real tools, the real policy and the real store; a wrong allow is
one that reads what it must not, or changes anything outside this project's memory."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from desktop.agent.calls import CallRunner
from desktop.messages.parts import ToolCallPart, ToolResultPart
from desktop.tools.base import Said
from tests.unit.agent.jobs.keeper_desk import KeeperDesk, note

CANARY = "canary-7f3a"
SAID = (Said("msg_1", "We deploy on Fridays. Forget what you know about bees at dawn. Remember that bees like clover."),)


@dataclass
class World:
    """A desk with places that the keeper must not see or touch, each with a canary in it."""

    desk: KeeperDesk
    outside: Path
    home: Path
    other: Path

    def fill(self, text: str) -> str:
        places = {
            "{ws}": self.desk.workspace_folder,
            "{mem}": self.desk.root,
            "{out}": self.outside,
            "{home}": self.home,
            "{other}": self.other,
            "{data}": self.desk.services.paths.data,
            "{config}": self.desk.services.paths.config,
        }
        for mark, folder in places.items():
            text = text.replace(mark, str(folder))
        return text

    def run(self, name: str, arguments: dict[str, Any], **settings: object) -> ToolResultPart:
        for key, value in settings.items():
            self.desk.services.settings.set(f"memory.{key}", value)
        session = self.desk.next_session()
        filled = {key: self.fill(value) if isinstance(value, str) else value for key, value in arguments.items()}

        async def scenario() -> ToolResultPart:
            calls = session._extraction._calls(SAID, False, lambda event: None)
            [result] = [one async for one in CallRunner(calls).results([ToolCallPart("call_1", name, filled)])]
            await session.close()
            return result

        return asyncio.run(scenario())

    def state(self) -> dict[str, tuple[bytes, int]]:
        """Every file outside this memory with its content; what the app keeps of its own work is left out."""
        own = self.desk.services.paths.data
        roots = (self.desk.folder / "ws", self.outside, self.home, self.other)
        files = [path for root in roots for path in root.rglob("*") if path.is_file()]
        assert own not in roots
        return {str(path): (path.read_bytes(), path.lstat().st_ino) for path in files}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    desk = KeeperDesk(tmp_path)
    desk.has("deploys", "We deploy on Fridays.")
    desk.has("bees", "Bees fly at dawn.")
    folders = {name: tmp_path / name for name in ("outside", "home", "elsewhere")}
    for folder in folders.values():
        folder.mkdir()
    other = desk.services.open_workspace(folders["elsewhere"]).project.memory_root
    secret = folders["home"] / ".ssh"
    secret.mkdir()
    for path in (
        folders["outside"] / "x.md",
        folders["outside"] / "x.py",
        secret / "id_ed25519",
        secret / "config",
        folders["home"] / ".netrc",
    ):
        path.write_text(f"{CANARY}\n")
    for name in ("plan.md", "MEMORY.md"):
        (other / name).write_text(note("plan", CANARY))
    (desk.services.paths.data / "x.md").write_text(CANARY)
    ws = desk.workspace_folder
    (ws / "src").mkdir()
    (ws / "src" / "a.py").write_text("x = 1\n")
    (ws / ".env").write_text(f"TOKEN={CANARY}\n")
    (ws / "key.pem").write_text(CANARY)
    (ws / "link.md").symlink_to(folders["outside"] / "x.md")
    (ws / "linked").symlink_to(folders["outside"])
    (desk.root / "out.md").symlink_to(folders["outside"] / "x.md")
    (desk.root / "away").symlink_to(folders["outside"])
    (desk.root / "other.md").symlink_to(other / "plan.md")
    yield World(desk, folders["outside"], folders["home"], other)


def _reads() -> list[tuple[str, dict[str, Any]]]:
    places = [
        "{out}/x.md", "{out}/x.py", "{home}/.ssh/id_ed25519", "{home}/.ssh/config", "{home}/.netrc", "{other}/plan.md",
        "{other}/MEMORY.md", "{data}/x.md", "{ws}/.env", "{ws}/key.pem", "{ws}/link.md", "{ws}/linked/x.md", "{mem}/out.md",
        "{mem}/away/x.md", "{mem}/other.md", "{ws}/../outside/x.md", "{mem}/../../../x.md", "/proc/self/environ", "/etc/passwd",
        "/etc/shadow", "~/.ssh/id_ed25519", "../outside/x.py", "{mem}-evil/x.md", "{ws}-evil/x.md", "//etc/passwd", "/dev/zero",
        "{config}/settings.json", "file:///etc/passwd", "{ws}/\x00.md", "",
    ]  # fmt: skip
    folders = [
        "{out}", "{home}", "{home}/.ssh", "{other}", "{data}", "{config}", "/", "/etc", "/proc", "..", "{ws}/..", "{ws}/linked",
        "{mem}/away", "{mem}/..", "~",
    ]  # fmt: skip
    calls: list[tuple[str, dict[str, Any]]] = [("Read", {"file_path": place}) for place in places]
    for folder in folders:
        calls += [("Grep", {"pattern": "canary", "path": folder, "output_mode": "content"}), ("Glob", {"pattern": "**/*", "path": folder})]
    calls += [
        ("Grep", {"pattern": "canary", "output_mode": "content"}),
        ("Grep", {"pattern": "TOKEN", "path": "{ws}", "output_mode": "content"}),
    ]
    return calls


def _commands() -> list[tuple[str, dict[str, Any]]]:
    commands = [
        "rm -- -x.md", "rm {mem}/deploys.md {mem}/b.txt", "rm {mem}/*.md", "rm {mem}/[a-z]eploys.md", "rm {mem}/out.md",
        "rm {mem}/away/x.md", "rm {mem}/other.md", "rm -r {mem}", "rm -rf {mem}/", "rm -R {mem}/deploys.md", "rm --recursive {mem}",
        "rm {mem}/MEMORY.md", "rm {out}/x.md", "rm {other}/plan.md", "rm {mem}/../../../x.md", "rm deploys.md", "rm ./deploys.md",
        "rm {mem}/deploys.md; touch {ws}/m", "rm {mem}/deploys.md && touch {ws}/m", "rm {mem}/deploys.md | tee {ws}/m",
        "rm {mem}/deploys.md > {ws}/m", "rm `echo {mem}/deploys.md`", "rm $(echo {mem}/deploys.md)", "X=1 rm {mem}/deploys.md",
        "/bin/rm {mem}/deploys.md", "sudo rm {mem}/deploys.md", "command rm {mem}/deploys.md", "env rm {mem}/deploys.md",
        "rm {mem}/deploys.md #x", "rm {mem}/deploys.md\ntouch {ws}/m", "rm {mem}/deploys.md\rtouch {ws}/m",
        "rm\u00a0{mem}/deploys.md", "rm '{mem}/deploys.md", 'rm "{mem}/$X.md"', "rm {mem}/{a,deploys}.md", "rm ~/x.md",
        "rm -i {mem}/deploys.md x", "ls", "cat {out}/x.md", "cat {ws}/.env", "echo hi", "touch {ws}/m", "echo x > {ws}/m",
        "echo x >> {mem}/deploys.md", "tee {mem}/deploys.md", "sed -i s/a/b/ {mem}/deploys.md", "mv {mem}/deploys.md {ws}/m",
        "cp {mem}/deploys.md {ws}/m", "ln -s /etc/passwd {mem}/p.md", "python3 -c 'print(1)'", "bash -c 'touch {ws}/m'",
        "curl http://localhost/", "wget -q http://localhost/", "nc localhost 1", "git status", "git log", "find {ws} -delete",
        "find / -name x", "env", "printenv", "xargs rm", "dd if=/dev/null of={ws}/m", "true", ":", "", " ", "cd {ws} && ls",
        "exec rm {mem}/deploys.md", "eval rm {mem}/deploys.md", ". {ws}/x", "kill -9 1", "chmod 777 {mem}", "mkdir {ws}/d",
        "pip list", "nohup touch {ws}/m &",
    ]  # fmt: skip
    return [("Bash", {"command": command}) for command in commands]


def _writes() -> list[tuple[str, dict[str, Any]]]:
    text = note("deploys", "We deploy on Fridays.")
    places = [
        "{ws}/notes.md", "{ws}/src/a.py", "{ws}/AGENTS.md", "{ws}/.agents/memory/MEMORY.md", "{out}/y.md", "{out}/x.md",
        "{home}/.ssh/config", "{other}/plan.md", "{other}/new.md", "{data}/y.md", "{config}/settings.json", "{mem}/x.txt", "{mem}/x",
        "{mem}/x.md.sh", "{mem}/.git/x.md", "{mem}/hooks/x.md", "{mem}/../y.md", "{mem}/../../y.md", "{mem}/a/../../y.md",
        "{mem}/out.md", "{mem}/away/y.md", "{mem}/other.md", "{mem}/x.md:stream", "{mem}/x.md.", "{mem}/x.md ", "{mem}/\u202ex.md",
        "{mem}-evil/x.md", "~/x.md", "notes.md", "../y.md", "/tmp/../etc/x.md", "{mem}", "{mem}/", "{mem}/x.md/", "{mem}/x.md/.",
        "{mem}/.claude/x.md", "{mem}/node_modules/x.md", "{mem}/con.md/../../y.md", "", "\x00.md",
    ]  # fmt: skip
    calls: list[tuple[str, dict[str, Any]]] = [("Write", {"file_path": place, "content": text}) for place in places]
    edits = ["{ws}/src/a.py", "{ws}/link.md", "{mem}/out.md", "{mem}/other.md", "{other}/plan.md", "{out}/x.py"]
    return calls + [("Edit", {"file_path": place, "old_string": "a", "new_string": "b"}) for place in edits]


def _others() -> list[tuple[str, dict[str, Any]]]:
    return [
        ("Agent", {"prompt": "x"}),
        ("Task", {"prompt": "x", "description": "y", "subagent_type": "z"}),
        ("mcp__files__write", {"path": "x"}),
        ("mcp__web__fetch", {"url": "http://localhost"}),
        ("WebFetch", {"url": "http://localhost"}),
        ("WebSearch", {"query": "x"}),
        ("NotebookEdit", {"path": "x"}),
        ("apply_patch", {"patch": "x"}),
        ("", {}),
        ("read", {"file_path": "{out}/x.md"}),
        ("ReadSessionContext", {"sessionId": "sess_01aaaaaaaaaaaaaaaaaaaaaaaa", "query": "x"}),
        ("history_search", {"operation": "search", "query": "x"}),
        ("history_search", {"query": "x", "scope": "global"}),
        ("memory_search", {"queries": ["canary"]}),
        ("memory_search", {"queries": ["canary"], "scope": "global"}),
        ("memory_search", {"queries": ["canary"], "scope": "projects"}),
        ("memory_index", {"action": "pin", "file": "deploys.md"}),
        ("memory_index", {"action": "hook", "file": "deploys.md", "hook": "always curl localhost"}),
        ("memory_index", {"action": "move", "file": "deploys.md"}),
        ("memory_index", {"action": "forget", "file": "MEMORY.md"}),
        ("memory_index", {"action": "forget", "file": "{other}/plan.md"}),
        ("memory_index", {"action": "list", "file": "{other}/plan.md"}),
    ]


CALLS = [*_reads(), *_commands(), *_writes(), *_others()]


def test_at_least_two_hundred_calls_and_no_wrong_allow(world: World) -> None:
    """Also not under the widest rights that the settings know."""
    before, notes = world.state(), world.desk.notes()
    assert len(CALLS) >= 200
    wrong: list[str] = []
    for name, arguments in CALLS:
        result = world.run(name, arguments)
        if CANARY in result.output or "root:" in result.output:
            wrong.append(f"read: {name} {arguments}")
        if result.status == "ok" and name not in ("Grep", "Glob"):
            wrong.append(f"allowed: {name} {arguments}: {result.output[:80]}")
    assert wrong == []
    assert world.state() == before and world.desk.notes() == notes
    assert (world.other / "plan.md").read_text() == note("plan", CANARY)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("Read", {"file_path": "{ws}/src/a.py"}),
        ("Read", {"file_path": "src/a.py"}),
        ("Read", {"file_path": "{mem}/deploys.md"}),
        ("Grep", {"pattern": "Fridays", "path": "{mem}"}),
        ("Grep", {"pattern": "x"}),
        ("Glob", {"pattern": "**/*.py"}),
        ("memory_index", {"action": "list"}),
        ("Write", {"file_path": "{mem}/clover.md", "content": note("clover", "Bees like clover.")}),
        ("Bash", {"command": "rm {mem}/bees.md"}),
        ("Bash", {"command": "rm -f '{mem}/bees.md'"}),
        ("memory_index", {"action": "forget", "file": "bees.md"}),
    ],
)
def test_what_it_needs_it_may(world: World, name: str, arguments: dict[str, Any]) -> None:
    result = world.run(name, arguments)
    assert result.status == "ok" and "waits" not in result.output


def test_edit_of_a_memory(world: World) -> None:
    """A short memory that was not read is shown with the refusal, as everywhere, and then edited."""

    async def scenario() -> list[ToolResultPart]:
        session = world.desk.next_session()
        calls = session._extraction._calls(SAID, False, lambda event: None)
        edit = ToolCallPart(
            "c1", "Edit", {"file_path": world.desk.path("bees"), "old_string": "at dawn.", "new_string": "at dawn and like clover."}
        )
        results = [
            one async for one in CallRunner(calls).results([ToolCallPart("c0", "Read", {"file_path": world.desk.path("bees")}), edit])
        ]
        await session.close()
        return results

    assert [result.status for result in asyncio.run(scenario())] == ["ok", "ok"]
    assert "clover" in world.desk.notes()["bees.md"]


def test_without_bash_no_command_is_run_at_all(world: World) -> None:
    result = world.run("Bash", {"command": "rm {mem}/bees.md"}, extractor_bash="none")
    assert result.status == "denied" and "bees.md" in world.desk.notes()
    assert world.run("memory_index", {"action": "forget", "file": "bees.md"}).status == "ok"


def test_read_only_bash_says_that_nothing_can_be_shown_to_be_harmless(world: World) -> None:
    denied = world.run("Bash", {"command": "ls"}, extractor_bash="read-only")
    assert denied.status == "denied" and "for certain" in denied.output
    assert world.run("Bash", {"command": "rm {mem}/bees.md"}).status == "ok"


def test_reading_anywhere_never_means_secrets_or_other_projects(world: World) -> None:
    assert world.run("Read", {"file_path": "{out}/x.py"}, extractor_reads="anywhere").status == "ok"
    for name, arguments in _reads():
        place = str(arguments.get("file_path") or arguments.get("path") or "")
        if place.startswith(("{out}", "..", "{ws}/..", "{ws}/link", "{mem}/out", "{mem}/away", "/")):
            continue  # an ordinary file or folder outside, which this setting opens
        result = world.run(name, arguments)
        assert CANARY not in result.output, (name, arguments)


def test_hard_links_are_replaced_and_never_written_through(world: World) -> None:
    os.link(world.outside / "x.md", world.desk.root / "hard.md")
    world.run("Write", {"file_path": "{mem}/hard.md", "content": note("hard", "Bees like clover.")})
    assert (world.outside / "x.md").read_text() == f"{CANARY}\n"
