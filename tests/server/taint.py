"""What a viewer may know of a match, derived from its log alone; a frame with more in it leaks."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from oddsmith import wire
from oddsmith.game import Seat
from oddsmith.games.fate.model import Drawn, Peeked
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


def leaks(
    history: History,
    frame: dict[str, Any],
    viewer: Seat | None,
    tokens: Iterable[str],
    present_since: int | None = None,
) -> list[str]:
    """Return everything in a frame that its viewer may not know.

    The viewer was connected since a version; by default it saw only the last move.
    """
    match = history.at[frame["version"]]
    present_since = match.version - 1 if present_since is None else present_since
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
            return found + _hidden_in_fate(history, frame, viewer, present_since)
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


def _hidden_in_fate(
    history: History, frame: dict[str, Any], viewer: Seat | None, present_since: int
) -> list[str]:
    """Return cards of a memory that the viewer has not seen, peeks of other seats, and draws that it was not there for."""
    memory, version = frame["view"]["memory"], frame["version"]
    named: list[str | None] = [
        place for place in (*memory["deck"], *memory["discard"]) if isinstance(place, str)
    ]
    for one in memory["sets"]:
        named += [
            card for cards in (one["cards"], *(order["cards"] for order in one["orders"])) for card in cards
        ]
    seen = _seen_in_fate(history, version, viewer)
    hidden = [card for card in named if card is not None and card not in seen]
    match, began = history.at[version], _check_began(history, version)
    for entry in frame["events"] or ():
        for event in entry["events"]:
            is_late = viewer is None and not match.is_over and entry["version"] <= min(present_since, began)
            if (event["event"] == "peeked" and viewer not in event["audience"]) or (
                is_late and event["event"] in ("drawn", "kept", "resolved")
            ):
                hidden.append(str(event))
    return hidden


def _seen_in_fate(history: History, version: int, viewer: Seat | None) -> set[str]:
    """Return the cards that a seat has seen up to a version; a spectator remembers none."""
    if viewer is None:
        return set()
    events = [event for events in history.at[version].events.items_from(0) for event in events]
    drawn = {event.card for event in events if isinstance(event, Drawn)}
    peeks = (event for event in events if isinstance(event, Peeked) and viewer in event.audience)
    return drawn.union(*(event.cards for event in peeks))


def _check_began(history: History, version: int) -> int:
    """Return the version before the call of the check under way; the version itself where there is none."""
    while getattr(history.at[version].state, "check", None) is not None:
        version -= 1
    return version
