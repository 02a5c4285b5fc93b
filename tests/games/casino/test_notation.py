"""§7: a move is one short line that is read back."""

import pytest

from oddsmith.cards import cards
from oddsmith.errors import Refusal
from oddsmith.game import Act, Luck
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Move, MoveKind
from oddsmith.games.casino.notation import SHAPES, read_action, read_move, write_action, write_move
from oddsmith.games.casino.rules import DEFAULT
from tests.games.casino.tables import SHORT, TRADITIONAL, refusal_of, rows, rules_with, table

TABLE = table(
    "7♠ 3♣ 4♥ 7♥ 5♦ Q♠", "7♦ 9♠ 4♠ K♠", builds=["4♣ 5♣ of 1", "3♦ 3♥ of 1", "A♠ 6♠ of 1"], rules=TRADITIONAL
)


def capture(hand: str, loose: str = "", builds: tuple[int, ...] = ()) -> Move:
    kind = MoveKind.CAPTURE if len(hand.split()) == 1 else MoveKind.TWO_CARD_CAPTURE
    return Move(kind=kind, hand=cards(hand), loose=cards(loose), builds=builds)


@pytest.mark.parametrize(
    ("move", "line"),
    [
        (capture("7♦", "7♠"), "7♦x7♠"),
        (capture("7♦", "3♣ 4♥"), "7♦x3♣+4♥"),
        (capture("7♦", "3♣ 4♥ 7♠"), "7♦x3♣+4♥,7♠"),
        (capture("7♦", "3♣ 4♥ 7♠ 7♥", (2,)), "7♦x3♣+4♥,7♠,7♥,[A♠6♠]"),
        (capture("9♠", "", (0,)), "9♠x[4♣5♣]"),
        (capture("9♠", "4♥ 5♦", (0,)), "9♠x4♥+5♦,[4♣5♣]"),
        (capture("3♠ 4♦", "7♥"), "3♠+4♦x7♥"),
        (capture("2♣ 5♥", "", (2,)), "2♣+5♥x[A♠6♠]"),
        (Move(kind=MoveKind.BUILD, hand=cards("4♠"), loose=cards("5♦")), "4♠+5♦=9"),
        (Move(kind=MoveKind.BUILD, hand=cards("4♠"), loose=cards("3♣")), "4♠+3♣=7"),
        (Move(kind=MoveKind.BUILD_MARRIAGE, hand=cards("K♠"), loose=cards("Q♠")), "K♠&Q♠"),
        (Move(kind=MoveKind.EXTEND, hand=cards("4♠"), builds=(1,)), "4♠>[3♥3♦]"),
        (Move(kind=MoveKind.TRAIL, hand=cards("8♥")), "8♥"),
        (capture("7♦", "3♣ 7♠"), "7♦x3♣+7♠"),
        (capture("7♦", "5♦ Q♠"), "7♦x5♦+Q♠"),
        (capture("10♠", "2♠ 6♠ 6♥ 8♠ 8♥"), "10♠x2♠+6♠+6♥+8♠+8♥"),
    ],
)
def test_7_1_every_kind_of_move_is_written_and_read(move: Move, line: str) -> None:
    """The hand card first, then its action; legal or not."""
    state = table("7♠ 3♣ 4♥ 7♥ 5♦ Q♠", builds=["4♣ 5♣ of 1", "3♦ 3♥ of 1", "A♠ 6♠ of 1"])

    assert line == write_action(move, state)
    assert move == read_action(line, state)
    assert f"0 {line}" == write_move(Act(0, move), state)


@pytest.mark.parametrize("line", [line.strip("`") for row in rows("move") for line in row[1].split(", ")])
def test_7_1_examples_of_the_rules_page(line: str) -> None:
    state = table("7♠ 7♥ Q♠", builds=["4♠ 5♦ of 1", "3♣ 4♥ of 1"]) if "[" in line else table("7♠")
    if line.startswith("3♠>"):
        state = table("", builds=["3♦ 3♣ of 1"])

    assert line == write_action(read_action(line, state), state)


