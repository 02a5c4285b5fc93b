"""The result of a check: values combined, the modifier added, target and trigger evaluated (§2, §4)."""

from collections.abc import Sequence
from typing import assert_never

from oddsmith.errors import InputError
from oddsmith.games.fate.model import Result
from oddsmith.games.fate.rule_types import NO_TARGET, Combine, Target
from oddsmith.games.fate.rules import Rules
from oddsmith.games.fate.triggers import Face, Trigger, fires


def card_faces(cards: Sequence[str], rules: Rules) -> list[Face]:
    """Return the faces of these cards, or raise `InputError` for a card that the rules do not have.

    >>> from oddsmith.games.fate.rules import DEFAULT
    >>> [face.value for face in card_faces(("3♠", "A♥"), DEFAULT)]
    [3, 1]
    """
    try:
        return [rules.faces[name] for name in cards]
    except KeyError as error:
        name = str(error.args[0])[:20]
        raise InputError(
            "unknown_card", f"'{name}' is no card of these rules: give those that the deck was made with"
        ) from error


def combine_values(values: Sequence[int], how: Combine) -> int:
    """Return the combined value of cards (§2.2).

    >>> combine_values((3, 1), Combine.SUM), combine_values((3, 1), Combine.WORST)
    (4, 1)
    """
    match how:
        case Combine.SUM:
            return sum(values)
        case Combine.BEST:
            return max(values)
        case Combine.WORST:
            return min(values)
        case _ as never:
            assert_never(never)


def judge(
    cards: Sequence[str],
    rules: Rules,
    *,
    modifier: int = 0,
    target: Target = NO_TARGET,
    trigger: Trigger | None = None,
    judged: Sequence[str] = (),
    talents: Sequence[str] = (),
    bonus: int = 0,
) -> Result:
    """Return the result of a check with these cards, or raise `InputError` for an unknown card.

    Talents that fired add the `bonus`. Where they changed the cards, the trigger is evaluated on those `judged` before.

    >>> from oddsmith.games.fate.rules import DEFAULT
    >>> judge(("3♠", "A♥"), DEFAULT, modifier=1, target=5).success
    True
    """
    faces = card_faces(cards, rules)
    value = combine_values([face.value for face in faces], rules.combine)
    total = value + modifier + bonus
    return Result(
        cards=tuple(cards),
        value=value,
        modifier=modifier,
        total=total,
        success=None if target == NO_TARGET else total >= target,
        triggered=None if trigger is None else fires(trigger, card_faces(judged, rules) if judged else faces),
        talents=tuple(talents),
        bonus=bonus,
    )
