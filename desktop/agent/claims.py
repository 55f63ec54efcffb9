"""What a model says that it did to memory, in English and Chinese: so that the chat can say when no call did it. Pure, linear time.

Owns the wording that counts as a claim. A question, an offer, a plan with a condition, or a denial is none.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

Claim = Literal["saved", "forgotten"]

LONGEST = 20_000
"""Characters of an answer that are looked at, from its end: a claim is made where the work is reported."""

_WHICH = r"(?:(?:my|your|the|our|this project['’]s|project|persistent|long[- ]term|workspace|auto|agent)\s+){0,3}"
_MEMORY_EN = (
    rf"(?:\b(?:to|in|into|from|inside|with)\s+{_WHICH}memor(?:y|ies)\b(?!\.\w)(?!\s+(?:allocator|limit|usage|leak|map|module|pool|cache|layout|model|"
    r"management|access|pressure|budget|profile|test)s?\b)|\b(?:my|your)\s+(?:long[- ]term\s+)?memor(?:y|ies)\b"
    r"|\b(?:the|a)\s+memor(?:y|ies)(?:\s+(?:file|note|entry|index|about|that)\b|\s*[.!:,]|$)|\bMEMORY\.md\b|\blong[- ]term notes?\b)"
)
_OWN_EN = r"(?:\b(?:the |my |your )?(?:project )?memory(?: file| index| note)?\b|\bMEMORY\.md\b)"
_DID_EN = (
    r"(?:saved?|stored?|added|noted?|recorded?|updated?|written|wrote|put|logged|kept|committed|persisted|remembered|memori[sz]ed"
    r"|jotted|filed|created|made|entered)"
)
_I_EN = r"\bi(?:['’]ve| have| had|['’]d)?(?:\s+(?:just|now|already|also|successfully|gone ahead and))*\s+"
_LATER_EN = r"\b(?:for|in) (?:(?:any|all|our|your|my|the|a) )?(?:future|later|next|upcoming|coming)\b"
_A_MEMORY = (
    r"\bmemor(?:y|ies)\b(?!\.\w)(?!\s+(?:allocat\w+|limits?|usage|leaks?|map\w*|modules?|pools?|caches?|layout|model|management|access"
    r"|pressure|budget|profil\w+|tests?|footprint|barrier|buffer|regions?|pages?|blocks?|stores?|bugs?|errors?|issues?|overhead|safety"
    r"|semantics|consumption|requests?|settings?)\b)"
)
_ELSEWHERE = (
    r"[^\n!?]{0,120}?(?:\b(?:disk|files?|branch|stash|database|db|cache|variable|storage|logs?|comments?|change-?log|docs|readme|tickets?|issue|table|repo"
    r"|folder|clipboard)\b|\.\w{1,4}\b|`|□)"
)
_SAVED = (
    # I have saved it to memory / I've just noted that down in my memory
    rf"\bi(?:['’]ve| have| had|['’]d)?(?:\s+(?:just|now|already|also|successfully|gone ahead and))*\s+{_DID_EN}\b"
    rf"[^.\n!?]{{0,90}}{_MEMORY_EN}",
    # I'll remember that; I will keep this in mind; noted for future conversations
    r"\bi(?:['’]ll| will)\s+(?:now\s+|be sure to\s+|make sure to\s+|always\s+|definitely\s+)?"
    r"(?:remember|keep (?:that|this|it) in (?:mind|memory)|bear (?:that|this|it) in mind|memori[sz]e)\b",
    rf"\b(?:it|this|that|your preference|the (?:fact|preference|rule|decision))(?:['’]s| is| has been| was|['’]ve been)\s+(?:now\s+)?"
    rf"{_DID_EN}\b[^.\n!?]{{0,60}}{_MEMORY_EN}",
    rf"(?:^|[.!\n✅✓☑*_]|:\s)\s*(?:done[,.!—–-]*\s*)?(?:successfully\s+)?(?:saved|stored|added|noted|recorded|remembered|updated)\b"
    rf"[^.\n!?]{{0,60}}{_MEMORY_EN}",
    rf"(?:^|[.!\n✅✓☑*_]\s*){_OWN_EN}\s+(?:has been |is now |was )?(?:successfully )?(?:updated|saved|written)\b",
    r"\bi(?:['’]ve| have)\s+(?:now\s+)?(?:remembered(?!\s+to\b)|memori[sz]ed|made a (?:mental )?note)\b",
    r"^\s*(?:(?:got it|noted|okay|ok|sure|understood|alright)[,.!—– -]+\s*)?i(?:['’]ve| have) (?:just |now )?"
    r"(?:saved|noted|remembered|recorded)"
    r" (?:it|that|this)(?:\s+(?:down|for (?:you|later|next time|future)))*\s*[.!]?$",
    r"^\s*(?:saved|remembered|noted)(?:\s+(?:it|that|this))?\s*[.!]\s*$",
    rf"{_I_EN}(?:saved|stored|noted|recorded|remembered|jotted|written|logged)\s+(?:it|this|that|your|down)\b(?!{_ELSEWHERE})"
    rf"[^.\n!?]{{0,90}}{_LATER_EN}",
    rf"{_I_EN}(?:created|made|added|written|wrote|saved|stored|recorded|updated|put)\s+(?:an?|the|this|that|your|my|new|one|two)\s+"
    rf"(?:(?:new|short|project|user|persistent|permanent|separate|small)\s+){{0,3}}{_A_MEMORY}",
    rf"{_I_EN}(?:{_DID_EN}|jotted)\b[^.\n!?]{{0,60}}\b(?:to|in|into) (?:my|your|the project['’]?s?) (?:long[- ]term )?notes\b",
    rf"{_I_EN}(?:saved|stored|recorded|remembered|memori[sz]ed)\s+(?:this|that|the|your|it as an?)\s+"
    r"(?:information|facts?|preferences?|details?|rule|decision|convention|note)\s*(?:down\s*)?(?:[.!,]|$)",
    r"^\W*(?:i['’]ve )?(?:remembered|memori[sz]ed|saved to memory|noted (?:for (?:next time|later|future \w+)|in memory))\s*[:：—–]\s*\S",
    # 已保存到记忆 / 记忆已更新 / 我已经记住了 / 已为你记下
    r"(?:已经?|刚刚|刚才)[^。\n！？]{0,12}(?:保存|记录|写入|存入|存到|添加|加入|更新|写进|写到|记入|记到)[^。\n！？]{0,24}(?:记忆|MEMORY\.md)",
    r"(?:保存|记录|写入|存入|添加|加入|更新|写进|记入)(?:到|进|至|在)?了?[^。\n！？]{0,10}(?:记忆|MEMORY\.md)[^。\n！？吗么]{0,8}(?:了|成功|完毕|完成)",
    r"记忆(?:文件|索引)?(?:已经?|现已)(?:成功)?(?:保存|更新|写入|记录|添加)",
    r"记忆\s*(?:文件|索引)?\s*(?:更新|保存)\s*(?:了|成功|完毕|完成)(?!吗|么|没)",
    r"(?:我会|我将|我已经?|已经?|我都?)(?:把[^。\n！？]{0,30})?(?:帮你|为你|替你|帮您|为您)?(?:牢牢)?(?:记住|记下|记好|记下来|铭记)(?!了?(?:吗|么|没))",
    r"(?:好的?|明白|收到|没问题|行)[，,。！!]?\s*(?:我)?(?:记住|记下|记好)了(?!吗|么|没)",
    r"^\W*(?:我)?(?:都|已经?)?(?:记住|记下|记好|记下来|记牢)了\W*$",
    r"我(?:会|将)(?:一直|永远|始终|牢牢|好好)?(?:记住|记着|记在心|记得(?=你|您|这|它|的|$|[。！!，,]))",
    r"(?:保存|记录|写入|存入|存|添加|加入|加|写|记|记录)(?:到|进|至|在)了[^。\n！？]{0,10}(?:记忆|MEMORY\.md)",
    r"已经?(?:为[你您]|帮[你您])?(?:成功)?(?:创建|新建|建立|生成|添加|新增|写下|写好)[^。\n！？]{0,24}记忆",
    r"已经?(?:为[你您]|帮[你您])?(?:记录|保存|存|写)下来",
    r"已(?:存入|记入|写入|录入)[^。\n！？]{0,8}记忆",
)
_FORGOTTEN = (
    rf"{_I_EN}(?:deleted|removed|erased|cleared|dropped|wiped|discarded)\s+(?:that|this|the|your|those|these|both|all|it from)\s+"
    rf"(?:(?!unused\b)[\w-]+\s+){{0,3}}?{_A_MEMORY}",
    rf"^\W*(?:done[,.!—–-]*\s*)?(?:it['’]?s |it is |that['’]?s )?(?:now )?(?:deleted|removed|erased|cleared|gone|forgotten|wiped)\b"
    rf"[^.\n!?]{{0,60}}\bfrom\s+{_WHICH}{_A_MEMORY}",
    r"^\W*(?:done[,.!—–-]*\s*)?(?:it['’]?s |it is |that['’]?s )?(?:now )?forgotten\s*[.!]?\s*$",
    rf"^\W*(?:deleted|removed|erased|wiped)\s+(?:the|that|this|your)\s+(?:[\w-]+\s+){{0,2}}?{_A_MEMORY}"
    r"\s*(?:about|on|for|of|that|file|note|entry|[.!]|$)",
    rf"\b(?:it|this|that)(?:['’]s been| has been|['’]s| is)\s+(?:now\s+)?(?:gone|deleted|removed|erased|wiped)\s+from\s+"
    rf"{_WHICH}{_A_MEMORY}",
    r"(?:记忆|笔记)(?:文件)?(?:现在)?已经?(?:被)?(?:成功)?(?:删除|移除|清除|删掉|忘掉|抹去)",
    r"^\W*(?:(?:好的?|明白|收到|没问题|行)[，,。！!]?\s*)?我?已经?(?:帮[你您]|为[你您]|替[你您])?(?:忘掉|忘记|忘)了?"
    r"(?:(?:你|您|这|那|它|关于|该)[^。\n！？]*)?[。！!]?\s*$",
    rf"\bi(?:['’]ve| have)?(?:\s+(?:just|now|already|also|successfully))*\s+(?:deleted|removed|erased|cleared|forgotten|forgot)\b"
    rf"[^.\n!?]{{0,90}}{_MEMORY_EN}",
    r"\bi(?:['’]ve| have)\s+(?:now\s+)?(?:forgotten|erased)\s+(?:it|that|this|about|everything|the|your)\b",
    rf"\b(?:it|this|that|the (?:memory|note|entry))(?:['’]s| is| has been| was)\s+(?:now\s+)?(?:deleted|removed|erased|forgotten)\b"
    rf"[^.\n!?]{{0,60}}{_MEMORY_EN}",
    r"\bthe (?:memory|note|entry)\b[^.\n!?]{0,40}\b(?:has been|is now|was) (?:deleted|removed|erased|forgotten)\b"
    r"(?!\s+(?:from|in) (?!(?:my |your |the )?memor))",
    r"(?:已经?|刚刚)[^。\n！？]{0,16}(?:删除|移除|清除|忘掉|忘记|抹去)[^。\n！？]{0,24}(?:记忆|[那这]条(?!数据|日志|评论|提交|消息|规则|用例))",
    r"(?:已经?|我已)(?:帮你|为你)?(?:忘掉|忘记|忘)了?(?:这|那|它|关于)",
    r"(?:从|把)[^。\n！？]{0,20}记忆(?:里|中)?[^。\n！？]{0,20}(?:删除|移除|清除|忘掉|删掉)了?(?!吗)",
)
_WORDINGS: tuple[tuple[Claim, tuple[str, ...]], ...] = (("saved", _SAVED), ("forgotten", _FORGOTTEN))
_NO_CLAIM = re.compile(
    r"(?i)\b(?:not|never|no longer|can(?:no|['’])t|could(?: not|n['’]t)|unable|didn['’]t|haven['’]t|hasn['’]t|won['’]t|wasn['’]t|isn['’]t|"
    r"would you like|shall i|should i|do you want|want me to|if you|could|can i|let me know|fail(?:ed|s)?|refused|tried|error|"
    r"in this (?:chat|conversation|session) only|in this (?:function|file|code|change|patch|case|method|test|commit)"
    r"|for (?:the rest of )?this (?:chat|conversation|session))\b"
    r"|没有|没能|没法|无法|不能|不会|未能|未被|尚未|并未|要不要|是否|需要我|如果|失败|拒绝|吗|仅在本次|只在本次"
)
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:\.(?=\S)[^.!?。！？\n]*)*[.!?。！？]?")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_QUOTE = re.compile(r"(?m)^\s*>.*$|“[^”\n]{0,400}”|「[^」\n]{0,400}」|\"[^\"\n]{0,400}\"")


_OTHER_MEMORY = re.compile("记忆[体化力棒]|記憶[體化力棒]")
"""A machine's memory, memoised results: nothing that is remembered."""

