"""Every command is answered with applied, stale, duplicate or illegal."""

from typing import Any

import msgspec
import pytest

from oddsmith import wire
from oddsmith.chance import Seeded
from oddsmith.errors import InputError, RecordError, Refusal
from oddsmith.match import machine
from oddsmith.match.fold import apply_entry, replay_log
from oddsmith.match.machine import apply, open_match, seat_of
from oddsmith.match.model import (
    Abandonment,
    Act,
    Answer,
    Applied,
    BadToken,
    BotAct,
    Command,
    Duplicate,
    Illegal,
    Join,
    Leave,
    LeaveReason,
    Left,
    Made,
    Open,
    Opened,
    Seated,
    Stale,
    Tick,
)
from oddsmith.registry import find_game
from tests.match.drivers import MatchDriver

LONG_ID = "a-request-nobody-guesses"


def code(answer: Answer) -> str:
    """Return the code of a refusal."""
    assert isinstance(answer, Illegal)

    return answer.refusal.code


def test_a_match_begins_when_every_seat_is_taken() -> None:
    """Until then no seat can choose; then luck is dealt at once."""
    driver = MatchDriver("duel")
    first = driver.join("Ann")
    early = driver.act(0, "fight")
    driver.join("Bo")

    assert isinstance(first, Applied)
    assert "not_started" == code(early)
    assert [Seated, Made, Made] == [type(entry) for entry in driver.reaction.entries]


def test_a_match_of_bots_begins_at_once() -> None:
    assert [Opened, Made, Made] == [
        type(entry) for entry in MatchDriver("duel", bots=("random",) * 2).match.log
    ]


@pytest.mark.parametrize(
    ("bots", "refused"),
    [((None,) * 3, "bad_seats"), (("optimal", None), "unknown_bot"), (("x" * 5000, None), "unknown_bot")],
)
def test_an_invalid_opening_is_refused(bots: tuple[str | None, ...], refused: str) -> None:
    """Too many seats, a bot that is too slow, and an unknown one."""
    with pytest.raises(InputError) as caught:
        open_match(Open(rules=find_game("duel").rules_type(), bots=bots), 0, Seeded("yuma"))

    assert refused == caught.value.refusal.code
    assert 200 > len(str(caught.value))


