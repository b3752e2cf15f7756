"""A family's folder of notes with a large class diary in it, and questions as people type them."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator
from dataclasses import dataclass

DIARY = "School/Class diary 2008-2024.md"

NOTES = {
    "Home/Boiler.md": """\
        # Boiler

        Combi boiler in the airing cupboard, a Vaillant from 2017.

        - Serviced by Dave Pritchard every September, 0117 496 0133
        - Pressure should be between 1.0 and 1.5 bar; the filling loop is under the sink
        - Error F28: no gas, ring Dave
        """,
    "Home/Router and wifi.md": """\
        # Router and wifi

        Network HollyHouse, password plum-otter-41. The router stands behind the piano.
        Guests use HollyGuests without a password until ten at night.
        """,
    "Home/Rubbish collection.md": """\
        # Rubbish collection

        Bins go out on Thursday evening. Paper every second week, glass and tins in the green box.
        Garden waste only from March to November.
        """,
    "Home/Paint colours.md": """\
        # Paint colours

        Living room: Skimming Stone, matt. Hall: Pale Powder. Kitchen ceiling: brilliant white.
        """,
    "Home/Roof.md": """\
        # Roof

        The slates above the bathroom were replaced in 2021 by Ashdown Roofing.
        Gutters are cleared in November; the long ladder is borrowed from Number 12.
        """,
    "Home/Meter readings.md": """\
        # Meter readings

        | day | gas | electricity |
        |---|--:|--:|
        | 1 September | 48211 | 20987 |
        | 1 October | 48260 | 21203 |
        """,
    "Home/To do.md": """\
        # To do

        - [ ] Book the boiler service before the winter
        - [ ] Ask about the fence
        - [x] Order a new washing line
        """,
    "Home/Lost and found.md": """\
        # Lost and found

        Mia's toy rabbit has gone missing: last seen on the 76 bus, the driver took it to the depot
        at Lawrence Hill. Ring them before Friday.
        """,
    "Home/Neighbours.md": """\
        # Neighbours

        Number 12: Ruth and Alan, they water the plants. Number 16 is let to students.
        """,
    "Home/Insurance.md": """\
        # Insurance

        House and contents with Avonmore, policy HC-7731-204, renewed every February.
        """,
    "Garden/Pond.md": """\
        # Pond

        The pump is switched off from December to February. Thin out the pondweed in June and leave
        it beside the water for a night, so that the snails can crawl back.
        """,
    "Garden/Plum tree.md": """\
        # Plum tree

        Silver leaf: prune only in summer, burn the cuttings, paint the wounds. The tree at the shed
        had it in 2019.
        """,
    "Garden/Sowing calendar.md": """\
        # Sowing calendar

        Broad beans in February, courgettes in April indoors, chard until July.
        """,
    "Garden/Hedgehogs.md": """\
        # Hedgehogs

        A box with dry leaves behind the compost, no milk, some water. Cut a gap below the fence.
        """,
    "Garden/Lawn.md": """\
        # Lawn

        Scarify in April, sow the bald patch under the swing, do not mow before nine.
        """,
    "Recipes/Sourdough bread.md": """\
        # Sourdough bread

        Feed the starter in the evening. 500 g strong flour, 350 g water, 10 g salt, 100 g starter.
        Fold four times, then a night in the fridge. 240 degrees with the lid on.
        """,
    "Recipes/Tortilla de patatas.md": """\
        # Tortilla de patatas

        Seis huevos, un kilo de patatas y una cebolla. Freír despacio. Mezclar y dejar reposar diez
        minutos antes de cuajarla.
        """,
    "Recipes/Apple crumble.md": """\
        # Apple crumble

        Six cooking apples, cinnamon, 150 g flour, 100 g cold butter, 80 g sugar. 40 minutes.
        """,
    "Recipes/Plum and apple chutney.md": """\
        # Plum and apple chutney

        A kilo of plums, three apples, vinegar, brown sugar, mustard seeds. Boil for an hour.
        """,
    "Recipes/Pancakes.md": """\
        # Pancakes

        Two eggs, 250 ml milk, 120 g flour, a pinch of salt. Rest the batter for half an hour.
        """,
    "Recipes/Lentil soup.md": """\
        # Lentil soup

        Red lentils, two carrots, cumin, lemon at the end. Freezes well.
        """,
    "Recipes/Gazpacho.md": """\
        # Gazpacho

        Tomates maduros, pepino, pimiento verde, ajo y aceite. Servir muy frío.
        """,
    "Recipes/Birthday cake.md": """\
        # Birthday cake

        Four eggs, the same weight of butter, sugar and flour. Double it for the big tin.
        """,
    "Lessons/Photosynthesis.md": """\
        # Photosynthesis, lesson for class 5B

        Leaves make sugar out of light, water and carbon dioxide. Pondweed in a glass, with a lamp:
        count the bubbles. Homework: draw a leaf and label it.
        """,
    "Lessons/Volcano project.md": """\
        # Volcano project

        Groups of three. Presentation on 14 December in the hall; boil the kettle only with an adult
        there. Vinegar and soda are in cupboard four.
        """,
    "Lessons/Allergies in class 5B.md": """\
        # Allergies in class 5B

        Sam and Priya must not have peanuts or almonds. Leo: eggs. The pens are in the office.
        """,
    "Lessons/Spelling words.md": """\
        # Spelling words

        necessary, embarrass, rhythm, separate, definitely, accommodation
        """,
    "Lessons/Fractions.md": """\
        # Fractions

        Fold paper strips. A half, a quarter, an eighth: which is larger? Pizza comes last.
        """,
    "Lessons/Romans.md": """\
        # Romans

        Roads, baths, Hadrian's Wall. Bath trip in March, bring the consent forms.
        """,
    "Lessons/Reading groups.md": """\
        # Reading groups

        Foxes: The Iron Man. Owls: Charlotte's Web. Otters: short stories.
        """,
    "Lessons/Parents evening.md": """\
        # Parents evening

        Ten minutes each. Mrs Okafor at five, the Lewises at half past.
        """,
    "Lessons/Seating plan.md": """\
        # Seating plan

        Keep Leo away from the window. Tom beside Priya.
        """,
    "Lessons/Fire drill.md": """\
        # Fire drill

        Out by the east stairs, count the class at the oak, hand the list to the office.
        """,
    "People/Mrs Okafor.md": """\
        # Mrs Okafor

        Chair of the governors and Daniel's mother. Prefers to be rung after six: 07700 900 318.
        """,
    "People/Piano tuner.md": """\
        # Piano tuner

        Mr Halloran, 07700 900 412. Comes twice a year and wants a quiet house.
        """,
    "People/Tom.md": """\
        # Tom

        Reads well, hates reading aloud. Spoke with his father about glasses.
        """,
    "People/Grandma.md": """\
        # Grandma

        For her eightieth: the big-print atlas, or tickets for the botanical garden. No scarves.
        """,
    "People/Ruth.md": """\
        # Ruth

        Has our spare key. Allergic to cats.
        """,
    "People/Uncle Geoff.md": """\
        # Uncle Geoff

        Lives in Whitby now. Chess by post, his move.
        """,
    "People/Christmas cards.md": """\
        # Christmas cards

        Geoff, the Halls, Ruth and Alan, Mr Halloran, the dentist's people.
        """,
    "Health/Orthodontist.md": """\
        # Orthodontist

        Mia has her fixed appliance looked at on 9 December at 15:40, 14 Park Street. With X-rays
        """,
    "Health/Biscuit at the vet.md": """\
        # Biscuit at the vet

        She weighs 14.2 kg and should lose two. Half a cup of the light food, no cheese, long walks.
        """,
    "Health/Vaccinations.md": """\
        # Vaccinations

        Tetanus 2018, due again in 2028. Flu in October at the chemist's.
        """,
    "Health/Back exercises.md": """\
        # Back exercises

        Cat and cow, ten times. Bridge, hold for five breaths. Every morning before coffee.
        """,
    "Health/Migraine.md": """\
        # Migraine

        Worse after red wine and short nights. The small tablets work within an hour.
        """,
    "Salud/Reumatólogo.md": """\
        # Reumatólogo

        Cita de la abuela el 3 de diciembre a las 11:15 en el hospital de La Paz, planta segunda.
        """,
    "Salud/Medicinas de la abuela.md": """\
        # Medicinas de la abuela

        Por la mañana la de la tensión, por la noche la del colesterol.
        """,
    "Familia/Navidad.md": """\
        # Navidad

        Vienen las tías Carmen y Pilar el día 23. Comprar turrón y hacer la habitación pequeña.
        """,
    "Familia/Verano en Cádiz.md": """\
        # Verano en Cádiz

        El piso de la calle Sagasta, dos semanas en agosto. Llevar sombrilla.
        """,
    "Travel/Lisbon.md": """\
        # Lisbon

        TP1363 from Gatwick on 12 February, £318 for all of us with one case. Tram 28 early.
        """,
    "Travel/Passports.md": """\
        # Passports

        Mine expires in March 2027, Mia's in August 2026: the photo booth is in the post office.
        """,
    "Travel/Packing list.md": """\
        # Packing list

        Toothbrushes, chargers, rabbit, rain jackets, the blue medicine bag.
        """,
    "Travel/Snowdonia.md": """\
        # Snowdonia

        The hut above Llyn Ogwen sleeps six. Walk up by the Miners' Track.
        """,
    "Travel/Trains to Edinburgh.md": """\
        # Trains to Edinburgh

        Family railcard, seats with a table, change at York.
        """,
    "Travel/Ferry.md": """\
        # Ferry

        Portsmouth to Santander, cabin 8114, check in two hours before.
        """,
    "Money/Complaint to the rental company.md": """\
        # Complaint to the rental company

        They charged £240 for a scratch that is on our photos of the day we fetched the car. Wrote
        to them twice; next step is the ombudsman.
        """,
    "Money/Household budget.md": """\
        # Household budget

        Food 620, mortgage 910, energy 180, clubs 95.
        """,
    "Money/Tax.md": """\
        # Tax

        Return is due by the end of January. Gift aid receipts are in the blue folder.
        """,
    "Money/Old phone contract.md": """\
        # Old phone contract

        Ends in April; say so in writing thirty days before.
        """,
    "Books/Mindset.md": """\
        # Mindset

        Tell children that they worked hard, not that they are clever: those who were called clever
        gave up sooner.
        """,
    "Books/To read.md": """\
        # To read

        The Overstory, Piranesi, a life of Mary Anning.
        """,
    "Books/Library.md": """\
        # Library

        Card number 2 904 118. Renew online, three weeks each time.
        """,
    "Music/Choir.md": """\
        # Choir

        Mondays at half past seven in St Mark's. Fauré's Requiem until Easter.
        """,
    "Music/Mia's piano pieces.md": """\
        # Mia's piano pieces

        Minuet in G, hands apart first. The Clown: count aloud.
        """,
}  # fmt: skip
"""Path -> text. Journal and diary come besides."""

_DAYS = (
    "Wrote the reports for half of 5B. Soup from the freezer.",
    "Took the canoe to the repairer in Portishead, he glues it for sixty pounds.",
    "Walked round the reservoir with Biscuit. Phoned Whitby.",
    "Assembly about kindness. The photocopier broke again.",
    "Staff meeting until six. Bought candles.",
    "Mia sang in the hall. Fish and chips.",
    "Marked the spelling tests, Priya had them all.",
    "Rain all day. Finished the jigsaw.",
    "Cleared the shed and found the tent pegs.",
    "Library, then the dentist for a filling.",
    "Practised the minuet with Mia. Early night.",
    "Played chess by post: bishop takes.",
    "Museum with the class, nobody was lost.",
    "Swimming. The heating in the pool failed.",
    "Wrote to the ombudsman.",
    "Cake sale, 84 pounds for the roof.",
)
"""What happened, from today backwards."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the notes that a person would accept as its answer."""

    text: str
    paths: tuple[str, ...]


