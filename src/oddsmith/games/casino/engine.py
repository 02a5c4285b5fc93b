"""Casino as a game: two to four seats, one move a turn, deal after deal (§1, §4, §5)."""

from collections.abc import Hashable, Sequence
from typing import Any, Final, TypeAlias

from oddsmith.chance import DealHands, Draw
from oddsmith.errors import IllegalMove, InputError, Refusal
from oddsmith.game import EVERYONE, Act, Await, Decide, Luck, Outcome, Over, Seat, Step, Turn
from oddsmith.games.casino import notation, views
from oddsmith.games.casino.claims import Claim, claimed_move, mover_objection, value_objection
from oddsmith.games.casino.model import (
    CAPTURES,
    Cards,
    Cleared,
    Dealt,
    Ended,
    HappenedEvent,
    Laid,
    Move,
    Moved,
    MoveKind,
    State,
    has_marriage,
    in_order,
)
from oddsmith.games.casino.moves import (
    apply_move,
    cards_of,
    clear_table,
    deal_cards,
    legal_moves,
    trail,
)
from oddsmith.games.casino.objections import move_objection
from oddsmith.games.casino.rules import FEWEST_SEATS, MOST_SEATS, Rules
from oddsmith.games.casino.scoring import final_scores, winning_seats
from oddsmith.games.casino.views import View
from oddsmith.points import Points

Hands: TypeAlias = tuple[Cards, ...]
"""The outcome of a deal: a hand for each seat, then the cards of the table."""


class Casino:
    """The game: capture by value, build, sweep the table.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.games.casino.rules import DEFAULT
    >>> deal = cards("6♠ 7♠ 2♦ 9♦"), cards("3♥ 5♥ J♥ Q♥"), cards("3♠ 4♥ 8♣ K♣")
    >>> state = GAME.step(GAME.setup(DEFAULT, 2), Luck(deal)).state
    >>> after = GAME.step(state, GAME.read(state, "0 7♠x3♠+4♥"))
    >>> after.events[0].taken
    (card('3♠'), card('4♥'), card('7♠'))
    """

    name = "casino"
    rules_type = Rules
    state_type: Any = State
    action_type: Any = Move
    luck_type: Any = Hands
    event_type: Any = HappenedEvent
    view_type: Any = View
    claim_type: Any = Claim

    def seats(self, rules: Rules) -> range:
        """Return the numbers of seats: two to four."""
        return range(FEWEST_SEATS, MOST_SEATS + 1)

    def setup(self, rules: Rules, seats: int) -> State:
        """Return the state before the first deal."""
        if seats not in self.seats(rules):
            raise InputError("bad_seats", f"Casino is for {FEWEST_SEATS} to {MOST_SEATS} seats, not {seats}")
        return State(
            rules=rules,
            hands=((),) * seats,
            loose=(),
            builds=(),
            piles=((),) * seats,
            sweeps=(0,) * seats,
            stock=rules.cards,
        )

    def turn(self, state: State) -> Turn[Hands]:
        """Return whose turn it is, the deal that is due, or the outcome."""
        if state.is_dealt:
            return Decide((state.turn,))
        return Over(_outcome(state)) if state.is_over else Await(_due_deal(state))

    def actions(self, state: State, seat: Seat) -> Sequence[Move]:
        """Return every legal move, in canonical order (§4.7)."""
        return legal_moves(state) if state.is_dealt and seat == state.turn else ()

    def overdue(self, state: State, seat: Seat) -> Sequence[Move]:
        """Return the moves of a seat that is out of time: its trails, else its captures, else all moves."""
        if not state.is_dealt or seat != state.turn:
            return ()
        trails = [trail(card) for card in state.hands[seat] if move_objection(state, trail(card)) is None]
        if trails:
            return trails
        legal = legal_moves(state)
        return [move for move in legal if move.kind is MoveKind.CAPTURE] or legal

    def objection(self, state: State, seat: Seat, action: Move) -> Refusal | None:
        """Return why the seat may not make this move now, or None where it may."""
        if not state.is_dealt:
            if state.is_over:
                return Refusal("game_over", "the game is over: all cards are played", paragraph="5.2")
            return Refusal("not_your_turn", "cards are dealt first", paragraph="1.3")
        if seat != state.turn:
            return Refusal("not_your_turn", f"it is seat {state.turn}'s turn", paragraph="1.4")
        return move_objection(state, action)

    def claimed_action(self, state: State, seat: Seat, claim: Claim) -> Move:
        """Return the move of a claim; raise `IllegalMove` where a claimed value is wrong (§6.5)."""
        move = claimed_move(claim)
        if not claim.has_values:
            return move
        refusal = (
            mover_objection(claim, seat) or self.objection(state, seat, move) or value_objection(claim, state)
        )
        if refusal is not None:
            raise IllegalMove.of(refusal)
        return move

    def step(self, state: State, move: Act[Move] | Luck[Hands]) -> Step[State]:
        """Return the state after a move and its events; raise `IllegalMove` where it is not legal."""
        if isinstance(move, Luck):
            return _deal(state, move.outcome)
        refusal = self.objection(state, move.seat, move.action)
        if refusal is not None:
            raise IllegalMove.of(refusal)
        return _move(state, move.action.canonical)

    def view(self, state: State, viewer: Seat | None) -> View:
        """Return what the viewer knows."""
        return views.view(state, viewer)

    def imagine(self, view: View, draw: Draw) -> State:
        """Return a full state consistent with what a viewer knows."""
        return views.imagine(view, draw)

    def cards(self, state: State) -> Sequence[Hashable]:
        """Return all cards of the state."""
        built = (card for build in state.builds for card in build.cards)
        held = (card for cards in (*state.hands, *state.piles) for card in cards)
        return (*state.stock, *state.loose, *built, *held)

    def write(self, state: State, move: Act[Move] | Luck[Hands]) -> str:
        """Return a move as one line of notation."""
        return notation.write_move(move, state)

    def read(self, state: State, text: str) -> Act[Move] | Luck[Hands]:
        """Read a move that `write` wrote."""
        return notation.read_move(text, state)


