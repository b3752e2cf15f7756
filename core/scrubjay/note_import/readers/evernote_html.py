"""Elements and styles that only Evernote writes, converted to the same ones of HTML.

They occur in the notes of its exports, even after another program has imported them, and in its
web pages.
"""

from __future__ import annotations

from scrubjay.text.html_scanner import Attributes

MEDIA = "evernote-media:"
"""Beginning of the address of an attachment, before the hash by which a note names it."""

_CODE_BLOCK = "-en-codeblock:true"
_TASKS = "--en-todo:true"
_CHECKED = "--en-checked:"


def standard_html(tag: str, attributes: Attributes) -> tuple[str, Attributes]:
    """The element of HTML for one of Evernote; any other as it is."""
    match tag:
        case "en-note":
            return "body", attributes
        case "en-media":
            return _attachment(attributes)
        case "en-todo":
            box = {"type": "checkbox"}
            if attributes.get("checked") == "true":
                box["checked"] = ""
            return "input", box
    # The other rules are styles, which spaces may be in.
    style = attributes.get("style", "").replace(" ", "")
    if tag == "div" and _CODE_BLOCK in style:
        return "pre", attributes
    if tag in ("ul", "ol") and _TASKS in style:
        return tag, attributes | {"class": "to-do"}
    if tag == "li" and _CHECKED in style:
        is_checked = f"{_CHECKED}true" in style
        return tag, attributes | {"aria-checked": str(is_checked).lower()}
    return tag, attributes


def _attachment(attributes: Attributes) -> tuple[str, Attributes]:
    """A picture, or the link to another file, at the hash of its content."""
    named = {"src": MEDIA + attributes.get("hash", ""), "alt": attributes.get("alt", "")}
    if attributes.get("type", "image/").startswith("image/"):
        return "img", named
    return "embed", named
