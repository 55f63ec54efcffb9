"""The sentence guard: what in a person's message is meant for memory. English and Chinese, by explicit words, sentence by sentence.

A question or a bare request is never taken; quoted text and code trigger nothing. What is taken stays in the person's own words, and the
type follows from the words. The small model is not asked any of this: it guesses. Pure, linear time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from desktop.base.words import cjk_characters
from desktop.providers.embedded_sentences import Sentence, is_chinese, is_filler, is_request, one_line, sentences

MemoryType = Literal["user", "feedback", "project", "reference"]
MOST_FACTS = 5
LONGEST_FACT = 2_000


@dataclass(frozen=True, slots=True)
class Fact:
    """Something to remember, in the person's own words."""

    text: str
    type: MemoryType


@dataclass(frozen=True, slots=True)
class Remember:
    """Facts to save, and what else the message asks (empty when nothing). No facts: the words point at something that was said before."""

    facts: tuple[Fact, ...]
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Forget:
    """What to forget, as the person names it. `everything` is never done at once."""

    target: str
    everything: bool = False
    explicit: bool = True


@dataclass(frozen=True, slots=True)
class ListMemory:
    """The person wants to see what is remembered."""


Intent = Remember | Forget | ListMemory

# --- English ------------------------------------------------------------------------------------------------------------

_POLITE = (
    r"(?:(?:ok(?:ay)?|hey|hi|well|so|and|but|also|oh|btw|by the way|one more thing|another thing|please|pls|just|now|thanks|thank you|actually|again|important|"
    r"hey keepsake|keepsake)\b[\s,:!—-]*)*"
)
_ASK = r"(?:(?:can|could|would|will) you (?:please |also )*|i(?:'d| would)? (?:want|like|need) you to (?:please )?|you (?:should|must|need to|have to) |make sure (?:to |you )|be sure to )?"
_RECALL = re.compile(
    r"(?i)^(?:how (?:we|you|i|to)\b|when\b|what\b|where\b|why\b|who\b|which\b|if\b|whether\b|the (?:last |other |first )?time\b|that (?:time|day|one time)\b|last (?:time|week|month|year)\b"
    r"|anything\b|me\b)"
)
_POINTER = re.compile(r"(?i)^(?:this|that|it|these|those|all (?:of )?(?:this|that)|everything)(?: (?:too|as well|please|for me|for later|for next time|forever))*[.!:,\s]*$")
_REMEMBER = re.compile(
    rf"(?i)^{_POLITE}{_ASK}(?:(?:always|also|please) )?"
    r"(?:(?P<verb>remember|memori[sz]e|keep in mind|bear in mind|take note|make a note|note down|jot down|write down|commit to memory|note for (?:later|the future)|"
    r"for (?:future|your) reference|(?:do not|don't|never) forget)"
    r"|(?:save|store|put|add|keep|record|note|write)(?: (?P<pointer>this|that|it|the following))?(?: down)? (?:to|in|into) (?:your |the |long[- ]term )?memory)"
    r"(?P<joint>\s*[:,—–-]\s*|\s+(?:that|the fact that|this|of (?:the fact )?that)\s*[:,]\s*|\s+(?:that|the fact that)\s+|\s+|$)(?P<fact>.*)$",
    re.S,
)
_STORE = re.compile(
    rf"(?i)^{_POLITE}{_ASK}(?:save|store|put|add|keep|record)\s+(?P<fact>.+?)\s+(?:to|in|into) (?:your |the |long[- ]term )?memory\b[\s.!]*(?:please)?$", re.S
)
_TRAILING = re.compile(r"(?i)^(?P<fact>.+?)\s*[,;:—–-]+\s*(?:and |so )?(?:please )?(?:remember (?:this|that|it)|keep (?:this|that|it) in mind|note (?:this|that|it) down)[\s.!]*(?:please)?$", re.S)
_FROM_NOW = re.compile(
    rf"(?i)^{_POLITE}(?:from now on|from here on(?: out)?|going forward|henceforth|starting (?:now|today)|from today(?: on)?|as of (?:now|today)|next time|in (?:the )?future)"
    r"\b[\s,:—-]*(?P<rule>.+)$",
    re.S,
)
_FROM_NOW_END = re.compile(r"(?i)^(?P<rule>.+?)[\s,]+(?:from now on|from here on(?: out)?|going forward|henceforth|in (?:the )?future)[\s.!]*$", re.S)
_SUBJECT = r"(?:(?:you|we|everyone|the team|our team) (?:(?:should|must|will|have to|need to) )?|i (?=(?:always|never) (?:want|prefer|like|use|need|write|work)\b))?"
_ALWAYS = re.compile(rf"(?i)^{_POLITE}{_ASK}{_SUBJECT}(?P<word>always|never(?: ever)?)\s+(?P<rule>.+)$", re.S)
_DONT = re.compile(
    rf"(?i)^{_POLITE}{_ASK}(?:you (?:should|must) not|(?:we|you) (?:do not|don't|should not|shouldn't|must not|mustn't)|do not|don't|dont|no more|avoid|stop(?= \w+ing\b)|refrain from)\s+(?P<rule>.+)$",
    re.S,
)
_DONT_IDIOM = re.compile(
    r"(?i)^(?:worry|mind|bother|know|think|care|panic|hesitate|get me wrong|forget|be (?:silly|shy|afraid|sorry)|understand|see|want|need|have|like it|remember|believe|ask|stop|give up|wait|"
    r"touch|do (?:it|that|this|anything|so)|say|tell|lose|let me|apologi[sz]e)\b"
)
_SCOPED = re.compile(
    r"(?i)\b(?:yet|now|right now|for now|this|that|it|them|these|those|anything|everything|else|today|tonight|tomorrow|here|there|the (?:other|rest|file|files|test|tests|function|class|code|output|result)"
    r"|at the moment|just yet|first|until|unless i|until i|before i)\b"
)
_SCOPED_RULE = re.compile(r"(?i)\b(?:in|for|on|at|of) (?:this|that|these|those) (?:\w+ )?(?:file|function|class|test|case|line|task|step|time|change|branch|pr|commit|script|one|method|module|loop|directory|folder)\b|\bright now\b|\bjust this once\b|\bthis time\b|\btoday\b|\byet\b")
_PAST = re.compile(r"(?i)^(?:\w+ed|got|had|was|were|did|went|saw|knew|made|took|came|said|worked|been|gets?|fails?|returns?|crash(?:es)?|happens?|shows?|is|has|does|works?|mind|ending|on\b|too|enough|a )\b")

