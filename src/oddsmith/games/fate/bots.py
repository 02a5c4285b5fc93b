"""The bot of the Fate Deck: a game master that calls fitting checks, and a player that uses worthwhile abilities (§6.6)."""

from collections import Counter, deque
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from oddsmith.bot import Bot, BotSettings
from oddsmith.chance import Draw
from oddsmith.game import Seat
from oddsmith.games.fate.answers import Answer, answer_outcomes, is_answer_countable, possible_answers
from oddsmith.games.fate.draws import is_countable
from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.model import (
    Action,
    CallCheck,
    Check,
    EndTurn,
    Keep,
    MoveToBottom,
    Peek,
    Ready,
    Redraw,
    Reorder,
    Resolve,
    Stage,
    TakeExtra,
)
from oddsmith.games.fate.odds import check_odds
from oddsmith.games.fate.rule_types import NO_TARGET, CheckKind
from oddsmith.games.fate.rules import Rules
from oddsmith.games.fate.talents import fired_talents, further_draws, total_with_talents
from oddsmith.games.fate.values import ability_values
from oddsmith.games.fate.views import View

FITTING: Final = (Fraction(1, 2), Fraction(13, 20))
"""The least and the greatest chance of a check that fits."""
STAKES_WEIGHT: Final = Fraction(1, 10)
"""What the whole range of stakes weighs against the chance."""
REPEATED: Final = Fraction(1, 8)
"""What a check that was called just before weighs against the chance."""
UNEVEN: Final = Fraction(1, 16)
"""What each check that a player had more than another one weighs against the chance."""
REMEMBERED: Final = 2
FEW_POINTS: Final = Fraction(1, 50)
"""Calls that are rated this much alike are chosen at random."""
FINALE: Final = Fraction(5, 6)
"""The share of the game after which a turn has one check more."""
WORTHWHILE_PEEK: Final = Fraction(1, 10)
WORTHWHILE_ANSWER: Final = Fraction(1, 5)
NO_FIT: Final = Fraction(1)

_ANSWERS: Final[dict[Ability, Action]] = {Ability.EXTRA: TakeExtra(), Ability.REDRAW: Redraw()}


def check_chance(view: View, player: Seat, kind: CheckKind) -> Fraction | None:
    """Return the chance that a player reaches a check's target with the next cards, before talents and abilities.

    It is exact from what the viewer knows, within the limits of its memory (§7.7). None without a target, and where
    there are too many ways to count.
    """
    rules = view.rules
    count = rules.on_turn if player == view.on_turn else rules.off_turn
    if kind.target == NO_TARGET or not is_countable(view.memory, count, ordered=False):
        return None
    return check_odds(view.memory, rules, count=count).at_least(
        kind.target - rules.check_modifier(player, kind)
    )


class SensibleBot:
    """A game master or a player, by its seat; it looks at nothing but its view."""

    def __init__(self, draw: Draw, seat: Seat) -> None:
        self._draw = draw
        self._seat = seat
        self._called: deque[str] = deque(maxlen=REMEMBERED)
        self._checks: Counter[Seat] = Counter()

    def __call__(self, view: View, actions: Sequence[Action], /) -> Action:
        """Return the call of a game master, or a player's choice."""
        match view.stage:
            case Stage.CALL:
                return self._call(view, actions)
            case Stage.PLAY:
                return prepare_deck(view, actions, self._seat)
            case Stage.ANSWER if view.check is not None:
                return answer_check(view, view.check)
        return keep_best(view, actions)

    def _call(self, view: View, actions: Sequence[Action]) -> Action:
        """Return the call of a check that fits, or the end of the turn."""
        players = _next_players(view)
        calls = [one for one in actions if isinstance(one, CallCheck) and one.player in players]
        if not calls:
            return EndTurn()
        ratings = [self._misfit(view, call) for call in calls]
        least = min(ratings)
        alike = [call for call, rating in zip(calls, ratings, strict=True) if rating <= least + FEW_POINTS]
        chosen = alike[self._draw.below(len(alike))]
        self._called.append(chosen.check)
        self._checks[chosen.player] += 1
        return chosen

    def _misfit(self, view: View, call: CallCheck) -> Fraction:
        """Return how little a call fits: by its chance, by its stakes at this time of the game, and by repetition."""
        kind = view.rules.checks[call.check]
        chance = check_chance(view, call.player, kind)
        low, high = FITTING
        off = NO_FIT if chance is None else max(low - chance, chance - high, Fraction(0))
        more = self._checks[call.player] - min(self._checks[player] for player in _next_players(view))
        return off + _stakes_misfit(view, kind) + REPEATED * (call.check in self._called) + UNEVEN * more


def _next_players(view: View) -> list[Seat]:
    """Return for whom the game master may call next: on turn, then off turn, then on turn; nobody to end the turn."""
    most = 2 + (view.turn > FINALE * view.rules.turns)
    if view.called >= most:
        return []
    others = [player for player in range(1, view.players + 1) if player != view.on_turn]
    return others if view.called == 1 and others else [view.on_turn]


