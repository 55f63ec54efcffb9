"""The project's instruction file (AGENTS.md, else CLAUDE.md) as requests hold it: bounded, and never one that lies elsewhere.

Reads one file, writes none. Blocking, in a worker thread.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from desktop.agent.load_report import ItemState, SlotItem
from desktop.agent.prompts import INSTRUCTIONS_HEAD
from desktop.base.phrases import os_reason, say
from desktop.base.redact import visible
from desktop.base.textio import decode
from desktop.base.words import estimate_tokens

INSTRUCTION_FILES = ("AGENTS.md", "CLAUDE.md")
INSTRUCTION_BYTES = 32_768


@dataclass(frozen=True, slots=True)
class Instructions:
    """What was read.

    Attributes:
        block: the text for the request with its heading, "" when there is none.
        items: the files for the load report: what was loaded, and what was left out.
    """

    block: str = ""
    items: tuple[SlotItem, ...] = ()


def read_instructions(workspace: Path) -> Instructions:
    """The first of the instruction files that holds something. Never raises: what cannot be read is in the report."""
    block = ""
    items: list[SlotItem] = []
    for name in INSTRUCTION_FILES:
        path = workspace / name
        if not os.path.lexists(path):
            continue
        if block:
            items.append(SlotItem(name, str(path), "left-out", say("{other} stands in its place.", other=items[-1].name)))
            break
        try:
            data = _own_file(path, workspace, INSTRUCTION_BYTES + 4)
        except OSError as error:
            items.append(SlotItem(name, str(path), "error", os_reason(error)))
            continue
        cut = len(data) > INSTRUCTION_BYTES
        text = decode(_first_bytes(data, INSTRUCTION_BYTES)).strip()
        if not text:
            items.append(SlotItem(name, str(path), "left-out", say("It is empty.")))
            continue
        block = INSTRUCTIONS_HEAD.format(path=visible(str(path)), cut=", cut after 32 KB" if cut else "") + "\n" + text
        state: ItemState = "cut" if cut else "loaded"
        reason = say("Only its first 32 KB are loaded.") if cut else ""
        size = len(text.encode("utf-8", "replace"))
        items.append(SlotItem(name, str(path), state, reason, estimate_tokens(block), size, text.count("\n") + 1))
    return Instructions(block, tuple(items))


def _own_file(path: Path, folder: Path, limit: int) -> bytes:
    """The first `limit` bytes of a file that is sent without a question: a plain one whose real place is inside `folder`.

    A link that leads elsewhere would send what the person never put here; a pipe would wait for ever.

    Raises:
        OSError: it is missing, unreadable, or no such file.
    """
    real = os.path.realpath(path)
    if not Path(real).is_relative_to(os.path.realpath(folder)):
        raise OSError(say("{path} leads out of the folder", path=path))
    handle = os.open(real, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(say("{path} is not a plain file", path=path))
        return file.read(limit)


def _first_bytes(data: bytes, size: int) -> bytes:
    """At most `size` bytes of UTF-8 text, ending with a whole character."""
    if len(data) <= size:
        return data
    while size and data[size] & 0xC0 == 0x80:
        size -= 1
    return data[:size]
