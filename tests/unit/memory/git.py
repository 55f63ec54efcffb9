"""Real repositories for the memory tests."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
SETTINGS = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"]


def git(folder: Path, *arguments: str) -> str:
    """Run git with no settings of this machine; its output without the last line break."""
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(["git", *SETTINGS, *arguments], cwd=folder, check=True, capture_output=True, env=environ)
    return done.stdout.decode().strip()


def repository(folder: Path, *, remote: str = "", text: str = "") -> Path:
    """A repository with one commit; the folder's name makes the commit differ from any other's."""
    folder.mkdir(parents=True)
    git(folder, "init")
    (folder / f"{folder.name}.txt").write_text(text or folder.name)
    git(folder, "add", ".")
    git(folder, "commit", "-m", f"first of {text or folder.name}")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    return folder
