"""Metrics of the Combat Duel: wins and rounds by difficulty, splits of hands, and the luck of the cards."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta

from oddsmith.cards import STANDARD_DECK, Card, require_in_deck
from oddsmith.driver import PlayedGame
from oddsmith.figure import Reading, Unit
from oddsmith.game import Event
from oddsmith.games.duel.figures import hand_chances
from oddsmith.games.duel.model import Dealt, Ended, Exchanged, State, SteadyPolicy
from oddsmith.games.duel.policies import POLICIES
from oddsmith.games.duel.rules import DeckKind, Rules
from oddsmith.games.duel.summaries import make_reading, summarize_policy
from oddsmith.games.duel.team_model import TeamExchanged, TeamState
from oddsmith.metric import ExactCell, MetricKind, NullDistribution, Observation, Progress, Resolution
from oddsmith.poker import FULL_HAND, HandRank, classify

FiveCards: TypeAlias = Annotated[tuple[Card, ...], Meta(min_length=FULL_HAND, max_length=FULL_HAND)]
CardCount: TypeAlias = Annotated[int, Meta(ge=0, le=FULL_HAND)]
Difficulty: TypeAlias = Annotated[int, Meta(ge=1, le=100)]

DISTRIBUTIONS_CACHED: Final = 512
EXACT_POLICIES: Final[tuple[SteadyPolicy, ...]] = ("all_attack", "all_defense")
"""The policies with exact cells at every difficulty."""
TRADING_POLICY: Final[SteadyPolicy] = "best_trade"
"""The slower policy with exact cells only at the difficulty of the rules."""

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
    """A duel with the house that is over, its last round as `rounds`; `policy` is the fixed policy of the fighter, if any."""

    difficulty: Difficulty
    won: bool
    rounds: Annotated[int, Meta(ge=1, le=100)]
    policy: SteadyPolicy | None = None

    def observations(self, rules: Rules) -> Iterator[Observation]:
        """Yield the victory and the number of rounds."""
        win, rounds = _duel_distributions(self.policy, rules.replace(difficulty=self.difficulty))
        cell = _difficulty_cell(self.difficulty)
        yield Observation("duel.win", cell, int(self.won), win)
        yield Observation("duel.rounds", cell, self.rounds, rounds)


class RoundFought(Resolution, frozen=True, kw_only=True, tag="round"):
    """A round: the numbers of cards with which a player defended and the house attacked; the latter is null between players."""

    difficulty: Difficulty
    defending: CardCount
    house_attacking: CardCount | None = None

    def observations(self, rules: Rules) -> Iterator[Observation]:
        """Yield the player's split, and the number of cards with which the house attacked."""
        for count in range(FULL_HAND + 1):
            yield Observation("split.defending", _card_count_cell(count), int(count == self.defending))
        if self.house_attacking is not None:
            counts = rules.replace(difficulty=self.difficulty).house_counts
            for count in sorted({self.house_attacking, *counts}):
                distribution = NullDistribution.of_chance(Fraction(counts.count(count), len(counts)))
                cell = f"{_difficulty_cell(self.difficulty)}, {_card_count_cell(count)}"
                yield Observation("house.attacking", cell, int(count == self.house_attacking), distribution)


class HandDealt(Resolution, frozen=True, kw_only=True, tag="deal"):
    """Five cards that were dealt from a full deck."""

    hand: FiveCards

    def observations(self, rules: Rules) -> Iterator[Observation]:  # noqa: ARG002  a method of Resolution
        """Yield the name of the hand, or raise `InputError` for a card that is there twice."""
        require_in_deck(self.hand, STANDARD_DECK)
        dealt = classify(self.hand).rank
        for rank, (chance, _) in hand_chances().items():
            yield Observation(
                "hand.dealt", rank.words, int(rank is dealt), NullDistribution.of_chance(chance)
            )


RESOLUTIONS: TypeAlias = DuelFought | RoundFought | HandDealt


