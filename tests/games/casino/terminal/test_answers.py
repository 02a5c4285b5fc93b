"""`oddsmith casino …`: groups, positions, moves and lines of play."""

from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from oddsmith.cards import cards
from oddsmith.chance import Seeded
from oddsmith.errors import InputError
from oddsmith.game import Await
from oddsmith.games.casino import playouts
from oddsmith.games.casino.compiler import Core
from oddsmith.games.casino.drafts.actions import ComboKind
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import MoveKind
from oddsmith.games.casino.perft import count_perft
from oddsmith.games.casino.position import read_position, read_position_file
from oddsmith.games.casino.questions import perft
from oddsmith.games.casino.questions.groups import ClassifyReply
from oddsmith.games.casino.questions.moves import MovesReply
from oddsmith.games.casino.questions.perft import PerftReply, shuffle_deck
from oddsmith.games.casino.questions.tournaments import PositionReply
from oddsmith.games.casino.rules import Rules
from tests.cli.running import ESCAPE, read_rest, run, terminal

pytestmark = pytest.mark.usefixtures("folder")

TABLE = """
hands = ["A♠ 3♠ K♠", "7♣ 9♣"]
loose = "A♥ 2♠ 4♥ Q♠"
builds = [{ cards = "4♦ 5♦", value = 9, owner = 1 }]
piles = ["10♦ 10♥", "6♠ 6♥ 6♦"]
last_capture = 1
deal = 2
stock = "the rest"
"""
PYTHON = Core(playouts, is_compiled=False)
PLAIN: dict[str, Any] = {"ODDSMITH_COMPILED": "0"}
"""Results are the same without the compiler, and small counts are faster."""


@pytest.fixture
def table_file(folder: Path) -> str:
    text = TABLE.replace('"6♠ 6♥ 6♦"', '"6♠ 6♥ 6♦ 6♣ 8♠ 8♥ 8♦"')
    (folder / "table.toml").write_text(text, encoding="utf-8")
    return "table.toml"


# --- classify --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("group", "lines"),
    [
        ("K♠ Q♠", ["Q♠ K♠   marriage, total 20", "build    yes, worth 20", "capture  no card takes all of it"]),
        ("4h 3C", ["3♣ 4♥   buildable sum, total 7", "build    yes, worth 7", "capture  yes, with one of 7♠ 7♥ 7♦ 7♣"]),
        ("5♠,6♦,7♣", ["5♠ 6♦ 7♣   sequence, total 18", "build    no", "capture  no card takes all of it"]),
        ("9♠ 9♦ 9♣", ["9♠ 9♦ 9♣   set, total 27", "build    no", "capture  yes, with one of 9♥"]),
        ("9♠ 8♦", ["8♦ 9♠   no combo, total 17", "build    no", "capture  no card takes all of it"]),
        ("", ["–   no combo, total 0", "build    no", "capture  no card takes all of it"]),
    ],
)  # fmt: skip
def test_3_1_a_group_is_named(group: str, lines: list[str]) -> None:
    """Its name, its total, whether it can be built, and which cards take it."""
    assert lines == run("casino", "classify", group).lines


def test_3_3_the_rules_decide_what_can_be_taken() -> None:
    """Where a card takes two targets, it takes K and Q; the short deck has neither."""
    more = run("casino", "classify", "K♠ Q♠", "--preset", "traditional", "--json").reply(ClassifyReply)

    assert (ComboKind.MARRIAGE, 20, True, True) == (more.kind, more.total, more.can_build, more.can_capture)
    assert 14 == len(more.capturing_cards)
    assert "unknown_card" == run("casino", "classify", "K♠", "--preset", "short", "--json").refusal.code


def test_preset_is_an_alias_of_rules() -> None:
    """`--preset short` and `--rules short` mean the same."""
    command = ("casino", "classify", "4♠ 5♦", "--json")

    assert run(*command, "--rules", "short") == run(*command, "--preset", "short")
    assert Rules.preset("short").rules_id == run(*command, "--preset", "short").reply(ClassifyReply).rules_id


# --- position --------------------------------------------------------------------------------------------------------


