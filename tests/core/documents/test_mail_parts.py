"""Parts of letters that mail programs write: signatures, containers, invitations, old files."""

from __future__ import annotations

import base64
import binascii
import struct

import pytest

from scrubjay.documents.document_worker import convert_document

_HEAD = b"From: ann@example.org\nSubject: Pond\n"
_SIGNED_DATA = bytes.fromhex("2a864886f70d010702")
_ENVELOPED = bytes.fromhex("2a864886f70d010703")
_DATA = bytes.fromhex("2a864886f70d010701")


def _read(*lines: str | bytes) -> str:
    """The text of a letter with these lines after its first headers."""
    encoded = [line if isinstance(line, bytes) else line.encode() for line in lines]
    return convert_document(_HEAD + b"\n".join(encoded), ".eml")


def _alternative(plain: str, page: str) -> str:
    return _read(
        "Content-Type: multipart/alternative; boundary=B\n",
        f"--B\nContent-Type: text/plain; charset=utf-8\n\n{plain}",
        f"--B\nContent-Type: text/html; charset=utf-8\n\n{page}\n--B--",
    )


@pytest.mark.parametrize(
    "plain",
    [
        "&nbsp;",
        "Your mail program cannot show this message.",
        "[image: logo.png]",
        "View this letter in your browser: https://example.org/1",
    ],
)
def test_a_page_that_says_something_else_than_the_plain_text_is_read_as_well(plain: str) -> None:
    assert "newts in the pond" in _alternative(plain, "<p>The newts in the pond are back</p>")


@pytest.mark.parametrize(
    ("plain", "page"),
    [
        ("The newts are *back*", "<p>The newts are <b>back</b> <img alt=logo>"),
        ("柿の木を\n植える", "<p>柿の木を植える"),
    ],
)
def test_a_page_that_says_the_same_is_not_read_again(plain: str, page: str) -> None:
    text = _alternative(plain, page)
    assert text.endswith(f"- From: ann@example.org\n\n{plain}\n\n")


@pytest.mark.parametrize(
    ("charset", "codec", "words"),
    [
        ("x-sjis", "cp932", "柿の木"),
        ("windows-31j", "cp932", "柿の木"),
        ("cp-850", "cp850", "café"),
        ("windows-874", "cp874", "ข้าว"),
        ("iso-8859-8-i", "iso-8859-8", "שלום"),
        ("x-mac-roman", "mac_roman", "café"),
        ("x-gbk", "gbk", "柿子"),
    ],
)
def test_encodings_are_known_by_the_names_that_mail_gives_them(
    charset: str, codec: str, words: str
) -> None:
    encoded = base64.b64encode(words.encode(codec))
    text = _read(
        f"Content-Type: text/plain; charset={charset}",
        b"Content-Transfer-Encoding:  BASE64 (as ever)\n\n" + encoded,
    )
    assert words in text


def test_names_of_files_may_be_written_as_they_are() -> None:
    text = _read('Content-Type: application/pdf; name="Übersicht.pdf"\n\nAAAA')
    assert "Attached: Übersicht.pdf" in text


def _element(tag: int, content: bytes) -> bytes:
    return bytes((tag, 0x82)) + len(content).to_bytes(2, "big") + content


def _pieces(tag: int, *elements: bytes) -> bytes:
    """An element whose end is a mark."""
    return bytes((tag, 0x80)) + b"".join(elements) + b"\0\0"


def _sealed(content: bytes, identifier: bytes = _SIGNED_DATA) -> bytes:
    """A file of S/MIME around a letter; its head is not complete, as nobody checks it."""
    inner = _element(0x30, _element(0x06, _DATA) + _element(0xA0, content))
    signed = _element(0x30, _element(0x02, b"\1") + _element(0x31, b"") + inner)
    return _element(0x30, _element(0x06, identifier) + _element(0xA0, signed))


_LETTER = b"Content-Type: text/plain\n\nsigned newts"


@pytest.mark.parametrize(
    "content",
    [
        _element(0x04, _LETTER),
        _pieces(0x24, _element(0x04, _LETTER[:9]), _element(0x04, _LETTER[9:])),
        _element(0x24, _element(0x04, _LETTER[:9]) + _element(0x04, _LETTER[9:])),
    ],
)
def test_the_text_in_an_opaque_signature_is_read(content: bytes) -> None:
    text = _read(
        'Content-Type: application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"',
        b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(_sealed(content)),
    )
    assert "signed newts" in text
    assert "ncrypted" not in text


@pytest.mark.parametrize(
    "lines",
    [
        ["Content-Type: application/pkcs7-mime\n", _sealed(b"", _ENVELOPED)],
        ["Content-Type: application/pkcs7-mime\n", b"\x30\x80" * 5_000],
        ["Content-Type: application/octet-stream; name=smime.p7m\n", b"\x30"],
        ["", "-----BEGIN PGP MESSAGE-----\n\nhQEMAwnewts\n-----END PGP MESSAGE-----"],
        [
            "Content-Type: multipart/encrypted; boundary=B\n",
            "--B\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--B--",
        ],
    ],
)  # fmt: skip
def test_what_is_encrypted_is_told(lines: list[str | bytes]) -> None:
    text = _read(*lines)
    assert "> Encrypted mail in this file could not be read." in text
    assert "- Encrypted, not read: " in text
    assert "newts" not in text


def test_of_a_text_signed_with_pgp_the_signature_is_left_out() -> None:
    text = _read(
        "\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nsigned newts",
        "-----BEGIN PGP SIGNATURE-----\n\niQIzBAEB\n-----END PGP SIGNATURE-----\nbelow",
    )
    assert "signed newts" in text
    assert "below" in text
    assert "iQIz" not in text


