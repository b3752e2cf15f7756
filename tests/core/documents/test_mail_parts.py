"""Parts of letters that mail programs write: signatures, containers, invitations, old files."""

from __future__ import annotations

import base64
import binascii
import struct
import sys

import pytest

from scrubjay.documents.document_worker import convert_document
from support.memory_used import peak, peak_from_now

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


@pytest.mark.skipif(sys.platform != "linux", reason="the memory used is read in /proc")
@pytest.mark.parametrize("encoding", ["base64", "8bit"])
def test_a_letter_with_a_large_file_takes_little_more_memory_than_its_bytes(encoding: str) -> None:
    file = base64.encodebytes(bytes(30 * 2**20))
    letter = _HEAD + b"\n".join(
        (
            b"Content-Type: multipart/mixed; boundary=B\n",
            b"--B\nContent-Type: text/plain\n\nThe newts are back",
            b"--B\nContent-Type: multipart/mixed; boundary=C\n\n--C\nContent-Type: video/mp4",
            f"Content-Transfer-Encoding: {encoding}".encode(),
            b"Content-Disposition: attachment; filename=newts.mp4\n",
            file,
            b"--C--\n--B--\n",
        )
    )
    before = peak_from_now()
    text = convert_document(letter, ".eml")
    assert "The newts are back" in text
    assert "- Attached: newts.mp4" in text
    assert peak() - before < len(letter) / 2


@pytest.mark.parametrize(
    ("body", "content"),
    [
        ("cGVhcnM=", "pears"),
        ("cGVhcnM", "pears"),
        ("cGVh\r\n cn-M=\n", "pears"),
        ("cGVhcnM=\n\n-- a list", "pears"),
        ("pears", "pears"),
    ],
)
def test_base64_is_read_however_it_is_written(body: str, content: str) -> None:
    assert _read("Content-Transfer-Encoding: base64\n", body).endswith(f"\n\n{content}\n\n")


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


@pytest.mark.parametrize("rich", [b"", b"not rich text", _SPECIFIED[:16], _SPECIFIED[:20]])
def test_a_damaged_rich_text_of_a_winmail_dat_does_not_hide_the_letter(rich: bytes) -> None:
    value = struct.pack("<I", 1) + _property(0x102, 0x1009, rich)
    text = _container(_attribute(0x00069003, value))
    assert "short words" in text
    is_told = "1 part of the document could not be read." in text
    assert is_told is (rich == b"not rich text")


_DAMAGED = {
    "rich text": b"Content-Type: text/rtf\n\nnot rtf",
    "rich text without end": b"Content-Type: text/rtf\n\n{\\rtf1" + b"{" * 10_002,
    "a named rich text": b"Content-Type: text/rtf; name=a.rtf\n\nnot rtf",
}
_ODD = {
    "no rich text": b"Content-Type: text/rtf\n\n",
    "a page": b"Content-Type: text/html; charset=\xff\n\n<p <<td><!-- <table></tr>\xff",
    "an invitation": b"Content-Type: text/calendar\n\nEND:\nDTSTART;:99999999T\n:\n;:;\xff",
    "a card": b"Content-Type: text/vcard\n\nN;ENCODING=QUOTED-PRINTABLE;CHARSET=zip:=\xff=G=",
    "enriched text": b"Content-Type: text/enriched\n\n<param><<</<param>\xff",
    "a file in the text": b"\nbegin 644 a.txt\nM\xff\n`\nend",
    "a file of base64 in the text": b"\nbegin-base64 644 a.txt\nA\n====",
    "a signature": b"Content-Type: application/pkcs7-mime\n\n0\x84\xff\xff\xff\xff",
    "a container": b"Content-Type: application/ms-tnef\n\n\x78\x9f\x3e\x22\1\0\1\3\x90\6",
    "a letter": b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n\xff=",
    "old encodings": b"Content-Type: text/plain\nContent-Transfer-Encoding: x-uuencode\n\nM\xff",
    "an unknown encoding": b"Content-Transfer-Encoding: \xff\n\n\xff",
    "parts without a boundary": b"Content-Type: multipart/mixed; boundary*=zip''%ff\n\n--a",
    "a charset of another kind": b"Content-Type: text/plain; charset*=hex'%ff\n\n\xff",
    "a name in an odd charset": b"Content-Type: text/plain; name*=zip''%ff\n\nx",
    "a boundary in pieces": b"Content-Type: multipart/mixed; boundary=a; boundary*0=b\n\n--a\n\nx",
    "a header in an odd charset": b"From: =?utf\x828?q?=C3=BC?=\n\nx",
    "headers": b"From: =?zip?b?x?=\nDate: 99 \xff\nSubject: =?utf-8?b?A?=\n\nx",
}


