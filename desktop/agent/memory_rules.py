"""The memory section of the system prompt: where memory is, what goes where, what to save and what not, as the settings shape it.

Puts the pieces of `memory_wording` together. Every path comes from the table of roots (`memory.roots`), so that text and store can never
name two places (W-27); a tool is named only where the session has it. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from desktop.agent.memory_shape import MemoryShape
from desktop.agent.memory_wording import CHINESE, ENGLISH, Wording
from desktop.agent.prompts import Language
from desktop.base.redact import visible
from desktop.memory.note import INDEX_NAME
from desktop.memory.roots import PROJECT, USER, WORKSPACE, MemoryRoot

HEADINGS: dict[Language, str] = {"en": "# Memory", "zh": "# 记忆"}
_WORDS: dict[Language, Wording] = {"en": ENGLISH, "zh": CHINESE}
DEFAULT = MemoryShape()


def memory_rules(roots: Sequence[MemoryRoot], language: Language, extra: str = "", *, shape: MemoryShape = DEFAULT) -> str:
    """The rules for those of these roots that the shape takes; those that nobody writes, and other tools', are not named.

    Args:
        roots: the table.
        language: of the text.
        extra: further guidelines of the person's environment (IN-16).
        shape: how the settings want memory.
    """
    words = _WORDS[language]
    taken = [root for root in roots if shape.takes(root) and not root.read_only]
    pieces = _single(words, taken) if shape.layout == "single" else _folders(words, taken, shape)
    heading = HEADINGS["en" if shape.agents_md else language]  # ZCode's own heading, whatever the language (FM-17)
    blocks = [heading, *(piece for piece in pieces if piece), extra.strip()]
    return "\n" + "\n\n".join(block for block in blocks if block) + "\n"


def _folders(words: Wording, roots: Sequence[MemoryRoot], shape: MemoryShape) -> Iterator[str]:
    """For topics and an index; the project's root is always one of `roots`."""
    project = next(visible(str(root.folder)) for root in roots if root.id == PROJECT)
    yield words.head.format(project=project, places="\n".join(_places(words, roots)))
    yield words.form
    yield words.kinds
    yield words.on_request.format(forget=words.forget_file)
    yield words.not_this + "\n" + words.elsewhere
    step = words.two_steps if shape.step == "two-steps" else words.app_step
    yield step.format(project=project) + (words.index_tool if shape.tools else "")
    how = words.by_search if shape.tools else words.by_files.format(project=project)
    yield _reading(words, how)


def _single(words: Wording, roots: Sequence[MemoryRoot]) -> Iterator[str]:
    """For the layout of one file."""
    root = next((root for root in roots if root.id == WORKSPACE), None)
    if root is None:
        yield words.nowhere
        return
    yield words.single.format(file=_file(root))
    yield words.kinds
    yield words.on_request.format(forget=words.forget_text)
    yield words.not_this + "\n" + words.elsewhere
    yield _reading(words, words.by_reading)


def _reading(words: Wording, how: str) -> str:
    return "\n".join((words.look_first.format(how=how), words.sessions, words.claims, words.ignore))


def _places(words: Wording, roots: Sequence[MemoryRoot]) -> Iterator[str]:
    lines = {PROJECT: words.to_project, USER: words.to_user, WORKSPACE: words.to_workspace}
    for root in roots:
        if root.id in lines:
            yield lines[root.id].format(folder=visible(str(root.folder)), file=_file(root))


def _file(root: MemoryRoot) -> str:
    """A folder's name may hold a line break and what looks like an order behind it: it is shown escaped."""
    return visible(str(root.folder / INDEX_NAME))
