"""Questions and answers in boxes: first close, help, a bug report."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from scrubjay import Paths
from scrubjay.records.model_records import ModelInfo
from scrubjay_desktop.text.formatting import translate


class _LinkedBox(QMessageBox):
    """Has a link, whose colour Qt takes from the theme when the words are set and never again."""

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        words = self.informativeText()
        if event.type() == QEvent.Type.PaletteChange and words:
            self.setInformativeText("")
            self.setInformativeText(words)


def close_question(parent: QWidget, *, has_tray: bool) -> QMessageBox:
    """Asks once what closing the window means: Accept keeps running, Destructive quits."""
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(translate("Close", "Close Scrubjay"))
    box.setText(translate("Close", "Keep Scrubjay running in the background?"))
    if has_tray:
        how = translate(
            "Close", "It keeps your notes findable, and its icon in the tray opens it again."
        )
    else:
        how = translate(
            "Close",
            "It keeps your notes findable. This desktop shows no tray icons: start Scrubjay "
            "again to see the window.",
        )
    box.setInformativeText(
        how + " " + translate("Close", "You can change this later in the settings.")
    )
    keep = box.addButton(translate("Close", "&Keep running"), QMessageBox.ButtonRole.AcceptRole)
    keep.setObjectName("keep")
    leave = box.addButton(translate("Close", "&Quit"), QMessageBox.ButtonRole.DestructiveRole)
    leave.setObjectName("quit")
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(keep)
    box.setEscapeButton(cancel)
    return box


def help_box(
    parent: QWidget,
    paths: Paths,
    show_licences: Callable[[], object],
    show_diagnostics: Callable[[], object],
) -> QMessageBox:
    """The keys, where everything lives, and the way to licences and diagnostics."""
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowTitle(translate("Help", "Help"))
    box.setTextFormat(Qt.TextFormat.RichText)
    title = escape(translate("Help", "Keys"))
    box.setText(f"<h3>{title}</h3>{_table_of_keys()}")
    box.setInformativeText(
        translate(
            "Help",
            "The key for quick search is in the settings; where the desktop gives none to apps, "
            "bind this command in the desktop's own settings: {command}<br><br>"
            "Settings: {settings}<br>Index: {index}",
        ).format(
            command="<br><b>scrubjay-desktop --quick-search</b>",
            settings=escape(str(paths.config_file)),
            index=escape(str(paths.indexes)),
        )
    )
    licences = box.addButton(translate("Help", "&Licences"), QMessageBox.ButtonRole.ActionRole)
    licences.setObjectName("licences")
    licences.clicked.connect(lambda: show_licences())
    text = translate("Help", "&Diagnostics…")
    box.addButton(text, QMessageBox.ButtonRole.ActionRole).clicked.connect(
        lambda: show_diagnostics()
    )
    box.addButton(QMessageBox.StandardButton.Close)
    return box


def _table_of_keys() -> str:
    keys = (
        ("Ctrl+F", translate("Help", "type a question")),
        ("↑ ↓", translate("Help", "move through the results")),
        ("Enter", translate("Help", "open the note")),
        ("Ctrl+Enter", translate("Help", "open it at the line")),
        ("Alt+Enter", translate("Help", "show it in its folder")),
        ("Ctrl+Shift+C", translate("Help", "copy where it stands")),
        ("F3", translate("Help", "next match in the note")),
        ("Ctrl+I", translate("Help", "why this result")),
        ("Ctrl+R", translate("Help", "remember something")),
        ("Ctrl+N", translate("Help", "add a folder")),
        ("Ctrl+M", translate("Help", "choose a model")),
        ("Ctrl+P", translate("Help", "pause or resume")),
        ("Ctrl+Q", translate("Help", "quit")),
    )
    rows = "".join(
        f"<tr><td style='padding-right:16px'><b>{key}</b></td><td>{escape(text)}</td></tr>"
        for key, text in keys
    )
    return f"<table>{rows}</table>"


def terms_question(parent: QWidget, info: ModelInfo) -> QMessageBox:
    """Asks once for the terms of a model; accepted means that they are."""
    box = _LinkedBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(translate("Terms", "Terms of use"))
    box.setTextFormat(Qt.TextFormat.RichText)
    box.setText(
        translate("Terms", "{model} comes with terms of its own.").format(model=escape(info.name))
    )
    link = f'<a href="{escape(info.terms_url)}">{escape(info.terms_name)}</a>'
    box.setInformativeText(
        translate("Terms", "Who uses it has to accept the {terms}.").format(terms=link)
        + f"<br>{escape(info.terms_url)}"
    )
    accept = translate("Terms", "&Accept the terms")
    box.addButton(accept, QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
    return box


def removal_question(parent: QWidget, name: str) -> QMessageBox:
    """Asks before a model file is deleted; accepted means yes."""
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(translate("Removal", "Remove a model"))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(translate("Removal", "Remove {name} from this computer?").format(name=name))
    box.setInformativeText(
        translate("Removal", "Your notes stay as they are. You can download the model again.")
    )
    box.addButton(translate("Removal", "&Remove"), QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
    return box


def import_question(parent: QWidget, name: str) -> QMessageBox:
    """Asks whether a model file that was dropped is to be copied; accepted means yes."""
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(translate("Import", "Use a model file"))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(
        translate("Import", "{name} is a model file. Add it to your models?").format(name=name)
    )
    box.setInformativeText(
        translate("Import", "It is checked and copied. Your own file stays where it is.")
    )
    box.setDefaultButton(
        box.addButton(translate("Import", "&Add"), QMessageBox.ButtonRole.AcceptRole)
    )
    box.addButton(QMessageBox.StandardButton.Cancel)
    return box


def bug_box(parent: QWidget, report: str, file: Path | None, *, title: str = "") -> QMessageBox:
    """Says that something is broken, and lets the person copy what a developer needs.

    File is where the report was kept; it stays on this computer.
    """
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle(translate("Bug", "Something went wrong"))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(title or translate("Bug", "Scrubjay ran into a mistake of its own."))
    sentences = [
        translate("Bug", "Your notes are safe. You can go on, or copy the report and send it.")
    ]
    if file is not None:
        kept = translate("Bug", "The report stays on this computer, in {file}")
        sentences.append(kept.format(file=file))
    box.setInformativeText("\n".join(sentences))
    box.setDetailedText(report)
    copy = box.addButton(translate("Bug", "&Copy the report"), QMessageBox.ButtonRole.ActionRole)
    copy.clicked.disconnect()
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(report))
    box.addButton(QMessageBox.StandardButton.Close)
    return box
