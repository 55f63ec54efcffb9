"""Signs in a sentence that it holds for good (we …, always …, until May, in this project), or that it speaks of the moment. No model.

Signs only lean: a form takes a sentence, the classifier weighs it, and how sure it must be depends on whether a sign of lasting is there
(`embedded_statements`). Patterns run on masked text in simplified characters. Pure, linear time; knows nothing of memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_ROLE = (
    r"(?:dev(?:eloper)?|engineer|designer|student|teacher|lead|manager|owner|dba|admin|sysadmin|analyst|scientist|researcher|freelancer"
    r"|founder|maintainer|tester|writer|beginner|newbie|intern|phd|postdoc|physicist|biologist|chemist|nurse|doctor|lawyer|accountant"
    r"|librarian|journalist|translator|musician|artist|architect|consultant|contractor|hobbyist|pm|cto|ceo|sre|qa|\w+ist|\w+ician)"
)
_LASTING = {
    "ours": re.compile(
        r"(?i)\bwe\b(?! (?:just|tried|got|had|saw|found|lost|see|get|need(?:ed)? to|want(?:ed)?|were|was|ran|went|did|missed|could"
        r"|should)\b)"
        r"|\bour (?!(?:(?-i:[A-Z])\w*[A-Z]\w*|\w+\(|\w+_\w+))(?:[\w-]+ ){1,4}?(?:is|are|has|have|must|needs?|runs?|uses?|only|never"
        r"|always|goes|go|lives?|stays?|don['’]t"
        r"|can(?:['’]t|not)?|will|gets?|comes?|starts?|ends?|takes?|wants?|\w+s)\b|\b(?:for|with|to) us\b|\b(?:in|on|at) our \w+"
        r"|\bour own\b"
        r"|我们|咱们|咱|我司|公司|团队|组里|甲方|客户|本项目"
    ),
    "always": re.compile(
        r"(?i)\b(?:always|never|ever|every (?:day|week|month|night|release|quarter|time you|pr|commit|other|second|"
        + _DAY
        + r")|from now on"
        r"|going forward|any ?more|no longer|in general|generally|usually|normally|whenever|by default|everywhere|for good|permanently"
        r"|each (?:time|week|month|release|pr|commit))\b"
        r"|以后|往后|今后|从现在|从今|总是|一直|每次|每周|每天|每个?月|一律|统一|从来|从不|永远|平时|默认|都(?:用|要|得|走|放|在|是|按|写|归)|不再|别再|不要再"
    ),
    "duty": re.compile(
        r"(?i)\b(?:must|has to|have to|(?:not |isn['’]t |aren['’]t )?allowed|forbidden|banned|required|mandatory|may not"
        r"|only (?:the |\w+ )?(?:may|can)"
        r"|policy|convention|contract|agreed|decided|by law|legal|compliance|no exceptions)\b"
        r"|必须|务必|不许|不准|不能|不得|不让|禁止|只能|规定|约定|规范|要求|定了|说好|谈好|合同|合规"
    ),
    "me": re.compile(
        rf"(?i)\b(?:i['’]?m|i am|as) (?:\w+[ -]){{0,4}}?{_ROLE}s?\b|\bi (?:work|teach|study|live|lead|manage|own|maintain|prefer"
        rf"|use|love|hate"
        r"|speak|code|run a|do (?!not|it|this|that|the)\w+ (?:at|for|professionally))\b|\bi['’]ve (?:been|done|worked"
        r"|used)\b.*\b(?:years|decades?|since|life)\b"
        r"|\bmy (?:name|job|role|team|boss|native|mother|first language|background|editor|time ?zone|degree|major|handle|eyes|hands"
        r"|wrists)\b"
        r"|\bin my (?:\w+ ){0,2}(?:year|semester|term)\b|\b(?:colou?r[- ]?blind|dyslexic|deaf|left-handed|screen reader|adhd)\b"
        r"|\bcall me\b"
        r"|\bi (?:don['’]t|never) (?:use|eat|write|touch|know)\b|\b(?:new to|years of|background in|comfortable with|degree in|phd in)\b"
        r"|我(?:是|叫|在|教|做|学|搞|用|大[一二三四]|研[一二三]|一个人|平时|习惯|喜欢|不喜欢|不用|的母语|负责|只会|不会|红绿色?盲|色[盲弱]|刚学|刚入|自学|转行|眼睛|英语)|色盲|色弱"
    ),
    "scope": re.compile(
        r"(?i)\b(?:in|for|across|throughout|inside|of) (?:this|our|the whole|the entire) (?:\w+ )?(?:project|repo(?:sitory)?"
        r"|codebase|team|company|org"
        r"|pipeline|monorepo|client|product|workspace)\b|\bhere (?:we|it['’]s)\b|\bthis (?:project|repo|repository|codebase"
        r"|product)\b|\bin my code\b"
        r"|(?:这个?|本)(?:项目|仓库|产品|系统|代码库)|我们这边|这边|项目里|仓库里|代码里"
    ),
    "date": re.compile(
        rf"(?i)\b(?:until|till|by|before|after|starting|from|as of|since|due|on) (?:the )?(?:\w+ ){{0,2}}?(?:{_DAY}s?|{_MONTH}"
        rf"|q[1-4]|\d{{4}}|next (?:week|month|year|quarter|spring|summer)|end of)\b"
        rf"|\b(?:deadline|freeze|go-?live|launch|eol|end of life|due)\b|\b{_DAY}s\b|\b{_MONTH} \d|\b\d{{1,2}}(?:st|nd|rd"
        rf"|th)? (?:of )?{_MONTH}\b"
        r"|截止|封版|上线日|到期|冻结|ddl|\d+\s*[月号]|周[一二三四五六日]|月底|年底|明年|之前.{0,6}(?:别|不)"
    ),
    "owner": re.compile(
        r"(?i)\b(?:owns?|owned by|maintain(?:s|ed by)|responsible|in charge|looks after|belongs? to|goes? (?:through|past)"
        r"|ask (?-i:[A-Z])\w+|takes care of)\b"
        r"|归.{1,8}管|负责|对接|维护|找.{1,6}(?:过|批|审|确认)|拍板|审批"
    ),
    "place": re.compile(
        r"(?i)\b(?:lives?|kept|stored|tracked|documented|found|published|hosted) (?:in|at|on|under)\b"
        r"|\b(?:docs?|specs?|designs?|mockups?|tickets?|bugs?|cases|runbooks?|dashboards?|board|wiki|logs|metrics|schemas?|notes"
        r"|dictionary|recordings)\b.{0,40}?"
        r"\b(?:is|are|in|at|under|on|go(?:es)? to)\b.{0,20}?(?:https?://|\w+\.\w+\.\w+|confluence|jira|notion|figma|drive|wiki"
        r"|sharepoint|grafana|datadog|kibana|loki"
        r"|testrail|youtrack|linear|slack|trello|airtable|sheet|space|channel|folder|#\w+|docs/|\w+/)"
        r"|(?:文档|看板|监控|设计稿|原型|手册|接口|日志|工单|需求|用例|大盘|仪表盘|资料|规范|账号|录屏).{0,8}(?:都)?(?:在|放|看|记)"
    ),
    "instead": re.compile(
        r"(?i)\b(?:not (?:npm|pip|yarn|\w+)$|instead of|rather than|don['’]t use|do not use|stop \w+ing|no more"
        r"|it['’]s \S+ (?:here )?,? ?not)\b"
        r"|(?:别|不要|不用|少)(?:再|给我|总|老)?(?:用|写|加|放|出现)|而不是"
    ),
}
_MOMENT = {
    "today": re.compile(
        r"(?i)\b(?:now|today|tonight|yesterday|tomorrow|just|currently|again|still|this (?:time|morning|week|one|pr|branch|file"
        r"|line|step)"
        r"|last night|at the moment|so far|for now|here['’]s|an? (?:hour|minute) ago|since (?:the|this|yesterday|\w+ o['’]clock|noon))\b"
        r"|今天|现在|刚才|刚刚|刚|昨[天晚]|早上|下午|今[早晚]|这次|先|又|还是|一会|待会|突然"
    ),
    "past": re.compile(
        r"(?i)\b(?:i|we|it|they|he|she|that|then|and) (?:\w+ly |just |then )?(?:was|were|did|had|got|ran|saw|tried|took|made|went"
        r"|put|found|lost|broke|died|came|stopped"
        r"|\w{2,}ed)\b|^(?:tried|checked|reran|restarted|rebooted|reinstalled|changed|moved|added|removed|deleted|updated|looked"
        r"|ran|got|took|found|merged|pushed|deployed)\b"
        r"|(?:试|改|加|换|重启|跑|查|看|装|删|升级?)(?:了|过|完)|过了|了$"
    ),
    "seems": re.compile(
        r"(?i)\b(?:looks?|seems?|shows?|says|reports?|ends? with|appears?|apparently|expected|should be)\b|显示|好像|看起来|报|提示"
    ),
    "counted": re.compile(
        r"(?i)\b\d+(?:\.\d+)? ?%|\b\d+(?:\.\d+)? ?(?:k|m|g|gb|mb|kb|ms|s|sec|min|minutes?|hours?|rows?|lines?|threads?)\b|\b\d+ of \d+\b"
    ),
    "calls": re.compile(r"\w\((?:\w+, ?)*\w*\)|\w+\[\]|\b\w+_\w+\b|\b[a-z]+[A-Z]\w*|=="),
    "hanging": re.compile(r"[:：]$|^(?:and|but|or|then|so) (?!we\b|our\b|please\b)|^(?:然后|结果|但是?|可是)"),
    "pronoun": re.compile(
        r"(?i)^(?:it|that|this|they|both|these|those|there|he|she|all (?:good|fine|green)|same|nothing|everything)\b|^(?:这|那|它)"
    ),
}
_BARE = re.compile(r"^(?!(?:i|we|our|my|the|a|an|all|every|no|never|always|please|don't|you|your|only|use|in|for|on)\b)[a-z]")


def lasting_signs(masked: str) -> Iterator[str]:
    """The names of what in a sentence says that it holds for good."""
    return (name for name, sign in _LASTING.items() if sign.search(masked))


def moment_signs(masked: str) -> Iterator[str]:
    """The names of what in a sentence says that it speaks of the moment, or that it is a note rather than a statement."""
    yield from (name for name, sign in _MOMENT.items() if sign.search(masked))
    if _BARE.match(masked):
        yield "bare"


def may_last(masked: str) -> bool:
    """Whether any sign says that a sentence holds for good."""
    return any(True for _ in lasting_signs(masked))
