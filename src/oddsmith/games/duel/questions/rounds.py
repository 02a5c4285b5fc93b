"""Questions about one round: the exchange of two hands, and the splits of a fighter's hand."""

from collections.abc import Iterable
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.cards import without
from oddsmith.chance import DealHand, Draw
from oddsmith.errors import InputError
from oddsmith.game import Act, Await, Decide, Luck, Step
from oddsmith.games.duel.conditions import abilities_of, round_rules, worn_fighter
from oddsmith.games.duel.engine import GAME, OPPONENT, PLAYER
from oddsmith.games.duel.model import (
    Blow,
    Corner,
    Exchanged,
    ExecuteTurn,
    Hand,
    Power,
    Result,
    SelectDefense,
    State,
)
from oddsmith.games.duel.optional_rules import Ability, Streak
from oddsmith.games.duel.questions.fields import (
    AnyHand,
    locate_errors,
    read_cards,
    read_hand,
    require_position,
    require_streak,
)
from oddsmith.games.duel.rules import Fighter, Rules
from oddsmith.games.duel.scoring import SPLITS, split, split_power
from oddsmith.question import Context, Question, Request
from oddsmith.reply_figures import NO_FIGURE

HitPoints: TypeAlias = Annotated[int, Meta(ge=1, le=10_000)]
Round: TypeAlias = Annotated[int, Meta(ge=1, le=100)]
FighterName: TypeAlias = Literal["player", "rival", "house"]
"""The player, the second of two players, and the house's fighter."""
NAMES: Final = ("player", "opponent")
"""The fields of a round's request by corner."""


# --- requests and replies --------------------------------------------------------------------------------------------


