"""A duel in the terminal: digits defend, Enter fights, f flees, ? advises."""

import sys
from pathlib import Path
from typing import Any

import pytest

from oddsmith.cli.match import local_play as play
from oddsmith.records import read_record_file
from oddsmith.registry import find_game
from tests.cli.running import ESCAPE, read_rest, run, terminal

pytestmark = pytest.mark.usefixtures("folder")

SMALL = (
    "--set",
    "player_hp=20",
    "--set",
    "house.hp=5",
    "--set",
    "house.hp_per_difficulty=1",
    "--set",
    "rounds=8",
)
HIDDEN = (*SMALL, "--set", "opponent_visible=false")


def play_duel(*options: str, stdin: str, seed: str = "b") -> Any:  # noqa: ANN401  the result of the command
    return run("play", "duel", "--seed", seed, *options, stdin=stdin)


def test_the_board_shows_hit_points_both_splits_and_their_damage() -> None:
    """Bars, decks, the opponent's open cards, the hand by keys, and the present split."""
    lines = play_duel(stdin="45\nq\n").lines

    assert [
        "",
        "round 1 of 20, you may flee",
        "you       ████████████████████ 100/100 HP   deck 47, used 0",
        "opponent  ████████████████████  80/80  HP   deck 47, used 0",
        "opponent  attacks 8♠ 5♥ J♥ 8♦ → 39, defends 2♠ → 2",
        "hand      1 3♠   2 K♠   3 7♥   4 2♣   5 10♦",
        "now       attacks 3♠ K♠ 7♥ 2♣ 10♦ → 32, defends – → 0   deals 30, takes 39",
        "45: cards 4 and 5 defend; Enter fights, f flees, ? advises, h helps, q leaves",
        "> 45",
    ] == lines[:9]
    assert "now       attacks 3♠ K♠ 7♥ → 20, defends 2♣ 10♦ → 12   deals 18, takes 27" == lines[15]
    assert ["> q", "left the table"] == lines[-2:]


def test_a_round_is_shown_with_its_damage() -> None:
    """Cards, bonus of a pair, attack against defence, damage; then the next round."""
    lines = play_duel(stdin="45\n\nq\n").lines
    first = lines.index("round 1")

    assert [
        "round 1",
        "  you       3♠ K♠ 7♥: 20 against 2, 18 damage",
        "  opponent  8♠ 5♥ J♥ 8♦, pair +5: 39 against 12, 27 damage",
        "",
        "round 2 of 20, you may flee",
        "you       ██████████████▋       73/100 HP   deck 42, used 5",
    ] == lines[first : first + 6]


@pytest.mark.parametrize(
    ("keys", "lies"),
    [
        (("45",), "attacks 3♠ K♠ 7♥ → 20, defends 2♣ 10♦ → 12"),
        (("5 4",), "attacks 3♠ K♠ 7♥ → 20, defends 2♣ 10♦ → 12"),
        (("4,5,4",), "attacks 3♠ K♠ 7♥ → 20, defends 2♣ 10♦ → 12"),
        (("12", "45"), "attacks 3♠ K♠ 7♥ → 20, defends 2♣ 10♦ → 12"),
        (("45", "a4"), "attacks 3♠ K♠ 7♥ 2♣ → 22, defends 10♦ → 10"),
        (("45", "A 45"), "attacks 3♠ K♠ 7♥ 2♣ 10♦ → 32, defends – → 0"),
        (("45", "-"), "attacks 3♠ K♠ 7♥ 2♣ 10♦ → 32, defends – → 0"),
        (("45", "0"), "attacks 3♠ K♠ 7♥ 2♣ 10♦ → 32, defends – → 0"),
    ],
    ids=" ".join,
)
def test_keys_select_cards(keys: tuple[str, ...], lies: str) -> None:
    """Digits defend; after an a they attack; a dash or a zero clears."""
    lines = play_duel(stdin="\n".join((*keys, "q", ""))).lines

    assert [line for line in lines if line.startswith("now")][-1].startswith(f"now       {lies}")


