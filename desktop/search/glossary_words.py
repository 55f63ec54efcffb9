"""Names of one thing in how people speak of it: preferences, languages, times, common verbs and adjectives.

A table for `glossary`, which says how a line is read. General knowledge of the field only; every group must be true equivalents, and a
word stands in two groups at most. Pure data.
"""

from __future__ import annotations

WORDS = """
prefer/preference/preferred, 偏好, 喜欢, 更喜欢
dislike, hate, 讨厌, 不喜欢
habit, 习惯
style, 风格
concise/concisely, brief, briefly, succinct, 简洁, 简短, 简明
verbose, long winded, wordy, 冗长, 啰嗦
detailed, in detail, 详细
step by step, 逐步, 一步一步
answer, reply, 回答, 回复
explain, explanation, 解释, 说明
answer in chinese, reply in chinese, chinese replies, 用中文回答, 中文回复, 中文回答
answer in english, reply in english, english replies, 用英文回答, 英文回复, 英文回答
language, 语言
chinese, 中文, 汉语
english, 英文, 英语
japanese, 日语, 日文
simplified chinese, 简体, 简体中文
traditional chinese, 繁体, 繁体中文
tone, 语气
polite/politely, 礼貌
daily, every day, 每天, 每日
weekly, every week, 每周
biweekly, every two weeks, fortnightly, 每两周, 双周
monthly, every month, 每月
quarterly, every quarter, 每季度
quarter, 季度
yearly, annually/annual, every year, 每年, 年度
weekday, working day, workday, business day, 工作日
weekend, 周末
monday, 周一, 星期一, 礼拜一
tuesday, 周二, 星期二, 礼拜二
wednesday, 周三, 星期三, 礼拜三
thursday, 周四, 星期四, 礼拜四
friday, 周五, 星期五, 礼拜五
saturday, 周六, 星期六, 礼拜六
sunday, 周日, 星期日, 星期天, 礼拜天
today, 今天
yesterday, 昨天
tomorrow, 明天
morning, 早上, 上午
afternoon, 下午
night, ~evening, 晚上
midnight, 半夜, 凌晨, 午夜
month end, end of month, 月底, 月末
year end, end of year, 年底, 年末
recently, ~lately, 最近
birthday, 生日
reminder/remind, 提醒
calendar, 日历
remember, keep in mind, 记住, 记得
forget, 忘记, 忘掉
avoid, 避免
forbid, forbidden, prohibit/prohibited, 禁止, 严禁
disallow, not allowed, 不允许, 不准
must not, 不得, 不可以
must, mandatory, 必须
required, 必填, 必需
optional, 可选
allow, permit/permitted, 允许
enable, turn on, 启用, 开启
disable, turn off, 禁用, 停用, 关闭
start, begin, 开始
run, 运行
execute/execution, 执行
set up, setup, 搭建
submit, 提交
send, 发送
receive, 接收
check, 检查
handle, 处理
support, 支持
clean up, cleanup, 清理
hide, 隐藏
show, 显示
select/selection, 选择, 选中
stop, 停止
pause, 暂停
continue, resume, 继续
cancel/cancellation, 取消
confirm/confirmation, 确认
add, 添加, 新增
remove, delete/deletion, 删除, 移除
rename, 重命名, 改名
modify, ~modification, 修改
update, 更新
replace/replacement, 替换
overwrite, 覆盖
create, ~creation, 创建, 新建
copy, 复制, 拷贝
move, 移动
save, 保存
search, 搜索, 查找
filter, 过滤, 筛选
sync, synchronize, 同步
import, 导入
export, 导出
generate, 生成
convert, conversion, 转换
print, 打印
split, 拆分
ignore, 忽略
skip, 跳过
share, 共享, 分享
switch, toggle, 切换
expand, 展开
collapse, fold, 折叠, 收起
simplify, ~simplification, 简化
reuse, 复用, 重用
verify, verification, 验证
fast, quick, quickly, 很快, 快速
slow, slowly, 缓慢, 很慢, 太慢
lag, laggy, stutter, sluggish, 卡顿
broken, 损坏, 坏了
corrupted/corrupt/corruption, 损坏
automatic/automatically, automate, auto, 自动
manually/manual, 手动, 手工
obsolete, outdated, out of date, 过时, 陈旧
unused, 未使用
missing, 缺失, 缺少
duplicate/duplication, 重复
empty, 为空
unique, 唯一
public, 公开
private, 私有
internal, 内部
external, 外部
local, 本地
remote, 远程
global, 全局
complex/complexity, complicated, 复杂
simple, 简单
readability/readable, 可读性
maintainability/maintainable, 可维护性
reliability/reliable, 可靠性, 可靠
stability, 稳定性
limit/limitation, 限制
upper limit, 上限
minimum, 最小值, 最小
maximum, 最大值, 最大
average, mean value, 平均, 平均值
median, 中位数
percentage, percent, 百分比
quantity, 数量
length, 长度
size, 大小
width, 宽度
height, 高度
frequency, 频率
quality, 质量
result, 结果
region, 地区, 区域
reason, cause, 原因
solution, 解决方案, 解决办法
conclusion, 结论
goal, ~objective, 目标
advantage, benefit, 优点, 优势
disadvantage, drawback, 缺点, 劣势
trade off, tradeoff, 权衡, 取舍
difference, 区别, 差别
alternative, 替代方案, 备选方案
assumption, 假设
constraint, 约束
scope, 范围
"""
