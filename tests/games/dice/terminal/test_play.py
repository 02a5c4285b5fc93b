"""A run of Dice Hands in the terminal: k keeps, digits lock, r rerolls, w sets, s scores, ? advises."""

from typing import Any

import pytest

from oddsmith.cli.replies import ReplayReply
from oddsmith.errors import WorkLimitError
from oddsmith.game import EVERYONE
from oddsmith.games.dice import GAME, Rules
from oddsmith.games.dice.model import Shattered
from oddsmith.games.dice.odds import RerollPlan
from oddsmith.games.dice.terminal import shop
from oddsmith.games.dice.terminal.play import event_lines
from tests.cli.running import run

pytestmark = pytest.mark.usefixtures("folder")

KEYS = "k 1 3 keeps dice 1 and 3 and rerolls the others, s scores, ? advises, h helps"
WILD = ("--set", 'pool=["normal", "wild", "normal"]')
HARD = ("--set", "first_target=180", "--set", "rounds=9")
EASY = ("--set", "first_target=1")
SHOP_KEYS = "2 buys number 2, 1 4 buys die 1 in the place of your die 4, l leaves, ? advises"


def play_dice(*options: str, stdin: str, seed: str = "a") -> Any:  # noqa: ANN401  the result of the command
    return run("play", "dice", "--seed", seed, *options, stdin=stdin)


def boss_options(boss: str) -> tuple[str, ...]:
    """Return options for this boss in every round."""
    return ("--set", "bosses.every=1", "--set", f'bosses.kinds=["{boss}"]')


# --- the board -------------------------------------------------------------------------------------------------------


def test_5_2_the_board_shows_the_dice_and_their_score() -> None:
    """Target, rerolls and money; a box for each die with its number; the hand, and the keys."""
    lines = play_dice(stdin="q\n").lines

    assert [
        "",
        "round 1 of 12   target 40   rerolls 3   money $0",
        "  1         2         3         4         5",
        "┌───┐     ┌───┐     ┌───┐     ┌───┐     ┌───┐",
        "│ 3 │     │ 4 │     │ 2 │     │ 4 │     │ 1 │",
        "└───┘     └───┘     └───┘     └───┘     └───┘",
        "now: small straight, 100, the target is reached",
        KEYS,
        "> q",
        "left the table",
    ] == lines


def test_1_1_ten_dice_are_in_two_rows() -> None:
    """Kinds are below their dice, cut to fit; no line is wider than a terminal."""
    pool = 'pool=["wild", "normal", "glass", "mirror", "echo", "odd+2", "even", "heavy", "weighted", "porcelain"]'
    lines = play_dice("--set", "kinds.porcelain.price=9", "--set", pool, stdin="q\n").lines

    assert "wild                glass     mirror    echo" == lines[6]
    assert "  6         7         8         9         10" == lines[7]
    assert "odd+2     even      heavy     weighted  porcelain" == lines[11]
    assert 80 >= max(map(len, lines))


@pytest.mark.parametrize(
    ("keys", "locked"),
    [
        (("1 3",), {1, 3}),
        (("13",), {1, 3}),
        (("3,1",), {1, 3}),
        (("1 3", "3 5"), {1, 5}),
        (("k 1 3",), {1, 3}),
        (("k13",), {1, 3}),
        (("1 2", "k 2 3"), {2, 3}),
        (("k 1 2", "k"), set()),
        (("k 1 2", "r"), {1, 2}),
    ],
)
def test_5_3_keys_lock_and_unlock(keys: tuple[str, ...], locked: set[int]) -> None:
    """Digits toggle locks; k locks exactly those dice and rerolls the others at once."""
    lines = play_dice(stdin="\n".join((*keys, "q", ""))).lines
    marks = [line for line in lines if line.startswith(("╔", "┌"))][-1]

    assert locked == {place for place in range(1, 6) if marks[10 * (place - 1)] == "╔"}
    assert len(locked) == lines[-5].count("locked")


