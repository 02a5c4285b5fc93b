"""How dice land: what each rolls, what it then shows, and whom an echo copies (§1, §5.2)."""

from collections.abc import Iterable, Sequence

from oddsmith.chance import Roll
from oddsmith.die import Die
from oddsmith.games.dice.model import Build, State
from oddsmith.games.dice.parts import FaceEffect, PoolDie, opposite_face
from oddsmith.games.dice.rules import BossKind, Rules


def round_rerolls(build: Build, rules: Rules, boss: BossKind | None = None) -> int:
    """Return how many rerolls a round has (§4.2, §7.5).

    >>> from oddsmith.games.dice.rules import DEFAULT
    >>> round_rerolls(Build(dice=(PoolDie("normal"),), items=("extra_reroll",)), DEFAULT, BossKind.MISER)
    2
    """
    extra = sum(rules.items[name].rerolls for name in build.items)
    fewer = rules.bosses.miser_rerolls if boss is BossKind.MISER else 0
    return max(0, rules.rerolls + extra - fewer)


def effective_die(die: PoolDie, items: Iterable[str], rules: Rules) -> Die:
    """Return the weighted die that is rolled; an item may reweigh its kind (§4.7).

    >>> from oddsmith.games.dice.rules import DEFAULT
    >>> effective_die(PoolDie("normal"), ["loaded_dice"], DEFAULT).weights
    (8, 8, 10, 11, 12, 13)
    """
    for name in items:
        if rules.items[name].reweighs == die.kind:
            return rules.items[name].die
    return rules.kinds[die.kind].die


def shown_face(die: PoolDie, rolled: int, boss: BossKind | None, rules: Rules) -> int:
    """Return what a die that was rolled shows: mirrors flip, then the inverter flips (§1.7, §7.3).

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
    """Return the places of the dice that the next roll rolls: not locked, fixed or set (§5.2, §5.4)."""
    held = {*state.locked, *state.wilds_set}
    if state.fixed is not None:
        held.add(state.fixed.place)
    return tuple(place for place in range(len(state.build.dice)) if place not in held)


def next_roll(state: State) -> Roll:
    """Return the luck of the next roll: a face for each die, and for an echo the place of the die it copies."""
    sources = echo_sources(state.build.dice, state.rules)
    whom = Die.of(sources) if sources else None
    return Roll(tuple(_die_or_source(state, place, whom) for place in rolling_places(state)))


def _die_or_source(state: State, place: int, whom: Die | None) -> Die:
    die = state.build.dice[place]
    if whom is not None and state.rules.kinds[die.kind].effect is FaceEffect.ECHO:
        return whom
    return effective_die(die, state.build.items, state.rules)


def faces_after_roll(state: State, outcome: Sequence[int]) -> tuple[int, ...]:
    """Return what all dice show after a roll: faces land and flip first, then echoes copy (§1.9)."""
    dice, rules = state.build.dice, state.rules
    sources = echo_sources(dice, rules)
    fallen = dict(zip(rolling_places(state), outcome, strict=True))
    copying = {place for place in fallen if sources and place not in sources}
    faces = list(state.faces) if state.faces else [0] * len(dice)
    if state.fixed is not None:
        faces[state.fixed.place] = state.fixed.face
    for place, rolled in fallen.items():
        if place not in copying:
            faces[place] = shown_face(dice[place], rolled, state.boss, rules)
    for place in copying:
        faces[place] = faces[fallen[place]]
    return tuple(faces)
