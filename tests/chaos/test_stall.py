"""No client slows another: the attacks that are known, for a second each; `python -m chaos stall` runs all of them for longer.

The other client's 99th percentile stays below 50 ms, or five times its quiet one in the same run. Of several rounds, each on a
new server, one must hold: a test machine has other work, too.
"""

from collections.abc import Iterator
from typing import Final

import pytest

from chaos.observer import Latencies, with_missed
from chaos.servers import temporary_folder
from chaos.stall import StallRow, StallRun, best_of
from chaos.stall_attacks import Sizes, attacks_by_name
from chaos.stall_corpus import ExpensiveInput, pieces_of, read_corpus, worst_of_each_route

SHORT: Final = Sizes(spectators=400, live_matches=200, inputs_per_route=1)
"""Enough to break the bound where the work is done at once on the event loop."""
SECONDS: Final = 0.8
ROUNDS: Final = 3
MARGIN_OF_THREADS: Final = 4
"""What the bound is multiplied by here for attacks whose work is done in threads: they need cores, which other tests use, too."""
NAMES: Final = (
    "refused captures",
    "rules as TOML",
    "broadcast",
    "all known inputs",
    "search bots",
    "slow questions",
)


@pytest.fixture(scope="module")
def run() -> Iterator[StallRun]:
    with temporary_folder() as folder, StallRun(folder, seconds=SECONDS, rounds=ROUNDS, sizes=SHORT) as run:
        yield run


@pytest.mark.parametrize("name", NAMES)
def test_no_client_slows_another(name: str, run: StallRun) -> None:
    attack = attacks_by_name()[name]
    row = run.measure(attack)

    assert row.attacked.p99 < (MARGIN_OF_THREADS if attack.lingers else 1) * row.bound, row.line


def latencies(milliseconds: float) -> Latencies:
    """Return latencies that are all the same."""
    return Latencies.of([milliseconds / 1000])


@pytest.mark.parametrize(
    ("quiet", "attacked", "has_held"),
    [(1, 49, True), (1, 51, False), (20, 99, True), (20, 101, False)],
    ids=["below 50 ms", "above 50 ms", "below five times", "above five times"],
)
def test_the_bound_of_the_stall_test(quiet: float, attacked: float, has_held: bool) -> None:  # noqa: FBT001  a case
    row = StallRow(
        attack="a", observed="health", cost=0, quiet=latencies(quiet), attacked=latencies(attacked)
    )

    assert row.has_held == has_held


def test_the_best_round_counts() -> None:
    rows = [
        StallRow(attack=name, observed="health", cost=0, quiet=latencies(1), attacked=latencies(attacked))
        for name, attacked in (("first", 70), ("second", 20), ("third", 90))
    ]

    assert best_of(rows).attack == "second"


def test_a_stall_counts_as_all_requests_that_it_delays() -> None:
    """One wait of a second outweighs the hundred quick answers of the rest of a run: others would have asked meanwhile."""
    observed = Latencies.of([*with_missed(1.0, 0.004), *[0.001] * 100])

    assert observed.p50 > 0.2


def test_a_body_in_pieces_is_the_body() -> None:
    text = '{"toml":"x = [' + "1," * 9_000 + ']","é":"' + "♠" * 40 + '"}'
    pieces = pieces_of(text)
    one = ExpensiveInput(route="POST /x", path="/x", body=pieces, milliseconds=1)

    assert one.text == text
    assert len(pieces) < 10


def test_the_corpus_has_its_most_expensive_inputs_first() -> None:
    inputs = read_corpus()

    assert [*inputs] == sorted(inputs, key=lambda one: (one.route, -one.milliseconds, one.path))
    assert {one.route for one in worst_of_each_route(inputs, 1)} == {one.route for one in inputs}
