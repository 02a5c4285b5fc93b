"""The views of the Destiny Deck: what a seat or a spectator knows of a state."""

from collections.abc import Sequence
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.chance import Draw
from oddsmith.game import Seat
from oddsmith.games.destiny.gang_match import choosing_seats, joinable_outlaws
from oddsmith.games.destiny.gauntlet_rules import MOST_SEATS
from oddsmith.games.destiny.model import (
    MOST_BOUTS,
    Bout,
    CheckState,
    ContestState,
    Drawing,
    GangState,
    GauntletState,
    Hand,
    Members,
    Pending,
    PendingContest,
    RunningBuff,
    RunState,
    State,
    TakenCheck,
    Word,
)
from oddsmith.games.destiny.rules import Character, Rules
from oddsmith.points import Points


class RunView(msgspec.Struct, frozen=True, kw_only=True, tag="run", omit_defaults=True):
    """A solo run; nothing of it is hidden."""

    viewer: Seat | None
    rules: Rules
    outlaw: str | None
    energy: int
    gold: Points
    experience: Points
    place: str
    clock: int
    buffs: Annotated[tuple[RunningBuff, ...], Meta(max_length=1000)]
    gang: Members
    pending: Pending | None
    drawing: Drawing | None = None


class ContestView(msgspec.Struct, frozen=True, kw_only=True, tag="contest", omit_defaults=True):
    """A contest as one seat sees it: the other's choice stays hidden until both are made."""

    viewer: Seat | None
    rules: Rules
    committed: tuple[bool, bool]
    choices: tuple[str | None, str | None]
    hands: Annotated[tuple[Hand, ...], Meta(max_length=2)]
    drawing: Drawing | None = None


class GangView(msgspec.Struct, frozen=True, kw_only=True, tag="gang", omit_defaults=True):
    """A gang war as one seat sees it: of the other gang only its size, until both are complete."""

    viewer: Seat | None
    rules: Rules
    sizes: tuple[int, int]
    gangs: tuple[Members, Members]
    hands: Annotated[tuple[Hand, ...], Meta(max_length=20)]
    drawing: Drawing | None = None


class CheckView(msgspec.Struct, frozen=True, kw_only=True, tag="checks", omit_defaults=True):
    """A match of skill checks as one seat sees it: only the other's choice of outlaw is hidden, until both are made."""

    viewer: Seat | None
    rules: Rules
    committed: tuple[bool, bool]
    choices: tuple[str | None, str | None]
    taken: Annotated[tuple[TakenCheck, ...], Meta(max_length=40)]
    pending: Word | None
    drawing: Drawing | None = None


class GauntletView(msgspec.Struct, frozen=True, kw_only=True, tag="gauntlet", omit_defaults=True):
    """A gauntlet as one seat sees it: only the others' choices of outlaws are hidden, until all are made."""

    viewer: Seat | None
    rules: Rules
    committed: Annotated[tuple[bool, ...], Meta(max_length=MOST_SEATS)]
    choices: Annotated[tuple[str | None, ...], Meta(max_length=MOST_SEATS)]
    bouts: Annotated[tuple[Bout, ...], Meta(max_length=MOST_BOUTS)]
    retired: Annotated[tuple[bool, ...], Meta(max_length=MOST_SEATS)]
    pending: PendingContest | None
    drawing: Drawing | None = None


View: TypeAlias = RunView | ContestView | GangView | CheckView | GauntletView


