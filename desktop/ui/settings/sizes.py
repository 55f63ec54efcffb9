"""Bytes and seconds in the words of the window. Pure. GUI thread, since it translates."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def size_text(size: float) -> str:
    """Decimal units, as disks and downloads are sold: `491 MB`, `1.12 GB`."""
    if size >= 1_000_000_000:
        return f"{size / 1_000_000_000:.2f} GB"
    if size >= 1_000_000:
        return f"{size / 1_000_000:.0f} MB"
    return f"{size / 1_000:.0f} kB"


def seconds_text(seconds: float) -> str:
    """`42 s`, `3 min 20 s`, `1 h 5 min`."""
    whole = max(0, round(seconds))
    if whole < 60:
        return translate("Sizes", "{s} s").format(s=whole)
    if whole < 3_600:
        return translate("Sizes", "{m} min {s} s").format(m=whole // 60, s=whole % 60)
    return translate("Sizes", "{h} h {m} min").format(h=whole // 3_600, m=whole % 3_600 // 60)
