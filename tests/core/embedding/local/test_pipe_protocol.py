"""Messages between parent and llama child."""

from __future__ import annotations

import io
import string

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.platform import pipe_protocol

HEADERS = st.dictionaries(
    st.text(string.ascii_letters), st.text(st.characters()) | st.integers() | st.booleans()
)


@given(st.lists(st.tuples(HEADERS, st.binary())))
def test_messages_arrive_whole_and_in_order(messages) -> None:
    stream = io.BytesIO()
    for header, payload in messages:
        pipe_protocol.send_message(stream, header, payload)
    stream.seek(0)
    assert [pipe_protocol.receive_message(stream) for _ in messages] == messages
    assert pipe_protocol.receive_message(stream) is None


def test_a_message_that_was_cut_off_is_none() -> None:
    stream = io.BytesIO()
    pipe_protocol.send_message(stream, {"id": 1}, b"payload")
    whole = stream.getvalue()
    for length in range(len(whole)):
        assert pipe_protocol.receive_message(io.BytesIO(whole[:length])) is None
