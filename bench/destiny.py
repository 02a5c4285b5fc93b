"""Speed of the Destiny Deck, compared with icepool's answer to the same question in the same run."""

import random
from collections.abc import Iterator, Mapping

from tests.games.destiny.referee import totals_by_icepool

from bench.measure import Row, at_least, at_most, command, median, process
from oddsmith.games.destiny.classes import hand_classes
from oddsmith.games.destiny.odds import contest_matrix, contest_odds, gang_odds, totals
from oddsmith.games.destiny.pairings import many_contests
from oddsmith.games.destiny.rules import DEFAULT, Character, GangScore
from oddsmith.games.destiny.scoring import character_bonuses

ODDS = ("destiny", "odds", "bank_robbery", "--skill", "lockpicking=50", "--skill", "stealth=40")


def rows() -> Iterator[Row]:
    """Yield the benchmarks of the Destiny Deck."""
    yield at_most("oddsmith --help, a fresh process", command(["--help"]), 0.3)
    yield at_most("oddsmith destiny odds …, a fresh process", command(ODDS), 0.5)
    yield at_most("import oddsmith, a fresh process", process(["-c", "import oddsmith"]), 0.1)
    yield at_most("class table, read from package data", median(hand_classes.__wrapped__, repeats=20), 0.05)
    trained = [Character(skills=skills) for skills in _skills(400)]
    fresh = iter(trained)
    yield at_most(
        "score distribution of a new character",
        median(lambda: totals(character_bonuses(next(fresh))), repeats=300),
        0.0002,
    )
    bonuses = [character_bonuses(character) for character in trained]
    pairs = iter(zip(bonuses[0:200], bonuses[200:400], strict=True))
    contest = median(lambda: contest_odds(*next(pairs)), repeats=150)
    yield at_most("contest", contest, 0.0003)
    yield from _compare_with_icepool(contest)
    yield at_most(
        "100 × 100 contests", median(lambda: contest_matrix(bonuses[:100], bonuses[100:200]), repeats=3), 0.3
    )
    many = [(attacker, defender) for attacker in bonuses[:100] for defender in bonuses[200:300]]
    yield at_most("10,000 contests, by tables", median(lambda: many_contests(many), repeats=3), 1)
    yield at_most(
        "gang war, average, 5 against 5, all different",
        median(lambda: gang_odds(bonuses[:5], bonuses[5:10]), repeats=7),
        0.1,
    )
    best = DEFAULT.replace(gang_score=GangScore.BEST)
    yield Row(
        "gang war, best 3, 5 against 5, all different",
        f"{median(lambda: gang_odds(bonuses[:5], bonuses[5:10], best), repeats=1):.2f} s",
        "(no bound)",
        held=True,
    )


def _skills(count: int) -> Iterator[Mapping[str, int]]:
    """Yield skills in each suit, all different and the same in every run."""
    dice = random.Random("bench")  # noqa: S311  not a secret
    for _ in range(count):
        yield {skill: dice.randint(1, 60) for skill in ("gun_fighting", "lockpicking", "charisma", "mining")}


def _compare_with_icepool(contest: float) -> Iterator[Row]:
    """Ask icepool the same question; the tests prove that both give the same fraction."""
    attacker, defender = Character(skills={"gun_fighting": 50}), Character(skills={"gun_fighting": 40})
    peer = median(
        lambda: (totals_by_icepool(attacker) > totals_by_icepool(defender)).probability(True), repeats=3
    )
    yield Row("contest, asked of icepool", f"{peer:.2f} s", "", held=True)
    yield at_least("contest, faster than icepool", peer / contest, 1000)
