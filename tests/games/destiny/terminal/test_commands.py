"""`oddsmith destiny …` as text and as JSON."""

from fractions import Fraction

import pytest

from oddsmith.cards import Suit, cards
from oddsmith.games.destiny.model import Degree, Modifier, Reward, Score, Side
from oddsmith.games.destiny.questions.checks import (
    CheckOddsReply,
    CheckReply,
    NeededLevelReply,
    NeededThresholdReply,
)
from oddsmith.games.destiny.questions.contests import ContestOddsReply, GangOddsReply
from oddsmith.games.destiny.ranks import HandRank
from oddsmith.games.destiny.rules import Character, GangScore
from oddsmith.games.destiny.scoring import Target
from oddsmith.points import Points
from oddsmith.question import Share
from tests.cli.running import run

HANDS = 2_598_960
ROYAL = "A♠ K♠ Q♠ J♠ 10♠"
PAIR = "K♠ K♦ A♣ 7♥ 3♠"


def test_score_of_a_royal_flush() -> None:
    """Base 500 and five spades at 27.28 are 636.4."""
    score = run("destiny", "score", ROYAL, "--bonus", "spades=27.28", "--json").reply(Score)

    assert HandRank.ROYAL_FLUSH == score.rank
    assert cards(ROYAL) == score.hand
    assert (Points(500), Points("136.4"), Points(0), Points("636.4")) == (
        score.base,
        score.suit,
        score.modifiers,
        score.total,
    )


def test_points_in_json_are_numbers() -> None:
    """636.4, not a string."""
    result = run("destiny", "score", ROYAL, "--bonus", "spades=27.28", "--json")

    assert '"base":500,' in result.out
    assert '"suit":136.4,"modifiers":0,' in result.out
    assert result.out.endswith('"total":636.4}\n')


def test_a_score_is_added_up_line_by_line() -> None:
    """Every part has its line, and the numbers are aligned."""
    lines = run(
        "destiny", "score", PAIR, "--skill", "lockpicking=50", "--item", "lucky_ace_charm", "--item",
        "iron_horseshoe", "--buff", "poisoned", "--defense-bonus", "15", "--location", "frontera",
    ).lines  # fmt: skip

    assert [
        "hand       K♠ K♦ A♣ 7♥ 3♠   pair",
        "base              44",
        "suit          106.74   2 × 53.37 ♠",
        "suit               3   1 × 3 ♣",
        "modifier          15   item lucky_ace_charm",
        "modifier         -25   buff poisoned",
        "modifier          15   territory defence",
        "modifier          10   item iron_horseshoe, pair",
        "total         168.74",
    ] == lines


def test_a_floored_total_is_labelled() -> None:
    """A total is not below 0."""
    lines = run("destiny", "score", PAIR, "--bonus", "spades=-100").lines

    assert "total              0   not below 0" == lines[-1]


def test_a_buff_has_a_start_and_an_end() -> None:
    """Whiskey taken at second 10 works at 309 and not at 310; without a start it begins now."""
    totals = [
        run("destiny", "score", PAIR, "--buff", buff, "--at", at, "--json").reply(Score).total
        for buff, at in (("whiskey=10", "309"), ("whiskey=10", "310"), ("whiskey", "999"))
    ]

    assert [Points(49), Points(44), Points(49)] == totals


def test_an_outlaw_can_be_changed_by_options() -> None:
    """Calamity Rose in another place, with higher skills, keeps her charm."""
    score = run(
        "destiny", "score", ROYAL, "--outlaw", "calamity_rose", "--location", "red_gulch", "--skill",
        "stealth=1", "--json",
    ).reply(Score)  # fmt: skip

    assert (Modifier("item lucky_ace_charm", Points(15)),) == score.sources
    assert {Suit.SPADES: Points("45.37"), Suit.DIAMONDS: Points(5)} == {
        suit: points for suit, points in score.bonuses.items() if points
    }


def test_odds_are_counts_of_all_hands() -> None:
    """The degrees of a check are whole numbers that add up to all hands."""
    reply = run("destiny", "odds", "275", "--bonus", "spades=40.37", "--json").reply(CheckOddsReply)

    assert {
        Degree.CRITICAL_SUCCESS: 1_473,
        Degree.SUCCESS: 2_022,
        Degree.FAILURE: 8_481,
        Degree.CRITICAL_FAILURE: 2_586_984,
    } == reply.degrees
    assert HANDS == reply.total == sum(reply.degrees.values())
    assert Share(3_495, HANDS, 3_495 / HANDS) == reply.success
    assert Fraction(3_495, HANDS) == reply.success_exact
    assert Target(name=None, threshold=Points(275)) == reply.target
    assert reply.distribution is None


