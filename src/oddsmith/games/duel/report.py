"""The contents of a report on the Combat Duel."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from oddsmith.chart import Chart, ChartKind, ReportContents, Series
from oddsmith.figure import Basis, Figure, Unit
from oddsmith.games.duel.figures import GoldMean, RoundsMean, TimeoutShare, Win
from oddsmith.games.duel.model import SteadyPolicy
from oddsmith.games.duel.rules import Rules
from oddsmith.games.duel.summaries import summarize_policy
from oddsmith.games.duel.tally import DuelSummary

CHARTED_POLICIES: Final[tuple[SteadyPolicy, ...]] = ("random", "all_attack", "all_defense")
"""Blind policies, whose odds are computed quickly at every difficulty."""
KEYS: Final = (
    "player_hp",
    "rounds",
    "house.hp_per_difficulty",
    "house.weapon_per_difficulty",
    "house.armor",
    "player.weapon",
    "player.armor",
    "player.skill",
    "defense_share",
)


def make_report(rules: Rules) -> ReportContents:
    """Return the charts, figures and keys of the report on a ruleset."""
    return ReportContents(charts=tuple(_charts(rules)), figures=_figures(rules), keys=KEYS)


def _charts(rules: Rules) -> Iterator[Chart]:
    """Yield charts of duels by difficulty and by round; with combos only by round, estimated by playing (§8.5)."""
    if not rules.combo_ranks:
        yield from _difficulty_charts(rules)
    ends = {name: summarize_policy(name, rules) for name in CHARTED_POLICIES}
    yield Chart(
        title=f"The round that ends a duel, at difficulty {rules.difficulty}",
        about="Decks are fresh in every round.",
        kind=ChartKind.BARS,
        unit=Unit.CHANCE,
        x_label="round",
        places=tuple(str(number) for number in range(1, rules.rounds + 1)),
        series=tuple(
            Series(
                name=_policy_title(name),
                values=tuple(map(Fraction, one.ends)),
                errors=(Fraction(one.error),) * len(one.ends),
            )
            for name, one in ends.items()
        ),
        basis=Basis.ESTIMATED if rules.combo_ranks else Basis.BOUNDED,
    )


def _difficulty_charts(rules: Rules) -> Iterator[Chart]:
    difficulties = range(1, len(rules.house.attack_cards) + 1)
    summaries = {
        name: [summarize_policy(name, rules.replace(difficulty=difficulty)) for difficulty in difficulties]
        for name in CHARTED_POLICIES
    }
    yield _difficulty_chart(
        "Wins by difficulty",
        "How often the house is beaten, by how one fights. Decks are fresh in every round.",
        summaries,
        "win",
    )
    yield _difficulty_chart(
        "Decided on the clock",
        "How often the last round ends a duel that no blow has ended. Decks are fresh in every round.",
        summaries,
        "timeout",
    )


def _difficulty_chart(
    title: str, about: str, summaries: Mapping[SteadyPolicy, list[DuelSummary]], field: str
) -> Chart:
    many = len(next(iter(summaries.values())))
    return Chart(
        title=title,
        about=about,
        kind=ChartKind.CURVES,
        unit=Unit.CHANCE,
        x_label="difficulty",
        places=tuple(str(difficulty) for difficulty in range(1, many + 1)),
        series=tuple(
            Series(
                name=_policy_title(name),
                values=tuple(Fraction(getattr(one, field)) for one in row),
                errors=tuple(Fraction(one.error) for one in row),
            )
            for name, row in summaries.items()
        ),
        basis=Basis.BOUNDED,
    )


def _figures(rules: Rules) -> dict[str, Figure]:
    hardest = len(rules.house.attack_cards)
    wins: dict[str, Figure] = {
        f"{_policy_title(policy)} wins": Win(policy=policy)
        for policy in ("random", "all_attack", "all_defense")
    }
    figures: dict[str, Figure] = {
        **wins,
        f"all defense wins at difficulty {hardest}": Win(policy="all_defense", difficulty=hardest),
        "all defense, decided on the clock": TimeoutShare(policy="all_defense"),
        "all attack, rounds": RoundsMean(policy="all_attack"),
        "all attack, gold": GoldMean(policy="all_attack"),
    }
    return {f"{name}, fresh decks": figure for name, figure in figures.items()}


def _policy_title(name: str) -> str:
    return name.replace("_", " ")
