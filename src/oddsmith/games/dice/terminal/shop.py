"""How the shop of Dice Hands looks, and how a person buys in it: by number, with the die it replaces."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from oddsmith.chance import Seeded
from oddsmith.errors import IllegalMove, InputError
from oddsmith.games.dice import model
from oddsmith.games.dice.builds import name_words
from oddsmith.games.dice.engine import GAME
from oddsmith.games.dice.shopping import Purchase, price
from oddsmith.games.dice.terminal.effects import effect_words, purchase_words
from oddsmith.games.dice.views import View
from oddsmith.terminal import Reply
from oddsmith.text import columns, plain

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
    """Return what is for sale, as it is numbered; a die stands for every place that it may take."""
    extra = (model.BuyExtraDie(),) if len(view.build.dice) < view.rules.most_dice else ()
    return (
        *(model.BuyDie(ANY_PLACE, die) for die in view.stock.dice),
        *map(model.BuyItem, view.stock.items),
        *map(model.BuyUpgrade, view.stock.upgrades),
        *extra,
    )


def bought_line(event: model.Bought) -> str:
    """Tell what was bought, for how much, and what is left."""
    place = (
        f" in the place of die {event.purchase.place + 1}" if isinstance(event.purchase, model.BuyDie) else ""
    )
    paid = f"for ${event.price}" if event.price else "for nothing"
    return f"bought {purchase_words(event.purchase)}{place}, {paid}: ${event.money} left"


def owned_lines(build: model.Build) -> Iterator[str]:
    """Tell items and levels, where there are any."""
    if build.items:
        yield f"items: {', '.join(map(name_words, build.items))}"
    if levels := [f"{name_words(name)} {level}" for name, level in build.levels.items() if level]:
        yield f"levels: {', '.join(levels)}"


def state_lines(view: View) -> Iterator[str]:
    """Tell the money, what the next round asks, and what there is."""
    after = view.round + 1
    boss = ", with a boss" if view.rules.is_boss_round(after) else ""
    yield f"[bold]shop[/]   money [bold]${view.money}[/]   round {after} asks {view.rules.target(after)}{boss}"
    yield from owned_lines(view.build)
    yield f"dice: {', '.join(f'[bold]{place}[/] {die}' for place, die in enumerate(view.build.dice, 1))}"


def choice_lines(view: View, actions: Sequence[model.Action]) -> Iterator[str]:
    """List what is for sale, with prices; what cannot be paid is dim."""
    sold = offers(view)
    state = GAME.imagine(view, Seeded("any"))
    rows = [
        (purchase_words(offer), _price(price(state, offer)), effect_words(offer, view.build, view.rules))
        for offer in sold
    ]
    priced = [*columns([row[:2] for row in rows])] if rows else []
    for place, (line, row, offer) in enumerate(zip(priced, rows, sold, strict=True), 1):
        text = f"{line}  {row[2]}".rstrip()
        yield f"  [bold]{place:>2}[/]  {text}" if offer in actions else f"  [dim]{place:>2}  {text}[/]"
    yield "[dim]2 buys number 2, 1 4 buys die 1 in the place of your die 4, l leaves, ? advises[/]"


def _price(dollars: int) -> str:
    return f"${dollars}" if dollars else "free"


def read_answer(answer: str, view: View, actions: Sequence[model.Action]) -> model.Action | Reply:
    """Return what is bought, or advice, or help."""
    match answer:
        case "?":
            from oddsmith.games.dice.terminal.advice import purchase_lines

            return Reply(tuple(purchase_lines(view)))
        case "h" | "help":
            return Reply(HELP)
        case "l":
            return model.Leave()
    found = _NUMBERS.fullmatch(answer)
    if found is None:
        return Reply((f"[red]'{plain(answer[:40])}' is no answer: a number, l, ?, or h for help[/]",))
    meant = _meant(int(found[1]), None if found[2] is None else int(found[2]), view)
    if meant in actions:
        return meant
    raise _objection(meant, view)


def _meant(number: int, place: int | None, view: View) -> Purchase:
    sold = offers(view)
    if not 1 <= number <= len(sold):
        raise InputError("no_such_offer", f"there is no number {number}: the shop has 1 to {len(sold)}")
    offer, size = sold[number - 1], len(view.build.dice)
    if not isinstance(offer, model.BuyDie):
        if place is not None:
            raise InputError("no_place", f"{purchase_words(offer)} takes no die's place: type {number} alone")
        return offer
    if place is None:
        raise InputError(
            "no_place", f"say which of your dice it replaces: {number} and its place, as in {number} {size}"
        )
    if not 1 <= place <= size:
        raise InputError("no_such_die", f"there is no die {place}: your dice are 1 to {size}")
    return model.BuyDie(place - 1, offer.die)


def _objection(purchase: Purchase, view: View) -> IllegalMove:
    """Return why the rules refuse a purchase."""
    refusal = GAME.objection(GAME.imagine(view, Seeded("any")), PLAYER, purchase)
    assert refusal is not None  # noqa: S101  what is not listed meets an objection: a law of every game
    return IllegalMove.of(refusal)
