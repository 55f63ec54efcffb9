"""What words mean, as far as a table tells: words of English and Chinese that name one thing are one concept, without a model.

Owns how a sentence is cut into concepts for comparing memories: whether one says what another says. The tables are the search glossary's
and a short list of words by which people state preferences and rules. Built once, when first asked; pure, linear, any thread.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from desktop.base.simplified import simplified
from desktop.base.words import CJK
from desktop.search.glossary import groups

LONGEST_PHRASE = 3
LONGEST_RUN = 6
_TOKEN = re.compile(f"[{CJK}]+|[^\\W_]+(?:[-_./:@#+'’&]+[^\\W_]+)*[+#]{{0,2}}")
_RUN = re.compile(f"[{CJK}]+")
_STATING = """
prefer like favor favour favourite favorite, 喜欢 偏好 偏爱 倾向 爱用
use, 用 使用 采用 选用 用的 改用 换用
always, 总是 始终 一律 每次 永远 一直 统一
never, 从不 绝不 禁止 严禁 不许 不准 不要 别 勿 不用 不能
answer reply respond response, 回答 回复 答复
sprint iteration, 迭代 冲刺
located based live lives living location, 位于 所在 所在地 住在 住 人在
chinese mandarin, 中文 汉语 简体 简体中文
english, 英文 英语
japanese, 日文 日语
german, 德语 德文
french, 法语 法文
write writing written, 写 编写 撰写
short brief briefly concise terse succinct, 简短 简洁 精简 简明 短一点
long detailed verbose thorough detail details, 详细 详尽 具体
monday, 周一 星期一 礼拜一
tuesday, 周二 星期二 礼拜二
wednesday, 周三 星期三 礼拜三
thursday, 周四 星期四 礼拜四
friday, 周五 星期五 礼拜五
saturday, 周六 星期六 礼拜六
sunday, 周日 星期日 周天 星期天 礼拜天
weekly, 每周 每星期
daily, 每天 每日
monthly, 每月
name called named, 名字 名称 叫 叫做 叫作
team, 团队 小组 组里
company, 公司
manager boss lead, 经理 领导 老板 主管 负责人
deadline due, 截止 截止日期 期限 最后期限
meeting standup, 会议 例会 站会 开会
tab tabs, 制表符
space spaces, 空格
indent indentation, 缩进
quote quotes, 引号
semicolon semicolons, 分号
comma commas, 逗号
comment comments, 注释
variable variables, 变量
function functions, 函数
branch branches, 分支
commit commits, 提交
commit-message, 提交信息 提交说明 提交消息 提交记录
release ship launch publish, 发布 发版 上线
deploy deployment deployed, 部署
merge merging merged, 合并
squash, 压缩合并 压合
rebase, 变基
review reviewer, 评审 审查 审核
approve approval approved, 批准 审批 同意
backup, 备份
staging, 预发 预发布 测试环境
production prod, 生产 生产环境 线上 正式环境
customer client customers, 客户
user users, 用户
developer engineer programmer, 开发者 工程师 程序员 开发
backend, 后端 后台 服务端
frontend, 前端
fullstack, 全栈
data scientist, 数据科学家
designer, 设计师
student, 学生
work working job, 工作 上班 任职
live living, 住 住在 居住
timezone, 时区
birthday, 生日
dark, 深色 暗色 黑色 暗黑
light, 浅色 亮色
theme, 主题
font, 字体
editor, 编辑器
email mail, 邮件 邮箱
phone, 电话 手机
document documentation docs, 文档 资料
dashboard, 看板 仪表盘 面板
test tests testing, 测试
unit, 单元 单测 单元测试
run running, 运行 跑 执行
require required requires must, 必须 要求 需要 务必
before, 之前 以前 前
after, 之后 以后 后
file files, 文件
folder directory, 文件夹 目录
code, 代码
strict, 严格
mode, 模式
real, 真实 真的 真
encrypt encrypted encryption, 加密
store stored, 存储 保存 存放
public, 公开
private, 私有
new, 新
old, 旧 老
default, 默认
local, 本地
remote, 远程
freeze frozen, 冻结 封版
weekend, 周末
morning, 早上 上午
afternoon, 下午
evening, 晚上
time, 时间
line lines, 行
character characters, 字符
limit maximum max most, 上限 最多 最大 不超过 限制
minimum min least, 至少 最少 下限
"""
NOISE = frozenset(
    re.split(
        r"\s+",
        """a an the of to in on at for by with and or is are was were be been being it its this that these those we our ours you your
        yours i my me mine us they them their he she his her do does did not no as from into about so if then than there here will
        would should can could may might must shall has have had what which who whom how when where why please remember also just now
        currently actually really very still only again but because since while use uses used using user person people prefer prefers
        preferred want wants wanted like likes always never get gets got make makes made any all some every each both own via per up
        out over such need needs let lets im ive id dont doesnt isnt project projects code team work works working thing things way
        one ones note noted kept keep keeps ok okay yes hey fyi btw well too as instead rather don't doesn't isn't aren't won't can't
        i'm i've i'd we're we've it's that's let's""",
    )
)
"""Words that frame a memory or join a sentence; they tell nothing of what is claimed."""

_ZH_NOISE = re.compile(
    "我们|咱们|你们|他们|我的|你的|我|你|他|她|它|用户|本人|项目|团队|的|了|吗|呢|吧|啊|哦|改到|推迟到|推到|提前到|延期到|延到|定在"
    "|定为|定成|调整为|调整到|调到|变成|变为|更新为|换到|搬到|挪到|是|在|都|要|请|和|与|就|把"
    "|被|也|还|会|能|可以|应该|需要|必须|一律|总是|"
    "以后|今后|现在|目前|已经|不要|别再?|从不|什么|怎么|这个|那个|这|那|一下|一个|一种|时候?|时|记住|记得|使用|采用|用|改成|改为|改用"
    "|换成|换用|而不是|不是|不|"
    "喜欢|偏好|更|希望|想|让|给|对|为|到|来|去|上|里|中|有|每次|统一|所有|全部|必|须|另外|还有|因为|所以|但是?|不过|其实|好的?|嗯|地|得"
    "|着|过|之|以|等"
)


@dataclass(frozen=True, slots=True)
class Concept:
    """A word of a sentence: its plain form, and the groups of names that it belongs to."""

    text: str
    groups: frozenset[int] = frozenset()

    def same(self, other: Concept) -> bool:
        return self.text == other.text or not self.groups.isdisjoint(other.groups)


@cache
def _tables() -> dict[str, frozenset[int]]:
    """Groups by name: an English word or phrase by its stems, a Chinese word as it is."""
    found: dict[str, set[int]] = {}
    number = 0
    for number, group in enumerate(groups()):
        for entry in group:
            for form in entry.forms:
                found.setdefault(_key(form), set()).add(number)
    for line in filter(None, _STATING.strip().splitlines()):
        number += 1
        for name in line.replace(",", " ").split():
            found.setdefault(_key(name.replace("-", " ")), set()).add(number)
    return {name: frozenset(places) for name, places in found.items()}


def known_words() -> frozenset[str]:
    """Every name that the tables hold."""
    return frozenset(_tables())


def _key(form: str) -> str:
    return " ".join(map(stem, form.casefold().split())) if form.isascii() else form


@lru_cache(maxsize=8_192)
def stem(word: str) -> str:
    """A word without the commonest English endings; other scripts as they are."""
    if not word.isascii() or len(word) < 4 or any(c.isdigit() for c in word):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zes")) else word[:-1]
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and any(vowel in rest for vowel in "aeiouy"):
            word = rest[:-1] if rest[-1] == rest[-2] and rest[-1] not in "sl" else rest
    return word.removesuffix("e") if len(word) > 3 else word


def plain(text: str) -> str:
    """Full-width letters as ordinary ones, Traditional Chinese as simplified, lower case."""
    return text.lower() if text.isascii() else simplified(unicodedata.normalize("NFKC", text)).casefold()


def concepts(text: str) -> list[Concept]:
    """The telling words of a text in their order: stems, phrases that the tables know, Chinese words, pairs of what they do not know."""
    found: list[Concept] = []
    words: list[str] = []
    for token in _TOKEN.findall(plain(text)):
        if _RUN.match(token):
            found += _english(words)
            words = []
            found += _chinese(token)
        else:
            words.append(token.removesuffix("'s").removesuffix("’s").strip("'’"))
            if token.endswith(("'s", "’s")):  # whose it is makes no phrase with what follows: a user's name is no user name
                found += _english(words)
                words = []
    return [*found, *_english(words)]


def _english(words: list[str]) -> Iterator[Concept]:
    tables = _tables()
    stems = [stem(word) for word in words]
    at = 0
    while at < len(words):
        for count in range(min(LONGEST_PHRASE, len(words) - at), 1, -1):
            phrase = " ".join(stems[at : at + count])
            if phrase in tables:
                yield Concept(phrase, tables[phrase])
                at += count
                break
        else:
            if words[at] not in NOISE and len(words[at]) > 0:
                yield Concept(stems[at], tables.get(stems[at], frozenset()))
            at += 1


def _chinese(run: str) -> Iterator[Concept]:
    """The known words of a run, the longest first from its end, and pairs of the characters between them without words of grammar."""
    tables = _tables()
    end = gap = len(run)
    found: list[Concept] = []
    while end > 0:
        for start in range(max(0, end - LONGEST_RUN), end - 1):
            word = run[start:end]
            if word in tables and not _ZH_NOISE.fullmatch(word):
                found = [Concept(word, tables[word]), *_pairs(run[end:gap]), *found]
                end = gap = start
                break
        else:
            end -= 1
    return iter([*_pairs(run[:gap]), *found])


def _pairs(run: str) -> list[Concept]:
    found: list[Concept] = []
    for piece in _ZH_NOISE.split(run):
        names = [piece] if len(piece) == 1 else [piece[i : i + 2] for i in range(len(piece) - 1)]
        found += [Concept(name, _tables().get(name, frozenset())) for name in names if name]
    return found


def covered(wanted: Iterable[Concept], held: Iterable[Concept]) -> list[bool]:
    """For each wanted concept whether it is held; linear in both."""
    texts: set[str] = set()
    places: set[int] = set()
    for concept in held:
        texts.add(concept.text)
        places |= concept.groups
    return [concept.text in texts or not concept.groups.isdisjoint(places) for concept in wanted]


def match_all(first: list[Concept], second: list[Concept]) -> bool:
    """Whether both name the same concepts, each side all of the other's."""
    return all(covered(first, second)) and all(covered(second, first))
