"""Well-known tools by what they are: which names are package managers, databases, test frameworks, in English and Chinese.

A table for `categories`, which says how it is read. General knowledge of the field only, lower case, no machine's nor anybody's notes; a
name may stand in two categories. Pure data.
"""

from __future__ import annotations

TABLE: tuple[tuple[str, str, str, str], ...] = (
    (
        "package manager | 包管理器",
        "package manager, dependency manager, package management tool | 包管理器, 包管理工具, 包管理, 依赖管理工具",
        "",
        "npm, pnpm, yarn, bun, pip, pipenv, pipx, ~poetry, conda, mamba, pixi, pdm, rubygems, ~bundler, ~composer, nuget, maven, cocoapods,"
        " homebrew, chocolatey, winget, vcpkg, npx, apt-get, luarocks, uv, ~cargo, ~brew, ~conan, ~scoop, ~rye, ~hatch",
    ),
    (
        "runtime | 运行时",
        "runtime, javascript runtime, runtime environment | 运行时, 运行时环境, 运行环境",
        "",
        "node.js, nodejs, deno, bun, jvm, graalvm, pypy, cpython, .net, wasmtime, wasmer, cloudflare workers, ~node, ~hermes",
    ),
    (
        "programming language | 编程语言",
        "programming language, what language do we use, which language do we use, language is it written in, language is written in"
        " | 编程语言, 开发语言, 程序语言, 什么语言写的, 什么语言写代码, 什么语言开发, 哪种语言写的, 哪种语言开发,"
        " 什么语言编写的, 什么语言实现, 后端用什么语言, 前端用什么语言, 项目用什么语言",
        "",
        "python, javascript, typescript, java, kotlin, golang, c++, c#, php, scala, elixir, erlang, haskell, clojure, ocaml, f#, perl, lua,"
        " objective-c, cobol, fortran, ~go, ~rust, ~ruby, ~swift, ~dart, ~julia, ~zig, ~elm, ~crystal, ~nim",
    ),
    (
        "test framework | 测试框架",
        "test framework, testing framework, test runner, testing library, testing tool | 测试框架, 测试工具, 测试运行器, 测试库",
        "",
        "pytest, unittest, vitest, junit, testng, rspec, minitest, phpunit, xunit, nunit, gtest, googletest, catch2, cypress, ~playwright,"
        " selenium, puppeteer, testcafe, webdriverio, ctest, nextest, kotest, spock, qunit, tox, nox, ~jest, ~mocha, ~jasmine, ~ava,"
        " ~karma, ~behave, ~cucumber",
    ),
    (
        "linter | 代码检查工具",
        "linter, lint tool, linting tool, static analysis tool | 代码检查工具, 静态检查工具, 静态分析工具, 代码检查器, 检查器, lint 工具",
        "",
        "eslint, flake8, pylint, rubocop, clippy, golangci-lint, stylelint, shellcheck, ktlint, detekt, checkstyle, swiftlint, oxlint,"
        " tslint, biome, clang-tidy, hadolint, sonarqube, phpstan, markdownlint, ~ruff, ~credo, ~standard",
    ),
    (
        "formatter | 格式化工具",
        "formatter, code formatter, formatting tool | 格式化工具, 代码格式化工具, 格式化器, 格式化程序",
        "",
        "prettier, gofmt, rustfmt, clang-format, isort, yapf, autopep8, biome, dprint, gofumpt, goimports, ~spotless, google-java-format,"
        " swiftformat, stylua, shfmt, scalafmt, black formatter, ~black, ~ruff",
    ),
    (
        "type checker | 类型检查器",
        "type checker, type checking tool, static type checker | 类型检查器, 类型检查工具",
        "",
        "mypy, pyright, basedpyright, ~pyre, pytype, ~sorbet, tsc, ~flow, ~ty",
    ),
    (
        "build tool | 构建工具",
        "build tool, bundler, build system, module bundler | 构建工具, 打包工具, 打包器, 构建系统, 编译工具",
        "",
        "webpack, vite, esbuild, turbopack, turborepo, rspack, snowpack, browserify, gradle, maven, bazel, cmake, meson, scons, msbuild,"
        " makefile, gnu make, justfile, rolldown, tsup, ~rollup, ~parcel, ~make, ~just, ~task, ~ninja, ~buck, ~nx, ~gulp, ~grunt, ~rake,"
        " ~swc, ~sbt, ~ant, ~pants",
    ),
    (
        "web framework | web 框架",
        "web framework, backend framework, api framework, server framework | web 框架, web框架, 后端框架, 服务端框架, 网络框架",
        "",
        "django, fastapi, starlette, express.js, expressjs, next.js, nextjs, nuxt, nuxt.js, sveltekit, nestjs, spring boot, springboot,"
        " laravel, symfony, ruby on rails, asp.net, actix, axum, hapi, ~tornado, sanic, litestar, aiohttp, quarkus, micronaut, hono,"
        " fastify, elysia, ~gatsby, remix.run, ~flask, ~express, ~next, ~nest, ~spring, ~rails, ~echo, ~gin, ~fiber, ~phoenix, ~rocket,"
        " ~koa, ~remix, ~astro, ~bottle, ~sinatra, ~chi",
    ),
    (
        "ui framework | 前端框架",
        "ui framework, frontend framework, front-end framework, ui library, component library, gui framework, gui toolkit"
        " | 前端框架, ui 框架, ui框架, 组件库, 界面框架, ui 库, ui库, 图形界面库",
        "",
        "~react, vue, vue.js, angular, svelte, preact, solidjs, solid.js, react native, ~flutter, pyside6, pyqt, tkinter, ~electron, tauri,"
        " swiftui, jetpack compose, htmx, alpine.js, material ui, mui, ant design, antd, element plus, shadcn, chakra ui, vuetify,"
        " wxpython, gtk, jquery, ~qt, ~solid, ~lit, ~qwik, ~ember, ~avalonia, ~kivy",
    ),
    (
        "css framework | css 框架",
        "css framework, styling library, styling solution | css 框架, css框架, 样式框架, 样式库",
        "",
        "tailwind, tailwindcss, tailwind css, unocss, windicss, styled-components, scss, css modules, vanilla-extract, ~bootstrap, ~bulma,"
        " ~foundation, ~emotion, ~sass, ~less, ~stylus",
    ),
    (
        "database | 数据库",
        "database system, database engine, database management system, dbms, rdbms | 数据库系统, 数据库引擎, 数据库管理系统",
        "database, db, data store, datastore | 数据库",
        "postgres, postgresql, mysql, mariadb, sqlite, mongodb, cockroachdb, clickhouse, duckdb, ~cassandra, scylladb, dynamodb, firestore,"
        " neo4j, influxdb, timescaledb, couchdb, elasticsearch, opensearch, sql server, mssql, bigquery, redshift, tidb, oceanbase,"
        " planetscale, supabase, surrealdb, rocksdb, leveldb, aurora postgres, db2, ~oracle, ~snowflake, ~neon, ~turso, ~mongo",
    ),
    (
        "cache | 缓存",
        "cache server, caching system, cache backend, cache store, caching layer | 缓存系统, 缓存服务, 缓存服务器, 缓存中间件, 缓存层",
        "cache | 缓存",
        "redis, memcached, valkey, dragonflydb, hazelcast, ehcache, caffeine cache, keydb, ~varnish, ~dragonfly",
    ),
    (
        "message queue | 消息队列",
        "message queue, message broker, queueing system, queue system, job queue, task queue | 消息队列, 消息中间件, 消息代理, 任务队列",
        "queue, broker | 队列",
        "rabbitmq, kafka, redpanda, pulsar, rocketmq, activemq, zeromq, amazon sqs, sqs, google pub/sub, nats, mqtt, bullmq, ~celery,"
        " sidekiq, resque, temporal.io, ~rq, ~dramatiq, ~huey",
    ),
    (
        "orm | orm",
        "orm, object relational mapper, database library, query builder | orm, 对象关系映射, 数据库访问层",
        "",
        "sqlalchemy, sqlmodel, typeorm, sequelize, mikro-orm, ~hibernate, mybatis, gorm, activerecord, active record, tortoise orm, peewee,"
        " entity framework, ef core, jooq, knex, kysely, django orm, drizzle orm, sqlx, exposed orm, ~prisma, ~drizzle, ~diesel, ~ent,"
        " ~ecto, ~doctrine, ~eloquent, ~pony",
    ),
    (
        "continuous integration | 持续集成",
        "ci system, ci service, ci tool, ci server, ci provider, continuous integration, ci platform, ci cd tool, ci/cd"
        " | 持续集成, ci 系统, ci系统, ci 工具, ci工具, ci 服务, ci 平台, ci平台, 持续集成工具",
        "ci | ci",
        "github actions, gitlab ci, circleci, jenkins, travis ci, teamcity, buildkite, azure pipelines, drone ci, woodpecker ci,"
        " appveyor, concourse ci, bitbucket pipelines, tekton, argo workflows, ~travis, ~drone, ~buildbot",
    ),
    (
        "version control host | 代码托管平台",
        "version control host, git host, git hosting, code host, code hosting, repository host"
        " | 代码托管平台, 代码托管, 代码托管服务, 代码仓库平台, git 托管",
        "",
        "github, gitlab, bitbucket, gitea, forgejo, codeberg, gitee, sourcehut, azure repos, azure devops, gogs, gerrit, aws codecommit,"
        " 码云, ~coding",
    ),
    (
        "container tool | 容器工具",
        "container tool, container engine, container runtime, container platform | 容器工具, 容器引擎, 容器运行时, 容器平台",
        "",
        "docker, podman, containerd, cri-o, docker compose, docker-compose, buildah, rancher desktop, orbstack, lxc, lxd, colima, nerdctl,"
        " singularity container, apptainer",
    ),
    (
        "deployment platform | 部署平台",
        "orchestration tool, container orchestration, orchestrator, deployment platform, hosting platform, deployment tool, cloud provider,"
        " hosting provider | 编排工具, 容器编排, 部署平台, 部署工具, 托管平台, 云服务商, 云平台, 云厂商, 云服务",
        "",
        "kubernetes, k8s, k3s, docker swarm, hashicorp nomad, openshift, argocd, argo cd, fluxcd, vercel, netlify, heroku, fly.io,"
        " railway.app, cloudflare pages, aws, amazon web services, gcp, google cloud, azure, digitalocean, hetzner, linode, aws lambda,"
        " cloud run, amazon ecs, eks, gke, kamal deploy, capistrano, coolify, dokku, 阿里云, 腾讯云, 华为云, ~nomad, ~helm, ~render,"
        " ~railway, ~swarm, ~kamal",
    ),
    (
        "infrastructure as code | 基础设施即代码",
        "infrastructure as code, iac, iac tool, configuration management tool, provisioning tool"
        " | 基础设施即代码, 基础设施代码工具, 配置管理工具, iac 工具",
        "",
        "terraform, opentofu, pulumi, ansible, cloudformation, aws cdk, saltstack, crossplane, terragrunt, ~bicep, nixos, ~chef, ~puppet,"
        " ~salt, ~vagrant, ~packer",
    ),
    (
        "editor | 编辑器",
        "code editor, ide, text editor | 代码编辑器, 集成开发环境, ide, 文本编辑器",
        "editor | 编辑器",
        "vscode, vs code, visual studio code, visual studio, neovim, vim, emacs, intellij, intellij idea, pycharm, webstorm, goland,"
        " rustrover, clion, phpstorm, sublime text, xcode, android studio, notepad++, jetbrains, vscodium, ~cursor, ~zed, ~helix, ~atom,"
        " ~nano, ~eclipse, ~rider",
    ),
    (
        "shell | 命令行",
        "command shell, login shell, default shell, command-line shell | 命令行 shell, 默认 shell, 终端 shell, 命令解释器",
        "shell | shell",
        "bash, zsh, powershell, pwsh, nushell, oh-my-zsh, xonsh, ksh, tcsh, git bash, cmd.exe, ~fish, ~dash, ~elvish",
    ),
    (
        "operating system | 操作系统",
        "operating system, linux distribution, linux distro | 操作系统, 发行版, 系统版本",
        "os, distro | 系统",
        "linux, ubuntu, debian, fedora, centos, red hat enterprise linux, rhel, arch linux, alpine linux, opensuse, rocky linux, almalinux,"
        " macos, mac os, windows 10, windows 11, windows server, wsl, wsl2, freebsd, openbsd, nixos, linux mint, kali linux, ~windows,"
        " ~arch, ~alpine, ~gentoo",
    ),
    (
        "monitoring tool | 监控工具",
        "monitoring tool, monitoring system, monitoring service, error tracker, error tracking, logging tool, logging library,"
        " logging system, logging framework, observability tool, observability platform, crash reporter"
        " | 监控工具, 监控系统, 监控平台, 错误追踪, 错误跟踪, 错误监控, 日志工具, 日志库, 日志系统, 日志框架, 日志平台, 可观测性",
        "",
        "~sentry, datadog, prometheus, grafana, new relic, opentelemetry, logstash, kibana, splunk, graylog, fluentd, fluentbit, rollbar,"
        " bugsnag, honeybadger, cloudwatch, papertrail, zabbix, nagios, loguru, structlog, log4j, logback, serilog, grafana loki,"
        " better stack, uptime kuma, skywalking, nlog, slf4j, ~loki, ~jaeger, ~winston, ~pino, ~zap, ~logrus, ~honeycomb",
    ),
    (
        "issue tracker | 问题跟踪",
        "issue tracker, bug tracker, ticket system, ticketing system, project management tool, task tracker"
        " | 问题跟踪, 缺陷跟踪, 工单系统, 任务管理工具, 项目管理工具, 问题跟踪系统, 缺陷管理系统, 需求管理工具",
        "",
        "jira, github issues, gitlab issues, bugzilla, redmine, youtrack, trello, asana, clickup, azure boards, linear.app, monday.com,"
        " 禅道, tapd, pivotal tracker, mantisbt, zendesk, ~linear, ~shortcut, ~basecamp, ~plane",
    ),
    (
        "chat tool | 聊天工具",
        "chat tool, chat app, team chat, messaging app, chat platform, messenger | 聊天工具, 沟通工具, 即时通讯, 聊天软件, 办公通讯",
        "",
        "~slack, ~discord, microsoft teams, ms teams, mattermost, rocket.chat, zulip, telegram, whatsapp, google chat, ~lark, dingtalk,"
        " wechat, wecom, 飞书, 钉钉, 企业微信, 微信, ~teams, ~signal, ~matrix",
    ),
    (
        "auth provider | 认证服务",
        "auth provider, authentication provider, identity provider, auth service, authentication service, auth library, sso provider"
        " | 认证服务, 身份认证服务, 身份提供商, 登录服务, 认证提供商, 鉴权服务, 认证方案",
        "",
        "auth0, okta, keycloak, firebase auth, supabase auth, amazon cognito, aws cognito, cognito, nextauth, auth.js, better-auth,"
        " authentik, authelia, azure ad, entra id, workos, zitadel, ory kratos, passport.js, onelogin, ~clerk, ~lucia, ~devise",
    ),
    (
        "payment provider | 支付服务商",
        "payment provider, payment processor, payment gateway, payment service, payment platform"
        " | 支付服务商, 支付平台, 支付网关, 支付服务, 支付渠道, 支付提供商",
        "",
        "~stripe, paypal, adyen, braintree, razorpay, mollie, lemon squeezy, authorize.net, worldpay, klarna, alipay, wechat pay, 支付宝,"
        " 微信支付, 银联, ~square, ~paddle, ~checkout.com",
    ),
    (
        "documentation tool | 文档工具",
        "documentation tool, docs tool, documentation generator, doc generator, docs site generator, static site generator, wiki tool"
        " | 文档工具, 文档生成器, 文档系统, 文档站点工具, 静态站点生成器, 文档平台",
        "",
        "mkdocs, sphinx-doc, docusaurus, vitepress, vuepress, gitbook, readthedocs, read the docs, typedoc, jsdoc, javadoc, doxygen, docfx,"
        " mdbook, storybook, swagger ui, redocly, confluence, notion.so, starlight docs, jekyll, rustdoc, 语雀, ~sphinx, ~hugo, ~notion,"
        " ~mintlify, ~antora",
    ),
)
"""Rows of four: what a category is called, English, a stroke, Chinese; the names by which it is asked for in each language; everyday nouns
that name it only where they are asked for (“which database”); its members, a tilde before those that are everyday words."""
