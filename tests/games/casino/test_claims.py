"""Executing a claim of a client checks everything in it (§6.5)."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from oddsmith import wire
from oddsmith.cards import JOKERS, cards
from oddsmith.errors import IllegalMove, InputError, Refusal
from oddsmith.game import Act
from oddsmith.games.casino.claims import Claim, ClaimedBuild, claimed_move, truthful_claim
from oddsmith.games.casino.drafts.drops import claim_objection, execute
from oddsmith.games.casino.drafts.stacks import Staging
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Move, MoveKind, State
from oddsmith.games.casino.moves import legal_moves
from oddsmith.games.casino.rules import TrailRestriction
from tests.games.casino.drafts import TABLE, stage_cards, states
from tests.games.casino.tables import rules_with, table

STACKED = stage_cards(TABLE, hand="9♠", loose="4♠ 5♦")
CAPTURE = Claim(kind=MoveKind.CAPTURE, hand=cards("9♠"), loose=cards("5♦ 4♠"))
EXTENSION = Claim(kind=MoveKind.EXTEND, hand=cards("3♠"), builds=(ClaimedBuild(place=0),))


def test_6_5_a_claim_without_values_is_the_move_that_it_names() -> None:
    """In canonical order."""
    assert Move(kind=MoveKind.CAPTURE, hand=cards("9♠"), loose=cards("4♠ 5♦")) == execute(
        CAPTURE, STACKED, TABLE
    )
    assert Move(kind=MoveKind.EXTEND, hand=cards("3♠"), builds=(0,)) == execute(EXTENSION, None, TABLE)


@pytest.mark.parametrize(
    ("move", "value"),
    [
        (Move(kind=MoveKind.CAPTURE, hand=cards("9♠"), loose=cards("4♠ 5♦")), 9),
        (Move(kind=MoveKind.TWO_CARD_CAPTURE, hand=cards("3♠ 4♦"), loose=cards("7♥")), 7),
        (Move(kind=MoveKind.BUILD_MARRIAGE, hand=cards("K♠"), loose=cards("Q♠")), 20),
        (Move(kind=MoveKind.BUILD, hand=cards("4♦"), loose=cards("5♦")), 9),
        (Move(kind=MoveKind.EXTEND, hand=cards("3♠"), builds=(0,)), 9),
        (Move(kind=MoveKind.TRAIL, hand=cards("9♠")), 9),
    ],
    ids=str,
)
def test_6_5_values_that_can_be_claimed_of_each_kind_of_move(move: Move, value: int) -> None:
    """What the hand cards take, or the value of the build afterwards."""
    claim = truthful_claim(move, TABLE)

    assert value == claim.value
    assert move == execute(claim, None, TABLE)


def test_6_5_values_that_can_be_claimed_of_an_extension() -> None:
    """The build's cards, value and owner, and all cards of the move."""
    assert Claim(
        kind=MoveKind.EXTEND,
        hand=cards("3♠"),
        builds=(ClaimedBuild(place=0, cards=cards("2♥ 4♥"), value=6, owner=1),),
        value=9,
        owner=0,
        cards=cards("2♥ 3♠ 4♥"),
    ) == truthful_claim(Move(kind=MoveKind.EXTEND, hand=cards("3♠"), builds=(0,)), TABLE)


