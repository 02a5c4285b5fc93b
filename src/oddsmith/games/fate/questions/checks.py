"""What the Fate Deck answers without a table: how a check goes from what is known of a deck, and which odds it had."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd
from typing import Annotated, Final, TypeAlias, assert_never

import msgspec
from msgspec import Meta

from oddsmith.chance import Draw
from oddsmith.errors import InputError
from oddsmith.game import Seat
from oddsmith.games.fate.abilities import down_to_one
from oddsmith.games.fate.advising import AbilitiesReply, abilities_reply
from oddsmith.games.fate.answering import AnswerQuestion, AnswerReply, answer_reply
from oddsmith.games.fate.asking import AskedCheck, KnownDeck, TriggerText
from oddsmith.games.fate.checks import faces_of, judge
from oddsmith.games.fate.deck import LAST, FateDeck
from oddsmith.games.fate.draws import require_drawable
from oddsmith.games.fate.memory import Memory, imagined
from oddsmith.games.fate.model import Result
from oddsmith.games.fate.odds import MOST_TRIGGERS, CheckOdds, check_odds, checks_to_reshuffle
from oddsmith.games.fate.prospects import ChecksQuestion, ChecksReply, checks_reply
from oddsmith.games.fate.rules import NO_TARGET, Rules, Target
from oddsmith.games.fate.triggers import Trigger, fires, read_trigger
from oddsmith.questions import Question, Questions, Share, in_batches, rules_of

__all__ = [
    "QUESTIONS",
    "AbilitiesQuestion",
    "Checked",
    "DrawnCards",
    "FateOddsQuestion",
    "FateOddsReply",
    "FateQuestion",
    "FiredTrigger",
    "JointWays",
    "KnownDeck",
    "TriggerChance",
    "draw_cards",
    "fired_triggers",
    "next_check_odds",
]

OWNER: Final[Seat] = 0
EVEN: Final = Fraction(1, 2)
FINEST_SHARE: Final = 10_000

Triggers: TypeAlias = Annotated[tuple[TriggerText, ...], Meta(max_length=MOST_TRIGGERS)]


class FateQuestion(AskedCheck, frozen=True, kw_only=True, tag="check"):
    """How a check goes."""

    triggers: Triggers = ()


class FateOddsQuestion(AskedCheck, frozen=True, kw_only=True, tag="check"):
    """Which odds a check has; `share` of the checks to come are on turn."""

    triggers: Triggers = ()
    share: Fraction = EVEN


class AbilitiesQuestion(AskedCheck, frozen=True, kw_only=True, tag="abilities"):
    """What each ability would add to the chance that a check goes well."""

    trigger: TriggerText | None = None


class FiredTrigger(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a trigger fired."""

    trigger: str
    fired: bool


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """The cards that were drawn, and what they come to; `left` lie in the deck then, `discards` on the pile."""

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
    """A total together with which of the triggers fire, in their order, and in how many ways."""

    total: int
    fired: tuple[bool, ...]
    ways: int


class FateOddsReply(msgspec.Struct, frozen=True, kw_only=True):
    """What the next check makes for somebody who knows this, in how many of `total` ways.

    `memory` is what is known: deck and discard pile from their tops, null where a card is not known, and the cards
    that are unseen. `left` cards can be drawn before the deck is shuffled anew; `checks` are expected until then when
    `share` of them are on turn.
    """

    rules_id: str
    memory: Memory
    drawn: int
    modifier: int
    total: int
    totals: tuple[tuple[int, int], ...]
    mean: Fraction
    target: int | None
    success: Share | None
    triggers: tuple[TriggerChance, ...]
    joint: tuple[JointWays, ...]
    left: int
    share: Fraction
    checks: Fraction


class DrawnCards(msgspec.Struct, frozen=True):
    """What a draw has left, which cards it was, and whether the deck was shuffled anew."""

    deck: FateDeck
    cards: tuple[str, ...]
    reshuffled: bool


# --- how a check goes ------------------------------------------------------------------------------------------------


def resolve(asked: FateQuestion, draw: Draw) -> Checked:
    """Draw the cards of a check, and say what they come to.

    >>> from oddsmith.chance import System
    >>> known = KnownDeck(top=("3♠", "2♥"))
    >>> resolve(FateQuestion(deck=known, target=4, triggers=("single(spade)",)), System()).result.success
    True
    """
    rules = rules_of(Rules, asked.rules)
    wanted = asked.wanted(rules, asked.triggers)
    triggers = [read_trigger(text) for text in wanted.triggers]
    memory, count = asked.known(rules), asked.cards(rules)
    require_drawable(memory, count)
    drawn = draw_cards(imagined(memory, OWNER, draw), count, draw, OWNER)
    target: Target = NO_TARGET if wanted.target is None else wanted.target
    return Checked(
        rules_id=rules.rules_id,
        result=judge(drawn.cards, rules, modifier=wanted.modifier, target=target),
        target=wanted.target,
        triggers=tuple(
            FiredTrigger(trigger=text, fired=fired)
            for text, fired in zip(wanted.triggers, fired_triggers(triggers, drawn.cards, rules), strict=True)
        ),
        reshuffled=drawn.reshuffled,
        left=len(drawn.deck.deck),
        discards=len(drawn.deck.discard),
    )


