"""What counts as a claim to have changed memory, and what does not."""

from __future__ import annotations

import pytest

from desktop.agent.claims import claims_of

SAVED = (
    "I've saved this to memory.",
    "I have noted that in my memory file.",
    "Got it, I'll remember that.",
    "Saved to memory: we use bun.",
    "✅ Saved to memory.",
    "Done. Added it to memory.",
    "Done! I've added that to the project memory.",
    "That has been saved to your memory.",
    "I will keep that in mind for future conversations.",
    "Memory updated.",
    "The memory file has been updated.",
    "I've updated MEMORY.md with your preference.",
    "Noted. I've saved that.",
    "I have remembered that you prefer tabs.",
    "I just stored your preference in memory.",
    "Understood — I've recorded it in memory.",
    "Sure. I saved a memory about the port.",
    "The fix is in `a.py`. I have also recorded the reason in memory.",
    "已保存到记忆。",
    "好的，我已经记住了：端口是 5433。",
    "我会记住这一点。",
    "记忆已更新。",
    "已将该信息写入记忆文件 MEMORY.md。",
    "好的，记住了。",
    "我已经把这条规则记下来了。",
    "已帮你记下。",
    "信息已添加到记忆中。",
    "已经 save 到 memory 了",
    "我已经把它 store 进 long-term memory 啦",
    "Saved 到 memory 了！",
    "记忆 updated 了 ✅",
    "已更新 memory",
    "已經記住了",
    "好的，已經儲存到記憶裡了。",
    "我幫你記下來了",
)
SAVED_TOO = (
    "I've noted that you use bun for future conversations.",
    "I've created a memory about the port.",
    "I've added that to my notes.",
    "I have successfully saved this information.",
    "Remembered: you use bun.",
    "I've stored that for future reference.",
    "I've jotted that down in my memory.",
    "记住了！",
    "收到，我会一直记得。",
    "我把这条信息保存到了记忆里。",
    "我已创建一条关于端口的记忆。",
    "已創建記憶文件。",
    "我已记录下来，以后都会这样做。",
)
NO_MEMORY_OF_OURS = (
    "I've saved the results in results.md for later analysis.",
    "I've stored the token in localStorage for later use in the app.",
    "I've created a memory pool for the parser.",
    "I wrote a memory profiler script.",
    "I've recorded it in the changelog for future reference.",
    "I'll remember to close the file handle in this function.",
    "I've remembered to add the test.",
    "I removed that memory leak.",
    "The note has been removed from the README.",
    "Forgotten semicolons were added.",
    "已创建记忆化缓存。",
    "已更新記憶體限制。",
    "我会记得关闭文件句柄，见下面的代码。",
    "已忘记密码的用户可以点击这里重置。",
)
FORGOTTEN_TOO = (
    "I have deleted that memory.",
    "Deleted from memory.",
    "Forgotten.",
    "That's been removed from my memory.",
    "Removed the memory about bun.",
    "我已经忘记了。",
    "那条记忆已经删掉了。",
    "好的，已忘记你的生日。",
    "記憶已刪除。",
)
NONE = (
    "要不要我 save 到 memory？",
    "還沒有儲存到記憶",
    "没有 save 到 memory",
    "已经修复了 memory leak",
    "把结果 save 到 memory cache 里了",
    "函数会把值 store 在 memory pool",
    "數據已經存到資料庫",
    "記憶體用量已經更新",
    "Should I save this to memory?",
    "I did not save this to memory.",
    "I could not save it to memory: the disk is full.",
    "Would you like me to remember that?",
    "If you want, I can save it to memory.",
    "The function stores the value in memory.",
    "This uses 3 MB of memory.",
    "You can ask me to remember things.",
    "需要我记住吗？",
    "我没有把它保存到记忆。",
    "要不要写入记忆？",
    "这段代码把数据写入内存。",
    "```\nI have saved it to memory\n```",
    "The cache is kept in memory and updated by the worker.",
    "I added a memory limit to the container.",
    "I updated the README.",
    "I saved the file.",
    "记忆化（memoization）可以加速。",
    "I wrote tests for the memory module.",
    "I've updated the memory allocator to use arenas.",
    "> I've saved this to memory.\n\nThat line in the log comes from another tool.",
    "I fixed the memory leak in the parser.",
    "我更新了内存分配器。",
    "I keep the list in memory because it is small.",
)
FORGOTTEN = (
    "I've removed that from memory.",
    "I have forgotten it.",
    "The memory has been deleted.",
    "I deleted the memory about pnpm.",
    "已从记忆中删除。",
    "已经忘掉这条记忆了。",
    "已删除那条记录。",
)
NOT_FORGOTTEN = ("I deleted the old build folder.", "I removed the import from memory.py.", "已删除旧文件。", "没有从记忆中删除任何内容。")


@pytest.mark.parametrize("text", SAVED)
def test_claims_of_saving(text: str) -> None:
    assert "saved" in claims_of(text)


@pytest.mark.parametrize("text", NONE)
def test_no_claim(text: str) -> None:
    assert not claims_of(text)


@pytest.mark.parametrize("text", FORGOTTEN)
def test_claims_of_forgetting(text: str) -> None:
    assert "forgotten" in claims_of(text)


@pytest.mark.parametrize("text", NOT_FORGOTTEN)
def test_no_claim_of_forgetting(text: str) -> None:
    assert not claims_of(text)


@pytest.mark.parametrize("text", SAVED_TOO)
def test_further_wordings_of_having_saved(text: str) -> None:
    assert "saved" in claims_of(text)


@pytest.mark.parametrize("text", FORGOTTEN_TOO)
def test_further_wordings_of_having_forgotten(text: str) -> None:
    assert "forgotten" in claims_of(text)


@pytest.mark.parametrize("text", NO_MEMORY_OF_OURS)
def test_files_memory_of_machines_and_promises_of_work_are_no_claims(text: str) -> None:
    assert not claims_of(text)
