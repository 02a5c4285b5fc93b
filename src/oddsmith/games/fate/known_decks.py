"""What a question names becomes what the rules work with: a deck as it is known, and a check with what it wants."""

from collections import Counter
from typing import Annotated, Final, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.errors import InputError, nearest
from oddsmith.games.fate.draws import cards_known, require_drawable
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.model import Number
from oddsmith.games.fate.odds import known_memory
from oddsmith.games.fate.rules import NO_TARGET, CheckKind, Rules
from oddsmith.games.fate.triggers import LONGEST
from oddsmith.questions import GivenRules

__all__ = ["AskedCheck", "AskedDeck", "CardTexts", "KnownDeck", "TriggerText", "Wanted", "proved_memory"]

CardText: TypeAlias = Annotated[str, Meta(max_length=40)]
CardTexts: TypeAlias = Annotated[tuple[CardText, ...], Meta(max_length=200)]
TriggerText: TypeAlias = Annotated[str, Meta(max_length=LONGEST)]

MOST_PLAYERS: Final = 9


class KnownDeck(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of a deck in use; a fresh one unless told.

    `seen` lie on the discard pile, `top` from the top down, `bottom` down to the very bottom, `out` in somebody's hand;
    `discards` more lie on the discard pile unseen.
    """

    seen: CardTexts = ()
    top: CardTexts = ()
    bottom: CardTexts = ()
    out: CardTexts = ()
    discards: Annotated[int, Meta(ge=0, le=200)] = 0

    def memory(self, rules: Rules) -> Memory:
        """Return it as the rules remember it."""
        return known_memory(
            rules,
            seen=self.seen,
            top=self.top,
            bottom=self.bottom,
            out=self.out,
            unseen_discards=self.discards,
        )


FRESH: Final = KnownDeck()


class Wanted(NamedTuple):
    """What is added to a check, which total it wants, and what may fire."""

    modifier: int
    target: int | None
    triggers: tuple[str, ...]


class AskedDeck(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="checks"
):
    """A draw from a deck: how many cards (as many as on turn, unless told), and what is added.

    The deck is told as a `deck`, or as the `memory` of a view, which is sent back as it came. A `player`, from 1, adds
    the own modifier.
    """

    rules: GivenRules = "default"
    deck: KnownDeck | None = None
    memory: Memory | None = None
    on_turn: bool = True
    count: Annotated[int, Meta(ge=1, le=200)] | None = None
    player: Annotated[int, Meta(ge=1, le=MOST_PLAYERS)] | None = None
    modifier: Number = 0

    def cards(self, rules: Rules) -> int:
        """Return how many cards are drawn (§2.1)."""
        return self.count or (rules.on_turn if self.on_turn else rules.off_turn)

    def added(self, rules: Rules) -> int:
        """Return what is added to the cards (§2.3)."""
        return self.modifier + (0 if self.player is None else rules.modifier(self.player))

    def known(self, rules: Rules) -> Memory:
        """Return what is known of the deck."""
        if self.memory is None:
            return (self.deck or FRESH).memory(rules)
        if self.deck is not None:
            raise InputError(
                "bad_memory", "a deck is told as a deck or as a memory, not as both", where="memory"
            )
        return proved_memory(self.memory, rules)


class AskedCheck(AskedDeck, frozen=True, kw_only=True, tag="check"):
    """A check from a deck, and what is wanted; a `check` of the rules has its target and its trigger from there."""

    check: Annotated[str, Meta(max_length=40)] | None = None
    target: Number | None = None

    def wanted(self, rules: Rules, triggers: tuple[str, ...]) -> Wanted:
        """Return what the check wants, with these triggers or with that of the rules' own check."""
        modifier = self.added(rules)
        if self.check is None:
            return Wanted(modifier, self.target, triggers)
        kind = _kind(self.check, rules)
        if self.target is not None or triggers:
            raise InputError(
                "bad_check",
                f"the target and the trigger of '{self.check}' are those of the rules",
                where="check",
            )
        target = None if kind.target == NO_TARGET else kind.target
        return Wanted(modifier, target, (kind.trigger,) if kind.trigger else ())


def _kind(name: str, rules: Rules) -> CheckKind:
    if name not in rules.checks:
        raise InputError(
            "unknown_check", f"unknown check '{name}'{nearest(name, rules.checks)}", where="check"
        )
    return rules.checks[name]


def proved_memory(memory: Memory, rules: Rules) -> Memory:
    """Return what somebody knows of a deck, refused where no deck of these rules agrees with it.

    >>> proved_memory(Memory(deck=(None, None), discard=("3♠",), unseen=("A♠", "J♠")), Rules()).deck
    (None, None)
    """
    composed, lying = Counter(rules.deck), Counter(cards_known(memory))
    strange = [card for card, times in lying.items() if times > composed[card]]
    if strange:
        raise InputError(
            "card_too_often",
            f"'{strange[0][:20]}' is there {lying[strange[0]]} times, and {composed[strange[0]]} times in the deck",
            where="memory",
        )
    if any(mixed.unknown < 0 for mixed in memory.sets) or len(memory.deck) < 1 + (not memory.discard):
        raise InputError(
            "bad_memory",
            "a deck is never empty: it has at least one card, and two where nothing is discarded; no set has less than "
            "no unknown card",
            where="memory",
        )
    require_drawable(memory, 1)
    return msgspec.structs.replace(memory, unseen=tuple(sorted(memory.unseen)))
