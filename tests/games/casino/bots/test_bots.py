"""Casino's bots: the greedy one, the search and the random one, all with only a view."""

from collections import Counter
from itertools import count
from math import log2 as exact_log2
from typing import Any

import pytest

from oddsmith.bot import RandomBot
from oddsmith.bots import bot_names, find_bot
from oddsmith.chance import DealHands, Scripted, Seeded
from oddsmith.errors import InputError
from oddsmith.games.casino import kernel
from oddsmith.games.casino.bots import Greedy
from oddsmith.games.casino.bots import search as search_module
from oddsmith.games.casino.bots import search_tree as tree
from oddsmith.games.casino.bots.search import ITERATIONS, Habits, SearchBot, prepare_search
from oddsmith.games.casino.compiler import Core, compile_module, fastest_core
from oddsmith.games.casino.encoding import decode_cards, encode_state
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import State, number_of
from oddsmith.games.casino.notation import write_action
from oddsmith.games.casino.rules import DEFAULT, Rules
from oddsmith.games.casino.simulation import play_tournament
from oddsmith.games.casino.views import unseen_cards
from oddsmith.records import play
from tests.games.casino.tables import SHORT, TRADITIONAL, table

PLAIN = Core(tree, is_compiled=False)


def choose_line(bot: Greedy | SearchBot, state: State) -> str:
    """Return a bot's choice in notation."""
    return write_action(bot(GAME.view(state, state.turn), GAME.actions(state, state.turn)), state)


def plain_search(seed: str = "yuma", iterations: int = 60, **given: object) -> SearchBot:
    """Return a search that is not compiled."""
    return SearchBot(Seeded(seed), iterations=iterations, core=PLAIN, **given)  # type: ignore[arg-type]  # keyword arguments of the bot


def state_after_plies(rules: Rules, players: int, plies: int, seed: str = "opening") -> State:
    """Return the state after `plies` moves of a random game, with a seat on turn."""
    luck, state = Seeded(seed), GAME.setup(rules, players)
    for ply in play(GAME, state, [RandomBot(luck)] * players, luck):
        state = ply.after
        if ply.number >= plies and state.is_dealt:
            break
    return state


MIDDLE = state_after_plies(DEFAULT, 2, 20)
TURN = MIDDLE.turn


def test_there_are_three_bots() -> None:
    """Each is found by its name."""
    found = [find_bot("casino", name, DEFAULT, draw=Scripted([])) for name in bot_names("casino")]

    assert ["RandomBot", "Greedy", "SearchBot"] == [type(bot).__name__ for bot in found]


@pytest.mark.parametrize(
    ("loose", "hand", "expected"),
    [
        ("10♦ 3♥ 4♥ 5♠", "10♥ 7♣", "10♥x10♦"),
        ("A♥ 3♥ 4♥", "A♠ 7♣", "A♠xA♥"),
        ("3♥ 4♥ 9♠ 9♦", "7♣ 9♥", "7♣x3♥+4♥"),
        ("8♥ 9♠", "8♦ 9♥", "9♥x9♠"),
        ("8♥ 9♦", "8♦ 9♥", "8♦x8♥"),
        ("7♥", "9♣ 7♣ 8♦", "7♣x7♥"),
    ],
    ids=["points", "more points", "cards", "spades", "the first listed", "a sweep"],
)
def test_greedy_takes_points_then_cards_then_spades(loose: str, hand: str, expected: str) -> None:
    """The most points at once; of equal moves the first listed."""
    assert expected == choose_line(Greedy(), table(loose, hand))


def test_greedy_builds_or_trails_where_no_capture_is_possible() -> None:
    """These gain nothing, so the canonical order decides."""
    assert "2♣+5♥=7" == choose_line(Greedy(), table("5♥", "2♣ 9♣"))
    assert "2♣" == choose_line(Greedy(), table("K♥", "2♣ 9♣"))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rules", [DEFAULT, SHORT, TRADITIONAL], ids=["default", "short", "traditional"])
