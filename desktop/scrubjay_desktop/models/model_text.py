"""Texts about models, and the actions that fit their state. Pure functions of records."""

from __future__ import annotations

from enum import StrEnum

from scrubjay.records.model_records import (
    DownloadProgress,
    ModelComparison,
    ModelInfo,
    ModelPurpose,
    ModelScore,
    ModelState,
)
from scrubjay_desktop.text.formatting import (
    format_duration,
    format_note_count,
    format_size,
    format_time_left,
    translate,
    translated,
)

_GIGABYTE = 1_000
"""Megabytes."""


class CardAction(StrEnum):
    """The action of a button of a card."""

    DOWNLOAD = "download"
    PAUSE = "pause"
    RESUME = "resume"
    USE = "use"
    COMPARE = "compare"
    RETRY = "retry"
    CANCEL = "cancel"
    REMOVE = "remove"


def card_actions(info: ModelInfo, error: str = "") -> tuple[CardAction, ...]:
    """The actions that fit the state of a model, the first choice first."""
    removal = _removal(info)
    match info.state:
        case ModelState.DOWNLOADING:
            return (CardAction.PAUSE, CardAction.CANCEL)
        case ModelState.PAUSED:
            return (CardAction.RESUME, CardAction.CANCEL)
        case ModelState.READY if info.is_used:
            return removal
        case ModelState.READY if info.purpose is ModelPurpose.READING:
            return (CardAction.USE, *removal)
        case ModelState.READY:
            return (CardAction.USE, CardAction.COMPARE, *removal)
        case ModelState.FAILED if info.file:
            return (CardAction.RETRY, *removal)
        case ModelState.FAILED:
            return (CardAction.RETRY, CardAction.CANCEL)
        case ModelState.ABSENT if error:
            return (CardAction.RETRY,)
        case ModelState.ABSENT:
            return (CardAction.DOWNLOAD,)


def _removal(info: ModelInfo) -> tuple[CardAction, ...]:
    # A language helper in use cannot be removed, and nothing depends on a result reader.
    is_needed = info.is_used and info.purpose is ModelPurpose.EMBEDDING
    if info.is_removable and not is_needed:
        return (CardAction.REMOVE,)
    return ()


def card_action_name(act: CardAction) -> str:
    """The text of the button of an action."""
    names = {
        CardAction.DOWNLOAD: translate("Models", "Download"),
        CardAction.PAUSE: translate("Models", "Pause"),
        CardAction.RESUME: translate("Models", "Resume"),
        CardAction.USE: translate("Models", "Use"),
        CardAction.COMPARE: translate("Models", "Compare"),
        CardAction.RETRY: translate("Models", "Try again"),
        CardAction.CANCEL: translate("Models", "Cancel"),
        CardAction.REMOVE: translate("Models", "Remove"),
    }
    return names[act]


def state_name(info: ModelInfo) -> str:
    """The state of a model in words."""
    # What is in use is said first, whether or not its file is here.
    match info.state:
        case ModelState.READY if info.is_used:
            return translate("Models", "In use")
        case ModelState.READY:
            return translate("Models", "On this computer")
        case ModelState.DOWNLOADING:
            return translate("Models", "Downloading")
        case ModelState.PAUSED:
            return translate("Models", "Paused")
        case ModelState.FAILED:
            return translate("Models", "Needs attention")
        case ModelState.ABSENT if info.is_used:
            return translate("Models", "Selected but missing")
        case ModelState.ABSENT:
            return ""


def model_title(model_id: str, name: str) -> str:
    """The purpose of a model in a few words; the name of one that the app does not know."""
    return _purpose(model_id)[0] or name


def model_description(info: ModelInfo) -> str:
    """The purpose of a model; the core's sentence for one that the app does not know."""
    return _purpose(info.id)[1] or info.description


def _purpose(model_id: str) -> tuple[str, str]:
    """A title and a sentence for a model of the catalogue, both empty for another one."""
    # These are the models of the catalogue, by the names that it gives them.
    match model_id:
        case "builtin-minilm":
            words = translate("Models", "Included with Scrubjay. For notes in English.")
            return translate("Models", "Small and fast"), words
        case "embeddinggemma-300m":
            words = translate(
                "Models",
                "Finds more notes than the included language helper, in more than 100 languages.",
            )
            return translate("Models", "Many languages"), words
        case "qwen3-embedding-0.6b":
            words = translate(
                "Models",
                "The largest language helper. It supports more than 100 languages and needs a "
                "fast computer.",
            )
            return translate("Models", "Thorough"), words
        case "nomic-embed-text-v1.5":
            words = translate(
                "Models", "Finds more notes in English than the included language helper."
            )
            return translate("Models", "More precise, English only"), words
        case "gemma-3-270m":
            words = translate("Models", "Finds more results that say the same in other words.")
            return translate("Models", "Result reader for many languages"), words
        case "smollm2-135m-instruct":
            words = translate("Models", "Finds more results that say the same in other words.")
            return translate("Models", "Result reader for English"), words
    return "", ""


