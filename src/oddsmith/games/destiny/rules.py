"""Every number and switch of the Destiny Deck, as one frozen value."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.cards import Rank, Suit
from oddsmith.errors import InputError, OddsmithError, RulesError, nearest
from oddsmith.games.destiny.gauntlet_rules import MOST_TIERS, Gauntlet
from oddsmith.games.destiny.ranks import STANDARD_RANKS, HandRank
from oddsmith.games.destiny.rule_types import (
    Count,
    Description,
    Duration,
    Label,
    Level,
    Moment,
    Name,
    NameOrNone,
)
from oddsmith.games.destiny.run_rules import (
    CRIMES_ONLY,
    Run,
    RunChecks,  # noqa: F401  the reference finds the types of all tables here
    RunContests,  # noqa: F401  see above
    RunWars,  # noqa: F401  see above
)
from oddsmith.points import Points
from oddsmith.poker import FULL_HAND
from oddsmith.rules import PresetChanges, Ruleset, ValidatedStruct
from oddsmith.wire import frozen_mapping

SuitBonuses: TypeAlias = Mapping[Suit, Points]

NONE: Final[Mapping[Any, Any]] = frozen_mapping({})
LARGEST_SCORE: Final = Points(100_000)
LARGEST_FACTOR: Final = Decimal(100)
LARGEST_EXPONENT: Final = Decimal(3)


class Curve(StrEnum):
    """The source of a skill's bonus (§4)."""

    FORMULA = "formula"
    TABLE = "table"


class GangScore(StrEnum):
    """How the score of a side in a gang war is computed (§9.2)."""

    AVERAGE = "average"
    SUM = "sum"
    BEST = "best"


class MatchKind(StrEnum):
    """What two seats play, in a gauntlet one to four (§8.6, §8.9, §8.11, §9.5)."""

    CONTEST = "contest"
    GANG_WAR = "gang_war"
    DEFENSE = "defense"
    CHECKS = "checks"
    GAUNTLET = "gauntlet"


GANG_MATCHES: Final = (MatchKind.GANG_WAR, MatchKind.DEFENSE)


class DeckRules(ValidatedStruct, frozen=True, kw_only=True):
    """The deck that every draw is dealt from (§1.4), and the base score of a hand that needs another one (§1.6)."""

    decks: Annotated[int, Meta(ge=1, le=8, description="Decks of suited cards, shuffled together.")] = 1
    lowest_rank: Annotated[int, Meta(ge=2, le=12, description="The lowest card: 7 for a deck of 32.")] = 2
    jokers: Annotated[int, Meta(ge=0, le=4, description="Jokers in the whole deck, wild cards.")] = 0
    five_of_a_kind: Points = Points(600)

    @property
    def size(self) -> int:
        """The number of cards."""
        return len(Suit) * (Rank.ACE - self.lowest_rank + 1) * self.decks + self.jokers


class Redraws(ValidatedStruct, frozen=True, kw_only=True):
    """How often a seat may exchange cards of its hand, how many at once, and what that costs in a run (§1.8)."""

    times: Annotated[int, Meta(ge=0, le=3, description="Exchanges of a hand; 0 for none.")] = 0
    cards: Annotated[int, Meta(ge=1, le=5, description="Cards of one exchange, at most.")] = 5
    energy: Count = 0
    gold: Points = Points(0)


class Item(ValidatedStruct, frozen=True, kw_only=True):
    """The bonuses of an item that is carried (§5.2)."""

    flat: Points = Points(0)
    suits: SuitBonuses = NONE
    ranks: Mapping[HandRank, Points] = NONE
    kind: Label = ""


class Buff(ValidatedStruct, frozen=True, kw_only=True):
    """The bonuses of a buff, and its duration in seconds (§5.4)."""

    duration: Duration
    flat: Points = Points(0)
    suits: SuitBonuses = NONE
    kind: Label = ""


class Crime(ValidatedStruct, frozen=True, kw_only=True):
    """The threshold and the cost of a crime (§7.3)."""

    threshold: Points
    energy: Count
    difficulty: Label = ""


