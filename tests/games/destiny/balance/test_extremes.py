"""The weakest and the strongest characters bound all others."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.cards import Suit
from oddsmith.games.destiny import (
    DEFAULT,
    Buff,
    Character,
    Item,
    Rules,
    Run,
    character_bonuses,
    extreme_characters,
)
from oddsmith.games.destiny.extreme_characters import strongest_characters, weakest_characters
from oddsmith.games.destiny.odds import success_chance
from oddsmith.games.destiny.ranks import HandRank
from oddsmith.points import Points


def _any_character() -> st.SearchStrategy[Character]:
    return st.builds(
        Character,
        skills=st.dictionaries(st.sampled_from(sorted(DEFAULT.skills)), st.integers(1, 100), max_size=18),
        items=st.lists(st.sampled_from(sorted(DEFAULT.items)), max_size=2).map(tuple),
        location=st.none() | st.sampled_from(sorted(DEFAULT.locations)),
        buffs=st.dictionaries(st.sampled_from(sorted(DEFAULT.buffs)), st.just(0), max_size=2),
    )


@settings(max_examples=25)
@given(_any_character(), st.integers(1, 1500))
def test_every_character_is_between_the_weakest_and_the_strongest(
    character: Character, threshold: int
) -> None:
    """For every threshold, one of the weakest meets it at most as often, and one of the strongest at least as often."""
    points = Points(threshold)
    chance = success_chance(character_bonuses(character), points)

    assert min(success_chance(bonuses, points) for _, bonuses in weakest_characters(DEFAULT)) <= chance
    assert max(success_chance(bonuses, points) for _, bonuses in strongest_characters(DEFAULT)) >= chance


def test_dominated_places_are_left_out() -> None:
    """Each of the four places is best for a suit, so every strong character is in one, and no weak one is."""
    places = [words.rpartition("in ")[2] for words, _ in strongest_characters(DEFAULT)]

    assert {"red gulch", "kaiowa mesa", "frontera", "sangre canyon"} == {*places}
    assert ["poisoned", "poisoned, whiskey"] == [words for words, _ in weakest_characters(DEFAULT)]


def test_with_a_falling_curve_skills_lower_the_total() -> None:
    """The weakest has every skill, and the strongest none above level 1."""
    rules = Rules(
        curve_linear=Decimal(-1),
        curve_coefficient=Decimal(0),
        items={},
        buffs={},
        outlaws={"somebody": Character()},
        run=Run(prices={}),
        critical_failure_buff="",
    )
    (worst, bonuses), *_ = weakest_characters(rules)

    assert "every skill at 100" == worst
    assert Points(-99 * 5) == bonuses.suits[Suit.SPADES]
    assert "in red gulch" == next(strongest_characters(rules))[0]


def test_without_items_and_places_the_weakest_has_nothing() -> None:
    rules = Rules(
        items={},
        buffs={},
        outlaws={"somebody": Character()},
        run=Run(prices={}),
        critical_failure_buff="",
    )

    assert ["without skills and things"] == [words for words, _ in weakest_characters(rules)]


def test_items_with_mixed_effects_are_chosen_by_their_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    """With many of them, the strongest has those that help on average, the weakest the rest."""
    monkeypatch.setattr(extreme_characters, "MOST_TRIED", 1)
    rules = Rules(
        items={
            "coat": Item(flat=Points(5), ranks={HandRank.PAIR: Points(-1)}),
            "stone": Item(flat=Points(1), ranks={HandRank.HIGH_CARD: Points(-9)}),
            "dust": Item(),
        },
        buffs={"tea": Buff(duration=1, flat=Points(1), suits={Suit.CLUBS: Points(-1)})},
        outlaws={"somebody": Character()},
        run=Run(prices={}),
        critical_failure_buff="",
    )

    assert {"every skill at 100, coat"} == {
        words.partition(", in")[0] for words, _ in strongest_characters(rules)
    }
    assert ["stone, tea"] == [words for words, _ in weakest_characters(rules)]


def test_a_character_has_at_most_a_hundred_items() -> None:
    """Of two hundred, the strongest has those that help most, and five of them are named."""
    charms = {f"charm_{number}": Item(flat=Points(number)) for number in range(1, 201)}
    rules = Rules(items=charms, outlaws={"somebody": Character()})
    description, bonuses = next(strongest_characters(rules))

    assert (
        "every skill at 100, charm 101, charm 102, charm 103, charm 104, charm 105, 95 more things"
        == (description.partition(", in")[0])
    )
    assert sum(range(101, 201)) == sum(modifier.points.fraction for modifier in bonuses.modifiers)


def test_a_character_that_the_game_refuses_is_not_the_strongest() -> None:
    """Bonuses add up to at most a million points."""
    charms = {f"charm_{number}": Item(flat=Points(100_000)) for number in range(11)}
    rules = Rules(items=charms, outlaws={"somebody": Character()})

    assert [] == [*strongest_characters(rules)]
    assert 2 == len([*weakest_characters(rules)])
