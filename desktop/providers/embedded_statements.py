"""Lasting statements: what a person says about themselves or the project without asking to remember it. For the background job only.

Looser than the sentence guard and still by code: a small model that reads a whole conversation finds nothing. Pure, linear time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop.base.words import cjk_characters
from desktop.providers.embedded_guards import Fact, Remember, clean_fact, read_intent, type_of
from desktop.providers.embedded_sentences import is_request, sentences

MOST_CANDIDATES = 3
_DURABLE = re.compile(
    r"(?i)^(?:(?:ok(?:ay)?|well|so|and|also|btw|by the way|fyi|yes|no|actually),? )*"
    r"(?:(?:my|our) (?:\w+[ -]){0,4}?\w+ (?:is|are|runs? on|lives? (?:at|in)|uses?|must|should|will be|listens? on"
    r"|deploys?|ships?|releases?|prefers?|follows?|targets?|supports?|requires?|stores?|expects?|starts? (?:at|on)|ends? (?:at|on))\b"
    r"|(?:we|our team|the team|the project|this project|this repo(?:sitory)?|the app|the (?:api|backend"
    r"|frontend|server|database|service|build|ci)) (?:always |never |only |still |now )?"
    r"(?:uses?|deploys?|ships?|releases?|prefers?|follows?|runs? on|targets?|supports?|requires?|decided|agreed"
    r"|switched|moved|host|keeps?|stores?|is (?:called|named|hosted|written)|listens? on)\b"
    r"|i(?:'m| am) (?:a|an|the|new to|working (?:at|as)|responsible|in charge|based|on (?:windows|mac(?:os)?"
    r"|linux)|from)\b|i (?:prefer|like|hate|love|work|live|use|maintain|own)\b|call me\b"
    r"|(?:the )?deadline\b.*\bis\b)"
)
_ZH_DURABLE_STATEMENT = re.compile(
    r"^(?:好的?|嗯|对了|另外|顺便说一下|其实|哦)?[，,]?\s*(?:(?:我们|咱们|我司|团队|项目|这个项目|本项目|公司|后端|前端|数据库|接口"
    r"|服务器?)(?:的)?.{0,12}?(?:用的?是?|使用|采用|是|在|叫|决定|约定|规定|统一|部署|支持|要求|改用|换成|监听)"
    r"|我(?:是(?:一[名个位])?|叫|喜欢|偏好|习惯|更喜欢|负责|常用|平时用|用的是|住在|的(?:名字|角色|职位|邮箱|时区|编辑器).{0,6}?是)|叫我|截止(?:日期|时间)?(?:是|为|在))"
)
_PASSING = re.compile(
    r"(?i)\b(?:trying|right now|at the moment|today|currently (?:trying|debugging|stuck)|getting|got|error"
    r"|exception|traceback|fails?|failing|broken|not working|doesn't work|looking (?:for|at)|wondering|"
    r"think|guess|maybe|perhaps|if|this (?:file|function|line|error|bug))\b|现在|目前正|正在|刚才|今天|报错|错误|失败|不行|好像|可能"
    r"|也许|如果|这个(?:文件|函数|错误|问题)|试试|想(?:要)?问|\b(?:it|this|that)$"
)


def fact_of(text: str) -> Fact:
    """A whole message as one fact, for a sentence that was found worth keeping before."""
    cleaned = clean_fact(text)
    return Fact(cleaned, type_of(cleaned, rule=False))


def durable_statements(text: str) -> list[str]:
    """Sentences that state something lasting about the person or the project without asking to remember it."""
    if len(text) > 4_000:
        return []
    return [
        s.text
        for s in sentences(text)
        if not s.question
        and (_DURABLE.match(s.masked) or _ZH_DURABLE_STATEMENT.match(s.masked))
        and not _PASSING.search(s.masked)
        and not is_request(s.masked)
        and not s.text.endswith((":", "："))
        and 3 <= len(re.findall(r"\w+", s.masked)) + cjk_characters(s.masked) // 2 <= 60
    ]


def candidates(texts: Sequence[str]) -> list[str]:
    """Sentences of the person's messages (oldest first) that are worth keeping, at most three: what was asked for in words, then what
    merely states something lasting. A question or a bare request gives none.
    """
    explicit: list[str] = []
    stated: list[str] = []
    for text in texts:
        intent = read_intent(text)
        if isinstance(intent, Remember):
            explicit += [fact.text for fact in intent.facts]
        elif intent is None:
            stated += durable_statements(text)
    return list(dict.fromkeys([*explicit, *stated[::-1]]))[:MOST_CANDIDATES]
