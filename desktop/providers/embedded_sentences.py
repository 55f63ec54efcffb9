"""Sentences of a person's message, in English and Chinese: what is quoted, where sentences end, which are questions or requests.

The ground of the sentence guard. Pure, linear time; knows nothing of memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from desktop.base.simplified import simplified
from desktop.base.words import cjk_characters

MASKED = "\u25a1"
"""Stands for each quoted character, so that positions stay the same and quoted words trigger nothing."""
LONGEST = 6_000
"""Of a longer message only the head is looked at: what follows is pasted material."""

_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.S)
_QUOTED_LINE = re.compile(r"(?m)^[ \t]*>.*$")
_INLINE = re.compile(
    r"`[^`\n]{1,300}`|\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|‘[^’\n]{1,300}’|「[^」\n]{1,300}」|『[^』\n]{1,300}』"
    r"|《[^》\n]{1,300}》"
)
_SPEECH = re.compile(r"(?<![\w])'[^'\n]{2,300}'(?![\w])")
_END = re.compile(
    r"[，,]\s*(?=另外|对了[，,]|顺便)|,\s+(?=(?:also|btw|by the way)\b)|[.!?…]+(?=[\s)\"”’]|$)"
    r"|[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f]+\s+(?!(?:in|for|as|to|at|and|or|is|are|means|when|on|with)\b)(?=\S)|[。！？；…]+"
    r"|;(?=\s)|\n+"
)
_ABBREVIATION = re.compile(r"(?i)(?:\b(?:e\.g|i\.e|etc|vs|mr|mrs|ms|dr|no|approx|cf)|\b[a-z])\.$")
_SPACES = re.compile(r"\s+")

_LEAD_IN = r"(?:so |and |but |ok(?:ay)?,? |hey,? |hi,? |btw,? |also,? )*+"
_ENGLISH_QUESTION = re.compile(
    rf"(?i)^{_LEAD_IN}(?:(?:does|do|did|has|have|is|can|could|should|would) (?:anybody|anyone|somebody|someone|everyone|everybody)"
    rf"|(?:is|are|am|was|were|does|did|can|could|would|will|should|shall|may|might|has|had"
    rf"|isn't|aren't|doesn't|didn't|can't|won't)"
    r" (?:i|you|we|they|he|she|it|there|this|that|these|those|the|a|an|my|our|your|any|anyone|someone)|(?:do"
    r"|don't|have) (?:i|you|we|they|these|those|our|my|your)"
    r"|any (?:idea|chance|news))\b"
)
_WH = re.compile(
    rf"(?i)^{_LEAD_IN}(?:(?:who|whom|whose|what|which|where|why|how)(?:'s|'re)?\b|when(?:'s| is| are| was| were"
    rf"| do| does| did| will| should| can)\b)"
)
_CHINESE_QUESTION = re.compile(
    r"吗|呢$|[对是]吧$|什么|怎么|怎样|(?<!无论)如何|哪(?!怕)|^[^谁]*谁(?!都|也)[^谁]*$|为何|为什么|多少|多久|多长|为啥|咋|几(?:个|点"
    r"|次|号|天)|是不是"
    r"|有没有|能不能"
    r"|可不可以"
    r"|要不要|会不会|是否|对不对|好不好|记不记得|何时"
)
_ORDERS = re.compile(r"^(?:请|麻烦)?你?(?:别|不要|不用|不许|禁止|永远|以后|我(?:更|很|最)?喜欢你|我希望你(?:每|总|先|都))")
"""An order or a wish: a question word inside is its object."""
_ENGLISH_REQUEST = re.compile(
    r"(?i)^(?:ok(?:ay)?,? |so,? |and |then,? |now,? |next,? |also,? |please,? |pls |just |first,? "
    r"|go ahead and |let's |let us |can you |could you |would you |will you |i want you to "
    r"|i need you to |help me |hey,? )*+"
    r"(?:add|analy[sz]e|answer|apply|build|bump|calculate|change|check|clean|clone|close|commit|compare|compile"
    r"|compute|configure|continue|convert|copy|count|create"
    r"|debug|delete|deploy|describe|design|diff|do|document|download|draft|edit|execute|explain|extract|find"
    r"|finish|fix|format|generate|get|give|go|grep|help|implement"
    r"|improve|insert|inspect|install|lint|list|look|make|merge|migrate|move|open|optimi[sz]e|parse|print"
    r"|profile|pull|push|put|read|rebase|recommend|refactor|remove|rename"
    r"|replace|reproduce|resolve|restart|revert|review|rewrite|run|save|scan|search|see|set|show|simplify|sort"
    r"|split|start|stop|suggest|summari[sz]e|test|tell|translate"
    r"|try|undo|update|upgrade|use|verify|view|write)\b"
)
_CHINESE_REQUEST = re.compile(
    r"^(?:好的?[，,]?|那么?[，,]?|现在|然后|接着|再|请你?|麻烦你?|帮我?|帮忙|你|给我|先)*+"
    r"(?:写|改|修|加|删|看|查|找|读|打开|运行|执行|跑|列出?|显示|解释|说明|告诉|翻译|总结|创建|新建|生成|检查"
    r"|测试|重构|实现|优化|安装|部署|更新|比较|分析|介绍|搜索|提交|推送"
    r"|继续|试|做|把|给|调|画|算|统计|整理|转换|替换|重命名|移动|复制)"
)
_FILLER = re.compile(
    r"(?i)^(?:thanks?(?: you)?(?: (?:a lot|so much))?|thx|ty|ok(?:ay)?|great|cool|nice|good|perfect|hi|hello"
    r"|hey|yes|no|sure|please|bye|got it|btw|by the way"
    r"|谢谢你?|多谢|好的?|嗯+|行|可以|你好|您好|嗨|对|是的|没事|辛苦了)[\s,.!，。！～~]*$"
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as written, whether it was written as a question, and its closing mark.

    `masked` is the same text, as long, with quoted characters masked and Traditional characters simplified.
    """

    text: str
    masked: str
    question: bool
    mark: str = ""

    @property
    def whole(self) -> str:
        return self.text + self.mark


