"""Names and places: which spelling of a file name is safe below a root, and which folders may never be written by an agent.

Owns the normalising of names (memory design, PM-03), the two lists of protected names (C-26) and the checks of a relative name for one
platform. Pure; knows nothing of the file system: opening and writing below a folder is `desktop.base.beneath`, re-exported here.
Every doubt is a refusal, and the refusal says in one sentence what is wrong.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from desktop.base.beneath import (
    delete_beneath,
    exists_beneath,
    open_parent,
    read_beneath,
    rename_beneath,
    write_beneath,
)
from desktop.base.phrases import say

__all__ = [
    "DEFAULT_NAMES",
    "FIRST_COMPONENT_NAMES",
    "NO_NAMES",
    "PROTECTED_NAMES",
    "ProtectedNames",
    "component_problem",
    "delete_beneath",
    "exists_beneath",
    "is_protected",
    "normalise",
    "open_parent",
    "protected_problem",
    "read_beneath",
    "relative_problem",
    "rename_beneath",
    "write_beneath",
]

PROTECTED_NAMES: frozenset[str] = frozenset(
    (
        *(".git", ".husky", ".githooks", ".vscode", ".idea", ".claude", ".zcode", ".keepsake"),
        *(".cargo", ".devcontainer", ".yarn", ".mvn", "node_modules"),
        *("hooks", "skills", "commands", "agents"),
    )
)
"""Protected as any component below a memory root: folders from which other programs run or configure something."""

FIRST_COMPONENT_NAMES: frozenset[str] = frozenset(("head", "config", "objects", "refs"))
"""Protected only as the first component: together they make a folder look like a bare repository."""


@dataclass(frozen=True, slots=True)
class ProtectedNames:
    """The two lists of C-26, which the settings may change; in any case and spelling.

    Attributes:
        anywhere: protected as any component below a root.
        first: protected only directly below it.
    """

    anywhere: frozenset[str] = PROTECTED_NAMES
    first: frozenset[str] = FIRST_COMPONENT_NAMES

    @classmethod
    def of(cls, anywhere: Iterable[str], first: Iterable[str]) -> ProtectedNames:
        """From lists as a person writes them: blanks and case do not count, an empty word protects nothing."""
        return cls(_folded_names(anywhere), _folded_names(first))


def _folded_names(names: Iterable[str]) -> frozenset[str]:
    return frozenset(folded for name in names if (folded := normalise(name.strip().strip("/\\"))))


DEFAULT_NAMES = ProtectedNames()
NO_NAMES = ProtectedNames(frozenset(), frozenset())
"""For a check of shapes alone, where the protected names are looked at later."""

MAX_NAME_BYTES = 255
MAX_PATH_BYTES = 3_900
"""Room is left for the memory root's own path and the temporary name beside the file."""

_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_SHORT_NAME = re.compile(r"[^.~ ]{1,6}~[0-9]{1,6}(?:\.[^.]{0,3})?", re.IGNORECASE)
_HASHED_SHORT_NAME = re.compile(r"([^.~]{1,2})[0-9a-f]{4}~[0-9]{1,6}", re.IGNORECASE)
_SHORT_SIGNS = frozenset("+,;=[]")
"""Signs that a short name has an underscore for."""

_DEVICE = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])", re.IGNORECASE)
_WINDOWS_FORBIDDEN = re.compile(r'[<>:"|?*]')
_ENCODED = re.compile(r"%(?:25)*(?:2e|2f|5c|00)|%c0%[ab0-9][0-9a-f]|%c1%[0-9a-f]{2}|%e0%80%[0-9a-f]{2}|%u[0-9a-f]{4}", re.IGNORECASE)
"""Dots, separators and NUL as a web address writes them, also twice encoded, overlong, or in the old form with a u."""
_SEPARATORS = dict.fromkeys(map(ord, "\u2044\u2215\u2216\u29f5\u29f8\u29f9\u2571\u2572\u1735\u00a5\u20a9\ufe68\uff0f\uff3c"), "/")
"""Characters that look like a separator, or that an older program's character set turns into one."""

_DOTS = dict.fromkeys(
    map(ord, "\u3002\uff61\u06d4\u0701\u0702\ua4f8\ua60e\U00010a50\U0001d16d\u2024\uff0e\ufe52\u00b7\u2219\u22c5\u30fb\uff65"), "."
)
"""Characters that look like a dot; only names that consist of them, or that become a protected name by them, are refused."""

_JOINERS = "\u200c\u200d"
"""Zero-width (non-)joiners belong to ordinary words in Persian, Indic scripts and emoji; never right before the suffix."""


def normalise(component: str) -> str:
    """What file systems may take `component` for: ignorable characters removed, NFKC, case folded, stream and trailing dots cut."""
    text = _IGNORABLE.sub("", component)
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    text = _IGNORABLE.sub("", text).replace("i\u0307", "i").replace("\u0131", "i")
    return text.split(":", 1)[0].rstrip(". \t")


