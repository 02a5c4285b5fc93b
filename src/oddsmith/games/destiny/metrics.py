"""Metrics of played games of the Destiny Deck: checks, contests, gang wars, draws, and whether the rules were followed."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any, Final, TypeAlias

from oddsmith.cards import Suit
from oddsmith.driver import PlayedGame
from oddsmith.figure import Reading, Unit
from oddsmith.game import Over
from oddsmith.games.destiny.characters import (
    UNTRAINED,
    AnyCharacter,
    AnyTarget,
    character_input,
    read_bonuses,
    read_target,
)
from oddsmith.games.destiny.decks import ranks_of
from oddsmith.games.destiny.draw_metrics import (
    CERTAIN,
    MOST_CACHED,
    Hand,
    draw_observations,
    rank_of,
    suit_distribution,
)
from oddsmith.games.destiny.engine import GAME
from oddsmith.games.destiny.model import (
    Check,
    CheckResolved,
    CheckState,
    ContestResolved,
    ContestState,
    GangState,
    GauntletState,
    PendingContest,
    RunState,
    Side,
    WarResolved,
)
from oddsmith.games.destiny.model import Resolved as CrimeResolved
from oddsmith.games.destiny.odds import contest_odds, hand_odds, success_chance
from oddsmith.games.destiny.ranks import BY_STRENGTH, HandRank
from oddsmith.games.destiny.rule_types import Moment
from oddsmith.games.destiny.rules import Character, Rules
from oddsmith.games.destiny.scoring import (
    NOTHING,
    Bonuses,
    character_bonuses,
    check,
    contest,
    npc,
    score_with,
)
from oddsmith.games.destiny.views import outlaw_now
from oddsmith.games.destiny.war_metrics import WarHeld, exact_wars, gang_war_of, war_of_run
from oddsmith.metric import ExactCell, MetricKind, NullDistribution, Observation, Progress, Resolution
from oddsmith.points import Points

GAP: Final = 10
"""The width of a cell of skill differences, in points."""
WIDEST_GAP: Final = 60
TYPICAL_BONUS: Final = Points(60)
"""The bonus of a typical specialist in one suit; its mean over all suits is a quarter."""
WIDEST_TYPICAL: Final = 30
TIERS: Final = ("trivial", "easy", "medium", "hard", "very hard", "extreme")

METRICS: Final = (
    MetricKind(
        name="check.success_by_tier",
        title="check success by tier",
        unit=Unit.CHANCE,
        about="Checks that were met, by the difficulty of the crime or the skill check.",
        order=TIERS,
    ),
    MetricKind(
        name="contest.win_by_skill",
        title="win rate by skill difference",
        unit=Unit.CHANCE,
        about="Contests that the attacker won, by how much its mean bonus over the four suits is above the defender's.",
    ),
    MetricKind(
        name="contest.win_by_hand",
        title="win rate by hand rank",
        unit=Unit.CHANCE,
        about="Contests that the attacker won, by its hand; exact is the chance of the same two characters with that hand.",
        order=tuple(rank.words for rank in BY_STRENGTH),
    ),
    MetricKind(
        name="war.win_by_size",
        title="gang wars won by the attackers",
        unit=Unit.CHANCE,
        about="Gang wars that the attackers won, by the sizes of both sides.",
    ),
    MetricKind(
        name="draw.suit_bonus",
        title="average suit bonus by suit",
        unit=Unit.NUMBER,
        about="What the cards of a suit added to a draw, in points.",
        scale=100,
        order=tuple(suit.value for suit in Suit),
    ),
    MetricKind(
        name="draw.hand",
        title="hands drawn",
        unit=Unit.CHANCE,
        about="How often a draw made each hand.",
        order=tuple(rank.words for rank in BY_STRENGTH),
    ),
    MetricKind(
        name="resolved.as_ruled",
        title="resolved as the rules say",
        unit=Unit.CHANCE,
        about="Resolutions whose cards lead to what the log says; if these are not all, other rules were played.",
    ),
)


class CheckMade(Resolution, frozen=True, kw_only=True, tag="check"):
    """A check: who made it, against what, whether it was met; with the cards, luck and rule are checked too."""

    character: AnyCharacter
    target: AnyTarget
    success: bool
    hand: Hand | None = None
    total: Points | None = None
    at: Moment = 0

    def observations(self, rules: Rules) -> Iterator[Observation]:
        """Yield the check by tier, the draw by hand and suits, and whether the rules give the same result.

        Where hands may be exchanged, only the last: what players exchange has no distribution.
        """
        if not rules.redraws.times:
            distribution = _check_distribution(self.character, self.target, self.at, rules)
            tier = _tier(self.target, rules)
            yield Observation("check.success_by_tier", tier, int(self.success), distribution)
        if self.hand is not None:
            bonuses = read_bonuses(self.character, rules, self.at)
            yield from draw_observations(self.hand, bonuses, rules)
            made = _apply_rules(self.hand, bonuses, self.target, rules)
            agrees = made.degree.succeeded == self.success and self.total in (None, made.score.total)
            yield Observation("resolved.as_ruled", "checks", int(agrees), CERTAIN)


class ContestHeld(Resolution, frozen=True, kw_only=True, tag="contest"):
    """A contest: who met whom and who won; with both hands, luck and rule are checked too."""

    attacker: AnyCharacter
    defender: AnyCharacter
    winner: Side
    defense_bonus: Points = NOTHING
    attacker_hand: Hand | None = None
    defender_hand: Hand | None = None
    at: Moment = 0

    def observations(self, rules: Rules) -> Iterator[Observation]:
        """Yield the contest by skill difference and by the attacker's hand, both draws, and whether the rules give the same result."""
        attacker, defender = (
            read_bonuses(self.attacker, rules, self.at),
            read_bonuses(self.defender, rules, self.at, self.defense_bonus),
        )
        won = int(self.winner is Side.ATTACKER)
        gap = _skill(attacker) - _skill(defender)
        if not rules.redraws.times:
            yield Observation("contest.win_by_skill", _gap_cell(gap), won, self._distribution(rules))
        if self.attacker_hand is not None:
            if not rules.redraws.times:
                rank = rank_of(self.attacker_hand, attacker, rules)
                by_rank = self._distribution(rules, having=rank)
                yield Observation("contest.win_by_hand", rank.words, won, by_rank)
            yield from draw_observations(self.attacker_hand, attacker, rules)
        if self.defender_hand is not None:
            yield from draw_observations(self.defender_hand, defender, rules)
        if self.attacker_hand is not None and self.defender_hand is not None:
            scores = (
                score_with(self.attacker_hand, attacker, rules),
                score_with(self.defender_hand, defender, rules),
            )
            agrees = contest(*scores, rules).winner is self.winner
            yield Observation("resolved.as_ruled", "contests", int(agrees), CERTAIN)

    def _distribution(self, rules: Rules, *, having: HandRank | None = None) -> NullDistribution:
        return _contest_distribution(
            self.attacker, self.defender, self.defense_bonus, self.at, rules, having=having
        )


