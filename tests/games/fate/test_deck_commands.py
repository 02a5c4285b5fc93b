"""`oddsmith fate draw` and `fate deck`: a deck in a file with a lock and a digest."""

import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oddsmith import wire
from oddsmith.errors import RecordError
from oddsmith.games.fate import deck_files
from oddsmith.games.fate.deck_commands import DeckReply, DrawReply
from oddsmith.games.fate.odds import check_odds
from oddsmith.games.fate.rules import DEFAULT
from oddsmith.question import Share
from tests.cli.running import environment, run

pytestmark = pytest.mark.usefixtures("folder")

DECK = ("--deck", "table.json")
TINY = ("--set", "redraws_per_check=0", "--set", "extras_per_check=0")


@pytest.fixture
def deck_file(folder: Path) -> Path:
    """Return a fresh deck in the file table.json."""
    run("fate", "deck", "new", "table.json", "--seed", "yuma")
    return folder / "table.json"


def draw(*arguments: str, **changes: str) -> DrawReply:
    """Draw and return the reply."""
    return run("fate", "draw", *arguments, "--json", **changes).reply(DrawReply)


def show_deck(path: Path) -> DeckReply:
    """Return the reply of `fate deck show`."""
    return run("fate", "deck", "show", str(path), "--json").reply(DeckReply)


# --- drawing ---------------------------------------------------------------------------------------------------------


def test_2_4_a_draw_is_printed_with_its_chance(deck_file: Path) -> None:
    """Cards, value, total, success, trigger, cards left, and the file."""
    result = run(
        "fate", "draw", *DECK, "--target", "4", "--modifier", "1", "--trigger", "both(red)", "--seed", "a"
    )

    assert [
        "A♥ BJ   value 4 + 1 = 5",
        "success: 5 against 4   chance before: 63.40 % (exact: 97/153)",
        "both(red): does not fire   chance before: 23.53 % (exact: 4/17)",
        "draw 1: 16 cards left, 2 discarded   table.json",
    ] == result.lines
    assert deck_file.exists()


def test_7_1_the_chance_counts_all_seen_cards(deck_file: Path) -> None:
    """Before every draw the chance is that of `check_odds` with all seen cards."""
    for number in range(1, 12):
        before = show_deck(deck_file).memory
        reply = draw(*DECK, "--target", "3", "--trigger", "single(spade)")
        odds = check_odds(before, DEFAULT, triggers=["single(spade)"])

        assert number == reply.draw
        assert Share.of(*odds.at_least(3).as_integer_ratio()) == reply.chance
        assert Share.of(*odds.fires(0).as_integer_ratio()) == reply.triggers[0].chance
        assert (reply.result.total >= 3) == reply.result.success


def test_3_2_the_deck_is_reshuffled_when_one_card_is_left(deck_file: Path) -> None:
    """Nine draws of two: with the first card of the ninth one is left, and 17 cards are shuffled without it."""
    replies = [draw(*DECK) for _ in range(9)]
    memory = show_deck(deck_file).memory

    assert [False] * 8 + [True] == [reply.reshuffled for reply in replies]
    assert (16, 2) == (replies[-1].left, replies[-1].discards)
    assert set(replies[-1].result.cards) == {*memory.discard}
    assert (None,) * 16 == memory.deck
    assert 18 == len({*memory.unseen, *memory.discard})
    assert len({card for reply in replies[:8] for card in reply.result.cards}) == 16


def test_3_2_a_reshuffle_is_printed(deck_file: Path) -> None:
    """The line gives the reason; without a target, the chance is that of at least this total."""
    for _ in range(16):
        run("fate", "draw", *DECK, "--off-turn")
    lines = run("fate", "draw", *DECK, "--count", "1").lines

    assert "one card was left: the deck was reshuffled" == lines[2]
    assert " or more   chance before: " in lines[1]
    assert "draw 17: 17 cards left, 1 discarded   table.json" == lines[3]
    assert deck_file.exists()


def test_2_1_on_turn_off_turn_or_a_given_number_of_cards(deck_file: Path) -> None:
    counts = [len(draw(*DECK, *how).result.cards) for how in ((), ("--off-turn",), ("--count", "3"))]

    assert [2, 1, 3] == counts
    assert 3 == show_deck(deck_file).draws


