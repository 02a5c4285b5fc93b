"""The laws: who may act, what luck may do, that a game ends, what a seat may know, what is written comes back."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from operator import itemgetter
from typing import Any, Final

from oddsmith import wire
from oddsmith.chance import Chance
from oddsmith.errors import IllegalMove, OddsmithError, Refusal
from oddsmith.game import Act, Await, Decide, Luck, Outcome, Over, Seat, Step, audible_events
from oddsmith.laws.playout import Moment, Playout, written
from oddsmith.records import Record, read_record, verify

COMPARED: Final = 1_000
"""How many listed outcomes of a chance node have their weights asked for one by one."""


def purity(playout: Playout) -> Iterator[str | None]:
    """Ask everything twice, and look at the state again after that."""
    setup = partial(playout.game.setup, playout.rules, playout.seats)
    yield None if setup() == setup() else "setup gives two different states"
    for moment in playout.each():
        yield _unchanged(moment, "a later move")
        for name, ask in _questions(playout, moment):
            yield None if ask() == ask() else f"{name} gives two different answers about one state"
        yield _unchanged(moment, "a question about it")


def _questions(playout: Playout, moment: Moment) -> Iterator[tuple[str, Callable[[], object]]]:
    game, state = playout.game, moment.state
    yield "turn", partial(game.turn, state)
    for seat in range(playout.seats):
        yield "actions", partial(game.actions, state, seat)
    for viewer in playout.viewers:
        yield "view", partial(game.view, state, viewer)
    for seat, action in (*islice(playout.listed(moment), 2), *islice(playout.unlisted(moment), 2)):
        yield "objection", partial(game.objection, state, seat, action)
    if moment.made:
        yield "step", partial(game.step, state, moment.made.move)


def _unchanged(moment: Moment, culprit: str) -> str | None:
    return None if written(moment.state) == moment.written else f"{culprit} changes the state"


def totality(playout: Playout) -> Iterator[str | None]:
    """Compare the turn with the actions of every seat, and make the actions that are listed."""
    for moment in playout.each():
        if isinstance(moment.turn, Over):
            yield _wrong_outcome(playout, moment.turn.outcome)
        for seat, actions in moment.actions.items():
            yield _wrong_actions(moment, seat, actions)
        for seat, action in playout.listed(moment):
            playout.game.step(moment.state, Act(seat, action))
            yield None


def _wrong_outcome(playout: Playout, outcome: Outcome) -> str | None:
    if not set(outcome.winners) <= set(range(playout.seats)):
        return f"the winners {list(outcome.winners)} are not all seats"
    if len(outcome.scores) != playout.seats:
        return f"{playout.seats} seats have {len(outcome.scores)} scores"
    return None if outcome.why else "the outcome does not say why"


def _wrong_actions(moment: Moment, seat: Seat, actions: tuple[Any, ...]) -> str | None:
    decides = isinstance(moment.turn, Decide) and seat in moment.turn.seats
    if bool(actions) != decides:
        return f"seat {seat} must {'' if decides else 'not '}decide and has {len(actions)} actions"
    if len(set(map(repr, actions))) < len(actions):
        return f"the actions of seat {seat} are listed more than once"
    return None


def termination(playout: Playout) -> Iterator[str | None]:
    """Look at the last position."""
    *_, last = playout.each()
    yield None if isinstance(last.turn, Over) else f"there is no end after {last.ply} plies"


def conservation(playout: Playout) -> Iterator[str | None]:
    """Count the cards in every position."""
    first = Counter(playout.game.cards(playout.moments[0].state))
    for moment in playout.each():
        held = Counter(playout.game.cards(moment.state))
        lost, made = list((first - held).elements()), list((held - first).elements())
        yield None if held == first else f"cards lost: {lost}, cards made: {made}"


def objection(playout: Playout) -> Iterator[str | None]:
    """Object to nothing that is listed and to all else, and let no such move through."""
    for moment in playout.each():
        for seat, action in playout.listed(moment):
            refusal = playout.game.objection(moment.state, seat, action)
            yield f"{action!r} is listed for seat {seat} and objected to: {refusal}" if refusal else None
        for seat, action in playout.unlisted(moment):
            wrong = _let_through(playout, moment, seat, action)
            yield wrong and f"{action!r} is not listed for seat {seat}, and {wrong}"
        yield _unchanged(moment, "a refused move")


def _let_through(playout: Playout, moment: Moment, seat: Seat, action: object) -> str | None:
    refusal = playout.game.objection(moment.state, seat, action)
    if not isinstance(refusal, Refusal) or not refusal.code or not refusal.sentence:
        return f"the objection has no code and no sentence: {refusal}"
    refused = _refused(playout, moment, Act(seat, action))
    if refused is None:
        return "step makes it"
    return None if refused == refusal else f"step refuses it for another reason: {refused}"


def _refused(playout: Playout, moment: Moment, move: Act[Any] | Luck[Any]) -> Refusal | None:
    try:
        playout.game.step(moment.state, move)
    except IllegalMove as error:
        return error.refusal
    return None


def chance(playout: Playout) -> Iterator[str | None]:
    """Add up the weights of each node once, and try luck that cannot happen."""
    for moment in playout.each():
        if isinstance(moment.turn, Await):
            node = moment.turn.chance
            if node not in playout.memory.nodes:
                playout.memory.nodes.add(node)
                yield _wrong_node(playout, node)
            for outcome in moment.drawn:
                yield _wrong_sample(node, outcome)
        for outcome in playout.some_of(playout.memory.outcomes.things):
            if not isinstance(moment.turn, Await) or not moment.turn.chance.weight(outcome):
                refused = _refused(playout, moment, Luck(outcome))
                yield None if refused else f"{outcome!r} cannot happen here, and step makes it"


def _wrong_node(playout: Playout, node: Chance[Any]) -> str | None:
    """Count all outcomes while the check's allowance lasts, else draw a few."""
    total = node.total
    if not _is_count(total):
        return f"a total is a positive whole number, not {total!r}"
    if total > playout.memory.countable:
        samples = (_wrong_sample(node, node.sample(playout.draw)) for _ in range(COMPARED // 10))
        return next((wrong for wrong in samples if wrong), None)
    playout.memory.countable -= total
    counted = 0
    listed = node.outcomes()
    for outcome, weight in islice(listed, COMPARED):
        if not _is_count(weight) or weight != node.weight(outcome):
            return f"{outcome!r} is listed with the weight {weight!r} and weighs {node.weight(outcome)!r}"
        counted += weight
    for weight, times in Counter(map(itemgetter(1), listed)).items():
        if not _is_count(weight):
            return f"an outcome is listed with the weight {weight!r}"
        counted += weight * times
    return None if counted == total else f"the weights add up to {counted}, not to {total}"


def _wrong_sample(node: Chance[Any], outcome: object) -> str | None:
    weight = node.weight(outcome)
    return None if _is_count(weight) else f"{outcome!r} was drawn and weighs {weight!r}"


def _is_count(number: object) -> bool:
    return type(number) is int and number > 0


COMPARED_MOVES: Final = 4
"""How many moves by one seat, or by luck, are compared with each other in one position."""


def non_interference(playout: Playout) -> Iterator[str | None]:
    """Imagine the position from every view, and listen to moves that look the same."""
    for moment in playout.each():
        for viewer in playout.viewers:
            yield _wrong_imagination(playout, moment, viewer)
        for mover, steps in _alternatives(playout, moment):
            for viewer in playout.viewers:
                if viewer != mover or mover is None:
                    yield from _told_apart(playout, steps, viewer)


def _wrong_imagination(playout: Playout, moment: Moment, viewer: Seat | None) -> str | None:
    game, who = playout.game, _name(viewer)
    view = game.view(moment.state, viewer)
    imagined = game.imagine(view, playout.draw)
    if game.view(imagined, viewer) != view:
        return f"{who} would see that the imagined state is another one"
    if viewer is not None and tuple(game.actions(imagined, viewer)) != moment.actions[viewer]:
        return f"the actions of {who} depend on what it cannot see"
    if type(game.turn(imagined)) is not type(moment.turn):
        return f"whether it is time to decide, for luck or to stop depends on what {who} cannot see"
    if Counter(game.cards(imagined)) != Counter(game.cards(moment.state)):
        return f"{who} imagines other cards than the game has"
    return None


def _alternatives(playout: Playout, moment: Moment) -> Iterator[tuple[Seat | None, list[Step[Any]]]]:
    """Yield who moves, seat by seat or luck, with the steps of some moves that could be made."""
    if isinstance(moment.turn, Await):
        outcomes = [moment.turn.chance.sample(playout.draw) for _ in range(COMPARED_MOVES)]
        yield None, [playout.game.step(moment.state, Luck(outcome)) for outcome in outcomes]
    for seat, listed in moment.actions.items():
        actions = playout.some_of(listed, COMPARED_MOVES)
        yield seat, [playout.game.step(moment.state, Act(seat, action)) for action in actions]


def _told_apart(playout: Playout, steps: list[Step[Any]], viewer: Seat | None) -> Iterator[str | None]:
    """Compare what is heard of moves that lead to different states which look the same.

    Where the states are the same, what was told is a secret no more: a card that was shown and shuffled away.
    """
    looks: dict[bytes, Step[Any]] = {}
    for step in steps:
        first = looks.setdefault(written(playout.game.view(step.state, viewer)), step)
        if first.state != step.state:
            told, again = audible_events(first.events, viewer), audible_events(step.events, viewer)
            yield (
                None if told == again else f"{_name(viewer)} hears what it cannot see: {told!r} or {again!r}"
            )


def _name(viewer: Seat | None) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"


POSITIONS: Final = 12
"""How many positions of a playout are written as JSON and read back."""


def replay(playout: Playout) -> Iterator[str | None]:
    """Write the playout as a record, read it, verify it, and compare every ply."""
    plies = [moment.made for moment in playout.moments if moment.made]
    names = [f"seat {seat}" for seat in range(playout.seats)]
    record = Record.of(playout.game, playout.rules, names, [ply.move for ply in plies])
    again = read_record(record.to_toml(), lambda _: playout.game)
    yield None if again == record else "the record reads back as another one"
    for ply, made in zip(verify(playout.game, again).plies, plies, strict=True):
        playout.at = ply.number
        yield None if ply == made else f"the replay differs: {ply!r}, not {made!r}"


def json(playout: Playout) -> Iterator[str | None]:
    """Write everything that some positions hold as JSON, and read it back."""
    for moment in playout.each(POSITIONS):
        for value, kind in _values(playout, moment):
            text = wire.to_json(value, canonical=True)
            again = wire.from_json(text, kind)
            same = again == value and wire.to_json(again, canonical=True) == text
            yield None if same else f"{value!r} comes back from JSON as {again!r}"


def _values(playout: Playout, moment: Moment) -> Iterator[tuple[object, Any]]:
    game = playout.game
    yield moment.state, game.state_type
    for viewer in playout.viewers:
        yield game.view(moment.state, viewer), game.view_type
    for _, action in playout.listed(moment):
        yield action, game.action_type
    if moment.made:
        for event in moment.made.events:
            yield event, game.event_type
    for outcome in moment.drawn:
        yield outcome, game.luck_type


def notation(playout: Playout) -> Iterator[str | None]:
    """Write moves as lines and read them; read lines that are spoilt."""
    for moment in playout.each():
        moves: list[Act[Any] | Luck[Any]] = [Act(seat, action) for seat, action in playout.listed(moment)]
        for move in (*moves, *([moment.made.move] if moment.made else ())):
            line = playout.game.write(moment.state, move)
            again = playout.game.read(moment.state, line)
            yield None if again == move else f"'{line}' was written for {move!r} and reads as {again!r}"
            yield _wrong_reading(playout, moment, _spoilt(playout, line))


def _spoilt(playout: Playout, line: str) -> str:
    place = playout.draw.below(len(line) + 1)
    return line[:place] + playout.one_of(("", "?", "0", " ", "*", "-1")) + line[place + 1 :]


def _wrong_reading(playout: Playout, moment: Moment, line: str) -> str | None:
    try:
        move: object = playout.game.read(moment.state, line)
    except OddsmithError:
        return None
    return None if isinstance(move, Act | Luck) else f"'{line}' reads as {move!r}, which is no move"
