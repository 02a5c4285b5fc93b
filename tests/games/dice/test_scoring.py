"""Hands, matched dice, and a score layer by layer, with the bonuses of dice and items (§2, §3)."""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.games.dice import DEFAULT, Build, Condition, Hand, PoolDie, Rules, score
from oddsmith.games.dice.model import DieBonus, ItemBonus
from oddsmith.games.dice.parts import FACES
from oddsmith.games.dice.scoring import count_faces, die_bonus, level_base, matched_faces
from tests.games.dice.builders import (
    BEST_SCORE,
    FIVE,
    FREQUENCIES_OF_FIVE,
    build,
    code_and_sentence,
    normal,
    refusal,
    rolls,
)

EXAMPLES = [
    ("pyramid", (2, 4, 4, 4, 6, 6, 6, 6, 6), 2440),
    ("pyramid", (2, 4, 4, 4, 6, 6, 6, 6, 6, 6), 2440),
    ("seven_of_a_kind", (6, 6, 6, 6, 6, 6, 6, 1), 1736),
    ("six_of_a_kind", (1, 1, 1, 1, 1, 1, 6), 816),
    ("five_of_a_kind", (6, 6, 6, 6, 6), 650),
    ("full_run", (6, 5, 4, 3, 2, 1), 454),
    ("full_run", (6, 6, 5, 4, 3, 2, 1), 454),
    ("two_triplets", (6, 6, 6, 5, 5, 5), 392),
    ("four_of_a_kind", (6, 6, 6, 6), 294),
    ("four_of_a_kind", (6, 6, 6, 6, 5, 5), 294),
    ("three_pairs", (1, 1, 2, 2, 3, 3), 186),
    ("large_straight", (1, 2, 3, 4, 5), 180),
    ("large_straight", (6, 5, 4, 3, 2), 195),
    ("full_house", (6, 6, 6, 5, 5), 170),
    ("full_house", (1, 1, 1, 2, 2), 117),
    ("all_even", (2, 2, 2, 4, 6), 168),
    ("all_odd", (5, 5, 5, 3, 1), 177),
    ("small_straight", (1, 2, 3, 4), 100),
    ("small_straight", (2, 3, 4, 5, 5), 110),
    ("small_straight", (3, 4, 5, 6, 1), 120),
    ("three_of_a_kind", (5, 5, 5, 2, 4), 90),
    ("two_pair", (6, 6, 5, 5), 63),
    ("two_pair", (1, 1, 2, 2, 3), 39),
    ("pair", (6, 6), 33),
    ("pair", (1, 1, 6, 5, 3), 18),
    ("high_roll", (1,), 6),
    ("high_roll", (6, 5, 3, 2, 1), 11),
]


@pytest.mark.parametrize(("hand", "faces", "points"), EXAMPLES)
def test_3_1_a_roll_of_each_hand(hand: str, faces: tuple[int, ...], points: int) -> None:
    """Base and matched dice, multiplied and rounded down."""
    whole = score(normal(len(faces)), faces)

    assert (hand, points, points) == (whole.hand, whole.hand_score, whole.total)


def test_3_4_the_worked_example() -> None:
    """5 5 5 and two others: 90; with Even Steven and two even dice 180."""
    plain, doubled = score(FIVE, (5, 5, 5, 2, 4)), score(build(items="even_steven"), (5, 5, 5, 2, 4))

    assert (30, Decimal(2), 15, 90, 90) == (
        plain.base, plain.multiplier, plain.matched_sum, plain.hand_score, plain.total
    )  # fmt: skip
    assert (90, Decimal("1.0"), 180) == (doubled.hand_score, doubled.item_multiplier, doubled.total)


def test_9_1_frequencies_of_five_dice_in_one_roll() -> None:
    """Of 7776 rolls."""
    hands: Counter[str] = Counter()
    for faces, ways in rolls(5):
        hands[score(FIVE, faces).hand] += ways

    assert FREQUENCIES_OF_FIVE == hands
    assert 7776 == hands.total()


@pytest.mark.parametrize("size", range(1, 8))
def test_2_1_every_roll_of_every_pool_has_a_hand(size: int) -> None:
    """It needs at most as many dice as there are, and its matched dice are in the pool."""
    for faces, _ in rolls(size):
        whole = score(normal(size), faces)

        assert DEFAULT.hands[whole.hand].min_dice <= size
        assert whole.matched_sum == sum(faces[place] for place in whole.matched)


