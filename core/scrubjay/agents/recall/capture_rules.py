"""Sentences of the user that are worth remembering, recognised by their words."""

from __future__ import annotations

import re
from enum import StrEnum

from scrubjay.agents.write_rules import folded_line, refusal_reason

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
# Where a message is taken apart, and the abbreviations that end no sentence.
_SENTENCE_END = re.compile(
    r"(?<=[.!?…])\s+(?=[^\W_a-zß-ÿ]|[¿¡\"“«(])|\s*\n\s*\n\s*|\s*\n\s*[-*•]\s+"
)
_ABBREVIATIONS = ("dr.", "mr.", "mrs.", "ms.", "st.", "no.", "sr.", "sra.", "dra.", "vs.", "núm.")
# Such a sentence says nothing without the one before it.
_REFERS_BACK = re.compile(
    r"(?:it|its|it's|he|she|they|his|her|their|this|that|these|those|there|and|but|so|because|also"
    r"|then|ella|ellos|ellas|eso|ese|esa|esto|este|esta|y|pero|porque|asi|tambien|entonces)\b"
)
# The request itself is not part of what is to be remembered.
_REQUEST = re.compile(
    r"(?:please,? |por favor,? )?(?:"
    r"(?:remember|don['’]t forget|do not forget|keep in mind|note)"
    r"(?: this)?(?:,? that\b|\s*[:,]|(?= (?:i|we|he|she|they)\b))"
    r"|(?:recuerd[ae]|acu[eé]rdate|acordate|no (?:te )?olvides|apunta|anota|ten en cuenta|memoriza)"
    r"(?: esto)?(?:(?: de)? que\b|\s*[:,])"
    r")\s*",
    re.IGNORECASE,
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
    if not MIN_CHARACTERS <= len(text) <= MAX_CHARACTERS or refusal_reason(text):
        return False
    plain = folded_line(text)
    return any(pattern.search(plain) for pattern in _TRIGGERS)


def extract_facts(message: str) -> list[str]:
    """The facts of a message that are worth keeping, each on a line; none without a reason.

    A sentence without a reason of its own, or one that refers back, stays with the one before.
    """
    if not is_worth_keeping(message):
        return []
    groups: list[str] = []
    has_reason = False
    is_requested = False
    for sentence in _sentences(message):
        # After "Remember this:" alone, each sentence is what is meant.
        if not _REQUEST.sub("", sentence, count=1).strip(" .!,:"):
            is_requested = True
            continue
        reason = is_requested or is_worth_keeping(sentence)
        # A question is no fact, unless it is asked in order to be remembered.
        if sentence.endswith("?") and not reason:
            continue
        refers_back = _REFERS_BACK.match(folded_line(sentence))
        if groups and not (has_reason and reason and not refers_back):
            groups[-1] += f" {sentence}"
            has_reason = has_reason or reason
        else:
            groups.append(sentence)
            has_reason = reason
    return [_without_request(group) for group in groups]


def _sentences(message: str) -> list[str]:
    """The sentences of a message, each on one line."""
    sentences: list[str] = []
    for part in _SENTENCE_END.split(message.strip()):
        line = " ".join(part.split())
        # After an abbreviation, the same sentence goes on.
        if sentences and sentences[-1].lower().endswith(_ABBREVIATIONS):
            sentences[-1] += f" {line}"
        elif line:
            sentences.append(line)
    return sentences


def _without_request(fact: str) -> str:
    """A fact without the words that ask for it to be remembered, unless too little is left."""
    rest = _REQUEST.sub("", fact, count=1) if _REQUEST.match(fact) else fact
    if len(rest) < MIN_CHARACTERS:
        return fact
    return f"{rest[0].upper()}{rest[1:]}"


def sentence_category(text: str) -> Category:
    """The first kind with words in the text."""
    plain = folded_line(text)
    for category, patterns in _CATEGORIES:
        if any(pattern.search(plain) for pattern in patterns):
            return category
    return Category.OTHER
