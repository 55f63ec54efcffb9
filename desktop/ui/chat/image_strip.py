"""The pictures of a message as thumbnails in a row; one opens larger on a press. Decodes nothing itself. GUI thread."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage, QKeyEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop.ui import icons, theme
from desktop.ui.chat.images import Decoded, ImageRef, ImageSource
from desktop.ui.chat.surface import KeyButton, label
from desktop.ui.settings.flow import FlowRow

EDGE = 132
"""Pixels of a thumbnail, in either direction."""
LARGE = 4_096
"""Pixels of an opened picture at most; it is made to fit its window."""


class Thumbnail(QAbstractButton):
    """One picture. While it is decoded, and where it cannot be, an icon and its size stand there."""

    def __init__(self, parent: QWidget, ref: ImageRef, number: int, of: int) -> None:
        super().__init__(parent)
        self.setObjectName("thumbnail")
        self.ref = ref
        self.decoded: Decoded | None = None
        self._number, self._of = number, of
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._say()
        theme.signals.theme_changed.connect(self.update)
        icons.when_ready(self.update)

    def load(self, source: ImageSource) -> None:
        """Decode the picture, as large as the screen shows it."""
        edge = round(theme.current().px(EDGE) * self.devicePixelRatioF())
        source.load(self.ref, edge, self._on_decoded)

    def _on_decoded(self, decoded: Decoded) -> None:
        self.decoded = decoded
        if decoded.image is not None:
            decoded.image.setDevicePixelRatio(self.devicePixelRatioF())
        self._say()
        self.updateGeometry()
        self.update()

    @property
    def can_open(self) -> bool:
        return self.decoded is not None and self.decoded.image is not None

    def _say(self) -> None:
        reasons = {
            "large": self.tr("too large to be shown"),
            "broken": self.tr("it cannot be read"),
            "lost": self.tr("its file is lost"),
        }
        name = self.tr("Picture") if self._of == 1 else self.tr("Picture {n} of {of}").format(n=self._number, of=self._of)
        decoded = self.decoded
        facts = [self.ref.media.removeprefix("image/").upper()]
        if decoded is not None and decoded.width:
            facts.append(f"{decoded.width:,} × {decoded.height:,}")
        if self.ref.size:
            facts.append(self.locale().formattedDataSize(self.ref.size, 1))
        if decoded is not None and decoded.reason:
            facts.append(reasons[decoded.reason])
        self.setAccessibleName(", ".join((name, *facts)))
        self.setToolTip("\n".join((name, " · ".join(facts))))

    # --- Qt ---------------------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        now = theme.current()
        if self.decoded is not None and self.decoded.image is not None:
            size = self.decoded.image.deviceIndependentSize().toSize()
            return size.expandedTo(QSize(now.px(28), now.px(28))) + QSize(2, 2)
        return QSize(now.px(EDGE), now.px(72))

    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(now.color("focus" if self.hasFocus() else "border"), now.px(2) if self.hasFocus() else 1))
        image = self.decoded.image if self.decoded is not None else None
        painter.setBrush(now.color("input"))
        painter.drawRect(frame)
        if image is not None:
            size = image.deviceIndependentSize()
            painter.drawImage(
                QRectF((self.width() - size.width()) / 2, (self.height() - size.height()) / 2, size.width(), size.height()), image
            )
            if self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(frame)
        else:
            edge = now.px(24)
            box = self.rect()
            name = "file-media" if self.decoded is None else "warning"
            icons.icon(name, "secondary").paint(painter, (box.width() - edge) // 2, (box.height() - edge) // 2, edge, edge)
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()
            return
        super().keyPressEvent(event)


class ImageStrip(QWidget):
    """Thumbnails, as many in a row as fit."""

    def __init__(self, parent: QWidget, refs: Sequence[ImageRef], source: ImageSource | None) -> None:
        super().__init__(parent)
        self.setObjectName("imageStrip")
        self._source = source
        self.thumbnails = [Thumbnail(self, ref, number, len(refs)) for number, ref in enumerate(refs, 1)]
        row = FlowRow(self)
        for one in self.thumbnails:
            row.add(one)
            one.clicked.connect(partial(self.open, one))
            if source is not None:
                one.load(source)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 2)
        column.addWidget(row)

    def open(self, thumbnail: Thumbnail) -> None:
        """Show a picture larger, in a window of its own."""
        if self._source is not None and thumbnail.can_open:
            dialog = ImageDialog(self.window(), thumbnail, self._source)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.open()


class ImageDialog(QDialog):
    """One picture as large as its window; Esc closes it."""

    def __init__(self, parent: QWidget, thumbnail: Thumbnail, source: ImageSource) -> None:
        super().__init__(parent)
        self.setObjectName("imageDialog")
        self.setWindowTitle(self.tr("Picture"))
        self._image = QImage()
        self.picture = QLabel(self)
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.picture.setMinimumSize(160, 120)
        self.picture.setAccessibleName(thumbnail.accessibleName())
        self.facts = label(self, thumbnail.toolTip().partition("\n")[2], role="secondary")
        self.copy_button = KeyButton(self.tr("Copy Picture"), self, secondary=True)
        self.copy_button.setEnabled(False)
        self.copy_button.clicked.connect(self._copy)
        self.close_button = KeyButton(self.tr("Close"), self)
        self.close_button.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.addWidget(self.facts, 1)
        row.addWidget(self.copy_button)
        row.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.addWidget(self.picture, 1)
        column.addLayout(row)
        self._size_to(thumbnail)
        source.load(thumbnail.ref, LARGE, self._on_decoded)
        self.close_button.setFocus()

    def _size_to(self, thumbnail: Thumbnail) -> None:
        decoded, parent = thumbnail.decoded, self.parentWidget()
        if decoded is None or parent is None:
            return
        frame = QSize(40, 90)
        room = QSize(round(parent.width() * 0.9), round(parent.height() * 0.9)) - frame
        size = QSize(decoded.width, decoded.height) / self.devicePixelRatioF()
        if size.width() > room.width() or size.height() > room.height():
            size = size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        self.resize((size + frame).expandedTo(QSize(320, 240)))

    def _on_decoded(self, decoded: Decoded) -> None:
        if decoded.image is not None:
            self._image = decoded.image
            self.copy_button.setEnabled(True)
            self._draw()

    def _draw(self) -> None:
        if self._image.isNull():
            return
        ratio = self.devicePixelRatioF()
        room = self.picture.size() * ratio
        image = self._image
        if image.width() > room.width() or image.height() > room.height():
            image = image.scaled(room, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
        pixmap = QPixmap.fromImage(image)
        pixmap.setDevicePixelRatio(ratio)
        self.picture.setPixmap(pixmap)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setImage(self._image)

    # --- Qt ---------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._draw()
