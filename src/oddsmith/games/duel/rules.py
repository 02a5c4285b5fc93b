"""The ruleset of the Combat Duel: every number and switch, as one frozen value."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from typing import Annotated, ClassVar, Final, TypeAlias

from msgspec import Meta

from oddsmith.cards import Rank, Suit
from oddsmith.errors import RulesError
from oddsmith.games.duel.optional_rules import (
    Abilities,
    Ability,
    Combos,
    Criticals,
    Durability,
    EnvironmentEffect,
    Environments,
    Gear,
    Number,
    Streak,
    Surroundings,
    Wear,
)
from oddsmith.poker import FULL_HAND, HandRank
from oddsmith.rules import PresetChanges, Ruleset, ValidatedStruct
from oddsmith.wire import frozen_mapping

HitPoints: TypeAlias = Annotated[int, Meta(ge=1, le=1000)]
CardCounts: TypeAlias = Annotated[
    tuple[Annotated[int, Meta(ge=0, le=FULL_HAND)], ...], Meta(min_length=1, max_length=60)
]

LARGEST_FACTOR: Final = Decimal(100)
LARGEST_TEAM: Final = 4


class DeckKind(StrEnum):
    """What becomes of used cards (§3.2, §3.3)."""

    DEPLETING = "depleting"
    FRESH = "fresh"


class EmptySide(StrEnum):
    """The power of a side without cards (§2.4)."""

    GEAR = "gear"
    NOTHING = "nothing"


class Favor(StrEnum):
    """The winner of a double knock-out or of a tied timeout (§5.2, §5.4)."""

    PLAYER = "player"
    OPPONENT = "opponent"
    DRAW = "draw"


class RelevantSuit(StrEnum):
    """The suit whose cards in the last hand raise the rewards (§6.3)."""

    SPADES = "spades"
    HEARTS = "hearts"
    CLUBS = "clubs"
    DIAMONDS = "diamonds"
    NONE = "none"

    @property
    def suit(self) -> Suit | None:
        """The suit, or None where no suit is relevant."""
        return None if self is RelevantSuit.NONE else Suit(self)


class Fighter(ValidatedStruct, frozen=True, kw_only=True):
    """The gear and skill of a fighter (§2.5).

    >>> Fighter(weapon=5, armor=3, skill=30).armor
    3
    """

    weapon: Gear = 0
    armor: Gear = 0
    skill: Annotated[int, Meta(ge=0, le=1000)] = 0

    @property
    def words(self) -> str:
        """Gear and skill as text.

        >>> Fighter(weapon=5, skill=30).words, Fighter().words
        ('weapon 5, skill 30', 'no gear')
        """
        parts = {"weapon": self.weapon, "armour": self.armor, "skill": self.skill}
        return ", ".join(f"{name} {number}" for name, number in parts.items() if number) or "no gear"


class House(ValidatedStruct, frozen=True, kw_only=True):
    """The opponents of the house (§3.1, §3.6); `attack_cards` has one row for each difficulty."""

    hp: HitPoints = 50
    hp_per_difficulty: Annotated[int, Meta(ge=0, le=100)] = 10
    weapon_per_difficulty: Annotated[int, Meta(ge=-10, le=10)] = 1
    armor: Gear = 0
    skill: Annotated[int, Meta(ge=0, le=1000)] = 0
    attack_cards: Annotated[tuple[CardCounts, ...], Meta(min_length=1, max_length=100)] = (
        *((1, 2, 3, 4),) * 3,
        *((3,),) * 3,
        *((4,),) * 3,
        (5,),
    )


class Teams(ValidatedStruct, frozen=True, kw_only=True):
    """Team duels (§9): the fighters on each side, 1 for none; `allies` are the gear of the player's, `opponents` of the rival's.

    Fighters that are not listed have the gear of `player`, or of `rival`; those beyond the size do not fight.
    """

    size: Annotated[int, Meta(ge=1, le=LARGEST_TEAM)] = 1
    allies: Annotated[tuple[Fighter, ...], Meta(max_length=LARGEST_TEAM - 1)] = ()
    opponents: Annotated[tuple[Fighter, ...], Meta(max_length=LARGEST_TEAM - 1)] = ()
    allies_see_hands: bool = False


class Rewards(ValidatedStruct, frozen=True, kw_only=True):
    """What a duel with the house pays (§6)."""

    gold: Number = 30
    gold_per_difficulty: Number = 15
    gold_growth: Decimal = Decimal("0.2")
    experience: Number = 20
    experience_per_difficulty: Number = 8
    suit_bonuses: tuple[Decimal, Decimal, Decimal, Decimal, Decimal, Decimal] = (
        Decimal("1.0"), Decimal("1.1"), Decimal("1.25"), Decimal("1.5"), Decimal("1.75"), Decimal("2.0"),
    )  # fmt: skip
    score: Number = 100
    score_for_hp: Number = 50
    score_for_speed: Number = 20
    defeat_experience: Number = 10
    flee_experience: Number = 5
    flee_score: Number = 10


CARD_VALUES: Final[Mapping[str, int]] = frozen_mapping(
    {str(pips): pips for pips in range(2, 11)} | {"J": 10, "Q": 10, "K": 10, "A": 11}
)

HAND_BONUSES: Final[Mapping[HandRank, int]] = frozen_mapping(
    dict(zip(HandRank, (50, 40, 35, 30, 25, 20, 15, 10, 5, 0), strict=True))
)


class Rules(Ruleset, frozen=True, kw_only=True):
    """The rules of the Combat Duel.

    >>> Rules(difficulty=3).opponent_hp
    80
    >>> Rules(deck="fresh").rules_id == Rules().rules_id
    False
    """

    game: ClassVar[str] = "duel"
    preset_changes: ClassVar[PresetChanges] = {
        "example": {"player": Fighter(weapon=5, armor=3, skill=30)},
        "fresh": {"deck": DeckKind.FRESH},
        "hidden": {"opponent_visible": False},
        "offense_build": {"player": Fighter(weapon=10, skill=30)},
        "balanced_build": {"player": Fighter(weapon=5, armor=5, skill=50)},
        "defense_build": {"player": Fighter(armor=10, skill=30)},
        "criticals": {"criticals": Criticals(factor=Decimal("1.5"))},
        "abilities": {
            "abilities": Abilities(enabled=True),
            "player": Fighter(skill=70),
            "rival": Fighter(skill=70),
            "house": House(skill=70),
        },
        "environment": {"environment": Surroundings.RAIN},
        "durability": {
            "durability": Durability(weapon_wear=1, armor_wear=1),
            "player": Fighter(weapon=6, armor=4),
            "rival": Fighter(weapon=6, armor=4),
            "house": House(armor=6),
        },
        "combos": {"combos": Combos(bonus=4)},
        "teams_of_two": {"teams": Teams(size=2), "most_selections": 12},
        "teams_of_three": {"teams": Teams(size=3), "most_selections": 12},
        "teams_of_four": {"teams": Teams(size=4), "most_selections": 12},
        "ally": {
            "player": Fighter(weapon=5, armor=3, skill=30),
            "rival": Fighter(weapon=5, skill=30),
            "teams": Teams(
                size=2,
                allies=(Fighter(armor=10, skill=10),),
                opponents=(Fighter(armor=5, skill=30),),
                allies_see_hands=True,
            ),
            "most_selections": 12,
        },
    }
    """The source's example fighter, fresh decks, a hidden opponent, the fighters of the source's builds (§8.3), critical
    hits (§2.8), abilities (§2.9), an environment (§2.10), wear of gear (§2.11), combos (§2.12), team duels, and one of a
    player with an ally who show each other their hands (§9)."""

    difficulty: Annotated[int, Meta(ge=1, le=100)] = 3
    player: Fighter = Fighter()
    rival: Fighter = Fighter()
    deck: DeckKind = DeckKind.DEPLETING
    opponent_visible: bool = True
    rounds: Annotated[int, Meta(ge=1, le=100)] = 20
    flee_rounds: Annotated[int, Meta(ge=0, le=100)] = 3
    most_selections: Annotated[int, Meta(ge=1, le=1000)] = 100
    double_ko: Favor = Favor.PLAYER
    timeout_tie: Favor = Favor.PLAYER

    card_values: Annotated[Mapping[str, Number], Meta(max_length=60)] = CARD_VALUES
    hand_bonuses: Mapping[HandRank, Number] = HAND_BONUSES
    defense_share: Decimal = Decimal("0.5")
    skill_share: Decimal = Decimal("0.3")
    max_skill: Annotated[int, Meta(ge=0, le=1000)] = 100
    empty_side: EmptySide = EmptySide.GEAR
    least_attack: Number = 1
    least_defense: Number = 0
    least_dealt: Number = 1
    least_taken: Number = 0
    criticals: Criticals = Criticals()
    abilities: Abilities = Abilities()
    environment: Surroundings = Surroundings.NONE
    environments: Environments = Environments()
    durability: Durability = Durability()
    combos: Combos = Combos()
    teams: Teams = Teams()

    player_hp: HitPoints = 100
    house: House = House()
    relevant_suit: RelevantSuit = RelevantSuit.CLUBS
    timeout_rewards: Decimal = Decimal(1)
    rewards: Rewards = Rewards()

    @cached_property
    def opponent_hp(self) -> int:
        """The hit points of the house's fighter at this difficulty (§3.1)."""
        return self.house.hp + self.house.hp_per_difficulty * self.difficulty

    @cached_property
    def house_fighter(self) -> Fighter:
        """The gear and skill of the house's fighter at this difficulty (§3.6)."""
        weapon = self.house.weapon_per_difficulty * self.difficulty
        return Fighter(weapon=weapon, armor=self.house.armor, skill=self.house.skill)

    def fighter(self, corner: int, *, house: bool) -> Fighter:
        """Return the fighter in a corner: the player in corner 0, in corner 1 the house's fighter or the rival (§7.5)."""
        if corner == 0:
            return self.player
        return self.house_fighter if house else self.rival

    @cached_property
    def house_counts(self) -> tuple[int, ...]:
        """The numbers of cards with which the house attacks at this difficulty, each equally likely (§3.6)."""
        return self.house.attack_cards[self.difficulty - 1]

    @cached_property
    def values(self) -> Mapping[int, int]:
        """The value of a card by its rank's number (§1.2)."""
        return {int(rank): self.card_values[rank.text] for rank in _RANKS}

    @cached_property
    def defense_bonuses(self) -> Mapping[HandRank, int]:
        """The bonus of a hand in defense: a share of its bonus in attack, rounded down (§1.5)."""
        return self._share_bonuses(self.defense_share)

    @cached_property
    def guard_bonuses(self) -> Mapping[HandRank, int]:
        """The bonus of a hand in defense for a fighter with the ability to guard (§2.9)."""
        return self._share_bonuses(self.abilities.guard_share)

    def _share_bonuses(self, given: Decimal) -> Mapping[HandRank, int]:
        share, of = given.as_integer_ratio()
        return {rank: bonus * share // of for rank, bonus in self.hand_bonuses.items()}

    @cached_property
    def critical_ranks(self) -> frozenset[HandRank]:
        """The hands whose attack is multiplied; none where the factor is 1 (§2.8)."""
        return _at_least(self.criticals.rank) if self.criticals.factor != 1 else frozenset()

    @cached_property
    def ability_skills(self) -> Mapping[Ability, int]:
        """The least skill for each ability; empty where there are none (§2.9)."""
        if not self.abilities.enabled:
            return {}
        return {ability: getattr(self.abilities, ability) for ability in Ability}

    @cached_property
    def riposte_ranks(self) -> frozenset[HandRank]:
        """The hands in defense with which a fighter strikes back (§2.9)."""
        return _at_least(self.abilities.riposte_rank)

    @cached_property
    def environment_effect(self) -> EnvironmentEffect | None:
        """The effect of the environment; None where there is none (§2.10)."""
        if self.environment is Surroundings.NONE:
            return None
        effect: EnvironmentEffect = getattr(self.environments, self.environment)
        return effect

    @cached_property
    def wears(self) -> bool:
        """Whether gear wears (§2.11)."""
        return bool(self.durability.weapon_wear or self.durability.armor_wear)

    @cached_property
    def combo_ranks(self) -> frozenset[HandRank]:
        """The hands whose attack goes on with a streak; none where the bonus is 0 (§2.12)."""
        return _at_least(self.combos.rank) if self.combos.bonus else frozenset()

    @cached_property
    def changes_by_round(self) -> bool:
        """Whether the powers of cards depend on the rounds before (§2.11, §2.12)."""
        return self.wears or bool(self.combo_ranks)

    @property
    def wear_rounds(self) -> int:
        """The rounds that have taken something off gear (§2.11); 0 but in the rules of a later round."""
        return 0

    @property
    def combo_streak(self) -> int:
        """The streak of the fighter's combo (§2.12); 0 but in the rules of a round."""
        return 0

    def check(self) -> None:
        """Raise `RulesError` for missing or unknown keys and for numbers out of bounds."""
        self._check_complete("card_values", (rank.text for rank in _RANKS), self.card_values)
        self._check_complete("hand_bonuses", HandRank, self.hand_bonuses)
        self._check_factors()
        if self.difficulty > len(self.house.attack_cards):
            raise RulesError(
                "out_of_bounds",
                f"difficulty: expected 1 to {len(self.house.attack_cards)}, not {self.difficulty}",
                where="difficulty",
            )
        for path, skill in (
            ("player.skill", self.player.skill),
            ("rival.skill", self.rival.skill),
            ("house.skill", self.house.skill),
            *((f"teams.allies[{place}].skill", ally.skill) for place, ally in enumerate(self.teams.allies)),
            *(
                (f"teams.opponents[{place}].skill", one.skill)
                for place, one in enumerate(self.teams.opponents)
            ),
        ):
            if skill > self.max_skill:
                raise RulesError(
                    "out_of_bounds", f"{path}: expected 0 to {self.max_skill}, not {skill}", where=path
                )

    def _check_complete(self, path: str, names: Iterable[str], given: Iterable[str]) -> None:
        expected, found = list(names), list(given)
        missing = [name for name in expected if name not in found]
        if missing:
            raise RulesError(
                "missing_key",
                f"{path}: every one of {len(expected)} needs a number; missing: {', '.join(missing)}",
                where=path,
            )
        unknown = [name for name in found if name not in expected]
        if unknown:
            where = f"{path}.{unknown[0]}"
            raise RulesError("unknown_key", f"unknown key '{where}'", where=where)

    def _check_factors(self) -> None:
        factors = {
            "defense_share": self.defense_share,
            "skill_share": self.skill_share,
            "timeout_rewards": self.timeout_rewards,
            "criticals.factor": self.criticals.factor,
            "abilities.guard_share": self.abilities.guard_share,
            **{
                f"environments.{name}.{key}": getattr(getattr(self.environments, name), key)
                for name in self.environments.__struct_fields__
                for key in ("attack_factor", "defense_factor")
            },
            "rewards.gold_growth": self.rewards.gold_growth,
            **{
                f"rewards.suit_bonuses[{count}]": bonus
                for count, bonus in enumerate(self.rewards.suit_bonuses)
            },
        }
        for path, factor in factors.items():
            if not 0 <= factor <= LARGEST_FACTOR:
                raise RulesError(
                    "out_of_bounds", f"{path}: expected 0 to {LARGEST_FACTOR}, not {factor}", where=path
                )


def _at_least(rank: HandRank) -> frozenset[HandRank]:
    """Return a hand and all higher ones."""
    ranks = tuple(HandRank)
    return frozenset(ranks[: ranks.index(rank) + 1])


class RoundRules(Rules, frozen=True, kw_only=True):
    """The rules of a round for one fighter: those of the duel, and what the rounds before do to the powers of its cards.

    `worn` is the number of rounds that have taken something off gear, `streak` that of the combo. No file has these.
    """

    worn: Wear = 0
    streak: Streak = 0

    @property
    def wear_rounds(self) -> int:
        """The rounds that have taken something off gear (§2.11)."""
        return self.worn

    @property
    def combo_streak(self) -> int:
        """The streak of the fighter's combo (§2.12)."""
        return self.streak


_RANKS: Final = tuple(rank for rank in Rank if rank is not Rank.JOKER)

DEFAULT: Final = Rules.preset("default")
"""The rules as the page has them."""
