"""What a client asks while its player drags: every answer is that of the rules, from the player's own view (§6)."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith import wire
from oddsmith.chance import Seeded
from oddsmith.errors import IllegalMove, InputError, OddsmithError, WorkLimitError
from oddsmith.game import Act, Await, Luck, Over
from oddsmith.games.casino.drafts.dialogs import make_dialog
from oddsmith.games.casino.drafts.drops import MOST_LOOSE, determine_actions
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
from oddsmith.games.casino.questions.groups import DIALOG, DROPS, UNSTAGE
from oddsmith.games.casino.rules import DEFAULT, Rules
from oddsmith.question import Context, read_rules
from tests.games.casino.drafts import contents, things

QUESTIONS = {question.name: question for question in (DROPS, DIALOG, UNSTAGE)}
RULES = [Rules(), Rules.preset("short"), Rules.preset("traditional"), Rules(extend_own_builds=True)]


def played(seed: int, moves: int, players: int = 2, rules: Rules = RULES[0]) -> State:
    """Return a table after so many moves by chance, or the last one on which somebody had to move."""
    luck, state = Seeded(f"drops {seed}"), GAME.setup(rules, players)
    asked = state
    while moves and not isinstance(turn := GAME.turn(state), Over):
        if isinstance(turn, Await):
            state = GAME.step(state, Luck(turn.chance.sample(luck))).state
            continue
        asked, moves = state, moves - 1
        legal = GAME.actions(state, state.turn)
        state = GAME.step(state, Act(state.turn, legal[luck.below(len(legal))])).state
    return asked


def states() -> st.SearchStrategy[State]:
    """Return tables as games come to them."""
    return st.builds(
        played, st.integers(0, 1000), st.integers(1, 25), st.integers(2, 4), st.sampled_from(RULES)
    ).filter(lambda state: len(state.loose) <= MOST_LOOSE)


@st.composite
def drafts(draw: st.DrawFn) -> tuple[Staging, State]:
    """Return a stack on such a table, with at least one thing in it."""
    state = draw(states())
    loose = draw(st.sets(st.sampled_from(state.loose), max_size=3)) if state.loose else set()
    builds = draw(st.sets(st.sampled_from(range(len(state.builds))), max_size=1)) if state.builds else set()
    hand = state.hands[state.turn][: draw(st.integers(0 if loose or builds else 1, 1))]
    return stage(None, things(hand, loose, builds), state), state


TABLE = played(1, 4)
HELD, LYING = TABLE.hands[TABLE.turn], TABLE.loose


def ask(kind: str, state: State, **asked: object) -> Any:  # noqa: ANN401  any reply
    """Ask over JSON with what a frame shows the seat on turn."""
    seen = wire.to_builtins(GAME.view(state, state.turn))
    rules = seen.pop("rules")
    fields = {"rules": rules, "view": seen, **{key: wire.to_builtins(asked[key]) for key in asked}}
    return answer(kind, fields)


def answer(kind: str, fields: dict[str, Any]) -> Any:  # noqa: ANN401  any reply
    question: Any = QUESTIONS[kind]
    request = wire.from_json(wire.to_json(fields), question.request)
    return question.answer(request, Context(rules=read_rules(Rules, request.rules)))


def test_6_3_every_place_is_asked_about_once() -> None:
    """Loose cards and builds but the dragged one, the stack where there is one, and the open area."""
    state = next(state for seed in range(100) if len((state := played(seed, 6)).builds) == 1 and state.loose)
    stack = Staging(owner=state.turn, loose=state.loose[:1])
    loose = [*map(LooseCard, state.loose)]
    bare = ask("drops", state, dragged=loose[0])
    stacked = ask("drops", state, dragged=BuildItem(0), stack=stack)
    cancelled = ask("drops", state, dragged=BuildItem(0), stack=Staging(owner=state.turn))

    assert [*loose[1:], BuildItem(0), OpenArea()] == [drop.target for drop in bare.drops]
    assert [*loose, StackTarget(), OpenArea()] == [drop.target for drop in stacked.drops]
    assert [*loose, OpenArea()] == [drop.target for drop in cancelled.drops]


@settings(max_examples=25)
@given(drafts())
def test_6_3_what_a_drag_can_come_to_is_what_each_drop_means(draft: tuple[Staging, State]) -> None:
    """Whatever is dragged, with a stack or without, from the hand or from the table."""
    stack, state = draft
    for dragged in things(state.hands[state.turn], state.loose, range(len(state.builds))):
        for lying in (None, stack):
            for drop in ask("drops", state, dragged=dragged, stack=lying).drops:
                found = determine_actions(dragged, drop.target, lying, state)

                assert (found.actions, found.needs_choice, found.refusal) == (
                    drop.actions,
                    drop.needs_choice,
                    drop.refusal,
                )


@settings(max_examples=15)
@given(states())
def test_6_3_every_move_that_a_drag_offers_can_be_made(state: State) -> None:
    """An action goes back to the server as it came."""
    for dragged in map(HandCard, state.hands[state.turn]):
        for drop in ask("drops", state, dragged=dragged).drops:
            for action in drop.actions:
                if action.move is not None:
                    assert GAME.step(state, Act(state.turn, action.move))


@settings(max_examples=25)
@given(drafts())
def test_6_4_the_dialog_and_what_is_left_are_those_of_the_rules(draft: tuple[Staging, State]) -> None:
    """Of any stack on any table: what is asked of its owner, and what is left when one thing is taken back."""
    stack, state = draft

    assert make_dialog(stack, state) == ask("dialog", state, stack=stack)
    for thing in contents(stack):
        assert unstage(stack, thing, state) == ask("unstage", state, stack=stack, thing=thing).stack


def test_6_2_the_last_thing_taken_back_leaves_no_stack() -> None:
    """That is null in JSON."""
    found = ask("unstage", TABLE, stack=Staging(owner=TABLE.turn, hand=HELD[:1]), thing=HandCard(HELD[0]))

    assert {"stack": None} == json.loads(wire.to_json(found))


@pytest.mark.parametrize(
    ("kind", "asked", "code"),
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
def test_6_2_a_stack_that_cannot_lie_there_is_refused(kind: str, asked: dict[str, Any], code: str) -> None:
    """With the reason that the rules have."""
    with pytest.raises(IllegalMove) as refused:
        ask(kind, TABLE, **asked)

    assert code == refused.value.refusal.code


def test_6_3_a_drop_that_cannot_be_says_why() -> None:
    """What is not there, or not one's own, is refused at every place."""
    strange = ask("drops", TABLE, dragged=HandCard(LYING[0])).drops
    stack = Staging(owner=1 - TABLE.turn, loose=LYING[:1])
    others = ask("drops", TABLE, dragged=HandCard(HELD[0]), stack=stack).drops

    assert {"card_not_held"} == {drop.refusal.code for drop in strange}
    assert {"not_your_turn"} == {drop.refusal.code for drop in others}