def test_rules_that_are_too_long_for_a_log_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that could not be read again are not written."""
    rules = find_game("duel").rules_type()
    monkeypatch.setattr(type(rules), "to_toml", lambda _: "#" * 300_000)
    with pytest.raises(InputError) as caught:
        open_match(Open(rules=rules, bots=(None, None)), 0, Seeded("yuma"))

    assert "bad_value" == caught.value.refusal.code


@pytest.mark.parametrize(
    ("name", "refused"),
    [
        ("Ann\n", "bad_name"),
        (" Ann", "bad_name"),
        ("\u202eAnn", "bad_name"),
        ("\ud800", "bad_name"),
        ("", "bad_value"),
        ("A" * 41, "bad_value"),
    ],
)
def test_a_name_is_short_and_printable(name: str, refused: str) -> None:
    """No control characters, not blank, not long."""
    answer = MatchDriver().apply(Join(id=LONG_ID, name=name))

    assert refused == code(answer)


@pytest.mark.parametrize("seed", ["two words", "x" * 65, "ann\n"])
def test_a_seed_is_a_short_identifier(seed: str) -> None:
    """Even from a caller that did not validate it."""
    assert "bad_value" == code(MatchDriver().apply(Join(id=LONG_ID, name="Ann", seed=seed)))


@pytest.mark.parametrize("seat", [-1, 2, 10**30])
def test_an_unknown_seat_is_refused(seat: int) -> None:
    """As a taken one is, with the free seats."""
    answer = MatchDriver().join(seat=seat)

    assert "seat_taken" == code(answer)
    assert isinstance(answer, Illegal)
    assert f"seat {seat} is not free: seats 0, 1 are" == answer.refusal.sentence


def test_a_taken_seat_cannot_be_taken_again() -> None:
    """Neither explicitly, nor when no other is free."""
    driver = MatchDriver().fill()

    assert ["seat_taken", "seat_taken"] == [code(driver.join("Cy", seat=0)), code(driver.join("Cy"))]


def test_one_join_id_takes_one_seat() -> None:
    """A repeated join has the same token and version."""
    driver = MatchDriver()
    joined = driver.apply(Join(id=LONG_ID, name="Ann"))
    driver.join("Bo")
    again = [driver.apply(Join(id=LONG_ID, name="Ann", seat=seat)) for seat in (None, 0)]

    assert isinstance(joined, Applied)
    assert [Duplicate(version=joined.version, seat=0, token=joined.token)] * 2 == again
    assert () == driver.reaction.entries


@pytest.mark.parametrize(
    "more", [{"name": "Somebody"}, {"name": "Ann", "seed": "x"}, {"name": "Ann", "seat": 1}], ids=str
)
def test_a_join_id_with_another_request_is_refused(more: dict[str, Any]) -> None:
    """It gets neither a seat nor the token of the first."""
    driver = MatchDriver()
    driver.apply(Join(id=LONG_ID, name="Ann"))

    assert "repeated_id" == code(driver.apply(Join(id=LONG_ID, **more)))


def act(driver: MatchDriver, action: object, *, version: int | None = None) -> Answer:
    """Return the answer to a choice of seat 0 with the id `c`."""
    known = driver.match.version if version is None else version
    return driver.apply(Act(token=driver.tokens[0], id="c", version=known, action=action))


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("attack 0 1", "attack 0 2"),
        ("attack 0 1", "fight"),
        ({"type": "select_attack", "card_indices": [0]}, {"type": "select_attack", "card_indices": [1]}),
    ],
    ids=["another selection", "another move", "other data"],
)
def test_a_command_id_with_another_choice_is_refused(first: object, other: object) -> None:
    """The first one is a duplicate whatever its version says, also after a restart; the match is unchanged."""
    driver = MatchDriver("duel").fill()
    version = driver.match.version
    done = act(driver, first)
    restored = replay_log([*driver.match.log])
    again = [act(driver, first), act(driver, first, version=version)]
    refused = act(driver, other)
    late = apply(restored, Act(token=driver.tokens[0], id="c", version=version, action=other), 0)

    assert isinstance(done, Applied)
    assert [Duplicate(version=done.version)] * 2 == again
    assert ["repeated_id"] * 2 == [code(refused), code(late.answer)]
    assert driver.match.version == done.version


def test_the_id_of_a_choice_does_not_leave_the_match() -> None:
    """Nor does the id of a leave choose."""
    driver = MatchDriver("duel").fill()
    act(driver, "attack 0 1")
    left = driver.apply(Leave(token=driver.tokens[0], id="c"))
    driver.apply(Leave(token=driver.tokens[0], id="l"))
    chosen = driver.apply(Act(token=driver.tokens[0], id="l", version=driver.match.version, action="fight"))

    assert ["repeated_id"] * 2 == [code(left), code(chosen)]


def test_a_choice_of_an_older_log_has_no_checksum_and_is_a_duplicate() -> None:
    driver = MatchDriver("duel").fill()
    done = act(driver, "attack 0 1")
    log = [
        msgspec.structs.replace(entry, sent=0) if isinstance(entry, Made) else entry
        for entry in driver.match.log
    ]
    again = apply(replay_log(log), Act(token=driver.tokens[0], id="c", version=1, action="fight"), 0)

    assert Duplicate(version=done.version) == again.answer


def test_two_join_ids_take_two_seats() -> None:
    """One person may play against themselves."""
    driver = MatchDriver().fill()

    assert {0, 1} == {*driver.tokens}


def test_tokens_are_256_bits_and_stored_as_digests() -> None:
    """A log has no token, nor a join id that would give it again."""
    driver = MatchDriver()
    driver.apply(Join(id=LONG_ID, name="Ann"))
    joined = driver.apply(Join(id=LONG_ID, name="Ann"))
    assert isinstance(joined, Duplicate)
    assert joined.token is not None
    log = wire.to_json(tuple(driver.match.log))

    assert 256 == len(bytes.fromhex(joined.token)) * 8
    assert joined.token.encode() not in log
    assert LONG_ID.encode() not in log


def test_the_published_seed_does_not_reveal_tokens() -> None:
    """Tokens do not depend on the server's seed, which is published, but on a key that is not."""
    opened, *_ = MatchDriver().match.log
    assert isinstance(opened, Opened)

    def token(**changes: str) -> str | None:
        match = replay_log([msgspec.structs.replace(opened, **changes)])
        answer = apply(match, Join(id=LONG_ID, name="Ann"), 0).answer
        assert isinstance(answer, Applied)

        return answer.token

    assert token() == token(secret="ab" * 32)
    assert token() != token(key="ab" * 32)