def draw_cards(deck: FateDeck, count: int, luck: Draw, seat: Seat) -> DrawnCards:
    """Draw cards one after another for a seat, and lay them on the discard pile (§2.1, §3)."""
    cards: list[str] = []
    reshuffled = False
    for _ in range(count):
        cards.append(deck.next_card().sample(luck))
        deck, told = down_to_one(deck.without_top(cards[-1], (seat,)))
        reshuffled = reshuffled or bool(told)
    return DrawnCards(deck.laid_down(cards, (seat,)), tuple(cards), reshuffled)


def fired_triggers(triggers: Sequence[Trigger], cards: Sequence[str], rules: Rules) -> list[bool]:
    """Say of each trigger whether these cards fire it (§4)."""
    faces = faces_of(cards, rules)
    return [fires(trigger, faces) for trigger in triggers]


OddsQuestion: TypeAlias = FateOddsQuestion | AbilitiesQuestion | ChecksQuestion | AnswerQuestion
OddsReply: TypeAlias = FateOddsReply | AbilitiesReply | ChecksReply | AnswerReply


# --- odds ------------------------------------------------------------------------------------------------------------


def odds(
    asked: OddsQuestion,
    draw: Draw,  # noqa: ARG001  nothing is drawn
) -> OddsReply:
    """Say exactly what the next check makes, what abilities would add to it, or what can still be made of one.

    >>> from oddsmith.chance import System
    >>> odds(FateOddsQuestion(target=4), System()).success
    Share(count=56, total=153, chance=0.3660130718954248)
    """
    match asked:
        case FateOddsQuestion():
            return _check(asked)
        case AbilitiesQuestion():
            return _abilities(asked)
        case ChecksQuestion():
            return checks_reply(asked)
        case AnswerQuestion():
            return answer_reply(asked)
        case _ as never:
            assert_never(never)


def _check(asked: FateOddsQuestion) -> FateOddsReply:
    rules = rules_of(Rules, asked.rules)
    if asked.share.denominator > FINEST_SHARE:
        raise InputError(
            "bad_share", f"a share of checks is a fraction of at most {FINEST_SHARE:,}", where="share"
        )
    wanted = asked.wanted(rules, asked.triggers)
    return next_check_odds(
        asked.known(rules),
        rules,
        count=asked.cards(rules),
        modifier=wanted.modifier,
        target=wanted.target,
        texts=wanted.triggers,
        triggers=[read_trigger(text) for text in wanted.triggers],
        share=asked.share,
    )


def _abilities(asked: AbilitiesQuestion) -> AbilitiesReply:
    rules = rules_of(Rules, asked.rules)
    wanted = asked.wanted(rules, () if asked.trigger is None else (asked.trigger,))
    text = next(iter(wanted.triggers), None)
    return abilities_reply(
        asked.known(rules),
        rules,
        count=asked.cards(rules),
        modifier=wanted.modifier,
        target=wanted.target,
        text=text,
        trigger=None if text is None else read_trigger(text),
    )


def next_check_odds(
    memory: Memory,
    rules: Rules,
    *,
    count: int,
    modifier: int,
    target: int | None,
    texts: Sequence[str],
    triggers: Sequence[Trigger],
    share: Fraction,
) -> FateOddsReply:
    """Count what the next check makes; `texts` are what the triggers were read from."""
    checks = checks_to_reshuffle(len(memory.deck), share, rules)
    made = check_odds(memory, rules, count=count, modifier=modifier, triggers=triggers)
    unit = gcd(*(ways for _, ways in made.joint.items()))
    total = made.joint.total // unit
    return FateOddsReply(
        rules_id=rules.rules_id,
        memory=memory,
        drawn=count,
        modifier=modifier,
        total=total,
        totals=tuple((value, ways // unit) for value, ways in made.totals.items()),
        mean=made.totals.mean,
        target=target,
        success=None if target is None else _share(made.at_least(target), total),
        triggers=tuple(_trigger_chances(made, texts, target, total)),
        joint=tuple(
            JointWays(total=value, fired=fired, ways=ways // unit)
            for (value, fired), ways in made.joint.items()
        ),
        left=len(memory.deck) - LAST,
        share=share,
        checks=checks,
    )


def _trigger_chances(
    made: CheckOdds, texts: Sequence[str], target: int | None, total: int
) -> Iterator[TriggerChance]:
    for number, text in enumerate(texts):
        yield TriggerChance(
            trigger=text,
            fires=_share(made.fires(number), total),
            with_target=None if target is None else _share(made.both(target, number), total),
        )


def _share(chance: Fraction, total: int) -> Share:
    """Return an exact chance as ways of a total that it has."""
    return Share.of(int(chance * total), total)


_RESOLVE: Final = Question(request=FateQuestion, reply=Checked, answer=resolve, quick=True)

QUESTIONS: Final = Questions(
    resolve=_RESOLVE,
    batch=in_batches(_RESOLVE),
    odds=Question(request=OddsQuestion, reply=OddsReply, answer=odds),
)
"""What may be asked of the Fate Deck."""