@pytest.mark.parametrize("viewer", [1 - TABLE.turn, None])
def test_6_1_only_the_seat_on_turn_can_ask(viewer: int | None) -> None:
    """What another could do depends on a hand that is hidden."""
    seen = wire.to_builtins(GAME.view(TABLE, viewer))
    rules = seen.pop("rules")
    with pytest.raises(InputError) as refused:
        answer("drops", {"rules": rules, "view": seen, "dragged": LooseCard(LYING[0])})

    assert ("not_your_turn", "view.viewer") == (refused.value.refusal.code, refused.value.refusal.where)


def test_6_a_table_of_too_many_cards_is_refused() -> None:
    """Seventeen loose cards take long to go through."""
    crowded = msgspec.structs.replace(TABLE, loose=DEFAULT.cards[:17])
    with pytest.raises(WorkLimitError) as refused:
        ask("drops", crowded, dragged=HandCard(HELD[0]))

    assert "too_many_moves" == refused.value.refusal.code


@pytest.mark.parametrize(
    "dragged",
    [{"thing": "stack"}, {"thing": "hand_card"}, {"thing": "build", "place": -1}, {"thing": "hand_card", "card": "1♠"}],
)  # fmt: skip
def test_6_2_what_cannot_be_dragged_cannot_be_read(dragged: dict[str, Any]) -> None:
    """A stack is no thing to drag, and a card has a name."""
    with pytest.raises(OddsmithError):
        ask("drops", TABLE, dragged=dragged)
