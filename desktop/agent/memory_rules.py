"""The memory section of the system prompt, in English and Chinese: where memory is, what goes where, what to save and what not.

Owns wording only. Every path comes from the table of roots (`memory.roots`), so that text and store can never name two places (W-27).
Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.agent.prompts import Language
from desktop.memory.note import INDEX_NAME
from desktop.memory.roots import PROJECT, USER, WORKSPACE, MemoryRoot

RULES_EN = """
# Memory

You have a memory that lasts across conversations: a folder of Markdown files at {project}
The folder exists; write files into it directly with Write and Edit, no mkdir is needed and no permission is asked. Keep notes about this \
project and person nowhere else but in the places named here.

Where something goes:
{places}

Each memory is one file about one subject, named after it (`package-manager.md`), in this form:

---
name: package-manager
description: one line that tells when this memory matters
metadata:
  type: user | feedback | project | reference
---

The fact itself. For feedback and project memories also why it holds and how to apply it.

Types, and when to write one:
- user: who the person is, what they know, how they like to work, as soon as you learn it.
- feedback: a correction or a confirmation of how you should work, with its reason.
- project: a decision, deadline, constraint or reason that the code does not show.
- reference: where something lives outside this folder (a dashboard, a tracker, a document).

When the person says to remember something, write it now. When they say to forget something, find the file and delete it (`rm` with its \
absolute path; it goes to the trash). Before you write, look at the index and at files that may hold the same subject: update one that \
exists rather than writing a second, correct what is wrong, delete what no longer holds. Turn relative dates into absolute ones. Link \
related memories with [[name]].

Do not save: what can be read from the code or its history, fix recipes, what AGENTS.md or CLAUDE.md already say, the state of the task at \
hand, secrets of any kind. Asked to save such a thing anyway, save what was not obvious about it. A plan belongs into the conversation.

{index_step}

Before you ask the person something that they may have told you before, look into memory: memory_search finds more than the index shows. \
What a memory says was true when it was written: \
check that a path, function or option that it names still exists before you rely on it; what you see now beats memory, and a memory that \
turned out wrong is to be mended. If the person wants memory ignored, use none of it and do not mention it.
{extra}"""

INDEX_STEP_EN = """\
Write only the topic file: the app keeps the index MEMORY.md of {project}, one line for each file. Never put contents into it. To re-word, \
move or pin an index line, or to forget a file, use memory_index; it needs no reading first."""

PROJECT_EN = "- By default: a file of its own in {folder}"
USER_EN = """\
- “In all my projects”, or what the person is and wants wherever they work, when they ask you to keep it everywhere: {folder}
  MEMORY.md there is the text itself, in sections, with further files beside it. Only the person changes it: your call is put to them."""
WORKSPACE_EN = """\
- “In the repository”, for everybody who has this folder: {file}
  One file and one step: write the text into it; at most 32 KB, no other file beside it. The person is asked."""

RULES_ZH = """
# 记忆

你有跨对话保留的记忆：一个存放 Markdown 文件的文件夹，位于 {project}
文件夹已经存在；直接用 Write 和 Edit 写入，不需要 mkdir，也不会询问许可。关于此项目和此人的笔记只写在这里列出的位置。

写到哪里：
{places}

每条记忆是一个文件、一个主题，文件名即主题（如 `package-manager.md`），格式如下：

---
name: package-manager
description: 用一行说明何时用得上这条记忆
metadata:
  type: user | feedback | project | reference
---

事实本身。feedback 和 project 类还要写明原因以及如何应用。

类型与时机：
- user：此人是谁、懂什么、喜欢怎样工作，一知道就写。
- feedback：对你工作方式的纠正或肯定，连同原因。
- project：代码里看不出来的决定、期限、约束或原因。
- reference：文件夹之外的东西在哪里（看板、工单、文档）。

对方说“记住”时立即写入；说“忘掉”时找到对应文件并删除（`rm` 加绝对路径）。写之前先看索引和可能同主题的文件：已有的就更新，\
不要写第二份；错的改正，不再成立的删除。相对日期改成绝对日期。相关记忆用 [[name]] 链接。

不要保存：能从代码或其历史读出的内容、修复步骤、AGENTS.md 或 CLAUDE.md 已写明的内容、当前任务的状态、任何密钥。\
即使被要求保存这类内容，也只保存其中不明显的部分。计划写在对话里。

{index_step}

在向对方询问可能已经告诉过你的事之前，先查记忆：memory_search 能找到索引里看不到的内容。\
记忆说的是写下时的情况：其中提到的路径、函数或选项，先确认仍然存在再依赖；眼前所见优先于记忆，发现记忆有误就修正。\
如果对方要求忽略记忆，就完全不用，也不提及。
{extra}"""

INDEX_STEP_ZH = """\
只写主题文件：{project} 里的索引 MEMORY.md 由应用维护，每个文件一行。不要把内容写进索引。要改写、移动、置顶某一行索引或忘掉某个文件，\
用 memory_index，无需先读取。"""

PROJECT_ZH = "- 默认：在 {folder} 里单独写一个文件"
USER_ZH = """\
- “在我的所有项目里”，或对方要求处处记住的个人情况和偏好：{folder}
  那里的 MEMORY.md 就是正文，分节书写，旁边可以有其他文件。只有本人能改：你的调用会先征求其同意。"""
WORKSPACE_ZH = """\
- “写进仓库”，给所有拿到这个文件夹的人：{file}
  只有一个文件、一步完成：直接写进去；最多 32 KB，旁边不放其他文件。会先征求对方同意。"""

_PLACES = {
    "en": {PROJECT: PROJECT_EN, USER: USER_EN, WORKSPACE: WORKSPACE_EN},
    "zh": {PROJECT: PROJECT_ZH, USER: USER_ZH, WORKSPACE: WORKSPACE_ZH},
}


def memory_rules(roots: Sequence[MemoryRoot], language: Language, extra: str = "") -> str:
    """The rules for these roots; those that nobody writes, and other tools', are not named. The project's root is always one of them."""
    template, step = (RULES_ZH, INDEX_STEP_ZH) if language == "zh" else (RULES_EN, INDEX_STEP_EN)
    project = next(str(root.folder) for root in roots if root.id == PROJECT)
    lines = _PLACES[language]
    places = [
        lines[root.id].format(folder=root.folder, file=root.folder / INDEX_NAME)
        for root in roots
        if root.id in lines and not root.read_only
    ]
    return template.format(
        project=project,
        places="\n".join(places),
        index_step=step.format(project=project),
        extra=f"\n{extra.strip()}\n" if extra.strip() else "",
    )
