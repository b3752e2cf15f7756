"""Sessions of an agent with a real server process, index and model.

Each test is one conversation. What it checks is what the person would care about afterwards.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
import unicodedata
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError

from scrubjay.platform.paths import HOME_VARIABLE
from support.mcp_client import PROGRAM, Client, connected, text_of
from support.vault import TIMEOUT, tree_digest, write_notes
from support.waiting import wait_until

AGENT = "nia"
GROUP = "agent:main:telegram:group:42"
DIRECT = "agent:main:telegram:direct:7"
PLAN = (
    "---\nstatus: open\ntags: [garden/pond]\n---\n# Pond\n\nNora digs it in March.\n\n"
    "See [[Liner]].\n\n## Plants\n\n- water mint\n"
)
VAULT: dict[str, str | bytes] = {
    "Garden/Pond.md": PLAN,
    "Garden/Liner.md": "# Liner\n\nThe liner is 6 by 4 metres. For the [[Pond]]. #garden/pond\n",
    "Garden/Hedge.md": "# Hedge\n\nHornbeam, cut in August. #garden\n",
    "House/Keys.md": "# Keys\n\nThe spare key hangs behind the piano.\n",
    "Boat/Keys.md": "# Keys\n\nThe key of the boat is in the tackle box.\n",
    "Reisen/Прага.md": "# Прага\n\nВ марте мы жили в гостинице у Карлова моста.\n",
    "Reisen/京都.md": "# 京都\n\n桜の季節に予約した旅館は鴨川の近くです。\n",
    "Reisen/Αθήνα.md": "# Αθήνα\n\nΤο τραπέζι στην ταβέρνα είναι για Παρασκευή.\n",
}
LONG_NOTES: dict[str, str | bytes] = {
    "Lists/Birds.md": "# Birds\n\n" + "".join(f"- Bird number {n}\n" for n in range(1, 301)),
    "Lists/One line.md": "# One line\n\n" + " ".join(f"word{n}" for n in range(4000)) + "\n",
}
MEMORY: dict[str, str | bytes] = {
    "MEMORY.md": "# Memory\n\n- Nora likes short answers.\n- Invoices go out on the last day.\n",
    "memory/network.md": "# Network\n\nThe router stands in the attic, behind the chimney.\n",
    "memory/people.md": "# People\n\nTom teaches physics. Emma plays the clarinet.\n",
}
DIARY: dict[str, str | bytes] = {
    "Summer.md": "# Summer\n\nThe marmot whistled at the quarry. See [[Hut]]. #marmot\n",
    "Hut.md": "# Hut\n\nThe marmot lives behind the hut. #marmot\n",
}


class House:
    """The folders and settings of one person, and their terminal."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.memory = write_notes(folder / "memory", MEMORY)
        self.vault = write_notes(folder / "vault", VAULT)
        self.diary = write_notes(folder / "diary", DIARY)

    def settle(self, *more: str, rules: str = "") -> None:
        """Write the settings: the agent may write to its own memory, and proposes elsewhere."""
        named = (("memory", self.memory), ("vault", self.vault), ("diary", self.diary))
        folders = ", ".join(
            f'{{ id: "{name}", path: {json.dumps(str(path))} }}' for name, path in named
        )
        own = 'nia: { workspaces: { memory: { write: "allow" } } }'
        access = f"access: {{ agents: {{ {own} }}, {rules} }}"
        written = ", ".join((f"workspaces: [{folders}]", access, *more))
        write_notes(self.home, {"config.json5": f"{{ {written} }}"})

    def run(self, *command: str, given: str | None = None) -> str:
        """What a command prints in the terminal of the person."""
        environ = os.environ | {HOME_VARIABLE: str(self.home)}
        done = subprocess.run(
            [PROGRAM, *command],
            env=environ,
            input=given,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def digest(self) -> str:
        """Changes when any note does."""
        return "".join(map(tree_digest, (self.memory, self.vault, self.diary)))

    def proposals(self, *more: str) -> Any:
        """What waits for the review of the person."""
        return json.loads(self.run("proposals", "list", "--json", *more))


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A person's folders, all indexed by words and by meaning."""
    made = House(tmp_path)
    made.settle()
    made.run("index")
    return made


@pytest.fixture
def nia(house: House) -> Iterator[Client]:
    """An agent with a server of its own."""
    with connected(house.home, "--as", AGENT, name=AGENT) as client:
        yield client


def places(answer: dict[str, Any]) -> list[str]:
    """Paths in an answer, sure or not."""
    return [hit["path"] for key in ("results", "uncertain") for hit in answer.get(key, ())]


def whole_text(client: Client, path: str) -> str:
    """A note that is read on until no answer says that there is more."""
    text = ""
    start: int | str | None = 1
    while start is not None:
        page = client.answer("memory_get", path=path, from_=start)
        # Within a long line, the next part goes on where the last one ended.
        joint = "" if not text or ":" in str(start) else "\n"
        text += joint + page["text"]
        start = page.get("nextFrom")
    return text


def is_known_by_meaning(client: Client, workspace: str, notes: int) -> bool:
    """Whether a search by meaning knows so many notes of a folder, and all of their passages."""
    workspaces = client.answer("memory_status")["workspaces"]
    [known] = [each for each in workspaces if each["id"] == workspace]
    return (known["documents"], known["embedded"]) == (notes, 1)


# -- finding and reading ------------------------------------------------------------------------


def test_a_question_in_other_words_is_answered_from_lines_that_say_so(
    house: House, nia: Client
) -> None:
    before = house.digest()
    hit = nia.answer("memory_search", query="where can I find a second key to get into the house?")
    best = hit["results"][0]
    assert (best["workspace"], best["path"]) == ("vault", "House/Keys.md")
    lines = best["endLine"] - best["startLine"] + 1
    page = nia.answer(
        "memory_get",
        path=best["path"],
        from_=best["startLine"],
        lines=lines,
        workspace=best["workspace"],
    )
    told = (house.vault / best["path"]).read_text().splitlines()
    assert page["text"].splitlines() == told[best["startLine"] - 1 : best["endLine"]]
    assert "behind the piano" in page["text"]
    # To read leaves no trace in any note, and one in the log of the person.
    assert house.digest() == before
    log = json.loads(house.run("agents", "audit-log", "--json"))
    assert "House/Keys.md" in json.dumps(log)
    assert "piano" not in json.dumps(log)


def test_a_name_that_nearly_fits_leads_to_the_note(house: House, nia: Client) -> None:
    missing = nia.answer("memory_get", path="The spare keys", workspace="vault")
    assert (missing["missing"], missing["text"]) == (True, "")
    # Two notes have this name, and the agent is told where each of them is.
    asked_back = nia.refusal("memory_get", path="Keys")
    assert "House/Keys.md" in asked_back
    assert "Boat/Keys.md" in asked_back
    found = nia.answer("memory_search", query="spare key")["results"][0]
    page = nia.answer("memory_get", path=found["path"], workspace=found["workspace"])
    assert page["text"] == VAULT["House/Keys.md"].rstrip("\n")
    # A tool that does not exist is an error of the protocol, and the session goes on.
    with pytest.raises(MCPError, match="memory_remember"):
        nia.tool("memory_remember", text="x")
    assert nia.answer("memory_get", path="boat/keys")["path"] == "Boat/Keys.md"


@pytest.mark.parametrize(
    ("query", "path", "words"),
    [
        ("где мы жили в Праге", "Reisen/Прага.md", "Карлова моста"),
        ("鴨川 旅館", "Reisen/京都.md", "鴨川"),
        ("ταβερνα Παρασκευη", "Reisen/Αθήνα.md", "ταβέρνα"),
    ],
)
def test_notes_in_another_script_are_found_read_and_written(
    house: House, nia: Client, query: str, path: str, words: str
) -> None:
    hit = nia.answer("memory_search", query=query, workspace="vault")
    assert places(hit)[0] == path
    # Other systems write the same name with its accents apart.
    name = unicodedata.normalize("NFD", path.removesuffix(".md"))
    page = nia.answer("memory_get", path=name, workspace="vault")
    assert (page["path"], words in page["text"]) == (path, True)
    fact = f"{words} 👩‍👩‍👧 «{path}»"
    written = nia.answer("memory_write", text=fact, workspace="memory")
    assert fact in (house.memory / written["path"]).read_text(encoding="utf-8")
    again = nia.answer("memory_get", path=written["path"], workspace="memory")
    assert fact in again["text"]
    assert again["hash"] == written["hash"]


def test_long_notes_are_read_to_their_end_and_several_at_once(house: House, nia: Client) -> None:
    write_notes(house.vault, LONG_NOTES)
    for path, text in LONG_NOTES.items():
        assert whole_text(nia, path) == str(text).rstrip("\n")
    # A call for several answers for each of them, also for those that it cannot read.
    wanted = [*LONG_NOTES, "House/Keys.md", "Nowhere.md", "../secret.md", "Liner"]
    reply = nia.answer("memory_get", path=wanted, workspace="vault")
    pages = reply["notes"]
    assert len(pages) == len(wanted)
    assert all(page["nextFrom"] for page in pages[:2])
    assert pages[2]["text"] == str(VAULT["House/Keys.md"]).rstrip("\n")
    assert pages[3]["missing"]
    assert pages[4]["text"] == ""
    assert "../secret.md" in [each["path"] for each in reply["unread"] if each["error"]]
    assert pages[5]["path"] == "Garden/Liner.md"
    for page in pages[:2]:
        rest = nia.answer("memory_get", path=page["path"], from_=page["nextFrom"])
        whole = str(LONG_NOTES[page["path"]])
        assert rest["text"][:200] in whole
        assert whole.startswith(page["text"])


def test_a_subject_is_followed_by_folder_tag_and_link(nia: Client) -> None:
    listed = nia.answer("memory_list", workspace="vault", tag="#garden")
    assert {note["path"] for note in listed["notes"]} == {
        "Garden/Hedge.md",
        "Garden/Liner.md",
        "Garden/Pond.md",
    }
    deeper = nia.answer("memory_list", workspace="vault", tag="garden/pond")
    assert {note["path"] for note in deeper["notes"]} == {"Garden/Liner.md", "Garden/Pond.md"}
    related = nia.answer("memory_links", path="Pond", workspace="vault")["related"]
    assert {"linked from this note", "links to this note"} & {
        note["relation"] for note in related if note["path"] == "Garden/Liner.md"
    }
    # Page by page, each note is listed once.
    paths: list[str] = []
    cursor = ""
    while True:
        page = nia.answer("memory_list", workspace="vault", limit=3, cursor=cursor)
        paths += [note["path"] for note in page["notes"]]
        cursor = page.get("nextCursor", "")
        if not cursor:
            break
    assert sorted(paths) == sorted(VAULT)


# -- a day --------------------------------------------------------------------------------------


def test_a_day_starts_with_what_was_noted_and_what_the_message_needs(
    house: House, nia: Client
) -> None:
    today = dt.date.today()
    days = {today: "Emma has a concert at six.", today - dt.timedelta(days=1): "Leo lost a tooth."}
    notes = {f"memory/{day}.md": f"# {day}\n\n- {fact}\n" for day, fact in days.items()}
    write_notes(house.memory, notes)
    event = {"hook_event_name": "SessionStart", "source": "startup", "session_id": "s1"}
    told = house.run("hook", "today", "--workspace", "memory", given=json.dumps(event))
    for fact in days.values():
        assert fact in told
    # A greeting needs nothing; a message gets facts with their sources, quoted.
    assert nia.answer("memory_context", message="Good morning!")["results"] == []
    recalled = nia.answer("memory_context", message="When is the concert of Emma?")
    assert "concert at six" in recalled["context"]
    assert f"memory/{today}.md" in {result["path"] for result in recalled["results"]}
    prompt = nia.run("get_prompt", "recall", {"topic": "Emma's concert"})
    assert "memory_search" in prompt.messages[0].content.text


def test_before_a_compaction_nothing_is_lost_though_others_write_too(
    house: House, nia: Client
) -> None:
    prompt = nia.run("get_prompt", "flush").messages[0].content.text
    assert "memory_write" in prompt
    first = nia.answer("memory_write", text="Nora decided: oak for the deck.", workspace="memory")
    file = house.memory / first["path"]
    before = file.read_text()
    facts = [f"Fact {number} of the flush." for number in range(12)]

    def flush(client: Client, own: list[str]) -> list[dict[str, Any]]:
        return [client.answer("memory_write", text=fact, workspace="memory") for fact in own]

    with (
        connected(house.home, "--as", AGENT, name="another") as second,
        ThreadPoolExecutor() as pool,
    ):
        parts = [
            pool.submit(flush, client, own)
            for client, own in ((nia, facts[::2]), (second, facts[1::2]))
        ]
        written = [reply for part in parts for reply in part.result(TIMEOUT)]
        # What was written is learned at once, and not only after a search.
        wait_until(lambda: is_known_by_meaning(nia, "memory", len(MEMORY) + 1))
    text = file.read_text()
    assert text.startswith(before)
    assert {reply["state"] for reply in written} == {"written"}
    assert sorted(text.count(f"- {fact}\n") for fact in facts) == [1] * len(facts)
    assert "oak for the deck" in text

    # So it is also found in other words. The status may have been that of an earlier write.
    def is_found() -> bool:
        hits = nia.answer("memory_search", query="which timber does Nora want for her deck?")
        return first["path"] in places(hits)

    wait_until(is_found)


# -- writing ------------------------------------------------------------------------------------


def test_a_change_on_an_old_reading_is_refused_and_made_on_the_new_one(
    house: House, nia: Client
) -> None:
    house.settle(rules='workspaces: { vault: { write: "allow" } }')
    note = house.vault / "Garden/Pond.md"
    read = nia.answer("memory_get", path="Garden/Pond.md")
    by_hand = PLAN.replace("in March", "in April").replace(
        "- water mint\n", "- water mint\n- iris\n"
    )
    note.write_text(by_hand)
    change = {
        "path": "Garden/Pond.md",
        "action": "replace",
        "passage": "- water mint",
        "text": "- water mint (3)",
        "workspace": "vault",
    }
    refused = json.loads(nia.refusal("memory_write", **change, ifHash=read["hash"]))
    assert note.read_text() == by_hand
    assert refused["text"].rstrip("\n") == by_hand.rstrip("\n")
    # From the answer alone the agent goes on, and what the person wrote meanwhile stays.
    written = nia.answer("memory_write", **change, ifHash=refused["hash"])
    after = by_hand.replace("- water mint", "- water mint (3)")
    assert (written["state"], note.read_text()) == ("written", after)
    # The hash that was used up is refused again, whatever it is for.
    stale = {
        **change,
        "action": "set",
        "property": "status",
        "text": "done",
        "ifHash": read["hash"],
    }
    nia.refusal("memory_write", **stale)
    assert note.read_text() == after
    house.run("proposals", "undo", json.loads(house.run("proposals", "written", "--json"))[0]["id"])
    assert note.read_text() == by_hand


def test_proposals_wait_for_the_person_and_only_what_is_accepted_is_written(
    house: House, nia: Client
) -> None:
    before = house.digest()
    replies = [
        nia.answer("memory_write", workspace="vault", **change)
        for change in (
            {"path": "Garden/Pond.md", "heading": "Plants", "text": "marsh marigold"},
            {"path": "Garden/Fence.md", "action": "create", "text": "# Fence\n\nLarch slats.\n"},
            {"path": "House/Keys.md", "text": "The spare key is under the mat."},
        )
    ]
    assert [reply["state"] for reply in replies] == ["proposed"] * 3
    assert house.digest() == before
    # What waits is no note yet, so that no agent takes it for what the person said.
    assert "Garden/Fence.md" not in places(nia.answer("memory_search", query="larch slats fence"))
    assert nia.answer("memory_get", path="Garden/Fence.md", workspace="vault")["missing"]
    assert len(house.proposals()) == 3
    marigold, fence, keys = (reply["proposal"] for reply in replies)
    house.run("proposals", "accept", marigold, "--text", "yellow flag")
    house.run("proposals", "accept", fence)
    house.run("proposals", "refuse", keys)
    assert house.proposals() == []
    pond = (house.vault / "Garden/Pond.md").read_text()
    assert pond == PLAN.replace("- water mint\n", "- water mint\n- yellow flag\n")
    assert (house.vault / "House/Keys.md").read_text() == VAULT["House/Keys.md"]
    hits = nia.answer("memory_search", query="larch slats fence")
    assert "Garden/Fence.md" in places(hits)


def test_what_is_denied_is_neither_told_nor_written(
    house: House, nia: Client, tmp_path: Path
) -> None:
    rules = 'workspaces: { diary: { read: "deny" }, memory: {} }, write: "deny"'
    house.settle(rules=rules)
    secret = write_notes(tmp_path, {"secret.md": "The marmot code is 99.\n"}) / "secret.md"
    (house.vault / "link.md").symlink_to(secret)
    before = house.digest()
    told = [
        text_of(nia.tool(tool, **arguments))
        for tool, arguments in (
            ("memory_search", {"query": "marmot quarry"}),
            ("memory_search", {"query": "marmot", "workspace": "diary"}),
            ("memory_context", {"message": "Where did the marmot whistle?"}),
            ("memory_get", {"path": "Summer"}),
            ("memory_get", {"path": ["Summer.md", "Hut.md", str(house.diary / "Summer.md")]}),
            ("memory_get", {"path": "Summer.md", "workspace": "diary"}),
            ("memory_get", {"path": str(secret)}),
            ("memory_get", {"path": "../secret.md", "workspace": "vault"}),
            ("memory_get", {"path": "link.md", "workspace": "vault"}),
            ("memory_list", {"tag": "marmot"}),
            ("memory_links", {"path": "Hut"}),
            ("memory_status", {"details": True}),
        )
    ]
    assert not any("whistled at" in text for text in told)
    assert not any("behind the hut" in text or "code is 99" in text for text in told)
    for arguments in (
        {"path": "Summer.md", "workspace": "diary"},
        {"path": "House/Keys.md", "workspace": "vault"},
        {"path": "../out.md", "action": "create", "workspace": "memory"},
        {"path": str(secret), "workspace": "memory"},
        {"path": "memory/run.sh", "action": "create", "workspace": "memory"},
        {"path": "link.md", "workspace": "vault"},
    ):
        assert nia.refusal("memory_write", text="I was here.", **arguments)
    assert house.digest() == before
    assert secret.read_text() == "The marmot code is 99.\n"
    assert not list(tmp_path.rglob("out.md"))
    uris = [note.uri for note in nia.run("list_resources").resources]
    assert uris
    assert not any("diary" in uri for uri in uris)
    with pytest.raises(MCPError):
        nia.run("read_resource", "memory://diary/Summer.md")


# -- guests, and folders that are off -----------------------------------------------------------


def test_guests_hear_nothing_of_the_private_memory(house: House, nia: Client) -> None:
    asked = "What did Nora decide about invoices?"
    curated = "on the last day"
    for tool, arguments in (
        ("memory_search", {"query": "invoices last day"}),
        ("memory_context", {"message": asked}),
        ("memory_get", {"path": ["MEMORY.md", "memory"], "workspace": "memory"}),
        ("memory_list", {"workspace": "memory", "limit": 100}),
    ):
        private = text_of(nia.tool(tool, **arguments, sessionKey=DIRECT))
        guest = text_of(nia.tool(tool, **arguments, sessionKey=GROUP))
        assert "MEMORY.md" in private
        assert curated not in guest
        assert '"path":"MEMORY.md"' not in guest or '"error"' in guest
    before = (house.memory / "MEMORY.md").read_text()
    fact = {"text": "The guests may read this.", "path": "MEMORY.md", "workspace": "memory"}
    nia.refusal("memory_write", **fact, sessionKey=GROUP)
    assert (house.memory / "MEMORY.md").read_text() == before
    # What a group may know, it still gets.
    assert nia.answer("memory_search", query="router", sessionKey=GROUP)["results"]


def test_notes_of_a_folder_that_is_off_are_not_seen_until_it_is_on_again(
    house: House, nia: Client
) -> None:
    assert places(nia.answer("memory_search", query="marmot quarry"))[0] == "Summer.md"
    house.settle('agents: { list: [{ id: "diary", memorySearch: { enabled: false } }] }')
    before = tree_digest(house.diary)
    for tool, arguments in (
        ("memory_search", {"query": "marmot quarry"}),
        ("memory_context", {"message": "Where did the marmot whistle?"}),
        ("memory_get", {"path": "Summer"}),
        ("memory_get", {"path": ["Summer.md", str(house.diary / "Hut.md")]}),
        ("memory_get", {"path": "Summer.md", "workspace": "diary"}),
        ("memory_list", {"tag": "marmot"}),
        ("memory_list", {"workspace": "diary"}),
        ("memory_links", {"path": "Hut", "workspace": "diary"}),
        ("memory_status", {"details": True}),
    ):
        told = text_of(nia.tool(tool, **arguments))
        assert "whistled at" not in told, tool
        assert "behind the hut" not in told, tool
    assert not any("diary" in note.uri for note in nia.run("list_resources").resources)
    with pytest.raises(MCPError):
        nia.run("read_resource", "memory://diary/Summer.md")
    nia.refusal("memory_write", text="x", path="Summer.md", workspace="diary")
    assert tree_digest(house.diary) == before
    assert not any(proposal["workspace"] == "diary" for proposal in house.proposals())
    house.settle()
    assert places(nia.answer("memory_search", query="marmot quarry"))[0] == "Summer.md"
