"""How well a conversation becomes memory: precision, recall and type accuracy over the labelled chats, by kind and language.

`python -m tests.bench.bench_extraction [guards] [model] [--unseen] [--minutes N]`: all sets go through the guards, the one used to write
them and the four held out; the model gets the first, with `--unseen` the second. Without arguments the guards alone, which
need no model, and the embedded model when it is installed (or named by `KEEPSAKE_MODELS`). With the model each chat is a real session: the
turns before the last message are put into its transcript, the last one is a turn of the model, then the background job runs.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path

from desktop.agent.session import AgentSession
from desktop.base.ids import new_message_id
from desktop.base.paths import AppPaths
from desktop.compose import Options, Services, build_services
from desktop.messages.events import ApprovalAnswer, ApprovalRequest
from desktop.messages.parts import Message, TextPart, ToolCallPart, ToolResultPart
from desktop.providers.catalogue import find_file
from tests.bench.extraction_set import (
    FOLDER,
    FOURTH,
    FRESH,
    NOTHING,
    THIRD,
    UNSEEN,
    Chat,
    Score,
    chats,
    guards_alone,
    holds_foreign,
    score,
    table,
    total,
)

MINUTES = 25.0


def main() -> None:
    """Prints both tables as Markdown."""
    arguments = [one for one in sys.argv[1:] if not one.startswith("--")]
    minutes = float(sys.argv[sys.argv.index("--minutes") + 1]) if "--minutes" in sys.argv else MINUTES
    now = datetime.now(UTC).astimezone()
    if not arguments or "guards" in arguments:
        report("guards alone", [(chat, *_guards(chat, now)) for chat in chats(now)])
        report("held out, guards alone", [(chat, *_guards(chat, now)) for chat in chats(now, UNSEEN)])
        report("fresh, guards alone", [(chat, *_guards(chat, now)) for chat in chats(now, FRESH)])
        report("third, guards alone", [(chat, *_guards(chat, now)) for chat in chats(now, THIRD)])
        report("fourth, guards alone", [(chat, *_guards(chat, now)) for chat in chats(now, FOURTH)])
    if not arguments or "model" in arguments:
        if _installed():
            unseen = "--unseen" in sys.argv
            title = "held out, embedded model" if unseen else "embedded model"
            report(title, asyncio.run(with_model(chats(now, UNSEEN if unseen else FOLDER), minutes)))
        else:
            print("The embedded model is not installed: only the guards were measured.")


Outcome = tuple[Chat, dict[str, str], dict[str, str]]
"""A chat, and what memory held before and after it."""


def _guards(chat: Chat, now: datetime) -> tuple[dict[str, str], dict[str, str]]:
    return dict(chat.notes), guards_alone(chat, now)


def _installed() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        return find_file(AppPaths(place / "data", place / "config", place / "cache"), os.environ) is not None


def report(title: str, outcomes: list[Outcome]) -> None:
    """The table, what the guards promise, and each chat that went wrong."""
    scored: list[tuple[Chat, Score]] = [(chat, score(chat, before, after)) for chat, before, after in outcomes]
    kinds = list(dict.fromkeys(chat.kind for chat, _ in scored))
    rows = [(f"all, {title}", total(s for _, s in scored))]
    rows += [(language, total(s for c, s in scored if c.language == language)) for language in ("english", "chinese")]
    rows += [(kind, total(s for c, s in scored if c.kind == kind)) for kind in kinds]
    nothing = total(s for c, s in scored if c.kind in NOTHING or (title.startswith("fourth") and not c.expected))
    foreign = [chat.id for chat, before, after in outcomes if holds_foreign(chat, before, after)]
    print(f"## {title}, n = {len(outcomes)}\n\n{table(rows)}\n")
    print(f"nothing to save, untouched: {nothing.untouched} of {nothing.chats}")
    print(f"a quoted instruction, a tool's order or a secret was written in: {', '.join(foreign) or 'none'}")
    for chat, one in scored:
        if one.found != one.expected or one.right != one.done:
            print(f"  {chat.id} {chat.kind}: found {one.found}/{one.expected}, right {one.right}/{one.done}")
    print(flush=True)


# --- with the model -----------------------------------------------------------------------------------------------------


class _Refuses:
    """Nobody answers: what would ask is refused."""

    async def answer(self, request: ApprovalRequest) -> ApprovalAnswer:
        return ApprovalAnswer("deny", "")


async def with_model(wanted: list[Chat], minutes: float) -> list[Outcome]:
    """Real sessions of one process, the languages in turn, until the time is used up; each chat has a workspace of its own."""
    ends = time.monotonic() + minutes * 60
    mixed = _in_turn(wanted)
    done: list[Outcome] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        services = build_services(Options(str(folder / "profile"), "embedded", environ=os.environ, headless=True))
        keep = services.new_session(services.open_workspace(_folder(folder / "keep", {})))  # holds the server over the others
        for chat in mixed:
            if time.monotonic() > ends:
                print(f"time is used up: {len(done)} of {len(mixed)} chats were run", flush=True)
                break
            started = time.monotonic()
            done.append(await _one(chat, services, _folder(folder / chat.id, chat.files)))
            print(f"  {chat.id} {chat.kind}: {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
        await keep.close()
        services.memory_search.close()
        services.session_search.close()
    return done


def _in_turn(wanted: list[Chat]) -> list[Chat]:
    """The first chat of every kind and language, then the second of each, so that a run that is cut short has seen all kinds."""
    groups: dict[tuple[str, str], list[Chat]] = {}
    for chat in wanted:
        groups.setdefault((chat.kind, chat.language), []).append(chat)
    return [chat for round_ in zip_longest(*groups.values()) for chat in round_ if chat is not None]


def _folder(place: Path, files: dict[str, str]) -> Path:
    place.mkdir(parents=True)
    for name, text in files.items():
        (place / name).write_text(text, encoding="utf-8")
    return place


async def _one(chat: Chat, services: Services, place: Path) -> Outcome:
    session = services.new_session(services.open_workspace(place))
    root = session.memories.store().root
    root.mkdir(parents=True, exist_ok=True)
    for path, text in chat.notes:
        (root / path).write_text(text, encoding="utf-8")
    before = _notes(root)
    try:
        _history(session, chat)
        await session.run(chat.say[-1], lambda event: None, _refuse)
        await session.extract_now()
    finally:
        await session.close()
    return chat, before, _notes(root)


async def _refuse(request: ApprovalRequest) -> ApprovalAnswer:
    """Nobody answers here: what would ask is refused."""
    return ApprovalAnswer("deny", "")


def _history(session: AgentSession, chat: Chat) -> None:
    """The turns before the last message, and the tool's output, as a transcript holds them."""
    now = datetime.now(UTC)
    parent: str | None = None

    def put(role: str, *parts: object) -> None:
        nonlocal parent
        message = Message(new_message_id(now), role, tuple(parts), now, parent)  # type: ignore[arg-type]
        session.handle.append(message)
        parent = message.id

    for said, reply in zip(chat.say[:-1], chat.replies, strict=True):
        put("user", TextPart(said))
        put("assistant", TextPart(reply))
    if chat.tool:
        put("user", TextPart("ls" if chat.language == "english" else "看一下目录"))
        put("assistant", ToolCallPart("call_1", "Bash", {"command": "cat log"}))
        put("tool", ToolResultPart("call_1", "Bash", chat.tool))
        put("assistant", TextPart("ok"))


def _notes(root: Path) -> dict[str, str]:
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in root.rglob("*.md") if path.name != "MEMORY.md"}


if __name__ == "__main__":
    main()
