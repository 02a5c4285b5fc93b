"""The bot `greedy` of any game: it uses its view alone, looks one step ahead, and beats random players."""

from fractions import Fraction

import pytest

from oddsmith.bot import BotSettings, RandomBot
from oddsmith.chance import Scripted, Seeded
from oddsmith.defaults.greedy import GreedyBot, exact_values
from oddsmith.defaults.playout import make_player, play_out, win_share
from oddsmith.mechanic import Mechanic
from oddsmith.registry import find_mechanic
from tests.defaults.brute_force import example
from tests.mechanics.subjects import EXAMPLES, INSTALLED

PIG, KUHN, CAVE, HOLD = map(example, ("pig", "kuhn", "cave", "hold_and_draw"))


@pytest.mark.parametrize(
    ("mechanic", "settings", "games", "least"),
    [
        (PIG, (), 60, 0.8),
        (CAVE, ("richest=4", "hazards=1"), 20, 0.75),
        (HOLD, (), 24, 0.55),
    ],
    ids=["pig", "cave", "hold and draw"],
)
def test_it_beats_a_random_player(
    mechanic: Mechanic, settings: tuple[str, ...], games: int, least: float
) -> None:
    """From both seats in turn, over seeded games; with default rules 93 %, 82 % and 67 % of 200, 60 and 200 games."""
    game, won = mechanic.game, Fraction(0)
    start = game.setup(mechanic.rules_type().with_settings(settings), 2)
    for number in range(games):
        own, luck = number % 2, Seeded(number)
        bots = [GreedyBot(game, seat, luck) if seat == own else RandomBot(luck) for seat in range(2)]
        outcome = play_out(game, start, make_player(game, bots), luck).outcome
        won += win_share(outcome, own) if outcome else 0

    assert won / games > least


@pytest.mark.parametrize(("pot", "choice"), [(19, "roll"), (20, "hold"), (21, "hold")])
def test_pig_is_held_from_20_points_on(pot: int, choice: str) -> None:
    """A roll is worth 5/6 (pot + 4): more than the pot below 20; at 20 it is equal, and the first action is `roll`."""
    game = PIG.game
    state = game.state_type(rules=PIG.rules_type(), seats=2, scores=(30, 40), pot=pot)
    values = exact_values(game, 0, state, game.actions(state, 0))
    bot = PIG.find_bot("greedy").make(PIG.rules_type(), BotSettings(draw=Scripted(())))

    assert Fraction(5, 6) * (pot + 4) + 30 == values[0][0]
    assert pot + 30 == values[1][0]
    assert (choice if pot != 20 else "roll") == bot(state, game.actions(state, 0))


def test_values_are_exact_over_what_a_seat_can_know() -> None:
    """In Kuhn poker a king that calls a bet wins 2, and one that folds loses 1; a queen wins half of its calls."""
    game = KUHN.game
    start = game.setup(KUHN.rules_type(), 2)
    for deal, called in (("* J♠ | K♠", Fraction(1)), ("* J♠ | Q♠", Fraction(1, 2))):
        state = game.step(start, game.read(start, deal)).state
        state = game.step(state, game.read(state, "0 bet")).state
        fold, call = exact_values(game, 1, game.view(state, 1), game.actions(state, 1))

        assert (Fraction(0), Fraction(-1)) == fold
        assert (called, 4 * called - 2) == call


def test_a_single_action_needs_no_luck() -> None:
    """Nothing is drawn or played where there is no choice."""
    assert GreedyBot(HOLD.game, 0, Scripted(()))(None, ["only"]) == "only"


def test_it_is_offered_by_mechanics_that_declare_no_bots() -> None:
    assert [["random", "greedy"]] * len(EXAMPLES) == [[*mechanic.bots] for mechanic in EXAMPLES]
    assert all(mechanic._bots is not None for mechanic in INSTALLED)
    assert "greedy" not in Mechanic(PIG.game, bots=()).bots
    assert find_mechanic(INSTALLED[0].name).bots == INSTALLED[0].bots