def test_3_4_a_draw_is_limited_by_the_cards_that_can_be_out(deck_file: Path) -> None:
    """The rules allow five cards out at once; a refused draw changes nothing."""
    before = deck_file.read_bytes()
    result = run("fate", "draw", *DECK, "--count", "6")

    assert (2, "error: at most 5 cards are out of this deck at once, not 6 (§3.4)\n") == (
        result.status,
        result.err,
    )
    assert before == deck_file.read_bytes()


def test_a_draw_with_too_many_cases_has_no_chance(folder: Path) -> None:
    """Five of forty cards have more hands than are counted: they are drawn without a chance."""
    forty = ", ".join(f'{{name="c{number}", value={number}, suit="none"}}' for number in range(40))
    run("fate", "deck", "new", "table.json", "--set", f"cards=[{forty}]")
    result = run("fate", "draw", *DECK, "--count", "5", "--trigger", "sum > 6")

    assert [True, True] == [
        line.endswith("too many ways to count which chance that had") for line in result.lines[1:3]
    ]
    assert (None, None) == (
        (reply := draw(*DECK, "--count", "5", "--trigger", "sum > 6")).chance,
        reply.triggers[0].chance,
    )
    assert (folder / "table.json").exists()


def test_a_bad_trigger_is_refused_before_a_card_is_drawn(deck_file: Path) -> None:
    before = deck_file.read_bytes()

    assert "bad_trigger" == run("fate", "draw", *DECK, "--trigger", "sngle(spade)", "--json").refusal.code
    assert before == deck_file.read_bytes()


def test_modifiers_may_be_negative(deck_file: Path) -> None:
    """The total has a minus sign; the check may still succeed."""
    result = run("fate", "draw", *DECK, "--modifier", "-1", "--target", "-1", "--trigger", "cards == 2")

    assert " − 1 = " in result.lines[0]
    assert result.lines[1].startswith("success: ")
    assert "cards == 2: fires   chance before: 100 % (exact: 1)" == result.lines[2]
    assert deck_file.exists()


def test_2_4_a_failure_is_printed(deck_file: Path) -> None:
    """No two cards reach 7."""
    total = draw(*DECK, "--seed", "a").result.total
    run("fate", "deck", "shuffle", "table.json")

    assert (
        f"failure: {total} against 7   chance before: 0 % (exact: 0)"
        == run("fate", "draw", *DECK, "--seed", "a", "--target", "7").lines[1]
    )
    assert deck_file.exists()


def test_a_fresh_deck_is_created_at_the_first_draw(folder: Path) -> None:
    """The file of the user's own deck and its folder are created, named in the output and used from then on."""
    own = str(folder / "state" / "own.json")
    first = run("fate", "draw", ODDSMITH_FATE_DECK=own).lines
    second = run("fate", "draw", ODDSMITH_FATE_DECK=own).lines

    assert f"a fresh deck is in {own}" == first[0]
    assert f"draw 2: 14 cards left, 4 discarded   {own}" == second[-1]
    assert 2 == run("fate", "deck", "show", "--json", ODDSMITH_FATE_DECK=own).reply(DeckReply).draws
    assert ["2 cards of this deck", "deck      14 cards"] == run(
        "fate", "odds", "--kept", ODDSMITH_FATE_DECK=own
    ).lines[:2]


def test_the_default_deck_is_in_the_state_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the variable, or with an empty one, it is a file in oddsmith's state folder of the user."""
    monkeypatch.setenv(deck_files.VARIABLE, "")
    place = deck_files.deck_path(None)

    assert ("oddsmith", "fate-deck.json") == (place.parent.name, place.name)
    assert Path("other.json") == deck_files.deck_path(Path("other.json"))


def test_a_seeded_deck_draws_the_same_again(folder: Path) -> None:
    """The deck's seed decides every draw in turn; a seed given to a draw decides that draw."""
    drawn = []
    for name in ("a.json", "b.json"):
        run("fate", "deck", "new", name, "--seed", "yuma")
        drawn.append([draw("--deck", name).result.cards for _ in range(12)])

    assert drawn[0] == drawn[1]
    assert 12 == len({*drawn[0]})
    assert draw("--deck", "a.json", "--seed", "x").result == draw("--deck", "b.json", "--seed", "x").result
    assert (folder / "a.json").read_bytes() == (folder / "b.json").read_bytes()


