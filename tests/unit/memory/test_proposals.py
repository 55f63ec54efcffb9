"""The review inbox: what waits, what becomes of it, and what is never kept (memory design, 6.4, 6.8; W-33)."""

from __future__ import annotations

import json
import os
import stat
import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest

from desktop.base.errors import ConflictError, KeepsakeError, NotFoundError, RefusedError
from desktop.base.phrases import Phrase, say
from desktop.memory.change import ChangeOrigin
from desktop.memory.proposal import Proposal, proposal_from_json, proposal_to_json
from desktop.memory.proposals import Proposals
from desktop.memory.purge import purge
from tests.unit.memory.conftest import EXTRACTOR, PERSON, Desk, note_text

UNTRUSTED = ChangeOrigin("extractor", "sess_one", "msg_two", untrusted=True)
WHY = say("Extraction waits for your word in this workspace.")


def propose(
    desk: Desk,
    path: str,
    text: str,
    *,
    op: str = "write",
    origin: ChangeOrigin = EXTRACTOR,
    inbox: Proposals | None = None,
    rule: str = "review",
) -> Proposal | None:
    """Propose a change of what stands at `path` now."""
    inbox = inbox or desk.store.proposals
    try:
        stored = desk.store.read(path)
        base, base_text = stored.digest, stored.text
    except NotFoundError:
        base, base_text = None, ""
    assert op in ("write", "delete")
    return inbox.add(
        "delete" if op == "delete" else "write", path, text, base=base, base_text=base_text, origin=origin, reason=WHY, rule=rule,
        quote="we use bun here",
    )  # fmt: skip


def proposed(desk: Desk, path: str, body: str) -> Proposal:
    made = propose(desk, path, note_text(path.removesuffix(".md"), body))
    assert made is not None
    return made


def another(desk: Desk) -> Proposals:
    """The same inbox as another process sees it."""
    return Proposals(desk.paths, desk.store.memory_root, desk.clock)


def test_a_proposal_waits_and_changes_nothing(desk: Desk) -> None:
    made = propose(desk, "build.md", note_text("build", "we use bun"), origin=UNTRUSTED, rule="untrusted")
    assert made is not None
    assert not (desk.root / "build.md").exists()
    (found,) = another(desk).waiting()
    assert found == made
    assert (found.new, found.untrusted, found.rule, found.quote) == (True, True, "untrusted", "we use bun here")
    assert isinstance(found.reason, Phrase)
    assert found.reason.template == WHY.template


def test_files_are_private(desk: Desk) -> None:
    made = proposed(desk, "build.md", "we use bun")
    file = desk.store.proposals.folder / f"{made.id}.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert json.loads(file.read_bytes())["schema"] == 1
    assert desk.paths.state in file.parents


def test_accepting_is_the_persons_act_with_the_origin(desk: Desk) -> None:
    counts: list[int] = []
    desk.store.proposals.changed.subscribe(counts.append)
    made = proposed(desk, "build.md", "we use bun")
    change = desk.store.proposals.accept(made.id, desk.store)
    assert (change.origin.actor, change.origin.session_id, change.origin.message_id) == ("person", "sess_one", "msg_two")
    text = desk.store.read("build.md").text
    assert "originSessionId: sess_one" in text
    assert "originMessageId: msg_two" in text
    assert "(build.md)" in desk.index()
    assert desk.store.proposals.waiting() == another(desk).waiting() == []
    assert counts == [1, 0]


def test_accepting_twice_is_once(desk: Desk) -> None:
    made = proposed(desk, "build.md", "we use bun")
    inboxes = [another(desk), another(desk)]
    inboxes[0].accept(made.id, desk.store)
    with pytest.raises(NotFoundError, match=made.id):
        inboxes[1].accept(made.id, desk.store)
    assert len([change for change in desk.store.changes() if change.path == "build.md"]) == 1


def test_the_persons_text_goes_in(desk: Desk) -> None:
    made = proposed(desk, "build.md", "we use bun")
    desk.store.proposals.accept(made.id, desk.store, text=note_text("build", "we use bun 1.2"))
    assert "bun 1.2" in desk.store.read("build.md").text


def test_a_rejected_text_is_not_proposed_again(desk: Desk) -> None:
    made = proposed(desk, "build.md", "we use bun")
    desk.store.proposals.reject(made.id)
    assert propose(desk, "build.md", note_text("build", "We use bun.")) is None
    assert propose(desk, "other-name.md", note_text("other", "we use bun"), inbox=another(desk)) is None
    assert propose(desk, "build.md", note_text("build", "we use pnpm")) is not None
    assert not (desk.root / "build.md").exists()


