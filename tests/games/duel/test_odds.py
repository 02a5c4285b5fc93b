"""§8.2: values of positions and splits under perfect play."""

from collections.abc import Callable, Iterator
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
from tests.games.duel.pocket import pocket_rules

EXAMPLE = cards("10♠ 7♥ 5♣ A♦ 3♠")

PAYOFFS: dict[Objective, Callable[[Result], int]] = {
    Objective.WIN: lambda result: int(result.winner == 0),
    Objective.GOLD: lambda result: result.gold,
    Objective.EXPERIENCE: lambda result: result.experience,
    Objective.SCORE: lambda result: result.score,
}


@pytest.fixture(scope="module", autouse=True)
def empty_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Start with an empty disk cache: a solution of an earlier run would prove nothing about the solver."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(disk_cache.VARIABLE, str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.mark.sweep
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
def test_8_2_values_agree_with_brute_force(objective: Objective, changes: dict[str, Any]) -> None:
    """Every position of a small duel has the value of all hands, splits and house moves, within the bound."""
    rules = pocket_rules(**changes)
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
    """For gold a weaker opponent may have a lower value: the duel cannot wait for a hand with the right suit."""
    solved = solve(pocket_rules(difficulty=1, player=Fighter(armor=20), flee_rounds=0), Objective.GOLD)

    assert solved.value(4, 6, 1) > solved.value(4, 1, 1)


def test_8_2_flight_is_chosen_where_its_value_is_higher() -> None:
    """A score of 10 for a flight is better than a hopeless duel."""
    hopeless = pocket_rules(
        difficulty=4, house=House(hp=900, weapon_per_difficulty=10, attack_cards=((5,),) * 4)
    )
    solved = solve(hopeless, Objective.SCORE)

    assert [10.0, 10.0, 0.0] == pytest.approx([solved.value(number=number) for number in (1, 2, 3)])
    assert [10.0, 10.0, float("-inf")] == [solved.flight_value(number) for number in (1, 2, 3)]


def test_8_2_a_split_has_the_value_of_the_position_after_it() -> None:
    """Against 25 and 10 the split of the worked example deals 32 and takes 5."""
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
    """32 splits, best first; the best of all hands against all house moves average to the value."""
    solved = solve(pocket_rules(difficulty=4))
    splits = solved.splits(EXAMPLE, shown=(6, 1))

    assert 32 == len({split.defends for split in splits})
    assert sorted((split.value for split in splits), reverse=True) == [split.value for split in splits]


def test_8_2_a_hidden_opponent_has_mean_damage() -> None:
    """Damage dealt and taken are exact means over all house moves."""
    rules = pocket_rules(difficulty=4, opponent_visible=False, rounds=1)
    solved = solve(rules)
    attacks = {int(attack): int(ways) for attack, _, ways in solved.exchange}
    total = sum(attacks.values())
    all_attack = next(split for split in solved.splits(EXAMPLE) if not any(split.defends))

    assert Fraction(sum(attack * ways for attack, ways in attacks.items()), total) == all_attack.taken
    assert 2598960 == total


def test_8_2_the_kind_of_deck_does_not_change_a_solution() -> None:
    """Values are those of fresh decks, also for rules with depleting ones."""
    fresh, depleting = solve(pocket_rules(deck="fresh")), solve(pocket_rules(deck="depleting"))

    assert (fresh.values[:, 1:, 1:] == depleting.values[:, 1:, 1:]).all()


def test_8_2_a_solution_is_cached_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cached solution is not computed again; without the cache the same values are computed."""
    rules = pocket_rules(difficulty=2, player=Fighter(weapon=1))
    first = solve(rules)
    reported: list[float] = []
    again = solve(rules, progress=reported.append)
    monkeypatch.setattr(disk_cache, "load", lambda name, header=None: {"broken": first.values})  # noqa: ARG005  the signature of the disk cache
    recomputed = solve(rules, progress=reported.append)

    assert first.value() == again.value() == recomputed.value()
    assert reported
    assert 1.0 == reported[-1]


def test_8_2_interrupted_solving_caches_nothing() -> None:
    """After Ctrl-C the next call solves from the start."""
    rules = pocket_rules(difficulty=2, player=Fighter(weapon=2))

    def interrupt(share: float) -> None:  # noqa: ARG001  interrupts at the first report
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(rules, progress=interrupt)
    solved = solve(rules)

    assert abs(Oracle(rules, PAYOFFS[Objective.WIN]).value(4, 6, 1) - solved.value()) <= solved.error


@pytest.mark.parametrize(
    ("position", "code"), [((0, 6, 1), "no_position"), ((4, 7, 1), "no_position"), ((4, 6, 4), "no_position")]
)
def test_8_2_an_impossible_position_is_refused(position: tuple[int, int, int], code: str) -> None:
    """The sentence names the possible hit points and rounds."""
    with pytest.raises(InputError, match="4 and 1 to 6, rounds 1 to 3") as refused:
        solve(pocket_rules()).value(*position)

    assert code == refused.value.refusal.code


def test_8_2_an_impossible_hand_is_refused() -> None:
    """A hand is five different cards."""
    solved = solve(pocket_rules())

    with pytest.raises(InputError, match="a hand has 5 cards, not 4"):
        solved.splits(EXAMPLE[:4], shown=(1, 1))
    with pytest.raises(InputError, match="more often than the deck holds it"):
        solved.splits(EXAMPLE[:1] * 5, shown=(1, 1))


def test_8_2_too_many_positions_are_refused() -> None:
    """A duel of ten million positions or more is not solved."""
    with pytest.raises(WorkLimitError, match="positions that are solved"):
        solve(Rules(player_hp=1000, rounds=100, house=House(hp=1000)))


def test_8_1_the_best_reply_to_a_random_rival_counts_draws_as_half() -> None:
    """Two bare fighters who fall in one exchange draw: the value is a half from either seat."""
    rules = Rules(player_hp=1, rounds=2)

    assert 0.5 == pytest.approx(solve_reply(rules).value(), abs=1e-11)
    assert 0.5 == pytest.approx(solve_reply(rules, seat=1).value(), abs=1e-11)
    assert 0.0 == solve_reply(rules).flight_value(1)


def test_8_1_a_reply_is_valued_from_its_own_seat() -> None:
    """Seat 1 has the rival's gear: the better armed of two has the higher value."""
    rules = pocket_rules(rival=Fighter(weapon=3, armor=3))
    strong, weak = solve_reply(rules, seat=1), solve_reply(rules, seat=0)
    mirrored = solve_reply(rules.replace(player=rules.rival, rival=rules.player))

    assert strong.value() > 0.5 > weak.value()
    assert mirrored.value() == strong.value()
    assert strong.value_after(3, 0, 1, relevant=0) == 1.0