def test_7_1_captured_cards_are_partitioned_into_targets() -> None:
    """Also where the first fitting group leaves the others without a match."""
    loose = "A♠ 2♠ 3♠ 3♥ 4♠ 8♠ 9♠"

    assert "10♠xA♠+9♠,2♠+8♠,3♠+3♥+4♠" == write_action(capture("10♠", loose), table(loose))


@pytest.mark.parametrize(("rules", "seats"), [(DEFAULT, 2), (DEFAULT, 4), (SHORT, 2), (SHORT, 3)])
def test_7_2_deals_are_read_back(rules: object, seats: int) -> None:
    """Hands and table are separated by bars; without table cards the line ends with a bar."""
    state = GAME.setup(SHORT if rules == SHORT else DEFAULT, seats)
    sizes = state.rules.deal_sizes(seats, 1)
    held = iter(sorted(state.stock))
    luck = Luck(tuple(tuple(next(held) for _ in range(size)) for size in sizes))
    line = GAME.write(state, luck)

    assert luck == GAME.read(state, line)
    assert seats == line.count("|")
    assert line.startswith("* 2♠ 3♠ 4♠ 5♠")
    assert (sizes[-1] == 0) is line.endswith("|")


def test_7_2_the_order_of_dealt_cards_does_not_matter() -> None:
    state = GAME.setup(DEFAULT, 2)

    assert Luck((cards("7♠ 4♥"), cards("3♦"), ())) == read_move("* 4h 7♠|3D|", state)


@pytest.mark.parametrize(
    ("line", "canonical"),
    [
        ("4♠>6", "4♠>[3♥3♦]"),
        ("9♠x9", "9♠x[4♣5♣]"),
        ("7dx7s", "7♦x7♠"),
        ("7D X 7S , 3C + 4H", "7♦x3♣+4♥,7♠"),
        ("7♦×4♥,3♣", "7♦x3♣+4♥"),
        ("4♠+5♦", "4♠+5♦=9"),
        ("4♠ + 5♦ = 9", "4♠+5♦=9"),
        ("K♠ & Q♠", "K♠&Q♠"),
        ("4♠ > [3♦ 3♥]", "4♠>[3♥3♦]"),
        ("4♠>[3♦,3♥]", "4♠>[3♥3♦]"),
        ("4♠>[3d+3h]", "4♠>[3♥3♦]"),
        ("4♦+3♠x7♥", "3♠+4♦x7♥"),
        ("4♦,3♠x7♥", "3♠+4♦x7♥"),
        ("4♠,5♦=9", "4♠+5♦=9"),
        ("4♠, 5♦", "4♠+5♦=9"),
        ("td", "10♦"),
        ("7♦\ufe0fx7♠\ufe0f", "7♦x7♠"),
    ],
)
def test_7_3_other_spellings_are_read(line: str, canonical: str) -> None:
    """Builds by value, letters for suits, × and X, commas, blanks, a build without its sum."""
    assert canonical == write_action(read_action(line, TABLE), TABLE)


def test_7_3_the_first_card_of_a_build_is_the_hand_card() -> None:
    """The others are loose, in any order."""
    assert Move(kind=MoveKind.BUILD, hand=cards("4♠"), loose=cards("A♦ 2♦")) == read_action("4♠+2♦+A♦", TABLE)


EVEN = "2♠ 2♥ 2♦ 2♣ 4♠ 4♥ 4♦ 4♣ 6♠ 6♥ 6♦ 6♣ 8♠ 8♥ 8♦"
NO_MOVE = f"is no move: {SHAPES}"


