"""The settings page: categories at the left, settings at the right, a search box above both. Made from the schema.

Shows the controller's values and passes what the person does on; saves nothing itself. GUI thread.
"""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop.bridge.operations import Failure
from desktop.ui import theme
from desktop.ui.clear_button import add_clear_button
from desktop.ui.controllers.all_memory_controller import AllMemoryController
from desktop.ui.controllers.models_controller import ModelsController
from desktop.ui.controllers.settings_controller import SettingsController
from desktop.ui.memory.banner import Banner
from desktop.ui.memory.rows import folded, shown
from desktop.ui.settings.all_memory import AllMemory
from desktop.ui.settings.entries import MEMORY, MODELS, category_titles, entries
from desktop.ui.settings.flow import ScrolledContent
from desktop.ui.settings.foreign_card import ForeignMemoryCard
from desktop.ui.settings.memory_card import WorkspaceMemoryCard
from desktop.ui.settings.models_page import ModelsPage
from desktop.ui.settings.preset_card import PresetCard
from desktop.ui.settings.row import SettingRow

CATEGORY_WIDTH = 190
NARROW = 700
"""Below this width the categories are hidden; searching and scrolling still reach every setting."""
CONTENT_WIDTH = 820
SEARCH_DELAY_MS = 80
ALL_MEMORY = "all-memory"
"""The list of all memory, as a place that is scrolled to like a category."""