RESOLUTIONS: TypeAlias = CheckMade | ContestHeld | WarHeld


def resolutions(played: PlayedGame[Any, Any, Any]) -> Iterator[Resolution]:
    """Yield the crimes, checks, contests and gang wars of a run or a match, from a replayed game."""
    for ply in played.plies:
        match ply.before, ply.after:
            case RunState(), RunState():
                yield from _run_resolutions(ply.before, ply.events)
            case ContestState(), ContestState() if len(ply.after.hands) == len(ply.after.choices):
                yield _contest_of(ply.after)
            case CheckState(), CheckState() if len(ply.after.taken) > len(ply.before.taken):
                yield _match_check(ply.after, ply.events)
            case GangState(), GangState() if len(ply.after.hands) == 2 * ply.after.rules.gang_size:
                yield gang_war_of(ply.after)
            case GauntletState(), GauntletState() if len(ply.after.bouts) > len(ply.before.bouts):
                yield _gauntlet_contest(ply.after)


def exact_cells(rules: Rules, progress: Progress) -> Iterator[ExactCell]:
    """Yield exact values of every metric: for the outlaws of the roster, for typical specialists, for two untrained characters.

    None where hands may be exchanged: what is drawn then depends on the players.
    """
    if rules.redraws.times:
        progress(1)
        return
    yield from _exact_tiers(rules)
    progress(0.3)
    yield from _exact_gaps(rules)
    progress(0.6)
    yield from _exact_hands(rules)
    yield from exact_wars(rules)
    outlaws = [character_bonuses(outlaw, rules) for outlaw in rules.outlaws.values()]
    for suit in Suit if not rules.deck.jokers else ():
        means = [suit_distribution(outlaw.suits[suit].hundredths, rules.deck).mean for outlaw in outlaws]
        yield ExactCell("draw.suit_bonus", suit.value, Reading(sum(means, Fraction(0)) / len(means) / 100))
    for rank in ranks_of(rules.deck):
        yield ExactCell("draw.hand", rank.words, Reading(hand_odds(rules).probability(rank)))
    progress(1)


