"""Values of rerolls agree with a plain recursion over every keep and every roll of single dice."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.errors import InputError, WorkLimitError
from oddsmith.odds.multisets import Multisets
from oddsmith.odds.rerolls import Choice, Group, Position, Solution, count_positions, solve

FAIR = (1, 1, 1, 1, 1, 1)
ValueFunction = Callable[[Position], int]


class Recursion:
    """The values of a pool by recursion over single dice, in fractions."""

    def __init__(self, groups: list[Group], value_of: ValueFunction) -> None:
        self.groups = groups
        self.value_of = value_of
        self.value = cache(self._value)
        self.kept = cache(self._keep_value)
        self.rolls = cache(lambda keep: list(self._rolls(keep)))

    def _value(self, position: Position, left: int) -> Fraction:
        if not left:
            return max(Fraction(self.value_of(end)) for end in self._settings(position))
        return max(self.kept(keep, left) for keep in self.choices_of(position))

    def _settings(self, position: Position) -> Iterator[Position]:
        """Yield the position after every way to set dice of settable groups."""
        parts = [
            combinations_with_replacement(range(len(group.weights)), group.count)
            if group.settable
            else [faces]
            for group, faces in zip(self.groups, position, strict=True)
        ]
        yield from product(*parts)

    def choices_of(self, position: Position) -> set[Position]:
        """Return all that can be kept of a position; dice of settable groups are set to any faces, and not rolled."""
        return {
            keep
            for setting in self._settings(position)
            for keep in keeps_of(setting)
            if all(
                kept == faces or not group.settable
                for group, kept, faces in zip(self.groups, keep, setting, strict=True)
            )
        }

    def _keep_value(self, keep: Position, left: int) -> Fraction:
        """Return the value of rolling the other dice, with `left` rerolls before that."""
        return sum((chance * self.value(end, left - 1) for end, chance in self.rolls(keep)), Fraction(0))

    def _rolls(self, keep: Position) -> Iterator[tuple[Position, Fraction]]:
        missing = [group.count - len(kept) for group, kept in zip(self.groups, keep, strict=True)]
        plain = [0 if group.copies else count for group, count in zip(self.groups, missing, strict=True)]
        for rolled, chance in self.outcomes(plain, [group.weights for group in self.groups]):
            shown = [(*kept, *new) for kept, new in zip(keep, rolled, strict=True)]
            seen = [
                face
                for group, faces in zip(self.groups, shown, strict=True)
                for face in faces
                if not group.copies
            ]
            tallies = [
                tuple(seen.count(face) for face in range(len(group.weights))) if seen else group.weights
                for group in self.groups
            ]
            echoes = [count - done for count, done in zip(missing, plain, strict=True)]
            for copied, again in self.outcomes(echoes, tallies):
                end = tuple(tuple(sorted((*old, *new))) for old, new in zip(shown, copied, strict=True))
                yield end, chance * again

    def outcomes(
        self, counts: list[int], weights: list[tuple[int, ...]]
    ) -> Iterator[tuple[Position, Fraction]]:
        per_group = [product(range(len(w)), repeat=count) for count, w in zip(counts, weights, strict=True)]
        for rolled in product(*per_group):
            chances = (
                Fraction(w[face], sum(w)) for faces, w in zip(rolled, weights, strict=True) for face in faces
            )
            chance = prod(chances, start=Fraction(1))
            if chance:
                yield rolled, chance


def keeps_of(position: Position) -> set[Position]:
    """Return all that can be kept of a position, die by die."""
    parts = []
    for faces in position:
        masks = product((False, True), repeat=len(faces))
        parts.append({tuple(face for face, kept in zip(faces, mask, strict=True) if kept) for mask in masks})
    return set(product(*parts))


def full_positions(groups: list[Group]) -> list[Position]:
    tables = [Multisets(group.count, len(group.weights)) for group in groups]
    return list(
        product(*([table.multiset(i) for i in range(*table.full.indices(len(table)))] for table in tables))
    )


def value_array(groups: list[Group], value_of: ValueFunction) -> np.ndarray[Any, Any]:
    shape = [comb(group.count + len(group.weights) - 1, group.count) for group in groups]
    return np.array([value_of(position) for position in full_positions(groups)]).reshape(shape)


def random_values(seed: int) -> ValueFunction:
    """Return a function that gives each position an arbitrary value."""
    return lambda position: (
        (seed * (1 + sum((3 + g) ** (1 + face) for g, faces in enumerate(position) for face in faces))) % 23
    )


@st.composite
def pools(draw: st.DrawFn) -> list[Group]:
    faces = draw(st.integers(1, 3))
    weights = st.tuples(*[st.integers(0, 3)] * faces).filter(any)
    counts = draw(st.lists(st.integers(0, 3), min_size=1, max_size=3).filter(lambda c: 1 <= sum(c) <= 4))
    return [Group(count, draw(weights), draw(st.booleans()), draw(st.booleans())) for count in counts]


@settings(max_examples=40, deadline=None)
@given(pools(), st.integers(1, 999))
def test_values_agree_with_the_recursion(groups: list[Group], seed: int) -> None:
    """Every position, with one and two rerolls left, and the start; dice that copy or are set, faces of weight 0."""
    value_of = random_values(seed)
    solved = solve(groups, value_array(groups, value_of), rerolls=2)
    plain = Recursion(groups, value_of)
    nothing: Position = ((),) * len(groups)

    for left in (0, 1, 2):
        expected = [plain.value(position, left) for position in full_positions(groups)]

        assert expected == [solved.value(position, left) for position in full_positions(groups)]
        assert expected == [Fraction(int(n), int(solved.scale(left))) for n in solved.values(left).flat]
        assert plain.kept(nothing, left + 1) == solved.start_value(left)


@pytest.mark.parametrize("position", [((0, 0), (3,), (5,)), ((1, 4), (4,), (0,)), ((2, 5), (2,), (2,))])
def test_six_faces_with_uneven_weights_agree_with_the_recursion(position: Position) -> None:
    """Two uneven dice, an echo between the groups and a fair die."""
    groups = [Group(2, (1, 0, 2, 5, 3, 1)), Group(1, FAIR, copies=True), Group(1, FAIR)]
    solved = solve(groups, value_array(groups, random_values(17)), rerolls=1)

    assert Recursion(groups, random_values(17)).value(position, 1) == solved.value(position, left=1)


@settings(max_examples=30, deadline=None)
@given(pools(), st.integers(1, 999), st.data())
def test_choices_are_all_keeps_best_first(groups: list[Group], seed: int, data: st.DataObject) -> None:
    """Each distinct keep with its value; the best is the position's value, and ties keep more dice."""
    value_of = random_values(seed)
    solved = solve(groups, value_array(groups, value_of), rerolls=2)
    plain = Recursion(groups, value_of)
    position = data.draw(st.sampled_from(full_positions(groups)))
    choices = solved.choices(position, left=2)
    expected = [Choice(keep, plain.kept(keep, 2)) for keep in plain.choices_of(position)]

    assert sorted(expected, key=_sort_key) == choices
    assert choices[0] == solved.best(position, left=2)
    assert choices[0].value == solved.value(position, left=2)
    assert Choice(position, solved.value(position, left=1)) in choices


