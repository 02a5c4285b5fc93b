"""Gains of abilities, compared with brute force over every use in every world (§7.4)."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.games.fate.checks import judge
from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.odds import fresh_memory, known_memory
from oddsmith.games.fate.rules import Rules
from oddsmith.games.fate.triggers import read_trigger
from oddsmith.games.fate.values import ability_values, uncounted_abilities
from tests.games.fate.builders import SMALL, kind, refusal
from tests.games.fate.oracle import chances_of, values_of
from tests.games.fate.strategies import memories
from tests.games.fate.test_odds import MEMORIES

VALUED = SMALL.replace(cards=(*SMALL.cards, kind("X", 1)), redraws_per_check=1)
"""Enough cards for a redraw, one more than the decks of these tests."""

USED: tuple[tuple[Ability, ...], ...] = (
    (Ability.PEEK, Ability.REORDER),
    (Ability.PEEK, Ability.TO_BOTTOM),
    (Ability.EXTRA,),
    (Ability.REDRAW,),
    (Ability.RESHUFFLE,),
)
Chances = dict[tuple[tuple[Ability, ...], int], Fraction]


def values_by_brute_force(memory: Memory, count: int, target: int, text: str) -> tuple[Fraction, Chances]:
    """Return the chance without an ability, and with each."""
    trigger = read_trigger(text)

    def is_good(cards: Sequence[str]) -> bool:
        result = judge(cards, VALUED, target=target, trigger=trigger)
        return bool(result.success and result.triggered)

    before = sum(
        (chance for cards, chance in chances_of(memory, count).items() if is_good(cards)), Fraction(0)
    )
    return before, values_of(memory, count, VALUED.most_peeked, is_good)


def compare_values(memory: Memory, count: int, target: int, text: str) -> None:
    before, expected = values_by_brute_force(memory, count, target, text)
    values = ability_values(memory, VALUED, count=count, target=target, trigger=read_trigger(text))

    assert expected == {(value.abilities, value.count): value.after for value in values}
    assert {before} == {value.before for value in values}
    assert sorted((value.gain for value in values), reverse=True) == [value.gain for value in values]


@pytest.mark.parametrize("memory", MEMORIES.values(), ids=MEMORIES)
@pytest.mark.parametrize(("count", "target", "text"), [(1, 2, "none(spade)"), (2, 3, "at_least(1, heart)")])
def test_7_4_gains_agree_with_brute_force(memory: Memory, count: int, target: int, text: str) -> None:
    """Peek and reorder, peek and to-bottom, extra, redraw, reshuffle; the largest gain first."""
    compare_values(memory, count, target, text)


@pytest.mark.parametrize("out", [["S", "H", "N"], ["S", "H"]])
def test_7_4_abilities_that_the_deck_cannot_serve_are_left_out(out: list[str]) -> None:
    """With three cards there is no extra for two; with three or four no redraw of two."""
    compare_values(known_memory(SMALL, out=out), 2, 3, "at_least(1, heart)")


@pytest.mark.sweep
@settings(max_examples=10)
@given(memories(), st.integers(1, 2), st.integers(0, 5))
def test_7_4_gains_agree_with_brute_force_in_any_game(memory: Memory, count: int, target: int) -> None:
    """After any moves and for any seat."""
    compare_values(memory, count, target, "not both(spade)")


def test_7_4_a_fresh_deck_and_a_target_of_four() -> None:
    """Before: 56 of 153. Peeking at three cards and reordering them is as good as an extra card."""
    values = {(value.abilities, value.count): value for value in ability_values(fresh_memory(), target=4)}
    peeked = values[(Ability.PEEK, Ability.REORDER), 3]

    assert {Fraction(56, 153)} == {value.before for value in values.values()}
    assert Fraction(359, 1224) == peeked.gain == values[(Ability.EXTRA,), 1].gain
    assert 0 == values[(Ability.PEEK, Ability.REORDER), 2].gain == values[(Ability.RESHUFFLE,), 18].gain


def test_7_4_a_reshuffle_helps_with_a_bad_top() -> None:
    """Two jacks are next: any other deck is better."""
    best = ability_values(known_memory(top=["J♠", "J♥"]), target=4)

    assert Fraction(0) == best[0].before
    assert Fraction(56, 153) == next(value.after for value in best if value.abilities == (Ability.RESHUFFLE,))


def test_7_4_gains_for_a_trigger_alone() -> None:
    """A check without target succeeds when its trigger fires."""
    values = ability_values(fresh_memory(), count=1, trigger=read_trigger("single(spade)"))

    assert Fraction(5, 18) == values[0].before


def test_7_4_without_conditions_every_draw_succeeds() -> None:
    assert "nothing_wanted" == refusal(lambda: ability_values(fresh_memory())).code


@pytest.mark.parametrize(
    ("rules", "left"),
    [
        (Rules(abilities={Ability.RESHUFFLE: 1}), {(Ability.RESHUFFLE,)}),
        (Rules(abilities={Ability.PEEK: 1, Ability.TO_BOTTOM: 1}), {(Ability.PEEK, Ability.TO_BOTTOM)}),
        (Rules(abilities={Ability.EXTRA: 1, Ability.REDRAW: 1}, extras_per_check=0), {(Ability.REDRAW,)}),
        (Rules(abilities={Ability.EXTRA: 1, Ability.REDRAW: 1}, redraws_per_check=0), {(Ability.EXTRA,)}),
        (Rules(abilities={}), set()),
    ],
)
def test_5_9_only_abilities_with_uses_are_valued(rules: Rules, left: set[tuple[Ability, ...]]) -> None:
    assert left == {value.abilities for value in ability_values(fresh_memory(), rules, target=4)}


def test_7_4_a_peek_may_show_the_whole_deck() -> None:
    """Of J♠, 3♥ and 3♦ the jack goes last or to the bottom. Without that, one order of three is good."""
    seen = [name for name in Rules().deck if name not in ("J♠", "3♥", "3♦")]
    known = known_memory(seen=seen)
    values = {(value.abilities, value.count): value for value in ability_values(known, target=6)}

    assert Fraction(1, 3) == values[(Ability.PEEK, Ability.REORDER), 3].before
    assert 1 == values[(Ability.PEEK, Ability.REORDER), 3].after
    assert Fraction(2, 3) == values[(Ability.PEEK, Ability.TO_BOTTOM), 1].after


def test_7_4_a_peek_at_the_last_two_cards_chooses_which_is_drawn_before_the_reshuffle() -> None:
    """The 3♦ first, then any of the twelve other cards of 17 with a value of 1 or more."""
    seen = [name for name in Rules().deck if name not in ("J♠", "3♦")]
    known = known_memory(seen=seen)
    values = {(value.abilities, value.count): value for value in ability_values(known, target=4)}

    assert Fraction(6, 17) == values[(Ability.PEEK, Ability.REORDER), 2].before
    assert Fraction(12, 17) == values[(Ability.PEEK, Ability.REORDER), 2].after


@pytest.mark.parametrize(
    ("rules", "counted", "uncounted"),
    [
        (Rules(on_turn=4), {(Ability.EXTRA,)}, {(Ability.PEEK, Ability.TO_BOTTOM), (Ability.REDRAW,)}),
        (
            Rules(cards=tuple(kind(f"C{value}", value) for value in range(100))),
            {(Ability.PEEK, Ability.REORDER)},
            {*USED} - {(Ability.RESHUFFLE,)},
        ),
    ],
)
def test_7_4_abilities_with_too_many_cases_are_left_out(
    rules: Rules, counted: set[tuple[Ability, ...]], uncounted: set[tuple[Ability, ...]]
) -> None:
    """Four cards and four more, or three of a hundred; all other abilities are valued."""
    valued = {value.abilities for value in ability_values(fresh_memory(rules), rules, target=8)}
    left_out = {abilities for abilities, _ in uncounted_abilities(fresh_memory(rules), rules)}

    assert counted | {(Ability.RESHUFFLE,)} == valued
    assert uncounted == left_out
