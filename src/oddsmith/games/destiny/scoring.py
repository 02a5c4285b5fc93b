"""The scoring rule: a character's bonuses, the score of a hand, and the results of checks, contests and gang wars."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Final, assert_never

import msgspec

from oddsmith.cards import STANDARD_DECK, Card, Suit, require_in_deck
from oddsmith.errors import InputError, nearest
from oddsmith.games.destiny.decks import STANDARD, deck_cards
from oddsmith.games.destiny.jokers import read_jokers
from oddsmith.games.destiny.model import Check, Contest, Degree, GangWar, Modifier, Reward, Score, Side
from oddsmith.games.destiny.ranks import HandRank, MadeHand, classify
from oddsmith.games.destiny.rules import DEFAULT, LARGEST_SCORE, Character, Crime, Curve, GangScore, Rules
from oddsmith.points import LARGEST, Points, power_points
from oddsmith.poker import FULL_HAND
from oddsmith.wire import frozen_mapping

NOTHING: Final = Points(0)
LARGEST_SUM: Final = Points(1_000_000)
"""The largest bonus in a suit and sum of modifiers, so that no total is out of bounds."""
WITH_KICKER: Final = {HandRank.PAIR, HandRank.TWO_PAIR, HandRank.THREE_OF_A_KIND, HandRank.FOUR_OF_A_KIND}
TOP_CARDS: Final = 3
ANY_MARGIN: Final = -100 * LARGEST
"""The lowest margin that there is, in hundredths."""

_SUITS: Final = tuple(Suit)
_DEGREES: Final = tuple(Degree)
_DECK: Final = frozenset(STANDARD_DECK)


class Bonuses(msgspec.Struct, frozen=True, kw_only=True):
    """The bonuses of a character at a draw: points per card of each suit, modifiers of any hand, boosts of some hands.

    Raises `InputError` where a suit's bonus or a sum of modifiers is beyond ±1,000,000.
    """

    suits: Mapping[Suit, Points]
    modifiers: tuple[Modifier, ...] = ()
    boosts: Mapping[HandRank, tuple[Modifier, ...]] = frozen_mapping({})

    def __post_init__(self) -> None:
        parts = [
            *self.suits.values(),
            *(_sum_modifiers(given) for given in (self.modifiers, *self.boosts.values())),
        ]
        largest = max(parts, key=lambda part: abs(part.hundredths))
        if abs(largest.hundredths) > LARGEST_SUM.hundredths:
            raise InputError("out_of_bounds", f"bonuses add up to at most ±{LARGEST_SUM}, not {largest}")


def score(
    hand: Sequence[Card],
    character: Character,
    rules: Rules = DEFAULT,
    *,
    at: int = 0,
    defense_bonus: Points = NOTHING,
) -> Score:
    """Score five cards drawn by a character at a moment (§2 to §6).

    >>> from oddsmith.cards import cards
    >>> result = score(cards("A♠ K♠ Q♠ J♠ 10♠"), Character(bonuses={Suit.SPADES: Points("27.28")}))
    >>> result.rank, result.base, result.suit, result.total
    (<HandRank.ROYAL_FLUSH: 'royal_flush'>, Points('500'), Points('136.4'), Points('636.4'))
    """
    return score_with(hand, character_bonuses(character, rules, at=at, defense_bonus=defense_bonus), rules)


def score_with(hand: Sequence[Card], bonuses: Bonuses, rules: Rules = DEFAULT) -> Score:
    """Score five cards with a character's bonuses."""
    require_hand(hand, rules)
    hand = tuple(hand)
    read = hand if rules.deck.jokers == 0 else read_jokers(hand, bonuses, rules)
    made = classify(read)
    base = base_score(made.rank, extra_value(made, read), rules)
    suits = [held.suit for held in read]
    counts = {suit: suits.count(suit) for suit in _SUITS}
    suit_score = Points.of_hundredths(
        sum([bonuses.suits[suit].hundredths * count for suit, count in counts.items()])
    )
    given = *bonuses.modifiers, *bonuses.boosts.get(made.rank, ())
    sources = tuple([modifier for modifier in given if modifier.points.hundredths])
    modifiers = _sum_modifiers(sources)
    return Score(
        hand=hand,
        rank=made.rank,
        matched=made.matched if read is hand else _as_held(made.matched, read, hand),
        base=base,
        suit_counts=MappingProxyType(counts),
        bonuses=bonuses.suits,
        suit=suit_score,
        modifiers=modifiers,
        sources=sources,
        total=Points.of_hundredths(max(0, base.hundredths + suit_score.hundredths + modifiers.hundredths)),
        read_as=() if read == hand else read,
    )


