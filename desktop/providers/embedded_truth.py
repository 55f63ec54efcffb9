"""The true result of what was done, told by code: a small model likes to say that a change was made when its call failed. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop.providers.embedded_sentences import one_line
from desktop.providers.embedded_turn import Step

CHANGES = ("Write", "Edit", "Bash")
LONGEST_REASON = 240
_CLAIM = re.compile(
    r"(?i)\b(?:(?:has|have) (?:now )?been|was|were|is now|are now|i(?:'ve| have)?(?: now)?)\s+(?:successfully )?"
    r"(?:added|changed|created|deleted|edited|fixed|inserted|moved|removed|renamed|replaced|saved|updated|written)\b"
    r"|已(?:经)?(?:被)?(?:成功)?(?:添加|加入|修改|更改|改成|改为|创建|新建|删除|更新|替换|保存|写入|移动|重命名|修复)"
)


_WISH = re.compile(
    r"(?i)\b(?:add|change|create|delete|edit|fix|insert|move|remove|rename|replace|save|update|write|append|put"
    r"|set)\b|添加|加|改|创建|新建|删|更新|替换|写|移动|重命名|修"
)


def _target(step: Step) -> str:
    return step.path or one_line(str(step.call.input.get("command", "")))[:80]


def failure(steps: Sequence[Step], chinese: bool) -> str:
    """What to say instead of the model's words when the last call of the turn was a change that was refused or failed; else empty.

    A command that failed says more than its status: the model may read its output, so only a refusal counts there.
    """
    if not steps or steps[-1].ok or steps[-1].call.name not in CHANGES:
        return ""
    step = steps[-1]
    reason = one_line(step.result.output)[:LONGEST_REASON]
    name, target = step.call.name, _target(step)
    if step.result.status == "denied":
        return f"没有执行：{name} {target} 未被允许。" if chinese else f"I did not do it: {name} {target} was not allowed."
    if step.result.status == "interrupted":
        return f"{name} {target} 被中断，结果不明。" if chinese else f"{name} {target} was interrupted, so its result is not known."
    if name == "Bash":
        return ""
    return f"没有成功：{name} {target} 失败。{reason}" if chinese else f"That did not work: {name} of {target} failed. {reason}"


def may_try_again(steps: Sequence[Step]) -> bool:
    """A write or an edit that failed for the first time in this turn: the model gets another try before the person is told."""
    return steps[-1].result.status == "error" and sum(not s.ok for s in steps) < 2


def correction(said: str, text: str, steps: Sequence[Step], chinese: bool) -> str:
    """What to add to words that claim a change which was asked for and which no call of the turn made; else empty."""
    if not _CLAIM.search(text) or not _WISH.search(said) or any(s.ok and s.call.name in CHANGES for s in steps):
        return ""
    if chinese:
        return "（实际上没有更改任何内容：没有工具完成这一操作。）"
    return "(In fact nothing was changed: no tool did it.)"
