"""The words by which `embedded_features` tells lasting clauses, English and Chinese: leads, what is passing, subjects, verbs, rules. Data.

Patterns are matched on single clauses of a masked sentence whose Chinese is in simplified characters.
"""

from __future__ import annotations

import re

CUT = re.compile(
    r"[,;:]\s+|\s[-–—]+\s|—|[，；：]\s?|\s+(?=(?i:(?:and|but|so|because|since|cause|cuz) (?:then |also |now )?"
    r"(?:we|our|i|i['’]?m|the|it|you|that|they|there|nobody|everything|everyone|all)\b))"
)
TAG = re.compile(r"(?i)^(?:right|correct|no|yes|or|ok|isn['’]?t it|don['’]?t we|am i right|对吧|对吗|是吧|对不对|没错吧|是不是|好吗)$")
INFORMS = re.compile(
    r"(?i)^(?:(?:(?:so|and|but|also|well|ok(?:ay)?|um+|uh+|er+|you know|like|btw|by the way|anyway|anyhow|fyi|oh|hey|hi|morning|please"
    r"|pls"
    r"|heads[- ]?up|quick (?:note|context|one)|for (?:context|info|the record)|in case (?:it|that) matters|just so you know|note that"
    r"|(?:one|another) thing (?:you should know|to know|to note|to keep in mind)(?: is(?: that)?)?|you should know(?: that)?"
    r"|keep in mind(?: that)?|be aware(?: that)?|because|since|cause|cuz|actually|important|reminder|nope?|wrong|correction"
    r"|(?:in|on|at) (?:our (?:company|team|project|side|case)|this (?:project|repo|company|team|codebase))"
    r"|over here|here|internally|these days|as a team|at work|after (?:a |some )?(?:long |lots of )?(?:discussions?"
    r"|debate))\b[\s,.:;!—–-]*)"
    r"|(?:所以|因为|而且|但是?|不过|反正|然后|就是说?|呃|嗯+|那个|啊|哦|对了|顺便(?:说下|说一下|一提|提下|提一下)?|顺带一提|先(?:说"
    r"|交代)(?:一下|下)"
    r"|说明下|提醒下|补充下?(?:一下)?(?:背景)?|背景是|有一点你要知道|(?:你要|要)知道|注意|另外|还有|其实|更正一下|不对|错了|提前说下"
    r"|(?:去年|前年|今年|最近|后来|讨论了?很久|[春夏秋冬]天(?:的时候)?|(?:\d{1,2}|[一二三四五六七八九十]{1,2})月份?(?:开始|起)?|上个?月"
    r"|上周)(?=[，,\s]*(?:我们|咱们))|在?我们(?:这边|这里|组里|团队里)(?=[^，,]{2,}$))[\s，,：:。]*)*+"
)

TELLS = re.compile(
    r"(?i)heads|note|context|info|record|matters|so you know|should know|to know|keep in mind|aware|important|reminder|correction|wrong"
    r"|nope?\b|fyi|btw|by the way"
    r"|company|team|project|codebase|repo|internally|over here|顺便|顺带|先说|先交代|说明|提醒|补充|背景|知道|注意|对了|更正|不对|错了"
    r"|提前|我们"
)
"""A lead that says that something is told for good."""
TWO_PARTS = re.compile(
    r"(?i)^(?:when|whenever|every|each|any ?time|before|if|给我|请|凡|只要|但凡|每|任何|无论|不管|如果|有|遇到|碰到|涉及|.{1,14}?一有"
    r"|.{0,16}?前)"
)

CORRECTED_VALUE = re.compile(
    r"(?i)^(?:no+|nope|wrong|actually|correction|sorry)[\s,.:;!—–-]+(?P<value>(?:it['’]?s|it is|that['’]?s) (?:\d{2,6}|(?-i:[A-Z])\w+"
    r"|[\w.]+[-_/]\w[\w.-]*), (?:the|our|not) \w+)"
    r"|^(?:不对|错了|不是|更正)[\s，,：:。]*(?P<zh>是\s?[A-Za-z0-9][\w.-]+[，,]\s?不是)"
)
IDIOM = re.compile(
    r"(?i)^(?:and |so |but )?(?:please )?(?:don['’]?t|do not) (?:ask(?: me)?(?: why| how| what|$)|get me started|quote me"
    r"|laugh|tell (?:him|her|anyone))"
    r"|^(?:别问|别笑|谁知道|天知道)"
)
"""An order by its form only."""
MEASURE = re.compile(r"(?<=[，,])\s?(?:要|得|应该|只)?看\s?(?:[A-Z][A-Za-z]*\d*|召回率?|中位数|精确率|分位数?|[Pp]\d\d)$")
"""What a team goes by, no request to look at something: “accuracy is useless here, 看 F1”."""
SUBORDINATE = re.compile(r"(?i)^(?:when(?:ever)?|every time|each time|if|before|after|unless|as long as|until) ")
BARE_RULE = re.compile(r"(?i)^(?:never|not|always|no)\b|^(?:别|不要|每次都|永远)")
TASTE = re.compile(
    r"(?i)^(?:i (?:really |much |also )?(?:like|prefer|find|love)\b|我(?:更|比较)?(?:喜欢|觉得)[^，,]{0,3}(?:表格|列表|要点|图表|代码"
    r"|短))"
)
COMPARED = re.compile(r"(?i)\b(?:better|easier|harder|faster|clearer|more \w+) (?:\w+ )?than\b|觉得")

# --- what is of the moment ----------------------------------------------------------------------------------------------

