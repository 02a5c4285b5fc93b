"""Metrics of Casino from logs and records: points by source and seat, builds made and taken, deals."""

from fractions import Fraction

import pytest

from oddsmith.cards import STANDARD_DECK, cards
from oddsmith.errors import InputError
from oddsmith.figure import Basis
from oddsmith.games.casino import GAME, Rules, metrics
from oddsmith.games.casino.metrics import BuildMade, GamePlayed, exact_cells, resolutions
from oddsmith.metric import Observation
from oddsmith.records import replay
from tests.balance.logs import bot_records

DECK = tuple(sorted(STANDARD_DECK))
HALVES = DECK[:24], DECK[24:48]


def sums_by_cell(observations: list[Observation], metric: str) -> dict[str, int]:
    """Return the sum of each cell of a metric."""
    sums: dict[str, int] = {}
    for one in observations:
        if one.metric == metric:
            sums[one.cell] = sums.get(one.cell, 0) + one.value
    return sums


def test_5_3_points_have_sources_and_seats() -> None:
    """10♦ and an ace are 3 points, more cards are 3 more; 2♠ and a sweep are 2 for the other seat."""
    game = GamePlayed(piles=(cards("A♠ 10♦"), cards("2♠")), sweeps=(0, 1))
    observed = [*game.observations(Rules())]
    points = sums_by_cell(observed, "seat.points")

    assert {"most cards": 3, "10♦": 2, "aces": 1, "all": 6} == {
        cell.removeprefix("2 players, seat 0, "): value
        for cell, value in points.items()
        if "seat 0" in cell and value
    }
    assert (1, 1, 2) == tuple(points[f"2 players, seat 1, {part}"] for part in ("2♠", "sweeps", "all"))
    assert {"2 players, seat 0": 1, "2 players, seat 1": 0} == sums_by_cell(observed, "seat.win")


def test_1_3_each_seat_is_dealt_its_share_of_the_deck() -> None:
    """With two players each is dealt 24 of 52 cards: 6 of 13 prizes, 24/13 aces, 6 spades."""
    game = GamePlayed(piles=(DECK[:26], DECK[26:]), sweeps=(0, 0), dealt=HALVES)
    laws = {
        (one.metric, one.cell): (one.value, one.distribution.mean)
        for one in game.observations(Rules())
        if one.distribution is not None
    }
    prize = sums_by_cell([*game.observations(Rules())], "deal.prize")

    assert Fraction(6, 13) == laws["deal.prize", "2 players, seat 1, 10♦"][1]
    assert Fraction(24, 13) == laws["deal.aces", "2 players, seat 0"][1]
    assert Fraction(6) == laws["deal.spades", "2 players, seat 0"][1]
    assert 2 == sum(prize.values())


@pytest.mark.parametrize(("players", "dealt"), [(2, 20), (3, 13), (4, 10)])
def test_1_3_shares_of_the_short_deck(players: int, dealt: int) -> None:
    """Of 40 cards two players get 20 each, three 13, four 10."""
    assert (dealt,) * players == metrics._cards_dealt(players, Rules.preset("short"))


def test_2_2_builds_are_taken_by_their_makers_by_others_or_not_at_all() -> None:
    """Each build has one of three ends and counts for the seat that made it."""
    builds = BuildMade(by=0, taken_by=0), BuildMade(by=0, taken_by=1), BuildMade(by=1)
    observed = [*GamePlayed(piles=((), ()), sweeps=(0, 0), builds=builds).observations(Rules())]

    assert {"by their makers": 1, "by others": 1, "by nobody": 1} == sums_by_cell(observed, "build.taken")
    assert {"2 players, seat 0": 2, "2 players, seat 1": 1} == sums_by_cell(observed, "build.made")


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"sweeps": (0,)}, "bad_seats"),
        ({"dealt": (DECK[:24],)}, "bad_seats"),
        ({"piles": (cards("A♠"), cards("A♠"))}, "card_too_often"),
        ({"dealt": (DECK[:24], DECK[23:47])}, "card_too_often"),
        ({"dealt": (DECK[:20], DECK[24:48])}, "bad_deal"),
    ],
)
def test_an_impossible_game_is_refused(changes: dict[str, object], code: str) -> None:
    """Lists of unequal length, a card in two places, a wrong number of dealt cards."""
    given: dict[str, object] = {"piles": ((), ()), "sweeps": (0, 0)} | changes
    with pytest.raises(InputError) as refused:
        [*GamePlayed(**given).observations(Rules())]  # type: ignore[arg-type]  # parametrised fields

    assert code == refused.value.refusal.code


@pytest.mark.parametrize("preset", ["default", "traditional"])
def test_records_have_the_game_with_its_builds(preset: str) -> None:
    """All deals are included, points are those of the outcome, and makers take builds only where the rules allow it."""
    rules = Rules.preset(preset)
    own = {f"capture_own_builds={str(rules.capture_own_builds).lower()}", "extend_own_builds=true"}
    made = [
        one
        for record in bot_records("casino", 6, 2, "random", settings=sorted(own))
        for one in resolutions(replay(GAME, record))
        if isinstance(one, GamePlayed)
    ]
    builds = [build for game in made for build in game.builds or ()]

    assert [24, 24] * 6 == [len(dealt) for game in made for dealt in game.dealt or ()]
    assert any(build.taken_by is not None for build in builds)
    assert rules.capture_own_builds or not any(build.taken_by == build.by for build in builds)


def test_an_unfinished_game_is_ignored() -> None:
    (record,) = bot_records("casino", 1, 2, "random")
    left = type(record)(rules=record.rules, seats=record.seats, moves=record.moves[:9])

    assert [] == [*resolutions(replay(GAME, left))]


def test_deals_are_exact_and_the_rest_is_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values from games of two greedy bots are labelled as estimates."""
    monkeypatch.setattr(metrics, "GAMES_TO_ESTIMATE", 3)
    found = {(one.metric, one.cell): one.exact for one in exact_cells(Rules(), lambda _: None)}

    assert Fraction(3, 13) == found["deal.prize", "4 players, seat 3, 2♠"].value
    assert Basis.EXACT is found["deal.aces", "3 players, seat 0"].basis
    assert Basis.ESTIMATED is found["seat.points", "2 players, seat 0, all"].basis
