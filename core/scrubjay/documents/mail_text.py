"""Text of mail: one message in an .eml file, many in a mailbox."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from html import unescape
from itertools import islice

from scrubjay.documents.calendar_text import add_calendar, add_card
from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.document_readers import document_ending, read_document
from scrubjay.documents.document_text import DocumentText
from scrubjay.documents.mail_parts import MailPart, walk_parts
from scrubjay.documents.outlook_container import attached_part
from scrubjay.documents.rtf_and_notebook_text import rtf_paragraphs
from scrubjay.documents.signed_mail import without_armour
from scrubjay.documents.uuencoded_files import split_files
from scrubjay.documents.web_text import add_page, decode_page
from scrubjay.messages import msg
from scrubjay.text.file_kinds import text_ending

MAX_MESSAGES = 20_000
"""Letters of a mailbox."""
_MOST_DEPTH = 3
"""Levels of letters in letters down to which attached documents are read."""
_BEGIN = re.compile(rb"(?m)^From [^\r\n]{0,300}?\d\d:\d\d[^\r\n]{0,300}\r?\n")
"""The line above each letter; a line of text that begins so has no time."""
_QUOTED = re.compile(r"(?m)^>(>*From )")
_BODIES = ("text/plain", "text/html", "text/rtf")
"""Kinds of the parts of a body, the best first."""
_TEXT_FILES = (".csv", ".tsv", ".log", ".json", ".ics", ".vcf", ".html", ".htm")
"""Ends of the names of files that are texts besides those that notes have."""
_ENRICHED = re.compile(r"(?is)<param>[^<>]{0,200}</param>|</?[a-z][a-z-]{0,60}>")
"""Marks of enriched text (RFC 1896)."""
_WORD = re.compile(r"[^\W_\u2e80-\U0003ffff]+|[\u2e80-\U0003ffff]")
_HEADERS: tuple[str, ...] = ("From", "To", "Cc", "Date")
"""Headers that are read, in this order."""


def read_eml(data: bytes, text: DocumentText) -> None:
    """Add one letter. Raises DocumentRefused."""
    letter = open_letter(data)
    text.title = letter.header("Subject") or text.title
    if letter.day:
        text.date = letter.day.isoformat()
    _add(letter, text)


def open_letter(data: bytes) -> MailPart:
    """The letter in a file of mail. Raises DocumentRefused."""
    data = data.removeprefix(codecs.BOM_UTF8)
    if b"\n" not in data:  # as old programs of the Mac wrote
        data = data.replace(b"\r", b"\n")
    if not re.match(rb"(?s)(?:From [^\n]*\n)?[!-9;-~]+:", data):
        raise DocumentRefused(msg("The file is not an email."))
    return MailPart(data)


def read_emlx(data: bytes, text: DocumentText) -> None:
    """Add a letter of Apple Mail. Raises DocumentRefused."""
    read_eml(mail_of_apple(data), text)


def mail_of_apple(data: bytes) -> bytes:
    """The letter of Apple Mail that stands between its length and a list of properties.

    Raises DocumentRefused.
    """
    # What follows the letter says how Apple Mail shows it.
    length = re.match(rb"\s{0,20}(\d{1,12})\s{0,20}\n", data)
    if length is None:
        raise DocumentRefused(msg("The file is not an email."))
    return data[length.end() : length.end() + int(length[1])]


def read_mbox(data: bytes, text: DocumentText) -> None:
    """Add every letter of a mailbox. Raises DocumentRefused."""
    for number, letter in enumerate(mailbox_letters(data), start=1):
        text.part("Message", number, letter.header("Subject"))
        _add(letter, text)


def mailbox_letters(data: bytes) -> Iterator[MailPart]:
    """The letters of a mailbox. Raises DocumentRefused."""
    begins = [*islice(_BEGIN.finditer(data), MAX_MESSAGES + 1)]
    if not begins or data[: begins[0].start()].strip():
        raise DocumentRefused(msg("The file is not a mailbox."))
    if len(begins) > MAX_MESSAGES:
        count = sum(1 for _ in _BEGIN.finditer(data))
        raise DocumentRefused(
            msg(
                "The mailbox has {n} messages, but Scrubjay reads at most {most}.",
                n=count,
                most=MAX_MESSAGES,
            )
        )
    # Each letter continues to the beginning of the next one.
    ends = [*(begin.start() for begin in begins[1:]), len(data)]
    whole = memoryview(data)
    for begin, end in zip(begins, ends, strict=True):
        yield MailPart(whole[begin.end() : end])


def _add(letter: MailPart, text: DocumentText) -> None:
    """Add a letter, and after it those that are attached to it."""
    letters: dict[MailPart, list[MailPart]] = {}
    for part in walk_parts(letter):
        letters.setdefault(part.letter, []).append(part)
    for each, parts in letters.items():
        # The subject of the letter itself is the title already.
        names = _HEADERS
        if each is not letter:
            names = ("Subject", *_HEADERS)
        _add_one(each, parts, text=text, names=names)


def _add_one(
    letter: MailPart, parts: Sequence[MailPart], *, text: DocumentText, names: Sequence[str]
) -> None:
    """Add headers of these names, the body and what is attached."""
    for name in names:
        words = letter.header(name)
        if words:
            text.paragraph(f"{name}: {words}", "- ")
    text.blank()
    used, damaged = _add_bodies(parts, text)
    # Of the others, those are left that say in another form what a body says.
    chosen = {part.choice for part in used}
    others: list[MailPart] = []
    for part in parts:
        is_said = (part.choice in chosen or part.repeats_letter) and _is_other_form(part)
        if part not in used and part not in damaged and not is_said:
            others.append(part)
    texts = [part for part in others if _is_text(part)]
    for part in texts:
        _add_text(part, text)
    _add_files([part for part in others if part not in texts], text)


def _add_files(parts: Sequence[MailPart], text: DocumentText) -> None:
    """Add documents, and name the other files, so that a search finds the letter."""
    named: list[str] = []
    for part in parts:
        if part.is_elsewhere:
            text.paragraph(part.place, "- Attached elsewhere: ")
            text.blank()
        elif not part.is_encrypted and not _add_document(part, text) and part.file_name:
            named.append(part.file_name)
    if named:
        text.paragraph(f"Attached: {', '.join(named)}", "- ")
        text.blank()
    for part in parts:
        if part.is_encrypted:
            _add_encrypted(part.file_name, text)


def _add_document(part: MailPart, text: DocumentText) -> bool:
    """Add the text of a document that is attached; False for another file."""
    ending = document_ending(part.file_name, part.kind)
    if not ending or any(part.parts()):
        return False
    document = text.new_attachment()
    document.depth += 1
    read = partial(_read_attached, part, ending)
    _add_attached(document, text, name=part.file_name or ending, size=part.size, read=read)
    return True


def _read_attached(part: MailPart, ending: str, text: DocumentText) -> None:
    """Add the text of a document. Its bytes are copied only here, where they are wanted."""
    read_document(part.content, ending, text)


def _add_text(part: MailPart, text: DocumentText) -> None:
    """Add the text of a part; that of a file does not take the letter with it."""
    if part.file_name:
        read = partial(_add_body, part)
        file = text.new_attachment()
        _add_attached(file, text, name=part.file_name, size=part.size, read=read)
    else:
        _add_body(part, text)


def _add_attached(
    file: DocumentText,
    text: DocumentText,
    *,
    name: str,
    size: int,
    read: Callable[[DocumentText], None],
) -> None:
    """Add a file that is attached, or its name alone where it cannot be read."""
    # The letter comes first: a file beyond the limits is only named.
    is_read = file.depth <= _MOST_DEPTH and text.attached.spend(size)
    if is_read:
        try:
            read(file)
            text.end_attachment(file, name)
        except ImportError:
            raise
        except Exception:  # any error of a parser means a damaged file
            is_read = False
    if not is_read:
        text.damaged += 1
        text.paragraph(f"{name} (could not be read)", "- Attached: ")
        text.blank()


def _add_encrypted(name: str, text: DocumentText) -> None:
    """Say that something is there that nobody can read without a key."""
    text.remark = msg("Encrypted mail in this file could not be read.")
    text.paragraph(f"Encrypted, not read: {name or 'message'}", "- ")
    text.blank()


def _add_named(part: MailPart, text: DocumentText) -> None:
    """Add the text of a part below the name of its file, if it is one."""
    if part.file_name:
        text.paragraph(f"Attached: {part.file_name}", "- ")
        text.blank()
    _add_body(part, text)


def _add_bodies(
    parts: Sequence[MailPart], text: DocumentText
) -> tuple[set[MailPart], set[MailPart]]:
    """Add the parts of the body; the results are these, and those that cannot be read.

    Of parts that say the same, the plainest is read. A plain text may be blank or only say that
    the letter is a page, so another form that has mostly other words is read as well.
    """
    # A choice among kinds has one of them; other parts follow each other.
    choices: dict[MailPart, list[MailPart]] = {}
    for part in parts:
        if part.kind in _BODIES and not part.is_attached:
            choices.setdefault(part.choice, []).append(part)
    used: set[MailPart] = set()
    damaged: set[MailPart] = set()
    # What is said again may be compared with the whole letter.
    said: set[str] = set()
    for choice in choices.values():
        choice.sort(key=lambda part: _BODIES.index(part.kind))
        kind = ""
        for part in choice:
            body = text.new_part()
            _add_named(part, body)
            words = _words_of(body.body)
            is_repeated = part.repeats_letter or part.kind != kind != ""
            if not words or (is_repeated and 2 * len(words - said) <= len(words)):
                text.skip_part(body)
                if body.damaged:
                    damaged.add(part)
                continue
            text.end_part(body)
            said |= words
            used.add(part)
            kind = kind or part.kind
    return used, damaged


def _words_of(words: str) -> set[str]:
    """Words of a text; where a script has no spaces, its letters."""
    return {*_WORD.findall(unescape(words).casefold())}


def _is_other_form(part: MailPart) -> bool:
    """Whether a part only says what others in its choice say; an invitation says more."""
    is_body = part.kind.startswith("text/") and part.kind != "text/calendar"
    return is_body and not part.is_attached


def _is_text(part: MailPart) -> bool:
    """Whether the content of a part is a text that no program has to convert."""
    if part.is_elsewhere:
        return False
    if part.kind.startswith("message/") or part.file_name.lower().endswith(".eml"):
        return not any(part.parts())
    is_named_so = part.file_name.lower().endswith(_TEXT_FILES)
    return part.kind.startswith("text/") or is_named_so or bool(text_ending(part.file_name))


def reads_file(name: str) -> bool:
    """Whether the content of a file that is attached under a name is read, not only its name."""
    part = MailPart(attached_part(name, b""))
    is_document = bool(document_ending(part.file_name, part.kind))
    return is_document or part.may_have_parts or _is_text(part)


def _add_body(part: MailPart, text: DocumentText) -> None:
    """Add the text of a letter."""
    name = part.file_name.lower()
    words = decode_page(part.content, part.charset)
    if part.kind == "text/html" or name.endswith((".html", ".htm")):
        add_page(words, text, below=1)
        text.blank()
    elif part.kind == "text/rtf":
        _add_rich(part.content, text)
    elif part.kind == "text/calendar" or name.endswith(".ics"):
        add_calendar(words, text)
    elif part.kind in ("text/vcard", "text/x-vcard") or name.endswith(".vcf"):
        add_card(words, text)
    elif part.kind in ("text/enriched", "text/richtext"):
        text.lines(_ENRICHED.sub("", words).replace("<<", "<"))
    else:
        _add_plain(words, text)


def _add_rich(content: bytes, text: DocumentText) -> None:
    """Add rich text; one that is damaged does not take the rest of the letter with it."""
    if not content.strip():
        return
    try:
        paragraphs = rtf_paragraphs(content)
    except DocumentRefused:
        text.damaged += 1
        return
    for paragraph in paragraphs:
        text.paragraph(paragraph)


def _add_plain(words: str, text: DocumentText) -> None:
    """Add plain text, with the files that old programs wrote into it."""
    shown, is_encrypted = without_armour(words)
    for block in split_files(shown):
        if block.name:
            text.paragraph(f"Attached: {block.name}", "- ")
            text.blank()
        if not block.name or text_ending(block.name):
            text.lines(_QUOTED.sub(r"\1", block.text))
    if is_encrypted:
        _add_encrypted("", text)
