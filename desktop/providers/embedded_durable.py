"""The forms of lasting statements, in English and Chinese: rules, facts about the project, changes, corrections, preferences, dates.

Each pattern is matched at the start of a masked sentence whose lead (“no,”, “by the way”, 另外) was taken off. Groups are not used.
"""

from __future__ import annotations

import re

LEAD = re.compile(
    r"(?i)^(?:(?:ok(?:ay)?|well|so|and|also|btw|by the way|fyi|yes|yeah|yep|exactly|right|one more thing|another thing|just so you know"
    r"|for (?:the record|context|your information)|as i said"
    r"|important|note|heads[- ]up|please note(?: that)?|please|quick note|reminder|thanks|thank you|great|hi|hello|hey|good morning|sure"
    r"|cool|perfect|let['’]?s agree(?: on (?:this|that))?|agreed|deal)\b[\s,.:;!—–-]*"
    r"|(?:好的?|嗯+|对了|对|没错|就这样|是的|另外|还有|顺便(?:说一下|提一下)?|补充一下|说明一下|提醒一下|注意|哦"
    r"|那(?![里个些边时种段条份])|请注意|重要|谢谢"
    r"|你好|说定了|说好了|首先|其次|最后|还有一点|记一下背景)[\s，,：:。、！!]*)+"
)
CORRECTION = re.compile(
    r"(?i)^(?:no|nope|wrong|actually|correction|sorry|that['’]?s (?:not right|outdated|obsolete|out of date|wrong|not correct|incorrect"
    r"|not true)|not quite|i meant"
    r"|i mean|i was wrong|my mistake|my bad|small correction|to be precise"
    r"|on second thought|in fact|as of (?:now|today|this week))\b[\s,.:;!—–-]*(?:(?:i meant|i mean|actually|that['’]?s|sorry"
    r"|but)\b[\s,:]*)*"
    r"|^(?:不对|不是(?:这样|的)|错了?|你?(?:说|搞|弄|记)错了|更正(?:一下)?|纠正(?:一下)?|抱歉|不好意思|我说错了|说错了|我记错了|其实"
    r"|实际上|准确(?:地)?说|不+[，,])[\s，,。：:！!]*(?:(?:我说错了|应该"
    r"|其实|是)[，,\s]*(?=.{4}))?"
)
_CONCRETE = r"(?:\d|https?://|[A-Z][\w.+#-]*[\w+#]|[\w-]+/[\w/.-]*|\w+\.\w{1,5}\b|[a-z]+_[a-z]+|v\d|#\w+|`|□)"
_OUR = r"(?:my|our|the|all|every|each|most|any|no|both|new|old)"
_NP = r"(?:[\w'’./+#-]+[ ]){0,6}?[\w'’./+#-]+"
_NOT_FOUND = (
    r"(?!(?:(?:the|my|our|your|its|this|that) )?(?:error|output|result|problem|issue|bug|traceback|stack|line|question|answer"
    r"|cause|reason|fix|solution|difference|exit code|status code|response|value|sum|total|diff)s?\b(?! (?:budget|codes?|messages?|pages?"
    r"|rates?|handling|tracking|tracker|format|time)\b))"
)
_NOT_THIS = r"(?!(?:this|that|it|these|those|here|there|i|you|he|she|they|what|something|nothing|everything|someone|everyone is)\b)"

