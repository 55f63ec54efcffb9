<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>ActivityBar</name>
    <message>
        <source>Activity bar</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Age</name>
    <message>
        <source>now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} d</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} mo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} wk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} yr</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AllMemory</name>
    <message>
        <source>Copy Path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter memories of all workspaces</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory of all workspaces</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No memory contains “{text}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is remembered yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading memory…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is remembered in any workspace is listed here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} in {projects} workspaces</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AnswerView</name>
    <message>
        <source>Answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Application</name>
    <message>
        <source>Change now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keepsake cannot store anything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keepsake {version}: chat with a coding agent that remembers. Everything is stored below {folder}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open Folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something went wrong inside Keepsake: {error}. Your files are as they were; you can go on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The language changes when the window is made anew. Nothing is lost: folder, tabs and chat come back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ApprovalCard</name>
    <message>
        <source>Allow once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allowed for this session.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allowed once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Always</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Always allowed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Denied.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deny</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exact content</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For this session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not answered: the turn was stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Permission needed: {title}. {target}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason for denying</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why not? (optional, told to the model)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} characters that cannot be seen are shown as escapes.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatController</name>
    <message>
        <source>A turn is running.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No folder is open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing in that session could be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a folder first: a conversation belongs to one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop it or wait for its end, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The session was not found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no open conversation to read into.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is the open conversation itself.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CloseButton</name>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close {name} (not saved)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CodeView</name>
    <message>
        <source>Code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all {n} lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type the name of a command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recently used</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CompletionList</name>
    <message>
        <source>Sessions</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Accept edits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accept edits: files of the workspace are written without a question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask first: writing and running is asked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask, or tell me what to remember. # names a session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mode: {mode}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model: {model}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models and keys…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan: read and think, change nothing but memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What may be done without asking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about {n} tokens</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ComposerEdit</name>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ContextCard</name>
    <message>
        <source>Message {n}, {role}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Question: {query}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read from another session: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read into this chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the model was given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the end of the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what fits the question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} messages cited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ContextMeter</name>
    <message>
        <source>Context window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tokens} of {window} tokens of the context window are used</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DiffView</name>
    <message>
        <source>Changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Differences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no difference.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… {n} more lines</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EditorArea</name>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Don’t save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Editor area</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the changes you made to “{name}”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your changes will be lost if you don’t save them.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EditorBar</name>
    <message>
        <source>Preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source and preview</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EditorTabBar</name>
    <message>
        <source>Open editors</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EmbeddedCard</name>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download {size}? It is fetched once, checked, and kept on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not Now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove this model and free {size}? It can be downloaded again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try Again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by {publisher}, licence {licence}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>downloading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needs {size} of memory while it runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not installed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{done} of {total}, {seconds}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{free} are free on the disk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✓ installed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EndpointCard</name>
    <message>
        <source>without a key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✓ key found</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EndpointForm</name>
    <message>
        <source>Another server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base URL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names, with commas between</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens; empty: 32768</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FoldRow</name>
    <message>
        <source>folded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unfolded</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FrontmatterForm</name>
    <message>
        <source>About this memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Description</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changed {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>created {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from session {id}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no type</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>KeyEntry</name>
    <message>
        <source> or </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>API key for {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys come from the environment only: start Keepsake with {names} set.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Or start Keepsake with {names} set.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste another key to replace it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste the API key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The key comes from the environment ({names}) and wins over a stored one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The key is in the system’s keyring.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The key is in {file}, which only you can read. It is not encrypted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This system has no keyring. Choose another place for keys below, or set {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This system has no keyring. The file would be {file}; it is not encrypted. Or set {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the key is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in a file only you can read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in the system’s keyring</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LinkQuestion</name>
    <message>
        <source>Copy address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open this address outside Keepsake?</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LiveTurn</name>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LoadedChip</name>
    <message>
        <source>The index is over its limit. Left out: {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loaded {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} memories loaded, {tokens} tokens</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LongView</name>
    <message>
        <source>Copy all of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folded line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show more ({n} characters are folded)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryController</name>
    <message numerus="yes">
        <source>%n memories are back.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories are deleted.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Renamed to “{path}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The memory folder is not followed ({reason}). Use Refresh to see changes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system has no file watches left: memory is looked at every few seconds instead of at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{path}” is back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{path}” is deleted.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryDelegate</name>
    <message>
        <source>New file name</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryDot</name>
    <message>
        <source>Memory is off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory is on</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryEditor</name>
    <message>
        <source>Back to the Draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close Tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the memory a name first: it becomes the file’s name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to Line {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep Mine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line {n}: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not saved: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save Again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved. Look at this once more:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take Theirs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is a memory {path} already. Give this one another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file is not plain UTF-8 text. It is shown, but cannot be edited here without losing bytes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file was changed by somebody else while you were editing. Your draft is kept, and nothing is overwritten.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file was deleted. What you see is only here now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This memory cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This memory is not there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This value is written in a way that only the source can change. Edit it there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{path} was deleted or renamed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>− theirs, on disk    + yours, not saved</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryPanel</name>
    <message numerus="yes">
        <source>%n memories</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>By name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collapse folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy Path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter memories</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memories of this project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory belongs to a project. Open its folder to see what is remembered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Newest first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No folder is open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No memory contains “{text}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is remembered yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open Folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put It in the Chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading memory…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remember: we use bun, not npm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reveal in File Manager</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sort</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tell the agent in the chat what should last, for example:
“{example}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write It Yourself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{found} of {total}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryPart</name>
    <message>
        <source>Filter Memories</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refresh Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no memory called “{name}”.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryPreview</name>
    <message>
        <source>Next part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Part {n} of {all}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The preview cannot be shown: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file is larger than 5 MiB, too large for a preview. Its source can still be read.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryState</name>
    <message>
        <source>Keepsake was started in simple mode (KEEPSAKE_SIMPLE). Start it without that variable to turn memory on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keepsake was started with KEEPSAKE_DISABLE_MEMORY. Start it without that variable to turn memory on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory is off: new chats read none of it, send none of it and write none. You can still look at it and edit it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory is on. The index takes this many tokens of every request.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory: off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory: on ({used})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory: read only ({used})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The agent does not write memory, because a settings file could not be read. Decide in the settings how to go on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The agent does not write memory, because this project’s project.json could not be read. Set the workspace-memory switch in the settings to decide.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The agent reads this memory but does not write it: “Write memory” (memory.write) is off in the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The master switch “Memory” (features.memory) is off. Turn it on in the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The workspace-memory switch of this project is off. Turn it on in the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This chat was created without memory. Start a new chat to use it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tokens} of {limit} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“Use memory in chats” (memory.use) is off. Turn it on in the settings.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryTree</name>
    <message>
        <source>F</source>
        <comment>badge of the type feedback, one character</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MEMORY.md cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>P</source>
        <comment>badge of the type project, one character</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>R</source>
        <comment>badge of the type reference, one character</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too long to be loaded whole ({limit}): {n} entries are left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>U</source>
        <comment>badge of the type user, one character</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>feedback</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>user</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{entries} entries, {tokens} tokens</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryTreeModel</name>
    <message>
        <source>Problem: {problem}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changed {time}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryViewer</name>
    <message>
        <source>Line {n}: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file is larger than 5 MiB.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This memory cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too large to show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read only</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>&amp;Chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageBody</name>
    <message>
        <source>Show more ({n} characters)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageList</name>
    <message>
        <source>Messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scroll to the newest message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer broke off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer was cut at the model&apos;s output limit.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>A key in the environment always wins. A key in a file is readable by you alone, but not encrypted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a Server…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask each time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In a file only you can read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the system’s keyring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model of new chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models and keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ollama, LM Studio, vLLM, llama.cpp or any other server that speaks this protocol.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only in the environment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OpenAI-compatible servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste a key and test it. The model names are the providers’ own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Providers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The embedded models need no key and no network. They are small: they chat, remember and do simple edits. Connect a provider for real coding work.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where keys are kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>asking {model}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{model} (cannot be used now)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NoticeCard</name>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer was cut: it reached the model&apos;s output limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The memory index is over its limit. Not loaded: {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model says that it saved a memory, but no memory file was written in this turn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} old tool outputs are left out of what is sent, to stay inside the model&apos;s window. Nothing is lost here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProviderCard</name>
    <message>
        <source>Model of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use for New Chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>asking {model}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saving the key…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✓ key found</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QuickPick</name>
    <message>
        <source>Nothing matches</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ReadIntoDialog</name>
    <message>
        <source>At most, in tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its end, to go on from there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read into chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The passages are put into this conversation with their places, marked as text that is not an instruction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The question is too long: {n} of {most} characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What do you want to know from that session?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What fits the question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to take</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where did that session stand at its end?</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RenameDialog</name>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty: the first message&apos;s first line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RetryCard</name>
    <message>
        <source>{message} Tried again ({attempt} of {retries}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{message} Trying again in {seconds} s ({attempt} of {retries}).</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SavedChip</name>
    <message>
        <source>Saved by itself after the turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved in this turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved to memory: {names}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saved {n}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SessionGroups</name>
    <message>
        <source>last 31 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last 7 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>older</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SessionList</name>
    <message>
        <source>Copy reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move to trash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read into chat…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SessionPicker</name>
    <message>
        <source>Copy reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Return</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a session by title, text or folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move to trash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sessions yet: a conversation is kept from its first message on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read into chat…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Return</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SessionState</name>
    <message>
        <source>damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SessionsModel</name>
    <message>
        <source>{n} messages</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SessionsView</name>
    <message>
        <source>Filter sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sessions yet: a conversation is kept from its first message on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>Reset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source> s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A little</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A lot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After each turn a background job looks for facts worth keeping. It makes extra model calls, which may cost money.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An upper bound for the extra model calls of one chat.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask before changes and commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask me first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats read what is remembered. Both this and the master switch must be on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost of one turn at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark, light, or as the system has it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each opened folder by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each step is one request to the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each worktree by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit files of the workspace without asking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds for folders that are opened from now on. Memory is not moved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much a model reasons before it answers, where it can. More is slower and costs more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often a request is tried again after a rate limit, an overload or a broken connection.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In US dollars, by the list prices of the models.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Index: bytes at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Index: lines at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Index: tokens at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language of the window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn from chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looks in one chat at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MEMORY.md is loaded into every chat. What is beyond the limit is left out, and that is said.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Medium</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models and Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only read and plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause between two looks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Permission mode of new chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Retries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size of text and controls.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps of one turn at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The agent and its background jobs may add and change memories. When this is off they still read; you can always edit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The git repository, with all its worktrees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The master switch. When it is off, memory does not exist in any workspace.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The turn stops after this time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The turn stops when it has used this many.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time of one turn at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of one answer at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of one turn at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turns that end sooner are looked at together.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upper bound for the length of a single answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upper bound for the size of the loaded index.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upper bound for what the loaded index costs in every request.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use memory in chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What counts as one project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the agent may do without asking you.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model’s own limit</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>A settings file could not be read, so the agent writes no memory until you decide.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Categories</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go On with These Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held by {file} of the opened folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not saved: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} found</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingsPart</name>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models and Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SideBar</name>
    <message>
        <source>Side bar</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Sizes</name>
    <message>
        <source>{h} h {m} min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{m} min {s} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{s} s</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StatusBar</name>
    <message>
        <source>Status bar</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Switch</name>
    <message>
        <source>Off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ThinkingView</name>
    <message>
        <source>Thinking: {line}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thought</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TitleBar</name>
    <message>
        <source>Command centre</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search commands ({key})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title bar</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close notification</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Information</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ToolCard</name>
    <message>
        <source>Input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Live output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>running…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>writing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… {n} more characters, which the model has</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>UserView</name>
    <message>
        <source>Show all {n} characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Watermark</name>
    <message>
        <source>No editor is open</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WelcomePage</name>
    <message>
        <source>Chat with a coding agent that remembers. You see, edit and undo everything it remembers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect a provider…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folders that you open are listed here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go back to a session…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for models…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your chats are listed here. Nothing is ever lost.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WelcomePart</name>
    <message>
        <source>Choose a model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect a provider…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download the embedded model once, or connect a provider with a key or a local server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It runs on this machine, with no key and no network. It is small: connect a provider for real coding work.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys and servers are set up on the models page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New chats use {model}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model is installed yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{model} is ready</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Workbench</name>
    <message numerus="yes">
        <source>%n notifications</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No notifications</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WorkbenchController</name>
    <message>
        <source>About Keepsake</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close All Notifications</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close All Tabs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close Tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Editor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Focus Next Part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Focus Previous Part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow the System</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Least Recent Tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next Tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous Tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent Tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset Zoom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show All Commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show Notifications</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toggle Activity Bar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toggle Chat Pane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toggle Side Bar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toggle Status Bar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom In</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom Out</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WorkspaceMemoryCard</name>
    <message>
        <source>Apply Here Too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory Off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory On</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory can cost something: the index is sent with every request, and learning from chats makes extra model calls.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory of this workspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: new chats in this workspace are created without memory. Nothing is read, sent or written. What is stored stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On: new chats in this workspace read what is remembered, and the agent may remember more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a folder first: each workspace has its own memory and its own switch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The open chat has memory, too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The open chat has no memory, either.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The open chat was created with memory and keeps it until you apply this here too, from its next turn on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The open chat was created without memory and stays so until you apply this here too, from its next turn on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workspace memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workspace memory of “{label}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>workspace memory switch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} cannot be read. The agent writes no memory here until you set the switch; the file is kept aside.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
