"""Figures of the Destiny Deck by name, compared with the rules."""

from decimal import Decimal
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from oddsmith import wire
from oddsmith.balance.figures import figures_of, parse_figure, read_figures
from oddsmith.errors import InputError, Refusal
from oddsmith.figure import Basis, Reading
from oddsmith.games.destiny import DEFAULT, Rules, character_bonuses, npc
from oddsmith.games.destiny.figures import FIGURES
from oddsmith.games.destiny.odds import totals
from oddsmith.games.destiny.ranks import STANDARD_RANKS

THIEF = {"skills": {"lockpicking": 50, "stealth": 40}}
KINGS = "K♠ K♦ A♣ 7♥ 3♠"
PRINTED = {"bonuses": {"clubs": "40.40", "spades": "27.28", "hearts": "16.86", "diamonds": "12.22"}}
FIFTY = {"skills": {"gun_fighting": 50}}
SIXTY = {"skills": {"gun_fighting": 60}}
OUTLAWS: dict[str, Any] = wire.from_json(wire.to_json(DEFAULT.outlaws), dict)
GANG = ["copper_mae", "doc_silas"]
LAST_CHECK = {"attacker": "iron_jack", "defender": "doc_silas", "taken": 9, "lead": 100}
RETIRED = {"outlaw": "doc_silas", "lost": 1, "retired": True}

NUMBERS: list[tuple[dict[str, Any], Fraction]] = [
    ({"figure": "check.success", "character": THIEF, "target": "bank_robbery"}, Fraction(1119, 61880)),
    ({"figure": "check.success", "character": THIEF, "target": 275}, Fraction(1119, 61880)),
    ({"figure": "check.success", "character": THIEF, "target": Decimal("275.00")}, Fraction(1119, 61880)),
    (
        {"figure": "check.success", "character": "calamity_rose", "target": "bank_robbery"},
        Fraction(677, 6664),
    ),
    (
        {
            "figure": "check.degree",
            "character": "greenhorn",
            "target": "easy",
            "degree": "critical_failure",
        },
        Fraction(40013, 43316),
    ),
    (
        {"figure": "contest.win", "attacker": "iron_jack", "defender": "elite", "defense_bonus": 15},
        Fraction(4678944541, 67545930816),
    ),
    (
        {"figure": "contest.damage", "attacker": "iron_jack", "defender": "greenhorn"},
        Fraction(627623108557079, 21108103380000),
    ),
    (
        {"figure": "gang.win", "attackers": ["iron_jack", "greenhorn"], "defenders": ["elite"]},
        Fraction(18700522418437, 22391476065504000),
    ),
    ({"figure": "score.mean", "character": "elite"}, Fraction(157133927, 649740)),
    ({"figure": "score.at_least", "character": "greenhorn", "total": 150}, Fraction(19716, 2598960)),
    ({"figure": "needed.threshold", "character": "greenhorn", "success": "1/2"}, Fraction(38)),
    ({"figure": "rank.chance", "rank": "royal_flush"}, Fraction(4, 2598960)),
    ({"figure": "hand.base", "hand": KINGS}, Fraction(44)),
    ({"figure": "hand.suits", "hand": KINGS, "character": PRINTED}, Fraction("124.04")),
    ({"figure": "hand.score", "hand": KINGS, "character": PRINTED}, Fraction("168.04")),
    (
        {"figure": "hand.score", "hand": KINGS, "character": PRINTED, "defense_bonus": 15},
        Fraction("183.04"),
    ),
    (
        {"figure": "hand.margin", "hand": KINGS, "character": PRINTED, "target": "bank_robbery"},
        Fraction("-106.96"),
    ),
    ({"figure": "hand.suit_count", "hand": KINGS, "suit": "spades"}, Fraction(2)),
    ({"figure": "suit.bonus", "character": THIEF, "suit": "spades"}, Fraction("72.43")),
    ({"figure": "skill.bonus", "level": 50}, Fraction("40.37")),
    ({"figure": "skill.bonus", "level": 50, "curve": "table"}, Fraction("45.49")),
    ({"figure": "npc.bonus", "tier": "legendary"}, Fraction("57.02")),
    (
        {"figure": "crime.gold", "character": "calamity_rose", "crime": "bank_robbery"},
        Fraction(-289949, 19110),
    ),
    (
        {"figure": "action.success", "outlaw": "iron_jack", "action": "check hard"},
        Fraction(214861, 2598960),
    ),
    ({"figure": "action.gold", "outlaw": "iron_jack", "action": "check hard"}, Fraction(137035, 129948)),
    (
        {"figure": "action.experience", "outlaw": "iron_jack", "action": "check hard"},
        8 * Fraction(137035, 129948),
    ),
    (
        {"figure": "action.energy", "outlaw": "iron_jack", "action": "raid veteran", "gang": GANG},
        Fraction(30),
    ),
    (
        {"figure": "action.gold_per_energy", "outlaw": "iron_jack", "action": "check hard"},
        Fraction(137035, 129948) / 50,
    ),
    ({"figure": "match.win", "check": "hard", **LAST_CHECK}, Fraction(1427, 12376)),
    (
        {"figure": "gauntlet.win", "seats": [{"outlaw": "iron_jack"}, RETIRED]},
        Fraction(354642766424401142993859062682305761, 356684165671491679860490788864000000),
    ),
    (
        {"figure": "gauntlet.points", "seats": [{"outlaw": "iron_jack", "beaten": 4, "lost": 2}]},
        Fraction(97338202127, 1655537520),
    ),
]
NAMES: list[tuple[dict[str, Any], str]] = [
    ({"figure": "hand.rank", "hand": "A♠ K♠ Q♣ J♥ 10♦"}, "straight"),
    ({"figure": "hand.rank", "hand": ["K♠", "K♦", "A♣", "7♥", "3♠"]}, "pair"),
    ({"figure": "hand.degree", "hand": KINGS, "target": 44}, "success"),
    ({"figure": "hand.degree", "hand": KINGS, "target": "94.01"}, "critical_failure"),
    (
        {
            "figure": "hands.winner",
            "attacker": "greenhorn",
            "defender": "greenhorn",
            "attacker_hand": KINGS,
            "defender_hand": "A♠ A♦ K♣ 7♥ 3♠",
        },
        "attacker",
    ),
]


