"""The forms of foreign text in a message, and the words by which a person asks to remember or to forget, in English and Chinese. Data only.

Patterns are matched on single lines or sentences of bounded length, or scan a text once, so that reading takes linear time.
"""

from __future__ import annotations

import re

FENCE = re.compile(
    r"^[ \t]{0,3}(?:```|~~~)[^\n]*\n(?:.*?^[ \t]{0,3}(?:```|~~~)[ \t]*$|.*\Z)|```[^`\n]{1,2000}```", re.DOTALL | re.MULTILINE
)
SENTENCE_END = re.compile(r"(?<=[。！？；!?\n])\s*|(?<=[.;])\s+(?=\S)")
MARKED = re.compile(
    r"`[^`\n]{1,300}`|\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|‘[^’\n]{1,300}’|「[^」\n]{1,300}」|『[^』\n]{1,300}』|《[^》\n]{1,300}》"
)
QUOTATIONS = (
    re.compile(r"“[^“”]{1,50000}”"),
    re.compile(r"「[^「」]{1,50000}」"),
    re.compile(r"『[^『』]{1,50000}』"),
    re.compile(r"«[^«»]{1,50000}»"),
    re.compile(r"(?<![\w\"])\"(?=\S)[^\"]{1,50000}\"(?!\w)"),
    re.compile(r"(?<![\w‘])‘[^‘’\n]{0,2000}(?:(?<=\w)’(?=\w)[^‘’\n]{0,2000}){0,40}’(?!\w)"),
    re.compile(r"(?<![\w'])'(?=\S)[^'\n]{1,2000}(?:(?<=\w)'(?=\w)[^'\n]{1,2000}){0,40}'(?!\w)"),
)
TAG = re.compile(r"<(?P<closing>/?)(?P<name>[A-Za-z][\w:-]{0,60})(?:\s[^<>\n]{0,300})?>")

# --- lines that nobody types --------------------------------------------------------------------------------------------

_LEVEL = r"(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|CRITICAL|NOTICE|SEVERE)"
PASTED = re.compile(
    r"\s*>"
    r"|\s*\[?\d{4}[-/]\d\d?[-/]\d\d?[T ]\d\d?:\d\d|\s*\[?\d\d:\d\d:\d\d|\s*[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d"
    rf"|\s*\[?{_LEVEL}\]?(?:[\s:|-]|$)|\s*\[[\w.-]{{1,30}}\]\s+\[?{_LEVEL}|\s*(?:npm|yarn|pnpm) (?:ERR!|WARN)"
    r"|\s*(?:\$|>>>|\.\.\.|PS [A-Z]:[^>]{0,200}>|C:\\[^>]{0,200}>|[\w.-]{1,40}@[\w.-]{1,60}:[^$#]{0,200}[$#]) ?\S"
    r"|\s*at \S{1,200}(?:\s?\(|:\d)|\s*File \"[^\"]{1,300}\", line \d|Traceback \(most recent|\s*Caused by:|\s*Suppressed:"
    r"|\s*(?:[A-Za-z_][\w]*\.)*[A-Z]\w*(?:Error|Exception|Warning|Interrupt)\b\s*(?::|$)|panic:|goroutine \d+ |thread '[^']{1,80}' panicked"
    r"|(?i:\s*(?:error|fatal|warning|fehler)(?:\s?\[?\w{0,20}\]?)?:\s)"
    r"|\s*[\[\]{}(),;]+\s*$|\s*\"[^\"\n]{1,200}\"\s*:\s|\s*\"[^\"\n]{0,300}\",\s*$|\s*\{\s*\"[^\n]*\}?,?;?\s*$"
    r"|\s*\[\s*[\"{][^\n]*\],?;?\s*$"
    r"|diff --git |index [0-9a-f]{6,}\.\.|@@ -|(?:---|\+\+\+) [ab]/|\s*\|[^\n]*\|\s*$|\s*<(?:!|\?"
    r"|/?[a-zA-Z][\w:-]{0,40}(?:\s[^<>\n]{0,300})?/?>)"
    r"|\s*(?:\[\d{1,2}:\d\d[^\]]{0,20}\]|\(?\d{1,2}:\d\d(?: ?[AP]M)?\)?)\s{1,3}[\w .-]{1,40}[:：]"
    r"|\s*(?i:user|human|assistant|system|ai|bot|tool|用户|助手|系统|工具)\s{0,2}[:：](?!\s*$)\s*\S"
    r"|\s*#\s?include\b|\s*(?:import|from) [\w.]+ import |\s*(?:def|class|fn|func|function|public|private|const|let"
    r"|var) \w+[^\n]{0,200}[({;=:]\s*$"
)
INDENTED_CODE = re.compile(r"(?: {4,}|\t+)[^\n]*[;{}()=<>$\[\]]")
DIFF_START = re.compile(r"diff --git |@@ -|(?:---|\+\+\+) (?:[ab]/|\S)")
DIFF_LINE = re.compile(r"[+\- @]|diff |index ")
MAIL_HEAD = re.compile(
    r"\s*(?:\*{0,2})(?i:from|to|cc|bcc|subject|date|sent|reply-to|message-id|to:|发件人|收件人|抄送|主题|日期|发送时间"
    r"|时间)(?:\*{0,2})\s{0,2}(?::\s|：)"
)
MAIL_START = re.compile(
    r"(?i)\s*-{2,}\s*(?:original message|forwarded message|forwarded by|原始邮件|转发(?:的)?邮件)|\s*begin forwarded message"
    r"|\s*on .{4,120} wrote:\s*$|\s*在?\s?\d{4}[-年/].{2,100}(?:写道|寫道)[:：]\s*$|\s*-{3,}\s*(?:原始邮件|转发邮件|原邮件)"
)

