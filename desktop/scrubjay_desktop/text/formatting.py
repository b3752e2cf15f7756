"""Numbers, ages and dates as people say them."""

from __future__ import annotations

import datetime as dt
import os
import re
from html import escape
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDate, QLocale, Qt
from PySide6.QtGui import Qt as GuiQt

from scrubjay.messages import Number, Sentence
from scrubjay.records.search_records import Snippet
from scrubjay.text.file_kinds import document_kind
from scrubjay.text.plain_snippet import plain_snippet

translate = QCoreApplication.translate

_CONVERSATION = re.compile(r"Conversation of (\d{4}-\d{2}-\d{2})")
"""Title of a transcript, which the index names so, in English, because agents read the same
title."""
_PART = re.compile(r"(?m)^# (Page|Slide|Sheet|Chapter|Message) (\d+)(?=$|: )")
"""Heading of a part of a document, which the conversion writes in English for the same reason."""
_MINUTE = 60
"""Seconds."""
_HOUR = 3600
"""Seconds."""
_MILLION = 1_000_000


def translated(text: str) -> str:
    """A sentence of the core in the language of the app; any other text as it is."""
    if not isinstance(text, Sentence):
        return text
    words = translate("Core", text.template)
    if not text.values:
        return words
    return words.format_map({name: _valued(one) for name, one in text.values.items()})


def _valued(value: str | int | dt.date) -> str:
    match value:
        case int():
            return format_number(value)
        case dt.date():
            return short_day(value)
    return abbreviate_home(translated(value))


def full_sentence(text: str) -> str:
    """A text of the core in the person's language, with a full stop; a title alone has none."""
    sentence = translated(text)
    if not sentence or sentence.endswith((".", "!", "?", "…")):
        return sentence
    return f"{sentence}."


def abbreviate_home(path: object) -> str:
    """A path as people know it, with `~` for their home folder; any other text as it is."""
    words = str(path)
    home = str(Path.home())
    if not f"{words}{os.sep}".startswith(home + os.sep):
        return words
    return f"~{words[len(home) :]}"


def plain_tip(text: str) -> str:
    """A tooltip of a text that is not read as markup, which could name pictures to be loaded."""
    if not GuiQt.mightBeRichText(text):
        return text
    return f"<qt>{escape(text)}</qt>".replace("\n", "<br>")


def plain_notice(text: str) -> str:
    """A text for a notification of the desktop, some of which read markup and load pictures."""
    return text.replace("<", "‹").replace(">", "›")


def note_title(title: str, path: str) -> str:
    """Title of a note without marks of Markdown, otherwise the name of its file."""
    # Only transcripts have a title that the app has to translate.
    found = None
    if path.endswith(".jsonl"):
        found = _CONVERSATION.fullmatch(title)
    if found:
        day = QDate.fromString(found[1], Qt.DateFormat.ISODate)
        if day.isValid():
            date = QLocale().toString(day, "d MMM yyyy")
            return translate("Wording", "Conversation from {date}").format(date=date)
    return plain_snippet(Snippet(title)).text or path.rsplit("/", 1)[-1].removesuffix(".md")


def note_place(title: str, path: str) -> str:
    """The path of a note, or its folder where the title says the name already."""
    folder, _, name = path.rpartition("/")
    if name.rpartition(".")[0].casefold() == title.casefold():
        return folder
    return path


def part_names(text: str, path: str) -> str:
    """Text of a document whose headings of pages and the like are in the person's language."""
    if not document_kind(path):
        return text
    names = {
        "Page": translate("Wording", "Page {n}"),
        "Slide": translate("Wording", "Slide {n}"),
        "Sheet": translate("Wording", "Sheet {n}"),
        "Chapter": translate("Wording", "Chapter {n}"),
        "Message": translate("Wording", "Message {n}"),
    }
    return _PART.sub(lambda part: "# " + names[part[1]].format(n=part[2]), text)


def format_number(value: int) -> Number:
    """A number with the separators of the person's language: 3,214."""
    return Number(QLocale().toString(value), value)


