"""Draw the charts of the findings about Dice Hands from exact chances: `python docs/images/dice_charts.py`."""  # noqa: INP001  a script next to its pictures

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from matplotlib.figure import Figure

from oddsmith.cli.terminal.charts import write_chart
from oddsmith.games.dice import Build, BuyDie, BuyExtraDie, BuyItem, BuyUpgrade, PoolDie, Rules
from oddsmith.games.dice.odds import plan_rerolls
from oddsmith.games.dice.purchases import round_chance
from oddsmith.games.dice.shopping import Purchase, build_with

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ENDLESS: Final = Rules.preset("endless")
IMAGES: Final = Path(__file__).parent
SHADES: Final = ("#efc15a", "#ee9b4f", "#dd6b5a", "#b5456a", "#6f2a74", "#2b1a52")
"""Line colours, from light to dark with rising numbers."""
MARKERS: Final = ("o", "s", "^", "D", "v", "P")
MARKED: Final[Sequence[tuple[str, str, str, Purchase]]] = (
    ("wild die, $8", "#d55e00", "o", BuyDie(0, PoolDie("wild"))),
    ("echo die, $8", "#e69f00", "s", BuyDie(0, PoolDie("echo"))),
    ("glass die, $8", "#999999", "P", BuyDie(0, PoolDie("glass"))),
    ("even steven, $15", "#0072b2", "D", BuyItem("even_steven")),
    ("extra reroll, $10", "#56b4e9", "v", BuyItem("extra_reroll")),
    ("extra die, $15", "#009e73", "^", BuyExtraDie()),
    ("upgrade four of a kind, $5", "#cc79a7", "X", BuyUpgrade("four_of_a_kind")),
)
"""Labels, colours, markers and purchases; the palette of Okabe and Ito is safe for colour-blind readers."""


def bare(size: int = 5) -> Build:
    """Return a build of `size` normal dice without items or upgrades."""
    return Build(dice=(PoolDie("normal"),) * size)


def plain(axes: "Axes", title: str, rounds: range) -> None:
    """Set the title, the ticks and the grid of a panel."""
    axes.set_title(title, fontsize=10)
    axes.set_xticks(rounds)
    axes.set_xlabel("round")
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def line(
    axes: "Axes", rounds: range, chances: Iterable[float], *, colour: str, marker: str, words: str
) -> None:
    """Draw a line of chances, in percent, over rounds."""
    axes.plot(
        rounds,
        [100 * chance for chance in chances],
        color=colour,
        marker=marker,
        markersize=4.5,
        linewidth=1.4,
        label=words,
    )


def draw_rounds() -> None:
    """Draw the chance to win each round, by rerolls and by the size of the pool."""
    figure = Figure(figsize=(10, 4.4), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    for rerolls, (colour, marker) in enumerate(zip(SHADES, MARKERS, strict=True)):
        rounds = range(1, 11)
        chances = [
            float(plan_rerolls(bare(), rerolls, target=ENDLESS.target(number)).start_value(rerolls))
            for number in rounds
        ]
        line(left, rounds, chances, colour=colour, marker=marker, words=str(rerolls))
        plain(left, "five normal dice, no boss", rounds)
    for size, colour, marker in zip(range(5, 11), SHADES, MARKERS, strict=True):
        rounds = range(1, 15)
        chances = [float(round_chance(bare(size), number, ENDLESS)) for number in rounds]
        line(right, rounds, chances, colour=colour, marker=marker, words=str(size))
        plain(right, "three rerolls, over all bosses in rounds 4, 8 and 12", rounds)
    left.set_ylabel("% of rounds won under best rerolls")
    left.legend(title="rerolls", frameon=False, fontsize=8)
    right.legend(title="normal dice", frameon=False, fontsize=8, loc="lower left")
    figure.suptitle("Chance to win a round")
    write_chart(figure, str(IMAGES / "dice-rounds.svg"))


def draw_purchases() -> None:
    """Draw the increase of the chance of five normal dice by one purchase, for each round."""
    figure = Figure(figsize=(8, 4.4), layout="constrained")
    axes = figure.subplots()
    rounds = range(2, 14)
    without = [float(round_chance(bare(), number, ENDLESS)) for number in rounds]
    for words, colour, marker, purchase in MARKED:
        build = build_with(bare(), purchase, ENDLESS.normal_kind)
        gains = [
            float(round_chance(build, number, ENDLESS)) - before
            for number, before in zip(rounds, without, strict=True)
        ]
        line(axes, rounds, gains, colour=colour, marker=marker, words=words)
    plain(axes, "Five normal dice and one purchase", rounds)
    axes.set_ylabel("added to the chance to win the round, in %")
    axes.legend(frameon=False, fontsize=8)
    write_chart(figure, str(IMAGES / "dice-purchases.svg"))


if __name__ == "__main__":
    draw_rounds()
    draw_purchases()
