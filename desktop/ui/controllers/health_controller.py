"""The health of the opened folder's memory: checked after changes, shown, and mended as the person says. GUI thread.

Every call of a service runs through `bridge.operations`. Checks are gathered, so that a thousand changed files cost two of them, and one
that was overtaken is thrown away. Each repair runs on the writer as one act, and its toast takes it back as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.bridge.operations import Failure, Operations
from desktop.bridge.spoken import sentences, spoken
from desktop.ui.controllers.memory_changes import PERSON
from desktop.ui.memory.line_diff import Difference, difference
from desktop.ui.memory.rows import shown

if TYPE_CHECKING:
    from desktop.compose import Services, Workspace
    from desktop.memory.health_fix import Fixed, FixPlan
    from desktop.memory.health_report import Finding, Health, HealthReport

GATHER_MS = 700
"""Changes that follow each other within this time are looked at once."""

AGAIN_MS = 30 * 60 * 1000
"""Time itself makes memories stale, and files of the workspace come and go: looked at again without any change of memory."""


@dataclass(frozen=True, slots=True)
class FileDifference:
    """What a repair would make of one file."""

    path: str
    difference: Difference
    deleted: bool


@dataclass(frozen=True, slots=True)
class FixPreview:
    """What a repair would do.

    Attributes:
        key: what it was asked for.
        root: id of the root.
        plan: to be applied as it was shown.
        files: the files that change.
    """

    key: str
    root: str
    plan: FixPlan
    files: tuple[FileDifference, ...]


@dataclass(frozen=True, slots=True)
class _Done:
    """What one act of the person's did: per root what was made, how many problems it mended, which it could not, the first one's path."""

    fixed: tuple[tuple[str, Fixed], ...]
    count: int
    passed: tuple[str, ...]
    path: str = ""


def session_ids(services: Services) -> frozenset[str]:
    """Ids of all sessions that are stored. Blocking."""
    return frozenset(entry.name.removesuffix(".jsonl") for entry in services.sessions.files())


def preview_of(health: Health, key: str, findings: Sequence[Finding], name: str, mask: str) -> FixPreview:
    """Blocking."""
    from desktop.memory.health_fix import previews

    plan = health.plan(findings, name, mask=mask)
    files = tuple(FileDifference(one.path, difference(one.before, one.after), one.deleted) for one in previews(plan))
    return FixPreview(key, findings[0].root, plan, files)


def health_of(services: Services, workspace: Workspace) -> Health:
    """Blocking: what looks at memory is loaded here, in a worker, so that the window's start does not wait for it."""
    from desktop.memory.health_report import Health

    return Health(workspace.memories, services.paths, services.clock, lambda: session_ids(services))


