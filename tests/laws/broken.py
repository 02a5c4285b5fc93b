"""Variants of the toy game, each with one fault."""

import random
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from oddsmith.cards import Card, card
from oddsmith.chance import Chance, DealHand, Deck, Draw
from oddsmith.errors import IllegalMove, Refusal
from oddsmith.game import EVERYONE, Act, Await, Decide, Event, Luck, Outcome, Over, Seat, Step, Turn
from oddsmith.points import Points
from tests.laws.toy import SIX, Play, Received, Rules, State, Vie, View

replace = msgspec.structs.replace
force = msgspec.structs.force_setattr

Hand = tuple[Card, ...]
Move = Act[Play] | Luck[Hand]


class SetupDiffers(Vie):
    calls = 0

    def setup(self, rules: Rules, seats: int) -> State:
        self.calls += 1
        return replace(super().setup(rules, seats), rounds=1 + self.calls % 2)


class CountsItsViews(Vie):
    calls = 0

    def view(self, state: State, viewer: Seat | None) -> View:
        self.calls += 1
        return replace(super().view(state, viewer), played=self.calls)


class StepsInPlace(Vie):
    def commit(self, state: State, seat: Seat, chosen: Card) -> Step[State]:
        step = super().commit(state, seat, chosen)
        force(state, "scores", step.state.scores)
        return step


class ViewsInPlace(Vie):
    def view(self, state: State, viewer: Seat | None) -> View:
        if not state.played and viewer is None:
            force(state, "rounds", 1)
        return super().view(state, viewer)


class DrawsAtRandom(Vie):
    def turn(self, state: State) -> Turn[Hand]:
        random.random()
        return super().turn(state)


class HasNoTurn(Vie):
    def turn(self, state: State) -> Any:  # noqa: ANN401  the fault
        return None if state.played else super().turn(state)


class AsksUnknownSeat(Vie):
    def turn(self, state: State) -> Turn[Hand]:
        turn = super().turn(state)
        return Decide((0, 1, 7)) if turn == Decide((0, 1)) else turn


class LeavesNoChoice(Vie):
    def actions(self, state: State, seat: Seat) -> Sequence[Play]:
        return super().actions(state, seat) if seat == 0 else ()


class ListsForOthers(Vie):
    def actions(self, state: State, seat: Seat) -> Sequence[Play]:
        return tuple(Play(held) for held in state.hands[seat])


class ListsTwice(Vie):
    def actions(self, state: State, seat: Seat) -> Sequence[Play]:
        return (*super().actions(state, seat), *super().actions(state, seat))


class ListsIllegalActions(Vie):
    def actions(self, state: State, seat: Seat) -> Sequence[Play]:
        return tuple(Play(held) for held in SIX) if super().actions(state, seat) else ()


class UnknownWinner(Vie):
    def outcome(self, state: State) -> Outcome:
        return replace(super().outcome(state), winners=(5,))


class OmitsScores(Vie):
    def outcome(self, state: State) -> Outcome:
        return replace(super().outcome(state), scores=(Points(1),))


class EndsWithoutReason(Vie):
    def outcome(self, state: State) -> Outcome:
        return replace(super().outcome(state), why="")


class NeverEnds(Vie):
    def resolve(self, state: State, winner: Seat) -> State:
        return replace(super().resolve(state, winner), played=0)


class LosesCards(Vie):
    def resolve(self, state: State, winner: Seat) -> State:
        return replace(super().resolve(state, winner), deck=Deck((*SIX[1:], card("A♠"))))


class ObjectsToListedActions(Vie):
    def objection(self, state: State, seat: Seat, action: Play) -> Refusal | None:
        return super().objection(state, seat, action) or Refusal("no", "no")

    def step(self, state: State, move: Move) -> Step[State]:
        if isinstance(move, Act) and super().objection(state, move.seat, move.action) is None:
            return self.commit(state, move.seat, move.action.card)
        return super().step(state, move)


