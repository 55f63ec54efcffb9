"""Relative dates made absolute (FM-04): “tomorrow” and “下周五” become the day that they meant when they were said.

Owns which words are relative dates, in English and Chinese; what they mean is `relative_meanings`. What has no one meaning (“soon”,
“几天前”) stays and is named. Code, paths, addresses, quotations and words beside the date they stand for are never touched. Weeks begin
on Monday, and “next Friday” is the Friday of the next week, as 下周五 is. Pure, linear, any thread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from desktop.memory.index_text import without_code
from desktop.memory.relative_dates import NEAR, near_a_date, without_quoted
from desktop.memory.relative_meanings import (
    COUNT,
    DAYS,
    SHORT_DAYS,
    after_next,
    by_weekday,
    coming_weekday,
    counted,
    day_of_month,
    end_of,
    fixed,
    led_weekday,
    of_week,
    on_counted,
    shifted,
    week_from,
    zh_coming,
    zh_half,
    zh_month,
    zh_part,
    zh_quarter,
    zh_week,
    zh_weekday,
    zh_year,
)

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


def without_relative(text: str) -> str:
    """A text without its relative dates, for what must not tell of them, such as a file's name."""
    for rule in _RULES:
        text = re.sub(f"(?:{rule.pattern.pattern})(?:(?:之|以)?[前后後])?", " ", text, flags=rule.pattern.flags)
    return re.sub(r"(?<=[\u4e00-\u9fff]) | (?=[\u4e00-\u9fff])", "", " ".join(text.split()))


def has_relative(text: str) -> bool:
    """Whether a text speaks of a day by its distance from today."""
    return any(_speaks_of_a_day(rule, text) for rule in _RULES) or _UNCLEAR.search(text) is not None


def _speaks_of_a_day(rule: _Rule, text: str) -> bool:
    if rule.meaning is not coming_weekday:
        return rule.pattern.search(text) is not None
    return any(rule.meaning(match, date.min) for match in rule.pattern.finditer(text))


def _line(line: str, today: date, days: list[str], unclear: list[str]) -> str:
    masked = without_quoted(without_code(line))
    taken = bytearray(len(line))
    habit = _HABIT.search(line) is not None
    found: list[tuple[int, int, str]] = []
    for rule in _RULES:
        for match in rule.pattern.finditer(masked):
            start, end = match.span()
            if any(taken[start:end]) or near_a_date(line[max(start - NEAR, 0) : start] + "\n" + line[end : end + NEAR]):
                continue
            if rule.once and habit:
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


@dataclass(frozen=True, slots=True)
class _Rule:
    """A form of relative date. `once`: it means a day only where the sentence tells of no habit, period of validity or retention."""

    pattern: re.Pattern[str]
    meaning: Callable[[re.Match[str], date], str | None]
    once: bool = False


