"""The question before an incognito conversation that holds something is left: nothing of it is kept. Decides nothing. GUI thread."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMessageBox, QWidget


class LeaveQuestion(QObject):
    """One box at a time. It does not block the window: a window that is closed once more goes, see `Application.close`."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self._owner = owner
        self._box: QMessageBox | None = None

    @property
    def asks(self) -> bool:
        """It is on the screen and waits."""
        return self._box is not None

    def ask(self, go_on: Callable[[], object]) -> None:
        """Ask; `go_on` once the person says so. A question that waits already is about this now."""
        self.withdraw()
        box = self._box = QMessageBox(self._owner.window())
        box.setObjectName("leaveIncognito")
        box.setWindowModality(Qt.WindowModality.NonModal)
        box.setWindowTitle(self.tr("Leave the incognito chat?"))
        box.setText(self.tr("Leave the incognito chat?"))
        box.setInformativeText(self.tr("Nothing of it is kept: it cannot be opened again."))
        leave = box.addButton(self.tr("Leave"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(self.tr("Stay"), QMessageBox.ButtonRole.RejectRole))
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.finished.connect(lambda _result: self._answered(box, go_on if box.clickedButton() is leave else None))
        box.show()
        box.raise_()
        box.activateWindow()

    def withdraw(self) -> None:
        """Nobody need answer any more."""
        box, self._box = self._box, None
        if box is not None:
            box.close()

    def _answered(self, box: QMessageBox, go_on: Callable[[], object] | None) -> None:
        if box is self._box:
            self._box = None
            if go_on is not None:
                go_on()
