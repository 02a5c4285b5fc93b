"""§8.2: what positions and splits are worth to one who plays perfectly."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from oddsmith import disk_cache
from oddsmith.cards import cards
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.duel.model import Result
from oddsmith.games.duel.odds import Objective, solve, solve_reply
from oddsmith.games.duel.rules import Fighter, House, Rules
from tests.games.duel.oracle import Oracle
from tests.games.duel.pocket import pocket

EXAMPLE = cards("10♠ 7♥ 5♣ A♦ 3♠")

PAYOFFS: dict[Objective, Callable[[Result], int]] = {
    Objective.WIN: lambda result: int(result.winner == 0),
    Objective.GOLD: lambda result: result.gold,
    Objective.EXPERIENCE: lambda result: result.experience,
    Objective.SCORE: lambda result: result.score,
}


@pytest.mark.parametrize(
    ("objective", "changes"),
    [
        (Objective.WIN, {"difficulty": 4}),
        (Objective.WIN, {"difficulty": 1, "timeout_tie": "opponent"}),
        (Objective.WIN, {"difficulty": 3, "opponent_visible": False}),
        (Objective.WIN, {"difficulty": 1, "opponent_visible": False, "double_ko": "draw"}),
        (Objective.WIN, {"difficulty": 2, "player": Fighter(weapon=-2, armor=1), "empty_side": "nothing"}),
        (Objective.GOLD, {"difficulty": 4}),
        (Objective.GOLD, {"difficulty": 2, "opponent_visible": False}),
        (Objective.GOLD, {"difficulty": 3, "timeout_rewards": "0.5", "double_ko": "opponent"}),
        (Objective.EXPERIENCE, {"difficulty": 4, "relevant_suit": "none"}),
        (Objective.SCORE, {"difficulty": 3}),
    ],
)
def test_8_2_values_are_those_of_brute_force_in_fractions(
    objective: Objective, changes: dict[str, Any]
) -> None:
    """Every position of a small duel is worth what all hands, splits and house moves say, within the bound."""
    rules = pocket(**changes)
    by_suit = objective is Objective.GOLD
    exact, solved = Oracle(rules, PAYOFFS[objective], by_suit=by_suit), solve(rules, objective)
    positions = [
        (hp, opponent_hp, number)
        for number in range(1, rules.rounds + 1)
        for hp in range(1, rules.player_hp + 1)
        for opponent_hp in range(1, rules.opponent_hp + 1)
    ]

    off = [
        position
        for position in positions
        if abs(solved.value(*position) - exact.value(*position)) > solved.error
    ]

    assert [] == off
    assert solved.error < 1e-9


def test_8_2_waiting_for_a_better_suit_can_pay() -> None:
    """For gold a weaker opponent may be worth less: it cannot be spared until the hand has the right suit."""
    solved = solve(pocket(difficulty=1, player=Fighter(armor=20), flee_rounds=0), Objective.GOLD)

    assert solved.value(4, 6, 1) > solved.value(4, 1, 1)


def test_8_2_fleeing_is_taken_where_it_is_worth_more() -> None:
    """A score of 10 for fleeing is better than a duel that cannot be won, while one may flee."""
    hopeless = pocket(difficulty=4, house=House(hp=900, weapon_per_difficulty=10, attack_cards=((5,),) * 4))
    solved = solve(hopeless, Objective.SCORE)

    assert [10.0, 10.0, 0.0] == pytest.approx([solved.value(number=number) for number in (1, 2, 3)])
    assert [10.0, 10.0, float("-inf")] == [solved.flight_value(number) for number in (1, 2, 3)]


def test_8_2_a_split_is_worth_what_it_leads_to() -> None:
    """Against 25 and 10 the worked split deals 32, takes 5, and is worth the position that it leaves."""
    rules = Rules(player=Fighter(weapon=5, armor=3, skill=30), rounds=1)
    solved = solve(rules, Objective.SCORE)
    worked = next(
        split
        for split in solved.splits(EXAMPLE, shown=(25, 10))
        if split.defends == (False, False, True, False, True)
    )

    assert [42, 20, 32, 5] == [worked.attack.total, worked.defense.total, worked.dealt, worked.taken]
    assert solved.value_after(95, 48, 1, relevant=1) == worked.value == 167.0


def test_8_2_splits_are_ranked_and_complete() -> None:
    """There are 32 splits, best first, and the best of all hands against all the house may do make the value."""
    solved = solve(pocket(difficulty=4))
    splits = solved.splits(EXAMPLE, shown=(6, 1))

    assert 32 == len({split.defends for split in splits})
    assert sorted((split.value for split in splits), reverse=True) == [split.value for split in splits]


def test_8_2_a_hidden_split_is_worth_its_mean() -> None:
    """Where the opponent is hidden, dealt and taken are exact means over what it may do."""
    rules = pocket(difficulty=4, opponent_visible=False, rounds=1)
    solved = solve(rules)
    attacks = {int(attack): int(ways) for attack, _, ways in solved.exchange}
    total = sum(attacks.values())
    all_attack = next(split for split in solved.splits(EXAMPLE) if not any(split.defends))

    assert Fraction(sum(attack * ways for attack, ways in attacks.items()), total) == all_attack.taken
    assert 2598960 == total


def test_8_2_the_deck_does_not_matter_to_what_is_solved() -> None:
    """Values are those of fresh decks: solving again for depleting ones finds the same table."""
    fresh, depleting = solve(pocket(deck="fresh")), solve(pocket(deck="depleting"))

    assert (fresh.values[:, 1:, 1:] == depleting.values[:, 1:, 1:]).all()


def test_8_2_a_solution_is_kept_and_taken_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was solved is not solved again; without it in the disk cache the same values are found anew."""
    rules = pocket(difficulty=2, player=Fighter(weapon=1))
    first = solve(rules)
    told: list[float] = []
    again = solve(rules, progress=told.append)
    monkeypatch.setattr(disk_cache, "load", lambda name, header=None: {"broken": first.values})  # noqa: ARG005  as the disk cache does
    anew = solve(rules, progress=told.append)

    assert first.value() == again.value() == anew.value()
    assert told
    assert 1.0 == told[-1]


