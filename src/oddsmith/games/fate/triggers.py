"""Triggers: conditions on the cards drawn, written in a small expression language that is parsed and never executed (§4).

single(spade)  ·  both(red)  ·  pair(spade, heart) and not sum >= 5  ·  at_least(1, ♠, ♥) or none(clubs)
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple, TypeAlias, assert_never

import msgspec

from oddsmith.cards import Suit
from oddsmith.errors import InputError, nearest

LONGEST: Final = 500
DEEPEST: Final = 20
LARGEST_NUMBER: Final = 1000
PAIR_SIZE: Final = 2
"""The cards of a draw to which `both` and `pair` apply."""
WILD: Final = "wild"

Suits: TypeAlias = frozenset[Suit]

_ALL: Final[Suits] = frozenset(Suit)
_SUIT_WORDS: Final[Mapping[str, Suits]] = {
    **{word: frozenset({suit}) for suit in Suit for word in (suit[:-1], suit.value, suit.symbol)},
    "red": frozenset({Suit.HEARTS, Suit.DIAMONDS}),
    "black": frozenset({Suit.SPADES, Suit.CLUBS}),
    "any": _ALL,
}
_QUANTITIES: Final = ("cards", "sum", "highest", "lowest")
_COMPARISONS: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "<=": int.__le__,
    ">=": int.__ge__,
    "==": int.__eq__,
    "!=": int.__ne__,
    "<": int.__lt__,
    ">": int.__gt__,
}
_TOKEN: Final = re.compile(
    r"\s*(?:(?P<number>-?[0-9]+)|(?P<word>[a-z_]+|[♠♥♣♦])|(?P<sign><=|>=|==|!=|[<>(),]))"
)


class Face(NamedTuple):
    """The value of a card, and its suit, `wild` or None."""

    value: int
    suit: Suit | str | None


class Single(msgspec.Struct, frozen=True, tag=True):
    """Exactly one card is of these suits."""

    suits: Suits


class Both(msgspec.Struct, frozen=True, tag=True):
    """Two cards were drawn, and both are of these suits."""

    suits: Suits


class Pair(msgspec.Struct, frozen=True, tag=True):
    """Two cards were drawn, one of the first suits and one of the second."""

    first: Suits
    second: Suits


class AtLeast(msgspec.Struct, frozen=True, tag=True):
    """At least `count` cards are of these suits."""

    count: int
    suits: Suits


class Nothing(msgspec.Struct, frozen=True, tag=True):
    """No card is of these suits."""

    suits: Suits


class Compare(msgspec.Struct, frozen=True, tag=True):
    """A comparison of a quantity of the draw with a number."""

    quantity: str
    sign: str
    number: int


class Not(msgspec.Struct, frozen=True, tag=True):
    """The inner condition does not hold."""

    inner: "Trigger"


class And(msgspec.Struct, frozen=True, tag=True):
    """Both conditions hold."""

    left: "Trigger"
    right: "Trigger"


class Or(msgspec.Struct, frozen=True, tag=True):
    """At least one of the conditions holds."""

    left: "Trigger"
    right: "Trigger"


Trigger: TypeAlias = Single | Both | Pair | AtLeast | Nothing | Compare | Not | And | Or


def fires(trigger: Trigger, drawn: Sequence[Face]) -> bool:
    """Return whether some choice of suits for the wild cards satisfies the trigger (§4.2).

    >>> joker, spade = Face(0, "wild"), Face(3, Suit.SPADES)
    >>> fires(read_trigger("both(spade)"), (joker, spade)), fires(read_trigger("single(spade)"), (joker, spade))
    (True, True)
    """
    values = [face.value for face in drawn]
    printed = [face.suit for face in drawn]
    if WILD not in printed:
        return _holds(trigger, printed, values)
    known = tuple(sorted([suit for suit in printed if suit != WILD], key=str))
    return _any_choice_holds(trigger, known, printed.count(WILD), tuple(sorted(values)))


@lru_cache(maxsize=10_000)
def _any_choice_holds(
    trigger: Trigger, known: tuple[object, ...], wild: int, values: tuple[int, ...]
) -> bool:
    """Return whether some choice of suits for the wild cards satisfies the trigger.

    No condition depends on the order of cards or on which card has which suit, so that sorted arguments are cache keys.
    """
    choices = combinations_with_replacement(Suit, wild)
    return any(_holds(trigger, (*known, *chosen), values) for chosen in choices)


def _holds(trigger: Trigger, suits: Sequence[object], values: Sequence[int]) -> bool:  # noqa: PLR0911  one for each kind
    match trigger:
        case Single(wanted):
            return _count(suits, wanted) == 1
        case Both(wanted):
            return len(suits) == PAIR_SIZE == _count(suits, wanted)
        case Pair(first, second):
            return len(suits) == PAIR_SIZE and (
                (suits[0] in first and suits[1] in second) or (suits[1] in first and suits[0] in second)
            )
        case AtLeast(count, wanted):
            return _count(suits, wanted) >= count
        case Nothing(wanted):
            return _count(suits, wanted) == 0
        case Compare(quantity, sign, number):
            return _COMPARISONS[sign](_quantity(quantity, values), number)
        case Not(inner):
            return not _holds(inner, suits, values)
        case And(left, right):
            return _holds(left, suits, values) and _holds(right, suits, values)
        case Or(left, right):
            return _holds(left, suits, values) or _holds(right, suits, values)
        case _ as never:
            assert_never(never)


def _count(suits: Sequence[object], wanted: Suits) -> int:
    return sum([suit in wanted for suit in suits])


def _quantity(name: str, values: Sequence[int]) -> int:
    match name:
        case "cards":
            return len(values)
        case "sum":
            return sum(values)
        case "highest":
            return max(values)
    return min(values)


@lru_cache(maxsize=1000)
def read_trigger(text: str) -> Trigger:
    """Return the trigger of a text, or raise `InputError` with the position of the mistake, from 1, in `where`.

    >>> read_trigger("single(spdae)")
    Traceback (most recent call last):
    oddsmith.errors.InputError: trigger, at 8: 'spdae' is no suit — did you mean 'spade'? Known: spade, heart, club, diamond, red, black, any
    """
    if len(text) > LONGEST:
        at = LONGEST + 1
        raise InputError(
            "bad_trigger",
            f"trigger, at {at}: a trigger has at most {LONGEST} characters, not {len(text)}",
            where=str(at),
        )
    try:
        return _Parser(text).parse()
    except InputError as error:
        error.text = text
        raise


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


class _Parser:
    """A recursive-descent parser of triggers; `left` is the nesting depth that is still allowed."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_tokenize(text))
        self._index = 0

    def parse(self) -> Trigger:
        trigger = self._parse_or(DEEPEST)
        if self._current.kind != "end":
            raise _make_error(self._current, "expected and, or, or the end")
        return trigger

    @property
    def _current(self) -> _Token:
        return self._tokens[self._index]

    def _next_token(self) -> _Token:
        self._index += 1
        return self._tokens[self._index - 1]

    def _accept(self, text: str) -> bool:
        found = self._current.text == text and self._current.kind != "end"
        self._index += found
        return found

    def _expect(self, text: str) -> None:
        if not self._accept(text):
            raise _make_error(self._current, f"expected '{text}'")

    def _parse_or(self, left: int) -> Trigger:
        trigger = self._parse_and(left)
        while self._accept("or"):
            trigger = Or(trigger, self._parse_and(left))
        return trigger

    def _parse_and(self, left: int) -> Trigger:
        trigger = self._parse_term(left)
        while self._accept("and"):
            trigger = And(trigger, self._parse_term(left))
        return trigger

    def _parse_term(self, left: int) -> Trigger:
        if left < 0:
            raise _make_error(self._current, f"parentheses and nots are nested at most {DEEPEST} deep")
        if self._accept("not"):
            return Not(self._parse_term(left - 1))
        if self._accept("("):
            trigger = self._parse_or(left - 1)
            self._expect(")")
            return trigger
        token = self._next_token()
        if token.text in _QUANTITIES:
            return self._parse_comparison(token.text)
        if token.text not in _CONDITIONS:
            raise _make_error(token, "expected a condition", (*_CONDITIONS, *_QUANTITIES, "not"))
        self._expect("(")
        condition = _CONDITIONS[token.text](self)
        self._expect(")")
        return condition

    def _parse_comparison(self, quantity: str) -> Compare:
        sign = self._next_token()
        if sign.text not in _COMPARISONS:
            raise _make_error(sign, f"expected a comparison such as {quantity} >= 3")
        return Compare(quantity, sign.text, self.parse_number(-LARGEST_NUMBER))

    def parse_number(self, least: int) -> int:
        """Parse a whole number of at least `least`."""
        token = self._next_token()
        if token.kind != "number" or not least <= int(token.text) <= LARGEST_NUMBER:
            raise _make_error(token, f"expected a number from {least} to {LARGEST_NUMBER}")
        return int(token.text)

    def parse_suit(self) -> Suits:
        """Parse a suit, or a word for several."""
        token = self._next_token()
        if token.text not in _SUIT_WORDS:
            words = ("spade", "heart", "club", "diamond", "red", "black", "any")
            raise _make_error(token, "expected a suit", words, what="is no suit")
        return _SUIT_WORDS[token.text]

    def parse_suits(self) -> Suits:
        """Parse one or more suits, with commas between them."""
        suits = self.parse_suit()
        while self._accept(","):
            suits |= self.parse_suit()
        return suits

    def expect_comma(self) -> None:
        """Consume a comma, or raise `InputError`."""
        self._expect(",")


