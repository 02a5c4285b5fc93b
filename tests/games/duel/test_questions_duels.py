"""Questions about whole duels: solved without a limit on the command line, simulated by a seed, charted."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from oddsmith import disk_cache
from oddsmith.chance import Scripted, Seeded
from oddsmith.errors import InputError, OddsmithError, RulesError, WorkLimitError
from oddsmith.games.duel.odds import Objective, solve
from oddsmith.games.duel.questions import fields
from oddsmith.games.duel.questions.duels import DuelOddsRequest, choose_seed, compute_duel_odds, ends_chart
from oddsmith.games.duel.questions.fields import MOST_ROUNDS_SERVED, RuleChanges, change_rules
from oddsmith.games.duel.questions.splits import SplitRequest, rank_splits
from oddsmith.games.duel.questions.tournaments import (
    TournamentReply,
    TournamentRequest,
    hold_tournament,
)
from oddsmith.games.duel.rules import DeckKind, House, Rules
from oddsmith.question import Context

HAND = "10♠ 7♥ 5♣ A♦ 3♠"
POCKET = Rules(
    player_hp=20, rounds=3, house=House(hp=10, hp_per_difficulty=1), difficulty=10, opponent_visible=False
)


@pytest.fixture(autouse=True)
def cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Start with an empty disk cache and an empty cache in memory."""
    monkeypatch.setenv(disk_cache.VARIABLE, str(tmp_path))
    fields._solve_quickly.cache_clear()
    return tmp_path


def context(rules: Rules = POCKET, **settings: Any) -> Context[Rules]:  # noqa: ANN401  fields of Context
    return Context(rules=rules, **{"draw": Seeded("yuma"), "seed": "yuma", **settings})


def refusal_code(answer: Callable[[], object]) -> str:
    with pytest.raises(OddsmithError) as caught:
        answer()
    return caught.value.refusal.code


# --- changes of the rules --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "setting"),
    [
        (RuleChanges(difficulty=5), "difficulty=5"),
        (RuleChanges(weapon="-4"), "player.weapon=-4"),
        (RuleChanges(armor=7), "player.armor=7"),
        (RuleChanges(skill="30"), "player.skill=30"),
        (RuleChanges(hidden=True), "opponent_visible=false"),
        (RuleChanges(hidden=False), "opponent_visible=true"),
    ],
    ids=str,
)
def test_a_change_sets_one_rule(changes: RuleChanges, setting: str) -> None:
    assert Rules().with_settings([setting]) == change_rules(Rules(), changes)


def test_a_change_out_of_bounds_is_refused_by_the_rules() -> None:
    with pytest.raises(RulesError, match="expected 1 to 10, not 11"):
        change_rules(Rules(), RuleChanges(difficulty=11))


def test_every_question_about_duels_changes_the_rules() -> None:
    changes, changed = RuleChanges(skill=30), POCKET.with_settings(["player.skill=30"])
    odds = compute_duel_odds(DuelOddsRequest(changes=changes), context())
    split = rank_splits(SplitRequest(hand=HAND, changes=changes), context())
    fought = hold_tournament(TournamentRequest(duels=100, bots="random", changes=changes), context())

    assert [changed.rules_id] * 3 == [odds.rules_id, split.rules_id, fought.rules_id]


# --- odds ------------------------------------------------------------------------------------------------------------


def test_perfect_play_is_solved_cached_and_simulated_by_the_seed(cache_folder: Path) -> None:
    request = DuelOddsRequest(policies=("all_attack",), objective="win", duels=100)
    found = compute_duel_odds(request, context())
    kept = {place.name.partition("-")[2].rpartition("-")[0] for place in cache_folder.glob("*.npz")}

    assert found.solved is not None
    assert solve(POCKET).value() == found.solved.value
    assert ["all_attack", "optimal"] == [*found.bots]
    assert (100, "yuma") == (found.bots["optimal"].duels, found.seed)
    assert {"prospects-all_attack", "win"} < kept
    assert found == compute_duel_odds(request, context())


@pytest.mark.parametrize("changes", [{"perfect": False}, {"objective": None}], ids=str)
def test_perfect_play_may_be_left_out(changes: dict[str, Any]) -> None:
    found = compute_duel_odds(DuelOddsRequest(**{"objective": "win", "duels": 100, **changes}), context())

    assert (["best_trade"], None, None, None) == ([*found.bots], found.solved, found.objective, found.seed)


def test_a_server_simulates_a_few_duels_and_stores_nothing(cache_folder: Path) -> None:
    served = context(seed=None, draw=Scripted([7]), is_limited=True)
    found = compute_duel_odds(DuelOddsRequest(objective="win", duels=100), served)

    assert ("7", 100) == (found.seed, found.bots["optimal"].duels)
    assert [] == [*cache_folder.glob("*.npz")]


def test_a_server_refuses_many_duels() -> None:
    request = DuelOddsRequest(duels=10_001)

    assert "too_many_duels" == refusal_code(lambda: compute_duel_odds(request, context(is_limited=True)))


def test_a_server_refuses_long_duels_of_perfect_play_against_a_hidden_opponent() -> None:
    request, hidden = DuelOddsRequest(duels=100), Rules(opponent_visible=False)

    assert "too_many_states" == refusal_code(
        lambda: compute_duel_odds(request, context(rules=hidden, is_limited=True))
    )


def test_the_seed_is_random_by_default() -> None:
    assert ["yuma", "5"] == [choose_seed(context()), choose_seed(context(seed=None, draw=Scripted([5])))]


