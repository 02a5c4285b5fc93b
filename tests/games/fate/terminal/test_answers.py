"""`oddsmith fate …`: exact odds from known cards, gains of abilities, triggers in plain words."""

from fractions import Fraction
from pathlib import Path

import pytest
from PIL import Image

from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.memory import Memory, MixedSet
from oddsmith.games.fate.odds import certainty_of
from oddsmith.games.fate.questions.abilities import AbilitiesReply, UncountedAbility
from oddsmith.games.fate.questions.checks import CheckOddsReply, JointWays, TriggerReply, TriggerShare
from oddsmith.games.fate.rules import DEFAULT
from oddsmith.games.fate.terminal.answers import known_lines
from oddsmith.games.fate.triggers import read_trigger
from oddsmith.games.fate.wording import describe_certainty, describe_trigger
from oddsmith.question import Share
from tests.cli.running import read_rest, run, terminal

pytestmark = pytest.mark.usefixtures("folder")

TWINS = 'cards=[{name="one", value=1, suit="none", copies=4}, {name="two", value=2, suit="none", copies=5}]'
TINY = ("--set", "redraws_per_check=0", "--set", "extras_per_check=0", "--set", "on_turn=1")
FORTY = "cards=[" + ", ".join(f'{{name="c{n}", value={n}, suit="none"}}' for n in range(40)) + "]"
SINGLE_CARD = 'cards=[{name="lone", value=1, suit="none"}]'


# --- help ------------------------------------------------------------------------------------------------------------


# --- odds ------------------------------------------------------------------------------------------------------------


def test_7_1_two_cards_of_a_fresh_deck() -> None:
    """153 pairs: the sums 0 to 6 occur 10, 20, 26, 41, 26, 20, 10 times; the mean is 3."""
    reply = run("fate", "odds", "--target", "4", "--json").reply(CheckOddsReply)

    assert (
        153,
        ((0, 10), (1, 20), (2, 26), (3, 41), (4, 26), (5, 20), (6, 10)),
        Fraction(3),
        Share.of(56, 153),
        17,
    ) == (reply.total, reply.totals, reply.mean, reply.success, reply.left)


def test_7_1_odds_in_the_terminal() -> None:
    """Bars for the totals, the chance as a fraction, triggers, joint chances, checks to the reshuffle."""
    lines = run("fate", "odds", "--target", "5", "--modifier", "1", "--trigger", "single(spade)").lines

    assert [
        "2 cards of a fresh deck, + 1",
        "deck      18 cards",
        "",
        "1   6.54 %  █████████▊",
        "2  13.07 %  ███████████████████▌",
        "3  16.99 %  █████████████████████████▍",
        "4  26.80 %  ████████████████████████████████████████",
        "5  16.99 %  █████████████████████████▍",
        "6  13.07 %  ███████████████████▌",
        "7   6.54 %  █████████▊",
        "in 153 ways (exact); mean 4.00",
        "reaches 5 in 36.60 % (exact: 56/153)",
        "",
        "trigger          fires  and reaches 5",
        "single(spade)  45.10 %        13.73 %",
        "",
        "total   in all  with the trigger",
        "    1   6.54 %            4.58 %",
    ] == lines[:18]
    assert (
        "17 cards can be drawn before the deck is reshuffled: 11.56 checks (exact) are expected where 1/2 of them are on turn"
        == lines[-1]
    )


def test_7_1_seen_cards_change_the_odds() -> None:
    """With the A♠ on top, three threes among 13 unseen cards reach 4; the black joker lies below."""
    known = ("--seen", "3♠ J♥, RJ", "--top", "AS", "--bottom", "BJ")
    reply = run("fate", "odds", "--target", "4", *known, "--json").reply(CheckOddsReply)

    assert (("A♠", *[None] * 13, "BJ"), ("3♠", "J♥", "RJ")) == (reply.memory.deck, reply.memory.discard)
    assert Share.of(3, 13) == reply.success
    assert [
        "2 cards of this deck",
        "deck      15 cards, from the top: A♠, 13 unknown, BJ",
        "discards  3, from the top: 3♠ J♥ RJ",
        "unseen    13: 2♠ J♠ A♥ 2♥ 3♥ A♣ 2♣ 3♣ J♣ A♦ 2♦ 3♦ J♦",
    ] == run("fate", "odds", *known).lines[:4]


def test_7_1_cards_in_a_hand_and_unseen_discards_count_too() -> None:
    """Cards in a hand are in no pile; a card discarded unseen is one of the unseen cards."""
    reply = run("fate", "odds", "--draw", "1", "--out", "3♠ 3♥", "--discards", "4", "--json").reply(
        CheckOddsReply
    )

    assert (12, 4, 16) == (len(reply.memory.deck), len(reply.memory.discard), len(reply.memory.unseen))
    assert ((0, 5), (1, 4), (2, 4), (3, 3)) == reply.totals


