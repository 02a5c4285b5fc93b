"""Cards that a person gives are read here: each of the deck that is played with, and none twice."""

from pathlib import Path
from typing import Final

from oddsmith.cards import Card, card, require_held
from oddsmith.chance import Seeded
from oddsmith.errors import InputError
from oddsmith.games.casino.rules import Rules

__all__ = ["read_cards", "read_deck_file", "seeded_deck"]

LARGEST_FILE: Final = 4 * 1024


def read_cards(text: str, rules: Rules) -> tuple[Card, ...]:
    """Read cards, parted by spaces, commas or lines.

    >>> read_cards("7d, 3♠", Rules())
    (card('7♦'), card('3♠'))
    """
    found = tuple(map(card, text.replace(",", " ").split()))
    for known in found:
        if known not in rules.cards:
            raise InputError("unknown_card", f"{known} is not in the {rules.deck} deck", paragraph="1.2")
    require_held(found, rules.cards)
    return found


def read_deck_file(path: Path, rules: Rules) -> tuple[Card, ...]:
    """Read a deck in its order from a file."""
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise InputError("no_deck", f"no deck can be read from '{str(path)[:80]}'") from error
    if len(text) > LARGEST_FILE:
        raise InputError("file_too_large", f"a deck has at most {LARGEST_FILE:,} bytes: {str(path)[:80]}")
    try:
        return read_cards(text.decode(), rules)
    except UnicodeDecodeError as error:
        raise InputError("not_text", f"'{str(path)[:80]}' is not UTF-8 text") from error


def seeded_deck(seed: str, rules: Rules) -> tuple[Card, ...]:
    """Return the deck of a seed, whose first deal is the one of `oddsmith play casino --seed`.

    >>> seeded_deck("yuma", Rules())[:4]
    (card('9♣'), card('5♦'), card('3♦'), card('9♠'))
    """
    draw, pool = Seeded(seed), sorted(rules.cards)
    return tuple(pool.pop(draw.below(len(pool))) for _ in rules.cards)
