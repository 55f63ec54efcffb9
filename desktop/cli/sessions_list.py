"""`keepsake sessions list`: the sessions of a workspace, or of all, as the window's list shows them. Reads only."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from desktop.base.clock import iso
from desktop.base.redact import redact, visible
from desktop.cli.arguments import folder_of
from desktop.cli.output import put, put_json, say, table
from desktop.compose import Services
from desktop.memory.identity import keys_of
from desktop.sessions.summary import SessionSummary

SUB_AGENT = "sub-agent"


def summary_to_json(summary: SessionSummary) -> dict[str, Any]:
    """The shape of `interfaces.md`, and what else the list knows."""
    value = {field.name: getattr(summary, field.name) for field in fields(summary)}
    return value | {"started": iso(summary.started), "updated": iso(summary.updated), "path": str(summary.path)}


def list_sessions(found: argparse.Namespace, services: Services) -> int:
    """Print them, newest first: pinned ones before the others in the table, sub-agents counted at the session that they were held for.

    Raises:
        StorageError: a folder of sessions cannot be listed.
        UsageError: the workspace is no folder.
    """
    foreign = services.all_sessions.foreign
    if found.scan or not foreign.ever_looked:
        foreign.refresh()
    summaries = _found(found, services)
    hidden = sum(summary.archived for summary in summaries)
    if not found.archived:
        summaries = [summary for summary in summaries if not summary.archived]
    if found.limit is not None:
        summaries = summaries[: max(0, found.limit)]
    if found.json:
        put_json({"sessions": [summary_to_json(summary) for summary in summaries]})
        return 0
    if summaries:
        put(table(_rows(summaries)))
    elif hidden:
        say("keepsake: all sessions here are archived; --archived shows them")
    else:
        say("keepsake: no sessions here yet" if not found.all else "keepsake: no sessions yet")
    return 0


def _found(found: argparse.Namespace, services: Services) -> list[SessionSummary]:
    keys = (None,) if found.all else keys_of(services.open_workspace(folder_of(found)).project)
    by_id = {summary.id: summary for key in keys for summary in services.all_sessions.list(key)}
    wanted = [summary for summary in by_id.values() if found.source is None or summary.source == found.source]
    return sorted(wanted, key=lambda summary: (summary.updated, summary.id), reverse=True)


def _rows(summaries: Sequence[SessionSummary]) -> list[tuple[str, ...]]:
    there = {summary.id for summary in summaries}
    folded = [s.kind == SUB_AGENT and s.parent in there and s.parent != s.id for s in summaries]
    agents = Counter(s.parent for s, below in zip(summaries, folded, strict=True) if below)
    shown = [s for s, below in zip(summaries, folded, strict=True) if not below]
    shown.sort(key=lambda summary: not summary.pinned)
    mixed = any(summary.source != "keepsake" for summary in shown)
    return [_row(summary, agents[summary.id], mixed=mixed) for summary in shown]


def _row(summary: SessionSummary, agents: int, *, mixed: bool) -> tuple[str, ...]:
    notes = [
        "pinned" if summary.pinned else "",
        "archived" if summary.archived else "",
        "sub-agent" if summary.kind == SUB_AGENT else "",
        f"{agents} sub-agent{'s' if agents > 1 else ''}" if agents else "",
    ]
    said = ", ".join(note for note in notes if note)
    title = redact(visible(summary.title)) + (f"  ({said})" if said else "")
    when = iso(summary.updated)[:16].replace("T", " ")
    source = (summary.source,) if mixed else ()
    return (summary.id, when, f"{summary.messages:>5}", summary.state, *source, title)
