"""What the Combat Duel answers without a match: what a round does, how duels go, and what each split is worth."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import sqrt
from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta

from oddsmith.cards import STANDARD_DECK, require_held, without
from oddsmith.chance import DealHand, Draw
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.game import Act, Await, Decide, Luck, Step
from oddsmith.games.duel.advice import SplitReply, traded, weighed
from oddsmith.games.duel.classes import house_exchange
from oddsmith.games.duel.engine import GAME, OPPONENT, PLAYER
from oddsmith.games.duel.fighters import FighterQuestion, FighterReply, fighter_reply
from oddsmith.games.duel.model import (
    Blow,
    Corner,
    Exchanged,
    ExecuteTurn,
    Hand,
    Result,
    SelectDefense,
    State,
)
from oddsmith.games.duel.odds import Objective, Solved, kept_solution, solve
from oddsmith.games.duel.policies import POLICIES
from oddsmith.games.duel.prospects import Prospects, prospects
from oddsmith.games.duel.rules import DeckKind, Fighter, Rules
from oddsmith.games.duel.scoring import SPLITS, skill_modifier
from oddsmith.poker import FULL_HAND
from oddsmith.questions import GivenRules, Question, Questions, in_batches, rules_of

__all__ = [
    "QUESTIONS",
    "TYPICAL",
    "DuelOddsQuestion",
    "DuelOddsReply",
    "FighterHand",
    "Measured",
    "RoundQuestion",
    "RoundReply",
    "SolvedQuestion",
    "SolvedReply",
    "SplitQuestion",
    "odds_reply",
]

TYPICAL: Final = (3, 7)
"""The rounds in which most duels end, as the source document has it."""

MOST_POSITIONS: Final = 500_000
"""How many hit points on both sides and rounds, multiplied, are followed while somebody waits."""
LARGEST_POWER: Final = 400
"""How large an attack may be for that."""
LAST_FOLLOWED: Final = 200
"""How many duels are remembered that were followed to the end."""

MOST_SOLVED: Final = 5_000
"""How many positions are solved while somebody waits."""
MOST_MET: Final = 13_000_000
"""The square of what the house may do, in all rounds: twelve with usual cards take a few seconds."""
LAST_SOLVED: Final = 16

HitPoints: TypeAlias = Annotated[int, Meta(ge=1, le=10_000)]
Round: TypeAlias = Annotated[int, Meta(ge=1, le=100)]
EnemyPower: TypeAlias = Annotated[int, Meta(ge=0, le=10_000)]
Wanted: TypeAlias = Literal["win", "gold"]
"""What perfect play may want most."""
PolicyName: TypeAlias = Literal["random", "all_attack", "all_defense", "best_trade"]


class FighterHand(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A hand, drawn where none is given, and those of its cards that defend; the others attack."""

    hand: Hand | None = None
    defense: Hand = ()


DRAWN: Final = FighterHand()


class RoundQuestion(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="round"
):
    """What a round does, with these hands and splits, against the house or another player.

    The house splits as the rules say, so `opponent` has only a hand then. Hit points are full, unless told.
    """

    rules: GivenRules = "default"
    house: bool = True
    round: Round = 1
    hp: tuple[HitPoints, HitPoints] | None = None
    player: FighterHand = DRAWN
    opponent: FighterHand = DRAWN


class DuelOddsQuestion(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="duel"
):
    """How duels with the house go from their start, with fresh decks, for fighters who split by a simple policy.

    `objective` adds what the duel is worth to perfect play that wants this most.
    """

    rules: GivenRules = "default"
    policies: Annotated[tuple[PolicyName, ...], Meta(min_length=1, max_length=4)] = ("best_trade",)
    objective: Wanted | None = None


class SplitQuestion(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="split"
):
    """What the splits of a hand deal and take in a duel with the house, and what they are worth to perfect play.

    `enemy` is the attack and the defence that the house shows; without them, where the rules hide them, splits have
    means over all that it may do. Hit points are full, unless told. `objective` is what perfect play wants most; where it is null, splits are ranked by damage.
    """

    rules: GivenRules = "default"
    hand: Hand
    hp: HitPoints | None = None
    enemy_hp: HitPoints | None = None
    round: Round = 1
    enemy: tuple[EnemyPower, EnemyPower] | None = None
    objective: Wanted | None = None
    top: Annotated[int, Meta(ge=1, le=len(SPLITS))] = len(SPLITS)


