"""Models and keys between the services and the models page: what is there, downloads, keys, endpoints, the test button.

Blocking calls run through `bridge.operations`, asyncio work and downloads through `bridge.tasks`. A key passes through and is never kept
here, shown or logged. GUI thread.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from desktop.bridge.operations import Failure, Operations
from desktop.bridge.post import posting
from desktop.bridge.spoken import spoken
from desktop.bridge.tasks import Tasks
from desktop.providers.catalogue import CATALOGUE, CatalogueModel
from desktop.providers.encoder_fetch import fetch_encoder, remove_encoder
from desktop.providers.encoders import SETTING as ENCODER_SETTING
from desktop.providers.fetch import FetchCancelledError, Progress, add_file, fetch, remove
from desktop.providers.known_encoders import ENCODERS, KnownEncoder
from desktop.providers.registry import CheckResult, check_model
from desktop.settings.secrets import SecretPlace
from desktop.ui.controllers.models_facts import ModelsFacts, read_models

if TYPE_CHECKING:
    from desktop.compose import Services


@dataclass(frozen=True, slots=True)
class Preset:
    """An OpenAI-compatible server that many people run."""

    name: str
    label: str
    base_url: str


Fetching = Callable[[Callable[[Progress], None], Callable[[], bool]], bool]
FILE = "file"
"""Stands for the person's own file in the signals of a download."""

PRESETS = (
    Preset("ollama", "Ollama", "http://localhost:11434/v1"),
    Preset("lmstudio", "LM Studio", "http://localhost:1234/v1"),
)


