"""Tokens of text: one analysis for the index, the query and the highlights."""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from typing import Any, NamedTuple

import apsw

from scrubjay.concurrency.lazy_pattern import lazy_pattern
from scrubjay.text.normal_form import MappedText, mapped_form, normal_form

_CATEGORIES = "L* M* N* Co So"
_SIGNS = "_←↑→↓↔"
TOKENIZER = f"porter unicode61 remove_diacritics 2 categories '{_CATEGORIES}' tokenchars '{_SIGNS}'"
"""FTS5 tokenizer of the index: letters with the signs on them, digits, underscore, and symbols such
as emoji; folded; English stems. It is given the normal form of texts."""

_ARGUMENTS = [
    "unicode61", "remove_diacritics", "2", "categories", _CATEGORIES, "tokenchars", _SIGNS,
]  # fmt: skip

_CJK = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3040-\u30ff\u3105-\u312f"
    "\u3130-\u318f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\uff66-\uff9f\U00020000-\U000323af"
)
CJK_RUN = lazy_pattern(f"[{_CJK}]+")
"""Scripts of China, Japan and Korea, whose words have no spaces between them or carry suffixes."""

_UNSPACED = (
    f"{_CJK}\u0e01-\u0e3e\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u104c-\u109f"
    "\u1780-\u17d3\u17d7\u17dc\u17dd\u1950-\u19df\u1a20-\u1aad\ua9e0-\ua9fe\uaa60-\uaadf"
)
UNSPACED_RUN = lazy_pattern(f"[{_UNSPACED}]+")
"""Scripts that are written without spaces between words: those, Thai, Lao, Khmer, Burmese, …"""

_SYMBOLS = (
    "\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3012\u3013\u3036\U0001f000-\U0001f3fa\U0001f400-\U0001faff"
)
SYMBOL = f"[\U0001f1e6-\U0001f1ff]{{2}}|[{_SYMBOLS}]"
"""Pattern of emoji and other signs that are tokens by themselves; two letters are one flag."""
_APART = lazy_pattern(f"[{_UNSPACED}]+|{SYMBOL}")
_HAS_APART = lazy_pattern(f"[{_UNSPACED}{_SYMBOLS}]")
"""A set of letters, which is found in a tenth of the time of a pattern with alternatives."""

MARKS = (
    "\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09d7\u0a01-\u0a03"
    "\u0a3c-\u0a51\u0a70\u0a71\u0a75\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b57\u0b82"
    "\u0bbe-\u0bcd\u0bd7\u0c00-\u0c04\u0c3e-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03"
    "\u0d3b-\u0d4d\u0d57\u0d81-\u0d83\u0dca-\u0ddf\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1"
    "\u0eb4-\u0ebc\u0ec8-\u0ece\u0f18\u0f19\u0f35\u0f37\u0f39\u0f71-\u0f84\u0f86\u0f87\u0f8d-\u0fbc"
    "\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d"
    "\u17b4-\u17d3\u17dd\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\xad\u200b-\u200d\u2060"
)
"""Characters of a pattern for signs inside words that Python does not take for letters: vowel
signs, accents and points by themselves, and signs that nobody sees."""

# Names with several words in them.

_BORDER = lazy_pattern(r"[a-z][A-Z]|[^\W_]_[^\W_]")
_BEND = lazy_pattern(rb"A(?<=aA)")
_UNDERSCORE = lazy_pattern(rb"_")
_PART = lazy_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")

_WRITTEN = lazy_pattern(rf"[\w{MARKS}]+|{SYMBOL}")
_NAME = lazy_pattern(r"\w+")

# Names with a sign, and numbers.