class SolvedQuestion(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="solved"
):
    """What perfect play of a duel with the house may want most, and is answered."""

    rules: GivenRules = "default"


class RoundReply(msgspec.Struct, frozen=True, kw_only=True):
    """What both fighters did, dealt and have left; `result` is null while the duel goes on."""

    rules_id: str
    house: bool
    round: int
    hands: tuple[Hand, Hand]
    blows: tuple[Blow, Blow]
    result: Result | None


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """A number, and how far the true one may be from it."""

    value: float
    error: float


class DuelOddsReply(msgspec.Struct, frozen=True, kw_only=True):
    """How duels with fresh decks go for each bot.

    `typical` is the share of duels that end within `typical_rounds`, within the `typical_error` of the bot. `solved` is
    what perfect play is worth; it and `objective` are null without perfect play, `seed` where no duels were fought.
    """

    rules_id: str
    bots: Mapping[str, Prospects]
    typical_rounds: tuple[int, int]
    typical: Mapping[str, float]
    typical_error: Mapping[str, float]
    objective: Objective | None
    seed: str | None
    solved: Measured | None


class SolvedReply(msgspec.Struct, frozen=True, kw_only=True):
    """The objectives for which perfect play is known here, or soon solved; of others a question is refused."""

    rules_id: str
    objectives: tuple[Objective, ...]


# --- a round ---------------------------------------------------------------------------------------------------------


def resolve(asked: RoundQuestion, draw: Draw) -> RoundReply:
    """Fight one round.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.chance import System
    >>> mine = FighterHand(hand=cards("10♠ 7♥ 5♣ A♦ 3♠"), defense=cards("5♣ 3♠"))
    >>> theirs = FighterHand(hand=cards("2♠ 2♥ 4♣ 6♦ 8♠"))
    >>> resolve(RoundQuestion(player=mine, opponent=theirs, house=False), System()).blows[0].dealt
    28
    """
    rules = rules_of(Rules, asked.rules)
    given = asked.player, asked.opponent
    _require_hands(given, house=asked.house)
    state = _dealt(_position(asked, rules), given, draw)
    hands = state.sides[PLAYER].hand, state.sides[OPPONENT].hand
    fought = _fought(state, given)
    exchanged = next(event for event in fought.events if isinstance(event, Exchanged))
    return RoundReply(
        rules_id=rules.rules_id,
        house=asked.house,
        round=asked.round,
        hands=hands,
        blows=exchanged.blows,
        result=fought.state.result,
    )


def _require_hands(given: Iterable[FighterHand], *, house: bool) -> None:
    """Refuse what is no hand, and a split of a hand that is not given or is the house's."""
    for where, side in zip(("player", "opponent"), given, strict=True):
        if side.hand is not None:
            if len(side.hand) != FULL_HAND:
                raise InputError(
                    "bad_hand", f"a hand has {FULL_HAND} cards, not {len(side.hand)}", where=where
                )
            require_held(side.hand, STANDARD_DECK)
        if side.defense and (side.hand is None or (house and where == "opponent")):
            raise InputError(
                "no_split",
                "only a hand that is given, and not the house's, is split as you like",
                where=where,
            )
        without(side.hand or (), side.defense)


def _position(asked: RoundQuestion, rules: Rules) -> State:
    """Return the duel before the round that is asked about."""
    start = GAME.setup(rules, 1 if asked.house else 2)
    full = start.sides[PLAYER].hp, start.sides[OPPONENT].hp
    hp = full if asked.hp is None else asked.hp
    if hp[0] > full[0] or hp[1] > full[1] or asked.round > rules.rounds:
        raise InputError(
            "no_position",
            f"{hp[0]} against {hp[1]} HP in round {asked.round} is no position of this duel: hit points are 1 to "
            f"{full[0]} and 1 to {full[1]}, rounds 1 to {rules.rounds}",
        )
    change = msgspec.structs.replace
    sides = change(start.sides[PLAYER], hp=hp[0]), change(start.sides[OPPONENT], hp=hp[1])
    return change(start, round=asked.round, sides=sides)


