"""What a drop can mean (§6.3), and that executing believes nothing (§6.5)."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith import wire
from oddsmith.cards import JOKERS, card, cards
from oddsmith.errors import IllegalMove, InputError, Refusal
from oddsmith.game import Act
from oddsmith.games.casino.actions import (
    RULES,
    Action,
    ActionKind,
    Actions,
    Claim,
    ClaimedBuild,
    claim_objection,
    determine_actions,
    execute,
    truthful_claim,
)
from oddsmith.games.casino.bridge import legal_moves
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Move, MoveKind, State
from oddsmith.games.casino.rules import TrailRestriction
from oddsmith.games.casino.staging import (
    BuildItem,
    Dragged,
    HandCard,
    LooseCard,
    OpenArea,
    StackTarget,
    Staging,
    Target,
    is_staged,
    stage,
)
from tests.games.casino.drafts import contents, drafts, parts, staged, states, things
from tests.games.casino.tables import ruled, table

OPEN, STACK = OpenArea(), StackTarget()
TABLE = table("7♥ 4♠ 5♦ Q♠", "3♠ 4♦ 9♠ K♠", builds=["2♥ 4♥ of 1", "A♥ 8♥ of 0"], others=["2♣ 3♣"])


def held(text: str) -> HandCard:
    return HandCard(card(text))


def lies(text: str) -> LooseCard:
    return LooseCard(card(text))


def labels(found: Actions) -> list[str]:
    return [action.label for action in found.actions]


# --- §6.3 the rules ---------------------------------------------------------------------------------------------------


def test_6_3_rules_are_tried_by_priority() -> None:
    """Staging 100, capture 90, build 80, extension 75, trail 70; gathering alone is exclusive."""
    assert [
        ("gathering", 100, True),
        ("staging", 100, False),
        ("capture", 90, False),
        ("build", 80, False),
        ("extension", 75, False),
        ("trail", 70, False),
    ] == [(rule.name, rule.priority, rule.is_exclusive) for rule in RULES]


@pytest.mark.parametrize(
    ("dragged", "target", "expected", "choice"),
    [
        (held("4♦"), lies("4♠"), ["Make a stack", "Capture with 4♦", "Build 8 with 4♦"], True),
        (held("4♦"), lies("5♦"), ["Make a stack", "Build 9 with 4♦"], False),
        (held("9♠"), lies("7♥"), ["Make a stack"], False),
        (
            held("K♠"),
            lies("Q♠"),
            ["Make a stack", "Capture with marriage: K♠", "Build marriage"],
            True,
        ),
        (held("3♠"), BuildItem(0), ["Make a stack", "Extend to 9 with 3♠"], False),
        (held("9♠"), BuildItem(1), ["Make a stack"], False),
        (held("9♠"), STACK, ["Make a stack", "Trail 9♠"], True),
        (held("9♠"), OPEN, ["Trail 9♠"], True),
        (lies("4♠"), lies("5♦"), ["Make a stack"], False),
        (lies("4♠"), BuildItem(0), ["Make a stack"], False),
        (BuildItem(0), lies("4♠"), ["Make a stack"], False),
        (BuildItem(0), BuildItem(1), ["Make a stack"], False),
        (lies("4♠"), STACK, ["Make a stack"], False),
    ],
    ids=str,
)
def test_6_3_what_a_drop_can_mean_where_there_is_no_stack(
    dragged: Dragged,
    target: Target,
    expected: list[str],
    choice: bool,  # noqa: FBT001  a column of the table above
) -> None:
    """A hand card makes the moves of the two things; table items are only gathered."""
    found = determine_actions(dragged, target, None, TABLE)

    assert expected == labels(found)
    assert choice == found.needs_choice
    assert found.refusal is None


@pytest.mark.parametrize(
    ("dragged", "target", "expected", "choice"),
    [
        (held("9♠"), STACK, ["Add to the stack", "Capture with 9♠"], False),
        (held("9♠"), lies("5♦"), ["Add to the stack", "Capture with 9♠"], False),
        (held("3♠"), STACK, ["Add to the stack"], False),
        (lies("7♥"), STACK, ["Add to the stack"], False),
        (BuildItem(0), STACK, ["Add to the stack"], False),
        (held("3♠"), OPEN, ["Trail 3♠"], True),
        (held("3♠"), BuildItem(0), ["Extend to 9 with 3♠"], False),
        (held("K♠"), lies("Q♠"), ["Capture with marriage: K♠", "Build marriage"], True),
    ],
    ids=str,
)
def test_6_3_what_a_drop_can_mean_where_there_is_a_stack(
    dragged: Dragged,
    target: Target,
    expected: list[str],
    choice: bool,  # noqa: FBT001  a column of the table above
) -> None:
    """On it, all of the stack counts; beside it, only the two things; edit and cancel are last."""
    stack = staged(TABLE, loose="4♠ 5♦")
    found = determine_actions(dragged, target, stack, TABLE)

    assert [*expected, "Edit stack", "Cancel stack"] == labels(found)
    assert choice == found.needs_choice
    assert stack == found.actions[-2].staging
    assert found.actions[-1] == Action(kind=ActionKind.CANCEL, label="Cancel stack", priority=10)


def test_6_3_two_card_captures_are_among_the_captures() -> None:
    """3♠ on the stack of 4♦ and 7♥ takes the seven."""
    found = determine_actions(held("3♠"), STACK, staged(TABLE, hand="4♦", loose="7♥"), TABLE)

    assert ["Add to the stack", "Capture with 3♠ + 4♦", "Edit stack", "Cancel stack"] == labels(found)
    assert [100, 90, 20, 10] == [action.priority for action in found.actions]


def test_6_3_capture_build_and_extension_in_this_order() -> None:
    """A three on a build of three: taken, or made six; the actions carry what they do."""
    state = table("K♣", "3♠", builds=["A♥ 2♥ of 1"])
    found = determine_actions(held("3♠"), BuildItem(0), None, state)

    assert (
        Action(
            kind=ActionKind.STAGING,
            label="Make a stack",
            priority=100,
            staging=Staging(owner=0, hand=cards("3♠"), builds=(0,)),
        ),
        Action(
            kind=ActionKind.CAPTURE,
            label="Capture with 3♠",
            priority=90,
            move=Move(kind=MoveKind.CAPTURE, hand=cards("3♠"), builds=(0,)),
        ),
        Action(
            kind=ActionKind.EXTENSION,
            label="Extend to 6 with 3♠",
            priority=75,
            move=Move(kind=MoveKind.EXTEND, hand=cards("3♠"), builds=(0,)),
        ),
    ) == found.actions
    assert found.needs_choice


@pytest.mark.parametrize(
    ("dragged", "target", "code", "sentence", "paragraph"),
    [
        (
            lies("4♠"),
            OPEN,
            "no_action",
            "what lies on the table stays where it is: drop it on another card, a build or the stack",
            "6.3",
        ),
        (
            BuildItem(0),
            OPEN,
            "no_action",
            "what lies on the table stays where it is: drop it on another card, a build or the stack",
            "6.3",
        ),
        (held("2♣"), OPEN, "card_not_held", "2♣ is not in your hand", "6.2"),
        (held("9♠"), lies("2♣"), "card_not_loose", "2♣ does not lie loose on the table", "6.2"),
        (lies("9♠"), STACK, "card_not_loose", "9♠ does not lie loose on the table", "6.2"),
        (lies("4♠"), lies("4♠"), "item_twice", "a card or build lies in a stack once", "6.2"),
        (
            held("9♠"),
            BuildItem(2),
            "no_such_build",
            "there is no build 2: builds are counted from 0, and there are 2",
            "6.2",
        ),
    ],
    ids=str,
)
def test_6_3_where_nothing_can_be_done_the_answer_says_why(
    dragged: Dragged, target: Target, code: str, sentence: str, paragraph: str
) -> None:
    """No action, and a reason."""
    refused = Actions(refusal=Refusal(code, sentence, paragraph=paragraph))

    assert refused == determine_actions(dragged, target, None, TABLE)


def test_6_3_a_card_that_may_not_be_trailed_is_refused_by_the_rule_for_trails() -> None:
    """In round 1 a card that can capture is not trailed, on the open area or on an empty stack."""
    state = table("7♠", "7♦ 2♥", deal=1)
    refusal = GAME.objection(state, 0, Move(kind=MoveKind.TRAIL, hand=cards("7♦")))

    assert refusal is not None
    assert "must_play" == refusal.code
    assert Actions(refusal=refusal) == determine_actions(held("7♦"), OPEN, None, state)
    assert ["Make a stack"] == labels(determine_actions(held("7♦"), STACK, None, state))


@pytest.mark.parametrize(
    ("dragged", "target", "code", "sentence"),
    [
        (
            lies("4♠"),
            lies("7♥"),
            "in_the_stack",
            "that lies in your stack already: edit the stack to take it back",
        ),
        (held("9♠"), OPEN, "in_the_stack", "that lies in your stack already: edit the stack to take it back"),
        (
            lies("7♥"),
            lies("Q♠"),
            "another_stack",
            "you have a stack already, and begin no second one: drop things on it, or cancel it",
        ),
        (
            held("4♦"),
            lies("7♥"),
            "another_stack",
            "you have a stack already, and begin no second one: drop things on it, or cancel it",
        ),
    ],
    ids=str,
)
def test_6_3_what_a_stack_forbids(dragged: Dragged, target: Target, code: str, sentence: str) -> None:
    """What is in it is not dragged elsewhere, and no second stack is begun beside it."""
    stack = staged(TABLE, hand="9♠", loose="4♠ 5♦")

    assert Actions(refusal=Refusal(code, sentence, paragraph="6.3")) == determine_actions(
        dragged, target, stack, TABLE
    )


def test_6_3_a_second_hand_card_that_takes_nothing_is_refused() -> None:
    """3♠ on the stack of 9♠ and 4♠."""
    found = determine_actions(held("3♠"), STACK, staged(TABLE, hand="9♠", loose="4♠"), TABLE)

    assert not found.actions
    assert "second_hand_card" == getattr(found.refusal, "code", None)


@pytest.mark.parametrize(
    "stack",
    [Staging(owner=1), Staging(owner=0, loose=cards("8♦")), Staging(owner=0, hand=cards("2♣"))],
    ids=str,
)
def test_6_3_a_stale_stack_or_another_seats_is_refused(stack: Staging) -> None:
    """Whatever is dropped."""
    refusal = determine_actions(held("9♠"), OPEN, stack, TABLE).refusal

    assert refusal is not None
    assert refusal.code in {"not_your_turn", "card_not_loose", "card_not_held"}


def dropped_last(things: list[Dragged], state: State) -> Actions:
    """Stage all things but the last, and drop that on the stack; one thing alone is dropped on the open area."""
    *first, last = things
    if not first:
        return determine_actions(last, OPEN, None, state)
    return determine_actions(last, STACK, stage(None, first, state), state)


@given(states(), st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_6_3_every_move_is_the_action_of_its_parts(state: State, order: Any) -> None:  # noqa: ANN401  a shuffler
    """Whatever comes last; executed, it leads to the state that the move itself leads to."""
    moves = legal_moves(state)
    for move in moves[:: max(1, len(moves) // 5)]:
        parted = parts(move)
        order.shuffle(parted)
        found = dropped_last(parted, state)
        stack = stage(None, parted[:-1], state)

        assert move in [action.move for action in found.actions]
        assert move == execute(truthful_claim(move, state), stack, state)
        assert GAME.step(state, Act(state.turn, move)) == GAME.step(
            state, Act(stack.owner, execute(Claim(**claimed(move)), stack, state))
        )


def claimed(move: Move) -> dict[str, Any]:
    """Return what a claim of this move names, believing nothing of it."""
    builds = tuple(ClaimedBuild(place=place) for place in reversed(move.builds))
    return {"kind": move.kind, "hand": move.hand[::-1], "loose": move.loose[::-1], "builds": builds}


@given(drafts(), st.data())
@settings(max_examples=40)
def test_6_3_every_action_is_legal_and_of_exactly_what_was_put_together(
    drafted: tuple[Staging, State], data: st.DataObject
) -> None:
    """Each is executed as it is listed; where there is none, there is a reason."""
    staging, state = drafted
    everything = things(state.hands[state.turn], state.loose, range(len(state.builds)))
    dragged = data.draw(st.sampled_from(everything))
    targets: list[Any] = [thing for thing in everything if not isinstance(thing, HandCard)]
    target: Target = data.draw(st.sampled_from([*targets, STACK, STACK, OPEN]))
    found = determine_actions(dragged, target, staging, state)
    put: list[Any] = [dragged] if target == OPEN else [dragged, target]
    if target == STACK or is_staged(target, staging):
        put = [*contents(staging), dragged]

    made = sorted(map(str, put))
    whole = [move for move in legal_moves(state) if sorted(map(str, parts(move))) == made]

    assert bool(found.actions) != (found.refusal is not None)
    assert dragged in contents(staging) or whole == [action.move for action in found.actions if action.move]
    assert sorted(found.actions, key=lambda action: -action.priority) == list(found.actions)
    for action in found.actions:
        if action.move is not None:
            assert GAME.objection(state, state.turn, action.move) is None
            assert action.move == execute(truthful_claim(action.move, state), staging, state)
        if action.kind is ActionKind.STAGING:
            assert action.staging == stage(None, put, state)


def test_6_3_actions_are_data() -> None:
    """They go to JSON and come back."""
    for found in (
        determine_actions(held("4♦"), lies("4♠"), None, TABLE),
        determine_actions(held("9♠"), STACK, staged(TABLE, loose="4♠ 5♦"), TABLE),
        determine_actions(lies("4♠"), OPEN, None, TABLE),
    ):
        assert found == wire.from_json(wire.to_json(found), Actions)


# --- §6.5 ---------------------------------------------------------------------------------------------------------

STACKED = staged(TABLE, hand="9♠", loose="4♠ 5♦")
CAPTURE = Claim(kind=MoveKind.CAPTURE, hand=cards("9♠"), loose=cards("5♦ 4♠"))
EXTENSION = Claim(kind=MoveKind.EXTEND, hand=cards("3♠"), builds=(ClaimedBuild(place=0),))


def test_6_5_a_claim_without_beliefs_is_the_move_that_it_names() -> None:
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
def test_6_5_what_can_be_claimed_of_each_kind_of_move(move: Move, value: int) -> None:
    """What the hand cards take, or what the build is worth afterwards."""
    claim = truthful_claim(move, TABLE)

    assert value == claim.value
    assert move == execute(claim, None, TABLE)


def test_6_5_everything_that_can_be_claimed_of_an_extension() -> None:
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
def test_6_5_a_claim_that_is_not_so_is_refused(
    claim: Claim, belief: dict[str, Any], code: str, sentence: str
) -> None:
    """Of a move that is legal: one wrong belief is enough, and nothing changes."""
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
def test_6_5_no_claim_makes_a_move_legal(claim: Claim, code: str) -> None:
    """The rules are asked about what is so."""
    refusal = claim_objection(claim, None, TABLE)

    assert refusal is not None
    assert code == refusal.code


def test_6_5_a_move_has_all_of_the_stack_or_nothing_of_it() -> None:
    """More may come to the stack with the last drop, be it from the hand or from the table."""
    whole = Claim(kind=MoveKind.CAPTURE, hand=cards("9♠"), loose=cards("4♠ 5♦"))
    stacks = [
        staged(TABLE, loose="4♠"),
        staged(TABLE, loose="4♠ 5♦"),
        staged(TABLE, hand="9♠", loose="5♦"),
        staged(TABLE, builds=(0,)),
        staged(TABLE, loose="4♠ 7♥"),
        staged(TABLE, hand="4♦", loose="5♦"),
        staged(TABLE, hand="9♠", builds=(0,)),
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
def test_6_5_a_stale_stack_is_not_executed(stack: Staging, code: str) -> None:
    """Even where the claim would do."""
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


def test_6_5_claims_are_data_and_bounded() -> None:
    """They go to JSON and come back; nonsense does not."""
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


def test_6_5_who_may_trail_anything_may_claim_it() -> None:
    """Where trails are free, a card that could capture is trailed."""
    state = table("7♠", "7♦ 2♥", rules=ruled(trail_restriction=TrailRestriction.NEVER), deal=1)

    assert Move(kind=MoveKind.TRAIL, hand=cards("7♦")) == execute(
        Claim(kind=MoveKind.TRAIL, hand=cards("7♦")), None, state
    )
