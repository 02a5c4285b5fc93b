"""The bot `greedy`: what it chooses, and that it beats a bot that chooses evenly."""

from collections.abc import Sequence

import msgspec
import pytest

from oddsmith.bots import find_bot
from oddsmith.chance import Seeded
from oddsmith.games.destiny import DEFAULT, GAME, Crime, Rules
from oddsmith.games.destiny.mechanic import MECHANIC
from oddsmith.games.destiny.model import (
    Action,
    Attempt,
    Buy,
    Challenge,
    Choose,
    Hire,
    Raid,
    Rest,
    RunningBuff,
    RunState,
    State,
    TakeCheck,
    Travel,
)
from oddsmith.games.destiny.run_rules import CRIMES_ONLY, Run
from oddsmith.points import Points
from oddsmith.records import play
from tests.games.destiny.builders import run

SEEDS = range(4)
CRIMES = Rules.preset("crimes_only")
SIX_HOURS = Rules(run=Run(duration=6 * 3_600))
CHEAP_WHISKEY = Rules(run=msgspec.structs.replace(CRIMES_ONLY, prices={"whiskey": Points("0.1")}))


def choice(state: State, seat: int = 0) -> Action:
    """Return what `greedy` chooses."""
    bot = find_bot("destiny", "greedy", state.rules, draw=Seeded("any"), seat=seat)
    chosen = bot(GAME.view(state, seat), GAME.actions(state, seat))
    assert isinstance(chosen, Action)
    return chosen


def gold_of_run(bot: str, seed: int) -> Points:
    player = find_bot("destiny", bot, SIX_HOURS, draw=Seeded(f"player {seed}"), seat=0)
    *_, last = play(GAME, GAME.setup(SIX_HOURS, 1), [player], Seeded(f"luck {seed}"))
    assert isinstance(last.after, RunState)
    return last.after.gold


def mean(golds: Sequence[Points]) -> float:
    return sum(map(float, golds)) / len(golds)


def test_greedy_beats_random_in_runs() -> None:
    """In six hours, on four seeds, it takes home at least five times as much on average, and more on every single one."""
    greedy, random = ([gold_of_run(bot, seed) for seed in SEEDS] for bot in ("greedy", "random"))

    assert all(more > less for more, less in zip(greedy, random, strict=True))
    assert mean(greedy) > 5 * mean(random)


def test_greedy_is_the_default_bot() -> None:
    assert "greedy" == MECHANIC.default_bot


def test_greedy_sends_the_strongest_outlaw_into_a_contest() -> None:
    """Whichever side it is on, and with a greenhorn in the roster it never sends that."""
    state = GAME.setup(DEFAULT, 2)

    assert Choose("greenhorn") not in (choice(state, 0), choice(state, 1))


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (run("iron_jack", CRIMES), Travel("frontera")),
        (run("iron_jack", CRIMES, clock=86_400 - 300), Attempt("petty_theft")),
        (run("calamity_rose", CRIMES, energy=0), Rest()),
        (run("calamity_rose", CRIMES, energy=120, buffs=(RunningBuff("poisoned", 0),)), Rest()),
        (run("iron_jack", CHEAP_WHISKEY, place="frontera", gold=Points(50)), Buy("whiskey")),
        (run("iron_jack", CRIMES, place="frontera", gold=Points(50)), Attempt("pickpocket")),
    ],
    ids=[
        "goes to a better place",
        "stays in the last minutes",
        "rests",
        "sleeps off poison",
        "drinks",
        "stays sober",
    ],
)
def test_greedy_knows_when_to_travel_rest_and_drink(state: RunState, expected: Action) -> None:
    """Each where the exact odds say so."""
    assert expected == choice(state)


def test_greedy_rests_rather_than_lose_gold() -> None:
    """With a crime that only costs it sleeps; in the last minutes it must attempt it."""
    rules = CRIMES.replace(crimes={"moon": Crime(threshold=Points(5_000), energy=10)})
    rich = run("greenhorn", rules, gold=Points(1_000))

    assert Rest() == choice(rich)
    assert Attempt("moon") == choice(run("greenhorn", rules, gold=Points(1_000), clock=86_400 - 300))


def test_greedy_plays_where_energy_cannot_be_regained() -> None:
    """Without rests it spends its energy on the crime that brings most with it."""
    rules = Rules(run=msgspec.structs.replace(CRIMES_ONLY, rest_energy=0))

    assert isinstance(choice(run("calamity_rose", rules, energy=50, place="kaiowa_mesa")), Attempt)
    assert Rest() == choice(run("calamity_rose", rules, energy=0))


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (run("calamity_rose"), Challenge("competent")),
        (run("calamity_rose", gold=Points(30)), Hire("copper_mae")),
        (run("calamity_rose", gold=Points(15), gang=("copper_mae",)), Hire("doc_silas")),
        (run("calamity_rose", gang=("copper_mae", "doc_silas")), Raid("competent")),
        (run("calamity_rose", gold=Points(30), energy=29), Challenge("competent")),
        (run("calamity_rose", gold=Points(30), clock=86_400 - 1_799), Challenge("competent")),
    ],
    ids=[
        "challenges an NPC",
        "hires the first",
        "hires the second",
        "leads the gang",
        "lacks energy for a war",
        "lacks time for a war",
    ],
)
def test_11_8_greedy_challenges_hires_and_raids(state: RunState, expected: Action) -> None:
    """Each where the exact odds say so; a gang only where it can pay for all who are missing."""
    assert expected == choice(state)


def test_11_6_greedy_takes_a_check_where_crimes_only_cost() -> None:
    """A greenhorn loses gold with every crime, and nothing with a skill check."""
    wars, contests = (
        msgspec.structs.replace(one, offered=False) for one in (DEFAULT.run.wars, DEFAULT.run.contests)
    )
    rules = Rules(run=msgspec.structs.replace(DEFAULT.run, wars=wars, contests=contests))

    assert TakeCheck("trivial") == choice(run("greenhorn", rules, gold=Points(1_000), clock=86_100))


def test_11_8_greedy_plays_where_there_is_nothing_but_rest() -> None:
    """Without crimes, checks, contests and wars it rests."""
    assert Rest() == choice(run("greenhorn", CRIMES.replace(crimes={})))


def test_11_8_greedy_leaves_wars_that_take_long_to_count() -> None:
    """Ten a side with different members are not counted."""
    wars = msgspec.structs.replace(DEFAULT.run.wars, least=10, hire=Points(0))
    rules = Rules(run=msgspec.structs.replace(DEFAULT.run, wars=wars))

    assert not isinstance(choice(run("calamity_rose", rules)), Hire | Raid)
