"""Whether a memory has a sentence of the person behind it (S11): what it claims must be covered by one sentence that the person stated.

Owns the comparison: words and characters, both languages through the tables of `concepts`; numbers, names, paths and addresses of the
memory must occur in the person's words, but for dates that their relative ones stand for. A question or a request to look something up
states nothing. Pure, linear, any thread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from desktop.base.own_words import asks_to_forget, asks_to_remember, own_sentences, own_words
from desktop.base.words import CJK, cjk_characters
from desktop.memory.absolute_dates import dates_meant, has_relative, make_absolute
from desktop.memory.concepts import NOISE, Concept, concepts, covered, plain, stem
from desktop.memory.exclusive import names_of, values_in
from desktop.memory.frontmatter import parse
from desktop.memory.polarity import says_otherwise
from desktop.memory.relative_meanings import amount_of
from desktop.search.dates import Day, days_in

SAME_LANGUAGE = 0.6
"""Share of a claim's telling words that a sentence of the person must hold …"""
OTHER_LANGUAGE = 0.4
"""… and where the sentence is of the other language, whose words the tables know in part only."""
NEARLY_VERBATIM = 0.8
RELATED = 0.2
"""Share that is enough where nothing but the person's own words was in the conversation: a paraphrase has few words in common."""
MOST_SENTENCES = 2_000
MOST_CLAIM = 4_000
"""Characters of a memory that are compared."""

