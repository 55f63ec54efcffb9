"""Words for a day or a time that mean something else a week later: yesterday, next month, 昨天, 下周一 (FM-04).

Owns which words count in English and Chinese, and what does not: code, quotations, addresses, words beside the date they stand for. A word
that is missed costs less than a false alarm. Pure, linear, any thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from desktop.memory.index_text import without_code

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_SPAN = rf"(?:week|weekend|month|quarter|year|sprint|semester|spring|summer|autumn|fall|winter|{_DAY})"
_COUNT = r"(?:\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several|(?:a )?(?:few|couple(?: of)?))"
_UNIT = r"(?:day|week|fortnight|month|quarter|year)s?"
_EVENT = r"(?:is|are|was|due|starts?|begins?|launch(?:es)?|ships?|ends?|releases?d?|happens?|leaves?|moves?|switch(?:es)?|deadline)"
_ENGLISH = re.compile(
    rf"(?<![\w./\\@#-])(?:"
    rf"yesterday|tomorrow|tonight|today(?!['’]s\s+(?:world|standards?))|last\s+night|(?:this|yesterday)\s+(?:morning|afternoon|evening)"
    rf"|(?:last|next|this|the\s+coming)\s+{_SPAN}(?!\s+(?:of|in)\b|[-\w])|(?:the\s+)?day\s+(?:after\s+tomorrow|before\s+yesterday)"
    rf"|(?<!than\s){_COUNT}\s+{_UNIT}\s+ago|(?<=\b){_EVENT}\s+in\s+{_COUNT}\s+{_UNIT}(?!\s+of\b)"
    rf")(?![\w_(/\\]|-\w|\.\w)",
    re.IGNORECASE,
)
_N = "[0-9０-９一二两兩三四五六七八九十几幾数數]{1,4}"
_CHINESE = re.compile(
    "昨天|昨晚|昨夜|昨日|今天|今晚|今早|今晨|今日(?!头条|頭條)|明早|明晚"
    "|(?<![说說表证證阐申声聲注透])明(?:天(?!下)|日(?!期|志|方舟|常|香))"
    "|大?(?<![以之此目])前天|大?(?<![以之此天然最今])[后後](?:天)(?!因素|形成|培[养養]|[习習]得|性|[数數]|的努力)"
    "|(?<![以至])上(?:个|個)?(?:周|週|星期|礼拜|禮拜)(?![期围圍边邊转轉全知])[一二三四五六日天末]?"
    "|(?<![以如])下(?:个|個)?(?:周|週|星期|礼拜|禮拜)(?![期围圍边邊转轉全知])[一二三四五六日天末]?"
    "|(?<![基日资資样樣版副剧劇文课課])本(?:周|週|星期)(?![期围圍边邊])[一二三四五六日末]?|[这這](?:周|週|个星期"
    "|個星期)(?![期围圍边邊到])[一二三四五六日末]?"
    "|(?<![以路马馬])上(?:个|個)?月(?!份数|台|球)|(?<![以天])下(?:个|個)?月(?!份数)|(?<![基日资資样樣版])本(?:月|季度|年度)|[这這](?:个"
    "|個)月"
    "|(?:上|下)(?:个|個)?季度|去年|今年|明年|(?<![以之此])前年(?!度)|(?<![以之此])[后後]年(?!度)"
    f"|(?<![大小多少早晚于於每近第]){_N}(?:天|日|周|週|个星期|個星期|个月|個月|年)(?:之|以)?前(?![后後端期])|(?:前|过|過)(?:几|幾|两|兩)天"
    f"|{_N}(?:天|周|週|个星期|個星期|个月|個月)(?:之|以)?[后後](?=(?:就|将|將|要|会|會|再)?(?:上线|上線|发布|發布|开始|開始|截止|结束"
    f"|結束|交付|开会|開會|离|離))"
)
_DATE = re.compile(
    r"\b\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?\b|\d{4}\s*年|\d{1,2}\s*月\s*\d{1,2}\s*[日号號]?"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?\s+\d{1,2}\b|\b\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b|\b\d{1,2}[./]\d{1,2}\.(?:\d{2,4})?",
    re.IGNORECASE,
)
_ABOUT_DATES = re.compile(
    r"relative (?:date|day|time)|absolute date|相对(?:日期|时间|的日期)|絕對日期|绝对日期|相對(?:日期|時間)", re.IGNORECASE
)
_QUOTED = re.compile(
    r"\"[^\"\n]{1,200}\"|“[^”\n]{0,200}”|‘[^’\n]{1,200}’|「[^」\n]{0,200}」|『[^』\n]{0,200}』|《[^》\n]{0,100}》"
    r"|(?<![\w])'[^'\n]{1,200}'(?!\w)|\]\([^)\n]{0,500}\)|\[\[[^\]\n]{0,200}\]\]|<[^>\n]{1,300}>|\b[a-z][a-z0-9+.-]{1,20}://\S+",
    re.IGNORECASE,
)
NEAR = 24
"""Characters around a word in which its date may stand."""

LONGEST_LINE = 20_000
"""Characters of a line that are looked at."""


_HINT = re.compile(
    r"yesterday|tomorrow|tonight|today|\bago\b|\b(?:last|next|this|coming)\s+\w|\bday\s+(?:after|before)\b"
    r"|\bin\s+(?:\d|an?\s|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several|few|couple)|[天日周週月年季晚早晨夜期拜]",
    re.IGNORECASE,
)


def without_quoted(line: str) -> str:
    """The line with quotations, links and addresses blanked out, character for character."""
    return _QUOTED.sub(lambda found: "\x00" * len(found.group()), line)


def near_a_date(around: str) -> bool:
    """Whether a date is written out in these characters."""
    return _DATE.search(around) is not None


def may_hold_dates(text: str) -> bool:
    """Whether a text is worth a look line by line: cheap, and never False where `relative_dates` finds something."""
    return _HINT.search(text) is not None


def relative_dates(line: str) -> Iterator[str]:
    """Every word on one line of prose that needs a date instead; the line is no code and no quotation."""
    line = line[:LONGEST_LINE]
    if not may_hold_dates(line) or line.lstrip().startswith(">") or _ABOUT_DATES.search(line):
        return
    plain = without_quoted(without_code(line))
    for rule in (_ENGLISH, _CHINESE):
        for found in rule.finditer(plain):
            around = line[max(found.start() - NEAR, 0) : found.end() + NEAR]
            if not near_a_date(around):
                yield found.group()
