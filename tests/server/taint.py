"""What a viewer may know of a match, derived from its log alone; a frame with more in it leaks."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from oddsmith import wire
from oddsmith.game import Seat
from oddsmith.match.fold import apply_entry, begin_match
from oddsmith.match.model import Entry, Match, Opened

CARD: Final = re.compile(r"(?:10|[2-9AKQJ])[♠♥♣♦]")


class History:
    """The state of a match at each of its versions."""

    def __init__(self, log: Iterable[Entry]) -> None:
        first, *later = log
        assert isinstance(first, Opened)
        self.at: dict[int, Match] = {1: begin_match(first)}
        for version, entry in enumerate(later, 2):
            self.at[version] = apply_entry(self.at[version - 1], entry)

    def until(self, version: int) -> Iterator[Any]:
        """Yield every game state up to a version."""
        for number in range(1, version + 1):
            if self.at[number].state is not None:
                yield self.at[number].state


def leaks(history: History, frame: dict[str, Any], viewer: Seat | None, tokens: Iterable[str]) -> list[str]:
    """Return everything in a frame that its viewer may not know."""
    match = history.at[frame["version"]]
    text = json.dumps(frame, ensure_ascii=False)
    found = [secret for secret in _secrets(match, tokens) if secret and secret in text]
    if match.state is None:
        return found
    match match.game:
        case "casino":
            return found + sorted(_hidden_in_casino(match.state, viewer) & set(CARD.findall(text)))
        case "duel":
            return found + sorted(set(CARD.findall(text)) - _known_in_duel(history, frame["version"], viewer))
        case "destiny":
            return found + _hidden_in_destiny(match.state, frame, viewer)
        case "fate":
            return found + _hidden_in_fate(match.state, frame, viewer)
        case _:
            return found


def _secrets(match: Match, tokens: Iterable[str]) -> Iterator[str]:
    yield match.key
    yield from tokens
    for chair in match.chairs:
        yield chair.token or ""
        yield chair.request or ""
        if not match.is_over:
            yield chair.seed
    if not match.is_over:
        yield match.secret


def _texts(cards: Iterable[Any]) -> set[str]:
    return {wire.to_builtins(card) for card in cards}


def _hidden_in_casino(state: Any, viewer: Seat | None) -> set[str]:  # noqa: ANN401  the state of Casino
    """Return the hidden cards: the hands of others, and the stock."""
    hands = (hand for seat, hand in enumerate(state.hands) if seat != viewer)
    return _texts(card for cards in (*hands, state.stock) for card in cards)


def _known_in_duel(history: History, version: int, viewer: Seat | None) -> set[str]:
    """Return the cards that a viewer has seen: its own hands, discards, and both hands at the end unless a player fled."""
    known: set[str] = set()
    for state in history.until(version):
        for seat, side in enumerate(state.sides):
            known |= _texts(side.discard)
            if seat == viewer or (state.result is not None and state.result.why != "flight"):
                known |= _texts(side.hand)
    return known


def _hidden_in_destiny(state: Any, frame: dict[str, Any], viewer: Seat | None) -> list[str]:  # noqa: ANN401  the state of the Destiny Deck
    """Return the other player's choice if it is in the frame before both have chosen."""
    choices = getattr(state, "choices", ())
    if None not in choices:
        return []
    text = json.dumps({**frame, "actions": []})
    return [choice for seat, choice in enumerate(choices) if choice and seat != viewer and choice in text]


def _hidden_in_fate(state: Any, frame: dict[str, Any], viewer: Seat | None) -> list[str]:  # noqa: ANN401  the state of the Fate Deck
    """Return cards in places where the viewer has not seen them, and peeks of other seats."""
    memory = frame["view"]["memory"]
    slots = (*state.deck.deck, *state.deck.discard)
    shown = (*memory["deck"], *memory["discard"])
    placed = [
        place
        for slot, place in zip(slots, shown, strict=True)
        if isinstance(place, str) and viewer not in slot.seen
    ]
    seen = sorted(slot.card for slot in slots if viewer in slot.seen and slot.card)
    mixed = [card for one in memory["sets"] for card in one["cards"] if card not in seen]
    peeks = [
        str(event)
        for entry in frame["events"] or ()
        for event in entry["events"]
        if event["event"] == "peeked" and viewer not in event["audience"]
    ]
    return placed + mixed + peeks