@pytest.mark.parametrize(
    ("line", "code", "sentence", "paragraph"),
    [
        ("4♠+5♦=8", "wrong_value", "4♠ + 5♦ is 9, not 8", "4.3"),
        ("4♠+5♦=nine", "wrong_value", "4♠ + 5♦ is 9, not nine", "4.3"),
        ("9♠x[2♥7♣]", "no_such_build", "there is no build [2♥7♣] on the table", "2.2"),
        ("4♠>[3♥3♥3♦]", "no_such_build", "there is no build [3♥3♥3♦] on the table", "2.2"),
        ("8♠x8", "no_such_build", "there is no build worth 8 on the table", "2.2"),
        ("7♦x[4♣5♣]foo", "bad_move", f"'7♦x[4♣5♣]foo' {NO_MOVE}", None),
        ("7♦x[foo4♣5♣]", "bad_move", f"'7♦x[foo4♣5♣]' {NO_MOVE}", None),
        ("7♦x", "bad_move", f"'7♦x' {NO_MOVE}", None),
        ("7♦x[]", "bad_move", f"'7♦x[]' {NO_MOVE}", None),
        ("7♦x7♠,", "bad_move", f"'7♦x7♠,' {NO_MOVE}", None),
        ("7♦x7♠7♥", "bad_move", f"'7♦x7♠7♥' {NO_MOVE}", None),
        ("7♦>", "bad_move", f"'7♦>' {NO_MOVE}", None),
        ("rj", "bad_move", f"'rj' {NO_MOVE}", None),
        ("2♠+3♠+4♠x9", "bad_move", f"'2♠+3♠+4♠x9' {NO_MOVE}", None),
        ("foo", "bad_move", f"'foo' {NO_MOVE}", None),
        ("", "bad_move", f"'' {NO_MOVE}", None),
        ("x", "bad_move", f"'x' {NO_MOVE}", None),
        ("4♠+", "bad_move", f"'4♠+' {NO_MOVE}", None),
        ("K♠&", "bad_move", f"'K♠&' {NO_MOVE}", None),
        ("=9", "bad_move", f"'=9' {NO_MOVE}", None),
        ("9♠x٩", "bad_move", f"'9♠x٩' {NO_MOVE}", None),
        ("4ſ", "bad_move", f"'4ſ' {NO_MOVE}", None),
    ],
)
def test_7_3_a_line_that_is_no_move_is_refused(
    line: str, code: str, sentence: str, paragraph: str | None
) -> None:
    """The sentence says what is wrong and what is valid; a claimed value is checked."""
    assert Refusal(code, sentence, paragraph=paragraph) == refusal_of(lambda: read_action(line, TABLE))


def test_7_3_a_value_of_two_builds_is_ambiguous() -> None:
    """The refusal names both."""
    state = table("", builds=["4♣ 5♣ of 1", "3♦ 6♥ of 1"])
    refusal = Refusal("which_build", "2 builds are worth 9: name [4♣5♣] or [3♦6♥]", paragraph="2.2")

    assert refusal == refusal_of(lambda: read_action("9♠x9", state))


@pytest.mark.parametrize("first", ["x", "12", "٣", "-1", ""])
def test_7_1_a_line_begins_with_a_seat(first: str) -> None:
    """A digit, or a star for luck."""
    refusal = Refusal("bad_move", f"a move starts with a seat's number or with *, not '{first or '8♥'}'")

    assert refusal == refusal_of(lambda: read_move(f"{first} 8♥", TABLE))


def test_7_1_the_length_of_a_line_is_limited() -> None:
    """More than 400 characters are refused without parsing."""
    sentence = f"'{'7♦x' * 13}7 …' is no move: no move takes more than 400 characters"
    for read in (read_action, read_move):
        refusal = refusal_of(lambda read=read: read("7♦x" * 200, TABLE))  # type: ignore[misc]  # a default argument of a lambda

        assert Refusal("bad_move", sentence) == refusal


def test_7_1_a_capture_of_many_cards_is_written_quickly() -> None:
    """Also one that cannot be partitioned, which is never listed: its cards are one group."""
    low = "A♠ A♥ A♦ A♣ 2♠ 2♥ 2♦ 2♣ 3♠ 3♥ 3♦ 3♣ 4♠ 4♥ 4♦ 4♣"
    state = table(low, rules=rules_with(capture_targets=10))

    assert 4 == write_action(capture("10♠", low), state).count(",") + 1
    assert 0 == write_action(capture("9♠", low), state).count(",")
    assert 0 == write_action(capture("9♠", EVEN), state).count(",")
