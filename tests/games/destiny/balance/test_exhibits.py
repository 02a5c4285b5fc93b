"""What the Destiny Deck shows is computed from its rules, and not assumed."""

from fractions import Fraction
from functools import cache
from typing import TypeVar

import msgspec

from oddsmith.exhibit import Effect, Example, Exhibit, Ladder, Offers, Outcome, Payoffs, PrintedTable, Sets
from oddsmith.games.destiny import DEFAULT, Character, Item, Rules
from oddsmith.games.destiny.exhibits import EXHIBITS
from oddsmith.games.destiny.rules import Run
from oddsmith.points import Points
from oddsmith.poker import HandRank

E = TypeVar("E", bound=msgspec.Struct)


@cache
def exhibits(rules: Rules) -> list[Exhibit]:
    """Return all that the rules show; several promises look at the same."""
    return [exhibit for group in EXHIBITS for exhibit in group.exhibits(rules)]


def shown(kind: type[E], rules: Rules = DEFAULT) -> list[E]:
    """Return the exhibits of a kind."""
    return [exhibit for exhibit in exhibits(rules) if isinstance(exhibit, kind)]


def test_2_the_ladder_has_every_rank_from_its_worst_hand_to_its_best() -> None:
    """High cards reach 16 to 39 and pairs 34 to 44, with real hands to prove it."""
    (ladder,) = shown(Ladder)
    ends = {
        rung.name: (int(rung.worst.worth), int(rung.best.worth))
        for rung in ladder.rungs
        if rung.worst is not None and rung.best is not None
    }
    high_card, pair = ladder.rungs[-1], ladder.rungs[-2]

    assert {
        "royal flush": (500, 500),
        "straight flush": (400, 400),
        "four of a kind": (302, 314),
        "full house": (225, 225),
        "flush": (175, 175),
        "straight": (150, 150),
        "three of a kind": (103, 114),
        "two pair": (62, 74),
        "pair": (34, 44),
        "high card": (16, 39),
    } == ends
    assert Fraction(1_302_540, 2_598_960) == high_card.chance
    assert "A♥ K♠ Q♠ 3♠ 2♠" == high_card.best.text if high_card.best else ""
    assert "5♠ 5♥ 4♠ 3♠ 2♠" == pair.worst.text if pair.worst else ""


def test_2_3_aces_with_a_king_and_twos_with_an_ace() -> None:
    """Of each hand with a set, the best one with aces and the best one with twos: the kicker alone counts."""
    sets = {one.category: one for one in shown(Sets)}
    pair, two_pair = sets["pair"], sets["two pair"]

    assert ["four of a kind", "full house", "three of a kind", "two pair", "pair"] == [*sets]
    assert Example(text="A♠ A♥ K♠ 3♠ 2♠", worth=Fraction(43)) == pair.better
    assert Example(text="2♠ 2♥ A♠ 4♠ 3♠", worth=Fraction(44)) == pair.worse
    assert Example(text="A♠ A♥ K♠ K♥ Q♠", worth=Fraction(72)) == two_pair.better
    assert Example(text="3♠ 3♥ 2♠ 2♥ A♠", worth=Fraction(74)) == two_pair.worse
    assert sets["full house"].better.worth == sets["full house"].worse.worth == 225


def test_4_the_printed_table_stands_beside_what_the_formula_gives() -> None:
    """Level 1 agrees, and 17 rows do not."""
    (table,) = shown(PrintedTable)
    wrong = [int(row.at) for row in table.rows if row.printed != row.computed]

    assert [5, 10, 15, 20, 25, 26, 30, 35, 40, 45, 50, 51, 60, 70, 80, 90, 100] == wrong
    assert (Fraction("121.93"), Fraction("82.09")) == (table.rows[-1].printed, table.rows[-1].computed)
    assert not table.in_force


def test_4_a_row_beyond_the_last_level_has_no_formula() -> None:
    """What no skill can reach is computed by nothing."""
    (table,) = shown(
        PrintedTable, Rules(max_level=60, npcs={"rookie": 10}, outlaws={"greenhorn": Character()})
    )

    assert [row.at for row in table.rows if row.computed is None] == [70, 80, 90, 100]


