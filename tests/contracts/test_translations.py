"""Every string of the window can be translated and is: literal in the code, found by Qt's own tool, finished in Chinese, compiled."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
CALLS = {"tr": 0, "translate": 1}
"""Position of the text among the arguments."""
HOLES = re.compile(r"\{[a-z_]*[^}]*\}|%n")


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("translations_script", ROOT / "packaging" / "translations.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


script = _script()


class _Finder(ast.NodeVisitor):
    """Texts of `self.tr("…")` (context: the class) and `translate("Context", "…")`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.classes: list[str] = []
        self.found: list[tuple[str, str]] = []
        self.wrong: list[str] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.classes.append(node.name)
        self.generic_visit(node)
        self.classes.pop()

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        is_tr = name == "tr" and isinstance(owner, ast.Name) and owner.id == "self"
        if is_tr or (name == "translate" and len(node.args) > 1):
            at = CALLS[name]
            texts = [one.value if isinstance(one, ast.Constant) and isinstance(one.value, str) else None for one in node.args[: at + 1]]
            if None in texts:
                self.wrong.append(f"{self.path.name}:{node.lineno}: the text is not a literal")
            else:
                context = str(texts[0]) if at else (self.classes[-1] if self.classes else "")
                self.found.append((context, str(texts[at])))
        self.generic_visit(node)


def _texts() -> Iterator[_Finder]:
    for file in script.sources():
        finder = _Finder(Path(file))
        finder.visit(ast.parse(Path(file).read_text(encoding="utf-8")))
        yield finder


def _forms(file: Path) -> Iterator[tuple[str, str]]:
    """(source, one translated form)."""
    for message in ElementTree.parse(file).getroot().iter("message"):
        translation = message.find("translation")
        if translation is not None:
            for form in list(translation.iter("numerusform")) or [translation]:
                yield message.findtext("source", ""), form.text or ""


def test_every_string_is_finished_and_compiled() -> None:
    assert script.check() == []


def test_texts_are_literals() -> None:
    assert [wrong for finder in _texts() for wrong in finder.wrong] == []


def test_qt_s_tool_found_every_string() -> None:
    known = {(context, source) for context, source, _ in script.messages(script.FOLDER / "zh_CN.ts")}
    missed = [f"{finder.path.name}: {one}" for finder in _texts() for one in finder.found if one not in known]
    assert missed == []


@pytest.mark.parametrize("language", sorted(script.LANGUAGES))
def test_translations_keep_their_placeholders(language: str) -> None:
    wrong = [
        (source, form)
        for source, form in _forms(script.FOLDER / f"{language}.ts")
        if set(HOLES.findall(form)) - {"%n"} != set(HOLES.findall(source)) - {"%n"}
    ]
    assert wrong == []


def test_chinese_is_chinese() -> None:
    """A translation without a Han character is only right for names, keys and marks."""
    odd = [
        source
        for source, form in _forms(script.FOLDER / "zh_CN.ts")
        if not re.search(r"[\u4e00-\u9fff]", form) and re.search(r"[a-z]{3,} [a-z]{2,}", HOLES.sub("", source))
    ]
    assert odd == []


def test_a_missing_string_would_fail(tmp_path: Path) -> None:
    file = tmp_path / "zh_CN.ts"
    file.write_text(
        '<TS version="2.1" language="zh_CN"><context><name>C</name>'
        "<message><source>Open</source><translation>打开</translation></message>"
        '<message><source>Save</source><translation type="unfinished"></translation></message>'
        '<message numerus="yes"><source>%n files</source><translation><numerusform></numerusform></translation></message>'
        "</context></TS>",
        encoding="utf-8",
    )
    assert len(script.problems(file)) == 2
