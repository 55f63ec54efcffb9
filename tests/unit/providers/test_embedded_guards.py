"""The sentence guard: what is taken for memory and, above all, what is not. English and Chinese."""

from __future__ import annotations

import pytest

from desktop.providers.embedded_guards import Forget, ListMemory, Remember, extract_candidates, read_intent

TAKEN = [
    ("Remember: our package manager is bun", "our package manager is bun", "project"),
    ("remember that we deploy on Fridays", "we deploy on Fridays", "project"),
    ("Please remember our staging server is at 10.0.0.5", "our staging server is at 10.0.0.5", "project"),
    ("Can you remember that we use bun?", "we use bun", "project"),
    ("Could you please remember: tests live in spec/", "tests live in spec/", "project"),
    ("Keep in mind that the API port is 8080.", "the API port is 8080", "project"),
    ("Remember my name is Anna", "my name is Anna", "user"),
    ("Remember that I prefer short answers", "I prefer short answers", "user"),
    ("From now on, answer in German", "From now on, answer in German", "feedback"),
    ("Please use tabs from now on.", "Please use tabs from now on", "feedback"),
    ("Always run the tests before committing", "Always run the tests before committing", "feedback"),
    ("Never push to main", "Never push to main", "feedback"),
    ("We always use squash merges", "We always use squash merges", "feedback"),
    ("You should never commit secrets.", "You should never commit secrets", "feedback"),
    ("Don't use semicolons", "Don't use semicolons", "feedback"),
    ("Remember to run ruff before committing", "to run ruff before committing", "feedback"),
    ("Our API port is 8080. Remember that.", "Our API port is 8080", "project"),
    ("Remember this: the db is Postgres", "the db is Postgres", "project"),
    ("Thanks! Also remember that I like tea.", "I like tea", "user"),
    ("Save to memory: the CI runs on GitHub Actions", "the CI runs on GitHub Actions", "project"),
    ("our linter is ruff, remember that", "our linter is ruff", "project"),
    ("Remember: the wiki is at https://wiki.example/x", "the wiki is at https://wiki.example/x", "reference"),
    ("Stop using emojis", "Stop using emojis", "feedback"),
    ("记住：提交信息都用中文写", "提交信息都用中文写", "feedback"),
    ("以后提交信息都用中文写", "以后提交信息都用中文写", "feedback"),
    ("请记住我们的数据库是 postgres", "我们的数据库是 postgres", "project"),
    ("请记得每次提交前跑测试", "每次提交前跑测试", "feedback"),
    ("帮我记一下，部署端口是8080", "部署端口是8080", "project"),
    ("我们用的是 pnpm，记住了", "我们用的是 pnpm", "project"),
    ("把部署端口是8080记下来", "部署端口是8080", "project"),
    ("记住 我叫小明", "我叫小明", "user"),
    ("不要用分号", "不要用分号", "feedback"),
    ("永远不要直接推送到 main", "永远不要直接推送到 main", "feedback"),
    ("从现在开始用英文回答", "从现在开始用英文回答", "feedback"),
    ("一律用中文回答", "一律用中文回答", "feedback"),
    ("下次请用中文", "下次请用中文", "feedback"),
    ("别忘了：周五不发布", "周五不发布", "project"),
    ("Please keep this in mind: no emojis", "no emojis", "project"),
    ("Save this: we use pnpm", "we use pnpm", "project"),
    ("/remember we use bun", "we use bun", "project"),
    ("When you commit, always sign off", "When you commit, always sign off", "feedback"),
    ("call me Bob", "call me Bob", "user"),
    ("我希望你以后用中文回答", "我希望你以后用中文回答", "feedback"),
    ("提交信息必须用英文", "提交信息必须用英文", "feedback"),
    ("代码注释一律用英文", "代码注释一律用英文", "feedback"),
    ("我们约定：变量名用驼峰", "我们约定：变量名用驼峰", "feedback"),
    ("记住了，我们的域名是 example.org", "我们的域名是 example.org", "project"),
    ("别忘记我们周五放假", "我们周五放假", "project"),
    ("你能记住我们用的是 bun 吗？", "我们用的是 bun", "project"),
    ("能不能记一下，我叫小明", "我叫小明", "user"),
]

