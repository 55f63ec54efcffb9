"""The same subject with another value, and the many near misses that must never be taken for one. Each pair is (new, old)."""

from __future__ import annotations

import pytest

from desktop.memory.exclusive import values_in
from desktop.memory.subject import relation

CHANGED: tuple[tuple[str, str], ...] = (
    ("行宽100。", "行宽120。"),
    ("Line length is 100.", "Line length is 120 characters."),
    ("The user lives in Porto.", "The user lives in Lisbon."),
    ("我住在波尔图", "The user lives in Lisbon."),
    ("I work at Acme now.", "I work at Initech."),
    ("我在字节工作", "我在阿里工作"),
    ("我叫小李。", "我叫小王。"),
    ("We use pnpm", "We use npm"),
    ("Use pnpm instead of npm", "Package manager: npm"),
    ("The dev server runs on port 9090", "The dev server runs on port 8080"),
    ("端口改成 9090", "端口是 8080"),
    ("服务端口改成 9090 了", "服务端口是 8080"),
    ("提交信息用英文写", "提交信息用中文写"),
    ("Commit messages are in English", "提交信息用中文写"),
    ("Commit messages should be written in English", "Commit messages are written in Chinese"),
    ("The package manager is pnpm", "We use npm"),
    ("我们改用 pnpm", "我们用 npm"),
    ("包管理器换成 pnpm", "We use npm"),
    ("Never use tabs", "Use tabs"),
    ("Use spaces for indentation", "Use tabs for indentation"),
    ("Deploys happen on Thursdays", "Deploys happen on Tuesdays"),
    ("Don't deploy on Fridays", "Deploy on Fridays"),
    ("The deadline is April 1", "The deadline is March 5"),
    ("截止日期改到 2026-12-20", "截止日期是 2026-12-10"),
    ("My editor is Emacs", "My editor is Vim"),
    ("Staging lives at https://b.example", "Staging lives at https://a.example"),
    ("我的邮箱是 b@x.com", "我的邮箱是 a@x.com"),
    ("We use Python 3.12", "We use Python 3.11"),
    ("Line length limit is 120", "Line length limit is 100"),
    ("PRs need three approvals", "PRs need two approvals"),
    ("数据库换成 PostgreSQL 了", "数据库是 MySQL"),
    ("回答要详细", "回答要简短"),
    ("Answer in detail", "Answer briefly"),
    ("We switched from Jenkins to GitHub Actions", "CI runs on Jenkins"),
    ("站会改到周四", "站会在周三"),
    ("My manager is Bob", "My manager is Alice"),
    ("The default branch is main", "The default branch is master"),
    ("不再用 Redux，改用 Zustand", "状态管理用 Redux"),
    ("I live in Berlin now", "I live in Paris now"),
    ("We moved from Slack to Teams", "Team chat is on Slack"),
    ("合并用 rebase", "合并用 squash"),
    ("Merge with rebase", "Merge with squash"),
    ("我们现在用 Vue 了", "我们用 React"),
    ("前端从 React 迁移到 Vue 了", "前端用 React"),
    ("We no longer use Jest, we use Vitest", "Tests run with Jest"),
    ("Use 4 spaces for indentation", "Use 2 spaces for indentation"),
    ("缩进用 4 个空格", "缩进用 2 个空格"),
    ("缩进改用制表符", "缩进用空格"),
    ("Minimum coverage is 90%", "Minimum coverage is 80%"),
    ("测试覆盖率最低 90%", "测试覆盖率最低 80%"),
    ("The API timeout is 60 seconds", "The API timeout is 30 seconds"),
    ("会议改到下午三点", "会议是下午两点"),
    ("The wiki moved to https://new.example/wiki", "The wiki is at https://old.example/wiki"),
    ("我的时区是 UTC+8", "我的时区是 UTC+1"),
    ("My timezone is UTC+8", "My timezone is UTC+1"),
    ("Reviews need 1 approval", "Reviews need 2 approvals"),
    ("评审需要 1 个人批准", "评审需要 2 个人批准"),
    ("Staging database host is db2.internal", "Staging database host is db1.internal"),
    ("Node 20 is required", "Node 18 is required"),
    ("Go version is 1.23", "Go version is 1.22"),
    ("We deploy every Thursday", "We deploy every Tuesday"),
    ("每周四发布", "每周二发布"),
    ("发布日改成周四", "发布日是周二"),
    ("Weekly report is due on Monday", "Weekly report is due on Friday"),
    ("提交信息改用英文", "提交信息用中文"),
    ("回答我用英文", "回答我用中文"),
    ("Reply in English", "Reply in Chinese"),
    ("请用英文回答", "请用中文回答"),
    ("Use single quotes in JavaScript", "Use double quotes in JavaScript"),
    ("JS 里用单引号", "JS 里用双引号"),
    ("不要用分号", "用分号"),
    ("Don't use semicolons", "Use semicolons"),
    ("The product is called Falcon", "The product is called Eagle"),
    ("项目名字叫飞鹰", "项目名字叫猎鹰"),
    ("I prefer dark theme", "I prefer light theme"),
    ("我喜欢浅色主题", "我喜欢深色主题"),
    ("Alerts go to #ops-new", "Alerts go to #ops"),
    ("Logs are kept for 30 days", "Logs are kept for 14 days"),
    ("日志保留 30 天", "日志保留 14 天"),
    ("The release date is 2026-12-20", "The release date is 2026-12-10"),
    ("The office is in Munich now", "The office is in Berlin"),
    ("Our on-call lead is Maria", "Our on-call lead is Tom"),
    ("值班负责人是小李", "值班负责人是小王"),
    ("The config lives in conf/app.toml", "The config lives in config/app.yaml"),
    ("配置文件在 conf/app.toml", "配置文件在 config/app.yaml"),
    ("No, the port is 9090", "The port is 8080"),
    ("不对，端口是 9090", "端口是 8080"),
    ("Actually we squash merge", "We merge with rebase"),
    ("The sprint length is 3 weeks", "The sprint length is 2 weeks"),
    ("迭代长度是三周", "迭代长度是两周"),
    ("The build tool is now Gradle", "The build tool is Maven"),
    ("构建工具换成 Gradle", "构建工具是 Maven"),
)
OTHER: tuple[tuple[str, str], ...] = (
    ("The v2 API timeout is 60s.", "The v1 API timeout is 30s."),
    ("Ana lives in Porto.", "Kim lives in Lisbon."),
    ("I studied in Porto", "I work at Acme"),
    ("The tests live in spec/", "The docs live in docs/"),
    ("The web port is 9090", "The API port is 8080"),
    ("Frontend uses pnpm", "Backend uses npm"),
    ("Tests use SQLite", "Production uses Postgres"),
    ("Sprint 13 ends on Friday", "Sprint 12 ends on Friday"),
    ("Use jest for unit tests", "Use vitest for e2e tests"),
    ("Standup is on Monday", "Retro is on Friday"),
    ("The API is slow", "The API is public"),
    ("Staging is at https://a.example", "Production is at https://b.example"),
    ("Never use npm", "Use pnpm"),
    ("We use React", "We use Redux"),
    ("提交信息用英文写", "注释用中文写"),
    ("代码注释用英文", "提交信息用中文"),
    ("前端端口是 3000", "后端端口是 8080"),
    ("生产数据库是 PostgreSQL", "测试数据库是 SQLite"),
    ("Don't deploy on Fridays", "We deploy on Tuesdays"),
    ("My manager is Bob", "My mentor is Alice"),
    ("开发环境端口 3000", "测试环境端口 4000"),
    ("The backend is written in Go", "The backend is hosted on AWS"),
    ("Answer in English", "Write commit messages in Chinese"),
    ("Timeout is 30 seconds", "Retry limit is 5"),
    ("第 12 期周五结束", "第 13 期周五结束"),
    ("I use Vim for Python", "I use VS Code for Java"),
    ("周一开站会", "周五写周报"),
    ("部署在周二", "评审在周四"),
    ("Alice owns billing", "Bob owns search"),
    ("Bob reviews Go code", "Alice reviews Go code"),
    ("Release 2.1 ships in March", "Release 2.2 ships in March"),
    ("用户表在 users.sql", "订单表在 orders.sql"),
    ("API docs live in docs/api", "Design docs live in docs/design"),
    ("npm audit must pass before release", "We use pnpm"),
    ("We use GitHub for code", "We use Jira for tickets"),
    ("Use tabs in Makefiles", "Use spaces in Python"),
    ("缓存用 Redis", "消息队列用 Kafka"),
    ("The admin password policy needs 12 characters", "The line length is 100 characters"),
    ("Alice's timezone is UTC+8", "Bob's timezone is UTC+1"),
    ("小李的时区是 UTC+8", "小王的时区是 UTC+1"),
    ("Node 20 is required", "Python 3.12 is required"),
    ("Staging deploys every Thursday", "Production deploys every Tuesday"),
    ("预发每周四发布", "生产每周二发布"),
    ("周报周一交", "月报周五交"),
    ("README is in English", "Comments are in Chinese"),
    ("文档用英文写", "提交信息用中文写"),
    ("Use single quotes in JavaScript", "Use double quotes in Python"),
    ("JS 里用单引号", "Python 里用双引号"),
    ("The iOS app is called Falcon", "The Android app is called Eagle"),
    ("后端名字叫飞鹰", "前端名字叫猎鹰"),
    ("Error logs are kept for 30 days", "Access logs are kept for 14 days"),
    ("错误日志保留 30 天", "访问日志保留 14 天"),
    ("Design lead is Maria", "On-call lead is Tom"),
    ("设计负责人是小李", "值班负责人是小王"),
    ("Redis runs on port 6379", "Postgres runs on port 5432"),
    ("Redis 端口 6379", "Postgres 端口 5432"),
    ("The test config lives in conf/test.toml", "The prod config lives in conf/prod.toml"),
    ("测试配置在 conf/test.toml", "生产配置在 conf/prod.toml"),
    ("Don't mock the database in tests", "Use the database in tests"),
    ("I like tea", "I like coffee"),
    ("我喜欢茶", "我喜欢咖啡"),
    ("We use Docker", "We use Kubernetes"),
    ("We support Windows", "We support Linux"),
    ("我们支持 Windows", "我们支持 Linux"),
    ("The API returns JSON", "The API requires tokens"),
    ("接口返回 JSON", "接口需要令牌"),
    ("Run lint before commits", "Run tests before commits"),
    ("提交前跑 lint", "提交前跑测试"),
    ("Never commit secrets", "Never commit build output"),
    ("不要提交密钥", "不要提交构建产物"),
    ("User names are unique", "User names are case-sensitive"),
    ("用户名唯一", "用户名区分大小写"),
    ("Invoices are sent on Mondays", "Payments are sent on Fridays"),
    ("Team A has 5 people", "Team B has 7 people"),
    ("A 组有 5 人", "B 组有 7 人"),
    ("Version 2 uses REST", "Version 3 uses GraphQL"),
    ("Room 12 has the printer", "Room 14 has the printer"),
    ("登录超时 30 秒", "上传超时 60 秒"),
    ("Login timeout is 30 seconds", "Upload timeout is 60 seconds"),
    ("The mobile team deploys on Tuesdays", "The web team deploys on Thursdays"),
    ("移动组周二发布", "网页组周四发布"),
    ("My son is called Tim", "My dog is called Rex"),
    ("Unit tests use pytest", "Integration tests use unittest"),
    ("The blog uses MySQL", "The shop uses Postgres"),
    ("博客用 MySQL", "商城用 Postgres"),
    ("Write docs in English", "Answer me in Chinese"),
    ("I work at Acme", "I live in Paris"),
    ("Always run prettier", "Always run eslint"),
    ("The main office is in Berlin", "The data center is in Paris"),
    ("Backups run daily", "Reports run weekly"),
    ("备份每天跑", "报表每周跑"),
    ("Bob is the tech lead", "Alice is the product owner"),
    ("pnpm is required by CI", "npm is blocked by the proxy"),
    ("Use tabs in Go code", "Use spaces in YAML files"),
    ("Prod runs in eu-west-1", "Staging runs in us-east-1"),
    ("The cache TTL is 60 seconds", "The session TTL is 30 minutes"),
    ("Kafka topic is orders", "Kafka group is billing"),
    ("We use pytest for testing", "We use Hypothesis for testing"),
    ("不要在周五部署", "周二部署"),
    ("Bug fixes need one approval", "Features need two approvals"),
    ("修复需要 1 个批准", "新功能需要 2 个批准"),
    ("The old API is on port 8080", "The new API is on port 9090"),
    ("旧接口端口 8080", "新接口端口 9090"),
    ("German customers pay in EUR", "US customers pay in USD"),
    ("docs/ is in English", "i18n/zh is in Chinese"),
    ("The api repo uses npm", "The web repo uses pnpm"),
    ("Redis works for caching", "Redis works for queues"),
    ("我叫了外卖", "我叫小明"),
    ("我叫他老王", "我叫小明"),
)
SAME: tuple[tuple[str, str], ...] = (
    ("The API timeout is 30s.", "The API timeout is 30 seconds."),
    ("I'm based in Berlin", "The user lives in Berlin."),
    ("We use pnpm", "we use pnpm."),
    ("提交信息都用中文写", "提交信息用中文写"),
    ("Commit messages are written in Chinese", "提交信息用中文写"),
    ("The project uses pnpm", "We use pnpm"),
    ("Remember: we use pnpm", "We use pnpm"),
    ("数据库端口是 5433", "The database port is 5433"),
    ("The person prefers dark theme", "I prefer dark theme"),
    ("部署在周五", "Deploy on Friday"),
    ("以后提交信息用中文", "提交信息用中文"),
    ("Remember that the dev server runs on port 8080", "The dev server runs on port 8080"),
    ("I prefer short answers", "I prefer short answers."),
    ("我喜欢简短的回答", "I prefer short answers"),
    ("Our database is PostgreSQL", "The database is PostgreSQL"),
    ("We always deploy on Fridays", "We deploy on Fridays"),
    ("不要直接推到 main", "不要直接推到 main。"),
    ("The wiki is at https://w.example/x", "Wiki: https://w.example/x"),
)


