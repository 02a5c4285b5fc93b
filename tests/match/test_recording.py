"""Records of matches prove their luck."""

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
from tests.match.drivers import SEATS, MatchDriver, finished_match


def with_labels(record: Record, **labels: str | None) -> Record:
    """Return a record with changed labels and a valid digest; None removes a label."""
    changed = {name: text for name, text in {**record.labels, **labels}.items() if text is not None}
    return msgspec.structs.replace(record, labels=changed)


def refusal_code(record: Record, sealed: str | None = None) -> str:
    """Return the code with which a record is refused."""
    with pytest.raises(RecordError) as caught:
        verify_fair(record, sealed=sealed)
    return caught.value.refusal.code


@pytest.mark.parametrize("game", SEATS)
def test_every_card_and_die_is_drawn_again(game: str) -> None:
    """A record of a finished match verifies: all its luck, and all choices of the clock."""
    match = finished_match(game)
    record = read_record(record_of(match).to_toml(), find_game)
    verified = verify_fair(record, sealed=commitment(match.secret))
    made = [entry for entry in match.log if isinstance(entry, Made)]

    assert record_of(match) == record
    assert (Proof.PROVEN, len(made)) == (verified.proof, verified.plies)
    assert sum(entry.seat is None for entry in made) == verified.luck
    assert sum(entry.by_clock for entry in made) == verified.by_clock
    assert verified.plies == verified.choices + verified.luck + verified.by_clock


def test_the_clock_has_chosen_in_the_finished_matches() -> None:
    """Otherwise the tests of its choices would prove nothing."""
    assert sum(len(record_of(finished_match(game)).by_clock) for game in SEATS) > 10


@pytest.mark.parametrize("game", SEATS)
def test_a_record_becomes_a_match_again(game: str) -> None:
    """The match that is read from a record has the same record, the same end and the same luck."""
    record = record_of(finished_match(game))
    match = replay_log(log_of(record))

    assert record == record_of(match)
    assert finished_match(game).outcome == match.outcome


def test_the_seats_are_in_the_record() -> None:
    """Names and bots by seat, seeds by seat."""
    record = record_of(finished_match("duel"))

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
    """With its reason and its seat; its luck verifies as far as it went, and it becomes a match again."""
    driver = MatchDriver("casino").fill()
    driver.move()
    if by_whom is None:
        driver.apply(Tick(is_deserted=True))
    else:
        driver.leave(by_whom)
    record = record_of(driver.match)

    assert labels == {name: text for name, text in record.labels.items() if name.startswith("abandoned")}
    assert Proof.PROVEN is verify_fair(record).proof
    assert driver.match.abandonment == replay_log(log_of(record)).abandonment


def test_a_running_match_has_no_public_record() -> None:
    """It would show every hidden card; a private one has no seeds."""
    match = MatchDriver("casino").fill().match
    with pytest.raises(RecordError) as caught:
        record_of(match)
    record = record_of(match, while_running=True)

    assert "match_running" == caught.value.refusal.code
    assert Proof.SEALED is verify_fair(record).proof
    assert not [name for name in record.labels if "seed" in name]
    assert match.secret not in record.to_toml()


def test_a_match_that_has_not_begun_has_no_record() -> None:
    """Not even when it was deserted."""
    driver = MatchDriver("casino")
    driver.apply(Tick(is_deserted=True))
    with pytest.raises(RecordError) as caught:
        record_of(driver.match)

    assert "not_started" == caught.value.refusal.code


def test_a_practice_game_proves_nothing_about_luck() -> None:
    """Its moves are verified; it has no commitment to compare, and no match in it."""
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
    assert "other_commitment" == refusal_code(record, "0" * 64)
    assert "no_seeds" == caught.value.refusal.code


def test_another_commitment_than_the_published_one_is_refused() -> None:
    """A server that invents another seed afterwards is detected."""
    record = record_of(finished_match("duel"))

    assert "other_commitment" == refusal_code(record, "0" * 64)


def test_a_seed_that_does_not_match_the_commitment_is_refused() -> None:
    """The commitment is the SHA-256 of the seed."""
    assert "wrong_seed" == refusal_code(with_labels(record_of(finished_match("duel")), server_seed="ab" * 32))


@pytest.mark.parametrize("label", ["match", "client_seed_0"])
def test_luck_that_the_seeds_do_not_give_is_refused(label: str) -> None:
    """Another match id, or another player seed, gives other luck."""
    assert "other_luck" == refusal_code(with_labels(record_of(finished_match("casino")), **{label: "other"}))


def test_a_wrong_choice_of_the_clock_is_refused() -> None:
    """A choice that is marked as the clock's must be the one that it would have drawn."""
    record = record_of(finished_match("duel"))
    chosen = [
        ply for ply, line in enumerate(record.moves, 1) if line[0] != "*" and ply not in record.by_clock
    ]
    forged = msgspec.structs.replace(record, by_clock=tuple(chosen[:5]))

    assert "other_luck" == refusal_code(forged)


def test_the_clock_does_not_choose_luck() -> None:
    record = record_of(finished_match("duel"))

    assert "bad_ply" == refusal_code(msgspec.structs.replace(record, by_clock=(1,)))


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
def test_labels_of_committed_luck_are_validated(labels: Mapping[str, str | None], code: str) -> None:
    """Missing or malformed labels are refused before anything is drawn."""
    record = with_labels(record_of(finished_match("duel")), **labels)
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
def test_labels_that_describe_no_match_are_refused(labels: Mapping[str, str]) -> None:
    with pytest.raises(RecordError) as caught:
        log_of(with_labels(record_of(finished_match("duel")), **labels))

    assert "bad_label" == caught.value.refusal.code


def test_every_end_of_a_match_has_a_label() -> None:
    """All reasons except for the freeing of a seat, which ends no match."""
    record = record_of(finished_match("duel"))
    entries = [log_of(with_labels(record, abandoned=why.value))[-1] for why in END_REASONS]

    assert [*map(str, LeaveReason)][1:] == [getattr(entry, "why", None) for entry in entries]


def test_a_flipped_bit_of_any_byte_is_detected() -> None:
    """Any changed byte of a record's text is refused, unless it means the same as before."""
    driver = MatchDriver("casino").fill()
    for _ in range(3):
        driver.move()
    driver.leave(1)
    record = record_of(driver.match)
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


def test_a_changed_deal_with_a_new_digest_is_detected() -> None:
    """Any two cards that are exchanged between hands contradict the seeds."""
    record = record_of(finished_match("casino"))
    hands = [hand.split() for hand in record.moves[0].removeprefix("* ").split(" | ")]
    for mine, yours in product(hands[0], hands[1]):
        swapped = record.moves[0].replace(mine, "?").replace(yours, mine).replace("?", yours)
        forged = msgspec.structs.replace(record, moves=(swapped,), outcome=None, by_clock=())

        assert "other_luck" == refusal_code(forged)