def _tokenize(text: str) -> Iterator[_Token]:
    at, lower = 0, "".join(sign.lower() if sign.isascii() else sign for sign in text)
    while lower[at:].strip():
        found = _TOKEN.match(lower, at)
        if found is None:
            at = len(lower) - len(lower[at:].lstrip())
            raise _make_error(_Token("sign", text[at], at + 1), "expected a word", what="is in no trigger")
        kind = found.lastgroup or ""
        yield _Token(kind, found[kind], found.start(kind) + 1)
        at = found.end()
    yield _Token("end", "the end", len(text) + 1)


def _make_error(token: _Token, expected: str, known: Sequence[str] = (), *, what: str = "") -> InputError:
    found = token.text if token.kind == "end" else f"'{token.text[:40]}'"
    problem = f"{found} {what}" if what and token.kind != "end" else f"{expected}, not {found}"
    hint = nearest(token.text[:40], known) if known else ""
    return InputError("bad_trigger", f"trigger, at {token.at}: {problem}{hint}", where=str(token.at))


def _parse_pair(parser: _Parser) -> Pair:
    first = parser.parse_suit()
    parser.expect_comma()
    return Pair(first, parser.parse_suit())


def _parse_at_least(parser: _Parser) -> AtLeast:
    count = parser.parse_number(0)
    parser.expect_comma()
    return AtLeast(count, parser.parse_suits())


_CONDITIONS: Final[Mapping[str, Callable[[_Parser], Trigger]]] = {
    "single": lambda parser: Single(parser.parse_suits()),
    "both": lambda parser: Both(parser.parse_suits()),
    "pair": _parse_pair,
    "at_least": _parse_at_least,
    "none": lambda parser: Nothing(parser.parse_suits()),
}
