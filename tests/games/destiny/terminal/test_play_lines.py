"""Lines of a run and of a match of skill checks in the terminal."""

import pytest

from oddsmith.games.destiny import DEFAULT, GAME, Rules
from oddsmith.games.destiny.model import Action, Challenge, Choose, Defend, Hire, Raid, State, TakeCheck
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
    assert "200 against 0: [bold]the attacker wins[/] (higher points)" == lines[-1]


def test_12_9_a_match_that_is_not_solved_has_no_chance_to_win() -> None:
    rules = Rules.preset("checks").replace(
        check_rounds=20,
        skill_checks={f"check_{number}": Points(f"{100 + number}.{number:02}") for number in range(10)},
    )
    state = act(act(GAME.setup(rules, 2), Choose("iron_jack")).state, Choose("doc_silas"), 1).state

    assert "wins " not in choices(state)
    assert DEFAULT.skill_checks.keys().isdisjoint(rules.skill_checks)