# --- what introduces foreign text ---------------------------------------------------------------------------------------

_NOUN = (
    r"(?:read-?me(?:\.\w{1,4})?|docs?|documentation|web ?page|page|web ?site|site|article|blog|post|wiki|ticket|issue|pr|pull request"
    r"|comment"
    r"|e-?mails?|mails?|message|newsletter|logs?|log file|output|result|response|error|trace(?:back)?|stack ?trace|file|snippet|code|text"
    r"|paragraph|section|quote|quotation|change-?log|release notes?|spec(?:ification)?|transcript|chat|thread|screenshot|image|banner"
    r"|popup|dialog"
    r"|template|prompt|contributing(?:\.md)?|agents\.md|claude\.md|licen[cs]e|manual|guide|tutorial|instructions?|stack ?overflow|reddit"
    r"|slack"
    r"|tool|command|terminal|console|std(?:out|err)|diff|patch|config(?:uration)?|json|yaml|header|footer|note|sign|poster|review|answer"
    r"|reply"
    r"|letter|contract|book|paper|standard|style ?guide|vendor|supplier|customer|client|user|bot|linter|compiler|api|server|ci|pipeline)"
)
_SAYS = (
    r"(?:says?|said|saying|reads?|states?|stated|shows?|showed|writes?|wrote|written|contains?|mentions?|goes|tells?|told|prints?|printed"
    r"|returns?"
    r"|returned|gives?|gave|reports?|reported|recommends?|suggests?|asks?|asked|claims?|insists?|demands?|includes?|replied|replies"
    r"|answered"
    r"|looks? like|as follows|follows|follow|below|instructs?|warns?|advises?|has|had|sent|posted|emailed|e-mailed|messaged|shared|quoted"
    r"|quote)"
)
_DO = (
    r"(?:translat\w+|summari[sz]\w+|rewrit\w+|proofread|rephras\w+|paraphras\w+|explain\w*|review\w*|improv\w+|polish\w*|writ\w+|draft\w*"
    r"|add\w*"
    r"|append\w*|insert\w*|put\w*|paste\w*|creat\w+|commit\w*|renam\w+|chang\w+|replac\w+|reply\w*|respond\w*|answer\w*|send\w*|print\w*"
    r"|echo\w*"
    r"|comment\w*|convert\w*|pars\w+|check\w*|analy[sz]\w+|fix\w*|correct\w*|format\w*|clean\w*|shorten\w*|expand\w*|edit\w*|implement\w*"
    r"|test\w*"
    r"|run\w*|execut\w+|search\w*|grep\w*|find|look\w*|read\w*|use|type|enter|submit|post|publish|display|show|what does|what is|what do)"
)
INTRODUCES = re.compile(
    rf"(?i)(?:\b{_NOUN}\b[^:：]{{0,80}}\b{_SAYS}\b[^:：]{{0,60}}$"
    rf"|\b(?:in|from|on|at|under|inside)\s+(?:the|this|that|their|its|our|a|an"
    rf"|my)\s+(?:[\w.'’-]+\s+){{0,4}}{_NOUN}(?:[\s,]+[\w.'’-]+){{0,4}}$"
    rf"|\b(?:here(?:'s| is| are| comes| goes)|this is|these are|below(?: is| are)?|following|see|i (?:got|get|received|found|see|copied"
    rf"|pasted|saw|read)|it"
    rf" (?:says|said|prints|shows|reads)|they (?:wrote|say|said|sent)|(?:s?he) (?:wrote|sent|posted|replied)|copied from|quoting"
    rf"|quoted from|quote"
    rf"|excerpt|pasted?|according to|for example|example|sample)\b[^:：]{{0,100}}$"
    r"|\b(?-i:[A-Z])[\w'’-]+ (?:wrote|says|said|posted|commented|replied|messaged|answered|asked|told (?:me|us))(?: (?:in"
    r"|on) [\w# -]{1,30})?$"
    rf"|\b(?:error(?: message)?|output|result|response|warning) (?:is|was|reads)$"
    rf"|^\W{{0,6}}(?:[\w.-]+ ){{0,2}}(?:error(?: message)?|output|std(?:out|err)|trace(?:back)?|stack ?trace|logs?|result|response"
    rf"|console|terminal|diff|quote|source|context"
    rf"|transcript|e-?mail|message from [\w .]{{1,40}})\s*$"
    rf"|^\W{{0,6}}(?:(?:please|can you|could you|would you|now|then|and|also|just|ok|i want you to|i need you to|help me"
    rf"|let's)[\s,]+){{0,4}}(?:{_DO}\s+(?:this|that|the|an?|these|those|following|my|me|it|them|to|into|in|with|for|as|out|up|us|all|some"
    rf"|one|another|your|him|her)\b"
    rf"[^:：]{{0,120}}|(?:translate|summari[sz]e|rewrite|proofread|rephrase|paraphrase|explain|what does|what is)\b[^:：]{{0,60}})$"
    r")"
    r"|(?:网页|页面|网站|官网|文档|说明书?|README|readme|自述|邮件|来信|信里|日志|输出|结果|报错|错误信息|终端|控制台|工单|评论|帖子"
    r"|文章|博客|手册|教程|规范|注释"
    r"|代码|文件|截图|聊天记录|群里|消息|公告|论坛|回复|弹窗|提示框|模板|提示词|合同|协议|书|论文|标准|指南|客户|供应商|issue|PR|wiki"
    r"|工具|命令|接口)"
    r"[^：:]{0,30}(?:写着|写的是?|写道|上写|里写|说|說|显示|提示|要求|建议|是这样|内容|如下|返回|打印|提到|里有|给出|报|称|表示|为"
    r"|是)[^：:]{0,12}$"
    r"|(?:工具|脚本|命令|程序|日志|意见|评审|报告|机器人|网页|页面|助手|模型|终端|接口|服务器?|编译器|供应商|客户|老板|同事|领导"
    r"|[老小阿][\u4e00-\u9fff]|工单|评论|文档|教程)[^：:]{0,12}?"
    r"(?:输出|打印|返回|显示|提示|说|写|回复|评论|来信|来邮件|发来|告诉|跟我说|给我)了?[^：:]{0,12}$"
    r"|(?:以下|下面|如下|下列|这是|这里是|原文|原话|引用|摘自|出自|来自|复制自|内容如下|比如|例如|示例)[^：:]{0,30}$"
    r"|(?:他|她|他们|对方|老板|经理|客户|供应商|同事|有人|网友)[^：:]{0,12}(?:写道|发来|发的|回复|留言|转发|原话)[^：:]{0,10}$"
    r"|^\W{0,6}(?:报错|错误|输出|日志|结果|终端|堆栈|原文|邮件|来源|上下文|引文)\s*$"
    r"|^\W{0,6}(?:请你?|麻烦你?|帮我?|帮忙|你|再|然后|先|现在|给我|把)*(?:.{0,20})(?:翻译|总结|概括|改写|润色|解释|分析|起草"
    r"|写一[段个封份篇]|写成|加上|添加|插入|追加"
    r"|粘贴|回复|检查|看看|看一下|改成|替换成|替换为|重命名为|执行|运行|打印|显示|搜索|查找|是什么意思|校对|实现|测试)[^：:]{0,20}$"
)
HEADS = re.compile(
    r"(?i)^\W{0,6}(?:[\w.'’-]+ ){0,3}(?:read-?me(?:\.\w{1,4})?|wiki|page|web ?site|article|blog|post|ticket|issue|pr|pull request|comment"
    r"|e-?mail|thread|slack|transcript|licen[cs]e|contributing(?:\.md)?|agents\.md|claude\.md|stack ?overflow|manual|tutorial"
    r"|change-?log)\s*$"
    r"|^\W{0,6}.{0,8}(?:README|readme|网页|页面|网站|邮件|工单|评论|帖子|文章|博客|手册|教程|公告|聊天记录)\s*$"
)
"""A bare name of a source, where what it holds stands on the lines below."""

