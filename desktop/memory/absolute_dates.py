"""Relative dates made absolute (FM-04): “tomorrow” and “下周五” become the day that they meant when they were said.

Owns what each word means on a given day, in English and Chinese. What has no one meaning (“soon”, “几天前”) stays and is named. Code,
paths, addresses, quotations and words beside the date they stand for are never touched. Weeks begin on Monday, and “next Friday” is the
Friday of the next week, as 下周五 is. Pure, linear, any thread.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from desktop.memory.index_text import without_code
from desktop.memory.relative_dates import NEAR, near_a_date, without_quoted

LONGEST_LINE = 20_000


@dataclass(frozen=True, slots=True)
class Dated:
    """A text with its relative dates made absolute, the days that were put in, and the words that stayed since they have no one meaning."""

    text: str
    days: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()


def make_absolute(text: str, now: datetime) -> Dated:
    """Replace relative dates.

    Args:
        text: Markdown without its header; fenced code in it stays as it is.
        now: when it was said, in the person's time zone.
    """
    today = now.date()
    lines: list[str] = []
    days: list[str] = []
    unclear: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        mark = line.strip()[:3]
        if mark in ("```", "~~~") and (not fence or mark == fence):
            fence = "" if fence else mark
        elif not fence and len(line) <= LONGEST_LINE and not line.lstrip().startswith(">"):
            line = _line(line, today, days, unclear)
        lines.append(line)
    return Dated("".join(lines), tuple(dict.fromkeys(days)), tuple(dict.fromkeys(unclear)))


def dates_meant(text: str, now: datetime) -> set[str]:
    """The days, as yyyy-mm-dd, that the relative dates of a text mean."""
    return set(make_absolute(text, now).days)


def has_relative(text: str) -> bool:
    """Whether a text speaks of a day by its distance from today."""
    return any(rule.pattern.search(text) for rule in _RULES) or _UNCLEAR.search(text) is not None


def _line(line: str, today: date, days: list[str], unclear: list[str]) -> str:
    masked = without_quoted(without_code(line))
    taken = bytearray(len(line))
    found: list[tuple[int, int, str]] = []
    for rule in _RULES:
        for match in rule.pattern.finditer(masked):
            start, end = match.span()
            if any(taken[start:end]) or near_a_date(line[max(start - NEAR, 0) : start] + "\n" + line[end : end + NEAR]):
                continue
            if rule.once and _HABIT.search(line):
                continue
            put = rule.meaning(match, today)
            if put is None:
                continue
            taken[start:end] = b"\1" * (end - start)
            found.append((start, end, put))
    unclear += [match.group() for match in _UNCLEAR.finditer(masked) if not any(taken[match.start() : match.end()])]
    for start, end, put in sorted(found, reverse=True):
        days += re.findall(r"\d{4}-\d\d-\d\d", put)
        line = line[:start] + put + line[end:]
    return line


# --- meanings -----------------------------------------------------------------------------------------------------------

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_COUNT = {
    word: n
    for n, word in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"])
} | {
    "a": 1,
    "an": 1,
}
_ZH_COUNT = {sign: n for n, sign in enumerate("零一二三四五六七八九十")} | {"两": 2, "兩": 2, "半": 0}


def _number(text: str) -> int:
    text = text.lower().strip()
    if text.isdecimal():
        return int(text)
    if text in _COUNT:
        return _COUNT[text]
    if text in _ZH_COUNT:
        return _ZH_COUNT[text]
    if len(text) == 2 and text[0] == "十":
        return 10 + _ZH_COUNT.get(text[1], 0)
    if len(text) == 2 and text[1] == "十":
        return 10 * _ZH_COUNT.get(text[0], 0)
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


def _by_weekday(match: re.Match[str], today: date) -> str | None:
    weekday = _DAYS.index(match["weekday"].lower())
    which = re.sub(r"\s+", " ", (match["which"] or "").lower())
    if which == "next":
        return _weekday(today, 1, weekday).isoformat()
    if which == "last":
        past = _weekday(today, 0, weekday)
        return (past if past < today and weekday < today.weekday() else _weekday(today, -1, weekday)).isoformat()
    ahead = (weekday - today.weekday()) % 7
    return (today + timedelta(days=ahead)).isoformat()


def _led_weekday(match: re.Match[str], today: date) -> str | None:
    ahead = (_DAYS.index(match["weekday"].lower()) - today.weekday()) % 7
    return f"{match['lead']} {(today + timedelta(days=ahead)).isoformat()}"


def _zh_coming(match: re.Match[str], today: date) -> str | None:
    weekday = "一二三四五六日天".index(match["weekday"])
    return (today + timedelta(days=(min(weekday, 6) - today.weekday()) % 7)).isoformat()


def _zh_weekday(match: re.Match[str], today: date) -> str | None:
    which = match["which"]
    weeks = {"上上": -2, "下下": 2, "上": -1, "下": 1}.get(which.rstrip("个個一"), 0)
    weekday = "一二三四五六日天末".index(match["weekday"])
    return _weekday(today, weeks, {7: 6, 8: 5}.get(weekday, weekday)).isoformat()


def _zh_part(part: str | None) -> str:
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


@dataclass(frozen=True, slots=True)
class _Rule:
    """A form of relative date. `once`: it means a day only where the sentence tells of no habit, period of validity or retention."""

    pattern: re.Pattern[str]
    meaning: Callable[[re.Match[str], date], str | None]
    once: bool = False


def _fixed(days: int, ending: str = "") -> Callable[[re.Match[str], date], str | None]:
    return lambda match, today: (today + timedelta(days=days)).isoformat() + ending


def _en(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w./\\@#-])(?:{pattern})(?![\w_(/\\]|-\w|\.\w)", re.IGNORECASE)


_SHIFT = {"last": -1, "this": 0, "next": 1, "the coming": 1, "the current": 0, "the next": 1, "the last": -1}
_N = r"(?P<count>\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_UNIT = r"(?P<unit>days?|weeks?|fortnights?|months?|years?)"
_NAMES = "|".join(_DAYS)
_ZN = r"(?P<count>\d{1,4}|[一二两兩三四五六七八九十]{1,2})\s*(?P<unit>天|日|周|週|个?星期|個星期|个?礼拜|个月|個月|年)"


def _counted(sign: int) -> Callable[[re.Match[str], date], str | None]:
    def meaning(match: re.Match[str], today: date) -> str | None:
        count = _number(match["count"])
        return _distance(sign * count, match["unit"], today) if count >= 0 else None

    return meaning


def _on_counted(match: re.Match[str], today: date) -> str | None:
    if _number(match["count"]) > 1 and match["unit"].lower() in ("day", "week", "month", "year") and match.group()[-1].isalpha():
        return None  # “in two week sprints”
    found = _counted(1)(match, today)
    return None if found is None else f"{'on' if len(found) == 10 else 'in'} {found}"


def _shifted(match: re.Match[str], today: date) -> str | None:
    which = re.sub(r"\s+", " ", match["which"].lower())
    return _period(_SHIFT.get(which, 0), match["period"].lower(), today, chinese=False)


def _end_of(match: re.Match[str], today: date) -> str | None:
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


_HABIT = re.compile(
    r"(?i)\b(?:every|each|always|usually|normally|typically|weekly|daily|monthly|expir\w+|valid|retention|retain\w*|rotat\w+|older than"
    r"|timeouts?|inactiv\w+|idle|stale|never later"
    r"|takes?|lasts?|renew\w*|whenever|if)\b|每|通常|一般|总是|固定|过期|失效|有效|保留|清理|归档|自动|超过|超时|空闲|未活动|续期|轮换"
    r"|如果|天前的|天内|之内|都"
)
"""Words of a habit or a period: “tokens expire in 30 days”, “30 天前的日志要清理”."""
_ZH_MONTH = {"上": -1, "下": 1, "本": 0, "这": 0, "這": 0, "当": 0, "": 0}


def _zh_month(match: re.Match[str], today: date) -> str | None:
    first = _months(today.replace(day=1), _ZH_MONTH.get((match["which"] or "").rstrip("个個"), 0))
    part = match["part"] or ""
    if part in ("底", "末"):
        return _last_of_month(first).isoformat()
    if match["day"]:
        number = _number(match["day"])
        last = calendar.monthrange(first.year, first.month)[1]
        return first.replace(day=number).isoformat() if 1 <= number <= last else None
    return f"{first:%Y-%m}" + {"初": " 初", "中": " 中旬", "中旬": " 中旬", "上旬": " 上旬", "下旬": " 下旬"}.get(part, "")


def _zh_week(match: re.Match[str], today: date) -> str | None:
    return _period({"上": -1, "下": 1}.get(match["which"].rstrip("个個一"), 0), "week", today, chinese=True)


def _zh_year(match: re.Match[str], today: date) -> str | None:
    year = today.year + {"去": -1, "上": -1, "今": 0, "本": 0, "明": 1, "前": -2, "后": 2, "後": 2}[match["which"]]
    if match["month"]:
        number = _number(match["month"])
        return f"{year}-{number:02}" if 1 <= number <= 12 else None
    return f"{year}-12-31" if match["part"] in ("底", "末") else f"{year} 年{match['part'] or ''}"


def _zh_quarter(match: re.Match[str], today: date) -> str | None:
    return _period({"上": -1, "下": 1}.get(match["which"].rstrip("个個一"), 0), "quarter", today, chinese=True)


_RULES: tuple[_Rule, ...] = (
    _Rule(_en(r"(?:the )?day after tomorrow"), _fixed(2)),
    _Rule(_en(r"(?:the )?day before yesterday"), _fixed(-2)),
    _Rule(
        _en(r"tomorrow (?P<part>morning|noon|afternoon|evening|night)"),
        lambda m, t: f"{(t + timedelta(days=1)).isoformat()} in the {m['part'].lower()}",
    ),
    _Rule(_en(r"tomorrow"), _fixed(1)),
    _Rule(
        _en(r"yesterday (?P<part>morning|afternoon|evening)"),
        lambda m, t: f"{(t - timedelta(days=1)).isoformat()} in the {m['part'].lower()}",
    ),
    _Rule(_en(r"yesterday|last night"), _fixed(-1)),
    _Rule(_en(r"tonight|this evening"), lambda m, t: f"the evening of {t.isoformat()}"),
    _Rule(_en(r"this (?P<part>morning|afternoon)"), lambda m, t: f"the {m['part'].lower()} of {t.isoformat()}"),
    _Rule(_en(r"today(?!['’]s\s+(?:world|standards?))"), _fixed(0)),
    _Rule(
        _en(rf"(?:a|one) week from (?P<weekday>{_NAMES})"),
        lambda m, t: (t + timedelta(days=(_DAYS.index(m["weekday"].lower()) - t.weekday()) % 7 + 7)).isoformat(),
    ),
    _Rule(_en(rf"{_N} {_UNIT} (?:from (?:now|today)|hence)"), _counted(1)),
    _Rule(_en(rf"{_N} {_UNIT} ago"), _counted(-1), once=True),
    _Rule(_en(rf"(?<!\bwith)in {_N} {_UNIT}['’]?(?: time)?(?! (?:of|or|each|per|a row|the row)\b)"), _on_counted, once=True),
    _Rule(_en(rf"(?P<which>next|last|this|this coming|the coming|coming)\s+(?P<weekday>{_NAMES})"), _by_weekday),
    _Rule(
        _en(rf"(?P<lead>by|until|till|before|due|due on|no later than|starting|starting on) (?P<weekday>{_NAMES})"), _led_weekday, once=True
    ),
    _Rule(_en(r"(?:the )?(?:end|close) of (?:(?P<which>the|this|next|last)\s+)?(?P<period>day|week|month|quarter|year)"), _end_of),
    _Rule(
        _en(
            r"(?P<which>(?:the )?(?:last|next)|this|the coming|the current)\s+(?P<period>week|weekend|month|quarter|year)(?!\s+(?:of"
            r"|in)\b|[-\w])"
        ),
        _shifted,
    ),
    _Rule(re.compile(r"(?<![以之此目])大前天"), _fixed(-3)),
    _Rule(re.compile(r"大[后後]天"), _fixed(3)),
    _Rule(re.compile(r"(?<![以之此目])前天"), _fixed(-2)),
    _Rule(re.compile(r"(?<![以之此天然最今先])[后後]天(?!因素|形成|培[养養]|[习習]得|性|[数數]|的努力)"), _fixed(2)),
    _Rule(
        re.compile(r"昨(?:天|日)?(?P<part>晚上?|夜|早上?|下午|上午)|昨[天日]"),
        lambda m, t: f"{(t - timedelta(days=1)).isoformat()}{_zh_part(m['part'])}",
    ),
    _Rule(
        re.compile(
            r"(?<![说說表證证阐申声聲注透])明(?:天|日)?(?P<part>晚上?|早上?|下午|上午|中午)"
            r"|(?<![说說表證证阐申声聲注透光])明(?:天(?!下)|日(?!期|志|方舟|常|香))"
        ),
        lambda m, t: f"{(t + timedelta(days=1)).isoformat()}{_zh_part(m['part'])}",
    ),
    _Rule(
        re.compile(r"今(?:天|日)?(?P<part>晚上?|早上?|晨|下午|上午|中午|夜)|今天|今日(?!头条|頭條)"),
        lambda m, t: f"{t.isoformat()}{_zh_part(m['part'])}",
    ),
    _Rule(
        re.compile(
            r"(?P<which>上上个?|下下个?|(?<![以至])上个?|(?<![以如])下个?|(?<![基日资資样樣版副剧劇文课課])本|[这這]个?)(?:周|週|星期"
            r"|礼拜|禮拜)(?P<weekday>[一二三四五六日天末])"
        ),
        _zh_weekday,
    ),
    _Rule(
        re.compile(
            r"(?P<which>(?<![以至])上个?|(?<![以如])下个?|(?<![基日资資样樣版副剧劇文课課])本|[这這]个?)(?:周|週|星期|礼拜"
            r"|禮拜)(?![期围圍边邊转轉全知到])"
        ),
        _zh_week,
    ),
    _Rule(
        re.compile(
            r"(?P<which>(?<![以路马馬])上个?|(?<![以天])下个?|(?<![基日资資样樣版])本|[这這]个|当)月(?!份数|台|球|度)(?:(?P<part>底|末"
            r"|初|中旬?|上旬|下旬)|(?P<day>\d{1,2}"
            r"|[一二三四五六七八九十]{1,3})[号號日])?"
        ),
        _zh_month,
    ),
    _Rule(
        re.compile(r"(?<![每个個\d一二三四五六七八九十])(?<![\d一二三四五六七八九十]\s)(?P<which>)月(?P<part>底|末)(?P<day>)"), _zh_month
    ),
    _Rule(re.compile(r"(?P<which>(?<![之以])上个?|(?<![之以])下个?|本|这个?)季度"), _zh_quarter),
    _Rule(
        re.compile(
            r"(?P<which>去|今|明|(?<![以之此])前|(?<![以之此])[后後])年(?!度|级|轮|龄|华)(?:(?P<part>底|末|初|春天|夏天|秋天|冬天)"
            r"|(?P<month>\d{1,2}"
            r"|[一二三四五六七八九十]{1,2})月份?)?"
        ),
        _zh_year,
    ),
    _Rule(re.compile(r"(?<![每个個\d])(?P<which>今|本)?年(?P<part>底|末)(?P<month>)"), lambda m, t: f"{t.year}-12-31"),
    _Rule(re.compile(rf"(?<![大小多少早晚于於每近第最]){_ZN}(?:之|以)?前(?![后後端期])"), _counted(-1), once=True),
    _Rule(re.compile(rf"(?<![大小多少早晚于於每近第最隔]){_ZN}(?:之|以)?[后後](?![端期台])"), _counted(1), once=True),
    _Rule(
        re.compile(
            r"(?<![上下本这這每个個逢到至])(?:周|週|星期|礼拜)(?P<weekday>[一二三四五六日天])(?=(?:之|以)?前|截止|到期|要?交|上线|上線"
            r"|要?发布(?!日|会))"
        ),
        _zh_coming,
        once=True,
    ),
)
_UNCLEAR = re.compile(
    r"(?i)\b(?:recently|soon|lately|the other day|(?:a )?(?:few|couple(?: of)?|several|some) (?:days|weeks|months|years) ago"
    r"|in (?:a )?(?:few|couple(?: of)?|several|some) (?:days|weeks|months|years)"
    r"|later this (?:week|month|year)|these days|in the near future)\b"
    r"|最近|不久(?:前|后|以后)|(?:前|过|過)(?:几|幾)天|(?:几|幾|数|數)(?:天|周|週|个月|個月|年)(?:之|以)?[前后後]|近期|过(?:段"
    r"|阵)(?:时间|子)"
)


def rules() -> Iterator[re.Pattern[str]]:
    """The patterns in their order, for tests of linear time."""
    return (rule.pattern for rule in _RULES)
