"""A bot in a seat knows what a player there would know, and its choices are reproducible."""

import pytest

from oddsmith.bots import bot_names
from oddsmith.errors import InputError
from oddsmith.match.bots import bot_choice, seat_bots
from oddsmith.match.fold import replay_log
from oddsmith.match.model import Applied
from oddsmith.match.proofs import bot_draw, luck_draw
from oddsmith.registry import mechanic_names
from tests.match.drivers import SEATS, MatchDriver


def test_every_quick_bot_can_take_a_seat() -> None:
    """All bots of all games, except for those that solve a game first."""
    slow = {game: {*bot_names(game)} - {*seat_bots(game)} for game in mechanic_names()}

    assert {"optimal"} == slow.pop("duel") == slow.pop("dice")
    assert {"destiny": set(), "fate": set(), "casino": set()} == slow


@pytest.mark.parametrize(
    ("game", "bot"), [(game, bot) for game in mechanic_names() for bot in seat_bots(game)]
)
def test_bots_play_to_the_end(game: str, bot: str) -> None:
    """Each choice is applied, and the same bots in the same match make the same choices again."""
    first, again = (MatchDriver(game, bots=(bot,) * SEATS[game]) for _ in range(2))
    for driver in (first, again):
        for reaction in driver.play():
            assert isinstance(reaction.answer, Applied)

    assert first.match.outcome is not None
    assert first.match == again.match == replay_log(first.match.log)


def test_bots_wait_only_when_they_must_choose() -> None:
    """Bots that must choose are listed, and never a player's seat."""
    driver = MatchDriver("duel", bots=(None, "random"))
    waiting = [driver.match.waiting_bots]
    driver.fill()
    waiting.append(driver.match.waiting_bots)
    driver.leave(0)
    waiting.append(driver.match.waiting_bots)

    assert [(), (1,), ()] == waiting


@pytest.mark.parametrize("seat", [0, 1])
def test_only_a_waiting_bot_can_be_moved(seat: int) -> None:
    """Neither a player's seat, nor a bot's when it need not choose."""
    driver = MatchDriver("duel", bots=(None, "random"))
    with pytest.raises(InputError) as caught:
        bot_choice(driver.match, seat)

    assert "no_waiting_bot" == caught.value.refusal.code


def test_a_bot_s_luck_is_independent_of_other_luck() -> None:
    """Its draws reveal nothing of the cards of that ply, nor of the draws of another bot."""
    match = MatchDriver("casino", bots=("random",) * 2).match
    draws = [bot_draw(match, 0), bot_draw(match, 1), luck_draw(match, match.plies + 1)]
    numbers = [draw.below(2**256) for draw in draws]

    assert 3 == len({*numbers})
    assert numbers[0] == bot_draw(match, 0).below(2**256)