class NeverObjects(Vie):
    def objection(self, state: State, seat: Seat, action: Play) -> Refusal | None:  # noqa: ARG002  the fault
        return None


class ObjectsWithoutSentence(Vie):
    def objection(self, state: State, seat: Seat, action: Play) -> Refusal | None:
        return super().objection(state, seat, action) and Refusal("no", "")


class MakesRefusedMoves(Vie):
    def step(self, state: State, move: Move) -> Step[State]:
        return (
            self.commit(state, move.seat, move.action.card)
            if isinstance(move, Act)
            else super().step(state, move)
        )


class RefusesForAnotherReason(Vie):
    def step(self, state: State, move: Move) -> Step[State]:
        try:
            return super().step(state, move)
        except IllegalMove as error:
            raise IllegalMove("no", "no") from error


class RefusesInPlace(Vie):
    def step(self, state: State, move: Move) -> Step[State]:
        if isinstance(move, Act) and move.action not in self.actions(state, move.seat):
            force(state, "scores", (9, 9))
        return super().step(state, move)


class RefusesWithACrash(Vie):
    def step(self, state: State, move: Move) -> Step[State]:
        if isinstance(move, Act) and move.action not in self.actions(state, move.seat):
            raise KeyError("no such card")
        return super().step(state, move)


class MarkedState(State, frozen=True, kw_only=True):
    mark: complex = 1j


class FewPlayed(State, frozen=True, kw_only=True):
    played: Annotated[int, Meta(le=1)] = 0


class PlaysBeyondTheBound(Vie):
    state_type = FewPlayed

    def setup(self, rules: Rules, seats: int) -> State:
        return FewPlayed(**msgspec.structs.asdict(super().setup(rules, seats)))


class StatesCannotBeWritten(Vie):
    state_type = MarkedState

    def setup(self, rules: Rules, seats: int) -> State:
        return MarkedState(**msgspec.structs.asdict(super().setup(rules, seats)))


class ReadsLuckAsText(Vie):
    luck_type = tuple[str, ...]


class WritesHalfTheMove(Vie):
    def read(self, state: State, text: str) -> Move:
        move = super().read(state, text)
        return Act(0, move.action) if isinstance(move, Act) else move


class CrashesOnBadLines(Vie):
    def read(self, state: State, text: str) -> Move:
        if not text.startswith("* "):
            int(text.partition(": ")[0])
        return super().read(state, text)


class ReadsBadLinesAsNone(Vie):
    def read(self, state: State, text: str) -> Any:  # noqa: ANN401  the fault
        return None if "?" in text else super().read(state, text)


class WritesTabs(Vie):
    def write(self, state: State, move: Move) -> str:
        return super().write(state, move) + "\t"


class ReplaysDifferently(Vie):
    setups = 0

    def setup(self, rules: Rules, seats: int) -> State:
        self.setups += 1
        return super().setup(rules, seats)

    def deal_events(self, seat: Seat, hand: Hand) -> tuple[Event, ...]:
        events = super().deal_events(seat, hand)
        return events if self.setups < 4 else events[:1]


class RepeatsDifferently(Vie):
    setups = 0

    def setup(self, rules: Rules, seats: int) -> State:
        self.setups += 1
        return replace(super().setup(rules, seats), rounds=1 if self.setups > 5 else rules.rounds)


class FaultyDeal(msgspec.Struct, frozen=True):
    """A correct deal; subclasses add a fault."""

    deal: DealHand

    @property
    def total(self) -> Any:  # noqa: ANN401  a fault may be of any type
        return self.deal.total

    def weight(self, outcome: Hand) -> int:
        return self.deal.weight(outcome)

    def outcomes(self) -> Iterator[tuple[Hand, int]]:
        return self.deal.outcomes()

    def sample(self, draw: Draw) -> Hand:
        return self.deal.sample(draw)


