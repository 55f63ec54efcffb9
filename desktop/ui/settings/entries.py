"""Which settings the page shows, in which category, and their words. The schema says what is allowed; this says how it reads. GUI thread.

A key of the schema that is missing here is shown under Advanced with its line of documentation, so that none is out of reach.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop.settings.schema import FIELDS
from desktop.ui.settings.entries_memory import memory_advanced, memory_in_use
from desktop.ui.settings.entry import ADVANCED, AGENT, APPEARANCE, MEMORY, MODELS, SESSIONS, Entry

__all__ = ["ADVANCED", "AGENT", "APPEARANCE", "MEMORY", "MODELS", "SESSIONS", "Entry", "category_titles", "entries"]

translate = QCoreApplication.translate

HIDDEN = frozenset({"model.endpoints", "model.default", "keys.store", "memory.foreign", "memory.preset", "search.encoder"})
"""Shown in a form of their own: by the models page, the card of presets, and the card for other tools' memory."""


def category_titles() -> dict[str, str]:
    """Every category in the order of the page."""
    return {
        MEMORY: translate("Settings", "Memory"),
        MODELS: translate("Settings", "Models and Keys"),
        AGENT: translate("Settings", "Agent"),
        SESSIONS: translate("Settings", "Sessions"),
        APPEARANCE: translate("Settings", "Appearance"),
        ADVANCED: translate("Settings", "Advanced"),
    }


def _memory() -> list[Entry]:
    return [
        Entry(
            "features.memory", MEMORY, translate("Settings", "Memory"),
            translate("Settings", "The master switch. When it is off, memory does not exist in any workspace."),
        ),
        Entry(
            "memory.use", MEMORY, translate("Settings", "Use memory in chats"),
            translate("Settings", "Chats read what is remembered. Both this and the master switch must be on."),
        ),
        Entry(
            "memory.write", MEMORY, translate("Settings", "Write memory"),
            translate(
                "Settings",
                "The agent and its background jobs may add and change memories. When this is off they still read; you can always edit.",
            ),
        ),
        Entry(
            "memory.extraction", MEMORY, translate("Settings", "Learn from chats"),
            translate(
                "Settings",
                "After each turn a background job looks for facts worth keeping. It makes extra model calls, which may cost money. "
                "A workspace may have a choice of its own, above.",
            ),
            choices=(
                ("auto", translate("Settings", "Automatic")), ("review", translate("Settings", "Ask me first")),
                ("off", translate("Settings", "Off")),
            ),
        ),
        Entry(
            "memory.extraction_spacing_s", MEMORY, translate("Settings", "Pause between two looks"),
            translate("Settings", "Turns that end sooner are looked at together."), suffix=translate("Settings", " s"),
        ),
        Entry(
            "memory.extraction_runs", MEMORY, translate("Settings", "Looks in one chat at most"),
            translate("Settings", "An upper bound for the extra model calls of one chat."),
        ),
        Entry(
            "memory.index_lines", MEMORY, translate("Settings", "Index: lines at most"),
            translate("Settings", "MEMORY.md is loaded into every chat. What is beyond the limit is left out, and that is said."),
        ),
        Entry(
            "memory.index_bytes", MEMORY, translate("Settings", "Index: bytes at most"),
            translate("Settings", "Upper bound for the size of the loaded index."),
        ),
        Entry(
            "memory.index_tokens", MEMORY, translate("Settings", "Index: tokens at most"),
            translate("Settings", "Upper bound for what the loaded index costs in every request."),
        ),
        *memory_in_use(),
        *_search(),
        *_place_of_memory(),
    ]  # fmt: skip


def _search() -> list[Entry]:
    return [
        Entry(
            "checkpoint.reconcile_on_search", MEMORY, translate("Settings", "Look at the files before each search"),
            translate("Settings", "When this is off, changes from outside are found once they were noticed in the background."),
        ),
        Entry(
            "checkpoint.score_floor", MEMORY, translate("Settings", "Weakest result that is shown"),
            translate("Settings", "As a share of the best result's score. A higher one shows fewer results."),
            zero=translate("Settings", "all"),
        ),
    ]  # fmt: skip


def _place_of_memory() -> list[Entry]:
    return [
        Entry(
            "memory.identity", MEMORY, translate("Settings", "What counts as one project"),
            translate("Settings", "Holds for folders that are opened from now on. Memory is not moved."),
            choices=(
                ("git-root", translate("Settings", "The git repository, with all its worktrees")),
                ("git-id", translate("Settings", "The same, by an id inside the repository: it may be moved and renamed")),
                ("worktree", translate("Settings", "Each worktree by itself")),
                ("workspace", translate("Settings", "Each opened folder by itself")),
            ),
        ),
        Entry(
            "memory.directory", MEMORY, translate("Settings", "Folder for memory"),
            translate(
                "Settings",
                "A folder of your own, as a whole path or beginning with ~/. Empty: in the profile. "
                "Holds for folders that are opened from now on. Memory is not moved.",
            ),
        ),
        Entry(
            "memory.sensitive_names", MEMORY, translate("Settings", "Folder names that no agent writes in memory"),
            translate("Settings", "Other programs run or configure something from folders of these names. Separate them with commas."),
        ),
        Entry(
            "memory.git_words", MEMORY, translate("Settings", "Names that no agent writes directly in a memory folder"),
            translate("Settings", "Together they make a folder look like a git repository. Separate them with commas."),
        ),
    ]  # fmt: skip


