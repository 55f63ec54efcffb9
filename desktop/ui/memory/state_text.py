"""The verdict of the memory switches in the window's words: which switch it is, what it means, how it is changed. Pure. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop.bridge.spoken import spoken
from desktop.memory.switches import MemoryState

translate = QCoreApplication.translate


def off_text(state: MemoryState) -> str:
    """Why memory is off, and how to turn it on."""
    if state.switch == "environment":
        how = translate(
            "MemoryState", "Keepsake was started with KEEPSAKE_DISABLE_MEMORY. Start it without that variable to turn memory on."
        )
    elif state.switch == "features.memory":
        how = translate("MemoryState", "The master switch “Memory” (features.memory) is off. Turn it on in the settings.")
    elif state.switch == "memory.use":
        how = translate("MemoryState", "“Use memory in chats” (memory.use) is off. Turn it on in the settings.")
    elif state.switch == "workspace":
        how = translate("MemoryState", "The workspace-memory switch of this project is off. Turn it on in the settings.")
    elif state.switch == "session":
        how = translate("MemoryState", "This chat was created without memory. Start a new chat to use it.")
    elif state.switch == "simple":
        how = translate(
            "MemoryState", "Keepsake was started in simple mode (KEEPSAKE_SIMPLE). Start it without that variable to turn memory on."
        )
    else:
        how = spoken(state.reason)
    what = translate(
        "MemoryState", "Memory is off: new chats read none of it, send none of it and write none. You can still look at it and edit it."
    )
    return f"{what}\n{how}"


def read_only_text(state: MemoryState) -> str:
    """Why the agent may read memory but not write it, and how to change that."""
    if state.switch == "memory.write":
        return translate(
            "MemoryState", "The agent reads this memory but does not write it: “Write memory” (memory.write) is off in the settings."
        )
    if state.switch == "settings":
        return translate(
            "MemoryState",
            "The agent does not write memory, because a settings file could not be read. Decide in the settings how to go on.",
        )
    if state.switch == "project":
        return translate(
            "MemoryState",
            "The agent does not write memory, because this project’s project.json could not be read. "
            "Set the workspace-memory switch in the settings to decide.",
        )
    return spoken(state.write_reason)


def status_text(state: MemoryState, tokens: int, limit: int) -> str:
    """For the status bar."""
    if not state.enabled:
        return translate("MemoryState", "Memory: off")
    used = translate("MemoryState", "{tokens} of {limit} tokens").format(tokens=f"{tokens:,}", limit=f"{limit:,}")
    if not state.write:
        return translate("MemoryState", "Memory: read only ({used})").format(used=used)
    return translate("MemoryState", "Memory: on ({used})").format(used=used)


def status_tooltip(state: MemoryState) -> str:
    if not state.enabled:
        return off_text(state)
    if not state.write:
        return read_only_text(state)
    return translate("MemoryState", "Memory is on. The index takes this many tokens of every request.")
