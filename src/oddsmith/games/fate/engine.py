"""The Fate Deck as a game: a game master and players who share one deck that remembers (§6)."""

from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations
from typing import Any, Final, assert_never

import msgspec

from oddsmith.chance import Draw, Weighted
from oddsmith.errors import NOT_YOUR_TURN, IllegalMove, InputError, Refusal, nearest
from oddsmith.game import EVERYONE, Act, Await, Decide, Event, Luck, Outcome, Over, Seat, Step, Turn
from oddsmith.games.fate import notation, views
from oddsmith.games.fate.abilities import (
    ABILITIES,
    ability_actions,
    ability_objection,
    answer_actions,
    peek_events,
    reshuffle_if_due,
    use_ability,
    use_on_deck,
)
from oddsmith.games.fate.deck import FateDeck
from oddsmith.games.fate.model import (
    Action,
    CallCheck,
    CalledCheck,
    Check,
    DiscardTop,
    Drawn,
    Ended,
    EndTurn,
    ForceReshuffle,
    HappenedEvent,
    Keep,
    Kept,
    MoveToBottom,
    Peek,
    Ready,
    Redraw,
    Reorder,
    Resolve,
    ReturnDiscards,
    Stage,
    State,
    TakeExtra,
    TurnBegan,
)
from oddsmith.games.fate.resolution import GAME_MASTER, finish_check, resolve_check
from oddsmith.games.fate.rule_types import Callers
from oddsmith.games.fate.rules import Rules
from oddsmith.games.fate.views import View
from oddsmith.points import Points


