"""Names of one thing in the life of code: version control, builds, packages, tests, data, errors, concurrency.

A table for `glossary`, which says how a line is read. General knowledge of the field only; every group must be true equivalents, and a
word stands in two groups at most. Pure data.
"""

from __future__ import annotations

BUILD = """
version control, vcs, 版本控制, 版本管理
repo, repository, 仓库, 代码库, 代码仓库
commit, 提交
commit message, 提交信息, 提交说明
branch, 分支
main branch, master branch, trunk, 主分支, 主干
feature branch, 功能分支, 特性分支
release branch, 发布分支
merge, 合并
merge conflict, 合并冲突
conflict, 冲突
rebase, 变基
squash, 压缩提交
cherry pick, cherrypick, 拣选, 挑选提交
force push, 强制推送, 强推
push, 推送
pull request, merge request, pr, ~mr, 合并请求, 拉取请求
clone, 克隆
fork, 复刻
stash, 暂存
staging area, 暂存区
submodule, sub module, 子模块
upstream, 上游
downstream, 下游
git hook, pre commit hook, 提交钩子
hook, 钩子
diff, 差异
patch, 补丁
hotfix, hot fix, 热修复, 紧急修复
tag, 标签
git history, commit history, 提交历史, 提交记录
revert, 回退, 撤销提交
undo, 撤销
redo, 重做
large file storage, lfs, 大文件存储
dependency, deps, 依赖, 依赖项
third party, 第三方
third party library, 第三方库
package manager, 包管理器, 包管理工具
package registry, package index, 软件源, 包仓库
lock file, lockfile, 锁文件, 锁定文件
pin version, version pin, 固定版本, 锁定版本
version, 版本
version number, 版本号
semantic versioning, semver, 语义化版本
latest version, newest version, 最新版本, 最新版
stable version, stable release, 稳定版
install/installation, 安装
uninstall, 卸载
upgrade, 升级
downgrade, 降级
build, 构建
build artifact, artifact, 制品, 构建产物
nightly build, daily build, 每日构建, 夜间构建
incremental build, incremental compilation, 增量构建, 增量编译
packaging, 打包
package, 软件包
bundler, bundle, 打包工具
minify, minification, 代码压缩
cross compile/cross compilation, 交叉编译
cross platform, multi platform, 跨平台
operating system, 操作系统
macos, mac os, osx
generated code, code generation, codegen, 代码生成, 生成代码
hot reload, live reload, 热重载, 热更新, 热加载
unit test, 单元测试, 单测
integration test, 集成测试
end to end test, e2e test, e2e, 端到端测试, 端到端
regression test, 回归测试
smoke test, 冒烟测试
acceptance test, uat, 验收测试
stress test, load test, 压力测试, 压测
performance test, 性能测试
manual test, 手动测试, 手工测试
automated test, test automation, 自动化测试
test, 测试
test case, testcase, 测试用例, 用例
test suite, 测试套件
test coverage, code coverage, coverage, 覆盖率, 测试覆盖率
test data, 测试数据
flaky/flakiness, intermittent/intermittently, 偶发, 偶现, 时好时坏, 不稳定
assert/assertion, 断言
fixture, 测试夹具, 夹具
mock, 模拟, 模拟对象
simulate/simulation, 模拟
stub, 打桩, 桩函数
snapshot, 快照
snapshot test, 快照测试
golden file, expected output, 预期输出, 期望输出
test driven development, tdd, 测试驱动
property based test, 基于属性的测试, 属性测试
fuzz, fuzz test, 模糊测试
benchmark, 基准测试, 跑分
baseline, 基线
edge case, corner case, 边界情况, 边缘情况
parametrize, parameterized test, 参数化, 参数化测试
random seed, 随机种子, 随机数种子
random, 随机
deterministic, 确定性
skip test, 跳过测试
data, 数据
data format, 数据格式
yaml, yml
csv, comma separated values
serialize/serialization, serialise, 序列化
deserialize/deserialization, 反序列化
parse, 解析
parser, 解析器
field, 字段
nested, 嵌套
checksum, 校验和
hash, 哈希, 散列
digest, 摘要
base64, base 64
timestamp, time stamp, 时间戳
time zone, timezone, 时区
utc, coordinated universal time, 协调世界时
date format, 日期格式
unique identifier, uuid, guid, 唯一标识, 唯一标识符
identifier, 标识符
error, 错误, 报错
error message, 错误信息, 报错信息, 错误提示
error code, 错误码
status code, 状态码
error handling, exception handling, 错误处理, 异常处理
exception, 异常
throw exception, raise exception, 抛出异常, 抛异常
stack trace, stacktrace, traceback, backtrace, 堆栈信息, 调用栈, 堆栈跟踪
warning, 警告, 告警
bug, defect, 缺陷
crash, 崩溃, 闪退
hang, unresponsive, 卡死, 无响应, 假死
segmentation fault, segfault, 段错误
core dump, 核心转储
fail, failure, 失败
debug, 调试
debugger, 调试器
breakpoint, 断点
single step, step through, 单步, 单步调试
troubleshoot/troubleshooting, 排查, 故障排查, 排错
root cause, 根因, 根本原因
reproduce, ~reproduction, repro, 复现, 重现
out of memory, oom, 内存不足, 内存溢出
stack overflow, 栈溢出
buffer overflow, 缓冲区溢出
out of bounds, index out of range, 越界, 下标越界
off by one, 差一错误
typo, spelling mistake, misspelling, 拼写错误, 笔误, 错别字
known issue, 已知问题
fix bug, bug fix, bugfix, 修复缺陷
fix, repair, 修复
validate/validation, 校验, 验证
invalid, 无效
illegal, 非法
multithreading/multithreaded, multi threaded, 多线程
multiprocessing, multi process, 多进程
thread, 线程
thread pool, 线程池
thread safe, thread safety, 线程安全
main thread, ui thread, 主线程
process id, pid, 进程号
child process, subprocess, 子进程
coroutine, 协程
async, asynchronous, 异步
synchronous, 同步
event loop, 事件循环
concurrency/concurrent, 并发
parallel/parallelism, 并行
race condition, data race, 竞态, 竞态条件, 竞争条件
deadlock, 死锁
lock, 加锁
mutex, mutual exclusion, 互斥锁, 互斥
semaphore, 信号量
atomic/atomicity, 原子性, 原子操作
blocking/blocked, 阻塞
non blocking, nonblocking, 非阻塞
critical section, 临界区
message passing, 消息传递
garbage collection, garbage collector, gc, 垃圾回收
memory leak, 内存泄漏, 内存泄露
memory usage, memory consumption, memory footprint, 内存占用, 内存使用
heap, 堆内存
buffer, 缓冲, 缓冲区
stream, 数据流
streaming, 流式
pipeline, 流水线, 管道
"""
