"""Whether a memory says the opposite of what the person said, or says of the person what they told of somebody else (S11).

Owns how a sentence is cut into clauses that affirm or deny, in English and Chinese: “we don't use bun”, “pnpm instead of npm”, “从 A
换成 B”. Words in common are no sentence behind a memory when the “not” is on one side only. What narrows a sentence (only, unless, 只) is
not judged. Pure, linear, any thread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop.memory.concepts import Concept, concepts, covered, plain

ENOUGH = 0.6
"""Share of a clause's telling words that a clause of the person must hold to be about the same."""

MOST_CLAUSES = 40
"""Clauses of a memory that are compared; a text with more is a document."""

_BREAK = re.compile(
    r"[,，;；。!！?？、\n()（）]|[.:：](?=\s|$)|\s[-–—]\s|——|\b(?:but|because|although|though|whereas|while)\b"
    r"|\band\s+(?=(?:we|i|you|it|they|he|she|never|not|no|now|instead|do|don['’]?t|doesn['’]?t)\b)|(?:但是?|可是|不过|因为|所以|而且)"
)
_NOTHING = re.compile(
    r"\b(?:do not|don['’]?t|never|not) (?:ever )?forget(?: to| that)?\b|\bnot (?:only|just|sure)\b|\bno matter\b|\bwhy not\b"
    r"|\bno problem\b|\bcan(?:no|['’])t wait\b|别忘了?记?|不要忘记?了?|勿忘|不(?:仅|但|只是|光|管|论|断|同|久|错|妨|少|得不|过)"
    r"|差不多|对不起|没关系|没问题|没错"
    r"|([\u4e00-\u9fff])不\1|有没有|特别|分别|区别|级别|类别|性别|识别|别(?:名|人|的|处|墅|致)|无论|无锡"
)
"""Words with a “not” in them that deny nothing."""
_NOT = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|without|cannot|avoid(?:s|ed|ing)?|stop(?:s|ped|ping)?|quit|hates?|hated|dislikes?"
    r"|disliked|refuses?|refused|against|forbid(?:s|den)?|prohibit(?:s|ed)?|bann?(?:ed)?|disallow(?:s|ed)?|disabled?|disables|deprecated"
    r"|abandon(?:ed)?|dropped|removed|unsupported|unable|impossible|fail(?:s|ed)?|lacks?|allergic|free (?:of|from)"
    r"|omit(?:s|ted)?|exclude[sd]?|skip(?:s|ped)?|(?:leaves?|left) out)\b"
    r"|(?:(?<=is\s)|(?<=are\s)|(?<=was\s)|(?<=were\s)|(?<=be\s)|(?<=still\s))missing\b"
    r"|(?<!\bthe\s)(?<!\ba\s)(?<!\bof\s)(?<!\bour\s)\b(?:broken|failing)\b"
    r"|n['’]t\b|\b(?:dont|doesnt|didnt|isnt|arent|wont|cant|shouldnt|mustnt)\b|\bturn(?:ed|s)? off\b|\bswitch(?:ed|es)? off\b|\boff\b"
    r"|不|没有?|别|勿|禁止|严禁|禁用|讨厌|反对|反感|避免|杜绝|停用|弃用|拒绝|停止|关闭|关掉|失败|无法|取消|缺少|省略|跳过|下线|少用|挂了"
)
_PLACE = re.compile(r"^要?\s?在[^，,]{1,12}?[里中上内]")
"""Where something is not done, which stands in front of what is not done: 别在测试里 mock 数据库."""
_DO = re.compile(r"\b(?:enable[sd]?|turn(?:ed|s)? on|switch(?:ed|es)? on)\b|开启|打开|启用")
"""What the words of `_NOT` are the opposite of; it names nothing by itself."""

