"""What a fighter brings into a duel is read off the rules, and so is what each split of its hand comes to."""

from typing import Literal, TypeAlias

import msgspec

from oddsmith.cards import STANDARD_DECK, require_held
from oddsmith.errors import InputError
from oddsmith.games.duel.model import Hand, Power
from oddsmith.games.duel.rules import Fighter, Rules
from oddsmith.games.duel.scoring import SPLITS, attack, defense, split
from oddsmith.poker import FULL_HAND
from oddsmith.questions import GivenRules, rules_of

__all__ = ["FighterName", "FighterQuestion", "FighterReply", "FighterSplit", "fighter_reply"]

FighterName: TypeAlias = Literal["player", "rival", "house"]
"""The first fighter, the second of two players, and the house's."""


class FighterQuestion(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="fighter"
):
    """What a fighter brings along, and the attack and the defence that each split of a hand gives it."""

    rules: GivenRules = "default"
    fighter: FighterName = "player"
    hand: Hand | None = None


class FighterSplit(msgspec.Struct, frozen=True, kw_only=True):
    """The two sides of one split."""

    attack: Power
    defense: Power


class FighterReply(msgspec.Struct, frozen=True, kw_only=True):
    """A fighter's full hit points and its gear; `splits` are the 32 of the hand, all attack first, or none without a hand."""

    rules_id: str
    fighter: FighterName
    hp: int
    gear: Fighter
    splits: tuple[FighterSplit, ...]


def fighter_reply(asked: FighterQuestion) -> FighterReply:
    """Say what a fighter brings along, and what it can make of a hand.

    >>> fighter_reply(FighterQuestion(fighter="house")).hp
    80
    >>> from oddsmith.cards import cards
    >>> fighter_reply(FighterQuestion(hand=cards("10♠ 7♥ 5♣ A♦ 3♠"))).splits[0].attack.total
    36
    """
    rules = rules_of(Rules, asked.rules)
    gear, hp = _fighters(rules)[asked.fighter]
    return FighterReply(
        rules_id=rules.rules_id,
        fighter=asked.fighter,
        hp=hp,
        gear=gear,
        splits=() if asked.hand is None else _splits(asked.hand, gear, rules),
    )


def _fighters(rules: Rules) -> dict[FighterName, tuple[Fighter, int]]:
    """Return the gear and the full hit points of each fighter (§3.1, §3.6, §7.5)."""
    return {
        "player": (rules.player, rules.player_hp),
        "rival": (rules.rival, rules.player_hp),
        "house": (rules.house_fighter, rules.opponent_hp),
    }


def _splits(hand: Hand, gear: Fighter, rules: Rules) -> tuple[FighterSplit, ...]:
    if len(hand) != FULL_HAND:
        raise InputError("bad_hand", f"a hand has {FULL_HAND} cards, not {len(hand)}", where="hand")
    require_held(hand, STANDARD_DECK)
    sides = [split(hand, defends) for defends in SPLITS]
    return tuple(
        FighterSplit(attack=attack(striking, gear, rules), defense=defense(guarding, gear, rules))
        for striking, guarding in sides
    )
