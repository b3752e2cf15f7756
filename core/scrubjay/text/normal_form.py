"""One normal form of letters for texts and questions, and where its letters stand in the text.

It is below everything that compares words: index, spelling, highlights, names, tags and secrets.
Unicode's own data decides; the tables here hold what it does not say.
"""

from __future__ import annotations

import functools
import re
import unicodedata

from msgspec import Struct

from scrubjay.concurrency.lazy_pattern import lazy_pattern

_FOREIGN = lazy_pattern(r"[^\x00-\x7f]+")
_CLUSTER = lazy_pattern(
    # A syllable of hangul in its letters, or a letter with the signs on it.
    "[\u1100-\u115f\ua960-\ua97f]+[\u1160-\u11a7\ud7b0-\ud7c6]*[\u11a8-\u11ff\ud7cb-\ud7fb]*"
    "|[\uac00-\ud7a3][\u11a8-\u11ff]*|[\u3131-\u318e\uffa0-\uffdc]+"
    "|[^\u0300-\u036f\u3099\u309a\uff9e\uff9f][\u0300-\u036f\u3099\u309a\uff9e\uff9f]*|[\\S\\s]"
)
_TONES_AND_RINGS = lazy_pattern("[\u0e48-\u0e4b\u0e4d]{2,}|[\u0ec8-\u0ecb\u0ecd]{2,}")
"""Tones of Thai or Lao, and the ring that the letter am begins with, which stands before them."""
_RINGS = "\u0e4d\u0ecd"
_MOST_RUNS = 20_000
"""Words beyond ASCII whose form is cached."""
_LONGEST_RUN = 24
"""Letters of a word that is cached; longer ones hardly come again."""

_STROKE = lazy_pattern(r"LATIN (SMALL|CAPITAL) LETTER (?:DOTLESS )?([A-Z])(?: WITH .*)?")
"""Unicode's name of a Latin letter with a stroke, hook or tail, which it does not decompose."""

_LATIN = {
    "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "TH",
    "ð": "d", "Ð": "D", "ŋ": "n", "Ŋ": "N", "ĳ": "ij", "Ĳ": "IJ", "ĸ": "k", "ſ": "s",
}  # fmt: skip
_ARABIC = {
    "ٱ": "ا", "ى": "ي", "ی": "ي", "ے": "ي", "ې": "ي", "ک": "ك", "ڪ": "ك", "ة": "ه", "ہ": "ه",
    "ە": "ه", "ۀ": "ه", "ۂ": "ه", "ۃ": "ه", "ـ": "",
}  # fmt: skip
"""Forms of alef, yeh, kaf and heh that writers and keyboards exchange."""
_INDIC = {
    "ँ": "ं", "ঁ": "ং", "ൺ": "ണ്", "ൻ": "ന്", "ർ": "ര്", "ൽ": "ല്", "ൾ": "ള്", "ൿ": "ക്",
    "ৎ": "ত্",
}  # fmt: skip
_APART = {
    "ς": "σ", "’": "'", "‘": "'", "ʼ": "'", "＇": "'", "ʻ": "", "ʹ": "", "ʺ": "", "ʽ": "",
    "⁄": "/", "∕": "/", "−": "-", "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-",
    "™": " ", "℠": " ", "℗": " ", "٫": ".", "٬": ",",
    "©": " ", "®": " ", "°": " ", "¦": " ", "¨": " ", "¯": " ",
    "´": " ", "¸": " ", "˘": " ", "˙": " ", "˚": " ", "˛": " ", "˜": " ", "˝": " ", "\u2028": "\n",
    "\u2029": "\n",
}  # fmt: skip
_OWN = {ord(sign): form for sign, form in (_LATIN | _ARABIC | _INDIC | _APART).items()}
_WHOLE = frozenset("йЙїЇўЎ")
"""Letters of their own, although Unicode makes them of another one with an accent."""

