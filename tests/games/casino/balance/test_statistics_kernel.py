"""Games of the statistics kernel are games of the engine, deck by deck, compiled or not."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.cards import Card
from oddsmith.game import Act
from oddsmith.games.casino import encoding, kernel, playouts, statistics_kernel
from oddsmith.games.casino.bots import Greedy
from oddsmith.games.casino.compiler import Core, compile_module
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.game_statistics import Habit, collect_statistics
from oddsmith.games.casino.model import Ended, Moved, MoveKind, number_of
from oddsmith.games.casino.perft import next_deal
from oddsmith.games.casino.rules import DEFAULT, Rules
from oddsmith.games.casino.scoring import PARTS, score_parts, winning_seats
from tests.games.casino.kernels import move_list
from tests.games.casino.strategies import tables

PLAIN = Core(statistics_kernel, is_compiled=False)
LUCK = 77
KINDS = tuple(MoveKind)
OPEN = Rules(
    capture_targets=4, capture_own_builds=True, extend_own_builds=True, extension_takes_ownership=True
)


def shuffle_deck(rules: Rules) -> tuple[Card, ...]:
    numbers = [number_of(card) for card in rules.cards]
    playouts.shuffle(numbers, LUCK)
    return tuple(encoding.decode_cards(1 << number)[0] for number in numbers)


def rotate_hands(deck: Sequence[Card], players: int, rules: Rules, further: int) -> list[Card]:
    """Return the deck with the hands of every deal moved `further` seats on."""
    left, dealt, deal = list(deck), [], 1
    while left:
        *sizes, to_table = rules.deal_sizes(players, deal)
        hands = [[left.pop(0) for _ in range(size)] for size in sizes]
        for seat in range(players):
            dealt += hands[(seat - further) % players]
        dealt += [left.pop(0) for _ in range(to_table)]
        deal += 1
    return dealt


def greedy_game(deck: Sequence[Card], players: int, rules: Rules) -> Iterator[object]:
    """Yield the events of a game among greedy bots, through the engine."""
    state = GAME.setup(rules, players)
    while not state.is_over:
        if not state.is_dealt:
            state = next_deal(state, deck)
        seat = state.turn
        choice = Greedy()(GAME.view(state, seat), GAME.actions(state, seat))
        step = GAME.step(state, Act(seat, choice))
        for event in step.events:
            if isinstance(event, Moved) and event.move.kind in (MoveKind.CAPTURE, MoveKind.TWO_CARD_CAPTURE):
                for place in event.move.builds:
                    yield "by owner" if state.builds[place].owner == seat else "by others"
            yield event
        state = step.state
    yield score_parts(state.piles, state.sweeps, rules)


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        (DEFAULT, 2),
        (DEFAULT, 3),
        (OPEN, 2),
        (OPEN.replace(two_card_capture=False), 4),
        (Rules.preset("short"), 2),
        (Rules.preset("short"), 3),
    ],
    ids=["default, 2", "default, 3", "open, 2", "open without two cards, 4", "short, 2", "short, 3"],
)
def test_a_greedy_game_is_that_of_the_bots(rules: Rules, players: int) -> None:
    """Every move, share, point, sweep and build of a deck that is played once for each seat."""
    seen = collect_statistics(rules, players, habit=Habit.GREEDY, decks=1, luck=LUCK, core=PLAIN)
    counts: Counter[object] = Counter()
    for further in range(players):
        for event in greedy_game(rotate_hands(shuffle_deck(rules), players, rules, further), players, rules):
            match event:
                case str():
                    counts[event] += 1
                case Moved():
                    counts[event.move.kind] += 1
                    counts["sweeps"] += event.sweep
                case Ended():
                    winners = winning_seats(event.scores)
                    counts.update({("share", seat): 12 // len(winners) for seat in winners})
                    counts.update({("points", seat): one.points for seat, one in enumerate(event.scores)})
                case tuple():
                    for seat, parts in enumerate(event):
                        counts.update({(part, seat): points for part, points in parts.items()})

    assert [counts[kind] for kind in KINDS] == list(seen.totals[:6])
    assert [counts["by others"], counts["by owner"]] == list(seen.totals[6:8])
    assert counts["sweeps"] == seen.totals[statistics_kernel.SWEPT]
    for seat in range(players):
        first = statistics_kernel.SEATS + seat * (2 + len(PARTS))
        expected = [counts["share", seat], counts["points", seat], *(counts[part, seat] for part in PARTS)]

        assert expected == list(seen.totals[first : first + 2 + len(PARTS)])


def test_builds_are_taken_or_left() -> None:
    """They are captured by others, by their owners, or left at the end."""
    seen = collect_statistics(OPEN, 3, habit=Habit.RANDOM, decks=5, core=PLAIN)
    made = seen.moves(MoveKind.BUILD, MoveKind.BUILD_MARRIAGE).value

    assert made == sum(part.value for part in (seen.taken_by_others, seen.taken_by_owner, seen.builds_left))
    assert seen.taken_by_owner.value > 0


def test_the_trailing_policy_trails_most() -> None:
    """Where a trail is always allowed, only the last card does anything else."""
    free = DEFAULT.replace(trail_restriction="never")
    seen = collect_statistics(free, 2, habit=Habit.TRAILING, decks=2, turns=1, core=PLAIN)

    assert seen.moves(MoveKind.TRAIL).value >= 46
    assert seen.longest > 1_000


@pytest.mark.parametrize("further", range(3))
def test_the_hands_of_every_deal_move_to_later_seats(further: int) -> None:
    """The cards of the table stay, and every card is dealt once."""
    deck = list(range(52))
    dealt = [0] * 52
    start = [0] * kernel.STATE
    start[kernel.PLAYERS] = 3
    setup = playouts.Setup(encoding.encode_rules(DEFAULT), start, deck, each=4, to_table=4)
    statistics_kernel.rotate_hands(further, setup, dealt)
    first_deal = [4 * ((seat - further) % 3) + number for seat in range(3) for number in range(4)]

    assert deck == sorted(dealt)
    assert first_deal == dealt[:12]
    assert [12, 13, 14, 15] == dealt[12:16]


@cache
def _compiled_module() -> Any:  # noqa: ANN401  a module of compiled functions
    return compile_module(statistics_kernel)


@settings(max_examples=15)
@given(state=tables(), luck=st.integers(1, 2**32 - 1))
def test_choices_are_the_same_when_compiled(state: Any, luck: int) -> None:  # noqa: ANN401  any state
    """For any table: random, trailing and greedy choices; the greedy one for any order of the list."""
    moves = move_list()
    row, scoring = encoding.encode_state(state), encoding.encode_scoring(state.rules, state.players)
    count = kernel.generate_moves(row, encoding.encode_rules(state.rules), moves)
    listed = [(moves.heads[place], moves.looses[place], moves.builds[place]) for place in range(count)]
    Random(luck).shuffle(listed)
    heads, looses, builds = ([move[part] for move in listed] for part in range(3))
    mixed = kernel.MoveList(heads, looses, builds, groups=[], sums=[])
    core = Core(_compiled_module(), is_compiled=True)
    rows = kernel.MoveList(*map(core.row, mixed))

    for trailing in (statistics_kernel.BY_CHANCE, statistics_kernel.TRAILING):
        chosen = statistics_kernel.choose(count, trailing, luck, mixed)

        assert chosen == core.functions.choose(count, trailing, luck, rows)
    greedy = statistics_kernel.greedy_move(row, scoring, count, mixed)
    best = Greedy()(GAME.view(state, state.turn), GAME.actions(state, state.turn))

    assert best == encoding.decode_move(mixed, greedy)
    assert greedy == core.functions.greedy_move(core.row(row), scoring, count, rows)
