"""Sessions of other tools of a given size, as those tools write them, for benchmarks and tests. No benchmark by itself.

Texts are those of real work: mostly English, some Chinese, now and then a picture sign, outputs of programs.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, TextIO

FOLDER = "/home/ada/demo"
_SAID = "The parser reads one line and the index knows where it stands; nothing else of the file is held. "
_CHINESE = "解析器一次读一行，索引记得它在哪里，其余的都不留。"
_OUTPUT = "src/parser/line_{n}.py:{n}:    return self.read(line)  # nothing else is held\n"

Record = dict[str, Any]


def _turns(size: int, seed: int = 1) -> Iterator[tuple[int, str, str]]:
    """Number, role and words, until about so many bytes were said: a person, an answer, a call's output."""
    rng = random.Random(seed)
    said = number = 0
    while said < size:
        role = ("user", "assistant", "output")[number % 3]
        if role == "output":
            text = "".join(_OUTPUT.format(n=number + at) for at in range(rng.randrange(20, 160)))
        else:
            text = f"{number}: " + (_CHINESE if rng.random() < 0.2 else _SAID) * rng.randrange(1, 6 if role == "user" else 30)
            text += ("🎉 done" if rng.random() < 0.2 else "— done") if rng.random() < 0.5 else ""
        said += len(text.encode()) + 300
        yield number, role, text
        number += 1


def _time(number: int) -> str:
    return f"2026-01-{1 + number // 86_400 % 28:02}T{number // 3_600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}.000Z"


def _line(file: TextIO, record: Record) -> None:
    file.write(json.dumps(record, ensure_ascii=False) + "\n")


def claude(path: Path, size: int) -> None:
    before: str | None = None
    with path.open("w", encoding="utf-8") as file:
        for number, role, text in _turns(size):
            own = f"u-{number}"
            if role == "output":
                message: Record = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"c-{number}", "content": text}]}
            elif role == "assistant":
                call = {"type": "tool_use", "id": f"c-{number + 1}", "name": "Bash", "input": {"command": f"grep -rn read src/{number}"}}
                content = [{"type": "text", "text": text}, call]
                message = {"id": f"m-{number}", "role": role, "model": "claude-demo", "content": content, "usage": {"output_tokens": 40}}
            else:
                message = {"role": role, "content": text}
            record = {
                "parentUuid": before, "isSidechain": False, "userType": "external", "cwd": FOLDER, "sessionId": path.stem,
                "version": "2.0.1", "gitBranch": "main", "type": "user" if role == "output" else role, "message": message, "uuid": own,
                "timestamp": _time(number),
            }  # fmt: skip
            if role == "output":
                record["toolUseResult"] = {"stdout": text, "stderr": "", "interrupted": False}
            _line(file, record)
            before = own


def codex(path: Path, size: int) -> None:
    def line(kind: str, payload: Record, number: int) -> Record:
        return {"timestamp": _time(number), "type": kind, "payload": payload}

    with path.open("w", encoding="utf-8") as file:
        told = {"id": path.stem, "timestamp": _time(0), "cwd": FOLDER, "cli_version": "0.100.0", "git": {"branch": "main"}}
        _line(file, line("session_meta", told, 0))
        _line(file, line("turn_context", {"cwd": FOLDER, "model": "gpt-demo"}, 0))
        for number, role, text in _turns(size):
            if role == "output":
                call = {"type": "function_call", "name": "shell", "arguments": json.dumps({"command": ["ls"]}), "call_id": f"c-{number}"}
                _line(file, line("response_item", call, number))
                given = json.dumps({"output": text, "metadata": {"exit_code": 0}})
                _line(file, line("response_item", {"type": "function_call_output", "call_id": f"c-{number}", "output": given}, number))
                continue
            kind = "output_text" if role == "assistant" else "input_text"
            item = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
            _line(file, line("response_item", item, number))
            said = {"type": "agent_message" if role == "assistant" else "user_message", "message": text}
            _line(file, line("event_msg", said, number))