def _dealt(state: State, given: tuple[FighterHand, FighterHand], draw: Draw) -> State:
    """Let luck decide all that is not given, until somebody must choose."""
    turn = GAME.turn(state)
    while isinstance(turn, Await):
        chance = turn.chance
        hand = given[_next_corner(state)].hand if isinstance(chance, DealHand) else None
        outcome = chance.sample(draw) if hand is None else tuple(sorted(hand))
        state = GAME.step(state, Luck(outcome)).state
        turn = GAME.turn(state)
    return state


def _next_corner(state: State) -> Corner:
    """Return who is dealt a hand next: the house before the player, one player before the other (§3.7)."""
    first: Corner = OPPONENT if state.house else PLAYER
    other: Corner = PLAYER if state.house else OPPONENT
    return other if state.sides[first].hand else first


def _fought(state: State, given: tuple[FighterHand, FighterHand]) -> Step[State]:
    """Let everybody who chooses split and fight, and return the last step."""
    turn = GAME.turn(state)
    seats = turn.seats if isinstance(turn, Decide) else ()
    step: Step[State] = Step(state, ())
    for seat in seats:
        held = step.state.sides[seat].hand
        places = tuple(held.index(card) for card in given[seat].defense)
        chosen = GAME.step(step.state, Act(seat, SelectDefense(places)))
        step = GAME.step(chosen.state, Act(seat, ExecuteTurn()))
    return step


# --- odds ------------------------------------------------------------------------------------------------------------

AnyOddsQuestion: TypeAlias = DuelOddsQuestion | SplitQuestion | FighterQuestion | SolvedQuestion
AnyOddsReply: TypeAlias = DuelOddsReply | SplitReply | FighterReply | SolvedReply


def odds(asked: AnyOddsQuestion, draw: Draw) -> AnyOddsReply:  # noqa: ARG001  nothing is drawn
    """Say how duels go, what the splits of a hand are worth, what a fighter makes of them, or what is solved.

    What takes long to follow or to solve is refused.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.chance import System
    >>> best = odds(SplitQuestion(hand=cards("10♠ 7♥ 5♣ A♦ 3♠"), enemy=(25, 10), top=1), System()).splits[0]
    >>> best.attack.total, best.dealt, best.taken
    (36, Fraction(26, 1), Fraction(25, 1))
    """
    if isinstance(asked, FighterQuestion):
        return fighter_reply(asked)
    rules = rules_of(Rules, asked.rules)
    if isinstance(asked, SolvedQuestion):
        return SolvedReply(rules_id=rules.rules_id, objectives=_answered(rules))
    if isinstance(asked, SplitQuestion):
        if asked.enemy is None or asked.objective is not None:
            _require_quick(rules)
        return _ranked(asked, rules)
    _require_quick(rules)
    fresh = rules.replace(deck=DeckKind.FRESH)
    solved = None if asked.objective is None else _solved(fresh, Objective(asked.objective))
    return odds_reply({name: _followed(name, fresh) for name in asked.policies}, rules, solved)


def _ranked(asked: SplitQuestion, rules: Rules) -> SplitReply:
    """Rank the splits of a hand; what is wrong with it is said before anything is solved."""
    if asked.enemy is None and rules.opponent_visible:
        raise InputError(
            "no_enemy",
            "the opponent shows its split: give its attack and its defence, or rules that hide them",
            where="enemy",
            paragraph="3.4",
        )
    hps = (
        rules.player_hp if asked.hp is None else asked.hp,
        rules.opponent_hp if asked.enemy_hp is None else asked.enemy_hp,
    )
    reply = traded(rules, asked.hand, hps, asked.round, asked.enemy)
    if asked.objective is not None:
        solved = _solved(rules.replace(deck=DeckKind.FRESH), Objective(asked.objective))
        of_rules = msgspec.structs.replace(solved, rules=rules)
        reply = weighed(of_rules, asked.hand, hps, asked.round, asked.enemy)
    return msgspec.structs.replace(reply, splits=reply.splits[: asked.top])


