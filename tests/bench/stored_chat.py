"""A stored conversation as a person leaves one, and a profile whose window comes back with it: for benchmarks of the window at rest.

Ten turns: questions in two scripts, answers in Markdown with code in five languages, tables and lists, calls of tools with their results.
Blocking; nothing of Qt. No benchmark by itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from desktop.base.clock import SystemClock
from desktop.base.paths import resolve_paths
from desktop.memory.identity import ensure_project, resolve_project
from desktop.messages.codec import message_to_json
from desktop.messages.parts import Message, TextPart, ToolCallPart, ToolResultPart
from desktop.sessions.record import encode, header_to_json
from desktop.sessions.store import SessionStore
from desktop.sessions.summary import message_state
from tests.bench.session_files import said

TURNS = 10
CODE = (
    ("python", "def parse(line: str) -> int:\n    # the first word is the number\n    return int(line.split()[0])\n"),
    ("bash", 'for name in *.log; do\n  grep -c "error" "$name" || true\ndone\n'),
    ("json", '{"name": "demo", "count": 3, "on": true, "list": [1, 2, 3]}\n'),
    ("diff", "--- a/parse.py\n+++ b/parse.py\n@@ -1,2 +1,2 @@\n-x = 1\n+x = 2\n"),
    ("rust", "fn main() {\n    let sum: u32 = (1..=10).sum();\n    println!(\"{sum}\");\n}\n"),
)  # fmt: skip
TABLE = "| file | lines | 说明 |\n| --- | ---: | --- |\n| `parse.py` | 120 | reads one **line** |\n| `index.py` | 340 | 建立索引 |\n"


def answer(turn: int) -> str:
    language, code = CODE[turn % len(CODE)]
    return (
        f"### Step {turn + 1}\n\nThe parser reads *one* line and gives `int`; 解析器读一行。\n\n"
        f"```{language}\n{code}```\n\n1. first it reads\n2. then it **checks**\n   - and says why\n\n{TABLE}\n> Nothing else was changed.\n"
    )


def conversation(turns: int = TURNS) -> Iterator[Message]:
    """What was asked, what was called, what was answered: five messages a turn."""
    for turn in range(turns):
        first = 5 * turn
        read, shell = f"read_{turn}", f"bash_{turn}"
        look = ToolCallPart(read, "Read", {"file_path": "src/parse.py"})
        run = ToolCallPart(shell, "Bash", {"command": "pytest -q tests/test_parse.py", "description": "Run the tests"})
        yield said(first, 20, role="user")
        yield said(first + 1, 0, role="assistant", parts=(TextPart("I look at the file and run its tests."), look, run))
        yield said(first + 2, 0, role="tool", parts=(ToolResultPart(read, "Read", "1\tx = 1\n2\ty = '二'\n" * 20),))
        yield said(first + 3, 0, role="tool", parts=(ToolResultPart(shell, "Bash", "....\n4 passed in 0.12s\n"),))
        yield said(first + 4, 0, role="assistant", parts=(TextPart(answer(turn)),))


def store(profile: Path, folder: Path, messages: Iterable[Message], model: str, title: str = "A parser") -> str:
    """Write a session of this folder, as its file is; gives its id."""
    paths = resolve_paths(str(profile), {})
    project = resolve_project(folder, paths)
    ensure_project(project, SystemClock())
    handle = SessionStore(paths, SystemClock()).create(project_key=project.key, workspace=folder, memory_enabled=True, model=model)
    now = handle.header.created
    lines = [encode(0, "session", header_to_json(handle.header), now)]
    parent: str | None = None
    for number, one in enumerate(messages, 1):
        message = replace(one, parent=parent)
        parent = message.id
        summary = {"count": number, "tokens": 0, "state": message_state(message), "model": model, "title": title}
        lines.append(encode(number, "message", message_to_json(message), now, **summary))
    handle.path.parent.mkdir(parents=True, exist_ok=True)
    handle.path.write_bytes(b"".join(lines))
    handle.close()
    return handle.id


def left_open(profile: Path, folder: Path, session_id: str, side_view: str = "") -> None:
    """The window of this profile was last closed with this session in the chat (and with this view at the side)."""
    from desktop.ui.window_state import FolderState, Layout, WindowState, to_json

    state = WindowState(Layout(side_view=side_view), str(folder), (str(folder),), (), {str(folder): FolderState((), "", session_id)})
    place = resolve_paths(str(profile), {}).state
    place.mkdir(parents=True, exist_ok=True)
    (place / "window.json").write_text(json.dumps(to_json(state)), encoding="utf-8")