# --- Chinese ------------------------------------------------------------------------------------------------------------

_ZH_POLITE = r"(?:好的?|嗯|对了|还有|另外|顺便(?:说一下)?|哦|那|请你?|麻烦你?|拜托|帮我|帮忙|你要?|给我|也|再|另外|注意|重要)*[\s，,、：:！!]*"
_ZH_REMEMBER = re.compile(
    rf"^{_ZH_POLITE}{_ZH_POLITE}(?:一定要?|务必|都|要|必须)?"
    r"(?:(?P<verb>请?记住|牢记|谨记|记下来?|记一下|记录一下|记录下来|记着|备忘|别忘记?了?|不要忘记?了?|(?:存|保存|加|写|放|记)(?:到|进|入|在)(?:你的|长期)?记忆(?:里|中)?)|(?P<soft>记得))"
    r"(?P<joint>\s*[：:，,\s]\s*|(?:这一?点|这件事|以下(?:内容|事项)?|下面的?(?:内容)?)\s*[：:，,]\s*|)(?P<fact>.*)$",
    re.S,
)
_ZH_TAKE = re.compile(rf"^{_ZH_POLITE}{_ZH_POLITE}把(?P<fact>.+?)(?:给我)?(?:记下来?|记住|记一下|(?:存|保存|加|写|放|记)(?:到|进|入|在)(?:你的|长期)?记忆(?:里|中)?)[了吧哦啊。！!\s]*$", re.S)
_ZH_TRAILING = re.compile(
    r"^(?P<fact>.+?)\s*[，,：:；;、\s]\s*(?:请你?|麻烦你?|帮我|你要?|一定要?|务必)*(?:记住|记一下|记下来?|记着|牢记|别忘记?|不要忘记?)(?:了|吧|哦|啊|这一?点|一下|它|哈)*[。！!\s]*$", re.S
)
_ZH_POINTER = re.compile(r"^(?:这个|那个|这些|那些|这件事|这一?点|这句话?|上面(?:的|说的|这些)?|刚才(?:的|说的)?(?:话|内容)?|它|一下|了|吧|哦|啊|好|好了|下来|全部|以上(?:内容)?|我说的话?|我(?:刚才)?说的)*[。！!，,\s]*$")
_ZH_RECALL = re.compile(r"吗|么[？?]?$|什么|怎么|如何|哪|谁|为什么|多少|几|是不是|有没有|上次|之前我|那次|那时|当时")
_ZH_FROM_NOW = re.compile(
    rf"^{_ZH_POLITE}{_ZH_POLITE}(?:我们|咱们|大家|你)?(?:以后|今后|往后|从现在(?:起|开始)|从今(?:以后|往后|天起|天开始|起)?|从此(?:以后)?|之后(?:都|请|一律)|接下来都|将来|下次(?:起|开始)?|未来)"
    r"(?:请|你|我们|也)*[，,：:\s]*(?P<rule>.+)$",
    re.S,
)
_ZH_LATER = re.compile(r"^(?:再说|再|可能|也许|或许|打算|想|会不会|有空|有机会|的|会(?!议)|就知道|慢慢|看情况|才)")
_ZH_SUBJECT = r"(?:我们?|咱们|你们?|大家|团队(?:里)?|项目里?|所有人|代码里?|写代码时|回答(?:时|我)?|提交(?:时|信息|代码)?(?:前)?|每次(?:提交|回答|修改|改动|写)?[^，,。]{0,10})?"
_ZH_ALWAYS = re.compile(
    rf"^{_ZH_POLITE}{_ZH_POLITE}{_ZH_SUBJECT}[，,]?(?:都|请|要|应该|必须)*(?P<word>总是|始终|永远(?:都|不要?|别)?|一律|每次都|从不|绝不|决不|绝对(?:不要?|不能|不可以?)|千万(?:不要|别|不能)|禁止|严禁|一直都?(?:用|使用|要))(?P<rule>.+)$",
    re.S,
)
_ZH_EVERY = re.compile(rf"^{_ZH_POLITE}(?:我们|你|大家)?每次.{{1,40}}(?:都|先|必须|要|请|一定)", re.S)
_ZH_BROKEN = re.compile(r"^(?:会|在|被)?(?:失败|报错|出错|崩溃|超时|卡|不行|这样|返回|得到|显示|出现|提示|忘|觉得|感觉|有问题|很|太)")
_ZH_DONT = re.compile(rf"^{_ZH_POLITE}{_ZH_POLITE}(?:我们|大家|你)?(?P<word>不要再?|别再?|请勿|勿|不许|不准|不能再?用|不再用|避免)(?P<rule>.+)$", re.S)
_ZH_DONT_IDIOM = re.compile(r"^(?:担心|急|着急|紧|的|人|名|忘|客气|管|动|介意|误会|怕|生气|停|走|想多|慌|理|改了|说|问|告诉|这样|那样|这么|那么|做(?:了|这|那|任何)|谢|提了)")
_ZH_SCOPED = re.compile(r"现在|先|暂时|还没|这个|那个|这次|今天|它|他|她|这里|那里|这段|这行|这些|那些|这份|该|上面|其他|其它|任何东西|别的|刚才|目前|此处")
_ZH_SCOPED_RULE = re.compile(r"这个(?:文件|函数|类|测试|任务|步骤|分支|脚本|方法|模块)|这次|这里|此处|今天|这段|这行")
_ZH_DURABLE = re.compile(r"每次|以后|今后|总是|始终|永远|一律|都|[是用叫为在]|[：:]")

