"""A mechanic of coin flips whose questions have every kind of field, for tests of derived parts."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from math import comb
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta
from tests.laws import toy

from oddsmith.bot import Bot, BotSettings, RandomBot
from oddsmith.chart import Histogram, HistogramBar
from oddsmith.errors import InputError
from oddsmith.mechanic import Mechanic
from oddsmith.question import Context, Question, Request, Share, argument, option, spread
from oddsmith.reply_figures import CHANCE, NO_FIGURE, name_figure
from oddsmith.terminal import Terminal

MOST: Final = 20


class Rules(toy.Rules, frozen=True, kw_only=True):
    """The rules of the toy game, under the name of the mechanic."""

    game = "coins"


class Coins(toy.Vie):
    """The toy game, under the name of the mechanic: records and matches are found by it."""

    name = "coins"
    rules_type = Rules

    def setup(self, rules: toy.Rules, seats: int) -> toy.State:
        """Return the state at the beginning of a match for two or three."""
        if seats not in self.seats(rules):
            raise InputError("bad_seats", f"coins are for 2 or 3 seats, not {seats}")
        return super().setup(rules, seats)


class Face(StrEnum):
    """A side of a coin."""

    HEADS = "heads"
    TAILS = "tails"


class Coin(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A coin: the weight of each face, tokens that lie on it, and notes with a number or none."""

    weights: Annotated[
        Mapping[Face, int],
        option(
            "The weight of a face; repeat.",
            "--weight",
            metavar="FACE=NUMBER",
            noun="a weight",
            example="heads=2",
        ),
    ] = {}
    tokens: Annotated[tuple[str, ...], option("A token; repeat.", "--token", metavar="NAME")] = ()
    notes: Annotated[
        Mapping[str, int | None], option("A note; repeat.", "--note", metavar="NAME[=NUMBER]", noun="a note")
    ] = {}


FAIR: Final = Coin()


def parse_coin(text: str, rules: Rules) -> Coin:  # noqa: ARG001  any rules
    """Return the coin that a text describes: `fair`, or the weight of heads against one of tails."""
    return FAIR if text == "fair" else Coin(weights={Face.HEADS: int(text)})


class FlipsRequest(Request, frozen=True, kw_only=True):
    """Flips of a coin, and the number of heads that is wanted."""

    flips: Annotated[int, Meta(ge=1, le=MOST), argument("The number of flips.", metavar="FLIPS")]
    coin: Annotated[str | Coin, spread("The coin.")] = FAIR
    wanted: Annotated[
        Annotated[int, Meta(ge=0, le=MOST)],
        option(
            "The heads that are wanted.",
            metavar="NUMBER",
            code="bad_wanted",
            sentence="from {ge} to {le} heads may be wanted, not {value}",
            paragraph="1.2",
        ),
    ] = 1
    face: Annotated[Face, option("The face that counts.", noun="face", code="unknown_face")] = Face.HEADS
    full: Annotated[
        bool,
        option(
            "With --json: every number.",
            json_only=True,
            code="full_without_json",
            sentence="--full goes with --json",
        ),
    ] = False
    hidden: int = 0


class FlipsReply(msgspec.Struct, frozen=True, kw_only=True):
    """The chance to reach the wanted number, and what else is known."""

    flips: Annotated[int, NO_FIGURE]
    reach: Share
    reach_exact: Annotated[Fraction, CHANCE]
    mean: Fraction
    sides: Mapping[Face, Fraction]
    quantiles: Mapping[str, int]
    likely: Face
    least: int | None
    counts: tuple[int, ...] | None = None


