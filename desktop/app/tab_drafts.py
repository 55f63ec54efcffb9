"""Texts in tabs that are not saved: kept on disk while they are typed, so that a crash or a signal loses at most two seconds of them.

One file, `<data>/state/tab-drafts.json`, by folder and tab. A text that was saved or discarded is taken out. GUI thread; the file is
read and written through `bridge.operations`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, QTimer

from desktop.base.errors import StorageError
from desktop.base.locks import held
from desktop.base.paths import ensure_private_dir
from desktop.base.textio import atomic_write, decode, read_bytes
from desktop.bridge.operations import Failure, Operations
from desktop.ui.editor.area import EditorArea

INTERVAL_MS = 1_500
"""With the writing itself at most two seconds of typing are lost."""
LIMIT = 50_000_000
SCHEMA = 1


class Draft(NamedTuple):
    """A text that is not saved, and the digest of the version on disk that it was typed over ("": none, or not known)."""

    text: str
    base: str = ""


Drafts = Mapping[str, Draft]
"""By the key of the tab."""

Placed = Callable[[str], None]
"""Called with the key of a draft that stands in a tab again."""


class TabDrafts(QObject):
    """Watches the tabs of a window. `failed` is called once when texts cannot be kept."""

    def __init__(self, folder: Path, editors: EditorArea, operations: Operations, failed: Callable[[Failure], None]) -> None:
        super().__init__(editors)
        self._path = folder / "tab-drafts.json"
        self._editors = editors
        self._operations = operations
        self._failed = failed
        self._owner = ""
        self._stored: Drafts = {}
        self._homeless: dict[str, Draft] = {}
        self._known = False
        self._said = False
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.keep)
        editors.modified_changed.connect(self._on_modified)

    def begin(self, owner: str, restored: Callable[[Drafts, Placed], None]) -> None:
        """Keep drafts of the folder `owner` from now on.

        Args:
            restored: is given what is kept of it already, and what to call with each key whose text stands in a tab again. Until then,
                or for ever where there is no place for a text any more, it stays on disk.
        """
        self._owner = owner
        self._stored, self._homeless, self._known = {}, {}, False

        def read(drafts: Drafts) -> None:
            if owner == self._owner:
                self._stored, self._homeless, self._known = dict(drafts), dict(drafts), True
                restored(drafts, self._placed)

        self._operations.read(lambda: self._read().get(owner, {}), read)

    def end(self) -> None:
        """The folder is left in good order: everything was saved or discarded."""
        self._timer.stop()
        if self._known:
            self._write(self._homeless)
        self._owner = ""

    def keep(self) -> None:
        """Store what is not saved now, if it is another text than the one stored."""
        if not self._known:
            return  # what a dead process left is looked at first
        texts: dict[str, Draft] = {}
        for key in self._editors.modified_keys():
            widget = self._editors.widget(key)
            draft, base = getattr(widget, "draft", None), getattr(widget, "draft_base", None)
            if callable(draft):
                texts[key] = Draft(draft(), base() if callable(base) else "")
        if not texts:
            self._timer.stop()
        self._write({**self._homeless, **texts})

    def _placed(self, key: str) -> None:
        self._homeless.pop(key, None)
        self._timer.start()

    def _on_modified(self) -> None:
        if self._editors.modified_keys():
            if not self._timer.isActive():
                self._timer.start()
        elif self._stored:
            self.keep()

    def _write(self, texts: Drafts) -> None:
        owner = self._owner
        if owner and texts != self._stored:
            self._stored = dict(texts)
            self._operations.write(lambda: self._store(owner, texts), None, self._on_failed)

    def _on_failed(self, failure: Failure) -> None:
        self._stored = {}
        if not self._said:
            self._said = True
            self._failed(failure)

    # --- in worker threads -------------------------------------------------------------------------------------------

    def _read(self) -> dict[str, dict[str, Draft]]:
        try:
            data = json.loads(decode(read_bytes(self._path, LIMIT)))
        except (StorageError, ValueError, RecursionError):
            return {}
        folders = data.get("folders") if isinstance(data, dict) else None
        if not isinstance(folders, dict):
            return {}
        bases = _mapping(data.get("bases"))
        return {
            folder: {key: Draft(text, _digest(bases, folder, key)) for key, text in texts.items() if isinstance(text, str)}
            for folder, texts in folders.items()
            if isinstance(texts, dict)
        }

    def _store(self, owner: str, texts: Drafts) -> None:
        ensure_private_dir(self._path.parent)
        with held(self._path.with_suffix(".lock"), timeout_s=2.0):
            folders = self._read()
            if not texts and owner not in folders:
                return
            folders.pop(owner, None)
            if texts:
                folders[owner] = dict(texts)
            texts_of = {folder: {key: draft.text for key, draft in drafts.items()} for folder, drafts in folders.items()}
            bases = {folder: {key: draft.base for key, draft in drafts.items() if draft.base} for folder, drafts in folders.items()}
            atomic_write(self._path, json.dumps({"schema": SCHEMA, "folders": texts_of, "bases": bases}).encode())


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _digest(bases: dict[str, Any], folder: str, key: str) -> str:
    found = _mapping(bases.get(folder)).get(key)
    return found if isinstance(found, str) else ""
