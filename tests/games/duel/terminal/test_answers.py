"""`oddsmith duel …`: odds of duels, ranked splits, tournaments of bots."""

import sys
from collections.abc import Callable
from fractions import Fraction

import msgspec
import numpy as np
import pytest

from oddsmith import disk_cache
from oddsmith.cards import cards
from oddsmith.errors import InputError
from oddsmith.games.duel import odds, perfect_play, summaries
from oddsmith.games.duel.questions.duels import DuelOddsReply, DuelOddsRequest, Measurement
from oddsmith.games.duel.questions.splits import SplitReply
from oddsmith.games.duel.questions.tournaments import TournamentReply, TournamentRequest
from oddsmith.games.duel.rules import DeckKind, Fighter, Rules
from oddsmith.games.duel.scoring import Objective
from oddsmith.games.duel.tally import DuelSummary
from oddsmith.games.duel.terminal import answers
from tests.cli.running import ESCAPE, read_rest, run, terminal

pytestmark = pytest.mark.usefixtures("folder")

HAND = "10♠ 7♥ 5♣ A♦ 3♠"
SMALL = (
    "--set",
    "player_hp=10",
    "--set",
    "house.hp=5",
    "--set",
    "house.hp_per_difficulty=1",
    "--set",
    "rounds=8",
)
"""A duel with few hit points and few rounds is solved in a moment."""
ODDS = ("duel", "odds", "--hidden", "--duels", "400", *SMALL)
SHOWN = ("duel", "split", HAND, "--enemy-attack", "25", "--enemy-defense", "10", *SMALL)
HIDDEN = ("duel", "split", HAND, "--hidden", *SMALL)
FIGHT = ("duel", "tournament", "--duels", "100", "--hidden", *SMALL)


# --- odds ------------------------------------------------------------------------------------------------------------


def test_odds_have_a_row_for_each_bot_and_its_error() -> None:
    """Opponents and decks; five rows and a row of errors; computed, solved and simulated values."""
    lines = run(*ODDS).lines

    assert "opponent  difficulty 3, 8 HP, weapon 3, attacks with its 1, 2, 3 or 4 highest" == lines[0]
    assert "          its split is hidden until damage is done" == lines[1]
    assert "fighter   10 HP, no gear" == lines[2]
    assert "decks     fresh in every round; those of the rules deplete" == lines[3]
    assert ["in", "%", "win", "defeat", "timeout", "won", "rounds", "gold", "3–7"] == lines[5].split()
    assert ["random", "all_attack", "all_defense", "best_trade", "optimal", "±"] == [
        line.split()[0] for line in lines[6:12]
    ]
    assert "solved" == lines[11].split()[1]
    assert "3–7: duels that end in rounds 3 to 7, which the source calls typical" in lines
    assert lines[-3].startswith("computed, not simulated: chances ± ")
    assert lines[-2].startswith("optimal: chance to win 94.625226467 % is solved, ± ")
    assert "         the other numbers are of 400 duels, ± at 95 %" == lines[-1]
    assert 80 >= max(map(len, lines))


def test_odds_as_json_are_those_of_the_library() -> None:
    """Chances add up to 1; perfect play is solved, wins at least as often as any bot, and is simulated by the seed."""
    reply = run(*ODDS, "--seed", "yuma", "--json").reply(DuelOddsReply)

    assert {"random", "all_attack", "all_defense", "best_trade", "optimal"} == {*reply.bots}
    assert all(
        abs(one.win + one.defeat + one.draw + one.flee - 1) <= 4 * one.error + 1e-9
        for one in reply.bots.values()
    )
    assert all(abs(sum(one.ends) - 1) <= 8 * one.error + 1e-9 for one in reply.bots.values())
    assert {None} == {one.duels for name, one in reply.bots.items() if name != "optimal"}
    assert 400 == reply.bots["optimal"].duels
    assert reply.solved is not None
    assert all(one.win <= reply.solved.value + one.error for one in reply.bots.values())
    assert sum(reply.bots["random"].ends[2:7]) == reply.typical["random"]
    assert ((3, 7), "yuma", Objective.WIN) == (reply.typical_rounds, reply.seed, reply.objective)


