"""Fields that several questions of the Combat Duel share, and perfect play within the limits of a server."""

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec.structs import replace

from oddsmith.cards import STANDARD_DECK, cards, require_in_deck
from oddsmith.errors import InputError, MissingExtraError, WorkLimitError
from oddsmith.games.duel.conditions import require_no_combos, round_rules
from oddsmith.games.duel.model import Hand
from oddsmith.games.duel.rules import DeckKind, Fighter, Rules
from oddsmith.games.duel.scoring import Objective, skill_modifier
from oddsmith.poker import FULL_HAND
from oddsmith.question import Context, option

if TYPE_CHECKING:
    from oddsmith.games.duel.odds import Solution


NumberText: TypeAlias = str | int
"""A number or its text; the ruleset checks its bounds."""
ObjectiveLiteral: TypeAlias = Literal["win", "gold"]
"""The objectives that a request may name."""
ObjectiveName: TypeAlias = Annotated[
    ObjectiveLiteral, option("What perfect play wants most.", noun="objective", code="unknown_objective")
]
AnyHand: TypeAlias = str | Hand
"""Five cards as text, `10♠ 7♥ 5♣ A♦ 3♠`, or as a list."""


class RuleChanges(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Changes of the most common rules; null leaves a rule as it is."""

    difficulty: Annotated[NumberText | None, option("How hard the opponent is.", metavar="NUMBER")] = None
    weapon: Annotated[NumberText | None, option("What your weapon adds to attack.", metavar="NUMBER")] = None
    armor: Annotated[NumberText | None, option("What your armour adds to defence.", metavar="NUMBER")] = None
    skill: Annotated[NumberText | None, option("Your skill.", metavar="NUMBER")] = None
    hidden: Annotated[
        bool | None, option("Whether the opponent hides its split.", "--hidden/--shown", shows_default=False)
    ] = None


NO_CHANGES: Final = RuleChanges()


def change_rules(rules: Rules, changes: RuleChanges) -> Rules:
    """Return the rules with these changes, or raise `RulesError` for a value out of bounds.

    >>> change_rules(Rules(), RuleChanges(weapon="5", hidden=True)).player.weapon
    5
    """
    values = {
        "difficulty": changes.difficulty,
        "player.weapon": changes.weapon,
        "player.armor": changes.armor,
        "player.skill": changes.skill,
        "opponent_visible": None if changes.hidden is None else str(not changes.hidden).lower(),
    }
    return rules.with_settings([f"{key}={value}" for key, value in values.items() if value is not None])


def read_cards(given: AnyHand, where: str) -> Hand:
    """Return cards that are given as text or as cards; raise `InputError` for text that is none."""
    with locate_errors(where):
        return cards(given) if isinstance(given, str) else given


def read_hand(given: AnyHand, where: str) -> Hand:
    """Return the cards of a hand; raise `InputError` unless they are five different cards of a deck.

    >>> read_hand("10♠ 7♥ 5♣ A♦ 3♠", "hand")[3]
    card('A♦')
    """
    hand = read_cards(given, where)
    if len(hand) != FULL_HAND:
        raise InputError("bad_hand", f"a hand has {FULL_HAND} cards, not {len(hand)}", where=where)
    with locate_errors(where):
        require_in_deck(hand, STANDARD_DECK)
    return hand


@contextmanager
def locate_errors(where: str) -> Iterator[None]:
    """Raise an `InputError` of the block again with the path of the request's field."""
    try:
        yield
    except InputError as error:
        raise InputError(error.refusal.code, error.refusal.sentence, where=where) from error


def require_position(
    hps: tuple[int, int], full: tuple[int, int], number: int, rounds: int, *, fields: tuple[str, str]
) -> None:
    """Raise `InputError` for hit points or a round that a duel cannot have; `fields` are those of the hit points."""
    faults = {
        fields[0]: not 1 <= hps[0] <= full[0],
        fields[1]: not 1 <= hps[1] <= full[1],
        "round": not 1 <= number <= rounds,
    }
    where = next((field for field, is_fault in faults.items() if is_fault), None)
    if where is not None:
        raise InputError(
            "no_position",
            f"{hps[0]} against {hps[1]} HP in round {number} is no position of this duel: hit points are 1 to "
            f"{full[0]} and 1 to {full[1]}, rounds 1 to {rounds}",
            where=where,
        )


def require_streak(streak: int, rules: Rules, *, where: str) -> None:
    """Raise `InputError` for a longer streak than the rules have (§2.12)."""
    most = rules.combos.most if rules.combo_ranks else 0
    if streak > most:
        raise InputError(
            "bad_streak",
            f"a streak is 0 to {most} by these rules, not {streak}",
            where=where,
            paragraph="2.12",
        )


MOST_POSITIONS: Final = 500_000
"""The largest product of both fighters' hit points and the rounds of a duel that a server computes."""
LARGEST_POWER: Final = 400
"""The largest attack in a duel that a server computes."""
MOST_SOLVED: Final = 5_000
"""The most positions of a duel that a server solves."""
MOST_EXCHANGE_PAIRS: Final = 13_000_000
"""The largest product of rounds and the square of the house's exchanges that a server solves, in a few seconds."""
MOST_ROUNDS_SERVED: Final = 40_000
"""The most rounds that a server simulates for one request, in some seconds."""
SOLUTIONS_CACHED: Final = 16


def find_solution(rules: Rules, objective: Objective, context: Context[Rules], *, without: str) -> "Solution":
    """Return the solution of a duel with the house.

    Raise `WorkLimitError` on a server where solving takes long and the solution is not in the disk cache. Raise
    `InputError` for rules with combos, and where the solver is not installed; its sentence names the option `without`
    that leaves perfect play out.
    """
    from oddsmith.games.duel.odds import solve

    try:
        require_no_combos(rules)
    except InputError as error:
        refusal = error.refusal
        raise InputError(
            refusal.code,
            f"{refusal.sentence}; leave perfect play out with {without}",
            paragraph=refusal.paragraph,
        ) from error
    if context.is_limited:
        return replace(_solve_quickly(rules.replace(deck=DeckKind.FRESH), objective), rules=rules)
    try:
        with context.progress("solving every position of the duel") as report:
            return solve(rules, objective, progress=report)
    except MissingExtraError as error:
        raise MissingExtraError(
            "missing_extra", f"{error}, or leave perfect play out with {without}"
        ) from error


@lru_cache(maxsize=SOLUTIONS_CACHED)
def _solve_quickly(rules: Rules, objective: Objective) -> "Solution":
    """Return a solution from the disk cache, or solve it without storing it there: requests must not fill the disk."""
    from oddsmith.games.duel.odds import load_solution, solve

    stored = load_solution(rules, objective)
    if stored is not None:
        return stored
    if not _is_quickly_solved(rules, objective):
        raise unsolved_error(objective)
    return solve(rules, objective, cache=False)


def unsolved_error(objective: Objective) -> WorkLimitError:
    """Return the error for perfect play that takes long to solve."""
    return WorkLimitError(
        "not_solved",
        "perfect play of this duel takes long to solve: `oddsmith duel odds` does so with these rules and "
        f"--objective {objective}, and where it was run before, the answer is here at once",
    )


def solvable_objectives(rules: Rules) -> tuple[Objective, ...]:
    """Return the objectives for which a server answers questions about perfect play of these rules."""
    from oddsmith.games.duel.odds import load_solution

    if _slowness_error(rules) is not None:
        return ()
    fresh = rules.replace(deck=DeckKind.FRESH)
    return tuple(
        objective
        for objective in map(Objective, get_args(ObjectiveLiteral))
        if load_solution(fresh, objective) is not None or _is_quickly_solved(fresh, objective)
    )


def _is_quickly_solved(rules: Rules, objective: Objective) -> bool:
    """Return whether a server solves these rules: there are few positions and few exchanges of the house."""
    from oddsmith.games.duel.classes import house_exchange

    if objective is not Objective.WIN or rules.combo_ranks or _positions(rules) > MOST_SOLVED:
        return False
    met = max(
        len([*house_exchange(stage)])
        for stage in {round_rules(rules, number) for number in range(1, rules.rounds + 1)}
    )
    return rules.rounds * met * met <= MOST_EXCHANGE_PAIRS


def require_quick(rules: Rules) -> None:
    """Raise `WorkLimitError` for rules whose duels take a server too long to compute."""
    error = _slowness_error(rules)
    if error is not None:
        raise error


def require_quick_simulation(rules: Rules) -> None:
    """Raise `WorkLimitError` for rules with a hidden opponent whose perfect play takes long to simulate."""
    if not rules.opponent_visible and _positions(rules) > MOST_SOLVED:
        raise WorkLimitError(
            "too_many_states",
            f"{rules.player_hp} × {rules.opponent_hp} HP × {rules.rounds} rounds are more than the {MOST_SOLVED:,} "
            "positions in which a server simulates perfect play against a hidden opponent",
        )


def _slowness_error(rules: Rules) -> WorkLimitError | None:
    if _positions(rules) > MOST_POSITIONS:
        return WorkLimitError(
            "too_many_states",
            f"{rules.player_hp} × {rules.opponent_hp} HP × {rules.rounds} rounds are more than the "
            f"{MOST_POSITIONS:,} positions that a server computes",
        )
    power = max(_largest_power(fighter, rules) for fighter in (rules.player, rules.house_fighter))
    if power > LARGEST_POWER:
        return WorkLimitError(
            "too_much_power",
            f"attacks of up to {power:,} are more than the {LARGEST_POWER:,} that a server computes",
        )
    return None


def _positions(rules: Rules) -> int:
    return rules.player_hp * rules.opponent_hp * rules.rounds


def _largest_power(fighter: Fighter, rules: Rules) -> int:
    """Return an upper bound of every attack, defense and damage."""
    abilities, combos, effect = rules.abilities, rules.combos, rules.environment_effect
    cards = FULL_HAND * max(rules.card_values.values()) + max(rules.hand_bonuses.values())
    gear = max(abs(fighter.weapon), abs(fighter.armor)) + skill_modifier(fighter.skill, rules)
    least = max(rules.least_attack, rules.least_defense, rules.least_dealt, rules.least_taken)
    shared = max(1, int(rules.defense_share), int(abilities.guard_share) * abilities.enabled)
    factor = max(Decimal(1), rules.criticals.factor)
    added = combos.bonus * combos.most
    if abilities.enabled:
        added += abilities.riposte_attack + abilities.focus_attack
    if effect is not None:
        added += max(abs(effect.attack), abs(effect.defense))
        factor *= max(Decimal(1), effect.attack_factor, effect.defense_factor)
    return max(ceil((cards * shared + gear + added) * factor), least)
