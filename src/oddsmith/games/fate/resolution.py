"""The resolution of a check: talents fire, draw and look at cards; then its result counts (§2.4, §4.6, §6.5)."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from oddsmith.game import EVERYONE, Event, Seat
from oddsmith.games.fate.abilities import regain_use
from oddsmith.games.fate.checks import judge
from oddsmith.games.fate.effects import (
    AddToTotal,
    DrawMore,
    Heal,
    LookAtTop,
    RedrawFailure,
    Regain,
    Strike,
    TalentEffect,
)
from oddsmith.games.fate.model import (
    Check,
    EffectHappened,
    EffectKind,
    Resolved,
    Result,
    Stage,
    State,
    TalentFired,
)
from oddsmith.games.fate.rule_types import CheckKind
from oddsmith.games.fate.talents import (
    cards_looked_at,
    effects_of,
    fired_talents,
    further_draws,
    total_bonus,
)

GAME_MASTER: Final[Seat] = 0


class Progress(NamedTuple):
    """A state, and the events that led to it."""

    state: State
    events: tuple[Event, ...]


def resolve_check(state: State, check: Check) -> Progress:
    """Resolve a check: its talents fire, and draw further cards where they do so; then it is resolved again (§4.6, §4.7)."""
    if check.judged:
        return continue_check(state, ())
    rules, kind = state.rules, state.rules.checks[check.name]
    fired = fired_talents(check.hand, rules.talents_of(check.player), rules)
    if not fired:
        return finish_check(state, ())
    modifier = rules.check_modifier(check.player, kind)
    further = further_draws(check.hand, fired, rules, modifier=modifier, target=kind.target)
    after = msgspec.structs.replace(check, judged=check.hand, fired=fired, due=further.cards)
    if further.again:
        after = msgspec.structs.replace(after, hand=(), aside=(*check.aside, *check.hand))
    events: list[Event] = [
        TalentFired(audience=EVERYONE, player=check.player, check=check.name, talent=name) for name in fired
    ]
    for name, effect in effects_of(fired, rules):
        drawn = _drawn_cards(effect, further.again)
        if drawn:
            events.append(_happened(check.player, name, drawn[0], drawn[1]))
    resolving = msgspec.structs.replace(state, check=after, stage=Stage.DRAW)
    return Progress(resolving, tuple(events)) if further.cards else continue_check(resolving, tuple(events))


def _drawn_cards(effect: TalentEffect, again: int) -> tuple[EffectKind, int] | None:
    """Return the kind of an effect that changes the total, and how much; None for one that does not do so now."""
    match effect:
        case AddToTotal(amount=amount) if amount:
            return "add", amount
        case DrawMore(cards=cards):
            return "draw", cards
        case RedrawFailure() if again:
            return "redraw", again
    return None


def _happened(
    player: Seat, talent: str, kind: EffectKind, amount: int, other: Seat | None = None
) -> EffectHappened:
    return EffectHappened(
        audience=EVERYONE, player=player, talent=talent, kind=kind, amount=amount, other=other
    )


def continue_check(state: State, events: tuple[Event, ...]) -> Progress:
    """Go on with a check that has all of its cards: look at the top of the deck where a talent does so, or finish it."""
    check = state.check
    looked_at = 0 if check is None else min(cards_looked_at(check.fired, state.rules), len(state.deck.deck))
    if not looked_at:
        return finish_check(state, events)
    return Progress(msgspec.structs.replace(state, peeking=looked_at, stage=Stage.PEEK), events)


def finish_check(state: State, events: tuple[Event, ...]) -> Progress:
    """Count the result of the check under way, and discard its cards; without one, nothing changes (§2.4, §3.1)."""
    check = state.check
    if check is None:
        return Progress(state, events)
    rules, kind = state.rules, state.rules.checks[check.name]
    result = judge(
        check.hand,
        rules,
        modifier=rules.check_modifier(check.player, kind),
        target=kind.target,
        trigger=kind.expression,
        judged=check.judged,
        talents=check.fired,
        bonus=total_bonus(check.fired, rules),
    )
    stakes = count_stakes(result, kind, state.health[check.player - 1] if rules.health else None)
    counted = msgspec.structs.replace(
        state,
        deck=state.deck.add_discards((*check.aside, *check.hand)),
        check=None,
        successes=_changed(state.successes, check.player, stakes.gained),
        health=_changed(state.health, check.player, stakes.health),
        stage=Stage.CALL if check.caller == GAME_MASTER else Stage.PLAY,
    )
    resolved = Resolved(
        audience=EVERYONE,
        player=check.player,
        check=check.name,
        result=result,
        gained=stakes.gained,
        health=stakes.health,
    )
    final, after = _apply_last_effects(counted, check) if check.fired else Progress(counted, ())
    return Progress(final, (*events, resolved, *after))


class Stakes(NamedTuple):
    """What a result counts: successes gained, and the change of the player's health."""

    gained: int
    health: int


def count_stakes(result: Result, kind: CheckKind, health: int | None) -> Stakes:
    """Return what a result counts for a player with this health, None where health is not played (§6.5).

    >>> kind = CheckKind(target=3, worth=2, harm=1)
    >>> won, lost = (Result(cards=(), value=3, modifier=0, total=3, success=one, triggered=None) for one in (True, False))
    >>> [tuple(count_stakes(won, kind, 1)), tuple(count_stakes(won, kind, 0)), tuple(count_stakes(lost, kind, 5))]
    [(2, 0), (0, 1), (0, -1)]
    """
    if result.success is None:
        return Stakes(0, 0)
    if result.success:
        return Stakes(0, 1) if health == 0 else Stakes(kind.worth, 0)
    return Stakes(0, -min(kind.harm, health or 0))


def _changed(numbers: tuple[int, ...], player: Seat, change: int) -> tuple[int, ...]:
    if not change:
        return numbers
    return tuple(number + change * (seat == player) for seat, number in enumerate(numbers, 1))


def _apply_last_effects(state: State, check: Check) -> Progress:
    """Apply the effects on health and on uses, after the result was counted (§4.8)."""
    events: list[Event] = []
    for name, effect in effects_of(check.fired, state.rules):
        for after, event in _apply_effect(state, check.player, name, effect):
            state = after
            events.append(event)
    return Progress(state, tuple(events))


def _apply_effect(
    state: State, player: Seat, talent: str, effect: TalentEffect
) -> Iterator[tuple[State, Event]]:
    """Yield the state after an effect, and its event, where it changes anything."""
    change = msgspec.structs.replace
    match effect:
        case Strike(amount=amount):
            other = leading_opponent(state, player)
            harm = min(amount, state.health[other - 1]) if other is not None else 0
            if harm:
                struck = change(state, health=_changed(state.health, other or 0, -harm))
                yield struck, _happened(player, talent, "strike", harm, other)
        case Heal(amount=amount):
            healed = min(amount, state.rules.health - state.health[player - 1])
            if healed:
                better = change(state, health=_changed(state.health, player, healed))
                yield better, _happened(player, talent, "heal", healed)
        case Regain(ability=ability):
            regained = regain_use(state, player, ability)
            if regained is not None:
                yield regained, _happened(player, talent, "regain", 1)
        case LookAtTop(cards=cards):
            yield state, _happened(player, talent, "peek", cards)
        case _:
            return


def leading_opponent(state: State, player: Seat) -> Seat | None:
    """Return the other player with the most successes, the lowest seat of several; None where there is no other (§4.8)."""
    others = [seat for seat in state.seats[1:] if seat != player]
    return max(others, key=lambda seat: (state.successes[seat - 1], -seat), default=None)
