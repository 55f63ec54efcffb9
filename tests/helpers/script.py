"""Scripts for the scripted model, written to a file as a person would write one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def call(name: str, call_id: str | None = None, **arguments: Any) -> dict[str, Any]:
    """A tool call of a scripted response."""
    return {"name": name, "input": arguments} | ({"id": call_id} if call_id else {})


def write_script(folder: Path, responses: list[dict[str, Any]], name: str = "script.json", **top: Any) -> str:
    """Write the script and give the model id that plays it."""
    path = folder / name
    path.write_text(json.dumps({"responses": responses} | top, ensure_ascii=False), encoding="utf-8")
    return f"scripted:{path}"
