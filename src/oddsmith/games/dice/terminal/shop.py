"""The shop in a terminal, and advice on what to keep and what to buy, solved or estimated."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from oddsmith.chance import Seeded
from oddsmith.errors import IllegalMove, InputError, WorkLimitError
from oddsmith.games.dice import model
from oddsmith.games.dice.bots.players import best_faces, free_wilds
from oddsmith.games.dice.builds import format_name
from oddsmith.games.dice.engine import GAME
from oddsmith.games.dice.model import Build, BuyDie
from oddsmith.games.dice.odds import KeepChoice, plan_rerolls
from oddsmith.games.dice.parts import FaceEffect
from oddsmith.games.dice.questions.estimates import KeptDiceEstimate, play_choices, play_purchases
from oddsmith.games.dice.questions.shop import value_purchases
from oddsmith.games.dice.shopping import Purchase, price
from oddsmith.games.dice.terminal.answers import format_signed
from oddsmith.games.dice.terminal.estimates import choice_cells, percent_cells, signed_percent_cells
from oddsmith.games.dice.terminal.pool import describe_effect, describe_purchase, format_dice
from oddsmith.games.dice.views import View
from oddsmith.terminal import Reply, show_progress
from oddsmith.text import columns, escape_markup, format_percent

PLAYER: Final = 0
ANY_PLACE: Final = 0
HELP: Final = (
    "  [bold]2[/]    buy number 2",
    "  [bold]1 4[/]  buy the die of number 1, in the place of your die 4",
    "  [bold]?[/]    what each adds to the chance to win the next round",
    "  [bold]l[/]    leave the shop: the next round begins",
    "  [bold]q[/]    leave the table",
    "The first die or upgrade of a visit is free, unless it is dear.",
)
_NUMBERS: Final = re.compile(r"(\d{1,2})(?:[\s,]+(\d{1,2}))?")


def offers(view: View) -> tuple[Purchase, ...]:
    """Return the purchases on offer, in the order of their numbers; a die once, with `ANY_PLACE`."""
    extra = (model.BuyExtraDie(),) if len(view.build.dice) < view.rules.most_dice else ()
    return (
        *(model.BuyDie(ANY_PLACE, die) for die in view.stock.dice),
        *map(model.BuyItem, view.stock.items),
        *map(model.BuyUpgrade, view.stock.upgrades),
        *extra,
    )


def bought_line(event: model.Bought) -> str:
    """Return the line about a purchase, its price, and the money that is left."""
    place = (
        f" in the place of die {event.purchase.place + 1}" if isinstance(event.purchase, model.BuyDie) else ""
    )
    paid = f"for ${event.price}" if event.price else "for nothing"
    return f"bought {describe_purchase(event.purchase)}{place}, {paid}: ${event.money} left"


def owned_lines(build: model.Build) -> Iterator[str]:
    """Yield lines about items and levels, if there are any."""
    if build.items:
        yield f"items: {', '.join(map(format_name, build.items))}"
    if levels := [f"{format_name(name)} {level}" for name, level in build.levels.items() if level]:
        yield f"levels: {', '.join(levels)}"


def state_lines(view: View) -> Iterator[str]:
    """Yield lines about the money, the next round, and the build."""
    after = view.round + 1
    boss = ", with a boss" if view.rules.is_boss_round(after) else ""
    yield f"[bold]shop[/]   money [bold]${view.money}[/]   round {after} asks {view.rules.target(after)}{boss}"
    yield from owned_lines(view.build)
    yield f"dice: {', '.join(f'[bold]{place}[/] {die}' for place, die in enumerate(view.build.dice, 1))}"


def choice_lines(view: View, actions: Sequence[model.Action]) -> Iterator[str]:
    """Yield the offers with their prices and effects; those that cannot be bought are dim."""
    sold = offers(view)
    state = GAME.imagine(view, Seeded("any"))
    rows = [
        (
            describe_purchase(offer),
            _format_price(price(state, offer)),
            describe_effect(offer, view.build, view.rules),
        )
        for offer in sold
    ]
    priced = [*columns([row[:2] for row in rows])] if rows else []
    for place, (line, row, offer) in enumerate(zip(priced, rows, sold, strict=True), 1):
        text = f"{line}  {row[2]}".rstrip()
        yield f"  [bold]{place:>2}[/]  {text}" if offer in actions else f"  [dim]{place:>2}  {text}[/]"
    yield "[dim]2 buys number 2, 1 4 buys die 1 in the place of your die 4, l leaves, ? advises[/]"


def _format_price(dollars: int) -> str:
    return f"${dollars}" if dollars else "free"


def read_answer(answer: str, view: View, actions: Sequence[model.Action]) -> model.Action | Reply:
    """Return the action of an answer, or advice or help; raise an error for an answer that the rules refuse."""
    match answer:
        case "?":
            return Reply(tuple(purchase_lines(view)))
        case "h" | "help":
            return Reply(HELP)
        case "l":
            return model.Leave()
    found = _NUMBERS.fullmatch(answer)
    if found is None:
        return Reply((f"[red]'{escape_markup(answer[:40])}' is no answer: a number, l, ?, or h for help[/]",))
    purchase = _read_purchase(int(found[1]), None if found[2] is None else int(found[2]), view)
    if purchase in actions:
        return purchase
    raise _refused_purchase(purchase, view)


def _read_purchase(number: int, place: int | None, view: View) -> Purchase:
    sold = offers(view)
    if not 1 <= number <= len(sold):
        raise InputError("no_such_offer", f"there is no number {number}: the shop has 1 to {len(sold)}")
    offer, size = sold[number - 1], len(view.build.dice)
    if not isinstance(offer, model.BuyDie):
        if place is not None:
            raise InputError(
                "no_place", f"{describe_purchase(offer)} takes no die's place: type {number} alone"
            )
        return offer
    if place is None:
        raise InputError(
            "no_place", f"say which of your dice it replaces: {number} and its place, as in {number} {size}"
        )
    if not 1 <= place <= size:
        raise InputError("no_such_die", f"there is no die {place}: your dice are 1 to {size}")
    return model.BuyDie(place - 1, offer.die)


def _refused_purchase(purchase: Purchase, view: View) -> IllegalMove:
    """Return the error of a purchase that the rules refuse."""
    refusal = GAME.objection(GAME.imagine(view, Seeded("any")), PLAYER, purchase)
    assert refusal is not None  # noqa: S101  a law of every game: an action that is not listed has an objection
    return IllegalMove.of(refusal)


MOST_ADVISED: Final = 5
QUICK_ROUNDS: Final = 50
"""The number of rounds that are simulated for each choice during play."""


def keep_lines(view: View) -> Iterator[str]:
    """Yield the best choices of dice to keep with their keys, and the best faces of wild dice."""
    try:
        with show_progress("solving every roll and what to keep of it") as report:
            plan = plan_rerolls(
                view.build,
                view.rerolls,
                view.rules,
                target=view.target,
                boss=view.boss,
                fixed=view.fixed,
                progress=report,
            )
    except WorkLimitError as error:
        yield from _simulated_keep_lines(view, error)
    else:
        choices = plan.choices(view.faces, view.rerolls)[:MOST_ADVISED]
        rows = [(*_key_and_dice(choice, view), format_percent(Fraction(choice.value))) for choice in choices]
        lines = [*columns([("key", "keep", f"reaches {view.target}"), *rows])]
        yield f"[bold]{lines[0]}[/]"
        yield f"[green]{lines[1]}[/]"
        yield from lines[2:]
        yield "[dim]exact, when all that follows is played best[/]"
    for place, (face, shown) in enumerate(zip(best_faces(view), view.faces, strict=True), 1):
        if face != shown:
            yield f"before you score, set die {place} to {face}: [bold]w {place} {face}[/]"


def _simulated_keep_lines(view: View, error: WorkLimitError) -> Iterator[str]:
    """Yield the values of a few choices, from rounds that are simulated from this state on."""
    state = GAME.imagine(view, Seeded("any"))
    choices = play_choices(state, view.target, rounds=QUICK_ROUNDS, most=MOST_ADVISED, progress=show_progress)
    rows = [(*_key_and_dice(one, view), *choice_cells(one, len(view.faces), view.target)) for one in choices]
    lines = [*columns([("key", "keep", f"reaches {view.target}, %", "±"), *rows])]
    yield f"[bold]{lines[0]}[/]"
    yield f"[green]{lines[1]}[/]"
    yield from lines[2:]
    yield f"[dim]estimated: {QUICK_ROUNDS} rounds for each, ± at 95 %, by what is best of simpler dice[/]"
    yield f"[dim]{escape_markup(str(error))}[/]"


def _key_and_dice(choice: KeepChoice | KeptDiceEstimate, view: View) -> tuple[str, str]:
    """Return the keys of a choice, and the dice that it sets and keeps, without those that need no lock."""
    if len(choice.keep) == len(view.faces):
        return "s", "all: score"
    settings = {one.place: one.face for one in choice.set_first}
    locked = [place for place in choice.keep if place not in {*settings, *_places_without_lock(view)}]
    named = sorted([*settings, *locked])
    kept = format_dice(
        [view.build.dice[place] for place in named],
        [settings.get(place, view.faces[place]) for place in named],
        view.rules.normal_kind,
    )
    keys = [f"w {place + 1} {face}" for place, face in settings.items()]
    return "; ".join([*keys, " ".join(("k", *(str(place + 1) for place in locked)))]), kept


def _places_without_lock(view: View) -> set[int]:
    """Return the places of the dice that need no lock: fixed, set, or wild if no echo may copy them."""
    fixed = set() if view.fixed is None else {view.fixed.place}
    kinds = view.rules.kinds
    echoes = any(kinds[die.kind].effect is FaceEffect.ECHO for die in view.build.dice)
    return fixed.union(view.wilds_set, () if echoes else free_wilds(view))


def purchase_lines(view: View) -> Iterator[str]:
    """Yield what each affordable purchase adds to the chance to win the next round, with its key."""
    state = GAME.imagine(view, Seeded("any"))
    payable = [offer for offer in offers(view) if price(state, offer) <= view.money]
    purchases = [one for offer in payable for one in _replacements(offer, view.build)]
    try:
        lines = [*_solved_purchase_lines(view, purchases)]
    except WorkLimitError as error:
        lines = [*_simulated_purchase_lines(view, purchases, error)]
    yield from lines


def _solved_purchase_lines(view: View, purchases: Sequence[Purchase]) -> Iterator[str]:
    chance, found = value_purchases(view.build, view.round + 1, view.rules, purchases, show_progress)
    yield _current_chance_line(view, format_percent(chance))
    rows = [
        (*_offer_cells(one.purchase, view), format_percent(one.chance), format_signed(one.gain))
        for one in found
    ]
    yield from _offer_lines(("won", "adds"), rows)
    yield "[dim]exact, for that round alone, with the best dice kept at every roll[/]"


def _simulated_purchase_lines(
    view: View, purchases: Sequence[Purchase], error: WorkLimitError
) -> Iterator[str]:
    """Yield what purchases added in simulated rounds."""
    number = view.round + 1
    chance, found = play_purchases(
        view.build, number, view.rules, purchases, rounds=QUICK_ROUNDS, progress=show_progress
    )
    yield _current_chance_line(view, "{} % ± {}".format(*percent_cells(chance)))
    rows = [
        (*_offer_cells(one.purchase, view), percent_cells(one.chance)[0], *signed_percent_cells(one.gain))
        for one in found
    ]
    yield from _offer_lines(("won, %", "adds", "±"), rows)
    yield f"[dim]estimated, for that round alone: {QUICK_ROUNDS} rounds for each, by what is best of simpler dice[/]"
    yield f"[dim]{escape_markup(str(error))}[/]"


def _current_chance_line(view: View, chance: str) -> str:
    number = view.round + 1
    boss = ", over all bosses that may come" if view.rules.is_boss_round(number) else ""
    return f"as it is, round {number} (target {view.rules.target(number)}) is won in {chance}{boss}"


def _offer_cells(purchase: Purchase, view: View) -> tuple[str, str, str]:
    """Return the cells of a purchase: its key, its name, and its current price."""
    cost = price(GAME.imagine(view, Seeded("any")), purchase)
    return _format_keys(purchase, offers(view)), describe_purchase(purchase), f"${cost}" if cost else "free"


def _offer_lines(numbers: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    if rows:
        head, *lines = columns([("key", "purchase", "price", *numbers), *rows])
        yield f"[bold]{head}[/]"
        yield from lines


def _replacements(offer: Purchase, build: Build) -> tuple[Purchase, ...]:
    """Return the purchases of an offer: a die once for each different die that it may replace."""
    if not isinstance(offer, BuyDie):
        return (offer,)
    return tuple(BuyDie(build.dice.index(die), offer.die) for die in dict.fromkeys(build.dice))


def _format_keys(purchase: Purchase, sold: Sequence[Purchase]) -> str:
    if not isinstance(purchase, BuyDie):
        return str(sold.index(purchase) + 1)
    dice = [offer.die for offer in sold if isinstance(offer, BuyDie)]
    return f"{dice.index(purchase.die) + 1} {purchase.place + 1}"
