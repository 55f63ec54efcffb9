"""A session of another tool as the material of ReadSessionContext: its messages are turned one by one, scored and let go again.

Gives what `LoadedMaterial` gives of the same session, without holding it a second time in our shape: what is asked for is turned anew.
Pure, any thread.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from datetime import datetime

from desktop.messages.parts import Message, ToolResultPart
from desktop.sessions.context import SILENT, held_points, points_of, snippet_at
from desktop.sessions.importers.convert import Conversion, Turning
from desktop.sessions.importers.shapes import ImportedMessage, ImportedSession
from desktop.sessions.readable import Snippet, folded, readable_text, terms_of
from desktop.sessions.summary import first_prompt_title, title_of


class ForeignMaterial:
    """The material in a session of another tool. See the module's text and `Material`.

    Args:
        session_id: the id under which it is cited here.
        query: the question that will be asked, so that one turning does for it.
    """

    def __init__(self, found: ImportedSession, session_id: str, query: str = "") -> None:
        self._scored = (folded(query), terms_of(query))
        self._sources: list[tuple[ImportedMessage, datetime, tuple[str, ...]]] = []
        self._pieces: list[tuple[int, int]] = []
        self._points = array("d")
        self._live: list[int] = []
        self._turn(found)
        self.session_id = session_id
        self.count = len(self._live)
        self.failed = not self._sources and bool(found.damage)
        self.title = title_of({"title": found.title}, "") or first_prompt_title(self._message_at(place) for place in self._live)

    def _turn(self, found: ImportedSession) -> None:
        turning = Turning(found)
        places: dict[str, int] = {}
        parents: list[str | None] = []
        for one, made in turning.messages():
            names = tuple(part.name for message in made for part in message.parts if isinstance(part, ToolResultPart))
            self._sources.append((one, made[0].time, names))
            for piece, message in enumerate(made):
                text = readable_text(message)
                points = points_of(text, *self._scored) if text else SILENT
                at = places.setdefault(message.id, len(parents))
                if at == len(parents):
                    parents.append(message.parent)
                    self._pieces.append((len(self._sources) - 1, piece))
                    self._points.append(points)
                else:  # the last one of an id counts, at the first one's place
                    parents[at], self._pieces[at], self._points[at] = message.parent, (len(self._sources) - 1, piece), points
        reached = _upwards(turning.leaf(next(reversed(places), "")), places, parents)
        beside = {places[name] for name in turning.beside}
        self._live = [place for place in reached if place not in beside] or reached

    def _message_at(self, place: int) -> Message:
        source, piece = self._pieces[place]
        one, moment, names = self._sources[source]
        told = dict(zip((result.id for result in one.tool_results), names, strict=True))
        return list(Conversion(names=told, moment=moment).turned(one))[piece]

    # --- material ----------------------------------------------------------------------------------------------------

    def points(self, phrase: str, terms: Sequence[str]) -> list[tuple[int, float]]:
        """See `Material`."""
        same = (phrase, tuple(terms)) == self._scored
        return held_points([self._points[place] for place in self._live], same, phrase, terms, lambda number: self.snippet(number).text)

    def snippet(self, number: int, *, masked: bool = False) -> Snippet:
        """See `Material`."""
        return snippet_at(number, self._message_at(self._live[number - 1]), masked=masked)


def _upwards(leaf: str | None, places: dict[str, int], parents: list[str | None]) -> list[int]:
    """The places from the first message to `leaf`, as `transcript.branch` goes."""
    found: list[int] = []
    at = places.get(leaf) if leaf is not None else None
    while at is not None and len(found) <= len(parents):
        found.append(at)
        parent = parents[at]
        at = places.get(parent) if parent is not None else None
    return found[::-1]