def test_a_rejected_change_of_a_file_and_a_rejected_deletion(desk: Desk) -> None:
    desk.add("build.md", "we use npm")
    made = proposed(desk, "build.md", "we use bun")
    assert not made.new
    desk.store.proposals.reject(made.id)
    gone = propose(desk, "build.md", "", op="delete")
    assert gone is not None
    desk.store.proposals.reject(gone.id)
    assert propose(desk, "build.md", "", op="delete") is None
    assert propose(desk, "build.md", note_text("build", "we use bun")) is None
    assert proposed(desk, "build.md", "we use deno").base == desk.store.read("build.md").digest


def test_the_same_waits_once_and_the_newest_text_wins(desk: Desk) -> None:
    first = proposed(desk, "build.md", "we use bun")
    assert propose(desk, "build.md", note_text("build", "we use bun")) is None
    second = proposed(desk, "build.md", "we use bun 1.2")
    assert [one.id for one in desk.store.proposals.waiting()] == [second.id]
    with pytest.raises(NotFoundError):  # nobody accepts a text that was replaced while it was looked at
        desk.store.proposals.accept(first.id, desk.store)


def test_the_newest_comes_first(desk: Desk) -> None:
    ids = [proposed(desk, f"note-{n}.md", f"fact number {n}").id for n in range(5)]
    assert [one.id for one in desk.store.proposals.waiting()] == ids[::-1]


def test_a_deletion_is_accepted_and_taken_back(desk: Desk) -> None:
    desk.add("build.md", "we use npm")
    made = propose(desk, "build.md", "", op="delete")
    assert made is not None
    change = desk.store.proposals.accept(made.id, desk.store)
    assert not (desk.root / "build.md").exists()
    assert "build.md" not in desk.index()
    desk.store.proposals.take_back(made.id, desk.store, change_id=change.id)
    assert "we use npm" in desk.store.read("build.md").text
    assert "(build.md)" in desk.index()
    assert [one.id for one in another(desk).waiting()] == [made.id]


def test_a_deletion_of_what_is_gone_is_done(desk: Desk) -> None:
    desk.add("build.md", "we use npm")
    made = propose(desk, "build.md", "", op="delete")
    assert made is not None
    desk.store.delete("build.md", origin=PERSON)
    assert not desk.store.proposals.accept(made.id, desk.store).changed
    assert desk.store.proposals.waiting() == []


@pytest.mark.parametrize("decide", ["accept", "reject"])
def test_every_decision_can_be_taken_back(desk: Desk, decide: str) -> None:
    inbox = desk.store.proposals
    made = proposed(desk, "build.md", "we use bun")
    before = desk.index()
    change_id = inbox.accept(made.id, desk.store).id if decide == "accept" else ""
    if decide == "reject":
        inbox.reject(made.id)
    inbox.take_back(made.id, desk.store, change_id=change_id)
    assert [one.id for one in inbox.waiting()] == [made.id]
    assert (not (desk.root / "build.md").exists(), desk.index()) == (True, before)
    inbox.accept(made.id, desk.store)  # and decided anew
    assert "we use bun" in desk.store.read("build.md").text


def test_a_decision_whose_file_changed_since_stays(desk: Desk) -> None:
    inbox = desk.store.proposals
    made = proposed(desk, "build.md", "we use bun")
    change = inbox.accept(made.id, desk.store)
    desk.store.write("build.md", note_text("build", "ours"), base_digest=desk.store.read("build.md").digest, origin=PERSON)
    with pytest.raises(ConflictError):
        inbox.take_back(made.id, desk.store, change_id=change.id)
    assert inbox.waiting() == []
    assert "ours" in desk.store.read("build.md").text


def test_thirty_days_later_a_decision_is_gone_and_its_digest_stays(desk: Desk) -> None:
    inbox = desk.store.proposals
    made = proposed(desk, "build.md", "we use bun")
    inbox.reject(made.id)
    desk.clock.advance(timedelta(days=31).total_seconds())
    proposed(desk, "other.md", "something else entirely")
    assert inbox.restore(made.id) is None
    with pytest.raises(NotFoundError):
        inbox.take_back(made.id, desk.store)
    assert not list(inbox.folder.rglob(f"{made.id}*"))
    assert propose(desk, "build.md", note_text("build", "we use bun")) is None


# the file changed meanwhile


def test_changes_of_different_lines_both_go_in(desk: Desk) -> None:
    desk.add("build.md", "first line\n\nmiddle line\n\nlast line")
    made = propose(desk, "build.md", desk.store.read("build.md").text.replace("last line", "last line, changed"))
    assert made is not None
    ours = desk.store.read("build.md")
    desk.store.write("build.md", ours.text.replace("first line", "FIRST line"), base_digest=ours.digest, origin=PERSON)
    change = desk.store.proposals.accept(made.id, desk.store)
    text = desk.store.read("build.md").text
    assert change.merged
    assert "FIRST line" in text
    assert "last line, changed" in text


