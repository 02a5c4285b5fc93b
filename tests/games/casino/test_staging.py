"""A temporary stack: a draft outside the state (§6.1, §6.2), and its visibility (§6.6)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith import wire
from oddsmith.cards import JOKERS, card, cards
from oddsmith.chance import Seeded
from oddsmith.errors import IllegalMove, InputError, Refusal
from oddsmith.game import Act
from oddsmith.games.casino.drafts.dialogs import make_dialog
from oddsmith.games.casino.drafts.drops import determine_actions
from oddsmith.games.casino.drafts.stacks import (
    BuildItem,
    DraggedItem,
    HandCard,
    LooseCard,
    OpenArea,
    StackTarget,
    StagedView,
    Staging,
    Target,
    show_stack,
    stage,
    staged_moves,
    staging_objection,
    unstage,
    visible_stack,
)
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Build, MoveKind, State
from oddsmith.games.casino.moves import legal_moves
from oddsmith.games.casino.rules import DEFAULT
from oddsmith.records import Record
from tests.games.casino.drafts import drafts, items_in, parts_of, stage_cards, states
from tests.games.casino.tables import rules_with, state_after, table

TABLE = table("7♥ 4♠ 5♦", "3♠ 4♦ 9♠ 7♣", builds=["2♥ 6♥ of 1", "A♥ 8♥ of 0"], others=["2♣ 3♣"])
DEAL = "* 6♠ 7♠ 2♦ 9♦ | 3♥ 5♥ J♥ Q♥ | 3♠ 4♥ 8♣ K♣"


def staging_refusal(staging: Staging | None, *things: DraggedItem) -> Refusal:
    with pytest.raises(IllegalMove) as caught:
        stage(staging, things, TABLE)
    return caught.value.refusal


# --- §6.1 ------------------------------------------------------------------------------------------------------------


def test_6_1_a_stack_is_a_value_in_the_order_of_the_game() -> None:
    """Items are added one by one or at once, in any order; without a stack, one is begun."""
    one = stage(None, [LooseCard(card("5♦"))], TABLE)
    two = stage(one, [HandCard(card("9♠")), LooseCard(card("4♠"))], TABLE)

    assert Staging(owner=0, loose=cards("5♦")) == one
    assert Staging(owner=0, hand=cards("9♠"), loose=cards("4♠ 5♦")) == two
    assert stage(None, [LooseCard(card("4♠")), LooseCard(card("5♦")), HandCard(card("9♠"))], TABLE) == two
    assert Staging(owner=0, builds=(0, 1)) == stage(None, [BuildItem(1), BuildItem(0)], TABLE)


def test_6_1_an_empty_stack_is_no_stack() -> None:
    """A stack is begun from None and from an empty one alike."""
    things = [LooseCard(card("5♦"))]

    assert Staging(owner=0).is_empty
    assert stage(None, things, TABLE) == stage(Staging(owner=0), things, TABLE)
    assert not stage(None, things, TABLE).is_empty


@given(drafts())
@settings(max_examples=20)
def test_6_1_drafts_do_not_change_the_state(drafted: tuple[Staging, State]) -> None:
    """Staging, dialogs, editing and cancelling change no state, no view and no list of moves."""
    staging, state = drafted
    before = wire.to_json(state)
    views = [GAME.view(state, viewer) for viewer in (*range(state.players), None)]
    moves = legal_moves(state)
    make_dialog(staging, state)
    determine_actions(HandCard(state.hands[state.turn][0]), StackTarget(), staging, state)
    for thing in items_in(staging):
        unstage(staging, thing, state)

    assert before == wire.to_json(state)
    assert views == [GAME.view(state, viewer) for viewer in (*range(state.players), None)]
    assert moves == legal_moves(state)


def test_6_1_drafts_are_in_no_record() -> None:
    """A game in which each move was staged has the same record."""
    start = GAME.setup(DEFAULT, 2)
    luck = GAME.read(start, DEAL)
    state, direct, by_drafts = GAME.step(start, luck).state, [luck], [luck]
    for _ in range(6):
        move = legal_moves(state)[-1]
        stack = stage(None, parts_of(move), state)
        direct.append(Act(state.turn, move))
        by_drafts.append(Act(stack.owner, staged_moves(stack, state)[-1]))
        state = GAME.step(state, direct[-1]).state

    assert Record.of(GAME, DEFAULT, ("Ann", "Bo"), direct) == Record.of(
        GAME, DEFAULT, ("Ann", "Bo"), by_drafts
    )


def test_6_1_a_stack_is_made_in_the_owners_turn() -> None:
    """Not in another's, not before the deal, not after the end."""
    start = GAME.setup(DEFAULT, 2)
    over = state_after(table("7♥", "7♠", last=True), "7♠x7♥")
    sentence = "a stack is made in one's own turn, and it is not seat {}'s"

    assert Refusal("not_your_turn", sentence.format(1), paragraph="6.1") == staging_objection(
        Staging(owner=1), TABLE
    )
    assert Refusal("not_your_turn", sentence.format(0), paragraph="6.1") == staging_objection(
        Staging(owner=0), start
    )
    assert over.is_over
    assert Refusal("not_your_turn", sentence.format(over.turn), paragraph="6.1") == staging_objection(
        Staging(owner=over.turn), over
    )
    assert "not_your_turn" == staging_refusal(Staging(owner=1), LooseCard(card("5♦"))).code