def _run_resolutions(before: RunState, events: Sequence[Any]) -> Iterator[Resolution]:
    """Yield the crime, the skill check or the contest that the last draw of an action of a run decided."""
    for event in events:
        match event:
            case CrimeResolved(crime=target) | CheckResolved(check=target):
                is_crime = isinstance(event, CrimeResolved)
                yield CheckMade(
                    character=character_input(outlaw_now(before)),
                    target=target if is_crime else _check_target(target, before.rules),
                    success=event.degree.succeeded,
                    hand=events[0].score.hand,
                    total=events[0].score.total,
                    at=before.clock,
                )
            case ContestResolved():
                assert isinstance(before.pending, PendingContest)  # noqa: S101  its second hand decided
                yield ContestHeld(
                    attacker=character_input(outlaw_now(before)),
                    defender=character_input(npc(event.npc, before.rules)),
                    winner=event.winner,
                    attacker_hand=before.pending.hands[0],
                    defender_hand=events[0].score.hand,
                    at=before.clock,
                )
            case WarResolved():
                yield war_of_run(before, event, events[0].score.hand)


def _match_check(state: CheckState, events: Sequence[Any]) -> CheckMade:
    """Return the last check of a match."""
    drawn = events[0].score
    taken = state.taken[-1]
    chosen = state.choices[taken.seat]
    assert chosen is not None  # noqa: S101  checks are taken once both outlaws are chosen
    return CheckMade(
        character=character_input(state.rules.outlaws[chosen]),
        target=_check_target(taken.check, state.rules),
        success=taken.degree.succeeded,
        hand=drawn.hand,
        total=drawn.total,
    )


def _check_target(check: str, rules: Rules) -> AnyTarget:
    """Return a skill check as a target: its threshold where a crime has the same name."""
    return float(rules.skill_checks[check]) if check in rules.crimes else check


def _contest_of(state: ContestState) -> ContestHeld:
    attacker, defender = (state.rules.outlaws[choice] for choice in state.choices if choice is not None)
    turn = GAME.turn(state)
    assert isinstance(turn, Over)  # noqa: S101  both hands are drawn
    return ContestHeld(
        attacker=character_input(attacker),
        defender=character_input(defender),
        winner=Side.ATTACKER if 0 in turn.outcome.winners else Side.DEFENDER,
        attacker_hand=state.hands[0],
        defender_hand=state.hands[1],
    )


def _gauntlet_contest(state: GauntletState) -> ContestHeld:
    """Return the last contest of a gauntlet."""
    bout = state.bouts[-1]
    chosen = state.choices[bout.seat]
    assert chosen is not None  # noqa: S101  contests are held once all outlaws are chosen
    return ContestHeld(
        attacker=character_input(state.rules.outlaws[chosen]),
        defender=character_input(npc(bout.npc, state.rules)),
        winner=bout.winner,
        attacker_hand=bout.hands[0],
        defender_hand=bout.hands[1],
    )


