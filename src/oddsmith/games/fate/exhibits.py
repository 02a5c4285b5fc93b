"""Exhibits of the Fate Deck for the checks of `lint`; odds are those of a fresh deck."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final, NamedTuple, assert_never

import msgspec

from oddsmith.exhibit import Effect, Exhibit, ExhibitGroup, Outcome, Supply
from oddsmith.games.fate.effects import (
    Ability,
    AddToTotal,
    DrawMore,
    Heal,
    LookAtTop,
    RedrawFailure,
    Regain,
    Strike,
    TalentEffect,
    changes_total,
)
from oddsmith.games.fate.odds import CheckOdds, check_odds, fresh_memory
from oddsmith.games.fate.rule_types import NO_TARGET, CardKind, CardSuit, CheckKind
from oddsmith.games.fate.rules import Rules


class _Draw(NamedTuple):
    """A draw of a player: the number of cards, the modifier, and the talents that may change its total."""

    cards: int
    modifier: int
    talents: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The draw as text: `2 cards, +1 with keen_edge`."""
        cards = f"{self.cards} card{'s' * (self.cards > 1)}"
        modifier = f", {self.modifier:+}" if self.modifier else ""
        return f"{cards}{modifier}{' with ' * bool(self.talents)}{' and '.join(self.talents)}"


# --- the deck --------------------------------------------------------------------------------------------------------


def _deck_exhibits(rules: Rules) -> Iterator[Exhibit]:
    yield Supply(
        about="the deck",
        where="cards",
        size=len(rules.deck),
        draws=tuple(sorted({rules.on_turn, rules.off_turn})),
        reshuffles_at=1,
        or_below=True,
        tested_after="card",
    )


# --- checks ----------------------------------------------------------------------------------------------------------


def _check_exhibits(rules: Rules) -> Iterator[Exhibit]:
    """Yield the chances of each check for all players, talents included: over all draws, on turn and off turn.

    Outcomes on turn alone or off turn alone are marked as expected: a check may be impossible or certain there by design.

    """
    turns = {"on turn": rules.on_turn, "off turn": rules.off_turn}
    for name, kind in rules.checks.items():
        odds = {draw: _odds(draw, kind, rules) for draw in _possible_draws(kind, rules)}
        certain = set()
        for what, chances in _chances_by_part(kind, odds).items():
            yield _outcome(name, what, chances)
            if set(chances.values()) in _CERTAIN_CHANCES:
                certain.add(what)
        for turn, cards in turns.items() if rules.on_turn != rules.off_turn else ():
            some = {draw: one for draw, one in odds.items() if draw.cards == cards}
            for what, chances in _chances_by_part(kind, some).items():
                if what not in certain:
                    yield _outcome(name, what, chances, turn)


_CERTAIN_CHANCES: Final = ({Fraction(0)}, {Fraction(1)})
"""Sets of chances that make a part of a check impossible or certain for all players."""


def _chances_by_part(kind: CheckKind, odds: Mapping[_Draw, CheckOdds]) -> dict[str, dict[_Draw, Fraction]]:
    """Return the chances of a check's target, of its trigger, and of both where each alone is uncertain."""
    chances_by_part: dict[str, dict[_Draw, Fraction]] = {}
    target = kind.target
    if target != NO_TARGET:
        chances_by_part["target"] = {draw: one.at_least(target) for draw, one in odds.items()}
    if kind.trigger:
        chances_by_part["trigger"] = {draw: one.fires(0) for draw, one in odds.items()}
    if (
        target != NO_TARGET
        and kind.trigger
        and all(_is_uncertain(chances) for chances in chances_by_part.values())
    ):
        chances_by_part["target and trigger"] = {draw: one.both(target, 0) for draw, one in odds.items()}
    return chances_by_part


def _is_uncertain(chances: Mapping[_Draw, Fraction]) -> bool:
    """Return whether some draw can succeed and some draw can fail."""
    return max(chances.values()) > 0 and min(chances.values()) < 1


def _possible_draws(kind: CheckKind, rules: Rules) -> list[_Draw]:
    """Return every draw that a player of the rules can make in a check."""
    players = {
        (rules.check_modifier(player, kind), _total_talents(player, rules))
        for player in range(1, rules.most_players + 1)
    }
    return [_Draw(cards, *player) for cards in _draw_sizes(rules) for player in sorted(players)]


def _total_talents(player: int, rules: Rules) -> tuple[str, ...]:
    """Return the talents of a player that may change a total (§4.7)."""
    return tuple(name for name in rules.talents_of(player) if changes_total(rules.talents[name].effect))


def _draw_sizes(rules: Rules) -> list[int]:
    return sorted({rules.on_turn, rules.off_turn})


def _odds(draw: _Draw, kind: CheckKind, rules: Rules) -> CheckOdds:
    triggers = [kind.trigger] * bool(kind.trigger)
    return check_odds(
        fresh_memory(rules),
        rules,
        count=draw.cards,
        modifier=draw.modifier,
        triggers=triggers,
        talents=draw.talents,
        target=kind.target,
    )


