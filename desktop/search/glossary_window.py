"""Names of one thing in what people see and talk to: windows, input, accessibility, agents and models.

A table for `glossary`, which says how a line is read. General knowledge of the field only; every group must be true equivalents, and a
word stands in two groups at most. Pure data.
"""

from __future__ import annotations

WINDOW = """
user interface, ui, 用户界面, 界面
user experience, ux, 用户体验
graphical interface, gui, 图形界面
button, 按钮
window, 窗口
panel, 面板
sidebar, side bar, 侧边栏, 侧栏
toolbar, tool bar, 工具栏
status bar, statusbar, 状态栏
title bar, titlebar, 标题栏
navigation bar, navbar, 导航栏
menu, 菜单
context menu, right click menu, 右键菜单, 上下文菜单
drop down, dropdown, 下拉, 下拉框, 下拉菜单
dialog, dialog box, dialogue box, 对话框
popup, pop up, 弹窗
modal, 模态框
tooltip, tool tip, 悬浮提示, 气泡提示
notification, 通知
toast, toast message, 轻提示
input box, text field, text box, 输入框, 文本框
checkbox, check box, 复选框, 勾选框
radio button, 单选框, 单选按钮
search box, search bar, 搜索框
scroll bar, scrollbar, 滚动条
scroll, 滚动
progress bar, 进度条
browser tab, tab page, 标签页, 选项卡
tab character, 制表符
icon, 图标
avatar, profile picture, 头像
image, picture, 图片, 图像
screenshot, screen shot, 截图, 截屏
label, 标签
layout, 布局
responsive layout, responsive design, 响应式, 响应式布局
alignment/align, 对齐
margin, 边距, 外边距
padding, 内边距
border, 边框
rounded corner, border radius, 圆角
shadow, 阴影
font, typeface, 字体
font size, text size, 字号, 字体大小
bold, 加粗, 粗体
italic, 斜体
colour, color, 颜色
background color, background colour, 背景色
theme, 主题
dark mode, dark theme, night mode, 深色模式, 暗色模式, 夜间模式, 深色主题, 暗色主题
light mode, light theme, 浅色模式, 亮色模式, 浅色主题, 亮色主题
contrast, 对比度
high contrast, 高对比度
animation, 动画
splash screen, 启动画面, 启动页
shortcut, keyboard shortcut, hotkey, key binding, keybinding, 快捷键, 热键
keyboard, 键盘
mouse, 鼠标
drag and drop, drag, 拖放, 拖拽, 拖动
double click, 双击
right click, 右键
click, 点击, 单击
full screen, fullscreen, 全屏
minimize, minimise, 最小化
maximize, maximise, 最大化
system tray, tray icon, 托盘, 系统托盘
resolution, 分辨率
high dpi, hidpi, retina, 高分屏
accessibility, a11y, 无障碍
screen reader, 读屏, 屏幕阅读器
translation/translate, 翻译
internationalization, internationalisation, i18n, 国际化
localization, localisation, l10n, 本地化
input method, ime, 输入法
mobile, 移动端
application, app, 应用, 应用程序
device, 设备
desktop app, desktop application, 桌面应用, 桌面端, 桌面程序
mobile phone, smartphone, 手机
browser, 浏览器
web page, webpage, 网页
website, web site, 网站
hyperlink, link, 链接, 超链接
chart, 图表
artificial intelligence, ai, 人工智能
agent, ai agent, 智能体
large language model, language model, llm, 大语言模型, 大模型, 语言模型
model, 模型
tool, 工具
session, 会话
conversation, dialogue, 对话
message, 消息
model weights, 模型权重
weight, 权重
fine tuning, finetune/finetuning, 微调
training data, 训练数据, 训练集
inference, 推理
reasoning, 推理
system prompt, 系统提示词, 系统提示
prompt, 提示词
prompt engineering, 提示词工程, 提示工程
context window, context length, 上下文窗口, 上下文长度
context, 上下文
long term memory, 长期记忆
memory, 记忆
embedding, 嵌入, 词向量
vector, 向量
vector database, vector store, 向量数据库, 向量库
retrieval augmented generation, rag, 检索增强, 检索增强生成
retrieval, 检索
rerank/reranker/reranking, 重排, 重排序
tokenizer, 分词器
tokenize/tokenization, word segmentation, 分词
hallucination/hallucinate, 幻觉
tool call, tool use, function calling/function call, 工具调用, 函数调用
multimodal, multi modal, 多模态
speech recognition, speech to text, 语音识别
machine learning, ml, 机器学习
deep learning, 深度学习
neural network, 神经网络
quantization/quantize, 量化
chatbot, chat bot, 聊天机器人
accuracy, 准确率
recall rate, 召回率, 召回
human in the loop, human approval, 人工确认, 人工审核
screen, 屏幕
page, 页面
form, 表单
table, 表格
video, 视频
audio, 音频
zoom, 缩放
option, 选项
state, 状态
homepage, home page, 首页, 主页
"""