def advice_words(info: ModelInfo) -> str:
    """The reason to choose this model for the notes that are here; empty when there is none."""
    if not info.advice:
        return ""
    # A model in use, or one for a single language, does not find more.
    if info.is_used or "mul" not in info.languages:
        words = translate(
            "Models", "Recommended. {languages}. This language helper is suitable for these notes."
        )
    else:
        words = translate(
            "Models",
            "Recommended. {languages}. This language helper finds more of "
            "these notes than the included one.",
        )
    return words.format(languages=translated(info.advice))


def model_facts(info: ModelInfo) -> str:
    """`Learns your 5,000 notes in about 40 min · download 313 MB · memory 400 MB`."""
    parts: list[str] = []
    # Time, room on the disk and memory, each where it is known.
    if info.learning_s is not None:
        learns = translate("Models", "takes {time} to read your {notes}")
        parts.append(
            learns.format(
                notes=format_note_count(info.notes), time=format_duration(info.learning_s)
            )
        )
    if info.size_bytes:
        space = translate("Models", "{size} on disk")
        if info.state is not ModelState.READY:
            space = translate("Models", "{size} download")
        parts.append(space.format(size=format_size(info.size_bytes)))
    if info.memory_mb:
        memory = translate("Models", "uses {size} of memory")
        digits = 1 if info.memory_mb > _GIGABYTE else 0
        parts.append(memory.format(size=format_size(info.memory_mb * 1_000_000, digits)))
    line = " · ".join(parts)
    return line[:1].upper() + line[1:]


def technical_line(info: ModelInfo) -> str:
    """`EmbeddingGemma 300M · licence Gemma`; without the name where that is the title."""
    parts: list[str] = []
    if model_title(info.id, info.name) != info.name:
        parts.append(info.name)
    if info.licence:
        parts.append(translate("Models", "{name} licence").format(name=info.licence))
    return " · ".join(parts)


def download_progress_words(progress: DownloadProgress, *, is_paused: bool = False) -> str:
    """Size so far, speed and time left of a download."""
    # What the download waits for counts more than how far it is.
    if progress.phase == "checking":
        return translate("Models", "Checking the downloaded file")
    if progress.phase == "waiting" and not is_paused:
        return translate("Models", "Waiting for another download to finish")
    if progress.phase == "asking" and not is_paused:
        return translate("Models", "Connecting to the server")
    # How much is here, how fast it comes, and how long it takes.
    here = format_size(progress.done_bytes)
    if progress.total_bytes:
        here = translate("Models", "{done} of {total}").format(
            done=here, total=format_size(progress.total_bytes)
        )
    if is_paused:
        return here
    speed = ""
    if progress.bytes_per_second:
        rate = format_size(round(progress.bytes_per_second))
        speed = translate("Models", "{size} per second").format(size=rate)
    return ", ".join(part for part in (here, speed, format_time_left(progress.eta_seconds)) if part)


def download_percent(progress: DownloadProgress) -> int | None:
    """Share of a download in percent; None while its size is unknown."""
    if not progress.total_bytes:
        return None
    return min(100, 100 * progress.done_bytes // progress.total_bytes)


def comparison_progress_words(done: int, total: int) -> str:
    """Progress of a comparison."""
    if not total:
        return translate("Models", "Reading the headings of your notes")
    return translate("Models", "Testing question {done} of {total}").format(done=done, total=total)


def score_words(result: ModelComparison, score: ModelScore) -> str:
    """The score of one model."""
    return translate(
        "Models", "“{name}” listed the right note first for {first} of {questions} questions."
    ).format(
        name=model_title(score.model, score.name), first=score.first, questions=result.questions
    )


def comparison_words(result: ModelComparison) -> str:
    """The result of a comparison, the conclusion first."""
    # Whether a difference is clear was decided by the core.
    if result.better:
        conclusion = translate(
            "Models", "“{name}” finds more of your notes than the other language helper."
        ).format(name=model_title(result.better.model, result.better.name))
    else:
        conclusion = translate(
            "Models",
            "Neither language helper is clearly better at finding your notes. "
            "Any difference in the results may be due to chance.",
        )
    test = translate(
        "Models",
        "Scrubjay tested both language helpers with questions made from the headings "
        "of your notes.",
    )
    scores = [score_words(result, score) for score in result.scores]
    return " ".join((conclusion, test, *scores))
