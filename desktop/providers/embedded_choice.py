"""From what the small model wrote to the ordinary call that is made: small slips mended by code, forbidden calls found. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from desktop.providers.embedded_json import ANSWER, parse_choice
from desktop.providers.embedded_notes import KnownNote
from desktop.providers.embedded_turn import Step, TurnState, call_key, normal, under

GREP_LINES = 40
_GLOB = re.compile(r"\*{1,2}(?:/\*)?\.\w{1,8}")
_FILE_NAME = re.compile(r"[\w./-]*\w\.\w{1,5}")
_BARE = re.compile(r"[\w.-]+")
_SEARCHES = re.compile(
    r"(?i)\b(?:search|find|grep|look for|where|which files?|import(?:s|ed)?|use[sd]?|mention(?:s|ed)?)\b|搜索"
    r"|查找|找|哪里|哪些文件|引用|用到"
)
_AT_TOP = re.compile(r"(?i)\b(?:top|beginning|start|first line|head|prepend)\b|开头|顶部|最前|最上|第一行")
_AT_END = re.compile(r"(?i)\b(?:end|bottom|append|last line)\b|末尾|结尾|最后|最下")
_IS_THERE = re.compile(r"(?i)\b(?:is|are) there (?:a|an|any)\b|\bdo we have (?:a|an|any)\b|有没有|是否有")
_QUOTES = str.maketrans({"'": '"', "`": '"', "“": '"', "”": '"', "‘": '"', "’": '"'})


@dataclass(frozen=True, slots=True)
class Choice:
    """A call as it will be made."""

    tool: str
    args: dict[str, Any]


def chosen(raw: str, state: TurnState, workspace: str) -> Choice | None:
    """The call that the model chose, or None when it answered in words or in nothing that can be used."""
    choice = parse_choice(raw)
    if choice is None or choice[0] == ANSWER:
        return None
    tool, given = choice
    args = {k: v for k, v in given.items() if isinstance(v, str)}
    match tool:
        case "Edit":
            return _edit(args, state, workspace)
        case "Grep":
            return _search(args.get("pattern", ""), state.said)
        case "Glob":
            return Choice(tool, {"pattern": args.get("pattern", "").strip().lstrip("/") or "*"})
    return Choice(tool, args)


def _search(pattern: str, said: str) -> Choice:
    """A search for text, unless the pattern shows that a file was meant: its name, a glob, or whether there is one."""
    if _GLOB.fullmatch(pattern):
        return Choice("Glob", {"pattern": f"**/*.{pattern.rpartition('.')[2]}"})
    if _FILE_NAME.fullmatch(pattern) and pattern in said and not _SEARCHES.search(said):
        return Choice("Read", {"file_path": pattern})
    if _IS_THERE.search(said) and _BARE.fullmatch(pattern):
        return Choice("Glob", {"pattern": f"**/*{pattern}*"})
    return Choice("Grep", {"pattern": pattern, "output_mode": "content", "head_limit": GREP_LINES})


def _edit(args: dict[str, Any], state: TurnState, workspace: str) -> Choice:
    """An edit of a file that was not shown becomes a read of it; an edit whose old text is off by quotes or indentation is mended."""
    path = normal(args.get("file_path", ""), workspace)
    if path not in state.shown:
        return Choice("Read", {"file_path": args.get("file_path", "")})
    text = state.shown[path]
    old, new = args.get("old_string", ""), args.get("new_string", "")
    old, new = mended(text, old, new) if old else inserted(text, new, state.said)
    return Choice("Edit", {"file_path": args.get("file_path", ""), "old_string": old, "new_string": new})


def inserted(text: str, new: str, said: str) -> tuple[str, str]:
    """An edit without an old text is an insertion: at the end when the person says so, else at the top, beside a line that is unique."""
    lines = [line for line in text.splitlines() if line.strip() and text.count(line) == 1]
    if not lines or not new:
        return "", new
    if _AT_END.search(said):
        return lines[-1], f"{lines[-1]}\n{new.strip(chr(10))}"
    return (lines[0], f"{new.strip(chr(10))}\n{lines[0]}") if _AT_TOP.search(said) else ("", new)


def mended(text: str, old: str, new: str) -> tuple[str, str]:
    """`old` as it stands in `text` when it occurs there once but for the kind of quotes or the spaces around; else as given."""
    if not old or not text or text.count(old) == 1:
        return old, new
    plain = old.translate(_QUOTES)
    if text.translate(_QUOTES).count(plain) == 1:
        at = text.translate(_QUOTES).index(plain)
        real = text[at : at + len(old)]
        return real, _requoted(new, old, real)
    stripped = old.strip()
    if stripped and stripped != old and text.translate(_QUOTES).count(stripped.translate(_QUOTES)) == 1:
        return mended(text, stripped, new.strip())
    return old, new


def _requoted(new: str, old: str, real: str) -> str:
    """`new` with the file's quotes where the model wrote others."""
    changes: dict[str, str | int | None] = {o: r for o, r in zip(old, real, strict=True) if o != r}
    return new.translate(str.maketrans(changes)) if changes else new


def forbidden(choice: Choice, steps: Sequence[Step], workspace: str, memory_root: str, known: Sequence[KnownNote]) -> bool:
    """A call that was made in this turn already, a change of memory that was not asked for, an address or a note taken for a file."""
    key = call_key(choice.tool, choice.args, workspace)
    if any(call_key(s.call.name, s.call.input, workspace) == key for s in steps):
        return True
    path = str(choice.args.get("file_path", ""))
    if choice.tool == "Read" and ("://" in path or path.removesuffix(".md") in {n.name for n in known}):
        return True
    return choice.tool in ("Write", "Edit") and under(normal(path, workspace), memory_root)
