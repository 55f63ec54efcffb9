"""Brings the translation files up to date and compiles them: `python packaging/translations.py [--check]`.

Strings are collected from `desktop/` into `desktop/resources/translations/*.ts` (Chinese whole, English for its plural forms only) and
compiled to the `*.qm` that the app loads. The window's stand in `tr` and `translate`, those of the core, which knows no Qt, in `say`.
Both files are in the repository, so that a fresh clone needs no step. `--check` changes nothing and fails on a string that is missing,
unfinished, or not compiled yet.
"""

from __future__ import annotations

import argparse
import ast
import json
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "desktop"
FOLDER = PACKAGE / "resources" / "translations"
LANGUAGES = {"zh_CN": (), "en": ("-pluralonly",)}
"""Language and the further options of lupdate."""
CORE = "Core"
"""Context of the core's sentences, as `bridge/spoken.py` looks them up."""


def sources() -> list[str]:
    """Every Python file that may hold a string for people."""
    folders = ("ui", "app", "bridge")
    return sorted(str(path) for folder in folders for path in (PACKAGE / folder).rglob("*.py"))


def core_sources() -> list[Path]:
    """Every Python file that may hold a sentence of the core (`base/phrases.py`); the terminal has a `say` of its own."""
    return sorted(path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] not in ("cli", "resources"))


def phrases() -> list[str]:
    """The literals of every `say("…")`, each once, in the order of the files."""
    found: dict[str, None] = {}
    for path in core_sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say" and node.args:
                text = node.args[0]
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    found[text.value] = None
    return list(found)


def _phrase_file(folder: Path) -> Path:
    """The core's sentences in the form that Qt's tool reads."""
    lines = [f"QCoreApplication.translate({json.dumps(CORE)}, {json.dumps(text, ensure_ascii=False)})\n" for text in phrases()]
    file = folder / "core_phrases.py"
    file.write_text("".join(lines), encoding="utf-8")
    return file


def _tool(name: str) -> str:
    """The tool of the environment that runs this, else the one on the PATH."""
    beside = Path(sysconfig.get_path("scripts")) / name
    found = shutil.which(str(beside)) or shutil.which(str(Path(sys.executable).parent / name)) or shutil.which(name)
    if found is None:
        raise SystemExit(f"{name} is not here. It comes with pyside6-essentials.")
    return found


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode or "rror" in done.stderr or "arning" in done.stderr:
        raise SystemExit(f"{' '.join(command[:1])} failed:\n{done.stdout}{done.stderr}")


def update(folder: Path = FOLDER) -> None:
    """Put the strings of the code into the `.ts` files of `folder`; translations that are there stay."""
    with tempfile.TemporaryDirectory() as place:
        core = str(_phrase_file(Path(place)))
        for language, options in LANGUAGES.items():
            file = folder / f"{language}.ts"
            _run(
                _tool("pyside6-lupdate"), *sources(), core, *options, "-no-obsolete", "-locations", "none", "-sort-messages",
                "-disable-heuristic", "similartext", "-source-language", "en", "-target-language", language, "-ts", str(file),
            )  # fmt: skip


def compile_files(folder: Path = FOLDER) -> None:
    """Make the `.qm` files beside the `.ts` files."""
    for language in LANGUAGES:
        _run(_tool("pyside6-lrelease"), "-silent", str(folder / f"{language}.ts"), "-qm", str(folder / f"{language}.qm"))


def problems(file: Path) -> list[str]:
    """What is unfinished in a `.ts` file, each with its context."""
    found = []
    for context in ElementTree.parse(file).getroot().iter("context"):
        name = context.findtext("name", "")
        for message in context.iter("message"):
            translation = message.find("translation")
            forms = [] if translation is None else [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
            finished = translation is not None and translation.get("type") != "unfinished" and all(form.strip() for form in forms)
            if not finished or not forms:
                found.append(f"{file.name}: {name}: {message.findtext('source', '')!r}")
    return found


def messages(file: Path) -> set[tuple[str, str, str]]:
    """(context, source, disambiguation) of every message of a `.ts` file."""
    return {
        (context.findtext("name", ""), message.findtext("source", ""), message.findtext("comment", ""))
        for context in ElementTree.parse(file).getroot().iter("context")
        for message in context.iter("message")
    }


def check(folder: Path = FOLDER) -> list[str]:
    """Everything that is not as it should be, compared with a fresh copy."""
    found: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place)
        for language in LANGUAGES:
            shutil.copy(folder / f"{language}.ts", copy)
        update(copy)
        compile_files(copy)
        for language in LANGUAGES:
            fresh, stored = copy / f"{language}.ts", folder / f"{language}.ts"
            found += problems(fresh)
            found += [f"{stored.name}: not in the code any more: {one}" for one in sorted(messages(stored) - messages(fresh))]
            compiled = folder / f"{language}.qm"
            if not compiled.exists() or compiled.read_bytes() != (copy / f"{language}.qm").read_bytes():
                found.append(f"{compiled.name} is not compiled from {stored.name}: run packaging/translations.py")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--check", action="store_true", help="change nothing; fail on what is missing or unfinished")
    if parser.parse_args().check:
        found = check()
        print("\n".join(found) or "All strings are translated.")
        return 1 if found else 0
    update()
    compile_files()
    left = [one for language in LANGUAGES for one in problems(FOLDER / f"{language}.ts")]
    print("\n".join([*left, f"{len(left)} strings are unfinished." if left else "All strings are translated."]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
