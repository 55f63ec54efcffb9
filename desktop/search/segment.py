"""Words of a text as the index sees them. Owns the rules by which text is cut before it is indexed and before it is asked for. Pure.

SQLite's `unicode61` takes a run of Chinese characters for one word, so such runs are cut here into single characters and pairs (W-04);
everything else is left to it and to its stemmer. Names such as `parseHeader` are given in their parts too. Both sides use the same rules:
a change here needs a higher `FORM` in `schema.py`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from desktop.base.words import CJK

QUERY_CHARACTERS = 4_000
"""What is looked at of a question; what a person pastes beyond that adds no rare word that matters."""

_CJK = re.compile(f"[{CJK}]")
_CJK_RUN = re.compile(f"[{CJK}]+")
_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_CAMEL_WORD = re.compile(r"[^\W_]*(?:[a-z0-9][A-Z]|[A-Z]{2}[a-z])[^\W_]*")
_CAMEL_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_TOKEN = re.compile(f"[{CJK}]+|(?:(?![{CJK}])[^\\W_])+(?:[-_./:@#+'’]+(?:(?![{CJK}])[^\\W_])+)*")
_PART = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"[0-9]+")
_BEGINNING = re.compile(f"((?:(?![{CJK}])[^\\W_]){{3,}})\\*$")
LONGEST_BEGINNING = 60
_SIGN = re.compile("[\u2190-\u2bff\U0001f000-\U0001faff]")
"""Arrows, symbols and emoji: no letters for SQLite, but a person may look for one."""

_BROKEN = re.compile("[\x00\ud800-\udfff]")

HASH = re.compile(r"(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,64}")
"""A commit or digest: people write the whole of it or its beginning."""

_SHORT_HASHES = (7, 8, 9, 10, 12)
_MEASURE = re.compile(r"([0-9]+)([a-z]{1,5})")
_GROUPED = re.compile(r"(?<![^\W_])[0-9]{1,3}(?:[,'’][0-9]{3})+(?![^\W_])")
_AMOUNT = re.compile(r"[0-9]{4,12}")
"""250ms and 250 ms, 4500 and 4,500: one amount, cut in two by the index in one of its spellings."""


def _words(text: str) -> list[str]:
    return text.split()


STOP = frozenset(
    _words(
        """a about above after again against all also am an and any are as at be because been before being below between both but by can
        could d did do does doing don down during each few for from further get had has have having he her here hers herself
        him himself his how i if in into is it its itself just let ll m me more most my myself no nor not now of off on once
        only or other our ours ourselves out over own please re s same shall she should so some such t than that the their
        theirs them themselves then there these they this those through to too under until up us ve very was we were what
        when where which while who whom whose why will with would you your yours yourself yourselves"""
    )
)
"""English function and question words: they count little unless nothing else is left."""

TALK = frozenset(
    _words(
        """mention mentions mentioned conversation conversations chat chats session sessions discuss discussed discussion discussions
        order list item items aspect aspects throughout across brought bring walk summary summarize summarise comprehensive
        overview provide different various specific specifically earlier previously previous recall remember told five"""
    )
)
"""Words about a conversation rather than of it: they tell little about what is looked for."""

FUNCTION = frozenset(
    "一上下不与个为么之也了些什从他以们会但你其到去又及可吗吧呀呢和哪啊嘛在地她它对就很得怎我或把是有来的着给而能被要让谁过还这那都"
)
"""Chinese characters of grammar: a pair that holds one counts less."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a question.

    Attributes:
        match: the FTS5 string that finds it, quoted.
        shown: as the person wrote it, folded; for marks and for “why”.
        kind: `word`, `phrase` (several parts in a row: a path, a version), `pair` or `character` of a script without blanks, `sign`
            (an emoji or another symbol), `prefix` (the beginning of a word), `hash` (a digest or the beginning of one).
    """

    match: str
    shown: str
    kind: str


def clean(text: str) -> str:
    """`text` without what SQLite cannot hold: NUL and lone surrogates become blanks, so that offsets stay."""
    return _BROKEN.sub(" ", text) if _BROKEN.search(text) else text


def folded(text: str) -> str:
    """Full-width forms and ligatures as their plain ones, in lower case."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


def index_text(text: str) -> str | None:
    """What is given to the index in place of `text`; None when the text itself will do (plain text without CJK and joined names)."""
    if text.isascii():
        return f"{text} {_camel_parts(text)}" if _CAMEL.search(text) else None
    normal = unicodedata.normalize("NFKC", text)
    cut = _CJK_RUN.sub(lambda match: _cut_run(match.group()), normal)
    cut = _SIGN.sub(lambda match: f" {_sign(match.group())} ", cut)
    if _CAMEL.search(normal):
        cut = f"{cut} {_camel_parts(normal)}"
    if (folded_case := cut.casefold()) != cut.lower():
        cut = folded_case  # SQLite knows lower case only: ß would not be the ss of a question, nor ς the σ
    return None if cut == text else cut


def _cut_run(run: str) -> str:
    """A run of CJK as single characters and pairs, set off by blanks: 记忆力 → 记 忆 力 记忆 忆力."""
    return f" {' '.join(run)} {' '.join(map(''.join, pairwise(run)))} "


def _sign(character: str) -> str:
    return f"sign{ord(character)}"