# --- forget and list ----------------------------------------------------------------------------------------------------

_FORGET = re.compile(
    rf"(?i)^{_POLITE}{_ASK}(?:forget|unlearn)\s+(?P<target>(?:(?:about|that|the fact that|the (?:memory|note)s? (?:about|of|on|that|named|called)|what (?:i|you) (?:said|told you|know|remember) about)\s+)*.+)$", re.S
)
_DELETE = re.compile(
    rf"(?i)^{_POLITE}{_ASK}(?:delete|remove|erase|drop|clear|wipe)\s+(?:(?:the|your|my|that|this|all(?: of)?(?: the| your| my)?)\s+)*(?:(?:memor(?:y|ies)|notes?)\s+(?:about|of|on|for|that|named|called|saying)?\s*(?P<after>.+)"
    r"|(?P<before>.+?)\s+(?:from (?:your |the |my )?memory|(?:memory|note)))[\s.!]*$",
    re.S,
)
_FORGET_LEAD = re.compile(r"(?i)^(?:about|that|the fact that|the (?:memory|note)s? (?:about|of|on|that|named|called)|what (?:i|you) (?:said|told you|know|remember) about|regarding|the|my|our)\s+")
_FORGET_IDIOM = re.compile(r"(?i)^(?:it|that|this|about (?:it|that|this)|them|me|you|what i (?:just )?said|i (?:asked|said)|to\b.*|the (?:previous|last|above|earlier)\b.*)(?:\s+(?:please|then|now))*[\s.!]*$|,\s*(?:just|let's|instead|and|do|can|use)\b")
_EVERYTHING = re.compile(r"(?i)^(?:everything|all(?: of it| memories| notes)?|all (?:of )?(?:your|my|the) (?:memor(?:y|ies)|notes)|all (?:you know|about me))\b|^(?:所有|全部|一切)(?:的?(?:记忆|事情?|东西|内容))?$")
_ZH_FORGET = re.compile(
    rf"^{_ZH_POLITE}{_ZH_POLITE}(?:把(?P<taken>.+?)(?:的?(?:这条|那条)?(?:记忆|笔记|记录))?(?:给?(?:忘掉|忘记|忘了|删掉|删除|删了|清除|去掉|抹掉))|(?:忘掉|忘记|忘了|不用记|别记)(?P<target>.+))[了吧。！!\s]*$", re.S
)
_ZH_DELETE = re.compile(rf"^{_ZH_POLITE}{_ZH_POLITE}(?:删掉|删除|清除|去掉|移除|抹掉)(?P<target>.+?)(?:的?(?:这条|那条|那个|这个)?(?:记忆|笔记))[了吧。！!\s]*$", re.S)
_ZH_DELETE_NAMED = re.compile(rf"^{_ZH_POLITE}{_ZH_POLITE}(?:删掉|删除|清除|去掉|移除)(?:这条|那条)?(?:记忆|笔记)[：:\s]*(?P<target>.+?)[了吧。！!\s]*$", re.S)
_ZH_FORGET_LEAD = re.compile(r"^(?:关于|有关|我(?:刚才|之前)?说(?:过)?的|我们?的|你记(?:住|得)的|那条|这条)")
_LIST = re.compile(
    r"(?i)^(?:ok(?:ay)?,? |hey,? |so,? |and |please )*(?:what (?:do|did|have) you (?:remember|memori[sz]ed?|saved|stored)(?: so far| already| now)?(?: about (?:me|us|this project|the project|my project))?"
    r"|what do you know about (?:me|us)|what(?:'s| is) in (?:your|the) memory|(?:show|list|print|display)(?: me)?(?: all)?(?: of)? (?:your |my |the )?memor(?:y|ies)"
    r"|what (?:memories|facts) do you have(?: saved)?)[\s?.!]*$"
)
_ZH_LIST = re.compile(
    r"^(?:请问?|那|你)*(?:你?(?:都|还)?(?:记得|记住|记)(?:了|过|住)?(?:哪些|些?什么|啥)(?:东西|内容|事情?)?|(?:你的?)?记忆(?:里|中)?(?:都)?(?:有|存了?|记了?)(?:哪些|些?什么|啥)(?:内容|东西)?|(?:列出|显示|查看|看看)(?:一下)?(?:你的?)?(?:所有|全部)?(?:的)?记忆"
    r"|你(?:知道|了解)(?:我|我们)(?:的)?(?:哪些|什么)(?:事情?|信息)?)[了呢啊？?。\s]*$"
)

