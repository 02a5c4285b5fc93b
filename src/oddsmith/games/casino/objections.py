"""Reasons why a move is not legal, as refusals with the paragraph of the rules page.

Each kind of move is checked rule by rule; the refusal is that of the first rule that the move breaks. A check takes the
played cards as a value and words, so that it also applies to cards that are not in hand.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, Self, TypeAlias

from oddsmith.cards import Card
from oddsmith.errors import Refusal
from oddsmith.games.casino.model import Move, MoveKind, State, sum_words, total_value, value_of
from oddsmith.games.casino.moves import (
    count_targets,
    first_use,
    is_last_card,
    is_marriage,
    may_capture,
    may_extend,
    most_targets,
    must_be_useful,
)
from oddsmith.games.casino.rules import (
    MARRIAGE_VALUE,
    MOST_JOINT_CAPTURES,
    MOST_VALUE,
    TrailRestriction,
)

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


class PlayedCards(NamedTuple):
    """Cards played from the hand: their value, the words for them in sentences, and the cards where they are known."""

    value: int
    words: str
    cards: tuple[Card, ...] = ()

    @classmethod
    def of(cls, hand: tuple[Card, ...]) -> Self:
        """Return the played cards of a hand.

        >>> from oddsmith.cards import cards
        >>> PlayedCards.of(cards("3♣ 4♥")).words
        '3♣ + 4♥'
        """
        return cls(total_value(hand), " + ".join([card.text for card in hand]), hand)

    @classmethod
    def any_card(cls, value: int) -> Self:
        """Return an unknown card of a value.

        >>> PlayedCards.any_card(7).words
        'a card worth 7'
        """
        return cls(value, f"a card worth {value}")


Loose: TypeAlias = Sequence[Card]
Places: TypeAlias = Sequence[int]
"""Builds, by index on the table."""


def move_objection(state: State, move: Move) -> Refusal | None:
    """Return why the player on turn may not make this move, or None; its cards may be in any order."""
    missing = _missing_objection(state, move)
    if missing is not None:
        return missing
    listed = move.canonical
    return objection_to(listed.kind, PlayedCards.of(listed.hand), listed.loose, listed.builds, state=state)


def _missing_objection(state: State, move: Move) -> Refusal | None:  # noqa: PLR0911  one return for each reason
    """Return which cards or builds of a move are not there, or None."""
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


def objection_to(
    kind: MoveKind, played: PlayedCards, loose: Loose, builds: Places, *, state: State
) -> Refusal | None:
    """Return why the player on turn may not make a move of these items, which are on the table, or None."""
    return _CHECKS[kind](played, loose, builds, state)


# --- §4.1: capture ----------------------------------------------------------------------------------------------------


def _capture_objection(played: PlayedCards, loose: Loose, builds: Places, state: State) -> Refusal | None:
    if not loose and not builds:
        return Refusal("no_target", "a capture takes something from the table", paragraph="4.1")
    count, most = count_targets(played.value, loose, builds, state), state.rules.capture_targets
    if count is None:
        return _wrong_capture_value(played, loose, builds, state)
    if not all(may_capture(state.builds[place], state) for place in builds):
        return Refusal("own_build", "a build of your own cannot be captured", paragraph="4.1")
    if count > most:
        return Refusal(
            "too_many_targets",
            f"a capture takes at most {most} {'target' if most == 1 else 'targets'}: "
            "a card, a group, a set or a build each",
            paragraph="4.1",
        )
    if count > 1 and count > most_targets(played.value, state):
        return Refusal(
            "too_many_captures",
            f"{played.words} has more than {MOST_JOINT_CAPTURES} captures of several targets here: "
            "it takes fewer at once",
            paragraph="4.8",
        )
    return None


def _wrong_capture_value(played: PlayedCards, loose: Loose, builds: Places, state: State) -> Refusal:
    """Return which build, or that the loose cards, have another value than the played card."""
    for place in builds:
        worth = state.builds[place].value
        if worth == MARRIAGE_VALUE:
            return marriage_capture_refusal()
        if worth != played.value:
            return Refusal(
                "wrong_value",
                f"{played.words} takes what is worth {played.value}: the build is {worth}",
                paragraph="4.1",
            )
    return Refusal(
        "wrong_value",
        f"{played.words} takes what is worth {played.value}: {sum_words(loose)}",
        paragraph="4.1",
    )


def marriage_capture_refusal() -> Refusal:
    """Return the refusal of capturing a marriage with one card (§4.2)."""
    return Refusal(
        "wrong_value",
        f"a marriage is worth {MARRIAGE_VALUE}: it falls only to two hand cards of value 10",
        paragraph="4.2",
    )


# --- §4.2: two-card capture -------------------------------------------------------------------------------------------


def _two_card_objection(played: PlayedCards, loose: Loose, builds: Places, state: State) -> Refusal | None:
    if not state.rules.two_card_capture:
        return Refusal(
            "no_two_card_captures", "captures with two hand cards are not played here", paragraph="4.2"
        )
    if len(loose) + len(builds) != 1:
        return Refusal(
            "one_target", "a two-card capture takes one target: a loose card or a build", paragraph="4.2"
        )
    worth = state.builds[builds[0]].value if builds else value_of(loose[0])
    if played.value != worth:
        target = "the build" if builds else str(loose[0])
        return Refusal(
            "wrong_value",
            f"{played.words} is {played.value}, and {target} is {worth}",
            paragraph="4.2",
        )
    if builds and not may_capture(state.builds[builds[0]], state):
        return Refusal("own_build", "a build of your own cannot be captured", paragraph="4.2")
    return None


# --- §4.3: build and build marriage -----------------------------------------------------------------------------------


def _marriage_objection(played: PlayedCards, loose: Loose, builds: Places, state: State) -> Refusal | None:
    if not state.rules.two_card_capture:
        return Refusal(
            "no_marriages",
            "marriages are not built here: without captures by two cards nothing takes them",
            paragraph="4.3",
        )
    if builds or not _are_married(played, loose):
        return Refusal(
            "no_marriage",
            "a marriage is a king or queen of the hand with the loose queen or king of its suit",
            paragraph="4.3",
        )
    return None


def _are_married(played: PlayedCards, loose: Loose) -> bool:
    return len(played.cards) == len(loose) == 1 and is_marriage(played.cards[0], loose[0])


def items_objection(kind: MoveKind, loose: Loose, builds: Places, *, state: State) -> Refusal | None:
    """Return why no card of any value builds with these items (§4.3) or extends them (§4.4), or None."""
    if kind is MoveKind.BUILD:
        if builds or not loose:
            sentence = "a build is one hand card with one or more loose cards"
            return Refusal("bad_build", sentence, paragraph="4.3")
        return None
    if loose or len(builds) != 1:
        return Refusal("one_build", "one hand card extends one build", paragraph="4.4")
    if state.builds[builds[0]].value == MARRIAGE_VALUE:
        return Refusal("not_extendable", "a marriage is not extended", paragraph="4.4")
    return None


def _build_objection(played: PlayedCards, loose: Loose, builds: Places, state: State) -> Refusal | None:
    refusal = items_objection(MoveKind.BUILD, loose, builds, state=state)
    if refusal is not None:
        return refusal
    total = played.value + total_value(loose)
    if total > MOST_VALUE:
        other = f"; a marriage is written {played.words}&{loose[0]}" if _are_married(played, loose) else ""
        summed = f"{' + '.join((played.words, *map(str, loose)))} is {total}{other}"
        return Refusal("above_ten", f"a build is worth at most {MOST_VALUE}: {summed}", paragraph="4.3")
    return None


# --- §4.4: extend -----------------------------------------------------------------------------------------------------


def _extension_objection(played: PlayedCards, loose: Loose, builds: Places, state: State) -> Refusal | None:
    refusal = items_objection(MoveKind.EXTEND, loose, builds, state=state)
    if refusal is not None:
        return refusal
    build = state.builds[builds[0]]
    total = build.value + played.value
    if total > MOST_VALUE:
        return Refusal(
            "above_ten",
            f"a build is worth at most {MOST_VALUE}: {build.value} and {played.words} make {total}",
            paragraph="4.4",
        )
    if not may_extend(build, state):
        return Refusal("own_build", "a build of your own cannot be extended", paragraph="4.4")
    return None


# --- §4.5, §4.6: trail ------------------------------------------------------------------------------------------------


def _trail_objection(played: PlayedCards, loose: Loose, builds: Places, state: State) -> Refusal | None:
    if loose or builds:
        return Refusal("bad_trail", "a card that is trailed touches nothing on the table", paragraph="4.5")
    if not must_be_useful(state):
        return None
    uses = (first_use(card, state) for card in played.cards)
    instead = next((move for move in uses if move is not None), None)
    if instead is None:
        return None
    use = f"{played.words} can {_use(instead)}"
    if is_last_card(state):
        return Refusal(
            "must_play", f"your last card of the game must be of use if it can: {use}", paragraph="4.6"
        )
    when = "in round 1 " if state.rules.trail_restriction is TrailRestriction.ROUND_ONE else ""
    return Refusal(
        "must_play",
        f"{when}a card that can capture, build or extend may not be trailed: {use}",
        paragraph="4.5",
    )


def _use(move: Move) -> str:
    match move.kind:
        case MoveKind.CAPTURE:
            return f"capture {' + '.join(map(str, move.loose)) or 'a build'}"
        case MoveKind.EXTEND:
            return "extend a build"
        case _:
            return f"build with {' + '.join(map(str, move.loose))}"


_CHECKS: Final = {
    MoveKind.CAPTURE: _capture_objection,
    MoveKind.TWO_CARD_CAPTURE: _two_card_objection,
    MoveKind.BUILD_MARRIAGE: _marriage_objection,
    MoveKind.BUILD: _build_objection,
    MoveKind.EXTEND: _extension_objection,
    MoveKind.TRAIL: _trail_objection,
}