@pytest.mark.parametrize(
    ("claim", "belief", "code", "sentence"),
    [
        (CAPTURE, {"value": 10}, "wrong_value", "the move is worth 9, not 10"),
        (CAPTURE, {"owner": 1}, "wrong_owner", "it is seat 0 that moves, not seat 1"),
        (
            CAPTURE,
            {"cards": cards("9♠ 4♠ 6♦")},
            "wrong_cards",
            "the move is made of other cards than were claimed",
        ),
        (
            CAPTURE,
            {"cards": (*cards("9♠ 4♠"), JOKERS[0])},
            "wrong_cards",
            "the move is made of other cards than were claimed",
        ),
        (
            EXTENSION,
            {"builds": (ClaimedBuild(place=0, cards=cards("A♥ 8♥")),)},
            "wrong_cards",
            "build 0 is made of other cards than were claimed",
        ),
        (
            EXTENSION,
            {"builds": (ClaimedBuild(place=0, value=5),)},
            "wrong_value",
            "build 0 is worth 6, not 5",
        ),
        (
            EXTENSION,
            {"builds": (ClaimedBuild(place=0, owner=0),)},
            "wrong_owner",
            "build 0 is seat 1's, not seat 0's",
        ),
        (EXTENSION, {"value": 6}, "wrong_value", "the move is worth 9, not 6"),
    ],
    ids=str,
)
def test_6_5_a_wrong_value_is_refused(claim: Claim, belief: dict[str, Any], code: str, sentence: str) -> None:
    """For a legal move one wrong value is enough, and the state does not change."""
    before = wire.to_json(TABLE)
    wrong = msgspec.structs.replace(claim, **belief)
    staging = STACKED if claim is CAPTURE else None
    with pytest.raises(IllegalMove) as caught:
        execute(wrong, staging, TABLE)

    assert Refusal(code, sentence, paragraph="6.5") == caught.value.refusal
    assert claim_objection(claim, staging, TABLE) is None
    assert before == wire.to_json(TABLE)


@pytest.mark.parametrize(
    ("claim", "code"),
    [
        (Claim(kind=MoveKind.CAPTURE, hand=cards("7♦"), loose=cards("7♥"), value=7), "card_not_held"),
        (Claim(kind=MoveKind.CAPTURE, hand=JOKERS[:1], loose=cards("7♥"), value=7), "unknown_card"),
        (Claim(kind=MoveKind.CAPTURE, hand=cards("9♠"), loose=cards("9♥"), value=9), "card_not_loose"),
        (Claim(kind=MoveKind.CAPTURE, hand=cards("9♠"), loose=cards("7♥"), value=9), "wrong_value"),
        (
            Claim(
                kind=MoveKind.CAPTURE,
                hand=cards("9♠"),
                builds=(ClaimedBuild(place=1, value=9, owner=1),),
                value=9,
            ),
            "own_build",
        ),
        (
            Claim(kind=MoveKind.CAPTURE, hand=cards("9♠"), builds=(ClaimedBuild(place=0, value=9),)),
            "wrong_value",
        ),
        (Claim(kind=MoveKind.CAPTURE, hand=cards("9♠"), builds=(ClaimedBuild(place=2),)), "no_such_build"),
        (Claim(kind=MoveKind.BUILD, hand=cards("9♠"), loose=cards("5♦"), value=10), "above_ten"),
        (Claim(kind=MoveKind.BUILD, hand=(), loose=cards("4♠ 5♦"), value=9), "wrong_hand_cards"),
        (
            Claim(kind=MoveKind.EXTEND, hand=cards("3♠"), builds=(ClaimedBuild(place=0),) * 2),
            "item_twice",
        ),
    ],
    ids=str,
)
def test_6_5_no_claim_makes_an_illegal_move_legal(claim: Claim, code: str) -> None:
    refusal = claim_objection(claim, None, TABLE)

    assert refusal is not None
    assert code == refusal.code


def test_6_5_a_move_uses_all_of_the_stack_or_nothing_of_it() -> None:
    """The last drop may add an item from the hand or from the table."""
    whole = Claim(kind=MoveKind.CAPTURE, hand=cards("9♠"), loose=cards("4♠ 5♦"))
    stacks = [
        stage_cards(TABLE, loose="4♠"),
        stage_cards(TABLE, loose="4♠ 5♦"),
        stage_cards(TABLE, hand="9♠", loose="5♦"),
        stage_cards(TABLE, builds=(0,)),
        stage_cards(TABLE, loose="4♠ 7♥"),
        stage_cards(TABLE, hand="4♦", loose="5♦"),
        stage_cards(TABLE, hand="9♠", builds=(0,)),
    ]

    assert [None] * 4 == [claim_objection(whole, stack, TABLE) for stack in stacks[:4]]
    assert [
        Refusal(
            "part_of_the_stack",
            "a move is made with all that lies in your stack, or with nothing of it: edit or cancel the stack first",
            paragraph="6.5",
        )
    ] * 3 == [claim_objection(whole, stack, TABLE) for stack in stacks[4:]]