def resolutions(played: PlayedGame[Any, Any, Any]) -> Iterator[Resolution]:
    """Yield the deals from full decks, the rounds and the end of a replayed duel."""
    for ply in played.plies:
        if isinstance(ply.before, TeamState):
            yield from _team_resolutions(ply.events, ply.before)
            continue
        for event in ply.events:
            match event:
                case Dealt() if len(ply.before.sides[event.seat].deck) == len(STANDARD_DECK):
                    yield HandDealt(hand=event.hand)
                case Exchanged():
                    yield from _round_resolutions(event, ply.before)
                case Ended() if ply.before.house:
                    yield DuelFought(
                        difficulty=ply.before.rules.difficulty,
                        won=event.result.winner == 0,
                        rounds=ply.before.round,
                        policy=_known_policy(played.labels),
                    )


def exact_cells(rules: Rules, progress: Progress) -> Iterator[ExactCell]:
    """Yield the exact wins and rounds of fixed policies with fresh decks, the house's attacks, and the hands dealt.

    With combos, wins and rounds are not computed (§8.5).
    """
    levels = range(1, len(rules.house.attack_cards) + 1)
    policies = () if rules.combo_ranks else EXACT_POLICIES
    decks = "" if rules.deck is DeckKind.FRESH else ", fresh decks"
    for place, level in enumerate(levels):
        at_level = rules.replace(difficulty=level)
        for policy in (*policies, *((TRADING_POLICY,) if policies and level == rules.difficulty else ())):
            summary = summarize_policy(policy, at_level)
            cell = f"{_difficulty_cell(level)}, {policy.replace('_', ' ')}{decks}"
            yield ExactCell("duel.win", cell, make_reading(summary.win, summary.error))
            yield ExactCell("duel.rounds", cell, make_reading(summary.rounds, summary.rounds_error))
        counts = at_level.house_counts
        for count in sorted(set(counts)):
            share = Fraction(counts.count(count), len(counts))
            yield ExactCell(
                "house.attacking", f"{_difficulty_cell(level)}, {_card_count_cell(count)}", Reading(share)
            )
        progress((place + 1) / len(levels))
    for rank, (chance, _) in hand_chances().items():
        yield ExactCell("hand.dealt", rank.words, Reading(chance))


def _round_resolutions(event: Exchanged, before: State) -> Iterator[RoundFought]:
    mine, theirs = event.blows
    yield RoundFought(
        difficulty=before.rules.difficulty,
        defending=len(mine.defense.cards),
        house_attacking=len(theirs.attack.cards) if before.house else None,
    )
    if not before.house:
        yield RoundFought(difficulty=before.rules.difficulty, defending=len(theirs.defense.cards))


def _team_resolutions(events: Iterable[Event], before: TeamState) -> Iterator[Resolution]:
    """Yield the deals from full decks and the splits of a team duel."""
    for event in events:
        match event:
            case Dealt() if len(before.fighters[event.seat].deck) == len(STANDARD_DECK):
                yield HandDealt(hand=event.hand)
            case TeamExchanged():
                for blow in event.blows:
                    yield RoundFought(difficulty=before.rules.difficulty, defending=len(blow.defense.cards))


def _known_policy(labels: Mapping[str, str]) -> SteadyPolicy | None:
    """Return the fixed policy of the bot in seat 0, or None."""
    bots = dict(pair.split(" ", 1) for pair in labels.get("bots", "").split(", ") if " " in pair)
    name = bots.get("0")
    return name if name in POLICIES else None  # type: ignore[return-value]  # POLICIES has the names of SteadyPolicy


@lru_cache(maxsize=DISTRIBUTIONS_CACHED)
def _duel_distributions(
    policy: SteadyPolicy | None, rules: Rules
) -> tuple[NullDistribution | None, NullDistribution | None]:
    """Return the distributions of victory and rounds; None where they are not computed: without a fixed policy, with depleting decks, with combos."""
    if policy is None or rules.deck is not DeckKind.FRESH or rules.combo_ranks:
        return None, None
    summary = summarize_policy(policy, rules)
    shares = [(number, Fraction(chance)) for number, chance in enumerate(summary.ends, 1) if chance > 0]
    of = max(chance.denominator for _, chance in shares)
    rounds = NullDistribution(
        tuple((number, int(chance * of)) for number, chance in shares), Fraction(summary.rounds_error)
    )
    return NullDistribution.of_chance(Fraction(summary.win), Fraction(summary.error)), rounds


def _difficulty_cell(level: int) -> str:
    return f"difficulty {level}"


def _card_count_cell(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
