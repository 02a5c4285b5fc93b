"""Actions on rolled dice: lock, unlock, set wild dice, reroll, score (§5.3 to §5.6)."""

from collections.abc import Iterator
from typing import Final, TypeAlias, assert_never

import msgspec

from oddsmith.errors import Refusal
from oddsmith.game import EVERYONE, Event
from oddsmith.games.dice.model import (
    Lock,
    Locked,
    Reroll,
    ScoreHand,
    SetWild,
    Stage,
    State,
    Unlock,
    Unlocked,
    WildSet,
)
from oddsmith.games.dice.parts import FACES, FaceEffect
from oddsmith.games.dice.rolling import rolling_places

Adjustment: TypeAlias = Lock | Unlock | SetWild
RoundAction: TypeAlias = Adjustment | Reroll | ScoreHand

_REROLL: Final = Reroll()
_SCORE: Final = ScoreHand()


def round_actions(state: State) -> Iterator[RoundAction]:
    """Yield the legal actions on the dice: die by die, then reroll, then score."""
    if state.adjustments < state.rules.most_adjustments:
        yield from _adjustments(state)
    if round_objection(state, _REROLL) is None:
        yield _REROLL
    yield _SCORE


def _adjustments(state: State) -> Iterator[Adjustment]:
    for place in range(len(state.build.dice)):
        possible: tuple[Adjustment, ...] = (
            Lock(place),
            Unlock(place),
            *(SetWild(place, face) for face in FACES),
        )
        yield from (action for action in possible if round_objection(state, action) is None)


def round_objection(state: State, action: RoundAction) -> Refusal | None:
    """Return why the action on the dice is illegal now, or None if it is legal."""
    match action:
        case ScoreHand():
            return None
        case Reroll():
            return _cannot_reroll(state)
        case Lock() | Unlock() | SetWild():
            return _no_such_die(state, action.place) or _cannot_adjust(state, action) or _too_often(state)
        case _ as never:
            assert_never(never)


def _cannot_reroll(state: State) -> Refusal | None:
    if not state.rerolls:
        return Refusal("no_rerolls", "no reroll is left: score the dice as they lie", paragraph="5.4")
    if not rolling_places(state):
        return Refusal(
            "nothing_to_reroll", "every die is held: unlock one to reroll it, or score", paragraph="5.4"
        )
    return None


def _no_such_die(state: State, place: int) -> Refusal | None:
    size = len(state.build.dice)
    if 0 <= place < size:
        return None
    return Refusal(
        "no_such_die", f"there is no die {place}: the pool has dice 0 to {size - 1}", paragraph="5.3"
    )


def _cannot_adjust(state: State, action: Adjustment) -> Refusal | None:
    place = action.place
    if state.fixed is not None and place == state.fixed.place:
        return Refusal(
            "fixed_die",
            f"the lockdown holds die {place} at {state.fixed.face}: it stays so",
            paragraph="7.2",
        )
    match action:
        case Lock():
            return _cannot_lock(state, place)
        case Unlock():
            is_locked = place in state.locked
            return None if is_locked else Refusal("not_locked", f"die {place} is not locked", paragraph="5.3")
        case SetWild():
            return _cannot_set(state, place, action.face)
        case _ as never:
            assert_never(never)


def _cannot_lock(state: State, place: int) -> Refusal | None:
    if place in state.locked:
        return Refusal("locked_already", f"die {place} is locked already", paragraph="5.3")
    if place in state.wilds_set:
        return Refusal(
            "set_already", f"die {place} is a wild die that was set: it is held as it is", paragraph="1.6"
        )
    return None


def _cannot_set(state: State, place: int, face: int) -> Refusal | None:
    die = state.build.dice[place]
    if state.rules.kinds[die.kind].effect is not FaceEffect.WILD:
        return Refusal("not_wild", f"die {place} is {die}: only wild dice are set", paragraph="1.6")
    if face not in FACES:
        return Refusal("bad_face", f"a die shows 1 to {FACES[-1]}, not {face}", paragraph="1.1")
    if place in state.wilds_set and state.faces[place] == face:
        return Refusal("set_already", f"die {place} is set to {face} already", paragraph="1.6")
    return None


def _too_often(state: State) -> Refusal | None:
    most = state.rules.most_adjustments
    if state.adjustments < most:
        return None
    return Refusal(
        "too_many_adjustments",
        f"dice are locked, unlocked and set at most {most} times in a round: reroll or score",
        paragraph="5.3",
    )


def adjust_or_reroll(state: State, action: Adjustment | Reroll) -> tuple[State, tuple[Event, ...]]:
    """Return the state and the events after a legal adjustment, or after a reroll was chosen."""
    change = msgspec.structs.replace
    if isinstance(action, Reroll):
        return change(state, rerolls=state.rerolls - 1, stage=Stage.ROLL), ()
    place = action.place
    counted = change(state, adjustments=state.adjustments + 1)
    others = tuple(other for other in state.locked if other != place)
    match action:
        case Lock():
            locked = tuple(sorted((*state.locked, place)))
            return change(counted, locked=locked), (Locked(audience=EVERYONE, place=place),)
        case Unlock():
            return change(counted, locked=others), (Unlocked(audience=EVERYONE, place=place),)
        case SetWild():
            faces = (*state.faces[:place], action.face, *state.faces[place + 1 :])
            wilds = tuple(sorted({*state.wilds_set, place}))
            after = change(counted, faces=faces, locked=others, wilds_set=wilds)
            return after, (WildSet(audience=EVERYONE, place=place, face=action.face),)
        case _ as never:
            assert_never(never)