def _en(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w./\\@#-])(?:{pattern})(?![\w_(/\\]|-\w|\.\w)", re.IGNORECASE)


_N = rf"(?P<count>\d{{1,4}}|{'|'.join(sorted(COUNT, key=len, reverse=True))})"
_UNIT = r"(?P<unit>days?|weeks?|fortnights?|months?|years?)"
_NAMES = "|".join(DAYS)
_ALL_NAMES = "|".join([*DAYS, *SHORT_DAYS])
_WHICH = r"(?P<which>next|last|this|this coming|the coming|the next|the last)"
_ZN = r"(?P<count>\d{1,4}|[一二两兩三四五六七八九十]{1,3})\s*(?P<unit>天|日|周|週|个?星期|個星期|个?礼拜|个月|個月|年)"


_HABIT = re.compile(
    r"(?i)\b(?:every|each|always|usually|normally|typically|weekly|daily|monthly|expir\w+|valid|retention|retain\w*|rotat\w+|older than"
    r"|timeouts?|inactiv\w+|idle|stale|never later"
    r"|takes?|lasts?|renew\w*|whenever|if)\b|每|通常|一般|总是|固定|过期|失效|有效|保留|清理|归档|自动|超过|超时|空闲|未活动|续期|轮换"
    r"|如果|天前的|天内|之内|都"
)
"""Words of a habit or a period: “tokens expire in 30 days”, “30 天前的日志要清理”."""
_RULES: tuple[_Rule, ...] = (
    _Rule(_en(rf"{_N} weeks? from (?P<base>today|tomorrow|{_ALL_NAMES})"), week_from),
    _Rule(_en(rf"(?P<weekday>{_ALL_NAMES}),? (?:of )?(?P<which>next|last|this) week"), of_week),
    _Rule(_en(rf"(?P<which>next|last|this) week,? (?:on )?(?P<weekday>{_ALL_NAMES})"), of_week),
    _Rule(_en(r"(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)? of (?P<which>next|last|this) month"), day_of_month),
    _Rule(_en(r"(?:the )?(?P<period>week|weekend|month|quarter|year) after next"), after_next),
    _Rule(_en(r"(?:the )?day after tomorrow"), fixed(2)),
    _Rule(_en(r"(?:the )?day before yesterday"), fixed(-2)),
    _Rule(
        _en(r"tomorrow (?P<part>morning|noon|afternoon|evening|night)"),
        lambda m, t: f"{(t + timedelta(days=1)).isoformat()} in the {m['part'].lower()}",
    ),
    _Rule(_en(r"tomorrow"), fixed(1)),
    _Rule(
        _en(r"yesterday (?P<part>morning|afternoon|evening)"),
        lambda m, t: f"{(t - timedelta(days=1)).isoformat()} in the {m['part'].lower()}",
    ),
    _Rule(_en(r"yesterday|last night"), fixed(-1)),
    _Rule(_en(r"tonight|this evening"), lambda m, t: f"the evening of {t.isoformat()}"),
    _Rule(_en(r"this (?P<part>morning|afternoon)"), lambda m, t: f"the {m['part'].lower()} of {t.isoformat()}"),
    _Rule(_en(r"today(?!['’]s\s+(?:world|standards?))"), fixed(0)),
    _Rule(_en(rf"{_N} {_UNIT} (?:from (?:now|today)|hence)"), counted(1)),
    _Rule(_en(rf"{_N} {_UNIT} ago"), counted(-1), once=True),
    _Rule(_en(rf"(?<!\bwith)in {_N} {_UNIT}['’]?(?: time)?(?! (?:of|or|each|per|a row|the row)\b)"), on_counted, once=True),
    _Rule(_en(rf"(?P<which>next|last|this|this coming|the coming|coming|this past|past)\s+(?P<weekday>{_NAMES})"), by_weekday),
    _Rule(_en(rf"(?P<which>next|last|coming)\s+(?P<weekday>{'|'.join(SHORT_DAYS)})"), by_weekday),
    _Rule(_en(rf"on (?P<weekday>{_NAMES})"), coming_weekday, once=True),
    _Rule(
        _en(rf"(?P<lead>by|until|till|before|due|due on|no later than|starting|starting on) (?P<weekday>{_NAMES})"), led_weekday, once=True
    ),
    _Rule(_en(r"(?:the )?(?:end|close) of (?:(?P<which>the|this|next|last)\s+)?(?P<period>day|week|month|quarter|year)"), end_of),
    _Rule(
        _en(
            r"(?P<which>(?:the )?(?:last|next)|this|the coming|the current)\s+(?P<period>week|weekend|month|quarter|year)(?!\s+(?:of"
            r"|in)\b|[-\w])"
        ),
        shifted,
    ),
    _Rule(re.compile(r"半(?P<unit>个月|個月|年)(?:之|以)?(?P<way>[前后後])(?![端期台])"), zh_half, once=True),
    _Rule(re.compile(r"(?<![以之此目])大前天"), fixed(-3)),
    _Rule(re.compile(r"大[后後]天"), fixed(3)),
    _Rule(re.compile(r"(?<![以之此目])前天"), fixed(-2)),
    _Rule(re.compile(r"(?<![以之此天然最今先明])[后後]天(?!因素|形成|培[养養]|[习習]得|性|[数數]|的努力)"), fixed(2)),
    _Rule(
        re.compile(r"昨(?:天|日)?(?P<part>晚上?|夜|早上?|下午|上午)|昨[天日]"),
        lambda m, t: f"{(t - timedelta(days=1)).isoformat()}{zh_part(m['part'])}",
    ),
    _Rule(
        re.compile(
            r"(?<![说說表證证阐申声聲注透])明(?:天|日)?(?P<part>晚上?|早上?|下午|上午|中午)"
            r"|(?<![说說表證证阐申声聲注透光])明(?:天(?!下)|日(?!期|志|方舟|常|香))"
        ),
        lambda m, t: f"{(t + timedelta(days=1)).isoformat()}{zh_part(m['part'])}",
    ),
    _Rule(
        re.compile(r"今(?:天|日)?(?P<part>晚上?|早上?|晨|下午|上午|中午|夜)|今天|今日(?!头条|頭條)"),
        lambda m, t: f"{t.isoformat()}{zh_part(m['part'])}",
    ),
    _Rule(
        re.compile(
            r"(?P<which>上上个?|下下个?|(?<![以至])上个?|(?<![以如])下个?|(?<![基日资資样樣版副剧劇文课課])本|[这這]个?)(?:周|週|星期"
            r"|礼拜|禮拜)(?:的\s?(?:周|週|星期|礼拜|禮拜))?(?P<weekday>[一二三四五六日天末])"
        ),
        zh_weekday,
    ),
    _Rule(
        re.compile(
            r"(?P<which>上上个?|下下个?|(?<![以至])上个?|(?<![以如])下个?|(?<![基日资資样樣版副剧劇文课課])本|[这這]个?)(?:周|週|星期|礼拜"
            r"|禮拜)(?![期围圍边邊转轉全知到])"
        ),
        zh_week,
    ),
    _Rule(
        re.compile(
            r"(?P<which>上上个?|下下个?|(?<![以路马馬])上个?|(?<![以天])下个?|(?<![基日资資样樣版])本|[这這]个|当)月(?!份数|台|球|度)(?:(?P<part>底|末"
            r"|初|中旬?|上旬|下旬)|(?P<day>\d{1,2}"
            r"|[一二三四五六七八九十]{1,3})[号號日])?"
        ),
        zh_month,
    ),
    _Rule(re.compile(r"(?<![每个個\d一二三四五六七八九十])(?<![\d一二三四五六七八九十]\s)(?P<which>)月(?P<part>底|末)(?P<day>)"), zh_month),
    _Rule(re.compile(r"(?P<which>(?<![之以])上个?|(?<![之以])下个?|本|这个?)季度(?P<part>[底末初中])?"), zh_quarter),
    _Rule(re.compile(r"(?<![每个個各上下本这\d一二三四])(?P<which>)季度?(?P<part>[底末])"), zh_quarter),
    _Rule(
        re.compile(
            r"(?P<which>去|今|明|大前|大[后後]|(?<![以之此])前|(?<![以之此])[后後])年(?!度|级|轮|龄|华)(?:年?(?P<part>底|末|初|春天|夏天|秋天|冬天)"
            r"|(?P<month>\d{1,2}"
            r"|[一二三四五六七八九十]{1,2})月份?)?"
        ),
        zh_year,
    ),
    _Rule(re.compile(r"(?<![每个個\d])(?P<which>今|本)?年(?P<part>底|末)(?P<month>)"), lambda m, t: f"{t.year}-12-31"),
    _Rule(
        re.compile(rf"(?<![大小多少早晚于於每近第最百千万零\d一二两兩三四五六七八九十]){_ZN}(?:之|以)?前(?![后後端期])"),
        counted(-1),
        once=True,
    ),
    _Rule(
        re.compile(rf"(?<![大小多少早晚于於每近第最隔百千万零\d一二两兩三四五六七八九十]){_ZN}(?:之|以)?[后後](?![端期台])"),
        counted(1),
        once=True,
    ),
    _Rule(
        re.compile(
            r"(?<![上下本这這每个個逢到至])(?:周|週|星期|礼拜)(?P<weekday>[一二三四五六日天])(?=(?:之|以)?前|截止|到期|要?交|上线|上線"
            r"|要?发布(?!日|会))"
        ),
        zh_coming,
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
