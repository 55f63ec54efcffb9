"""The words by which a person speaks of memory, as patterns: English and Chinese. Data of the sentence guard; matched on masked sentences.

Each pattern is anchored at the start of a sentence, so that matching takes linear time. Groups: `fact` what to remember, `joint` what
stands between the word and the fact, `rule` the rest of a rule, `target` what to forget.
"""

from __future__ import annotations

import re

# --- English ------------------------------------------------------------------------------------------------------------

POLITE = (
    r"(?:(?:ok(?:ay)?|hey|hi|well|so|and|but|also|oh|btw|by the way|one more thing|another thing|please|pls"
    r"|just|now|thanks|thank you|actually|again|important|"
    r"hey keepsake|keepsake)\b[\s,:!—-]*)*+"
)
ASK = (
    r"(?:(?:can|could|would|will) you (?:please |also )*|(?:you|we) (?:can|may|could) (?:now |just |safely )*(?=forget|delete|remove"
    r"|drop|erase|unlearn)|i(?:'d| would)? (?:want|like|need) you to (?:please )?"
    r"|you (?:should|must|need to|have to) |make sure (?:to |you )|be sure to )?"
)
RECALL = re.compile(
    r"(?i)^(?:how (?:we|you|i|to)\b|when\b|what\b|where\b|why\b|who\b|which\b|if\b|whether\b|the (?:last "
    r"|other |first )?time\b|that (?:time|day|one time)\b|last (?:time|week|month|year)\b"
    r"|anything\b|me\b)"
)
TOLD = re.compile(
    r"(?i)^(?:we|our \w+|i|my \w+|nobody|everyone|everybody)\b(?!(?: \w+)? (?:need|have|had|still|should|forgot|promised|want)\b)"
)
"""A statement behind “don’t forget”, not a thing to do."""
IRONY = re.compile(r"(?i)\b(?:lol|lmao|yeah right)\b|呵呵|也就[^，,]{0,10}吧$")
POINTER = re.compile(
    r"(?i)^(?:(?:this|that|it|these|those|all (?:of )?(?:this|that)|everything)|(?=for )|(?=please\b))"
    r"(?:\s*(?:too|as well|please|for me|for later|for next time|for the future|forever)\b)*[.!:,\s]*$"
)
REMEMBER = re.compile(
    rf"(?i)^/?{POLITE}{ASK}(?:(?:always|also|please) )?"
    r"(?:(?P<verb>remember|memori[sz]e|keep (?:this|that|it) in mind|(?:add|make|create|save|store|write) a (?:new )?memory"
    r"|(?:save|note)(?=\s+(?:this|that|the following)\s*:)|keep in mind|bear in mind|take note|make a note|note down|jot down"
    r"|write down|commit to memory|note for (?:later|the future)|"
    r"for (?:future|your) reference|(?:do not|don't|never) forget)"
    r"|(?:save|store|put|add|keep|record|note|write)(?: (?P<pointer>this|that|it"
    r"|the following))?(?: down)? (?:to|in|into) (?:your |the |long[- ]term )?memory)"
    r"(?P<joint>\s*[:,—–-]\s*|\s+(?:that|the fact that|this|the following|of (?:the fact )?that)\s*[:,]\s*|\s+(?:that"
    r"|the fact that)\s+|\s+|$)(?P<fact>.*)$",
    re.S,
)
NOTED = re.compile(
    rf"(?i)^{POLITE}{ASK}(?:(?:note to self|for the (?:future|record)|(?:so )?(?:that )?you remember|update (?:your |the )?memory"
    r"|(?:commit|log|file) (?:this|that|it) (?:to|in|into) (?:your |the |long[- ]term )?memory"
    r"|(?:write|note|jot|put) (?:this|that|it) down|(?:take|keep|make) a note(?: of this)?)\s*[:—–]\s*(?P<fact>.+)"
    r"|(?:(?:take|keep|make) a note|let(?:'s|’s| us) remember|(?:so )?(?:that )?you remember)(?:,|\s+that\b)\s*(?P<stated>.+)"
    r"|(?:note|record)\s+that\s+(?P<told>(?:we|our|i|my)\b.+))$",
    re.S,
)
"""Further ways to ask for it. A bare “note that …” asks only where it tells of the person or the team: otherwise it explains a task."""
STORE = re.compile(
    rf"(?i)^{POLITE}{ASK}(?:save|store|put|add|keep|record)\s+(?P<fact>.+?)\s+(?:to|in|into) (?:your |the "
    rf"|long[- ]term )?memory\b[\s.!]*(?:please)?$",
    re.S,
)
TRAILING = re.compile(
    r"(?i)^(?P<fact>.+?)\s*[,;:—–-]+\s*(?:and |so )?(?:please )?(?:remember (?:this|that|it)|keep (?:this|that"
    r"|it) in mind|note (?:this|that|it) down)[\s.!]*(?:please)?$",
    re.S,
)
WHEN_RULE = re.compile(
    rf"(?i)^{POLITE}(?:when(?:ever)?|if|before|after|in|for|on|during) [^,;:]{{2,60}},\s*(?:please |you should |you must )*"
    r"(?:always|never(?: ever)?)\s+(?P<rule>.+)$",
    re.S,
)
CALL_ME = re.compile(
    rf"(?i)^{POLITE}(?:call|address) me (?:as )?(?!back\b|later\b|when\b|if\b|at\b|a\b|an\b|now\b|maybe\b"
    rf"|crazy\b)[\w'’-]+(?: [\w'’-]+){{0,2}}$"
    r"|^(?:请|你可以|以后)?(?:叫我|称呼我(?:为)?)\s*[^，,。？?]{1,12}$"
)
FROM_NOW = re.compile(
    rf"(?i)^{POLITE}(?:from now on|from here on(?: out)?|going forward|henceforth|starting (?:now|today)"
    rf"|from today(?: on)?|as of (?:now|today)|next time|in (?:the )?future)"
    r"\b[\s,:—-]*(?P<rule>.+)$",
    re.S,
)
ASKED_RULE = re.compile(
    r"(?i)^(?:(?:oh|and|also|btw|ok(?:ay)?|hey|please|so|nice|good|perfect|thanks)[\s,!]+)*(?:can|could|would|will) you (?:please "
    r"|maybe |also |just )*"
    r"(?:(?P<rule>(?!remember\b).{6,}?)[\s,]+(?:from now on|from here on(?: out)?|going forward|henceforth|in (?:the )?future(?= "
    r"|$)|every time)\b"
    r"(?!.{12})|(?P<told>(?:from now on|in (?:the )?future)[\s,]+.{6,}|(?:(?<=please )(?:always|never)|stop (?!it\b|that\b|this\b"
    r"|the\b)\w+ing) .{4,}))"
)
"""A rule put as a polite question: “could you leave out the recap from now on?”."""
ZH_ASKED_RULE = re.compile(
    r"^.{0,4}?(?:能不能|可不可以|能否|可以|能)(?:请|麻烦)?(?:你)?(?:以后|今后|往后|每次(?:都|回答))(?P<rule>(?!再(?:说|看|改|弄)).{3,}?)[吗嘛么呢吧]?$"
)
FROM_NOW_END = re.compile(
    r"(?i)^(?P<rule>.+?)[\s,]+(?:from now on|from here on(?: out)?|going forward|henceforth"
    r"|in (?:the )?future)[\s.!]*$",
    re.S,
)
SUBJECT = (
    r"(?:you (?:should|must|have to|need to) |(?:we|everyone|the team|our team) (?:(?:should|must|will|have to|need to) )?|i (?=(?:always"
    r"|never) (?:want|prefer|like|use|need|write|work)\b))?"
)
ALWAYS = re.compile(rf"(?i)^{POLITE}{ASK}{SUBJECT}(?P<word>always|never(?: ever)?)\s+(?P<rule>.+)$", re.S)
DONT = re.compile(
    rf"(?i)^{POLITE}{ASK}(?:you (?:should|must) not|(?:we|you) (?:do not|don't|should not|shouldn't|must not"
    rf"|mustn't)|do not|don't|dont|no more|avoid|stop(?= \w+ing\b)|refrain from)\s+(?P<rule>.+)$",
    re.S,
)
DONT_IDIOM = re.compile(
    r"(?i)^(?:worry|mind|bother|know|think|care|panic|hesitate|get me wrong|forget|be (?:silly|shy|afraid"
    r"|sorry)|understand|see|want|need|have|like it|remember|believe|ask|stop|give up|wait|"
    r"touch|do (?:it|that|this|anything|so)|say|tell|lose|let me|apologi[sz]e)\b"
)
SCOPED = re.compile(
    r"(?i)\b(?:yet|now|right now|for now|this|that|it|them|these|those|anything|everything|else|today|tonight"
    r"|tomorrow|here|there|the (?:other|rest|file|files|test|tests|function|class|code|output|result)"
    r"|at the moment|just yet|first|until|unless i|until i|before i)\b"
)
SCOPED_RULE = re.compile(
    r"(?i)\b(?:in|for|on|at|of) (?:this|that|these|those) (?:\w+ )?(?:file|function|class|test|case|line|task"
    r"|step|time|change|branch|pr|commit|script|one|method|module|loop|directory|folder)\b|\bright now\b"
    r"|\bjust this once\b|\bthis time\b|\btoday\b|\byet\b"
)
PAST = re.compile(
    r"(?i)^(?:\w+ed|seen|heard|thought|understood|known|got|had|was|were|did|went|saw|knew|made|took|came|said|worked|been|gets?|fails?"
    r"|returns?"
    r"|crash(?:es)?|happens?|shows?|is|has|does|works?|mind|nice|good|great|happy|glad|fun|a pleasure|ending|on\b|too|enough|a )\b"
)

