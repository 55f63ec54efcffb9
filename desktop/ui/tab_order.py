"""Where Tab leads: through the regions of the window in the order in which they stand, whenever their parts were made.

Qt goes by the order of making: what is made after the first paint (views, tabs, messages) would come behind the status bar. Inside a
region its order stays, with what `setTabOrder` changed. Functions over the present widgets; nothing is kept. GUI thread.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def tab_stops(window: QWidget, regions: Sequence[QWidget]) -> list[QWidget]:
    """What takes the keyboard by Tab now, region by region; what is in none of them (overlays, toasts) comes last."""
    ranked: list[list[QWidget]] = [[] for _ in (*regions, window)]
    rank_of = {id(region): rank for rank, region in enumerate(regions)}
    widget = window.nextInFocusChain()
    while widget is not None and widget is not window:
        if _is_stop(widget):
            ranked[_rank(widget, window, rank_of)].append(widget)
        widget = widget.nextInFocusChain()
    return [stop for stops in ranked for stop in stops]


def next_stop(window: QWidget, regions: Sequence[QWidget], present: QWidget | None, *, forward: bool) -> QWidget | None:
    """The stop after (or before) `present`, around the end; None if there is no other."""
    stops = tab_stops(window, regions)
    if not stops:
        return None
    at = next((number for number, stop in enumerate(stops) if stop is present), None)
    if at is None:
        at = _nearest(stops, window, present) if forward else len(stops)
    found = stops[(at + (1 if forward else -1)) % len(stops)]
    return found if found is not present else None


def stop_beside(window: QWidget, regions: Sequence[QWidget], vanished: QWidget) -> QWidget | None:
    """The stop closest to a widget that was hidden or switched off while it had the focus; None where it stood alone in the window.

    It is looked for in what is around the widget, and further and further out: the keyboard never jumps into another part by itself.
    """
    stops = tab_stops(window, regions)
    around = vanished.parentWidget()
    while around is not None and around is not window:
        inside = [stop for stop in stops if around.isAncestorOf(stop)] if around.isVisible() else []
        if inside:
            return inside[(_nearest(inside, window, vanished) + 1) % len(inside)]
        around = around.parentWidget()
    return None


def put_before(stop: QWidget, widgets: Sequence[QWidget]) -> None:
    """Tab leads through `widgets`, in their order, and then to `stop`, although they are younger than what stands behind it."""
    before: QWidget | None = stop.previousInFocusChain()
    while before is not None and before is not stop and (not _can_stop(before) or before in widgets):
        before = before.previousInFocusChain()  # behind one that takes no keyboard Qt moves nothing
    if before is None or before is stop:
        return
    for first, second in zip((before, *widgets), widgets, strict=False):
        QWidget.setTabOrder(first, second)


def _can_stop(widget: QWidget) -> bool:
    return widget.focusPolicy() != Qt.FocusPolicy.NoFocus and widget.focusProxy() is None


def _nearest(stops: Sequence[QWidget], window: QWidget, present: QWidget | None) -> int:
    """The focus is on something that is no stop (clicked text): go on from the last stop before it in Qt's own order."""
    widget = present
    while widget is not None and widget is not window:
        at = next((number for number, stop in enumerate(stops) if stop is widget), -1)
        if at >= 0:
            return at
        widget = widget.previousInFocusChain()
    return -1


def _is_stop(widget: QWidget) -> bool:
    takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus
    return bool(takes and widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None)


def _rank(widget: QWidget, window: QWidget, rank_of: dict[int, int]) -> int:
    above: QWidget | None = widget
    while above is not None and above is not window:
        rank = rank_of.get(id(above))
        if rank is not None:
            return rank
        above = above.parentWidget()
    return len(rank_of)
