"""Forty small files of all kinds, about everyday subjects, and two judged questions for each.

Written before they were asked. Neighbours are about near subjects, so that a question has to be
told from them. One question of a file shares hardly a word with its answer, the other one is as
people type who remember a word of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from support.document_makers import (
    book,
    letter,
    mailbox,
    notebook,
    open_text,
    pdf,
    rich,
    sheets,
    slides,
    word,
)


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its answer."""

    text: str
    path: str
    answer: str
    """Words of the file that answer it."""
    place: int | None = None
    """Number of the page, slide, sheet, chapter or message with them."""


FILES: dict[str, str | bytes] = {
    # School
    "school/planetarium.eml": letter(
        "Class trip of 4b",
        "Dear parents,\n\nOn the 12th of June we take the train to the planetarium. We meet at a "
        "quarter to eight on platform 2.\n\nPlease give your child a packed lunch and eleven euros "
        "for the ticket. We are back at about four.\n\nKind regards\nMrs Lindqvist",
    ),
    "school/parents.mbox": mailbox(
        letter(
            "Cake stall",
            "For the summer fair we still need four people who bake. Nut-free, please: two "
            "children in the class are allergic.",
        ),
        letter(
            "Parents' evening",
            "The heating in the east wing has broken down, so the meeting about report cards is "
            "put off until Thursday the 21st, seven o'clock, in the library.",
        ),
        letter(
            "Found in the gym",
            "A green anorak with a torn pocket hangs at the caretaker's. Nobody has asked for it.",
        ),
    ),
    "school/timetable.xlsx": sheets(
        Spring=[
            ["Day", "Lesson", "Teacher", "Room"],
            ["Monday", "Chemistry", "Mr Adeyemi", "Lab 2"],
            ["Tuesday", "French", "Mrs Roche", "114"],
            ["Friday", "Swimming", "Mr Pohl", "Pool"],
        ],
        Autumn=[
            ["Day", "Lesson", "Teacher", "Room"],
            ["Monday", "Art", "Ms Varga", "Attic studio"],
            ["Wednesday", "Music", "Mr Bright", "Hall"],
            ["Friday", "Gymnastics", "Mr Pohl", "Gym"],
        ],
    ),
    "school/biology.pptx": slides(
        ("The cell", "The nucleus keeps the plan\nMitochondria release energy from sugar", ""),
        (
            "How leaves live",
            "Chlorophyll catches sunlight\nWater and carbon dioxide become sugar",
            "Show the experiment with the pondweed: the bubbles that rise are oxygen.",
        ),
        ("Food chains", "Grass, vole, buzzard\nEach step loses nine tenths of the energy", ""),
    ),
    "school/geography.pptx": slides(
        ("Rivers", "A river carries gravel downhill\nBends grow until the water cuts through", ""),
        ("Volcanoes", "Molten rock rises where plates part\nAsh makes fields fertile", ""),
        ("Deserts", "Mountains keep the rain away\nNights are cold since no cloud holds heat", ""),
    ),
    "school/canals.docx": word(
        "# Before the railway",
        "From 1760 on, investors dug canals to move coal to the mills.",
        "A single horse could pull a boat of thirty tons along the towpath.",
        "# The decline",
        "When trains came, tolls fell by two thirds in ten years, and most companies sold their "
        "waterway to a railway that let it silt up.",
    ),
    "school/pendulum.ipynb": notebook(
        ("markdown", "# Pendulum\n\nWe timed twenty swings for five lengths of string.", ""),
        ("code", "period = total / 20\nprint(period)", "1.42"),
        (
            "markdown",
            "## Result\n\nA heavier bob made no difference. Only a longer string slowed it down.",
            "",
        ),
    ),
    "school/bees.tex": "\\documentclass{article}\n\\title{Wild bees in the town}\n"
    "\\begin{document}\n\\maketitle\n\\section{Method}\nWe put up forty reed bundles on balconies "
    "and counted sealed tubes each week.\n\n\\section{Findings}\nNests below the third floor were "
    "occupied twice as often as higher ones.\n\nBalconies with herbs had more species than those "
    "with geraniums.\n\\end{document}\n",
    "school/fractions.rst": "Help with fractions\n===================\n\nAdding\n------\n\nBring "
    "both to the same denominator first, then add what stands above the line.\n\nDividing\n"
    "--------\n\nTurn the second one upside down and multiply.\n",
    "school/house-rules.pdf": pdf(
        [
            "Telephones\nDuring lessons they stay switched off in the bag.\nWho is caught gets the "
            "device back from the office at the end of the day.",
            "When a child is ill\nParents ring the office before half past seven.\nFrom the third "
            "day on we need a doctor's certificate.",
            "Clothes\nThere is no uniform.\nCaps are taken off indoors.",
        ],
        title="Rules of the school",
    ),
    # Household
    "house/boiler.pdf": pdf(
        [
            "Safety\nNever block the air inlet.\nIf you smell gas, open the windows, touch no "
            "switch and call from outdoors.",
            "Water pressure\nThe needle should be between 1 and 1.5 bar.\nBelow that, open the "
            "blue tap under the casing until it has risen.",
            "Frost\nLeave the appliance on standby in winter, so that the pump turns when it gets "
            "colder than five degrees.",
            "Error codes\nF28: no ignition; press the flame button for three seconds.\nF75: the "
            "sensor does not notice that the pump runs.",
        ],
        title="Gas boiler, user manual",
    ),
    "house/washing-machine.pdf": pdf(
        [
            "Before the first use\nRemove the four transport bolts at the back, or the drum will "
            "make the machine walk.",
            "Programmes\nWool: 30 degrees, 600 turns.\nEco 40-60: three hours, the least power.",
            "If the door does not open\nWater stands in the drum. Unscrew the lint filter at the "
            "bottom right and let it run into a bowl.",
        ],
        title="Washing machine, instructions",
    ),
    "house/tenancy.docx": word(
        "# Rent",
        "The rent is 940 euros and is due on the third working day of each month.",
        "# Deposit",
        "Three monthly rents, paid back six months after the keys were returned.",
        "# Giving notice",
        "The tenant may end the contract with three months to the end of any month.",
        "# Animals",
        "A cat needs no consent; a dog does.",
    ),
    "house/insurance.pdf": pdf(
        [
            "What is insured\nFurniture, clothes and appliances against fire, burglary and tap "
            "water.",
            "Bicycles\nThey are covered up to 2,500 euros, also outside at night, where they were "
            "locked to something fixed.",
            "After a loss\nTell us within seven days and keep the broken things until we have seen "
            "photographs of them.",
        ],
        title="Home contents policy",
    ),
    "house/budget.xlsx": sheets(
        Fixed=[
            ["What", "A month"],
            ["Rent", 940],
            ["Electricity", 71],
            ["Internet", 35],
            ["Music lessons", 58],
        ],
        Food=[["Month", "Sum"], ["January", 512], ["February", 468], ["March", 530]],
        Reserve=[
            ["Aim", "Saved", "Wanted"],
            ["New roof for the shed", 350, 900],
            ["Holiday by the sea", 1200, 2400],
        ],
    ),
    "house/plumber.eml": letter(
        "Your bathroom",
        "Good morning,\n\nI can come on Wednesday between one and three to replace the cistern. "
        "The part costs 84 euros, and I reckon two hours.\n\nPlease turn off the main stopcock in "
        "the cellar before.\n\nSven Haugen",
    ),
    "house/recipes.epub": book(
        "Our kitchen",
        (
            "Lentil soup",
            "Fry onions and cumin, add red lentils and stock, and let it boil gently for twenty "
            "minutes. A squeeze of lemon comes in at the very end.",
        ),
        (
            "Rye bread",
            "Feed the sourdough the evening before. The loaf rests in its basket for four hours "
            "and is baked with steam.",
        ),
        (
            "Plum cake",
            "Halve the fruit and set it upright in the dough, close together. Crumbs of butter, "
            "sugar and flour go over it.",
        ),
    ),
    "house/paint.txt": "Colours of the rooms\n\nHall: warm white, matt\nBedroom: pigeon blue, two "
    "coats\nNursery: pale yellow, washable\nLeft-over tins are on the shelf behind the bicycles\n",
    "house/garden.org": "#+TITLE: The garden through the year\n\n* Spring\nSow peas as soon as the "
    "soil can be worked.\n** TODO Divide the rhubarb\n\n* Summer\nPinch out the side shoots of the "
    "tomatoes every week.\n\n* Autumn\nPlant garlic before the first frost, and cover the roses "
    "with twigs of spruce.\n",
    "house/internet.rtf": rich(
        "Internet at home\nThe router stands in the hall cupboard.\nVisitors get the network "
        "Finch-Guest, whose password is three-wet-otters.\nWhen nothing works, pull the plug and "
        "wait for half a minute."
    ),
    "house/guarantees.odt": open_text(
        "# Guarantees",
        "- Dishwasher: bought in March 2025, five years, receipt in the blue folder",
        "- Vacuum cleaner: bought in May 2024, two years",
        "- Kettle: no receipt any more",
    ),
    # Club
    "club/minutes-march.docx": word(
        "# Committee of the rowing club, 9 March",
        "Eleven members were present.",
        "- The jetty will be repaired by a firm from Lund, as the offer of our own people would "
        "take until autumn.",
        "- Ida was elected as the new youth coach with nine votes.",
    ),
    "club/minutes-may.docx": word(
        "# Committee of the rowing club, 11 May",
        "Fourteen members were present.",
        "- The open day is moved to August, since the lake is closed for the triathlon in June.",
        "- Life jackets: ten new ones are ordered, the old ones go to the scouts.",
    ),
    "club/statutes.odt": open_text(
        "# Members",
        "Whoever is fourteen or older may vote.",
        "# Leaving",
        "A member leaves by letter to the board until the end of September.",
        "# Board",
        "It is elected every two years, and decides when at least four of its six are there.",
    ),
    "club/members.xlsx": sheets(
        Active=[
            ["Name", "Role", "Telephone"],
            ["Ida Holm", "Coach", "555 0142"],
            ["Omar Said", "Cox", "555 0187"],
            ["Pia Lang", "Boatman", "555 0119"],
        ],
        Former=[
            ["Name", "Left", "Reason"],
            ["Karl Betz", 2023, "Moved to Oslo"],
            ["Rosa Marti", 2024, "Shoulder injury"],
        ],
    ),
    "club/choir.pptx": slides(
        ("Summer concert", "Church of St Olav\n21 June at half past seven", ""),
        (
            "What we sing",
            "Two madrigals\nA lullaby from Estonia\nSpirituals",
            "Altos: the lullaby begins a third lower than in the printed score.",
        ),
        ("Who helps", "Chairs: tenors\nTea and buns: sopranos", ""),
    ),
    "club/newsletter.html": "<title>Allotment news</title><h1>Allotment news</h1><h2>Water</h2>"
    "<p>The pump runs again from Easter on. Hoses only before ten and after six.</p><h2>Bonfire"
    "</h2><p>Branches may be burnt on the last Saturday of October, and on no other day.</p>",
    "club/football.adoc": "= Season of the under twelves\n\n== Training\n\nTuesdays at five on the "
    "lower pitch, and indoors from November to February.\n\n== Lifts\n\nAway matches: the families "
    "drive in turn, with three children in each car.\n",
    "club/treasurer.mbox": mailbox(
        letter(
            "Subscriptions",
            "Six people have not paid their fee for this year. I shall write to them once more.",
        ),
        letter(
            "Grant",
            "The town gives us 1,800 euros for the ramp, if the bill comes in by Christmas.",
        ),
    ),
    "club/hut.rtf": rich(
        "The hut of the mountain club\nThe key hangs in a box with the number 4071.\nFirewood is "
        "under the stairs; take in as much as you have burnt.\nWater comes from the spring two "
        "hundred metres uphill."
    ),
    # Travel
    "travel/lisbon.html": "<title>Lisbon in four days</title><h1>Lisbon in four days</h1><h2>Day 1"
    "</h2><p>Tram 28 from the terminus, early, before the queues.</p><h2>Day 2</h2><p>Tile museum "
    "in a former convent, closed on Mondays.</p><h2>Day 3</h2><p>Train to Sintra; walk down from "
    "the palace through the woods.</p>",
    "travel/norway.epub": book(
        "By bicycle through Norway",
        (
            "Getting ready",
            "Take low gears, mudguards and a bell. Tyres wider than forty millimetres spare your "
            "wrists on gravel.",
        ),
        (
            "Tunnels",
            "Many are closed to cyclists. Lit vests hang at the entrance of the long ones; the "
            "old road around the cliff is usually open.",
        ),
        (
            "Sleeping",
            "Tents may stand for one night on land that is not farmed, 150 metres away from the "
            "next house.",
        ),
    ),
    "travel/ferry.eml": letter(
        "Your booking KX41Q",
        "Thank you for sailing with us.\n\nGothenburg to Kiel, 3 August, departure 18:45. Check-in "
        "for cars closes an hour before.\n\nCabin 7112 with a window, two adults and a dog.",
        attached="ticket.pdf",
    ),
    "travel/packing.txt": "To pack for the mountains\n\nWool jumper, rain cape, two pairs of "
    "socks\nHead torch with spare batteries\nBlister plasters and tape\nMap 1:50,000, since there "
    "is no signal in the valley\n",
    "travel/visa.pdf": pdf(
        [
            "Application\nFill in the form in block letters.\nBring two photographs against a "
            "light background.",
            "Fees\nAdults pay 80 euros, pupils nothing.\nThe sum is not given back when the "
            "request is refused.",
            "Time\nAllow fifteen working days.\nPassports must be valid for six months beyond the "
            "journey home.",
        ],
        title="Entry permit for visitors",
    ),
    # Work
    "work/first-week.docx": word(
        "# Your first week",
        "- Monday: fetch your badge at the gate, and your laptop on the second floor.",
        "- Tuesday: lunch with Grace, who is there for all that you do not dare to ask.",
        "- Thursday: fire drill at ten; the gathering point is the car park behind the canteen.",
        table=[["System", "Who unlocks it"], ["Payroll", "Henrik"], ["Warehouse", "Amal"]],
    ),
    "work/quarter.pptx": slides(
        ("Third quarter", "Orders up by 6 percent\nTwo large customers in Denmark", ""),
        (
            "What went wrong",
            "Deliveries late by nine days on average",
            "The supplier of hinges had a flood in his hall in July.",
        ),
        ("Next", "A second supplier until December\nHire one planner", ""),
    ),
    "work/expenses.html": "<title>Travel expenses</title><h1>Travel expenses</h1><h2>Trains</h2>"
    "<p>Second class; first class where it is cheaper on that day.</p><h2>Own car</h2><p>30 cents "
    "a kilometre.</p><h2>Meals</h2><p>14 euros when you are away for more than eight hours. "
    "Breakfast in the hotel is taken off.</p>",
    "work/release.md": "# Release of the shop, 2.4\n\n- Stock is now counted for each branch.\n"
    "- Whoever forgets the password gets a link that works for an hour.\n- Known fault: invoices "
    "with more than forty items print without the last page.\n",
    "work/sales.ipynb": notebook(
        ("markdown", "# Umbrellas and weather\n\nSales of three years beside days of rain.", ""),
        ("code", "print(frame.corr().loc['rain', 'sold'])", "0.31"),
        (
            "markdown",
            "## What we learned\n\nPeople buy on the second wet day, hardly ever on the first.",
            "",
        ),
    ),
}  # fmt: skip
"""Content by path."""

