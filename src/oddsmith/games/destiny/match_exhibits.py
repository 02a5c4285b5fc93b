"""Exhibits of matches of skill checks and of gauntlets, where the rules play them."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import Final, NamedTuple

from oddsmith.errors import InputError
from oddsmith.exhibit import Exhibit, ExhibitGroup, Offer, Offers, Seats
from oddsmith.figure import Reading
from oddsmith.games.destiny.check_match_odds import check_chances, match_chances
from oddsmith.games.destiny.gauntlet import Standing, is_done, tiers
from oddsmith.games.destiny.gauntlet_odds import bout_chances, points_values, win_values
from oddsmith.games.destiny.model import Retire
from oddsmith.games.destiny.rules import Character, MatchKind, Rules
from oddsmith.games.destiny.run_exhibits import make_outcome

MOST_OUTLAWS: Final = 20
"""The most outlaws of a roster that are compared."""


def _checks(rules: Rules) -> Iterator[Exhibit]:
    """Yield the checks of a match as offers, by the chance of at least their points; and the seats of equal outlaws.

    A check with the greater chance at every number of points, for every outlaw, is never worse.
    """
    if rules.match is not MatchKind.CHECKS or rules.redraws.times:
        return
    outlaws = dict(islice(rules.outlaws.items(), MOST_OUTLAWS))
    chances = {who: check_chances(outlaw, rules) for who, outlaw in outlaws.items()}
    steps = sorted(
        {points for each in chances.values() for one in each.values() for points in one.points} - {0}
    )
    offers = [
        Offer(
            name=f"{_words(name)} check",
            where=f"skill_checks.{name}",
            price=Fraction(0),
            worths={
                f"{_words(who)}, at least {Fraction(step, 100)} points": Reading(
                    Fraction(
                        sum(count for points, count in each[name].points.items() if points >= step),
                        each[name].total,
                    )
                )
                for who, each in chances.items()
                for step in steps
            },
        )
        for name in rules.skill_checks
    ]
    yield Offers(
        about="checks of a match, by the chance of at least their points",
        where="skill_checks",
        offers=tuple(offers),
        nothing={situation: Reading() for offer in offers for situation in offer.worths},
    )
    who, outlaw = next(iter(rules.outlaws.items()))
    try:
        wins = max(match_chances((outlaw, outlaw), 0, 0, rules).values())
    except InputError:
        return
    yield _seats("a match of skill checks", who, wins)


def _gauntlet(rules: Rules) -> Iterator[Exhibit]:
    """Yield how often each tier is beaten and how often a seat retires, by play for points; and the seats of equal outlaws."""
    if rules.match is not MatchKind.GAUNTLET or rules.redraws.times:
        return
    courses = {
        _words(name): _follow(outlaw, rules) for name, outlaw in islice(rules.outlaws.items(), MOST_OUTLAWS)
    }
    for place, tier in enumerate(tiers(rules)):
        beaten = {who: course.beaten[place] for who, course in courses.items()}
        yield make_outcome(f"{_words(tier)}, beaten in a gauntlet by play for points", f"npcs.{tier}", beaten)
    retired = {who: course.retired for who, course in courses.items()}
    yield make_outcome("retirement from a gauntlet by play for points", "gauntlet", retired)
    who, outlaw = next(iter(rules.outlaws.items()))
    try:
        wins = win_values((outlaw, outlaw), (Standing(), Standing()), rules).challenge
    except InputError:
        return
    yield _seats("a gauntlet", who, wins)


class _Course(NamedTuple):
    """How often each tier is beaten, in the order in which they are met, and how often the seat retires."""

    beaten: tuple[Fraction, ...]
    retired: Fraction


def _follow(outlaw: Character, rules: Rules) -> _Course:
    """Return the course of a gauntlet of one seat that plays for points."""
    chances = bout_chances(outlaw, rules)
    beaten, retired = [Fraction(0)] * len(chances), Fraction(0)
    reached = {Standing(): Fraction(1)}
    while reached:
        following: dict[Standing, Fraction] = {}
        for standing, share in reached.items():
            if is_done(standing, rules):
                continue
            if points_values(outlaw, standing, rules).best is Retire:
                retired += share
                continue
            win = share * chances[standing.beaten].chance
            beaten[standing.beaten] += win
            for after, part in (
                (standing._replace(beaten=standing.beaten + 1), win),
                (standing._replace(lost=standing.lost + 1), share - win),
            ):
                following[after] = following.get(after, Fraction(0)) + part
        reached = following
    return _Course(tuple(beaten), retired)


def _seats(match: str, who: str, first: Fraction) -> Seats:
    """Return how often each of two seats with the same outlaw wins, where both play as well as possible."""
    return Seats(
        about=f"{match} between two seats with {_words(who)}",
        where="match",
        wins=(Reading(first), Reading(1 - first)),
        games=0,
        players="best play",
    )


def _words(name: str) -> str:
    return name.replace("_", " ")


MATCH_EXHIBITS: Final = (
    ExhibitGroup("checks of a match", _checks),
    ExhibitGroup("a gauntlet", _gauntlet),
)
