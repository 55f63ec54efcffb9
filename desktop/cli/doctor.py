"""`keepsake doctor`: what is installed, found and configured, and what is wrong with it. Reads only, but for `--accept-settings`."""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import desktop
from desktop.base.errors import KeepsakeError
from desktop.base.paths import resolve_paths
from desktop.cli.arguments import folder_of
from desktop.cli.main import options_of
from desktop.cli.output import put, put_json
from desktop.compose import Services, Workspace, build_services

PACKAGES = ("pyside6-essentials", "pydantic-ai-slim", "xllamacpp", "watchdog", "keyring", "pyyaml", "markdown-it-py", "nh3", "numpy")
PROGRAMS = ("git", "rg", "bash")
KEYS = ("anthropic", "openai", "google")


@dataclass(slots=True)
class Report:
    """Facts by topic, and problems as sentences with their way out."""

    facts: dict[str, Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def run(found: argparse.Namespace) -> int:
    """0 when nothing is wrong, else 1."""
    report = Report()
    _system(report)
    try:
        services = build_services(options_of(found, headless=True))
    except KeepsakeError as error:
        report.problems.append(error.text())
        report.facts["profile"] = str(resolve_paths(found.profile_dir).data)
    else:
        if found.accept_settings:
            services.settings.resolve_broken()
        _profile(report, services)
        _settings_and_memory(report, services, found)
        _models(report, services)
    if found.json:
        put_json({"problems": report.problems, "facts": report.facts})
    else:
        for line in _lines(report.facts):
            put(line)
        put("")
        put("\n".join(f"Problem: {problem}" for problem in report.problems) if report.problems else "No problems found.")
    return 1 if report.problems else 0


def _lines(facts: dict[str, Any], prefix: str = "") -> Iterator[str]:
    for name, value in facts.items():
        if isinstance(value, dict):
            yield f"{prefix}{name}:"
            yield from _lines(value, prefix + "  ")
        elif isinstance(value, list):
            yield f"{prefix}{name}: {', '.join(str(item) for item in value) or 'none'}"
        else:
            yield f"{prefix}{name}: {'none' if value is None else value}"


def _system(report: Report) -> None:
    report.facts["keepsake"] = desktop.__version__
    report.facts["python"] = f"{platform.python_version()} ({sys.executable})"
    report.facts["platform"] = platform.platform()
    packages: dict[str, str | None] = {}
    for name in PACKAGES:
        try:
            packages[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            packages[name] = None
            report.problems.append(f"The package {name} is not installed. Run “sh packaging/run” again.")
    qt = packages["pyside6-essentials"] or ""
    if qt.startswith("6.12") and sys.version_info < (3, 12):
        report.problems.append(f"PySide6 {qt} aborts on Python {platform.python_version()}. Install pyside6-essentials==6.11.3.")
    report.facts["packages"] = packages
    report.facts["programs"] = {name: shutil.which(name) for name in PROGRAMS}
    report.facts["sqlite"] = sqlite3.sqlite_version
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    report.facts["display"] = next((f"{name}={os.environ[name]}" for name in names if os.environ.get(name)), None)


def nearest_folder(path: Path) -> Path:
    """The folder that exists at or above a path."""
    return next((p for p in (path, *path.parents) if p.exists()), path)


def _profile(report: Report, services: Services) -> None:
    paths = services.paths
    folders = {"data": paths.data, "config": paths.config, "cache": paths.cache}
    report.facts["folders"] = {name: str(path) for name, path in folders.items()}
    for path in folders.values():
        nearest = nearest_folder(path)
        if not os.access(nearest, os.W_OK | os.X_OK):
            way_out = f"Check the permissions of {nearest}, or choose another place with --profile-dir."
            report.problems.append(f"{path} cannot be written. {way_out}")
    try:
        sessions = services.sessions.list()
    except KeepsakeError as error:
        report.problems.append(error.text())
        return
    report.facts["sessions"] = len(sessions)
    for summary in sessions:
        if summary.state == "damaged":
            report.problems.append(f"The transcript {summary.path} cannot be read. It is left as it is.")


def _settings_and_memory(report: Report, services: Services, found: argparse.Namespace) -> None:
    try:
        workspace = services.open_workspace(folder_of(found))
    except KeepsakeError as error:
        report.problems += [error.text(), *services.settings.problems]
        return
    if found.accept_settings:
        workspace.settings.resolve_broken()
    report.problems += workspace.settings.problems
    report.facts["settings"] = str(services.paths.settings_file)
    report.facts["memory"] = _memory(report, workspace)


def _memory(report: Report, workspace: Workspace) -> dict[str, Any]:
    state, index, notes = workspace.memory_state(), workspace.store.load_index(), workspace.store.notes()
    report.problems += [f"Memory {workspace.project.memory_root / note.path}: {note.problem}" for note in notes if note.problem]
    if index.error:
        report.problems.append(f"The memory index {index.path} cannot be read: {index.error}")
    if index.truncated:
        report.problems.append(f"The memory index is cut when it is loaded ({index.limit}): shorten {index.path}.")
    if state.enabled and not state.write:
        report.problems.append(state.write_reason)
    return {
        "workspace": str(workspace.folder),
        "root": str(workspace.project.memory_root),
        "enabled": state.enabled,
        "reason": state.reason or None,
        "writing": state.write,
        "extraction": state.extraction,
        "memories": len(notes),
        "index": f"{index.lines} lines, {index.bytes} bytes, {index.tokens} tokens",
    }


def _encoders(report: Report, services: Services) -> None:
    """What search by meaning would use; that there is none is no problem."""
    from desktop.providers.encoders import chosen_encoder, installed_encoders

    report.facts["encoders"] = [found.known.name for found in installed_encoders(services.paths, services.environ) if found.ready]
    try:
        encoder = chosen_encoder(services.settings, services.paths, services.environ)
    except KeepsakeError as error:
        report.problems.append(error.text())
        return
    report.facts["search by meaning"] = encoder.id if encoder is not None else "off, search goes by words"


def _models(report: Report, services: Services) -> None:
    from desktop.providers.catalogue import installed

    found = installed(services.paths, services.environ)
    report.problems += [f"The model file {model.path}: {model.problem}" for model in found if model.problem]
    chosen = services.model_id()
    report.facts["model"] = chosen
    report.facts["embedded models"] = [f"{model.label} ({model.path})" for model in found if not model.problem]
    _encoders(report, services)
    report.facts["keyring"] = "available" if services.secrets.keyring_available() else "none"
    report.facts["keys"] = {name: services.secrets.source(name) for name in KEYS}
    log = services.paths.logs / "keepsake.log"
    report.facts["log"] = str(log) if log.exists() else None
    if chosen.split(":")[0] == "embedded" and not any(not model.problem for model in found):
        report.problems.append("The embedded model is not installed. Fetch it with “keepsake models fetch”, or choose another model.")