# §2.2, §2.3: matched dice, compared with brute force


def matches(condition: Condition, pattern: tuple[int, ...], faces: Sequence[int], *, whole: int) -> bool:
    """Return whether these dice are exactly what the condition asks for, from the rules page alone."""
    groups = sorted(Counter(faces).values(), reverse=True)
    match condition:
        case Condition.GROUPS:
            return groups == sorted(pattern, reverse=True)
        case Condition.RUN:
            return sorted(faces) == list(range(min(faces), min(faces) + pattern[0]))
        case Condition.FACES:
            return sorted(faces) == sorted(pattern)
        case Condition.ONLY:
            return len(faces) == whole and set(faces) <= set(pattern)
        case Condition.HIGHEST:
            return len(faces) == pattern[0]


PATTERNS = [
    *((hand.condition, hand.pattern) for hand in DEFAULT.hands.values()),
    (Condition.GROUPS, (1, 2, 1)),
    (Condition.GROUPS, (2, 3, 2)),
    (Condition.RUN, (1,)),
    (Condition.RUN, (3,)),
    (Condition.FACES, (1, 1, 6)),
    (Condition.ONLY, (1, 2, 3)),
    (Condition.HIGHEST, (3,)),
]


@pytest.mark.sweep
@settings(max_examples=150)
@given(st.sampled_from(PATTERNS), st.lists(st.sampled_from(FACES), min_size=1, max_size=8))
def test_2_3_the_matched_dice_have_the_highest_sum(
    rule: tuple[Condition, tuple[int, ...]], faces: list[int]
) -> None:
    """Over all sets of dice that satisfy the condition; None where there is none."""
    condition, pattern = rule
    sums = [
        sum(chosen)
        for size in range(1, len(faces) + 1)
        for chosen in combinations(faces, size)
        if matches(condition, pattern, chosen, whole=len(faces))
    ]
    matched = matched_faces(condition, pattern, count_faces(faces))

    assert (max(sums) if sums else None) == (
        None if matched is None else sum(face * count for face, count in zip(FACES, matched, strict=True))
    )
    if matched is not None:
        shown = [face for face, count in zip(FACES, matched, strict=True) for _ in range(count)]
        assert not Counter(shown) - Counter(faces)
        assert matches(condition, pattern, shown, whole=len(faces))


dice = st.builds(PoolDie, st.sampled_from(["normal", "glass", "odd", "even", "wild"]), st.integers(0, 3))


@settings(max_examples=150)
@given(st.lists(st.tuples(dice, st.sampled_from((4, 5, 6))), min_size=1, max_size=7))
def test_2_3_then_the_greatest_bonus_then_the_first_dice(shown: list[tuple[PoolDie, int]]) -> None:
    """Over all dice that show the matched faces, by brute force."""
    pooled, faces = tuple(die for die, _ in shown), tuple(face for _, face in shown)
    whole = score(Build(dice=pooled), faces)
    wanted = sorted(faces[place] for place in whole.matched)

    def bonus(chosen: tuple[int, ...]) -> int:
        return sum(
            die_bonus(die, face, DEFAULT, matched=place in chosen) for place, (die, face) in enumerate(shown)
        )

    alike = [
        chosen
        for chosen in combinations(range(len(faces)), len(wanted))
        if sorted(faces[place] for place in chosen) == wanted
    ]
    greatest = max(map(bonus, alike))

    assert greatest == whole.ability_bonus
    assert next(chosen for chosen in alike if bonus(chosen) == greatest) == whole.matched


def test_2_3_of_equal_dice_the_first_are_matched() -> None:
    """The first three of four 5s; a glass die before them, a silenced one not."""
    owned = build("normal normal normal glass odd")

    assert (0, 1, 3) == score(owned, (5, 5, 5, 5, 2), Rules(hands=hands_without("four_of_a_kind"))).matched
    assert (0, 1, 2) == score(
        owned, (5, 5, 5, 5, 2), Rules(hands=hands_without("four_of_a_kind")), silenced=True
    ).matched  # fmt: skip