def test_7_1_joint_chances_of_totals_and_triggers() -> None:
    """Each total is split by the triggers that fire; the terminal numbers the triggers."""
    command = ("fate", "odds", "--draw", "1", "--trigger", "single(spade)", "--trigger", "none(any)")
    reply = run(*command, "--json").reply(CheckOddsReply)

    assert JointWays(total=0, fired=(True, False), ways=2) in reply.joint
    assert JointWays(total=3, fired=(False, True), ways=1) in reply.joint
    assert [Share.of(5, 18), Share.of(1, 18)] == [one.fires for one in reply.triggers]
    assert [None, None] == [one.with_target for one in reply.triggers]
    assert [
        "trigger            fires",
        "1 single(spade)  27.78 %",
        "2 none(any)       5.56 %",
        "",
        "total   in all   with 1  with 2",
        "    0  27.78 %  11.11 %     0 %",
    ] == run(*command).lines[9:15]


def test_one_way_is_written_in_the_singular() -> None:
    """With all cards known, a total has one way; copies have their number."""
    lines = run("fate", "odds", "--set", TWINS, "--top", "one two").lines

    assert "unseen    7: one ×3 two ×4" == lines[2]
    assert ["3  100 %  " + "█" * 40, "in 1 way (exact); mean 3.00"] == lines[4:6]


@pytest.mark.parametrize(("share", "checks"), [("1", "9"), ("0", "17"), ("100%", "9"), ("0.0", "17")])
def test_7_3_checks_to_the_reshuffle(share: str, checks: str) -> None:
    """Nine on-turn checks or seventeen off-turn ones take a fresh deck to its last card."""
    assert Fraction(checks) == run("fate", "odds", "--share", share, "--json").reply(CheckOddsReply).checks


def test_a_large_deck_is_abbreviated() -> None:
    """Of more than sixty kinds of unseen cards, only the first are named."""
    kinds = ", ".join(f'{{name="c{number}", value=1, suit="none"}}' for number in range(70))
    lines = run("fate", "odds", "--set", f"cards=[{kinds}]", "--seen", "c0").lines

    assert lines[3].startswith("unseen    69: c1 c2 ")
    assert lines[3].endswith(" c60 …")


def test_7_2_mixed_cards_are_written_as_sets() -> None:
    """Cards in an unknown order are in parentheses, with the number of positions that they may have."""
    memory = Memory(
        deck=(1, 1, None, "3♠"),
        discard=(1, None, 2),
        sets=(MixedSet(("A♠", "2♥"), 1), MixedSet(("J♠",), 0)),
        unseen=("A♣", "A♦"),
    )

    assert [
        "deck      4 cards, from the top: 2 of (A♠ [red]2♥[/] and 1 unknown) in any order, 1 unknown, 3♠",
        "discards  3, from the top: 1 of (A♠ [red]2♥[/] and 1 unknown) in any order, 1 unknown, 1 of (J♠) in any order",
        "unseen    2: A♣ [red]A♦[/]",
    ] == [*known_lines(memory, DEFAULT)]


def test_a_chart_without_a_target(folder: Path) -> None:
    """The mean is in its title; charts with many totals have no label for each."""
    kinds = ", ".join(f'{{name="c{number}", value={number}, suit="none"}}' for number in range(30))
    run("fate", "odds", "--set", f"cards=[{kinds}]", "--plot", "odds.png", "--json")
    with Image.open(folder / "odds.png") as picture:
        kind, size = picture.format, picture.size

    assert ("PNG", (800, 450)) == (kind, size)


# --- abilities -------------------------------------------------------------------------------------------------------


def test_7_4_abilities_are_ranked_by_what_they_add() -> None:
    """Peeking at three cards and reordering them adds 29 points to 36.60 %; a reshuffle of a fresh deck adds none."""
    lines = run("fate", "abilities", "--target", "4").lines

    assert [
        "2 cards of a fresh deck",
        "deck      18 cards",
        "reaches 4 in 36.60 % (exact: 56/153)",
        "",
        "ability              cards  goes well      adds",
        "peek, reorder            3    65.93 %  +29.33 %",
        "extra card               1    65.93 %  +29.33 %",
        "redraw                   2    61.68 %  +25.08 %",
        "peek, to the bottom      1    49.84 %  +13.24 %",
        "peek, reorder            2    36.60 %         =",
        "reshuffle               18    36.60 %         =",
        "exact, each used as well as it can be",
    ] == lines