def test_full_odds_are_the_whole_distribution() -> None:
    """Every total with its count; the counts and the mean agree."""
    reply = run("destiny", "odds", "275", "--bonus", "spades=40.37", "--full", "--json").reply(CheckOddsReply)

    assert reply.distribution is not None
    assert HANDS == sum(count for _, count in reply.distribution)
    assert reply.mean == sum(points.fraction * count for points, count in reply.distribution) / HANDS
    assert 3_495 == sum(count for points, count in reply.distribution if points >= Points(275))


def test_odds_are_aligned_in_columns() -> None:
    """Labels and decimal points are aligned; a small chance is not shown as zero."""
    lines = run("destiny", "odds", "275", "--bonus", "spades=40.37").lines

    assert "threshold 275   bonuses ♠ 40.37" == lines[0]
    assert "critical failure  99.54 %  " + "█" * 40 == lines[4]
    assert "succeeds 0.13 % (exact: 3,495 of 2,598,960 hands)" == lines[5]
    assert "  0 –   1.09     %  ▉" == lines[8]
    assert " 75 –  50.28     %  " + "█" * 40 == lines[10]
    assert "425 –   0        %" == lines[17]
    assert "675 –   0.000038 %  ▏" == lines[-1]
    assert 80 >= max(map(len, lines))


def test_a_crime_is_shown_with_its_requirements() -> None:
    """The first line has the crime, its threshold, its energy and its difficulty."""
    lines = run("destiny", "odds", "train_heist").lines

    assert "train_heist: threshold 350, 75 energy, very hard   bonuses none" == lines[0]


def test_chances_near_0_and_1_are_not_rounded_to_them() -> None:
    """A threshold that all but four hands miss is not met in 0 %, one that few miss not in 100 %."""
    certain, rare, likely = (
        next(line for line in run("destiny", "odds", *command).lines if line.startswith("succeeds"))
        for command in (["0"], ["500"], ["16.01", "--bonus", "spades=0.01"])
    )

    assert "succeeds 100 % (exact: 2,598,960 of 2,598,960 hands)" == certain
    assert "succeeds 0.00015 % (exact: 4 of 2,598,960 hands)" == rare
    assert "succeeds 99.990766 % (exact: 2,598,720 of 2,598,960 hands)" == likely


def test_rules_change_the_odds() -> None:
    """A threshold above all plain totals is met by the four royal flushes under the royal rule."""
    plain, royal = (
        run("destiny", "odds", "501", "--rules", rules, "--json").reply(CheckOddsReply).success.count
        for rules in ("default", "royal")
    )

    assert (0, 4) == (plain, royal)


def test_a_check_of_a_given_hand() -> None:
    """A pair against a pickpocket's 80: margin, degree, cost, and the odds before the draw."""
    reply = run("destiny", "check", "pickpocket", "--hand", PAIR, "--energy", "12", "--json").reply(
        CheckReply
    )

    assert (Points(44), Points(-36), Degree.FAILURE) == (
        reply.check.score.total,
        reply.check.margin,
        reply.check.degree,
    )
    assert Reward(Points("-1.6"), Points(0)) == reply.reward
    assert (2, None) == (reply.energy_left, reply.seed)
    assert reply.odds is not None
    assert HANDS == reply.odds.total


def test_parts_of_a_check() -> None:
    """The character, the score, the target, the reward, the exact chance."""
    lines = run(
        "destiny", "check", "bank_robbery", "--outlaw", "calamity_rose", "--seed", "a", "--energy", "60"
    ).lines

    assert "Calamity Rose — lockpicking=50 stealth=40 lucky_ace_charm frontera" == lines[0]
    assert [
        "bank_robbery: threshold 275, 50 energy, hard, margin -129.57: critical failure",
        "gold -27.5, experience 0, Poisoned, energy left 10",
        "a success in 10.16 % of draws (exact)",
    ] == lines[-3:]


def test_a_check_without_a_crime_pays_nothing() -> None:
    """A threshold has no reward and costs no energy."""
    reply = run("destiny", "check", "easy", "--energy", "0", "--seed", "a", "--json").reply(CheckReply)
    lines = run("destiny", "check", "100", "--seed", "a").lines

    assert (None, 0) == (reply.reward, reply.energy_left)
    assert "untrained" == lines[0]
    assert "threshold 100, margin -58: critical failure" == lines[-2]


def test_a_check_shows_its_odds_on_request() -> None:
    """`--odds` adds the lines of `oddsmith destiny odds`."""
    lines = run("destiny", "check", "easy", "--skill", "stealth=40", "--seed", "a", "--odds").lines
    odds = run("destiny", "odds", "easy", "--skill", "stealth=40").lines

    assert odds == lines[-len(odds) :]