def _is_short_name_of_protected(name: str, names: frozenset[str]) -> bool:
    """Whether `name` may be the 8.3 short name that Windows gives to a protected folder, e.g. `GIT~1` or `GI7EBA~1`."""
    if not _SHORT_NAME.fullmatch(name):
        return False
    stem, _, number = name.split(".", 1)[0].partition("~")
    hashed = _HASHED_SHORT_NAME.fullmatch(name.split(".", 1)[0])
    for protected in names:
        plain = "".join("_" if c in _SHORT_SIGNS else c for c in protected if c not in ". ")
        if stem in (plain[:6], plain[: max(1, 7 - len(number))]):
            return True
        if hashed and plain.startswith(hashed.group(1)):
            return True
    return False


def _parts_as_read(name: str) -> list[str]:
    """The components that a program may see in one name which takes a look-alike or an encoding for a separator or a dot."""
    return re.split(r"[/\\]", name.translate(_SEPARATORS).translate(_DOTS))


def is_protected(component: str, *, first: bool = False, names: ProtectedNames = DEFAULT_NAMES) -> bool:
    """Whether `component` is, or may be read by some file system as, a protected name; `first`: it stands directly below the root."""
    for part in _parts_as_read(normalise(component)):
        part = part.rstrip(". \t")
        if part in names.anywhere or (first and part in names.first):
            return True
        if _is_short_name_of_protected(part, names.anywhere | names.first):
            return True
    return False


def _character_problem(component: str) -> str | None:
    """The first character that no name may hold, described."""
    for character in component:
        category = unicodedata.category(character)
        if character == "\x00":
            return say("it holds a NUL character")
        if category in ("Cc", "Zl", "Zp"):
            return say("it holds a control character or a line break")
        if category in ("Cs", "Co", "Cn"):
            return say("it holds a character that is not valid text")
        if category == "Cf" and character not in _JOINERS:
            return say("it holds the invisible character U+{character:04X}", character=ord(character))
    return None


def _disguise_problem(component: str) -> str | None:
    """Spellings that turn into dots or separators for a program that decodes or normalises."""
    if _ENCODED.search(component):
        return say("it holds an encoded dot, separator or NUL")
    parts = _parts_as_read(unicodedata.normalize("NFKC", _IGNORABLE.sub("", component)))
    if any(part.strip(". \t") == "" for part in parts):
        return say("it holds only dots and spaces, or a disguised parent reference")
    if component[-1] in ". ":
        return say("it ends with a dot or a space, which some systems drop")
    return None


def _windows_problem(component: str) -> str | None:
    if _WINDOWS_FORBIDDEN.search(component):
        return say('Windows allows none of < > : " | ? * in a name')
    stem = unicodedata.normalize("NFKC", component).split(".", 1)[0].rstrip(" ")
    if _DEVICE.fullmatch(component.split(".", 1)[0].rstrip(" ")) or _DEVICE.fullmatch(stem):
        return say("it is the name of a device on Windows")
    if _SHORT_NAME.fullmatch(component):
        return say("it has the form of a short (8.3) name, which may stand for another file")
    return None


_PROTECTED = say("it is a protected folder name, from which other programs run or configure something")


def component_problem(component: str, *, platform: str, first: bool = False, names: ProtectedNames = DEFAULT_NAMES) -> str | None:
    """What is wrong with one name below a root on `platform`, as the end of a sentence, or None if it is fine."""
    if component in ("", ".", ".."):
        return say("it is not a name")
    problem = _character_problem(component) or _disguise_problem(component)
    if problem:
        return problem
    if is_protected(component, first=first, names=names):
        return _PROTECTED
    if ":" in component:
        return say("it holds a colon, which names a hidden stream on Windows")
    size = len(component.encode("utf-8", "surrogateescape"))
    if size > MAX_NAME_BYTES:
        return say("it is longer than {size} bytes", size=MAX_NAME_BYTES)
    return _windows_problem(component) if platform == "win32" else None


def _sentence(part: str, problem: str) -> str:
    shown = part if len(part) <= 80 else part[:77] + "…"
    return say("The name “{shown}” cannot be used: {problem}.", shown=_shown(shown), problem=problem)


def protected_problem(parts: list[str], *, names: ProtectedNames = DEFAULT_NAMES) -> str | None:
    """The first protected name among the components of a path below a root, as a sentence, or None."""
    for index, part in enumerate(parts):
        if is_protected(part, first=index == 0, names=names):
            return _sentence(part, _PROTECTED)
    return None


def relative_problem(parts: list[str], *, platform: str, names: ProtectedNames = DEFAULT_NAMES) -> str | None:
    """The first thing wrong with the components of a path below a root, as a sentence, or None."""
    if not parts:
        return say("The path is the folder itself, not a file in it.")
    for index, part in enumerate(parts):
        problem = component_problem(part, platform=platform, first=index == 0, names=names)
        if problem:
            return _sentence(part, problem)
    if len("/".join(parts).encode("utf-8", "surrogateescape")) > MAX_PATH_BYTES:
        return say("The path is longer than {size} bytes.", size=MAX_PATH_BYTES)
    return None


def _shown(text: str) -> str:
    from desktop.base.redact import visible

    return visible(text)
