"""The list of logged requests: number, job and model, time, size, tokens. Draws only. GUI thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QDateTime, QLocale, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop.providers.request_log import LoggedRequest
from desktop.ui import theme
from desktop.ui.chat.surface import tip
from desktop.ui.markdown import shown

ROW = Qt.ItemDataRole.UserRole
HEIGHT = 44
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class RequestRow:
    """One request as it is listed; `tokens` is estimated."""

    request: LoggedRequest
    tokens: int


def rows_of(requests: Sequence[LoggedRequest]) -> list[RequestRow]:
    """Counts tokens, 10 ms a megabyte: in a worker thread."""
    return [RequestRow(request, request.tokens()) for request in requests]


class RequestsModel(QAbstractListModel):
    """Newest first."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: Sequence[RequestRow] = ()

    def set_rows(self, rows: Sequence[RequestRow]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def row_of(self, number: int) -> int:
        """Where the request of that number stands; -1 when it is not kept."""
        return next((at for at, row in enumerate(self.rows) if row.request.n == number), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        title, facts = self.title(row), f"{self.time(row)} · {self.facts(row)}"
        if role == Qt.ItemDataRole.DisplayRole:
            return title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{title}, {facts}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(f"{title}\n{facts}\n{row.request.url}")
        return row if role == ROW else None

    def title(self, row: RequestRow) -> str:
        return f"#{row.request.n}  {self.kind(row.request.kind)}"

    def time(self, row: RequestRow) -> str:
        moment = QDateTime.fromSecsSinceEpoch(int(row.request.time.timestamp()))
        return QLocale().toString(moment.time(), "HH:mm:ss")

    def facts(self, row: RequestRow) -> str:
        tokens = self.tr("about {n} tokens").format(n=f"{row.tokens:,}")
        size = QLocale().formattedDataSize(row.request.size, 0, QLocale.DataSizeFormat.DataSizeTraditionalFormat)
        return " · ".join((tokens, size, shown(row.request.model)))

    def kind(self, kind: str) -> str:
        """Which job asked."""
        words = {
            "main": self.tr("Chat"),
            "extract": self.tr("Extraction"),
            "select": self.tr("Recall"),
            "distil": self.tr("Condensing"),
            "title": self.tr("Title"),
            "session_state": self.tr("Session state"),
        }
        return words.get(kind, kind)


class RequestsDelegate(QStyledItemDelegate):
    """Two lines a request."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(10, theme.current().px(HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        assert isinstance(model, RequestsModel)
        row: RequestRow = index.data(ROW)
        now, area = theme.current(), QRect(option.rect)
        state: QStyle.StateFlag = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, now.color("selection" if selected else "hover"))
        area.adjust(now.px(12), now.px(4), -now.px(10), -now.px(4))
        half = area.height() // 2
        upper = QRect(area.left(), area.top(), area.width(), half)
        lower = QRect(area.left(), area.top() + half, area.width(), half)
        metrics = QFontMetrics(painter.font())
        place = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        time = model.time(row)
        painter.setPen(now.color("selection_text" if selected else "secondary"))
        painter.drawText(upper, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), time)
        upper.setRight(upper.right() - metrics.horizontalAdvance(time) - now.px(8))
        for line, text, token in ((upper, model.title(row), "text"), (lower, model.facts(row), "secondary")):
            painter.setPen(now.color("selection_text" if selected else token))
            painter.drawText(line, place, metrics.elidedText(text, Qt.TextElideMode.ElideRight, line.width()))


class RequestsList(QListView):
    """The list with its model."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("requestsList")
        self.setAccessibleName(self.tr("Requests"))
        self.requests = RequestsModel(self)
        self.setModel(self.requests)
        self.setItemDelegate(RequestsDelegate(self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