KEEPS = re.compile(
    r"(?i)\b(?:remember|memor(?:y|ies|i[sz]e)|keep in mind|bear in mind|take note|note (?:that|to)|forget|for (?:future|your) reference"
    r"|write (?:this|that|it) down|jot|record(?= (?:this|that|it|the fact)\b)|for the future|from now on"
    r"|going forward|we (?:decided|agreed)|team (?:decided|agreed)|decision|rule|convention|fyi|my|our|important)\b[^:：]{0,60}$"
    r"|\b(?:what|how|the way|where|why|that) (?:i|we)\b[^:：]{0,60}$"
    r"|(?:记住|记下|记一下|牢记|记着|记得|别忘|不要忘|备忘|备注|记忆|忘掉|忘记|约定|规定|决定|规则|以后|今后|我的|我们的|注意)[^：:]{0,20}$"
)
COLON = re.compile(r":(?=\s|$|[\"“‘「『'□])|：")
EXAMPLE = re.compile(
    r"(?i)(?:\b(?:like|such as|e\.?g\.?,?|for (?:example|instance),?)|比如|例如|譬如|像)\s*"
    r"(?:(?-i:[A-Z]{2,10})-\d+|(?:feat|fix|chore|docs|refactor|test|ci|build|perf|style)(?:\([\w-]{1,20}\))?!?)$"
)
"""A shown form of commit subject or title: its colon introduces nothing of others."""
SAYS_BEFORE = re.compile(
    rf"(?i)\b{_SAYS}\b\s*[,:：]?\s*$|(?:写着|写的是|写道|显示|提示|标着|叫做的?按钮|上写|说|返回|打印)\s*[:：，,]?\s*$"
)
_BACK_EN = (
    r"(?:anyway|anyhow|so|ok|okay|thanks|thank you|but|however|still|though|also|besides|can you|could you|would you|please (?:explain"
    r"|summari[sz]e|fix"
    r"|translate|help|look|check|tell)|what|why|how|is (?:that|this|it)|does|should (?:i|we)|i|i['’](?:m|ve|d|ll)|my|we (?:use|prefer"
    r"|have|don['’]t|do not"
    r"|never|always|are|want|deploy|decided|agreed|switched)|in our|for us|that['’]s|btw|by the way|as for)\b"
)
BACK = re.compile(
    rf"(?i)\s*{_BACK_EN}|\s*(?:好了|好的|以上|就这些|我|咱们|但|可是|不过|然而|其实|另外|顺便|对了|你|请(?:你|帮)|帮我|麻烦|这是什么"
    rf"|怎么|为什么|谢谢)"
)

