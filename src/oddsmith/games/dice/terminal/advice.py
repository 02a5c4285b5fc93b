"""Advice to somebody who plays: what to keep and what to buy, solved, or estimated where there is too much to solve."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from oddsmith.chance import Seeded
from oddsmith.errors import WorkLimitError
from oddsmith.games.dice.bots.moves import best_faces, free_wilds
from oddsmith.games.dice.engine import GAME
from oddsmith.games.dice.model import Build, BuyDie
from oddsmith.games.dice.odds import plan_rerolls
from oddsmith.games.dice.parts import FaceEffect
from oddsmith.games.dice.questions.estimates import play_choices, play_purchases
from oddsmith.games.dice.questions.shop import value_purchases
from oddsmith.games.dice.shopping import Purchase, price
from oddsmith.games.dice.terminal.answers import signed
from oddsmith.games.dice.terminal.effects import purchase_words
from oddsmith.games.dice.terminal.estimates import choice_cells, hundredths, signed_hundredths
from oddsmith.games.dice.terminal.pool import dice_words
from oddsmith.games.dice.terminal.shop import offers
from oddsmith.games.dice.views import View
from oddsmith.terminal import show_progress
from oddsmith.text import columns, percent, plain

ADVISED: Final = 5
QUICK_ROUNDS: Final = 50
"""How many rounds are played for each choice while somebody waits at the table."""


def keep_lines(view: View) -> Iterator[str]:
    """Tell the best dice to keep and the key for each, and to what wild dice are set before the dice are scored."""
    try:
        with show_progress("solving every roll and what to keep of it") as report:
            plan = plan_rerolls(
                view.build,
                view.rerolls,
                view.rules,
                target=view.target,
                boss=view.boss,
                fixed=view.fixed,
                wilds_set=_wilds_set(view),
                progress=report,
            )
    except WorkLimitError as error:
        yield from _played_keep_lines(view, error)
    else:
        choices = plan.choices(view.faces, view.rerolls)[:ADVISED]
        rows = [(*_key_and_dice(choice.keep, view), percent(Fraction(choice.value))) for choice in choices]
        lines = [*columns([("key", "keep", f"reaches {view.target}"), *rows])]
        yield f"[bold]{lines[0]}[/]"
        yield f"[green]{lines[1]}[/]"
        yield from lines[2:]
        yield "[dim]exact, when all that follows is played best[/]"
    for place, (face, shown) in enumerate(zip(best_faces(view), view.faces, strict=True), 1):
        if face != shown:
            yield f"before you score, set die {place} to {face}: [bold]w {place} {face}[/]"


def _played_keep_lines(view: View, error: WorkLimitError) -> Iterator[str]:
    """Tell what a few choices came to in rounds that were played on from here."""
    state = GAME.imagine(view, Seeded("any"))
    choices = play_choices(state, view.target, rounds=QUICK_ROUNDS, most=ADVISED, progress=show_progress)
    rows = [
        (*_key_and_dice(one.keep, view), *choice_cells(one, len(view.faces), view.target)) for one in choices
    ]
    lines = [*columns([("key", "keep", f"reaches {view.target}, %", "±"), *rows])]
    yield f"[bold]{lines[0]}[/]"
    yield f"[green]{lines[1]}[/]"
    yield from lines[2:]
    yield f"[dim]estimated: {QUICK_ROUNDS} rounds for each, ± at 95 %, by what is best of simpler dice[/]"
    yield f"[dim]{plain(str(error))}[/]"


def _wilds_set(view: View) -> dict[int, int]:
    return {place: view.faces[place] for place in view.wilds_set}


def _key_and_dice(keep: Sequence[int], view: View) -> tuple[str, str]:
    """Return what to type for a choice, and which dice it keeps; those that are held anyway are not named."""
    if len(keep) == len(view.faces):
        return "s", "all: score"
    named = [place for place in keep if place not in _held(view)]
    kept = dice_words(
        [view.build.dice[place] for place in named],
        [view.faces[place] for place in named],
        view.rules.normal_kind,
    )
    return " ".join(("k", *(str(place + 1) for place in named))), kept


def _held(view: View) -> set[int]:
    """Return the places of the dice that need no lock: fixed, set, or wild where no echo may copy them."""
    fixed = set() if view.fixed is None else {view.fixed.place}
    kinds = view.rules.kinds
    echoes = any(kinds[die.kind].effect is FaceEffect.ECHO for die in view.build.dice)
    return fixed.union(view.wilds_set, () if echoes else free_wilds(view))


def purchase_lines(view: View) -> Iterator[str]:
    """Tell what each purchase that can be paid adds to the chance to win the next round, and the key for it."""
    state = GAME.imagine(view, Seeded("any"))
    payable = [offer for offer in offers(view) if price(state, offer) <= view.money]
    purchases = [one for offer in payable for one in _in_places(offer, view.build)]
    try:
        lines = [*_solved_purchase_lines(view, purchases)]
    except WorkLimitError as error:
        lines = [*_played_purchase_lines(view, purchases, error)]
    yield from lines


def _solved_purchase_lines(view: View, purchases: Sequence[Purchase]) -> Iterator[str]:
    chance, found = value_purchases(view.build, view.round + 1, view.rules, purchases, show_progress)
    yield _as_it_is(view, percent(chance))
    rows = [(*_offer_cells(one.purchase, view), percent(one.chance), signed(one.gain)) for one in found]
    yield from _offer_lines(("won", "adds"), rows)
    yield "[dim]exact, for that round alone, with the best dice kept at every roll[/]"


def _played_purchase_lines(view: View, purchases: Sequence[Purchase], error: WorkLimitError) -> Iterator[str]:
    """Tell what purchases added in rounds that were played."""
    number = view.round + 1
    chance, found = play_purchases(
        view.build, number, view.rules, purchases, rounds=QUICK_ROUNDS, progress=show_progress
    )
    yield _as_it_is(view, "{} % ± {}".format(*hundredths(chance)))
    rows = [
        (*_offer_cells(one.purchase, view), hundredths(one.chance)[0], *signed_hundredths(one.gain))
        for one in found
    ]
    yield from _offer_lines(("won, %", "adds", "±"), rows)
    yield f"[dim]estimated, for that round alone: {QUICK_ROUNDS} rounds for each, by what is best of simpler dice[/]"
    yield f"[dim]{plain(str(error))}[/]"


def _as_it_is(view: View, chance: str) -> str:
    number = view.round + 1
    boss = ", over all bosses that may come" if view.rules.is_boss_round(number) else ""
    return f"as it is, round {number} (target {view.rules.target(number)}) is won in {chance}{boss}"


def _offer_cells(purchase: Purchase, view: View) -> tuple[str, str, str]:
    """Return the key for a purchase, what it is, and what it costs now."""
    asked = price(GAME.imagine(view, Seeded("any")), purchase)
    return _keys(purchase, offers(view)), purchase_words(purchase), f"${asked}" if asked else "free"


def _offer_lines(numbers: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    if rows:
        head, *lines = columns([("key", "purchase", "price", *numbers), *rows])
        yield f"[bold]{head}[/]"
        yield from lines


def _in_places(offer: Purchase, build: Build) -> tuple[Purchase, ...]:
    """Return an offer, a die once for each different one that it may replace."""
    if not isinstance(offer, BuyDie):
        return (offer,)
    return tuple(BuyDie(build.dice.index(die), offer.die) for die in dict.fromkeys(build.dice))


def _keys(purchase: Purchase, sold: Sequence[Purchase]) -> str:
    if not isinstance(purchase, BuyDie):
        return str(sold.index(purchase) + 1)
    dice = [offer.die for offer in sold if isinstance(offer, BuyDie)]
    return f"{dice.index(purchase.die) + 1} {purchase.place + 1}"
