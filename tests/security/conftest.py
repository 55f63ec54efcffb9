"""The bench of the tools' tests, for calls from the outside."""

from __future__ import annotations

from tests.unit.tools.conftest import bench

__all__ = ["bench"]
