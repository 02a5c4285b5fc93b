"""§4: legal moves, by the examples of the rules page and compared with the kernel."""

import pytest
from hypothesis import given, settings

from oddsmith.cards import cards
from oddsmith.games.casino import kernel
from oddsmith.games.casino.encoding import encode_rules, encode_state
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Build, Move, Moved, MoveKind, State, has_marriage, value_of
from oddsmith.games.casino.moves import legal_moves, small_groups, targets
from oddsmith.games.casino.notation import write_action
from oddsmith.games.casino.rules import DEFAULT, Rules, TrailRestriction
from tests.games.casino.kernels import kernel_moves, move_list, sort_moves
from tests.games.casino.strategies import tables
from tests.games.casino.tables import (
    PAGE,
    SHORT,
    TRADITIONAL,
    apply_line,
    is_legal,
    lines,
    only_event,
    rules_with,
    state_after,
    table,
)

CAPTURES = MoveKind.CAPTURE, MoveKind.TWO_CARD_CAPTURE
BUILDS = MoveKind.BUILD_MARRIAGE, MoveKind.BUILD
FREE = rules_with(trail_restriction=TrailRestriction.NEVER)
STRICT = rules_with(trail_restriction=TrailRestriction.ALWAYS)


@given(tables())
@settings(max_examples=60)
def test_4_the_list_agrees_with_the_kernel(state: State) -> None:
    """Under all switches the list has every legal move once, in canonical order, and no other."""
    assert sort_moves(kernel_moves(state)) == legal_moves(state)


@pytest.mark.parametrize(
    ("loose", "hand", "line", "allowed"),
    [
        ("7♠", "7♦", "7♦x7♠", True),
        ("K♥", "K♣", "K♣xK♥", True),
        ("J♥", "K♣", "K♣xJ♥", True),
        ("10♥", "K♣", "K♣x10♥", True),
        ("7♦", "8♠", "8♠x7♦", False),
        ("3♠ 5♠", "8♥", "8♥x3♠+5♠", True),
        ("4♠ 5♦", "7♦", "7♦x4♠+5♦", False),
    ],
)
def test_4_1_a_card_takes_its_value(loose: str, hand: str, line: str, allowed: bool) -> None:  # noqa: FBT001  a parametrised column
    """7♦ takes 7♠, K♣ takes K♥ as well as J♥ and 10♥, 8♥ groups of 8; 8♠ does not take 7♦, nor 7♦ a 9."""
    assert allowed is is_legal(table(loose, hand), line)


def test_4_1_a_card_takes_a_group_that_adds_up_to_its_value() -> None:
    """Each group of two or more loose cards, and each loose card, is one target; by default one at a time."""
    state = table("7♠ 3♣ 4♥ 5♣ 2♦ A♠", "7♦")

    assert ["7♦xA♠+2♦+4♥", "7♦x2♦+5♣", "7♦x3♣+4♥", "7♦x7♠"] == lines(state, MoveKind.CAPTURE)
    assert (cards("3♣ 4♥ 7♦"), cards("A♠ 2♦ 5♣ 7♠")) == (
        state_after(state, "7♦x3♣+4♥").piles[0],
        state_after(state, "7♦x3♣+4♥").loose,
    )


@pytest.mark.parametrize(
    ("loose", "captures"),
    [
        ("7♠ 7♥", ["7♦x7♠", "7♦x7♥"]),
        ("7♠ 7♥ 7♣", ["7♦x7♠", "7♦x7♠,7♥,7♣", "7♦x7♥", "7♦x7♣"]),
    ],
)
def test_4_1_a_set_is_all_loose_cards_of_the_value(loose: str, captures: list[str]) -> None:
    """Three or more of them are one target; two are not."""
    assert captures == lines(table(loose, "7♦"), MoveKind.CAPTURE)


def test_4_1_a_set_of_tens_mixes_ranks() -> None:
    """Of three loose kings a jack takes one or all; with a ten and a queen among them, one or all five."""
    kings = lines(table("K♠ K♥ K♦", "J♣"), MoveKind.CAPTURE)
    mixed = lines(table("K♠ K♥ K♦ 10♠ Q♠", "J♣"), MoveKind.CAPTURE)

    assert ["J♣xK♠", "J♣xK♠,K♥,K♦", "J♣xK♥", "J♣xK♦"] == kings
    assert 6 == len(mixed)
    assert "J♣x10♠,Q♠,K♠,K♥,K♦" in mixed


