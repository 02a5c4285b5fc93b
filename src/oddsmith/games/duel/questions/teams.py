"""Questions about team duels: a round, exactly, and how whole duels end, estimated."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Final, TypeGuard

import msgspec
from msgspec import Meta

from oddsmith.errors import InputError, WorkLimitError, nearest
from oddsmith.game import Seat
from oddsmith.games.duel.conditions import round_rules
from oddsmith.games.duel.model import PERFECT, STEADY_POLICIES, Corner, Hand, Power, Result, SteadyPolicy
from oddsmith.games.duel.optional_rules import Streak
from oddsmith.games.duel.questions.duels import (
    DEFAULT_SEED,
    FEWEST_DUELS,
    MOST_DUELS,
    Measurement,
    choose_seed,
)
from oddsmith.games.duel.questions.fields import AnyHand, locate_errors, read_cards, read_hand, require_streak
from oddsmith.games.duel.rules import Rules
from oddsmith.games.duel.scoring import split_power
from oddsmith.games.duel.team_model import MOST_FIGHTERS, TeamBlow
from oddsmith.games.duel.team_scoring import (
    NOT_SOLVED,
    SIDES,
    exchange_blows,
    gear_of,
    living_opponents,
    seats_of,
    side_of,
    team_result,
    weakest_opponent,
)
from oddsmith.question import Context, Question, Request, option

MOST_EXCHANGES_SERVED: Final = 500
"""The most distributions of a fighter's split that a server computes for one request, by gear, streaks and wear."""
MOST_DUELS_SERVED: Final = 20_000
"""The most team duels that a server simulates for one request."""


# --- requests and replies --------------------------------------------------------------------------------------------


