"""A refusal is one sentence on stderr with exit status 2, without other output or effects."""

from pathlib import Path

import pytest

from oddsmith.cli import main
from tests.cli.running import run
from tests.malformed import LIBRARY_WORDS

LONG = "x" * 100_000
DIGITS = "9" * 5_000
ROYAL = "A♠ K♠ Q♠ J♠ 10♠"
SCORE = ("destiny", "score", ROYAL)
ODDS = ("destiny", "odds")
EASY = ("destiny", "odds", "easy")
CHECK = ("destiny", "check")
VERSUS = ("destiny", "versus", "--attacker", "elite", "--defender")
GANG = ("destiny", "gang", "--attacker", "elite", "--defender", "elite")
LEVEL = ("destiny", "level", "easy", "--success")
REPLAY = ("replay", "{files}/run.toml")
SPLIT = ("duel", "split", "10♠ 7♥ 5♣ A♦ 3♠")
HIDDEN_SPLIT = (*SPLIT, "--hidden", "--no-solve")
DUELS = ("duel", "tournament")

REFUSED = [
    # names
    ("unknown_skill", (*SCORE, "--skill", "gunfighting=50")),
    ("unknown_skill", (*SCORE, "--skill", "=50")),
    ("unknown_item", (*SCORE, "--item", "lucky_charm")),
    ("unknown_item", (*SCORE, "--item", "")),
    ("unknown_item", (*SCORE, "--item", "[red]")),
    ("unknown_location", (*SCORE, "--location", "frontiera")),
    ("unknown_location", (*SCORE, "--location", "")),
    ("unknown_buff", (*SCORE, "--buff", "whisky")),
    ("unknown_buff", (*SCORE, "--buff", "")),
    ("unknown_outlaw", (*SCORE, "--outlaw", "iron_jak")),
    ("unknown_outlaw", (*SCORE, "--outlaw", "")),
    ("unknown_suit", (*SCORE, "--bonus", "cups=3")),
    ("unknown_target", (*ODDS, "bank_robery")),
    ("unknown_target", (*ODDS, "")),
    ("unknown_target", (*ODDS, "nan")),
    ("unknown_target", (*ODDS, "[/]")),
    ("unknown_target", (*ODDS, LONG)),
    ("unknown_target", (*CHECK, "bank_robery")),
    ("unknown_name", (*VERSUS, "elit")),
    ("unknown_name", (*VERSUS, LONG)),
    ("unknown_skill", (*VERSUS, "gunfighting=50")),
    ("unknown_skill", (*LEVEL, "0.5", "--skill", "stelth")),
    ("unknown_game", ("rules", "poker")),
    ("unknown_game", ("laws", "")),
    ("empty_character", (*VERSUS, " , ")),
    # numbers
    ("level_out_of_range", (*SCORE, "--skill", "stealth=0")),
    ("level_out_of_range", (*SCORE, "--skill", "stealth=101")),
    ("not_whole", (*SCORE, "--skill", "stealth=5.5")),
    ("not_whole", (*SCORE, "--skill", "stealth=")),
    ("not_whole", (*SCORE, "--skill", f"stealth={DIGITS}")),
    ("not_whole", (*SCORE, "--skill", "stealth=٣")),
    ("not_whole", (*SCORE, "--buff", "whiskey=soon")),
    ("bad_value", (*SCORE, "--buff", "whiskey=999999999")),
    ("too_many_decimals", (*SCORE, "--bonus", "spades=27.285")),
    ("too_many_decimals", (*ODDS, "1.005")),
    ("not_a_number", (*SCORE, "--bonus", "spades=nan")),
    ("not_a_number", (*SCORE, "--bonus", "spades=")),
    ("not_a_number", (*SCORE, "--bonus", "spades=1e5")),
    ("not_a_number", (*SCORE, "--defense-bonus", "inf")),
    ("number_too_long", (*SCORE, "--bonus", f"spades={DIGITS}")),
    ("number_too_long", (*ODDS, DIGITS)),
    ("out_of_bounds", (*ODDS, "100000.01")),
    ("out_of_bounds", (*SCORE, "--bonus", "spades=100001")),
    ("out_of_bounds", (*SCORE, "--defense-bonus", "100001")),
    ("bad_pair", (*SCORE, "--skill", "stealth")),
    ("bad_pair", (*SCORE, "--bonus", "")),
    ("given_twice", (*SCORE, "--skill", "stealth=5", "--skill", "stealth=6")),
    ("given_twice", (*LEVEL, "0.5", "--skill", "stealth=5", "--skill", "stealth")),
    ("given_twice", ("destiny", "versus", "--attacker", "frontera red_gulch", "--defender", "elite")),
    # cards
    ("card_too_often", ("destiny", "score", "A♠ A♠ Q♠ J♠ 10♠")),
    ("unknown_card", ("destiny", "score", "A♠ K♠ Q♠ J♠ 1♠")),
    ("unknown_card", ("destiny", "score", LONG)),
    ("unknown_card", ("destiny", "score", "A♠ K♠ Q♠ J♠ \x1b[31m")),
    ("hand_size", ("destiny", "score", "A♠ K♠ Q♠ J♠ 10♠ 9♠")),
    ("hand_size", ("destiny", "score", "")),
    ("card_too_often", ("destiny", "score", "A♠ K♠ Q♠ J♠ RJ")),
    ("hand_size", (*CHECK, "easy", "--hand", "A♠")),
    ("two_hands", (*CHECK, "easy", "--hand", ROYAL, "--seed", "x")),
    ("bad_seed", (*CHECK, "easy", "--seed", "")),
    ("bad_seed", (*CHECK, "easy", "--seed", LONG)),
    # energy
    ("too_little_energy", (*CHECK, "bank_robbery", "--energy", "49")),
    ("bad_energy", (*CHECK, "easy", "--energy", "-1")),
    # gangs
    ("empty_gang", ("destiny", "gang")),
    ("empty_gang", ("destiny", "gang", "--attacker", "elite")),
    ("empty_character", ("destiny", "gang", "--attacker", "", "--defender", "elite")),
    ("gang_too_large", ("destiny", "gang", "--attacker", "0x elite", "--defender", "elite")),
    ("gang_too_large", ("destiny", "gang", "--attacker", "11x elite", "--defender", "elite")),
    ("gang_too_large", ("destiny", "gang", "--attacker", "9x elite", "--attacker", "2x elite", "--defender", "elite")),
    ("unknown_name", ("destiny", "gang", "--attacker", f"{DIGITS}x elite", "--defender", "elite")),
    ("unknown_score", (*GANG, "--score", "bets")),
    ("best_without_best", (*GANG, "--score", "sum", "--best", "2")),
    ("bad_best", (*GANG, "--best", "0")),
    ("bad_best", (*GANG, "--best", "11")),
    ("bad_best", (*GANG, "--best", "-1")),
    # chances
    ("bad_chance", (*LEVEL, "0", "--skill", "stealth")),
    ("bad_chance", (*LEVEL, "101%", "--skill", "stealth")),
    ("bad_chance", (*LEVEL, "1/0", "--skill", "stealth")),
    ("bad_chance", (*LEVEL, "1/2/3", "--skill", "stealth")),
    ("not_a_number", (*LEVEL, "", "--skill", "stealth")),
    ("not_a_number", (*LEVEL, "nan", "--skill", "stealth")),
    ("number_too_long", (*LEVEL, f"0.{DIGITS}", "--skill", "stealth")),
    ("one_skill", (*LEVEL, "0.5")),
    ("one_skill", (*LEVEL, "0.5", "--skill", "stealth", "--skill", "mining")),
    ("bad_chance", ("destiny", "threshold", "--success", "0")),
    ("bad_pair", ("destiny", "threshold", "--success", "0.5", "--skill", "stealth")),
    # duels
    ("bad_value", ("duel", "odds", "--difficulty", "0")),
    ("out_of_bounds", ("duel", "odds", "--difficulty", "11")),
    ("bad_value", ("duel", "odds", "--difficulty", "2.5")),
    ("bad_value", ("duel", "odds", "--difficulty", "")),
    ("bad_value", ("duel", "odds", "--difficulty", DIGITS[:4_000])),
    ("bad_value", ("duel", "odds", "--weapon", "1001")),
    ("bad_value", (*SPLIT, "--armor", "[red]")),
    ("out_of_bounds", (*DUELS, "--skill", "101")),
    ("bad_value", (*DUELS, "--skill", "-1")),
    ("unknown_objective", ("duel", "odds", "--objective", "glory")),
    ("unknown_objective", (*HIDDEN_SPLIT, "--objective", LONG)),
    ("unknown_objective", (*DUELS, "--objective", "")),
    ("bad_seed", ("duel", "odds", "--seed", "")),
    ("bad_seed", (*DUELS, "--seed", LONG)),
    ("unknown_chart", ("duel", "odds", "--plot", "ends.gif")),
    ("not_written", ("duel", "odds", "--no-perfect", "--rules", "hidden", "--plot", "nowhere/ends.svg")),
    ("no_enemy", SPLIT),
    ("no_enemy", (*SPLIT, "--enemy-attack", "25")),
    ("no_enemy", (*HIDDEN_SPLIT, "--enemy-defense", "10")),
    ("bad_enemy", (*SPLIT, "--enemy-attack", "-1", "--enemy-defense", "10")),
    ("bad_enemy", (*SPLIT, "--enemy-attack", "1", "--enemy-defense", "10001")),
    ("no_position", (*HIDDEN_SPLIT, "--hp", "0")),
    ("no_position", (*HIDDEN_SPLIT, "--enemy-hp", "81")),
    ("no_position", (*HIDDEN_SPLIT, "--round", "21")),
    ("bad_hand", ("duel", "split", "10♠ 7♥", "--hidden")),
    ("card_too_often", ("duel", "split", "10♠ 10♠ 5♣ A♦ 3♠", "--hidden")),
    ("unknown_card", ("duel", "split", LONG, "--hidden")),
    ("unknown_bot", (*DUELS, "--bots", "optimist")),
    ("unknown_bot", (*DUELS, "--bots", "random,")),
    ("unknown_deck", (*DUELS, "--deck", "stacked")),
    ("unknown_deck", (*DUELS, "--deck", "")),
    ("usage", (*SPLIT, "--top", "33")),
    ("usage", (*DUELS, "--duels", "99")),
    ("usage", ("duel", "odds", "--duels", "many")),
    ("no_rules", ("duel", "odds", "--rules", "nowhere.toml")),
    ("unknown_key", (*DUELS, "--set", "player.wepon=5")),
    # rules
    ("no_rules", (*EASY, "--rules", "nowhere.toml")),
    ("no_rules", (*EASY, "--rules", "")),
    ("no_rules", (*EASY, "--rules", LONG)),
    ("no_rules", (*EASY, "--rules", "{files}")),
    ("not_text", (*EASY, "--rules", "\0")),
    ("not_text", (*EASY, "--rules", "{files}/latin1.toml")),
    ("file_too_large", (*EASY, "--rules", "{files}/huge.toml")),
    ("file_too_large", (*EASY, "--rules", "/dev/zero")),
    ("bad_toml", (*EASY, "--rules", "{files}/not_toml.toml")),
    ("unknown_key", ("rules", "destiny", "--rules", "{files}/unknown.toml")),
    ("bad_value", ("rules", "destiny", "--rules", "{files}/ill_typed.toml")),
    ("not_a_number", ("laws", "destiny", "--rules", "{files}/out_of_range.toml")),
    ("bad_setting", ("rules", "destiny", "--set", "max_level")),
    ("bad_setting", (*EASY, "--set", LONG[:9_000])),
    ("setting_too_long", ("laws", "destiny", "--set", f"max_level={LONG}")),
    ("too_many_settings", ("rules", "destiny", *["--set", "max_level=5"] * 101)),
    ("too_deep", ("rules", "destiny", "--set", f"critical_margin{'.a' * 4_000}=1")),
    ("unknown_key", (*SCORE, "--set", "maximum_level=5")),
    ("unknown_key", (*CHECK, "easy", "--set", "run.enrgy=5")),
    ("bad_value", (*VERSUS, "elite", "--set", "max_level=many")),
    ("bad_value", (*GANG, "--set", "npcs.elite=0")),
    ("not_a_number", (*LEVEL, "0.5", "--skill", "stealth", "--set", "curve_exponent=nan")),
    ("no_rules", ("rules", "destiny", "--rules", "nowhere.toml", "--set", "max_level")),
    # records
    ("no_file", ("replay", "nowhere.toml")),
    ("no_file", ("replay", "")),
    ("no_file", ("replay", LONG)),
    ("no_file", ("replay", "{files}")),
    ("wrong_digest", ("replay", "{files}/edited.toml")),
    ("bad_toml", ("replay", "{files}/corrupt.toml")),
    ("unknown_format", ("replay", "{files}/house.toml")),
    ("not_text", ("replay", "{files}/latin1.toml")),
    ("file_too_large", ("replay", "/dev/zero")),
    ("bad_ply", (*REPLAY, "--ply", "-1")),
    ("bad_ply", (*REPLAY, "--ply", "4")),
    # charts
    ("unknown_chart", (*EASY, "--plot", "odds.gif")),
    ("unknown_chart", (*EASY, "--plot", "")),
    ("not_written", (*EASY, "--plot", "nowhere/odds.svg")),
    ("not_written", (*EASY, "--plot", "/proc/odds.png")),
    ("not_written", (*EASY, "--plot", "{files}/folder.svg")),
    ("not_text", (*EASY, "--plot", "\0.svg")),
    # usage
    ("usage", ("destinny",)),
    ("usage", ("destiny", "scores")),
    ("usage", ("destiny", "score")),
    ("usage", (*SCORE, "--skil", "stealth=5")),
    ("usage", (*SCORE, "extra")),
    ("usage", (*SCORE, "--at", "noon")),
    ("usage", (*SCORE, "--at", DIGITS)),
    ("usage", (*SCORE, f"--{LONG}")),
    ("usage", (*CHECK, "easy", "--energy", "")),
    ("usage", ("destiny", "versus", "--attacker", "elite")),
    ("usage", ("destiny", "level", "easy", "--skill", "stealth")),
    ("usage", ("destiny", "level", "--success", "0.5", "--skill", "stealth")),
    ("usage", ("destiny", "needs", "easy", "--success", "0.5", "--skill", "stealth")),
    ("usage", ("laws", "destiny", "--playouts", "0")),
    ("usage", ("laws", "destiny", "--playouts", "1000001")),
    ("usage", ("replay",)),
    ("usage", (*REPLAY, "--ply", "two")),
    ("not_text", (*ODDS, "\udcff")),
    ("not_text", ("replay", "heist\0.toml")),
]  # fmt: skip
IDS = [f"{code}-{' '.join(arguments)[:70]!a}" for code, arguments in REFUSED]