def test_a_position_is_written_to_the_terminal_or_to_a_file(folder: Path) -> None:
    """Other commands read the same table."""
    command = ("casino", "position", "--seed", "3", "--plies", "10")
    printed = run(*command).out
    lines = run(*command, "--out", "table.toml").lines

    assert [
        "table.toml  after 10 moves: seat 0 to move, deal 2 of 6",
        "table   5♦ 8♠",
        "builds  [A♣3♣5♣] worth 9, seat 0's",
        "hand    2♥ 10♠ K♠",
    ] == lines
    assert printed == (folder / "table.toml").read_text(encoding="utf-8")
    assert read_position(printed) == read_position_file(folder / "table.toml")


@pytest.mark.parametrize(("plies", "made", "deal"), [(0, 0, 1), (8, 8, 2), (52, 43, 6)])
def test_1_3_a_position_has_a_seat_on_turn_unless_the_game_is_over(plies: int, made: int, deal: int) -> None:
    """Cards that are due are dealt."""
    reply = run("casino", "position", "--plies", str(plies), "--bot", "greedy", "--json").reply(PositionReply)

    assert (made, deal, made < plies) == (reply.plies, reply.state.deal, reply.state.is_over)
    assert reply.state == read_position(reply.toml)


def test_a_position_of_a_finished_game_says_so() -> None:
    lines = run("casino", "position", "--plies", "52", "--players", "3", "--out", "end.toml").lines

    assert lines[0].endswith(": nobody to move, deal 4 of 4")


# --- moves -----------------------------------------------------------------------------------------------------------


def test_4_7_moves_are_listed_in_canonical_order_with_their_gains(table_file: str) -> None:
    """Sure points, cards, spades and sweeps next to every move, below the player's view."""
    lines = run("casino", "moves", table_file).lines

    assert [
        "seat 0 to move, deal 2 of 6   rules 467af75cbce4",
        "table   A♥ 2♠ 4♥ Q♠",
        "builds  [4♦5♦] worth 9, seat 1's",
        "hand    A♠ 3♠ K♠",
        "",
        "  #  move                                   points  cards  spades",
        "  1  A♠xA♥                         capture       2      2       1  –",
        "  2  3♠xA♥+2♠                      capture       2      3       2  –",
        "  3  K♠xQ♠           capture with marriage       –      2       2  –",
        "  4  A♠+3♠x4♥             two-card capture       1      3       2  –",
        "  5  K♠&Q♠                  build marriage       –      –       –  –",
    ] == lines[:11]
    assert "23 legal moves" == lines[-1]


def test_moves_of_one_kind_keep_their_numbers(table_file: str) -> None:
    """Words may be separated in any way."""
    lines = run("casino", "moves", table_file, "--kind", "two-card capture").lines

    assert ["  4  A♠+3♠x4♥  two-card capture       1      3       2  –", "1 of 23 legal moves"] == lines[-2:]


def test_a_kind_without_moves_is_an_empty_list() -> None:
    """It is not refused."""
    run("casino", "position", "--seed", "3", "--out", "other.toml")

    assert "0 of 5 legal moves" == run("casino", "moves", "other.toml", "--kind", "capture").lines[-1]


def test_moves_as_json(table_file: str) -> None:
    """As moves that the game accepts, with their notation."""
    reply = run("casino", "moves", table_file, "--json").reply(MovesReply)
    state = read_position_file(Path(table_file))

    assert [*GAME.actions(state, 0)] == [listed.move for listed in reply.moves]
    assert [f"0 {listed.text}" for listed in reply.moves] == [
        GAME.write(state, GAME.read(state, f"0 {listed.text}")) for listed in reply.moves
    ]
    assert (23, None, None) == (reply.legal, reply.iterations, reply.seed)
    assert {None} == {listed.estimate for listed in reply.moves}


