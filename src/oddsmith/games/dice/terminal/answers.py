"""Lines of the exact answers of Dice Hands for a terminal."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from oddsmith.games.dice.builds import describe_build, format_name
from oddsmith.games.dice.model import BuyDie, Score, SetWild
from oddsmith.games.dice.parts import FaceEffect, PoolDie
from oddsmith.games.dice.questions.advice import AdviceReply
from oddsmith.games.dice.questions.estimates import AdviceEstimateReply, HandEstimate
from oddsmith.games.dice.questions.requests import (
    AdviceRequest,
    HandTableRequest,
    RollOddsRequest,
    ShopRequest,
)
from oddsmith.games.dice.questions.rolls import (
    DiceScoreReply,
    DiceScoreRequest,
    HandOdds,
    HandTableReply,
    RerollValue,
    RollOddsReply,
    score_bins,
)
from oddsmith.games.dice.questions.shop import ShopReply
from oddsmith.games.dice.rules import Rules, Selection
from oddsmith.games.dice.terminal.pool import describe_purchase, format_decimal, format_dice, format_die
from oddsmith.text import bars, columns, format_percent, format_whole

SET_FIRST: Final = "set first"


def score_lines(scored: Score, dice: Sequence[PoolDie], faces: Sequence[int], rules: Rules) -> Iterator[str]:
    """Yield the layers of a score and their sum (§3)."""
    matched = [str(faces[place]) for place in scored.matched]
    rows = [
        ("base", str(scored.base), f"level {scored.level}" if scored.level else ""),
        ("matched dice", str(scored.matched_sum), " + ".join(matched) if len(matched) > 1 else ""),
        (
            "multiplier",
            f"× {format_decimal(scored.multiplier)}",
            f"level {scored.level}" if scored.level else "",
        ),
        ("hand score", str(scored.hand_score), ""),
        *((str(bonus.die), f"+{bonus.points}", f"die {bonus.place + 1}") for bonus in scored.abilities),
        *((format_name(bonus.item), f"+{bonus.flat}", "") for bonus in scored.items if bonus.flat),
        *_multiplier_rows(scored),
    ]
    label, width = (max(len(row[cell]) for row in rows) for cell in (0, 1))
    label = max(label, len("matched dice"))
    shown = " ".join(
        f"[bold green]{format_die(die, face, rules.normal_kind)}[/]"
        if place in scored.matched
        else format_die(die, face, rules.normal_kind)
        for place, (die, face) in enumerate(zip(dice, faces, strict=True))
    )
    yield f"{'dice':<{label}}  {shown}   [bold]{format_name(scored.hand)}[/]"
    for name, points, remark in rows:
        yield f"{name:<{label}}  {points:>{width}}   {remark}".rstrip()
    yield f"[bold]{'total':<{label}}  {scored.total:>{width}}[/]"


def _multiplier_rows(scored: Score) -> Iterator[tuple[str, str, str]]:
    """Yield a row for what each item adds to the multiplier, and one for the factor of all items (§3.3)."""
    if not scored.item_multiplier:
        return
    for bonus in scored.items:
        if bonus.multiplier:
            yield format_name(bonus.item), f"+{format_decimal(bonus.multiplier)}", "multiplier"
    yield "all items", f"× {format_decimal(1 + scored.item_multiplier)}", ""


def dice_score_lines(_request: DiceScoreRequest, reply: DiceScoreReply, rules: Rules) -> Iterator[str]:
    """Yield the layers of a score, and what other hands of the same dice would score."""
    yield from score_lines(reply.score, reply.build.dice, reply.faces, rules)
    if len(reply.hands) == 1:
        return
    yield ""
    rows = [(format_name(made.hand), str(made.total)) for made in reply.hands]
    for made, line in zip(reply.hands, columns(rows), strict=True):
        yield f"[green]{line}[/]  ← scored" if made.hand == reply.score.hand else line
    best = reply.hands[0]
    if best.total > reply.score.total:
        yield (
            f"the first match is scored, not the best: {format_name(best.hand)} would be with "
            "--set selection=best_score"
        )


def odds_lines(_request: RollOddsRequest, reply: RollOddsReply, rules: Rules) -> Iterator[str]:
    """Yield the odds of each hand and score of one roll, and the values with rerolls."""
    yield describe_build(reply.build, reply.boss, reply.fixed)
    ways = [format_whole(count) for count in reply.hands.values()]
    names = [*columns([(format_name(name), count) for name, count in zip(reply.hands, ways, strict=True)])]
    yield from bars(
        [(name, count, "") for name, count in zip(names, reply.hands.values(), strict=True)], reply.total
    )
    yield f"one roll, in {format_whole(reply.total)} ways (exact)"
    yield ""
    rows = [
        (format_range(max(low, 0), high), count, _colour(low, reply.target))
        for low, high, count in score_bins(reply.scores, reply.target)
    ]
    yield from bars(rows, reply.total, align=">")
    low, middle, high = (reply.quantiles[share] for share in ("0.05", "0.5", "0.95"))
    yield f"score: mean {float(reply.mean):.2f} (exact); half of all rolls reach {middle}, nine in ten are {low} to {high}"
    if reply.success is not None:
        chance = Fraction(reply.success.count, reply.success.total)
        yield f"[bold]reaches {reply.target} in {format_percent(chance)} (exact: {format_whole(reply.success.count)} of {format_whole(reply.total)})[/]"
    if rules.selection is Selection.FIRST_MATCH:
        yield f"the first match is not the best hand in {format_percent(reply.missed)} of rolls (exact)"
    if reply.reached is not None:
        yield ""
        yield from _reroll_lines(reply.reached, reply.target)


def format_range(least: int, most: int) -> str:
    """Return a range of scores as text.

    >>> format_range(18, 33), format_range(454, 454)
    ('18–33', '454')
    """
    return str(least) if least == most else f"{least}–{most}"


def _colour(low: int, target: int | None) -> str:
    if target is None:
        return ""
    return "green" if low >= target else "red"


def _reroll_lines(reached: Sequence[RerollValue], target: int | None) -> Iterator[str]:
    what = "mean score" if target is None else f"reaches {target}"
    lines = [
        *columns(
            [("rerolls", what), *((f"{one.rerolls:>7}", format_value(one.value, target)) for one in reached)]
        )
    ]
    yield f"[bold]{lines[0]}[/]"
    yield from lines[1:]
    yield "[dim]exact, with the best dice kept at every roll[/]"


def format_value(value: Fraction, target: int | None) -> str:
    """Return a value as text: a chance if there is a target, else a mean score."""
    return f"{float(value):.2f}" if target is None else format_percent(value)


def advice_lines(_request: AdviceRequest, reply: AdviceReply, rules: Rules) -> Iterator[str]:
    """Yield the ranked choices of dice to keep, and what the best one adds to scoring now."""
    build, best = reply.build, reply.choices[0]
    yield describe_build(build, reply.boss, reply.fixed)
    yield dice_line(reply, rules)
    yield ""
    what = "mean score" if reply.target is None else f"reaches {reply.target}"
    rows = [("keep", SET_FIRST, what, "to the best")]
    for choice in reply.choices:
        less = best.value - choice.value
        rows.append(
            (
                format_kept_dice(choice.keep, reply, rules),
                format_settings(choice.set_first),
                format_value(choice.value, reply.target),
                f"−{format_value(less, reply.target)}" if less else "=",
            )
        )
    lines = [*choice_columns(rows)]
    yield f"[bold]{lines[0]}[/]"
    yield f"[green]{lines[1]}[/]"
    yield from lines[2:]
    if reply.count > len(reply.choices):
        yield f"[dim]and {reply.count - len(reply.choices)} more: --all[/]"
    gain = best.value - reply.now
    yield (
        f"the best is worth {format_value(gain, reply.target)} more than scoring now"
        if gain
        else "nothing is worth more than scoring now"
    )
    effects = {rules.kinds[die.kind].effect for die in build.dice}
    wild = "for echoes and before the score" if {FaceEffect.WILD, FaceEffect.ECHO} <= effects else "last"
    yield f"[dim]exact, when all that follows is played best; wild dice are set {wild}[/]"


def dice_line(reply: AdviceReply | AdviceEstimateReply, rules: Rules) -> str:
    """Return the line with the rolled dice, the rerolls that are left, and the target."""
    dice = format_dice(reply.build.dice, reply.faces, rules.normal_kind)
    target = "" if reply.target is None else f"   target {reply.target}"
    return f"on the table: {dice}   rerolls {reply.rerolls}{target}"


def format_kept_dice(keep: Sequence[int], reply: AdviceReply | AdviceEstimateReply, rules: Rules) -> str:
    """Return the kept dice as text."""
    if len(keep) == len(reply.faces):
        return "all: score now"
    dice, faces = reply.build.dice, reply.faces
    return format_dice([dice[place] for place in keep], [faces[place] for place in keep], rules.normal_kind)


def format_settings(settings: Sequence[SetWild]) -> str:
    """Return the settings of wild dice as text.

    >>> format_settings([SetWild(0, 6), SetWild(3, 5)])
    'die 1 to 6, die 4 to 5'
    """
    return ", ".join(f"die {one.place + 1} to {one.face}" for one in settings)


def choice_columns(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Return the rows of choices aligned, the heads first; the column `SET_FIRST` is left out if no choice has one."""
    place = rows[0].index(SET_FIRST)
    if any(row[place] for row in rows[1:]):
        return columns(rows, names=place + 1)
    return columns([(*row[:place], *row[place + 1 :]) for row in rows])


