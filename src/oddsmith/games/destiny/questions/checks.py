"""Questions about one draw: the score of a hand, a check, its odds and chart, and the level or threshold that is needed."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.cards import Suit
from oddsmith.chart import Histogram, HistogramBar
from oddsmith.errors import InputError
from oddsmith.games.destiny.characters import (
    UNTRAINED,
    AnyCharacter,
    AnyHand,
    AnyTarget,
    At,
    CharacterInput,
    DefenseBonus,
    draw_hand,
    read_bonuses,
    read_character,
    read_hand,
    read_target,
    write_character,
    write_out_character,
)
from oddsmith.games.destiny.model import Check, Degree, Reward, Score
from oddsmith.games.destiny.rules import Rules
from oddsmith.games.destiny.scoring import (
    NOTHING,
    Bonuses,
    Target,
    check,
    require_no_exchange,
    reward,
    score_with,
)
from oddsmith.parsing import ChanceText, read_chance
from oddsmith.points import Points
from oddsmith.question import Context, Question, Request, Share, argument, option, spread
from oddsmith.reply_figures import CHANCE, NO_FIGURE
from oddsmith.text import format_percent
from oddsmith.wire import frozen_mapping

if TYPE_CHECKING:
    from oddsmith.games.destiny.odds import CheckOdds

MOST_BINS: Final = 24
BIN_WIDTHS: Final = (1, 2, 5, 10, 20, 25, 50)
WIDEST_TITLE: Final = 80


def totals_chart(request: "CheckOddsRequest", reply: "CheckOddsReply", rules: Rules) -> Histogram:
    """Return a chart of the exact distribution of a total with its threshold."""
    threshold, bins = reply.target.threshold, total_bins(reply)
    name = (reply.target.name or "check").replace("_", " ")
    heading = write_character(read_character(request.character, rules, request.at))
    return Histogram(
        title=f"{fill(f'{name}: {heading}', WIDEST_TITLE)}\n"
        f"threshold {threshold}, met in {format_percent(reply.success_exact)} of draws (exact)",
        x_label="total",
        y_label=f"% of {reply.total:,} hands",
        bars=tuple(
            HistogramBar(float(low), 100 * count / reply.total, low >= threshold) for low, count in bins
        ),
        width=float(bins[1][0] - bins[0][0]) if len(bins) > 1 else 1.0,
        mark=float(threshold),
    )


def total_bins(reply: "CheckOddsReply") -> list[tuple[Points, int]]:
    """Return the lower bound and the count of bins of a round width, one of which starts at the threshold.

    The reply must have its `distribution`.
    """
    totals = [(total.hundredths, count) for total, count in reply.distribution or ()]
    lowest, highest = totals[0][0], totals[-1][0]
    width = next(
        size * 10**power * 100
        for power in range(9)
        for size in BIN_WIDTHS
        if (highest - lowest) // (size * 10**power * 100) < MOST_BINS
    )
    start = lowest - (lowest - reply.target.threshold.hundredths) % width
    counts = [0] * ((highest - start) // width + 1)
    for total, count in totals:
        counts[(total - start) // width] += count
    return [(Points.of_hundredths(start + place * width), count) for place, count in enumerate(counts)]


QUANTILES: Final = ("0.05", "0.25", "0.5", "0.75", "0.95")
REWARDS_CACHED: Final = 1_000

TargetArgument: TypeAlias = Annotated[
    AnyTarget, argument("A crime, a skill check, or a threshold.", metavar="TARGET")
]
SuccessOption: TypeAlias = Annotated[ChanceText, option("Such as 0.5, 50% or 1/2.", metavar="CHANCE")]
NO_SKILLS: Final[Mapping[str, int | None]] = frozen_mapping({})


# --- requests and replies --------------------------------------------------------------------------------------------


class HandScoreRequest(Request, frozen=True, kw_only=True):
    """A hand and the character that holds it."""

    hand: Annotated[AnyHand, argument('Five cards: "A♠ K♠ Q♠ J♠ 10♠" or "AS KS QS JS TS".', metavar="HAND")]
    character: Annotated[AnyCharacter, spread("Who holds the hand.")] = UNTRAINED
    at: At = 0
    defense_bonus: DefenseBonus = NOTHING


class CheckRequest(Request, frozen=True, kw_only=True):
    """A check of a character: with this hand, or with one that is drawn.

    `energy` is the energy at hand: a crime that costs more is refused. `with_odds` adds the odds of the
    check, `full` lists every total of them.
    """

    target: TargetArgument
    character: Annotated[AnyCharacter, spread("Who makes the check.")] = UNTRAINED
    at: At = 0
    hand: Annotated[AnyHand | None, option("This hand instead of a drawn one.", metavar="CARDS")] = None
    energy: Annotated[int | None, option("The energy there is; a crime costs some.", metavar="NUMBER")] = None
    with_odds: bool = False
    full: bool = False


class CheckOddsRequest(Request, frozen=True, kw_only=True):
    """A check to compute the odds of; `full` lists every total."""

    target: TargetArgument
    character: Annotated[AnyCharacter, spread("Who makes the check.")] = UNTRAINED
    at: At = 0
    full: Annotated[
        bool,
        option(
            "With --json: every total and its count.",
            json_only=True,
            code="full_without_json",
            sentence="--full goes with --json: it lists every total",
        ),
    ] = False


class CheckOddsReply(msgspec.Struct, frozen=True, kw_only=True):
    """Integer counts over all `total` hands; with `full`, `distribution` has every total with its count.

    Where the rules allow an exchange, hands are held for the highest chance of success, and counts are weights: each hand
    that may be dealt has the weight of all completions of its hold. What an exchange costs is not counted.
    """

    target: Annotated[Target, NO_FIGURE]
    bonuses: Mapping[Suit, Points]
    total: Annotated[int, NO_FIGURE]
    degrees: Mapping[Degree, int]
    success: Share
    success_exact: Annotated[Fraction, CHANCE]
    mean: Fraction
    deviation: Points
    quantiles: Mapping[str, Points]
    distribution: tuple[tuple[Points, int], ...] | None = None


class CheckReply(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a check, and its odds; only crimes have a reward."""

    target: Annotated[Target, NO_FIGURE]
    check: Check
    reward: Reward | None
    energy_left: Annotated[int | None, NO_FIGURE]
    seed: str | None
    odds: Annotated[CheckOddsReply | None, NO_FIGURE]


