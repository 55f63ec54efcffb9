"""What kind of thing a well-known tool is: which categories a text names members of, and which a question asks for.

Owns when a name counts: one that is an everyday word too (go, make, black, express) only where the sentence shows that the tool is meant,
and a category as asked for only where the question names none of its members itself. The names stand in `categories_table`. Pure: no I/O,
no model. Built once, when first asked; linear in the text, any thread.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from desktop.base.simplified import simplified
from desktop.base.words import CJK
from desktop.search.categories_table import TABLE

LOOKED_AT = 20_000
"""Characters of a text in which members are looked for, and `ASKED_AT` those of a question."""

ASKED_AT = 2_000
BETWEEN = 30
"""Characters between two names of which one tells what the other is."""

_VERSION = r"(?:[ @-]?v\d+(?:\.\d+)*|[ @-]?\d+\.\d+(?:\.\d+)*|@\d+)(?![\w])"
_USED = re.compile(
    r"(?:\b(?:use[sd]?|using|runs?|running|adopt(?:s|ed)?|chose|chosen|picked|switch(?:ed|ing)? to|mov(?:e|ed|ing) to|migrat(?:e|ed|ing) to"
    r"|prefers?|written in|built (?:with|on|in)|based on|powered by|standardi[sz]ed on)(?: only)? "
    r"|(?:用的是|使用|采用|改用|选用|换成|换用|基于|运行|用|跑|是)\s?)[`\"“]?$",
    re.IGNORECASE,
)
_USES_ON = re.compile(
    rf"[`\"”]?(?:\s*(?:$|[\n,;:!?)，。；：！？、）]|\.(?:\s|$)|[{CJK}])"
    r"|\s+(?:instead|not|never|rather|over|as (?:our|the|a)\b|for (?:the |our |all |every )?"
    r"(?:unit |end-to-end |e2e )?(?:test|lint|format|build|styl|deploy|log|monitor|chat|back|front|payment|auth|doc|type|task|script|state)"
    r"|to (?:build|compile|test|lint|format|deploy|bundle|package)\b))",
    re.IGNORECASE,
)
_CAPITAL = re.compile(rf"(?:[a-z,;:(]|[{CJK}，；：（]) ?$")
"""What stands before a word in the middle of a sentence."""

_IS_OURS = re.compile(r"\s+(?:is|are) (?:our|the|what we|used)\b")
_BESIDE = re.compile(
    r"(?:\s*(?:,|/|\+|、|，)\s*|,?\s+)?(?:not|never|instead of|rather than|over|and|or|和|与|或|而不是|不是|不用|而非|代替|不要|别用)?\s*",
    re.IGNORECASE,
)
_NEVER_BY_CAPITAL = frozenset(
    re.split(
        r"\s+",
        """next nest make just task black standard square teams signal matrix render shortcut plane arch atom less foundation windows
        linear checkout.com rocket echo salt chef fiber solid ember elm express coding rider eclipse nano cursor paddle ant pants ty flow
        drone swarm spring composer notion""",
    )
)
"""Everyday words that headings, buttons and names write with a capital as well."""

_QUESTION_ENGLISH = (
    r"(?:\b(?:which|what|whose)(?:['’]s| is| are)?(?: the| our| your| my| this project['’]?s?)?"
    r"|\bname (?:of )?(?:the|our))\s+(?:(?!of\b|in\b|for\b|to\b|with\b)[\w-]+\s+){0,2}?"
)
_AFTER_ENGLISH = (
    r"s?(?=\s*(?:$|[?!.,;:，。？！]|(?:do|does|did|is|are|was|were|should|shall|will|would|can|have|has|we|you|i|they|the|this|our|my|to|for|in"
    r"|on|with|behind|of|runs?|serves?|stores?|holds?)\b))"
)
_BEFORE_CHINESE = r"(?:什么|哪个|哪种|哪款|哪家|哪一个|哪一种|哪一款|哪些|啥|何种)(?:样的|类型的|版本的)?\s?"
_BEHIND_CHINESE = r"\s?(?:用的?)?(?:是|选了?|选的|用)?(?:的?是)?(?:什么|哪个|哪种|哪款|哪家|啥|哪一个|哪一种)"
_NO_MORE_CHINESE = "(?!迁移|连接|索引|备份|表|端口|版本|名|密码|地址|池|里|中|配置|字段|文件|消息|积压|失效|策略)"


@dataclass(frozen=True, slots=True)
class Category:
    """A kind of tools.

    Attributes:
        english, chinese: what it is called.
        names: all names by which it is asked for, folded.
        members: names of tools; `everyday`: those of them that are ordinary words as well.
    """

    english: str
    chinese: str
    names: tuple[str, ...]
    members: tuple[str, ...]
    everyday: frozenset[str]

    @property
    def queries(self) -> tuple[str, ...]:
        """All members as questions for the index, the everyday words apart; what it finds has to be looked at with `members_in`."""
        sure = " ".join(member for member in self.members if member not in self.everyday)
        everyday = " ".join(member for member in self.members if member in self.everyday)
        return tuple(filter(None, (sure, everyday)))


@dataclass(frozen=True, slots=True)
class AskedFor:
    """A category that a question asks for, and the words, folded, that ask for it."""

    category: Category
    words: str


@dataclass(frozen=True, slots=True)
class _Tables:
    categories: tuple[Category, ...]
    asking: tuple[re.Pattern[str], ...]
    owners: dict[str, tuple[int, ...]]
    member: re.Pattern[str]


@cache
def _tables() -> _Tables:
    categories: list[Category] = []
    asking: list[re.Pattern[str]] = []
    owners: dict[str, tuple[int, ...]] = {}
    for number, (called, named, nouns, listed) in enumerate(TABLE):
        names = tuple(named.replace(" | ", ", ").split(", "))
        entries = listed.split(", ")
        members = tuple(entry.removeprefix("~") for entry in entries)
        everyday = frozenset(entry[1:] for entry in entries if entry.startswith("~"))
        english, _, chinese = called.partition(" | ")
        categories.append(Category(english, chinese, names, members, everyday))
        asking.append(re.compile("|".join(_asking(names, nouns)), re.IGNORECASE))
        for member in members:
            owners[member] = (*owners.get(member, ()), number)
    member = _one_of(owners)
    return _Tables(tuple(categories), tuple(asking), owners, re.compile(rf"(?<![a-z0-9_@/\\-])(?:{member})(?![a-z0-9_]|-[a-z])"))


def _one_of(names: Iterable[str]) -> str:
    """A pattern of names, of those that begin alike the longest first; grouped by how they begin, so that a text is read about once."""
    beginnings: dict[str, dict[str, list[str]]] = {}
    for name in sorted(names, key=len, reverse=True):
        beginnings.setdefault(name[0], {}).setdefault(name[1], []).append(re.escape(name[2:]))
    groups = []
    for one, seconds in beginnings.items():
        inner = "|".join(f"{re.escape(two)}(?:{'|'.join(rests)})" for two, rests in seconds.items())
        groups.append(f"{re.escape(one)}(?:{inner})")
    firsts = "".join(map(re.escape, beginnings))
    return f"(?=[{firsts}])(?:{'|'.join(groups)})"


def _asking(names: Iterable[str], nouns: str) -> Iterator[str]:
    """Patterns of what asks for a category, the words that do it as a group."""
    for name in sorted(names, key=len, reverse=True):
        yield rf"(?<![A-Za-z0-9])({re.escape(name)})(?:s|es)?(?![A-Za-z0-9])" if name.isascii() else f"({re.escape(name)})"
    english, _, chinese = nouns.partition(" | ")
    for noun in filter(None, english.split(", ")):
        yield rf"{_QUESTION_ENGLISH}({noun}){_AFTER_ENGLISH}"
        yield rf"^\s*(?:the |our |my )?({noun})\s*[?？]?\s*$"
    for noun in filter(None, chinese.split(", ")):
        yield rf"{_BEFORE_CHINESE}({noun})(?![A-Za-z0-9]){_NO_MORE_CHINESE}"
        yield rf"({noun}){_BEHIND_CHINESE}"
        yield rf"^\s*({noun})\s*[?？]?\s*$"


def _plain(text: str) -> str:
    """Full-width letters as ordinary ones, Traditional Chinese as simplified; capitals stay."""
    return text if text.isascii() else simplified(unicodedata.normalize("NFKC", text))


@lru_cache(maxsize=256)
def asked_for(question: str) -> tuple[AskedFor, ...]:
    """The categories that a question names without naming any of their members; of names that lie in each other the longest only.

    Args:
        question: of which the first `ASKED_AT` characters are read.
    """
    text = _plain(question[:ASKED_AT])
    tables = _tables()
    found = []
    for category, pattern in zip(tables.categories, tables.asking, strict=True):
        match = pattern.search(text)
        if match is not None and not members_in(category, text):
            found.append(AskedFor(category, next(group for group in match.groups() if group).casefold()))
    return tuple(one for one in found if not any(one.words != other.words and one.words in other.words for other in found))


def members_in(category: Category, text: str) -> tuple[str, ...]:
    """The members of a category that a text names, each once, in their order."""
    return tuple(dict.fromkeys(name for name, numbers in _named(text) if any(_tables().categories[n] is category for n in numbers)))


def categories_of(text: str, most: int = 2) -> tuple[Category, ...]:
    """The categories of the tools that a text names, those with the most members first, then in their order.

    One all of whose members belong to another one that has more of them says nothing more: of “bun, not npm” bun is no runtime.
    """
    held: dict[int, list[str]] = {}
    for name, numbers in _named(text):
        for number in numbers:
            held.setdefault(number, []).append(name)
    told = [
        number
        for number, names in held.items()
        if not any(len(set(names)) < len(set(others)) and set(names) <= set(others) for others in held.values())
    ]
    told.sort(key=lambda number: -len(set(held[number])))
    return tuple(_tables().categories[number] for number in told[:most])


@lru_cache(maxsize=64)
def _named(text: str) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The names in a text that mean a tool, with the numbers of their categories."""
    tables = _tables()
    plain = _plain(text[:LOOKED_AT])
    lower = plain.lower()
    if len(lower) != len(plain):
        plain = lower  # a letter whose small form is two: places would not fit
    matches = list(tables.member.finditer(lower))
    found = []
    for at, match in enumerate(matches):
        name, numbers = match.group(), tables.owners[match.group()]
        everyday = tuple(number for number in numbers if name in tables.categories[number].everyday)
        if everyday and not (_is_tool(plain, match) or _is_beside(plain, matches[max(0, at - 1) : at + 2], match, set(everyday))):
            numbers = tuple(number for number in numbers if number not in everyday)
        if numbers:
            found.append((name, numbers))
    return tuple(found)


def _is_tool(text: str, match: re.Match[str]) -> bool:
    """Whether a sentence shows that an everyday word is the name of a tool: version, code marks, use, or its capital."""
    before, behind = text[max(0, match.start() - 40) : match.start()], text[match.end() : match.end() + 60]
    if before.endswith("`") and behind.startswith("`"):
        return True
    if re.match(_VERSION, behind) is not None:
        return True
    if _USED.search(before) and _USES_ON.match(behind):
        return True
    if not text[match.start()].isupper() or match.group() in _NEVER_BY_CAPITAL:
        return False
    return _CAPITAL.search(before) is not None or _IS_OURS.match(behind) is not None


def _is_beside(text: str, near: list[re.Match[str]], match: re.Match[str], numbers: set[int]) -> bool:
    """Whether an everyday word stands right beside an unmistakable member of its category: “jest over vitest”."""
    tables = _tables()
    for other in near:
        sure = [n for n in tables.owners[other.group()] if n in numbers and other.group() not in tables.categories[n].everyday]
        between = text[min(match.end(), other.end()) : max(match.start(), other.start())]
        if other is not match and sure and len(between) <= BETWEEN and between.strip() and _BESIDE.fullmatch(between):
            return True
    return False
