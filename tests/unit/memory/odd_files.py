"""Memory files as people, editors and other tools leave them: every header with every kind of line break, encoding and body in turn."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass

HEADERS: dict[str, str] = {
    "standard": "name: build-tool\ndescription: We build with bun\nmetadata:\n  type: project",
    "flow": "name: flow\ndescription: d\nmetadata: {type: user, pinned: true, keywords: [构建, build]}",
    "flow over lines": "name: flow2\nmetadata: {\n  type: user,\n  tags: [a,\n    b]\n}",
    "json": '{"name": "json form", "description": "all in braces", "metadata": {"type": "reference"}}',
    "top type": "name: top\ndescription: d\ntype: feedback",
    "both types": "type: user\nname: both\nmetadata:\n  type: project",
    "unknown type": "name: x\ntype: recipe",
    "chinese": "name: 构建工具\ndescription: 我们用 bun，从不用 npm：原因见正文\nmetadata:\n  type: feedback",
    "chinese keys": "名称: 构建\ndescription: d\n类型: 用户",
    "emoji": "name: 🎉 party 👨‍👩‍👧\ndescription: café naïve ﷽ עברית",
    "double quotes": 'name: "quoted \\"inside\\" # kept"\ndescription: "tab\\tand \\u4e2d"',
    "single quotes": "name: 'it''s # kept'\ndescription: '12'",
    "inline comment": "name: x # a comment\ndescription: see#12 and C# #tag\n# whole line",
    "colon in value": "name: x\ndescription: Time: 12:30: late",
    "windows path": "name: x\ndescription: C:\\Users\\张三\\new\npath: `C:\\agent\\x`",
    "windows path quoted": 'name: x\ndescription: "C:\\Users\\new"',
    "no blank": "name:x\ndescription:y\nmetadata:\n  type:user",
    "some without blank": "name: x\ndescription:y\nother: z",
    "blank before colon": "name : x\ndescription  : y",
    "tab": "name:\tx\ndescription: a\tb\nmetadata:\n\ttype: user",
    "block text": "name: x\ndescription: |\n  two\n  lines\n\n  more\nmetadata:\n  type: user",
    "folded text": "name: x\ndescription: >-\n  folded\n  text\n\nmetadata:\n  type: project",
    "plain over lines": "name: x\ndescription: goes on\n  in the next line\n  and one more",
    "anchors": "name: &n anchored\ndescription: *n\nmetadata:\n  type: user",
    "merge": "base: &b {type: user}\nmetadata:\n  <<: *b\nname: x",
    "tags": "name: !!str 12\ndescription: !custom y\nwhen: !!timestamp 2026-01-01",
    "wiki link": "name: x\nlinks:\n  - [[wikilink]]suffix\n  - [[other]]",
    "italic": "title: *Italic*\nname: x",
    "bold": "name: **bold**\ndescription: d",
    "percent": "name: 50% more\ndescription: %ready\nmetadata:\n  type: user",
    "at": "name: @scope/pkg\ndescription: `code`",
    "quotes inside": 'name: repro\ndescription: "abc "def" ghi"\nmetadata:\n  type: feedback\ntags: [a, b]',
    "bracket text": "name: [draft] title\ndescription: (a) {b}",
    "open bracket": "name: x\ntags: [a, b\ndescription: d",
    "open quote": 'name: "never closed\ndescription: d',
    "duplicate": "name: one\nname: two\nmetadata:\n  type: user\n  type: project",
    "nested lists": "name: x\nlist:\n- a\n- - b\n  - c\n- {d: [e, {f: g}]}\nmetadata:\n    type: user",
    "dates": "name: 2026-01-02\ndescription: 2026-13-45\nmetadata:\n  modified: 2026-02-03\n  created: 2026-02-03T04:05:06+08:00",
    "numbers": "name: 007\ndescription: 1_000\nversion: 1.10\nhex: 0x1F",
    "words": "name: yes\ndescription: null\nmetadata:\n  pinned: True\n  explicit: on",
    "empty values": "name:\ndescription: ''\nmetadata:",
    "metadata text": "name: x\nmetadata: just text",
    "metadata list": "name: x\nmetadata:\n  - type: user",
    "deep metadata": "name: x\nmetadata:\n  a:\n    b:\n      type: user\n  type: project",
    "list": "- just\n- a list",
    "prose": "This is a rule, then some text\nand more of it",
    "prose with colon": "Note to self: buy milk\n\nSecond: line",
    "empty": "",
    "blank lines": "\n\nname: x\n\n\ndescription: d\n\n",
    "only comment": "# nothing here",
    "document marks": "name: x\n...\ndescription: d",
    "globs": "description: Rules\nglobs: **/*.py\nalwaysApply: true",
    "globs only": "globs: *.ts,*.tsx",
    "content key": "content: x\nhandler: y\nname: z\nbody: w",
    "long line": "name: x\ndescription: " + "长 line " * 400,
    "many keys": "\n".join(f"key{n}: value {n}" for n in range(300)),
    "stamped": "name: x\ndescription: d\nmetadata:\n  node_type: memory\n  created: 2026-01-02T03:04:05.000Z\n"
    "  modified: 2026-02-03T04:05:06.000Z\n  originSessionId: sess_1\n  type: user",
    "top stamp": "name: x\nmodified: 2026-02-03T04:05:06Z\noriginSessionId: sess_2\nmetadata: {}",
    "supersedes": "name: x\nmetadata:\n  type: user\n  supersedes: [old-name, 旧名]\n  keywords: one word\n"
    "  explicit: true\n  pinned: true",
    "indent four": "metadata:\n    type: user\n    # inside\n    pinned: false\nname: last",
    "wrong indent": "name: x\n  description: d\n metadata:\n   type: user",
    "question": "? complex key\n: value\nname: x",
    "control": "name: a\x07b\ndescription: d",
    "nul": "name: a\x00b\ndescription: d",
    "line separators": "name: a\u2028b\ndescription: c\x85d",
    "zero width": "name: \u200bx\u200e\ndescription: \ufeffd",
    "html": "name: <script>alert(1)</script>\ndescription: <!-- hidden --> shown",
    "dashes inside": "name: x\n ---\ndescription: --- not a mark",
}

BODIES: dict[str, str] = {
    "plain": "\nBody.\n",
    "rule": "\nabove\n\n---\n\nbelow: x\n\n---\n",
    "no newline": "Body without end",
    "empty": "",
    "second header": "---\nname: second\n---\ntext\n",
    "code": "```yaml\n---\nname: in code\n---\n```\n",
    "chinese": "\n我们用 bun。\n\n**为什么：** 快。\n",
    "crlf inside": "one\r\ntwo\nthree\rfour\r\n",
    "blanks": "   \n\t\n  x  \n\n\n",
}
WHOLE: dict[str, str] = {
    "no header": "# Title\n\ntext\n",
    "rule first": "---\nA rule, then text that never closes\n",
    "four dashes": "----\nhello\n----\nworld\n",
    "dashes and text": "--- text\nname: x\n---\n",
    "blank first": "\n---\nname: x\n---\nbody\n",
    "spaces first": "  ---\nname: x\n---\nbody\n",
    "blanks behind the marks": "---  \nname: x\n---\t\nbody\n",
    "closed at the end": "---\nname: x\n---",
    "dots close nothing": "---\nname: x\n...\nbody\n",
    "plus marks": "+++\nname = 'toml'\n+++\nbody\n",
    "nothing": "",
    "one dash line": "---",
    "two marks": "---\n---\nbody\n",
    "two marks and no more": "---\n---",
    "indented close": "---\nname: x\n  ---\nmore\n---\nbody\n",
    "comment first": "<!-- note -->\n---\nname: x\n---\nbody\n",
}
NEWLINES = ("\n", "\r\n", "\r")
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "broken")


@dataclass(frozen=True, slots=True)
class OddFile:
    """A made-up file: what it is, its bytes, the text of its header ("" for none) in `\\n` lines and its encoding."""

    name: str
    data: bytes
    header: str
    encoding: str


def _encoded(text: str, encoding: str) -> bytes:
    match encoding:
        case "utf-16-le":
            return b"\xff\xfe" + text.encode(encoding)
        case "utf-16-be":
            return b"\xfe\xff" + text.encode(encoding)
        case "broken":
            return text.encode() + b"\nbad \xff\xc3 bytes\n"
        case _:
            return text.encode(encoding)


def odd_files(seed: int = 20260102) -> list[OddFile]:
    """Every header plainly, and with each line break and encoding and a body by turns; then the files that are odd as a whole."""
    pick = random.Random(seed)
    bodies = itertools.cycle(BODIES.items())
    found: list[OddFile] = []
    for kind, header in HEADERS.items():
        for newline in NEWLINES:
            for encoding in ("utf-8", pick.choice(ENCODINGS[1:])):
                body_kind, body = next(bodies)
                text = f"---\n{header}\n---\n".replace("\n", newline) + (body if "crlf" in body_kind else body.replace("\n", newline))
                found.append(OddFile(f"{kind} {newline!r} {encoding} {body_kind}", _encoded(text, encoding), header, encoding))
    for kind, text in WHOLE.items():
        for newline in NEWLINES:
            found.append(OddFile(f"{kind} {newline!r}", text.replace("\n", newline).encode(), "", "utf-8"))
    return found
