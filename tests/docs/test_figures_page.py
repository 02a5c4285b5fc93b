"""The page about figures has every figure, and true claims."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from oddsmith.balance.linting.claims import exhibits_of, parse_claims
from oddsmith.exhibit import ClaimedFigure
from oddsmith.registry import find_game, mechanic_names
from oddsmith.rules import read_toml
from tests.docs.figure_tables import fill_tables, games_in

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "figures.md"
EXAMPLE = re.compile(r"^```toml\n(?P<text>game = \"(?P<game>[a-z]+)\"\n.*?)^```$", re.DOTALL | re.MULTILINE)


def test_every_figure_agrees_with_the_source(check_page: Callable[[Path, str], None]) -> None:
    """Names, arguments, what they expect, their defaults and descriptions."""
    check_page(PAGE, fill_tables(PAGE.read_text(encoding="utf-8")))


def test_every_game_has_its_figures_in_the_page() -> None:
    assert sorted(mechanic_names()) == sorted(games_in(PAGE.read_text(encoding="utf-8")))


@pytest.mark.parametrize("game", mechanic_names())
def test_the_claims_of_the_page_are_true(game: str) -> None:
    """The example of each game is a claims file without wrong claims."""
    texts = [
        found["text"] for found in EXAMPLE.finditer(PAGE.read_text(encoding="utf-8")) if found["game"] == game
    ]
    claims = parse_claims(read_toml(texts[-1]))
    shown = [
        one for one in exhibits_of(claims, find_game(game).rules_type()) if isinstance(one, ClaimedFigure)
    ]

    assert shown
    assert [] == [f"{one.about}: {one.said}, and it is {one.true}" for one in shown if not one.is_met]