ENGLISH = tuple(
    re.compile(f"(?i){form}")
    for form in (
        # rules
        rf"^{_NOT_THIS}(?!we\b){_NP} (?:must|should|shall|may not|must not|cannot|can only|has to|have to|needs? to be|are required to"
        rf"|is required to|are (?:not )?allowed|is (?:not )?allowed|is forbidden|are forbidden)\b",
        r"^(?:all|every|each|any|no|pull requests|prs?|commits?|commit messages|releases|branches|migrations|tests|reviews|merges"
        r"|deploy(?:ment)?s|changes|features|bugs?|hotfixes|tickets|issues|backups|reports|customers|users|requests|endpoints|tables"
        r"|columns|names"
        r"|secrets|passwords|tokens|keys|configs?|logs|errors|dates|times?(?:stamps)?|prices|amounts|files|modules|functions|classes"
        r"|variables|constants|comments|docs|strings|imports|types|components|screens|pages|urls?|ids?)\b[^,;]{0,60}? (?:needs?|requires?"
        r"|gets?|goes? (?:to|through|into|via|out)|lives?|sits?|belongs?|are (?:(?!(?:failing|broken|red|green|slow|gone|missing|wrong"
        r"|done|ready|empty|down|stuck|flaky|weird|late|up|in the way|too|not working|all|still|back|here|there|on fire|running|passing"
        r"|coming)\b)\w+)|follows?|starts?|ends?|happens?|takes? place|runs? (?:on|in|every|at|with)|uses?|comes? from)\b",
        r"^we (?:need to|have to|must|cannot|can['’]?t|can only|are required to|are not allowed to|aren['’]?t allowed to"
        r"|may not) (?:support|keep|comply|use|avoid|encrypt|store|pay|stay|run on|work with|follow|target|ship|deploy|be compatible"
        r"|answer|document|log|never)\b",
        # what we do
        r"^we (?:(?:always|never|only|still|now|no longer|currently|mostly|usually|generally|also|all|do not|don['’]?t) )*(?:use|deploy"
        r"|ship|release|prefer|follow|target|run (?:on|in|our|all|the|everything)|support|require|write|host|keep|store|track|squash"
        r"|rebase|merge|test|log|name|tag|push|review|version|pin|build (?:with|on|for)|develop|document|call|bill|charge|pay|sell|serve"
        r"|work (?:with|in|on)|have (?:a (?:rule|policy|convention|freeze|contract|deadline|release)|an? agreement|(?:two|three|four|five"
        r"|six|\d+) (?:environments?|teams?|offices?|regions?|servers?|customers?|reviewers?|clusters?|databases?|repos?|developers?"
        r"|people))"
        r"|meet|start (?:at|on|every|work)|freeze|launch|go live|sign|rely on|depend on|talk to|live|sit|speak)\b",
        r"^we(?:['’]re| are) (?:freezing|moving|migrating|switching|dropping|deprecating|replacing|rewriting|launching|shipping|releasing"
        r"|going live|standardi[sz]ing|a |an |on (?!the (?:right|wrong|same|way))|using|based|targeting|required|not allowed|hiring"
        r"|located|in (?:the )?[A-Z])",
        r"^we(?:['’]ve| have)? (?:decided|agreed|switched|moved|migrated|standardi[sz]ed|settled|adopted|dropped|deprecated|replaced"
        r"|renamed|changed|chose|picked|stopped|committed|banned|adopted|signed)\b(?! (?:the (?:file|function|line|test|code)|it|this)\b)",
        # what things are
        rf"^{_NOT_FOUND}(?:{_OUR} )?{_NOT_THIS}(?!we\b){_NP} (?:(?:now|always|only|still|also|currently) )?(?:uses?|runs? (?:on|in|at"
        rf"|every|with|under)|listens? (?:on|at)|lives? (?:in|at|on|under)|is (?:called|named|hosted|written|stored|kept|located|managed"
        rf"|tracked|owned|built|generated|deployed|based|documented|versioned|licensed|maintained|planned|scheduled|due|set|limited"
        rf"|protected|frozen|deprecated|mirrored|served)"
        rf"|are (?:called|named|hosted|written|stored|kept|located|managed|tracked|owned|built|generated|deployed|documented|versioned"
        rf"|maintained|scheduled|set|limited|handled|logged|billed)|deploys? (?:to|on|with|from|every|via)|ships? (?:on|every|with|to)"
        rf"|belongs? to|owns?|handles|maintains|reviews|leads|manages|supports?|requires?|expects?|targets?|stores?|starts? (?:at|on"
        rf"|with)|ends? (?:at|on)|takes? (?:about |around |up to )?\d+|moved to|moved from|migrated|switched|changed (?:to|from)"
        rf"|(?:was|got) (?:renamed|moved|replaced|postponed|extended)|has been (?:renamed|moved|replaced|postponed|deprecated)"
        rf"|happens? (?:on"
        rf"|every|at)|depends on|speaks|costs?|expires?|reports? to|returns? (?:json|xml|html|utc|iso))\b",
        rf"^{_NOT_FOUND}(?:{_OUR} )?{_NOT_THIS}(?!we\b){_NP} (?:is|are|will be) (?:now |always |only |still |actually |currently )?(?:at"
        rf"|on|in|under|behind|from|port|version|the|a|an|our|my|named|called|between|after|before|every|due|next"
        rf"|tomorrow)?\s?[^,]{{0,40}}?{_CONCRETE.replace('[A-Z]', '(?-i:[A-Z])')}",
        r"^(?!this\b|that\b|it\b|there\b|here\b|what\b)(?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+)? is (?:our|my|the (?=(?:new |only "
        r"|main |default |tech |product |team |project )?(?:lead|owner|manager|maintainer|contact|head|boss|host|database"
        r"|branch|linter|code name))) ?(?!one\b|problem"
        r"|issue|best|same|error|bug)\w+",
        r"^(?:my|our) (?:\w+[ -]){0,4}?\w+ (?:is|are|runs?|lives?|uses?|must|should|will be|listens?|deploys?|ships?|prefers?|follows?"
        r"|targets?|supports?|requires?|stores?|expects?|starts?|ends?)\b(?! (?:that|not working|broken|failing|slow|down|red|green|stuck"
        r"|empty|wrong|gone|missing|too|very|so|still|currently|almost|ready|done|late|full|busy|tired|sick|weird|flaky|crashing|hanging"
        r"|off|up)\b)",
        r"^in (?:this|our|the) (?:repo(?:sitory)?|project|codebase|company|team|monorepo|org(?:ani[sz]ation)?),? (?!function|file|case)",
        r"^(?:legal|compliance|security|management|finance|the (?:legal|security|compliance|ops|platform|qa|design|data) team"
        r"|the (?:customer|client|cto|ceo|board|auditors?))\b .{0,40}?(?:requires?|required|wants?|wanted|asked|insists?|flagged|demands?"
        r"|forbids?|approved|decided|needs?|prefers?)\b",
        r"^only (?:the )?[\w-]+(?: [\w-]+)? (?:may|can|is allowed|are allowed|approves?|has|have|works?|deploys?|merges?|reviews?"
        r"|signs?)\b",
        r"^nobody (?:is allowed|may|can|should|must|works|deploys|merges|pushes|touches)\b",
        rf"^{_NOT_FOUND}{_NOT_THIS}(?!we\b)(?:the |our |all )?(?:[\w-]+ ){{0,3}}[\w-]+ (?:go|goes|belong|belongs) (?:straight |directly "
        rf"|only )?(?:to|into|in|through|under|via)\b",
        rf"^{_NOT_FOUND}{_NOT_THIS}(?!we\b){_NP} (?:needs?|wants?|expects?|gets?) .{{1,60}}? (?:by|before|until|every) .{{0,20}}?(?:\d"
        rf"|(?:mon|tues|wednes|thurs|fri)day|month|quarter|year)",
        r"^(?:the|our) (?:[\w-]+ ){0,2}?(?:ci|runner|server|machine|budget|team|office|plan|vm|cluster|database|company|customer|contract"
        r"|licen[cs]e|subscription|fiscal year|free tier|account|quota|store|shop|vpn|firewall|proxy|provider|vendor|supplier|agency"
        r"|auditor|warranty)\b.{0,40}?\b(?:has|have|allows?|covers?|includes?|ends?|costs?|is required|is needed|expires?|blocks?|starts?"
        r"|only)\b",
        r"^(?:[a-z-]+ ){0,3}[a-z-]+s are (?:always |never |only |automatically )?\w+(?:ed|en|pt|lt|nt) (?:after|before|by|every|in|on"
        r"|with|at|from|until|when|for|to|through|via|without)\b",
        r"^we(?:['’]ll| will| are going to) (?:sunset|launch|ship|release|drop|deprecate|move to|migrate|switch|freeze|hire|open|close"
        r"|stop|go live|announce|end|support|need to (?:support|comply))\b",
        r"^(?-i:[A-Z])[\w'’-]+ (?:only |mostly |usually |always |now )?(?:works|owns|leads|handles|reviews|manages|maintains|joined|left"
        r"|is (?:on|out|off|leaving|joining|responsible|in charge|away|based|our|the)|takes care|took over|speaks|lives|sits|prefers"
        r"|approves|does the|runs the)\b",
        r"^the [\w-]+, (?-i:[A-Z])\w+, (?:works|owns|leads|handles|reviews|manages|maintains|is|approves|joined|left)\b",
        r"^(?:our (?:[\w-]+ ){0,3}[\w-]+|(?:the )?(?:[\w-]+ ){0,3}?(?:env(?:ironment)?|customers?|clients?|team|company|office|guide"
        r"|policy|contract|pipeline|suite|vendor"
        r"|provider|store|shop|budget|staging|production|cluster|vpn|firewall|legal|management|board|boss|manager|owner|department"
        r"|auditors?|licen[cs]e))"
        r" (?:forbids?|bans?|allows?|wants?|resets?|restarts?|rotates?|refreshes|expects?|insists?"
        r"|prefers?|pays?|approves?|signs?|covers?|consists?|takes?|comes? from|closes?)\b(?! (?:too|forever|ages|so|very|now)\b)",
        r"^(?:[\w-]+ ){0,2}[\w-]+s (?:always |never |only )?(?:run|restart|rotate|reset|expire|ship|deploy|sync|happen"
        r"|go out) (?:automatically|nightly|daily"
        r"|weekly|hourly|every|on|at|after|before)\b",
        r"^(?:everything|everyone|everybody|anything|nothing)\b.{0,30}?\b(?:must|has to|needs to|should|is (?:always|never)"
        r"|goes? (?:through|into|via))\b",
        r"^(?:the |our |all )?(?:[\w-]+ ){0,5}?[\w-]+ (?:is|are) (?:kept |stored )?(?:in|on|at) (?:the|our) (?:[\w-]+ )?(?:vault|wiki"
        r"|handbook|drive|repo|repository"
        r"|calendar|cloud|keychain|safe|intranet|portal|password manager|registry|bucket|archive)\b",
        r"^my (?:name|role|job|time ?zone|editor|team|boss|manager)['’]s\b",
        # dates
        r"^(?:the |our )?(?:[\w-]+ ){0,3}?(?:deadline|due date|release|launch|freeze|code freeze|demo|go-?live|milestone|sprint|standup"
        r"|stand-up|retro|meeting|review|migration|cutover|audit|beta|rollout|kick-?off|offsite|conference)\b[^,]{0,40}?\b(?:is|are"
        r"|starts?|ends?|begins?|moved|was moved|has moved|slipped|happens|planned|scheduled|due|shifts?|got moved|has been moved"
        r"|got pushed|was pushed|pushed to|got postponed|will be|takes place)\b[^,]{0,40}?(?:\d|monday|tuesday|wednesday|thursday|friday"
        r"|saturday|sunday|tomorrow|tonight|next|in (?:two|three|four|a) |end of|january|february|march|april|may|june|july|august"
        r"|september|october|november|december)",
        r"^we (?:launch|ship|release|go live|freeze|demo|present|deploy|migrate|cut)\b[^,]{0,40}?(?:\d|monday|tuesday|wednesday|thursday"
        r"|friday|saturday|sunday|tomorrow|next|in (?:two|three|four|a) |end of|january|february|march|april|may|june|july|august"
        r"|september|october|november|december)",
        r"^(?:after|before|starting|until|by|on|since|as of) (?:\w+ ){0,3}?(?:\d|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
        r"|tomorrow|next|end of|last (?:week|month|year)|yesterday|january|february|march|april|may|june|july|august|september|october"
        r"|november|december)[^,]{0,30}?,? (?:we|the|all|no|our|nobody|nothing)\b",
        # changes
        r"^(?:it['’]?s|that['’]?s|it is) (?:not|no longer) .{1,40}?(?:any ?more|,? (?:we|it['’]?s|but|use))\b|^(?:it['’]?s|that['’]?s"
        r"|it is) .{1,40}?,? not .{1,40}$|^not .{1,40}?[,—-]+ ?(?:it['’]?s|use|but|we)\b",
        rf"^(?:the |our )?{_NP} (?:is|are) (?:no longer|not) .{{1,60}}?(?:any ?more|but|,)\b",
        # imperative rules
        r"^(?:use|prefer|choose|pick|take) (?!.{0,80}\b(?:here|there|this|that|it)\b).{1,60}?(?:,? (?:not|instead of|rather than|over) "
        r"| for (?:all|every|new|any"
        r"|[\w-]+s\b))(?!.{0,40}\b(?:this|that|here|it)\b)",
        r"^use (?:british|american|conventional|semantic|single|double|tabs?|spaces?|snake|camel|kebab|pascal|utc|iso|metric|oxford"
        r"|english|german|french|chinese|present tense|imperative|python \d|node \d|\d+[- ]space)",
        r"^(?:answer|reply|respond|talk|speak|write|explain|comment) (?:to me |me |everything |all \w+ |your \w+ |comments |docs "
        r"|commit messages |tests )?(?:in|with) (?:english|german|french|chinese|spanish|japanese|korean|italian|portuguese|russian"
        r"|simple|plain|short|bullet|british|american|one|two|a (?:short|formal|friendly|neutral))",
        r"^(?:prefer|favou?r) (?!.{0,30}\b(?:this|that|here)\b)\w+",
        r"^keep (?:your |all |the )?(?:functions|methods|files|lines|classes|commits|prs?|pull requests|answers|replies|responses"
        r"|messages|comments|names|tests|summaries|explanations|diffs|changes)\b.{0,60}?(?:short|brief|small|concise|under|below|at most"
        r"|less than|simple|to the point|\d)",
        r"^(?:for|in|with) (?:this project|this repo(?:sitory)?|our \w+|new \w+|all \w+|(?!this|that|these|those|the|it|now|example"
        r"|instance|the moment)[\w-]+(?: [\w-]+){0,2}),? (?:please )?(?:we (?:always )?(?:use|need|have|prefer|want|avoid|run|keep|write)"
        r"|use|avoid|prefer|never|always)\b",
        r"^(?:no|avoid|skip) (?:more )?(?:emojis?|semicolons?|comments|trailing|default exports|any types?|abbreviations|summar(?:y|ies)"
        r"|apologies|small talk|force[- ]push\w*|console\.log|magic numbers|nested ternaries|global state|wildcard imports|squash\w*"
        r"|merge commits)\b.{0,60}$",
        r"^(?:from now on|going forward|from here on|in future|next time you|always|never)\b(?! (?:mind|again$|know|nice|good"
        r"|happy)).{4,}",
        # the person
        r"^i(?:['’]?m| am) (?:a|an|the|new to|working (?:at|as|for|in|on the)|responsible|in charge|based|on (?:windows|mac(?:os)?|linux"
        r"|the [\w-]+ team)|from|colou?r-?blind|deaf|blind|left-handed|dyslexic|allergic|vegetarian|vegan|fluent|not (?:a|an|familiar"
        r"|good at|fluent|used to)|used to|comfortable with|learning|studying|usually|mostly|not available|off on|out of office"
        r"|on (?:vacation|holiday|parental leave))\b",
        r"^i(?:['’]?ve| have) (?:been (?:\w+ing|a|an|with|at)\b.{0,60}?(?:for|since)\b|\d+|ten|five|two|three|many|never (?:used|worked"
        r"|written|touched)|(?:a|an) (?:background|degree|phd|master))",
        r"^i (?:(?:don['’]?t|do not|really|always|never|usually|mostly|generally|only|also|strongly|much|personally|would"
        r"|['’]d) )*(?:prefer|like|hate|love|dislike|enjoy|favou?r|can['’]?t stand|use|maintain|own|live|teach|speak|manage|lead|run the"
        r"|work (?:at|as|in|for|on|from|with|mostly|mainly|only|remotely|part)|come from|code in|write (?!a\b|the\b|this\b)\w+ (?:every"
        r"|daily|at|for)|study|review)\b(?! (?:this|that|it|these|those|the (?:first|second|third|last|new|old|other|idea|approach"
        r"|solution|way you|version|one|look|option|result|output|design you)|your|how|what|where|when|same|option|number|version"
        r"|to (?:see|know|add"
        r"|refactor|fix|get|have (?:a|the)|change|make|ask|do|try|use (?:this|that|it)))\b)",
        r"^i['’]?d (?:rather|prefer)\b(?! (?:this|that|it|the (?:first|second|last|other)|your|not do this|if|option|to see)\b)",
        r"^i['’]?d (?:like|prefer|appreciate) (?:it )?(?:if you (?:answered|replied|wrote|kept|used|always|never|stopped|asked|didn)"
        r"|answers|replies|responses|explanations|code without|commit|comments|summaries|diffs|bullet|short|shorter|fewer|less"
        r"|more (?:detail|concise|examples|comments))",
        r"^i (?:already )?know [^,]{2,30} (?:well|inside out|by heart)|^i (?:only|usually|normally|always|never) (?:have|get|work|see"
        r"|read|check|code|look|write|do|take)\b(?! (?:this|that|it)\b)",
        r"^i(?:['’]?ll be| go| will be| leave| am|['’]?m) (?:on|off|out|away|for)?\s?(?:on )?(?:\w+ ){0,2}?(?:leave|vacation|holidays?"
        r"|sabbatical|out of office)\b",
        r"^(?:please )?be (?:more |less |very )?(?:concise|brief|direct|terse|formal|informal|polite|specific|verbose|strict|critical"
        r"|honest|blunt)\b",
        r"^(?:shorter|longer|more concise|fewer|less|more|brief(?:er)?|bullet points?|only|no) (?!than)[^,]{0,30}?(?:answers?|replies"
        r"|responses|comments|summaries|explanations|prose|emojis|bullet points?|examples?|please)\b",
        r"^(?:please )?(?:do not|don['’]?t|never) (?:ever )?(?:touch|edit|modify|delete|remove|commit|push|merge|use|mock|explain"
        r"|summari[sz]e|write|install|deploy|call|rename|reformat|skip|log|import|rely|assume|ask|apologi[sz]e|start|end|include"
        r"|mention|add|squash|force)\b(?!.{0,60}\b(?:this|that|it|them|these|those|yet|now|here|anything|first|until|today|the (?:test"
        r"|tests|file|files|function|output|other|rest|first|second|last|new|above|following|result|code|class|line|button))\b)",
        r"^(?:please )?(?:always )?(?:ask|check with|warn|consult|ping) (?:me|us|(?-i:[A-Z])\w+) (?:before|first|when(?:ever)?)\b",
        r"^(?:good call|nice|great work|perfect|exactly)\b.{0,60}?\b(?:keep doing|always do|do it like)\b.{0,30}?\b(?:for|when|with)\b",
        r"^i (?:want|expect|need) (?:answers?|replies|responses|you to (?:always|never|stop|answer|reply|ask)|code|commits?|all|every"
        r"|short|comments|tests to|explanations|summaries|no \w+s)\b",
        r"^i (?:don['’]?t|do not|never) (?:want|need) (?:you to|any|emojis|comments|summaries|explanations|to be)\b(?!.{0,30}\b(?:this"
        r"|that|it|yet|now)\b$)",
        r"^(?:you can |please |just )?call me (?!back|later|when|if|at)\w+",
    )
)