@lru_cache(maxsize=MOST_CACHED)
def _check_distribution(
    character: AnyCharacter, target: AnyTarget, at: int, rules: Rules
) -> NullDistribution:
    bonuses = read_bonuses(character, rules, at)
    return NullDistribution.of_chance(success_chance(bonuses, read_target(target, rules).threshold, rules))


@lru_cache(maxsize=MOST_CACHED)
def _contest_distribution(
    attacker: AnyCharacter,
    defender: AnyCharacter,
    defense_bonus: Points,
    at: int,
    rules: Rules,
    *,
    having: HandRank | None = None,
) -> NullDistribution:
    sides = read_bonuses(attacker, rules, at), read_bonuses(defender, rules, at, defense_bonus)
    return NullDistribution.of_chance(contest_odds(*sides, rules, having=having).chance(Side.ATTACKER))


def _tier(target: AnyTarget, rules: Rules) -> str:
    """Return the tier of a target: the crime's difficulty, the skill check's name, or the threshold."""
    if isinstance(target, str) and target in rules.crimes:
        return rules.crimes[target].difficulty or target
    if isinstance(target, str) and target in rules.skill_checks:
        return target.replace("_", " ")
    return f"threshold {read_target(target, rules).threshold}"


def _apply_rules(hand: Hand, bonuses: Bonuses, target: AnyTarget, rules: Rules) -> Check:
    return check(score_with(hand, bonuses, rules), read_target(target, rules).threshold, rules)


def _skill(bonuses: Bonuses) -> Fraction:
    """Return the mean bonus over the four suits, in points."""
    return Fraction(sum(bonus.hundredths for bonus in bonuses.suits.values()), 100 * len(Suit))


def _gap_cell(gap: Fraction) -> str:
    """Return the name of the cell of a gap: its middle, bounded by `WIDEST_GAP`.

    >>> _gap_cell(Fraction(7)), _gap_cell(Fraction(-5)), _gap_cell(Fraction(-6)), _gap_cell(Fraction(900))
    ('+10', '0', '−10', '+60')
    """
    middle = (gap + Fraction(GAP, 2)) // GAP * GAP
    bounded = max(-WIDEST_GAP, min(WIDEST_GAP, middle))
    return f"{bounded:+d}".replace("-", "−") if bounded else "0"


def _exact_tiers(rules: Rules) -> Iterator[ExactCell]:
    tiers: dict[str, list[Fraction]] = {}
    for target, outlaw in product((*rules.crimes, *rules.skill_checks), rules.outlaws):
        tiers.setdefault(_tier(target, rules), []).append(_check_distribution(outlaw, target, 0, rules).mean)
    for tier in sorted(tiers, key=lambda name: (TIERS.index(name) if name in TIERS else len(TIERS), name)):
        chances = tiers[tier]
        yield ExactCell("check.success_by_tier", tier, Reading(sum(chances, Fraction(0)) / len(chances)))


def _exact_gaps(rules: Rules) -> Iterator[ExactCell]:
    """Yield the chance of the attacker by skill difference, for specialists in different suits."""
    for gap in range(-WIDEST_TYPICAL, WIDEST_TYPICAL + 1, GAP):
        attacker = character_bonuses(Character(bonuses={Suit.SPADES: TYPICAL_BONUS + Points(2 * gap)}), rules)
        defender = character_bonuses(Character(bonuses={Suit.CLUBS: TYPICAL_BONUS - Points(2 * gap)}), rules)
        chance = contest_odds(attacker, defender, rules).chance(Side.ATTACKER)
        yield ExactCell("contest.win_by_skill", _gap_cell(Fraction(gap)), Reading(chance))


def _exact_hands(rules: Rules) -> Iterator[ExactCell]:
    """Yield the chance of an untrained attacker against an untrained defender by hand rank."""
    for rank in ranks_of(rules.deck):
        chance = _contest_distribution(UNTRAINED, UNTRAINED, NOTHING, 0, rules, having=rank).mean
        yield ExactCell("contest.win_by_hand", rank.words, Reading(chance))