def _outcome(name: str, what: str, chances: Mapping[_Draw, Fraction], turn: str = "") -> Outcome:
    worst, best = (end(chances, key=lambda draw: (chances[draw], draw)) for end in (min, max))
    return Outcome(
        about=f"the {what} of {name}{f' {turn}' * bool(turn)}",
        where=f"checks.{name}.{'target' if what == 'target' else 'trigger'}",
        least=chances[worst],
        most=chances[best],
        least_for=worst.words,
        most_for=best.words,
        expected=bool(turn),
    )


# --- effects ---------------------------------------------------------------------------------------------------------


def _effect_exhibits(rules: Rules) -> Iterator[Exhibit]:
    """Yield the effects of being on turn, of wild cards, and of abilities."""
    if rules.on_turn != rules.off_turn:
        yield Effect(
            about="being on turn",
            where="on_turn",
            without=_total_distribution(rules.off_turn, rules),
            having=_total_distribution(rules.on_turn, rules),
        )
    for place, kind in enumerate(rules.cards):
        if kind.suit is CardSuit.WILD and _triggers(rules):
            yield _wild_suit_effect(place, kind, rules)
    yield from _ability_effects(rules)


def _total_distribution(cards: int, rules: Rules) -> dict[str, Fraction]:
    totals = check_odds(fresh_memory(rules), rules, count=cards).totals
    return {f"total {total}": Fraction(ways, totals.total) for total, ways in sorted(totals.items())}


def _triggers(rules: Rules) -> list[str]:
    """Return the triggers of checks and of talents."""
    by_checks = {kind.trigger for kind in rules.checks.values() if kind.trigger}
    return sorted(by_checks | {talent.trigger for talent in rules.talents.values()})


def _wild_suit_effect(place: int, kind: CardKind, rules: Rules) -> Effect:
    """Return the effect of a wild suit on the first trigger that it changes, against the same card without a suit."""
    plain = msgspec.structs.replace(kind, suit=CardSuit.NONE)
    suitless = rules.replace(cards=(*rules.cards[:place], plain, *rules.cards[place + 1 :]))
    distributions = [
        (_trigger_distribution(trigger, suitless), _trigger_distribution(trigger, rules))
        for trigger in _triggers(rules)
    ]
    without, having = next(((one, other) for one, other in distributions if one != other), distributions[0])
    return Effect(
        about=f"the wild suit of {kind.name}", where=f"cards[{place}].suit", without=without, having=having
    )


def _trigger_distribution(trigger: str, rules: Rules) -> dict[str, Fraction]:
    chance = check_odds(fresh_memory(rules), rules, triggers=[trigger]).fires(0)
    return {f"{trigger} fires": chance, "it does not": 1 - chance}


def _ability_effects(rules: Rules) -> Iterator[Exhibit]:
    """Yield the effect of each ability that a check uses, and of the reorder."""
    uses = {
        Ability.EXTRA: (rules.extras_per_check, "extras"),
        Ability.REDRAW: (rules.redraws_per_check, "redraws"),
        Ability.REORDER: (
            min(rules.uses(Ability.PEEK), 1) * (rules.most_peeked - 1),
            "cards in another place",
        ),
    }
    for ability, (most, what) in uses.items():
        if rules.uses(ability):
            yield Effect(
                about=f"the ability to {'take an extra' if ability is Ability.EXTRA else ability}",
                where=f"abilities.{ability}",
                without={f"0 {what}": Fraction(1)},
                having={f"{most} {what}": Fraction(1)},
            )


# --- talents ---------------------------------------------------------------------------------------------------------


def _talent_exhibits(rules: Rules) -> Iterator[Exhibit]:
    """Yield for each talent how often it fires, and how much its effect changes."""
    for name, talent in rules.talents.items():
        chances = {
            _Draw(cards, 0): check_odds(
                fresh_memory(rules), rules, count=cards, triggers=[talent.trigger]
            ).fires(0)
            for cards in _draw_sizes(rules)
        }
        worst, best = (end(chances, key=lambda draw: (chances[draw], draw)) for end in (min, max))
        yield Outcome(
            about=f"the talent {name}",
            where=f"talents.{name}.trigger",
            least=chances[worst],
            most=chances[best],
            least_for=worst.words,
            most_for=best.words,
        )
        has_it = any(name in character.talents for character in rules.characters)
        size = effect_size(talent.effect, rules) if has_it else 0
        yield Effect(
            about=f"the effect of {name}",
            where=f"talents.{name}.effect",
            without={"by 0": Fraction(1)},
            having={f"by {size}": Fraction(1)},
        )


def effect_size(effect: TalentEffect, rules: Rules) -> int:
    """Return how much an effect can change under these rules; 0 where it changes nothing (§4.8)."""
    match effect:
        case AddToTotal(amount=amount):
            return amount
        case DrawMore(cards=cards) | LookAtTop(cards=cards):
            return cards
        case RedrawFailure():
            return int(any(kind.target != NO_TARGET for kind in rules.checks.values()))
        case Strike(amount=amount):
            return min(amount, rules.health) if rules.most_players > 1 else 0
        case Heal(amount=amount):
            return min(amount, rules.health)
        case Regain(ability=ability):
            return min(1, rules.uses(ability))
        case _ as never:
            assert_never(never)


EXHIBITS: Final = (
    ExhibitGroup("the deck", _deck_exhibits),
    ExhibitGroup("checks", _check_exhibits),
    ExhibitGroup("effects", _effect_exhibits),
    ExhibitGroup("talents", _talent_exhibits),
)
