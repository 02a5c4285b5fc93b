"""Terminal sentences on what to do now, on characters, talents and stakes (§2.5, §4.5, §6.2, §6.5)."""

import pytest

from oddsmith.game import EVERYONE
from oddsmith.games.fate import model
from oddsmith.games.fate.effects import DrawMore
from oddsmith.games.fate.engine import GAME
from oddsmith.games.fate.rule_types import Character, CheckKind
from oddsmith.games.fate.rules import DEFAULT, Rules
from oddsmith.games.fate.terminal.guide import describe_stakes, guide_line
from oddsmith.games.fate.terminal.play import choice_lines, event_lines, state_lines
from tests.games.fate.builders import apply_line, new_game, state_after
from tests.games.fate.test_talents import ADVENTURE, called, with_talents


@pytest.mark.parametrize(
    ("state", "seat", "start"),
    [
        (new_game(), 1, "you may look at the top cards before you are ready"),
        (state_after(new_game(), "1 peek 1", "* 3♠"), 1, "you know the top cards now"),
        (state_after(new_game(), "1 ready"), 0, "call a check that can go either way"),
        (called(DEFAULT, "3♠", "A♥"), 1, "resolve to take the cards as they are, or change them first"),
        (called(Rules(abilities={}), "3♠", "A♥"), 1, "resolve to take the cards as they are"),
        (called(DEFAULT, "3♠"), 1, ""),
        (state_after(called(DEFAULT, "3♠", "A♥"), "1 extra", "* 2♥"), 1, "choose which cards count"),
        (
            state_after(called(with_talents(DrawMore(cards=1)), "3♠", "A♥"), "1 resolve", "* 2♥"),
            1,
            "your talents drew: resolve",
        ),
        (new_game(), 2, ""),
        (called(DEFAULT, "3♠", "A♥"), 0, ""),
    ],
)
def test_6_2_one_sentence_on_what_to_do_now(state: model.State, seat: int, start: str) -> None:
    line = guide_line(GAME.view(state, seat))

    assert line.startswith(start)
    assert bool(start) == bool(line)


def test_2_5_characters_and_the_viewers_talents_are_shown() -> None:
    lines = [*state_lines(GAME.view(new_game(ADVENTURE), 2))]

    assert "health    player 1 has 5, player 2 has 5" in lines
    assert "player 1 is [bold]Ysolde the Blade[/]: strength +1, fighting +1, climbing +1" in lines
    assert "you are [bold]Brother Anselm[/]: wits +1, charm +1, healing +1, lore +1" in lines
    assert "  mercy: regains 2 health when there are two cards: one is a spade, the other is a heart" in lines


def test_2_5_a_character_without_numbers_says_so() -> None:
    rules = DEFAULT.replace(characters=(Character(name="Nobody"),))

    assert "you are [bold]Nobody[/]: no numbers" in [*state_lines(GAME.view(new_game(rules), 1))]


@pytest.mark.parametrize(
    ("rules", "kind", "words"),
    [
        (DEFAULT, CheckKind(target=3), ""),
        (DEFAULT, CheckKind(target=3, worth=2, harm=1), "worth 2"),
        (ADVENTURE, CheckKind(attribute="wits"), "adds wits"),
        (ADVENTURE, CheckKind(target=3, skill="lore"), "adds lore; worth 1"),
    ],
)
def test_6_5_stakes_are_said_where_they_are_not_the_usual(rules: Rules, kind: CheckKind, words: str) -> None:
    assert words == describe_stakes(kind, rules)


def test_6_5_a_match_tells_the_story_the_stakes_and_what_came_of_it() -> None:
    """A duel: 3 and 1 with a lone spade."""
    start = state_after(new_game(ADVENTURE), "1 ready")
    call = apply_line(start, "0 call 1 duel")
    won = apply_line(state_after(call.state, "* 3♠", "* A♥"), "1 resolve")
    lost = apply_line(state_after(call.state, "* J♦", "* J♥"), "1 resolve")
    view = GAME.view(won.state, 1)
    rows = [*event_lines([*call.events, *won.events, *lost.events], view)]

    assert [
        "the game master called for [bold]duel[/]: you, on turn",
        "  [italic]The captain of the guard draws.[/]",
        "  reach 4; adds strength and fighting; worth 2, a failure costs 2 health",
        "  [green]keen edge[/] of you fires. A lone spade sharpens the blade.",
        "  you, keen edge: +1 to the total",
        "  you: 3♠ [red]A♥[/] make 4 + 2 + 1 = 7, [bold green]success[/]",
        "  [italic]His sword rings on the stones. +2 to the successes[/]",
        "  you: [red]J♦[/] [red]J♥[/] make 0 + 2 = 2, [bold red]failure[/]",
        "  [italic]He is better than the songs say. -2 health[/]",
    ] == rows


@pytest.mark.parametrize(
    ("kind", "other", "words"),
    [
        ("draw", None, "draws 2 more"),
        ("redraw", None, "the cards are set aside and drawn again"),
        ("peek", None, "looks at the top 2"),
        ("strike", 2, "player 2 loses 2 health"),
        ("heal", None, "regains 2 health"),
        ("regain", None, "regains a use of an ability"),
    ],
)
def test_4_8_an_effect_is_described(kind: model.EffectKind, other: int | None, words: str) -> None:
    event = model.EffectHappened(
        audience=EVERYONE, player=1, talent="storm", kind=kind, amount=2, other=other
    )

    assert [f"  you, storm: {words}"] == [*event_lines([event], GAME.view(new_game(ADVENTURE), 1))]


def test_2_4_a_negative_bonus_is_subtracted_in_words() -> None:
    result = model.Result(
        cards=("3♠",),
        value=3,
        modifier=0,
        total=1,
        success=None,
        triggered=None,
        talents=("storm",),
        bonus=-2,
    )
    event = model.Resolved(audience=EVERYONE, player=1, check="duel", result=result)

    assert ["  you: 3♠ makes 3 − 2 = 1"] == [*event_lines([event], GAME.view(new_game(ADVENTURE), 1))]


def test_6_3_the_choice_of_checks_has_their_stakes() -> None:
    state = state_after(new_game(ADVENTURE), "1 ready")
    lines = [*choice_lines(GAME.view(state, 0), GAME.actions(state, 0))]

    assert (
        "  [bold]duel   [/]  reach 4; adds strength and fighting; worth 2, a failure costs 2 health" in lines
    )