def test_5_4_one_answer_may_keep_and_reroll() -> None:
    """Locks are shown, a reroll is used, and the record has every move."""
    lines = play_dice("--record", "run.toml", stdin="k 1 2\nq\n").lines
    before, after = (line for line in lines if line.startswith(("│", "║")))

    assert before.replace("│", "║")[:15] == after[:15]
    assert "round 1 of 12   target 40   rerolls 2   money $0" in lines
    assert ("0 lock 0", "0 lock 1", "0 reroll") == run("replay", "run.toml", "--json").reply(
        ReplayReply
    ).moves[1:4]


def test_5_4_a_reroll_after_the_last_is_refused() -> None:
    """The sentence gives the rule, and the keys no longer name the reroll."""
    lines = play_dice(stdin="k\nk\nk\nr\nk 1\nq\n").lines

    assert lines.count("no reroll is left: score the dice as they lie") == 2
    assert "s scores, ? advises, h helps" in lines


def test_5_4_a_reroll_with_all_dice_kept_is_refused() -> None:
    """The sentence says what is possible, and no die is locked."""
    lines = play_dice(stdin="k 12345\nq\n").lines

    assert "every die is held: unlock one to reroll it, or score" == lines[-3]
    assert "locked" not in "".join(lines)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("", "'' is no answer: k 1 3, 1 3, r, s, ?, or h for help"),
        ("[red]", "'[red]' is no answer: k 1 3, 1 3, r, s, ?, or h for help"),
        ("x" * 300, f"'{'x' * 40}' is no answer: k 1 3, 1 3, r, s, ?, or h for help"),
        ("6", "there is no die 6: the dice are 1 to 5"),
        ("0", "there is no die 0: the dice are 1 to 5"),
        ("k 1 9", "there is no die 9: the dice are 1 to 5"),
        ("k 11", "die 1 is named twice"),
        ("2 3 2", "die 2 is named twice"),
        ("w 10 6", "there is no die 10: the dice are 1 to 5"),
        ("w 1 6", "die 1 is normal: only wild dice are set"),
        (",", "',' is no answer: k 1 3, 1 3, r, s, ?, or h for help"),
    ],
)
def test_a_wrong_key_changes_nothing(answer: str, sentence: str) -> None:
    """The hint says what is wrong, and the question is asked again."""
    assert [sentence, "> q", "left the table"] == play_dice(stdin=f"{answer}\nq\n").lines[-3:]


def test_help_lists_the_keys() -> None:
    """Both `h` and `help` do, in a round and in the shop."""
    lines = play_dice(stdin="h\nhelp\ns\nh\nhelp\nq\n").lines

    assert 2 == lines.count("  k 1 3  keep dice 1 and 3, and reroll all others; k alone rerolls all")
    assert 2 == lines.count("  1 4  buy the die of number 1, in the place of your die 4")
    assert 80 >= max(map(len, lines))


def test_5_3_adjustments_are_limited_by_the_rules() -> None:
    """Where a round allows one, two locks at once are refused, and neither is made."""
    lines = play_dice("--set", "most_adjustments=1", stdin="1 2\n1\nq\n").lines

    assert "dice are locked, unlocked and set at most 1 times in a round: reroll or score" in lines
    assert "locked" == lines[-5]


def test_1_6_a_wild_die_is_set_and_held() -> None:
    """It is marked, may be set to another face, and is no longer locked or rerolled."""
    lines = play_dice(*WILD, stdin="w 2 6\nw 2 6\nw 2 7\n2\nk 2\nw25\nq\n").lines

    assert "w 2 6 sets wild die 2 to 6" in lines
    assert "          set" in lines
    assert "die 2 is set to 6 already" in lines
    assert "a die shows 1 to 6, not 7" in lines
    assert "die 2 stays as it is: it is set" in lines
    assert ["6", "6", "5"] == [line[12] for line in lines if line.startswith(("│", "║"))][1:]


def test_7_2_the_lockdown_holds_a_die() -> None:
    """The die is named and marked, and can be neither locked nor set."""
    only_wild = ("--set", 'pool=["wild"]')
    lines = play_dice(*boss_options("lockdown"), *only_wild, stdin="1\nw 1 2\nq\n").lines

    assert "boss: lockdown, a die is fixed at a face" == lines[0]
    assert lines[1].startswith("the lockdown holds die 1 at ")
    assert "fixed" in lines
    assert 2 == lines.count("die 1 stays as it is: it is fixed")
    assert lines[3].endswith("   lockdown")