@pytest.mark.parametrize("token", ["", "0" * 64, "\ud800", "é"])
def test_an_invalid_token_is_refused(token: str) -> None:
    """It can neither act nor leave."""
    driver = MatchDriver().fill()
    commands: list[Command] = [
        Act(token=token, id="x", version=driver.match.version, action="fight"),
        Leave(token=token, id="x"),
    ]

    answers = [driver.apply(command) for command in commands]

    assert seat_of(driver.match, token) is None
    assert [(BadToken, "bad_token")] * 2 == [(type(answer), code(answer)) for answer in answers]
    assert [wire.make_decoder(Answer)(wire.to_json(answer)) for answer in answers] == [
        Illegal(
            version=driver.match.version,
            refusal=Refusal("bad_token", "the token proves no seat of this match"),
        )
    ] * 2


def test_the_seat_is_that_of_the_token() -> None:
    """A line that begins with another seat's number is no move of that seat."""
    driver = MatchDriver().fill()
    answer = driver.act(1, "0 fight")
    driver.act(1, "fight")
    made = driver.match.log[-1]

    assert "bad_move" == code(answer)
    assert isinstance(made, Made)
    assert (1, "1 fight") == (made.seat, made.line)


def test_a_choice_is_a_line_or_data() -> None:
    """Both are logged in the game's notation."""
    lines = []
    for action in ("  attack   0 1", {"action": "select_attack", "card_indices": [0, 1]}):
        driver = MatchDriver().fill()
        driver.act(0, _with_tag(action))
        made = driver.match.log[-1]
        assert isinstance(made, Made)
        lines.append(made.line)

    assert ["0 attack 0 1", "0 attack 0 1"] == lines


def test_a_choice_may_have_the_spelling_of_the_source_document() -> None:
    """A game that has a second spelling reads both; an object with both is refused and changes nothing."""
    driver = MatchDriver().fill()
    refused = driver.act(0, {"type": "select_attack", "cardIndices": [0], "card_indices": [0]})
    driver.act(0, {"type": "select_attack", "cardIndices": [1, 0]})
    made = driver.match.log[-1]

    assert "bad_move" == code(refused)
    assert isinstance(made, Made)
    assert "0 attack 0 1" == made.line


def _with_tag(action: object) -> object:
    """Return a selection with the tag that the game gives it."""
    game = find_game("duel")
    choice = game.read(game.setup(game.rules_type(), 2), "0 attack 0 1")
    return action if isinstance(action, str) else wire.to_builtins(getattr(choice, "action", None))


@pytest.mark.parametrize(
    "action", [None, 7, [], {}, {"action": "x" * 500}, "x" * 501, "", "*", "\ud800", "\0"]
)
def test_an_invalid_choice_is_illegal(action: object) -> None:
    """And changes nothing."""
    driver = MatchDriver().fill()
    before = driver.match
    answer = driver.act(0, action)

    assert code(answer) in {"bad_move", "bad_value"}
    assert before is driver.match
    assert wire.to_json(answer)


def test_a_choice_has_at_most_500_characters() -> None:
    """A longer one is not passed to the game."""
    sentence = "no move takes more than 500 characters"
    answers = [MatchDriver().fill().act(0, "x" * length) for length in (500, 501)]

    assert [False, True] == [sentence in str(answer) for answer in answers]


def test_deeply_nested_data_is_illegal() -> None:
    """Data as deep as a parser accepts are refused like any other."""
    deep: list[Any] = []
    for _ in range(900):
        deep = [deep]

    assert "bad_move" == code(MatchDriver().fill().act(0, deep))


def test_a_choice_that_the_rules_refuse_is_illegal() -> None:
    """With the game's own refusal."""
    driver = MatchDriver().fill()
    driver.act(0, "fight")

    assert "not_your_turn" == code(driver.act(0, "fight"))