# --- types --------------------------------------------------------------------------------------------------------------

_ABOUT_PERSON = re.compile(
    r"(?i)^(?:that )?(?:i|i'm|i am|i've|my (?:name|role|job|title|timezone|time zone|email|pronouns|editor|background|team|boss|birthday|github|preferred)|call me)\b|^(?:我(?!们)(?:是|叫|的|喜欢|偏好|习惯|住|在|会|不会|用|常用|更)|叫我|称呼我)"
)
_PLACE = re.compile(
    r"(?i)https?://|\b(?:dashboard|wiki|tracker|runbook|documentation|docs|board|channel|spreadsheet|confluence|jira|notion|figma|grafana)\b.*\b(?:is|are|lives?|at|in|under|on)\b|(?:看板|文档|仪表盘|工单|维基|知识库|监控|手册).*(?:在|地址|链接|位于|是)"
)
_RULE_WORDS = re.compile(
    r"(?i)^(?:please )?(?:always|never|don't|do not|avoid|stop|prefer|use|write|keep|answer|reply|respond|run|commit|name|format|put|to\b)|(?:以后|总是|永远|不要|别|一律|每次|都用|都要|请用|请)"
)


def type_of(fact: str, *, rule: bool) -> MemoryType:
    if _PLACE.search(fact):
        return "reference"
    if rule:
        return "feedback"
    if _ABOUT_PERSON.search(fact):
        return "user"
    if _RULE_WORDS.search(fact):
        return "feedback"
    return "project"