def test_7_4_an_ability_may_lower_the_chance() -> None:
    """A reshuffle loses a best card that is known to be on top. A trigger may be the only condition."""
    command = ("fate", "abilities", "--draw", "1", "--top", "3♠", "--trigger", "single(spade)")
    reply = run(*command, "--json").reply(AbilitiesReply)
    worst = reply.abilities[-1]

    assert (Fraction(1), "single(spade)", None) == (reply.chance, reply.trigger, reply.target)
    assert ((Ability.RESHUFFLE,), Fraction(5, 18) - 1) == (worst.abilities, worst.gain)
    assert "reshuffle               18    27.78 %  −72.22 %" == run(*command).lines[-2]
    assert "fires single(spade) in 100 % (exact: 1)" == run(*command).lines[3]


def test_7_4_an_ability_that_cannot_be_counted_is_named() -> None:
    """Three cards and three more have too many orders: the ability is listed without a number."""
    command = ("fate", "abilities", "--draw", "3", "--target", "5")
    uncounted = UncountedAbility(abilities=(Ability.REDRAW,), cards=3)

    assert (uncounted,) == run(*command, "--json").reply(AbilitiesReply).uncounted
    assert [
        "redraw                   3          –         –",
        "exact, each used as well as it can be; – where there are too many ways to count",
    ] == run(*command).lines[-2:]


def test_5_9_without_abilities_only_the_chance_is_shown() -> None:
    """Holds with a target, a trigger or both."""
    command = ("fate", "abilities", "--trigger", "single(spade)", "--set", "abilities.peek=0")
    none = [f"abilities.{ability}=0" for ability in Ability]
    without = [word for setting in none for word in ("--set", setting)]
    alone = run(*command, *without, "--json").reply(AbilitiesReply)
    with_target = run(*command, "--target", "4", *without, "--json").reply(AbilitiesReply)

    assert (Fraction(23, 51), ()) == (alone.chance, alone.abilities)
    assert (Fraction(21, 153), ()) == (with_target.chance, with_target.abilities)
    assert "exact, each used as well as it can be" == run(*command, *without).lines[-1]


# --- triggers --------------------------------------------------------------------------------------------------------


def test_4_4_a_trigger_in_plain_words_with_its_odds() -> None:
    """Exactly one spade: 5 of 18 cards, 69 of 153 pairs."""
    assert [
        "fires when exactly one card is a spade",
        "1 card: 27.78 % (exact: 5/18)",
        "2 cards: 45.10 % (exact: 23/51)",
        "of a fresh deck; a wild card counts as the suit that suits best, a card without suit as none",
    ] == run("fate", "trigger", "single(spade)").lines


def test_4_4_a_trigger_as_json() -> None:
    """The same counts: spade and heart is 24 of 153 pairs, and no single card."""
    reply = run("fate", "trigger", "pair(♠, ♥)", "--json").reply(TriggerReply)

    assert (
        TriggerShare(cards=1, fires=Share.of(0, 1)),
        TriggerShare(cards=2, fires=Share.of(8, 51)),
    ) == reply.odds


def test_4_4_a_trigger_has_one_line_where_both_draws_are_equal() -> None:
    assert 3 == len(run("fate", "trigger", "single(any)", *TINY).lines)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("single(spade, heart)", "exactly one card is a spade or a heart"),
        ("both(red)", "there are two cards, each red"),
        ("pair(black, diamond)", "there are two cards: one is black, the other is a diamond"),
        ("at_least(1, club)", "at least 1 card is a club"),
        ("at_least(2, any)", "at least 2 cards are of any suit"),
        ("none(club)", "no card is a club"),
        ("cards == 2", "the number of cards is exactly 2"),
        ("sum != 3", "the sum of the values is not 3"),
        ("highest < 3", "the highest value is less than 3"),
        ("lowest > 1", "the lowest value is more than 1"),
        ("sum <= 3 and sum >= 1", "the sum of the values is at most 3, and the sum of the values is at least 1"),
        ("(both(red) or none(red)) and sum > 2", "(there are two cards, each red, or no card is red), and the sum of the values is more than 2"),
        ("not (none(red) and sum > 2)", "not: (no card is red, and the sum of the values is more than 2)"),
        ("not none(red) and sum > 2", "(not: no card is red), and the sum of the values is more than 2"),
        ("not both(spade) or sum > 2", "(not: there are two cards, each a spade), or the sum of the values is more than 2"),
        ("none(red) or sum > 2 and none(black)", "no card is red, or (the sum of the values is more than 2, and no card is black)"),
    ],
)  # fmt: skip
def test_4_4_every_condition_has_plain_words(text: str, sentence: str) -> None:
    """Conditions, comparisons and connectives; parentheses only where they are needed."""
    assert sentence == describe_trigger(read_trigger(text))


