"""A list of sessions with what can be done with them; used by the picker and by the side-bar view. Emits intents. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QListView, QMenu, QWidget

from desktop.sessions.summary import SessionSummary
from desktop.ui.sessions.delegate import SessionDelegate
from desktop.ui.sessions.model import SessionsModel


class SessionList(QListView):
    """See the module's text.

    Signals:
        resume_requested(str), read_requested(str), rename_requested(str), trash_requested(str): with the session's id.
        reference_copied(str): `#sess_…` is on the clipboard.
        chosen_changed(): another row is current.
    """

    resume_requested = Signal(str)
    read_requested = Signal(str)
    rename_requested = Signal(str)
    trash_requested = Signal(str)
    reference_copied = Signal(str)
    chosen_changed = Signal()

    def __init__(self, parent: QWidget, model: SessionsModel) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Sessions"))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._sessions = model
        self.setModel(model)
        self.setItemDelegate(SessionDelegate(self))
        self.doubleClicked.connect(lambda index: self._emit(self.resume_requested, index.row()))
        self.customContextMenuRequested.connect(self._menu)
        self.selectionModel().currentChanged.connect(lambda _new, _old: self.chosen_changed.emit())

    def chosen(self) -> SessionSummary | None:
        return self._sessions.session_at(self.currentIndex().row())

    def choose(self, row: int) -> None:
        """Make a row current, within what there is."""
        count = self._sessions.rowCount()
        if count:
            self.setCurrentIndex(self._sessions.index(max(0, min(row, count - 1))))

    def choose_session(self, session_id: str) -> None:
        self.choose(max(0, self._sessions.row_of(session_id)))

    def resume(self) -> None:
        self._emit(self.resume_requested)

    def read(self) -> None:
        self._emit(self.read_requested)

    def rename(self) -> None:
        self._emit(self.rename_requested)

    def trash(self) -> None:
        self._emit(self.trash_requested)

    def copy_reference(self) -> None:
        session = self.chosen()
        if session is not None:
            QGuiApplication.clipboard().setText(f"#{session.id}")
            self.reference_copied.emit(session.id)

    def _emit(self, signal: object, row: int = -1) -> None:
        session = self._sessions.session_at(row if row >= 0 else self.currentIndex().row())
        if session is not None:
            signal.emit(session.id)  # type: ignore[attr-defined]

    def menu_for_chosen(self) -> QMenu:
        """The menu of the current session."""
        menu = QMenu(self)
        menu.setObjectName("sessionMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Resume"), self.resume)
        menu.addAction(self.tr("Read into chat…"), self.read)
        menu.addAction(self.tr("Copy reference"), self.copy_reference)
        menu.addSeparator()
        menu.addAction(self.tr("Rename…"), self.rename)
        menu.addAction(self.tr("Move to trash"), self.trash)
        return menu

    def _menu(self, at: QPoint) -> None:
        if self.chosen() is not None:
            self.menu_for_chosen().popup(self.viewport().mapToGlobal(at))

    # --- Qt ---------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.read() if control else self.resume()
            case Qt.Key.Key_F2:
                self.rename()
            case Qt.Key.Key_Delete:
                self.trash()
            case Qt.Key.Key_Menu:
                self._menu(self.visualRect(self.currentIndex()).center())
            case _ if event.matches(QKeySequence.StandardKey.Copy):
                self.copy_reference()
            case _:
                super().keyPressEvent(event)
