"""The game of Dice Hands: a run of one seat, round after round, until a score is below its target (§5 to §8)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, assert_never

import msgspec

from oddsmith.cards import Card
from oddsmith.chance import Chance, Draw, Roll, Weighted
from oddsmith.die import D6, Die
from oddsmith.errors import NOT_YOUR_TURN, IllegalMove, InputError, Refusal
from oddsmith.game import EVERYONE, Act, Await, Decide, Event, Luck, Outcome, Over, Seat, Step, Turn
from oddsmith.games.dice import notation, views
from oddsmith.games.dice.model import (
    Action,
    Build,
    BuyDie,
    BuyExtraDie,
    BuyItem,
    BuyUpgrade,
    Collected,
    Ended,
    Ending,
    Fixed,
    FixedDie,
    HappenedEvent,
    Leave,
    Lock,
    Paid,
    Reroll,
    Rolled,
    RoundBegan,
    Scored,
    ScoreHand,
    SetWild,
    Shattered,
    Stage,
    State,
    Stock,
    Stocked,
    Unlock,
)
from oddsmith.games.dice.parts import PoolDie
from oddsmith.games.dice.rolling import faces_after_roll, next_roll, rolling_places, round_rerolls
from oddsmith.games.dice.round_actions import adjust_or_reroll, round_actions, round_objection
from oddsmith.games.dice.rules import BossKind, Rules
from oddsmith.games.dice.scoring import score
from oddsmith.games.dice.shopping import (
    buy,
    offered_dice,
    offered_items,
    offered_upgrades,
    payment,
    shop_actions,
    shop_objection,
)
from oddsmith.games.dice.views import View
from oddsmith.points import Points

LuckOutcome: TypeAlias = str | tuple[int | str, ...]
"""The outcome of luck: a boss or a die on offer by name, results of dice, or names of items or hands on offer."""

PLAYER: Final[Seat] = 0
_MOVE: Final = Decide((PLAYER,))


class DiceHands:
    """The game: a run of one player.

    >>> from oddsmith.games.dice.rules import DEFAULT
    >>> state = GAME.step(GAME.setup(DEFAULT, 1), Luck((5, 5, 5, 2, 4))).state
    >>> GAME.step(state, Act(0, ScoreHand())).events[0].score.total
    90
    """

    name = "dice"
    rules_type = Rules
    state_type: Any = State
    action_type: Any = Action
    luck_type: Any = LuckOutcome
    event_type: Any = HappenedEvent
    view_type: Any = View

    def seats(self, rules: Rules) -> range:
        """Return the possible numbers of seats: one."""
        return range(1, 2)

    def setup(self, rules: Rules, seats: int) -> State:
        """Return the state before the first roll (§8.1); raise `InputError` for more than one seat."""
        if seats not in self.seats(rules):
            raise InputError("bad_seats", f"Dice Hands is for 1 seat, not {seats}")
        build = Build(dice=tuple(rules.die(text) for text in rules.pool))
        return _start_of_round(State(rules=rules, build=build, money=rules.money, round=0))

    def turn(self, state: State) -> Turn[LuckOutcome]:
        """Return the luck that is due, the decision of the player, or the outcome of the run."""
        if state.result is not None:
            return Over(_outcome(state, state.result))
        if state.stage in (Stage.CHOOSE, Stage.SHOP):
            return _MOVE
        return Await(_LUCK_BY_STAGE[state.stage](state))

    def actions(self, state: State, seat: Seat) -> Sequence[Action]:
        """Return the legal actions of the player, on the dice or in the shop."""
        if seat != PLAYER or state.result is not None:
            return ()
        if state.stage is Stage.CHOOSE:
            return tuple(round_actions(state))
        return tuple(shop_actions(state)) if state.stage is Stage.SHOP else ()

    def overdue(self, state: State, seat: Seat) -> Sequence[Action]:
        """Return what a clock chooses: to score the dice, or to leave the shop."""
        possible = self.actions(state, seat)
        return [action for action in possible if isinstance(action, ScoreHand | Leave)] or possible

    def objection(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        """Return why the action is illegal now, or None if it is legal."""
        if state.result is not None:
            return Refusal("game_over", f"the run is over: {state.result.words}")
        if seat != PLAYER or state.stage not in (Stage.CHOOSE, Stage.SHOP):
            return NOT_YOUR_TURN
        match action:
            case Lock() | Unlock() | SetWild() | Reroll() | ScoreHand():
                if state.stage is Stage.SHOP:
                    return Refusal("not_now", "this is the shop: buy, or leave for the next round")
                return round_objection(state, action)
            case BuyDie() | BuyItem() | BuyUpgrade() | BuyExtraDie() | Leave():
                if state.stage is Stage.CHOOSE:
                    return Refusal("not_now", "the shop opens after the round: lock, reroll or score")
                return shop_objection(state, action)
            case _ as never:
                assert_never(never)

    def step(self, state: State, move: Act[Action] | Luck[LuckOutcome]) -> Step[State]:
        """Return the state and the events after a move; raise `IllegalMove` for one that the rules refuse."""
        if isinstance(move, Luck):
            return _apply_luck(state, move.outcome)
        refusal = self.objection(state, move.seat, move.action)
        if refusal is not None:
            raise IllegalMove.of(refusal)
        action = move.action
        match action:
            case Lock() | Unlock() | SetWild() | Reroll():
                after, events = adjust_or_reroll(state, action)
                return Step(after, events)
            case ScoreHand():
                return _score_round(state)
            case BuyDie() | BuyItem() | BuyUpgrade() | BuyExtraDie():
                after_purchase, purchase = buy(state, action)
                return Step(after_purchase, (purchase,))
            case Leave():
                return _begin_round(_start_of_round(state))
            case _ as never:
                assert_never(never)

    def view(self, state: State, viewer: Seat | None) -> View:
        """Return the view of a seat or a spectator, which hides nothing."""
        return views.view(state, viewer)

    def imagine(self, view: View, draw: Draw) -> State:
        """Return the state of a view."""
        return views.imagine(view)

    def cards(self, state: State) -> Sequence[Card]:
        """Return no cards."""
        return ()

    def write(self, state: State, move: Act[Action] | Luck[LuckOutcome]) -> str:
        """Return a move as a short line."""
        return notation.write_move(move)

    def read(self, state: State, text: str) -> Act[Action] | Luck[LuckOutcome]:
        """Parse a move that `write` wrote; raise `InputError` for other text."""
        return notation.read_move(text)


GAME: Final = DiceHands()


def _outcome(state: State, why: Ending) -> Outcome:
    """Return the outcome of the run; its score is the final score (§8.5)."""
    winners = (PLAYER,) if why is Ending.ALL_ROUNDS_WON else ()
    return Outcome(why=why.words, winners=winners, scores=(Points(_final_score(state, why)),))


def _rounds_won(state: State, why: Ending) -> int:
    return state.round if why is Ending.ALL_ROUNDS_WON else state.round - 1


def _final_score(state: State, why: Ending) -> int:
    """Return the final score of a run that ended (§8.5)."""
    weights = state.rules.final_score
    rounds = weights.per_round * _rounds_won(state, why)
    return rounds + weights.per_point * state.points + weights.per_dollar * state.money


def _start_of_round(before: State) -> State:
    """Return the state at the start of the round after that of a state (§5.1, §7.1)."""
    rules, number = before.rules, before.round + 1
    return State(
        rules=rules,
        build=before.build,
        money=before.money,
        points=before.points,
        round=number,
        stage=Stage.BOSS if rules.is_boss_round(number) else Stage.ROLL,
        rerolls=round_rerolls(before.build, rules),
    )


def _begin_round(state: State) -> Step[State]:
    """Return the first step of a round; with a boss, `RoundBegan` follows once the boss is drawn."""
    return Step(state, () if state.stage is Stage.BOSS else (_round_began(state),))


def _round_began(state: State) -> RoundBegan:
    return RoundBegan(
        audience=EVERYONE,
        round=state.round,
        target=state.rules.target(state.round),
        rerolls=state.rerolls,
        boss=state.boss,
    )


def _fragile_places(state: State) -> tuple[int, ...]:
    """Return the places of the dice that may shatter (§5.7)."""
    return tuple(place for place, die in enumerate(state.build.dice) if state.rules.kinds[die.kind].shatter)


def _shatter_luck(state: State) -> Roll:
    """Return, for each die that may shatter, the luck that it does (1) or does not (0)."""
    chances = [
        state.rules.kinds[state.build.dice[place].kind].shatter.as_integer_ratio()
        for place in _fragile_places(state)
    ]
    return Roll(
        tuple(Die((0, 1), (denominator - numerator, numerator)) for numerator, denominator in chances)
    )


def _random_place(state: State) -> Die:
    return Die.of(range(len(state.build.dice)))


_LUCK_BY_STAGE: Final[Mapping[Stage, Callable[[State], Chance[Any]]]] = {
    Stage.BOSS: lambda state: Weighted(tuple((str(kind), 1) for kind in state.rules.bosses.kinds)),
    Stage.FIX: lambda state: Roll((_random_place(state), D6)),
    Stage.ROLL: next_roll,
    Stage.SHATTER: _shatter_luck,
    Stage.COLLECT: lambda state: Roll((_random_place(state),)),
    Stage.STOCK_DICE: lambda state: offered_dice(state.rules),
    Stage.STOCK_ITEMS: lambda state: offered_items(state.build, state.rules),
    Stage.STOCK_UPGRADES: lambda state: offered_upgrades(state.build, state.rules),
}


def _apply_luck(state: State, outcome: LuckOutcome) -> Step[State]:
    if state.stage not in _LUCK_BY_STAGE:
        raise IllegalMove("no_luck_due", "no luck is due now: the player must choose, or the run is over")
    if not _LUCK_BY_STAGE[state.stage](state).weight(outcome):
        raise IllegalMove("impossible_luck", "luck decides one of the outcomes that are possible now")
    return _LUCK_HANDLERS[state.stage](state, outcome)


def _apply_boss(state: State, name: str) -> Step[State]:
    boss = BossKind(name)
    after = msgspec.structs.replace(
        state,
        boss=boss,
        rerolls=round_rerolls(state.build, state.rules, boss),
        stage=Stage.FIX if boss is BossKind.LOCKDOWN else Stage.ROLL,
    )
    return Step(after, (_round_began(after),))


def _apply_lockdown(state: State, outcome: tuple[int, int]) -> Step[State]:
    die = FixedDie(*outcome)
    after = msgspec.structs.replace(state, fixed=die, stage=Stage.ROLL)
    return Step(after, (Fixed(audience=EVERYONE, die=die),))


def _apply_roll(state: State, outcome: tuple[int, ...]) -> Step[State]:
    after = msgspec.structs.replace(state, faces=faces_after_roll(state, outcome), stage=Stage.CHOOSE)
    event = Rolled(audience=EVERYONE, places=rolling_places(state), faces=after.faces, rerolls=state.rerolls)
    return Step(after, (event,))


def _score_round(state: State) -> Step[State]:
    """Score the dice, and pay a won round (§5.6, §5.8)."""
    rules, target = state.rules, state.rules.target(state.round)
    result = score(state.build, state.faces, rules, silenced=state.boss is BossKind.SILENCER)
    scored = Scored(audience=EVERYONE, score=result, target=target)
    after = msgspec.structs.replace(state, score=result)
    if result.total < target:
        return _end_run(after, Ending.BELOW_TARGET, (scored,))
    pay = payment(
        target, result.total, unused=state.rerolls, money=state.money, items=state.build.items, rules=rules
    )
    after = msgspec.structs.replace(after, money=state.money + pay.total, points=state.points + result.total)
    events = (scored, Paid(audience=EVERYONE, payment=pay, money=after.money))
    if state.round == rules.rounds:
        return _end_run(after, Ending.ALL_ROUNDS_WON, events)
    if _fragile_places(after):
        return Step(msgspec.structs.replace(after, stage=Stage.SHATTER), events)
    return _collect_or_open_shop(after, events)


def _end_run(state: State, why: Ending, events: tuple[Event, ...]) -> Step[State]:
    after = msgspec.structs.replace(state, stage=Stage.OVER, result=why)
    ended = Ended(
        audience=EVERYONE, why=why, won=_rounds_won(state, why), final_score=_final_score(state, why)
    )
    return Step(after, (*events, ended))


def _apply_shattering(state: State, outcome: tuple[int, ...]) -> Step[State]:
    """Replace shattered dice by normal ones, except the first that items save (§4.5, §5.7)."""
    saves = sum(state.rules.items[name].saves for name in state.build.items)
    broken = [place for place, breaks in zip(_fragile_places(state), outcome, strict=True) if breaks]
    saved, lost = tuple(broken[:saves]), tuple(broken[saves:])
    events = (Shattered(audience=EVERYONE, places=lost, saved=saved),) if broken else ()
    return _collect_or_open_shop(_replace_with_normal(state, lost), events)


def _collect_or_open_shop(state: State, events: tuple[Event, ...]) -> Step[State]:
    if state.boss is BossKind.COLLECTOR:
        return Step(msgspec.structs.replace(state, stage=Stage.COLLECT), events)
    return _open_shop(state, events)


def _apply_collector(state: State, outcome: tuple[int]) -> Step[State]:
    return _open_shop(_replace_with_normal(state, outcome), (Collected(audience=EVERYONE, place=outcome[0]),))


def _replace_with_normal(state: State, places: Sequence[int]) -> State:
    normal = PoolDie(state.rules.normal_kind)
    dice = tuple(normal if place in places else die for place, die in enumerate(state.build.dice))
    return msgspec.structs.replace(state, build=msgspec.structs.replace(state.build, dice=dice))


def _open_shop(state: State, events: tuple[Event, ...]) -> Step[State]:
    """Begin to stock the shop (§6.1)."""
    shop = state.rules.shop
    after = msgspec.structs.replace(
        state,
        stock=Stock(free_choices=shop.free_choices),
        stage=Stage.STOCK_DICE if shop.dice else Stage.STOCK_ITEMS,
    )
    return Step(after, events)


def _stock_die(state: State, text: str) -> Step[State]:
    """Add a die to the stock; once all are drawn, equal dice become one offer."""
    drawn = (*state.stock.dice, state.rules.die(text))
    full = len(drawn) == state.rules.shop.dice
    dice = tuple(dict.fromkeys(drawn)) if full else drawn
    return Step(
        msgspec.structs.replace(
            state,
            stock=msgspec.structs.replace(state.stock, dice=dice),
            stage=Stage.STOCK_ITEMS if full else Stage.STOCK_DICE,
        ),
        (),
    )


def _stock_items(state: State, items: tuple[str, ...]) -> Step[State]:
    stock = msgspec.structs.replace(state.stock, items=items)
    return Step(msgspec.structs.replace(state, stock=stock, stage=Stage.STOCK_UPGRADES), ())


def _stock_upgrades(state: State, hands: tuple[str, ...]) -> Step[State]:
    stock = msgspec.structs.replace(state.stock, upgrades=hands)
    after = msgspec.structs.replace(state, stock=stock, stage=Stage.SHOP)
    return Step(after, (Stocked(audience=EVERYONE, stock=stock),))


_LUCK_HANDLERS: Final[Mapping[Stage, Callable[[State, Any], Step[State]]]] = {
    Stage.BOSS: _apply_boss,
    Stage.FIX: _apply_lockdown,
    Stage.ROLL: _apply_roll,
    Stage.SHATTER: _apply_shattering,
    Stage.COLLECT: _apply_collector,
    Stage.STOCK_DICE: _stock_die,
    Stage.STOCK_ITEMS: _stock_items,
    Stage.STOCK_UPGRADES: _stock_upgrades,
}