_INVISIBLE_MARKS = frozenset(
    map(chr, (0x34F, 0x115F, 0x1160, 0x3164, 0xFFA0, 0x17B4, 0x17B5, *range(0x180B, 0x1810)))
) | frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""Signs without a look of their own that Unicode does not list as signs of format."""
_SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))

_KEPT_CLASSES = frozenset({0, 8, 9, 84, 91, 103, 107, 118, 122, 129, 130, 132})
"""Combining classes of vowel signs, tones and the like, without which a word is another one. Those
of accents, points of Hebrew, vowel marks of Arabic and the dot of nukta are not among them."""

_NO_SYMBOLS = lazy_pattern("[\u2400-\u245f\u2500-\u25ff\u2800-\u28ff]")
"""Lines, blocks and the like, which are drawn and not searched for."""


def normal_form(text: str) -> str:
    """The text in the letters by which words are compared; capitals stay.

    Wide and narrow forms, ligatures, accents, points, decomposed letters and digits of other
    scripts are alike, and signs that nobody sees are gone.
    """
    if text.isascii():
        return text
    return _FOREIGN.sub(_normal_match, text)


class MappedText(Struct, frozen=True):
    """The normal form of a text, with the place of each of its letters in the text."""

    text: str
    starts: list[int]
    """Where what became each letter begins in the text, and the length of the text."""
    ends: list[int]
    """Where it ends."""


def mapped_form(text: str) -> MappedText:
    """The normal form with offsets into the text."""
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []

    def add(form: str, start: int, end: int) -> None:
        # What is left out belongs to the letter before it.
        if not form and ends:
            ends[-1] = end
        letters.append(form)
        starts.extend([start] * len(form))
        ends.extend([end] * len(form))

    def keep(start: int, end: int) -> None:
        letters.append(text[start:end])
        starts.extend(range(start, end))
        ends.extend(range(start + 1, end + 1))

    at = 0
    # What is ASCII stays; the rest has its form, letter by letter.
    for run in _FOREIGN.finditer(text):
        keep(at, run.start())
        # Letter by letter, unless that gives something else than all of them together.
        clusters = [*_CLUSTER.finditer(run[0])]
        forms = [_normal_run(cluster[0]) for cluster in clusters]
        whole = _normal_run(run[0])
        if "".join(forms) == whole:
            for cluster, form in zip(clusters, forms, strict=True):
                add(form, run.start() + cluster.start(), run.start() + cluster.end())
        else:
            add(whole, run.start(), run.end())
        at = run.end()
    keep(at, len(text))
    return MappedText("".join(letters), [*starts, len(text)], ends)


def _normal_match(match: re.Match[str]) -> str:
    run = match[0]
    if len(run) <= _LONGEST_RUN:
        return _cached_run(run)
    return _normal_run(run)


@functools.lru_cache(_MOST_RUNS)
def _cached_run(run: str) -> str:
    return _normal_run(run)


def _normal_run(run: str) -> str:
    """The normal form of letters beyond ASCII."""
    form = _once(run)
    # Signs that are gone may leave letters side by side that are one.
    while not form.isascii():
        again = _once(form)
        if again == form:
            break
        form = again
    return form


def _once(run: str) -> str:
    # What the compatible form would spoil has a form of its own.
    safe = run.translate(_BEFORE)
    composed_run = unicodedata.normalize("NFKC", safe)
    form = unicodedata.normalize("NFC", composed_run.translate(_LETTERS))
    return _TONES_AND_RINGS.sub(_rings_first, form)


def _rings_first(signs: re.Match[str]) -> str:
    return "".join(sorted(signs[0], key=lambda sign: sign not in _RINGS))


class _BeforeTable(dict[int, str]):
    """Code of a sign -> what it is before compatible forms are taken."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        form = sign
        if code in _OWN:
            form = _OWN[code]
        elif unicodedata.decomposition(sign).startswith("<fraction>"):
            form = f" {unicodedata.normalize('NFKC', sign)} "
        elif _is_invisible(sign):
            form = ""
        self[code] = form
        return form


class _LetterTable(dict[int, str]):
    """Code of a letter -> its form."""

    def __missing__(self, code: int) -> str:
        form = self[code] = _form_of(chr(code))
        return form


_BEFORE = _BeforeTable()
_LETTERS = _LetterTable()


def _is_invisible(sign: str) -> bool:
    kind = unicodedata.category(sign)
    return kind == "Cf" or sign in _INVISIBLE_MARKS or sign in _SKIN_TONES


def _form_of(letter: str) -> str:
    """The form of one letter as NFKC gives it."""
    # Most letters have a form of their own, or none.
    code = ord(letter)
    if code < 0x80 or letter in _WHOLE or "\uac00" <= letter <= "\ud7a3":
        return letter
    if code in _OWN:
        return _OWN[code]
    if _is_invisible(letter) or _NO_SYMBOLS.match(letter):
        return "" if _is_invisible(letter) else " "
    kind = unicodedata.category(letter)
    if kind == "Nd":
        return str(unicodedata.decimal(letter))
    # A letter with signs loses those that are not needed; voiced kana keep theirs.
    parts = unicodedata.normalize("NFD", letter)
    if len(parts) > 1:
        left = "".join(part if part == letter else _form_of(part) for part in parts)
        return unicodedata.normalize("NFC", left)
    is_kept = unicodedata.combining(letter) in _KEPT_CLASSES
    if kind == "Me" or (kind == "Mn" and not is_kept):
        return ""
    # What Unicode only says by the name of a letter.
    stroke = _STROKE.fullmatch(unicodedata.name(letter, ""))
    if stroke:
        return stroke[2].lower() if stroke[1] == "SMALL" else stroke[2]
    return letter
