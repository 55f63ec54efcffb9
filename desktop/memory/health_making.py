"""What every repair is made with, and the error of one that cannot be made. Values only; any thread."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from desktop.base.errors import UsageError
from desktop.base.phrases import say
from desktop.memory.health_text import Problem
from desktop.memory.index_limits import IndexLimits
from desktop.memory.note import INDEX_NAME


class NotPossibleError(UsageError):
    """A repair that cannot be made: the problem is gone, or it needs a person's judgement."""


@dataclass(frozen=True, slots=True)
class Making:
    """With what repairs are made.

    Attributes:
        now: the time, for what is confirmed.
        mask: the words in place of a secret.
        limits: those that the index is loaded with.
    """

    now: datetime
    mask: str
    limits: IndexLimits = field(default_factory=IndexLimits)


def gone(problem: Problem) -> NotPossibleError:
    """For a problem that is not there any more."""
    return NotPossibleError(say("{path} does not have this problem any more.", path=problem.path or INDEX_NAME))