# --- scoring ---------------------------------------------------------------------------------------------------------


def test_5_8_a_won_round_shows_its_score_and_pay() -> None:
    """Layer by layer, against the target, and the parts of the pay."""
    lines = play_dice(stdin="s\nq\n").lines
    first = lines.index("> s") + 1

    assert [
        "dice          3 4 2 4 1   small straight",
        "base             30",
        "matched dice     10   3 + 4 + 2 + 1",
        "multiplier    × 2.5",
        "hand score      100",
        "total           100",
        "won: 100 reach the target 40",
        "paid $18 (target 5, great score 10, unused rerolls 3): $18 now",
    ] == lines[first : first + 8]


def test_5_8_a_pay_of_one_part_is_not_itemised() -> None:
    """Without rerolls and a great score the target pays alone."""
    rules = ("--set", "rerolls=0", "--set", "first_target=100")

    assert "paid $12: $12 now" in play_dice(*rules, stdin="s\nq\n").lines


def test_8_3_a_score_below_the_target_ends_the_run() -> None:
    """The missing points and the rounds won are shown."""
    lines = play_dice("--set", "first_target=101", stdin="s\n").lines

    assert "now: small straight, 100, 1 short" in lines
    assert "lost: 100 are 1 short of the target 101" in lines
    assert "the run is over: a score below the target; rounds won: 0 of 12; final score: 0" in lines
    assert "over: a score below the target" == lines[-1]


def test_8_3_a_run_can_be_won() -> None:
    lines = play_dice("--set", "rounds=1", stdin="s\n").lines

    assert "the run is over: every round is won; rounds won: 1 of 1; final score: 100" in lines


def test_7_4_the_collector_takes_a_die_after_a_won_round() -> None:
    """The die that became normal is named."""
    lines = play_dice(*boss_options("collector"), stdin="s\nq\n").lines

    assert [line for line in lines if line.startswith("the collector made die ")]


def test_5_7_shattered_and_saved_dice_are_shown() -> None:
    """Insurance saves the first."""
    view = GAME.view(GAME.setup(Rules(), 1), 0)
    lines = event_lines([Shattered(audience=EVERYONE, places=(2, 3), saved=(1,))], view)

    assert [
        "die 2 would have shattered, but an item saved it",
        "[red]dice 3 4 shattered[/]: normal now",
    ] == [*lines]
    assert [] == [*event_lines([Shattered(audience=EVERYONE, places=(), saved=())], view)]


# --- the shop --------------------------------------------------------------------------------------------------------


def test_6_1_the_shop_lists_its_stock_with_prices() -> None:
    """By number: dice, items, upgrades, an extra die; effects and free choices."""
    lines = play_dice(stdin="s\nq\n").lines
    first = lines.index("shop   money $18   round 2 asks 54")

    assert "dice: 1 normal, 2 normal, 3 normal, 4 normal, 5 normal" == lines[first + 1]
    assert "   1  die wild                 free  is set to any face" == lines[first + 2]
    assert "   6  item high roller          $20  +15 to every score" == lines[first + 7]
    assert "  11  upgrade three of a kind  free  30 × 2 → 39 × 2.5" == lines[first + 12]
    assert "  12  extra die                 $15  one more normal die" == lines[first + 13]
    assert SHOP_KEYS == lines[first + 14]
    assert 80 >= max(map(len, lines))


def test_6_2_purchases_are_made_by_number() -> None:
    """A die in the named place, an upgrade, an extra die; the first choice is free, the next is paid."""
    lines = play_dice(stdin="s\n1 2\n10\n10\nl\nq\n").lines

    assert "bought die wild in the place of die 2, for nothing: $18 left" in lines
    assert "bought upgrade three of a kind, for $5: $13 left" in lines
    assert "this costs $15, and you have $13" in lines
    assert "dice: 1 normal, 2 wild, 3 normal, 4 normal, 5 normal" in lines
    assert "levels: three of a kind 1" in lines
    assert "round 2 of 12   target 54   rerolls 3   money $13" in lines