class Character(ValidatedStruct, frozen=True, kw_only=True):
    """A character: skills by level, explicit bonuses, items, a place, buffs by the second they started.

    >>> Character(skills={"lockpicking": 50}, items=("lucky_ace_charm",)).skills["lockpicking"]
    50
    """

    skills: Annotated[Mapping[str, int], Meta(max_length=100)] = NONE
    bonuses: SuitBonuses = NONE
    items: Annotated[tuple[str, ...], Meta(max_length=100)] = ()
    location: str | None = None
    buffs: Annotated[Mapping[str, Moment], Meta(max_length=100)] = NONE


class Damage(ValidatedStruct, frozen=True, kw_only=True):
    """The damage that the winner of a contest deals (§8.7)."""

    least: Points = Points(10)
    per_point: Decimal = Decimal("0.1")
    critical_factor: Decimal = Decimal(2)
    most: Points = Points(100)


def _points(**numbers: int) -> Mapping[str, Points]:
    return frozen_mapping({name: Points(number) for name, number in numbers.items()})


def _suits(**numbers: int) -> SuitBonuses:
    return frozen_mapping({Suit(name): Points(number) for name, number in numbers.items()})


HAND_SCORES: Final[Mapping[HandRank, Points]] = frozen_mapping(
    dict(zip(STANDARD_RANKS, map(Points, (500, 400, 300, 225, 175, 150, 100, 60, 30, 0)), strict=True))
)

PRINTED_TABLE: Final = tuple(
    (level, Points(bonus))
    for level, bonus in (
        (1, "0"), (5, "3.31"), (10, "7.69"), (15, "12.22"), (20, "16.86"), (25, "21.59"),
        (26, "22.03"), (30, "25.78"), (35, "30.53"), (40, "35.41"), (45, "40.4"), (50, "45.49"),
        (51, "53.08"), (60, "65"), (70, "78.43"), (80, "92.42"), (90, "106.93"), (100, "121.93"),
    )
)  # fmt: skip

SKILLS: Final[Mapping[str, tuple[Suit, ...]]] = frozen_mapping(
    dict.fromkeys(("gun_fighting", "brawling", "knife_fighting"), (Suit.CLUBS,))
    | dict.fromkeys(("lockpicking", "pickpocketing", "stealth", "safecracking"), (Suit.SPADES,))
    | dict.fromkeys(("charisma", "intimidation", "deception", "medicine", "spirit_walking"), (Suit.HEARTS,))
    | dict.fromkeys(("gunsmithing", "leatherworking", "cooking", "mining"), (Suit.DIAMONDS,))
    | {"horse_riding": (Suit.CLUBS, Suit.DIAMONDS), "tracking": (Suit.SPADES, Suit.HEARTS)}
)

SUIT_MEANINGS: Final[Mapping[Suit, str]] = frozen_mapping(
    {
        Suit.SPADES: "cunning, stealth, trickery",
        Suit.HEARTS: "spirit, charisma, medicine",
        Suit.CLUBS: "force, combat, violence",
        Suit.DIAMONDS: "wealth, craft, material",
    }
)

SKILL_CATEGORIES: Final[Mapping[str, str]] = frozen_mapping(
    dict.fromkeys(("gun_fighting", "brawling", "knife_fighting"), "combat")
    | dict.fromkeys(("lockpicking", "pickpocketing", "stealth", "safecracking"), "criminal")
    | dict.fromkeys(("charisma", "intimidation", "deception"), "social")
    | dict.fromkeys(("medicine", "spirit_walking"), "supernatural")
    | dict.fromkeys(("gunsmithing", "leatherworking", "cooking", "mining"), "craft")
    | dict.fromkeys(("horse_riding", "tracking"), "hybrid")
)

ITEMS: Final[Mapping[str, Item]] = frozen_mapping(
    {
        "lucky_ace_charm": Item(flat=Points(15), suits=_suits(spades=5), kind="accessory"),
        "iron_horseshoe": Item(
            ranks={HandRank.PAIR: Points(10), HandRank.TWO_PAIR: Points(20)}, kind="accessory"
        ),
    }
)

LOCATIONS: Final[Mapping[str, SuitBonuses]] = frozen_mapping(
    {
        "red_gulch": _suits(diamonds=5),
        "kaiowa_mesa": _suits(hearts=10),
        "frontera": _suits(spades=8, clubs=3),
        "sangre_canyon": _suits(clubs=5),
    }
)

