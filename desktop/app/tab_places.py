"""Where each tab was scrolled to: kept with the folder, for tabs that were closed too, and given back when one is opened again.

Asks the tabs; knows how to ask session views and memory editors. Nothing is read or stored here. GUI thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.ui.editor.area import EditorArea
from desktop.ui.editor.memory_editor import MemoryEditor
from desktop.ui.editor.text_place import put_place, text_place
from desktop.ui.sessions.viewer import SessionViewer

MOST = 100
"""Tabs of a folder whose places are kept, the newest ones."""
BESIDE = ";"
"""Between the place of a memory's source and that of its preview."""


class TabPlaces(QObject):
    """See the module's text.

    Signals:
        changed(): a tab was scrolled.
    """

    changed = Signal()

    def __init__(self, editors: EditorArea) -> None:
        super().__init__(editors)
        self._editors = editors
        self._known: dict[str, str] = {}
        editors.opened.connect(self._on_opened)
        editors.closing.connect(self._note)

    def begin(self, places: Mapping[str, str]) -> None:
        """These are the places of the folder that is opened; its tabs follow."""
        self._known = dict(places)

    def now(self) -> Mapping[str, str]:
        """The place of each tab by its key, those of closed ones too."""
        for key in self._editors.open_keys():
            self._note(key)
        return dict(list(self._known.items())[-MOST:])

    def _note(self, key: str) -> None:
        """A tab that stands where one stands by itself needs no place."""
        widget = self._editors.widget(key)
        if isinstance(widget, SessionViewer):
            place = widget.place()
        elif isinstance(widget, MemoryEditor):
            place = self._waiting(key, widget) or _editor_place(widget)
        else:
            return
        self._known.pop(key, None)
        if place:
            self._known[key] = place

    def _waiting(self, key: str, editor: MemoryEditor) -> str:
        """The place that an editor gets once its file is read."""
        return self._known.get(key, "") if not editor.source.document().characterCount() > 1 else ""

    def _on_opened(self, key: str) -> None:
        widget, place = self._editors.widget(key), self._known.get(key, "")
        if isinstance(widget, SessionViewer):
            widget.messages.verticalScrollBar().valueChanged.connect(self.changed)
            widget.set_place(place)
        elif isinstance(widget, MemoryEditor):
            self._follow_editor(widget, place)

    def _follow_editor(self, editor: MemoryEditor, place: str) -> None:
        editor.source.verticalScrollBar().valueChanged.connect(self.changed)
        editor.source.cursorPositionChanged.connect(self.changed)
        editor.preview.browser.verticalScrollBar().valueChanged.connect(self.changed)
        source, _, preview = place.partition(BESIDE)
        editor.preview.set_place(preview)
        if source:
            editor.document.opened.connect(partial(self._put, editor, source, []))

    @staticmethod
    def _put(editor: MemoryEditor, place: str, done: list[QWidget], _stored: object) -> None:
        """Once, when its file is there; where something in it is to be shown, that is shown."""
        if not done:
            done.append(editor)
            if not editor.is_modified() and not editor.source.textCursor().position():
                put_place(editor.source, place)


def _editor_place(editor: MemoryEditor) -> str:
    source, preview = text_place(editor.source), editor.preview.place()
    return f"{source}{BESIDE}{preview}" if preview else source
