"""The strength of Chinese letters is told to the font library once, and to nothing else."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from PySide6.QtGui import QFontDatabase

from desktop.app.font_rendering import STRENGTH, VARIABLE, lighter_stems

INK = """
import os, sys
from PySide6.QtGui import QColor, QFont, QImage, QPainter
from desktop.app import main
app = main.make_qt_application()
from desktop.ui import theme
theme.apply(app, "dark")
theme.apply(app, "light")
image = QImage(300, 40, QImage.Format.Format_RGB32)
image.fill(QColor("black"))
painter = QPainter(image)
font = QFont(["Noto Sans CJK SC"])
font.setPixelSize(13)
painter.setFont(font)
painter.setPen(QColor("white"))
painter.drawText(10, 25, "记忆会话工作区设置")
painter.end()
print(sum(image.pixelColor(x, y).red() for x in range(300) for y in range(40)), os.environ.get("FREETYPE_PROPERTIES", "-"))
"""


def test_the_variable_is_there_for_the_block_only() -> None:
    environ: dict[str, str] = {}
    with lighter_stems(environ):
        assert environ == {VARIABLE: STRENGTH}
    assert environ == {}


def test_what_the_person_set_stays() -> None:
    environ = {VARIABLE: "truetype:interpreter-version=35"}
    with lighter_stems(environ):
        assert environ == {VARIABLE: "truetype:interpreter-version=35"}
    assert environ == {VARIABLE: "truetype:interpreter-version=35"}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems draw with their own library")
def test_chinese_on_a_dark_ground_is_drawn_lighter(qapp: object) -> None:
    if "Noto Sans CJK SC" not in QFontDatabase.families():
        pytest.skip("the font is not installed")
    own, _ = _ink({})
    thick, kept = _ink({VARIABLE: "cff:darkening-parameters=500,400,1000,275,1667,275,2333,0"})
    assert own < 0.95 * thick
    assert kept.startswith("cff:")
    assert _ink({})[1] == "-"


def _ink(more: dict[str, str]) -> tuple[int, str]:
    environ = {name: value for name, value in os.environ.items() if name != VARIABLE} | {"QT_QPA_PLATFORM": "offscreen"} | more
    done = subprocess.run([sys.executable, "-c", INK], env=environ, capture_output=True, text=True, check=True, timeout=60)
    drawn, left = done.stdout.split()
    return int(drawn), left
