"""Odds of one roll: exact counts, compared with brute force, icepool and dyce."""

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.dice.model import Build, FixedDie
from oddsmith.games.dice.odds import RollOdds, roll_odds
from oddsmith.games.dice.parts import FACES, HANDS, ITEMS, Kind
from oddsmith.games.dice.pools import Pool
from oddsmith.games.dice.rules import DEFAULT, BossKind, Rules
from oddsmith.games.dice.scoring import score
from oddsmith.odds.distribution import Distribution
from tests.games.dice.builders import FREQUENCIES_OF_FIVE, build
from tests.games.dice.oracle import roll_odds_by_brute_force, state_before_roll
from tests.games.dice.referee import count_by_dyce, count_by_icepool

DICE = ("normal", "weighted", "light", "heavy", "glass", "glass+2", "odd+1", "even", "wild", "mirror", "echo")


def normal(size: int, **levels: int) -> Build:
    return build("normal " * size, "", **levels)


def test_9_1_five_dice_have_the_frequencies_of_the_rules_page() -> None:
    """Eleven hands out of 7776 rolls."""
    hands = roll_odds(normal(5)).hands

    assert FREQUENCIES_OF_FIVE == dict(hands.items())
    assert 7776 == hands.total


@pytest.mark.parametrize("size", range(1, 8))
def test_9_1_odds_agree_with_all_rolls_one_by_one(size: int) -> None:
    """Hands and scores of one to seven dice."""
    faces = Counter("".join(sorted(roll)) for roll in product("123456", repeat=size))
    hands: Counter[str] = Counter()
    scores: Counter[int] = Counter()
    for shown, ways in faces.items():
        whole = score(normal(size), tuple(map(int, shown)))
        hands[whole.hand] += ways
        scores[whole.total] += ways
    odds = roll_odds(normal(size))

    assert hands == dict(odds.hands.items())
    assert scores == dict(odds.scores.items())


def _hand_scores(odds: RollOdds) -> dict[tuple[str, int], int]:
    return {
        (hand, total): ways
        for hand in odds.hands
        for total, ways in (odds.scores_of(hand) or Distribution({0: 1})).items()
    }


def test_9_1_icepool_counts_the_same_for_nine_dice() -> None:
    """Each hand with each score, of 10,077,696 ways."""
    assert count_by_icepool(9) == _hand_scores(roll_odds(normal(9)))


def test_9_1_dyce_counts_the_same_for_six_dice() -> None:
    """Each hand with each score, of 46,656 ways."""
    assert count_by_dyce(6) == _hand_scores(roll_odds(normal(6)))


@st.composite
def builds(draw: st.DrawFn, most: int = 3) -> Build:
    size = draw(st.integers(1, most))
    return Build(
        dice=tuple(DEFAULT.die(draw(st.sampled_from(DICE))) for _ in range(size)),
        items=tuple(draw(st.lists(st.sampled_from(sorted(ITEMS)), unique=True, max_size=3))),
        levels=draw(st.dictionaries(st.sampled_from(sorted(HANDS)[-8:]), st.integers(0, 5), max_size=3)),
    )


@st.composite
def rounds(draw: st.DrawFn, most: int = 3) -> tuple[Build, Rules, BossKind | None, FixedDie | None]:
    made = draw(builds(most))
    rules = Rules.preset(draw(st.sampled_from(["default", "best_score"])))
    boss = draw(st.sampled_from([None, *BossKind]))
    place, face = draw(st.integers(0, len(made.dice) - 1)), draw(st.sampled_from(FACES))
    return made, rules, boss, FixedDie(place, face) if boss is BossKind.LOCKDOWN else None


@given(rounds())
@settings(max_examples=40, deadline=None)
def test_9_1_any_pool_in_any_round_agrees_with_brute_force(
    case: tuple[Build, Rules, BossKind | None, FixedDie | None],
) -> None:
    """Mixed kinds, items, levels, bosses and both selections."""
    made, rules, boss, fixed = case
    hands, scores = roll_odds_by_brute_force(state_before_roll(made, rules, boss, fixed))
    odds = roll_odds(made, rules, boss=boss, fixed=fixed)

    assert hands == {hand: odds.hands.probability(hand) for hand in odds.hands}
    assert scores == {total: odds.scores.probability(total) for total in odds.scores}


@pytest.mark.parametrize(
    "dice", ["echo echo", "echo", "wild", "echo echo normal", "wild echo", "glass glass+1 odd glass"]
)
def test_1_8_echoes_and_glass_with_other_dice_agree_with_brute_force(dice: str) -> None:
    """Only echoes, an echo next to a wild die, and glass of several levels."""
    made = build(dice, "even_steven")
    hands, scores = roll_odds_by_brute_force(state_before_roll(made, DEFAULT))
    odds = roll_odds(made)

    assert hands == {hand: odds.hands.probability(hand) for hand in odds.hands}
    assert scores == {total: odds.scores.probability(total) for total in odds.scores}


def test_7_2_a_fixed_echo_is_no_source_of_another_echo() -> None:
    """The lockdown holds one of two echoes at 6: the other copies the normal die alone."""
    made = build("normal echo echo")
    fixed = FixedDie(1, 6)
    _, scores = roll_odds_by_brute_force(state_before_roll(made, DEFAULT, BossKind.LOCKDOWN, fixed))
    odds = roll_odds(made, boss=BossKind.LOCKDOWN, fixed=fixed)

    assert scores == {total: odds.scores.probability(total) for total in odds.scores}


