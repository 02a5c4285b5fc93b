"""What a player's answer to a check can make of it: to take the cards, an extra one, or to draw anew (§5.6, §5.7)."""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple, TypeAlias

import msgspec

from oddsmith.errors import InputError
from oddsmith.games.fate.asking import AskedCheck, CardTexts, TriggerText
from oddsmith.games.fate.checks import judge
from oddsmith.games.fate.draws import cards_known, draw_total, hands, is_countable
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.model import Result
from oddsmith.games.fate.rules import NO_TARGET, Ability, Rules, Target
from oddsmith.games.fate.triggers import read_trigger
from oddsmith.questions import rules_of

__all__ = ["AnswerChances", "AnswerQuestion", "AnswerReply", "answer_reply"]

Judged: TypeAlias = Callable[[tuple[str, ...]], Result]


class AnswerQuestion(AskedCheck, frozen=True, kw_only=True, tag="answer"):
    """What each answer to a check makes of it, whose cards are these; they lie neither in the deck nor on the pile."""

    hand: CardTexts
    trigger: TriggerText | None = None


class AnswerChances(msgspec.Struct, frozen=True, kw_only=True):
    """An answer, by the ability that it uses: null takes the cards as they are.

    How often it reaches the target, how often it fires the trigger, and how often the check goes well: null where there
    is no target, no trigger, or nothing is wanted. Of an extra card the best for each is kept.
    """

    ability: Ability | None
    success: Fraction | None
    fires: Fraction | None
    chance: Fraction | None


class AnswerReply(msgspec.Struct, frozen=True, kw_only=True):
    """What the cards come to, and what each answer can make of it; `uncounted` have too many ways to count."""

    rules_id: str
    result: Result
    target: int | None
    trigger: str | None
    answers: tuple[AnswerChances, ...]
    uncounted: tuple[Ability, ...]


class _Answer(NamedTuple):
    """An answer, how many cards it draws, and the hands among which its player chooses then."""

    ability: Ability | None
    drawn: int
    hands: Callable[[tuple[str, ...]], Iterator[tuple[str, ...]]]


def answer_reply(asked: AnswerQuestion) -> AnswerReply:
    """Judge the cards of a check, and count what an extra card or a redraw would do.

    >>> from oddsmith.games.fate.asking import KnownDeck
    >>> asked = AnswerQuestion(check="hard", hand=("3♠", "J♥"), deck=KnownDeck(out=("3♠", "J♥")))
    >>> [(one.ability and str(one.ability), str(one.chance)) for one in answer_reply(asked).answers]
    [(None, '0'), ('extra', '3/4'), ('redraw', '11/30')]
    """
    rules = rules_of(Rules, asked.rules)
    wanted = asked.wanted(rules, () if asked.trigger is None else (asked.trigger,))
    text = next(iter(wanted.triggers), None)
    trigger = None if text is None else read_trigger(text)
    memory = asked.known(rules)
    hand = _proved_hand(asked, memory, rules)

    target: Target = NO_TARGET if wanted.target is None else wanted.target

    def judged(cards: tuple[str, ...]) -> Result:
        return judge(cards, rules, modifier=wanted.modifier, target=target, trigger=trigger)

    answers = list(_answers(hand, rules))
    counted = [one for one in answers if _is_counted(memory, one)]
    return AnswerReply(
        rules_id=rules.rules_id,
        result=judged(hand),
        target=wanted.target,
        trigger=text,
        answers=tuple(_chances(memory, one, judged) for one in counted),
        uncounted=tuple(one.ability for one in answers if one not in counted and one.ability is not None),
    )


def _proved_hand(asked: AnswerQuestion, memory: Memory, rules: Rules) -> tuple[str, ...]:
    """Return the cards of the check, refused where they are not as many as count, or lie elsewhere, too."""
    hand, count = tuple(rules.card(text) for text in asked.hand), asked.cards(rules)
    if len(hand) != count:
        raise InputError("bad_hand", f"{count} cards count in this check, not {len(hand)}", where="hand")
    twice = Counter(hand) + Counter(cards_known(memory)) - Counter(rules.deck)
    if twice:
        raise InputError(
            "card_too_often",
            f"{next(iter(twice))} is in the hand and lies elsewhere, too: what is in a hand is `out` of a deck",
            where="hand",
        )
    return hand


def _answers(hand: tuple[str, ...], rules: Rules) -> Iterator[_Answer]:
    """Yield the answers that these rules know."""
    yield _Answer(None, 0, lambda _: iter((hand,)))
    if rules.extras_per_check and rules.uses(Ability.EXTRA):
        yield _Answer(Ability.EXTRA, 1, lambda cards: combinations((*hand, *cards), len(hand)))
    if rules.redraws_per_check and rules.uses(Ability.REDRAW):
        yield _Answer(Ability.REDRAW, len(hand), lambda cards: iter((cards,)))


def _is_counted(memory: Memory, answer: _Answer) -> bool:
    lying = len(memory.deck) + len(memory.discard)
    return answer.drawn < lying and is_countable(memory, answer.drawn, ordered=False)


def _chances(memory: Memory, answer: _Answer, judged: Judged) -> AnswerChances:
    """Count an answer: of each draw the best hand for each aim."""
    drawn = list(hands(memory, answer.drawn)) if answer.drawn else [((), 1)]
    made = [([judged(hand) for hand in answer.hands(cards)], ways) for cards, ways in drawn]
    total = draw_total(memory, answer.drawn) if answer.drawn else 1
    first = made[0][0][0]

    def share(aim: Callable[[Result], bool]) -> Fraction:
        return Fraction(sum(ways for results, ways in made if any(map(aim, results))), total)

    has_target, has_trigger = first.success is not None, first.triggered is not None
    return AnswerChances(
        ability=answer.ability,
        success=share(lambda result: result.success is True) if has_target else None,
        fires=share(lambda result: result.triggered is True) if has_trigger else None,
        chance=share(_goes_well) if has_target or has_trigger else None,
    )


def _goes_well(result: Result) -> bool:
    return result.success is not False and result.triggered is not False