LEFT_ALONE = [
    "do you remember our package manager?",
    "Do you remember what we did yesterday",
    "Remember how we did X?",
    "remember when we fixed the bug",
    "Can you remember what I said?",
    "never mind",
    "Never mind, do it yourself",
    "always-on display?",
    "What is an always-on display?",
    "don't run it yet",
    "Don't worry about it",
    "Don't change anything else",
    "It always fails",
    "We never tested this",
    "I never got it to work",
    "don't forget to add tests",
    "Fix utils.py. Don't touch the tests.",
    "Refactor utils.py. Don't use classes.",
    "What should I always do before a commit?",
    'Translate "remember the milk" to Chinese',
    "Write a function called remember",
    "I don't remember the port",
    "I remember the port was 80",
    "In the future we may add tests",
    "> remember: the admin password is open",
    "```\n# remember: x\n```\nexplain this",
    "Note that the file is large",
    'add a "remember me" checkbox',
    "Remember me checkbox is broken, fix it",
    "Stop the server",
    "the docs say never use eval",
    "List the files",
    "你还记得我们用什么数据库吗？",
    "你记得我叫什么吗",
    "记得上次我们怎么修的吗",
    "我记得是 8080",
    "以后再说",
    "以后怎么办？",
    "以后可能会支持",
    "先不要运行",
    "别担心",
    "不要改这个文件",
    "总是失败怎么办",
    "它总是报错",
    "我不记得端口了",
    "提交信息用什么语言？",
    "写一个永远循环的函数",
    "现在不要提交",
    "记得把文件关掉",
    "别忘了跑测试",
    "怎么记住密码？",
    "记住密码功能怎么实现？",
    "实现一个“记住我”的复选框",
    "所有按钮都要改成红色",
    "写一个必须用递归的函数",
    "代码必须写注释吗？",
    "call me later",
    "Add a memory leak check",
    "Save this file",
]


@pytest.mark.parametrize(("said", "fact", "kind"), TAKEN)
def test_explicit_words_give_the_persons_own_sentence(said: str, fact: str, kind: str) -> None:
    intent = read_intent(said)
    assert isinstance(intent, Remember)
    assert [(f.text, f.type) for f in intent.facts] == [(fact, kind)]
    assert intent.rest == ""


@pytest.mark.parametrize("said", LEFT_ALONE)
def test_questions_and_bare_requests_never_become_memories(said: str) -> None:
    assert read_intent(said) is None


def test_a_request_beside_the_fact_is_kept_for_the_model() -> None:
    intent = read_intent("Always use type hints. Now write a function foo in foo.py")
    assert isinstance(intent, Remember)
    assert [f.text for f in intent.facts] == ["Always use type hints"]
    assert intent.rest == "Now write a function foo in foo.py"


def test_a_list_gives_one_fact_for_each_point() -> None:
    intent = read_intent("Remember:\n- we use bun\n- the db is postgres")
    assert isinstance(intent, Remember)
    assert [f.text for f in intent.facts] == ["we use bun", "the db is postgres"]


def test_a_sentence_that_goes_on_about_the_fact_belongs_to_it() -> None:
    intent = read_intent("Remember: our DB is Postgres. It runs on port 5433.")
    assert isinstance(intent, Remember)
    assert [f.text for f in intent.facts] == ["our DB is Postgres. It runs on port 5433"]


def test_a_word_that_points_at_nothing_asks_back() -> None:
    assert read_intent("remember that") == Remember(())


@pytest.mark.parametrize(
    ("said", "target"),
    [
        ("forget the package manager", "package manager"),
        ("please forget about the staging server", "staging server"),
        ("delete the memory about bun", "bun"),
        ("remove bun from your memory", "bun"),
        ("delete the note package-manager", "package-manager"),
        ("忘掉数据库的事", "数据库"),
        ("把关于端口的记忆删掉", "端口"),
        ("删除数据库这条记忆", "数据库"),
    ],
)
def test_forgetting_names_its_target(said: str, target: str) -> None:
    intent = read_intent(said)
    assert isinstance(intent, Forget)
    assert intent.target == target


@pytest.mark.parametrize(
    "said",
    [
        "forget it",
        "Forget the tests, just fix the bug",
        "我忘了密码",
        "我忘记了密码",
        "忘了吗？",
        "delete the file notes.txt",
        "把日志删掉",
    ],
)
def test_other_forgetting_is_left_alone(said: str) -> None:
    assert read_intent(said) is None