def _as_held(matched: Sequence[Card], read: Sequence[Card], hand: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards of a hand that are matched as they are read."""
    return tuple(held for held, reading in zip(hand, read, strict=True) if reading in matched)


def require_hand(hand: Sequence[Card], rules: Rules = DEFAULT, *, where: str = "hand") -> None:
    """Raise `InputError` unless a hand is five cards of the deck (§1.1, §1.4)."""
    if rules.deck == STANDARD and len(hand) == FULL_HAND == len(_DECK.intersection(hand)):
        return
    if len(hand) != FULL_HAND:
        sentence = f"a hand has five cards: {len(hand)} were given"
        raise InputError("hand_size", sentence, where=where, paragraph="1.1")
    joker = next((held for held in hand if held.suit is None), None)
    if joker is not None and not rules.deck.jokers:
        sentence = f"the deck has no jokers: {joker} is not in it"
        raise InputError("card_too_often", sentence, where=where, paragraph="1.1")
    low = next((held for held in hand if 0 < held.number < rules.deck.lowest_rank), None)
    if low is not None:
        sentence = f"the deck starts with {rules.deck.lowest_rank}: {low} is not in it"
        raise InputError("card_too_often", sentence, where=where, paragraph="1.4")
    require_in_deck(hand, deck_cards(rules.deck))


def require_no_exchange(rules: Rules, what: str) -> None:
    """Raise `InputError` where the rules allow exchanges: what depends on how both sides play them is not counted (§12.7)."""
    if rules.redraws.times:
        raise InputError(
            "exchanges_not_counted",
            f"{what} is not counted where hands may be exchanged: set redraws.times to 0, or ask `odds` or `hold`",
            where="rules.redraws",
            paragraph="12.7",
        )


def base_score(rank: HandRank, extra: int, rules: Rules = DEFAULT) -> Points:
    """Return the score of a hand before suits and modifiers: its rank's own, and what its cards add (§2).

    >>> base_score(HandRank.PAIR, 14)
    Points('44')
    """
    return Points.of_hundredths(base_hundredths(rank, extra, rules))


def base_hundredths(rank: HandRank, extra: int, rules: Rules = DEFAULT) -> int:
    """Return the base score in hundredths (§2).

    >>> base_hundredths(HandRank.PAIR, 14)
    4400
    """
    return rank_score(rank, rules).hundredths + 100 * extra


def rank_score(rank: HandRank, rules: Rules = DEFAULT) -> Points:
    """Return the score of a rank itself (§2.1, §1.6)."""
    return rules.deck.five_of_a_kind if rank is HandRank.FIVE_OF_A_KIND else rules.hand_scores[rank]


def extra_value(made: MadeHand, hand: Sequence[Card]) -> int:
    """Return the value that a hand's cards add to its rank's score: the top three, or the kicker (§2.2, §2.3)."""
    if made.rank is HandRank.HIGH_CARD:
        return sum(sorted([held.number for held in hand])[-TOP_CARDS:])
    if made.rank in WITH_KICKER:
        matched = {held.number for held in made.matched}
        return max([held.number for held in hand if held.number not in matched])
    return 0


def character_bonuses(
    character: Character, rules: Rules = DEFAULT, *, at: int = 0, defense_bonus: Points = NOTHING
) -> Bonuses:
    """Return the bonuses and modifiers of a character at a moment (§3.2, §5).

    Raises `InputError` where the rules do not know a name, or a number is out of bounds.

    >>> character_bonuses(Character(skills={"tracking": 50})).suits[Suit.HEARTS]
    Points('40.37')
    """
    rules.require(character)
    if abs(defense_bonus.hundredths) > LARGEST_SCORE.hundredths:
        raise InputError(
            "out_of_bounds", f"a defence bonus lies within ±{LARGEST_SCORE}, not {defense_bonus}"
        )
    items = {name: rules.items[name] for name in character.items}
    buffs = {name: rules.buffs[name] for name in active_buffs(character.buffs, rules, at=at)}
    granted = [
        character.bonuses,
        *(
            dict.fromkeys(rules.skills[skill], skill_bonus(level, rules))
            for skill, level in character.skills.items()
        ),
        *(item.suits for item in items.values()),
        *([rules.locations[character.location]] if character.location is not None else []),
        *(buff.suits for buff in buffs.values()),
    ]
    defense = Modifier("territory defence", defense_bonus.times(rules.territory_defense_multiplier))
    return Bonuses(
        suits=frozen_mapping(
            {suit: _sum_points(bonus.get(suit, NOTHING) for bonus in granted) for suit in Suit}
        ),
        modifiers=(
            *(Modifier(f"item {name}", item.flat) for name, item in items.items()),
            *(Modifier(f"buff {name}", buff.flat) for name, buff in buffs.items()),
            defense,
        ),
        boosts=frozen_mapping(
            {
                rank: tuple(
                    Modifier(f"item {name}, {rank.words}", item.ranks[rank])
                    for name, item in items.items()
                    if rank in item.ranks
                )
                for rank in {rank for item in items.values() for rank in item.ranks}
            }
        ),
    )


def npc(tier: str, rules: Rules = DEFAULT) -> Character:
    """Return an NPC of a tier: the curve's value is its bonus in every suit (§8.4).

    >>> npc("elite").bonuses[Suit.CLUBS]
    Points('40.37')
    """
    if tier not in rules.npcs:
        raise InputError(
            "unknown_npc", f"unknown NPC '{tier[:40]}'{nearest(tier[:40], rules.npcs)}", where="npc"
        )
    return Character(bonuses=dict.fromkeys(Suit, skill_bonus(rules.npcs[tier], rules)))


def active_buffs(started: Mapping[str, int], rules: Rules, *, at: int) -> Iterator[str]:
    """Yield the buffs that work at a moment: from their start to before their end (§5.4)."""
    for name, start in started.items():
        if start <= at < start + rules.buffs[name].duration:
            yield name


@lru_cache(maxsize=4096)
def skill_bonus(level: int, rules: Rules = DEFAULT) -> Points:
    """Return the bonus that a skill of this level gives to each of its suits (§4).

    >>> skill_bonus(50), skill_bonus(50, Rules.preset("printed_table"))
    (Points('40.37'), Points('45.49'))
    """
    rules.require_level(level, where="skill")
    if rules.curve is Curve.FORMULA:
        return power_points(level - 1, rules.curve_linear, rules.curve_exponent, rules.curve_coefficient)
    return next(
        Points.nearest(low.fraction + (high.fraction - low.fraction) * Fraction(level - start, end - start))
        for (start, low), (end, high) in pairwise(rules.curve_table)
        if start <= level <= end
    )


def _sum_modifiers(modifiers: Iterable[Modifier]) -> Points:
    return Points.of_hundredths(sum([modifier.points.hundredths for modifier in modifiers]))


def _sum_points(points: Iterable[Points]) -> Points:
    return Points.of_hundredths(sum([part.hundredths for part in points]))


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """The threshold of a check, and the crime or skill check that names it; only crimes cost energy."""

    name: str | None
    threshold: Points
    energy: int | None = None
    difficulty: str = ""
    context: str = ""


def target(given: str, rules: Rules = DEFAULT) -> Target:
    """Return the crime or skill check of that name, or a threshold written as a number (§7.3, §7.4).

    >>> target("bank_robbery").threshold, target("very_hard").threshold, target("42.5").threshold
    (Points('275'), Points('350'), Points('42.5'))
    """
    if given in rules.crimes:
        crime = rules.crimes[given]
        return Target(name=given, threshold=crime.threshold, energy=crime.energy, difficulty=crime.difficulty)
    if given in rules.skill_checks:
        return Target(
            name=given,
            threshold=rules.skill_checks[given],
            difficulty=given.replace("_", " "),
            context=rules.check_contexts.get(given, ""),
        )
    if any(character.isdigit() for character in given):
        threshold = Points(given)
        if abs(threshold.hundredths) > LARGEST_SCORE.hundredths:
            raise InputError("out_of_bounds", f"a threshold lies within ±{LARGEST_SCORE}, not {threshold}")
        return Target(name=None, threshold=threshold)
    known = [*rules.crimes, *rules.skill_checks]
    raise InputError(
        "unknown_target", f"unknown crime or skill check '{given[:40]}'{nearest(given[:40], known)}"
    )


def check(scored: Score, threshold: Points, rules: Rules = DEFAULT) -> Check:
    """Return the result of a score against a threshold (§7)."""
    margin = scored.total - threshold
    return Check(score=scored, threshold=threshold, margin=margin, degree=degree(margin, scored.rank, rules))


def degree(margin: Points, rank: HandRank, rules: Rules = DEFAULT) -> Degree:
    """Return the degree of a check from its margin, or by the royal rule (§7.2, §7.5).

    >>> degree(Points(0), HandRank.PAIR), degree(Points("-50.01"), HandRank.PAIR)
    (<Degree.SUCCESS: 'success'>, <Degree.CRITICAL_FAILURE: 'critical_failure'>)
    """
    is_reached = [margin.hundredths >= least for least in least_margins(rank, rules)]
    return _DEGREES[is_reached.index(True)]


def least_margins(rank: HandRank, rules: Rules = DEFAULT) -> tuple[int, int, int, int]:
    """Return the least margin in hundredths that gives each degree or a better one, best degree first (§7.2, §7.5).

    >>> least_margins(HandRank.PAIR)
    (10000, 0, -5000, -1000000000)
    """
    if is_trump(rank, rules):
        return ANY_MARGIN, ANY_MARGIN, ANY_MARGIN, ANY_MARGIN
    return rules.critical_margin.hundredths, 0, -rules.failure_margin.hundredths, ANY_MARGIN


def is_trump(rank: HandRank, rules: Rules) -> bool:
    """Return whether a hand beats everything by the royal rule (§7.5, §8.5)."""
    return rules.royal_flush_auto_win and rank is HandRank.ROYAL_FLUSH


def reward(crime: Crime, achieved: Degree, rules: Rules = DEFAULT) -> Reward:
    """Return the gold and experience of a crime, and the buff that it inflicts (§10.2 to §10.4).

    >>> reward(DEFAULT.crimes["bank_robbery"], Degree.CRITICAL_FAILURE)
    Reward(gold=Points('-27.5'), experience=Points('0'), buff='poisoned')
    """
    gold, experience = crime.threshold.times(rules.gold_per_point), Points(crime.energy)
    match achieved:
        case Degree.CRITICAL_SUCCESS:
            factor = rules.critical_success_factor
            return Reward(gold.times(factor), experience.times(factor))
        case Degree.SUCCESS:
            factor = rules.success_factor
            return Reward(gold.times(factor), experience.times(factor))
        case Degree.FAILURE:
            return Reward(-gold.times(rules.failure_penalty), NOTHING)
        case Degree.CRITICAL_FAILURE:
            inflicted = rules.critical_failure_buff or None
            return Reward(-gold.times(rules.critical_failure_penalty), NOTHING, inflicted)
        case _ as never:
            assert_never(never)


def purse_after(purse: Points, earned: Reward) -> Points:
    """Return the gold of a purse after a crime, at least 0 (§10.3).

    >>> purse_after(Points(10), Reward(Points("-27.5"), Points(0)))
    Points('0')
    """
    return max(NOTHING, purse + earned.gold)


def contest(attacker: Score, defender: Score, rules: Rules = DEFAULT) -> Contest:
    """Return the result of a contest of two scores (§8)."""
    same_hand = sorted(attacker.hand) == sorted(defender.hand)
    attack, defense = (attacker.suit, defender.suit) if same_hand else (attacker.total, defender.total)
    trumps = is_trump(attacker.rank, rules), is_trump(defender.rank, rules)
    if trumps[0] != trumps[1]:
        winner, why = (Side.ATTACKER if trumps[0] else Side.DEFENDER), "royal_flush"
    else:
        why = "same_hand" if same_hand else "higher_total"
        winner, why = _higher(attack.fraction, defense.fraction, rules, why=why)
    margin = attack - defense if winner is Side.ATTACKER else defense - attack
    rank = (attacker if winner is Side.ATTACKER else defender).rank
    return Contest(
        attacker=attacker,
        defender=defender,
        winner=winner,
        why=why,
        margin=margin,
        degree=degree(margin, rank, rules),
        damage=Points.of_hundredths(damage_hundredths(margin.hundredths, rank, rules)),
    )


def damage_hundredths(margin: int, rank: HandRank, rules: Rules = DEFAULT) -> int:
    """Return the damage that the winner of a contest deals, in hundredths, as the margin is (§8.7, §8.8).

    It is rounded half-even once, and never above the most, which a royal flush deals by the royal rule.

    >>> damage_hundredths(5_000, HandRank.PAIR), damage_hundredths(12_000, HandRank.PAIR)
    (1500, 4400)
    """
    rule = rules.damage
    if is_trump(rank, rules):
        return rule.most.hundredths
    is_critical = margin >= rules.critical_margin.hundredths
    rate, rate_divisor = rule.per_point.as_integer_ratio()
    factor, factor_divisor = rule.critical_factor.as_integer_ratio() if is_critical else (1, 1)
    dealt = (rule.least.hundredths * rate_divisor + margin * rate) * factor
    return min(rule.most.hundredths, round(Fraction(dealt, rate_divisor * factor_divisor)))


def _higher(attack: Fraction, defense: Fraction, rules: Rules, *, why: str) -> tuple[Side, str]:
    if attack == defense:
        return tie_winner(rules), "tie"
    return (Side.ATTACKER if attack > defense else Side.DEFENDER), why


def tie_winner(rules: Rules) -> Side:
    """Return the side that wins a tie (§8.2)."""
    return Side.DEFENDER if rules.tie_favors_defender else Side.ATTACKER


def gang_war(attackers: Sequence[Score], defenders: Sequence[Score], rules: Rules = DEFAULT) -> GangWar:
    """Return the result of a gang war of two sides' scores (§9)."""
    attack, defense = gang_score(attackers, rules), gang_score(defenders, rules)
    winner, why = _higher(attack, defense, rules, why="higher_score")
    return GangWar(
        attackers=tuple(attackers),
        defenders=tuple(defenders),
        attack=attack,
        defense=defense,
        winner=winner,
        why=why,
    )


def gang_score(scores: Sequence[Score], rules: Rules = DEFAULT) -> Fraction:
    """Return a side's score, exactly (§9.2)."""
    require_gang(len(scores), rules)
    totals = sorted((scored.total.fraction for scored in scores), reverse=True)
    counted, divisor = gang_measure(len(scores), rules)
    return sum(totals[:counted], start=Fraction(0)) / divisor


def gang_measure(size: int, rules: Rules) -> tuple[int, int]:
    """Return the number of a side's highest scores that count, and the divisor of their sum (§9.2)."""
    match rules.gang_score:
        case GangScore.SUM:
            return size, 1
        case GangScore.AVERAGE:
            return size, size
        case GangScore.BEST:
            counted = min(rules.gang_best, size)
            return counted, counted
        case _ as never:
            assert_never(never)


def require_gang(size: int, rules: Rules, *, where: str | None = None) -> None:
    """Raise `InputError` where a side is empty or too large (§9.4)."""
    if size == 0:
        raise InputError("empty_gang", "a gang needs at least one member", where=where, paragraph="9.4")
    if size > rules.gang_limit:
        sentence = f"a gang has at most {rules.gang_limit} members, not {size}"
        raise InputError("gang_too_large", sentence, where=where, paragraph="9.4")
