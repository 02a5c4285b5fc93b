"""Request fields of the Fate Deck for decks, cards, triggers and shares, and the functions that read them.

A request gives a deck as a `KnownDeck`, as the text of a deck file, or as the memory of a view. Without any of them the
deck is fresh.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, Protocol, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.errors import InputError, OddsmithError, nearest
from oddsmith.games.fate import deck_files
from oddsmith.games.fate.deck import remember
from oddsmith.games.fate.draws import require_drawable
from oddsmith.games.fate.memory import Memory, lying_cards
from oddsmith.games.fate.model import Number
from oddsmith.games.fate.odds import MOST_TRIGGERS, known_memory
from oddsmith.games.fate.rule_types import NO_TARGET, CheckKind
from oddsmith.games.fate.rule_types import Target as RulesTarget
from oddsmith.games.fate.rules import Rules
from oddsmith.games.fate.triggers import Trigger, read_trigger
from oddsmith.question import FileFlag, GivenRules, option, spread

MOST_PLAYERS: Final = 9
FINEST_SHARE: Final = 10_000
LONGEST_QUOTE: Final = 60
FILES_CACHED: Final = 8
DEFAULT_RULES: Final = "default"
_SHARE: Final = re.compile(r"\d{1,9}/[1-9]\d{0,8}|\d{1,3}(\.\d{1,9})?")

CardTexts: TypeAlias = Annotated[tuple[str, ...], Meta(max_length=200)]
"""Cards as text: each may be several, with spaces or commas between them."""


class KnownDeck(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of a deck in use; by default it is fresh.

    `seen` are on the discard pile, `top` from the top down, `bottom` down to the lowest card, `out` in a player's hand.
    `discards` more cards were discarded unseen.
    """

    seen: Annotated[CardTexts, option("Seen and discarded, the last first.", metavar="CARDS")] = ()
    top: Annotated[CardTexts, option("Known to lie on top, from the top.", metavar="CARDS")] = ()
    bottom: Annotated[CardTexts, option("Known to lie below, the lowest last.", metavar="CARDS")] = ()
    out: Annotated[CardTexts, option("In a hand: not in deck or discards.", metavar="CARDS")] = ()
    discards: Annotated[int, option("How many were discarded unseen.", metavar="NUMBER"), Meta(ge=0)] = 0

    def memory(self, rules: Rules) -> Memory:
        """Return the memory of the deck, or raise `InputError` where no deck of the rules is consistent with it."""
        return known_memory(
            rules,
            seen=read_cards(self.seen),
            top=read_cards(self.top),
            bottom=read_cards(self.bottom),
            out=read_cards(self.out),
            unseen_discards=self.discards,
        )


FRESH: Final = KnownDeck()


def read_deck_option(path: str | None, others: Mapping[str, Any]) -> str:
    """Return the text of a deck file, that of the user's own deck where no path is given.

    Raise `InputError` where `others` also give a deck or rules, and `RecordError` for a file that cannot be read.
    """
    _require_one_deck(has_known_deck="deck" in others, has_rules="rules" in others)
    return deck_files.read_text(deck_files.deck_path(None if path is None else Path(path)))


def _require_one_deck(*, has_known_deck: bool, has_rules: bool) -> None:
    if has_known_deck:
        raise InputError(
            "two_decks",
            "a deck file says itself what you have seen: leave --seen, --top, --bottom, --out and --discards out",
        )
    if has_rules:
        raise InputError("two_decks", "a deck file has rules of its own: leave --rules and --set out")


# --- fields of requests ----------------------------------------------------------------------------------------------

