"""A team duel in a terminal (§9)."""

import pytest

from oddsmith.errors import IllegalMove
from oddsmith.game import EVERYONE
from oddsmith.games.duel import (
    GAME,
    ExecuteTurn,
    Rules,
    SelectAttack,
    SelectDefense,
    SelectTarget,
)
from oddsmith.games.duel.model import Reshuffled
from oddsmith.games.duel.optional_rules import Criticals
from oddsmith.games.duel.questions.teams import TeamOddsRequest, estimate_team_odds
from oddsmith.games.duel.rules import DeckKind
from oddsmith.games.duel.terminal import TERMINAL
from oddsmith.games.duel.terminal.any_play import choice_lines, event_lines, read_answer, state_lines
from oddsmith.question import Context
from oddsmith.terminal import Reply
from tests.games.duel.builders import ROYAL, refusal, round_between_players
from tests.games.duel.test_teams import HANDS, OPEN, PAIRS, act, fight, team_round


def test_9_3_the_state_names_everybody() -> None:
    lines = [*state_lines(GAME.view(act(team_round(), 0, SelectTarget(3)).state, 0))]

    assert "[bold]round 1 of 20[/]" == lines[0]
    assert ["you", "ally 1", "rival 2", "rival 3"] == [line.split("  ")[0] for line in lines[1:5]]
    assert "100/100 HP   deck 47, used 0" in lines[1]
    assert "[bold]1[/] 3♠" in lines[5]
    assert lines[6].startswith("now       attacks rival 3 with 3♠ 10♠ [red]7♥[/] 5♣ [red]A♦[/] → [bold]36[/]")
    assert 7 == len(lines)


def test_9_3_an_open_ally_is_shown() -> None:
    lines = [*state_lines(GAME.view(team_round(OPEN), 0))]

    assert lines[-1].startswith("ally 1    attacks rival 3 with 10♠ J♠ Q♠ K♠ A♠ → [bold]101[/]")


def test_9_6_the_fallen_are_out() -> None:
    """With fresh decks no piles are counted; before the deal no hand is shown."""
    fresh = PAIRS.replace(deck=DeckKind.FRESH)
    lines = [*state_lines(GAME.view(team_round(fresh, (), hps=(0, 100, 100, 100)), 2))]

    assert lines[1].endswith("  0/100 HP   out")
    assert lines[2].endswith("100/100 HP")
    assert ["rival 0", "rival 1", "you", "ally 3"] == [line.split("  ")[0] for line in lines[1:]]


def test_9_5_an_exchange_in_words() -> None:
    """All of it, who falls, and who won; a spectator reads seats."""
    step = fight(team_round(PAIRS, hps=(100, 100, 20, 80)), {0: (0, 3)}, {0: 3, 1: 2, 3: 0})
    view = GAME.view(step.state, 0)
    lines = [*event_lines(step.events, view)]

    assert "rival 3 has decided" == lines[0]
    assert "[bold]round 1[/]" == lines[1]
    assert "  you       10♠ [red]7♥[/] [red]A♦[/]: 28 against 0 of rival 3, [green]28 damage[/]" == lines[2]
    assert "royal flush +50: 101 against 0 of rival 2" in lines[3]
    assert "  [bold]rival 2: knocked out[/]" == lines[-1]
    assert "  [bold]seat 2: knocked out[/]" == [*event_lines(step.events, GAME.view(step.state, None))][-1]


def test_2_8_a_critical_hit_is_named() -> None:
    rules = PAIRS.replace(criticals=Criticals(factor=Rules.preset("criticals").criticals.factor))
    step = fight(team_round(rules))

    assert any("critical hit +" in line for line in event_lines(step.events, GAME.view(step.state, 0)))


@pytest.mark.parametrize(
    ("viewer", "words"),
    [
        (0, "[bold green]your side won[/]"),
        (3, "[bold red]the other side won[/]"),
        (None, "[bold green]seats 0 to 1 won[/]"),
    ],
)
def test_9_6_the_end_in_words(viewer: int | None, words: str) -> None:
    step = fight(team_round(dealt=HANDS[:3], hps=(100, 100, 40, 0)))

    assert f"{words} (knock-out)" == [*event_lines(step.events, GAME.view(step.state, viewer))][-1]
    assert 5 == len([*state_lines(GAME.view(step.state, viewer))])


