"""Play of a run in a terminal: lines for events, state and choices, and the actions of typed keys."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from oddsmith.chance import Seeded
from oddsmith.errors import IllegalMove, InputError
from oddsmith.game import Act, Event
from oddsmith.games.dice import model
from oddsmith.games.dice.builds import format_name
from oddsmith.games.dice.engine import GAME
from oddsmith.games.dice.parts import FACES, FaceEffect
from oddsmith.games.dice.rules import BossKind
from oddsmith.games.dice.scoring import score
from oddsmith.games.dice.terminal import shop
from oddsmith.games.dice.terminal.answers import score_lines
from oddsmith.games.dice.terminal.pool import HoldReason, format_dice, pool_lines
from oddsmith.games.dice.views import View
from oddsmith.terminal import ActionSequence, Reply
from oddsmith.text import escape_markup

PLAYER: Final = 0
BOSSES: Final = {
    BossKind.LOCKDOWN: "a die is fixed at a face",
    BossKind.INVERTER: "what is rolled shows its opposite: 6 for 1, 5 for 2, 4 for 3",
    BossKind.COLLECTOR: "a die becomes normal when the round is won",
    BossKind.MISER: "fewer rerolls",
    BossKind.SILENCER: "dice add nothing by their abilities",
}
HELP: Final = (
    "  [bold]k 1 3[/]  keep dice 1 and 3, and reroll all others; [bold]k[/] alone rerolls all",
    "  [bold]1 3[/]    lock dice 1 and 3, or unlock them where they are locked",
    "  [bold]r[/]      reroll what is not locked",
    "  [bold]w 2 6[/]  set die 2, a wild one, to 6; so it stays for the round",
    "  [bold];[/]      between two of these does both: w 2 6; k 1",
    "  [bold]s[/]      score the dice as they lie",
    "  [bold]?[/]      which dice are best kept, and what that is worth",
    "  [bold]q[/]      leave the table",
    "Every hand, die and item: oddsmith rules dice",
)
_KEEP: Final = re.compile(r"k([\d\s,]*)")
_TOGGLE: Final = re.compile(r"[\d\s,]+")
_WILD: Final = re.compile(r"w[\s,]*(10|[1-9])[\s,]*(\d)")
_PLACE: Final = re.compile(r"10|\d")


# --- events ----------------------------------------------------------------------------------------------------------


def event_lines(events: Iterable[Event], view: View) -> Iterator[str]:
    """Yield lines about events; for a spectator also about rolls, locks and the stock."""
    for event in events:
        if view.viewer is None:
            yield from _spectator_lines(event, view)
        match event:
            case model.RoundBegan(boss=boss) if boss is not None:
                yield f"[bold red]boss: {boss}[/], {BOSSES[boss]}"
            case model.Fixed(die=die):
                yield f"the lockdown holds die {die.place + 1} at {die.face}"
            case model.Scored(score=scored, target=target):
                yield from score_lines(scored, view.build.dice, view.faces, view.rules)
                yield _result_line(scored.total, target)
            case model.Bought():
                yield shop.bought_line(event)
            case model.Ended(why=why, won=won, final_score=final_score):
                style = "green" if why is model.Ending.ALL_ROUNDS_WON else "red"
                yield (
                    f"[bold {style}]the run is over[/]: {why.words}; rounds won: [bold]{won}[/] of {view.rules.rounds}; "
                    f"final score: [bold]{final_score:,}[/]"
                )
            case _:
                yield from _round_end_lines(event)


def _round_end_lines(event: Event) -> Iterator[str]:
    """Yield lines about what a won round pays and costs."""
    match event:
        case model.Paid(payment=payment, money=money):
            yield f"paid ${payment.total}{_format_payment_parts(payment)}: ${money} now"
        case model.Shattered(places=places, saved=saved):
            if saved:
                yield f"{_format_places(saved)} would have shattered, but an item saved it"
            if places:
                yield f"[red]{_format_places(places)} shattered[/]: normal now"
        case model.Collected(place=place):
            yield f"the collector made die {place + 1} normal"


def _spectator_lines(event: Event, view: View) -> Iterator[str]:
    match event:
        case model.RoundBegan(round=number, target=target, rerolls=rerolls):
            yield f"[bold]round {number}[/]: target {target}, rerolls {rerolls}"
        case model.Rolled(places=places, faces=faces):
            yield f"{_format_places(places)} rolled: {format_dice(view.build.dice, faces, view.rules.normal_kind)}"
        case model.Locked(place=place):
            yield f"die {place + 1} is locked"
        case model.Unlocked(place=place):
            yield f"die {place + 1} is unlocked"
        case model.WildSet(place=place, face=face):
            yield f"die {place + 1} is set to {face}"
        case model.Stocked(stock=stock):
            yield f"the shop has {', '.join(map(format_name, (*map(str, stock.dice), *stock.items, *stock.upgrades)))}"


def _result_line(total: int, target: int) -> str:
    if total >= target:
        return f"[bold green]won[/]: {total} reach the target {target}"
    return f"[bold red]lost[/]: {total} are {target - total} short of the target {target}"


def _format_payment_parts(payment: model.Payment) -> str:
    """Return the parts of a payment as text, if there are several."""
    named = {
        "target": payment.target,
        "great score": payment.great,
        "unused rerolls": payment.rerolls,
        "interest": payment.interest,
        "items": payment.items,
    }
    parts = [f"{name} {amount}" for name, amount in named.items() if amount]
    return f" ({', '.join(parts)})" if len(parts) > 1 else ""


def _format_places(places: Sequence[int]) -> str:
    numbers = " ".join(str(place + 1) for place in places)
    return f"die {numbers}" if len(places) == 1 else f"dice {numbers}"


# --- the state -------------------------------------------------------------------------------------------------------


def state_lines(view: View) -> Iterator[str]:
    """Yield lines about the round and its dice; in the shop, about the next round and the build."""
    if view.stage is model.Stage.SHOP:
        yield from shop.state_lines(view)
        return
    yield (
        f"[bold]round {view.round}[/] of {view.rules.rounds}   target [bold]{view.target}[/]   rerolls [bold]{view.rerolls}[/]"
        f"   money ${view.money}{f'   [red]{view.boss}[/]' if view.boss else ''}"
    )
    yield from shop.owned_lines(view.build)
    if not view.faces:
        return
    yield from pool_lines(view.build.dice, view.faces, _hold_reasons(view), view.rules.normal_kind)
    if view.score is None:
        yield _now_line(view)


def _hold_reasons(view: View) -> tuple[HoldReason, ...]:
    """Return, for each die, why it is not rerolled."""
    return tuple(_hold_reason(view, place) for place in range(len(view.build.dice)))


def _hold_reason(view: View, place: int) -> HoldReason:
    if view.fixed is not None and place == view.fixed.place:
        return HoldReason.FIXED
    if place in view.wilds_set:
        return HoldReason.SET
    return HoldReason.LOCKED if place in view.locked else HoldReason.NONE


def _now_line(view: View) -> str:
    now = score(view.build, view.faces, view.rules, silenced=view.boss is BossKind.SILENCER)
    short = view.target - now.total
    end = f"[red]{short} short[/]" if short > 0 else "[green]the target is reached[/]"
    return f"now: {format_name(now.hand)}, [bold]{now.total}[/], {end}"


# --- choices ---------------------------------------------------------------------------------------------------------


def choice_lines(view: View, actions: Sequence[model.Action]) -> Iterator[str]:
    """Yield the possible keys; in the shop, the offers."""
    if view.stage is model.Stage.SHOP:
        yield from shop.choice_lines(view, actions)
        return
    wild = next((action.place + 1 for action in actions if isinstance(action, model.SetWild)), None)
    if wild is not None:
        yield f"[dim]w {wild} 6 sets wild die {wild} to 6[/]"
    keep = "k 1 3 keeps dice 1 and 3 and rerolls the others, " if model.Reroll() in actions else ""
    yield f"[dim]{keep}s scores, ? advises, h helps[/]"


def read_answer(
    answer: str, view: View, actions: Sequence[model.Action]
) -> model.Action | ActionSequence | Reply:
    """Return the actions of an answer, or advice or help; raise an error for an answer that the rules refuse."""
    if view.stage is model.Stage.SHOP:
        return shop.read_answer(answer, view, actions)
    if answer == "?":
        return Reply(tuple(shop.keep_lines(view)))
    if answer in ("h", "help"):
        return Reply(HELP)
    state = GAME.imagine(view, Seeded("any"))
    chosen: list[model.Action] = []
    for part in answer.split(";"):
        parsed = _read_actions(part.strip(), GAME.view(state, PLAYER))
        if not parsed:
            return Reply(
                (f"[red]'{escape_markup(part[:40])}' is no answer: k 1 3, 1 3, r, s, ?, or h for help[/]",)
            )
        state = _apply_actions(parsed, state)
        chosen += parsed
    return ActionSequence(tuple(chosen))


def _read_actions(answer: str, view: View) -> Sequence[model.Action]:
    """Return the actions of typed keys; none for other text."""
    if answer in ("s", "r"):
        return [model.ScoreHand() if answer == "s" else model.Reroll()]
    if found := _KEEP.fullmatch(answer):
        return _keep_actions(_read_places(found[1], view), view)
    if found := _WILD.fullmatch(answer):
        return [_set_wild_action(int(found[1]) - 1, int(found[2]), view)]
    return _toggle_actions(_read_places(answer, view), view) if _TOGGLE.fullmatch(answer) else []


def _apply_actions(actions: Sequence[model.Action], state: model.State) -> model.State:
    """Return the state after these actions; raise `IllegalMove` if one is not legal."""
    for action in actions:
        refusal = GAME.objection(state, PLAYER, action)
        if refusal is not None:
            raise IllegalMove.of(refusal)
        state = GAME.step(state, Act(PLAYER, action)).state
    return state


def _read_places(digits: str, view: View) -> tuple[int, ...]:
    """Return the places, from 0, of dice that are numbered from 1, with or without spaces between them."""
    size = len(view.build.dice)
    named = [int(found) for found in _PLACE.findall(digits)]
    for one in named:
        if not 1 <= one <= size:
            raise InputError("no_such_die", f"there is no die {one}: the dice are 1 to {size}")
        if named.count(one) > 1:
            raise InputError("die_twice", f"die {one} is named twice")
    return tuple(one - 1 for one in named)


def _toggle_actions(places: Sequence[int], view: View) -> list[model.Action]:
    """Return the actions that lock dice, or unlock those that are locked."""
    for place in places:
        if _hold_reason(view, place) in (HoldReason.FIXED, HoldReason.SET):
            raise IllegalMove(
                "held_die", f"die {place + 1} stays as it is: it is {_hold_reason(view, place)}"
            )
    return [model.Unlock(place) if place in view.locked else model.Lock(place) for place in places]


def _keep_actions(places: Sequence[int], view: View) -> list[model.Action]:
    """Return the actions that lock exactly these dice, except fixed and set ones, and reroll the others."""
    wanted = {place for place in places if _hold_reason(view, place) in (HoldReason.NONE, HoldReason.LOCKED)}
    return [
        *(model.Unlock(place) for place in view.locked if place not in wanted),
        *(model.Lock(place) for place in sorted(wanted.difference(view.locked))),
        model.Reroll(),
    ]


def _set_wild_action(place: int, face: int, view: View) -> model.Action:
    _read_places(str(place + 1), view)
    if _hold_reason(view, place) is HoldReason.FIXED:
        raise IllegalMove("held_die", f"die {place + 1} stays as it is: it is {HoldReason.FIXED}")
    die = view.build.dice[place]
    if view.rules.kinds[die.kind].effect is not FaceEffect.WILD:
        raise IllegalMove("not_wild", f"die {place + 1} is {die}: only wild dice are set")
    if face not in FACES:
        raise InputError("bad_face", f"a die shows 1 to {FACES[-1]}, not {face}")
    if place in view.wilds_set and view.faces[place] == face:
        raise IllegalMove("set_already", f"die {place + 1} is set to {face} already")
    return model.SetWild(place, face)
