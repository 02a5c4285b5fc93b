"""§8.1: computed odds of simple policies."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

import numpy as np
import pytest
from msgspec import structs

from oddsmith.games.duel.classes import hand_kinds, house_exchange, split_powers
from oddsmith.games.duel.policies import POLICIES
from oddsmith.games.duel.policy_odds import compute_policy_odds, round_distribution, round_outcomes
from oddsmith.games.duel.rules import Favor, Fighter, Rules
from oddsmith.games.duel.scoring import house_result
from oddsmith.games.duel.tally import DuelSummary
from oddsmith.odds.distribution import Distribution
from tests.games.duel.pocket import pocket_rules

Trades: TypeAlias = dict[tuple[int, int], list[tuple[int, int]]]


def _choose(name: str, trades: list[tuple[int, int]]) -> list[int]:
    """Return the splits that a policy chooses among, from the damage that they seem to deal and take."""
    match name:
        case "random":
            return list(range(32))
        case "all_attack":
            return [0]
        case "all_defense":
            return [31]
        case _:
            return [
                max(
                    range(32),
                    key=lambda number: (trades[number][0] - trades[number][1], trades[number][0], -number),
                )
            ]


def _sum_trades(seen: Trades, exchange: Distribution[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sum the damage dealt and taken by each split over all house moves."""
    return [
        (
            sum(weight * seen[pair][number][0] for pair, weight in exchange.items()),
            sum(weight * seen[pair][number][1] for pair, weight in exchange.items()),
        )
        for number in range(32)
    ]


def _count_rounds(name: str, rules: Rules) -> tuple[dict[tuple[int, int, int], int], int]:
    """Count the ways by damage dealt, damage taken and relevant cards, hand by hand and split by split."""
    kinds, powers = hand_kinds(), split_powers(rules.player, rules)
    options = np.stack((powers.attack, powers.defense), axis=2)
    rows, kind = np.unique(options, axis=0, return_inverse=True)
    ways = np.zeros((len(rows), 6), dtype=np.int64)
    np.add.at(ways, kind.ravel(), kinds.ways)
    exchange = house_exchange(rules)
    ways_by_trade: dict[tuple[int, int, int], int] = {}

    def trade(option: list[int], pair: tuple[int, int]) -> tuple[int, int]:
        return max(rules.least_dealt, option[0] - pair[1]), max(rules.least_taken, pair[0] - option[1])

    for row, by_suit in zip(rows.tolist(), ways.tolist(), strict=True):
        seen = {pair: [trade(option, pair) for option in row] for pair in exchange}
        means = None if rules.opponent_visible else _sum_trades(seen, exchange)
        for pair, weight in exchange.items():
            chosen = _choose(name, seen[pair] if means is None else means)
            for number, (count, of_suit) in product(chosen, enumerate(by_suit)):
                key = (*seen[pair][number], count)
                ways_by_trade[key] = ways_by_trade.get(key, 0) + weight * of_suit * 32 // len(chosen)
    return {key: ways for key, ways in ways_by_trade.items() if ways}, 32 * 2598960 * exchange.total


def _summarize(name: str, rules: Rules) -> dict[str, Fraction | list[Fraction]]:
    """Follow all hit points through the rounds in whole numbers and return the shares as fractions."""
    ways_by_trade, total = _count_rounds(name, rules)
    mass = {(rules.player_hp, rules.opponent_hp): 1}
    shares = dict.fromkeys(("win", "defeat", "draw", "timeout", "timeout_win", "gold"), Fraction(0))
    ends = []
    for number in range(1, rules.rounds + 1):
        after: Counter[tuple[int, int]] = Counter()
        ended: Counter[tuple[int | None, int, bool]] = Counter()
        for (hp, opponent_hp), share in mass.items():
            for (dealt, taken, relevant), likely in ways_by_trade.items():
                left = max(0, hp - taken), max(0, opponent_hp - dealt)
                result = house_result(*left, number, relevant, rules)
                if result is None:
                    after[left] += share * likely
                else:
                    ended[result.winner, result.gold, all(left)] += share * likely
        for (winner, gold, late), ways in ended.items():
            chance = Fraction(ways, total**number)
            shares[{0: "win", 1: "defeat", None: "draw"}[winner]] += chance
            shares["gold"] += chance * gold
            shares["timeout"] += chance * late
            shares["timeout_win"] += chance * (late and winner == 0)
        ends.append(Fraction(ended.total(), total**number))
        mass = dict(after)
    return {
        **shares,
        "ends": ends,
        "rounds": sum((n * share for n, share in enumerate(ends, 1)), Fraction(0)),
    }


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("random", {"difficulty": 3}),
        ("all_attack", {"difficulty": 1, "double_ko": "draw"}),
        ("all_defense", {"difficulty": 2, "timeout_tie": "draw", "player": Fighter(armor=2)}),
        ("best_trade", {"difficulty": 3}),
        ("best_trade", {"difficulty": 3, "opponent_visible": False}),
        ("best_trade", {"difficulty": 4, "relevant_suit": "none", "timeout_rewards": "0.5"}),
    ],
)
def test_8_1_summaries_agree_with_brute_force(name: str, changes: dict[str, Any]) -> None:
    """Chances, rounds and gold are those of all hands, splits and house moves, within the bound."""
    rules = pocket_rules(**changes)
    expected, found = _summarize(name, rules), compute_policy_odds(POLICIES[name], rules)
    error = {"gold": found.gold_error, "rounds": found.rounds_error}

    for field, exact in expected.items():
        assert exact == pytest.approx(getattr(found, field), abs=error.get(field, found.error)), field
    assert 0.0 == found.flee
    assert found.error < 1e-6


