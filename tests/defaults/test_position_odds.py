"""The question `odds` of any game: exact odds agree with enumeration, estimates agree with exact odds."""

from fractions import Fraction
from typing import Any, Final

import msgspec
import pytest

from oddsmith import wire
from oddsmith.defaults.position_odds import OddsReply, estimate_chance, estimate_mean
from oddsmith.errors import InputError, OddsmithError, WorkLimitError
from oddsmith.figure import Basis
from oddsmith.game import Act
from oddsmith.mechanic import Mechanic
from oddsmith.position import Card, Hidden, cards
from oddsmith.question import Context
from oddsmith.records import Record
from tests.defaults.again import MECHANIC as AGAIN
from tests.defaults.brute_force import example, expect, views_by_depth

PIG, KUHN, CAVE, BLACKJACK, HOLD, LIARS_DICE = map(
    example, ("pig", "kuhn", "cave", "blackjack", "hold_and_draw", "liars_dice")
)


class SmallBlackjack(BLACKJACK.game.state_type):  # type: ignore[misc, name-defined]  # a class made at run time
    """Blackjack with eight cards."""

    stock: Hidden[tuple[Card, ...]] = cards("A♠ 5♠ 6♠ 7♠ 9♠ 10♠ K♠")


SMALL: Final = Mechanic(SmallBlackjack)


def ask(mechanic: Mechanic, *settings: str, is_limited: bool = False, **given: Any) -> OddsReply:  # noqa: ANN401  fields of a request
    question = mechanic.questions["odds"]
    rules = mechanic.rules_type().with_settings(settings)
    reply: OddsReply = question.answer(
        wire.from_builtins(given, question.request), Context(rules=rules, is_limited=is_limited)
    )
    return reply


def rows_of(reply: OddsReply) -> dict[str | None, tuple[Fraction, Fraction]]:
    return {row.line: (row.win, row.score) for row in reply.rows}


def test_coin_pig_is_won_by_the_first_seat_in_two_of_three_games() -> None:
    """A roll of 2 wins, a roll of 1 gives the turn away: p = 1/2 + 1/2 (1 − p)."""
    reply = ask(PIG, "goal=2", "sides=2")

    assert (Basis.EXACT, "choice", 0) == (reply.basis, reply.waits, reply.seat)
    assert {"0 roll": (Fraction(2, 3), Fraction(4, 3))} == rows_of(reply)


def test_a_roll_that_must_win_is_worth_its_chance() -> None:
    """With 2 of 4 points in the pot of two-sided Pig: a roll wins or passes, to hold banks 2 of 4 points."""
    reply = ask(PIG, "goal=4", "sides=2", moves=["0 roll", "* 2"])
    fresh = ask(PIG, "goal=4", "sides=2").rows[0].win
    behind = ask(PIG, "goal=4", "sides=2", moves=["0 roll", "* 2", "0 hold"]).rows[0].win

    assert Fraction(1, 2) + (1 - fresh) / 2 == rows_of(reply)["0 roll"][0]
    assert 1 - behind == rows_of(reply)["0 hold"][0]
    assert ["0 roll"] == [row.line for row in reply.rows if row.is_best]


@pytest.mark.parametrize(
    ("mechanic", "seat", "depth"),
    [(KUHN, 0, 1), (KUHN, 1, 2), (KUHN, 0, 3), (SMALL, 0, 3), (SMALL, 0, 5)],
    ids=["kuhn opens", "kuhn answers", "kuhn last", "blackjack", "blackjack hit"],
)
def test_odds_agree_with_the_enumeration_of_all_deals(mechanic: Mechanic, seat: int, depth: int) -> None:
    """Every view of a seat after some moves, and every action: the mean over all deals that lead to the view."""
    game = mechanic.game
    views = views_by_depth(game, game.setup(mechanic.rules_type(), game.seats(None)[0]), seat, depth)
    assert views
    for view, states in [*views.items()][:6]:
        reply = ask(mechanic, view=wire.to_builtins(view), seat=seat)
        total = sum(states.values())
        for row, action in zip(reply.rows, game.actions(next(iter(states)), seat), strict=True):
            found = [
                (expect(game, game.step(state, Act(seat, action)).state, seat), chance)
                for state, chance in states.items()
            ]

            assert Basis.EXACT is reply.basis
            assert sum(chance * value[0] for value, chance in found) / total == row.win
            assert sum(chance * value[1] for value, chance in found) / total == row.score