def test_a_search_gives_legal_moves_with_their_visits(rules: Rules, players: int) -> None:
    """All games are counted, the shares add up to one, and the moves have the canonical order."""
    state = state_after_plies(rules, players, 20)
    found = plain_search().estimates(GAME.view(state, state.turn))
    listed = GAME.actions(state, state.turn)

    assert 60 == sum(estimate.visits for estimate in found)
    assert all(0 <= estimate.share <= 1 and 0 <= estimate.reward <= 1 for estimate in found)
    assert [estimate.move for estimate in found] == [
        move for move in listed if move in {estimate.move for estimate in found}
    ]


def test_a_move_without_visits_has_no_estimate() -> None:
    found = plain_search(iterations=2).estimates(GAME.view(MIDDLE, TURN))

    assert [1, 1] == [estimate.visits for estimate in found]


def test_the_move_with_most_visits_is_made() -> None:
    """Of equal ones the one with the higher reward."""
    view, actions = GAME.view(MIDDLE, TURN), GAME.actions(MIDDLE, TURN)
    found = plain_search().estimates(view)

    assert max(found, key=lambda one: (one.visits, one.reward)).move == plain_search()(view, actions)


def test_the_only_move_is_made_without_a_search() -> None:
    """Nothing is drawn."""
    state = table("K♥", "2♣", others=["9♥"])

    assert "2♣" == choose_line(SearchBot(Scripted([]), core=PLAIN), state)


@pytest.mark.parametrize("habits", [Habits(), Habits(farsighted=False), Habits(margin=0), Habits(greed=0)])
def test_a_search_finds_the_winning_move(habits: Habits) -> None:
    """In the last deal 10♦ decides: its capture wins two points."""
    state = table("10♦ 4♥", "10♥ 9♣", others=["10♣ K♠"], last=True)

    assert "10♥x10♦" == choose_line(plain_search(habits=habits), state)


def test_compiled_the_search_is_the_same_and_beats_greedy() -> None:
    """Compiled and plain code play the same games, in one batch or in many; 150 of them win more games than not."""
    for players in (2, 4):
        state = state_after_plies(TRADITIONAL, players, 12)
        view = GAME.view(state, state.turn)
        compiled = SearchBot(Seeded("yuma"), iterations=60, core=fastest_core(tree))
        assert plain_search().estimates(view) == compiled.estimates(view)
    report = play_tournament(["search", "greedy"], 24, DEFAULT, "yuma", iterations=150)

    assert report.entrant(0).share.mean > 1 / 2


def test_unseen_cards_are_dealt_uniformly() -> None:
    """Each deal of four unseen cards to a hand of one and a hand of two is equally frequent."""
    state = table("A♥", "A♠", others=["5♥", "6♥ 9♣"], rules=SHORT, last=True)
    full = encode_state(state)
    full[kernel.PILES + 2] ^= 1 << number_of(decode_cards(full[kernel.PILES + 2])[0])
    full[kernel.STOCK] = 1
    deck = [number for number in range(kernel.CARDS) if _is_hidden(full, number)]
    row, luck = [0] * kernel.STATE, 1
    met: Counter[tuple[int, int]] = Counter()
    for _ in range(3_600):
        luck = tree.redeal(full, row, deck, luck)
        met[row[kernel.HANDS + 1], row[kernel.HANDS + 2]] += 1
        assert full[kernel.HANDS] == row[kernel.HANDS]
    cards = tuple(sorted(decode_cards(sum(1 << number for number in deck))))

    assert DealHands(cards, (1, 2, 1)).total == len(met) == 12
    assert all(240 <= often <= 360 for often in met.values())


def _is_hidden(row: list[int], number: int) -> bool:
    seen = row[kernel.HANDS] | row[kernel.LOOSE] | row[kernel.PILES] | row[kernel.PILES + 2]
    pictures = number >= 40
    return not (pictures or seen >> number & 1)