def test_6_2_items_are_owned_and_shown() -> None:
    """Also in the next round, which has one more reroll."""
    lines = play_dice(stdin="s\n4\nl\nq\n").lines

    assert "bought item extra reroll, for $10: $8 left" in lines
    assert "items: extra reroll" in lines
    assert "round 2 of 12   target 54   rerolls 4   money $8" in lines


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("1", "say which of your dice it replaces: 1 and its place, as in 1 5"),
        ("1 6", "there is no die 6: your dice are 1 to 5"),
        ("4 1", "item extra reroll takes no die's place: type 4 alone"),
        ("0", "there is no number 0: the shop has 1 to 12"),
        ("13", "there is no number 13: the shop has 1 to 12"),
        ("6", "this costs $20, and you have $18"),
        ("s", "'s' is no answer: a number, l, ?, or h for help"),
    ],
)
def test_6_2_impossible_purchases_are_refused(answer: str, sentence: str) -> None:
    """The sentence says why, and the shop stays open."""
    assert [sentence, "> q", "left the table"] == play_dice(stdin=f"s\n{answer}\nq\n").lines[-3:]


def test_6_4_a_full_pool_is_offered_no_extra_die() -> None:
    """With the most dice it is not listed; the boss of the next round is announced."""
    rules = (
        "--set",
        "most_dice=5",
        "--set",
        "shop.upgrades=0",
        "--set",
        "shop.items=0",
        "--set",
        "shop.dice=0",
    )
    lines = play_dice(*rules, "--set", "bosses.every=2", stdin="s\n?\nq\n").lines

    assert "shop   money $18   round 2 asks 54, with a boss" in lines
    assert "extra die" not in "".join(lines)
    assert lines[-4].endswith(", over all bosses that may come")


# --- advice ----------------------------------------------------------------------------------------------------------


def test_9_3_advice_names_the_key_for_each_choice() -> None:
    """The best five, with the exact chance to reach the target."""
    lines = play_dice(*HARD, stdin="?\nq\n").lines
    first = lines.index("> ?") + 1

    assert ["key", "keep", "reaches", "180"] == lines[first].split()
    assert lines[first + 1].startswith("k ")
    assert lines[first + 1].endswith(" %")
    assert "exact, when all that follows is played best" == lines[first + 6]


def test_9_3_the_advice_is_to_score_where_nothing_is_better() -> None:
    """The target is reached."""
    lines = play_dice(stdin="?\nq\n").lines

    assert "s          all: score       100 %" == lines[lines.index("> ?") + 2]


def test_1_6_advice_names_the_faces_of_wild_dice() -> None:
    """Wild dice are set last and need no key; a set die stays."""
    lines = play_dice(*WILD, stdin="?\nw 2 6\n?\nq\n").lines
    first = lines.index("> ?") + 1

    assert [line for line in lines[first:] if line.startswith("before you score, set die 2 to ")]
    assert not [line for line in lines[first:] if line.startswith("k ") and "2" in line.split("  ")[0]]


def test_9_2_advice_sets_a_wild_die_for_echoes_and_its_keys_can_be_typed() -> None:
    """Set to 6 and copied by both echoes it makes three sixes; a semicolon separates the two answers."""
    pool = ("--set", 'pool=["wild", "echo", "echo"]', "--set", "first_target=96", "--set", "rerolls=1")
    lines = play_dice(*pool, stdin="?\nw 1 6; k\nq\n").lines
    first = lines.index("> ?") + 1

    assert ["w", "1", "6;", "k", "6:wild", "100", "%"] == lines[first + 1].split()
    assert "now: three of a kind, 96, the target is reached" in lines


