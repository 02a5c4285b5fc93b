"""A Fate Deck game in the terminal: the person is the game master, calls checks and counts cards."""

from typing import Any

import pytest

from oddsmith.cli.replies import ReplayReply
from oddsmith.errors import OddsmithError
from oddsmith.game import EVERYONE, Event
from oddsmith.games.fate import model
from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.engine import GAME
from oddsmith.games.fate.rule_types import CardKind, CardSuit
from oddsmith.games.fate.rules import DEFAULT, Rules
from oddsmith.games.fate.terminal.play import choice_lines, event_lines, read_answer, state_lines
from oddsmith.terminal import Reply
from tests.cli.running import ESCAPE, read_rest, run, terminal

pytestmark = pytest.mark.usefixtures("folder")

QUIET = (
    "--set",
    "abilities={peek=0, reorder=0, to_bottom=0, discard=0, return=0, extra=0, redraw=0, reshuffle=0}",
)
KEYS = "easy calls it for player 1, 2 easy for another, e ends the turn, ? odds, h helps"


def play_fate(*options: str, stdin: str, seats: str = "3") -> Any:  # noqa: ANN401  the result of the command
    """Run `oddsmith play fate` with players without abilities."""
    return run("play", "fate", "--seats", seats, "--seed", "yuma", *QUIET, *options, stdin=stdin)


def state_after(*moves: str, rules: Rules = DEFAULT) -> model.State:
    """Return the state of a game master and two players after moves in record notation."""
    state = GAME.setup(rules, 3)
    for move in moves:
        state = GAME.step(state, GAME.read(state, move)).state
    return state


def read_answer_of(answer: str, state: model.State, seat: int) -> model.Action | Reply:
    """Return what the terminal makes of a seat's answer."""
    return read_answer(answer, GAME.view(state, seat), GAME.actions(state, seat))


# --- playing ---------------------------------------------------------------------------------------------------------


def test_6_3_the_game_master_sees_the_turn_and_the_checks() -> None:
    """Turn, successes, known cards, every check with target and trigger, and the keys."""
    lines = play_fate(stdin="q\n").lines

    assert [
        "",
        "turn 1 of 12: player 1   checks called: 0 of 3",
        "successes player 1 has 0, player 2 has 0",
        "deck      18 cards",
        "call a check that can go either way: ? has the odds of each from what you have seen",
        "  easy     reach 2",
        "  fair     reach 3",
        "  hard     reach 4",
        "  heroic   reach 5",
        "  fortune  the total counts",
        "  omen     reach 3; single(spade)",
        "  oath     reach 4; both(red)",
        KEYS,
        "> q",
        "left the table",
    ] == lines


def test_6_3_a_check_is_called_by_its_name() -> None:
    """The name alone is for the player on turn, a number before it for another; drawn cards are remembered."""
    lines = play_fate("--record", "game.toml", stdin="hard\n2 omen\nq\n").lines
    moves = run("replay", "game.toml", "--json").reply(ReplayReply).moves
    cards = [move.removeprefix("* ") for move in moves if move.startswith("*")]

    assert ("0 call 1 hard", "0 call 2 omen") == tuple(move for move in moves if " call " in move)
    assert "you called for hard: player 1, on turn" in lines
    assert "you called for omen: player 2, off turn" in lines
    assert f"  drawn: {cards[0]}   17 left" in lines
    assert f"discards  3, from the top: {' '.join(reversed(cards))}" in lines
    assert "turn 1 of 12: player 1   checks called: 2 of 3" in lines


def test_7_1_odds_are_counted_from_seen_cards() -> None:
    """`?` lists the odds of every check, on turn for one player and off turn for the others."""
    lines = play_fate(stdin="?\nq\n").lines
    first = lines.index("> ?") + 1

    assert [
        "check             asks  player 1  player 2",
        "easy           reach 2   80.39 %   50.00 %",
        "fair           reach 3   63.40 %   27.78 %",
        "hard           reach 4   36.60 %       0 %",
        "heroic         reach 5   19.61 %       0 %",
        "fortune     mean total      3.00      1.50",
        "omen           reach 3   63.40 %   27.78 %",
        "omen     single(spade)   45.10 %   27.78 %",
        "oath           reach 4   36.60 %       0 %",
        "oath         both(red)   23.53 %       0 %",
        "exact, from what you have seen",
    ] == lines[first : first + 11]


def test_2_3_players_with_different_modifiers_have_different_odds() -> None:
    """Players with equal odds share a column."""
    lines = play_fate("--set", "modifiers=[1, 2]", stdin="?\nq\n", seats="5").lines

    assert "check             asks  player 1  player 2  players 3 4" in lines
    assert "fair           reach 3   80.39 %   72.22 %      27.78 %" in lines


def test_help_explains_every_key() -> None:
    assert "  2 easy  call it for player 2" in play_fate(stdin="h\nq\n").lines