def opencode(path: Path, size: int) -> None:
    import sqlite3

    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(
            "CREATE TABLE project (id TEXT PRIMARY KEY, worktree TEXT);"
            "CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, slug TEXT, directory TEXT, title TEXT,"
            " version TEXT, revert TEXT, time_created INTEGER, time_updated INTEGER);"
            "CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);"
            "CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER,"
            " data TEXT);"
            "CREATE INDEX message_session ON message (session_id); CREATE INDEX part_session ON part (session_id);"
        )
        db.execute("INSERT INTO session VALUES ('ses_1', 'p', NULL, 's', ?, 'A long one', '1', NULL, 1, 2)", (FOLDER,))
        for number, role, text in _turns(size):
            when = 1_767_000_000_000 + number * 1_000
            if role != "output":
                message: Record = {"role": role, "time": {"created": when}, "modelID": "demo", "path": {"cwd": FOLDER}}
                db.execute("INSERT INTO message VALUES (?, 'ses_1', ?, ?, ?)", (f"msg_{number:08}", when, when, json.dumps(message)))
                owner, part = f"msg_{number:08}", Record(type="text", text=text)
            else:
                state = {"status": "completed", "input": {"command": "ls"}, "output": text}
                owner, part = f"msg_{number - 1:08}", Record(type="tool", callID=f"c-{number}", tool="bash", state=state)
            said = json.dumps(part, ensure_ascii=False)
            db.execute("INSERT INTO part VALUES (?, ?, 'ses_1', ?, ?, ?)", (f"prt_{number:08}", owner, when, when, said))


def _gemini_messages(size: int) -> Iterator[Record]:
    for number, role, text in _turns(size):
        when = _time(number)
        if role == "output":
            result = [{"functionResponse": {"id": f"c-{number}", "name": "shell", "response": {"output": text}}}]
            call = {"id": f"c-{number}", "name": "shell", "args": {"command": "ls"}, "result": result, "status": "success"}
            yield {"id": f"m-{number}", "timestamp": when, "type": "gemini", "content": "", "toolCalls": [call], "model": "gemini-demo"}
        else:
            kind = "gemini" if role == "assistant" else "user"
            yield {"id": f"m-{number}", "timestamp": when, "type": kind, "content": text}


def gemini(path: Path, size: int, indent: str = "  ") -> None:
    with path.open("w", encoding="utf-8") as file:
        head = json.dumps({"sessionId": path.stem, "projectHash": "0a", "startTime": _time(0), "lastUpdated": _time(9)})
        file.write(head[:-1] + ', "messages": [')
        for number, one in enumerate(_gemini_messages(size)):
            file.write(("," if number else "") + "\n" + indent + json.dumps(one, ensure_ascii=False, indent=2 if indent else None))
        file.write("\n]}\n")


def gemini_cut(path: Path, size: int) -> None:
    gemini(path, size)
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size - 700)


def gemini_one_line_cut(path: Path, size: int) -> None:
    gemini(path, size)
    text = path.read_text("utf-8").replace("\n", "")
    path.write_text(text[:-700], "utf-8")


def chat_document(path: Path, size: int) -> None:
    """A list of messages as exports of many programs have it."""
    with path.open("w", encoding="utf-8") as file:
        file.write('{"title": "A long one", "messages": [\n')
        for number, role, text in _turns(size):
            one = {"role": "tool" if role == "output" else role, "content": text}
            file.write((",\n" if number else "") + json.dumps(one, ensure_ascii=False))
        file.write("\n]}\n")


def cline(path: Path, size: int) -> None:
    """`api_conversation_history.json` of a task's folder."""
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for number, role, text in _turns(size):
            kind = "assistant" if role == "assistant" else "user"
            said = f"[execute_command for 'ls'] Result:\n{text}" if role == "output" else f"<task>\n{text}\n</task>" if not number else text
            one = {"role": kind, "content": [{"type": "text", "text": said}], "ts": 1_767_000_000_000 + number}
            file.write((",\n" if number else "") + json.dumps(one, ensure_ascii=False))
        file.write("]")


