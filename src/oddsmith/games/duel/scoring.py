"""The rules of a round and of its end: what cards are worth (§1, §2), who has won, and what that pays (§5, §6, §7)."""

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import compress
from typing import Final, assert_never

from oddsmith.cards import Card
from oddsmith.games.duel.model import Corner, Ending, Power, Result
from oddsmith.games.duel.rules import DEFAULT, EmptySide, Favor, Fighter, Rules
from oddsmith.poker import FULL_HAND, HandRank, classify

SPLITS: Final[tuple[tuple[bool, ...], ...]] = tuple(
    tuple(bool(number >> place & 1) for place in range(FULL_HAND)) for number in range(2**FULL_HAND)
)
"""The 32 ways to split a hand: for each card whether it defends; the first is all attack."""


def skill_modifier(skill: int, rules: Rules = DEFAULT) -> int:
    """Return what a skill adds to both sides, rounded down (§2.1).

    >>> [skill_modifier(skill) for skill in (0, 10, 30, 50, 70, 100)]
    [0, 3, 9, 15, 21, 30]
    """
    share, of = rules.skill_share.as_integer_ratio()
    return skill * share // of


def attack(held: Sequence[Card], fighter: Fighter, rules: Rules = DEFAULT) -> Power:
    """Return the attack that some cards make (§2.2).

    >>> from oddsmith.cards import cards
    >>> attack(cards("10♠ A♦ 7♥"), Fighter(weapon=5, armor=3, skill=30)).total
    42
    """
    rank = _rank(tuple(held))
    return _power(held, rank, rules.hand_bonuses[rank], fighter.weapon, fighter, rules.least_attack, rules)


def defense(held: Sequence[Card], fighter: Fighter, rules: Rules = DEFAULT) -> Power:
    """Return the defense that some cards make (§2.3).

    >>> from oddsmith.cards import cards
    >>> defense(cards("5♣ 3♠"), Fighter(weapon=5, armor=3, skill=30)).total
    20
    """
    rank = _rank(tuple(held))
    return _power(held, rank, rules.defense_bonuses[rank], fighter.armor, fighter, rules.least_defense, rules)


@lru_cache(maxsize=2**14)
def _rank(held: tuple[Card, ...]) -> HandRank:
    """Name the hand, once for all rules that ask about it."""
    return classify(held).rank


def _power(  # noqa: PLR0917  attack and defense differ in these and in nothing else
    held: Sequence[Card], rank: HandRank, bonus: int, gear: int, fighter: Fighter, least: int, rules: Rules
) -> Power:
    values = rules.values
    worth = sum([values[known.number] for known in held])
    skill = skill_modifier(fighter.skill, rules)
    nothing = not held and rules.empty_side is EmptySide.NOTHING
    total = 0 if nothing else max(least, worth + gear + skill + bonus)
    return Power(cards=tuple(held), rank=rank, values=worth, bonus=bonus, gear=gear, skill=skill, total=total)


def damage(attacking: int, defending: int, least: int) -> int:
    """Return what an attack does to a defense (§2.6).

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


_FAVORED: Final[dict[Favor, Corner | None]] = {Favor.PLAYER: 0, Favor.OPPONENT: 1, Favor.DRAW: None}


class Objective(StrEnum):
    """What a perfect player wants most."""

    WIN = "win"
    GOLD = "gold"
    EXPERIENCE = "experience"
    SCORE = "score"

    def of(self, result: Result) -> float:
        """Return what a duel's end is worth; a draw wins nothing."""
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
    """Count the cards of the relevant suit; none where no suit is relevant (§6.3)."""
    suit = rules.relevant_suit.suit
    return sum(held.suit is suit for held in hand) if suit is not None else 0


