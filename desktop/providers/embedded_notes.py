"""What is remembered already, as the small model's adaptor sees it: the same fact, an older form of it, the note that a person means.

Also makes the text and the name of a new note. Compares words by script (words, and pairs of CJK characters). Pure; writes nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from desktop.base.redact import find_secrets
from desktop.base.words import CJK
from desktop.providers.embedded_guards import Fact
from desktop.providers.embedded_sentences import one_line

LONGEST_NAME = 48
LONGEST_DESCRIPTION = 120
SAME = 0.9
CLEAR = 0.5
"""Share of the wanted words that a note must hold to be the one that is meant …"""
LEAD = 0.25
"""… and by how much it must be ahead of the next."""

_LINK = re.compile(r"\[(?P<title>[^\]\n]{1,200})\]\((?P<path>[^)\n]{1,300})\)(?P<hook>.*)")
_FRONTMATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(?P<head>.*?)\r?\n---[ \t]*(?:\r?\n|\Z)(?P<body>.*)\Z", re.S)
_KEYWORDS = re.compile(r"(?m)^(?P<key>[ \t]*keywords:[ \t]*)(?P<list>\[.*\])[ \t]*$")
_FIELD = re.compile(r"(?m)^(?P<key>name|description):[ \t]*(?P<value>.*)$")
_CJK_RUN = re.compile(f"[{CJK}]+")
_WORD = re.compile(r"[a-z0-9_][a-z0-9_.+#-]*[a-z0-9_+#]|[a-z0-9_]")
_LINE_NUMBER = re.compile(r"(?m)^[ \t]*\d+(?:\t|→|[ ]?\|[ ]?|: )")
_STOP = frozenset(
    re.split(
        r"\s+",
        """a an the of to in on at for by with and or is are was were be been it its this that these those we our you
        your i my me us they their he she do does did not no as from into about so if then than there here
        will would should can could may must have has had what which who whom how when where why please
        remember always never now also just use uses used using get got make made any all some""",
    )
)
_ZH_STOP = re.compile(
    r"我们|咱们|你们|我的|你的|的|了|吗|呢|吧|是|在|都|要|请|和|与|就|把|被|以后|一律|总是|不要|什么|怎么|哪个"
    r"|哪些|关于|有关|记住"
)
_SUBJECT_EN = re.compile(
    r"(?i)^(?P<subject>.+?)\s+(?:is|are|was|will be|should be|must be|uses?|runs|listens|lives|starts|ends|equals|=)\s+(?P<value>\S.*)$"
)
_SUBJECT_ZH = re.compile(r"^(?P<subject>.{1,24}?)(?P<value>(?:是|为|叫|在|用|使用|采用|改为|改成|改用|等于|：)\s*\S.*)$")
_HEAD_EN = re.compile(
    r"(?i)^(?:called|named|at|on|in|to|for|by|with|from|the|a|an|not|only|written|hosted|owned|used"
    r"|port)\b(?:\s+(?:in|by|on|at|as|for|port)\b)?"
)
_HEAD_ZH = re.compile(r"^(?:是|为|叫|在|用|使用|采用|改为|改成|改用|等于|：)")
_REPLACED = re.compile(
    r"(?i)\b(?:instead of|rather than|in place of|replac(?:es|ing)|not|no longer(?: use)?|(?:switched|moved"
    r"|changed|migrated) from)\s+(?P<old>[\w.+#@/-]+)|(?:而不是|不再用|不用|代替|取代|替换|弃用|换掉)(?P<zh>[\w.+#@/-]+)"
)
_ADDRESS = re.compile(r"\w+://\S+")
_RESERVED = frozenset({"memory", "index", "con", "prn", "aux", "nul", "readme"})
_PLAIN_NAME = re.compile(r"[^\W\d_][\w-]*\Z")
_YAML_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n", "none"})


@dataclass(frozen=True, slots=True)
class KnownNote:
    """A note that exists: its file relative to the root, name, description, and its body where it was given."""

    path: str
    name: str
    description: str
    body: str

    @property
    def words(self) -> str:
        return f"{self.name.replace('-', ' ')} {self.description} {self.body}"


# --- words --------------------------------------------------------------------------------------------------------------


def terms(text: str) -> frozenset[str]:
    """Content words of spaced scripts, and pairs of neighbouring CJK characters (a lone one counts as itself)."""
    text = unicodedata.normalize("NFKC", text).casefold()
    found = {_stem(w) for w in _WORD.findall(text) if w not in _STOP}
    for run in _CJK_RUN.findall(_ZH_STOP.sub(" ", text)):
        found |= {run} if len(run) == 1 else {run[i : i + 2] for i in range(len(run) - 1)}
    return frozenset(found)


def _stem(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _plain(text: str) -> str:
    """For comparing whether two sentences say the same, letter for letter but for case, spaces and punctuation."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())


def overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """Shared terms over all terms."""
    return len(first & second) / len(first | second) if first and second else 0.0


# --- what is known ------------------------------------------------------------------------------------------------------


def split_note(text: str) -> tuple[str, str, str]:
    """(name, description, body) of a note's text; a note without frontmatter is all body."""
    match = _FRONTMATTER.match(text)
    if not match:
        return "", "", text.strip()
    fields = {m.group("key"): m.group("value").strip().strip("\"'") for m in _FIELD.finditer(match.group("head"))}
    return fields.get("name", ""), fields.get("description", ""), match.group("body").strip()


def index_entry(line: str) -> tuple[str, str, str] | None:
    """(path, title, hook) of an index line, or None when the line links to no file."""
    match = _LINK.search(line)
    if not match or "://" in match.group("path"):
        return None
    return match.group("path").strip(), match.group("title").strip(), match.group("hook").strip(" \t—–-:")


def known_notes(index: Sequence[str], notes: Sequence[tuple[str, str]]) -> list[KnownNote]:
    """What a request says about memory: the notes with their text first, then those of which only the index line is known."""
    found: dict[str, KnownNote] = {}
    for path, text in notes:
        name, description, body = split_note(text)
        stem = path.rsplit("/", 1)[-1].removesuffix(".md")
        found[path] = KnownNote(path, name or stem, description, body)
    for line in index:
        entry = index_entry(line)
        if entry and entry[0] not in found:
            found[entry[0]] = KnownNote(entry[0], entry[1], entry[2], "")
    return list(found.values())


def same_fact(fact: str, known: Sequence[KnownNote]) -> KnownNote | None:
    """The note that says this already."""
    plain, wanted = _plain(fact), terms(fact)
    for note in known:
        said = [note.description, *(note.body.splitlines() if note.body else [])]
        if plain and any(_plain(s) == plain for s in said if s):
            return note
        if len(wanted) >= 3 and note.body and overlap(wanted, terms(note.body)) >= SAME and _numbers(fact) == _numbers(note.body):
            return note
    return None


def _numbers(text: str) -> list[str]:
    return sorted(re.findall(r"\d+", text))


def _claim(fact: str) -> tuple[frozenset[str], str, str]:
    """(subject, how the value is joined to it, value) of a sentence like “our X is Y”; an empty subject when it is no such sentence."""
    first = one_line(fact.split("\n", 1)[0])
    match = _SUBJECT_EN.match(first) or _SUBJECT_ZH.match(first)
    if not match:
        return frozenset(), "", ""
    value = match.group("value")
    head = _HEAD_EN.match(value) or _HEAD_ZH.match(value)
    return terms(match.group("subject")), head.group().casefold() if head else "", value[head.end() :].strip() if head else value


def _contradicts(fact: str, said: str) -> bool:
    """Both say of the same subject, in the same form, what it is: only one can hold. “X is called A” and “X is at B” both can."""
    subject, head, value = _claim(fact)
    other, other_head, other_value = _claim(said)
    if not subject or subject != other or head != other_head:
        return False
    alike = bool(_numbers(value)) == bool(_numbers(other_value)) and abs(len(value) - len(other_value)) <= 40
    return alike and (len(subject) >= 2 or bool(head) or bool(_numbers(value)))


