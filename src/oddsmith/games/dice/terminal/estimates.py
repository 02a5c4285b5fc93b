"""Lines of the estimates and bot runs of Dice Hands for a terminal, each number with its error."""

from collections.abc import Iterator, Sequence
from typing import Final

from oddsmith.games.dice.builds import describe_build, format_name
from oddsmith.games.dice.model import BuyDie
from oddsmith.games.dice.questions.estimates import (
    AdviceEstimateReply,
    EstimatedValue,
    HandEstimate,
    HandTableEstimateReply,
    KeptDiceEstimate,
    RollEstimateReply,
    ShopEstimateReply,
)
from oddsmith.games.dice.questions.requests import (
    AdviceRequest,
    HandTableRequest,
    RollOddsRequest,
    ShopRequest,
)
from oddsmith.games.dice.questions.runs import BotRuns, RoundWon, RunsReply, RunsRequest
from oddsmith.games.dice.rules import Rules
from oddsmith.games.dice.terminal.answers import (
    SET_FIRST,
    choice_columns,
    describe_selection,
    dice_line,
    format_kept_dice,
    format_range,
    format_settings,
    hand_cells,
    purchase_lines,
)
from oddsmith.games.dice.terminal.pool import describe_purchase
from oddsmith.text import columns, escape_markup


def odds_lines(_request: RollOddsRequest, reply: RollEstimateReply, _rules: Rules) -> Iterator[str]:
    """Yield the results of simulated rounds, and the reason for the estimate."""
    yield describe_build(reply.build, reply.boss, reply.fixed)
    rows = [("in %", "share", "±")]
    rows += [(format_name(name), *percent_cells(share)) for name, share in reply.hands.items()]
    lines = [*columns(rows)]
    yield f"[bold]{lines[0]}[/]"
    yield from lines[1:]
    yield f"score: mean {reply.mean.value:.2f} ± {reply.mean.error:.2f}"
    if reply.success is not None:
        share, error = percent_cells(reply.success)
        yield f"[bold]reaches {reply.target} in {share} % ± {error}[/]"
    yield ""
    rerolls = (
        f"with {reply.rerolls} reroll{'' if reply.rerolls == 1 else 's'}" if reply.rerolls else "of one roll"
    )
    yield f"estimated, not counted: {reply.rounds:,} rounds {rerolls}, ± at 95 %; --rounds plays more"
    if reply.rerolls:
        yield "dice were kept as is best for simpler dice: best play is at least as good"
    yield f"[dim]{escape_markup(reply.why)}[/]"


def advice_lines(_request: AdviceRequest, reply: AdviceEstimateReply, rules: Rules) -> Iterator[str]:
    """Yield the ranked choices of simulated rounds, and which others were not simulated."""
    yield describe_build(reply.build, reply.boss, reply.fixed)
    yield dice_line(reply, rules)
    yield ""
    what = "mean score" if reply.target is None else f"reaches {reply.target}, %"
    rows = [("keep", SET_FIRST, what, "±")]
    rows += [
        (
            format_kept_dice(choice.keep, reply, rules),
            format_settings(choice.set_first),
            *choice_cells(choice, len(reply.faces), reply.target),
        )
        for choice in reply.choices
    ]
    lines = [*choice_columns(rows)]
    yield f"[bold]{lines[0]}[/]"
    yield f"[green]{lines[1]}[/]"
    yield from lines[2:]
    yield ""
    yield f"estimated, not solved: {reply.rounds:,} rounds for each, ± at 95 %; --rounds plays more"
    yield "choices and later play are the best of simpler dice: perfect play is worth at least as much"
    yield "--all plays every choice that simpler dice have"
    yield f"[dim]{escape_markup(reply.why)}[/]"


def choice_cells(choice: KeptDiceEstimate, dice: int, target: int | None) -> tuple[str, str]:
    """Return the cells of the value of a choice and of its error; scoring now is exact."""
    estimate = choice.worth
    value, error = (
        (f"{estimate.value:.2f}", f"{estimate.error:.2f}") if target is None else percent_cells(estimate)
    )
    return value, "exact" if len(choice.keep) == dice else error


def table_lines(_request: HandTableRequest, reply: HandTableEstimateReply, rules: Rules) -> Iterator[str]:
    """Yield the table of hands, strongest first, with the scores that were seen."""
    yield describe_build(reply.build, reply.boss, reply.fixed)
    yield ""
    rows: list[tuple[str, ...]] = [("hand", "level", "base", "×", "in %", "±", "scores seen")]
    rows += [(*hand_cells(one), *_odds_cells(one, len(reply.build.dice))) for one in reply.hands]
    lines = [*columns(rows)]
    yield f"[bold]{lines[0]}[/]"
    for one, line in zip(reply.hands, lines[1:], strict=True):
        yield line if one.share.value else f"[dim]{line}[/]"
    yield ""
    yield f"estimated, not counted: {reply.rounds:,} rolls, ± at 95 %; --rounds plays more; {describe_selection(rules)}"
    yield f"[dim]{escape_markup(reply.why)}[/]"