def _sort_key(choice: Choice) -> tuple[Any, ...]:
    return -choice.value, -sum(map(len, choice.keep)), choice.keep


@pytest.mark.parametrize(
    ("left", "start"),
    [(0, Fraction(7, 2)), (1, Fraction(17, 4)), (2, Fraction(14, 3)), (3, Fraction(89, 18))],
)
def test_one_die_is_rerolled_below_its_mean(left: int, start: Fraction) -> None:
    """With rerolls to come a fair die has the value 7/2, 17/4, 14/3, 89/18: reroll what is below the one before."""
    die = solve([Group(1, FAIR)], range(1, 7), rerolls=3)

    assert start == die.start_value(left)
    assert [(), (), (), (3,), (4,), (5,)] == [die.best(((face,),), left=1).keep[0] for face in range(6)]


@pytest.mark.parametrize(("count", "expected"), [(2, Fraction(1, 6)), (5, Fraction(6, 6**5))])
def test_without_rerolls_the_value_is_the_chance_of_a_roll(count: int, expected: Fraction) -> None:
    """All equal: one in six for each further die."""
    alike = solve([Group(count, FAIR)], Multisets(count, 6).full_counts.max(axis=1) == count, rerolls=0)

    assert expected == alike.start_value(0)


def test_five_equal_dice_in_three_rolls_have_the_known_chance() -> None:
    """347897/7558272, 4.6029 %, if nothing else counts."""
    alike = solve([Group(5, FAIR)], Multisets(5, 6).full_counts.max(axis=1) == 5, rerolls=2)

    assert Fraction(347897, 7558272) == alike.start_value(2)


