"""Dates in texts and questions, in English and Chinese: 2026-05-04, 4 May 2026, May 4th, 5月4日, 2026年5月. Pure.

A day is kept as one number, yyyymmdd. Only dates that are written out count; “last week” is left to the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?"
)
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?<!\d)(?P<year>(?:19|20)\d\d)[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)",
        r"(?:(?P<year>(?:19|20)\d\d)\s*年\s*)?(?<!\d)(?P<month>\d{1,2})\s*月\s*(?P<day>\d{1,2})\s*[日号]",
        rf"(?<!\w)(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? (?P<year>(?:19|20)\d\d))?(?!\w)",
        rf"(?<!\w){_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,? (?P<year>(?:19|20)\d\d))?(?!\w)",
    )
)


@dataclass(frozen=True, slots=True)
class Day:
    """A day that a text names; year 0 when it names none."""

    year: int
    month: int
    day: int

    @property
    def number(self) -> int:
        return self.year * 10_000 + self.month * 100 + self.day


def day_of(moment: float) -> int:
    """The day of a moment in seconds since 1970, on this machine's calendar, as yyyymmdd; 0 for none, or one that no calendar has."""
    if moment <= 0:
        return 0
    try:
        found = datetime.fromtimestamp(moment)
    except (OverflowError, OSError, ValueError):
        return 0
    return Day(found.year, found.month, found.day).number


def days_in(text: str) -> tuple[Day, ...]:
    """The days that a text names, each once, as far as they are possible ones."""
    return tuple(dict.fromkeys(_days(text)))


def _days(text: str) -> Iterator[Day]:
    for form in _FORMS:
        for match in form.finditer(text):
            found = match.groupdict()
            month = _MONTHS.index(found["name"][:3].lower()) + 1 if found.get("name") else int(found["month"])
            day = int(found["day"])
            if 1 <= month <= 12 and 1 <= day <= 31:
                yield Day(int(found["year"] or 0), month, day)
