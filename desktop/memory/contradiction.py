"""Memories that contradict each other: one that another names as superseded but that still stands, and two values for one subject.

Owns which sentences make a claim that can be compared (a single-valued attribute such as a port or a version, a do and a don't, one thing
instead of another), in English and Chinese. Precision before recall: a condition, a past tense or a further word in the sentence makes it
another claim. Pure, any thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from desktop.memory.near_duplicates import flat, is_han, terms_of

MOST_CLAIMS = 12
"""Claims that are taken of one memory; a text with more is a document, not a fact."""

LONGEST_SENTENCE = 200
LONGEST_VALUE = 48

_ATTRIBUTES: dict[str, tuple[str, str]] = {
    "port": (r"ports?(?: numbers?)?", "端口号?"),
    "version": (r"versions?", "版本号?"),
    "deadline": (r"deadline|due date", "截止(?:日期|时间)|期限"),
    "branch": (r"(?:default|main|release|base) branch", "(?:默认|主|发布|基准)分支"),
    "package-manager": (r"package manager", "包管理(?:器|工具)"),
    "line-length": (r"(?:max(?:imum)? )?line (?:length|width)", "行宽|最大行长|每行最多"),
    "indentation": (r"indent(?:ation)?(?: size| width| style)?", "缩进(?:宽度|大小|方式)?"),
    "time-zone": (r"time ?zone", "时区"),
    "database": (r"databases?", "数据库"),
    "address": (r"base url|url|host ?name|host|domain|endpoint", "域名|地址|网址|主机名?"),
    "timeout": (r"time ?out", "超时(?:时间)?"),
    "limit": (r"(?:rate |size |upload )?limit", "上限|限额"),
    "owner": (r"owner|maintainer|team lead|product manager", "负责人|维护者|产品经理"),
    "licence": (r"licen[cs]e", "许可证|授权协议"),
    "test-runner": (r"test (?:runner|framework)", "测试(?:框架|工具)"),
    "formatter": (r"(?:code )?formatter", "格式化工具"),
    "linter": (r"linter", "(?:代码)?检查工具"),
    "build-tool": (r"build (?:tool|system)|bundler", "构建工具|打包工具"),
    "region": (r"region", "区域|地域"),
    "release-day": (r"(?:release|deploy(?:ment)?) day", "发布日|上线日|部署日"),
    "language": (r"(?:reply|answer|commit message|documentation) language", "(?:回复|回答|提交信息|文档)语言"),
}
_BE = r"(?:is|are|=|:|is now|changed to|was changed to|has changed to|moved to|must be|should be|stays|is set to|is fixed at)"
_BE_ZH = "(?:改为|改成|换成|设为|定为|是|为|用|使用|：|:|=)"
_ENGLISH = {
    name: re.compile(rf"^(?P<before>[a-z0-9_ ./'-]{{0,60}}?)\b(?:{word})(?P<of> (?:of|for) [a-z0-9_ ./'-]{{1,40}}?)? ?{_BE} (?P<rest>.+)$")
    for name, (word, _) in _ATTRIBUTES.items()
}
_CHINESE = {
    name: re.compile(rf"^(?P<before>[^，,；;：:]{{0,16}}?)(?:{word})\s*(?:现在|已经?|目前)?\s*{_BE_ZH}\s*(?P<rest>.+)$")
    for name, (_, word) in _ATTRIBUTES.items()
}
_PORT = re.compile(
    r"^(?P<before>.{0,50}?)(?:runs? on|listens? on|is on|监听|运行在|跑在|使用|用)?\s*(?:the )?(?:port|端口)\s*(?:号)?\s*"
    r"(?P<rest>\d{2,5})\b(?P<tail>.*)$"
)
_PAST = re.compile(
    r"\b(?:was|were|used to|previously|formerly|before|until|earlier|originally|old|if|when|unless|may|might|could|or|either|e\.g)\b"
    "|以前|之前|原来|曾|过去|旧|如果|当|可能|或|例如|比如"
)
_ALLOWED_PAST = re.compile(r"\bwas changed to\b")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|[。！？；;\n]+")
_LIST_MARK = re.compile(r"^\s*(?:[-*+>]|\d{1,3}[.)])\s+")
_VALUE_END = re.compile(
    r"[,，、;；(（]|\s(?:not|instead|because|since|so|and|but|in|on|for|at|with|as|rather|—|-)\s|。|(?:，|,)?(?:而不是|不是|因为|所以)"
)
_NEGATED = re.compile(
    r"\b(?:never|do not|don't|must not|should not|shouldn't|avoid|no longer)\b|不要|不再|不能|不许|不得|不用|不使用|禁止|别|勿"
)
_CHOICE = re.compile(
    r"^(?P<yes>.{1,60}?),? (?:not|never|instead of|rather than|over) (?P<no>[^,.;]{1,40})$"
    "|^(?P<yes_zh>.{1,30}?)[，,]?(?:而不是|而非|不要用|不用|不使用|不是)(?P<no_zh>[^，,。；]{1,20})$"
)
_USES = re.compile(r"\b(?:use|uses|using|prefer|prefers)\b|使用|采用|用|首选")


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of a sentence.

    Attributes:
        subject: what it is about; claims of one subject can be compared.
        value: what it says of it; another value contradicts it.
        shown: the value as it was written.
        line: 1-based.
    """

    subject: tuple[str, ...]
    value: str
    shown: str
    line: int


