"""The question that ranks the splits of a hand: by their value under perfect play, or by damage dealt and taken."""

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.cards import Card
from oddsmith.errors import InputError
from oddsmith.games.duel.model import Power
from oddsmith.games.duel.optional_rules import Streak
from oddsmith.games.duel.questions.fields import (
    NO_CHANGES,
    AnyHand,
    ObjectiveName,
    RuleChanges,
    change_rules,
    find_solution,
    read_hand,
    require_position,
    require_quick,
    require_streak,
)
from oddsmith.games.duel.rules import Rules
from oddsmith.games.duel.scoring import SPLITS, Objective
from oddsmith.question import Context, Question, Request, argument, option, spread
from oddsmith.reply_figures import NO_FIGURE

if TYPE_CHECKING:
    from oddsmith.games.duel.odds import Solution, SplitValue

ALL: Final = len(SPLITS)

EnemyPower: TypeAlias = Annotated[int, Meta(ge=0, le=10_000)]


def _enemy_option(text: str) -> Meta:
    return option(
        text,
        metavar="NUMBER",
        code="bad_enemy",
        sentence="attack and defence are numbers from {ge} to {le:,}, not {value}",
    )


class SplitRequest(Request, frozen=True, kw_only=True):
    """A hand to split in a duel with the house.

    `enemy_attack` and `enemy_defense` are the powers that the house shows. Without them, where the rules hide them, splits
    have means over the house's exchanges. Hit points are full by default. `objective` is what perfect play maximizes;
    where it is null, or `solve` is false, splits are ranked by damage.
    """

    hand: Annotated[AnyHand, argument('Five cards: "10♠ 7♥ 5♣ A♦ 3♠" or "TS 7H 5C AD 3S".', metavar="HAND")]
    enemy_attack: Annotated[EnemyPower | None, _enemy_option("The attack that it shows.")] = None
    enemy_defense: Annotated[EnemyPower | None, _enemy_option("The defence that it shows.")] = None
    hp: Annotated[int | None, option("Your hit points; full by default.", metavar="NUMBER")] = None
    enemy_hp: Annotated[
        int | None, option("The opponent's hit points; full by default.", metavar="NUMBER")
    ] = None
    round: Annotated[int, option("Which round it is.", metavar="NUMBER")] = 1
    changes: Annotated[RuleChanges, spread("Changes of the rules.")] = NO_CHANGES
    streak: Annotated[
        Streak, option("The streak of your combo, where combos are in force.", metavar="NUMBER")
    ] = 0
    enemy_streak: Annotated[Streak, option("The streak of a hidden opponent's combo.", metavar="NUMBER")] = 0
    objective: ObjectiveName | None = None
    solve: Annotated[
        bool, option("Whether to say what each split is worth.", "--solve/--no-solve", shows_default=False)
    ] = True
    top: Annotated[int, Meta(ge=1, le=ALL), option("How many of the best.", metavar="NUMBER")] = ALL


class RankedSplit(msgspec.Struct, frozen=True, kw_only=True):
    """One split of a hand: its powers, the damage it deals and takes, its value, and its loss against the best."""

    attack: Power
    defense: Power
    dealt: Fraction
    taken: Fraction
    value: Annotated[float | None, NO_FIGURE] = None
    loss: Annotated[float | None, NO_FIGURE] = None


class SplitReply(msgspec.Struct, frozen=True, kw_only=True):
    """The splits of a hand, best first, valued with fresh decks.

    `enemy` is the attack and the defence that are shown, or null where numbers are means over the opponent's exchanges.
    `flight` is the value of fleeing, or null where that is not allowed. `error` bounds the error of a value, and twice it
    that of a loss. `objective`, `error` and every value are null where nothing was solved.
    """

    rules_id: str
    hand: tuple[Card, ...]
    hp: Annotated[int, NO_FIGURE]
    enemy_hp: Annotated[int, NO_FIGURE]
    round: Annotated[int, NO_FIGURE]
    enemy: Annotated[tuple[int, int] | None, NO_FIGURE]
    objective: Annotated[Objective | None, NO_FIGURE]
    error: Annotated[float | None, NO_FIGURE]
    flight: Annotated[float | None, NO_FIGURE]
    splits: tuple[RankedSplit, ...]


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """A hand, both fighters' hit points, the round, and the opponent's attack and defence, or None where they are hidden.

    `streaks` are those of both fighters' combos (§2.12).
    """

    hand: tuple[Card, ...]
    hps: tuple[int, int]
    round: int
    enemy: tuple[int, int] | None
    streaks: tuple[int, int] = (0, 0)