def test_2_3_the_highest_sum_comes_before_the_greatest_bonus() -> None:
    """A pair of 6s is matched, though two glass dice show 5."""
    whole = score(
        build("glass+3 glass+3 normal normal"), (5, 5, 6, 6), Rules(hands=hands_without("two_pair"))
    )

    assert ("pair", (2, 3), 0) == (whole.hand, whole.matched, whole.ability_bonus)


def hands_without(*names: str) -> dict[str, Hand]:
    """Return the hands of the rules without some."""
    return {name: hand for name, hand in DEFAULT.hands.items() if name not in names}


# §2.4: the scored hand


def test_2_4_first_match_or_best_score() -> None:
    """2 2 2 4 4 is a full house for 135, and all even for 162."""
    first, best = score(FIVE, (2, 2, 2, 4, 4)), score(FIVE, (2, 2, 2, 4, 4), BEST_SCORE)

    assert ("full_house", 135) == (first.hand, first.total)
    assert ("all_even", 162) == (best.hand, best.total)


def test_2_4_the_best_score_counts_upgrades_abilities_and_items() -> None:
    """A pair at level 5 beats three of a kind; a glass die outside a straight makes a pair better."""
    upgraded = score(build(pair=5), (6, 6, 6, 1, 2), BEST_SCORE)
    glassy = build("glass+3 glass+3 normal normal", "high_roller")
    plain, shining = score(normal(4), (1, 1, 1, 6), BEST_SCORE), score(glassy, (1, 1, 1, 6), BEST_SCORE)

    assert ("pair", 180) == (upgraded.hand, upgraded.total)
    assert ("three_of_a_kind", 66) == (plain.hand, plain.total)
    assert ("three_of_a_kind", 66 + 50 + 15) == (shining.hand, shining.total)
    assert ("pair", 18 + 50) == (
        score(
            build("glass+3 glass+3 normal normal"), (1, 1, 2, 3), rules_with_hands("pair", "high_roll")
        ).hand,
        score(
            build("glass+3 glass+3 normal normal"), (1, 1, 2, 3), rules_with_hands("pair", "high_roll")
        ).total,
    )


def rules_with_hands(*names: str) -> Rules:
    """Return rules that score the best of these hands."""
    return BEST_SCORE.replace(hands={name: DEFAULT.hands[name] for name in names})


def test_2_4_of_equal_scores_the_higher_hand_is_chosen() -> None:
    """Of two hands with the same score the one with the higher order."""
    twin = Hand(
        order=20, base=5, multiplier=Decimal(1), min_dice=1, condition=Condition.HIGHEST, pattern=(1,)
    )
    rules = BEST_SCORE.replace(hands={**DEFAULT.hands, "peak": twin})

    assert "peak" == score(FIVE, (6, 5, 3, 2, 1), rules).hand
    assert "pair" == score(FIVE, (6, 6, 3, 2, 1), rules).hand


ALONE = [rules_with_hands(name, "high_roll") for name in DEFAULT.hands]


@settings(max_examples=60)
@given(
    shown=st.lists(st.tuples(dice, st.sampled_from(FACES)), min_size=1, max_size=7),
    items=st.sets(st.sampled_from(sorted(DEFAULT.items))).map(sorted).map(tuple),
    levels=st.dictionaries(st.sampled_from(sorted(DEFAULT.hands)), st.integers(0, 5), max_size=4),
    silenced=st.booleans(),
)
def test_2_4_the_best_score_is_the_best_of_single_hands(
    shown: list[tuple[PoolDie, int]], items: tuple[str, ...], levels: dict[str, int], *, silenced: bool
) -> None:
    """Each hand is scored alone, by rules that have only it and the high roll."""
    owned = Build(dice=tuple(die for die, _ in shown), items=items, levels=levels)
    faces = [face for _, face in shown]
    alone = []
    for rules in ALONE:
        kept = {name: level for name, level in levels.items() if name in rules.hands}
        one = Build(dice=owned.dice, items=items, levels=kept)
        alone.append(score(one, faces, rules, silenced=silenced).total)

    assert max(alone) == score(owned, faces, BEST_SCORE, silenced=silenced).total
    assert score(owned, faces, silenced=silenced).total <= max(alone)


def test_2_4_a_disabled_hand_is_not_scored() -> None:
    """Three of a kind, disabled, is a pair."""
    off = {**DEFAULT.hands, "three_of_a_kind": change_hand("three_of_a_kind", enabled=False)}

    assert "pair" == score(FIVE, (5, 5, 5, 2, 4), Rules(hands=off)).hand


