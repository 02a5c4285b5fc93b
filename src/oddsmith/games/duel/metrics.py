"""What is measured of the Combat Duel: who wins and how long it takes, how hands are split, and what luck deals."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta

from oddsmith.cards import STANDARD_DECK, Card, require_in_deck
from oddsmith.driver import PlayedGame
from oddsmith.figure import Reading, Unit
from oddsmith.games.duel.fights import SteadyPolicy, make_reading, summarize_policy
from oddsmith.games.duel.figures import hands_dealt
from oddsmith.games.duel.model import Dealt, Ended, Exchanged, State
from oddsmith.games.duel.policies import POLICIES
from oddsmith.games.duel.rules import DeckKind, Rules
from oddsmith.metric import ExactCell, MetricKind, NullDistribution, Observation, Progress, Resolution
from oddsmith.poker import FULL_HAND, HandRank, classify

Five: TypeAlias = Annotated[tuple[Card, ...], Meta(min_length=FULL_HAND, max_length=FULL_HAND)]
Cards: TypeAlias = Annotated[int, Meta(ge=0, le=FULL_HAND)]
Difficulty: TypeAlias = Annotated[int, Meta(ge=1, le=100)]

MOST_KEPT: Final = 512
SHOWN: Final[tuple[SteadyPolicy, ...]] = ("all_attack", "all_defense")
"""Whose chances the exact table has at every difficulty; at that of the rules it has one more."""
THOUGHTFUL: Final[SteadyPolicy] = "best_trade"

METRICS: Final = (
    MetricKind(
        name="duel.win",
        title="win rate by difficulty",
        unit=Unit.CHANCE,
        about="Duels with the house that were won; exact where the fighter splits by a known rule and decks are fresh.",
    ),
    MetricKind(
        name="duel.rounds",
        title="rounds by difficulty",
        unit=Unit.NUMBER,
        about="How many rounds a duel with the house took; exact as above.",
    ),
    MetricKind(
        name="split.defending",
        title="split habits",
        unit=Unit.CHANCE,
        about="How many cards of a hand defended; that is a choice, so nothing is exact about it.",
    ),
    MetricKind(
        name="house.attacking",
        title="cards the house attacked with",
        unit=Unit.CHANCE,
        about="With how many cards the house attacked, which the rules leave to luck.",
    ),
    MetricKind(
        name="hand.dealt",
        title="hands dealt from a full deck",
        unit=Unit.CHANCE,
        about="How often five cards from a full deck made each hand.",
        order=tuple(rank.words for rank in HandRank),
    ),
)


class DuelFought(Resolution, frozen=True, kw_only=True, tag="duel"):
    """A duel with the house, over: its difficulty, whether it was won, in which round; `policy` is a known way to split."""

    difficulty: Difficulty
    won: bool
    rounds: Annotated[int, Meta(ge=1, le=100)]
    policy: SteadyPolicy | None = None

    def observed(self, rules: Rules) -> Iterator[Observation]:
        """Yield who won, and how long it took."""
        win, rounds = _duel_laws(self.policy, rules.replace(difficulty=self.difficulty))
        cell = _difficulty(self.difficulty)
        yield Observation("duel.win", cell, int(self.won), win)
        yield Observation("duel.rounds", cell, self.rounds, rounds)


class RoundFought(Resolution, frozen=True, kw_only=True, tag="round"):
    """A round: how many cards of a player's hand defended, and with how many the house attacked, if it was there."""

    difficulty: Difficulty
    defending: Cards
    house_attacking: Cards | None = None

    def observed(self, rules: Rules) -> Iterator[Observation]:
        """Yield the player's habit, and the luck of the house."""
        for count in range(FULL_HAND + 1):
            yield Observation("split.defending", _cards(count), int(count == self.defending))
        if self.house_attacking is not None:
            counts = rules.replace(difficulty=self.difficulty).house_counts
            for count in sorted({self.house_attacking, *counts}):
                law = NullDistribution.of_chance(Fraction(counts.count(count), len(counts)))
                cell = f"{_difficulty(self.difficulty)}, {_cards(count)}"
                yield Observation("house.attacking", cell, int(count == self.house_attacking), law)