def older_form(fact: str, known: Sequence[KnownNote]) -> KnownNote | None:
    """The one note that this fact corrects: the same subject with another value, or the thing that it says is replaced."""
    same = [n for n in known if _contradicts(fact, n.body or n.description)]
    if len(same) == 1:
        return same[0]
    old = {(m.group("old") or m.group("zh")).casefold() for m in _REPLACED.finditer(fact)}
    holding = [n for n in known if old & {w.casefold() for w in re.findall(r"[\w.+#@/-]+", f"{n.body} {n.description}")}]
    return holding[0] if len(holding) == 1 else None


def meant(target: str, known: Sequence[KnownNote]) -> tuple[KnownNote | None, list[KnownNote]]:
    """The note that a person means by `target` when that is clear, and the candidates, best first."""
    plain = _plain(target)
    named = [n for n in known if plain and plain in (_plain(n.name), _plain(n.path.removesuffix(".md")))]
    if len(named) == 1:
        return named[0], named
    wanted = terms(target)
    if not wanted:
        return None, []
    scored = sorted(((len(wanted & terms(n.words)) / len(wanted), n) for n in known), key=lambda pair: -pair[0])
    candidates = [(score, note) for score, note in scored if score > 0]
    if not candidates:
        return None, []
    ahead = candidates[0][0] - (candidates[1][0] if len(candidates) > 1 else 0.0)
    clear = candidates[0][0] >= CLEAR and ahead >= LEAD
    return (candidates[0][1] if clear else None), [n for _, n in candidates[:5]]


# --- a new note ---------------------------------------------------------------------------------------------------------


def slug(text: str) -> str:
    """Letters and digits of any script, joined by hyphens, lower case, at most 48 characters."""
    text = unicodedata.normalize("NFKC", text).casefold()
    joined = re.sub(r"-{2,}", "-", "".join(c if c.isalnum() else "-" for c in text)).strip("-")
    return joined[:LONGEST_NAME].strip("-")


def checked_name(proposed: str, fact: str) -> str | None:
    """The model's name for a note if it will do: a slug about the fact, no secret; else None."""
    name = slug(proposed)
    if len(name) < 2 or name in _RESERVED or find_secrets(proposed) or find_secrets(name.replace("-", "")):
        return None
    about, said = terms(name.replace("-", " ")), terms(fact)
    wide = bool(_CJK_RUN.search(fact))
    if not wide and _CJK_RUN.search(name):  # a Chinese name for an English fact cannot be found again by its own words
        return None
    if not about or (not (about & said) and not (wide and name.isascii())):
        return None
    if set(_numbers(name)) - set(_numbers(fact)):
        return None
    return without_value(name, fact)


def without_value(name: str, fact: str) -> str:
    """The name without what the fact says of its subject: “package-manager-bun” would be wrong once it is another one."""
    subject, head, value = _claim(fact)
    if not subject:
        return name
    said = terms(value)
    words = [w for w in name.split("-") if not terms(w) or terms(w) & subject or not terms(w) <= said]
    kept = "-".join(words)
    plain = _plain(head + value)
    for length in range(min(len(kept) - 2, len(plain)), 1, -1):
        tail, before = kept[-length:], kept[-length - 1]
        if tail in plain and (_CJK_RUN.fullmatch(tail) or (tail.isascii() and not before.isascii())):
            kept = kept[:-length].rstrip("-")
            break
    return kept if len(kept) >= 2 and kept not in _RESERVED else name


