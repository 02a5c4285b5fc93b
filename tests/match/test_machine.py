"""A command is answered with applied, stale, duplicate or illegal, and never with silence."""

from typing import Any

import msgspec
import pytest

from oddsmith import wire
from oddsmith.chance import Seeded
from oddsmith.errors import InputError, RecordError, Refusal
from oddsmith.match import machine
from oddsmith.match.fold import after, replayed
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
    Left,
    Made,
    Open,
    Opened,
    Parting,
    Seated,
    Stale,
    Tick,
)
from oddsmith.registry import find_game
from tests.match.sittings import Sitting

LONG_ID = "a-request-nobody-guesses"


def code(answer: Answer) -> str:
    """Return the code of a refusal."""
    assert isinstance(answer, Illegal)

    return answer.refusal.code


def test_a_match_begins_when_every_seat_is_taken() -> None:
    """Until then nobody chooses; then luck deals at once."""
    sitting = Sitting("duel")
    first = sitting.join("Ann")
    early = sitting.act(0, "fight")
    sitting.join("Bo")

    assert isinstance(first, Applied)
    assert "not_started" == code(early)
    assert [Seated, Made, Made] == [type(entry) for entry in sitting.reaction.entries]


def test_bots_alone_begin_at_once() -> None:
    """A match of bots is dealt when it is opened."""
    assert [Opened, Made, Made] == [type(entry) for entry in Sitting("duel", bots=("random",) * 2).match.log]


@pytest.mark.parametrize(
    ("bots", "refused"),
    [((None,) * 3, "bad_seats"), (("optimal", None), "unknown_bot"), (("x" * 5000, None), "unknown_bot")],
)
def test_what_cannot_be_opened_is_refused(bots: tuple[str | None, ...], refused: str) -> None:
    """Too many seats, a bot too slow for a table, and one that nobody knows are refused in few words."""
    with pytest.raises(InputError) as caught:
        open_match(Open(rules=find_game("duel").rules_type(), bots=bots), 0, Seeded("yuma"))

    assert refused == caught.value.refusal.code
    assert 200 > len(str(caught.value))


def test_rules_that_are_too_long_for_a_log_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be read again is not written."""
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
    """Nothing that acts on a terminal, nothing blank, nothing long."""
    answer = Sitting().apply(Join(id=LONG_ID, name=name))

    assert refused == code(answer)


@pytest.mark.parametrize("seed", ["two words", "x" * 65, "ann\n"])
def test_a_seed_is_a_short_word(seed: str) -> None:
    """What a record could not hold is not taken, even from a caller that did not decode it."""
    assert "bad_value" == code(Sitting().apply(Join(id=LONG_ID, name="Ann", seed=seed)))


@pytest.mark.parametrize("seat", [-1, 2, 10**30])
def test_a_seat_must_be_there(seat: int) -> None:
    """A seat that there is not is refused as one that is taken, with those that are free."""
    answer = Sitting().join(seat=seat)

    assert "seat_taken" == code(answer)
    assert isinstance(answer, Illegal)
    assert f"seat {seat} is not free: seats 0, 1 are" == answer.refusal.sentence


def test_a_taken_seat_is_not_taken_again() -> None:
    """Neither by asking for it, nor when no other is free."""
    sitting = Sitting().fill()

    assert ["seat_taken", "seat_taken"] == [code(sitting.join("Cy", seat=0)), code(sitting.join("Cy"))]


def test_one_request_takes_one_seat() -> None:
    """Who joins twice with one id has one seat, and is told the same token and version again."""
    sitting = Sitting()
    joined = sitting.apply(Join(id=LONG_ID, name="Ann"))
    sitting.join("Bo")
    again = sitting.apply(Join(id=LONG_ID, name="Somebody", seat=1))

    assert isinstance(joined, Applied)
    assert Duplicate(version=joined.version, seat=0, token=joined.token) == again
    assert () == sitting.reaction.entries


def test_two_requests_take_two_seats() -> None:
    """Nobody can tell that two people are one: who joins with two ids plays against themselves."""
    sitting = Sitting().fill()

    assert {0, 1} == {*sitting.tokens}


def test_tokens_are_256_bits_and_kept_as_digests() -> None:
    """A log holds no token, nor a request that would give it once more."""
    sitting = Sitting()
    sitting.apply(Join(id=LONG_ID, name="Ann"))
    joined = sitting.apply(Join(id=LONG_ID, name="Ann"))
    assert isinstance(joined, Duplicate)
    assert joined.token is not None
    log = wire.to_json(tuple(sitting.match.log))

    assert 256 == len(bytes.fromhex(joined.token)) * 8
    assert joined.token.encode() not in log
    assert LONG_ID.encode() not in log


def test_the_seed_that_is_shown_opens_no_seat() -> None:
    """Tokens do not depend on the server's seed, which everybody knows in the end, but on a key that nobody learns."""
    opened, *_ = Sitting().match.log
    assert isinstance(opened, Opened)

    def token(**changes: str) -> str | None:
        match = replayed([msgspec.structs.replace(opened, **changes)])
        answer = apply(match, Join(id=LONG_ID, name="Ann"), 0).answer
        assert isinstance(answer, Applied)

        return answer.token

    assert token() == token(secret="ab" * 32)
    assert token() != token(key="ab" * 32)


