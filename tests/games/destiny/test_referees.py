"""The odds compared with icepool's exact decks and with many games on the engine."""

from collections import Counter
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Final

import pytest

from oddsmith.chance import Seeded
from oddsmith.game import Over
from oddsmith.games.destiny import (
    DEFAULT,
    DRAW,
    GAME,
    Character,
    Rules,
    Side,
    character_bonuses,
    npc,
    score_with,
)
from oddsmith.games.destiny.model import Attempt, Hand, Resolved
from oddsmith.games.destiny.odds import contest_odds, degree_odds, hand_odds, totals
from oddsmith.games.destiny.ranks import classify
from oddsmith.points import Points
from tests.games.destiny.builders import act, character_with, contest_of, draw, run
from tests.games.destiny.referee import totals_by_icepool


@pytest.mark.sweep
@pytest.mark.parametrize(
    "character",
    [
        Character(),
        Character(skills={"lockpicking": 50, "stealth": 40}),
        Character(skills={"horse_riding": 35, "charisma": 20}),
    ],
    ids=["nobody", "one suit", "three suits"],
)
def test_12_1_icepool_gives_the_same_totals(character: Character) -> None:
    """Every total of the whole deck, with its number of hands."""
    counted = totals_by_icepool(character)

    assert {Points.of_hundredths(total): ways for total, ways in counted.items()} == dict(
        totals(character_bonuses(character)).items()
    )
    assert 2_598_960 == counted.denominator()


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("attacker", "defender"),
    [
        (Character(skills={"lockpicking": 50, "stealth": 40}), Character(skills={"gun_fighting": 60})),
        (Character(skills={"medicine": 45, "mining": 30}), npc("rookie")),
    ],
    ids=["thief against gunman", "doctor against rookie"],
)
def test_8_1_icepool_gives_the_same_chance_to_win(attacker: Character, defender: Character) -> None:
    """Over all pairs of hands of the whole deck; by skills alone the totals imply the same-hand rule."""
    attack, defense = totals_by_icepool(attacker), totals_by_icepool(defender)
    counted = contest_odds(character_bonuses(attacker), character_bonuses(defender))
    generous = contest_odds(
        character_bonuses(attacker), character_bonuses(defender), Rules(tie_favors_defender=False)
    )

    assert (attack > defense).probability(True) == counted.chance(Side.ATTACKER)
    assert (attack >= defense).probability(True) == generous.chance(Side.ATTACKER)


DRAWS: Final = 8_000


@cache
def drawn_hands() -> tuple[Hand, ...]:
    luck = Seeded("hands")
    return tuple(DRAW.sample(luck) for _ in range(DRAWS))


def standard_errors(seen: int, chance: Fraction, draws: int = DRAWS) -> float:
    """Return the deviation of a count in standard errors."""
    expected = float(draws * chance)
    return abs(seen - expected) / max(sqrt(expected * float(1 - chance)), 1e-9)


def test_1_1_draws_have_the_frequencies_of_hands() -> None:
    """Of 8,000 seeded draws, each rank is within 4.5 standard errors of its frequency."""
    seen = Counter(classify(hand).rank for hand in drawn_hands())

    assert all(standard_errors(seen[rank], hand_odds().probability(rank)) < 4.5 for rank in hand_odds())


def test_7_2_crimes_have_their_exact_chances() -> None:
    """4,000 burglaries by the same outlaw: each degree within 4.5 standard errors."""
    luck = Seeded("burglary")
    state = act(run("calamity_rose"), Attempt("burglary")).state
    outlaw = DEFAULT.outlaws["calamity_rose"]
    exact = degree_odds(character_bonuses(outlaw), Points(150))
    crimes = 4_000
    seen: Counter[str] = Counter()
    for _ in range(crimes):
        resolved = draw(state, DRAW.sample(luck)).events[1]
        assert isinstance(resolved, Resolved)
        seen[resolved.degree] += 1

    assert crimes == sum(seen.values())
    assert all(standard_errors(seen[degree], exact.probability(degree), crimes) < 4.5 for degree in exact)


def test_8_6_contests_have_their_exact_chance() -> None:
    """Of 1,500 contests, the attacker wins within 4.5 standard errors."""
    luck = Seeded("contest")
    state = contest_of("iron_jack", "doc_silas")
    attacker, defender = (character_bonuses(DEFAULT.outlaws[name]) for name in ("iron_jack", "doc_silas"))
    won, contests = 0, 1_500
    for _ in range(contests):
        over = GAME.turn(draw(draw(state, DRAW.sample(luck)).state, DRAW.sample(luck)).state)
        assert isinstance(over, Over)
        won += over.outcome.winners == (0,)

    assert standard_errors(won, contest_odds(attacker, defender).chance(Side.ATTACKER), contests) < 4.5


def test_12_1_the_mean_total_agrees_with_draws() -> None:
    """8,000 draws of a character with all kinds of bonuses average the exact mean within 4.5 standard errors."""
    character = character_with(spades="12.34", hearts=-3, clubs="7.5", diamonds="-0.01")
    bonuses = character_bonuses(character)
    exact = totals(bonuses)
    average = sum(float(score_with(hand, bonuses).total) for hand in drawn_hands()) / DRAWS

    assert abs(average - float(exact.mean)) < 4.5 * sqrt(float(exact.variance) / DRAWS)
