"""A game of Casino in the terminal: the table, moves by number or in notation, refusals with their reason."""

from contextlib import suppress
from typing import Any

import pytest

from oddsmith.cards import cards
from oddsmith.cli.replies import ReplayReply
from oddsmith.errors import InputError
from oddsmith.game import Act
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Move, MoveKind, State
from oddsmith.games.casino.position import read_position
from oddsmith.games.casino.rules import DEFAULT, Rules
from oddsmith.games.casino.terminal.play import choice_lines, event_lines, read_answer, state_lines
from oddsmith.terminal import Reply
from tests.cli.running import ESCAPE, read_rest, run, terminal

pytestmark = pytest.mark.usefixtures("folder")

KEYS = "a number, or a move as it is written; ? what moves gain, e estimates, h helps, q leaves"
FIRST_DEAL = """
hands = ["A♠ 3♠ 7♦ K♠", "2♦ 5♣ 8♥ J♣"]
loose = "7♠ 3♣ 4♥ Q♠"
"""


def play_casino(*options: str, stdin: str) -> Any:  # noqa: ANN401  the result of the command
    """Run `oddsmith play casino` against random bots."""
    words = ("play", "casino", "--seed", "1", "--against", "random", *options)
    return run(*words, stdin=stdin, ODDSMITH_COMPILED="0")


def answer_as_turn(answer: str, state: State) -> Move | Reply:
    """Return what the terminal makes of an answer of the seat on turn."""
    return read_answer(answer, GAME.view(state, state.turn), GAME.actions(state, state.turn))


def lines_of_move(state: State, move: str) -> list[str]:
    """Return the lines that seat 0 sees of a move, without colours."""
    step = GAME.step(state, GAME.read(state, move))
    return plain_text(event_lines(step.events, GAME.view(step.state, 0)))


def plain_text(lines: Any) -> list[str]:  # noqa: ANN401  lines in rich's markup
    """Return lines without markup."""
    from rich.text import Text  # noqa: PLC0415  rich is slow to load

    return [Text.from_markup(line).plain for line in lines]


# --- playing ---------------------------------------------------------------------------------------------------------


def test_a_person_sees_the_table_and_the_moves() -> None:
    """The deal, all piles, the table, the hand, and every move by number."""
    assert [
        "deal 1 of 6: 2♥ 8♣ 9♠ K♦ to the table",
        "you are dealt 3♠ 7♠ K♠ K♥",
        "",
        "deal 1 of 6   40 cards in the stock",
        "        cards  spades  sweeps  points now  in hand",
        "you         0       0       0           0        4",
        "seat 1      0       0       0           0        4",
        "table   2♥ 8♣ 9♠ K♦",
        "hand    3♠ 7♠ K♠ K♥",
        "    1  K♠x2♥+8♣           capture",
        "    2  K♠xK♦              capture",
        "    3  K♥x2♥+8♣           capture",
        "    4  K♥xK♦              capture",
        "    5  3♠+7♠xK♦  two-card capture",
        "    6  3♠+2♥=5              build",
        "    7  7♠+2♥=9              build",
        KEYS,
        "> q",
        "left the table",
    ] == play_casino(stdin="q\n").lines


@pytest.mark.parametrize("answer", ["1", "K♠x2♥+8♣", "ks x 8c+2h", "KS×2H+8C"])
def test_7_3_a_move_is_given_by_number_or_in_notation(answer: str) -> None:
    """Letters for suits, spaces and the order of cards are free."""
    lines = play_casino("--record", "game.toml", stdin=f"{answer}\nq\n").lines

    assert "you capture 2♥ 8♣ with K♠" in lines
    assert "0 K♠x2♥+8♣" == run("replay", "game.toml", "--json").reply(ReplayReply).moves[1]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("K♠", "in round 1 a card that can capture, build or extend may not be trailed: K♠ can capture 2♥ + 8♣ (§4.5)"),
        ("9♠", "9♠ is not in your hand (§4.5)"),
        ("7♠+9♠=16", "a build is worth at most 10: 7♠ + 9♠ is 16 (§4.3)"),
        ("3♠>9", "there is no build worth 9 on the table (§2.2)"),
        ("zz", "'zz' is no move: write 7♦x3♣+4♥, 3♠+4♦x7♥, 4♠+5♦=9, K♠&Q♠, 3♠>[2♥4♦] or 8♥"),
        ("8", "type a number from 1 to 7, or q to leave"),
        ("", "type a number or a move, h for help, or q to leave"),
        ("? 2♥", "no move is listed for 2♥: name a card of your hand, or a number"),
        ("? 0", "no move is listed for 0: name a card of your hand, or a number"),
        ("? 99", "no move is listed for 99: name a card of your hand, or a number"),
        ("? 1234567", "no move is listed for 1234567: name a card of your hand, or a number"),
        ("? [red]", "'[red]' is no card: write rank and suit, such as A♠, 10♦, QH or RJ"),
        ("[/]", "'[/]' is no move: write 7♦x3♣+4♥, 3♠+4♦x7♥, 4♠+5♦=9, K♠&Q♠, 3♠>[2♥4♦] or 8♥"),
    ],
)  # fmt: skip
def test_an_illegal_move_is_refused_with_its_paragraph_and_asked_again(answer: str, sentence: str) -> None:
    """The state does not change."""
    lines = play_casino(stdin=f"{answer}\n1\nq\n").lines

    assert sentence == lines[lines.index(f"> {answer.lower()}") + 1]
    assert "you capture 2♥ 8♣ with K♠" in lines


