"""`keepsake sessions search`: finds messages of earlier conversations, ours and other tools', from the terminal. Writes the index only.

Shape: `{hits: [{session, title, workspace, message, role, time, snippet, score, path, …}], notes}`; `message` is the number that
“sessions show” prints, or null for one of a branch that was left.
"""

from __future__ import annotations

import argparse
import sys
from itertools import groupby
from typing import Any

from desktop.base.clock import iso
from desktop.base.errors import UsageError
from desktop.base.redact import visible
from desktop.cli.arguments import folder_of
from desktop.cli.memory_search import phrasings
from desktop.cli.output import marked, put_json, put_ready, say
from desktop.compose import Services
from desktop.memory.identity import keys_of
from desktop.sessions.found import OWN
from desktop.sessions.index import MOST, SessionFound, SessionHit


def search(found: argparse.Namespace, services: Services) -> int:
    if not 1 <= found.limit <= MOST:
        raise UsageError(f"--limit is {found.limit}.", hint=f"Give a number from 1 to {MOST}.")
    if found.all and found.workspace is not None:
        raise UsageError(
            f"--all searches in every workspace, --workspace in {found.workspace} only.",
            hint="Leave out --workspace to search everywhere, or --all to search there.",
        )
    try:
        result = _searched(found, services)
    finally:
        services.session_search.close()
    if found.json:
        put_json({"hits": [hit_to_json(hit) for hit in result.hits], "notes": [str(note) for note in result.notes]})
        return 0
    for session, hits in groupby(_by_session(result.hits), key=lambda hit: hit.session_id):
        put_ready(_shown(session, list(hits)))
    if not result.hits:
        say("keepsake: nothing was found. Try fewer and rarer words, or the other language.")
    for note in result.notes:
        say(f"keepsake: {note}")
    return 0


def _searched(found: argparse.Namespace, services: Services) -> SessionFound:
    if found.session is not None:
        services.all_sessions.find(found.session)  # an unknown one is said
    anywhere = found.all or (found.session is not None and found.workspace is None)
    keys = None if anywhere else keys_of(services.open_workspace(folder_of(found)).project)
    words = phrasings(found.query)
    return services.session_search.search(words, project_key=keys, session_id=found.session, limit=found.limit, whose="all")


def hit_to_json(hit: SessionHit) -> dict[str, Any]:
    return {
        "session": hit.session_id,
        "title": hit.title,
        "workspace": hit.workspace,
        "message": hit.message,
        "role": hit.role,
        "time": iso(hit.time),
        "snippet": hit.snippet,
        "score": round(hit.score, 4),
        "path": str(hit.path),
        "project": hit.project_key,
        "message_id": hit.message_id,
        "number": hit.number,
        "marks": [list(mark) for mark in hit.marks],
        "why": hit.why,
        "source": hit.source,
    }


def _by_session(hits: tuple[SessionHit, ...]) -> list[SessionHit]:
    """Sessions in the order of their best hit, the hits of each in the order of the conversation."""
    order = {session: number for number, session in enumerate(dict.fromkeys(hit.session_id for hit in hits))}
    return sorted(hits, key=lambda hit: (order[hit.session_id], hit.number))


def _shown(session: str, hits: list[SessionHit]) -> str:
    source = f" · {hits[0].source}" if hits[0].source != OWN else ""
    lines = [f"{visible(hits[0].title)}", f"{session} · {visible(hits[0].workspace)}{source}"]
    for hit in hits:
        place = "[left branch]" if hit.message is None else f"[{hit.message}]"
        lines.append(f"  {place} {hit.role} · {iso(hit.time)[:16].replace('T', ' ')}")
        lines.append(f"      {marked(hit.snippet, hit.marks, sys.stdout)}")
    return "\n".join([*lines, ""])
