"""Template text: a memory that somebody forgot to fill in: `<name>`, `{{description}}`, “your text here”, 占位, the rules' own example.

Owns what counts as unfilled. A mark counts where a value should stand, so that Markdown with HTML tags, generics such as `Vec<String>` and
notes about placeholders pass; what stands in code is never looked at. Pure, linear, any thread.
"""

from __future__ import annotations

import re

from desktop.memory.frontmatter import parse
from desktop.memory.index_text import without_code

LONGEST_LINE = 2_000
MOST_LINES = 5_000
_FENCE = re.compile(r"^[ \t]{0,3}(```|~~~)")
_LABEL = re.compile(
    r"^[\s>*+-]*(?:\d+[.)]\s+)?(?:\[[ xX]\]\s*)?(?:#{1,6}\s+)?(?:[*_]{0,3}[\w /()（）-]{1,40}[*_]{0,3}\s{0,2}[:：=][*_]{0,3}\s*)?"
)
_WORDS = (
    r"(?:your|the|a|an|this|my|insert|add|put|enter|fill|write|describe|replace|some|one|short|brief|kebab|name|title|description|descr"
    r"|desc|summary|type|slug|date|time"
    r"|value|text|fact|content|reason|why|how|example|placeholder|todo|tbd|topic|subject|memory|key|hook|line|user|project|feedback"
    r"|reference|file|path|author|owner|url|link"
    r"|version|id|something|details?|yyyy.*|xxx+|\.\.\.|…)"
)
_ANGLE = re.compile(rf"(?i)^<(?!https?:|mailto:|/|!){_WORDS}\b[^<>\n]{{0,120}}>[.。]?$|^<[^<>\n]*[\u4e00-\u9fff][^<>\n]{{0,80}}>[.。]?$")
_ANY_ANGLE = re.compile(r"<(?!https?:|mailto:)[^<>@]{1,120}>$")
_TELLING_ANGLE = re.compile(
    r"(?i)<(?:your|insert|add|enter|fill in|describe|replace|put|short|brief|one[- ]line|kebab)[ -][^<>\n]{1,120}>|<(?:插入|填写|填入"
    r"|输入|此处|在此"
    r"|请|你的|一句话|简短)[^<>\n]{1,60}>"
    r"|<[^<>\n]{1,60}\bhere>"
)
_BRACKET = re.compile(
    r"(?i)^\[(?:your|insert|add|enter|fill in|describe|replace|short|brief|one[- ]line)\b[^\[\]\n]{0,120}\](?!\()[.。]?$|^[\[【](?:插入"
    r"|填写|填入"
    r"|此处|在此|待填|占位|请填)[^\]】\n]{0,60}[\]】][.。]?$"
)
_BRACES = re.compile(r"^\{\{[^{}\n]{1,120}\}\}[.。]?$|^\$\{(?![A-Z][A-Z0-9_]{1,60}\})[^{}\n]{1,80}\}$|^__[A-Z][A-Z_]{2,40}__$")
"""Names of the environment, `${HOME}` and `%APPDATA%`, are values that people write down."""
_WHOLE = re.compile(
    r"(?i)^(?:todo|tbd|tba|fixme|xxx+|n/?a|fill (?:this|me) in|to be (?:filled(?: in)?|determined|done|written|added|completed)"
    r"|placeholder(?: text)?|template|untitled|example (?:text|description|memory)"
    r"|(?:the |a |your |one[- ]line |short |brief )*(?:description|summary|text|content|fact|reason|name|title|value|details?"
    r"|explanation)(?: goes| comes)? here"
    r"|(?:insert|add|write|put|enter|type|describe)\b.{0,60}\bhere|(?:the )?fact itself|one line that tells when this memory matters"
    r"|user \| feedback \| project \| reference"
    r"|asdf+|foo bar(?: baz)?|test test|待(?:填写?|补充|定|完善)|占位(?:符|文字|文本|内容)?|(?:请)?在此(?:处)?(?:填写|输入|插入"
    r"|描述).{0,20}|(?:请)?(?:填写|输入"
    r"|描述).{0,12}(?:此处|这里)|此处(?:填写|插入|描述|输入).{0,20}"
    r"|这里(?:填写?|写|是|输入)(?:描述|内容|事实|说明|原因|名称|标题)?|用一行说明何时用得上这条记忆|事实本身|描述(?:文字|内容)?|内容"
    r"|说明文字|示例(?:文字|文本|内容)?|无标题|未命名)[.。…!！]*$"
)
_WHOLE_BODY_ONLY = re.compile(r"(?i)^(?:todo|tbd|tba|fixme|xxx+|n/?a|template|内容|描述|待(?:定|补充|完善))[.。…]*$")
"""What is an empty value in a header or as the only text, and an ordinary remark in a line among others."""
_ANYWHERE = re.compile(r"(?i)\blorem[ ]ipsum\b|\bdolor sit amet\b|\b(?:description|text|content|fact) goes here\b")
_EXAMPLE = re.compile(
    r"(?i)^the fact itself\.? for feedback and project memories also why it holds and how to apply it"
    r"|^事实本身。?feedback 和 project 类还要写明原因"
)
_YAML_EXAMPLE = frozenset(("user | feedback | project | reference", "user|feedback|project|reference"))


