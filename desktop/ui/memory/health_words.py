"""What the health view calls the kinds of problems, and what it says of each. GUI thread, since it translates."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate
ORDER = (
    "secret",
    "contradicted",
    "duplicate",
    "near-duplicate",
    "stale",
    "oversize-index",
    "missing-line",
    "dangling-line",
    "dangling-link",
    "broken-header",
    "relative-date",
    "inline-content",
    "long-line",
    "oversize-note",
    "unreadable",
    "link",
    "hard-link",
    "origin-gone",
)
"""Kinds in the order of the view."""


def title_of(kind: str) -> str:
    """What a kind is called; one that is not known goes by its name."""
    return _titles().get(kind, kind)


def text_of(kind: str) -> str:
    """What it means; "" for a kind that is not known."""
    return _texts().get(kind, "")


def _titles() -> dict[str, str]:
    return {
        "secret": translate("HealthWords", "Secrets"),
        "contradicted": translate("HealthWords", "Contradicted"),
        "duplicate": translate("HealthWords", "Duplicates"),
        "near-duplicate": translate("HealthWords", "Nearly the same"),
        "stale": translate("HealthWords", "Stale"),
        "oversize-index": translate("HealthWords", "Index over its limit"),
        "missing-line": translate("HealthWords", "Memories without a line in the index"),
        "dangling-line": translate("HealthWords", "Index lines without a memory"),
        "dangling-link": translate("HealthWords", "Links that lead nowhere"),
        "broken-header": translate("HealthWords", "Headers that cannot be read"),
        "relative-date": translate("HealthWords", "Relative dates"),
        "inline-content": translate("HealthWords", "Content in the index"),
        "long-line": translate("HealthWords", "Long index lines"),
        "oversize-note": translate("HealthWords", "Long memories"),
        "unreadable": translate("HealthWords", "Files that cannot be read"),
        "link": translate("HealthWords", "Links to files"),
        "hard-link": translate("HealthWords", "Files with several names"),
        "origin-gone": translate("HealthWords", "Origin not stored any more"),
    }


def _texts() -> dict[str, str]:
    return {
        "secret": translate(
            "HealthWords",
            "A memory is sent to models. Mask the secret here, change it where it is used, and note only where it is kept. Older versions "
            "still hold it until the memory is deleted for good.",
        ),
        "contradicted": translate("HealthWords", "A newer memory says something else of the same subject."),
        "duplicate": translate("HealthWords", "The newer one stays, a pinned one always; links follow."),
        "near-duplicate": translate("HealthWords", "One of the two says all, or nearly all, that the other says."),
        "stale": translate(
            "HealthWords",
            "It is old, or it names a file, a branch or a date that is gone. If it still holds, say so: that is written into it.",
        ),
        "oversize-index": translate(
            "HealthWords",
            "What stands below the line is not loaded into chats. Pin what must be there, move the oldest lines out, or delete what is not "
            "needed.",
        ),
        "missing-line": translate("HealthWords", "A chat that starts with the index does not know of them."),
        "dangling-line": translate("HealthWords", "They cost room in every chat and lead to nothing."),
        "dangling-link": translate("HealthWords", "The memory they name was renamed, or was never written."),
        "broken-header": translate("HealthWords", "Name, description and type are not known until the header can be read."),
        "relative-date": translate("HealthWords", "The day is counted from when the memory was last changed."),
        "inline-content": translate("HealthWords", "An index has one line for each memory; content has files of its own."),
        "long-line": translate("HealthWords", "An entry needs its link and a few words."),
        "oversize-note": translate("HealthWords", "A chat that recalls one gets its head only. In parts, each is found by itself."),
        "unreadable": translate(
            "HealthWords", "A chat knows nothing of them, or only a part. What is fixed is kept in the history as it was."
        ),
        "link": translate("HealthWords", "A link is not followed, so that nothing outside the memory folder is read or changed."),
        "hard-link": translate(
            "HealthWords", "A change that is made under another name changes them here. A copy in their place ends that."
        ),
        "origin-gone": translate("HealthWords", "Good to know, nothing to do: the memories stand by themselves."),
    }