@pytest.mark.parametrize(("new", "old"), CHANGED)
def test_another_value_of_the_same_thing(new: str, old: str) -> None:
    assert relation(new, old) == "changed"


@pytest.mark.parametrize(("new", "old"), OTHER)
def test_two_subjects_are_never_taken_for_one(new: str, old: str) -> None:
    assert relation(new, old) == "other" == relation(old, new)


@pytest.mark.parametrize(("new", "old"), SAME)
def test_the_same_said_again(new: str, old: str) -> None:
    assert relation(new, old) == "same"


def test_unrelated_memories_of_one_project_never_meet() -> None:
    """Every sentence of the near misses against every other: a false merge loses a memory."""
    sentences = sorted({side for pair in OTHER for side in pair})
    met = {frozenset((a, b)) for a in sentences for b in sentences if a != b and relation(a, b) == "changed"}
    assert met == {frozenset(pair) for pair in REAL}


REAL = (
    ("Answer in English", "Answer me in Chinese"),
    ("Comments are in Chinese", "代码注释用英文"),
    ("代码注释用英文", "注释用中文写"),
    ("Write commit messages in Chinese", "提交信息用英文写"),
    ("提交信息用中文", "提交信息用英文写"),
    ("提交信息用中文写", "提交信息用英文写"),
)
"""Pairs out of different lines above that do give another value to the same thing."""


