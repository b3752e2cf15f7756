"""Arguments as agents and their programs send them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import QueryError
from scrubjay.mcp_server.tool_arguments import (
    Arguments,
    ContextArguments,
    GetArguments,
    LinksArguments,
    ListArguments,
    SearchArguments,
    StatusArguments,
    WriteArguments,
    checked_arguments,
)

ALL = (
    SearchArguments,
    GetArguments,
    ListArguments,
    LinksArguments,
    ContextArguments,
    StatusArguments,
    WriteArguments,
)
REQUIRED = {"query": "jay", "path": "a.md", "message": "jay", "text": "jay"}
NOTHING = [None, "", "  ", "null", "None", "undefined", [], {}, [None], [""], [[]]]


def checked(model: type[Arguments], **arguments: Any) -> dict[str, Any]:
    """The arguments that count, without defaults."""
    return checked_arguments("tool", model, arguments).arguments.model_dump(exclude_defaults=True)


@pytest.mark.parametrize("model", ALL)
@pytest.mark.parametrize("nothing", NOTHING)
def test_nothing_for_an_optional_argument_is_as_if_it_was_left_out(
    model: type[Arguments], nothing: object
) -> None:
    fields = model.model_fields.items()
    names = {name: field.alias or name for name, field in fields if not field.is_required()}
    needed = {name: REQUIRED[name] for name, field in fields if field.is_required()}
    passed = dict.fromkeys(names.values(), nothing)
    assert checked(model, **needed, **passed) == checked(model, **needed)


@pytest.mark.parametrize(
    ("passed", "read"),
    [
        ({"maxResults": "5"}, {"max_results": 5}),
        ({"maxResults": 5.0}, {"max_results": 5}),
        ({"maxResults": [5]}, {"max_results": 5}),
        ({"max_results": 5}, {"max_results": 5}),
        ({"maxresults": 5}, {"max_results": 5}),
        ({"Max-Results": 5}, {"max_results": 5}),
        ({"max_results": 3, "maxResults": 5}, {"max_results": 5}),
        ({"maxResults": 5, "max_results": 3}, {"max_results": 5}),
        ({"minScore": "0.5"}, {"min_score": 0.5}),
        ({"corpus": "Memory"}, {"corpus": "memory"}),
        ({"corpus": ["sessions"]}, {"corpus": "sessions"}),
        ({"workspace": ["diary"]}, {"workspace": "diary"}),
        ({"workspace": 2027}, {"workspace": "2027"}),
    ],
)
def test_a_value_is_read_as_it_is_meant(passed: dict[str, Any], read: dict[str, Any]) -> None:
    assert checked(SearchArguments, query="jay", **passed) == {"query": "jay", **read}


@pytest.mark.parametrize("query", ["jay", ["jay"], [["jay"]]])
def test_a_question_may_be_in_a_list(query: object) -> None:
    assert checked(SearchArguments, query=query) == {"query": "jay"}


@pytest.mark.parametrize("start", [12, 12.0, "12", "12.0", " 12 ", ["12"], "12:1"])
def test_a_page_begins_at_a_line_however_it_is_written(start: object) -> None:
    found = checked_arguments("memory_get", GetArguments, {"path": "a.md", "from": start})
    assert isinstance(found.arguments, GetArguments)
    assert found.arguments.page.first_line == 12


@pytest.mark.parametrize(
    "wrong",
    [
        {"maxResults": 5.5},
        {"maxResults": 0},
        {"maxResults": [1, 2]},
        {"corpus": "web"},
        {"query": []},
    ],
)
def test_what_cannot_be_meant_is_named_as_the_tool_names_it(wrong: dict[str, Any]) -> None:
    with pytest.raises(QueryError, match=next(iter(wrong))):
        checked(SearchArguments, **{"query": "jay", **wrong})


@given(
    st.dictionaries(
        st.text(max_size=12),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
            lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner),
            max_leaves=5,
        ),
        max_size=5,
    )
)
def test_arguments_of_other_programs_end_no_search(added: dict[str, Any]) -> None:
    own = {"query", "maxresults", "minscore", "corpus", "workspace", "sessionkey"}
    foreign = {
        key: value
        for key, value in added.items()
        if key.replace("_", "").replace("-", "").lower() not in own
    }
    found = checked_arguments("memory_search", SearchArguments, {**foreign, "query": "jay"})
    assert found.arguments.model_dump(exclude_defaults=True) == {"query": "jay"}
    assert bool(found.note) is bool(foreign)
