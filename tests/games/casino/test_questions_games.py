"""Questions about positions and games of bots: positions as text, estimates, lines of play, limits on a server."""

from typing import Any

import pytest

from oddsmith.cards import cards
from oddsmith.chance import Scripted, Seeded
from oddsmith.errors import IllegalMove, InputError, OddsmithError, WorkLimitError
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.position import read_position
from oddsmith.games.casino.questions import QUESTIONS, fields
from oddsmith.games.casino.questions.fields import choose_seed, limit_time
from oddsmith.games.casino.questions.groups import ClassifyRequest, classify_group
from oddsmith.games.casino.questions.moves import MovesRequest, list_moves
from oddsmith.games.casino.questions.odds import OddsRequest, SolveRequest, prove_odds, solve_ending
from oddsmith.games.casino.questions.perft import PerftRequest, count_lines
from oddsmith.games.casino.questions.tournaments import (
    PositionRequest,
    TournamentRequest,
    hold_tournament,
    make_position,
)
from oddsmith.games.casino.rules import DEFAULT, Rules
from oddsmith.games.casino.table_input import KnownTable
from oddsmith.question import Context
from tests.games.casino.tables import LAST_DEAL

TABLE = """
hands = ["A♠ 3♠ K♠", "7♣ 9♣"]
loose = "A♥ 2♠ 4♥ Q♠"
builds = [{ cards = "4♦ 5♦", value = 9, owner = 1 }]
piles = ["10♦ 10♥", "6♠ 6♥ 6♦ 6♣ 8♠ 8♥ 8♦"]
last_capture = 1
deal = 2
stock = "the rest"
"""
CROWDED = """
hands = ["A♠ 2♠ 3♠ 4♠", "5♠ 6♠ 7♠ 8♠"]
loose = "A♥ 2♥ 3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ J♥ Q♥ K♥ A♦ 2♦ 3♦ 4♦ 5♦ 6♦ 7♦"
deal = 3
stock = "the rest"
"""
KNOWN = KnownTable(viewer=0, hand=cards("6♠ 7♠ 2♦ 9♦"), hand_sizes=(4, 4), loose=cards("3♠ 4♥ 8♣ K♣"))
FREE = Context(rules=DEFAULT, draw=Seeded("yuma"), seed="yuma")
SERVED = Context(rules=DEFAULT, draw=Seeded("yuma"), is_limited=True)