_PARTED_DIGITS = lazy_pattern(rb"0(?:[-, ]+0| A)")
_DIGIT_RUN = lazy_pattern(rb"0(?=[-A ,])(?:[-A ]*+,?+0++)++")
"""Digits with signs, spaces or capitals between them, from the last one before the first sign."""
_NO_NUMBER = lazy_pattern(r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d+-\d+")
"""Most of these runs: dates and ranges."""
_DECIMAL = lazy_pattern(r"(?<![\w.,'])(?!0[0-9])[0-9]+[.,][0-9]{1,9}(?![\w']|[.,][0-9])")
"""Most other ones: numbers with decimals, which can be nothing else."""
_BEFORE_DIGITS = 4
"""Characters that a number may have before its first digit, and after its last one."""
SIGNED_NAME = (
    r"(?<![\w.+#])(?:[A-Za-z]\w*\+\+|[A-Za-z][+#])(?![+#]|(?<![+])[A-Za-z0-9_]|(?<=\w\+)\w)"
    r"|(?<![\w.])\.(?:NET|Net|net)\b"
)
"""Pattern of a name whose sign belongs to it: C++, C#, A+, .NET."""
_SIGNED_NAME = lazy_pattern(SIGNED_NAME)
_SIGN = lazy_pattern(r"[+#.](?:(?<=[A-Za-z0-9_][+#])\+?|(?<=\.)[Nn][Ee][Tt]\b)")
_NAME_LETTERS = frozenset(f"{ascii_letters}{digits}_")
_HAS_SIGN = lazy_pattern(rb"\+(?<=[aA0_]\+)")
_HAS_NET = lazy_pattern(r"\.(?:NET|Net|net)")
_SIGN_NAMES = {"+": "_plus", "#": "_sharp", ".": "_dot"}

_GROUPED = (
    r"\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?\b"
    r"|(?<![\w.,+(:/-])(?:\+(?=[\d(])|(?=\(\d|0\d))(?!\d\d[./-]\d\d[./-]\d{4}\b)\(?\d{1,5}\)?"
    r"(?:[ /.-]{0,3}\(?\d{1,9}\)?){1,6}(?!\w)"
    r"|(?<![\w.,-])\d{3,4}(?:[ -]\d{3,4}){2,5}(?![\w-])"
    r"|(?<![\w.,-])\d+(?:-\d+){3,}(?![\w-])"
)
_AMOUNT = (
    r"(?<![\w.,'])(?:\d{1,3}(?:(?:,\d{2,3})*,\d{3}|(?:\.\d{3})+|(?:'\d{3})+|(?: \d{3})+)"
    r"(?:[.,]\d{1,9})?|\d+[.,]\d{1,9})(?![\w']|[.,]\d)"
)
NUMBER = f"{_GROUPED}|{_AMOUNT}"
"""Pattern of a number, account or telephone number with signs or spaces between its digits."""
_PLAIN_NUMBER = lazy_pattern(_AMOUNT)
_NUMBER = lazy_pattern(NUMBER)
_UUID = lazy_pattern(
    r"([0-9a-f]{8})(-?)([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{12})", re.IGNORECASE
)
_VERSION = lazy_pattern(r"([vV])?(\d+(?:\.\d+){2,})")
_GROUP = 3
"""Digits of a group of thousands."""
_FEWEST_DIGITS = 7
"""Digits of a telephone number with its area."""
_MOST_DIGITS = 15
_NO_DIGIT = lazy_pattern(r"\D")
_NO_LETTER_OR_DIGIT = lazy_pattern(r"[^0-9A-Za-z]")
_TWO_DIGITS = lazy_pattern("2[07]|3[0123469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]")
"""Codes of countries with two digits; those with 1 and 7 have one, all others three."""

_POINTS = "\u0308\u030a"
_UMLAUT = lazy_pattern(f"[äöüåøÄÖÜÅØ{_POINTS}]")
_WITH_SIGNS = lazy_pattern(f"[\\w{_POINTS}]+")
_DIGRAPHS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"}
    | {"Å": "Aa", "Ø": "Oe"}
)
"""Letter -> the two that stand for it where a keyboard has none."""

_MEMBERS = {
    "a": ascii_lowercase, "A": ascii_uppercase, "0": digits, "_": "_", " ": " ", "+": "+#",
    "-": "-.'()/", ",": ",",
}  # fmt: skip
_KIND_OF_BYTE = {ord(member): ord(kind) for kind in _MEMBERS for member in _MEMBERS[kind]}
_DIGIT_KIND = ord("0")
_KINDS = bytes(_KIND_OF_BYTE.get(byte, ord("x")) for byte in range(256))
"""Letter of a text -> its kind: `a` for a small letter, `A` for a capital, `0` for a digit, `_`, a
comma and a space for themselves, `+` for a sign that may belong to a name, `-` for one that may
stand between digits, otherwise `x`. In the kinds of a text most patterns are found in a tenth of
the time."""