@pytest.mark.parametrize("token", ["", "0" * 64, "\ud800", "é"])
def test_what_is_no_token_proves_no_seat(token: str) -> None:
    """A stranger can neither act nor leave."""
    sitting = Sitting().fill()
    commands: list[Command] = [
        Act(token=token, id="x", version=sitting.match.version, action="fight"),
        Leave(token=token, id="x"),
    ]

    answers = [sitting.apply(command) for command in commands]

    assert seat_of(sitting.match, token) is None
    assert [(BadToken, "bad_token")] * 2 == [(type(answer), code(answer)) for answer in answers]
    assert [wire.decoder(Answer)(wire.to_json(answer)) for answer in answers] == [
        Illegal(
            version=sitting.match.version,
            refusal=Refusal("bad_token", "the token proves no seat of this match"),
        )
    ] * 2


def test_the_seat_comes_from_the_token() -> None:
    """A line that begins with another seat's number is no move of that seat."""
    sitting = Sitting().fill()
    answer = sitting.act(1, "0 fight")
    sitting.act(1, "fight")
    made = sitting.match.log[-1]

    assert "bad_move" == code(answer)
    assert isinstance(made, Made)
    assert (1, "1 fight") == (made.seat, made.line)


def test_a_choice_is_a_line_or_data() -> None:
    """Both are written into the log as the game writes them."""
    lines = []
    for action in ("  attack   0 1", {"action": "select_attack", "card_indices": [0, 1]}):
        sitting = Sitting().fill()
        sitting.act(0, _tagged(action))
        made = sitting.match.log[-1]
        assert isinstance(made, Made)
        lines.append(made.line)

    assert ["0 attack 0 1", "0 attack 0 1"] == lines


def _tagged(action: object) -> object:
    """Return a selection with the tag that the game gives it."""
    game = find_game("duel")
    choice = game.read(game.setup(game.rules_type(), 2), "0 attack 0 1")
    return action if isinstance(action, str) else wire.builtins(getattr(choice, "action", None))


@pytest.mark.parametrize(
    "action", [None, 7, [], {}, {"action": "x" * 500}, "x" * 501, "", "*", "\ud800", "\0"]
)
def test_what_is_no_choice_is_illegal(action: object) -> None:
    """Whatever is sent in place of a choice is refused, and changes nothing."""
    sitting = Sitting().fill()
    before = sitting.match
    answer = sitting.act(0, action)

    assert code(answer) in {"bad_move", "bad_value"}
    assert before is sitting.match
    assert wire.to_json(answer)


def test_deep_data_are_no_choice() -> None:
    """Data as deep as a parser lets through are refused like any other."""
    deep: list[Any] = []
    for _ in range(900):
        deep = [deep]

    assert "bad_move" == code(Sitting().fill().act(0, deep))


def test_a_choice_that_the_rules_refuse_is_illegal() -> None:
    """The refusal is the game's own."""
    sitting = Sitting().fill()
    sitting.act(0, "fight")

    assert "not_your_turn" == code(sitting.act(0, "fight"))