@pytest.mark.parametrize(
    "command",
    [
        ("check", "burglary"),
        ("versus", "--attacker", "elite", "--defender", "elite", "--draw"),
        ("gang", "--attacker", "2x elite", "--defender", "elite", "--draw"),
    ],
    ids=" ".join,
)
def test_the_same_seed_draws_the_same_hand(command: tuple[str, ...]) -> None:
    """Another seed gives other luck; without a seed it is the system's."""
    first, again, other, system = (
        run("destiny", *command, *seed)
        for seed in (("--seed", "yuma"), ("--seed", "yuma"), ("--seed", "tucson"), ())
    )

    assert first == again
    assert first.lines != other.lines
    assert len(first.lines) == pytest.approx(len(system.lines), abs=4)


def test_a_contest_is_counted_over_all_pairs_of_draws() -> None:
    """Both counts are exact and add up to all pairs of hands; a tie goes to the defender."""
    reply = run("destiny", "versus", "--attacker", "iron_jack", "--defender", "iron_jack", "--json").reply(
        ContestOddsReply
    )

    assert HANDS**2 == reply.attacker_wins.total == reply.attacker_wins.count + reply.defender_wins.count
    assert reply.attacker_wins.count < reply.defender_wins.count
    assert Fraction(reply.attacker_wins.count, HANDS**2) == reply.attacker_exact
    assert reply.attacker == reply.defender
    assert reply.drawn is None


def test_a_contest_names_both_sides_and_their_bonuses() -> None:
    """Each side as it was described, with its bonuses, then the chances, then the draw."""
    lines = run(
        "destiny", "versus", "--attacker", "gun_fighting=50, whiskey=-400", "--defender", "elite",
        "--defense-bonus", "15", "--seed", "x",
    ).lines  # fmt: skip

    assert [
        "attacker  gun_fighting=50 whiskey=-400   ♣ 40.37",
        "defender  elite   ♠ 40.37  ♥ 40.37  ♣ 40.37  ♦ 40.37   territory 15",
        "",
        "attacker wins   0.23 %  ▏",
        "defender wins  99.77 %  " + "█" * 40,
        "exact: the attacker in 15,603,829,268 of 6,754,593,081,600 draws",
        "",
        "attacker  7♥ 7♦ K♦ Q♥ J♥   pair, total 43",
        "defender  A♦ J♣ 8♣ 4♦ 2♥   high card, total 249.85",
        "defender wins (higher total): critical success, damage 61.37",
    ] == lines


def test_a_contest_is_not_drawn_by_default() -> None:
    """Without a seed or `--draw` the output ends with the exact count."""
    lines = run("destiny", "versus", "--attacker", "elite", "--defender", "elite").lines

    assert lines[-1].startswith("exact: the attacker in ")


def test_a_contest_can_be_drawn() -> None:
    """With a seed the reply has both scores and the winner."""
    drawn = run(
        "destiny", "versus", "--attacker", "spades=1.5 iron_horseshoe red_gulch", "--defender", "legendary",
        "--seed", "x", "--json",
    ).reply(ContestOddsReply).drawn  # fmt: skip

    assert drawn is not None
    assert (Side.DEFENDER, "higher_total") == (drawn.winner, drawn.why)


def test_a_gang_war_is_counted_over_all_draws() -> None:
    """Two against three are five hands, counted exactly."""
    reply = run("destiny", "gang", "--attacker", "2x elite", "--defender", "3 × rookie", "--json").reply(
        GangOddsReply
    )

    assert (2, 3) == (len(reply.attackers), len(reply.defenders))
    assert HANDS**5 == reply.attacker_wins.total == reply.attacker_wins.count + reply.defender_wins.count
    assert Fraction(reply.attacker_wins.count, HANDS**5) == reply.attacker_exact
    assert (GangScore.AVERAGE, None, None) == (reply.score, reply.best, reply.drawn)


def test_a_gang_lists_identical_members_once() -> None:
    """Three and one more of a kind are `4 ×`; long numbers are rounded on screen."""
    lines = run(
        "destiny", "gang", "--attacker", "3x gun_fighting=50", "--attacker", "iron_jack", "--attacker",
        "gun_fighting=50", "--defender", "competent", "--seed", "x", "--defense-bonus", "2.5",
    ).lines  # fmt: skip

    assert [
        "attacker  4 × gun_fighting=50   ♣ 40.37",
        "attacker  1 × iron_jack         ♣ 73.29",
        "defender  competent   ♠ 15.53  ♥ 15.53  ♣ 15.53  ♦ 15.53   territory 2.5",
        "the higher average of all totals wins",
    ] == lines[:4]
    assert lines[7].endswith("× 10³⁸ draws; in full: --json")
    assert "attacker  A♥ A♣ Q♠ 10♣ 4♣   pair, total 163.11" == lines[11]
    assert "attacker  K♥ K♦ J♣ 10♠ 7♠   pair, total 124.29" == lines[12]
    assert lines[-1].startswith("average of all totals ")
    assert 80 >= max(map(len, lines))


