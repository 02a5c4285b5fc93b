"""A game of the Fate Deck: seats, turns, who calls for checks, and the end (§2.1, §6)."""

from collections.abc import Callable

import msgspec
import pytest

from oddsmith.errors import IllegalMove
from oddsmith.game import EVERYONE, Act, Luck
from oddsmith.games.fate.engine import GAME
from oddsmith.games.fate.model import (
    CalledCheck,
    Drawn,
    Ended,
    Ready,
    Resolve,
    Resolved,
    Result,
    Stage,
    State,
    TurnBegan,
)
from oddsmith.games.fate.rules import DEFAULT, Rules
from oddsmith.points import Points
from tests.games.fate.builders import (
    OPEN,
    apply_line,
    decider,
    new_game,
    objection_to,
    only_event,
    outcome_of,
    refusal,
    state_after,
)

CALLING = state_after(new_game(), "1 ready")
ANSWERING = state_after(CALLING, "0 call 1 hard", "* 3♠", "* A♥")
SHORT = Rules(turns=2)


def test_6_1_a_game_master_and_one_to_six_players() -> None:
    """Two to seven seats."""
    assert range(2, 8) == GAME.seats(DEFAULT)
    assert [1, 6] == [GAME.setup(DEFAULT, seats).players for seats in (2, 7)]


@pytest.mark.parametrize("seats", [0, 1, 8, -3])
def test_6_1_other_numbers_of_seats_are_refused(seats: int) -> None:
    """The sentence names the allowed numbers."""
    refused = refusal(lambda: GAME.setup(DEFAULT, seats))

    assert ("bad_seats", f"the Fate Deck is for 2 to 7 seats, not {seats}") == (
        refused.code,
        refused.sentence,
    )


def test_2_1_on_turn_two_cards_off_turn_one() -> None:
    """For the player on turn, and for another one."""
    on_turn = apply_line(CALLING, "0 call 1 hard")
    off_turn = apply_line(CALLING, "0 call 2 hard")

    assert CalledCheck(audience=EVERYONE, caller=0, player=1, check="hard", on_turn=True) == only_event(
        on_turn, CalledCheck
    )
    assert only_event(off_turn, CalledCheck).on_turn is False
    assert [Stage.DRAW, Stage.ANSWER] == [
        state_after(step.state, "* 3♠").stage for step in (on_turn, off_turn)
    ]


def test_2_4_a_check_from_call_to_resolution() -> None:
    """All seats receive cards, value, total, success and trigger."""
    drawn = apply_line(state_after(CALLING, "0 call 1 oath", "* 3♥"), "* A♦")
    done = apply_line(drawn.state, "1 resolve")

    assert Drawn(audience=EVERYONE, player=1, card="A♦", left=16) == only_event(drawn, Drawn)
    assert 1 == decider(drawn.state)
    assert (
        Resolved(
            audience=EVERYONE,
            player=1,
            check="oath",
            result=Result(cards=("3♥", "A♦"), value=4, modifier=0, total=4, success=True, triggered=True),
            gained=1,
        ),
    ) == done.events
    assert ((1, 0), Stage.CALL, None) == (done.state.successes, done.state.stage, done.state.check)


def test_2_4_a_check_without_target_has_no_success() -> None:
    """The total is the result."""
    done = apply_line(state_after(CALLING, "0 call 2 fortune", "* 3♥"), "2 resolve")

    assert (3, None, None) == msgspec.structs.astuple(only_event(done, Resolved).result)[3:6]
    assert (0, 0) == done.state.successes


def test_2_3_the_modifier_of_the_seat_is_added() -> None:
    """Players have one each, and seat 2 has 2."""
    state = state_after(new_game(Rules(modifiers=(-1, 2))), "1 ready", "0 call 2 heroic", "* 3♥")

    assert (3, 2, 5, True) == msgspec.structs.astuple(
        only_event(apply_line(state, "2 resolve"), Resolved).result
    )[1:5]


def test_6_2_turns_rotate() -> None:
    """The first player follows the last; between turns the game master chooses."""
    state, seen = new_game(players=3), []
    for turn in range(1, 6):
        player = decider(state)
        state = state_after(state, f"{player} ready")
        seen.append((player, decider(state)))
        step = apply_line(state, "0 end")
        state = step.state

        assert (TurnBegan(audience=EVERYONE, turn=turn + 1, player=turn % 3 + 1),) == step.events
    assert [(1, 0), (2, 0), (3, 0), (1, 0), (2, 0)] == seen


