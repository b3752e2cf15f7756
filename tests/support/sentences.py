"""What the app says: in the code, and in the catalogue of translations."""

from __future__ import annotations

import ast
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import translations
from core_sentences import core_sentences

Said = tuple[str, str]
"""Context and English text."""


def spoken(node: ast.AST, around: str = "") -> Iterator[Said]:
    """What a piece of code says in windows."""
    around = node.name if isinstance(node, ast.ClassDef) else around
    for child in ast.iter_child_nodes(node):
        yield from spoken(child, around)
    if not isinstance(node, ast.Call):
        return
    texts = [one.value for one in node.args if isinstance(one, ast.Constant)]
    match node.func:
        case ast.Name(id="translate") if len(texts) > 1:
            yield texts[0], texts[1]
        case ast.Attribute(attr="tr"):
            yield around, texts[0]


def window_sentences() -> Iterator[tuple[str, Said]]:
    """Each module of the app, such as `agents/agents_page.py`, with what it says."""
    for file in sorted(translations.WINDOWS.rglob("*.py")):
        for one in spoken(ast.parse(file.read_text("utf-8"))):
            yield file.relative_to(translations.WINDOWS).as_posix(), one


def said() -> set[Said]:
    """What windows say, also of the core."""
    windows = {one for _, one in window_sentences()}
    core = {(translations.CORE_CONTEXT, one) for one in core_sentences()}
    of_qt = {(context, one) for context, words in translations.OF_QT.items() for one in words}
    return windows | core | of_qt


def catalogue() -> dict[Said, str]:
    """The finished translations."""
    found = {}
    for context in ET.parse(translations.CATALOGUE).getroot().iter("context"):
        for message in context.iter("message"):
            target = message.find("translation")
            if target is not None and not target.get("type"):
                key = (context.findtext("name", ""), message.findtext("source", ""))
                found[key] = target.text or ""
    return found