@pytest.mark.parametrize("answer", ["6", "46", "x", "a", "fight", "[red]", "9" * 300, "4-5"])
def test_a_wrong_key_changes_nothing(answer: str) -> None:
    """The hint quotes the input and asks again."""
    lines = play_duel(stdin=f"{answer}\nq\n").lines

    assert f"'{answer[:40]}' is no answer: name cards 1 to 5, or h for help" == lines[-3]


def test_help_lists_the_keys() -> None:
    """Both `h` and `help` do."""
    one, other = play_duel(stdin="h\nq\n").lines, play_duel(stdin="help\nq\n").lines

    assert "  Enter  fight with the cards as they lie" in one
    assert one[9:] == other[9:]
    assert 80 >= max(map(len, one))


def test_flight_ends_the_duel_in_the_first_rounds() -> None:
    """It pays a little experience and no gold; the opponent is back to full strength."""
    lines = play_duel(stdin="\nf\n", seed="yuma").lines

    assert "you fled: 0 gold, 5 experience, score 10" in lines
    assert "over: flight" == lines[-1]


def test_flight_is_refused_after_round_3() -> None:
    """The sentence gives the rule, and the duel goes on; the board says when it is the last chance."""
    lines = play_duel(stdin="12345\n\n" * 3 + "f\nq\n", seed="yuma").lines

    assert "round 3 of 20, flee now or never" in lines
    assert "round 4 of 20" in lines
    assert "45: cards 4 and 5 defend; Enter fights, ? advises, h helps, q leaves" == lines[-5]
    assert "this is round 4, and one may flee only in rounds 1 to 3" == lines[-3]


def test_selections_are_limited_by_the_rules() -> None:
    """Where a round allows one, the second is refused with the rule's sentence."""
    lines = play_duel("--set", "most_selections=1", stdin="45\n12\nq\n").lines

    assert "a round allows 1 selections: fight now" == lines[-3]


def test_a_knock_out_and_its_rewards_are_shown() -> None:
    """The winner, the loser and the rewards."""
    won = play_duel(*SMALL, stdin="\n", seed="b").lines
    lost = play_duel("--set", "player_hp=1", stdin="\n", seed="b").lines

    assert "  opponent: knocked out" in won
    assert "you won (double knock-out): 132 gold, 48 experience, score 120" in won
    assert "over: double knock out" == won[-1]
    assert "opponent won (knock-out): 0 gold, 10 experience, score 0" in lost


def test_a_duel_to_the_last_round_with_depleting_decks() -> None:
    """After ten hands the used cards are reshuffled; the timeout is shown."""
    lines = play_duel(stdin="12345\n\n" * 20, seed="yuma").lines

    assert "you: the used cards are shuffled back into the deck" in lines
    assert "over: timeout" == lines[-1]


def test_a_fresh_deck_has_no_card_counts() -> None:
    lines = play_duel("--set", "deck=fresh", stdin="q\n").lines

    assert "you       ████████████████████ 100/100 HP" == lines[2]


def test_advice_ranks_splits_and_shows_the_loss_of_the_present_one() -> None:
    """The best three and the present one, flight, and the assumed decks."""
    lines = play_duel(*HIDDEN, stdin="12345\n?\n-\n?\nq\n").lines
    first = lines.index("> ?") + 1
    again = lines.index("> ?", first) + 1

    assert [
        "attack | defence     attack  defence  deals  takes     wins  to the best",
        "– | 3♠ K♠ 7♥ 2♣ 10♦       1       32      1   2.05  98.19 %            =  ← yours",
        "2♣ | 3♠ K♠ 7♥ 10♦         2       30      1   2.77  97.65 %      −0.53 %",
        "K♠ 7♥ 10♦ | 3♠ 2♣        27        5  13.25  21.52  97.09 %      −1.10 %",
        "yours is as good as any",
        "fleeing is worth 0 %",
    ] == lines[first : first + 6]
    assert lines[first + 6].endswith("; decks fresh in every round; those of the rules deplete")
    assert [
        "3♠ K♠ 7♥ 2♣ 10♦ | –      32        0  17.70  26.52  96.65 %      −1.54 %  ← yours",
        "yours loses 1.54 %",
    ] == lines[again + 4 : again + 6]


