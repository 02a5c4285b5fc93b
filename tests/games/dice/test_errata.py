"""Every line of the errata of Dice Hands: the original document and the rules here."""

from collections import Counter
from math import floor

import pytest

from oddsmith.errors import InputError
from oddsmith.games.dice import DEFAULT, Build, Condition, Rules, score
from tests.games.dice.builders import BEST_SCORE, FIVE, build, normal, rolls

PRINTED = {
    "pyramid": 2000, "seven_of_a_kind": 1400, "six_of_a_kind": 780, "five_of_a_kind": 500, "full_run": 454,
    "two_triplets": 260, "four_of_a_kind": 210, "three_pairs": 150, "large_straight": 195, "full_house": 100,
    "all_even": 150, "all_odd": 120, "small_straight": 105, "three_of_a_kind": 60, "two_pair": 30, "pair": 15,
    "high_roll": 5,
}  # fmt: skip


def count_pure_hands(size: int, rules: Rules) -> Counter[str]:
    """Count the scored hands over rolls of `size` dice that are all even or all odd."""
    found: Counter[str] = Counter()
    for faces, ways in rolls(size):
        if len({face % 2 for face in faces}) == 1:
            found[score(normal(size), faces, rules).hand] += ways
    return found


def count_missed(owned: Build) -> int:
    """Count the rolls of five dice in which the first match is not the best score."""
    return sum(
        [
            ways
            for faces, ways in rolls(5)
            if score(owned, faces).total < score(owned, faces, BEST_SCORE).total
        ]
    )


def test_2_1_the_pyramid_is_a_2_three_4s_and_five_6s() -> None:
    """The printed counts would need twelve dice; these are nine."""
    hand = DEFAULT.hands["pyramid"]

    assert 2 + 4 + 6 > DEFAULT.most_dice
    assert (Condition.FACES, {2: 1, 4: 3, 6: 5}, 9) == (hand.condition, Counter(hand.pattern), hand.min_dice)
    assert "pyramid" == score(normal(10), (2, 4, 4, 4, 6, 6, 6, 6, 6, 1)).hand
    assert "five_of_a_kind" == score(normal(10), (2, 4, 4, 5, 6, 6, 6, 6, 6, 1)).hand
    with pytest.raises(InputError):
        normal(12)


def test_4_3_even_dice_count_whether_they_are_matched_or_not() -> None:
    """The example of the document, three 5s with a 2 and a 4, and a pair of 6s, whose even dice are all matched."""
    example = score(build(items="even_steven"), (5, 5, 5, 2, 4))
    matched = score(build(items="even_steven"), (6, 6, 1, 3, 5))

    assert (90, 180) == (example.hand_score, example.total)
    assert ("pair", (0, 1), 33, 66) == (matched.hand, matched.matched, matched.hand_score, matched.total)


def test_3_1_effective_ranges_of_hands() -> None:
    """Scores of each hand at level 0 in pools of one to nine normal dice."""
    found: dict[str, set[int]] = {name: set() for name in DEFAULT.hands}
    for size in range(1, 10):
        for faces, _ in rolls(size):
            whole = score(normal(size), faces)
            found[whole.hand].add(whole.total)

    assert {180, 195} == found["large_straight"]
    assert {100, 110, 120} == found["small_straight"]
    assert {2440} == found["pyramid"]
    assert {454} == found["full_run"]
    assert {
        "pyramid": (2440, 2440), "seven_of_a_kind": (1456, 1736), "six_of_a_kind": (816, 996),
        "five_of_a_kind": (525, 650), "full_run": (454, 454), "two_triplets": (296, 392),
        "four_of_a_kind": (224, 294), "three_pairs": (186, 240), "large_straight": (180, 195),
        "full_house": (117, 170), "all_even": (168, 192), "all_odd": (153, 177), "small_straight": (100, 120),
        "three_of_a_kind": (66, 96), "two_pair": (39, 63), "pair": (18, 33), "high_roll": (6, 11),
    } == {name: (min(scores), max(scores)) for name, scores in found.items()}  # fmt: skip


def test_3_1_most_printed_minima_have_no_dice_in_them() -> None:
    """They are base · multiplier, except for the straights, the full run and all even."""
    bare = {name: floor(hand.base * hand.multiplier) for name, hand in DEFAULT.hands.items()}

    assert {"full_run": 360, "large_straight": 135, "all_even": 120, "small_straight": 75} == {
        name: bare[name] for name, printed in PRINTED.items() if printed != bare[name]
    }


def test_2_4_the_first_match_is_not_the_best_score() -> None:
    """2 2 2 4 4: 135 and 162; so in 120 of 7776 rolls, 1.54 %."""
    assert (135, 162) == (
        score(FIVE, (2, 2, 2, 4, 4)).total,
        score(FIVE, (2, 2, 2, 4, 4), BEST_SCORE).total,
    )
    assert (120, "1.54") == (count_missed(FIVE), f"{120 / 77.76:.2f}")


def test_2_4_the_first_match_misses_more_when_only_the_pair_is_upgraded() -> None:
    """At level 5: 3780 of 7776 rolls, 48.6 %."""
    assert (3780, "48.6") == (count_missed(build(pair=5)), f"{3780 / 77.76:.1f}")


def test_2_1_all_even_and_all_odd_need_exactly_five_dice() -> None:
    """With six or more a stronger hand matches first."""
    reached = {size: {"all_even", "all_odd"} & set(count_pure_hands(size, DEFAULT)) for size in range(1, 11)}

    assert {5: {"all_even", "all_odd"}} == {size: hands for size, hands in reached.items() if hands}


def test_2_1_by_best_score_all_even_and_all_odd_are_scored_with_six_dice() -> None:
    """360 rolls each of 46656, 1.54 % in all; never with more dice."""
    found = {size: count_pure_hands(size, BEST_SCORE) for size in (5, 6, 7, 8, 9, 10)}

    assert (360, 360) == (found[6]["all_even"], found[6]["all_odd"])
    assert "1.54" == f"{720 / 466.56:.2f}"
    assert [5, 6] == [size for size, hands in found.items() if hands["all_even"] + hands["all_odd"]]