def clean_fact(fact: str) -> str:
    """The fact without the joint before it and the full stop after it, otherwise as written."""
    fact = fact.strip().strip("，,：:;；—–-").strip()
    lines = [one_line(line) for line in fact.splitlines() if line.strip()]
    return "\n".join(lines)[:LONGEST_FACT].rstrip("。.!！ ")


def _is_fact(fact: str) -> bool:
    return cjk_characters(fact) >= 2 or len(re.findall(r"\w+", fact)) >= 2


def _span(sentence: Sentence, match: re.Match[str], group: str) -> str:
    """The group in the words as written: the match was made on the masked text, which is as long."""
    return sentence.text[match.start(group) : match.end(group)]


# --- one sentence -------------------------------------------------------------------------------------------------------

POINTER = "\x00"
"""Says that the sentence asks to remember something that was said before."""


def _english_remember(s: Sentence) -> str | None:
    match = _REMEMBER.match(s.masked)
    if match:
        fact, joint = match.group("fact").strip(), match.group("joint")
        verb = (match.group("verb") or "").lower()
        explicit = ":" in joint or "that" in joint.lower() or "," in joint
        if "forget" in verb and not explicit:
            return None
        if verb in ("take note", "make a note", "note down", "jot down", "write down") and not explicit and not fact.lower().startswith("of "):
            return POINTER if _POINTER.match(fact) else None
        if not fact and match.group("pointer") is None and not verb:
            return None
        if not fact or _POINTER.match(fact) or (match.group("pointer") and ":" not in joint and not fact):
            return POINTER
        asked = s.question and not re.search(r"(?i)\b(?:can|could|would|will) you\b", s.masked[: match.start("fact")])
        if asked or (_RECALL.match(fact) and ":" not in joint) or (s.question and not explicit):
            return None
        return _span(s, match, "fact")
    match = _STORE.match(s.masked)
    if match:
        return POINTER if _POINTER.match(match.group("fact")) else _span(s, match, "fact")
    match = None if s.question else _TRAILING.match(s.masked)
    return _span(s, match, "fact") if match else None