class HealthController(QObject):
    """One for the window; `set_workspace` moves it to another folder.

    Attributes:
        report: the newest, None before the first.

    Signals:
        report_changed(HealthReport or None): what was found, None when no folder is open.
        checking_changed(bool): a check is under way.
        check_failed(Failure): it could not be made.
        preview_ready(FixPreview): what a repair would do.
        preview_failed(key, Failure): it cannot be made.
        mended(): files were changed.
        notice_requested(kind, text, actions, tag): a toast.
    """

    report_changed = Signal(object)
    checking_changed = Signal(bool)
    check_failed = Signal(object)
    preview_ready = Signal(object)
    preview_failed = Signal(str, object)
    mended = Signal()
    notice_requested = Signal(str, str, object, str)

    def __init__(self, services: Services, operations: Operations, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._operations = operations
        self._workspace: Workspace | None = None
        self._health: Health | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._checking = 0
        self._again = False
        self._previews: dict[str, int] = {}
        self.report: HealthReport | None = None
        self._gather = QTimer(self)
        self._gather.setSingleShot(True)
        self._gather.setInterval(GATHER_MS)
        self._gather.timeout.connect(self.check)
        self._later = QTimer(self)
        self._later.setInterval(AGAIN_MS)
        self._later.timeout.connect(self.check)

    @property
    def is_checking(self) -> bool:
        return bool(self._checking or self._gather.isActive())

    def set_workspace(self, workspace: Workspace | None) -> None:
        """Look at the memory of another folder, or of none."""
        self.close()
        self.report = None
        if workspace is not None:
            self._workspace = workspace
            self._later.start()
            self.look_soon()
        self.report_changed.emit(None)

    def close(self) -> None:
        """Before the window goes."""
        self._gather.stop()
        self._later.stop()
        for number in (self._checking, *self._previews.values()):
            self._operations.forget(number)
        self._previews.clear()
        self._checking, self._again = 0, False
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        if self._health is not None:
            self._health.stop()
        self._health = self._workspace = None

    # -- looking ---------------------------------------------------------------------------------------------------------------------

    def look_soon(self) -> None:
        """Something changed: look once it has been quiet for a moment."""
        if self._workspace is not None:
            self._gather.start()

    def check(self) -> None:
        """Look now. While a check is under way one more is kept waiting, never two."""
        self._gather.stop()
        workspace, health = self._workspace, self._health
        if workspace is None:
            return
        if self._checking:
            self._again = True
            return
        if health is None:
            services = self._services
            self._checking = self._operations.read(lambda: health_of(services, workspace), self._on_loaded, self._on_failed)
            self.checking_changed.emit(True)
            return
        self._checking = self._operations.read(health.check, self._on_report, self._on_failed)
        self.checking_changed.emit(True)

    def _on_loaded(self, health: Health) -> None:
        self._checking, self._again, self._health = 0, False, health
        if self._workspace is not None:
            self._unsubscribe = self._workspace.memories.forgotten.subscribe(health.forget)
        self.check()

    def _on_report(self, report: HealthReport) -> None:
        self._end_check()
        if report != self.report:
            self.report = report
            self.report_changed.emit(report)

    def _on_failed(self, failure: Failure) -> None:
        self._end_check()
        self.check_failed.emit(failure)

    def _end_check(self) -> None:
        self._checking = 0
        if self._again:
            self._again = False
            self.check()
        else:
            self.checking_changed.emit(False)

    # -- mending ---------------------------------------------------------------------------------------------------------------------

    def preview(self, key: str, findings: Sequence[Finding], name: str = "") -> None:
        """Find out what a repair would do; `preview_ready` or `preview_failed` with `key` follows.

        Args:
            key: names what it is for.
            findings: of one root.
            name: the repair; empty: the recommended one of each.
        """
        health = self._health
        if health is None or not findings:
            return
        self.end_preview(key)
        chosen, mask = tuple(findings), self._mask()
        self._previews[key] = self._operations.read(
            lambda: preview_of(health, key, chosen, name, mask),
            self._on_preview,
            lambda failure: self._on_no_preview(key, failure),
        )

    def end_preview(self, key: str) -> None:
        """It is not wanted any more."""
        self._operations.forget(self._previews.pop(key, 0))

    def _on_preview(self, preview: FixPreview) -> None:
        self._previews.pop(preview.key, None)
        self.preview_ready.emit(preview)

    def _on_no_preview(self, key: str, failure: Failure) -> None:
        self._previews.pop(key, None)
        self.preview_failed.emit(key, failure)

    def apply(self, preview: FixPreview) -> None:
        """Make what was shown."""
        health = self._health
        if health is None:
            return
        root, plan = preview.root, preview.plan

        def work() -> _Done:
            fixed = health.apply(root, plan, PERSON)
            path = plan.problems[0].path if plan.problems else ""
            return _Done(((root, fixed),), len(plan.problems), tuple(spoken(why) for _, why in plan.passed), path)

        self._operations.write(work, self._on_mended, self._on_not_mended)

    def fix(self, findings: Sequence[Finding], name: str = "") -> None:
        """Mend problems at once: those of one root as one act."""
        health = self._health
        if health is None or not findings:
            return
        by_root: dict[str, list[Finding]] = {}
        for finding in findings:
            by_root.setdefault(finding.root, []).append(finding)
        mask = self._mask()

        def work() -> _Done:
            fixed: list[tuple[str, Fixed]] = []
            passed: list[str] = []
            count, path = 0, ""
            for root, some in by_root.items():
                plan = health.plan(some, name, mask=mask)
                path = path or next((problem.path for problem in plan.problems), "")
                fixed.append((root, health.apply(root, plan, PERSON)))
                count += len(plan.problems)
                passed += [spoken(why) for _, why in plan.passed]
            return _Done(tuple(fixed), count, tuple(passed), path)

        self._operations.write(work, self._on_mended, self._on_not_mended)

    def _mask(self) -> str:
        """What stands in place of a secret."""
        return self.tr("[masked secret]")

    def _on_mended(self, done: _Done) -> None:
        text = self.tr("%n problem(s) fixed.", "", done.count)
        first = next((change for _, fixed in done.fixed for change in fixed.changes), None)
        if done.count == 1 and first is not None:
            text = self.tr("“{path}” is fixed.").format(path=shown(done.path or first.path))
        elif done.count == 1:
            text = self.tr("Noted as still true.")
        if done.passed:
            text = sentences(text, self.tr("%n could not be: {reason}", "", len(done.passed)).format(reason=done.passed[0]))
        some = any(fixed.changes or fixed.confirmed for _, fixed in done.fixed)
        self.notice_requested.emit("info", text, [(self.tr("Undo"), lambda: self._undo(done))] if some else [], "memory-health")
        self.mended.emit()
        self.check()

    def _on_not_mended(self, failure: Failure) -> None:
        self.notice_requested.emit("error", failure.text(), [], "memory-health")
        self.check()

    def _undo(self, done: _Done) -> None:
        health = self._health
        if health is not None:
            fixed = done.fixed[::-1]
            self._operations.write(
                lambda: [health.take_back(root, one) for root, one in fixed], lambda _: self._on_undone(done), self._on_not_mended
            )

    def _on_undone(self, done: _Done) -> None:
        self.notice_requested.emit("info", self.tr("%n fix(es) undone.", "", done.count), [], "memory-health")
        self.mended.emit()
        self.check()

    # -- passing over ----------------------------------------------------------------------------------------------------------------

    def ignore(self, findings: Sequence[Finding]) -> None:
        """Pass problems over from now on; a toast takes it back."""
        self._mark(findings, passed_over=True)

    def show_again(self, findings: Sequence[Finding]) -> None:
        """Count problems again."""
        self._mark(findings, passed_over=False)

    def _mark(self, findings: Sequence[Finding], *, passed_over: bool) -> None:
        health = self._health
        if health is None or not findings:
            return
        chosen = tuple(findings)

        def work() -> None:
            for finding in chosen:
                state = health.state(finding.root)
                (state.ignore if passed_over else state.show_again)([finding.problem.id])

        self._operations.write(work, lambda _: self._on_marked(chosen, passed_over=passed_over), self._on_not_mended)

    def _on_marked(self, findings: tuple[Finding, ...], *, passed_over: bool) -> None:
        if passed_over:
            text = self.tr("%n problem(s) will be passed over.", "", len(findings))
            undo = (self.tr("Undo"), lambda: self.show_again(findings))
            self.notice_requested.emit("info", text, [undo], "memory-health-ignored")
        self.check()
