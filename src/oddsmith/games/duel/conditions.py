"""What a round does to the powers of a fighter: abilities (§2.9), the environment (§2.10), wear (§2.11), combos (§2.12).

`round_rules` returns the rules of one round. With them, the functions of `scoring` and all odds of a round hold as they
are.
"""

from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from oddsmith.errors import InputError
from oddsmith.games.duel.optional_rules import Ability
from oddsmith.games.duel.rules import Fighter, RoundRules, Rules
from oddsmith.poker import HandRank

ROUNDS_CACHED: Final = 512
"""Cache size for the rules of a round."""
COMBOS_NOT_SOLVED: Final = (
    "perfect play with combos is not solved: the value of a split depends on both streaks, which the solver does not "
    "have"
)


def abilities_of(fighter: Fighter, rules: Rules) -> frozenset[Ability]:
    """Return the abilities that a fighter's skill unlocks (§2.9).

    >>> from oddsmith.games.duel.optional_rules import Abilities
    >>> sorted(abilities_of(Fighter(skill=50), Rules(abilities=Abilities(enabled=True))))
    [<Ability.GUARD: 'guard'>, <Ability.RIPOSTE: 'riposte'>]
    """
    return frozenset(ability for ability, skill in rules.ability_skills.items() if fighter.skill >= skill)


def worn_gear(gear: int, wear: int, rules: Rules) -> int:
    """Return what is left of a weapon or an armour; only gear above 0 wears, and not below 0 (§2.11).

    >>> from oddsmith.games.duel.rules import RoundRules
    >>> [worn_gear(5, 2, RoundRules(worn=worn)) for worn in range(5)]
    [5, 3, 1, 0, 0]
    """
    return gear if gear <= 0 else max(0, gear - wear * rules.wear_rounds)


def worn_fighter(fighter: Fighter, rules: Rules) -> Fighter:
    """Return a fighter with the gear that is left after the use so far (§2.11)."""
    if not rules.wears:
        return fighter
    durability = rules.durability
    return replace(
        fighter,
        weapon=worn_gear(fighter.weapon, durability.weapon_wear, rules),
        armor=worn_gear(fighter.armor, durability.armor_wear, rules),
    )


def next_streak(streak: int, rank: HandRank, rules: Rules) -> int:
    """Return the streak of a fighter after an attack with a hand of this rank (§2.12).

    >>> from oddsmith.games.duel.optional_rules import Combos
    >>> rules = Rules(combos=Combos(bonus=4))
    >>> [next_streak(streak, HandRank.PAIR, rules) for streak in range(4)], next_streak(3, HandRank.HIGH_CARD, rules)
    ([1, 2, 3, 3], 0)
    """
    if rank not in rules.combo_ranks:
        return 0
    return min(streak + 1, rules.combos.most)


def round_rules(rules: Rules, number: int, streak: int | None = None) -> Rules:
    """Return the rules of round `number` of a duel for a fighter with this streak, 0 by default.

    Rounds with the same powers have equal rules; those of the first round are the rules of the duel.

    >>> round_rules(Rules.preset("durability"), 4).wear_rounds, round_rules(Rules(), 4) == Rules()
    (3, True)
    """
    if not rules.changes_by_round:
        return rules
    return _round_rules(rules, number, streak or 0)


def require_no_combos(rules: Rules) -> None:
    """Raise `InputError` for rules with combos, whose streaks outlast a round (§8.5)."""
    if rules.combo_ranks:
        raise InputError("combos_not_solved", COMBOS_NOT_SOLVED, paragraph="8.5")


def require_computed_odds(rules: Rules) -> None:
    """Raise `InputError` for rules with combos: the damage of a round depends on the rounds before (§8.5)."""
    if rules.combo_ranks:
        raise InputError(
            "combos_not_computed",
            "odds with combos are estimated by playing duels, not computed: damage depends on the rounds before",
            paragraph="8.5",
        )


@lru_cache(maxsize=ROUNDS_CACHED)
def _round_rules(rules: Rules, number: int, streak: int) -> Rules:
    worn = min(max(0, number - 1 - rules.durability.lasts), _most_worn_rounds(rules)) if rules.wears else 0
    going = streak if rules.combo_ranks else 0
    if not worn and not going:
        return rules
    fields = {name: getattr(rules, name) for name in Rules.__struct_fields__}
    return RoundRules(**fields, worn=worn, streak=going)


def _most_worn_rounds(rules: Rules) -> int:
    """Return the number of rounds after which no gear of a fighter wears any further."""
    durability = rules.durability
    teams = rules.teams
    fighters = (rules.player, rules.rival, rules.house_fighter, *teams.allies, *teams.opponents)
    pairs = [
        (gear, wear)
        for fighter in fighters
        for gear, wear in (
            (fighter.weapon, durability.weapon_wear),
            (fighter.armor, durability.armor_wear),
        )
    ]
    return max(-(-max(gear, 0) // wear) for gear, wear in pairs if wear)
