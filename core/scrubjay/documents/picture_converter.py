"""Text of pictures and of documents with pictures, read now or as it was kept."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.document_converter import Converted, Converter
from scrubjay.documents.document_errors import ConversionFailed, DocumentRefused
from scrubjay.documents.picture_limits import TOO_SMALL
from scrubjay.documents.picture_markdown import picture_markdown, with_pages, with_pictures
from scrubjay.documents.picture_reader import VERSION
from scrubjay.documents.picture_texts import PictureTexts
from scrubjay.documents.tiff_pages import tiff_pages
from scrubjay.messages import msg
from scrubjay.records.picture_text import PictureText
from scrubjay.text.file_kinds import PDF, document_kind, is_picture

_LISTS = 2
"""Number that changes whenever other pictures are found in equal documents."""
_WAITS = msg("Scrubjay has not read this picture yet.")
"""Sentence about a picture whose turn has not come."""


class DocumentPicture(Struct, frozen=True, omit_defaults=True):
    """A picture in a document."""

    page: int = 0
    """Number of the page that it is, from 1; 0 for a picture that is a file in the document."""
    name: str = ""
    """Name of the file; empty for a page."""
    key: str = ""
    """Key of its text, which is that of its bytes; empty for a page."""
    size: int = 0
    """Number of its bytes."""


class _Listing(Struct, frozen=True):
    """The pictures of a document, and the bytes of those that are files."""

    pictures: Sequence[DocumentPicture]
    contents: Sequence[bytes]
    """Bytes in the order of the pictures; empty where the list is one that was kept."""


class _Document(Struct, frozen=True):
    """A document with what its keys are made of, so that its bytes are hashed once."""

    data: bytes
    ending: str
    digest: str

    @classmethod
    def of(cls, data: bytes, name: str) -> _Document:
        """The document of a name."""
        ending = os.path.splitext(name)[1].lower()  # noqa: PTH122
        return cls(data, ending, hashlib.sha256(data).hexdigest())

    @property
    def list_key(self) -> str:
        """Key of the list of its pictures."""
        return _hash(f"list{_LISTS}{self.ending} {self.digest}")

    def page_key(self, page: int) -> str:
        """Key of the text of one of its pages."""
        return _hash(f"page{VERSION} {page} {self.digest}")


class Pauses(Protocol):
    """Pauses between pictures."""

    def before_each(self, cancel: CancelToken) -> None:
        """Wait until a picture may be read. Raises PicturesRest, or Cancelled."""


class PictureConverter:
    """Texts of pictures and of documents with the pictures in them. For any thread."""

    def __init__(
        self, converter: Converter, texts: PictureTexts, pauses: Pauses | None = None
    ) -> None:
        """Without pauses, no picture is read: the texts are made of what others have read."""
        self._converter = converter
        self._texts = texts
        self._pauses = pauses

    def convert(self, data: bytes, name: str, cancel: CancelToken | None = None) -> Converted:
        """Text of a picture or a document.

        Raises DocumentRefused, ConversionFailed, Cancelled, or OSError without a process.
        """
        cancel = cancel or CancelToken()
        if not is_picture(name):
            return self._document(data, name, cancel)
        pages = _several_pages(data, name)
        if pages:
            return self._scan(_Document.of(data, name), pages, cancel)
        text = self._picture(picture_key(data), data, cancel)
        if text is None:
            raise ConversionFailed(_WAITS)
        return Converted(picture_markdown(text), has_pictures=True)

    def text_of(self, data: bytes, name: str, page: int = 0) -> PictureText | None:
        """The lines on a picture, or on a page of a document; None unless they are kept."""
        pages = _several_pages(data, name)
        # A picture has its own key, and a page that of its document.
        if is_picture(name) and not pages:
            key = picture_key(data)
        else:
            key = _Document.of(data, name).page_key(page or next(iter(pages), 0))
        try:
            return self._texts.find(key)
        except (DocumentRefused, ConversionFailed):
            return None

    def kept_pictures(self, data: bytes, name: str, cancel: CancelToken) -> Sequence[bool]:
        """For each picture of a document, or the picture itself, whether its text is kept.

        No picture is read. Raises as `convert`.
        """
        pages = _several_pages(data, name)
        if is_picture(name) and not pages:
            return [self._texts.is_kept(picture_key(data))]
        document = _Document.of(data, name)
        if pages:
            return [self._texts.is_kept(document.page_key(page)) for page in pages]
        pictures = _decoded(self._texts.find_list(document.list_key))
        if pictures is None:
            pictures = self._found(document, cancel).pictures
        # Those that are files in the document have their own key.
        keys = (each.key or document.page_key(each.page) for each in pictures)
        return [*map(self._texts.is_kept, keys)]

    def _scan(self, document: _Document, pages: Sequence[int], cancel: CancelToken) -> Converted:
        """Text of a TIFF file with several pages. Raises as `convert`."""
        listing = _Listing([DocumentPicture(page=page) for page in pages], ())
        read, is_whole = self._read(document, listing, cancel)
        if not read and not is_whole:
            raise ConversionFailed(_WAITS)
        # Where nothing can be read, the first page says why.
        if not read:
            self._page(document, pages[0], cancel)
        text = with_pages("", {picture.page: words for picture, words in read})
        return Converted(text, has_pictures=is_whole)

    def _document(self, data: bytes, name: str, cancel: CancelToken) -> Converted:
        """Text of a document. What has no text but pictures is refused as by the converter."""
        text = ""
        refused: DocumentRefused | None = None
        try:
            text = self._converter.convert(data, name, cancel).text
        except DocumentRefused as error:
            refused = error
        # A document that is protected or damaged has no pictures either.
        document = _Document.of(data, name)
        try:
            listing = self._listing(document, cancel)
        except DocumentRefused as error:
            raise refused or error from error
        except ConversionFailed as error:
            if refused:
                raise refused from error
            # Its text is there, and looking for its pictures would fail again.
            return Converted(text, has_pictures=True)
        if listing is None:
            if refused:
                raise refused
            return Converted(text, has_pictures=False)
        # Pages stand in their place, and other pictures below the document.
        read, is_whole = self._read(document, listing, cancel)
        if document_kind(name) == PDF:
            whole = with_pages(text, {picture.page: words for picture, words in read})
        else:
            whole = with_pictures(text, [(picture.name, words) for picture, words in read])
        # There was no text, and the pictures have none either.
        if refused and not whole:
            raise refused
        return Converted(whole, has_pictures=is_whole)

    def _read(
        self, document: _Document, listing: _Listing, cancel: CancelToken
    ) -> tuple[list[tuple[DocumentPicture, PictureText]], bool]:
        """The pictures of a document that were read, and whether none is left to be read."""
        read: list[tuple[DocumentPicture, PictureText]] = []
        is_whole = True
        for number, picture in enumerate(listing.pictures):
            # One that cannot be read does not hold up the others.
            try:
                if picture.page:
                    text = self._page(document, picture.page, cancel)
                else:
                    content = listing.contents[number] if listing.contents else b""
                    text = self._picture(picture.key, content, cancel)
            except (DocumentRefused, ConversionFailed):
                continue
            # Those that are kept are shown even while others wait.
            if text is None:
                is_whole = False
            else:
                read.append((picture, text))
        return read, is_whole

    def _picture(
        self, key: str, data: bytes, cancel: CancelToken, *, page: int = 1
    ) -> PictureText | None:
        """The text of a picture file, or of one of its pages; None if it has not been read."""
        try:
            text = self._texts.find(key)
            if text is None and self._pauses:
                self._pauses.before_each(cancel)
                text = self._texts.read_picture(key, data, cancel, page=page)
        except DocumentRefused as error:
            # Icons are pictures without text, which nobody needs to be told of.
            if error.args[0] != TOO_SMALL:
                raise
            return PictureText((), 0, 0)
        return text

    def _page(self, document: _Document, page: int, cancel: CancelToken) -> PictureText | None:
        """The text of a page of a PDF or TIFF file; None if it has not been read."""
        key = document.page_key(page)
        if is_picture(document.ending):
            return self._picture(key, document.data, cancel, page=page)
        text = self._texts.find(key)
        if text is None and self._pauses:
            self._pauses.before_each(cancel)
            text = self._texts.read_page(key, document.data, page=page, cancel=cancel)
        return text

    def _listing(self, document: _Document, cancel: CancelToken) -> _Listing | None:
        """The pictures of a document; None if they were not looked for. Raises as `convert`."""
        kept = _decoded(self._texts.find_list(document.list_key))
        if self._pauses is None:
            return None if kept is None else _Listing(kept, ())
        # The bytes of pictures are needed only where one of them is still to be read.
        if kept is not None and all(each.page or self._texts.is_kept(each.key) for each in kept):
            return _Listing(kept, ())
        return self._found(document, cancel)

    def _found(self, document: _Document, cancel: CancelToken) -> _Listing:
        """The pictures of a document, of which the list is kept. Raises as `convert`."""
        try:
            listing = self._asked(document, cancel)
        except ConversionFailed as error:
            self._texts.keep_failure(document.list_key, error.args[0])
            raise
        self._texts.keep_list(document.list_key, msgspec.json.encode(listing.pictures).decode())
        return listing

    def _asked(self, document: _Document, cancel: CancelToken) -> _Listing:
        """The pictures of a document from the child process. Raises as `convert`."""
        request = {"ending": document.ending, "pictures": True}
        header, content = self._converter.child.ask(request, document.data, cancel)
        with self._converter.child.checking():
            found = msgspec.convert(header.get("pictures"), list[DocumentPicture])
        # The key of a picture tells later whether its bytes are needed at all.
        contents = [*_cut(content, found)]
        pictures = [
            picture if picture.page else replace(picture, key=picture_key(part))
            for picture, part in zip(found, contents, strict=True)
        ]
        return _Listing(pictures, contents)


def _several_pages(data: bytes, name: str) -> Sequence[int]:
    """Numbers of the pages of a picture file with several; none for any other file."""
    if not is_picture(name):
        return ()
    pages = tiff_pages(data)
    if len(pages) < 2:
        return ()
    return pages


def _decoded(kept: str | None) -> Sequence[DocumentPicture] | None:
    """The list that was kept; None for none, or for one of another version."""
    try:
        return msgspec.json.decode(kept or "null", type=list[DocumentPicture] | None)
    except msgspec.DecodeError:
        return None


def _cut(content: bytes, pictures: Sequence[DocumentPicture]) -> Iterator[bytes]:
    """The bytes of each picture."""
    at = 0
    for picture in pictures:
        end = at + max(0, picture.size)
        yield content[at:end]
        at = end


def picture_key(data: bytes) -> str:
    """Key of the text of a picture file."""
    return hashlib.sha256(f"picture{VERSION}\0".encode() + data).hexdigest()


def _hash(text: str) -> str:
    """The SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()
