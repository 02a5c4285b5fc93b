"""Why a move is not legal: the moves that the kernel lists are, and the reason is what would have to be otherwise."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, assert_never

import msgspec

from oddsmith.cards import Card
from oddsmith.errors import Refusal
from oddsmith.games.casino import kernel
from oddsmith.games.casino.encoding import in_order, legal_moves, number_of, value_of
from oddsmith.games.casino.model import Move, MoveKind, State, has_marriage
from oddsmith.games.casino.rules import TrailRestriction

__all__ = ["in_canonical_order", "move_objection", "parted", "sum_words"]

HAND_CARDS: Final = {MoveKind.TWO_CARD_CAPTURE: 2}
PARAGRAPHS: Final = {
    MoveKind.CAPTURE: "4.1",
    MoveKind.TWO_CARD_CAPTURE: "4.2",
    MoveKind.BUILD_MARRIAGE: "4.3",
    MoveKind.BUILD: "4.3",
    MoveKind.EXTEND: "4.4",
    MoveKind.TRAIL: "4.5",
}
MADE: Final = {MoveKind.EXTEND: "an extension"}
FEWEST_IN_A_SET: Final = 3


def in_canonical_order(move: Move) -> Move:
    """Return a move as it is listed: its cards and builds in the order of the game (§4.7)."""
    return msgspec.structs.replace(
        move, hand=in_order(move.hand), loose=in_order(move.loose), builds=tuple(sorted(move.builds))
    )


def move_objection(state: State, move: Move) -> Refusal | None:
    """Say why the player whose turn it is may not make this move, or None."""
    return _not_there(state, move) or _not_legal(state, in_canonical_order(move))


def _not_there(state: State, move: Move) -> Refusal | None:  # noqa: PLR0911  one for each thing that may be amiss
    """Say which of the things that a move is about are not there."""
    held = state.hands[state.turn]
    wanted = HAND_CARDS.get(move.kind, 1)
    strange = [card for card in (*move.hand, *move.loose) if card not in state.rules.cards]
    if strange:
        return Refusal(
            "unknown_card", f"{strange[0]} is not in the deck that is played with", paragraph="1.2"
        )
    missing = [card for card in move.hand if card not in held]
    if missing:
        return Refusal("card_not_held", f"{missing[0]} is not in your hand", paragraph=PARAGRAPHS[move.kind])
    if len(set(move.hand)) != wanted or len(move.hand) != wanted:
        count = "two different hand cards" if wanted > 1 else "one hand card"
        return Refusal(
            "wrong_hand_cards",
            f"{MADE.get(move.kind, f'a {move.kind.words}')} is made with {count}",
            paragraph=PARAGRAPHS[move.kind],
        )
    gone = [card for card in move.loose if card not in state.loose]
    if gone:
        return Refusal("card_not_loose", f"{gone[0]} does not lie loose on the table", paragraph="2.1")
    absent = [number for number in move.builds if not 0 <= number < len(state.builds)]
    if absent:
        return Refusal(
            "no_such_build",
            f"there is no build {absent[0]}: builds are counted from 0, and there are {len(state.builds)}",
            paragraph="2.2",
        )
    if len({*move.loose}) != len(move.loose) or len({*move.builds}) != len(move.builds):
        return Refusal("item_twice", "a card or build is named twice", paragraph="4.7")
    return None


def _not_legal(state: State, move: Move) -> Refusal | None:  # noqa: PLR0911  one for each kind of move
    if move in legal_moves(state):
        return None
    match move.kind:
        case MoveKind.CAPTURE:
            return _no_capture(state, move)
        case MoveKind.TWO_CARD_CAPTURE:
            return _no_two_card_capture(state, move)
        case MoveKind.BUILD_MARRIAGE:
            return _no_marriage(state)
        case MoveKind.BUILD:
            return _no_build(move)
        case MoveKind.EXTEND:
            return _no_extension(state, move)
        case MoveKind.TRAIL:
            return _no_trail(state, move)
        case _ as never:
            assert_never(never)


def _no_capture(state: State, move: Move) -> Refusal:
    if not move.loose and not move.builds:
        return Refusal("no_target", "a capture takes something from the table", paragraph="4.1")
    count, most = _count_targets(state, move), state.rules.capture_targets
    if count is None:
        return _wrong_capture_value(state, move)
    mine = any(state.builds[number].owner == state.turn for number in move.builds)
    if mine and not state.rules.capture_own_builds:
        return Refusal("own_build", "a build of your own cannot be captured", paragraph="4.1")
    if count > most:
        return Refusal(
            "too_many_targets",
            f"a capture takes at most {most} {'target' if most == 1 else 'targets'}: "
            "a card, a group, a set or a build each",
            paragraph="4.1",
        )
    return Refusal(
        "too_many_captures",
        f"{move.hand[0]} has more than {kernel.MOST_JOINED} captures of several targets here: "
        "it takes fewer at once",
        paragraph="4.8",
    )


def _count_targets(state: State, move: Move) -> int | None:
    """Return how many targets a capture is made of; None where it is made of something else, too."""
    value = value_of(move.hand[0])
    groups = parted(move.loose, value)
    if groups is None or any(state.builds[number].value != value for number in move.builds):
        return None
    alike = sum(len(group) == 1 for group in groups)
    is_set = alike >= FEWEST_IN_A_SET and alike == sum(value_of(card) == value for card in state.loose)
    return len(groups) + len(move.builds) - (alike - 1 if is_set else 0)


def parted(loose: Sequence[Card], value: int) -> list[tuple[Card, ...]] | None:
    """Return cards in groups that add up to a value each; None where they cannot be.

    >>> from oddsmith.cards import cards
    >>> parted(cards("3♣ 4♥ 7♠"), 7)
    [(card('3♣'), card('4♥')), (card('7♠'),)]
    """
    if sum(map(value_of, loose)) % value:
        return None
    groups = _parted(in_order(loose)[::-1], value)
    return groups and sorted(map(in_order, groups), key=lambda group: number_of(group[0]))


def _parted(loose: tuple[Card, ...], value: int) -> list[tuple[Card, ...]] | None:
    """Part cards that come highest first: a high card leaves the fewest ways."""
    if not loose:
        return []
    for others in _adding_up(loose[1:], value - value_of(loose[0])):
        left = _parted(tuple(card for card in loose[1:] if card not in others), value)
        if left is not None:
            return [(loose[0], *others), *left]
    return None


def _adding_up(loose: Sequence[Card], total: int) -> Iterator[tuple[Card, ...]]:
    """Yield cards that add up to a total, in every way but for the suits; equal values stand together."""
    if total == 0:
        yield ()
    for place, first in enumerate(loose):
        tried = place > 0 and value_of(loose[place - 1]) == value_of(first)
        if value_of(first) <= total and not tried:
            for others in _adding_up(loose[place + 1 :], total - value_of(first)):
                yield first, *others


def sum_words(cards: Iterable[Card]) -> str:
    """Say what cards are worth together.

    >>> from oddsmith.cards import cards
    >>> sum_words(cards("3♣ 4♥"))
    '3♣ + 4♥ is 7'
    """
    listed = tuple(cards)
    return f"{' + '.join(map(str, listed))} is {sum(map(value_of, listed))}"


def _wrong_capture_value(state: State, move: Move) -> Refusal:
    card, value = move.hand[0], value_of(move.hand[0])
    for number in move.builds:
        worth = state.builds[number].value
        if worth == kernel.MARRIAGE_VALUE:
            return Refusal(
                "wrong_value",
                f"a marriage is worth {worth}: it falls only to two hand cards of value 10",
                paragraph="4.2",
            )
        if worth != value:
            return Refusal(
                "wrong_value", f"{card} takes what is worth {value}: the build is {worth}", paragraph="4.1"
            )
    return Refusal(
        "wrong_value", f"{card} takes what is worth {value}: {sum_words(move.loose)}", paragraph="4.1"
    )


def _no_two_card_capture(state: State, move: Move) -> Refusal:
    if not state.rules.two_card_capture:
        return Refusal(
            "no_two_card_captures", "captures with two hand cards are not played here", paragraph="4.2"
        )
    if len(move.loose) + len(move.builds) != 1:
        return Refusal(
            "one_target", "a two-card capture takes one target: a loose card or a build", paragraph="4.2"
        )
    worth = state.builds[move.builds[0]].value if move.builds else value_of(move.loose[0])
    if sum(map(value_of, move.hand)) != worth:
        target = "the build" if move.builds else str(move.loose[0])
        return Refusal("wrong_value", f"{sum_words(move.hand)}, and {target} is {worth}", paragraph="4.2")
    return Refusal("own_build", "a build of your own cannot be captured", paragraph="4.2")


def _no_marriage(state: State) -> Refusal:
    if not state.rules.two_card_capture:
        return Refusal(
            "no_marriages",
            "marriages are not built here: without captures by two cards nothing takes them",
            paragraph="4.3",
        )
    return Refusal(
        "no_marriage",
        "a marriage is a king or queen of the hand with the loose queen or king of its suit",
        paragraph="4.3",
    )


def _no_build(move: Move) -> Refusal:
    if move.builds or not move.loose:
        return Refusal("bad_build", "a build is one hand card with one or more loose cards", paragraph="4.3")
    marriage = has_marriage(msgspec.structs.replace(move, kind=MoveKind.CAPTURE)) and len(move.loose) == 1
    other = f"; a marriage is written {move.hand[0]}&{move.loose[0]}" if marriage else ""
    return Refusal(
        "above_ten",
        f"a build is worth at most {kernel.MOST_VALUE}: {sum_words((*move.hand, *move.loose))}{other}",
        paragraph="4.3",
    )


def _no_extension(state: State, move: Move) -> Refusal:
    if move.loose or len(move.builds) != 1:
        return Refusal("one_build", "one hand card extends one build", paragraph="4.4")
    build = state.builds[move.builds[0]]
    if build.value == kernel.MARRIAGE_VALUE:
        return Refusal("not_extendable", "a marriage is not extended", paragraph="4.4")
    if build.value + value_of(move.hand[0]) > kernel.MOST_VALUE:
        total = build.value + value_of(move.hand[0])
        return Refusal(
            "above_ten",
            f"a build is worth at most {kernel.MOST_VALUE}: {build.value} and {move.hand[0]} make {total}",
            paragraph="4.4",
        )
    return Refusal("own_build", "a build of your own cannot be extended", paragraph="4.4")


def _no_trail(state: State, move: Move) -> Refusal:
    if move.loose or move.builds:
        return Refusal("bad_trail", "a card that is trailed touches nothing on the table", paragraph="4.5")
    card = move.hand[0]
    instead = next(other for other in legal_moves(state) if other.hand == move.hand)
    deed = f"{card} can {_deed(instead)}"
    if len(state.hands[state.turn]) == 1 and not state.stock:
        return Refusal(
            "must_play", f"your last card of the game must be of use if it can: {deed}", paragraph="4.6"
        )
    when = "in round 1 " if state.rules.trail_restriction is TrailRestriction.ROUND_ONE else ""
    return Refusal(
        "must_play",
        f"{when}a card that can capture, build or extend may not be trailed: {deed}",
        paragraph="4.5",
    )


def _deed(move: Move) -> str:
    match move.kind:
        case MoveKind.CAPTURE:
            return f"capture {' + '.join(map(str, move.loose)) or 'a build'}"
        case MoveKind.EXTEND:
            return "extend a build"
        case _:
            return f"build with {' + '.join(map(str, move.loose))}"