class HandDealt(Resolution, frozen=True, kw_only=True, tag="deal"):
    """Five cards that were dealt from a full deck."""

    hand: Five

    def observed(self, rules: Rules) -> Iterator[Observation]:  # noqa: ARG002  cards are the same under all rules
        """Yield the hand that they make."""
        require_in_deck(self.hand, STANDARD_DECK)
        dealt = classify(self.hand).rank
        for rank, (chance, _) in hands_dealt().items():
            yield Observation(
                "hand.dealt", rank.words, int(rank is dealt), NullDistribution.of_chance(chance)
            )


RESOLUTIONS: TypeAlias = DuelFought | RoundFought | HandDealt


def resolutions(played: PlayedGame[Any, Any, Any]) -> Iterator[Resolution]:
    """Yield the deals from full decks, the rounds and the end of the duel of a game."""
    for ply in played.plies:
        for event in ply.events:
            match event:
                case Dealt() if len(ply.before.sides[event.seat].deck) == len(STANDARD_DECK):
                    yield HandDealt(hand=event.hand)
                case Exchanged():
                    yield from _round(event, ply.before)
                case Ended() if ply.before.house:
                    yield DuelFought(
                        difficulty=ply.before.rules.difficulty,
                        won=event.result.winner == 0,
                        rounds=ply.before.round,
                        policy=_policy(played.labels),
                    )


def exact_cells(rules: Rules, progress: Progress) -> Iterator[ExactCell]:
    """Yield how duels with fresh decks end for who only attacks, only defends, or makes the best trade of each hand."""
    levels = range(1, len(rules.house.attack_cards) + 1)
    decks = "" if rules.deck is DeckKind.FRESH else ", fresh decks"
    for place, level in enumerate(levels):
        at_level = rules.replace(difficulty=level)
        for policy in (*SHOWN, *((THOUGHTFUL,) if level == rules.difficulty else ())):
            summary = summarize_policy(policy, at_level)
            cell = f"{_difficulty(level)}, {policy.replace('_', ' ')}{decks}"
            yield ExactCell("duel.win", cell, make_reading(summary.win, summary.error))
            yield ExactCell("duel.rounds", cell, make_reading(summary.rounds, summary.rounds_error))
        counts = at_level.house_counts
        for count in sorted(set(counts)):
            share = Fraction(counts.count(count), len(counts))
            yield ExactCell("house.attacking", f"{_difficulty(level)}, {_cards(count)}", Reading(share))
        progress((place + 1) / len(levels))
    for rank, (chance, _) in hands_dealt().items():
        yield ExactCell("hand.dealt", rank.words, Reading(chance))


def _round(event: Exchanged, before: State) -> Iterator[RoundFought]:
    mine, theirs = event.blows
    yield RoundFought(
        difficulty=before.rules.difficulty,
        defending=len(mine.defense.cards),
        house_attacking=len(theirs.attack.cards) if before.house else None,
    )
    if not before.house:
        yield RoundFought(difficulty=before.rules.difficulty, defending=len(theirs.defense.cards))


def _policy(labels: Mapping[str, str]) -> SteadyPolicy | None:
    """Return the known way to split of a bot that fought in seat 0."""
    bots = dict(pair.split(" ", 1) for pair in labels.get("bots", "").split(", ") if " " in pair)
    name = bots.get("0")
    return name if name in POLICIES else None  # type: ignore[return-value]  # the names of POLICIES are those


@lru_cache(maxsize=MOST_KEPT)
def _duel_laws(
    policy: SteadyPolicy | None, rules: Rules
) -> tuple[NullDistribution | None, NullDistribution | None]:
    """Return the laws of winning and of the number of rounds; none where cards depend on those before, or a person plays."""
    if policy is None or rules.deck is not DeckKind.FRESH:
        return None, None
    summary = summarize_policy(policy, rules)
    shares = [(number, Fraction(chance)) for number, chance in enumerate(summary.ends, 1) if chance > 0]
    of = max(chance.denominator for _, chance in shares)
    rounds = NullDistribution(
        tuple((number, int(chance * of)) for number, chance in shares), Fraction(summary.rounds_error)
    )
    return NullDistribution.of_chance(Fraction(summary.win), Fraction(summary.error)), rounds


def _difficulty(level: int) -> str:
    return f"difficulty {level}"


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
