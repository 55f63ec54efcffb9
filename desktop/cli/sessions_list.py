"""`keepsake sessions list`: the sessions of a workspace, or of all, as the window's list shows them. Reads only."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from desktop.base.clock import iso
from desktop.base.errors import UsageError
from desktop.base.redact import redact_many, visible
from desktop.cli.arguments import folder_of
from desktop.cli.output import put, put_json, say, table
from desktop.compose import Services
from desktop.memory.identity import keys_of
from desktop.sessions.summary import INTERRUPTED, SessionSummary

SUB_AGENT, RUNNING = "sub-agent", "running"


def _masked(summaries: Sequence[SessionSummary]) -> list[SessionSummary]:
    """With the secrets in their titles and previews masked."""
    shown = redact_many([text for summary in summaries for text in (summary.title, summary.preview)])
    return [replace(one, title=title, preview=text) for one, title, text in zip(summaries, shown[::2], shown[1::2], strict=True)]


def as_they_are(summaries: Sequence[SessionSummary], services: Services) -> list[SessionSummary]:
    """With those `running` whose turn is under way in another process: from its file alone such a one looks interrupted."""
    held = services.sessions.open_elsewhere()
    return [replace(one, state=RUNNING) if one.state == INTERRUPTED and one.id in held else one for one in summaries]


def summary_to_json(summary: SessionSummary) -> dict[str, Any]:
    """The shape of `interfaces.md`, and what else the list knows."""
    value = {field.name: getattr(summary, field.name) for field in fields(summary)}
    if not summary.counted:
        value |= {"messages": None, "tokens": None}
    return value | {"started": iso(summary.started), "updated": iso(summary.updated), "path": str(summary.path)}


def list_sessions(found: argparse.Namespace, services: Services) -> int:
    """Print them, newest first: pinned ones before the others in the table, sub-agents counted at the session that they were held for.

    Raises:
        StorageError: a folder of sessions cannot be listed.
        UsageError: the workspace is no folder, or a limit that lets nothing through.
    """
    if found.limit is not None and found.limit < 1:
        raise UsageError(f"--limit is {found.limit}.", hint="Give a number from 1 on, or leave it out for all of them.")
    foreign = services.all_sessions.foreign
    if found.scan or not foreign.ever_looked:
        foreign.refresh()
    summaries = _found(found, services)
    hidden = sum(summary.archived for summary in summaries)
    if not found.archived:
        summaries = [summary for summary in summaries if not summary.archived]
    summaries = as_they_are(summaries[: found.limit], services)
    if found.json:
        put_json({"sessions": [summary_to_json(summary) for summary in _masked(summaries)]})
        return 0
    if summaries:
        put(table(rows(_masked(summaries))))
    elif hidden:
        say("keepsake: all sessions here are archived; --archived shows them")
    else:
        say(_none(found, services))
    return 0


def _none(found: argparse.Namespace, services: Services) -> str:
    """Why the list is empty, and where there are some."""
    where = "" if found.all else " here"
    if found.source is None:
        return f"keepsake: no sessions{where} yet" + ("" if found.all else "; --all shows those of every workspace")
    there = sorted({summary.source for summary in services.all_sessions.list()})
    known = f" There are some of: {', '.join(there)}." if there else ""
    return f"keepsake: no sessions of {found.source}{where}.{known}"


def _found(found: argparse.Namespace, services: Services) -> list[SessionSummary]:
    keys = (None,) if found.all else keys_of(services.open_workspace(folder_of(found)).project)
    by_id = {summary.id: summary for key in keys for summary in services.all_sessions.list(key)}
    wanted = [summary for summary in by_id.values() if found.source is None or summary.source == found.source]
    return sorted(wanted, key=lambda summary: (summary.updated, summary.id), reverse=True)


def rows(summaries: Sequence[SessionSummary]) -> list[tuple[str, ...]]:
    """The table's rows: sub-agents are counted at the session that they were held for."""
    by_id = {summary.id: summary for summary in summaries}
    tops = [_top(summary, by_id) for summary in summaries]
    agents = Counter(top for summary, top in zip(summaries, tops, strict=True) if top != summary.id)
    shown = [summary for summary, top in zip(summaries, tops, strict=True) if top == summary.id]
    shown.sort(key=lambda summary: not summary.pinned)
    mixed = any(summary.source != "keepsake" for summary in shown)
    return [_row(summary, agents[summary.id], mixed=mixed) for summary in shown]


def _top(summary: SessionSummary, by_id: Mapping[str, SessionSummary]) -> str:
    """The session for which a sub-agent was held, also one of a sub-agent's own; any other stands for itself, and so does one in a ring."""
    seen = {summary.id}
    at = summary
    while at.kind == SUB_AGENT and at.parent in by_id:
        if at.parent in seen:
            return summary.id
        seen.add(at.parent)
        at = by_id[at.parent]
    return at.id


def _row(summary: SessionSummary, agents: int, *, mixed: bool) -> tuple[str, ...]:
    notes = [
        "pinned" if summary.pinned else "",
        "archived" if summary.archived else "",
        "sub-agent" if summary.kind == SUB_AGENT else "",
        "" if summary.counted else "not counted: a large file",
        f"{agents} sub-agent{'s' if agents > 1 else ''}" if agents else "",
    ]
    said = ", ".join(note for note in notes if note)
    title = visible(summary.title) + (f"  ({said})" if said else "")
    when = iso(summary.updated)[:16].replace("T", " ")
    source = (summary.source,) if mixed else ()
    count = f"{summary.messages:>5}" if summary.counted else "    –"
    return (summary.id, when, count, summary.state, *source, title)