@pytest.mark.parametrize(
    ("keep", "value"),
    [
        (((0,), (0,)), Fraction(1)),
        (((0,), ()), Fraction(1)),
        (((), (0,)), Fraction(1, 6)),
        (((), ()), Fraction(1, 6)),
    ],
)
def test_an_echo_takes_the_face_of_a_kept_die_or_a_rolled_one(keep: Position, value: Fraction) -> None:
    """One echo next to one die always shows the die's face, so a pair of ones is as likely as a one."""
    ones = np.zeros((6, 6), dtype=np.int64)
    ones[0, 0] = 1
    solved = solve([Group(1, FAIR), Group(1, FAIR, copies=True)], ones, rerolls=1)

    assert Choice(keep, value) in solved.choices(((0,), (0,)), left=1)


@pytest.mark.parametrize("others", [[], [Group(0, FAIR)], [Group(1, FAIR, copies=True)]])
def test_an_echo_without_another_die_rolls_its_weights(others: list[Group]) -> None:
    """Where every group copies, or there is no other die."""
    groups = [Group(1, (1, 2, 3, 4, 5, 6), copies=True), *others]
    solved = solve(groups, value_array(groups, lambda position: position[0][0]), rerolls=0)

    assert Fraction(2 * 1 + 3 * 2 + 4 * 3 + 5 * 4 + 6 * 5, 21) == solved.start_value(0)


@settings(max_examples=30, deadline=None)
@given(pools(), st.integers(1, 999))
def test_a_further_reroll_is_never_worse(groups: list[Group], seed: int) -> None:
    """It may always be declined."""
    solved = solve(groups, value_array(groups, random_values(seed)), rerolls=3)

    for left in range(3):
        assert np.all(solved.values(left) * int(solved.scale(1)) <= solved.values(left + 1))


@pytest.mark.parametrize(
    ("rerolls", "roundings"), [(0, 1 + 1 * 2 * 3), (1, 1 + 2 * 2 * 3), (3, 1 + 4 * 2 * 3)]
)
def test_the_error_of_a_value_is_that_of_its_roundings(rerolls: int, roundings: int) -> None:
    """Two dice of two faces: 1 + (r + 1)·2·3 roundings, each of at most 2⁻⁵³ of the greatest payoff, twice."""
    solved = solve([Group(2, (1, 1))], payoffs=[4, 1, 0], rerolls=rerolls, exact=False)

    assert 2 * roundings * 2.0**-53 * 4 == solved.error


def test_the_error_of_a_value_includes_products_that_underflow() -> None:
    """Two dice of two faces, rolled twice: eight products, each of which may lose the smallest float."""
    solved = solve([Group(2, (1, 1))], payoffs=[0, 0, 0], rerolls=1, exact=False)

    assert 8 * 2.0**-1074 == solved.error