PLACE_DESCRIPTIONS: Final[Mapping[str, str]] = frozen_mapping(
    {
        "red_gulch": "settler town, commerce bonus",
        "kaiowa_mesa": "sacred site, spirit bonus",
        "frontera": "outlaw haven, stealth and combat bonus",
        "sangre_canyon": "wilderness, combat bonus",
    }
)

BUFFS: Final[Mapping[str, Buff]] = frozen_mapping(
    {
        "whiskey": Buff(duration=300, suits=_suits(clubs=10, hearts=-5), kind="consumable"),
        "poisoned": Buff(duration=600, flat=Points(-25), kind="debuff"),
    }
)

CRIMES: Final[Mapping[str, Crime]] = frozen_mapping(
    {
        name: Crime(threshold=Points(threshold), energy=energy, difficulty=difficulty)
        for name, threshold, energy, difficulty in (
            ("pickpocket", 80, 10, "easy"),
            ("petty_theft", 100, 15, "easy"),
            ("burglary", 150, 25, "medium"),
            ("stagecoach_robbery", 200, 40, "medium"),
            ("bank_robbery", 275, 50, "hard"),
            ("train_heist", 350, 75, "very hard"),
            ("legendary_score", 450, 100, "extreme"),
        )
    }
)

SKILL_CHECKS: Final = _points(trivial=50, easy=100, medium=150, hard=250, very_hard=350, extreme=500)

CHECK_CONTEXTS: Final[Mapping[str, str]] = frozen_mapping(
    {
        "trivial": "routine task",
        "easy": "everyday challenge",
        "medium": "challenging task",
        "hard": "expert-level task",
        "very_hard": "master-level task",
        "extreme": "legendary achievement",
    }
)

NPCS: Final[Mapping[str, int]] = frozen_mapping(
    {"rookie": 10, "competent": 20, "veteran": 35, "elite": 50, "legendary": 70}
)

OUTLAWS: Final[Mapping[str, Character]] = frozen_mapping(
    {
        "calamity_rose": Character(
            skills={"lockpicking": 50, "stealth": 40}, items=("lucky_ace_charm",), location="frontera"
        ),
        "iron_jack": Character(
            skills={"gun_fighting": 50, "brawling": 35}, items=("iron_horseshoe",), location="sangre_canyon"
        ),
        "doc_silas": Character(
            skills={"medicine": 45, "charisma": 40, "deception": 20}, location="kaiowa_mesa"
        ),
        "copper_mae": Character(
            skills={"mining": 45, "gunsmithing": 30, "horse_riding": 35}, location="red_gulch"
        ),
        "greenhorn": Character(),
    }
)