def test_a_command_for_another_version_is_stale() -> None:
    """The answer has the current version; legality is not checked."""
    driver = MatchDriver().fill()
    version = driver.match.version

    assert [Stale(version=version)] * 2 == [
        driver.act(0, "fight", version=version - 1),
        driver.act(0, "nonsense", version=version + 1),
    ]
    assert Stale(version=version) == driver.apply(BotAct(seat=0, version=version + 1, action="fight"))


def test_a_duplicate_gets_the_same_answer() -> None:
    """Even with the current version: the choice is not made twice."""
    driver = MatchDriver().fill()
    first = driver.act_command(0, "attack 0 1")
    applied = driver.apply(first)
    driver.act(1, "fight")
    resent = msgspec.structs.replace(first, version=driver.match.version)

    assert isinstance(applied, Applied)
    assert [Duplicate(version=applied.version)] * 2 == [driver.apply(first), driver.apply(resent)]


def test_the_version_of_an_answer_includes_the_luck_that_followed() -> None:
    """Applied and duplicate have the version after the last card that was dealt."""
    driver = MatchDriver().fill()
    driver.act(0, "fight")
    last = driver.act_command(1, "fight")
    applied = driver.apply(last)
    dealt = driver.match.version
    driver.act(0, "attack 0")

    assert Applied(version=dealt) == applied
    assert Duplicate(version=dealt) == driver.apply(last)


@pytest.mark.parametrize("seat", [-1, 0, 2])
def test_bot_commands_are_for_bots_alone(seat: int) -> None:
    """A bot's choice for a player's seat, or for none, is refused."""
    driver = MatchDriver("duel", bots=(None, "random")).fill()
    answers = [
        driver.apply(BotAct(seat=number, version=driver.match.version, action="fight"))
        for number in (seat, 1)
    ]

    assert "no_bot" == code(answers[0])
    assert isinstance(answers[1], Applied)


def test_command_ids_are_per_seat() -> None:
    """Two seats may use the same id for different commands."""
    driver = MatchDriver().fill()

    assert [Applied, Applied] == [type(driver.act(seat, "attack 0", id="same")) for seat in (0, 1)]


@pytest.mark.parametrize("command_id", ["", "x" * 65, "a b", "a\n", "\ud800"])
def test_a_command_id_is_a_short_identifier(command_id: str) -> None:
    """An id that could not be read from the log is not written, nor that of a leave."""
    driver = MatchDriver().fill()
    leave = Leave(token=driver.tokens[0], id=command_id)

    assert ["bad_value"] * 2 == [code(driver.act(0, "fight", id=command_id)), code(driver.apply(leave))]


def test_a_line_that_is_too_long_for_the_log_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that writes a move with more than 500 characters cannot damage a log."""
    driver = MatchDriver().fill()
    monkeypatch.setattr(type(find_game("duel")), "write", lambda *_: "0 " + "x" * 500)

    assert "bad_value" == code(driver.act(0, "fight"))


def test_a_finished_match_accepts_no_command() -> None:
    """Act, leave and join are refused because the match is over."""
    driver = MatchDriver().fill()
    driver.leave(0)
    refused = [
        code(driver.act(1, "fight")),
        code(driver.leave(1)),
        code(driver.join("Cy")),
    ]

    assert ["match_over"] * 3 == refused
    assert [Stale(version=driver.match.version)] * 2 == [
        driver.apply(Tick()),
        driver.apply(Tick(is_deserted=True)),
    ]


def test_a_player_who_leaves_loses_to_all_others() -> None:
    """The match is abandoned with that seat, and all others have won."""
    driver = MatchDriver("fate").fill()
    leave = Leave(token=driver.tokens[1], id="bye")
    applied = driver.apply(leave)

    assert Abandonment(why=LeaveReason.GIVEN_UP, seat=1, winners=(0, 2)) == driver.match.abandonment
    assert driver.match.is_abandoned
    assert Duplicate(version=getattr(applied, "version", 0)) == driver.apply(leave)


def test_a_deserted_match_has_no_winner() -> None:
    """It is abandoned without a seat."""
    driver = MatchDriver().fill()
    driver.apply(Tick(is_deserted=True))

    assert Abandonment(why=LeaveReason.DESERTED, seat=None, winners=()) == driver.match.abandonment


def test_leaving_before_the_match_begins_frees_the_seat() -> None:
    """The match keeps waiting, the token is invalid, and another player can join."""
    driver = MatchDriver()
    driver.join("Ann", seed="anns-seed")
    leave = Leave(token=driver.tokens[0], id="bye")
    applied = driver.apply(leave)
    again = driver.apply(leave)
    stranger = driver.leave(0)
    driver.join("Bo")
    driver.join("Cy")

    assert (Applied(version=3), Duplicate(version=3)) == (applied, again)
    assert "bad_token" == code(stranger)
    assert ["Bo", "Cy"] == [chair.name for chair in driver.match.chairs]
    assert "" == driver.match.chairs[0].seed
    assert driver.match.state is not None


def test_a_repeated_join_of_a_freed_seat_takes_no_seat() -> None:
    driver = MatchDriver()
    joined = driver.apply(Join(id=LONG_ID, name="Ann"))
    driver.apply(Leave(token=getattr(joined, "token", ""), id="bye"))

    assert "seat_left" == code(driver.apply(Join(id=LONG_ID, name="Ann")))


def test_the_number_of_freed_seats_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a number of entries, a leave abandons a match that has not begun; it has no winner."""
    monkeypatch.setattr(machine, "MOST_SEATINGS", 4)
    driver = MatchDriver()
    for name in ("Ann", "Bo"):
        driver.join(name)
        driver.leave(0)

    assert Abandonment(why=LeaveReason.GIVEN_UP, seat=0, winners=()) == driver.match.abandonment


