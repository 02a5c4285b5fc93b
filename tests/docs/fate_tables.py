"""Computes the tables of the page about the design of the Fate Deck from the game's rules, exactly."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Final

import msgspec

from oddsmith.games.fate import DEFAULT, Ability, CardKind, CardSuit, Combine, Memory, Rules
from oddsmith.games.fate.odds import CheckOdds, check_odds, checks_to_reshuffle, fresh_memory, known_memory
from oddsmith.games.fate.rule_types import NO_TARGET
from oddsmith.games.fate.triggers import read_trigger
from oddsmith.games.fate.values import AbilityValue, ability_values
from tests.docs.exact_tables import format_gain, format_share, make_table

BEST: Final = Rules.preset("best")
WORST: Final = Rules.preset("worst")
ON_TURN: Final = DEFAULT.on_turn
OFF_TURN: Final = DEFAULT.off_turn
TARGETS: Final = range(1, 9)
MODIFIERS: Final = range(-1, 4)
TRIGGERS: Final = (
    "single(spade)",
    "single(spade, heart)",
    "single(spade, heart, club)",
    "single(any)",
    "both(spade)",
    "both(red)",
    "both(any)",
    "pair(spade, heart)",
    "pair(red, black)",
    "pair(spade, any)",
    "at_least(1, spade)",
    "at_least(1, red)",
    "at_least(1, any)",
    "none(spade)",
    "none(red)",
    "none(any)",
    "highest == 3",
    "lowest >= 2",
    "single(spade) or both(red)",
)
ZEROS: Final = ("J♠", "J♥", "J♣", "J♦", "RJ")
ACES: Final = ("A♠", "A♥", "A♣", "A♦")
TWOS: Final = ("2♠", "2♥", "2♣", "2♦")
THREES: Final = ("3♠", "3♥", "3♣", "3♦", "BJ")
SEEN: Final[Mapping[str, Sequence[str]]] = {
    "nothing": (),
    "the five 0s": ZEROS,
    "the five 3s": THREES,
    "one of each value": ("J♠", "A♥", "2♣", "3♦"),
    "the eight 1s and 2s": (*ACES, *TWOS),
    "all 0s and 1s": (*ZEROS, *ACES),
    "all 2s and 3s": (*TWOS, *THREES),
    "the red joker": ("RJ",),
    "the four spades": ("A♠", "2♠", "3♠", "J♠"),
    "the eight red cards": tuple(rank + suit for rank in "A23J" for suit in "♥♦"),
}
USES: Final = (
    "peek at 2, reorder",
    "peek at 3, reorder",
    "peek at 1, to the bottom",
    "extra card",
    "redraw",
)
SIZES: Final = (18, 14, 10, 6, 4, 2)
SHARES: Final = tuple(Fraction(quarters, 4) for quarters in range(4, -1, -1))


@cache
def fresh_odds(rules: Rules, count: int, triggers: tuple[str, ...] = ()) -> CheckOdds:
    """Return the odds of a check from a fresh deck."""
    return check_odds(fresh_memory(rules), rules, count=count, triggers=triggers)


@cache
def _memory_after(seen: Sequence[str]) -> Memory:
    return known_memory(seen=seen)


def _format_cases(exact: Fraction, total: int) -> str:
    """Write a probability as a number of `total` cases."""
    return f"{exact * total} ({format_share(exact)} %)" if exact else "–"


def _count_pairs(rules: Rules = DEFAULT) -> int:
    return comb(len(rules.deck), ON_TURN)


# --- totals ----------------------------------------------------------------------------------------------------------


def _totals() -> str:
    columns = ((DEFAULT, OFF_TURN), (DEFAULT, ON_TURN), (BEST, ON_TURN), (WORST, ON_TURN))
    made = [(fresh_odds(rules, count).totals, comb(len(rules.deck), count)) for rules, count in columns]
    rows = [
        [str(total), *(_format_cases(odds.probability(total), cases) for odds, cases in made)]
        for total in range(7)
    ]
    rows.append(["**mean**", *(f"{float(odds.mean):.2f}" for odds, _ in made)])
    heads = ("value", "one card of 18", "two cards of 153 pairs, sum", "the best of two", "the worst of two")
    return make_table(heads, rows)


def _targets() -> str:
    heads = [
        "target",
        *(f"two cards, {_format_signed(modifier)}" for modifier in MODIFIERS),
        *(f"one card, {_format_signed(modifier)}" for modifier in MODIFIERS),
    ]
    rows = (
        [
            str(target),
            *(
                format_share(fresh_odds(DEFAULT, count).at_least(target - modifier))
                for count in (ON_TURN, OFF_TURN)
                for modifier in MODIFIERS
            ),
        ]
        for target in TARGETS
    )
    return make_table(heads, rows)


def _format_signed(modifier: int) -> str:
    return f"{modifier:+}".replace("-", "−") if modifier else "0"


def _presets() -> str:
    columns = ((DEFAULT, OFF_TURN), (DEFAULT, ON_TURN), (BEST, ON_TURN), (WORST, ON_TURN))
    rows = (
        [str(target), *(format_share(fresh_odds(rules, count).at_least(target)) for rules, count in columns)]
        for target in range(1, 7)
    )
    return make_table(("the cards must make", "one card", "the sum of two", "the best", "the worst"), rows)


def _checks() -> str:
    rows = [_check_row(name) for name in DEFAULT.checks]
    heads = ("check", "on turn", "its trigger", "both", "off turn", "its trigger", "both")
    return make_table(heads, rows)


def _check_row(name: str) -> list[str]:
    kind = DEFAULT.checks[name]
    target = "" if kind.target == NO_TARGET else f", {kind.target}"
    row = [f"{name}{target}{f', `{kind.trigger}`' if kind.trigger else ''}"]
    for count in (ON_TURN, OFF_TURN):
        odds = fresh_odds(DEFAULT, count, (kind.trigger,) if kind.trigger else ())
        reached = Fraction(1) if kind.target == NO_TARGET else odds.at_least(kind.target)
        row.append("" if kind.target == NO_TARGET else format_share(reached))
        together = odds.both(kind.target, 0) if kind.trigger and kind.target != NO_TARGET else None
        row += ["", ""] if together is None else [format_share(odds.fires(0)), format_share(together)]
    return row


# --- triggers --------------------------------------------------------------------------------------------------------


def _deck_without_wild_card() -> Rules:
    """Return the deck with a red joker that has no suit."""
    tamed = tuple(
        msgspec.structs.replace(kind, suit=CardSuit.NONE) if kind.suit is CardSuit.WILD else kind
        for kind in DEFAULT.cards
    )
    return DEFAULT.replace(cards=tamed)


def _triggers() -> str:
    one, two, tame = (
        fresh_odds(rules, count, TRIGGERS)
        for rules, count in ((DEFAULT, OFF_TURN), (DEFAULT, ON_TURN), (_deck_without_wild_card(), ON_TURN))
    )
    rows = (
        [
            f"`{text}`",
            _format_cases(one.fires(number), len(DEFAULT.deck)),
            _format_cases(two.fires(number), _count_pairs()),
            _format_cases(tame.fires(number), _count_pairs()),
        ]
        for number, text in enumerate(TRIGGERS)
    )
    heads = ("trigger", "one card of 18", "two cards of 153 pairs", "two, were the joker not wild")
    return make_table(heads, rows)


def _joint() -> str:
    odds = fresh_odds(DEFAULT, ON_TURN, TRIGGERS)
    targets = range(2, 7)
    rows = [
        ["**no trigger**", *(_format_cases(odds.at_least(target), _count_pairs()) for target in targets)],
        *(
            [f"`{text}`", *(_format_cases(odds.both(target, number), _count_pairs()) for target in targets)]
            for number, text in enumerate(TRIGGERS)
        ),
    ]
    return make_table(("trigger", *(f"and {target} or more" for target in targets)), rows)


# --- counting cards --------------------------------------------------------------------------------------------------


def _counting() -> str:
    heads = (
        "seen and gone",
        "left",
        "mean card",
        "one card, 2",
        "one card, 3",
        "two cards, 3",
        "two cards, 4",
        "two cards, 5",
        "`single(spade)`",
        "`both(red)`",
    )
    return make_table(heads, (_counting_row(words, seen) for words, seen in SEEN.items()))


def _counting_row(words: str, seen: Sequence[str]) -> list[str]:
    memory = _memory_after(seen)
    one = check_odds(memory, count=OFF_TURN)
    two = check_odds(memory, count=ON_TURN, triggers=("single(spade)", "both(red)"))
    return [
        words,
        str(len(memory.deck)),
        f"{float(one.totals.mean):.2f}",
        *(format_share(one.at_least(target)) for target in (2, 3)),
        *(format_share(two.at_least(target)) for target in (3, 4, 5)),
        format_share(two.fires(0)),
        format_share(two.fires(1)),
    ]


def _streaks() -> str:
    targets = (3, 4, 5)
    rows = (
        [str(total), *(format_share(_next_chance(total, target)) for target in targets)] for total in range(7)
    )
    return make_table(
        ("the first check made", *(f"the next makes {target} or more" for target in targets)), rows
    )


def _next_chance(total: int, target: int) -> Fraction:
    """Return the mean chance of a check after one with this total, over all pairs."""
    chances = [
        chance_after(_count_by_value(pair), target)
        for pair in combinations(DEFAULT.deck, ON_TURN)
        if sum(DEFAULT.faces[card].value for card in pair) == total
    ]
    return sum(chances, Fraction(0)) / len(chances)


def _count_by_value(cards: Iterable[str]) -> tuple[int, ...]:
    values = [DEFAULT.faces[card].value for card in cards]
    return tuple(values.count(value) for value in range(4))


@cache
def chance_after(gone: tuple[int, ...], target: int) -> Fraction:
    """Return the chance of a check after `gone` cards of each value were seen."""
    seen = [
        card for cards, count in zip((ZEROS, ACES, TWOS, THREES), gone, strict=True) for card in cards[:count]
    ]
    return check_odds(_memory_after(tuple(seen))).at_least(target)


def _swings() -> str:
    heads = (
        "cards seen",
        "left",
        "at the worst",
        "one in ten at most",
        "half at most",
        "nine in ten at most",
        "at the best",
        "mean",
    )
    return make_table(heads, (_swing_row(seen) for seen in (2, 4, 6, 8, 10, 12, 14)))


def _swing_row(seen: int) -> list[str]:
    """Write the distribution of the chance of 4 or more after `seen` cards."""
    ways: dict[Fraction, int] = {}
    for gone in _seen_counts(seen):
        chance = chance_after(gone, 4)
        ways[chance] = ways.get(chance, 0) + _count_ways(gone)
    chances = sorted(ways)
    total = sum(ways.values())
    mean = sum((chance * ways[chance] for chance in chances), Fraction(0)) / total
    tenths = (_quantile(ways, Fraction(tenth, 10)) for tenth in (1, 5, 9))
    levels = (chances[0], *tenths, chances[-1], mean)
    return [str(seen), str(len(DEFAULT.deck) - seen), *map(format_share, levels)]


def _seen_counts(seen: int) -> Iterable[tuple[int, ...]]:
    """Yield the possible numbers of seen cards of each value."""
    for zeros in range(len(ZEROS) + 1):
        for aces in range(len(ACES) + 1):
            for twos in range(len(TWOS) + 1):
                threes = seen - zeros - aces - twos
                if 0 <= threes <= len(THREES):
                    yield zeros, aces, twos, threes


def _count_ways(gone: tuple[int, ...]) -> int:
    ways = 1
    for cards, count in zip((ZEROS, ACES, TWOS, THREES), gone, strict=True):
        ways *= comb(len(cards), count)
    return ways


def _quantile(ways: Mapping[Fraction, int], level: Fraction) -> Fraction:
    """Return the least chance that this share of all cases does not exceed."""
    reached, needed = 0, level * sum(ways.values())
    for chance in sorted(ways):
        reached += ways[chance]
        if reached >= needed:
            return chance
    raise AssertionError


# --- abilities -------------------------------------------------------------------------------------------------------


@cache
def merged_deck(*, by_suit: bool, combine: Combine = Combine.SUM) -> Rules:
    """Return the deck with equivalent cards as copies of one, so that there are fewer different draws.

    Cards of one value are equivalent for a target, cards of one suit for a trigger about suits.
    """
    kinds: dict[object, CardKind] = {}
    for kind in DEFAULT.cards:
        key = kind.suit if by_suit else kind.value
        copies = 1 if key not in kinds else kinds[key].copies + 1
        kinds[key] = CardKind(name=f"{key}", value=kind.value, suit=kind.suit, copies=copies)
    return DEFAULT.replace(cards=tuple(kinds.values()), combine=combine)


def target_values(
    target: int, *, count: int = ON_TURN, combine: Combine = Combine.SUM
) -> Mapping[str, AbilityValue]:
    """Return the value of each ability for a target from a fresh deck."""
    rules = merged_deck(by_suit=False, combine=combine)
    return _values_by_name(ability_values(fresh_memory(rules), rules, count=count, target=target))


def trigger_values(text: str) -> Mapping[str, AbilityValue]:
    """Return the value of each ability for a trigger about suits, from a fresh deck."""
    rules = merged_deck(by_suit=True)
    return _values_by_name(ability_values(fresh_memory(rules), rules, trigger=read_trigger(text)))


def _values_by_name(values: Iterable[AbilityValue]) -> Mapping[str, AbilityValue]:
    return {_ability_name(value): value for value in values if Ability.RESHUFFLE not in value.abilities}


def _ability_name(value: AbilityValue) -> str:
    match value.abilities:
        case (Ability.PEEK, Ability.REORDER):
            return f"peek at {value.count}, reorder"
        case (Ability.PEEK, Ability.TO_BOTTOM):
            return "peek at 1, to the bottom"
        case (Ability.EXTRA,):
            return "extra card"
    return " ".join(value.abilities)


def _ability_table(columns: Mapping[str, Mapping[str, AbilityValue]]) -> str:
    rows = [
        ["**without**", *(format_share(next(iter(values.values())).before) for values in columns.values())]
    ]
    rows.extend(
        [use, *(format_gain(values[use].gain) if use in values else "" for values in columns.values())]
        for use in USES
    )
    return make_table(("ability", *columns), rows)


def _abilities() -> str:
    return _ability_table(
        {f"two cards, {target}": target_values(target) for target in range(2, 7)}
        | {f"one card, {target}": target_values(target, count=OFF_TURN) for target in range(1, 4)}
    )


def _ability_presets() -> str:
    return _ability_table(
        {
            f"{combine} of two, {target}": target_values(target, combine=combine)
            for combine in (Combine.BEST, Combine.WORST)
            for target in range(1, 4)
        }
    )


def _ability_triggers() -> str:
    wanted = ("single(spade)", "single(spade, heart)", "both(red)", "pair(spade, heart)", "both(spade)")
    return _ability_table({f"`{text}`": trigger_values(text) for text in wanted})


# --- the reshuffle ---------------------------------------------------------------------------------------------------


def _to_reshuffle() -> str:
    rows = (
        [f"{format_share(part)} %", *(f"{float(checks_to_reshuffle(size, part)):.2f}" for size in SIZES)]
        for part in SHARES
    )
    return make_table(("checks on turn", *(f"{size} cards" for size in SIZES)), rows)


TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "totals": _totals,
    "targets": _targets,
    "presets": _presets,
    "checks": _checks,
    "triggers": _triggers,
    "joint": _joint,
    "counting": _counting,
    "streaks": _streaks,
    "swings": _swings,
    "abilities": _abilities,
    "ability-presets": _ability_presets,
    "ability-triggers": _ability_triggers,
    "to-reshuffle": _to_reshuffle,
}