_ADDRESS = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,20}://[^\s<>\"'`)\]，。；、）】」]+|\bwww\.[^\s<>\"'`)\]，。；]+|[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{2,63}",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])\d+(?:[.,:]\d+)*(?:%|(?![\w])|(?=[a-z]{1,3}\b)|(?=[\u4e00-\u9fff]))", re.IGNORECASE)
_YEAR = re.compile(r"\b((?:19|20)\d\d)(?:\s?年)?(?!\d)")
_LITERAL = re.compile(rf"(?<![^\W{CJK}])[A-Za-z_~./\\@#-]{{0,80}}[A-Za-z0-9](?:[^\W{CJK}]|[.+#@/\\:-])*")
_ZH_NUMBER = re.compile(
    r"[一二两三四五六七八九十][十百千万亿][一二两三四五六七八九十百千万亿]{0,5}"
    r"|(?!一[个種种次些样起])[一二两三四五六七八九十百千万]{1,6}(?=[个人次天周月年名位条份轮点号台页行块元秒分小度遍封])"
)
"""A number in Chinese: of several signs, or before what is counted."""
_SIGN = re.compile(r"[\d_/\\@#]|\w\.\w")
_CODE = re.compile(r"`([^`\n]{1,200})`")
_MARKUP = re.compile(r"\[\[[^\]\n]{1,200}\]\]|\*\*|__|^\s{0,3}#{1,6}\s|^[^\S\n]*[-*+]\s+|^[^\S\n]*>\s?", re.MULTILINE)
_ELABORATION = re.compile(
    r"(?im)^\W{0,6}(?:why|how to apply|how|reason|rationale|apply|context|source|when|note|origin|said|background|原因|为什么|理由"
    r"|如何应用|如何使用|应用"
    r"|怎么用|做法|适用|背景|来源|说明)"
    r"\W{0,4}[:：]"
)
_LOOKING = re.compile(
    r"(?i)^\W*(?:(?:please|now|then|ok|okay|can you|could you|would you|will you|hey|just|and|also|go ahead and|i want you to"
    r"|i need you to|let's)[\s,]+)*"
    r"(?:read|open|look|check|show|tell|find|search|explain|summari[sz]e|fetch|list|describe|see|inspect|review|analy[sz]e|compare"
    r"|translate|browse|visit|download|print|cat|grep|debug"
    r"|investigate|figure out|follow|do what)\b"
    r"|^\W*(?:请你?|麻烦你?|帮我?|帮忙|你|先|再|然后|现在|给我|去)*(?:看看|看一下|看下|读|打开|检查|显示|告诉|解释(?!请|要|尽量|得|时"
    r"|简|短)|总结|概括|搜索(?!组|服务|引擎|团队|功能|框|页)|搜一下|查|列出|描述|分析|翻译|浏览(?!器)|访问(?!量|控制)|下载|找|照着"
    r"|按照(?:网页|文档|页面))"
)
_ASKING = re.compile(
    r"(?i)^\W*(?:so |and |but |ok(?:ay)?,? |hey,? |then )*(?!do\s+(?:a|an|the)\b)(?:(?:is|are|was|were|does|do|did|can|could|would|will"
    r"|should|shall|may|has"
    r"|have|isn't|aren't|doesn't|don't|didn't|can't|won't)\s+"
    r"(?:i|you|we|they|he|she|it|there|this|that|these|those|the|a|an|my|our|your|any|anyone|someone)\b|(?:who|whom|whose|what|which"
    r"|where|why|how)\b|when(?:['’]?s|\s(?:is|are|was|were|do|does|did|will|should|can))\b)"
    r"|吗|呢[？?]?$|什么|怎么|怎样|(?<!无论)如何|哪(?!怕)|^[^谁]*谁[^谁]*$|为何|多少|几(?:个|点|次|号|天)|是不是|有没有|能不能"
    r"|可不可以|要不要|会不会"
    r"|是否"
    r"|对不对|好不好|何时"
)
_ORDERS = re.compile(
    r"^\W*(?:请|麻烦)?你?(?:别|不要|不用|不许|禁止|永远|以后|我(?:更|很|最|也)?(?:不)?喜欢|我(?:不)?希望|我要求|凡是|只要|无论|任何"
    r"|谁都)(?!.*[吗呢][？?。\s]*$)"
)
"""An order, a wish or a rule for every case: a question word inside is its object."""
_THEIRS = re.compile(
    r"(?i)^\W*(?:and |but |so |because |since |by the way |btw )?(?:we|our|i|i['’]?m|my|this (?:repo|project|codebase|app|team"
    r"|company))\b"
    r"|^\W*(?:因为|反正|对了|另外)?(?:我|咱们|公司|团队|这个(?:项目|仓库|产品)|本项目|项目)"
)
"""Beside a request a clause counts only where the person speaks of themselves or their project."""
_TASK = re.compile(
    r"(?i)^\W*(?:(?:please|now|then|ok|okay|can you|could you|would you|will you|hey|just|and|also|go ahead and|i want you to"
    r"|i need you to|let's)[\s,]+)*"
    r"(?:run|fix|add|create|build|implement|make|update|refactor|delete|remove|rename|install|deploy|commit|push|merge|generate|draft"
    r"|start|stop|restart|test|convert|send|call(?!\s+me\s+(?!back|when|if|later))|clean|execute|rewrite|upgrade|revert)\s+"
    r"(?:the|a|an|this|that|it|these|those|my|our|some|me|all|another|one|them)\b"
    r"|.*\b(?:and|then) (?:tell|show|let) me\b|^\W*(?:请你?|麻烦你?|你|先|再|然后|现在|给我)*(?:帮我|帮忙)(?!记)|^\W*(?:请你?|麻烦你?"
    r"|你|先|再|然后|现在|给我)*(?:跑|运行|执行|改|修|加|写|删|重构|优化|安装|部署|提交|推送|合并|生成|创建|实现|更新)(?:一下|下"
    r"|一?[个段份条])|.*(?:告诉我|给我看"
    r"|看看|一下)[。！!\s]*$"
)
_RULE = re.compile(
    r"(?i)\b(?:always|never|from now on|going forward|every|each|remember|in future|don['’]?t|do not|must|instead|prefer|whenever|rule"
    r"|convention|memory)\b"
    r"|以后|今后|总是|始终|一律|每次|永远|不要|别|禁止|记住|记下|记一下|统一|必须|约定|规定"
)
_EACH_TIME = re.compile(
    r"(?i)\b(?:before (?:you\b|\w+ing\b(?! (?:this|that|it)\b))|whenever|every time|each time|(?:stuff|things|everything|code"
    r"|concepts) (?:to|for) me)\b|\b(?:show|give|list|print) (?:me )?(?:only|the \w+ first)\b|\bonly the\b.*\bnot the\b"
)
"""A request for every case is a rule."""
_HEDGED = re.compile(
    r"(?i)\b(?:maybe|perhaps|might|what if|suppose|supposing|imagine|let['’]?s say|hypothetically|if we (?:used|had|were|moved"
    r"|switched)|should we|we could|i wonder)\b"
    r"|也许|或许|说不定|要不(?!然)|假设|假如|假定|如果我们|会不会"
)
"""What is only thought about states nothing."""
_WISH = re.compile(r"(?i)\b(?:forget|unremember|unlearn)\b|忘掉|忘[记記了]")
"""A wish to forget states nothing of what it names."""
_TAG = re.compile(
    r"(?i)[,，]\s*(?:right|ok(?:ay)?|yes|no|correct|isn't it|got it|agreed|对吧|对吗|好吗|可以吗|行吗|好不好|明白吗|是吧|知道吗|懂吗"
    r"|不是吗)\s*[?？]+\s*$"
)
_CLAUSE = re.compile(r"[,，;；:：—–]\s*|\s-\s|\s(?=(?:but|because|since|so)\s)")
_NAMING = re.compile(r"\b[Ii](?:['’]m| am) [A-Z]|\b[Cc]all me\b|我叫|叫我|我是|称呼我")
NEAR_DAYS = 14
_WEEKDAYS = tuple(
    rf"\b{english}|(?:周|星期|礼拜){chinese}"
    for english, chinese in zip(
        (
            "mon(?:day)?s?\\b",
            "tue(?:s|sday)?s?\\b",
            "wed(?:nesday)?s?\\b",
            "thu(?:rs|rsday)?s?\\b",
            "fri(?:day)?s?\\b",
            "sat(?:urday)?s?\\b",
            "sun(?:day)?s?\\b",
        ),
        ("一", "二", "三", "四", "五", "六", "[日天]"),
        strict=True,
    )
)
_COUNTS = {
    **{word: str(n) for n, word in enumerate(re.split(" ", "zero one two three four five six seven eight nine ten eleven twelve"))},
    **{sign: str(n) for n, sign in enumerate("零一二三四五六七八九十")},
    "两": "2", "once": "1", "twice": "2", "half": "0.5",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a memory says: its own statement, its further words, and everything together with the description."""

    statement: str
    whole: str


def claim_text(memory_text: str) -> str:
    """What a memory states: its body without marks, reasons and instructions for use; its description when it has no body."""
    return _claim(memory_text).statement


def statements(said: Sequence[str]) -> list[str]:
    """The person's sentences that state something or lay down a rule: no plain questions, no requests to look something up."""
    found: list[str] = []
    for text in said:
        for sentence in own_sentences(text)[:MOST_SENTENCES]:
            stated = _stated(sentence)
            if stated:
                found.append(stated)
    return found


def has_sentence_behind(memory_text: str, said: Sequence[str], now: datetime | None) -> bool:
    """See `memory.own_words.supported`."""
    claim = _claim(memory_text)
    if not claim.statement.strip():
        return False
    stated = statements(said)
    if not stated or not _literals_said(claim.whole, stated, said, now) or says_otherwise(claim.statement, stated):
        return False
    return _best_cover(claim.statement, stated) >= (OTHER_LANGUAGE if _differs(claim.statement, stated) else SAME_LANGUAGE)


def is_asked_for(memory_text: str, said: Sequence[str], now: datetime | None) -> bool:
    """Whether the person asked that just this be remembered: as `has_sentence_behind`, by the sentences of messages that ask for it.

    Beside the statement, in a description or a reason, a word with a capital may be the model's: “which JavaScript runtime we use”. No
    number, path or address may.
    """
    asked = [text for text in said if asks_to_remember(text)]
    claim = _claim(memory_text)
    stated = statements(asked)
    if not stated or not claim.statement.strip() or says_otherwise(claim.statement, stated):
        return False
    if not _literals_said(claim.statement, stated, asked, now) or not _figures_said(claim.whole, stated, asked, now):
        return False
    words = plain("\n".join(stated))
    held = concepts(words)
    if not all(_is_said(name, words, held) for name in _names(_ADDRESS.sub(" ", _without_days(claim.whole)[1])) if _SIGN.search(name)):
        return False
    return _best_cover(claim.statement, stated) >= (OTHER_LANGUAGE if _differs(claim.statement, stated) else SAME_LANGUAGE)


def is_related(memory_text: str, said: Sequence[str], now: datetime | None) -> bool:
    """Whether a memory is about what a sentence of the person states: they share a telling word, a name or a number, and no figure is new.

    Enough where no text of others was in the conversation, so that what the sentence does not hold word for word is its paraphrase.
    """
    claim = _claim(memory_text)
    stated = statements(said)
    if not stated or not claim.whole.strip() or not _figures_said(claim.statement, stated, said, now):
        return False
    if says_otherwise(claim.statement, stated) or _another_value(claim.statement, stated):
        return False
    words = plain("\n".join(stated))
    shared = (*_names(claim.whole), *_NUMBER.findall(claim.whole), *addresses(claim.whole))
    return (
        any(plain(one) in words for one in shared)
        or _best_cover(claim.whole, stated) >= RELATED
        or _best_cover(_parted(claim.statement), [_parted(one) for one in stated]) >= RELATED
    )


def _another_value(statement: str, stated: Sequence[str]) -> bool:
    """Whether a claim names a value that nobody said where the person named another one of its kind: Memcached for Redis."""
    said = {(value.family, value.name) for sentence in stated for value in values_in(sentence)[0]}
    kinds = {family for family, _ in said}
    names = {name for _, name in said}
    new = {(value.family, value.name) for value in values_in(statement)[0]}
    return not new & said and any(family in kinds and name not in names for family, name in new)


def _parted(text: str) -> str:
    """Compound words in their parts: people write “force push” and “force-push”."""
    return re.sub(r"(?<=[A-Za-z])-(?=[A-Za-z])", " ", text)


def nearly_verbatim(memory_text: str, said: Sequence[str]) -> bool:
    """Whether a memory only repeats a sentence of the person, so that nothing in it can be from elsewhere."""
    claim = _claim(memory_text)
    stated = statements(said)
    return (
        bool(stated)
        and _best_cover(claim.whole, stated) >= NEARLY_VERBATIM
        and set(addresses(claim.whole)) <= set(addresses("\n".join(stated)))
    )


def addresses(text: str) -> list[str]:
    """Web and mail addresses of a text."""
    return [match.group().rstrip(".,;:!?") for match in _ADDRESS.finditer(text)]


# --- the claim ----------------------------------------------------------------------------------------------------------


def _claim(memory_text: str) -> _Claim:
    document = parse(memory_text[: MOST_CLAIM * 4].encode("utf-8", "surrogatepass"))
    body = document.body[:MOST_CLAIM].strip() if document.header is not None else memory_text[:MOST_CLAIM].strip()
    lines = [line for line in body.splitlines() if line.strip()]
    main = [line for line in lines if not _ELABORATION.match(line) and not re.match(r"\s{0,3}#{1,6}\s", line)]
    description = document.description or ""
    statement = "\n".join(main) or description
    return _Claim(_MARKUP.sub(" ", statement).strip(), _MARKUP.sub(" ", f"{description}\n{body}"))


def _stated(sentence: str) -> str:
    """What a sentence states: all of it, the clauses of a question that state something, or nothing."""
    if _WISH.search(sentence) and asks_to_forget(sentence):
        kept = [one for one in _CLAUSE.split(sentence) if one and not (_WISH.search(one) and asks_to_forget(one))]
        return "，".join(stated for one in kept if concepts(one) and (stated := _stated(one)))
    if asks_to_remember(sentence):
        return sentence
    if _HEDGED.search(sentence) and not _RULE.search(sentence):
        return ""
    question = sentence.rstrip(' "”」)）').endswith(("?", "？"))
    if question and _TAG.search(sentence):
        return _TAG.sub("", sentence)
    looking = (bool(_LOOKING.match(sentence)) or _is_task(sentence)) and not _EACH_TIME.search(sentence)
    if question or looking or (_ASKING.search(sentence) and not _ORDERS.match(sentence)):
        clauses = _CLAUSE.split(sentence)
        kept = [
            one
            for one in clauses
            if one and not (_ASKING.search(one) or _LOOKING.match(one) or _is_task(one) or one.rstrip().endswith(("?", "？")))
        ]
        if looking:
            kept = [one for one in kept if _THEIRS.match(one)]
        return "，".join(kept) if any(_telling(one) for one in kept) else ""
    return sentence


def _is_task(sentence: str) -> bool:
    """Something to be done now: it states nothing unless it lays down a rule."""
    return bool(_TASK.match(sentence)) and not _RULE.search(sentence)


def _telling(clause: str) -> bool:
    return len(concepts(clause)) >= 2


# --- coverage -----------------------------------------------------------------------------------------------------------


def _differs(claim: str, stated: Sequence[str]) -> bool:
    """Whether the claim is of another language than what was said."""
    text = " ".join(stated)
    return (cjk_characters(claim) * 3 >= len(claim.replace(" ", ""))) != (cjk_characters(text) * 3 >= len(text.replace(" ", "")))


def _best_cover(claim: str, stated: Sequence[str]) -> float:
    """Largest share of the claim's telling words that one sentence holds, or two that follow each other."""
    wanted = concepts(_NUMBER.sub(" ", _without_days(_ADDRESS.sub(" ", claim))[1]))
    if not wanted:
        return 1.0 if claim.strip() else 0.0  # numbers and addresses alone: they were compared as such
    best = 0.0
    before: list[Concept] = []
    unique = list({concept.text: concept for concept in wanted}.values())
    for sentence in stated:
        held = [*concepts(sentence), *concepts(_NUMBER.sub(" ", sentence)), *_implied(sentence)]
        best = max(best, sum(covered(unique, [*before, *held])) / len(unique))
        before = held
    return best


def _implied(sentence: str) -> list[Concept]:
    """What a sentence speaks of without naming it: that pnpm is a package manager, that “I'm Ana” is a name."""
    found = [concept for value in values_in(sentence)[0] for name in names_of(value.family) for concept in concepts(name)]
    return [*found, *concepts("name 名字")] if _NAMING.search(sentence) else found


# --- literals -----------------------------------------------------------------------------------------------------------


def _literals_said(claim: str, stated: Sequence[str], said: Sequence[str], now: datetime | None) -> bool:
    """Whether every number, name, path and address of the claim is among the person's words, or follows from them."""
    if not _figures_said(claim, stated, said, now):
        return False
    words = plain("\n".join(stated))
    held = concepts(words)
    return all(_is_said(token, words, held) for token in _names(_ADDRESS.sub(" ", _without_days(claim)[1])))


def _figures_said(claim: str, stated: Sequence[str], said: Sequence[str], now: datetime | None) -> bool:
    """The same for days, numbers and addresses alone, which no paraphrase changes."""
    words = plain("\n".join(stated))
    own = "\n".join(own_words(text) for text in said)
    days, rest = _without_days(claim)
    if days and not _days_said(days, own, now):
        return False
    if any(plain(address) not in words for address in addresses(rest)):
        return False
    rest = _ADDRESS.sub(" ", rest)
    if now is not None and has_relative(own):
        meant = "\n".join(make_absolute(text, now).text for text in said)
        rest = _YEAR.sub(lambda m: " " if m.group(1) in meant else m.group(), rest)
    numbers = {_number(found) for found in _NUMBER.findall(words)} | {value for word, value in _COUNTS.items() if word in words}
    if not all(run in words or str(amount_of(run)) in numbers for run in _ZH_NUMBER.findall(plain(rest))):
        return False
    return all(_number(found) in numbers or found in words for found in _NUMBER.findall(plain(rest)))


def _number(text: str) -> str:
    return text.replace(",", "").rstrip("%")


def _without_days(claim: str) -> tuple[list[Day], str]:
    """The days that a claim names, and the claim without them."""
    rest = re.sub(r"\d{4}[-/年]\s?\d{1,2}(?:[-/月]\s?\d{1,2}\s?[日号]?|月)?|\d{4}-Q[1-4]|\d{4}年(?:第[一二三四]季度)?", " ", claim)
    return list(days_in(claim)), rest if rest != claim else claim


def _days_said(days: Sequence[Day], own: str, now: datetime | None) -> bool:
    """Whether the person named the days, or relative ones that they stand for."""
    named = {(day.month, day.day) for day in days_in(own)}
    open_days = [day for day in days if (day.month, day.day) not in named]
    if not open_days:
        return True
    if now is None:
        return has_relative(own)
    meant = dates_meant(own, now)
    return all(f"{day.year or now.year:04}-{day.month:02}-{day.day:02}" in meant or _weekday_said(day, own, now) for day in open_days)


def _weekday_said(day: Day, own: str, now: datetime) -> bool:
    """Whether the person named the weekday of a day that is near: “next Friday” is one of two, and both are theirs."""
    try:
        meant = date(day.year or now.year, day.month, day.day)
    except ValueError:
        return False
    named = _WEEKDAYS[meant.weekday()]
    return abs((meant - now.date()).days) <= NEAR_DAYS and re.search(named, own, re.IGNORECASE) is not None


def _names(claim: str) -> list[str]:
    """Words of a claim that are names or literals: with signs or digits, in code marks, with capitals, Latin ones in Chinese."""
    found = [match.group(1) for match in _CODE.finditer(claim)]
    text = _CODE.sub(" ", claim)
    chinese = cjk_characters(text) * 3 >= len(text.replace(" ", ""))
    for match in _LITERAL.finditer(text):
        token = match.group().strip(".:-/\\")
        before = text[max(match.start() - 2, 0) : match.start()].strip(" \t\"'“‘(*")
        starts = not before or before[-1] in ".!?\n。！？:："
        capital = token[:1].isupper() and (not starts or any(c.isupper() for c in token[1:]))
        signs = bool(re.search(r"[\d_/\\@#]|\w\.\w|[a-z][A-Z]", token))
        if len(token) > 1 and (signs or capital or (chinese and token.isascii())):
            found.append(token)
    return found


def _is_said(name: str, words: str, held: Sequence[Concept]) -> bool:
    small = plain(name)
    if small in words or small.removesuffix("s") in words:
        return True
    parts = [part for part in re.split(r"[^\w]+|_", small) if part]
    if parts and all(part in NOISE or part in words or stem(part) in words for part in parts) and re.search(CJK_OR_LATIN, small):
        return True
    found = concepts(name)
    return not found or all(covered(found, held))


CJK_OR_LATIN = f"[a-z{CJK}]"
