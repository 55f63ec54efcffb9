"""The tab of the request inspector: the last requests at the left, the chosen one at the right, as it was sent. Read only. GUI thread.

Reads the log and makes texts in worker threads; keeps nothing but what is shown.
"""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop.bridge.operations import Failure, Operations
from desktop.bridge.post import posting
from desktop.providers.request_log import LoggedRequest, RequestLog
from desktop.ui import theme
from desktop.ui.chat.surface import icon_button
from desktop.ui.inspector.body_view import BodyView
from desktop.ui.inspector.parts import Drawn, RequestPart, drawn, parts_of, text_of_part
from desktop.ui.inspector.requests_list import ROW, RequestRow, RequestsList, rows_of
from desktop.ui.memory.message_page import MessagePage
from desktop.ui.memory.two_lines import ROW_HEIGHT, fit_split

LIST_WIDTH, LIST_LEAST, BODY_LOW = 290, 215, 120


class RequestsView(QWidget):
    """See the module's text.

    Signals:
        failed(Failure): something could not be read.
    """

    failed = Signal(object)

    def __init__(self, log: RequestLog, operations: Operations, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("requestsView")
        self.setAccessibleName(self.tr("Requests"))
        self._log = log
        self._operations = operations
        self._request: LoggedRequest | None = None
        self._reading = self._making = 0
        self._text = ""
        self._build()
        self.list.selectionModel().currentChanged.connect(self._on_current)
        self.part.activated.connect(self._make)
        self._unsubscribe = log.changed.subscribe(posting(self._on_log))
        theme.signals.theme_changed.connect(self._measure)
        self._measure()
        self.refresh()

    def _build(self) -> None:
        self.list = RequestsList(self)
        self.body = BodyView(self)
        self.part = QComboBox(self)
        self.part.setObjectName("requestPart")
        self.part.setAccessibleName(self.tr("Part of the request"))
        self.part.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.part.setMinimumContentsLength(18)
        self.part.setMaxVisibleItems(24)
        self.lines = icon_button(self, "word-wrap", self.tr("Line breaks as lines"), self._make, name="requestLines")
        self.lines.setToolTip(self.tr("Line breaks as lines. Off: the JSON as it is in the dump, with \\n for a line break."))
        self.lines.setCheckable(True)
        self.lines.setChecked(True)
        self.copy = icon_button(self, "copy", self.tr("Copy this part as JSON"), self._copy, name="copyRequest")
        self.clear = icon_button(self, "clear-all", self.tr("Forget all requests"), self._log.clear, name="clearRequests")
        self._head = QHBoxLayout()
        self._head.addWidget(self.part, 1)
        self._head.addWidget(self.lines)
        self._head.addWidget(self.copy)
        self._head.addWidget(self.clear)
        right = QWidget(self)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head)
        column.addWidget(self.body, 1)
        self.split = QSplitter(Qt.Orientation.Horizontal, self)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.list)
        self.split.addWidget(right)
        self.split.setStretchFactor(1, 1)
        self.page = MessagePage(self)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.page)
        self.pages.addWidget(self.split)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.pages)
        self.setFocusProxy(self.list)

    def _measure(self) -> None:
        now = theme.current()
        self._head.setContentsMargins(now.px(10), now.px(6), now.px(10), 0)
        self._head.setSpacing(now.px(4))
        self.list.setMinimumHeight(now.px(2 * ROW_HEIGHT))
        self.body.setMinimumHeight(now.px(BODY_LOW))
        self._fit()

    def _place_list(self) -> None:
        beside = self.split.orientation() == Qt.Orientation.Horizontal
        self.split.setSizes([theme.current().px(LIST_WIDTH if beside else 4 * ROW_HEIGHT), 10_000])

    def _fit(self) -> None:
        fit_split(self.split, self.width(), LIST_WIDTH)
        beside = self.split.orientation() == Qt.Orientation.Horizontal
        self.list.setMinimumWidth(theme.current().px(LIST_LEAST) if beside else 0)

    # -- what the area asks ----------------------------------------------------------------------------------------------------------

    def dispose(self) -> None:
        """Before the widget goes."""
        self._unsubscribe()
        self._operations.forget(self._reading)
        self._operations.forget(self._making)

    # -- reading ---------------------------------------------------------------------------------------------------------------------

    def _on_log(self, _number: int) -> None:
        self.refresh()

    def refresh(self) -> None:
        """Read the log again; the request that is looked at stays in front while it is kept."""
        self._operations.forget(self._reading)
        log = self._log
        self._reading = self._operations.read(lambda: rows_of(log.requests()), self._on_rows, self.failed.emit)

    def _on_rows(self, rows: list[RequestRow]) -> None:
        self._reading = 0
        wanted = self._request.n if self._request is not None else 0
        model = self.list.requests
        self.list.selectionModel().blockSignals(True)
        model.set_rows(rows)
        self.list.selectionModel().blockSignals(False)
        if not rows:
            self._request = None
            self._show_empty()
            return
        if self.pages.currentWidget() is not self.split:
            self.pages.setCurrentWidget(self.split)
            self._place_list()  # before it is shown a splitter has no room that it could share out
        at = max(0, model.row_of(wanted))
        self.list.setCurrentIndex(model.index(at))
        if self._request is None or rows[at].request.n != self._request.n:
            self._choose(rows[at].request)

    def _show_empty(self) -> None:
        text = self.tr(
            "The last 20 requests stand here as they were sent, once a message is sent. They are kept in RAM only, until "
            "Keepsake ends. Those of an incognito chat are not kept."
        )
        self.page.show_message("", self.tr("No request yet"), text, [])
        self.pages.setCurrentWidget(self.page)

    def _on_current(self, index: QModelIndex) -> None:
        row = index.data(ROW)
        if isinstance(row, RequestRow) and row.request is not self._request:
            self._choose(row.request)

    def _choose(self, request: LoggedRequest) -> None:
        self._request = request
        self._operations.forget(self._making)
        self._making = self._operations.read(lambda: parts_of(request), self._on_parts, self._on_failed)

    def _on_parts(self, parts: list[RequestPart]) -> None:
        kept = self.part.currentData()
        self.part.clear()
        for part in parts:
            self.part.addItem(self._part_text(part), part.name)
        self.part.setCurrentIndex(max(0, self.part.findData(kept)))
        self._make()

    def _part_text(self, part: RequestPart) -> str:
        name = part.name or self.tr("Whole request")
        indent = "  " * max(0, part.depth - 1)
        facts = [part.hint] if part.hint else []
        facts.append(self.tr("about {n} tokens").format(n=f"{part.tokens:,}"))
        return f"{indent}{name}   {' · '.join(facts)}"

    def _make(self) -> None:
        """The text of the chosen part."""
        request, name, lines = self._request, str(self.part.currentData() or ""), self.lines.isChecked()
        if request is None:
            return

        def work() -> tuple[str, Drawn]:
            text = text_of_part(request, name)
            return text, drawn(text, lines=lines)

        self._operations.forget(self._making)
        self._making = self._operations.read(work, self._on_text, self._on_failed)

    def _on_text(self, made: tuple[str, Drawn]) -> None:
        self._making = 0
        self._text, view = made
        self.body.show_text(view)

    def _on_failed(self, failure: Failure) -> None:
        self._making = 0
        self.failed.emit(failure)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
