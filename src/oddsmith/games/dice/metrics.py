"""What is measured of Dice Hands: what dice show, which hands they make, and how often a round is survived."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta

from oddsmith.driver import Replayed
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.figure import Basis, Reading, Unit
from oddsmith.games.dice.model import Build, FixedDie, Rolled, Scored, State
from oddsmith.games.dice.odds import plan_rerolls, roll_odds
from oddsmith.games.dice.parts import FACES, MOST_DICE, Face, FaceEffect, PoolDie
from oddsmith.games.dice.rolling import die_rolled, face_shown, round_rerolls
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

MOST_KEPT: Final = 4_096
SHOWN_ROUNDS: Final = 10
CERTAIN: Final = NullDistribution.of_chance(Fraction(1))
NO_LEVELS: Final[Mapping[str, int]] = frozen_mapping({})

HANDS_IN_ORDER: Final = tuple(hand.replace("_", " ") for hand in DEFAULT.hands_in_order)

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
        about="What each die shows that was rolled again; who stops rolling when pleased makes p exact only in the limit.",
    ),
    MetricKind(
        name="resolved.as_ruled",
        title="resolved as the rules say",
        unit=Unit.CHANCE,
        about="Rounds whose dice lead to what the log says; less than all of them is another rule.",
    ),
)


class _Pool(Resolution, frozen=True, kw_only=True):
    """What dice are rolled or scored with: the pool in its order, items, levels of hands, a boss, a die that it fixed."""

    dice: Dice
    faces: Faces
    items: Names = ()
    levels: Levels = NO_LEVELS
    boss: BossKind | None = None
    fixed: FixedDie | None = None

    def build(self, rules: Rules) -> Build:
        made = Build(dice=tuple(map(rules.die, self.dice)), items=self.items, levels=self.levels)
        require_build(made, rules)
        require_faces(self.faces, made)
        return made


class DiceRolled(_Pool, frozen=True, kw_only=True, tag="roll"):
    """A roll: what all dice show after it, and the places of those that were rolled; all of them, in a first roll."""

    places: Places | None = None

    def observations(self, rules: Rules) -> Iterator[Observation]:
        """Yield the face of each die that was rolled, and the hand of a first roll."""
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
                law = None if chances is None else NullDistribution.of_chance(chances.get(hand, Fraction(0)))
                yield Observation("roll.hand", _words(hand), int(hand == made), law)

    def _faces(self, die: PoolDie, shown: int, rules: Rules) -> Iterator[Observation]:
        if rules.kinds[die.kind].effect is FaceEffect.ECHO:
            return
        metric = "die.face" if self.places is None else "die.reroll"
        for face, law in _face_laws(PoolDie(die.kind), self.items, self.boss, rules).items():
            yield Observation(metric, f"{die.kind} {face}", int(face == shown), law)


class RoundScored(_Pool, frozen=True, kw_only=True, tag="round"):
    """A round in the end: its number, the dice as they were scored, and whether its target was reached."""

    round: Annotated[int, Meta(ge=1, le=1_000_000)]
    survived: bool
    points: Annotated[int, Meta(ge=0)] | None = None
    rerolls: Annotated[int, Meta(ge=0, le=100)] | None = None

    def observations(self, rules: Rules) -> Iterator[Observation]:
        """Yield whether the round was survived, with what, and whether the rules agree."""
        build = self.build(rules)
        target = rules.target(self.round)
        left = round_rerolls(build, rules, self.boss) if self.rerolls is None else self.rerolls
        law = _best_law(build, left, target, self.boss, self.fixed, rules)
        yield Observation("round.survived", f"round {self.round}", int(self.survived), law)
        made = score(build, self.faces, rules, silenced=self.boss is BossKind.SILENCER)
        for hand in rules.hands:
            yield Observation("round.hand", _words(hand), int(hand == made.hand))
        agrees = (made.total >= target) == self.survived and self.points in (None, made.total)
        yield Observation("resolved.as_ruled", "rounds", int(agrees), CERTAIN)


RESOLUTIONS: TypeAlias = DiceRolled | RoundScored


def resolutions(played: Replayed[Any, Any, Any]) -> Iterator[Resolution]:
    """Yield every roll and every scored round of a game."""
    for ply in played.plies:
        before = ply.before
        for event in ply.events:
            match event:
                case Rolled():
                    first = not before.faces
                    yield _roll_of(before, event.faces, None if first else event.places)
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
    """Yield what the first dice of a run show, and how often the best rerolls reach each round's target with them."""
    build = Build(dice=tuple(map(rules.die, rules.pool)))
    last = min(rules.rounds, SHOWN_ROUNDS)
    for number in range(1, last + 1):
        law = _best_law(build, round_rerolls(build, rules), rules.target(number), None, None, rules)
        if law is not None:
            yield ExactCell("round.survived", f"round {number}", _read(law))
        progress(number / (last + 1))
    rolled = roll_odds(build, rules).hands
    for hand in rules.hands_in_order:
        if rolled.probability(hand):
            yield ExactCell("roll.hand", _words(hand), Reading(rolled.probability(hand)))
    for kind in dict.fromkeys(die.kind for die in build.dice):
        for face, law in _face_laws(PoolDie(kind), (), None, rules).items():
            yield ExactCell("die.face", f"{kind} {face}", Reading(law.mean))
    progress(1)


