"""The Fate Deck's report: a chart of characters where there are any (§7.8)."""

from fractions import Fraction

from oddsmith.games.fate.report import make_report
from oddsmith.games.fate.rules import DEFAULT, Rules


def test_7_8_the_report_shows_what_each_character_reaches() -> None:
    """Ysolde's duel, with her talents: 15/17."""
    chart = make_report(Rules.preset("adventure")).charts[-1]

    assert "How often each character reaches each target, on turn" == chart.title
    assert ["Ysolde the Blade", "Brother Anselm", "Corvin the Seer", "Magpie"] == [
        one.name for one in chart.series
    ]
    assert Fraction(15, 17) == chart.series[0].values[chart.places.index("duel")]


def test_without_characters_there_are_the_three_charts_of_the_deck() -> None:
    assert 3 == len(make_report(DEFAULT).charts)
