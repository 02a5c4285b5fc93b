"""A referee that shares no code with the odds: icepool's exact decks."""

import pytest

from oddsmith.games.duel.classes import house_exchange
from oddsmith.games.duel.rules import Rules
from tests.games.duel.referee import refereed


@pytest.mark.parametrize(("difficulty", "attackers"), [(5, 3), (9, 4), (10, 5)])
def test_3_6_icepool_gives_the_same_attack_and_defense(difficulty: int, attackers: int) -> None:
    """Every pair of attack and defense of the whole deck, in as many hands."""
    counted = refereed(attackers, difficulty)

    assert dict(counted.items()) == dict(house_exchange(Rules(difficulty=difficulty)).items())


def test_3_6_icepool_gives_the_same_mixture() -> None:
    """At difficulties 1 to 3 one to four cards attack, each number in a quarter of all rounds."""
    expected: dict[tuple[int, int], int] = {}
    for attackers in (1, 2, 3, 4):
        for pair, ways in refereed(attackers, 2).items():
            expected[pair] = expected.get(pair, 0) + ways

    assert expected == dict(house_exchange(Rules(difficulty=2)).items())
