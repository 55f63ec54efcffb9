"""The kinds of lasting statement that `embedded_grammar` knows, as patterns over a whole sentence or clause: English. Data.

Each form names what it may hold that would otherwise speak against it: `trouble` (a reason, a relative clause), `reason` (what stands
behind “because” and the day of a decision are not looked at), `artifact`, `task` (an order that lays down a manner).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from desktop.providers.embedded_lasting import ADVERBS, HEAD, NOT_VERB, TOOL


@dataclass(frozen=True, slots=True)
class Form:
    """One kind of sentence."""

    name: str
    pattern: re.Pattern[str]
    may: frozenset[str] = frozenset()


def kind(name: str, pattern: str, *may: str) -> Form:
    """A form; its pattern is blind to case."""
    return Form(name, re.compile(pattern if pattern.startswith("(?") else f"(?i){pattern}"), frozenset(may))


RELATIVE = re.compile(
    r"(?i)\b(?:whoever|(?:the |every |any)?(?:person|people|one|anyone|someone|everyone|those|dev\w*|author) (?:who|that))"
    r" \w+ (?:\w+ ){0,2}?(?:build|tests?|main|master|trunk|it|something|anything|bug|pipeline|release|prod\w*)\b"
    r"|谁[^谁，,]{1,10}(?=谁)"
)
"""Whom a rule is for: what they did is no trouble of now."""
REPROACH = re.compile(
    r"(?i)[,;]\s*(?:and |but |so )?you (?:put|used|did|made|wrote|forgot|placed|took|got|added|ran|called|named|broke|have|ignored)\b.*$"
    r"|^you (?:put|used|did|made|wrote|placed|took|got|added|ran|called|named)\b[^,;.]*[,;.]\s*|[，,]你(?:又|刚才|还|却|放|写|用|搞|弄"
    r"|改)[^，,]*$"
)
"""What the assistant did wrong, beside how it is to be done."""
SINCE_NOW = re.compile(
    r"(?<=我们)(?:现在|目前)(?=都|只|用|走|跑|是|不|改|在)|(?:现在|目前)(?=归|由|改用|换成)|(?i:(?<=^we )(?:now|currently) )"
)
NAMED = re.compile(r"(?i)\b(?:in|on) the [\w-]+ (?:file|board|channel|page|table|sheet) (?:called|named)\b|那个叫|那台叫|那份叫|那张叫")
EXAMPLE = re.compile(
    r"(?i)(?<=\w)[,，]?\s*(?:(?<=, )like|such as|e\.?g\.?,?|for (?:example|instance)|比如说?|例如|譬如|像)\s?[^,，]{1,40}(?:这样的?)?$"
)
"""What a rule is shown by, at its end."""
REASONS = re.compile(
    r"(?i),?\s\b(?:because|since|as (?=the|our|we|it|nobody)|so that|so (?=we|nobody|the|our|no|they|it)|due to|in order to"
    r"|to (?=avoid|keep|save|stay|reduce|prevent)|after)\b|[，,]?\s?(?:是?因为|因|由于|为的是|是为了|为了|毕竟|主要是|所以)|[，,；;]"
)
WHEN_DECIDED = re.compile(
    r"(?i)\b(?:yesterday|today|this (?:morning|week|sprint|month)|just now)\b|昨天|今天|今早|上周|本周|这周|刚刚|刚才|当时"
)

_HABIT = (
    r"(?:starts?|begins?|ends?|lives?|sits?|go|goes|comes?|follows?|uses?|needs?|requires?|gets?|have|has|contains?|carry|carries"
    r"|belongs?|stays?|runs?|looks?|takes?|keeps?|maps?|match(?:es)?|points?|defaults?|inherits?|depends?|happens?|stands?|ships?"
    r"|deploys?"
    r"|merges?|talks?|speaks?|reads?|writes?|owns?|handles?|holds?|refers?|lands?|counts?|brings?|pays?|signs?|approves?|reviews?"
    r"|decides?|buys?|tags?|names?|logs?|closes?|opens?|answers?|pings?|asks?|is|are|must|has to|have to|should|cannot|can['’]?t|can only"
    r"|may not|may only|never|always|only)"
)
_PLACE = (
    r"(?:project|repo(?:sitory)?|code ?base|team|org\w*|company|monorepo|lib(?:rary)?|shop|product|house|department|group|side|end|place)"
)
_HERE = (
    rf"(?:(?:over |around )?here|in (?:this|our|the) {_PLACE}|on (?:our|this) {_PLACE}|at our {_PLACE}|for our {_PLACE}|with us"
    rf"|internally)"
)
_NOT_ABOUT = (
    r"(?!(?:i|it|this|that|there|he|she|they|you|what|something|nothing|click|look|put|add|here|is|are|do|does|can|could|would|let|please"
    r"|if|when|and|but|so)\b)"
)
_CODE_VERB = (
    r"(?!(?:return|loop|iterate|render|parse|pass|catch|throw|assign|set|fetch|await|init|import|convert|compute|filter|click|create"
    r"|open|load|show|hide|subtract|divide|multiply|append|remove|insert|increment|check|compare|call|send|copy|need|want|have|like"
    r"|start|begin|can|could|may|all|also|just|must|should|do|does|don['’]?t|never|always|only|still|now|currently|usually|to|wait"
    r"|mean|say|seem|look|sort|skip|read|first|then)(?:s|es)?\b)"
)
_COMMAND = (
    rf"(?:□|[\w-]*[./_-][\w./-]+|(?:{TOOL}|make|just|npx|tox|uv|mvn|bazel|mix|rake|bin|task|nox|invoke|earthly|sbt|dotnet|rake|bundle"
    r"|composer|hatch|pdm|pre-commit)\b)"
)
_MOMENT = (
    r"(?:run|build|prs?|mr|issue|ticket|commit|errors?|traces?|screenshots?|paste|gist|question|example|answer|link|url|video|error"
    r"|result"
    r"|output|failing|failed|broken|bug|thread|article|post|tutorial|file|log|diff)"
)
_DECIDED = (
    r"(?:went|gone|decided|agreed|chose|chosen|picked|settled|opted|ruled|dropped|kept(?! \w+ing)|stuck with|stick|keep(?! \w+ing)|stay"
    r"|stayed|moved|switched|migrated|adopted|standardi[sz]ed|vendor(?:ed)?|fork(?:ed)?|banned|froze|avoid|avoided|rejected|replaced"
    r"|rewrote|pinned|pin|abandoned|skipped|never use|don['’]?t use|do not use|use)"
)
_REASON = (
    r"(?:because|since|so that|so (?:we|nobody|the|our|no|they)|as (?:the|our|we|it|nobody)|due to|in order to"
    r"|to (?:avoid|keep|save|stay|reduce|prevent)|for (?:\w+ ){0,2}reasons?)"
)
_CODE_OBJECT = (
    r"(?!.*\buse (?:an? |the )?(?:\w+ )?(?:loop|list|dict|set|map|mutex|lock|regex|variable|function|class|callback|flag|counter|array"
    r"|string"
    r"|cursor|thread|switch|recursion|hash|global|timer|helper|wrapper)s?\b)"
)
_WE = (
    r"(?:we(?:['’]ve|['’]re| have| are)?|(?:the|our) (?:whole |entire )?(?:team|company|group|board|leads?|architects?)|everyone"
    r"|management)"
)

ENGLISH: tuple[Form, ...] = (
    kind(
        "habit of ours",
        rf"^{_CODE_OBJECT}(?:we|everyone|everybody|nobody|no one|people here|the (?:whole )?team|our (?:team|devs"
        rf"|company)) {ADVERBS}{NOT_VERB}{_CODE_VERB}"
        r"(?!\w+ed\b)[a-z]{2,}(?:['’]t)? (?!(?:it|this|that|them|these|those|him|her|to (?:fix|find|check|handle|see|figure))\b)\S+ \S+.*",
    ),
    kind(
        "habit in our house",
        rf"^{_CODE_OBJECT}{_NOT_ABOUT}(?=.*\b{_HERE}\b)(?:(?:all|every|each|the|our|most|any|new"
        rf"|no) )?(?:[\w'’/.-]+ ){{1,5}}?(?:{_HERE} )?"
        rf"(?:(?:always|never|only|usually|automatically) )?{_HABIT}\b .{{3,}}",
    ),
    kind(
        "rule of our house",
        rf"^(?:in|on|at|with|for|across) (?:our|this|all our) {_PLACE}s?\b,? (?:[\w'’-]+ ){{1,12}}?{_HABIT}\b .{{3,}}",
        "artifact",
    ),
    kind(
        "habit at its time",
        rf"^(?:before|after|during|for|on|in|at|until|since|between|around|once) (?!(?:this|that|it|these|those|you"
        rf"|i)\b)[^,]{{2,40}}?,? (?:we|nobody|everyone|no one)"
        rf" {ADVERBS}{NOT_VERB}(?!\w+ed\b)[a-z]{{2,}} .{{3,}}",
    ),
    kind(
        "need of every one",
        r"^(?:an?|every|each|any) (?!user\b|one\b|few\b|lot\b|bit\b)[\w-]+(?: [\w-]+)? (?:needs?|requires?|must|has to|gets"
        r"|should (?:always|never)) .{3,}"
        r"|^(?:[\w-]+ ){0,2}(?:changes|migrations|releases|deployments|deploys|features|fixes|hotfixes|prs|branches|commits"
        r"|dependencies|refactorings?|endpoints|tests|docs|experiments|rollbacks|exceptions)"
        r" (?:need|require|must|get|have to|go through) (?!to be (?:fixed|changed)\b).{3,}",
    ),
    kind(
        "limit",
        r"^(?:the |our )?(?:[\w-]+ ){1,4}(?:must|may|has to|have to|should|stays?|is) (?:not exceed|(?:stay|be|remain"
        r"|be kept) )?(?:below|under|above|within|less than|at most|at least|over|capped at)\b .+",
        "artifact",
    ),
    kind(
        "share",
        r"^(?:half|most|many|almost all|nearly all|all|two thirds|a third|a quarter|the majority|\d+ ?%) of our (?:users|customers"
        r"|clients|traffic|code|devs|requests|revenue)\b .{3,}",
    ),
    kind("never here", rf"^no [\w' -]{{2,40}} (?:in|on|for) (?:this|our|the) {_PLACE}\b.*"),
    kind("its name", r"^it['’]?s (?:spelled|written|pronounced|called|named) .{3,}"),
    kind(
        "plan",
        r"^(?!it\b|this\b|that\b|i\b)(?:the |our )?(?:[\w-]+ ){1,4}(?:is|are) (?:going away|being [a-z]+ed|moving|ending|retiring"
        r"|coming|getting [a-z]+(?:ed|en|t))\b.* (?:in|by|from|until|this|next|end of|at the end of) (?:the )?(?:spring|summer|fall"
        r"|autumn|winter|year|"
        r"quarter|q[1-4]|\d{4}|january|february|march|april|may|june|july|august|september|october|november|december)\b.*",
    ),
    kind("ours", rf"^our (?:[\w'’./-]+ ){{1,4}}?{_HABIT}\b .{{3,}}"),
    kind(
        "what a part is",
        rf"^(?:the|our|all|this) (?:[\w-]+ ){{0,3}}?{HEAD} (?:(?:is|are) (?:just |only |really |still |basically )?(?:an?|the|our|one"
        rf"|read|written|part|not)\b"
        r"|(?:started|began|grew|came) (?:out |life )?(?:as|from|of)\b|(?:gets?|will be|is going to be|is being) \w+(?: \w+)* (?:this"
        r"|next) (?:year|quarter|month|spring|summer|fall|autumn|winter)).{2,}"
        rf"|^the [\w-]+(?: [\w-]+)? team (?:{_HABIT}|[a-z]+s) .{{3,}}",
    ),
    kind(
        "who to ask",
        r"^(?!it\b|this\b|that\b|he\b|she\b)[\w-]+ (?:is|['’]s) (?:the|our) (?:guy|person|one|man|woman|go-to|expert|contact|lead"
        r"|owner)\b.* (?:for|on|of|to ask|who|when)\b.+",
    ),
    kind(
        "what i am",
        r"^i(?:['’]m| am) (?:(?:pretty|quite|fairly|very|really|still|rather|totally|completely|mostly|mainly|more of|the only"
        r"|only) )+(?:an? )?(?:new to|good (?:at|with)|bad (?:at|with)"
        r"|fluent|familiar|used to|at home|into|from|a|the|[\w-]+ (?:dev|developer|engineer|person|guy|one|admin|designer))\b.*"
        r"|^i(?:['’]m| am) in (?!an?\b|the\b|trouble|love|charge|favou?r|doubt|between|meetings?|hurry|pain|sync|bed|class|here|it|this"
        r"|that)[a-z]{3,}(?: time)?(?:,.*)?$"
        r"|^i(?:['’]ve| have) (?:only (?:ever )?|never |always |mostly )(?:used|worked|written|done|coded|programmed|shipped) (?!this\b"
        r"|that\b|it\b).+"
        r"|^i (?:get|feel|am) (?:lost|confused|overwhelmed|annoyed|distracted) (?:in|by|with|when|from) (?!this\b|that\b|the\b|it\b).+"
        r"|^i do (?:mostly|mainly|only|a lot of) .+"
        r"|^(?!this\b|that\b|it\b|which\b)\w+ (?:is|isn['’]t|is not) my (?:first|native|mother|second|strong|best|main)\b.*",
    ),
    kind(
        "manner of answers",
        r"^(?:please )?(?:give|show|send|print|put|list|start with|end with|lead with|write|post|paste) (?:me )?(?:only |just )?(?:the "
        r"|an? |your )?(?:\w+ )?(?:commands?|explanations?|summar(?:y|ies)"
        r"|code|diffs?|(?:changed )?lines|answers?|reasons?|examples?|steps|conclusions?|reasoning|alternatives|sources|tests|imports"
        r"|types)\b.*(?:\bfirst\b|\bonly\b|at the (?:end|start|beginning)|\bafter\b|\bnot (?:the|an?)"
        r"|instead of|every time|always|\bthen\b|when(?:ever)? you (?:show|give|send|explain|answer|reply|review|suggest|generate"
        r"|commit|talk))(?!.*\b(?:this|that|here|above|below)\b).*"
        r"|^(?:please )?(?:skip|drop|leave out|omit|cut|spare me|no need for) (?:the |all |any |your )?(?:\w+ )?(?:summar(?:y|ies)"
        r"|explanations?|intros?|introductions?|apologies|disclaimers?|recaps?|boilerplate"
        r"|preambles?|comments|small talk|pleasantries)\b(?!.*\b(?:this|that|here|in the)\b).*"
        r"|^(?:please )?show (?:me )?only the (?:changed|relevant|new) .+"
        r"|^(?:please,? )?(?:no|less|more|fewer|never any) (?:[\w-]+ ){0,2}(?:text|words|code|talk|names|comments|prose|emoji\w*|jargon"
        r"|one-liners|abbreviations|magic numbers)\b(?!.*\b(?:this|here)\b).*",
        "task",
    ),
    kind(
        "command for",
        rf"^(?:please )?use {_COMMAND}(?: [\w:-]+){{0,3}} (?:if|when|whenever|to|for) (?!this\b|that\b|it\b|now\b|here\b).{{3,}}",
        "task",
    ),
    kind(
        "where they go",
        r"^(?:all |our |the )?(?:\w+ )?(?:errors|logs|alerts|crashes|metrics|traces|bugs|tickets|reports|issues|incidents|feedback"
        r"|questions|requests)(?: (?:about|from|on|for) [\w' -]{2,30})? (?:always |all )?(?:go|land|end up"
        r"|are sent|get sent|are collected|are tracked|live|show up|appear) (?:straight |directly )?(?:to|in|into|on|at|under)\b .+",
        "artifact",
        "trouble",
    ),
    kind(
        "reason",
        r"^(?:the|our) (?:main |only )?reason (?:that |why |for )?(?:we|our|the team|this project)\b.* (?:is|was) .{4,}",
        "trouble",
        "reason",
    ),
    kind(
        "decision with its reason", rf"^{_CODE_OBJECT}{_WE} (?:\w+ ){{0,2}}?{_DECIDED}\b.{{3,}}?,? {_REASON}\b.{{4,}}", "trouble", "reason"
    ),
    kind(
        "decision",
        rf"^(?:{_WE} (?:\w+ ){{0,2}}?(?:agreed|decided|voted|settled|ruled)|it was (?:agreed|decided)|(?:it['’]?s"
        rf"|it has been) (?:agreed|decided))"
        r"(?: \w+)?,? (?:that|on|against|for|to|never|not)\b.{4,}",
        "reason",
    ),
    kind(
        "what we are giving up or keeping",
        r"^we(?:['’]re| are) (?:dropping|keeping|staying|moving|not (?:using|supporting|going)|replacing|going|sticking|phasing"
        r"|retiring|sunsetting)"
        r"\b.{4,}",
        "reason",
    ),
    kind(
        "why something is as it is",
        rf"^(?:the |our )?(?:[\w'’./-]+ ){{1,6}}?(?:is|are|was|were) (?:\w+ly )?(?:chosen|picked|kept|pinned|vendored|forked|frozen"
        rf"|banned|excluded"
        rf"|disabled|split|on purpose|there|off)\b.*? {_REASON}\b.{{4,}}",
        "trouble",
        "reason",
    ),
    kind(
        "how one does it",
        r"^(?:you|one) (?:can |need to |have to |must |should |can only )*(?!(?:are|were|did|just|forgot|broke|said|told|gave|used|made"
        r"|put"
        rf"|wrote|added|removed|changed|missed|see|get|got|know|might|could|can|want|never|always)\b)[a-z]+ (?!it\b|this\b"
        rf"|that\b).*\b(?:with|by|using|via"
        rf"|through|from)(?: running| calling)? {_COMMAND}.*|^you (?:can |need to |have to |must )?[a-z]+ (?:the|our"
        rf"|all) (?:[\w-]+ )+(?:with|by|using|via) □+.*",
    ),
    kind(
        "by what it is done",
        rf"^(?:for|to) (?:[a-z]+ )?[\w -]{{3,40}}?,? (?:we |you |one )?(?:just )?(?:use|run|call|type|do|it['’]?s|its)\b (?!it\b|this\b"
        rf"|that\b).{{2,}}"
        rf"|^(?:the |our |all )?(?:[\w'’/-]+ ){{1,5}}?(?:is|are|get|gets) (?:\w+ )?[a-z]+(?:ed|en|t|un|lt) (?:\w+ )?(?:with|by|using"
        rf"|via|through|w/|from) {_COMMAND}.*"
        rf"|^(?:the |our )?[\w-]+(?: [\w-]+)? (?:is|are|means) (?:□+|(?:{TOOL}|make|just|npx|tox|nox|mix|rake|task|cargo) [\w:-]+.*)$",
    ),
    kind(
        "only so",
        r"^(?!it\b|this\b|that\b)(?:the |our )?(?:[\w'’/-]+ ){1,4}?only (?:works?|runs?|counts?|compiles?|builds?|passes|pass"
        r"|starts?) (?:if|when|with|on|in"
        r"|after|from|under|behind)\b.{4,}",
    ),
    kind(
        "manner",
        r"^(?:please )?(?:explain|talk|write|speak|describe|show|phrase|word|treat|teach|answer)\b(?!.*\b(?:this|that|these|the"
        r" (?:error|function|code|output|difference|diff)|what|why|how)\b)(?: \w+){0,3}? (?:(?:to|for|with) )?me\b.* (?:like|as if"
        r"|as though|in terms of)\b.+",
        "task",
    ),
    kind(
        "where to look",
        r"^(?:if|when(?:ever)?) (?:you|we|someone|anyone|one) (?:ever )?(?:needs?|wants?|(?:are |is )?look(?:s|ing)? for"
        r"|search(?:es)? for"
        r"|wonders? about)\b (?!it\b|this\b|that\b|to\b)[^,]{2,60}?,? (?:it['’]?s|it is|they['’]?re|they are|theyre|that['’]?s"
        r"|those are|you (?:can )?(?:find|get|look)|see"
        r"|check|look|go|ask)\b.*\b(?:in|at|on|under|from|to)\b.+",
        "artifact",
    ),
    kind(
        "place under its label",
        rf"^(?:the |our |my )?(?!(?:[\w'’-]+ ){{0,6}}?{_MOMENT}\b)(?:[\w'’/-]+ ){{0,6}}?[\w'’/-]+(?: (?:is|are|lives?|sits?"
        rf"|can be found|get \w+|gets \w+|goes?))?"
        r"(?: at| on| under| in| to| here)?\s*(?::|->|=>|→)?\s*(?:https?://\S+.*|[a-z][\w-]*(?:\.[\w-]+)+(?:/\S*)?$)|^you(?:['’]ll"
        r"| will)? (?:can |always )?find (?!that\b|this\b|it\b).+ (?:at|in|under|on) .{3,}",
        "artifact",
    ),
    kind(
        "the right value",
        rf"^(?:(?:no+|nope|nah|actually|wrong|wait|sorry|stop|hm+)[\s,.!—-]+)+(?:(?:please )?(?:use|it['’]?s|with|we use) )?{TOOL}"
        r"(?:[ ,]+(?:please|instead|not \S+|as always|of course))*$",
    ),
)
