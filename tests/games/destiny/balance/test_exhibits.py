"""Exhibits of the Destiny Deck are computed from its rules."""

from fractions import Fraction
from functools import cache
from typing import TypeVar

import msgspec

from oddsmith.exhibit import Effect, Example, Exhibit, Ladder, Offers, Outcome, Payoffs, PrintedTable, Sets
from oddsmith.games.destiny import DEFAULT, Character, Item, Rules, Run
from oddsmith.games.destiny.exhibits import EXHIBITS
from oddsmith.games.destiny.match_exhibits import MATCH_EXHIBITS
from oddsmith.games.destiny.ranks import HandRank
from oddsmith.games.destiny.run_exhibits import RUN_EXHIBITS
from oddsmith.points import Points

GROUPS = [group for group in EXHIBITS if group not in (*RUN_EXHIBITS, *MATCH_EXHIBITS)]
E = TypeVar("E", bound=msgspec.Struct)


@cache
def all_exhibits(rules: Rules) -> list[Exhibit]:
    """Return the exhibits of the rules, those of runs and matches left out; cached for several tests."""
    return [exhibit for group in GROUPS for exhibit in group.exhibits(rules)]


def exhibits_of(kind: type[E], rules: Rules = DEFAULT) -> list[E]:
    """Return the exhibits of one type."""
    return [exhibit for exhibit in all_exhibits(rules) if isinstance(exhibit, kind)]


def offers_about(about: str, rules: Rules = DEFAULT) -> Offers:
    """Return the offers with this subject."""
    return next(one for one in exhibits_of(Offers, rules) if one.about == about)


def test_2_the_ladder_has_every_rank_from_its_worst_hand_to_its_best() -> None:
    """High cards have 16 to 39 and pairs 34 to 44, each with an example hand."""
    (ladder,) = exhibits_of(Ladder)
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
    """Of each hand with a set, the best with aces and the best with twos: only the kicker counts."""
    sets = {one.category: one for one in exhibits_of(Sets)}
    pair, two_pair = sets["pair"], sets["two pair"]

    assert ["four of a kind", "full house", "three of a kind", "two pair", "pair"] == [*sets]
    assert Example(text="A♠ A♥ K♠ 3♠ 2♠", worth=Fraction(43)) == pair.better
    assert Example(text="2♠ 2♥ A♠ 4♠ 3♠", worth=Fraction(44)) == pair.worse
    assert Example(text="A♠ A♥ K♠ K♥ Q♠", worth=Fraction(72)) == two_pair.better
    assert Example(text="3♠ 3♥ 2♠ 2♥ A♠", worth=Fraction(74)) == two_pair.worse
    assert sets["full house"].better.worth == sets["full house"].worse.worth == 225


def test_4_the_printed_table_is_compared_with_the_formula() -> None:
    """Level 1 agrees, and 17 rows do not."""
    (table,) = exhibits_of(PrintedTable)
    wrong = [int(row.at) for row in table.rows if row.printed != row.computed]

    assert [5, 10, 15, 20, 25, 26, 30, 35, 40, 45, 50, 51, 60, 70, 80, 90, 100] == wrong
    assert (Fraction("121.93"), Fraction("82.09")) == (table.rows[-1].printed, table.rows[-1].computed)
    assert not table.in_force


def test_4_a_row_beyond_the_last_level_has_no_formula() -> None:
    (table,) = exhibits_of(
        PrintedTable, Rules(max_level=60, npcs={"rookie": 10}, outlaws={"greenhorn": Character()})
    )

    assert [row.at for row in table.rows if row.computed is None] == [70, 80, 90, 100]


def test_7_every_check_and_degree_has_its_least_and_greatest_chance() -> None:
    """Seven crimes and six skill checks, met or not, and each of four degrees."""
    outcomes = {one.about: one for one in exhibits_of(Outcome)}
    robbery = outcomes["bank robbery, met"]
    trivial = outcomes["trivial, critical failure"]

    assert (7 + 6) * 5 == len(outcomes)
    assert (Fraction(83, 324870), Fraction(1)) == (robbery.least, robbery.most)
    assert "the weakest character: poisoned" == robbery.least_for
    assert robbery.most_for.startswith("the strongest character: every skill at 100")
    assert "skill_checks.trivial" == trivial.where
    assert 0 == trivial.least == trivial.most


def test_7_2_a_middle_degree_is_reached_by_a_middling_character() -> None:
    """No outlaw of the roster does: a plain success at 1,200 needs a trained character, not the strongest."""
    rules = Rules(skill_checks={"heroic": Points(1200)}, crimes={})
    outcomes = {one.about: one for one in exhibits_of(Outcome, rules)}
    success, failure = outcomes["heroic, success"], outcomes["heroic, failure"]

    assert "every skill at" in success.most_for
    assert min(success.most, failure.most) > Fraction(1, 10)


def test_5_every_item_place_and_buff_has_an_effect() -> None:
    """Each changes the draws of some character; one that adds nothing is found."""
    effects = {one.where: one for one in exhibits_of(Effect)}
    idle = Rules(items={**DEFAULT.items, "pebble": Item()})
    pebble = {one.where: one for one in exhibits_of(Effect, idle)}["items.pebble"]

    assert 2 + 4 + 2 + 1 == len(effects)
    assert all(one.without != one.having for one in effects.values())
    assert pebble.without == pebble.having
    assert 1 == sum(pebble.having.values())


def test_10_pay_of_each_degree_of_a_crime() -> None:
    """Twice, once, a tenth and half of it lost."""
    rewards = {one.about: one for one in exhibits_of(Payoffs)}
    gold = {payoff.name: payoff.pays["gold"] for payoff in rewards["bank robbery"].payoffs}

    assert {
        "critical success": 110,
        "success": 55,
        "failure": Fraction("-5.5"),
        "critical failure": Fraction("-27.5"),
    } == gold
    assert [0, 1, 2, 3] == [payoff.standing for payoff in rewards["bank robbery"].payoffs]


def test_7_3_crimes_are_compared_by_energy_and_gold() -> None:
    """A robbery costs 50 energy, and calamity rose loses gold with it."""
    crimes = offers_about("crimes, for their energy")
    robbery = crimes.offers[4]

    assert "bank robbery" == robbery.name
    assert 50 == robbery.price
    assert Fraction(-289949, 19110) == robbery.worths["calamity rose"].value
    assert {0} == {reading.value for reading in crimes.nothing.values()}


def test_11_whiskey_gains_less_than_its_price() -> None:
    """Copper mae gains the most, 2.06 gold for 5."""
    sales = offers_about("what a run sells, by the gold of each crime while it lasts, its price paid")
    (whiskey,) = sales.offers
    gains = {who: worth.value + 5 - sales.nothing[who].value for who, worth in whiskey.worths.items()}

    assert "copper mae" == max(gains, key=lambda who: gains[who])
    assert Fraction("2.05") < gains["copper mae"] < Fraction("2.06")


def test_11_without_prices_nothing_is_sold() -> None:
    about = {one.about for one in exhibits_of(Offers, Rules(run=Run(prices={})))}

    assert not any("sells" in one for one in about)


def test_2_scores_are_those_of_the_given_rules() -> None:
    """A pair of 36 scores at least 40, more than the best high card."""
    (ladder,) = exhibits_of(Ladder, Rules(hand_scores={**DEFAULT.hand_scores, HandRank.PAIR: Points(36)}))
    worst = ladder.rungs[-2].worst

    assert worst is not None
    assert 40 == worst.worth