def test_advice_against_a_shown_opponent_uses_its_numbers() -> None:
    """Damage is that of this round, in whole numbers; where flight is forbidden it is not listed."""
    lines = play_duel(*SMALL, "--set", "flee_rounds=0", stdin="?\nq\n").lines
    first = lines.index("> ?") + 1

    assert (
        "3♠ K♠ 7♥ 2♣ 10♦ | –      32        0     30     39  100 %            =  ← yours" == lines[first + 1]
    )
    assert not [line for line in lines if "flee" in line]


def test_without_the_solver_advice_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The duel goes on."""
    monkeypatch.setitem(sys.modules, "oddsmith.odds.attrition.rounds", None)
    monkeypatch.delattr("oddsmith.odds.attrition.rounds", raising=False)
    lines = play_duel(*SMALL, "--set", "player_hp=18", stdin="?\nq\n").lines

    assert ["solving a contest needs numba: install oddsmith[solve]", "> q", "left the table"] == lines[-3:]


def test_a_hidden_opponent_stays_hidden_until_the_exchange() -> None:
    """Nothing printed before the exchange has its cards."""
    lines = play_duel("--set", "opponent_visible=false", stdin="\nq\n").lines
    first = lines.index("round 1")

    assert "opponent  its cards are hidden" in lines[:first]
    assert "now       attacks 3♠ K♠ 7♥ 2♣ 10♦ → 32, defends – → 0" in lines[:first]
    assert not [line for line in lines[:first] if "8♠" in line]
    assert "8♠ 5♥ J♥ 8♦" in lines[first + 2]


# --- two seats -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", ["random", "all_attack", "all_defense", "best_trade", "optimal"])
def test_any_bot_takes_the_other_seat(bot: str, folder: Path) -> None:
    """Its choices are hidden; its name is in the record, which replays."""
    lines = play_duel("--seats", "2", "--against", bot, "--record", "duel.toml", *SMALL, stdin="\nq\n").lines
    first = lines.index("round 1")

    assert "rival     its cards are hidden" in lines[:first]
    assert "rival has decided" == lines[first - 1]
    assert lines[first + 2].startswith("  rival     ")
    assert ("you", bot) == read_record_file(folder / "duel.toml", find_game).seats
    assert run("replay", "duel.toml").lines[0].startswith(f"duel  you, {bot}  rules ")


def test_the_other_seat_has_the_default_bot() -> None:
    """The game is the same as with that bot named."""
    named = play_duel("--seats", "2", "--against", "best_trade", stdin="45\n\nq\n")

    assert named == play_duel("--seats", "2", stdin="45\n\nq\n")


def test_between_players_a_duel_has_a_winner_or_none() -> None:
    """No gold is paid; a flight loses."""
    lost = play_duel("--seats", "2", stdin="f\n").lines
    drawn = play_duel("--seats", "2", "--against", "all_attack", "--set", "player_hp=1", stdin="\n").lines

    assert "rival won (flight)" in lost
    assert "a draw (double knock-out)" in drawn


def test_advice_between_players_assumes_a_random_rival() -> None:
    """It says so, and that a draw counts half."""
    lines = play_duel("--seats", "2", *SMALL, stdin="?\nq\n").lines

    assert "against a rival who splits at random; a draw counts half" in lines


def test_a_slow_bot_shows_its_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bar opens with the first report and closes with the choice; the next choice opens another."""
    opened: list[str] = []
    reported: list[float] = []

    class Bar:
        def __init__(self, what: str) -> None:
            self.what = what

        def __enter__(self) -> Any:  # noqa: ANN401  the callback for progress
            opened.append(self.what)
            return reported.append

        def __exit__(self, *_: object) -> None:
            opened.append("closed")

    def find_bot(*_: object, progress: Any, **__: object) -> Any:  # noqa: ANN401  any callback and bot
        def bot(_: object, actions: Any) -> Any:  # noqa: ANN401  any actions
            progress(0.5)
            progress(1.0)
            return actions[-2]

        return bot

    monkeypatch.setattr(play, "progress_bar", Bar)
    monkeypatch.setattr(play, "find_bot", find_bot)
    play_duel("--seats", "2", "--set", "rounds=2", "--set", "player_hp=1000", stdin="\n\n")

    assert ["best_trade looks for its best play", "closed"] * 2 == opened
    assert [0.5, 1.0] * 2 == reported


