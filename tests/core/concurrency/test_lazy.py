from __future__ import annotations

import threading

from scrubjay.concurrency.lazy import Late, late


class Part:
    def __init__(self) -> None:
        self.is_closed = False

    def close(self) -> None:
        self.is_closed = True


class Whole(Late):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.barrier = threading.Barrier(4)

    @late
    def part(self) -> Part:
        """What is made late."""
        self.count += 1
        return Part()

    @late
    def pair(self) -> tuple[Part, Part]:
        return self.part, Part()


def test_a_part_is_made_when_it_is_wanted_and_once() -> None:
    whole = Whole()
    assert (whole._made("part"), whole.count) == (None, 0)
    assert whole.part is whole.part
    assert (whole._made("part"), whole.count) == (whole.part, 1)


def test_a_part_may_be_made_of_another() -> None:
    whole = Whole()
    assert whole.pair[0] is whole.part


def test_threads_that_want_a_part_at_once_get_the_same() -> None:
    whole = Whole()
    got: list[Part] = []

    def want() -> None:
        whole.barrier.wait()
        got.append(whole.part)

    threads = [threading.Thread(target=want) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert (len(got), len(set(map(id, got))), whole.count) == (4, 1, 1)


def test_only_what_was_made_is_closed() -> None:
    whole = Whole()
    whole._close_made("part")
    assert whole.count == 0
    other = Whole()
    part = other.part
    other._close_made("part")
    assert part.is_closed


def test_what_is_made_after_the_end_is_closed_at_once() -> None:
    whole = Whole()
    whole._close_made("part")
    assert whole.part.is_closed
    assert Whole.part.__doc__ == "What is made late."
