"""Words that tell little when a message is compared with memories: everyday words of software work, and small talk. Pure data.

Every request holds some of them (“fix the failing test”), so that finding one in a memory says nothing about whether it bears on the
request. General knowledge of the field only; nobody's notes.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


GENERIC_ENGLISH = _words(
    """
        fix add write make create update change run test testing code coding file files function method class bug error issue
        problem project line variable help explain show implement refactor rename remove delete new use using used need want
        work working works look find check tell give get set put know think see try let app application program script feature
        thing things way like good better best please example first last next one two three old small big simple short long
        right wrong correct current every time today now here also still already just only really read open start begin stop
        call list print return value name type text string number input output result data user folder directory module
        package library repo repository task step part item sure question answer fail failing failed broken break happen
        handle generate build understand mean difference write-up describe review improve clean everything something anything
        nothing someone many much lot different same
        everywhere somewhere anywhere come go page main comment loop nested random count index head tail array object key field column row
        table button click screen view window tab menu
        must never always instead fast kind tool default
        faster slow quick extra whole half full empty top bottom left left-hand side inside outside between around move copy paste
    """
)

GENERIC_CHINESE = _words(
    """
        修复 修改 添加 增加 新增 编写 代码 函数 文件 测试 运行 执行 实现 项目 问题 错误 解释 说明 帮忙 使用 需要 创建 新建
        删除 移除 更新 检查 查看 看看 看下 方法 变量 功能 模块 程序 脚本 优化 重构 改成 改为 改一 写个 写一 生成 处理 支持
        调用 返回 参数 类型 名字 名称 数据 用户 内容 结果 输出 输入 报错 失败 出现 为什么 怎么办 怎样 如何 什么 哪个 哪些 哪里
        多少 几个 可以 应该 能否 是否 现在 今天 之前 之后 然后 首先 最后 所有 每个 一个 一下 一些 这个 那个 这里 那里 我们
        你们 他们 自己 告诉 知道 记得 觉得 想要 希望 开始 继续 完成 单个 列表 字符串 数组 目录 文件夹 打开 读取 写入 保存 提供
        例子 示例 简单 区别 意思 理解 总结 介绍 描述 翻译 回答 命令 帮我 给我 请问 时候 情况 地方 东西
        页面 按钮 界面 窗口 循环 随机 索引 对象 字段 表格 点击 复制 移动 更快 拆成 换成 换个 加个 加上 去掉 显示 展示
        逻辑 正确 清楚 整理 一段 工具 必须 一直 总是 从不 最多 至少 以前 每次 种类 默认
        这段 那段 这行 上面 下面 左边 右边 中间 全部 部分 直接 重新 一次 刚才 刚刚 再来
    """
)

SMALL_TALK = _words(
    """
        hi hello hey yo thanks thank thx ty you ok okay k fine great good nice cool perfect awesome yes yep yeah no nope sure
        please go on ahead continue proceed done bye goodbye morning afternoon evening night there again sorry right correct
        exactly agreed lgtm next stop wait retry so much very that's that is it all for now a lot lots
        and i see understood got great job my this well works worked the looks a
    """
)

SMALL_TALK_CHINESE = _words(
    """
        你 您 好 好的 嗨 哈喽 早上好 下午好 晚上好 早安 晚安 早 谢谢 多谢 感谢 辛苦 行 可以 没问题 没错 不用 不 是 是的 对
        对的 嗯 哦 啊 呀 吧 了 啦 哈 继续 请 接着 下一步 开始 停 等等 再见 拜拜 完美 很棒 太棒 很好 真棒 明白 知道 收到 就这样
        大家 们
    """
)

ORDINARY_TOOLS = _words(
    """
        read write edit find make test sort time cat cut echo head tail date touch watch join split which go node task todo ask plan open
        less more kill sleep wait set type at file strip patch ps ls cd rm mv cp sh env bash history yes top who last look
    """
)
"""Names of tools and programs that are everyday words, or too short to mean anything in a text by themselves."""

ENDINGS = _words("py js ts tsx jsx java rs cpp md json yaml yml toml html css txt csv sh sql")
"""Endings of files: in nearly every path, and names of languages at the same time."""
