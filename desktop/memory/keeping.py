"""Is something worth keeping, and as what? One judgement over a memory that an agent is about to write, before the gate sees it.

Owns the order: template text and secrets are refused; dates are made absolute; what is remembered already is not written again; what no
sentence of the person stands behind waits for a click (S11); another value of the same subject takes the place of the old one, which
stays in history. Writes nothing. Pure; any thread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from desktop.base.phrases import say
from desktop.base.redact import find_secrets
from desktop.memory.absolute_dates import make_absolute
from desktop.memory.bilingual import keywords_for
from desktop.memory.commanding import commands_of_others, is_commanding
from desktop.memory.frontmatter import Document, decode_text, parse, serialise
from desktop.memory.injection import holds_injection
from desktop.memory.note import INDEX_NAME, Note
from desktop.memory.own_words import asks_to_remember, holds_foreign, supported
from desktop.memory.stamp import Value, with_metadata, with_top
from desktop.memory.standing import Standing, standing_of
from desktop.memory.support import addresses, claim_text, is_asked_for, is_related, nearly_verbatim
from desktop.memory.templates import unfilled

MOST_NOTES = 2_000
"""Notes that a memory is compared with, newest first."""

MOST_TEXT = 200_000
"""Characters of a memory beyond which it is not looked into: the gate judges its size."""

_PASSWORD = re.compile(
    r"(?i)(?:pass(?:word|phrase|code|wd)?|\bpwd?|\bpin|\blogin|secret|token|api[- ]?key|access[- ]?key|credentials?|密码|口令|令牌|密钥"
    r"|秘钥)\s{0,2}(?:is|are|was|=|:|：|是|为|改成|改为)?\s{0,2}"
    r"[\"'“`]?(?P<value>[A-Za-z0-9!#$%&*+=?@^~_.-]{8,200})"
)


_TOLD_PASSWORD = re.compile(
    r"(?i)(?:\bpass(?:word|phrase|code|wd)|\bpwd?|密码|口令)\s{0,2}(?:is|was|=|:|："
    r"|是)\s{0,2}[\"'“`]?(?=[^\s，,。]{0,40}\d)(?=[^\s，,。]{0,40}[A-Za-z])"
    r"[A-Za-z0-9!#$%&*+=?@^~_.-]{6,100}(?![\w/])"
    r"|(?:log(?:s|ged|ging)? ?in|sign(?:s|ed)? in"
    r"|登[录陆錄])[^。\n]{0,30}?\b[\w.@-]{2,40}\s?/\s?(?=\S{0,40}\d)(?=\S{0,40}(?:[!#$%&*@^~]|(?-i:[A-Z])))\S{5,}"
    r"|(?m:(?:\b(?:my|our|the) (?:\w+ ){0,2}(?:password|passphrase|pw) is|(?:密码|密碼|口令)(?:是|：)) ?(?!(?:wrong|missing|stored"
    r"|hashed|required|empty"
    r"|correct|null|rotated|expired|invalid|encrypted|needed|optional|secret|incorrect|bcrypt\w*|argon\w*|salted|public|visible"
    r"|outdated)\b)"
    r"[A-Za-z0-9_-]{4,30}[\"'.!。]{0,2}$)"
)
"""Said in so many words: letters and digits are enough."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that is about to be written.

    Attributes:
        path: posix path below the memory root.
        text: the whole file as it would be.
        before: what stands there now; None for a new file.
        said: the person's own pending messages, oldest first, as they were written.
        untrusted: text of tools, pages or files was in the window.
        now: when it was said. Aware times are taken on this machine's calendar, since people mean their own “tomorrow”.
        explicit: the person asked in so many words that this be remembered. Without `said` it is their own act and needs no sentence.
    """

    path: str
    text: str
    before: str | None
    said: tuple[str, ...]
    untrusted: bool
    now: datetime
    explicit: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """What is to be done with it.

    Attributes:
        verdict: keep: write `text` at `path`. wait: put it into the review inbox. refuse: tell the reason. known: write nothing.
        text: with absolute dates, and with keywords, `explicit` and `supersedes` in its header where it has one.
        path: where to write; another than the candidate's when that file holds the subject already. For `known`: the file that says it.
        reason: a phrase for the person; "" for keep.
        supersedes: paths of other files that this one replaces. The caller deletes them after the write: they stay in history and trash.
    """

    verdict: Literal["keep", "wait", "refuse", "known"]
    text: str
    path: str
    reason: str = ""
    supersedes: tuple[str, ...] = ()


Keep = Callable[[Candidate], Judged]


def judge(candidate: Candidate, notes: Sequence[tuple[Note, str]]) -> Judged:
    """Judge one memory.

    Args:
        candidate: what is about to be written.
        notes: the memories of this root with their whole texts, newest first.
    """
    if len(candidate.text) > MOST_TEXT or candidate.path == INDEX_NAME:
        return Judged("keep", candidate.text, candidate.path)
    refused = _refused(candidate)
    if refused:
        return Judged("refuse", candidate.text, candidate.path, refused)
    dated = absolute_text(candidate.text, candidate.now)
    others = [(note, text) for note, text in notes[:MOST_NOTES] if note.path != candidate.path]
    standing = _known_before(candidate, dated) or standing_of(dated, candidate.path, others)
    if standing.kind == "known":
        reason = say("It is remembered already in {path}.", path=standing.path)
        return Judged("known", candidate.text, standing.path, reason)
    waits = _waits(candidate, dated)
    placed = _placed(candidate, dated, standing)
    return Judged("wait", placed.text, placed.path, waits, placed.supersedes) if waits else placed


def absolute_text(text: str, now: datetime) -> str:
    """A note with the relative dates of its description and body made absolute; everything else of its header byte for byte."""
    local = _local(now)
    document = parse(text.encode("utf-8", "surrogatepass"))
    if document.header is None:
        return make_absolute(text, local).text
    description = make_absolute(document.description or "", local).text
    if document.description and description != document.description:
        document = with_top(document, "description", description)
    return _text(document.with_body(make_absolute(document.body, local).text))


def finished_text(text: str, *, explicit: bool = False, supersedes: Sequence[str] = ()) -> str:
    """A note with keywords in both languages and the wanted entries in its nested metadata; unchanged where it has no such header."""
    document = parse(text.encode("utf-8", "surrogatepass"))
    given = document.field("keywords")
    held = [word for word in given if isinstance(word, str)] if isinstance(given, list) else []
    values: dict[str, Value] = {}
    words = keywords_for(document.name or "", document.description or "", claim_text(text), held)
    if words and list(words) != held:
        values["keywords"] = words
    if explicit and document.field("explicit") is not True:
        values["explicit"] = True
    if supersedes:
        before = document.field("supersedes")
        names = [name for name in before if isinstance(name, str)] if isinstance(before, list) else []
        values["supersedes"] = tuple(dict.fromkeys([*names, *supersedes]))
    return _text(with_metadata(document, values)) if values else text


# --- parts of the judgement ---------------------------------------------------------------------------------------------


def _local(now: datetime) -> datetime:
    """The time on this machine's calendar."""
    return now.astimezone() if now.tzinfo is not None else now


