"""The house's attack and defense compared with icepool, which shares no code with oddsmith."""

import pytest

from oddsmith.games.duel.classes import house_exchange
from oddsmith.games.duel.rules import Rules
from tests.games.duel.referee import exchange_by_icepool


@pytest.mark.sweep
@pytest.mark.parametrize(("difficulty", "attackers"), [(5, 3), (9, 4), (10, 5)])
def test_3_6_icepool_gives_the_same_attack_and_defense(difficulty: int, attackers: int) -> None:
    """Every pair of attack and defense of the whole deck, with its number of hands."""
    counted = exchange_by_icepool(attackers, difficulty)

    assert dict(counted.items()) == dict(house_exchange(Rules(difficulty=difficulty)).items())


@pytest.mark.sweep
def test_3_6_icepool_gives_the_same_mixture() -> None:
    """At difficulties 1 to 3 one to four cards attack, each number in a quarter of all rounds."""
    expected: dict[tuple[int, int], int] = {}
    for attackers in (1, 2, 3, 4):
        for pair, ways in exchange_by_icepool(attackers, 2).items():
            expected[pair] = expected.get(pair, 0) + ways

    assert expected == dict(house_exchange(Rules(difficulty=2)).items())