def test_without_a_seed_draws_differ(folder: Path) -> None:
    """Two fresh decks hardly draw the same eight pairs."""
    drawn = [[draw("--deck", name).result.cards for _ in range(8)] for name in ("a.json", "b.json")]

    assert drawn[0] != drawn[1]
    assert (folder / "a.json").exists()


# --- the deck itself -------------------------------------------------------------------------------------------------


def test_a_new_deck_is_printed() -> None:
    """File, draws, seed and size."""
    assert [
        "table.json   0 draws so far, practice with the seed yuma",
        "deck      18 cards",
        "reshuffled after 17 more cards",
    ] == run("fate", "deck", "new", "table.json", "--seed", "yuma").lines


def test_a_deck_keeps_the_rules_it_was_created_with(deck_file: Path) -> None:
    run("fate", "deck", "new", "best.json", "--rules", "best", "--set", "on_turn=3")
    reply = draw("--deck", "best.json")

    assert 3 == len(reply.result.cards)
    assert max(DEFAULT.faces[card].value for card in reply.result.cards) == reply.result.value
    assert show_deck(deck_file).rules_id != reply.rules_id


def test_5_1_a_peek_shows_the_top_and_leaves_it_there(deck_file: Path) -> None:
    """Peeked cards are known and drawn next; a longer peek begins with them."""
    output = show_deck(deck_file)
    first = run("fate", "deck", "peek", "table.json", "--json").reply(DeckReply).memory
    second = run("fate", "deck", "peek", "table.json", "--count", "3", "--json").reply(DeckReply).memory

    assert None is output.memory.deck[0]
    assert first.deck[0] == second.deck[0]
    assert (15, 15) == (len(second.unseen), second.deck.count(None))
    assert second.deck[:2] == (reply := draw(*DECK)).result.cards
    assert Share.of(1, 1) == reply.chance
    assert ["1 draw so far", f"deck      16 cards, from the top: {second.deck[2]}, 15 unknown"] == [
        line.removeprefix("table.json   ").removesuffix(", practice with the seed yuma")
        for line in run("fate", "deck", "show", "table.json").lines[:2]
    ]


def test_5_1_a_peek_at_more_cards_than_the_deck_has_is_refused(deck_file: Path) -> None:
    """The refusal says how many there are."""
    result = run("fate", "deck", "peek", "table.json", "--count", "19")

    assert "error: you may peek at 1 to 18 cards, not 19: no more are there (§5.1)\n" == result.err
    assert (
        18
        == run("fate", "deck", "peek", "table.json", "--count", "18", "--json")
        .reply(DeckReply)
        .memory.deck.count(None)
        + 18
    )
    assert deck_file.exists()


def test_5_8_a_shuffle_forgets_everything(deck_file: Path) -> None:
    """Discards return and no card is known; the number of draws stays."""
    draw(*DECK)
    run("fate", "deck", "peek", "table.json")
    reply = run("fate", "deck", "shuffle", "table.json", "--json").reply(DeckReply)

    assert ((None,) * 18, (), 1) == (reply.memory.deck, reply.memory.discard, reply.draws)
    assert reply.memory == show_deck(deck_file).memory


def test_a_deck_is_not_replaced_without_force(deck_file: Path) -> None:
    """With --force a fresh deck replaces the file and keeps its permissions."""
    draw(*DECK)
    deck_file.chmod(0o640)
    before = deck_file.read_bytes()
    code = run("fate", "deck", "new", "table.json", "--json").refusal.code

    assert ("file_exists", before) == (code, deck_file.read_bytes())
    assert 0 == run("fate", "deck", "new", "table.json", "--force", "--json").reply(DeckReply).draws
    assert (0o640, 0) == (deck_file.stat().st_mode & 0o777, show_deck(deck_file).draws)


