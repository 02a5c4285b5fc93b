"""What `oddsmith duel …` prints with `--json`: one documented shape each."""

from fractions import Fraction

import msgspec

from oddsmith.cards import Card
from oddsmith.games.duel.model import Power
from oddsmith.games.duel.odds import Objective
from oddsmith.games.duel.questions import ProspectsReply
from oddsmith.games.duel.rules import DeckKind

__all__ = ["DuelOddsReply", "Fought", "Measured", "SplitReply", "TournamentReply", "WeighedSplit"]


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """A number, and how far the true one may be from it."""

    value: float
    error: float


class DuelOddsReply(ProspectsReply, frozen=True, kw_only=True):
    """`oddsmith duel odds`: how duels with fresh decks go for each bot.

    `typical` is the share of duels that end within `typical_rounds`. `solved` is what perfect play is worth; null
    without it.
    """

    objective: Objective
    seed: str
    solved: Measured | None


class WeighedSplit(msgspec.Struct, frozen=True, kw_only=True):
    """One split of a hand: its two sides, the damage it deals and takes, its worth, its loss to the best."""

    attack: Power
    defense: Power
    dealt: Fraction
    taken: Fraction
    value: float | None = None
    loss: float | None = None


class SplitReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith duel split`: the splits of a hand, best first, valued with fresh decks.

    `enemy` is the attack and the defence that are shown; null where splits are means over all that the opponent
    may do. `flight` is what fleeing is worth, null where it is not allowed. `objective`, `error` and every value
    are null where nothing was solved.
    """

    rules_id: str
    hand: tuple[Card, ...]
    hp: int
    enemy_hp: int
    round: int
    enemy: tuple[int, int] | None
    objective: Objective | None
    error: float | None
    flight: float | None
    splits: tuple[WeighedSplit, ...]


class Fought(msgspec.Struct, frozen=True, kw_only=True):
    """How a bot fared with a kind of deck; errors are halves of 95 % intervals."""

    bot: str
    deck: DeckKind
    win: float
    win_error: float
    rounds: float
    rounds_error: float
    gold: float
    gold_error: float


class TournamentReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith duel tournament`: every bot through the real engine, `duels` times for each kind of deck.

    `solved` is what fresh decks are worth to perfect play, `lost` what of it depleting decks cost; null where
    perfect play or depleting decks are left out.
    """

    rules_id: str
    duels: int
    seed: str
    objective: Objective
    results: tuple[Fought, ...]
    solved: Measured | None
    lost: Measured | None