def _odds_cells(one: HandEstimate, size: int) -> tuple[str, str, str]:
    if size < one.min_dice:
        return "", "", f"needs {one.min_dice} dice"
    seen = "none" if one.least is None or one.most is None else format_range(one.least, one.most)
    return (*percent_cells(one.share), seen)


def shop_lines(_request: ShopRequest, reply: ShopEstimateReply, _rules: Rules) -> Iterator[str]:
    """Yield the table of purchases with what each added to the rounds won, best first."""
    won, error = percent_cells(reply.chance)
    boss = ", over bosses as they come" if reply.with_boss else ""
    yield describe_build(reply.build)
    yield f"round {reply.round}, target {reply.target}: won in [bold]{won} % ± {error}[/]{boss}"
    yield ""
    rows: list[tuple[str, ...]] = [("in %", "for die", "price", "won", "adds", "±")]
    for one in reply.purchases:
        place = str(one.purchase.place + 1) if isinstance(one.purchase, BuyDie) else ""
        cells = f"${one.price}", percent_cells(one.chance)[0], *signed_percent_cells(one.gain)
        rows.append((describe_purchase(one.purchase), place, *cells))
    yield from purchase_lines(rows, [one.gain.value > one.gain.error for one in reply.purchases])
    yield ""
    yield f"estimated, not solved: the same {reply.rounds:,} rounds for each, ± at 95 %; --rounds plays more"
    yield "dice were kept as is best for simpler dice: ± does not include what that costs a purchase"
    yield "a die replaces the one that is missed least; prices without a free choice"
    yield f"[dim]{escape_markup(reply.why)}[/]"


def percent_cells(share: EstimatedValue) -> tuple[str, str]:
    """Return the cells of a share and of its error, in percent."""
    return f"{100 * share.value:.2f}", f"{100 * share.error:.2f}"


def signed_percent_cells(gain: EstimatedValue) -> tuple[str, str]:
    """Return the cells of the change of a share, with its sign, and of its error, in percent."""
    added, error = f"{100 * abs(gain.value):.2f}", f"{100 * gain.error:.2f}"
    return (f"{'+' if gain.value > 0 else '−'}{added}" if gain.value else "="), error


MOST_FAVORITES: Final = 3


def runs_lines(_request: RunsRequest, reply: RunsReply, _rules: Rules) -> Iterator[str]:
    """Yield how far each bot got, the share of its runs that won each round, and what it lost to and bought."""
    yield from _with_heading(
        [
            ("bot", "rounds won", "±", "10 %", "median", "90 %", "best", "all won", "score", "±"),
            *map(_bot_cells, reply.bots),
        ]
    )
    yield ""
    yield from _with_heading([*_round_rows(reply.bots)])
    yield ""
    for one in reply.bots:
        yield from _loss_and_purchase_lines(one, reply.runs)
    yield f"{reply.runs:,} runs each, seed {escape_markup(reply.seed)}; ± and intervals at 95 %"


def _with_heading(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    head, *lines = columns(rows)
    yield f"[bold]{head}[/]"
    yield from lines


def _bot_cells(one: BotRuns) -> tuple[str, ...]:
    spread = (str(number) for number in (one.low, one.median, one.high, one.best))
    end = f"{100 * one.finished:.1f} %", f"{one.final_score:,.0f}", f"{one.final_score_error:,.0f}"
    return (one.bot, f"{one.rounds:.2f}", f"{one.error:.2f}", *spread, *end)


def _round_rows(bots: Sequence[BotRuns]) -> Iterator[tuple[str, ...]]:
    yield ("round", "target", *(f"{one.bot} won %" for one in bots))
    longest = max((one.won for one in bots), key=len)
    for place, row in enumerate(longest):
        cells = (_format_share(one.won[place]) if place < len(one.won) else "" for one in bots)
        yield (f"{row.round:>5}", f"{row.target:,}", *cells)


def _format_share(share: RoundWon) -> str:
    return f"{100 * share.won:.1f} ({100 * share.low:.1f}–{100 * share.high:.1f})"


def _loss_and_purchase_lines(one: BotRuns, runs: int) -> Iterator[str]:
    bosses = ", ".join(f"{boss} {count:,}" for boss, count in one.lost_to.items())
    lost = sum(one.lost_to.values())
    yield f"{one.bot}: {lost:,} of {runs:,} runs lost to a boss{f' ({bosses})' if bosses else ''}"
    most = [f"{what} {count:,}" for what, count in [*one.bought.items()][:MOST_FAVORITES]]
    if most:
        yield f"  bought most: {', '.join(most)}"