def _chinese_remember(s: Sentence) -> str | None:
    match = _ZH_TAKE.match(s.masked)
    if match:
        return POINTER if _ZH_POINTER.match(match.group("fact")) else _span(s, match, "fact")
    match = None if s.question else _ZH_TRAILING.match(s.masked)
    if match and _is_fact(match.group("fact")):
        return _span(s, match, "fact")
    match = _ZH_REMEMBER.match(s.masked)
    if not match:
        return None
    fact, joint = match.group("fact"), match.group("joint")
    colon = bool(joint.strip()) and joint.strip()[-1] in "：:"
    if _ZH_POINTER.match(fact):
        return POINTER if match.group("verb") and not s.question else None
    if (s.question or _ZH_RECALL.search(fact)) and not colon:
        return None
    soft = match.group("soft") or re.match(r"别忘|不要忘", match.group("verb") or "")
    if soft and not colon and (re.match(r"[要把去给先]", fact) or not _ZH_DURABLE.search(fact)):
        return None
    return _span(s, match, "fact")


def _english_rule(s: Sentence, alone: bool) -> bool:
    if s.question:
        return False
    match = _FROM_NOW.match(s.masked)
    if match:
        loose = re.match(rf"(?i)^{_POLITE}(?:next time|in (?:the )?future)", s.masked)
        return not (loose and re.match(r"(?i)(?:we|it|this|they|there|i|maybe|perhaps|the)\b", match.group("rule")))
    if _FROM_NOW_END.match(s.masked):
        return not re.match(r"(?i)^(?:i|it|this|they|there|what|maybe)\b", s.masked)
    match = _ALWAYS.match(s.masked)
    if match:
        return not (_PAST.match(match.group("rule")) or _SCOPED_RULE.search(s.masked)) and not re.match(r"(?i)^\W*always-", s.masked)
    match = _DONT.match(s.masked)
    if match and alone:
        rule = match.group("rule")
        return not (_DONT_IDIOM.match(rule) or _SCOPED.search(rule)) and len(re.findall(r"\w+", rule)) >= 2
    return False


def _chinese_rule(s: Sentence, alone: bool) -> bool:
    if s.question:
        return False
    match = _ZH_FROM_NOW.match(s.masked)
    if match:
        return not _ZH_LATER.match(match.group("rule")) and len(match.group("rule")) >= 2
    match = _ZH_ALWAYS.match(s.masked)
    if match:
        return not (_ZH_BROKEN.match(match.group("rule")) or _ZH_SCOPED_RULE.search(s.masked))
    if _ZH_EVERY.match(s.masked):
        return not re.search(r"失败|报错|出错|崩溃|超时|卡住|不行", s.masked)
    match = _ZH_DONT.match(s.masked)
    if match and alone:
        rule = match.group("rule")
        return not (_ZH_DONT_IDIOM.match(rule) or _ZH_SCOPED.search(rule)) and len(rule.strip()) >= 2
    return False


def _forget(s: Sentence) -> Forget | None:
    target, explicit = "", True
    match = _DELETE.match(s.masked) or _FORGET.match(s.masked)
    if match and not (s.question and not re.search(r"(?i)\b(?:can|could|would|will) you\b", s.masked)):
        groups = match.groupdict()
        name = next(n for n in ("target", "after", "before") if groups.get(n))
        target, explicit = _span(s, match, name).strip(), name != "target"
        if name == "target" and _FORGET_IDIOM.search(target):
            return None
        while lead := _FORGET_LEAD.match(target):
            target = target[lead.end() :]
    elif not s.question:
        match = _ZH_DELETE.match(s.masked) or _ZH_DELETE_NAMED.match(s.masked) or _ZH_FORGET.match(s.masked)
        if not match:
            return None
        groups = match.groupdict()
        name = next(n for n in ("target", "taken") if groups.get(n))
        target = _ZH_FORGET_LEAD.sub("", _span(s, match, name).strip())
        if name == "taken" and not re.search(r"记忆|笔记|记录|忘", s.masked):
            return None
    target = re.sub(r"(?i)\s+(?:please|now|for me)$", "", target.strip(" .!。！，,\"'“”`")).strip()
    target = re.sub(r"的?(?:这条|那条)?(?:记忆|笔记|事情?|内容)$", "", target) or target
    return Forget(target, bool(_EVERYTHING.match(target)), explicit) if target else None


