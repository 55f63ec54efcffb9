"""Words by what they name (parts of a page, parts of code, steps of a team's work, machines, moods …), for the sentence classifier.

Data, English and Chinese: a word that no training sentence holds still counts as one of its class. What a class speaks for is learnt, not
said here. Chinese words are found longest first in simplified characters.
"""

from __future__ import annotations

import re

_ENGLISH = {
    "screen": (
        "button buttons modal dialog popup dropdown row rows column columns field fields form label header footer sidebar navbar menu "
        "page pages tooltip banner card cards icon checkbox widget tab table chart title heading link input inputs spinner layout "
        "padding margin font screen pixel pixels css background toast slider"
    ),
    "code": (
        "function functions method class loop variable query line lines parameter argument module hook component endpoint regex import "
        "return array tuple object string integer null none undefined pointer snippet script parser handler callback promise struct "
        "enum selector recursion index file files config"
    ),
    "work": (
        "pr prs mr commit commits committed branch branches release releases deploy deploys deploying deployment merge merged merges "
        "merging review reviews reviewer migration migrations ticket tickets tag tags rebase squash hotfix hotfixes sprint sprints "
        "standup freeze rollout changelog backlog iteration tests test specs coverage approval approvals issue issues push pushes"
    ),
    "machine": (
        "prod production staging stage ci pipeline server servers cluster machine machines laptop laptops box boxes runner runners db "
        "database host hosts vm gateway proxy environment env container port ports network firewall bastion queue cache broker bucket "
        "agents kiosk kiosks device devices tablet tablets"
    ),
    "state": (
        "red green down slow broken failing stuck flaky weird wrong done ready pending running empty missing late busy tired offline "
        "sick fine hanging crashing fails crashed hangs broke"
    ),
    "trouble": (
        "error errors bug bugs crash crashes timeout timeouts oom conflict conflicts exception exceptions traceback segfault leak "
        "failure warning warnings stacktrace outage"
    ),
    "taste": (
        "like likes liked love loves hate hates prefer prefers preferred dislike fond fan allergic favour favor rather annoying annoys "
        "happier happiest enjoy appreciate favourite favorite nicer bugs drives taste matters beats"
    ),
    "style": (
        "answer answers reply replies explanation explanations summary summaries comments comment names naming abbreviations diff diffs "
        "emoji emojis wording tone docstrings paragraphs bullet bullets tables prose apologies intro preamble recap indentation indent "
        "tabs spaces semicolons quotes formatting format style examples analogies length short shorter brief terse concise blunt "
        "verbose long details"
    ),
    "others": (
        "boss colleague colleagues friend friends cousin brother sister teacher coworker classmate roommate wife husband intern "
        "competitor competition guy guys blog author youtuber reddit twitter hackernews netflix google facebook amazon microsoft apple "
        "article book talk tutorial course interviewer"
    ),
    "group": (
        "team teams company org department crew squad office client clients customer customers users tenants vendor partner supplier "
        "management legal security compliance finance auditors auditor agency platform ops qa marketing sales support stakeholders"
    ),
    "role": (
        "engineer developer dev designer student lead owner manager dba phd teacher admin architect scientist analyst freelancer cto "
        "ceo founder maintainer maintains owns owned responsible contact expert nurse accountant physicist"
    ),
    "place": (
        "wiki docs documentation handbook dashboard dashboards board runbook runbooks channel spreadsheet drive folder directory repo "
        "repository vault calendar portal registry mockups designs spec specs schedule postmortems logs metrics alerts"
    ),
    "mood": "lol lmao haha hahaha ugh sigh damn wow oh yeah yay argh meh heh omg duh finally hooray rofl",
    "law": (
        "contract license licence policy rule rules convention conventions standard mandatory forbidden banned allowed required must "
        "deadline due expires expire audit certification gdpr supported deprecated frozen generated"
    ),
    "hedge": (
        "maybe perhaps might could possibly probably someday sometime suppose imagine assume pretend wonder wondering dunno guess "
        "thinking considering hypothetically theoretically apparently rumour"
    ),
    "month": (
        "january february march april may june july august september october november december q1 q2 q3 q4 spring summer autumn winter"
    ),
    "weekday": ("monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays weekdays weekends"),
    "make": (
        "add create write implement build generate draft make fix change update move rename delete remove refactor show list check "
        "translate rephrase summarize explain compare find print convert replace undo revert"
    ),
    "system": (
        "api app backend frontend service services module site stack crawler worker website monolith product client engine plugin "
        "codebase project library framework firmware schema tool dashboard importer exporter"
    ),
}
_CHINESE = {
    "screen": (
        "按钮 弹窗 对话框 下拉 菜单 表头 表格 表单 输入框 标签 侧栏 页脚 页面 提示框 横幅 卡片 图标 复选框 标题 布局 边距 字体 图表 "
        "首页 图例 列表 颜色"
    ),
    "code": (
        "函数 方法 循环 变量 查询 参数 数组 元组 对象 字符串 指针 代码 脚本 解析器 回调 类型 选择器 递归 索引 文件 单例 接口 字段 正则"
    ),
    "work": (
        "提交 分支 发版 发布 上线 部署 合并 评审 迁移 工单 单子 单号 热修 迭代 站会 封版 冻结 排期 版本 测试 用例 覆盖率 审批 推送 强推 "
        "回滚 值班 复盘"
    ),
    "machine": (
        "生产 线上 预发 流水线 服务器 集群 机器 电脑 构建机 数据库 主机 网关 代理 环境 容器 端口 外网 内网 防火墙 堡垒机 跳板机 队列 "
        "缓存 设备 平板 机房"
    ),
    "state": "挂了 红了 绿了 好慢 卡住 卡死 坏了 崩了 好了 抽风 报错了 不通 连不上 断了 在跑 过了 完了 爆了",
    "trouble": "报错 错误 异常 冲突 崩溃 超时 泄漏 故障 失败 乱码 段错误 警告",
    "taste": "喜欢 偏好 讨厌 爱用 习惯 受不了 看着烦 看着累 难受 反感 顺手 更愿意 倾向 不爱 不太想 头疼 舒服 烦 晕",
    "style": (
        "回答 答复 回复 解释 总结 注释 命名 缩写 表情 语气 开场白 客套 道歉 缩进 分号 引号 格式 例子 类比 简短 简洁 啰嗦 长篇 列点 表格 "
        "废话 变量名"
    ),
    "others": (
        "同事 老板 朋友 表哥 室友 同学 老师 前同事 外包 竞品 隔壁组 别家 网上 知乎 博客 作者 字节 腾讯 阿里 美团 谷歌 听说 有人 人家 "
        "面试官 教程 书上"
    ),
    "group": (
        "团队 组里 公司 部门 办公室 客户 用户 租户 供应商 合作方 管理层 领导 法务 安全 合规 财务 审计 平台组 运维 市场 销售 客服 测试组 "
        "甲方"
    ),
    "role": ("工程师 开发 设计师 学生 组长 负责人 经理 管理员 架构师 博士 创始人 维护 负责 最熟 最懂 对接 归 本职 专业 出身 转行"),
    "place": "文档 手册 看板 频道 表格 共享盘 目录 仓库 日历 门户 设计稿 原型 会议纪要 知识库 日志 指标 告警",
    "mood": "哈哈 呵呵 唉 烦 笑死 哭了 好家伙 太好了 真棒 厉害 绝了 哦 嗨 无语 服了 要命 刺激",
    "law": ("合同 许可证 规定 规矩 约定 规范 政策 禁止 不许 不准 必须 到期 截止 审核 认证 合规 要求 强制 支持 废弃 生成的 只读"),
    "hedge": ("也许 大概 可能 说不定 没准 或许 哪天 假如 假设 要是 如果 想象 假装 不确定 不知道 琢磨 考虑 估计 应该是 好像 万一"),
    "month": "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月 春天 夏天 秋天 冬天 年底 年初 季度",
    "weekday": "周一 周二 周三 周四 周五 周六 周日 星期一 星期二 星期三 星期四 星期五 工作日 周末 每周 隔周 每天 每晚 每月",
    "make": (
        "写个 加个 加一 做个 改一下 改下 改成 修一下 修下 删掉 删了 重构 帮我 帮忙 看下 看看 查下 查一下 列出 生成 翻译 润色 校对 "
        "总结一下 解释一下 撤销"
    ),
    "system": "后端 前端 应用 服务 模块 网站 网页 系统 产品 客户端 引擎 插件 项目 框架 库 固件 单体 爬虫 工具 导入器 平台",
    "now": "今天 现在 刚才 刚刚 目前 这会儿 正在 昨天 早上 下午 今晚 等会 待会 回头 马上 一会儿 暂时 这次 这里 这个 那个",
}
CLASS = {word: f"<{name}>" for name, words in _ENGLISH.items() for word in words.split()}
"""English words and their classes; where a word stands in two, the later one counts."""

