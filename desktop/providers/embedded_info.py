"""What the app must know of the embedded model before anybody talks to it: its name, its window and how a prompt is divided.

Light on purpose: every window that opens asks for it, and the patterns and guards of the model itself, 4 to 10 MiB and a third of a second,
stay out until the model is made. Looks at names, sizes and stamps of files only; any thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from desktop.base.paths import AppPaths
from desktop.providers.base import ModelInfo
from desktop.providers.catalogue import find_file

MODEL_ID = "embedded"
WINDOW = 8_192
ANSWER_TOKENS = 900


@dataclass(frozen=True, slots=True)
class Room:
    """How many tokens each part of a prompt may take: earlier turns, the person's words, the newest two results, older ones."""

    history: int
    message: int
    result: int
    old_result: int


ROOMS = (Room(1_200, 2_400, 1_400, 300), Room(0, 2_000, 1_200, 150), Room(0, 1_200, 700, 60), Room(0, 700, 350, 30))
"""Tried in this order until the prompt fits."""


def embedded_info(paths: AppPaths, environ: Mapping[str, str]) -> ModelInfo | None:
    """What the app must know of the best installed embedded model, or None when there is none."""
    found = find_file(paths, environ)
    if found is None:
        return None
    return ModelInfo(
        MODEL_ID, found.label, "embedded", WINDOW, max_output_tokens=ANSWER_TOKENS, small=True, history_tokens=ROOMS[0].history
    )
