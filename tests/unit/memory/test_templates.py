"""Template text is refused to agents, and ordinary Markdown is not."""

from __future__ import annotations

import random

import pytest

from desktop.memory.gate import Actor, GateRequest, check
from desktop.memory.templates import unfilled
from tests.helpers.data import shared_data
from tests.unit.memory.conftest import ON

UNFILLED = [
    "---\nname: <slug>\ndescription: x\n---\n\nFoo",
    "---\nname: a\ndescription: <one line>\n---\n\nFact",
    '---\nname: a\ndescription: "{{description}}"\n---\n\nFact',
    "---\nname: a\ndescription: TODO\n---\n\nFact",
    "---\nname: a\ndescription: b\nmetadata:\n  type: user | feedback | project | reference\n---\n\nx is y",
    "We use pnpm.\n\n**Why:** <reason>",
    "**Why:** [insert reason here]",
    "- {{fact}}",
    "<fact>",
    "Lorem ipsum dolor sit amet",
    "description here",
    "Your text here",
    "---\nname: a\ndescription: 占位\n---\n\n正文",
    "事实：<在此填写>",
    "在此填写内容",
    "此处填写描述",
    "待补充",
    "The fact itself. For feedback and project memories also why it holds and how to apply it.",
    "事实本身。feedback 和 project 类还要写明原因以及如何应用。",
    "---\nname: package-manager\ndescription: one line that tells when this memory matters\nmetadata:\n  type: user\n---\n\nPnpm",
    "---\nname: package-manager\ndescription: 用一行说明何时用得上这条记忆\n---\n\nPnpm",
    "How to apply: <how to apply>",
    "TODO",
    "TBD",
    "<your name here>",
    "User is <insert role>.",
    "The deadline is <insert date here>.",
    "# {{title}}\n\n{{body}}",
    "${description}",
    "# Title\n\n[Describe the memory]",
    "---\nname: memory-name\ndescription: short description here\n---\n\nfact here",
    "**原因：** <填写原因>",
    "【待填写】",
    "---\nname: x\ndescription: y\nmetadata:\n  keywords: [<keyword>, a]\n---\nz",
    "Insert your fact here.",
    "placeholder",
    "- Name: <name>\n- Role: <role>",
]
ORDINARY = [
    "Use <div> instead of <section> for cards.",
    "Vec<String> is faster than LinkedList<T>.",
    "Templates use {{ name }} for the user's name.",
    "TODO comments need a ticket number.",
    "Owner: TBD\n\nThe API is frozen until 2026-12-10.",
    "`<name>` is the placeholder in our CLI help.",
    "Run `deploy.sh <env>` for staging.",
    "The form has a placeholder text 'Your name'.",
    "<https://wiki.example/x>",
    "<b>Important</b>: prod is read-only",
    "```\n<name>\n{{x}}\n```\nUse this snippet for new notes.",
    "Map<K, V> beats Object",
    "In Vue write {{ value }} inside spans.",
    "Set ${HOME}/bin in PATH",
    "占位图放在 assets/placeholder.png",
    "表单里的占位符要翻译",
    "待定需求放在看板最后一列",
    "We call the empty slot “placeholder”.",
    "Contact: <ops@corp.example>",
    "a < b and c > d",
    "if x < 3 then y > 4",
    "The description field is required.",
    "Fill in the form before Friday.",
    "The insert button is here on the left.",
    "模板在 templates/ 目录",
    "描述：登录页要支持深色模式",
    "说明：接口需要令牌",
    "- [ ] none\n\nUse checkboxes for plans",
    "List<Map<String, Object>> is banned.",
    "<!-- comment -->\nUse tabs.",
    "Example: use `pnpm add <pkg>`",
    "x: <5ms for p95",
    "Latency must stay <200ms>100ms",
    "JSX: wrap with <Provider> at the root",
    "<Suspense> must wrap lazy routes",
    "<details>\n<summary>Why</summary>\nIt is faster\n</details>\nUse it.",
    "#include <vector> goes first",
    "[Description of the API](docs/api.md)",
    "[your-org](https://github.com/your-org) owns it",
    "Name: Ana",
    "用 <Trans> 组件包住文案",
    "Generic type parameters <T> are named T, U",
    "std::vector<int> only",
    "---\nname: template\ndescription: where the e-mail template lives\n---\n\nThe e-mail template lives in mails/base.html.",
    "---\nname: todo\ndescription: where tasks are\n---\n\nTasks are in TODO.md.",
    "---\nname: mails\ndescription: where mails live\nmetadata:\n  keywords: [template, 模板, placeholder, 内容]\n---\n\nIn mails/.",
    "---\nname: 内容\ndescription: 内容团队的例会\n---\n\n内容团队每周三开会。",
    "Cache folder: ${XDG_CACHE_HOME}",
    "Settings folder: %APPDATA%",
]


