"""Sixty pictures and scans of everyday subjects, and a judged question for forty of them.

Written before they were asked. The pictures are drawn with the fonts of `support/pictures` and
degraded as cameras, scanners and messengers do; every third file is a PDF file of one scanned page.
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from support.pictures import (
    BOLD,
    MONO,
    PLAIN,
    SERIF,
    blurred,
    encoded,
    landscape,
    page,
    photographed,
    scanned,
    through_jpeg,
    turned,
)

JUDGED: tuple[tuple[tuple[str, ...], str], ...] = (
    (("Sprint goals", "Move the ledger to Lisbon", "Invite the auditors"), "who moves the ledger"),
    (("Rental agreement", "The deposit is 940 euros", "Keys: two"), "deposit for the flat"),
    (
        ("Gazpacho de la abuela", "Un kilo de tomates maduros", "medio pepino, vinagre"),
        "tomates maduros",
    ),
    (("Boiler service", "Replace the expansion vessel", "Pressure 1.4 bar"), "expansion vessel"),
    (
        ("Choir rehearsal", "Tuesday at seven in the chapel", "Bring the Fauré"),
        "when does the choir rehearse",
    ),
    (("Vaccination record", "Tetanus booster due 2031", "Dr. Amrani"), "tetanus booster"),
    (("Guest network", "Name: Heronry", "Password: seven-otters"), "guest network password"),
    (("Parking fine", "Elm Street, 14 March", "Pay within 21 days"), "parking fine Elm Street"),
    (("Pullover pattern", "Cast on 96 stitches", "Needles 4.5 mm"), "how many stitches to cast on"),
    (("Reservation", "Coach 12, seat 47", "Vienna to Trieste"), "seat to Trieste"),
    (("Soil sample", "pH 6.2, little potassium", "Bed behind the shed"), "potassium in the bed"),
    (
        ("Violin appraisal", "Workshop of Klotz, Mittenwald", "Crack in the belly"),
        "violin from Mittenwald",
    ),
    (("Swimming badge", "Silver, 400 metres", "Pool on Harbour Road"), "silver swimming badge"),
    (("Locksmith", "Cylinder 35/45 with five keys", "Invoice 2044"), "cylinder with five keys"),
    (("Hive inspection", "Queen marked blue", "Two frames of brood"), "queen marked blue"),
    (("Tax office", "Objection until 30 September", "File 118/204"), "objection to the tax office"),
    (("Lunch menu", "Lentil soup with smoked trout", "Apple crumble"), "smoked trout"),
    (("Telescope manual", "Align the finder by day", "Never at the sun"), "align the finder"),
    (
        ("Kündigung des Mietvertrags", "zum 31. August", "Schlüssel am Freitag"),
        "Kündigung Mietvertrag",
    ),
    (("Théâtre municipal", "Le café ferme à minuit", "Rang B, place 9"), "café ferme minuit"),
    (("Storm damage", "Claim 77-1934", "Roof tiles above the porch"), "claim for roof tiles"),
    (("Dental plan", "Crown on the upper left molar", "Two visits"), "crown on the molar"),
    (
        ("Plum cake", "200 g of flour, 4 eggs", "Bake for 35 minutes"),
        "how long to bake the plum cake",
    ),
    (
        ("Tent poles", "Grey poles go to the front", "Peg the corners first"),
        "which poles go to the front",
    ),
    (("Piano tuner", "Mr Okafor, 0171 332 908", "A little flat at the top"), "piano tuner"),
    (("Bicycle frame", "Number WX 48 2207", "Colour: bottle green"), "frame number of the bicycle"),
    (("Museum pass", "Valid until June 2028", "Two adults, three children"), "museum pass valid"),
    (("Cat medicine", "Half a tablet in the evening", "Never with milk"), "tablet for the cat"),
    (("Printer error", "0x8004 paper tray jammed", "Call the helpdesk"), "paper tray jammed"),
    (
        ("School concert", "Doors open at half past six", "Row F is reserved"),
        "school concert doors",
    ),
    (
        ("Bulbs for autumn", "Fifty crocus, thirty squill", "Plant before frost"),
        "crocus before frost",
    ),
    (("Film 12", "Cape lighthouse at f/8", "Developed in Rodinal"), "lighthouse film"),
    (("Library loan", "The Cartographers, due 9 May", "Renew by phone"), "renew The Cartographers"),
    (("Shoe repair", "New heels, ready on Monday", "Ticket 61"), "heels ready"),
    (("Gas meter", "Reading 48 213 on 2 January", "Number 7740"), "gas meter reading"),
    (("Chess club", "Caro-Kann, lost in 31 moves", "Against Ingrid"), "lost against Ingrid"),
    (("Paint for the hall", "Warm linen, code 1013", "Two coats"), "colour of the hall"),
    (("For the notary", "The orchard goes to Beatriz", "Witness: Tomás"), "who gets the orchard"),
    (("Boarding pass", "Gate C14 closes at 10:20", "Seat 22A"), "gate closes"),
    (("Kiln log", "Cone 6 reached after nine hours", "Blue glaze ran"), "blue glaze ran"),
)
"""Lines of a picture, and a question that they answer. Names of files tell nothing."""

OTHERS = (
    ("Board meeting", "Agenda for the autumn"),
    ("Rental car", "Return it with a full tank"),
    ("Salad bar", "Open from twelve"),
    ("Heating bill", "Second quarter"),
    ("Orchestra", "The brass practise on Fridays"),
    ("Pharmacy", "On duty this Sunday"),
    ("Router", "Hold the button for ten seconds"),
    ("Street party", "Maple Street is closed"),
    ("Wool shop", "Sale until Saturday"),
    ("Bus timetable", "Every twenty minutes"),
    ("Compost", "Delivered in bags"),
    ("Guitar lessons", "Ask for Ravi"),
    ("Lifeguards", "Shift from nine"),
)
"""Lines of files that answer no question."""
CHANGES = (None, through_jpeg, scanned, blurred, turned(2), photographed)
FACES = (PLAIN, SERIF, BOLD, MONO)


def write_pictures(root: Path) -> dict[str, str]:
    """Write all sixty files; the result has the file of each question."""
    root.mkdir(parents=True)
    answers: dict[str, str] = {}
    for number, (lines, question) in enumerate(JUDGED):
        picture = _drawn(lines, number)
        answers[question] = _written(root, f"IMG_{number:04}", picture, is_scan=number % 3 == 2)
    for number, lines in enumerate(OTHERS, start=len(JUDGED)):
        _written(root, f"IMG_{number:04}", _drawn(lines, number), is_scan=number % 3 == 2)
    for number in range(60 - len(JUDGED) - len(OTHERS)):
        photograph = landscape(800, 600, seed=number)
        (root / f"DSC_{number:04}.jpg").write_bytes(encoded(photograph, "JPEG"))
    return answers


def _drawn(lines: tuple[str, ...], number: int) -> Image.Image:
    picture = page(lines, FACES[number % len(FACES)], 30, width=760)
    change = CHANGES[number % len(CHANGES)]
    return change(picture) if change else picture


def _written(root: Path, name: str, picture: Image.Image, *, is_scan: bool) -> str:
    if is_scan:
        target = io.BytesIO()
        picture.convert("L").save(target, "PDF", resolution=100)
        (root / f"{name}.pdf").write_bytes(target.getvalue())
        return f"{name}.pdf"
    (root / f"{name}.png").write_bytes(encoded(picture))
    return f"{name}.png"