class TeamFighterInput(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fighter of a team round: the cards of its hand that defend, or the policy by which it splits a hand that is not known.

    Without a `target` it attacks the one that the bot of its policy attacks; a known hand attacks the opponent opposite or
    the next. Hit points are full by default; a fighter with 0 is out. `streak` is that of its combo, by default as before
    the first round.
    """

    policy: SteadyPolicy = "best_trade"
    hand: AnyHand | None = None
    defense: AnyHand = ()
    target: Annotated[int, Meta(ge=0, lt=MOST_FIGHTERS)] | None = None
    streak: Streak | None = None
    hp: Annotated[int, Meta(ge=0, le=1000)] | None = None


class TeamRoundRequest(Request, frozen=True, kw_only=True):
    """A round of a team duel; fighters that are not listed split by the best trade."""

    round: Annotated[int, Meta(ge=1, le=100)] = 1
    fighters: Annotated[tuple[TeamFighterInput, ...], Meta(max_length=MOST_FIGHTERS)] = ()


class TeamFighterOdds(msgspec.Struct, frozen=True, kw_only=True):
    """A fighter's round: whom it attacks, the exact chance that it falls, and the exact means of what it takes and keeps.

    Where it has several `targets`, each is equally likely. `attack` and `defense` are those of a known hand, else null.
    """

    seat: Seat
    side: Corner
    hp: int
    targets: tuple[Seat, ...]
    falls: Fraction
    hp_left: Fraction
    attack: Power | None = None
    defense: Power | None = None


class TeamRoundReply(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of the living fighters, and the mean hit points left of both sides.

    `blows` and `result` are what is decided where the hands of all living fighters are known; without that `blows` is
    empty. `result` is null, too, while the duel goes on; its winner is a side.
    """

    rules_id: str
    round: int
    fighters: tuple[TeamFighterOdds, ...]
    hp_left: tuple[Fraction, Fraction]
    blows: tuple[TeamBlow, ...]
    result: Result | None


class TeamOddsRequest(Request, frozen=True, kw_only=True):
    """Team duels with fresh decks between fixed policies.

    `allies` are the policies of the first side by seat, `opponents` those of the other; the last of them is that of all
    further seats. Both are lists of names, or text with commas between them.
    """

    allies: Annotated[
        str | tuple[str, ...], option("The policies of the first side, by seat.", metavar="NAME,NAME")
    ] = "best_trade"
    opponents: Annotated[
        str | tuple[str, ...], option("The policies of the other side, by seat.", metavar="NAME,NAME")
    ] = "best_trade"
    duels: Annotated[
        int, Meta(ge=FEWEST_DUELS, le=MOST_DUELS), option("How many to simulate.", metavar="NUMBER")
    ] = 10_000


class TeamOddsReply(msgspec.Struct, frozen=True, kw_only=True):
    """How simulated team duels end, with errors at 95 %: nothing of it is exact but `first_round`."""

    rules_id: str
    policies: tuple[SteadyPolicy, ...]
    duels: int
    seed: str
    win: Measurement
    defeat: Measurement
    draw: Measurement
    rounds: Measurement
    first_round: tuple[TeamFighterOdds, ...]


# --- a round ---------------------------------------------------------------------------------------------------------


def compute_team_round(request: TeamRoundRequest, context: Context[Rules]) -> TeamRoundReply:
    """Compute one round of a team duel exactly: what it decides, or the chance of every fighter to fall.

    >>> rules = Rules.preset("teams_of_two")
    >>> reply = compute_team_round(TeamRoundRequest(), Context(rules=rules))
    >>> [one.targets for one in reply.fighters]
    [(2,), (3,), (0,), (1,)]
    """
    rules = context.rules
    _require_teams(rules)
    count = 2 * rules.teams.size
    if len(request.fighters) > count:
        raise InputError(
            "bad_seats", f"this duel has {count} fighters, not {len(request.fighters)}", where="fighters"
        )
    if request.round > rules.rounds:
        raise InputError("no_position", f"the duel has {rules.rounds} rounds", where="round")
    given = (*request.fighters, *[TeamFighterInput()] * (count - len(request.fighters)))
    hps = _hit_points(given, rules)
    round_of = [_round_rules(seat, one, request.round, rules) for seat, one in enumerate(given)]
    known = _known_powers(given, hps, round_of)
    targets = {seat: _targets(seat, given[seat], hps, rules) for seat, hp in enumerate(hps) if hp}
    fighters = _fighter_odds(given, known, targets, hps, round_of)
    blows: tuple[TeamBlow, ...] = ()
    result = None
    if known.keys() == targets.keys():
        blows = exchange_blows(known, {seat: targets[seat][0] for seat in known}, hps, rules)
        left = {blow.seat: blow.hp for blow in blows}
        result = team_result([left.get(seat, 0) for seat in range(count)], request.round, rules)
    return TeamRoundReply(
        rules_id=rules.rules_id,
        round=request.round,
        fighters=fighters,
        hp_left=_mean_by_side(fighters),
        blows=blows,
        result=result,
    )


def _round_rules(seat: Seat, one: TeamFighterInput, number: int, rules: Rules) -> Rules:
    """Return the rules of the round for a fighter; raise `InputError` for a streak that it cannot have."""
    if one.streak is not None:
        require_streak(one.streak, rules, where=f"fighters[{seat}].streak")
    return round_rules(rules, number, one.streak)


def _require_teams(rules: Rules) -> None:
    if rules.teams.size == 1:
        raise InputError(
            "no_teams",
            "these rules have no teams: name the preset teams_of_two, say, or set teams.size",
            where="rules",
        )


def _hit_points(given: Sequence[TeamFighterInput], rules: Rules) -> tuple[int, ...]:
    """Return the hit points of every seat; raise `InputError` where there are too many, or none on a side."""
    full = rules.player_hp
    hps = tuple(full if one.hp is None else one.hp for one in given)
    for seat, hp in enumerate(hps):
        if hp > full:
            raise InputError(
                "no_position", f"a fighter has 0 to {full} HP, not {hp}", where=f"fighters[{seat}].hp"
            )
    for side in SIDES:
        if not any(hps[seat] for seat in seats_of(side, rules)):
            raise InputError(
                "no_position", "a side without living fighters has lost: no round is fought", where="fighters"
            )
    return hps


def _known_powers(
    given: Sequence[TeamFighterInput], hps: Sequence[int], round_of: Sequence[Rules]
) -> dict[Seat, tuple[Power, Power]]:
    """Return the attack and the defence of the living fighters whose hands are given."""
    found = {}
    for seat, one in enumerate(given):
        where = f"fighters[{seat}]"
        if one.hand is None:
            if one.defense:
                raise InputError("no_split", "only a hand that is given is split", where=f"{where}.defense")
            continue
        hand = read_hand(one.hand, f"{where}.hand")
        if hps[seat]:
            found[seat] = _split_powers(
                seat, hand, read_cards(one.defense, f"{where}.defense"), round_of[seat], where
            )
    return found


def _split_powers(seat: Seat, hand: Hand, defending: Hand, rules: Rules, where: str) -> tuple[Power, Power]:
    from oddsmith.cards import without

    with locate_errors(f"{where}.defense"):
        attacking = without(hand, defending)
    gear = gear_of(seat, rules)
    return split_power(attacking, defending, gear, rules)


def _targets(seat: Seat, one: TeamFighterInput, hps: Sequence[int], rules: Rules) -> tuple[Seat, ...]:
    """Return the seats that a fighter may attack, all equally likely; raise `InputError` for a bad target."""
    others = living_opponents(seat, hps, rules)
    if one.target is not None:
        if one.target not in others:
            listed = ", ".join(map(str, sorted(others)))
            raise InputError(
                "not_an_opponent",
                f"seat {one.target} has no living opponent of seat {seat}: those are in seats {listed}",
                where=f"fighters[{seat}].target",
            )
        return (one.target,)
    if one.hand is not None:
        return others[:1]
    return others if one.policy == "random" else (weakest_opponent(seat, hps, rules),)


def _fighter_odds(
    given: Sequence[TeamFighterInput],
    known: Mapping[Seat, tuple[Power, Power]],
    targets: Mapping[Seat, tuple[Seat, ...]],
    hps: Sequence[int],
    round_of: Sequence[Rules],
) -> tuple[TeamFighterOdds, ...]:
    from oddsmith.games.duel.team_odds import fighter_exchange, round_odds
    from oddsmith.odds.distribution import Distribution

    rules = round_of[0]
    exchanges = {
        seat: Distribution({(known[seat][0].total, known[seat][1].total): 1})
        if seat in known
        else fighter_exchange(
            given[seat].policy,
            gear_of(seat, rules),
            gear_of(targets[seat][0], rules),
            round_of[seat],
            round_of[targets[seat][0]],
        )
        for seat in targets
    }
    return tuple(
        TeamFighterOdds(
            seat=seat,
            side=side_of(seat, rules),
            hp=hps[seat],
            targets=targets[seat],
            falls=left.probability(0),
            hp_left=left.mean,
            attack=known[seat][0] if seat in known else None,
            defense=known[seat][1] if seat in known else None,
        )
        for seat, left in round_odds(exchanges, targets, hps, rules).items()
    )


def _mean_by_side(fighters: Sequence[TeamFighterOdds]) -> tuple[Fraction, Fraction]:
    first, second = (
        sum((one.hp_left for one in fighters if one.side == side), Fraction(0)) for side in SIDES
    )
    return first, second


# --- whole duels -----------------------------------------------------------------------------------------------------


def estimate_team_odds(request: TeamOddsRequest, context: Context[Rules]) -> TeamOddsReply:
    """Estimate how team duels end, and compute their first round.

    >>> request = TeamOddsRequest(allies="all_defense", opponents="all_attack", duels=1000)
    >>> reply = estimate_team_odds(request, Context(rules=Rules.preset("teams_of_two"), seed="yuma"))
    >>> reply.duels, reply.win.value + reply.defeat.value + reply.draw.value
    (1000, 1.0)
    """
    from oddsmith.games.duel.team_simulation import simulate_teams

    rules = context.rules
    _require_teams(rules)
    policies = (
        *_read_policies(request.allies, "allies", rules),
        *_read_policies(request.opponents, "opponents", rules),
    )
    if context.is_limited and request.duels > MOST_DUELS_SERVED:
        raise WorkLimitError(
            "too_many_duels",
            f"{request.duels:,} duels are more than the {MOST_DUELS_SERVED:,} that a server simulates",
            where="duels",
        )
    if context.is_limited and _count_exchanges(policies, rules) > MOST_EXCHANGES_SERVED:
        raise WorkLimitError(
            "too_many_distributions",
            f"gear, wear and streaks differ in too many ways: a server simulates teams with at most "
            f"{MOST_EXCHANGES_SERVED} distributions of splits",
            where="rules",
        )
    first = compute_team_round(
        TeamRoundRequest(fighters=tuple(TeamFighterInput(policy=policy) for policy in policies)), context
    )
    seed = choose_seed(context)
    with context.progress(f"fighting {request.duels:,} team duels") as report:
        tally = simulate_teams(policies, rules, request.duels, seed, progress=report)
    win, defeat, draw = (
        Measurement(value=share.mean, error=share.error) for share in map(tally.share, (0, 1, None))
    )
    return TeamOddsReply(
        rules_id=rules.rules_id,
        policies=policies,
        duels=request.duels,
        seed=seed,
        win=win,
        defeat=defeat,
        draw=draw,
        rounds=Measurement(value=tally.length.mean, error=tally.length.error),
        first_round=first.fighters,
    )


def _count_exchanges(policies: Sequence[SteadyPolicy], rules: Rules) -> int:
    """Return the number of distributions of splits that a simulation may need, by gear, target, streaks and wear."""
    seats = range(2 * rules.teams.size)
    pairs = {
        (policies[seat], gear_of(seat, rules), gear_of(target, rules))
        for seat in seats
        for target in living_opponents(seat, (1,) * len(seats), rules)
    }
    stages = {round_rules(rules, number) for number in range(1, rules.rounds + 1)}
    streaks = rules.combos.most + 1 if rules.combo_ranks else 1
    return len(pairs) * streaks**2 * len(stages)


def _read_policies(given: str | Sequence[str], where: str, rules: Rules) -> tuple[SteadyPolicy, ...]:
    """Return the policy of each seat of a side; raise `InputError` for an unknown one, for perfect play, or for too many."""
    names = [name.strip() for name in (given.split(",") if isinstance(given, str) else given)]
    size = rules.teams.size
    if not 1 <= len(names) <= size:
        raise InputError("bad_seats", f"a side has {size} fighters, not {len(names)}", where=where)
    found = [_read_policy(name, where) for name in names]
    return (*found, *found[-1:] * (size - len(found)))


def _read_policy(name: str, where: str) -> SteadyPolicy:
    if _is_policy(name):
        return name
    if name == PERFECT:
        raise InputError("team_not_solved", NOT_SOLVED.sentence, where=where)
    text = name[:40]
    raise InputError(
        "unknown_bot", f"unknown bot '{text}' of duel{nearest(text, STEADY_POLICIES)}", where=where
    )


def _is_policy(name: str) -> TypeGuard[SteadyPolicy]:
    return name in STEADY_POLICIES


TEAM: Final = Question(
    name="team",
    request=TeamOddsRequest,
    reply=TeamOddsReply,
    answer=estimate_team_odds,
    example="oddsmith duel team --rules teams_of_two --allies best_trade --opponents all_attack",
    draws=True,
    default_seed=DEFAULT_SEED,
    has_figures=False,
)
"""It has no figures, as its numbers are drawn by luck."""
TEAM_ROUND: Final = Question(
    name="team_round",
    request=TeamRoundRequest,
    reply=TeamRoundReply,
    answer=compute_team_round,
    has_figures=False,
    is_command=False,
)