class Rules(Ruleset, frozen=True, kw_only=True):
    """The rules of the Destiny Deck.

    >>> Rules().crimes["bank_robbery"].threshold
    Points('275')
    >>> Rules(tie_favors_defender=False).rules_id == Rules().rules_id
    False
    """

    game: ClassVar[str] = "destiny"
    preset_changes: ClassVar[PresetChanges] = {
        "printed_table": {"curve": Curve.TABLE},
        "royal": {"royal_flush_auto_win": True},
        "gang_war": {"match": MatchKind.GANG_WAR},
        "defense": {"match": MatchKind.DEFENSE},
        "checks": {"match": MatchKind.CHECKS},
        "gauntlet": {"match": MatchKind.GAUNTLET},
        "crimes_only": {"run": CRIMES_ONLY},
        "jokers": {"deck": DeckRules(jokers=2)},
        "short_deck": {"deck": DeckRules(lowest_rank=7)},
        "two_decks": {"deck": DeckRules(decks=2)},
        "redraw": {"redraws": Redraws(times=1, cards=3)},
        "paid_redraws": {"redraws": Redraws(times=2, cards=5, energy=5, gold=Points(1))},
    }
    """The printed skill table, the royal rule, other matches than contests, runs with crimes only; other decks; exchanges."""

    deck: DeckRules = DeckRules()
    redraws: Redraws = Redraws()

    hand_scores: Mapping[HandRank, Points] = HAND_SCORES
    curve: Curve = Curve.FORMULA  # the printed table disagrees with it: docs/rules/errata.md
    curve_linear: Decimal = Decimal("0.75")
    curve_exponent: Decimal = Decimal("1.1")
    curve_coefficient: Decimal = Decimal("0.05")
    curve_table: Annotated[tuple[tuple[Level, Points], ...], Meta(min_length=2, max_length=1000)] = (
        PRINTED_TABLE
    )
    max_level: Level = 100
    skills: Annotated[
        Mapping[Name, Annotated[tuple[Suit, ...], Meta(min_length=1, max_length=4)]], Meta(max_length=100)
    ] = SKILLS
    suit_meanings: Mapping[Suit, Description] = SUIT_MEANINGS
    skill_categories: Annotated[Mapping[Name, Label], Meta(max_length=100)] = SKILL_CATEGORIES

    items: Annotated[Mapping[Name, Item], Meta(max_length=1000)] = ITEMS
    locations: Annotated[Mapping[Name, SuitBonuses], Meta(max_length=1000)] = LOCATIONS
    place_descriptions: Annotated[Mapping[Name, Description], Meta(max_length=1000)] = PLACE_DESCRIPTIONS
    buffs: Annotated[Mapping[Name, Buff], Meta(max_length=1000)] = BUFFS
    territory_defense_multiplier: Decimal = Decimal(1)

    crimes: Annotated[Mapping[Name, Crime], Meta(max_length=1000)] = CRIMES
    skill_checks: Annotated[Mapping[Name, Points], Meta(max_length=1000)] = SKILL_CHECKS
    check_contexts: Annotated[Mapping[Name, Description], Meta(max_length=1000)] = CHECK_CONTEXTS
    critical_margin: Points = Points(100)
    failure_margin: Points = Points(50)
    royal_flush_auto_win: bool = False

    npcs: Annotated[Mapping[Name, Level], Meta(max_length=1000)] = NPCS
    tie_favors_defender: bool = True
    damage: Damage = Damage()
    gang_score: GangScore = GangScore.AVERAGE
    gang_best: Annotated[int, Meta(ge=1, le=10)] = 3
    gang_limit: Annotated[int, Meta(ge=1, le=10)] = 10

    gold_per_point: Decimal = Decimal("0.2")
    critical_success_factor: Decimal = Decimal(2)
    success_factor: Decimal = Decimal(1)
    failure_penalty: Decimal = Decimal("0.1")
    critical_failure_penalty: Decimal = Decimal("0.5")
    critical_failure_buff: NameOrNone = "poisoned"

    match: MatchKind = MatchKind.CONTEST
    gang_size: Annotated[int, Meta(ge=1, le=10)] = 3
    territory_bonus: Points = Points(15)
    check_rounds: Annotated[int, Meta(ge=1, le=20)] = 5
    gauntlet: Gauntlet = Gauntlet()
    run: Run = Run()
    outlaws: Annotated[Mapping[Name, Character], Meta(min_length=1, max_length=100)] = OUTLAWS

    def check(self) -> None:
        """Raise `RulesError` where numbers are out of bounds or contradict each other."""
        self._check_complete()
        self._check_draws()
        self._check_bounds()
        self._check_match()
        self._check_run()
        self._check_curve()
        self._check_names()

    def _check_complete(self) -> None:
        missing = [rank for rank in STANDARD_RANKS if rank not in self.hand_scores]
        if missing:
            raise RulesError(
                "missing_key",
                f"hand_scores: every hand needs a score; missing: {', '.join(missing)}",
                where="hand_scores",
            )
        if HandRank.FIVE_OF_A_KIND in self.hand_scores:
            raise RulesError(
                "unknown_key",
                "hand_scores: five of a kind is scored by deck.five_of_a_kind",
                where="hand_scores.five_of_a_kind",
                paragraph="1.6",
            )

    def _check_draws(self) -> None:
        needed, held = FULL_HAND + self.redraws.times * self.redraws.cards, self.deck.size
        if needed > held:
            raise RulesError(
                "deck_too_small",
                f"redraws: a hand and its exchanges take up to {needed} cards, and the deck has {held}",
                where="redraws",
                paragraph="1.8",
            )
        if self.redraws.gold < Points(0):
            raise RulesError("out_of_bounds", "redraws.gold: expected points from 0", where="redraws.gold")

    def _check_bounds(self) -> None:
        for path, number in self._scores():
            if abs(number.hundredths) > LARGEST_SCORE.hundredths:
                raise RulesError(
                    "out_of_bounds",
                    f"{path}: expected points within ±{LARGEST_SCORE}, not {number}",
                    where=path,
                )
        for path in ("critical_margin", "failure_margin"):
            if getattr(self, path) < Points(0):
                raise RulesError("out_of_bounds", f"{path}: expected points from 0", where=path)
        for path in (
            "territory_defense_multiplier", "gold_per_point", "critical_success_factor",
            "success_factor", "failure_penalty", "critical_failure_penalty",
        ):  # fmt: skip
            _check_decimal(path, getattr(self, path), Decimal(0), LARGEST_FACTOR)
        for path in ("per_point", "critical_factor"):
            _check_decimal(f"damage.{path}", getattr(self.damage, path), Decimal(0), LARGEST_FACTOR)
        if not Points(0) <= self.damage.least <= self.damage.most:
            raise RulesError(
                "out_of_bounds",
                f"damage.least: expected points from 0 to the most, {self.damage.most}, not {self.damage.least}",
                where="damage.least",
            )

    def _check_match(self) -> None:
        if self.match in GANG_MATCHES and self.gang_size > self.gang_limit:
            raise RulesError(
                "out_of_bounds",
                f"gang_size: expected at most the gang_limit, {self.gang_limit}, not {self.gang_size}",
                where="gang_size",
            )
        if self.match is MatchKind.CHECKS and not self.skill_checks:
            sentence = "skill_checks: a match of skill checks needs at least one"
            raise RulesError("missing_key", sentence, where="skill_checks")
        _check_decimal(
            "gauntlet.points_per_level", self.gauntlet.points_per_level, Decimal(0), LARGEST_FACTOR
        )
        _check_decimal("gauntlet.defeat_factor", self.gauntlet.defeat_factor, Decimal(0), Decimal(1))
        if self.match is MatchKind.GAUNTLET and not 1 <= len(self.npcs) <= MOST_TIERS:
            sentence = f"npcs: a gauntlet needs from 1 to {MOST_TIERS} tiers, not {len(self.npcs)}"
            raise RulesError("bad_tiers", sentence, where="npcs", paragraph="8.11")

    def _check_run(self) -> None:
        for path, number in _run_decimals(self.run):
            _check_decimal(f"run.{path}", number, Decimal(0), LARGEST_FACTOR)
        hire = self.run.wars.hire
        if hire < Points(0):
            path = "run.wars.hire"
            raise RulesError("out_of_bounds", f"{path}: expected a price from 0, not {hire}", where=path)

    def _scores(self) -> Iterable[tuple[str, Points]]:
        yield from ((f"hand_scores.{rank}", number) for rank, number in self.hand_scores.items())
        yield "deck.five_of_a_kind", self.deck.five_of_a_kind
        yield "redraws.gold", self.redraws.gold
        yield from ((f"crimes.{name}.threshold", crime.threshold) for name, crime in self.crimes.items())
        yield from ((f"skill_checks.{name}", number) for name, number in self.skill_checks.items())
        for name, item in self.items.items():
            yield f"items.{name}.flat", item.flat
            yield from ((f"items.{name}.suits.{suit}", number) for suit, number in item.suits.items())
            yield from ((f"items.{name}.ranks.{rank}", number) for rank, number in item.ranks.items())
        for name, suits in self.locations.items():
            yield from ((f"locations.{name}.{suit}", number) for suit, number in suits.items())
        for name, buff in self.buffs.items():
            yield f"buffs.{name}.flat", buff.flat
            yield from ((f"buffs.{name}.suits.{suit}", number) for suit, number in buff.suits.items())
        yield from ((f"curve_table[{index}]", bonus) for index, (_, bonus) in enumerate(self.curve_table))
        yield from ((f"run.prices.{name}", price) for name, price in self.run.prices.items())
        yield "run.wars.hire", self.run.wars.hire
        yield "damage.most", self.damage.most
        yield "territory_bonus", self.territory_bonus

    def _check_curve(self) -> None:
        _check_decimal("curve_linear", self.curve_linear, -LARGEST_FACTOR, LARGEST_FACTOR)
        _check_decimal("curve_exponent", self.curve_exponent, Decimal(0), LARGEST_EXPONENT)
        _check_decimal("curve_coefficient", self.curve_coefficient, -LARGEST_FACTOR, LARGEST_FACTOR)
        levels = [level for level, _ in self.curve_table]
        if levels[0] != 1 or any(later <= earlier for earlier, later in pairwise(levels)):
            raise RulesError(
                "bad_table", "curve_table: expected levels that start at 1 and rise", where="curve_table"
            )
        if self.curve is Curve.TABLE and self.max_level > levels[-1]:
            raise RulesError(
                "table_too_short",
                f"max_level: the printed table ends at level {levels[-1]}, so max_level may not be {self.max_level}",
                where="max_level",
            )

    def _check_names(self) -> None:
        for name, price in self.run.prices.items():
            _require_known("buff", name, self.buffs, where="run.prices", error=RulesError)
            if price <= Points(0):
                path = f"run.prices.{name}"
                raise RulesError(
                    "out_of_bounds", f"{path}: expected a price above 0, not {price}", where=path
                )
        if self.critical_failure_buff:
            _require_known(
                "buff",
                self.critical_failure_buff,
                self.buffs,
                where="critical_failure_buff",
                error=RulesError,
            )
        _require_known("location", self.run.place, self.locations, where="run.place", error=RulesError)
        for name, level in self.npcs.items():
            self.require_level(level, where=f"npcs.{name}", error=RulesError)
        for name, outlaw in self.outlaws.items():
            try:
                self.require(outlaw)
            except InputError as error:
                refusal = error.refusal
                path = f"outlaws.{name}.{refusal.where}"
                raise RulesError(refusal.code, f"{path}: {refusal.sentence}", where=path) from error

    def require(self, character: Character) -> None:
        """Raise `InputError` where a character has an unknown name, or a level or bonus out of range."""
        for skill, level in character.skills.items():
            _require_known("skill", skill, self.skills, where="skills")
            self.require_level(level, where=f"skills.{skill}")
        for item in character.items:
            _require_known("item", item, self.items, where="items")
        if character.location is not None:
            _require_known("location", character.location, self.locations, where="location")
        for buff in character.buffs:
            _require_known("buff", buff, self.buffs, where="buffs")
        for suit, bonus in character.bonuses.items():
            if abs(bonus.hundredths) > LARGEST_SCORE.hundredths:
                raise InputError(
                    "out_of_bounds",
                    f"a bonus lies within ±{LARGEST_SCORE}: {suit} has {bonus}",
                    where=f"bonuses.{suit}",
                )

    def require_level(self, level: int, *, where: str, error: type[OddsmithError] = InputError) -> None:
        """Raise `error` where a level is not from 1 to `max_level` (§4.3)."""
        if not 1 <= level <= self.max_level:
            raise error(
                "level_out_of_range",
                f"levels are whole numbers from 1 to {self.max_level}; {where.rpartition('.')[2]} has {level}",
                where=where,
                paragraph="4.3",
            )


def _run_decimals(run: Run) -> Iterator[tuple[str, Decimal]]:
    """Yield every decimal number of a run with its path."""
    for name in ("checks", "contests", "wars"):
        numbers = msgspec.structs.asdict(getattr(run, name))
        yield from ((f"{name}.{key}", value) for key, value in numbers.items() if isinstance(value, Decimal))


def _check_decimal(path: str, number: Decimal, least: Decimal, most: Decimal) -> None:
    if not least <= number <= most:
        raise RulesError(
            "out_of_bounds", f"{path}: expected a number from {least} to {most}, not {number}", where=path
        )


def _require_known(
    what: str, name: str, known: Iterable[str], *, where: str, error: type[OddsmithError] = InputError
) -> None:
    names = list(known)
    if name not in names:
        raise error(
            f"unknown_{what}", f"unknown {what} '{name[:40]}'{nearest(name[:40], names)}", where=where
        )


DEFAULT: Final = Rules.preset("default")
"""The rules of the rules page."""