def test_4_1_a_part_of_a_set_is_no_target() -> None:
    """For example three of four loose sevens."""
    assert not is_legal(table("7♠ 7♥ 7♣ 8♠", "7♦"), "7♦x7♠+7♥")


@pytest.mark.parametrize(
    ("build", "hand", "allowed"),
    [
        ("5♠ 4♦ of 1", "9♠", True),
        ("3♣ 4♥ of 1", "7♦", True),
        ("5♠ 4♦ of 1", "8♣", False),
        ("5♠ 4♦ of 0", "9♠", False),
    ],
)
def test_4_1_a_card_takes_a_whole_build_of_another(build: str, hand: str, allowed: bool) -> None:  # noqa: FBT001  a parametrised column
    """9♠ takes 5♠ and 4♦, 7♦ takes 3♣ and 4♥, 8♣ does not take a 9; the owner takes no build of its own."""
    state = table("", hand, builds=[build])

    assert allowed is bool(lines(state, MoveKind.CAPTURE))


def test_4_1_own_builds_where_the_rules_allow_it() -> None:
    """With `capture_own_builds` an owner takes its builds with one card and with two."""
    state = table("", "9♠ 4♣ 5♣", builds=["5♠ 4♦ of 0"], rules=rules_with(capture_own_builds=True))

    assert ["9♠x[4♦5♠]", "4♣+5♣x[4♦5♠]"] == lines(state, *CAPTURES)


def test_4_1_the_cards_of_a_build_are_not_loose() -> None:
    """They are no target, no part of a group, and not built with."""
    assert ["5♦", "9♠"] == lines(table("", "5♦ 9♠", builds=["5♠ 4♦ of 0"]))


def test_4_1_several_targets_in_any_mix() -> None:
    """With four targets a capture takes up to four disjoint ones: cards, groups, builds; each choice once."""
    state = table("7♠ 3♣ 4♥", "7♦", builds=["A♠ 6♥ of 1"], rules=TRADITIONAL)

    assert [
        "7♦x3♣+4♥",
        "7♦x3♣+4♥,7♠",
        "7♦x3♣+4♥,7♠,[A♠6♥]",
        "7♦x3♣+4♥,[A♠6♥]",
        "7♦x7♠",
        "7♦x7♠,[A♠6♥]",
        "7♦x[A♠6♥]",
    ] == lines(state, MoveKind.CAPTURE)


def test_4_1_the_rules_limit_the_number_of_targets() -> None:
    """Two targets of three; a set is one target with any number of cards."""
    rules = rules_with(capture_targets=2)

    assert ["8♠x8♥", "8♠x8♥,8♦", "8♠x8♦"] == lines(table("8♥ 8♦", "8♠", rules=rules), MoveKind.CAPTURE)
    state = table("8♥ 8♦ 8♣ 3♠ 5♠ 2♠ 6♠", "8♠", rules=rules)
    assert is_legal(state, "8♠x8♥,8♦,8♣,3♠+5♠")
    assert not is_legal(state, "8♠x8♥,8♦,3♠+5♠")
    assert not is_legal(state, "8♠x8♥,8♦,8♣,3♠+5♠,2♠+6♠")


@given(tables(most_loose=6))
@settings(max_examples=25)
def test_4_1_captures_are_listed_once_however_they_are_partitioned(state: State) -> None:
    """They differ by hand card and set of items, though 2 2 3 3 by fives can be partitioned in two ways."""
    moves = legal_moves(state)

    assert len(moves) == len(set(moves))
    two_ways = table("2♠ 2♥ 3♠ 3♥", "5♦", rules=rules_with(capture_targets=2))
    assert 5 == len(lines(two_ways, MoveKind.CAPTURE))


@pytest.mark.parametrize(
    ("loose", "hand", "line", "marriage"),
    [
        ("Q♠", "K♠", "K♠xQ♠", True),
        ("K♦", "Q♦", "Q♦xK♦", True),
        ("Q♦", "K♠", "K♠xQ♦", False),
        ("J♠", "K♠", "K♠xJ♠", False),
        ("Q♠ J♥ 10♥", "K♠", "K♠xQ♠,J♥,10♥", True),
        ("Q♠ K♠", "J♠", "J♠xK♠", False),
    ],
)
def test_4_1_capture_with_marriage_is_a_label(loose: str, hand: str, line: str, marriage: bool) -> None:  # noqa: FBT001  a parametrised column
    """A king or queen that takes its mate of the same suit marries it, alone or in a set; the move is the same."""
    step = apply_line(table(loose, hand), line)

    assert marriage is only_event(step, Moved).marriage
    assert MoveKind.CAPTURE is only_event(step, Moved).move.kind


