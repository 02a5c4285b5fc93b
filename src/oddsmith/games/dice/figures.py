"""The figures of Dice Hands: exact, but for rounds of pools with very many positions."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Final, TypeAlias

from msgspec import Meta

from oddsmith.errors import InputError, WorkLimitError
from oddsmith.figure import Basis, Figure, Reading, Unit
from oddsmith.games.dice.builds import read_build, read_pool
from oddsmith.games.dice.model import NO_LEVELS, Build
from oddsmith.games.dice.odds import RollOdds, plan_rerolls, roll_odds
from oddsmith.games.dice.parts import MOST_DICE, Face
from oddsmith.games.dice.pools import Pool
from oddsmith.games.dice.purchases import require_solvable_round, round_chance
from oddsmith.games.dice.questions.prices import BUILD
from oddsmith.games.dice.questions.rolls import ODDS
from oddsmith.games.dice.rules import LARGEST_TARGET, Rules
from oddsmith.games.dice.scoring import (
    hand_points,
    level_base,
    level_multiplier,
    require_level,
    score,
)
from oddsmith.games.dice.shopping import die_price, extra_die_price, upgrade_price
from oddsmith.odds.distribution import Distribution
from oddsmith.odds.rerolls import count_positions
from oddsmith.reply_figures import name_figure

Word: TypeAlias = Annotated[str, Meta(max_length=50)]
Words: TypeAlias = Annotated[tuple[Word, ...], Meta(max_length=100)]
Dice: TypeAlias = Annotated[tuple[Word, ...], Meta(min_length=1, max_length=MOST_DICE)]
"""Dice by their kinds and levels, several of one kind by their number: `["4 normal", "glass+2"]`."""
Faces: TypeAlias = Annotated[tuple[Face, ...], Meta(min_length=1, max_length=MOST_DICE)]
Level: TypeAlias = Annotated[int, Meta(ge=0, le=10)]
Levels: TypeAlias = Annotated[Mapping[Word, Level], Meta(max_length=100)]
Rerolls: TypeAlias = Annotated[int, Meta(ge=0, le=20)]
Round: TypeAlias = Annotated[int, Meta(ge=1, le=100)]
Size: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_DICE)]
Sum: TypeAlias = Annotated[int, Meta(ge=0, le=6 * MOST_DICE)]
Score: TypeAlias = Annotated[int, Meta(ge=0, le=LARGEST_TARGET)]

MOST_EXACT: Final = 250_000
"""Pools with more positions are solved in floating point, within a bound."""
MEAN_ERROR: Final = Fraction(1, 10**12)
"""How far `round_chance` may be off where it is not exact."""
PLAYED: Final = 2_000
"""How many rounds are played with a pool that cannot be solved."""


# --- numbers of replies ----------------------------------------------------------------------------------------------

ONE_ROLL: Final[dict[str, Any]] = {"target": None, "rerolls": None, "rounds": ODDS.request().rounds}
NO_BUILD: Final[dict[str, Any]] = {"dice": None, "kinds": (), "items": (), "levels": NO_LEVELS, "stock": None}

FirstMatchMissed: Final = name_figure(
    "first_match.missed",
    ODDS,
    "missed",
    "The share of rolls in which another hand of the same dice would have scored more than the selected one.",
    values=ONE_ROLL,
)
RoundTarget: Final = name_figure(
    "round.target",
    BUILD,
    "ahead.target",
    "The score that a round asks for.",
    values=NO_BUILD,
    required=("round",),
)


# --- other numbers ---------------------------------------------------------------------------------------------------


class _Built(Figure, frozen=True, kw_only=True):
    """A build: dice (those that a run begins with, unless told), items, and levels of hands."""

    dice: Dice | None = None
    items: Words = ()
    levels: Levels = NO_LEVELS

    def build(self, rules: Rules) -> Build:
        return read_build(read_pool(self.dice, (), rules), self.items, self.levels, rules)

    def rolled(self, rules: Rules) -> RollOdds:
        return roll_odds(self.build(rules), rules)


class _Lying(_Built, frozen=True, kw_only=True):
    """Dice that lie: as many normal ones as there are faces, unless told."""

    faces: Faces

    def build(self, rules: Rules) -> Build:
        if self.dice is not None:
            return super().build(rules)
        dice = tuple(rules.die(rules.normal_kind) for _ in self.faces)
        return Build(dice=dice, items=self.items, levels=self.levels)


class HandName(_Lying, frozen=True, kw_only=True, tag="hand.name"):
    """The name of the hand that dice are scored as."""

    unit: ClassVar[Unit] = Unit.NAME

    def read(self, rules: Rules) -> Reading:
        return Reading(name=score(self.build(rules), self.faces, rules).hand)


class HandScore(_Lying, frozen=True, kw_only=True, tag="hand.score"):
    """What dice score as they lie."""

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(score(self.build(rules), self.faces, rules).total))


class HandGrowth(_Lying, frozen=True, kw_only=True, tag="hand.growth"):
    """How many times as much dice score with these levels of hands as with none."""

    def read(self, rules: Rules) -> Reading:
        build = self.build(rules)
        bare = Build(dice=build.dice, items=build.items)
        before = score(bare, self.faces, rules).total
        if not before:
            raise InputError("no_score", "dice that score nothing without levels grow by no factor")
        return Reading(Fraction(score(build, self.faces, rules).total, before))


class _Levelled(Figure, frozen=True, kw_only=True):
    """A hand at a level."""

    hand: Word
    level: Level = 0

    def require(self, rules: Rules) -> None:
        require_level(self.hand, self.level, rules)


class HandBase(_Levelled, frozen=True, kw_only=True, tag="hand.base"):
    """What a hand begins with at a level, before its dice are added."""

    def read(self, rules: Rules) -> Reading:
        self.require(rules)
        return Reading(
            Fraction(level_base(rules.hand(self.hand).base, self.level, rules.upgrades.base_growth))
        )


class HandMultiplier(_Levelled, frozen=True, kw_only=True, tag="hand.multiplier"):
    """What a hand is multiplied with at a level."""

    def read(self, rules: Rules) -> Reading:
        self.require(rules)
        return Reading(Fraction(level_multiplier(rules.hand(self.hand), self.level, rules)))


class HandWorth(_Levelled, frozen=True, kw_only=True, tag="hand.worth"):
    """What a hand scores at a level when its matched dice add up to a sum."""

    sum: Sum

    def read(self, rules: Rules) -> Reading:
        self.require(rules)
        return Reading(Fraction(hand_points(rules.hand(self.hand), self.level, self.sum, rules)))


class HandChance(_Built, frozen=True, kw_only=True, tag="hand.chance"):
    """The chance that one roll is scored as a hand."""

    unit: ClassVar[Unit] = Unit.CHANCE
    hand: Word

    def read(self, rules: Rules) -> Reading:
        rules.hand(self.hand)
        hands = self.rolled(rules).hands
        return Reading(Fraction(hands.weight(self.hand), hands.total))


class HandMade(Figure, frozen=True, kw_only=True, tag="hand.made"):
    """The chance that one roll of normal dice makes a hand, whichever hand is then scored."""

    unit: ClassVar[Unit] = Unit.CHANCE
    hand: Word
    size: Size

    def read(self, rules: Rules) -> Reading:
        from oddsmith.games.dice.throws import Throws  # noqa: PLC0415  the exhibits need figures

        rules.hand(self.hand)
        return Reading(Throws(rules, self.size).made(self.hand))


class _Ranged(_Built, frozen=True, kw_only=True):
    """What a hand scores in one roll when it is the one that is scored."""

    hand: Word

    def scores(self, rules: Rules) -> Distribution[int]:
        scores = self.rolled(rules).scores_of(self.hand)
        if scores is None:
            dice = " ".join(map(str, self.build(rules).dice))
            raise InputError("never_scored", f"{self.hand} is never scored by {dice}")
        return scores


class HandLeast(_Ranged, frozen=True, kw_only=True, tag="hand.least"):
    """The least that a hand scores, of all rolls that are scored as it."""

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(min(self.scores(rules))))


class HandMost(_Ranged, frozen=True, kw_only=True, tag="hand.most"):
    """The most that a hand scores, of all rolls that are scored as it."""

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(max(self.scores(rules))))


class _Played(_Built, frozen=True, kw_only=True):
    """A roll and so many rerolls under best play; without any, one roll."""

    rerolls: Rerolls = 0

    def best(self, rules: Rules, target: int | None, once: Callable[[RollOdds], Fraction]) -> Reading:
        build = self.build(rules)
        if not self.rerolls:
            return Reading(once(roll_odds(build, rules)))
        exact = _is_small(build, rules)
        plan = plan_rerolls(build, self.rerolls, rules, target=target, exact=exact)
        value = Fraction(plan.start(self.rerolls))
        return Reading(value) if exact else Reading(value, Fraction(plan.error), Basis.BOUNDED)


class ScoreMean(_Played, frozen=True, kw_only=True, tag="score.mean"):
    """The mean score of a roll and its rerolls, played for the mean."""

    def read(self, rules: Rules) -> Reading:
        return self.best(rules, None, lambda rolled: rolled.scores.mean)


class ScoreAtLeast(_Played, frozen=True, kw_only=True, tag="score.at_least"):
    """The chance that a roll and its rerolls score at least so much, played for that."""

    unit: ClassVar[Unit] = Unit.CHANCE
    score: Score

    def read(self, rules: Rules) -> Reading:
        return self.best(rules, self.score, lambda rolled: rolled.at_least(self.score))


class RoundChance(_Built, frozen=True, kw_only=True, tag="round.chance"):
    """The chance to win a round under best play, averaged over the bosses where one is due."""

    unit: ClassVar[Unit] = Unit.CHANCE
    round: Round

    def read(self, rules: Rules) -> Reading:
        build = self.build(rules)
        try:
            require_solvable_round(build, self.round, rules)
        except WorkLimitError:
            return _played_round(build, self.round, rules)
        exact = _is_small(build, rules)
        chance = Fraction(round_chance(build, self.round, rules, exact=exact))
        return Reading(chance) if exact else Reading(chance, MEAN_ERROR, Basis.BOUNDED)


class PriceUpgrade(Figure, frozen=True, kw_only=True, tag="price.upgrade"):
    """What the next level of a hand costs that has this one."""

    level: Level

    def read(self, rules: Rules) -> Reading:
        if self.level >= rules.upgrades.most_levels:
            raise InputError(
                "bad_level",
                f"levels below the top are 0 to {rules.upgrades.most_levels - 1}, not {self.level}",
            )
        return Reading(Fraction(upgrade_price(self.level, rules)))


class PriceTopLevel(Figure, frozen=True, kw_only=True, tag="price.top_level"):
    """What all levels of a hand cost together."""

    def read(self, rules: Rules) -> Reading:
        return Reading(
            Fraction(sum(upgrade_price(level, rules) for level in range(rules.upgrades.most_levels)))
        )


class PriceDie(Figure, frozen=True, kw_only=True, tag="price.die"):
    """What a die costs that takes the place of another one."""

    die: Word

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(die_price(rules.die(self.die), rules)))


class PriceExtraDie(Figure, frozen=True, kw_only=True, tag="price.extra_die"):
    """What one more normal die costs a pool of so many dice."""

    size: Size

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(extra_die_price(self.size, rules)))


def _is_small(build: Build, rules: Rules) -> bool:
    """Say whether a pool is solved exactly in good time."""
    pool = Pool(build, rules)
    pool.require_solvable()
    return count_positions(pool.groups()) <= MOST_EXACT


def _played_round(build: Build, number: int, rules: Rules) -> Reading:
    from oddsmith.games.dice.simulation.pools import estimate_round  # noqa: PLC0415  loads the bots, and is seldom needed

    won = estimate_round(build, number, rules, rounds=PLAYED)
    return Reading(Fraction(won.happened, won.count), Fraction(won.error), Basis.ESTIMATED)


FIGURES: Final[tuple[type[Figure], ...]] = (
    HandName,
    HandScore,
    HandGrowth,
    HandBase,
    HandMultiplier,
    HandWorth,
    HandChance,
    HandMade,
    HandLeast,
    HandMost,
    ScoreMean,
    ScoreAtLeast,
    FirstMatchMissed,
    RoundChance,
    RoundTarget,
    PriceUpgrade,
    PriceTopLevel,
    PriceDie,
    PriceExtraDie,
)