_HAN = re.compile(r"[\u4e00-\u9fff]")
_SIMPLE = str.maketrans(
    "記憶儲經剛錄寫進為幫將會沒無嗎麼刪從條這關於個銘給該們動兩創後來", "记忆储经刚录写进为帮将会没无吗么删从条这关于个铭给该们动两创后来"
)
"""Traditional characters of the wordings above, as they are written there."""

_MIXED = (
    (
        re.compile(
            rf"{_WHICH}\bmemor(?:y|ies)\b(?!\.\w)(?!\s+(?:allocator|limit|usage|leak|map|module|pool|cache|layout)s?\b)", re.IGNORECASE
        ),
        "记忆",
    ),
    (re.compile(r"\b(?:saved?|stored?|record(?:ed)?|logged|persist(?:ed)?)\b|储存", re.IGNORECASE), "保存"),
    (re.compile(r"\b(?:updated?)\b", re.IGNORECASE), "更新"),
    (re.compile(r"\b(?:deleted?|removed?|erased?)\b", re.IGNORECASE), "删除"),
)
"""English words in a Chinese sentence, and what stands for them there."""


def _in_chinese(sentence: str) -> str:
    """A sentence that mixes both languages, or is in traditional characters, as the Chinese wordings have it; "" for any other."""
    if _HAN.search(sentence) is None:
        return ""
    made = sentence.translate(_SIMPLE)
    for pattern, word in _MIXED:
        made = pattern.sub(word, made)
    return made if made != sentence else ""


@cache
def _rules() -> tuple[tuple[Claim, re.Pattern[str]], ...]:
    """Made with the first answer: making them takes as long as ten small modules, and a start pays for none of it."""
    return tuple((kind, re.compile("|".join(rules), re.IGNORECASE | re.MULTILINE)) for kind, rules in _WORDINGS)


def claims_of(text: str) -> frozenset[Claim]:
    """What an answer claims to have done to memory; the model's own words only, not code and not what it quotes."""
    plain = _QUOTE.sub(" ", _CODE.sub(" ", text[-LONGEST:]))
    found: set[Claim] = set()
    for sentence in _SENTENCE.findall(plain):
        sentence = _OTHER_MEMORY.sub("□", sentence)
        said = [one for one in (sentence, _in_chinese(sentence)) if one]
        if sentence.rstrip().endswith(("?", "？")) or any(_NO_CLAIM.search(one) for one in said):
            continue
        found.update(kind for kind, rule in _rules() if any(rule.search(one) for one in said))
    return frozenset(found)
