"""Pages of a PDF file that were printed and scanned again, as far as that can be computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pypdfium2
from PIL import Image, ImageFilter

from support.document_makers import pdf
from support.pictures import Drawn, through_jpeg, turned

PAGES = {
    "letter": (
        "Harbour Road Housing Association",
        "14 March 2026",
        "Dear Mrs Whitcombe,",
        "Thank you for your letter about the damp in the stairwell. Our surveyor",
        "looked at the outer wall on Tuesday and found that two lengths of gutter",
        "above the second floor have come loose. Rain runs down behind the render.",
        "The scaffolding will be put up in the week of 6 April. Please keep the",
        "parking spaces 11 to 14 free, and close the windows towards the yard.",
        "The repair costs 2,480.75 in all, of which the insurance pays two thirds.",
        "We shall not raise the service charge because of it.",
        "Yours sincerely,",
        "Josephine Okonkwo",
    ),
    "receta": (
        "Bizcocho de almendra y limón",
        "Para ocho personas, una hora y cuarto",
        "Batir seis huevos con 250 g de azúcar hasta que doblen su tamaño.",
        "Añadir la ralladura de dos limones y una pizca de canela.",
        "Mezclar despacio 250 g de almendra molida, sin que baje la espuma.",
        "Verter en un molde engrasado de 24 centímetros y alisar con cuidado.",
        "Hornear a 170 grados durante 45 minutos, en la parte baja del horno.",
        "¿Está hecho? Un palillo clavado en el centro debe salir limpio.",
        "Dejar enfriar del todo y espolvorear con azúcar glas.",
    ),
    "bescheid": (
        "Stadtwerke Großköllnbach, Abteilung Wasser",
        "Ihre Kundennummer: 40 117 832",
        "Sehr geehrter Herr Strößenreuther,",
        "für den Zeitraum vom 1. Januar bis zum 31. Dezember 2025 haben wir einen",
        "Verbrauch von 87 Kubikmetern festgestellt. Nach Abzug Ihrer Vorauszahlungen",
        "ergibt sich ein Guthaben von 31,46 Euro, das wir in den nächsten Tagen auf",
        "Ihr Konto überweisen. Die künftigen Abschläge betragen 22,00 Euro im Monat.",
        "Gegen diesen Bescheid können Sie innerhalb eines Monats Widerspruch einlegen.",
        "Mit freundlichen Grüßen",
    ),
}
"""Lines of printed pages, in English, Spanish and German."""


def printed(lines: tuple[str, ...], dots_an_inch: int) -> Image.Image:
    """A page of A4 with these lines in 12 points, as a printer would put it on paper."""
    document = pypdfium2.PdfDocument(pdf(["\n".join(lines)]))
    return document[0].render(scale=dots_an_inch / 72).to_pil().convert("RGB")


def faxed(picture: Image.Image) -> Image.Image:
    """Turned by a degree, blurred, grainy, and JPEG with quality 60."""
    return through_jpeg(_grainy(turned(1)(picture).filter(ImageFilter.GaussianBlur(1.0)), 14), 60)


def from_a_book(picture: Image.Image) -> Image.Image:
    """Turned by two degrees the other way, on yellow paper that is dark towards its fold."""
    soft = turned(-2)(picture).filter(ImageFilter.GaussianBlur(0.8))
    shade = np.linspace(0.5, 1.0, soft.width)[None, :, None] * np.array([1.0, 0.97, 0.86])
    values = np.asarray(soft, np.float64) * shade
    return through_jpeg(_grainy(Image.fromarray(values.astype(np.uint8)), 10), 60)


SCANNERS: dict[str, Callable[[Image.Image], Image.Image]] = {
    "faxed": faxed,
    "from a book": from_a_book,
}


def printed_scans() -> Iterator[Drawn]:
    """Each page from each scanner, with 150 and with 200 dots an inch."""
    for title in PAGES:
        for dots_an_inch in (150, 200):
            for scanner in SCANNERS:
                yield printed_scan(title, dots_an_inch, scanner)


def printed_scan(title: str, dots_an_inch: int, scanner: str) -> Drawn:
    """One page from one scanner."""
    lines = PAGES[title]
    drawn = Drawn(f"{title}, {dots_an_inch}", printed(lines, dots_an_inch), lines)
    return drawn.degraded(scanner, SCANNERS[scanner])


def _grainy(picture: Image.Image, strength: float) -> Image.Image:
    values = np.asarray(picture, np.float64)
    grain = np.random.default_rng(11).normal(0, strength, values.shape)
    return Image.fromarray(np.clip(values + grain, 0, 255).astype(np.uint8))
