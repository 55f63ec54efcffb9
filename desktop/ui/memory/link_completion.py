"""Completing `[[links]]` while they are typed: a list of the memories of the same root, and the rest of the link. GUI thread; no I/O."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QStringListModel, Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QCompleter, QListView

from desktop.ui.memory.source_edit import SourceEdit

_OPEN = re.compile(r"\[\[([^\[\]|#\n]{0,80})\Z")
MOST = 12
_OURS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab)

Names = Callable[[], Sequence[str]]


class LinkCompletion(QObject):
    """Listens to an editor.

    Args:
        names: gives the names that a link may have, asked when a link is begun.
    """

    def __init__(self, edit: SourceEdit, names: Names) -> None:
        super().__init__(edit)
        self._edit = edit
        self._names = names
        self._busy = False
        self.model = QStringListModel(self)
        self.completer = QCompleter(self.model, self)
        self.completer.setWidget(edit)
        self.completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self.completer.setMaxVisibleItems(MOST)
        self.popup = QListView()
        self.completer.setPopup(self.popup)
        self.popup.setAccessibleName(self.tr("Memories to link to"))
        self.completer.activated[str].connect(self._insert)  # type: ignore[index]
        edit.textChanged.connect(self._on_typed)
        edit.swallows = self._swallows

    @property
    def is_open(self) -> bool:
        return self.popup.isVisible()

    def begun(self) -> str | None:
        """What is typed of a link before the cursor; None outside of one."""
        cursor = self._edit.textCursor()
        before = cursor.block().text()[: cursor.positionInBlock()]
        found = _OPEN.search(before)
        return found.group(1) if found and not cursor.hasSelection() else None

    def _on_typed(self) -> None:
        if self._busy or self._edit.isReadOnly() or not self._edit.hasFocus():
            return
        typed = self.begun()
        if typed is None:
            self.popup.hide()
            return
        if not self.is_open:
            self.model.setStringList(list(dict.fromkeys(self._names())))
        self.completer.setCompletionPrefix(typed.strip())
        if self.completer.completionCount() == 0 or self.completer.currentCompletion() == typed:
            self.popup.hide()
            return
        place = self._edit.cursorRect()
        popup = self.popup
        popup.setCurrentIndex(self.completer.completionModel().index(0, 0))
        place.setWidth(popup.sizeHintForColumn(0) + popup.verticalScrollBar().sizeHint().width() + 24)
        place.translate(self._edit.viewport().pos())
        self.completer.complete(place)

    def _insert(self, name: str) -> None:
        """The rest of the link, with its end where it has none yet."""
        typed = self.begun()
        if typed is None:
            return
        self._busy = True
        cursor = self._edit.textCursor()
        cursor.beginEditBlock()
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, len(typed))
        after = cursor.block().text()[self._edit.textCursor().positionInBlock() :]
        cursor.insertText(name if after.startswith("]]") else f"{name}]]")
        if after.startswith("]]"):
            cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.MoveAnchor, 2)
        cursor.endEditBlock()
        self._edit.setTextCursor(cursor)
        self._busy = False

    def _swallows(self, event: QKeyEvent) -> bool:
        """Keys that belong to the list while it is open."""
        return self.is_open and event.key() in _OURS
