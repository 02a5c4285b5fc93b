"""Bots of the Combat Duel: they choose a split from their view, select its cards, and fight."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, TypeAlias

import numpy as np

from oddsmith.bot import BotSettings, Chooser
from oddsmith.chance import Draw
from oddsmith.errors import InputError, nearest
from oddsmith.game import Seat
from oddsmith.games.duel.classes import Integers, house_exchange, random_exchange
from oddsmith.games.duel.conditions import require_no_combos, round_rules
from oddsmith.games.duel.model import BOT_NAMES, Action, ExecuteTurn, Flee, Hand, SelectDefense
from oddsmith.games.duel.odds import Objective, Solution, solve, solve_reply
from oddsmith.games.duel.perfect_play import Reals, RoundValues
from oddsmith.games.duel.policies import BLIND, POLICIES, Policy
from oddsmith.games.duel.rules import Fighter, Rules
from oddsmith.games.duel.scoring import SPLITS, relevant_cards, split, split_power
from oddsmith.games.duel.views import SideView, View

Progress: TypeAlias = Callable[[float], None]


_NOTHING: Final = np.zeros((1, len(SPLITS)), dtype=np.int64)
_EXECUTE: Final = ExecuteTurn()
_FLEE: Final = Flee()
_SELECTIONS: Final = tuple(
    SelectDefense(tuple(place for place, defending in enumerate(defends) if defending)) for defends in SPLITS
)


def make_bot(name: str, rules: Rules, settings: BotSettings) -> Chooser[View, Action]:
    """Return the bot of that name: one of the policies, or "optimal"; raise `InputError` for an unknown name or objective.

    >>> from oddsmith.chance import Scripted
    >>> type(make_bot("best_trade", Rules(), BotSettings(draw=Scripted([])))).__name__
    'PolicyBot'
    """
    if settings.objective not in tuple(Objective):
        text = settings.objective[:40]
        raise InputError("unknown_objective", f"unknown objective '{text}'{nearest(text, Objective)}")
    if name not in BOT_NAMES:
        raise InputError("unknown_bot", f"unknown bot '{name[:40]}' of duel{nearest(name[:40], BOT_NAMES)}")
    if name in POLICIES:
        return PolicyBot(POLICIES[name], rules, settings.draw, settings.seat)
    return PerfectBot(rules, settings.seat, Objective(settings.objective), settings.progress)


class PolicyBot:
    """A bot that splits by a fixed policy, without regard to hit points or the round.

    Where the opponent is hidden or another player, the damage is summed over the exchanges of the house, or of a player
    who splits at random. Where a policy gives a weight to several splits, the bot draws one of them, and fights once
    it has selected anything in this round.
    """

    def __init__(self, policy: Policy, rules: Rules, draw: Draw, seat: Seat) -> None:
        self._policy = policy
        self._rules = rules
        self._draw = draw
        self._seat = seat
        self._powers = _PowerCache(_fighter(rules, seat))
        self._trades: dict[tuple[object, ...], tuple[Integers, Integers]] = {}

    def __call__(self, view: View, actions: Sequence[Action], /) -> Action:
        """Select the cards of the chosen split, or fight if they are selected."""
        own, hand = _own_side(view, self._seat)
        weights = self._policy(*self._trade(view, hand))[0]
        last = weights.cumsum()
        if last[-1] == 1:
            return _next_action(int(weights.argmax()), own, actions)
        if own.selections:
            return _EXECUTE
        drawn = self._draw.below(int(last[-1]))
        return _next_action(int(last.searchsorted(drawn, side="right")), own, actions)

    def _trade(self, view: View, hand: Hand) -> tuple[Integers, Integers]:
        """Return the damage that each split deals and takes, as arrays with one row."""
        if self._policy in BLIND:
            return _NOTHING, _NOTHING
        own, other = (_side_rules(view, seat) for seat in (self._seat, 1 - self._seat))
        shown = _shown_exchange(view)
        if shown is not None:
            return self._sum_trades(hand, own, shown, house=True)
        key = _hand_kind(hand), view.house, own, other
        if key not in self._trades:
            exchange = _opponent_exchange(other, None if view.house else self._seat)
            self._trades[key] = self._sum_trades(hand, own, exchange, house=view.house)
        return self._trades[key]

    def _sum_trades(
        self, hand: Hand, own: Rules, exchange: Integers, *, house: bool
    ) -> tuple[Integers, Integers]:
        attacks, defenses = self._powers.powers(hand, own)
        rules, (their_attacks, their_defenses, ways) = self._rules, exchange.T
        least_taken = rules.least_taken if house else rules.least_dealt
        dealt = np.maximum(rules.least_dealt, attacks - their_defenses[:, np.newaxis])
        taken = np.maximum(least_taken, their_attacks[:, np.newaxis] - defenses)
        return (ways @ dealt)[np.newaxis], (ways @ taken)[np.newaxis]


class PerfectBot:
    """A bot that takes the split of the greatest value in the solved duel, or flees where that has a greater value.

    The duel is solved with fresh decks, also where the rules' decks deplete. Against another player it plays the best
    reply to one who splits at random. Of equal splits it takes the first of `SPLITS`. Raise `InputError` for rules with
    combos, which are not solved.
    """

    def __init__(
        self, rules: Rules, seat: Seat, objective: Objective = Objective.WIN, progress: Progress | None = None
    ) -> None:
        require_no_combos(rules)
        self._rules = rules
        self._seat = seat
        self._objective = objective
        self._progress = progress
        self._powers = _PowerCache(_fighter(rules, seat))
        self._solutions: dict[bool, Solution] = {}
        self._round_values: dict[tuple[bool, int], RoundValues] = {}

    def solution(self, *, house: bool) -> Solution:
        """Return the solution against the house or against another player, solved at the first call."""
        if house not in self._solutions:
            self._solutions[house] = (
                solve(self._rules, self._objective, progress=self._progress)
                if house
                else solve_reply(self._rules, self._seat, progress=self._progress)
            )
        return self._solutions[house]

    def __call__(self, view: View, actions: Sequence[Action], /) -> Action:
        """Flee, select the cards of the best split, or fight if they are selected."""
        own, _ = _own_side(view, self._seat)
        values = self.values(view)
        best = int(values.argmax())
        if self.solution(house=view.house).flight_value(view.round) > values[best]:
            return _FLEE
        return _next_action(best, own, actions)

    def values(self, view: View) -> Reals:
        """Return the value of each split, in the order of `SPLITS`."""
        own, hand = _own_side(view, self._seat)
        solution = self.solution(house=view.house)
        shown = _shown_exchange(view)
        exchange = solution.exchange_in(view.round) if shown is None else shown
        their_attacks, their_defenses, ways = exchange.T
        attacks, defenses = self._powers.powers(hand, _side_rules(view, self._seat))
        where = view.house, view.round
        if where not in self._round_values:
            self._round_values[where] = RoundValues(solution, view.round)
        after = self._round_values[where]
        hps = np.array(own.hp), np.array(view.sides[1 - self._seat].hp)
        powers = attacks[:, np.newaxis], defenses[:, np.newaxis]
        left = after.hit_points_left(powers, (their_attacks, their_defenses), hps)
        by_exchange = after.values(left, np.array(relevant_cards(hand, self._rules)))
        values: Reals = by_exchange @ ways / ways.sum()
        return values


class _PowerCache:
    """A cache of attack and defense of the 32 splits, by the rules of a round and kind of hand."""

    def __init__(self, fighter: Fighter) -> None:
        self._fighter = fighter
        self._cache: dict[Rules, dict[object, tuple[Integers, Integers]]] = {}

    def powers(self, hand: Hand, rules: Rules) -> tuple[Integers, Integers]:
        """Return the attacks and the defenses, in the order of `SPLITS`; `rules` are those of the round."""
        cached, key = self._cache.setdefault(rules, {}), _hand_kind(hand)
        if key not in cached:
            powers = [split_power(*split(hand, defends), self._fighter, rules) for defends in SPLITS]
            cached[key] = (
                np.array([power.total for power, _ in powers]),
                np.array([guard.total for _, guard in powers]),
            )

        return cached[key]


def _side_rules(view: View, seat: Seat) -> Rules:
    """Return the rules of this round for the fighter of a seat."""
    return round_rules(view.rules, view.round, view.sides[seat].streak)


def _hand_kind(hand: Hand) -> tuple[tuple[int, ...], bool]:
    """Return the ranks in order and whether they are a flush, which decide the powers of all splits."""
    return tuple([card.number for card in hand]), len({card.suit for card in hand}) == 1


def _fighter(rules: Rules, seat: Seat) -> Fighter:
    return rules.player if seat == 0 else rules.rival


def _own_side(view: View, seat: Seat) -> tuple[SideView, Hand]:
    """Return the bot's own side and hand; raise `InputError` for the view of another seat or without a hand."""
    own = view.sides[seat]
    if view.viewer != seat or not own.hand:
        raise InputError(
            "not_own_view", f"the bot of seat {seat} chooses by that seat's view of a dealt hand"
        )
    return own, own.hand


def _shown_exchange(view: View) -> Integers | None:
    """Return the row of attack, defense and 1 way of a house that shows its split; None where it is hidden."""
    house = view.sides[1]
    if not view.house or house.hand is None or house.attack is None or house.defense is None:
        return None
    attacking = [house.hand[place] for place in house.attack]
    defending = [house.hand[place] for place in house.defense]
    power, guard = split_power(attacking, defending, view.rules.house_fighter, _side_rules(view, 1))
    return np.array([[power.total, guard.total, 1]])


@cache
def _opponent_exchange(rules: Rules, seat: Seat | None) -> Integers:
    """Return rows of attack, defense and ways of the opponent of a seat, or of the house where `seat` is None.

    `rules` are those of the round for the opponent.
    """
    exchange = house_exchange(rules) if seat is None else random_exchange(_fighter(rules, 1 - seat), rules)
    return np.array([(*pair, ways) for pair, ways in exchange.items()], dtype=np.int64)


def _next_action(number: int, own: SideView, actions: Sequence[Action]) -> Action:
    """Return the selection of a split, or the fight where it is already selected or can no longer be."""
    wanted = _SELECTIONS[number]
    return _EXECUTE if own.defense == wanted.card_indices or wanted not in actions else wanted