class FighterHand(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A hand, drawn where it is null, and the cards of it that defend; the others attack."""

    hand: AnyHand | None = None
    defense: AnyHand = ()

    def cards(self, where: str) -> Hand | None:
        """Return the cards of the hand; raise `InputError` for a bad one."""
        return None if self.hand is None else read_hand(self.hand, f"{where}.hand")

    def defending(self, where: str) -> Hand:
        """Return the cards that defend; raise `InputError` for one that is not in the hand."""
        found = read_cards(self.defense, f"{where}.defense")
        with locate_errors(f"{where}.defense"):
            without(self.cards(where) or (), found)
        return found


DRAWN: Final = FighterHand()


class RoundRequest(Request, frozen=True, kw_only=True):
    """A round with these hands and splits, against the house or another player.

    The house splits by the rules, so `opponent` has only a hand then. Hit points are full by default. `streaks` are
    those of both fighters' combos, by default those before the first round.
    """

    house: bool = True
    round: Round = 1
    hp: tuple[HitPoints, HitPoints] | None = None
    streaks: tuple[Streak, Streak] | None = None
    player: FighterHand = DRAWN
    opponent: FighterHand = DRAWN


class RoundReply(msgspec.Struct, frozen=True, kw_only=True):
    """The hands and blows of both fighters; `result` is null while the duel goes on."""

    rules_id: str
    house: bool
    round: int
    hands: tuple[Hand, Hand]
    blows: tuple[Blow, Blow]
    result: Result | None


class FighterRequest(Request, frozen=True, kw_only=True):
    """A fighter, and the hand to split, if any; the round and the streak of its combo (§2.11, §2.12)."""

    fighter: FighterName = "player"
    hand: AnyHand | None = None
    round: Round = 1
    streak: Streak = 0


class FighterSplit(msgspec.Struct, frozen=True, kw_only=True):
    """The two sides of one split."""

    attack: Power
    defense: Power


class FighterReply(msgspec.Struct, frozen=True, kw_only=True):
    """A fighter's full hit points and what is left of its gear; `abilities` are those that its skill unlocks (§2.9).

    `splits` are the 32 of the hand, all attack first, and empty without a hand.
    """

    rules_id: str
    fighter: Annotated[FighterName, NO_FIGURE]
    hp: int
    gear: Fighter
    abilities: Annotated[tuple[Ability, ...], NO_FIGURE]
    splits: tuple[FighterSplit, ...]


# --- a round ---------------------------------------------------------------------------------------------------------


def fight_round(request: RoundRequest, context: Context[Rules]) -> RoundReply:
    """Fight one round.

    Raise `InputError` for a bad hand or split, or for hit points or a round that the duel cannot have.

    >>> mine = FighterHand(hand="10♠ 7♥ 5♣ A♦ 3♠", defense="5♣ 3♠")
    >>> theirs = FighterHand(hand="2♠ 2♥ 4♣ 6♦ 8♠")
    >>> request = RoundRequest(player=mine, opponent=theirs, house=False)
    >>> fight_round(request, Context(rules=Rules())).blows[0].dealt
    28
    """
    rules = context.rules
    given = request.player, request.opponent
    _require_hands(given, house=request.house)
    state = _deal(_position(request, rules), given, context.draw)
    hands = state.sides[PLAYER].hand, state.sides[OPPONENT].hand
    fought = _fight(state, given)
    exchanged = next(event for event in fought.events if isinstance(event, Exchanged))
    return RoundReply(
        rules_id=rules.rules_id,
        house=request.house,
        round=request.round,
        hands=hands,
        blows=exchanged.blows,
        result=fought.state.result,
    )


def _require_hands(given: Iterable[FighterHand], *, house: bool) -> None:
    """Raise `InputError` for a bad hand, and for a split of a hand that is not given or is the house's."""
    for where, side in zip(NAMES, given, strict=True):
        hand = side.cards(where)
        if side.defense and (hand is None or (house and where == "opponent")):
            raise InputError(
                "no_split",
                "only a hand that is given, and not the house's, is split as you like",
                where=f"{where}.defense",
            )
        side.defending(where)


def _position(request: RoundRequest, rules: Rules) -> State:
    """Return the duel before the round of the request."""
    start = GAME.setup(rules, 1 if request.house else 2)
    full = start.sides[PLAYER].hp, start.sides[OPPONENT].hp
    hp = full if request.hp is None else request.hp
    require_position(hp, full, request.round, rules.rounds, fields=("hp[0]", "hp[1]"))
    change = msgspec.structs.replace
    streaks = request.streaks or (start.sides[PLAYER].streak, start.sides[OPPONENT].streak)
    for place, streak in enumerate(streaks):
        require_streak(streak, rules, where=f"streaks[{place}]")
    sides = (
        change(start.sides[PLAYER], hp=hp[0], streak=streaks[0]),
        change(start.sides[OPPONENT], hp=hp[1], streak=streaks[1]),
    )
    return change(start, round=request.round, sides=sides)


def _deal(state: State, given: tuple[FighterHand, FighterHand], draw: Draw) -> State:
    """Return the state after the deal of the given hands; others are drawn."""
    turn = GAME.turn(state)
    while isinstance(turn, Await):
        chance = turn.chance
        corner = _next_corner(state)
        hand = given[corner].cards(NAMES[corner]) if isinstance(chance, DealHand) else None
        outcome = chance.sample(draw) if hand is None else tuple(sorted(hand))
        state = GAME.step(state, Luck(outcome)).state
        turn = GAME.turn(state)
    return state


def _next_corner(state: State) -> Corner:
    """Return the corner that is dealt a hand next: the house before the player, seat 0 before seat 1 (§3.7)."""
    first: Corner = OPPONENT if state.house else PLAYER
    other: Corner = PLAYER if state.house else OPPONENT
    return other if state.sides[first].hand else first


def _fight(state: State, given: tuple[FighterHand, FighterHand]) -> Step[State]:
    """Make each seat that chooses split its hand and fight, and return the last step."""
    turn = GAME.turn(state)
    seats = turn.seats if isinstance(turn, Decide) else ()
    step: Step[State] = Step(state, ())
    for seat in seats:
        hand = step.state.sides[seat].hand
        places = tuple(hand.index(card) for card in given[seat].defending(NAMES[seat]))
        chosen = GAME.step(step.state, Act(seat, SelectDefense(places)))
        step = GAME.step(chosen.state, Act(seat, ExecuteTurn()))
    return step


# --- a fighter -------------------------------------------------------------------------------------------------------


def describe_fighter(request: FighterRequest, context: Context[Rules]) -> FighterReply:
    """Return a fighter's gear, and its attack and defence for each split of a hand.

    >>> describe_fighter(FighterRequest(fighter="house"), Context(rules=Rules())).hp
    80
    >>> hand = FighterRequest(hand="10♠ 7♥ 5♣ A♦ 3♠")
    >>> describe_fighter(hand, Context(rules=Rules())).splits[0].attack.total
    36
    """
    rules = context.rules
    fighter, hp = _fighters(rules)[request.fighter]
    require_streak(request.streak, rules, where="streak")
    in_round = round_rules(rules, request.round, request.streak)
    return FighterReply(
        rules_id=rules.rules_id,
        fighter=request.fighter,
        hp=hp,
        gear=worn_fighter(fighter, in_round),
        abilities=tuple(sorted(abilities_of(fighter, rules))),
        splits=() if request.hand is None else _splits(read_hand(request.hand, "hand"), fighter, in_round),
    )


def _fighters(rules: Rules) -> dict[FighterName, tuple[Fighter, int]]:
    """Return the gear and the full hit points of each fighter (§3.1, §3.6, §7.5)."""
    return {
        "player": (rules.player, rules.player_hp),
        "rival": (rules.rival, rules.player_hp),
        "house": (rules.house_fighter, rules.opponent_hp),
    }


def _splits(hand: Hand, gear: Fighter, rules: Rules) -> tuple[FighterSplit, ...]:
    sides = [split(hand, defends) for defends in SPLITS]
    return tuple(
        FighterSplit(attack=power, defense=guard)
        for power, guard in (split_power(*both, gear, rules) for both in sides)
    )


ROUND: Final = Question(
    name="round",
    request=RoundRequest,
    reply=RoundReply,
    answer=fight_round,
    is_quick=True,
    draws=True,
    has_figures=False,
    is_command=False,
)
FIGHTER: Final = Question(
    name="fighter",
    request=FighterRequest,
    reply=FighterReply,
    answer=describe_fighter,
    is_quick=True,
    is_command=False,
)
