"""Makes the logs of `examples/logs`: `python -m tests.balance.logs` writes them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from oddsmith import wire
from oddsmith.balance.metrics.observer import metrics_of
from oddsmith.bots import find_bot
from oddsmith.cards import STANDARD_DECK, Card
from oddsmith.chance import Draw, Seeded
from oddsmith.games import destiny
from oddsmith.games.destiny.metrics import CheckMade, ContestHeld
from oddsmith.games.destiny.scoring import target
from oddsmith.games.dice.metrics import DiceRolled
from oddsmith.metric import Resolution
from oddsmith.records import Record, play, replay
from oddsmith.registry import find_game

FOLDER: Final = Path(__file__).parents[2] / "examples/logs"
SWAPS: Final = 40
"""Number of swaps in a badly shuffled deck, far too few."""

Shuffle = Callable[[Draw], tuple[Card, ...]]


def draw_fairly(luck: Draw) -> tuple[Card, ...]:
    """Draw a hand; all are equally likely."""
    return destiny.DRAW.sample(luck)


def draw_badly(luck: Draw) -> tuple[Card, ...]:
    """Return the top five cards of a new deck after a few swaps."""
    deck = list(STANDARD_DECK)
    for _ in range(SWAPS):
        here, there = luck.below(len(deck)), luck.below(len(deck))
        deck[here], deck[there] = deck[there], deck[here]
    return tuple(sorted(deck[:5]))


def destiny_log(count: int, seed: str, shuffle: Shuffle = draw_fairly) -> Iterator[Resolution]:
    """Yield contests and checks of the roster, with hands drawn by `shuffle`."""
    luck, rules, names = Seeded(seed), destiny.DEFAULT, [*destiny.DEFAULT.outlaws]
    crimes = [*rules.crimes]
    for number in range(count):
        attacker, defender = names[number % len(names)], names[number // len(names) % len(names)]
        hands = shuffle(luck), shuffle(luck)
        scores = (
            destiny.score(hands[0], rules.outlaws[attacker]),
            destiny.score(hands[1], rules.outlaws[defender]),
        )
        yield ContestHeld(
            game="destiny",
            attacker=attacker,
            defender=defender,
            winner=destiny.contest(*scores).winner,
            attacker_hand=hands[0],
            defender_hand=hands[1],
        )
        if number % 3 == 0:
            crime = crimes[number // 3 % len(crimes)]
            hand = shuffle(luck)
            made = destiny.check(destiny.score(hand, rules.outlaws[attacker]), target(crime, rules).threshold)
            yield CheckMade(
                character=attacker,
                target=crime,
                success=made.degree.succeeded,
                hand=hand,
                total=made.score.total,
            )


def bot_records(
    game: str,
    count: int,
    seats: int,
    bot: str,
    *,
    settings: Sequence[str] = (),
    labels: Mapping[str, str] | None = None,
) -> Iterator[Record]:
    """Yield the records of games between bots."""
    found = find_game(game)
    rules = found.rules_type.read("default").with_settings(settings)
    for number in range(count):
        luck = Seeded(f"{game}/{number}")
        bots = [find_bot(game, bot, rules, draw=luck, seat=seat) for seat in range(seats)]
        moves = [ply.move for ply in play(found, found.setup(rules, seats), bots, luck)]
        yield Record.of(found, rules, ["Ann"] * seats, moves, labels=labels)


def bot_log(game: str, count: int, seats: int, bot: str) -> Iterator[Resolution]:
    """Yield the resolutions of games between bots."""
    for record in bot_records(game, count, seats, bot):
        yield from metrics_of(game).resolutions(replay(find_game(game), record))


def loaded_dice_log(count: int, seed: str) -> Iterator[Resolution]:
    """Yield first rolls of five dice that show a six instead of a one every third time."""
    luck = Seeded(seed)
    for _ in range(count):
        faces = [1 + luck.below(6) for _ in range(5)]
        loaded = (6 if face == 1 and luck.below(3) == 0 else face for face in faces)
        yield DiceRolled(dice=("normal",) * 5, faces=tuple(loaded))


def log_bytes(resolutions: Iterator[Resolution]) -> bytes:
    """Return resolutions as a log, one in a line."""
    return b"".join(wire.to_json(one) + b"\n" for one in resolutions)


LOGS: Final[Mapping[str, Callable[[], Iterator[Resolution]]]] = {
    "destiny.jsonl": lambda: destiny_log(300, "fair"),
    "destiny-few-swaps.jsonl": lambda: destiny_log(300, "stacked", draw_badly),
    "duel.jsonl": lambda: bot_log("duel", 8, 1, "best_trade"),
    "dice.jsonl": lambda: bot_log("dice", 12, 1, "greedy"),
    "dice-loaded.jsonl": lambda: loaded_dice_log(400, "loaded"),
    "fate.jsonl": lambda: bot_log("fate", 5, 4, "random"),
    "casino.jsonl": lambda: bot_log("casino", 6, 2, "greedy"),
}

if __name__ == "__main__":
    for name, made in LOGS.items():
        (FOLDER / name).write_bytes(log_bytes(made()))