def prove_flips(request: FlipsRequest, context: Context[Rules]) -> FlipsReply:
    """Prove how often a coin shows a face.

    The coin may be weighted.
    """
    coin = parse_coin(request.coin, context.rules) if isinstance(request.coin, str) else request.coin
    heads, tails = coin.weights.get(Face.HEADS, 1), coin.weights.get(Face.TAILS, 1)
    own, other = (heads, tails) if request.face is Face.HEADS else (tails, heads)
    counts = [
        comb(request.flips, n) * own**n * other ** (request.flips - n) for n in range(request.flips + 1)
    ]
    reach, total = sum(counts[request.wanted :]), sum(counts)
    with context.progress("counting") as report:
        report(1.0)
    if request.flips == 13:
        raise InputError("unlucky", "nobody flips 13 times", paragraph="1.3")
    return FlipsReply(
        flips=request.flips,
        reach=Share.of(reach, total),
        reach_exact=Fraction(reach, total),
        mean=Fraction(request.flips * own, own + other),
        sides={face: Fraction(1 + place) for place, face in enumerate(Face)},
        quantiles={"0.5": request.flips // 2},
        likely=Face.HEADS if heads >= tails else Face.TAILS,
        least=None if own else 0,
        counts=tuple(counts) if request.full else None,
    )


def _reaches(requests: Sequence[FlipsRequest], context: Context[Rules]) -> list[Share]:
    SHORTCUTS.append(len(requests))
    return [prove_flips(request, context).reach for request in requests]


SHORTCUTS: Final[list[int]] = []
"""The number of requests of each use of the shortcut."""


def _chart(request: FlipsRequest, reply: FlipsReply, rules: Rules) -> Histogram:  # noqa: ARG001  the signature of charts
    bars = tuple(HistogramBar(n, count, n >= request.wanted) for n, count in enumerate(reply.counts or ()))
    return Histogram(title="flips", x_label="heads", y_label="ways", bars=bars, width=1)


class FlipRequest(Request, frozen=True, kw_only=True):
    """A flip."""

    draw: Annotated[bool, option("Flip twice.")] = False


class FlipReply(msgspec.Struct, frozen=True, kw_only=True):
    """A face that was flipped."""

    face: Face
    twice: bool
    seed: str | None


def flip_coin(request: FlipRequest, context: Context[Rules]) -> FlipReply:
    """Flip a coin."""
    return FlipReply(face=[*Face][context.draw.below(2)], twice=request.draw, seed=context.seed)


FLIPS: Final = Question(
    name="flips",
    request=FlipsRequest,
    reply=FlipsReply,
    answer=prove_flips,
    example="oddsmith coins flips 3 --wanted 2",
    values_to_show={"full": True},
    terminal_flags={"loud": "In capitals."},
    text_fields={"coin": parse_coin},
    chart=_chart,
    shortcuts={"reach": _reaches},
)
FLIP: Final = Question(
    name="flip",
    request=FlipRequest,
    reply=FlipReply,
    answer=flip_coin,
    draws=True,
    seed_implies={"draw": True},
    has_figures=False,
    is_quick=True,
)
SECRET: Final = Question(
    name="secret", request=FlipRequest, reply=FlipReply, answer=flip_coin, is_command=False
)


def _flips_lines(
    request: FlipsRequest,  # noqa: ARG001  the signature of answers
    reply: FlipsReply,
    rules: Rules,  # noqa: ARG001  the signature of answers
    *,
    loud: bool = False,
) -> Iterator[str]:
    line = f"{reply.reach.count} of {reply.reach.total}, {len(reply.counts or ())} counts"
    yield line.upper() if loud else line


def _make_stubborn(rules: Any, settings: BotSettings) -> RandomBot:  # noqa: ANN401, ARG001  any rules
    return RandomBot(settings.draw)


REACH: Final = name_figure(
    "coin.reach", FLIPS, "reach", "The chance to reach a number.", values={"full": False, "hidden": 0}
)
SIDE: Final = name_figure(
    "coin.side",
    FLIPS,
    "sides.{side}",
    "The number of a side.",
    arguments={"side": Face},
    required=("wanted",),
)

MECHANIC: Final = Mechanic(
    Coins(),
    title="Coins",
    summary="Flip and count.",
    example="oddsmith coins flips 3",
    questions=(FLIPS, FLIP, SECRET),
    bots=(Bot(name="stubborn", make=_make_stubborn, is_slow=True),),
    figures=(REACH, SIDE),
    terminal=Terminal(answer_lines={"flips": _flips_lines}),
)

SETTINGS: Final = ("rounds=3",)
OPTIONS: Final = {"flips": ("3",)}
"""Samples for the tests of all mechanics."""
