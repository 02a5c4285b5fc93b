"""Questions from a player's own view: the odds of a check of the rules, and the gains of abilities."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith import wire
from oddsmith.chance import Seeded
from oddsmith.errors import InputError
from oddsmith.game import Act, Await, Decide, Luck
from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.engine import GAME
from oddsmith.games.fate.known_decks import check_memory
from oddsmith.games.fate.memory import Memory, MixedSet
from oddsmith.games.fate.model import State
from oddsmith.games.fate.odds import check_odds, fresh_memory, known_memory
from oddsmith.games.fate.rule_types import NO_TARGET
from oddsmith.games.fate.rules import DEFAULT, Rules
from oddsmith.games.fate.triggers import read_trigger
from oddsmith.games.fate.values import ability_values, uncounted_abilities
from tests.games.fate.asking import ask


def random_state(seed: int, moves: int) -> State:
    """Return the state after at most `moves` random moves."""
    luck, state = Seeded(f"coach {seed}"), GAME.setup(DEFAULT, 4)
    for _ in range(moves):
        match GAME.turn(state):
            case Await(chance=chance):
                state = GAME.step(state, Luck(chance.sample(luck))).state
            case Decide(seats=seats):
                legal = GAME.actions(state, seats[0])
                state = GAME.step(state, Act(seats[0], legal[luck.below(len(legal))])).state
            case _:
                break
    return state


# --- memory ----------------------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(0, 60), st.sampled_from([None, 0, 1, 3]))
def test_7_1_the_memory_of_a_view_is_a_valid_request(seed: int, moves: int, viewer: int | None) -> None:
    """After any moves, for a seat or a spectator, the odds are those of the library."""
    memory = GAME.view(random_state(seed, moves), viewer).memory
    found = ask("odds", memory=wire.to_builtins(memory), target=4)
    exact = check_odds(memory, DEFAULT).at_least(4)

    assert memory == check_memory(memory, DEFAULT)
    assert exact == Fraction(found.success.count, found.success.total)


def test_7_1_a_check_can_be_drawn_from_a_memory() -> None:
    """Cards that are known to be on top are drawn."""
    memory = wire.to_builtins(known_memory(top=("3♠", "2♥"), seen=("A♠",)))
    found = ask("check", memory=memory, check="omen")

    assert (("3♠", "2♥"), 3, True) == (found.result.cards, found.target, found.result.success)
    assert [("single(spade)", True)] == [(one.trigger, one.fired) for one in found.triggers]


LYING = {"deck": [None, None, 1, 1], "discard": ["3♠"], "sets": [{"cards": ["A♠"], "unknown": 1}], "unseen": ["A♥", "2♥", "3♥"]}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"deck": [None, None, 1, "3♠"]}, "card_too_often"),
        ({"discard": ["9♠"]}, "card_too_often"),
        ({"unseen": ["A♥", "2♥"]}, "bad_memory"),
        ({"unseen": ["A♥", "2♥", "A♠"]}, "card_too_often"),
        ({"deck": [None, None, 1, 2]}, "bad_memory"),
        ({"deck": [None, None, 1, 0]}, "bad_memory"),
        ({"sets": [{"cards": ["A♠", "2♠", "2♣"], "unknown": -1}], "unseen": ["A♥"]}, "bad_memory"),
        ({"deck": [], "discard": [], "sets": [], "unseen": []}, "bad_memory"),
        ({"deck": ["3♣"], "discard": [], "sets": [], "unseen": []}, "bad_memory"),
        ({"deck": [None] * 201}, "bad_json"),
    ],
    ids=str,
)
def test_7_1_impossible_memories_are_refused(change: dict[str, Any], code: str) -> None:
    """Cards that the deck does not have, numbers of positions and cards that differ, an empty deck."""
    with pytest.raises(InputError) as refused:
        ask("odds", memory=LYING | change, target=4)

    assert ask("odds", memory=LYING, target=4).total
    assert code == refused.value.refusal.code


def test_a_request_has_a_deck_or_a_memory_but_not_both() -> None:
    """Without either, the deck is fresh."""
    with pytest.raises(InputError, match="not as both"):
        ask("odds", memory=LYING, deck={"top": ["3♠"]})

    assert ask("odds", target=4) == ask("odds", target=4, memory=wire.to_builtins(fresh_memory()))


def test_7_1_unseen_cards_have_no_order() -> None:
    """Their order in the request does not change the memory."""
    memory = Memory(
        deck=(None, None, 1, 1), discard=("3♠",), sets=(MixedSet(("A♠",), 1),), unseen=("3♥", "2♥", "A♥")
    )

    assert ("2♥", "3♥", "A♥") == check_memory(memory, DEFAULT).unseen


# --- checks of the rules ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*DEFAULT.checks])
def test_6_3_a_check_of_the_rules_has_its_target_and_its_trigger(name: str) -> None:
    """The odds are those of the same check with target and trigger given."""
    kind = DEFAULT.checks[name]
    reply: dict[str, Any] = {} if kind.target == NO_TARGET else {"target": kind.target}
    if kind.trigger:
        reply["triggers"] = [kind.trigger]

    assert ask("odds", **reply) == ask("odds", check=name)


def test_2_3_a_player_has_a_modifier() -> None:
    """The modifier of the rules and that of the request add up."""
    rules = {"modifiers": [2, -1]}
    alone = [ask("odds", rules=rules, player=player).modifier for player in (1, 2, 3)]

    assert [2, -1, 0] == alone
    assert 5 == ask("odds", rules=rules, player=1, modifier=3, check="hard").modifier


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"check": "hopeless"}, "unknown_check"),
        ({"check": "hard", "target": 3}, "bad_check"),
        ({"check": "hard", "triggers": ["single(spade)"]}, "bad_check"),
        ({"player": 0}, "bad_json"),
    ],
    ids=str,
)
def test_6_3_an_unknown_check_is_refused(fields: dict[str, Any], code: str) -> None:
    """So is a known one with another target."""
    with pytest.raises(InputError) as refused:
        ask("odds", **fields)

    assert code == refused.value.refusal.code


# --- abilities -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "trigger"), [(4, None), (None, "single(spade)"), (3, "single(spade)")], ids=str
)
def test_7_4_gains_of_abilities_are_those_of_the_library(target: int | None, trigger: str | None) -> None:
    """With a target, a trigger or both, for the memory of a seat."""
    memory = known_memory(seen=("3♠", "J♥", "RJ"))
    found = ask("abilities", memory=wire.to_builtins(memory), target=target, trigger=trigger, modifier=1)
    values = ability_values(
        memory,
        modifier=1,
        target=NO_TARGET if target is None else target,
        trigger=None if trigger is None else read_trigger(trigger),
    )

    assert [(one.abilities, one.count, one.after, one.gain) for one in values] == [
        (one.abilities, one.cards, one.chance, one.gain) for one in found.abilities
    ]
    assert {found.chance} == {one.before for one in values}
    assert (memory, 2, 1, target, trigger) == (
        found.memory,
        found.drawn,
        found.modifier,
        found.target,
        found.trigger,
    )


def test_7_4_a_check_may_be_named() -> None:
    """Abilities without uses are left out; those with too many cases are listed by name."""
    rules = {"abilities": {"reshuffle": 1, "redraw": 1}}
    found = ask("abilities", rules=rules, check="oath", count=3)
    uncounted = uncounted_abilities(fresh_memory(), Rules(abilities={Ability.REDRAW: 1}), count=3)

    assert (4, "both(red)") == (found.target, found.trigger)
    assert [(Ability.RESHUFFLE,)] == [one.abilities for one in found.abilities]
    assert uncounted == [(one.abilities, one.cards) for one in found.uncounted]


def test_7_4_a_check_without_conditions_is_refused() -> None:
    """Without a target and a trigger every draw succeeds."""
    with pytest.raises(InputError, match="give one"):
        ask("abilities", check="fortune")