def test_two_paths_to_one_file_are_one_deck(deck_file: Path, folder: Path) -> None:
    """A symbolic link is followed and stays a link."""
    (folder / "link.json").symlink_to(deck_file)
    draw("--deck", "link.json")

    assert (folder / "link.json").is_symlink()
    assert 1 == show_deck(deck_file).draws


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("deck", "new", "nowhere/table.json"), "no deck can be written to 'nowhere/table.json': there is no folder 'nowhere'"),
        (("draw", "--deck", "."), "no deck can be written to '.': it is a folder"),
        (("draw", "--deck", "x" * 300), f"no deck can be written to '{'x' * 80}': file name too long"),
        (("deck", "show", "."), "the deck '.' cannot be read: is a directory"),
        (("deck", "show", "no.json"), "there is no deck 'no.json': oddsmith fate deck new makes one"),
        (("deck", "peek", "no.json"), "there is no deck 'no.json': oddsmith fate deck new makes one"),
        (("deck", "new", "table.json", "--seed", ""), "a seed has 1 to 200 characters"),
    ],
)  # fmt: skip
def test_an_unusable_path_is_refused(arguments: tuple[str, ...], reason: str, folder: Path) -> None:
    """The sentence says why; no file is created."""
    assert f"error: {reason}\n" == run("fate", *arguments).err
    assert [] == [*folder.iterdir()]


def test_a_link_to_itself_is_refused(folder: Path) -> None:
    (folder / "loop.json").symlink_to(folder / "loop.json")

    assert (
        "error: no deck can be written to 'loop.json': it is a link to itself\n"
        == run("fate", "draw", "--deck", "loop.json").err
    )


