"""`oddsmith casino odds` and `solve`: exact chances for the player on turn, and the solved last deal of two."""

from fractions import Fraction
from pathlib import Path

import pytest

from oddsmith.cards import cards
from oddsmith.errors import Refusal
from oddsmith.games.casino.endgame import solve
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.odds import exposures, holding_odds, table_odds
from oddsmith.games.casino.position import read_position
from oddsmith.games.casino.questions.odds import CasinoOddsReply, SolveReply
from tests.cli.running import run
from tests.games.casino.tables import LAST_DEAL, OPEN_TABLE, OVER_TABLE

pytestmark = pytest.mark.usefixtures("folder")

THREE = """
hands = ["2♠", "9♦", "9♣"]
loose = "9♥"
piles = ["A♠ A♥", "A♦", "the rest"]
last_capture = 1
stock = ""
"""


@pytest.fixture(autouse=True)
def position_files(folder: Path) -> None:
    """Write the positions into files."""
    for name, text in (("table", OPEN_TABLE), ("ending", LAST_DEAL), ("three", THREE), ("over", OVER_TABLE)):
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")


# --- odds ------------------------------------------------------------------------------------------------------------


def test_1_5_the_terminal_shows_what_the_player_on_turn_knows() -> None:
    """Who may hold what, what can be taken, and what each move exposes, all exact."""
    lines = run("casino", "odds", "table.toml").lines

    assert [
        "table   9♥",
        "builds  [3♠5♦] worth 8, seat 0's",
        "hand    2♠ 9♣",
    ] == lines[1:4]
    assert [
        "worth  seat 1 has one",
        "    1         11.59 %",
        "    2         17.11 %",
        "    3         17.11 %",
        "    4         22.46 %",
        "    5         17.11 %",
        "    6         22.46 %",
        "    7         22.46 %",
        "    8         22.46 %",
        "    9         11.59 %",
        "   10         27.63 %",
        "",
        "as it lies  by one card  by two  seat 1 can take it",
        "9♥              11.59 %  7.84 %             19.43 %",
        "[3♠5♦]          22.46 %  6.24 %             28.70 %",
        "",
        "  #  move              then  can capture  can sweep",
        "  1  9♣x9♥  capture  seat 1      28.70 %    28.70 %",
        "  2  2♠       trail  seat 1      55.08 %        0 %",
        "  3  9♣       trail  seat 1      45.28 %        0 %",
        "every chance is exact: all deals of the unseen cards are equally likely",
    ] == lines[6:]


def test_1_5_json_has_the_chances_as_fractions() -> None:
    """The reply has the values of the library, unrounded."""
    reply = run("casino", "odds", "table.toml", "--json").reply(CasinoOddsReply)
    view = GAME.view(read_position(OPEN_TABLE), 0)

    assert (0, 2, cards("2♠ 9♣"), None) == (reply.seat, reply.deal, reply.hand, reply.uncounted)
    assert [tuple(holding_odds(view)[1].values())] == [one.chances for one in reply.holding]
    assert list(table_odds(view)) == [one.taking for one in reply.table]
    assert ["9♥", "[3♠5♦]"] == [one.text for one in reply.table]
    assert list(exposures(view)) == [one.exposure for one in reply.moves]


def test_1_4_with_three_players_there_is_a_column_for_any_other() -> None:
    """It is the chance that anyone takes the item before the player's next turn."""
    three = run("casino", "odds", "three.toml").lines

    assert "as it lies  by one card  by two  seat 1 can take it  anybody can" in three
    assert "9♥                100 %     0 %               100 %        100 %" in three


def test_2_1_an_empty_table_has_no_list_of_items(folder: Path) -> None:
    text = LAST_DEAL.replace('loose = "2♦ 9♥"\n', "")
    (folder / "bare.toml").write_text(text, encoding="utf-8")
    lines = run("casino", "odds", "bare.toml").lines

    assert [] == [line for line in lines if line.startswith("as it lies")]


def test_5_2_the_last_card_exposes_nothing(folder: Path) -> None:
    text = LAST_DEAL.replace('["2♠ 9♣", "9♦ 4♦"]', '["9♣", ""]')
    (folder / "last.toml").write_text(text, encoding="utf-8")
    lines = run("casino", "odds", "last.toml").lines

    assert "  1  9♣x9♥  capture  nobody          0 %        0 %" in lines


def test_4_8_too_many_moves_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of the answer is complete, with the reason."""
    monkeypatch.setattr("oddsmith.games.casino.odds.MOST_LISTED", 3)
    reply = run("casino", "odds", "ending.toml", "--json").reply(CasinoOddsReply)
    lines = run("casino", "odds", "ending.toml").lines

    assert reply.uncounted is not None
    assert ("too_many_moves", ()) == (reply.uncounted.code, reply.moves)
    assert [f"after a move: not counted, since {reply.uncounted.sentence}"] == lines[-2:-1]


def test_1_4_a_table_without_a_seat_on_turn_has_no_odds() -> None:
    """After the end and before a deal."""
    assert (
        Refusal("no_move_due", "no player is to move in this position: the game is over", paragraph="1.4")
        == run("casino", "odds", "over.toml", "--json").refusal
    )


# --- solve -----------------------------------------------------------------------------------------------------------


def test_5_4_the_terminal_shows_every_move_with_its_outcome() -> None:
    """The best first, with the winner, the margin, the points of both, and the line of best play."""
    lines = run("casino", "solve", "ending.toml").lines

    assert [
        "move              result  margin  points   best play",
        "9♣x9♥    capture    wins      +5     8–3   9♣x9♥  4♦+2♦=6  2♠>[2♦4♦]  9♦",
        "2♠x2♦    capture   loses      −2     5–7   2♠x2♦  9♦x9♥  9♣  4♦",
        "2♠+2♦=4    build   loses      −3     4–7   2♠+2♦=4  9♦x9♥  9♣  4♦x[2♠2♦]",
        "2♠         trail   loses      −3     4–7   2♠  9♦x9♥  9♣  4♦x2♠+2♦",
        "9♣         trail   loses      −3     4–7   9♣  4♦+2♦=6  2♠>[2♦4♦]  9♦x9♥",
        "1 best move, exact; points are seat 0's and seat 1's",
    ] == lines[-7:]


def test_5_4_json_has_the_whole_solution() -> None:
    """The outcomes are those of the library."""
    reply = run("casino", "solve", "ending.toml", "--json").reply(SolveReply)
    solution = solve(read_position(LAST_DEAL))

    assert (0, 6, 1, solution.nodes) == (reply.seat, reply.deal, reply.best, reply.nodes)
    assert list(solution.outcomes) == [one.outcome for one in reply.moves]
    assert Fraction(1) == reply.moves[0].outcome.share


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("table.toml", "stock_left"),
        ("three.toml", "not_two_players"),
        ("over.toml", "game_over"),
        ("none.toml", "no_position"),
    ],
)
def test_1_5_unsolvable_positions_are_refused(file: str, code: str) -> None:
    """Cards are hidden, or the game is over."""
    assert code == run("casino", "solve", file, "--json").refusal.code


def test_the_work_limit_is_an_option() -> None:
    """A lower limit is refused with a sentence."""
    result = run("casino", "solve", "ending.toml", "--nodes", "5")

    assert 2 == result.status
    assert "error: with these cards in hand, more than 5 positions" in result.err
