"""The specification of a tool as a model sees it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """Name, description and input of a tool; `parameters` is a JSON schema of type object."""

    name: str
    description: str
    parameters: dict[str, Any]