class ModelsController(QObject):
    """One for the window.

    Attributes:
        facts: the newest reading, or None before the first.

    Signals:
        facts_changed(): `facts` is new.
        failed(Failure): something could not be read or saved.
        download_changed(name, Progress or None): how far it is; None: it is not running.
        download_failed(name, Failure): it stopped; what was fetched is kept for the next try.
        download_finished(name): the model is installed.
        checked(model_id, CheckResult): what the test gave.
        key_failed(name, Failure): the key was not saved or not removed.
        key_saved(name): a key was saved or removed.
    """

    facts_changed = Signal()
    failed = Signal(object)
    download_changed = Signal(str, object)
    download_failed = Signal(str, object)
    download_finished = Signal(str)
    checked = Signal(str, object)
    key_failed = Signal(str, object)
    key_saved = Signal(str)

    def __init__(
        self,
        services: Services,
        operations: Operations,
        tasks: Tasks,
        parent: QObject | None = None,
        *,
        catalogue: Sequence[CatalogueModel] = CATALOGUE,
        encoders: Sequence[KnownEncoder] = ENCODERS,
    ) -> None:
        super().__init__(parent)
        self._catalogue = catalogue
        self._encoders = {known.name: known for known in encoders}
        self._services = services
        self._operations = operations
        self._tasks = tasks
        self._reading = 0
        self._again = False
        self._downloads: dict[str, threading.Event] = {}
        self.facts: ModelsFacts | None = None
        self._unsubscribe: Callable[[], None] | None = services.settings.changed.subscribe(posting(self._on_setting))

    def close(self) -> None:
        """Before the window goes: downloads stop, and go on at the next try where they were."""
        for cancel in self._downloads.values():
            cancel.set()
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None

    # -- reading ---------------------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read everything anew."""
        if self._reading:
            self._again = True
            return
        services, catalogue, encoders = self._services, self._catalogue, tuple(self._encoders.values())
        self._reading = self._operations.read(lambda: read_models(services, catalogue, encoders), self._on_facts, self._on_read_failed)

    def _on_facts(self, facts: ModelsFacts) -> None:
        self._reading = 0
        self.facts = facts
        self.facts_changed.emit()
        self._read_again()

    def _on_read_failed(self, failure: Failure) -> None:
        self._reading = 0
        self.failed.emit(failure)
        self._read_again()

    def _read_again(self) -> None:
        if self._again:
            self._again = False
            self.refresh()

    def _on_setting(self, key: str) -> None:
        if key.startswith(("model.", "keys.", ENCODER_SETTING)) and self.facts is not None:
            self.refresh()

    # -- settings --------------------------------------------------------------------------------------------------------------------

    def set_default(self, model_id: str) -> None:
        """The model of new chats."""
        self._set("model.default", model_id.strip())

    def set_encoder(self, name: str) -> None:
        """What search by meaning uses: `auto`, `off` or an encoder's name."""
        self._set(ENCODER_SETTING, name)

    def set_key_store(self, store: str) -> None:
        self._set("keys.store", store)

    def save_endpoint(self, name: str, base_url: str, models: list[str], context_window: int | None, *, old_name: str = "") -> None:
        """Add or change an OpenAI-compatible server. The settings check it; `failed` says what is wrong."""
        known: dict[str, Any] = self._services.settings.value("model.endpoints")
        entry: dict[str, Any] = dict(known.get(old_name or name, {}))
        entry |= {"base_url": base_url.strip(), "models": models}
        entry.pop("context_window", None)
        if context_window:
            entry["context_window"] = context_window
        if old_name and old_name != name:
            known.pop(old_name, None)
        self._set("model.endpoints", known | {name.strip(): entry})

    def remove_endpoint(self, name: str) -> None:
        known: dict[str, Any] = self._services.settings.value("model.endpoints")
        known.pop(name, None)
        self._set("model.endpoints", known)

    def _set(self, key: str, value: object) -> None:
        settings = self._services.settings
        self._operations.write(lambda: settings.set(key, value), None, self._on_set_failed)

    def _on_set_failed(self, failure: Failure) -> None:
        self.failed.emit(failure)
        self.refresh()

    # -- keys ------------------------------------------------------------------------------------------------------------------------

    def save_key(self, name: str, value: str, place: SecretPlace) -> None:
        """Keep a key where the person chose; `key_saved` or `key_failed` follows."""
        secrets = self._services.secrets
        self._operations.write(
            lambda: secrets.set(name, value, place), lambda _: self._on_key(name), lambda failure: self._on_key_failed(name, failure)
        )

    def remove_key(self, name: str) -> None:
        secrets = self._services.secrets
        self._operations.write(
            lambda: secrets.delete(name), lambda _: self._on_key(name), lambda failure: self._on_key_failed(name, failure)
        )

    def _on_key(self, name: str) -> None:
        self.key_saved.emit(name)
        self.refresh()

    def _on_key_failed(self, name: str, failure: Failure) -> None:
        self.key_failed.emit(name, failure)

    # -- the test button -------------------------------------------------------------------------------------------------------------

    def check(self, model_id: str) -> None:
        """Ask the model for a word; `checked` follows, whatever comes of it."""
        context = self._services.providers
        self._tasks.run(
            lambda _report: check_model(model_id, context),
            lambda result: self._on_checked(model_id, result),
            lambda failure: self._on_checked(model_id, CheckResult(False, failure.message, failure.hint)),
        )

    def _on_checked(self, model_id: str, result: CheckResult) -> None:
        self.checked.emit(model_id, CheckResult(result.ok, spoken(result.message), spoken(result.hint)))

    # -- the embedded model ----------------------------------------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        """A model is being fetched or copied; there is one at a time."""
        return bool(self._downloads)

    def is_downloading(self, name: str) -> bool:
        return name in self._downloads

    def download(self, name: str) -> None:
        """Fetch a model or an encoder; the person has agreed to its size. Nothing happens while another is under way."""
        paths, environ, catalogue = self._services.paths, self._services.environ, self._catalogue
        encoder = self._encoders.get(name)
        if encoder is not None:
            self._start(name, lambda report, cancel: _ended(lambda: fetch_encoder(name, paths, report, cancel, environ, known=encoder)))
            return
        self._start(name, lambda report, cancel: _ended(lambda: fetch(name, paths, report, cancel, environ, catalogue=catalogue)))

    def add_file(self, file: Path) -> None:
        """Take a model file of the person's; the downloads' signals follow with the name `FILE`."""
        paths, catalogue = self._services.paths, self._catalogue
        self._start(FILE, lambda report, cancel: _ended(lambda: add_file(file, None, paths, report, cancel, catalogue=catalogue)))

    def _start(self, name: str, work: Fetching) -> None:
        if self._downloads:
            return
        cancel = self._downloads[name] = threading.Event()
        if self.facts is not None:
            self.facts_changed.emit()

        async def run(report: Callable[[Progress], None]) -> bool:
            return await asyncio.to_thread(work, report, cancel.is_set)

        self._tasks.run(
            run,
            lambda finished: self._on_downloaded(name, finished),
            lambda failure: self._on_download_failed(name, failure),
            lambda progress: self._on_progress(name, progress),
        )

    def cancel_download(self, name: str) -> None:
        if name in self._downloads:
            self._downloads[name].set()

    def remove_model(self, name: str) -> None:
        paths, environ, catalogue = self._services.paths, self._services.environ, self._catalogue
        encoder = self._encoders.get(name)
        if encoder is not None:
            self._operations.write(
                lambda: remove_encoder(name, paths, environ, known=encoder), lambda _: self.refresh(), self._on_set_failed
            )
            return
        self._operations.write(lambda: remove(name, paths, environ, catalogue=catalogue), lambda _: self.refresh(), self._on_set_failed)

    def _on_progress(self, name: str, progress: Progress) -> None:
        if name in self._downloads:
            self.download_changed.emit(name, progress)

    def _on_downloaded(self, name: str, finished: bool) -> None:
        self._downloads.pop(name, None)
        self.download_changed.emit(name, None)
        if finished:
            self.download_finished.emit(name)
        self.refresh()

    def _on_download_failed(self, name: str, failure: Failure) -> None:
        self._downloads.pop(name, None)
        self.download_changed.emit(name, None)
        self.download_failed.emit(name, failure)
        self.refresh()


def _ended(work: Callable[[], object]) -> bool:
    """True when it came to its end, False when the person stopped it."""
    try:
        work()
    except FetchCancelledError:
        return False
    return True
