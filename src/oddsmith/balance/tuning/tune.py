"""Rules are tuned to targets: exactly where one number decides, by search where several do, and never further than needed."""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Final, Self

import msgspec

from oddsmith.balance.figures import read_figures
from oddsmith.balance.formatting import shown
from oddsmith.balance.sensitivity import Sensitivities, sensitivities
from oddsmith.balance.tuning.search import Inverse, inverse_of, require_scipy, searched
from oddsmith.balance.tuning.targets import Targets
from oddsmith.balance.tuning.trials import Place, Trials, shifted
from oddsmith.errors import InputError, OddsmithError
from oddsmith.figure import Reading, Unit
from oddsmith.rules import Ruleset

EFFORT: Final = 1_000
"""After how many trials a search ends without more."""
FEWEST: Final = 10
"""Each search may have this part of all trials, whatever was spent before."""
MOST_ALONE: Final = 6
"""So many numbers are tried one by one before several are moved together."""
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

    >>> from oddsmith.balance.tuning.targets import targets_from
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
        self.stepped: dict[int, tuple[dict[int, Reading] | None, str]] = {}
        self.explained: dict[int, tuple[Reading | None, str]] = {}

    def solve(self) -> None:
        self._probe()
        for keys, asked in self._groups():
            self._settle_group(keys, asked)
        self._explain()

    # Which number moves which figure

    def _probe(self) -> None:
        """Learn which figures each number moves, and refuse a target that is not met and that nothing moves."""
        bases = (self.trials.start, tuple(one.places // 2 for one in self.trials.ranges))
        moves = [
            {number for base in bases for number in self._moved_by(key, base)}
            for key in range(len(self.trials.ranges))
        ]
        for number, target in enumerate(self.trials.targets):
            movers = frozenset(key for key, moved in enumerate(moves) if number in moved)
            if not movers and not target.is_met(self.before[number]):
                raise InputError(
                    "nothing_moves_it",
                    f"{target.where}: nothing that may change moves {target.name}: it is "
                    f"{shown(self.before[number], target.unit)}, and {target.aim.text} is wanted",
                    where=target.where,
                )
            self.trials.moved_by[number] = movers

    def _moved_by(self, key: int, base: Place) -> set[int]:
        """Return the targets whose figures a number moves, as far as its ends and its middle tell."""
        everything, last = range(len(self.trials.targets)), self.trials.ranges[key].places - 1
        home = self.trials.read(base, everything)
        moved: set[int] = set()
        for at in sorted({last * part // PROBES for part in range(PROBES + 1)}):
            place = shifted(base, key, at)
            self._require_allowed(key, place)
            readings = self.trials.read(place, everything)
            if home is not None and readings is not None:
                moved |= {number for number, reading in readings.items() if reading != home[number]}
        return moved

    def _require_allowed(self, key: int, place: Place) -> None:
        if shifted(self.trials.start, key, place[key]) != place:
            return
        try:
            self.trials.rules_at(place)
        except OddsmithError as error:
            one = self.trials.ranges[key]
            sentence = f"{one.key.path} cannot be {one.number(place[key])}: {error.refusal.sentence}"
            raise InputError("bad_bounds", sentence, where=one.key.path) from error

    def _groups(self) -> list[tuple[list[int], list[int]]]:
        """Part numbers and targets into groups that have nothing to do with each other."""
        left, groups = list(range(len(self.trials.targets))), []
        while left:
            asked, keys = {left[0]}, self._together(self.trials.moved_by[left[0]])
            while joined := {number for number in left if keys & self.trials.moved_by[number]} - asked:
                asked |= joined
                keys |= self._together(key for number in joined for key in self.trials.moved_by[number])
            left = [number for number in left if number not in asked]
            groups.append((sorted(keys), sorted(asked)))
        return groups

    def _together(self, keys: Iterable[int]) -> set[int]:
        """Return numbers and all whose order with them shall be kept."""
        return {other for key in keys for other in self.trials.family_of(key)}

    # How a group is settled

    def _settle_group(self, keys: Sequence[int], asked: Sequence[int]) -> None:
        """Settle the targets of a group one after the other, and all of them together where that is not enough.

        Targets that few numbers move come first; what moves a settled target stands still from then on.
        """
        left = sorted(asked, key=lambda number: len(self.trials.moved_by[number]))
        still: set[int] = set()
        blocks = 0
        while left:
            blocks += 1
            free = self.trials.moved_by[left[0]] - still
            block = [number for number in left if self.trials.moved_by[number] - still <= free]
            self._settle(free, block)
            still |= free
            left = [number for number in left if number not in block]
        self._put_in_order()
        if self.trials.disorder(self.place) or (blocks > 1 and not self._is_settled(asked)):
            self._search(keys, asked)

    def _is_settled(self, asked: Sequence[int]) -> bool:
        """Say whether every target is met, or stepped over by a number that moves it: more cannot be hoped for."""
        unmet = [number for number in self._unreached(self.place) if number in asked]
        return all(self._stepped_words(number, self.place) for number in unmet)

    def _step_over(self, key: int, found: Inverse) -> None:
        """Remember which targets a number steps over, with what they are on both sides of it."""
        one = self.trials.ranges[key]
        for number, sides in found.stepped_over.items():
            readings = [self.trials.read(side, [number]) for side in sides]
            beside = [
                f"{shown(reading[number], self.trials.targets[number].unit)} at {one.number(side[key])}"
                for reading, side in zip(readings, sides, strict=True)
                if reading is not None
            ]
            reading = self.trials.read(found.place, [number])
            self.stepped[number] = reading, f"{one.key.path} steps over it: {_and(beside)}"

    def _stepped_words(self, number: int, place: Place) -> str:
        """Say which number steps over a target at a place; nothing where none does."""
        reading, words = self.stepped.get(number, (None, ""))
        return words if self.trials.read(place, [number]) == reading else ""

    def _settle(self, keys: Iterable[int], asked: Sequence[int]) -> None:
        """Settle some targets, by one number alone if one is enough: the one that moves least besides."""
        by_moved = sorted(keys, key=lambda key: (sum(key in moved for moved in self.trials.moved_by), key))
        home, found = self.place, None
        for key in by_moved[:MOST_ALONE]:
            found = inverse_of(self.trials, home, key, asked)
            if found is None:
                continue
            self._step_over(key, found)
            if found.met or self._is_better(found.place, asked):
                self.place = found.place
            if found.met:
                return
        proven = len(by_moved) == 1 and found is not None
        if not proven and not self.trials.standing(self.place, asked, ()).is_met:
            self._search(by_moved, asked)

    def _is_better(self, place: Place, asked: Sequence[int]) -> bool:
        """Say whether a place is better for some targets than the present one, whatever order it breaks."""
        there, here = (self.trials.standing(one, asked, ()) for one in (place, self.place))
        return there[1:] < here[1:] or self.trials.read(self.place, asked) is None

    def _search(self, keys: Sequence[int], asked: Sequence[int]) -> None:
        require_scipy()
        effort = max(self.effort - self.trials.count, self.effort // FEWEST)
        self.place = searched(
            self.trials, self.place, keys, asked, seed=self.seed, effort=effort, better=self._take
        )

    def _take(self, place: Place) -> None:
        self.place = place

    def _put_in_order(self) -> None:
        """Where numbers came to stand out of order, lift or lower them, whichever is better."""
        if self.trials.disorder(self.place):
            keys, asked = range(len(self.trials.ranges)), range(len(self.trials.targets))
            places = (self.place, *self.trials.in_order(self.place))
            self.place = min(places, key=lambda place: self.trials.standing(place, asked, keys))

    # What became of it

    def _explain(self) -> None:
        """Say of each target that is not reached what it could have been, and why it is not."""
        alone = {number: self._alone(number) for number in self._unreached(self.place)}
        keys, everything = range(len(self.trials.ranges)), range(len(self.trials.targets))
        places = (self.place, *alone.values())
        self.place = min(places, key=lambda place: self.trials.standing(place, everything, keys))
        for number in self._unreached(self.place):
            self.explained[number] = self._reason(number, alone.get(number, self.place))

    def _unreached(self, place: Place) -> list[int]:
        readings = self.trials.read(place, range(len(self.trials.targets)))
        if readings is None:
            return []
        return [
            number for number, reading in readings.items() if not self.trials.targets[number].is_met(reading)
        ]

    def _reason(self, number: int, alone: Place) -> tuple[Reading | None, str]:
        readings = self.trials.read(alone, range(len(self.trials.targets)))
        if readings is None:
            return None, ""
        best = readings[number]
        target = self.trials.targets[number]
        if not target.is_met(best):
            return best, self._bound_words(number, alone)
        present = self._unreached(self.place)
        lost = [self.trials.targets[other].name for other in self._unreached(alone) if other not in present]
        if lost:
            return best, f"where it is met, {_few(lost)} {'is' if len(lost) == 1 else 'are'} not"
        if self.trials.disorder(alone):
            return best, "the numbers would be out of order"
        return best, "it was not found together with the others"

    def _alone(self, number: int) -> Place:
        """Return the best place for one target, as if there were no other."""
        keys, present = sorted(self.trials.moved_by[number]), self.place
        try:
            self._settle(keys, [number])
            return self.place
        finally:
            self.place = present

    def _bound_words(self, number: int, place: Place) -> str:
        """Say what is in the way: the bounds, where all numbers stand at one, else those to which numbers were moved."""
        movers = sorted(self.trials.moved_by[number])
        ends = [
            (key, words)
            for key in movers
            for end, name in ((0, "least"), (self.trials.ranges[key].places - 1, "most"))
            if (words := self._end_words(number, place, key, end, name))
        ]
        bound = {key for key, _ in ends} == {*movers}
        told = [words for key, words in ends if bound or place[key] != self.trials.start[key]]
        return self._stepped_words(number, place) or _and(told) or "nothing nearer was found"

    def _end_words(self, number: int, place: Place, key: int, end: int, name: str) -> str:
        """Say that a number stands at one of its bounds, or would give no more if it did."""
        one = self.trials.ranges[key]
        bound = f"its {name}, {one.number(end)}"
        if place[key] == end:
            return f"{one.key.path} is at {bound}"
        there, here = (self.trials.read(at, [number]) for at in (shifted(place, key, end), place))
        return f"{one.key.path} gives no more on its way to {bound}" if there == here else ""

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
            figure=target.figure.figure_name(),
            unit=target.unit,
            aim=target.aim.text,
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
