"""The record of a match proves its luck to who trusts nobody."""

from collections.abc import Mapping
from itertools import product
from random import Random

import msgspec
import pytest

from oddsmith.chance import Seeded
from oddsmith.errors import OddsmithError, RecordError
from oddsmith.match.fold import replay_log
from oddsmith.match.model import LeaveReason, Made, Tick
from oddsmith.match.proofs import Proof, commitment, read_seal, verify_fair
from oddsmith.match.recording import END_REASONS, log_of, record_of
from oddsmith.records import Record, play, read_record
from oddsmith.registry import find_game
from tests.match.sittings import SEATS, Sitting, finished


def relabelled(record: Record, **labels: str | None) -> Record:
    """Return a record with other labels, and a digest that fits them; None takes one away."""
    changed = {name: text for name, text in {**record.labels, **labels}.items() if text is not None}
    return msgspec.structs.replace(record, labels=changed)


def refused(record: Record, sealed: str | None = None) -> str:
    """Return the code with which a record is refused."""
    with pytest.raises(RecordError) as caught:
        verify_fair(record, sealed=sealed)
    return caught.value.refusal.code


@pytest.mark.parametrize("game", SEATS)
def test_every_card_and_die_is_drawn_again(game: str) -> None:
    """A record of a match that is over is proven: all its luck, and all that the clock chose."""
    match = finished(game)
    record = read_record(record_of(match).to_toml(), find_game)
    verified = verify_fair(record, sealed=commitment(match.secret))
    made = [entry for entry in match.log if isinstance(entry, Made)]

    assert record_of(match) == record
    assert (Proof.PROVEN, len(made)) == (verified.proof, verified.plies)
    assert sum(entry.seat is None for entry in made) == verified.luck
    assert sum(entry.by_clock for entry in made) == verified.by_clock
    assert verified.plies == verified.choices + verified.luck + verified.by_clock


def test_the_clock_has_chosen_in_these_matches() -> None:
    """What is said of clocks is said of more than none."""
    assert sum(len(record_of(finished(game)).by_clock) for game in SEATS) > 10


@pytest.mark.parametrize("game", SEATS)
def test_a_record_becomes_a_match_again(game: str) -> None:
    """The match that is read from a record has the same record, the same end and the same luck."""
    record = record_of(finished(game))
    match = replay_log(log_of(record))

    assert record == record_of(match)
    assert finished(game).outcome == match.outcome


def test_who_sat_where_is_in_the_record() -> None:
    """Names at seats, bots by their names, seeds by their seats."""
    record = record_of(finished("duel"))

    assert ("Player0", "random") == record.seats
    assert "1 random" == record.labels["bots"]
    assert "seed-of-0" == record.labels["client_seed_0"]
    assert "client_seed_1" not in record.labels


@pytest.mark.parametrize(
    ("by_whom", "labels"),
    [
        (1, {"abandoned": "given_up", "abandoned_by": "1"}),
        (None, {"abandoned": "deserted"}),
    ],
)
def test_an_abandoned_match_has_a_record(by_whom: int | None, labels: Mapping[str, str]) -> None:
    """Why it ended, and through whom; its luck is proven as far as it went, and it becomes a match again."""
    sitting = Sitting("casino").fill()
    sitting.move()
    if by_whom is None:
        sitting.apply(Tick(is_deserted=True))
    else:
        sitting.leave(by_whom)
    record = record_of(sitting.match)

    assert labels == {name: text for name, text in record.labels.items() if name.startswith("abandoned")}
    assert Proof.PROVEN is verify_fair(record).proof
    assert sitting.match.abandonment == replay_log(log_of(record)).abandonment


def test_a_running_match_shows_no_record() -> None:
    """It would show every hidden card; who keeps it to themselves gets it without the seeds."""
    match = Sitting("casino").fill().match
    with pytest.raises(RecordError) as caught:
        record_of(match)
    record = record_of(match, while_running=True)

    assert "match_running" == caught.value.refusal.code
    assert Proof.SEALED is verify_fair(record).proof
    assert not [name for name in record.labels if "seed" in name]
    assert match.secret not in record.to_toml()


def test_what_has_not_begun_has_no_record() -> None:
    """Not even when it was deserted."""
    sitting = Sitting("casino")
    sitting.apply(Tick(is_deserted=True))
    with pytest.raises(RecordError) as caught:
        record_of(sitting.match)

    assert "not_started" == caught.value.refusal.code


def test_a_practice_game_proves_nothing_about_luck() -> None:
    """Its moves are verified all the same; it has no commitment to compare, and no match in it."""
    game = find_game("destiny")
    rules = game.rules_type()
    plies = play(game, game.setup(rules, 2), [lambda _, actions: actions[0]] * 2, Seeded("yuma"))
    record = Record.of(
        game,
        rules,
        ["Ann", "Bo"],
        [ply.move for ply in plies],
        labels={"luck": "practice with a chosen seed"},
    )
    verified = verify_fair(record)
    with pytest.raises(RecordError) as caught:
        log_of(record)

    assert (Proof.UNPROVEN, 4, 2) == (verified.proof, verified.plies, verified.luck)
    assert "other_commitment" == refused(record, "0" * 64)
    assert "no_seeds" == caught.value.refusal.code


