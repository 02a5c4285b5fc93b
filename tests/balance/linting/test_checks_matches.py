"""Checks of first matches, outcomes and effects."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from oddsmith.balance.linting.findings import Severity, judge_exhibit
from oddsmith.exhibit import Effect, FirstMatch, Outcome, UnderpaidCase
from oddsmith.figure import Basis, Reading

HALF = Fraction(1, 2)
EVEN = UnderpaidCase(
    text="2 2 2 4 4",
    selected="Full House",
    worth=Fraction(135),
    better="All Even",
    better_worth=Fraction(162),
)


def test_first_match_pays_less_has_its_share_and_its_worst_case() -> None:
    """120 of 7,776 rolls, 1.54 %, such as 2 2 2 4 4: 135 where 162 would match, too."""
    match = FirstMatch(
        about="hands of five dice",
        where="selection",
        share=Reading(Fraction(120, 7776)),
        worst=EVEN,
        circumstances="all at level 0",
    )
    [only] = judge_exhibit(match)

    assert (
        "hands of five dice (all at level 0): in 1.54 % of all cases, exact, the first match pays less than another: "
        "2 2 2 4 4 is Full House for 135, and would be All Even for 162"
    ) == only.sentence
    assert only.suggestion.endswith("put All Even before Full House, or let Full House pay 27 more")


def test_first_match_within_its_error_has_no_finding() -> None:
    """A share that may be 0 is not reported."""
    estimated = Reading(Fraction(1, 100), Fraction(2, 100), Basis.ESTIMATED)

    assert [] == list(judge_exhibit(FirstMatch(about="dice", where="selection", share=estimated, worst=EVEN)))
    assert [] == list(judge_exhibit(FirstMatch(about="dice", where="selection", share=Reading(), worst=None)))


def make_outcome(least: Fraction, most: Fraction, *, expected: bool = False, reason: str = "") -> Outcome:
    return Outcome(
        about="the vault",
        where="crimes.vault.threshold",
        least=least,
        most=most,
        least_for="no skill",
        most_for="every skill",
        expected=expected,
        reason=reason,
    )


def test_unreachable_for_every_character() -> None:
    """The greatest chance is 0."""
    [only] = judge_exhibit(make_outcome(Fraction(0), Fraction(0), reason="no hand scores so much"))

    assert ("unreachable", Severity.WARNING) == (only.check, only.severity)
    assert "the vault cannot be reached, not even with every skill: no hand scores so much" == only.sentence


def test_certain_for_every_character() -> None:
    """The least chance is 1."""
    [only] = judge_exhibit(make_outcome(Fraction(1), Fraction(1)))

    assert ("certain", "the vault is certain, even with no skill") == (only.check, only.sentence)


def test_expected_extremes_are_notes() -> None:
    """A note where the design expects them."""
    [only] = judge_exhibit(make_outcome(Fraction(0), Fraction(0), expected=True))

    assert Severity.NOTE == only.severity


@given(st.fractions(0, 1), st.fractions(0, 1))
def test_open_outcomes_have_no_finding(one: Fraction, other: Fraction) -> None:
    """Exactly where some character can fail and some can succeed."""
    least, most = sorted((one, other))

    assert (least < 1 and most > 0) == (not list(judge_exhibit(make_outcome(least, most))))


def test_flipping_a_fair_die_has_no_effect() -> None:
    """7 − roll of a fair die is a fair die."""
    fair = {str(face): Fraction(1, 6) for face in range(1, 7)}
    flipped = {str(7 - face): Fraction(1, 6) for face in range(1, 7)}
    [only] = judge_exhibit(Effect(about="the mirror", where="items.mirror", without=fair, having=flipped))

    assert "the mirror changes nothing: with it and without it, 1 16.67 %, 2 16.67 %" == (
        ",".join(only.sentence.split(",")[:3])
    )


def test_no_effect_names_a_few_of_many_outcomes() -> None:
    """Six are named, the others are in the evidence."""
    many = {str(face): Fraction(1, 10) for face in range(10)}
    [only] = judge_exhibit(Effect(about="it", where="it", without=many, having=many))

    assert only.sentence.endswith("5 10.00 %, …")
    assert many == only.evidence["having"]


def test_an_outcome_with_chance_0_is_no_effect() -> None:
    """An explicit 0 and a missing outcome are the same."""
    with_zero = {"heads": HALF, "tails": HALF, "edge": Fraction(0)}
    [only] = judge_exhibit(
        Effect(about="it", where="it", without=with_zero, having={"tails": HALF, "heads": HALF})
    )

    assert "no-effect" == only.check


def test_a_loaded_die_has_an_effect() -> None:
    """Any difference of chances is an effect."""
    without, having = {"1": HALF, "2": HALF}, {"1": Fraction(1, 3), "2": Fraction(2, 3)}

    assert [] == list(judge_exhibit(Effect(about="it", where="it", without=without, having=having)))
