"""Rules are tuned to targets: exactly where one number decides, by search where several do, and never further than needed."""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Final, Self

import msgspec

from oddsmith.balance.aims import shown
from oddsmith.balance.figures import Reading, Unit, read_figures
from oddsmith.balance.inverse import inverse
from oddsmith.balance.search import require_scipy, searched
from oddsmith.balance.sensitivity import Sensitivities, sensitivities
from oddsmith.balance.targets import Targets
from oddsmith.balance.trials import Place, Trials
from oddsmith.errors import InputError, OddsmithError
from oddsmith.rules import Ruleset

__all__ = ["Adjustment", "TuneReply", "Tuned", "Verdict", "tune"]

EFFORT: Final = 1_000
"""After how many trials a search ends without more."""
FEWEST: Final = 10
"""Each search may have this part of all trials, whatever was spent before."""
MOST_NAMED: Final = 3
PROBES: Final = 2
"""In how many equal parts a range is cut, to see which figures it moves."""


class Adjustment(msgspec.Struct, frozen=True, kw_only=True):
    """A number of the rules that was changed."""

    key: str
    before: Decimal
    after: Decimal
    step: Decimal


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a target: what the figure was, what it is now, and why no more was to be had."""

    name: str
    figure: str
    unit: Unit
    aim: str
    before: Reading
    after: Reading
    reached: bool
    best: Reading | None = None
    """The best that this target alone could have, where it is not reached."""
    reason: str = ""


class Tuned(msgspec.Struct, frozen=True, kw_only=True):
    """Rules that were tuned, and what was reached by it."""

    before: Ruleset
    rules: Ruleset
    verdicts: tuple[Verdict, ...]
    adjustments: tuple[Adjustment, ...]
    sensitivities: Sensitivities | None
    """What one step more or less of each changed number does to each target; None where nothing changed."""
    trials: int
    interrupted: bool = False

    @property
    def reached(self) -> bool:
        """Say whether every target is reached."""
        return all(verdict.reached for verdict in self.verdicts)


class TuneReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith tune`: what was reached, what changes for it, and how sensitive the result is.

    `source` is where the rules are from, and `written` the file that holds the new ones.
    """

    game: str
    source: str
    written: str | None
    rules_id_before: str
    rules_id: str
    reached: bool
    interrupted: bool
    trials: int
    targets: tuple[Verdict, ...]
    changes: tuple[Adjustment, ...]
    sensitivities: Sensitivities | None

    @classmethod
    def of(cls, tuned: Tuned, *, source: str, written: str | None) -> Self:
        """Return what is told of tuned rules."""
        return cls(
            game=tuned.rules.game,
            source=source,
            written=written,
            rules_id_before=tuned.before.rules_id,
            rules_id=tuned.rules.rules_id,
            reached=tuned.reached,
            interrupted=tuned.interrupted,
            trials=tuned.trials,
            targets=tuned.verdicts,
            changes=tuned.adjustments,
            sensitivities=tuned.sensitivities,
        )


def tune(
    targets: Targets,
    *,
    seed: int = 0,
    effort: int = EFFORT,
    progress: Callable[[float], None] | None = None,
) -> Tuned:
    """Change the numbers that may change until the targets are met, or as nearly as they can be.

    The same targets and seed give the same rules. Ctrl-C ends the search, and what was best until then is returned.

    >>> from oddsmith.balance.targets import targets_from
    >>> from oddsmith.games.destiny import Rules
    >>> robbery = {"figure": "check.success", "target": "bank_robbery", "character": "calamity_rose", "is": "35%"}
    >>> change = {"key": "crimes.bank_robbery.threshold", "least": 50, "most": 500, "step": 1}
    >>> tuned = tune(targets_from({"targets": [robbery], "change": [change]}, Rules()))
    >>> tuned.reached, tuned.rules.crimes["bank_robbery"].threshold
    (True, Points('215'))
    """
    before = _first_readings(targets)
    heard = None if progress is None else (lambda count: progress(min(count / effort, 1.0)))
    tuner = _Tuner(Trials(targets, heard), before, seed=seed, effort=effort)
    interrupted = False
    try:
        tuner.solve()
    except KeyboardInterrupt:
        interrupted = True
    return tuner.told(interrupted=interrupted)


def _first_readings(targets: Targets) -> list[Reading]:
    """Read every figure under today's rules; one that cannot be read is refused with its place in the file."""
    readings = []
    for target in targets.targets:
        try:
            readings += read_figures([target.figure], targets.rules)
        except OddsmithError as error:
            refusal = error.refusal
            raise InputError(
                refusal.code, f"{target.where}: {refusal.sentence}", where=target.where
            ) from error
    return readings