def test_4_1_only_captures_marry() -> None:
    """Building a marriage is no capture with marriage, nor is a move without a hand card."""
    built = Move(kind=MoveKind.BUILD_MARRIAGE, hand=cards("K♠"), loose=cards("Q♠"))

    assert not has_marriage(built)
    assert not has_marriage(Move(kind=MoveKind.CAPTURE, hand=(), loose=cards("Q♠")))


@pytest.mark.parametrize(
    ("state", "line", "allowed"),
    [
        (table("7♥", "3♠ 4♦"), "3♠+4♦x7♥", True),
        (table("", "2♣ 5♥", builds=["3♣ 4♥ of 1"]), "2♣+5♥x[3♣4♥]", True),
        (table("7♥", "3♠ 6♦"), "3♠+6♦x7♥", False),
        (table("", "2♣ 5♥", builds=["3♣ 4♥ of 0"]), "2♣+5♥x[3♣4♥]", False),
        (table("3♥ 4♥", "2♣ 5♥"), "2♣+5♥x3♥+4♥", False),
        (table("7♥ 7♠", "3♠ 4♦"), "3♠+4♦x7♥,7♠", False),
        (table("", "10♣ J♥", builds=["K♠ Q♠ of 1"]), "10♣+J♥x[K♠Q♠]", True),
        (table("", "K♦ Q♦", builds=["K♠ Q♠ of 0"]), "Q♦+K♦x[K♠Q♠]", False),
        (table("7♥", "3♠ 4♦", rules=rules_with(two_card_capture=False)), "3♠+4♦x7♥", False),
        (table("7♥ 8♥", "3♠ 4♦", rules=TRADITIONAL), "3♠+4♦x7♥", True),
        (table("7♥", "3♠ 4♦", last=True), "3♠+4♦x7♥", True),
        (table("7♥", "3♠ 4♦ K♠"), "4♦+3♠x7♥", True),
    ],
)
def test_4_2_two_cards_take_one_target(state: State, line: str, allowed: bool) -> None:  # noqa: FBT001  a parametrised column
    """3♠ and 4♦ take 7♥, 2♣ and 5♥ a build of 7; no group, no two targets, no own build; also as the last two cards."""
    assert allowed is is_legal(state, line)


def test_4_2_all_cards_go_to_the_pile() -> None:
    """Both hand cards and the target."""
    assert cards("3♠ 4♦ 7♥") == state_after(table("7♥ K♠", "3♠ 4♦"), "3♠+4♦x7♥").piles[0]


def test_4_2_a_marriage_is_taken_only_by_two_tens() -> None:
    """No single card takes it, with any number of targets; any two cards of value 10 do."""
    state = table("9♥", "A♦ 9♠ 10♣ J♥ 6♣", builds=["K♠ Q♠ of 1"], rules=rules_with(capture_targets=10))

    assert ["9♠x9♥", "10♣+J♥x[Q♠K♠]"] == lines(state, *CAPTURES)


@pytest.mark.parametrize(
    ("loose", "hand", "line", "allowed"),
    [
        ("5♦", "4♠", "4♠+5♦=9", True),
        ("4♥ 3♦", "3♣", "3♣+3♦+4♥=10", True),
        ("7♦ 8♣", "6♠", "6♠+7♦+8♣=21", False),
        ("5♦", "6♠", "6♠+5♦=11", False),
        ("9♦", "A♠", "A♠+9♦=10", True),
    ],
)
def test_4_3_a_build_is_one_hand_card_and_loose_ones(loose: str, hand: str, line: str, allowed: bool) -> None:  # noqa: FBT001  a parametrised column
    """4♠ and 5♦ build 9, 3♣, 4♥ and 3♦ build 10; a sum above 10 is not built."""
    assert allowed is is_legal(table(loose, hand), line)


def test_4_3_the_builder_owns_the_build() -> None:
    """It has its sum, follows older builds, and needs no card in hand that takes it."""
    state = state_after(table("5♦ K♠", "4♠ 2♣", builds=["A♠ 6♥ of 1"]), "4♠+5♦")

    assert (Build(cards("A♠ 6♥"), 7, 1), Build(cards("4♠ 5♦"), 9, 0)) == state.builds
    assert (cards("2♣"), cards("K♠")) == (state.hands[0], state.loose)


