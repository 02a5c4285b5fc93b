"""Compiled modules agree with their source, write within their buffers, and are optional."""

import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from functools import cache
from inspect import isfunction
from itertools import count
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import numba
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core.compiler_lock import global_compiler_lock

from oddsmith.games.casino import kernel, playouts
from oddsmith.games.casino.compiler import Core, _digest, compile_module, fastest_core, is_cached, mark_cached
from oddsmith.games.casino.encoding import (
    decode_cards,
    encode_rules,
    encode_scoring,
    encode_state,
    new_move_lists,
    new_moves,
)
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.kernel import MoveList, MoveLists
from oddsmith.games.casino.model import Build, State
from oddsmith.games.casino.moves import deal_cards, legal_moves
from oddsmith.games.casino.playouts import Levels
from oddsmith.games.casino.rules import DEFAULT, MOST_JOINT_CAPTURES, MOST_VALUE, Rules
from oddsmith.thread_limit import LimitError, run_with_limit
from tests.games.casino.kernels import encode_move, kernel_moves, make_setup, move_list
from tests.games.casino.strategies import tables

PLAIN = Core(playouts, is_compiled=False)
DEPTH = 3
OPEN = Rules(capture_targets=10, capture_own_builds=True, extend_own_builds=True)
ONE_TARGET = OPEN.replace(capture_targets=1)


@pytest.fixture(scope="module")
def compiled_core() -> Core:
    return fastest_core(playouts)


class Call(NamedTuple):
    """A function by its name, and its arguments: numbers, lists, named tuples of these, or buffers for moves."""

    name: str
    given: list[Any]


class Buffers(Enum):
    """Buffers for the moves of a table, or of a table at each of some levels; their contents are not compared."""

    MOVES = auto()
    LISTS = auto()


def run_call(core: Core, call: Call) -> tuple[Any, list[Any]]:
    """Return the result of a function and its arguments afterwards, with the moves if it generates them."""
    source = kernel if hasattr(kernel, call.name) else playouts
    function = getattr(compile_module(source) if core.is_compiled else source, call.name)
    rows = [_make_argument(core, part) for part in call.given]
    returned = function(*rows)
    left = [
        _to_lists(row) for row, part in zip(rows, call.given, strict=True) if not isinstance(part, Buffers)
    ]
    if call.name == "generate_moves":
        left += [_to_lists(row)[:returned] for row in _moves(core)[:3]]
    return _to_lists(returned), left


@cache
def _moves(core: Core) -> MoveList:
    return new_moves(core)


@cache
def _lists(core: Core) -> MoveLists:
    return new_move_lists(core, DEPTH)


def _make_argument(core: Core, part: Any) -> Any:  # noqa: ANN401  any argument
    """Return an argument in the types of the core."""
    if isinstance(part, Buffers):
        return _moves(core) if part is Buffers.MOVES else _lists(core)
    if isinstance(part, tuple):
        return type(part)(*(_make_argument(core, field) for field in part))
    if not isinstance(part, list):
        return part
    if not part or not isinstance(part[0], list):
        return core.row(part)
    rows: Any = core.zeros(len(part), len(part[0]))
    for row, filled in zip(rows, part, strict=True):
        row[:] = filled
    return rows


def _to_lists(part: Any) -> Any:  # noqa: ANN401  any argument
    """Return an argument in lists, without the buffers for moves."""
    if isinstance(part, MoveLists):
        return None
    if isinstance(part, tuple):
        return [_to_lists(field) for field in part]
    return part.tolist() if hasattr(part, "tolist") else part