# --- Chinese ------------------------------------------------------------------------------------------------------------

ZH_POLITE = (
    r"(?:(?:好的?|嗯|对了|还有|另外|顺便(?:说一下)?|哦|那|请你?|麻烦你?|拜托|帮我|帮忙|你要?|给我|也|再|注意|重要)"
    r"[\s，,、：:！!]*)*+"
)
"""Possessive, as its English twin: what was taken for politeness is never given back, so matching stays linear."""
ZH_REMEMBER = re.compile(
    rf"^{ZH_POLITE}(?:一定要?|务必|都|要|必须|千万)?"
    r"(?:(?P<verb>请?记住(?:[了啊哦吧](?=[，,：:\s]))?|牢记|谨记|记下来?|记一下|记一笔|记个(?:笔记|备忘)|做个(?:笔记|备忘)|记录一下"
    r"|记录下来|记着|备忘|别忘记?了?|不要忘记?了?|(?:存"
    r"|保存|加|写|放|记)(?:到|进|入|在)(?:你的|长期)?记忆(?:里|中)?)|(?P<soft>记得))"
    r"(?P<joint>\s*[：:，,\s]\s*|(?:这一?点|这件事|以下(?:内容|事项)?|下面的?(?:内容)?)\s*[：:，,]\s*|)(?P<fact>.*)$",
    re.S,
)
ZH_NOTED = re.compile(
    rf"^{ZH_POLITE}(?:千万|一定要?)?(?:把(?:这个|这条|这点|这件事|下面(?:的|这[条点个])?|以下(?:内容)?)(?:给我)?"
    r"(?:记|存|写|放|加|保存|添加)(?:到|进|入|在)(?:你的|长期)?记忆(?:里|中)?|(?:添加|增加|更新)(?:到|进|入|一下)?(?:你的|长期)?记忆(?:里|中)?"
    r"|做个备注|备注一?下|记好[了啦]?|(?:你)?(?:可以|能不能|能否|能)?(?:帮我)?记住[吗么])\s*[：:，,]\s*(?P<fact>.+)$",
    re.S,
)
ZH_ASKED = re.compile(
    r"^(?:你|请问)?(?:能不能|可不可以|能否|可否|可以|能)(?:请)?(?:你)?(?:帮我|帮忙)?(?:记住|记一下"
    r"|记下来?)(?:[，,：:\s]*)(?P<fact>.+?)(?:吗|么)?$",
    re.S,
)
ZH_STANDARD = re.compile(
    rf"^{ZH_POLITE}(?:(?:我们|咱们|团队)?(?:约定|规定|统一规定|的规则是)[：:，,\s]*(?P<agreed>.+)"
    r"|(?!.{0,14}(?:吗|什么))(?P<what>[^，,。？?：:]{2,14}?)(?:一律|必须(?=用|使用|写|要)|都(?:必须|要(?!是)))(?P<rule>.+))$",
    re.S,
)
ZH_TASK = re.compile(r"改成|改为|换成|删|加上|修|重构|完成|做完|看|检查一下|吗$|[了过]$")
ZH_TAKE = re.compile(
    rf"^{ZH_POLITE}把(?P<fact>.+?)(?:给我)?(?:记下来?|记住|记一下|(?:存|保存|加|写|放|记)(?:到|进|入|在)(?:你的|长期)?记忆(?:里"
    rf"|中)?)[了吧哦啊。！!\s]*$",
    re.S,
)
ZH_TRAILING = re.compile(
    r"^(?P<fact>.+?)\s*[，,：:；;、\s]\s*(?:请你?|麻烦你?|帮我|你要?|一定要?|务必)*+(?:记住|记一下|记下来?|记着"
    r"|牢记|别忘记?|不要忘记?)(?:了|吧|哦|啊|这一?点|一下|它|哈)*+[。！!\s]*$",
    re.S,
)
ZH_POINTER = re.compile(
    r"^(?:这个|那个|这些|那些|这件事|这一?点|这句话?|上面(?:的|说的|这些)?|刚才(?:的|说的)?(?:话|内容)?|它|一下"
    r"|了|吧|哦|啊|好|好了|下来|全部|以上(?:内容)?|我说的话?"
    r"|我(?:刚才)?说的)*+[。！!，,\s]*$"
)
ZH_RECALL = re.compile(r"吗|么[？?]?$|什么|怎么|如何|哪|谁|为什么|多少|几|是不是|有没有|上次|之前我|那次|那时|当时")
ZH_FROM_NOW = re.compile(
    rf"^{ZH_POLITE}(?:我?(?:希望|想让|要求|需要)你?(?=以后|今后|往后|从))?(?:我们|咱们|大家|你)?(?:以后|今后|往后|从现在(?:起|开始)"
    rf"|从今(?:以后|往后|后|天起|天开始|起)"
    rf"|从此(?:以后)?|之后(?:都|请|一律)|接下来都|将来|下次(?:起|开始)?|未来)"
    r"(?:请|你|我们|也(?!许))*[，,：:\s]*(?P<rule>.+)$",
    re.S,
)
ZH_LATER = re.compile(r"^(?:我(?!们|要求|希望|的)|再说|再|可能|也许|或许|打算|想|会不会|有空|有机会|的|会(?!议)|就知道|慢慢|看情况|才)")
ZH_SUBJECT = (
    r"(?:我们|咱们|你们?|大家|团队(?:里)?|项目里?|所有人|代码里?|写代码时|回答(?:时|我)?"
    r"|提交(?:时|信息|代码)?(?:前)?|每次(?:提交|回答|修改|改动|写)?[^，,。]{0,10})?"
)
ZH_ALWAYS = re.compile(
    rf"^{ZH_POLITE}{ZH_SUBJECT}[，,]?(?:都|请|要|应该|必须)*(?P<word>总是|始终|永远(?:都|不要?|别)?|一律|每次都|从不|绝不|决不"
    rf"|绝对(?:不要?|不能|不可以?)|千万(?:不要|别|不能)|禁止|严禁|一直都?(?:用|使用|要))(?P<rule>.+)$",
    re.S,
)
ZH_EVERY = re.compile(rf"^{ZH_POLITE}(?:我们|你|大家)?每次(?!都有)(?!.{{0,20}}(?:有人|都会|要我)).{{1,40}}(?:都|先|必须|要|请|一定)", re.S)
ZH_BROKEN = re.compile(
    r"(?i)^(?:是\s?(?:dns|网络|缓存|防火墙|代理|你|他|她|我|这|那|权限|编码|时区)|会|在|被)?(?:失败|报错|出错|崩溃|超时|卡|不行|这样|返回|得到|显示|出现|提示|忘|觉得|感觉|想起|有|很|太)"
)
ZH_DONT = re.compile(rf"^{ZH_POLITE}(?:我们|大家|你)?(?P<word>不要再?|别再?|请勿|勿|不许|不准|不能再?用|不再用|避免)(?P<rule>.+)$", re.S)
ZH_DONT_IDIOM = re.compile(
    r"^(?:担心|急|着急|紧|的|人|名|忘|客气|管|动|介意|误会|怕|生气|停|走|想多|慌|理|改了|说|问|告诉|这样|那样"
    r"|这么|那么|做(?:了|这|那|任何)|谢|提了)"
)
ZH_SCOPED = re.compile(
    r"现在|先|暂时|还没|这个|那个|这次|今天|它|他|她|这里|那里|这段|这行|这些|那些|这份|该|上面|其他|其它|任何东西|别的|刚才|目前|此处"
)
ZH_SCOPED_RULE = re.compile(r"这个(?:文件|函数|类|测试|任务|步骤|分支|脚本|方法|模块)|这次|这里|此处|今天|这段|这行")
ZH_DURABLE = re.compile(r"每次|以后|今后|总是|始终|永远|一律|都|[是用叫为在]|[：:]")

