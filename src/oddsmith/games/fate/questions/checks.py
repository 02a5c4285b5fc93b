"""Questions about checks and triggers: to draw a check, its odds, all checks of the rules, and a trigger."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd
from typing import Annotated, Final, NamedTuple

import msgspec

from oddsmith.chance import Draw
from oddsmith.chart import Histogram, HistogramBar
from oddsmith.game import Seat
from oddsmith.games.fate.abilities import reshuffle_if_due
from oddsmith.games.fate.checks import card_faces, judge
from oddsmith.games.fate.deck import RESHUFFLE_SIZE, FateDeck, imagine_deck
from oddsmith.games.fate.draws import require_drawable
from oddsmith.games.fate.effects import changes_total
from oddsmith.games.fate.known_decks import (
    CheckName,
    Count,
    Deck,
    DeckFile,
    KnownDraw,
    Modifier,
    Player,
    Target,
    Triggers,
    check_score,
    read_check,
    read_draw,
    read_share,
    rules_in_force,
)
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.model import Result
from oddsmith.games.fate.odds import (
    MOST_TRIGGERS,
    Certainty,
    CheckOdds,
    certainty_of,
    check_odds,
    checks_to_reshuffle,
    fresh_memory,
)
from oddsmith.games.fate.rule_types import NO_TARGET, CheckKind
from oddsmith.games.fate.rules import Rules
from oddsmith.games.fate.talents import fired_talents, further_draws, total_bonus
from oddsmith.games.fate.triggers import Trigger, fires, read_trigger
from oddsmith.games.fate.wording import describe_certainty, describe_draw, describe_trigger
from oddsmith.question import Context, Question, Request, Share, argument, option
from oddsmith.reply_figures import CHANCE, NO_FIGURE
from oddsmith.text import format_percent

MOST_TICKS: Final = 20


def totals_chart(request: "CheckOddsRequest", reply: "CheckOddsReply", rules: Rules) -> Histogram:
    """Return the chart of the distribution of totals, with the target where there is one."""
    target = reply.target
    heading = describe_draw(
        reply.memory, reply.drawn, reply.modifier, rules_in_force(request, rules), request.player
    )
    certainty = describe_certainty(reply.certainty)
    result = f"mean total {float(reply.mean):.2f} ({certainty})"
    if target is not None and reply.success is not None:
        chance = Fraction(reply.success.count, reply.success.total)
        result = f"reaches {target} in {format_percent(chance)} ({certainty})"
    return Histogram(
        title=f"{heading}\n{result}",
        x_label="total",
        y_label="% of checks",
        bars=tuple(
            HistogramBar(total, 100 * ways / reply.total, target is None or total >= target)
            for total, ways in reply.totals
        ),
        width=1.0,
        is_centered=True,
        mark=None if target is None else target - 0.5,
        ticks=tuple(total for total, _ in reply.totals) if len(reply.totals) <= MOST_TICKS else (),
    )


OWNER: Final[Seat] = 0


# --- requests and replies --------------------------------------------------------------------------------------------


class CheckRequest(Request, frozen=True, kw_only=True):
    """A check to draw from a deck: a `check` of the rules, or one with a target and triggers.

    The deck is given as a `deck`, as the text of a `deck_file`, or as the `memory` of a view, unchanged. `count` is by
    default the number of cards on turn or off turn. A `player`, from 1, adds its own modifier, and its talents fire.
    """

    count: Count = None
    target: Target = None
    modifier: Modifier = 0
    triggers: Triggers = ()
    deck: Deck = None
    deck_file: DeckFile = None
    memory: Memory | None = None
    on_turn: bool = True
    player: Player = None
    check: CheckName = None


class CheckOddsRequest(Request, frozen=True, kw_only=True):
    """A check as that of the question `check`; `share` of the checks to come are on turn."""

    count: Count = None
    target: Target = None
    modifier: Modifier = 0
    triggers: Triggers = ()
    deck: Deck = None
    deck_file: DeckFile = None
    memory: Memory | None = None
    on_turn: bool = True
    player: Player = None
    check: CheckName = None
    share: Annotated[str, option("Which share of checks is on turn.", metavar="SHARE")] = "1/2"


class ChecksRequest(Request, frozen=True, kw_only=True):
    """A deck and a draw as those of the question `check`, for all checks of the rules."""

    count: Count = None
    modifier: Modifier = 0
    deck: Deck = None
    deck_file: DeckFile = None
    memory: Memory | None = None
    on_turn: bool = True
    player: Player = None


class FiredTrigger(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a trigger fired."""

    trigger: str
    fired: bool