_MAX_LABELS = 2_000
"""Headings and paths that are cached."""


class Token(NamedTuple):
    """One word as the index stores it. A search makes thousands."""

    start: int
    """Offset in the text in characters, not bytes."""
    end: int
    stem: str
    """Word as the index stores it."""
    word: str = ""
    """Folded word, where it is not what stands there."""


class Analyzer:
    """Tokenizes in the same way as the index, with SQLite's own tokenizer. For one thread."""

    def __init__(self) -> None:
        self._db = apsw.Connection(":memory:")
        # Its return type depends on its flags.
        self._tokenize: Any = self._db.fts5_tokenizer("porter", _ARGUMENTS)
        self.label_stems = functools.lru_cache(_MAX_LABELS)(self._label_stems)
        """Stems of a heading or path, cached since many chunks share them."""

    def close(self) -> None:
        """Free the tokenizer."""
        del self._tokenize
        self._db.close()

    def tokens(self, text: str) -> list[Token]:
        """Words with their positions, CJK as overlapping pairs."""
        if text.isascii():
            return list(itertools.starmap(Token, self.raw_tokens(text.encode())))
        # The tokens of the normal form, at their places in the text.
        mapped = mapped_form(text)
        tokens = self._tokens_of_form(_lower(mapped.text))
        return [_placed(token, mapped) for token in tokens]

    def tokens_and_parts(self, text: str) -> list[Token]:
        """The words, and after them the other words by which parts of the text are found."""
        mapped: MappedText | None = None
        form = text
        if not text.isascii():
            mapped = mapped_form(text)
            form = mapped.text
        # A word that is found by several others has one of them at each of its places.
        further: list[Token] = []
        for start, end, word in word_parts(form):
            token = Token(start, end, self._stem(word))
            if mapped is not None:
                token = _placed(token, mapped)
            further.append(token._replace(word=fold(word)))
        for start, end, word in _spelt_out(text):
            further.append(Token(start, end, self._stem(word), word))
        return [*self.tokens(text), *further]

    def _stem(self, word: str) -> str:
        return "".join(self.stems(word)[:1])

    def _label_stems(self, text: str) -> list[str]:
        return self.stems(text_with_parts(text))

    def raw_tokens(self, data: bytes) -> list[tuple[int, int, str]]:
        """(start, end, stem) of the words in UTF-8, offsets in bytes; for large amounts of text.

        Runs without spaces stay whole: pass the result of `searchable_text`.
        """
        tokens: list[tuple[int, int, str]] = self._tokenize(
            data, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_colocated=False
        )
        return tokens

    def stems(self, text: str) -> list[str]:
        """Words of text without their positions; faster than tokens."""
        prepared = searchable_text(text).encode("utf-8", "replace")
        stems: list[str] = self._tokenize(
            prepared,
            apsw.FTS5_TOKENIZE_DOCUMENT,
            None,
            include_offsets=False,
            include_colocated=False,
        )
        return stems

    def _tokens_of_form(self, text: str) -> list[Token]:
        """Words of a text in its normal form and in lower case."""
        data = text.encode("utf-8", "replace")
        offsets = _character_offsets(text)
        tokens: list[Token] = []
        for start, end, stem in self.raw_tokens(data):
            token = Token(offsets[start], offsets[end], stem)
            if _APART.search(text, token.start, token.end):
                tokens += self._split(token, text)
            else:
                tokens.append(token)
        return tokens

    def _split(self, token: Token, text: str) -> list[Token]:
        """Pairs of its runs without spaces, its symbols, and the words between them."""
        tokens: list[Token] = []
        at = token.start
        for run in _APART.finditer(text, token.start, token.end):
            tokens += self._words(text, at, run.start())
            at = run.end()
            if UNSPACED_RUN.match(run[0]):
                tokens += [
                    Token(run.start() + offset, run.start() + offset + len(pair), pair)
                    for offset, pair in enumerate(cjk_pairs(run[0]))
                ]
            else:
                tokens += self._words(text, *run.span())
        return [*tokens, *self._words(text, at, token.end)]

    def _words(self, text: str, start: int, end: int) -> list[Token]:
        """Words of a part of a text that need no further splitting."""
        data = text[start:end].encode("utf-8", "replace")
        offsets = _character_offsets(text[start:end])
        return [
            Token(start + offsets[first], start + offsets[last], stem)
            for first, last, stem in self.raw_tokens(data)
        ]


