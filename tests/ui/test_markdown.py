"""Rendering of text that is not ours: nothing runs, loads or opens; nothing is slow; nothing hides."""

from __future__ import annotations

import errno
import os
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QColor, QDesktopServices, QTextBlock, QTextDocument, QTextOption
from pytestqt.qtbot import QtBot

from desktop.ui import theme
from desktop.ui.highlight import code_colours, highlight, language_of, tokens
from desktop.ui.markdown import MAX_CHARACTERS, SafeBrowser, body, fold, render, shown
from desktop.ui.safe_browser import LinkQuestion

CANARY = "{canary}"
PAYLOADS = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=file://{canary}></SCRIPT>",
    "<img src=file://{canary}>",
    "<img src='{canary}' onerror='alert(1)'>",
    "<img src=http://example.org/x.png>",
    "<img src=https://example.org/x.png>",
    "<img src=ftp://example.org/x.png>",
    "<img src=qrc:/x.png>",
    "<img src=\\\\\\\\host\\\\share\\\\x.png>",
    "<img src=data:image/png;base64,AAAA>",
    "![x](file://{canary})",
    "![x]({canary})",
    "![x](http://example.org/x.png)",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "![x][ref]\n\n[ref]: file://{canary}",
    "<iframe src=file://{canary}></iframe>",
    "<object data=file://{canary}></object>",
    "<embed src=file://{canary}>",
    "<link rel=stylesheet href=file://{canary}>",
    "<style>@import url(file://{canary});</style>",
    "<style>body {{ background-image: url(file://{canary}) }}</style>",
    "<p style='background-image:url(file://{canary})'>x</p>",
    "<table background='file://{canary}'><tr><td background='file://{canary}'>x</td></tr></table>",
    "<body background='file://{canary}'>x</body>",
    "<svg><image href='file://{canary}'/></svg>",
    "<svg onload=alert(1)>",
    "<math><mi xlink:href='javascript:alert(1)'>x</mi></math>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a onclick='alert(1)' href='https://example.org'>x</a>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](vbscript:msgbox(1))",
    "[x](file://{canary})",
    "[x](file:///etc/passwd)",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](qrc:/x)",
    "[x](\\\\\\\\host\\\\share)",
    "[x](//host/share)",
    "[x](smb://host/share)",
    "[x](ms-settings:)",
    "<file://{canary}>",
    "<javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    "<base href='file://{canary}'>",
    "<meta http-equiv=refresh content='0;url=file://{canary}'>",
    "<form action=http://example.org><input name=a></form>",
    "<video src=file://{canary}></video>",
    "<audio src=file://{canary}></audio>",
    "<source srcset=file://{canary}>",
    "<input type=image src=file://{canary}>",
    "<bgsound src=file://{canary}>",
    "<marquee onstart=alert(1)>x</marquee>",
    "<details open ontoggle=alert(1)>x</details>",
    "<div style='width: expression(alert(1))'>x</div>",
    "<xss style='behavior: url(file://{canary})'>",
    "<!--[if gte IE 4]><script>alert(1)</script><![endif]-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?php system('x') ?>",
    "```html\n<script>alert(1)</script><img src=file://{canary}>\n```",
    "`<img src=file://{canary}>`",
    "| <img src=file://{canary}> | [a](javascript:b) |\n|---|---|\n| x | y |",
    "> <img src=file://{canary}>",
    "\\<img src=file://{canary}\\>",
    '<a href="https://example.org" style="background:url(\'file://{canary}\')">x</a>',
]
TAGS = {
    "p",
    "br",
    "hr",
    "b",
    "strong",
    "i",
    "em",
    "s",
    "code",
    "pre",
    "blockquote",
    "ul",
    "ol",
    "li",
    "a",
    "font",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
}
ATTRIBUTES = {"href", "color", "start", "align", "width", "border", "cellspacing", "cellpadding", "bgcolor", "bordercolor"}