def test_4_3_no_build_of_builds_and_none_of_hand_cards_alone() -> None:
    """A build has no other build, no second hand card, and at least one loose card."""
    state = table("2♦", "3♠ 4♠", builds=["A♠ 2♥ of 1"])

    assert ["3♠+2♦=5", "4♠+2♦=6"] == lines(state, *BUILDS)


@pytest.mark.parametrize(("loose", "hand"), [("Q♠", "K♠"), ("K♦", "Q♦")])
def test_4_3_a_marriage_builds_at_twenty(loose: str, hand: str) -> None:
    """A king or queen of the hand with its loose mate; not offered where two cards cannot take it."""
    state = state_after(table(f"{loose} 2♣", hand), f"{hand}&{loose}")
    without = table(loose, hand, rules=rules_with(two_card_capture=False))

    assert [(20, 0)] == [(build.value, build.owner) for build in state.builds]
    assert [f"{hand}x{loose}", hand] == lines(without)


@pytest.mark.parametrize(("loose", "hand"), [("Q♦", "K♠"), ("J♠", "K♠"), ("K♠ Q♠", "J♠"), ("", "K♠ Q♠")])
def test_4_3_no_other_pair_is_a_marriage(loose: str, hand: str) -> None:
    """Not of two suits, not with a jack, not of two loose or two hand cards."""
    assert [] == lines(table(loose, hand), MoveKind.BUILD_MARRIAGE)


@pytest.mark.parametrize(
    ("build", "hand", "allowed"),
    [
        ("3♦ 3♣ of 1", "3♠", True),
        ("4♠ 3♦ of 1", "5♥", False),
        ("3♦ 3♣ of 0", "3♠", False),
        ("K♠ Q♠ of 1", "A♠", False),
        ("4♠ 3♦ of 1", "3♠", True),
    ],
)
def test_4_4_a_card_extends_a_build_of_another_up_to_ten(build: str, hand: str, allowed: bool) -> None:  # noqa: FBT001  a parametrised column
    """3♠ makes a 6 a 9; 5♥ would make a 7 a 12; not the own build, not a marriage."""
    assert allowed is bool(lines(table("", hand, builds=[build]), MoveKind.EXTEND))


def test_4_4_the_owner_of_an_extended_build_stays() -> None:
    """With `extension_takes_ownership` it is the extender."""
    kept, taken = (
        state_after(table("", "3♠ K♠", builds=["3♦ 3♣ of 1"], rules=rules), "3♠>6").builds
        for rules in (DEFAULT, rules_with(extension_takes_ownership=True))
    )

    assert (Build(cards("3♠ 3♦ 3♣"), 9, 1),) == kept
    assert (Build(cards("3♠ 3♦ 3♣"), 9, 0),) == taken


def test_4_4_own_builds_where_the_rules_allow_it() -> None:
    """With `extend_own_builds` the owner extends its builds."""
    state = table("", "3♠", builds=["3♦ 3♣ of 0"], rules=rules_with(extend_own_builds=True))

    assert ["3♠>[3♦3♣]"] == lines(state, MoveKind.EXTEND)


@pytest.mark.parametrize(
    ("state", "trails"),
    [
        (table("7♠ K♥", "7♦ 9♠", deal=1), ["9♠"]),
        (table("3♠", "7♦ 9♠", deal=1), ["9♠"]),
        (table("", "3♦ 9♠", builds=["2♣ 4♣ of 1"], deal=1), ["9♠"]),
        (table("", "6♦ 9♠", builds=["2♣ 4♣ of 1"], deal=1), ["9♠"]),
        (table("", "3♦ 6♦ 9♠", builds=["2♣ 4♣ of 0"], deal=1), ["3♦", "6♦", "9♠"]),
        (table("Q♠", "K♠ 9♠", deal=1), ["9♠"]),
        (table("7♥", "3♠ 4♦", deal=1), ["4♦"]),
        (table("7♥", "4♠ 4♦ 3♣", builds=[], deal=1), ["4♠", "4♦"]),
        (table("7♠", "7♦ 9♠", deal=2), ["7♦", "9♠"]),
        (table("7♠", "7♦ 9♠", deal=1, rules=FREE), ["7♦", "9♠"]),
        (table("7♠", "7♦ 9♠", deal=5, rules=STRICT), ["9♠"]),
        (table("", "7♦ 9♠", deal=1), ["7♦", "9♠"]),
    ],
)
def test_4_5_in_round_1_a_usable_card_is_not_trailed(state: State, trails: list[str]) -> None:
    """One that alone captures, builds, marries or extends; other cards and two-card captures do not matter."""
    assert trails == lines(state, MoveKind.TRAIL)


