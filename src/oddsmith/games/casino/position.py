"""A table of Casino is a short text that people write and read: TOML with every card in one place."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta

from oddsmith import wire
from oddsmith.cards import Card, card, without, write_cards
from oddsmith.errors import InputError, RulesError, nearest
from oddsmith.games.casino import kernel
from oddsmith.games.casino.bridge import in_order
from oddsmith.games.casino.combos import ComboKind, classify
from oddsmith.games.casino.model import MOST_BUILDS, Build, State
from oddsmith.games.casino.objections import sum_words
from oddsmith.games.casino.rules import DEFAULT, FEWEST_SEATS, MOST_SEATS, Rules
from oddsmith.rules import Validated, read_toml, write_toml

__all__ = ["read_position", "read_position_file", "write_position"]

LARGEST_FILE: Final = 64 * 1024
THE_REST: Final = "the rest"
FEWEST_TAKEN: Final = 2
"""A sweep takes the card that captures and at least one from the table."""
PLACES: Final = "hands, loose, builds, piles or stock"

Text: TypeAlias = Annotated[str, Meta(max_length=1_000)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
Claimed: TypeAlias = Annotated[int, Meta(ge=0, le=1_000)]
"""A number that is proved by the cards; a bound keeps refusals short."""


class WrittenBuild(Validated, frozen=True, kw_only=True):
    """A build as a file has it; a value is proved, and may be left out."""

    cards: Text
    owner: SeatNumber
    value: Claimed | None = None


class Written(Validated, frozen=True, kw_only=True):
    """A position as a file has it, besides its rules; what is left out is empty, or follows from the rest."""

    hands: tuple[Text, ...]
    players: Claimed | None = None
    turn: SeatNumber = 0
    deal: Annotated[int, Meta(ge=0, le=10)] | None = None
    loose: Text = ""
    builds: Annotated[tuple[WrittenBuild, ...], Meta(max_length=MOST_BUILDS)] = ()
    piles: tuple[Text, ...] | None = None
    sweeps: tuple[Annotated[int, Meta(ge=0, le=26)], ...] | None = None
    last_capture: SeatNumber | None = None
    stock: Text = THE_REST

    def check(self) -> None:
        """Refuse lists that are not for the same number of players."""
        players = len(self.hands)
        if not FEWEST_SEATS <= players <= MOST_SEATS:
            raise _bad(
                "bad_seats", f"{FEWEST_SEATS} to {MOST_SEATS} hands are needed, not {players}", where="hands"
            )
        for name, many in (("players", self.players), ("piles", self.piles), ("sweeps", self.sweeps)):
            count = len(many) if isinstance(many, tuple) else many
            if count is not None and count != players:
                raise _bad(
                    "bad_seats", f"there are {players} hands, so {players} are right, not {count}", where=name
                )
        for name, seat in (("turn", self.turn), ("last_capture", self.last_capture)):
            if seat is not None and seat >= players:
                raise _bad("bad_seats", f"seats are 0 to {players - 1}, not {seat}", where=name)


def _bad(code: str, sentence: str, *, where: str, paragraph: str | None = None) -> InputError:
    return InputError(code, f"{where}: {sentence}", where=where, paragraph=paragraph)


# --- reading ---------------------------------------------------------------------------------------------------------


def read_position_file(path: Path) -> State:
    """Return the state that a file describes."""
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise InputError(
            "no_position",
            f"no position can be read from '{str(path)[:80]}': oddsmith casino position writes one",
        ) from error
    try:
        return read_position(text.decode())
    except UnicodeDecodeError as error:
        raise InputError("not_text", f"'{str(path)[:80]}' is not UTF-8 text") from error


def read_position(text: str) -> State:
    """Return the state that a text describes; whatever cannot be so is refused, with its place.

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
    rules = _rules(data.pop("rules", "default"))
    return _state(_written(data), rules)


