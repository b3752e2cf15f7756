"""Documents with parts that no program of an office writes."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable, Mapping

_RELATIONS = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'


def package(parts: Mapping[str, str | bytes]) -> bytes:
    """An archive of parts by their names, not compressed, so that they can be changed in it."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return stream.getvalue()


def changed(data: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """An archive with another content of a part."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {each: archive.read(each) for each in archive.namelist()}
    return package({**parts, name: change(parts[name])})


def sheet(rows: str, *, shared: str = "", named: int = 1) -> bytes:
    """A workbook with rows as they are written in it, that names its sheet so often."""
    sheets = '<sheet name="A" r:id="r1"/>' * named
    target = '<Relationship Id="r1" Type="x/worksheet" Target="worksheets/a.xml"/>'
    return package(
        {
            "xl/workbook.xml": f"<w {_RELATIONS}><sheets>{sheets}</sheets></w>",
            "xl/_rels/workbook.xml.rels": f"<R>{target}</R>",
            "xl/worksheets/a.xml": f"<w><sheetData>{rows}</sheetData></w>",
            "xl/sharedStrings.xml": f"<sst>{shared}</sst>",
        }
    )


def deck(slide: str, *, named: int = 1) -> bytes:
    """Slides that name one part so often."""
    target = '<Relationship Id="r1" Type="x/slide" Target="slides/a.xml"/>'
    slides = '<sldId r:id="r1"/>' * named
    return package(
        {
            "ppt/presentation.xml": f"<p {_RELATIONS}><l>{slides}</l></p>",
            "ppt/_rels/presentation.xml.rels": f"<R>{target}</R>",
            "ppt/slides/a.xml": f"<s><sp><p><t>{slide}</t></p></sp></s>",
        }
    )


def spine(*chapters: str, named: int = 1) -> bytes:
    """A book of chapters, each of which is named so often."""
    items = "".join(f'<item id="c{at}" href="{at}.xhtml"/>' for at in range(len(chapters)))
    spine = "".join(f'<itemref idref="c{at}"/>' * named for at in range(len(chapters)))
    rootfile = '<c><rootfiles><rootfile full-path="o/c.opf"/></rootfiles></c>'
    title = "<metadata><title>Book</title></metadata>"
    return package(
        {
            "META-INF/container.xml": rootfile,
            "o/c.opf": f"<p>{title}<manifest>{items}</manifest><spine>{spine}</spine></p>",
            **{f"o/{at}.xhtml": text for at, text in enumerate(chapters)},
        }
    )


def slow_page(words: str = "slowly", times: int = 900_000) -> bytes:
    """A page that takes 5 µs or more for each time, and whose text no test has kept."""
    return f"<!-- {os.urandom(8).hex()} --><p>{words}{'<p></p>' * times}".encode()
