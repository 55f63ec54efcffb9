"""The strip above the memory tree: of all that could be said, the one thing that matters most, with its ways out. GUI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.bridge.spoken import spoken
from desktop.memory.roots import WORKSPACE
from desktop.ui.memory.banner import Action
from desktop.ui.memory.rows import INDEX_NAME, shown
from desktop.ui.memory.state_text import off_text, read_only_text

if TYPE_CHECKING:
    from desktop.ui.memory.panel import MemoryPanel


class PanelNotice(QObject):
    """See the module's text. `show` is called after whatever could change the choice."""

    def __init__(self, panel: MemoryPanel) -> None:
        super().__init__(panel)
        self._panel = panel
        self._watch = ""
        self._seen: set[str] = set()

    def note_watch(self, text: str) -> None:
        """How the folders are followed, where that is worse than usual."""
        self._watch = text
        self.show()

    def show(self) -> None:
        """The first of these that holds: another folder's memory, memory off, memory of before, read only, a file to allow, watching."""
        if self._panel.controller.snapshot is None:
            self._panel.notice.dismiss()
            return
        for show in (self._mismatch, self._off, self._moved, self._read_only, self._workspace_file, self._found_so, self._watching):
            if show():
                return
        self._panel.notice.dismiss()

    def _settings(self) -> Action:
        return (self.tr("Open Settings"), self._panel.settings_requested.emit)

    def _mismatch(self) -> bool:
        places = self._panel.controller.places
        reason = places.belonging.mismatch
        if not reason:
            return False
        actions = [(self.tr("Use It Here"), places.take_over)] if places.can_take_over else []
        text = self.tr("Memory is off here, so that nothing of two projects is mixed.") + f"\n{reason}"
        self._panel.notice.show_text("error", text, [*actions, self._settings()])
        return True

    def _off(self) -> bool:
        snapshot = self._panel.controller.snapshot
        if snapshot is None or snapshot.state.enabled:
            return False
        on = [(self.tr("Turn On"), self._panel.switch_on_requested.emit)] if snapshot.state.switch == "workspace" else []
        self._panel.notice.show_text("memory", off_text(snapshot.state), [*on, self._settings()])
        return True

    def _moved(self) -> bool:
        places = self._panel.controller.places
        if not places.moved:
            return False
        found = places.moved[0]
        lines = [
            self.tr("This folder was renamed or moved: memory of {folder} ({count}) was found.").format(
                folder=shown(found.project.source or found.project.label), count=self.tr("%n memories", "", found.notes)
            )
        ]
        if len(places.moved) > 1:
            lines.append(self.tr("%n more were found; see “Adopt Memory of a Lost Project”.", "", len(places.moved) - 1))
        actions: list[Action] = [
            (self.tr("Use It"), lambda: places.use(found)),
            (self.tr("Start Fresh"), places.start_fresh),
            (self.tr("Not Now"), places.not_now),
        ]
        self._panel.notice.show_text("memory", "\n".join(lines), actions, spoken(found.detail))
        return True

    def _read_only(self) -> bool:
        snapshot = self._panel.controller.snapshot
        if snapshot is None or snapshot.state.write:
            return False
        self._panel.notice.show_text("info", read_only_text(snapshot.state), [self._settings()])
        return True

    def _workspace_file(self) -> bool:
        places, picture = self._panel.controller.places, self._panel.controller.picture(WORKSPACE)
        if picture is None or not picture.untrusted or picture.untrusted in places.seen:
            return False
        digest = picture.untrusted
        text = self.tr(
            "This folder brings its own memory (.agents/memory/MEMORY.md). No chat loads it until you allow it: "
            "look at it first, anyone may have written it."
        )
        actions: list[Action] = [
            (self.tr("Show"), lambda: self._panel.open_requested.emit(WORKSPACE, INDEX_NAME)),
            (self.tr("Allow"), lambda: places.allow(digest)),
            (self.tr("Not Now"), lambda: places.put_off(digest)),
        ]
        self._panel.notice.show_text("warning", text, actions)
        return True

    def _found_so(self) -> bool:
        """Something about how the project was found, e.g. that the repository has no id and goes by its path."""
        workspace = self._panel.controller.workspace
        notice = workspace.project.notice if workspace is not None else ""
        if not notice or notice in self._seen:
            return False

        def close() -> None:
            self._seen.add(notice)
            self.show()

        self._panel.notice.show_text("info", spoken(notice), [(self.tr("OK"), close)])
        return True

    def _watching(self) -> bool:
        if self._watch:
            self._panel.notice.show_text("warning", self._watch, [])
        return bool(self._watch)