@pytest.fixture(autouse=True)
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile nothing: results are the same, and small games are faster."""
    monkeypatch.setenv("ODDSMITH_COMPILED", "0")


# --- tables as text --------------------------------------------------------------------------------------------------


def test_a_group_is_text_or_a_list() -> None:
    assert classify_group(ClassifyRequest(cards="K♠, QS"), FREE) == classify_group(
        ClassifyRequest(cards=cards("K♠ Q♠")), FREE
    )


def test_4_7_the_moves_of_a_table_are_those_of_its_state() -> None:
    state = read_position(TABLE)
    found = list_moves(MovesRequest(table=TABLE), SERVED)

    assert [*GAME.actions(state, 0)] == [one.move for one in found.moves]
    assert (23, None, None) == (found.legal, found.iterations, found.seed)


def test_moves_of_one_kind_keep_their_numbers() -> None:
    found = list_moves(MovesRequest(table=TABLE, kind="two-card capture"), FREE)

    assert [(4, "A♠+3♠x4♥")] == [(one.number, one.text) for one in found.moves]


def test_1_5_the_odds_of_a_table_are_those_of_the_player_on_turn() -> None:
    found = prove_odds(OddsRequest(table=TABLE), SERVED)

    assert (0, 0, cards("A♠ 3♠ K♠")) == (found.viewer, found.seat, found.hand)


def test_5_4_a_table_of_the_last_deal_is_solved() -> None:
    found = solve_ending(SolveRequest(table=LAST_DEAL), FREE)

    assert ("9♣x9♥", 1) == (found.moves[0].text, found.best)


def test_the_requests_rules_apply_to_a_table_without_rules() -> None:
    short = Context(rules=Rules.preset("short"))
    table = 'hands = ["2♠", "9♣"]\nloose = "9♥"\npiles = ["the rest", ""]\nstock = ""\nlast_capture = 0\n'
    found = list_moves(MovesRequest(table=table), short)

    assert short.rules.rules_id == found.rules_id
    with pytest.raises(InputError) as refused:
        list_moves(MovesRequest(table=f'rules = "default"\n{table}'), short)
    assert ("two_rules", "rules") == (refused.value.refusal.code, refused.value.refusal.where)


@pytest.mark.parametrize(
    ("answer", "request_"),
    [
        (list_moves, MovesRequest()),
        (list_moves, MovesRequest(table=TABLE, hand=cards("7♠"))),
        (list_moves, MovesRequest(hand=cards("7♠"), estimate=True)),
        (prove_odds, OddsRequest()),
        (prove_odds, OddsRequest(table=TABLE, view=KNOWN)),
        (solve_ending, SolveRequest()),
        (solve_ending, SolveRequest(table=LAST_DEAL, view=KNOWN)),
    ],
)
def test_a_request_needs_exactly_one_table(answer: Any, request_: Any) -> None:  # noqa: ANN401  any question
    with pytest.raises(InputError) as refused:
        answer(request_, FREE)

    assert ("no_table", "table") == (refused.value.refusal.code, refused.value.refusal.where)


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ('hands = ["", ""]', "cards are to be dealt first"),
        ('hands = ["", ""]\npiles = ["the rest", ""]\nstock = ""\nlast_capture = 0', "the game is over"),
    ],
)
def test_1_4_a_table_without_a_seat_on_turn_is_refused(table: str, why: str) -> None:
    with pytest.raises(IllegalMove, match=why):
        list_moves(MovesRequest(table=table), FREE)
    with pytest.raises(IllegalMove, match=why):
        prove_odds(OddsRequest(table=table), FREE)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(InputError, match="unknown kind of move 'theft'"):
        list_moves(MovesRequest(table=TABLE, kind="theft"), FREE)


def test_only_a_server_refuses_a_table_with_too_many_moves() -> None:
    with pytest.raises(WorkLimitError, match="at most 16 loose cards"):
        prove_odds(OddsRequest(table=CROWDED), SERVED)

    assert 20 == len(prove_odds(OddsRequest(table=CROWDED), FREE).table)


# --- games of bots ---------------------------------------------------------------------------------------------------


def test_estimates_have_their_visits() -> None:
    found = list_moves(MovesRequest(table=TABLE, iterations=60), FREE)

    assert (60, "yuma") == (found.iterations, found.seed)
    assert 60 == sum(one.estimate.visits for one in found.moves if one.estimate)


def test_an_estimate_has_two_thousand_games_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def estimate(view: object, iterations: int, seed: str, report: object) -> dict[Any, Any]:  # noqa: ARG001  the signature of the replaced function
        played.append(iterations)
        return {}

    monkeypatch.setattr("oddsmith.games.casino.questions.moves.estimate_moves", estimate)

    assert 2_000 == list_moves(MovesRequest(table=TABLE, estimate=True), FREE).iterations
    assert [2_000] == played


def test_1_3_a_position_has_a_seat_on_turn_unless_the_game_is_over() -> None:
    begun, over = (make_position(PositionRequest(plies=plies, bot="greedy"), FREE) for plies in (8, 52))

    assert (8, 2, False) == (begun.plies, begun.state.deal, begun.state.is_over)
    assert (6, True) == (over.state.deal, over.state.is_over)
    assert begun.state == read_position(begun.toml)


def test_the_seed_is_random_by_default() -> None:
    lucky = Context(rules=DEFAULT, draw=Scripted([7]))

    assert ("yuma", "7") == (choose_seed(FREE), choose_seed(lucky))


def test_lines_are_counted_by_depth_and_first_move() -> None:
    notes: list[str] = []
    context = Context(rules=DEFAULT, note=notes.append)
    found = count_lines(PerftRequest(seed="1", depth=2, divide=True), context)

    assert (7, 31) == found.lines
    assert found.divided is not None
    assert 31 == sum(one.lines for one in found.divided)
    assert [note.partition(" ")[2] for note in notes] == ["lines a second"]


def test_a_deck_is_given_or_shuffled_by_a_seed() -> None:
    usual = count_lines(PerftRequest(depth=1), FREE)
    given = count_lines(PerftRequest(deck=" ".join(map(str, usual.deck)), depth=1), FREE)

    assert (usual, None) == (given, given.divided)
    assert usual == count_lines(PerftRequest(seed="oddsmith", depth=1), FREE)
    with pytest.raises(InputError, match="give one of the two"):
        count_lines(PerftRequest(seed="1", deck=usual.deck), FREE)


def test_every_deal_of_a_tournament_is_played_from_every_seat() -> None:
    found = hold_tournament(TournamentRequest(bots=("greedy", "random"), games=3), FREE)

    assert (2, 2, 4, "yuma") == (found.players, found.deals, found.games, found.seed)
    assert pytest.approx(1) == sum(one.share.mean for one in found.bots)
    assert pytest.approx(1) == sum(one.share.mean for one in found.seats)


# --- limits on a server ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "request_", "code"),
    [
        (list_moves, MovesRequest(table=TABLE, iterations=2_001), "too_many_iterations"),
        (make_position, PositionRequest(bot="search"), "slow_bot"),
        (count_lines, PerftRequest(depth=4), "too_deep"),
        (hold_tournament, TournamentRequest(bots=("greedy", "search"), games=4), "slow_bot"),
        (hold_tournament, TournamentRequest(bots=("greedy",), games=201), "too_many_games"),
        (hold_tournament, TournamentRequest(bots=("greedy",), games=4, jobs=2), "too_many_games"),
    ],
)
def test_a_server_refuses_requests_that_take_long(answer: Any, request_: Any, code: str) -> None:  # noqa: ANN401  any question
    with pytest.raises(WorkLimitError) as refused:
        answer(request_, SERVED)

    assert code == refused.value.refusal.code


@pytest.mark.parametrize(
    ("answer", "request_"),
    [
        (list_moves, MovesRequest(table=TABLE, iterations=20)),
        (count_lines, PerftRequest(depth=1)),
        (hold_tournament, TournamentRequest(bots=("greedy",), games=3)),
    ],
)
def test_a_server_aborts_requests_that_take_too_long(
    answer: Any,  # noqa: ANN401  any question
    request_: Any,  # noqa: ANN401  its request
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fields, "LIMITED_SECONDS", -1.0)
    with pytest.raises(WorkLimitError) as refused:
        answer(request_, SERVED)

    assert "too_long" == refused.value.refusal.code


def test_a_server_receives_progress() -> None:
    reported: list[float] = []
    limit_time(reported.append, SERVED, "this")(0.5)

    assert [0.5] == reported


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(OddsmithError, match="unknown bot 'greeedy' of casino"):
        make_position(PositionRequest(bot="greeedy"), SERVED)


def test_questions_are_those_of_commands_and_clients() -> None:
    assert [
        "classify",
        "position",
        "moves",
        "odds",
        "solve",
        "perft",
        "tournament",
    ] == [question.name for question in QUESTIONS if question.is_command]
    assert ["score", "drops", "dialog", "unstage"] == [
        question.name for question in QUESTIONS if not question.is_command
    ]
