"""Questions of a client while its player drags: the replies are those of the rules, from the player's view (§6)."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith import wire
from oddsmith.chance import Seeded
from oddsmith.errors import IllegalMove, InputError, OddsmithError
from oddsmith.game import Act, Await, Luck, Over
from oddsmith.games.casino.drafts.dialogs import make_dialog
from oddsmith.games.casino.drafts.drops import determine_actions
from oddsmith.games.casino.drafts.stacks import (
    BuildItem,
    HandCard,
    LooseCard,
    OpenArea,
    StackTarget,
    Staging,
    stage,
    unstage,
)
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import State
from oddsmith.games.casino.moves import legal_moves
from oddsmith.games.casino.questions.groups import DIALOG, DROPS, UNSTAGE
from oddsmith.games.casino.rules import DeckKind, Rules, TrailRestriction
from oddsmith.question import Context, read_rules
from tests.games.casino.drafts import items, items_in

QUESTIONS = {question.name: question for question in (DROPS, DIALOG, UNSTAGE)}
RULES = [Rules(), Rules.preset("short"), Rules.preset("traditional"), Rules(extend_own_builds=True)]


def random_state(seed: int, moves: int, players: int = 2, rules: Rules = RULES[0]) -> State:
    """Return the state after at most `moves` random moves, with a seat on turn."""
    luck, state = Seeded(f"drops {seed}"), GAME.setup(rules, players)
    last = state
    while moves and not isinstance(turn := GAME.turn(state), Over):
        if isinstance(turn, Await):
            state = GAME.step(state, Luck(turn.chance.sample(luck))).state
            continue
        last, moves = state, moves - 1
        legal = GAME.actions(state, state.turn)
        state = GAME.step(state, Act(state.turn, legal[luck.below(len(legal))])).state
    return last


def reachable_states() -> st.SearchStrategy[State]:
    """Return states of random games."""
    return st.builds(
        random_state, st.integers(0, 1000), st.integers(1, 25), st.integers(2, 4), st.sampled_from(RULES)
    )


@st.composite
def reachable_drafts(draw: st.DrawFn) -> tuple[Staging, State]:
    """Return a stack of at least one item, and its state."""
    state = draw(reachable_states())
    loose = draw(st.sets(st.sampled_from(state.loose), max_size=3)) if state.loose else set()
    builds = draw(st.sets(st.sampled_from(range(len(state.builds))), max_size=1)) if state.builds else set()
    hand = state.hands[state.turn][: draw(st.integers(0 if loose or builds else 1, 1))]
    return stage(None, items(hand, loose, builds), state), state


TABLE = random_state(1, 4)
HELD, LYING = TABLE.hands[TABLE.turn], TABLE.loose


def ask(kind: str, state: State, **extra: object) -> Any:  # noqa: ANN401  any reply
    """Answer a question from JSON with the view of the seat on turn."""
    seen = wire.to_builtins(GAME.view(state, state.turn))
    rules = seen.pop("rules")
    fields = {"rules": rules, "view": seen, **{key: wire.to_builtins(extra[key]) for key in extra}}
    return answer(kind, fields)


def answer(kind: str, fields: dict[str, Any]) -> Any:  # noqa: ANN401  any reply
    question: Any = QUESTIONS[kind]
    request = wire.from_json(wire.to_json(fields), question.request)
    return question.answer(request, Context(rules=read_rules(Rules, request.rules)))


def test_6_3_every_target_is_listed_once() -> None:
    """Loose cards and builds except the dragged one, the stack where there is one, and the open area."""
    state = next(
        state for seed in range(100) if len((state := random_state(seed, 6)).builds) == 1 and state.loose
    )
    stack = Staging(owner=state.turn, loose=state.loose[:1])
    loose = [*map(LooseCard, state.loose)]
    bare = ask("drops", state, dragged=loose[0])
    stacked = ask("drops", state, dragged=BuildItem(0), stack=stack)
    cancelled = ask("drops", state, dragged=BuildItem(0), stack=Staging(owner=state.turn))

    assert [*loose[1:], BuildItem(0), OpenArea()] == [drop.target for drop in bare.drops]
    assert [*loose, StackTarget(), OpenArea()] == [drop.target for drop in stacked.drops]
    assert [*loose, OpenArea()] == [drop.target for drop in cancelled.drops]


@settings(max_examples=25)
@given(reachable_drafts())
def test_6_3_the_drops_of_a_drag_are_those_of_single_drops(draft: tuple[Staging, State]) -> None:
    """For any dragged item, with a stack or without, from the hand or from the table."""
    stack, state = draft
    for dragged in items(state.hands[state.turn], state.loose, range(len(state.builds))):
        for lying in (None, stack):
            for drop in ask("drops", state, dragged=dragged, stack=lying).drops:
                found = determine_actions(dragged, drop.target, lying, state)

                assert (found.actions, found.needs_choice, found.refusal) == (
                    drop.actions,
                    drop.needs_choice,
                    drop.refusal,
                )


@settings(max_examples=15)
@given(reachable_states())
def test_6_3_every_move_that_a_drag_offers_is_legal(state: State) -> None:
    """An action is sent back to the server unchanged."""
    for dragged in map(HandCard, state.hands[state.turn]):
        for drop in ask("drops", state, dragged=dragged).drops:
            for action in drop.actions:
                if action.move is not None:
                    assert GAME.step(state, Act(state.turn, action.move))


@settings(max_examples=25)
@given(reachable_drafts())
def test_6_4_the_dialog_and_the_rest_of_a_stack_are_those_of_the_rules(draft: tuple[Staging, State]) -> None:
    """For any stack: its dialog, and the stack without one item."""
    stack, state = draft

    assert make_dialog(stack, state) == ask("dialog", state, stack=stack)
    for thing in items_in(stack):
        assert unstage(stack, thing, state) == ask("unstage", state, stack=stack, thing=thing).stack


def test_6_2_without_its_last_item_there_is_no_stack() -> None:
    """It is null in JSON."""
    found = ask("unstage", TABLE, stack=Staging(owner=TABLE.turn, hand=HELD[:1]), thing=HandCard(HELD[0]))

    assert {"stack": None} == json.loads(wire.to_json(found))


@pytest.mark.parametrize(
    ("kind", "fields", "code"),
    [
        ("dialog", {"stack": Staging(owner=TABLE.turn)}, "no_stack"),
        ("dialog", {"stack": Staging(owner=1 - TABLE.turn, loose=LYING[:1])}, "not_your_turn"),
        ("dialog", {"stack": Staging(owner=TABLE.turn, loose=HELD[:1])}, "card_not_loose"),
        (
            "unstage",
            {"stack": Staging(owner=TABLE.turn, loose=LYING[:1]), "thing": BuildItem(0)},
            "not_staged",
        ),
    ],
)
def test_6_2_an_impossible_stack_is_refused(kind: str, fields: dict[str, Any], code: str) -> None:
    """With the reason of the rules."""
    with pytest.raises(IllegalMove) as refused:
        ask(kind, TABLE, **fields)

    assert code == refused.value.refusal.code


def test_6_3_an_impossible_drop_has_a_reason() -> None:
    """An item that is not there, or not the player's, is refused at every target."""
    strange = ask("drops", TABLE, dragged=HandCard(LYING[0])).drops
    stack = Staging(owner=1 - TABLE.turn, loose=LYING[:1])
    others = ask("drops", TABLE, dragged=HandCard(HELD[0]), stack=stack).drops

    assert {"card_not_held"} == {drop.refusal.code for drop in strange}
    assert {"not_your_turn"} == {drop.refusal.code for drop in others}