def _figure_id(fields: object) -> str:
    return fields["figure"] if isinstance(fields, dict) else ""


@pytest.mark.parametrize(("fields", "expected"), NUMBERS, ids=_figure_id)
def test_a_figure_is_exact(fields: dict[str, Any], expected: Fraction) -> None:
    """A fraction of counts, or points, without an error."""
    assert Reading(expected) == parse_figure("destiny", fields).read(DEFAULT)


@pytest.mark.parametrize(("fields", "expected"), NAMES, ids=_figure_id)
def test_a_figure_may_be_a_name(fields: dict[str, Any], expected: str) -> None:
    """The rank of a hand, the degree of a check, the winner."""
    assert expected == parse_figure("destiny", fields).read(DEFAULT).name


def test_every_figure_has_a_test() -> None:
    """A literal in this module or a test of its own."""
    tested = {given["figure"] for given, _ in [*NUMBERS, *NAMES]}

    assert {*figures_of("destiny")} - {"score.deviation", "rank.wins"} == tested
    assert len(FIGURES) == len(figures_of("destiny"))


def test_a_deviation_has_a_bound() -> None:
    """The root is irrational; two fractions a millionth apart enclose it."""
    reading = parse_figure("destiny", {"figure": "score.deviation", "character": "elite"}).read(DEFAULT)
    variance = totals(character_bonuses(npc("elite"))).variance

    assert Basis.BOUNDED is reading.basis
    assert reading.low**2 <= variance < reading.high**2
    assert Fraction(1, 2_000_000) == reading.error
    assert pytest.approx(sqrt(variance)) == float(reading.value)


def test_wins_by_rank_add_up_to_all_wins() -> None:
    """The chance of each rank times its chance to win adds up to the chance to win."""
    sides = {"attacker": "iron_jack", "defender": "elite", "defense_bonus": 15}
    by_rank = sum(
        parse_figure("destiny", {"figure": "rank.chance", "rank": rank}).read(DEFAULT).value
        * parse_figure("destiny", {"figure": "rank.wins", "rank": rank, **sides}).read(DEFAULT).value
        for rank in STANDARD_RANKS
    )

    assert parse_figure("destiny", {"figure": "contest.win", **sides}).read(DEFAULT).value == by_rank


def test_11_7_the_success_of_a_challenge_is_that_of_the_contest() -> None:
    sides = {"attacker": "copper_mae", "defender": "veteran"}
    challenge = {"figure": "action.success", "outlaw": "copper_mae", "action": "challenge veteran"}

    assert read_number({"figure": "contest.win", **sides}) == read_number(challenge)


def test_11_9_the_success_of_a_raid_is_that_of_the_gang_war() -> None:
    """All members are where the outlaw is."""
    gang = ["iron_jack", *({**OUTLAWS[name], "location": "sangre_canyon"} for name in GANG)]
    war = {"figure": "gang.win", "attackers": gang, "defenders": ["veteran"] * 3}
    raid = {"figure": "action.success", "outlaw": "iron_jack", "action": "raid veteran", "gang": GANG}

    assert read_number(war) == read_number(raid)


def test_8_13_a_last_life_risks_half_of_115_points_for_70_more() -> None:
    chance = read_number({"figure": "contest.win", "attacker": "iron_jack", "defender": "legendary"})
    points = {"figure": "gauntlet.points", "seats": [{"outlaw": "iron_jack", "beaten": 4, "lost": 2}]}

    assert Fraction("57.5") + chance * Fraction("127.5") == read_number(points)


