"""What is best at the table and in the shop: solved under a bar, exactly."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Final

from oddsmith.chance import Seeded
from oddsmith.cli.console import columns, percent, progress_bar
from oddsmith.cli.dice.counter import offers
from oddsmith.cli.dice.goods import purchase_words
from oddsmith.cli.dice.pool import dice_words
from oddsmith.cli.dice.replies import Worth
from oddsmith.cli.dice.show import signed
from oddsmith.games.dice.engine import GAME
from oddsmith.games.dice.model import Build, BuyDie, FixedDie
from oddsmith.games.dice.odds import RerollPlan, plan_rerolls
from oddsmith.games.dice.parts import FACES, FaceEffect, PoolDie
from oddsmith.games.dice.purchases import purchase_values, round_chance
from oddsmith.games.dice.rules import BossKind, Rules
from oddsmith.games.dice.scoring import score
from oddsmith.games.dice.shopping import Purchase, price
from oddsmith.games.dice.views import View

__all__ = ["best_settings", "exactly", "keep_lines", "planned", "purchase_lines", "valued"]

ADVISED: Final = 5


def planned(
    build: Build,
    rerolls: int,
    rules: Rules,
    *,
    target: int | None,
    boss: BossKind | None,
    fixed: FixedDie | None,
    wilds_set: Mapping[int, int] | None = None,
) -> RerollPlan:
    """Solve which dice to keep, while a bar shows how far that is."""
    with progress_bar("solving every roll and what to keep of it") as progress:
        return plan_rerolls(
            build,
            rerolls,
            rules,
            target=target,
            boss=boss,
            fixed=fixed,
            wilds_set=wilds_set,
            progress=progress,
        )


def exactly(value: Fraction | float) -> Fraction:
    """Return a value that was solved exactly as the fraction that it is."""
    assert isinstance(value, Fraction)  # noqa: S101  floats are only where they are asked for
    return value


def keep_lines(view: View) -> Iterator[str]:
    """Tell the best dice to keep, and the key for each; what the target asks for now, where nothing is left to roll."""
    wilds_set = {place: view.faces[place] for place in view.wilds_set}
    plan = planned(
        view.build,
        view.rerolls,
        view.rules,
        target=view.target,
        boss=view.boss,
        fixed=view.fixed,
        wilds_set=wilds_set,
    )
    held = {*view.wilds_set, *(() if view.fixed is None else (view.fixed.place,)), *_wild(view)}
    rows = [("key", "keep", f"reaches {view.target}")]
    for choice in plan.choices(view.faces, view.rerolls)[:ADVISED]:
        named = [place for place in choice.keep if place not in held]
        is_all = len(choice.keep) == len(view.faces)
        keys = "s" if is_all else " ".join(("k", *(str(place + 1) for place in named)))
        kept = dice_words(
            [view.build.dice[place] for place in named],
            [view.faces[place] for place in named],
            view.rules.normal_kind,
        )
        rows.append((keys, "all: score" if is_all else kept, percent(exactly(choice.value))))
    lines = [*columns(rows)]
    yield f"[bold]{lines[0]}[/]"
    yield f"[green]{lines[1]}[/]"
    yield from lines[2:]
    yield "[dim]exact, when all that follows is played best[/]"
    for place, face in best_settings(view).items():
        yield f"to score now, set die {place + 1} to {face}: [bold]w {place + 1} {face}[/]"


def _wild(view: View) -> tuple[int, ...]:
    """Return the places of wild dice that may still be set."""
    fixed = None if view.fixed is None else view.fixed.place
    return tuple(
        place
        for place, die in enumerate(view.build.dice)
        if view.rules.kinds[die.kind].effect is FaceEffect.WILD and place != fixed
    )


def best_settings(view: View) -> dict[int, int]:
    """Return the faces to which wild dice are best set if the dice are scored now; none where they lie best.

    Wild dice that are alike are tried in one order only.
    """
    alike: dict[PoolDie, list[int]] = {}
    for place in _wild(view):
        alike.setdefault(view.build.dice[place], []).append(place)
    silenced = view.boss is BossKind.SILENCER
    best, most = view.faces, score(view.build, view.faces, view.rules, silenced=silenced).total
    for faces in product(*(combinations_with_replacement(FACES, len(places)) for places in alike.values())):
        tried = list(view.faces)
        for places, shown in zip(alike.values(), faces, strict=True):
            for place, face in zip(places, shown, strict=True):
                tried[place] = face
        total = score(view.build, tried, view.rules, silenced=silenced).total
        if total > most:
            best, most = tuple(tried), total
    return {place: best[place] for place in _wild(view) if best[place] != view.faces[place]}


def valued(build: Build, number: int, rules: Rules, purchases: Sequence[Purchase]) -> Iterator[Worth]:
    """Value purchases for a round, best first and each die in its best place, while a bar shows how far that is."""
    with progress_bar(f"valuing {len(purchases)} purchases") as progress:
        found = purchase_values(build, number, rules, purchases, progress=progress)
    placed: set[PoolDie] = set()
    for one in found:
        if isinstance(one.purchase, BuyDie):
            if one.purchase.die in placed:
                continue
            placed.add(one.purchase.die)
        yield Worth(purchase=one.purchase, price=one.price, chance=exactly(one.after), gain=exactly(one.gain))


def purchase_lines(view: View) -> Iterator[str]:
    """Tell what each purchase that can be paid adds to the chance to win the next round, and the key for it."""
    number, state = view.round + 1, GAME.imagine(view, Seeded("any"))
    chance = exactly(round_chance(view.build, number, view.rules))
    boss = ", over all bosses that may come" if view.rules.is_boss_round(number) else ""
    yield f"as it is, round {number} (target {view.rules.target(number)}) is won in {percent(chance)}{boss}"
    sold = offers(view)
    payable = [offer for offer in sold if price(state, offer) <= view.money]
    purchases = [one for offer in payable for one in _in_places(offer, view.build)]
    rows = [("key", "purchase", "price", "won", "adds")]
    for one in valued(view.build, number, view.rules, purchases):
        asked = price(state, one.purchase)
        rows.append(
            (
                _keys(one.purchase, sold),
                purchase_words(one.purchase),
                f"${asked}" if asked else "free",
                percent(one.chance),
                signed(one.gain),
            )
        )
    if purchases:
        lines = [*columns(rows)]
        yield f"[bold]{lines[0]}[/]"
        yield from lines[1:]
    yield "[dim]exact, for that round alone, with the best dice kept at every roll[/]"


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
