"""Laws of Casino over thousands of games: no card is lost, there is always a move, and every game ends."""

import pytest

from oddsmith.games.casino import kernel
from oddsmith.games.casino.compiler import Core, fastest_core
from oddsmith.games.casino.encoding import encode_rules, new_moves
from oddsmith.games.casino.kernel import MoveList
from oddsmith.games.casino.rules import DEFAULT, Rules
from tests.games.casino import law_checks
from tests.games.casino.kernels import make_setup
from tests.games.casino.samples import RULES

GAMES = 2_300
PRESETS = ["seed", "short", "traditional"]


def find_broken_law(rules: Rules, players: int, games: int, core: Core) -> int:
    """Return the number of the law that was broken in `games` games, 0 for none."""
    space = law_checks.GameBuffers(
        state=core.zeros(kernel.STATE), before=core.zeros(kernel.STATE), moves=new_moves(core)
    )
    broken: int = core.functions.check_games(games, 2_463_534_242, make_setup(rules, players, core), space)
    return broken


@pytest.mark.sweep
def test_20_000_games_keep_the_laws() -> None:
    """Every card once in every state, always a move, always an end, sweeps and last captures right: 20,700 games."""
    core = fastest_core(law_checks)

    for preset in PRESETS:
        for players in (2, 3, 4):
            assert law_checks.ALL_IS_WELL == find_broken_law(Rules.preset(preset), players, GAMES, core)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_of_other_rules_keep_the_laws(rules: Rules, players: int) -> None:
    """With every switch changed, in plain Python."""
    assert law_checks.ALL_IS_WELL == find_broken_law(rules, players, 10, Core(law_checks, is_compiled=False))


def test_the_checks_detect_broken_states() -> None:
    """A card too many, a missing sweep, a wrong last capture, pile or build."""
    state = [0] * kernel.STATE
    state[kernel.PLAYERS], state[kernel.LAST] = 2, kernel.NOBODY
    state[kernel.LOOSE], state[kernel.HANDS] = 1 << 24, 1 << 25
    after = list(state)
    move = MoveList([kernel.CAPTURE | 25 << 3 | kernel.NO_CARD << 9], [1 << 24], [0], [], [])
    kernel.apply_move(after, encode_rules(DEFAULT), move, 0)
    wrong = {
        kernel.SWEEPS: law_checks.WRONG_SWEEP,
        kernel.LAST: law_checks.WRONG_LAST,
        kernel.PILES: law_checks.WRONG_PILE,
        kernel.HANDS: law_checks.WRONG_PILE,
    }

    assert law_checks.ALL_IS_WELL == law_checks.broken_law(state, after, move, 0)
    for place, law in wrong.items():
        spoilt = list(after)
        spoilt[place] += 2
        assert law == law_checks.broken_law(state, spoilt, move, 0)
    assert law_checks.has_all_cards(after, [24, 25])
    assert not law_checks.has_all_cards(after, [24, 25, 26])
