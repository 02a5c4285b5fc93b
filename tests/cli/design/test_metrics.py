"""`oddsmith metrics` compares observed with exact values, and marks cells that luck does not explain."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from oddsmith.balance.metrics.sources import MetricsReply
from oddsmith.cli.design.metrics import _small
from oddsmith.games.casino import metrics as casino
from oddsmith.store import open_store
from tests.balance.logs import FOLDER, bot_records
from tests.cli.running import run
from tests.server.servers import run_server

FAIR = str(FOLDER / "destiny.jsonl")
STACKED = str(FOLDER / "destiny-few-swaps.jsonl")
GOOD = '{"type": "check", "cards": ["3♠"], "check": "hard", "success": false}\n'


def test_without_a_source_the_table_is_exact() -> None:
    """One card of a fresh Fate Deck has a mean of 1.5."""
    lines = run("metrics", "fate").lines

    assert lines[0].startswith("fate  exact  rules ")
    assert "  1 card   1.500 exact" in lines
    assert "  omen  45.10 % exact" in lines
    assert not any("marked" in line for line in lines)


def test_rules_change_the_exact_values() -> None:
    """From a file or a setting."""
    assert "  3 cards  4.500 exact" in run("metrics", "fate", "--set", "on_turn=3").lines


def test_a_fair_log_is_shown_with_intervals_and_tests() -> None:
    """Each line has the observed value, its interval, its count, the exact value, and the p-value."""
    lines = run("metrics", "destiny", "--log", FAIR).lines

    assert lines[0].startswith("destiny  300 contests, 100 checks  rules ")
    assert "log: 400 of 400 lines" == lines[1]
    assert "  0    54.63 %  45.24 to 63.70 %  of 108  49.50 % exact  p = 0.327" in lines
    assert "0 of 34 tested cells marked" in " ".join(lines)


def test_a_stacked_deck_is_marked_and_can_fail_a_run() -> None:
    """The exit status is 1 if requested; the line says that it is not luck."""
    result = run("metrics", "destiny", "--log", STACKED, "--fail-on-mark")

    assert 1 == result.status
    assert any(line.endswith("◀ not luck") and "spades" in line for line in result.out.splitlines())
    assert 0 == run("metrics", "destiny", "--log", FAIR, "--fail-on-mark").status


def test_json_has_the_whole_report() -> None:
    """With exact fractions and the marks."""
    reply = run("metrics", "destiny", "--log", STACKED, "--json").reply(MetricsReply)
    marked = {(metric.name, cell.name) for metric, cell in reply.report.marked_cells}

    assert ("draw.suit_bonus", "spades") in marked
    assert reply.log is not None
    assert (400, 0) == (reply.log.counted, reply.log.broken)


def test_metrics_are_printed_for_prometheus() -> None:
    """With --prometheus the output is a page that Prometheus can scrape."""
    lines = run("metrics", "destiny", "--log", FAIR, "--prometheus").lines

    assert 'oddsmith_balance_count{game="destiny",metric="resolved.as_ruled",cell="contests"} 300.0' in lines


def test_broken_lines_are_refused_unless_they_are_skipped() -> None:
    """They are counted and named; with --skip-broken the others count, and the broken ones are still reported."""
    Path("play.jsonl").write_text(f'{GOOD}{{\n{GOOD}{{"game": "chess"}}\n', encoding="utf-8")
    refused = run("metrics", "fate", "--log", "play.jsonl", "--json").refusal
    lines = run("metrics", "fate", "--log", "play.jsonl", "--skip-broken").lines

    assert ("broken_lines", "line 2") == (refused.code, refused.where)
    assert "log: 2 of 4 lines; 1 of other games, 1 broken, left out" == lines[1]
    assert lines[2].startswith("  line 2: ")


def test_records_are_counted_and_practice_is_not() -> None:
    """A folder of records, one of them practice."""
    labels = [None, {"luck": "practice with a chosen seed: yuma"}]
    for number, label in enumerate(labels):
        for record in bot_records("fate", 1, 2, "random", settings=["turns=2"], labels=label):
            Path(f"{number}.toml").write_text(record.to_toml(), encoding="utf-8")
    Path("broken.toml").write_text("x", encoding="utf-8")
    refused = run("metrics", "fate", "--records", ".", "--json").refusal
    skipped = run("metrics", "fate", "--records", ".", "--skip-broken").lines
    both = run("metrics", "fate", "--records", "0.toml", "--records", "1.toml", "--practice").lines

    assert "broken_records" == refused.code
    assert "records: 1 of 3; 1 practice, 1 broken, left out" == skipped[1]
    assert "records: 2 of 2" == both[1]


def test_a_store_is_read_by_its_matches(folder: Path) -> None:
    """Finished matches count, abandoned ones as far as they went, those that never began not at all."""
    store = open_store(str(folder / "matches.db"))
    with run_server(store) as server:
        match = server.open_match("destiny", [None, None])
        while match.move():
            pass
        left = server.open_match("destiny", [None, None])
        left.players[0].leave()
        server.open_match("destiny", [None, None], private=True)
    lines = run("metrics", "destiny", "--store", "matches.db").lines

    assert lines[0].startswith("destiny  1 contest  rules ")
    assert "store: 2 of 2" == lines[1]


def test_an_unreadable_match_is_named(folder: Path) -> None:
    """A damaged log is refused with its match; with --skip-broken the others count."""
    store = open_store(str(folder / "matches.db"))
    with run_server(store) as server:
        whole, match = server.open_match("destiny", [None, None]), server.open_match("destiny", [None, None])
        while whole.move() | match.move():
            pass
    with closing(sqlite3.connect(folder / "matches.db")) as changed, changed:
        changed.execute("UPDATE entries SET entry = '{}' WHERE match = ?", (match.id,))
    refused = run("metrics", "destiny", "--store", "matches.db", "--json").refusal
    lines = run("metrics", "destiny", "--store", "matches.db", "--skip-broken").lines

    assert "broken_records" == refused.code
    assert f"match {match.id}: " in refused.sentence
    assert "store: 1 of 2; 1 broken, left out" == lines[1]


def test_a_missing_store_is_not_created() -> None:
    """The refusal names it, and nothing is written."""
    refused = run("metrics", "destiny", "--store", "none.db", "--json").refusal

    assert "no_store" == refused.code
    assert not Path("none.db").exists()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["chess"], "unknown_game"),
        (["fate", "--log", "none.jsonl"], "no_file"),
        (["fate", "--records", "none"], "no_file"),
        (["fate", "--rules", "none.toml"], "no_rules"),
    ],
)
def test_a_missing_source_is_refused(arguments: list[str], code: str) -> None:
    """With exit status 2 and a sentence."""
    assert code == run("metrics", *arguments, "--json").refusal.code


def test_cells_without_an_exact_value_say_so() -> None:
    """Splits are a choice: they have a share and an interval, but no exact value; one duel has no interval of rounds."""
    Path("play.jsonl").write_text(
        '{"type": "duel", "difficulty": 3, "won": true, "rounds": 4}\n'
        '{"type": "duel", "difficulty": 4, "won": true, "rounds": 4, "policy": "all_attack"}\n'
        '{"type": "duel", "difficulty": 4, "won": false, "rounds": 5}\n',
        encoding="utf-8",
    )
    lines = run("metrics", "duel", "--preset", "fresh", "--log", "play.jsonl").lines

    assert any("difficulty 3" in line and "4.000" in line and line.rstrip().endswith("–") for line in lines)
    assert any("difficulty 4" in line and "100 % of 1 against" in line for line in lines)


def test_casino_is_estimated_where_players_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exact table marks points as estimated, with their error; deals are exact."""
    monkeypatch.setattr(casino, "GAMES_TO_ESTIMATE", 3)
    lines = run("metrics", "casino").lines

    assert any(" ± " in line and line.endswith("(estimated)") for line in lines)
    assert "  2 players, seat 0  1.846 exact" in lines