# --- §6.2 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("thing", "code", "sentence"),
    [
        (HandCard(card("2♣")), "card_not_held", "2♣ is not in your hand"),
        (HandCard(card("7♥")), "card_not_held", "7♥ is not in your hand"),
        (HandCard(JOKERS[0]), "card_not_held", "RJ is not in your hand"),
        (LooseCard(card("9♠")), "card_not_loose", "9♠ does not lie loose on the table"),
        (LooseCard(card("2♥")), "card_not_loose", "2♥ does not lie loose on the table"),
        (LooseCard(JOKERS[1]), "card_not_loose", "BJ does not lie loose on the table"),
        (
            BuildItem(2),
            "no_such_build",
            "there is no build 2: builds are counted from 0, and there are 2",
        ),
        (
            BuildItem(-1),
            "no_such_build",
            "there is no build -1: builds are counted from 0, and there are 2",
        ),
        (LooseCard(card("5♦")), "item_twice", "a card or build lies in a stack once"),
        (BuildItem(1), "item_twice", "a card or build lies in a stack once"),
        (HandCard(card("9♠")), "item_twice", "a card or build lies in a stack once"),
        (
            HandCard(card("7♣")),
            "second_hand_card",
            "a second hand card is staged for a two-card capture only: 9♠ + 7♣ make none here",
        ),
    ],
    ids=str,
)
def test_6_2_impossible_items_are_refused(thing: DraggedItem, code: str, sentence: str) -> None:
    """Not the owner's, not there, or there already; and a second hand card that captures nothing."""
    stack = Staging(owner=0, hand=cards("9♠"), loose=cards("5♦"), builds=(1,))

    assert Refusal(code, sentence, paragraph="6.2") == staging_refusal(stack, thing)


def test_6_2_two_hand_cards_only_for_a_two_card_capture() -> None:
    """3♠ and 4♦ take 7♥, in any order, before or after the target; other items are refused."""
    whole = Staging(owner=0, hand=cards("3♠ 4♦"), loose=cards("7♥"))
    things: list[DraggedItem] = [HandCard(card("4♦")), HandCard(card("3♠")), LooseCard(card("7♥"))]
    one_by_one: Staging | None = None
    for thing in things:
        one_by_one = stage(one_by_one, [thing], TABLE)

    assert whole == one_by_one
    assert whole == stage(None, reversed(things), TABLE)
    assert "second_hand_card" == staging_refusal(whole, LooseCard(card("5♦"))).code
    assert "second_hand_card" == staging_refusal(None, *things[:2], BuildItem(0)).code
    assert "second_hand_card" == staging_refusal(whole, HandCard(card("9♠"))).code


def test_6_2_without_two_card_captures_no_second_hand_card_is_staged() -> None:
    state = table("7♥", "3♠ 4♦", rules=rules_with(two_card_capture=False))
    stack = Staging(owner=0, hand=cards("3♠ 4♦"), loose=cards("7♥"))

    assert "second_hand_card" == getattr(staging_objection(stack, state), "code", None)