_CHINESE_CLASS = {word: f"<{name}>" for name, words in _CHINESE.items() for word in words.split()}
_CHINESE_WORD = re.compile("|".join(sorted(map(re.escape, _CHINESE_CLASS), key=len, reverse=True)))


def classes_marked(text: str) -> str:
    """A text with each Chinese word that has a class replaced by it."""
    return _CHINESE_WORD.sub(lambda match: f" {_CHINESE_CLASS[match.group()]} ", text)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PRODUCTS = _words("""
    ada airflow alembic android angular ansible apache api arch argo arm arm64 asana asp aurora aws axios azure babel bash bazel
    bigquery bitbucket buf bun cargo cassandra cdn celery centos chakra chrome circleci clang cli clickhouse clojure cloudflare cmake
    cobol cockroach conda confluence consul crystal css curl cypress dart datadog dbt debian deno discord django docker dotnet dynamo
    dynamodb eclipse elastic elasticsearch elixir elm emacs envoy erlang es6 esbuild eslint excel expo fastapi fedora figma firebase
    firefox flake8 flask flink flutter fortran ftp gatsby gcp gerrit gin git gitea github gitlab golang gpu gradle grafana graphql
    groovy grpc gulp hadoop haproxy haskell helix helm heroku hibernate hive html html5 htmx hugo ide ie ie11 influx influxdb insomnia
    ionic istio jaeger java javascript jdk jenkins jest jetbrains jira jquery js json julia junit k3s k8s kafka keycloak kibana knex
    kotlin kubernetes lambda laravel ldap linux lodash loki lts lua m1 m2 m3 mac macos maria mariadb matlab maven memcached mercurial
    minio mobx mocha mongo mongodb mssql mui mvn mypy mysql nas nats neo4j neovim nest nestjs netlify nextjs nexus nginx nix node
    nodejs nomad notion npm nuget numpy nuxt ocaml okta openapi opengl oracle orm pandas parcel perl phoenix php pinia pip pipenv
    playwright pnpm podman poetry postgres postgresql postman powershell prettier prisma prometheus protobuf pug pulumi puppet pyenv
    pylint pyright pytest python pytorch qt quarkus rabbit rabbitmq rails rake react redis redshift redux remix rhel rider rollup
    rspec rubocop ruby ruff rust rxjs s3 saas saml sap sass scala scss sdk selenium sentry sequelize shell sinatra slack snowflake
    soap solr splunk sql sqlalchemy sqlite sqs ssh sso ssr stripe sublime svelte svn swagger swift swiftui symfony tailwind tauri
    terraform thrift timescale tmux tomcat travis trello ts turborepo typeorm typescript ubuntu unity unreal uv vault vercel vim vite
    vitest vpn vscode vscodium vue vuex wasm webpack windows wordpress wsl wsl2 xcode xml yaml yarn youtrack zed zig zookeeper zsh
""")
"""Languages, tools and services by name, all of one kind to the classifier."""