_REPORT_EN = (
    rf"(?:^|(?<=[.!?;]\s))[^,.;!?]{{0,60}}?\b(?:the|this|that|their|its|a|an"
    rf"|official)\s+(?:[\w.'’-]+\s+){{0,3}}?{_NOUN}(?:\s+[\w.'’-]+){{0,3}}?\s+"
    rf"(?:also |clearly |explicitly |just |even )?(?:says?|said|states?|stated|claims?|tells?|told|asks?|asked|recommends?|suggests?"
    rf"|instructs?|warns?|insists?"
    rf"|wants?|demands?|mentions?)\b(?:(?!,?\s(?:but|however|though|yet|whereas|while)\s)[^.!?;])*"
)
REPORTED = re.compile(
    rf"(?i){_REPORT_EN}|^\s*(?:according to|per)\s+(?:the|this|their|its)\s+(?:[\w.'’-]+\s+){{0,3}}?{_NOUN}\b(?:(?!,?\s(?:but"
    rf"|however)\s)[^.!?;])*"
    r"|^\s*(?:根据|按照|依据|据)[^。！？；，,]{0,20}(?:网页|页面|网站|官网|文档|说明书?|README|readme|邮件|日志|评论|帖子|文章|博客"
    r"|手册|教程|指南|论坛|wiki)[^。！？；，,]{0,8}[，,](?:(?!但"
    r"|可是|不过|其实)[^。！？；])*"
    r"|^\s*(?:根据|按照|据)?[^，。！？；,]{0,12}(?:文件|注释|消息|公告|群里|截图|网页|页面|网站|官网|文档|说明书|README|readme|邮件"
    r"|日志|评论|帖子|文章|博客|手册"
    r"|教程|工单|工具|模板|指南|论坛|issue|PR)\s*(?:里|上|中)?"
    r"(?:面)?(?:都|也|还)?(?:推荐|说|写着|写道|要求|建议|提到|提示|声称|写的是|让)(?:(?!但|可是|不过|其实)[^。！？；])*"
)
OWN_WORD = re.compile(r"(?i)\b(?:when(?:ever)? i|if i) (?:say|write|type|post|answer)\s*$|我(?:说|写|打|发|回)\s*$")
"""Before a word of the person's own whose meaning they give: “when I say "ship it" I mean …”."""
REMEMBER_THIS = re.compile(
    r"(?i)(?:^|[.!?\n]\s*|[。！？]\s*)(?:please |also |and |ok,? |hey,? |pls )*(?:remember|memori[sz]e|note|keep in mind)(?: (?:that|this"
    r"|the following))?\s*[:,]?\s*$"
    r"|(?:^|[。！？\n，,]\s*)(?:请|你|帮我|麻烦|另外)*(?:记住|记下来?|记一下|记着|牢记)(?:这一?[点句条])?\s*[：:，,]?\s*$"
)