class CheckReply(msgspec.Struct, frozen=True, kw_only=True):
    """The result of the cards drawn; `left` cards are then in the deck, and `discards` on the discard pile."""

    rules_id: str
    result: Result
    target: int | None
    triggers: tuple[FiredTrigger, ...]
    reshuffled: bool
    left: int
    discards: int


class TriggerChance(msgspec.Struct, frozen=True, kw_only=True):
    """How often a trigger fires, and how often while the target is reached; null without a target."""

    trigger: str
    fires: Share
    with_target: Share | None


class JointWays(msgspec.Struct, frozen=True, kw_only=True):
    """A total, which of the triggers fire, in their order, and the number of ways."""

    total: int
    fired: tuple[bool, ...]
    ways: int


class CheckOddsReply(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of the next check from what is known, in ways of `total`.

    `memory` is what is known: deck and discard pile from their tops, null where a card is not known, and the cards
    that are unseen. `left` cards can be drawn before the deck is reshuffled; `checks` is the expected number of checks
    until then when `share` of them are on turn, and no ability or talent draws. With a player, its talents are counted;
    `certainty` says what the chances are, `checks_certainty` what the number of checks is (§7.9).
    """

    rules_id: str
    certainty: Certainty
    memory: Annotated[Memory, NO_FIGURE]
    drawn: Annotated[int, NO_FIGURE]
    modifier: Annotated[int, NO_FIGURE]
    total: Annotated[int, NO_FIGURE]
    totals: tuple[tuple[int, int], ...]
    mean: Fraction
    target: Annotated[int | None, NO_FIGURE]
    success: Share | None
    triggers: tuple[TriggerChance, ...]
    joint: tuple[JointWays, ...]
    left: int
    share: Annotated[Fraction, NO_FIGURE]
    checks: Fraction
    checks_certainty: Certainty


class CheckChances(msgspec.Struct, frozen=True, kw_only=True):
    """A check of the rules: the chances that it reaches its target, fires its trigger, and goes well (§7.4).

    `modifier` is what the player adds in it (§2.5). Each is null where the check has no target, no trigger, or neither.
    """

    check: str
    target: Annotated[int | None, NO_FIGURE]
    trigger: str | None
    modifier: Annotated[int, NO_FIGURE]
    success: Annotated[Fraction | None, CHANCE]
    fires: Annotated[Fraction | None, CHANCE]
    chance: Annotated[Fraction | None, CHANCE]


class ChecksReply(msgspec.Struct, frozen=True, kw_only=True):
    """The checks of the rules, in their order, with the player's talents; `certainty` says what the chances are (§7.9)."""

    rules_id: str
    certainty: Certainty
    drawn: Annotated[int, NO_FIGURE]
    modifier: Annotated[int, NO_FIGURE]
    checks: tuple[CheckChances, ...]


# --- a check that is drawn -------------------------------------------------------------------------------------------


class DrawnCards(NamedTuple):
    """The deck after a draw, the cards that were drawn, and whether the deck was reshuffled."""

    deck: FateDeck
    cards: tuple[str, ...]
    reshuffled: bool


def make_check(request: CheckRequest, context: Context[Rules]) -> CheckReply:
    """Draw the cards of a check, and those that talents of its player draw, and return its result.

    >>> from oddsmith.games.fate.known_decks import KnownDeck
    >>> known = KnownDeck(top=("3♠", "2♥"))
    >>> request = CheckRequest(deck=known, target=4, triggers=("single(spade)",))
    >>> make_check(request, Context(rules=Rules())).result.success
    True
    """
    check = read_check(request, request.triggers, context.rules)
    require_drawable(check.memory, check.cards)
    rules, target = check.rules, check.rules_target
    drawn = take_cards(imagine_deck(check.memory, OWNER, 1, context.draw), check.cards, context.draw)
    fired = fired_talents(drawn.cards, check.talents, rules)
    further = further_draws(drawn.cards, fired, rules, modifier=check.modifier, target=target)
    more = take_cards(drawn.deck, further.cards, context.draw)
    hand = (*(() if further.again else drawn.cards), *more.cards)
    deck = more.deck.add_discards((*drawn.cards, *more.cards))
    triggers = evaluate_triggers(check.triggers, drawn.cards, rules)
    return CheckReply(
        rules_id=rules.rules_id,
        result=judge(
            hand,
            rules,
            modifier=check.modifier,
            target=target,
            talents=fired,
            bonus=total_bonus(fired, rules),
        ),
        target=check.target,
        triggers=tuple(
            FiredTrigger(trigger=text, fired=one) for text, one in zip(check.texts, triggers, strict=True)
        ),
        reshuffled=drawn.reshuffled or more.reshuffled,
        left=len(deck.deck),
        discards=len(deck.discard),
    )


def draw_cards(deck: FateDeck, count: int, luck: Draw) -> DrawnCards:
    """Draw cards one after another, and discard them (§2.1, §3)."""
    drawn = take_cards(deck, count, luck)
    return drawn._replace(deck=drawn.deck.add_discards(drawn.cards))


def take_cards(deck: FateDeck, count: int, luck: Draw) -> DrawnCards:
    """Draw cards one after another, which are then neither in the deck nor discarded (§2.1, §3.3)."""
    cards: list[str] = []
    reshuffled = False
    for _ in range(count):
        cards.append(deck.next_card().sample(luck))
        deck, events = reshuffle_if_due(deck.draw_top(cards[-1]))
        reshuffled = reshuffled or bool(events)
    return DrawnCards(deck, tuple(cards), reshuffled)


def evaluate_triggers(triggers: Sequence[Trigger], cards: Sequence[str], rules: Rules) -> list[bool]:
    """Return for each trigger whether these cards fire it (§4)."""
    faces = card_faces(cards, rules)
    return [fires(trigger, faces) for trigger in triggers]


# --- the odds of a check ---------------------------------------------------------------------------------------------


def compute_check_odds(request: CheckOddsRequest, context: Context[Rules]) -> CheckOddsReply:
    """Compute the exact odds of the next check from what you know.

    >>> compute_check_odds(CheckOddsRequest(target=4), Context(rules=Rules())).success
    Share(count=56, total=153, chance=0.3660130718954248)
    """
    share = read_share(request.share)
    check = read_check(request, request.triggers, context.rules)
    checks = checks_to_reshuffle(len(check.memory.deck), share, check.rules)
    odds = check_odds(
        check.memory,
        check.rules,
        count=check.cards,
        modifier=check.modifier,
        triggers=check.triggers,
        talents=check.talents,
        target=check.rules_target,
    )
    unit = gcd(*(ways for _, ways in odds.joint.items()))
    total = odds.joint.total // unit
    return CheckOddsReply(
        rules_id=check.rules.rules_id,
        certainty=certainty_of(check.rules, request.player, is_exact=odds.is_exact),
        memory=check.memory,
        drawn=check.cards,
        modifier=check.modifier,
        total=total,
        totals=tuple((value, ways // unit) for value, ways in odds.totals.items()),
        mean=odds.totals.mean,
        target=check.target,
        success=None if check.target is None else _share(odds.at_least(check.target), total),
        triggers=tuple(_trigger_chances(odds, check.texts, check.target, total)),
        joint=tuple(
            JointWays(total=value, fired=fired, ways=ways // unit)
            for (value, fired), ways in odds.joint.items()
        ),
        left=len(check.memory.deck) - RESHUFFLE_SIZE,
        share=share,
        checks=checks,
        checks_certainty=Certainty.BEFORE_TALENTS if check.rules.has_talents_that_draw else Certainty.EXACT,
    )


def _trigger_chances(
    odds: CheckOdds, texts: Sequence[str], target: int | None, total: int
) -> Iterator[TriggerChance]:
    for number, text in enumerate(texts):
        yield TriggerChance(
            trigger=text,
            fires=_share(odds.fires(number), total),
            with_target=None if target is None else _share(odds.both(target, number), total),
        )


def _share(chance: Fraction, total: int) -> Share:
    """Return an exact chance as ways of a total that its denominator divides."""
    return Share.of(int(chance * total), total)


# --- the odds of every check of the rules ----------------------------------------------------------------------------


def compute_all_check_odds(request: ChecksRequest, context: Context[Rules]) -> ChecksReply:
    """Return the chances of every check of the rules if it were called now.

    >>> [str(one.chance) for one in compute_all_check_odds(ChecksRequest(), Context(rules=Rules())).checks]
    ['41/51', '97/153', '56/153', '10/51', 'None', '13/51', '10/153']
    """
    draw = read_draw(request, context.rules)
    rules = draw.rules
    scores = {
        name: 0 if request.player is None else check_score(name, request.player, rules)
        for name in rules.checks
    }
    odds = _count_checks(draw, scores)
    return ChecksReply(
        rules_id=rules.rules_id,
        certainty=certainty_of(
            rules, request.player, is_exact=all(one.odds.is_exact for one in odds.values())
        ),
        drawn=draw.cards,
        modifier=draw.modifier,
        checks=tuple(_check_chances(name, kind, odds[name]) for name, kind in rules.checks.items()),
    )


class _TriggerOdds(NamedTuple):
    """Odds with several triggers, and the index of that of a check; and what its target is less in these odds."""

    odds: CheckOdds
    place: int
    less: int


def _count_checks(draw: KnownDraw, scores: Mapping[str, int]) -> dict[str, _TriggerOdds]:
    """Return the odds of every check of the rules; one enumeration serves many where no talent changes the total."""
    checks = draw.rules.checks
    if not any(changes_total(draw.rules.talents[name].effect) for name in draw.talents):
        odds = _count_triggers(draw)
        return {name: _TriggerOdds(*odds[kind.trigger], scores[name]) for name, kind in checks.items()}
    return {
        name: _TriggerOdds(
            check_odds(
                draw.memory,
                draw.rules,
                count=draw.cards,
                modifier=draw.modifier + scores[name],
                triggers=[kind.trigger] * bool(kind.trigger),
                talents=draw.talents,
                target=kind.target,
            ),
            0,
            0,
        )
        for name, kind in checks.items()
    }


def _count_triggers(draw: KnownDraw) -> dict[str, tuple[CheckOdds, int]]:
    """Return the odds by trigger of the rules and its index in them, and under an empty text those without."""
    rules, memory, cards, modifier, _ = draw
    triggers = sorted({kind.trigger for kind in rules.checks.values() if kind.trigger})
    found: dict[str, tuple[CheckOdds, int]] = {}
    for start in range(0, max(len(triggers), 1), MOST_TRIGGERS):
        texts = triggers[start : start + MOST_TRIGGERS]
        odds = check_odds(memory, rules, count=cards, modifier=modifier, triggers=texts)
        found |= {text: (odds, place) for place, text in enumerate(texts)}
        found[""] = odds, 0
    return found


def _check_chances(name: str, kind: CheckKind, counted: _TriggerOdds) -> CheckChances:
    """Return the chances of a check from its odds."""
    odds, place, less = counted
    target = None if kind.target == NO_TARGET else kind.target
    success = None if target is None else odds.at_least(target - less)
    fires_alone = odds.fires(place) if kind.trigger else None
    both = None if target is None or fires_alone is None else odds.both(target - less, place)
    return CheckChances(
        check=name,
        target=target,
        trigger=kind.trigger or None,
        modifier=odds.modifier + less,
        success=success,
        fires=fires_alone,
        chance=next((one for one in (both, success, fires_alone) if one is not None), None),
    )


# --- the questions ---------------------------------------------------------------------------------------------------


CHECK: Final = Question(
    name="check",
    request=CheckRequest,
    reply=CheckReply,
    answer=make_check,
    is_quick=True,
    draws=True,
    has_figures=False,
    is_command=False,
)
ODDS: Final = Question(
    name="odds",
    request=CheckOddsRequest,
    reply=CheckOddsReply,
    answer=compute_check_odds,
    example="oddsmith fate odds --target 4 --seen '3♠ J♥ RJ' --top A♠",
    chart=totals_chart,
)
CHECKS: Final = Question(
    name="checks", request=ChecksRequest, reply=ChecksReply, answer=compute_all_check_odds, is_command=False
)


class TriggerRequest(Request, frozen=True, kw_only=True):
    """A trigger as text."""

    trigger: Annotated[str, argument("Such as 'pair(spade, heart)'.", metavar="TEXT")]


class TriggerShare(msgspec.Struct, frozen=True, kw_only=True):
    """The chance that a trigger fires with `cards` cards of a fresh deck."""

    cards: Annotated[int, NO_FIGURE]
    fires: Share


class TriggerReply(msgspec.Struct, frozen=True, kw_only=True):
    """A trigger in words, and the chances that it fires off turn and on turn."""

    rules_id: str
    trigger: str
    words: str
    odds: tuple[TriggerShare, ...]


def explain_trigger(request: TriggerRequest, context: Context[Rules]) -> TriggerReply:
    """Describe a trigger in words, and show how often it fires.

    >>> explain_trigger(TriggerRequest(trigger="none(red)"), Context(rules=Rules())).words
    'no card is red'
    """
    rules, trigger = context.rules, read_trigger(request.trigger)
    memory = fresh_memory(rules)
    shares = []
    for count in sorted({rules.off_turn, rules.on_turn}):
        chance = check_odds(memory, rules, count=count, triggers=[trigger]).fires(0)
        shares.append(TriggerShare(cards=count, fires=Share.of(*chance.as_integer_ratio())))
    return TriggerReply(
        rules_id=rules.rules_id, trigger=request.trigger, words=describe_trigger(trigger), odds=tuple(shares)
    )


TRIGGER: Final = Question(
    name="trigger",
    request=TriggerRequest,
    reply=TriggerReply,
    answer=explain_trigger,
    example="oddsmith fate trigger 'single(spade, heart) and sum >= 4'",
)
