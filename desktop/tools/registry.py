"""All tools of a session by name, in the order in which models see them. Owns nothing but the list."""

from __future__ import annotations

from desktop.sessions.store import SessionStore
from desktop.tools.base import Tool
from desktop.tools.bash import BashTool
from desktop.tools.distil import AskModel
from desktop.tools.edit import EditTool
from desktop.tools.glob import GlobTool
from desktop.tools.grep import GrepTool
from desktop.tools.memory_index import MemoryIndexTool
from desktop.tools.read import ReadTool
from desktop.tools.session_context import ReadSessionContextTool
from desktop.tools.write import WriteTool


def build_tools(sessions: SessionStore, project_key: str, distil: AskModel | None = None, *, memory: bool = False) -> dict[str, Tool]:
    """The tools of this depth.

    Args:
        sessions: where ReadSessionContext finds other sessions.
        project_key: sessions of this project are read freely, others are asked for.
        distil: asks a model to distil what was read; None (always for a small model) = the local extract only.
        memory: memory is on: its index can be listed, and changed unless writing is off.
    """
    tools: list[Tool] = [
        ReadTool(),
        WriteTool(),
        EditTool(),
        GlobTool(),
        GrepTool(),
        BashTool(),
        ReadSessionContextTool(sessions, project_key, distil),
    ]
    tools += [MemoryIndexTool()] if memory else []
    return {tool.spec.name: tool for tool in tools}