def test_a_conflict_leaves_both_and_the_person_chooses(desk: Desk) -> None:
    desk.add("build.md", "we use npm")
    made = propose(desk, "build.md", desk.store.read("build.md").text.replace("we use npm", "we use bun"))
    assert made is not None
    ours = desk.store.read("build.md")
    desk.store.write("build.md", ours.text.replace("we use npm", "we use pnpm"), base_digest=ours.digest, origin=PERSON)
    with pytest.raises(ConflictError, match=r"build\.md"):
        desk.store.proposals.accept(made.id, desk.store)
    assert "pnpm" in desk.store.read("build.md").text
    assert [one.id for one in desk.store.proposals.waiting()] == [made.id]
    desk.store.proposals.accept(made.id, desk.store, over=desk.store.read("build.md").digest)
    assert "we use bun" in desk.store.read("build.md").text


def test_a_file_that_is_there_or_gone_by_now(desk: Desk) -> None:
    inbox = desk.store.proposals
    new = proposed(desk, "build.md", "we use bun")
    desk.add("build.md", "made by somebody else")
    with pytest.raises(ConflictError):
        inbox.accept(new.id, desk.store)
    inbox.reject(new.id)
    changed = proposed(desk, "build.md", "we use deno")
    desk.store.delete("build.md", origin=PERSON)
    with pytest.raises(ConflictError):
        inbox.accept(changed.id, desk.store)
    inbox.accept(changed.id, desk.store, over="")
    assert "we use deno" in desk.store.read("build.md").text


# what is never kept


def test_a_secret_is_refused_and_masked(desk: Desk) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    with pytest.raises(RefusedError) as caught:
        propose(desk, "build.md", note_text("build", f"the token is {secret}"))
    assert (caught.value.detail, secret in caught.value.text()) == ("memory.secret", False)
    made = desk.store.proposals.add(
        "write", "build.md", "plain", base=None, base_text="", origin=EXTRACTOR, reason=WHY, rule="unsupported", quote=f"it is {secret}"
    )
    assert made is not None
    assert secret not in made.quote
    for file in desk.paths.data.rglob("*"):
        assert not file.is_file() or secret.encode() not in file.read_bytes()


@pytest.mark.parametrize("identity", ["../../etc/passwd", "prop_", "", "prop_" + "0" * 26, "decided/x"])
def test_an_id_is_no_path(desk: Desk, identity: str) -> None:
    proposed(desk, "build.md", "we use bun")
    inbox = desk.store.proposals
    for act in (lambda: inbox.accept(identity, desk.store), lambda: inbox.reject(identity)):
        with pytest.raises(NotFoundError):
            act()
    assert inbox.restore(identity) is None
    assert len(inbox.waiting()) == 1


# damage