def test_4_5_a_trailed_card_is_loose() -> None:
    """It leaves the hand and is on the table; piles and last capture stay."""
    state = state_after(table("K♠", "2♣ 9♣", last_capture=1), "2♣")

    assert (cards("2♣ K♠"), cards("9♣"), ((), ()), 1) == (
        state.loose,
        state.hands[0],
        state.piles,
        state.last_capture,
    )


@pytest.mark.parametrize(
    ("state", "moves"),
    [
        (table("7♠", "7♦", last=True, rules=FREE), ["7♦x7♠"]),
        (table("2♠", "7♦", last=True, rules=FREE), ["7♦+2♠=9"]),
        (table("", "3♦", builds=["2♣ 4♣ of 1"], last=True, rules=FREE), ["3♦>[2♣4♣]"]),
        (table("8♠", "7♦", last=True), ["7♦"]),
        (table("7♠", "7♦", last=False, rules=FREE), ["7♦x7♠", "7♦"]),
        (table("7♠", "7♦ 9♦", last=True, rules=FREE), ["7♦x7♠", "7♦", "9♦"]),
        (table("7♠", "7♦", others=("8♦",), last=True, rules=FREE), ["7♦x7♠"]),
    ],
)
def test_4_6_the_last_card_of_the_game_must_be_used(state: State, moves: list[str]) -> None:
    """One card in hand and an empty stock: it captures, builds or extends; it is trailed only if it cannot."""
    assert moves == lines(state)


@given(tables())
@settings(max_examples=25)
def test_4_6_there_is_always_a_legal_move(state: State) -> None:
    """Every card in hand has a move."""
    alone = {move.hand[0] for move in legal_moves(state) if len(move.hand) == 1}

    assert set(state.hands[state.turn]) == alone


def test_4_7_the_canonical_order() -> None:
    """Captures, two-card captures, marriages, builds, extensions, trails; hand cards A to K; loose cards before builds."""
    state = table("A♥ 2♠ 3♥ 5♠ Q♠", "2♦ 3♠ K♠", builds=["2♥ 3♣ of 1", "A♠ 2♣ of 1"])

    assert [
        "2♦x2♠",
        "3♠xA♥+2♠",
        "3♠x3♥",
        "3♠x[A♠2♣]",
        "K♠x2♠+3♥+5♠",
        "K♠xQ♠",
        "2♦+3♠x5♠",
        "2♦+3♠x[2♥3♣]",
        "K♠&Q♠",
        "2♦+A♥=3",
        "2♦+A♥+2♠=5",
        "2♦+A♥+2♠+3♥=8",
        "2♦+A♥+2♠+5♠=10",
        "2♦+A♥+3♥=6",
        "2♦+A♥+5♠=8",
        "2♦+2♠=4",
        "2♦+2♠+3♥=7",
        "2♦+2♠+5♠=9",
        "2♦+3♥=5",
        "2♦+3♥+5♠=10",
        "2♦+5♠=7",
        "3♠+A♥=4",
        "3♠+A♥+2♠=6",
        "3♠+A♥+2♠+3♥=9",
        "3♠+A♥+3♥=7",
        "3♠+A♥+5♠=9",
        "3♠+2♠=5",
        "3♠+2♠+3♥=8",
        "3♠+2♠+5♠=10",
        "3♠+3♥=6",
        "3♠+5♠=8",
        "2♦>[2♥3♣]",
        "2♦>[A♠2♣]",
        "3♠>[2♥3♣]",
        "3♠>[A♠2♣]",
        "2♦",
        "3♠",
        "K♠",
    ] == lines(state)


def test_4_7_moves_with_equal_results_are_listed_separately() -> None:
    """A king and a queen that take one jack are two moves; so are builds of the same cards by another hand card."""
    assert ["Q♠xJ♠", "K♠xJ♠"] == lines(table("J♠", "K♠ Q♠"), MoveKind.CAPTURE)


