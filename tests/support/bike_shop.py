"""The folder of a bicycle repair shop, its club and its owner's flat: 250 files in English and
Spanish, and sixty questions as the owner types them. Written before they were asked.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator

from support.document_makers import letter, pdf, sheets, word
from support.first_minute import Question

NOTES: dict[str, str] = {
    "Shop/Alarm.md": "# Alarm\n\nPanel behind the till. Off within thirty seconds, code 4471, then "
    "the green key. The company is Securama, 900 114 220, contract 88-3120.\n",
    "Shop/Compressor.md": "# Compressor\n\nDrain the tank every Friday, the tap is underneath. "
    "Never above 8 bar. Oil: SAE 30, half a cup a year.\n",
    "Shop/Till.md": "# Till\n\nOpen with 150 in small coins. At closing time: print the Z report, "
    "count, bag goes into the safe behind the tubes.\n",
    "Shop/Opening hours.md": "# Opening hours\n\nTuesday to Friday 10 to 14 and 17 to 20, Saturday "
    "mornings only. Closed in the second half of August.\n",
    "Shop/Lost property.md": "# Lost property\n\n- Grey helmet, child's size, since March\n- One "
    "glove, left hand\n- Keys with a tag from the swimming pool\n",
    "Shop/Insurance.md": "# Insurance\n\nPolicy 7730-L with Mapfre. Covers burglary up to 12,000, "
    "bikes of customers only while they are inside. Excess 300. Adviser: Nuria Casals.\n",
    "Shop/Prices.md": "# Prices\n\n| job | euros |\n|---|--:|\n| puncture | 9 |\n| full service | "
    "65 |\n| bleed a brake | 28 |\n| true a wheel | 18 |\n",
    "Shop/Cleaning.md": "# Cleaning\n\nDegreaser goes into the blue drum, never down the drain. "
    "The "
    "drum is collected on the first Monday of each quarter.\n",
    "Shop/Apprentice.md": "# Apprentice\n\nIker, 17, comes from the vocational school on Mondays "
    "and "
    "Wednesdays until June. May not use the grinder alone. Tutor: Sra. Beltrán.\n",
    "Shop/Rent bikes.md": "# Rent bikes\n\nEight city bikes, two tandems. 18 a day, deposit of 100 "
    "or a passport. Bring back by half past seven.\n",
    "Shop/Website.md": "# Website\n\nHosted by Dinahosting, renewed each 14 February. Lola's "
    "cousin "
    "wrote it; the login is in the red notebook.\n",
    "Shop/Window.md": "# Window\n\nThe pane broke in a hailstorm. Cristalería Soto put in a new "
    "one "
    "within two days, 340 euros, invoice 2291.\n",
    "Techniques/Tubeless.md": "# Tubeless\n\nWhen the tyre does not pop onto the rim: soap, valve "
    "core out, and the booster bottle. Sealant dries up after half a year: 60 ml a wheel.\n",
    "Techniques/Bottom bracket noise.md": "# Bottom bracket noise\n\nA click under load is the "
    "pedal in two of three cases. Grease threads first, then the seat post, then press out the "
    "cups.\n",
    "Techniques/Hydraulic brakes.md": "# Hydraulic brakes\n\nShimano takes mineral oil, SRAM takes "
    "DOT 5.1; one drop of the wrong one ruins the seals. Spongy lever: bleed from the caliper "
    "up.\n",
    "Techniques/Chain wear.md": "# Chain wear\n\nChange at 0.5 on eleven and twelve speeds, at "
    "0.75 "
    "on fewer. Waxed ones last three times as long.\n",
    "Techniques/Carbon.md": "# Carbon\n\nTap with a coin: a dull sound means that layers have come "
    "apart. We do not mend frames, send them to Carbonlab in Girona.\n",
    "Techniques/Suspension.md": "# Suspension\n\nSag is a quarter of the travel. Lower legs every "
    "fifty hours, whole service once a year at Mondraker's.\n",
    "Techniques/Batería eléctrica.md": "# Batería eléctrica\n\nNo cargar por debajo de cero "
    "grados. "
    "Guardar al sesenta por ciento en invierno. Si no enciende: mantener el botón quince "
    "segundos.\n",
    "Techniques/Radios.md": "# Radios\n\nTensión de la rueda trasera: 120 kgf en el lado de la "
    "cadena. Para medir la longitud, la calculadora de DT Swiss.\n",
    "Staff/Marta.md": "# Marta\n\nContract until 31 January. Coeliac, so no beer and no croissants "
    "at breakfast. Off on her son's birthday, 9 May. Holiday left: six days.\n",
    "Staff/Julián.md": "# Julián\n\nDesde 2019, los mejores centrados de rueda. Alérgico al látex: "
    "guantes de nitrilo, talla L. Libra los jueves por la tarde.\n",
    "Staff/Holidays 2026.md": "# Holidays 2026\n\nMarta: 3 to 14 August. Julián: 17 to 28 August. "
    "Nobody in the week of the bike fair.\n",
    "Staff/First aid.md": "# First aid\n\nBox in the toilet. Metal in the eye: do not rub, rinse, "
    "and off to the Hospital de la Princesa, the eye department is open at night.\n",
    "Suppliers/Bikeparts Iberia.md": "# Bikeparts Iberia\n\nAlias BPI. Orders before noon arrive "
    "the next day. Rep: Óscar Peralta, 617 220 845. Free shipping from 150.\n",
    "Suppliers/Neumáticos Ruiz.md": "# Neumáticos Ruiz\n\nCubiertas y cámaras. Hay que recoger en "
    "Fuenlabrada. Diez por ciento si se paga al contado.\n",
    "Suppliers/Paint.md": "# Paint\n\nRed of the old Orbea: RAL 3003, matt lacquer on top. Sprayed "
    "by Taller Lúa, two weeks, 120 a frame.\n",
    "Suppliers/Complaints.md": "# Complaints\n\nThe February delivery of rims had cracked nipples. "
    "BPI gives back 210 euros as a credit note, asked twice.\n",
    "Customers/Colegio San Isidro.md": "# Colegio San Isidro\n\nTwenty bikes for road safety "
    "lessons. Teacher: Ángeles Mora. They pay at sixty days, always late.\n",
    "Customers/Delivery riders.md": "# Delivery riders\n\nThree couriers have a flat rate: 25 a "
    "month, brakes and punctures at once while they wait.\n",
    "Customers/Mr Whitlock.md": "# Mr Whitlock\n\nOld Raleigh with a Sturmey-Archer hub, wants "
    "only "
    "original parts. Do not ring before eleven. Pays with cheques from Jersey.\n",
    "Customers/Frau Seidel.md": "# Frau Seidel\n\nRides a recumbent. Needs a mirror on the left "
    "and "
    "a flag. Her mail goes to spam.\n",
    "Customers/Bad debts.md": "# Bad debts\n\nGimnasio Titán still owes 480 for the spinning "
    "bikes. "
    "Reminder in June and in September; next time the lawyer.\n",
    "Club/Statutes.md": "# Statutes\n\nA quorum is a third of all members. The treasurer is chosen "
    "every two years. Whoever has not paid by April is struck off.\n",
    "Club/Members.md": "# Members\n\nSixty-two paid for this year. Dues: 30, families 45, under 18 "
    "nothing. Treasurer: Blanca.\n",
    "Club/Acta 12 de marzo.md": "# Acta 12 de marzo\n\n- Se aprueba no salir los fines de semana "
    "de ola de calor\n- Maillots nuevos: verde, 41 euros, pedido en mayo\n- Vota en contra: "
    "Damián\n",
    "Club/Acta 3 de octubre.md": "# Acta 3 de octubre\n\n- El local del ayuntamiento ya no es "
    "gratis: 20 euros al mes\n- Se elige tesorera a Blanca\n- La cena, en casa Paco\n",
    "Club/Winter training.md": "# Winter training\n\nRollers in the sports hall, Tuesdays at "
    "eight. "
    "Bring a towel. Coach: Rubén. Twelve places, Lola keeps the list.\n",
    "Club/Marcha a Segovia.md": "# Marcha a Segovia\n\n132 km, 1,900 m de desnivel. "
    "Avituallamiento "
    "en Navacerrada. El coche escoba lo lleva Tomás.\n",
    "Club/Beginners' ride.md": "# Beginners' ride\n\nAlong the river to the mill and back, 18 km, "
    "no hill. Helmets are lent. First Sunday of the month.\n",
    "Club/Accident.md": "# Accident\n\nPilar fell on the tram rails in Calle Bailén: collarbone. "
    "The federation's licence paid the hospital. Form 14-B within seven days.\n",
    "Home/Caldera.md": "# Caldera\n\nJunkers, en la terraza. Técnico: Ramón Iglesias, 955 310 442. "
    "Revisión cada dos años.\n",
    "Home/Landlady.md": "# Landlady\n\nDoña Carmen, third floor. The rent, 780, goes up with the "
    "index in February. Deposit is two months.\n",
    "Home/Nursery.md": "# Nursery\n\nLucas is in the group of the frogs. Pick up by 16:30, only "
    "people on the list: Lola, me, grandma. Sheets home on Fridays.\n",
    "Home/Allergies.md": "# Alergias de Lucas\n\nNo puede tomar frutos secos ni kiwi. El "
    "autoinyector está en la mochila naranja.\n",
    "Home/Lentejas de la abuela.md": "# Lentejas de la abuela\n\n400 g de lentejas pardinas, una "
    "morcilla, dos zanahorias, laurel. Una hora a fuego lento.\n",
    "Home/Gym.md": "# Gym\n\nCancelled in writing before the 20th. Locker 118. Back exercises on "
    "the blue mat: twelve each side.\n",
    "Home/Car.md": "# Car\n\nBerlingo, 4417 KRT. Inspection (ITV) until 8 March 2027. Winter tyres "
    "are at the in-laws'.\n",
    "Home/Dentista.md": "# Dentista\n\nCita el 17 de diciembre a las 9:40, muela del juicio. "
    "Ayunas no hace falta. Clínica Vera.\n",
    "Home/Presents.md": "# Presents\n\n- Lola: the blue scarf from Calle Fuencarral\n- Dad: a book "
    "on railways\n- Lucas: a balance bike, second hand\n",
    "Home/Moving.md": "# Moving\n\nBoxes from the greengrocer. The sofa does not fit through the "
    "door: take the legs off. Van from Alquivan, 64 a day.\n",
}

ANSWERED: tuple[tuple[str, str], ...] = (
    # The shop
    ("alarm code", "Shop/Alarm.md"),
    ("how do I switch off the alarm", "Shop/Alarm.md"),
    ("what oil does the compressor take", "Shop/Compressor.md"),
    ("how much change goes in the till in the morning", "Shop/Till.md"),
    ("are we open on mondays", "Shop/Opening hours.md"),
    ("lost helmet", "Shop/Lost property.md"),
    ("are customers bikes insured against theft", "Shop/Insurance.md"),
    ("7730-L", "Shop/Insurance.md"),
    ("price of bleeding brakes", "Shop/Prices.md"),
    ("cuánto cobramos por un pinchazo", "Shop/Prices.md"),
    ("where does the degreaser go", "Shop/Cleaning.md"),
    ("apprentice tutor", "Shop/Apprentice.md"),
    ("deposit for a rental bike", "Shop/Rent bikes.md"),
    ("who made our web page", "Shop/Website.md"),
    ("quién cambió el cristal del escaparate", "Shop/Window.md"),
    # Techniques
    ("tubeless", "Techniques/Tubeless.md"),
    ("tyre won't seat on the rim", "Techniques/Tubeless.md"),
    ("clicking noise when pedalling", "Techniques/Bottom bracket noise.md"),
    ("which fluid for sram brakes", "Techniques/Hydraulic brakes.md"),
    ("when to change a 12 speed chain", "Techniques/Chain wear.md"),
    ("cracked carbon frame", "Techniques/Carbon.md"),
    ("suspention sag", "Techniques/Suspension.md"),
    ("la bici eléctrica no arranca", "Techniques/Batería eléctrica.md"),
    ("tension radios rueda trasera", "Techniques/Radios.md"),
    # People
    ("who can't eat gluten", "Staff/Marta.md"),
    ("when does marta's contract end", "Staff/Marta.md"),
    ("alergia al látex", "Staff/Julián.md"),
    ("who is away in august", "Staff/Holidays 2026.md"),
    ("something in the eye", "Staff/First aid.md"),
    ("oscar peralta phone", "Suppliers/Bikeparts Iberia.md"),
    ("descuento por pagar en efectivo", "Suppliers/Neumáticos Ruiz.md"),
    ("red paint code orbea", "Suppliers/Paint.md"),
    ("refund for the rims", "Suppliers/Complaints.md"),
    ("san isidro", "Customers/Colegio San Isidro.md"),
    ("what do couriers pay", "Customers/Delivery riders.md"),
    ("whitl", "Customers/Mr Whitlock.md"),
    ("recumbent lady", "Customers/Frau Seidel.md"),
    ("who owes us money", "Customers/Bad debts.md"),
    # The club
    ("quorum", "Club/Statutes.md"),
    ("membership fee for families", "Club/Members.md"),
    ("what did we decide about riding at weekends", "Club/Acta 12 de marzo.md"),
    ("color de los maillots nuevos", "Club/Acta 12 de marzo.md"),
    ("what does the clubroom cost now", "Club/Acta 3 de octubre.md"),
    ("winter training", "Club/Winter training.md"),
    ("coche escoba", "Club/Marcha a Segovia.md"),
    ("easy ride without hills", "Club/Beginners' ride.md"),
    ("who broke the collarbone", "Club/Accident.md"),
    # Home
    ("quien arregla la caldera", "Home/Caldera.md"),
    ("955310442", "Home/Caldera.md"),
    ("when does the rent go up", "Home/Landlady.md"),
    ("until when can I pick up lucas", "Home/Nursery.md"),
    ("who can't eat nuts", "Home/Allergies.md"),
    ("cuánto tiempo las lentejas", "Home/Lentejas de la abuela.md"),
    ("car inspection", "Home/Car.md"),
    ("dentista diciembre", "Home/Dentista.md"),
    ("present for dad", "Home/Presents.md"),
)

_FIRST = (
    "Álvaro Inés Hugo Nora Samir Greta Paul Wen Rosa Dario Elena Owen Lidia Bruno Fátima".split()  # noqa: SIM905
)
_LAST = "Vidal Acosta Turner Molina Pardo Keller Santos Rivas Ibarra Nolan Quirós Lindner".split()  # noqa: SIM905
_BIKES = (
    "Trek FX 2", "Orbea Carpe", "Brompton", "Specialized Sirrus", "Decathlon Riverside", "BH Atom",
    "Cannondale Trail", "Giant Escape", "Cube Touring", "Megamo Ridon",
)  # fmt: skip
_FAULTS = (
    ("front brake squeals", "new pads, disc cleaned"),
    ("puncture in the rear wheel", "tube and rim tape"),
    ("gears jump under load", "chain and cassette changed, cable greased"),
    ("wheel out of true", "two spokes replaced"),
    ("la batería no dura", "prueba de carga, batería al 71 %"),
    ("cambio desajustado", "patilla enderezada y cable nuevo"),
    ("freno trasero sin fuerza", "purgado y pastillas nuevas"),
    ("pedal hace ruido", "engrasado y apretado"),
    ("saddle slips", "clamp and carbon paste"),
    ("light does not work", "dynamo cable soldered"),
)
_PLACES = "Hoyo Chinchón Cercedilla Patones Rascafría Aranjuez Manzanares Navacerrada".split()  # noqa: SIM905


def questions(today: dt.date) -> list[Question]:
    """Sixty questions; the last four are about times."""
    return [Question(text, (path,)) for text, path in (*ANSWERED, *_by_time(today).values())]


def files(today: dt.date) -> dict[str, str | bytes]:
    """The notes that answer, among orders, rides, mails, manuals and lists that do not."""
    chance = random.Random(17)
    kinds = (_orders(chance), _rides(chance), _days(chance, today), _mails(chance), _papers(chance))
    others = {path: file for kind in kinds for path, file in kind}
    days = {path: text for text, (_, path) in _by_time(today).items()}
    return {**others, **NOTES, **days}


def _by_time(today: dt.date) -> dict[str, tuple[str, str]]:
    """Text of a day -> the question that asks for it, and its path."""
    christmas_eve = dt.date(today.year - (today <= dt.date(today.year, 12, 24)), 12, 24)
    day = today - dt.timedelta(9)
    week = today - dt.timedelta(today.weekday() + 13)
    days = (
        ("Nochebuena en casa de Lola. Se quemó el cordero.\n", "last Christmas Eve", christmas_eve),
        ("Interview with a mechanic from Cádiz.\n", f"{day:%d/%m}", day),
        ("The new lift arrived, two men and some swearing.\n", "the week before last", week),
        ("Sold the last tandem to a couple from Porto.\n", "ayer", today - dt.timedelta(1)),
    )
    return {text: (question, f"Journal/{date}.md") for text, question, date in days}


def _orders(chance: random.Random) -> Iterator[tuple[str, str]]:
    """Repairs of customers."""
    for number in range(100):
        name = f"{chance.choice(_FIRST)} {chance.choice(_LAST)}"
        bike = chance.choice(_BIKES)
        fault, done = chance.choice(_FAULTS)
        day = dt.date(2026, 1, 8) + dt.timedelta(3 * number)
        yield (
            f"Orders/{1200 + number} {bike} {name}.md",
            f"# {bike}, {name}\n\nBrought in: {day}\nComplaint: {fault}\nDone: {done}\n"
            f"Paid: {chance.randrange(12, 140)} euros, {chance.choice(('card', 'cash', 'bizum'))}\n"
            f"Telephone: 6{chance.randrange(10_000_000, 99_999_999)}\n",
        )


def _rides(chance: random.Random) -> Iterator[tuple[str, str]]:
    """Sundays of the club."""
    for number in range(30):
        day = dt.date(2026, 3, 1) + dt.timedelta(7 * number)
        place = chance.choice(_PLACES)
        yield (
            f"Club/Rides/{day} {place}.md",
            f"# {place}, {day}\n\n{chance.randrange(8, 31)} riders, {chance.randrange(40, 130)} "
            f"km. "
            f"{chance.choice(('Wind from the north.', 'Calor al volver.', 'Two punctures.'))} "
            f"Coffee at {chance.choice(('the mill', 'casa Paco', 'the station', 'la plaza'))}.\n",
        )


def _days(chance: random.Random, today: dt.date) -> Iterator[tuple[str, str]]:
    """A journal that stops a month before today."""
    for number in range(30):
        day = today - dt.timedelta(30 + number)
        said = chance.choice(
            ("Quiet day, swept the workshop.", "Cola hasta la puerta, vendimos seis cámaras.",
             "Lucas had a fever, Lola stayed at home.", "Inventario con Marta hasta las nueve.",
             "Iker trued his first wheel alone.", "Comida con Óscar de BPI, paga él.")
        )  # fmt: skip
        yield f"Journal/{day}.md", f"{said}\n"


def _mails(chance: random.Random) -> Iterator[tuple[str, bytes]]:
    """Letters of suppliers and customers."""
    for number in range(20):
        bike = chance.choice(_BIKES)
        fault, _ = chance.choice(_FAULTS)
        text = f"Hello, my {bike}: {fault}. Could I bring it on Saturday? Thanks."
        subject = f"Appointment for a {bike}"
        if number % 2:
            text = f"Adjuntamos el albarán {4400 + number}: diez cámaras, dos cubiertas, un cable."
            subject = f"Albarán {4400 + number}"
        yield f"Mail/{number:02} {subject}.eml", letter(subject, text)


def _papers(chance: random.Random) -> Iterator[tuple[str, bytes]]:
    """Manuals, contracts and lists."""
    for number, bike in enumerate(_BIKES):
        pages = [f"{bike}: user manual. Read before the first ride.", "Torque of the stem: 5 Nm."]
        yield f"Manuals/{bike}.pdf", pdf(pages, title=f"{bike} manual")
        blocks = (f"# Quotation {number}", f"Service of a fleet of {bike}, thirty days.")
        yield f"Quotations/{number:02} {bike}.docx", word(*blocks)
    for month in range(1, 6):
        rows = [["part", "pieces"], ["inner tube", chance.randrange(90)], ["spokes", 200 + month]]
        yield f"Stock/2026-{month:02}.xlsx", sheets(Stock=rows)