def test_the_best_possible_value_is_labelled() -> None:
    """Rounds of Dice Hands are compared with optimal play."""
    assert any(line.endswith(" at most") for line in run("metrics", "dice").lines)


def test_chances_are_formatted_by_their_size() -> None:
    """A tiny one has its power of ten; one below the smallest float is marked."""
    assert ("0.250", "2.9·10⁻⁴", "1.7·10⁻²⁰", "0", "below 10⁻³⁰⁰") == tuple(
        map(_small, (0.25, 2.9e-4, 1.7e-20, 0.0, 1e-304))
    )


def test_an_empty_log_counts_nothing() -> None:
    """Its values are labelled neither exact nor observed."""
    Path("empty.jsonl").write_text("\n", encoding="utf-8")

    assert ["fate  nothing was counted", "log: 0 of 0 lines"] == run(
        "metrics", "fate", "--log", "empty.jsonl"
    ).lines


def test_chances_of_duels_are_labelled_as_bounded() -> None:
    """They are computed in floating point, within a proven bound, and with fresh decks under any rules."""
    small = ("--set", "house.attack_cards=[[5]]", "--set", "difficulty=1", "--set", "rounds=2")
    lines = run("metrics", "duel", *small).lines

    assert any("all attack, fresh decks" in line and line.endswith(" bounded") for line in lines)
    assert "  difficulty 1, 5 cards  100 % exact" in lines
