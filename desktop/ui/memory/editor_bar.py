"""The row above a memory editor: where the file lies, how it is shown, and save. Emits intents only. GUI thread."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from desktop.ui import icons, theme
from desktop.ui.memory.plain import tooltip
from desktop.ui.memory.rows import shown

ViewMode = Literal["source", "split", "preview"]
BUTTON, GAP, NAME_LEAST = 24, 4, 24


class EditorBar(QWidget):
    """Breadcrumbs at the left, buttons at the right.

    Signals:
        mode_requested(ViewMode): another way to show the file.
        save_requested(): save it.
        history_requested(): show every version of it.
        undo_requested(): take back its last change that is on disk, whoever made it.
    """

    mode_requested = Signal(str)
    save_requested = Signal()
    history_requested = Signal()
    undo_requested = Signal()

    def __init__(self, parent: QWidget | None = None, *, versions: bool = False) -> None:
        """`versions`: offer the file's history and the undo of its last change."""
        super().__init__(parent)
        self.path = QLabel(self)
        self.path.setObjectName("memoryBreadcrumbs")
        self.path.setProperty("role", "secondary")
        self.path.setTextFormat(Qt.TextFormat.PlainText)
        self.path.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.note = QLabel(self)
        self.note.setProperty("role", "secondary")
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self.modes: dict[ViewMode, QToolButton] = {
            "source": self._button("memoryModeSource", "code", self.tr("Source")),
            "split": self._button("memoryModeSplit", "split-horizontal", self.tr("Source and preview")),
            "preview": self._button("memoryModePreview", "open-preview", self.tr("Preview")),
        }
        self.undo = self._button("memoryUndoLast", "discard", self.tr("Undo the last change of this memory"))
        self.history = self._button("memoryHistory", "history", self.tr("History"))
        self.save = self._button("memorySave", "save", self.tr("Save"))
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.path, 1)
        self._row.addWidget(self.note)
        self._row.addSpacing(8)
        for mode, button in self.modes.items():
            button.setCheckable(True)
            self._group.addButton(button)
            self._row.addWidget(button)
            button.clicked.connect(lambda _checked=False, mode=mode: self.mode_requested.emit(mode))
        for button in (self.undo, self.history, self.save):
            self._row.addWidget(button)
        self.show_versions(versions)
        self.save.clicked.connect(self.save_requested)
        self.history.clicked.connect(self.history_requested)
        self.undo.clicked.connect(self.undo_requested)
        theme.signals.theme_changed.connect(self._measure)
        self._measure()

    def _button(self, name: str, icon_name: str, text: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.setToolTip(text)
        button.setAccessibleName(text)
        icons.bind(button, icon_name)
        return button

    def show_path(self, path: str) -> None:
        self.path.setText("  ›  ".join(shown(part) for part in path.split("/")))
        self.path.setToolTip(tooltip(shown(path)))

    def show_mode(self, mode: ViewMode) -> None:
        self.modes[mode].setChecked(True)

    def allow_split(self, allowed: bool) -> None:
        """Whether there is room for source and preview side by side."""
        button = self.modes["split"]
        button.setEnabled(allowed)
        self._fit()
        button.setToolTip(self.tr("Source and preview") if allowed else self.tr("Source and preview: make the editor wider"))

    def show_modified(self, modified: bool) -> None:
        self.save.setEnabled(modified)

    def allow_undo(self, on_disk: bool, read_only: bool = False) -> None:
        """What can be done with the versions on disk; a draft has its own undo, so its changes go first."""
        typed = self.save.isEnabled()
        self.undo.setEnabled(on_disk and not typed and not read_only)
        if typed:
            self.undo.setToolTip(self.tr("Undo the last change of this memory: save or undo what you typed first"))
        else:
            self.undo.setToolTip(self.tr("Undo the last change of this memory"))

    def show_versions(self, offered: bool) -> None:
        """Whether the file has a history here."""
        self.undo.setVisible(offered)
        self.history.setVisible(offered)

    def show_note(self, text: str) -> None:
        """A few words beside the path, or nothing."""
        self.note.setText(text)

    def _measure(self) -> None:
        now = theme.current()
        for button in (*self.modes.values(), self.undo, self.history, self.save):
            button.setFixedSize(now.px(BUTTON), now.px(BUTTON))
        self._fit()

    def _fit(self) -> None:
        """In a very narrow editor the way to source and preview side by side, which is closed there, gives its place away."""
        now, buttons = theme.current(), (*self.modes.values(), self.undo, self.history, self.save)
        tight = self.width() < sum(now.px(BUTTON + GAP) for button in buttons) + now.px(16 + 8 + 8 + NAME_LEAST)
        split = self.modes["split"]
        split.setVisible(not tight or split.isEnabled() or split.isChecked())
        self._row.setContentsMargins(now.px(4 if tight else 16), now.px(2), now.px(2 if tight else 8), now.px(2))
        self._row.setSpacing(now.px(0 if tight else GAP))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
