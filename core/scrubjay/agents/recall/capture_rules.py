"""Which sentences of a person are worth remembering, and which must never be, by their words."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum

import regex

from scrubjay.text.redaction import find_secrets
from scrubjay.text.tokenizer import fold

MIN_CHARACTERS = 10
MAX_CHARACTERS = 500
MAX_EMOJI = 3
"""Agents decorate their answers; people rarely use more in something to remember."""


class Category(StrEnum):
    """What kind of thing a person said. The order is the order in which they are tried."""

    PREFERENCE = "preference"
    DECISION = "decision"
    ENTITY = "entity"
    FACT = "fact"
    OTHER = "other"


# All patterns read folded text: lower case, no accents, one space between words. Every
# repetition has a limit, so that no text takes quadratic time.
_PREFER = re.compile(
    r"\b(?:prefer(?:s|red|ence)?|likes?|loves?|hates?|wants?|needs?"
    r"|prefier[oe]n?|preferimos|preferiria|me gustan?|me gustaria|me encantan?|adoro|odio|detesto"
    r"|quiero|queremos|necesito|necesitamos)\b"
)
_WISH = re.compile(
    r"\bprefer|\b(?:i|we|he|she|they|my [\w'-]{1,30})(?:'[a-z]{1,2}| [a-z]{1,10}){0,2}"
    r" (?:like|love|hate|want|need)s?\b"
    r"|\bprefier[oe]|\bpreferimos\b|\bpreferiria\b|\bme gustan?\b|\bme gustaria\b|\bme encantan?\b"
    r"|\badoro\b|\bodio\b|\bdetesto\b|\bquiero\b|\bqueremos\b|\bnecesito\b|\bnecesitamos\b"
)
_DECISION = re.compile(
    r"\bdecided\b|\bwill use\b|\b(?:i|we)'ll use\b|\bwe chose\b"
    r"|\bdecidi\b|\bdecidimos\b|\b(?:he|hemos) decidido\b|\bvamos a usar\b|\busaremos\b|\busare\b"
)
_REMEMBER = re.compile(
    r"\bremember\b|\bdon't forget\b|\bdo not forget\b|\bkeep in mind\b"
    r"|\brecuerd[ae]\b|\brecordar?\b|\bacuerdate\b|\bacordate\b|\bno (?:te )?olvides\b|\bapunta\b"
    r"|\banota\b|\bten en cuenta\b|\bmemoriza\b"
)
_PHONE = re.compile(r"(?<![\w.-])(?!\d{4}-\d\d-\d\d)\+?\(?\d(?:[ .()-]{0,2}\d){9,14}(?![\w-])")
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_MY = re.compile(
    r"\bmy (?:[\w'-]{1,30} ){1,4}(?:is|are)\b|\b(?:is|are) my\b"
    r"|\bmis? (?:[\w'-]{1,30} ){1,4}(?:es|son|esta|estan|se llaman?)\b|\b(?:es|son) mis?\b"
)
_WEIGHTY = re.compile(
    r"\b(?:always|never|important|siempre|nunca|jamas|importantes?|imprescindible)\b"
)
_CALLED = re.compile(r"\b(?:is|are) called\b|\bse llaman?\b")
_STATES = re.compile(r"\b(?:is|are|has|have|es|son|esta|estan|tiene|tienen|hay)\b")
_TRIGGERS = (_REMEMBER, _WISH, _DECISION, _PHONE, _EMAIL, _MY, _WEIGHTY)

_CATEGORIES: tuple[tuple[Category, tuple[re.Pattern[str], ...]], ...] = (
    (Category.PREFERENCE, (_PREFER,)),
    (Category.DECISION, (_DECISION,)),
    (Category.ENTITY, (_PHONE, _EMAIL, _CALLED)),
    (Category.FACT, (_STATES,)),
)

_TAG = re.compile(
    r"</[a-z][\w:-]{0,60}>|^<[a-z!?]|\[/?(?:inst|system)\]|<\|"
    r"|<\s{0,3}/?\s{0,3}(?:system|assistant|developer|user|human|tool|function|instructions?"
    r"|relevant-memories)\b"
)
_RECALLED = re.compile(r"relevant-memories|untrusted history")
_OVERRIDES = (
    re.compile(
        r"\b(?:ignore|disregard|forget|override|bypass)(?: [\w']{1,15}){0,4}"
        r" (?:instructions?|rules|prompts?|guidelines)\b"
    ),
    re.compile(r"\b(?:do not|don't|never) (?:follow|obey)(?: [\w']{1,15}){0,3} (?:system|develop)"),
    re.compile(r"\b(?:system|developer) (?:prompt|message)s?\b"),
    re.compile(r"\b(?:run|execute|call|invoke)\b.{0,40}\b(?:tools?|commands?)\b"),
    re.compile(r"\byou are now\b|\bact as (?:if|though) you\b|\bnew instructions\b"),
    re.compile(
        r"\b(?:ignor[ae]|ignores|olvida|olvides?|omite|desobedece|haz caso omiso de)"
        r"(?: [\w']{1,15}){0,4} (?:instruccion(?:es)?|reglas|ordenes|indicaciones)\b"
    ),
    re.compile(r"\bno (?:sigas|obedezcas)(?: [\w']{1,15}){0,3} (?:sistema|desarrollador|instrucc)"),
    re.compile(r"\b(?:prompt|mensajes?|instrucciones) (?:del?|de la|de el) (?:sistema|desarroll)"),
    re.compile(r"\b(?:ejecuta|invoca|llama|corre)\b.{0,40}\b(?:herramientas?|comandos?)\b"),
    re.compile(r"\bahora eres\b|\bnuevas instrucciones\b"),
)
_BULLET = re.compile(r"^\s{0,8}(?:[-*+]|\d{1,3}[.)])\s", re.MULTILINE)
_MARKUP = re.compile(r"\*\*|^#{1,6}\s|^```", re.MULTILINE)
_EMOJI = regex.compile(r"\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F")
_GRAPHEME = regex.compile(r"\X")
_INVISIBLE = frozenset({"Cf", "Cc", "Cs", "Co", "Cn"})


def is_worth_keeping(text: str) -> bool:
    """True for a sentence of a person that has a reason to be remembered, and none not to be."""
    text = text.strip()
    if not MIN_CHARACTERS <= len(text) <= MAX_CHARACTERS or refusal(text):
        return False
    plain = _plain(text)
    return any(pattern.search(plain) for pattern in _TRIGGERS)


def refusal(text: str) -> str:
    """Why a text must not be kept, in one plain sentence; empty when nothing is wrong with it."""
    plain = _plain(text)
    if _RECALLED.search(plain):
        return "It comes from the notes already."
    if _TAG.search(plain):
        return "It holds tags, as texts of machines do."
    if _MARKUP.search(text) and _BULLET.search(text):
        return "It is a formatted summary."
    if sum(1 for one in _GRAPHEME.findall(text) if _EMOJI.search(one)) > MAX_EMOJI:
        return f"It has more than {MAX_EMOJI} emoji."
    if any(pattern.search(plain) for pattern in _OVERRIDES):
        return "It gives an agent orders."
    if find_secrets(text):
        return "It holds a password or a key."
    return ""


def category_of(text: str) -> Category:
    """The first kind whose words are in the text."""
    plain = _plain(text)
    for category, patterns in _CATEGORIES:
        if any(pattern.search(plain) for pattern in patterns):
            return category
    return Category.OTHER


def _plain(text: str) -> str:
    """Folded, on one line, without what cannot be seen but splits a word."""
    shown = (
        " " if letter.isspace() else letter
        for letter in text
        if letter.isspace() or unicodedata.category(letter) not in _INVISIBLE
    )
    return " ".join(fold("".join(shown)).replace("’", "'").split())
