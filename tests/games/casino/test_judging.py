"""One move is judged without the list of all moves, and by the same rule (§4.5, §4.8)."""

import sys
from collections.abc import Callable
from itertools import islice
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.cards import Card, cards
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import CARDS_IN_ORDER, Build, Move, MoveKind, State, in_order, value_of
from oddsmith.games.casino.moves import (
    captured_items,
    first_use,
    legal_moves,
    most_targets,
    small_groups,
    targets,
    useful_moves,
)
from oddsmith.games.casino.objections import move_objection
from oddsmith.games.casino.rules import DEFAULT, MOST_JOINT_CAPTURES, Rules, TrailRestriction
from tests.games.casino.strategies import tables
from tests.games.casino.tables import rules_with

HIGH = cards("K♠ K♦ Q♥ Q♣")
OTHER = cards("10♠ 10♥ 10♦ 10♣")
MOST_JUDGED = 20
CROWDED = tuple(card for card in DEFAULT.cards if card not in (*HIGH, *OTHER))


def crowded_table(restriction: TrailRestriction) -> State:
    """Return a table with 44 loose cards and captures of up to ten targets."""
    return State(
        rules=rules_with(capture_targets=10, trail_restriction=restriction),
        hands=(in_order(HIGH), in_order(OTHER)),
        loose=in_order(CROWDED),
        builds=(),
        piles=((), ()),
        sweeps=(0, 0),
        stock=(),
        deal=2,
    )


def calls_of(work: Callable[[], object]) -> int:
    """Return how many functions of Python work calls, and how often it resumes generators."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(
    ("restriction", "move", "code"),
    [
        (
            TrailRestriction.NEVER,
            Move(kind=MoveKind.CAPTURE, hand=cards("K♠"), loose=cards("A♠ 9♠ J♦")),
            "too_many_captures",
        ),
        (
            TrailRestriction.NEVER,
            Move(kind=MoveKind.CAPTURE, hand=cards("K♠"), loose=cards("9♠")),
            "wrong_value",
        ),
        (TrailRestriction.ALWAYS, Move(kind=MoveKind.TRAIL, hand=cards("K♠")), "must_play"),
    ],
    ids=["a capture that is too large", "a capture of another value", "a trail"],
)
def test_a_refusal_on_a_crowded_table_lists_no_moves(
    restriction: TrailRestriction, move: Move, code: str
) -> None:
    """It takes less than a hundredth of the calls that it takes to list the 6,836 moves of the table."""
    state = crowded_table(restriction)
    refusal = GAME.objection(state, 0, move)
    listed = calls_of(lambda: legal_moves(state))

    assert refusal is not None
    assert code == refusal.code
    assert 100 * calls_of(lambda: GAME.objection(state, 0, move)) < listed


@given(tables())
@settings(max_examples=100)
def test_4_5_a_card_has_a_first_use_if_it_has_any(state: State) -> None:
    """It is the first of the list, but for captures of several targets at once."""
    groups = small_groups(state.loose)
    for card in state.hands[state.turn]:
        useful = list(useful_moves(card, state, groups))
        single = targets(value_of(card), state, groups)
        simple = [
            move
            for move in useful
            if move.kind is not MoveKind.CAPTURE or frozenset((*move.loose, *move.builds)) in single
        ]

        assert first_use(card, state) == next(iter(simple), None)
        assert bool(useful) is bool(simple)


@st.composite
def wide_tables(draw: st.DrawFn) -> State:
    """Return a table of low cards and builds, with one hand card that may capture several targets."""
    value = draw(st.integers(5, 10))
    low = [card for card in CARDS_IN_ORDER if value_of(card) <= value]
    shuffled = draw(st.permutations(low))
    hand = next(card for card in shuffled if value_of(card) == value)
    rest = [card for card in shuffled if card != hand]
    count, built = draw(st.integers(1, 18)), draw(st.integers(0, 4))
    builds = tuple(Build((card,), value, draw(st.integers(0, 1))) for card in rest[count : count + built])
    rules = draw(
        st.sampled_from([rules_with(capture_targets=most, capture_own_builds=True) for most in (1, 2, 3, 10)])
    )
    return _table(rules, hand, rest[:count], builds)


def _table(rules: Rules, hand: Card, loose: list[Card], builds: tuple[Build, ...]) -> State:
    return State(
        rules=rules,
        hands=((hand,), ()),
        loose=in_order(loose),
        builds=builds,
        piles=((), ()),
        sweeps=(0, 0),
        stock=(),
        deal=2,
    )


@given(wide_tables())
@settings(max_examples=25, deadline=None)
def test_4_8_a_capture_is_legal_if_it_is_listed(state: State) -> None:
    """Over some captures that are listed, and some of these with one more target, which may be too many."""
    [card] = state.hands[0]
    value, groups = value_of(card), small_groups(state.loose)
    single = targets(value, state, groups)
    listed = captured_items(value, state, groups)
    in_order_of_size = sorted(listed, key=len)
    large = in_order_of_size[-MOST_JUDGED:]
    joined = islice((items | target for items in large for target in single), MOST_JUDGED)
    for items in (*in_order_of_size[:MOST_JUDGED], *large, *joined):
        move = Move(
            kind=MoveKind.CAPTURE,
            hand=(card,),
            loose=in_order(item for item in items if isinstance(item, Card)),
            builds=tuple(sorted(item for item in items if isinstance(item, int))),
        )

        assert (move_objection(state, move) is None) is (items in listed)


@given(wide_tables())
@settings(max_examples=25, deadline=None)
def test_4_8_the_most_targets_are_those_of_at_most_500_captures(state: State) -> None:
    """Counted one by one: all unions of disjoint targets, for as many targets as make no more than 500."""
    [card] = state.hands[0]
    single = targets(value_of(card), state, small_groups(state.loose))
    found, latest, most = single, single, 1
    while latest and most < state.rules.capture_targets:
        latest = {items | target for items in latest for target in single if not items & target} - found
        found = found | latest
        if not latest or len(found) - len(single) > MOST_JOINT_CAPTURES:
            break
        most += 1

    assert most_targets(value_of(card), state) == most
