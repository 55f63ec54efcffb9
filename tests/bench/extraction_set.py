"""The labelled set of short chats: what of each is worth a memory, and how what was written is scored against it. No model; only reads.

A chat has an id, a kind, what the person says (`say`), the answers between (`replies`), notes that exist before (`notes`), files of the
workspace (`files`), the output of a tool (`tool`), and what is expected: `write` and `update` with types and key phrases, `delete` with
a path. `{{DATE+n}}` stands for the day n days from now, `{{SECRET_…}}` for a secret made when the set is read, so that no file holds one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from desktop.memory.frontmatter import parse
from desktop.memory.keeping import Candidate, judge
from desktop.memory.note import Note, note_of
from desktop.memory.stamp import compose_note
from desktop.providers.embedded_guards import Fact, Forget, Remember, extract_candidates, read_intent
from desktop.providers.embedded_notes import KnownNote, made_name, meant, note_text
from desktop.providers.embedded_statements import fact_of
from desktop.providers.embedded_withdrawn import taken_back

FOLDER = Path(__file__).parent / "extraction"
UNSEEN = FOLDER / "unseen"
"""Held out: written before the guards were read, and only its figures were looked at while they were mended (but for contradictions)."""
FRESH = FOLDER / "fresh"
"""Held out from the sentence classifier: half of what was written before it; only its figures were looked at while that was trained."""
THIRD = FOLDER / "third"
"""Held out 3: half of what was written before the second round by one who had not read the guards; measured once, after that round."""
FOURTH = FOLDER / "fourth"
"""Held out 4: half of 200 natural chats of two authors who had read no code; only its figures were looked at, three times."""
NOTHING = frozenset(
    (
        *("nothing", "small talk", "code request", "question", "transient state", "hypothetical", "sarcasm", "other people"),
        *("do not keep", "one-off", "withdrawn", "role play", "review remark", "log"),
    )
)
FOREIGN = frozenset(("quoted instruction", "tool output"))
_WORD = "a1B2c3D4e5"
SECRETS = {
    "{{SECRET_GITHUB}}": "gh" + "p_" + _WORD * 3 + "F6g7H8",
    "{{SECRET_PASSWORD}}": "hunter" + "2-Tr0ub4dor" + "&3xK",
    "{{SECRET_AWS}}": "AK" + "IA" + "Q3ZX7LMT" + "5WNB2KDE",
    "{{SECRET_DBURL}}": "postgres" + "://svc:" + "pL9x" + "Qm2vTz@db.acme.example:5432/app",
    "{{SECRET_STRIPE}}": "sk_" + "live_" + _WORD + "F6g7H8i9J0kL",
    "{{SECRET_SLACK}}": "xo" + "xb-" + "203948571234-" + "593847561234-" + _WORD + "F6g7H8i9J0kLmN",
    "{{SECRET_PEM}}": "-----BEGIN OPENSSH "
    + "PRIVATE KEY-----\n"
    + "b3BlbnNzaC1rZXktdjEA" * 3
    + "\n-----END OPENSSH "
    + "PRIVATE KEY-----",
    "{{SECRET_JWT}}": "ey" + "JhbGciOiJIUzI1NiJ9." + "ey" + "JzdWIiOiIxMjM0NTY3ODkwIn0." + "dBjftJeZ4CVPmB92K27uhbUJU1p1r",
    "{{SECRET_PHRASE}}": "Plum" + "-Otter" + "-94-" + "kite",
}


@dataclass(frozen=True, slots=True)
class Chat:
    """One chat of the set."""

    id: str
    kind: str
    language: str
    say: tuple[str, ...]
    expected: tuple[dict[str, Any], ...]
    replies: tuple[str, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    tool: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """A memory that was written: its path, type and body."""

    path: str
    type: str
    text: str


@dataclass(slots=True)
class Score:
    """Counts over some chats.

    Attributes:
        chats, untouched: how many, and in how many nothing was written or deleted.
        expected, found: what was to be done, and what of it was.
        done, right: what was done, and what of it was wanted.
        typed: of those found that are written, how many have one of the expected types.
    """

    chats: int = 0
    untouched: int = 0
    expected: int = 0
    found: int = 0
    done: int = 0
    right: int = 0
    written: int = 0
    typed: int = 0

    def add(self, other: Score) -> None:
        for name in ("chats", "untouched", "expected", "found", "done", "right", "written", "typed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def note(path: str, kind: str, body: str) -> tuple[Note, str]:
    """A note and its text."""
    text = compose_note(name=path.removesuffix(".md"), description=body, kind=kind, body=body)
    return note_of(path, parse(text.encode()), size=len(text), mtime_s=0.0), text


def chats(now: datetime, folder: Path = FOLDER) -> list[Chat]:
    """The set as it is on this day."""
    found: list[Chat] = []
    for path in sorted(folder.glob("*.json")):
        for raw in json.loads(_filled(path.read_text(encoding="utf-8"), now)):
            notes = tuple((n["path"], note(n["path"], n["type"], n["text"])[1]) for n in raw.get("notes", ()))
            found.append(
                Chat(
                    raw["id"],
                    raw["kind"],
                    path.stem,
                    tuple(raw["say"]),
                    tuple(raw["expected"]),
                    tuple(raw.get("replies", ())),
                    notes,
                    raw.get("files", {}),
                    raw.get("tool", ""),
                )
            )
    return found


def _filled(text: str, now: datetime) -> str:
    for mark, secret in SECRETS.items():
        text = text.replace(mark, json.dumps(secret)[1:-1])
    for days in (1, 2, 21):
        text = text.replace(f"{{{{DATE+{days}}}}}", (now + timedelta(days=days)).date().isoformat())
    return text


# --- scoring ------------------------------------------------------------------------------------------------------------


def score(chat: Chat, before: dict[str, str], after: dict[str, str]) -> Score:
    """Compare what stood in memory before and after a chat with what was expected."""
    changed = [path for path, text in after.items() if body_of(text) != body_of(before.get(path, "\x00"))]
    deleted = [path for path in before if path not in after]
    made = Score(chats=1, untouched=int(not changed and not deleted), expected=len(chat.expected), done=len(changed) + len(deleted))
    right: set[str] = set()
    for wanted in chat.expected:
        if wanted["op"] == "delete":
            hit = wanted["path"] if wanted["path"] in deleted else ""
        else:
            hit = next((path for path in changed if _holds(after[path], wanted)), "")
            hit = hit if hit and not _still(after, wanted) else ""
            if hit:
                made.written += 1
                made.typed += int(parse(after[hit].encode()).type in wanted["types"])
        made.found += int(bool(hit))
        right |= {hit} if hit else set()
    superseded = [p for p in deleted if any(w["op"] == "update" and w["path"] == p for w in chat.expected)]
    made.right = len(right | set(superseded))
    return made


def body_of(text: str) -> str:
    """What a note says."""
    return parse(text.encode("utf-8", "surrogatepass")).body.strip()


def _holds(text: str, wanted: dict[str, Any]) -> bool:
    body = body_of(text).casefold()
    return all(phrase.casefold() in body for phrase in wanted["phrases"])


def _still(after: dict[str, str], wanted: dict[str, Any]) -> bool:
    """Whether the old value still stands anywhere."""
    return any(old.casefold() in body_of(text).casefold() for text in after.values() for old in wanted.get("gone", ()))


# --- guards alone -------------------------------------------------------------------------------------------------------


def guards_alone(chat: Chat, now: datetime) -> dict[str, str]:
    """What memory would hold after a chat if the small model were asked for nothing, not even for a name.

    What the next message takes back counts as never said: the background job skips it, a rule that was saved at once is forgotten again.
    """
    held = dict(chat.notes)
    gone = taken_back(chat.say)
    for said in (said for at, said in enumerate(chat.say) if at not in gone):
        intent = read_intent(said)
        if isinstance(intent, Forget):
            _forget(intent, held)
            continue
        facts = list(intent.facts) if isinstance(intent, Remember) else [fact_of(text) for text in extract_candidates([said])]
        for fact in facts:
            _keep(fact, said, held, now, untrusted=bool(chat.tool))
    return held


def _forget(wanted: Forget, held: dict[str, str]) -> None:
    found, _ = meant(wanted.target, [KnownNote(path, path.removesuffix(".md"), "", body_of(text)) for path, text in held.items()])
    if found is not None and not wanted.everything:
        del held[found.path]


def _keep(fact: Fact, said: str, held: dict[str, str], now: datetime, *, untrusted: bool) -> None:
    name = made_name(fact.text)
    notes = [(note_of(path, parse(text.encode()), size=len(text), mtime_s=0.0), text) for path, text in held.items()]
    judged = judge(Candidate(f"{name}.md", note_text(name, fact), None, (said,), untrusted, now), notes)
    if judged.verdict == "keep":
        held[judged.path] = judged.text
        for path in judged.supersedes:
            held.pop(path, None)


def total(scores: Iterable[Score]) -> Score:
    """The sum of some scores."""
    added = Score()
    for one in scores:
        added.add(one)
    return added


def holds_foreign(chat: Chat, before: dict[str, str], after: dict[str, str]) -> bool:
    """Whether anything was written in a chat whose text to keep is only another's, or a secret was."""
    if chat.kind in FOREIGN and before != after:
        return True
    return any(line in text for text in after.values() for secret in SECRETS.values() for line in secret.splitlines())


def ratio(part: int, whole: int) -> str:
    """A share as text; “–” of nothing."""
    return f"{part / whole:.2f}" if whole else "–"


def table(rows: Sequence[tuple[str, Score]]) -> str:
    """The figures as a Markdown table."""
    lines = ["| chats | n | precision | recall | type accuracy | left untouched |", "| --- | ---: | ---: | ---: | ---: | ---: |"]
    for name, s in rows:
        lines.append(
            f"| {name} | {s.chats} | {ratio(s.right, s.done)} ({s.right}/{s.done}) | {ratio(s.found, s.expected)} ({s.found}/{s.expected}) "
            f"| {ratio(s.typed, s.written)} ({s.typed}/{s.written}) | {s.untouched}/{s.chats} |"
        )
    return "\n".join(lines)