PARAPHRASES = (
    Question(
        "how much money do the kids need for the outing to see the stars",
        "school/planetarium.eml", "eleven euros for the ticket",
    ),
    Question(
        "why was the talk with the teachers postponed",
        "school/parents.mbox", "The heating in the east wing has broken down", 2,
    ),
    Question(
        "who gives painting classes", "school/timetable.xlsx", "Art | Ms Varga", 2,
    ),
    Question(
        "what gas does the water plant give off in the demonstration",
        "school/biology.pptx", "the bubbles that rise are oxygen", 2,
    ),
    Question(
        "why is it chilly after dark in dry regions",
        "school/geography.pptx", "Nights are cold since no cloud holds heat", 3,
    ),
    Question(
        "what happened to barge companies once locomotives arrived",
        "school/canals.docx", "most companies sold their waterway to a railway",
    ),
    Question(
        "does weight change how fast it swings",
        "school/pendulum.ipynb", "A heavier bob made no difference",
    ),
    Question(
        "at what height do insects prefer to nest in the city",
        "school/bees.tex", "Nests below the third floor were occupied twice as often",
    ),
    Question(
        "how do I divide one fraction by another",
        "school/fractions.rst", "Turn the second one upside down and multiply",
    ),
    Question(
        "my son has a fever, until when must I call the school",
        "school/house-rules.pdf", "Parents ring the office before half past seven", 2,
    ),
    Question(
        "boiler pressure too low, what to do",
        "house/boiler.pdf", "open the blue tap under the casing until it has risen", 2,
    ),
    Question(
        "laundry is locked in and will not come out",
        "house/washing-machine.pdf", "Unscrew the lint filter at the bottom right", 3,
    ),
    Question(
        "how long in advance must we tell the landlord that we move out",
        "house/tenancy.docx", "The tenant may end the contract with three months",
    ),
    Question(
        "is my bike covered if it is stolen from the street",
        "house/insurance.pdf", "also outside at night, where they were locked", 2,
    ),
    Question(
        "how much have we put aside for the vacation at the beach",
        "house/budget.xlsx", "Holiday by the sea | 1200", 3,
    ),
    Question(
        "when does the man come to fix the toilet",
        "house/plumber.eml", "I can come on Wednesday between one and three",
    ),
    Question(
        "how long does the bread rest before it is baked",
        "house/recipes.epub", "The loaf rests in its basket for four hours", 2,
    ),
    Question(
        "which shade did we use where we sleep", "house/paint.txt", "Bedroom: pigeon blue",
    ),
    Question(
        "when should I put garlic in the ground",
        "house/garden.org", "Plant garlic before the first frost",
    ),
    Question(
        "wifi for guests", "house/internet.rtf", "whose password is three-wet-otters",
    ),
    Question(
        "until when can the dishwasher be repaired for free",
        "house/guarantees.odt", "Dishwasher: bought in March 2025, five years",
    ),
    Question(
        "who trains the young rowers now",
        "club/minutes-march.docx", "Ida was elected as the new youth coach",
    ),
    Question(
        "what becomes of the used life vests",
        "club/minutes-may.docx", "the old ones go to the scouts",
    ),
    Question(
        "by what date do I have to cancel my membership",
        "club/statutes.odt", "A member leaves by letter to the board until the end of September",
    ),
    Question(
        "who quit the club because of an accident to the arm",
        "club/members.xlsx", "Rosa Marti | 2024 | Shoulder injury", 2,
    ),
    Question(
        "on which note do the low women's voices start",
        "club/choir.pptx", "the lullaby begins a third lower than in the printed score", 2,
    ),
    Question(
        "when are we allowed to make a fire with garden waste",
        "club/newsletter.html", "Branches may be burnt on the last Saturday of October",
    ),
    Question(
        "who takes the boys to games in other towns",
        "club/football.adoc", "the families drive in turn",
    ),
    Question(
        "how much money do we get from the council for wheelchair access",
        "club/treasurer.mbox", "The town gives us 1,800 euros for the ramp", 2,
    ),
    Question(
        "code of the key box at the hut", "club/hut.rtf", "a box with the number 4071",
    ),
    Question(
        "on which day are the azulejos not on show",
        "travel/lisbon.html", "closed on Mondays",
    ),
    Question(
        "is wild camping allowed", "travel/norway.epub",
        "Tents may stand for one night on land that is not farmed", 3,
    ),
    Question(
        "what time does our ship leave", "travel/ferry.eml", "departure 18:45",
    ),
    Question(
        "what light do I take on the hike", "travel/packing.txt", "Head torch with spare batteries",
    ),
    Question(
        "do I get my money back if they say no",
        "travel/visa.pdf", "The sum is not given back when the request is refused", 2,
    ),
    Question(
        "where do we assemble when the alarm rings at the office",
        "work/first-week.docx", "the gathering point is the car park behind the canteen",
    ),
    Question(
        "reason why our shipments were delayed",
        "work/quarter.pptx", "The supplier of hinges had a flood", 2,
    ),
    Question(
        "how much does the company pay for driving with a private vehicle",
        "work/expenses.html", "30 cents a kilometre",
    ),
    Question(
        "long bills come out of the printer incomplete",
        "work/release.md", "invoices with more than forty items print without the last page",
    ),
    Question(
        "when do customers get themselves an umbrella",
        "work/sales.ipynb", "People buy on the second wet day",
    ),
)  # fmt: skip
"""Questions in other words than the answers."""