def _rules(given: object) -> Rules:
    """Return the rules of a position: a preset by its name, or a table that may extend one."""
    if isinstance(given, str):
        return Rules.preset(given[:40])
    if not isinstance(given, Mapping):
        raise _bad("bad_value", "expected the name of a preset, or a table", where="rules")
    try:
        return Rules.from_toml(write_toml(given))
    except RulesError as error:
        place = ".".join(("rules", *filter(None, [error.refusal.where])))
        raise RulesError(
            error.refusal.code, f"in the table rules, {error.refusal.sentence}", where=place
        ) from error


def _written(data: Mapping[str, Any]) -> Written:
    known = ("rules", *Written.__struct_fields__)
    unknown = next((key[:40] for key in data if key not in known), None)
    if unknown is not None:
        raise InputError("unknown_key", f"unknown key '{unknown}'{nearest(unknown, known)}", where=unknown)
    if "hands" not in data:
        raise _bad("missing_key", 'a position has hands, such as hands = ["7♦ 3♠", "K♣"]', where="hands")
    return Written(**data)


def _state(written: Written, rules: Rules) -> State:
    players = len(written.hands)
    lying = _cards_by_place(written, rules)
    state = State(
        rules=rules,
        hands=tuple(lying[f"hands[{seat}]"] for seat in range(players)),
        loose=lying["loose"],
        builds=tuple(
            _build(build, lying[f"builds[{place}].cards"], f"builds[{place}]", players, rules)
            for place, build in enumerate(written.builds)
        ),
        piles=tuple(lying.get(f"piles[{seat}]", ()) for seat in range(players)),
        sweeps=written.sweeps or (0,) * players,
        stock=tuple(sorted(lying["stock"])),
        turn=written.turn,
        deal=_deal(written, len(lying["stock"]), players, rules),
        last_capture=written.last_capture,
    )
    _require_hands(state)
    _require_captures(state)
    return state


# --- the cards -------------------------------------------------------------------------------------------------------


def _cards_by_place(written: Written, rules: Rules) -> dict[str, tuple[Card, ...]]:
    """Return which cards lie where: each card of the deck in one place, and no other."""
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
        raise _bad("two_rests", f"{open_places[0]} has the rest already", where=open_places[1])
    if rest and not open_places:
        more = f", and so are {len(rest) - 1} more" if len(rest) > 1 else ""
        raise InputError("missing_card", f"{rest[0]} is nowhere{more}: every card lies in {PLACES}")
    return lying | dict.fromkeys(open_places, in_order(rest))


def _texts(written: Written) -> Iterator[tuple[str, str]]:
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
            raise _bad(error.refusal.code, error.refusal.sentence, where=place) from error
        if known not in rules.cards:
            raise _bad(
                "unknown_card", f"{known} is not in the {rules.deck} deck", where=place, paragraph="1.2"
            )
        found.append(known)
    return in_order(found)


def _deal(written: Written, stock: int, players: int, rules: Rules) -> int:
    """Return the number of the deal, which the size of the stock tells (§1.3)."""
    left = [len(rules.cards)]
    while left[-1]:
        left.append(left[-1] - sum(rules.deal_sizes(players, len(left))))
    if written.deal is not None and written.deal >= len(left):
        raise _bad(
            "bad_deal",
            f"{players} players have {len(left) - 1} deals, not {written.deal}",
            where="deal",
            paragraph="1.3",
        )
    if written.deal is not None and left[written.deal] != stock:
        raise _bad(
            "bad_stock",
            f"{left[written.deal]} cards are left after deal {written.deal}, not {stock}",
            where="stock",
            paragraph="1.3",
        )
    if stock not in left:
        sizes = ", ".join(map(str, left[:-1]))
        raise _bad(
            "bad_stock",
            f"{sizes} or 0 cards are left after a deal, not {stock}: name those that lie elsewhere",
            where="stock",
            paragraph="1.3",
        )
    return left.index(stock)


# --- what lies on the table, and what was taken from it --------------------------------------------------------------