def _stakes_misfit(view: View, kind: CheckKind) -> Fraction:
    """Return how far the stakes of a check are from those that the time of the game asks for: the later, the greater."""
    most = max(one.worth for one in view.rules.checks.values()) or 1
    return STAKES_WEIGHT * abs(Fraction(kind.worth, most) - Fraction(view.turn, view.rules.turns))


# --- players ---------------------------------------------------------------------------------------------------------


def prepare_deck(view: View, actions: Sequence[Action], seat: Seat) -> Action:
    """Return what a player does before it is ready: peek, put the best cards on top, or move a bad one away."""
    rules, peeked = view.rules, view.peeked[seat - 1]
    values = [rules.faces[card].value for card in view.memory.deck[:peeked] if isinstance(card, str)]
    best = Reorder(tuple(sorted(range(len(values)), key=lambda place: -values[place])))
    if best in actions and values != sorted(values, reverse=True):
        return best
    top = view.memory.deck[0]
    if isinstance(top, str):
        mean = Fraction(sum(rules.faces[card].value for card in rules.deck), len(rules.deck))
        bad = rules.faces[top].value < mean
        return MoveToBottom() if bad and MoveToBottom() in actions else Ready()
    spent = view.uses[seat - 1][0]
    peeks = [one for one in actions if isinstance(one, Peek)]
    turns = 1 + (view.turn - 1) // view.players
    if peeks and spent < turns and peek_gain(view, seat) >= WORTHWHILE_PEEK:
        return peeks[-1]
    return Ready()


def peek_gain(view: View, seat: Seat) -> Fraction:
    """Return what a peek adds to the player's check on turn that is nearest to even; 0 where no check has a target."""
    chances = {
        name: chance
        for name, kind in view.rules.checks.items()
        if (chance := check_chance(view, seat, kind)) is not None
    }
    if not chances:
        return Fraction(0)
    kind = view.rules.checks[min(chances, key=lambda name: abs(chances[name] - Fraction(1, 2)))]
    values = ability_values(
        view.memory,
        view.rules,
        count=view.rules.on_turn,
        modifier=view.rules.check_modifier(seat, kind),
        target=kind.target,
    )
    return max((one.gain for one in values if Ability.PEEK in one.abilities), default=Fraction(0))


def answer_check(view: View, check: Check) -> Action:
    """Return the answer to a check: the ability of the greatest chance where the cards fall short and it is worthwhile."""
    rules, kind = view.rules, view.rules.checks[check.name]
    modifier = rules.check_modifier(check.player, kind)
    fired = fired_talents(check.hand, rules.talents_of(check.player), rules)
    further = further_draws(check.hand, fired, rules, modifier=modifier, target=kind.target)
    total = total_with_talents(check.hand, fired, rules, modifier=modifier)
    if check.judged or further.cards or kind.target == NO_TARGET or total >= kind.target:
        return Resolve()
    target = kind.target

    def succeeds(cards: tuple[str, ...]) -> bool:
        talents = fired_talents(cards, rules.talents_of(check.player), rules)
        return total_with_talents(cards, talents, rules, modifier=modifier) >= target

    chances = {
        one.ability: _best_chance(view, one, succeeds)
        for one in possible_answers(check.hand, rules)
        if one.ability in view.answers and is_answer_countable(view.memory, one)
    }
    best = max(chances, key=lambda ability: chances[ability], default=None)
    return Resolve() if best is None or chances[best] < WORTHWHILE_ANSWER else _ANSWERS[best]


def _best_chance(view: View, answer: Answer, succeeds: Callable[[tuple[str, ...]], bool]) -> Fraction:
    """Return the chance that some choice of an answer's cards succeeds."""
    outcomes = list(answer_outcomes(view.memory, answer, succeeds))
    return Fraction(sum(ways for ends, ways in outcomes if any(ends)), sum(ways for _, ways in outcomes))


def keep_best(view: View, actions: Sequence[Action]) -> Action:
    """Return the choice of cards with the greatest total, talents included; of several, the one that fires most of them."""
    return max(actions, key=lambda action: _rate_choice(view, action))


def _rate_choice(view: View, action: Action) -> tuple[int, int]:
    if view.check is None or not isinstance(action, Keep):
        return 0, 0
    rules, hand = view.rules, view.check.hand
    cards = [hand[place] for place in action.places]
    fired = fired_talents(cards, rules.talents_of(view.check.player), rules)
    return total_with_talents(cards, fired, rules, modifier=0), len(fired)


def make_sensible(rules: Rules, settings: BotSettings) -> SensibleBot:  # noqa: ARG001  the view has the rules
    """Return the bot for a seat."""
    return SensibleBot(settings.draw, settings.seat)


BOTS: Final = (Bot(name="sensible", make=make_sensible),)
