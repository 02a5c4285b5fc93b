"""Rules with numbers small enough for brute force with fractions over a whole duel."""

from typing import Any

from oddsmith.games.duel.rules import House, Rules
from oddsmith.poker import HandRank

VALUES = {str(pips): pips // 5 for pips in range(2, 11)} | {"J": 2, "Q": 2, "K": 2, "A": 3}
BONUSES = dict(zip(HandRank, (8, 6, 5, 4, 3, 3, 2, 2, 1, 0), strict=True))
HOUSE = House(hp=6, hp_per_difficulty=0, attack_cards=((1, 2, 3, 4), (3,), (4,), (5,)))


def pocket_rules(**changes: Any) -> Rules:  # noqa: ANN401  any key of the rules
    """Return small rules: 4 against 6 hit points, three rounds, cards with values 0 to 3."""
    small: dict[str, Any] = {
        "player_hp": 4,
        "rounds": 3,
        "flee_rounds": 2,
        "card_values": VALUES,
        "hand_bonuses": BONUSES,
        "house": HOUSE,
    }
    return Rules(**(small | changes))