def test_answers_are_separated_by_semicolons() -> None:
    """Each is read after the one before it; one that is no answer, or refused, changes nothing."""
    both = play_dice(stdin="1;2\nq\n").lines
    wrong = play_dice(stdin="1; x\nq\n").lines
    late = play_dice(stdin="k 1; s\nq\n").lines

    assert any("locked    locked" in line for line in both)
    assert "' x' is no answer: k 1 3, 1 3, r, s, ?, or h for help" in wrong
    assert not any("locked" in line for line in wrong)
    assert not any("rerolls 2" in line for line in late)


def test_1_8_a_wild_die_next_to_an_echo_has_a_key() -> None:
    """An echo copies it before it is set; a fixed die is held anyway."""
    pool = ("--set", 'pool=["wild", "echo", "normal"]', "--set", "first_target=66")
    lines = play_dice(*pool, *boss_options("lockdown"), stdin="?\nq\n").lines

    assert [line for line in lines if line.startswith(("k", "s ")) and line.endswith(" %")]


def refuse_work(*_: object, **__: object) -> RerollPlan:
    """Raise the work limit, as for a pool with too many positions."""
    raise WorkLimitError("too_many_positions", "these are too many")


def test_9_5_advice_for_too_many_dice_is_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key for each choice and its chance with an error; a line says why it is estimated."""
    monkeypatch.setattr(shop, "plan_rerolls", refuse_work)
    monkeypatch.setattr(shop, "QUICK_ROUNDS", 5)
    lines = play_dice(*HARD, stdin="?\nq\n").lines
    first = lines.index("> ?") + 1

    assert ["key", "keep", "reaches", "180,", "%", "±"] == lines[first].split()
    assert lines[first + 1].startswith("k ")
    assert ["s", "all:", "score", "0.00", "exact"] in [line.split() for line in lines[first:]]
    assert "estimated: 5 rounds for each, ± at 95 %, by what is best of simpler dice" in lines
    assert "these are too many" in lines


def test_9_5_purchases_for_too_many_dice_are_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the key, price and gain of each."""
    monkeypatch.setattr(shop, "value_purchases", refuse_work)
    monkeypatch.setattr(shop, "QUICK_ROUNDS", 5)
    lines = play_dice(stdin="s\n?\nq\n").lines
    first = lines.index("> ?") + 1

    assert lines[first].startswith("as it is, round 2 (target 54) is won in ")
    assert " % ± " in lines[first]
    assert ["key", "purchase", "price", "won,", "%", "adds", "±"] == lines[first + 1].split()
    assert [line for line in lines[first:] if line.split()[2:5] == ["die", "wild", "free"]]
    assert (
        "estimated, for that round alone: 5 rounds for each, by what is best of simpler dice" in lines[first:]
    )
    assert "these are too many" in lines


def test_9_4_advice_in_the_shop_values_affordable_purchases() -> None:
    """With the key and price of each, a die in its best place."""
    lines = play_dice(stdin="s\n?\nq\n").lines
    first = lines.index("> ?") + 1

    assert "as it is, round 2 (target 54) is won in 98.47 %" == lines[first]
    assert ["key", "purchase", "price", "won", "adds"] == lines[first + 1].split()
    assert "1 1                 die wild   free  99.999988 %  +1.53 %" == lines[first + 2]
    assert "3 1                die light   free      97.53 %  −0.94 %" == lines[first + 12]
    assert "exact, for that round alone, with the best dice kept at every roll" == lines[first + 13]


# --- replay and laws -------------------------------------------------------------------------------------------------


def test_a_record_of_a_run_replays() -> None:
    """A spectator sees rolls, locks, wild dice and the stock of the shop."""
    play_dice("--record", "run.toml", *WILD, *EASY, stdin="1\n1\nw 2 6\nk 1\ns\n1 1\nl\nq\n")
    lines = run("replay", "run.toml").lines

    assert "      die 1 is locked" in lines
    assert "      die 1 is unlocked" in lines
    assert "      die 2 is set to 6" in lines
    assert [line for line in lines if line.startswith("      dice 1 2 3 rolled: ")]
    assert [line for line in lines if line.startswith("      the shop has ")]
    assert "      round 2: target 1, rerolls 3" in lines


# --- a real terminal -------------------------------------------------------------------------------------------------
