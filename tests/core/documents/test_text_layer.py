"""Text layers of PDF pages that are not what is printed on them."""

from __future__ import annotations

import pytest

from scrubjay.documents.text_layer import is_rubbish


@pytest.mark.parametrize(
    "text",
    [
        "The deposit of 940 euros is due on the first of May, in advance.",
        "Die Kündigung des Mietvertrags erfolgt schriftlich zum 31. August.",
        "¿Cuánto ajo? Dos dientes, según el tamaño del pepino y del tomate.",
        "Schmerzensgeld, Angstschweiß, Herbststurm und Rechtschreibung: vier Wörter.",
        "Договор аренды квартиры на улице Лесной, дом пять.",
        "契約書 第三条 家賃は毎月五日までに支払うものとする。 以上",
        "Total 1,250.00 380.50 12.00 84.00 310.50 99.99 17.20 4.00 8.10",
        "def area(width_mm, height_mm): return width_mm * height_mm / 2  # square",
        "Page 12",
        "",
    ],
)
def test_what_people_write_is_believed(text: str) -> None:
    assert not is_rubbish(text)


@pytest.mark.parametrize(
    "text",
    [
        "\x14\x15\x01\x02\x17\x18 \x03\x04\x05\x06 \x07\x08\x0e\x0f\x10\x11\x12 abc def",
        "\ue001\ue002\ue003\ue004 \ue010\ue011\ue012\ue013\ue014 \ue020\ue021\ue022 and some more",
        "\ufffd\ufffd\ufffd\ufffd rent \ufffd\ufffd\ufffd\ufffd\ufffd of the flat \ufffd\ufffd",
        "Wkh ghsrvlw ri qlqh kxqguhg dqg iruwb hxurv lv gxh rq wkh iluvw gdb ri wkh prqwk",
        "#$%&' ()*+, -./01 ]^_`a {|}~ *&^%$ =+<>? ;:[]{ \\|~^` @#$%^ &*()_ ,.<>?",
        "Gxm brtsk dwplq zrtpl mnbvc qwrtp sdfgh jklzx cvbnm plkjh gfdsz xcvbn mlkjh",
    ],
)
def test_the_numbers_of_a_font_without_a_table_are_not(text: str) -> None:
    assert is_rubbish(text)