def _placed(token: Token, mapped: MappedText) -> Token:
    """A token of a normal form at its place in the text."""
    return Token(mapped.starts[token.start], mapped.ends[token.end - 1], token.stem)


def searchable_text(text: str) -> str:
    """Text as it goes into the index: its normal form, runs without spaces as overlapping pairs.

    A phrase query over the pairs then finds any substring of two characters and up.
    """
    return _searchable(_form(text))


def searchable_fields(text: str, headings: str) -> tuple[str, str, str]:
    """A text and its headings as they go into the index, and the further words of both."""
    # Each normal form is needed twice and made once; a line end between two changes neither.
    form = _form(text)
    heading_form = _form(headings)
    # Further words stand in a field of their own, where phrases do not meet them.
    further = further_words(f"{headings}\n{text}", f"{heading_form}\n{form}")
    return _searchable(form), _searchable(heading_form), searchable_text(further)


def _searchable(form: str) -> str:
    """A text in its normal form as it goes into the index."""
    # Most texts with accents have none of these signs.
    if form.isascii():
        return form
    form = _lower(form)
    if not _HAS_APART.search(form):
        return form
    return _APART.sub(_spaced_out, form)


def _spaced_out(run: re.Match[str]) -> str:
    if UNSPACED_RUN.match(run[0]):
        return f" {' '.join(cjk_pairs(run[0]))} "
    return f" {run[0]} "


def cjk_pairs(run: str) -> list[str]:
    """Overlapping pairs, and the last character alone so that a prefix finds it."""
    return [run[at : at + 2] for at in range(len(run))]


def text_with_parts(text: str) -> str:
    """The text as it goes into the index, and after it the other words that parts are found by."""
    form = _form(text)
    parts = further_words(text, form)
    if not parts:
        return _searchable(form)
    return f"{_searchable(form)} {searchable_text(parts)}"


def has_parts(text: str) -> bool:
    """False for a text without any other words than its own, as a quick look at it tells."""
    if not text.isascii():
        return True
    kinds = _kinds(text)
    return _has_names(kinds) or _has_signs(text, kinds) or _has_numbers(kinds)


def further_words(text: str, form: str) -> str:
    """The other words by which parts of a text are found, each once, with spaces between them.

    Form is the normal form of the text.
    """
    # Most texts have none of these words, which their kinds tell at once.
    kinds = _kinds(form)
    words: list[str] = []
    # Names, signs and numbers are sought in the normal form, umlauts in the text itself.
    if _has_names(kinds):
        words += _identifier_parts(form, kinds)
    if _has_signs(form, kinds):
        words += [word for _, _, word in _signed_names(form)]
    if _has_numbers(kinds):
        words += [key for _, _, key in _numbers(form, kinds)]
    if not text.isascii():
        words += [word for _, _, word in _spelt_out(text)]
    return " ".join(dict.fromkeys(words))


def _form(text: str) -> str:
    """The normal form of a text, which most texts have already."""
    if text.isascii():
        return text
    return normal_form(text)


def _kinds(text: str) -> bytes:
    """The kind of each letter of a text, at the same place."""
    # One byte for each letter: those beyond ASCII become question marks.
    return text.encode("ascii", "replace").translate(_KINDS)


def _has_names(kinds: bytes) -> bool:
    """Whether a text of these kinds may have a name in camelCase or snake_case."""
    # A pattern that begins with a rare letter is found ten times as fast as two frequent ones.
    return b"_" in kinds or _BEND.search(kinds) is not None


def _has_signs(text: str, kinds: bytes) -> bool:
    """Whether a text may have a name with a sign, such as C++ or .NET."""
    return bool(_HAS_SIGN.search(kinds) or _HAS_NET.search(text))


def _has_numbers(kinds: bytes) -> bool:
    """Whether a text of these kinds may have a number with signs between its digits."""
    return b"0" in kinds and _PARTED_DIGITS.search(kinds) is not None