LITTLE = _words("""
    a about after again ago all already also always am an and any anymore anyone apparently are around as ask at atm back be because
    been before being better between both but by call called can can't cannot could currently day decided did didn't do does doesn't
    don't each either else ever every everyone everything except few first for forget found friday from get gets go goes going gonna
    got had happens hardly has hate hates have haven't he her here hi his how however i i'd i'll i'm i've if imagine in instead into
    is isn't it it's its jk just keep keeps kidding know last later let let's like likes live lives lol love loves make makes maybe me
    might monday month more most mostly much must my need needs never next no nobody nope nor not nothing now nvm off ok okay on once
    one only or our out over people perhaps please prefer prefers probably put quite rather right said same say says seems shall she
    should since so some someone sometimes soon still stop suppose than thanks that that's the their them then there there's these
    they thing think this those though through time to today tomorrow tonight too tried try under unless until up us use used uses
    usually very wait want wants was we we'd we'll we're we've week were what what's when whenever where whether which while who
    whoever why will with without wonder work working works would wow year yes yesterday yet you you'd you're you've your
""")
"""English words that carry grammar, time or attitude and stay as they are in the frame of a sentence."""

LITTLE_CHINESE = frozenset(
    "一三上下不与且两个中为么之也习了于些什今从他以们任会但何你俺候假先全再写几刚别到前勿厌去又及只叫可号各后向吗吧呀呢周和咱"
    "哈哪啊啥啦喜嘛因在地外多大天太她好如存它定对将少就已帮年应归往很律得必怎总惯想我或所才把挺换改放无日时明昨是更曾最月有条"
    "来果概次欢正每比永没点烦然现用由的看真着算给统老而能被要讨让许试该说请谁走跑跟过还这远选那都里错问须麻"
)
"""The same for Chinese, character by character."""
