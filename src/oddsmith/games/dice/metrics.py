"""Metrics of Dice Hands from played games: faces of dice, hands, survived rounds, and their exact chances."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta

from oddsmith.driver import PlayedGame
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.figure import Basis, Reading, Unit
from oddsmith.games.dice.builds import format_name
from oddsmith.games.dice.model import Build, FixedDie, Rolled, Scored, State
from oddsmith.games.dice.odds import plan_rerolls, roll_odds
from oddsmith.games.dice.parts import FACES, MOST_DICE, Face, FaceEffect, PoolDie
from oddsmith.games.dice.rolling import effective_die, round_rerolls, shown_face
from oddsmith.games.dice.rules import DEFAULT, BossKind, Rules
from oddsmith.games.dice.scoring import require_build, require_faces, score
from oddsmith.metric import ExactCell, MetricKind, NullDistribution, Observation, Progress, Resolution
from oddsmith.wire import frozen_mapping

DieText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=50)]
Dice: TypeAlias = Annotated[tuple[DieText, ...], Meta(min_length=1, max_length=MOST_DICE)]
Faces: TypeAlias = Annotated[tuple[Face, ...], Meta(min_length=1, max_length=MOST_DICE)]
Names: TypeAlias = Annotated[tuple[str, ...], Meta(max_length=100)]
Levels: TypeAlias = Annotated[Mapping[str, int], Meta(max_length=100)]
Places: TypeAlias = Annotated[
    tuple[Annotated[int, Meta(ge=0, lt=MOST_DICE)], ...], Meta(max_length=MOST_DICE)
]

MOST_CACHED: Final = 4_096
SHOWN_ROUNDS: Final = 10
CERTAIN: Final = NullDistribution.of_chance(Fraction(1))
NO_LEVELS: Final[Mapping[str, int]] = frozen_mapping({})

HANDS_IN_ORDER: Final = tuple(map(format_name, DEFAULT.hands_in_order))

METRICS: Final = (
    MetricKind(
        name="round.survived",
        title="survival by round",
        unit=Unit.CHANCE,
        about="Rounds whose target was reached; exact is the most that the best rerolls can reach with the same dice.",
        is_most=True,
    ),
    MetricKind(
        name="roll.hand",
        title="hand frequency, first roll",
        unit=Unit.CHANCE,
        about="The hand that the first roll of a round makes, all dice rolled.",
        order=HANDS_IN_ORDER,
    ),
    MetricKind(
        name="round.hand",
        title="hand frequency, as scored",
        unit=Unit.CHANCE,
        about="The hand that was scored; rerolls are a choice, so nothing is exact about it.",
        order=HANDS_IN_ORDER,
    ),
    MetricKind(
        name="die.face",
        title="faces by kind of die",
        unit=Unit.CHANCE,
        about="What each die shows after a first roll; echoes, which show what others show, are left out.",
    ),
    MetricKind(
        name="die.reroll",
        title="faces by kind of rerolled die",
        unit=Unit.CHANCE,
        about="What each die shows that was rolled again; players stop rolling when they are satisfied, so p is exact only in the limit.",
    ),
    MetricKind(
        name="resolved.as_ruled",
        title="resolved as the rules say",
        unit=Unit.CHANCE,
        about="Rounds whose dice lead to what the log says; if these are not all, other rules were played.",
    ),
)


class _PoolResolution(Resolution, frozen=True, kw_only=True):
    """Dice that were rolled or scored: the pool in its order, items, levels of hands, the boss and its fixed die."""

    dice: Dice
    faces: Faces
    items: Names = ()
    levels: Levels = NO_LEVELS
    boss: BossKind | None = None
    fixed: FixedDie | None = None

    def build(self, rules: Rules) -> Build:
        build = Build(dice=tuple(map(rules.die, self.dice)), items=self.items, levels=self.levels)
        require_build(build, rules)
        require_faces(self.faces, build)
        return build


class DiceRolled(_PoolResolution, frozen=True, kw_only=True, tag="roll"):
    """A roll: the faces of all dice after it, and the places of the rolled dice, left out for the first roll of a round."""

    places: Places | None = None

    def observations(self, rules: Rules) -> Iterator[Observation]:
        """Yield an observation of the face of each rolled die, and of the hand of a first roll."""
        build = self.build(rules)
        for place in range(len(build.dice)) if self.places is None else self.places:
            if place >= len(build.dice):
                raise InputError(
                    "no_die", f"there is no die {place}: the pool has {len(build.dice)}", where="places"
                )
            if self.fixed is None or self.fixed.place != place:
                yield from self._faces(build.dice[place], self.faces[place], rules)
        if self.places is None and not _has_wild(build, rules):
            chances = _first_roll(build, self.boss, self.fixed, rules)
            made = score(build, self.faces, rules, silenced=self.boss is BossKind.SILENCER).hand
            for hand in sorted({made, *(chances or ())}):
                distribution = (
                    None if chances is None else NullDistribution.of_chance(chances.get(hand, Fraction(0)))
                )
                yield Observation("roll.hand", format_name(hand), int(hand == made), distribution)

    def _faces(self, die: PoolDie, shown: int, rules: Rules) -> Iterator[Observation]:
        if rules.kinds[die.kind].effect is FaceEffect.ECHO:
            return
        metric = "die.face" if self.places is None else "die.reroll"
        for face, distribution in _face_distributions(
            PoolDie(die.kind), self.items, self.boss, rules
        ).items():
            yield Observation(metric, f"{die.kind} {face}", int(face == shown), distribution)


class RoundScored(_PoolResolution, frozen=True, kw_only=True, tag="round"):
    """A scored round: its number, the scored dice, and whether the target was reached."""

    round: Annotated[int, Meta(ge=1, le=1_000_000)]
    survived: bool
    points: Annotated[int, Meta(ge=0)] | None = None
    rerolls: Annotated[int, Meta(ge=0, le=100)] | None = None

    def observations(self, rules: Rules) -> Iterator[Observation]:
        """Yield observations of whether the round was survived, of its hand, and of whether the rules agree."""
        build = self.build(rules)
        target = rules.target(self.round)
        left = round_rerolls(build, rules, self.boss) if self.rerolls is None else self.rerolls
        distribution = _best_play_distribution(build, left, target, rules, boss=self.boss, fixed=self.fixed)
        yield Observation("round.survived", f"round {self.round}", int(self.survived), distribution)
        scored = score(build, self.faces, rules, silenced=self.boss is BossKind.SILENCER)
        for hand in rules.hands:
            yield Observation("round.hand", format_name(hand), int(hand == scored.hand))
        agrees = (scored.total >= target) == self.survived and self.points in (None, scored.total)
        yield Observation("resolved.as_ruled", "rounds", int(agrees), CERTAIN)


RESOLUTIONS: TypeAlias = DiceRolled | RoundScored


def resolutions(played: PlayedGame[Any, Any, Any]) -> Iterator[Resolution]:
    """Yield every roll and every scored round of a replayed run."""
    for ply in played.plies:
        before = ply.before
        for event in ply.events:
            match event:
                case Rolled():
                    first = not before.faces
                    yield _roll_resolution(before, event.faces, None if first else event.places)
                case Scored():
                    yield RoundScored(
                        dice=tuple(map(str, before.build.dice)),
                        faces=before.faces,
                        items=before.build.items,
                        levels=before.build.levels,
                        boss=before.boss,
                        fixed=before.fixed,
                        round=before.round,
                        survived=event.score.total >= event.target,
                        points=event.score.total,
                    )


def exact_cells(rules: Rules, progress: Progress) -> Iterator[ExactCell]:
    """Yield the exact chances of the first pool: of its faces and hands, and of the first rounds under best rerolls."""
    build = Build(dice=tuple(map(rules.die, rules.pool)))
    last = min(rules.rounds, SHOWN_ROUNDS)
    for number in range(1, last + 1):
        distribution = _best_play_distribution(
            build, round_rerolls(build, rules), rules.target(number), rules
        )
        if distribution is not None:
            yield ExactCell("round.survived", f"round {number}", _bounded_reading(distribution))
        progress(number / (last + 1))
    rolled = roll_odds(build, rules).hands
    for hand in rules.hands_in_order:
        if rolled.probability(hand):
            yield ExactCell("roll.hand", format_name(hand), Reading(rolled.probability(hand)))
    for kind in dict.fromkeys(die.kind for die in build.dice):
        for face, distribution in _face_distributions(PoolDie(kind), (), None, rules).items():
            yield ExactCell("die.face", f"{kind} {face}", Reading(distribution.mean))
    progress(1)


def _roll_resolution(state: State, faces: Faces, places: Places | None) -> DiceRolled:
    return DiceRolled(
        dice=tuple(map(str, state.build.dice)),
        faces=faces,
        items=state.build.items,
        levels=state.build.levels,
        boss=state.boss,
        fixed=state.fixed,
        places=places,
    )


@lru_cache(maxsize=MOST_CACHED)
def _face_distributions(
    die: PoolDie, items: Names, boss: BossKind | None, rules: Rules
) -> Mapping[int, NullDistribution]:
    """Return the distribution of each face that a die may show after a roll."""
    rolled = effective_die(die, items, rules)
    ways = dict.fromkeys(FACES, 0)
    for face, weight in zip(rolled.faces, rolled.weights, strict=True):
        ways[shown_face(die, int(face), boss, rules)] += weight
    return {
        face: NullDistribution.of_chance(Fraction(weight, sum(rolled.weights)))
        for face, weight in ways.items()
    }


def _has_wild(build: Build, rules: Rules) -> bool:
    return any(rules.kinds[die.kind].effect is FaceEffect.WILD for die in build.dice)


@lru_cache(maxsize=MOST_CACHED)
def _first_roll(
    build: Build, boss: BossKind | None, fixed: FixedDie | None, rules: Rules
) -> Mapping[str, Fraction] | None:
    """Return the chance of each hand of a roll of all dice; None if the pool is too large to count."""
    try:
        hands = roll_odds(build, rules, boss=boss, fixed=fixed).hands
    except WorkLimitError:
        return None
    return {hand: hands.probability(hand) for hand in hands}


@lru_cache(maxsize=MOST_CACHED)
def _best_play_distribution(
    build: Build,
    rerolls: int,
    target: int,
    rules: Rules,
    *,
    boss: BossKind | None = None,
    fixed: FixedDie | None = None,
) -> NullDistribution | None:
    """Return the distribution of reaching a target under best rerolls; None if the pool is too large to solve."""
    try:
        plan = plan_rerolls(build, rerolls, rules, target=target, boss=boss, fixed=fixed, exact=False)
    except WorkLimitError:
        return None
    return NullDistribution.of_chance(
        min(Fraction(1), Fraction(plan.start_value(rerolls))), Fraction(plan.error)
    )


def _bounded_reading(distribution: NullDistribution) -> Reading:
    return Reading(distribution.mean, distribution.error, Basis.BOUNDED)
