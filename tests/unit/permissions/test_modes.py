from __future__ import annotations

from pathlib import Path

import pytest

from desktop.base.paths import AppPaths
from desktop.permissions.access import Access, Decision, Mode
from desktop.permissions.grants import Grants
from desktop.permissions.modes import decide
from desktop.permissions.places import protected_part, sensitive_kind

MODES: tuple[Mode, ...] = ("default", "accept-edits", "plan")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path.resolve())


class Place:
    def __init__(self, base: Path) -> None:
        self.paths = AppPaths(base / "data", base / "config", base / "cache")
        self.base = base
        self.workspace = base / "ws"
        self.memory = self.paths.projects / "ws-0123456789abcdef" / "memory"
        self.grants = Grants(self.paths)
        for folder in (self.workspace, self.memory):
            folder.mkdir(parents=True)

    def says(self, access: Access, mode: Mode = "default", *, memory: bool = True) -> Decision:
        return decide(access, mode=mode, workspace=self.workspace, memory_root=self.memory if memory else None, grants=self.grants)

    def effects(self, access: Access) -> list[str]:
        return [self.says(access, mode).effect for mode in MODES]


def write(path: Path, **more: object) -> Access:
    return Access("Write", "write", path, "x", **more)  # type: ignore[arg-type]


def test_reads(place: Place) -> None:
    assert place.effects(Access("Read", "read", place.workspace / "a.py")) == ["allow"] * 3
    assert place.effects(Access("Glob", "read", place.workspace)) == ["allow"] * 3
    assert place.effects(Access("Read", "read", place.memory / "a.md")) == ["allow"] * 3
    assert place.effects(Access("Read", "read", place.base / "ws-evil" / "a.py")) == ["ask"] * 3
    assert place.effects(Access("Read", "read", place.paths.projects / "other" / "memory" / "a.md")) == ["ask"] * 3
    assert place.says(Access("Read", "read", place.memory / "a.md"), memory=False).effect == "ask"
    assert place.says(Access("Read", "read", None)).effect == "ask"


@pytest.mark.parametrize(
    "name",
    [
        ".env", ".env.local", ".ssh/id_work", "keys/server.pem", "id_rsa", ".netrc", ".aws/credentials", "deploy.key", ".ENV", ".env\u200b",
        "x.pfx.",
    ],
)  # fmt: skip
def test_secrets_outside_are_asked_for_each_time_and_inside_nothing_is(place: Place, name: str) -> None:
    access = Access("Read", "read", place.workspace.parent / "elsewhere" / name)
    assert place.says(access).rule == "read.sensitive"
    assert "is sent to the model" in place.says(access).reason
    place.grants.add(access, "session")
    assert place.says(access).effect == "ask"
    assert place.says(Access("Read", "read", place.workspace / name)).effect == "allow"


@pytest.mark.parametrize(
    "name", [".env.example", ".env.sample", "id_rsa.pub", "environ", "monkey.py", "keys.py", "docs/credentials.md", "id_card", "rsa.go"]
)
def test_ordinary_names_are_not_taken_for_secrets(name: str) -> None:
    assert sensitive_kind(Path("/ws") / name) is None


def test_own_and_foreign_sessions(place: Place) -> None:
    own = Access("ReadSessionContext", "session", None, "sess_a")
    foreign = Access("ReadSessionContext", "session", None, "sess_b", foreign_session=True)
    assert place.effects(own) == ["allow"] * 3
    assert place.effects(foreign) == ["ask"] * 3
    place.grants.add(foreign, "session")
    assert place.effects(foreign) == ["allow"] * 3
    assert place.says(Access("ReadSessionContext", "session", None, "sess_c", foreign_session=True)).effect == "ask"


def test_writes_by_mode(place: Place) -> None:
    assert place.effects(write(place.workspace / "src" / "a.py")) == ["ask", "allow", "deny"]
    assert place.effects(write(place.base / "a.py")) == ["ask", "ask", "deny"]
    assert place.effects(write(place.base / "ws2" / "a.py")) == ["ask", "ask", "deny"]
    plan = place.says(write(place.workspace / "a.py"), "plan")
    assert plan.rule == "mode.plan.nonReadOnly"
    assert "Plan mode" in plan.reason


@pytest.mark.parametrize(
    "name",
    [
        ".git/config", ".git/hooks/pre-commit", ".GIT/config", ".git. /config", ".g\u200bit/config", "git~1/config",
        ".keepsake/settings.json", ".husky/pre-push", "sub/.vscode/tasks.json", "bare/hooks/post-checkout", "bare/hooks/pre-push.sh",
        ".claude/settings.json",
        "node_modules/x/index.js", ".envrc", ".gitmodules", ".mcp.json", ".bashrc", ".npmrc", ".env", ".ssh/authorized_keys",
        ".config/autostart/x.desktop",
    ],
)  # fmt: skip
def test_protected_places_ask_in_accept_edits(place: Place, name: str) -> None:
    access = write(place.workspace / name)
    assert place.says(access, "accept-edits").effect == "ask"
    place.grants.add(access, "always")
    assert place.says(access, "accept-edits").effect == "ask"


@pytest.mark.parametrize(
    "name", ["src/hooks/useTheme.ts", "commands/run.py", "agents/base.py", "gitignore.md", ".gitignore", ".github/workflows/ci.yml"]
)
def test_ordinary_source_is_not_protected(place: Place, name: str) -> None:
    assert place.says(write(place.workspace / name), "accept-edits").effect == "allow"