def table_lines(_request: HandTableRequest, reply: HandTableReply, rules: Rules) -> Iterator[str]:
    """Yield the table of hands, strongest first."""
    yield describe_build(reply.build, reply.boss, reply.fixed)
    yield ""
    rows: list[tuple[str, ...]] = [("hand", "level", "base", "×", "ways", "odds", "scores")]
    rows += [(*hand_cells(one), *_odds_cells(one, len(reply.build.dice))) for one in reply.hands]
    lines = [*columns(rows)]
    yield f"[bold]{lines[0]}[/]"
    for one, line in zip(reply.hands, lines[1:], strict=True):
        yield line if one.odds.count else f"[dim]{line}[/]"
    yield ""
    yield f"one roll, in {format_whole(reply.hands[0].odds.total)} ways (exact); {describe_selection(rules)}"


def hand_cells(one: HandOdds | HandEstimate) -> tuple[str, str, str, str]:
    """Return the cells of a hand, its level, its base and its multiplier."""
    return format_name(one.hand), str(one.level or ""), str(one.base), format_decimal(one.multiplier)


def describe_selection(rules: Rules) -> str:
    """Return which hand is scored if dice make several (§2.4)."""
    if rules.selection is Selection.FIRST_MATCH:
        return "the first that matches is scored"
    return "the best is scored"