@pytest.mark.parametrize("viewer", [1 - TABLE.turn, None])
def test_6_1_only_the_seat_on_turn_can_ask(viewer: int | None) -> None:
    """The actions of another seat depend on a hidden hand."""
    seen = wire.to_builtins(GAME.view(TABLE, viewer))
    rules = seen.pop("rules")
    with pytest.raises(InputError) as refused:
        answer("drops", {"rules": rules, "view": seen, "dragged": LooseCard(LYING[0])})

    assert ("not_your_turn", "view.viewer") == (refused.value.refusal.code, refused.value.refusal.where)


def trailed_state(rules: Rules, moves: int) -> State:
    """Return the state after moves that all trail a card of the hand."""
    luck, state = Seeded("crowd"), GAME.setup(rules, 2)
    while moves or not state.is_dealt:
        turn = GAME.turn(state)
        if isinstance(turn, Await):
            state = GAME.step(state, Luck(turn.chance.sample(luck))).state
            continue
        state, moves = GAME.step(state, Act(state.turn, GAME.actions(state, state.turn)[-1])).state, moves - 1
    return state


FREE = Rules(trail_restriction=TrailRestriction.NEVER)
CROWDED = {
    "one target": trailed_state(FREE, 28),
    "four targets": trailed_state(msgspec.structs.replace(FREE, capture_targets=4), 18),
    "ten hand cards": trailed_state(msgspec.structs.replace(FREE, deck=DeckKind.SHORT), 20),
}
"""Tables with more than sixteen loose cards, and many legal moves."""


@pytest.mark.parametrize("state", CROWDED.values(), ids=CROWDED)
def test_6_3_drops_and_dialogs_are_answered_for_any_table(state: State) -> None:
    """However many legal moves there are: those of a drop, and of a stack, are the ones of the whole list."""
    legal = legal_moves(state)
    stack = Staging(owner=state.turn, loose=state.loose[:3])
    offered = [
        action.move
        for held in map(HandCard, state.hands[state.turn])
        for drop in ask("drops", state, dragged=held).drops
        for action in drop.actions
        if action.move is not None
    ]
    options = [option.move for option in ask("dialog", state, stack=stack).options]

    assert len(state.loose) > 16
    assert len(legal) > 80
    assert [move for move in legal if len(move.hand) == 1 and len(move.loose) <= 1] == sorted(
        offered, key=legal.index
    )
    assert [move for move in legal if move.loose == stack.loose] == options


@pytest.mark.parametrize(
    "dragged",
    [{"thing": "stack"}, {"thing": "hand_card"}, {"thing": "build", "place": -1}, {"thing": "hand_card", "card": "1♠"}],
)  # fmt: skip
def test_6_2_an_invalid_item_is_refused(dragged: dict[str, Any]) -> None:
    """A stack cannot be dragged, and a card needs a valid name."""
    with pytest.raises(OddsmithError):
        ask("drops", TABLE, dragged=dragged)
