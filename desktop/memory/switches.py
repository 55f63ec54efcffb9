"""The one accessor that says whether memory is read, written and extracted (UI-01…UI-03, GT-04). Everything asks here and nowhere else.

Owns the order of precedence. The verdict binds agents, jobs and tools; the person's own edits are never bound. Reads `project.json`
(a small file) at each call, so a switch holds from the next turn on; call it off the GUI thread. Raises nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from desktop.base.phrases import say, together
from desktop.memory.identity import Project, ProjectFile, mismatch, read_project_file
from desktop.memory.project_file import EXTRACTIONS, Extraction


class Settings(Protocol):
    """What is needed of `settings.store.SettingsStore`."""

    @property
    def broken(self) -> bool: ...

    def value(self, key: str) -> object: ...

    def tightened(self, key: str, value: Any) -> object:
        """`value` as far as the workspace's own file lets it."""
        ...


@dataclass(frozen=True, slots=True)
class MemoryState:
    """Attributes:
    enabled: memory is read, sent and shown to the model.
    reason: why it is off, or "".
    write: agents and jobs may change memory.
    write_reason: why not, with what to do, or "".
    extraction: what the background job does.
    switch: which switch turns memory or its writing off: environment, features.memory, memory.use, workspace, session, simple,
        identity (the memory found belongs to another folder), settings (a broken file), project (a broken project.json), memory.write; ""
        when both are on.
    """

    enabled: bool
    reason: str
    write: bool
    write_reason: str
    extraction: Extraction
    switch: str = ""


EXTRACTION_KEY = "memory.extraction"
Off = tuple[str, str]
"""Which switch, and the reason in words."""
_NOT_ELSEWHERE = say("Do not write it anywhere else instead; what is there stays readable and searchable.")
_NEITHER_READ = say("Do not write it anywhere else instead.")
"""With memory off as a whole, nothing of it is readable: that would be said against the refusal of a read."""


def _off_reason(
    settings: Settings, project: Project, stored: ProjectFile, session_enabled: bool | None, environ: Mapping[str, str]
) -> Off | None:
    """The switch that turns memory off and why, or None (UI-03).

    A switch always wins over KEEPSAKE_DISABLE_MEMORY=0, which only beats simple mode. A home that belongs to another folder is never used.
    """
    disable = environ.get("KEEPSAKE_DISABLE_MEMORY", "").strip().lower()
    if disable in ("1", "true", "yes", "on"):
        return "environment", say("Memory is off: KEEPSAKE_DISABLE_MEMORY is set.")
    if settings.value("features.memory") is not True:
        return "features.memory", say("Memory is off in the settings (features.memory).")
    if settings.value("memory.use") is not True:
        return "memory.use", say("Memory is off in the settings (memory.use).")
    if stored.switch is False:
        return "workspace", say("Memory is off for this project (workspace-memory switch).")
    if session_enabled is False:
        return "session", say("Memory is off for this session; it was created so.")
    if disable != "0" and environ.get("KEEPSAKE_SIMPLE", "").strip().lower() in ("1", "true", "yes", "on"):
        return "simple", say("Memory is off in simple mode (KEEPSAKE_SIMPLE).")
    other = mismatch(project, stored)
    return ("identity", together(say("Memory is off for this folder."), other)) if other else None


def _write_off_reason(settings: Settings, stored: ProjectFile) -> Off | None:
    if settings.broken:
        reason = say("Memory is not written because the settings file cannot be read. The person has to decide in the settings first.")
        return "settings", reason
    if not stored.readable:
        reason = say("Memory is not written: {problem} Setting the workspace-memory switch decides it.", problem=stored.problem)
        return "project", reason
    if settings.value("memory.write") is not True:
        return "memory.write", say("Memory writing is off in the settings (memory.write).")
    return None


def memory_state(
    settings: Settings,
    project: Project,
    *,
    session_enabled: bool | None = None,
    environ: Mapping[str, str],
    workspace_switch: bool = True,
) -> MemoryState:
    """What holds now.

    Args:
        settings: the layered settings of this workspace.
        project: the resolved project.
        session_enabled: `memory.enabled` as stored with the session, or None before there is one.
        environ: the process's environment.
        workspace_switch: False leaves the workspace switch out: an open session keeps the value that it was created with (UI-02).
    """
    stored = read_project_file(project)
    if not workspace_switch:
        stored = replace(stored, switch=None)
    off = _off_reason(settings, project, stored, session_enabled, environ)
    if off is not None:
        return MemoryState(False, off[1], False, together(off[1], _NEITHER_READ), "off", off[0])
    off = _write_off_reason(settings, stored)
    if off is not None:
        return MemoryState(True, "", False, together(off[1], _NOT_ELSEWHERE), "off", off[0])
    return MemoryState(True, "", True, "", extraction_of(settings, stored))


def extraction_of(settings: Settings, stored: ProjectFile) -> Extraction:
    """What the background job does: what the person chose for this project, else in the settings; the workspace's own file only tightens.

    A value that cannot be used is “off”.
    """
    chosen = settings.tightened(EXTRACTION_KEY, stored.extraction or settings.value(EXTRACTION_KEY))
    return next((known for known in EXTRACTIONS if known == chosen), "off")