def house_result(hp: int, opponent_hp: int, number: int, relevant: int, rules: Rules) -> Result | None:
    """Say how a duel with the house stands after a round, or None while it goes on (§5.1 to §5.4).

    >>> house_result(48, 0, 4, relevant=0, rules=Rules(difficulty=9)).gold
    462
    """
    ended = _ended(hp, opponent_hp, number, rules)
    if ended is None:
        return None
    if ended is Ending.KNOCK_OUT:
        winner: Corner | None = 0 if opponent_hp == 0 else 1
    elif ended is Ending.DOUBLE_KNOCK_OUT:
        winner = _FAVORED[rules.double_ko]
    else:
        winner = _ahead(hp, rules.player_hp, opponent_hp, rules.opponent_hp, _FAVORED[rules.timeout_tie])
    if winner != 0:
        return Result(why=ended, winner=winner, experience=rules.rewards.defeat_experience)
    return _victory(ended, hp, number, relevant, rules)


def player_result(hps: tuple[int, int], number: int, rules: Rules) -> Result | None:
    """Say how a duel between two players stands after a round, or None while it goes on (§7.3).

    >>> player_result((0, 0), 3, Rules()).why
    <Ending.DOUBLE_KNOCK_OUT: 'double_knock_out'>
    """
    ended = _ended(*hps, number, rules)
    if ended is None:
        return None
    return Result(why=ended, winner=_ahead(hps[0], rules.player_hp, hps[1], rules.player_hp, None))


def fled_from_house(rules: Rules) -> Result:
    """Return what is left to one who fled from the house (§6.7)."""
    paid = rules.rewards
    return Result(why=Ending.FLIGHT, winner=None, score=paid.flee_score, experience=paid.flee_experience)


def gold_factor(rules: Rules) -> Fraction:
    """Return by how much difficulty multiplies gold (§6.1).

    >>> gold_factor(Rules(difficulty=3))
    Fraction(8, 5)
    """
    return 1 + rules.difficulty * Fraction(rules.rewards.gold_growth)


def fled_from_player(fled: tuple[bool, bool]) -> Result:
    """Return the end of a duel between players that one or both fled from (§7.4)."""
    match fled:
        case (True, True):
            return Result(why=Ending.FLIGHT, winner=None)
        case (True, False):
            return Result(why=Ending.FLIGHT, winner=1)
        case _:
            return Result(why=Ending.FLIGHT, winner=0)


def _ended(hp: int, other_hp: int, number: int, rules: Rules) -> Ending | None:
    if hp == 0 and other_hp == 0:
        return Ending.DOUBLE_KNOCK_OUT
    if hp == 0 or other_hp == 0:
        return Ending.KNOCK_OUT
    return Ending.TIMEOUT if number >= rules.rounds else None


def _ahead(hp: int, full: int, other_hp: int, other_full: int, tied: Corner | None) -> Corner | None:
    """Compare the shares of hit points that are left, without dividing."""
    mine, theirs = hp * other_full, other_hp * full
    if mine == theirs:
        return tied
    return 0 if mine > theirs else 1


def _victory(why: Ending, hp: int, number: int, relevant: int, rules: Rules) -> Result:
    """Pay for a victory, each number rounded down once (§6.1, §6.2, §6.4, §6.6)."""
    paid, level, full = rules.rewards, rules.difficulty, rules.player_hp
    growth, grown = gold_factor(rules).as_integer_ratio()
    suit, suited = paid.suit_bonuses[relevant].as_integer_ratio() if rules.relevant_suit.suit else (1, 1)
    share, shared = rules.timeout_rewards.as_integer_ratio() if why is Ending.TIMEOUT else (1, 1)
    gold = (paid.gold + paid.gold_per_difficulty * level) * growth * suit * share
    experience = (paid.experience + paid.experience_per_difficulty * level) * suit * share
    score = (paid.score * full + paid.score_for_hp * hp) * number + paid.score_for_speed * full
    return Result(
        why=why,
        winner=0,
        score=score // (full * number),
        gold=gold // (grown * suited * shared),
        experience=experience // (suited * shared),
    )
