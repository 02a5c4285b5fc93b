"""§8.3, §8.4: the builds of the source document against each other."""

import re
from pathlib import Path

import pytest

from oddsmith.bot import BotSettings
from oddsmith.chance import Seeded
from oddsmith.driver import play
from oddsmith.games.duel import GAME, Fighter, Rules
from oddsmith.games.duel.bots import make_bot
from oddsmith.games.duel.model import SteadyPolicy
from oddsmith.games.duel.policies import POLICIES
from oddsmith.games.duel.policy_odds import PlayerOdds, compute_player_odds
from oddsmith.games.duel.rules import DeckKind

PAGE = Path(__file__).parents[3] / "docs" / "rules" / "duel.md"
OFFENSE, BALANCED, DEFENSE = (
    Rules.preset(f"{name}_build").player for name in ("offense", "balanced", "defense")
)
BUILDS: dict[str, tuple[SteadyPolicy, Fighter]] = {
    "offence": ("four_one", OFFENSE),
    "balanced": ("balanced", BALANCED),
    "defence": ("defensive", DEFENSE),
    "all in": ("all_attack", OFFENSE),
}


def odds_of(one: str, other: str, **changes: int) -> PlayerOdds:
    (first, gear), (second, other_gear) = BUILDS[one], BUILDS[other]
    rules = Rules(player=gear, rival=other_gear).replace(**changes)
    return compute_player_odds((POLICIES[first], POLICIES[second]), rules)


@pytest.mark.parametrize("one", BUILDS)
def test_8_4_the_table_of_builds_is_computed(one: str) -> None:
    """Every cell of the page."""
    found = re.search(
        rf"^\| {one}, `{BUILDS[one][0]}` \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert found is not None
    cells = [odds_of(one, other) for other in BUILDS]

    assert [f"{100 * odds.win:.2f}, {100 * odds.draw:.2f} drawn" for odds in cells] == found[1].split(" | ")


@pytest.mark.parametrize("one", BUILDS)
def test_8_4_chances_mirror_each_other_and_add_up(one: str) -> None:
    for other in BUILDS:
        odds, mirrored = odds_of(one, other, player_hp=30), odds_of(other, one, player_hp=30)

        assert abs(odds.win + odds.defeat + odds.draw - 1) <= 3 * odds.error
        assert abs(odds.win - mirrored.defeat) <= odds.error + mirrored.error


@pytest.mark.parametrize(("one", "other"), [("offence", "all in"), ("balanced", "all in")])
def test_8_4_played_duels_agree(one: str, other: str) -> None:
    """400 duels of the bots, move by move; a share is within 0.1 except in one of a thousand runs, and the seed is fixed."""
    (first, gear), (second, other_gear) = BUILDS[one], BUILDS[other]
    rules = Rules(player=gear, rival=other_gear, deck=DeckKind.FRESH)
    luck = Seeded("builds")
    bots = [
        make_bot(name, rules, BotSettings(draw=luck, seat=seat)) for seat, name in enumerate((first, second))
    ]
    ends = []
    for _ in range(400):
        *_, last = play(GAME, GAME.setup(rules, 2), bots, luck)
        assert last.after.result is not None
        ends.append(last.after.result.winner)
    odds = odds_of(one, other)

    assert odds.win == pytest.approx(ends.count(0) / 400, abs=0.1)
    assert odds.draw == pytest.approx(ends.count(None) / 400, abs=0.1)
