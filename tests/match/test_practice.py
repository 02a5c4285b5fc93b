"""A practice has all its luck from the seed that was chosen, is the same everywhere, and says what it is."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from oddsmith import wire
from oddsmith.bots import find_bot
from oddsmith.chance import Seeded
from oddsmith.errors import InputError, RecordError
from oddsmith.match.bots import bot_choice, seat_bots, waiting_bots
from oddsmith.match.fold import replay_log
from oddsmith.match.model import Clock, Made, Match, Opened, Tick
from oddsmith.match.proofs import Proof, verify_fair
from oddsmith.match.recording import log_of, record_of, resume_match, snapshot_data
from oddsmith.match.views import match_view
from oddsmith.records import play, retrace
from oddsmith.registry import find_game, mechanic_names
from tests.match.sittings import SEATS, Sitting

SEED = "tucson-7"
PARTIES = [
    (game, (None, *(bot,) * (SEATS[game] - 1)))
    for game in mechanic_names()
    for bot in (seat_bots(game) if SEATS[game] > 1 else ("random",))
]
"""Every game with a person in seat 0, and each of its bots in the other seats."""


class Person:
    """Somebody who chooses by counting, and nothing else; what is listed last, such as to flee, only where it must be."""

    def __init__(self) -> None:
        self._choices = 0

    def __call__(self, _: object, actions: Sequence[Any], /) -> Any:  # noqa: ANN401  of any game
        """Return one of the actions."""
        self._choices += 1
        return actions[self._choices * 7919 % max(1, len(actions) - 1)]


def practised(
    game: str,
    bots: Sequence[str | None],
    *,
    bots_first: bool = False,
    **opened: Any,  # noqa: ANN401  with what it is opened
) -> Match:
    """Return a practice that was played to its end on a server."""
    sitting, person = Sitting(game, bots=bots, practice=SEED, **opened), Person()
    sitting.fill()
    while not sitting.match.is_over:
        waiting = waiting_bots(sitting.match)
        if waiting and (bots_first or 0 not in sitting.match.deciding):
            sitting.apply(bot_choice(sitting.match, waiting[0]))
        else:
            actions = sitting.match.engine.actions(sitting.match.state, 0)
            sitting.act(0, wire.to_builtins(person(None, actions)))
    return sitting.match


def played_in_a_terminal(game_name: str, bots: Sequence[str | None]) -> tuple[str, ...]:
    """Return the moves of the same game in a terminal, where cards and bots draw from one source."""
    game, draw = find_game(game_name), Seeded(SEED)
    rules = game.rules_type()
    others = [
        find_bot(game_name, bot, rules, draw=draw, seat=seat)
        for seat, bot in enumerate(bots)
        if bot is not None
    ]
    plies = play(game, game.setup(rules, len(bots)), [Person(), *others], draw)
    return tuple(game.write(ply.before, ply.move) for ply in plies)


def luck_of(match: Match) -> list[str]:
    """Return the moves of luck."""
    return [entry.line for entry in match.log if isinstance(entry, Made) and entry.seat is None]


@pytest.mark.parametrize(("game", "bots"), PARTIES)
def test_a_seed_gives_the_same_game_on_every_server_and_in_the_terminal(
    game: str, bots: tuple[str | None, ...]
) -> None:
    """The same choices meet the same cards and dice, whatever the server's own secrets and the players' seeds are."""
    first, again = (practised(game, bots, seed=seed) for seed in ("one server", "another server"))

    assert first.id != again.id
    assert record_of(first).moves == record_of(again).moves == played_in_a_terminal(game, bots)


@pytest.mark.parametrize(("game", "bots"), PARTIES)
def test_luck_does_not_depend_on_who_is_quicker(game: str, bots: tuple[str | None, ...]) -> None:
    """Where seats choose at once, a bot may be before the person or after."""
    match = practised(game, bots)

    assert luck_of(match) == luck_of(practised(game, bots, bots_first=True))
    assert luck_of(match)


@pytest.mark.parametrize(("game", "bots"), PARTIES)
def test_a_log_or_a_snapshot_goes_on_with_the_same_luck(game: str, bots: tuple[str | None, ...]) -> None:
    """How far the seed's luck was drawn is in the log, and in the snapshot."""
    match = practised(game, bots)
    log = [*match.log]
    half = replay_log(log[: len(log) // 2])

    assert match == replay_log(log)
    assert half.drawn == resume_match(snapshot_data(half)).drawn
    assert match.drawn == resume_match(snapshot_data(half), log[half.version :]).drawn > 0


def test_a_terminal_goes_on_with_the_record_of_a_practice() -> None:
    """Its luck, and its bots, come out the same again."""
    match = practised("casino", (None, "random"))
    game, record, draw = match.engine, record_of(match), Seeded(SEED)
    bot = find_bot("casino", "random", match.rules, draw=draw, seat=1)
    retrace(game, record, draw, {1: bot})

    assert match.drawn == draw.drawn


def test_a_clock_takes_none_of_the_luck() -> None:
    """Who let the clock choose has the cards that who chose the same has."""
    sitting = Sitting("dice", practice=SEED, clock=Clock(choice_seconds=1)).fill()
    sitting.now += 1_000
    sitting.apply(Tick())
    late = sitting.match
    [chosen] = [entry for entry in late.log if isinstance(entry, Made) and entry.by_clock]
    again = Sitting("dice", practice=SEED).fill()
    again.act(0, chosen.line.removeprefix("0 "))

    assert (0, late.drawn) == (chosen.drawn, again.match.drawn)
    assert luck_of(late) == luck_of(again.match)


def test_bots_may_practise_alone() -> None:
    """Nobody sits there who could foresee anything."""
    assert Sitting("duel", bots=("random", "best_trade"), practice=SEED).played().match.outcome is not None


@pytest.mark.parametrize("bots", [(None, None), (None, None, "random")])
def test_a_practice_is_for_one_person(bots: tuple[str | None, ...]) -> None:
    """Who knows the seed foresees all luck: people do not play for it against each other."""
    with pytest.raises(InputError) as caught:
        Sitting("casino", bots=bots, practice=SEED)

    assert ("practice_is_for_one", "practice") == (caught.value.refusal.code, caught.value.refusal.where)
    assert (
        "a player who knows the seed of a practice match can predict all luck: it is for one person, not for 2;"
        " let bots take the other seats, or leave the seed out"
    ) == caught.value.refusal.sentence


@pytest.mark.parametrize("seed", ["", "two words", "ü", "s" * 65, "line\n"])
def test_a_practice_seed_is_a_short_word(seed: str) -> None:
    """It stands in records and links: 1 to 64 letters, digits and any of _ . : - make one."""
    with pytest.raises(InputError) as caught:
        Sitting("dice", practice=seed)

    assert "bad_value" == caught.value.refusal.code


def test_a_practice_says_what_it_is() -> None:
    """Everyone is told the seed; there is nothing that a server is bound to, or that it could reveal."""
    running, over = Sitting("dice", practice=SEED).fill().match, practised("dice", (None,))
    shown = [match_view(match, viewer) for match in (running, over) for viewer in (0, None)]

    assert {SEED} == {view.practice for view in shown}
    assert {(None, None, None)} == {(view.commitment, view.secret, view.seeds) for view in shown}
    assert running.commitment is None
    assert match_view(Sitting("dice").match, None).practice is None


def test_the_record_of_a_practice_proves_nothing_about_luck() -> None:
    """It is labelled as one that was played in a terminal, its moves are verified, and it holds no seed of a server."""
    match = practised("duel", (None, "random"))
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


def test_a_practice_that_was_given_up_says_so() -> None:
    """Why it ended is in its record, as in any other."""
    sitting = Sitting("dice", practice=SEED).fill()
    sitting.leave(0)

    assert "given_up" == record_of(sitting.match).labels["abandoned"]


def test_a_private_match_is_one_for_whoever_comes() -> None:
    """That it is private is in its log, its snapshot and its view; it is played as any other."""
    match = Sitting("duel", private=True).fill().match

    assert match.private
    assert match_view(match, None).private
    assert replay_log(match.log).private
    assert resume_match(snapshot_data(match)).private
    assert not match_view(Sitting("duel").match, None).private


def test_logs_and_snapshots_of_earlier_versions_are_read() -> None:
    """What they do not say was not so: no practice, not private."""
    match = Sitting("duel").fill().match
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