def _camel_parts(text: str) -> str:
    """Parts of names such as parseHeader or HTTPServer."""
    return " ".join(part for word in _CAMEL_WORD.findall(text) for part in _CAMEL_PART.findall(word))


@lru_cache(maxsize=8)
def query_terms(query: str) -> tuple[Term, ...]:
    """The words of a question in their order; empty for no words at all."""
    return _with_beginning(query, tuple(_all_terms(unicodedata.normalize("NFKC", clean(query[:QUERY_CHARACTERS])))))


def _with_beginning(query: str, terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """`pack*` at the end of a question is the beginning of a word: what somebody typed so far."""
    match = _BEGINNING.search(query[-LONGEST_BEGINNING:])
    if match is None:
        return terms
    shown = folded(match[1])
    return (*(term for term in terms if term.shown != shown), Term(f'"{shown}"*', shown, "prefix"))


def _all_terms(query: str) -> list[Term]:
    terms: list[Term] = []
    for match in _TOKEN.finditer(query):
        token = match.group()
        if _CJK.match(token):
            terms += _cjk_terms(token.casefold())
        else:
            terms += _word_terms(token)
    return terms + _amounts(query) + [Term(f'"{_sign(sign)}"', sign, "sign") for sign in _SIGN.findall(query)]


def _cjk_terms(run: str) -> list[Term]:
    pairs = [Term(f'"{pair}"', pair, "pair") for pair in map("".join, pairwise(run))]
    return pairs + [Term(f'"{character}"', character, "character") for character in run]


def _word_terms(token: str) -> list[Term]:
    parts = _PART.findall(token)
    terms = [_hash_term(part.casefold()) or Term(f'"{part.casefold()}"', part.casefold(), "word") for part in parts]
    if len(parts) > 1:
        joined = " ".join(parts).casefold()
        possessive = len(parts) == 2 and parts[1].lower() in ("s", "t", "re", "ve", "ll", "d", "m")
        if not possessive:
            terms.append(Term(f'"{joined}"', token.casefold(), "phrase"))
    for part in parts:
        if _CAMEL.search(part):
            pieces = [piece.casefold() for piece in _CAMEL_PART.findall(part)]
            terms += [Term(f'"{piece}"', piece, "word") for piece in pieces]
            terms += [Term(f'"{" ".join(pieces)}"', " ".join(pieces), "phrase")] if len(pieces) > 1 else []
    return terms


def joined_names(query: str) -> list[tuple[str, list[str]]]:
    """Names such as getUserById in a question with their parts, folded."""
    normal = unicodedata.normalize("NFKC", clean(query[:QUERY_CHARACTERS]))
    names = [part for part in _PART.findall(normal) if _CAMEL.search(part)]
    return [(name.casefold(), [piece.casefold() for piece in _CAMEL_PART.findall(name)]) for name in names]


def _hash_term(word: str) -> Term | None:
    """A digest: found by its beginning where a text has all of it, and by all of it where a text has its beginning."""
    if not HASH.fullmatch(word):
        return None
    shorter = "".join(f' OR "{word[:length]}"' for length in _SHORT_HASHES if length < len(word))
    return Term(f'("{word}"*{shorter})', word, "hash")


def _amounts(query: str) -> list[Term]:
    """Amounts in the spellings that the question does not have."""
    terms = []
    tokens = query.casefold().split()
    for token, following in zip(tokens, [*tokens[1:], ""], strict=False):
        bare = token.strip(".,;:!?()$€£¥")
        if (match := _MEASURE.fullmatch(bare)) is not None:
            terms.append(Term(f'"{match[1]} {match[2]}"', f"{match[1]} {match[2]}", "phrase"))
        elif bare.isdecimal() and bare.isascii() and (match := _MEASURE.fullmatch(f"{bare}{following.strip('.,;:!?()')}")) is not None:
            terms.append(Term(f'"{match[0]}"', match[0], "word"))
        if _AMOUNT.fullmatch(bare):
            spaced = f"{int(bare):,}".replace(",", " ")
            terms.append(Term(f'"{spaced}"', spaced, "phrase"))
    for match in _GROUPED.finditer(query):
        groups = _DIGITS.findall(match.group())
        terms += [Term(f'"{" ".join(groups)}"', match.group(), "phrase"), Term(f'"{"".join(groups)}"', "".join(groups), "word")]
    return terms


def is_function(term: Term) -> bool:
    """Whether a pair or character belongs to grammar."""
    return any(character in FUNCTION for character in term.shown)


def is_stop(term: Term) -> bool:
    """Whether it is an English function word."""
    return term.kind == "word" and term.shown in STOP


def is_telling(term: Term) -> bool:
    """Whether finding this word alone makes a hit."""
    if term.kind == "word":
        return term.shown not in STOP and term.shown not in TALK
    return term.kind in ("phrase", "prefix", "sign", "hash") or (term.kind == "pair" and not is_function(term))


def language_of(text: str) -> str:
    """`cjk` when a fifth of the letters are of scripts without blanks, else `en` (any other)."""
    head = text[:2_000]
    if head.isascii():
        return "en"
    wide = len(_CJK.findall(head))
    if not wide:
        return "en"
    letters = sum(1 for c in head if c.isalpha())
    return "cjk" if wide * 5 >= letters else "en"