def test_a_greedy_opponent_folds_the_worst_card_and_calls_with_the_best() -> None:
    """Against a bet: with J a call never wins, with K it always does; a queen that bets wins by a fold of J alone."""
    reply = ask(KUHN, moves=["* Q♠ | K♠"], play="greedy")

    assert Basis.EXACT is reply.basis
    assert (Fraction(1, 2), Fraction(-1, 2)) == rows_of(reply)["0 bet"]


def test_perfect_play_of_one_seat_maximises_its_score() -> None:
    """A solitaire with open places: keep a die of 4 to 6, roll a lower one again; (4 + 5 + 6 + 3 · 3.5) / 6 = 4.25."""
    reply = ask(AGAIN, play="best", moves=["* 3"])

    assert {"0 again": Fraction(7, 2), "0 keep": Fraction(3)} == {row.line: row.score for row in reply.rows}
    assert Fraction(17, 4) == ask(AGAIN, play="best").rows[0].score
    assert Fraction(7, 2) == ask(AGAIN, play="random").rows[0].score


@pytest.mark.parametrize(
    ("mechanic", "settings", "words"),
    [
        (PIG, ("goal=2", "sides=2"), "a state can come back"),
        (KUHN, (), "games with hidden places are not solved yet"),
        (CAVE, ("richest=1", "hazards=1"), "seats 0, 1 decide at the same time"),
    ],
    ids=["cycles", "hidden", "simultaneous"],
)
def test_perfect_play_is_refused_where_it_is_not_solved(
    mechanic: Mechanic, settings: tuple[str, ...], words: str
) -> None:
    with pytest.raises(OddsmithError, match=f"perfect play: .*{words}") as caught:
        ask(mechanic, *settings, play="best")

    assert "play" == caught.value.refusal.where


def test_an_estimate_is_within_its_error_of_the_exact_odds() -> None:
    """The same position is exact at the command line, and estimated under the limit of a server."""
    exact = ask(PIG, "goal=14", moves=["0 roll", "* 6"])
    found = ask(PIG, "goal=14", moves=["0 roll", "* 6"], is_limited=True)

    assert (Basis.EXACT, Basis.ESTIMATED, 1_000) == (exact.basis, found.basis, found.games)
    for true, row in zip(exact.rows, found.rows, strict=True):
        assert 0 < row.win_error < 0.04
        assert abs(row.win - true.win) <= 1.5 * row.win_error
        assert abs(row.score - true.score) <= 1.5 * row.score_error


def test_an_estimate_is_the_same_for_the_same_seed() -> None:
    given: dict[str, Any] = {"moves": ["* 5"], "games": 20}
    one, same, other = (ask(CAVE, is_limited=True, seed=seed, **given) for seed in ("a", "a", "b"))

    assert Basis.ESTIMATED is one.basis
    assert one == same
    assert one != other


def test_hidden_cards_do_not_change_odds() -> None:
    """Two deals that look the same to a seat have the same odds, exact or estimated; 19 should stand against a 6."""
    kuhn = [ask(KUHN, moves=[deal], seat=0) for deal in ("* Q♠ | K♠", "* Q♠ | J♠")]
    moves = ["* 9♠ 10♠", "* 6♥"]
    hole = [ask(BLACKJACK, moves=[*moves, card], games=50, is_limited=True) for card in ("* 5♦", "* K♦")]

    assert kuhn[0] == kuhn[1]
    assert hole[0] == hole[1]
    assert ["0 stand"] == [row.line for row in hole[0].rows if row.is_best]


def test_a_record_up_to_a_ply_is_a_position() -> None:
    moves = ("0 roll", "* 5", "0 roll", "* 3")
    record = Record(rules=PIG.rules_type(goal=10), seats=("Ann", "Bo"), moves=moves).to_toml()

    assert ask(PIG, record=record, ply=2) == ask(PIG, "goal=10", moves=moves[:2])
    assert ask(PIG, record=record) == ask(PIG, "goal=10", moves=moves)


def test_a_position_says_what_it_waits_for() -> None:
    """Luck, another seat, and nothing; one row has the odds of the seat that asks."""
    luck = ask(KUHN, seat=1)
    others = ask(KUHN, moves=["* Q♠ | K♠"], seat=1)
    over = ask(KUHN, moves=["* Q♠ | K♠", "0 bet", "1 call"], seat=1)

    assert ["luck", "others", "over"] == [reply.waits for reply in (luck, others, over)]
    assert [[None]] * 3 == [[row.line for row in reply.rows] for reply in (luck, others, over)]
    assert (Fraction(1), Fraction(2)) == (over.rows[0].win, over.rows[0].score)
    assert Fraction(7, 16) == luck.rows[0].win