def test_9_6_a_draw_in_words() -> None:
    step = fight(team_round(dealt=(ROYAL, ROYAL), hps=(100, 0, 0, 50)))

    assert "[bold]a draw[/] (double knock-out)" == [*event_lines(step.events, GAME.view(step.state, 0))][-1]


def test_9_3_choices_of_allies_in_words() -> None:
    """The own ones are in the state; deals are not described."""
    state = team_round(OPEN)
    view = GAME.view(state, 0)

    assert ["ally 1 attacks rival 2"] == [*event_lines(act(state, 1, SelectTarget(2)).events, view)]
    assert ["ally 1: cards that defend: 2 3"] == [
        *event_lines(act(state, 1, SelectDefense((1, 2))).events, view)
    ]
    assert ["ally 1: cards that defend: none"] == [
        *event_lines(act(state, 1, SelectDefense(())).events, view)
    ]
    for action in (SelectTarget(2), SelectDefense((1,)), ExecuteTurn()):
        assert [] == [*event_lines(act(state, 0, action).events, view)]


def test_3_2_a_shuffle_in_words() -> None:
    event = Reshuffled(audience=EVERYONE, seat=1)

    assert ["[dim]ally 1: the used cards are shuffled back into the deck[/]"] == [
        *event_lines([event], GAME.view(team_round(), 0))
    ]


def test_9_4_answers() -> None:
    view = GAME.view(team_round(), 0)
    actions = GAME.actions(team_round(), 0)

    assert SelectDefense((3, 4)) == read_answer("45", view, actions)
    assert SelectAttack((3,)) == read_answer("a4", view, actions)
    assert SelectDefense(()) == read_answer("-", view, actions)
    assert SelectTarget(3) == read_answer("t3", view, actions)
    assert ExecuteTurn() == read_answer("", view, actions)
    assert [
        "[dim]45: cards 4 and 5 defend, t2 t3: the target, now rival 2; Enter fights, ? odds, h helps, q leaves[/]"
    ] == [*choice_lines(view, actions)]
    assert ["[dim]45: cards 4 and 5 defend; Enter fights, ? odds, h helps, q leaves[/]"] == [
        *choice_lines(view, [ExecuteTurn()])
    ]
    assert "no_flight" == refusal(lambda: read_answer("f", view, actions), IllegalMove).code
    assert "not_an_opponent" == refusal(lambda: read_answer("t1", view, actions), IllegalMove).code
    wrong, helps = read_answer("x", view, actions), read_answer("h", view, actions)
    assert isinstance(wrong, Reply)
    assert "'x' is no answer" in wrong.lines[0]
    assert isinstance(helps, Reply)
    assert any("t2" in line for line in helps.lines)


def test_9_10_the_odds_of_the_round() -> None:
    """Seat 1's royal flush against the best trade of all others."""
    view = GAME.view(team_round(), 1)
    reply = read_answer("?", view, GAME.actions(team_round(), 1))

    assert isinstance(reply, Reply)
    assert ["ally 0", "you", "rival 2", "rival 3"] == [line.split("  ")[0] for line in reply.lines[:4]]
    assert "exact for your split" in reply.lines[4]


def test_7_other_duels_are_played_as_before() -> None:
    state = round_between_players()
    view, actions = GAME.view(state, 0), GAME.actions(state, 0)

    assert SelectDefense((3, 4)) == read_answer("45", view, actions)
    assert "f flees" in next(iter(choice_lines(view, actions)))
    assert "[bold]round 1 of 20[/]" in next(iter(state_lines(view)))
    assert [] == [*event_lines((), view)]


def test_9_11_lines_of_the_answer() -> None:
    request = TeamOddsRequest(allies="random", duels=200)
    reply = estimate_team_odds(request, Context(rules=PAIRS, seed="yuma"))
    lines = [*TERMINAL.answer_lines["team"](request, reply, PAIRS)]

    assert "2 against 2, 100 HP each, 20 rounds" == lines[0]
    assert "estimated from 200 duels with fresh decks, seed yuma" in lines[6]
    assert any("2 or 3" in line for line in lines)
    assert "the first round is exact; keeps: the mean" == lines[-1]
