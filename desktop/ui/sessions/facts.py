"""What a session's row says in words: state, source, folder and branch, lengths, money, and the group that it stands in.

GUI thread, since it translates; the present time is passed in. Makes no widgets.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import PurePath

from PySide6.QtCore import QCoreApplication, QLocale

from desktop.sessions.summary import SessionSummary
from desktop.ui.markdown import shown
from desktop.ui.memory.age import full_time

translate = QCoreApplication.translate
OWN = "keepsake"
ELSEWHERE = ("keepsake-export", "keepsake-file")
"""Sources of our own sessions that are read where they lie: an export, and the transcript of another profile."""
SUB_AGENT = "sub-agent"
RUNNING, WAITING = "running", "waiting"
"""What the open session does now; the stored ones do not know it."""
HELD = "held"
"""Another window or process has the session open: what it does there is not known here."""

_NAMES = {
    OWN: "Keepsake",
    "claude-code": "Claude Code",
    "codex": "Codex",
    "opencode": "opencode",
    "zcode": "ZCode",
    "mimo": "MiMo Code",
    "gemini": "Gemini CLI",
    "qwen": "Qwen Code",
    "aider": "aider",
    "cline": "Cline",
    "copilot": "Copilot",
    "pi": "pi",
    "kimi": "Kimi",
    "grok": "Grok Build",
    "muse": "Muse Code",
    "vibe": "Mistral Vibe",
    "antigravity": "Antigravity",
    "specstory": "SpecStory",
}
_MEGA, _KILO = 1_000_000, 1_000
_RAW_ID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[a-z]{2,8}_(?=\w*\d)[0-9A-Za-z]{20,}")
_MARKUP = re.compile(r"```\w*|\*\*|__(?=\S)|(?<=\S)__|`|(?:(?<=\s)|^)#{1,6}(?=\s)|!?\[([^\[\]]*)\]\([^()\s]*\)")
"""What marks Markdown up; of a link its words stay."""


def source_name(source: str) -> str:
    """The tool that held a session, as it writes its own name."""
    if source in ELSEWHERE:
        return translate("SessionFacts", "Keepsake file")
    return _NAMES.get(source) or shown(source.replace("-", " ").replace("_", " "))[:40] or translate("SessionFacts", "another tool")


def is_untitled(session: SessionSummary) -> bool:
    """Nothing in the session gives it a title: the store's stand-in is an id, which means nothing to a person."""
    return session.title in (session.id, session.path.stem) or _RAW_ID.fullmatch(session.title) is not None


def title_text(session: SessionSummary) -> str:
    """What a session is called wherever it is shown."""
    return translate("SessionFacts", "Untitled session") if is_untitled(session) else shown(session.title)


def preview_text(session: SessionSummary) -> str:
    """Its newest text without the marks of Markdown, which are noise on one line; nothing where it only repeats the title."""
    words = _MARKUP.sub(lambda found: found[1] or "", session.preview)
    return " ".join(words.split()) if session.preview != session.title else ""


def state_text(state: str) -> str:
    """What is worth saying of a session's state; a session that ended as it should says nothing."""
    words = {
        "interrupted": translate("SessionState", "stopped"),
        "failed": translate("SessionState", "failed"),
        "damaged": translate("SessionState", "damaged"),
        RUNNING: translate("SessionState", "running"),
        WAITING: translate("SessionState", "needs answer"),
        HELD: translate("SessionState", "open elsewhere"),
    }
    return words.get(state, "")


def count_text(count: int) -> str:
    """A number as short as it can be said: 940, 12.3k, 1.2M."""
    if count < _KILO:
        return str(count)
    for limit, unit, mark in ((_MEGA, _KILO, "k"), (1_000 * _MEGA, _MEGA, "M")):
        if count < limit - unit // 20:
            value = count / unit
            return f"{value:.0f}{mark}" if value >= 99.95 else f"{value:.1f}".removesuffix(".0") + mark
    return f"{count / _MEGA:.0f}M"


def size_text(size: int) -> str:
    """Bytes in the window's language."""
    return QLocale().formattedDataSize(size, 1, QLocale.DataSizeFormat.DataSizeTraditionalFormat)


def cost_text(cost: float | None) -> str:
    """US dollars; nothing for what cost nothing or has no known price."""
    if cost is None or cost <= 0:
        return ""
    return "< $0.01" if cost < 0.005 else f"${cost:,.2f}"


