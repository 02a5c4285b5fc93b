"""The contents of a report on the Fate Deck."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from oddsmith.chart import Chart, ChartKind, ReportContents, Series
from oddsmith.figure import Figure, Unit
from oddsmith.games.fate.figures import ChecksToReshuffle, DrawMean, DrawSuccess, PlayerSuccess, TriggerChance
from oddsmith.games.fate.odds import CheckOdds, check_odds, fresh_memory
from oddsmith.games.fate.rule_types import NO_TARGET
from oddsmith.games.fate.rules import Rules

TRIGGERS: Final = ("single(spade)", "single(spade, heart)", "both(spade)", "pair(spade, heart)")
MODIFIERS: Final = range(-1, 3)


def make_report(rules: Rules) -> ReportContents:
    """Return the charts, figures and keys of the report on a ruleset."""
    return ReportContents(
        charts=tuple(_charts(rules)), figures=_figures(rules), keys=("cards[*].value", "on_turn")
    )


def _charts(rules: Rules) -> Iterator[Chart]:
    odds_by_turn = {
        name: check_odds(fresh_memory(rules), rules, count=count, triggers=TRIGGERS)
        for name, count in (("on turn", rules.on_turn), ("off turn", rules.off_turn))
    }
    totals = sorted({total for odds in odds_by_turn.values() for total in odds.totals})
    before = ", before talents" if rules.has_talents_in_totals else ""
    yield _totals_chart(odds_by_turn, totals, before)
    yield _targets_chart(odds_by_turn["on turn"], totals, before)
    yield _triggers_chart(odds_by_turn)
    if rules.characters:
        yield _characters_chart(rules)


def _totals_chart(odds_by_turn: Mapping[str, CheckOdds], totals: Sequence[int], before: str) -> Chart:
    return Chart(
        title="What a draw comes to",
        about=f"How likely each total is, drawn from a fresh deck{before}.",
        kind=ChartKind.BARS,
        unit=Unit.CHANCE,
        x_label="total",
        places=tuple(map(str, totals)),
        series=tuple(
            Series(name=name, values=tuple(odds.totals.probability(total) for total in totals))
            for name, odds in odds_by_turn.items()
        ),
    )


def _targets_chart(odds: CheckOdds, totals: Sequence[int], before: str) -> Chart:
    targets = range(min(totals) + MODIFIERS[0], max(totals) + MODIFIERS[-1] + 2)
    return Chart(
        title="How often a target is reached, on turn",
        about=f"One curve for each modifier of the character{before}.",
        kind=ChartKind.CURVES,
        unit=Unit.CHANCE,
        x_label="target",
        places=tuple(map(str, targets)),
        series=tuple(
            Series(
                name=f"modifier {modifier:+d}",
                values=tuple(odds.at_least(target - modifier) for target in targets),
            )
            for modifier in MODIFIERS
        ),
    )


def _triggers_chart(odds_by_turn: Mapping[str, CheckOdds]) -> Chart:
    return Chart(
        title="How often triggers fire",
        about="A wild card is of the suit that suits its drawer.",
        kind=ChartKind.BARS,
        unit=Unit.CHANCE,
        x_label="trigger",
        places=TRIGGERS,
        series=tuple(
            Series(name=name, values=tuple(odds.fires(place) for place in range(len(TRIGGERS))))
            for name, odds in odds_by_turn.items()
        ),
    )


def _characters_chart(rules: Rules) -> Chart:
    """Return the chances of every check with a target, by character, with its numbers and talents."""
    checks = [name for name, kind in rules.checks.items() if kind.target != NO_TARGET]
    return Chart(
        title="How often each character reaches each target, on turn",
        about="Attributes, skills and talents included, from a fresh deck; abilities are not used.",
        kind=ChartKind.BARS,
        unit=Unit.CHANCE,
        x_label="check",
        places=tuple(checks),
        series=tuple(
            Series(
                name=character.name,
                values=tuple(PlayerSuccess(target=name, player=player).read(rules).value for name in checks),
            )
            for player, character in enumerate(rules.characters[: rules.most_players], 1)
        ),
    )


def _figures(rules: Rules) -> dict[str, Figure]:
    middle = round(check_odds(fresh_memory(rules), rules).totals.mean)
    return {
        "mean on turn": DrawMean(),
        "mean off turn": DrawMean(cards=rules.off_turn),
        f"reaches {middle} on turn": DrawSuccess(target=middle),
        f"reaches {middle + 1} on turn": DrawSuccess(target=middle + 1),
        "single(spade) on turn": TriggerChance(trigger=TRIGGERS[0]),
        "both(spade) on turn": TriggerChance(trigger=TRIGGERS[2]),
        "checks until the reshuffle": ChecksToReshuffle(),
    }