def test_estimates_have_their_visits(table_file: str) -> None:
    """All visits add up to the iterations; the same seed gives the same."""
    command = ("casino", "moves", table_file, "--estimate", "--iterations", "60", "--seed", "yuma")
    reply = run(*command, "--json", **PLAIN).reply(MovesReply)
    lines = run(*command, **PLAIN).lines

    assert 60 == sum(listed.estimate.visits for listed in reply.moves if listed.estimate)
    assert lines[5].endswith("share  visits")
    assert (
        "share: what the search expects to win, estimated from the visits beside it; 60 iterations, seed yuma"
        == lines[-1]
    )


# --- perft -----------------------------------------------------------------------------------------------------------


def test_lines_are_counted_from_a_shuffled_deck() -> None:
    """For each depth, and by first move."""
    lines = run("casino", "perft", "--seed", "1", "--depth", "3", "--divide", **PLAIN).lines

    assert [
        "2 players   rules 467af75cbce4",
        "table   2♥ 8♣ 9♠ K♦",
        "hand    3♠ 7♠ K♠ K♥",
        "",
        "first move  of 3",
        "K♠x2♥+8♣      14",
        "K♠xK♦         16",
        "K♥x2♥+8♣      14",
        "K♥xK♦         16",
        "3♠+7♠xK♦      10",
        "3♠+2♥=5       12",
        "7♠+2♥=9       12",
        "",
        "moves  lines",
        "1          7",
        "2         31",
        "3         94",
    ] == lines


def test_a_seeded_deck_is_that_of_the_game() -> None:
    """Its first cards are the first deal of the game with this seed."""
    deck = shuffle_deck("yuma", Rules())
    turn = GAME.turn(GAME.setup(Rules(), 3))
    assert isinstance(turn, Await)
    dealt = turn.chance.sample(Seeded("yuma"))

    assert tuple(tuple(sorted(deck[4 * place : 4 * place + 4])) for place in range(4)) == dealt


@pytest.mark.parametrize("between", [" ", ",", "\n", ", "])
def test_a_deck_is_read_from_a_file(folder: Path, between: str) -> None:
    """Its first card is dealt first; spaces, commas and lines separate the cards."""
    rules = Rules.preset("short")
    deck = shuffle_deck("yuma", rules)
    (folder / "deck.txt").write_text(between.join(map(str, deck)), encoding="utf-8")
    command = ("--deck", "deck.txt", "--players", "3", "--preset", "short", "--depth", "2", "--json")
    reply = run("casino", "perft", *command, **PLAIN).reply(PerftReply)

    assert (deck, None) == (reply.deck, reply.divided)
    assert (
        tuple(count_perft(deck, rules, players=3, depth=depth, core=PYTHON) for depth in (1, 2))
        == reply.lines
    )


def test_a_short_count_reports_its_speed_in_a_terminal() -> None:
    """The speed is not part of the answer, and colours can be turned off."""
    with terminal("casino", "perft", "--seed", "1", "--depth", "2", "--no-color", **PLAIN) as child:
        status, output = read_rest(child)

    assert 0 == status
    assert "2         31\n" in output
    assert output.endswith(" lines a second\n")
    assert "\x1b[1m" not in output


def test_ctrl_c_ends_a_count_at_once() -> None:
    """Compiled or not; the status is 130, without a traceback."""
    with terminal(
        "casino", "perft", "--preset", "short", "--players", "3", "--depth", "40", **PLAIN
    ) as child:
        child.expect("counting lines of")
        child.sendintr()
        status, output = read_rest(child)

    assert 130 == status
    assert "Traceback" not in output