@pytest.mark.parametrize(
    ("given", "code", "where"),
    [
        ({"moves": ["* 2"], "record": "x"}, "one_position", "record"),
        ({"ply": 1}, "no_record", "ply"),
        ({"seats": 9}, "bad_seats", "seats"),
        ({"seat": 2}, "bad_seat", "seat"),
        ({"moves": ["0 jump"]}, "unreadable_move", "ply 1"),
        ({"moves": ["0 hold"]}, "illegal_move", "ply 1"),
        ({"record": "format = 1"}, "unknown_format", "format"),
    ],
    ids=["two positions", "no record", "seats", "seat", "unreadable", "illegal", "no record text"],
)
def test_a_position_that_cannot_be_is_refused(given: dict[str, Any], code: str, where: str) -> None:
    with pytest.raises(OddsmithError) as caught:
        ask(PIG, **given)

    assert (code, where) == (caught.value.refusal.code, caught.value.refusal.where)


def test_a_record_of_another_game_is_refused() -> None:
    record = Record(rules=PIG.rules_type(), seats=("Ann", "Bo")).to_toml()
    with pytest.raises(OddsmithError, match="this is a record of 'pig', not of kuhn"):
        ask(KUHN, record=record)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"pot": 10**9}, "number_too_large"),
        ({"scores": []}, "bad_view"),
        ({"seat": 7}, "bad_seat"),
    ],
    ids=["large", "no scores", "no seat"],
)
def test_a_view_from_which_play_cannot_go_on_is_refused(change: dict[str, Any], code: str) -> None:
    game = PIG.game
    view = wire.to_builtins(game.view(game.setup(PIG.rules_type(), 2), 0))
    with pytest.raises(InputError) as caught:
        ask(PIG, view={**view, **change})

    assert code == caught.value.refusal.code


def test_a_view_of_another_seat_is_refused() -> None:
    """Hold and draw lists the actions of a hand: a spectator does not know them."""
    game = HOLD.game
    [(_, states)] = list(_dealt(game).items())[:1]
    view = wire.to_builtins(game.view(states, None))
    with pytest.raises(InputError, match="seat 0 sees more than this view"):
        ask(HOLD, view=view, seat=0, games=10)


def _dealt(game: Any) -> dict[int, Any]:  # noqa: ANN401  any game
    start = game.setup(HOLD.rules_type(), 2)
    return {0: game.step(start, game.read(start, "* 2♠ 3♠ 4♠ 5♠ 7♠ | 2♥ 3♥ 4♥ 5♥ 7♥")).state}


def test_too_much_play_is_refused_on_a_server() -> None:
    """The bot greedy plays games out before each choice."""
    with pytest.raises(WorkLimitError, match='ask for play "random"'):
        ask(CAVE, is_limited=True, play="greedy")


def test_a_server_estimates_the_odds_of_many_actions_with_few_games() -> None:
    """The first bid of liar's dice, three seats with five dice each: 90 bids."""
    game = LIARS_DICE.game
    state = game.setup(LIARS_DICE.rules_type(), 3)
    for line in ("* [1,2,3,4,5]", "* [1,1,2,2,6]", "* [3,3,3,3,3]"):
        state = game.step(state, game.read(state, line)).state
    reply = ask(LIARS_DICE, is_limited=True, view=game.view(state, 0), seat=0)

    assert 90 == len(reply.rows)
    assert Basis.ESTIMATED is reply.basis
    assert all(row.win_error > 0 for row in reply.rows)


def test_a_sample_that_never_won_has_an_error() -> None:
    """None of 100: the Wilson interval ends at 3.7 %."""
    win, error = estimate_chance({Fraction(0): 100})

    assert (Fraction(0), 0.037) == (win, round(error, 3))
    assert Fraction(5, 8) == estimate_mean({Fraction(1, 2): 3, Fraction(1): 1})[0]


def test_the_request_has_a_view_of_the_games_type() -> None:
    field = next(one for one in msgspec.structs.fields(KUHN.questions["odds"].request) if one.name == "view")

    assert KUHN.game.view_type in field.type.__args__[0].__args__