def rank_splits(request: SplitRequest, context: Context[Rules]) -> SplitReply:
    """Rank all 32 splits of a hand.

    Where the opponent shows its split, --enemy-attack and --enemy-defense say it.


    >>> hand = SplitRequest(hand="10♠ 7♥ 5♣ A♦ 3♠", enemy_attack=25, enemy_defense=10, top=1)
    >>> best = rank_splits(hand, Context(rules=Rules())).splits[0]
    >>> best.attack.total, best.dealt, best.taken
    (36, Fraction(26, 1), Fraction(25, 1))
    """
    rules = change_rules(context.rules, request.changes)
    position = _read_position(request, rules)
    wanted = request.objective if request.solve else None
    if context.is_limited and (position.enemy is None or wanted is not None):
        require_quick(rules)
    if wanted is None:
        reply = rank_by_trade(rules, position)
    else:
        solution = find_solution(rules, Objective(wanted), context, without="--no-solve")
        reply = rank_by_value(solution, position)
    return msgspec.structs.replace(reply, splits=reply.splits[: request.top])


def _read_position(request: SplitRequest, rules: Rules) -> Position:
    full = rules.player_hp, rules.opponent_hp
    hps = (
        full[0] if request.hp is None else request.hp,
        full[1] if request.enemy_hp is None else request.enemy_hp,
    )
    hand = read_hand(request.hand, "hand")
    require_streak(request.streak, rules, where="streak")
    require_streak(request.enemy_streak, rules, where="enemy_streak")
    require_position(hps, full, request.round, rules.rounds, fields=("hp", "enemy_hp"))
    return Position(
        hand=hand,
        hps=hps,
        round=request.round,
        enemy=_read_enemy(request, rules),
        streaks=(request.streak, request.enemy_streak),
    )


def _read_enemy(request: SplitRequest, rules: Rules) -> tuple[int, int] | None:
    """Return the opponent's attack and defence, or None where it is hidden (§3.4)."""
    attack, defense = request.enemy_attack, request.enemy_defense
    if attack is None and defense is None and not rules.opponent_visible:
        return None
    if attack is None or defense is None:
        raise InputError(
            "no_enemy",
            "the opponent shows its split: give --enemy-attack and --enemy-defense, or --hidden for neither",
            where="enemy_attack" if attack is None else "enemy_defense",
            paragraph="3.4",
        )
    return attack, defense


# --- ranking ---------------------------------------------------------------------------------------------------------


def rank_by_value(solution: "Solution", position: Position) -> SplitReply:
    """Rank the splits of a hand by their value under perfect play; of equal ones the better trade comes first."""
    found = sorted(_splits(solution, position), key=lambda one: (one.value, *_trade(one)), reverse=True)
    flight = solution.flight_value(position.round)
    best = found[0].value
    return _reply(
        solution.rules,
        position,
        objective=solution.objective,
        error=solution.error,
        flight=flight if isfinite(flight) else None,
        splits=[(one, one.value, best - one.value) for one in found],
    )


def rank_by_trade(rules: Rules, position: Position) -> SplitReply:
    """Rank the splits of a hand by damage dealt less damage taken; of equal ones the one that deals more comes first."""
    solution = _zero_solution(rules, hidden=position.enemy is None)
    found = sorted(_splits(solution, position), key=_trade, reverse=True)
    return _reply(
        rules,
        position,
        objective=None,
        error=None,
        flight=None,
        splits=[(one, None, None) for one in found],
    )


def _splits(solution: "Solution", position: Position) -> Sequence["SplitValue"]:
    return solution.splits(
        position.hand, *position.hps, position.round, shown=position.enemy, streaks=position.streaks
    )


def _trade(one: "SplitValue") -> tuple[Fraction, Fraction]:
    return one.dealt - one.taken, one.dealt


def _zero_solution(rules: Rules, *, hidden: bool) -> "Solution":
    """Return a solution whose values are all 0, which still has the damage of splits."""
    import numpy as np

    from oddsmith.games.duel.classes import house_exchange
    from oddsmith.games.duel.conditions import round_rules
    from oddsmith.games.duel.odds import Solution, stack_exchange

    values = np.broadcast_to(np.float64(0), (rules.rounds, rules.player_hp + 1, rules.opponent_hp + 1))
    first = round_rules(rules, 1)
    exchange = stack_exchange(house_exchange(first)) if hidden else np.array([], dtype=np.int64)
    return Solution(
        rules=rules, objective=Objective.WIN, house=True, values=values, exchange=exchange, error=0.0
    )


def _reply(
    rules: Rules,
    position: Position,
    *,
    objective: Objective | None,
    error: float | None,
    flight: float | None,
    splits: Sequence[tuple["SplitValue", float | None, float | None]],
) -> SplitReply:
    return SplitReply(
        rules_id=rules.rules_id,
        hand=position.hand,
        hp=position.hps[0],
        enemy_hp=position.hps[1],
        round=position.round,
        enemy=position.enemy,
        objective=objective,
        error=error,
        flight=flight,
        splits=tuple(
            RankedSplit(
                attack=one.attack,
                defense=one.defense,
                dealt=one.dealt,
                taken=one.taken,
                value=value,
                loss=less,
            )
            for one, value, less in splits
        ),
    )


SPLIT: Final = Question(
    name="split",
    request=SplitRequest,
    reply=SplitReply,
    answer=rank_splits,
    example='oddsmith duel split "10♠ 7♥ 5♣ A♦ 3♠" --hidden --top 5',
    command_defaults={"objective": "win"},
)
