"""The rules of a round and of its end: powers of a side (§1, §2), results and rewards (§5, §6, §7)."""

from collections.abc import Sequence
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import compress
from typing import Final, assert_never

from oddsmith.cards import Card
from oddsmith.games.duel.conditions import abilities_of, worn_gear
from oddsmith.games.duel.model import Corner, Ending, Power, Result
from oddsmith.games.duel.optional_rules import Ability
from oddsmith.games.duel.rules import DEFAULT, EmptySide, Favor, Fighter, Rules
from oddsmith.poker import FULL_HAND, HandRank, classify

SPLITS: Final[tuple[tuple[bool, ...], ...]] = tuple(
    tuple(bool(number >> place & 1) for place in range(FULL_HAND)) for number in range(2**FULL_HAND)
)
"""The 32 ways to split a hand: for each card whether it defends; the first is all attack."""


def skill_modifier(skill: int, rules: Rules = DEFAULT) -> int:
    """Return the number that a skill adds to both sides, rounded down (§2.1).

    >>> [skill_modifier(skill) for skill in (0, 10, 30, 50, 70, 100)]
    [0, 3, 9, 15, 21, 30]
    """
    share, of = rules.skill_share.as_integer_ratio()
    return skill * share // of


def attack(
    cards: Sequence[Card], fighter: Fighter, rules: Rules = DEFAULT, *, defending: Sequence[Card] = ()
) -> Power:
    """Return the attack of some cards (§2.2); `defending` are the fighter's other cards, which may riposte (§2.9).

    >>> from oddsmith.cards import cards
    >>> attack(cards("10♠ A♦ 7♥"), Fighter(weapon=5, armor=3, skill=30)).total
    42
    """
    rank = _hand_rank(tuple(cards))
    effect = rules.environment_effect
    return _power(
        cards,
        rank,
        rules.hand_bonuses[rank],
        fighter,
        rules,
        gear=worn_gear(fighter.weapon, rules.durability.weapon_wear, rules),
        least=rules.least_attack,
        ability=_attack_by_abilities(cards, defending, fighter, rules) if rules.abilities.enabled else 0,
        combo=rules.combos.bonus * rules.combo_streak,
        critical=rules.criticals.factor if rank in rules.critical_ranks else _ONE,
        environment=_NO_EFFECT if effect is None else (effect.attack, effect.attack_factor),
    )


def defense(cards: Sequence[Card], fighter: Fighter, rules: Rules = DEFAULT) -> Power:
    """Return the defense of some cards (§2.3).

    >>> from oddsmith.cards import cards
    >>> defense(cards("5♣ 3♠"), Fighter(weapon=5, armor=3, skill=30)).total
    20
    """
    rank = _hand_rank(tuple(cards))
    guards = rules.abilities.enabled and Ability.GUARD in abilities_of(fighter, rules)
    effect = rules.environment_effect
    return _power(
        cards,
        rank,
        (rules.guard_bonuses if guards else rules.defense_bonuses)[rank],
        fighter,
        rules,
        gear=worn_gear(fighter.armor, rules.durability.armor_wear, rules),
        least=rules.least_defense,
        environment=_NO_EFFECT if effect is None else (effect.defense, effect.defense_factor),
    )


def split_power(
    attacking: Sequence[Card], defending: Sequence[Card], fighter: Fighter, rules: Rules
) -> tuple[Power, Power]:
    """Return the attack and the defense of both sides of a split."""
    return attack(attacking, fighter, rules, defending=defending), defense(defending, fighter, rules)


_ONE: Final = Decimal(1)
_NO_EFFECT: Final = 0, _ONE


@lru_cache(maxsize=2**14)
def _hand_rank(cards: tuple[Card, ...]) -> HandRank:
    return classify(cards).rank


def _attack_by_abilities(
    cards: Sequence[Card], defending: Sequence[Card], fighter: Fighter, rules: Rules
) -> int:
    """Return the number that riposte and focus add to an attack (§2.9)."""
    known, abilities = abilities_of(fighter, rules), rules.abilities
    strikes_back = Ability.RIPOSTE in known and _hand_rank(tuple(defending)) in rules.riposte_ranks
    is_focused = Ability.FOCUS in known and 1 <= len(cards) <= abilities.focus_cards
    return strikes_back * abilities.riposte_attack + is_focused * abilities.focus_attack


