"""The declaration of the Combat Duel as a mechanic; each part is imported when it is used."""

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from oddsmith.mechanic import AnyGame, AnyQuestion, Lazy, MakeReport, Mechanic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oddsmith.bot import Bot, BotSettings, Chooser
    from oddsmith.exhibit import ExhibitGroup
    from oddsmith.figure import Figure
    from oddsmith.games.duel.rules import Rules
    from oddsmith.metric import GameMetrics
    from oddsmith.rules import Ruleset
    from oddsmith.terminal import Terminal


def _game() -> AnyGame:
    from oddsmith.games.duel.any_duel import GAME

    return GAME


def _rules() -> "type[Ruleset]":
    from oddsmith.games.duel.rules import Rules

    return Rules


def _questions() -> "Sequence[AnyQuestion]":
    from oddsmith.games.duel.questions import QUESTIONS

    return QUESTIONS


def _bots() -> "Sequence[Bot]":
    from oddsmith.bot import Bot
    from oddsmith.games.duel.model import BOT_NAMES, PERFECT

    return tuple(Bot(name=name, make=partial(_make_bot, name), is_slow=name == PERFECT) for name in BOT_NAMES)


def _make_bot(name: str, rules: "Rules", settings: "BotSettings") -> "Chooser[Any, Any]":
    from oddsmith.games.duel.team_bots import make_bot

    return make_bot(name, rules, settings)


def _figures() -> "Sequence[type[Figure]]":
    from oddsmith.games.duel.figures import FIGURES

    return FIGURES


def _exhibits() -> "Sequence[ExhibitGroup]":
    from oddsmith.games.duel.exhibits import EXHIBITS

    return EXHIBITS


def _metrics() -> "GameMetrics":
    from oddsmith.games.duel import metrics

    return metrics


def _report() -> MakeReport:
    from oddsmith.games.duel.report import make_report

    return make_report


def _terminal() -> "Terminal":
    from oddsmith.games.duel.terminal import TERMINAL

    return TERMINAL


MECHANIC: Final = Mechanic(
    Lazy(_game),
    name="duel",
    title="Combat Duel",
    summary="Split a hand between attack and defence.",
    command_help="The Combat Duel: odds, the best split, tournaments.",
    example="oddsmith duel odds --difficulty 3 --skill 30 --weapon 5 --armor 3",
    rules=Lazy(_rules),
    questions=Lazy(_questions),
    bots=Lazy(_bots),
    default_bot="best_trade",
    figures=Lazy(_figures),
    exhibits=Lazy(_exhibits),
    metrics=Lazy(_metrics),
    report=Lazy(_report),
    terminal=Lazy(_terminal),
)