def _signed_names(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, word) of the names with a sign that belongs to them."""
    # A name begins before its sign, which few texts have.
    end = 0
    for sign in _SIGN.finditer(text):
        start = sign.start()
        while start > end and text[start - 1] in _NAME_LETTERS:
            start -= 1
        name = _SIGNED_NAME.match(text, start)
        if name:
            end = name.end()
            yield *name.span(), _signed(name[0])


def word_parts(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, word) of the other words by which parts of a text in normal form are found.

    Words inside camelCase and snake_case names, names that end with a sign such as C++, and numbers
    without the signs between their digits.
    """
    kinds = _kinds(text)
    if _has_names(kinds):
        for name in _compound_names(text, kinds):
            for part in _PART.finditer(text, *name):
                yield *part.span(), part[0]
    if _has_signs(text, kinds):
        yield from _signed_names(text)
    if _has_numbers(kinds):
        yield from _numbers(text, kinds)


def identifier_parts(text: str) -> str:
    """The words inside camelCase and snake_case names, joined with spaces."""
    kinds = _kinds(text)
    if not _has_names(kinds):
        return ""
    return " ".join(_identifier_parts(text, kinds))


def _identifier_parts(text: str, kinds: bytes) -> Iterator[str]:
    names = dict.fromkeys(text[start:end] for start, end in _compound_names(text, kinds))
    return (part for name in names for part in _PART.findall(name))


def _compound_names(text: str, kinds: bytes) -> Iterator[tuple[int, int]]:
    """(start, end) of the names in camelCase and snake_case."""
    # The names around each bend and underscore, which is faster than a look at every word. Both
    # are sought by themselves, since a pattern with two beginnings takes ten times as long.
    places = [bend.start() for bend in _BEND.finditer(kinds)]
    places += [underscore.start() for underscore in _UNDERSCORE.finditer(kinds)]
    end = 0
    for place in sorted(places):
        if place < end:
            continue
        name = _NAME.match(text, _word_start(text, place, end))
        if name:
            end = name.end()
            if _is_compound(name[0]):
                yield name.span()


def _word_start(text: str, at: int, least: int, signs: str = "") -> int:
    """Where the word around a place begins, signs included, but not before the place `least`."""
    while at > least:
        letter = text[at - 1]
        if not (letter.isalnum() or letter == "_" or letter in signs):
            break
        at -= 1
    return at


def _is_compound(word: str) -> bool:
    return ("_" in word or not word[1:].islower()) and bool(_BORDER.search(word))


def _numbers(text: str, kinds: bytes) -> Iterator[tuple[int, int, str]]:
    """(start, end, word) of the numbers with signs or spaces between their digits."""
    # A look around the digits, since the whole patterns take long everywhere else.
    end = 0
    for run in _DIGIT_RUN.finditer(kinds):
        # The pattern begins with the last digit of several, because it skips single numbers so.
        start = run.start()
        while start and kinds[start - 1] == _DIGIT_KIND:
            start -= 1
        if start < end or _NO_NUMBER.fullmatch(text, start, run.end()):
            continue
        # The whole patterns take long, so the most frequent number is looked for first.
        decimal = _DECIMAL.match(text, start)
        if decimal and decimal.end() == run.end():
            end = run.end()
            for key in _amount_keys(decimal[0]):
                yield start, end, key
            continue
        first = max(end, start - _BEFORE_DIGITS)
        for number in _NUMBER.finditer(text, first, run.end() + _BEFORE_DIGITS):
            end = number.end()
            for key in number_keys(number[0]):
                yield *number.span(), key


def equal_words(word: str) -> tuple[str, ...]:
    """Other ways to write one typed word that mean the same; the index holds them as words."""
    form = _form(word)
    if _SIGNED_NAME.fullmatch(form):
        return (_signed(form),)
    # Umlauts in two letters, a version with its letter and without, and a number in one piece.
    keys = [key for _, _, key in _spelt_out(word)]
    version = _VERSION.fullmatch(form)
    if version:
        keys.append(version[2] if version[1] else f"v{form}")
    if is_number(form):
        keys += number_keys(form)
    # The index has the groups of a UUID as words, or the whole where it has no hyphens.
    uuid = _UUID.fullmatch(form)
    if uuid:
        sign = "" if uuid[2] else "-"
        keys.append(sign.join(uuid.group(1, 3, 4, 5, 6)))
    return tuple(dict.fromkeys(keys))