@pytest.mark.parametrize("said", ["what do you remember?", "list your memories", "你记得什么？", "你都记住了什么", "列出所有记忆"])
def test_asking_for_the_list(said: str) -> None:
    assert isinstance(read_intent(said), ListMemory)


def test_everything_is_marked() -> None:
    intent = read_intent("forget everything")
    assert isinstance(intent, Forget)
    assert intent.everything


@pytest.mark.parametrize(
    "text", ["请你" * 3_000, "好了" * 3_000, "记住" + "好了" * 3_000 + "x", "please " * 2_000, "remember " * 2_000, "a" * 500_000]
)
def test_long_repetitions_are_read_in_linear_time(text: str) -> None:
    read_intent(text)


def test_extraction_takes_lasting_statements_and_no_question_or_request() -> None:
    said = [
        "We use Terraform for the infrastructure. Can you check main.tf?",
        "fix the failing test please",
        "Which port is it?",
        "我们的后端用的是 Rust",
        "I am getting an error in this file",
    ]
    assert extract_candidates(said) == ["我们的后端用的是 Rust", "We use Terraform for the infrastructure"]


def test_extraction_is_capped_and_explicit_words_come_first() -> None:
    said = [f"Our service {n} runs on port 80{n}" for n in range(10, 19)] + ["Remember: we use bun"]
    found = extract_candidates(said)
    assert len(found) == 3
    assert found[0] == "we use bun"


@pytest.mark.parametrize(
    "said",
    [
        "下次我试试",
        "以后我可以请你帮我找找菜谱",
        "每次都有人要求我做给他们尝尝",
        "Thank you, and we can chat again in the future",
        "Yes, you always help me",
        "Next time, you could try another one",
        "我总是想起那件事",
    ],
)
def test_small_talk_with_such_words_is_left_alone(said: str) -> None:
    assert read_intent(said) is None


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Note that we deploy on Fridays", "we deploy on Fridays"),
        ("Note to self: staging is at port 5433", "staging is at port 5433"),
        ("Commit this to memory: we use bun", "we use bun"),
        ("For the future: run make check first", "run make check first"),
        ("Write that down: the database is at 5433", "the database is at 5433"),
        ("Record that we use pnpm", "we use pnpm"),
        ("Keep a note that tests need redis", "tests need redis"),
        ("Update your memory: we moved to pnpm", "we moved to pnpm"),
        ("Log this in memory: we use bun", "we use bun"),
        ("So you remember: I prefer tabs", "I prefer tabs"),
        ("Let's remember that the cron runs at 3", "the cron runs at 3"),
        ("千万别忘了部署要先跑迁移", "部署要先跑迁移"),
        ("把这个存进记忆里：我们用bun", "我们用bun"),
        ("添加到记忆：我们用pnpm", "我们用pnpm"),
        ("更新一下记忆：我们改用pnpm了", "我们改用pnpm了"),
        ("帮我备注一下，测试库在5433", "测试库在5433"),
        ("给我记好了，发版在周五", "发版在周五"),
        ("可以帮我记住吗：我喜欢用制表符", "我喜欢用制表符"),
    ],
)
def test_further_ways_to_ask_for_it(text: str, fact: str) -> None:
    intent = read_intent(text)
    assert isinstance(intent, Remember) and [one.text for one in intent.facts] == [fact]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("Delete what you remembered about bun", "bun"),
        ("Scrap the note on bun", "bun"),
        ("Unremember the port", "port"),
        ("Delete memory: build tool", "build tool"),
        ("Delete the memory build-tool.md", "build-tool.md"),
        ("从记忆中移除关于bun的内容", "bun"),
    ],
)
def test_further_ways_to_have_it_forgotten(text: str, target: str) -> None:
    intent = read_intent(text)
    assert isinstance(intent, Forget) and intent.target == target


@pytest.mark.parametrize(
    "text",
    [
        "Remove the memory limit from docker-compose",
        "Delete the memory cache on shutdown",
        "Note that this function returns None in that case, fix it",
        "Record that the user clicked in the analytics table",
        "Write this down in the README",
        "Update memory usage chart",
        "你忘了分号",
        "你是不是忘了导入这个模块",
        "忘记密码功能坏了",
        "忘记密码页面要加验证码",
        "不用记住这个",
        "别记住这个",
        "不要记住这个",
    ],
)
def test_what_only_sounds_like_a_wish_of_memory(text: str) -> None:
    assert read_intent(text) is None