@pytest.mark.parametrize(
    ("stack", "code"),
    [
        (Staging(owner=1), "not_your_turn"),
        (Staging(owner=0, loose=cards("8♦")), "card_not_loose"),
        (Staging(owner=0, hand=cards("9♠ 3♠"), loose=cards("4♠")), "second_hand_card"),
    ],
    ids=str,
)
def test_6_5_a_stale_stack_is_refused(stack: Staging, code: str) -> None:
    """Even where the claim is right."""
    assert code == getattr(claim_objection(EXTENSION, stack, TABLE), "code", None)


@given(states())
@settings(max_examples=15)
def test_6_5_executing_keeps_all_cards_exactly_once(state: State) -> None:
    """Stock, hands, table and piles, before and after."""
    moves = legal_moves(state)
    for move in moves[:: max(1, len(moves) // 4)]:
        action = execute(truthful_claim(move, state), None, state)
        after = GAME.step(state, Act(state.turn, action)).state

        assert sorted(map(str, state.rules.cards)) == sorted(map(str, GAME.cards(after)))


def test_6_5_claims_are_read_back_from_json_and_bounded() -> None:
    claim = truthful_claim(Move(kind=MoveKind.EXTEND, hand=cards("3♠"), builds=(0,)), TABLE)

    assert claim == wire.from_json(wire.to_json(claim), Claim)
    for text in (
        '{"kind":"steal","hand":[]}',
        '{"kind":"trail","hand":["3♠","4♠","5♠"]}',
        '{"kind":"trail","hand":["3♠"],"value":100000}',
        '{"kind":"trail","hand":["3♠"],"owner":4}',
        '{"kind":"trail","hand":["3♠"],"sweep":true}',
    ):
        with pytest.raises(InputError):
            wire.from_json(text, Claim)


def test_6_5_a_free_trail_may_be_claimed() -> None:
    """Where trails are free, a card that could capture is trailed."""
    state = table("7♠", "7♦ 2♥", rules=rules_with(trail_restriction=TrailRestriction.NEVER), deal=1)

    assert Move(kind=MoveKind.TRAIL, hand=cards("7♦")) == execute(
        Claim(kind=MoveKind.TRAIL, hand=cards("7♦")), None, state
    )


# --- claims of a match ------------------------------------------------------------------------------------------------


def test_6_5_the_data_of_a_move_is_a_claim_without_values() -> None:
    """Builds by index alone; `claimed_action` returns the move as it is, and leaves its legality to the step."""
    illegal = Move(kind=MoveKind.CAPTURE, hand=cards("A♣"), loose=cards("K♦"), builds=(7,))
    claim = wire.from_json(wire.to_json(illegal), Claim)

    assert not claim.has_values
    assert illegal == GAME.claimed_action(TABLE, 0, claim)


@pytest.mark.parametrize(
    ("claim", "seat", "code"),
    [
        (CAPTURE, 0, None),
        (msgspec.structs.replace(CAPTURE, value=9, owner=0), 0, None),
        (msgspec.structs.replace(CAPTURE, value=10), 0, "wrong_value"),
        (msgspec.structs.replace(CAPTURE, owner=1), 0, "wrong_owner"),
        (msgspec.structs.replace(CAPTURE, owner=1), 1, "not_your_turn"),
        (msgspec.structs.replace(CAPTURE, cards=cards("9♠ 4♠")), 0, "wrong_cards"),
        (msgspec.structs.replace(CAPTURE, loose=cards("4♠ 7♥"), value=9), 0, "wrong_value"),
        (msgspec.structs.replace(EXTENSION, builds=(ClaimedBuild(place=0, owner=0),)), 0, "wrong_owner"),
        (msgspec.structs.replace(EXTENSION, builds=(ClaimedBuild(place=0, value=6),)), 0, None),
        (msgspec.structs.replace(EXTENSION, builds=(0,), value=9), 0, None),
    ],
    ids=str,
)
def test_6_5_a_match_checks_every_claimed_value(claim: Claim, seat: int, code: str | None) -> None:
    """The first wrong one refuses the move."""
    if code is None:
        assert claimed_move(claim) == GAME.claimed_action(TABLE, seat, claim)
        return
    with pytest.raises(IllegalMove) as caught:
        GAME.claimed_action(TABLE, seat, claim)

    assert code == caught.value.refusal.code
