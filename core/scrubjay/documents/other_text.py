"""Text of rich text files and of notebooks with programs."""

from __future__ import annotations

import codecs
import json
import re
from typing import Any

from scrubjay.documents.document_kinds import DocumentRefused
from scrubjay.documents.document_text import DocumentText
from scrubjay.messages import msg

MAX_OUTPUT = 10_000
"""Characters of what one cell printed."""
_TOKEN = re.compile(
    r"\\(?P<word>[a-z]{1,32})(?P<number>-?\d{1,10})? ?|\\'(?P<byte>[0-9a-fA-F]{2})"
    r"|\\(?P<sign>[^a-z])|(?P<brace>[{}])|[\r\n]+|(?P<text>[^\\{}\r\n]+)",
    re.DOTALL,
)
_LETTERS = {
    "par": "\n", "line": "\n", "sect": "\n", "page": "\n", "row": "\n", "tab": "\t", "cell": " | ",
    "emdash": "—", "endash": "–", "emspace": " ", "enspace": " ", "bullet": "•",
    "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
}  # fmt: skip
_NOT_SHOWN = frozenset(
    {"fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "header", "footer", "headerl"}
    | {"headerr", "headerf", "footerl", "footerr", "footerf", "generator", "listtable", "xmlnstbl"}
    | {"listoverridetable", "rsidtbl", "themedata", "datastore", "latentstyles", "fldinst"}
)
_MAX_GROUPS = 10_000


def read_rtf(data: bytes, text: DocumentText) -> None:
    """Add the paragraphs of a rich text file."""
    if not data.lstrip().startswith(b"{\\rtf"):
        raise DocumentRefused(msg("It is not a rich text file."))
    source = data.decode("latin-1")
    page = re.search(r"\\ansicpg(\d{3,5})", source[:4096])
    codec = _codec(page[1] if page else "1252")
    words: list[str] = []
    waiting = bytearray()
    """Bytes of letters that some codecs write in two."""
    groups: list[tuple[bool, int]] = []
    hidden, skipped, to_skip = False, 1, 0

    def flush() -> None:
        if waiting:
            words.append(waiting.decode(codec, "replace"))
            waiting.clear()

    for token in _TOKEN.finditer(source):
        word, sign, brace = token["word"], token["sign"], token["brace"]
        if brace == "{":
            if len(groups) > _MAX_GROUPS:
                raise DocumentRefused(
                    msg("Its parts are nested more than {n} deep.", n=_MAX_GROUPS)
                )
            groups.append((hidden, skipped))
            to_skip = 0
        elif brace == "}":
            hidden, skipped = groups.pop() if groups else (False, 1)
            to_skip = 0
        elif sign == "*" or word in _NOT_SHOWN:
            hidden = True
        elif word == "uc":
            skipped = max(0, int(token["number"] or 1))
        elif hidden:
            continue
        elif word == "u":
            flush()
            words.append(_letter(int(token["number"] or 63)))
            to_skip = skipped
        elif byte := token["byte"]:
            if to_skip:
                to_skip -= 1
            else:
                waiting.append(int(byte, 16))
        elif word or sign:
            flush()
            words.append(_LETTERS.get(word or "", {"~": " ", "_": "-"}.get(sign, "")))
            if sign and sign in "\\{}":
                words.append(sign)
        elif plain := token["text"]:
            flush()
            words.append(plain.encode("latin-1")[to_skip:].decode(codec, "replace"))
            to_skip = 0
    flush()
    whole = "".join(words).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    for paragraph in whole.split("\n"):
        text.paragraph(paragraph)


def _codec(page: str) -> str:
    try:
        return codecs.lookup(f"cp{page}").name
    except LookupError:
        return "cp1252"


def _letter(number: int) -> str:
    return chr(number % 65536)


def read_notebook(data: bytes, text: DocumentText) -> None:
    """Add texts, programs and what they printed of a Jupyter notebook."""
    notebook = json.loads(data, parse_int=_int)
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise DocumentRefused(msg("It is not a notebook."))
    about = _part(notebook, "metadata")
    language = str(_part(about, "language_info").get("name") or "")
    title = about.get("title")
    if isinstance(title, str) and title.strip():
        text.title = title
    for cell in notebook["cells"]:
        if not isinstance(cell, dict):
            continue
        source = _joined(cell.get("source"))
        if cell.get("cell_type") == "markdown":
            text.markdown(source)
        elif cell.get("cell_type") == "code":
            text.fenced(source, re.sub(r"\W", "", language))
            outputs = cell.get("outputs")
            for output in outputs if isinstance(outputs, list) else ():
                if isinstance(output, dict):
                    printed = output.get("text") or _part(output, "data").get("text/plain")
                    text.fenced(_joined(printed)[:MAX_OUTPUT])
        else:
            text.lines(source)


def _int(digits: str) -> float:
    """A number as it is read: Python refuses those of 4,300 digits."""
    return int(digits) if len(digits) < 20 else float(digits)


def _part(record: dict[str, Any], key: str) -> dict[str, Any]:
    part = record.get(key)
    return part if isinstance(part, dict) else {}


def _joined(source: Any) -> str:
    """Text that is kept whole or as a list of lines."""
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))