class _Tuner:
    """The best place so far, and what is still to be done."""

    def __init__(self, trials: Trials, before: list[Reading], *, seed: int, effort: int) -> None:
        self.trials, self.before, self.seed, self.effort = trials, before, seed, effort
        self.place = trials.start
        self.explained: dict[int, tuple[Reading | None, str]] = {}

    def solve(self) -> None:
        self._probe()
        for keys, asked in self._groups():
            self._settle(keys, asked)
        self._restore_order()
        self._explain()

    # Which number moves which figure

    def _probe(self) -> None:
        """Learn which figures each number moves, and refuse a target that is not met and that nothing moves."""
        everything = range(len(self.trials.targets))
        home = self.trials.read(self.trials.start, everything)
        moves = [self._moved_by(key, self.trials.start, home) for key in range(len(self.trials.ranges))]
        for key, moved in enumerate(moves):
            if not moved:
                elsewhere = self._elsewhere(key)
                moves[key] = self._moved_by(key, elsewhere, self.trials.read(elsewhere, everything))
        for number, target in enumerate(self.trials.targets):
            movers = frozenset(key for key, moved in enumerate(moves) if number in moved)
            if not movers and not target.aim.is_met(self.before[number]):
                raise InputError(
                    "nothing_moves_it",
                    f"{target.where}: nothing that may change moves {target.name}: it is "
                    f"{shown(self.before[number], target.unit)}, and {target.aim.text} is wanted",
                    where=target.where,
                )
            self.trials.moved_by[number] = movers
        self.trials.forget()

    def _elsewhere(self, key: int) -> Place:
        """Return a place where every other number stands in the middle of its range."""
        return tuple(
            at if other == key else one.places // 2
            for other, (one, at) in enumerate(zip(self.trials.ranges, self.trials.start, strict=True))
        )

    def _moved_by(self, key: int, base: Place, home: dict[int, Reading] | None) -> set[int]:
        last = self.trials.ranges[key].places - 1
        moved: set[int] = set()
        for at in sorted({last * part // PROBES for part in range(PROBES + 1)}):
            place = _put(base, key, at)
            self._require_allowed(key, place)
            readings = self.trials.read(place, range(len(self.trials.targets)))
            if home is not None and readings is not None:
                moved |= {number for number, reading in readings.items() if reading != home[number]}
        return moved

    def _require_allowed(self, key: int, place: Place) -> None:
        if _put(self.trials.start, key, place[key]) != place:
            return
        try:
            self.trials.rules_at(place)
        except OddsmithError as error:
            one = self.trials.ranges[key]
            sentence = f"{one.key.path} cannot be {one.number(place[key])}: {error.refusal.sentence}"
            raise InputError("bad_bounds", sentence, where=one.key.path) from error

    def _groups(self) -> list[tuple[list[int], list[int]]]:
        """Part numbers and targets into groups that have nothing to do with each other."""
        left = list(range(len(self.trials.targets)))
        groups = []
        while left:
            asked, keys = {left[0]}, set(self.trials.moved_by[left[0]])
            while True:
                joined = {number for number in left if keys & self.trials.moved_by[number]} | asked
                if joined == asked:
                    break
                asked = joined
                keys = {key for number in asked for key in self.trials.moved_by[number]}
            left = [number for number in left if number not in asked]
            groups.append((sorted(keys), sorted(asked)))
        return groups

    # How a group is settled

    def _settle(self, keys: Sequence[int], asked: Sequence[int]) -> None:
        """Find the place of some numbers for some targets, exactly as far as that goes."""
        if not keys:
            return
        inner = self._inner(keys, asked)
        taken = {number for moved in inner.values() for number in moved}
        others = [number for number in asked if number not in taken]
        if others:
            self._settle([key for key in keys if key not in inner], others)
        settled = [self._settle_alone(key, moved) for key, moved in inner.items()]
        if not all(settled) and not self.trials.standing(self.place, asked, keys).is_met:
            self._search(keys, asked)

    def _inner(self, keys: Sequence[int], asked: Sequence[int]) -> dict[int, list[int]]:
        """Choose numbers that can be settled one by one, each for the targets that it alone moves among them."""
        moved = {key: [number for number in asked if key in self.trials.moved_by[number]] for key in keys}
        chosen: dict[int, list[int]] = {}
        taken: set[int] = set()
        for key in sorted(keys, key=lambda key: len(moved[key])):
            if moved[key] and not taken & set(moved[key]):
                chosen[key] = moved[key]
                taken |= set(moved[key])
        return chosen

    def _settle_alone(self, key: int, asked: Sequence[int]) -> bool:
        """Move one number to its best place for some targets, and say whether no other place would be better."""
        found = inverse(self.trials, self.place, key, asked)
        if found is None:
            return False
        self.place = found.place
        return found.met or found.stepped_over

    def _search(self, keys: Sequence[int], asked: Sequence[int]) -> None:
        require_scipy()
        effort = max(self.effort - self.trials.count, self.effort // FEWEST)
        self.place = searched(
            self.trials, self.place, keys, asked, seed=self.seed, effort=effort, better=self._take
        )

    def _take(self, place: Place) -> None:
        self.place = place

    def _restore_order(self) -> None:
        """Where numbers came to stand out of order, settle all of them together."""
        if not self.trials.disorder(self.place):
            return
        asked = [number for number, movers in enumerate(self.trials.moved_by) if movers]
        self.place = self.trials.in_order(self.place)
        self._search(range(len(self.trials.ranges)), asked)

    # What became of it

    def _explain(self) -> None:
        """Say of each target that is not reached what it could have been, and why it is not."""
        for number in self._unreached():
            self.explained[number] = self._reason(number)

    def _unreached(self) -> list[int]:
        readings = self.trials.read(self.place, range(len(self.trials.targets)))
        if readings is None:
            return []
        return [
            number
            for number, reading in readings.items()
            if not self.trials.targets[number].aim.is_met(reading)
        ]

    def _reason(self, number: int) -> tuple[Reading | None, str]:
        alone = self._alone(number)
        readings = self.trials.read(alone, range(len(self.trials.targets)))
        if readings is None:
            return None, ""
        best = readings[number]
        target = self.trials.targets[number]
        if target.aim.is_met(best):
            broken = [
                self.trials.targets[other].name
                for other, reading in readings.items()
                if not self.trials.targets[other].aim.is_met(reading)
            ]
            if broken:
                return best, f"where it is met, {_few(broken)} {'is' if len(broken) == 1 else 'are'} not"
            return best, _and(self._order_words(alone)) or "it was not found together with the others"
        return best, self._bound_words(number, alone)

    def _alone(self, number: int) -> Place:
        """Return the best place for one target, as if there were no other."""
        keys, present = sorted(self.trials.moved_by[number]), self.place
        try:
            self._settle(keys, [number])
            return self.place
        finally:
            self.place = present

    def _order_words(self, place: Place) -> list[str]:
        return ["the order of numbers forbids it"] if self.trials.disorder(place) else []

    def _bound_words(self, number: int, place: Place) -> str:
        movers = [(key, self.trials.ranges[key]) for key in sorted(self.trials.moved_by[number])]
        ends = [
            f"{one.key.path} is at its {'least' if place[key] == 0 else 'most'}, {one.number(place[key])}"
            for key, one in movers
            if place[key] in (0, one.places - 1)
        ]
        steps = [words for key, _ in movers if (words := self._step_words(number, key, place))]
        return _and(steps[:1] or ends) or "nothing nearer was found"

    def _step_words(self, number: int, key: int, place: Place) -> str:
        """Say that a number steps over what is wanted, if it does."""
        target, one = self.trials.targets[number], self.trials.ranges[key]
        here = self.trials.read(place, [number])
        for at in (place[key] - 1, place[key] + 1):
            beside = self.trials.read(_put(place, key, at), [number]) if 0 <= at < one.places else None
            if here and beside and target.is_between(here[number], beside[number]):
                values = [shown(readings[number], target.unit) for readings in (here, beside)]
                return (
                    f"{one.key.path} steps over it: {values[0]} at {one.number(place[key])}, "
                    f"{values[1]} at {one.number(at)}"
                )
        return ""

    def told(self, *, interrupted: bool) -> Tuned:
        """Read every figure again under the new rules, and say what became of it."""
        rules = self.trials.rules_at(self.place)
        after = read_figures([target.figure for target in self.trials.targets], rules)
        adjustments = tuple(
            Adjustment(key=one.key.path, before=one.key.value, after=one.number(at), step=one.step)
            for one, at in zip(self.trials.ranges, self.place, strict=True)
            if one.number(at) != one.key.value
        )
        return Tuned(
            before=self.trials.rules,
            rules=rules,
            verdicts=tuple(map(self._verdict, range(len(after)), after)),
            adjustments=adjustments,
            sensitivities=None if interrupted or not adjustments else self._sensitivities(rules, adjustments),
            trials=self.trials.count,
            interrupted=interrupted,
        )

    def _verdict(self, number: int, after: Reading) -> Verdict:
        target = self.trials.targets[number]
        best, reason = self.explained.get(number, (None, ""))
        return Verdict(
            name=target.name,
            figure=target.figure.named(),
            unit=target.unit,
            aim=target.aim.text,
            before=self.before[number],
            after=after,
            reached=target.aim.is_met(after),
            best=best,
            reason=reason,
        )

    def _sensitivities(self, rules: Ruleset, adjustments: Iterable[Adjustment]) -> Sensitivities:
        return sensitivities(
            rules,
            [target.figure for target in self.trials.targets],
            [adjustment.key for adjustment in adjustments],
            step={adjustment.key: adjustment.step for adjustment in adjustments},
            names=[target.name for target in self.trials.targets],
        )


def _put(place: Place, key: int, at: int) -> Place:
    return (*place[:key], at, *place[key + 1 :])


def _few(names: Sequence[str]) -> str:
    """Join names, and count those that would be too many to read.

    >>> _few(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    told = names if len(names) <= MOST_NAMED else [*names[:MOST_NAMED], f"{len(names) - MOST_NAMED} more"]
    return _and(told)


def _and(words: Sequence[str]) -> str:
    """Join words.

    >>> _and(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
