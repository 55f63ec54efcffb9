"""Memories that time has overtaken: too old without a second look, or about a file, a branch or a date that is gone (W-29, B37).

Owns which words of a text name such a thing, in English and Chinese, and what the person is told. Precision before recall: a sentence that
says itself that the thing is gone, may come, or is an example says nothing that could be out of date. Whether a name is there is answered
by `workspace_names`. Pure, any thread.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Literal

from desktop.base.phrases import say
from desktop.memory.health_text import Problem
from desktop.memory.note import Note, one_line
from desktop.memory.workspace_names import WorkspaceNames

STALE_DAYS = 90
"""Days after which a memory that nobody confirmed is worth a second look."""

TIMELESS = frozenset(("user", "feedback"))
"""Types that age alone does not make doubtful: how somebody likes to work."""

MOST_NAMES = 40
"""Names that are taken of one memory."""

LONGEST_LINE = 4_000
_EXTENSIONS = (
    "py|pyi|ipynb|js|mjs|cjs|jsx|ts|mts|tsx|vue|svelte|css|scss|less|html|rs|go|java|kt|kts|scala|groovy|gradle|c|h|cc|cpp|cxx|hpp|hh|cs|fs|"
    "swift|mm|rb|php|pl|lua|ex|exs|erl|hs|ml|dart|zig|nim|jl|sql|sh|bash|zsh|fish|ps1|bat|cmd|mk|cmake|tf|proto|graphql|toml|yaml|yml|json|"
    "json5|ini|cfg|conf|xml|md|mdx|rst|adoc"
)
_FILE = re.compile(
    rf"(?<![A-Za-z0-9_/\\.:@~$%{{<*#-])(?P<name>(?:\.{{1,2}}/)?(?:[A-Za-z0-9_.@+-]+[/\\]){{0,12}}[A-Za-z0-9_@+-][A-Za-z0-9_.@+-]*\.(?:{_EXTENSIONS}))"
    r"(?![A-Za-z0-9_/\\*}>-]|\.[A-Za-z0-9_])"
)
_SPAN = re.compile(rf"`(?P<name>[^`\s*<>{{}}$~:/\\][^`*<>{{}}$~:\n]{{0,200}}\.(?:{_EXTENSIONS}))`")
"""A name in a code span may be of any script."""

_WELL_KNOWN_TEXT = (
    "node.js next.js nuxt.js vue.js react.js three.js d3.js express.js chart.js moment.js ember.js backbone.js discord.js "
    "p5.js alpine.js angular.js nest.js koa.js day.js socket.io.js handlebars.js mocha.js underscore.js solid.js electron.js "
    "deno.js bun.js knockout.js package.json tsconfig.json readme.md claude.md agents.md memory.md license.md changelog.md "
    "asp.net-core.cs"
)
_WELL_KNOWN = frozenset(_WELL_KNOWN_TEXT.split())
"""Names of products, and of files that are talked about in general."""

_MADE = re.compile(r"(?:^|/)(?:dist|build|out|target|node_modules|coverage|tmp|temp|vendor|\.venv|venv|site-packages|generated|\.next)/")
_EXAMPLE = re.compile(r"(?:^|/)(?:foo|bar|baz|example|sample|my_?file|file|name|some|xxx|yyy|todo)\.\w+$", re.IGNORECASE)
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://\S+|\b[\w.+-]+@[\w-]+\.[\w.-]+", re.IGNORECASE)
_QUIET = re.compile(
    r"\b(?:delet|remov|dropp|rename|replac|gone|no longer|used to|formerly|previously|obsolete|deprecat|legacy|creat|generat|produc"
    r"|writ(?:e|es|ing|ten)\b|output|export(?:s|ed)? (?:to|as)|will (?:add|be)|plan(?:s|ned)? to|propos|add(?:s|ed|ing)? a\b|never"
    r"|do(?:es)? not|don't|avoid|without|e\.g|for example|such as|like|instead of|named after|missing|absent|does not exist|ignored"
    r"|untracked|other repo|another repo|upstream|on the server|on my)"
    "|删除|删掉|移除|改名|重命名|替换|不存在|不再|以前|之前的|旧的|废弃|弃用|新建|创建|生成|输出|导出|写入|不要|禁止|别|避免|例如|比如|譬如|如下|"
    "计划|将要|准备|打算|其他仓库|另一个仓库|服务器上",
    re.IGNORECASE,
)
"""A sentence with one of these does not say that what it names is there now."""

_BRANCH = re.compile(
    r"\bbranch(?:es)?\s+(?:called\s+|named\s+)?[`“\"']?(?P<a>[A-Za-z0-9][A-Za-z0-9_./-]{1,80})"
    r"|[`“\"'](?P<b>[A-Za-z0-9][A-Za-z0-9_./-]{1,80})[`”\"']\s+branch\b|(?<![\w./-])(?P<c>[A-Za-z0-9][A-Za-z0-9_.-]*/[A-Za-z0-9_./-]{1,80})\s+branch\b"
    r"|分支\s*(?:名为|叫|：|:)?\s*[`“「\"]?(?P<d>[A-Za-z0-9][A-Za-z0-9_./-]{1,80})|(?<![A-Za-z0-9_./-])[`“「\"]?(?P<e>[A-Za-z0-9][A-Za-z0-9_.-]*[/_-][A-Za-z0-9_./-]{1,80})[`”」\"]?\s*分支"
)
_NO_BRANCH_TEXT = (
    "is are was and or of for from with name names naming protection per in on to the that which off out by must should "
    "before after when coverage predictor instruction office cut merges here there policy model at as into has have will can "
    "cannot"
)
_NO_BRANCH = frozenset(_NO_BRANCH_TEXT.split())
_MONTHS = {name.casefold(): at for names in (calendar.month_name, calendar.month_abbr) for at, name in enumerate(names) if name}
_MONTH = "|".join(sorted(map(re.escape, _MONTHS), key=len, reverse=True))
_DATE = (
    r"(?P<y>20\d\d)[-/.](?P<m>\d{1,2})(?:[-/.](?P<d>\d{1,2}))?|(?P<zy>20\d\d)\s*年\s*(?P<zm>\d{1,2})\s*月(?:\s*(?P<zd>\d{1,2})\s*[日号號])?"
    rf"|(?P<em>{_MONTH})\.? (?P<ed>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<ey>20\d\d)"
    rf"|(?P<fd>\d{{1,2}})(?:st|nd|rd|th)? (?P<fm>{_MONTH})\.?,? (?P<fy>20\d\d)"
)
_BEFORE_DATE = re.compile(
    r"(?:\buntil|\btill|\bdue(?: on| by)?|\bdeadline(?: is| on|:)?|\bexpires?(?: on)?|\bends?(?: on)?|\bvalid (?:through|to|until)"
    r"|\bno later than|\bby|\bbefore|\bplanned for|\bscheduled for|\bships? on|\blaunch(?:es)? on|\bstarts? on|\bfreezes? on"
    r"|\bwill (?:be |\w+ )?(?:released |launched |shipped |frozen )?on|"
    "截止(?:日期|时间)?(?:是|为|到|：|:)?|到期(?:日)?(?:是|为|：|:)?|有效期(?:至|到)|直到|计划(?:于|在)|预计(?:于|在)?|将(?:于|在)|定于|"
    "上线(?:日期|时间)?(?:是|为|：|:))"
    rf"\s*(?:the )?(?P<date>{_DATE})",
    re.IGNORECASE,
)
_AFTER_DATE = re.compile(
    rf"(?P<date>{_DATE})\s*(?:之?前(?!端)|以前|截止|到期|止|将(?:会)?上线|计划上线|前(?:完成|上线|发布|交付))", re.IGNORECASE
)

_YEAR = re.compile(r"20\d\d\s*[-/.年]|[ ,]20\d\d\b")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|[。！？；]")
Kind = Literal["file", "branch", "date"]


@dataclass(frozen=True, slots=True)
class Named:
    """Something that a memory names, and that may be gone by now. `day` is that of a date, its last one where only a month is given."""

    kind: Kind
    name: str
    line: int
    day: date | None = None


def names_in(lines: Iterable[tuple[int, str]]) -> tuple[Named, ...]:
    """What numbered lines of prose name: files, branches, days until which something holds."""
    found: dict[tuple[Kind, str], Named] = {}
    for number, line in lines:
        for named in _names(line[:LONGEST_LINE], number):
            found.setdefault((named.kind, named.name), named)
            if len(found) >= MOST_NAMES:
                return tuple(found.values())
    return tuple(found.values())


def _names(line: str, number: int) -> Iterator[Named]:
    dated, filed, branched = _YEAR.search(line) is not None, "." in line, "branch" in line.casefold() or "分支" in line
    if not (dated or filed or branched):
        return
    for sentence in _SENTENCE.split(line):
        if dated:
            yield from _dates(sentence, number)
        found = [*(_files(_ADDRESS.sub(" ", sentence), number) if filed else ()), *(_branches(sentence, number) if branched else ())]
        if found and not _QUIET.search(_FILE.sub(" ", _SPAN.sub(" ", sentence))):
            yield from found


def _files(text: str, number: int) -> Iterator[Named]:
    spans = {match["name"]: True for match in _SPAN.finditer(text) if not match["name"].isascii() and " " not in match["name"]}
    quoted = {match["name"]: text[: match.start()].endswith("`") for match in _FILE.finditer(_SPAN.sub(_only_ascii, text))}
    for name, in_code in (quoted | spans).items():
        if _is_telling(name.replace("\\", "/"), in_code=in_code):
            yield Named("file", name.replace("\\", "/"), number)


def _only_ascii(span: re.Match[str]) -> str:
    return span.group() if span["name"].isascii() else " "


def _is_telling(name: str, *, in_code: bool) -> bool:
    """Whether a name means one file of the workspace: no product, no example, nothing that a build makes."""
    base = name.rpartition("/")[2].casefold()
    if base in _WELL_KNOWN and not ("/" in name and base.endswith(".md")):
        return False
    if "/" not in name and not in_code and base.endswith(".js") and name[0].isupper():
        return False
    return not (_MADE.search(name) or _EXAMPLE.search(name) or name.startswith("../"))


def _branches(text: str, number: int) -> Iterator[Named]:
    for match in _BRANCH.finditer(text):
        name = next(value for value in match.groups() if value).rstrip(".,")
        quoted = match.group()[-len(name) - 1 : -len(name)] in ("`", '"', "“", "「") or match["b"] is not None
        likely = quoted or any(c in name for c in "/-_") or match["d"] is not None
        whole = name[-1:] not in ("/", "-", "_")  # else it goes on in another script
        if likely and whole and name.casefold() not in _NO_BRANCH and not _FILE.fullmatch(name):
            yield Named("branch", name, number)


def _dates(text: str, number: int) -> Iterator[Named]:
    for rule in (_BEFORE_DATE, _AFTER_DATE):
        for match in rule.finditer(text):
            day = _day_of(match)
            if day is not None:
                yield Named("date", match["date"], number, day)


def _day_of(match: re.Match[str]) -> date | None:
    year = match["y"] or match["zy"] or match["ey"] or match["fy"]
    month = match["m"] or match["zm"] or _MONTHS.get((match["em"] or match["fm"] or "").casefold())
    number = match["d"] or match["zd"] or match["ed"] or match["fd"]
    try:
        first = date(int(year), int(month or 0), 1)
        return first.replace(day=int(number) if number else calendar.monthrange(first.year, first.month)[1])
    except (ValueError, TypeError):
        return None


@dataclass(frozen=True, slots=True)
class Present:
    """What a memory is held against.

    Attributes:
        now: the time, UTC.
        names: what is in the workspace; None: files and branches are not judged (memory of all projects).
        days: the age limit.
    """

    now: datetime
    names: WorkspaceNames | None = None
    days: int = STALE_DAYS


def stale(note: Note, named: Iterable[Named], confirmed: datetime | None, present: Present) -> Iterator[Problem]:
    """What time did to a memory.

    Args:
        note: the memory.
        named: what it names.
        confirmed: when the person last said that it is still true; within the age limit that settles all but what is past since.
        present: what holds now.
    """
    limit = timedelta(days=present.days)
    settled = confirmed is not None and confirmed >= note.modified and present.now - confirmed < limit
    gone = [found for one in named for found in _gone(note, one, confirmed if settled else None, present)]
    yield from gone
    seen = max(note.modified, confirmed or note.modified)
    if not gone and not settled and present.now - seen >= limit:
        age = (present.now - seen).days
        message = say("Nobody has looked at it for {days} days.", days=age)
        about = f"age:{seen.date().isoformat()}"
        yield Problem("stale", note.path, 0, message, say("Confirm that it is still true, or correct it."), about, note.type in TIMELESS)


def _gone(note: Note, one: Named, settled: datetime | None, present: Present) -> Iterator[Problem]:
    about, fix = f"{one.kind}:{one.name}", say("Correct it, or confirm that it is still true.")
    shown = one_line(one.name, 80)
    if one.kind == "date":
        if one.day is not None and one.day < present.now.date() and (settled is None or settled.date() <= one.day):
            yield Problem("stale", note.path, one.line, say("{date} is past.", date=shown), fix, about)
    elif present.names is None or settled is not None:
        return
    elif one.kind == "file":
        if not present.names.may_hold(one.name):
            yield Problem("stale", note.path, one.line, say("It names {name}, which is not in the workspace.", name=shown), fix, about)
    elif not present.names.may_have_branch(one.name):
        message = say("It names the branch {name}, which is not in the repository.", name=shown)
        yield Problem("stale", note.path, one.line, message, fix, about)


def moment_of(value: object) -> datetime | None:
    """A `verified` of a header: a time, or a day."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    if not isinstance(value, str):
        return None
    try:
        found = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