@lru_cache(maxsize=LAST_SOLVED)
def _solved(rules: Rules, objective: Objective) -> Solved:
    """Return a solution that is in the disk cache, or that takes a moment; what strangers ask about is not kept there."""
    kept = kept_solution(rules, objective)
    if kept is not None:
        return kept
    if not _is_soon_solved(rules, objective):
        raise WorkLimitError(
            "not_solved",
            "perfect play of this duel takes long to solve: `oddsmith duel odds` does so with these rules and "
            f"--objective {objective}, and where it was run before, the answer is here at once",
        )
    return solve(rules, objective, keep=False)


def _answered(rules: Rules) -> tuple[Objective, ...]:
    """Return for which objectives perfect play is answered."""
    if _why_slow(rules) is not None:
        return ()
    fresh = rules.replace(deck=DeckKind.FRESH)
    return tuple(
        objective
        for objective in map(Objective, get_args(Wanted))
        if kept_solution(fresh, objective) is not None or _is_soon_solved(fresh, objective)
    )


def _is_soon_solved(rules: Rules, objective: Objective) -> bool:
    """Say whether there are few positions, and few things that the house may do in them: each is met by all hands."""
    if objective is not Objective.WIN or _positions(rules) > MOST_SOLVED:
        return False
    done = len([*house_exchange(rules)])
    return rules.rounds * done * done <= MOST_MET


def _positions(rules: Rules) -> int:
    return rules.player_hp * rules.opponent_hp * rules.rounds


@lru_cache(maxsize=LAST_FOLLOWED)
def _followed(policy: str, rules: Rules) -> Prospects:
    return prospects(POLICIES[policy], rules)


def _require_quick(rules: Rules) -> None:
    slow = _why_slow(rules)
    if slow is not None:
        raise slow


def _why_slow(rules: Rules) -> WorkLimitError | None:
    """Say why duels with these rules are not followed while somebody waits, or None."""
    if _positions(rules) > MOST_POSITIONS:
        return WorkLimitError(
            "too_many_states",
            f"{rules.player_hp} × {rules.opponent_hp} HP × {rules.rounds} rounds are more than the "
            f"{MOST_POSITIONS:,} positions that are followed while somebody waits",
        )
    power = max(_largest_power(fighter, rules) for fighter in (rules.player, rules.house_fighter))
    if power > LARGEST_POWER:
        return WorkLimitError(
            "too_much_power",
            f"attacks of up to {power:,} are more than the {LARGEST_POWER:,} that are followed while somebody waits",
        )
    return None


def _largest_power(fighter: Fighter, rules: Rules) -> int:
    """Return what no attack, defense or damage is above."""
    cards = FULL_HAND * max(rules.card_values.values()) + max(rules.hand_bonuses.values())
    gear = max(abs(fighter.weapon), abs(fighter.armor)) + skill_modifier(fighter.skill, rules)
    least = max(rules.least_attack, rules.least_defense, rules.least_dealt, rules.least_taken)
    shared = max(1, int(rules.defense_share))
    return max(cards * shared + gear, least)


def odds_reply(
    bots: Mapping[str, Prospects], rules: Rules, solved: Solved | None, *, seed: str | None = None
) -> DuelOddsReply:
    """Say how duels go for some fighters, how many of them end as soon as most are said to, and what was solved."""
    first, last = TYPICAL
    return DuelOddsReply(
        rules_id=rules.rules_id,
        bots=bots,
        typical_rounds=TYPICAL,
        typical={name: sum(one.ends[first - 1 : last]) for name, one in bots.items()},
        typical_error={name: _typical_error(one) for name, one in bots.items()},
        objective=None if solved is None else solved.objective,
        seed=seed,
        solved=None if solved is None else Measured(value=solved.value(), error=solved.error),
    )


def _typical_error(one: Prospects) -> float:
    """Return how far a share of ends may be off: all rounding adds up to the bound, and 1/√n is half of 95 % or more."""
    return one.error if one.duels is None else 1 / sqrt(one.duels)


_RESOLVE: Final = Question(request=RoundQuestion, reply=RoundReply, answer=resolve, quick=True)

QUESTIONS: Final = Questions(
    resolve=_RESOLVE,
    batch=in_batches(_RESOLVE),
    odds=Question(request=AnyOddsQuestion, reply=AnyOddsReply, answer=odds),
)
"""What may be asked of the Combat Duel."""
