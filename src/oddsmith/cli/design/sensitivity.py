"""`oddsmith sensitivity`: what one step of each number does to the figures of a design."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from oddsmith.command_line import AsJson, Plot

if TYPE_CHECKING:
    from decimal import Decimal

    from oddsmith.balance.sensitivity import FigureChange, Sensitivities
    from oddsmith.figure import Figure
    from oddsmith.rules import Ruleset


def show_sensitivity(
    what: Annotated[
        str,
        typer.Argument(
            metavar="WHAT", help="A game, GAME:PRESET, a rules file, or a targets file with figures and keys."
        ),
    ],
    *,
    figures: Annotated[
        list[str] | None,
        typer.Option(
            "--figure",
            metavar="NAME[,KEY=VALUE…]",
            help="A figure to read, with its arguments as TOML: draw.success,target=4; repeat.",
        ),
    ] = None,
    keys: Annotated[
        list[str] | None,
        typer.Option(
            "--keys", metavar="PATTERN", help="Numbers to nudge, such as crimes.*.threshold; repeat."
        ),
    ] = None,
    steps: Annotated[
        int,
        typer.Option(
            "--steps",
            metavar="NUMBER",
            min=1,
            max=1_000_000,
            help="By how many steps each number is changed.",
        ),
    ] = 1,
    percent: Annotated[
        str | None,
        typer.Option(
            "--percent", metavar="NUMBER", help="Change by this percentage instead, by at least one step."
        ),
    ] = None,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="Also write every effect into a CSV file.")
    ] = None,
    plot: Plot = None,
    force: Annotated[bool, typer.Option("--force", help="Let --csv overwrite an existing file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what a step of each number does to chosen figures.

    Example: oddsmith sensitivity fate --figure draw.mean --keys 'cards[*].value'
    """
    from oddsmith.balance.sensitivity import format_csv, sensitivities
    from oddsmith.cli.terminal.charts import require_chart, write_chart
    from oddsmith.cli.terminal.console import progress_bar
    from oddsmith.cli.terminal.files import require_free, write_whole
    from oddsmith.command_line import console, print_json
    from oddsmith.points import exact_decimal

    if csv is not None:
        require_free(csv, force=force)
    if plot is not None:
        require_chart(plot)
    reach = None if percent is None else exact_decimal(percent.removesuffix("%"), what="--percent")
    rules, watched, strides = _asked(what, figures or [])
    with progress_bar(f"changing the numbers of {what}") as progress:
        found = sensitivities(
            rules,
            [figure for _, figure in watched],
            keys or strides,
            step=strides,
            names=[name for name, _ in watched],
            steps=steps,
            percent=reach,
            progress=progress,
        )
    if csv is not None:
        write_whole(csv, format_csv(found))
    if plot is not None:
        from oddsmith.balance.reporting.charts import draw_tornado

        write_chart(draw_tornado(found), plot)
    if as_json:
        print_json(found)
        return
    out = console()
    for line in _lines(found):
        out.print(line)


def _asked(
    what: str, figures: Sequence[str]
) -> tuple["Ruleset", list[tuple[str, "Figure"]], dict[str, "Decimal"]]:
    """Return the rules, the figures to watch with their names, and the keys to nudge with their steps, none for all."""
    from oddsmith.balance.design_files import is_targets_file, read_design, read_targets
    from oddsmith.errors import InputError

    if is_targets_file(what):
        wanted, _ = read_targets(what)
        watched = [(target.name, target.figure) for target in wanted.targets]
        return (
            wanted.rules,
            [*watched, *_given(wanted.rules.game, figures)],
            {one.key.path: one.step for one in wanted.ranges},
        )
    rules = read_design(what).rules
    if not figures:
        from oddsmith.balance.figures import figures_of

        known = ", ".join(figures_of(rules.game))
        raise InputError("no_figures", f"name the figures to read with --figure: {known}")
    return rules, _given(rules.game, figures), {}


def _given(game: str, figures: Sequence[str]) -> list[tuple[str, "Figure"]]:
    from oddsmith.balance.figures import parse_figure
    from oddsmith.balance.formatting import format_figure

    found = [parse_figure(game, _arguments(text), "--figure") for text in figures]
    return [(format_figure(figure), figure) for figure in found]


def _arguments(text: str) -> dict[str, Any]:
    """Return a figure as plain data: its name, and its arguments as TOML."""
    from oddsmith.errors import InputError, RulesError
    from oddsmith.rules import read_toml

    name, _, rest = text.partition(",")
    try:
        given = read_toml(f"given = {{ {rest} }}")
    except RulesError as error:
        sentence = (
            f"--figure: '{text[:80]}' is no figure: write NAME, or NAME,KEY=VALUE with values as in TOML"
        )
        raise InputError("bad_figure", sentence, where="--figure") from error
    return {"figure": name.strip(), **given["given"]}


def _lines(found: "Sensitivities") -> Iterator[str]:
    from oddsmith.balance.formatting import format_change, format_reading
    from oddsmith.text import columns, escape_markup

    yield f"[bold]{found.game}[/]  rules {found.rules_id[:12]}, {_counted(len(found.nudges))} nudged"
    for place, watched in enumerate(found.watched):
        yield ""
        yield f"[bold]{escape_markup(watched.name)}[/]  {escape_markup(format_reading(watched.today, watched.unit))}"
        effects = found.effects(place)
        if not effects:
            yield "  nothing moves it"
            continue
        for line in columns([_cells(found, place, effect) for effect in effects]):
            yield escape_markup(f"  {line}")
        if watched.today.basis == "estimated":
            least = format_change(found.uncertainty(place), watched.unit).removeprefix("+")
            yield f"[dim]  estimated: a change of less than {least} may be chance[/]"
    if found.without_effect:
        yield ""
        yield f"[dim]without effect: {len(found.without_effect):,} of {_counted(len(found.nudges))}[/]"


def _counted(numbers: int) -> str:
    """Count numbers.

    >>> _counted(1), _counted(1200)
    ('1 number', '1,200 numbers')
    """
    return "1 number" if numbers == 1 else f"{numbers:,} numbers"


def _cells(found: "Sensitivities", place: int, effect: "FigureChange") -> tuple[str, ...]:
    from oddsmith.balance.formatting import format_change

    unit = found.watched[place].unit
    sides = ((effect.nudge.below, effect.down), (effect.nudge.above, effect.up))
    return (
        effect.nudge.key,
        str(effect.nudge.today),
        *(
            cell
            for number, change in sides
            for cell in (f"{number}:", "refused" if change is None else format_change(change, unit))
        ),
    )
