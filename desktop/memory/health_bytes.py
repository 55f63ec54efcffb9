"""Files whose bytes are no text: what they say in another encoding, without the NUL bytes of a crash, or as they were before.

Owns the guess of an encoding, which is made only where it leaves no byte over, and which older version is a good one. Pure; any thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_NUL = b"\x00"
_CJK_MARKS = frozenset("，。、；：？！（）《》「」『』“”‘’—…·")
_COMMON = frozenset(
    "的一是不了在人有我他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生自会那后能对着事其里所去行过家十用发天如然作方成者"
    "多日都三小军二无同么经法当起与好看学进种将还分此心前面又定见只主没公从使这個們來時會說國對為後過還沒發經這學進種將當樣開關門問"
    "数据库部署默认版本必须测试服务器项目文件代码編碼資料數據認證測試伺服檔案請設週每端口接"
)
"""Characters that nearly every Chinese text has some of; which of two encodings of the same bytes reads as one is told by them."""

_HALFWIDTH = re.compile("[\uff61-\uff9f]")
SCORED = 200_000
"""Characters of a text by which its encoding is judged; all of it has to be in that."""
LEAST_SCORE = 0.5
"""Share of a text's letters beyond ASCII that have to be what its encoding is used for."""


def has_nul(data: bytes) -> bool:
    """Whether a file that is no UTF-16 holds NUL bytes."""
    return _NUL in data and not data.startswith((b"\xff\xfe", b"\xfe\xff"))


def is_text(data: bytes) -> bool:
    """Whether bytes are a text as memories are: UTF-8 or marked UTF-16, without a NUL."""
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8"
    try:
        return "\x00" not in data.decode(encoding)
    except UnicodeDecodeError:
        return False


def as_utf8(data: bytes) -> bytes | None:
    """The same text in UTF-8; None when it is that already or says nothing. Nothing is left out but half a character at a torn end."""
    if is_text(data):
        return None
    text = _of_wide(data)
    if text is None and _NUL not in data:
        text = _of_mended(data) or _of_regional(data) or _western(data)
    return text.encode("utf-8") if text is not None and text.strip("\x00 \r\n\t") else None


def without_nul(data: bytes) -> bytes | None:
    """The file without the NUL bytes that a crash left; None when nothing that says something remains."""
    if not has_nul(data) or _of_wide(data) is not None:
        return None
    left = data.replace(_NUL, b"")
    return left if left.strip() else None


def good_version(versions: Iterable[bytes], now: bytes) -> bytes | None:
    """The newest of some older versions that is a text and says something."""
    return next((one for one in versions if one != now and one.strip() and is_text(one)), None)


def _of_wide(data: bytes) -> str | None:
    """UTF-16 without its mark, or with it and a torn end: every second byte of its plain letters is NUL."""
    marked = next((name for mark, name in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")) if data.startswith(mark)), None)
    if marked is not None:
        body = data[2:]
        try:
            return body[: len(body) & ~1].decode(marked) if len(body) % 2 else None
        except UnicodeDecodeError:
            return None
    if _NUL not in data or len(data) % 2 or len(data) < 4:
        return None
    zeros = (data[1::2].count(0), data[::2].count(0))
    name = "utf-16-le" if zeros[0] > zeros[1] else "utf-16-be"
    if max(zeros) * 20 < len(data) or min(zeros) * 50 > len(data):
        return None
    try:
        text = data.decode(name)
    except UnicodeDecodeError:
        return None
    odd = sum(1 for sign in text if not (sign.isprintable() or sign in "\r\n\t"))
    return None if "\x00" in text or odd * 50 > len(text) else text


def _of_mended(data: bytes) -> str | None:
    """UTF-8 with a few single bytes of a Western encoding in it: what is UTF-8 stays, the others are read by themselves."""
    text = data.decode("utf-8", "surrogateescape")
    wide = sum(1 for sign in text if ord(sign) > 0x7F)
    bad = sum(1 for sign in text if 0xDC80 <= ord(sign) <= 0xDCFF)
    if (wide - bad) < max(2 * bad, 1):
        return None
    return "".join(_western(bytes((ord(sign) - 0xDC00,))) if 0xDC80 <= ord(sign) <= 0xDCFF else sign for sign in text)


_QUOTES = {code: bytes((code,)).decode("cp1252", "replace") for code in range(0x80, 0xA0)}
_QUOTES = {code: sign for code, sign in _QUOTES.items() if sign != "\ufffd"}
"""What the codes that are controls in Latin-1 are in Windows' Western encoding, which leaves five of them open."""


def _western(data: bytes) -> str:
    return data.decode("latin-1").translate(_QUOTES)


def _of_regional(data: bytes) -> str | None:
    """Chinese, Japanese or Korean, by the one encoding in which the bytes read as a text."""
    best, found = LEAST_SCORE, None
    for name in ("gb18030", "big5", "shift_jis", "euc_jp", "euc_kr"):
        try:
            text = data.decode(name)
        except UnicodeDecodeError:
            continue
        score = _score(text[:SCORED], name)
        if score > best:
            best, found = score, text
    return found


def _score(text: str, name: str) -> float:
    """How far the letters beyond ASCII are those that texts in an encoding are made of: 0 to about 2."""
    wide = [sign for sign in text if ord(sign) > 0x7F]
    if not wide or (not text.isprintable() and any(not (sign.isprintable() or sign in "\r\n\t\u3000") for sign in text)):
        return 0.0
    marks = sum(1 for sign in wide if sign in _CJK_MARKS or "\uff01" <= sign <= "\uff5e")
    if name in ("gb18030", "big5"):
        hanzi = sum(1 for sign in wide if "\u4e00" <= sign <= "\u9fff")
        common = sum(1 for sign in wide if sign in _COMMON)
        return 0.0 if common * 12 < hanzi or not hanzi else (hanzi + marks) / len(wide) * 0.6 + common / hanzi
    if name == "euc_kr":
        hangul = sum(1 for sign in wide if "\uac00" <= sign <= "\ud7a3")
        return (hangul * 1.4 + marks) / len(wide) if hangul * 2 > len(wide) else 0.0
    kana = sum(1 for sign in wide if "\u3040" <= sign <= "\u30ff")
    hanzi = sum(1 for sign in wide if "\u4e00" <= sign <= "\u9fff")
    half = len(_HALFWIDTH.findall(text))
    return 0.0 if kana * 5 < len(wide) or half * 4 > len(wide) else (kana * 1.4 + hanzi + marks) / len(wide)
