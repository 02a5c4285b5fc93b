"""Bots of team duels: they split a hand by a fixed policy, and choose a target (§9.9)."""

from collections.abc import Sequence
from typing import Any, Final

from oddsmith.bot import BotSettings, Chooser
from oddsmith.chance import Draw
from oddsmith.errors import InputError
from oddsmith.game import Seat
from oddsmith.games.duel import bots
from oddsmith.games.duel.model import PERFECT, ExecuteTurn
from oddsmith.games.duel.policies import POLICIES, Policy, at_random
from oddsmith.games.duel.rules import Fighter, Rules, Teams
from oddsmith.games.duel.team_model import AnyAction, SelectTarget
from oddsmith.games.duel.team_scoring import NOT_SOLVED, gear_of, living_opponents, weakest_opponent
from oddsmith.games.duel.team_views import TeamView
from oddsmith.games.duel.views import SideView, View

EXECUTE: Final = ExecuteTurn()


def make_bot(name: str, rules: Rules, settings: BotSettings) -> Chooser[Any, Any]:
    """Return the bot of that name for the duels of these rules; raise `InputError` for an unknown one.

    A team duel has no perfect bot.
    """
    if rules.teams.size == 1:
        return bots.make_bot(name, rules, settings)
    if name == PERFECT:
        raise InputError.of(NOT_SOLVED)
    bots.make_bot(name, rules, settings)
    return TeamBot(POLICIES[name], rules, settings.draw, settings.seat)


def pair_rules(seat: Seat, target: Seat, rules: Rules) -> Rules:
    """Return the rules of a duel of two with the gear of a fighter and of its target."""
    return gear_rules(gear_of(seat, rules), gear_of(target, rules), rules)


def gear_rules(own: Fighter, other: Fighter, rules: Rules) -> Rules:
    """Return the rules of a duel of two with the gear of both."""
    return rules.replace(player=own, rival=other, teams=Teams())


class TeamBot:
    """A bot that splits by a fixed policy as in a duel of two with its target; `random` draws its target, too."""

    def __init__(self, policy: Policy, rules: Rules, draw: Draw, seat: Seat) -> None:
        self._policy = policy
        self._rules = rules
        self._draw = draw
        self._seat = seat
        self._duelists: dict[Fighter, tuple[Rules, bots.PolicyBot]] = {}

    def __call__(self, view: TeamView, actions: Sequence[AnyAction], /) -> AnyAction:
        """Select the cards of the split, then the target, and fight if both are selected."""
        own = view.fighters[self._seat]
        if view.viewer != self._seat or not own.hand:
            raise InputError(
                "not_own_view", f"the bot of seat {self._seat} chooses by that seat's view of a dealt hand"
            )
        hps = [fighter.hp for fighter in view.fighters]
        opposite, *_ = living_opponents(self._seat, hps, self._rules)
        target = opposite if self._policy is at_random else weakest_opponent(self._seat, hps, self._rules)
        split = self._split(view, target, actions)
        if split != EXECUTE:
            return split
        if self._policy is at_random:
            target = self._draw_target(view) if own.target is None else own.target
            wanted = SelectTarget(target)
            return EXECUTE if own.target is not None or wanted not in actions else wanted
        chosen = opposite if own.target is None else own.target
        aimed = SelectTarget(target)
        return EXECUTE if chosen == target or aimed not in actions else aimed

    def _draw_target(self, view: TeamView) -> Seat:
        others = living_opponents(self._seat, [fighter.hp for fighter in view.fighters], self._rules)
        return others[self._draw.below(len(others))]

    def _split(self, view: TeamView, target: Seat, actions: Sequence[AnyAction]) -> AnyAction:
        """Return the choice of the same bot in a duel of two with the target."""
        own, other = view.fighters[self._seat], view.fighters[target]
        rules, duelist = self._duelist(target)
        mine = SideView(
            hp=own.hp,
            discard=own.discard,
            dealt=own.dealt,
            committed=own.committed,
            hand=own.hand,
            attack=own.attack,
            defense=own.defense,
            selections=own.selections,
            streak=own.streak,
        )
        theirs = SideView(
            hp=other.hp,
            discard=other.discard,
            dealt=other.dealt,
            committed=other.committed,
            streak=other.streak,
        )
        pair = View(viewer=0, rules=rules, house=False, round=view.round, sides=(mine, theirs), result=None)
        listed = [action for action in actions if not isinstance(action, SelectTarget)]
        return duelist(pair, listed)

    def _duelist(self, target: Seat) -> tuple[Rules, bots.PolicyBot]:
        """Return the rules of a duel of two with a target, and the bot that splits in it; made once for each gear."""
        gear = gear_of(target, self._rules)
        found = self._duelists.get(gear)
        if found is None:
            rules = pair_rules(self._seat, target, self._rules)
            found = self._duelists[gear] = rules, bots.PolicyBot(self._policy, rules, self._draw, 0)
        return found
