"""Which programs tools may start and with which environment: found by absolute path, never in the workspace, without the app's own keys.

Pure but for looking whether a file exists.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

_OWN = re.compile(
    r"KEEPSAKE_.*|.*_API_?KEY|(?:ANTHROPIC|CLAUDE|OPENAI|GEMINI|OPENROUTER|MISTRAL|GROQ|DEEPSEEK|DASHSCOPE|ZHIPU|ZAI|MOONSHOT|XAI)_.*(?:KEY|TOKEN|SECRET).*"
    r"|HF_TOKEN|HUGGING_?FACE_?HUB_TOKEN",
    re.IGNORECASE,
)
_SHELL_START = re.compile(r"BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|CDPATH|GLOBIGNORE")
_QUIET = {
    "TERM": "dumb",
    "NO_COLOR": "1",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_EDITOR": "true",
    "EDITOR": "true",
    "VISUAL": "true",
    "DEBIAN_FRONTEND": "noninteractive",
}
"""So that nothing waits for a terminal that is not there."""


def child_environ(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of a command: the person's, without model keys, our own variables and what makes a shell run more than it is told."""
    kept = {name: value for name, value in environ.items() if not _OWN.fullmatch(name) and not _SHELL_START.fullmatch(name)}
    return kept | _QUIET


def find_program(name: str, environ: Mapping[str, str], workspace: Path) -> Path | None:
    """The program by its absolute path; folders of the search path that are relative, or inside the workspace, do not count."""
    suffixes = [".exe"] if sys.platform == "win32" else [""]
    inside = Path(os.path.realpath(workspace))
    for folder in environ.get("PATH", os.defpath).split(os.pathsep):
        for suffix in suffixes:
            found = Path(folder) / f"{name}{suffix}"
            if not found.is_absolute() or not found.is_file() or not os.access(found, os.X_OK):
                continue
            if not Path(os.path.realpath(found)).is_relative_to(inside) and not found.is_relative_to(inside):
                return found
    return None
