"""All tools of a session by name, in the order in which models see them. Owns nothing but the list."""

from __future__ import annotations

from collections.abc import Callable, Collection

from desktop.memory.search import MemorySearch
from desktop.sessions.all_sessions import AllSessions
from desktop.sessions.index import SessionSearch
from desktop.sessions.store import SessionStore
from desktop.tools.base import Tool
from desktop.tools.bash import BashTool
from desktop.tools.distil import AskModel
from desktop.tools.edit import EditTool
from desktop.tools.glob import GlobTool
from desktop.tools.grep import GrepTool
from desktop.tools.history_search import HistorySearchTool
from desktop.tools.memory_index import MemoryIndexTool
from desktop.tools.memory_search import MemorySearchTool
from desktop.tools.read import ReadTool
from desktop.tools.session_context import ReadSessionContextTool, Sessions
from desktop.tools.write import WriteTool


def build_tools(
    sessions: SessionStore,
    project_key: str,
    distil: AskModel | None = None,
    *,
    memory: bool = False,
    memory_search: MemorySearch | None = None,
    session_search: SessionSearch | None = None,
    all_sessions: Sessions | None = None,
    own_keys: Callable[[], Collection[str]] | None = None,
) -> dict[str, Tool]:
    """The tools of this depth.

    Args:
        sessions: our own sessions.
        project_key: sessions of this project are read freely, others are asked for.
        distil: asks a model to distil what was read; None (always for a small model) = the local extract only.
        memory: memory is on: its index can be listed, and changed unless writing is off.
        memory_search: searches memory, whatever the writing switch says; needs memory to be on.
        session_search: searches earlier conversations, whether memory is on or off.
        all_sessions: what ReadSessionContext reads; with those of other tools. None: our own.
        own_keys: all keys that sessions of this project may have, asked for at each reading; None: `project_key` alone.
    """
    tools: list[Tool] = [
        ReadTool(),
        WriteTool(),
        EditTool(),
        GlobTool(),
        GrepTool(),
        BashTool(),
        ReadSessionContextTool(all_sessions or sessions, own_keys or project_key, distil),
    ]
    tools += [MemoryIndexTool()] if memory else []
    tools += [MemorySearchTool(memory_search)] if memory and memory_search is not None else []
    if session_search is not None:
        everything = all_sessions if isinstance(all_sessions, AllSessions) else None
        tools.append(HistorySearchTool(sessions, session_search, project_key, everything=everything))
    return {tool.spec.name: tool for tool in tools}
