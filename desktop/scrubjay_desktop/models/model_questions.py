"""Questions about a model: its terms of use, its removal, and a file that was dropped."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from scrubjay.records.model_records import ModelInfo, ModelPurpose
from scrubjay_desktop.text.formatting import translate
from scrubjay_desktop.widgets.message_boxes import MessageBox, question_box


class _LinkedBox(MessageBox):
    """A box with a link. Qt gives a link the colour of the theme at the time its text is set."""

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        text = self.informativeText()
        # The same text, set again, gets the colour of the new theme.
        if event.type() == QEvent.Type.PaletteChange and text:
            self.setInformativeText("")
            self.setInformativeText(text)


def terms_question(parent: QWidget, info: ModelInfo, name: str) -> QMessageBox:
    """The question whether the user accepts the terms of a model, which windows call so."""
    text = translate("Terms", "{model} has its own terms of use.")
    text = text.format(model=escape(name))
    box = question_box(parent, translate("Terms", "Terms of use"), text=text, kind=_LinkedBox)
    box.setTextFormat(Qt.TextFormat.RichText)
    # The address is shown too, for those who read it elsewhere.
    link = f'<a href="{escape(info.terms_url)}">{escape(info.terms_name)}</a>'
    sentence = translate("Terms", "To use this language helper, you must accept the {terms}.")
    if info.purpose is ModelPurpose.READING:
        sentence = translate("Terms", "To use this result reader, you must accept the {terms}.")
    box.setInformativeText(f"{sentence.format(terms=link)}<br>{escape(info.terms_url)}")
    return _with_buttons(box, translate("Terms", "&Accept the terms"))


def removal_question(parent: QWidget, info: ModelInfo, name: str) -> QMessageBox:
    """The question before a model file is deleted."""
    title = translate("Removal", "Remove a language helper")
    details = translate(
        "Removal",
        "Your notes will not change. To use the language helper again later, you need to "
        "download it again or import its file.",
    )
    if info.purpose is ModelPurpose.READING:
        title = translate("Removal", "Remove a result reader")
        details = translate(
            "Removal",
            "Your notes will not change. To use the result reader again later, you need to "
            "download it again or import its file.",
        )
    text = translate("Removal", "Remove {name} from this computer?").format(name=name)
    box = question_box(parent, title, text=text, details=details)
    return _with_buttons(box, translate("Removal", "&Remove"))


def import_question(parent: QWidget, name: str) -> QMessageBox:
    """The question whether a model file that was dropped is to be copied."""
    box = question_box(
        parent,
        translate("Import", "Add a language helper"),
        text=translate("Import", "Add {name} to your language helpers?").format(name=name),
        details=translate(
            "Import",
            "Scrubjay will check the file and copy it. The original file will stay where it is.",
        ),
    )
    return _with_buttons(box, translate("Import", "&Add"), is_safe=True)


def _with_buttons(box: QMessageBox, accept: str, *, is_safe: bool = False) -> QMessageBox:
    """The box with Accept and Cancel; Enter accepts only what is safe."""
    accepting = box.addButton(accept, QMessageBox.ButtonRole.AcceptRole)
    cancelling = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(accepting if is_safe else cancelling)
    return box
