"""Words by which a person takes back what they have just said: “that was a joke”, “scratch that”, 当我没说. English and Chinese.

Only for what nobody asked to remember: an explicit wish is undone by an explicit “forget”, not by “never mind”. A message that is taken
back gives no memory; a rule that the turn before saved by itself is forgotten again. Pure, linear time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import PurePath

from desktop.base.simplified import simplified
from desktop.base.words import cjk_characters
from desktop.providers.base import ModelRequest
from desktop.providers.embedded_guards import Forget
from desktop.providers.embedded_sentences import masked
from desktop.providers.embedded_turn import is_single, under

MOST_WORDS = 14
"""Word equivalents of a message that only takes something back; a longer one says something new."""

_LEAD = (
    r"(?:(?:oh|ah|hm+|ha(?:ha)*|hehe|lol|no|nah|ok(?:ay)?|wait|sorry|actually|well|but|so|yeah|and|uh|er+|oops)\b[\s,.!…-]*"
    r"|(?:呃|啊|哦|嗯+|哈+|呵+|不|等等|等下|抱歉|不好意思|好吧|那个?|其实|还是)[\s，,。.!！…]*)*"
)
_ENDS = r"(?=\s*(?:$|[,.!;:)…~—-]|(?:again|please|pls|for now|lol|haha\w*|though|sorry|man|guys|everyone)\b))"
"""The phrase is all of its clause: “that was a test run”, “kidding aside” and “nvm use 20” take nothing back."""

_ZH_ENDS = r"(?=\s*(?:$|[，,。.!！；;~～…]|吧|啦|了|哈|呢|哦|啊))(?!\s*[了]?(?:吗|么|？|\?))"
_ZH_THING = r"(?:的|那|这|个|条|句|些|话|规则|要求|约定|说法|都|就)*"
_TAKEN_BACK = re.compile(
    rf"(?i)^{_LEAD}(?:(?:please |pls |just |you can )?(?:ignore|disregard|scratch|strike|drop|cancel|forget)"
    rf" (?:(?:that|it|this){_ENDS}|(?:what i (?:just )?said|my last (?:message|one|rule))\b)"
    rf"|(?:never ?mind|nvm|nevermind)(?:(?: (?:that|it|this))?{_ENDS}|(?= i\b))"
    rf"|(?:i(?:['’]m| am| was)? )?(?:just |only )?(?:kidding|joking){_ENDS}|jk{_ENDS}"
    rf"|(?:that|it|this)(?:['’]s| is| was) (?:just |only )?(?:a joke|a test|meant as a joke|nonsense|not serious){_ENDS}"
    rf"|i (?:didn['’]?t|did not) mean (?:that|it){_ENDS}|i take (?:that|it) back\b"
    rf"|(?:算了)+(?=$|[，,。.!！~…\s]|吧|不|别|当我)|当我没说|(?:我)?(?:是|就是)?(?:开(?:个)?玩笑的?|逗你(?:玩)?的?|说着玩的?){_ZH_ENDS}"
    rf"|(?:刚才|上面|前面)(?:那|说|的|这){_ZH_THING}(?:不算数?|作废|别管|不用管|忽略|收回|取消|别当真){_ZH_ENDS}"
    rf"|(?:收回|忽略|撤回)(?:刚才|上面|前面|上一)|别当真|不用管(?:它|刚才|这个|上面)?了?(?=$|[，,。！!\s])"
    rf"|(?:这|那)(?:个|句|条)?(?:话|规则|要求|约定)?(?:不算数?|作废){_ZH_ENDS})"
)

_EXPLICIT = re.compile(
    r"(?i)\b(?:remember|memori[sz]e|keep in mind|bear in mind|note (?:that|this|it|down)|for (?:future|your) reference|memory)\b"
    r"|记住|记得|记下|记一下|记着|备忘|存到|写进记忆|别忘"
)


def takes_back(said: str, before: str) -> bool:
    """Whether a message takes back the one before it, which nobody asked to remember in words."""
    text = simplified(masked(said)).strip()
    if len(re.findall(r"[\w'’]+", text)) + cjk_characters(text) // 2 > MOST_WORDS:
        return False
    return _TAKEN_BACK.match(text) is not None and _EXPLICIT.search(masked(before)) is None


def taken_back(said: Sequence[str]) -> set[int]:
    """Which messages of a person (oldest first) the one after them takes back."""
    return {at for at, (before, after) in enumerate(pairwise(said)) if takes_back(after, before)}


def withdrawal(request: ModelRequest) -> Forget | None:
    """The memory that the turn before wrote for a sentence which the person's last message takes back."""
    if not request.memory_root or is_single(request.memory_root):
        return None
    persons = [at for at, message in enumerate(request.messages) if message.role == "user" and message.origin == "person"]
    if len(persons) < 2 or not takes_back(request.messages[persons[-1]].text, request.messages[persons[-2]].text):
        return None
    turn = request.messages[persons[-2] + 1 : persons[-1]]
    done = {result.call_id for message in turn for result in message.tool_results if result.status == "ok"}
    calls = [call for message in turn for call in message.tool_calls if call.name == "Write" and call.id in done]
    paths = [path for call in calls if isinstance(path := call.input.get("file_path"), str) and under(path, request.memory_root)]
    return Forget(PurePath(paths[0]).stem) if len(paths) == 1 else None