@settings(max_examples=40, deadline=None)
@given(pools(), st.integers(1, 999))
def test_floats_are_within_their_error(groups: list[Group], seed: int) -> None:
    """The error is small; fractions have none."""
    values = value_array(groups, random_values(seed))
    exact, rounded = solve(groups, values, rerolls=3), solve(groups, values / 1, rerolls=3, exact=False)

    assert 0 == exact.error
    assert 2e-12 > rounded.error
    for left in range(4):
        pairs = [
            (exact.start_value(left), rounded.start_value(left)),
            *((exact.value(p, left), rounded.value(p, left)) for p in full_positions(groups)),
        ]

        assert rounded.error >= max(abs(Fraction(value) - Fraction(near)) for value, near in pairs)
        assert 1.0 == rounded.scale(left)


def test_floats_have_choices() -> None:
    """The best keep has a float value."""
    die = solve([Group(1, FAIR)], np.arange(1.0, 7.0), rerolls=1, exact=False)

    assert Choice(((5,),), 6.0) == die.best(((5,),), left=1)
    assert [((),), ((0,),)] == [choice.keep for choice in die.choices(((0,),), left=1)]


@pytest.mark.parametrize(("rerolls", "kind"), [(61, "i"), (62, "O"), (64, "O")])
def test_values_are_exact_up_to_a_machine_word_and_beyond(rerolls: int, kind: str) -> None:
    """Numerators are words below 2^62 and Python's integers above: a coin fails r times with 1/2^r."""
    coin = solve([Group(1, (1, 1))], [0, 1], rerolls=rerolls)

    assert kind == coin.values(rerolls).dtype.kind
    assert 1 - Fraction(1, 2**rerolls) == coin.value(((0,),), rerolls)
    assert 1 - Fraction(1, 2 ** (rerolls + 1)) == coin.start_value(rerolls)


@pytest.mark.parametrize("top", [2**62 - 1, 2**62, 2**63, 2**64 - 1, 2**64, 10**40])
def test_a_value_may_be_any_whole_number(top: int) -> None:
    """Also one beyond machine words; weights may be as large."""
    coin = solve([Group(1, (top, top, 2 * top))], [0, 0, top], rerolls=1)

    assert Fraction(top) == coin.value(((2,),), left=1)
    assert Fraction(top, 2) == coin.value(((0,),), left=1)
    assert Fraction(3 * top, 4) == coin.start_value(left=1)


def test_only_the_ratio_of_weights_counts() -> None:
    """Denominators are those of weights without a common divisor."""
    assert 16 == solve([Group(2, (50, 50, 100))], [0, 0, 0, 0, 0, 1], rerolls=1).scale(1)


def test_progress_rises_to_one() -> None:
    """Two steps for each group and reroll, of luck and of choice."""
    reported: list[float] = []
    solve([Group(1, FAIR), Group(1, FAIR)], np.ones((6, 6), dtype=int), rerolls=2, progress=reported.append)

    assert [step / 8 for step in range(1, 9)] == reported


def test_a_pool_that_is_too_large_is_refused_before_any_work() -> None:
    """The sentence has the number of positions and the limit, which can be changed."""
    groups = [Group(4, FAIR), Group(3, FAIR), Group(3, FAIR)]

    assert 210 * 84 * 84 == count_positions(groups)
    with pytest.raises(WorkLimitError, match=r"1,481,760 positions .* limit is 1,000,000") as refused:
        solve(groups, [], rerolls=3, limit=1_000_000)
    assert "too_many_positions" == refused.value.refusal.code
    with pytest.raises(WorkLimitError, match="4,200,000"):
        solve([Group(5, FAIR)] * 3, [], rerolls=3)