SUPPOSED = re.compile(
    r"(?i)^(?:what )?if (?!you\b)|\b(?:suppose|supposing|assume|assuming|imagine|pretend|let['’]?s say|say we|hypothetically"
    r"|for example|for instance"
    r"|in case the)\b|假设|假如|假定|假装|想象|要是|^如果(?!你)|万一|比如|例如|譬如"
)
HERE = re.compile(
    r"(?i)\b(?:this (?:file|function|line|error|bug|class|method|variable|test|branch|pr|commit|loop|button|page|section|time|morning"
    r"|week"
    r"|step|task|script|module|component|change|option|version|one|code|query|table|column|endpoint|ticket|issue|run|weekend|approach"
    r"|dialog|screen|form|modal|view|widget|window|menu|panel|snippet|line|row|field)|\bthere(?=$|[,.])"
    r"|for now|right now|at the moment|just this once|for the moment|while (?:we|you|i)|today|tonight|yesterday|tomorrow|yet\b|so far"
    r"|again"
    r"|when (?:you['’]re|you are) (?:done|ready|finished)|before you (?:start|continue|go on|do (?:that|this|it)|answer|begin))\b"
    r"|这个?\S{0,4}?(?:文件|函数|错误|问题|类|方法|变量|测试|分支|方案|按钮|页面|版本|参数|循环|报错|组件|脚本|模块|任务|PR|接口)|这里"
    r"|此处"
    r"|这次|这回|这段|这行|这条"
    r"|那个|那里|现在|先别|暂时|暂且|目前|今天|昨天|昨晚|今晚|今早|明天|待会|刚刚|刚才|这周|本周|期间"
)
PROGRESSIVE = re.compile(
    r"(?i)^(?:\w+ ){1,3}(?:is|are) (?:currently |still |just |now )?(?!being|using|missing|moving|migrating|switching|running|leaving"
    r"|joining|freezing|launching|shipping|going|dropping"
    r"|deprecating|targeting|hosting|building|retiring|replacing|releasing|string|billing|ring|king|thing|testing|staging|nothing"
    r"|living|colou?r|spring|responsible)\w+ing\b"
)
TROUBLE = re.compile(
    r"(?i)\b(?:broken|broke|breaks|wrong|bugs? in|crash\w*|fail(?!over)\w*|hang(?:s|ing)?|stuck(?! (?:on|with"
    r"|at) (?:(?-i:[A-Z])|\w+ v?\d))|weird"
    r"|for some reason|no idea|complain\w*|flaky|leak\w*"
    r"|undefined|nan|not working|(?:does|do|did|is|are|was|were|has|have)n['’]?t (?:work|compile|start|load|build|help|seen?|reached?"
    r"|returned?)|won['’]?t|throws?"
    r"|goes crazy|forever|times? out|timeouts?(?! (?:is|are|of|to|limit|value|for|must|should)\b)|slow(?:ly|er)?|messed?|misleading"
    r"|badly|ugly|missing|mistakes?|shouldn['’]?t"
    r"|out of (?:memory|disk)"
    r"|twice|dies?|chokes?|has (?:a|an|the) (?:endpoint|route|button|field|column|function|method|class)|sometimes|occasionally"
    r"|\d+ commits? (?:behind|ahead)"
    r"|returns? .{1,40} instead of|at all|a mess|no (?:tests|docs)|keeps? (?!doing)\w+ing"
    r"|every time (?:i|we)|asks me to|prints?|traceback|exceptions?|warnings? (?:in|at)|line \d+|blank|freezes|overlaps?"
    r"|don['’]?t (?:know|understand|get|see|have|think|remember)|users? can['’]?t|how to|trying|tried|i (?:just|was|had|ran|did|got|saw"
    r"|see|think|guess|wonder|feel)\b)"
    r"|偶尔|有时|死掉|没用(?!过|到)|没效果|[不没]生效|里写的|要?(?:跑|花|等|编译).{0,6}(?:分钟|小时|秒)|两次|返回的?是.*不是|报错(?!都"
    r"|看|去|统一|上报)|第\s?\d+\s?行|堆栈"
    r"|出错|失败|崩|坏|挂(?:了|掉|起)|卡(?:住|死|了)"
    r"|错了|(?<!换)(?<!改)(?<!升级)不了(?!解)|有问题(?!的话|就|时|请|先|可以|问)|没反应|乱|掉线|超时(?!时间|是|为|统一|上限|设)|找不到"
    r"|抱怨|泄漏|宕|很慢|太慢|变慢"
    r"|慢死|漏了|不对"
    r"|起不来|连不上|空的|白屏|异常|红了|搞不|不知道|没搞懂|闪退|丢了|卡在|退出码|\b[45]\d\d$|漏洞|冲突|烂|段错误|没有这|没这"
)
EPISODE = re.compile(
    r"(?i)\bat \d+ ?(?:%|percent)|\bhas \d+ \w+ in it\b|(?<!会)被[^，,]{1,12}了$|到了?\s?\d+\s?%|(?:都|全)(?:绿|过|红|挂|好|通过|跑完)了"
    r"|快.{1,3}了(?:$|[，,])"
    r"|才(?:重试|返回|抛|触发|显示)"
    r"|^(?:my|our) (?:(?:big |little |younger |older )?(?:brother|sister)|friend|mom|dad|mother|father|wife|husband|son|daughter|kid"
    r"|neighbou?r"
    r"|cousin|roommate|ex|old (?:boss|team|company|job)|(?:previous|former|last) \w+)s?\b|^我(?:弟|哥|姐|妹|妈|爸|老婆|老公|儿子|女儿"
    r"|室友|邻居|前(?:公司|同事"
    r"|老板))|^[一二两三四五六七八九十几\d]+\s?个(?:是|在|都|没|还)|\b(?:\d+ (?:out )?of \d+|i(?:['’]m| am) (?:trying|getting|seeing"
    r"|looking|debugging"
    r"|working on (?!the \w+ team)|wondering|running|writing|reading"
    r"|testing|about to|going to"
    r"|done|back|ready|sorry|sure|ok|fine|good|afraid|happy|glad|here|confused|stuck|tired|not sure|pretty sure|thinking|using this"
    r"|planning|so \w+$)"
    r"|we(?:['’]re| are) (?:currently |still |just )?(?:trying|getting|seeing|looking|debugging|waiting|discussing|talking"
    r"|stuck(?! (?:on|with|at) (?:(?-i:[A-Z])|\w+ v?\d))|done|almost|close|fine|good|ready|at the)"
    r"|we (?:ran|had|did|got|saw|found|made|went (?!for|with)|lost|hit|tried|need to (?:fix|find|check|handle)|have to (?:fix|find"
    r"|check|figure)|want(?:ed)? to)"
    r"|(?:tests?|builds?|ci) (?:is|are) (?:red|green|passing|running)|(?:is|are) (?:on (?:vacation|holiday) this|slow|fast|huge|green"
    r"|red|late|full|empty|down|null|up))\b"
    r"|正在|在(?:查|看|跑|调|改|忙|想|找|等|考虑|装|试)|想(?:要|让|加|做|用|问|搞|把|换|搬)|打算|得(?:先)?(?:查|修|找|看)|(?:跑|试|改"
    r"|装|升级|推|重启|合并)(?:了|过|完)(?!的|.*(?:年|以来))"
)

