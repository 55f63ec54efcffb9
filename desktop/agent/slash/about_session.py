"""`/context`, `/status` and `/help`: what a chat is made of and how it stands. Read only; no model is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.agent.slash.about_memory import mode_name
from desktop.agent.slash.markup import because, blocks, bullets, code, followed, joined, markup, plain, stacked, table
from desktop.agent.slash.result import CommandResult, as_words
from desktop.base.phrases import listed, say, together
from desktop.messages.usage import Usage

if TYPE_CHECKING:
    from desktop.agent.jobs.report import Report
    from desktop.agent.load_report import LoadReport, SlotItem, SlotReport
    from desktop.agent.session import AgentSession

NAMED = 8
"""Names of what was left out that are listed; the others are counted."""


# --- /context -----------------------------------------------------------------------------------------------------------


def context(report: LoadReport, *, asked: bool) -> CommandResult:
    """The load report as a table; `asked`: it is that of a request that was sent."""
    rows = [_slot_row(slot) for slot in report.slots]
    rows.append(("", say("Chat"), _number(report.history_tokens), ""))
    rows.append(("", say("**All of it**"), _number(report.total), _number(report.memory_tokens)))
    head = (say("Slot"), say("What stands there"), say("Tokens"), say("Memory"))
    details = [_slot_items(slot) for slot in report.slots if slot.items]
    first = say("The newest request.") if asked else say("What the next request would begin with.")
    text = blocks(together(first, _window(report)), table(head, rows, "llrr"), *details)
    return CommandResult("/context", say("Context"), text, as_words(report.to_json()))


def _window(report: LoadReport) -> str:
    if report.window <= 0:
        return say("About {total:,} tokens.", total=report.total)
    percent = min(100, round(100 * report.total / report.window))
    return say(
        "About {total:,} tokens, {percent}\u00a0% of the model's window of {window:,}.",
        total=report.total,
        percent=percent,
        window=report.window,
    )


def _number(count: int) -> str:
    return f"{count:,}" if count else "–"


def _slot_row(slot: SlotReport) -> tuple[str, str, str, str]:
    return (slot.slot, plain(slot.title), _number(slot.tokens), _number(slot.memory_tokens))


def _slot_items(slot: SlotReport) -> str:
    """What stands in a slot: tools and the like in one line, each file that is not there as it should be with its reason."""
    short = [item for item in slot.items if not item.path and item.state == "loaded" and not item.reason]
    lines = [_item(item) for item in slot.items if item not in short]
    one_line = listed(_short(item) for item in short)
    return joined(
        (
            markup("**{slot} · {title}**", slot=slot.slot, title=plain(slot.title)),
            "",
            bullets([one for one in (one_line, *lines) if one]),
        )
    )


def _short(item: SlotItem) -> str:
    return markup("{name} {tokens}", name=plain(item.name), tokens=f"{item.tokens:,}")


def _item(item: SlotItem) -> str:
    line = listed((plain(item.name), say("{tokens:,} tokens", tokens=item.tokens) if item.tokens else ""))
    state = _state(item)
    return joined((line, state), " – ") if state else line


def _state(item: SlotItem) -> str:
    names = {"cut": say("only a part"), "left-out": say("left out"), "error": say("unreadable")}
    said = names.get(item.state)
    text = because(said or "", plain(item.reason))
    if not item.dropped:
        return text
    shown = listed(plain(name) for name in item.dropped[:NAMED])
    more = len(item.dropped) - NAMED
    left = say("Left out: {names}.", names=shown) if more <= 0 else say("Left out: {names} and {count} more.", names=shown, count=more)
    return followed(text, left)


# --- /status ------------------------------------------------------------------------------------------------------------


def status(session: AgentSession, _behind: str) -> CommandResult:
    """How this chat stands. Blocking (it reads the project's file)."""
    state, settings = session.memory_state(), session.services.settings
    used = usage_of(session)
    data: dict[str, Any] = {
        "session": session.id if session.handle.stored else "",
        "incognito": session.incognito,
        "workspace": str(session.workspace),
        "model": session.model.info.id,
        "mode": session.mode,
        "memory": {"enabled": state.enabled, "write": state.write, "reason": str(state.reason or state.write_reason)},
        "preset": settings.value("memory.preset"),
        "recall": settings.value("memory.recall"),
        "extraction": state.extraction,
        "last_extraction": session.report.to_json() if session.report is not None else None,
        "messages": len(session.messages),
        "usage": used.to_json(),
    }
    rows = [(head, value) for head, value in _status_rows(session, data, used) if value]
    text = stacked(*(markup("**{head}** – {value}", head=head, value=value) for head, value in rows))
    return CommandResult("/status", say("Status"), text, as_words(data))


def usage_of(session: AgentSession) -> Usage:
    """What the answers of this chat cost so far."""
    total = Usage()
    for message in list(session.messages):
        if message.usage is not None:
            total += message.usage
    return total


def _status_rows(session: AgentSession, data: dict[str, Any], used: Usage) -> list[tuple[str, str]]:
    memory = session.memory_state()
    return [
        (say("Chat"), _chat(session)),
        (say("Folder"), code(str(session.workspace))),
        (say("Model"), plain(session.model.info.label or session.model.info.id) or say("none")),
        (say("Mode"), _mode(session.mode)),
        (say("Memory"), _memory(memory.enabled, memory.write, memory.reason or memory.write_reason, session)),
        (say("Preset"), plain(str(data["preset"]))),
        (say("Recall"), mode_name(str(data["recall"])) if memory.enabled else say("off")),
        (say("Extraction"), mode_name(memory.extraction)),
        (say("Last extraction"), extraction_text(session.report)),
        (say("Used so far"), _cost(used, len(session.messages))),
    ]


def _chat(session: AgentSession) -> str:
    if session.incognito:
        return say("incognito: nothing of it is kept")
    if not session.handle.stored:
        return say("new, and not stored yet")
    return joined((plain(session.handle.title), code(session.id)), " ")


def _mode(mode: str) -> str:
    return {"default": say("asks first"), "accept-edits": say("edits inside the folder without asking"), "plan": say("reads only")}.get(
        mode, mode
    )


def _memory(enabled: bool, write: bool, reason: str, session: AgentSession) -> str:
    if enabled and write:
        return say("on")
    if session.incognito:
        return say("read, never written") if enabled else say("off")
    return because(say("off") if not enabled else say("read, not written"), plain(reason))


def extraction_text(report: Report | None) -> str:
    """What the last extraction did, in one line."""
    if report is None:
        return say("none in this chat yet")
    outcome = {
        "success": say("something was written"),
        "no-op": say("there was nothing to keep"),
        "error": say("it failed"),
        "aborted": say("it was broken off"),
    }.get(report.outcome or "", say("it was not needed") if report.decision == "skip" else say("off"))
    parts = [because(outcome, listed(code(path) for path in report.written))]
    if report.proposed:
        parts.append(say("{count} waiting for your review", count=len(report.proposed)))
    if report.usage is not None and report.usage.total_tokens:
        parts.append(say("{tokens:,} tokens", tokens=report.usage.total_tokens))
    return listed(parts)


def _cost(used: Usage, messages: int) -> str:
    parts = [say("{count:,} messages", count=messages)]
    if used.total_tokens:
        parts.append(say("{tokens:,} tokens in, {out:,} out", tokens=used.input_tokens, out=used.output_tokens))
        parts.append(say("price unknown") if used.cost_usd is None else say("{cost:.4f} US dollars", cost=used.cost_usd))
    return listed(parts)


# --- /help --------------------------------------------------------------------------------------------------------------


def help_command(_session: AgentSession, _behind: str) -> CommandResult:
    """The commands with what each does."""
    from desktop.agent.slash.commands import COMMANDS

    lines = [markup("{typed} – {summary}", typed=_typed(command.typed, command.arguments), summary=command.summary) for command in COMMANDS]
    names = [{"name": one.typed, "arguments": str(one.arguments), "summary": str(one.summary)} for one in COMMANDS]
    return CommandResult("/help", say("Commands"), stacked(*lines), {"commands": names})


def _typed(typed: str, arguments: str) -> str:
    """The command as it is typed. What stands behind it is said in the window's language, so it stands outside the code."""
    return joined((code(typed), markup("*{text}*", text=plain(arguments)) if arguments else ""), " ")