class FateDeckGame:
    """The game: seat 0 is the game master, the others are players.

    >>> from oddsmith.games.fate.rules import DEFAULT
    >>> state = GAME.setup(DEFAULT, 3)
    >>> GAME.objection(state, 1, CallCheck(1, "hard")).sentence
    'only the game master calls for checks at this table'
    """

    name = "fate"
    rules_type = Rules
    state_type: Any = State
    action_type: Any = Action
    luck_type: Any = str
    event_type: Any = HappenedEvent
    view_type: Any = View

    def seats(self, rules: Rules) -> range:
        """Return the numbers of seats: a game master and at least one player."""
        return range(2, rules.most_players + 2)

    def setup(self, rules: Rules, seats: int) -> State:
        """Return the state before the first turn, with a fresh deck; raise `InputError` for a wrong number of seats."""
        if seats not in self.seats(rules):
            raise InputError(
                "bad_seats", f"the Fate Deck is for 2 to {rules.most_players + 1} seats, not {seats}"
            )
        players = seats - 1
        return State(
            rules=rules,
            players=players,
            deck=FateDeck.fresh(rules.deck, seats),
            peeked=(0,) * players,
            uses=((0,) * len(ABILITIES),) * players,
            successes=(0,) * players,
            health=(rules.health,) * players,
        )

    def turn(self, state: State) -> Turn[str]:
        """Return the seat that chooses, the luck that is due, or the outcome."""
        match state.stage:
            case Stage.OVER:
                return Over(_make_outcome(state))
            case Stage.DRAW | Stage.PEEK:
                return Await(_due_chance(state))
            case Stage.PLAY | Stage.CALL | Stage.ANSWER | Stage.KEEP:
                return Decide((_choosing_seat(state),))
            case _ as never:
                assert_never(never)

    def actions(self, state: State, seat: Seat) -> Sequence[Action]:
        """Return the legal actions of a seat, in the order of the rules page."""
        if not _may_choose(state, seat):
            return ()
        return tuple(_legal_actions(state, seat))

    def overdue(self, state: State, seat: Seat) -> Sequence[Action]:
        """Return the actions of a seat whose clock ran out: to go on without an ability, or to end the turn."""
        legal = self.actions(state, seat)
        return [action for action in legal if isinstance(action, Ready | Keep | Resolve | EndTurn)] or legal

    def objection(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        """Return why the seat may not do this now, or None where it may."""
        if state.stage is Stage.OVER:
            return Refusal("game_over", "the last turn is over")
        if isinstance(action, CallCheck) and not _may_call(state, seat):
            return Refusal(
                "not_the_game_master", "only the game master calls for checks at this table", paragraph="6.3"
            )
        if not _may_choose(state, seat):
            return NOT_YOUR_TURN
        return _stage_objection(state, seat, action)

    def step(self, state: State, move: Act[Action] | Luck[str]) -> Step[State]:
        """Return the state and the events after a move, or raise `IllegalMove`."""
        if isinstance(move, Luck):
            return _apply_luck(state, move.outcome)
        refusal = self.objection(state, move.seat, move.action)
        if refusal is not None:
            raise IllegalMove.of(refusal)
        return _apply_action(state, move.seat, move.action)

    def view(self, state: State, viewer: Seat | None) -> View:
        """Return the view of a seat, or of a spectator."""
        return views.view(state, viewer)

    def imagine(self, view: View, draw: Draw) -> State:
        """Return a random full state consistent with a view."""
        return views.imagine(view, draw)

    def late_events(
        self, state: State, versions: Sequence[tuple[Event, ...]], /
    ) -> Sequence[tuple[Event, ...]]:
        """Return earlier events without the draws of checks that are over (§7.2)."""
        return views.hide_past_checks(state, versions)

    def cards(self, state: State) -> Sequence[Hashable]:
        """Return every card of the composition, from all piles and hands."""
        out = (*state.check.hand, *state.check.aside) if state.check is not None else ()
        return (*state.deck.cards, *out)

    def write(self, state: State, move: Act[Action] | Luck[str]) -> str:
        """Return a move as a short line."""
        return notation.write_move(move)

    def read(self, state: State, text: str) -> Act[Action] | Luck[str]:
        """Return the move of a line that `write` wrote, or raise `InputError`."""
        return notation.read_move(text)


GAME: Final = FateDeckGame()


def _make_outcome(state: State) -> Outcome:
    """Return the outcome: the players with most successes win, the game master scores nothing (§6.4)."""
    most = max(state.successes)
    winners = tuple(seat for seat, won in enumerate(state.successes, 1) if most and won == most)
    scores = (Points(0), *map(Points, state.successes))
    return Outcome(why="the last turn is over", winners=winners, scores=scores)


def _choosing_seat(state: State) -> Seat:
    if state.stage is Stage.CALL:
        return GAME_MASTER
    return state.check.player if state.check is not None else state.on_turn


def _may_choose(state: State, seat: Seat) -> bool:
    waiting = state.stage in (Stage.PLAY, Stage.CALL, Stage.ANSWER, Stage.KEEP)
    return waiting and seat == _choosing_seat(state)


def _may_call(state: State, seat: Seat) -> bool:
    return seat == GAME_MASTER or (state.rules.callers is Callers.ANYONE and seat in state.seats)


def _legal_actions(state: State, seat: Seat) -> Iterator[Action]:
    """Yield the legal actions of this stage for the seat that chooses."""
    match state.stage:
        case Stage.PLAY:
            yield from ability_actions(state, seat)
            yield from _legal_calls(state, seat)
            yield Ready()
        case Stage.CALL:
            yield from _legal_calls(state, seat)
            yield EndTurn()
        case Stage.ANSWER:
            yield Resolve()
            yield from answer_actions(state, seat)
        case _:
            yield from map(Keep, combinations(range(_hand_size(state)), _required_cards(state)))


def _legal_calls(state: State, seat: Seat) -> Iterator[CallCheck]:
    """Yield a call of every check for every player, where the seat may call for another one in this turn (§6.3)."""
    if _may_call(state, seat) and state.called < state.rules.checks_per_turn:
        for player in state.seats[1:]:
            yield from (CallCheck(player, name) for name in state.rules.checks)


def _hand_size(state: State) -> int:
    return len(state.check.hand) if state.check is not None else 0


def _required_cards(state: State) -> int:
    """Return the number of cards that count in the check under way (§2.1)."""
    on_turn = state.check is not None and state.check.on_turn
    return state.rules.on_turn if on_turn else state.rules.off_turn


def _stage_objection(state: State, seat: Seat, action: Action) -> Refusal | None:
    """Return why a seat that chooses now may not choose this, or None where it may."""
    allowed = _STAGES[type(action)]
    if state.stage not in allowed:
        return Refusal("not_now", f"now is the time to {_STAGE_WORDS[state.stage]}", paragraph="6.2")
    match action:
        case CallCheck():
            return _call_objection(state, action)
        case Keep(places):
            return _keep_objection(state, places)
        case EndTurn() | Ready() | Resolve():
            return None
        case (
            Peek()
            | Reorder()
            | MoveToBottom()
            | DiscardTop()
            | ReturnDiscards()
            | TakeExtra()
            | Redraw()
            | ForceReshuffle()
        ):
            return ability_objection(state, seat, action)
        case _ as never:
            assert_never(never)


def _call_objection(state: State, action: CallCheck) -> Refusal | None:
    if action.player not in state.seats[1:]:
        return Refusal(
            "no_such_player",
            f"players have seats 1 to {state.players}, not {action.player}",
            paragraph="6.1",
        )
    if action.check not in state.rules.checks:
        return Refusal(
            "unknown_check",
            f"unknown check '{action.check}'{nearest(action.check, state.rules.checks)}",
            paragraph="6.3",
        )
    if state.called >= state.rules.checks_per_turn:
        return Refusal(
            "too_many_checks",
            f"a turn has at most {state.rules.checks_per_turn} checks: end it",
            paragraph="6.3",
        )
    return None


def _keep_objection(state: State, places: tuple[int, ...]) -> Refusal | None:
    required, size = _required_cards(state), _hand_size(state)
    legal = len(set(places)) == len(places) == required and all(place in range(size) for place in places)
    if legal:
        return None
    return Refusal("bad_keep", f"keep {required} of the cards 0 to {size - 1}, each once", paragraph="5.6")


_DECK_ABILITIES: Final = (Peek, Reorder, MoveToBottom, DiscardTop, ReturnDiscards, ForceReshuffle)
_STAGES: Final[dict[type[Action], tuple[Stage, ...]]] = {
    **dict.fromkeys(_DECK_ABILITIES, (Stage.PLAY,)),
    Ready: (Stage.PLAY,),
    CallCheck: (Stage.CALL, Stage.PLAY),
    EndTurn: (Stage.CALL,),
    Resolve: (Stage.ANSWER,),
    TakeExtra: (Stage.ANSWER,),
    Redraw: (Stage.ANSWER,),
    Keep: (Stage.KEEP,),
}
_STAGE_WORDS: Final = {
    Stage.PLAY: "use an ability, or to be ready",
    Stage.CALL: "call for a check, or to end the turn",
    Stage.ANSWER: "resolve the check, or to change its cards",
    Stage.KEEP: "choose which cards to keep",
}


def _apply_action(state: State, seat: Seat, action: Action) -> Step[State]:  # noqa: PLR0911  one for each kind of action
    change = msgspec.structs.replace
    match action:
        case Ready():
            return Step(change(state, stage=Stage.CALL), ())
        case EndTurn():
            return _end_turn(state)
        case CallCheck():
            return _call_check(state, seat, action)
        case Resolve():
            return _look(*resolve_check(state, _current_check(state)))
        case Keep(places):
            return _keep_cards(state, _current_check(state), places)
        case TakeExtra():
            after, event = use_ability(state, seat, action)
            check = _current_check(state)
            extra = change(check, due=1, extras=check.extras + 1)
            return Step(change(after, check=extra, stage=Stage.DRAW), (event,))
        case Redraw():
            after, event = use_ability(state, seat, action)
            check = _current_check(state)
            redrawn = change(
                check,
                due=_required_cards(state),
                hand=(),
                aside=(*check.aside, *check.hand),
                redraws=check.redraws + 1,
            )
            return Step(change(after, check=redrawn, stage=Stage.DRAW), (event,))
        case Peek() | Reorder() | MoveToBottom() | DiscardTop() | ReturnDiscards() | ForceReshuffle():
            played, events = use_on_deck(state, seat, action)
            return _finish_peek(played, events) if isinstance(action, Peek) else Step(played, events)
        case _ as never:
            assert_never(never)


def _end_turn(state: State) -> Step[State]:
    change = msgspec.structs.replace
    if state.turn == state.rules.turns:
        ended = Ended(audience=EVERYONE, successes=state.successes)
        return Step(change(state, stage=Stage.OVER), (ended,))
    after = change(state, turn=state.turn + 1, stage=Stage.PLAY, called=0)
    return Step(after, (TurnBegan(audience=EVERYONE, turn=after.turn, player=after.on_turn),))


def _call_check(state: State, caller: Seat, action: CallCheck) -> Step[State]:
    on_turn = action.player == state.on_turn
    check = Check(
        caller=caller,
        player=action.player,
        name=action.check,
        on_turn=on_turn,
        due=state.rules.on_turn if on_turn else state.rules.off_turn,
    )
    event = CalledCheck(
        audience=EVERYONE, caller=caller, player=action.player, check=action.check, on_turn=on_turn
    )
    return Step(
        msgspec.structs.replace(state, check=check, called=state.called + 1, stage=Stage.DRAW), (event,)
    )


def _current_check(state: State) -> Check:
    if state.check is None:
        raise IllegalMove("no_check", "no check is under way")
    return state.check


def _keep_cards(state: State, check: Check, places: tuple[int, ...]) -> Step[State]:
    """Keep some cards, and set the others aside until the check is resolved (§5.6)."""
    hand = tuple(check.hand[place] for place in places)
    rest = tuple(card for place, card in enumerate(check.hand) if place not in places)
    after = msgspec.structs.replace(check, hand=hand, aside=(*check.aside, *rest))
    event = Kept(audience=EVERYONE, player=check.player, cards=hand)
    return Step(msgspec.structs.replace(state, check=after, stage=Stage.ANSWER), (event,))


def _due_chance(state: State) -> Weighted[str]:
    return state.deck.next_card(_due_place(state))


def _due_place(state: State) -> int:
    """Return the place of the card that luck is due to decide: the top, or the first undecided one of a peek."""
    if state.stage is Stage.DRAW:
        return 0
    undecided = (place for place in range(state.peeking) if state.deck.deck[place] is None)
    return next(undecided, state.peeking - 1)


def _apply_luck(state: State, card: str) -> Step[State]:
    if state.stage not in (Stage.DRAW, Stage.PEEK):
        raise IllegalMove("no_luck_due", "no luck is due now: a seat must choose, or the game is over")
    if not state.deck.may_be(_due_place(state), card):
        raise IllegalMove("impossible_luck", "luck decides one of the outcomes that are possible now")
    if state.stage is Stage.DRAW:
        return _draw_card(state, _current_check(state), card)
    return _finish_peek(msgspec.structs.replace(state, deck=state.deck.settle(_due_place(state), card)), ())


def _draw_card(state: State, check: Check, card: str) -> Step[State]:
    """Draw a card openly, and reshuffle the deck where one card is left (§3.2)."""
    left = state.deck.draw_top(card)
    event = Drawn(audience=EVERYONE, player=check.player, card=card, left=len(left.deck))
    deck, shuffled = reshuffle_if_due(left)
    hand = (*check.hand, card)
    after = msgspec.structs.replace(
        state,
        deck=deck,
        peeked=(0,) * state.players,
        check=msgspec.structs.replace(check, due=check.due - 1, hand=hand),
    )
    if check.due == 1:
        extra = not check.judged and len(hand) > _required_cards(state)
        stage = Stage.KEEP if extra else Stage.ANSWER
        after = msgspec.structs.replace(after, stage=stage)
    return Step(after, (event, *shuffled))


def _look(state: State, events: tuple[Event, ...]) -> Step[State]:
    """Return the step, and show the top cards where a talent looks at them and luck has decided all of them."""
    return _finish_peek(state, events) if state.stage is Stage.PEEK else Step(state, events)


def _finish_peek(state: State, events: tuple[Event, ...]) -> Step[State]:
    """Show the top cards to the player who looks at them once luck has decided all of them (§5.1, §4.8)."""
    if None in state.deck.deck[: state.peeking]:
        return Step(state, events)
    seat = state.on_turn if state.check is None else state.check.player
    peeked = peek_events(state, seat)
    marks = tuple(state.peeking if player == seat else mark for player, mark in enumerate(state.peeked, 1))
    after = msgspec.structs.replace(
        state,
        deck=state.deck.peek(state.peeking, seat),
        peeked=marks,
        peeking=0,
        stage=Stage.PLAY,
    )
    return Step(*finish_check(after, (*events, *peeked)))
