"""Kinds of files by the endings of their names: plain texts, and documents of other programs."""

from __future__ import annotations

MARKDOWN = frozenset({".md", ".markdown", ".mdx"})
TEXTS = MARKDOWN | {".txt", ".text", ".org", ".rst", ".adoc", ".tex"}
"""Ends of the names of notes in a folder of a person; an agent's memory has `.md` only."""

PDF = "pdf"
DOCUMENT = "document"
MAIL = "mail"
NOTE = "note"
_KINDS = {
    ".pdf": PDF,
    ".docx": DOCUMENT,
    ".odt": DOCUMENT,
    ".pptx": DOCUMENT,
    ".xlsx": DOCUMENT,
    ".html": DOCUMENT,
    ".htm": DOCUMENT,
    ".epub": DOCUMENT,
    ".rtf": DOCUMENT,
    ".ipynb": DOCUMENT,
    ".eml": MAIL,
    ".mbox": MAIL,
    ".canvas": NOTE,
    ".base": NOTE,
    ".excalidraw": NOTE,
}
"""Kind of each document; those that people write beside their notes are notes to them."""

CONVERSATION = "conversation"
KINDS = (NOTE, PDF, DOCUMENT, MAIL, CONVERSATION)
"""Kinds that `kind:` in a question may name."""


def text_ending(name: str) -> str:
    """End of the name of a plain text, in lower case; empty for other files."""
    dot = name.rfind(".")
    if dot < 0:
        return ""
    ending = name[dot:].lower()
    return ending if ending in TEXTS else ""


def is_markdown(name: str) -> bool:
    """False for a plain text of another kind."""
    return text_ending(name) in ("", *MARKDOWN)


def document_kind(name: str) -> str:
    """Kind of a document by the end of its name; empty for plain texts and other files."""
    dot = name.rfind(".")
    if dot < 0:
        return ""
    return _KINDS.get(name[dot:].lower(), "")


def is_board(name: str) -> bool:
    """Whether a name is that of a canvas, a base or a drawing: read wherever notes are."""
    return document_kind(name) == NOTE


def document_endings(kind: str) -> tuple[str, ...]:
    """The ends of the names of documents of a kind; of all that are no notes where it is empty."""
    return tuple(
        ending for ending, own in _KINDS.items() if kind == own or (not kind and own != NOTE)
    )
