"""What relative dates mean on a given day: a weekday of next week, the end of a month, 下下周, 去年年底. For `absolute_dates` alone.

Owns the calendar of each form; which words have which form is not decided here. A function takes the match and today, and gives the text
that takes the words' place, or None where they mean no day. Weeks begin on Monday. Pure, any thread.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from datetime import date, timedelta

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SHORT_DAYS = ("mon", "tues?", "wed", "thu(?:rs?)?", "fri", "sat", "sun")
_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    " twenty"
)
COUNT = {word: n for n, word in enumerate(re.findall(r"\w+", _NUMBERS))} | {"a": 1, "an": 1, "thirty": 30, "sixty": 60, "ninety": 90}
_ZH_COUNT = {sign: n for n, sign in enumerate("零一二三四五六七八九十")} | {"两": 2, "兩": 2, "半": 0}


def amount_of(text: str) -> int:
    """A number in digits, an English word or Chinese signs up to ninety-nine; -1 for anything else."""
    text = text.lower().strip()
    if text.isdecimal():
        return int(text)
    if text in COUNT:
        return COUNT[text]
    if text in _ZH_COUNT:
        return _ZH_COUNT[text]
    if len(text) == 2 and text[0] == "十":
        return 10 + _ZH_COUNT.get(text[1], 0)
    if len(text) in (2, 3) and text[1] == "十":
        return 10 * _ZH_COUNT.get(text[0], 0) + (_ZH_COUNT.get(text[2], 0) if len(text) == 3 else 0)
    return -1


def _months(day: date, count: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _last_of_month(day: date) -> date:
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])


def _weekday(today: date, weeks: int, weekday: int) -> date:
    return today + timedelta(days=weekday - today.weekday(), weeks=weeks)


def _moved(today: date, count: int, unit: str) -> date | None:
    """The day so many units away; None when it is beyond what a calendar holds."""
    if abs(count) > 4_000:
        return None
    unit = unit.lower().rstrip("s")
    try:
        if unit in ("day", "天", "日"):
            return today + timedelta(days=count)
        if unit in ("week", "周", "週", "星期", "个星期", "個星期", "礼拜", "个礼拜"):
            return today + timedelta(weeks=count)
        if unit == "fortnight":
            return today + timedelta(weeks=2 * count)
        if unit in ("month", "月", "个月", "個月"):
            return _months(today, count)
        return _months(today, 12 * count)
    except (ValueError, OverflowError):
        return None


def _distance(count: int, unit: str, today: date) -> str | None:
    """A day for days and weeks, a month for months, a year for years: no more exact than what was said."""
    day = _moved(today, count, unit)
    if day is None:
        return None
    small = unit.lower().rstrip("s")
    if small in ("month", "月", "个月", "個月"):
        return f"{day:%Y-%m}"
    return f"{day.year}" if small in ("year", "年") else day.isoformat()


def _day_number(name: str) -> int:
    """Of a weekday's name, whole or short, Monday being 0."""
    return next(number for number, day in enumerate(DAYS) if day.startswith(name.lower()[:3]))


def by_weekday(match: re.Match[str], today: date) -> str | None:
    weekday = _day_number(match["weekday"])
    which = re.sub(r"\s+", " ", (match["which"] or "").lower())
    if which == "next":
        return _weekday(today, 1, weekday).isoformat()
    if which.endswith("past"):
        return (today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)).isoformat()
    if which == "last":
        past = _weekday(today, 0, weekday)
        return (past if past < today and weekday < today.weekday() else _weekday(today, -1, weekday)).isoformat()
    ahead = (weekday - today.weekday()) % 7
    return (today + timedelta(days=ahead)).isoformat()


def of_week(match: re.Match[str], today: date) -> str | None:
    """“Friday next week”, “next week on Friday”."""
    which = re.sub(r"\s+", " ", match["which"].lower())
    return _weekday(today, _SHIFT.get(which, 0), _day_number(match["weekday"])).isoformat()


def week_from(match: re.Match[str], today: date) -> str | None:
    """“A week from tomorrow”, “two weeks from Friday”."""
    base, count = match["base"].lower(), amount_of(match["count"])
    if count < 0:
        return None
    ahead = {"today": 0, "tomorrow": 1}.get(base)
    days = (_day_number(base) - today.weekday()) % 7 if ahead is None else ahead
    moved = _moved(today, 7 * count, "day")
    return None if moved is None else (moved + timedelta(days=days)).isoformat()


def day_of_month(match: re.Match[str], today: date) -> str | None:
    first = _months(today.replace(day=1), _SHIFT.get(match["which"].lower(), 0))
    number = int(match["day"])
    return first.replace(day=number).isoformat() if 1 <= number <= _last_of_month(first).day else None


def after_next(match: re.Match[str], today: date) -> str | None:
    return _period(2, match["period"].lower(), today, chinese=False)


def coming_weekday(match: re.Match[str], today: date) -> str | None:
    """“It will ship on Friday”: the coming one, where the sentence looks ahead to one day."""
    if _AHEAD.search(match.string[max(match.start() - 60, 0) : match.start()]) is None:
        return None
    return f"on {(today + timedelta(days=(_day_number(match['weekday']) - today.weekday()) % 7)).isoformat()}"


def led_weekday(match: re.Match[str], today: date) -> str | None:
    ahead = (DAYS.index(match["weekday"].lower()) - today.weekday()) % 7
    return f"{match['lead']} {(today + timedelta(days=ahead)).isoformat()}"


def zh_coming(match: re.Match[str], today: date) -> str | None:
    weekday = "一二三四五六日天".index(match["weekday"])
    return (today + timedelta(days=(min(weekday, 6) - today.weekday()) % 7)).isoformat()


