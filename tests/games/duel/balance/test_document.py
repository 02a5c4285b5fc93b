"""The checks find the mistakes of the Combat Duel's original document and none in the corrected one."""

from fractions import Fraction

from oddsmith.games.duel.rules import Rules
from tests.balance.examples import EXAMPLES, found_in_document, lint_example


def test_the_document_has_the_rules_of_the_example() -> None:
    """The numbers of the document are those of the preset."""
    document = Rules.read(str(EXAMPLES / "documents" / "duel.toml"))

    assert Rules.preset("example") == document


def test_gold_in_floating_point_and_the_flight_are_wrong_and_all_other_claims_are_right() -> None:
    """Difficulty 9 pays 462, 693 and 924, and a flight pays less experience than the defeat that it avoids."""
    wrong = [
        (one.evidence["figure"], one.evidence["said"], one.evidence["true"])
        for one in found_in_document("duel", "claim-wrong")
    ]

    assert [
        ("reward.gold", "461", 462),
        ("reward.gold", "692", 693),
        ("reward.gold", "923", 924),
        ("reward.experience", "at least 10", 5),
    ] == wrong


def test_all_defense_wins_at_every_difficulty_and_on_the_clock() -> None:
    """At difficulty 3 it wins all, a third of them on the clock; at 10, the hardest, 99.67 %."""
    wins = [
        one.evidence
        for one in found_in_document("duel", "strategy-always-wins")
        if one.evidence["strategy"] == "all_defense"
    ]

    assert [1, Fraction("0.9967")] == [round(one["wins"].value, 4) for one in wins]
    assert Fraction("0.3415") == round(wins[0]["ends"]["the clock"].value, 4)


def test_every_policy_that_ignores_the_cards_wins_the_example() -> None:
    """All attack, which the document calls a mistake, and a random split win it, too."""
    names = {one.evidence["strategy"] for one in found_in_document("duel", "strategy-always-wins")}

    assert {"all_attack", "all_defense", "random"} == names


def test_a_flight_is_paid_and_a_defeat_pays_more() -> None:
    """Both rewards are found, each at its key of the rules."""
    assert ["rewards.defeat_experience", "rewards.flee_experience"] == [
        one.where for one in found_in_document("duel", "pays-more-for-losing")
    ]


def test_most_levels_of_skill_have_no_effect() -> None:
    """No other effect is found to be idle."""
    assert ["skill_share"] == [one.where for one in found_in_document("duel", "no-effect")]


def test_the_corrected_document_silences_no_check() -> None:
    assert () == lint_example("corrected", "duel").silenced
