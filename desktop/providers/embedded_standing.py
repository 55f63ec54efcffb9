"""Which sentences of a message stand: not the lines that a program printed, not what the person takes back in the same message.

Beside `own_words`, which knows pasted blocks by their heads: here a line is told by its make (a time, a level, an address, columns of
spaces), for output that was pasted bare. Only for statements and rules: what a person asks to remember in words always stands. Pure,
linear time; knows nothing of memory.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop.base.words import cjk_characters
from desktop.providers.embedded_sentences import Sentence, is_chinese

_PRINTED = re.compile(
    r"(?i)^\s*(?:"
    r"\[?\d{4}-\d\d-\d\d[t ]\d\d:\d\d|\[?\d\d:\d\d:\d\d\b|(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r" +\d{1,2} \d\d:\d\d:\d\d|\d{1,3}(?:\.\d{1,3}){3} - |"
    r"(?:[\w./\\-]+[/\\])?[\w-]+\.\w{1,5}(?::\d+|\(\d+)[:,)]?\S*(?:\s|$)|/\S+:\d+(?:\s|$)|"
    r"\[?(?:error|fatal|debug|trace)(?:\[\w+\])?\]?:\s|"
    r"[a-z.]*[a-z](?:error|exception|warning)\b:|caused by:|exception in thread\b|goroutine \d|\[signal \w|panic:|"
    r"at [\w$.<>]+\(.*\)$|file \".+\", line \d|\w[\w.*()]*\(0x[\da-f]+|#\d+ +0x|--> |={3,}|-{3,}|\+[-+]+\+?$|\|.*\|$|\.{3} \d+ more|"
    r"(?:epoch|iter(?:ation)?|batch) \[?\d+ ?[/:\]]|\d{1,3}%\||drwx|-rw|(?-i:FAILED|PASSED|SKIPPED|PASS|FAIL)\s+[\w./-]*[/.:]\w|"
    r"npm (?:err|warn)|\d+ (?:passed|failed|warnings?|errors?)\b.* in [\d.]+ ?s|query ok,|plan: \d"
    r")"
)
_ADDRESS = re.compile(r"(?i)\b0x[\da-f]{8,}\b|\b\w+=0x[\da-f]+")
_PAIR = re.compile(r"(?<!\S)[\w.-]+=(?!=)\S")
_COLUMN = re.compile(r"\S(?: {2,}|\t+)(?=\S)")
FEWEST_COLUMNS = 2
"""Gaps of several spaces that make a line one of a table, in a message of several such lines."""

_TAKES_BACK = re.compile(
    r"(?i)^(?:(?:oh|ah|hm+|uh|sorry|but|ok|and|actually)\b[\s,.!…-]*)*(?:no,? wait|wait,? no|scratch (?:that|this|it)"
    r"|(?:please )?(?:ignore|disregard|forget|strike) (?:that|this|it|what i (?:just )?(?:said|wrote))(?=\s*(?:$|[,.!;…—-]))"
    r"|i(?:['’]m| am)? ?(?:just )?(?:mix(?:ed|ing)?|confus(?:ed|ing)|mistook) (?:it|that|this|them|up|things)\b"
    r"|(?:that|it|this)(?:['’]s| is| was) (?:from |at |for |in )?my (?:old|last|previous|former) (?:company|job|team|project|employer)"
    r"|i misremember(?:ed)?)\b"
    r"|^(?:呃|啊|哦|嗯+|等等|等下|抱歉|不好意思|不|哎呀?|[\s，,。])*(?:不对[，,\s]*)?(?:我)?(?:说错|记错|搞混|弄混|记混|说反|写错)了"
    r"|^(?:等等|等下|不)?[，,\s]*(?:当我没说|别当真|忽略(?:这句|上面|刚才)|那是(?:以前|上家|前公司|前东家|别的(?:项目|组)))"
)
_MIDWAY = re.compile(
    r"(?i)[,，.。…—–-]\s*(?:no,? wait|wait,? no|scratch that|(?:不对[，,\s]*)?(?:说错|记错|搞混|弄混|记混)了|当我没说)(?=$|[\s,，.。!！…:])"
)
_EXPLICIT = re.compile(
    r"(?i)\b(?:remember|memori[sz]e|memory|keep in mind|bear in mind|forget (?!that\b|this\b|it\b)|note (?:that|down))\b"
    r"|记住|记得|记下|记一下|备忘|别忘|忘掉"
)


def without_output(text: str) -> str:
    """A message without the lines that a program printed; a line between two such lines is one of them unless it is Chinese."""
    lines = text.split("\n")
    columns = [len(_COLUMN.findall(line.strip())) >= FEWEST_COLUMNS for line in lines]
    table = sum(columns) >= 2
    printed = [_is_printed(line) or (table and column) for line, column in zip(lines, columns, strict=True)]
    for at in range(1, len(lines) - 1):
        printed[at] = printed[at] or (printed[at - 1] and printed[at + 1] and not cjk_characters(lines[at]))
    return "\n".join(line for line, gone in zip(lines, printed, strict=True) if not gone)


def _is_printed(line: str) -> bool:
    if is_chinese(line) or _EXPLICIT.search(line):
        return False
    pairs = len(_PAIR.findall(line))
    return bool(_PRINTED.match(line) or _ADDRESS.search(line)) or (pairs >= 2 and 2 * pairs >= len(line.split()))


def standing(found: Sequence[Sentence]) -> list[Sentence]:
    """The sentences that are not taken back in the same message: by the sentence behind them, or in their own second half."""
    kept: list[Sentence] = []
    for at, sentence in enumerate(found):
        behind = found[at + 1] if at + 1 < len(found) else None
        gone = (behind is not None and _takes_back(behind)) or _MIDWAY.search(sentence.masked) is not None
        if not gone or _EXPLICIT.search(sentence.masked):
            kept.append(sentence)
    return kept


def _takes_back(sentence: Sentence) -> bool:
    return _TAKES_BACK.match(sentence.masked) is not None