def _power(
    cards: Sequence[Card],
    rank: HandRank,
    bonus: int,
    fighter: Fighter,
    rules: Rules,
    *,
    gear: int,
    least: int,
    ability: int = 0,
    combo: int = 0,
    critical: Decimal = _ONE,
    environment: tuple[int, Decimal] = _NO_EFFECT,
) -> Power:
    """Return the power of a side: the sum of its parts, multiplied by a critical hit and then by the environment."""
    values = rules.values
    value = sum([values[card.number] for card in cards])
    skill = skill_modifier(fighter.skill, rules)
    added, factor = environment
    plain = value + gear + skill + bonus + ability + combo + added
    by_critical = 0 if critical == _ONE else multiplied_part(plain, critical)
    by_environment = 0 if factor == _ONE else multiplied_part(plain + by_critical, factor)
    nothing = not cards and rules.empty_side is EmptySide.NOTHING
    return Power(
        cards=tuple(cards),
        rank=rank,
        values=value,
        bonus=bonus,
        gear=gear,
        skill=skill,
        total=0 if nothing else max(least, plain + by_critical + by_environment),
        ability=ability,
        combo=combo,
        critical=0 if nothing else by_critical,
        environment=added + by_environment,
    )


def multiplied_part(plain: int, factor: Decimal) -> int:
    """Return the number that a factor adds to a sum above 0: the product is rounded down once (§2.8, §2.10).

    >>> multiplied_part(57, Decimal("1.5")), multiplied_part(-3, Decimal("1.5")), multiplied_part(57, Decimal("0.9"))
    (28, 0, -6)
    """
    share, of = factor.as_integer_ratio()
    return plain * share // of - plain if plain > 0 else 0


def damage(attacking: int, defending: int, least: int) -> int:
    """Return the damage of an attack against a defense (§2.6).

    >>> damage(42, 10, 1), damage(25, 20, 0), damage(12, 20, 0), damage(12, 20, 1)
    (32, 5, 0, 1)
    """
    return max(least, attacking - defending)