_NARROWED = re.compile(
    r"\b(?:only|just|unless|until|except|besides|longer than|more than|less than|fewer than|at (?:most|least)|too|enough"
    r"|either|if|when|before)\b"
    r"|之前|以前|只|仅|除非|除了|才|超过|以上|以内|以外|如果|太"
)
"""What makes of a “not” something else than the opposite."""
_WORD = (
    r"(?<![\w.+#@/'’-])[\w.+#@/'’-]{1,40}"
    r"(?:\s(?!(?:to|with|for|in|on|at|and|but|because|when|if|as|by|over)\b)[\w.+#@/'’-]{1,40})?"
)
_AUXILIARIES = re.findall(r"\w+", "do is are was can did has may does have were will must need should could would")
_HANDED: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b(?:instead of|rather than|in place of|as opposed to)\s"), "; not "),
    (
        re.compile("".join(rf"(?<!\b{word})" for word in _AUXILIARIES) + r"(?<=\w)\snot\s(?=[\w.+#-]{1,40}\s*$)"),
        "; not ",
    ),  # “pnpm not npm”
    (re.compile(r"^\s*([\w.+#-]{1,40}) over ([\w.+#-]{1,40})\b"), r"\1; not \2;"),
    (re.compile(rf"({_WORD})\s(?:was|is|were|are|got|has been|have been|will be)\sreplaced\s(?:with|by)\s({_WORD})"), r"; not \1; \2"),
    (
        re.compile(
            r"(\bprefer\w{0,3}\b[^,;.]{1,60}?)\s(?:over|(?<!\byou\s)(?<!\bit\s)(?<!\bthem\s)(?<!\bhim\s)(?<!\bher\s)(?<!\bgoing\s)"
            r"to(?!\s(?:be|have|get|do|not|see|use|run|keep)\b)|than)\s"
        ),
        r"\1; not ",
    ),  # not “I prefer you to run them”
    (re.compile(r"(\brather\s[^,;.]{1,60}?)(?<!\bless)(?<!\bmore)(?<!\bfewer)(?<!\blonger)\sthan\s"), r"\1; not "),
    (
        re.compile(
            rf"\b(?:drop(?:ped|ping)?|ditch(?:ed|ing)?|abandon(?:ed|ing)?)\s(?!support|plans?\b)({_WORD})\s"
            rf"(?:for|in favou?r of)\s({_WORD})"
        ),
        r"; not \1; \2",
    ),
    (re.compile(r"(\bus(?:e|es|ing)\s[\w.+#@/-]{1,40})\sand\s(?=us(?:e|es|ing)\b)"), r"\1; "),
    (re.compile(r"不(?:要|再|能)?用\s?([a-z][\w.+#@/-]{0,40})\s?(?:了\s?)?(?:而是?|改|只|就)?用"), r"不用 \1；用"),
    (
        re.compile(rf"\b(?:switch\w{{0,4}}|mov(?:e|ed|ing)|migrat\w{{1,3}}|chang\w{{1,3}})\s(?:over\s)?to\s({_WORD})\sfrom\s({_WORD})"),
        r"; \1; not \2",
    ),
    (
        re.compile(
            r"\b(?:switch\w{0,4}|mov(?:e|ed|ing)|migrat\w{1,3}|chang\w{1,3}|convert\w{0,3}|went|go|going)\b(?:\s\w{1,30})?"
            rf"\s?from\s({_WORD})\s(?:over\s)?to\s({_WORD})"
        ),
        r"; not \1; \2",
    ),
    (re.compile(rf"\breplac\w{{1,3}}\s({_WORD})\s(?:with|by)\s({_WORD})"), r"; not \1; \2"),
    (re.compile(r"\bkeep(?:s|ing)?\s([^,;.]{1,60}?)\sout of\s"), r"not keep \1 in "),
    (re.compile(r"(?:而不是|而非|代替|替代|取代|替换掉?了?)"), "；不"),
    (
        re.compile(
            r"(?:(?:从|由)\s?([^，,。；;]{1,30}?)|(?:把|将)\s?([a-z][\w.+#@/ -]{0,30}?))\s?(?:全部|已经|都)?"
            r"(?:换成|改成|改为|改用|切换?到|迁移?到|换到|替换[为成]|转[为向到])了?\s?([^，,。；;]{1,30})"
        ),
        r"；不 \1\2；\3",
    ),  # 把 with a thing of one's own: “把端口改成 5433” denies no port
)
"""One thing in the place of another: a clause that denies the one, a clause that affirms the other."""
_OTHERS = re.compile(
    r"\b(?:friend|colleague|co-?worker|brother|sister|wife|husband|mother|father|mom|dad|son|daughter|neighbou?r|roommate|competitor)s?\b"
    r"|\b(?:another|other|old|previous|former|last) (?:company|team|job|employer|companies|teams)\b"
    r"|朋友|同事(?!们都)|哥哥|弟弟|姐姐|妹妹|妻子|老婆|丈夫|老公|爸爸|妈妈|父亲|母亲|儿子|女儿|邻居|室友|竞争对手"
    r"|(?:前|上一?家|别的|其他|另一[个家]|以前的)(?:公司|团队|单位)"
)
_ASKS = re.compile(
    r"\b(?:wants?|asks?|asked|told|tells?|says?|said|insists?|decided|requires?|agreed|and (?:i|we))\b"
    r"|要求|希望|让|说|决定|规定|和我|跟我|与我"
)
"""What somebody wants of the person may well be a rule of theirs."""

