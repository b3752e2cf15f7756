"""Pictures with text that the tests draw, and ways to degrade them as cameras and scanners do."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

FONT_FOLDERS = (
    Path("/usr/share/fonts/truetype/dejavu"),
    Path("/usr/share/fonts/opentype/urw-base35"),
    Path("/Library/Fonts"),
    Path("C:/Windows/Fonts"),
)
PLAIN = ("DejaVuSans.ttf", "Arial.ttf", "arial.ttf")
SERIF = ("NimbusRoman-Regular.otf", "DejaVuSerif.ttf", "Times New Roman.ttf", "times.ttf")
BOOK = ("P052-Roman.otf", "DejaVuSerif.ttf", "Georgia.ttf", "georgia.ttf")
NARROW = ("NimbusSansNarrow-Regular.otf", "DejaVuSansCondensed.ttf", "Arial Narrow.ttf")
BOLD = ("DejaVuSans-Bold.ttf", "Arial Bold.ttf", "arialbd.ttf")
MONO = ("DejaVuSansMono.ttf", "Courier New.ttf", "cour.ttf")
HANDWRITING = ("Z003-MediumItalic.otf", "Bradley Hand Bold.ttf", "segoesc.ttf")
"""A chancery hand: the nearest to handwriting among the fonts of a system for tests."""

ENGLISH = (
    "Meeting notes from the greenhouse committee",
    "The new irrigation pump arrives on 14 March 2026.",
    "Budget: 1,250.00 for pipes, 380.50 for sensors",
    "Call Margaret before the valves are ordered!",
    "Room 2.14 is booked until half past five.",
)
SPANISH = (
    "Receta de la abuela para el gazpacho",
    "Un kilo de tomates maduros y medio pepino",
    "¿Cuánto ajo? Dos dientes, según el tamaño.",
    "Añadir vinagre, sal y aceite de oliva",
    "Servir muy frío con pan de la montaña",
)
GERMAN = (
    "Kündigung des Mietvertrags zum 31. August",
    "Sehr geehrte Frau Müller-Lüdenscheidt,",
    "die Schlüssel übergebe ich am Freitag um 9 Uhr.",
    "Überweisung an DE89 3704 0044 0532 0130 00",
    "Mit freundlichen Grüßen, Jürgen Weiß",
)
FRENCH = (
    "Compte rendu de la réunion du comité",
    "Le café fermera à dix-huit heures pendant l'été.",
    "Prévoir trois chaises supplémentaires près du théâtre",
    "Où est passée la clé de l'armoire à pharmacie ?",
    "Merci à Hélène pour son aide précieuse",
)
LANGUAGES = {"english": ENGLISH, "spanish": SPANISH, "german": GERMAN, "french": FRENCH}


def font(names: Iterable[str], size: int) -> ImageFont.FreeTypeFont:
    """The first of these fonts that the system has; DejaVu otherwise. Raises OSError."""
    for name in (*names, *PLAIN):
        for folder in FONT_FOLDERS:
            if (folder / name).exists():
                return ImageFont.truetype(str(folder / name), size)
    raise OSError("no font for the tests")


@dataclass(frozen=True)
class Drawn:
    """A picture, and the lines on it in reading order."""

    name: str
    picture: Image.Image
    lines: tuple[str, ...]

    def degraded(self, name: str, change: Callable[[Image.Image], Image.Image]) -> Drawn:
        return Drawn(f"{self.name}, {name}", change(self.picture), self.lines)


def page(
    lines: Iterable[str],
    names: Iterable[str] = PLAIN,
    size: int = 30,
    *,
    ink: str = "black",
    paper: str = "white",
    width: int = 1000,
) -> Image.Image:
    """Lines below each other."""
    lines = tuple(lines)
    letters = font(names, size)
    step = round(size * 1.6)
    picture = Image.new("RGB", (width, step * len(lines) + 120), paper)
    draw = ImageDraw.Draw(picture)
    for number, line in enumerate(lines):
        draw.text((60, 60 + number * step), line, font=letters, fill=ink)
    return picture


def two_columns(left: Iterable[str], right: Iterable[str], size: int = 22) -> Image.Image:
    """Two columns of prose side by side."""
    pages = [page(lines, SERIF, size, width=680) for lines in (left, right)]
    picture = Image.new("RGB", (1360, max(one.height for one in pages)), "white")
    for number, one in enumerate(pages):
        picture.paste(one, (680 * number, 0))
    return picture


def table(rows: Iterable[tuple[str, ...]], size: int = 26) -> Image.Image:
    """A table with lines around its cells."""
    rows = tuple(rows)
    letters = font(PLAIN, size)
    step = size * 2
    width = 300
    picture = Image.new("RGB", (width * len(rows[0]) + 80, step * len(rows) + 80), "white")
    draw = ImageDraw.Draw(picture)
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            left, top = 40 + column * width, 40 + row * step
            draw.rectangle((left, top, left + width, top + step), outline="grey", width=2)
            draw.text((left + 14, top + size // 3), cell, font=letters, fill="black")
    return picture


def turned(degrees: float) -> Callable[[Image.Image], Image.Image]:
    def change(picture: Image.Image) -> Image.Image:
        return picture.rotate(
            degrees, Image.Resampling.BICUBIC, expand=True, fillcolor=picture.getpixel((2, 2))
        )

    return change


def blurred(picture: Image.Image) -> Image.Image:
    return picture.filter(ImageFilter.GaussianBlur(1.5))


def noisy(picture: Image.Image) -> Image.Image:
    values = np.asarray(picture, np.float64)
    grain = np.random.default_rng(7).normal(0, 22, values.shape)
    return Image.fromarray(np.clip(values + grain, 0, 255).astype(np.uint8))


def through_jpeg(picture: Image.Image, quality: int = 60) -> Image.Image:
    return Image.open(io.BytesIO(encoded(picture, "JPEG", quality=quality))).convert("RGB")


def scanned(picture: Image.Image) -> Image.Image:
    """As a cheap scanner gives it: a little turned, grey, grainy and compressed."""
    grey = turned(-1.2)(picture).convert("L").filter(ImageFilter.GaussianBlur(0.8))
    return through_jpeg(noisy(grey.point(lambda value: 25 + value * 0.82).convert("RGB")), 50)


def photographed(picture: Image.Image) -> Image.Image:
    """A sheet on a dark table in perspective, with a shadow across it, out of focus a little."""
    width, height = picture.size
    table_top = Image.new("RGB", (width + 240, height + 240), (74, 58, 46))
    # Where the corners of the picture will be, from the upper left counter-clockwise.
    corners = ((130, 90), (60, height + 150), (width + 190, height + 110), (width + 120, 130))
    flat = ((0, 0), (0, height), (width, height), (width, 0))
    sheet = picture.transform(
        table_top.size,
        Image.Transform.PERSPECTIVE,
        perspective(corners, flat),
        Image.Resampling.BICUBIC,
    )
    mask = Image.new("L", table_top.size, 0)
    ImageDraw.Draw(mask).polygon(corners, fill=255)
    table_top.paste(sheet, (0, 0), mask)
    shade = np.linspace(1.0, 0.55, table_top.width)[None, :, None]
    values = np.asarray(table_top, np.float64) * shade
    dim = Image.fromarray(np.clip(values, 0, 255).astype(np.uint8))
    return through_jpeg(noisy(dim.filter(ImageFilter.GaussianBlur(0.9))), 70)


def perspective(
    seen: Iterable[tuple[float, float]], flat: Iterable[tuple[float, float]]
) -> list[float]:
    """Pillow's eight numbers that lead from places in the result to places in the source."""
    rows = []
    values = []
    for (x, y), (u, v) in zip(seen, flat, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    return list(np.linalg.solve(np.array(rows, float), np.array(values, float)))


def landscape(width: int = 1200, height: int = 900, seed: int = 3) -> Image.Image:
    """A photograph without text: sky, hills, bushes and grain."""
    chance = random.Random(seed)
    picture = Image.new("RGB", (width, height), (140, 180, 220))
    draw = ImageDraw.Draw(picture)
    for layer in range(4):
        top = height * (0.35 + 0.15 * layer)
        ridge = [(width * step / 24, top + chance.uniform(-60, 60)) for step in range(25)]
        shade = 110 - 20 * layer
        outline = [(0, height), *ridge, (width, height)]
        draw.polygon(outline, fill=(shade // 2, shade, shade // 2))
    for _ in range(400):
        x, y = chance.uniform(0, width), chance.uniform(height * 0.5, height)
        size = chance.uniform(4, 26)
        green = chance.randrange(50, 140)
        draw.ellipse((x, y, x + size, y + size * 0.8), fill=(green // 2, green, green // 3))
    return noisy(picture.filter(ImageFilter.GaussianBlur(1.2)))


def encoded(picture: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    target = io.BytesIO()
    picture.save(target, kind, **options)
    return target.getvalue()


def clean_pictures() -> Iterator[Drawn]:
    """Pictures as screenshots and good scans are."""
    for language, lines in LANGUAGES.items():
        yield Drawn(language, page(lines), lines)
        yield Drawn(f"{language}, serif", page(lines, SERIF, 34), lines)
    yield Drawn("book", page(GERMAN, BOOK, 28), GERMAN)
    yield Drawn("narrow", page(FRENCH, NARROW, 30), FRENCH)
    yield Drawn("bold", page(SPANISH, BOLD, 26), SPANISH)
    yield Drawn("mono", page(ENGLISH, MONO, 24), ENGLISH)
    yield Drawn("small", page(SPANISH, PLAIN, 15), SPANISH)
    yield Drawn("large", page(GERMAN, PLAIN, 60, width=2000), GERMAN)
    dark = page(ENGLISH, MONO, 20, ink="#d7dae0", paper="#1e2127")
    yield Drawn("dark mode", dark, ENGLISH)
    yield Drawn("two columns", two_columns(ENGLISH, FRENCH), ENGLISH + FRENCH)
    rows = (("Item", "Pieces", "Price"), ("Valve", "12", "84.00"), ("Pump", "1", "310.50"))
    yield Drawn("table", table(rows), tuple(cell for row in rows for cell in row))


def degraded_pictures() -> Iterator[Drawn]:
    """The same kinds of pictures after cameras, scanners and messengers."""
    changes = {
        "turned 2°": turned(2),
        "turned 90°": turned(90),
        "turned 180°": turned(180),
        "turned 270°": turned(270),
        "blurred": blurred,
        "noisy": noisy,
        "JPEG 60": through_jpeg,
        "scanned": scanned,
        "photographed": photographed,
    }
    for language, lines in LANGUAGES.items():
        drawn = Drawn(language, page(lines, SERIF if language == "german" else PLAIN), lines)
        for name, change in changes.items():
            yield drawn.degraded(name, change)


def handwritten_pictures() -> Iterator[Drawn]:
    for language, lines in LANGUAGES.items():
        yield Drawn(f"{language}, chancery hand", page(lines, HANDWRITING, 40), lines)


def distance(first: str, second: str) -> int:
    """Letters to put in, take out or exchange (Levenshtein)."""
    row = list(range(len(second) + 1))
    for number, letter in enumerate(first, start=1):
        former, row[0] = row[0], number
        for place, other in enumerate(second, start=1):
            changed = former + (letter != other)
            former, row[place] = row[place], min(changed, row[place] + 1, row[place - 1] + 1)
    return row[-1]


def error_rate(expected: Iterable[str], read: Iterable[str]) -> float:
    """Character error rate of all lines in their order, without spaces at their ends."""
    wanted = "\n".join(expected)
    return distance(wanted, "\n".join(read)) / len(wanted)