def calls(state: State, luck: Random) -> Iterator[Call]:
    """Yield a call of every function of the kernel and of the playouts, for one table."""
    row, rules = encode_state(state), encode_rules(state.rules)
    scoring = encode_scoring(state.rules, state.players)
    yield Call("generate_moves", [row, rules, Buffers.MOVES])
    chosen = encode_move(luck.choice(kernel_moves(state)))
    yield Call("apply_move", [row, rules, chosen, 0])
    yield Call("next_turn", [row])
    yield Call("clear_table", [row])
    yield Call("copy_state", [row, [0] * kernel.STATE])
    yield Call("count_cards", [row[kernel.LOOSE]])
    for seat in range(state.players):
        yield Call("card_points", [row[kernel.PILES + seat], scoring])
        yield Call("seat_points", [row, scoring, seat])
        yield Call("standing", [row, scoring, seat])
    games: Any = make_setup(state.rules, state.players, PLAIN)
    start, deck, each, to_table = games.start, games.deck, games.each, games.to_table
    fortune = luck.randrange(1, 2**32)
    yield Call("next_luck", [fortune])
    yield Call("shuffle", [deck, fortune])
    yield Call("deal_cards", [start, deck, each, to_table])
    yield Call("play_games", [2, fortune, games, [0] * kernel.STATE, Buffers.MOVES])
    luck.shuffle(deck)
    kernel.deal_cards(start, deck, each, to_table)
    yield Call("play_out", [start, games, fortune, Buffers.MOVES])
    states = [start, *([0] * kernel.STATE for _ in range(DEPTH - 1))]
    yield Call("count_lines", [0, DEPTH, games, Levels(states, Buffers.LISTS)])  # type: ignore[arg-type]  # rows are made of them


@pytest.mark.sweep
@settings(max_examples=25)
@given(tables(most_loose=10), st.randoms(use_true_random=False))
def test_every_compiled_function_agrees_with_its_source(state: State, luck: Random) -> None:
    """It returns the same and leaves the same in all its rows."""
    for call in calls(state, luck):
        assert run_call(PLAIN, call) == run_call(fastest_core(playouts), call), call.name


def test_every_function_is_compared() -> None:
    """No public function of the kernel or of the playouts is left out."""
    state = GAME.setup(DEFAULT, 2)
    dealt = deal_cards(state, (DEFAULT.cards[:4], DEFAULT.cards[4:8]), DEFAULT.cards[8:12])

    public = {
        name
        for module in (kernel, playouts)
        for name, value in vars(module).items()
        if isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_")
    }

    # `moves_at` selects a part of the buffers and computes nothing.
    assert public - {"moves_at"} == {call.name for call in calls(dealt, Random(0))}


# --- buffer sizes ----------------------------------------------------------------------------------------------------


def count_sets_by_sum() -> list[int]:
    """Return the number of sets of the 52 cards for each sum up to ten."""
    ways = [1] + [0] * MOST_VALUE
    for value in kernel.VALUES:
        for total in range(MOST_VALUE, value - 1, -1):
            ways[total] += ways[total - value]
    return ways


def full_table(hand: Iterable[int], *, builds: int = 0, rules: Rules = OPEN) -> State:
    """Return a table with these cards in hand, `builds` builds of the lowest others, and all the rest loose."""
    held = set(hand)
    others = [card for card in range(kernel.CARDS) if card not in held]
    stacked = [others[2 * place : 2 * place + 2] for place in range(builds)]
    return State(
        rules=rules,
        hands=(_decode_numbers(held), ()),
        loose=_decode_numbers(others[2 * builds :]),
        builds=tuple(
            Build(_decode_numbers(pair), sum(kernel.VALUES[card] for card in pair), 1) for pair in stacked
        ),
        piles=((), ()),
        sweeps=(0, 0),
        stock=(),
        deal=1,
    )


def _decode_numbers(numbers: Iterable[int]) -> tuple[Any, ...]:
    return decode_cards(sum(1 << number for number in numbers))


TENS = range(36, 52)
WORST = {
    "two pictures, all else loose": full_table(TENS[-2:]),
    "thirteen of ten, all else loose": full_table(TENS[-13:], rules=ONE_TARGET),
    "four aces, all else loose": full_table(range(4)),
    "two of each low card, all else loose": full_table(range(0, 26, 2)),
    "thirteen of ten, the low cards in builds": full_table(TENS[-13:], builds=6),
    "four of ten, as many builds as cards make": full_table(TENS[-4:], builds=24),
    "all cards of eight, nine and ten, all else loose": full_table(range(28, 52), rules=ONE_TARGET),
}