# --- forget and list ----------------------------------------------------------------------------------------------------

FORGET = re.compile(
    rf"(?i)^{POLITE}{ASK}(?:forget|unlearn|unremember|stop remembering|no longer remember|(?:i )?(?:don['’]?t"
    rf"|do not) (?:want you to )?remember(?=.* any ?more))\s+(?P<target>(?:(?:about|that|the fact that|the (?:memory"
    rf"|note)s? (?:about|of|on|that|named|called)|what (?:i|you) (?:said|told you|know"
    rf"|remember) about)\s+)*.+)$",
    re.S,
)
DELETE = re.compile(
    rf"(?i)^{POLITE}{ASK}(?:delete|remove|erase|drop|clear|wipe|scrap|discard)\s+(?:(?:the|your|my|that|this"
    rf"|all(?: of)?(?: the| your| my)?)\s+)*(?:(?:memor(?:y|ies)|notes?)\s*(?:\b(?:about|of|on|for|that|named|called|saying"
    rf"|regarding)\b|:|(?=\s[\w/-]+\.md\b)|(?=\s\w+(?:[-_]\w+)+[\s.!]*$)|(?=\s[\"“'‘]))\s*(?P<after>.+)"
    r"|(?:what|everything|all) (?:you|that you) (?:remember(?:ed)?|know|knew|saved|stored|noted"
    rf"|have(?: saved| stored| noted)?|wrote down)\s+(?:about|on"
    r"|of)\s+(?P<known>.+)"
    r"|from (?:your |the |my )?memory\s+(?:that |the fact that )?(?P<behind>.+)"
    r"|(?P<before>.+?)\s+(?:from (?:your |the |my )?memory|(?:memory|note)))[\s.!]*$",
    re.S,
)
FORGET_LEAD = re.compile(
    r"(?i)^(?:about|that|the fact that|the (?:memory|note)s? (?:about|of|on|that|named|called)|what (?:i"
    r"|you) (?:said|told you|know|remember) about|regarding|the|my|our)\s+"
)
FORGET_IDIOM = re.compile(
    r"(?i)^(?:it|that|this|about (?:it|that|this)|them|me|you|what i (?:just )?said|i (?:asked|said)|to\b.*"
    r"|the (?:previous|last|above|earlier)\b.*)(?:\s+(?:please|then|now))*[\s.!]*$|,\s*(?:just|let's|instead"
    r"|and|do|can|use)\b"
)
EVERYTHING = re.compile(
    r"(?i)^(?:everything|all(?: of it| memories| notes)?|all (?:of )?(?:your|my|the) (?:memor(?:y|ies)|notes)"
    r"|all (?:you know|about me))\b|^(?:所有|全部|一切)(?:的?(?:记忆|事情?|东西|内容))?$"
)
ZH_FORGET = re.compile(
    rf"^{ZH_POLITE}(?:把(?P<taken>.+?)(?:的?(?:这条|那条)?(?:记忆|笔记|记录))?(?:给?(?:忘掉|忘记|忘了|删掉|删除|删了|清除|去掉"
    rf"|抹掉))|(?:忘掉|忘记(?!密码)|忘了|(?:不用|别)记(?!录|住|得|着))(?P<target>.+))[了吧。！!\s]*$",
    re.S,
)
FORGET_END = re.compile(
    r"(?i)^(?:(?:scratch|ignore|disregard) )?(?:what (?:i|you) (?:said|told you|saved|know) about |the )?(?P<target>.+?)(?: (?:info"
    r"|information|fact|note|memory|entry|thing|part|stuff))?"
    r"(?<!^this)(?<!^that)(?<!^it)(?: (?:is|are|was) (?:outdated|obsolete|old|no longer (?:true|valid|current)|not true any ?more"
    r"|wrong))?,\s*(?:so |please |just )*"
    r"(?:forget|delete|drop|remove) (?:it|that|them|about it)[\s.!]*$",
    re.S,
)
FORGET_END_SIGN = re.compile(
    r"(?i)\b(?:scratch|disregard|what (?:i|you) (?:said|told|saved)|info|information|fact|memory|entry|outdated|obsolete"
    r"|no longer (?:true|valid|current)|not true any ?more)\b"
)
_ZH_KEEP = r"(?:记忆|记得|记着|记住|记(?!录|住|得|着)|存着)"
ZH_FORGET_MORE = re.compile(
    rf"^{ZH_POLITE}(?:我?不(?:想|希望)(?:让|要)?你?(?:再|继续)?{_ZH_KEEP}|(?:你?(?:可以|能不能|能|就)(?:帮我|请)?)?(?:忘掉|忘记(?!密码)"
    rf"|忘了(?!说|提|讲|告诉|加|写|带|改|关|问|我是)"
    rf"|(?:不用|不必|别|不要|无需|停止)(?:再|继续)?{_ZH_KEEP}(?!录)))(?P<target>[^，,]{{1,40}}?)(?:这|那)?(?:件|条|个)?(?:事情?|信息"
    rf"|记忆|记录|内容|的)?(?:了|吧|吗|啦)*[。！!\s]*$"
    rf"|^{ZH_POLITE}(?P<taken>[^，,]{{1,24}}?)的?(?:这|那)?(?:件|条|个)?(?:事情?|信息|记忆|记录|内容)?(?:我?(?:说错了|过时了|不对了"
    rf"|已经过时了|作废了)[，,])?(?:就|可以|请)?"
    rf"(?:不用(?:再)?{_ZH_KEEP}|别(?:再)?{_ZH_KEEP}|不要(?:再)?{_ZH_KEEP}|忘了吧|忘掉吧|忘了它|忘掉它|可以忘了|可以忘掉|可以删了|删了吧"
    rf"|删掉吧)(?:了|吧|啦)*(?:[，,].{{0,20}})?[。！!\s]*$",
    re.S,
)
ZH_DELETE_FROM = re.compile(
    rf"^{ZH_POLITE}从(?:你的|长期)?记忆(?:里面?|中)?(?:把)?(?:移除|删除|删掉|去掉|抹掉|清除|忘掉)(?P<target>.+?)(?:的?(?:内容|信息|东西|记忆|事情?"
    rf"|记录))?[了吧。！!\s]*$",
    re.S,
)
ZH_DELETE = re.compile(
    rf"^{ZH_POLITE}(?:删掉|删除|清除|去掉|移除|抹掉)(?:你(?:存|记|保存|记住)(?:着|下|下来|住)?的关于)?(?P<target>.+?)(?:的?(?:这条|那条"
    rf"|那个|这个)?(?:记忆|笔记))[了吧。！!\s]*$",
    re.S,
)
ZH_DELETE_KNOWN = re.compile(
    rf"^{ZH_POLITE}(?:删掉|删除|清除|去掉|移除|抹掉|删了)你?(?:存|记|保存|记住|记得|知道)(?:着|下|下来|住|了)?的?(?:所有)?(?:关于"
    rf"|有关)(?P<target>.+?)(?:的?(?:内容|信息|东西|事情?|一切))?[了吧。！!\s]*$",
    re.S,
)
ZH_DELETE_NAMED = re.compile(
    rf"^{ZH_POLITE}(?:删掉|删除|清除|去掉|移除)(?:这条|那条)?(?:记忆|笔记)[：:\s]*(?P<target>.+?)[了吧。！!\s]*$", re.S
)
ZH_FORGET_LEAD = re.compile(r"^(?:(?:你)?(?:记|存)(?:住|得|下|着|了)?的(?:关于)?|关于|有关|我(?:刚才|之前)?说(?:过)?的|我们?的|那条|这条)")
LIST = re.compile(
    r"(?i)^(?:ok(?:ay)?,? |hey,? |so,? |and |please )*(?:what (?:do|did|have) you (?:remember|memori[sz]ed?"
    r"|saved|stored)(?: so far| already| now)?(?: about (?:me|us|this project|the project|my project))?"
    r"|what do you know about (?:me|us)|what(?:'s| is) in (?:your|the) memory|(?:show|list|print"
    r"|display)(?: me)?(?: all)?(?: of)? (?:your |my |the )?memor(?:y|ies)"
    r"|what (?:memories|facts) do you have(?: saved)?)[\s?.!]*$"
)
ZH_LIST = re.compile(
    r"^(?:请问?|那|你)*(?:你?(?:都|还)?(?:记得|记住|记)(?:了|过|住)?(?:哪些|些?什么|啥)(?:东西|内容|事情?)?"
    r"|(?:你的?)?记忆(?:里|中)?(?:都)?(?:有"
    r"|存了?|记了?)(?:哪些|些?什么|啥)(?:内容|东西)?|(?:列出|显示|查看|看看)(?:一下)?(?:你的?)?(?:所有|全部)?(?:的)?记忆"
    r"|你(?:知道|了解)(?:我|我们)(?:的)?(?:哪些|什么)(?:事情?|信息)?)[了呢啊？?。\s]*$"
)

