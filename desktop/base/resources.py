"""Where the files that ship with the app are: themes, style sheet, translations, prompts. They are package data below `desktop/resources`.

Reads only; the same in a checkout, an editable install, a wheel and a bundle.
"""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / "resources"


def resource_path(*parts: str) -> Path:
    """The file or folder `parts` below the shipped resources."""
    return ROOT.joinpath(*parts)


def resource_text(*parts: str) -> str:
    """The text of a shipped file; a missing one is a broken installation and raises FileNotFoundError."""
    return resource_path(*parts).read_text(encoding="utf-8")


def icon_font() -> tuple[Path, dict[str, str]] | None:
    """The Codicon font and its glyphs by name, out of the installed `qtawesome`; None if they are not there.

    The package itself is not imported: it loads eleven fonts (310 ms), this one takes 8 ms.
    """
    spec = find_spec("qtawesome")
    if spec is None or spec.origin is None:
        return None
    for file in sorted(Path(spec.origin).parent.glob("fonts/codicon-*.ttf"), reverse=True):
        charmap = file.with_name(file.name.replace("codicon-", "codicon-charmap-").replace(".ttf", ".json"))
        if charmap.exists():
            codes: dict[str, str] = json.loads(charmap.read_text(encoding="utf-8"))
            return file, {name: chr(int(code, 16)) for name, code in codes.items()}
    return None