def _letter_with(part: bytes) -> bytes:
    multipart = b"Content-Type: multipart/mixed; boundary=B\n\n--B\n"
    return _HEAD + multipart + part + b"\n--B\nContent-Type: text/plain\n\nnewts\n--B--\n"


@pytest.mark.parametrize("kind", _DAMAGED | _ODD)
def test_a_damaged_part_does_not_hide_the_others(kind: str) -> None:
    part = (_DAMAGED | _ODD)[kind]
    begin = b"From ann@example.org Tue May  5 10:00:00 2026\n"
    letters = [_HEAD + b"\nthe first letter\n", _HEAD + part + b"\n", _letter_with(part)]
    mailbox = convert_document(b"\n".join(begin + each for each in letters), ".mbox")
    letter = convert_document(_letter_with(part), ".eml")
    assert "the first letter" in mailbox
    assert "newts" in mailbox
    assert "newts" in letter
    assert ("> 1 part of the document could not be read." in letter) is (kind in _DAMAGED)


def test_a_rich_text_that_is_damaged_beside_a_plain_text_is_told() -> None:
    text = _read(
        "Content-Type: multipart/alternative; boundary=B\n",
        "--B\nContent-Type: text/plain\n\nnewts\n--B\nContent-Type: text/rtf\n\nnot rtf\n--B--",
    )
    assert "> 1 part of the document could not be read." in text
    assert text.endswith("\n\nnewts\n\n")


def test_a_boundary_may_have_any_letters() -> None:
    for boundary in ("é", "柿"):
        text = _read(
            f'Content-Type: multipart/mixed; boundary="{boundary}"\n',
            f"--{boundary}\nContent-Type: text/plain\n\nnewts\n--{boundary}--",
        )
        assert text.endswith("\n\nnewts\n\n")
    latin = b'Content-Type: multipart/mixed; boundary="\xe9"\n\n--\xe9\n\nnewts\n--\xe9--'
    assert _read(latin).endswith("\n\nnewts\n\n")


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;Ned", "N: Müller Ned"),
        ("N;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:M=FCller", "N: Müller"),
        ("N;ENCODING=quoted-printable:M=FCller", "N: Müller"),
        ("item1.N;QUOTED-PRINTABLE:M=C3=BCller", "N: Müller"),
        ("NOTE;ENCODING=QUOTED-PRINTABLE:a=0D=0A=\nb =\r\nc=20=\n\n", "Note: a b c"),
        ("NOTE;ENCODING=QUOTED-PRINTABLE:a=C3=\n=BC\n", "Note: aü"),
        ("FN;ENCODING=8BIT:Müller", "Fn: Müller"),
        ("X-NOTE:one\u2028two", "X-note: one two"),
        ('TEL;TYPE="cell:1', 'Tel: 1'),
    ],
)  # fmt: skip
def test_the_encoded_words_of_old_cards_are_read(line: str, shown: str) -> None:
    text = _read(f"Content-Type: text/x-vcard\n\nBEGIN:VCARD\n{line}\nTEL:12\nEND:VCARD")
    assert text.endswith(f"\n\n- {shown}\n- Tel: 12\n\n")


@pytest.mark.parametrize("encoding", ["ENCODING=B", "ENCODING=BASE64", "BASE64", "encoding=base64"])
def test_pictures_of_cards_are_left_out(encoding: str) -> None:
    text = _read(f"Content-Type: text/x-vcard\n\nFN:Ned\nX-PICTURE;{encoding}:/9j/4AAQ\nTEL:12")
    assert text.endswith("\n\n- Fn: Ned\n- Tel: 12\n\n")