_ZH_DOMAIN = (
    r"(?:客户|合同|财年|价格|报价|日志|指标|监控|告警|错误上报|错误|密钥|密码|证书|时间戳|时间|支付|渠道|供应商|热修复|截图|图片素材"
    r"|素材|分支|旧接口|新接口|v\d[\d.]*|报告|报表|周报|月报|界面文案|文案|提交信息|工单|主库|从库|(?:CI|构建)?\s?机器|审批|发票|预算"
    r"|工作时间|值班|设计评审|代码评审|代号|[\u4e00-\u9fff]{0,4}工具|服务器|(?:测试|开发|生产|预发|线上)环境|数据(?!集|为)|备份|权限"
    r"|账号|域名|依赖|目录结构|图标库|组件库|单价|订单号|仓库|数据库迁移|App|官网|小程序|后台|网关|缓存|队列|知识库|文档|手册|例会|周会"
    r"|灰度|回滚"
    r"|功能分支|特性分支|主干|单测|集成测试|压测|覆盖率|变量名|命名|缩进|注释|编码|汇率|币种|库存|物流|License|许可证|旧版|老系统"
    r"|新系统|客服|运营|发版|版本号规则|标签规则)"
)
CHINESE = tuple(
    re.compile(form)
    for form in (
        # rules
        r"^(?!我(?!们|司)|你|它|他|她|这(?!个项目|个仓库)|那|现在|先|请?帮).{2,30}?(?:必须|务必|不得|不能(?!用了)|不许|不准|不允许|禁止"
        r"|严禁|只能|一律|统一(?:用|使用|采用|存|放|写|以|按|走)?|都(?:要|用|得|必须|放|存|走|写)|不要(?!紧)|不可以|应当|应该(?:用|放"
        r"|写|以|先|是)|要求|需要(?:两|二|一|三|\d|经过|先|至少|有)|至少|不超过|不要超过|控制在)",
        r"^(?:所有|每个|每次|全部|任何|凡是|新的?|每条|每一个).{1,30}?(?:都?(?:要|需要|必须|得(?!到)|应当?|不得|不能|不许|不要|统一"
        r"|禁止)|都(?:用|由|走|存|放|写)|先)",
        r"^(?:我们|咱们|团队|公司|项目|组里|我司|部门|客户|甲方|法务|安全|合规|老板|领导|运维|产品|财务|审计)(?:那边|部门|团队"
        r"|组)?(?:的)?.{0,20}?(?:决定|约定|规定|要求|统一|同意|商定|定了|明确|禁止|不允许|不许|批准|强调|希望都|采纳|签了)",
        r"^只有.{1,10}(?:能|可以|有权|才)|^(?:周.|周末|每周.|节假日|晚上|白天|.{1,10}前).{0,8}(?:谁都)?(?:不许|不能|不准|必须|先问|要先"
        r"|一定|禁止|不发|不上)",
        r"^(?!我(?!们)|你|它|他|她|这|那|现在|先|请|帮).{2,20}?(?:一定要|一定得|务必要|得先|都不许|都不能)",
        r"^(?:不用|不必|无需|不需要)(?:再|每次)?(?:给我|跟我|替我|帮我)?(?:解释|总结|道歉|加注释|写注释|提醒|确认|说明|寒暄)",
        # what we do and what things are
        r"^.{1,12}由.{1,12}(?:维护|负责|管理|开发|审批|对接|提供|托管|决定|保管)",
        r"^(?:我们|咱们)(?:组|团队|部门|公司|这边|项目)?.{0,6}[\d一二三四五六七八九十两]+\s?个?人|^(?:我们|咱们)(?:主要|都|只|统一"
        r"|一直)?(?:写|做|卖|按|走|签|跟|跑|开|吃)\s?(?!一个|个|了|完|好|过).{2,}",
        r"^(?:我们|咱们)\s?(?:每|逢)?(?:周|星期|月|季).{0,8}(?:发布|发版|上线|开会|站会|评审|部署|休息|不上班)",
        r"^(?:去年|前年|上个?月|上周|早就|早已|从.{1,8}起)[，,]?.{0,10}(?:不用|不再|改用|换成|默认|统一|用的是|停用|废弃)",
        r"^(?:测试|产品|设计|前端|后端|运维|算法|财务|法务|行政|实习生|外包|老|小|阿)[\u4e00-\u9fff]{0,5}.{0,12}?(?:是|由|负责|带|管"
        r"|离职|入职|休|每|只|接手|维护|主管|对接|联系|审批)",
        rf"^(?:我们|咱们|公司|团队|项目)?的?{_ZH_DOMAIN}.{{0,10}}?(?:是|用(?!户|了)|叫|由|从|按|归|属于|不?含|存|放(?:到|在)?|进|走"
        rf"|交给?|直接上|要(?!不|怎)|必须|一定|只有?|都|全部|不能|不许|每(?:天|周|月|年|季|两|晚|早|日)|到期|废弃|下线|上线|删除|保留"
        rf"|以|不超过|超过|不得|(?<!没)有(?!冲突"
        rf"|问题|误|错|异常|延迟|变化|点|没有|个 ?bug|[一两几三四五六\d]+\s?(?:个|条|行|张)))",
        r"^(?:我们|咱们|我司|团队|项目|这个项目|本项目|这个仓库|本仓库|公司|组里|后端|前端|移动端|客户端|数据库|接口|服务器?|线上"
        r"|生产(?:环境)?|测试(?:环境)?|预发|开发环境)(?:的)?.{0,14}?(?:不?用(?!户)的?是?|使用|采用|不?支持|部署(?:在|到)|托管|叫|改用"
        r"|换用|监听|兼容|基于|遵循|发一次|发版|开会|跟踪|维护|负责|要兼容|要支持|主要(?:是|用|做|面向)|一共|共有|不再|从不|总是"
        r"|只(?:用|支持|在)|禁用|依赖)",
        r"^(?!我(?!们|司|的)|你|它|他|她|这(?!个项目|个仓库)|那|输出|结果|错误|报错|问题|原因|现在|先|请|帮|再|然后|把"
        r"|给).{1,20}?(?:的)?(?:地址|名字|名称|版本|端口|域名|负责人|主管|分支|数据库|账号|时区|邮箱|路径|目录|语言|许可证|预算|周期"
        r"|上限|默认值|代号|联系人|客户|编辑器|框架|构建工具|包管理器|缩进|编码|格式)(?:统一)?(?:是|为|叫|在|用|：|:)",
        r"^(?!我(?!们|司)|你|它|他|她|这(?!个项目|个仓库)|那|输出|结果|错误|报错|现在|先|请|帮|再|然后|把|给|用).{1,20}?(?:放在|存在"
        r"|存放在|保存在|位于|部署在|跑在|运行在|托管在|监听|记录在|维护在|写在|管理在|发布到|挂在|存到|备份到)(?!这里|那里|下面|上面)",
        r"^(?!我(?!们|司)|你|它|他|她|这|那|输出|结果|错误|报错|现在|先|请|帮|再|然后|把|给|正|还|都|人|事"
        r"|问题).{1,14}?在\s?(?:[A-Za-z][\w.:/-]*|.{2,8}(?:云|里面?|机房|平台|系统|仓库|文件夹|频道|群里))",
        r"^(?!我|你|它|他|她|这|那|谁)[\u4e00-\u9fff]{1,6}(?:是|负责|管|带|做)(?:我们的?)?(?:技术|产品|项目|团队|前端|后端|测试|运维"
        r"|支付|设计|数据|搜索|登录|部署|主管|经理|负责人|组长|架构师).{0,12}",
        r"^(?:产品|项目|系统|服务|主分支|主干|仓库|模块|机器人|代号|库|平台|应用|工具)(?:的?(?:代号|名字|名称))?(?:叫|名叫|命名为)",
        r"^(?!这|那|先|请|帮|再|把|给|然后)[\u4e00-\u9fffA-Za-z ]{1,12}?(?:后端|前端|服务|接口|项目|脚本|工具|组件|数据|系统|客户端"
        r"|页面|文档|注释|提交信息|回答|回复|代码|缩进|表名|变量名|函数名|字段名?|类名|文件名|时间|日期|金额|日志|配置|密码|密钥|测试"
        r"|样式|图标|字符串|标题|命名)(?:都|统一)?(?:用|以|存|按|写成|走|采用)(?!了|不了|于|户|这|那|第).{1,24}",
        r"^(?:后端|前端|服务|接口|脚本|文档|注释|提交信息|回答|回复|缩进|表名|变量名|函数名|字段名?|类名|文件名|时间|日期|金额|日志"
        r"|密码|密钥|单测|样式|字符串|命名|包管理|构建|测试|部署|监控|缓存|队列|登录|鉴权)(?:都|统一)?(?:用|以|存|按|采用|放|走)(?!了"
        r"|不了|于|户|这|那|第).{1,24}",
        r"^(?:每周|每天|每月|每季度|每两周|两周|隔周|周[一二三四五六日天]|星期[一二三四五六日天]).{0,12}?(?:评审|站会|例会|开会|发布"
        r"|发版|上线|部署|备份|同步|复盘|周会|汇报|演示|交|不发布|不部署|休息|值班|跑|发一次)",
        r"^(?!我|你|他|她|它|这|那|谁)[\u4e00-\u9fffA-Za-z]{1,10}(?:调到|转到|转岗|离职|入职|休假|请假|接手|升职)",
        r"^(?:我们|咱们)(?:的)?.{0,8}?(?:偏好|倾向|讲究|避免|尽量|要跑|要花|通常|一般|从来)(?!这|那)",
        r"^(?!我|你|他|她|它|这|那|现在|先|请|帮).{2,14}?要(?:两|二|三|\d|经过|先|走|有).{0,10}?(?:人|评审|审批|批准|签字|流程|工单"
        r"|同意|确认)",
        r"^(?!这|那|变量|函数|我|你|他|她|它).{1,8}?(?:机|服务|项目|产品|库|分支|频道|群|集群|模块|环境|公司|客户|系统)叫",
        r"^(?:.{1,4}月|去年|今年|明年|上周|本周|.{1,6}号|.{1,4}年)起[，,]?.{2,}",
        r"^(?!这|那|把|先|帮|请).{2,10}?(?:沟通|通知|联系|协作|报警|登录|鉴权|监控|部署|构建|打包|存储|管理|评审|排期)(?:都"
        r"|统一)?用(?!户|了|不了|于|这|那|第)",
        r"^(?!这|那).{1,14}?自动(?:执行|运行|部署|清理|备份|合并|发布|重启|续期|同步|触发)",
        # changes
        r"^.{0,16}?(?:已经?|从\s?.{1,20}?)(?:改成|改为|改用|换成|换到|换用|迁移到|迁到|切换到|切到|升级到|搬到|改到)",
        r"^(?!把|帮|请|给|标题|按钮|颜色|文字|这|那|文案|背景|图片|链接|函数|变量).{1,14}?(?:改成|改为|改用|换成|换到|换用|迁移到|迁到"
        r"|切换到|切到|升级到|搬到|改到|推迟到|提前到|延期到|延到|定在|定为|调整为|调整到|更名为|改名叫?|改叫)\s?.{1,30}?(?:了|啦)$",
        r"^(?:截止|上线|发布|会议|站会|周会|例会|迭代|冻结|评审|演示|预算|周期|端口|数据库|版本|分支|域名|地址|负责人|规则|流程|时区"
        r"|命名|包管理器|构建工具|框架|许可证|期限|日期|时间)[^，,]{0,10}?(?:改成|改为|改用|换成|换到|改到|推迟到|提前到|延期到|延到"
        r"|定在|定为|调整为|调整到|是|为)",
        r"^(?:现在|目前|已经|我们|后来)?(?:不再|已经不|不用|停用|弃用|下线了|废弃).{1,24}?(?:了|[，,].{0,6}(?:改|换|用))",
        r"^不是\s?.{1,20}?[，,]\s?(?:而)?是\s?.{1,24}|^.{0,10}?(?:用|应该)?[是用]\s?.{1,20}?[，,]\s?不是\s?.{1,24}",
        # imperative rules
        r"^用\s?.{1,24}?[，,]?\s?(?:不要|别|不)用.{1,24}|^用\s?.{1,24}?(?:代替|替代|取代|而不是|，而不是).{1,24}|^(?:优先|尽量|首选"
        r"|默认)(?:使用|用|选|采用|写|走).{1,24}",
        r"^(?:请)?用(?:中文|英文|英语|日语|德语|繁体|简体|简短|简单|口语|正式).{0,6}(?:回答|回复|写|解释|说明|注释|命名|交流|跟我)",
        r"^(?:请)?(?:回答|回复|解释|跟我说话|说话|写注释|写文档|写代码|命名)(?:我|时|的时候)?(?:请|要|得|尽量)?(?:用|简短|简洁|短|详细"
        r"|直接|不要|别|少).{0,20}",
        r"^(?:别|不要|不许|不准)(?:再|总是|老是|一直|随便|动不动)?(?!.{0,2}(?:这个|那个|这次|现在|先|担心|急)).{0,2}(?:用|写|加|提交|推"
        r"|改|动|删|合并|部署|mock|发|碰|装|引入|生成|总结|道歉|跳过|在).{1,30}",
        r"^(?:写|改|做|提|发|建|加|处理|调用|设计|合并|提交|部署|发布|上线|重构|评审).{1,12}?(?:时|的时候|之前|前|之后|后)[，,]?(?:都"
        r"|请|要|必须|先|一定|不要|别|用|得|记得).{1,30}",
        r"^.{1,20}?(?:时|的时候|之前|前)(?:关键字|变量|注释|函数|提交|格式|命名)?(?:都|必须|要|一定要|得|不要|不能|别)(?!怎么).{1,30}",
        # dates
        r"^.{0,10}?(?:合同|协议|证书|域名|许可证|订阅|账号|试用期?).{0,14}?(?:到期|续签|过期|结束)",
        r"^.{0,14}?(?:截止|上线|发布|发版|交付|演示|冻结|封版|评审|验收|开会|开始|结束|启动|切换|迁移|审计|休假|放假|搬家)(?:日期"
        r"|时间)?.{0,8}?(?:\d|[一二三四五六七八九十]+(?:月|号|日|点)|周[一二三四五六日天]|明天|后天|下周|下个?月|月底|年底"
        r"|[一二三四]季度|上半年|下半年|周后|天后)",
        r"^(?:\d{1,2}\s?月|\d{4}|[一二三四五六七八九十]+月|周[一二三四五六日天]|明天|后天|下周|下个?月|月底|年底|明年|今年"
        r"|[一二三四]季度|上半年|下半年|两周后"
        r"|.{1,4}(?:天|周|个月)后).{0,16}?(?:截止|上线|发布|发版|交付|演示|冻结|封版|评审|验收|开会|启动|切换|迁移|审计|休假|放假"
        r"|不上班|以后|之后|之前|前)",
        r"^(?:我们|代码|项目|版本|系统)\s?.{0,20}?(?:\d{1,2}\s?月|\d{4}|[一二三四五六七八九十]+月|周[一二三四五六日天]|明天|后天|下周"
        r"|下个?月|月底|年底).{0,14}?(?:截止|上线|发布|发版|交付|演示|冻结|封版|评审|验收|启动|切换|迁移|审计)",
        # the person
        r"^我(?:每(?:天|周|月|次|晚|早)|只(?:有|能|用|在|会)|从(?:不|没)|一般|通常|用(?!了|完|过|这|那|第|不了|户|一下).{1,6}(?:手|系统"
        r"|键盘|电脑|编辑器|输入法|浏览器|[A-Za-z])|会(?:说|讲|写|用)(?!吗)|(?:明天|后天|下周|下个?月|.{1,6}号|.{1,4}月).{0,6}(?:休"
        r"|请假|出差|放假|离职|入职|不在)|在.{1,14}(?:做|当|带|教|学|读)|\s?[A-Za-z+#]{1,14}\s?(?:很熟|不熟|精通|零基础|是初学|刚学"
        r"|用了))",
        r"^我的(?!代码|测试|意思|想法|问题|方案|函数|文件|配置|输出|结果|电脑|机器|天|项目报|分支落|程序|建议|错).{1,10}?(?:是|为|在|用"
        r"|叫)",
        r"^我(?:是(?!说|想|在|不是|问|要|用|觉得|从|把|刚|来)|叫|姓|住|来自|负责|常用|平时|主要(?:用|做|写|负责)|一直(?:用|在用)"
        r"|在.{1,12}(?:工作|上班|任职|读书|上学|实习|住)|的(?:名字|角色|职位|邮箱|时区|编辑器|主管|老板|团队|母语|生日|系统|电脑(?:是"
        r"|用)).{0,6}?(?:是|叫|在|用)|写了?.{0,3}年|做了?.{0,6}年|用了?.{0,3}年|第一次(?:用|写|接触)|没(?:用|写|做)过|刚(?:入职|毕业"
        r"|转行|开始学)|不(?:懂|会|熟悉)|对.{1,10}(?:过敏|不熟|很熟|熟悉)|不吃|只(?:用|在|会)|周[一二三四五六日天])",
        r"^我(?:比较|更|最|特别|非常|很|真的|一向|一般|都|还是)?(?:不(?:太|怎么|大)?)?(?:喜欢|偏好|习惯|讨厌|倾向于?|受不了|爱用|反感"
        r"|希望回答|希望你(?:每次|总是|以后|别|不要|先))(?!这个|这种|那个|那种|第|它|你(?!每次|总是|以后|别|不要|先)|上面|刚才|这样"
        r"|那样|这版|现在这)",
        r"^(?:你可以|请|以后)?(?:叫我|称呼我)",
        r"^(?:以后|今后|往后|从现在(?:起|开始)|从今往后|下次)(?!再说|再|我(?!们)|可能|也许|想|有空|会|就|慢慢).{3,}",
        r"^我要求|^我希望(?:所有|每次|代码|提交|回答|注释|以后)",
    )
)