def test_6_2_a_staged_hand_card_is_never_captured() -> None:
    """The stack of 9♠ from the hand with 4♠ and 5♦ is captured by no other card of the hand."""
    state = table("4♠ 5♦", "9♠ 9♥ 4♣")
    moves = staged_moves(stage_cards(state, hand="9♠", loose="4♠ 5♦"), state)

    assert [(MoveKind.CAPTURE, cards("9♠"))] == [(move.kind, move.hand) for move in moves]


def test_6_2_editing_takes_one_item_back_and_the_last_one_cancels() -> None:
    """An item that is not in the stack is refused."""
    stack = stage_cards(TABLE, hand="9♠", loose="4♠ 5♦", builds=(0,))
    without_build = unstage(stack, BuildItem(0), TABLE)

    assert Staging(owner=0, hand=cards("9♠"), loose=cards("4♠ 5♦")) == without_build
    assert Staging(owner=0, hand=cards("9♠"), loose=cards("5♦"), builds=(0,)) == unstage(
        stack, LooseCard(card("4♠")), TABLE
    )
    assert Staging(owner=0, loose=cards("4♠ 5♦"), builds=(0,)) == unstage(stack, HandCard(card("9♠")), TABLE)
    assert unstage(stage_cards(TABLE, hand="9♠"), HandCard(card("9♠")), TABLE) is None
    for thing, name in (
        (BuildItem(1), "build 1"),
        (HandCard(card("3♠")), "3♠"),
        (LooseCard(card("7♥")), "7♥"),
    ):
        with pytest.raises(IllegalMove, match=f"^{name} is not in the stack$") as caught:
            unstage(stack, thing, TABLE)

        assert ("not_staged", "6.2") == (caught.value.refusal.code, caught.value.refusal.paragraph)


