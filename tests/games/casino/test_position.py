"""Positions as TOML: every state of a game is written and read back, and impossible ones are refused."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.bot import RandomBot
from oddsmith.cards import cards
from oddsmith.chance import Seeded
from oddsmith.errors import InputError, OddsmithError, RulesError
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Build, State
from oddsmith.games.casino.position import read_position, read_position_file, write_position
from oddsmith.games.casino.rules import Rules
from oddsmith.records import play

HANDS = 'hands = ["7♦ 3♠ A♠ A♥", "K♣ 2♠ 2♥ 2♦"]\n'
TABLE = """
players = 2
rules = "traditional"
deal = 1
turn = 1
hands = ["7♦ 3♠ as", "K♣ 2♠"]
loose = "9♠"
builds = [
    { cards = "5♠ 4♠", value = 9, owner = 0 },
    { cards = "Q♦ K♦", value = 20, owner = 1 },
]
piles = ["", "10♠, J♠"]
sweeps = [0, 1]
last_capture = 1
stock = "the rest"
"""
PILE = " ".join(card.text for card in Rules().cards if card.text not in ("A♦", "7♦", "K♣"))
WITHOUT_AN_ACE = f'hands = ["7♦", "K♣"]\npiles = ["{PILE}", ""]\nstock = ""\nlast_capture = 0'
RULESETS = (
    *Rules.presets().values(),
    Rules(capture_targets=3, sweep_points=2),
    Rules.preset("short").replace(sweep_points=0),
)


def states_of_game(rules: Rules, seats: int, seed: str) -> list[State]:
    """Return every state of a random game."""
    luck, start = Seeded(seed), GAME.setup(rules, seats)
    return [start, *(ply.after for ply in play(GAME, start, [RandomBot(luck)] * seats, luck))]


@pytest.mark.parametrize("seats", [2, 3, 4])
@settings(max_examples=20)
@given(rules=st.sampled_from(RULESETS), seed=st.text("abcdef", min_size=1, max_size=8), data=st.data())
def test_every_state_of_a_game_is_read_back(seats: int, rules: Rules, seed: str, data: st.DataObject) -> None:
    """From before the first deal to the end, under any rules."""
    state = data.draw(st.sampled_from(states_of_game(rules, seats, seed)))

    assert state == read_position(write_position(state))


def test_a_position_is_read() -> None:
    """Cards in any order and spelling, builds with their owners, and the rest in the stock."""
    state = read_position(TABLE)

    assert Rules.preset("traditional") == state.rules
    assert (cards("A♠ 3♠ 7♦"), cards("2♠ K♣")) == state.hands
    assert cards("9♠") == state.loose
    assert (Build(cards("4♠ 5♠"), 9, 0), Build(cards("Q♦ K♦"), 20, 1)) == state.builds
    assert ((), cards("10♠ J♠")) == state.piles
    assert (0, 1) == state.sweeps
    assert (1, 1, 1) == (state.turn, state.deal, state.last_capture)
    assert 40 == len(state.stock)


def test_missing_fields_have_defaults() -> None:
    """Two hands and the loose cards are a first deal: the stock gives the deal, and no seat has captured."""
    state = read_position(f'{HANDS}loose = "9♠ 9♥ 8♠ 8♥"')

    assert (2, 0, 1, None) == (state.players, state.turn, state.deal, state.last_capture)
    assert ((), ()) == state.piles
    assert (0, 0) == state.sweeps


def test_the_rest_may_be_anywhere() -> None:
    """In a pile, when the stock is empty."""
    state = read_position('hands = ["7♦", "K♣"]\npiles = ["the rest", ""]\nstock = ""\nlast_capture = 0')

    assert (50, 0, 6) == (len(state.piles[0]), len(state.stock), state.deal)


def test_rules_may_be_a_toml_table() -> None:
    """It may extend a preset."""
    state = read_position(f'{HANDS}loose = "9♠ 9♥ 8♠ 8♥"\n[rules]\nextends = "traditional"\nsweep_points = 2')

    assert Rules.preset("traditional").replace(sweep_points=2) == state.rules


@pytest.mark.parametrize(
    ("code", "where", "text"),
    [
        ("unknown_key", "handz", 'handz = ["7♦", "K♣"]'),
        ("missing_key", "hands", 'loose = "9♠"'),
        ("bad_toml", "end of document", "hands = ["),
        ("bad_value", "hands", 'hands = "7♦"'),
        ("bad_value", "hands[1]", 'hands = ["7♦", 4]'),
        ("bad_value", "turn", f'{HANDS}turn = "me"'),
        ("bad_value", "deal", f"{HANDS}deal = 11"),
        ("bad_value", "rules", f"rules = 1\n{HANDS}"),
        ("bad_value", "builds[0].owner", f'{HANDS}builds = [{{ cards = "4♠ 5♠" }}]'),
        ("unknown_key", "builds[0].card", f'{HANDS}builds = [{{ card = "4♠ 5♠", owner = 0 }}]'),
        ("bad_seats", "hands", "hands = []"),
        ("bad_seats", "hands", 'hands = ["", "", "", "", ""]'),
        ("bad_seats", "players", f"{HANDS}players = 3"),
        ("bad_seats", "piles", f'{HANDS}piles = [""]'),
        ("bad_seats", "sweeps", f"{HANDS}sweeps = [0, 0, 0]"),
        ("bad_seats", "turn", f"{HANDS}turn = 2"),
        ("bad_seats", "last_capture", f"{HANDS}last_capture = 3"),
        ("unknown_card", "loose", f'{HANDS}loose = "1♠"'),
        ("unknown_card", "hands[1]", f'rules = "short"\n{HANDS}'),
        ("unknown_card", "loose", f'{HANDS}loose = "RJ"'),
        ("card_twice", "loose", f'{HANDS}loose = "7♦"'),
        ("card_twice", "hands[0]", 'hands = ["7♦ 7♦", "K♣"]'),
        ("missing_card", None, f'{HANDS}loose = "9♠ 9♥ 8♠ 8♥"\nstock = ""'),
        ("two_rests", "stock", f'{HANDS}piles = ["the rest", ""]'),
        ("bad_stock", "stock", HANDS),
        ("bad_stock", "stock", f'{HANDS}loose = "9♠ 9♥ 8♠ 8♥"\ndeal = 2'),
        ("bad_deal", "deal", f'{HANDS}loose = "9♠ 9♥ 8♠ 8♥"\ndeal = 7'),
        ("bad_build", "builds[0]", f'{HANDS}loose = "9♠ 9♥ 8♠"\nbuilds = [{{ cards = "4♠", owner = 0 }}]'),
        ("wrong_value", "builds[0]", f'{HANDS}loose = "9♠ 9♥"\nbuilds = [{{ cards = "4♠ 5♠", value = 8, owner = 0 }}]'),
        ("wrong_owner", "builds[0]", f'{HANDS}loose = "9♠ 9♥"\nbuilds = [{{ cards = "4♠ 5♠", owner = 2 }}]'),
        ("above_ten", "builds[0]", f'{HANDS}loose = "9♠ 9♥"\nbuilds = [{{ cards = "8♠ 5♠", owner = 0 }}]'),
        ("bad_hand", "hands[0]", 'hands = ["7♦ 3♠ A♠ A♥ 5♠", "K♣ 2♠ 2♥ 2♦"]\nloose = "9♠ 9♥ 8♠"'),
        ("bad_turn", "turn", 'hands = ["7♦ 3♠ A♠ A♥", ""]\nloose = "9♠ 9♥ 8♠ 8♥ 5♠ 5♥ 4♠ 4♥"\nturn = 1'),
        ("bad_last_capture", "last_capture", f'{HANDS}piles = ["9♠ 9♥ 8♠ 8♥", ""]'),
        ("bad_last_capture", "last_capture", f'{HANDS}piles = ["9♠ 9♥ 8♠ 8♥", ""]\nlast_capture = 1'),
        ("bad_sweeps", "sweeps[0]", f'{HANDS}piles = ["9♠ 9♥ 8♠ 8♥", ""]\nlast_capture = 0\nsweeps = [3, 0]'),
        ("bad_position", "loose", 'hands = ["", ""]\nloose = "A♠"\npiles = ["the rest", ""]\nstock = ""\nlast_capture = 0'),
        ("file_too_large", None, "#" * 70_000),
    ],
)  # fmt: skip
def test_impossible_positions_are_refused(code: str, where: str | None, text: str) -> None:
    """The refusal has the path of the field."""
    with pytest.raises(InputError) as caught:
        read_position(text)

    assert (code, where) == (caught.value.refusal.code, caught.value.refusal.where)


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("7♦ lies in hands[0] and in loose: every card is there once", f'{HANDS}loose = "7♦"'),
        ("7♦ lies twice in hands[0]: every card is there once", 'hands = ["7♦ 7♦", "K♣"]'),
        ("4♠ is nowhere, and so are 39 more: every card lies in hands, loose, builds, piles or stock", f'{HANDS}loose = "9♠ 9♥ 8♠ 8♥"\nstock = ""'),
        ("A♦ is nowhere: every card lies in hands, loose, builds, piles or stock", WITHOUT_AN_ACE),
        ("stock: 52, 40, 32, 24, 16, 8 or 0 cards are left after a deal, not 44: name those that lie elsewhere", HANDS),
        ("builds[0]: 4♠ + 5♠ is 9, not 8", f'{HANDS}loose = "9♠ 9♥"\nbuilds = [{{ cards = "4♠ 5♠", value = 8, owner = 0 }}]'),
        ("hands[1]: K♣ is not in the short deck", f'rules = "short"\n{HANDS}'),
    ],
)  # fmt: skip
def test_a_refusal_says_what_is_valid(sentence: str, text: str) -> None:
    """The card, the path, the number."""
    with pytest.raises(InputError) as caught:
        read_position(text)

    assert sentence == str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        f"{HANDS}players = {'1' * 4_000}",
        f"{HANDS}players = -{'1' * 4_000}",
        f'{HANDS}loose = "9♠ 9♥"\nbuilds = [{{ cards = "4♠ 5♠", value = {"9" * 4_000}, owner = 0 }}]',
        f"{HANDS}{'k' * 60_000} = 1",
        f'{HANDS}builds = [{{ cards = "4♠ 5♠", owner = 0, {"k" * 60_000} = 1 }}]',
        f"{HANDS}[rules]\n{'k' * 60_000} = 1",
    ],
    ids=["many players", "few players", "a value", "a key", "a key of a build", "a key of the rules"],
)
def test_the_length_of_a_refusal_is_bounded(text: str) -> None:
    """Sentence and path are short for any number or name in the file."""
    with pytest.raises(OddsmithError) as caught:
        read_position(text)

    assert len(str(caught.value)) < 500
    assert len(caught.value.refusal.where or "") < 100


def test_4_3_a_marriage_needs_two_card_captures() -> None:
    """Without them no move could take it."""
    text = f'{HANDS}loose = "9♠ 9♥"\nbuilds = [{{ cards = "K♠ Q♠", owner = 0 }}]\n[rules]\ntwo_card_capture = false'
    with pytest.raises(InputError) as caught:
        read_position(text)

    assert ("no_marriages", "4.3") == (caught.value.refusal.code, caught.value.refusal.paragraph)


@pytest.mark.parametrize(
    ("code", "where", "rules"),
    [
        ("unknown_preset", "rules", 'rules = { extends = "shot" }'),
        ("unknown_preset", None, 'rules = "shot"'),
        ("bad_value", "rules.deck", 'rules = { deck = "shot" }'),
        ("unknown_key", "rules.dek", 'rules = { dek = "short" }'),
    ],
)
def test_invalid_rules_are_refused(code: str, where: str | None, rules: str) -> None:
    """As rules are, with their path in the file."""
    with pytest.raises(RulesError) as caught:
        read_position(f"{rules}\n{HANDS}")

    assert (code, where) == (caught.value.refusal.code, caught.value.refusal.where)


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(TABLE, encoding="utf-8")

    assert read_position(TABLE) == read_position_file(path)


def test_an_unreadable_file_is_refused(tmp_path: Path) -> None:
    """A missing file, a binary one, one that is too large."""
    latin, large = tmp_path / "latin.toml", tmp_path / "large.toml"
    latin.write_bytes(b'loose = "\xe9"')
    large.write_bytes(b"#" * 70_000)
    refused = []
    for path in (tmp_path / "nothing.toml", latin, large):
        with pytest.raises(OddsmithError) as caught:
            read_position_file(path)
        refused.append(caught.value.refusal.code)

    assert ["no_position", "not_text", "file_too_large"] == refused
