"""Exhibits of what a run offers besides crimes: skill checks, contests and gang wars."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import cycle, islice
from typing import Final

from oddsmith.exhibit import Effect, Exhibit, ExhibitGroup, Offer, Offers, Outcome, Payoff, Payoffs
from oddsmith.figure import Reading
from oddsmith.games.destiny.model import Degree, Reward, Side
from oddsmith.games.destiny.odds import contest_odds, gang_odds, gang_work, totals
from oddsmith.games.destiny.pairings import many_checks
from oddsmith.games.destiny.rules import Character, Rules
from oddsmith.games.destiny.run_checks import check_reward
from oddsmith.games.destiny.run_contests import victory_stakes
from oddsmith.games.destiny.run_costs import check_energy, war_energy
from oddsmith.games.destiny.run_odds import contest_value
from oddsmith.games.destiny.run_wars import defense_bonus, least_gang, war_reward
from oddsmith.games.destiny.scoring import Bonuses, character_bonuses, npc, reward
from oddsmith.points import Points

NOTHING: Final = Points(0)
MOST_TASKS: Final = 200
"""The most crimes, skill checks and contests that are compared."""
MOST_CONTESTS: Final = 100
"""The most contests that are counted with their damage, about three seconds."""
MOST_WAR_WORK: Final = 200_000_000
"""The work of all gang wars that are counted, about two seconds."""
DEGREE_PAYS: Final = {
    Degree.CRITICAL_SUCCESS: "critical_success_factor",
    Degree.SUCCESS: "success_factor",
}

Worths = Mapping[str, Reading]


def _tasks(rules: Rules) -> Iterator[Exhibit]:
    """Yield crimes, skill checks and contests as offers: the price is energy; gold, experience and energy kept are the values."""
    if rules.redraws.times:
        return
    offers = [*_check_offers(rules), *_contest_offers(rules)]
    if len(offers) > MOST_TASKS:
        return
    yield Offers(
        about="what a run offers, for its energy: gold, experience, and the energy that a defeat takes",
        where="run",
        offers=tuple(offers),
        nothing={situation: Reading() for offer in offers for situation in offer.worths},
    )


def _check_offers(rules: Rules) -> Iterator[Offer]:
    """Yield every crime and every skill check, with its means for each outlaw."""
    tasks: list[tuple[str, str, Points, int, Callable[[Degree], Reward]]] = [
        (
            name,
            f"crimes.{name}",
            crime.threshold,
            crime.energy,
            lambda degree, crime=crime: reward(crime, degree, rules),  # type: ignore[misc]  # the crime of this pass
        )
        for name, crime in rules.crimes.items()
    ]
    if rules.run.checks.offered:
        tasks += [
            (
                f"{name} check",
                f"skill_checks.{name}",
                threshold,
                check_energy(name, rules),
                lambda degree, name=name: check_reward(name, degree, rules),  # type: ignore[misc]  # see above
            )
            for name, threshold in rules.skill_checks.items()
        ]
    people = _people(rules)
    bonuses = [character_bonuses(one, rules) for one in people.values()]
    for name, where, threshold, energy, pay in tasks:
        met = many_checks([(one, threshold) for one in bonuses], rules).tolist()
        pays = [pay(degree) for degree in Degree]
        worths: dict[str, Reading] = {}
        for who, row in zip(people, met, strict=True):
            gold, experience = (
                Fraction(sum(own * count for own, count in zip(each, row, strict=True)), 100 * sum(row))
                for each in (
                    [one.gold.hundredths for one in pays],
                    [one.experience.hundredths for one in pays],
                )
            )
            worths |= _worths(who, gold, experience, Fraction(0))
        yield Offer(name=_words(name), where=where, price=Fraction(energy), worths=worths)


def _contest_offers(rules: Rules) -> Iterator[Offer]:
    """Yield the contest with each NPC, with its means for each outlaw; nothing where damage or their number is too great."""
    run = rules.run.contests
    if not run.offered or len(rules.npcs) * len(_people(rules)) > MOST_CONTESTS:
        return
    for tier in rules.npcs:
        worths: dict[str, Reading] = {}
        for who, outlaw in _people(rules).items():
            value = contest_value(outlaw, tier, rules.run.energy, rules)
            if value.gold is None or value.energy is None:
                return
            worths |= _worths(who, value.gold, value.experience, -value.energy)
        yield Offer(
            name=f"contest with {_words(tier)}",
            where=f"npcs.{tier}",
            price=Fraction(run.energy),
            worths=worths,
        )


def _worths(who: str, gold: Fraction, experience: Fraction, kept: Fraction) -> dict[str, Reading]:
    return {
        f"{who}, gold": Reading(gold),
        f"{who}, experience": Reading(experience),
        f"{who}, energy kept": Reading(kept),
    }


def _people(rules: Rules) -> Mapping[str, Character]:
    """Return all outlaws, and characters without skills and half trained, by description."""
    return {_words(name): outlaw for name, outlaw in rules.outlaws.items()} | _trained(rules)


def _trained(rules: Rules) -> dict[str, Character]:
    """Return characters without skills and half trained, by description."""
    levels = sorted({1, -(-rules.max_level // 2)})
    return {
        f"every skill at {level}": Character(skills=dict.fromkeys(rules.skills, level)) for level in levels
    }


def _contests(rules: Rules) -> Iterator[Exhibit]:
    """Yield the least and the greatest chance to beat the NPC of each tier, over outlaws and trained characters."""
    if rules.redraws.times:
        return
    people = {who: character_bonuses(one, rules) for who, one in _people(rules).items()}
    for tier in rules.npcs:
        other = character_bonuses(npc(tier, rules), rules)
        chances = {who: contest_odds(own, other, rules).chance(Side.ATTACKER) for who, own in people.items()}
        yield make_outcome(f"{_words(tier)}, beaten in a contest", f"npcs.{tier}", chances)


def _wars(rules: Rules) -> Iterator[Exhibit]:
    """Yield raids and defences as offers for weak and strong smallest gangs, and their chances to win."""
    if rules.redraws.times or not rules.run.wars.offered:
        return
    size = least_gang(rules)
    ranked = sorted(
        rules.outlaws.values(),
        key=lambda outlaw: totals(character_bonuses(outlaw, rules), rules).mean,
        reverse=True,
    )
    gangs = {
        "the strongest gang of the roster": tuple(islice(cycle(ranked), size)),
    } | {f"a gang with {who}": (one,) * size for who, one in _trained(rules).items()}
    work = sum(
        gang_work(*_war_sides(gang, tier, Side.ATTACKER, rules), rules) * len(Side)
        for gang in gangs.values()
        for tier in rules.npcs
    )
    if work > MOST_WAR_WORK:
        return
    offers: list[Offer] = []
    for side, verb in ((Side.ATTACKER, "raid"), (Side.DEFENDER, "defence against")):
        for tier in rules.npcs:
            chances = {
                who: gang_odds(*_war_sides(gang, tier, side, rules), rules).chance(side)
                for who, gang in gangs.items()
            }
            yield make_outcome(f"{verb} {_words(tier)}, won", "run.wars", chances)
            offers.append(_war_offer(f"{verb} {_words(tier)}", tier, side, chances, rules))
    yield Offers(
        about="gang wars of the smallest gang, for their energy",
        where="run.wars",
        offers=tuple(offers),
        nothing={situation: Reading() for offer in offers for situation in offer.worths},
    )


def _war_sides(
    gang: Sequence[Character], tier: str, side: Side, rules: Rules
) -> tuple[Sequence[Bonuses], Sequence[Bonuses]]:
    """Return the bonuses of the attackers and the defenders of a war of a gang that is on a side of it."""
    bonus = defense_bonus(side, rules)
    own = [character_bonuses(one, rules, defense_bonus=bonus) for one in gang]
    others = [character_bonuses(npc(tier, rules), rules)] * len(gang)
    return (own, others) if side is Side.ATTACKER else (others, own)


def _war_offer(name: str, tier: str, side: Side, chances: Mapping[str, Fraction], rules: Rules) -> Offer:
    size = least_gang(rules)
    won, lost = (war_reward(tier, size, side, rules, won=won) for won in (True, False))
    worths = {}
    for who, win in chances.items():
        worths[f"{who}, gold"] = Reading(win * won.gold.fraction + (1 - win) * lost.gold.fraction)
        worths[f"{who}, experience"] = Reading(win * won.experience.fraction)
    return Offer(name=name, where=f"npcs.{tier}", price=Fraction(war_energy(size, rules)), worths=worths)


def _rewards(rules: Rules) -> Iterator[Exhibit]:
    """Yield what skill checks, contests and gang wars pay by how they end."""
    for name in rules.skill_checks if rules.run.checks.offered else ():
        yield Payoffs(
            about=f"{_words(name)} check",
            where=f"skill_checks.{name}",
            payoffs=tuple(
                _payoff(
                    degree.words,
                    DEGREE_PAYS.get(degree, "run.checks"),
                    standing,
                    check_reward(name, degree, rules),
                )
                for standing, degree in enumerate(reversed(Degree))
            ),
        )
    for tier in rules.npcs if rules.run.contests.offered else ():
        ends = [("defeat", Reward(NOTHING, NOTHING))]
        ends += [
            (words, Reward(stakes.gold, stakes.experience))
            for words, damage in (
                ("narrow victory", rules.damage.least),
                ("crushing victory", rules.damage.most),
            )
            for stakes in (victory_stakes(tier, damage, rules),)
        ]
        yield Payoffs(
            about=f"contest with {_words(tier)}",
            where=f"npcs.{tier}",
            payoffs=tuple(
                _payoff(words, "run.contests", place, pay) for place, (words, pay) in enumerate(ends)
            ),
        )
    for tier in rules.npcs if rules.run.wars.offered else ():
        size = least_gang(rules)
        yield Payoffs(
            about=f"gang war with {_words(tier)}",
            where=f"npcs.{tier}",
            payoffs=tuple(
                _payoff(words, "run.wars", won, war_reward(tier, size, Side.ATTACKER, rules, won=won))
                for words, won in (("defeat", False), ("victory", True))
            ),
        )


def _payoff(name: str, where: str, standing: int, pay: Reward) -> Payoff:
    return Payoff(
        name=name,
        where=where,
        standing=standing,
        pays={"gold": pay.gold.fraction, "experience": pay.experience.fraction},
    )


def _territory(rules: Rules) -> Iterator[Exhibit]:
    """Yield the totals of a character without skills, with and without the defence bonus of a territory."""
    if rules.redraws.times:
        return
    without, having = (
        {
            f"a total of {total}": Fraction(ways, drawn.lattice.total)
            for drawn in (totals(character_bonuses(Character(), rules, defense_bonus=bonus), rules),)
            for total, ways in drawn.items()
        }
        for bonus in (NOTHING, rules.territory_bonus)
    )
    yield Effect(
        about="the defence bonus of a territory", where="territory_bonus", without=without, having=having
    )


def make_outcome(about: str, where: str, chances: Mapping[str, Fraction]) -> Outcome:
    """Return the least and the greatest chance of an event, and for whom."""
    least_for, most_for = (end(chances, key=lambda who: chances[who]) for end in (min, max))
    return Outcome(
        about=about,
        where=where,
        least=chances[least_for],
        most=chances[most_for],
        least_for=least_for,
        most_for=most_for,
    )


def _words(name: str) -> str:
    return name.replace("_", " ")


RUN_EXHIBITS: Final = (
    ExhibitGroup("what a run offers", _tasks),
    ExhibitGroup("contests with NPCs", _contests),
    ExhibitGroup("gang wars with NPCs", _wars),
    ExhibitGroup("rewards of a run", _rewards),
    ExhibitGroup("the defence of a territory", _territory),
)
