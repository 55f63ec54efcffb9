"""The question before a session in the trash is deleted for good: it names the session and what is not reached. GUI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from desktop.ui.markdown import shown

if TYPE_CHECKING:
    from desktop.sessions.trash import TrashedSession

translate = QCoreApplication.translate
LONGEST = 200


def entry_title(entry: TrashedSession) -> str:
    """What a session in the trash is called."""
    return shown(entry.title)[:LONGEST] if entry.title != entry.id else translate("TrashView", "Untitled session")


def purge_dialog(parent: QWidget, entry: TrashedSession) -> QMessageBox:
    """The dialog, to be opened with `open()`; `accepted` says yes, and is never the default."""
    box = QMessageBox(parent)
    box.setObjectName("sessionPurge")
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle(translate("PurgeDialog", "Delete for good"))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(translate("PurgeDialog", "Delete “{name}” for good?").format(name=entry_title(entry)))
    box.setInformativeText(
        translate(
            "PurgeDialog",
            "The session goes with its pictures, outputs and drafts, out of the trash and out of search. This cannot be undone. Not "
            "reached are memories that came out of it, forks of it, and exports and backups of your own.",
        )
    )
    purging = box.addButton(translate("PurgeDialog", "Delete for Good"), QMessageBox.ButtonRole.AcceptRole)
    purging.setObjectName("sessionPurgeYes")
    cancelling = box.addButton(translate("PurgeDialog", "Cancel"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(cancelling)
    box.setEscapeButton(cancelling)
    return box
