"""Three vaults as people keep them in Obsidian, and thirty questions that are names of their notes.

A hub of plugins and newsletters, help pages, and a personal vault of categories and references.
No note has a level-one heading; most begin with a sub-heading, and newsletters name their subjects.
"""

from __future__ import annotations

from collections.abc import Iterator

PLUGINS = (
    "Dataview", "Calendar", "Kanban", "Templater", "Excalidraw", "Tasks", "Outliner", "Homepage",
    "Sliding Panes", "Advanced Tables", "Natural Language Dates", "Mind Map", "Periodic Notes",
    "Natural Language Search", "Quick Add", "Tag Wrangler", "Recent Files", "Note Refactor",
)  # fmt: skip
_HELP = {
    "Editing and formatting/Callouts": "Change the title\n\nUse callouts for extra content.",
    "Editing and formatting/Basic formatting syntax": "Paragraphs\n\nBold, italics and quotes.",
    "Editing and formatting/Advanced formatting syntax": "Tables\n\nThe basic formatting syntax is "
    "on another page.",
    "Editing and formatting/Tags": "Add a tag to a note\n\nType a hash. Nested tags have a slash.",
    "Editing and formatting/Properties": "Add properties\n\nThe properties tags, aliases and "
    "cssclasses are known.",
    "Linking notes and files/Aliases": "Add an alias\n\nAn alias is another name of a note.",
    "Linking notes and files/Internal links": "Supported formats for internal links\n\nBrackets.",
    "Linking notes and files/Embed files": "Embed a note\n\nAn embed is an internal link with a !.",
    "Plugins/Canvas": "Create a canvas\n\nCards on an endless surface.",
    "Plugins/Daily notes": "Create a daily note from template\n\nOne note for each day.",
    "Plugins/Templates": "Insert a template\n\nVariables such as {{title}} are replaced.",
    "Plugins/Search": "Search terms\n\nSearch for tags with tag: and in paths with path:.",
    "Plugins/Tags view": "Settings\n\nSee all tags of the vault, nested tags too.",
    "Plugins/Graph view": "Settings\n\nSee how notes are linked.",
    "User interface/Settings": "Open Settings\n\nThe gear. Hotkeys, appearance, core plugins.",
    "User interface/Hotkeys": "Set a hotkey\n\nSettings, Hotkeys.",
    "Obsidian Publish/Introduction to Obsidian Publish": "Settings\n\nPut notes on the web.",
}
_PERSONAL = {
    "References/Kyoto": "Trips\n\n![[Trips.base]]",
    "References/Kevin Kelly": "Books\n\nWrote about a thousand true fans.",
    "References/Blade Runner": "Notes\n\nSeen in Kyoto with Kevin.",
    "Notes/2023 Japan Trip": "Dates\n\nThree days in Kyoto, four in Tokyo.",
    "Notes/Evergreen notes": "Links\n\nKevin Kelly keeps them, too.",
    "Categories/Movies": "Search terms\n\n![[Movies.base]]",
    "Categories/Books": "Search terms\n\n![[Books.base]]",
    "Categories/Trips": "Search terms\n\n![[Trips.base]]",
    "Templates/City Template": "Trips\n\n![[Trips.base]]",
    "Templates/Movie Template": "Notes\n\n![[Movies.base]]",
    "Daily/2023-09-12": "Notes\n\nRead a book by Kevin Kelly about movies.",
    "Daily/2023-09-30": "Notes\n\nPacked for Kyoto: books, templates, tags for the luggage.",
}

QUESTIONS = (
    # Help
    ("callouts", "Callouts"), ("tags", "Tags"), ("aliases", "Aliases"), ("canvas", "Canvas"),
    ("templates", "Templates"), ("settings", "Settings"), ("search", "Search"),
    ("basic formatting syntax", "Basic formatting syntax"), ("internal links", "Internal links"),
    ("daily notes", "Daily notes"), ("graph view", "Graph view"), ("hotkeys", "Hotkeys"),
    ("embed fil", "Embed files"), ("keyboard shortcuts", "Hotkeys"), ("Properties", "Properties"),
    # People and places
    ("kyoto", "Kyoto"), ("kevin kelly", "Kevin Kelly"), ("2023 japan trip", "2023 Japan Trip"),
    ("movies", "Movies"), ("books", "Books"), ("trips", "Trips"), ("blade runner", "Blade Runner"),
    ("city template", "City Template"), ("evergreen", "Evergreen notes"),
    # Plugins
    ("dataview", "Dataview"), ("kanban", "Kanban"),
    ("natural language d", "Natural Language Dates"),
    ("quick-add", "Quick Add"), ("tag wrangler", "Tag Wrangler"), ("tasks", "Tasks"),
)  # fmt: skip
"""What is typed, and the name of the file that has to be in the first row."""


def vaults() -> dict[str, dict[str, str]]:
    """Name of each vault -> its files."""
    vault = {".obsidian/app.json": "{}"}
    help_pages = {f"{path}.md": _page(text, path) for path, text in _HELP.items()}
    personal = {f"{path}.md": f"---\ntags: x\n---\n## {text}\n" for path, text in _PERSONAL.items()}
    return {
        "hub": {**vault, **dict(_hub())},
        "help": {**vault, **help_pages},
        "personal": {**vault, **personal},
    }


def _page(text: str, path: str) -> str:
    """A help page; people know one of them by another name."""
    aliases = "  - Keyboard shortcuts\n" if path.endswith("Hotkeys") else "  - How to\n"
    return f"---\naliases:\n{aliases}---\nThis page is about {path.split('/')[1]}.\n\n## {text}\n"


def _hub() -> Iterator[tuple[str, str]]:
    """A page for each plugin, and newsletters that tell of four plugins each."""
    for number, name in enumerate(PLUGINS):
        folder = "02 - Community Expansions/02.05 All Community Expansions/Plugins"
        yield f"{folder}/{name}.md", f"## Description\n\nPlugin number {number} of the hub.\n"
        others = (*PLUGINS, *PLUGINS)[number : number + 4]
        news = "\n\n".join(
            f"## {other}\n\n{other}: {other} has new settings and tags." for other in others
        )
        yield f"01 - Community/Newsletters/2022-{number // 3 + 1:02}-{number + 10}.md", f"{news}\n"
