"""A practice has all its luck from a chosen seed, is reproducible everywhere, and is labelled as practice."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from oddsmith import wire
from oddsmith.bots import find_bot
from oddsmith.chance import Seeded
from oddsmith.errors import InputError, RecordError
from oddsmith.match.bots import bot_choice, seat_bots
from oddsmith.match.fold import replay_log
from oddsmith.match.model import Clock, Made, Match, Opened, Tick
from oddsmith.match.proofs import Proof, verify_fair
from oddsmith.match.recording import log_of, record_of, resume_match, snapshot_data
from oddsmith.match.views import match_view
from oddsmith.records import play, retrace
from oddsmith.registry import find_game, mechanic_names
from tests.match.drivers import SEATS, MatchDriver

SEED = "tucson-7"
CASES = [
    (game, (None, *(bot,) * (SEATS[game] - 1)))
    for game in mechanic_names()
    for bot in (seat_bots(game) if SEATS[game] > 1 else ("random",))
]
"""Every game with a player in seat 0, and each of its bots in the other seats."""


class CountingPlayer:
    """Chooses by a counter; the last action, such as to flee, only if it is the only one."""

    def __init__(self) -> None:
        self._choices = 0

    def __call__(self, _: object, actions: Sequence[Any], /) -> Any:  # noqa: ANN401  an action of any game
        """Return one of the actions."""
        self._choices += 1
        return actions[self._choices * 7919 % max(1, len(actions) - 1)]


def play_practice(
    game: str,
    bots: Sequence[str | None],
    *,
    bots_first: bool = False,
    **opened: Any,  # noqa: ANN401  options of the opening
) -> Match:
    """Return a practice match that was played to its end by the match machine."""
    driver, person = MatchDriver(game, bots=bots, practice=SEED, **opened), CountingPlayer()
    driver.fill()
    while not driver.match.is_over:
        waiting = driver.match.waiting_bots
        if waiting and (bots_first or 0 not in driver.match.deciding):
            driver.apply(bot_choice(driver.match, waiting[0]))
        else:
            actions = driver.match.engine.actions(driver.match.state, 0)
            driver.act(0, wire.to_builtins(person(None, actions)))
    return driver.match


def play_in_terminal(game_name: str, bots: Sequence[str | None]) -> tuple[str, ...]:
    """Return the moves of the same game in a terminal, where cards and bots draw from one source."""
    game, draw = find_game(game_name), Seeded(SEED)
    rules = game.rules_type()
    others = [
        find_bot(game_name, bot, rules, draw=draw, seat=seat)
        for seat, bot in enumerate(bots)
        if bot is not None
    ]
    plies = play(game, game.setup(rules, len(bots)), [CountingPlayer(), *others], draw)
    return tuple(game.write(ply.before, ply.move) for ply in plies)


def luck_moves(match: Match) -> list[str]:
    """Return the moves of luck."""
    return [entry.line for entry in match.log if isinstance(entry, Made) and entry.seat is None]


@pytest.mark.parametrize(("game", "bots"), CASES)
def test_a_seed_gives_the_same_game_on_every_server_and_in_the_terminal(
    game: str, bots: tuple[str | None, ...]
) -> None:
    """The same choices meet the same cards and dice, whatever the server's secrets and the players' seeds are."""
    first, again = (play_practice(game, bots, seed=seed) for seed in ("one server", "another server"))

    assert first.id != again.id
    assert record_of(first).moves == record_of(again).moves == play_in_terminal(game, bots)


@pytest.mark.sweep
@pytest.mark.parametrize(("game", "bots"), CASES)
def test_luck_does_not_depend_on_the_order_of_simultaneous_choices(
    game: str, bots: tuple[str | None, ...]
) -> None:
    """A bot may choose before the player or after."""
    match = play_practice(game, bots)

    assert luck_moves(match) == luck_moves(play_practice(game, bots, bots_first=True))
    assert luck_moves(match)


@pytest.mark.parametrize(("game", "bots"), CASES)
def test_a_log_or_a_snapshot_continues_with_the_same_luck(game: str, bots: tuple[str | None, ...]) -> None:
    """The position in the seed's luck is in the log, and in the snapshot."""
    match = play_practice(game, bots)
    log = [*match.log]
    half = replay_log(log[: len(log) // 2])

    assert match == replay_log(log)
    assert half.drawn == resume_match(snapshot_data(half)).drawn
    assert match.drawn == resume_match(snapshot_data(half), log[half.version :]).drawn > 0


def test_a_terminal_continues_the_record_of_a_practice() -> None:
    """With the same luck and the same bots."""
    match = play_practice("casino", (None, "random"))
    game, record, draw = match.engine, record_of(match), Seeded(SEED)
    bot = find_bot("casino", "random", match.rules, draw=draw, seat=1)
    retrace(game, record, draw, {1: bot})

    assert match.drawn == draw.drawn


def test_the_clock_uses_none_of_the_luck() -> None:
    """After a choice of the clock the cards are the same as after an equal choice of the player."""
    driver = MatchDriver("dice", practice=SEED, clock=Clock(choice_seconds=1)).fill()
    driver.now += 1_000
    driver.apply(Tick())
    late = driver.match
    [chosen] = [entry for entry in late.log if isinstance(entry, Made) and entry.by_clock]
    again = MatchDriver("dice", practice=SEED).fill()
    again.act(0, chosen.line.removeprefix("0 "))

    assert (0, late.drawn) == (chosen.drawn, again.match.drawn)
    assert luck_moves(late) == luck_moves(again.match)


def test_bots_may_practise_alone() -> None:
    assert (
        MatchDriver("duel", bots=("random", "best_trade"), practice=SEED).play_to_end().match.outcome
        is not None
    )


@pytest.mark.parametrize("bots", [(None, None), (None, None, "random")])
def test_a_practice_is_for_one_person(bots: tuple[str | None, ...]) -> None:
    """With a known seed all luck can be foreseen, so players do not compete in practice."""
    with pytest.raises(InputError) as caught:
        MatchDriver("casino", bots=bots, practice=SEED)

    assert ("practice_is_for_one", "practice") == (caught.value.refusal.code, caught.value.refusal.where)
    assert (
        "a player who knows the seed of a practice match can predict all luck: it is for one person, not for 2;"
        " let bots take the other seats, or leave the seed out"
    ) == caught.value.refusal.sentence


@pytest.mark.parametrize("seed", ["", "two words", "ü", "s" * 65, "line\n"])
def test_a_practice_seed_is_a_short_identifier(seed: str) -> None:
    """1 to 64 letters, digits and any of _ . : - are valid."""
    with pytest.raises(InputError) as caught:
        MatchDriver("dice", practice=seed)

    assert "bad_value" == caught.value.refusal.code


def test_a_practice_has_its_seed_and_no_commitment() -> None:
    running, over = MatchDriver("dice", practice=SEED).fill().match, play_practice("dice", (None,))
    shown = [match_view(match, viewer) for match in (running, over) for viewer in (0, None)]

    assert {SEED} == {view.practice for view in shown}
    assert {(None, None, None)} == {(view.commitment, view.secret, view.seeds) for view in shown}
    assert running.commitment is None
    assert match_view(MatchDriver("dice").match, None).practice is None


def test_the_record_of_a_practice_proves_nothing_about_luck() -> None:
    """It is labelled as one that was played in a terminal, its moves are verified, and it has no seed of a server."""
    match = play_practice("duel", (None, "random"))
    record = record_of(match)
    with pytest.raises(RecordError) as caught:
        log_of(record)

    assert {
        "luck": f"practice with a chosen seed: {SEED}",
        "match": match.id,
        "bots": "1 random",
    } == record.labels
    assert (Proof.UNPROVEN, None) == (verify_fair(record).proof, verify_fair(record).seal)
    assert "no_seeds" == caught.value.refusal.code


def test_an_abandoned_practice_is_labelled() -> None:
    """Its record has the reason, as any other."""
    driver = MatchDriver("dice", practice=SEED).fill()
    driver.leave(0)

    assert "given_up" == record_of(driver.match).labels["abandoned"]


def test_a_private_match_is_marked_as_private() -> None:
    """In its log, its snapshot and its view; it is played as any other."""
    match = MatchDriver("duel", private=True).fill().match

    assert match.private
    assert match_view(match, None).private
    assert replay_log(match.log).private
    assert resume_match(snapshot_data(match)).private
    assert not match_view(MatchDriver("duel").match, None).private


def test_logs_and_snapshots_of_earlier_versions_are_read() -> None:
    """Missing fields mean: no practice, not private."""
    match = MatchDriver("duel").fill().match
    [opened, *later] = wire.to_builtins([*match.log])
    old = {name: value for name, value in opened.items() if name not in ("practice", "private")}
    kept = {
        name: value
        for name, value in snapshot_data(match).items()
        if name not in ("practice", "private", "drawn")
    }

    assert wire.from_builtins(old, Opened) == match.log[0]
    assert match == replay_log([wire.from_builtins(old, Opened), *[*match.log][1:]])
    assert (
        msgspec.structs.replace(resume_match(kept), log=match.log, events=match.events, log_start=0) == match
    )
    assert not [entry for entry in later if "drawn" in entry]