# --- asking to remember and to forget -----------------------------------------------------------------------------------

REMEMBER = re.compile(
    r"(?i)\b(?:remember(?![\w(-])|memori[sz]e|(?:do not|don['’]?t|never) (?:ever )?forget|keep (?:this|that|it|these)? ?in (?:mind|memory)"
    r"|bear (?:this|that|it)? ?in mind"
    r"|take note|make a (?:mental )?note|note (?:to self|that|this|down|for)|write (?:this|that|it) down"
    r"|jot (?:this|that|it)? ?down|commit (?:this |that "
    r"|it )?to memory"
    r"|(?:save|store|put|add|keep|record|write|log)\b[^.!?\n]{0,120}?\b(?:to|in|into) (?:your |the |my |our |long[- ]?term "
    r"|project )*(?:memory|memories|notes)"
    r"|(?:save|create|add|make|write|store) (?:a |this as a |that as a )?(?:new )?memory|for (?:future|your) reference"
    r"|for the future(?=\s*[:,])|from now on"
    r"|going forward|henceforth|update (?:your |the |my |our )?(?:long[- ]?term |project )?memory(?=\s*[:,—–]))"
    r"|^\W*(?:please |and |also )*record (?:that|the fact)\b"
    r"|更新(?:一下)?(?:你的)?记忆(?=[：:，,])|^\W*(?:请|麻烦)?你?(?:帮我)?(?:[做记]个)?备注(?:一下)?(?=[：:，,])"
    r"|记住|牢记|谨记|切记|记牢|记下|记一下|记一笔|[记做]个(?:笔记|备忘)|记录一下|记录下来|记着|记好|备忘|别忘|不要忘|勿忘|莫忘|请记|记得(?!.{0,12}(?:吗|么|不|？|\?))"
    r"|(?:存|保存|加|写|放|记|录|添加)(?:到|进|入|在)(?:你的?|长期|项目)?(?:记忆|备忘|笔记)|从现在(?:起|开始)|以后(?:都|请|一律|就|要"
    r"|不要|别)|今后|往后都"
    r"|記住|記下|記得(?!.{0,12}(?:嗎|麼))|別忘"
)
NOT_REMEMBER = re.compile(
    r"(?i)^\W*(?:so |and |but |then |hey,? )?(?:how|why|what|when|where|which|who|does|do|did|is|are|should|has|have)\b.*\bremember"
    r"|\b(?:(?:do|did) (?:you|we|i|they) (?:still |even |not )?(?:remember|recall)|(?:can|could) (?:you|we) (?:still )?(?:remember"
    r"|recall) (?:what|which|who|where|when|how|why|if|whether|the\b.*\?)|(?:what|who|which|how much|anything) (?:do|did|have|can) (?:you"
    r"|we)"
    r"|i (?:don['’]?t|do not|can['’]?t|cannot|didn['’]?t|hardly|barely|vaguely|still|now|also|just|think i)? ?remember\b|i (?:forgot"
    r"|never remember)"
    r"|(?:hard|easy|difficult|try(?:ing)?|need(?:ed)?|have|want(?:ed)?|used) (?:for me )?to remember|as (?:i|you|we) (?:may )?remember"
    r"|if (?:i|you) remember|remember (?:when|how (?:we|you|i)|the time"
    r"|last time|what we|why)|remember[- ]me\b|(?:should|must|does|will|can) (?:it|the \w+|he|she|they) remember"
    r"|\b(?:it|the \w+(?: \w+)?|he|she|they) (?:should|must|will|can|has to|needs to|ought to) remember\b|(?:don['’]?t|do not"
    r"|no need to|needn['’]?t|never) remember (?:this|that|it|any)"
    r"|(?:don['’]?t|do not|no need to) (?:save|store|write|keep|put|add|record)\b)"
    r"|(?:还|你|您)记(?:得|住)(?:.{0,30})(?:吗|么|不|？|\?|什么|哪些|多少)|记不(?:住|得|清)|(?:不用|不必|无需|别|不要"
    r"|不需要)(?:帮我)?(?:记(?!了?不)|存|保存|写进记忆)(?:住|下|录|着|忆|得|这"
    r"|那|它|$|了)"
    r"|不记得|我(?:还|都|也|只|倒)?记得|记得(?:上次|之前|那次|当时)|我(?:总|老)?记不|怎么记住|如何记住|记住密码|记住我(?:的登录|功能"
    r"|按钮|选项)"
)
FORGET = re.compile(
    r"(?i)\b(?:forget(?!s\b|ting\b|table|ful|\(| gates?\b)|unlearn|unremember|take (?:this|that|it|\w+) out of (?:your |the )?memory"
    r"|(?:delete|remove|erase|drop|clear|wipe|purge|get rid of|throw (?:away|out)|discard"
    r"|scrap|undo)\b(?:[^.!?\n]|\.(?=\w)){0,120}?\b(?:"
    r"memor(?:y|ies)(?!\s+(?:limits?|caches?|leaks?|usage|allocat\w+|pools?|maps?|pressure|buffers?|banks?|pages?|blocks?)\b)"
    r"|notes?|you (?:remember|saved|know)"
    r"|what (?:you|i) (?:remember|saved|told))|(?:do not|don['’]?t|stop|no longer) remember(?:ing)?|stop (?:keeping|storing)|(?:should"
    r"|must) (?:not|no longer) (?:be )?(?:remember|remembered|kept)"
    r"|no longer need to (?:remember|know)|strike (?:that|this|the))"
    r"|从(?:你的)?记忆(?:里|中|里面)?[^。！？\n]{0,20}?(?:移除|删除|删掉|去掉|抹掉|清除|拿掉)"
    r"|忘掉|忘记(?!了|密码)|忘了(?=.{0,30}(?:吧|它|这|那|关于|我说))|把.{1,40}(?:忘了|忘记|忘掉)|(?:删掉|删除|删了|清除|清掉|去掉|移除"
    r"|抹掉|作废|撤销)[^。！？\n]{0,40}(?:记忆|笔记|备忘|记的|记住的)"
    r"|把[^。！？\n]{1,40}(?:记忆|笔记|备忘|记的|记住的)[^。！？\n]{0,20}(?:删|清|去掉|移除|抹|作废)|(?:别|不要|不用|不必|无需"
    r"|不需要)再?(?:继续)?(?:记(?!了?不|录|忘|得)|记着|记住|记得)"
)
NOT_FORGET = re.compile(
    r"(?i)\b(?:(?:do not|don['’]?t|never|not|won['’]?t|didn['’]?t|mustn['’]?t|shouldn['’]?t|can['’]?t) (?:ever |you )?forget|(?:i|we|they"
    r"|he|she|it|people|users?|always|often|might) (?:\w+ ){0,2}forget\b(?! (?:about|that|what|it|this|everything))"
    r"|you (?:always|often|keep|never|will|do|sometimes) forget|(?:easy|hard|tend|likely|want(?:ed)?|not) to forget"
    r"|forget it[,.! ]|forget(?:-| )(?:me|password)|did (?:you|i|we) forget|set and forget|fire[- ]and[- ]forget|(?:password"
    r"|login) (?:forget|forgot))"
    r"|别忘|不要忘|不会忘|没忘|勿忘|难忘|莫忘|总是?忘|老忘|经常忘|容易忘|怕忘|忘记密码|(?<![帮请让替给])我忘|是不是忘|忘记(?:加|写|提交|保存|关|带|改)了"
)
