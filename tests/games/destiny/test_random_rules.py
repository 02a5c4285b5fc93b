"""Laws of random rules: every kind of deck, exchange, run and match."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oddsmith.bots import find_bot
from oddsmith.chance import Seeded
from oddsmith.game import Act, Await, Decide, Luck, Over
from oddsmith.games.destiny import GAME, Rules
from oddsmith.laws import check_game
from tests.games.destiny.strategies import rulesets

MOST_PLIES = 400


@pytest.mark.sweep
@settings(deadline=None, max_examples=5, suppress_health_check=[HealthCheck.too_slow])
@given(rules=rulesets(), seed=st.text("abc", max_size=8))
def test_every_law_holds_for_random_rules(rules: Rules, seed: str) -> None:
    """A law that is broken raises; one playout for each number of seats."""
    seats = GAME.seats(rules)

    assert check_game(GAME, rules, playouts=len(seats), outcomes=5, seed=seed).playouts == len(seats)
    assert rules == Rules.from_toml(rules.to_toml())


@pytest.mark.sweep
@settings(deadline=None, max_examples=4, suppress_health_check=[HealthCheck.too_slow])
@given(rules=rulesets(), seed=st.text("abc", max_size=8))
def test_greedy_plays_random_rules_to_their_end(rules: Rules, seed: str) -> None:
    """Whatever the deck, the exchanges and the match, it finds a legal action, and the game ends."""
    for seats in GAME.seats(rules):
        draw = Seeded(f"{seed} {seats}")
        bots = [find_bot("destiny", "greedy", rules, draw=draw, seat=seat) for seat in range(seats)]
        state = GAME.setup(rules, seats)
        for _ in range(MOST_PLIES):
            turn = GAME.turn(state)
            if isinstance(turn, Over):
                break
            if isinstance(turn, Await):
                state = GAME.step(state, Luck(turn.chance.sample(draw))).state
                continue
            assert isinstance(turn, Decide)
            seat = turn.seats[0]
            chosen = bots[seat](GAME.view(state, seat), GAME.actions(state, seat))
            state = GAME.step(state, Act(seat, chosen)).state

        assert isinstance(GAME.turn(state), Over)
