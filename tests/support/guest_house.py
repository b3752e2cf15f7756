"""The folder of a small guest house by the sea, its kitchen, its garden and the family that runs
it: 250 files in English and Spanish, and sixty questions as they type them. Written before they
were asked.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator

from support.document_makers import letter, pdf, sheets, word
from support.first_minute import Question

NOTES: dict[str, str] = {
    "House/Wifi.md": "# Wifi\n\nNetwork marea-guests, password sardina-azul-88. The router hides "
    "in the linen cupboard; unplug it for a minute when it hangs.\n",
    "House/Check-in.md": "# Check-in\n\nFrom three in the afternoon. After ten at night the key is "
    "in the box beside the lemon tree, 5093.\n",
    "House/Water heater.md": "# Water heater\n\nSolar, with an electric coil for cloudy weeks. "
    "Switch 7 on the panel. If it drips: close the valve behind the washing machine.\n",
    "House/Septic tank.md": "# Septic tank\n\nPumped out every second spring by Saneamientos Gil, "
    "956 440 318. No wipes, ever.\n",
    "House/Fire extinguishers.md": "# Fire extinguishers\n\nFour: hall, kitchen, landing, boiler "
    "room. Checked in November, label of Extinport. The one in the kitchen is CO2.\n",
    "House/Room 4.md": "# Room 4\n\nThe shutter sticks: lift, then turn. New mattress 2025. The "
    "only one with a bath tub, and with stairs of its own.\n",
    "House/Linen.md": "# Linen\n\nSheets are changed every third day, towels daily. Twelve sets; "
    "Lavandería Brisa collects on Tuesdays and Fridays, 1.80 a kilo.\n",
    "House/Roof.md": "# Roof\n\nTiles slipped in the storm of 2024, the gable over room 2. Ladder "
    "at Quique's. The insurer paid 1,150 of 1,600.\n",
    "House/Keys.md": "# Keys\n\nRed tag: cellar. Yellow: gate to the beach. The spare of the front "
    "door is with Señora Lucena, number 12.\n",
    "House/Pets.md": "# Pets\n\nDogs up to ten kilos in rooms 1 and 5, eight euros a night, not "
    "at breakfast.\n",
    "House/Piscina.md": "# Piscina\n\nCloro cada mañana, pH entre 7,2 y 7,6. Se vacía en octubre. "
    "La depuradora hace ruido si entra aire.\n",
    "House/Placas solares.md": "# Placas solares\n\nDieciocho paneles, 7,2 kW. Inversor Fronius; "
    "luz naranja quiere decir que no hay red. Instalador: Celso Prado.\n",
    "House/Parking.md": "# Parking\n\nSix cars under the pines. Vans have to stay at the harbour, "
    "four euros a night, ticket from the machine.\n",
    "House/Rates.md": "# Rates\n\n| season | double | single |\n|---|--:|--:|\n| low | 62 | 48 |\n"
    "| middle | 79 | 60 |\n| high | 104 | 85 |\n",
    "House/Cancellation.md": "# Cancellation\n\nFree until a week before. Then half of the first "
    "night, no-shows pay it whole.\n",
    "Kitchen/Breakfast.md": "# Breakfast\n\nEight to half past ten. Eggs from Fuensanta, bread "
    "from the wood oven at seven. Oat milk is on the top shelf.\n",
    "Kitchen/Dishwasher.md": "# Dishwasher\n\nError E15 means water in the base: tilt it forward. "
    "Salt once a month. Guarantee until May 2028.\n",
    "Kitchen/Fish soup.md": "# Fish soup\n\nHeads and bones, fennel, a glass of manzanilla, "
    "saffron last. Feeds ten. Never boil it once the mussels are in.\n",
    "Kitchen/Tarta de almendra.md": "# Tarta de almendra\n\n250 g de almendra molida, cinco "
    "huevos, 200 g de azúcar, ralladura de limón. Horno a 175, treinta y cinco minutos. No lleva "
    "harina.\n",
    "Kitchen/Gazpacho.md": "# Gazpacho\n\nUn kilo de tomates maduros, medio pepino, vinagre de "
    "Jerez. Colar dos veces. Aguanta tres días en la nevera.\n",
    "Kitchen/Sourdough.md": "# Sourdough\n\nFeed on Thursdays, one part to five. When it smells "
    "of nail varnish it is hungry. Second rise in the cold.\n",
    "Kitchen/Marmalade.md": "# Marmalade\n\nBitter oranges from the patio, end of January. Equal "
    "weight of sugar. 38 jars last year, sold at 5.\n",
    "Kitchen/Health inspection.md": "# Health inspection\n\nInspector: Sra. Montoya. Thermometer "
    "in each fridge, list of allergens on the wall, gloves not needed.\n",
    "Garden/Irrigation.md": "# Irrigation\n\nDrip line, twenty minutes before dawn. Filter is "
    "rinsed on the first of the month. In a drought only the lemons.\n",
    "Garden/Palm weevil.md": "# Palm weevil\n\nHoles in the crown, a sour smell. Nematodes in "
    "March and October, from Agroquímica Ledesma.\n",
    "Garden/Hens.md": "# Hens\n\nSix Marans. Close the coop at dusk, a fox comes over the wall. "
    "No avocado, no salt.\n",
    "Garden/Poda.md": "# Poda\n\nLos olivos en febrero, la buganvilla después de la flor. Las "
    "tijeras se afilan en la ferretería Duque.\n",
    "Garden/Compost.md": "# Compost\n\nTwo of brown to one of green. Turn it every fortnight. "
    "Orange peel attracts ants.\n",
    "Guests/Familia Okoro.md": "# Familia Okoro\n\nVienen cada Semana Santa, habitación 5. La "
    "niña, Ada, es celíaca; el padre quiere café descafeinado.\n",
    "Guests/Herr Baumann.md": "# Herr Baumann\n\nPaints watercolours, needs north light: room 3. "
    "Deaf in his left ear. Leaves a tip in Swiss francs.\n",
    "Guests/The Pritchards.md": "# The Pritchards\n\nHoneymoon in 2019, come back each September. "
    "She cannot drink milk. Their anniversary is on the 14th.\n",
    "Guests/Complaints.md": "# Complaints\n\n- Room 2: the neighbour's cockerel\n- Room 6: smell "
    "from the drain, cured with a siphon\n- Slow connection in the patio\n",
    "Guests/Banned.md": "# Banned\n\nA certain Mr Roper: smoked in bed, burnt the quilt, 90 euros "
    "never paid.\n",
    "Guests/Yoga group.md": "# Yoga group\n\nElena Stanescu brings fourteen people, second week of "
    "May. Vegan, mats are theirs. Prepay 30 percent.\n",
    "Team/Rocío.md": "# Rocío\n\nCleans from nine to one. Bad knee, so no top floor. Her bus "
    "leaves at 13:12. Paid by the hour, 11.40.\n",
    "Team/Andrés.md": "# Andrés\n\nCocinero de junio a septiembre. Intolerante a la lactosa. Su "
    "licencia de manipulador caduca en abril de 2027.\n",
    "Team/Uniforms.md": "# Uniforms\n\nAprons from Textil Mena, navy, embroidered, 17 each. Rocío "
    "wears a 44, Andrés an XL.\n",
    "Team/Reunión de marzo.md": "# Reunión de marzo\n\n- Se decide cerrar los lunes en invierno\n"
    "- Subir el desayuno a 9 euros\n- Rocío pide un carro nuevo\n",
    "Team/Reunión de noviembre.md": "# Reunión de noviembre\n\n- Las toallas de playa ya no se "
    "prestan\n- Nochevieja: cena con los huéspedes, 55 por cabeza\n",
    "Money/Tourist tax.md": "# Tourist tax\n\nOne euro a night for adults, from the second week "
    "none. Filed with form 950 in the first ten days of each quarter.\n",
    "Money/Loan.md": "# Loan\n\nCaja Rural, 86,000 at 2.9 percent, until 2034. Instalment on the "
    "fifth. Adviser: Belén Roig.\n",
    "Money/Accountant.md": "# Accountant\n\nGestoría Pineda. Send receipts by the 10th, as one "
    "PDF. Answers mails, never the telephone.\n",
    "Money/Seguro.md": "# Seguro\n\nPóliza 41-99027 de Generali, cubre agua y robo, no la "
    "terraza. Franquicia de 250.\n",
    "Money/Licence.md": "# Licence\n\nTourist register CA/00713. Renew before 30 June 2029; the "
    "plaque has to hang by the entrance.\n",
    "Trips/Ferry to Tangier.md": "# Ferry to Tangier\n\nFrom Tarifa, 35 minutes, passports "
    "needed. Group price from ten people: 38 return.\n",
    "Trips/Whales.md": "# Whales\n\nOrcas in July and August, pilot whales all year. Book with "
    "Turmares, wind above force 5 cancels.\n",
    "Trips/Cala escondida.md": "# Cala escondida\n\nVeinte minutos a pie desde el faro. Con marea "
    "alta no se pasa. Llevar agua, no hay chiringuito.\n",
    "Trips/Bus timetable.md": "# Bus timetable\n\nTo Cádiz 7:15, 10:00, 16:45. On Sundays only "
    "the last one. Stop opposite the chemist's.\n",
    "Family/Abuela Pura.md": "# Abuela Pura\n\nPastillas a las ocho y a las veinte, Sintrom según "
    "el calendario. No puede comer pomelo. Médico: doctora Ferrándiz.\n",
    "Family/Noa's school.md": "# Noa's school\n\nFourth year, tutor don Emilio. Swimming on "
    "Wednesdays: cap and flip-flops. The canteen costs 4.60 a day.\n",
    "Family/Boat.md": "# Boat\n\nBerth 31. Antifouling each April, impeller in the spare box. The "
    "outboard takes 50 to 1.\n",
    "Family/Vet.md": "# Vet\n\nTrasto, the spaniel: rabies jab in March, chicken makes him itch. "
    "Clínica Albatros, open on Saturdays.\n",
}

ANSWERED: tuple[tuple[str, str], ...] = (
    # The house
    ("wifi password", "House/Wifi.md"),
    ("internet is down", "House/Wifi.md"),
    ("how do late guests get in", "House/Check-in.md"),
    ("5093", "House/Check-in.md"),
    ("no hot water when it's cloudy", "House/Water heater.md"),
    ("who empties the septic tank", "House/Septic tank.md"),
    ("fire extinguisher kitchen", "House/Fire extinguishers.md"),
    ("which room has a bathtub", "House/Room 4.md"),
    ("laundry pick up days", "House/Linen.md"),
    ("what did the insurance pay for the roof", "House/Roof.md"),
    ("llave de repuesto", "House/Keys.md"),
    ("can I bring my dog", "House/Pets.md"),
    ("ruido en la depuradora", "House/Piscina.md"),
    ("orange light on the inverter", "House/Placas solares.md"),
    ("where do camper vans park", "House/Parking.md"),
    ("price of a double in high season", "House/Rates.md"),
    ("no-show", "House/Cancellation.md"),
    # The kitchen
    ("what time is breakfast", "Kitchen/Breakfast.md"),
    ("dishwasher e15", "Kitchen/Dishwasher.md"),
    ("fish soop", "Kitchen/Fish soup.md"),
    ("tarta de almendras", "Kitchen/Tarta de almendra.md"),
    ("how long does gazpacho keep", "Kitchen/Gazpacho.md"),
    ("when do I feed the starter", "Kitchen/Sourdough.md"),
    ("mermelada de naranja", "Kitchen/Marmalade.md"),
    ("what does the food inspector want to see", "Kitchen/Health inspection.md"),
    # The garden
    ("watering", "Garden/Irrigation.md"),
    ("palm tree pest", "Garden/Palm weevil.md"),
    ("what can't the chickens eat", "Garden/Hens.md"),
    ("cuándo se podan los olivos", "Garden/Poda.md"),
    ("compost ants", "Garden/Compost.md"),
    # Guests
    ("habitación de los Okoro", "Guests/Familia Okoro.md"),
    ("who can't eat gluten", "Guests/Familia Okoro.md"),
    ("baum", "Guests/Herr Baumann.md"),
    ("who is hard of hearing", "Guests/Herr Baumann.md"),
    ("pritchards wedding anniversary", "Guests/The Pritchards.md"),
    ("cockerel", "Guests/Complaints.md"),
    ("who burned the quilt", "Guests/Banned.md"),
    ("yoga", "Guests/Yoga group.md"),
    # The team
    ("when does rocio's bus leave", "Team/Rocío.md"),
    ("intolerancia a la lactosa", "Team/Andrés.md"),
    ("apron supplier", "Team/Uniforms.md"),
    ("are we closed on mondays", "Team/Reunión de marzo.md"),
    ("what did we decide about beach towels", "Team/Reunión de noviembre.md"),
    ("cena de fin de año", "Team/Reunión de noviembre.md"),
    # Money
    ("form 950", "Money/Tourist tax.md"),
    ("interest on the loan", "Money/Loan.md"),
    ("when does the accountant need the receipts", "Money/Accountant.md"),
    ("póliza de seguro", "Money/Seguro.md"),
    ("CA/00713", "Money/Licence.md"),
    # Trips and family
    ("ferry for groups", "Trips/Ferry to Tangier.md"),
    ("when can you see orcas", "Trips/Whales.md"),
    ("last bus to cadiz", "Trips/Bus timetable.md"),
    ("grandma's pills", "Family/Abuela Pura.md"),
    ("noa swimming", "Family/Noa's school.md"),
    ("oil mix for the outboard", "Family/Boat.md"),
    ("vacuna de la rabia del perro", "Family/Vet.md"),
)

_FIRST = (
    "Agnes Tomás Leila Björn Irene Marcus Yuki Sofía Pavel Clara Nadia Oliver Inma Rui".split()  # noqa: SIM905
)
_LAST = "Ferrer Lang Moreau Duarte Singh Novak Ortega Byrne Castellano Weiss Romero Hale".split()  # noqa: SIM905
_WISHES = (
    "a cot for the baby", "late arrival, about eleven", "una almohada más", "vista al mar",
    "vegetarian breakfast", "a quiet room", "llegan en tren", "bicycles for two", "sin escaleras",
    "a cake for a birthday",
)  # fmt: skip
_TASKS = (
    ("tap drips in room {n}", "new washer"),
    ("lamp in room {n} flickers", "bulb and socket changed"),
    ("la persiana de la {n} no baja", "cinta nueva"),
    ("door of room {n} squeaks", "oiled"),
    ("atasco en el baño de la {n}", "desatascado con muelle"),
    ("paint peels in room {n}", "scraped and painted"),
)
_GOODS = "coffee olives tuna towels soap candles cheese tomatoes wine flour".split()  # noqa: SIM905


def questions(today: dt.date) -> list[Question]:
    """Sixty questions; the last four are about times."""
    return [Question(text, (path,)) for text, path in (*ANSWERED, *_by_time(today).values())]


def files(today: dt.date) -> dict[str, str | bytes]:
    """The notes that answer, among bookings, repairs, days, mails and lists that do not."""
    chance = random.Random(23)
    kinds = (
        _bookings(chance), _repairs(chance), _days(chance, today), _mails(chance), _papers(chance),
    )  # fmt: skip
    others = {path: file for kind in kinds for path, file in kind}
    days = {path: text for text, (_, path) in _by_time(today).items()}
    return {**others, **NOTES, **days}


def _by_time(today: dt.date) -> dict[str, tuple[str, str]]:
    """Text of a day -> the question that asks for it, and its path."""
    christmas = dt.date(today.year - (today <= dt.date(today.year, 12, 25)), 12, 25)
    day = today - dt.timedelta(11)
    week = today - dt.timedelta(today.weekday() + 4)
    days = (
        ("Seventeen at the table, the goose was enough.\n", "last Christmas", christmas),
        ("Celso vino a ver el inversor.\n", f"el {day.day}/{day.month}", day),
        ("Two kayaks washed ashore, nobody has missed them.\n", "last week", week),
        ("Noa lost a tooth.\n", "anteayer", today - dt.timedelta(2)),
    )
    return {text: (question, f"Diary/{date}.md") for text, question, date in days}


def _bookings(chance: random.Random) -> Iterator[tuple[str, str]]:
    """Guests of a season."""
    for number in range(90):
        name = f"{chance.choice(_FIRST)} {chance.choice(_LAST)}"
        day = dt.date(2026, 2, 1) + dt.timedelta(3 * number)
        yield (
            f"Bookings/{day} {name}.md",
            f"# {name}\n\nArrives: {day}\nNights: {chance.randrange(1, 9)}\n"
            f"Room: {chance.randrange(1, 8)}\nWish: {chance.choice(_WISHES)}\n"
            f"Paid: {chance.randrange(60, 700)} euros\n",
        )


def _repairs(chance: random.Random) -> Iterator[tuple[str, str]]:
    """Small jobs around the house."""
    for number in range(30):
        fault, done = chance.choice(_TASKS)
        day = dt.date(2026, 1, 10) + dt.timedelta(9 * number)
        named = fault.format(n=chance.randrange(1, 8))
        yield f"Repairs/{day}.md", f"# {named.capitalize()}\n\n{day}: {done}.\n"


def _days(chance: random.Random, today: dt.date) -> Iterator[tuple[str, str]]:
    """A diary that stops a month before today."""
    for number in range(30):
        day = today - dt.timedelta(30 + number)
        said = chance.choice(
            ("Full house, no minute to sit down.", "Levante todo el día, nadie en la playa.",
             "Noa helped with the breakfast.", "Limpieza general con Rocío.",
             "Two lots of guests left early.", "Paseo con Trasto hasta el faro.")
        )  # fmt: skip
        yield f"Diary/{day}.md", f"{said}\n"


def _mails(chance: random.Random) -> Iterator[tuple[str, bytes]]:
    """Letters of guests and suppliers."""
    for number in range(25):
        name = f"{chance.choice(_FIRST)} {chance.choice(_LAST)}"
        subject = f"Question about our stay, {name}"
        text = f"Dear hosts, we would like {chance.choice(_WISHES)}. Kind regards, {name}"
        if number % 2:
            subject = f"Pedido {7100 + number}"
            text = f"Confirmamos su pedido {7100 + number}: {chance.choice(_GOODS)}, dos cajas."
        yield f"Mail/{number:02} {subject}.eml", letter(subject, text)


def _papers(chance: random.Random) -> Iterator[tuple[str, bytes]]:
    """Leaflets, contracts and lists."""
    for number, goods in enumerate(_GOODS):
        pages = [f"Catalogue of {goods}. Prices without VAT.", "Delivery within three days."]
        yield f"Catalogues/{goods}.pdf", pdf(pages, title=f"Catalogue of {goods}")
        blocks = (f"# Offer {number}", f"Supply of {goods} for the season, paid monthly.")
        yield f"Offers/{number:02} {goods}.docx", word(*blocks)
    for month in range(1, 6):
        rows = [["goods", "pieces"], ["soap", chance.randrange(90)], ["sheets", 20 + month]]
        yield f"Stock/2026-{month:02}.xlsx", sheets(Stock=rows)