def _odds_cells(one: HandOdds, size: int) -> tuple[str, str, str]:
    if one.least is None or one.most is None:
        return "", "", f"needs {one.min_dice} dice" if size < one.min_dice else "unreachable"
    chance = Fraction(one.odds.count, one.odds.total)
    return format_whole(one.odds.count), format_percent(chance), format_range(one.least, one.most)


def shop_lines(_request: ShopRequest, reply: ShopReply, _rules: Rules) -> Iterator[str]:
    """Yield the table of purchases with what each adds to the chance to win the round, best first."""
    yield describe_build(reply.build)
    boss = ", over all bosses that may come" if reply.with_boss else ""
    yield f"round {reply.round}, target {reply.target}: won in [bold]{format_percent(reply.chance)}[/]{boss}"
    yield ""
    rows: list[tuple[str, ...]] = [("purchase", "for die", "price", "won", "adds")]
    for one in reply.purchases:
        place = str(one.purchase.place + 1) if isinstance(one.purchase, BuyDie) else ""
        cells = f"${one.price}", format_percent(one.chance), format_signed(one.gain)
        rows.append((describe_purchase(one.purchase), place, *cells))
    yield from purchase_lines(rows, [one.gain > 0 for one in reply.purchases])
    yield "[dim]exact, with the best dice kept at every roll; prices without a free choice[/]"


def purchase_lines(rows: Sequence[Sequence[str]], adding: Sequence[bool]) -> Iterator[str]:
    """Yield the table of purchases, those that certainly add in green; or the reason that there are none."""
    if not adding:
        yield "nothing costs so little; leave --money out to see what may be had for a free choice"
        return
    head, *lines = columns(rows)
    yield f"[bold]{head}[/]"
    for line, adds in zip(lines, adding, strict=True):
        yield f"[green]{line}[/]" if adds else line


def format_signed(change: Fraction) -> str:
    """Return the change of a chance with its sign.

    >>> format_signed(Fraction(1, 8)), format_signed(Fraction(-1, 8)), format_signed(Fraction(0))
    ('+12.50 %', '−12.50 %', '=')
    """
    if not change:
        return "="
    return f"{'+' if change > 0 else '−'}{format_percent(abs(change))}"