@pytest.mark.parametrize(
    ("state", "chosen"),
    [
        (table("7♠ 2♣", "7♦ 9♠", deal=2), ["7♦", "9♠"]),
        (table("7♠ 2♣", "7♦", rules=STRICT), ["7♦x7♠"]),
        (table("2♣", "7♦", rules=STRICT), ["7♦+2♣=9"]),
    ],
    ids=["trails", "captures where none may be trailed", "any move where nothing can be captured"],
)
def test_moves_that_the_clock_chooses_from(state: State, chosen: list[str]) -> None:
    assert chosen == [write_action(move, state) for move in GAME.overdue(state, 0)]
    assert [] == list(GAME.overdue(state, 1))


NINES = "A♠ 8♠ of 1,A♥ 8♥ of 1,A♦ 8♦ of 1,A♣ 8♣ of 1,2♠ 7♠ of 1,2♥ 7♥ of 1,2♦ 7♦ of 1,2♣ 7♣ of 1,3♠ 6♠ of 1"


@pytest.mark.parametrize(
    ("count", "most", "captures"), [(8, 10, 255), (9, 7, 501), (9, 8, 501), (9, 10, 501), (9, 2, 45)]
)
def test_4_8_a_card_takes_as_many_targets_as_make_500_captures(count: int, most: int, captures: int) -> None:
    """Of nine builds of 9, up to seven at once are 492 captures of several and 9 of one; with eight at once, 501."""
    state = table("", "9♠", builds=NINES.split(",")[:count], rules=rules_with(capture_targets=most))

    assert captures == len(lines(state, MoveKind.CAPTURE))


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("hand", "rules", "moves"),
    [
        ("Q♥ K♠ K♦ Q♣", DEFAULT, 6_852),
        ("Q♥ K♠ K♦ Q♣", TRADITIONAL, 6_848),
        ("10♠ 10♥ 10♦ 10♣", SHORT, 6_796),
        ("7♣ 8♠ 8♥ 8♦ 8♣ 9♠ 9♥ 9♦ 9♣ 10♠ 10♥ 10♦ 10♣", SHORT, 13_287),
        ("10♠ 10♥ 10♦ 10♣ J♠ J♥ J♦ J♣ Q♥ K♠ K♥ K♦ K♣", DEFAULT, 22_142),
    ],
)
def test_4_8_the_longest_known_lists(hand: str, rules: Rules, moves: int) -> None:
    """All other cards are loose: no table with these hands is known to have more moves."""
    loose = " ".join(str(card) for card in rules.cards if card not in cards(hand))
    state = table(loose, hand, rules=rules)

    assert moves == kernel.generate_moves(encode_state(state), encode_rules(rules), move_list())
    assert moves == len(legal_moves(state))
    assert f"{moves:,}" in PAGE


@pytest.mark.parametrize(
    ("loose", "hand"),
    [("A♠ A♥ A♦ 2♠ 2♥ 2♦ 3♠ 3♥ 3♦ 4♠", "7♠ 5♥"), ("5♠ 5♥ 5♦ 5♣ 2♠ 2♥ 3♠ 3♥ 4♠ 6♠ A♠", "10♠ 10♥")],
)
def test_4_8_captures_of_one_target_are_never_cut(loose: str, hand: str) -> None:
    """The limit is for each card: all captures of one target, and of several as many as make no more than 500."""
    state = table(loose, hand, rules=rules_with(capture_targets=10))
    taken = [move for move in legal_moves(state) if move.kind is MoveKind.CAPTURE]

    assert sort_moves(move for move in kernel_moves(state) if move.kind is MoveKind.CAPTURE) == taken
    for card in state.hands[0]:
        alone = {move.loose for move in taken if move.hand == (card,)}
        assert {frozenset(items) for items in alone} >= targets(
            value_of(card), state, small_groups(state.loose)
        )


@pytest.mark.parametrize(
    ("rules", "hand", "lines"),
    [(FREE, "7♠ K♠", ["7♠", "K♠"]), (STRICT, "7♠", ["7♠x7♥"]), (STRICT, "7♠ K♠", ["K♠"])],
)
def test_4_5_when_time_is_up_a_card_is_trailed_or_captures(rules: Rules, hand: str, lines: list[str]) -> None:
    """Any card that may be trailed; where none may be, a capture."""
    state = table("7♥", hand, rules=rules)

    assert lines == [write_action(move, state) for move in GAME.overdue(state, 0)]