def _text(document: Document) -> str:
    text, _, bom = decode_text(serialise(document))
    return ("\ufeff" if bom == b"\xef\xbb\xbf" else "") + text


def _refused(candidate: Candidate) -> str:
    placeholder = unfilled(candidate.text)
    if placeholder and (candidate.before is None or placeholder not in candidate.before):
        return say("“{text}” is a placeholder of a template: write the fact itself, or leave the line out.", text=placeholder)
    kinds = sorted({hit.kind for hit in find_secrets(candidate.text)} | ({"password"} if names_password(candidate.text) else set()))
    if kinds and not (candidate.before is not None and (find_secrets(candidate.before) or names_password(candidate.before))):
        return say(
            "The text holds what looks like a secret ({kinds}), so it was not saved. Remember where the secret is kept instead.",
            kinds=", ".join(kinds),
        )
    return ""


def names_password(text: str) -> bool:
    """Whether a word for a secret stands right before something of letters, digits and signs, as nobody would name a thing."""
    return any(_mixed(match["value"]) for match in _PASSWORD.finditer(text)) or _TOLD_PASSWORD.search(text) is not None


def _mixed(value: str) -> bool:
    """Letters and digits, and capitals or signs among them, as no word, path, version or address has them."""
    letters = any(c.isalpha() for c in value) and any(c.isdigit() for c in value)
    signs = any(c in "!#$%&*+=?@^~" for c in value) or (any(c.isupper() for c in value) and any(c.islower() for c in value))
    return letters and signs and "/" not in value


