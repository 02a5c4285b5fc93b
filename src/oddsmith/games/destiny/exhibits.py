"""Exhibits of the Destiny Deck for the checks of a design: hands, checks, crimes, things; the others are added at the end."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

import msgspec
import numpy as np

from oddsmith.cards import STANDARD_DECK, Card, Rank, Suit, write_cards
from oddsmith.exhibit import (
    Effect,
    Example,
    Exhibit,
    ExhibitGroup,
    Ladder,
    Offer,
    Offers,
    Payoff,
    Payoffs,
    PrintedTable,
    Rung,
    Sets,
    TableRow,
)
from oddsmith.figure import Reading
from oddsmith.games.destiny import odds
from oddsmith.games.destiny.classes import hand_classes
from oddsmith.games.destiny.decks import deck_cards, makes_five_of_a_kind
from oddsmith.games.destiny.extreme_characters import (
    characters_by_level,
    strongest_characters,
    weakest_characters,
)
from oddsmith.games.destiny.match_exhibits import MATCH_EXHIBITS
from oddsmith.games.destiny.model import Degree
from oddsmith.games.destiny.pairings import many_checks
from oddsmith.games.destiny.ranks import BY_STRENGTH, STANDARD_RANKS, HandRank, classify
from oddsmith.games.destiny.rules import Buff, Character, Crime, Curve, Rules
from oddsmith.games.destiny.run_exhibits import RUN_EXHIBITS, make_outcome
from oddsmith.games.destiny.scoring import Bonuses, character_bonuses, npc, reward, score_with, skill_bonus
from oddsmith.points import Points
from oddsmith.poker import FULL_HAND

UNSKILLED: Final = Character()
HUNDREDTH: Final = Fraction(1, 100)
SOME_DEFENSE: Final = Points(15)
"""A defence bonus that should have an effect."""


def _ladder(rules: Rules) -> Iterator[Exhibit]:
    """Yield the ranks with their chances and base scores for a character without skills."""
    drawn, unskilled = odds.hand_odds(rules), character_bonuses(UNSKILLED, rules)
    by_rank: dict[HandRank, list[Example]] = {rank: [] for rank in BY_STRENGTH}
    for hand in [*_hands_of_deck(_hand_of_each_score(), rules), *_five_aces(rules)]:
        scored = score_with(hand, unskilled, rules)
        by_rank[scored.rank].append(Example(text=_format_hand(hand), worth=scored.base.fraction))
    yield Ladder(
        about="hands without skills",
        where="hand_scores",
        rungs=tuple(
            Rung(
                name=rank.words,
                where=_where(rank),
                chance=Fraction(drawn.weight(rank), drawn.total),
                worst=min(examples, key=_example_value),
                best=max(examples, key=_example_value),
            )
            for rank, examples in by_rank.items()
            if examples
        ),
    )


def _where(rank: HandRank) -> str:
    """Return the key of the score of a rank."""
    return "deck.five_of_a_kind" if rank is HandRank.FIVE_OF_A_KIND else f"hand_scores.{rank}"


def _five_aces(rules: Rules) -> list[tuple[Card, ...]]:
    """Return a five of a kind, where some hand is one: aces, then jokers."""
    if not makes_five_of_a_kind(rules.deck):
        return []
    cards = deck_cards(rules.deck)
    aces = [held for held in cards if held.rank is Rank.ACE] + [held for held in cards if held.suit is None]
    return [tuple(aces[:FULL_HAND])]


def _hands_of_deck(hands: Sequence[tuple[Card, ...]], rules: Rules) -> list[tuple[Card, ...]]:
    """Return the hands that the deck has."""
    return [hand for hand in hands if min(held.number for held in hand) >= rules.deck.lowest_rank]


def _sets(rules: Rules) -> Iterator[Exhibit]:
    """Yield the best and the worst matched set of each rank, each with the best other cards."""
    unskilled = character_bonuses(UNSKILLED, rules)
    for rank, every in _hands_by_set().items():
        sets = {matched: held for matched, hands in every.items() if (held := _hands_of_deck(hands, rules))}
        if not sets:
            continue
        best, worst = (
            max((_score_example(hand, unskilled, rules) for hand in sets[end(sets)]), key=_example_value)
            for end in (max, min)
        )
        yield Sets(
            about=f"{rank.words} without skills",
            where=f"hand_scores.{rank}",
            category=rank.words,
            better=best,
            worse=worst,
        )


def _skill_table(rules: Rules) -> Iterator[Exhibit]:
    formula = rules.replace(curve=Curve.FORMULA)
    yield PrintedTable(
        about="the printed skill table",
        where="curve_table",
        rows=tuple(
            TableRow(
                at=Fraction(level),
                printed=printed.fraction,
                computed=skill_bonus(level, formula).fraction if level <= rules.max_level else None,
            )
            for level, printed in rules.curve_table
        ),
        digit=HUNDREDTH,
        formula=(
            f"(level − 1) × {rules.curve_linear} + (level − 1)^{rules.curve_exponent} × {rules.curve_coefficient}"
        ),
        in_force=rules.curve is Curve.TABLE,
    )


def _degrees(rules: Rules) -> Iterator[Exhibit]:
    """Yield the least and the greatest chance of every degree of every check, over weak, named and strong characters."""
    if rules.redraws.times:
        return
    people = {
        **{f"the weakest character: {words}": bonuses for words, bonuses in weakest_characters(rules)},
        **_people(rules),
        **dict(characters_by_level(rules)),
    }
    targets = {f"crimes.{name}.threshold": (name, crime.threshold) for name, crime in rules.crimes.items()}
    targets |= {f"skill_checks.{name}": (name, threshold) for name, threshold in rules.skill_checks.items()}
    for where, (name, threshold) in targets.items():
        met = many_checks([(bonuses, threshold) for bonuses in people.values()], rules)
        shares = {
            degree: {
                who: Fraction(int(row[place]), int(row.sum())) for who, row in zip(people, met, strict=True)
            }
            for place, degree in enumerate(Degree)
        }
        yield make_outcome(
            f"{_words(name)}, met",
            where,
            {who: shares[Degree.SUCCESS][who] + shares[Degree.CRITICAL_SUCCESS][who] for who in people},
        )
        for degree, chances in shares.items():
            yield make_outcome(f"{_words(name)}, {degree.words}", where, chances)


def _people(rules: Rules) -> dict[str, Bonuses]:
    """Return the bonuses of the strongest characters, of all outlaws and of all NPCs, by description."""
    return {
        **{f"the strongest character: {words}": bonuses for words, bonuses in strongest_characters(rules)},
        **{_words(name): character_bonuses(outlaw, rules) for name, outlaw in rules.outlaws.items()},
        **{f"NPC {_words(name)}": character_bonuses(npc(name, rules), rules) for name in rules.npcs},
    }


def _effects(rules: Rules) -> Iterator[Exhibit]:
    """Yield the totals of a character without skills, with and without each item, place, buff and defence bonus."""
    if rules.redraws.times:
        return
    changed = {
        **{f"items.{name}": Character(items=(name,)) for name in rules.items},
        **{f"locations.{name}": Character(location=name) for name in rules.locations},
        **{f"buffs.{name}": Character(buffs={name: 0}) for name in rules.buffs},
    }
    without = _chances(character_bonuses(UNSKILLED, rules), rules)
    for where, character in changed.items():
        yield Effect(
            about=where.partition(".")[2].replace("_", " "),
            where=where,
            without=without,
            having=_chances(character_bonuses(character, rules), rules),
        )
    yield Effect(
        about=f"a defence bonus of {SOME_DEFENSE}",
        where="territory_defense_multiplier",
        without=without,
        having=_chances(character_bonuses(UNSKILLED, rules, defense_bonus=SOME_DEFENSE), rules),
    )


def _chances(bonuses: Bonuses, rules: Rules) -> dict[str, Fraction]:
    drawn = odds.totals(bonuses, rules)
    return {f"a total of {total}": Fraction(ways, drawn.lattice.total) for total, ways in drawn.items()}


def _rewards(rules: Rules) -> Iterator[Exhibit]:
    """Yield the rewards of each degree of each crime."""
    keys = {
        Degree.CRITICAL_SUCCESS: "critical_success_factor",
        Degree.SUCCESS: "success_factor",
        Degree.FAILURE: "failure_penalty",
        Degree.CRITICAL_FAILURE: "critical_failure_penalty",
    }
    for name, crime in rules.crimes.items():
        yield Payoffs(
            about=_words(name),
            where=f"crimes.{name}",
            payoffs=tuple(
                Payoff(
                    name=degree.words, where=keys[degree], standing=standing, pays=_pays(crime, degree, rules)
                )
                for standing, degree in enumerate(reversed(Degree))
            ),
        )


def _pays(crime: Crime, degree: Degree, rules: Rules) -> dict[str, Fraction]:
    earned = reward(crime, degree, rules)
    return {"gold": earned.gold.fraction, "experience": earned.experience.fraction}


def _crimes(rules: Rules) -> Iterator[Exhibit]:
    """Yield the crimes as offers: the price is energy, the value is the mean gold of each character."""
    if rules.redraws.times:
        return
    people = _people(rules)
    yield Offers(
        about="crimes, for their energy",
        where="crimes",
        offers=tuple(
            Offer(
                name=_words(name),
                where=f"crimes.{name}",
                price=Fraction(crime.energy),
                worths={who: Reading(gold) for who, gold in _gold(crime, people, rules).items()},
            )
            for name, crime in rules.crimes.items()
        ),
        nothing={who: Reading() for who in people},
    )


def _gold(crime: Crime, people: dict[str, Bonuses], rules: Rules) -> dict[str, Fraction]:
    """Return the mean gold of an attempt by character."""
    met = many_checks([(bonuses, crime.threshold) for bonuses in people.values()], rules)
    pays = [reward(crime, degree, rules).gold.fraction for degree in Degree]
    return {
        who: sum((pay * count for pay, count in zip(pays, row, strict=True)), Fraction(0)) / sum(row)
        for who, row in zip(people, met.tolist(), strict=True)
    }


def _sales(rules: Rules) -> Iterator[Exhibit]:
    """Yield the buffs that a run sells as offers: the value is the mean gold of the best crime, less the price per crime."""
    if not rules.run.prices or not rules.crimes or rules.redraws.times:
        return
    yield Offers(
        about="what a run sells, by the gold of each crime while it lasts, its price paid",
        where="run.prices",
        offers=tuple(
            Offer(
                name=_words(name),
                where=f"run.prices.{name}",
                price=price.fraction,
                worths={
                    who: Reading(gold - price.fraction / _crimes_during(rules.buffs[name], rules))
                    for who, gold in _best_gold(rules, buffs={name: 0}).items()
                },
            )
            for name, price in rules.run.prices.items()
        ),
        nothing={who: Reading(gold) for who, gold in _best_gold(rules).items()},
    )


def _crimes_during(buff: Buff, rules: Rules) -> int:
    """Return the number of crimes that can be attempted while a buff works."""
    return -(-buff.duration // rules.run.crime_time)


def _best_gold(rules: Rules, **under: Mapping[str, int]) -> dict[str, Fraction]:
    """Return the mean gold of the best crime by outlaw, at least 0."""
    people = {
        _words(name): character_bonuses(msgspec.structs.replace(outlaw, **under), rules)
        for name, outlaw in rules.outlaws.items()
    }
    by_crime = [_gold(crime, people, rules) for crime in rules.crimes.values()]
    return {who: max(Fraction(0), *(gold[who] for gold in by_crime)) for who in people}


def _words(name: str) -> str:
    return name.replace("_", " ")


@cache
def _hand_of_each_score() -> tuple[tuple[Card, ...], ...]:
    """Return one hand for each rank and each value that its cards can add."""
    table = hand_classes()
    _, first = np.unique(np.stack((table.rank, table.extra), axis=1), axis=0, return_index=True)
    return tuple(tuple(STANDARD_DECK[index] for index in table.example[place].tolist()) for place in first)


@cache
def _hands_by_set() -> dict[HandRank, dict[tuple[int, ...], list[tuple[Card, ...]]]]:
    """Return hands by rank and matched numbers (larger set first), one for every choice of the other numbers."""
    found: dict[HandRank, dict[tuple[int, ...], list[tuple[Card, ...]]]] = {}
    deck = {(held.rank, held.suit): held for held in STANDARD_DECK}
    suits = tuple(Suit)
    for ranks in combinations_with_replacement(sorted({held.rank for held in STANDARD_DECK}), FULL_HAND):
        copies = [ranks[:place].count(rank) for place, rank in enumerate(ranks)]
        if not any(copies) or max(copies) == len(suits):
            continue
        hand = tuple(deck[rank, suits[copy]] for rank, copy in zip(ranks, copies, strict=True))
        made = classify(hand)
        numbers = [held.number for held in made.matched]
        matched = tuple(sorted(numbers, key=lambda number: (-numbers.count(number), -number)))
        found.setdefault(made.rank, {}).setdefault(matched, []).append(hand)
    return {rank: found[rank] for rank in STANDARD_RANKS if rank in found}


def _score_example(hand: tuple[Card, ...], bonuses: Bonuses, rules: Rules) -> Example:
    return Example(text=_format_hand(hand), worth=score_with(hand, bonuses, rules).base.fraction)


def _format_hand(hand: tuple[Card, ...]) -> str:
    """Return a hand as text, its matched cards first."""
    if any(held.suit is None for held in hand):
        return write_cards(hand)
    matched = classify(hand).matched
    return write_cards(sorted(hand, key=lambda held: (held not in matched, -held.number)))


def _example_value(example: Example) -> Fraction:
    return example.worth


EXHIBITS: Final = (
    ExhibitGroup("hands by rank", _ladder),
    ExhibitGroup("matched sets", _sets),
    ExhibitGroup("the skill table", _skill_table),
    ExhibitGroup("checks and their degrees", _degrees),
    ExhibitGroup("things, places and passing effects", _effects),
    ExhibitGroup("rewards", _rewards),
    ExhibitGroup("crimes", _crimes),
    ExhibitGroup("what a run sells", _sales),
    *RUN_EXHIBITS,
    *MATCH_EXHIBITS,
)
