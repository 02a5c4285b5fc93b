"""Characters as people write them on a command line."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

import msgspec

from oddsmith.cards import Suit
from oddsmith.errors import InputError, nearest
from oddsmith.games.destiny.rules import Character, Rules
from oddsmith.games.destiny.scoring import npc
from oddsmith.points import Points

__all__ = ["Member", "gang_words", "read_character", "read_gang", "read_member", "write_character"]

T = TypeVar("T")


class Member(NamedTuple):
    """A contender, and the words that described it."""

    words: str
    character: Character


_TIMES: Final = re.compile(r"([0-9]{1,4})\s*[x×]")


def read_character(
    rules: Rules,
    *,
    skills: Sequence[str] | None = None,
    bonuses: Sequence[str] | None = None,
    items: Sequence[str] | None = None,
    location: str | None = None,
    buffs: Sequence[str] | None = None,
    outlaw: str | None = None,
    at: int = 0,
) -> Character:
    """Return the character that the options describe, refused where the rules do not know it."""
    if outlaw is not None and outlaw not in rules.outlaws:
        raise InputError(
            "unknown_outlaw", f"unknown outlaw '{outlaw[:40]}'{nearest(outlaw[:40], rules.outlaws)}"
        )
    base = Character() if outlaw is None else rules.outlaws[outlaw]
    explicit = _pairs("bonus", bonuses, Points)
    character = Character(
        skills={**base.skills, **_pairs("skill", skills, lambda text: _whole("a level", text))},
        bonuses={**base.bonuses, **{_suit(suit): points for suit, points in explicit.items()}},
        items=(*base.items, *(items or ())),
        location=base.location if location is None else location,
        buffs={**base.buffs, **_pairs("buff", buffs, lambda text: _whole("a start", text), missing=at)},
    )
    rules.require(character)
    return character


def _pairs(
    what: str, given: Sequence[str] | None, read: Callable[[str], T], *, missing: T | None = None
) -> dict[str, T]:
    """Read `NAME=VALUE` options of one kind, each name once."""
    pairs: dict[str, T] = {}
    for text in given or ():
        name, equals, value = (part.strip() for part in text.partition("="))
        if name in pairs:
            raise InputError("given_twice", f"{what} '{name[:40]}' is given twice")
        if equals:
            pairs[name] = read(value)
        elif missing is not None:
            pairs[name] = missing
        else:
            raise InputError(
                "bad_pair", f"--{what} needs NAME=VALUE, such as {_EXAMPLES[what]}, not '{text[:40]}'"
            )
    return pairs


_EXAMPLES: Final = {"skill": "lockpicking=50", "bonus": "spades=27.28"}


def _whole(what: str, text: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,9}", text):
        raise InputError("not_whole", f"{what} is a whole number, not '{text[:40]}'")
    return int(text)


def _suit(name: str) -> Suit:
    if name not in list(Suit):
        raise InputError("unknown_suit", f"unknown suit '{name[:40]}'{nearest(name[:40], Suit)}")
    return Suit(name)


def read_member(text: str, rules: Rules) -> Member:
    """Read one contender: skills, suit bonuses and names, separated by spaces or commas.

    >>> read_member("gun_fighting=50, iron_horseshoe sangre_canyon", Rules()).words
    'gun_fighting=50 iron_horseshoe sangre_canyon'
    >>> read_member("elite hearts=2.5", Rules()).character.bonuses[Suit.HEARTS]
    Points('42.87')
    """
    tokens = text.replace(",", " ").split()
    if not tokens:
        raise InputError(
            "empty_character",
            "a contender needs at least one skill, bonus or name; an untrained one is 'greenhorn'",
        )
    skills, bonuses, items, buffs = [], [], [], []
    named: dict[str, str] = {}
    for token in tokens:
        name, equals, _ = token.partition("=")
        if name in rules.buffs:
            buffs.append(token)
        elif equals and name in list(Suit):
            bonuses.append(token)
        elif equals:
            skills.append(token)
        elif name in rules.items:
            items.append(name)
        else:
            kind = _kind_of(name, rules)
            if kind in named:
                raise InputError("given_twice", f"a contender has one {kind}: '{named[kind]}' or '{name}'")
            named[kind] = name
    character = read_character(
        rules,
        skills=skills,
        bonuses=bonuses,
        items=items,
        location=named.get("location"),
        buffs=buffs,
        outlaw=named.get("outlaw"),
    )
    if "NPC" in named:
        character = _with_bonuses(character, npc(named["NPC"], rules).bonuses)
    return Member(" ".join(tokens), character)


def _kind_of(name: str, rules: Rules) -> str:
    """Say what a bare name names."""
    for kind, names in (("location", rules.locations), ("outlaw", rules.outlaws), ("NPC", rules.npcs)):
        if name in names:
            return kind
    known = [*rules.outlaws, *rules.npcs, *rules.items, *rules.locations, *rules.buffs]
    raise InputError("unknown_name", f"unknown name '{name[:40]}'{nearest(name[:40], known)}")


def _with_bonuses(character: Character, more: Mapping[Suit, Points]) -> Character:
    """Return the character with more bonuses added to its own."""
    bonuses = {suit: character.bonuses.get(suit, Points(0)) + points for suit, points in more.items()}
    return msgspec.structs.replace(character, bonuses={**character.bonuses, **bonuses})


def read_gang(members: Sequence[str], rules: Rules) -> list[Member]:
    """Read a side's members; `3x elite` is three of them.

    >>> len(read_gang(["3x elite", "calamity_rose"], Rules()))
    4
    """
    gang: list[Member] = []
    for text in members:
        times = _TIMES.match(text.strip())
        count = int(times[1]) if times else 1
        if not 1 <= count <= rules.gang_limit:
            raise InputError(
                "gang_too_large", f"a gang has 1 to {rules.gang_limit} members, not {count}", paragraph="9.4"
            )
        gang += [read_member(text.strip()[times.end() :] if times else text, rules)] * count
    return gang


def gang_words(gang: Sequence[Member]) -> Iterator[tuple[str, Character]]:
    """Yield each kind of member once, with how many there are.

    >>> [words for words, _ in gang_words(read_gang(["2x elite", "iron_jack", "elite"], Rules()))]
    ['3 × elite', '1 × iron_jack']
    """
    sizes = Counter(member.character for member in gang)
    words = {member.character: member.words for member in reversed(gang)}
    for character, size in sizes.items():
        yield f"{size} × {words[character]}", character


def write_character(character: Character) -> str:
    """Write a character in one line, as `read_member` reads it.

    >>> write_character(Character(skills={"stealth": 40}, location="frontera"))
    'stealth=40 frontera'
    """
    parts = [f"{skill}={level}" for skill, level in character.skills.items()]
    parts += [f"{suit}={points}" for suit, points in character.bonuses.items()]
    parts += [*dict.fromkeys(character.items), *([character.location] if character.location else [])]
    parts += [f"{buff}={start}" for buff, start in character.buffs.items()]
    return " ".join(parts) or "untrained"
