"""The result of a check (§2)."""

import pytest

from oddsmith.games.fate.checks import combine_values, judge
from oddsmith.games.fate.model import Result
from oddsmith.games.fate.rule_types import Combine, Target
from oddsmith.games.fate.rules import DEFAULT, Rules
from oddsmith.games.fate.triggers import read_trigger
from tests.games.fate.builders import refusal


@pytest.mark.parametrize(("how", "value"), [("sum", 5), ("best", 3), ("worst", 0)])
def test_2_2_value_of_three_cards(how: str, value: int) -> None:
    """3, 2 and 0: their sum, the best, the worst."""
    assert value == combine_values((3, 2, 0), Combine(how))


def test_2_4_result_of_a_check() -> None:
    """Value, modifier, total, success and trigger."""
    result = judge(("3♠", "A♥"), DEFAULT, modifier=-1, target=3, trigger=read_trigger("pair(spade, heart)"))

    assert Result(cards=("3♠", "A♥"), value=4, modifier=-1, total=3, success=True, triggered=True) == result


@pytest.mark.parametrize(("target", "success"), [(4, True), (5, True), (6, False), ("none", None)])
def test_2_4_a_check_succeeds_at_its_target(target: Target, success: bool | None) -> None:  # noqa: FBT001  a parametrised column
    """4 and a modifier of 1 reach 5; without a target the total is the result."""
    assert success is judge(("3♠", "A♥"), DEFAULT, modifier=1, target=target).success


def test_2_3_a_modifier_never_changes_a_trigger() -> None:
    """The sum of a trigger is that of the cards."""
    sixes = read_trigger("sum >= 6")

    assert judge(("3♠", "A♥"), DEFAULT, modifier=2, trigger=sixes).triggered is False


@pytest.mark.parametrize(("how", "value"), [("best", 3), ("worst", 1)])
def test_4_4_under_best_and_worst_a_trigger_uses_all_cards(how: str, value: int) -> None:
    """The value is that of one card; `pair` sees both."""
    result = judge(("A♥", "3♠"), Rules.preset(how), trigger=read_trigger("pair(spade, heart) and sum == 4"))

    assert (value, True) == (result.value, result.triggered)


def test_1_1_a_card_of_another_deck_is_refused() -> None:
    """The call has the default rules, and the card is in another composition."""
    assert "unknown_card" == refusal(lambda: judge(("3♠", "Sun"), DEFAULT)).code
