"""Values of abilities: the chance that the next check goes well without an ability, and with its best use (§7.4)."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final, NamedTuple, Protocol

import msgspec

from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.fate.card_chances import CardChances
from oddsmith.games.fate.draws import cards_before_shuffle, is_countable
from oddsmith.games.fate.effects import Ability, draws_cards
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.rule_types import NO_TARGET, Target
from oddsmith.games.fate.rules import DEFAULT, Rules
from oddsmith.games.fate.talent_chances import TalentChances
from oddsmith.games.fate.talent_odds import TalentCheck
from oddsmith.games.fate.triggers import Trigger

__all__ = ["AbilityValue", "ability_values", "uncounted_abilities"]

ABILITIES: Final = tuple(Ability)


class AbilityValue(msgspec.Struct, frozen=True, kw_only=True):
    """Abilities used together on `count` cards, and the chance that the check goes well without and with them.

    It is an estimate unless `is_exact`: where a seat no longer follows every order (§7.7).
    """

    abilities: tuple[Ability, ...]
    count: int
    before: Fraction
    after: Fraction
    is_exact: bool = True

    @property
    def gain(self) -> Fraction:
        """The difference that they make to the chance."""
        return self.after - self.before


def ability_values(
    memory: Memory,
    rules: Rules = DEFAULT,
    *,
    count: int | None = None,
    modifier: int = 0,
    target: Target = NO_TARGET,
    trigger: Trigger | None = None,
    talents: Sequence[str] = (),
    using: Collection[Ability] = ABILITIES,
) -> list[AbilityValue]:
    """Return the values of all abilities for the next check, the greatest gain first.

    A check goes well when it reaches its target and its trigger fires, as far as it has them; the `talents` of its
    player are counted. Each ability is used optimally: cards peeked at are put into the best order, a top card peeked at
    goes to the bottom where that is better, an extra card is drawn where it helps, and the best cards are kept with it,
    and a check is redrawn where that is better. Abilities that the rules do not give, those not in `using`, and those of
    `uncounted_abilities` are left out. Raise `InputError` without a target and a trigger, and `WorkLimitError` where
    talents draw in too many ways.

    >>> from oddsmith.games.fate.odds import fresh_memory
    >>> best = ability_values(fresh_memory(), target=4)[0]
    >>> best.abilities, best.count, best.gain
    ((<Ability.PEEK: 'peek'>, <Ability.REORDER: 'reorder'>), 3, Fraction(359, 1224))
    """
    if target == NO_TARGET and trigger is None:
        raise InputError(
            "nothing_wanted", "an ability is worth something against a target or a trigger: give one"
        )
    drawn = rules.on_turn if count is None else count
    triggers = () if trigger is None else (trigger,)
    check = TalentCheck(rules, talents=talents, modifier=modifier, target=target, triggers=triggers)
    draws_more = any(draws_cards(rules.talents[name].effect) for name in talents)
    chances = TalentChances(memory, drawn, check) if draws_more else CardChances(memory, drawn, check)
    before = chances.without()
    found = [
        AbilityValue(
            abilities=use.abilities,
            count=use.size,
            before=before,
            after=after,
            is_exact=memory.is_exact and chances.is_exact,
        )
        for use in _uses(memory, rules, drawn, using)
        if (after := _count_use(use, memory, chances)) is not None
    ]
    return sorted(found, key=lambda value: -value.gain)


def uncounted_abilities(
    memory: Memory,
    rules: Rules = DEFAULT,
    *,
    count: int | None = None,
    counted: Iterable[AbilityValue] | None = None,
) -> list[tuple[tuple[Ability, ...], int]]:
    """Return the abilities, each with its number of cards, that have too many ways to count.

    With the values that were `counted`, these are all others; without them, talents are not considered.

    >>> from oddsmith.games.fate.odds import fresh_memory
    >>> uncounted_abilities(fresh_memory(), count=3)
    [((<Ability.REDRAW: 'redraw'>,), 3)]
    """
    drawn = rules.on_turn if count is None else count
    uses = list(_uses(memory, rules, drawn, ABILITIES))
    if counted is not None:
        values = {(one.abilities, one.count) for one in counted}
        return [(use.abilities, use.size) for use in uses if (use.abilities, use.size) not in values]
    return [
        (use.abilities, use.size) for use in uses if not is_countable(memory, use.cards, ordered=use.ordered)
    ]


class UseChances(Protocol):
    """The chance that the next check goes well without an ability, and with the best use of each."""

    @property
    def is_exact(self) -> bool:
        """Whether all chances so far are exact, as far as the memory of the seat is."""
        ...

    def without(self) -> Fraction:
        """Return the chance without any ability."""
        ...

    def with_reorder(self, peeked: int) -> Fraction:
        """Return the chance when the top `peeked` cards are seen and put into the best order."""
        ...

    def with_bottom(self) -> Fraction:
        """Return the chance when the top card is seen and moved to the bottom where that is better."""
        ...

    def with_extra(self) -> Fraction:
        """Return the chance with an extra card, of which the best are kept."""
        ...

    def with_redraw(self) -> Fraction:
        """Return the chance when a check that goes badly is drawn again, with its cards set aside."""
        ...

    def with_reshuffle(self) -> Fraction:
        """Return the chance after a reshuffle."""
        ...


class _Use(NamedTuple):
    """Abilities used together on `size` cards; their chance enumerates `cards` cards, in order or as hands."""

    abilities: tuple[Ability, ...]
    size: int
    cards: int
    ordered: bool


def _uses(memory: Memory, rules: Rules, drawn: int, using: Collection[Ability]) -> Iterator[_Use]:
    """Yield the uses of some abilities that the rules and the deck allow."""
    allowed = _allowed_abilities(rules) & set(using)
    size, lying = len(memory.deck), len(memory.deck) + len(memory.discard)
    first = cards_before_shuffle(memory, drawn)
    if {Ability.PEEK, Ability.REORDER} <= allowed:
        for peeked in range(max(first, 1), min(rules.most_peeked, size) + 1):
            yield _Use((Ability.PEEK, Ability.REORDER), peeked, peeked, ordered=False)
    if {Ability.PEEK, Ability.TO_BOTTOM} <= allowed:
        yield _Use((Ability.PEEK, Ability.TO_BOTTOM), 1, first + 1, ordered=True)
    if Ability.EXTRA in allowed and drawn + 1 < lying:
        yield _Use((Ability.EXTRA,), 1, drawn + 1, ordered=False)
    if Ability.REDRAW in allowed and 2 * drawn < lying:
        yield _Use((Ability.REDRAW,), drawn, 2 * drawn, ordered=True)
    if Ability.RESHUFFLE in allowed:
        yield _Use((Ability.RESHUFFLE,), lying, drawn, ordered=False)


def _count_use(use: _Use, memory: Memory, chances: UseChances) -> Fraction | None:
    """Return the chance with the best use of abilities; None where it cannot be counted."""
    if not is_countable(memory, use.cards, ordered=use.ordered):
        return None
    try:
        return _chance_of(use, chances)
    except (InputError, WorkLimitError):
        return None


def _chance_of(use: _Use, chances: UseChances) -> Fraction:
    match use.abilities:
        case (Ability.PEEK, Ability.REORDER):
            return chances.with_reorder(use.size)
        case (Ability.PEEK, Ability.TO_BOTTOM):
            return chances.with_bottom()
        case (Ability.EXTRA,):
            return chances.with_extra()
        case (Ability.REDRAW,):
            return chances.with_redraw()
        case _:
            return chances.with_reshuffle()


def _allowed_abilities(rules: Rules) -> set[Ability]:
    """Return the abilities that players have by these rules (§5.9)."""
    in_checks = {Ability.EXTRA: rules.extras_per_check, Ability.REDRAW: rules.redraws_per_check}
    return {ability for ability in Ability if min(rules.uses(ability), in_checks.get(ability, 1))}
