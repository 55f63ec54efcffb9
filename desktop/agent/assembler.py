"""Prompt assembly: slot A (system), slot B (start block), slot C (tail of one turn). Keeps A and B byte-stable between rebuilds.

Reads memory and the project's instruction file when a block is built; call `rebuild`, `refresh` and `tail` off the event loop, so that a
request itself waits for no disk (IN-15). With memory off, nothing of memory is read and nothing of it stands in any slot.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from desktop.agent.fit import message_tokens
from desktop.agent.frames import framed, fresh_nonce, is_nonce
from desktop.agent.instructions import INSTRUCTION_FILES, Instructions, read_instructions
from desktop.agent.load_report import LoadReport, SlotItem, SlotReport, load_report, slot_report
from desktop.agent.looks import Looks, look_at
from desktop.agent.memory_rules import memory_rules
from desktop.agent.memory_shape import MemoryShape
from desktop.agent.memory_traces import MemoryTraces
from desktop.agent.memory_view import Hints, MemoryView
from desktop.agent.prompts import BASE, DATA_FRAME, DATA_NOTE, WRITING_OFF, Language
from desktop.agent.slot_items import recalled_items, root_items, tail_items, text_item, tool_items
from desktop.base.clock import Clock
from desktop.base.ids import new_message_id
from desktop.base.phrases import say
from desktop.base.redact import visible
from desktop.base.words import estimate_tokens
from desktop.memory.index import LoadedIndex
from desktop.memory.memories import Memories
from desktop.memory.note import INDEX_NAME
from desktop.memory.roots import WORKSPACE
from desktop.messages.events import RecalledRef
from desktop.messages.parts import Message, TextPart
from desktop.messages.tools import ToolSpec
from desktop.sessions.references import find_references, reference_reminder
from desktop.settings.store import SettingsStore


class Assembler:
    """The slots of one session.

    Attributes:
        system: slot A.
        start: slot B as text, empty when there is nothing to say.
        memory: what stands of memory in the slots, or None when memory is off.
        nonce: the random word in the marks around data; it stands nowhere inside them.
    """

    def __init__(
        self,
        workspace: Path,
        memories: Memories | None,
        *,
        clock: Clock,
        environ: Mapping[str, str],
        language: Language,
        hidden: Iterable[Path] = (),
        settings: SettingsStore | None = None,
        nonce: str = "",
    ) -> None:
        """Args:
        memories: the roots and their stores; None: memory is off.
        language: of the memory rules.
        hidden: folders of memory whose calls are left out of requests while it is off.
        settings: how memory goes into requests; None: the defaults.
        nonce: that of the same session when it was open before, so that its requests go on as they were; empty: a new one.
        """
        self._workspace = workspace
        self._traces = MemoryTraces(workspace, hidden) if memories is None else None
        self._memories = memories
        self._settings = settings
        self.memory = None if memories is None else MemoryView(memories, clock, MemoryShape.of(settings))
        self._clock = clock
        self._environ = environ
        self._language: Language = language
        self._instructions = Instructions()
        self._rules = ""
        self._built: object = None
        self._journals: dict[str, int] = {}
        self._looks = Looks(())
        self.nonce = nonce if is_nonce(nonce) else fresh_nonce()
        self.system = ""
        self.start = ""

    def sent(self, messages: Sequence[Message]) -> Sequence[Message]:
        """What of the conversation goes into requests: with memory off no call into a memory folder, nor what it gave."""
        return messages if self._traces is None else self._traces.left_out(messages)

    @property
    def memory_root(self) -> str:
        """Where memory is, for an adaptor with a short prompt: a folder, or the file of the layout of one file."""
        if self._memories is None:
            return ""
        single = self._memories.layout() == "single"
        return str(self._memories.store(WORKSPACE).root / INDEX_NAME if single else self._memories.store().root)

    @property
    def loaded(self) -> LoadedIndex | None:
        """The project's index as the slots show it, or None when memory is off or the layout leaves it out."""
        return self.memory.index if self.memory else None

    # --- slots A and B -------------------------------------------------------------------------------------------------

    def rebuild(self) -> None:
        """Read instructions and memory again and make slots A and B anew: new session, resume, changed switches. Blocking."""
        self._built = self._fixed()
        self._journals = self._journals_now()
        base = self._base()
        self._rules = ""
        blocks: list[str] = []
        if self._memories and self.memory:
            self.memory.shape = MemoryShape.of(self._settings)
            if self.memory.shape.refresh == "turn":
                self._looks = self._look(self.memory)
            extra = self._environ.get("KEEPSAKE_MEMORY_EXTRA_GUIDELINES", "")
            self._rules = memory_rules(self._memories.own_roots, self._language, extra, shape=self.memory.shape)
            self.memory.load()
            blocks = self.memory.blocks()
        self._instructions = read_instructions(self._workspace)
        if any(self.nonce in text for text in (base, self._rules, self._instructions.block, *blocks)):
            self.nonce = fresh_nonce(base, self._rules, self._instructions.block, *blocks)
        above, below = self._placed(blocks)
        self.system = base + self._rules + ("\n" + self._framed(above) + "\n" if above else "")
        self.start = self._framed(below)

    def _placed(self, memory: list[str]) -> tuple[list[str], list[str]]:
        """What of the contents stands in slot A and what in slot B, in the order instructions, memory (CH-12).

        Memory moves into the system text with its channel (C-05). The project's instructions go ahead of it there only in the layout of
        one file, whose source keeps both in the system text; elsewhere they are the start of the conversation (CH-05).
        """
        own = [self._instructions.block] if self._instructions.block else []
        if self.memory is None or self.memory.shape.channel == "user":
            return [], own + memory
        return (own + memory, []) if self.memory.shape.layout == "single" else (memory, own)

    def _base(self) -> str:
        return BASE.format(workspace=visible(str(self._workspace)), platform=sys.platform)

    def _framed(self, blocks: Sequence[str]) -> str:
        """Reference data between marks that nobody can forge."""
        return framed(DATA_FRAME, self.nonce, "\n\n".join(blocks), DATA_NOTE) if blocks else ""

    def refresh(self) -> bool:
        """Before a turn: make A and B anew when the settings or the roots changed, or something was purged, and, where memory is read again
        each turn, when a file changed; then True. While files look as they did, they are not read (CH-14). Blocking.
        """
        if self.memory is None:
            return False
        if self._built == self._fixed() and not self._was_purged():
            if self.memory.shape.refresh != "turn":
                return False
            if self._look(self.memory) == self._looks and self._looks.settled(self._clock.now().timestamp()):
                return False
        before = (self.system, self.start)
        self.rebuild()
        return before != (self.system, self.start)

    def _fixed(self) -> object:
        """What A and B are made of besides files."""
        if self._memories is None:
            return None
        roots = tuple((root.id, str(root.folder), root.read_only) for root in self._memories.own_roots)
        return (MemoryShape.of(self._settings), self._memories.limits(), roots)

    def _journals_now(self) -> dict[str, int]:
        roots = () if self._memories is None else self._memories.own()
        return {store.memory_root.id: store.journal.written_anew() for store in roots}

    def _was_purged(self) -> bool:
        """Whether a text was removed for good since A and B were made: no line of it may stand in them, also if it costs the cache."""
        now = self._journals_now()
        return any(number and now.get(root) not in (number, None) for root, number in self._journals.items())

    def _look(self, view: MemoryView) -> Looks:
        return look_at((self._workspace / name for name in INSTRUCTION_FILES), view.roots)

    def start_message(self) -> Message | None:
        """Slot B as the first message of a request, or None."""
        if not self.start:
            return None
        return Message(new_message_id(self._clock.now()), "user", (TextPart(self.start),), self._clock.now(), origin="app")

    # --- slot C ------------------------------------------------------------------------------------------------------

    def tail(self, person_text: str) -> str:
        """Slot C for one turn: what changed in memory since slot B, that it is not written now, the reminder for `#sess_…` references.

        Blocking. The write switch stands here and not in slot A, since it holds from the next turn on.
        """
        state = self._memories.state() if self._memories else None
        reading_only = state is not None and state.enabled and not state.write
        parts = (
            self.memory.delta(self.nonce) if self.memory else "",
            WRITING_OFF.format(reason=state.write_reason) if state is not None and reading_only else "",
            reference_reminder(find_references(person_text)),
        )
        return "\n\n".join(part for part in parts if part)

    def hints(self, person_text: str) -> Hints:
        """Ranked memory for a small model. Blocking."""
        if not self.memory:
            return Hints()
        return self.memory.hints(person_text, recall=self._settings is None or self._settings.value("memory.recall") != "off")

    # --- the report --------------------------------------------------------------------------------------------------

    def report(
        self,
        tools: Sequence[ToolSpec],
        tail: str = "",
        recalled: Sequence[RecalledRef] = (),
        history: Sequence[Message] = (),
        window: int = 0,
    ) -> LoadReport:
        """What stands in each slot, what was cut or left out and why, and what it costs (W-19).

        Args:
            tools: as they are offered to the model.
            tail: what `tail` gave for the turn, without what was recalled.
            recalled: the memories that were added to the conversation and are still sent.
            history: the conversation as it is sent.
            window: the model's window in tokens, for the person.
        """
        slots = [*self._prefix_slots(), slot_report("C", [*tail_items(tail), *recalled_items(recalled)])]
        slots.append(slot_report("F", tool_items(tools)))
        return load_report(slots, history_tokens=sum(message_tokens(message) for message in history), window=window)

    def _prefix_slots(self) -> tuple[SlotReport, SlotReport]:
        """Slots A and B."""
        fixed = [text_item(say("Base instructions"), self._base())]
        if self._rules:
            fixed.append(text_item(say("Memory rules"), self._rules, memory=True))
        own = list(self._instructions.items)
        memory = self._memory_items()
        above = self.memory is not None and self.memory.shape.channel == "system"
        single = above and self.memory is not None and self.memory.shape.layout == "single"
        in_system = [*(own if single else []), *(memory if above else [])]
        at_start = [*([] if single else own), *([] if above else memory)]
        marks = estimate_tokens(framed(DATA_FRAME, self.nonce, "", DATA_NOTE))
        return (
            slot_report("A", [*fixed, *in_system], frame_tokens=marks if any(item.tokens for item in in_system) else 0),
            slot_report("B", at_start, frame_tokens=marks if self.start else 0),
        )

    def _memory_items(self) -> list[SlotItem]:
        if self._memories is None or self.memory is None:
            return [SlotItem(say("Memory"), state="left-out", reason=say("Memory is off."))]
        return list(root_items(self.memory, self._memories.roots))


def merged(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Adjacent tool messages joined into one: each result is stored as its own record, a request wants them together. Without the notes
    that are the window's."""
    joined: list[Message] = []
    for message in (replace(one, notes=None) if one.notes else one for one in messages):
        if joined and message.role == "tool" and joined[-1].role == "tool":
            last = joined[-1]
            joined[-1] = Message(last.id, "tool", last.parts + message.parts, last.time, last.parent, "tool")
        else:
            joined.append(message)
    return tuple(joined)
