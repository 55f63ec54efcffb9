"""The forms of a sentence by which its subject and value are found: leads, changes, negations, numbers, “X is Y”. Data of `subject`.

English and Chinese; each pattern is matched on one sentence of bounded length. Pure.
"""

from __future__ import annotations

import re

LEAD = re.compile(
    r"(?i)^(?:(?:no|nope|actually|correction|wait|sorry|well|ok|okay|please|also|so|and|but|hey|fyi|btw|by the way|remember|note|that|to"
    r"|as of now|from now on|going forward|now|update|instead"
    r"|(?:scratch|scrap|strike|ignore|forget) (?:that|it)|never ?mind)\b[\s,:;—–-]*"
    r"|(?:不对|不是的?|其实|更正|纠正一下|等等|抱歉|好的?|请|另外|对了|记住|记一下|注意|以后|今后|从现在起|从现在开始|现在|更新|我们"
    r"|咱们|(?:之前|刚才|上次)(?:我)?(?:说|讲)的(?:那个)?(?:不算|作废)了?)[\s，,：:、]*)+"
)
REASON = re.compile(
    r"(?i)\s*(?:[,;(（，；—–]\s*)?\b(?:because|since it|since we|so that|as it|due to|which|in order to)\b.*$|[，,；;（(]?\s*(?:因为"
    r"|由于|以便|这样|免得"
    r"|否则|所以).*$|\s*[(（][^()（）]{0,200}[)）]"
)
CUE = re.compile(
    r"(?i)\b(?:no longer|not .{1,40} any ?more|any ?more|instead|rather than|switch\w*|mov\w+|migrat\w+|chang\w+|replac\w+|renam\w+|now"
    r"|actually|correction|from now on|update[ds]?|no,|new)\b"
    r"|改成|改为|改用|换成|换到|换为|迁移|迁到|不再|不用了|替换|取代|代替|现在|更正|不对|其实|应该是|而不是|调整为|更新为|升级|搬到|新的?"
)
REPLACED = re.compile(
    r"(?i)\b(?:instead of|rather than|in place of|replac(?:es?|ing|ed)|no longer (?:use|using|on|in|at)?|no more|not|(?:switch|mov|migrat"
    r"|chang)(?:e|ed|ing)? (?:away )?from|over from|used to be|was)\s+(?:the |a |an |on |in )?(?P<old>[\w.+#@/:-]+(?:\s(?=[\d]))?)"
    r"|(?:[,;]\s*(?:and |so )?)(?P<gone>[\w.+#@/:-]+) (?:is|are) (?:gone|dead|history|out|no longer (?:used|in use))\b"
    r"|\b(?:dropped|ditched|retired|abandoned|got rid of|(?:took|takes|taking) over .{2,40} from)\s+(?:the )?(?P<given>[\w.+#@/-]+)"
    r"|(?:^|\bthe )(?P<named>[\w.+#@/-]+) (?:was|got|is|has been) renamed (?=to|into)"
    r"|(?P<left>[A-Za-z][\w.+#@/:-]{0,30})\s?(?:我们|咱们)?(?:已经|早就|就)?(?:不用|不再用|停用|弃用|废弃|淘汰)了"
    r"|(?:而不是|不再(?:用|使用|是)?|不用(?!了)|代替|取代|替换|弃用(?!了)|换掉|不是|从|由|原来(?:是|用)|之前(?:是"
    r"|用))\s?(?P<zh>[\w.+#@/:-]{1,30}?)(?=改|换|迁|升|调|搬|了|，|,|。|$|\s|变|到|转)"
)
FRAME = re.compile(
    r"(?i)\b(?:(?:just |recently )?(?:got|has been|have been|was|were)\s+)?(?:moved|shifted|postponed|rescheduled|pushed back|bumped"
    r"|brought forward|changed|switched|migrated|updated)(?: over)?(?=\s+(?:to|from|till|until)\b)"
    r"|\b(?:these days|nowadays|any ?more|for good|as of (?:now|today)|from now on|going forward|last (?:week|month|year|sprint|quarter)"
    r"|since (?:last )?(?:week|month|year|yesterday)|yesterday|recently|(?:a|two|three) (?:weeks?|months?|years?) ago)\b"
    r"|(?:上个?(?:周|星期|月|季度)|去年|昨天|最近|前阵子|刚刚?|已经|早就)(?=.*(?:迁|换|改|搬|挪|调|切|升|移))|[挪移搬]到|迁移?到|切到"
    r"|改名(?:叫|为|成)?|\brenamed to\b"
)
"""What only says that, or since when, something is otherwise: it tells nothing of what is spoken of."""
HANDED_OVER = re.compile(
    r"(?i)^(?P<old>[\w.+#@/-]+(?: [\w.+#@/-]+)?) (?:isn['’]?t|is not|is no longer|aren['’]?t"
    r"|are no longer) (?P<what>.{2,60}?)(?: any ?more)?"
    r"[,;]\s*(?:and |but )?(?:now )?(?:it['’]?s|it is|that['’]?s|this is|they['’]?re)(?: now)? (?P<new>.{1,60})$"
)
"""“X isn’t Y any more, it’s Z”: Y is what has the value, X the old and Z the new one."""
ONCE = re.compile(r"(?<=[每周月天年度])(?P<verb>[\u4e00-\u9fff])一次(?P<object>[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff])一次(?=$|[，。,])")
"""“Once” beside how often: 每月发一次版 is 每月发版."""
NEGATION = re.compile(
    r"(?i)\b(?:not|never|don['’]?t|do not|doesn['’]?t|isn['’]?t|aren['’]?t|won['’]?t|mustn['’]?t|shouldn['’]?t|can['’]?t|cannot|no longer"
    r"|avoid|stop|without|forbid\w*|banned?|no(?= \w+(?: \w+)?$))\b"
    r"|不要|不能|不用(?!户)|不许|不准|不再|不应|不得|不可|别(?![的人名])|勿|禁止|严禁|从不|绝不|避免|没有|不(?=写|使用|提交|合并|部署"
    r"|加|做|改|碰|删|直接|允许|支持|喜欢|发布|需要|走|在)"
)
OF = re.compile(r"[\d]")
NUMBERED = re.compile(
    r"(?i)\b(?:sprint|phase|step|issue|ticket|pr|chapter|room|floor|stage|milestone|release|team|group|wave|batch|case|task|server"
    r"|node(?=\s*#)|region|zone|level|part|section|lesson|unit|building|line(?= \d+ of))\s*#?\s*(?P<en>\d[\w.-]*)|#(?P<hash>\d+)"
    r"|\b(?P<made>v\d+(?:\.\d+)*)(?=\s+(?!(?:is|was|are|were|now|and|or|to|in|on|since|from|for|at|with|as|today|by|only|instead|will|has"
    r"|everywhere)\b)[a-z])"
    r"|第\s*(?P<zh>[\d一二三四五六七八九十]+)\s*(?:期|号|版|章|阶段|组|楼|次|班|季度|步|周|个|批|轮|层|节)|(?P<after>\d+)\s*(?:号楼"
    r"|号机|期(?!限)|号服务器|班|组)"
)
NUMBER = re.compile(r"(?<![A-Za-z0-9_.])v?\d+(?:[.,:/-]\d+)*", re.IGNORECASE)
ZH_DIGIT = re.compile(r"(?<=[\u4e00-\u9fff])[一二两三四五六七八九十](?=[个人次天周名位条份轮])")
WORD_NUMBER = re.compile(r"(?i)\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|sixty)\b")
MONTH = re.compile(
    r"(?i)\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?(?=\s+\d)|(?<=\d)\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep"
    r"|oct|nov|dec)[a-z]{0,6}\b"
)
COPULA = re.compile(
    r"(?i)^(?P<subject>.{2,120}?)\s+(?:is|are|was|will be|should be|must be|has to be|equals|becomes|=)\s+(?:now |always |still "
    r"|actually )?(?P<value>\S.*)$"
    r"|^(?P<label>[^:：]{2,60})[:：]\s+(?P<labelled>\S.*)$"
)
ZH_COPULA = re.compile(
    r"^(?P<subject>.{1,40}?)(?:现在|目前|应该|已经|都)?(?:是|为|叫做?|叫作|在|改成了?|改为了?|换成了?|改到|等于|定在|放在|位于"
    r"|：)\s*(?P<value>\S.*?)(?:了|啦)?$"
)
_PERSON = r"(?:the )?(?:user|person)|i|i['’]m|用户|我"
HOME = re.compile(
    rf"(?i)^(?P<who>{_PERSON}|[\w-]{{2,20}}(?! ?works? (?:for|at)\b)) ?"
    r"(?P<how>lives? in|(?:is |are |am )?(?:based|living) in|works? (?:at|for)"
    r"|(?:am|is) called|is named|(?:现在|目前)?(?:住在|住|就职于|在(?=[^，,]{1,20}(?:工作|上班)$)|叫做?(?![了你您他她它人过外车])))"
    r"\s*(?P<where>[^，,;；。]{1,30}?)(?:工作|上班)?(?:了| now)?$"
)
_SAME_HOW = {
    "li": "lives",
    "ba": "lives",
    "住": "lives",
    "wo": "works",
    "就": "works",
    "在": "works",
    "ca": "called",
    "na": "called",
    "叫": "called",
}