def test_the_number_of_choices_of_a_seat_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat beyond the limit has given up; its last choice is answered with that."""
    monkeypatch.setattr(machine, "MOST_CHOICES", 3)
    driver = MatchDriver().fill()
    commands = [driver.act_command(0, "attack 0")]
    answers = [driver.apply(commands[0])]
    for _ in range(2):
        driver.act(1, "attack 0")
        commands.append(driver.act_command(0, "attack 0"))
        answers.append(driver.apply(commands[-1]))

    assert Abandonment(why=LeaveReason.TOO_LONG, seat=0, winners=(1,)) == driver.match.abandonment
    assert Applied(version=driver.match.version) == answers[-1]
    assert Duplicate(version=driver.match.version) == driver.apply(commands[-1])


OPENED = MatchDriver().match.log[0]
SAT = Seated(at=0, seat=0, name="Ann", token="0" * 64, request="0" * 64, seed="")


@pytest.mark.parametrize(
    "log",
    [
        (),
        (SAT,),
        (OPENED, OPENED),
        (OPENED, SAT, SAT),
        (OPENED, msgspec.structs.replace(SAT, seat=2)),
        (OPENED, Made(at=0, line="0 fight", seat=0)),
        (OPENED, Left(at=0), Left(at=0)),
        (*MatchDriver().fill().match.log, Made(at=0, line="0 fight", seat=1)),
        (*MatchDriver().fill().match.log, Made(at=0, line="0 fight")),
        (*MatchDriver().fill().match.log, Left(at=0, seat=0, id="x", why=LeaveReason.SEAT_FREED)),
    ],
)
def test_an_invalid_log_is_refused(log: tuple[Any, ...]) -> None:
    """A log begins with its opening, seats are taken once, seats move for themselves, and nothing follows the end."""
    with pytest.raises(RecordError) as caught:
        replay_log(log)

    assert "bad_log" == caught.value.refusal.code


def test_time_does_not_run_backwards() -> None:
    """If the server's clock is behind, an entry gets the time of the last one."""
    driver = MatchDriver().fill()
    driver.now -= 500
    driver.act(0, "fight")

    assert 1_000 == driver.match.at
    assert driver.match == apply_entry(replay_log([*driver.match.log][:-1]), driver.match.log[-1])


@pytest.mark.parametrize(
    "text",
    [
        b'{"id":"short","name":"Ann"}',
        b'{"id":"a-request-nobody-guesses","name":""}',
        b'{"id":"a-request-nobody-guesses","name":"Ann","seat":-1}',
        b'{"id":"a-request-nobody-guesses","name":"Ann","seat":100}',
        b'{"id":"a-request-nobody-guesses\\n","name":"Ann"}',
    ],
)
def test_a_join_is_validated_when_it_is_decoded(text: bytes) -> None:
    """A short id, a seat out of range, and a trailing line break are refused."""
    with pytest.raises(InputError) as caught:
        wire.from_json(text, Join)

    assert "bad_json" == caught.value.refusal.code
