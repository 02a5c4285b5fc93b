"""Tuning of rules to targets: by bisection where one number is enough, by search where several are needed."""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Final, Self

import msgspec

from oddsmith.balance.figures import read_figures
from oddsmith.balance.formatting import format_reading
from oddsmith.balance.sensitivity import Sensitivities, sensitivities
from oddsmith.balance.tuning.search import LineSolution, require_scipy, search_points, solve_line
from oddsmith.balance.tuning.targets import Targets
from oddsmith.balance.tuning.trials import Point, Trials, move_number
from oddsmith.errors import InputError, OddsmithError
from oddsmith.figure import Reading, Unit
from oddsmith.rules import Ruleset

MOST_TRIALS: Final = 1_000
"""The default limit of trials."""
LEAST_SHARE: Final = 10
"""Each search may use at least this fraction of all trials."""
MOST_SINGLE: Final = 6
"""The number of numbers that are tried one by one before several are changed together."""
MOST_NAMED: Final = 3
PROBES: Final = 2
"""The number of equal parts of a range at whose ends it is tested which figures a number changes."""


class Adjustment(msgspec.Struct, frozen=True, kw_only=True):
    """A number of the rules that was changed."""

    key: str
    before: Decimal
    after: Decimal
    step: Decimal


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The result for a target: the figure before and after, and the reason where it is not reached."""

    name: str
    figure: str
    unit: Unit
    aim: str
    before: Reading
    after: Reading
    reached: bool
    best: Reading | None = None
    """The best value with this target alone, where it is not reached."""
    reason: str = ""


class TuneResult(msgspec.Struct, frozen=True, kw_only=True):
    """Tuned rules, the verdicts on the targets, and the changed numbers."""

    before: Ruleset
    rules: Ruleset
    verdicts: tuple[Verdict, ...]
    adjustments: tuple[Adjustment, ...]
    sensitivities: Sensitivities | None
    """The sensitivities of the targets to each changed number; None where nothing changed."""
    trials: int
    interrupted: bool = False

    @property
    def reached(self) -> bool:
        """Whether every target is reached."""
        return all(verdict.reached for verdict in self.verdicts)


class TuneReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith tune`: what was reached, what changes for it, and how sensitive the result is.

    `source` is the source of the rules, and `written` the file with the new ones.
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
    def of(cls, tuned: TuneResult, *, source: str, written: str | None) -> Self:
        """Return the reply for a result."""
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
    effort: int = MOST_TRIALS,
    progress: Callable[[float], None] | None = None,
) -> TuneResult:
    """Change the numbers that may change until the targets are met, or the violations are as small as possible.

    The same targets and seed give the same rules. `effort` limits the trials of a search. `progress` is called with
    the fraction of the trials. Ctrl-C ends the search, and the best rules so far are returned. A target that no
    number moves is refused with `nothing_moves_it`.

    >>> from oddsmith.balance.tuning.targets import parse_targets
    >>> from oddsmith.games.destiny import Rules
    >>> robbery = {"figure": "check.success", "target": "bank_robbery", "character": "calamity_rose", "is": "35%"}
    >>> change = {"key": "crimes.bank_robbery.threshold", "least": 50, "most": 500, "step": 1}
    >>> tuned = tune(parse_targets({"targets": [robbery], "change": [change]}, Rules()))
    >>> tuned.reached, tuned.rules.crimes["bank_robbery"].threshold
    (True, Points('215'))
    """
    before = _read_before(targets)
    on_trial = None if progress is None else (lambda count: progress(min(count / effort, 1.0)))
    tuner = _Tuner(Trials(targets, on_trial), before, seed=seed, effort=effort)
    interrupted = False
    try:
        tuner.solve()
    except KeyboardInterrupt:
        interrupted = True
    return tuner.result(interrupted=interrupted)


def _read_before(targets: Targets) -> list[Reading]:
    """Read every figure under the current rules; an error names the target in the file."""
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
    """The best point so far, and the steps of tuning."""

    def __init__(self, trials: Trials, before: list[Reading], *, seed: int, effort: int) -> None:
        self.trials, self.before, self.seed, self.effort = trials, before, seed, effort
        self.point = trials.start
        self.step_notes: dict[int, tuple[dict[int, Reading] | None, str]] = {}
        self.explanations: dict[int, tuple[Reading | None, str]] = {}

    def solve(self) -> None:
        self._find_movers()
        for keys, selected in self._groups():
            self._solve_group(keys, selected)
        self._explain_unreached()

    def _find_movers(self) -> None:
        """Find which figures each number changes; a target that is not met and that no number changes is refused."""
        bases = (self.trials.start, tuple(number_range.size // 2 for number_range in self.trials.ranges))
        moves = [
            {number for base in bases for number in self._targets_moved_by(key, base)}
            for key in range(len(self.trials.ranges))
        ]
        for number, target in enumerate(self.trials.targets):
            movers = frozenset(key for key, moved in enumerate(moves) if number in moved)
            if not movers and not target.is_met(self.before[number]):
                raise InputError(
                    "nothing_moves_it",
                    f"{target.where}: no number that may change affects {target.name}: it is "
                    f"{format_reading(self.before[number], target.unit)}, and {target.wanted.text} is wanted",
                    where=target.where,
                )
            self.trials.moved_by[number] = movers

    def _targets_moved_by(self, key: int, base: Point) -> set[int]:
        """Return the targets whose figures differ between the ends and the middle of a number's range."""
        everything, last = range(len(self.trials.targets)), self.trials.ranges[key].size - 1
        start = self.trials.read(base, everything)
        moved: set[int] = set()
        for index in sorted({last * part // PROBES for part in range(PROBES + 1)}):
            point = move_number(base, key, index)
            self._require_allowed(key, point)
            readings = self.trials.read(point, everything)
            if start is not None and readings is not None:
                moved |= {number for number, reading in readings.items() if reading != start[number]}
        return moved

    def _require_allowed(self, key: int, point: Point) -> None:
        if move_number(self.trials.start, key, point[key]) != point:
            return
        try:
            self.trials.rules_at(point)
        except OddsmithError as error:
            number_range = self.trials.ranges[key]
            sentence = f"{number_range.key.path} cannot be {number_range.number(point[key])}: {error.refusal.sentence}"
            raise InputError("bad_bounds", sentence, where=number_range.key.path) from error

    def _groups(self) -> list[tuple[list[int], list[int]]]:
        """Partition numbers and targets into independent groups."""
        remaining, groups = list(range(len(self.trials.targets))), []
        while remaining:
            selected, keys = {remaining[0]}, self._with_order_groups(self.trials.moved_by[remaining[0]])
            while (
                joined := {number for number in remaining if keys & self.trials.moved_by[number]} - selected
            ):
                selected |= joined
                keys |= self._with_order_groups(
                    key for number in joined for key in self.trials.moved_by[number]
                )
            remaining = [number for number in remaining if number not in selected]
            groups.append((sorted(keys), sorted(selected)))
        return groups

    def _with_order_groups(self, keys: Iterable[int]) -> set[int]:
        """Return numbers together with those whose order with them is kept."""
        return {other for key in keys for other in self.trials.ordered_group(key)}

    def _solve_group(self, keys: Sequence[int], selected: Sequence[int]) -> None:
        """Solve the targets of a group one after the other, and all of them together where that is not enough.

        Targets that few numbers change come first. The numbers that change a solved target are fixed from then on.
        """
        remaining = sorted(selected, key=lambda number: len(self.trials.moved_by[number]))
        fixed: set[int] = set()
        blocks = 0
        while remaining:
            blocks += 1
            free = self.trials.moved_by[remaining[0]] - fixed
            block = [number for number in remaining if self.trials.moved_by[number] - fixed <= free]
            self._solve_targets(free, block)
            fixed |= free
            remaining = [number for number in remaining if number not in block]
        self._repair_order()
        if self.trials.order_violation(self.point) or (blocks > 1 and not self._is_solved(selected)):
            self._search(keys, selected)

    def _is_solved(self, selected: Sequence[int]) -> bool:
        """Return whether every target is met, or lies between two steps of a number."""
        unmet = [number for number in self._unreached_targets(self.point) if number in selected]
        return all(self._step_reason(number, self.point) for number in unmet)

    def _note_step_over(self, key: int, found: LineSolution) -> None:
        """Record the targets that lie between two steps of a number, with their values at both."""
        number_range = self.trials.ranges[key]
        for number, sides in found.stepped_over.items():
            readings = [self.trials.read(side, [number]) for side in sides]
            beside = [
                f"{format_reading(reading[number], self.trials.targets[number].unit)} at {number_range.number(side[key])}"
                for reading, side in zip(readings, sides, strict=True)
                if reading is not None
            ]
            reading = self.trials.read(found.point, [number])
            self.step_notes[number] = reading, f"{number_range.key.path} steps over it: {_join_words(beside)}"

    def _step_reason(self, number: int, point: Point) -> str:
        """Return which number steps over a target at a point; empty where none does."""
        reading, words = self.step_notes.get(number, (None, ""))
        return words if self.trials.read(point, [number]) == reading else ""

    def _solve_targets(self, keys: Iterable[int], selected: Sequence[int]) -> None:
        """Solve some targets, by one number alone if one is enough: the one that changes the fewest figures."""
        by_moved = sorted(keys, key=lambda key: (sum(key in moved for moved in self.trials.moved_by), key))
        start, found = self.point, None
        for key in by_moved[:MOST_SINGLE]:
            found = solve_line(self.trials, start, key, selected)
            if found is None:
                continue
            self._note_step_over(key, found)
            if found.met or self._is_better(found.point, selected):
                self.point = found.point
            if found.met:
                return
        proven = len(by_moved) == 1 and found is not None
        if not proven and not self.trials.objective(self.point, selected, ()).is_met:
            self._search(by_moved, selected)

    def _is_better(self, point: Point, selected: Sequence[int]) -> bool:
        """Return whether a point is better for some targets than the present one, orders ignored."""
        there, here = (self.trials.objective(at, selected, ()) for at in (point, self.point))
        return there[1:] < here[1:] or self.trials.read(self.point, selected) is None

    def _search(self, keys: Sequence[int], selected: Sequence[int]) -> None:
        require_scipy()
        effort = max(self.effort - self.trials.count, self.effort // LEAST_SHARE)
        self.point = search_points(
            self.trials,
            self.point,
            keys,
            selected,
            seed=self.seed,
            effort=effort,
            on_improvement=self._set_point,
        )

    def _set_point(self, point: Point) -> None:
        self.point = point

    def _repair_order(self) -> None:
        """Where numbers are out of order, raise or lower them, whichever is better."""
        if self.trials.order_violation(self.point):
            keys, selected = range(len(self.trials.ranges)), range(len(self.trials.targets))
            points = (self.point, *self.trials.repair_order(self.point))
            self.point = min(points, key=lambda point: self.trials.objective(point, selected, keys))

    def _explain_unreached(self) -> None:
        """Find for each target that is not reached its best value alone, and the reason."""
        alone = {number: self._solve_alone(number) for number in self._unreached_targets(self.point)}
        keys, everything = range(len(self.trials.ranges)), range(len(self.trials.targets))
        points = (self.point, *alone.values())
        self.point = min(points, key=lambda point: self.trials.objective(point, everything, keys))
        for number in self._unreached_targets(self.point):
            self.explanations[number] = self._reason(number, alone.get(number, self.point))

    def _unreached_targets(self, point: Point) -> list[int]:
        readings = self.trials.read(point, range(len(self.trials.targets)))
        if readings is None:
            return []
        return [
            number for number, reading in readings.items() if not self.trials.targets[number].is_met(reading)
        ]

    def _reason(self, number: int, alone: Point) -> tuple[Reading | None, str]:
        readings = self.trials.read(alone, range(len(self.trials.targets)))
        if readings is None:
            return None, ""
        best = readings[number]
        target = self.trials.targets[number]
        if not target.is_met(best):
            return best, self._bound_reason(number, alone)
        present = self._unreached_targets(self.point)
        lost = [
            self.trials.targets[other].name
            for other in self._unreached_targets(alone)
            if other not in present
        ]
        if lost:
            return best, f"where it is met, {_join_few(lost)} {'is' if len(lost) == 1 else 'are'} not"
        if self.trials.order_violation(alone):
            return best, "the numbers would be out of order"
        return best, "it was not found together with the others"

    def _solve_alone(self, number: int) -> Point:
        """Return the best point for one target without the others."""
        keys, present = sorted(self.trials.moved_by[number]), self.point
        try:
            self._solve_targets(keys, [number])
            return self.point
        finally:
            self.point = present

    def _bound_reason(self, number: int, point: Point) -> str:
        """Return what prevents a target: bounds, if all numbers are at one, else those to which numbers were moved."""
        movers = sorted(self.trials.moved_by[number])
        ends = [
            (key, words)
            for key in movers
            for end, name in ((0, "least"), (self.trials.ranges[key].size - 1, "most"))
            if (words := self._end_reason(number, point, key, end, name))
        ]
        bound = {key for key, _ in ends} == {*movers}
        reasons = [words for key, words in ends if bound or point[key] != self.trials.start[key]]
        return self._step_reason(number, point) or _join_words(reasons) or "nothing nearer was found"

    def _end_reason(self, number: int, point: Point, key: int, end: int, name: str) -> str:
        """Return that a number is at one of its bounds, or that moving it there changes nothing; else an empty text."""
        number_range = self.trials.ranges[key]
        bound = f"its {name}, {number_range.number(end)}"
        if point[key] == end:
            return f"{number_range.key.path} is at {bound}"
        there, here = (self.trials.read(at, [number]) for at in (move_number(point, key, end), point))
        return f"{number_range.key.path} changes nothing more on its way to {bound}" if there == here else ""

    def result(self, *, interrupted: bool) -> TuneResult:
        """Read every figure under the new rules, and return the result."""
        rules = self.trials.rules_at(self.point)
        after = read_figures([target.figure for target in self.trials.targets], rules)
        adjustments = tuple(
            Adjustment(
                key=number_range.key.path,
                before=number_range.key.value,
                after=number_range.number(index),
                step=number_range.step,
            )
            for number_range, index in zip(self.trials.ranges, self.point, strict=True)
            if number_range.number(index) != number_range.key.value
        )
        return TuneResult(
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
        best, reason = self.explanations.get(number, (None, ""))
        return Verdict(
            name=target.name,
            figure=target.figure.figure_name(),
            unit=target.unit,
            aim=target.wanted.text,
            before=self.before[number],
            after=after,
            reached=target.is_met(after),
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


def _join_few(names: Sequence[str]) -> str:
    """Join names, and count those beyond the first few.

    >>> _join_few(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    words = names if len(names) <= MOST_NAMED else [*names[:MOST_NAMED], f"{len(names) - MOST_NAMED} more"]
    return _join_words(words)


def _join_words(words: Sequence[str]) -> str:
    """Join words with commas and a final "and".

    >>> _join_words(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