def test_the_sets_of_loose_cards_fit_the_buffers() -> None:
    """All 52 cards have 4,010 sets of two and more that add up to at most ten; all are written where all are loose."""
    row = [0] * kernel.STATE
    row[kernel.LOOSE], row[kernel.PLAYERS] = (1 << kernel.CARDS) - 1, 2
    moves = move_list(moves=0)
    kernel.generate_moves(row, encode_rules(OPEN), moves)

    assert (
        sum(count_sets_by_sum()[1:]) - kernel.CARDS
        == 4_010
        == sum(map(bool, moves.groups))
        < kernel.MOST_GROUPS
    )


def test_4_8_the_moves_of_thirteen_cards_fit_the_buffers() -> None:
    """Thirteen cards have at most 35,325 moves, even with all cards loose and all possible builds."""
    ways = count_sets_by_sum()
    alone = sorted(
        (ways[value] + sum(ways[1 : MOST_VALUE - value + 1]) for value in kernel.VALUES), reverse=True
    )
    pairs = 13 * 12 // 2
    most = (
        sum(alone[:13])
        + 13 * (2 * kernel.MOST_BUILDS + 3 + MOST_JOINT_CAPTURES)
        + pairs * (len(TENS) + kernel.MOST_BUILDS)
    )

    assert 35_325 == most < kernel.MOST_MOVES


@pytest.mark.sweep
@pytest.mark.parametrize("state", WORST.values(), ids=WORST.keys())
def test_4_8_the_worst_tables_fit_the_buffers(state: State, compiled_core: Core) -> None:
    """No possible table writes past the end of the rows; a list would raise an error."""
    row, rules, lists = encode_state(state), encode_rules(state.rules), move_list()
    written = kernel.generate_moves(row, rules, lists)
    arrays: Any = MoveList(
        *(compiled_core.row([-1] * (kernel.MOST_MOVES + 10_000)) for _ in range(3)),
        *(compiled_core.row([-1] * (kernel.MOST_GROUPS + 1_000)) for _ in range(2)),
    )
    compiled = compiled_core.functions.generate_moves(compiled_core.row(row), rules, arrays)

    assert written == compiled <= kernel.MOST_MOVES
    for expected, array in zip(lists[:3], arrays[:3], strict=True):
        assert list(expected)[:written] == array[:written].tolist()
        assert (array[kernel.MOST_MOVES :] == -1).all()
    for array in arrays[3:]:
        assert (array[kernel.MOST_GROUPS :] == -1).all()


def test_4_8_joined_captures_fit_the_buffers() -> None:
    """Where a card has more than 500 captures of several targets, at most 500 are written before they are dropped."""
    one = full_table([51], rules=OPEN)
    single = len(legal_moves(full_table([51], rules=ONE_TARGET)))
    rows = move_list(single + MOST_JOINT_CAPTURES)

    assert single == kernel.generate_moves(encode_state(one), encode_rules(OPEN), rows)
    assert 0 != rows[0][-2]


def test_2_2_the_possible_builds_fit_the_buffers() -> None:
    """Every build has two cards or more, so 52 cards make 26 builds at most."""
    row = encode_state(full_table([51], builds=25))
    moves = move_list(100)
    found = kernel.generate_moves(row, encode_rules(OPEN), moves)

    assert kernel.MOST_BUILDS == kernel.CARDS // 2
    assert 25 == row[kernel.BUILDS]
    assert {kernel.CAPTURE, kernel.TRAIL} >= {head & 7 for head in list(moves.heads)[:found]}


# --- without a compiler ----------------------------------------------------------------------------------------------

COUNT = """
from oddsmith.games.casino import playouts
from oddsmith.games.casino.compiler import fastest_core
from oddsmith.games.casino.perft import count_perft
from oddsmith.games.casino.rules import Rules
print(fastest_core(playouts).is_compiled, count_perft(Rules().cards, Rules(), players=2, depth=4))
"""