Deck: TypeAlias = Annotated[KnownDeck | None, spread("What is known of the deck; fresh by default.")]
DeckFile: TypeAlias = Annotated[
    Annotated[str, Meta(max_length=deck_files.LARGEST)] | None,
    option(
        "What you know of the deck in this file.",
        "--deck",
        metavar="FILE",
        from_file=read_deck_option,
        file_flag=FileFlag(
            name="kept",
            help="What you know of your own deck, that of fate draw.",
            code="two_decks",
            sentence="--deck names a deck, --kept means yours: give one of the two",
        ),
    ),
]
Count: TypeAlias = Annotated[
    Annotated[int, Meta(ge=1, le=200)] | None,
    option("How many cards; by default as on turn.", "--draw", metavar="NUMBER"),
]
Target: TypeAlias = Annotated[Number | None, option("The total to reach.", metavar="NUMBER")]
Modifier: TypeAlias = Annotated[Number, option("Added to the cards.", metavar="NUMBER")]
Triggers: TypeAlias = Annotated[
    tuple[str, ...],
    option("A trigger, such as 'single(spade)'; repeat.", "--trigger", metavar="TEXT"),
]
WantedTrigger: TypeAlias = Annotated[str | None, option("A trigger that has to fire too.", metavar="TEXT")]
CheckName: TypeAlias = Annotated[
    Annotated[str, Meta(max_length=40)] | None, option("A check of the rules.", "--check", metavar="NAME")
]
"""A check of the rules, whose target and trigger are those of the rules."""
Player: TypeAlias = Annotated[
    Annotated[int, Meta(ge=1, le=MOST_PLAYERS)] | None,
    option("The player, from 1: its numbers and talents count.", metavar="NUMBER"),
]
"""A player, from 1, whose own modifier is added, and whose talents are counted."""


class DrawRequest(Protocol):
    """A request with a deck, and what is drawn from it."""

    @property
    def rules(self) -> GivenRules:
        """The rules as a request gives them."""
        ...

    @property
    def deck(self) -> KnownDeck | None:
        """What is known of the deck."""
        ...

    @property
    def deck_file(self) -> str | None:
        """The text of a deck file."""
        ...

    @property
    def memory(self) -> Memory | None:
        """The memory of a view."""
        ...

    @property
    def count(self) -> int | None:
        """The number of cards; None for that of the rules."""
        ...

    @property
    def on_turn(self) -> bool:
        """Whether the check is on turn."""
        ...

    @property
    def modifier(self) -> int:
        """The number that is added to the cards."""
        ...

    @property
    def player(self) -> int | None:
        """The player, from 1, whose own modifier is added, and whose talents are counted."""
        ...


class CheckRequest(DrawRequest, Protocol):
    """A request that also has a check, by its name in the rules or by its target."""

    @property
    def check(self) -> str | None:
        """The name of a check of the rules."""
        ...

    @property
    def target(self) -> int | None:
        """The total to reach."""
        ...


class KnownDraw(NamedTuple):
    """A draw: the rules in force, the memory of the deck, the number of cards, the modifier, and the player's talents."""

    rules: Rules
    memory: Memory
    cards: int
    modifier: int
    talents: tuple[str, ...]


class KnownCheck(NamedTuple):
    """A check: a draw, the target, and its triggers as text and parsed."""

    rules: Rules
    memory: Memory
    cards: int
    modifier: int
    talents: tuple[str, ...]
    target: int | None
    texts: tuple[str, ...]
    triggers: tuple[Trigger, ...]

    @property
    def rules_target(self) -> RulesTarget:
        """The target in the form of the rules."""
        return NO_TARGET if self.target is None else self.target

    @property
    def text(self) -> str | None:
        """The text of the one trigger that a check of the rules may have."""
        return next(iter(self.texts), None)

    @property
    def trigger(self) -> Trigger | None:
        """The one trigger that a check of the rules may have."""
        return next(iter(self.triggers), None)


# --- from requests to decks and checks -------------------------------------------------------------------------------


def read_draw(request: DrawRequest, rules: Rules) -> KnownDraw:
    """Return the draw of a request; its rules are those of its deck file, where it has one (§2.1, §2.3, §4.5)."""
    memory = _read_memory(request, rules)
    rules = rules_in_force(request, rules)
    count = request.count or (rules.on_turn if request.on_turn else rules.off_turn)
    modifier = request.modifier + (0 if request.player is None else rules.modifier(request.player))
    talents = () if request.player is None else rules.talents_of(request.player)
    return KnownDraw(rules, memory, count, modifier, talents)


def read_check(request: CheckRequest, texts: Sequence[str], rules: Rules) -> KnownCheck:
    """Return the check of a request, with these triggers or with that of a check of the rules."""
    target, texts = _read_target(request, tuple(texts), rules_in_force(request, rules))
    triggers = read_triggers(texts)
    draw = read_draw(request, rules)
    if request.check is not None and request.player is not None:
        draw = draw._replace(modifier=draw.modifier + check_score(request.check, request.player, draw.rules))
    return KnownCheck(*draw, target, texts, triggers)


def check_score(check: str, player: int, rules: Rules) -> int:
    """Return what a player's attribute and skill add in a check of the rules (§2.5)."""
    return rules.check_modifier(player, rules.checks[check]) - rules.modifier(player)