@dataclass(frozen=True, slots=True)
class Claims:
    """What is compared of one memory.

    Attributes:
        name, path, modified, pinned: of the memory.
        supersedes: names of those that it replaces.
        superseded: it is marked as replaced by another one.
        claims: its sentences.
    """

    path: str
    name: str
    modified: datetime
    pinned: bool
    supersedes: tuple[str, ...]
    superseded: bool
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """`path` is the older one, at `line` (0: as a whole), `other` the one that holds; values are empty where that names it as replaced."""

    path: str
    line: int
    other: str
    value: str = ""
    other_value: str = ""


def claims_in(lines: Iterable[tuple[int, str]]) -> tuple[Claim, ...]:
    """The claims of numbered lines of prose. A memory that gives one subject two values makes no claim about it."""
    found: dict[tuple[str, ...], list[Claim]] = {}
    count = 0
    for number, line in lines:
        for sentence in _SENTENCE.split(_LIST_MARK.sub("", line)):
            if not 3 <= len(sentence) <= LONGEST_SENTENCE:
                continue
            for claim in _claims(sentence, number):
                count += 1
                if count > MOST_CLAIMS:
                    return ()
                found.setdefault(claim.subject, []).append(claim)
    return tuple(claims[0] for claims in found.values() if len({claim.value for claim in claims}) == 1)


def _claims(sentence: str, line: int) -> Iterator[Claim]:
    plain = " ".join(flat(sentence).split()).rstrip(".。!！ ")
    if plain.endswith(("?", "？")):
        return
    hedged = _PAST.search(_ALLOWED_PAST.sub(" ", plain)) is not None
    if not hedged:
        claims = _clauses(plain, line) or [claim for claim in (_attribute(plain, line),) if claim is not None]
        if claims:
            yield from claims
            return
    if not hedged or _CHOICE.match(plain):
        yield from _rules(plain, line)


def _clauses(plain: str, line: int) -> list[Claim]:
    """The claims of a sentence whose clauses are one each (“the port is 80, the database is …”); none where a clause only says when."""
    clauses = [clause.strip() for clause in re.split(r"[，,、]\s*", plain)]
    claims = [_attribute(clause, line) for clause in clauses] if 1 < len(clauses) <= 6 else []
    return [claim for claim in claims if claim is not None] if claims and None not in claims else []


def _attribute(plain: str, line: int) -> Claim | None:
    """The claim that an attribute of something has one value."""
    port = _PORT.match(plain)
    if port is not None:
        return _claim("port", [port["before"], port["tail"]], port["rest"], line)
    for name, rule in (*_ENGLISH.items(), *_CHINESE.items()):
        found = rule.match(plain)
        if found is None:
            continue
        value, rest = _value(found["rest"])
        around = [found["before"], found.groupdict().get("of") or "", rest]
        return _claim(name, around, value, line)
    return None


