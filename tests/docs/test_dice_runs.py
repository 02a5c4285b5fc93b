"""The findings about runs of Dice Hands: a few of their numbers are computed again."""

from oddsmith.games.dice import Build, PoolDie
from oddsmith.games.dice.odds import plan_rerolls
from oddsmith.games.dice.scoring import hand_points, total_points
from tests.docs.scripts import load_script, tables_of_findings

FINDINGS = load_script("bench", "dice_findings.py")
TEXT: str = FINDINGS.PAGE.read_text(encoding="utf-8")


def test_the_page_has_exactly_the_generated_tables() -> None:
    assert set(FINDINGS.TABLES) == set(tables_of_findings(TEXT))


def test_the_highest_score_is_as_written() -> None:
    """Ten wild dice make a pyramid of at most 58,962, which wins round 25 and no later one."""
    ceiling: str = FINDINGS.ceiling()

    assert "| 10 | pyramid | 58,962 | 25 |" in ceiling
    assert ceiling in TEXT


def test_no_build_wins_round_26() -> None:
    """Ten sixes in a pyramid, with the bonus of ten glass dice, would score 61,662: the target is 72,511."""
    rules = FINDINGS.ENDLESS
    most_bonus = max(
        kind.bonus + kind.bonus_per_level * rules.most_die_level for kind in rules.kinds.values()
    )
    best_hand = max(
        hand_points(hand, rules.upgrades.most_levels, 6 * rules.most_dice, rules)
        for hand in rules.hands.values()
    )
    flat = sum(item.flat for item in rules.items.values())
    counted = max(item.multiplier for item in rules.items.values()) * rules.most_dice
    bound = total_points(best_hand, most_bonus * rules.most_dice + flat, counted)

    assert 61_662 == bound
    assert 72_511 == rules.target(26)


def test_the_first_round_is_compared_with_best_play() -> None:
    """Five dice with three rerolls reach 40 with 99.5591 %."""
    start = Build(dice=(PoolDie("normal"),) * 5)
    best = float(plan_rerolls(start, 3, target=40).start_value(3))

    assert "99.5591" == f"{100 * best:.4f}"
    assert "best play is solved: 99.5591 %." in TEXT
