"""The question about the check at hand: the chances of each answer (§5.6, §5.7).

A player takes the cards, takes an extra card, or redraws.
"""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Annotated, Final, TypeAlias

import msgspec

from oddsmith.errors import InputError
from oddsmith.games.fate.answers import Answer, answer_outcomes, is_answer_countable, possible_answers
from oddsmith.games.fate.checks import judge
from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.known_decks import (
    CardTexts,
    CheckName,
    Count,
    Deck,
    DeckFile,
    KnownCheck,
    Modifier,
    Player,
    Target,
    WantedTrigger,
    read_cards,
    read_check,
)
from oddsmith.games.fate.memory import Memory, lying_cards
from oddsmith.games.fate.model import Result
from oddsmith.games.fate.rules import Rules
from oddsmith.question import Context, Question, Request
from oddsmith.reply_figures import CHANCE, NO_FIGURE

Judge: TypeAlias = Callable[[tuple[str, ...]], Result]


class AnswersRequest(Request, frozen=True, kw_only=True):
    """A check as that of the question `check`, whose cards are the `hand`; they are not in the deck or the discard pile."""

    hand: CardTexts
    count: Count = None
    target: Target = None
    modifier: Modifier = 0
    trigger: WantedTrigger = None
    deck: Deck = None
    deck_file: DeckFile = None
    memory: Memory | None = None
    on_turn: bool = True
    player: Player = None
    check: CheckName = None


class AnswerChances(msgspec.Struct, frozen=True, kw_only=True):
    """An answer, by the ability that it uses; null takes the cards as they are.

    The chances to reach the target, to fire the trigger, and that the check goes well are null where it has no target,
    no trigger, or neither. With an extra card, the best cards for each are kept.
    """

    ability: Ability | None
    success: Annotated[Fraction | None, CHANCE]
    fires: Annotated[Fraction | None, CHANCE]
    chance: Annotated[Fraction | None, CHANCE]


class AnswersReply(msgspec.Struct, frozen=True, kw_only=True):
    """The result of the cards, and the chances of each answer; `uncounted` have too many ways to count.

    The chances are estimates unless `is_exact` (§7.2), and those before talents, which the question `talents` counts.
    """

    rules_id: str
    is_exact: bool
    result: Result
    target: Annotated[int | None, NO_FIGURE]
    trigger: str | None
    answers: tuple[AnswerChances, ...]
    uncounted: tuple[Ability, ...]


def value_answers(request: AnswersRequest, context: Context[Rules]) -> AnswersReply:
    """Say what the cards of a check come to, and what an extra card or a redraw would make of it.

    >>> from oddsmith.games.fate.known_decks import KnownDeck
    >>> request = AnswersRequest(check="hard", hand=("3♠", "J♥"), deck=KnownDeck(out=("3♠", "J♥")))
    >>> answers = value_answers(request, Context(rules=Rules())).answers
    >>> [(one.ability and str(one.ability), str(one.chance)) for one in answers]
    [(None, '0'), ('extra', '3/4'), ('redraw', '11/30')]
    """
    check = read_check(request, () if request.trigger is None else (request.trigger,), context.rules)
    hand = _read_hand(request.hand, check)

    def judge_hand(cards: tuple[str, ...]) -> Result:
        return judge(
            cards, check.rules, modifier=check.modifier, target=check.rules_target, trigger=check.trigger
        )

    answers = list(possible_answers(hand, check.rules))
    countable = [one for one in answers if is_answer_countable(check.memory, one)]
    return AnswersReply(
        rules_id=check.rules.rules_id,
        is_exact=check.memory.is_exact,
        result=judge_hand(hand),
        target=check.target,
        trigger=check.text,
        answers=tuple(_answer_chances(check.memory, one, judge_hand) for one in countable),
        uncounted=tuple(one.ability for one in answers if one not in countable and one.ability is not None),
    )


def _read_hand(texts: tuple[str, ...], check: KnownCheck) -> tuple[str, ...]:
    """Return the cards of the check, or raise `InputError` for a wrong number or for cards that are also elsewhere."""
    hand = tuple(check.rules.card(text) for text in read_cards(texts))
    if len(hand) != check.cards:
        raise InputError(
            "bad_hand", f"{check.cards} cards count in this check, not {len(hand)}", where="hand"
        )
    excess = Counter(hand) + Counter(lying_cards(check.memory)) - Counter(check.rules.deck)
    if excess:
        raise InputError(
            "card_too_often",
            f"{next(iter(excess))} is in the hand and lies elsewhere, too: what is in a hand is `out` of a deck",
            where="hand",
        )
    return hand


def _answer_chances(memory: Memory, answer: Answer, judge_hand: Judge) -> AnswerChances:
    """Return the chances of an answer, with the best hand of each draw for each goal."""
    outcomes = list(answer_outcomes(memory, answer, judge_hand))
    total = sum(ways for _, ways in outcomes)
    first = outcomes[0][0][0]

    def chance_of(goal: Callable[[Result], bool]) -> Fraction:
        return Fraction(sum(ways for results, ways in outcomes if any(map(goal, results))), total)

    has_target, has_trigger = first.success is not None, first.triggered is not None
    return AnswerChances(
        ability=answer.ability,
        success=chance_of(lambda result: result.success is True) if has_target else None,
        fires=chance_of(lambda result: result.triggered is True) if has_trigger else None,
        chance=chance_of(_goes_well) if has_target or has_trigger else None,
    )


def _goes_well(result: Result) -> bool:
    return result.success is not False and result.triggered is not False


ANSWERS: Final = Question(
    name="answers", request=AnswersRequest, reply=AnswersReply, answer=value_answers, is_command=False
)