def test_8_2_interrupted_work_leaves_nothing_behind() -> None:
    """Ctrl-C while solving keeps no half table: the next call solves from the start."""
    rules = pocket(difficulty=2, player=Fighter(weapon=2))

    def interrupt(share: float) -> None:  # noqa: ARG001  pressed at once
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(rules, progress=interrupt)
    solved = solve(rules)

    assert abs(Oracle(rules, PAYOFFS[Objective.WIN]).value(4, 6, 1) - solved.value()) <= solved.error


@pytest.mark.parametrize(
    ("position", "code"), [((0, 6, 1), "no_position"), ((4, 7, 1), "no_position"), ((4, 6, 4), "no_position")]
)
def test_8_2_what_is_no_position_is_refused(position: tuple[int, int, int], code: str) -> None:
    """Hit points and rounds that a duel cannot have are refused with what it can."""
    with pytest.raises(InputError, match="4 and 1 to 6, rounds 1 to 3") as refused:
        solve(pocket()).value(*position)

    assert code == refused.value.refusal.code


def test_8_2_a_hand_that_is_none_is_refused() -> None:
    """Splits are those of five different cards."""
    solved = solve(pocket())

    with pytest.raises(InputError, match="a hand has 5 cards, not 4"):
        solved.splits(EXAMPLE[:4], shown=(1, 1))
    with pytest.raises(InputError, match="more often than the deck holds it"):
        solved.splits(EXAMPLE[:1] * 5, shown=(1, 1))


def test_8_2_too_many_positions_are_refused() -> None:
    """Work is bounded: a duel of ten million positions and more is not begun."""
    with pytest.raises(WorkLimitError, match="positions that are solved"):
        solve(Rules(player_hp=1000, rounds=100, house=House(hp=1000)))


def test_8_1_the_best_reply_to_a_random_rival_counts_draws_as_half() -> None:
    """Two bare fighters who die in one exchange draw: both are worth a half, from either seat."""
    rules = Rules(player_hp=1, rounds=2)

    assert 0.5 == pytest.approx(solve_reply(rules).value(), abs=1e-11)
    assert 0.5 == pytest.approx(solve_reply(rules, seat=1).value(), abs=1e-11)
    assert 0.0 == solve_reply(rules).flight_value(1)


def test_8_1_a_reply_speaks_from_its_own_side() -> None:
    """Seat 1 fights with the rival's gear: the better armed of two is worth more."""
    rules = pocket(rival=Fighter(weapon=3, armor=3))
    strong, weak = solve_reply(rules, seat=1), solve_reply(rules, seat=0)
    mirrored = solve_reply(rules.replace(player=rules.rival, rival=rules.player))

    assert strong.value() > 0.5 > weak.value()
    assert mirrored.value() == strong.value()
    assert strong.value_after(3, 0, 1, relevant=0) == 1.0