def is_chinese(text: str) -> bool:
    """The person writes Chinese: enough CJK characters beside whatever names and code stand in Latin letters."""
    wide = cjk_characters(text)
    latin = sum(1 for c in text if c.isascii() and c.isalpha())
    return wide >= 2 and wide * 4 >= latin


def masked(text: str) -> str:
    """`text` with code, quotations and quoted lines blanked out, character for character."""
    for pattern in (_FENCE, _QUOTED_LINE, _INLINE, _SPEECH):
        text = pattern.sub(lambda m: re.sub(r"[^\n]", MASKED, m.group()), text)
    return text


_SHORT = {
    "u": "you",
    "ur": "your",
    "pls": "please",
    "plz": "please",
    "bc": "because",
    "cuz": "because",
    "coz": "because",
    "tho": "though",
    "dont": "don't",
    "doesnt": "doesn't",
    "didnt": "didn't",
    "isnt": "isn't",
    "arent": "aren't",
    "wasnt": "wasn't",
    "wont": "won't",
    "cant": "can't",
    "shouldnt": "shouldn't",
    "im": "i'm",
    "ive": "i've",
    "theyre": "they're",
    "youre": "you're",
    "weve": "we've",
    "thats": "that's",
    "whats": "what's",
    "wheres": "where's",
    "theres": "there's",
    "heres": "here's",
    "lets": "let's",
    "gonna": "going to",
    "wanna": "want to",
    "w/": "with",
    "w/o": "without",
    "rn": "right now",
    "atm": "at the moment",
    "idk": "i don't know",
}
_SHORT_WORD = re.compile(rf"(?i)(?<![\w./'’@#-])(?:{'|'.join(sorted(map(re.escape, _SHORT), key=len, reverse=True))})(?![\w./'’@-])")


def spelled_out(text: str) -> str:
    """An English message with the short spellings of chats written in full, but for what is quoted or code; any other text as it is."""
    if is_chinese(text):
        return text
    hidden, kept, end = masked(text), [], 0
    for match in _SHORT_WORD.finditer(hidden):
        kept += [text[end : match.start()], _SHORT[match.group().lower()]]
        end = match.end()
    return "".join([*kept, text[end:]])


