"""Tournaments of Casino: independent of the number of workers; every deal is one observation."""

import pytest

from oddsmith.errors import InputError
from oddsmith.estimate import Estimate, Proportion
from oddsmith.games.casino import simulation as sim_casino
from oddsmith.games.casino.model import MoveKind
from oddsmith.games.casino.rules import DEFAULT, Rules
from oddsmith.games.casino.simulation import GameEnd, TournamentReport, entrants, play_tournament

FIRST = TournamentReport.of(
    [
        GameEnd(
            entrants=(0, 1),
            points=(7, 4),
            winners=(0,),
            moves={MoveKind.CAPTURE: 20, MoveKind.TRAIL: 26},
            sweeps=2,
        ),
        GameEnd(entrants=(1, 0), points=(5, 6), winners=(1,), moves={MoveKind.TRAIL: 40}, sweeps=1),
    ]
)
SECOND = TournamentReport.of(
    [
        GameEnd(entrants=(0, 1), points=(3, 9), winners=(1,), moves={MoveKind.TRAIL: 44}, sweeps=0),
        GameEnd(entrants=(1, 0), points=(6, 6), winners=(0, 1), moves={MoveKind.TRAIL: 44}, sweeps=0),
    ]
)
BOTH = FIRST + SECOND


def test_a_report_counts_deals_and_games() -> None:
    """Two deals of two players are four games."""
    assert (2, 4) == (BOTH.deals, BOTH.games)


def test_a_shared_victory_is_split() -> None:
    """Player 0 won two games alone and half of another: 2.5 of 4."""
    assert 0.625 == BOTH.entrant(0).share.mean
    assert 0.375 == BOTH.entrant(1).share.mean


def test_points_and_lead_are_for_each_game() -> None:
    """Player 0 had 7, 6, 3 and 6 points, and led by 3, 1, -6 and 0."""
    assert 5.5 == BOTH.entrant(0).points.mean
    assert -0.5 == BOTH.entrant(0).lead.mean


def test_a_deal_is_one_observation() -> None:
    """Player 0's leads add up to 4 in one deal and to -6 in the other: two numbers, not four."""
    lead = BOTH.entrant(0).lead

    assert Estimate(2, -2, 52) == lead.deals
    assert lead.deals.error / 2 == lead.error


@pytest.mark.parametrize(("entrant", "mean"), [(0, 1.0), (1, 0.0)])
def test_an_extreme_share_has_an_error(entrant: int, mean: float) -> None:
    """Two deals without a defeat: Wilson's interval for two cases."""
    share = (FIRST + FIRST).entrant(entrant).share

    assert mean == share.mean
    assert Proportion(2, 0).error == share.error


def test_seats_are_counted_over_all_players() -> None:
    """Seat 0 won one game alone and half of another, and led by 3, -1, -6 and 0."""
    assert 0.375 == BOTH.seat(0).share.mean
    assert -1.0 == BOTH.seat(0).lead.mean


def test_moves_and_sweeps_are_per_game() -> None:
    """Of all players together."""
    assert 38.5 == BOTH.moves(MoveKind.TRAIL).mean
    assert 5.0 == BOTH.moves(MoveKind.CAPTURE).mean
    assert 0.0 == BOTH.moves(MoveKind.BUILD).mean
    assert 0.75 == BOTH.sweeps.mean


@pytest.mark.parametrize(("winners", "expected"), [((0,), 12), ((0, 1), 6), ((0, 1, 2), 4), ((1, 2), 0)])
def test_a_victory_has_twelve_parts(winners: tuple[int, ...], expected: int) -> None:
    """Two, three or four players can share it in whole numbers."""
    end = GameEnd(entrants=(0, 1, 2), points=(5, 5, 5), winners=winners, moves={}, sweeps=0)

    assert expected == end.share(0)


