"""A report is one self-contained page with its numbers as text, for one ruleset or two side by side."""

import re
from fractions import Fraction
from html.parser import HTMLParser

import pytest
from msgspec.structs import replace

from oddsmith.balance.linting.lint import lint
from oddsmith.balance.reporting.charts import draw_chart
from oddsmith.balance.reporting.report import Report, contents_of, make_report, render_page
from oddsmith.chart import Chart, ChartKind, Series
from oddsmith.errors import InputError
from oddsmith.figure import Basis, Reading, Unit
from oddsmith.games.destiny.rules import Rules as DestinyRules
from oddsmith.games.duel.rules import House
from oddsmith.games.duel.rules import Rules as DuelRules
from oddsmith.games.fate.rule_types import Combine
from oddsmith.games.fate.rules import Rules
from oddsmith.points import Points
from oddsmith.rules import Ruleset


def _make_report(*rules: Ruleset) -> Report:
    return make_report([(f"design {number}", one, lint(one)) for number, one in enumerate(rules, 1)])


class _PageParser(HTMLParser):
    """Collects the tags of a page with their attributes, and its visible text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += f" {data}"


@pytest.fixture(scope="module")
def page() -> str:
    return render_page(_make_report(Rules()))


def test_a_page_loads_nothing(page: str) -> None:
    """No script, no link, no image from elsewhere."""
    read = _PageParser(page)
    loading = [
        (tag, name, value)
        for tag, attributes in read.tags
        for name, value in attributes.items()
        if name in {"src", "href", "xlink:href"} and value and not value.startswith(("#", "data:"))
    ]

    assert [] == loading
    assert not {"script", "link", "iframe"} & {tag for tag, _ in read.tags}
    assert [] == re.findall(r"url\((?!#)", page)


def test_a_page_has_its_figures_with_their_basis(page: str) -> None:
    """The mean of one card is 3/2, labelled as exact."""
    text = " ".join(_PageParser(page).text.split())

    assert "mean off turn 1.5 exact" in text
    assert "reaches 3 on turn 63.40 % exact" in text


def test_every_chart_has_its_numbers_as_a_table(page: str) -> None:
    """Sums 0 to 6 of two cards come 10, 20, 26, 41, 26, 20, 10 times in 153."""
    text = " ".join(_PageParser(page).text.split())

    assert len(contents_of(Rules()).charts) == page.count("<svg xmlns")
    assert "3 26.80 %" in text
    assert "6 6.54 %" in text


def test_two_rulesets_are_side_by_side_with_their_differences() -> None:
    """Changed keys are listed; the best of two cards has a mean of 3 − (10 + 36 + 78) / 153."""
    two = _make_report(Rules(), Rules(combine=Combine.BEST, off_turn=2))
    text = " ".join(_PageParser(render_page(two)).text.split())

    assert [("off_turn", ("1", "2")), ("combine", ("sum", "best"))] == [
        (one.key, one.values) for one in two.differences
    ]
    assert "mean on turn 3 2.1895 −0.8105 exact" in text


def test_a_table_in_the_rules_is_compared_row_by_row() -> None:
    """A changed row has its own key, and the others are not repeated."""
    rules = DestinyRules()
    other = rules.replace(curve_table=(*rules.curve_table[:-1], (100, Points(130))))
    two = _make_report(rules, other)

    assert [("curve_table[17][1]", ("121.93", "130"))] == [(one.key, one.values) for one in two.differences]


def test_names_are_escaped() -> None:
    """Any name of a ruleset is text in the page."""
    rules = Rules()
    made = render_page(make_report([("<script>alert(1)</script>", rules, lint(rules))]))

    assert "<script>" not in made
    assert "&lt;script&gt;" in made


@pytest.mark.parametrize(
    "designs",
    [
        pytest.param([], id="none"),
        pytest.param([Rules(), DestinyRules()], id="of two games"),
        pytest.param([Rules()] * 3, id="three"),
    ],
)
def test_a_report_is_on_one_ruleset_or_on_two_of_a_game(designs: list[Ruleset]) -> None:
    """Other numbers and mixed games are refused before anything is computed."""
    with pytest.raises(InputError) as refused:
        make_report([("one", rules, lint(Rules())) for rules in designs])

    assert "bad_report" == refused.value.refusal.code


def test_a_chart_is_the_same_bytes_for_the_same_numbers() -> None:
    """Reports can be compared and versioned."""
    chart = Chart(
        title="Luck",
        about="",
        kind=ChartKind.BARS,
        unit=Unit.CHANCE,
        x_label="face",
        places=tuple("123456"),
        series=(
            Series(name="fair", values=(Fraction(1, 6),) * 6),
            Series(name="met", values=(Fraction(1, 5),) * 6, errors=(Fraction(1, 20),) * 6),
        ),
        basis=Basis.ESTIMATED,
    )

    assert draw_chart(chart) == draw_chart(chart)
    assert "fair" in draw_chart(chart)


def test_a_design_without_crimes_has_a_page() -> None:
    """Charts, figures and keys of missing parts are left out."""
    contents = contents_of(DestinyRules(crimes={}))

    assert ["Totals that are reached", "Contests by skill gap"] == [chart.title for chart in contents.charts]
    assert "crimes.*.threshold" not in contents.keys
    assert "Contests by skill gap" in render_page(_make_report(DestinyRules(crimes={}, npcs={})))


def test_scores_of_any_size_are_charted() -> None:
    """A curve of totals ends where the chance is 0, and has a bounded number of points."""
    high = DestinyRules(hand_scores=dict.fromkeys(DestinyRules().hand_scores, Points(100_000)))
    reached, usual = (contents_of(rules).charts[0] for rules in (high, DestinyRules()))

    assert float(reached.places[-1]) > 100_000
    assert len(reached.places) <= 201
    assert ("0", "10", "20") == usual.places[:3]


def test_estimates_have_their_errors() -> None:
    """Also in the table below a chart."""
    met = Series(name="met", values=(Fraction(1, 5),), errors=(Fraction(1, 20),))

    assert (Fraction(3, 20), Fraction(1, 4)) == (met.reading(0).low, met.reading(0).high)
    assert met == Series.of("met", [met.reading(0)])


def test_changes_of_estimates_may_be_random() -> None:
    """A note says so below every figure that was estimated by play, and below no other."""
    report = _make_report(Rules())
    (subject,) = report.subjects
    found = subject.sensitivities
    counted = Reading(found.watched[0].today.value, Fraction(1, 8), Basis.ESTIMATED)
    watched = (replace(found.watched[0], today=counted), *found.watched[1:])
    doubted = replace(subject, sensitivities=replace(found, watched=watched))
    words = "Estimated from play: a change of less than 0.125 may be chance."

    assert 1 == render_page(replace(report, subjects=(doubted,))).count(words)
    assert "may be chance" not in render_page(report)


def test_chances_of_duels_name_their_decks() -> None:
    """They are computed with fresh decks, also where the rules have others."""
    contents = contents_of(DuelRules(rounds=2, difficulty=1, house=House(attack_cards=((5,),))))

    assert all(name.endswith(", fresh decks") for name in contents.figures)
    assert all("Decks are fresh" in chart.about for chart in contents.charts)
