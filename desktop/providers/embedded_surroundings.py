"""What stands around a sentence in its message: a question, a request, a report of trouble, pasted text. No model.

A plain statement beside a question or a fault mostly describes the moment (“the disk is at 98 %. safe to delete?”), the same statement
alone mostly does not. Here only what is around is told; what follows from it is decided in `embedded_statements` and learnt by the
classifier. Pure, linear time; knows nothing of memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop.providers.embedded_lasting import EPISODE, TROUBLE
from desktop.providers.embedded_sentences import Sentence, is_filler, is_request


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the rest of a message holds beside one of its sentences.

    Attributes:
        question, request: another sentence asks, or wants something done.
        trouble: another sentence reports that something goes wrong or what was tried.
        pasted: the message holds text that is not the person's own.
        place: where the sentence stands: only, first, middle or last.
    """

    question: bool = False
    request: bool = False
    trouble: bool = False
    pasted: bool = False
    place: str = "only"

    @property
    def momentary(self) -> bool:
        """The message is about something at hand, so that a plain statement in it describes that."""
        return self.question or self.request or self.trouble or self.pasted

    def names(self) -> Iterator[str]:
        """What is around, by name."""
        marks = {"question": self.question, "request": self.request, "trouble": self.trouble, "pasted": self.pasted}
        yield from (name for name, found in marks.items() if found)
        yield self.place


ALONE = Surroundings()


def surroundings(parts: Sequence[Sentence], *, pasted: bool) -> list[Surroundings]:
    """What stands around each sentence of a message.

    Args:
        pasted: something in the message was not the person's own.
    """
    told = [number for number, part in enumerate(parts) if not is_filler(part.masked)]
    question = [part.question for part in parts]
    request = [not part.question and is_request(part.masked) for part in parts]
    trouble = [TROUBLE.search(part.masked) is not None or EPISODE.search(part.masked) is not None for part in parts]
    counts = sum(question), sum(request), sum(trouble)
    return [
        Surroundings(counts[0] > question[at], counts[1] > request[at], counts[2] > trouble[at], pasted, _place(at, told))
        for at in range(len(parts))
    ]


def _place(at: int, told: Sequence[int]) -> str:
    if not told or told == [at]:
        return "only"
    return "first" if at <= told[0] else "last" if at >= told[-1] else "middle"
