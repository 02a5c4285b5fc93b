"""Nobody is weaker than the weakest, and nobody stronger than the strongest."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.cards import Suit
from oddsmith.games.destiny import DEFAULT, Buff, Character, Item, Rules, Run, character_bonuses, exhibits
from oddsmith.games.destiny.exhibits import strongest_characters, weakest_characters
from oddsmith.games.destiny.odds import success_chance
from oddsmith.points import Points
from oddsmith.poker import HandRank


def _anybody() -> st.SearchStrategy[Character]:
    return st.builds(
        Character,
        skills=st.dictionaries(st.sampled_from(sorted(DEFAULT.skills)), st.integers(1, 100), max_size=18),
        items=st.lists(st.sampled_from(sorted(DEFAULT.items)), max_size=2).map(tuple),
        location=st.none() | st.sampled_from(sorted(DEFAULT.locations)),
        buffs=st.dictionaries(st.sampled_from(sorted(DEFAULT.buffs)), st.just(0), max_size=2),
    )


@settings(max_examples=25)
@given(_anybody(), st.integers(1, 1500))
def test_everybody_is_between_the_weakest_and_the_strongest(character: Character, threshold: int) -> None:
    """For every threshold, someone of the weakest meets it no more often, and someone of the strongest no less."""
    asked = Points(threshold)
    chance = success_chance(character_bonuses(character), asked)

    assert min(success_chance(bonuses, asked) for _, bonuses in weakest_characters(DEFAULT)) <= chance
    assert max(success_chance(bonuses, asked) for _, bonuses in strongest_characters(DEFAULT)) >= chance


def test_places_that_another_outdoes_are_not_tried() -> None:
    """Each of the four places is best for a suit, so nobody strong is nowhere, and nobody weak in any of them."""
    told = [words.rpartition("in ")[2] for words, _ in strongest_characters(DEFAULT)]

    assert {"red gulch", "kaiowa mesa", "frontera", "sangre canyon"} == {*told}
    assert ["poisoned", "poisoned, whiskey"] == [words for words, _ in weakest_characters(DEFAULT)]


def test_a_falling_curve_makes_skills_a_burden() -> None:
    """Where levels cost points, the weakest has every skill, and the strongest none above 1."""
    rules = Rules(
        curve_linear=Decimal(-1),
        curve_coefficient=Decimal(0),
        items={},
        buffs={},
        outlaws={"somebody": Character()},
        run=Run(prices={}),
    )
    (worst, bonuses), *_ = weakest_characters(rules)

    assert "every skill at 100" == worst
    assert Points(-99 * 5) == bonuses.suits[Suit.SPADES]
    assert "in red gulch" == next(strongest_characters(rules))[0]


def test_with_nothing_to_have_somebody_has_nothing() -> None:
    """Without things and places, the weakest is anybody without skills."""
    rules = Rules(items={}, buffs={}, outlaws={"somebody": Character()}, run=Run(prices={}))

    assert ["without skills and things"] == [words for words, _ in weakest_characters(rules)]


def test_many_things_that_do_both_are_taken_by_their_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a few, what helps on average goes to the strongest, and the rest to the weakest."""
    monkeypatch.setattr(exhibits, "MOST_TRIED", 1)
    rules = Rules(
        items={
            "coat": Item(flat=Points(5), ranks={HandRank.PAIR: Points(-1)}),
            "stone": Item(flat=Points(1), ranks={HandRank.HIGH_CARD: Points(-9)}),
            "dust": Item(),
        },
        buffs={"tea": Buff(duration=1, flat=Points(1), suits={Suit.CLUBS: Points(-1)})},
        outlaws={"somebody": Character()},
        run=Run(prices={}),
    )

    assert {"every skill at 100, coat"} == {
        words.partition(", in")[0] for words, _ in strongest_characters(rules)
    }
    assert ["stone, tea"] == [words for words, _ in weakest_characters(rules)]


def test_nobody_carries_more_than_a_hundred_things() -> None:
    """Of two hundred, the strongest carries those that help most, and five of them are told."""
    charms = {f"charm_{number}": Item(flat=Points(number)) for number in range(1, 201)}
    rules = Rules(items=charms, outlaws={"somebody": Character()})
    told, bonuses = next(strongest_characters(rules))

    assert (
        "every skill at 100, charm 101, charm 102, charm 103, charm 104, charm 105, 95 more things"
        == (told.partition(", in")[0])
    )
    assert sum(range(101, 201)) == sum(modifier.points.fraction for modifier in bonuses.modifiers)


def test_whoever_the_game_refuses_is_not_the_strongest() -> None:
    """Bonuses add up to a million points at most: beyond that nobody is."""
    charms = {f"charm_{number}": Item(flat=Points(100_000)) for number in range(11)}
    rules = Rules(items=charms, outlaws={"somebody": Character()})

    assert [] == [*strongest_characters(rules)]
    assert 2 == len([*weakest_characters(rules)])
