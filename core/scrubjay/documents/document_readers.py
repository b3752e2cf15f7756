"""The reader of each kind of document, including those attached to a letter."""

from __future__ import annotations

import importlib
from typing import Final

from scrubjay.documents.document_text import DocumentText

_READERS: Final = {
    ".pdf": "pdf_text.read_pdf",
    ".docx": "office_text.read_docx",
    ".docm": "office_text.read_docx",
    ".dotx": "office_text.read_docx",
    ".dotm": "office_text.read_docx",
    ".odt": "open_document_text.read_odt",
    ".ott": "open_document_text.read_odt",
    ".fodt": "open_document_text.read_odt",
    ".ods": "open_document_text.read_ods",
    ".ots": "open_document_text.read_ods",
    ".fods": "open_document_text.read_ods",
    ".odp": "open_document_text.read_odp",
    ".otp": "open_document_text.read_odp",
    ".fodp": "open_document_text.read_odp",
    ".odg": "open_document_text.read_odg",
    ".otg": "open_document_text.read_odg",
    ".fodg": "open_document_text.read_odg",
    ".pptx": "office_text.read_pptx",
    ".pptm": "office_text.read_pptx",
    ".potx": "office_text.read_pptx",
    ".potm": "office_text.read_pptx",
    ".ppsx": "office_text.read_pptx",
    ".ppsm": "office_text.read_pptx",
    ".xlsx": "office_text.read_xlsx",
    ".xlsm": "office_text.read_xlsx",
    ".xltx": "office_text.read_xlsx",
    ".xltm": "office_text.read_xlsx",
    ".html": "web_text.read_html",
    ".htm": "web_text.read_html",
    ".epub": "epub_text.read_epub",
    ".eml": "mail_text.read_eml",
    ".emlx": "mail_text.read_emlx",
    ".mbox": "mail_text.read_mbox",
    ".msg": "outlook_message.read_msg",
    ".oft": "outlook_message.read_msg",
    ".rtf": "rtf_and_notebook_text.read_rtf",
    ".ipynb": "rtf_and_notebook_text.read_notebook",
    ".canvas": "board_text.read_canvas",
    ".base": "board_text.read_base",
    ".excalidraw": "board_text.read_excalidraw",
}
"""Module and function that read files with an ending. Imported when the first such file comes."""
_MEDIA_TYPES: Final = {
    "application/pdf": ".pdf",
    "application/rtf": ".rtf",
    "application/epub+zip": ".epub",
    "application/vnd.ms-outlook": ".msg",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "application/vnd.oasis.opendocument.text": ".odt",
    "application/vnd.oasis.opendocument.spreadsheet": ".ods",
    "application/vnd.oasis.opendocument.presentation": ".odp",
    "application/vnd.oasis.opendocument.graphics": ".odg",
}
"""Media type that a letter names -> ending of such documents."""


def read_document(data: bytes, ending: str, text: DocumentText) -> None:
    """Add the text of a document. Raises DocumentRefused, or any error if it is damaged."""
    module, _, function = _READERS[ending].partition(".")
    read = getattr(importlib.import_module(f"scrubjay.documents.{module}"), function)
    read(data, text)


def document_ending(name: str, media_type: str) -> str:
    """The ending of a document by its file name or its media type; empty for other files."""
    dot = name.rfind(".")
    ending = name[dot:].lower() if dot >= 0 else ""
    if ending in _READERS:
        return ending
    return _MEDIA_TYPES.get(media_type, "")