def test_4_1_a_mark_shows_where_a_trigger_is_wrong() -> None:
    """In a terminal the trigger has a mark below the position that the sentence names."""
    with terminal("fate", "trigger", "single(spdae)", NO_COLOR="1") as child:
        status, output = read_rest(child)

    assert 2 == status
    assert ["  single(spdae)", "         ^"] == output.splitlines()[:2]
    assert output.splitlines()[2].startswith("error: trigger, at 8: 'spdae' is no suit")


def test_4_1_without_a_terminal_the_sentence_is_one_line() -> None:
    result = run("fate", "trigger", "single(spdae)")

    assert (2, "", 1) == (result.status, result.out, result.err.count("\n"))


# --- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("unknown_card", ("odds", "--seen", "4♠")),
        ("unknown_card", ("odds", "--top", "x" * 100_000)),
        ("card_too_often", ("odds", "--seen", "3♠ 3♠")),
        ("card_too_often", ("odds", "--seen", "3♠", "--top", "3♠")),
        ("too_few_cards", ("odds", "--discards", "18")),
        ("too_few_cards", ("odds", "--draw", "3", "--set", 'cards=[{name="a", value=1, suit="none", copies=3}]', *TINY)),
        ("bad_trigger", ("odds", "--trigger", "")),
        ("bad_trigger", ("odds", "--trigger", "single(spade")),
        ("bad_trigger", ("trigger", "(" * 400)),
        ("bad_trigger", ("trigger", "x" * 501)),
        ("bad_trigger", ("trigger", "__import__('os')")),
        ("bad_share", ("odds", "--share", "1/0")),
        ("bad_share", ("odds", "--share", "half")),
        ("bad_share", ("odds", "--share", "2")),
        ("bad_share", ("odds", "--share", "-1")),
        ("too_many_triggers", ("odds", *["--trigger", "sum > 1"] * 21)),
        ("too_many_draws", ("odds", "--draw", "5", "--set", FORTY)),
        ("too_many_draws", ("abilities", "--draw", "5", "--target", "4", "--set", FORTY)),
        ("nothing_wanted", ("abilities",)),
        ("bad_composition", ("odds", "--set", SINGLE_CARD)),
        ("bad_composition", ("deck", "new", "lone.json", "--set", SINGLE_CARD)),
        ("unknown_chart", ("odds", "--plot", "odds.gif")),
        ("no_rules", ("odds", "--rules", "wurst")),
        ("no_deck", ("odds", "--deck", "no.json")),
        ("two_decks", ("odds", "--deck", "no.json", "--kept")),
        ("two_decks", ("odds", "--deck", "no.json", "--seen", "3♠")),
        ("two_decks", ("abilities", "--kept", "--rules", "best")),
        ("usage", ("odds", "--target", "1001")),
        ("usage", ("odds", "--modifier", "-1001")),
        ("usage", ("odds", "--draw", "0")),
        ("usage", ("odds", "--target", "9" * 5_000)),
        ("usage", ("draw", "--count", "0")),
        ("usage", ("deck", "peek", "--count", "-1")),
        ("usage", ("trigger",)),
        ("usage", ("deck", "nwe")),
    ],
)  # fmt: skip
def test_bad_requests_are_refused(code: str, arguments: tuple[str, ...], folder: Path) -> None:
    """A refusal is one JSON document on stderr, and stdout is empty."""
    assert code == run("fate", *arguments, "--json").refusal.code
    assert [] == [*folder.iterdir()]


def test_7_7_an_estimate_says_so() -> None:
    """A set with too many orders to follow; the cards that are known to be in it are named."""
    memory = Memory(
        deck=(1, 1, None), discard=(), sets=(MixedSet(("3♠",), 1, is_estimate=True),), unseen=("A♠", "J♠")
    )

    assert [
        "deck      3 cards, from the top: 2 of (3♠ and 1 unknown) in any order, 1 unknown",
        "unseen    2: A♠ J♠",
        "[yellow]too many orders to follow: those of a mixed set are taken as equally likely[/]",
    ] == [*known_lines(memory, DEFAULT)]
    assert "estimate" == describe_certainty(certainty_of(DEFAULT, None, is_exact=memory.is_exact))


def test_7_8_talents_are_a_table_with_their_gains() -> None:
    """The exact chance with and without them; a player without any reads that; without a target there is no gain."""
    options = ("fate", "talents", "--rules", "adventure", "--player", "1")
    duel = run(*options, "--check", "duel").lines
    free = run(*options).lines
    nobody = run("fate", "talents", "--target", "4").lines

    assert "Ysolde the Blade: 2 cards, + 2" == duel[0]
    assert "reaches 4 in 88.24 % (exact: 15/17), without talents in 80.39 %" in duel
    assert (
        "keen_edge: + 1 to the total, when exactly one card is a spade         45.10 %  +5.88 %" == duel[-2]
    )
    assert free[-1].endswith("–")
    assert ("no character: 2 cards", "no talent can fire") == (nobody[0], nobody[-1])