def test_a_value_is_no_part_of_a_longer_word() -> None:
    assert not values_in("the pnpmfile and reactor in /opt/vim/x")[0]
    assert [value.name for value in values_in("用 pnpm，每周四")[0]] == ["pnpm", "thursday"]


WHAT_CHANGED = (
    ("the retro got moved to 10:15", "The retro is at 9:30."),
    ("周会挪到 10:15 了", "周会时间是 9:30。"),
    ("we moved to zed, no more vim", "My editor is vim."),
    ("我现在改用 zed 了，vim 不用了", "我的编辑器是 vim。"),
    ("Kim isn't the tech lead anymore, it's Bo now", "Our tech lead is Kim."),
    ("技术负责人不是小王了，现在是小李", "我们的技术负责人是小王。"),
    ("prod moved from aws to hetzner", "Prod runs on AWS."),
    ("生产从 aws 搬到 hetzner 了", "生产跑在 AWS 上。"),
    ("we dropped yarn, it's pnpm everywhere now", "We use Yarn."),
    ("yarn 我们不用了，统一 pnpm", "我们用 Yarn。"),
    ("scratch that, invoices are sent weekly from now on", "Invoices are sent every month."),
    ("no, coverage has to be 85 percent, not 80", "Coverage must be at least 80 percent."),
    ("main got renamed to trunk", "The default branch is main."),
)


@pytest.mark.parametrize(("new", "old"), WHAT_CHANGED)
def test_what_only_says_that_something_changed_hides_no_subject(new: str, old: str) -> None:
    assert relation(new, old) == "changed"


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("the demo got moved to friday", "The retro is on Thursday."),
        ("we dropped kafka for the mailer", "Logs are shipped with Kafka to the archive."),
        ("staging moved from aws to hetzner", "Prod runs on AWS."),
        ("小王不是测试负责人了，现在是小李", "我们的产品经理是小王。"),
        ("retries are 5, not 3", "Three reviewers sign a release; the limit is 3 days."),
        ("Kim isn't the designer anymore, it's Bo now", "Kim owns the importer."),
    ],
)
def test_a_change_of_one_thing_is_none_of_another(new: str, old: str) -> None:
    assert relation(new, old) == "other"