def home_of(match: re.Match[str]) -> tuple[str, str, str]:
    """Of a match of `HOME`: who, what is told of them, and the place or name; the person is “”, in whichever words."""
    who = "" if re.fullmatch(_PERSON, match["who"], re.IGNORECASE) else match["who"].lower()
    how = re.sub(r"^(?:is|are|am|现在|目前) ?", "", match["how"].lower())
    return who, _SAME_HOW.get(how[:2]) or _SAME_HOW[how[:1]], match["where"]


HEAD = re.compile(
    r"(?i)^(?:at|on|in|to|for|by|with|from|under|behind|called|named|written in|hosted (?:at|on|by|in)|owned by|run by|located (?:at|in)"
    r"|stored (?:in|at)|kept (?:in|at))\b"
)
ADDRESS = re.compile(
    r"(?i)[a-z][a-z0-9+.-]{1,20}://[^\s，。；、）】」]+|[\w.+-]+@[\w-]+\.[\w.-]+|(?<![\w])[~./]?[\w.-]*/[\w./-]+|(?<![\w#])#[a-z][\w-]+"
)
NAMEY = re.compile(r"^[\"'“”`]?(?:[A-Z][\w.+#-]*|[\w.+#-]*\d[\w.+#-]*|`[^`]+`)(?:\s+(?:[A-Z][\w.+#-]*|\d[\w.]*))*[\"'“”`.]?$")
NAME = re.compile(r"(?<=[\w,] )[A-Z][\w+#-]+")
USING = re.compile(r"(?i)\b(?:use|uses|using|used|switched to|moved to|migrated to|changed to)\b|用|使用|采用|改用|换用|换成|改成")
ATTRIBUTES = frozenset(
    [
        "name",
        "names",
        "deadline",
        "port",
        "host",
        "hostname",
        "address",
        "url",
        "link",
        "email",
        "phone",
        "number",
        "editor",
        "language",
        "manager",
        "lead",
        "owner",
        "boss",
        "database",
        "db",
        "branch",
        "version",
        "limit",
        "size",
        "length",
        "width",
        "timeout",
        "timezone",
        "color",
        "colour",
        "theme",
        "font",
        "birthday",
        "role",
        "job",
        "title",
        "framework",
        "tool",
        "runner",
        "date",
        "day",
        "time",
        "schedule",
        "location",
        "office",
        "region",
        "format",
        "license",
        "key",
        "hook",
        "default",
        "prefix",
        "suffix",
        "budget",
        "password",
        "interval",
        "frequency",
        "retention",
        "threshold",
        "ratio",
        "server",
        "endpoint",
        "domain",
        "registry",
        "mentor",
        "reviewer",
        "maintainer",
        "contact",
        "client",
        "cadence",
        "standup",
        "meeting",
        "retro",
        "demo",
        "freeze",
        "release",
        "launch",
        "名字",
        "名称",
        "截止日期",
        "截止时间",
        "截止",
        "期限",
        "端口",
        "端口号",
        "主机",
        "地址",
        "网址",
        "链接",
        "邮箱",
        "电话",
        "号码",
        "编辑器",
        "语言",
        "经理",
        "负责人",
        "老板",
        "数据库",
        "分支",
        "版本",
        "上限",
        "限制",
        "大小",
        "长度",
        "宽度",
        "超时",
        "超时时间",
        "时区",
        "颜色",
        "主题",
        "字体",
        "生日",
        "角色",
        "职位",
        "职务",
        "框架",
        "工具",
        "日期",
        "时间",
        "地点",
        "办公室",
        "区域",
        "格式",
        "许可证",
        "默认值",
        "前缀",
        "后缀",
        "预算",
        "间隔",
        "频率",
        "保留期",
        "阈值",
        "域名",
        "服务器",
        "评审人",
        "联系人",
        "客户",
        "站会",
        "例会",
        "周会",
        "会议",
        "发布日",
        "发布时间",
        "上线时间",
        "缩进",
        "目录",
        "路径",
        "密钥位置",
        "看板",
        "文档",
    ]
)
"""Things that have one value: a sentence that gives another one corrects the first."""
