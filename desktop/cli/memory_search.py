"""`keepsake memory search`: finds memories from the terminal. The person's own act: no switch binds it. Reads only, but for the index.

Shapes stand in the interfaces: `hits` with path, scope, name, snippet, score, modified, origin, and more.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from desktop.base.clock import iso
from desktop.base.errors import UsageError
from desktop.base.redact import visible
from desktop.cli.output import marked, put_json, put_ready, safe_for, say
from desktop.compose import Services, Workspace
from desktop.memory.search import MOST_HITS, MemoryHit

QUERIES = 4


def search(found: argparse.Namespace, services: Services, workspace: Workspace) -> int:
    if not 1 <= found.limit <= MOST_HITS:
        raise UsageError(f"--limit is {found.limit}.", hint=f"Give a number from 1 to {MOST_HITS}.")
    try:
        result = services.memory_search.search(
            workspace.memories,
            phrasings(found.query),
            scope=found.scope,
            scope_id=found.scope_id,
            type=found.type,
            limit=found.limit,
        )
    finally:
        services.memory_search.close()
    if found.json:
        put_json({"hits": [hit_to_json(hit) for hit in result.hits], "notes": [str(note) for note in result.notes]})
        return 0
    for hit in result.hits:
        put_ready(_shown(hit))
    if not result.hits:
        say("keepsake: nothing was found. Try fewer and rarer words, or the other language.")
    for note in result.notes:
        say(f"keepsake: {note}")
    return 0


def phrasings(words: Sequence[str]) -> list[str]:
    """The questions of a command line: words by themselves are one; where one of them holds a blank, each is a phrasing of its own.

    Raises:
        UsageError: there are too many phrasings.
    """
    several = any(len(word.split()) > 1 for word in words)
    if several and len(words) > QUERIES:
        raise UsageError(f"{len(words)} phrasings are given.", hint=f"Give at most {QUERIES}, each in quotes.")
    return list(words) if several else [" ".join(words)]


def hit_to_json(hit: MemoryHit) -> dict[str, Any]:
    return {
        "path": hit.path,
        "scope": hit.scope,
        "name": hit.name,
        "snippet": hit.snippet,
        "score": round(hit.score, 4),
        "modified": iso(hit.modified),
        "origin": hit.origin_session or None,
        "root": hit.root_id,
        "scope_id": hit.scope_id,
        "absolute": str(hit.absolute),
        "line": hit.line,
        "type": hit.type,
        "why": hit.why,
        "marks": [list(mark) for mark in hit.marks],
    }


def _shown(hit: MemoryHit) -> str:
    place = safe_for(sys.stdout, f"{hit.path}:{hit.line}")
    facts = safe_for(sys.stdout, f"  {hit.scope} · {hit.type} · {iso(hit.modified)[:10]} · {visible(hit.why)}")
    return f"{place}{facts}\n    {marked(hit.snippet, hit.marks)}"
