"""Every sentence that the core makes for people is a phrase with its Chinese. They are found in the source, not in a list."""

from __future__ import annotations

import ast
import re
import string
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest

import desktop

PACKAGE = Path(desktop.__file__).parent
FOLDERS = ("base", "settings", "messages", "search", "memory", "sessions", "permissions", "providers", "commands", "tools", "agent")
CORE = [*(path for folder in FOLDERS for path in sorted((PACKAGE / folder).rglob("*.py"))), PACKAGE / "compose.py"]
TEXTS = {
    "KeepsakeError": (0,), "UsageError": (0,), "SettingsError": (0,), "StorageError": (0,), "ConflictError": (0,), "NotFoundError": (0,),
    "RefusedError": (0,), "SourceError": (0,), "ContextFullError": (0,), "FetchCancelledError": (0,), "ProviderError": (1,),
    "Decision": (2,), "Notice": (2,), "CheckResult": (1, 2), "Prepared": (0,), "_refuse": (0,), "_refused": (1, 2), "_notice": (2,),
    "Verdict": (1,),
}  # fmt: skip
"""Positions of what a person reads, by the name of what is called; `hint` too where it is given by name."""
FOR_THE_MODEL = {"desktop/agent/jobs/whitelist.py"}
"""What a background job is told when it is refused: nobody else reads it."""


def _name(call: ast.Call) -> str:
    """What is called; a method `say` of something else is not ours."""
    if isinstance(call.func, ast.Attribute):
        return "" if call.func.attr == "say" else call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _calls() -> Iterator[tuple[str, ast.Call, str]]:
    for path in CORE:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = _name(node)
                yield f"{path.relative_to(PACKAGE.parent).as_posix()}:{node.lineno}", node, called


def _unspoken(node: ast.expr | None) -> bool:
    """Whether a text is written out here instead of through `say`."""
    match node:
        case ast.Constant(value=str() as text):
            return " " in text
        case ast.JoinedStr():
            return True
        case ast.BinOp():
            return _unspoken(node.left) or _unspoken(node.right)
        case ast.IfExp():
            return _unspoken(node.body) or _unspoken(node.orelse)
        case ast.BoolOp():
            return any(_unspoken(value) for value in node.values)
    return False


def test_the_source_is_found() -> None:
    assert sum(called == "say" for _, _, called in _calls()) > 200


def test_what_a_person_reads_is_a_phrase() -> None:
    wrong = [
        where
        for where, call, called in _calls()
        if called in TEXTS and where.partition(":")[0] not in FOR_THE_MODEL
        for text in [*(call.args[at] for at in TEXTS[called] if at < len(call.args)), *(k.value for k in call.keywords if k.arg == "hint")]
        if _unspoken(text)
    ]
    assert wrong == []


def test_phrases_are_literals_with_their_values() -> None:
    wrong = []
    for where, call, called in _calls():
        if called == "say":
            template = call.args[0]
            if not isinstance(template, ast.Constant) or not isinstance(template.value, str) or len(call.args) != 1:
                wrong.append(f"{where}: not a literal")
                continue
            given = {keyword.arg for keyword in call.keywords}
            named = {name for _, name, _, _ in string.Formatter().parse(template.value) if name is not None} if given else given
            if named != given or ("{" in template.value and not given and "{ …" not in template.value):
                wrong.append(f"{where}: {sorted(map(str, named ^ given)) or 'a hole without a value'}")
    assert wrong == []


def _codes(names: dict[str, int]) -> dict[str, list[ast.Call]]:
    """Calls by the literal that stands at the given position: a notice's code, a rule, an error's kind."""
    found: dict[str, list[ast.Call]] = {}
    for where, call, called in _calls():
        at = names.get(called)
        if at is not None and at < len(call.args) and where.partition(":")[0] not in FOR_THE_MODEL:
            code = call.args[at]
            if isinstance(code, ast.Constant) and isinstance(code.value, str):
                found.setdefault(code.value, []).append(call)
    return found


def _translated() -> set[str]:
    root = ElementTree.parse(PACKAGE / "resources" / "translations" / "zh_CN.ts").getroot()
    core = next(context for context in root.iter("context") if context.findtext("name") == "Core")
    return {
        message.findtext("source", "")
        for message in core.iter("message")
        if (done := message.find("translation")) is not None and done.get("type") is None and (done.text or "").strip()
    }


def test_every_phrase_has_its_chinese() -> None:
    known = _translated()
    used = {str(call.args[0].value) for _, call, called in _calls() if called == "say" and isinstance(call.args[0], ast.Constant)}
    assert len(used) > 400
    assert sorted(used - known) == []


@pytest.mark.parametrize(
    ("names", "least"),
    [
        pytest.param({"Notice": 1, "_notice": 1}, {"provider.retry", "memory.index_cut", "context.outputs_cut"}, id="notices"),
        pytest.param({"Decision": 1}, {"write.outside", "execute.command", "read.sensitive"}, id="rules"),
        pytest.param({"ProviderError": 0}, {"auth", "cut", "unavailable"}, id="kinds"),
    ],
)
def test_every_code_says_something_that_is_translated(names: dict[str, int], least: set[str]) -> None:
    """A text that is made where it is used must be a phrase with its Chinese; one that is handed on was checked where it was made."""
    known = _translated()
    codes = _codes(names)
    assert least <= set(codes)
    silent = []
    for code, calls in codes.items():
        for call in calls:
            for text in (call.args[at] for at in TEXTS[_name(call)] if at < len(call.args)):
                made = [n for n in ast.walk(text) if isinstance(n, ast.Call) and _name(n) == "say"]
                missing = [n for n in made if isinstance(n.args[0], ast.Constant) and n.args[0].value not in known]
                if missing or (not made and not isinstance(text, ast.Name | ast.Attribute | ast.Call | ast.BoolOp)):
                    silent.append(code)
    assert silent == []


def test_memory_never_names_the_machine_s(  # UI-11: a person must not take one for the other
) -> None:
    machine = re.compile(  # RAM is called RAM
        r"(?i)\b(?:ran out of memory|memory (?:usage|leak|limit|pressure)|not enough memory|[MG]i?B of memory|free memory)\b"
    )
    assert sorted(text for text in _translated() if machine.search(text)) == []