def test_a_command_for_another_version_is_stale() -> None:
    """It is told the current version, before it is asked whether it would be legal."""
    sitting = Sitting().fill()
    version = sitting.match.version

    assert [Stale(version=version)] * 2 == [
        sitting.act(0, "fight", version=version - 1),
        sitting.act(0, "nonsense", version=version + 1),
    ]
    assert Stale(version=version) == sitting.apply(BotAct(seat=0, version=version + 1, action="fight"))


def test_a_duplicate_is_answered_as_it_was() -> None:
    """Also when it is sent for the version that is current by then: the choice is not made twice."""
    sitting = Sitting().fill()
    first = sitting.acting(0, "attack 0 1")
    applied = sitting.apply(first)
    sitting.act(1, "fight")
    resent = msgspec.structs.replace(first, version=sitting.match.version)

    assert isinstance(applied, Applied)
    assert [Duplicate(version=applied.version)] * 2 == [sitting.apply(first), sitting.apply(resent)]


def test_the_answer_of_a_choice_covers_the_luck_that_followed() -> None:
    """Applied and duplicate name the version after the last card that the choice led to."""
    sitting = Sitting().fill()
    sitting.act(0, "fight")
    last = sitting.acting(1, "fight")
    applied = sitting.apply(last)
    dealt = sitting.match.version
    sitting.act(0, "attack 0")

    assert Applied(version=dealt) == applied
    assert Duplicate(version=dealt) == sitting.apply(last)


@pytest.mark.parametrize("seat", [-1, 0, 2])
def test_a_driver_moves_bots_alone(seat: int) -> None:
    """A bot's choice for a person's seat, or for none, is refused."""
    sitting = Sitting("duel", bots=(None, "random")).fill()
    answers = [
        sitting.apply(BotAct(seat=number, version=sitting.match.version, action="fight"))
        for number in (seat, 1)
    ]

    assert "no_bot" == code(answers[0])
    assert isinstance(answers[1], Applied)


def test_ids_are_per_seat() -> None:
    """Two seats may use the same id for different commands."""
    sitting = Sitting().fill()

    assert [Applied, Applied] == [type(sitting.act(seat, "attack 0", id="same")) for seat in (0, 1)]


@pytest.mark.parametrize("command_id", ["", "x" * 65, "a b", "a\n", "\ud800"])
def test_an_id_is_a_short_word(command_id: str) -> None:
    """What the log could not be read with is not written into it, nor is a leaver's."""
    sitting = Sitting().fill()
    leave = Leave(token=sitting.tokens[0], id=command_id)

    assert ["bad_value"] * 2 == [code(sitting.act(0, "fight", id=command_id)), code(sitting.apply(leave))]