def test_8_13_who_beats_the_rookie_in_three_lives_wins_and_else_shares() -> None:
    """Against a seat that retired without points."""
    lose = 1 - read_number({"figure": "contest.win", "attacker": "iron_jack", "defender": "rookie"})
    win = {"figure": "gauntlet.win", "seats": [{"outlaw": "iron_jack"}, RETIRED]}

    assert 1 - lose**3 / 2 == read_number(win)


def test_12_9_the_last_check_wins_where_it_succeeds() -> None:
    """A lead of 100 is turned by the 250 points of a hard check, taken by the second seat."""
    success = {"figure": "check.success", "character": "doc_silas", "target": "hard"}

    assert read_number(success) == read_number({"figure": "match.win", "check": "hard", **LAST_CHECK})


@pytest.mark.parametrize("place", ["frontera", "red_gulch"])
def test_11_2_an_action_is_valued_where_the_outlaw_is(place: str) -> None:
    crime = {"figure": "action.gold", "outlaw": "greenhorn", "action": "attempt burglary", "place": place}
    there = {"figure": "crime.gold", "character": {"location": place}, "crime": "burglary"}

    assert read_number(there) == read_number(crime)


@pytest.mark.parametrize("rules", [DEFAULT, Rules(royal_flush_auto_win=True)], ids=["default", "royal"])
def test_many_figures_are_those_of_one_by_one(rules: Rules) -> None:
    """Contests, checks and degrees in bulk have the same values in the same order."""
    fields: list[dict[str, Any]] = [
        {"figure": "contest.win", "attacker": FIFTY, "defender": SIXTY},
        {"figure": "check.success", "character": FIFTY, "target": "easy"},
        {"figure": "check.degree", "character": FIFTY, "target": "easy", "degree": "failure"},
        {"figure": "contest.win", "attacker": SIXTY, "defender": "iron_jack", "defense_bonus": "7.5"},
        {"figure": "check.success", "character": "iron_jack", "target": 90},
        {"figure": "check.degree", "character": "greenhorn", "target": 90, "degree": "critical_success"},
    ]
    figures = [parse_figure("destiny", given) for given in fields]
    expected = [figure.read(rules) for figure in figures]

    assert expected == read_figures(figures, rules)


def read_number(fields: dict[str, Any]) -> Fraction:
    """Return the value of a figure under the default rules."""
    return parse_figure("destiny", fields).read(DEFAULT).value


def _figure_refusal(given: dict[str, Any]) -> Refusal:
    with pytest.raises(InputError) as caught:
        parse_figure("destiny", given).read(DEFAULT)
    return caught.value.refusal


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"figure": "hand.rank", "hand": "A♠ K♠"}, "hand_size"),
        ({"figure": "hand.rank", "hand": "A♠ A♠ K♠ Q♠ J♠"}, "card_too_often"),
        ({"figure": "hand.score", "hand": "nonsense"}, "unknown_card"),
        (
            {
                "figure": "hands.winner",
                "attacker": "greenhorn",
                "defender": "greenhorn",
                "attacker_hand": KINGS,
                "defender_hand": "2♠",
            },
            "hand_size",
        ),
        ({"figure": "check.success", "character": "nobody", "target": 1}, "unknown_name"),
        ({"figure": "check.success", "character": "greenhorn", "target": "heist"}, "unknown_target"),
        ({"figure": "crime.gold", "character": "greenhorn", "crime": "heist"}, "unknown_crime"),
        ({"figure": "npc.bonus", "tier": "king"}, "unknown_npc"),
        ({"figure": "skill.bonus", "level": 101}, "level_out_of_range"),
        ({"figure": "needed.threshold", "character": "greenhorn", "success": 2}, "bad_chance"),
        ({"figure": "action.gold", "outlaw": "jack", "action": "rest"}, "unknown_outlaw"),
        ({"figure": "action.gold", "outlaw": "iron_jack", "action": "raid elite"}, "gang_too_small"),
        ({"figure": "action.gold", "outlaw": "iron_jack", "action": "dance"}, "bad_move"),
        ({"figure": "action.success", "outlaw": "iron_jack", "action": "rest"}, "no_number"),
        ({"figure": "gauntlet.win", "seats": [{"outlaw": "iron_jack"}]}, "not_solved"),
    ],
)
def test_invalid_arguments_are_refused(given: dict[str, Any], code: str) -> None:
    """An impossible hand, an unknown name, a level or a chance out of range."""
    assert code == _figure_refusal(given).code


def test_without_a_highest_threshold_where_royal_flushes_always_win() -> None:
    """The chance of royal flushes alone is reached at every threshold."""
    figure = parse_figure(
        "destiny", {"figure": "needed.threshold", "character": "greenhorn", "success": "1/2598960"}
    )
    with pytest.raises(InputError) as caught:
        figure.read(Rules(royal_flush_auto_win=True))

    assert "no_threshold" == caught.value.refusal.code
    assert "every threshold is met 1/2598960 of the time" == caught.value.refusal.sentence