def test_the_encoded_words_of_old_invitations_are_read() -> None:
    text = _read(
        "Content-Type: text/calendar\n\nBEGIN:VEVENT",
        "SUMMARY;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Caf=C3=A9 =\nwith Ned\nEND:VEVENT",
    )
    assert text.endswith("- Summary: Café with Ned\n\n")


_MARKS = [
    "-----BEGIN PGP PUBLIC KEY BLOCK-----",
    "-----BEGIN PGP PUBLIC KEY BLOCK----- and so on",
    "-----BEGIN PGP MESSAGE-----",
    "-----BEGIN PGP SIGNATURE-----",
]


@pytest.mark.parametrize("mark", _MARKS)
@pytest.mark.parametrize("rest", ["the newts are back", "\nnewts", "Tel: 12\n\nQUJD\nnewts"])
def test_what_follows_the_beginning_of_a_key_without_end_stays(mark: str, rest: str) -> None:
    text = _read(f"\nHow to paste a key:\n{mark}\n{rest}")
    assert text.endswith(f"How to paste a key:\n{mark}\n{rest}\n\n")
    assert "ncrypted" not in text


@pytest.mark.parametrize("mark", _MARKS)
def test_a_whole_signature_below_a_beginning_without_end_is_left_out(mark: str) -> None:
    signature = "-----BEGIN PGP SIGNATURE-----\n\niQIz\n=abcd\n-----END PGP SIGNATURE-----"
    text = _read(f"\n{mark}\nnewts\n{signature}\nbelow\n-----END PGP PUBLIC KEY BLOCK-----")
    assert text.endswith(f"{mark}\nnewts\nbelow\n-----END PGP PUBLIC KEY BLOCK-----\n\n")


def test_only_the_digests_right_below_the_mark_of_a_signed_text_are_left_out() -> None:
    text = _read(
        "\nHash: of newts\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\nHash: SHA1\n\nabove",
        "Hash: a word of mine\n-----BEGIN PGP SIGNATURE-----\n\niQIz",
        "-----END PGP SIGNATURE-----\nHash: browns",
    )
    assert text.endswith("\n\nHash: of newts\n\nabove\nHash: a word of mine\nHash: browns\n\n")


@pytest.mark.parametrize(
    "words",
    [
        "begin 100 meters from here\nSALE NOW",
        "begin 100 meters from here\nSALE NOW\nend",
        "begin 100 meters from here\nMAIN STREET\nend",
        "begin 100 meters from here\nend",
        "begin 100 meters from here\n\nend",
        "begin 644 list.txt\n#0V%T",
        "begin 644 list.txt\n#0V%T\n#0V%T\nend",
        "begin 644\n#0V%T\nend",
        "begin-base64 644 list.txt\nQ2F0",
        "begin-base64 644 list.txt\nsee below\n====",
    ],
)
def test_words_that_only_look_like_a_file_stay(words: str) -> None:
    assert _read(f"\n{words}").endswith(f"\n\n{words}\n\n")


@pytest.mark.parametrize("zero", ["`\n", "", " \n", "\n"])
@pytest.mark.parametrize("size", [1, 45, 46, 100])
def test_files_in_the_text_end_in_several_ways(zero: str, size: int) -> None:
    content = b"newts " * 20
    pieces = [content[:size][at : at + 45] for at in range(0, size, 45)]
    lines = "".join(binascii.b2a_uu(piece).decode() for piece in pieces)
    text = _read(f"\nabove\nbegin 644 my list.txt\n{lines}{zero}end\nbelow")
    words = content[:size].decode().strip("\n")
    assert text.endswith(f"above\n\n- Attached: my list.txt\n\n{words}\n\nbelow\n\n")


def test_files_of_base64_in_the_text_are_read() -> None:
    encoded = base64.encodebytes(b"list of newts " * 8).decode()
    text = _read(f"\nabove\nbegin-base64 644 list.txt\n{encoded}====\nbelow")
    assert "- Attached: list.txt\n\nlist of newts" in text
    assert text.endswith("\n\nbelow\n\n")
    assert encoded[:20] not in text


def test_letters_of_old_macs_and_with_a_mark_in_front_are_read() -> None:
    assert "newts" in convert_document(b"Subject: Pond\r\rnewts\r", ".eml")
    assert "newts" in convert_document(b"\xef\xbb\xbfSubject: Pond\n\nnewts\n", ".eml")
