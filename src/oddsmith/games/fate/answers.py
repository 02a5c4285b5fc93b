"""The answers to a check at hand: take the cards, an extra card, or a redraw, with all that each may lead to (§5.6, §5.7)."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import NamedTuple, TypeVar

from oddsmith.games.fate.draws import is_countable, next_cards
from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.rules import Rules

T = TypeVar("T")


class Answer(NamedTuple):
    """An answer: the number of cards that it draws, and the hands among which the player then chooses."""

    ability: Ability | None
    drawn: int
    hands: Callable[[tuple[str, ...]], Iterator[tuple[str, ...]]]


def possible_answers(hand: tuple[str, ...], rules: Rules) -> Iterator[Answer]:
    """Yield the answers that the rules allow; the first takes the cards as they are."""
    yield Answer(None, 0, lambda _: iter((hand,)))
    if rules.extras_per_check and rules.uses(Ability.EXTRA):
        yield Answer(Ability.EXTRA, 1, lambda cards: combinations((*hand, *cards), len(hand)))
    if rules.redraws_per_check and rules.uses(Ability.REDRAW):
        yield Answer(Ability.REDRAW, len(hand), lambda cards: iter((cards,)))


def is_answer_countable(memory: Memory, answer: Answer) -> bool:
    """Return whether the draws of an answer are possible and few enough to enumerate."""
    lying = len(memory.deck) + len(memory.discard)
    return answer.drawn < lying and is_countable(memory, answer.drawn, ordered=False)


def answer_outcomes(
    memory: Memory, answer: Answer, judge_hand: Callable[[tuple[str, ...], tuple[str, ...]], T]
) -> Iterator[tuple[list[T], int]]:
    """Yield what each draw of an answer lets the player choose among, with its ways; draws are as in `next_cards`.

    `judge_hand` gets a hand, and the cards that were drawn for it from the deck of `memory`.
    """
    drawn = next_cards(memory, answer.drawn) if answer.drawn else iter([((), 1)])
    for cards, ways in drawn:
        yield [judge_hand(hand, cards) for hand in answer.hands(cards)], ways
