"""Rolls: the dice that are rolled, the faces that they show, and the dice that echoes copy (§1, §5.2)."""

from collections.abc import Iterable, Sequence

from oddsmith.chance import Roll
from oddsmith.die import Die
from oddsmith.games.dice.model import Build, State
from oddsmith.games.dice.parts import FaceEffect, PoolDie, opposite_face
from oddsmith.games.dice.rules import BossKind, Rules


def round_rerolls(build: Build, rules: Rules, boss: BossKind | None = None) -> int:
    """Return the number of rerolls of a round (§4.2, §7.5).

    >>> from oddsmith.games.dice.rules import DEFAULT
    >>> round_rerolls(Build(dice=(PoolDie("normal"),), items=("extra_reroll",)), DEFAULT, BossKind.MISER)
    2
    """
    extra = sum(rules.items[name].rerolls for name in build.items)
    fewer = rules.bosses.miser_rerolls if boss is BossKind.MISER else 0
    return max(0, rules.rerolls + extra - fewer)


def effective_die(die: PoolDie, items: Iterable[str], rules: Rules) -> Die:
    """Return the weighted die that is rolled: that of the kind, or of an item that reweighs it (§4.7).

    >>> from oddsmith.games.dice.rules import DEFAULT
    >>> effective_die(PoolDie("normal"), ["loaded_dice"], DEFAULT).weights
    (8, 8, 10, 11, 12, 13)
    """
    for name in items:
        if rules.items[name].reweighs == die.kind:
            return rules.items[name].die
    return rules.kinds[die.kind].die


def shown_face(die: PoolDie, rolled: int, boss: BossKind | None, rules: Rules) -> int:
    """Return the face that a rolled die shows: mirrors flip it, then the inverter flips it (§1.7, §7.3).

    >>> from oddsmith.games.dice.rules import DEFAULT
    >>> shown_face(PoolDie("mirror"), 2, None, DEFAULT), shown_face(PoolDie("mirror"), 2, BossKind.INVERTER, DEFAULT)
    (5, 2)
    """
    shown = opposite_face(rolled) if rules.kinds[die.kind].effect is FaceEffect.MIRROR else rolled
    return opposite_face(shown) if boss is BossKind.INVERTER else shown


def echo_sources(dice: Sequence[PoolDie], rules: Rules) -> tuple[int, ...]:
    """Return the places of the dice that an echo may copy (§1.8)."""
    return tuple(
        place for place, die in enumerate(dice) if rules.kinds[die.kind].effect is not FaceEffect.ECHO
    )


def rolling_places(state: State) -> tuple[int, ...]:
    """Return the places of the dice that are rolled next: those not locked, fixed or set (§5.2, §5.4)."""
    kept = {*state.locked, *state.wilds_set}
    if state.fixed is not None:
        kept.add(state.fixed.place)
    return tuple(place for place in range(len(state.build.dice)) if place not in kept)


def next_roll(state: State) -> Roll:
    """Return the luck of the next roll: a face for each die, or for an echo the place of the die it copies."""
    sources = echo_sources(state.build.dice, state.rules)
    source_die = Die.of(sources) if sources else None
    return Roll(tuple(_die_or_source(state, place, source_die) for place in rolling_places(state)))


def _die_or_source(state: State, place: int, source_die: Die | None) -> Die:
    die = state.build.dice[place]
    if source_die is not None and state.rules.kinds[die.kind].effect is FaceEffect.ECHO:
        return source_die
    return effective_die(die, state.build.items, state.rules)


def faces_after_roll(state: State, outcome: Sequence[int]) -> tuple[int, ...]:
    """Return the faces of all dice after a roll: mirrors and the inverter flip first, then echoes copy (§1.9)."""
    dice, rules = state.build.dice, state.rules
    sources = echo_sources(dice, rules)
    rolls = dict(zip(rolling_places(state), outcome, strict=True))
    echoes = {place for place in rolls if sources and place not in sources}
    faces = list(state.faces) if state.faces else [0] * len(dice)
    if state.fixed is not None:
        faces[state.fixed.place] = state.fixed.face
    for place, rolled in rolls.items():
        if place not in echoes:
            faces[place] = shown_face(dice[place], rolled, state.boss, rules)
    for place in echoes:
        faces[place] = faces[rolls[place]]
    return tuple(faces)
