"""Lines of a run, of a match of skill checks and of a gauntlet in the terminal."""

import pytest

from oddsmith.games.destiny import DEFAULT, GAME, Gauntlet, Redraws, Rules
from oddsmith.games.destiny.model import (
    Action,
    Challenge,
    Choose,
    Defend,
    Hire,
    Raid,
    Retire,
    State,
    TakeCheck,
)
from oddsmith.games.destiny.terminal.play import choice_lines, event_lines, state_lines
from oddsmith.points import Points
from tests.games.destiny.builders import NOTHING, ROYAL_FLUSH, act, draw, run

GANG = ("copper_mae", "doc_silas")


def events_of(state: State, action: Action, *hands: object, seat: int = 0) -> list[str]:
    """Return the lines of an action, and of all its draws."""
    step = act(state, action, seat)
    lines = [*event_lines(step.events, GAME.view(step.state, seat))]
    for held in hands:
        step = draw(step.state, held)  # type: ignore[arg-type]  # a hand
        lines += event_lines(step.events, GAME.view(step.state, seat))
    return lines


def choices(state: State, seat: int = 0) -> str:
    return "\n".join(choice_lines(GAME.view(state, seat), GAME.actions(state, seat)))


def test_11_6_a_check_is_described() -> None:
    lines = events_of(run(), TakeCheck("hard"), ROYAL_FLUSH)

    assert "Hard skill check, for 50 energy …" == lines[0]
    assert "critical success[/], margin 290: gold 25, experience 200" in lines[-1]


def test_11_7_a_contest_is_described() -> None:
    lines = events_of(run(place="red_gulch"), Challenge("rookie"), ROYAL_FLUSH, NOTHING)

    assert "against Rookie, for 20 energy …" == lines[0]
    assert "Rookie draws" in lines
    assert (
        "the attacker wins[/] (higher total): critical success, damage 100: gold 70, experience 10, energy 0"
        in lines[-1]
    )


@pytest.mark.parametrize(
    ("action", "begun"),
    [
        (
            Raid("rookie"),
            "[bold]Greenhorn, Copper Mae, Doc Silas[/] raid against 3 × Rookie, for 30 energy …",
        ),
        (
            Defend("rookie"),
            "[bold]Greenhorn, Copper Mae, Doc Silas[/] defend a territory against 3 × Rookie, for 30 energy …",
        ),
    ],
)
def test_11_9_a_war_is_described(action: Action, begun: str) -> None:
    lines = events_of(run(gang=GANG), action, *[ROYAL_FLUSH] * 3, *[NOTHING] * 3)

    assert begun == lines[0]
    assert "wins[/] (higher score): gold" in lines[-1]
    assert 3 == lines.count("Rookie draws")


def test_11_8_a_hire_is_described_and_the_gang_listed() -> None:
    rich = run(gold=Points(100))
    after = act(rich, Hire("copper_mae")).state

    assert ["Copper Mae joins the gang, for $15"] == events_of(rich, Hire("copper_mae"))
    assert "in the gang: Greenhorn, Copper Mae" in [*state_lines(GAME.view(after, 0))]


def test_12_8_choices_have_exact_odds() -> None:
    """A check, a contest, both wars; a war of ten a side is not counted here."""
    listed = choices(run("iron_jack", gang=GANG, gold=Points(15)))
    large = run(
        "iron_jack",
        gang=(*GANG, "calamity_rose", "greenhorn", "iron_jack", *GANG, "calamity_rose", "greenhorn"),
    )

    assert "Hard skill check" in listed
    assert "challenge Veteran" in listed
    assert "hire Calamity Rose" in listed
    assert "raid 3 × Elite" in listed
    assert "defend against 3 × Elite" in listed
    assert 7 + 6 + 5 + 10 == listed.count("% (exact)")
    assert "not counted here: many draws" in choices(large)


