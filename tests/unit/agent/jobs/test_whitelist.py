"""The memory keeper reads here, writes Markdown here, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop.agent.jobs.whitelist import keeper_policy
from desktop.permissions.access import Access

WORKSPACE, ROOT = Path("/ws"), Path("/mem/memory")


@pytest.mark.parametrize(
    ("access", "effect"),
    [
        (Access("Read", "read", WORKSPACE / "a.py"), "allow"),
        (Access("Read", "read", ROOT / "a.md"), "allow"),
        (Access("Read", "read", Path("/mem/memory-evil/a.md")), "deny"),
        (Access("Read", "read", Path("/home/someone/.ssh/id_ed25519")), "deny"),
        (Access("Read", "read", WORKSPACE / ".env", sensitive="an environment file"), "deny"),
        (Access("Write", "write", ROOT / "a.md", memory_target="a.md"), "allow"),
        (Access("Write", "write", WORKSPACE / "a.md"), "deny"),
        (Access("Write", "write", ROOT / "a.txt", memory_denied="only .md"), "deny"),
        (Access("Bash", "execute", WORKSPACE, "ls"), "deny"),
        (Access("Bash", "execute", WORKSPACE, "rm /mem/memory/a.md", memory_target="a.md"), "allow"),
        (Access("ReadSessionContext", "session", None), "deny"),
        (Access("Write", "write", Path("/mem/global/a.md"), memory_target="a.md", memory_root="user", memory_policy="ask"), "deny"),
        (Access("Write", "write", WORKSPACE / ".agents/memory/MEMORY.md", memory_target="MEMORY.md", memory_root="workspace"), "deny"),
        (Access("Bash", "execute", WORKSPACE, "rm /mem/global/a.md", memory_target="a.md", memory_root="user"), "deny"),
    ],
)
def test_policy(access: Access, effect: str) -> None:
    assert keeper_policy(WORKSPACE, ROOT)(access).effect == effect


def test_a_refused_memory_path_is_named() -> None:
    decision = keeper_policy(WORKSPACE, ROOT)(Access("Write", "write", ROOT / "a.txt", memory_denied="only .md files"))
    assert decision.reason == "only .md files"


def test_folders_reached_through_a_link_are_the_same_folders(tmp_path: Path) -> None:
    (tmp_path / "real" / "memory").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    policy = keeper_policy(tmp_path / "link", tmp_path / "link" / "memory")
    assert policy(Access("Read", "read", tmp_path.resolve() / "real" / "memory" / "a.md")).effect == "allow"
    assert policy(Access("Read", "read", tmp_path.resolve() / "other.md")).effect == "deny"