_NAME = re.compile(
    r"\s?((?!\w+(?:s|ed)\b|is\b|at\b|in\b|who\b|of\b|from\b)[a-z][\w-]+|(?!公司|团队|都|也|在|用|是|说|的)[\u4e00-\u9fff]{2})"
)
"""The name of somebody, behind what they are to the person."""


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause: its text, its telling words, whether it denies them, whether something narrows it, and the first behind its “not”."""

    text: str
    words: tuple[Concept, ...]
    denies: bool
    narrowed: bool
    denied: tuple[Concept, ...] = ()


def says_otherwise(statement: str, stated: Sequence[str]) -> bool:
    """Whether what the person said of the same thing is the opposite, or is said of somebody else.

    Args:
        statement: what a memory states.
        stated: the sentences in which the person states something.
    """
    wanted = [clause for clause in _clauses(statement)[:MOST_CLAUSES] if clause.words]
    if not wanted:
        return False
    said = [clause for sentence in stated for clause in _clauses(sentence) if clause.words]
    whole = plain(statement)
    return any(_otherwise(clause, said, whole) for clause in wanted)


def _otherwise(claim: _Clause, said: Sequence[_Clause], whole: str) -> bool:
    """Whether every clause that is nearest to a claim speaks against it."""
    wanted = list({one.text: one for one in claim.words}.values())
    shares = [sum(covered(wanted, one.words)) / len(wanted) for one in said]
    best = max(shares, default=0.0)
    if best < ENOUGH:
        return False
    nearest = [one for one, share in zip(said, shares, strict=True) if share == best]
    return all(_is_opposite(claim, one, best) or _is_of_others(claim, one, whole) for one in nearest)


def _is_opposite(claim: _Clause, said: _Clause, share: float) -> bool:
    """Whether one denies what the other affirms. “Don't mock the database” is not denied by “use the real database”."""
    if claim.denies == said.denies or claim.narrowed or said.narrowed:
        return False
    return share == 1.0 or not said.denies or all(covered(said.denied, claim.words))


def _is_of_others(claim: _Clause, said: _Clause, whole: str) -> bool:
    """Whether somebody else is spoken of whom the memory, as a whole, does not name."""
    other = _OTHERS.search(said.text)
    if other is None or _ASKS.search(said.text) or _OTHERS.search(claim.text):
        return False
    named = _NAME.match(said.text, other.end())  # “my colleague Kim owns billing”: the claim says Kim
    return named is None or named.group(1) not in whole


def _clauses(text: str) -> list[_Clause]:
    small = _NOTHING.sub(" ", plain(text))
    for pattern, put in _HANDED:
        small = pattern.sub(put, small)
    found: list[_Clause] = []
    for part in _BREAK.split(small):
        if part and part.strip():
            nots = list(_NOT.finditer(part))
            words = concepts(_without_not(part))
            behind = concepts(_without_not(_PLACE.sub("", part[nots[0].end() :])))[:1] if nots else []
            found.append(_Clause(part, tuple(words), len(nots) % 2 == 1, _NARROWED.search(part) is not None, tuple(behind)))
    return found


def _without_not(text: str) -> str:
    return _DO.sub(" ", _NOT.sub(" ", text))