def _facts(raw: str, *, rule: bool) -> list[Fact]:
    """One fact, or one for each point of a list."""
    points = [re.sub(r"^\s*(?:[-*•]|\d+[.)、])\s+", "", line) for line in raw.splitlines() if re.match(r"\s*(?:[-*•]|\d+[.)、])\s+\S", line)]
    texts = [clean_fact(t) for t in (points[:MOST_FACTS] if len(points) >= 2 else [raw])]
    return [Fact(t, type_of(t, rule=rule)) for t in texts if _is_fact(t)]


def _belongs(s: Sentence) -> bool:
    """A sentence after the fact that goes on about it rather than asking something new."""
    return not (s.question or is_request(s.masked) or is_filler(s.masked))


# --- the message --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Reading:
    facts: list[Fact]
    rest: list[str]
    pointer: bool = False
    open_fact: bool = False


def _alone(found: list[Sentence], index: int) -> bool:
    """No other sentence of the message asks for something, so that a bare “don't” is a rule and not a limit of the task."""
    others = [s for i, s in enumerate(found) if i != index]
    return not any(s.question or is_request(s.masked) for s in others)


def _read(found: list[Sentence], index: int, reading: _Reading) -> None:
    s = found[index]
    chinese = is_chinese(s.masked)
    raw = (_chinese_remember(s) if chinese or cjk_characters(s.masked) else None) or _english_remember(s)
    if raw == POINTER:
        previous = reading.rest.pop() if reading.rest and _belongs(found[index - 1]) else ""
        added = _facts(previous, rule=False)
        reading.facts += added
        reading.pointer |= not added
        reading.open_fact = not added
        return
    if raw is not None and _is_fact(raw):
        rule = bool(re.match(r"(?i)^\s*(?:to|always|never|don't|do not)\s", raw)) or _chinese_rule(Sentence(raw.strip(), raw.strip(), False), True)
        reading.facts += _facts(raw, rule=rule)
        reading.open_fact = True
        return
    alone = _alone(found, index)
    if _english_rule(s, alone) or _chinese_rule(s, alone):
        reading.facts += _facts(s.text, rule=True)
        reading.open_fact = True
    elif reading.open_fact and _belongs(s):
        if reading.pointer and not reading.facts:
            reading.facts += _facts(re.sub(r"^\s*[-*•]\s+", "", s.text), rule=False)
            reading.pointer = not reading.facts
        elif re.match(r"\s*(?:[-*•]|\d+[.)、])\s+\S", s.text):
            reading.facts += _facts(re.sub(r"^\s*(?:[-*•]|\d+[.)、])\s+", "", s.text), rule=False)
        elif reading.facts:
            last = reading.facts[-1]
            joint = " " if not is_chinese(last.text) else "。"
            stop = "" if is_chinese(last.text) else "."
            reading.facts[-1] = Fact(f"{last.text}{stop}{joint}{clean_fact(s.text)}"[:LONGEST_FACT], last.type)
    elif not is_filler(s.masked):
        reading.open_fact = False
        reading.rest.append(s.text)


def read_intent(text: str) -> Intent | None:
    """What the person wants of memory, or None when the message is for the model alone."""
    found = sentences(text)
    if not found or len(found) > 200:
        return None
    if len(found) <= 2:
        last = found[-1]
        if _LIST.match(last.masked) or _ZH_LIST.match(last.masked):
            return ListMemory()
        wanted = [s for s in found if not is_filler(s.masked)]
        if len(wanted) == 1 and (forget := _forget(wanted[0])):
            return forget
    reading = _Reading([], [])
    for index in range(len(found)):
        _read(found, index, reading)
    if not reading.facts and not reading.pointer:
        return None
    rest = "\n".join(reading.rest)
    wants_more = any(s.text in reading.rest and (s.question or is_request(s.masked)) for s in found)
    return Remember(tuple(reading.facts[:MOST_FACTS]), rest if wants_more else "")


def extract_candidates(texts: Sequence[str]) -> list[str]:
    """Sentences of the person's messages that are worth keeping; see `embedded_statements`."""
    from desktop.providers.embedded_statements import candidates

    return candidates(texts)