def test_6_2_being_ready_has_no_event() -> None:
    assert ((), Stage.CALL) == (apply_line(new_game(), "1 ready").events, CALLING.stage)


def test_6_3_a_turn_has_three_checks() -> None:
    """The fourth is refused; in the next turn there are three again."""
    state = CALLING
    for card in ("3♠", "3♥", "3♦"):
        state = state_after(state, "0 call 2 easy", f"* {card}", "2 resolve")
    refused = objection_to(state, "0 call 2 easy")
    following = state_after(state, "0 end", "2 ready")

    assert ("too_many_checks", "a turn has at most 3 checks: end it", "6.3") == (
        refused.code,
        refused.sentence,
        refused.paragraph,
    )
    assert "end_turn" == GAME.actions(state, 0)[0].__struct_config__.tag
    assert 15 == len(GAME.actions(following, 0))


def test_6_3_only_the_game_master_calls_for_checks() -> None:
    """A player is refused at any time; the game master must be the one who chooses."""
    for state in (new_game(), CALLING, ANSWERING):
        refused = objection_to(state, "1 call 1 hard")

        assert ("not_the_game_master", "6.3") == (refused.code, refused.paragraph)
        assert "only the game master calls for checks at this table" == refused.sentence
    assert "not_your_turn" == objection_to(new_game(), "0 call 1 hard").code


def test_6_3_under_open_rules_players_call_on_their_turn() -> None:
    """For themselves on turn, for others off turn, and then the turn goes on."""
    state = state_after(new_game(OPEN), "1 call 2 easy", "* 3♠", "2 resolve")
    own = apply_line(state, "1 call 1 hard")

    assert (1, Stage.PLAY, 1) == (decider(state), state.stage, state.called)
    assert CalledCheck(audience=EVERYONE, caller=1, player=1, check="hard", on_turn=True) == only_event(
        own, CalledCheck
    )
    assert "not_your_turn" == objection_to(new_game(OPEN), "2 call 2 easy").code
    assert "not_the_game_master" == objection_to(new_game(OPEN), "7 call 2 easy").code
    assert "not_your_turn" == objection_to(state_after(new_game(OPEN), "1 ready"), "1 call 1 easy").code


def test_6_3_checks_called_by_players_and_game_master_are_counted_together() -> None:
    """Two by the player leave one to the game master."""
    state = new_game(OPEN)
    for card in ("3♠", "3♥"):
        state = state_after(state, "1 call 2 easy", f"* {card}", "2 resolve")
    state = state_after(state, "1 ready", "0 call 2 easy", "* 3♦", "2 resolve")

    assert "too_many_checks" == objection_to(state, "0 call 1 easy").code


@pytest.mark.parametrize("player", [0, 3, 99])
def test_6_1_a_check_for_a_seat_that_is_no_player_is_refused(player: int) -> None:
    """The game master makes no checks."""
    refused = objection_to(CALLING, f"0 call {player} hard")

    assert ("no_such_player", f"players have seats 1 to 2, not {player}", "6.1") == (
        refused.code,
        refused.sentence,
        refused.paragraph,
    )


def test_6_3_an_unknown_check_is_refused() -> None:
    """The refusal suggests the nearest name."""
    refused = objection_to(CALLING, "0 call 1 herd")

    assert ("unknown_check", "6.3") == (refused.code, refused.paragraph)
    assert (
        "unknown check 'herd' — did you mean 'hard'? Known: easy, fair, hard, heroic, fortune, omen, oath"
        == (refused.sentence)
    )


PLAY = "now is the time to use an ability, or to be ready"
CALL = "now is the time to call for a check, or to end the turn"
ANSWER = "now is the time to resolve the check, or to change its cards"
KEEP = "now is the time to choose which cards to keep"


@pytest.mark.parametrize(
    ("state", "line", "sentence"),
    [
        (new_game(), "1 end", PLAY),
        (new_game(), "1 extra", PLAY),
        (CALLING, "0 peek 1", CALL),
        (CALLING, "0 ready", CALL),
        (ANSWERING, "1 peek 1", ANSWER),
        (ANSWERING, "1 keep 0", ANSWER),
        (state_after(ANSWERING, "1 extra", "* 3♥"), "1 resolve", KEEP),
    ],
)
def test_6_2_an_action_at_the_wrong_time_is_refused(state: State, line: str, sentence: str) -> None:
    """The sentence lists what the seat can choose."""
    refused = objection_to(state, line)

    assert ("not_now", sentence, "6.2") == (refused.code, refused.sentence, refused.paragraph)


