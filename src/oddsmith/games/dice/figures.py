"""The figures of Dice Hands: exact, except for pools with very many positions."""

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
from oddsmith.games.dice.simulation.pools import estimate_round
from oddsmith.games.dice.throws import Throws
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
"""Pools with more positions are solved in floating point, with a bounded error."""
MEAN_ERROR: Final = Fraction(1, 10**12)
"""A bound on the error of `round_chance` in floating point."""
PLAYED_ROUNDS: Final = 2_000
"""The number of rounds that are simulated with a pool that cannot be solved."""


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


class _BuildFigure(Figure, frozen=True, kw_only=True):
    """A build: dice (by default those that a run begins with), items, and levels of hands."""

    dice: Dice | None = None
    items: Words = ()
    levels: Levels = NO_LEVELS

    def build(self, rules: Rules) -> Build:
        return read_build(read_pool(self.dice, (), rules), self.items, self.levels, rules)

    def roll_odds(self, rules: Rules) -> RollOdds:
        return roll_odds(self.build(rules), rules)


class _RolledDiceFigure(_BuildFigure, frozen=True, kw_only=True):
    """Rolled dice: by default as many normal ones as there are faces."""

    faces: Faces

    def build(self, rules: Rules) -> Build:
        if self.dice is not None:
            return super().build(rules)
        dice = tuple(rules.die(rules.normal_kind) for _ in self.faces)
        return Build(dice=dice, items=self.items, levels=self.levels)


class HandName(_RolledDiceFigure, frozen=True, kw_only=True, tag="hand.name"):
    """The name of the hand that dice are scored as."""

    unit: ClassVar[Unit] = Unit.NAME

    def read(self, rules: Rules) -> Reading:
        return Reading(name=score(self.build(rules), self.faces, rules).hand)


class HandScore(_RolledDiceFigure, frozen=True, kw_only=True, tag="hand.score"):
    """The score of dice that show these faces."""

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(score(self.build(rules), self.faces, rules).total))


class HandGrowth(_RolledDiceFigure, frozen=True, kw_only=True, tag="hand.growth"):
    """How many times as much dice score with these levels of hands as with none."""

    def read(self, rules: Rules) -> Reading:
        build = self.build(rules)
        bare = Build(dice=build.dice, items=build.items)
        before = score(bare, self.faces, rules).total
        if not before:
            raise InputError("no_score", "dice that score nothing without levels grow by no factor")
        return Reading(Fraction(score(build, self.faces, rules).total, before))


class _HandLevelFigure(Figure, frozen=True, kw_only=True):
    """A hand at a level."""

    hand: Word
    level: Level = 0

    def require(self, rules: Rules) -> None:
        require_level(self.hand, self.level, rules)


class HandBase(_HandLevelFigure, frozen=True, kw_only=True, tag="hand.base"):
    """The base of a hand at a level, before its dice are added."""

    def read(self, rules: Rules) -> Reading:
        self.require(rules)
        return Reading(
            Fraction(level_base(rules.hand(self.hand).base, self.level, rules.upgrades.base_growth))
        )


class HandMultiplier(_HandLevelFigure, frozen=True, kw_only=True, tag="hand.multiplier"):
    """The multiplier of a hand at a level."""

    def read(self, rules: Rules) -> Reading:
        self.require(rules)
        return Reading(Fraction(level_multiplier(rules.hand(self.hand), self.level, rules)))


class HandValue(_HandLevelFigure, frozen=True, kw_only=True, tag="hand.worth"):
    """The score of a hand at a level when its matched dice add up to a sum."""

    sum: Sum

    def read(self, rules: Rules) -> Reading:
        self.require(rules)
        return Reading(Fraction(hand_points(rules.hand(self.hand), self.level, self.sum, rules)))


class HandChance(_BuildFigure, frozen=True, kw_only=True, tag="hand.chance"):
    """The chance that one roll is scored as a hand."""

    unit: ClassVar[Unit] = Unit.CHANCE
    hand: Word

    def read(self, rules: Rules) -> Reading:
        rules.hand(self.hand)
        hands = self.roll_odds(rules).hands
        return Reading(Fraction(hands.weight(self.hand), hands.total))


class HandMade(Figure, frozen=True, kw_only=True, tag="hand.made"):
    """The chance that one roll of normal dice makes a hand, whichever hand is then scored."""

    unit: ClassVar[Unit] = Unit.CHANCE
    hand: Word
    size: Size

    def read(self, rules: Rules) -> Reading:
        rules.hand(self.hand)
        return Reading(Throws(rules, self.size).made_chance(self.hand))