def test_the_stock_of_a_game_is_the_undealt_cards() -> None:
    """The last cards of the deck are those that are dealt later, so that no card is lost or repeated."""
    state = state_after_plies(DEFAULT, 3, 9)
    root = encode_state(state)
    deck = [number_of(card) for card in unseen_cards(GAME.view(state, state.turn))]
    row = [0] * kernel.STATE
    tree.redeal(root, row, deck, 7)
    hands = sum(row[kernel.HANDS + seat] for seat in range(3) if seat != state.turn)

    assert sorted(decode_cards(hands)) == sorted(
        decode_cards(sum(1 << number for number in deck[: -root[kernel.STOCK]]))
    )


def test_a_full_tree_continues_with_its_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded, and every game that began with a move in the tree is counted."""
    monkeypatch.setattr(search_module, "MOST_NODES", 3)
    found = plain_search().estimates(GAME.view(MIDDLE, TURN))

    assert 3 == len(found)
    assert 60 == sum(estimate.visits for estimate in found)


def test_a_search_with_little_time_stops_after_one_batch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The clock is read after each batch; progress is the share of the time."""
    monkeypatch.setattr(search_module, "monotonic", count().__next__)
    reported: list[float] = []
    bot = SearchBot(Seeded("yuma"), seconds=4, core=PLAIN, progress=reported.append)
    found = bot.estimates(GAME.view(MIDDLE, TURN))

    assert 20 == sum(estimate.visits for estimate in found)
    assert [0.25, 0.75] == reported


def test_a_search_reports_its_progress() -> None:
    """In games, where these are limited."""
    reported: list[float] = []
    plain_search(iterations=25, progress=reported.append).estimates(GAME.view(MIDDLE, TURN))

    assert [0.4, 0.8, 1.0] == pytest.approx(reported)


def test_a_search_plays_a_thousand_games_by_default() -> None:
    """The published figures are about that number."""
    assert 1_000 == ITERATIONS
    assert ITERATIONS == SearchBot(Scripted([]), core=PLAIN).iterations


@pytest.mark.parametrize(
    ("budget", "code"),
    [
        ({"iterations": 0}, "bad_iterations"),
        ({"iterations": 10_000_001}, "bad_iterations"),
        ({"seconds": 0}, "bad_seconds"),
        ({"seconds": float("nan")}, "bad_seconds"),
        ({"seconds": 3_601}, "bad_seconds"),
    ],
)
def test_an_invalid_budget_is_refused(budget: dict[str, Any], code: str) -> None:
    """The sentence lists the valid ones."""
    with pytest.raises(InputError) as caught:
        find_bot("casino", "search", DEFAULT, draw=Scripted([]), **budget)

    assert code == caught.value.refusal.code


def test_1_3_a_stock_that_cannot_be_dealt_evenly_is_refused() -> None:
    """A search plays games to the end."""
    state = table("A♥", "A♠ 2♣", others=["5♥ 6♥"])
    with pytest.raises(InputError) as caught:
        plain_search().estimates(GAME.view(state, 0))

    assert "bad_stock" == caught.value.refusal.code


@pytest.mark.parametrize("viewer", [None, 1 - TURN])
def test_only_the_seat_on_turn_can_search(viewer: int | None) -> None:
    """The others have no move."""
    with pytest.raises(InputError) as caught:
        plain_search().estimates(GAME.view(MIDDLE, viewer))

    assert "not_your_turn" == caught.value.refusal.code


@pytest.mark.parametrize("number", [1, 2, 3, 7, 8, 100, 65_536, 1_000_000])
def test_the_logarithm_is_accurate_enough(number: int) -> None:
    """At powers of two it is exact, between them less than a tenth too small."""
    assert 0 <= exact_log2(number) - tree.log2(number) < 0.09


def test_prepared_code_serves_all_rules_and_seats() -> None:
    """Nothing is compiled when the first match with other rules begins."""
    prepare_search()
    functions = compile_module(tree)

    def signatures() -> list[int]:
        return [len(functions.__dict__[name].signatures) for name in ("grow", "generate_moves", "find_node")]

    before = signatures()
    for rules in (DEFAULT, SHORT, TRADITIONAL):
        for players in (2, 4):
            state = state_after_plies(rules, players, 3)
            SearchBot(Seeded("other"), iterations=10).estimates(GAME.view(state, state.turn))

    assert before == signatures()
