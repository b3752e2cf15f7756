"""The language of the windows: the system's, or the one that the person chose."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from scrubjay.platform.paths import resources

log = logging.getLogger("scrubjay.desktop")

Language = Literal["system", "en", "es"]
NAMES = {"en": "English", "es": "Español"}
"""Name of each language in that language."""


def set_language(app: QApplication, choice: Language, system: QLocale | None = None) -> str:
    """Use a language from now on in everything that is built later; returns its code."""
    system = system or QLocale.system()
    code = choose_language(choice, system.uiLanguages())
    # Numbers and dates first, then the texts of the app, and those of Qt's own dialogs.
    QLocale.setDefault(language_locale(code, system))
    qt = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    catalogues = [(f"scrubjay_{code}", str(resources() / "translations"))]
    if code != "en":
        # Ours is asked first, and names some keys as keyboards do.
        catalogues.insert(0, (f"qtbase_{code}", qt))
    for name, folder in catalogues:
        translator = QTranslator(app)
        if translator.load(name, folder):
            app.installTranslator(translator)
        else:
            log.warning("No translation %s in %s", name, folder)
    return code


def choose_language(choice: Language, languages: Sequence[str]) -> str:
    """The first wanted language that Scrubjay speaks; wanted are codes such as `es-MX`."""
    if choice != "system":
        return choice
    # The system names languages in the order in which the user wants them.
    codes = [language.replace("_", "-").split("-")[0].lower() for language in languages]
    return next((code for code in codes if code in NAMES), "en")


def language_locale(code: str, system: QLocale) -> QLocale:
    """How to write numbers and dates: as this country does, where it speaks the language."""
    plain = QLocale(system.name())
    is_c = system.language() is QLocale.Language.C
    if not is_c and QLocale.languageToCode(system.language()) == code:
        # A system may write its days in another language than it speaks.
        return system if system.dayName(1) == plain.dayName(1) else plain
    # The C locale has no thousands separators, and another language other month names.
    return QLocale({"en": "en_GB", "es": "es_ES"}[code])
