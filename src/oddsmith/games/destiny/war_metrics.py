"""Gang wars of played games: their observations, and their exact chances."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import cycle, islice
from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from oddsmith.errors import InputError
from oddsmith.figure import Reading
from oddsmith.games.destiny.characters import AnyCharacter, character_input, read_bonuses
from oddsmith.games.destiny.draw_metrics import CERTAIN, MOST_CACHED, Hand, draw_observations
from oddsmith.games.destiny.gang_match import defense_bonus as match_defense_bonus
from oddsmith.games.destiny.gang_match import war_outcome
from oddsmith.games.destiny.model import GangState, PendingWar, RunState, Side, WarResolved
from oddsmith.games.destiny.odds import gang_odds, gang_work
from oddsmith.games.destiny.rule_types import Moment
from oddsmith.games.destiny.rules import Rules
from oddsmith.games.destiny.run_wars import defense_bonus, gang_members, least_gang
from oddsmith.games.destiny.scoring import NOTHING, Bonuses, gang_war, npc, score_with
from oddsmith.metric import ExactCell, NullDistribution, Observation, Resolution
from oddsmith.points import Points

Members: TypeAlias = Annotated[tuple[AnyCharacter, ...], Meta(min_length=1, max_length=10)]
Hands: TypeAlias = Annotated[tuple[Hand, ...], Meta(max_length=10)]

MOST_WAR_WORK: Final = 10_000_000
"""The work of a gang war whose chance is counted, about a second."""
MOST_TIERS: Final = 20
"""The most tiers of NPCs over which a mean is taken."""


class WarHeld(Resolution, frozen=True, kw_only=True, tag="war"):
    """A gang war: the members of both sides and who won; with the hands of a side, luck is checked, with all hands the rule, too."""

    attackers: Members
    defenders: Members
    winner: Side
    defense_bonus: Points = NOTHING
    attacker_hands: Hands = ()
    defender_hands: Hands = ()
    at: Moment = 0

    def observations(self, rules: Rules) -> Iterator[Observation]:
        """Yield the war by its sizes, every draw, and whether the rules give the same result.

        The war has an exact chance unless it takes long to count.
        """
        attackers = tuple(read_bonuses(one, rules, self.at) for one in self.attackers)
        defenders = tuple(read_bonuses(one, rules, self.at, self.defense_bonus) for one in self.defenders)
        if not rules.redraws.times:
            yield Observation(
                "war.win_by_size",
                f"{len(attackers)} against {len(defenders)}",
                int(self.winner is Side.ATTACKER),
                _war_distribution(self.attackers, self.defenders, self.defense_bonus, self.at, rules),
            )
        sides = (
            _pair_hands(self.attacker_hands, attackers, "attacker_hands"),
            _pair_hands(self.defender_hands, defenders, "defender_hands"),
        )
        for hand, own in (*sides[0], *sides[1]):
            yield from draw_observations(hand, own, rules)
        if all(sides):
            attack, defense = ([score_with(hand, own, rules) for hand, own in side] for side in sides)
            agrees = gang_war(attack, defense, rules).winner is self.winner
            yield Observation("resolved.as_ruled", "gang wars", int(agrees), CERTAIN)


def _pair_hands(hands: Sequence[Hand], side: Sequence[Bonuses], where: str) -> Sequence[tuple[Hand, Bonuses]]:
    """Return the hands of a side with the bonuses of its members; nothing where no hand is known."""
    if hands and len(hands) != len(side):
        sentence = f"a side has the hands of all its members, or none: {len(side)} members have {len(hands)}"
        raise InputError("hand_count", sentence, where=where)
    return list(zip(hands, side, strict=False))


def war_of_run(before: RunState, resolved: WarResolved, last: Hand) -> WarHeld:
    """Return the gang war that the last hand of a run decided."""
    assert isinstance(before.pending, PendingWar)  # noqa: S101  its last hand decided
    own = tuple(map(character_input, gang_members(before)))
    others = (character_input(npc(resolved.npc, before.rules)),) * len(own)
    hands = (*before.pending.hands, last)
    attacks = resolved.side is Side.ATTACKER
    return WarHeld(
        attackers=own if attacks else others,
        defenders=others if attacks else own,
        winner=resolved.winner,
        defense_bonus=defense_bonus(resolved.side, before.rules),
        attacker_hands=hands[: len(own)],
        defender_hands=hands[len(own) :],
        at=before.clock,
    )


def gang_war_of(state: GangState) -> WarHeld:
    """Return the gang war of a match, whose hands are all drawn."""
    rules = state.rules
    attackers, defenders = (
        tuple(character_input(rules.outlaws[name]) for name in gang) for gang in state.gangs
    )
    return WarHeld(
        attackers=attackers,
        defenders=defenders,
        winner=Side.ATTACKER if 0 in war_outcome(state).outcome.winners else Side.DEFENDER,
        defense_bonus=match_defense_bonus(1, rules),
        attacker_hands=state.hands[: rules.gang_size],
        defender_hands=state.hands[rules.gang_size :],
    )


def exact_wars(rules: Rules) -> Iterator[ExactCell]:
    """Yield the chance of the smallest gang of a run against as many NPCs, the mean over all tiers; nothing where it takes long."""
    size = least_gang(rules)
    gang = tuple(map(character_input, islice(cycle(rules.outlaws.values()), size)))
    found = [
        _war_distribution(gang, (character_input(npc(tier, rules)),) * size, NOTHING, 0, rules)
        for tier in islice(rules.npcs, MOST_TIERS)
    ]
    chances = [one.mean for one in found if one is not None]
    if chances and len(chances) == len(found):
        mean = sum(chances, Fraction(0)) / len(chances)
        yield ExactCell("war.win_by_size", f"{size} against {size}", Reading(mean))


@lru_cache(maxsize=MOST_CACHED)
def _war_distribution(
    attackers: Members, defenders: Members, bonus: Points, at: int, rules: Rules
) -> NullDistribution | None:
    """Return the chance of the attackers; None where it takes long to count."""
    sides = (
        [read_bonuses(one, rules, at) for one in attackers],
        [read_bonuses(one, rules, at, bonus) for one in defenders],
    )
    if gang_work(*sides, rules) > MOST_WAR_WORK:
        return None
    return NullDistribution.of_chance(gang_odds(*sides, rules).chance(Side.ATTACKER))