@pytest.mark.parametrize(
    ("state", "line"),
    [
        (new_game(), "2 peek 1"),
        (new_game(), "0 end"),
        (CALLING, "1 ready"),
        (ANSWERING, "2 resolve"),
        (ANSWERING, "0 end"),
        (state_after(CALLING, "0 call 1 hard"), "1 resolve"),
        (state_after(new_game(), "1 peek 1"), "1 ready"),
        (new_game(), "9 ready"),
    ],
)
def test_6_2_a_seat_without_a_choice_is_refused(state: State, line: str) -> None:
    """Every seat is, while luck is due."""
    assert "not_your_turn" == objection_to(state, line).code


def test_6_4_after_the_last_turn_the_most_successes_win() -> None:
    """Two turns: seat 2 succeeds in one check, seat 1 in none."""
    state = state_after(
        new_game(SHORT), "1 ready", "0 call 1 heroic", "* 3♠", "* A♠", "1 resolve", "0 end", "2 ready",
        "0 call 2 easy", "* 2♠", "* 3♥", "2 resolve",
    )  # fmt: skip
    step = apply_line(state, "0 end")
    outcome = outcome_of(step.state)

    assert (Ended(audience=EVERYONE, successes=(0, 1)),) == step.events
    assert (2,) == outcome.winners
    assert (Points(0), Points(0), Points(1)) == outcome.scores


@pytest.mark.parametrize(("cards", "winners"), [(("3♠", "2♠"), (1, 2)), (("J♠", "J♥"), ())])
def test_6_4_players_may_share_the_win_and_without_success_no_one_wins(
    cards: tuple[str, str], winners: tuple[int, ...]
) -> None:
    """The game master is never a winner."""
    first, second = cards
    state = state_after(
        new_game(SHORT), "1 ready", "0 call 2 easy", f"* {first}", "2 resolve", "0 end", "2 ready",
        "0 call 1 easy", f"* {second}", "1 resolve", "0 end",
    )  # fmt: skip

    assert winners == outcome_of(state).winners


def test_6_4_after_the_end_every_move_is_refused() -> None:
    over = state_after(new_game(SHORT), "1 ready", "0 end", "2 ready", "0 end")

    assert {"game_over"} == {objection_to(over, line).code for line in ("1 ready", "0 end", "1 call 1 hard")}
    assert [(), ()] == [GAME.actions(over, seat) for seat in (0, 1)]


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: GAME.step(CALLING, Luck("3♠")), "no_luck_due"),
        (lambda: GAME.step(state_after(CALLING, "0 call 1 hard"), Luck("4♠")), "impossible_luck"),
        (lambda: GAME.step(state_after(CALLING, "0 call 1 hard", "* 3♠"), Luck("3♠")), "impossible_luck"),
        (lambda: GAME.step(state_after(new_game(), "1 peek 1"), Luck("")), "impossible_luck"),
    ],
)
def test_luck_is_refused_unless_it_is_due_and_possible(make: Callable[[], object], code: str) -> None:
    assert code == refusal(make, IllegalMove).code


def test_an_impossible_state_has_no_check_to_resolve() -> None:
    """A state that waits for an answer without a check is refused."""
    broken = msgspec.structs.replace(new_game(), stage=Stage.ANSWER)

    assert "no_check" == refusal(lambda: GAME.step(broken, Act(1, Resolve())), IllegalMove).code
    assert "not_now" == refusal(lambda: GAME.step(broken, Act(1, Ready())), IllegalMove).code


def test_6_2_actions_of_a_player_on_a_fresh_turn() -> None:
    """Three peeks, the bottom, three discards, a reshuffle, ready; no reorder and no return."""
    assert [
        "peek 1",
        "peek 2",
        "peek 3",
        "bottom",
        "discard 1",
        "discard 2",
        "discard 3",
        "reshuffle",
        "ready",
    ] == [GAME.write(new_game(), Act(1, action)).partition(" ")[2] for action in GAME.actions(new_game(), 1)]