CONTRAST = re.compile(
    r"(?i)\b(?:haha\w*|lol|lmao|just kidding)\b|哈哈|^(?:but|even though|although|though|yet)\b|\b(?:even though|and then|and (?:want"
    r"|need|would like) to|have a look)\b|\b[45]\d\d\b$|^我[^们，,]{1,4}的(?:却)?是|^(?:但是?|可是|却|明明|结果|然后)|却|明明"
)
STRONG = re.compile(
    r"(?i)^(?:(?:and|but|so|also|btw|by the way|fyi|since|because|actually|no|nope|here|anyway|wrong|correction|just so you know"
    r"|for context|heads up)[\s,:]+)*"
    r"(?:we (?:\w+ly )?(?:always |never |only |now |still |all |don['’]?t |do not |no longer )*(?:use|deploy|ship|release|store|host"
    r"|manage|run (?!the\b|a\b|it\b|this\b|into\b)|write|build|support|track|work (?:with|in|on)|keep"
    r"|(?:can['’]?t|cannot|must|may) (?:not )?(?:use|store|deploy|upgrade|log|share|host)|moved|switched|migrated|decided|agreed"
    r"|settled)\b"
    r"|we(?:['’]re| are) (?:on|running|using|a|an|bound|legally)\b|(?:this|our) (?:\w+ )?(?:repo|repository|project|monorepo|codebase"
    r"|company|team|stack|product)\b"
    r"|(?:deployments?|deploys|payments?|infra\w*|login|auth\w*|background jobs|releases|it['’]?s)(?: here)? (?:is|are) (?:done|handled"
    r"|managed|hosted|written)\b|it['’]?s \S+, (?:the|our|not)\b"
    r"|i(?:['’]?m| am) (?:an?(?! bit| little) |new to|based|colou?r)|i(?:['’]ve| have) been \w+ing .*years|my (?:name|role|job|native"
    r"|editor|time ?zone)|i (?:prefer|like|hate|love|find|want|don['’]?t want|work|live)\b)"
    r"|^(?:(?:因为|而且|对了|顺便|不对|错了|其实|更正|另外)[\s，,：:]*)*(?:我们|咱们|我司|公司|团队|本项目|这个?(?:项目|仓库|产品"
    r"|代码库|库(?!存)|组|团队|公司|monorepo)|这边)(?!想|要(?!求|支持|兼容|跑在|符合|满足)|跑完|有[两三几])(?!.{0,12}(?:了两|两次|三次"
    r"|三行))"
    r"|^我(?!想|要|这里|在|有|的(?:代码|函数|电脑|程序))"
)
ONE_OFF = re.compile(
    r"(?i)[,;] *(?:because )?i(?:['’]d like| want| wanna| need) to (?:see|understand|learn|try|practi[cs]e|figure|write it"
    r"|do it|get a feel)\b"
    r"|(?:[，,]|^)(?:因为)?我?(?:就|只)?(?:想|要)(?:先|自己)?(?:看看|看一下|弄懂|弄明白|搞懂|搞明白|学学|学一下|试试|练练"
    r"|练手|了解)|练练手|"
    r"^(?:nit|nits|review|code review|suggestion|todo)\s?:|^(?:评审|代码评审|小问题|建议|待办)\s?[：:]|^never (?:mind|seen|heard"
    r"|been|had|thought|knew|understood)\b|\bonce$"
    r"|^(?:stop|quit) \w+ing and\b|^(?:please )?(?:do not|don['’]?t) \w+, just\b|\ball (?:two|three|four|five"
    r"|six|\d+|these|those)\b|^if you (?:find|see|get|can|could|want)\b"
    r"|\b(?:all|every) [\w ]{1,20}(?:where|whose)\b|\bi['’]?m a (?:bit|little|tad)\b|\bbeen \w+ing (?:at )?(?:this|that|it)\b"
    r"|\bfor (?:\d+|\w+) (?:hours?|minutes?|mins)\b|\bin (?:\d+|five|ten|two|a few) (?:minutes?|mins|hours?)\b"
    r"|\bin the (?:\w+ )?(?:page|screen|dialog|form|modal|menu|table|file|function|component|sidebar|header)\b(?! (?:called|named)\b)"
    r"|\brows?\b|\b(?:for"
    r"|while) loop\b|\b(?:one|the same|a single) file\b|\bi live for\b|\bbut (?:the|it|i(?!['’]ve (?:never|not|hardly"
    r"|barely)\b)|we get|when)\b|\bone by one\b|\b(?:edit|see"
    r"|change|call|run|click|touch|open) (?:this|that)\b(?! (?:repo|project|folder|directory|branch|package|service|way))"
    r"|^i (?:always|never|still) (?:get (?:confused|lost|stuck)|forget|mix|understood|wonder|struggle|remember)"
    r"|^i work(?:ing)? on .*\bnow$|\b(?:owns|has|opened|reviewed|merged) (?:the|this|that|my) (?:pr|ticket|branch|issue|bug)\b"
    r"|\bthat (?:file|line|function|code|module|class|test|part|branch|method|table|column)\b"
    r"|\band now (?:the|it|nothing|everything|all|we get|i get)\b|\bi['’]?d expect\b|我没法|打印出来|^(?:actually,? )?the (?:field|prop"
    r"|property|attribute|flag|param) is called\b|^[老旧]代码|^(?:解析器|接口|按钮"
    r"|列表|页面|表单|组件|函数|方法|弹窗|订单页|设置页)(?:必须能|要能|要支持|需要支持|得能|应该能"
    r"|要放|要按)"
    r"|(?:这个|那个|它|这些)$|我更?(?:倾向|喜欢|选|觉得)于?\s?(?:方案|选项|版本|第|左边|右边)"
    r"|^(?:别|不用|不要)(?!再|老|总|每次)[^，,]{1,8}了?[，,]\s*(?:直接|去|先|快|赶紧|就)|^(?:别|不用)(?!再|老|总)[^，,]{1,3}了"
    r"|^[一二两三四五六七八九十几\d]+个|的(?:行|列|记录|字段)$|分钟后"
    r"|有(?:一)?张|[万千百]行(?!以内|封顶|以下)|跑完|查完|拿到|闪退|退出|丢了|卡在|^(?:我们?|咱们)(?:还|也"
    r"|就)?(?:在)?想(?:把|要|用|做|让|加|在|看|换|问"
    r"|试|存|去)|(?:文档|README|注释|代码)里?写(?:的是|着|了)|远高于|for 循环"
)
NOUN_FIRST = re.compile(
    r"(?i)^(?:please )?[a-z]+ (?:[\w-]+ )?[\w-]+s (?:here |there |always |never |only |in (?:this|our) [\w-]+ )*(?:start|begin|end|are"
    r"|must|live|go|need|have"
    r"|follow|use|get|can|should|come|contain|belong|stay|run|look|take|carry|happen)\b"
)
"""A verb that is a noun before a plural: “commit subjects here start with …”."""
UNSURE = re.compile(r"(?i)^if you(?:['’]re| are) (?:unsure|not sure)")
ZH_TASK = re.compile(
    r"^(?:请|帮我|你|再|然后|给我)*(?:改|调|弄|处理|整理|写|加|删|看|查|跑|读|打印|画|算|换|拆)(?:一下|下|出来?"
    r"|成(?![^，,]{1,16}了$)|个|一[个段份条])"
)
COMMON_KNOWLEDGE = re.compile(
    r"(?i)^(?:google|netflix|facebook|meta|amazon|microsoft|apple|uber|airbnb|spotify|twitter|openai|github)\b (?:is|uses?|has|does"
    r"|runs?|deploys?|ships?)\b(?!.*\b(?:our|we|us)\b)"
    r"|^(?:谷歌|微软|苹果|亚马逊|脸书|字节|Netflix|Google|Facebook)(?:用|是|都|有)"
    r"|^(?:npm|yarn|docker|kubernetes|react|vue|node|python|java|next|webpack|jquery)(?: [\w.]+){0,2} (?:is|are|was"
    r"|reaches) (?:deprecated|dead|slow\w*|fast\w*|better|worse|outdated|end of life)\b(?!.*\b(?:our|we|us)\b)"
    r"|^(?:docker|npm|yarn|node|python|java|react|vue)(?: ?[\w.]+){0,2}\s?(?:已经)?(?:废弃|过时|淘汰)了"
    r"|^(?:npm|yarn|docker|kubernetes|k8s|redis|postgres\w*|mysql|sqlite|mongo\w*|kafka|rabbitmq|nginx|react|vue|svelte|angular|node"
    r"|deno|django|flask|rails|spring|graphql|rest|http\w*|python|java|kotlin|swift|go|rust|ruby"
    r"|php|scala|typescript|javascript|git|linux|aws|css|html|sql|json|yaml)\b(?! 1\d\b)(?: requests)? (?:is an?|are|supports?|uses?"
    r"|has|have|was|provides?|allows?|lets|means|stands for|is (?:statically|dynamically|slow\w*|fast\w*|better|worse))\b(?!.*\b(?:our"
    r"|we|us|here|in this)\b)"
    r"|^(?:Python|Java|Go|Rust|React|Vue|Kafka|Redis|Docker|HTTP|Git|SQL|Postgres\w*|MySQL)\s?(?:是(?:一[种个]|动态|静态|消息|开源|关系"
    r"|编程)|支持|用虚拟|请求|里)"
)