GAME: Final = Casino()


def _outcome(state: State) -> Outcome:
    scores = final_scores(state.piles, state.sweeps, state.rules)
    return Outcome(
        why="all cards are played",
        winners=winning_seats(scores),
        scores=tuple(Points(score.points) for score in scores),
    )


def _due_deal(state: State) -> DealHands:
    return DealHands(state.stock, state.rules.deal_sizes(state.players, state.deal + 1))


def _deal(state: State, outcome: Hands) -> Step[State]:
    """Deal the cards, each hand visible to its seat alone (§1.3, §1.5)."""
    if state.is_dealt or state.is_over:
        raise IllegalMove("no_luck_due", "no cards are due: a player must move, or the game is over")
    if not _due_deal(state).weight(outcome):
        raise IllegalMove(
            "impossible_luck", "a deal is a hand for each seat, then the table's cards, all from the stock"
        )
    *hands, table = outcome
    after = deal_cards(state, hands, table)
    dealt = (Dealt(audience=(seat,), seat=seat, cards=after.hands[seat]) for seat in range(state.players))
    laid = Laid(audience=EVERYONE, deal=after.deal, cards=after.loose if table else ())
    return Step(after, (*dealt, laid))


def _move(state: State, move: Move) -> Step[State]:
    """Make a legal move; after the last one the table is cleared, and the game is over (§5.2)."""
    seat, after = state.turn, apply_move(state, move)
    moved = Moved(
        audience=EVERYONE,
        seat=seat,
        move=move,
        taken=in_order(cards_of(move, state.builds)) if move.kind in CAPTURES else (),
        marriage=has_marriage(move),
        sweep=after.sweeps[seat] > state.sweeps[seat],
    )
    if not after.is_over:
        return Step(after, (moved,))
    final = clear_table(after)
    left = in_order((*after.loose, *(card for build in after.builds for card in build.cards)))
    cleared = Cleared(audience=EVERYONE, seat=after.last_capture, cards=left)
    ended = Ended(audience=EVERYONE, scores=final_scores(final.piles, final.sweeps, final.rules))
    return Step(final, (moved, cleared, ended) if left else (moved, ended))