def change_hand(name: str, **changes: object) -> Hand:
    fields = {key: getattr(DEFAULT.hands[name], key) for key in Hand.__struct_fields__}
    return Hand(**{**fields, **changes})


# §2.5: upgrades


def test_2_5_a_pair_of_sixes_by_level() -> None:
    """33, 50, 70, 96, 133, 180, from bases 10, 13, 16, 20, 26, 33 and multipliers 1.5 to 4."""
    scores = [score(build(pair=level), (6, 6, 1, 2, 4)) for level in range(6)]

    assert [33, 50, 70, 96, 133, 180] == [whole.total for whole in scores]
    assert [10, 13, 16, 20, 26, 33] == [whole.base for whole in scores]
    assert ["1.5", "2.0", "2.5", "3.0", "3.5", "4.0"] == [str(whole.multiplier) for whole in scores]
    assert [0, 1, 2, 3, 4, 5] == [whole.level for whole in scores]


def test_2_5_bases_are_rounded_down_level_by_level() -> None:
    """10 · 1.3⁵ is 37, but the base is 33."""
    assert (33, 37) == (level_base(10, 5, Decimal("1.3")), int(10 * Decimal("1.3") ** 5))


# §1.4, §1.5: abilities


@pytest.mark.parametrize(("level", "points"), [(0, 10), (1, 15), (2, 20), (3, 25)])
def test_1_4_glass_adds_when_it_is_matched(level: int, points: int) -> None:
    """10 and 5 per level in a pair, nothing outside it."""
    owned = build(f"glass+{level} normal normal")

    assert points == score(owned, (6, 6, 1)).ability_bonus
    assert 0 == score(owned, (1, 6, 6)).ability_bonus


@pytest.mark.parametrize(("level", "points"), [(0, 5), (1, 8), (2, 11), (3, 14)])
@pytest.mark.parametrize(("kind", "faces"), [("odd", (1, 3, 5)), ("even", (2, 4, 6))])
def test_1_5_odd_and_even_dice_add_by_their_face(
    kind: str, faces: tuple[int, ...], level: int, points: int
) -> None:
    """5 and 3 per level, matched or not."""
    owned = build(f"{kind}+{level} normal normal")

    assert {face: points * (face in faces) for face in FACES} == {
        face: score(owned, (face, 6, 6)).ability_bonus for face in FACES
    }


@pytest.mark.parametrize("kind", ["normal", "weighted", "light", "heavy", "wild", "mirror", "echo"])
def test_1_3_other_dice_have_no_bonus_at_any_level(kind: str) -> None:
    assert {0} == {score(build(f"{kind}+{level} normal"), (6, 6)).ability_bonus for level in range(4)}


def test_3_2_every_bonus_is_listed() -> None:
    """By its die or item; those without a bonus are left out."""
    whole = score(build("glass+1 odd even normal", "high_roller odd_todd lucky_penny"), (5, 5, 4, 1))

    assert (
        DieBonus(place=0, die=PoolDie("glass", 1), points=15),
        DieBonus(place=1, die=PoolDie("odd"), points=5),
        DieBonus(place=2, die=PoolDie("even"), points=5),
    ) == whole.abilities
    assert (
        ItemBonus(item="high_roller", flat=15, multiplier=Decimal(0)),
        ItemBonus(item="odd_todd", flat=0, multiplier=Decimal("1.5")),
    ) == whole.items
    assert (30, 25, 15, Decimal("1.5"), 175) == (
        whole.hand_score, whole.ability_bonus, whole.item_bonus, whole.item_multiplier, whole.total
    )  # fmt: skip


# §4.3, §4.6: items


@pytest.mark.parametrize(
    ("item", "faces", "multiplier", "total"),
    [
        ("even_steven", (2, 4, 6, 1, 3), "1.5", 250),
        ("even_steven", (1, 3, 5, 1, 3), "0", 159),
        ("odd_todd", (1, 1, 3, 2, 4), "1.5", 250),
        ("odd_todd", (2, 2, 4, 4, 6), "0", 174),
    ],
)
def test_4_3_even_steven_and_odd_todd(item: str, faces: tuple[int, ...], multiplier: str, total: int) -> None:
    """Half for each die of the whole pool that shows an even or odd face."""
    whole = score(build(items=item), faces)

    assert (Decimal(multiplier), total) == (whole.item_multiplier, whole.total)


