"""The exact odds of a team's round, the estimates of whole duels, and the bots (§9.9 to §9.11)."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import product
from typing import Any, Final

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.bot import BotSettings
from oddsmith.chance import Scripted, Seeded
from oddsmith.driver import play
from oddsmith.errors import WorkLimitError
from oddsmith.estimate import Estimate
from oddsmith.games.duel import (
    GAME,
    Ending,
    ExecuteTurn,
    Fighter,
    Result,
    Rules,
    SelectDefense,
    SelectTarget,
    Teams,
    TeamState,
)
from oddsmith.games.duel.classes import hand_kinds
from oddsmith.games.duel.conditions import round_rules
from oddsmith.games.duel.model import SteadyPolicy
from oddsmith.games.duel.optional_rules import Combos, Durability
from oddsmith.games.duel.policies import POLICIES
from oddsmith.games.duel.policy_odds import compute_player_odds
from oddsmith.games.duel.questions.teams import (
    TeamFighterInput,
    TeamOddsRequest,
    TeamRoundReply,
    TeamRoundRequest,
    compute_team_round,
    estimate_team_odds,
)
from oddsmith.games.duel.rules import DeckKind
from oddsmith.games.duel.scoring import SPLITS, attack, damage, defense, split
from oddsmith.games.duel.team_bots import make_bot
from oddsmith.games.duel.team_odds import combo_exchange, fighter_exchange, round_odds
from oddsmith.games.duel.team_scoring import weakest_opponent
from oddsmith.games.duel.team_simulation import TeamTally, fight_rounds, simulate_teams
from oddsmith.odds.distribution import Distribution
from oddsmith.question import Context
from tests.games.duel.builders import EXAMPLE_HAND, EXAMPLE_HOUSE, LOW, ROYAL, refusal
from tests.games.duel.test_teams import HANDS, PAIRS, act, team_round

FRESH: Final = PAIRS.replace(deck=DeckKind.FRESH)
LOW_HP: Final = 12


def ask_round(*fighters: TeamFighterInput, rules: Rules = PAIRS, number: int = 1) -> TeamRoundReply:
    return compute_team_round(TeamRoundRequest(round=number, fighters=fighters), Context(rules=rules))


# --- a round ---------------------------------------------------------------------------------------------------------


def test_9_10_a_round_of_known_hands_is_decided() -> None:
    """The example of 9.5: 73, 99, 100 and 13 hit points are left, for certain."""
    reply = ask_round(
        TeamFighterInput(hand=EXAMPLE_HAND, defense="3♠ 5♣", target=3),
        TeamFighterInput(hand=ROYAL),
        TeamFighterInput(hand=EXAMPLE_HOUSE),
        TeamFighterInput(hand=LOW, defense=LOW),
    )

    assert [73, 99, 100, 13] == [blow.hp for blow in reply.blows]
    assert [73, 99, 100, 13] == [one.hp_left for one in reply.fighters]
    assert (Fraction(172), Fraction(113)) == reply.hp_left
    assert [0] * 4 == [one.falls for one in reply.fighters]
    assert reply.result is None


def test_9_10_a_decided_round_may_end_the_duel() -> None:
    reply = ask_round(
        TeamFighterInput(hand=ROYAL),
        TeamFighterInput(hp=0),
        TeamFighterInput(hand=LOW, hp=101),
        TeamFighterInput(hp=0, hand=LOW),
        rules=PAIRS.replace(player_hp=101),
    )

    assert Result(why=Ending.KNOCK_OUT, winner=0) == reply.result
    assert [1] == [one.falls for one in reply.fighters if one.seat == 2]


def test_9_10_two_hands_against_an_unknown_fighter() -> None:
    """Seat 2 defends with everything, 28 by seat 0 and 101 by seat 1 hit it: it keeps 100 − (28 − d)⁺ − (101 − d)⁺, at least 1 each."""
    reply = ask_round(
        TeamFighterInput(hand=EXAMPLE_HAND, defense="3♠ 5♣", target=2),
        TeamFighterInput(hand=ROYAL, target=2),
        TeamFighterInput(policy="all_defense"),
        TeamFighterInput(hp=0),
    )
    kinds = hand_kinds()
    ways = Counter[int]()
    for cards, times in zip(kinds.hands, kinds.ways.sum(axis=1).tolist(), strict=True):
        guard = defense(cards, Fighter(), PAIRS).total
        ways[max(0, 100 - max(1, 28 - guard) - max(1, 101 - guard))] += times

    third = next(one for one in reply.fighters if one.seat == 2)
    assert Fraction(ways[0], 2_598_960) == third.falls
    assert Fraction(sum(left * times for left, times in ways.items()), 2_598_960) == third.hp_left
    assert () == reply.blows
    assert [(28, 8), (101, 0), None] == [
        None if one.attack is None or one.defense is None else (one.attack.total, one.defense.total)
        for one in reply.fighters
    ]


exchanges = st.dictionaries(
    st.tuples(st.integers(0, 15), st.integers(0, 15)), st.integers(1, 4), min_size=1, max_size=3
)


@given(
    st.lists(exchanges, min_size=4, max_size=4),
    st.lists(st.sampled_from([(0,), (1,), (0, 1)]), min_size=4, max_size=4),
    st.lists(st.integers(1, LOW_HP), min_size=4, max_size=4),
    st.integers(0, 2),
)
@settings(max_examples=25)
def test_9_10_odds_are_those_of_all_cases(
    tables: list[dict[tuple[int, int], int]], aims: list[tuple[int, ...]], hps: list[int], least: int
) -> None:
    """Brute force over every exchange of every fighter and every target."""
    rules = PAIRS.replace(least_dealt=least)
    targets = {seat: tuple((2 if seat < 2 else 0) + aim for aim in aims[seat]) for seat in range(4)}
    found = round_odds({seat: Distribution(table) for seat, table in enumerate(tables)}, targets, hps, rules)
    left: list[Counter[int]] = [Counter() for _ in range(4)]
    for powers in product(*(table.items() for table in tables)):
        for chosen in product(*targets.values()):
            ways = int(np.prod([weight for _, weight in powers]))
            for seat in range(4):
                guard = powers[seat][0][1]
                taken = sum(
                    damage(powers[other][0][0], guard, least) for other in range(4) if chosen[other] == seat
                )
                left[seat][max(0, hps[seat] - taken)] += ways

    assert dict(enumerate(map(Distribution, left))) == found


@pytest.mark.parametrize("policy", ["all_attack", "best_trade", "balanced"])
def test_9_9_a_bot_splits_as_the_odds_say(policy: SteadyPolicy) -> None:
    """For every kind of a sample of hands, its attack and defence are those of the exact exchange."""
    gear, other = Fighter(weapon=3, skill=10), Fighter(armor=8)
    rules = PAIRS.replace(player=gear, rival=other)
    exchange = fighter_exchange(policy, gear, other, rules)
    bot = make_bot(policy, rules, BotSettings(draw=Scripted([]), seat=0))
    for cards in hand_kinds().hands[::1500]:
        text = " ".join(map(str, cards))
        state = team_round(rules, (text, *HANDS[1:]))
        chosen = bot(GAME.view(state, 0), GAME.actions(state, 0))
        defending = chosen.card_indices if isinstance(chosen, SelectDefense) else ()
        mask = [place in defending for place in range(5)]
        attackers, defenders = split(state.fighters[0].hand, mask)
        assert exchange.weight((attack(attackers, gear, rules).total, defense(defenders, gear, rules).total))


def test_9_10_the_exchange_of_a_random_fighter_counts_all_splits() -> None:
    assert 2_598_960 * len(SPLITS) == fighter_exchange("random", Fighter(), Fighter(weapon=9), PAIRS).total


def test_9_10_a_random_fighter_attacks_any_living_opponent() -> None:
    reply = ask_round(TeamFighterInput(policy="random"), TeamFighterInput(), TeamFighterInput(hp=30))

    assert [(2, 3), (2,), (0,), (1,)] == [one.targets for one in reply.fighters]


@pytest.mark.parametrize(
    ("fighters", "rules", "number", "code"),
    [
        ([], Rules(), 1, "no_teams"),
        ([TeamFighterInput()] * 5, PAIRS, 1, "bad_seats"),
        ([], PAIRS, 21, "no_position"),
        ([TeamFighterInput(hp=101)], PAIRS, 1, "no_position"),
        ([TeamFighterInput(hp=0)] * 2, PAIRS, 1, "no_position"),
        ([TeamFighterInput(defense="2♠")], PAIRS, 1, "no_split"),
        ([TeamFighterInput(hand=LOW, defense="A♠")], PAIRS, 1, None),
        ([TeamFighterInput(hand="2♠")], PAIRS, 1, "bad_hand"),
        ([TeamFighterInput(target=1)], PAIRS, 1, "not_an_opponent"),
    ],
    ids=["no teams", "too many", "round", "hp", "out", "split", "defence", "hand", "target"],
)
def test_9_10_bad_rounds_are_refused(
    fighters: Sequence[TeamFighterInput], rules: Rules, number: int, code: str | None
) -> None:
    refused = refusal(lambda: ask_round(*fighters, rules=rules, number=number))

    assert refused.code == code or (code is None and refused.where == "fighters[0].defense")


# --- whole duels -----------------------------------------------------------------------------------------------------


@given(st.integers(0, 10**6))
@settings(max_examples=20)
def test_9_11_arrays_follow_the_rules_of_a_round(seed: int) -> None:
    """Hit points after a round are those of brute force over seats."""
    generator = np.random.default_rng(seed)
    hps, attacks, defenses = (generator.integers(low, 40, size=(3, 4)) for low in (0, 1, 0))
    targets = generator.integers(2, size=(3, 4)) + np.array([2, 2, 0, 0])
    left = fight_rounds(hps, attacks, defenses, targets, 1)
    for duel in range(3):
        expected = [
            max(
                0,
                hp
                - sum(
                    damage(attacks[duel, other], defenses[duel, seat], 1)
                    for other in range(4)
                    if hps[duel, other] > 0 and targets[duel, other] == seat
                ),
            )
            for seat, hp in enumerate(hps[duel].tolist())
        ]

        assert expected == left[duel].tolist()


def test_9_11_a_team_of_one_ends_as_a_duel_of_two() -> None:
    """The chances of two players are computed; 40,000 simulated duels agree within three errors."""
    rules = Rules(deck=DeckKind.FRESH)
    odds = compute_player_odds((POLICIES["best_trade"], POLICIES["all_attack"]), rules)
    tally = simulate_teams(["best_trade", "all_attack"], rules, 40_000, "pair")

    for winner, chance in ((0, odds.win), (1, odds.defeat), (None, odds.draw)):
        assert abs(tally.share(winner).mean - chance) < 1.5 * tally.share(winner).error


def play_teams(
    policies: tuple[SteadyPolicy, ...], rules: Rules, duels: int
) -> tuple[TeamTally, Counter[int]]:
    """Play duels of bots through the engine; return their winners, and their last rounds."""
    bots = [
        make_bot(name, rules, BotSettings(draw=Seeded(f"bot {seat}"), seat=seat))
        for seat, name in enumerate(policies)
    ]
    luck, played, lengths = Seeded("played"), Counter[int | None](), Counter[int]()
    for _ in range(duels):
        *_, last = play(GAME, GAME.setup(rules, 4), bots, luck)
        assert last.after.result is not None
        played[last.after.result.winner] += 1
        lengths[last.after.round] += 1
    return TeamTally(dict(played), dict(lengths)), lengths


@pytest.mark.parametrize(
    ("policies", "duels"),
    [(("all_attack", "four_one", "all_attack", "all_attack"), 400), (("random",) * 4, 40)],
    ids=["attack", "random"],
)
def test_9_11_simulated_duels_end_as_played_ones(policies: tuple[SteadyPolicy, ...], duels: int) -> None:
    """Duels of bots through the engine, with the same fresh decks: both estimates agree within their errors."""
    seen, _ = play_teams(policies, FRESH, duels)
    tally = simulate_teams(policies, FRESH, 20_000, "simulated")

    for winner in (0, 1, None):
        assert abs(seen.share(winner).mean - tally.share(winner).mean) < (
            1.5 * (seen.share(winner).error + tally.share(winner).error)
        )


def test_9_11_the_question_estimates_and_computes_the_first_round() -> None:
    reported: list[str] = []

    @contextmanager
    def report(what: str) -> Iterator[Callable[[float], None]]:
        reported.append(what)
        yield lambda share: reported.append(f"{share:.1f}")

    request = TeamOddsRequest(allies="all_attack, all_defense", opponents=("best_trade",), duels=200)
    reply = estimate_team_odds(request, Context(rules=PAIRS, seed="yuma", progress=report))

    assert ("all_attack", "all_defense", "best_trade", "best_trade") == reply.policies
    assert (200, "yuma") == (reply.duels, reply.seed)
    assert 1 == pytest.approx(reply.win.value + reply.defeat.value + reply.draw.value)
    assert min(reply.win.error, reply.defeat.error, reply.draw.error, reply.rounds.error) > 0
    assert [(2,), (3,), (0,), (1,)] == [one.targets for one in reply.first_round]
    assert ["fighting 200 team duels", "1.0"] == reported


@pytest.mark.parametrize(
    ("changes", "code", "where"),
    [
        ({"allies": "optimal"}, "team_not_solved", "allies"),
        ({"opponents": "best_trad"}, "unknown_bot", "opponents"),
        ({"allies": "random,random,random"}, "bad_seats", "allies"),
        ({"opponents": ()}, "bad_seats", "opponents"),
    ],
)
def test_9_11_bad_policies_are_refused(changes: Mapping[str, Any], code: str, where: str) -> None:
    refused = refusal(lambda: estimate_team_odds(TeamOddsRequest(**changes), Context(rules=PAIRS)))

    assert (code, where) == (refused.code, refused.where)


def test_9_11_a_server_limits_the_duels() -> None:
    request = TeamOddsRequest(duels=20_001)
    refused = refusal(
        lambda: estimate_team_odds(request, Context(rules=PAIRS, is_limited=True)), WorkLimitError
    )

    assert "too_many_duels" == refused.code


# --- bots ------------------------------------------------------------------------------------------------------------


def test_9_9_bots_attack_the_weakest() -> None:
    """Of equal ones the one opposite; the fallen are left out."""
    rules = Rules.preset("teams_of_three")

    assert 4 == weakest_opponent(1, (9, 9, 9, 9, 9, 9), rules)
    assert 3 == weakest_opponent(1, (9, 9, 9, 8, 9, 9), rules)
    assert 5 == weakest_opponent(1, (9, 9, 9, 0, 9, 8), rules)


def test_9_9_a_bot_splits_then_aims_then_fights() -> None:
    """Seat 3 has 90 HP left: seat 0 attacks it; without selections left it fights with that split."""
    state: TeamState = team_round(hps=(100, 100, 100, 90))
    bot = make_bot("all_defense", PAIRS, BotSettings(draw=Scripted([]), seat=0))
    chosen: list[object] = []
    for _ in range(3):
        action = bot(GAME.view(state, 0), GAME.actions(state, 0))
        chosen.append(action)
        state = act(state, 0, action).state

    assert [SelectDefense((0, 1, 2, 3, 4)), SelectTarget(3), ExecuteTurn()] == chosen
    few = team_round(PAIRS.replace(most_selections=1), hps=(100, 100, 100, 90))
    few = act(few, 0, SelectDefense((0, 1, 2, 3, 4))).state
    assert ExecuteTurn() == bot(GAME.view(few, 0), GAME.actions(few, 0))


def test_9_9_a_random_bot_draws_its_target() -> None:
    """Also where one selection is left, in which case it fights the opponent opposite."""
    state = act(team_round(), 0, SelectDefense((1,))).state
    bot = make_bot("random", PAIRS, BotSettings(draw=Seeded("targets"), seat=0))
    view, actions = GAME.view(state, 0), GAME.actions(state, 0)

    assert {SelectTarget(2), SelectTarget(3)} == {bot(view, actions) for _ in range(20)}
    assert ExecuteTurn() == bot(view, [ExecuteTurn()])
    aimed = act(state, 0, SelectTarget(3)).state
    assert ExecuteTurn() == bot(GAME.view(aimed, 0), GAME.actions(aimed, 0))


def test_9_9_a_bot_wants_its_own_view() -> None:
    bot = make_bot("all_attack", PAIRS, BotSettings(draw=Scripted([]), seat=1))

    assert "not_own_view" == refusal(lambda: bot(GAME.view(team_round(), 0), [ExecuteTurn()])).code


def test_9_11_no_bot_plays_a_team_duel_perfectly() -> None:
    settings = BotSettings(draw=Scripted([]))

    assert "team_not_solved" == refusal(lambda: make_bot("optimal", PAIRS, settings)).code
    assert "unknown_bot" == refusal(lambda: make_bot("nobody", PAIRS, settings)).code
    assert "PerfectBot" == type(make_bot("optimal", Rules(), settings)).__name__


def test_9_2_gear_changes_the_odds() -> None:
    """The second opponent's armour of 1000 keeps it whole but for the least damage."""
    rules = PAIRS.replace(teams=Teams(size=2, opponents=(Fighter(armor=1000),)))
    reply = ask_round(TeamFighterInput(), TeamFighterInput(policy="all_attack"), rules=rules)

    assert [99] == [one.hp_left for one in reply.fighters if one.seat == 3]