class SoughtCharacter(CharacterInput, frozen=True, kw_only=True):
    """A character with one skill without a level, which is to be found."""

    skills: Annotated[
        Mapping[str, int | None],
        option("The one without a level is sought.", "--skill", metavar="NAME[=LEVEL]", noun="a level"),
        Meta(max_length=100),
    ] = NO_SKILLS  # type: ignore[assignment]  # the level that is sought is taken out before the others are read


class NeededLevelRequest(Request, frozen=True, kw_only=True):
    """A target, the wanted chance to meet it, and a character with one skill without a level."""

    target: TargetArgument
    success: SuccessOption
    character: Annotated[SoughtCharacter, spread("Who makes the check.")] = SoughtCharacter()
    at: At = 0


class NeededLevelReply(msgspec.Struct, frozen=True, kw_only=True):
    """The least level that succeeds with the wanted chance; null where none does, with the best level."""

    target: Annotated[Target, NO_FIGURE]
    skill: str
    success: Annotated[Fraction, NO_FIGURE]
    level: int | None
    chance: Annotated[Fraction, CHANCE]
    best_level: int
    best_chance: Annotated[Fraction, CHANCE]


class NeededThresholdRequest(Request, frozen=True, kw_only=True):
    """A character and the wanted chance to meet a threshold."""

    success: SuccessOption
    character: Annotated[AnyCharacter, spread("Who makes the check.")] = UNTRAINED
    at: At = 0


class NeededThresholdReply(msgspec.Struct, frozen=True, kw_only=True):
    """The highest threshold that is met with the wanted chance; null where every threshold is."""

    success: Annotated[Fraction, NO_FIGURE]
    threshold: Points | None
    chance: Annotated[Fraction, CHANCE]


# --- scores and checks -----------------------------------------------------------------------------------------------


def score_hand(request: HandScoreRequest, context: Context[Rules]) -> Score:
    """Score a hand, with every part of it."""
    hand = read_hand(request.hand, context.rules)
    return score_with(
        hand, read_bonuses(request.character, context.rules, request.at, request.defense_bonus), context.rules
    )