def journal(today: dt.date) -> dict[str, str]:
    """A note for each of the last days, and one of a year ago. Path -> text."""
    entries = {}
    for ago, text in enumerate(_DAYS):
        day = today - dt.timedelta(ago)
        entries[journal_path(day)] = f"# {day:%A}\n\n{text}\n"
    year_ago = today - dt.timedelta(364)
    entries[journal_path(year_ago)] = f"# {year_ago:%A}\n\nThe first frost. Mended the swing.\n"
    return entries


def journal_path(day: dt.date) -> str:
    """The path of a day's note."""
    return f"Journal/{day.isoformat()}.md"


def diary(size: int) -> str:
    """A class diary of about this many characters: many days, few words, again and again."""
    chance = random.Random(2008)
    days: list[str] = ["# Class diary\n"]
    length, day = 0, dt.date(2008, 9, 1)
    lines = tuple(_diary_lines())
    while length < size:
        text = " ".join(chance.choices(lines, k=14))
        entry = f"\n## {day:%A} {day.day} {day:%B} {day.year}\n\n{text}\n"
        if length < size // 2 <= length + len(entry):
            entry += "Found the class hamster in the piano, asleep on the felt.\n"
        days.append(entry)
        length += len(entry)
        day += dt.timedelta(1 if day.weekday() < 4 else 3)
    return "".join(days)