@pytest.mark.parametrize(
    ("options", "score", "best", "words"),
    [
        (("--score", "sum"), GangScore.SUM, None, "the higher sum of all totals wins"),
        (("--score", "best"), GangScore.BEST, 3, "the higher average of the best 3 wins"),
        (("--best", "1"), GangScore.BEST, 1, "the higher average of the best 1 wins"),
        (("--score", "best", "--best", "2"), GangScore.BEST, 2, "the higher average of the best 2 wins"),
    ],
)
def test_options_choose_the_score_of_a_gang(
    options: tuple[str, ...], score: GangScore, best: int | None, words: str
) -> None:
    """The sum, the best three, or the best of a given number."""
    command = ("destiny", "gang", "--attacker", "2x elite", "--defender", "rookie", *options)
    reply = run(*command, "--json").reply(GangOddsReply)

    assert (score, best) == (reply.score, reply.best)
    assert words in run(*command).lines


def test_the_least_level_is_found() -> None:
    """Level 33 of lockpicking with stealth 40 succeeds in at least half of all draws against 100."""
    command = (
        "destiny",
        "level",
        "100",
        "--success",
        "50%",
        "--skill",
        "lockpicking",
        "--skill",
        "stealth=40",
    )
    reply = run(*command, "--json").reply(NeededLevelReply)

    assert ("lockpicking", 33, Fraction(442_023, 866_320)) == (reply.skill, reply.level, reply.chance)
    assert [
        "lockpicking 33 succeeds in 51.02 % of draws (exact: 442023/866320)",
        "the least level that reaches 50.00 %",
    ] == run(*command).lines


def test_where_no_level_is_enough_the_best_is_named() -> None:
    command = (
        "destiny",
        "level",
        "bank_robbery",
        "--success",
        "1/2",
        "--skill",
        "lockpicking",
        "--skill",
        "stealth=40",
    )
    reply = run(*command, "--json").reply(NeededLevelReply)

    assert (None, 91) == (reply.level, reply.best_level)
    assert [
        "no level of lockpicking succeeds in 50.00 % of draws",
        "the best is level 91, with 11.64 % (exact)",
    ] == run(*command).lines


def test_the_least_level_of_an_outlaws_own_skill_is_found() -> None:
    reply = run(
        "destiny",
        "level",
        "easy",
        "--success",
        "0.5",
        "--skill",
        "stealth",
        "--outlaw",
        "calamity_rose",
        "--json",
    )

    assert "stealth" == reply.reply(NeededLevelReply).skill


def test_the_highest_threshold_is_found() -> None:
    """Half of all plain draws reach 38."""
    reply = run("destiny", "threshold", "--success", "0.5", "--json").reply(NeededThresholdReply)

    assert (Points(38), Fraction(21_687, 43_316)) == (reply.threshold, reply.chance)
    assert [
        "threshold 38 is met in 50.07 % of draws (exact: 21687/43316)",
        "the highest that is met in at least 50.00 %",
    ] == run("destiny", "threshold", "--success", "0.5").lines


def test_a_threshold_may_be_unbounded() -> None:
    """By the royal rule, one draw in a million meets every threshold."""
    command = ("destiny", "threshold", "--success", "1/1000000", "--rules", "royal")
    reply = run(*command, "--json").reply(NeededThresholdReply)

    assert (None, Fraction(4, HANDS)) == (reply.threshold, reply.chance)
    assert [
        "any threshold is met that often",
        "royal flushes alone succeed in 0.00015 % (exact)",
    ] == run(*command).lines


def test_an_npc_and_an_outlaw_may_be_contenders() -> None:
    reply = run(
        "destiny", "versus", "--attacker", "calamity_rose stealth=50 poisoned=0 sangre_canyon", "--defender",
        "greenhorn", "--json",
    ).reply(ContestOddsReply)  # fmt: skip

    assert (
        Character(
            skills={"lockpicking": 50, "stealth": 50},
            items=("lucky_ace_charm",),
            location="sangre_canyon",
            buffs={"poisoned": 0},
        )
        == reply.attacker
    )


def test_the_full_distribution_needs_json() -> None:
    result = run("destiny", "odds", "275", "--full")

    assert (2, "") == (result.status, result.out)
    assert "error: --full goes with --json: it lists every total\n" == result.err


def test_a_tier_and_a_bonus_add_up() -> None:
    """An elite opponent with three points more in spades has 43.37 there."""
    reply = run(
        "destiny", "versus", "--attacker", "elite spades=3", "--defender", "greenhorn", "--json"
    ).reply(ContestOddsReply)

    assert (Points("43.37"), Points("40.37")) == (
        reply.attacker.bonuses[Suit.SPADES],
        reply.attacker.bonuses[Suit.HEARTS],
    )
