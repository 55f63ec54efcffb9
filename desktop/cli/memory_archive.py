"""`keepsake memory export|import`: all memories of a root as a zip of Markdown, and back."""

from __future__ import annotations

import argparse
from pathlib import Path

from desktop.base.errors import UsageError
from desktop.cli.memory_names import store_of
from desktop.cli.output import put_json, say
from desktop.compose import Services, Workspace
from desktop.memory.archive import export_memory, import_memory
from desktop.memory.store import ChangeOrigin


def _export(found: argparse.Namespace, services: Services, workspace: Workspace) -> int:
    store, target = store_of(found, workspace), Path(found.file).absolute()
    if target.is_dir():
        raise UsageError(f"{target} is a folder.", hint="Give the name of a file, such as memory.zip.")
    if target.exists() and not found.force:
        raise UsageError(f"{target} exists already.", hint="Give another name, or --force to replace it.")
    report = export_memory(store, target)
    if found.json:
        put_json(
            {"root": str(store.root), "file": str(target), "files": report.files, "bytes": report.bytes, "skipped": len(report.skipped)}
        )
    else:
        say(f"Exported {report.files} files to {target}.")
    for path, why in report.skipped:
        say(f"Left out: {path} ({why}).")
    return 0


def _import(found: argparse.Namespace, services: Services, workspace: Workspace) -> int:
    store, source = store_of(found, workspace), Path(found.file).absolute()
    if not source.is_file():
        raise UsageError(f"There is no file {source}.", hint="Give a zip that “keepsake memory export” made.")
    report = import_memory(store, source, origin=ChangeOrigin("person", reason=f"import of {source.name}"), on_conflict=found.on_conflict)
    there = [*report.same, *report.skipped]
    if found.json:
        renamed = [{"from": old, "to": new} for old, new in report.renamed]
        done = {"imported": list(report.written), "replaced": list(report.replaced), "skipped": there, "renamed": renamed}
        put_json({"root": str(store.root), **done, "change": report.change.id if report.change else None})
        return 0
    say(f"Imported {len(report.written)} files into {store.root}; {len(report.replaced)} replaced, {len(there)} were there already.")
    for old, new in report.renamed:
        say(f"{old} is there with another text: imported as {new}.")
    for warning in report.warnings:
        say(warning)
    if report.change:
        say(f"“keepsake memory undo {report.change.id}” takes all of it back.")
    return 0


ACTIONS = {"export": _export, "import": _import}
