"""What a report shows of the Combat Duel."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from oddsmith.chart import Chart, ChartKind, ReportContents, Series
from oddsmith.figure import Basis, Figure, Unit
from oddsmith.games.duel.figures import GoldMean, RoundsMean, TimeoutShare, Win
from oddsmith.games.duel.policies import POLICIES
from oddsmith.games.duel.policy_odds import follow_policy
from oddsmith.games.duel.rules import Rules
from oddsmith.games.duel.tally import DuelSummary

SHOWN: Final = ("random", "all_attack", "all_defense")
"""Who looks at nothing is followed quickly, at every difficulty."""
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
    """Return the charts, figures and keys of a ruleset."""
    return ReportContents(charts=tuple(_charts(rules)), figures=_figures(rules), keys=KEYS)


def _charts(rules: Rules) -> Iterator[Chart]:
    difficulties = range(1, len(rules.house.attack_cards) + 1)
    followed = {
        name: [
            follow_policy(POLICIES[name], rules.replace(difficulty=difficulty)) for difficulty in difficulties
        ]
        for name in SHOWN
    }
    yield _by_difficulty(
        "Wins by difficulty",
        "How often the house is beaten, by how one fights. Decks are fresh in every round.",
        followed,
        "win",
    )
    yield _by_difficulty(
        "Decided on the clock",
        "How often the last round ends a duel that no blow has ended. Decks are fresh in every round.",
        followed,
        "timeout",
    )
    ends = {name: follow_policy(POLICIES[name], rules) for name in SHOWN}
    yield Chart(
        title=f"The round that ends a duel, at difficulty {rules.difficulty}",
        about="Decks are fresh in every round.",
        kind=ChartKind.BARS,
        unit=Unit.CHANCE,
        x_label="round",
        places=tuple(str(number) for number in range(1, rules.rounds + 1)),
        series=tuple(
            Series(
                name=_words(name),
                values=tuple(map(Fraction, one.ends)),
                errors=(Fraction(one.error),) * len(one.ends),
            )
            for name, one in ends.items()
        ),
        basis=Basis.BOUNDED,
    )


def _by_difficulty(title: str, about: str, followed: dict[str, list[DuelSummary]], field: str) -> Chart:
    many = len(next(iter(followed.values())))
    return Chart(
        title=title,
        about=about,
        kind=ChartKind.CURVES,
        unit=Unit.CHANCE,
        x_label="difficulty",
        places=tuple(str(difficulty) for difficulty in range(1, many + 1)),
        series=tuple(
            Series(
                name=_words(name),
                values=tuple(Fraction(getattr(one, field)) for one in row),
                errors=tuple(Fraction(one.error) for one in row),
            )
            for name, row in followed.items()
        ),
        basis=Basis.BOUNDED,
    )


def _figures(rules: Rules) -> dict[str, Figure]:
    hardest = len(rules.house.attack_cards)
    wins: dict[str, Figure] = {
        f"{_words(policy)} wins": Win(policy=policy) for policy in ("random", "all_attack", "all_defense")
    }
    figures: dict[str, Figure] = {
        **wins,
        f"all defense wins at difficulty {hardest}": Win(policy="all_defense", difficulty=hardest),
        "all defense, decided on the clock": TimeoutShare(policy="all_defense"),
        "all attack, rounds": RoundsMean(policy="all_attack"),
        "all attack, gold": GoldMean(policy="all_attack"),
    }
    return {f"{name}, fresh decks": figure for name, figure in figures.items()}


def _words(name: str) -> str:
    return name.replace("_", " ")
