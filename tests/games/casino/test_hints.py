"""Gains of a move are those of the engine (§5.1, §5.3)."""

import pytest

from oddsmith.bot import RandomBot
from oddsmith.chance import Seeded
from oddsmith.game import Act
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Moved
from oddsmith.games.casino.notation import read_action
from oddsmith.games.casino.rules import DEFAULT, Rules, Scoring
from oddsmith.games.casino.scoring import Gain, final_scores, gain
from oddsmith.records import play
from tests.games.casino.tables import SHORT, TRADITIONAL, rules_with, table

SURE_ONLY = Scoring(most_cards=0, most_spades=0)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("A♠xA♥", Gain(points=2, cards=2, spades=1)),
        ("10♥x10♦", Gain(points=2, cards=2)),
        ("3♣x[A♦2♠]", Gain(points=2, cards=3, spades=1)),
        ("3♣", Gain()),
        ("3♣+4♥=7", Gain()),
        ("A♠+3♣x4♥", Gain(points=1, cards=3, spades=1)),
    ],
)
def test_5_3_a_move_gains_its_sure_points_cards_and_spades(line: str, expected: Gain) -> None:
    """Aces 1, 10♦ 2, 2♠ 1; cards laid down gain nothing."""
    state = table("A♥ 4♥ 10♦ K♣", "A♠ 3♣ 10♥", builds=["A♦ 2♠ of 1"])

    assert expected == gain(read_action(line, state), GAME.view(state, 0))


@pytest.mark.parametrize(("points", "expected"), [(1, 1), (5, 5)])
def test_5_1_a_capture_of_the_whole_table_gains_a_sweep(points: int, expected: int) -> None:
    """Builds included, with the points of the rules."""
    state = table("7♥", "7♠", builds=["3♥ 4♦ of 1"], rules=rules_with(capture_targets=2, sweep_points=points))

    assert Gain(expected, 4, 1, sweep=True) == gain(read_action("7♠x7♥,[3♥4♦]", state), GAME.view(state, 0))
    assert not gain(read_action("7♠x7♥", state), GAME.view(state, 0)).sweep


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rules", [DEFAULT, SHORT, TRADITIONAL], ids=["default", "short", "traditional"])
def test_5_3_the_gain_agrees_with_the_engine(rules: Rules, players: int) -> None:
    """Move after move of a random game: the same cards, the same sweep, the same growth of sure points."""
    luck = Seeded(f"gain {players}")
    sure = rules.replace(
        scoring_full=SURE_ONLY,
        scoring_short_two=SURE_ONLY,
        scoring_short_more=SURE_ONLY,
    )
    for ply in play(GAME, GAME.setup(sure, players), [RandomBot(luck)] * players, luck):
        if isinstance(ply.move, Act) and not ply.after.is_over:
            seat = ply.move.seat
            moved = next(event for event in ply.events if isinstance(event, Moved))
            before, after = (
                final_scores(state.piles, state.sweeps, sure)[seat] for state in (ply.before, ply.after)
            )

            assert Gain(
                after.points - before.points, len(moved.taken), after.spades - before.spades, moved.sweep
            ) == gain(ply.move.action, GAME.view(ply.before, seat))
