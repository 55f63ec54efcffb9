"""Search over memory on real roots: what is found in which scope, in which language, and what a hit tells."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.base.errors import RefusedError, UsageError
from desktop.memory.foreign import claude_slug
from desktop.memory.identity import ensure_project, resolve_project, set_memory_switch
from desktop.memory.search import SCOPES
from desktop.memory.switches import MemoryState
from tests.helpers.seeds import drawn_seed
from tests.unit.memory.conftest import PERSON, Desk, note_text
from tests.unit.memory.searching import Searching

OFF = MemoryState(False, "Memory is off.", False, "Memory is off.", "off", "memory.use")
SENTENCE = "我们决定使用端口5433，数据库是postgres"


@pytest.fixture
def at(desk: Desk) -> Searching:
    return Searching(desk)


def crowd(at: Searching) -> None:
    """Other memories, so that something else could be found."""
    for name, body in {
        "editor": "The editor is set to four spaces.",
        "release": "发布流程每周二进行，由小王负责。",
        "ci": "ビルドはGitHub Actionsで実行します。",
        "cats": "고양이 사진은 올리지 않습니다.",
        "colour": "Die Farbe der Knöpfe ist Grün.",
    }.items():
        at.put(f"{name}.md", note_text(name, body))


# languages and words


@pytest.mark.parametrize("query", ["端口", "postgres", "5433", "库", "数据库", "POSTGRES", "５４３３", "使用 端口"])
def test_a_mixed_sentence_is_found_by_each_of_its_words(at: Searching, query: str) -> None:
    crowd(at)
    at.put("database.md", note_text("database", SENTENCE, description="决定"))
    assert at.paths(query)[0] == "database.md"


WORDS = {
    "english": ("The retry budget of the importer is three attempts.", "retry importer"),
    "stem": ("Deployments happen on Tuesdays.", "deployment tuesday"),
    "chinese": ("单元测试必须在提交之前全部通过。", "提交之前"),
    "japanese": ("テストは毎朝実行されます。", "毎朝"),
    "korean": ("데이터베이스 비밀은 금고에 있습니다.", "금고"),
    "umlaut": ("Der Schlüssel liegt unter der Fußmatte.", "schlüssel"),
    "plain umlaut": ("Die Prüfung läuft nachts.", "prufung"),
    "camel case": ("Call parseHeaderLine before anything else.", "header"),
    "camel whole": ("Call parseHeaderLine before anything else.", "parseHeaderLine"),
    "snake case": ("Set max_retry_count to five.", "retry"),
    "snake whole": ("Set max_retry_count to five.", "max_retry_count"),
    "path": ("The schema lies in src/db/schema.sql.", "src/db/schema.sql"),
    "file": ("The schema lies in src/db/schema.sql.", "schema.sql"),
    "version": ("We pin Python 3.11.2 for now.", "3.11.2"),
    "issue": ("See issue #4711 for the reason.", "#4711"),
    "option": ("Run it with --no-cache always.", "--no-cache"),
    "emoji": ("The mascot is 🦊 and nothing else.", "🦊"),
    "one letter": ("Grade is 甲.", "甲"),
    "full width": ("ＡＢＣ公司是客户。", "abc"),
}


@pytest.mark.parametrize("case", sorted(WORDS))
def test_words_of_every_kind_are_found(at: Searching, case: str) -> None:
    text, query = WORDS[case]
    crowd(at)
    at.put("wanted.md", note_text("some-name", text, description="a line"))
    assert at.paths(query)[:1] == ["wanted.md"]


BAD = ["", " ", "???", "。，！", '"', "*", "NEAR(", "NEAR(a b", "body:", "title : x", "a AND", "OR", "NOT", "^", "-", "--", "'", "{", "\\",
       "\0", "a\0b", "\ud800", "\udcff端", "🦊", "库", "x" * 100_000, "端口" * 50_000, '" OR 1=1 --', "tag:x", "(", ")",
       "col:*"]  # fmt: skip


@pytest.mark.parametrize("number", range(len(BAD)))
def test_no_query_breaks_a_search(at: Searching, number: int) -> None:
    at.put("a.md", note_text("a", "alpha beta"))
    found = at.found(BAD[number])
    assert all(hit.path == "a.md" for hit in found.hits)
    assert at.paths("alpha") == ["a.md"], "and the next search is as ever"


def test_random_queries_never_raise(at: Searching) -> None:
    seed = drawn_seed()
    chance = random.Random(seed)
    at.put("a.md", note_text("a", "alpha 端口 beta"))
    signs = "aβ端🦊\"*():^-'\\/\0\ud800{}[]~ ANDORNEAR\n"
    for _ in range(150):
        at.found(["".join(chance.choice(signs) for _ in range(chance.randrange(1, 30))) for _ in range(chance.randrange(1, 5))])


def test_several_phrasings_are_fused(at: Searching) -> None:
    crowd(at)
    at.put("en.md", note_text("en", "The launch window opens at noon."))
    at.put("zh.md", note_text("zh", "发射窗口在中午打开。"))
    assert set(at.paths(["launch window", "发射窗口"])[:2]) == {"en.md", "zh.md"}


def test_a_question_in_the_other_language_is_answered_by_keywords(at: Searching) -> None:
    crowd(at)
    at.put(
        "pm.md",
        "---\nname: package-manager\nmetadata:\n  type: project\n  keywords: [包管理器, package manager, bun]\n---\n\nWe use bun.\n",
    )
    hit = at.found("用什么包管理器").hits[0]
    assert hit.path == "pm.md" and "包管" in hit.why


# what is indexed


def test_the_index_file_is_no_content_but_its_words_help(at: Searching) -> None:
    at.put("a.md", note_text("a", "alpha"))
    at.put("b.md", note_text("b", "beta"))
    at.put("MEMORY.md", "# Memory\n- [a](a.md) — read this before a zeppelin is booked\n- [[b]] — granatufer\n\nLoose quartzline text.\n")
    assert at.paths("zeppelin") == ["a.md"]
    assert at.paths("granatufer") == ["b.md"]
    assert at.paths("quartzline") == []
    at.put("MEMORY.md", "# Memory\n- [a](a.md) — turmalin now\n")
    assert at.paths("zeppelin") == [] and at.paths("turmalin") == ["a.md"] and at.paths("granatufer") == []
    (at.desk.root / "MEMORY.md").unlink()
    assert at.paths("turmalin") == [] and at.paths("alpha") == ["a.md"]


def test_memory_md_of_the_user_is_content_with_a_hit_for_each_section(at: Searching) -> None:
    text = "# Me\n\nI live in Ulm.\n\n## Tools\n\nFish shell everywhere.\n\n## Tone\n\nAnswer without any shell jargon, please.\n"
    at.put("MEMORY.md", text, root="user")
    hits = at.found("fish").hits
    assert [(hit.scope, hit.path, hit.line, hit.type) for hit in hits] == [("global", "MEMORY.md", 7, "memory")]
    assert "Tools" in hits[0].name and "Me" in hits[0].name
    assert sorted(hit.line for hit in at.found("shell").hits) == [7, 11]


@pytest.mark.parametrize(
    ("path", "header", "kind"),
    [
        ("a.md", "metadata:\n  type: feedback\n", "feedback"),
        ("a.md", "type: user\n", "user"),
        ("a.md", "", "memory"),
        ("a.md", "type: nonsense\n", "memory"),
        ("checkpoint.md", "", "checkpoint"),
        ("checkpoint-2.md", "", "checkpoint"),
        ("tasks/T1/progress.md", "", "progress"),
        ("notes.md", "", "notes"),
        ("Notes.md", "type: project\n", "project"),
    ],
)
def test_types_come_from_the_header_then_from_the_path(at: Searching, path: str, header: str, kind: str) -> None:
    at.put(path, f"---\nname: x\n{header}---\n\ngranatufer\n")
    assert [hit.type for hit in at.found("granatufer").hits] == [kind]
    assert at.paths("granatufer", type=kind) == [path]
    other = "user" if kind != "user" else "project"
    assert at.paths("granatufer", type=other) == []


def test_topic_means_the_four_types(at: Searching) -> None:
    for kind in ("user", "feedback", "project", "reference"):
        at.put(f"{kind}.md", note_text(kind, "granatufer", kind=kind))
    at.put("plain.md", "granatufer\n")
    assert sorted(at.paths("granatufer", type="topic")) == ["feedback.md", "project.md", "reference.md", "user.md"]
    with pytest.raises(UsageError, match="nonsense"):
        at.found("granatufer", type="nonsense")


def test_priors_put_explicit_feedback_and_pinned_first(at: Searching) -> None:
    header = {"plain": "", "explicit": "  explicit: true\n", "pinned": "  pinned: true\n"}
    for name, line in header.items():
        at.put(f"{name}.md", f"---\nname: {name}\nmetadata:\n  type: project\n{line}---\n\nthe granatufer line\n")
    at.put("feedback.md", "---\nname: feedback\nmetadata:\n  type: feedback\n---\n\nthe granatufer line\n")
    order = at.paths("granatufer")
    assert order[-1] == "plain.md" and order[0] == "explicit.md"
    why = {hit.path: hit.why for hit in at.found("granatufer").hits}
    assert "on request" in why["explicit.md"] and "pinned" in why["pinned.md"]


@pytest.mark.parametrize("late", [False, True])
def test_what_is_superseded_stands_below_its_successor(at: Searching, late: bool) -> None:
    old = "---\nname: old-port\nmetadata:\n  type: project\n---\n\nport port port granatufer port\n"
    header = "---\nname: new-port\nmetadata:\n  type: project\n  supersedes: [old-port]\n---\n\n"
    new = f"{header}A longer text about the port that the service has had since May.\n"
    at.put("z-old.md", old)
    if late:
        assert at.paths("port") == ["z-old.md"]
    at.put("a-new.md", new)
    hits = at.found("port").hits
    assert [hit.path for hit in hits] == ["a-new.md", "z-old.md"]
    assert hits[1].superseded_by == "new-port" and "new-port" in hits[1].why
    assert hits[0].score >= hits[1].score
    (at.desk.root / "a-new.md").unlink()
    (alone,) = at.found("port").hits
    assert alone.superseded_by == "" and alone.score == 1.0


def test_two_that_supersede_each_other_are_both_found(at: Searching) -> None:
    for one, other in (("a", "b"), ("b", "a")):
        at.put(f"{one}.md", f"---\nname: {one}\nmetadata:\n  supersedes: [{other}, {one}]\n---\n\ngranatufer\n")
    assert sorted(at.paths("granatufer")) == ["a.md", "b.md"]


def test_a_hit_tells_where_it_is_and_why(at: Searching) -> None:
    session = "sess_" + "0" * 26
    text = (
        f"---\nname: database\ndescription: which one\nmetadata:\n  type: project\n  originSessionId: {session}\n"
        "  modified: 2026-03-04T05:06:07Z\n---\n\nFirst line.\n\nThe port is 5433.\n"
    )
    file = at.put("deep/er/database.md", text)
    (hit,) = at.found("port 5433").hits
    assert (hit.root_id, hit.path, hit.absolute, hit.scope, hit.scope_id) == (
        "project",
        "deep/er/database.md",
        file,
        "projects",
        at.desk.project.key,
    )
    assert (hit.name, hit.type, hit.origin_session, hit.modified) == (
        "database",
        "project",
        session,
        datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC),
    )
    assert text.split("\n")[hit.line - 1] == "The port is 5433."
    assert {hit.snippet[a:b] for a, b in hit.marks} == {"port", "5433"} and "port" in hit.why
    assert hit.score == 1.0


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_lines_are_those_of_the_file(at: Searching, newline: str) -> None:
    lines = ["---", "name: x", "---", "", *(f"word{number} stands here." for number in range(120))]
    at.put("x.md", newline.join(lines))
    for number in (0, 7, 63, 119):
        (hit,) = at.found(f"word{number}", limit=1).hits
        assert lines[hit.line - 1].startswith(f"word{number} ")


def test_a_file_is_one_hit_and_limit_and_floor_bind(at: Searching, desk: Desk) -> None:
    at.put("long.md", "# One\n\n" + "\n\n".join(f"granatufer paragraph {n} " + "filler " * 60 for n in range(30)))
    for number in range(60):
        at.put(f"n{number}.md", f"granatufer {number}\n")
    found = at.found("granatufer", limit=50)
    assert len(found.hits) == 50 and len({hit.path for hit in found.hits}) == 50
    assert len(at.found("granatufer").hits) == 10 and len(at.found("granatufer", limit=1).hits) == 1
    strict = Searching(desk, settings={"checkpoint.score_floor": 1.0})
    at.put("both.md", "granatufer quartz quartz\n")
    assert strict.paths("granatufer quartz") == ["both.md"]
    assert len(at.paths("granatufer quartz")) == 10


# secrets and odd files


def test_secrets_are_masked_before_they_come_into_the_index(at: Searching, desk: Desk) -> None:
    token = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    key = (
        "-----BEGIN "
        + "RSA PRIVATE KEY-----\n"
        + "\n".join("MIIEpQIBAAKCAQEA7bq9Kx" + str(n) * 8 for n in range(6))
        + "\n-----END RSA PRIVATE KEY-----"
    )
    at.put(
        "a.md",
        f"---\nname: tok\ndescription: the token is {token}\n---\n\nDeploy with {token} only.\n\n{key}\n\nThe last line is granatufer.\n",
    )
    at.put("MEMORY.md", f"- [tok](a.md) — use {token}\n")
    (hit,) = at.found("granatufer").hits
    assert token not in hit.text and "MIIEpQIBAAKCAQEA" not in hit.text
    assert (desk.root / "a.md").read_text().split("\n")[hit.line - 1] == "The last line is granatufer.", "masks keep the lines"
    assert "[secret]" in at.found("deploy").hits[0].text and token not in at.found("deploy").hits[0].description
    at.search.close()
    stored = at.bytes_below(desk.paths.index)
    assert token.encode() not in stored and b"MIIEpQIBAAKCAQEA" not in stored and b"granatufer" in stored


ODD: dict[str, bytes] = {
    "broken-yaml.md": b"---\nname: [unclosed\ndescription: x: y: z\n---\n\ngranatufer\n",
    "no-close.md": b"---\nname: x\ngranatufer\n",
    "latin.md": b"---\nname: caf\xe9\n---\n\ngranatufer \xff\xfe\x80\n",
    "utf16.md": b"\xff\xfe" + "---\nname: x\n---\n\ngranatufer\n".encode("utf-16-le"),
    "bom.md": b"\xef\xbb\xbf---\nname: x\n---\n\ngranatufer\n",
    "nul.md": b"granatufer\0\0\0 and more\0",
    "surrogate.md": b"granatufer \xed\xa0\x80 tail\n",
    "header-only.md": b"---\nname: granatufer\n---\n",
    "cr.md": b"---\rname: x\r---\r\rgranatufer\r",
    "separators.md": "a\u2028granatufer\u2029b\u0085c".encode(),
    "aliases.md": b"---\nname: &a granatufer\nx: *a\n---\n\nbody\n",
}


def test_odd_files_are_found_by_what_can_be_read_of_them(at: Searching) -> None:
    for name, data in ODD.items():
        at.put(name, data)
    at.put("empty.md", b"")
    at.put("blank.md", b" \n\n ")
    found = at.paths("granatufer", limit=50)
    assert set(found) >= ODD.keys() - {"aliases.md"}
    assert at.paths("empty") == ["empty.md"]


def test_a_file_with_a_name_that_is_no_text_is_found_and_goes_again(at: Searching, desk: Desk) -> None:
    desk.root.mkdir(exist_ok=True)
    name = desk.root / "caf\udce9.md"
    name.write_bytes(b"granatufer\n")
    assert at.paths("granatufer") == ["caf\udce9.md"]
    assert at.found("granatufer").hits[0].absolute == name
    name.unlink()
    assert at.paths("granatufer") == []


def test_of_an_oversize_file_the_header_and_the_beginning_are_found(at: Searching) -> None:
    body = b"granatufer at the start\n\n" + b"filler text of no interest at all\n" * 160_000 + b"turmalin at the end\n"
    assert len(body) > 5 << 20
    at.put("big.md", b"---\nname: zeppelin\n---\n\n" + body)
    assert at.paths("zeppelin", limit=1) == ["big.md"] and at.paths("granatufer") == ["big.md"] and at.paths("turmalin") == []


def test_links_are_not_followed(at: Searching, desk: Desk, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_text("granatufer\n")
    desk.root.mkdir(exist_ok=True)
    (desk.root / "link.md").symlink_to(outside / "x.md")
    (desk.root / "folder").symlink_to(outside)
    at.put("own.md", "granatufer\n")
    assert at.paths("granatufer") == ["own.md"]
    at.put("swap.md", "turmalin\n")
    assert at.paths("turmalin") == ["swap.md"]
    (desk.root / "swap.md").unlink()
    (desk.root / "swap.md").symlink_to(outside / "x.md")
    assert at.paths("turmalin") == [] and at.paths("granatufer") == ["own.md"]


def test_a_root_that_is_a_link_holds_nothing(at: Searching, desk: Desk, tmp_path: Path) -> None:
    at.put("a.md", "granatufer\n")
    assert at.paths("granatufer") == ["a.md"]
    moved = tmp_path / "moved"
    desk.root.rename(moved)
    desk.root.symlink_to(moved)
    found = at.found("granatufer")
    assert found.hits == () and any("link" in note for note in found.notes)


# scopes


def other_project(at: Searching, text: str = "turmalin of another project") -> str:
    folder = at.desk.project.folder.parent / "other"
    folder.mkdir()
    project = resolve_project(folder, at.desk.paths)
    ensure_project(project, at.desk.clock)
    (project.memory_root / "x.md").write_text(text)
    return project.key


def test_the_default_is_this_project_the_person_and_the_workspace_file(at: Searching) -> None:
    at.put("p.md", "granatufer one\n")
    at.put("u.md", "granatufer two\n", root="user")
    file = at.put("MEMORY.md", "granatufer three\n", root="workspace")
    at.memories.allow_workspace(at.memories.workspace_file().digest)
    other_project(at, "granatufer four\n")
    assert {hit.scope for hit in at.found("granatufer").hits} == {"projects", "global", "workspace"}
    assert file in [hit.absolute for hit in at.found("granatufer").hits]
    for scope, path in (("projects", "p.md"), ("global", "u.md"), ("workspace", "MEMORY.md")):
        assert at.paths("granatufer", scope=scope) == [path]


def test_another_project_is_searched_only_by_its_key(at: Searching) -> None:
    key = other_project(at)
    assert at.paths("turmalin") == [] and at.paths("turmalin", scope="projects") == []
    (hit,) = at.found("turmalin", scope="projects", scope_id=key).hits
    assert (hit.scope_id, hit.path) == (key, "x.md")
    assert at.paths("turmalin") == [], "also now that it is in the index"
    assert at.paths("granat", scope="projects", scope_id=at.desk.project.key) == []
    with pytest.raises(UsageError, match="nowhere"):
        at.found("turmalin", scope="projects", scope_id="nowhere")
    at.put("a.md", "granatufer\n")
    assert at.paths("granatufer") == ["a.md"]
    assert at.found("turmalin", scope="projects", scope_id=key, reconcile=False).hits, "the other project's documents stay where they are"


@pytest.mark.parametrize("scope", SCOPES)
def test_every_scope_is_known_and_says_when_it_has_nothing(at: Searching, scope: str) -> None:
    at.put("p.md", "granatufer\n")
    found = at.found("turmalin", scope=scope)
    assert found.hits == ()
    assert bool(found.notes) == (scope not in ("global", "projects", "workspace"))


def test_an_unknown_scope_is_refused_with_the_known_ones(at: Searching) -> None:
    with pytest.raises(UsageError, match="everything") as caught:
        at.found("x", scope="everything")
    assert all(scope in caught.value.hint for scope in SCOPES)


def claude_memory(at: Searching) -> Path:
    home = at.desk.paths.data.parent / "home"
    folder = home / ".claude" / "projects" / claude_slug(str(at.desk.project.folder)) / "memory"
    folder.mkdir(parents=True)
    (folder / "bun.md").write_text("---\nname: bun\ntype: reference\n---\n\ngranatufer of Claude\n")
    (folder / "plain.md").write_text("granatufer without a header\n")
    (folder / "MEMORY.md").write_text("- [bun](bun.md) — turmalin\n")
    return folder


def test_other_tools_memory_is_found_only_while_it_is_on(desk: Desk) -> None:
    home = desk.paths.data.parent / "home"
    off = Searching(desk, environ={"HOME": str(home)})
    claude_memory(off)
    off = Searching(desk, environ={"HOME": str(home)})
    found = off.found("granatufer", scope="cc")
    assert found.hits == () and "memory.foreign" in found.notes[0]
    on = Searching(desk, environ={"HOME": str(home)}, settings={"memory.foreign": ["claude-code"]})
    assert on.paths("granatufer") == [], "never without being asked for"
    hits = on.found("granatufer", scope="cc").hits
    assert {(hit.scope, hit.type, hit.path) for hit in hits} == {("cc", "reference", "bun.md"), ("cc", "memory", "plain.md")}
    assert on.paths("turmalin", scope="cc") == ["bun.md"] and on.found("granatufer", scope="zcode").hits == ()
    off = Searching(desk, environ={"HOME": str(home)})
    off.found("anything at all")
    on.search.close()
    off.search.close()
    assert b"granatufer of Claude" not in off.bytes_below(desk.paths.index), "what was indexed goes when it is off"


def test_a_workspace_file_that_was_not_allowed_is_never_found(at: Searching, desk: Desk) -> None:
    file = at.put("MEMORY.md", "granatufer of a stranger\n", root="workspace")
    found = at.found("granatufer")
    assert found.hits == () and any(str(file) in note for note in found.notes)
    at.memories.allow_workspace(at.memories.workspace_file().digest)
    assert at.paths("granatufer") == ["MEMORY.md"]
    file.write_text("granatufer of a strangeR\n")
    assert at.paths("granatufer") == [], "a change by somebody else is asked about again"
    assert at.paths("stranger") == []
    at.search.close()
    assert b"strangeR" not in at.bytes_below(desk.paths.index)
    file.unlink()
    assert at.found("granatufer").notes == ()


# switches


def test_while_memory_is_off_no_model_searches_but_the_person_does(at: Searching) -> None:
    at.put("a.md", "granatufer\n")
    at.state = OFF
    with pytest.raises(RefusedError, match="off"):
        at.found("granatufer", for_model=True)
    assert at.paths("granatufer") == ["a.md"]


def test_a_project_whose_memory_is_off_is_not_searched_by_a_model(at: Searching) -> None:
    key = other_project(at)
    folder = at.desk.project.folder.parent / "other"
    set_memory_switch(resolve_project(folder, at.desk.paths), False, at.desk.clock)
    with pytest.raises(RefusedError):
        at.found("turmalin", scope="projects", scope_id=key, for_model=True)
    assert at.paths("turmalin", scope="projects", scope_id=key) == ["x.md"]


def test_the_store_of_the_person_can_be_written_while_it_is_searched(at: Searching) -> None:
    store = at.memories.store()
    assert at.paths("granatufer") == []
    store.write("a.md", note_text("a", "granatufer"), base_digest=None, origin=PERSON)
    assert json.dumps(at.paths("granatufer")) == '["a.md"]'