def rules_in_force(request: DrawRequest, rules: Rules) -> Rules:
    """Return the rules of a request's deck file, or those that are given where it has none."""
    return rules if request.deck_file is None else _parse_deck(request.deck_file).rules


def _read_memory(request: DrawRequest, rules: Rules) -> Memory:
    """Return the memory of the request's deck, or raise `InputError` where it gives two decks."""
    if request.memory is not None:
        if request.deck is not None or request.deck_file is not None:
            raise InputError(
                "bad_memory", "a deck is given as a deck or as a memory, not as both", where="memory"
            )
        return check_memory(request.memory, rules)
    if request.deck_file is None:
        return (request.deck or FRESH).memory(rules)
    _require_one_deck(has_known_deck=request.deck is not None, has_rules=request.rules != DEFAULT_RULES)
    return remember(_parse_deck(request.deck_file).deck, deck_files.OWNER)


@lru_cache(maxsize=FILES_CACHED)
def _parse_deck(text: str) -> deck_files.StoredDeck:
    try:
        return deck_files.parse_deck(text.encode())
    except OddsmithError as error:
        raise InputError(
            error.refusal.code,
            f"this is no valid deck file: {error.refusal.sentence}",
            where="deck_file",
        ) from error


def _read_target(
    request: CheckRequest, texts: tuple[str, ...], rules: Rules
) -> tuple[int | None, tuple[str, ...]]:
    """Return the target and the triggers of a check; those of a check of the rules come from the rules."""
    if request.check is None:
        return request.target, texts
    kind = _find_check(request.check, rules)
    if request.target is not None or texts:
        raise InputError(
            "bad_check",
            f"the target and the trigger of '{request.check}' are those of the rules",
            where="check",
        )
    return None if kind.target == NO_TARGET else kind.target, (kind.trigger,) if kind.trigger else ()


def _find_check(name: str, rules: Rules) -> CheckKind:
    if name not in rules.checks:
        raise InputError(
            "unknown_check", f"unknown check '{name}'{nearest(name, rules.checks)}", where="check"
        )
    return rules.checks[name]


def check_memory(memory: Memory, rules: Rules) -> Memory:
    """Return a memory with its unseen cards sorted; raise `InputError` where no deck of the rules is consistent with it.

    >>> check_memory(Memory(deck=(None, None), discard=("3♠",), unseen=("A♠", "J♠")), Rules()).deck
    (None, None)
    """
    in_rules, in_memory = Counter(rules.deck), Counter(lying_cards(memory))
    excess = [card for card, times in in_memory.items() if times > in_rules[card]]
    if excess:
        raise InputError(
            "card_too_often",
            f"'{excess[0][:20]}' is there {in_memory[excess[0]]} times, and {in_rules[excess[0]]} times in the deck",
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


# --- cards, triggers, shares -----------------------------------------------------------------------------------------


def read_cards(texts: Iterable[str]) -> list[str]:
    """Return the cards that texts list, with spaces or commas between them.

    >>> read_cards(["3♠ J♥, RJ", "2♦"])
    ['3♠', 'J♥', 'RJ', '2♦']
    """
    return [word for text in texts for word in re.split(r"[\s,]+", text) if word]


def read_triggers(texts: Sequence[str]) -> tuple[Trigger, ...]:
    """Return the triggers of texts, or raise `InputError` for too many or a malformed one."""
    triggers = tuple(map(read_trigger, texts))
    if len(triggers) > MOST_TRIGGERS:
        raise InputError("too_many_triggers", f"at most {MOST_TRIGGERS} triggers are asked at once")
    return triggers


def read_share(text: str) -> Fraction:
    """Return the share of checks that a text gives, or raise `InputError`.

    >>> read_share("1/2") == read_share("0.5") == read_share("50%")
    True
    """
    number = text.strip().removesuffix("%")
    if _SHARE.fullmatch(number) is None:
        raise InputError(
            "bad_share", f"'{text[:LONGEST_QUOTE]}' is no share of checks: write 1/2, 0.5 or 50%"
        )
    share = Fraction(number) / (100 if text.strip().endswith("%") else 1)
    if share.denominator > FINEST_SHARE:
        raise InputError(
            "bad_share", f"a share of checks is a fraction of at most {FINEST_SHARE:,}", where="share"
        )
    return share
