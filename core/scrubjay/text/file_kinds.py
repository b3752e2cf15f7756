"""Kinds of files by their names: plain texts, documents of other programs, conflict copies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath

from msgspec import Struct

MARKDOWN = frozenset({".md", ".markdown", ".mdx"})
TEXTS = MARKDOWN | {".txt", ".text", ".org", ".rst", ".adoc", ".tex"}
"""Ends of the names of notes in a folder of a person; an agent's memory has `.md` only."""

PDF = "pdf"
DOCUMENT = "document"
MAIL = "mail"
NOTE = "note"
PICTURE = "picture"
_KINDS = {
    ".pdf": PDF,
    ".docx": DOCUMENT,
    ".docm": DOCUMENT,
    ".dotx": DOCUMENT,
    ".dotm": DOCUMENT,
    ".odt": DOCUMENT,
    ".ott": DOCUMENT,
    ".fodt": DOCUMENT,
    ".ods": DOCUMENT,
    ".ots": DOCUMENT,
    ".fods": DOCUMENT,
    ".odp": DOCUMENT,
    ".otp": DOCUMENT,
    ".fodp": DOCUMENT,
    ".odg": DOCUMENT,
    ".otg": DOCUMENT,
    ".fodg": DOCUMENT,
    ".pptx": DOCUMENT,
    ".pptm": DOCUMENT,
    ".potx": DOCUMENT,
    ".potm": DOCUMENT,
    ".ppsx": DOCUMENT,
    ".ppsm": DOCUMENT,
    ".xlsx": DOCUMENT,
    ".xlsm": DOCUMENT,
    ".xltx": DOCUMENT,
    ".xltm": DOCUMENT,
    ".html": DOCUMENT,
    ".htm": DOCUMENT,
    ".epub": DOCUMENT,
    ".rtf": DOCUMENT,
    ".ipynb": DOCUMENT,
    ".eml": MAIL,
    ".emlx": MAIL,
    ".mbox": MAIL,
    ".msg": MAIL,
    ".oft": MAIL,
    ".canvas": NOTE,
    ".base": NOTE,
    ".excalidraw": NOTE,
    ".png": PICTURE,
    ".jpg": PICTURE,
    ".jpeg": PICTURE,
    ".webp": PICTURE,
    ".gif": PICTURE,
    ".bmp": PICTURE,
    ".tif": PICTURE,
    ".tiff": PICTURE,
    ".heic": PICTURE,
    ".heif": PICTURE,
}
"""Kind of each document; those that people write beside their notes are notes to them."""

CONVERSATION = "conversation"
KINDS = (NOTE, PDF, DOCUMENT, MAIL, PICTURE, CONVERSATION)
"""Kinds that `kind:` in a question may name."""

# Names of the copies that programs which synchronize files leave beside a note. Some can only be
# those of such copies. Others people give as well, and only a like text tells.

_MARK = (
    r"(?i)(.+)(?:\.sync-conflict-\d{8}-\d{6}(?:-\w{7})?|_conflict-\d{8}-\d{6}"
    r"|\.conflict(?:-\w{1,30})?)"
)
"""Names of Syncthing, ownCloud and Resilio Sync."""
_BRACKETS = r"(.*\S)\s*[(\[（]([^()\[\]（）]{1,120})[)\]）]"
"""Names of Nextcloud, Dropbox, Obsidian Sync, Google Drive, Seafile, pCloud and Unison."""
_CONFLICT = (
    r"conflict|conflit|konflikt|конфл|конфлікт|競合|冲突|衝突|충돌|ristiriit|ütköz|çakış|motstrid"
    r"|modstrid|tegenstrijd|σύγκρουσ|تعارض"
)
"""Word for a conflict in the languages of these programs."""
_COPY = (
    r"\d{4}-\d\d-\d\d|\d{8}|\bcop(?:y|ies?|ia|ía)\b|\bcópia|\bkopi[aeo]?\b"
    r"|копи|コピー|副本|사본|exempl|sfconfl|#\d"
)
"""Day, or a word for a copy: a conflict alone may be what a note is about."""
_CURATED = "MEMORY.md"
"""Name of the file that is read in private only."""
_AFTER_NAME = (".", "_", " ", "(", "[", "（")
"""Characters after the name of a note with which the marks of certain copies begin."""
_NUMBER = r"(.*\S)(?: \d{1,3}| ?\(\d{1,3}\))"
"""Names of iCloud and Google Drive."""
_LONGEST_COMPUTER = 40
"""Characters of the name of a computer, which OneDrive adds after a hyphen."""
_LIKE = 0.75
"""Share of the lines of a copy that its note has; by hand."""


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


def is_picture(name: str) -> bool:
    """Whether a name is that of a picture, which is read only where a person chose it."""
    return document_kind(name) == PICTURE