def make_check(request: CheckRequest, context: Context[Rules]) -> CheckReply:
    """Draw a hand against a crime, a skill check or a threshold.

    >>> royal = CheckRequest(character="greenhorn", target="train_heist", hand="A♠ K♠ Q♠ J♠ 10♠")
    >>> make_check(royal, Context(rules=Rules())).check.degree
    <Degree.CRITICAL_SUCCESS: 'critical_success'>
    """
    rules = context.rules
    target = read_target(request.target, rules)
    left = _spend_energy(request.energy, target)
    if request.hand is not None and context.seed is not None:
        raise InputError("two_hands", "give --hand or --seed, not both: a given hand is not drawn")
    bonuses = read_bonuses(request.character, rules, request.at)
    hand = draw_hand(context.draw, rules) if request.hand is None else read_hand(request.hand, rules)
    result = check(score_with(hand, bonuses, rules), target.threshold, rules)
    return CheckReply(
        target=target,
        check=result,
        reward=None if target.name not in rules.crimes else _reward(target.name, result.degree, rules),
        energy_left=left,
        seed=context.seed,
        odds=_odds_of_check(bonuses, target, context, full=request.full) if request.with_odds else None,
    )


def _spend_energy(energy: int | None, target: Target) -> int | None:
    """Return the energy left after an attempt; raise `InputError` where there is too little (§10.1)."""
    if energy is None:
        return None
    if energy < 0:
        raise InputError("bad_energy", f"energy is a number from 0, not {energy}")
    cost = target.energy or 0
    if energy < cost:
        raise InputError(
            "too_little_energy", f"{target.name} costs {cost} energy and {energy} is left", paragraph="10.1"
        )
    return energy - cost


@lru_cache(maxsize=REWARDS_CACHED)
def _reward(crime: str, achieved: Degree, rules: Rules) -> Reward:
    return reward(rules.crimes[crime], achieved, rules)


def prove_check(request: CheckOddsRequest, context: Context[Rules]) -> CheckOddsReply:
    """Compute the exact odds of a check, and of every total.

    >>> rose = CheckOddsRequest(character="calamity_rose", target="bank_robbery")
    >>> prove_check(rose, Context(rules=Rules())).success_exact
    Fraction(677, 6664)
    """
    bonuses = read_bonuses(request.character, context.rules, request.at)
    target = read_target(request.target, context.rules)
    return _odds_of_check(bonuses, target, context, full=request.full)


def _count_check(bonuses: Bonuses, threshold: Points, context: Context[Rules]) -> "CheckOdds":
    """Return the totals and degrees of a check: of hands as they are dealt, or with an exchange under the best holds (§12.6)."""
    from oddsmith.games.destiny.odds import check_odds

    rules = context.rules
    if not rules.redraws.times:
        return check_odds(bonuses, threshold, rules)
    from oddsmith.games.destiny.exchanges import check_odds_with_exchange, require_one_exchange

    require_one_exchange(rules, is_limited=context.is_limited)
    with context.progress("counting every hold of every hand") as progress:
        return check_odds_with_exchange(bonuses, threshold, rules, progress=progress)


def _odds_of_check(
    bonuses: Bonuses, target: Target, context: Context[Rules], *, full: bool
) -> CheckOddsReply:
    """Count the hands that meet a target to each degree, and describe the totals."""
    found = _count_check(bonuses, target.threshold, context)
    drawn, degrees = found.totals, found.degrees
    met = sum(degrees.weight(degree) for degree in Degree if degree.succeeded)
    return CheckOddsReply(
        target=target,
        bonuses=bonuses.suits,
        total=degrees.total,
        degrees={degree: degrees.weight(degree) for degree in Degree},
        success=Share.of(met, degrees.total),
        success_exact=Fraction(met, degrees.total),
        mean=drawn.mean,
        deviation=drawn.deviation,
        quantiles={share: drawn.quantile(Fraction(share)) for share in QUANTILES},
        distribution=tuple(drawn.items()) if full else None,
    )


