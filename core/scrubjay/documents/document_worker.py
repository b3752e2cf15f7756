"""The child process that reads documents: it gets untrusted bytes and returns text or pixels.

Started as `python -m scrubjay.documents.document_worker` (documents/request_loop).
"""

from __future__ import annotations

from typing import Any

from scrubjay.documents.document_limits import MOST_MEMORY, NEEDS_MORE_MEMORY
from scrubjay.documents.document_readers import read_document
from scrubjay.documents.document_text import DocumentText
from scrubjay.documents.request_loop import Answer, serve
from scrubjay.messages import Sentence, msg


def main() -> None:
    """Serve requests until stdin closes or the process is idle."""
    serve(_answer, _damaged, most_memory=MOST_MEMORY, needs_more_memory=NEEDS_MORE_MEMORY)


def _answer(request: dict[str, Any], data: bytes) -> Answer:
    """The text or the picture that a request asks for."""
    if "page" in request:
        from scrubjay.documents.pdf_renderer import render_page

        return render_page(data, request["page"])
    if "pictures" in request:
        from scrubjay.documents.document_pictures import find_pictures

        pictures, contents = find_pictures(data, request["ending"])
        return {"pictures": pictures}, contents
    is_whole = not request.get("withoutAttachments")
    return {}, convert_document(data, request["ending"], with_attachments=is_whole).encode("utf-8")


def _damaged(request: dict[str, Any]) -> Sentence:
    return msg("The file is damaged or is not a valid {ending} file.", ending=request["ending"])


def convert_document(data: bytes, ending: str, *, with_attachments: bool = True) -> str:
    """The text of a document. Raises DocumentRefused, and anything for a damaged one."""
    text = DocumentText()
    if not with_attachments:
        text.attached.close()
    read_document(data, ending, text)
    return text.finished()


if __name__ == "__main__":
    main()
