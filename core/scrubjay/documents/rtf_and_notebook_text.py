"""Text of rich text files and of Jupyter notebooks."""

from __future__ import annotations

import codecs
import json
import re
from typing import Any

from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.document_text import DocumentText
from scrubjay.messages import msg
from scrubjay.text.json_values import json_object, json_objects

MAX_OUTPUT = 10_000
"""Characters of the output of one cell."""
# Tokens of RTF: words, letters as bytes, signs, braces, and the text between them.
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
_SIGNS = {"~": " ", "_": "-", "\\": "\\", "{": "{", "}": "}"}
"""Letters that a sign after a backslash stands for."""
_NOT_SHOWN = frozenset(
    {"fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "header", "footer", "headerl"}
    | {"headerr", "headerf", "footerl", "footerr", "footerf", "generator", "listtable", "xmlnstbl"}
    | {"listoverridetable", "rsidtbl", "themedata", "datastore", "latentstyles", "fldinst"}
)
"""Groups with something else than text of the document."""
_MAX_GROUPS = 10_000
"""Groups within groups; editors write some ten."""
_DEFAULT_CODEC = "cp1252"


def read_rtf(data: bytes, text: DocumentText) -> None:
    """Add the paragraphs of a rich text file."""
    for paragraph in rtf_paragraphs(data):
        text.paragraph(paragraph)


def rtf_paragraphs(data: bytes) -> list[str]:
    """The paragraphs of rich text. Raises DocumentRefused where it is none."""
    if not data.lstrip().startswith(b"{\\rtf"):
        raise DocumentRefused(msg("The file is not a rich text file."))
    # The file itself is ASCII; its letters are escaped, or bytes of one codec.
    source = data.decode("latin-1")
    # Letters beyond ASCII are bytes of the code page that the file names.
    page = re.search(r"\\ansicpg(\d{3,5})", source[:4096])
    codec = _DEFAULT_CODEC
    if page:
        codec = _codec(page[1])
    rich_text = _RichText(codec)
    for token in _TOKEN.finditer(source):
        rich_text.add(token)
    return rich_text.finished().split("\n")


class _RichText:
    """The text of a rich text file, put together token by token."""

    def __init__(self, codec: str) -> None:
        self._codec = codec
        self._words: list[str] = []
        self._bytes = bytearray()
        """Bytes of letters that some codecs write in two."""
        self._is_hidden = False
        """Whether this group has no text of the document."""
        self._replacements = 1
        """Letters after each one in Unicode that stand for it in old programs."""
        self._groups: list[tuple[bool, int]] = []
        """These two of the groups around this one."""
        self._to_skip = 0
        """Letters to omit because the one before was in Unicode."""

    def add(self, token: re.Match[str]) -> None:
        """Add a token. Raises DocumentRefused for groups without end."""
        word = token["word"]
        if token["brace"]:
            self._enter_or_leave(token["brace"])
        elif token["sign"] == "*" or word in _NOT_SHOWN:
            self._is_hidden = True
        elif word == "uc":
            self._replacements = max(0, int(token["number"] or 1))
        elif not self._is_hidden:
            self._show(token)

    def finished(self) -> str:
        """The whole text, with pairs of halves joined."""
        self._flush()
        return "".join(self._words).encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def _enter_or_leave(self, brace: str) -> None:
        """Begin a group, or go back to the one around it."""
        self._to_skip = 0
        # A group keeps to itself what is set in it.
        if brace == "{":
            if len(self._groups) > _MAX_GROUPS:
                raise DocumentRefused(
                    msg(
                        "The parts of the document are nested more than {n} levels deep.",
                        n=_MAX_GROUPS,
                    )
                )
            self._groups.append((self._is_hidden, self._replacements))
        elif self._groups:
            self._is_hidden, self._replacements = self._groups.pop()
        else:  # a brace too many
            self._is_hidden = False
            self._replacements = 1

    def _show(self, token: re.Match[str]) -> None:
        """Add the text of a token."""
        word = token["word"]
        sign = token["sign"]
        # A letter in Unicode is followed by what old programs show in its place.
        if word == "u":
            self._flush()
            self._words.append(_letter(int(token["number"] or 63)))
            self._to_skip = self._replacements
        elif token["byte"] and self._to_skip:
            self._to_skip -= 1
        elif token["byte"]:
            self._bytes.append(int(token["byte"], 16))
        elif word or sign:
            self._flush()
            self._words.append(_LETTERS.get(word or "", _SIGNS.get(sign, "")))
        elif token["text"]:
            self._flush()
            # Letters beyond ASCII that some programs write unescaped are of the same codec.
            plain = token["text"].encode("latin-1")[self._to_skip :]
            self._words.append(plain.decode(self._codec, "replace"))
            self._to_skip = 0

    def _flush(self) -> None:
        """Add the letters of the bytes before."""
        if self._bytes:
            self._words.append(self._bytes.decode(self._codec, "replace"))
            self._bytes.clear()


def _codec(page: str) -> str:
    """The codec of a page of Windows, or the default for one that Python does not know."""
    try:
        return codecs.lookup(f"cp{page}").name
    except LookupError:
        return _DEFAULT_CODEC


def _letter(number: int) -> str:
    # Numbers beyond 32,767 are written as negative ones.
    return chr(number % 65536)


def read_notebook(data: bytes, text: DocumentText) -> None:
    """Add the texts, programs and outputs of a Jupyter notebook."""
    notebook = json.loads(data, parse_int=_int)
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise DocumentRefused(msg("The file is not a Jupyter notebook."))
    about = json_object(notebook.get("metadata"))
    # The language of the programs is told once, for all cells.
    language = str(json_object(about.get("language_info")).get("name") or "")
    title = about.get("title")
    if isinstance(title, str) and title.strip():
        text.title = title
    for cell in json_objects(notebook.get("cells")):
        source = _joined(cell.get("source"))
        if cell.get("cell_type") == "markdown":
            text.markdown(source)
        elif cell.get("cell_type") == "code":
            text.fenced(source, re.sub(r"\W", "", language))
            # An output is text, or has a form in text beside its picture.
            for output in json_objects(cell.get("outputs")):
                printed = output.get("text") or json_object(output.get("data")).get("text/plain")
                text.fenced(_joined(printed)[:MAX_OUTPUT])
        else:
            text.lines(source)


def _int(digits: str) -> float:
    """A number as it is read: Python refuses those of 4,300 digits."""
    if len(digits) < 20:
        return int(digits)
    return float(digits)


def _joined(source: Any) -> str:
    """Text that is kept whole or as a list of lines."""
    lines = source
    if not isinstance(source, list):
        lines = [source]
    return "".join(line for line in lines if isinstance(line, str))