@given(states(), st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_6_2_the_parts_of_every_move_can_be_staged_one_by_one(state: State, order: Any) -> None:  # noqa: ANN401  a shuffler
    """In any order; the stack is the parts of the move and becomes it."""
    for move in legal_moves(state)[:: max(1, len(legal_moves(state)) // 6)]:
        things = parts_of(move)
        order.shuffle(things)
        stack: Staging | None = None
        for thing in things:
            stack = stage(stack, [thing], state)

        assert stack is not None
        assert (move.hand, move.loose, move.builds) == (stack.hand, stack.loose, stack.builds)
        assert move in staged_moves(stack, state)


def test_6_2_items_and_stacks_are_read_back_from_json() -> None:
    stack = Staging(owner=0, hand=cards("3♠ 4♦"), loose=cards("7♥"), builds=(1,))
    written = '{"owner":0,"hand":["3♠","4♦"],"loose":["7♥"],"builds":[1]}'
    dragged: list[DraggedItem] = [HandCard(card("3♠")), LooseCard(card("7♥")), BuildItem(1)]
    targets: list[Target] = [LooseCard(card("7♥")), BuildItem(1), StackTarget(), OpenArea()]
    either: Any = DraggedItem
    other: Any = Target

    assert written == wire.to_json(stack).decode()
    assert stack == wire.from_json(written, Staging)
    assert dragged == [wire.from_json(wire.to_json(thing), either) for thing in dragged]
    assert targets == [wire.from_json(wire.to_json(thing), other) for thing in targets]
    assert ['{"thing":"hand_card","card":"3♠"}', '{"thing":"build","place":1}'] == [
        wire.to_json(thing).decode() for thing in (dragged[0], dragged[2])
    ]


@pytest.mark.parametrize(
    "text",
    [
        '{"owner":0,"hand":["3♠","4♦","7♣"]}',
        '{"owner":4}',
        '{"owner":-1}',
        '{"owner":0,"builds":[26]}',
        '{"owner":0,"builds":[-1]}',
        f'{{"owner":0,"builds":{[0] * 27}}}',
        '{"owner":0,"value":9}',
        '{"owner":0,"loose":["1♠"]}',
    ],
)
def test_6_2_the_size_of_a_stack_is_bounded(text: str) -> None:
    """Unknown fields are refused."""
    with pytest.raises(InputError):
        wire.from_json(text, Staging)


# --- §6.6 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_6_6_every_seat_sees_the_stack(viewer: int | None) -> None:
    """Its owner, the staged hand cards, the loose cards, the builds and the sum."""
    stack = stage_cards(TABLE, hand="9♠", loose="4♠ 5♦", builds=(0,))

    assert StagedView(
        owner=0, hand=cards("9♠"), loose=cards("4♠ 5♦"), builds=(Build(cards("2♥ 6♥"), 8, 1),), value=26
    ) == visible_stack(stack, GAME.view(TABLE, viewer))


@given(drafts(), st.integers(0, 10**6))
@settings(max_examples=20)
def test_6_8_a_stack_that_its_owner_shows_is_what_every_viewer_sees(
    drafted: tuple[Staging, State], seed: int
) -> None:
    """It depends on the owner's view alone; an empty stack shows nothing."""
    stack, state = drafted
    known = GAME.view(state, state.turn)
    imagined = GAME.imagine(known, Seeded(seed))
    shown = show_stack(stack, known)

    assert shown is not None
    assert {shown} == {
        visible_stack(stack, GAME.view(state, viewer)) for viewer in (*range(state.players), None)
    }
    assert shown == show_stack(stack, GAME.view(imagined, state.turn))
    assert show_stack(Staging(owner=state.turn), known) is None


@pytest.mark.parametrize(
    ("stack", "viewer", "code"),
    [
        (Staging(owner=0, hand=cards("2♣")), 0, "card_not_held"),
        (Staging(owner=0, hand=cards("9♠ 7♣")), 0, "second_hand_card"),
        (Staging(owner=1, loose=cards("7♥")), 0, "not_your_turn"),
        (Staging(owner=0, loose=cards("7♥")), 1, "not_your_turn"),
        (Staging(owner=0, loose=cards("7♥")), None, "not_your_turn"),
    ],
    ids=str,
)
def test_6_8_an_impossible_stack_is_not_shown(stack: Staging, viewer: int | None, code: str) -> None:
    """Not with cards of others, and not by another seat or a spectator."""
    with pytest.raises((IllegalMove, InputError)) as caught:
        show_stack(stack, GAME.view(TABLE, viewer))

    assert code == caught.value.refusal.code


@pytest.mark.parametrize(
    "stack",
    [
        None,
        Staging(owner=0),
        Staging(owner=1, loose=cards("7♥")),
        Staging(owner=0, loose=cards("7♦")),
        Staging(owner=0, builds=(2,)),
        Staging(owner=0, hand=cards("7♥")),
    ],
    ids=str,
)
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_6_6_a_stack_that_does_not_fit_the_view_is_hidden(stack: Staging | None, viewer: int | None) -> None:
    """No stack, an empty one, and those that are impossible from the viewer's view."""
    assert visible_stack(stack, GAME.view(TABLE, viewer)) is None


def test_6_6_a_card_in_the_viewers_hand_cannot_be_staged_by_another() -> None:
    """The owner knows that it does not have the card, and so does the viewer who has it."""
    stack = Staging(owner=0, hand=cards("2♣"))

    assert [True, True, False] == [
        visible_stack(stack, GAME.view(TABLE, viewer)) is None for viewer in (0, 1, None)
    ]


@given(drafts(), st.integers(0, 10**6))
@settings(max_examples=30)
def test_6_6_a_visible_stack_reveals_nothing_else(drafted: tuple[Staging, State], seed: int) -> None:
    """Two states with the same view show the same stack."""
    staging, state = drafted
    for viewer in (*range(state.players), None):
        seen = GAME.view(state, viewer)
        imagined = GAME.imagine(seen, Seeded(seed))

        assert visible_stack(staging, seen) == visible_stack(staging, GAME.view(imagined, viewer))
        assert visible_stack(staging, seen) is not None


def test_6_6_a_stack_ends_with_the_turn() -> None:
    """After the move it is stale: refused, and hidden from all."""
    state = table("3♠ 4♥ 8♣", "7♠ 2♦", others=["3♥ 5♥"])
    stack = stage_cards(state, hand="7♠", loose="3♠ 4♥")
    moved = GAME.step(state, Act(0, staged_moves(stack, state)[0])).state

    assert "not_your_turn" == getattr(staging_objection(stack, moved), "code", None)
    assert [None] * 3 == [visible_stack(stack, GAME.view(moved, viewer)) for viewer in (0, 1, None)]
