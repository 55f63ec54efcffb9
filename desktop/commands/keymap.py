"""Key bindings: the defaults of the commands, and the person's `keybindings.json` in VS Code's shape over them. Pure; reads no file.

Keys are written as VS Code writes them (`ctrl+shift+p`, chords with a blank: `ctrl+k ctrl+s`); `ctrl` in a default means Cmd on macOS.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from desktop.base.phrases import say
from desktop.commands.context import WhenError, holds

_MODIFIERS = ("ctrl", "shift", "alt", "meta", "cmd", "win")
_ORDER = ("ctrl", "shift", "alt", "meta")
_NAMES = {
    "escape": "Esc", "esc": "Esc", "enter": "Return", "return": "Return", "tab": "Tab", "space": "Space", "backspace": "Backspace",
    "delete": "Del", "insert": "Ins", "home": "Home", "end": "End", "pageup": "PgUp", "pagedown": "PgDown", "up": "Up", "down": "Down",
    "left": "Left", "right": "Right", "plus": "+", "comma": ",", "period": ".", "minus": "-", "equal": "=", "backslash": "\\",
    "backquote": "`", "slash": "/", "semicolon": ";", "quote": "'", "bracketleft": "[", "bracketright": "]",
}  # fmt: skip
_TRAILING = re.compile(r",(\s*[\]}])")


@dataclass(frozen=True, slots=True)
class Binding:
    """A key for a command. `command` that starts with `-` takes the key away from it."""

    key: str
    command: str
    when: str = ""


@dataclass(frozen=True, slots=True)
class Keymap:
    """What a file gave: bindings in their order, and what could not be used, each with its reason."""

    bindings: tuple[Binding, ...] = ()
    problems: tuple[str, ...] = ()


@lru_cache(maxsize=1_024)
def normal_key(key: str, platform: str = "linux") -> str:
    """One spelling for each key: lower case, modifiers in order, `cmd` folded into what Qt calls Ctrl on macOS.

    Raises:
        ValueError: not a key.
    """
    return " ".join(_normal_stroke(stroke, platform) for stroke in key.lower().split()) or _bad(key)


def _bad(key: str) -> str:
    raise ValueError(say("“{key}” is not a key.", key=key))


def _normal_stroke(stroke: str, platform: str) -> str:
    parts = ["plus"] if stroke == "+" else stroke.replace("++", "+plus").split("+")
    base = parts[-1]
    given = set(parts[:-1])
    if not base or base in _MODIFIERS or not given <= set(_MODIFIERS):
        _bad(stroke)
    if not (len(base) == 1 or base in _NAMES or re.fullmatch(r"f([1-9]|1[0-9])", base)):
        _bad(stroke)
    if platform == "darwin":
        held = {"ctrl" if name == "cmd" else "meta" if name == "ctrl" else name for name in given}
    else:
        held = {"meta" if name in ("cmd", "win") else name for name in given}
    return "+".join([*(name for name in _ORDER if name in held), base])


def qt_key(key: str) -> str:
    """The portable text of a QKeySequence for a normal key (`ctrl+k ctrl+s` → `Ctrl+K, Ctrl+S`)."""
    strokes = []
    for stroke in key.split():
        *held, base = stroke.split("+")
        named = _NAMES.get(base) or (base.upper() if len(base) == 1 or base.startswith("f") else base.capitalize())
        strokes.append("+".join([*(name.capitalize() for name in held), named]))
    return ", ".join(strokes)


def parse_keybindings(text: str, platform: str = "linux") -> Keymap:
    """Read the text of a `keybindings.json`. Comments and trailing commas are allowed. Never raises: what is wrong is a problem."""
    if not text.strip():
        return Keymap()
    try:
        data = json.loads(_TRAILING.sub(r"\1", _without_comments(text)))
    except ValueError as error:
        return Keymap(problems=(say("keybindings.json is not valid JSON ({error}); the default keys are in force.", error=error),))
    if not isinstance(data, list):
        return Keymap(problems=(say("keybindings.json must hold a list of objects with “key” and “command”."),))
    bindings: list[Binding] = []
    problems: list[str] = []
    for number, entry in enumerate(data, 1):
        try:
            bindings.append(_binding(entry, platform))
        except (ValueError, WhenError) as error:
            problems.append(say("keybindings.json, entry {number}: {error}", number=number, error=error))
    return Keymap(tuple(bindings), tuple(problems))


def _binding(entry: object, platform: str) -> Binding:
    if not isinstance(entry, dict) or not isinstance(entry.get("key"), str) or not isinstance(entry.get("command"), str):
        raise ValueError(say("it needs “key” and “command”, both as text."))
    when = entry.get("when", "")
    if not isinstance(when, str):
        raise ValueError(say("“when” must be text."))
    holds(when, {})
    return Binding(normal_key(entry["key"], platform), entry["command"], when)


def _without_comments(text: str) -> str:
    """JSON with `//` and `/* */` outside strings taken out."""
    return re.sub(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*[\s\S]*?\*/', lambda found: found[1] or " ", text)


def merge(defaults: Iterable[Binding], own: Iterable[Binding]) -> tuple[Binding, ...]:
    """The bindings in force, strongest first: the person's win, the later of them over the earlier; `-command` removes defaults."""
    kept = list(defaults)
    added: list[Binding] = []
    for binding in own:
        if binding.command.startswith("-"):
            name = binding.command[1:]
            kept = [one for one in kept if (one.command, one.key) != (name, binding.key)]
            added = [one for one in added if (one.command, one.key) != (name, binding.key)]
        else:
            added.insert(0, binding)
    return (*added, *kept)
