"""Files that are damaged or made to do harm: one sentence each, and the next one is read."""

from __future__ import annotations

import contextlib
import io
import os
import random
import struct
import zipfile
from pathlib import Path

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents import office_package
from scrubjay.documents.document_converter import Converter
from scrubjay.documents.document_errors import ConversionFailed, DocumentRefused
from scrubjay.errors import Cancelled
from support.document_makers import SAMPLES, pdf, word

_TRIES = 1_000 if os.environ.get("SCRUBJAY_SOAK") == "1" else 30


def _package(**parts: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), data)
    return stream.getvalue()


def _damaged(data: bytes, dice: random.Random) -> bytes:
    """A file with a part cut off, overwritten, doubled, or its bits turned."""
    broken = bytearray(data)
    match dice.randrange(4):
        case 0:
            del broken[dice.randrange(len(broken)) :]
        case 1:
            at = dice.randrange(len(broken))
            broken[at : at + 40] = dice.randbytes(40)
        case 2:
            at = dice.randrange(len(broken))
            broken[at:at] = broken[at : at + 400]
        case _:
            for _ in range(dice.randrange(1, 30)):
                broken[dice.randrange(len(broken))] ^= 1 << dice.randrange(8)
    return bytes(broken)


@pytest.mark.soak
@pytest.mark.parametrize("ending", SAMPLES)
def test_damaged_files_are_read_or_refused_in_a_sentence(converter: Converter, ending: str) -> None:
    dice = random.Random(f"2026{ending}")
    whole = SAMPLES[ending]("apricot jam")
    for _ in range(_TRIES):
        with contextlib.suppress(DocumentRefused, ConversionFailed):
            converter.text_of(_damaged(whole, dice), f"x{ending}")
    assert "apricot jam" in converter.text_of(whole, f"x{ending}")


def test_a_bomb_is_refused_before_it_is_unpacked(converter: Converter) -> None:
    bomb = _package(word__document_xml=b"<w>" + b" " * (office_package.MAX_UNPACKED + 1))
    assert len(bomb) < 2**20
    with pytest.raises(DocumentRefused, match="larger than 256 MB when unpacked"):
        converter.text_of(bomb, "bomb.docx")


def test_entities_that_multiply_or_read_files_are_refused(converter: Converter) -> None:
    secret = Path(__file__).as_uri().encode()
    for entity in (b'"lol"', b"SYSTEM '" + secret + b"'"):
        body = b"<!DOCTYPE d [<!ENTITY a " + entity + b">]><d><body><p><t>&a;</t></p></body></d>"
        with pytest.raises(DocumentRefused, match="XML entities"):
            converter.text_of(_package(word__document_xml=body), "x.docx")


def test_elements_that_nest_without_end_are_refused(converter: Converter) -> None:
    data = _package(word__document_xml=b"<a>" * 100_000)
    with pytest.raises(DocumentRefused, match="nested more than 500 levels deep"):
        converter.text_of(data, "x.docx")


def test_passwords_are_named(converter: Converter) -> None:
    with pytest.raises(DocumentRefused, match="protected with a password"):
        converter.text_of(pdf(["secret"], password="key"), "x.pdf")
    with pytest.raises(DocumentRefused, match="password-protected"):
        converter.text_of(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512), "x.docx")


def test_a_file_of_too_many_pages_is_refused_with_their_number(converter: Converter) -> None:
    with pytest.raises(
        DocumentRefused, match="The document has 5,001 pages, but Scrubjay reads at most 5,000"
    ):
        converter.text_of(pdf([""] * 5_001), "x.pdf")


def test_a_mailbox_of_too_many_messages_is_refused_with_their_number(converter: Converter) -> None:
    letters = b"From a@b Thu Nov 26 12:00:00 2026\nSubject: x\n\ny\n\n" * 20_001
    with pytest.raises(
        DocumentRefused, match="The mailbox has 20,001 messages, but Scrubjay reads at most"
    ):
        converter.text_of(letters, "x.mbox")


def test_other_files_under_a_name_are_refused(converter: Converter) -> None:
    for ending in SAMPLES:
        if ending != ".html":  # every text is a page of the web
            with pytest.raises(DocumentRefused):
                converter.text_of(
                    b"\x89PNG\r\n\x1a\n" + struct.pack(">40I", *range(40)), f"x{ending}"
                )


def test_a_document_that_takes_too_long_is_left_and_the_next_one_is_read() -> None:
    hasty = Converter(most_seconds=0.0)
    with pytest.raises(ConversionFailed, match="took more than 0 seconds"):
        hasty.text_of(pdf(["words"] * 3_000), "x.pdf")
    patient = Converter()
    assert "words" in patient.text_of(pdf(["words"]), "x.pdf")
    hasty.close()
    patient.close()


def test_a_child_that_dies_is_replaced(converter: Converter) -> None:
    converter.text_of(word("one"), "x.docx")
    assert converter.child.process is not None
    converter.child.process.kill()
    converter.child.process.wait()
    assert "two" in converter.text_of(word("two"), "x.docx")


def test_cancelling_ends_the_work() -> None:
    made, cancel = Converter(), CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        made.text_of(pdf(["words"] * 1_000), "x.pdf", cancel)
    made.close()
