"""Answers about pools that have too many positions: rounds are played, and every number has its error."""

from collections.abc import Iterator, Sequence
from typing import Final, Protocol

from oddsmith.cli.dice import estimates_show
from oddsmith.cli.dice.reading import Rolling
from oddsmith.cli.dice.replies import (
    AdviceEstimateReply,
    DiceEstimateReply,
    Estimated,
    HandEstimate,
    HandsEstimateReply,
    KeptEstimate,
    ShopEstimateReply,
    WorthEstimate,
)
from oddsmith.cli.terminal.console import console, print_json, progress_bar
from oddsmith.errors import WorkLimitError
from oddsmith.games.dice.model import Build, State
from oddsmith.games.dice.rules import Rules
from oddsmith.games.dice.scoring import level_base, level_multiplier
from oddsmith.games.dice.shopping import Purchase
from oddsmith.games.dice.simulation.pools import (
    ChoiceEstimate,
    PoolEstimate,
    choices_from,
    estimate_choices,
    estimate_rerolls,
)
from oddsmith.games.dice.simulation.purchases import estimate_purchases, estimate_round, placed_purchases

__all__ = ["advise", "odds", "played_choices", "played_purchases", "shop", "table"]

SEED: Final = "oddsmith"
MOST_CHOICES: Final = 8
ALL_CHOICES: Final = 2**10


def odds(rolling: Rolling, error: WorkLimitError, *, rounds: int, as_json: bool) -> None:
    """Say what rounds made of a pool, and what rerolls did."""
    played = _played(rolling, rounds)
    hands = {name: played.hand(name) for name in rolling.rules.hands_in_order}
    success = None if rolling.target is None else played.at_least(rolling.target)
    reply = DiceEstimateReply(
        rules_id=rolling.rules.rules_id,
        build=rolling.build,
        boss=rolling.boss,
        fixed=rolling.fixed,
        why=str(error),
        rounds=rounds,
        seed=SEED,
        rerolls=rolling.rerolls or 0,
        hands={name: _estimated(share) for name, share in hands.items() if share.happened},
        mean=_estimated(played.score),
        target=rolling.target,
        success=None if success is None else _estimated(success),
    )
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(estimates_show.odds_lines(reply)))


def _played(rolling: Rolling, rounds: int) -> PoolEstimate:
    """Play rounds, while a bar shows how far that is."""
    with progress_bar(f"playing {rounds:,} rounds") as progress:
        return estimate_rerolls(
            rolling.build,
            rolling.rerolls or 0,
            rolling.rules,
            target=rolling.target,
            boss=rolling.boss,
            fixed=rolling.fixed,
            rounds=rounds,
            seed=SEED,
            progress=progress,
        )


class Measured(Protocol):
    """A number with its error."""

    @property
    def mean(self) -> float:
        """The number."""

    @property
    def error(self) -> float:
        """How far the true one may be from it, at 95 %."""


def _estimated(number: Measured) -> Estimated:
    return Estimated(number.mean, number.error)


def table(rolling: Rolling, error: WorkLimitError, *, rounds: int, as_json: bool) -> None:
    """List the hands with what rolls made of each."""
    reply = HandsEstimateReply(
        rules_id=rolling.rules.rules_id,
        build=rolling.build,
        boss=rolling.boss,
        fixed=rolling.fixed,
        why=str(error),
        rounds=rounds,
        seed=SEED,
        hands=tuple(_hand_rows(_played(rolling, rounds), rolling.build, rolling.rules)),
    )
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(estimates_show.table_lines(reply, rolling.rules)))


def _hand_rows(played: PoolEstimate, build: Build, rules: Rules) -> Iterator[HandEstimate]:
    for name in rules.hands_in_order:
        hand, level, seen = rules.hands[name], build.levels.get(name, 0), played.scores_of(name)
        yield HandEstimate(
            hand=name,
            level=level,
            base=level_base(hand.base, level, rules.upgrades.base_growth),
            multiplier=level_multiplier(hand, level, rules),
            min_dice=hand.min_dice,
            share=_estimated(played.hand(name)),
            least=min(seen, default=None),
            most=max(seen, default=None),
        )


def advise(
    rolling: Rolling,
    faces: tuple[int, ...],
    error: WorkLimitError,
    *,
    rounds: int,
    everything: bool,
    as_json: bool,
) -> None:
    """Rank what may be kept of dice on the table by rounds that go on from there."""
    rules, rerolls = rolling.rules, rolling.rerolls or 0
    with progress_bar("playing on from these dice") as progress:
        found = estimate_choices(
            rolling.build,
            faces,
            rerolls,
            rules,
            target=rolling.target,
            boss=rolling.boss,
            fixed=rolling.fixed,
            rounds=rounds,
            most=ALL_CHOICES if everything else MOST_CHOICES,
            seed=SEED,
            progress=progress,
        )
    reply = AdviceEstimateReply(
        rules_id=rules.rules_id,
        build=rolling.build,
        faces=faces,
        boss=rolling.boss,
        fixed=rolling.fixed,
        why=str(error),
        rounds=rounds,
        seed=SEED,
        rerolls=rerolls,
        target=rolling.target,
        choices=tuple(map(_kept, found)),
    )
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(estimates_show.advice_lines(reply, rules)))


def played_choices(state: State, *, rounds: int, most: int) -> list[KeptEstimate]:
    """Estimate what may be kept in a round that is being played, while a bar shows how far that is."""
    target = state.rules.target(state.round)
    with progress_bar("playing on from these dice") as progress:
        found = choices_from(state, target=target, rounds=rounds, most=most, seed=SEED, progress=progress)
    return [_kept(one) for one in found]


def _kept(choice: ChoiceEstimate) -> KeptEstimate:
    return KeptEstimate(keep=choice.keep, worth=Estimated(choice.value, choice.error))


def shop(
    build: Build,
    number: int,
    rules: Rules,
    purchases: Sequence[Purchase],
    error: WorkLimitError,
    *,
    rounds: int,
    as_json: bool,
) -> None:
    """Say what each purchase added to the rounds won; a die stands for the one that is missed least."""
    chance, found = played_purchases(build, number, rules, purchases, rounds=rounds)
    reply = ShopEstimateReply(
        rules_id=rules.rules_id,
        build=build,
        round=number,
        target=rules.target(number),
        with_boss=rules.is_boss_round(number),
        why=str(error),
        rounds=rounds,
        seed=SEED,
        chance=chance,
        purchases=tuple(found),
    )
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(estimates_show.shop_lines(reply)))


def played_purchases(
    build: Build, number: int, rules: Rules, purchases: Sequence[Purchase], *, rounds: int
) -> tuple[Estimated, list[WorthEstimate]]:
    """Estimate how often a round is won, and what purchases add to it, while bars show how far that is."""
    with progress_bar("looking for the die that is missed least") as progress:
        placed = placed_purchases(
            build, number, rules, purchases, rounds=rounds, seed=SEED, progress=progress
        )
    with progress_bar(f"playing {rounds:,} rounds with each of {len(placed)} purchases") as progress:
        found = estimate_purchases(build, number, rules, placed, rounds=rounds, seed=SEED, progress=progress)
        chance = estimate_round(build, number, rules, rounds=rounds, seed=SEED)
    worths = [
        WorthEstimate(
            purchase=one.purchase,
            price=one.price,
            chance=_estimated(one.after),
            gain=Estimated(one.gain.mean, one.error),
        )
        for one in found
    ]
    return _estimated(chance), worths
