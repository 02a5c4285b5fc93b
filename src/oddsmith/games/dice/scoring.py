"""Scoring: the hands that dice make, the dice that match, and all layers of a score (§2, §3)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final, TypeAlias

from oddsmith.errors import InputError
from oddsmith.games.dice.model import Build, DieBonus, ItemBonus, Score
from oddsmith.games.dice.parts import FACES, Condition, Hand, PoolDie
from oddsmith.games.dice.rules import DEFAULT, Rules, Selection

Counts: TypeAlias = tuple[int, ...]
"""The number of dice that show each face, from 1 to 6."""

Ratio: TypeAlias = tuple[int, int]
"""Numerator and denominator of a multiplier."""


def count_faces(faces: Sequence[int]) -> Counts:
    """Count the dice that show each face.

    >>> count_faces((5, 5, 5, 2, 4))
    (0, 1, 0, 1, 3, 0)
    """
    return tuple([faces.count(face) for face in FACES])


def matched_faces(condition: Condition, pattern: tuple[int, ...], counts: Counts) -> Counts | None:
    """Return how many dice of each face match, or None if the condition does not hold (§2.3).

    Of several ways to match, it is the one with the highest sum, which is unique.

    >>> matched_faces(Condition.GROUPS, (3, 2), (2, 0, 0, 3, 3, 0))
    (0, 0, 0, 2, 3, 0)
    """
    return _CONDITIONS[condition](pattern, counts)


def _match_groups(sizes: tuple[int, ...], counts: Counts) -> Counts | None:
    """Assign to each group, the largest first, the highest face that is not assigned yet."""
    matched = [0] * len(FACES)
    for size in sorted(sizes, reverse=True):
        value = _highest_value(counts, matched, size)
        if value is None:
            return None
        matched[value] = size
    return tuple(matched)


def _highest_value(counts: Counts, taken: Sequence[int], size: int) -> int | None:
    for value in reversed(range(len(FACES))):
        if counts[value] >= size and not taken[value]:
            return value
    return None


def _match_run(pattern: tuple[int, ...], counts: Counts) -> Counts | None:
    (length,) = pattern
    for last in range(len(FACES), length - 1, -1):
        if all(counts[last - length : last]):
            return tuple([int(last - length <= value < last) for value in range(len(FACES))])
    return None


def _match_faces(pattern: tuple[int, ...], counts: Counts) -> Counts | None:
    needed = count_faces(pattern)
    return needed if all(map(int.__ge__, counts, needed)) else None


def _match_only(pattern: tuple[int, ...], counts: Counts) -> Counts | None:
    fits = all(face in pattern for face, count in zip(FACES, counts, strict=True) if count)
    return counts if fits else None


def _match_highest(pattern: tuple[int, ...], counts: Counts) -> Counts | None:
    (left,) = pattern
    matched = [0] * len(FACES)
    for value in reversed(range(len(FACES))):
        matched[value] = min(counts[value], left)
        left -= matched[value]
    return tuple(matched) if left == 0 else None


_CONDITIONS: Final[Mapping[Condition, Callable[[tuple[int, ...], Counts], Counts | None]]] = {
    Condition.GROUPS: _match_groups,
    Condition.RUN: _match_run,
    Condition.FACES: _match_faces,
    Condition.ONLY: _match_only,
    Condition.HIGHEST: _match_highest,
}


def level_base(base: int, level: int, growth: Decimal) -> int:
    """Return the base of a hand at a level: multiplied by `growth` and rounded down once per level (§2.5).

    >>> [level_base(10, level, Decimal("1.3")) for level in range(6)]
    [10, 13, 16, 20, 26, 33]
    """
    ratio = growth.as_integer_ratio()
    for _ in range(level):
        base = scale_points(base, ratio)
    return base


def level_multiplier(hand: Hand, level: int, rules: Rules) -> Decimal:
    """Return the multiplier of a hand at a level (§2.5)."""
    return hand.multiplier + level * rules.upgrades.multiplier_step


def hand_points(hand: Hand, level: int, matched_sum: int, rules: Rules) -> int:
    """Return the first layer of a score: base plus matched dice, multiplied and rounded down (§3.1).

    >>> hand_points(DEFAULT.hand("pair"), 5, 12, DEFAULT)
    180
    """
    base = level_base(hand.base, level, rules.upgrades.base_growth)
    return scale_points(base + matched_sum, level_multiplier(hand, level, rules).as_integer_ratio())


def total_points(hand_score: int, bonuses: int, item_multiplier: Decimal) -> int:
    """Return the total: hand score plus bonuses, multiplied by the items and rounded down (§3.2, §3.3).

    >>> total_points(90, 0, Decimal("1.0"))
    180
    """
    return scale_points(hand_score + bonuses, item_ratio(item_multiplier))


def item_ratio(item_multiplier: Decimal) -> Ratio:
    """Return the factor of the items: one plus the sum of their multiplier bonuses (§3.3).

    >>> item_ratio(Decimal("0.5"))
    (3, 2)
    """
    numerator, denominator = item_multiplier.as_integer_ratio()
    return denominator + numerator, denominator


def scale_points(points: int, ratio: Ratio) -> int:
    """Return points multiplied by a ratio, rounded down (§3.1, §3.3).

    >>> scale_points(45, (5, 2))
    112
    """
    numerator, denominator = ratio
    return points * numerator // denominator


def die_bonus(die: PoolDie, face: int, rules: Rules, *, matched: bool) -> int:
    """Return the points that the ability of a die adds when it shows a face (§1.4, §1.5).

    >>> die_bonus(PoolDie("glass", 2), 6, DEFAULT, matched=True)
    20
    """
    kind = rules.kinds[die.kind]
    if face not in kind.bonus_faces or (kind.bonus_needs_match and not matched):
        return 0
    return kind.bonus + kind.bonus_per_level * die.level


def matched_dice(
    needed: Counts, dice: Sequence[PoolDie], faces: Sequence[int], rules: Rules, *, silenced: bool = False
) -> tuple[int, ...]:
    """Return the places of the matched dice: the greatest gain by the match first, then pool order (§2.3).

    >>> normal, glass = PoolDie("normal"), PoolDie("glass")
    >>> matched_dice((0, 0, 0, 0, 2, 0), (normal, normal, glass), (5, 5, 5), DEFAULT)
    (0, 2)
    """
    chosen: list[int] = []
    for face, count in zip(FACES, needed, strict=True):
        if count:
            showing = [place for place, shown in enumerate(faces) if shown == face]
            showing.sort(key=lambda place: -match_gain(dice[place], faces[place], rules, silenced=silenced))
            chosen += showing[:count]
    return tuple(sorted(chosen))


def match_gain(die: PoolDie, face: int, rules: Rules, *, silenced: bool) -> int:
    """Return how many more points the ability of a die adds when the die is matched."""
    if silenced:
        return 0
    return die_bonus(die, face, rules, matched=True) - die_bonus(die, face, rules, matched=False)


def item_bonuses(counts: Counts, items: Iterable[str], rules: Rules) -> tuple[ItemBonus, ...]:
    """Return the bonuses of items for dice with these face counts, without items that add nothing (§3.2, §3.3)."""
    return tuple(_item_bonuses(counts, items, rules))


def _item_bonuses(counts: Counts, items: Iterable[str], rules: Rules) -> Iterator[ItemBonus]:
    for name in items:
        item = rules.items[name]
        showing = sum(counts[face - 1] for face in item.faces)
        if item.flat or (item.multiplier and showing):
            yield ItemBonus(item=name, flat=item.flat, multiplier=item.multiplier * showing)


def score(build: Build, faces: Sequence[int], rules: Rules = DEFAULT, *, silenced: bool = False) -> Score:
    """Return the score of dice that show these faces; with `silenced`, abilities add nothing (§7.6).

    Raises `InputError` for a build or faces that the rules do not allow.

    >>> five = Build(dice=(PoolDie("normal"),) * 5, items=("even_steven",))
    >>> whole = score(five, (5, 5, 5, 2, 4))
    >>> whole.hand, whole.hand_score, whole.item_multiplier, whole.total
    ('three_of_a_kind', 90, Decimal('1.0'), 180)
    """
    require_build(build, rules)
    require_faces(faces, build)
    counts = count_faces(faces)
    items = item_bonuses(counts, build.items, rules)
    scores = (
        _score_as(name, needed, build=build, faces=faces, items=items, rules=rules, silenced=silenced)
        for name, needed in matching_hands(counts, rules)
    )
    if rules.selection is Selection.FIRST_MATCH:
        return next(scores)
    return max(scores, key=lambda one: one.total)


def matching_hands(counts: Counts, rules: Rules) -> Iterator[tuple[str, Counts]]:
    """Yield the hands that the dice make, strongest first, each with its matched faces (§2.1)."""
    size = sum(counts)
    for name in rules.hands_in_order:
        hand = rules.hands[name]
        needed = matched_faces(hand.condition, hand.pattern, counts) if size >= hand.min_dice else None
        if needed is not None:
            yield name, needed


def _score_as(
    name: str,
    needed: Counts,
    *,
    build: Build,
    faces: Sequence[int],
    items: tuple[ItemBonus, ...],
    rules: Rules,
    silenced: bool,
) -> Score:
    hand, level = rules.hands[name], build.levels.get(name, 0)
    matched = matched_dice(needed, build.dice, faces, rules, silenced=silenced)
    abilities = () if silenced else tuple(_ability_bonuses(build.dice, faces, matched, rules))
    matched_sum = sum(faces[place] for place in matched)
    hand_score = hand_points(hand, level, matched_sum, rules)
    ability_bonus = sum(bonus.points for bonus in abilities)
    item_bonus = sum(bonus.flat for bonus in items)
    item_multiplier = sum((bonus.multiplier for bonus in items), Decimal(0))
    return Score(
        hand=name,
        level=level,
        base=level_base(hand.base, level, rules.upgrades.base_growth),
        multiplier=level_multiplier(hand, level, rules),
        matched=matched,
        matched_sum=matched_sum,
        hand_score=hand_score,
        abilities=abilities,
        items=items,
        ability_bonus=ability_bonus,
        item_bonus=item_bonus,
        item_multiplier=item_multiplier,
        total=total_points(hand_score, ability_bonus + item_bonus, item_multiplier),
    )


def _ability_bonuses(
    dice: Sequence[PoolDie], faces: Sequence[int], matched: tuple[int, ...], rules: Rules
) -> Iterator[DieBonus]:
    for place, (die, face) in enumerate(zip(dice, faces, strict=True)):
        points = die_bonus(die, face, rules, matched=place in matched)
        if points:
            yield DieBonus(place=place, die=die, points=points)


def require_build(build: Build, rules: Rules) -> None:
    """Raise `InputError` for dice, items or levels that the rules do not allow."""
    if len(build.dice) > rules.most_dice:
        raise InputError("too_many_dice", f"a pool has 1 to {rules.most_dice} dice, not {len(build.dice)}")
    for die in build.dice:
        rules.kind(die.kind)
        if not 0 <= die.level <= rules.most_die_level:
            raise InputError(
                "bad_level", f"a die has a level from 0 to {rules.most_die_level}, not {die.level}"
            )
    for name in build.items:
        rules.item(name)
        if build.items.count(name) > 1:
            raise InputError("item_twice", f"there is one of each item: {name} is given twice")
    for name, level in build.levels.items():
        require_level(name, level, rules)


def require_level(name: str, level: int, rules: Rules) -> None:
    """Raise `InputError` for an unknown hand, or a level out of bounds (§2.5)."""
    rules.hand(name)
    if not 0 <= level <= rules.upgrades.most_levels:
        raise InputError(
            "bad_level", f"a hand has a level from 0 to {rules.upgrades.most_levels}, not {level}: {name}"
        )


def require_faces(faces: Sequence[int], build: Build) -> None:
    """Raise `InputError` unless there is one valid face for each die."""
    if len(faces) != len(build.dice):
        raise InputError(
            "bad_faces", f"{len(build.dice)} dice show {len(build.dice)} faces: {len(faces)} were given"
        )
    for face in faces:
        if face not in FACES:
            raise InputError("bad_face", f"a die shows 1 to {FACES[-1]}, not {face}")
