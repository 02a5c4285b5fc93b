"""What purchases are worth to pools that are too large to solve, from the same rounds played without and with each."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from oddsmith.bots.foresight import BOUGHT
from oddsmith.chance import Seeded
from oddsmith.errors import InputError
from oddsmith.game import Act
from oddsmith.games.dice.engine import GAME
from oddsmith.games.dice.model import Build, Leave, Stage, State
from oddsmith.games.dice.purchases import every_purchase, list_price
from oddsmith.games.dice.rolling import round_rerolls
from oddsmith.games.dice.rules import DEFAULT, Rules
from oddsmith.games.dice.scoring import require_build
from oddsmith.games.dice.shopping import Purchase, build_with
from oddsmith.sim.estimates import Estimate, Proportion
from oddsmith.sim.pools import Planner, play_round, require_rounds

__all__ = ["PurchaseEstimate", "estimate_purchases"]

ROUNDS: Final = 200


class PurchaseEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """A purchase, its list price, and how often the round was won without and with it.

    `gain` is what it adds, round by round with the same seeds, so that its error is less than theirs.
    """

    purchase: Purchase
    price: int
    before: Proportion
    after: Proportion
    gain: Estimate


def estimate_purchases(
    build: Build,
    number: int,
    rules: Rules = DEFAULT,
    purchases: Sequence[Purchase] | None = None,
    *,
    rounds: int = ROUNDS,
    seed: str | int = "oddsmith",
    progress: Callable[[float], None] | None = None,
) -> list[PurchaseEstimate]:
    """Estimate what each purchase adds to the chance of winning round `number`, the most first.

    What to keep is solved for the pool, or for a simpler one where that has too many positions. Bosses come as they
    come. Without `purchases` it is all that a shop could ever offer.
    """
    require_build(build, rules)
    require_rounds(rounds)
    if not 1 <= number <= rules.rounds:
        raise InputError("bad_round", f"rounds are numbered from 1 to {rules.rounds}, not {number}")
    asked = list(every_purchase(build, rules)) if purchases is None else list(purchases)
    before = _wins(build, number, rules, rounds, seed)
    found = []
    for done, purchase in enumerate(asked, 1):
        after = _wins(build_with(build, purchase, rules.normal_kind), number, rules, rounds, seed)
        found.append(
            PurchaseEstimate(
                purchase=purchase,
                price=list_price(build, purchase, rules),
                before=Proportion(rounds, sum(before)),
                after=Proportion(rounds, sum(after)),
                gain=Estimate.of(Counter(won - lost for lost, won in zip(before, after, strict=True))),
            )
        )
        if progress is not None:
            progress(done / len(asked))
    return sorted(found, key=lambda estimate: (-estimate.gain.total, estimate.price))


def _wins(build: Build, number: int, rules: Rules, rounds: int, seed: str | int) -> list[int]:
    """Play so many rounds, and say of each whether it was won."""
    shop = State(rules=rules, build=build, money=0, round=number - 1, stage=Stage.SHOP)
    start = GAME.step(shop, Act(0, Leave())).state
    target = rules.target(number)
    player = Planner(build, rules, round_rerolls(build, rules), target, limit=BOUGHT)
    return [
        int(play_round(start, player, Seeded(f"{seed}/{round_number}")).total >= target)
        for round_number in range(1, rounds + 1)
    ]