def test_a_failing_disk_loses_nothing(deck_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The deck file is unchanged, and no temporary file is left."""
    before = deck_file.read_bytes()

    def fail_without_space(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail_without_space)
    result = run("fate", "draw", *DECK)

    assert "error: no deck can be written to 'table.json': no space left on device\n" == result.err
    assert before == deck_file.read_bytes()
    assert [] == [*deck_file.parent.glob("*.part")]


@pytest.mark.parametrize("what", ["lock", "folder"])
def test_a_folder_that_cannot_be_written_is_refused(
    what: str, deck_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the lock nor the folder of the own deck can be created."""

    def deny(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("filelock.FileLock.acquire" if what == "lock" else "pathlib.Path.mkdir", deny)
    result = run("fate", "draw", ODDSMITH_FATE_DECK=str(deck_file))

    assert f"error: no deck can be written to '{str(deck_file)[:80]}': permission denied\n" == result.err


# --- damaged files ---------------------------------------------------------------------------------------------------


def forge(path: Path, change: Callable[[dict[str, Any]], object]) -> str:
    """Change a deck file, sign it again, and return the code it is refused with."""
    data = json.loads(path.read_bytes())
    data.pop(deck_files.DIGEST)
    change(data)
    path.write_bytes(wire.to_json(data | {deck_files.DIGEST: deck_files._digest(data)}))
    before = path.read_bytes()
    code = run("fate", "draw", "--deck", str(path), "--json").refusal.code

    assert before == path.read_bytes()

    return code


def test_a_truncated_file_is_refused(deck_file: Path) -> None:
    """The file stays as it is, and the sentence says what to do."""
    text = deck_file.read_bytes()
    deck_file.write_bytes(text[: len(text) // 2])

    assert (
        "error: 'table.json' is no valid deck file: it is not JSON, or it was truncated; "
        "this command left it unchanged, and oddsmith fate deck new --force overwrites it\n"
    ) == run("fate", "draw", *DECK).err
    assert text[: len(text) // 2] == deck_file.read_bytes()


def test_an_edited_file_is_refused(deck_file: Path) -> None:
    """A card moved by hand does not agree with the digest."""
    draw(*DECK, "--seed", "a")
    deck_file.write_text(
        deck_file.read_text(encoding="utf-8").replace('"card":"A♥"', '"card":"3♥"'), encoding="utf-8"
    )

    assert "deck_file_changed" == run("fate", "deck", "show", "table.json", "--json").refusal.code


def test_a_file_that_is_too_large_is_refused(deck_file: Path) -> None:
    deck_file.write_bytes(b" " * (deck_files.LARGEST + 1))

    assert "file_too_large" == run("fate", "deck", "show", "table.json", "--json").refusal.code


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("unknown_format", lambda data: data.update(format=2)),
        ("unknown_format", lambda data: data.pop("format")),
        ("bad_deck_file", lambda data: data.update(format=True)),
        ("bad_deck_file", lambda data: data.update(draws=-1)),
        ("bad_deck_file", lambda data: data.update(draws=10**30)),
        ("bad_deck_file", lambda data: data.update(seed="x" * 201)),
        ("bad_deck_file", lambda data: data.update(order=["3♠"])),
        ("bad_deck_file", lambda data: data.pop("deck")),
        ("bad_value", lambda data: data.pop("rules")),
        ("bad_value", lambda data: data["rules"].update(on_turn=0)),
        ("impossible_deck", lambda data: data["deck"]["pool"].pop()),
        ("impossible_deck", lambda data: data["deck"]["pool"].append("3♠")),
        ("impossible_deck", lambda data: data["deck"]["discard"].pop()),
        ("impossible_deck", lambda data: data["deck"]["deck"].pop()),
        ("impossible_deck", lambda data: data["deck"]["discard"].append({})),
        ("impossible_deck", lambda data: data["deck"]["discard"].append(data["deck"]["deck"].pop())),
        ("impossible_deck", lambda data: data["deck"]["discard"][0].update(seen=[1])),
        ("impossible_deck", lambda data: data["deck"]["discard"][0].update(seen=[])),
        ("impossible_deck", lambda data: data["deck"]["deck"][0].update(mixed=[[0, 1]])),
        ("impossible_deck", lambda data: data["deck"]["deck"][0].update(seen=[0])),
    ],
)  # fmt: skip
def test_1_1_inconsistent_contents_are_refused(
    code: str, change: Callable[[dict[str, Any]], object], deck_file: Path
) -> None:
    """Also with a matching digest: the cards must be those of the rules, each seen in its place or unseen."""
    draw(*DECK)

    assert code == forge(deck_file, change)


def test_3_2_a_deck_with_one_card_is_refused(deck_file: Path) -> None:
    """It would have been reshuffled."""
    run("fate", "deck", "peek", "table.json", "--count", "18")

    def discard_all_but_one(data: dict[str, Any]) -> None:
        data["deck"]["discard"], data["deck"]["deck"] = data["deck"]["deck"][1:], data["deck"]["deck"][:1]

    assert "impossible_deck" == forge(deck_file, discard_all_but_one)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(0, 2_000), junk=st.binary(max_size=12), gone=st.integers(0, 12))
def test_changed_bytes_are_refused(deck_file: Path, cut: int, junk: bytes, gone: int) -> None:
    """Any change gives a refusal or the same deck."""
    before = deck_files.read(deck_file)
    text = deck_file.read_bytes()
    other = deck_file.with_name("other.json")
    other.write_bytes(text[:cut] + junk + text[cut + gone :])
    try:
        found = deck_files.read(other)
    except RecordError:
        found = before

    assert before == found


# --- concurrent use --------------------------------------------------------------------------------------------------


def test_a_locked_deck_is_refused(deck_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a short wait, with the reason; showing the deck needs no lock."""
    monkeypatch.setattr(deck_files, "LOCK_SECONDS", 0.05)
    with FileLock(f"{deck_file}.lock"):
        result = run("fate", "draw", *DECK)

        assert 0 == show_deck(deck_file).draws

    assert "error: another command is using 'table.json': try again when it is done\n" == result.err

    assert 1 == draw(*DECK).draw


def test_two_processes_draw_different_cards(deck_file: Path) -> None:
    """Concurrent draws are all counted."""

    def draw_in_a_process(_: int) -> DrawReply:
        done = subprocess.run(
            [sys.executable, "-m", "oddsmith", "fate", "draw", *DECK, "--json"],
            capture_output=True,
            check=True,
            env=environment(),
        )
        return wire.from_json(done.stdout, DrawReply)

    with ThreadPoolExecutor(2) as pool:
        replies = [*pool.map(draw_in_a_process, range(4))]

    assert {1, 2, 3, 4} == {reply.draw for reply in replies}
    assert 8 == len({card for reply in replies for card in reply.result.cards})
    assert 4 == show_deck(deck_file).draws


def test_a_deck_of_three_cards_can_be_drawn_from() -> None:
    """The smallest deck: one card is out, and two are left."""
    cards = 'cards=[{name="a", value=1, suit="none", copies=3}]'
    run("fate", "deck", "new", "table.json", "--set", cards, *TINY, "--set", "on_turn=1")
    replies = [draw(*DECK) for _ in range(4)]

    assert [(2, 1, False), (2, 1, True), (2, 1, True), (2, 1, True)] == [
        (reply.left, reply.discards, reply.reshuffled) for reply in replies
    ]