def test_9_12_a_round_takes_the_streak_of_each_fighter() -> None:
    """With a streak of 2 a known hand attacks with 8 more; policies attack with 8 more in the mean."""
    rules = PAIRS.replace(combos=Combos(bonus=4))
    plain, streak = (
        ask_round(TeamFighterInput(hand=EXAMPLE_HAND, streak=number), rules=rules).fighters[0].attack
        for number in (0, 2)
    )
    assert plain is not None
    assert streak is not None

    assert 8 == streak.total - plain.total
    attacks = [
        fighter_exchange("all_attack", Fighter(), Fighter(), round_rules(rules, 1, number))
        .map(lambda powers: powers[0])
        .mean
        for number in (0, 2)
    ]
    assert 8 == attacks[1] - attacks[0]


def test_9_12_a_streak_that_the_rules_do_not_have_is_refused() -> None:
    found = refusal(lambda: ask_round(TeamFighterInput(streak=1)))

    assert ("bad_streak", "fighters[0].streak") == (found.code, found.where)


def test_9_12_a_bot_splits_by_its_streak_and_by_that_of_its_target() -> None:
    """For a sample of hands its turn is one of the exact exchange; it defends more against 60 more attack."""
    rules = PAIRS.replace(combos=Combos(bonus=20))
    own, *others = (round_rules(rules, 1, streak) for streak in (1, 0, 3))
    guards = []
    for streak, theirs in zip((0, 3), others, strict=True):
        exchange = combo_exchange("best_trade", Fighter(), Fighter(), own, theirs)
        guards.append(exchange.map(lambda turn: turn[1]).mean)
        bot = make_bot("best_trade", rules, BotSettings(draw=Scripted([]), seat=0))
        for cards in hand_kinds().hands[::700]:
            state = team_round(rules, (" ".join(map(str, cards)), *HANDS[1:]))
            fighters = tuple(
                msgspec.structs.replace(fighter, streak=length)
                for fighter, length in zip(state.fighters, (1, 0, streak, 0), strict=True)
            )
            state = msgspec.structs.replace(state, fighters=fighters)
            chosen = bot(GAME.view(state, 0), GAME.actions(state, 0))
            defending = chosen.card_indices if isinstance(chosen, SelectDefense) else ()
            attackers, defenders = split(state.fighters[0].hand, [place in defending for place in range(5)])
            power = attack(attackers, Fighter(), own)
            guard = defense(defenders, Fighter(), own)

            assert exchange.weight((power.total, guard.total, power.rank in rules.combo_ranks))

    assert guards[0] < guards[1]


