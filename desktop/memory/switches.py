"""The one accessor that says whether memory is read, written and extracted (UI-01…UI-03, GT-04). Everything asks here and nowhere else.

Owns the order of precedence. The verdict binds agents, jobs and tools; the person's own edits are never bound. Reads `project.json`
(a small file) at each call, so a switch holds from the next turn on; call it off the GUI thread. Raises nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from desktop.memory.identity import Project, ProjectFile, read_project_file

Extraction = Literal["auto", "review", "off"]


class Settings(Protocol):
    """What is needed of `settings.store.SettingsStore`."""

    @property
    def broken(self) -> bool: ...

    def value(self, key: str) -> object: ...


@dataclass(frozen=True, slots=True)
class MemoryState:
    """Attributes:
    enabled: memory is read, sent and shown to the model.
    reason: why it is off, or "".
    write: agents and jobs may change memory.
    write_reason: why not, with what to do, or "".
    extraction: what the background job does.
    """

    enabled: bool
    reason: str
    write: bool
    write_reason: str
    extraction: Extraction


_NOT_ELSEWHERE = "Do not write it anywhere else instead; what is there stays readable and searchable."


def _off_reason(settings: Settings, stored: ProjectFile, session_enabled: bool | None, environ: Mapping[str, str]) -> str:
    """Why memory is off, or "" (UI-03): a switch always wins over KEEPSAKE_DISABLE_MEMORY=0, which only beats simple mode."""
    disable = environ.get("KEEPSAKE_DISABLE_MEMORY", "").strip().lower()
    if disable in ("1", "true", "yes", "on"):
        return "Memory is off: KEEPSAKE_DISABLE_MEMORY is set."
    if settings.value("features.memory") is not True:
        return "Memory is off in the settings (features.memory)."
    if settings.value("memory.use") is not True:
        return "Memory is off in the settings (memory.use)."
    if stored.switch is False:
        return "Memory is off for this project (workspace-memory switch)."
    if session_enabled is False:
        return "Memory is off for this session; it was created so."
    if disable != "0" and environ.get("KEEPSAKE_SIMPLE", "").strip().lower() in ("1", "true", "yes", "on"):
        return "Memory is off in simple mode (KEEPSAKE_SIMPLE)."
    return ""


def _write_off_reason(settings: Settings, stored: ProjectFile) -> str:
    if settings.broken:
        return "Memory is not written because the settings file cannot be read. The person has to decide in the settings first."
    if not stored.readable:
        return f"Memory is not written: {stored.problem} Setting the workspace-memory switch decides it."
    if settings.value("memory.write") is not True:
        return "Memory writing is off in the settings (memory.write)."
    return ""


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
    reason = _off_reason(settings, stored, session_enabled, environ)
    if reason:
        return MemoryState(False, reason, False, f"{reason} {_NOT_ELSEWHERE}", "off")
    write_reason = _write_off_reason(settings, stored)
    if write_reason:
        return MemoryState(True, "", False, f"{write_reason} {_NOT_ELSEWHERE}", "off")
    chosen = settings.value("memory.extraction")
    extraction: Extraction = "auto" if chosen == "auto" else "review" if chosen == "review" else "off"
    return MemoryState(True, "", True, "", extraction)