class FloatTotal(FaultyDeal, frozen=True):
    @property
    def total(self) -> float:
        return float(self.deal.total)


class WrongTotal(FaultyDeal, frozen=True):
    @property
    def total(self) -> int:
        return self.deal.total + 1


class ZeroWeights(FaultyDeal, frozen=True):
    def outcomes(self) -> Iterator[tuple[Hand, int]]:
        return ((hand, 0) for hand, _ in self.deal.outcomes())


class DoubleWeights(FaultyDeal, frozen=True):
    def weight(self, outcome: Hand) -> int:
        return 2 * self.deal.weight(outcome)


class RepeatedOutcomes(FaultyDeal, frozen=True):
    def outcomes(self) -> Iterator[tuple[Hand, int]]:
        return chain.from_iterable(self.deal.outcomes() for _ in range(100))


class ZeroWeightsAtTheEnd(FaultyDeal, frozen=True):
    def outcomes(self) -> Iterator[tuple[Hand, int]]:
        return chain(RepeatedOutcomes(self.deal).outcomes(), ZeroWeights(self.deal).outcomes())


class ImpossibleSamples(FaultyDeal, frozen=True):
    def sample(self, draw: Draw) -> Hand:
        return self.deal.sample(draw)[::-1]


class DealsAnything(Vie):
    def deal(self, state: State, hand: Hand) -> Step[State]:
        turn = self.turn(state)
        if isinstance(turn, Await) and not turn.chance.weight(hand):
            return Step(state, ())
        return super().deal(state, hand)


class FaultyDealVie(Vie):
    node: type[FaultyDeal] = FaultyDeal

    def chance(self, state: State) -> Chance[Hand]:
        return self.node(state.deck.deal(2))


class VieWithFloatTotal(FaultyDealVie):
    node = FloatTotal


class VieWithWrongTotal(FaultyDealVie):
    node = WrongTotal


class VieWithZeroWeights(FaultyDealVie):
    node = ZeroWeights


class VieWithDoubleWeights(FaultyDealVie):
    node = DoubleWeights


class VieWithRepeatedOutcomes(FaultyDealVie):
    node = RepeatedOutcomes


class VieWithZeroWeightsAtTheEnd(FaultyDealVie):
    node = ZeroWeightsAtTheEnd


class VieWithImpossibleSamples(FaultyDealVie):
    node = ImpossibleSamples

    def deal(self, state: State, hand: Hand) -> Step[State]:
        return super().deal(state, tuple(sorted(hand)))


class ShowsTheDeck(Vie):
    def view(self, state: State, viewer: Seat | None) -> View:
        return replace(super().view(state, viewer), deck=sum(held.index for held in state.deck.pool))


class OrdersBySecrets(Vie):
    def actions(self, state: State, seat: Seat) -> Sequence[Play]:
        listed = super().actions(state, seat)
        return listed[::-1] if SIX[5] in state.deck.pool else listed


class EndsBySecrets(Vie):
    def turn(self, state: State) -> Turn[Hand]:
        turn = super().turn(state)
        if isinstance(turn, Await) and SIX[5] in state.hands[0]:
            return Over(self.outcome(state))
        return turn


class ImaginesOtherCards(Vie):
    def imagine(self, view: View, draw: Draw) -> State:
        imagined = super().imagine(view, draw)
        if view.viewer is None and len(imagined.deck) == 6:
            return replace(imagined, deck=Deck((*SIX[1:], card("A♠"))))
        return imagined


class ImaginesCardsThatAreNotHeld(Vie):
    def imagine(self, view: View, draw: Draw) -> State:
        imagined = super().imagine(view, draw)
        chosen = (
            SIX[draw.below(6)] if held and seat != view.viewer else held
            for seat, held in enumerate(imagined.chosen)
        )
        return replace(imagined, chosen=tuple(chosen))


