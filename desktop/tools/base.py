"""What a tool is: a specification, a preparation that reads but changes nothing, and an execution of exactly what was prepared.

`prepare` resolves the target and shows what would happen (an `Access` for the permission check and the approval card); `Prepared.run`
then uses that same resolved object, never the string again. Draws nothing. Runs on the asyncio thread; blocking work goes to threads.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from desktop.base.clock import Clock
from desktop.base.textio import digest
from desktop.memory.memories import Memories
from desktop.messages.parts import ResultStatus
from desktop.messages.tools import ToolSpec
from desktop.permissions.access import Access

if TYPE_CHECKING:
    from desktop.memory.bracket import RootBracket
    from desktop.memory.keeping import Keep
    from desktop.memory.proposals import Proposals

Emit = Callable[[str], None]
"""Takes a piece of live output."""


def meaning_of(text: str) -> str:
    """Identity of a text without its blank lines and the spaces around its lines: what the memory index says, however it is laid out."""
    return digest("\n".join(line.strip() for line in text.splitlines() if line.strip()).encode("utf-8", "surrogatepass"))


@dataclass(slots=True)
class ReadState:
    """Which files this session has read, with the digest then seen: an edit of an unread or changed file is refused.

    Files go by their real paths.

    `meanings` holds `meaning_of` the text for files that are compared by what they say: the memory index (memory design, CH-15).
    """

    digests: dict[str, str] = field(default_factory=dict)
    meanings: dict[str, str] = field(default_factory=dict)

    def saw(self, path: Path, digest: str, meaning: str | None = None) -> None:
        key = os.path.realpath(path)
        self.digests[key] = digest
        if meaning is None:
            self.meanings.pop(key, None)
        else:
            self.meanings[key] = meaning

    def removed(self, path: Path) -> None:
        """A call of its own took the file away: what comes there next is a new one."""
        key = os.path.realpath(path)
        self.digests.pop(key, None)
        self.meanings.pop(key, None)

    def copy(self) -> ReadState:
        """What a background job inherits: it starts with what was read here and adds nothing to it."""
        return ReadState(dict(self.digests), dict(self.meanings))

    def digest_of(self, path: Path) -> str | None:
        return self.digests.get(os.path.realpath(path))

    def meaning_of(self, path: Path) -> str | None:
        return self.meanings.get(os.path.realpath(path))


@dataclass(frozen=True, slots=True)
class Said:
    """One message of the person, as the memory keeper is given it."""

    message_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a tool may use.

    Attributes:
        workspace: real path of the opened folder.
        cwd: where relative paths start (the workspace; `cd` in Bash never changes it).
        memory: the store of this project's memory, or None when memory is off.
        memory_root: this project's memory folder, or None when memory is off.
        read_state: shared over the session.
        actor: `main` or `extractor`.
        session_id, message_id: origin of a change.
        clock, environ: passed in.
        emit: live output.
        memories: all roots, whether memory is on or off: also then no tool may touch them. None only in tests of other things.
        bracket: what guards the roots around a shell command, whatever the switches say.
        untrusted: text of tools, files or other sessions is in the window of whoever calls (safety, S11).
        proposals: the review inbox of the root with an id; None where nobody could look into it.
        keep: judges what the memory keeper wants to write; None for everybody else, whose writes the person sees as they happen.
        said: the person's own messages, oldest first: what the keeper writes, and orders that a main agent keeps beside text of others,
            wait without one of them behind it.
        review: every change that the keeper wants waits for the person.
    """

    workspace: Path
    cwd: Path
    memory: Any | None
    memory_root: Path | None
    read_state: ReadState
    actor: str
    session_id: str
    message_id: str
    clock: Clock
    environ: Mapping[str, str]
    emit: Emit
    memories: Memories | None = None
    bracket: RootBracket | None = None
    untrusted: bool = False
    proposals: Callable[[str], Proposals] | None = None
    keep: Keep | None = None
    said: tuple[Said, ...] = ()
    review: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run gave.

    Attributes:
        output: for the model.
        status: ok or error; denied and interrupted are set by the loop.
        diff: unified diff for the person.
        data: further structured values for the window and the headless JSON.
        memory_saved: paths relative to the memory root that were written.
    """

    output: str
    status: ResultStatus = "ok"
    diff: str | None = None
    data: dict[str, Any] | None = None
    memory_saved: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prepared:
    """A call that is ready: what it would touch, and the run that does exactly that."""

    title: str
    access: Access
    run: Callable[[], Awaitable[Outcome]]
    diff: str | None = None


class Tool(Protocol):
    @property
    def spec(self) -> ToolSpec: ...

    async def prepare(self, arguments: dict[str, Any], context: ToolContext) -> Prepared:
        """Check the arguments and resolve the target; changes nothing.

        Raises:
            ToolError: wrong arguments, missing file, refused path. The text goes back to the model.
        """
        ...
