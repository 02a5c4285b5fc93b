"""What purchases are worth to pools that are too large to solve, from the same rounds played without and with each."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from oddsmith.chance import Seeded
from oddsmith.errors import InputError
from oddsmith.estimate import Estimate, Proportion
from oddsmith.game import Act
from oddsmith.games.dice.bots.lookahead import BOUGHT
from oddsmith.games.dice.engine import GAME
from oddsmith.games.dice.model import Build, BuyDie, Leave, Stage, State
from oddsmith.games.dice.parts import PoolDie
from oddsmith.games.dice.purchases import build_after, every_purchase, list_price
from oddsmith.games.dice.rolling import round_rerolls
from oddsmith.games.dice.rules import DEFAULT, Rules
from oddsmith.games.dice.scoring import require_build
from oddsmith.games.dice.shopping import Purchase, build_with
from oddsmith.games.dice.simulation.pools import Planner, play_round, require_rounds

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

    @property
    def error(self) -> float:
        """How far the true gain may be from the mean, at 95 %: never less than that of what was not met at all."""
        return max(self.gain.error, Proportion(self.gain.count, 0).error)


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
    _require_playable(build, number, rules, rounds)
    asked = list(every_purchase(build, rules)) if purchases is None else list(purchases)
    before = _wins(build, number, rules, rounds, seed)
    found = []
    for done, purchase in enumerate(asked, 1):
        after = _wins(build_after(build, purchase, rules), number, rules, rounds, seed)
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


def estimate_round(
    build: Build, number: int, rules: Rules = DEFAULT, *, rounds: int = ROUNDS, seed: str | int = "oddsmith"
) -> Proportion:
    """Estimate the chance of winning round `number`, from the rounds in which purchases are estimated."""
    _require_playable(build, number, rules, rounds)
    return Proportion(rounds, sum(_wins(build, number, rules, rounds, seed)))


def placed_purchases(
    build: Build,
    number: int,
    rules: Rules = DEFAULT,
    purchases: Sequence[Purchase] | None = None,
    *,
    rounds: int = ROUNDS,
    seed: str | int = "oddsmith",
    progress: Callable[[float], None] | None = None,
) -> list[Purchase]:
    """Return purchases with each die once, in the place of the one that is missed least in round `number`.

    That is the die of the pool without which most rounds are won when a normal one stands for it, and most points
    are scored where that is the same. The rounds are others than those that estimate the purchases, so that no luck
    counts twice.
    """
    _require_playable(build, number, rules, rounds)
    asked = list(every_purchase(build, rules)) if purchases is None else list(purchases)
    if not any(isinstance(purchase, BuyDie) for purchase in asked):
        return asked
    different = list(dict.fromkeys(build.dice))
    without = {}
    for done, die in enumerate(different, 1):
        normal = build_with(
            build, BuyDie(build.dice.index(die), PoolDie(rules.normal_kind)), rules.normal_kind
        )
        scores = _scores(normal, number, rules, rounds, f"{seed}/spare")
        without[die] = (sum(score >= rules.target(number) for score in scores), sum(scores))
        if progress is not None:
            progress(done / len(different))
    spare = sorted(different, key=without.__getitem__, reverse=True)
    return list(dict.fromkeys(_placed(purchase, build, spare) for purchase in asked))


def _placed(purchase: Purchase, build: Build, spare: Sequence[PoolDie]) -> Purchase:
    """Return a purchase, a die in the place of the first of these that is another one."""
    if not isinstance(purchase, BuyDie):
        return purchase
    replaced = next((die for die in spare if die != purchase.die), purchase.die)
    return BuyDie(build.dice.index(replaced), purchase.die)


def _require_playable(build: Build, number: int, rules: Rules, rounds: int) -> None:
    require_build(build, rules)
    require_rounds(rounds)
    if not 1 <= number <= rules.rounds:
        raise InputError("bad_round", f"rounds are numbered from 1 to {rules.rounds}, not {number}")


def _wins(build: Build, number: int, rules: Rules, rounds: int, seed: str | int) -> list[int]:
    """Play so many rounds, and say of each whether it was won."""
    target = rules.target(number)
    return [int(score >= target) for score in _scores(build, number, rules, rounds, seed)]


def _scores(build: Build, number: int, rules: Rules, rounds: int, seed: str | int) -> list[int]:
    """Play so many rounds, and return what they score."""
    shop = State(rules=rules, build=build, money=0, round=number - 1, stage=Stage.SHOP)
    start = GAME.step(shop, Act(0, Leave())).state
    player = Planner(build, rules, round_rerolls(build, rules), rules.target(number), limit=BOUGHT)
    return [
        play_round(start, player, Seeded(f"{seed}/{round_number}")).total
        for round_number in range(1, rounds + 1)
    ]
