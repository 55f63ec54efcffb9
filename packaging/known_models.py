"""Writes `desktop/providers/known_models.py` from the price list of the installed `genai-prices`: `python packaging/known_models.py`.

Run it after another version of that library was pinned; a test compares the two.
"""

from __future__ import annotations

from pathlib import Path

from desktop.providers.prices import LISTED_PROVIDERS, listed_models

TARGET = Path(__file__).resolve().parents[1] / "desktop" / "providers" / "known_models.py"
HEAD = '''"""The vendors' current chat models with their context windows in tokens, None where it is not known. Pure data.

Written by `packaging/known_models.py`, not by hand. A table, since the price list that it comes from takes 15 MiB and 0.3 s to load, and a
chat that opens needs no prices.
"""

from __future__ import annotations

from collections.abc import Mapping

KNOWN_MODELS: Mapping[str, tuple[tuple[str, int | None], ...]] = {
'''


def source() -> str:
    """The module's text."""
    lines = [HEAD]
    for provider in LISTED_PROVIDERS:
        lines.append(f'    "{provider}": (\n')
        for model in listed_models(provider):
            window = "None" if model.context_window is None else f"{model.context_window:_}"
            lines.append(f'        ("{model.name}", {window}),\n')
        lines.append("    ),\n")
    return "".join([*lines, "}\n"])


if __name__ == "__main__":
    TARGET.write_text(source(), encoding="utf-8")