@pytest.mark.parametrize("preset", ["default", "best", "worst"])
def test_2_2_help_says_which_cards_count(preset: str) -> None:
    """The sum, the best or the worst, as the rules of the game combine them."""
    counted = {"default": "sum"}.get(preset, preset)

    assert f"The total of a check is the {counted} of its cards, with the player's modifier." in (
        play_fate("--preset", preset, stdin="h\nq\n").lines
    )


def test_6_1_with_one_player_help_names_no_other() -> None:
    lines = play_fate(stdin="h\nq\n", seats="2").lines

    assert "  easy    call that check for the player on turn" in lines
    assert not [line for line in lines if "player 2" in line]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("hrad", "unknown check 'hrad' — did you mean 'hard'? Known: easy, fair, hard, heroic, fortune, omen, oath"),
        ("9 hard", "players have seats 1 to 2, not 9"),
        ("0 hard", "players have seats 1 to 2, not 0"),
        ("", "'' is no answer: the name of a check, e, ?, or h for help"),
        ("[red]", "'[red]' is no answer: the name of a check, e, ?, or h for help"),
        ("peek 3", "'peek 3' is no answer: the name of a check, e, ?, or h for help"),
        ("x" * 300, "unknown check '" + "x" * 60 + "'; known: easy, fair, hard, heroic, fortune, omen, oath"),
    ],
)  # fmt: skip
def test_an_invalid_answer_is_asked_again(answer: str, sentence: str) -> None:
    """The reason is shown and the game goes on."""
    lines = play_fate(stdin=f"{answer}\nq\n").lines

    assert sentence == lines[-3]
    assert "left the table" == lines[-1]


def test_6_3_checks_per_turn_are_limited() -> None:
    """After the third check only the end of the turn is left."""
    lines = play_fate(stdin="easy\neasy\neasy\neasy\ne\nq\n").lines

    assert "no check is left in this turn: e ends it" in lines
    assert "a turn has at most 3 checks: end it" in lines
    assert "turn 2: player 2" in lines


def test_6_4_the_last_turn_ends_the_game() -> None:
    """The successes are shown; players with abilities play to the end, too."""
    rules = ("--set", "turns=2")
    lines = play_fate(*rules, stdin="easy\ne\nend\n").lines
    busy = run(
        "play", "fate", "--seats", "4", "--seed", "a", *rules, stdin="easy\noath\ne\n2 omen\n3 fair\ne\n"
    ).lines

    assert [line for line in lines if line.startswith("the last turn is over: player 1 ")]
    assert "over: the last turn is over" == lines[-1]
    assert lines[-1] == busy[-1]


def test_a_game_is_replayed_to_a_spectator(tmp_path: Any) -> None:  # noqa: ANN401  pytest's path
    """A spectator sees open events only, and the sizes of deck and discard pile."""
    record = str(tmp_path / "game.toml")
    run("play", "fate", "--seats", "2", "--seed", "yuma", "--record", record, stdin="hard\ne\nq\n")
    lines = run("replay", record).lines

    assert "      the game master called for hard: player 1, on turn" in lines
    assert not [line for line in lines if line.startswith(("unseen", "      you"))]


def test_a_game_of_one_seat_is_refused() -> None:
    """The sentence names the least number of seats."""
    result = run("play", "fate", "--seats", "1")

    assert (2, "error: the Fate Deck is for 2 to 7 seats, not 1\n") == (result.status, result.err)


def test_the_least_number_of_seats_is_the_default() -> None:
    """A game master and one player."""
    result = run("play", "fate", "--seed", "yuma", *QUIET, stdin="q\n")

    assert 0 == result.status
    assert any("easy calls it for player 1, e ends the turn" in line for line in result.lines)


def test_in_a_terminal_red_cards_are_red() -> None:
    """Colours are used only in a terminal."""
    with terminal("play", "fate", "--seats", "2", "--seed", "yuma", *QUIET) as child:
        child.expect("> ")
        child.sendline("2 hard")
        child.sendline("q")
        _, output = read_rest(child)

    assert f"{ESCAPE}31m" in output


# --- every stage, every event ----------------------------------------------------------------------------------------


def test_6_2_a_player_chooses_by_number_or_in_words() -> None:
    """Actions are numbered in record notation; both forms mean the same, and `?` shows the odds."""
    state = state_after()
    lines = [*choice_lines(GAME.view(state, 1), GAME.actions(state, 1))]

    assert "  [bold] 1[/]  peek 1" == lines[0]
    assert model.Peek(2) == read_answer_of("2", state, 1) == read_answer_of("peek 2", state, 1)
    assert model.Ready() == read_answer_of("ready", state, 1)
    assert (
        "[bold]check             asks  player 1  player 2[/]" == reply_lines(read_answer_of("?", state, 1))[0]
    )
    assert reply_lines(read_answer_of("99", state, 1)) == (
        "[red]type a number from 1 to 9, or q to leave[/]",
    )


