"""Texts that are no Markdown in the reader."""

from __future__ import annotations

from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from scrubjay_desktop.preview.note_html import NoteSurroundings, render_note_html


def test_signs_of_markdown_are_letters_in_a_text(qtbot: QtBot) -> None:
    text = "# 3 apples\n*two* pears\n\n- [ ] [[Emma]] <b>bold</b>\n---\ntags: a\n"
    note = render_note_html(text, around=NoteSurroundings("list.txt"))
    shown = QTextDocument()
    shown.setHtml(note.html)
    lines = shown.toPlainText().replace("\u2028", "\n").split("\n")
    assert [line.rstrip() for line in lines if line] == [line for line in text.split("\n") if line]