def test_protected_part_names_what_it_is() -> None:
    assert protected_part(Path("/ws/a/.git/x"), Path("/ws")) == ".git"
    assert protected_part(Path("/ws"), Path("/ws")) is None


def test_commands_always_ask_unless_granted(place: Place) -> None:
    access = Access("Bash", "execute", place.workspace, "npm test")
    assert place.effects(access) == ["ask", "ask", "deny"]
    place.grants.add(access, "session")
    assert place.effects(access) == ["allow", "allow", "deny"]
    assert place.says(Access("Bash", "execute", place.workspace, "npm test; rm -r .")).effect == "ask"
    assert place.says(Access("Bash", "execute", place.base, "npm test")).effect == "ask"


def test_the_memory_rule_turns_only_ask_and_plan_into_allow(place: Place) -> None:
    memory = write(place.memory / "a.md", memory_target="a.md")
    assert [place.says(memory, mode).rule for mode in MODES] == ["memory.file.markdown"] * 3
    assert place.effects(Access("Bash", "execute", place.workspace, "rm /m/a.md", memory_target="a.md")) == ["allow"] * 3
    assert place.effects(write(place.memory / "a.txt", memory_denied="Only .md files.")) == ["deny"] * 3
    assert place.says(write(place.memory / "a.md", memory_target="a.md", memory_denied="No.")).effect == "deny"
    assert place.says(memory, memory=False).effect != "allow"


def memory_write(path: Path, root: str, policy: str) -> Access:
    return write(path, memory_target="MEMORY.md", memory_root=root, memory_policy=policy)


def test_the_policy_of_the_root_decides_over_a_question(place: Place) -> None:
    user = memory_write(place.paths.memories / "global" / "MEMORY.md", "user", "ask")
    assert [place.says(user, mode).effect for mode in MODES] == ["ask", "ask", "deny"]
    assert place.says(user, "plan").rule == "mode.plan.nonReadOnly"
    shared = memory_write(place.workspace / ".agents" / "memory" / "MEMORY.md", "workspace", "ask")
    assert [place.says(shared, mode).effect for mode in MODES] == ["ask", "allow", "deny"]
    foreign = memory_write(place.base / ".claude" / "a.md", "foreign:claude-code", "deny")
    assert place.effects(foreign) == ["deny"] * 3


def test_a_root_that_asks_is_asked_wherever_the_workspace_is(place: Place) -> None:
    """The person may have opened the folder that holds all memory: their own memory is still only theirs."""
    access = memory_write(place.paths.memories / "global" / "MEMORY.md", "user", "ask")
    for mode in MODES[:2]:
        found = decide(access, mode=mode, workspace=place.paths.memories, memory_root=place.memory, grants=place.grants)
        assert found.effect == "ask"


def test_a_question_about_memory_is_remembered_for_the_workspace_file_only(place: Place) -> None:
    shared = memory_write(place.workspace / ".agents" / "memory" / "MEMORY.md", "workspace", "ask")
    assert place.grants.add(shared, "session") is not None
    assert place.says(shared).effect == "allow"
    for root, policy in (("user", "ask"), ("project", "allow")):
        assert place.grants.add(memory_write(place.memory / "a.md", root, policy), "always") is None
    deleted = Access("Bash", "execute", place.workspace, "rm x", memory_target="MEMORY.md", memory_root="workspace", memory_policy="ask")
    assert place.grants.add(deleted, "session") is None


def test_all_own_roots_are_read_without_a_question_while_memory_is_on(place: Place) -> None:
    user = place.paths.memories / "global"
    access = Access("Read", "read", user / "MEMORY.md")
    found = decide(access, mode="default", workspace=place.workspace, memory_root=place.memory, grants=place.grants, readable=(user,))
    assert found.effect == "allow"
    assert place.says(access).effect == "ask"


def test_what_memory_refused_is_not_read_either(place: Place) -> None:
    access = Access("Read", "read", place.workspace / ".agents" / "memory" / "MEMORY.md", memory_denied="Memory is off.")
    assert place.effects(access) == ["deny"] * 3


def test_keepsakes_own_files_are_never_written_by_tools(place: Place) -> None:
    own = [place.paths.config / "permissions.json", place.paths.sessions / "x.jsonl", place.memory / "a.md", place.paths.cache / "x"]
    for path in own:
        assert place.effects(write(path)) == ["deny"] * 3
        place.grants.add(write(path), "always")
        assert place.says(write(path)).rule == "write.own"


def test_a_workspace_inside_the_profile_is_still_a_workspace(place: Place) -> None:
    workspace = place.paths.data / "inner"
    workspace.mkdir()
    decision = decide(write(workspace / "a.py"), mode="accept-edits", workspace=workspace, memory_root=place.memory, grants=place.grants)
    assert decision.effect == "allow"


def test_a_workspace_around_the_profile_does_not_open_it(place: Place) -> None:
    decision = decide(
        write(place.paths.config / "settings.json"), mode="accept-edits", workspace=place.base, memory_root=None, grants=place.grants
    )
    assert decision.effect == "deny"


def test_a_note_goes_with_the_question(place: Place) -> None:
    access = Access("Read", "read", place.base / "x", note="a leads through a link to x.")
    assert place.says(access).reason.endswith("a leads through a link to x.")


def test_a_linked_workspace_is_resolved(place: Place) -> None:
    link = place.base / "link"
    link.symlink_to(place.workspace)
    decision = decide(Access("Read", "read", place.workspace / "a"), mode="default", workspace=link, memory_root=None, grants=Grants())
    assert decision.effect == "allow"