def test_an_invitation_tells_its_own_times_and_not_those_of_the_zone() -> None:
    text = _read(
        "Content-Type: text/calendar\n",
        "BEGIN:VTIMEZONE\nDTSTART:19701025T030000\nEND:VTIMEZONE",
        "BEGIN:VEVENT\nDTSTART;TZID=Europe/Berlin:20260710T090000\nDTEND:20260710T080000Z",
        'ATTENDEE;CN="Land; Ned: whaler":mailto:ned@example.org\nDUE;VALUE=DATE:20260711',
        "BEGIN:VALARM\nDESCRIPTION:Reminder\nEND:VALARM\nURL:https://example.org/a\nEND:VEVENT",
    )
    assert text.endswith(
        "- Begins: 2026-07-10 09:00 Europe/Berlin\n- Ends: 2026-07-10 08:00 UTC\n"
        "- Attendee: Land; Ned: whaler mailto:ned@example.org\n- Due: 2026-07-11\n"
        "- Address: https://example.org/a\n\n"
    )


def test_a_card_tells_names_and_numbers_without_its_picture() -> None:
    text = _read(
        'Content-Type: text/vcard; name="ned.vcf"\n',
        "BEGIN:VCARD\nFN:Ned Land\nitem1.TEL;TYPE=cell:+44 20 7946 0000",
        "PHOTO;ENCODING=b:/9j/4AAQ\n SkZJRg\nEND:VCARD",
    )
    assert text.endswith("- Fn: Ned Land\n- Tel: +44 20 7946 0000\n\n")


def test_enriched_text_is_read_without_its_marks() -> None:
    text = _read("Content-Type: text/enriched\n\n<color><param>red</param>The</color> <bold>newts")
    assert text.endswith("\n\nThe newts\n\n")


def test_files_that_old_programs_wrote_into_the_text_are_attached() -> None:
    lines = binascii.b2a_uu(b"list of newts").decode()
    text = _read(
        "\nabove\nbegin 644 list.txt", f"{lines}`\nend", f"begin 600 photo.jpg\n{lines}`\nend"
    )
    assert text.endswith(
        "above\n\n- Attached: list.txt\n\nlist of newts\n\n- Attached: photo.jpg\n\n"
    )


def test_a_sentence_that_begins_like_such_a_file_stays() -> None:
    assert "begin 644 words about newts" in _read("\nbegin 644 words about newts\nand more")


def _attribute(tag: int, value: bytes) -> bytes:
    return struct.pack("<BII", 1, tag, len(value)) + value + b"\0\0"


def _property(kind: int, number: int, value: bytes) -> bytes:
    padded = value + b"\0" * (-len(value) % 4)
    return struct.pack("<HHII", kind, number, 1, len(value)) + padded


def _container(*attributes: bytes) -> str:
    """The text of a letter whose plain text is short, with a winmail.dat."""
    content = b"\x78\x9f\x3e\x22\1\0" + b"".join(attributes)
    return _read(
        "Content-Type: multipart/mixed; boundary=B\n",
        "--B\nContent-Type: text/plain\n\nshort words",
        '--B\nContent-Type: application/ms-tnef; name="winmail.dat"',
        b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(content) + b"--B--",
    )


def test_files_and_texts_of_a_winmail_dat_are_read() -> None:
    named = struct.pack("<HH", 0x1E, 0x8001) + b"g" * 16 + struct.pack("<II", 1, 4) + b"n\0m\0"
    one = named + struct.pack("<II", 1, 3) + b"key\0"
    wide = _property(0x1F, 0x1000, "body with newts".encode("utf-16-le"))
    text = _container(
        _attribute(0x00069003, struct.pack("<I", 2) + one + wide),
        _attribute(0x00069002, b"\0" * 14),
        _attribute(0x00018010, b"LIST~1.TXT\0"),
        _attribute(0x0006800F, b"frogs and toads"),
        _attribute(0x00069005, struct.pack("<I", 1) + _property(0x1E, 0x3707, b"Kr\xf6ten.txt\0")),
        _attribute(0x00069002, b"\0" * 14),
        _attribute(0x00018010, b"photo.jpg\0"),
    )  # fmt: skip
    for words in ("short words", "body with newts", "Attached: Kröten.txt", "frogs and toads"):
        assert words in text
    assert "photo.jpg" in text


def test_the_rich_text_of_a_winmail_dat_is_read() -> None:
    # The example of the specification (MS-OXRTFCP).
    rich = _property(0x102, 0x1009, _SPECIFIED)
    assert "hello world" in _container(_attribute(0x00069003, struct.pack("<I", 1) + rich))


_SPECIFIED = bytes.fromhex(
    "2d0000002b0000004c5a4675f1c5c7a703000a0072637067313235423"
    "20af32068656c090020627"
    "705b06c647d0a800fa0"
)


def test_a_container_that_repeats_the_letter_adds_nothing() -> None:
    text = _container(_attribute(0x0002800C, b"short words\0"))
    assert text.count("short words") == 1


def test_a_damaged_container_is_named() -> None:
    text = _container(_attribute(0x00069003, b"\xff\xff\xff\xff" * 9)[:-7])
    assert "Attached: winmail.dat" in text


def test_letters_of_old_macs_and_with_a_mark_in_front_are_read() -> None:
    assert "newts" in convert_document(b"Subject: Pond\r\rnewts\r", ".eml")
    assert "newts" in convert_document(b"\xef\xbb\xbfSubject: Pond\n\nnewts\n", ".eml")
