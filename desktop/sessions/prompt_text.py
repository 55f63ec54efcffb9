"""What a person really wrote in a prompt: wrappers, reminders and commands that tools put around it are left out. For titles.

Other tools store what they add to a prompt in the person's name: blocks in tags, notes after a compaction, lines of commands. Rules go by
kind: a block whose tag holds the prompt gives its inside, any other block of a machine's tag is dropped. Pure; never raises.
"""

from __future__ import annotations

import re

LOOKED_AT = 20_000
"""Characters of a prompt that are looked at; a title stands at its start."""
ROUNDS = 40
"""Blocks that are taken off one prompt."""

INSIDE = frozenset(
    [
        "task",
        "user_query",
        "user-query",
        "user_message",
        "user-message",
        "user_request",
        "user-request",
        "user_input",
        "user-input",
        "user_prompt",
        "userrequest",
        "userquery",
        "feedback",
        "prompt",
        "query",
        "request",
    ]
)
"""Tags that hold what the person wrote."""

MACHINE = frozenset(
    [
        "instructions",
        "context",
        "environment",
        "permissions",
        "reminder",
        "cwd",
        "date",
        "system",
        "notes",
        "metadata",
        "timestamp",
        "attachments",
        "attachment",
        "memory",
        "memories",
        "guidance",
        "skill",
        "skills",
        "collaboration",
        "image",
    ]
)
"""Tags of one word that hold what a tool added. Those of several words, `a_b` and `a-b`, do so unless they are in INSIDE."""

_OPEN = re.compile(r"<([A-Za-z][\w-]{0,60})(?:\s[^<>]{0,500})?>")
_JOINED = re.compile(r"[a-z]+(?:[A-Z][a-z]+)+")
"""A tag such as `reminderInstructions`: a machine's where something stands behind its block. Alone it may be what the person asks about."""
_FENCE = re.compile(r"(`{3,}|~{3,})[^\n]*(?:\n|\Z)")
_SPACE = re.compile(r"[\s\ufeff]*")
_LINES = re.compile(
    r"(?:Caveat: The messages below were generated"
    r"|This session is being continued from a previous conversation"
    r"|The user opened the file |The user selected the lines "
    r"|\[Request interrupted by user"
    r"|\[(?:SUGGESTION MODE|SYSTEM|System note|Pasted (?:text|image))\b"
    r"|# AGENTS\.md instructions for |# Context from my IDE setup"
    r"|Base directory for this skill:"
    r"|Unknown (?:skill|slash command): |\[message_id:[^\]]{0,200}\]\Z)"
)
_WHOLE = re.compile(
    r"(?:Caveat: The messages below were generated|This session is being continued from a previous conversation"
    r"|# AGENTS\.md instructions for|Base directory for this skill:|\[SUGGESTION MODE)"
)
"""How texts begin of which no line is the person's."""
_REQUEST = re.compile(r"^#+\s*My request\b[^\n]*:\s*$", re.MULTILINE | re.IGNORECASE)
"""Heading of an editor's extension above what the person wrote."""
_UNTRUSTED = re.compile(r"[A-Z][^\n(]{0,80}\(untrusted[^\n)]{0,80}\):[ \t]*\n+```[^\n]*\n.*?\n```[ \t]*(?:\n|\Z)", re.DOTALL)
"""What openclaw puts before a message that came in from a chat: who sent it, and where."""
_COMMAND = re.compile(r"/[A-Za-z][\w:.-]*(?:\s|$)")


def own_words(text: str) -> str:
    """The part of a prompt that the person wrote, from its first own line on; empty where there is none."""
    rest = text[:LOOKED_AT]
    for _ in range(ROUNDS):
        rest = rest[_end_of_space(rest) :]
        taken = _without_block(rest)
        if taken is None:
            break
        rest = taken
    asked = _REQUEST.search(rest)
    if asked is not None and rest[asked.end() :].strip():
        rest = rest[asked.end() :]
    return "" if _WHOLE.match(rest) else _from_own_line(rest)


def _end_of_space(text: str) -> int:
    found = _SPACE.match(text)
    return found.end() if found else 0


def _without_block(text: str) -> str | None:
    """`text` without the block at its start, or that block's inside; None where no block of a tool stands there."""
    untrusted = _UNTRUSTED.match(text)
    if untrusted is not None:
        return text[untrusted.end() :]
    opened = _OPEN.match(text)
    if opened is None:
        return None
    tag = opened.group(1)
    name = tag.casefold()
    joined = _JOINED.fullmatch(tag) is not None and bool(text.partition(f"</{tag}>")[2].strip())
    several = "_" in name or "-" in name or joined
    if not several and name not in INSIDE and name not in MACHINE:
        return None
    end = text.find(f"</{tag}>", opened.end())
    if name in INSIDE:
        inside = text[opened.end() : end if end >= 0 else len(text)]
        return inside if inside.strip() or end < 0 else text[end + len(tag) + 3 :]
    if end < 0:
        return "" if name in _KNOWN_OPEN else None
    return text[end + len(tag) + 3 :]


_KNOWN_OPEN = frozenset(
    [
        "system-reminder",
        "system_reminder",
        "command-name",
        "command-message",
        "command-args",
        "local-command-stdout",
        "local-command-stderr",
        "local-command-caveat",
        "environment_context",
        "environment_details",
        "user_instructions",
        "bash-input",
        "bash-stdout",
        "bash-stderr",
        "task-notification",
    ]
)
"""Tags whose block was cut before its end; any other tag that is never closed may be what the person wrote about."""


def _from_own_line(text: str) -> str:
    """From the first line on that is no note and no command of a tool."""
    at = 0
    for line in text.splitlines(keepends=True):
        words = line.strip()
        if words and not _LINES.match(words) and not _COMMAND.match(words):
            return _beside_code(text[at:])
        at += len(line)
    return ""


def _beside_code(text: str) -> str:
    """From a text that begins with a block of code what stands behind that, else the code itself: a fence says nothing."""
    opened = _FENCE.match(text)
    if opened is None:
        return text
    code, _, behind = text[opened.end() :].partition(f"\n{opened[1]}")
    return behind.lstrip("`~ \t\r\n") or code.lstrip() or text
