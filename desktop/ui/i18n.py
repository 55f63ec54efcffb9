"""The language of the window. Owns the installed translators; strings themselves are English in the code (`tr`) and translated in `*.ts`.

A language takes hold for widgets made after `install`; the app makes its window anew when the person switches. GUI thread only.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from desktop.base.resources import resource_path

SYSTEM = "system"
ENGLISH = "en"
CHINESE = "zh_CN"
LANGUAGES = (ENGLISH, CHINESE)
NAMES: Mapping[str, str] = {ENGLISH: "English", CHINESE: "简体中文"}
"""Each in its own language, so that it is found by those who need it."""


class _State:
    def __init__(self) -> None:
        self.language = ENGLISH
        self.translators: list[QTranslator] = []


_state = _State()


def current() -> str:
    """`en` or `zh_CN`."""
    return _state.language


def resolve(choice: str, system: QLocale | None = None) -> str:
    """The language for a choice: `system` means Chinese on a Chinese system, else English."""
    if choice in LANGUAGES:
        return choice
    locale = system if system is not None else QLocale.system()
    languages = [locale.name(), *locale.uiLanguages()]
    return CHINESE if languages[0].startswith("zh") or (len(languages) > 1 and languages[1].startswith("zh")) else ENGLISH


def install(choice: str) -> str:
    """Put the translators of a language in force, in place of those before; returns the language.

    English has a translator too: it holds the plural forms.
    """
    language = resolve(choice)
    for translator in _state.translators:
        QCoreApplication.removeTranslator(translator)
    _state.translators = []
    _state.language = language
    wanted = [str(resource_path("translations", f"{language}.qm"))]
    if language != ENGLISH:
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        wanted.insert(0, f"{folder}/qtbase_{language}.qm")
    for file in wanted:
        translator = QTranslator()
        if translator.load(file):
            QCoreApplication.installTranslator(translator)
            _state.translators.append(translator)
    QLocale.setDefault(QLocale(language))
    return language
