"""What `oddsmith fate …` prints with `--json`: one documented shape each."""

import msgspec

from oddsmith.games.fate.advising import AbilitiesReply, AbilityWorth, UncountedAbility
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.model import Result
from oddsmith.games.fate.questions import FateOddsReply, FiredTrigger, JointWays, TriggerChance
from oddsmith.questions import Share

__all__ = [
    "AbilitiesReply",
    "AbilityWorth",
    "DeckReply",
    "DrawReply",
    "DrawnTrigger",
    "FateOddsReply",
    "JointWays",
    "TriggerChance",
    "TriggerReply",
    "TriggerShare",
    "UncountedAbility",
]


class TriggerShare(msgspec.Struct, frozen=True, kw_only=True):
    """How often a trigger fires with so many cards of a fresh deck."""

    cards: int
    fires: Share


class TriggerReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith fate trigger`: a trigger in plain words, and how often it fires off turn and on turn."""

    rules_id: str
    trigger: str
    words: str
    odds: tuple[TriggerShare, ...]


class DrawnTrigger(FiredTrigger, frozen=True, kw_only=True):
    """Whether a trigger fired, and the chance that it had just before; null where there are too many ways to count."""

    chance: Share | None


class DrawReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith fate draw`: the cards, what they come to, and the chance that it had from what you knew.

    `chance` is that of reaching the target, or the total that was drawn where there is none; null where there are too
    many ways to count. `made` says that there was no deck in the file, so that a fresh one was put there.
    """

    file: str
    made: bool
    rules_id: str
    draw: int
    result: Result
    target: int | None
    chance: Share | None
    triggers: tuple[DrawnTrigger, ...]
    reshuffled: bool
    left: int
    discards: int


class DeckReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith fate deck …`: the deck of a file as you know it.

    `memory` lists deck and discard pile from their tops, null where a card is not known, and the cards that are
    unseen. `seed` is null where the system decides what is drawn.
    """

    file: str
    rules_id: str
    draws: int
    seed: str | None
    memory: Memory