def format_note_count(count: int) -> str:
    """`1 note`, `3,214 notes`."""
    return translate("Wording", "{n} {n:note|notes}").format(n=format_number(count))


def more_passages(count: int) -> str:
    """`+1 more passage`, `+5 more passages`."""
    return translate("Wording", "{n} more {n:passage|passages}").format(n=format_number(count))


def conflict_copies(count: int) -> str:
    """`1 conflict copy`, `3 conflict copies`."""
    return translate("Wording", "{n} {n:conflict copy|conflict copies}").format(
        n=format_number(count)
    )


def notes_and_files(count: int, files: int) -> str:
    """`3 notes`, `3 notes and 2 images or recordings`."""
    if not files:
        return format_note_count(count)
    both = translate("Wording", "{notes} and {n} {n:image or recording|images or recordings}")
    return both.format(notes=format_note_count(count), n=format_number(files))


def format_word_count(count: int) -> str:
    """An estimate as round as it is rough: `900`, `34,000`, `1.1 M`."""
    if count >= _MILLION:
        millions = QLocale().toString(count / _MILLION, "f", 1)
        return translate("Wording", "{n} M").format(n=millions)
    # Two digits are as many as an estimate is worth.
    if count >= _MILLION // 100:
        return format_number(round(count, -3))
    return format_number(round(count, -2) or count)


def provider_name(provider: str) -> str:
    """Display name of the provider with this id."""
    if provider == "local":
        return translate("Wording", "the language helper on this computer")
    if provider == "qmd":
        return "QMD"
    # Imported late: without a remote provider none of them is loaded.
    from scrubjay.embedding.remote.service_catalogue import service_name

    return service_name(provider)


def format_decimal(value: float) -> str:
    """0.35, or 30 without digits that say nothing; written as people here write it."""
    return QLocale().toString(value, "g", 6)


def format_percent(share: float) -> str:
    """Share of 0 to 1 as a whole percentage that says 100 % only when all is done."""
    whole = min(99, round(share * 100))
    if share >= 1:
        whole = 100
    return translate("Wording", "{n}%").format(n=whole)


