"""Parsing and formatting of characters, gangs, hands and targets, given as text or as objects.

A character is written as skills, suit bonuses and names of items, places, buffs, outlaws or NPC tiers:
`stealth=40 clubs=2.5 frontera`, `elite hearts=2.5`. A gang is a list of characters; `3x elite` is three of them.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Final, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.cards import JOKERS, STANDARD_DECK, Suit, cards
from oddsmith.chance import Draw
from oddsmith.errors import InputError, nearest
from oddsmith.games.destiny.decks import STANDARD, first_deal
from oddsmith.games.destiny.model import Hand
from oddsmith.games.destiny.rule_types import Moment
from oddsmith.games.destiny.rules import DEFAULT, Character, DeckRules, Rules
from oddsmith.games.destiny.scoring import (
    NOTHING,
    Bonuses,
    Target,
    character_bonuses,
    npc,
    require_gang,
    require_hand,
    target,
)
from oddsmith.points import Points
from oddsmith.question import fields_of, option, read_field, read_request
from oddsmith.rules import ValidatedStruct
from oddsmith.wire import frozen_mapping

CACHED: Final = 1_000
"""Characters and bonuses in each cache."""
LONGEST_CACHED: Final = 200
"""The length of the longest text that is cached; a longer one is parsed every time."""
MOST_MEMBERS: Final = 10


NONE: Final[Mapping[str, int]] = frozen_mapping({})


class CharacterInput(ValidatedStruct, frozen=True, kw_only=True):
    """A character as an object: an outlaw to start from, and what is added to it.

    A buff without a start starts at the moment of the draw.
    """

    skills: Annotated[
        Mapping[str, int],
        option(
            "A trained skill; repeat.",
            "--skill",
            metavar="NAME=LEVEL",
            noun="a level",
            example="lockpicking=50",
        ),
        Meta(max_length=100),
    ] = NONE
    bonuses: Annotated[
        Mapping[Suit, Points],
        option("An explicit suit bonus; repeat.", "--bonus", metavar="SUIT=POINTS", example="spades=27.28"),
    ] = frozen_mapping({})
    items: Annotated[
        tuple[str, ...], option("A carried item; repeat.", "--item", metavar="NAME"), Meta(max_length=100)
    ] = ()
    location: Annotated[str | None, option("Where it happens.", metavar="NAME")] = None
    buffs: Annotated[
        Mapping[str, Moment | None],
        option("A buff and the second it began; repeat.", "--buff", metavar="NAME[=START]", noun="a start"),
        Meta(max_length=100),
    ] = frozen_mapping({})
    outlaw: Annotated[str | None, option("Start from an outlaw of the roster.", metavar="NAME")] = None
    npc: str | None = None
    """A kind of NPC whose bonuses are added."""


AnyCharacter: TypeAlias = str | CharacterInput
"""A character as text or as an object."""
AnyTarget: TypeAlias = str | int | float
"""The name of a crime or a skill check, or a threshold."""
Gang: TypeAlias = Annotated[tuple[AnyCharacter, ...], Meta(max_length=MOST_MEMBERS)]
"""The members of one side of a gang war; a text such as `3x elite` is several."""

At: TypeAlias = Annotated[Moment, option("The moment of the draw.", metavar="SECONDS", shows_bounds=False)]
DefenseBonus: TypeAlias = Annotated[Points, option("The bonus of a defender of territory.", metavar="POINTS")]
AnyHand: TypeAlias = str | Hand
"""Five cards as text, `A♠ K♠ Q♠ J♠ 10♠`, or as a list."""

UNTRAINED: Final = CharacterInput()


class Member(NamedTuple):
    """A character and the text that describes it."""

    words: str
    character: Character


_TIMES: Final = re.compile(r"([0-9]{1,4})\s*[x×]")


# --- characters ------------------------------------------------------------------------------------------------------


def read_character(given: AnyCharacter, rules: Rules, at: int = 0) -> Character:
    """Return the character of a text or an object; `at` is the moment of the draw.

    Raises `InputError` where the rules do not know a name or a number is out of range.

    >>> read_character("gun_fighting=50, iron_horseshoe sangre_canyon", Rules()).location
    'sangre_canyon'
    >>> read_character("elite hearts=2.5", Rules()).bonuses[Suit.HEARTS]
    Points('42.87')
    """
    if isinstance(given, str):
        return (_character_of_text if len(given) <= LONGEST_CACHED else _parse_and_read)(given, rules, at)
    whole = _with_outlaw(given, rules)
    character = Character(
        skills=whole.skills,
        bonuses=whole.bonuses,
        items=whole.items,
        location=whole.location,
        buffs={buff: at if start is None else start for buff, start in whole.buffs.items()},
    )
    rules.require(character)
    return character if given.npc is None else _with_bonuses(character, npc(given.npc, rules).bonuses)


def _parse_and_read(text: str, rules: Rules, at: int) -> Character:
    return read_character(parse_character(text, rules), rules, at)


_character_of_text = lru_cache(maxsize=CACHED)(_parse_and_read)


def _with_outlaw(given: CharacterInput, rules: Rules) -> CharacterInput:
    """Return the character with the entries of its outlaw; its own entries take precedence."""
    if given.outlaw is None:
        return given
    if given.outlaw not in rules.outlaws:
        name = given.outlaw[:40]
        raise InputError("unknown_outlaw", f"unknown outlaw '{name}'{nearest(name, rules.outlaws)}")
    base = rules.outlaws[given.outlaw]
    return msgspec.structs.replace(
        given,
        outlaw=None,
        skills={**base.skills, **given.skills},
        bonuses={**base.bonuses, **given.bonuses},
        items=(*base.items, *given.items),
        location=base.location if given.location is None else given.location,
        buffs={**base.buffs, **given.buffs},
    )


def parse_character(text: str, rules: Rules) -> CharacterInput:
    """Parse a character: skills, suit bonuses and names, separated by spaces or commas.

    >>> parse_character("stealth=40, frontera", Rules()).location
    'frontera'
    """
    tokens = _tokens(text)
    if not tokens:
        raise InputError(
            "empty_character",
            "a contender needs at least one skill, bonus or name; an untrained one is 'greenhorn'",
        )
    pairs: dict[str, list[str]] = {"bonuses": [], "skills": [], "items": [], "buffs": []}
    named: dict[str, str] = {}
    for token in tokens:
        name, equals, _ = token.partition("=")
        if name in rules.buffs:
            pairs["buffs"].append(token)
        elif equals:
            pairs["bonuses" if name in list(Suit) else "skills"].append(token)
        elif name in rules.items:
            pairs["items"].append(name)
        else:
            kind = _kind_of(name, rules)
            if kind in named:
                called = "NPC" if kind == "npc" else kind
                raise InputError("given_twice", f"a contender has one {called}: '{named[kind]}' or '{name}'")
            named[kind] = name
    fields = {field.name: field for field in fields_of(CharacterInput)}
    data = {name: read_field(fields[name], texts) for name, texts in pairs.items()}
    return read_request(CharacterInput, {**data, **named})


def write_out_character(text: str, rules: Rules) -> CharacterInput:
    """Parse a character and replace an outlaw of the roster by its skills, bonuses, items, place and buffs.

    >>> write_out_character("calamity_rose stealth=50", Rules()).skills["lockpicking"]
    50
    """
    return _with_outlaw(parse_character(text, rules), rules)


def _tokens(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _kind_of(name: str, rules: Rules) -> str:
    """Return the field of `CharacterInput` for a bare name: its location, outlaw or NPC."""
    for kind, names in (("location", rules.locations), ("outlaw", rules.outlaws), ("npc", rules.npcs)):
        if name in names:
            return kind
    known = [*rules.outlaws, *rules.npcs, *rules.items, *rules.locations, *rules.buffs]
    raise InputError("unknown_name", f"unknown name '{name[:40]}'{nearest(name[:40], known)}")


def _with_bonuses(character: Character, more: Mapping[Suit, Points]) -> Character:
    """Return the character with `more` added to its own bonuses."""
    bonuses = {suit: character.bonuses.get(suit, Points(0)) + points for suit, points in more.items()}
    return msgspec.structs.replace(character, bonuses={**character.bonuses, **bonuses})


def write_character(character: Character) -> str:
    """Write a character in one line, as `read_character` reads it.

    >>> write_character(Character(skills={"stealth": 40}, location="frontera"))
    'stealth=40 frontera'
    """
    parts = [f"{skill}={level}" for skill, level in character.skills.items()]
    parts += [f"{suit}={points}" for suit, points in character.bonuses.items()]
    parts += [*dict.fromkeys(character.items), *([character.location] if character.location else [])]
    parts += [f"{buff}={start}" for buff, start in character.buffs.items()]
    return " ".join(parts) or "untrained"


def character_input(character: Character) -> CharacterInput:
    """Return a character as an object of a request."""
    return CharacterInput(**msgspec.structs.asdict(character))


def describe_character(given: AnyCharacter, character: Character) -> str:
    """Return the text that a character was given as, or the character in one line."""
    return " ".join(_tokens(given)) if isinstance(given, str) else write_character(character)


# --- gangs -----------------------------------------------------------------------------------------------------------


def read_gang(
    members: Sequence[AnyCharacter], rules: Rules, at: int = 0, *, where: str | None = None
) -> list[Member]:
    """Return the members of a side; the text `3x elite` is three of them.

    Raises `InputError`, with the field `where` it was given, for a side that is empty or too large.

    >>> len(read_gang(["3x elite", "calamity_rose"], Rules()))
    4
    """
    gang: list[Member] = []
    for given in members:
        count, described = _read_count(given, rules, where) if isinstance(given, str) else (1, given)
        character = read_character(described, rules, at)
        gang += [Member(describe_character(described, character), character)] * count
    require_gang(len(gang), rules, where=where)
    return gang


def _read_count(text: str, rules: Rules, where: str | None) -> tuple[int, str]:
    times = _TIMES.match(text.strip())
    if times is None:
        return 1, text
    count = int(times[1])
    if not 1 <= count <= rules.gang_limit:
        sentence = f"a gang has 1 to {rules.gang_limit} members, not {count}"
        raise InputError("gang_too_large", sentence, where=where, paragraph="9.4")
    return count, text.strip()[times.end() :]


def gang_words(gang: Sequence[Member]) -> Iterator[Member]:
    """Yield each kind of member once, described with its count.

    >>> [words for words, _ in gang_words(read_gang(["2x elite", "iron_jack", "elite"], Rules()))]
    ['3 × elite', '1 × iron_jack']
    """
    sizes = Counter(member.character for member in gang)
    words = {member.character: member.words for member in reversed(gang)}
    for character, size in sizes.items():
        yield Member(f"{size} × {words[character]}", character)


# --- hands, targets and bonuses --------------------------------------------------------------------------------------


def read_hand(given: AnyHand, rules: Rules = DEFAULT, *, where: str = "hand") -> Hand:
    """Return a hand given as text or as cards; raise `InputError`, with its field, where it is none (§1.1, §1.4)."""
    hand = read_cards(given, rules.deck)
    require_hand(hand, rules, where=where)
    return hand


def read_cards(given: AnyHand, deck: DeckRules = STANDARD) -> Hand:
    """Return cards given as text or as cards; raise `InputError` for text that has one more often than the deck.

    Cards that are not in the deck at all are left to `require_hand`, which says what the deck has.
    """
    if not isinstance(given, str):
        return given
    return cards(given, deck=(*STANDARD_DECK * deck.decks, *JOKERS * max(1, (deck.jokers + 1) // 2)))


def draw_hand(draw: Draw, rules: Rules = DEFAULT) -> Hand:
    """Return five cards of a full deck."""
    return first_deal(rules.deck).sample(draw)


def read_target(given: AnyTarget, rules: Rules) -> Target:
    """Return the crime, skill check or threshold of a name or number (§7.3, §7.4)."""
    return target(str(given), rules)


def read_bonuses(given: AnyCharacter, rules: Rules, at: int, defense_bonus: Points = NOTHING) -> Bonuses:
    """Return the bonuses of a character given as text or as an object, at a moment; results are cached."""
    if isinstance(given, str) and len(given) > LONGEST_CACHED:
        return _cached_bonuses(read_character(given, rules, at), rules, at, defense_bonus)
    return _bonuses_of_input(given, rules, at, defense_bonus)


@lru_cache(maxsize=CACHED)
def _bonuses_of_input(given: AnyCharacter, rules: Rules, at: int, defense_bonus: Points) -> Bonuses:
    return _cached_bonuses(read_character(given, rules, at), rules, at, defense_bonus)


@lru_cache(maxsize=CACHED)
def _cached_bonuses(character: Character, rules: Rules, at: int, defense_bonus: Points) -> Bonuses:
    return character_bonuses(character, rules, at=at, defense_bonus=defense_bonus)


def gang_bonuses(
    gang: Sequence[Member], rules: Rules, at: int, defense_bonus: Points = NOTHING
) -> list[Bonuses]:
    """Return the bonuses of every member of a side at a moment."""
    return [_cached_bonuses(member.character, rules, at, defense_bonus) for member in gang]