# --- subjects, verbs, anchors -------------------------------------------------------------------------------------------

TOOL = (
    r"(?:npm|pnpm|yarn|bun|pip|uv|poetry|conda|cargo|gradle|maven|docker|podman|kubernetes|k8s|helm|argo\w*|terraform|pulumi|ansible"
    r"|redis|postgres\w*|mysql"
    r"|mariadb|sqlite|mongo\w*|oracle|kafka|rabbitmq|nats|pulsar|celery|sidekiq|puma|nginx|caddy|traefik|react|vue|svelte|angular|next"
    r"|nuxt|node|deno|django|flask"
    r"|fastapi|rails|laravel|spring|express|graphql|grpc|rest|jwt|oauth|saml|okta|auth0|keycloak|python|java|kotlin|swift|go|golang"
    r"|rust|ruby|php|scala|elixir"
    r"|typescript|javascript|ts|js|julia|haskell|clojure|dart|flutter|electron|tauri|qt|aws|gcp|azure|heroku|vercel|netlify|cloudflare"
    r"|github|gitlab|bitbucket|jira"
    r"|linear|notion|asana|trello|slack|discord|teams|figma|sentry|datadog|grafana|prometheus|jest|vitest|mocha|pytest|cypress"
    r"|playwright|eslint|biome|prettier"
    r"|ruff|black|mypy|webpack|vite|turborepo|nx|git|svn|linux|ubuntu|debian|alpine|windows|macos|arm|x86|utc|prod|production|staging"
    r"|stripe|adyen|paypal|twilio)"
)
_NAME = rf"(?:(?-i:[A-Z][\w.+#-]*)|\w*(?-i:[a-z][A-Z])\w*|\w+[-_/.]\w[\w./-]*|#\w[\w-]*|{TOOL}\b|□)"
_WHEN = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekly|daily|nightly|monthly|quarterly|every (?:other )?(?:day|week"
    r"|month|quarter|sprint|two)"
    r"|\w+ weeks?|(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|apr|jun|jul|aug|sep"
    r"|oct|nov|dec)\b|q[1-4]"
    r"|\d{4}|summer|spring|autumn|fall|winter|end of|year)"
)
_ALWAYS = (
    r"(?:always|never|only|every|each|all|both|no|any|everything|strictly|manually|automatically|by hand|on purpose|exactly|by default)"
)
_ANCHOR = (
    rf"(?:\b{_ALWAYS}\b|\b{_WHEN}|\d|(?<=\s){_NAME}|\bnot \w+|\binstead of\b|\b(?:in|for) (?:this|our|the) (?:project|repo"
    rf"|repository|codebase|company|team)\b|\b(?:tabs|spaces|two|three|four|five|six|everywhere|throughout)\b|\bacross the (?:whole "
    rf"|entire )?code)"
)
ADVERBS = (
    r"(?:(?:always|never|only|still|now|no longer|currently|mostly|usually|generally|also|all|don['’]?t|do not|already|just"
    r"|typically|mainly|strictly|ourselves) )*"
)
NOT_VERB = (
    r"(?!(?:get|got|see|saw|want|need|have|had|think|know|hope|try|tried|fail|hit|lose|lost|miss|run into|keep|kept|should|could|would"
    r"|might|may|can|can['’]?t|will"
    r"|won['’]?t|are|were|was|is|did|didn['’]?t|expect|wonder|forgot|believe|guess|look|hear|notice|end up|figured?|understand|find"
    r"|found|call (?:it|this|that)|made|ran|went|came"
    r"|took|left|broke|put|said|shipped|pushed|changed|added|fixed|started|updated|upgraded|restarted|deployed|merged|tested|checked"
    r"|noticed|looked|wanted|needed|talked|do (?:this|that|it|not))\b)"
)
HEAD = (
    r"(?:app|apps|application|site|website|backend|back-end|frontend|front-end|database|db|data|queue|auth\w*|login|sign[- ]?in|sso"
    r"|payments?|billing|infra\w*|servers?|client"
    r"|clients|staging|prod|production|ci|cd|pipelines?|team|company|product|products|customers?|users|project|codebase|code base|repo"
    r"|repository|monorepo|cluster|traffic|logs|errors"
    r"|bugs|tickets|issues|tasks|requests|releases?|deployments?|deploys|hotfixes|branches|branch names|commits|commit messages|prs"
    r"|pull requests|reviews|docs|documentation|designs"
    r"|decisions|secrets|alerts|incidents|on-?call|orders|invoices|refunds|prices|amounts|dates|timestamps|distances|keys|json keys"
    r"|fields|names|emails?|sms|notifications|images"
    r"|containers|environments?|dependencies|packages|folder|directory|service|services|platform|gateway|scheduler|jobs|workers|cron"
    r"|sessions|cache|storage|compiler|machines?|devices"
    r"|rollouts?|migrations?|backups|api|apis|rewrite|feature requests|changes|tests|components|indentation|coverage|standup|sprint"
    r"|freeze|line length|default branch|naming|style"
    r"|runbook|how-?tos?|guides|handbook|wiki|dashboards?|support|version \d\S*|v\d\S*|pricing|launch|beta)"
)
_NP = r"(?:(?:[\w'’./+#-]+) ){0,5}?"
HEADED = re.compile(rf"(?i)\s+(?:[\w-]+ ){{0,2}}?{HEAD}\b")
_BE = r"(?:is|are|get|gets|got to be|will be)"
ENGLISH = tuple(
    re.compile(f"(?i){form}")
    for form in (
        # we, everybody, this project
        rf"^(?:we|everyone|everybody|nobody|no one|the (?:whole )?team|our (?:team|company|devs"
        rf"|developers)) {ADVERBS}{NOT_VERB}[a-z]+\b.*{_ANCHOR}",
        rf"^we(?:['’]re| are) (?:still |now |all |currently |stuck )?(?:on|a|an|in|under|bound|using|running|hosting|deploying|based"
        rf"|legally|forced|limited|behind)\b.*?{_ANCHOR}",
        rf"^we(?:['’]ve| have)? (?:went (?:for|with)|got rid of|picked|settled on|chose|chosen|dropped|retired|killed|abandoned"
        rf"|been (?:using|on"
        rf"|running)|moved|migrated|switched|replaced"
        rf"|decided|gone with|standardi[sz]ed)\b.*{_ANCHOR}",
        rf"^(?:the )?(?:this|our) (?:[\w-]+ )?(?:project|repo|repository|codebase|monorepo|app|service|product|package|library|site"
        rf"|company|team|startup)\b.*{_ANCHOR}",
        r"^(?:this is|it['’]?s|it is) (?:a|an|our|the) (?!test\b).{0,30}?(?:monorepo|repo|project|app|service|library|site|shop|startup"
        r"|plugin|codebase"
        r"|website|product)\b",
        rf"^our (?:[\w'’-]+ ){{1,5}}?(?:{_BE}|has|have|goes|go|comes|come|lives?|runs?|uses?|needs? (?!to\b)|speaks?|sits?|works?"
        rf"|follows?|starts?|means?|[a-z]+(?:s|ve))\b.*{_ANCHOR}",
        # what the parts of a project are and do
        rf"^(?:(?:the|all|all of our|all our|all the|most|most of our|every|each|any|both|new"
        rf"|my) )?(?:[\w'’/-]+ ){{0,3}}?{HEAD}(?: (?:for|under|in|of|on) [\w'’/.-]+(?: [\w'’/.-]+)?)?"
        rf" (?:{ADVERBS})(?:{_BE} (?:{ADVERBS})(?:\w+ ){{0,4}}?(?:in|on|via|by|through|with|to|at|under|from|for|between|above|below"
        rf"|after"
        rf"|using|called|named)\b.*{_ANCHOR}"
        rf"|{_BE} (?:{ADVERBS})(?:a |an |the |our |just )?(?:\w+ )?(?:{_NAME}|based|{_ALWAYS}|\d)|(?:goes?|comes?|lives?|runs?|ships?"
        rf"|starts?|ends?|happens?|reaches|launche?s?|gets?|talks?|speaks?|uses?"
        rf"|works? (?:with|in|on)|deploys?|contains?|carries|carry|follows?|stays?|shows? up|lands?|appears?|pops? up|sits?|belongs?"
        rf"|begins?|needs?|requires?"
        rf"|use|has|have|supports?|targets?|stores?|accepts? only) .*{_ANCHOR}"
        rf"|(?:must|has to|have to|can only|cannot|can['’]?t|may not|should (?:always|never|be)|need to|needs to|works? (?:only"
        rf"|offline)) .{{3,}})",
        rf"^{_WHEN} {_BE} (?:our |always |the )?(?:\w+ )?(?:days?|off limits|for|reserved|release|meeting|no)\b",
        rf"^(?:no|zero) (?:\w+ ){{1,3}}(?:on|after|before|during|outside|in|without) {_WHEN}",
        r"^there(?:['’]s| is| are) (?:a|an|no|always|only|exactly|going to be) .*?(?:freeze|stand-?up|meeting|retro|policy|rule|limit"
        r"|convention|deadline|release|sla|contract|audit|anymore)\b.*",
        r"^(?:everything|everyone|everybody|anything|all of it) (?:here )?(?:in \w+ )?(?:is|runs|goes|has|gets|lives|uses|must|ships"
        r"|needs)\b.{4,}",
        rf"^(?:the )?{_NAME} (?:is|are) (?:responsible for|in charge of|our|the (?!one|best|same|problem|issue|reason|only thing)"
        rf"|used for|a hard requirement|mandatory|required)\b",
        r"^(?-i:[A-Z])[\w'’-]+ (?:also )?(?:is|looks after|takes care of|signs off|owns|runs|approves|decides|handles"
        r"|does) .*\b(?:service|team|part|changes?|invoices|releases?|lead|payments?|side|billing|refunds)\b",
        rf"^(?:the )?{_NAME} (?:support )?(?:is (?:gone|dead|deprecated|history|no longer)|are (?:gone|deprecated)|was (?:dropped"
        rf"|replaced|retired))\b",
        rf"^(?:it['’]?s|it is) (?:all |only |always )?{_NAME} (?:now|only|everywhere|these days)$",
        rf"^ask (?:in|on|at) {_NAME}",
        r"^(?:the|our|this) (?:codebase|code|project|repo|api|app|backend|frontend|architecture|team) (?:follows|is (?:split"
        r"|organi[sz]ed|structured|divided)|does|works in|has (?:two|three|four|\d))\b.{4,}",
        r"^[\w .-]{2,30} is the (?:minimum|maximum|default|standard|baseline|limit|oldest|only) .*\b(?:our|all|every|we)\b",
        rf"^we have (?:an? |our |two )?[\w-]+(?: [\w-]+)? (?:every|each|on) {_WHEN}|^we have (?:an? |our )?[\w-]+ every (?:day|morning"
        rf"|week)",
        r"^we(?:['’]re| are) (?:\w+[ -])?(?:compliant|certified|regulated|audited|fully remote|remote|distributed|bootstrapped)\b",
        rf"^(?:[a-z]+ ){{0,3}}[a-z]+s (?:report|talk|communicate|connect|authenticate|sync|publish|arrive|come in|go out"
        rf"|are sent) (?:over|via|through|from|by) .*{_NAME}",
        r"^we (?:don['’]?t|do not) have (?!time|any idea|to\b|a clue|the\b|an? (?:test|way|idea))[\w-]+(?: [\w-]+)? (?:on|in|at) (?:the"
        r"|our|any)\b",
        # the person
        r"^i(?:['’]?m| am) (?:(?-i:[A-Z])\w+$|(?-i:[A-Z])\w+ (?:by the way|btw|and|from)|(?:color|colour)[ -]?blind|hard of hearing"
        r"|dyslexic|deaf|blind|self-taught|mainly|more of an?|primarily|originally|currently based"
        r"|(?:a )?(?:\w+ )?(?:junior|senior|freelance\w*|student|beginner|developer|designer|engineer)|in (?-i:[A-Z])\w+(?: time)?$)",
        r"^i(?:['’]ve| have) (?:spent|been|worked|only ever|never (?:done|used|written|worked)) .*(?:years?|career|life|months|with|in"
        r"|for|since)\b",
        rf"^i (?:mostly |mainly |usually |only |also |always |never |really |work(?=ed for) )*(?:live|work|teach|come|code|program"
        rf"|specialize|speak|use|write|study|freelance|dictate|type)\b (?!a\b|the\b|this\b|here\b|it\b|for\b).*?(?:{_NAME}|native|spare"
        rf"|school|hobby|remote|from|as|mac|windows|linux|home|tablet|voice)",
        r"^(?:my|mine) (?:native|first|main|preferred|own|current|primary|mother|time|day|first)? ?(?:language|tongue|editor|ide|os"
        r"|background|name|github|job|role|pronouns|timezone|zone|shell|stack|keyboard|handle|title)\b.*\b(?:is|are)\b",
        r"^(?:english|german|french|spanish|chinese|\w+) is (?:my|not my|only my) (?:\w+ )?(?:language|tongue)\b",
        r"^(?:you can |please |just )?call me (?!back|later|when|if|at|crazy)\w+|^people call me\b",
        r"^i (?:come from|have) (?:a|an) \w+ (?:background|degree)|^i come from\b",
        # taste
        r"^i (?:really |much |also |do |just )?(?:like|love|hate|appreciate|prefer|dislike) (?:it )?when (?:you|people|code|answers)\b",
        r"^i (?:find|consider) (?!this\b|that\b|it\b|the\b|these\b|your\b)[\w-]+ .*(?:easier|harder|clearer|more|less|better"
        r"|distracting|annoying|confusing|useful|useless|unreadable|hard|noisy)\b",
        r"^i(?:['’]?d| would)? (?:only |also |always |really |generally |rather )*(?:like|love|hate|prefer|want|expect|appreciate|need"
        r"|see|read)(?: to (?:see|read|get|have))? (?:only |you to |my )?(?:the )?(?:\w+ ){0,2}?"
        r"(?:commits?|answers|replies|responses|prs|pull requests|tests first|code first|tests|errors|comments|functions|names|messages"
        r"|explanations|summaries|docs|diffs?|the diff|paragraphs|bullet points?|tables|lists"
        r"|examples|emojis?|abstractions|syntax|variables|types|headings)\b(?!.{0,40}\b(?:fail|this|that one|in the|for the|of the"
        r"|to stay|now)\b)",
        r"^i(?:['’]?d| would) (?:prefer|like|want|rather|appreciate) .*(?:\bover\b|throughout|\balways\b|\bnever\b|everywhere"
        r"|instead of|every time)",
        r"^i don['’]?t (?:want|like|need|use|do|write|eat|drink) (?!to (?:see|know)\b|the\b|this\b|that\b|it\b|how\b|what\b"
        r"|your\b)(?:you to |any |to )?\w+.*(?:s\b|without|in (?:the|our|my) (?:code|docs|tests)|by default|for)",
    )
)
_INFORMAL_VERB = (
    r"(?:is|are|has|have|uses?|runs?|goes?|lives?|store|stores|ships?|keep|keeps|deploys?|handles?|owns?|means|starts?"
    r"|support|supports|call|write|need|needs|must|can['’]?t|cannot|only|don['’]?t|do|does)"
)
STATIVE = re.compile(
    rf"(?i)^(?!this\b|that\b|it\b|i\b|you\b|there\b|they\b|he\b|she\b|the (?:error|output|result|test|build|function|file|issue|bug"
    rf"|problem)\b)(?:[\w'’./+#-]+ ){{1,6}}?{_INFORMAL_VERB} .*{_ANCHOR}"
)