def count_in_process(source: str = COUNT, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", source],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_a_variable_turns_the_compiler_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """`ODDSMITH_COMPILED=0` uses the module as it is, and its rows are lists."""
    monkeypatch.setenv("ODDSMITH_COMPILED", "0")

    assert PLAIN == fastest_core(playouts)
    assert [1, 2] == PLAIN.row((1, 2))
    assert [[0, 0, 0], [0, 0, 0]] == PLAIN.zeros(2, 3)


def test_without_numba_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module is used as it is where numba cannot be imported."""
    monkeypatch.setitem(sys.modules, "numba", None)

    assert PLAIN == fastest_core(playouts)


def test_a_process_without_numba_counts_the_same() -> None:
    """The lines of play are the same."""
    blocked = f"import sys; sys.modules['numba'] = None\n{COUNT}"

    assert f"False {count_four_plies()}" == count_in_process(blocked)


def test_with_numba_disabled_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """With `NUMBA_DISABLE_JIT=1` the module is used as it is, and counts the same lines of play."""
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)

    assert PLAIN == fastest_core(playouts)
    assert f"False {count_four_plies()}" == count_in_process(NUMBA_DISABLE_JIT="1")


def count_four_plies() -> int:
    from oddsmith.games.casino.perft import count_perft  # noqa: PLC0415  the oracle of two tests

    return count_perft(DEFAULT.cards, DEFAULT, players=2, depth=4, core=PLAIN)


# --- the cache of compiled code --------------------------------------------------------------------------------------

TOY = """
from typing import Final

PLACES: Final = (3, 1, 2)


def lengths(number):
    return 100 * number.bit_length() + number.bit_count()


def place(number):
    return PLACES[number] + 0
"""
USER = "from {toy} import lengths\n\n\ndef double(number):\n    return 2 * lengths(number)\n"
NUMBERS = count()


class ToyModules:
    """Small modules in their own folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, source: str, name: str) -> None:
        (self.folder / f"{name}.py").write_text(source, encoding="utf-8")

    def load(self, name: str) -> ModuleType:
        """Return a module, executed again."""
        spec = importlib.util.spec_from_file_location(name, self.folder / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module

    def make(self, source: str = TOY) -> ModuleType:
        name = f"toy_{next(NUMBERS)}"
        self.write(source, name)
        return self.load(name)


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ToyModules]:
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    folder = tmp_path / "toys"
    folder.mkdir()
    yield ToyModules(folder)
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", "")).startswith(str(folder)):
            del sys.modules[name]


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_bit_methods_are_compiled(toys: ToyModules) -> None:
    """Compiled code has the methods `bit_length` and `bit_count` of whole numbers from 0."""
    toy = toys.make()
    numbers = [0, 1, 2, 3, 2**31, 2**51 - 1, 2**51, 2**63 - 1]

    assert [toy.lengths(number) for number in numbers] == [
        compile_module(toy).lengths(number) for number in numbers
    ]


def test_tuples_of_numbers_are_compiled_as_arrays(toys: ToyModules) -> None:
    """The source keeps its tuple."""
    toy = toys.make()

    assert [3, 1, 2] == [compile_module(toy).place(number) for number in range(3)]
    assert [3, 1, 2] == compile_module(toy).PLACES.tolist()
    assert (3, 1, 2) == toy.PLACES


def test_machine_code_is_cached(toys: ToyModules, tmp_path: Path) -> None:
    """Compiled code is read from the cache afterwards; numba's own settings do not change."""
    config: Any = numba.config
    before = config.CACHE_DIR
    toy = toys.make()
    compile_module(toy).lengths(5)
    again = compile_module(toys.load(toy.__name__))

    assert 302 == again.lengths(5)
    assert 1 == sum(again.lengths.stats.cache_hits.values())
    assert files_in(tmp_path / "cache" / "compiled" / _digest(toy))
    assert before == config.CACHE_DIR


