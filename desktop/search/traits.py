"""What a passage shows of itself besides its words: who speaks, whether it asks, whether it tells a time, whether it sets a rule. Pure.

Found once, when a passage is indexed, and kept as numbers beside it. Only what is plain on the surface: a label before a colon, a question
mark at the end, words of timeand of standing wishes, in English and Chinese.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

from desktop.search.dates import days_in
from desktop.search.segment import language_of

ASKS, TIMED, STANDING, PREFERS, WIDE, TITLED, LABELLED = 1, 2, 4, 8, 16, 32, 64

_LABEL = re.compile(r"(?:\[[^\]\n]{1,80}\]\s*)?([A-Z][\w'.-]*(?: [A-Z][\w'.-]*)?):\s")
UNKNOWN_DAY = 1 << 32
DAY = re.compile(r"\s*(?:\[([^\]\n]{6,60})\]|(\d{4}-\d\d-\d\d))")
_WIDE_LABEL = re.compile(r"\s*[\u3400-\u9fff]{1,6}[：:]")
_ASKS = re.compile(r"[?？][\s\"'”’)）]*(?:\[[^\]\n]*\]\s*)?\Z")
_TIMED = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|last|next|weekend|recently|since|years?|months?|weeks?|days?|this (?:morning|evening)|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|\d{4})\b"
    r"|昨天|今天|明天|前天|后天|上周|下周|上个月|下个月|去年|今年|明年|周末|星期|最近|\d+月|\d+日",
    re.IGNORECASE,
)
_STANDING = re.compile(
    r"^\W*(?:please )?(?:always|never|remember)\b|\bfrom now on\b|\b(?:when|whenever) i ask\b"
    r"|\b(?:always|never) (?:use|include|provide|format|ask|tell|show|give|add|mention|explain|answer|keep|make|run|commit|write)\b"
    r"|记住|以后(?:都|请|要|不)|从现在起|每次都|永远不要|务必",
    re.IGNORECASE | re.MULTILINE,
)
_PREFERS = re.compile(
    r"\bi(?:'d| would)? (?:really |also |strongly |much )?prefer\b|\bmy preference\b|我(?:更)?(?:喜欢|偏好|倾向)|我不(?:想|喜欢|希望)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Traits:
    """Numbers of one passage.

    Attributes:
        speaker: `number_of` the first name in a label before the text, 0 without one.
        day: of a date that the text begins with, as yyyymmdd; another number for one that is not understood; 0 without one.
        marks: ASKS, TIMED, STANDING, PREFERS, WIDE (of a script without blanks), LABELLED (somebody speaks).
    """

    speaker: int
    day: int
    marks: int


def number_of(word: str) -> int:
    """A number that stands for a word, never 0."""
    return (zlib.crc32(word.casefold().encode("utf-8", "surrogatepass")) & 0x7FFFFFFF) | 1


def traits_of(text: str) -> Traits:
    day = DAY.match(text)
    rest = text[day.end() :] if day else text
    label = _LABEL.match(text)
    said = text[label.end() :] if label else rest
    marks = ASKS * bool(_ASKS.search(text, max(0, len(text) - 200)))
    marks |= TIMED * bool(_TIMED.search(rest)) | STANDING * bool(_STANDING.search(said)) | PREFERS * bool(_PREFERS.search(said))
    marks |= WIDE * (language_of(text) == "cjk")
    marks |= LABELLED * bool(label or _WIDE_LABEL.match(rest))
    speaker = number_of(label.group(1).split()[0]) if label else 0
    return Traits(speaker, _day_number(day.group(1) or day.group(2)) if day else 0, marks)


def _day_number(written: str) -> int:
    known = next((day.number for day in days_in(written) if day.year), 0)
    return known or UNKNOWN_DAY + number_of(written)