def locate_files(arguments: tuple[str, ...], files: Path) -> list[str]:
    return [text.replace("{files}", str(files)) for text in arguments]


@pytest.mark.parametrize(("code", "arguments"), REFUSED, ids=IDS)
def test_a_refusal_is_one_sentence_and_a_code(
    code: str, arguments: tuple[str, ...], files: Path, folder: Path
) -> None:
    """A person gets a short printable line, `--json` the same sentence; nothing is printed to stdout, and no file made."""
    given = locate_files(arguments, files)
    result, refusal = run(*given), run(*given, "--json").refusal
    place = f" (§{refusal.paragraph})" if refusal.paragraph else ""

    assert code == refusal.code
    assert (2, "", f"error: {refusal.sentence}{place}\n") == result
    assert refusal.sentence.isprintable()
    assert not LIBRARY_WORDS.search(refusal.sentence.replace(LONG[:20], ""))
    assert 620 > len(refusal.sentence)
    assert [] == [*folder.iterdir()]


def test_a_usage_error_is_refused_as_json_too(folder: Path) -> None:
    """`play` has no option `--json`, and the refusal says so as JSON."""
    assert "usage" == run("play", "destiny", "--json").refusal.code
    assert [] == [*folder.iterdir()]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((*SCORE, "--skill", "gunfighting=5"), "unknown skill 'gunfighting' — did you mean 'gun_fighting'?"),
        ((*SCORE, "--item", "lucky_ace"), "unknown item 'lucky_ace' — did you mean 'lucky_ace_charm'?"),
        ((*SCORE, "--location", "fronterra"), "unknown location 'fronterra' — did you mean 'frontera'?"),
        ((*ODDS, "bankrobbery"), "unknown crime or skill check 'bankrobbery' — did you mean 'bank_robbery'?"),
        ((*VERSUS, "eliet"), "unknown name 'eliet' — did you mean 'elite'?"),
        ((*EASY, "--set", "run.enrgy=5"), "unknown key 'run.enrgy' — did you mean 'energy'?"),
        ((*EASY, "--set", "[red]"), "'[red]' is no setting: write KEY=VALUE, with dots between the parts of the key\n"),
        ((*ODDS, "[red]x"), "unknown crime or skill check '[red]x'; known: "),
        (("destiny", "score", "\x1b[31m"), r"'\x1b[31m' is no card: "),
        ((*CHECK, "burglary", "--energy", "9"), "burglary costs 25 energy and 9 is left (§10.1)\n"),
        ((*DUELS, "--bots", "optimist"), "unknown bot 'optimist' of duel — did you mean 'optimal'? Known: random, all_attack,"),
        (SPLIT, "the opponent shows its split: give --enemy-attack and --enemy-defense, or --hidden for neither (§3.4)\n"),
        (("duel", "odds", "--difficulty", "11"), "difficulty: expected 1 to 10, not 11\n"),
        (("play", "duel", "--seats", "2", "--against", "bestrade"), "unknown bot 'bestrade' of duel — did you mean 'best_trade'?"),
        ((*DUELS, "--duels", "99"), "--duels: expected a whole number from 100 to 1,000,000, not 99: see oddsmith duel"),
        (("replay", "x", "--ply", "two"), "--ply: expected a whole number, not 'two': see oddsmith replay --help\n"),
        ((*SCORE, "extra"), "there is nothing to do with 'extra': see oddsmith destiny score --help\n"),
        (("destiny", "scor"), "no such command 'scor'. Did you mean 'score'?: see oddsmith destiny --help\n"),
        (("destiny", "score"), "missing argument 'HAND': see oddsmith destiny score --help\n"),
        ((*ODDS, "\udcff"), r"'\udcff' is not UTF-8 text"),
    ],
)  # fmt: skip
def test_a_sentence_suggests_the_nearest_name(arguments: tuple[str, ...], sentence: str) -> None:
    """The given text is quoted."""
    assert run(*arguments).err.startswith(f"error: {sentence}")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--seats", "3"), "the Destiny Deck is for 1 or 2 seats, not 3"),
        (("--seats", "0"), "the Destiny Deck is for 1 or 2 seats, not 0"),
        (("--against", "random"), "--against names who takes the other seat: give --seats 2 too"),
        (("--seats", "2", "--against", "best"), "unknown bot 'best' of destiny; known: random, greedy"),
        (("--name", ""), "a name has 1 to 60 printable characters"),
        (("--name", LONG), "a name has 1 to 60 printable characters"),
        (("--name", "\x1b[31m"), "a name has 1 to 60 printable characters"),
        (("--seed", ""), "a seed has 1 to 200 characters"),
        (("--seed", "a\nb"), "a seed that is kept in a record has printable characters only"),
        (("--record", "{files}/run.toml"), "'{files}/run.toml' exists already: choose another name"),
        (("--record", ""), "'.' exists already: choose another name"),
        (("--record", "nowhere/run.toml"), "no record can be written to 'nowhere/run.toml': no such file or directory"),
        (("--record", "/proc/run.toml"), "no record can be written to '/proc/run.toml': no such file or directory"),
        (("--record", LONG), f"no record can be written to '{LONG[:80]}': file name too long"),
        (("--set", "run.energy=-5"), "run.energy: expected a whole number of at least 0"),
        (("--rules", "nowhere"), "no rules file 'nowhere', and no preset of that name; known: default, printed_table, royal, gang_war, defense, checks, gauntlet, crimes_only, jokers, short_deck, two_decks, redraw, paid_redraws"),
    ],
    ids=lambda given: str(given)[:60],
)  # fmt: skip
def test_an_invalid_game_is_refused_before_it_begins(
    arguments: tuple[str, ...], sentence: str, files: Path, folder: Path
) -> None:
    """Before a prompt, and an existing record is unchanged."""
    kept = (files / "run.toml").read_bytes()
    result = run("play", "destiny", *locate_files(arguments, files))

    assert (2, "", f"error: {sentence}\n".replace("{files}", str(files))) == result
    assert [] == [*folder.iterdir()]
    assert kept == (files / "run.toml").read_bytes()


def test_a_full_disk_is_an_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Not a traceback."""

    def full(_: str) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("sys.stdout.write", full)
    with pytest.raises(SystemExit) as end:
        main(["rules", "destiny"])
    monkeypatch.undo()

    assert 2 == end.value.code
    assert "error: the answer cannot be written: no space left on device\n" == capsys.readouterr().err
