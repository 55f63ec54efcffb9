"""Values of which only one can hold at a time: package managers, indentation, languages, days of the week, in English and Chinese.

Data for telling that a memory is corrected. Pure.

A family is a line: the names of the thing, a bar, the values, each with its other spellings set off by strokes. A star marks a family
whose values exclude each other in plain statements too; the others may stand side by side (two queues), and count only where the
sentence says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from desktop.memory.concepts import plain

_FAMILIES = """
* package manager, packages, dependencies, 包管理器, 包管理工具, 包管理, 依赖管理, 依赖 | npm, pnpm, yarn, bun
* package manager, packages, dependencies, 包管理器, 包管理工具, 包管理, 依赖管理, 依赖 | pip, pipenv, poetry, uv, conda, pdm
* test runner, test framework, tests, 测试框架, 测试工具, 测试 | jest, vitest, mocha, jasmine
* test runner, test framework, tests, 测试框架, 测试工具, 测试 | pytest, unittest, nose
* database, db, 数据库 | postgres/postgresql/pg, mysql, mariadb, oracle, mssql/sql server/sqlserver, sqlite, mongodb/mongo
* indentation, indent, 缩进 | tabs/tab/制表符, spaces/space/空格
* quotes, quote, strings, 引号, 字符串 | single quotes/single quote/单引号, double quotes/double quote/双引号
* answers, replies, 回答, 回复 | short/brief/briefly/concise/concisely/terse/简短/简洁/简明/精简, \
long/detailed/verbose/thorough/in detail/详细/详尽
* theme, mode, 主题, 模式 | dark/深色/暗色/黑色/暗黑, light/浅色/亮色/白色
* language, written, 语言, 写, 撰写 | chinese/mandarin/中文/汉语, english/英文/英语, japanese/日文/日语, german/德语/德文, \
french/法语/法文, spanish/西班牙语, korean/韩语/韩文
* spelling, 拼写 | american/us english/美式, british/uk english/英式
* merge strategy, merging, merges, 合并方式, 合并策略, 合并 | squash/squash merge/压缩合并, rebase/变基, \
merge commit/merge commits/合并提交
* license, licence, 许可证, 协议 | mit, apache/apache-2.0/apache 2.0, gpl/gplv3, bsd, mpl
* day, weekday, 日期, 时间 | monday/mondays/周一/星期一/礼拜一, tuesday/tuesdays/周二/星期二/礼拜二, \
wednesday/wednesdays/周三/星期三/礼拜三, thursday/thursdays/周四/星期四/礼拜四, \
friday/fridays/周五/星期五/礼拜五, saturday/saturdays/周六/星期六/礼拜六, sunday/sundays/周日/周天/星期日/星期天
* frequency, 频率 | daily/every day/每天/每日, weekly/every week/每周, biweekly/fortnightly/every two weeks/两周一次/每两周, \
monthly/every month/每月, quarterly/每季度
* naming, case, 命名, 命名风格 | camelcase/camel case/驼峰, snake_case/snake case/下划线, kebab-case/kebab case/短横线, \
pascalcase/pascal case
* clock, time format, 时间格式, 时间制 | 24-hour/24h/24 小时/24小时, 12-hour/12h/12 小时/12小时
* units, 单位 | metric/公制, imperial/英制
* editor, ide, 编辑器 | vim, neovim/nvim, emacs, vscode/vs code/visual studio code, sublime/sublime text, pycharm, intellij/idea, \
webstorm, zed
* framework, frontend framework, ui framework, 前端框架, 框架 | react, vue, svelte, angular, solid/solidjs
* bundler, build tool, 打包工具, 构建工具, 打包 | webpack, vite, rollup, parcel, esbuild, turbopack, rspack
* build tool, build system, 构建工具, 构建系统, 构建 | maven, gradle, bazel, ant, sbt
* formatter, formatting, 格式化, 格式化工具 | black, yapf, autopep8, prettier, ruff format
* linter, linting, 代码检查 | eslint, biome, oxlint, tslint
* branch, default branch, main branch, 默认分支, 主分支 | main, master, trunk, develop
- shell, 终端 | bash, zsh, fish, powershell
- ci, 持续集成, 流水线 | jenkins, github actions, gitlab ci, circleci, travis, buildkite, drone, teamcity
- hosting, cloud, 云, 云服务 | aws, gcp/google cloud, azure, aliyun/阿里云, 腾讯云, 华为云, vercel, netlify, heroku, fly.io, render
- chat, messenger, 聊天工具, 沟通 | slack, teams/microsoft teams, discord, 钉钉/dingtalk, 飞书/lark, 企业微信/wecom
- issue tracker, tracker, tickets, 工单系统, 任务管理, 需求管理 | jira, linear, asana, trello, 禅道, youtrack, github issues
- queue, message queue, 消息队列 | kafka, rabbitmq, rocketmq, nats, sqs
- cache, 缓存 | redis, memcached, valkey
- web server, proxy, 网关, 反向代理 | nginx, apache httpd, caddy, traefik, haproxy
- state management, 状态管理 | redux, mobx, zustand, pinia, vuex
- orm | prisma, typeorm, sequelize, drizzle, sqlalchemy, hibernate, mybatis, gorm
- version control, 版本控制 | git, svn/subversion, mercurial/hg
- containers, 容器 | docker, podman
- styling, css | tailwind/tailwindcss, bootstrap, styled-components, sass, less
"""


@dataclass(frozen=True, slots=True)
class Value:
    """A value in a text: which family, which of its values, and whether plain statements of two of them exclude each other."""

    family: int
    name: str
    strict: bool


@cache
def _table() -> tuple[re.Pattern[str], dict[str, tuple[Value, ...]], dict[int, tuple[str, ...]]]:
    values: dict[str, list[Value]] = {}
    names: dict[int, tuple[str, ...]] = {}
    for number, line in enumerate(_FAMILIES.strip().splitlines()):
        head, members = line[1:].split("|")
        names[number] = tuple(name.strip() for name in head.split(","))
        for member in members.split(","):
            spellings = [one.strip() for one in member.split("/")]
            for spelling in spellings:
                values.setdefault(spelling, []).append(Value(number, spellings[0], line[0] == "*"))
    ordered = sorted(values, key=len, reverse=True)
    latin = "|".join(re.escape(one) for one in ordered if one.isascii())
    other = "|".join(re.escape(one) for one in ordered if not one.isascii())
    pattern = re.compile(rf"(?<![a-z0-9_.@/-])(?:{latin})(?![a-z0-9_]|[-./@][a-z0-9])|(?:{other})(?<!每周(?=[一二三四五六日天]))")
    return pattern, {spelling: tuple(found) for spelling, found in values.items()}, names


def values_in(text: str) -> tuple[tuple[Value, ...], str]:
    """The values that a text names, in order, and the text (folded) without them."""
    pattern, values, _ = _table()
    small = plain(text)
    found: list[Value] = []
    for match in pattern.finditer(small):
        found += values[match.group()]
    return tuple(found), pattern.sub(" ", small)


def names_of(family: int) -> tuple[str, ...]:
    """What a family is called."""
    return _table()[2][family]


def is_day(family: int) -> bool:
    """Whether the values are days, of which a sentence may name one in passing."""
    return "weekday" in names_of(family)
