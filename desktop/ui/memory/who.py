"""Who changed a memory, and what was done, in the window's words. Pure. GUI thread, since it translates."""

from __future__ import annotations

import re
from typing import Literal

from PySide6.QtCore import QCoreApplication

from desktop.memory.change import INDEX_REASON, Change
from desktop.memory.tombstones import MOVED

translate = QCoreApplication.translate

Deed = Literal["created", "changed", "deleted", "renamed", "moved", "restored", "undone", "merged", "kept", "known"]
"""What a change is for a person. `kept`: the app kept the index in step; `known`: what was there before the first known change."""
RESTORED_REASON = "an earlier version is back"
"""The reason that `desktop.memory.history.restore` notes where the caller gives none."""

_FOLLOWED = re.compile(r"links follow (.+) to (.+)", re.DOTALL)


def actor_word(actor: str) -> str:
    """For a list."""
    if actor == "person":
        return translate("Who", "You")
    if actor == "main":
        return translate("Who", "Agent")
    if actor == "extractor":
        return translate("Who", "Background extraction")
    if actor == "dream":
        return translate("Who", "Dream")
    return translate("Who", "Another program")


def changed_text(actor: str) -> str:
    """The opening sentence of the question what is to become of a draft."""
    if actor == "main":
        return translate("Who", "The agent changed this memory while you were editing.")
    if actor == "extractor":
        return translate("Who", "Background extraction changed this memory while you were editing.")
    if actor == "dream":
        return translate("Who", "Dream changed this memory while you were editing.")
    if actor == "person":
        return translate("Who", "You changed this memory in another place while you were editing it here.")
    return translate("Who", "Another program changed this memory while you were editing.")


def deleted_text(change: Change | None) -> str:
    """That the file of a tab is gone, and who is behind it."""
    if change is None:
        return translate("Who", "Another program deleted this memory.")
    if change.undoes:
        return translate("Who", "The change that made this memory was undone.")
    if change.group.startswith(MOVED):
        return translate("Who", "This memory was moved out of this folder.")
    actor = change.origin.actor
    if actor == "main":
        return translate("Who", "The agent deleted this memory.")
    if actor == "extractor":
        return translate("Who", "Background extraction deleted this memory.")
    if actor == "dream":
        return translate("Who", "Dream deleted this memory.")
    if actor == "person":
        return translate("Who", "You deleted this memory in another place.")
    return translate("Who", "Another program deleted this memory.")


def followed_text(actor: str) -> str:
    """A short note that what is shown is what somebody else just wrote."""
    if actor == "main":
        return translate("Who", "changed by the agent")
    if actor == "extractor":
        return translate("Who", "changed by background extraction")
    if actor == "dream":
        return translate("Who", "changed by Dream")
    if actor == "person":
        return translate("Who", "changed in another place")
    return translate("Who", "changed by another program")


def deed_of(change: Change) -> Deed:
    """What a change of the journal is for a person."""
    if not change.id:
        return "known"
    if change.origin.reason == INDEX_REASON:
        return "kept"
    if change.undoes:
        return "undone"
    if change.op == "restore" or change.origin.reason == RESTORED_REASON:
        return "restored"
    if change.old_path and change.old_path != change.path:
        same_folder = change.old_path.rpartition("/")[0] == change.path.rpartition("/")[0]
        return "renamed" if same_folder else "moved"
    moved = change.group.startswith(MOVED)
    if change.after is None:
        return "moved" if moved else "deleted"
    if change.before is None:
        return "moved" if moved else "created"
    return "merged" if change.merged else "changed"


def deed_word(deed: Deed) -> str:
    """For a list."""
    words: dict[Deed, str] = {
        "created": translate("Who", "Created"),
        "changed": translate("Who", "Changed"),
        "deleted": translate("Who", "Deleted"),
        "renamed": translate("Who", "Renamed"),
        "moved": translate("Who", "Moved"),
        "restored": translate("Who", "Restored"),
        "undone": translate("Who", "Undone"),
        "merged": translate("Who", "Merged"),
        "kept": translate("Who", "Index kept in step"),
        "known": translate("Who", "First known text"),
    }
    return words[deed]


def reason_words(reason: str) -> str:
    """Why a change was made: what the app itself notes in the journal, in the window's words; what a model or a person said, as it is."""
    words = {
        "out of the trash": translate("Who", "out of the trash"),
        "moved to another place of memory": translate("Who", "moved to another place of memory"),
        "pinned": translate("Who", "pinned"),
        "pin taken off": translate("Who", "pin taken off"),
    }
    followed = _FOLLOWED.fullmatch(reason)
    if followed is not None:
        return translate("Who", "links follow {old} to {new}").format(old=followed[1], new=followed[2])
    if reason.startswith("adopted from "):
        return translate("Who", "adopted from a lost project")
    return words.get(reason, reason)


DEED_ICONS: dict[Deed, str] = {
    "created": "add",
    "changed": "edit",
    "deleted": "trash",
    "renamed": "symbol-string",
    "moved": "arrow-right",
    "restored": "history",
    "undone": "discard",
    "merged": "git-merge",
    "kept": "sync",
    "known": "note",
}
"""The sign of each, so that a list reads without colour."""