def test_4_3_both_add_up() -> None:
    """Five dice of any faces add 2.5."""
    assert 18 * 7 // 2 == score(build(items="even_steven odd_todd"), (1, 1, 2, 4, 5)).total


def test_3_3_bonuses_come_before_the_multiplier() -> None:
    """High roller's 15 and a glass die's 10 are multiplied, too, before rounding down."""
    whole = score(build("glass normal normal normal normal", "high_roller even_steven"), (5, 5, 1, 3, 6))

    assert (30, 10, 15) == (whole.hand_score, whole.ability_bonus, whole.item_bonus)
    assert (30 + 10 + 15) * 3 // 2 == whole.total == 82


@pytest.mark.parametrize("item", ["extra_reroll", "lucky_penny", "insurance", "loaded_dice"])
def test_4_1_other_items_do_not_change_the_score(item: str) -> None:
    whole = score(build(items=item), (5, 5, 5, 2, 4))

    assert (90, ()) == (whole.total, whole.items)


def test_7_6_silenced_dice_have_no_bonus() -> None:
    """Items have."""
    owned = build("glass+3 odd+3 even+3 normal normal", "high_roller")

    assert (33 + 25 + 14 + 14 + 15, 33 + 15) == (
        score(owned, (6, 1, 2, 6, 4)).total,
        score(owned, (6, 1, 2, 6, 4), silenced=True).total,
    )


# invalid builds and rolls


@pytest.mark.parametrize(
    ("owned", "code", "sentence"),
    [
        (Build(dice=(PoolDie("ivory"),)), "unknown_kind", "unknown kind of die 'ivory'; known: normal, weighted, "),
        (Build(dice=(PoolDie("glas"),)), "unknown_kind", "unknown kind of die 'glas' — did you mean 'glass'? Known: "),
        (Build(dice=(PoolDie("glass", 4),)), "bad_level", "a die has a level from 0 to 3, not 4"),
        (Build(dice=(PoolDie("glass", -1),)), "bad_level", "a die has a level from 0 to 3, not -1"),
        (build(items="even_stephen"), "unknown_item", "unknown item 'even_stephen' — did you mean 'even_steven'? Known: "),
        (build(items="insurance insurance"), "item_twice", "there is one of each item: insurance is given twice"),
        (build(pear=1), "unknown_hand", "unknown hand 'pear' — did you mean 'pair'? Known: "),
        (build(pair=6), "bad_level", "a hand has a level from 0 to 5, not 6: pair"),
    ],
)  # fmt: skip
def test_1_1_an_invalid_build_is_refused(owned: Build, code: str, sentence: str) -> None:
    """Unknown dice, items and levels."""
    refused = refusal(lambda: score(owned, (1,) * len(owned.dice)))

    assert code == refused.code
    assert refused.sentence.startswith(sentence)


def test_1_1_a_pool_has_1_to_10_dice() -> None:
    """None and eleven are refused, and more than the rules allow."""
    none, eleven = refusal(lambda: Build(dice=())), refusal(lambda: normal(11))
    seven = refusal(lambda: score(normal(7), (1,) * 7, Rules(most_dice=6)))

    assert ("bad_value", "bad_value") == (none.code, eleven.code)
    assert ("dice", "dice") == (none.where, eleven.where)
    assert 10 == len(normal(10).dice)
    assert ("too_many_dice", "a pool has 1 to 6 dice, not 7") == code_and_sentence(seven)


@pytest.mark.parametrize(
    ("faces", "code", "sentence"),
    [
        ((), "bad_faces", "5 dice show 5 faces: 0 were given"),
        ((1, 2, 3, 4), "bad_faces", "5 dice show 5 faces: 4 were given"),
        ((1, 2, 3, 4, 5, 6), "bad_faces", "5 dice show 5 faces: 6 were given"),
        ((0, 1, 2, 3, 4), "bad_face", "a die shows 1 to 6, not 0"),
        ((1, 2, 3, 4, 7), "bad_face", "a die shows 1 to 6, not 7"),
    ],
)
def test_1_1_faces_are_1_to_6_one_for_each_die(faces: tuple[int, ...], code: str, sentence: str) -> None:
    assert (code, sentence) == code_and_sentence(refusal(lambda: score(FIVE, faces)))
