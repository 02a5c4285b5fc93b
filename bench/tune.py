"""Speed of tuning: seven thresholds and three contests."""

from collections.abc import Iterator

from bench.measure import Row, at_most, median
from oddsmith.balance.tuning.targets import Targets, parse_targets
from oddsmith.balance.tuning.tune import tune
from oddsmith.games.destiny import Rules

PROMISED = 5
ABLE = {"skills": {"lockpicking": 50, "stealth": 40}}
CRIMES = {
    "pickpocket": "85%",
    "petty_theft": "75%",
    "burglary": "60%",
    "stagecoach_robbery": "48%",
    "bank_robbery": "35%",
    "train_heist": "15%",
    "legendary_score": "5%",
}


def make_targets() -> Targets:
    """Return the targets: how often each crime succeeds, and that ten levels more win 60 to 65 %."""
    crimes = [
        {"figure": "check.success", "target": crime, "character": ABLE, "is": chance, "within": "1%"}
        for crime, chance in CRIMES.items()
    ]
    contests = [
        {
            "figure": "contest.win",
            "attacker": {"skills": {"gun_fighting": level + 10}},
            "defender": {"skills": {"gun_fighting": level}},
            "between": ["60%", "65%"],
        }
        for level in (10, 40, 70)
    ]
    changes = [
        {"key": "crimes.*.threshold", "least": 30, "most": 500, "step": 1, "keep_order": True},
        {"key": "curve_linear", "least": 0, "most": 2},
        {"key": "curve_exponent", "least": 1, "most": 2},
        {"key": "curve_coefficient", "least": 0, "most": "0.2", "step": "0.001"},
    ]
    return parse_targets({"targets": [*crimes, *contests], "change": changes}, Rules())


def rows() -> Iterator[Row]:
    """Yield the benchmark of tuning; all targets must be reached."""
    targets = make_targets()
    reached = tune(targets).reached
    row = at_most(
        "seven thresholds and three contests tuned", median(lambda: tune(targets), repeats=3), PROMISED
    )
    yield row._replace(held=row.held and reached)


if __name__ == "__main__":
    from bench.measure import format_rows

    print(format_rows(list(rows())))