def split(hand: Sequence[Card], defends: Sequence[bool]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the attacking and the defending cards of a split.

    >>> from oddsmith.cards import cards
    >>> split(cards("10♠ 7♥ 5♣ A♦ 3♠"), (False, False, True, False, True))[1]
    (card('5♣'), card('3♠'))
    """
    return tuple(compress(hand, [not defending for defending in defends])), tuple(compress(hand, defends))


_FAVORED_CORNER: Final[dict[Favor, Corner | None]] = {Favor.PLAYER: 0, Favor.OPPONENT: 1, Favor.DRAW: None}


class Objective(StrEnum):
    """The number that perfect play maximizes."""

    WIN = "win"
    GOLD = "gold"
    EXPERIENCE = "experience"
    SCORE = "score"

    def payoff(self, result: Result) -> float:
        """Return the value of a duel's result; a draw is worth nothing to `WIN`."""
        match self:
            case Objective.WIN:
                return float(result.winner == 0)
            case Objective.GOLD:
                return float(result.gold)
            case Objective.EXPERIENCE:
                return float(result.experience)
            case Objective.SCORE:
                return float(result.score)
            case _ as never:
                assert_never(never)


def relevant_cards(hand: Sequence[Card], rules: Rules) -> int:
    """Return the number of cards of the relevant suit, or 0 where no suit is relevant (§6.3)."""
    suit = rules.relevant_suit.suit
    return sum(card.suit is suit for card in hand) if suit is not None else 0


def house_result(hp: int, opponent_hp: int, number: int, relevant: int, rules: Rules) -> Result | None:
    """Return the result of a duel with the house after round `number`, or None while it goes on (§5.1 to §5.4).

    `relevant` is the number of relevant cards in the player's hand.

    >>> house_result(48, 0, 4, relevant=0, rules=Rules(difficulty=9)).gold
    462
    """
    ended = _ending(hp, opponent_hp, number, rules)
    if ended is None:
        return None
    if ended is Ending.KNOCK_OUT:
        winner: Corner | None = 0 if opponent_hp == 0 else 1
    elif ended is Ending.DOUBLE_KNOCK_OUT:
        winner = _FAVORED_CORNER[rules.double_ko]
    else:
        winner = _leader(
            hp, rules.player_hp, opponent_hp, rules.opponent_hp, _FAVORED_CORNER[rules.timeout_tie]
        )
    if winner != 0:
        return Result(why=ended, winner=winner, experience=rules.rewards.defeat_experience)
    return victory_result(ended, hp, number, relevant, rules)


def final_house_result(hp: int, opponent_hp: int, number: int, relevant: int, rules: Rules) -> Result:
    """Return the result of a duel with the house that is over after round `number`.

    >>> final_house_result(0, 80, 1, relevant=0, rules=Rules()).winner
    1
    """
    result = house_result(hp, opponent_hp, number, relevant, rules)
    assert result is not None  # noqa: S101  the caller gives the hit points of a duel that is over
    return result


def player_result(hps: tuple[int, int], number: int, rules: Rules) -> Result | None:
    """Return the result of a duel between two players after round `number`, or None while it goes on (§7.3).

    >>> player_result((0, 0), 3, Rules()).why
    <Ending.DOUBLE_KNOCK_OUT: 'double_knock_out'>
    """
    ended = _ending(*hps, number, rules)
    if ended is None:
        return None
    return Result(why=ended, winner=_leader(hps[0], rules.player_hp, hps[1], rules.player_hp, None))


def house_flight_result(rules: Rules) -> Result:
    """Return the result of a flight from the house (§6.7)."""
    rewards = rules.rewards
    return Result(
        why=Ending.FLIGHT, winner=None, score=rewards.flee_score, experience=rewards.flee_experience
    )


def gold_factor(rules: Rules) -> Fraction:
    """Return the factor by which difficulty multiplies gold (§6.1).

    >>> gold_factor(Rules(difficulty=3))
    Fraction(8, 5)
    """
    return 1 + rules.difficulty * Fraction(rules.rewards.gold_growth)


def player_flight_result(fled: tuple[bool, bool]) -> Result:
    """Return the result of a duel between players from which one or both fled (§7.4)."""
    match fled:
        case (True, True):
            return Result(why=Ending.FLIGHT, winner=None)
        case (True, False):
            return Result(why=Ending.FLIGHT, winner=1)
        case _:
            return Result(why=Ending.FLIGHT, winner=0)


def _ending(hp: int, other_hp: int, number: int, rules: Rules) -> Ending | None:
    if hp == 0 and other_hp == 0:
        return Ending.DOUBLE_KNOCK_OUT
    if hp == 0 or other_hp == 0:
        return Ending.KNOCK_OUT
    return Ending.TIMEOUT if number >= rules.rounds else None


def _leader(hp: int, full: int, other_hp: int, other_full: int, tied: Corner | None) -> Corner | None:
    """Return the corner with the larger share of its hit points left, or `tied`; compared without a division."""
    mine, theirs = hp * other_full, other_hp * full
    if mine == theirs:
        return tied
    return 0 if mine > theirs else 1


def victory_result(why: Ending, hp: int, number: int, relevant: int, rules: Rules) -> Result:
    """Return the result of a victory over the house, each reward rounded down once (§6.1, §6.2, §6.4, §6.6)."""
    rewards, level, full = rules.rewards, rules.difficulty, rules.player_hp
    growth, grown = gold_factor(rules).as_integer_ratio()
    suit, suited = rewards.suit_bonuses[relevant].as_integer_ratio() if rules.relevant_suit.suit else (1, 1)
    share, shared = rules.timeout_rewards.as_integer_ratio() if why is Ending.TIMEOUT else (1, 1)
    gold = (rewards.gold + rewards.gold_per_difficulty * level) * growth * suit * share
    experience = (rewards.experience + rewards.experience_per_difficulty * level) * suit * share
    score = (rewards.score * full + rewards.score_for_hp * hp) * number + rewards.score_for_speed * full
    return Result(
        why=why,
        winner=0,
        score=score // (full * number),
        gold=gold // (grown * suited * shared),
        experience=experience // (suited * shared),
    )