def _agent() -> list[Entry]:
    no_limit = translate("Settings", "no limit")
    return [
        Entry(
            "agent.mode", AGENT, translate("Settings", "Permission mode of new chats"),
            translate("Settings", "What the agent may do without asking you."),
            choices=(
                ("default", translate("Settings", "Ask before changes and commands")),
                ("accept-edits", translate("Settings", "Edit files of the workspace without asking")),
                ("plan", translate("Settings", "Only read and plan")),
            ),
        ),
        Entry(
            "agent.thinking", AGENT, translate("Settings", "Thinking"),
            translate("Settings", "How much a model reasons before it answers, where it can. More is slower and costs more."),
            choices=(
                ("off", translate("Settings", "Off")), ("low", translate("Settings", "A little")),
                ("medium", translate("Settings", "Medium")), ("high", translate("Settings", "A lot")),
            ),
        ),
        Entry(
            "agent.max_steps", AGENT, translate("Settings", "Steps of one turn at most"),
            translate("Settings", "Each step is one request to the model."),
        ),
        Entry(
            "agent.max_tokens", AGENT, translate("Settings", "Tokens of one turn at most"),
            translate("Settings", "The turn stops when it has used this many."), zero=no_limit,
        ),
        Entry(
            "agent.max_seconds", AGENT, translate("Settings", "Time of one turn at most"),
            translate("Settings", "The turn stops after this time."), suffix=translate("Settings", " s"), zero=no_limit,
        ),
        Entry(
            "agent.max_cost_usd", AGENT, translate("Settings", "Cost of one turn at most"),
            translate("Settings", "In US dollars, by the list prices of the models."), suffix=" $", zero=no_limit,
        ),
        Entry(
            "agent.retries", AGENT, translate("Settings", "Retries"),
            translate("Settings", "How often a request is tried again after a rate limit, an overload or a broken connection."),
        ),
        Entry(
            "model.max_output_tokens", AGENT, translate("Settings", "Tokens of one answer at most"),
            translate("Settings", "Upper bound for the length of a single answer."), zero=translate("Settings", "the model’s own limit"),
        ),
    ]  # fmt: skip


def _sessions() -> list[Entry]:
    return [
        Entry(
            "sessions.other_tools", SESSIONS, translate("Settings", "Show the sessions of other tools"),
            translate(
                "Settings",
                "Claude Code, Codex, opencode and others that are found on this computer stand in the list, to be read. Nothing of them is "
                "ever changed or run.",
            ),
        ),
        Entry(
            "sessions.titles", SESSIONS, translate("Settings", "Titles by the model"),
            translate(
                "Settings",
                "After the first answer the model is asked once for a short title, which may cost money. The embedded model is never "
                "asked.",
            ),
            choices=(("auto", translate("Settings", "Automatic")), ("off", translate("Settings", "Off: the first prompt is the title"))),
        ),
    ]  # fmt: skip


def _appearance() -> list[Entry]:
    return [
        Entry(
            "appearance.theme", APPEARANCE, translate("Settings", "Colour theme"),
            translate("Settings", "Dark, light, or as the system has it."),
            choices=(
                ("system", translate("Settings", "As the system")), ("dark", translate("Settings", "Dark")),
                ("light", translate("Settings", "Light")),
            ),
        ),
        Entry("appearance.zoom", APPEARANCE, translate("Settings", "Zoom"), translate("Settings", "Size of text and controls.")),
        Entry(
            "appearance.language", APPEARANCE, translate("Settings", "Language"), translate("Settings", "Language of the window."),
            choices=(("system", translate("Settings", "As the system")), ("en", "English"), ("zh_CN", "简体中文")),
        ),
    ]  # fmt: skip


def entries() -> list[Entry]:
    """Every row of the page, in order. Choices that the schema does not allow at this depth are not offered."""
    known = [*_memory(), *_agent(), *_sessions(), *_appearance(), *memory_advanced()]
    result = [_allowed(entry) for entry in known if entry.key in FIELDS]
    named = {entry.key for entry in known} | HIDDEN
    result += [Entry(key, ADVANCED, key, field.doc) for key, field in FIELDS.items() if key not in named and field.kind != "map"]
    return result


def _allowed(entry: Entry) -> Entry:
    field = FIELDS[entry.key]
    if field.kind != "choice":
        return entry
    labels = dict(entry.choices)
    choices = tuple((value, labels.get(value, value)) for value in field.choices)
    return Entry(entry.key, entry.category, entry.title, entry.description, choices, entry.suffix, entry.zero)