def is_number(word: str) -> bool:
    """Whether a word is a number with signs or spaces between its digits."""
    return bool(_NUMBER.fullmatch(_form(word)))


def is_signed_name(word: str) -> bool:
    """Whether a word is a name with a sign that belongs to it, such as C++."""
    return bool(_SIGNED_NAME.fullmatch(_form(word)))


def _signed(name: str) -> str:
    """The word of the index for a name with a sign."""
    spelt = name.strip("+#.")
    for sign in name.replace(spelt, ""):
        spelt += _SIGN_NAMES[sign]
    return spelt.lower()


def number_keys(number: str) -> tuple[str, ...]:
    """A number without the signs between its digits: the whole, and what it is known by as well."""
    if _PLAIN_NUMBER.fullmatch(number):
        return _amount_keys(number)
    joined = _NO_LETTER_OR_DIGIT.sub("", number.replace("(0)", "")).lower()
    if number[0] not in "+0(":
        return (joined,)
    return _telephone_keys(number, joined)


def _amount_keys(number: str) -> tuple[str, ...]:
    """An amount as its digits, with an underscore before decimals, and its whole part."""
    # Decimals follow a comma or a point of which there is one, unless three digits follow it.
    signs = _NO_DIGIT.findall(number)
    head, _, tail = number.rpartition(signs[-1])
    is_decimal = signs[-1] in ".," and (
        len(set(signs)) > 1 or (len(signs) == 1 and (len(tail) != _GROUP or head.strip("0") == ""))
    )
    if not is_decimal:
        return (_NO_DIGIT.sub("", number),)
    whole = _NO_DIGIT.sub("", head)
    keys = []
    if tail.strip("0"):
        keys.append(f"{whole}_{tail}")
    # The tokenizer has the whole part already, unless it is in groups.
    if len(signs) > 1 or not keys:
        keys.append(whole)
    return tuple(keys)


def _telephone_keys(number: str, joined: str) -> tuple[str, ...]:
    """A telephone number with the code of its country, and as it is dialled inside it."""
    abroad = joined.removeprefix("00")
    if not _FEWEST_DIGITS <= len(abroad) <= _MOST_DIGITS:
        return ()
    if number[0] != "+" and abroad == joined:
        return (joined,)
    # The code of the country has one to three digits.
    size = 3
    if abroad[0] in "17":
        size = 1
    elif _TWO_DIGITS.match(abroad):
        size = 2
    # Some countries put a nought before it, others do not.
    return abroad, f"0{abroad[size:]}", abroad[size:]


def _spelt_out(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, word) of words with umlauts and the like, as they are written without them."""
    # The words around each umlaut: few words have one, and most texts beyond ASCII have none.
    end = 0
    for umlaut in _UMLAUT.finditer(text):
        if umlaut.start() < end:
            continue
        word = _WITH_SIGNS.match(text, _word_start(text, umlaut.start(), end, _POINTS))
        if word:
            end = word.end()
            letters = unicodedata.normalize("NFC", word[0])
            yield *word.span(), fold(letters.translate(_DIGRAPHS))


def composed(text: str) -> str:
    """A text in lower case with its accents, each in one letter with its own."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", text).lower()


def written_words(text: str) -> str:
    """The folded words of a text, unlike stems as written, with a space before and after each."""
    return f" {' '.join(_WRITTEN.findall(fold(text)))} "


def fold(text: str) -> str:
    """The normal form in lower case, by which words and short labels are compared."""
    if text.isascii():
        return text.lower()
    return _lower(normal_form(text))


def _lower(form: str) -> str:
    # Python writes a sigma in its final form where a word in capitals ends with one.
    return form.lower().replace("ς", "σ")


def _character_offsets(text: str) -> Sequence[int]:
    """Character offset for each byte offset of the UTF-8 form of text, and one for its end."""
    if text.isascii():
        return range(len(text) + 1)
    offsets: list[int] = []
    for at, letter in enumerate(text):
        # Half a surrogate pair is written as a question mark.
        offsets += [at] * len(letter.encode("utf-8", "replace"))
    offsets.append(len(text))
    return offsets
