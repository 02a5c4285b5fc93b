"""A turn is taken by one at a time, in the order of their coming."""

import asyncio
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from oddsmith.server.turns import Turn


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=12))
def test_one_is_inside_at_a_time_and_none_is_forgotten(people: list[tuple[int, bool]]) -> None:
    """Whoever stays, and whoever gives up while it waits or stays, the others go in one by one in their order."""

    async def played() -> tuple[list[int], int]:
        turn, inside, most, went = Turn(), 0, 0, list[int]()

        async def visit(number: int, stay: int) -> None:
            nonlocal inside, most
            async with turn:
                inside += 1
                most = max(most, inside)
                went.append(number)
                try:
                    for _ in range(stay):
                        await asyncio.sleep(0)
                finally:
                    inside -= 1

        tasks = []
        for number, (stay, gives_up) in enumerate(people):
            task = asyncio.create_task(visit(number, stay))
            tasks.append(task)
            await asyncio.sleep(0)
            if gives_up:
                task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task
        assert not turn.is_taken
        return went, most

    went, most = asyncio.run(played())
    patient = {number for number, (_, gives_up) in enumerate(people) if not gives_up}

    assert 1 >= most
    assert sorted(went) == went
    assert patient <= {*went}


def test_who_is_called_and_gives_up_calls_the_next() -> None:
    """A turn that was given to somebody who went away at that moment is given on."""

    async def played() -> bool:
        turn = Turn()
        assert turn.enter_at_once()
        first, second = asyncio.create_task(turn.enter()), asyncio.create_task(turn.enter())
        await asyncio.sleep(0)
        turn.leave()
        first.cancel()
        await asyncio.wait_for(second, 1)
        return turn.is_taken

    assert asyncio.run(played())
