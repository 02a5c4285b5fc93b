"""Estimates for pools with too many positions to count, from rounds on the engine: scores, choices and purchases."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final

import msgspec

from oddsmith.bot import Chooser
from oddsmith.chance import Draw, Seeded
from oddsmith.driver import play
from oddsmith.errors import InputError
from oddsmith.estimate import Estimate, Proportion
from oddsmith.game import Act
from oddsmith.games.dice.bots.lookahead import PLAY_LIMIT, PURCHASE_LIMIT, SizeLimit, simpler_pool
from oddsmith.games.dice.bots.players import best_faces, best_score, random_places, reroll_except, score_as
from oddsmith.games.dice.engine import GAME
from oddsmith.games.dice.model import Action, Build, BuyDie, FixedDie, Leave, Score, SetWild, Stage, State
from oddsmith.games.dice.odds import KeepChoice, RerollPlan, plan_rerolls
from oddsmith.games.dice.parts import PoolDie
from oddsmith.games.dice.pools import Pool
from oddsmith.games.dice.purchases import build_after, every_purchase, list_price
from oddsmith.games.dice.rolling import round_rerolls
from oddsmith.games.dice.rules import DEFAULT, BossKind, Rules
from oddsmith.games.dice.scoring import require_build, require_faces
from oddsmith.games.dice.shopping import Purchase, build_with
from oddsmith.games.dice.views import View

MOST_ROUNDS: Final = 1_000_000
MOST_CACHED_CHOICES: Final = 100_000
PLAYER: Final = 0


class PoolEstimate(msgspec.Struct, frozen=True):
    """How often rounds were scored as each hand with each total.

    >>> seen = PoolEstimate({("pair", 33): 3, ("high_roll", 11): 1})
    >>> seen.rounds, seen.at_least(33).mean, seen.hand("pair").mean, seen.score.mean
    (4, 0.75, 0.75, 27.5)
    """

    counts: Mapping[tuple[str, int], int]

    @property
    def rounds(self) -> int:
        """The number of rounds played."""
        return sum(self.counts.values())

    @property
    def score(self) -> Estimate:
        """The mean score, with its error."""
        totals: Counter[int] = Counter()
        for (_, total), count in self.counts.items():
            totals[total] += count
        return Estimate.of(totals)

    def at_least(self, target: int) -> Proportion:
        """Return how often the target was reached, with its error."""
        return Proportion(
            self.rounds, sum(count for (_, total), count in self.counts.items() if total >= target)
        )

    def hand(self, name: str) -> Proportion:
        """Return how often a hand was scored, with its error."""
        return Proportion(self.rounds, sum(count for (hand, _), count in self.counts.items() if hand == name))

    def scores_of(self, name: str) -> tuple[int, ...]:
        """Return the distinct totals that were scored as a hand, in rising order.

        >>> PoolEstimate({("pair", 33): 3, ("pair", 18): 1}).scores_of("pair")
        (18, 33)
        """
        return tuple(sorted(total for hand, total in self.counts if hand == name))

    def value(self, target: int | None) -> Estimate | Proportion:
        """Return how often a target was reached or, without one, the mean score."""
        return self.score if target is None else self.at_least(target)


def estimate_rerolls(
    build: Build,
    rerolls: int,
    rules: Rules = DEFAULT,
    *,
    target: int | None = None,
    boss: BossKind | None = None,
    fixed: FixedDie | None = None,
    rounds: int = 1_000,
    seed: str | int = "oddsmith",
    progress: Callable[[float], None] | None = None,
) -> PoolEstimate:
    """Play rounds with a pool, and count their scores; without rerolls a round is one roll of all dice.

    The dice to keep are solved for the pool or, if it has too many positions, for a simpler one: then best play is at
    least as good as the estimate. Round n of a seed is always the same. `progress` is called with the share that is done.
    Raises `InputError` for arguments that the rules do not allow.

    >>> from oddsmith.games.dice.parts import PoolDie
    >>> estimate_rerolls(Build(dice=(PoolDie("normal"),) * 5), 3, target=40, rounds=20).at_least(40).happened
    20
    """
    boss = Pool(build, rules, boss=boss, fixed=fixed).boss
    start = State(
        rules=rules, build=build, money=0, stage=Stage.ROLL, boss=boss, fixed=fixed, rerolls=rerolls
    )
    return _play_rounds(start, Planner(build, rules, rerolls, target), rounds, seed, progress)


class ChoiceEstimate(msgspec.Struct, frozen=True):
    """The places of the dice to keep, the value of rolling the others, and half of its 95 % interval.

    Keeping all dice is scoring now, which has no error. `set_first` has the kept wild dice that are set before the roll.
    """

    keep: tuple[int, ...]
    value: float
    error: float
    set_first: tuple[SetWild, ...] = ()


def estimate_choices(
    build: Build,
    faces: Sequence[int],
    rerolls: int,
    rules: Rules = DEFAULT,
    *,
    target: int | None = None,
    boss: BossKind | None = None,
    fixed: FixedDie | None = None,
    rounds: int = 200,
    most: int = 8,
    seed: str | int = "oddsmith",
    progress: Callable[[float], None] | None = None,
) -> list[ChoiceEstimate]:
    """Estimate the values of choices of dice to keep, the greatest first; scoring now is one of them.

    Of all choices, the `most` best ones of a simpler pool are played, each in the same `rounds`. The dice to keep at later
    rolls are solved for the simpler pool, too: best play is at least as good as the estimate. Raises `InputError` for
    arguments that the rules do not allow.

    >>> from oddsmith.games.dice.parts import PoolDie
    >>> five = Build(dice=(PoolDie("normal"),) * 5)
    >>> [choice.keep for choice in estimate_choices(five, (6, 6, 6, 6, 1), 1, target=378, rounds=20, most=1)]
    [(0, 1, 2, 3), (0, 1, 2, 3, 4)]
    """
    boss = Pool(build, rules, boss=boss, fixed=fixed).boss
    require_faces(faces, build)
    state = State(
        rules=rules,
        build=build,
        money=0,
        stage=Stage.CHOOSE,
        boss=boss,
        fixed=fixed,
        faces=tuple(faces),
        rerolls=rerolls,
    )
    return estimate_choices_from(state, target=target, rounds=rounds, most=most, seed=seed, progress=progress)


def estimate_choices_from(
    state: State,
    *,
    target: int | None,
    rounds: int,
    most: int,
    seed: str | int = "oddsmith",
    progress: Callable[[float], None] | None = None,
) -> list[ChoiceEstimate]:
    """Estimate choices as `estimate_choices` does, in a round that is being played."""
    require_rounds(rounds)
    planner = Planner(state.build, state.rules, state.rerolls, target)
    everything = tuple(range(len(state.build.dice)))
    total = best_score(GAME.view(state, PLAYER)).total
    now = ChoiceEstimate(everything, float(total if target is None else total >= target), 0.0)
    promising = planner.plan(state.boss, state.fixed).choices(state.faces, state.rerolls)[:most]
    tried = [choice for choice in promising if choice.keep != everything]
    found = [now]
    for done, choice in enumerate(tried, 1):
        value = _play_rounds(state, _choose_first(choice, state.rerolls, planner), rounds, seed).value(target)
        found.append(ChoiceEstimate(choice.keep, value.mean, value.error, choice.set_first))
        if progress is not None:
            progress(done / len(tried))
    return sorted(found, key=lambda choice: (-choice.value, -len(choice.keep), choice.keep))


def _choose_first(choice: KeepChoice, rerolls: int, planner: "Planner") -> Chooser[View, Action]:
    """Return a player that makes this choice while `rerolls` rerolls are left, and plays by plan after that."""

    def choose(view: View, actions: Sequence[Action], /) -> Action:
        if view.rerolls == rerolls:
            return reroll_except(choice.keep, view, actions, choice.set_first)
        return planner(view, actions)

    return choose


def _play_rounds(
    start: State,
    player: Chooser[View, Action],
    rounds: int,
    seed: str | int,
    progress: Callable[[float], None] | None = None,
) -> PoolEstimate:
    """Play `rounds` rounds from a state on, and count their scores."""
    require_rounds(rounds)
    counts: Counter[tuple[str, int]] = Counter()
    for number in range(1, rounds + 1):
        scored = play_round(start, player, Seeded(f"{seed}/{number}"))
        counts[scored.hand, scored.total] += 1
        if progress is not None:
            progress(number / rounds)
    return PoolEstimate(dict(counts))


def require_rounds(rounds: int) -> None:
    """Raise `InputError` for a number of rounds out of bounds."""
    if not 1 <= rounds <= MOST_ROUNDS:
        raise InputError(
            "bad_rounds", f"from 1 to {MOST_ROUNDS:,} rounds can be played: {rounds} were asked for"
        )


class Planner:
    """A player of single rounds by the plan of a pool, or of a simpler one beyond a limit.

    `plan` solves it once for each boss and fixed die, and caches it.
    """

    def __init__(
        self, build: Build, rules: Rules, rerolls: int, target: int | None, *, limit: SizeLimit = PLAY_LIMIT
    ) -> None:
        self._build = build
        self._limit = limit
        self._rules = rules
        self._rerolls = rerolls
        self._target = target
        self.plan = cache(self._solve)
        self._best = lru_cache(maxsize=MOST_CACHED_CHOICES)(self._best_choice)

    def __call__(self, view: View, actions: Sequence[Action], /) -> Action:
        """Return the next action: set, lock and reroll as planned, then set wild dice to their best faces, and score."""
        if view.rerolls and random_places(view):
            best = self._best(view.boss, view.fixed, view.faces, view.rerolls)
            if len(best.keep) < len(view.faces):
                return reroll_except(best.keep, view, actions, best.set_first)
        return score_as(best_faces(view), view, actions)

    def _best_choice(
        self, boss: BossKind | None, fixed: FixedDie | None, faces: tuple[int, ...], left: int
    ) -> KeepChoice:
        return self.plan(boss, fixed).best(faces, left)

    def _solve(self, boss: BossKind | None, fixed: FixedDie | None) -> RerollPlan:
        simple = simpler_pool(self._build, self._rules, self._limit, boss=boss, fixed=fixed).build
        return plan_rerolls(
            simple, self._rerolls, self._rules, target=self._target, boss=boss, fixed=fixed, exact=False
        )


def play_round(start: State, player: Chooser[View, Action], luck: Draw) -> Score:
    """Play from a state on until the round is scored; return the score."""
    return next(ply.after.score for ply in play(GAME, start, [player], luck) if ply.after.score is not None)


ROUNDS: Final = 200


class PurchaseEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """A purchase, its list price, and how often the round was won without and with it.

    `gain` is the mean difference of rounds with the same seed, so that its error is smaller than theirs.
    """

    purchase: Purchase
    price: int
    before: Proportion
    after: Proportion
    gain: Estimate

    @property
    def error(self) -> float:
        """Half of the 95 % interval of the gain, at least the error of a share of 0 in as many rounds."""
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
    """Estimate what each purchase adds to the chance of winning round `number`, the greatest gain first.

    The dice to keep are solved for the pool, or for a simpler one if it has too many positions. Bosses are drawn by luck.
    Without `purchases` these are all that a shop can offer. Raises `InputError` for a build, round or number of rounds
    that is not allowed.
    """
    _require_playable(build, number, rules, rounds)
    wanted = list(every_purchase(build, rules)) if purchases is None else list(purchases)
    before = _wins(build, number, rules, rounds, seed)
    found = []
    for done, purchase in enumerate(wanted, 1):
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
            progress(done / len(wanted))
    return sorted(found, key=lambda estimate: (-estimate.gain.total, estimate.price))


def estimate_round(
    build: Build, number: int, rules: Rules = DEFAULT, *, rounds: int = ROUNDS, seed: str | int = "oddsmith"
) -> Proportion:
    """Estimate the chance of winning round `number`, in the same rounds as `estimate_purchases`."""
    _require_playable(build, number, rules, rounds)
    return Proportion(rounds, sum(_wins(build, number, rules, rounds, seed)))


def place_purchases(
    build: Build,
    number: int,
    rules: Rules = DEFAULT,
    purchases: Sequence[Purchase] | None = None,
    *,
    rounds: int = ROUNDS,
    seed: str | int = "oddsmith",
    progress: Callable[[float], None] | None = None,
) -> list[Purchase]:
    """Return purchases with each die once, in the place of the die that is missed least in round `number`.

    That is the die of the pool that can be replaced by a normal one with most rounds won, then most points scored. The
    rounds are not those of `estimate_purchases`, so that the choice of the place does not bias its estimates.
    """
    _require_playable(build, number, rules, rounds)
    wanted = list(every_purchase(build, rules)) if purchases is None else list(purchases)
    if not any(isinstance(purchase, BuyDie) for purchase in wanted):
        return wanted
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
    replaceable = sorted(different, key=without.__getitem__, reverse=True)
    return list(dict.fromkeys(_place_purchase(purchase, build, replaceable) for purchase in wanted))


def _place_purchase(purchase: Purchase, build: Build, replaceable: Sequence[PoolDie]) -> Purchase:
    """Return a purchase; a die in the place of the first replaceable die that differs from it."""
    if not isinstance(purchase, BuyDie):
        return purchase
    replaced = next((die for die in replaceable if die != purchase.die), purchase.die)
    return BuyDie(build.dice.index(replaced), purchase.die)


def _require_playable(build: Build, number: int, rules: Rules, rounds: int) -> None:
    require_build(build, rules)
    require_rounds(rounds)
    if not 1 <= number <= rules.rounds:
        raise InputError("bad_round", f"rounds are numbered from 1 to {rules.rounds}, not {number}")


def _wins(build: Build, number: int, rules: Rules, rounds: int, seed: str | int) -> list[int]:
    """Play `rounds` rounds; return 1 for each that was won, and 0 for others."""
    target = rules.target(number)
    return [int(score >= target) for score in _scores(build, number, rules, rounds, seed)]


def _scores(build: Build, number: int, rules: Rules, rounds: int, seed: str | int) -> list[int]:
    """Play `rounds` rounds, and return their scores."""
    shop = State(rules=rules, build=build, money=0, round=number - 1, stage=Stage.SHOP)
    start = GAME.step(shop, Act(0, Leave())).state
    player = Planner(build, rules, round_rerolls(build, rules), rules.target(number), limit=PURCHASE_LIMIT)
    return [
        play_round(start, player, Seeded(f"{seed}/{round_number}")).total
        for round_number in range(1, rounds + 1)
    ]