def test_an_error_in_the_counting_thread_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is an error of the command; until a result arrives, the command waits."""
    monkeypatch.setattr(perft, "SECONDS_TO_WAIT", 0.001)

    def fail_later() -> Iterator[Any]:
        sleep(0.01)
        yield cards("A♠"), 1
        Seeded("")

    with pytest.raises(InputError, match="a seed has 1 to 200 characters"):
        [*perft._in_thread(fail_later())]


# --- refusals --------------------------------------------------------------------------------------------------------


@pytest.fixture
def wrong_files(folder: Path) -> None:
    (folder / "latin.toml").write_bytes(b'loose = "\xe9"')
    (folder / "large.toml").write_text("#" * 70_000)
    (folder / "syntax.toml").write_text("hands = [")
    (folder / "unknown.toml").write_text('handz = ["A♠", "2♠"]', encoding="utf-8")
    (folder / "undealt.toml").write_text('hands = ["", ""]')
    (folder / "over.toml").write_text(
        'hands = ["", ""]\npiles = ["the rest", ""]\nstock = ""\nlast_capture = 0'
    )
    (folder / "few.txt").write_text("A♠ K♠", encoding="utf-8")
    (folder / "twice.txt").write_text("A♠ A♠", encoding="utf-8")


@pytest.mark.usefixtures("wrong_files", "table_file")
@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("usage", ("casino", "classify")),
        ("usage", ("casino", "clasify", "K♠")),
        ("unknown_card", ("casino", "classify", "1♠")),
        ("unknown_card", ("casino", "classify", "RJ")),
        ("unknown_card", ("casino", "classify", "[red]")),
        ("unknown_card", ("casino", "classify", "x" * 100_000)),
        ("card_too_often", ("casino", "classify", "K♠ K♠")),
        ("no_rules", ("casino", "classify", "K♠", "--preset", "shrt")),
        ("unknown_key", ("casino", "classify", "K♠", "--set", "targets=2")),
        ("bad_value", ("casino", "classify", "K♠", "--set", "capture_targets=99")),
        ("usage", ("casino", "moves")),
        ("no_position", ("casino", "moves", "nothing.toml")),
        ("no_position", ("casino", "moves", ".")),
        ("not_text", ("casino", "moves", "latin.toml")),
        ("file_too_large", ("casino", "moves", "large.toml")),
        ("bad_toml", ("casino", "moves", "syntax.toml")),
        ("unknown_key", ("casino", "moves", "unknown.toml")),
        ("no_move_due", ("casino", "moves", "undealt.toml")),
        ("no_move_due", ("casino", "moves", "over.toml")),
        ("unknown_kind", ("casino", "moves", "table.toml", "--kind", "steal")),
        ("usage", ("casino", "moves", "table.toml", "--iterations", "0")),
        ("usage", ("casino", "moves", "table.toml", "--iterations", "many")),
        ("bad_seed", ("casino", "moves", "table.toml", "--estimate", "--seed", "")),
        ("file_exists", ("casino", "position", "--out", "table.toml")),
        ("not_written", ("casino", "position", "--out", "no/such/table.toml")),
        ("usage", ("casino", "position", "--players", "5")),
        ("usage", ("casino", "position", "--plies", "-1")),
        ("unknown_bot", ("casino", "position", "--bot", "greeedy")),
        ("bad_seed", ("casino", "position", "--seed", "")),
        ("usage", ("casino", "perft", "--depth", "0")),
        ("usage", ("casino", "perft", "--depth", "53")),
        ("usage", ("casino", "perft", "--players", "1")),
        ("no_deck", ("casino", "perft", "--deck", "nothing.txt")),
        ("missing_card", ("casino", "perft", "--deck", "few.txt")),
        ("card_too_often", ("casino", "perft", "--deck", "twice.txt")),
        ("unknown_card", ("casino", "perft", "--deck", "few.txt", "--preset", "short")),
        ("file_too_large", ("casino", "perft", "--deck", "large.toml")),
        ("not_text", ("casino", "perft", "--deck", "latin.toml")),
        ("two_decks", ("casino", "perft", "--deck", "few.txt", "--seed", "1")),
        ("bad_seed", ("casino", "perft", "--seed", "x" * 300)),
    ],
)  # fmt: skip
def test_invalid_requests_are_refused(code: str, arguments: tuple[str, ...]) -> None:
    """With one sentence and status 2, as text and as JSON."""
    result = run(*arguments)

    assert (2, "", 1) == (result.status, result.out, result.err.count("\n"))
    assert ESCAPE not in result.err
    assert code == run(*arguments, "--json").refusal.code


def test_every_kind_of_move_can_be_requested(table_file: str) -> None:
    """By its name in JSON."""
    listed = [
        run("casino", "moves", table_file, "--kind", kind, "--json").reply(MovesReply) for kind in MoveKind
    ]

    assert 23 == sum(len(reply.moves) for reply in listed)
