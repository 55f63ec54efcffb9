"""Sentences for people that the core makes: English text that remembers the literal it was made from, so that a window can translate it.

The literal is the stable code of the sentence, as it is for Qt's own `tr`; `packaging/translations.py` collects it from every `say("…")`.
Nothing here knows a language but English. Pure, any thread.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Mapping
from typing import Any

PART = "part"
SENTENCES, LIST = " ", ", "
"""What `together` and `listed` put between their texts, whose names begin with `PART`."""
_PLAIN = (str, int, float)


class Phrase(str):
    """A text with the template and the values that made it. Wherever a string is taken, it is one.

    Attributes:
        template: the literal, with `{name}` for each value.
        values: what fills it; a value may be a Phrase itself.
    """

    template: str
    values: Mapping[str, Any]

    def __new__(cls, text: str, template: str = "", values: Mapping[str, Any] | None = None) -> Phrase:
        made = super().__new__(cls, text)
        made.template = template or text
        made.values = dict(values or {})
        return made


def say(template: str, /, **values: object) -> Phrase:
    """A sentence for people. `template` is a literal in the code; values that are no text or number are taken as their text."""
    held = {name: _value(value) for name, value in values.items()}
    return Phrase(template.format(**held) if held else template, template, held)


def _value(value: object) -> Any:
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, Exception) and value.args and isinstance(value.args[0], Phrase):
        return value.args[0]
    return str(value)


def together(*texts: str) -> Phrase:
    """Sentences one after the other; empty ones are left out."""
    return _joined(SENTENCES, texts)


def listed(texts: Iterable[str]) -> Phrase:
    """Names or kinds with commas between them."""
    return _joined(LIST, texts)


def _joined(between: str, texts: Iterable[str]) -> Phrase:
    held = {f"{PART}{number}": text for number, text in enumerate(text for text in texts if text)}
    template = between.join(f"{{{name}}}" for name in held)
    return Phrase(template.format(**held), template, held)


def phrase_to_json(text: str) -> dict[str, Any] | None:
    """What a transcript keeps of a phrase: `{"template", "values"}`, values as text, number or a phrase in the same form."""
    if not isinstance(text, Phrase):
        return None
    values = {name: phrase_to_json(value) or value if isinstance(value, str) else value for name, value in text.values.items()}
    return {"template": text.template, "values": values}


def phrase_from_json(value: object) -> Phrase | None:
    """The phrase behind `phrase_to_json`, or None for anything else. Never raises."""
    template, given = (value.get("template"), value.get("values")) if isinstance(value, dict) else (None, None)
    if not isinstance(template, str) or not isinstance(given, dict):
        return None
    values = {str(name): phrase_from_json(one) or one for name, one in given.items()}
    try:
        return Phrase(template.format(**values) if values else template, template, values)
    except (KeyError, IndexError, ValueError, AttributeError, TypeError):
        return None


_SYSTEM = {
    errno.EACCES: say("Permission denied"),
    errno.EPERM: say("Operation not permitted"),
    errno.ENOENT: say("No such file or directory"),
    errno.ENOSPC: say("No space left on device"),
    errno.EDQUOT: say("Disk quota exceeded"),
    errno.EROFS: say("Read-only file system"),
    errno.EISDIR: say("Is a directory"),
    errno.ENOTDIR: say("Not a directory"),
    errno.EEXIST: say("File exists"),
    errno.ENOTEMPTY: say("Directory not empty"),
    errno.ELOOP: say("Too many levels of symbolic links"),
    errno.ENAMETOOLONG: say("File name too long"),
    errno.EMFILE: say("Too many open files"),
    errno.EIO: say("Input/output error"),
    errno.EFBIG: say("File too large"),
    errno.EXDEV: say("Invalid cross-device link"),
    errno.ENOEXEC: say("Exec format error"),
}


def os_reason(error: OSError) -> str:
    """What the system says of an error; the usual reasons can be translated."""
    reason = error.strerror or (error.args[0] if error.args else "")
    number = error.errno
    if isinstance(reason, Phrase) or number is None or reason != os.strerror(number):
        return reason if isinstance(reason, str) and reason else str(error)
    return _SYSTEM.get(number, reason)