# --- rules --------------------------------------------------------------------------------------------------------------

_ORDER = (
    r"(?:use|write|keep|prefer|follow|put|give|show|name|make|do|take|add|bump|run|ask|tell|check|explain|include|cite|format|answer"
    r"|reply|respond|update|create|open|file|leave|start|end|stick|be|wait|let|propose|offer|quote"
    r"|document|mention|link|warn|call|say)"
)
RULES = tuple(
    re.compile(f"(?i){form}")
    for form in (
        rf"^(?:please |also )?{_ORDER}\b.*\b(?:whenever|every time|each time|any time) (?:you|i|we|there|the|something|someone)\b",
        rf"^(?:please |also )?{_ORDER} .*\bbefore (?:you (?:delete|commit|push|run|install|change|touch|edit|make|open|add|merge|write"
        rf"|deploy|refactor|remove|rename|move)|(?:deleting|installing|committing|pushing|running|making|touching|changing|merging"
        rf"|adding|deploying) (?!this|that|it|the))",
        rf"^(?:whenever|every time|each time|any time|when(?:ever)?) (?:you|there(?:['’]s| is)|i (?:say|write|type|ask|send|paste|post)"
        rf"|we (?:say|write|talk))\b.*(?:\b{_ORDER}\b|i (?:want|prefer|expect|need|like|mean)|it means|you (?:can|should|may|don['’]?t"
        rf"|must)|please|always|never|don['’]?t)",
        rf"^before (?:any|every|each|big|large|major|risky|you (?:delete|commit|push|run|install|change|touch|edit|make|merge)"
        rf"|\w+ing (?:any|new|a |files|code))\b.*\b{_ORDER}\b",
        r"^if (?:you (?:have|need|are (?:not sure|unsure)|['’]?re (?:not sure|unsure)|don['’]?t know|add|change|touch|ever)"
        r"|something is|anything is|in doubt)\b.*\b(?:ask|tell|say|stop|add|update|don['’]?t|never|always|please|check|bump|warn"
        r"|mention)\b",
        r"^(?:please |pls )?(?:never|don['’]?t ever|do not ever|whatever you do|under no circumstances|at no point"
        r"|make sure (?:that )?you (?:always|never)|be sure to always)\b.{6,}",
        r"^(?:please |pls |can you |could you )?(?:stop|quit|no more|avoid|refrain from|lay off) (?:\w+ing)\b(?! (?:it|them|now"
        r"|the)\b)(?!.*\b(?:server|container|process|build|job|here)\b).*",
        r"^(?:please |pls )?(?:do not|don['’]?t) (?:ever )?(?:use|put|add|write|mock|leave|commit|push|touch|edit|run|install|include"
        r"|start|end|explain|apologi[sz]e|summari[sz]e|repeat|create|generate|delete|log|import|catch|hard-?code|abbreviate|invent"
        r"|guess|rename|reformat|merge|squash|ask) "
        r"(?!me (?:why|how|what|when)\b|(?:this|that|it|them|these|those|the (?!(?:database|lockfile|production|prod|main"
        r"|master|default|api|public|generated|git"
        r"|code)\b)|anything|yet|here|now|any of)\b)[\w`*-]+(?!.*\b(?:yet|for now|first|until|here|that one)\b)",
        r"^(?:please )?(?:use|write|keep|prefer|follow|stick to|make|format|name) .*\b(?:in|for|throughout|across|with) (?:all|every"
        r"|any|our|everything|new|each)\b",
        r"^.{12,}(?:that['’]?s|which is|it['’]?s|this is) (?:our|a team|the team['’]s|a house|the house) (?:convention|rule|policy"
        r"|house style|style|standard|way|agreement|habit)|(?:please )?stick to (?:that|it)$",
        r"^your (?:answers|replies|responses|explanations|summaries|comments|commit messages|code) (?:are|is) (?:always |usually "
        r"|often |way )*(?:too|not)\b",
        r"^(?:please )?(?:be|stay) (?:more |less |very |always )?(?:concise|brief|direct|terse|formal|informal|polite|specific|verbose"
        r"|strict|critical|honest|blunt|careful)\b",
        r"\bwithout (?:asking|telling|checking with|my (?:ok|okay|approval|permission|consent)|(?:a|my) (?:go|green))",
        r"^(?:no|zero|fewer|less|more|shorter) (?:emojis?|jokes?|todos?|comments|summar\w+|apolog\w+|small talk|abbreviations"
        r"|semicolons?|filler|buzzwords|marketing\w*|ascii \w+|sarcasm|fluff|bullet points?)\b",
        r"^(?:for|in) (?:all |our |any |new )?[\w-]+(?: [\w-]+)? (?:tests|code|docs|messages|files|components|commits|comments|diagrams"
        r"|scripts|queries|reviews),? (?:please |i |we )?(?:use|want|prefer|avoid|write|keep|expect|always|never|don['’]?t)\b",
        r"^in tests,? (?:please )?(?:use|prefer|avoid|don['’]?t|never|always)\b",
        r"^(?:\w+ ){0,4}(?:tests|docs|comments|messages|errors|functions|files|names|commits|queries|migrations|secrets|dependencies"
        r"|changes|prs) should (?:always |never |not )?(?:be|have|use|go|live|start|end|stay|contain)\b",
        r"^(?:please )?(?:do not|don['’]?t) (?:ever )?[a-z]+ [a-z]+s (?:that|which|you)\b",
        r"^no [\w' -]{3,40} in (?:our|the) (?:code ?base|code|docs|tests|repo|project)$",
        r"^one \w+ per \w+|^a single \w+ per \w+",
        r"^(?:one|a single) (?:\w+ )?(?:question|change|commit|file|step|class|concept) (?:at a time|per \w+)",
    )
)
