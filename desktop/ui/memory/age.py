"""How old something is, in the words of the window's language. Pure; the present time is passed in. GUI thread, since it translates."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

translate = QCoreApplication.translate
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400


def short_age(moment: datetime, now: datetime) -> str:
    """One short unit for the edge of a row: `now`, `5 min`, `3 h`, `2 d`, `6 wk`, `4 mo`, `2 yr`.

    A time ahead of the clock counts as now.
    """
    seconds = max(0.0, (now - moment).total_seconds())
    if seconds < _MINUTE:
        return translate("Age", "now")
    if seconds < _HOUR:
        return translate("Age", "{n} min").format(n=int(seconds // _MINUTE))
    if seconds < _DAY:
        return translate("Age", "{n} h").format(n=int(seconds // _HOUR))
    days = int(seconds // _DAY)
    if days < 14:
        return translate("Age", "{n} d").format(n=days)
    if days < 61:
        return translate("Age", "{n} wk").format(n=days // 7)
    if days < 730:
        return translate("Age", "{n} mo").format(n=days // 30)
    return translate("Age", "{n} yr").format(n=days // 365)


def full_time(moment: datetime) -> str:
    """Date and time in the machine's zone and the window's language."""
    local = QDateTime.fromSecsSinceEpoch(int(moment.timestamp()))
    return QLocale().toString(local, QLocale.FormatType.ShortFormat)