def view(state: State, viewer: Seat | None) -> View:
    """Return what the viewer knows; `None` is a spectator."""
    if isinstance(state, RunState):
        return RunView(
            viewer=viewer,
            rules=state.rules,
            outlaw=state.outlaw,
            energy=state.energy,
            gold=state.gold,
            experience=state.experience,
            place=state.place,
            clock=state.clock,
            buffs=state.buffs,
            gang=state.gang,
            pending=state.pending,
            drawing=state.drawing,
        )
    if isinstance(state, GangState):
        is_open = not choosing_seats(state)
        attackers, defenders = state.gangs
        return GangView(
            viewer=viewer,
            rules=state.rules,
            sizes=(len(attackers), len(defenders)),
            gangs=(
                attackers if is_open or viewer == 0 else (),
                defenders if is_open or viewer == 1 else (),
            ),
            hands=state.hands,
            drawing=state.drawing,
        )
    if isinstance(state, GauntletState):
        return GauntletView(
            viewer=viewer,
            rules=state.rules,
            committed=tuple(choice is not None for choice in state.choices),
            choices=_visible_choices(state.choices, viewer),
            bouts=state.bouts,
            retired=state.retired,
            pending=state.pending,
            drawing=state.drawing,
        )
    attacker, defender = _visible_choices(state.choices, viewer)
    choices = (attacker, defender)
    committed = (state.choices[0] is not None, state.choices[1] is not None)
    if isinstance(state, CheckState):
        return CheckView(
            viewer=viewer,
            rules=state.rules,
            committed=committed,
            choices=choices,
            taken=state.taken,
            pending=state.pending,
            drawing=state.drawing,
        )
    return ContestView(
        viewer=viewer,
        rules=state.rules,
        committed=committed,
        choices=choices,
        hands=state.hands,
        drawing=state.drawing,
    )


def _visible_choices(choices: Sequence[str | None], viewer: Seat | None) -> tuple[str | None, ...]:
    """Return the outlaws that a viewer knows: its own, and all once every seat has chosen."""
    is_open = None not in choices
    return tuple(choice if is_open or seat == viewer else None for seat, choice in enumerate(choices))


def outlaw_now(state: RunState | RunView) -> Character:
    """Return the outlaw of a run with its current place and running buffs."""
    assert state.outlaw is not None  # noqa: S101  a run asks for its outlaw only once one is chosen
    chosen = state.rules.outlaws[state.outlaw]
    return msgspec.structs.replace(
        chosen,
        location=state.place,
        buffs={**chosen.buffs, **{running.buff: running.started for running in state.buffs}},
    )


def imagine(known: View, draw: Draw) -> State:
    """Return a full state consistent with what a viewer knows: a hidden choice may be any outlaw that may be chosen."""
    if isinstance(known, RunView):
        return RunState(
            rules=known.rules,
            outlaw=known.outlaw,
            energy=known.energy,
            gold=known.gold,
            experience=known.experience,
            place=known.place,
            clock=known.clock,
            buffs=known.buffs,
            gang=known.gang,
            pending=known.pending,
            drawing=known.drawing,
        )
    if isinstance(known, GangView):
        attackers, defenders = (
            _imagine_gang(gang, size, known.rules, draw)
            for gang, size in zip(known.gangs, known.sizes, strict=True)
        )
        return GangState(
            rules=known.rules, gangs=(attackers, defenders), hands=known.hands, drawing=known.drawing
        )
    roster = tuple(known.rules.outlaws)
    imagined = tuple(
        roster[draw.below(len(roster))] if committed and choice is None else choice
        for committed, choice in zip(known.committed, known.choices, strict=True)
    )
    if isinstance(known, GauntletView):
        return GauntletState(
            rules=known.rules,
            choices=imagined,
            bouts=known.bouts,
            retired=known.retired,
            pending=known.pending,
            drawing=known.drawing,
        )
    attacker, defender = imagined
    choices = (attacker, defender)
    if isinstance(known, CheckView):
        return CheckState(
            rules=known.rules,
            choices=choices,
            taken=known.taken,
            pending=known.pending,
            drawing=known.drawing,
        )
    return ContestState(rules=known.rules, choices=choices, hands=known.hands, drawing=known.drawing)


def _imagine_gang(known: Members, size: int, rules: Rules, draw: Draw) -> Members:
    """Return a gang with its known members, and any that might have joined it."""
    gang = known
    while len(gang) < size:
        joinable = joinable_outlaws(gang, rules)
        gang = (*gang, joinable[draw.below(len(joinable))])
    return gang
