"""The side bar: a title of 35 px over the view that is chosen in the activity bar. Owns which view is shown. GUI thread only."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QStackedWidget, QVBoxLayout, QWidget

from desktop.ui.low_room import LowRoom

MIN_WIDTH = 170


class SideBar(QFrame):
    """A stack of views.

    Signals:
        view_changed(str): the id of the view in front.
    """

    view_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sideBar")
        self.setAccessibleName(self.tr("Side bar"))
        self.setMinimumWidth(MIN_WIDTH)
        self._views: dict[str, tuple[str, QWidget, bool]] = {}
        self._current = ""
        self._title = QLabel(self)
        self._title.setObjectName("sideBarTitle")
        self._stack = QStackedWidget(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._title)
        column.addWidget(LowRoom(self._stack, self), 1)

    def add_view(self, view_id: str, title: str, widget: QWidget, *, own_header: bool = False) -> None:
        """Add a view. `own_header`: it brings its own title row, so that ours is hidden while it is shown."""
        self._views[view_id] = (title, widget, own_header)
        self._stack.addWidget(widget)
        if not self._current:
            self.show_view(view_id)

    def remove_view(self, view_id: str) -> None:
        found = self._views.pop(view_id, None)
        if found is not None:
            self._stack.removeWidget(found[1])
            found[1].deleteLater()
        if self._current == view_id:
            self._current = ""
            if self._views:
                self.show_view(next(iter(self._views)))
            else:
                self._title.clear()

    def show_view(self, view_id: str) -> bool:
        """Bring a view to the front; False if there is none of that id."""
        found = self._views.get(view_id)
        if found is None:
            return False
        title, widget, own_header = found
        self._title.setText(title)
        self._title.setVisible(not own_header)
        self._stack.setCurrentWidget(widget)
        if view_id != self._current:
            self._current = view_id
            self.view_changed.emit(view_id)
        return True

    @property
    def current(self) -> str:
        return self._current

    def views(self) -> list[str]:
        return list(self._views)

    def view(self, view_id: str) -> QWidget | None:
        found = self._views.get(view_id)
        return found[1] if found else None