@pytest.mark.parametrize("text", UNFILLED)
def test_unfilled(text: str) -> None:
    assert unfilled(text)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary(text: str) -> None:
    assert unfilled(text) == ""


@pytest.mark.parametrize("actor", ["main", "extractor", "dream"])
def test_the_gate_refuses_it_to_agents_with_the_way_out(actor: Actor) -> None:
    verdict = check(GateRequest(actor, "write", "a.md", UNFILLED[0], ON))
    assert (verdict.allowed, verdict.rule) == (False, "memory.template")
    assert "a.md" in verdict.reason
    assert verdict.hint


def test_a_person_and_a_restore_and_the_index_are_not_judged_by_it() -> None:
    assert check(GateRequest("person", "write", "a.md", UNFILLED[0], ON)).allowed
    assert check(GateRequest("main", "restore", "a.md", UNFILLED[0], ON)).allowed
    assert check(GateRequest("main", "write", "MEMORY.md", "- [Notes](notes.md) — <div>", ON)).allowed


def test_a_secret_is_told_before_a_template() -> None:
    token = "gh" + "p_" + "a1B2c3D4e5" * 3 + "F6g7H8"
    assert check(GateRequest("main", "write", "a.md", f"<name>\n{token}", ON)).rule == "memory.secret"


LEADS = ("We use", "Never change", "I prefer", "我们用", "不要动", "部署走", "The page shows", "Docs are in", "Ask Ana about", "测试放在")
THINGS = (
    "`<Button>`",
    "<code>npm ci</code>",
    "Vec<String>",
    "Map<K, List<V>>",
    "{{ user.name }} in Jinja",
    "docs/<version>/index.html",
    "$HOME/bin",
    "${{ matrix.os }} in the workflow",
    "a TODO for each ticket",
    "[the guide](docs/guide.md)",
    "the placeholder image",
    "表单占位图",
    "std::array<int, 3>",
    "x < 3 and y > 4",
    "<kbd>Ctrl</kbd>+<kbd>K</kbd>",
    "`{{item}}`",
    "the template folder",
    "mailto links <ops@corp.example>",
    "<https://wiki.example/a>",
    "描述字段",
    "the insert statement",
    "`TODO(name)` comments",
    "React.FC<Props>",
    "#include <map>",
    "the summary line",
    "Promise<void>",
)
ENDS = (
    ".",
    ", here and in the tests.",
    "。",
    " (since May).",
    "\n\n**Why:** the auditors asked.",
    "\n\n```html\n<name>{{x}}</name>\n```",
    "\n- one\n- two",
    "\n<details>\n<summary>More</summary>\nText\n</details>",
)


def test_three_hundred_ordinary_notes_pass() -> None:
    seed = 20261130
    print(f"seed {seed}")
    chance = random.Random(seed)
    notes = [
        f"---\nname: n{number}\ndescription: about {number}\n---\n\n{chance.choice(LEADS)} {chance.choice(THINGS)}{chance.choice(ENDS)}"
        for number in range(300)
    ]
    refused = [(note, unfilled(note)) for note in notes if unfilled(note)]
    assert refused == []


def test_real_memory_files_pass() -> None:
    files = [path for path in sorted(shared_data("real").rglob("*.md")) if path.stat().st_size < 300_000]
    refused = [(path.name, found) for path in files if (found := unfilled(path.read_text(encoding="utf-8", errors="replace")))]
    assert refused == []