def reply_lines(answer: model.Action | Reply) -> tuple[str, ...]:
    assert isinstance(answer, Reply)

    return answer.lines


@pytest.mark.parametrize(
    ("answer", "code"),
    [("peek 9", "bad_count"), ("reorder 1 0", "not_peeked"), ("end", "not_now"), ("fly", "bad_move")],
)
def test_5_1_a_move_against_the_rules_is_refused(answer: str, code: str) -> None:
    """For example peeking at more cards than there are, or reordering without a peek."""
    with pytest.raises(OddsmithError) as refused:
        read_answer_of(answer, state_after(), 1)

    assert code == refused.value.refusal.code


def test_2_4_the_open_check_is_shown() -> None:
    """Its cards and those set aside; no odds are left to count."""
    called = ("1 ready", "0 call 1 hard", "* A♠", "* J♥")
    redrawn = ("1 redraw", "* 3♠", "* 2♠")
    one, other = (GAME.view(state_after(*called, *more), 1) for more in ((), redrawn))

    assert "check     hard of you: A♠ [red]J♥[/]" == [*state_lines(one)][-2]
    assert "check     hard of you: 3♠ 2♠, set aside A♠ [red]J♥[/]" == [*state_lines(other)][-2]
    assert 1 == len(reply_lines(read_answer_of("?", state_after(*called), 1)))


def test_odds_with_too_many_cases_are_named_as_such() -> None:
    """Five of forty cards have more hands than are counted."""
    forty = tuple(CardKind(name=f"c{number}", value=1, suit=CardSuit.NONE) for number in range(40))
    state = state_after(rules=Rules(on_turn=5, cards=forty))

    assert ("[red]there are too many ways to count them[/]",) == reply_lines(read_answer_of("?", state, 1))


RESULT = model.Result(cards=("3♠", "A♥"), value=4, modifier=-1, total=3, success=False, triggered=False)
PLAIN = model.Result(cards=("RJ",), value=0, modifier=0, total=0, success=None, triggered=None)
GOOD = model.Result(cards=("3♠",), value=3, modifier=2, total=5, success=True, triggered=True)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (model.TurnBegan(audience=EVERYONE, turn=2, player=2), "[bold]turn 2[/]: player 2"),
        (
            model.CalledCheck(audience=EVERYONE, caller=0, player=1, check="hard", on_turn=True),
            "the game master called for [bold]hard[/]: you, on turn",
        ),
        (
            model.Drawn(audience=EVERYONE, player=1, card="A♥", left=3),
            "  drawn: [bold][red]A♥[/][/]   3 left",
        ),
        (model.Kept(audience=EVERYONE, player=1, cards=("3♠",)), "  kept: [bold]3♠[/]"),
        (
            model.Resolved(audience=EVERYONE, player=1, check="hard", result=RESULT),
            "  you: 3♠ [red]A♥[/] make 4 − 1 = 3, [bold red]failure[/], the trigger does not fire",
        ),
        (
            model.Resolved(audience=EVERYONE, player=2, check="fortune", result=PLAIN),
            "  player 2: RJ makes 0",
        ),
        (
            model.Resolved(audience=EVERYONE, player=2, check="omen", result=GOOD),
            "  player 2: 3♠ makes 3 + 2 = 5, [bold green]success[/], the trigger [green]fires[/]",
        ),
        (
            model.Used(audience=EVERYONE, player=2, ability=Ability.PEEK, count=2),
            "player 2 used peek: 2 cards",
        ),
        (
            model.Used(audience=EVERYONE, player=1, ability=Ability.RESHUFFLE, count=1),
            "you used reshuffle",
        ),
        (model.Peeked(audience=(1,), cards=("3♠", "RJ")), "  on top, from the top: [bold]3♠ RJ[/]"),
        (model.Reshuffled(audience=EVERYONE, size=17), "[bold]the deck was shuffled anew[/]: 17 cards"),
        (
            model.Ended(audience=EVERYONE, successes=(2, 1)),
            "[bold]the last turn is over[/]: player 1 has 2, player 2 has 1; player 1 wins",
        ),
        (
            model.Ended(audience=EVERYONE, successes=(2, 1, 2)),
            "[bold]the last turn is over[/]: player 1 has 2, player 2 has 1, player 3 has 2; players 1 and 3 win together",
        ),
        (
            model.Ended(audience=EVERYONE, successes=(0, 0)),
            "[bold]the last turn is over[/]: player 1 has 0, player 2 has 0; nobody wins",
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Event) else "",
)
def test_every_event_has_one_line(event: Event, sentence: str) -> None:
    """The line names the seat as you, a player or the game master; a call has its story in a line of its own."""
    lines = [*event_lines([event], GAME.view(state_after(), 1))]

    assert [sentence] == [line for line in lines if not line.startswith("  [italic]")]
