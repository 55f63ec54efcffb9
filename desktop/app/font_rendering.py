"""How heavy the font library draws Chinese: tells it once, before the first letter, to thicken fonts with PostScript outlines less.

Qt lets FreeType thicken the stems of such fonts (Noto Sans CJK is one) and blends them with a gamma: light letters on a dark ground then
look bold, while the Latin letters beside them, with TrueType outlines, do not. FreeType takes its strength from the environment when its
first font is opened, and again only after the last one was closed: the application holds one open, and the variable does not stay for
the programs that are started later. GUI thread, once.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager

VARIABLE = "FREETYPE_PROPERTIES"
STRENGTH = "cff:darkening-parameters=500,150,1000,110,1667,110,2333,0"
"""Stem width and thickening in thousandths, four times; the library's own are 500,400,1000,275,1667,275,2333,0."""


@contextmanager
def lighter_stems(environ: MutableMapping[str, str]) -> Iterator[None]:
    """While the block makes the application and opens its first font. What the person has set for the library stays as it is."""
    if VARIABLE in environ:
        yield
        return
    environ[VARIABLE] = STRENGTH
    try:
        yield
    finally:
        environ.pop(VARIABLE, None)