def test_the_lead_is_over_the_best_other_player() -> None:
    """Of three players, 6 points lead 4 and 1 by two; 4 are two behind."""
    end = GameEnd(entrants=(0, 1, 2), points=(4, 6, 1), winners=(1,), moves={}, sweeps=0)

    assert [-2, 2, -5] == [end.lead(seat) for seat in range(3)]


def test_every_deal_is_played_with_every_bot_in_every_seat() -> None:
    """The same bot against itself has equal shares: luck cancels."""
    report = play_tournament(["greedy", "greedy"], 6)

    assert (3, 6) == (report.deals, report.games)
    assert 0.5 == report.entrant(0).share.mean
    assert 0.0 == report.entrant(0).lead.mean
    assert 0.0 == report.entrant(0).lead.error


def test_three_and_four_players_can_play() -> None:
    """Five games of three are two complete deals."""
    report = play_tournament(["greedy", "random", "random"], 5)

    assert (2, 6) == (report.deals, report.games)
    assert 1.0 == pytest.approx(sum(report.entrant(number).share.mean for number in range(3)))


def test_the_size_of_batches_does_not_change_a_tournament(monkeypatch: pytest.MonkeyPatch) -> None:
    """One deal at a time or all at once: the same seed gives the same report."""
    one = play_tournament(["greedy", "random"], 6, seed="yuma")
    monkeypatch.setattr(sim_casino, "BATCH", 3)

    assert one == play_tournament(["greedy", "random"], 6, seed="yuma")


def test_more_deals_begin_with_the_same_ones() -> None:
    """Deal number n of a seed is always the same."""
    rules = Rules.preset("short")
    three, two = (play_tournament(["random", "greedy"], games, rules, "yuma") for games in (6, 4))
    team = sim_casino.TournamentSetup(("random", "greedy"), rules, "yuma", None, None)

    assert three == two + team.play_batch([3])


def test_two_workers_play_the_same_games() -> None:
    """In two processes with one report."""
    reported: list[float] = []
    both = play_tournament(["random", "random"], 8, DEFAULT, "yuma", workers=2, progress=reported.append)

    assert play_tournament(["random", "random"], 8, DEFAULT, "yuma") == both
    assert [0.5, 1.0] == reported


@pytest.mark.parametrize(
    ("bots", "games", "seed", "code"),
    [
        (["greedy", "greedier"], 10, "yuma", "unknown_bot"),
        (["greedy"], 10, "yuma", "bad_seats"),
        (["greedy"] * 5, 10, "yuma", "bad_seats"),
        (["greedy", "random"], 2, "yuma", "bad_games"),
        (["greedy", "random"], 1_000_001, "yuma", "bad_games"),
        (["greedy", "random"], 10, "", "bad_seed"),
    ],
)
def test_invalid_requests_are_refused(bots: list[str], games: int, seed: str, code: str) -> None:
    """Before a game is played."""
    with pytest.raises(InputError) as caught:
        play_tournament(bots, games, DEFAULT, seed)

    assert code == caught.value.refusal.code


@pytest.mark.parametrize(
    ("bots", "players", "expected"),
    [
        (["greedy", "search"], None, ("greedy", "search")),
        (["greedy", "search"], 4, ("greedy", "search", "greedy", "search")),
        (["greedy"], None, ("greedy", "greedy")),
        (["greedy", "search", "random"], 3, ("greedy", "search", "random")),
    ],
)
def test_the_bots_take_seats_in_turn(bots: list[str], players: int | None, expected: tuple[str, ...]) -> None:
    """Repeatedly, until every seat is taken."""
    assert expected == entrants(bots, players)


@pytest.mark.parametrize(("bots", "players"), [(3, 2), (0, None), (5, None), (1, 5), (1, 1)])
def test_more_bots_than_seats_are_refused(bots: int, players: int | None) -> None:
    """So is an impossible number of players."""
    with pytest.raises(InputError) as caught:
        entrants(["greedy"] * bots, players)

    assert "bad_seats" == caught.value.refusal.code