def zh_weekday(match: re.Match[str], today: date) -> str | None:
    which = match["which"]
    weeks = {"上上": -2, "下下": 2, "上": -1, "下": 1}.get(which.rstrip("个個一"), 0)
    weekday = "一二三四五六日天末".index(match["weekday"])
    return _weekday(today, weeks, {7: 6, 8: 5}.get(weekday, weekday)).isoformat()


def zh_part(part: str | None) -> str:
    return f" {part}" if part else ""


def _period(shift: int, unit: str, today: date, *, chinese: bool) -> str | None:
    if unit in ("week", "weekend"):
        monday = _weekday(today, shift, 0)
        if unit == "weekend":
            return f"the weekend of {(monday + timedelta(days=5)).isoformat()}"
        return f"{monday.isoformat()} 那一周" if chinese else f"the week of {monday.isoformat()}"
    if unit == "month":
        return f"{_months(today.replace(day=1), shift):%Y-%m}"
    if unit == "quarter":
        number = today.year * 4 + (today.month - 1) // 3 + shift
        return f"{number // 4}-Q{number % 4 + 1}"
    return f"{today.year + shift}"


_SHIFT = {"last": -1, "this": 0, "next": 1, "the coming": 1, "the current": 0, "the next": 1, "the last": -1}
_AHEAD = re.compile(
    r"(?i)(?:\bwill\b|['’]ll\b|\bgoing to\b|\bdue\b|\bscheduled\b|\bplanned\b|\bgo(?:es)? live\b|\blaunch(?:es)?\b|\bdeadline\b)[^.;!?\n]*$"
)


def fixed(days: int, ending: str = "") -> Callable[[re.Match[str], date], str | None]:
    return lambda match, today: (today + timedelta(days=days)).isoformat() + ending


def counted(sign: int) -> Callable[[re.Match[str], date], str | None]:
    def meaning(match: re.Match[str], today: date) -> str | None:
        count = amount_of(match["count"])
        return _distance(sign * count, match["unit"], today) if count >= 0 else None

    return meaning


def on_counted(match: re.Match[str], today: date) -> str | None:
    if amount_of(match["count"]) > 1 and match["unit"].lower() in ("day", "week", "month", "year") and match.group()[-1].isalpha():
        return None  # “in two week sprints”
    found = counted(1)(match, today)
    return None if found is None else f"{'on' if len(found) == 10 else 'in'} {found}"


def shifted(match: re.Match[str], today: date) -> str | None:
    which = re.sub(r"\s+", " ", match["which"].lower())
    return _period(_SHIFT.get(which, 0), match["period"].lower(), today, chinese=False)


def end_of(match: re.Match[str], today: date) -> str | None:
    period = match["period"].lower()
    shift = _SHIFT.get(re.sub(r"\s+", " ", (match["which"] or "this").lower()), 0)
    if period == "month":
        return _last_of_month(_months(today.replace(day=1), shift)).isoformat()
    if period == "week":
        return _weekday(today, shift, 4).isoformat()
    if period == "day":
        return today.isoformat()
    if period == "quarter":
        number = today.year * 4 + (today.month - 1) // 3 + shift
        return _last_of_month(date(number // 4, number % 4 * 3 + 3, 1)).isoformat()
    return f"{today.year + shift}-12-31"


_ZH_MONTH = {"上上": -2, "下下": 2, "上": -1, "下": 1, "本": 0, "这": 0, "這": 0, "当": 0, "": 0}


def zh_month(match: re.Match[str], today: date) -> str | None:
    first = _months(today.replace(day=1), _ZH_MONTH.get((match["which"] or "").rstrip("个個"), 0))
    part = match["part"] or ""
    if part in ("底", "末"):
        return _last_of_month(first).isoformat()
    if match["day"]:
        number = amount_of(match["day"])
        last = calendar.monthrange(first.year, first.month)[1]
        return first.replace(day=number).isoformat() if 1 <= number <= last else None
    return f"{first:%Y-%m}" + {"初": " 初", "中": " 中旬", "中旬": " 中旬", "上旬": " 上旬", "下旬": " 下旬"}.get(part, "")


def zh_week(match: re.Match[str], today: date) -> str | None:
    return _period({"上上": -2, "下下": 2, "上": -1, "下": 1}.get(match["which"].rstrip("个個一"), 0), "week", today, chinese=True)


def zh_year(match: re.Match[str], today: date) -> str | None:
    year = (
        today.year
        + {"去": -1, "上": -1, "今": 0, "本": 0, "明": 1, "前": -2, "后": 2, "後": 2, "大前": -3, "大后": 3, "大後": 3}[match["which"]]
    )
    if match["month"]:
        number = amount_of(match["month"])
        return f"{year}-{number:02}" if 1 <= number <= 12 else None
    return f"{year}-12-31" if match["part"] in ("底", "末") else f"{year} 年{match['part'] or ''}"


def zh_quarter(match: re.Match[str], today: date) -> str | None:
    shift, part = {"上": -1, "下": 1}.get((match["which"] or "").rstrip("个個一"), 0), match["part"] or ""
    if part in ("底", "末"):
        number = today.year * 4 + (today.month - 1) // 3 + shift
        return _last_of_month(date(number // 4, number % 4 * 3 + 3, 1)).isoformat()
    found = _period(shift, "quarter", today, chinese=True)
    return found + {"初": " 初", "中": " 中", "": ""}[part] if found else None


def zh_half(match: re.Match[str], today: date) -> str | None:
    sign = -1 if match["way"] == "前" else 1
    return _distance(sign * 6, "月", today) if match["unit"] == "年" else _distance(sign * 15, "天", today)
