"""Fields that several questions of the Combat Duel have: changes of the rules, an objective, a hand."""

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from oddsmith.cards import cards
from oddsmith.games.duel.model import Hand
from oddsmith.games.duel.rules import Rules
from oddsmith.request_fields import option

NumberText: TypeAlias = str | int
"""A number, or its text as a command line takes it; the rules say which numbers are right."""
Wanted: TypeAlias = Literal["win", "gold"]
"""The objectives of perfect play that may be asked about."""
ObjectiveName: TypeAlias = Annotated[
    Wanted, option("What perfect play wants most.", noun="objective", code="unknown_objective")
]
AnyHand: TypeAlias = str | Hand
"""Five cards as text, `10♠ 7♥ 5♣ A♦ 3♠`, or as a list."""


class RuleChanges(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules that are changed most often; null leaves a rule as it is."""

    difficulty: Annotated[NumberText | None, option("How hard the opponent is.", metavar="NUMBER")] = None
    weapon: Annotated[NumberText | None, option("What your weapon adds to attack.", metavar="NUMBER")] = None
    armor: Annotated[NumberText | None, option("What your armour adds to defence.", metavar="NUMBER")] = None
    skill: Annotated[NumberText | None, option("Your skill.", metavar="NUMBER")] = None
    hidden: Annotated[
        bool | None, option("Whether the opponent hides its split.", "--hidden/--shown", shows_default=False)
    ] = None


NO_CHANGES: Final = RuleChanges()


def change_rules(rules: Rules, changes: RuleChanges) -> Rules:
    """Return the rules with some of them changed; a value that is out of bounds is refused.

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
    return rules.changed([f"{key}={value}" for key, value in values.items() if value is not None])


def read_hand(given: AnyHand) -> Hand:
    """Return the cards of a hand."""
    return cards(given) if isinstance(given, str) else given