class Seen(HTMLParser):
    """Tags, attribute names and links of a piece of HTML."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name == "href"]


class Opened(QObject):
    """Stands in the place of the system's browser and keeps what would be opened."""

    def __init__(self) -> None:
        super().__init__()
        self.urls: list[str] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.urls.append(url.toString())


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_is_text_and_opens_nothing(payload: str, qtbot: QtBot, tmp_path: Path, dark: theme.Theme) -> None:
    canary = tmp_path / "canary"
    os.mkfifo(canary)  # who opens it for reading stays there and is seen
    source = payload.replace("{{", "{").replace("}}", "}").replace(CANARY, str(canary))
    html = body(source, dark)
    seen = Seen(html)
    assert seen.tags <= TAGS
    assert seen.attributes <= ATTRIBUTES
    for link in seen.links:
        assert re.match(r"^(https?:|mailto:|(?![a-zA-Z][a-zA-Z0-9+.-]*:)(?!//)(?!\\))", link), link
    browser = SafeBrowser()
    qtbot.addWidget(browser)
    browser.setHtml(render(source, dark))
    browser.resize(300, 200)
    browser.show()
    browser.grab()
    with pytest.raises(OSError) as nobody_reads:
        os.close(os.open(canary, os.O_WRONLY | os.O_NONBLOCK))
    assert nobody_reads.value.errno == errno.ENXIO


@pytest.mark.parametrize(
    "html", ["<img src='file://{0}'>", "<img src='{0}'>", "<link rel=stylesheet href='file://{0}'>", "<body background='{0}'>"]
)
def test_even_raw_html_loads_nothing_in_the_view(html: str, qtbot: QtBot, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    os.mkfifo(canary)
    browser = SafeBrowser()
    qtbot.addWidget(browser)
    browser.setSearchPaths([str(tmp_path)])
    browser.setHtml(html.format(canary))
    browser.setSource(QUrl.fromLocalFile(str(canary)))
    browser.grab()
    with pytest.raises(OSError):
        os.close(os.open(canary, os.O_WRONLY | os.O_NONBLOCK))


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("[a](https://example.org/x?a=1&b=2)", "https://example.org/x?a=1&b=2"),
        ("<https://example.org>", "https://example.org"),
        ("<person@example.org>", "mailto:person@example.org"),
        ("see https://example.org/a_b_c, and more", "https://example.org/a_b_c"),
        ("（见 https://example.org/路径）", "https://example.org/路径"),
        ("[note](package-manager.md)", "package-manager.md"),
        ("[note](topics/%E4%B8%AD.md)", "topics/%E4%B8%AD.md"),
        ("[top](#part)", "#part"),
    ],
)
def test_ordinary_links_stay(text: str, link: str, dark: theme.Theme) -> None:
    assert Seen(body(text, dark)).links == [link]


def test_an_address_inside_a_link_or_code_is_not_linked_twice(dark: theme.Theme) -> None:
    assert Seen(body("[https://a.example](https://b.example) `https://c.example`", dark)).links == ["https://b.example"]


def test_a_click_asks_with_the_whole_target_and_opens_only_on_yes(qtbot: QtBot, dark: theme.Theme) -> None:
    opened = Opened()
    QDesktopServices.setUrlHandler("https", opened, "take")  # type: ignore[arg-type]  # the stub wants bytes, the call text
    try:
        browser = SafeBrowser()
        qtbot.addWidget(browser)
        target = "https://bank.example@evil.example/" + "a" * 3_000 + "?end=1"
        browser.anchorClicked.emit(QUrl(target))
        question = browser.findChild(LinkQuestion)
        assert question is not None and question.isVisible()
        assert opened.urls == []
        assert target in question.text()
        assert "evil.example" in question.text().splitlines()[-1]
        question.cancel_button.click()
        assert opened.urls == []
        browser.anchorClicked.emit(QUrl(target))
        browser.findChildren(LinkQuestion)[-1].open_button.click()
        assert opened.urls == [target]
    finally:
        QDesktopServices.unsetUrlHandler("https")