def test_gains_are_listed_for_all_moves_or_for_those_of_one_card() -> None:
    """With the numbers of the list."""
    lines = play_casino(stdin="?\n? kh\nq\n").lines
    all_moves, some = lines.index("> ?"), lines.index("> ? kh")

    assert [
        "       move                        points  cards  spades",
        "    1  K♠x2♥+8♣           capture       –      3       1  –",
        "    2  K♠xK♦              capture       –      2       1  –",
        "    3  K♥x2♥+8♣           capture       –      3       –  –",
    ] == lines[all_moves + 1 : all_moves + 5]
    assert [
        "       move               points  cards  spades",
        "    3  K♥x2♥+8♣  capture       –      3       –  –",
        "    4  K♥xK♦     capture       –      2       –  –",
    ] == lines[some + 1 : some + 4]


def test_help_explains_moves_and_keys() -> None:
    """Each kind of move once, in notation."""
    lines = play_casino(stdin="h\nq\n").lines
    first = lines.index("> h") + 1

    assert "  7♦x3♣+4♥    7♦ captures 3♣ and 4♥; 9♠x[4♠5♦] or 9♠x9 a build worth 9" == lines[first]
    assert [line.replace("> help", "> h") for line in play_casino(stdin="help\nq\n").lines] == lines


@pytest.mark.parametrize(
    ("options", "present", "absent"),
    [
        ((), ("3♠+4♦x7♥", "K♠&Q♠", "in deal 1 only"), ("7♦x3♣+4♥,7♠",)),
        (("--set", "two_card_capture=false"), (), ("3♠+4♦x7♥", "K♠&Q♠")),
        (("--preset", "short"), ("3♠+4♦x7♥",), ("K♠&Q♠",)),
        (
            ("--preset", "traditional"),
            ("7♦x3♣+4♥,7♠", "at most 4", "only if it can do nothing else"),
            ("in deal 1",),
        ),
        (("--set", "trail_restriction=never"), ("whatever else it could do",), ("only if",)),
    ],
    ids=["default", "no pairs", "short", "traditional", "free trails"],
)
def test_help_follows_the_rules(
    options: tuple[str, ...], present: tuple[str, ...], absent: tuple[str, ...]
) -> None:
    """Moves that the rules do not allow are not explained; the last card's rule always is."""
    text = "\n".join(play_casino(*options, stdin="h\nq\n").lines).partition("> h\n")[2].partition("\n> ")[0]

    assert "the last card of the game captures, builds or extends if it can" in text
    assert [] == [words for words in present if words not in text]
    assert [] == [words for words in absent if words in text]


def test_a_search_estimates_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """The most visited first, each with its visits."""
    monkeypatch.setattr("oddsmith.games.casino.terminal.play.ITERATIONS", 40)
    lines = play_casino(stdin="e\nq\n").lines
    first = lines.index("> e") + 1
    visits = [int(line.split()[-1]) for line in lines[first + 1 : first + 8]]

    assert "       move       share  visits" == lines[first]
    assert (40, sorted(visits, reverse=True)) == (sum(visits), visits)
    assert (
        "share: what the search expects to win, from the visits beside it (40 iterations)" == lines[first + 8]
    )