def messages_text(count: int) -> str:
    if not count:
        return ""
    text = translate("SessionsModel", "1 message") if count == 1 else translate("SessionsModel", "{n} messages")
    return text.format(n=f"{count:,}")


def count_of(session: SessionSummary) -> str:
    """How many messages it has, or that nobody counted them: a file that is too large to be read for the list."""
    return messages_text(session.messages) if session.counted else translate("SessionFacts", "messages not counted")


def tokens_text(count: int) -> str:
    return translate("SessionFacts", "{n} tokens").format(n=count_text(count)) if count else ""


def sub_agents_text(count: int) -> str:
    if not count:
        return ""
    text = translate("SessionFacts", "1 sub-agent") if count == 1 else translate("SessionFacts", "{n} sub-agents")
    return text.format(n=f"{count:,}")


def place_text(session: SessionSummary, *, here: bool = False) -> str:
    """Folder and git branch; `here`: the folder is the opened one and needs no name."""
    name = "" if here else PurePath(session.workspace).name
    if not session.branch:
        return name
    return f"{name} ({session.branch})" if name else translate("SessionFacts", "branch {branch}").format(branch=session.branch)


def facts_of(session: SessionSummary, state: str = "", *, here: bool = False, sub_agents: int = 0) -> str:
    """The facts on one line, what matters most first: it must be seen in a narrow list.

    Args:
        state: stands for the stored one.
        here: it is of the opened folder, which is not named then.
        sub_agents: how many sessions were held on its behalf.
    """
    parts = (
        state_text(state or session.state),
        translate("SessionFacts", "archived") if session.archived else "",
        translate("SessionFacts", "sub-agent") if session.kind == SUB_AGENT else "",
        sub_agents_text(sub_agents),
        "" if here else place_text(session),
        session.model.partition(":")[2] or session.model,
        count_of(session),
        tokens_text(session.tokens),
        cost_text(session.cost_usd),
        size_text(session.size) if session.size else "",
        place_text(session, here=True) if here else "",  # of the opened folder: on most rows the same word
    )
    return shown(" · ".join(part for part in parts if part))


def tip_of(session: SessionSummary, state: str = "") -> str:
    """Everything that is known, one fact a line, for a tool tip; plain text."""
    damaged = translate("SessionFacts", "Places that cannot be read: {n}").format(n=session.damaged) if session.damaged else ""
    started, updated = full_time(session.started), full_time(session.updated)
    lines = (
        title_text(session),
        session.preview,
        "",
        translate("SessionFacts", "Source: {name}").format(name=source_name(session.source)),
        translate("SessionFacts", "Folder: {path}").format(path=session.workspace) if session.workspace else "",
        translate("SessionFacts", "Git branch: {branch}").format(branch=session.branch) if session.branch else "",
        translate("SessionFacts", "Started {started}, last message {updated}").format(started=started, updated=updated),
        " · ".join(one for one in (session.model, count_of(session), tokens_text(session.tokens)) if one),
        " · ".join(one for one in (cost_text(session.cost_usd), size_text(session.size) if session.size else "") if one),
        state_text(state or session.state),
        damaged,
        session.id,
    )
    return shown("\n".join(one for number, one in enumerate(lines) if one or number == 2))


# --- groups -------------------------------------------------------------------------------------------------------------


class Days:
    """The groups by day as the machine's calendar has them at one moment: today, yesterday, last 7 days, last 31 days, older."""

    def __init__(self, now: datetime) -> None:
        today = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
        starts = (self._day(today, back) for back in (0, 1, 6, 30))
        self._starts = [start.timestamp() for start in starts]
        self._names = (
            translate("SessionGroups", "today"),
            translate("SessionGroups", "yesterday"),
            translate("SessionGroups", "last 7 days"),
            translate("SessionGroups", "last 31 days"),
            translate("SessionGroups", "older"),
        )

    @staticmethod
    def _day(today: datetime, back: int) -> datetime:
        """The start of the day so many days ago, by the calendar: a day of a changed clock has 23 or 25 hours."""
        day = today.replace(tzinfo=None) - timedelta(days=back)
        return day.astimezone()

    def group_of(self, moment: datetime) -> str:
        """A time ahead of the clock counts as today."""
        seconds = moment.timestamp()
        for name, start in zip(self._names, self._starts, strict=False):
            if seconds >= start:
                return name
        return self._names[-1]


def day_group(moment: datetime, now: datetime) -> str:
    """today, yesterday, last 7 days, last 31 days, older, by the machine's calendar."""
    return Days(now).group_of(moment)
