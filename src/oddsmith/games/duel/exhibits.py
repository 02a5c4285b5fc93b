"""Exhibits of the Combat Duel for the checks of `lint`; duels are those of the rules' fighter, with fresh decks."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache, partial
from typing import Final, NamedTuple

import msgspec

from oddsmith.cards import STANDARD_DECK, cards
from oddsmith.chance import Seeded
from oddsmith.exhibit import (
    Choices,
    Effect,
    Example,
    Exhibit,
    ExhibitGroup,
    Ladder,
    Outcome,
    Payoff,
    Payoffs,
    Rung,
    Sets,
    Strategy,
    Supply,
)
from oddsmith.figure import Basis, Reading
from oddsmith.game import Await, Luck
from oddsmith.games.duel.classes import house_exchange, split_powers
from oddsmith.games.duel.conditions import round_rules
from oddsmith.games.duel.engine import GAME, PLAYER
from oddsmith.games.duel.figures import hand_chances
from oddsmith.games.duel.model import Result, SteadyPolicy
from oddsmith.games.duel.optional_rules import Surroundings
from oddsmith.games.duel.policies import at_random
from oddsmith.games.duel.policy_odds import round_distribution
from oddsmith.games.duel.rules import DeckKind, Favor, Fighter, House, Rules
from oddsmith.games.duel.scoring import (
    attack,
    damage,
    final_house_result,
    house_flight_result,
    house_result,
    skill_modifier,
)
from oddsmith.games.duel.summaries import (
    BLIND_POLICIES,
    Chances,
    blind_chances,
    make_reading,
    summarize_policy,
)
from oddsmith.poker import FULL_HAND, HandRank

DISTRIBUTIONS_CACHED: Final = 16
_VICTORY, _TIMEOUT, _DRAW, _FLIGHT, _DEFEAT = 4, 3, 2, 1, 0


# --- hands -----------------------------------------------------------------------------------------------------------


def _hand_exhibits(rules: Rules) -> Iterator[Exhibit]:
    yield _hand_ladder("hands in attack", rules.hand_bonuses)
    yield _hand_ladder("hands in defence", rules.defense_bonuses)
    for category, (aces, twos) in _SETS.items():
        yield Sets(
            about=f"{category} in attack",
            where="card_values",
            category=category,
            better=_attack_example(aces, rules),
            worse=_attack_example(twos, rules),
        )


_SETS: Final = {
    "pair": ("A♠ A♥ 5♣ 4♦ 3♠", "2♠ 2♥ 5♣ 4♦ 3♠"),
    "three of a kind": ("A♠ A♥ A♣ 4♦ 3♠", "2♠ 2♥ 2♣ 4♦ 3♠"),
    "four of a kind": ("A♠ A♥ A♣ A♦ 3♠", "2♠ 2♥ 2♣ 2♦ 3♠"),
}
"""Sets of aces and of twos with the same other cards: the attack of the first should be greater."""


def _attack_example(hand: str, rules: Rules) -> Example:
    return Example(text=hand, worth=Fraction(attack(cards(hand), Fighter(), rules).total))


def _hand_ladder(about: str, bonuses: Mapping[HandRank, int]) -> Ladder:
    return Ladder(
        about=about,
        where="hand_bonuses",
        rungs=tuple(
            Rung(
                name=rank.words,
                where=f"hand_bonuses.{rank}",
                chance=chance,
                worst=Example(text=text, worth=Fraction(bonuses[rank])),
                best=Example(text=text, worth=Fraction(bonuses[rank])),
            )
            for rank, (chance, text) in hand_chances().items()
        ),
    )


# --- play ------------------------------------------------------------------------------------------------------------


def _strategy_exhibits(rules: Rules) -> Iterator[Exhibit]:
    """Yield each blind policy at the difficulty of the rules, and at the one where it wins least."""
    if rules.combo_ranks:
        yield from map(partial(_estimated_strategy, rules), BLIND_POLICIES)
        return
    chances = blind_chances(rules)
    for policy in BLIND_POLICIES:
        hardest = min(_difficulties(rules), key=lambda level: chances[policy, level].win)
        yield _strategy(policy, rules.difficulty, chances[policy, rules.difficulty], "as the rules have it")
        if hardest != rules.difficulty:
            yield _strategy(policy, hardest, chances[policy, hardest], "the hardest for it")


def _strategy(policy: SteadyPolicy, level: int, chances: Chances, why: str) -> Strategy:
    ends = {
        "the knock-out": make_reading(chances.win - chances.timeout_win, chances.error),
        "the clock": make_reading(chances.timeout_win, chances.error),
    }
    return Strategy(
        about=f"duels with the house and fresh decks at difficulty {level}, {why}",
        where="player",
        name=policy,
        wins=make_reading(chances.win, chances.error),
        decided=False,
        ends={name: share for name, share in ends.items() if share.low > 0},
    )


def _estimated_strategy(rules: Rules, policy: SteadyPolicy) -> Strategy:
    """Return a policy at the difficulty of the rules, estimated by playing duels (§8.5)."""
    ends = summarize_policy(policy, rules)

    def reading(share: float) -> Reading:
        return make_reading(share, ends.error, ends.duels)

    shares = {"the knock-out": reading(ends.win - ends.timeout_win), "the clock": reading(ends.timeout_win)}
    return Strategy(
        about=f"duels with the house and fresh decks at difficulty {rules.difficulty}, estimated",
        where="player",
        name=policy,
        wins=reading(ends.win),
        decided=False,
        ends={name: share for name, share in shares.items() if share.low > 0},
    )


def _difficulties(rules: Rules) -> range:
    return range(1, len(rules.house.attack_cards) + 1)


def _victory_exhibits(rules: Rules) -> Iterator[Exhibit]:
    """Yield the chance of a victory at each difficulty, with a reason where it is certain or impossible."""
    for level in _difficulties(rules):
        outcome = _victory_outcome(rules.replace(difficulty=level))
        if outcome is not None:
            yield outcome


def _victory_outcome(rules: Rules) -> Outcome | None:
    """Return the chance of a victory; None where it is neither decided nor computed (§8.5)."""
    least_dealt, most_dealt, least_taken, most_taken = _damage_extremes(rules)
    if _wins(least_dealt, most_taken, rules):
        return _decided_outcome(
            Fraction(1), f"{least_dealt} or more are dealt a round, {most_taken} or fewer taken", rules
        )
    if not _wins(most_dealt, least_taken, rules):
        return _decided_outcome(
            Fraction(0), f"{most_dealt} or fewer are dealt a round, {least_taken} or more taken", rules
        )
    if rules.combo_ranks:
        return None
    chances = {policy: blind_chances(rules)[policy, rules.difficulty] for policy in BLIND_POLICIES}
    wins = {policy: make_reading(one.win, one.error) for policy, one in chances.items()}
    worst, best = (end(wins, key=lambda policy: wins[policy].value) for end in (min, max))
    return Outcome(
        about=f"victory at difficulty {rules.difficulty}",
        where=_difficulty_path(rules),
        least=max(wins[worst].low, Fraction(0)),
        most=min(wins[best].high, Fraction(1)),
        least_for=worst,
        most_for=best,
    )


def _decided_outcome(chance: Fraction, reason: str, rules: Rules) -> Outcome:
    """Return a victory of chance 0 or 1, whatever the cards and the splits are."""
    return Outcome(
        about=f"victory at difficulty {rules.difficulty}",
        where=_difficulty_path(rules),
        least=chance,
        most=chance,
        least_for="the worst cards",
        most_for="the best cards",
        reason=reason,
    )


def _difficulty_path(rules: Rules) -> str:
    return f"house.attack_cards[{rules.difficulty - 1}]"


class _DamageExtremes(NamedTuple):
    """Bounds of the damage in any round, for all hands and splits."""

    least_dealt: int
    most_dealt: int
    least_taken: int
    most_taken: int


def _damage_extremes(rules: Rules) -> _DamageExtremes:
    stages = {
        round_rules(rules, number, streak)
        for number in (1, rules.rounds)
        for streak in (0, rules.combos.most)
    }
    powers = [split_powers(rules.player, stage) for stage in stages]
    attacks, defenses = zip(*(pair for stage in stages for pair in house_exchange(stage)), strict=True)
    return _DamageExtremes(
        damage(min(int(one.attack.min()) for one in powers), max(defenses), rules.least_dealt),
        damage(max(int(one.attack.max()) for one in powers), min(defenses), rules.least_dealt),
        damage(min(attacks), max(int(one.defense.max()) for one in powers), rules.least_taken),
        damage(max(attacks), min(int(one.defense.min()) for one in powers), rules.least_taken),
    )


def _wins(dealt: int, taken: int, rules: Rules) -> bool:
    """Return whether the player wins a duel in which every round has this damage."""
    result: Result | None = None
    hp, opponent_hp, number = rules.player_hp, rules.opponent_hp, 0
    while result is None:
        hp, opponent_hp, number = max(0, hp - taken), max(0, opponent_hp - dealt), number + 1
        result = house_result(hp, opponent_hp, number, 0, rules)
    return result.winner == PLAYER


def _choice_exhibits(rules: Rules) -> Iterator[Exhibit]:
    state, luck = GAME.setup(rules, 1), Seeded("choices")
    turn = GAME.turn(state)
    while isinstance(turn, Await):
        state = GAME.step(state, Luck(turn.chance.sample(luck))).state
        turn = GAME.turn(state)
    moves = len(GAME.actions(state, PLAYER))
    yield Choices(
        about="what a fighter may do in a round",
        where="flee_rounds",
        longest=moves,
        position="five cards, none of them selected, in round 1",
        basis=Basis.EXACT,
        bound=moves,
    )


# --- payoffs ---------------------------------------------------------------------------------------------------------


def _payoff_exhibits(rules: Rules) -> Iterator[Exhibit]:
    """Yield the rewards of a duel's soonest ends, and of both ways to win in the last round."""
    extremes = _damage_extremes(rules)
    soonest = _fewest_rounds(rules.opponent_hp, extremes.most_dealt, rules)
    doomed = _fewest_rounds(rules.player_hp, extremes.most_taken, rules)
    full, last = rules.player_hp, rules.rounds
    flees = bool(rules.flee_rounds)
    drawn = Favor.DRAW in {rules.double_ko, rules.timeout_tie}
    defeat = _result(0, rules.opponent_hp, 1, rules)
    yield Payoffs(
        about="a duel with the house",
        where="rewards",
        payoffs=(
            _payoff("a victory", "rewards.gold", _VICTORY, _result(1, 0, last, rules), soonest),
            *[_payoff("a draw", "rewards.defeat_experience", _DRAW, defeat, max(soonest, doomed))] * drawn,
            *[_payoff("a flight", "rewards.flee_experience", _FLIGHT, house_flight_result(rules), 0)] * flees,
            _payoff("a defeat", "rewards.defeat_experience", _DEFEAT, defeat, doomed),
        ),
    )
    yield Payoffs(
        about="the last round of a duel with the house",
        where="timeout_rewards",
        payoffs=(
            _payoff("a knock-out", "rewards.gold", _VICTORY, _result(full, 0, last, rules), 0),
            _payoff("a victory on the clock", "timeout_rewards", _TIMEOUT, _result(full, 1, last, rules), 0),
        ),
    )