def markdown(path: Path, size: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write("# A long chat\n\n")
        for _, role, text in _turns(size):
            if role == "output":
                file.write(f"```\n{text}```\n\n")
            else:
                file.write(f"## {role.title()}\n\n{text}\n\n")


def specstory(path: Path, size: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write("<!-- Generated by SpecStory -->\n\n# A long chat (2026-01-05 09:00:00Z)\n\n")
        for number, role, text in _turns(size):
            if role == "output":
                file.write(f"```\n{text}```\n\n")
            else:
                file.write(f"_**{role.title()} ({_time(number)[:19].replace('T', ' ')}Z)**_\n\n{text}\n\n---\n\n")


def aider(path: Path, size: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        for number, role, text in _turns(size):
            if number % 300 == 0:
                file.write(
                    f"\n# aider chat started at {_time(number)[:19].replace('T', ' ')}\n\n> Aider v0.86.0  \n> Main model: demo  \n\n"
                )
            if role == "user":
                file.write(f"#### {text.strip()}  \n\n")
            elif role == "assistant":
                file.write(f"{text}\n\n> Tokens: 2.1k sent, 345 received. Cost: $0.01 message, $0.02 session.  \n\n")
            else:
                file.write("".join(f"> {line}  \n" for line in text.splitlines()[:8]) + f"\n```\n{text}```\n\n")


def aider_unmarked(path: Path, size: int) -> None:
    """As an editor leaves it that takes blanks from the ends of lines."""
    aider(path, size)
    path.write_text("\n".join(line.rstrip() for line in path.read_text("utf-8").split("\n")), "utf-8")


def aider_printed(path: Path, size: int) -> None:
    """Printed texts of several lines, the last of which ends as aider ends a text, and quotations of the model, which never do."""
    with path.open("w", encoding="utf-8") as file:
        file.write("# aider chat started at 2026-01-05 09:00:00\n\n")
        for _, role, text in _turns(size):
            if role == "user":
                file.write(f"#### {text.strip()}  \n\n")
            elif role == "assistant":
                file.write(f"{text}\n\n" + "> a quoted line of the answer\nand one more\n" * 40)
            else:
                file.write(f"> {text.strip()}  \n\n")


def broken_lines(path: Path, count: int) -> None:
    """Lines of Claude Code that were all cut, with a whole one here and there."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            said = {"role": "user", "content": f"{number} words"}
            record = {
                "parentUuid": None,
                "sessionId": "s",
                "type": "user",
                "message": said,
                "uuid": f"u{number}",
                "timestamp": _time(number),
            }
            line = json.dumps(record)
            file.write((line if number % 50 == 0 else line[: len(line) - 1 - number % 90]) + "\n")


def qwen(path: Path, size: int) -> None:
    before: str | None = None
    with path.open("w", encoding="utf-8") as file:
        for number, role, text in _turns(size):
            kind = "user" if role == "user" else "assistant" if role == "assistant" else "tool_result"
            part: Record = {"text": text}
            if role == "output":
                part = {"functionResponse": {"id": f"c-{number}", "name": "shell", "response": {"output": text}}}
            message = {"role": "model" if role == "assistant" else "user", "parts": [part]}
            record = {
                "uuid": f"u-{number}", "parentUuid": before, "sessionId": path.stem, "timestamp": _time(number), "type": kind,
                "cwd": FOLDER, "version": "0.1", "message": message,
            }  # fmt: skip
            _line(file, record)
            before = f"u-{number}"


def chat_lines(path: Path, size: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        for _, role, text in _turns(size):
            _line(file, {"role": "tool" if role == "output" else role, "content": text})


FORMATS: dict[str, tuple[str, Callable[[Path, int], None]]] = {
    "claude-code": ("talk.jsonl", claude),
    "codex": ("rollout-1.jsonl", codex),
    "opencode": ("opencode.db", opencode),
    "gemini": ("session-1.json", gemini),
    "gemini-cut": ("session-cut.json", gemini_cut),
    "gemini-line-cut": ("session-line.json", gemini_one_line_cut),
    "qwen": ("talk-qwen.jsonl", qwen),
    "cline": ("api_conversation_history.json", cline),
    "chat-document": ("export.json", chat_document),
    "chat-lines": ("messages.jsonl", chat_lines),
    "markdown": ("chat.md", markdown),
    "specstory": ("2026-01-05_09-00Z-a-long-chat.md", specstory),
    "aider": (".aider.chat.history.md", aider),
    "aider-unmarked": ("unmarked.aider.chat.history.md", aider_unmarked),
    "aider-printed": ("printed.aider.chat.history.md", aider_printed),
}
"""By name: a file's usual name and what writes one of about so many bytes."""