def _known_before(candidate: Candidate, dated: str) -> Standing | None:
    """A rewrite that says nothing new: the same statement in the same file."""
    if candidate.before is None:
        return None
    same = _plain(claim_text(candidate.before)) == _plain(claim_text(dated)) and _head(candidate.before) == _head(dated)
    return Standing("known", candidate.path) if same else Standing("new")


def _plain(text: str) -> str:
    return " ".join(text.split())


def _head(text: str) -> tuple[str | None, str | None, str | None]:
    document = parse(text.encode("utf-8", "surrogatepass"))
    return document.name, document.description, document.type


def _added(candidate: Candidate) -> str:
    """What of a rewritten memory is new: a changed description, and lines that did not stand in the file before."""
    if candidate.before is None:
        return candidate.text
    document, before = (parse(text.encode("utf-8", "surrogatepass")) for text in (candidate.text, candidate.before))
    held = {line.strip() for line in candidate.before.splitlines()}
    lines = [line for line in document.body.splitlines() if line.strip() and line.strip() not in held]
    described = document.description or ""
    if described and described != before.description and not any(described.strip(". 。") in line for line in [*lines, before.body]):
        lines.insert(0, described)
    return "\n".join(lines)


def _waits(candidate: Candidate, dated: str) -> str:
    """Why a memory waits for the person; "" when it need not."""
    if candidate.explicit and not candidate.said:
        return ""
    added = _added(candidate)
    if candidate.before is not None and not added.strip():
        return ""  # only lines taken out
    new = dated if candidate.before is None else absolute_text(added, candidate.now)
    now = _local(candidate.now)
    asked = is_asked_for(new, candidate.said, now) and not holds_injection(new)
    if not asked and not supported(new, candidate.said, now) and not (_only_theirs(candidate) and is_related(new, candidate.said, now)):
        return say("No sentence of yours says this.")
    if not candidate.untrusted:
        return ""
    commands = bool(is_commanding(claim_text(new)) or addresses(new) or holds_injection(new))
    if (commands and not asked and not _is_persons(new, candidate)) or commands_of_others(new, candidate.said, now):
        return say("It gives an order or an address, and text from outside was in the chat.")
    return ""


def orders_of_others(candidate: Candidate) -> bool:
    """Whether a main agent's memory brings in an order or an address that no sentence of the person says; what stood in the file passes."""
    if len(candidate.text) > MOST_TEXT:
        return holds_injection(candidate.text)
    added = _added(candidate)
    return bool(added.strip()) and commands_of_others(added, candidate.said, _local(candidate.now))


def _only_theirs(candidate: Candidate) -> bool:
    """Nothing of others was in the conversation: no file, page or output, and no quotation in what the person wrote."""
    return not candidate.untrusted and not any(holds_foreign(said) for said in candidate.said)


def _is_persons(text: str, candidate: Candidate) -> bool:
    """The order or address stands in the person's own sentence, nearly word for word."""
    return nearly_verbatim(text, candidate.said) and not holds_injection(text)


def _placed(candidate: Candidate, dated: str, standing: Standing) -> Judged:
    asked, now = tuple(said for said in candidate.said if asks_to_remember(said)), _local(candidate.now)
    explicit = candidate.explicit or (bool(asked) and (supported(dated, asked, now) or is_asked_for(dated, asked, now)))
    text, path = (standing.text, standing.path) if standing.kind == "replaces" else (dated, candidate.path)
    retired = standing.retired if standing.kind == "supersedes" else ()
    finished = finished_text(text, explicit=explicit, supersedes=standing.names if retired else ())
    return Judged("keep", finished, path, "", retired)