def test_9_12_whole_duels_with_combos_are_simulated_as_they_are_played() -> None:
    """Each attack with a pair adds 20 to the next: simulated and played duels agree within their errors."""
    rules = FRESH.replace(combos=Combos(bonus=20), player_hp=80)
    policies: tuple[SteadyPolicy, ...] = ("all_attack", "four_one", "all_attack", "all_attack")
    played, lengths = play_teams(policies, rules, 100)
    tally = simulate_teams(policies, rules, 20_000, "simulated")
    plain = simulate_teams(policies, FRESH.replace(player_hp=80), 20_000, "simulated")
    length = Estimate.of(lengths)

    assert abs(played.share(0).mean - tally.share(0).mean) < 1.5 * (
        played.share(0).error + tally.share(0).error
    )
    assert abs(length.mean - tally.length.mean) < 1.5 * (length.error + tally.length.error)
    assert tally.length.mean + tally.length.error < plain.length.mean - plain.length.error


def test_9_12_a_server_limits_the_distributions_of_splits() -> None:
    """81 pairs of streaks for each of eight pairs of gear are more than 500."""
    rules = PAIRS.replace(
        combos=Combos(bonus=4, most=8),
        teams=Teams(size=2, allies=(Fighter(armor=1),), opponents=(Fighter(armor=2),)),
    )
    with pytest.raises(WorkLimitError) as caught:
        estimate_team_odds(TeamOddsRequest(), Context(rules=rules, is_limited=True))

    assert ("too_many_distributions", "rules") == (caught.value.refusal.code, caught.value.refusal.where)


def test_9_12_simulated_duels_wear_gear() -> None:
    """Weapons of 600 defeat both opponents of 1000 hit points within three rounds, and not where one round wears them out."""
    rules = FRESH.replace(player=Fighter(weapon=600), durability=Durability(weapon_wear=600), player_hp=1000)
    worn = simulate_teams(["all_attack"] * 4, rules, 200, "yuma")
    kept = simulate_teams(["all_attack"] * 4, rules.replace(durability=Durability()), 200, "yuma")

    assert max(kept.rounds) <= 3 < min(worn.rounds)
