"""What `oddsmith duel …` prints with `--json`: one documented shape each."""

import msgspec

from oddsmith.games.duel.advice import SplitReply, WeighedSplit
from oddsmith.games.duel.odds import Objective
from oddsmith.games.duel.questions import DuelOddsReply, Measured
from oddsmith.games.duel.rules import DeckKind

__all__ = ["DuelOddsReply", "Fought", "Measured", "SplitReply", "TournamentReply", "WeighedSplit"]


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