def _diary_lines() -> Iterator[str]:
    names = ("Sam", "Priya", "Leo", "Tom", "Daniel", "Aisha", "Ben", "Grace")
    acts = (
        "{name} wrote a page about the weekend.",
        "{name} was sent to the office with a note.",
        "The heating in the classroom did not work and {name} kept the coat on.",
        "{name} asked who fixes the boiler.",
        "We planted beans, {name} watered them.",
        "{name} lost a shoe in the yard and found it on Tuesday.",
        "{name} brought a book about rabbits and foxes.",
        "A presentation by {name} on volcanoes, with questions.",
        "{name} practised spelling, better than last week.",
        "{name} had apple and cheese, and no plum.",
        "Wrote letters home; {name} posted them yesterday.",
        "In November {name} read aloud for the first time.",
    )
    return (act.format(name=name) for act in acts for name in names)


def questions(today: dt.date) -> tuple[Question, ...]:
    """Forty questions, with their answers on a given day."""
    tuesday = today - dt.timedelta((today.weekday() - 1) % 7 or 7)
    monday = today - dt.timedelta(today.weekday())
    yesterday = journal_path(today - dt.timedelta(1))

    def days(start: dt.date, count: int) -> tuple[str, ...]:
        return tuple(journal_path(start + dt.timedelta(number)) for number in range(count))

    asked: tuple[tuple[str, str | tuple[str, ...]], ...] = (
        ("boil", "Home/Boiler.md"),
        ("okaf", "People/Mrs Okafor.md"),
        ("photosy", "Lessons/Photosynthesis.md"),
        ("pondw", ("Garden/Pond.md", "Lessons/Photosynthesis.md")),
        ("sourdough", "Recipes/Sourdough bread.md"),
        ("tortilla", "Recipes/Tortilla de patatas.md"),
        ("boiler pressure", "Home/Boiler.md"),
        ("who fixes the heating", "Home/Boiler.md"),
        ("07700 900 412", "People/Piano tuner.md"),
        ("pond", "Garden/Pond.md"),
        ("wifi password", "Home/Router and wifi.md"),
        ("when do the bins go out", "Home/Rubbish collection.md"),
        ("when does Mia get her braces checked", "Health/Orthodontist.md"),
        ("dog is too fat", "Health/Biscuit at the vet.md"),
        ("kids who can't eat nuts", "Lessons/Allergies in class 5B.md"),
        ("car hire overcharged me", "Money/Complaint to the rental company.md"),
        ("praise effort not intelligence", "Books/Mindset.md"),
        ("price of the flight to Portugal", "Travel/Lisbon.md"),
        ("how long should the omelette rest", "Recipes/Tortilla de patatas.md"),
        ("¿cuándo es la cita del reumatólogo?", "Salud/Reumatólogo.md"),
        ("las tías que vienen en Navidad", "Familia/Navidad.md"),
        ("necesary embarras", "Lessons/Spelling words.md"),
        ("photosintesis leson", "Lessons/Photosynthesis.md"),
        ("hamster in the piano", DIARY),
        ("volcano presentation date", "Lessons/Volcano project.md"),
        ("notes about Tom", "People/Tom.md"),
        ("when does my passport expire", "Travel/Passports.md"),
        ("present for Grandma's birthday", "People/Grandma.md"),
        ("where is the missing rabbit", "Home/Lost and found.md"),
        ('"silver leaf"', "Garden/Plum tree.md"),
        ("path:Recipes egg", ("Recipes/Pancakes.md", "Recipes/Birthday cake.md")),
        ("apple -plum", "Recipes/Apple crumble.md"),
        ("yesterday", yesterday),
        ("what did I write yesterday", yesterday),
        ("qué hice ayer", yesterday),
        ("what did I do last Tuesday", journal_path(tuesday)),
        (f"{tuesday:%A} {tuesday.day} {tuesday:%B}", journal_path(tuesday)),
        ("three days ago", journal_path(today - dt.timedelta(3))),
        ("last week", days(monday - dt.timedelta(7), 7)),
        ("summary of what happened in my journal this week", days(monday, today.weekday() + 1)),
    )
    return tuple(
        Question(text, (paths,) if isinstance(paths, str) else paths) for text, paths in asked
    )
