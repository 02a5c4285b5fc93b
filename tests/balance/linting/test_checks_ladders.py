"""Checks of ordered categories: their chances and their values."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from oddsmith.balance.linting.findings import Finding, judge_exhibit
from oddsmith.exhibit import Example, Ladder, Rung, Sets


def rung(name: str, chance: Fraction | None, worst: int, best: int) -> Rung:
    return Rung(
        name=name,
        where=f"scores.{name}",
        chance=chance,
        worst=Example(text=f"worst {name}", worth=Fraction(worst)),
        best=Example(text=f"best {name}", worth=Fraction(best)),
    )


def findings_of(*rungs: Rung) -> list[Finding]:
    return list(judge_exhibit(Ladder(about="the hands", where="scores", rungs=rungs)))


def test_rarer_scores_less_names_both_ends_and_the_gap() -> None:
    """A flush that is rarer than a straight and scores 10 less at either end lacks 10."""
    flush, straight = rung("flush", Fraction(1, 100), 90, 95), rung("straight", Fraction(1, 10), 100, 105)
    findings = {finding.check: finding for finding in findings_of(flush, straight)}

    assert (
        "the hands: flush comes in 1.00 % and is worth 90 to 95, "
        "but straight, which comes in 10.00 %, is worth 100 to 105"
    ) == findings["rarer-scores-less"].sentence
    assert "scores.flush" == findings["rarer-scores-less"].where
    assert "let flush be worth at least 10 more, or straight less" == findings["rarer-scores-less"].suggestion


def test_rarer_scores_less_counts_all_categories_that_pay_more() -> None:
    """Two commoner categories above a rare one are one finding with the larger gap."""
    rare = rung("rare", Fraction(1, 100), 5, 5)
    findings = findings_of(rung("a", Fraction(1, 2), 7, 7), rung("b", Fraction(3, 4), 6, 6), rare)
    [only] = [finding for finding in findings if finding.check == "rarer-scores-less"]

    assert only.sentence.endswith("is worth 7 (2 commoner ones are worth more)")
    assert "let rare be worth at least 2 more, or a less" == only.suggestion


def test_rarer_scores_less_ignores_wider_ranges() -> None:
    """A rare category with a lower worst and a higher best is no mistake."""
    wide, narrow = rung("wide", Fraction(1, 100), 1, 100), rung("narrow", Fraction(1, 2), 50, 60)

    assert ["lower-beats-higher"] == [finding.check for finding in findings_of(wide, narrow)]


def test_lower_beats_higher_gives_an_example_of_both() -> None:
    """A high card of 39 beats a pair of 34; the gap is 5."""
    [only] = findings_of(rung("pair", Fraction(2, 5), 34, 44), rung("high card", Fraction(1, 2), 16, 39))

    assert (
        "the hands: high card ranks below pair, and can beat it: best high card (39) against worst pair (34)"
    ) == only.sentence
    assert "let pair be worth at least 5 more, or the best high card less" == only.suggestion
    assert not only.evidence["always"]


def test_lower_beats_higher_always() -> None:
    """Where the worst of the lower beats the best of the higher, the order is reversed."""
    [only] = findings_of(rung("above", None, 1, 2), rung("below", None, 3, 4))

    assert (
        "the hands: below ranks below above, and always beats it: best below (4) against worst above (1)"
        == (only.sentence)
    )


def test_a_rung_without_examples_is_not_judged() -> None:
    """It can neither beat nor be beaten."""
    never = Rung(name="five aces", where="scores", chance=Fraction(0), worst=None, best=None)

    assert [] == findings_of(never, rung("pair", Fraction(1, 2), 10, 20), never)


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(0, 20)), max_size=8))
def test_a_strictly_ordered_ladder_has_no_findings(steps: list[tuple[int, int]]) -> None:
    """Each rung is rarer than the one below, and its worst is above the best below."""
    rungs, best, ways = [], 0, 10**6
    for place, (gap, width) in enumerate(steps):
        worst, ways = best + gap, ways // 2
        best = worst + width
        rungs.append(rung(f"rung {place}", Fraction(ways, 10**6), worst, best))

    assert [] == findings_of(*reversed(rungs))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)), max_size=6))
def test_lower_beats_higher_agrees_with_brute_force(cases: list[tuple[int, int, int]]) -> None:
    """It is found for the rungs of which a case loses to a case of a rung below, pair by pair."""
    rungs = [
        rung(str(place), Fraction(chance, 9), min(pair), max(pair))
        for place, (chance, *pair) in enumerate(cases)
    ]
    beaten = {
        f"scores.{high}"
        for high, (_, *above) in enumerate(cases)
        for _, *below in cases[high + 1 :]
        if max(below) > min(above)
    }

    assert beaten == {
        finding.where for finding in findings_of(*rungs) if finding.check == "lower-beats-higher"
    }


def test_set_ignored_names_the_worse_set_that_wins() -> None:
    """A pair of twos with an ace, 44, beats a pair of aces with a king, 43."""
    twos, aces = Example(text="2♠ 2♥ A♣", worth=Fraction(44)), Example(text="A♠ A♥ K♣", worth=Fraction(43))
    [only] = judge_exhibit(Sets(about="pairs", where="scores.pair", category="pair", better=aces, worse=twos))

    assert (
        "pairs: the worse pair wins, because what is matched counts for too little: "
        "2♠ 2♥ A♣ (44) beats A♠ A♥ K♣ (43)"
    ) == only.sentence
    assert "count the matched set itself: the better one lacks 1" == only.suggestion


def test_sets_of_equal_value_have_no_finding() -> None:
    same = Example(text="2♠ 2♥", worth=Fraction(30))

    assert [] == list(
        judge_exhibit(Sets(about="pairs", where="pair", category="pair", better=same, worse=same))
    )