def damages(whole: bytes) -> Iterator[bytes]:
    yield b""
    yield whole[: len(whole) // 2]
    yield b"[]"
    yield b"null"
    yield b"\x00" * 64
    yield b"[" * 100_000
    yield whole.replace(b'"write"', b'"format the disk"')
    yield whole.replace(b'"schema": 1', b'"schema": "one"')
    record = json.loads(whole)
    for name in ("id", "time", "root", "op", "path", "text", "base_text", "reason", "rule", "actor"):
        yield json.dumps(record | {name: 7}).encode()
        yield json.dumps({key: value for key, value in record.items() if key != name}).encode()
    yield json.dumps(record | {"base": 5}).encode()
    yield json.dumps(record | {"id": "prop_" + "1" * 26}).encode()


def test_damaged_files_hide_no_other_and_are_left_alone(desk: Desk) -> None:
    made = proposed(desk, "build.md", "we use bun")
    inbox = desk.store.proposals
    good = inbox.folder / f"{made.id}.json"
    whole = good.read_bytes()
    put = {}
    for number, data in enumerate(damages(whole)):
        file = inbox.folder / f"prop_{number:026d}.json"
        file.write_bytes(data)
        put[file] = data
    (inbox.folder / "prop_link.json").symlink_to(good)
    (inbox.folder / "prop_folder.json").mkdir()
    assert [one.id for one in inbox.waiting()] == [made.id]
    assert inbox.damaged == len(put) + 2
    inbox.accept(made.id, desk.store)
    assert {file: file.read_bytes() for file in put} == put
    aside = inbox.set_aside_damaged()
    assert len(aside) == len(put) + 2
    assert (inbox.waiting(), inbox.damaged) == ([], 0)
    assert {file.read_bytes() for file in aside if file.is_file() and not file.is_symlink()} == set(put.values())


def test_a_newer_programs_proposal_is_left_to_it(desk: Desk) -> None:
    made = proposed(desk, "build.md", "we use bun")
    file = desk.store.proposals.folder / f"{made.id}.json"
    file.write_bytes(json.dumps(json.loads(file.read_bytes()) | {"schema": 2, "op": "rename"}).encode())
    assert (desk.store.proposals.waiting(), desk.store.proposals.damaged) == ([], 0)
    assert desk.store.proposals.set_aside_damaged() == ()


def test_odd_texts_come_back_as_they_went_in(desk: Desk) -> None:
    texts = ["", "no break", "a\r\nb\r\n", "\ufeff---\nname: x\n---\n", "路径 \u2028 emoji 🙂", "lone \ud800 surrogate", "\x00\x1b[31m"]
    for number, text in enumerate(texts):
        made = desk.store.proposals.add(
            "write", f"odd-{number}.md", text, base=None, base_text=text, origin=EXTRACTOR, reason=WHY, rule="review"
        )
        if made is None:  # folded to nothing, as the first one is
            continue
        assert proposal_from_json(proposal_to_json(made)) == made


# several at once


def test_two_threads_accept_the_same(desk: Desk) -> None:
    made = [proposed(desk, f"note-{n}.md", f"fact number {n}") for n in range(6)]
    inboxes = [another(desk), another(desk), desk.store.proposals]
    lost: list[str] = []

    def accept_all(inbox: Proposals) -> None:
        for one in made:
            try:
                inbox.accept(one.id, desk.store)
            except NotFoundError:
                lost.append(one.id)

    threads = [threading.Thread(target=accept_all, args=(inbox,)) for inbox in inboxes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(lost) == 2 * len(made)
    paths = [change.path for change in desk.store.changes()]
    assert sorted(paths) == sorted(one.path for one in made)


def test_another_process_is_seen(desk: Desk) -> None:
    counts: list[int] = []
    inbox = desk.store.proposals
    inbox.changed.subscribe(counts.append)
    other = another(desk)
    propose(desk, "build.md", note_text("build", "we use bun"), inbox=other)
    assert inbox.look()
    assert not inbox.look()
    other.reject(other.waiting()[0].id)
    assert inbox.look()
    assert counts == [1, 0]


def test_a_full_disk_leaves_it_waiting(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    made = proposed(desk, "build.md", "we use bun")

    def full(*_given: object, **_named: object) -> None:
        raise OSError(28, os.strerror(28))

    with monkeypatch.context() as broken:
        broken.setattr("desktop.base.textio.os.fsync", full)
        with pytest.raises(KeepsakeError):
            desk.store.proposals.accept(made.id, desk.store)
    assert not (desk.root / "build.md").exists()
    assert [one.id for one in another(desk).waiting()] == [made.id]
    desk.store.proposals.accept(made.id, desk.store)
    assert "we use bun" in desk.store.read("build.md").text


# purge


def test_s12_a_purge_reaches_the_inbox(desk: Desk) -> None:
    words = "the launch word is zebra-4711 and nobody else knows it"
    desk.add("keep.md", "this one stays")
    desk.add("zebra.md", words)
    inbox = desk.store.proposals
    kept = proposed(desk, "other.md", "something that has nothing to do with it")
    propose(desk, "zebra.md", note_text("zebra", f"{words}\n\nand more"))
    rejected = propose(desk, "copy.md", note_text("copy", f"As was said: {words}"))
    assert rejected is not None
    inbox.reject(rejected.id)
    torn = inbox.folder / "prop_torn.json"
    torn.write_bytes(json.dumps({"schema": 1, "text": words}).encode()[:-2])
    purge(desk.store, "zebra.md", origin=PERSON)
    assert [one.id for one in inbox.waiting()] == [kept.id]
    for file in desk.paths.data.rglob("*"):
        assert not file.is_file() or words.encode() not in file.read_bytes(), file
    assert propose(desk, "copy.md", note_text("copy", f"As was said: {words}")) is None


def test_accepting_what_the_memory_says_already(desk: Desk) -> None:
    made = proposed(desk, "build.md", "we use bun")
    desk.add("build.md", "we use bun")
    stored = desk.store.read("build.md")
    change = desk.store.proposals.accept(made.id, desk.store, text=stored.text, over=stored.digest)
    assert not change.changed
    assert desk.store.proposals.take_back(made.id, desk.store, change_id=change.id) is None
    assert [one.id for one in desk.store.proposals.waiting()] == [made.id]