def made_name(fact: str) -> str:
    """A name made by code: the first content words, or the first characters of a Chinese sentence."""
    first = _ADDRESS.sub(" ", fact.split("\n", 1)[0])
    for hit in find_secrets(first):
        first = first[: hit.start] + " " + first[hit.end :]
    if _CJK_RUN.search(first):
        claim = _SUBJECT_ZH.match(first)
        subject = slug(_ZH_STOP.sub("", claim.group("subject"))) if claim else ""
        kept = subject if len(subject) >= 2 else slug(_ZH_STOP.sub("", first))[:16].strip("-")
    else:
        words = [w for w in re.findall(r"\w+", unicodedata.normalize("NFKC", first).casefold()) if w not in _STOP]
        kept = slug(" ".join(words[:4]))
    if len(kept) < 2 or kept in _RESERVED:
        return "note-" + hashlib.sha256(fact.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return without_value(kept, fact)


def free_name(name: str, known: Sequence[KnownNote], taken: Sequence[str] = ()) -> str:
    """`name`, or the next with a number, so that no other fact is overwritten."""
    used = {n.path.casefold() for n in known} | {f"{t}.md".casefold() for t in taken}
    candidate, number = name, 2
    while f"{candidate}.md".casefold() in used:
        candidate, number = f"{name[: LONGEST_NAME - 4]}-{number}", number + 1
    return candidate


def description_of(fact: str) -> str:
    """One line in the person's own words, cut at a word when it is long."""
    line = one_line(fact)
    if len(line) <= LONGEST_DESCRIPTION:
        return line
    cut = line[: LONGEST_DESCRIPTION - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > LONGEST_DESCRIPTION // 2 else cut) + "…"


def checked_keywords(proposed: object, fact: str) -> tuple[str, ...]:
    """Up to six short words that help to find the note in the other language; anything odd is dropped."""
    if not isinstance(proposed, list):
        return ()
    kept: dict[str, None] = {}
    for value in proposed:
        word = one_line(value) if isinstance(value, str) else ""
        if (
            1 < len(word) <= 30
            and not find_secrets(word)
            and re.fullmatch(r"[\w .+#/-]+", word)
            and not set(_numbers(word)) - set(_numbers(fact))
        ):
            kept[word] = None
    return tuple(kept)[:6]


def _yaml_name(name: str) -> str:
    return name if _PLAIN_NAME.match(name) and name not in _YAML_WORDS else json.dumps(name, ensure_ascii=False)


def note_text(name: str, fact: Fact, keywords: Sequence[str] = ()) -> str:
    """A whole note: frontmatter, then the person's own words."""
    lines = [
        "---",
        f"name: {_yaml_name(name)}",
        f"description: {json.dumps(description_of(fact.text), ensure_ascii=False)}",
        "metadata:",
        f"  type: {fact.type}",
        "  explicit: true",
    ]
    if keywords:
        lines.append(f"  keywords: {json.dumps(list(keywords), ensure_ascii=False)}")
    return "\n".join([*lines, "---", "", fact.text, ""])


def shown_text(output: str) -> str:
    """A file's text from what the Read tool showed: without the line numbers in front."""
    lines = output.splitlines()
    if lines and sum(1 for line in lines if _LINE_NUMBER.match(line)) >= max(1, len(lines) - 2):
        return "\n".join(_LINE_NUMBER.sub("", line, count=1) for line in lines if _LINE_NUMBER.match(line))
    return output


def _kept_keywords(line: re.Match[str], old: str, new: str) -> str:
    """A line of keywords of our own form without those that belonged to the old words only."""
    try:
        words = json.loads(line.group("list"))
    except ValueError:
        return line.group()
    before, now = _plain(old), _plain(new)
    kept = [w for w in words if isinstance(w, str) and (_plain(w) not in before or _plain(w) in now)]
    return f"{line.group('key')}{json.dumps(kept, ensure_ascii=False)}"


def updated_text(old: str, fact: Fact, name: str) -> str:
    """An existing note with the new fact in place of its body, and everything else of its frontmatter as it was."""
    match = _FRONTMATTER.match(old)
    if not match:
        return note_text(name, fact)
    description = json.dumps(description_of(fact.text), ensure_ascii=False)
    head, count = re.subn(r"(?m)^description:.*(?:\n[ \t]+\S.*)*$", lambda _: f"description: {description}", match.group("head"), count=1)
    if not count:
        head += f"\ndescription: {description}"
    head = _KEYWORDS.sub(lambda m: _kept_keywords(m, match.group("body"), fact.text), head)
    return f"---\n{head}\n---\n\n{fact.text}\n"
