"""Strict reading of a call's arguments. Every refusal names the argument, the form it must have and what was given. Pure.

A JSON null for an optional argument counts as absent, and a float without a fraction as a whole number: models write both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from desktop.base.errors import ToolError
from desktop.messages.tools import ToolSpec


def _shown(value: object) -> str:
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 80 else f"{text[:80]}…"


class Arguments:
    """The arguments of one call of the tool that `spec` describes.

    Raises:
        ToolError: an unknown name, or a required one is missing; the methods: a value of the wrong form.
    """

    def __init__(self, spec: ToolSpec, values: Mapping[str, Any]) -> None:
        self._tool = spec.name
        self._values = {name: value for name, value in values.items() if value is not None}
        known = spec.parameters["properties"]
        unknown = [name for name in values if name not in known]
        if unknown:
            raise self.wrong(unknown[0], f"is not an argument of this tool; it takes {', '.join(f'`{n}`' for n in known)}")
        missing = [name for name in spec.parameters.get("required", ()) if name not in self._values]
        if missing:
            raise self.wrong(missing[0], f"is required: {known[missing[0]]['description']}")

    def wrong(self, name: str, problem: str) -> ToolError:
        return ToolError(f"{self._tool}: `{name}` {problem.rstrip('.')}.")

    def has(self, name: str) -> bool:
        return name in self._values

    def text(self, name: str, *, empty: bool = False, longest: int | None = None) -> str:
        """A string. `longest` in characters."""
        value = self._values.get(name, "")
        if not isinstance(value, str):
            raise self.wrong(name, f"must be a text, but is {_shown(value)}")
        if not value.strip() and not empty:
            raise self.wrong(name, "must not be empty")
        if longest is not None and len(value) > longest:
            raise self.wrong(name, f"may have at most {longest:,} characters, but has {len(value):,}")
        return value

    def texts(self, name: str, *, least: int, most: int, longest: int | None = None) -> list[str]:
        """A list of texts that are not empty; one text alone counts as a list of one. `longest` in characters, of each."""
        value = self._values.get(name, [])
        listed = [value] if isinstance(value, str) else value
        if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
            raise self.wrong(name, f"must be a list of texts, but is {_shown(value)}")
        kept = [one for one in listed if one.strip()]
        if not least <= len(kept) <= most:
            raise self.wrong(name, f"must hold {least} to {most} texts that are not empty, but holds {len(kept)}")
        if longest is not None and any(len(one) > longest for one in kept):
            raise self.wrong(name, f"may have at most {longest:,} characters in each text")
        return kept

    def integer(self, name: str, default: int, *, least: int, most: int) -> int:
        value = self._values.get(name, default)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.wrong(name, f"must be a whole number, but is {_shown(value)}")
        if not least <= value <= most:
            raise self.wrong(name, f"must lie between {least:,} and {most:,}, but is {_shown(value)}")
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        value = self._values.get(name, default)
        if not isinstance(value, bool):
            raise self.wrong(name, f"must be true or false, but is {_shown(value)}")
        return value

    def choice(self, name: str, choices: tuple[str, ...], default: str) -> str:
        value = self._values.get(name, default)
        if value not in choices:
            raise self.wrong(name, f"must be one of {', '.join(choices)}, but is {_shown(value)}")
        return str(value)


def schema(required: tuple[str, ...], **properties: dict[str, Any]) -> dict[str, Any]:
    """The JSON schema of a tool's input. Names with a leading `-` are passed as `dash_i` and so on."""
    named = {f"-{name[5:]}" if name.startswith("dash_") else name: value for name, value in properties.items()}
    return {"type": "object", "properties": named, "required": list(required), "additionalProperties": False}


def string(description: str, *choices: str) -> dict[str, Any]:
    value: dict[str, Any] = {"type": "string", "description": description}
    return value | {"enum": list(choices)} if choices else value


def strings(description: str, *, most: int) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": most, "description": description}


def integer(description: str, *, least: int = 1) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "description": description}


def boolean(description: str) -> dict[str, Any]:
    return {"type": "boolean", "description": description}
