"""The findings about the Fate Deck agree with the game."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from oddsmith.balance.linting.lint import lint
from oddsmith.games.fate import DEFAULT, Ability, Rules
from oddsmith.games.fate.odds import fresh_memory
from oddsmith.games.fate.triggers import read_trigger
from oddsmith.games.fate.values import ability_values
from tests.docs.exact_tables import cell_of, format_share
from tests.docs.fate_tables import TABLES, chance_after, fresh_odds, target_values, trigger_values


@pytest.mark.parametrize(
    ("row", "written"),
    [
        ("`single(spade)`", "69 (45.10 %)"),
        ("`both(spade)`", "10 (6.54 %)"),
        ("`pair(spade, heart)`", "24 (15.69 %)"),
        ("`single(spade, heart)`", "89 (58.17 %)"),
    ],
)
def test_triggers_agree_with_the_rules_page(row: str, written: str) -> None:
    """The number of 153 pairs that fire each trigger, as in paragraph 7.5."""
    assert written == cell_of(TABLES["triggers"](), row, "two cards of 153 pairs")


@pytest.mark.parametrize("target", [2, 4, 6])
def test_cards_of_one_value_are_equivalent_for_a_target(target: int) -> None:
    """An extra card has the same value in a deck with one copied card for each value as in the default deck."""
    whole = ability_values(fresh_memory(), target=target)
    extra = next(value for value in whole if value.abilities == (Ability.EXTRA,))

    assert extra == target_values(target)["extra card"]


def test_cards_of_one_suit_are_equivalent_for_a_trigger() -> None:
    """A redraw has the same value in a deck with one copied card for each suit as in the default deck."""
    whole = ability_values(fresh_memory(), trigger=read_trigger("both(red)"))
    redraw = next(value for value in whole if value.abilities == (Ability.REDRAW,))

    assert redraw == trigger_values("both(red)")["redraw"]


def test_a_modifier_adds_most_at_target_4() -> None:
    """A modifier of 1 adds 26.80 percentage points there on turn, and less elsewhere."""
    odds = fresh_odds(DEFAULT, 2)
    gains = {target: odds.at_least(target - 1) - odds.at_least(target) for target in range(1, 8)}

    assert 4 == max(gains, key=lambda target: gains[target])
    assert "26.80" == format_share(gains[4])


def test_total_and_trigger_are_not_independent() -> None:
    """A single spade is in 21 of the 56 pairs that reach 4, in less than its share of all pairs."""
    odds = fresh_odds(DEFAULT, 2, ("single(spade)",))

    assert Fraction(21, 56) == odds.both(4, 0) / odds.at_least(4)
    assert "16.51" == format_share(odds.at_least(4) * odds.fires(0))


def test_the_value_of_a_reshuffle_depends_on_seen_cards() -> None:
    """It adds 28.91 points to a check for 4 after the five 3s, and takes 35.19 after the five 0s."""
    after_reshuffle = chance_after((0, 0, 0, 0), 4)

    assert "28.91" == format_share(after_reshuffle - chance_after((0, 0, 0, 5), 4))
    assert "35.19" == format_share(chance_after((5, 0, 0, 0), 4) - after_reshuffle)


PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "fate-findings.md"
LINTED = re.compile(r"^<!-- lint of presets -->\n(.*?)^<!-- end -->$", re.DOTALL | re.MULTILINE)
LINT_ROW = re.compile(r"^\| `(\w+)` \| (\w+) \| (.*?) \| [^|]+ \|$", re.MULTILINE)


def test_each_finding_of_lint_is_explained() -> None:
    """Of every preset; `adventure` has none."""
    found = LINTED.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    explained = {
        (preset, severity, key)
        for preset, severity, keys in LINT_ROW.findall(found[1])
        for key in re.findall(r"`([a-z._]+)`", keys)
    }

    assert explained == {
        (preset, str(finding.severity), finding.where)
        for preset in Rules.presets()
        for finding in lint(Rules.preset(preset)).findings
    }
