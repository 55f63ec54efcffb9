"""Places of other tools: found on each system, in what the environment names, and only where they are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop.sessions.importers.places import Place, standard_places, workspace_places
from tests.unit.sessions.importers.chat_world import AIDER, SPECSTORY, put

HOMES = {
    "claude-code": (".claude/projects", ".config/claude/projects"),
    "codex": (".codex/sessions", ".codex/archived_sessions"),
    "opencode": (".local/share/opencode", "AppData/Local/opencode"),
    "gemini": (".gemini/tmp",),
    "qwen": (".qwen/tmp", ".qwen/projects"),
    "copilot": (".copilot/session-state", ".config/Code/User/workspaceStorage"),
    "pi": (".pi/agent/sessions", ".openclaw/agents"),
    "cline": (
        ".config/Code/User/globalStorage/saoudrizwan.claude-dev",
        "Library/Application Support/Cursor/User/globalStorage/rooveterinaryinc.roo-cline",
        "AppData/Roaming/VSCodium/User/globalStorage/kilocode.kilo-code",
        ".vscode-server/data/User/globalStorage/saoudrizwan.claude-dev",
        ".cline/data",
    ),
    "kimi": (".kimi/sessions", ".kimi-code/sessions"),
    "grok": (".grok/sessions",),
    "muse": (".local/share/muse/sessions", "Library/Application Support/muse/sessions"),
    "vibe": (".vibe/logs/session",),
    "antigravity": (".gemini/antigravity/brain", ".gemini/antigravity-ide/brain", ".gemini/antigravity-cli/brain"),
    "generic": (".continue/sessions", "Library/Application Support/goose/sessions"),
}


@pytest.mark.parametrize(("source", "folder"), [(source, folder) for source, folders in HOMES.items() for folder in folders])
def test_standard_folders(tmp_path: Path, source: str, folder: str) -> None:
    (tmp_path / folder).mkdir(parents=True)
    assert standard_places(tmp_path, {}) == [Place(source, tmp_path / folder)]


@pytest.mark.parametrize(
    ("variable", "below", "source"),
    [
        ("CLAUDE_CONFIG_DIR", "projects", "claude-code"),
        ("CODEX_HOME", "sessions", "codex"),
        ("XDG_DATA_HOME", "opencode", "opencode"),
        ("XDG_CONFIG_HOME", "Code/User/globalStorage/saoudrizwan.claude-dev", "cline"),
        ("APPDATA", "Code/User/globalStorage/saoudrizwan.claude-dev", "cline"),
        ("COPILOT_HOME", "session-state", "copilot"),
        ("PI_CODING_AGENT_DIR", "sessions", "pi"),
        ("OPENCLAW_STATE_DIR", "agents", "pi"),
        ("KIMI_SHARE_DIR", "sessions", "kimi"),
        ("GROK_HOME", "sessions", "grok"),
        ("VIBE_HOME", "logs/session", "vibe"),
    ],
)
def test_folders_that_the_environment_names(tmp_path: Path, variable: str, below: str, source: str) -> None:
    elsewhere = tmp_path / "else where"
    (elsewhere / below).mkdir(parents=True)
    assert standard_places(tmp_path / "home", {variable: str(elsewhere)}) == [Place(source, elsewhere / below)]
    assert standard_places(tmp_path / "home", {}) == []


def test_several_folders_and_the_home_sign_in_a_variable(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name / "projects").mkdir(parents=True)
    found = standard_places(tmp_path, {"CLAUDE_CONFIG_DIR": f"~/one, {tmp_path / 'two'}"})
    assert [place.path for place in found] == [tmp_path / "one" / "projects", tmp_path / "two" / "projects"]


def test_each_place_once_and_nothing_that_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / ".codex" / "sessions").mkdir(parents=True)
    put(tmp_path / ".claude" / "projects", "a file")
    assert [place.source for place in standard_places(tmp_path, {"CODEX_HOME": str(tmp_path / ".codex")})] == ["codex"]


def test_chats_that_lie_in_a_workspace(tmp_path: Path) -> None:
    assert workspace_places(tmp_path) == []
    history = put(tmp_path / ".aider.chat.history.md", AIDER)
    put(tmp_path / ".specstory" / "history" / "a.md", SPECSTORY)
    assert workspace_places(tmp_path) == [Place("aider", history, "file"), Place("specstory", tmp_path / ".specstory" / "history")]
