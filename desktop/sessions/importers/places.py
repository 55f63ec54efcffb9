"""Where other tools keep their sessions, on Linux, macOS and Windows, in their own folders and in those that the environment names.

Looks only whether a place is there; reads nothing in it. Blocking, any thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from desktop.sessions.importers import aider

Kind = Literal["folder", "file"]


@dataclass(frozen=True, slots=True)
class Place:
    """A place that is there. `source` is the tool's word (`ImportedSession.source`); `path` is for `list_transcripts`."""

    source: str
    path: Path
    kind: Kind = "folder"


EDITORS = (
    "Code",
    "Code - Insiders",
    "Code - OSS",
    "VSCodium",
    "VSCodium - Insiders",
    "Cursor",
    "Windsurf",
    "Trae",
    "Kiro",
    "Antigravity",
    "Positron",
)
"""Folders that Visual Studio Code and the editors made from it keep their settings in."""
EXTENSIONS = (
    "saoudrizwan.claude-dev",
    "saoudrizwan.cline-nightly",
    "rooveterinaryinc.roo-cline",
    "rooveterinaryinc.roo-code-nightly",
    "kilocode.kilo-code",
)
"""Cline, Roo Code and Kilo Code, as their editors' storage names them."""


@dataclass(frozen=True, slots=True)
class _Roots:
    """The folders under which programs of one person keep their things."""

    home: Path
    environ: Mapping[str, str]

    def named(self, variable: str) -> Iterator[Path]:
        """The folders that a variable names: one, or several with commas between."""
        for text in self.environ.get(variable, "").split(","):
            if text.strip():
                path = Path(text.strip())
                yield self.home.joinpath(*path.parts[1:]) if path.parts[0] == "~" else path

    def either(self, variable: str, *standard: str) -> list[Path]:
        """The folders that a variable names, then the standard ones below the home folder."""
        return [*self.named(variable), *(self.home / one for one in standard)]

    def data(self) -> list[Path]:
        return [
            *self.either("XDG_DATA_HOME", ".local/share"),
            self.home / "Library" / "Application Support",
            *self.either("LOCALAPPDATA", "AppData/Local"),
            *self.either("APPDATA", "AppData/Roaming"),
        ]

    def config(self) -> list[Path]:
        return [
            *self.either("XDG_CONFIG_HOME", ".config"),
            self.home / "Library" / "Application Support",
            *self.either("APPDATA", "AppData/Roaming"),
        ]


def standard_places(home: Path, environ: Mapping[str, str]) -> list[Place]:
    """The places of all tools that are known here, as far as they are there.

    Args:
        home: the person's home folder.
        environ: the environment; its variables (`CODEX_HOME`, `XDG_DATA_HOME`, …) go before the standard folders.

    Returns:
        Each place once.
    """
    roots = _Roots(home, environ)
    return _there([*_terminals(roots), *_editors(roots), *_others(roots)])


def workspace_places(folder: Path) -> list[Place]:
    """The places inside a workspace, for the tools that keep their chats with the code: aider and SpecStory."""
    return _there(
        [
            Place(aider.SOURCE, folder / aider.NAME, "file"),
            Place("specstory", folder / ".specstory" / "history"),
        ]
    )


def _there(places: Iterable[Place]) -> list[Place]:
    found: dict[Path, Place] = {}
    for place in places:
        try:
            there = place.path.is_file() if place.kind == "file" else place.path.is_dir()
        except OSError:
            continue
        if there:
            found.setdefault(place.path, place)
    return list(found.values())


def _below(source: str, roots: Iterable[Path], *names: str) -> Iterator[Place]:
    for root in roots:
        for name in names:
            yield Place(source, root / name)


def _terminals(roots: _Roots) -> Iterator[Place]:
    """Tools of the terminal, each with a folder of its own."""
    claude = roots.either("CLAUDE_CONFIG_DIR", ".claude", ".config/claude")
    yield from _below("claude-code", claude, "projects")
    yield from _below("codex", roots.either("CODEX_HOME", ".codex"), "sessions", "archived_sessions")
    yield from _below("opencode", [*roots.named("OPENCODE_DATA_DIR")], "")
    yield from _below("opencode", roots.data(), "opencode")
    yield from _below("zcode", [roots.home], ".zcode/cli/db")
    yield from _below("mimo", roots.data(), "mimocode")
    yield from _below("gemini", [*roots.named("GEMINI_CLI_HOME"), roots.home], ".gemini/tmp")
    yield from _below("qwen", roots.either("QWEN_HOME", ".qwen"), "projects", "tmp")
    copilot = roots.either("COPILOT_HOME", ".copilot", ".local/state/.copilot")
    copilot += [one / ".copilot" for one in roots.named("XDG_STATE_HOME")]
    yield from _below("copilot", copilot, "session-state", "history-session-state")
    yield from _below("pi", roots.either("PI_CODING_AGENT_DIR", ".pi/agent"), "sessions")
    yield from _below("pi", roots.either("OPENCLAW_STATE_DIR", ".openclaw", ".clawdbot"), "agents")


def _editors(roots: _Roots) -> Iterator[Place]:
    """Extensions of editors: one storage an editor."""
    users = [root / editor / "User" for root in roots.config() for editor in EDITORS]
    users += [
        roots.home / server / "data" / "User"
        for server in (".vscode-server", ".vscode-server-insiders", ".vscode-remote", ".cursor-server")
    ]
    users += [root / "code-server" / "User" for root in roots.data()]
    for user in users:
        yield from _below("cline", [user / "globalStorage"], *EXTENSIONS)
        yield Place("copilot", user / "workspaceStorage")
        yield Place("copilot", user / "globalStorage" / "emptyWindowChatSessions")
    yield from _below("cline", roots.either("CLINE_DIR", ".cline"), "data")


def _others(roots: _Roots) -> Iterator[Place]:
    """Tools whose chats are read as those of any program."""
    tools = [roots.home / ".gemini" / name for name in ("antigravity", "antigravity-ide", "antigravity-cli")]
    yield from _below("antigravity", tools, "brain")
    yield from _below("grok", roots.either("GROK_HOME", ".grok"), "sessions")
    yield from _below("muse", roots.data(), "muse/sessions")
    yield from _below("vibe", roots.either("VIBE_HOME", ".vibe"), "logs/session")
    yield from _below("kimi", roots.either("KIMI_SHARE_DIR", ".kimi", ".kimi-code"), "sessions")
    yield from _below("generic", roots.data(), "goose/sessions")
    yield from _below("generic", roots.either("CONTINUE_GLOBAL_DIR", ".continue"), "sessions")
    yield from _below("generic", roots.either("HERMES_HOME", ".hermes"), "sessions")
    yield from _below("generic", [roots.home / ".amplifier"], "projects")
