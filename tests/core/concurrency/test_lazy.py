from __future__ import annotations

import threading

from scrubjay.concurrency.lazy import LazyParts, lazy


class Part:
    def __init__(self) -> None:
        self.is_closed = False

    def close(self) -> None:
        self.is_closed = True


class Whole(LazyParts):
    def __init__(self) -> None:
        self.count = 0
        self.barrier = threading.Barrier(4)

    @lazy
    def part(self) -> Part:
        """What is made late."""
        self.count += 1
        return Part()

    @lazy
    def pair(self) -> tuple[Part, Part]:
        return self.part, Part()


def test_a_part_is_made_on_first_use_and_once() -> None:
    whole = Whole()
    assert (whole.is_made("part"), whole.count) == (False, 0)
    assert whole.part is whole.part
    assert (whole.is_made("part"), whole.count) == (True, 1)


def test_a_part_may_be_made_of_another() -> None:
    whole = Whole()
    assert whole.pair[0] is whole.part


def test_threads_that_want_a_part_at_once_get_the_same() -> None:
    whole = Whole()
    parts: list[Part] = []

    def use() -> None:
        whole.barrier.wait()
        parts.append(whole.part)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(parts), len(set(map(id, parts))), whole.count) == (4, 1, 1)


def test_only_what_was_made_is_closed() -> None:
    whole = Whole()
    whole.close_made("part")
    assert whole.count == 0
    other = Whole()
    part = other.part
    other.close_made("part")
    assert part.is_closed


def test_what_is_made_after_the_end_is_closed_at_once() -> None:
    whole = Whole()
    whole.close_made("part")
    assert whole.part.is_closed
    assert Whole.part.__doc__ == "What is made late."