def test_unseen_characters_and_homographs_are_shown_in_the_question(qtbot: QtBot) -> None:
    browser = SafeBrowser()
    qtbot.addWidget(browser)
    question = LinkQuestion(QUrl("https://ex\u0430mple.org/a\u202eb"), browser)
    text = question.target_text()
    assert "xn--" in text
    assert "\u202e" not in text


def test_file_links_are_never_offered_and_relative_ones_go_to_the_owner(qtbot: QtBot) -> None:
    browser = SafeBrowser()
    qtbot.addWidget(browser)
    asked: list[str] = []
    browser.relative_link_requested.connect(asked.append)
    for link in ("file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "//host/share", "ms-settings:"):
        browser.anchorClicked.emit(QUrl(link))
    assert browser.findChild(LinkQuestion) is None
    assert asked == []
    browser.anchorClicked.emit(QUrl("bun.md"))
    assert asked == ["bun.md"]


def test_control_bidi_and_zero_width_characters_are_visible(dark: theme.Theme) -> None:
    text = "a\u202eb\u200bc\x1b[31md\x00e\u2028f\ufeffg"
    assert shown(text) == "a\\u{202e}b\\u{200b}c\\u{1b}[31md\\u{0}e\\u{2028}f\\u{feff}g"
    html = body(text, dark)
    assert not re.search("[\u202e\u200b\x1b\x00\u2028\ufeff]", html)
    assert shown("\ufeffa\r\nb 中文 👩\u200d💻") == "a\nb 中文 👩\u200d💻"


def test_constructs_are_rendered(dark: theme.Theme) -> None:
    html = body("# T\n\n**b** *i* ~~s~~ `c`\n\n- x\n\n3. y\n\n| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n> q\n\n---\n", dark)
    for piece in ("<h1>T</h1>", "<strong>b</strong>", "<em>i</em>", "<s>s</s>", "<code>c</code>", "<li>x</li>", '<ol start="3">',
                  '<td align="center">1</td>', '<td align="right">2</td>', "<hr>"):  # fmt: skip
        assert piece in html
    assert "q" in html


def test_code_is_coloured_by_language_and_theme(dark: theme.Theme) -> None:
    light = theme.load("light")
    code = "```python\ndef f():\n    return 1  # 中文\n```"
    assert code_colours(True)["Keyword"] in body(code, dark)
    assert code_colours(False)["Keyword"] in body(code, light)
    assert "<font" not in body("```nosuchlanguage\ndef f()\n```", dark)
    assert highlight("<b>", "", dark) == "&lt;b&gt;"


def test_code_colours_can_be_read_on_the_code_ground() -> None:
    for name in ("dark", "light"):
        present = theme.load(name)
        ground = present.color("code")
        for kind, colour in code_colours(name == "dark").items():
            assert theme.contrast(QColor(colour), ground) >= 4.5, (name, kind)


@pytest.mark.parametrize("dark", [True, False])
def test_keywords_numbers_and_texts_have_colours_of_their_own(dark: bool) -> None:
    """None is the colour of plain text, and none is a grey that looks like it."""
    code = "import os\nif len(data) > 8 and not done:\n    raise Problem(413, 'too large')  # why\n"
    found = {code[start : start + length]: colour for start, length, colour in tokens(code, "python", dark)}
    for word in ("import", "if", "len", "8", "and", "not", "raise", "413", "too large", "# why"):
        colour = QColor(found[word])
        parts = colour.red(), colour.green(), colour.blue()
        assert max(parts) - min(parts) >= 30, word
    assert found["if"] == found["raise"] != found["and"] != found["8"]


def test_language_words() -> None:
    assert language_of("Python title=x") == "python"
    assert language_of("{.rust}") == "rust"
    assert language_of("") == ""
    assert list(tokens("a" * 5_000, "python", True)) == [], "a line that is too long is not coloured"


@pytest.mark.parametrize(
    "text",
    [
        ">" * 10_000 + " x",
        "\n".join(">" * n + " x" for n in range(1, 400)),
        "| a | b | c |\n|---|---|---|\n" + "| a | b | c |\n" * 70_000,
        "|" * 1_000 + "\n" + "|-" * 1_000 + "\n" + "|" * 50_000,
        "[" * 300_000,
        "[a](" * 150_000,
        "![[" * 100_000,
        "*a_ " * 150_000,
        "`" * 100_000,
        "<a " * 200_000,
        "\n".join("  " * n + "- x" for n in range(400)),
        "[a]: x\n" * 80_000,
        "word " * 200_000,
        "中文" * 500_000,
        "QUJD" * 262_144,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_hostile_input_gives_a_bounded_document(text: str, qtbot: QtBot, dark: theme.Theme) -> None:
    """Quotes nested 10,000 deep once took Qt 337 s; the bounds here are what keeps it under 0.2 s."""
    html = render(text, dark)
    assert len(html) < 12 * MAX_CHARACTERS
    assert html.count("<table") < 300
    assert html.count("<td") < 4_000
    depth = deepest = 0
    for tag in re.findall(r"</?table", html):
        depth += 1 if tag == "<table" else -1
        deepest = max(deepest, depth)
    assert deepest <= 3
    browser = SafeBrowser()
    qtbot.addWidget(browser)
    browser.setHtml(html)
    browser.document().setTextWidth(400)
    assert browser.document().size().height() > 0


def test_folding_says_how_much_is_hidden() -> None:
    line = fold("x" * 500_000 + "\nshort")
    assert line.hidden > 400_000
    assert len(line.text) < 1_000
    assert fold("word " * 100).hidden == 0
    cut = fold("a\n" * 20_000, limit=1_000)
    assert len(cut.text) + cut.hidden == 40_000
    base64 = fold("before\n" + "QUJD" * 1_000 + "\nafter")
    assert base64.text.startswith("before\nQUJD") and base64.text.endswith("after")
    assert base64.hidden == 4_000 - 400


def _table(columns: int, cell: str = "value") -> str:
    row = "|" + "|".join([cell] * columns) + "|"
    return f"{row}\n|" + "---|" * columns + f"\n{row}\n"


def _laid_out(text: str, dark: theme.Theme, width: int) -> QTextDocument:
    document = QTextDocument()
    option = document.defaultTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    document.setDefaultTextOption(option)
    document.setHtml(render(text, dark))
    document.setTextWidth(width)
    return document


def test_a_table_of_many_columns_breaks_no_word_and_is_wider_than_the_chat(dark: theme.Theme) -> None:
    document = _laid_out(_table(14, "value 3.12 text"), dark, 380)
    assert document.idealWidth() > 380, "it is scrolled sideways"
    block = document.begin()
    while block.isValid():
        if "value" in block.text():
            assert block.layout().lineCount() == 1, block.text()
        block = block.next()


def test_a_long_cell_of_such_a_table_wraps_in_a_column_that_can_be_read(dark: theme.Theme) -> None:
    long = "some words that go on for quite a while and would make the table endless " * 3
    document = _laid_out(_table(6, long), dark, 380)
    assert document.idealWidth() < 6 * 260
    lines = [block.layout().lineCount() for block in _blocks(document) if "words" in block.text()]
    assert lines and max(lines) < 25


def _blocks(document: QTextDocument) -> list[QTextBlock]:
    found, block = [], document.begin()
    while block.isValid():
        found.append(block)
        block = block.next()
    return found


def test_a_table_of_few_columns_is_as_wide_as_there_is_room(dark: theme.Theme) -> None:
    assert "short" not in body(_table(4), dark) and "width=" not in body(_table(4), dark)


def test_tasks_have_boxes(dark: theme.Theme) -> None:
    html = body("- [ ] open\n- [x] done\n- [y] none\n- [link](https://example.org) [x] later\n\n[x] no list", dark)
    assert "☐ open" in html and "☑ done" in html and "[y] none" in html and "[x] no list" in html and "[x] later" in html