class RevealsCommitment(Vie):
    def commit_events(self, seat: Seat, chosen: Card) -> tuple[Event, ...]:
        return (*super().commit_events(seat, chosen), Received(audience=EVERYONE, cards=(chosen,)))


class RevealsDeal(Vie):
    def deal_events(self, seat: Seat, hand: Hand) -> tuple[Event, ...]:
        return tuple(replace(event, audience=EVERYONE) for event in super().deal_events(seat, hand))


BROKEN: dict[str, dict[type[Vie], str]] = {
    "purity": {
        SetupDiffers: "setup gives two different states",
        CountsItsViews: "view gives two different answers about one state",
        StepsInPlace: "a later move changes the state",
        ViewsInPlace: "a question about it changes the state",
        DrawsAtRandom: "a rule draws from Python's module random",
    },
    "totality": {
        HasNoTurn: "a turn is Decide, Await or Over, not None",
        AsksUnknownSeat: "the seats [0, 1, 7] cannot decide",
        LeavesNoChoice: "a seat that must decide has no action",
        ListsForOthers: "seat 0 must not decide and has 2 actions",
        ListsTwice: "are listed more than once",
        ListsIllegalActions: "IllegalMove: that card is not in the seat's hand",
        UnknownWinner: "the winners [5] are not all seats",
        OmitsScores: "2 seats have 1 scores",
        EndsWithoutReason: "the outcome does not say why",
    },
    "termination": {NeverEnds: "there is no end after 60 plies"},
    "conservation": {LosesCards: "cards lost: [card('2♠')], cards made: [card('A♠')]"},
    "objection": {
        ObjectsToListedActions: "is listed for seat 0 and objected to",
        NeverObjects: "the objection has no code and no sentence: None",
        ObjectsWithoutSentence: "the objection has no code and no sentence: Refusal",
        MakesRefusedMoves: "step makes it",
        RefusesForAnotherReason: "step refuses it for another reason",
        RefusesInPlace: "a refused move changes the state",
        RefusesWithACrash: "KeyError: 'no such card'",
    },
    "chance": {
        DealsAnything: "cannot happen here, and step makes it",
        VieWithFloatTotal: "a total is a positive whole number, not 15.0",
        VieWithWrongTotal: "the weights add up to 15, not to 16",
        VieWithZeroWeights: "is listed with the weight 0 and weighs 1",
        VieWithDoubleWeights: "is listed with the weight 1 and weighs 2",
        VieWithRepeatedOutcomes: "the weights add up to 1500, not to 15",
        VieWithZeroWeightsAtTheEnd: "an outcome is listed with the weight 0",
        VieWithImpossibleSamples: "was drawn and weighs 0",
    },
    "declarations": {
        PlaysBeyondTheBound: "a state is not as declared: played: expected a whole number of at most 1"
    },
    "json": {StatesCannotBeWritten: "NotImplementedError", ReadsLuckAsText: "comes back from JSON as"},
    "notation": {
        WritesHalfTheMove: "and reads as",
        CrashesOnBadLines: "ValueError: invalid literal for int()",
        ReadsBadLinesAsNone: "which is no move",
    },
    "replay": {
        WritesTabs: "RecordError: ply 1: 1 to 500 printable characters are needed",
        ReplaysDifferently: "the replay differs",
        RepeatsDifferently: "another state follows from the same seed",
    },
    "non_interference": {
        ShowsTheDeck: "would see that the imagined state is another one",
        OrdersBySecrets: "depend on what it cannot see",
        EndsBySecrets: "whether it is time to decide, for luck or to stop depends on what",
        ImaginesOtherCards: "a spectator imagines other cards than the game has",
        RevealsCommitment: "gets events about what it cannot see",
        RevealsDeal: "seat 1 gets events about what it cannot see",
    },
    "imagination": {ImaginesCardsThatAreNotHeld: "imagines a state that no moves lead to"},
}
"""The law that each variant breaks, and the sentence of the kit."""
