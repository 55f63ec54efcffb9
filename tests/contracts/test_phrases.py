"""Every sentence that the core makes for people is a phrase, so that the window can say it in its own language; found in the source, not in a list."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import desktop

PACKAGE = Path(desktop.__file__).parent
CORE = sorted(
    path
    for folder in ("base", "settings", "messages", "search", "memory", "sessions", "permissions", "providers", "commands", "tools", "agent")
    for path in (PACKAGE / folder).rglob("*.py")
) + [PACKAGE / "compose.py"]
TEXTS = {
    "KeepsakeError": (0,), "UsageError": (0,), "SettingsError": (0,), "StorageError": (0,), "ConflictError": (0,), "NotFoundError": (0,),
    "RefusedError": (0,), "SourceError": (0,), "ContextFullError": (0,), "FetchCancelledError": (0,), "ProviderError": (1,),
    "Decision": (2,), "Notice": (2,), "CheckResult": (1, 2), "Prepared": (0,), "_refuse": (0,), "_refused": (1, 2), "_notice": (2,),
    "Verdict": (1,),
}  # fmt: skip
"""Positions of what a person reads, by the name of what is called; `hint` too where it is given by name."""
FOR_THE_MODEL = {"desktop/agent/jobs/whitelist.py"}
"""What a background job is told when it is refused: nobody else reads it."""


def _calls() -> Iterator[tuple[str, ast.Call, str]]:
    for path in CORE:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
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
        if called == "say" and isinstance(call.func, ast.Name):
            template = call.args[0]
            if not isinstance(template, ast.Constant) or not isinstance(template.value, str) or len(call.args) != 1:
                wrong.append(f"{where}: not a literal")
                continue
            given = {keyword.arg for keyword in call.keywords}
            named = {name for _, name, _, _ in string.Formatter().parse(template.value) if name is not None} if given else given
            if named != given or ("{" in template.value and not given and "{ …" not in template.value):
                wrong.append(f"{where}: {sorted(map(str, named ^ given)) or 'a hole without a value'}")
    assert wrong == []
