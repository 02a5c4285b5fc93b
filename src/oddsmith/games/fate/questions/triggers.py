"""The question about a trigger: what it means, and how often it fires."""

from typing import Annotated, Final

import msgspec

from oddsmith.games.fate.odds import check_odds, fresh_memory
from oddsmith.games.fate.rules import Rules
from oddsmith.games.fate.triggers import read_trigger
from oddsmith.games.fate.wording import trigger_words
from oddsmith.question import Context, Question, Request, Share
from oddsmith.reply_paths import NO_FIGURE
from oddsmith.request_fields import argument


class TriggerRequest(Request, frozen=True, kw_only=True):
    """A trigger as text."""

    trigger: Annotated[str, argument("Such as 'pair(spade, heart)'.", metavar="TEXT")]


class TriggerShare(msgspec.Struct, frozen=True, kw_only=True):
    """How often a trigger fires with so many cards of a fresh deck."""

    cards: Annotated[int, NO_FIGURE]
    fires: Share


class TriggerReply(msgspec.Struct, frozen=True, kw_only=True):
    """A trigger in plain words, and how often it fires off turn and on turn."""

    rules_id: str
    trigger: str
    words: str
    odds: tuple[TriggerShare, ...]


def explain_trigger(request: TriggerRequest, context: Context[Rules]) -> TriggerReply:
    """Say a trigger in plain words, and how often it fires.

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
        rules_id=rules.rules_id, trigger=request.trigger, words=trigger_words(trigger), odds=tuple(shares)
    )


TRIGGER: Final = Question(
    name="trigger",
    request=TriggerRequest,
    reply=TriggerReply,
    answer=explain_trigger,
    example="oddsmith fate trigger 'single(spade, heart) and sum >= 4'",
)