_PRODUCT = (
    r"(?:answers?|replies|responses?|commits?|diffs?|comments|explanations?|explain|summar\w+|bullet points?|paragraphs|tests"
    r"|code|emojis?|todos?|functions|names|messages|docs|examples|tables|prs|english|the why)"
)
TO_ASSISTANT = re.compile(
    rf"(?i)^(?:when|whenever|every time|before|if) (?:you|big|any|every|each|i (?:say|write|type))\b|^(?:please )?(?:ask|show|give|tell"
    rf"|warn|check with|bump|be|stay|stop|make sure|do a|go slow) (?:me\b|\w+)"
    rf"|\byou (?:to (?:always|never|push|run|write|use|ask|keep|explain)|should (?:always|never))\b|\bwithout asking\b|^under no"
    rf"|^whatever you do"
    rf"|^i (?:only |don['’]?t |do not |also )*(?:want|expect)\b.*\b{_PRODUCT}\b"
    rf"|^i (?:like|love|hate|appreciate) it when you\b|\b(?:conventional commits|commit messages?)\b|^(?:in|for) (?:\w+ )?tests\b"
    rf"|tests should be\b"
    r"|^(?:please )?(?:explain|talk|write|speak|describe|phrase|word|teach|answer)\b.* me\b|^(?:以后)?(?:跟|和|给|对)我(?:讲|说|解释"
    r"|介绍|写|回答|汇报|看)"
    r"|我(?:想|希望|要)先看"
    r"|先(?:问我|给我看|跟我|让我|备份)|问过我|我不?希望(?:你|每)|跟我说话|每次给我|给我看"
    r"|我说.{0,10}意思是|只要.{1,16}就要|^(?:凡是|任何情况下|无论如何|千万|绝对)|绝对(?:不许|不要|不能)|千万(?:不要|别)|务必"
    r"|^你的(?:回答|回复)|测试要用|^(?:别|不要|请别)|提交信息"
)
"""Tells the assistant how to work or what its work should look like."""

