"""`keepsake memory projects|relink|adopt`: whose memory is where, and taking over what a renamed or lost folder left."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from desktop.base.errors import NotFoundError
from desktop.cli.output import put, put_json, say, table
from desktop.compose import Services, Workspace
from desktop.memory.identity import Project, list_projects
from desktop.memory.note import list_notes
from desktop.memory.relink import adopt, decline, orphans, relink


def tell_moved(workspace: Workspace) -> None:
    """Say that memory of this folder under an earlier name or place was found; the person decides."""
    for candidate in workspace.moved:
        say(
            f"keepsake: this folder seems to be {candidate.project.source}, renamed or moved ({candidate.detail}). Its memory has "
            f"{candidate.notes} notes. “keepsake memory relink” takes it over, “keepsake memory relink --decline” starts anew."
        )


def _project_to_json(project: Project, lost: bool) -> dict[str, Any]:
    notes = len(list_notes(project.memory_root))
    return {
        "key": project.key,
        "label": project.label,
        "source": project.source,
        "root": str(project.memory_root),
        "notes": notes,
        "orphan": lost,
    }


def _projects(found: argparse.Namespace, services: Services, workspace: Workspace) -> int:
    lost = {project.key for project in orphans(services.paths)}
    shown = [_project_to_json(project, project.key in lost) for project in list_projects(services.paths)]
    if found.json:
        put_json({"projects": shown})
    elif shown:
        put(table([(p["key"], f"{p['notes']} notes", "folder is gone" if p["orphan"] else "", p["source"]) for p in shown]))
    else:
        say("No project has memory yet.")
    return 0


def _relink(found: argparse.Namespace, services: Services, workspace: Workspace) -> int:
    if found.decline:
        decline(workspace.project, services.clock)
        say(f"{workspace.folder} starts with a memory of its own; it is not asked again.")
        return 0
    key = found.key or (workspace.moved[0].project.key if workspace.moved else "")
    if not key:
        raise NotFoundError(
            f"No memory of an earlier place of {workspace.folder} was recognised.",
            hint="“keepsake memory projects” lists all; “keepsake memory adopt KEY” brings one in.",
        )
    project = relink(workspace.project, key, services.paths, services.clock)
    if found.json:
        put_json({"key": project.key, "root": str(project.memory_root), "source": project.source})
    else:
        say(f"{workspace.folder} goes on with its earlier memory in {project.memory_root}.")
    return 0


def _adopt(found: argparse.Namespace, services: Services, workspace: Workspace) -> int:
    report = adopt(found.key, workspace.project, services.paths, services.clock, workspace.store)
    if found.json:
        renamed = [{"from": old, "to": new} for old, new in report.renamed]
        put_json({"root": str(workspace.project.memory_root), "moved": report.moved, "renamed": renamed})
        return 0
    say(f"{report.moved} memories of {found.key} are now in {Path(workspace.project.memory_root)}.")
    for old, new in report.renamed:
        say(f"{old} was taken: it is {new} here.")
    for path, why in report.left:
        say(f"Left where it was: {path} ({why}).")
    return 0


ACTIONS = {"projects": _projects, "relink": _relink, "adopt": _adopt}