def _roll_of(state: State, faces: Faces, places: Places | None) -> DiceRolled:
    return DiceRolled(
        dice=tuple(map(str, state.build.dice)),
        faces=faces,
        items=state.build.items,
        levels=state.build.levels,
        boss=state.boss,
        fixed=state.fixed,
        places=places,
    )


@lru_cache(maxsize=MOST_KEPT)
def _face_laws(
    die: PoolDie, items: Names, boss: BossKind | None, rules: Rules
) -> Mapping[int, NullDistribution]:
    """Return how often a die shows each face, as it is rolled and turned by the rules."""
    rolled = die_rolled(die, items, rules)
    ways = dict.fromkeys(FACES, 0)
    for face, weight in zip(rolled.faces, rolled.weights, strict=True):
        ways[face_shown(die, int(face), boss, rules)] += weight
    return {
        face: NullDistribution.of_chance(Fraction(weight, sum(rolled.weights)))
        for face, weight in ways.items()
    }


def _has_wild(build: Build, rules: Rules) -> bool:
    return any(rules.kinds[die.kind].effect is FaceEffect.WILD for die in build.dice)


@lru_cache(maxsize=MOST_KEPT)
def _first_roll(
    build: Build, boss: BossKind | None, fixed: FixedDie | None, rules: Rules
) -> Mapping[str, Fraction] | None:
    """Return how often a roll of all dice makes each hand; None where the pool is too large to count."""
    try:
        hands = roll_odds(build, rules, boss=boss, fixed=fixed).hands
    except WorkLimitError:
        return None
    return {hand: hands.probability(hand) for hand in hands}


@lru_cache(maxsize=MOST_KEPT)
def _best_law(  # noqa: PLR0917  all that a round depends on
    build: Build, rerolls: int, target: int, boss: BossKind | None, fixed: FixedDie | None, rules: Rules
) -> NullDistribution | None:
    """Return the law of reaching a target with the best rerolls; None where the pool is too large to solve."""
    try:
        plan = plan_rerolls(build, rerolls, rules, target=target, boss=boss, fixed=fixed, exact=False)
    except WorkLimitError:
        return None
    return NullDistribution.of_chance(min(Fraction(1), Fraction(plan.start(rerolls))), Fraction(plan.error))


def _read(law: NullDistribution) -> Reading:
    return Reading(law.mean, law.error, Basis.BOUNDED)


def _words(hand: str) -> str:
    return hand.replace("_", " ")
