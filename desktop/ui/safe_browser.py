"""A text view for content that is not ours: loads nothing, follows nothing, and asks with the full target before a link is opened.

GUI thread.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication, QImage, QTextDocument
from PySide6.QtWidgets import QMessageBox, QTextBrowser, QWidget

from desktop.base.redact import visible

_OPENABLE = ("http", "https", "mailto")


class LinkQuestion(QMessageBox):
    """Shows where a link really leads and asks. The whole target stands there, unseen characters as escapes.

    Signals:
        accepted: the person wants it opened.
    """

    def __init__(self, url: QUrl, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("linkQuestion")
        self.url = url
        self.setWindowTitle(self.tr("Open link"))
        self.setIcon(QMessageBox.Icon.NoIcon)
        self.setTextFormat(Qt.TextFormat.PlainText)
        # all of it in the one label whose format is set: the second one takes what looks like HTML for HTML
        asked = self.tr("Open this address outside Keepsake?")
        self.setText(f"{asked}\n\n{self.target_text()}")
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        self.open_button = self.addButton(self.tr("Open"), QMessageBox.ButtonRole.AcceptRole)
        self.copy_button = self.addButton(self.tr("Copy Address"), QMessageBox.ButtonRole.ActionRole)
        self.cancel_button = self.addButton(QMessageBox.StandardButton.Cancel)
        self.setDefaultButton(QMessageBox.StandardButton.Cancel)
        self.buttonClicked.connect(self._clicked)

    def target_text(self) -> str:
        """The whole address, and the host as it is on the wire where the two differ (homographs, user names in front)."""
        whole = visible(self.url.toString(QUrl.ComponentFormattingOption.PrettyDecoded))
        host = self.url.host(QUrl.ComponentFormattingOption.FullyEncoded)
        if host and (not whole.isascii() or self.url.userName() or "xn--" in host):
            return "\n\n".join((whole, self.tr("Host: {host}").format(host=host)))
        return whole

    def _clicked(self, button: object) -> None:
        if button is self.open_button:
            QDesktopServices.openUrl(self.url)
        elif button is self.copy_button:
            QGuiApplication.clipboard().setText(self.url.toString(QUrl.ComponentFormattingOption.FullyEncoded))


class SafeBrowser(QTextBrowser):
    """Read-only rich text. See the module's text.

    Signals:
        relative_link_requested: a link without a scheme was clicked; the owner knows what it is relative to.
    """

    relative_link_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._nothing = QImage(1, 1, QImage.Format.Format_ARGB32)
        self._nothing.fill(0)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.document().setUndoRedoEnabled(False)
        self.setAcceptDrops(False)
        self.anchorClicked.connect(self._link_clicked)

    def _link_clicked(self, url: QUrl) -> None:
        if url.scheme().lower() in _OPENABLE:
            question = LinkQuestion(url, self)
            question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            question.open()
        elif not url.scheme() and not url.host():
            self.relative_link_requested.emit(url.toString())

    # --- Qt ---------------------------------------------------------------------------------------------------------

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing is ever loaded. An image gets an empty one: given none at all, Qt opens the file by its name itself (measured)."""
        return self._nothing if kind == QTextDocument.ResourceType.ImageResource.value else ""

    def doSetSource(self, name: QUrl | str, kind: QTextDocument.ResourceType = QTextDocument.ResourceType.UnknownResource) -> None:
        """A document never navigates."""