ARTIFACT = re.compile(
    r"(?i)^(?:my|our|the|a) (?:[\w-]+ )?(?:guess|plan|idea|goal|trick|rest|next step|first step|question|problem|concern|doubt|worry"
    r"|point|aim|hope|suggestion|opinion"
    r"|feeling|bet|hunch|intention|approach"
    r"|assumption|task|exercise|homework|assignment|teacher|professor|story|book|movie|parser|library|client code"
    r"|compiler)\b(?! (?:owner|lead|name)\b)|"
    r"^(?:my|our|the) (?:[\w-]+ )?(?:screen|chat|conversation|laptop|mouse|keyboard|phone|computer|terminal|browser|internet|connection"
    r"|head|day|week"
    r"|morning|coffee|weather|train|log file)\b(?! (?:zone|rate|limit)\b)|^(?:the|a|an|my|your|each|our"
    r"|that) (?:[\w-]+ ){0,2}?(?:button|function|title|variable|page|list|column|row|query|dataset"
    r"|poem|image|header|footer|modal|form|code(?! (?:freeze|name|style|review|coverage|base|owner))|method|loop|array|string|object"
    r"|dialog|menu|icon|text|label|input|checkbox|dropdown|link|table|chart|graph|picture|paragraph|sentence|essay|story|song|joke"
    r"|email|letter|regex|script|snippet|program|cell|panel"
    r"|color|colour|background|animation|cursor|popup|tooltip|sidebar|navbar|heading|subtitle|caption|slide|container|element|div|cat"
    r"|dog|game|player|score|number|argument|parameter|return value|endpoint|route|handler|test|second test|first test|class|file)\b"
    r"|^(?:我的)?(?:题目|作业|习题|老师|故事|书(?!面|写)|电影|下一步|第.{1,2}(?:段|步|章)|计划(?!书|\s?\d|在)|思路|目标|诀窍|剩下|想法)"
    r"|^(?:这个|那个|新的?|一个|整个)?(?:按钮|(?:提示|输入|下拉|搜索|对话|文本|复选)框|标题|函数(?!名|都|一律|不要超过|不超过|必须"
    r"|不得|最多)|变量(?!名)|页面|列表|这?列|行|查询"
    r"|数据集|诗|图片|页头|页脚|弹窗|表单|代码(?!冻结|\s?\d+\s?月|评审|规范|风格|仓库|库|注释|提交|必须|都|行宽|覆盖|周)|方法|循环|数组"
    r"|字符串|对象|对话框|菜单|图标|文字|标签|输入框|下拉框|链接|图表|段落|句子|文章|故事|歌|正则|脚本|颜色|背景|动画|光标|侧边栏"
    r"|导航栏|副标题|参数|返回值|容器|元素|游戏|玩家|分数|字号|第.{1,3}(?:列|行|个|章))"
)
"""What is being made or looked at now; a sentence about it is part of the task."""
HEDGED = re.compile(
    r"(?i)\b(?:i think|i guess|i suppose|i believe|maybe|perhaps|probably|might|could (?:be|use|try|also)|would be (?:nice|good|great"
    r"|better)|wondering|wonder|if we|what if|suppose|supposing|assume|assuming|imagine|let['’]?s say|for example|for instance|e\.g"
    r"|lol|lmao|yeah right|oh (?:great|perfect|joy|sure)|if (?:it|i|we) were|were (?:we|i|it) to|if it was up to|hypothetically"
    r"|in theory|theoretically"
    r"|not sure|i['’]?m not sure|unsure|seems?|looks? like|apparently|i heard|(?:faster|slower|better|worse|bigger|smaller|older|newer"
    r"|easier|harder|more \w+) than|for (?:that|it)\b|someone (?:said|told)|they say|considering|thinking (?:of"
    r"|about)|should we|we should (?!always|never)|planning to maybe|as an example|let us say|pretend|for this example|in this example"
    r"|let['’]?s use)\b"
    r"|呵呵|^(?:太好了|真棒|太棒了|行啊|对对对|好极了|妙啊|厉害了|可不是(?:嘛|吗)?|是啊是啊|真好)[，,！!]|就(?:好|行|轻松|省事"
    r"|完美)了$|也就[^，,]{0,10}吧$|(?:要|换|让)(?:让|作|做|是)?我(?:选|说|来|的话)|觉得|认为|理论上|也许|可能|或许|大概|好像|似乎|考虑"
    r"|不确定|不知道|假设|假如|假定|如果|(?<!主)要是|比如|例如|譬如|听说|据说"
    r"|要不要|想象"
    r"|万一|估计|假装|这个例子|应该是吧|说不定|打算试"
)
PASSING = re.compile(
    r"(?i)\b(?:\d+ (?:out )?of \d+|right now|at the moment|at present (?:trying|stuck)|just (?:now|pushed|updated|tried|noticed|saw|got"
    r"|ran|finished"
    r"|started|did|committed|merged)|today(?!['’]s)|here (?:because|since|to)|below|above|(?:works?|runs?|pass(?:es)?|fails?"
    r"|builds?) on my|but i|the \w+ one|there$|this (?:file|function|line|error|bug|class|dialog|screen|form|modal|view|widget|window"
    r"|menu|panel|method|variable|test|branch|pr|commit"
    r"|loop|button|page|section|paragraph|snippet|case|time|morning|message|"
    r"step|task|script|module|component|change|option|version|one|code|query|table|column|endpoint|ticket|issue)|trying to|i tried"
    r"|i(?:['’]m| am) (?:trying|getting|seeing|looking|stuck|debugging|working on (?:this|that|it|a|the)|wondering|confused|tired|done"
    r"|back|ready|sorry|sure|ok|fine|good|afraid|happy|glad|here|running|writing a|reading|testing|about to|going to)"
    r"|tonight|error(?!s? (?:budget|pages?|reports?|tracking|go|get|belong|are|must|should|handling|codes?|messages?|logs?))"
    r"|exception(?!s)"
    r"|traceback|stack trace"
    r"|(?:is|are|was|were|keeps?|still|it['’]?s) (?:failing|broken|crashing|hanging|red|down|blank|slow|empty|stuck|wrong|missing|gone"
    r"|weird|flaky|undefined|null|nan|not working|loading|tight|on fire|too \w+)|doesn['’]?t (?:work|compile|start|load|build|help)"
    r"|does not (?:work|compile|start|load|build)|not working|won['’]?t (?:start|build|compile|load)|fails? (?:with|on|at|in|again|when"
    r"|because)|failed|crash(?:es|ed)|broke|returns? (?:\d{3}\b|null|undefined|nothing|an? (?:error|empty))|line \d+|got (?:a|an|the"
    r"|this) "
    r"|here (?:is|are|'s)|see (?:above|below)|as you can see|in a minute|be right back|we(?:['’]re| are) (?:done|almost|close|getting"
    r"|stuck(?! (?:on|with|at) (?:(?-i:[A-Z])|\w+ v?\d))|good|fine|ready|there|back|looking|trying|waiting|talking"
    r"|discussing|debugging)|had lunch|coffee|lunch|weather|raining"
    r"|train|nice to)\b"
    r"|正在|刚(?!入职|毕业|转行|开始学)|今天|一会儿?|等会|等一下|目前正|报错|出错|错误(?!码|处理|日志)|失败(?!时|后)|崩|挂(?!在)|坏了"
    r"|太慢|很慢|卡住|卡死|白屏|连不上|红了|不行|编译不过|过不了|上一?[条个次](?:回答|回复|消息|问题)|第\s?\d+\s?行|堆栈|这个(?:文件"
    r"|函数|错误|问题|类|方法|变量|测试|分支"
    r"|方案|按钮|页面|版本|参数|循环|报错|接口怎么|组件|脚本|模块|任务)|这里|那里|此处|这一|通过了|这次|这行|这段|那个|上面|下面(?:这|的)"
    r"|试试|试过|试了"
    r"|看看|想(?:要)?问|看一下|看下|等构建|吃饭|下雨|好累|暂时|都[要让]我(?!们)|在(?:查|弄|搞|试|修|排查|等|看|跑|调|改|写|忙|想|找"
    r"|编译|下载|安装|路上|地铁)"
)
"""What holds only for the moment."""
CHANGE_NOW = re.compile(
    r"(?i)\bnow (?:use|uses|on|in|at|runs?|lives?|called)\b|\b(?:use|uses|on|in|at|is|are) .{1,40} now$|^(?:现在|目前)(?:不用|不再|用"
    r"|改|换|都|是|我们用|统一)"
)
NOW = re.compile(
    r"(?i)\bcurrently (?:trying|debugging|stuck|getting|seeing|broken|failing|down)\b|^(?:现在|目前)(?!不用|不再|用|改|换|都用|统一"
    r"|我们用|我们改)|现在(?:挂|坏|红|输出|是空|报|卡|还)"
)
DANGLING = re.compile(
    r"(?i)^.{0,30}(?<!/)\b(?:it|this|that|them|these|those)$|^(?:那|这(?!个(?:项目|仓库|团队|产品)|边))|^(?:it|this"
    r"|that)\b(?! (?:project|repo|repository|codebase|team"
    r"|company)\b)(?!['’]?s (?:(?:not|no longer) .{1,60}(?:we|use|but|it['’]s)|.{1,40}, not .))"
)
TASK = re.compile(
    r"(?i)^(?:请你?|麻烦你?|帮我?|你|先|再|然后|给我|去|给\s?[\w.]{1,12}\s?(?=加))*(?:帮我|加一?[条点几些]|写(?:一?个|一?段|份)|修"
    r"|加(?:一?个|上)|删(?:掉|除)|看|查|找(?!我)|读"
    r"|打开|运行|执行|跑(?:一下|测试)|列出|显示|解释(?!请|要|尽量|得|时|简|短|不要|别)|说明一下|告诉|翻译|总结|创建|新建|生成|检查"
    r"|重构一下|实现|优化|安装|更新(?!后)|比较|分析|介绍|搜索|推送|继续|试|画|算|统计|整理|转换|替换|重命名|移动|复制|把)(?!服务|模块"
    r"|功能|接口|组|团队|端|页|板|工具|引擎|平台|库|环境|用例|时)"
)
FIRST_VERB = re.compile(
    r"(?i)^(?:please |pls |just |then |now |next |first |also |and |can you |could you |would you |will you |let['’]?s |let us "
    r"|go ahead and |i want you to (?!always|never|stop)|i need you to |help me |ok,? |hey,? )*"
    r"(?:write (?:an?|the|me|us|some|it|this|docs|documentation|code|tests? for)|add|analy[sz]e|apply|build|bump|calculate|change|check"
    r"|clean|clone|close|commit|compare|compile|compute|configure|continue"
    r"|convert|copy|count|create|debug|delete|deploy|describe|design|diff|do(?! not)|document|download|draft|edit|execute|explain"
    r"|extract|find|finish|fix|format|generate|get|give|go|grep|help|implement|improve|insert|inspect|install|lint|list|look"
    r"|make|merge|migrate|move|open|optimi[sz]e|parse|print|profile|pull|push|put|read|rebase|recommend|refactor|remove|rename|replace"
    r"|reproduce|resolve|restart|revert|review|rewrite|run|save|scan|search|see|send|set|show|simplify|sort|split|start|stop|suggest"
    r"|summari[sz]e|tell|translate|try|undo|update|upgrade|verify|view|test)\b(?! (?:files|results|runs|suites?|data|names?|messages?"
    r"|freeze|reviews?|reports?|requests?|dates?|times?|branch(?:es)?|logs?|tickets?|docs?|decisions?|systems?)\b|(?: \w+){0,2} (?:is"
    r"|are|must|goes?|gets?)\b)"
)
