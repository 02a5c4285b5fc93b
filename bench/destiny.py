"""Speed of the Destiny Deck: commands against `python -c pass`, contests against icepool, the rest against numpy and Python."""

import random
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count

from bench import icepool_peer
from bench.floors import bare_process, hold, numpy_copy, numpy_sort, python_loop
from bench.measure import alternate, clear_caches, command, process, require_equal
from bench.rows import Row, against_peer
from oddsmith.games.destiny import classes, odds
from oddsmith.games.destiny.classes import hand_classes
from oddsmith.games.destiny.model import Side
from oddsmith.games.destiny.odds import contest_matrix, contest_odds, gang_odds, totals
from oddsmith.games.destiny.pairings import many_contests
from oddsmith.games.destiny.rules import DEFAULT, Character, GangScore
from oddsmith.games.destiny.scoring import Bonuses, character_bonuses

ODDS = ("destiny", "odds", "bank_robbery", "--skill", "lockpicking=50", "--skill", "stealth=40")
CLASSES = len(hand_classes())


def rows() -> Iterator[Row]:
    """Yield the benchmarks of the Destiny Deck; no character is asked about twice."""
    yield from _commands()
    yield from _contests()
    yield hold(
        "class table, read from package data",
        hand_classes.__wrapped__,
        numpy_copy(20 * CLASSES),
        most=35,
        reason="reading, checking and indexing a file of 100 kB, against copying its numbers",
        repeats=20,
    )
    fresh = iter(new_bonuses(301, "totals"))
    yield hold(
        "score distribution of a new character",
        lambda: totals(next(fresh)),
        numpy_sort(CLASSES),
        most=5.5,
        reason="equal totals are merged, so one sort of as many numbers is the least",
        repeats=300,
    )
    yield from _many_contests()
    yield from _gangs()


def new_bonuses(number: int, seed: str) -> list[Bonuses]:
    """Return the bonuses of new characters, in each suit another one, and the same in every run."""
    dice = random.Random(seed)  # noqa: S311  not a secret
    skills = ("gun_fighting", "lockpicking", "charisma", "mining")
    return [
        character_bonuses(Character(skills={skill: dice.randint(1, 60) for skill in skills}))
        for _ in range(number)
    ]


def _commands() -> Iterator[Row]:
    hold_process = partial(hold, floor=bare_process(), repeats=9)
    yield hold_process(
        "oddsmith --help, a new process",
        command(["--help"]),
        most=25,
        reason="loads typer and rich; numpy is not loaded",
    )
    yield hold_process(
        "oddsmith destiny odds …, a new process",
        command(ODDS),
        most=45,
        reason="loads typer, rich, numpy and one game",
    )
    yield hold_process(
        "import oddsmith, a new process",
        process(["-c", "import oddsmith"]),
        most=3.5,
        reason="names are loaded when they are used, so the package costs little more than Python",
    )


def _contests() -> Iterator[Row]:
    """Ask icepool about the same new characters; both sides must return the same fraction."""
    pairs = list(zip(new_bonuses(31, "attackers"), new_bonuses(31, "defenders"), strict=True))
    hands = icepool_peer.destiny_hands()
    for attacker, defender in pairs[:3]:
        require_equal(
            contest_odds(attacker, defender).chance(Side.ATTACKER),
            _ask_icepool(hands, attacker, defender),
            "contest",
        )
    mine, theirs = iter(pairs), iter(pairs)
    ours, peer = alternate(
        lambda: contest_odds(*next(mine)), lambda: _ask_icepool(hands, *next(theirs)), repeats=30
    )
    yield against_peer(
        "contest of two new characters",
        ours,
        ("icepool, hands counted before", peer),
        least=25,
        reason="both keep the table of hands, which is the same for all characters; icepool maps it, then cumulates",
    )
    mine, theirs = iter(pairs), iter(pairs)
    ours, peer = alternate(
        lambda: _contest_from_nothing(*next(mine)),
        lambda: _ask_icepool_from_nothing(*next(theirs)),
        repeats=5,
    )
    yield against_peer(
        "contest of two new characters, from nothing",
        ours,
        ("icepool, from nothing", peer),
        least=80,
        reason="ours reads its table of hands from package data, icepool counts them by ranks and suits",
    )


def _contest_from_nothing(attacker: Bonuses, defender: Bonuses) -> object:
    clear_caches(classes, odds)
    return contest_odds(attacker, defender)


def _ask_icepool(hands: icepool_peer.Die, attacker: Bonuses, defender: Bonuses) -> object:
    return icepool_peer.chance_to_beat(
        icepool_peer.destiny_totals(hands, attacker), icepool_peer.destiny_totals(hands, defender)
    )


def _ask_icepool_from_nothing(attacker: Bonuses, defender: Bonuses) -> object:
    icepool_peer.count_suits.cache_clear()
    return _ask_icepool(icepool_peer.destiny_hands(), attacker, defender)


def _many_contests() -> Iterator[Row]:
    fresh = (new_bonuses(200, f"matrix {number}") for number in count())
    gangs = iter([next(fresh) for _ in range(5)])
    yield hold(
        "100 × 100 contests of new characters",
        lambda: _matrix(next(gangs)),
        numpy_sort(CLASSES, arrays=200),
        most=11,
        reason="the totals of 200 characters are sorted, then each pair of characters is merged",
        repeats=4,
    )
    sets = iter([next(fresh) for _ in range(5)])
    yield hold(
        "10,000 contests of new characters, by tables",
        lambda: many_contests(_pairs(next(sets))),
        python_loop(1_000_000),
        most=7.5,
        reason="each contest is 56 × 56 lookups by numpy, and one exact fraction of Python",
        repeats=4,
    )


def _matrix(characters: Sequence[Bonuses]) -> object:
    return contest_matrix(characters[:100], characters[100:])


def _pairs(characters: Sequence[Bonuses]) -> list[tuple[Bonuses, Bonuses]]:
    return [(one, other) for one in characters[:100] for other in characters[100:]]


def _gangs() -> Iterator[Row]:
    gangs = iter([new_bonuses(10, f"gang {number}") for number in range(10)])
    yield hold(
        "gang war, average, 5 against 5, all different",
        lambda: gang_odds((gang := next(gangs))[:5], gang[5:]),
        numpy_sort(1_000_000),
        most=3,
        reason="ten convolutions of exact counts, which has no peer; the sort is the unit of a processor's speed",
        repeats=7,
    )
    best = DEFAULT.replace(gang_score=GangScore.BEST)
    wars = iter([new_bonuses(10, f"best {number}") for number in range(2)])
    yield hold(
        "gang war, best 3, 5 against 5, all different",
        lambda: gang_odds((gang := next(wars))[:5], gang[5:], best),
        numpy_sort(1_000_000),
        most=140,
        reason="the three best of five different characters are no sum: every order of them is counted",
        repeats=1,
    )