def test_7_every_check_and_degree_has_its_least_and_its_most() -> None:
    """Seven crimes and six skill checks, each met or not, to each of four degrees."""
    outcomes = {one.about: one for one in shown(Outcome)}
    robbery = outcomes["bank robbery, met"]
    trivial = outcomes["trivial, critical failure"]

    assert (7 + 6) * 5 == len(outcomes)
    assert (Fraction(83, 324870), Fraction(1)) == (robbery.least, robbery.most)
    assert "the weakest character: poisoned" == robbery.least_for
    assert robbery.most_for.startswith("the strongest character: every skill at 100")
    assert "skill_checks.trivial" == trivial.where
    assert 0 == trivial.least == trivial.most


def test_7_2_a_degree_between_is_reached_by_somebody_between() -> None:
    """Whom nobody of the roster resembles: a plain success at 1,200 is for the well trained, not for the strongest."""
    rules = Rules(skill_checks={"heroic": Points(1200)}, crimes={})
    outcomes = {one.about: one for one in shown(Outcome, rules)}
    success, failure = outcomes["heroic, success"], outcomes["heroic, failure"]

    assert 5 == len(outcomes)
    assert "every skill at" in success.most_for
    assert min(success.most, failure.most) > Fraction(1, 10)


def test_5_every_thing_place_and_effect_is_felt() -> None:
    """All that the rules have changes what somebody draws; what adds nothing does not."""
    effects = {one.where: one for one in shown(Effect)}
    idle = Rules(items={**DEFAULT.items, "pebble": Item()})
    pebble = {one.where: one for one in shown(Effect, idle)}["items.pebble"]

    assert 2 + 4 + 2 + 1 == len(effects)
    assert all(one.without != one.having for one in effects.values())
    assert pebble.without == pebble.having
    assert 1 == sum(pebble.having.values())


def test_10_what_each_degree_of_a_crime_pays() -> None:
    """Twice, once, nothing, and half of it lost."""
    rewards = {one.about: one for one in shown(Payoffs)}
    gold = {payoff.name: payoff.pays["gold"] for payoff in rewards["bank robbery"].payoffs}

    assert {
        "critical success": 110,
        "success": 55,
        "failure": 0,
        "critical failure": Fraction("-27.5"),
    } == gold
    assert [0, 1, 2, 3] == [payoff.standing for payoff in rewards["bank robbery"].payoffs]


def test_7_3_crimes_stand_beside_each_other_by_energy_and_gold() -> None:
    """A robbery costs 50 energy, and calamity rose loses gold by it."""
    crimes, _ = shown(Offers)
    robbery = crimes.offers[4]

    assert "bank robbery" == robbery.name
    assert 50 == robbery.price
    assert Fraction(-574541, 39984) == robbery.worths["calamity rose"].value
    assert {0} == {reading.value for reading in crimes.nothing.values()}


def test_11_whiskey_is_worth_less_than_its_price() -> None:
    """It brings copper mae the most, 2.15 gold for 5."""
    _, sales = shown(Offers)
    (whiskey,) = sales.offers
    gains = {who: worth.value + 5 - sales.nothing[who].value for who, worth in whiskey.worths.items()}

    assert "copper mae" == max(gains, key=lambda who: gains[who])
    assert Fraction("2.14") < gains["copper mae"] < Fraction("2.15")


def test_11_nothing_is_shown_of_a_run_that_sells_nothing() -> None:
    """Crimes alone are offered."""
    assert 1 == len(shown(Offers, Rules(run=Run(prices={}))))


def test_2_scores_of_other_rules_are_those_shown() -> None:
    """A pair of 36 is worth 40 at least, more than the best high card."""
    (ladder,) = shown(Ladder, Rules(hand_scores={**DEFAULT.hand_scores, HandRank.PAIR: Points(36)}))
    worst = ladder.rungs[-2].worst

    assert worst is not None
    assert 40 == worst.worth