PLAIN = (
    Question(
        "where do we meet for the planetarium",
        "school/planetarium.eml", "quarter to eight on platform 2",
    ),
    Question(
        "cake for the summer fair nut-free", "school/parents.mbox", "Nut-free, please", 1,
    ),
    Question("which room is French in", "school/timetable.xlsx", "French | Mrs Roche | 114", 1),
    Question(
        "how much energy is lost in a food chain",
        "school/biology.pptx", "Each step loses nine tenths of the energy", 3,
    ),
    Question(
        "why are fields near volcanoes fertile",
        "school/geography.pptx", "Ash makes fields fertile", 2,
    ),
    Question(
        "how many tons could one horse pull", "school/canals.docx", "a boat of thirty tons",
    ),
    Question(
        "how many swings of the pendulum were timed",
        "school/pendulum.ipynb", "We timed twenty swings",
    ),
    Question(
        "balconies with herbs or geraniums",
        "school/bees.tex", "Balconies with herbs had more species",
    ),
    Question(
        "adding fractions with a different denominator",
        "school/fractions.rst", "Bring both to the same denominator first",
    ),
    Question("are caps allowed in school", "school/house-rules.pdf", "Caps are taken off", 3),
    Question("boiler error F75", "house/boiler.pdf", "the sensor does not notice", 4),
    Question("temperature for wool in the wash", "house/washing-machine.pdf", "30 degrees", 2),
    Question(
        "when do we get the deposit back after we return the keys",
        "house/tenancy.docx", "paid back six months after the keys were returned",
    ),
    Question(
        "within how many days do I report a loss to the insurance",
        "house/insurance.pdf", "Tell us within seven days", 3,
    ),
    Question("monthly cost of electricity", "house/budget.xlsx", "Electricity | 71", 1),
    Question("price of the new cistern", "house/plumber.eml", "The part costs 84 euros"),
    Question(
        "how long do red lentils boil", "house/recipes.epub", "boil gently for twenty minutes", 1,
    ),
    Question("where are the left-over tins of paint", "house/paint.txt", "behind the bicycles"),
    Question(
        "side shoots of tomatoes", "house/garden.org", "Pinch out the side shoots of the tomatoes",
    ),
    Question("where does the router stand", "house/internet.rtf", "in the hall cupboard"),
    Question("guarantee of the vacuum cleaner", "house/guarantees.odt", "May 2024, two years"),
    Question(
        "who repairs the jetty", "club/minutes-march.docx", "repaired by a firm from Lund",
    ),
    Question(
        "open day of the rowing club new date",
        "club/minutes-may.docx", "The open day is moved to August",
    ),
    Question(
        "how many of the board must be there to decide",
        "club/statutes.odt", "at least four of its six",
    ),
    Question("telephone of Omar", "club/members.xlsx", "555 0187", 1),
    Question(
        "when does the concert of the choir begin",
        "club/choir.pptx", "21 June at half past seven", 1,
    ),
    Question(
        "at what hours may we use hoses in the allotment",
        "club/newsletter.html", "Hoses only before ten and after six",
    ),
    Question(
        "football training in winter", "club/football.adoc", "indoors from November to February",
    ),
    Question(
        "how many members have not paid the fee",
        "club/treasurer.mbox", "Six people have not paid their fee", 1,
    ),
    Question(
        "where is the spring for water at the mountain hut",
        "club/hut.rtf", "two hundred metres uphill",
    ),
    Question("tram 28 in Lisbon", "travel/lisbon.html", "Tram 28 from the terminus"),
    Question("tyres for gravel in Norway", "travel/norway.epub", "wider than forty millimetres", 1),
    Question("cabin number on the ferry to Kiel", "travel/ferry.eml", "Cabin 7112"),
    Question("scale of the map to pack", "travel/packing.txt", "Map 1:50,000"),
    Question(
        "how long must the passport be valid", "travel/visa.pdf", "valid for six months", 3,
    ),
    Question("who unlocks payroll", "work/first-week.docx", "Payroll | Henrik"),
    Question(
        "how many days late were deliveries",
        "work/quarter.pptx", "Deliveries late by nine days", 2,
    ),
    Question(
        "is breakfast in the hotel deducted from the meal money",
        "work/expenses.html", "Breakfast in the hotel is taken off",
    ),
    Question("forgotten password link in the shop", "work/release.md", "a link that works for an"),
    Question(
        "correlation of rain and umbrellas sold", "work/sales.ipynb", "0.31",
    ),
)  # fmt: skip
"""Questions about another part of each file, with a word or two of it."""
