"""The presets of memory: bundles of settings under which memory behaves like the system that they are named after (memory design, 6.5).

A bundle stands between the defaults and the person's own file: what the person set beats it, and a workspace's file can only tighten what
comes out. Data only; `store` lays the layers over one another. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

PRESET = "memory.preset"
"""The setting that chooses the bundle. No bundle may hold it."""

ZCODE: Mapping[str, Any] = MappingProxyType(
    {
        "memory.identity": "workspace",
        "memory.layout": "project",
        "memory.index_channel": "user",
        "memory.refresh": "session",
        "memory.index_cut": "head",
        "memory.index_step": "two-steps",
        "memory.tools": False,
        "memory.recall": "off",
        "memory.extraction": "auto",
        "memory.extractor_bash": "read-only",
        "memory.extractor_reads": "anywhere",
        "memory.extraction_after_write": "skip",
        "memory.extraction_short": "advance",
    }
)
CLAUDE: Mapping[str, Any] = MappingProxyType(
    {
        "memory.identity": "git-root",
        "memory.layout": "project",
        "memory.index_channel": "system",
        "memory.refresh": "compaction",
        "memory.index_cut": "head",
        "memory.index_step": "two-steps",
        "memory.tools": False,
        "memory.recall": "model",
        "memory.recall_first": 0,
        "memory.extraction": "auto",
        "memory.extractor_bash": "none",
    }
)
MINI: Mapping[str, Any] = MappingProxyType(
    {
        "memory.identity": "workspace",
        "memory.layout": "single",
        "memory.index_channel": "system",
        "memory.refresh": "turn",
        "memory.recall": "off",
        "memory.tools": False,
        "memory.extraction": "off",
    }
)
BUNDLES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {"default": MappingProxyType({}), "zcode": ZCODE, "claude": CLAUDE, "mini": MINI}
)
"""By the value of `memory.preset`; the default bundle is empty: the defaults of the schema are Keepsake's own way."""
