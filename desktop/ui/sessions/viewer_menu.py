"""What can be done with a session that is read in a tab, as a menu on its head: the acts of its row in the lists. GUI thread; asks only."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from desktop.ui.chat.surface import icon_button


class ViewerMenu(QObject):
    """The button and its menu; a session of another tool is never changed, and so not forked.

    Attributes:
        button: stands on the head.

    Signals:
        read_requested(session id): read it into the chat, with a question.
        fork_requested(session id)
        export_requested(session id, kind): `md` or `json`.
        reference_copied(session id): its reference goes to the clipboard.
        reveal_requested(session id): show its file in the system's file manager.
    """

    read_requested = Signal(str)
    fork_requested = Signal(str)
    export_requested = Signal(str, str)
    reference_copied = Signal(str)
    reveal_requested = Signal(str)

    def __init__(self, session_id: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._session_id = session_id
        self._widget = parent
        self.own = True
        self.button = icon_button(parent, "ellipsis", self.tr("More actions"), self._open, name="sessionMore")

    def menu(self) -> QMenu:
        """A new menu; it goes when it is closed."""
        menu = QMenu(self._widget)
        menu.setObjectName("sessionViewMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._add(menu, self.tr("Read into Chat…"), lambda: self.read_requested.emit(self._session_id))
        if self.own:
            self._add(menu, self.tr("Fork"), lambda: self.fork_requested.emit(self._session_id))
        menu.addSeparator()
        export = menu.addMenu(self.tr("Export"))
        self._add(export, self.tr("Markdown…"), lambda: self.export_requested.emit(self._session_id, "md"))
        self._add(export, self.tr("JSON…"), lambda: self.export_requested.emit(self._session_id, "json"))
        self._add(menu, self.tr("Copy Reference"), lambda: self.reference_copied.emit(self._session_id))
        self._add(menu, self.tr("Reveal in File Manager"), lambda: self.reveal_requested.emit(self._session_id))
        return menu

    @staticmethod
    def _add(menu: QMenu, text: str, run: Callable[[], object]) -> None:
        menu.addAction(text).triggered.connect(lambda _checked=False: run())

    def _open(self) -> None:
        menu = self.menu()
        menu.popup(self.button.mapToGlobal(QPoint(self.button.width() - menu.sizeHint().width(), self.button.height())))
