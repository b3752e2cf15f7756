"""The forms of numbers: however one is written, it is found as people type it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import SCRIPT
from scrubjay.records.search_modes import Mode
from support.providers import WordProvider
from support.vault import TIMEOUT, add, ask, write_notes

FORMS = [
    # Separators of thousands and decimals, of any country.
    ("The roof costs 12,340.75 in all.", "12340.75"),
    ("The barn costs 23.450,75 in all.", "23450,75"),
    ("The shed costs 34 560,75 in all.", "34560,75"),
    ("The gate costs 45'670.75 in all.", "45670.75"),
    ("The wall costs 56’780.75 in all.", "56780.75"),
    ("The path costs 67\N{NO-BREAK SPACE}890 in all.", "67890"),
    ("The well costs 78\N{NARROW NO-BREAK SPACE}901 in all.", "78901"),
    ("The farm costs 12,34,567 rupees.", "1234567"),
    ("The mill costs 91234 in all.", "91,234"),
    ("The dock costs 92345 in all.", "92.345"),
    ("The quay costs 93456 in all.", "93 456"),
    ("The pier costs 1_234_987 in all.", "1234987"),
    ("Seven million: 7,654,321 bricks.", "7.654.321"),
    ("A lamp for €1,299.50 net.", "1299.50"),
    ("A desk for $2,399 net.", "$2399"),
    # Accounts, cards and telephones.
    ("Pay to DE68 2105 0170 0012 3456 78 please.", "DE68210501700012345678"),
    ("Pay to GB29NWBK60161331926819 please.", "GB29 NWBK 6016 1331 9268 19"),
    ("Pay to GB33 BUKB 2020 1555 5555 55 please.", "GB33BUKB20201555555555"),
    ("Pay to NL91 ABNA 0417 1643 00 please.", "nl91abna0417164300"),
    ("Pay to IT60 X054 2811 1010 0000 0123 456 please.", "IT60X0542811101000000123456"),
    ("Card 4539 1488 0343 6467 of the club.", "4539148803436467"),
    ("Card 6011000990139424 of the shop.", "6011 0009 9013 9424"),
    ("Call the plumber: +44 (0)20 7946 0018.", "+442079460018"),
    ("Call the roofer: 030-90182-715.", "03090182715"),
    ("Call the dentist: 07700900412.", "07700 900 412"),
    ("Call the school: (555) 010-4477.", "5550104477"),
    ("Call the library: 01 23 45 67 98.", "0123456798"),
    # Codes, versions, digests and addresses.
    ("Parcel TP 1363 arrived.", "TP1363"),
    ("Ticket ABC-4471 is open.", "abc4471"),
    ("Commit 97f74b7c2d9e51aa broke it.", "97f74b7"),
    ("Version 2026.4.10 is out.", "2026.4.10"),
    ("Release v2.10.33 of the lamp.", "2.10.33"),
    ("Release 3.11.44 of the lamp.", "v3.11.44"),
    ("The printer has 192.168.178.42 now.", "192.168.178.42"),
    ("ISBN 978-3-16-148410-0 was lent.", "9783161484100"),
    ("Invoice 2025/00817 is paid.", "2025/00817"),
    ("Room 3.14b has a projector.", "3.14b"),
    # Digits of other scripts and widths.
    ("The tank holds ４２１７ litres.", "4217"),
    ("The hall holds ٥٣٢٨ people.", "5328"),
    ("The ship holds 6439 crates.", "६४३९"),
    ("The wing has 8½ windows and 7714 tiles.", "7714"),
]
"""A line of a note, and a question that finds it."""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = tmp_path_factory.mktemp("numbers")
    engine = Engine(Paths.under(root / "home"), provider=WordProvider())
    notes = {f"note{at}.md": f"# Note\n\n{line}\n" for at, (line, _) in enumerate(FORMS)}
    engine.refresh(add(engine, write_notes(root / "vault", notes), "vault")).result(TIMEOUT)
    yield engine
    engine.close()


@pytest.mark.parametrize(
    ("at", "question"), [(at, question) for at, (_, question) in enumerate(FORMS)]
)
def test_a_number_is_found_however_it_is_written(engine: Engine, at: int, question: str) -> None:
    for mode in (Mode.LEXICAL, Mode.HYBRID):
        answer = ask(engine, question, mode, audience=SCRIPT)
        sure = [Path(hit.path).stem for hit in answer.hits if not hit.is_perhaps]
        assert sure == [f"note{at}"], mode


def test_the_forms_are_many() -> None:
    assert len(FORMS) >= 30