_NOT_KEPT = re.compile(
    r"(?i)\b(?:off the record|(?:just )?between (?:us|you and me)|(?:there['’]?s )?no need to|don['’]?t(?: (?:bother|need) to)?|do not"
    r"|needn['’]?t"
    r"|not necessary to|not worth) (?:save|sav|store|stor|note|not|remember|record|keep|write|writ|memori[sz]e)(?:ing|e)? (?:this|that"
    r"|it|what i (?:just )?(?:said|told|wrote)|any of (?:this"
    r"|that))\b(?! (?:in|on|under|inside|as) )|\boff the record\b|\bbetween (?:us|you and me)\b"
    r"|(?:不用|不必|别|不要|无需|不需要|用不着|没必要)(?:帮我|给我)?(?:记(?!得|录日志)|存|保存|写进记忆)(?:住|下来?|录|了)*(?:了|啊|哈"
    r"|吧|呀|哦)*(?=$|[，,。！!\s])"
    r"|(?:别|不要|不用)(?:把)?(?:这个|这句|这条|它)(?:记|存)|(?:这个|这句话?|这条|这事)(?:就)?(?:别|不用|不要|不必)(?:记|存)|私下(?:说"
    r"|讲|跟你说)"
)


def not_to_be_kept(text: str) -> bool:
    """Whether the person says that what they tell is not to be remembered."""
    return _NOT_KEPT.search(simplified(masked(text))) is not None


def one_line(text: str) -> str:
    return _SPACES.sub(" ", text).strip()


def _cuts(blank: str) -> list[tuple[int, int, str]]:
    """(start, end, closing mark) of each sentence."""
    found: list[tuple[int, int, str]] = []
    start = 0
    for match in _END.finditer(blank):
        if match.group().startswith(".") and _ABBREVIATION.search(blank[start : match.start() + 1]):
            continue
        found.append((start, match.start(), match.group()))
        start = match.end()
    found.append((start, len(blank), ""))
    return found


def sentences(text: str) -> list[Sentence]:
    """The sentences of a message in order; empty ones are left out. Looks at the first few thousand characters only."""
    text = text[:LONGEST]
    blank = simplified(masked(text))
    found: list[Sentence] = []
    for start, end, mark in _cuts(blank):
        raw, hidden = text[start:end], blank[start:end]
        if not raw.strip():
            continue
        lead = len(raw) - len(raw.lstrip())
        tail = len(raw.rstrip())
        raw, hidden = raw[lead:tail], hidden[lead:tail]
        found.append(Sentence(raw, hidden, is_question(hidden, mark), mark.strip()))
    return found


def is_question(sentence: str, mark: str = "") -> bool:
    """By its mark, else by its form: a question word in front, an auxiliary before its subject, a Chinese question word anywhere."""
    if "?" in mark or "？" in mark or sentence.rstrip().endswith(("?", "？")):
        return True
    if cjk_characters(sentence) >= 2:
        if _ORDERS.match(sentence) and not sentence.rstrip().endswith(("吗", "呢")):
            return False
        return bool(_CHINESE_QUESTION.search(sentence))
    return bool(_ENGLISH_QUESTION.match(sentence) or _WH.match(sentence))


def is_request(sentence: str) -> bool:
    """It asks for something to be done now, as far as its first word tells."""
    stripped = sentence.strip()
    return bool(_ENGLISH_REQUEST.match(stripped) or (cjk_characters(stripped) and _CHINESE_REQUEST.match(stripped)))


def is_filler(sentence: str) -> bool:
    """Thanks, greetings and the like: nothing that wants an answer of its own."""
    return bool(_FILLER.match(sentence.strip()))


def only_asks(text: str) -> bool:
    """Every sentence is a question and none asks, politely, for something to be done."""
    found = [s for s in sentences(text) if not is_filler(s.masked)]
    return bool(found) and all(s.question and not is_request(s.masked) for s in found)