def _fewest_rounds(hp: int, most: int, rules: Rules) -> int:
    """Return the fewest rounds in which hit points can reach 0, or the number of rounds where they cannot."""
    return min(-(-hp // most), rules.rounds) if most else rules.rounds


def _result(hp: int, opponent_hp: int, number: int, rules: Rules) -> Result:
    return final_house_result(hp, opponent_hp, number, 0, rules)


def _payoff(name: str, where: str, standing: int, result: Result, effort: int) -> Payoff:
    pays = {"gold": result.gold, "experience": result.experience, "score": result.score}
    return Payoff(
        name=name,
        where=where,
        standing=standing,
        pays={currency: Fraction(amount) for currency, amount in pays.items()},
        effort=Fraction(effort),
    )


# --- effects ---------------------------------------------------------------------------------------------------------


def _effect_exhibits(rules: Rules) -> Iterator[Exhibit]:
    yield from _gear_effects(rules)
    if rules.max_skill:
        yield _skill_effect(rules)
    if rules.defense_share:
        for rank, bonus in rules.hand_bonuses.items():
            if bonus:
                yield _certain_effect(
                    f"a {rank.words} in defence",
                    f"hand_bonuses.{rank}",
                    "+0",
                    f"+{rules.defense_bonuses[rank]}",
                )
    if rules.critical_ranks:
        power = attack(cards(_CRITICAL_HAND), rules.player, rules)
        yield _certain_effect(
            "a critical hit of a royal flush",
            "criticals.factor",
            f"{power.total - power.critical}",
            f"{power.total}",
        )
    yield from _optional_effects(rules)
    if rules.relevant_suit.suit is not None:
        for relevant_count in range(1, FULL_HAND + 1):
            yield _certain_effect(
                f"holding {relevant_count} {rules.relevant_suit} at the end, and not {relevant_count - 1},",
                f"rewards.suit_bonuses[{relevant_count}]",
                _describe_pay(relevant_count - 1, rules),
                _describe_pay(relevant_count, rules),
            )


_CRITICAL_HAND: Final = "10♠ J♠ Q♠ K♠ A♠"
"""A hand that is critical with every rank from which attacks are."""


def _optional_effects(rules: Rules) -> Iterator[Effect]:
    """Yield the effect of abilities, environment, wear and combos that are in force, on a round split at random.

    Wear is that of the last round, a combo the longest of both fighters.
    """
    change, last, most = msgspec.structs.replace, rules.rounds, rules.combos.most
    for ability in rules.ability_skills:
        bare = change(rules.abilities, **{ability: _SKILL_OF_NOBODY})
        yield _gear_effect(f"abilities.{ability}", rules.replace(abilities=bare), rules)
    if rules.environment_effect is not None:
        without = rules.replace(environment=Surroundings.NONE)
        yield _gear_effect(f"environments.{rules.environment}", without, rules)
    for part in ("weapon_wear", "armor_wear"):
        if getattr(rules.durability, part):
            unworn = rules.replace(durability=change(rules.durability, **{part: 0}))
            yield _gear_effect(f"durability.{part}", round_rules(unworn, last), round_rules(rules, last))
    if rules.combo_ranks:
        yield _gear_effect("combos.bonus", round_rules(rules, last, 0), round_rules(rules, last, most))


_SKILL_OF_NOBODY: Final = 1000


def _gear_effects(rules: Rules) -> Iterator[Exhibit]:
    """Yield the effect of each fighter's gear on a round in which the player splits at random."""
    change = msgspec.structs.replace
    without = {
        **{
            f"player.{part}": rules.replace(player=change(rules.player, **{part: 0}))
            for part in rules.player.__struct_fields__
            if getattr(rules.player, part)
        },
        **{
            f"house.{part}": rules.replace(house=change(rules.house, **{part: 0}))
            for part in _HOUSE_GEAR
            if getattr(rules.house, part)
        },
    }
    for where, bare in without.items():
        yield _gear_effect(where, bare, rules)


_HOUSE_GEAR: Final = tuple(
    name for name in House.__struct_fields__ if name in {"armor", "skill", "weapon_per_difficulty"}
)


def _gear_effect(where: str, bare: Rules, rules: Rules) -> Effect:
    """Return the effect on the damage dealt, or on the damage taken where only that changes."""
    pairs = [
        (_damage_distributions(bare)[name], _damage_distributions(rules)[name]) for name in ("dealt", "taken")
    ]
    before, after = next(((one, other) for one, other in pairs if one != other), pairs[0])
    return Effect(
        about=where.replace(".", "'s ").replace("_", " "), where=where, without=before, having=after
    )


@lru_cache(maxsize=DISTRIBUTIONS_CACHED)
def _damage_distributions(rules: Rules) -> dict[str, dict[str, Fraction]]:
    distribution = round_distribution(at_random, rules)
    ways = distribution.ways.sum(axis=0)
    return {
        name: {
            f"{amount} {name}": Fraction(times, distribution.total)
            for amount, times in enumerate(ways.sum(axis=axis).tolist())
            if times
        }
        for name, axis in (("dealt", 1), ("taken", 0))
    }


def _skill_effect(rules: Rules) -> Effect:
    """Return the effect of the first level of skill that adds nothing, or of level 1 where all levels add something."""
    adds = [skill_modifier(level, rules) for level in range(rules.max_skill + 1)]
    idle = [level for level in range(1, len(adds)) if adds[level] == adds[level - 1]]
    level = idle[0] if idle else 1
    alike = f" ({len(idle)} of {rules.max_skill} levels are like it)" if idle else ""
    return _certain_effect(
        f"level {level} of skill{alike}", "skill_share", f"+{adds[level - 1]}", f"+{adds[level]}"
    )


def _certain_effect(about: str, where: str, without: str, having: str) -> Effect:
    one = Fraction(1)
    return Effect(about=about, where=where, without={without: one}, having={having: one})


def _describe_pay(relevant: int, rules: Rules) -> str:
    result = final_house_result(rules.player_hp, 0, 1, relevant, rules)
    return f"{result.gold} gold, {result.experience} experience"


# --- cards -----------------------------------------------------------------------------------------------------------


def _deck_exhibits(rules: Rules) -> Iterator[Exhibit]:
    fresh = rules.deck is DeckKind.FRESH
    yield Supply(
        about="the deck of a fighter",
        where="deck",
        size=len(STANDARD_DECK),
        draws=(FULL_HAND,),
        reshuffles_at=len(STANDARD_DECK) if fresh else FULL_HAND - 1,
        or_below=True,
        tested_after="draw",
    )


EXHIBITS: Final = (
    ExhibitGroup("hands", _hand_exhibits),
    ExhibitGroup("what duels pay", _payoff_exhibits),
    ExhibitGroup("gear, skill and suits", _effect_exhibits),
    ExhibitGroup("what a fighter may do", _choice_exhibits),
    ExhibitGroup("the deck", _deck_exhibits),
    ExhibitGroup("fighters with a fixed strategy", _strategy_exhibits),
    ExhibitGroup("victories", _victory_exhibits),
)
