"""Which memories a running piece of work does not need: reference notes about the tools that it uses just now (memory design, RC-03).

Who works with a tool has its description in the request and its output before their eyes; what they lack is the warning. So a note that
explains a tool is left out while that tool is in use, and one that warns is kept. Rules in code, English and Chinese. Pure.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence

from desktop.memory.note import Note
from desktop.memory.recall_words import ORDINARY_TOOLS
from desktop.messages.parts import Message

RECENT = 6
"""Assistant messages, from the newest, whose calls count as recent."""

HEAD = 1_500
"""Characters of a memory's text in which it is looked for what kind of note it is."""

_WARNS = re.compile(
    r"\b(?:warn(?:s|ing|ings|ed)?|gotchas?|caveats?|pitfalls?|beware|careful(?:ly)?|caution|danger(?:ous)?|never|do not|don['’]?t|must not"
    r"|avoid|known (?:issue|bug)s?|bugs?|breaks?|broken|fails?|crash(?:es|ed)?|hangs?|deadlock|trap|surpris(?:e|ing)|watch out"
    r"|not supported|doesn['’]?t work|does not work|wrong|loses?|corrupts?|workarounds?|mistakes?)\b"
    r"|注意|警告|小心|当心|谨慎|陷阱|踩坑|[有的大]坑|坑[：:爹]|不要|不能|不可|不得|勿|避免|禁止|严禁|切忌|千万|别再|别用|别在|已知问题|故障|缺陷|出错"
    r"|报错|失败|失效|崩溃|卡死|死锁|丢失|损坏|不支持|不生效|绕过|危险|风险|教训",
    re.IGNORECASE,
)
_EXPLAINS = re.compile(
    r"\b(?:usage|how to use|api|reference|docs?|documentation|manual|options?|flags?|parameters?|arguments?|syntax|commands?|cheat ?sheet"
    r"|examples?|tutorial|guide|quick ?start|overview|man page|help text)\b"
    r"|用法|使用方法|使用说明|怎么用|如何使用|参数|选项|语法|手册|文档|参考|教程|示例|命令(?:列表|大全|速查)|速查|指南|入门|接口说明",
    re.IGNORECASE,
)
_SHELLS = frozenset(("sudo", "env", "time", "nice", "nohup", "exec", "command", "xargs", "timeout"))
_SPLIT = re.compile(r"&&|\|\||[;|\n]")
_PROGRAM = re.compile(r"[\w.+-]{1,40}")


def recent_tools(messages: Sequence[Message]) -> tuple[str, ...]:
    """Names of the tools that the newest assistant messages called, and of the programs that their commands ran, the newest first."""
    found: dict[str, None] = {}
    seen = 0
    for message in reversed(messages):
        if message.role != "assistant":
            continue
        seen += 1
        if seen > RECENT:
            break
        for call in message.tool_calls:
            found[call.name] = None
            command = call.input.get("command")
            if isinstance(command, str):
                found.update(dict.fromkeys(programs_of(command)))
    return tuple(found)


def programs_of(command: str) -> tuple[str, ...]:
    """The programs that a shell command line runs, by their plain names."""
    found: dict[str, None] = {}
    for part in _SPLIT.split(command[:2_000])[:20]:
        try:
            words = shlex.split(part, comments=True)
        except ValueError:
            words = part.split()
        while words and (words[0] in _SHELLS or ("=" in words[0] and not words[0].startswith("-")) or words[0].startswith("-")):
            words = words[1:]
        name = words[0].rpartition("/")[2] if words else ""
        if _PROGRAM.fullmatch(name):
            found[name] = None
        if len(words) > 2 and words[1] == "-m" and _PROGRAM.fullmatch(words[2]):  # python -m pytest
            found[words[2]] = None
    return tuple(found)


def is_needless(note: Note, body: str, tools: Iterable[str]) -> bool:
    """Whether a memory only explains one of the tools in use. What warns is never needless, nor what is no reference."""
    title = f"{note.name}\n{note.description}\n{' '.join(note.keywords)}\n{note.path}"
    if not any(_is_about(title, tool) for tool in tools):
        return False
    if _WARNS.search(f"{title}\n{body[:HEAD]}"):
        return False
    return note.type == "reference" or (note.type is None and _EXPLAINS.search(title) is not None)


def _is_about(title: str, tool: str) -> bool:
    """Whether a title names a tool: as a word of its own, an everyday word only where it is clearly the tool that is meant."""
    name = re.escape(tool)
    if tool.casefold() not in ORDINARY_TOOLS:
        return re.search(rf"(?<![A-Za-z0-9_]){name}(?![A-Za-z0-9_])", title, re.IGNORECASE) is not None
    return (
        re.search(rf"`{name}`|(?<![A-Za-z0-9_]){name}(?:[ -](?:tool|command|program)\b|\s*(?:工具|命令))", title, re.IGNORECASE) is not None
    )