def format_age(seconds: float) -> str:
    """The time since something that is checked often."""
    # The unit is the largest one of which there is at least one.
    if seconds < 5:
        return translate("Wording", "just now")
    if seconds < _MINUTE:
        return translate("Wording", "{n} s ago").format(n=int(seconds))
    if seconds < _HOUR:
        return translate("Wording", "{n} min ago").format(n=int(seconds // _MINUTE))
    if seconds < 24 * _HOUR:
        return translate("Wording", "{n} h ago").format(n=int(seconds // _HOUR))
    return translate("Wording", "{n} days ago").format(n=max(2, int(seconds // (24 * _HOUR))))


def attention_words(count: int) -> str:
    """The number of findings that need the user, as a sentence."""
    # One and many differ in their verb too.
    if count == 0:
        return translate("HealthPage", "Nothing needs your attention.")
    if count == 1:
        return translate("HealthPage", "One thing needs your attention.")
    return translate("HealthPage", "{n} things need your attention.").format(n=count)


def format_time_left(seconds: float | None) -> str:
    """An estimate that does not pretend to be exact; empty when there is none."""
    if seconds is None:
        return ""
    # The longer it takes, the coarser is the unit.
    if seconds < 15:
        return translate("Wording", "a few seconds left")
    if seconds < 90:
        return translate("Wording", "about a minute left")
    if seconds < 90 * _MINUTE:
        return translate("Wording", "about {n} minutes left").format(n=round(seconds / _MINUTE))
    return translate("Wording", "about {n} hours left").format(n=round(seconds / _HOUR))


def format_duration(seconds: float) -> str:
    """A rough time in the middle of a sentence: less than a minute, about 40 min, about 5 hours."""
    if seconds < _MINUTE:
        return translate("Wording", "less than a minute")
    if seconds < 90 * _MINUTE:
        return translate("Wording", "about {n} min").format(n=round(seconds / _MINUTE))
    return translate("Wording", "about {n} hours").format(n=round(seconds / _HOUR))


def relative_date(moment: dt.datetime, now: dt.datetime) -> str:
    """The day of a note the way people name it: today, a weekday, then the date."""
    # The nearer a day is, the shorter is its name.
    moment = moment.astimezone(now.tzinfo)
    days = (now.date() - moment.date()).days
    if days == 0:
        return translate("Wording", "Today {time}").format(time=format_clock(moment))
    if days == 1:
        return translate("Wording", "Yesterday")
    day = QDate(moment.year, moment.month, moment.day)
    if 1 < days < 7:
        return QLocale().toString(day, "dddd")
    if moment.year == now.year:
        return QLocale().toString(day, "d MMM")
    return QLocale().toString(day, "d MMM yyyy")


def note_day(date: dt.date | None, modified: dt.datetime, now: dt.datetime) -> str:
    """The day of a note: its own as Tue 17 Nov, otherwise that of its last change in words."""
    if date is None:
        return translate("Wording", "changed {when}").format(when=last_day(modified, now))
    # The year goes without saying while it is this one.
    form = "ddd d MMM" if date.year == now.year else "ddd d MMM yyyy"
    return QLocale().toString(QDate(date.year, date.month, date.day), form)


def both_days(date: dt.date | None, modified: dt.datetime, now: dt.datetime) -> str:
    """The own day of a note in full and that of its last change, or the moment of this."""
    if date:
        return f"{long_day(date)} · {note_day(None, modified, now)}"
    # Without a day of its own, a note has the moment of its last change.
    day = translate("Wording", "on {date}").format(date=day_and_time(modified, now))
    return translate("Wording", "changed {when}").format(when=day)


def day_and_time(moment: dt.datetime, now: dt.datetime) -> str:
    """A moment in full: Thursday 12 March 2026, 14:05."""
    moment = moment.astimezone(now.tzinfo)
    return f"{long_day(moment.date())}, {format_clock(moment)}"


def last_day(moment: dt.datetime, now: dt.datetime) -> str:
    """The day of something, inside a sentence: today, yesterday, on 3 May 2024."""
    # Inside a sentence a day is named without its time.
    moment = moment.astimezone(now.tzinfo)
    days = (now.date() - moment.date()).days
    if days <= 0:
        return translate("Wording", "today")
    if days == 1:
        return translate("Wording", "yesterday")
    if days < 7:
        return translate("Wording", "{n} days ago").format(n=days)
    day = QDate(moment.year, moment.month, moment.day)
    return translate("Wording", "on {date}").format(date=QLocale().toString(day, "d MMM yyyy"))


def long_day(day: dt.date) -> str:
    """A day in full, with its weekday: Thursday 12 March 2026, as `short_day` in every country."""
    form = translate("Wording", "dddd d MMMM yyyy")
    return QLocale().toString(QDate(day.year, day.month, day.day), form)


def short_day(day: dt.date) -> str:
    """A day with its year: 12 Mar 2026."""
    return QLocale().toString(QDate(day.year, day.month, day.day), "d MMM yyyy")


def days_name(first: dt.date, last: dt.date) -> str:
    """A day as a note shows it, or a range of them, with a year of both said once."""
    if first == last:
        return QLocale().toString(QDate(first.year, first.month, first.day), "ddd d MMM yyyy")
    form = "d MMM" if first.year == last.year else "d MMM yyyy"
    start = QLocale().toString(QDate(first.year, first.month, first.day), form)
    return f"{start} – {short_day(last)}"


def format_clock(moment: dt.datetime) -> str:
    """Hours and minutes of a moment."""
    return moment.strftime("%H:%M")


def format_size(count: int, digits: int = 1) -> str:
    """A file size, as servers and the terminal say it: 4.2 MB are 4,200,000 bytes."""
    return QLocale().formattedDataSize(count, digits, QLocale.DataSizeFormat.DataSizeSIFormat)


def join_words(words: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return translate("Wording", "{first} and {last}").format(
        first=", ".join(words[:-1]), last=words[-1]
    )