def test_8_10_a_match_of_checks_is_described() -> None:
    """Points of both seats, checks that are left, and the chance to win the match with each."""
    rules = Rules.preset("checks").replace(check_rounds=1)
    state = act(act(GAME.setup(rules, 2), Choose("iron_jack")).state, Choose("doc_silas"), 1).state
    first = draw(act(state, TakeCheck("easy")).state, ROYAL_FLUSH).state
    lines = events_of(first, TakeCheck("extreme"), NOTHING, seat=1)

    assert "points: 200 and 0   1 checks left" in [*state_lines(GAME.view(first, 0))]
    assert 6 == choices(state).count("wins ")
    assert "0 points for seat 1" in lines[-2]
    assert "200 against 0: [bold]seat 0 wins[/] (higher points)" == lines[-1]


def test_12_9_a_match_that_is_not_solved_has_no_chance_to_win() -> None:
    rules = Rules.preset("checks").replace(
        check_rounds=20,
        skill_checks={f"check_{number}": Points(f"{100 + number}.{number:02}") for number in range(10)},
    )
    state = act(act(GAME.setup(rules, 2), Choose("iron_jack")).state, Choose("doc_silas"), 1).state

    assert "wins " not in choices(state)
    assert DEFAULT.skill_checks.keys().isdisjoint(rules.skill_checks)


def test_8_12_a_gauntlet_is_described() -> None:
    """Points, lives and the next tier of each seat; both actions with their exact values; the end."""
    rules = Rules.preset("gauntlet").replace(npcs={"rookie": 10, "elite": 50}, gauntlet=Gauntlet(lives=1))
    begun = act(GAME.setup(rules, 2), Choose("iron_jack")).state
    state = act(begun, Choose("doc_silas"), 1).state
    first = draw(draw(act(state, Challenge("rookie")).state, ROYAL_FLUSH).state, NOTHING).state
    lines = events_of(first, Challenge("rookie"), NOTHING, ROYAL_FLUSH, seat=1)

    assert ["seat 0: hidden", "seat 1: choosing"] == [*state_lines(GAME.view(begun, 1))]
    assert ["seat 0: Iron Jack   10 points   lives left: 1, next: Elite"] == [
        *state_lines(GAME.view(first, 0))
    ][:1]
    assert 1 == choices(state).count("wins ")
    assert "challenge Rookie" in choices(state)
    assert "seat 1 challenges [bold]Rookie[/]" == lines[0]
    assert "[bold]the defender wins[/] (higher total): seat 1 has 0 points, lives left: 0" == lines[-1]


def test_8_13_the_end_of_a_gauntlet_is_described() -> None:
    """Alone there is a final score; equal points share the win."""
    rules = Rules.preset("gauntlet")
    alone = fought(act(GAME.setup(rules, 1), Choose("iron_jack")).state, 0)
    state = act(act(GAME.setup(rules, 2), Choose("iron_jack")).state, Choose("doc_silas"), 1).state
    level = act(fought(fought(state, 0), 1), Retire(), 1).state

    assert "retire" in choices(alone)
    assert 2 == choices(alone).count("points (exact)")
    assert ["seat 0 retires with 10 points", "10: [bold]the gauntlet is over[/]"] == events_of(
        alone, Retire()
    )
    assert "10 against 10: [bold]seat 0 and seat 1 share the win[/] (tie)" == events_of(level, Retire())[-1]
    assert "seat 1: Doc Silas   10 points   done" in [*state_lines(GAME.view(level, 0))]
    assert "Iron Jack enters the gauntlet" in events_of(GAME.setup(rules, 1), Choose("iron_jack"))[
        -1
    ].replace("[bold]", "").replace("[/]", "")


def test_1_8_hands_of_a_gauntlet_that_may_be_exchanged_are_shown() -> None:
    rules = Rules.preset("gauntlet").replace(redraws=Redraws(times=1))
    state = act(GAME.setup(rules, 1), Choose("iron_jack")).state

    assert events_of(state, Challenge("rookie"), NOTHING)[-1].startswith("seat 0: dealt: ")
    assert "as dealt (exact)" in choices(state)
    assert "points (exact)" not in choices(state)


def fought(state: State, seat: int) -> State:
    """Return a gauntlet after a seat has beaten the rookie."""
    return draw(draw(act(state, Challenge("rookie"), seat).state, ROYAL_FLUSH).state, NOTHING).state
