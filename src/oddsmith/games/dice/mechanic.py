"""The mechanic Dice Hands: its name, its texts and its parts, each loaded when it is used."""

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
    from oddsmith.games.dice.engine import GAME

    return GAME


def _rules() -> "type[Ruleset]":
    from oddsmith.games.dice.rules import Rules

    return Rules


def _questions() -> "Sequence[AnyQuestion]":
    from oddsmith.games.dice.questions import QUESTIONS

    return QUESTIONS


def _bots() -> "Sequence[Bot]":
    from oddsmith.games.dice.bots import BOTS

    return BOTS


def _figures() -> "Sequence[type[Figure]]":
    from oddsmith.games.dice.figures import FIGURES

    return FIGURES


def _exhibits() -> "Sequence[ExhibitGroup]":
    from oddsmith.games.dice.exhibits import EXHIBITS

    return EXHIBITS


def _metrics() -> "GameMetrics":
    from oddsmith.games.dice import metrics

    return metrics


def _report() -> MakeReport:
    from oddsmith.games.dice.report import make_report

    return make_report


def _terminal() -> "Terminal":
    from oddsmith.games.dice.terminal import TERMINAL

    return TERMINAL


MECHANIC: Final = Mechanic(
    Lazy(_game),
    name="dice",
    title="Dice Hands",
    summary="Roll, lock, reroll, and buy better dice.",
    command_help="Dice Hands: scores, odds, what to keep, what to buy.",
    example="oddsmith dice advise 5 5 2 3 6 --rerolls 2 --target 98",
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
