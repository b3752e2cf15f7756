"""Sentences of the user that are worth remembering, recognised by their words."""

from __future__ import annotations

import re
from enum import StrEnum

from scrubjay.agents.write_rules import folded_line, refusal

MIN_CHARACTERS = 10
"""Characters of a sentence at least; a shorter one says nothing by itself."""
MAX_CHARACTERS = 500
"""Characters of a sentence at most; a longer one is a text that was pasted."""
MAX_CAPTURED = 3
"""Sentences that are captured in one run of a hook."""


class Category(StrEnum):
    """The kind of a sentence, in the order in which kinds are tried."""

    PREFERENCE = "preference"
    DECISION = "decision"
    ENTITY = "entity"
    FACT = "fact"
    OTHER = "other"


# All patterns match folded text: lower case, no accents, one space between words. Every
# repetition has a limit, so that no text takes quadratic time.
# Preferences, first in any words for the kind, then as a person states a wish.
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
# What people say when they want something to be remembered.
_REMEMBER = re.compile(
    r"\bremember\b|\bdon't forget\b|\bdo not forget\b|\bkeep in mind\b"
    r"|\brecuerd[ae]\b|\brecordar?\b|\bacuerdate\b|\bacordate\b|\bno (?:te )?olvides\b|\bapunta\b"
    r"|\banota\b|\bten en cuenta\b|\bmemoriza\b"
)
# What has the form of a number or an address; a date such as 2026-11-20 is not a telephone number.
_PHONE = re.compile(r"(?<![\w.-])(?!\d{4}-\d\d-\d\d)\+?\(?\d(?:[ .()-]{0,2}\d){9,14}(?![\w-])")
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
# What people say of themselves, of names and of weight.
_MY = re.compile(
    r"\bmy (?:[\w'-]{1,30} ){1,4}(?:is|are)\b|\b(?:is|are) my\b"
    r"|\bmis? (?:[\w'-]{1,30} ){1,4}(?:es|son|esta|estan|se llaman?)\b|\b(?:es|son) mis?\b"
)
_WEIGHTY = re.compile(
    r"\b(?:always|never|important|siempre|nunca|jamas|importantes?|imprescindible)\b"
)
_CALLED = re.compile(r"\b(?:is|are) called\b|\bse llaman?\b")
_STATES = re.compile(r"\b(?:is|are|has|have|es|son|esta|estan|tiene|tienen|hay)\b")
# Any of these makes a sentence worth keeping; the others only tell its kind.
_TRIGGERS = (_REMEMBER, _WISH, _DECISION, _PHONE, _EMAIL, _MY, _WEIGHTY)

# The first kind that matches wins.
_CATEGORIES: tuple[tuple[Category, tuple[re.Pattern[str], ...]], ...] = (
    (Category.PREFERENCE, (_PREFER,)),
    (Category.DECISION, (_DECISION,)),
    (Category.ENTITY, (_PHONE, _EMAIL, _CALLED)),
    (Category.FACT, (_STATES,)),
)


def is_worth_keeping(text: str) -> bool:
    """True for a sentence with a reason to be remembered, and none not to be."""
    text = text.strip()
    if not MIN_CHARACTERS <= len(text) <= MAX_CHARACTERS or refusal(text):
        return False
    plain = folded_line(text)
    return any(pattern.search(plain) for pattern in _TRIGGERS)


def category_of(text: str) -> Category:
    """The first kind with words in the text."""
    plain = folded_line(text)
    for category, patterns in _CATEGORIES:
        if any(pattern.search(plain) for pattern in patterns):
            return category
    return Category.OTHER
