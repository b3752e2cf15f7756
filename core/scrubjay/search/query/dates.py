"""Times that a query names, in English and Spanish."""

from __future__ import annotations

import datetime as dt
import functools
import re
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.text.tokenizer import fold
from scrubjay.text.word_lists import MONTH_NUMBERS, MONTHS, WEEKDAYS, stop_words

# The words that name times, all of them folded.

_LONGEST_BY_DAY = 31
"""Days of a period that is looked for day by day; a longer one is looked for by its months."""

_WEEKDAY = {fold(name): number for number, names in enumerate(WEEKDAYS) for name in names}
_WEEKDAY_SHORT = "|".join(sorted({name[:3] for name in _WEEKDAY}))
_SEASON = {
    "spring": 3, "primavera": 3, "summer": 6, "verano": 6, "autumn": 9, "fall": 9, "otono": 9,
    "winter": 12, "invierno": 12,
}  # fmt: skip
"""Season of the northern hemisphere -> its first month."""
_FEASTS = {
    r"christmas eve|nochebuena": (12, 24, 24), r"christmas(?: day)?|navidad(?:es)?": (12, 24, 26),
    r"boxing day|san esteban": (12, 26, 26), r"new year['’]?s eve|nochevieja": (12, 31, 31),
    r"new year['’]?s(?: day)?|ano nuevo": (1, 1, 1), r"epiphany|dia de reyes": (1, 6, 6),
    r"valentine['’]?s(?: day)?|san valentin": (2, 14, 14), "halloween": (10, 31, 31),
}  # fmt: skip
"""Pattern of the names of a feast with a fixed date -> its month, first and last day."""
_NUMBER = {
    name: number
    for number, names in enumerate(
        (
            "a an one un una", "two dos", "three tres", "four cuatro", "five cinco", "six seis",
            "seven siete", "eight ocho", "nine nueve", "ten diez",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_UNIT = {
    "day": 1, "days": 1, "dia": 1, "dias": 1, "week": 7, "weeks": 7, "semana": 7, "semanas": 7,
    "month": 30, "months": 30, "mes": 30, "meses": 30, "year": 365, "years": 365, "ano": 365,
    "anos": 365,
}  # fmt: skip
"""Unit -> its days."""
_TIME_WORDS = frozenset(
    {
        *MONTH_NUMBERS, *_WEEKDAY, *_SEASON, *_UNIT, "weekend", "fin", "since", "desde", "today",
        "tonight", "hoy", "yesterday", "ayer", "anteayer", "antier", "night", "noche", "anoche",
        "anteanoche", "antenoche", "tomorrow", "manana", "morning", "afternoon", "evening", "tarde",
        "christmas", "nochebuena", "navidad", "navidades", "boxing", "esteban", "nochevieja",
        "epiphany", "reyes", "valentine", "valentines", "valentin", "halloween",
    }
)  # fmt: skip
"""Every time that is named without a digit has one of these words."""
_WORD = re.compile(r"\w+")
_ABOUT_NOTES = frozenset(
    {
        "did", "do", "does", "doing", "done", "happen", "happened", "happening", "write",
        "wrote", "written", "note", "notes", "journal", "diary", "entry", "entries",
        "summary", "show", "list", "remember", "was", "were", "hice", "hicimos", "hacer",
        "hizo", "escribi", "escribimos", "escribio", "paso", "ocurrio", "nota", "notas",
        "diario", "resumen", "apuntes", "entradas", "recuerda",
    }
)  # fmt: skip
"""Words of a question that is about a time and nothing else, besides stop words."""


class Period(Struct, frozen=True):
    """Days that a query names."""

    first: dt.date
    last: dt.date
    """Included."""
    is_yearly: bool = False
    """Whether it was named without a year: the days are those next to today, and the same days of
    other years count too."""
    is_relative: bool = False
    """Whether it was named by its distance from today."""
    feast: str = ""
    """Folded name of the feast that it is, which a note may say without a day."""

    def matches(self, date: dt.date | None) -> bool:
        """True when date is one of the days."""
        if date is None:
            return False
        if not self.is_yearly:
            return self.first <= date <= self.last
        # 28 February stands for a leap day in other years.
        same_days = (
            _date(year, date.month, date.day) or dt.date(year, 2, 28)
            for year in {self.first.year, self.last.year}
        )
        return any(self.first <= day <= self.last for day in same_days)

    @property
    def days(self) -> tuple[str, ...]:
        """The days as file names spell them, newest first; none for a long or yearly period."""
        if self.is_yearly:
            return ()
        return tuple(day.isoformat() for day in self._each())

    @property
    def words(self) -> tuple[str, ...]:
        """Phrases for the days as the index spells them, see `word_lists.date_words`."""
        days = tuple(self._each())
        phrases: list[str] = []
        for date in days or _months(self.first, self.last):
            # "3 march 2026": without the day for a long period, without the year for a yearly one.
            phrase = MONTHS[date.month - 1][0]
            if days:
                phrase = f"{date.day} {phrase}"
            if not self.is_yearly:
                phrase = f"{phrase} {date.year}"
            phrases.append(phrase)
        return tuple(phrases)

    def _each(self) -> Iterator[dt.date]:
        count = (self.last - self.first).days + 1
        if count <= _LONGEST_BY_DAY:
            yield from (self.last - dt.timedelta(number) for number in range(count))


_Reader = Callable[[re.Match[str], dt.date], Period | None]


def named_periods(text: str, today: dt.date) -> tuple[Period, ...]:
    """The times that a text names, in the order of the grammar."""
    return _read(fold(text), today)[0]


def without_times(text: str, today: dt.date) -> str:
    """A folded text without the times that it names."""
    return _read(fold(text), today)[1]


def period_asked_for(text: str, today: dt.date) -> Period | None:
    """The time of a question about a time and nothing else; None for any other question."""
    periods, rest = _read(fold(text), today)
    words = _WORD.findall(rest)
    others = set(words) - _ABOUT_NOTES - stop_words(words, "en") - stop_words(words, "es")
    if not periods or others:
        return None
    return periods[0]


def days_named(value: str, today: dt.date) -> tuple[dt.date, dt.date] | None:
    """First and last day of a time alone, or of a range such as `2024-01/2024-03`."""
    period = _period_alone(value, today)
    if period:
        return period.first, period.last
    begin, mark, end = value.partition(".." if ".." in value else "/")
    if not mark or not (begin.strip() or end.strip()):
        return None
    # A range that is open at one side has no end there.
    first = _period_alone(begin, today)
    last = _period_alone(end, today)
    if (begin.strip() and first is None) or (end.strip() and last is None):
        return None
    return (first.first if first else dt.date.min, last.last if last else dt.date.max)


def _period_alone(value: str, today: dt.date) -> Period | None:
    """The time that a text is, with or without the word that leads to it."""
    for text in (value, f"in {value}", f"on {value}"):
        periods, rest = _read(fold(text), today)
        if periods and not rest.strip(" ;"):
            return periods[0]
    return None


def month_expressions(first: dt.date, last: dt.date) -> Iterator[str]:
    """FTS5 expressions for the months from a day to another, as headings of days spell them; for
    the years of a longer time.
    """
    if (last - first).days > 366:
        yield from (f'"{year}"' for year in range(first.year, last.year + 1))
        return
    # A heading names the month, as "March 3, 2026", or writes it as a number, as "2026-03-03".
    for date in _months(first, last):
        names = (name for name, number in MONTH_NUMBERS.items() if number == date.month)
        yield from (f'NEAR("{name}" "{date.year}", 2)' for name in names)
        yield from (f'"{date:%Y %m}"', f'"{date:%m %Y}"', f'"{date.month} {date.year}"')


def _relative(reader: _Reader) -> _Reader:
    def read(match: re.Match[str], today: dt.date) -> Period | None:
        period = reader(match, today)
        if period is None:
            return None
        return replace(period, is_relative=True)

    return read


@functools.lru_cache(64)
def _read(text: str, today: dt.date) -> tuple[tuple[Period, ...], str]:
    """The periods in a folded text, and the text without them."""
    periods: dict[Period, None] = {}
    has_digit = any(map(str.isdigit, text))
    # Most texts name no time: then the grammar, which takes long to compile, is left alone.
    if not has_digit and not _TIME_WORDS & {*_WORD.findall(text)}:
        return (), text
    for pattern, reader in _grammar():

        def take(match: re.Match[str], reader: _Reader = reader) -> str:
            period = reader(match, today)
            if period is None:
                return match[0]
            periods[period] = None
            return " ; "

        text = pattern.sub(take, text)
    return tuple(periods), text


def _said(match: re.Match[str], name: str) -> str:
    """The text of a group; empty also for a pattern without it."""
    return match.groupdict().get(name) or ""


def _day(match: re.Match[str], today: dt.date) -> Period | None:
    """A day of a month, with or without a year."""
    day = int(match["day"])
    month = MONTH_NUMBERS.get(match["month"]) or int(match["month"])
    if match["year"]:
        year = int(match["year"])
        date = _date(year, month, day)
        if date is None and _said(match, "gap"):
            date = _date(year, day, month)  # the American order
        return Period(date, date) if date else None
    # Without a year the nearest such day is meant.
    date = _nearest_day(today, month, day)
    return Period(date, date, is_yearly=True) if date else None


def _nearest_day(today: dt.date, month: int, day: int) -> dt.date | None:
    """The day of a month that is nearest to today; 29 February may be two years away."""
    near = (_date(today.year + step, month, day) for step in (-1, 0, 1, -2, 2))
    return min(filter(None, near), key=lambda date: abs((date - today).days), default=None)


def _feast(match: re.Match[str], today: dt.date) -> Period | None:
    """A feast of a year, or the last or the next one; the nearest one otherwise.

    Its name alone is a word like others: "Christmas dinner" may be at any time.
    """
    name = match["feast"]
    month, first, last = next(days for names, days in _FEASTS.items() if re.fullmatch(names, name))
    feasts = [
        Period(dt.date(year, month, first), dt.date(year, month, last), feast=name)
        for year in range(max(1, today.year - 2), today.year + 3)
    ]
    if _said(match, "year"):
        year = max(1, int(_said(match, "year")))
        return Period(dt.date(year, month, first), dt.date(year, month, last), feast=name)
    if _said(match, "last") or _said(match, "past"):
        return next(feast for feast in reversed(feasts) if feast.last < today)
    if _said(match, "next") or _said(match, "coming"):
        return next(feast for feast in feasts if feast.first > today)
    nearest = min(feasts, key=lambda feast: abs((feast.first - today).days))
    return replace(nearest, is_yearly=not _said(match, "this"))


def _short_day(match: re.Match[str], today: dt.date) -> Period | None:
    """A day as 17/11 or 17/11/26; a small fraction, and 24/7, only after a word that says so."""
    numbers = (int(match["day"]), int(match["month"]))
    is_day = _said(match, "on") or _said(match, "year") or max(numbers) > 9
    if not is_day or (numbers == (24, 7) and not _said(match, "on")):
        return None
    orders = (numbers, numbers[::-1])  # the American order is the second
    if _said(match, "year"):
        year = 2000 + int(match["year"])
        dates = [date for day, month in orders if (date := _date(year, month, day))]
        return Period(dates[0], dates[0]) if dates else None
    near = (_nearest_day(today, month, day) for day, month in orders)
    return next((Period(date, date, is_yearly=True) for date in near if date), None)


def _between(match: re.Match[str], today: dt.date) -> Period | None:
    """From one day of a month to another."""
    last = _day(match, today)
    first = last and _date(last.first.year, last.first.month, int(match["from"]))
    if not last or not first or first > last.first:
        return None
    return Period(first, last.last, is_yearly=last.is_yearly)


def _day_of_month(match: re.Match[str], today: dt.date) -> Period | None:
    """The latest day with a number."""
    months = (today.replace(day=1) - dt.timedelta(days) for days in (0, 1, 32))
    days = (_date(month.year, month.month, int(match["day"])) for month in months)
    day = next((day for day in days if day and day <= today), None)
    return Period(day, day) if day else None


def _since(match: re.Match[str], today: dt.date) -> Period | None:
    """From the beginning of another period until today."""
    periods, rest = _read(match["start"], today)
    if not periods or rest.strip(" ;"):
        return None
    return Period(periods[0].first, max(periods[0].first, today))


def _month(match: re.Match[str], today: dt.date) -> Period | None:
    number = MONTH_NUMBERS.get(match["month"]) or int(match["month"])
    if not 1 <= number <= 12 or _said(match, "year") == "0000":
        return None
    # Without a year it is the latest one: "last March" is over, "March" may be running.
    if _said(match, "year"):
        return _months_from(int(_said(match, "year")), number, 1)
    if _said(match, "last"):
        return _months_from(today.year - (number >= today.month), number, 1)
    return _months_from(today.year - (number > today.month), number, 1, is_yearly=True)


def _year(match: re.Match[str], _: dt.date) -> Period:
    return _months_from(int(match["year"]), 1, 12)


def _season(match: re.Match[str], today: dt.date) -> Period:
    month = _SEASON[match["season"]]
    if _said(match, "year"):
        return _months_from(int(_said(match, "year")), month, 3)
    year = today.year - (month > today.month)
    is_running = _months_from(year, month, 3).matches(today)
    if _said(match, "last") and is_running:
        year -= 1
    return _months_from(year, month, 3)


def _ago(match: re.Match[str], today: dt.date) -> Period | None:
    count = int(_NUMBER.get(match["count"]) or match["count"])
    unit = _UNIT[match["unit"]]
    # Such a day would be before the first one that dates can hold.
    if count * unit > today.toordinal() - 400:
        return None
    date = today - dt.timedelta(count * unit)
    if unit == 1:
        return Period(date, date)
    if unit == 7:
        return _week(date)
    if unit == 365:
        return _months_from(date.year, 1, 12)
    return _months_from(date.year, date.month, 1)


def _recent(match: re.Match[str], today: dt.date) -> Period | None:
    count = int(_NUMBER.get(match["count"]) or match["count"])
    days = count * _UNIT[match["unit"]]
    if not 0 < days < 40_000:
        return None
    return Period(today - dt.timedelta(days - 1), today)


def _calendar(match: re.Match[str], today: dt.date) -> Period:
    """A week, weekend, month or year: the present, the last or the next one."""
    back = bool(_said(match, "last")) - bool(_said(match, "next"))
    back += 2 * (bool(_said(match, "before_last")) - bool(_said(match, "after_next")))
    match match["unit"]:
        case "week" | "semana":
            return _week(today - dt.timedelta(7 * back))
        case "weekend" | "fin de semana":
            # From Monday to Friday "this weekend" is the last one.
            is_over = today.weekday() < 5 and back >= 0
            week = _week(today - dt.timedelta(7 * (back or is_over)))
            return Period(week.last - dt.timedelta(1), week.last)
        case "month" | "mes":
            date = today.replace(day=15) - dt.timedelta(30 * back)
            return _months_from(date.year, date.month, 1)
    return _months_from(today.year - back, 1, 12)


def _weekday(match: re.Match[str], today: dt.date) -> Period:
    """The latest such day; before today when it is called the last one, after it the next one."""
    back = (today.weekday() - _WEEKDAY[match["weekday"]]) % 7
    if _said(match, "next") or _said(match, "coming"):
        back -= 7
    # Today is such a day itself, unless the last one is asked for.
    is_past = bool(_said(match, "last") or _said(match, "past"))
    date = today - dt.timedelta(back or 7 * is_past)
    if _said(match, "before_last"):
        date -= dt.timedelta(7 * (1 + (not back)))
    return Period(date, date)


def _days_back(number: int) -> _Reader:
    def read(_: re.Match[str], today: dt.date) -> Period:
        date = today - dt.timedelta(number)
        return Period(date, date)

    return read


def _week(date: dt.date) -> Period:
    monday = date - dt.timedelta(date.weekday())
    return Period(monday, monday + dt.timedelta(6))


def _months_from(year: int, month: int, count: int, *, is_yearly: bool = False) -> Period:
    year = min(max(year, 1), 9998)
    after = dt.date(year + (month + count - 1) // 12, (month + count - 1) % 12 + 1, 1)
    return Period(dt.date(year, month, 1), after - dt.timedelta(1), is_yearly=is_yearly)


def _months(first: dt.date, last: dt.date) -> tuple[dt.date, ...]:
    count = 12 * (last.year - first.year) + last.month - first.month + 1
    months = (first.month - 1 + number for number in range(min(count, 12)))
    return tuple(dt.date(first.year + month // 12, month % 12 + 1, 1) for month in months)


def _date(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


@functools.cache
def _grammar() -> tuple[tuple[re.Pattern[str], _Reader], ...]:
    """Compiling the patterns takes as long as a search, so it waits for a text with a time."""
    grammar: list[tuple[re.Pattern[str], _Reader]] = []
    for pattern, reader in _patterns():
        # All others count from today.
        is_absolute = reader in (_day, _short_day, _month, _year, _season, _feast)
        own = reader if is_absolute else _relative(reader)
        grammar.append((re.compile(pattern), own))
    return tuple(grammar)


def _patterns() -> tuple[tuple[str, _Reader], ...]:
    """Patterns of folded text; an earlier one takes its words away from later ones."""
    month = "|".join(MONTH_NUMBERS)
    weekday = "|".join(_WEEKDAY)
    season = "|".join(_SEASON)
    feast = rf"(?P<feast>{'|'.join(_FEASTS)})"
    count = rf"(?P<count>\d{{1,3}}|{'|'.join(_NUMBER)})"
    unit = f"(?P<unit>{'|'.join(sorted(_UNIT, key=len, reverse=True))})"
    of_year = r"(?:,? (?:de |del )?(?P<year>\d{4}))?"
    # A weekday beside a date says nothing more.
    beside = rf"(?:\b(?:{weekday}|{_WEEKDAY_SHORT})[.,]* )?"
    part = r"(?: (?:por|a) la (?:manana|tarde|noche)| (?:morning|afternoon|evening|night))?"
    whole = "|".join(fold(name) for names in MONTHS for name in names)
    to = r"(?:st|nd|rd|th)?(?: ?- ?| (?:and|to|until|y|al|a|hasta) )(?:the |el )?"
    return (
        # From one time to another.
        (
            r"\b(?:since|desde)(?: el| la)? (?P<start>[^;]+?)(?:until now|hasta hoy|hasta ahora)?"
            r"(?=\W*$)",
            _since,
        ),
        (
            rf"\b(?:(?:between|from|entre|del?|desde) )?(?:the |el )?(?P<from>\d{{1,2}}){to}"
            rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?:of |de )?(?P<month>{month})\b\.?{of_year}",
            _between,
        ),
        # Days: 2026-03-05, 5.3.2026, the 5th of March, March 5.
        (r"\b(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})\b", _day),
        (r"\b(?P<day>\d{1,2})(?P<gap>[-/.])(?P<month>\d{1,2})(?P=gap)(?P<year>\d{4})\b", _day),
        (
            r"(?:\b(?P<on>on|el|dia|del) )?(?<![\d/])\b(?P<day>\d{1,2})/(?P<month>\d{1,2})"
            r"(?:/(?P<year>\d{2}))?\b(?!/)",
            _short_day,
        ),
        (
            rf"{beside}\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?:of |de )?(?P<month>{month})\b\.?"
            rf"{of_year}",
            _day,
        ),
        (
            rf"{beside}\b(?P<month>{month}) (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b{of_year}",
            _day,
        ),
        # Feasts: Christmas 2025, last Christmas Eve, la Nochebuena pasada, at Christmas.
        (rf"\b(?:(?:el|la|las) )?{feast},? (?:of |de |del )?(?P<year>\d{{4}})\b", _feast),
        (rf"\b(?:el |la |las )?{feast} (?:(?P<past>pasad[oa]s?)|(?P<coming>que viene))\b", _feast),
        (
            r"\b(?:(?:el |la |las )?(?:(?P<last>last|ultim[oa]s?|pasad[oa]s?)|"
            rf"(?P<next>next|proxim[oa]s?))|(?P<this>this|est[ea]s?)|on|at|over|en|por) {feast}\b",
            _feast,
        ),
        # Months, seasons and years.
        (r"\b(?P<year>\d{4})-(?P<month>\d{2})\b", _month),
        (rf"\b(?P<month>{month}),? (?:of |de |del )?(?P<year>\d{{4}})\b", _month),
        (
            rf"(?:\b(?:in|during|en|durante|(?P<last>last)) |^\W*(?:of |de )?(?=\w+\W*$))"
            rf"(?P<month>{whole})\b",
            _month,
        ),
        (rf"\b(?:el )?(?P<month>{whole}) (?P<last>pasado)\b", _month),
        (
            rf"\b(?:(?:in|during|en|this|este|esta|(?P<last>last)) (?:the |el |la )?"
            rf"(?P<season>{season}),? ?(?:of |de )?(?P<year>\d{{4}})?)\b",
            _season,
        ),
        (rf"\b(?:el |la )?(?P<season>{season}) (?P<last>pasad[oa])\b", _season),
        (r"\b(?:in|during|en|durante) (?P<year>(?:19|20)\d\d)\b", _year),
        # Numbers of days, weeks, months and years back from today.
        (rf"\b{count} {unit} ago\b", _ago),
        (rf"\bhace {count} {unit}\b", _ago),
        (rf"\b(?:in )?(?:the )?(?:last|past) {count} {unit}\b", _recent),
        (rf"\b(?:en )?l[oa]s ultim[oa]s {count} {unit}\b", _recent),
        # Days next to today, and a day by its number alone.
        (r"\b(?:the day before yesterday|anteayer|antier|antes de ayer)\b", _days_back(2)),
        (r"\b(?:the night before last|anteanoche|antenoche)\b", _days_back(2)),
        (rf"\b(?:last night|(?:yesterday|ayer){part}|anoche)\b", _days_back(1)),
        (
            rf"\b(?:today|tonight|hoy{part}|this (?:morning|afternoon|evening)"
            r"|esta (?:manana|tarde|noche))\b",
            _days_back(0),
        ),
        (rf"\b(?:tomorrow{part}|manana{part}(?=\W*$))\b", _days_back(-1)),
        (
            r"\b(?:(?:(?:on|el) )?(?:the|dia)|el) (?P<day>\d{1,2})(?:st|nd|rd|th)?(?=\W*$)",
            _day_of_month,
        ),
        # Weekdays, and this, the last or the next week, weekend, month or year.
        (
            r"\b(?:the )?(?P<unit>weekend|week|month|year)"
            r" (?:(?P<before_last>before last)|(?P<after_next>after next))\b",
            _calendar,
        ),
        (
            r"\b(?:el |la )?(?P<unit>fin de semana|semana|mes|ano)"
            r" (?P<before_last>antepasad[oa]|anterior a la pasada|anterior al pasado)\b",
            _calendar,
        ),
        (rf"\b(?:the )?(?P<weekday>{weekday}) (?P<before_last>before last)\b", _weekday),
        (
            r"\b(?:this|the(?= weekend)|(?P<last>last)|(?P<next>next))"
            r" (?P<unit>weekend|week|month|year)\b",
            _calendar,
        ),
        (
            r"\b(?:el |la )?(?:(?P<last>pasad[oa])|(?P<next>proxim[oa]))"
            r" (?P<unit>fin de semana|semana|mes|ano)\b",
            _calendar,
        ),
        (
            r"\b(?:el |la )?(?P<unit>fin de semana|semana|mes|ano)"
            r" (?P<next>que viene|proxim[oa])\b",
            _calendar,
        ),
        (rf"\bel (?:(?P<last>pasado)|(?P<next>proximo)) (?P<weekday>{weekday})\b", _weekday),
        (r"\b(?:(?:est[ea]) )(?P<unit>fin de semana|semana|mes|ano)\b", _calendar),
        (r"\b(?:el |la )?(?P<unit>fin de semana|semana|mes|ano) (?P<last>pasad[oa])\b", _calendar),
        (r"\bel (?P<unit>fin de semana)\b", _calendar),
        (
            rf"(?:^|\b(?:on|this|el|este|(?P<last>last)|(?P<next>next)) )(?P<weekday>{weekday})"
            rf"(?:(?P<past> pasado)|(?P<coming> que viene| proximo))?(?=\W*$|\b(?! and\b))",
            _weekday,
        ),
    )
