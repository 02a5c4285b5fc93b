"""Metrics of played games: ends, choices and outcomes of luck, against the rules."""

from fractions import Fraction

import pytest

from oddsmith import wire
from oddsmith.balance.metrics.observer import exact_metrics, observed_metrics
from oddsmith.balance.play.kinds import name_action, name_chance
from oddsmith.balance.play.metrics import ActionChosen, GameEnded, LuckDecided, PlayMetrics
from oddsmith.chance import Choose, Roll
from oddsmith.die import D6
from oddsmith.errors import InputError
from oddsmith.points import Points
from oddsmith.position import cards
from oddsmith.records import Record, replay
from tests.defaults.brute_force import example
from tests.laws.toy import Play

PIG, KUHN = map(example, ("pig", "kuhn"))
COIN_PIG = PIG.rules_type(goal=2, sides=2)


@pytest.mark.usefixtures("registered")
def test_a_record_is_resolved_move_by_move() -> None:
    record = Record(rules=COIN_PIG, seats=("Ann", "Bo"), moves=("0 roll", "* 2", "0 hold"))
    found = [*PlayMetrics(PIG.game).resolutions(replay(PIG.game, record))]

    assert [
        ActionChosen(kind="roll", possible=("roll",)),
        LuckDecided(chance="die with 2 sides", outcome="2", weights={"1": 1, "2": 1}),
        ActionChosen(kind="hold", possible=("hold",)),
        GameEnded(winners=(0,), scores=(Points(2), Points(0)), plies=3),
    ] == found
    assert found == [wire.from_json(wire.to_json(one), PlayMetrics(PIG.game).RESOLUTIONS) for one in found]


@pytest.mark.usefixtures("registered")
def test_unlikely_luck_is_marked() -> None:
    """A coin that shows 2 in all of 40 flips; its exact chance is one half."""
    flips = [LuckDecided(chance="coin", outcome="2", weights={"1": 1, "2": 1})] * 40
    marked = [
        (metric.name, cell.name, cell.exact)
        for metric, cell in observed_metrics("pig", flips, COIN_PIG).marked_cells
    ]

    assert ["coin: 1", "coin: 2"] == [cell for _, cell, _ in marked]
    assert all(exact is not None and exact.value == Fraction(1, 2) for _, _, exact in marked)


@pytest.mark.usefixtures("registered")
def test_the_rules_alone_say_what_random_play_comes_to() -> None:
    cells = {
        (metric.name, cell.name): cell.exact.value
        for metric in exact_metrics(COIN_PIG).metrics
        for cell in metric.cells
        if cell.exact is not None
    }

    assert Fraction(2, 3) == cells["game.won", "seat 0"]
    assert Fraction(0) == cells["game.drawn", "all"]
    assert Fraction(5) == cells["game.plies", "all"]
    assert Fraction(4, 3) == cells["game.score", "seat 0"]
    assert Fraction(1) == cells["action.chosen", "hold"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (ActionChosen(kind="jump", possible=("roll", "hold")), "not_possible"),
        (LuckDecided(chance="coin", outcome="3", weights={"1": 1, "2": 1}), "impossible_luck"),
    ],
    ids=["action", "luck"],
)
def test_a_line_that_contradicts_itself_is_refused(line: ActionChosen | LuckDecided, code: str) -> None:
    with pytest.raises(InputError) as caught:
        [*line.observations(COIN_PIG)]

    assert code == caught.value.refusal.code


def test_kinds_have_names() -> None:
    """A structure is its type, several parts are counted, and other chance nodes are the words of their type."""
    assert ["play", "2 parts", "1 card"] == [
        name_action(action) for action in (Play(card=cards("A♠")[0]), (1, 2), cards("A♠")[0])
    ]
    assert ["2 dice", "choose"] == [name_chance(node) for node in (Roll((D6, D6)), Choose(("a", "b"), 1))]