def document_endings(kind: str) -> tuple[str, ...]:
    """The ends of the names of documents of a kind; of all that are no notes where it is empty."""
    return tuple(
        ending for ending, own in _KINDS.items() if kind == own or (not kind and own != NOTE)
    )


class ConflictCopy(Struct, frozen=True):
    """The note that a name is that of a copy of."""

    note: str
    """Label of the note; it may be gone."""
    is_certain: bool
    """Whether the name tells, without a look at the text."""


def find_conflict_copies(labels: Iterable[str]) -> dict[str, ConflictCopy]:
    """The conflict copies among labels of files. An uncertain one has its note among them."""
    known = {*labels}
    copies: dict[str, ConflictCopy] = {}
    for label in known:
        folder, slash, name = label.rpartition("/")
        stem, dot, ending = name.rpartition(".")
        # A copy may have been copied again.
        certain = stem
        while shorter := _certain_note(certain):
            certain = shorter
        if certain != stem:
            copies[label] = ConflictCopy(f"{folder}{slash}{certain}{dot}{ending}", is_certain=True)
            continue
        # Only a note that is there can have such a copy.
        notes = (f"{folder}{slash}{each}{dot}{ending}" for each in _possible_notes(stem))
        note = next((each for each in notes if each in known), "")
        if note:
            copies[label] = ConflictCopy(note, is_certain=False)
    return copies


def is_curated_memory(file: PurePath) -> bool:
    """Whether a file is MEMORY.md, in whichever folder, or may be a conflict copy of it.

    It is read in private conversations only. A name that only resembles that of a copy is rare, and
    its note is closed to groups alone.
    """
    name = file.name
    if name.casefold() == _CURATED.casefold():
        return True
    # A note in small letters may be called "memory-palace", but hardly "memory 2".
    spelled = {_CURATED}
    if re.fullmatch(_NUMBER, file.stem):
        spelled.add(_CURATED.casefold())
        name = name.casefold()
    copy = find_conflict_copies([name, *spelled]).get(name)
    return copy is not None and is_curated_memory(PurePath(copy.note))


def copy_beginnings(note: str) -> Iterator[str]:
    """What the labels of the certain conflict copies of a note begin with, and those of others."""
    folder, slash, name = note.rpartition("/")
    stem = name.rpartition(".")[0]
    for mark in _AFTER_NAME:
        yield f"{folder}{slash}{stem}{mark}"


def are_alike(copy: Iterable[str], note: Iterable[str]) -> bool:
    """Whether a note has so many lines of a text that it is a copy."""
    lines = {line.strip() for line in copy} - {""}
    common = lines.intersection(line.strip() for line in note)
    return bool(lines) and len(common) >= _LIKE * len(lines)


def group_copies(texts: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """The notes of a list with the conflict copies that stand behind each, in their order.

    Texts are the lines of each, by its label, as far as they are known. The note stands for its
    copies; without it, the first of them does. A copy that only its text could tell is one if the
    note has all of its lines.
    """
    copies = find_conflict_copies(texts)
    lines = {label: {line.strip() for line in texts[label]} - {""} for label in texts if copies}
    groups: dict[str, tuple[str, ...]] = {}
    standing: dict[str, str] = {}
    for label in sorted(texts, key=copies.__contains__):
        copy = copies.get(label)
        note = label
        if copy and (copy.is_certain or (lines[label] and lines[label] <= lines[copy.note])):
            note = copy.note
        shown = standing.setdefault(note, label)
        behind = groups.get(shown, ())
        groups[shown] = behind if shown == label else (*behind, label)
    return {label: groups[label] for label in texts if label in groups}


def _certain_note(stem: str) -> str:
    """The name without its mark of a conflict; empty if it has none."""
    # Patterns are compiled by the first search, since every program imports this module.
    marked = re.fullmatch(_MARK, stem)
    if marked:
        return marked[1]
    in_brackets = re.fullmatch(_BRACKETS, stem)
    if in_brackets:
        inside = in_brackets[2].casefold()
        if re.search(_CONFLICT, inside) and re.search(_COPY, inside):
            return in_brackets[1]
    return ""


def _possible_notes(stem: str) -> Iterator[str]:
    """Names of notes that a file may be a copy of, the longest first."""
    numbered = re.fullmatch(_NUMBER, stem)
    if numbered:
        yield numbered[1]
    in_brackets = re.fullmatch(_BRACKETS, stem)
    if in_brackets and re.search(_CONFLICT, in_brackets[2].casefold()):
        yield in_brackets[1]
    # The name of a computer may have hyphens, and so may that of the note.
    at = stem.rfind("-")
    while at > 0 and len(stem) - at <= _LONGEST_COMPUTER:
        yield stem[:at].rstrip()
        at = stem.rfind("-", 0, at)