class _HandScoreFigure(_BuildFigure, frozen=True, kw_only=True):
    """The scores of rolls that are scored as a hand."""

    hand: Word

    def scores(self, rules: Rules) -> Distribution[int]:
        scores = self.roll_odds(rules).scores_of(self.hand)
        if scores is None:
            dice = " ".join(map(str, self.build(rules).dice))
            raise InputError("never_scored", f"{self.hand} is never scored by {dice}")
        return scores


class HandLeast(_HandScoreFigure, frozen=True, kw_only=True, tag="hand.least"):
    """The least that a hand scores, of all rolls that are scored as it."""

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(min(self.scores(rules))))


class HandMost(_HandScoreFigure, frozen=True, kw_only=True, tag="hand.most"):
    """The most that a hand scores, of all rolls that are scored as it."""

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(max(self.scores(rules))))


class _RerollFigure(_BuildFigure, frozen=True, kw_only=True):
    """A roll and `rerolls` rerolls under best play."""

    rerolls: Rerolls = 0

    def best(self, rules: Rules, target: int | None, once: Callable[[RollOdds], Fraction]) -> Reading:
        build = self.build(rules)
        if not self.rerolls:
            return Reading(once(roll_odds(build, rules)))
        exact = _is_exactly_solvable(build, rules)
        plan = plan_rerolls(build, self.rerolls, rules, target=target, exact=exact)
        value = Fraction(plan.start_value(self.rerolls))
        return Reading(value) if exact else Reading(value, Fraction(plan.error), Basis.BOUNDED)


class ScoreMean(_RerollFigure, frozen=True, kw_only=True, tag="score.mean"):
    """The mean score of a roll and its rerolls, played for the mean."""

    def read(self, rules: Rules) -> Reading:
        return self.best(rules, None, lambda rolled: rolled.scores.mean)


class ScoreAtLeast(_RerollFigure, frozen=True, kw_only=True, tag="score.at_least"):
    """The chance that a roll and its rerolls score at least `score`, played for that."""

    unit: ClassVar[Unit] = Unit.CHANCE
    score: Score

    def read(self, rules: Rules) -> Reading:
        return self.best(rules, self.score, lambda rolled: rolled.at_least(self.score))


class RoundChance(_BuildFigure, frozen=True, kw_only=True, tag="round.chance"):
    """The chance to win a round under best play, averaged over the bosses where one is due."""

    unit: ClassVar[Unit] = Unit.CHANCE
    round: Round

    def read(self, rules: Rules) -> Reading:
        build = self.build(rules)
        try:
            require_solvable_round(build, self.round, rules)
        except WorkLimitError:
            return _estimate_round(build, self.round, rules)
        exact = _is_exactly_solvable(build, rules)
        chance = Fraction(round_chance(build, self.round, rules, exact=exact))
        return Reading(chance) if exact else Reading(chance, MEAN_ERROR, Basis.BOUNDED)


class PriceUpgrade(Figure, frozen=True, kw_only=True, tag="price.upgrade"):
    """The price of the next level of a hand that has this level."""

    level: Level

    def read(self, rules: Rules) -> Reading:
        if self.level >= rules.upgrades.most_levels:
            raise InputError(
                "bad_level",
                f"levels below the top are 0 to {rules.upgrades.most_levels - 1}, not {self.level}",
            )
        return Reading(Fraction(upgrade_price(self.level, rules)))


class PriceTopLevel(Figure, frozen=True, kw_only=True, tag="price.top_level"):
    """The price of all levels of a hand together."""

    def read(self, rules: Rules) -> Reading:
        return Reading(
            Fraction(sum(upgrade_price(level, rules) for level in range(rules.upgrades.most_levels)))
        )


class PriceDie(Figure, frozen=True, kw_only=True, tag="price.die"):
    """The price of a die that replaces another one."""

    die: Word

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(die_price(rules.die(self.die), rules)))


class PriceExtraDie(Figure, frozen=True, kw_only=True, tag="price.extra_die"):
    """The price of another normal die for a pool of `size` dice."""

    size: Size

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(extra_die_price(self.size, rules)))


def _is_exactly_solvable(build: Build, rules: Rules) -> bool:
    """Return whether a pool is small enough to be solved exactly; raise `WorkLimitError` if it cannot be solved."""
    pool = Pool(build, rules)
    pool.require_solvable()
    return count_positions(pool.groups()) <= MOST_EXACT


def _estimate_round(build: Build, number: int, rules: Rules) -> Reading:
    won = estimate_round(build, number, rules, rounds=PLAYED_ROUNDS)
    return Reading(Fraction(won.happened, won.count), Fraction(won.error), Basis.ESTIMATED)


FIGURES: Final[tuple[type[Figure], ...]] = (
    HandName,
    HandScore,
    HandGrowth,
    HandBase,
    HandMultiplier,
    HandValue,
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