def test_a_module_is_cached_once_it_is_marked(toys: ToyModules, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until its source changes; without a cache never, and always where nothing is compiled."""
    toy = toys.make()
    before = is_cached(toy)
    mark_cached(toy)
    after = is_cached(toy)
    Path(str(toy.__file__)).write_text(Path(str(toy.__file__)).read_text() + "# changed\n")
    changed = is_cached(toy)
    monkeypatch.setenv("ODDSMITH_CACHE", "")
    mark_cached(toy)
    without = is_cached(toy)
    monkeypatch.setenv("ODDSMITH_COMPILED", "0")

    assert (False, True, False, False, True) == (before, after, changed, without, is_cached(toy))


def test_a_time_limit_waits_for_the_lock_of_the_compiler(toys: ToyModules) -> None:
    """Whoever is interrupted with the lock would leave it locked for all threads."""
    compile_module(toys.make())
    done = []

    def work() -> None:
        with global_compiler_lock:
            until = time.perf_counter() + 0.1
            while time.perf_counter() < until:
                pass
            done.append("compiled")
        while True:
            pass

    with pytest.raises(LimitError):
        run_with_limit(work, seconds=0.01)

    assert ["compiled"] == done
    assert not global_compiler_lock.is_locked()  # type: ignore[no-untyped-call]  # numba is not typed


def test_with_an_empty_cache_variable_no_file_is_written(
    toys: ToyModules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `ODDSMITH_CACHE` empty the code is compiled for this process only."""
    monkeypatch.setenv("ODDSMITH_CACHE", "")
    toy = toys.make()

    assert 302 == compile_module(toy).lengths(5)
    assert [Path(str(toy.__file__))] == files_in(tmp_path)


def test_an_unwritable_cache_is_ignored(toys: ToyModules, tmp_path: Path) -> None:
    """No file is written there or elsewhere."""
    (tmp_path / "cache").write_text("no folder")
    toy = toys.make()

    assert 302 == compile_module(toy).lengths(5)
    assert {Path(str(toy.__file__)), tmp_path / "cache"} == set(files_in(tmp_path))


def test_other_sources_have_another_cache_name(toys: ToyModules) -> None:
    """Changes of sources or numbers, its own or those it calls, change the name."""
    toy = toys.make()
    user = toys.make(USER.format(toy=toy.__name__))
    names = [_digest(user)]
    toys.write(TOY + "\n\n# anything\n", toy.__name__)
    names.append(_digest(user))
    toys.write(USER.format(toy=toy.__name__) + "\n\n# anything\n", user.__name__)
    names.append(_digest(user))
    vars(user)["LIMIT"] = 7
    names.append(_digest(user))
    vars(user)["PLACES"] = (1, 2)
    names.append(_digest(user))

    assert 5 == len(set(names))
    assert _digest(user) == names[-1]


def test_a_compiled_module_calls_compiled_functions_of_others(toys: ToyModules) -> None:
    """It calls the compiled versions of functions that its source imports."""
    toy = toys.make()
    user = compile_module(toys.make(USER.format(toy=toy.__name__)))

    assert 604 == user.double(5)
    assert compile_module(toy).lengths is user.lengths


PAIR = "from typing import NamedTuple\n\n\nclass Pair(NamedTuple):\n    first: int\n    second: int\n"
PAIRS = """
from {pair} import Pair


def total(pair):
    return _swapped(pair).second + 10 * pair.second


def _swapped(pair):
    return Pair(pair.second, pair.first)
"""


def test_named_tuples_are_those_of_the_source(toys: ToyModules) -> None:
    """Compiled code takes and returns named tuples of the Python class, wherever it is defined."""
    pair = toys.make(PAIR)
    user = toys.make(PAIRS.format(pair=pair.__name__))

    assert pair.Pair is compile_module(user).Pair
    assert pair.Pair is compile_module(pair).Pair
    assert 43 == compile_module(user).total(pair.Pair(3, 4)) == user.total(pair.Pair(3, 4))


def test_other_named_tuples_have_another_cache_name(toys: ToyModules) -> None:
    """The module of the named tuples is part of the name."""
    pair = toys.make(PAIR)
    user = toys.make(PAIRS.format(pair=pair.__name__))
    before = _digest(user)
    toys.write(PAIR.replace("first: int\n    second: int", "second: int\n    first: int"), pair.__name__)

    assert before != _digest(user)


def test_a_module_without_a_source_is_not_compiled() -> None:
    """A module without a file is refused."""
    with pytest.raises(ImportError, match="the source of nowhere cannot be found"):
        compile_module(ModuleType("nowhere"))