def test_a_line_that_is_too_long_for_the_log_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that writes a move as more than 500 characters cannot spoil a log."""
    sitting = Sitting().fill()
    monkeypatch.setattr(type(find_game("duel")), "write", lambda *_: "0 " + "x" * 500)

    assert "bad_value" == code(sitting.act(0, "fight"))


def test_after_the_end_nothing_is_done() -> None:
    """Who acts, leaves or joins is told that the match is over."""
    sitting = Sitting().fill()
    sitting.leave(0)
    refused = [
        code(sitting.act(1, "fight")),
        code(sitting.leave(1)),
        code(sitting.join("Cy")),
    ]

    assert ["match_over"] * 3 == refused
    assert [Stale(version=sitting.match.version)] * 2 == [
        sitting.apply(Tick()),
        sitting.apply(Tick(is_deserted=True)),
    ]


def test_who_gives_up_loses_to_all_others() -> None:
    """The match is abandoned, by whom is said, and everybody else has won."""
    sitting = Sitting("fate").fill()
    leave = Leave(token=sitting.tokens[1], id="bye")
    applied = sitting.apply(leave)

    assert Abandonment(why=Parting.GIVEN_UP, seat=1, winners=(0, 2)) == sitting.match.abandonment
    assert sitting.match.is_abandoned
    assert Duplicate(version=getattr(applied, "version", 0)) == sitting.apply(leave)


def test_a_deserted_match_is_won_by_nobody() -> None:
    """The driver gives it up in the name of all."""
    sitting = Sitting().fill()
    sitting.apply(Tick(is_deserted=True))

    assert Abandonment(why=Parting.DESERTED, seat=None, winners=()) == sitting.match.abandonment


def test_who_leaves_before_the_beginning_frees_the_seat() -> None:
    """The match goes on waiting, the token proves nothing any more, and somebody else can sit down."""
    sitting = Sitting()
    sitting.join("Ann", seed="anns-seed")
    leave = Leave(token=sitting.tokens[0], id="bye")
    applied = sitting.apply(leave)
    again = sitting.apply(leave)
    stranger = sitting.leave(0)
    sitting.join("Bo")
    sitting.join("Cy")

    assert (Applied(version=3), Duplicate(version=3)) == (applied, again)
    assert "bad_token" == code(stranger)
    assert ["Bo", "Cy"] == [chair.name for chair in sitting.match.chairs]
    assert "" == sitting.match.chairs[0].seed
    assert sitting.match.state is not None


def test_a_request_that_took_a_freed_seat_takes_no_other() -> None:
    """A joiner that arrives once more after it left does not sit down again by accident."""
    sitting = Sitting()
    joined = sitting.apply(Join(id=LONG_ID, name="Ann"))
    sitting.apply(Leave(token=getattr(joined, "token", ""), id="bye"))

    assert "seat_left" == code(sitting.apply(Join(id=LONG_ID, name="Ann")))


def test_seats_are_not_freed_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """After so many entries, who leaves ends a match that never began; nobody has won it."""
    monkeypatch.setattr(machine, "MOST_SEATINGS", 4)
    sitting = Sitting()
    for name in ("Ann", "Bo"):
        sitting.join(name)
        sitting.leave(0)

    assert Abandonment(why=Parting.GIVEN_UP, seat=0, winners=()) == sitting.match.abandonment


def test_a_match_is_not_drawn_out_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat that has chosen so often has given the match up; its last choice is answered with that."""
    monkeypatch.setattr(machine, "MOST_CHOICES", 3)
    sitting = Sitting().fill()
    commands = [sitting.acting(0, "attack 0")]
    answers = [sitting.apply(commands[0])]
    for _ in range(2):
        sitting.act(1, "attack 0")
        commands.append(sitting.acting(0, "attack 0"))
        answers.append(sitting.apply(commands[-1]))

    assert Abandonment(why=Parting.TOO_LONG, seat=0, winners=(1,)) == sitting.match.abandonment
    assert Applied(version=sitting.match.version) == answers[-1]
    assert Duplicate(version=sitting.match.version) == sitting.apply(commands[-1])


OPENED = Sitting().match.log[0]
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
        (*Sitting().fill().match.log, Made(at=0, line="0 fight", seat=1)),
        (*Sitting().fill().match.log, Made(at=0, line="0 fight")),
        (*Sitting().fill().match.log, Left(at=0, seat=0, id="x", why=Parting.SEAT_FREED)),
    ],
)
def test_what_is_no_log_is_refused(log: tuple[Any, ...]) -> None:
    """A log begins with its opening, seats are taken once, seats move for themselves, and the end is the end."""
    with pytest.raises(RecordError) as caught:
        replayed(log)

    assert "bad_log" == caught.value.refusal.code


def test_time_does_not_run_backwards() -> None:
    """A server whose clock is behind writes the time of the last entry."""
    sitting = Sitting().fill()
    sitting.now -= 500
    sitting.act(0, "fight")

    assert 1_000 == sitting.match.at
    assert sitting.match == after(replayed([*sitting.match.log][:-1]), sitting.match.log[-1])


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
def test_what_a_joiner_sends_is_bounded_when_it_is_read(text: bytes) -> None:
    """An id that can be guessed, a seat beyond all, and a line break at the end do not get through."""
    with pytest.raises(InputError) as caught:
        wire.from_json(text, Join)

    assert "bad_json" == caught.value.refusal.code
