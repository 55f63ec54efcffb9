"""Names of one thing in programming: languages, tools, files, editors, the parts of code.

A table for `glossary`, which says how a line is read. General knowledge of the field only; every group must be true equivalents, and a
word stands in two groups at most. Pure data.
"""

from __future__ import annotations

CODE = """
javascript, js
typescript, ts
python, py
csharp, c sharp
cpp, c plus plus
golang, go language
objc, objective c
nodejs, node js
powershell, pwsh
jupyter, ipynb
neovim, nvim
vscode, vs code, visual studio code
programming language, 编程语言
code, 代码
program, 程序
software, 软件
hardware, 硬件
computer, 电脑, 计算机
laptop, notebook computer, 笔记本电脑
syntax, grammar, 语法
syntax highlighting/syntax highlight, 语法高亮, 代码高亮
snippet, code snippet, 代码片段
source code, 源代码, 源码
script, 脚本
compiler, 编译器
compile/compilation, 编译
interpreter, 解释器
transpile/transpiler, 转译
virtual environment, virtualenv, venv, 虚拟环境
command line, cli, 命令行
command, 命令, 指令
terminal, 终端
console, 控制台
alias, 别名
argument, ~arg, parameter, ~param, 参数
command line option, command line flag, 命令行选项
standard output, stdout, 标准输出
standard error, stderr, 标准错误
standard input, stdin, 标准输入
environment, env, 环境
environment variable, env var, 环境变量
config, conf, ~cfg, configuration/configure, ~settings, 配置, 设置
settings, 设置
config file, configuration file, settings file, 配置文件
default, 默认, 缺省
default value, 默认值, 缺省值
define, definition, 定义
declare/declaration, 声明
initialize/initialization, init, 初始化
assign/assignment, 赋值
allocate/allocation, 分配
input, 输入
output, 输出
variable, 变量
constant, 常量
function, func, 函数
method, 方法
callback, 回调, 回调函数
closure, 闭包
anonymous function, lambda, 匿名函数
return value, 返回值
constructor, 构造函数, 构造器
interface, 接口
inheritance/inherit, subclass, 继承, 子类
base class, superclass, parent class, 父类, 基类
abstract class, 抽象类
dataclass, data class, 数据类
mixin, 混入
decorator, 装饰器
generator, 生成器
iterator, 迭代器
iterate, traverse, ~traversal, 遍历
enum, enumeration, 枚举
struct, 结构体
pointer, 指针
null pointer, nullpointerexception, npe, 空指针
null, nil, 空值
namespace, 命名空间
scope, 作用域
type hint, type annotation, 类型注解, 类型提示, 类型标注
type check, type checker, 类型检查
static typing/statically typed, 静态类型
generic type, ~generics, 泛型
type conversion, type cast, 类型转换
string, ~str, 字符串
character, 字符
integer, ~int, 整数, 整型
floating point, ~float, 浮点, 浮点数
decimal, 小数, 十进制
boolean, ~bool, 布尔
array, 数组
hash map, hashmap, 哈希表, 散列表
dictionary, dict, 字典
linked list, 链表
stack, 堆栈
binary tree, 二叉树
directed graph, 有向图
recursion/recursive, 递归
loop, 循环
infinite loop, endless loop, 死循环, 无限循环
circular import, circular dependency, cyclic dependency, import cycle, 循环依赖, 循环引用, 循环导入
condition/conditional, 条件
algorithm, 算法
data structure, 数据结构
sort, 排序
binary search, 二分查找
design pattern, 设计模式
singleton, 单例
factory pattern, 工厂模式
observer pattern, 观察者模式
dependency injection, 依赖注入
refactor, 重构
technical debt, tech debt, 技术债, 技术债务
boilerplate, 样板代码, 模板代码
hardcode, hard code, 硬编码, 写死
magic number, 魔法数字, 魔数
duplicate code, 重复代码
dead code, unused code, 死代码, 无用代码
deprecated/deprecate/deprecation, 弃用, 废弃
backward compatible/backwards compatible/backward compatibility, 向后兼容, 向下兼容
compatible/compatibility, 兼容
incompatible/incompatibility, 不兼容
breaking change, 破坏性变更, 破坏性更改, 不兼容变更
workaround, 变通, 绕过办法, 临时方案, 权宜之计
placeholder, 占位符
template, 模板
wrapper, 包装器, 封装
encapsulate/encapsulation, 封装
abstraction, 抽象
implement/implementation, 实现
framework, 框架
library, lib, 函数库, 类库
plugin, plug in, addon, 插件
extension, 扩展
module, 模块
component, 组件
middleware, 中间件
sdk, software development kit, 开发工具包
entry point, entrypoint, 入口, 入口点
front end, frontend, 前端
back end, backend, 后端
full stack, fullstack, 全栈
client, 客户端
architecture, 架构
monolith, 单体
microservice, micro service, 微服务
monorepo, mono repo, 单仓, 单体仓库
code style, 代码风格, 编码风格
coding standard, coding convention, 编码规范, 代码规范
lint, linter, 静态检查, 代码检查
static analysis, 静态分析
formatter, code formatter, 格式化工具
format, 格式, 格式化
camel case, camelcase, 驼峰
snake case, 下划线命名, 蛇形命名
underscore, 下划线
naming, naming convention, 命名, 命名规范, 命名规则
indent/indentation, 缩进
line width, line length, 行宽, 每行长度
line break, newline, 换行, 换行符
line ending, eol, crlf, 行尾, 行尾符
blank line, empty line, 空行
whitespace, white space, 空白, 空白符
semicolon, 分号
comma, 逗号
trailing comma, 尾随逗号, 尾逗号
single quote, 单引号
double quote, 双引号
quotation mark, quotes, 引号
bracket, parenthesis, parentheses, 括号
curly brace, brace, 花括号, 大括号
slash, 斜杠
backslash, 反斜杠
escape character, 转义, 转义字符
docstring, 文档字符串
comment, code comment, 注释, 代码注释
comment, 评论
regex, regexp, regular expression, 正则, 正则表达式
wildcard, glob, 通配符
encoding/encode, 编码
charset, character set, 字符集
garbled text, mojibake, 乱码
unicode, 统一码
emoji, 表情符号, 表情
file, 文件
dir, directory, folder, 目录, 文件夹
subdirectory, subfolder, subdir, 子目录, 子文件夹
root directory, project root, 根目录, 项目根目录
home directory, 主目录, 家目录
working directory, cwd, 工作目录, 当前目录
temporary file, temp file, tmp file, 临时文件
temporary, temp, tmp, 临时
file path, filepath, 文件路径
path, 路径
absolute path, 绝对路径
relative path, 相对路径
file name, filename, 文件名
file extension, file suffix, 扩展名, 后缀名
file system, filesystem, 文件系统
file descriptor, file handle, 文件描述符, 文件句柄
symbolic link, symlink, soft link, 软链接, 符号链接
hard link, hardlink, 硬链接
archive, 归档
zip file, compressed file, 压缩包, 压缩文件
compress/compression, 压缩
decompress, unzip, unpack, 解压, 解压缩
upload, 上传
download, 下载
backup, back up, 备份
restore, 恢复, 还原
attachment, 附件
clipboard, 剪贴板, 剪切板
copy and paste, copy paste, 复制粘贴
editor, 编辑器
text editor, 文本编辑器
~ide, integrated development environment, 集成开发环境
autocomplete, auto completion, code completion, 自动补全, 代码补全
read only, readonly, 只读
executable, executable file, 可执行文件
binary, 二进制
text file, plain text, 纯文本, 文本文件
log file, 日志文件
log/logging, 日志
log level, 日志级别, 日志等级
type, 类型
object, 对象
instance, 实例
attribute, property, 属性
reference, 引用
event, 事件
listener, event listener, 监听器, 监听
state machine, 状态机
pure function, 纯函数
side effect, 副作用
space, 空格
punctuation, punctuation mark, 标点, 标点符号
uppercase, upper case, capital letter, 大写
lowercase, lower case, 小写
full width, fullwidth, 全角
half width, halfwidth, 半角
style guide, 风格指南
exit code, exit status, return code, 退出码, 退出状态
"""