def unfilled(text: str) -> str:
    """The first piece of template text in a memory, at most 80 characters of it; "" when there is none.

    Args:
        text: a whole note, header included.
    """
    document = parse(text.encode("utf-8", "surrogatepass"))
    for value, is_word in _header_values(document.metadata):
        if _ANY_ANGLE.match(value.strip()) or value.strip().lower() in _YAML_EXAMPLE or _is_placeholder(value, is_word=is_word):
            return value.strip()[:80]
    lines = [line for line in _prose(document.body) if line.strip()][:MOST_LINES]
    alone = sum(1 for line in lines if not line.lstrip().startswith("#")) <= 1
    for line in lines:
        found = _in_line(line, alone)
        if found and not _is_tag(found, document.body):
            return found[:80]
    return ""


def _header_values(metadata: dict[str, object]) -> list[tuple[str, bool]]:
    """The texts that name and describe a memory, each with whether it is only a word that the memory is about: a memory may be named
    “template” or be found by “todo”. Other fields of a header are whoever's wrote them."""
    nested = metadata.get("metadata")
    inner = nested if isinstance(nested, dict) else {}
    keywords = inner.get("keywords", metadata.get("keywords"))
    words = [metadata.get("name"), *(keywords if isinstance(keywords, list) else [])]
    values = [metadata.get("description"), metadata.get("type"), inner.get("type")]
    return [(value, False) for value in values if isinstance(value, str)] + [(word, True) for word in words if isinstance(word, str)]


def _prose(body: str) -> list[str]:
    """The body's lines without fenced code."""
    kept: list[str] = []
    fence = ""
    for line in body.splitlines():
        mark = _FENCE.match(line)
        if mark and (not fence or mark.group(1) == fence):
            fence = "" if fence else mark.group(1)
        elif not fence:
            kept.append(line[:LONGEST_LINE])
    return kept


def _in_line(line: str, alone: bool) -> str:
    plain = without_code(line)
    for rule in (_ANYWHERE, _TELLING_ANGLE):
        match = rule.search(plain)
        if match:
            return match.group()
    if plain != line and len(plain.split()) < 2:
        return ""  # the line is code and little else
    text = plain.strip()
    value = text[_label_end(text) :].strip().strip("*_\"“”'「」").strip()
    if _EXAMPLE.match(text) or (value and _is_placeholder(value) and (alone or not _WHOLE_BODY_ONLY.match(value))):
        return value or text
    return ""


def _is_tag(found: str, body: str) -> bool:
    """An opening tag of HTML, which is closed somewhere: <details>, <summary>."""
    return found[:1] == "<" and f"</{found.strip('<>.').split(' ')[0]}>" in body


def _label_end(text: str) -> int:
    match = _LABEL.match(text)
    return match.end() if match else 0


def _is_placeholder(value: str, *, is_word: bool = False) -> bool:
    """Whether a value is nothing but a mark to be filled in; `is_word`: single words tell what it is about, whichever they are."""
    text = value.strip().strip("\"'“”「」*_").strip()
    if len(text) > 200:
        return False
    rules = (_ANGLE, _BRACKET, _BRACES) if is_word and len(text.split()) == 1 else (_ANGLE, _BRACKET, _BRACES, _WHOLE)
    return any(rule.match(text) for rule in rules) or bool(_TELLING_ANGLE.search(text))