def test_5_2_a_game_is_played_to_its_end() -> None:
    """The player who captured last gets the rest, and the scores are shown."""
    lines = play_casino("--preset", "short", "--seats", "3", stdin="1\n" * 20).lines
    end = lines.index("you win")

    assert "7♣ 8♦ 9♣ 10♦: left on the table, to seat 1, who captured last" == lines[end - 1]
    assert [
        "        cards  spades  sweeps  points",
        "you        19       7       5      13",
        "seat 1      6       0       0       2",
        "seat 2     15       3       2       3",
        "you: most cards 2, most spades 2, aces 4, sweeps 5",
        "seat 1: 10♦ 2",
        "seat 2: 2♠ 1, sweeps 2",
        "",
        "over: all cards are played",
    ] == lines[end + 1 :]


def test_a_bar_is_shown_while_a_search_works() -> None:
    """The search may be compiled before its first move."""
    with terminal("play", "casino", "--seed", "1", "--against", "search", ODDSMITH_COMPILED="0") as child:
        child.expect("> ")
        child.sendline("1")
        child.expect("search looks for its best play")
        child.expect("seat 1")
        child.expect("> ")
        child.sendline("q")
        status, output = read_rest(child)

    assert 0 == status
    assert "left the table" in output


def test_a_spectator_sees_no_hand() -> None:
    """A replay shows only moves and the table."""
    play_casino("--record", "game.toml", stdin="1\nq\n")
    lines = run("replay", "game.toml").lines

    assert "      seat 0 captures 2♥ 8♣ with K♠" in lines
    assert not [line for line in lines if line.startswith(("hand", "      you"))]


def test_a_terminal_gets_colours() -> None:
    """Red suits are red, and NO_COLOR turns that off."""
    with terminal("play", "casino", "--seed", "1") as child:
        child.expect("> ")
        output = child.before
        child.sendline("q")
        read_rest(child)

    assert f"{ESCAPE}31m2♥" in output
    assert ESCAPE not in play_casino(stdin="q\n").out


# --- event lines -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "line"),
    [
        ("0 7♦x7♠", "you capture 7♠ with 7♦"),
        ("0 7♦x3♣+4♥", "you capture 3♣ 4♥ with 7♦"),
        ("0 K♠xQ♠", "you capture Q♠ with K♠, with marriage"),
        ("0 A♠+3♠x4♥", "you capture 4♥ with A♠ 3♠"),
        ("0 3♠+4♥=7", "you build 3♠ + 4♥: [3♠4♥] worth 7, yours"),
        ("0 K♠&Q♠", "you build K♠ + Q♠: [Q♠K♠] worth 20, yours"),
    ],
)
def test_4_moves_have_a_line(move: str, line: str) -> None:
    """The move and its cards."""
    assert [line] == lines_of_move(read_position(FIRST_DEAL), move)


@pytest.mark.parametrize(
    ("move", "line"),
    [
        ("1 2♦>[3♣4♥]", "seat 1 extends a build with 2♦: [2♦3♣4♥] worth 9, yours"),
        ("1 J♣", "seat 1 trails J♣"),
        ("1 8♥x[3♣5♥]", "seat 1 captures 3♣ 5♥ with 8♥, a sweep"),
    ],
)
def test_4_moves_of_others_have_a_line(move: str, line: str) -> None:
    """With their seat."""
    loose, build = ("", "3♣ 5♥") if "sweep" in line else ("Q♠", "3♣ 4♥")
    text = f"""
        hands = ["A♠ 3♠", "2♦ 5♣ 8♥ J♣"]
        turn = 1
        loose = "{loose}"
        builds = [{{ cards = "{build}", owner = 0 }}]
        piles = ["the rest", ""]
        stock = ""
        last_capture = 0
    """
    state = read_position(text)

    assert [line] == lines_of_move(state, move)


def lines_of_last_move(played: str, *, last: int | None, build: str = "3♣ 4♥") -> list[str]:
    """Return the lines of the last move of a game with a build on the table."""
    pile = "" if last is None else f'piles = ["the rest", ""]\nlast_capture = {last}'
    loose = 'loose = "the rest"' if last is None else ""
    text = f"""
hands = ["{played[2:4]}", ""]
{loose}
builds = [{{ cards = "{build}", owner = 1 }}]
{pile}
stock = ""
"""
    return lines_of_move(read_position(text), played)


def test_5_2_the_cleared_cards_have_a_line() -> None:
    """The line does not look for a cleared build; without any capture, cards stay."""
    taken = lines_of_last_move("0 2♦>[3♣4♥]", last=0)

    assert ["you extend a build with 2♦", "2♦ 3♣ 4♥: left on the table, to you, who captured last"] == taken[
        :2
    ]


