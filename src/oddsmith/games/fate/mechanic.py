"""The declaration of the Fate Deck as a mechanic; each part is imported when it is used."""

from typing import TYPE_CHECKING, Final

from oddsmith.mechanic import AddCommands, AnyGame, AnyQuestion, Lazy, MakeReport, Mechanic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oddsmith.bot import Bot
    from oddsmith.exhibit import ExhibitGroup
    from oddsmith.figure import Figure
    from oddsmith.metric import GameMetrics
    from oddsmith.rules import Ruleset
    from oddsmith.terminal import Terminal


def _game() -> AnyGame:
    from oddsmith.games.fate.engine import GAME

    return GAME


def _rules() -> "type[Ruleset]":
    from oddsmith.games.fate.rules import Rules

    return Rules


def _questions() -> "Sequence[AnyQuestion]":
    from oddsmith.games.fate.questions import QUESTIONS

    return QUESTIONS


def _bots() -> "Sequence[Bot]":
    from oddsmith.games.fate.bots import BOTS

    return BOTS


def _figures() -> "Sequence[type[Figure]]":
    from oddsmith.games.fate.figures import FIGURES

    return FIGURES


def _exhibits() -> "Sequence[ExhibitGroup]":
    from oddsmith.games.fate.exhibits import EXHIBITS

    return EXHIBITS


def _metrics() -> "GameMetrics":
    from oddsmith.games.fate import metrics

    return metrics


def _report() -> MakeReport:
    from oddsmith.games.fate.report import make_report

    return make_report


def _terminal() -> "Terminal":
    from oddsmith.games.fate.terminal import TERMINAL

    return TERMINAL


def _commands() -> AddCommands:
    from oddsmith.games.fate.commands import add_commands

    return add_commands


MECHANIC: Final = Mechanic(
    Lazy(_game),
    name="fate",
    title="Fate Deck",
    summary="A shared deck that remembers what was drawn.",
    command_help="The Fate Deck: draw from a deck that remembers, count it.",
    example="oddsmith fate odds --target 4 --seen '3♠ J♥ RJ'",
    rules=Lazy(_rules),
    questions=Lazy(_questions),
    bots=Lazy(_bots),
    default_bot="sensible",
    roles=("game master",),
    figures=Lazy(_figures),
    exhibits=Lazy(_exhibits),
    metrics=Lazy(_metrics),
    report=Lazy(_report),
    terminal=Lazy(_terminal),
    commands=Lazy(_commands),
)