def test_odds_for_gold_solve_the_gold() -> None:
    """With another objective the gold is solved, and the chance to win is simulated."""
    lines = run(*ODDS, "--objective", "gold").lines

    assert "solved" == lines[11].split()[-2]
    assert lines[-2].startswith("optimal: gold ")


def test_simple_rows_need_no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--no-perfect` leaves perfect play out; without the option a missing solver is named."""
    monkeypatch.setitem(sys.modules, "oddsmith.odds.attrition.rounds", None)
    monkeypatch.delattr("oddsmith.odds.attrition.rounds", raising=False)
    unsolved = ("duel", "odds", *SMALL, "--set", "player_hp=19")
    lines = run(*ODDS, "--no-perfect").lines
    reply = run(*ODDS, "--no-perfect", "--json").reply(DuelOddsReply)

    assert "best_trade" == lines[9].split()[0]
    assert "optimal" not in "".join(lines)
    assert reply.solved is None
    assert (
        2,
        "",
        "error: solving a contest needs numba: install oddsmith[solve], or leave perfect play out with --no-perfect\n",
    ) == run(*unsolved)
    assert "missing_extra" == run("duel", "split", HAND, "--hidden", *unsolved[2:], "--json").refusal.code
    assert "missing_extra" == run("duel", "tournament", *unsolved[2:], "--json").refusal.code


def test_a_refusal_of_the_solver_is_its_own() -> None:
    """Too large duels are refused with the solver's sentence."""
    huge = ("--set", "player_hp=1000", "--set", "house.hp=1000", "--set", "rounds=100")

    assert "too_many_states" == run("duel", "odds", *huge, "--json").refusal.code


def test_draws_and_flights_have_columns_only_where_there_are_any() -> None:
    reply = run(*ODDS, "--json").reply(DuelOddsReply)
    fled = msgspec.structs.replace(reply.bots["random"], draw=0.25, flee=0.125)
    changed = msgspec.structs.replace(reply, bots={**reply.bots, "random": fled})
    lines = [*answers.odds_lines(DuelOddsRequest(), changed, Rules(player_hp=20))]

    assert "          its split is shown before you choose" == lines[1]
    assert ["win", "defeat", "draw", "flee", "timeout"] == lines[5].split()[2:7]
    assert ["25.00", "12.50"] == lines[6].split()[3:5]
    assert ["win", "defeat", "timeout"] == run(*ODDS).lines[5].split()[2:5]


def test_results_are_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second reply equals the first, for either kind of deck, and computes nothing."""
    first = run(*ODDS, "--json").reply(DuelOddsReply)

    def fail_if_called(*_: object, **__: object) -> DuelSummary:
        raise AssertionError

    monkeypatch.setattr(summaries, "summarize_policy", fail_if_called)
    monkeypatch.setattr(perfect_play, "summarize_perfect_duels", fail_if_called)
    again = run(*ODDS, "--set", "deck=fresh").lines

    assert first == run(*ODDS, "--json").reply(DuelOddsReply)
    assert "decks     fresh in every round" == again[3]


def test_a_damaged_cache_is_computed_again() -> None:
    made = DuelSummary(
        win=1.0, defeat=0.0, draw=0.0, timeout=0.0, timeout_win=0.0, flee=0.0, rounds=1.0, gold=9.0,
        ends=(1.0,), error=0.0, gold_error=0.0, rounds_error=0.0,
    )  # fmt: skip
    rules = Rules(player_hp=3)
    name = f"duel-test-{rules.replace(deck=DeckKind.FRESH).rules_id}"
    found = [summaries.load_summary("test", rules, lambda: made)]
    for spoiled in ({"prospects": np.zeros(9, dtype="uint8")}, {"other": np.zeros(1)}):
        disk_cache.store(name, spoiled, summaries.SUMMARY_HEADER)
        found.append(summaries.load_summary("test", rules, lambda: made))

    assert [made] * 3 == found
    assert made == summaries.load_summary("test", rules, _fail_if_called)


def _fail_if_called() -> DuelSummary:
    raise AssertionError


# --- rules and shortcuts ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shortcut", "settings"),
    [
        (("--difficulty", "5"), ("difficulty=5",)),
        (("--weapon", "-4"), ("player.weapon=-4",)),
        (("--armor", "7"), ("player.armor=7",)),
        (("--skill", "30"), ("player.skill=30",)),
        (("--hidden",), ("opponent_visible=false",)),
        (("--rules", "hidden", "--shown"), ("opponent_visible=true",)),
    ],
    ids=" ".join,
)
def test_an_option_changes_a_rule(shortcut: tuple[str, ...], settings: tuple[str, ...]) -> None:
    """It overrides the rule of that name after `--rules` and `--set`."""
    place = ("--enemy-attack", "25", "--enemy-defense", "10", "--no-solve", "--json")
    before = "false" if "--shown" in shortcut else "true" if "--hidden" in shortcut else "1"
    other = f"{settings[0].partition('=')[0]}={before}"
    given = run("duel", "split", HAND, *place, "--set", other, *shortcut).reply(SplitReply)

    assert Rules().with_settings(settings).rules_id == given.rules_id


# --- splits ----------------------------------------------------------------------------------------------------------


def test_splits_against_a_shown_opponent_are_ranked_by_value() -> None:
    """All 32 with both sides, damage, value and loss to the best; flight; fresh decks."""
    lines = run(*SHOWN).lines

    assert "round 1 of 8, 10 against 8 HP; hand 10♠ 7♥ 5♣ A♦ 3♠" == lines[2]
    assert "it attacks with 25 and defends with 10" == lines[3]
    assert lines[5].split() == [
        "attack", "|", "defence", "attack", "defence", "deals", "takes", "worth", "to", "the", "best",
    ]  # fmt: skip
    assert 32 == len(lines[6:-4])
    assert lines[6].endswith("100 %            =")
    assert "fleeing is worth 0 %" == lines[-3]
    assert lines[-2].startswith("worth: chances to win when all else is played perfectly, ± ")
    assert "decks: fresh in every round; those of the rules deplete" == lines[-1]
    assert 80 >= max(map(len, lines))


def test_splits_as_json_are_exact_in_damage() -> None:
    """Damage is a fraction, the value a float within the error; the first loses nothing, ties are ranked by trade."""
    reply = run(*SHOWN, "--top", "5", "--json").reply(SplitReply)
    values = [one.value or 0.0 for one in reply.splits]

    assert (cards(HAND), 10, 8, 1, (25, 10)) == (
        reply.hand,
        reply.hp,
        reply.enemy_hp,
        reply.round,
        reply.enemy,
    )
    assert 5 == len(reply.splits)
    assert sorted(values, reverse=True) == values
    assert 0.0 == reply.splits[0].loss == reply.flight
    assert all(one.dealt == max(1, one.attack.total - 10) for one in reply.splits)
    assert all(one.taken == max(0, 25 - one.defense.total) for one in reply.splits)
    assert reply.error is not None
    assert 1e-6 > reply.error


def test_splits_against_a_hidden_opponent_have_mean_damage() -> None:
    """With the opponent's numbers given, damage is exact."""
    lines = run(*HIDDEN, "--top", "3").lines
    reply = run(*HIDDEN, "--json").reply(SplitReply)
    known = run(*SHOWN, "--hidden", "--no-solve", "--json").reply(SplitReply)

    assert "its split is hidden: means over all that it may do" == lines[3]
    assert 3 == len(lines[6:-4])
    assert reply.enemy is None
    assert any(one.taken.denominator > 1 for one in reply.splits)
    assert (25, 10) == known.enemy


def test_splits_late_in_a_duel_have_no_flight() -> None:
    """After round 3 the table has no row for fleeing; hit points are those of the options."""
    late = (*HIDDEN, "--hp", "7", "--enemy-hp", "4", "--round", "4")
    reply = run(*late, "--json").reply(SplitReply)

    assert (7, 4, 4, None) == (reply.hp, reply.enemy_hp, reply.round, reply.flight)
    assert "round 4 of 8, 7 against 4 HP; hand 10♠ 7♥ 5♣ A♦ 3♠" == run(*late).lines[2]
    assert not [line for line in run(*late).lines if "flee" in line]


def test_splits_may_be_ranked_without_solving() -> None:
    """`--no-solve` ranks by damage dealt less damage taken and shows no values."""
    lines = run(*SHOWN, "--no-solve").lines
    reply = run(*HIDDEN, "--no-solve", "--json").reply(SplitReply)
    trades = [one.dealt - one.taken for one in reply.splits]

    assert "ranked by what is dealt less what is taken; --solve says what each is worth" == lines[-1]
    assert "takes" == lines[5].split()[-1]
    assert sorted(trades, reverse=True) == trades
    assert (None, None, None) == (reply.objective, reply.error, reply.flight)
    assert {None} == {one.value for one in reply.splits}


def test_splits_may_be_valued_in_gold() -> None:
    lines = run(*HIDDEN, "--objective", "gold", "--top", "2").lines

    assert " gold " in lines[6]
    assert "fleeing is worth 0.00 gold" == lines[-3]
    assert lines[-2].startswith("worth: gold when all else is played perfectly, ± ")


# --- tournaments -----------------------------------------------------------------------------------------------------


def test_a_tournament_has_a_row_for_each_bot_and_deck() -> None:
    """Both kinds of decks, intervals, and the solved value of perfect play with fresh decks."""
    lines = run(*FIGHT).lines

    assert "decks     depleting and fresh" == lines[3]
    assert ["bot", "deck", "win", "%", "±", "rounds", "±", "gold", "±"] == lines[5].split()
    assert [
        [bot, deck]
        for bot in ("random", "all_attack", "all_defense", "best_trade", "optimal")
        for deck in ("depleting", "fresh")
    ] == [line.split()[:2] for line in lines[6:16]]
    assert "100 duels each, seed oddsmith; ± at 95 %" == lines[-3]
    assert lines[-2].startswith("optimal takes decks for fresh, which would win it 9")
    assert lines[-1].startswith("depleting decks cost it ")
    assert 80 >= max(map(len, lines))


def test_a_tournament_of_some_bots_with_one_deck() -> None:
    """Each name counts once, in the given order; with fresh decks there is no loss."""
    chosen = (*FIGHT, "--bots", "best_trade, random,best_trade", "--deck", "fresh", "--seed", "[red]")
    reply = run(*chosen, "--json").reply(TournamentReply)

    assert [("best_trade", "fresh"), ("random", "fresh")] == [(one.bot, one.deck) for one in reply.results]
    assert (100, "[red]", None, None) == (reply.duels, reply.seed, reply.solved, reply.lost)
    assert "100 duels each, seed [red]; ± at 95 %" == run(*chosen).lines[-1]


def test_perfect_play_with_fresh_decks_alone_loses_nothing() -> None:
    """The solved value is shown without a loss."""
    reply = run(*FIGHT, "--bots", "optimal", "--deck", "fresh", "--json").reply(TournamentReply)

    assert reply.solved is not None
    assert reply.lost is None


def test_a_tournament_for_gold_loses_gold() -> None:
    """The loss is that of the objective, with its interval."""
    fought = (*FIGHT, "--bots", "optimal", "--deck", "depleting", "--objective", "gold")
    reply = run(*fought, "--json").reply(TournamentReply)

    assert reply.solved is not None
    assert reply.lost is not None
    assert reply.solved.value - reply.results[0].gold == reply.lost.value
    assert reply.results[0].gold_error < reply.lost.error < reply.results[0].gold_error + 1e-3
    assert " gold" in run(*fought).lines[-1]


def test_a_loss_beyond_its_error_has_no_note() -> None:
    """The note about too few duels is absent."""
    result = run(*FIGHT, "--bots", "optimal", "--json").reply(TournamentReply)
    sure = TournamentReply(
        rules_id=result.rules_id, duels=100, seed="a", objective=Objective.WIN, results=result.results,
        solved=result.solved, lost=Measurement(value=0.25, error=0.125),
    )  # fmt: skip

    better = msgspec.structs.replace(sure, lost=Measurement(value=-0.25, error=0.125))

    assert (
        "depleting decks cost it 25.00 ± 12.50 %"
        == [*answers.tournament_lines(TournamentRequest(), sure, Rules())][-1]
    )
    assert (
        "depleting decks gain it 25.00 ± 12.50 %"
        == [*answers.tournament_lines(TournamentRequest(), better, Rules())][-1]
    )


# --- display of numbers and progress ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (lambda: answers.format_bound(9.9e-9), "1e-8"),
        (lambda: answers.format_bound(4.1e-9), "5e-9"),
        (lambda: answers.format_bound(0.0), "0"),
        (lambda: answers.format_solved(Measurement(value=0.99999999, error=4e-9), Objective.WIN), "99.999999 %"),
        (lambda: answers.format_solved(Measurement(value=139.5, error=0.0), Objective.GOLD), "139.5000000000"),
        (lambda: Fighter(weapon=-5, armor=3, skill=30).words, "weapon -5, armour 3, skill 30"),
        (lambda: answers.opponent_line(Rules(difficulty=10)), "difficulty 10, 150 HP, weapon 10, attacks with its 5 highest"),
        (lambda: answers.format_loss(1e-9, 1e-9, Objective.WIN), "="),
        (lambda: answers.format_loss(0.25, 1e-9, Objective.WIN), "−25.00 %"),
        (lambda: answers.format_value(1 + 1e-12, Objective.WIN), "100 %"),
        (lambda: answers._format_mean(Fraction(1, 3)), "0.33"),
    ],
)  # fmt: skip
def test_numbers_are_rounded_for_display(written: Callable[[], str], expected: str) -> None:
    """Bounds have one digit, rounded up; values that differ by less than rounding are shown as equal."""
    assert expected == written()


@pytest.mark.usefixtures("empty_cache")
def test_every_phase_shows_its_progress_in_a_terminal() -> None:
    """A bar for policies, one for solving, one for playing; all disappear, and red suits are red in the output."""
    with terminal("duel", "odds", "--hidden", "--duels", "201", *SMALL) as child:
        child.expect("solving every position of the duel")
        child.expect("computing the odds of the simple policies")
        child.expect("fighting 201 perfect duels")
        status, output = read_rest(child)
    with terminal("duel", "split", HAND, "--hidden", "--no-solve", "--top", "1", *SMALL) as child:
        coloured = read_rest(child)

    assert 0 == status
    assert "optimal: chance to win" in output
    assert 0 == coloured[0]
    assert f"{ESCAPE}31m7♥" in coloured[1]


def test_an_incomplete_position_is_refused_before_solving(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail_if_called(*_: object, **__: object) -> None:
        raise InputError("solved", "it was solved")

    monkeypatch.setattr(odds, "solve", fail_if_called)

    assert "no_position" == run(*HIDDEN, "--hp", "21", "--json").refusal.code
    assert "bad_hand" == run("duel", "split", "10♠ 7♥", *HIDDEN[3:], "--json").refusal.code
    assert "unknown_bot" == run(*FIGHT, "--bots", "optimist", "--json").refusal.code
    assert "solved" == run(*HIDDEN, "--json").refusal.code
