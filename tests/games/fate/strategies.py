"""Hypothesis strategies: memories of a seat of a small deck after random moves, and random rulesets."""

from collections.abc import Sequence
from typing import Any, Final

from hypothesis import strategies as st

from oddsmith.games.fate.deck import remember
from oddsmith.games.fate.effects import (
    Ability,
    AddToTotal,
    DrawMore,
    Heal,
    LookAtTop,
    RedrawFailure,
    Regain,
    Strike,
    TalentEffect,
)
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.rule_types import (
    NO_TARGET,
    Callers,
    CardKind,
    CardSuit,
    Character,
    CheckKind,
    Combine,
    Talent,
)
from oddsmith.games.fate.rules import LEAST_CARDS, Rules
from tests.games.fate.builders import SMALL, random_state

TRIGGERS: Final = (
    "single(spade)",
    "single(spade, heart)",
    "both(red)",
    "pair(spade, any)",
    "at_least(1, club)",
    "none(any) or cards == 1",
    "not highest > 2 and sum >= 1",
    "lowest != 0",
)
ATTRIBUTES: Final = ("strength", "wits")
SKILLS: Final = ("lore", "fighting")
PADDING: Final = "Z"


def memories() -> st.SearchStrategy[Memory]:
    """Return what a seat or a spectator knows after at most sixty moves."""
    return st.builds(
        lambda seed, most, seat: remember(random_state(SMALL, 2, seed, most).deck, seat),
        st.integers(0, 10**6),
        st.integers(0, 60),
        st.sampled_from([0, 1, 2, None]),
    )


def rulesets() -> st.SearchStrategy[Rules]:
    """Return rules in which every field varies, with games of at most three turns."""
    return talents().flatmap(
        lambda known: st.builds(
            make_rules,
            kinds=st.lists(card_kinds(), min_size=1, max_size=6, unique_by=lambda kind: kind.name),
            fields=st.fixed_dictionaries(
                {
                    "on_turn": st.integers(1, 3),
                    "off_turn": st.integers(1, 2),
                    "combine": st.sampled_from(Combine),
                    "callers": st.sampled_from(Callers),
                    "checks": st.dictionaries(st.sampled_from("abc"), check_kinds(), min_size=1),
                    "modifiers": st.lists(st.integers(-2, 2), max_size=3).map(tuple),
                    "talents": st.just(known),
                    "characters": st.lists(characters(sorted(known)), max_size=3).map(tuple),
                    "health": st.integers(0, 5),
                    "most_players": st.integers(1, 3),
                    "turns": st.integers(1, 3),
                    "checks_per_turn": st.integers(1, 3),
                    "abilities": st.dictionaries(st.sampled_from(Ability), st.integers(0, 3)),
                    "most_peeked": st.integers(1, 3),
                    "most_discarded": st.integers(1, 3),
                    "most_returned": st.integers(1, 3),
                    "extras_per_check": st.integers(0, 2),
                    "redraws_per_check": st.integers(0, 2),
                }
            ),
        )
    )


def make_rules(kinds: Sequence[CardKind], fields: dict[str, Any]) -> Rules:
    """Return rules with these cards, and with as many plain ones as the deck needs besides (§3.4)."""
    most = Rules(**fields | {"cards": (_padding(20), *(_padding(20, f"{PADDING}{n}") for n in range(5)))})
    size = sum(kind.copies for kind in kinds)
    missing = max(0, most.most_out + LEAST_CARDS - size)
    padding = [_padding(min(20, missing - 20 * n), f"{PADDING}{n}") for n in range(-(-missing // 20))]
    return most.replace(cards=(*kinds, *padding))


def _padding(copies: int, name: str = PADDING) -> CardKind:
    return CardKind(name=name, value=1, suit=CardSuit.CLUBS, copies=copies)


def card_kinds() -> st.SearchStrategy[CardKind]:
    """Return cards of every suit, wild ones and ones without suit included, with negative values and copies."""
    return st.builds(
        CardKind,
        name=st.sampled_from("ABCDEFGH"),
        value=st.integers(-3, 4),
        suit=st.sampled_from(CardSuit),
        copies=st.integers(1, 4),
    )


def check_kinds() -> st.SearchStrategy[CheckKind]:
    """Return checks with and without target, trigger, attribute, skill and stakes."""
    return st.builds(
        CheckKind,
        target=st.sampled_from([NO_TARGET, -1, 2, 4]),
        trigger=st.sampled_from(["", *TRIGGERS]),
        attribute=st.sampled_from(["", *ATTRIBUTES]),
        skill=st.sampled_from(["", *SKILLS]),
        worth=st.integers(0, 3),
        harm=st.integers(0, 2),
        story=st.sampled_from(["", "A door creaks."]),
    )


def talents() -> st.SearchStrategy[dict[str, Talent]]:
    """Return up to four talents by name."""
    talent = st.builds(Talent, trigger=st.sampled_from(TRIGGERS), effect=effects())
    return st.dictionaries(st.sampled_from(["t1", "t2", "t3", "t4"]), talent)


def effects() -> st.SearchStrategy[TalentEffect]:
    """Return effects of every kind."""
    return st.one_of(
        st.builds(AddToTotal, amount=st.integers(-2, 3)),
        st.builds(DrawMore, cards=st.integers(1, 2)),
        st.just(RedrawFailure()),
        st.builds(LookAtTop, cards=st.integers(1, 3)),
        st.builds(Strike, amount=st.integers(1, 3)),
        st.builds(Heal, amount=st.integers(1, 3)),
        st.builds(Regain, ability=st.sampled_from(Ability)),
    )


def characters(known: Sequence[str]) -> st.SearchStrategy[Character]:
    """Return characters with attributes, skills, and some of the talents that are known."""
    names = st.lists(st.sampled_from(known), unique=True, max_size=3) if known else st.just([])
    return st.builds(
        Character,
        name=st.sampled_from(["Ada", "Ben", "[red]Cleo[/]"]),
        attributes=st.dictionaries(st.sampled_from(ATTRIBUTES), st.integers(-2, 2)),
        skills=st.dictionaries(st.sampled_from(SKILLS), st.integers(-2, 2)),
        talents=names.map(tuple),
    )
