"""Line endings of a file that is edited as `\\n` lines: what was not touched goes back exactly as it was. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ENDING = re.compile(r"\r\n|\r|\n|\u2029")


def plain(text: str) -> str:
    """`text` with every line end as `\\n`, as an editor shows it."""
    return _ENDING.sub("\n", text) if "\r" in text or "\u2029" in text else text


@dataclass(frozen=True, slots=True)
class LineEndings:
    """The endings of one text, in order; `usual` is the most frequent."""

    lines: tuple[str, ...]
    endings: tuple[str, ...]
    usual: str

    @classmethod
    def of(cls, text: str) -> LineEndings:
        endings = tuple(_ENDING.findall(text))
        usual = max(dict.fromkeys(endings), key=endings.count, default="\n")
        return cls(tuple(_ENDING.split(text)), endings, usual)

    def restore(self, edited: str) -> str:
        """The edited `\\n` text with the old endings on lines of its unchanged head and tail, and the usual one between."""
        if not self.endings or set(self.endings) == {"\n"}:
            return edited
        lines = edited.split("\n")
        most = min(len(lines), len(self.lines))
        head = next((at for at in range(most) if lines[at] != self.lines[at]), most)
        rest = most - head
        tail = next((at for at in range(rest) if lines[-1 - at] != self.lines[-1 - at]), rest)
        result = []
        for at, line in enumerate(lines[:-1]):
            if at < head and at < len(self.endings):
                ending = self.endings[at]
            elif at >= len(lines) - tail - 1:
                ending = self.endings[at - (len(lines) - len(self.lines))]
            else:
                ending = self.usual
            result.append(line + ending)
        restored = "".join(result) + lines[-1]
        return restored if plain(restored) == edited else edited.replace("\n", self.usual)