def _build(written: WrittenBuild, cards: tuple[Card, ...], place: str, players: int, rules: Rules) -> Build:
    """Return a build that can have been made: two cards or more that add up to at most ten, or a marriage (§4.3)."""
    combo = classify(cards, rules)
    if len(cards) < FEWEST_TAKEN:
        raise _bad(
            "bad_build", f"a build has two cards or more, not {len(cards)}", where=place, paragraph="2.2"
        )
    if combo.kind is ComboKind.MARRIAGE and not rules.two_card_capture:
        raise _bad(
            "no_marriages",
            "marriages are not built without captures by two cards",
            where=place,
            paragraph="4.3",
        )
    if combo.kind is not ComboKind.MARRIAGE and combo.total > kernel.MOST_VALUE:
        raise _bad(
            "above_ten",
            f"a build is worth at most {kernel.MOST_VALUE}: {sum_words(cards)}",
            where=place,
            paragraph="4.3",
        )
    if written.value not in (None, combo.total):
        raise _bad("wrong_value", f"{sum_words(cards)}, not {written.value}", where=place, paragraph="2.2")
    if written.owner >= players:
        raise _bad(
            "wrong_owner",
            f"seats are 0 to {players - 1}, and no owner is {written.owner}",
            where=place,
            paragraph="2.2",
        )
    return Build(cards, combo.total, written.owner)


def _require_hands(state: State) -> None:
    """Refuse hands that no deal gives, and a turn of a player who has none while others have (§1.3, §1.4)."""
    each = state.rules.deal_sizes(state.players, max(state.deal, 1))[0]
    for seat, hand in enumerate(state.hands):
        if len(hand) > each:
            raise _bad(
                "bad_hand",
                f"a deal gives {each} cards, not {len(hand)}",
                where=f"hands[{seat}]",
                paragraph="1.3",
            )
    if state.is_dealt and not state.hands[state.turn]:
        holding = next(seat for seat, hand in enumerate(state.hands) if hand)
        raise _bad(
            "bad_turn",
            f"seat {state.turn} has no cards, and seat {holding} has",
            where="turn",
            paragraph="1.4",
        )


def _require_captures(state: State) -> None:
    """Refuse sweeps and a last capture that the piles do not bear out (§5.1, §5.2)."""
    for seat, (swept, pile) in enumerate(zip(state.sweeps, state.piles, strict=True)):
        if FEWEST_TAKEN * swept > len(pile):
            raise _bad(
                "bad_sweeps",
                f"a sweep takes {FEWEST_TAKEN} cards or more: {len(pile)} are too few for {swept}",
                where=f"sweeps[{seat}]",
                paragraph="5.1",
            )
    last = state.last_capture
    if last is None and any(state.piles):
        raise _bad(
            "bad_last_capture",
            "there are piles: name the seat that captured last",
            where="last_capture",
            paragraph="5.2",
        )
    if last is not None and not state.piles[last]:
        raise _bad(
            "bad_last_capture",
            f"seat {last} has no pile, and captured nothing",
            where="last_capture",
            paragraph="5.2",
        )
    if state.is_over and last is not None and (state.loose or state.builds):
        raise _bad(
            "bad_position",
            f"the game is over: what lies on the table went to seat {last}",
            where="loose",
            paragraph="5.2",
        )


# --- writing ---------------------------------------------------------------------------------------------------------


def write_position(state: State) -> str:
    """Write a state as text that `read_position` reads.

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
        f"hands = {_list(map(_quoted, state.hands))}",
        f"loose = {_quoted(state.loose)}",
        f"builds = {_list(builds)}",
        f"piles = {_list(map(_quoted, state.piles))}",
        f"sweeps = {list(state.sweeps)}",
        *([] if state.last_capture is None else [f"last_capture = {state.last_capture}"]),
        f'stock = "{THE_REST}"',
    ]
    table = "" if preset else f"\n{write_toml({'rules': _changes(state.rules)})}"
    return "\n".join(lines) + "\n" + table


def _quoted(cards: tuple[Card, ...]) -> str:
    return f'"{write_cards(cards)}"'


def _list(lines: Iterator[str]) -> str:
    inside = "".join(f"    {line},\n" for line in lines)
    return f"[\n{inside}]" if inside else "[]"


def _changes(rules: Rules) -> dict[str, Any]:
    """Return what rules change of the default ones."""
    plain, usual = wire.builtins(rules), wire.builtins(DEFAULT)
    return {"extends": "default", **{key: value for key, value in plain.items() if value != usual[key]}}