# --- replay and laws -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hidden", ["true", "false"])
def test_a_record_of_a_duel_replays(hidden: str) -> None:
    """A spectator sees open deals and selections, by seat."""
    settings = ("--set", f"opponent_visible={hidden}")
    play_duel("--record", "duel.toml", *settings, stdin="45\n-\n\nq\n")
    lines = run("replay", "duel.toml").lines

    assert "      seat 0 is dealt 3♠ K♠ 7♥ 2♣ 10♦" in lines
    assert "      seat 0: cards that defend: 4 5" in lines
    assert "      seat 0: cards that defend: none" in lines
    assert (hidden == "true") == ("      opponent attacks 8♠ 5♥ J♥ 8♦ → 39, defends 2♠ → 2" in lines)
    assert "round 2 of 20" in lines


def test_a_spectator_of_two_players_sees_no_hand() -> None:
    """Both are hidden until the exchange; commitments are shown."""
    play_duel("--seats", "2", "--record", "duel.toml", stdin="45\n\nq\n")
    lines = run("replay", "duel.toml", "--ply", "4").lines

    assert "      seat 0 has decided" in lines
    assert ["seat 1    its cards are hidden", "seat 0    its cards are hidden"] == lines[-2:]


# --- a real terminal -------------------------------------------------------------------------------------------------


def test_a_person_plays_in_a_terminal(folder: Path) -> None:
    """Keys select cards, advice is solved under a bar, a late flight is refused, the record is written; in colours."""
    rules = (
        *HIDDEN,
        "--set",
        "flee_rounds=1",
        "--set",
        "player_hp=100",
        "--set",
        "least_dealt=0",
        "--set",
        "house.hp=40",
        "--set",
        "difficulty=10",
    )
    with terminal("play", "duel", "--seed", "yuma", "--record", "duel.toml", *rules, folder=folder) as child:
        child.expect("you may flee|flee now or never")
        child.expect("> $")
        child.sendline("45")
        child.expect("now .*defends")
        child.expect("> $")
        child.sendline("12345")
        child.expect("> $")
        child.sendline("")
        child.expect("round 2 of 8")
        child.expect("> $")
        child.sendline("f")
        child.expect("one may flee only in rounds 1 to 1")
        child.expect("> $")
        child.sendline("?")
        child.expect("solving every position of the duel")
        child.expect("← yours")
        child.expect("> $")
        child.sendline("q")
        status, output = read_rest(child)

    assert 0 == status
    assert "left the table" in output
    assert ESCAPE in output
    assert "verified" in run("replay", "duel.toml").lines[0]


OPTIONAL = (
    *("--rules", "durability", "--set", "environment=cover", "--set", "abilities.enabled=true"),
    *("--set", "player.skill=70"),
)


def test_abilities_worn_gear_and_the_environment_are_shown() -> None:
    """§2.9 to §2.11: what is in force, beside the round and the hit points."""
    lines = play_duel(*OPTIONAL, stdin="\nq\n", seed="yuma").lines

    assert "round 1 of 20, cover, you may flee" in lines
    assert any(line.endswith("used 0   focus   guard   riposte") for line in lines)
    assert any(line.endswith("used 5   worn to weapon 2, armour 5") for line in lines)


def test_combos_are_shown_and_advice_is_by_damage() -> None:
    """§2.12, §8.5: the streak after a pair; perfect play is not solved."""
    lines = play_duel("--rules", "combos", stdin="?\n\nq\n", seed="yuma").lines

    assert "5♠ 9♣ 7♦ 8♦ 9♦ | –      43        0     26     22" in lines
    assert any(line.startswith("perfect play with combos is not solved") for line in lines)
    assert any(line.endswith("used 5   combo 1") for line in lines)


def test_no_bot_plays_perfectly_with_combos() -> None:
    result = run("play", "duel", "--rules", "combos", "--seats", "2", "--against", "optimal")

    assert "combos is not solved" in result.err