def test_another_commitment_than_the_one_that_was_shown_is_refused() -> None:
    """A server that makes up another seed afterwards cannot hide it from who kept the commitment."""
    record = record_of(finished("duel"))

    assert "other_commitment" == refused(record, "0" * 64)


def test_a_seed_that_the_server_was_not_bound_to_is_refused() -> None:
    """The commitment is the SHA-256 of the seed."""
    assert "wrong_seed" == refused(relabelled(record_of(finished("duel")), server_seed="ab" * 32))


@pytest.mark.parametrize("label", ["match", "client_seed_0"])
def test_luck_that_the_seeds_do_not_give_is_refused(label: str) -> None:
    """Another match, or another seed of a player, would have had other luck."""
    assert "other_luck" == refused(relabelled(record_of(finished("casino")), **{label: "other"}))


def test_a_choice_that_the_clock_did_not_draw_is_refused() -> None:
    """Who says that the clock chose must say what it would have chosen."""
    record = record_of(finished("duel"))
    chosen = [
        ply for ply, line in enumerate(record.moves, 1) if line[0] != "*" and ply not in record.by_clock
    ]
    forged = msgspec.structs.replace(record, by_clock=tuple(chosen[:5]))

    assert "other_luck" == refused(forged)


def test_the_clock_does_not_choose_luck() -> None:
    """A ply of luck cannot be a clock's choice."""
    record = record_of(finished("duel"))

    assert "bad_ply" == refused(msgspec.structs.replace(record, by_clock=(1,)))


@pytest.mark.parametrize(
    ("labels", "code"),
    [
        ({"match": None}, "missing_key"),
        ({"commitment": None}, "missing_key"),
        ({"commitment": "66"}, "bad_label"),
        ({"server_seed": "AB" * 32}, "bad_label"),
        ({"client_seed_0": "two words"}, "bad_label"),
    ],
)
def test_labels_of_committed_luck_have_their_shapes(labels: Mapping[str, str | None], code: str) -> None:
    """What is missing or misshapen is refused before anything is drawn."""
    record = relabelled(record_of(finished("duel")), **labels)
    with pytest.raises(RecordError) as caught:
        read_seal(record)

    assert code == caught.value.refusal.code


@pytest.mark.parametrize(
    "labels",
    [
        {"bots": "9 random"},
        {"bots": "random"},
        {"abandoned": "boredom"},
        {"abandoned": "seat_freed"},
        {"abandoned": "given_up", "abandoned_by": "x"},
    ],
)
def test_labels_that_tell_of_no_match_are_refused(labels: Mapping[str, str]) -> None:
    """A match is made of what its record can say."""
    with pytest.raises(RecordError) as caught:
        log_of(relabelled(record_of(finished("duel")), **labels))

    assert "bad_label" == caught.value.refusal.code


def test_every_end_of_a_match_is_in_a_record() -> None:
    """All ways to part but the freeing of a seat, which ends no match."""
    record = record_of(finished("duel"))
    told = [log_of(relabelled(record, abandoned=why.value))[-1] for why in END_REASONS]

    assert [*map(str, LeaveReason)][1:] == [getattr(entry, "why", None) for entry in told]


def test_a_flipped_bit_of_any_byte_is_found_out() -> None:
    """Whatever byte of a record's text is changed, it is refused, unless it says the same as before."""
    sitting = Sitting("casino").fill()
    for _ in range(3):
        sitting.move()
    sitting.leave(1)
    record = record_of(sitting.match)
    text = record.to_toml().encode()
    random = Random(7)
    same = 0
    for place, byte in enumerate(text):
        spoilt = text[:place] + bytes([byte ^ 1 << random.randrange(8)]) + text[place + 1 :]
        try:
            again = read_record(spoilt, find_game)
            verify_fair(again)
        except OddsmithError:
            continue
        same += 1

        assert record == again
    assert same < len(text) / 20


def test_a_changed_deal_with_a_new_digest_is_found_out() -> None:
    """Who writes a new digest as well cannot deal other cards: any two that are exchanged between hands are missed."""
    record = record_of(finished("casino"))
    hands = [hand.split() for hand in record.moves[0].removeprefix("* ").split(" | ")]
    for mine, yours in product(hands[0], hands[1]):
        swapped = record.moves[0].replace(mine, "?").replace(yours, mine).replace("?", yours)
        forged = msgspec.structs.replace(record, moves=(swapped,), outcome=None, by_clock=())

        assert "other_luck" == refused(forged)