# --- types --------------------------------------------------------------------------------------------------------------

ABOUT_PERSON = re.compile(
    r"(?i)^(?:that )?(?:i|i['’]?m|i am|i['’]ve|i['’]d|my (?:name|role|job|title|timezone|time zone|email|pronouns|editor"
    r"|background|team|boss|birthday|github|preferred)|call me)\b|^(?:我(?!们)(?:人在|母语|刚|第一次|有.{1,8}障碍|大半辈子|业余|编辑器"
    r"|是|叫|姓|的|很|最|比较|一般|平时|通常|喜欢|不喜欢|不太"
    r"|讨厌|偏好|习惯|住|在|会|不会|不懂|不吃"
    r"|用|常用|更|只|每|从|写了|做了|用了|主要|负责|对.{1,8}(?:过敏|不熟|很熟))"
    r"|叫我|称呼我)"
)
PLACE = re.compile(
    r"(?i)https?://|^(?:if|when) (?:you|we|someone) (?:needs?|wants?|looks? for|are looking for) .*\b(?:in|on|at|under) .+"
    r"|\b(?:dashboard|wiki|tracker|runbook|documentation|docs|board|channel|spreadsheet|confluence"
    r"|jira|notion|figma|grafana)\b.*\b(?:is|are|lives?|at|in|under|on)\b|(?:看板|文档|仪表盘|工单|维基|知识库|监控|手册).*(?:在"
    r"|地址|链接|位于|是)"
    r"|\b(?:bugs?|tickets?|issues|tasks|errors|alerts|incidents|feature requests|requests|decisions|docs|designs?)\b.{0,30}\b(?:tracked"
    r"|kept|collected|live|show up|go to|are (?:in|on))\b.{0,20}"
    r"(?:linear|jira|notion|asana|trello|github|gitlab|sentry|confluence|figma|pagerduty|slack|clickup|(?-i:[A-Z])\w+)|^ask (?:in"
    r"|on) [#\w]"
    r"|(?:bug|任务|需求|缺陷|工单|报错|告警|架构决策|设计稿|问题).{0,10}(?:记|存|收集|登记|放|看|去|发|走|录)(?:录)?(?:在|到"
    r"|去)?\s?.{1,20}(?:里|上|项目|看板|目录|空间|群|问)"
)
RULE_WORDS = re.compile(
    r"(?i)^(?:please )?(?:always|never|don't|do not|avoid|stop|prefer|use|write|keep|answer|reply|respond|run"
    r"|commit|name|format|put|to\b)|(?:以后|总是|永远|不要|别|一律|每次|都用|都要|请用|请)"
)
