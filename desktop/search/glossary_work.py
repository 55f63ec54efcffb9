"""Names of one thing in the work around code: reviews, releases, plans, people, meetings, documents, money.

A table for `glossary`, which says how a line is read. General knowledge of the field only; every group must be true equivalents, and a
word stands in two groups at most. Pure data.
"""

from __future__ import annotations

WORK = """
code review, review code, 代码评审, 代码审查
pair programming, 结对编程
code owner, codeowners, 代码负责人
reviewer, 评审人, 审阅者
review, 评审, 审查
approve/approval, 批准, 审批
feedback, 反馈
suggestion/suggest, 建议
best practice, 最佳实践
guideline, 指南, 准则
rule, 规则
convention, 约定, 惯例
workflow, work flow, 工作流, 工作流程
process, procedure, 流程
release, 发布, 发版
release note, 发布说明, 版本说明
release manager, release captain, 发布负责人, 发布经理
changelog, change log, 变更日志, 更新日志
change request, change record, 变更单
code freeze, release freeze, feature freeze, freeze, 封版, 冻结, 代码冻结
milestone, 里程碑
roadmap, road map, 路线图
deadline, due date, 截止日期, 截止时间, 期限
postpone, defer, 推迟, 延期
delayed, behind schedule, overdue, 逾期
schedule, timetable, 日程, 排期
plan, 计划
project, 项目
task, 任务
feature, 功能, 特性
estimate/estimation, 估算, 预估
priority, 优先级
urgent/urgently, 紧急
crucial, ~important, 重要
risk, 风险
progress, 进度, 进展
status, 状态
blocker, 阻碍, 卡点
sprint, 冲刺
iteration, 迭代
agile, 敏捷
kanban, kanban board, 看板
backlog, 积压
todo, to do list, 待办, 待办事项
ticket, work order, 工单
issue tracker, bug tracker, 问题跟踪, 缺陷跟踪
acceptance criteria, 验收标准
definition of done, 完成标准
user story, 用户故事
requirement, 需求
specification, spec, 规格, 规范
proposal, 提案
design doc, design document, 设计文档
architecture decision record, adr, 架构决策, 架构决策记录
decision, decide, 决定, 决策
proof of concept, poc, 概念验证
minimum viable product, mvp, 最小可行产品
prototype, 原型
demo, demonstration, 演示
on call, oncall, 值班
on call rotation, on call schedule, 值班表, 轮值
incident, 故障, 事故
postmortem, post mortem, incident review, 复盘, 事后分析
retrospective, retro, 回顾会, 回顾会议
emergency contact, escalation contact, 紧急联系人
runbook, playbook, 运行手册, 操作手册
service level agreement, sla, 服务等级协议
service level objective, slo, 服务等级目标
ops, 运维
customer support, customer service, tech support, 客服, 技术支持
owner, ownership, person in charge, 负责人
maintainer, 维护者
maintain, maintenance, 维护
contributor, 贡献者
contribute/contribution, 贡献
open source, 开源
licence, license, 许可证, 许可协议
copyright, 版权
developer, programmer, 开发者, 程序员, 开发人员
engineer, 工程师
product manager, 产品经理
project manager, 项目经理
tester, qa engineer, 测试人员, 测试工程师
quality assurance, qa, 质量保证
designer, 设计师
trainee, internship, ~intern, 实习生
newcomer, new hire, new employee, 新人, 新员工
onboard/onboarding, 入职
handover, hand over, handoff, 交接
colleague, coworker, teammate, 同事
team lead, tech lead, team leader, 组长, 技术负责人
boss, 老板
team, 团队
department, 部门
company, 公司
customer, 客户
user, 用户
stakeholder, 干系人, 利益相关者
vendor, supplier, 供应商
interview, 面试
training course, training session, 培训
remote work, work from home, wfh, 远程办公, 居家办公
vacation, on leave, annual leave, 休假, 年假, 请假
public holiday, holiday, 节假日, 假期
business trip, 出差
overtime, work overtime, 加班
working hours, office hours, 工作时间
readme, 自述文件
manual, handbook, 手册
tutorial, 教程
user guide, user manual, 用户指南, 使用手册, 用户手册
example, 示例, 例子
keyword, 关键词, 关键字
category, 分类, 类别
step, 步骤
diagram, 示意图
flowchart, flow chart, 流程图
spreadsheet, excel, 电子表格
slides, ~presentation, powerpoint, ppt, 幻灯片, 演示文稿
note, 笔记
draft, 草稿
title, heading, 标题
paragraph, 段落
lesson learned, 教训, 经验教训
summary, summarize, summarise, 摘要, 总结
report, 报告
weekly report, 周报
daily report, 日报
monthly report, 月报
documentation/document, docs/doc, 文档
knowledge base, wiki, 知识库
faq, frequently asked questions, 常见问题
email, mail, 邮件
email address, mailbox, 邮箱
meeting, 会议
meeting minutes, meeting notes, 会议纪要, 会议记录
meeting room, conference room, 会议室
standup, stand up, daily standup, 站会, 晨会
weekly meeting, 周会, 例会
one on one, 1 on 1, 一对一
agenda, 议程
video call, video conference, 视频会议
phone number, telephone, 电话, 电话号码, 手机号
address, 地址
office, 办公室
budget, 预算
cost, expense, 成本, 费用, 开支
price/pricing, 价格, 定价
bill/billing, 账单, 计费
invoice, 发票
payment, pay, 支付, 付款
refund, 退款
purchase, buy, 购买
reimbursement/reimburse, 报销
salary, wage, 工资, 薪资, 薪水
contract, 合同
subscription, subscribe, 订阅
discount, 折扣
coupon, voucher, 优惠券
currency, 货币, 币种
exchange rate, 汇率
inventory, 库存
order number, order id, 订单号
shopping cart, 购物车
user profile, persona, 用户画像
"""
