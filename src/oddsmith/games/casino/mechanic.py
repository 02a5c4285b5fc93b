"""The `Mechanic` of Casino; each of its parts is loaded when it is used."""

from typing import TYPE_CHECKING, Final

from oddsmith.mechanic import AnyGame, AnyQuestion, Lazy, MakeReport, Mechanic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oddsmith.bot import Bot
    from oddsmith.draft import Drafts
    from oddsmith.exhibit import ExhibitGroup
    from oddsmith.figure import Figure
    from oddsmith.metric import GameMetrics
    from oddsmith.rules import Ruleset
    from oddsmith.terminal import Terminal


def _game() -> AnyGame:
    from oddsmith.games.casino.engine import GAME

    return GAME


def _rules() -> "type[Ruleset]":
    from oddsmith.games.casino.rules import Rules

    return Rules


def _questions() -> "Sequence[AnyQuestion]":
    from oddsmith.games.casino.questions import QUESTIONS

    return QUESTIONS


def _bots() -> "Sequence[Bot]":
    from oddsmith.games.casino.bots import BOTS

    return BOTS


def _figures() -> "Sequence[type[Figure]]":
    from oddsmith.games.casino.figures import FIGURES

    return FIGURES


def _exhibits() -> "Sequence[ExhibitGroup]":
    from oddsmith.games.casino.exhibits import EXHIBITS

    return EXHIBITS


def _metrics() -> "GameMetrics":
    from oddsmith.games.casino import metrics

    return metrics


def _report() -> MakeReport:
    from oddsmith.games.casino.report import make_report

    return make_report


def _terminal() -> "Terminal":
    from oddsmith.games.casino.terminal import TERMINAL

    return TERMINAL


def _drafts() -> "Drafts":
    from oddsmith.games.casino.drafts.stacks import DRAFTS

    return DRAFTS


MECHANIC: Final = Mechanic(
    Lazy(_game),
    name="casino",
    title="Casino",
    summary="Capture, build and sweep the table.",
    command_help="Casino: what moves are worth, exact odds, endings, bots.",
    example="oddsmith casino position --seed 3 --plies 10 --out table.toml",
    rules=Lazy(_rules),
    questions=Lazy(_questions),
    bots=Lazy(_bots),
    default_bot="greedy",
    figures=Lazy(_figures),
    exhibits=Lazy(_exhibits),
    metrics=Lazy(_metrics),
    report=Lazy(_report),
    terminal=Lazy(_terminal),
    drafts=Lazy(_drafts),
)
