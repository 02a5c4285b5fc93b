"""Answers to what `oddsmith dice …` asks."""

from collections.abc import Iterator, Sequence
from typing import Final

from oddsmith.cli.dice import show
from oddsmith.cli.dice.advice import exactly, planned, valued
from oddsmith.cli.dice.reading import Asked, Counted, Rolling, read_thrown
from oddsmith.cli.dice.replies import (
    AdviceReply,
    DiceOddsReply,
    HandOdds,
    HandsReply,
    Kept,
    Reached,
    ShopReply,
)
from oddsmith.cli.terminal.charts import require_chart
from oddsmith.cli.terminal.console import console, print_json, progress_bar
from oddsmith.errors import WorkLimitError
from oddsmith.games.dice.model import Build
from oddsmith.games.dice.odds import RollOdds, roll_odds
from oddsmith.games.dice.purchases import every_purchase, list_price
from oddsmith.games.dice.questions import reached_by, roll_reply, score_reply
from oddsmith.games.dice.rules import Rules
from oddsmith.games.dice.scoring import level_base, level_multiplier
from oddsmith.games.dice.shopping import Purchase
from oddsmith.questions import Share

__all__ = ["advise", "odds", "score", "shop", "table"]

MOST_CHOICES: Final = 10
ROLLED: Final = 0.2
"""Which part of the work a roll is, where it is also asked whether another hand of it would score more."""


def score(asked: Asked, dice: Sequence[str], *, as_json: bool) -> None:
    """Score dice, and say what other hands of them would score."""
    rules, thrown = asked.rules, read_thrown(dice, asked.rules)
    reply = score_reply(asked.build(thrown.dice), thrown.faces, rules, asked.boss)
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(show.score_reply_lines(reply, rules)))


def odds(
    asked: Asked,
    counted: Counted,
    *,
    target: int | None,
    rerolls: int | None,
    rounds: int,
    plot: str | None,
    as_json: bool,
) -> None:
    """Say what one roll makes, and what the best rerolls do; what is too much to count is estimated."""
    if plot is not None:
        require_chart(plot)
    rolling = asked.rolling(counted, target=target, rerolls=rerolls)
    try:
        reply = _counted_odds(rolling)
    except WorkLimitError as error:
        if plot is not None:
            raise
        from oddsmith.cli.dice import estimates_answer

        estimates_answer.odds(rolling, error, rounds=rounds, as_json=as_json)
        return
    if plot is not None:
        from oddsmith.cli.dice.plot import plot_scores

        plot_scores(reply, plot)
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(show.odds_lines(reply, asked.rules)))


def _counted_odds(rolling: Rolling) -> DiceOddsReply:
    reached = _reached(rolling)
    with progress_bar("counting one roll") as progress:
        rolled = _rolled(rolling)
        progress(ROLLED)
        return roll_reply(
            rolled,
            rolling.rules,
            boss=rolling.boss,
            fixed=rolling.fixed,
            target=rolling.target,
            reached=reached,
        )


def _rolled(rolling: Rolling) -> RollOdds:
    return roll_odds(rolling.build, rolling.rules, boss=rolling.boss, fixed=rolling.fixed)


def _reached(rolling: Rolling) -> tuple[Reached, ...] | None:
    if rolling.rerolls is None:
        return None
    plan = planned(
        rolling.build,
        rolling.rerolls,
        rolling.rules,
        target=rolling.target,
        boss=rolling.boss,
        fixed=rolling.fixed,
    )
    return reached_by(plan, rolling.rerolls)


def advise(
    asked: Asked,
    dice: Sequence[str],
    *,
    rerolls: int,
    target: int | None,
    fixed: str | None,
    everything: bool,
    rounds: int,
    as_json: bool,
) -> None:
    """Rank what may be kept of dice on the table; what is too much to solve is estimated."""
    rules, thrown = asked.rules, read_thrown(dice, asked.rules)
    build, held = asked.build(thrown.dice), asked.fixed_place(fixed, thrown.faces)
    rolling = Rolling(rules=rules, build=build, boss=asked.boss, fixed=held, target=target, rerolls=rerolls)
    try:
        plan = planned(build, rerolls, rules, target=target, boss=asked.boss, fixed=held)
    except WorkLimitError as error:
        from oddsmith.cli.dice import estimates_answer

        estimates_answer.advise(
            rolling, thrown.faces, error, rounds=rounds, everything=everything, as_json=as_json
        )
        return
    choices = plan.choices(thrown.faces, rerolls)
    reply = AdviceReply(
        rules_id=rules.rules_id,
        build=build,
        faces=thrown.faces,
        boss=asked.boss,
        fixed=held,
        rerolls=rerolls,
        target=target,
        now=exactly(plan.value(thrown.faces, 0)),
        count=len(choices),
        choices=tuple(
            Kept(keep=choice.keep, value=exactly(choice.value))
            for choice in choices[: None if everything else MOST_CHOICES]
        ),
    )
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(show.advice_lines(reply, rules)))


def table(asked: Asked, counted: Counted, *, rounds: int, as_json: bool) -> None:
    """List the hands with what one roll makes of each; what is too much to count is estimated."""
    rolling = asked.rolling(counted)
    rules, build = rolling.rules, rolling.build
    try:
        with progress_bar("counting one roll"):
            rolled = _rolled(rolling)
    except WorkLimitError as error:
        from oddsmith.cli.dice import estimates_answer

        estimates_answer.table(rolling, error, rounds=rounds, as_json=as_json)
        return
    reply = HandsReply(
        rules_id=rules.rules_id,
        build=build,
        boss=rolling.boss,
        fixed=rolling.fixed,
        hands=tuple(_hand_rows(rolled, build, rules)),
    )
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(show.table_lines(reply, rules)))


def _hand_rows(rolled: RollOdds, build: Build, rules: Rules) -> Iterator[HandOdds]:
    for name in rules.hands_in_order:
        hand, level, scores = rules.hands[name], build.levels.get(name, 0), rolled.scores_of(name)
        yield HandOdds(
            hand=name,
            level=level,
            base=level_base(hand.base, level, rules.upgrades.base_growth),
            multiplier=level_multiplier(hand, level, rules),
            min_dice=hand.min_dice,
            odds=Share.of(rolled.hands.weight(name), rolled.hands.total),
            least=None if scores is None else min(scores),
            most=None if scores is None else max(scores),
        )


def shop(
    asked: Asked, counted: Counted, number: int, *, money: int | None, rounds: int, as_json: bool
) -> None:
    """Say what each purchase adds to the chance to win a round; what is too much to solve is estimated."""
    rules, build = asked.rules, asked.pool(counted)
    affordable = [
        purchase
        for purchase in every_purchase(build, rules)
        if money is None or list_price(build, purchase, rules) <= money
    ]
    try:
        reply = _solved_shop(build, number, rules, affordable)
    except WorkLimitError as error:
        from oddsmith.cli.dice import estimates_answer

        estimates_answer.shop(build, number, rules, affordable, error, rounds=rounds, as_json=as_json)
        return
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(show.shop_lines(reply)))


def _solved_shop(build: Build, number: int, rules: Rules, purchases: Sequence[Purchase]) -> ShopReply:
    chance, found = valued(build, number, rules, purchases)
    return ShopReply(
        rules_id=rules.rules_id,
        build=build,
        round=number,
        target=rules.target(number),
        with_boss=rules.is_boss_round(number),
        chance=chance,
        purchases=found,
    )
