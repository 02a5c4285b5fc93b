"""The question about the check at hand: the chances of each answer (§5.6, §5.7).

A player takes the cards, takes an extra card, or redraws.
"""

from collections import Counter
from fractions import Fraction
from typing import Annotated, Final, NamedTuple

import msgspec

from oddsmith.errors import InputError, WorkLimitError
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
from oddsmith.games.fate.odds import Certainty, certainty_of
from oddsmith.games.fate.rules import Rules
from oddsmith.games.fate.talent_odds import CERTAIN, IMPOSSIBLE, TalentCheck, mean_chance
from oddsmith.games.fate.talents import total_bonus
from oddsmith.question import Context, Question, Request
from oddsmith.reply_figures import CHANCE, NO_FIGURE


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

    With a player, talents are counted: the `result` has what they add, and they then draw `draws` more cards. `certainty`
    says what the chances are (§7.9).
    """

    rules_id: str
    certainty: Certainty
    result: Result
    draws: Annotated[int, NO_FIGURE]
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
    counted = TalentCheck(
        check.rules,
        talents=check.talents,
        modifier=check.modifier,
        target=check.rules_target,
        triggers=check.triggers,
    )
    answers = {one.ability: one for one in possible_answers(hand, check.rules)}
    chances = {ability: _answer_chances(check.memory, one, counted) for ability, one in answers.items()}
    fired = counted.fired(hand)
    return AnswersReply(
        rules_id=check.rules.rules_id,
        certainty=certainty_of(
            check.rules, request.player, is_exact=check.memory.is_exact and counted.is_exact
        ),
        result=judge(
            hand,
            check.rules,
            modifier=check.modifier,
            target=check.rules_target,
            trigger=check.trigger,
            talents=fired.talents,
            bonus=total_bonus(fired.talents, check.rules),
        ),
        draws=fired.further.cards,
        target=check.target,
        trigger=check.text,
        answers=tuple(one for one in chances.values() if one is not None),
        uncounted=tuple(ability for ability, one in chances.items() if one is None and ability is not None),
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


def _answer_chances(memory: Memory, answer: Answer, check: TalentCheck) -> AnswerChances | None:
    """Return the chances of an answer, with the best hand of each draw for each goal; None where there are too many ways."""

    def goals(hand: tuple[str, ...], drawn: tuple[str, ...]) -> _Goals:
        fires = all(check.fired(hand).triggers)
        success = check.success(hand, memory, drawn)
        return _Goals(success, CERTAIN if fires else IMPOSSIBLE, success if fires else IMPOSSIBLE)

    if not is_answer_countable(memory, answer):
        return None
    try:
        outcomes = list(answer_outcomes(memory, answer, goals))
    except WorkLimitError:
        if answer.ability is None:
            raise
        return None

    def best(goal: int, *, is_set: bool) -> Fraction | None:
        return (
            mean_chance((max([one[goal] for one in ends]), ways) for ends, ways in outcomes)
            if is_set
            else None
        )

    return AnswerChances(
        ability=answer.ability,
        success=best(0, is_set=check.has_target),
        fires=best(1, is_set=check.has_triggers),
        chance=best(2, is_set=check.has_target or check.has_triggers),
    )


class _Goals(NamedTuple):
    """The chances of a hand to reach the target, to fire the trigger, and to do both."""

    success: Fraction
    fires: Fraction
    both: Fraction


ANSWERS: Final = Question(
    name="answers", request=AnswersRequest, reply=AnswersReply, answer=value_answers, is_command=False
)
