"""Laws of Casino: over thousands of games no card is lost, there is always a move, and every game ends well."""

import pytest

from oddsmith.games.casino import kernel
from oddsmith.games.casino.compiler import Core, fastest_core
from oddsmith.games.casino.encoding import encode_rules, new_moves
from oddsmith.games.casino.kernel import MoveList
from oddsmith.games.casino.rules import DEFAULT, Rules
from tests.games.casino import watch
from tests.games.casino.kernels import setup
from tests.games.casino.samples import RULES

GAMES = 2_300
PRESETS = ["seed", "short", "traditional"]


def watched(rules: Rules, players: int, games: int, core: Core) -> int:
    """Return which law was broken over so many games."""
    space = watch.WorkSpace(
        state=core.zeros(kernel.STATE), before=core.zeros(kernel.STATE), moves=new_moves(core)
    )
    broken: int = core.functions.watch_games(games, 2_463_534_242, setup(rules, players, core), space)
    return broken


def test_20_000_games_keep_the_laws() -> None:
    """Every card once in every state, always a move, always an end, sweeps and last captures right: 20,700 games."""
    core = fastest_core(watch)

    for preset in PRESETS:
        for players in (2, 3, 4):
            assert watch.ALL_IS_WELL == watched(Rules.preset(preset), players, GAMES, core)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_of_other_rules_keep_the_laws(rules: Rules, players: int) -> None:
    """With every switch thrown, in plain Python."""
    assert watch.ALL_IS_WELL == watched(rules, players, 10, Core(watch, is_compiled=False))


def test_the_watch_sees_what_is_wrong() -> None:
    """A card too many, a sweep too few, a wrong last capture, pile or build are seen."""
    state = [0] * kernel.STATE
    state[kernel.PLAYERS], state[kernel.LAST] = 2, kernel.NOBODY
    state[kernel.LOOSE], state[kernel.HANDS] = 1 << 24, 1 << 25
    after = list(state)
    move = MoveList([kernel.CAPTURE | 25 << 3 | kernel.NO_CARD << 9], [1 << 24], [0], [], [])
    kernel.apply_move(after, encode_rules(DEFAULT), move, 0)
    wrong = {
        kernel.SWEEPS: watch.WRONG_SWEEP,
        kernel.LAST: watch.WRONG_LAST,
        kernel.PILES: watch.WRONG_PILE,
        kernel.HANDS: watch.WRONG_PILE,
    }

    assert watch.ALL_IS_WELL == watch.law_broken(state, after, move, 0)
    for place, law in wrong.items():
        spoilt = list(after)
        spoilt[place] += 2
        assert law == watch.law_broken(state, spoilt, move, 0)
    assert watch.has_all_cards(after, [24, 25])
    assert not watch.has_all_cards(after, [24, 25, 26])