def test_a_missing_solver_is_refused_with_the_option_that_leaves_it_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "oddsmith.odds.attrition.rounds", None)
    monkeypatch.delattr("oddsmith.odds.attrition.rounds", raising=False)

    with pytest.raises(InputError, match="or leave perfect play out with --no-perfect") as caught:
        compute_duel_odds(DuelOddsRequest(objective="win"), context())

    assert "missing_extra" == caught.value.refusal.code


def test_a_refusal_of_the_solver_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise InputError("no_memory", "it does not fit")

    monkeypatch.setattr("oddsmith.games.duel.odds.solve", refuse)

    assert "no_memory" == refusal_code(lambda: compute_duel_odds(DuelOddsRequest(objective="win"), context()))


def test_long_work_reports_progress() -> None:
    received: list[str] = []

    @contextmanager
    def listen(what: str) -> Iterator[Callable[[float], None]]:
        received.append(what)
        yield lambda _: None

    compute_duel_odds(DuelOddsRequest(objective="win", duels=100), context(progress=listen))

    assert [
        "solving every position of the duel",
        "computing the odds of the simple policies",
        "fighting 100 perfect duels",
    ] == received


def test_the_chart_has_a_line_for_each_bot() -> None:
    request = DuelOddsRequest(policies=("random", "all_attack"), changes=RuleChanges(weapon=5))
    found = compute_duel_odds(request, context())
    chart = ends_chart(request, found, POCKET)

    assert "In which round duels end: difficulty 10, weapon 5" == chart.title
    assert (2.5, 7.5, "rounds 3 to 7") == chart.span
    assert [("random", 3), ("all_attack", 3)] == [(line.name, len(line.values)) for line in chart.lines]
    assert chart.lines[0].values[0] == 100 * found.bots["random"].ends[0]


# --- splits ----------------------------------------------------------------------------------------------------------


def test_splits_are_valued_by_a_cached_solution(cache_folder: Path) -> None:
    found = rank_splits(SplitRequest(hand=HAND, objective="win", top=3), context())

    assert [one.value for one in solve(POCKET).splits(tuple(found.hand))[:3]] == [
        one.value for one in found.splits
    ]
    assert 1 == len([*cache_folder.glob("*.npz")])


def test_3_4_a_hand_is_split_against_both_numbers_of_an_opponent_or_neither() -> None:
    half = SplitRequest(hand=HAND, enemy_attack=25)
    other_half = SplitRequest(hand=HAND, enemy_defense=10)

    with pytest.raises(InputError) as caught:
        rank_splits(half, context())
    with pytest.raises(InputError) as other:
        rank_splits(other_half, context())

    assert ("no_enemy", "enemy_defense") == (caught.value.refusal.code, caught.value.refusal.where)
    assert ("no_enemy", "enemy_attack") == (other.value.refusal.code, other.value.refusal.where)


# --- tournaments -----------------------------------------------------------------------------------------------------


def ask_tournament(**fields: Any) -> TournamentReply:  # noqa: ANN401  any field of the request
    return hold_tournament(TournamentRequest(duels=100, **fields), context())


def test_bots_are_named_in_a_text_or_a_list_each_once() -> None:
    text = ask_tournament(bots="best_trade, random,best_trade", deck="fresh")

    assert ["best_trade", "random"] == [one.bot for one in text.results]
    assert text == ask_tournament(bots=("best_trade", "random"), deck="fresh")
    assert (100, "yuma", None, None) == (text.duels, text.seed, text.solved, text.lost)


def test_all_bots_play_with_both_decks_by_default() -> None:
    found = ask_tournament()

    assert [
        (bot, deck)
        for bot in ("random", "all_attack", "all_defense", "best_trade", "optimal")
        for deck in DeckKind
    ] == [(one.bot, one.deck) for one in found.results]


@pytest.mark.parametrize("objective", ["win", "gold"])
def test_the_cost_of_depleting_decks_is_that_of_the_objective(objective: Any) -> None:  # noqa: ANN401  one of two names
    found = ask_tournament(bots="optimal", deck="depleting", objective=objective)
    (result,) = found.results

    assert found.solved is not None
    assert found.lost is not None
    assert found.solved.value - getattr(result, objective) == found.lost.value
    assert getattr(result, f"{objective}_error") + found.solved.error == found.lost.error


def test_perfect_play_with_fresh_decks_loses_nothing() -> None:
    found = ask_tournament(bots="optimal", deck="fresh")

    assert found.solved is not None
    assert found.lost is None


def test_an_unknown_bot_is_refused_before_anything_is_solved() -> None:
    assert "unknown_bot" == refusal_code(lambda: ask_tournament(bots="optimal,optimist"))


def test_a_server_lets_bots_play_a_few_rounds() -> None:
    served = context(is_limited=True)
    most = MOST_ROUNDS_SERVED // POCKET.rounds
    few = TournamentRequest(duels=100, bots="all_attack", deck="fresh")
    many = TournamentRequest(duels=most + 1, bots="all_attack", deck="fresh")

    assert hold_tournament(few, served).results == ask_tournament(bots="all_attack", deck="fresh").results
    assert "too_many_duels" == refusal_code(lambda: hold_tournament(many, served))


def test_a_server_lets_perfect_play_take_part_where_it_is_cached() -> None:
    served = context(is_limited=True)
    request = TournamentRequest(duels=100, bots="optimal", deck="fresh")
    with pytest.raises(WorkLimitError) as caught:
        hold_tournament(request, served)
    value = solve(POCKET, Objective.WIN).value()
    found = hold_tournament(request, served)

    assert "not_solved" == caught.value.refusal.code
    assert found.solved is not None
    assert value == found.solved.value