@pytest.mark.parametrize(
    ("code", "count", "weights"),
    [
        ("bad_count", -1, FAIR),
        ("bad_count", 1.5, FAIR),
        ("bad_weight", 1, (1, -1)),
        ("bad_weight", 1, (1, 0.5)),
        ("no_face", 1, (0, 0)),
        ("no_face", 1, ()),
    ],
)
def test_an_invalid_group_is_refused(code: str, count: Any, weights: Any) -> None:  # noqa: ANN401  wrong types included
    """Each kind of mistake has its code."""
    with pytest.raises(InputError) as refused:
        Group(count, weights)

    assert code == refused.value.refusal.code


@pytest.mark.parametrize(
    ("code", "groups", "values", "rerolls", "exact"),
    [
        ("no_dice", [], [], 1, True),
        ("no_dice", [Group(0, (1, 1))], [0], 1, True),
        ("uneven_faces", [Group(1, (1, 1)), Group(1, (1, 1, 1))], np.ones((2, 3), dtype=int), 1, True),
        ("bad_rerolls", [Group(1, (1, 1))], [0, 1], -1, True),
        ("uneven_worth", [Group(1, (1, 1))], [0, 1, 2], 1, True),
        ("uneven_worth", [Group(1, (1, 1))], [[0, 1]], 1, False),
        ("uneven_worth", [Group(1, (1, 1))], [[0], [0, 1]], 1, True),
        ("bad_worth", [Group(1, (1, 1))], [0, 1.5], 1, True),
        ("bad_worth", [Group(1, (1, 1))], [0, "1"], 1, False),
        ("bad_worth", [Group(1, (1, 1))], [10**40, 0.5j], 1, False),
        ("bad_worth", [Group(1, (1, 1))], [0, -1], 1, True),
        ("bad_worth", [Group(1, (1, 1))], [0, -0.5], 1, False),
        ("bad_worth", [Group(1, (1, 1))], [0, np.nan], 1, False),
        ("bad_worth", [Group(1, (1, 1))], [0, np.inf], 1, False),
        ("bad_worth", [Group(1, (1, 1))], [0, 10**400], 1, False),
    ],
)
def test_invalid_requests_are_refused(
    code: str,
    groups: list[Group],
    values: Any,  # noqa: ANN401  wrong types included
    rerolls: int,
    exact: bool,  # noqa: FBT001  a parametrised argument
) -> None:
    """Each kind of mistake has its code."""
    with pytest.raises(InputError) as refused:
        solve(groups, values, rerolls, exact=exact)

    assert code == refused.value.refusal.code


@pytest.mark.parametrize(
    ("code", "ask"),
    [
        ("bad_left", lambda solved: solved.value(((0,),), 2)),
        ("bad_left", lambda solved: solved.start_value(-1)),
        ("bad_left", lambda solved: solved.values(2)),
        ("bad_left", lambda solved: solved.scale(2)),
        ("bad_left", lambda solved: solved.choices(((0,),), 2)),
        ("no_reroll_left", lambda solved: solved.choices(((0,),), 0)),
        ("no_reroll_left", lambda solved: solved.best(((0,),), 0)),
        ("bad_position", lambda solved: solved.value(((0, 1),), 1)),
        ("bad_position", lambda solved: solved.value(((0,), (0,)), 1)),
        ("bad_position", lambda solved: solved.choices(((),), 1)),
        ("bad_face", lambda solved: solved.value(((2,),), 1)),
    ],
)
def test_unsolved_positions_are_refused(code: str, ask: Callable[[Solution], object]) -> None:
    """Unknown numbers of rerolls and positions have their code."""
    with pytest.raises(InputError) as refused:
        ask(solve([Group(1, (1, 1))], [0, 1], rerolls=1))

    assert code == refused.value.refusal.code


def test_the_values_are_read_only() -> None:
    values = np.array([0, 1])
    solved = solve([Group(1, (1, 1))], values, rerolls=1)
    values[0] = 9

    assert [0, 1] == solved.values(0).tolist()
    assert 1 == solved.rerolls
    with pytest.raises(ValueError, match="read-only"):
        solved.values(1)[0] = 7