def test_5_2_without_any_capture_cards_stay() -> None:
    """They count for no seat; all share the first place, and the table stays visible."""
    rules = Rules.preset("short").replace(two_card_capture=False)
    nothing = State(
        rules=rules,
        hands=(cards("10♠"), (), (), ()),
        loose=cards("A♠"),
        builds=(),
        piles=((), (), (), ()),
        sweeps=(0,) * 4,
        stock=(),
        deal=1,
    )
    step = GAME.step(nothing, Act(0, Move(kind=MoveKind.TRAIL, hand=cards("10♠"))))
    lines = plain_text(event_lines(step.events, GAME.view(step.state, 0)))

    assert ["you trail 10♠", "nobody ever captured: A♠ 10♠ stay on the table"] == lines[:2]
    assert "you and seat 1 and seat 2 and seat 3 share the first place" == lines[2]
    assert ["table   A♠ 10♠", "hand    –"] == plain_text(state_lines(GAME.view(step.state, 0)))


def test_another_winner_is_named() -> None:
    assert "seat 1 wins" in lines_of_move(
        read_position('hands = ["2♦", ""]\npiles = ["", "the rest"]\nlast_capture = 1\nstock = ""'), "0 2♦"
    )


# --- long lists ------------------------------------------------------------------------------------------------------


def full_table(rules: Rules) -> State:
    """Return a table with many loose cards, and a hand of low ones."""
    hand = cards("4♠ 5♠ 6♠ 10♠")
    loose = cards("A♠ A♥ A♦ A♣ 2♠ 2♥ 2♦ 2♣ 3♠ 3♥ 3♦ 3♣")
    others = tuple(card for card in rules.cards if card not in (*hand, *loose))
    return State(
        rules=rules,
        hands=(hand, others[:4]),
        loose=loose,
        builds=(),
        piles=((), ()),
        sweeps=(0, 0),
        stock=others[4:],
        deal=2,
    )


def test_4_8_a_long_list_is_cut_and_names_the_answer_for_more() -> None:
    """Twenty moves, the number of others, and the answer that lists them, a hundred at a time."""
    state = full_table(DEFAULT)
    moves = GAME.actions(state, 0)
    lines = plain_text(choice_lines(GAME.view(state, 0), moves))
    listed, further, of_one = (
        plain_text(reply.lines) for reply in map(reply_function(state), ("?", "? 101", "? 10♠"))
    )

    assert f"    …  {len(moves) - 20:,} more: ? lists all, ? 10♠ those of one card" == lines[20]
    assert KEYS == lines[21]
    assert f"{len(moves) - 100:,} more: ? 101 lists from there, ? 10♠ one card's" == listed[-1]
    assert (102, "  101") == (len(listed), further[1][:5])
    assert {True} == {"10♠" in line for line in of_one[1:-1]}


def reply_function(state: State) -> Any:  # noqa: ANN401  a function that returns replies
    def reply_to(answer: str) -> Reply:
        reply = answer_as_turn(answer, state)
        assert isinstance(reply, Reply)
        return reply

    return reply_to


def test_every_listed_move_can_be_typed() -> None:
    """In the notation of the list, in lower case."""
    state = read_position(FIRST_DEAL)
    moves = GAME.actions(state, 0)

    assert [*moves] == [answer_as_turn(GAME.write(state, Act(0, move))[2:].lower(), state) for move in moves]


@pytest.mark.parametrize(
    "answer",
    ["x", "+", "=", "&", ">", "7♦x", "x7♠", "7♦x[", "3♠>[]", "7♦+", "99", "0", "7♦x7♠x7♠", "rj", "?" * 200],
)
def test_an_invalid_answer_gets_a_reply(answer: str) -> None:
    with suppress(InputError):
        found = answer_as_turn(answer, read_position(FIRST_DEAL))

        assert isinstance(found, Reply)


def test_a_seeded_game_deals_the_deck_of_perft() -> None:
    """So lines of play can be counted for a game."""
    counted = run("casino", "perft", "--seed", "1", "--depth", "1", ODDSMITH_COMPILED="0").lines

    assert "hand    3♠ 7♠ K♠ K♥" in counted
    assert "hand    3♠ 7♠ K♠ K♥" in play_casino(stdin="q\n").lines
