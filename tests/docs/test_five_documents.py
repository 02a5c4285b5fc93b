"""The page about the five documents quotes the findings of lint word by word."""

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from oddsmith.balance.design_files import read_design
from oddsmith.balance.figures import parse_figure
from oddsmith.games.destiny.classes import RANKS, hand_classes
from oddsmith.games.destiny.odds import class_totals
from oddsmith.games.destiny.ranks import HandRank
from oddsmith.games.destiny.rules import Character, Rules
from oddsmith.games.destiny.scoring import character_bonuses
from tests.docs.quoted_findings import DOCUMENTS, claim_table, fill_quotes, pool_table, quotes_in

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "five-documents.md"
TABLES = {"claims": claim_table, "pools": pool_table}
TABLE = re.compile(r"^<!-- (?P<name>claims|pools) -->\n.*?^<!-- end -->$", re.DOTALL | re.MULTILINE)


def test_every_quote_agrees_with_lint(
    request: pytest.FixtureRequest, check_page: Callable[[Path, str], None]
) -> None:
    """Findings about a document's own numbers, and the counts of claims and pools."""
    kinds = ("found", "played") if request.config.getoption("--write-docs") else ("found",)
    text = fill_quotes(PAGE.read_text(encoding="utf-8"), kinds)

    check_page(
        PAGE,
        TABLE.sub(
            lambda found: f"<!-- {found['name']} -->\n\n{TABLES[found['name']]()}\n\n<!-- end -->", text
        ),
    )


def test_the_short_deck_favours_the_second_seat_as_written() -> None:
    """A few hundred new games agree with the quoted thousands, within both errors."""
    [text] = [
        text
        for quote, text in quotes_in(PAGE.read_text(encoding="utf-8"), "played").items()
        if "2 players" in quote.words
    ]
    written = re.search(r"seat 0 ([0-9.]+) % ± ([0-9.]+)", " ".join(text.split()).replace("> ", ""))
    assert written is not None
    share, error = (Fraction(number) / 100 for number in written.groups())
    figure = parse_figure("casino", {"figure": "seat.win", "seat": 0, "deals": 100, "seed": "others"})
    played = figure.read(read_design(str(DOCUMENTS / "casino-short.toml")).rules)

    assert abs(played.value - share) < played.error + error < Fraction(1, 5)


def test_high_cards_seldom_beat_pairs() -> None:
    """Of all draws of a pair and a high card, the high card wins 128 of 14,047."""
    rules = Rules.read(str(DOCUMENTS / "destiny.toml"))
    totals, classes = class_totals(character_bonuses(Character()), rules), hand_classes()
    (high, high_ways), (pair, pair_ways) = (
        (totals[held], classes.ways[held])
        for held in (classes.rank == RANKS.index(rank) for rank in (HandRank.HIGH_CARD, HandRank.PAIR))
    )
    won = sum(
        int(ways) * int(high_ways[high > total].sum()) for total, ways in zip(pair, pair_ways, strict=True)
    )

    assert Fraction(128, 14_047) == Fraction(won, int(high_ways.sum()) * int(pair_ways.sum()))
    assert "the high card wins 0.91 %" in PAGE.read_text(encoding="utf-8")