def count_degrees(
    requests: Sequence[CheckOddsRequest], context: Context[Rules]
) -> list[Mapping[Degree, int]]:
    """Return the number of hands that meet each check to each degree."""
    from oddsmith.games.destiny.pairings import many_checks

    rules = context.rules
    checks = [
        (read_bonuses(request.character, rules, request.at), read_target(request.target, rules).threshold)
        for request in requests
    ]
    if rules.redraws.times:
        counted = [_count_check(*check, context).degrees for check in checks]
        return [{degree: one.weight(degree) for degree in Degree} for one in counted]
    return [dict(zip(Degree, row, strict=True)) for row in many_checks(checks, rules).tolist()]


def _successes(requests: Sequence[CheckOddsRequest], context: Context[Rules]) -> list[Share]:
    """Return the chance of success of each check."""
    return [
        Share.of(sum(count for degree, count in degrees.items() if degree.succeeded), sum(degrees.values()))
        for degrees in count_degrees(requests, context)
    ]


def _exact_successes(requests: Sequence[CheckOddsRequest], context: Context[Rules]) -> list[Fraction]:
    return [Fraction(share.count, share.total) for share in _successes(requests, context)]


# --- what is needed --------------------------------------------------------------------------------------------------


def find_level(request: NeededLevelRequest, context: Context[Rules]) -> NeededLevelReply:
    """Find the least level of a skill that a success rate needs."""
    from oddsmith.games.destiny.odds import needed_level

    rules, wanted = context.rules, read_chance(request.success)
    require_no_exchange(rules, "the level that is needed")
    sought = [skill for skill, level in request.character.skills.items() if level is None]
    if len(sought) != 1:
        raise InputError("one_skill", "name exactly one skill without a level: its level is what is sought")
    known = {skill: level for skill, level in request.character.skills.items() if level is not None}
    others = CharacterInput(**{**msgspec.structs.asdict(request.character), "skills": known})
    target = read_target(request.target, rules)
    found = needed_level(
        read_character(others, rules, request.at), sought[0], target.threshold, wanted, rules, at=request.at
    )
    return NeededLevelReply(
        target=target,
        skill=sought[0],
        success=wanted,
        level=found.level,
        chance=found.chance,
        best_level=found.best_level,
        best_chance=found.best_chance,
    )


def find_threshold(request: NeededThresholdRequest, context: Context[Rules]) -> NeededThresholdReply:
    """Find the highest threshold that a success rate allows."""
    from oddsmith.games.destiny.odds import needed_threshold

    wanted = read_chance(request.success)
    require_no_exchange(context.rules, "the threshold that is needed")
    bonuses = read_bonuses(request.character, context.rules, request.at)
    found = needed_threshold(bonuses, wanted, context.rules)
    return NeededThresholdReply(success=wanted, threshold=found.threshold, chance=found.chance)


# --- the questions ---------------------------------------------------------------------------------------------------


SCORE: Final = Question(
    name="score",
    request=HandScoreRequest,
    reply=Score,
    answer=score_hand,
    example='oddsmith destiny score "K♠ K♦ A♣ 7♥ 3♠" --skill lockpicking=50',
    is_quick=True,
)
CHECK: Final = Question(
    name="check",
    request=CheckRequest,
    reply=CheckReply,
    answer=make_check,
    example="oddsmith destiny check bank_robbery --outlaw calamity_rose",
    is_quick=True,
    draws=True,
    has_figures=False,
    command_values={"with_odds": True},
    values_to_show={"full": True},
    terminal_flags={"odds": "Also show the exact odds it had."},
)
ODDS: Final = Question(
    name="odds",
    request=CheckOddsRequest,
    reply=CheckOddsReply,
    answer=prove_check,
    example="oddsmith destiny odds burglary --skill stealth=40 --plot odds.svg",
    values_to_show={"full": True},
    text_fields={"character": write_out_character},
    chart=totals_chart,
    shortcuts={"success": _successes, "success_exact": _exact_successes, "degrees": count_degrees},
)
LEVEL: Final = Question(
    name="level",
    request=NeededLevelRequest,
    reply=NeededLevelReply,
    answer=find_level,
    example="oddsmith destiny level burglary --skill stealth --success 50%",
)
THRESHOLD: Final = Question(
    name="threshold",
    request=NeededThresholdRequest,
    reply=NeededThresholdReply,
    answer=find_threshold,
    example="oddsmith destiny threshold --success 0.75 --outlaw calamity_rose",
)
