"""What another session may read of one message, its parts cut, and how well that answers a question (SC-03 to SC-05).

Pure text rules for ReadSessionContext and the searches over sessions: no files, no budgets, no frames. Any thread.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from desktop.base.clock import iso
from desktop.base.redact import redact
from desktop.base.words import CJK
from desktop.messages.parts import Message, TextPart, ThinkingPart, ToolCallPart, ToolResultPart

TEXT_CUT, TOOL_CUT, FILE_CUT = 3_000, 900, 1_600
"""Characters that are kept of a text, of a call or result, and of a file that was read (SC-04)."""

PHRASE_SCORE, TERM_SCORE, REPEATS_LIMIT, SCORE_NEEDED = 20.0, 3.0, 5, 3.0
COUNTED = 10_000
"""Left-out characters up to which their number is told exactly. Beyond it the reader of long lines need not know how many there are."""

BEYOND = 4_000
"""Characters behind a cut that are looked at for a secret that begins before it."""

MANY_TERMS = 48
"""From so many terms on it pays to look first which of them can be in a text at all."""

MEMORY_RESULTS = frozenset(("memory_search",))
"""Tools whose results are memory's own text: it does not go on by way of transcripts where memory is off by now, or purged."""

FILE_TOOLS = frozenset(("read", "read_file", "readfile", "read_many_files", "view", "view_file", "open_file", "fs_read", "cat"))
"""Tools that give a file, by their names here and in imported sessions, in small letters."""

_CJK_RUN = re.compile(f"[{CJK}]+")
_WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*", re.UNICODE)
_REMINDER = re.compile(r"\s*<((?:system|app)-reminder|reminder)\b[^>]*>.*?</\1>\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Snippet:
    """What can be read of one message, its parts cut. `number` is the message's place in the live branch, from 1."""

    number: int
    role: str
    time: str
    text: str


# --- cleaning and cutting -------------------------------------------------------------------------------------------------


def cut(text: str, length: int, *, counted: int | None = None) -> str:
    """The head of `text`, at most `length` characters, with a mark that says how much is left out; exactly, up to `counted`."""
    return text if len(text) <= length else _marked(text, length, len(text) - length, counted)


def _marked(head: str, length: int, left: int, counted: int | None) -> str:
    mark = f" … [{left:,} more characters]" if counted is None or left <= counted else f" … [more than {counted:,} more characters]"
    return head[: max(0, length - len(mark))] + mark


def is_synthetic(message: Message) -> bool:
    """Whether the app made the message for the model (SC-03): it is nobody's words and is never read by another session."""
    return message.origin == "app"


def own_text(part: TextPart, role: str) -> str:
    """The text of a part without what a program put into the person's message as a reminder (SC-03); often empty then."""
    text = part.text.strip()
    if role != "user" or "reminder>" not in text:
        return text
    return _REMINDER.sub("\n", text).strip()


def _kept(text: str, length: int, masked: bool) -> str:
    """A part's text, cut. Secrets are masked before the cut: half of one behind it would be known for none."""
    if not masked:
        return cut(text, length, counted=COUNTED)
    shown = redact(text[: length + BEYOND])
    if len(text) <= length + BEYOND:
        return cut(shown, length, counted=COUNTED)
    return _marked(shown, length, len(text) - length, COUNTED)


def _part_text(part: TextPart | ThinkingPart | ToolCallPart | ToolResultPart, role: str, masked: bool) -> str:
    match part:
        case TextPart():
            return _kept(own_text(part, role), TEXT_CUT, masked)
        case ToolCallPart():
            arguments = ", ".join(f"{name}: {value}" for name, value in part.input.items()) or part.raw or ""
            return _kept(f"[call {part.name}] {arguments}".rstrip(), TOOL_CUT, masked)
        case ToolResultPart(status="ok") if part.name in MEMORY_RESULTS:
            return f"[result of {part.name}, {part.status}] (what memory held then is left out: it may have been changed or purged since)"
        case ToolResultPart():
            limit = FILE_CUT if part.name.casefold() in FILE_TOOLS else TOOL_CUT
            return _kept(f"[result of {part.name}, {part.status}] {part.output}".rstrip(), limit, masked)
        case ThinkingPart():
            return ""


def readable_text(message: Message, *, masked: bool = False) -> str:
    """What another session may read of one message, its parts cut; empty for one that holds nothing for it.

    Args:
        masked: with its secrets masked, as it has to be before it is shown to anybody; costs much more.
    """
    if is_synthetic(message):
        return ""
    return "\n".join(text for part in message.parts if (text := _part_text(part, message.role, masked)))


def snippet_of(number: int, message: Message, *, masked: bool = False) -> Snippet | None:
    """What can be read of a message of the live branch; None when there is nothing."""
    text = readable_text(message, masked=masked)
    return Snippet(number, message.role, iso(message.time), text) if text else None


def snippets_of(messages: Sequence[Message]) -> list[Snippet]:
    """What can be read of the live branch: no thinking, no synthetic messages, no reminders (SC-03), parts cut (SC-04)."""
    found = (snippet_of(number, message) for number, message in enumerate(messages, 1))
    return [snippet for snippet in found if snippet is not None]


# --- scoring --------------------------------------------------------------------------------------------------------------


def folded(text: str) -> str:
    """`text` as it is compared: compatibility forms made one, case folded, white space made single."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def terms_of(query: str) -> tuple[str, ...]:
    """The words of a query and the character pairs of its Chinese, Japanese, Korean and Thai runs; single characters are dropped."""
    text = folded(query)
    pairs = [run[i : i + 2] for run in _CJK_RUN.findall(text) for i in range(len(run) - 1)]
    words = [word for word in _WORD.findall(_CJK_RUN.sub(" ", text)) if len(word) > 1]
    return tuple(dict.fromkeys([*words, *pairs]))


def score(text: str, phrase: str, terms: Sequence[str]) -> float:
    """Phrase 20, each term 3 and one more for each time it occurs, at most 5 more. `text` and `phrase` are folded."""
    total = PHRASE_SCORE if phrase and phrase in text else 0.0
    for term in terms if len(terms) < MANY_TERMS else _possible(text, terms):
        count = text.count(term)
        if count:
            total += TERM_SCORE + min(REPEATS_LIMIT, count)
    return total


def scored(text: str, phrase: str, terms: Sequence[str]) -> float:
    """The score of a text as it stands: as `score` gives it for the folded text. White space is made single only where that may matter.

    Args:
        phrase: folded.
        terms: folded, each without white space, as those of `terms_of`.
    """
    loose = unicodedata.normalize("NFKC", text).casefold()
    if " " in phrase and all(word in loose for word in phrase.split(" ")):
        loose = " ".join(loose.split())
    return score(loose, phrase, terms)


def _possible(text: str, terms: Iterable[str]) -> Iterator[str]:
    """The terms whose first two characters stand in the text side by side; every term has two at least."""
    pairs = set(map(str.__add__, text, text[1:]))
    return (term for term in terms if term[:2] in pairs)
