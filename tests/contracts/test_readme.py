"""What the README and the scripts promise is there, and nothing of the machine on which it was written got into the tree."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from desktop.cli.arguments import parse

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SCRIPTS = sorted(path for path in (ROOT / "packaging").iterdir() if path.is_file() and path.suffix in ("", ".sh"))
SKIPPED = {".git", ".venv", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".import_linter_cache", ".hypothesis"}
TAKES = {"delete": 1, "show": 1, "remove": 1, "read": 1, "history": 1, "restore": 2, "export": 1, "import": 1, "search": 1}
"""Arguments that an action needs."""
BINARY = {".png", ".qm", ".ttf", ".ico", ".gguf", ".pyc"}


def _machine_words() -> list[str]:
    """What would name this machine: where the checkout lies, the home folder, the host, and the package mirrors that pip uses here."""
    pip = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, timeout=60).stdout
    mirrors = [urlsplit(url).hostname or "" for url in re.findall(r"https?://[^'\s]+", pip)]
    mirrors = [host for host in mirrors if not host.endswith(("pypi.org", "pythonhosted.org"))]
    words = [str(ROOT), str(Path.home()), socket.gethostname(), *mirrors]
    return sorted({word for word in words if len(word) > 5 and word not in ("localhost", "debian")})


def _files() -> list[Path]:
    """Every text file of the tree, without what is made on the way."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in SKIPPED and not name.endswith(".egg-info")]
        found += [Path(folder) / name for name in names if Path(name).suffix not in BINARY]
    return found


def _commands() -> list[str]:
    """The lines of the README's shell blocks."""
    blocks = re.findall(r"```(?:sh|bat)\n(.*?)```", README, flags=re.S)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def test_the_two_commands_are_named_and_there() -> None:
    assert "sh packaging/run" in _commands() and "sh packaging/test" in _commands()
    for line in _commands():
        for script in re.findall(r"packaging[/\\][\w.-]+", line):
            assert (ROOT / script.replace("\\", "/")).is_file(), line


def test_every_command_line_of_the_readme_is_understood() -> None:
    """What stands behind `keepsake`, `packaging/run` or `-m desktop` parses."""
    said = [line.partition("packaging/run")[2] for line in _commands() if "packaging/run" in line]
    said += [line.partition("-m desktop")[2] for line in _commands() if "-m desktop" in line]
    said += re.findall(r"`keepsake ([^`]*)`", README)
    assert len(said) > 5
    for words in said:
        for one in _alternatives(words):
            parse(one)


def _alternatives(words: str) -> list[list[str]]:
    """`memory list\\|show` means both; words in capitals and quotes are arguments."""
    split = shlex.split(words.replace("\\|", "|"))
    choices: list[list[str]] = [[]]
    for word in split:
        options = word.split("|") if "|" in word else [word]
        choices = [[*before, option] for before in choices for option in options]
    return [[*choice, *("x" for _ in range(TAKES.get(choice[-1], 0)))] for choice in choices if choice]


def test_every_link_and_picture_is_there() -> None:
    documents = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
    missing = []
    for document in documents:
        text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.S)
        for target in re.findall(r"\]\(([^)#\s]+)", text):
            if "://" not in target and not (document.parent / target).exists():
                missing.append(f"{document.relative_to(ROOT)}: {target}")
    assert missing == []


def test_pictures_are_small() -> None:
    for picture in (ROOT / "docs" / "images").glob("*.png"):
        assert picture.stat().st_size < 150_000, picture.name


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_the_scripts_are_plain_shell(script: Path) -> None:
    shell = shutil.which("dash") or shutil.which("sh")
    if shell is None:
        pytest.skip("there is no shell here")
    first = script.read_text(encoding="utf-8").split("\n", 1)[0]
    if first.startswith("#!") and not first.endswith("/sh"):
        pytest.skip(f"{script.name} is no shell script")
    done = subprocess.run([shell, "-n", str(script)], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr


def test_ci_runs_the_test_command_of_the_readme() -> None:
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "sh packaging/test" in text


def test_nothing_of_this_machine_is_in_the_tree() -> None:
    words = [word.encode() for word in _machine_words()]
    found = [
        f"{path.relative_to(ROOT)}: {word.decode()}"
        for path in _files()
        for data in (path.read_bytes(),)
        for word in words
        if re.search(rb"(?<![\w.-])" + re.escape(word) + rb"(?![\w-])", data)
    ]
    assert found == []


def test_no_promise_of_something_unfinished() -> None:
    """No placeholder, anywhere in the program."""
    pattern = re.compile(r"\b(?:TODO|FIXME|XXX)\b|(?i:coming soon|not implemented yet|lorem ipsum)")
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sorted((ROOT / "desktop").rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    ]
    assert found == []
