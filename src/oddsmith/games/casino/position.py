"""Reading and writing of positions as TOML in which every card has one place."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta

from oddsmith import wire
from oddsmith.cards import Card, card, without, write_cards
from oddsmith.errors import InputError, RulesError, nearest
from oddsmith.games.casino.model import MOST_BUILDS, SeatNumber, State, in_order
from oddsmith.games.casino.rules import DEFAULT, FEWEST_SEATS, MOST_SEATS, Rules
from oddsmith.games.casino.table_input import (
    ClaimedNumber,
    deal_number,
    error_at,
    make_build,
    require_captures,
    require_hands,
)
from oddsmith.rules import ValidatedStruct, read_toml, write_toml

LARGEST_FILE: Final = 64 * 1024
THE_REST: Final = "the rest"
PLACES: Final = "hands, loose, builds, piles or stock"

Text: TypeAlias = Annotated[str, Meta(max_length=1_000)]


class BuildInput(ValidatedStruct, frozen=True, kw_only=True):
    """A build of a position file; its value may be left out, and is checked if given."""

    cards: Text
    owner: SeatNumber
    value: ClaimedNumber | None = None


class PositionInput(ValidatedStruct, frozen=True, kw_only=True):
    """A position file without its rules; keys that are left out are empty, or follow from the others."""

    hands: tuple[Text, ...]
    players: ClaimedNumber | None = None
    turn: SeatNumber = 0
    deal: Annotated[int, Meta(ge=0, le=10)] | None = None
    loose: Text = ""
    builds: Annotated[tuple[BuildInput, ...], Meta(max_length=MOST_BUILDS)] = ()
    piles: tuple[Text, ...] | None = None
    sweeps: tuple[Annotated[int, Meta(ge=0, le=26)], ...] | None = None
    last_capture: SeatNumber | None = None
    stock: Text = THE_REST

    def check(self) -> None:
        """Raise `InputError` where lists have different numbers of players."""
        players = len(self.hands)
        if not FEWEST_SEATS <= players <= MOST_SEATS:
            raise error_at(
                "bad_seats", f"{FEWEST_SEATS} to {MOST_SEATS} hands are needed, not {players}", where="hands"
            )
        for name, given in (("players", self.players), ("piles", self.piles), ("sweeps", self.sweeps)):
            count = len(given) if isinstance(given, tuple) else given
            if count is not None and count != players:
                raise error_at(
                    "bad_seats", f"there are {players} hands, so {players} are right, not {count}", where=name
                )
        for name, seat in (("turn", self.turn), ("last_capture", self.last_capture)):
            if seat is not None and seat >= players:
                raise error_at("bad_seats", f"seats are 0 to {players - 1}, not {seat}", where=name)


# --- reading ---------------------------------------------------------------------------------------------------------


def read_position_file(path: Path) -> State:
    """Return the state of a position file; raise `InputError` where it cannot be read."""
    return read_position(read_position_text(path))


def read_position_text(path: Path) -> str:
    """Return the text of a position file; raise `InputError` where it cannot be read or is too large."""
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise InputError(
            "no_position",
            f"no position can be read from '{str(path)[:80]}': oddsmith casino position writes one",
        ) from error
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        raise InputError("not_text", f"'{str(path)[:80]}' is not UTF-8 text") from error


def read_position(text: str, rules: Rules = DEFAULT) -> State:
    """Return the state of a position; raise `InputError` with the place of the first contradiction.

    `rules` apply where the text names none. Where it names some, `rules` other than the default ones are refused.

    >>> state = read_position('''
    ... hands = ["7♦ K♠", "9♣"]
    ... loose = "3♣ 4♥"
    ... piles = ["A♠ A♥", "the rest"]
    ... last_capture = 1
    ... stock = ""
    ... ''')
    >>> state.deal, state.players, len(state.piles[1])
    (6, 2, 45)
    """
    if len(text) > LARGEST_FILE:
        raise InputError("file_too_large", f"a position has at most {LARGEST_FILE:,} characters")
    try:
        data = read_toml(text)
    except RulesError as error:
        raise InputError.of(error.refusal) from error
    named = data.pop("rules", None)
    if named is not None and rules != DEFAULT:
        raise error_at("two_rules", "the position names its rules already: give no others", where="rules")
    return _state(_decode_position(data), rules if named is None else _rules(named))


def _rules(given: object) -> Rules:
    """Return the rules of a position: a preset by its name, or a table that may extend one."""
    if isinstance(given, str):
        return Rules.preset(given[:40])
    if not isinstance(given, Mapping):
        raise error_at("bad_value", "expected the name of a preset, or a table", where="rules")
    try:
        return Rules.from_toml(write_toml(given))
    except RulesError as error:
        place = ".".join(("rules", *filter(None, [error.refusal.where])))
        raise RulesError(
            error.refusal.code, f"in the table rules, {error.refusal.sentence}", where=place
        ) from error


def _decode_position(data: Mapping[str, Any]) -> PositionInput:
    known = ("rules", *PositionInput.__struct_fields__)
    unknown = next((key[:40] for key in data if key not in known), None)
    if unknown is not None:
        raise InputError("unknown_key", f"unknown key '{unknown}'{nearest(unknown, known)}", where=unknown)
    if "hands" not in data:
        raise error_at("missing_key", 'a position has hands, such as hands = ["7♦ 3♠", "K♣"]', where="hands")
    return PositionInput(**data)


def _state(written: PositionInput, rules: Rules) -> State:
    players = len(written.hands)
    lying = _cards_by_place(written, rules)
    state = State(
        rules=rules,
        hands=tuple(lying[f"hands[{seat}]"] for seat in range(players)),
        loose=lying["loose"],
        builds=tuple(
            make_build(
                lying[f"builds[{place}].cards"],
                rules,
                owner=build.owner,
                value=build.value,
                players=players,
                where=f"builds[{place}]",
            )
            for place, build in enumerate(written.builds)
        ),
        piles=tuple(lying.get(f"piles[{seat}]", ()) for seat in range(players)),
        sweeps=written.sweeps or (0,) * players,
        stock=tuple(sorted(lying["stock"])),
        turn=written.turn,
        deal=deal_number(len(lying["stock"]), rules, players=players, claimed=written.deal),
        last_capture=written.last_capture,
    )
    require_hands(state)
    require_captures(state)
    return state


# --- the cards -------------------------------------------------------------------------------------------------------


def _cards_by_place(written: PositionInput, rules: Rules) -> dict[str, tuple[Card, ...]]:
    """Return the cards of each place; raise `InputError` unless each card of the deck is in exactly one."""
    texts = dict(_texts(written))
    lying = {place: _read(text, place, rules) for place, text in texts.items() if text.strip() != THE_REST}
    seen: dict[Card, str] = {}
    for place, cards in lying.items():
        for known in cards:
            if known in seen:
                twice = f"twice in {place}" if seen[known] == place else f"in {seen[known]} and in {place}"
                raise InputError("card_twice", f"{known} lies {twice}: every card is there once", where=place)
            seen[known] = place
    rest = without(rules.cards, tuple(seen))
    open_places = [place for place, text in texts.items() if text.strip() == THE_REST]
    if len(open_places) > 1:
        raise error_at("two_rests", f"{open_places[0]} has the rest already", where=open_places[1])
    if rest and not open_places:
        more = f", and so are {len(rest) - 1} more" if len(rest) > 1 else ""
        raise InputError("missing_card", f"{rest[0]} is nowhere{more}: every card lies in {PLACES}")
    return lying | dict.fromkeys(open_places, in_order(rest))


def _texts(written: PositionInput) -> Iterator[tuple[str, str]]:
    yield from ((f"hands[{seat}]", text) for seat, text in enumerate(written.hands))
    yield "loose", written.loose
    yield from ((f"builds[{place}].cards", build.cards) for place, build in enumerate(written.builds))
    yield from ((f"piles[{seat}]", text) for seat, text in enumerate(written.piles or ()))
    yield "stock", written.stock


def _read(text: str, place: str, rules: Rules) -> tuple[Card, ...]:
    found = []
    for token in text.replace(",", " ").split():
        try:
            known = card(token)
        except InputError as error:
            raise error_at(error.refusal.code, error.refusal.sentence, where=place) from error
        if known not in rules.cards:
            raise error_at(
                "unknown_card", f"{known} is not in the {rules.deck} deck", where=place, paragraph="1.2"
            )
        found.append(known)
    return in_order(found)


# --- writing ---------------------------------------------------------------------------------------------------------


def write_position(state: State) -> str:
    """Return a state as text that `read_position` reads.

    >>> from oddsmith.games.casino.engine import GAME
    >>> text = write_position(GAME.setup(Rules.preset("short"), 2))
    >>> print("".join(text.splitlines(keepends=True)[:6]), end="")
    players = 2
    rules = "short"
    deal = 0
    turn = 0
    hands = [
        "",
    """
    preset = next((name for name, rules in Rules.presets().items() if rules == state.rules), None)
    builds = (
        f'{{ cards = "{write_cards(build.cards)}", value = {build.value}, owner = {build.owner} }}'
        for build in state.builds
    )
    lines = [
        f"players = {state.players}",
        *([f'rules = "{preset}"'] if preset else []),
        f"deal = {state.deal}",
        f"turn = {state.turn}",
        f"hands = {_list(map(_quote_cards, state.hands))}",
        f"loose = {_quote_cards(state.loose)}",
        f"builds = {_list(builds)}",
        f"piles = {_list(map(_quote_cards, state.piles))}",
        f"sweeps = {list(state.sweeps)}",
        *([] if state.last_capture is None else [f"last_capture = {state.last_capture}"]),
        f'stock = "{THE_REST}"',
    ]
    table = "" if preset else f"\n{write_toml({'rules': _changes(state.rules)})}"
    return "\n".join(lines) + "\n" + table


def _quote_cards(cards: tuple[Card, ...]) -> str:
    return f'"{write_cards(cards)}"'


def _list(lines: Iterator[str]) -> str:
    inside = "".join(f"    {line},\n" for line in lines)
    return f"[\n{inside}]" if inside else "[]"


def _changes(rules: Rules) -> dict[str, Any]:
    """Return the keys in which rules differ from the default ones."""
    plain, usual = wire.to_builtins(rules), wire.to_builtins(DEFAULT)
    return {"extends": "default", **{key: value for key, value in plain.items() if value != usual[key]}}
