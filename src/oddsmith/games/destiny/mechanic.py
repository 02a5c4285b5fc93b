"""The `Mechanic` of the Destiny Deck; each of its parts is loaded when it is used."""

from typing import TYPE_CHECKING, Final

from oddsmith.mechanic import AnyGame, AnyQuestion, Lazy, MakeReport, Mechanic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oddsmith.bot import Bot
    from oddsmith.exhibit import ExhibitGroup
    from oddsmith.figure import Figure
    from oddsmith.metric import GameMetrics
    from oddsmith.rules import Ruleset
    from oddsmith.terminal import Terminal


def _game() -> AnyGame:
    from oddsmith.games.destiny.engine import GAME

    return GAME


def _rules() -> "type[Ruleset]":
    from oddsmith.games.destiny.rules import Rules

    return Rules


def _questions() -> "Sequence[AnyQuestion]":
    from oddsmith.games.destiny.questions import QUESTIONS

    return QUESTIONS


def _bots() -> "Sequence[Bot]":
    from oddsmith.games.destiny.bots import BOTS

    return BOTS


def _figures() -> "Sequence[type[Figure]]":
    from oddsmith.games.destiny.figures import FIGURES

    return FIGURES


def _exhibits() -> "Sequence[ExhibitGroup]":
    from oddsmith.games.destiny.exhibits import EXHIBITS

    return EXHIBITS


def _metrics() -> "GameMetrics":
    from oddsmith.games.destiny import metrics

    return metrics


def _report() -> MakeReport:
    from oddsmith.games.destiny.report import make_report

    return make_report


def _terminal() -> "Terminal":
    from oddsmith.games.destiny.terminal import TERMINAL

    return TERMINAL


MECHANIC: Final = Mechanic(
    Lazy(_game),
    name="destiny",
    title="Destiny Deck",
    summary="Draw five cards, and rob a bank with them.",
    command_help="The Destiny Deck: score hands, make checks, prove the odds.",
    example='oddsmith destiny score "A♠ K♠ Q♠ J♠ 10♠" --bonus spades=27.28',
    rules=Lazy(_rules),
    questions=Lazy(_questions),
    bots=Lazy(_bots),
    default_bot="greedy",
    figures=Lazy(_figures),
    exhibits=Lazy(_exhibits),
    metrics=Lazy(_metrics),
    report=Lazy(_report),
    terminal=Lazy(_terminal),
)