def test_8_1_the_distribution_of_a_round_is_exact() -> None:
    """All weights are whole numbers and add up to the number of cases."""
    ways_by_trade = round_distribution(POLICIES["best_trade"], pocket_rules(difficulty=3))
    expected, total = _count_rounds("best_trade", pocket_rules(difficulty=3))
    found = {
        (int(dealt), int(taken), int(relevant)): Fraction(
            int(ways_by_trade.ways[relevant, dealt, taken]), ways_by_trade.total
        )
        for relevant, dealt, taken in np.argwhere(ways_by_trade.ways)
    }

    assert {key: Fraction(ways, total) for key, ways in expected.items()} == found


@pytest.mark.parametrize("name", ["random", "all_attack", "all_defense"])
def test_8_1_the_distribution_of_a_round_is_the_same_by_fourier_transform_and_by_sums(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a transform could round to a wrong number, ways are summed one by one."""
    rules = Rules(difficulty=4, player=Fighter(weapon=3, armor=1, skill=17))
    by_transform = round_distribution(POLICIES[name], rules)
    monkeypatch.setattr("oddsmith.games.duel.policy_odds.LARGEST_ROUNDING", 0.0)
    added_up = round_distribution(POLICIES[name], rules)

    assert added_up.total == by_transform.total == int(by_transform.ways.sum())
    assert np.array_equal(added_up.ways, by_transform.ways)


def test_8_1_the_distribution_of_a_round_does_not_depend_on_hit_points() -> None:
    """Other hit points and numbers of rounds do not change it, so it is computed once for all of them."""
    rules = pocket_rules(difficulty=2)
    other = rules.replace(
        player_hp=77, rounds=3, house=structs.replace(rules.house, hp=9, hp_per_difficulty=4)
    )
    one, same = (round_distribution(POLICIES["all_attack"], each) for each in (rules, other))

    assert one.total == same.total
    assert np.array_equal(one.ways, same.ways)


def test_8_1_with_the_sources_own_gear_defense_wins_nearly_always() -> None:
    """Weapon 5, armor 3, skill 30 at difficulty 3: all defense wins 99.9 % of duels, a third by timeout."""
    found = compute_policy_odds(POLICIES["all_defense"], Rules.preset("example"))

    assert found.win > 0.999
    assert found.timeout > 0.3


@pytest.mark.parametrize("timeout_tie", ["player", "opponent", "draw"])
@pytest.mark.parametrize("number", [1, 6])
def test_5_3_endings_are_those_of_the_rule_in_every_cell(timeout_tie: str, number: int) -> None:
    """Blocks of equal cells are found from a few cells; every cell has the ending and reward of the rule."""
    rules = pocket_rules(player_hp=23, rounds=6, timeout_tie=Favor(timeout_tie))
    found = round_outcomes(number, rules)
    for hp, opponent_hp in product(range(24), range(rules.opponent_hp + 1)):
        results = [house_result(hp, opponent_hp, number, clubs, rules) for clubs in range(6)]
        winner = None if results[0] is None else (results[0].winner,)
        paid = [result.gold if result is not None and result.winner == 0 else 0 for result in results]

        assert (winner is not None, winner == (0,), winner == (1,)) == tuple(
            bool(of[hp, opponent_hp]) for of in (found.over, found.won, found.lost)
        )
        assert paid == found.gold[:, hp, opponent_hp].tolist()


def test_5_3_before_the_last_round_only_a_knock_out_ends_a_duel() -> None:
    """After the last round every cell is over; before it only those with a knock-out."""
    rules = pocket_rules()
    early, last = round_outcomes(1, rules), round_outcomes(rules.rounds, rules)

    assert rules.player_hp + rules.opponent_hp + 1 == int(early.over.sum())
    assert last.over.all()
    assert bool(early.won[0, 0])
    assert not early.gold[:, 0, 1].any()
    assert DuelSummary.__struct_fields__[0] == "win"
