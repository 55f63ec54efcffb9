"""`/fork`, `/rewind`, `/resume`, `/rename` and `/export`: what is done with this chat as a whole, and the way to another one.

Calls no model. `fork`, `rewind` and `resume` run on the session's own thread; the others block and run in worker threads.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.agent.branches import rewind_by
from desktop.agent.slash.markup import blocks, bullets, code, markup, plain
from desktop.agent.slash.result import CommandAction, CommandResult
from desktop.base.errors import NotFoundError, UsageError
from desktop.base.ids import SESSION_ID
from desktop.base.phrases import say, together
from desktop.memory.note import one_line

if TYPE_CHECKING:
    from desktop.agent.session import AgentSession
    from desktop.sessions.export_file import Exported
    from desktop.sessions.summary import SessionSummary

MOST = 6
"""Chats that are offered when words fit several."""
FORMATS = ("md", "json")


async def fork(session: AgentSession, _behind: str) -> CommandResult:
    """A new session with all that was said here."""
    session_id = await session.fork()
    text = say("The fork is {session_id}. This chat stays as it is.", session_id=code(session_id))
    return CommandResult("/fork", say("Fork"), text, {"session": session_id}, opens=session_id, quiet=True)


async def rewind(session: AgentSession, behind: str) -> CommandResult:
    """Take back the person's last message, or the last `behind` ones, with all that came of them.

    Raises:
        UsageError: no such number, or a turn is running.
    """
    if behind and not (behind.isascii() and behind.isdigit()):
        raise UsageError(say("“{text}” is not a number.", text=behind), hint=say("/rewind 2 takes back your last two messages."))
    rewound = await session.rewind(rewind_by(session.messages, int(behind or 1)))
    text = blocks(
        say("Taken back to where {count} messages are left. What came after is kept as a branch.", count=len(session.messages)),
        markup("> {text}", text=plain(one_line(rewound.text, 200))) if rewound.text else "",
    )
    data = {"leaf": rewound.leaf, "messages": len(session.messages), "text": rewound.text}
    return CommandResult("/rewind", say("Rewind"), text, data, draft=rewound.text, quiet=True)


async def resume(session: AgentSession, behind: str) -> CommandResult:
    """The chat of that id, or the one whose title holds the words, else one that says them; several are offered.

    Raises:
        NotFoundError: there is none.
    """
    found = await asyncio.to_thread(_chats, session, behind)
    if not found:
        raise NotFoundError(say("No other chat fits “{words}”.", words=behind), hint=say("/resume alone shows all of them."))
    if len(found) == 1:
        one = found[0]
        text = markup("{title} {id}", title=plain(one.title), id=code(one.id))
        return CommandResult("/resume", say("Resume"), text, {"session": one.id}, opens=one.id, quiet=True)
    lines = bullets(markup("{title} {id}", title=plain(one.title), id=code(f"#{one.id}")) for one in found)
    actions = tuple(
        CommandAction("command", one_line(one.title, 80), text=f"/resume #{one.id}", detail=one.updated.date().isoformat()) for one in found
    )
    data: dict[str, Any] = {"sessions": [{"id": one.id, "title": one.title} for one in found]}
    return CommandResult("/resume", say("Which chat?"), lines, data, "ask", actions=actions)


def _chats(session: AgentSession, words: str) -> list[SessionSummary]:
    """Blocking."""
    services, wanted = session.services, words.strip().removeprefix("#")
    if SESSION_ID.match(wanted):
        return [services.readable.find(wanted)]
    listed = services.all_sessions.list() if services.all_sessions is not None else services.sessions.list()
    others = [one for one in listed if one.id != session.id and one.kind == "chat"]
    asked = words.casefold().split()
    titled = [one for one in others if all(word in one.title.casefold() for word in asked)]
    here = [one for one in titled if one.project_key == session.project.key]
    if titled or services.session_search is None:
        return (here or titled)[:MOST]
    by_id = {one.id: one for one in others}
    hits = services.session_search.search(words, project_key=session.project.key, limit=20, whose="all").hits
    return list(dict.fromkeys(by_id[hit.session_id] for hit in hits if hit.session_id in by_id))[:MOST]


def rename(session: AgentSession, behind: str) -> CommandResult:
    """Give the chat a title; without words its first message's comes back."""
    title = one_line(behind, 200)
    session.handle.set_meta("title", title)
    text = say("This chat is called “{title}” now.", title=plain(session.handle.title))
    return CommandResult("/rename", say("Rename"), text, {"title": session.handle.title})


def export(session: AgentSession, behind: str) -> CommandResult:
    """Write the chat to a file: `md` or `json`, and where. A file that is there already is left alone.

    Raises:
        UsageError: nothing to export, or the place is taken.
        StorageError: it cannot be written.
    """
    from desktop.sessions.export import export_name
    from desktop.sessions.export_file import export_to

    if session.incognito:
        raise UsageError(say("An incognito chat cannot be exported: nothing of it is kept."))
    if not session.handle.stored:
        raise UsageError(say("There is nothing to export yet: this chat holds no messages."))
    first, _, rest = behind.partition(" ")
    form, place = (first.lower(), rest.strip()) if first.lower() in FORMATS else ("", behind.strip())
    if not form:
        form = "json" if place.lower().endswith(".json") else "md"
    kind: Any = form
    summary = session.services.sessions.find(session.id)
    target = _target(session.workspace, place, export_name(summary, kind))
    written = export_to(session.services.sessions, session.id, kind, target)
    said = say("{count} messages are in {path}.", count=written.messages, path=code(str(target)))
    facts = {"file": str(target), "format": form, "messages": written.messages, "pictures": written.pictures, "lost": written.lost}
    return CommandResult("/export", say("Export"), _with_pictures(said, written), facts)


def _with_pictures(said: str, written: Exported) -> str:
    """What was written, with its pictures where there are some."""
    if written.pictures:
        said = together(said, say("Pictures: {count}.", count=written.pictures))
    if written.lost:
        said = together(said, say("Pictures that are lost: {count}.", count=written.lost))
    return said


def _target(workspace: Path, place: str, name: str) -> Path:
    """Where an export goes: a file that is named, a folder, or the workspace; never over what is there."""
    target = workspace
    try:
        target = workspace / Path(place).expanduser() if place else workspace
        target.stat()
    except (FileNotFoundError, NotADirectoryError):
        pass  # there is nothing yet, or it is told below
    except (OSError, RuntimeError, ValueError) as error:  # too long, no such person's home, a NUL inside
        raise UsageError(
            say("“{place}” is not a place for a file.", place=place[:80]), hint=say("Give another name."), detail=str(error)
        ) from error
    if target.is_dir():
        free, number = target / name, 1
        while free.exists():
            number += 1
            free = target / f"{Path(name).stem} {number}{Path(name).suffix}"
        return free
    if target.exists():
        raise UsageError(say("{path} exists already.", path=target), hint=say("Give another name."))
    if not target.parent.is_dir():
        raise UsageError(say("There is no folder {path}.", path=target.parent), hint=say("Make it first, or give another place."))
    return target
