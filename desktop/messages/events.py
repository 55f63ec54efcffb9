"""Two closed unions of events: what a model streams (`StreamEvent`) and what a turn tells the outside (`TurnEvent`). Frozen; no I/O.

A model stream ends with exactly one `ResponseEnd` or raises ProviderError. A turn ends with exactly one `TurnEnded`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from desktop.messages.parts import Message, Part, ToolCallPart, ToolResultPart
from desktop.messages.usage import Usage

ResponseStop = Literal["end", "tool_calls", "length", "refused"]
TurnStop = Literal["end", "limit", "error", "interrupted"]


# --- what a model streams -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    text: str


@dataclass(frozen=True, slots=True)
class ToolCallDelta:
    """A call that is being written. `name` comes with the first piece at the latest; `arguments` is the raw JSON added by this piece."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ResponseEnd:
    """The whole response: all parts in order, with ids on every call."""

    parts: tuple[Part, ...]
    usage: Usage = field(default_factory=Usage)
    stop: ResponseStop = "end"


StreamEvent = TextDelta | ThinkingDelta | ToolCallDelta | ResponseEnd


# --- what a turn tells the outside ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TurnStarted:
    session_id: str
    message: Message


@dataclass(frozen=True, slots=True)
class BranchMoved:
    """The live branch is another one now: rewound, switched, or going on beside a message that was there.

    Attributes:
        messages: all of it, from its first message on.
    """

    session_id: str
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class StepStarted:
    """A request is on its way. `step` counts from 1. What was streamed since the last MessageAppended is void: it was a broken try."""

    step: int


@dataclass(frozen=True, slots=True)
class MessageAppended:
    """The message is in the transcript, on disk."""

    message: Message


@dataclass(frozen=True, slots=True)
class ToolStarted:
    call: ToolCallPart
    title: str


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """Live output of a running call."""

    call_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolFinished:
    result: ToolResultPart
    seconds: float


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """A question that only the person can answer.

    Attributes:
        id: to be given back with the answer.
        call: the call as the model wrote it.
        title: what will happen, in one line.
        target: the resolved path or the exact command: what is really touched.
        content: the exact bytes that will be written or run, whole.
        diff: unified diff for file changes, or None.
        reason: why it is asked.
        rule: the rule that asks (`write.outside`, …), see `permissions.modes`.
    """

    id: str
    call: ToolCallPart
    title: str
    target: str
    content: str
    diff: str | None
    reason: str
    rule: str = ""


ApprovalChoice = Literal["once", "session", "always", "deny"]


@dataclass(frozen=True, slots=True)
class ApprovalAnswer:
    choice: ApprovalChoice
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ApprovalResolved:
    id: str
    answer: ApprovalAnswer


NoticeKind = Literal["info", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that the person should know: a retry, outputs cut in the request, a cut index. `code` is stable, `values` fill its text.

    `text` is the sentence, a phrase (`base.phrases`) that the window says in its language.
    """

    kind: NoticeKind
    code: str
    text: str
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UsageUpdated:
    """Sum of the turn so far, and how full the context window is (tokens of the last request, size of the window)."""

    usage: Usage
    context_tokens: int
    context_window: int


@dataclass(frozen=True, slots=True)
class MemoryLoaded:
    """What of memory went into the request: `report` has the shape of `memory.loaded` in the headless JSON, plus `dropped` (names)."""

    report: dict[str, Any]


@dataclass(frozen=True, slots=True)
class MemoryChangeRef:
    """One journalled change of memory: enough to show it and to take it back.

    Attributes:
        root: id of the root (`project`, `user`, `workspace`).
        path: relative to it.
        change: id in that root's journal.
        op: write, delete, rename or restore.
    """

    root: str
    path: str
    change: str
    op: str


@dataclass(frozen=True, slots=True)
class MemorySaved:
    """Memory files that were written or deleted, relative to their root's folder `root`. `actor`: main, extractor or person.

    `changes` are the journal's entries of it, in order; `deleted` the paths that went to the trash.
    """

    paths: tuple[str, ...]
    actor: str
    root: str
    changes: tuple[MemoryChangeRef, ...] = ()
    deleted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecalledRef:
    """A memory that was added to a turn: why (`reason`) and how old it is (`age`), both phrases; `stage` is lexical or model."""

    root: str
    path: str
    name: str
    reason: str
    age: str
    stage: str
    tokens: int


@dataclass(frozen=True, slots=True)
class MemoryRecalled:
    """Memories that were added to the turn of the person's message `message_id`; `usage`: what choosing them by a model cost."""

    message_id: str
    items: tuple[RecalledRef, ...]
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class MemoryProposed:
    """New proposals wait for the person's review: how many came (`ids`), and how many wait now."""

    count: int
    waiting: int
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ContextReported:
    """What the newest request is made of, slot by slot: `agent.load_report.LoadReport` as JSON."""

    report: dict[str, Any]


@dataclass(frozen=True, slots=True)
class JobChanged:
    """A background job: `state` is running, done, failed, cancelled or idle; `detail` is one line for the status bar; `usage` its cost."""

    job: str
    state: str
    detail: str = ""
    written: tuple[str, ...] = ()
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """`error` holds message, hint and detail when `stop` is error or limit, and `kind` as `errors.kind_of` gives it."""

    stop: TurnStop
    usage: Usage
    error: dict[str, str] | None = None


TurnEvent = (
    TurnStarted
    | BranchMoved
    | StepStarted
    | TextDelta
    | ThinkingDelta
    | ToolCallDelta
    | MessageAppended
    | ToolStarted
    | ToolOutput
    | ToolFinished
    | ApprovalRequest
    | ApprovalResolved
    | Notice
    | UsageUpdated
    | MemoryLoaded
    | MemoryRecalled
    | MemorySaved
    | MemoryProposed
    | ContextReported
    | JobChanged
    | TurnEnded
)