class CategoryDelegate(QStyledItemDelegate):
    """A category's name stands away from the edge; the selection reaches it."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        ground = QStyleOptionViewItem(option)
        self.initStyleOption(ground, index)
        text, ground.text = ground.text, ""
        ground.widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, ground, painter, ground.widget)
        now = theme.current()
        selected = bool(ground.state & QStyle.StateFlag.State_Selected)
        painter.setPen(now.color("selection_text" if selected else "text"))
        painter.setFont(theme.ui_font())
        place = ground.rect.adjusted(now.px(24), 0, 0, 0)
        painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), text)
        token = self.frame(ground)
        if token is not None:
            painter.setPen(now.color(token))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(ground.rect.adjusted(0, 0, -1, -1))

    @staticmethod
    def frame(option: QStyleOptionViewItem) -> str | None:
        """The colour of the frame around the item that has the keyboard."""
        state: QStyle.StateFlag = option.state
        return "focus" if state & QStyle.StateFlag.State_HasFocus else None


class SettingsPage(QWidget):
    """See the module's text.

    Attributes:
        rows: every setting's row by its key.
        memory_card: the workspace-memory switch.
        presets: whose way memory goes.
        models: the models page.
        foreign: the switches for other tools' memory.
        all_memory: the list of all memory.

    Signals:
        memory_open_requested(project_key, path): show a memory of any workspace in a tab.
        memory_adopt_requested(project_key): move the memory of this lost project into the opened folder's.
    """

    memory_open_requested = Signal(str, str)
    memory_adopt_requested = Signal(str)

    def __init__(
        self,
        controller: SettingsController,
        models: ModelsController,
        all_memory: AllMemoryController,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("settingsPage")
        self.setAccessibleName(self.tr("Settings"))
        self._controller = controller
        self.rows: dict[str, SettingRow] = {}
        self._sections: dict[str, list[QWidget]] = {}
        self._headings: dict[str, QLabel] = {}
        self._programmed = False
        self._wanted = ""
        self._build(models, all_memory)
        self._connect()
        self._measure()
        self._show_all()
        self.categories.setCurrentRow(0)

    # -- building --------------------------------------------------------------------------------------------------------------------

    def _build(self, models: ModelsController, all_memory: AllMemoryController) -> None:
        self.search = QLineEdit(self)
        self.search.setObjectName("settingsSearch")
        self.search.setPlaceholderText(self.tr("Search settings"))
        self.search.setAccessibleName(self.tr("Search settings"))
        add_clear_button(self.search)
        self.found = QLabel(self)
        self.found.setProperty("role", "secondary")
        self.problems = Banner("settingsProblems", self)
        self.categories = QListWidget(self)
        self.categories.setObjectName("settingsCategories")
        self.categories.setAccessibleName(self.tr("Categories"))
        self.categories.setItemDelegate(CategoryDelegate(self.categories))
        self.memory_card = WorkspaceMemoryCard(self._controller)
        self.presets = PresetCard(self._controller)
        self.models = ModelsPage(models)
        self.foreign = ForeignMemoryCard(self._controller)
        self.all_memory = AllMemory(all_memory)
        self._content = ScrolledContent()
        self._content.setObjectName("settingsContent")
        self._column = QVBoxLayout(self._content)
        self._fill()
        self.area = QScrollArea(self)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # a stop of Tab that shows no focus; what is in it passes its keys on
        self.area.setObjectName("settingsScroll")
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(self._content)
        self._search_row = QHBoxLayout()
        self._search_row.addWidget(self.search, 1)
        self._search_row.addWidget(self.found)
        below = QHBoxLayout()
        below.addWidget(self.categories)
        below.addWidget(self.area, 1)
        below.setSpacing(0)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(self._search_row)
        whole.addWidget(self.problems)
        whole.addLayout(below, 1)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(SEARCH_DELAY_MS)
        self.setFocusProxy(self.search)

    def _fill(self) -> None:
        """Headings and rows, category by category; a category without rows is left out."""
        rows = [SettingRow(entry) for entry in entries()]
        self.rows = {row.entry.key: row for row in rows}
        for category, title in category_titles().items():
            widgets: list[QWidget] = [row for row in rows if row.entry.category == category]
            if category == MEMORY:
                widgets = [self.memory_card, self.presets, *widgets, self.foreign, self.all_memory]
            if category == MODELS:
                widgets = [self.models, *widgets]
            if not widgets:
                continue
            heading = QLabel(title, self._content)
            heading.setProperty("role", "heading")
            self._headings[category] = heading
            self._sections[category] = widgets
            for widget in (heading, *widgets):
                self._column.addWidget(widget)
            item = QListWidgetItem(title)
            item.setData(Qt.ItemDataRole.UserRole, category)
            self.categories.addItem(item)
        self._column.addStretch(1)

    def _connect(self) -> None:
        controller = self._controller
        controller.changed.connect(self._on_changed)
        controller.save_failed.connect(self._on_save_failed)
        controller.workspace_changed.connect(self._show_all)
        controller.problems_changed.connect(self._show_problems)
        for row in self.rows.values():
            row.value_given.connect(controller.set)
            row.reset_requested.connect(controller.reset)
        self.search.textChanged.connect(self._typing.start)
        self._typing.timeout.connect(self._apply_search)
        self.categories.currentItemChanged.connect(self._on_category)
        self.area.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.area.verticalScrollBar().rangeChanged.connect(self._hold_category)
        self.all_memory.open_requested.connect(self.memory_open_requested)
        self.all_memory.adopt_requested.connect(self.memory_adopt_requested)
        theme.signals.theme_changed.connect(self._measure)

    def _measure(self) -> None:
        now = theme.current()
        self._search_row.setSpacing(now.px(12))
        self._search_row.setContentsMargins(now.px(24), now.px(12), now.px(24), now.px(12))
        self.categories.setFixedWidth(now.px(CATEGORY_WIDTH))
        self._column.setContentsMargins(now.px(16), 0, now.px(24), now.px(24))
        self._column.setSpacing(now.px(2))
        self._content.setMaximumWidth(now.px(CONTENT_WIDTH))
        for at in range(self.categories.count()):
            self.categories.item(at).setSizeHint(QSize(0, now.px(26)))
        for heading in self._headings.values():
            heading.setContentsMargins(now.px(14), now.px(14), 0, now.px(6))

    # -- values ----------------------------------------------------------------------------------------------------------------------

    def _show_all(self) -> None:
        for key in self.rows:
            self._show_row(key)
        self._show_problems()

    def _show_row(self, key: str) -> None:
        controller = self._controller
        locked = controller.is_tightened(key)
        note = ""
        if locked:
            note = self.tr("Held by {file} of the opened folder.").format(file=shown(str(controller.workspace_file())))
        self.rows[key].show_value(controller.value(key), modified=controller.is_modified(key), note=note, locked=locked)

    def _on_changed(self, key: str) -> None:
        if key in self.rows:
            self._show_row(key)
        self._show_problems()

    def _on_save_failed(self, key: str, failure: Failure) -> None:
        """The old value holds, so it is shown; what went wrong stands above."""
        if key in self.rows:
            self._show_row(key)
        self.problems.show_text("error", self.tr("Not saved: {reason}").format(reason=failure.text()))

    def _show_problems(self) -> None:
        found = self._controller.problems()
        if self._controller.is_broken():
            text = self.tr("A settings file could not be read, so the agent writes no memory until you decide.")
            go_on = (self.tr("Continue with These Settings"), self._controller.resolve_broken)
            self.problems.show_text("warning", "\n".join((text, *map(shown, found[:4]))), [go_on])
        elif found:
            self.problems.show_text("warning", "\n".join(shown(problem) for problem in found[:4]))
        else:
            self.problems.dismiss()

    # -- finding ---------------------------------------------------------------------------------------------------------------------

    def show_category(self, category: str) -> None:
        """Scroll to a category (`memory`, `models`, `agent`, `appearance`); a search is cleared first."""
        self.search.clear()
        self._apply_search()
        for at in range(self.categories.count()):
            if self.categories.item(at).data(Qt.ItemDataRole.UserRole) == category:
                self.categories.setCurrentRow(at)
                self._scroll_to(category)
                self._wanted = category

    def show_all_memory(self) -> None:
        """Scroll to the list of all memory of all workspaces, with the keyboard in it."""
        self.show_category(MEMORY)
        self._scroll_to(ALL_MEMORY)
        self._wanted = ALL_MEMORY
        self.all_memory.setFocus(Qt.FocusReason.OtherFocusReason)

    def _hold_category(self) -> None:
        """What stands above the category that was asked for still grows while it is filled: the category stays in view."""
        if self._wanted:
            self._scroll_to(self._wanted)

    def _apply_search(self) -> None:
        words = folded(self.search.text()).split()
        hits = 0
        for category, widgets in self._sections.items():
            visible = [widget for widget in widgets if self._matches(category, widget, words)]
            for widget in widgets:
                widget.setVisible(widget in visible)
            self._headings[category].setVisible(bool(visible))
            hits += len(visible)
        self.found.setText(self.tr("{n} found").format(n=hits) if words else "")
        for at in range(self.categories.count()):
            item = self.categories.item(at)
            item.setHidden(self._headings[item.data(Qt.ItemDataRole.UserRole)].isHidden())
        if words:
            self.area.verticalScrollBar().setValue(0)

    def _matches(self, category: str, widget: QWidget, words: list[str]) -> bool:
        if not words:
            return True
        if isinstance(widget, (SettingRow, WorkspaceMemoryCard, PresetCard, ForeignMemoryCard, ModelsPage)):
            return widget.matches(words)
        text = folded(f"{self._headings[category].text()} {widget.accessibleName()} {self.all_memory.title.text()}")
        return all(word in text for word in words)

    def _on_category(self, item: QListWidgetItem | None) -> None:
        if item is not None and not self._programmed:
            self._scroll_to(item.data(Qt.ItemDataRole.UserRole))

    def _scroll_to(self, category: str) -> None:
        self._programmed = True
        self._content.layout().activate()  # type: ignore[union-attr]
        place = self.all_memory if category == ALL_MEMORY else self._headings[category]
        self.area.verticalScrollBar().setValue(place.y())
        self._programmed = False

    def _on_scrolled(self, value: int) -> None:
        """The category at the top of the view is the current one."""
        if self._programmed:
            return
        self._wanted = ""
        edge = value + self.area.viewport().height() // 4
        above = [category for category, heading in self._headings.items() if heading.y() <= edge and not heading.isHidden()]
        if not above:
            return
        self._programmed = True
        for at in range(self.categories.count()):
            if self.categories.item(at).data(Qt.ItemDataRole.UserRole) == above[-1]:
                self.categories.setCurrentRow(at)
        self._programmed = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow tab the settings need the room of the categories."""
        self.categories.setVisible(event.size().width() >= theme.current().px(NARROW))
        super().resizeEvent(event)
