"""Words of other scripts and with other signs: however one is written, it is found as typed."""

from __future__ import annotations

import unicodedata
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
    # Points, vowel marks, forms of letters and digits of their own.
    ("ברכה: שָׁלוֹם לכולם", "שלום"),
    ("קניתי ספר חדש", "סֵפֶר"),
    ("التقيت أحمد في السوق", "احمد"),
    ("این کتاب خوب است", "كتاب"),
    ("الرقم ٤٧١١٩ هنا", "47119"),
    ("संख्या ९८७६५ है", "98765"),
    ("code 31415926 here", "۳۱۴۱۵۹۲۶"),
    ("من می\u200cنوشتم", "مینوشتم"),
    # Accents and letters of their own.
    ("Там живёт ёжик", "ежик"),
    (unicodedata.normalize("NFD", "Тут київський торт"), "київський"),
    ("Ο ΟΔΥΣΣΕΥΣ γύρισε", "οδυσσευς"),
    ("ένας άνθρωπος ήρθε", "ανθρωπος"),
    ("Nhà ở Đường Trần", "duong"),
    ("Na łące źdźbło trawy", "zdzblo"),
    ("Vi spiser smørrebrød", "smorrebrod"),
    ("Þórður kom heim", "thordur"),
    ("Eine Weißwurst bitte", "weisswurst"),
    ("Die Schlüsselgröße passt", "schluesselgroesse"),
    ("İzmir gezisi", "izmir"),
    ("ılıkça bir gün", "ilikca"),
    ("Un cœurlet tendre", "coeurlet"),
    # Widths, ligatures and signs that nobody sees.
    ("型番 ＡＢＣＸ１２３ です", "ABCX123"),
    ("これは ｶﾀﾅｶｼﾞ です", "カタナカジ"),
    ("Fläche 77m² gross", "77m2"),
    ("the eﬃcacyx of it", "efficacyx"),
    ("Ludwig Ⅷ regiert", "VIII"),
    ("about 5 µfaradx (micro sign)", "μfaradx"),
    ("Die Donau\u00addampf\u00adschiffe", "Donaudampfschiffe"),
    ("a zero\u200bwidth\u200bword", "zerowidthword"),
    ("text\ufeffmiddlemark here", "textmiddlemark"),
    # Scripts without spaces, and with few.
    (unicodedata.normalize("NFD", "우리는 막걸리를 마셨다"), "막걸리"),
    ("ຂ້ອຍມັກກິນເຂົ້າໜຽວທຸກມື້", "ເຂົ້າໜຽວ"),
    ("ខ្ញុំចូលចិត្តញ៉ាំអាម៉ុកណាស់", "អាម៉ុក"),
    ("ကျွန်တော်မုန့်ဟင်းခါးစားတယ်", "မုန့်ဟင်းခါး"),
    ("འདི་བོད་ཡིག་ཡིན།", "བོད"),
    ("საქართველოს ხაჭაპური", "ხაჭაპური"),
    ("Հայկական խորոված", "ԽՈՐՈՎԱԾ"),
    ("ኢትዮጵያ እንጀራ ጥሩ", "እንጀራ"),
    ("நல்ல இட்லி சாப்பாடு", "இட்லி"),
    # Symbols, and names of several words.
    ("done 👍🏽 ok", "👍"),
    ("viaje 🇪🇸 verano", "🇪🇸"),
    ("family 👨‍👩‍👧 photo", "👨‍👩‍👧"),
    ("task ☑ bought", "☑"),
    ("We use C++20 now", "C++20"),
    ("calls XMLHttpRequestPool there", "request pool"),
    ("set MAX_RETRYZ_COUNT=3", "retryz"),
    ("my-gizmolong-name", "gizmolong"),
    ("id f47ac10b-58cc-4372-a567-0e02b2c3d479", "f47ac10b"),
    ("Букет хризантем стоит", "хриз*"),
    ("Extract with tar -xzf archivez.tgz", "tar -xzf archivez.tgz"),
    ("The night had -12 degreesx", "-12 degreesx"),
]
"""A line of a note, and a question that finds it."""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = tmp_path_factory.mktemp("forms")
    engine = Engine(Paths.under(root / "home"), provider=WordProvider())
    notes = {f"note{at}.md": f"# Note\n\n{line}\n" for at, (line, _) in enumerate(FORMS)}
    engine.refresh(add(engine, write_notes(root / "vault", notes), "vault")).result(TIMEOUT)
    yield engine
    engine.close()


@pytest.mark.parametrize(
    ("at", "question"), [(at, question) for at, (_, question) in enumerate(FORMS)]
)
def test_a_word_is_found_however_it_is_written(engine: Engine, at: int, question: str) -> None:
    answer = ask(engine, question, Mode.LEXICAL, audience=SCRIPT)
    sure = [Path(hit.path).stem for hit in answer.hits if not hit.is_perhaps]
    assert f"note{at}" in sure
