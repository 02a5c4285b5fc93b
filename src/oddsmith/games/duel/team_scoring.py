"""The rules of a team duel: sides, gear, targets, the damage of a round, and its end (§9)."""

from collections.abc import Mapping, Sequence
from typing import Final

from oddsmith.errors import Refusal
from oddsmith.game import Seat
from oddsmith.games.duel.model import Corner, Ending, Power, Result
from oddsmith.games.duel.rules import Fighter, Rules
from oddsmith.games.duel.scoring import damage
from oddsmith.games.duel.team_model import TeamBlow

SIDES: Final[tuple[Corner, Corner]] = (0, 1)
NOT_SOLVED: Final = Refusal(
    "team_not_solved",
    "a team duel is not solved: its fighters choose splits and targets unseen, and every position has the hit points of "
    "all of them; the fixed policies play it",
)


def side_of(seat: Seat, rules: Rules) -> Corner:
    """Return the side of a seat (§9.1).

    >>> from oddsmith.games.duel.rules import Teams
    >>> [side_of(seat, Rules(teams=Teams(size=2))) for seat in range(4)]
    [0, 0, 1, 1]
    """
    return 0 if seat < rules.teams.size else 1


def seats_of(side: Corner, rules: Rules) -> range:
    """Return the seats of a side (§9.1)."""
    size = rules.teams.size
    return range(side * size, (side + 1) * size)


def viewers_of(seat: Seat, rules: Rules) -> tuple[Seat, ...]:
    """Return the seats that see the hand and the choices of a seat before they are revealed (§9.3)."""
    return tuple(seats_of(side_of(seat, rules), rules)) if rules.teams.allies_see_hands else (seat,)


def gear_of(seat: Seat, rules: Rules) -> Fighter:
    """Return the gear of a fighter (§9.2).

    >>> from oddsmith.games.duel.rules import Teams
    >>> rules = Rules(player=Fighter(weapon=5), teams=Teams(size=3, allies=(Fighter(armor=2),)))
    >>> [gear_of(seat, rules).words for seat in range(4)]
    ['weapon 5', 'armour 2', 'weapon 5', 'no gear']
    """
    side, place = divmod(seat, rules.teams.size)
    first, others = (rules.rival, rules.teams.opponents) if side else (rules.player, rules.teams.allies)
    return others[place - 1] if 1 <= place <= len(others) else first


def living_opponents(seat: Seat, hps: Sequence[int], rules: Rules) -> tuple[Seat, ...]:
    """Return the seats of living opponents: the one opposite, then the next of its side in turn (§9.4).

    >>> from oddsmith.games.duel.rules import Teams
    >>> living_opponents(1, (9, 9, 9, 0, 9, 9), Rules(teams=Teams(size=3)))
    (4, 5)
    """
    size, place = rules.teams.size, seat % rules.teams.size
    others = seats_of(1 if side_of(seat, rules) == 0 else 0, rules)
    turned = (others[(place + step) % size] for step in range(size))
    return tuple(other for other in turned if hps[other] > 0)


def weakest_opponent(seat: Seat, hps: Sequence[int], rules: Rules) -> Seat:
    """Return the living opponent with the fewest hit points, of equal ones the first from the one opposite on (§9.9).

    >>> weakest_opponent(0, (9, 9, 70, 20), Rules(teams=Teams(size=2)))
    3
    """
    return min(living_opponents(seat, hps, rules), key=lambda other: hps[other])


def exchange_blows(
    powers: Mapping[Seat, tuple[Power, Power]],
    targets: Mapping[Seat, Seat],
    hps: Sequence[int],
    rules: Rules,
) -> tuple[TeamBlow, ...]:
    """Return what every fighter deals and takes, all at once (§9.5); `powers` are the attack and the defence of the living."""
    dealt = {
        seat: damage(power.total, powers[targets[seat]][1].total, rules.least_dealt)
        for seat, (power, _) in powers.items()
    }
    taken = {seat: sum(dealt[other] for other in powers if targets[other] == seat) for seat in powers}
    return tuple(
        TeamBlow(
            seat=seat,
            target=targets[seat],
            attack=power,
            defense=guard,
            dealt=dealt[seat],
            taken=taken[seat],
            hp=max(0, hps[seat] - taken[seat]),
        )
        for seat, (power, guard) in powers.items()
    )


def team_result(hps: Sequence[int], number: int, rules: Rules) -> Result | None:
    """Return the result after round `number`, or None while the duel goes on; the winner is a side (§9.6, §9.7).

    >>> from oddsmith.games.duel.rules import Teams
    >>> team_result((0, 0, 0, 7), 3, Rules(teams=Teams(size=2))).winner
    1
    """
    first, second = (sum(hps[seat] for seat in seats_of(side, rules)) for side in SIDES)
    if first == second == 0:
        return Result(why=Ending.DOUBLE_KNOCK_OUT, winner=None)
    if first == 0 or second == 0:
        return Result(why=Ending.KNOCK_OUT, winner=0 if second == 0 else 1)
    if number < rules.rounds:
        return None
    return Result(why=Ending.TIMEOUT, winner=None if first == second else 0 if first > second else 1)