def _value(rest: str) -> tuple[str, str]:
    """The value with which a text begins, and what follows it."""
    end = _VALUE_END.search(rest)
    value = (rest[: end.start()] if end else rest).strip(" \"'“”‘’`")
    more = rest[end.start() :] if end else ""
    reason = re.split(r"\b(?:because|since|so that|not|instead|rather)\b|因为|所以|而不是|不是", more)[0]
    return value.removeprefix("now ").removeprefix("at ").removeprefix("set to "), reason


def _claim(name: str, around: Iterable[str], value: str, line: int) -> Claim | None:
    if not value or len(value) > LONGEST_VALUE or len(value.split()) > 4 or "¬" in terms_of(value):
        return None
    words = sorted({term for text in around for term in terms_of(text)})
    return None if "¬" in words else Claim(("has", name, *words), value, value, line)


def _rules(plain: str, line: int) -> Iterator[Claim]:
    """Claims that something is to be done, or not to be done."""
    choice = _CHOICE.match(plain)
    if choice is not None:
        yes, no = (_words(choice[name] or choice[f"{name}_zh"] or "") for name in ("yes", "no"))
        if yes and no and "¬" not in (*yes, *no) and len(no) <= 3:
            said = (choice["yes"] or choice["yes_zh"]).strip()
            yield Claim(("choice", *sorted({*yes, *no})), "\0".join(yes), said, line)
            if _USES.search(plain):
                yield Claim(("do", *no), "no", plain[:LONGEST_VALUE], line)
        return
    negated = len(_NEGATED.findall(plain))
    words = [word for word in _words(_NEGATED.sub(" ", plain)) if word != "¬"]
    weight = sum(len(word) // 2 if is_han(word) else 1 for word in words)
    enough = weight >= 2 or (weight == 1 and _USES.search(plain) is not None)
    if negated <= 1 and enough and len(words) <= 8:
        yield Claim(("do", *words), "no" if negated else "yes", plain[:LONGEST_VALUE], line)


def _words(text: str) -> list[str]:
    return sorted(set(terms_of(text)))


def contradictions(all_claims: Iterable[Claims]) -> list[Contradiction]:
    """Every memory that another one contradicts, once, with the newest that does."""
    notes = [claims for claims in all_claims if not claims.superseded]
    found = {found.path: found for found in _named(notes)}
    by_subject: dict[tuple[str, ...], list[tuple[Claims, Claim]]] = {}
    for note in notes:
        for claim in note.claims:
            by_subject.setdefault(claim.subject, []).append((note, claim))
    for told in by_subject.values():
        if len({claim.value for _, claim in told}) < 2:
            continue
        newest, holds = max(told, key=lambda one: (one[0].modified, one[0].path))
        for note, claim in told:
            if note is not newest and note.path not in found and not _agree(claim.value, holds.value):
                found[note.path] = Contradiction(note.path, claim.line, newest.path, claim.shown, holds.shown)
    return sorted(found.values(), key=lambda one: one.path)


def _agree(one: str, two: str) -> bool:
    """Whether one value only says more of the other: `3.12` and `3.12.4`, `bun` and `bun 1.1`."""
    if one == two:
        return True
    short, long = sorted((one, two), key=len)
    return long.startswith(short) and not long[len(short)].isalnum() and not is_han(short)


def _named(notes: Iterable[Claims]) -> Iterator[Contradiction]:
    """Those that another memory names in `supersedes` and that still stand."""
    listed = list(notes)
    names: Mapping[str, Claims] = {name: note for note in listed for name in (note.path.removesuffix(".md"), note.name)}
    for note in listed:
        for name in note.supersedes:
            old = names.get(name) or names.get(name.removesuffix(".md"))
            if old is not None and old is not note and note.name not in old.supersedes:
                yield Contradiction(old.path, 0, note.path)