def test_2_4_first_match_misses_the_best_hand_in_one_and_a_half_percent() -> None:
    """With five dice the first match is not the best score in 120 of 7776 rolls, 1.54 %."""
    assert Fraction(120, 7776) == roll_odds(normal(5)).missed_chance


def test_2_4_first_match_misses_half_of_the_best_hands_once_pair_is_upgraded() -> None:
    """With only Pair at level 5 it misses in 3780 of 7776 rolls, 48.6 %, also when the level is added later."""
    odds = roll_odds(normal(5))

    assert (
        Fraction(3780, 7776)
        == roll_odds(normal(5, pair=5)).missed_chance
        == odds.with_levels({"pair": 5}).missed_chance
    )


def test_2_4_the_best_score_never_misses() -> None:
    """Where the best score is selected, no other hand would have scored more."""
    assert Fraction(0) == roll_odds(normal(5, pair=5), Rules.preset("best_score")).missed_chance


@pytest.mark.parametrize("rules", Rules.presets().values(), ids=Rules.presets())
@pytest.mark.parametrize("dice", ["normal " * 5, "glass glass odd+1 normal", "wild normal normal"])
def test_2_5_odds_with_levels_changed_later_are_those_of_the_other_build(dice: str, rules: Rules) -> None:
    odds = roll_odds(build(dice, "odd_todd", pair=1), rules).with_levels({"pair": 4, "two_pair": 2})
    recomputed = roll_odds(build(dice, "odd_todd", pair=4, two_pair=2), rules)

    assert recomputed.scores == odds.scores
    assert recomputed.hands == odds.hands
    assert recomputed.build == odds.build


def test_2_5_levels_of_hands_that_the_pool_cannot_make_change_nothing() -> None:
    """Seven of a kind at level 5 does not change what five dice score."""
    odds = roll_odds(normal(5))

    assert odds.scores == odds.with_levels({"seven_of_a_kind": 5}).scores


def test_9_1_a_hand_that_is_never_scored_has_no_scores() -> None:
    """Six dice are never scored as All Even under first match: a stronger hand is always there."""
    assert roll_odds(normal(6)).scores_of("all_even") is None


def test_9_1_light_dice_have_exact_weights() -> None:
    """A weighted die shows a six in 18 of 63 cases."""
    assert Fraction(18, 63) == roll_odds(build("weighted")).at_least(11)


def test_9_1_weights_beyond_machine_words_are_counted_exactly() -> None:
    """Ten dice with long weights have more cases than a machine word holds; the counts still add up."""
    fine = tuple(map(Decimal, ("0.000001", "1", "1", "1", "1", "999.999999")))
    rules = DEFAULT.replace(kinds={**DEFAULT.kinds, "fine": Kind(weights=fine)})
    odds = roll_odds(build("fine " * 10), rules)

    assert (10**6 * 4 + 1 + 999_999_999) ** 10 == odds.hands.total


def test_9_1_the_repr_names_the_dice() -> None:
    assert "<RollOdds of normal glass+1: 16 scores>" == repr(roll_odds(build("normal glass+1")))


def test_9_5_too_many_positions_are_refused() -> None:
    """Ten dice of ten sorts."""
    motley = build("normal weighted light heavy glass glass+1 odd odd+1 even even+1")
    with pytest.raises(WorkLimitError, match="60,466,176 ways: at most 2,000,000") as caught:
        roll_odds(motley)

    assert "too_many_positions" == caught.value.refusal.code


def test_9_5_the_most_positions_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two normal dice lie in 21 ways; one way more than the limit is refused."""
    monkeypatch.setattr("oddsmith.games.dice.pools.MOST_SCORED", 21)

    assert 36 == roll_odds(build("normal normal")).hands.total
    with pytest.raises(WorkLimitError, match="126 ways: at most 21"):
        roll_odds(build("normal normal odd"))


@pytest.mark.parametrize(
    ("boss", "fixed", "code"),
    [
        (BossKind.LOCKDOWN, None, "no_fixed_die"),
        (None, FixedDie(0, 3), "no_fixed_die"),
        (BossKind.LOCKDOWN, FixedDie(5, 3), "bad_fixed_die"),
        (BossKind.LOCKDOWN, FixedDie(0, 7), "bad_fixed_die"),
    ],
)
def test_7_2_the_lockdown_needs_its_die(boss: BossKind | None, fixed: FixedDie | None, code: str) -> None:
    """A die is fixed only with the lockdown, at a valid place and face."""
    with pytest.raises(InputError) as caught:
        Pool(normal(5), DEFAULT, boss=boss, fixed=fixed)

    assert code == caught.value.refusal.code


def test_7_1_a_boss_may_be_named_and_an_unknown_one_is_refused() -> None:
    """The name alone selects the boss; an unknown name is not treated as no boss."""
    heavy = build("heavy heavy")
    named = roll_odds(heavy, boss="inverter")  # type: ignore[arg-type]  # a boss by its name
    with pytest.raises(InputError) as caught:
        roll_odds(heavy, boss="inverted")  # type: ignore[arg-type]  # an unknown name

    assert roll_odds(heavy, boss=BossKind.INVERTER).scores == named.scores != roll_odds(heavy).scores
    assert "unknown boss 'inverted' — did you mean 'inverter'?" in str(caught.value)
