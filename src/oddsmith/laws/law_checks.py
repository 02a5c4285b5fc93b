"""The checks of the laws on one playout; each yields None for a check that holds, a fault for one that fails."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from operator import itemgetter
from typing import Any, Final

from oddsmith import wire
from oddsmith.chance import Chance
from oddsmith.errors import IllegalMove, InputError, OddsmithError, Refusal
from oddsmith.game import Act, Await, Decide, Luck, Outcome, Over, Seat, Step, audible_events
from oddsmith.laws.fault import Fault
from oddsmith.laws.playout import SOME_ACTION, Playout, Position, canonical_json
from oddsmith.records import Record, read_record, verify
from oddsmith.source_places import at_place, place_of_field

COMPARED: Final = 1_000
"""The number of outcomes of a chance node whose listed weight is compared with `weight`."""


SAME_ANSWER: Final = (
    "compute it from the position and the move alone: no random numbers, no clock, no counters"
)
SAME_ACTIONS: Final = "`actions`, `objection` and `step` agree on what is legal"
READ_BACK: Final = (
    "`read` returns the move that `write` has written, and refuses any other line with an InputError"
)
DECLARED: Final = "use numbers, text, tuples, enums and frozen structs, as the types declare them"


def purity(playout: Playout) -> Iterator[Fault | None]:
    """Call every function of the game twice, compare the results, and check that the state has not changed."""
    setup = partial(playout.game.setup, playout.rules, playout.seats)
    first = setup()
    yield None if setup() == first else Fault("setup gives two different states", "start", SAME_ANSWER)
    yield _global_randomness(playout)
    for position in playout.each_position():
        yield _state_change(position, "a later move")
        for name, call in _calls(playout, position):
            answer = call()
            yield (
                None
                if call() == answer
                else Fault(f"{name} gives two different answers about one state", name, SAME_ANSWER)
            )
        yield _state_change(position, "a question about it")


def _global_randomness(playout: Playout) -> Fault | None:
    if not playout.used_global_randomness:
        return None
    cure = "luck is a move: let `turn` wait for it, and `luck` take its outcome"
    return Fault("a rule draws from Python's module random", "turn", cure)


def _calls(playout: Playout, position: Position) -> Iterator[tuple[str, Callable[[], object]]]:
    game, state = playout.game, position.state
    yield "turn", partial(game.turn, state)
    for seat in range(playout.seats):
        yield "actions", partial(game.actions, state, seat)
    for viewer in playout.viewers:
        yield "view", partial(game.view, state, viewer)
    for seat, action in (
        *islice(playout.listed_actions(position), 2),
        *islice(playout.unlisted_actions(position), 2),
    ):
        yield "objection", partial(game.objection, state, seat, action)
    if position.next_ply:
        yield "step", partial(game.step, state, position.next_ply.move)


def _state_change(position: Position, culprit: str) -> Fault | None:
    if canonical_json(position.state) == position.json:
        return None
    return Fault(
        f"{culprit} changes the state",
        "act",
        "return a changed copy, and leave the values of a position as they are",
    )


def totality(playout: Playout) -> Iterator[Fault | None]:
    """Compare the turn with the actions of every seat, and step with listed actions."""
    for position in playout.each_position():
        if isinstance(position.turn, Over):
            yield _wrong_outcome(playout, position.turn.outcome)
        for seat, actions in position.actions.items():
            yield _wrong_actions(position, seat, actions)
        for seat, action in playout.listed_actions(position):
            playout.game.step(position.state, Act(seat, action))
            yield None


def _wrong_outcome(playout: Playout, outcome: Outcome) -> Fault | None:
    if not set(outcome.winners) <= set(range(playout.seats)):
        reason = f"the winners {list(outcome.winners)} are not all seats"
        return Fault(reason, "turn", f"`winners` are seats from 0 to {playout.seats - 1}")
    if len(outcome.scores) != playout.seats:
        reason = f"{playout.seats} seats have {len(outcome.scores)} scores"
        return Fault(reason, "turn", "an outcome has one score for each seat")
    if outcome.why:
        return None
    return Fault("the outcome does not say why", "turn", "an outcome says in some words why the game is over")


def _wrong_actions(position: Position, seat: Seat, actions: tuple[Any, ...]) -> Fault | None:
    decides = isinstance(position.turn, Decide) and seat in position.turn.seats
    if bool(actions) != decides:
        reason = f"seat {seat} must {'' if decides else 'not '}decide and has {len(actions)} actions"
        return Fault(reason, "actions", SOME_ACTION)
    if len(set(map(repr, actions))) < len(actions):
        return Fault(
            f"the actions of seat {seat} are listed more than once", "actions", "list each action once"
        )
    return None


def termination(playout: Playout) -> Iterator[Fault | None]:
    """Check that the last position is the end of the game."""
    *_, last = playout.each_position()
    yield (
        None
        if isinstance(last.turn, Over)
        else Fault(
            f"there is no end after {last.ply:,} plies",
            "turn",
            "let something run out in every game, such as cards or rounds; or give more plies, where games are this long",
        )
    )


def conservation(playout: Playout) -> Iterator[Fault | None]:
    """Compare the cards of every position with those of the first."""
    first = Counter(playout.game.cards(playout.positions[0].state))
    for position in playout.each_position():
        held = Counter(playout.game.cards(position.state))
        lost, made = list((first - held).elements()), list((held - first).elements())
        yield (
            None
            if held == first
            else Fault(
                f"cards lost: {lost}, cards made: {made}", "act", "a card that leaves one place joins another"
            )
        )


def objection(playout: Playout) -> Iterator[Fault | None]:
    """Check that listed actions have no objection, and that unlisted ones are refused by `objection` and `step` alike."""
    for position in playout.each_position():
        for seat, action in playout.listed_actions(position):
            refusal = playout.game.objection(position.state, seat, action)
            reason = f"{action!r} is listed for seat {seat} and objected to: {refusal}"
            yield Fault(reason, "objection", SAME_ACTIONS) if refusal else None
        for seat, action in playout.unlisted_actions(position):
            wrong = _wrong_refusal(playout, position, seat, action)
            reason = f"{action!r} is not listed for seat {seat}, and {wrong}"
            yield Fault(reason, "objection", SAME_ACTIONS) if wrong else None
        yield _state_change(position, "a refused move")


def _wrong_refusal(playout: Playout, position: Position, seat: Seat, action: object) -> str | None:
    refusal = playout.game.objection(position.state, seat, action)
    if not isinstance(refusal, Refusal) or not refusal.code or not refusal.sentence:
        return f"the objection has no code and no sentence: {refusal}"
    refused = _step_refusal(playout, position, Act(seat, action))
    if refused is None:
        return "step makes it"
    return None if refused == refusal else f"step refuses it for another reason: {refused}"


def _step_refusal(playout: Playout, position: Position, move: Act[Any] | Luck[Any]) -> Refusal | None:
    try:
        playout.game.step(position.state, move)
    except IllegalMove as error:
        return error.refusal
    return None


def chance(playout: Playout) -> Iterator[Fault | None]:
    """Check the weights of each chance node once, and that `step` refuses impossible outcomes."""
    for position in playout.each_position():
        if isinstance(position.turn, Await):
            node = position.turn.chance
            if node not in playout.shared.nodes:
                playout.shared.nodes.add(node)
                yield _node_fault(_wrong_node(playout, node))
            for outcome in position.drawn:
                yield _node_fault(_wrong_sample(node, outcome))
        for outcome in playout.sample(playout.shared.outcomes.values):
            if not isinstance(position.turn, Await) or not position.turn.chance.weight(outcome):
                refused = _step_refusal(playout, position, Luck(outcome))
                yield (
                    None
                    if refused
                    else Fault(
                        f"{outcome!r} cannot happen here, and step makes it",
                        "step",
                        "a move of luck is refused where none is due, or its outcome has no weight",
                    )
                )


def _node_fault(reason: str | None) -> Fault | None:
    cure = "the outcomes of a chance node have positive whole weights, which add up to its total"
    return None if reason is None else Fault(reason, "turn", cure)


def _wrong_node(playout: Playout, node: Chance[Any]) -> str | None:
    """Return the fault of a node, None where it has none; all outcomes are counted while `countable` lasts, else sampled."""
    total = node.total
    if not _is_count(total):
        return f"a total is a positive whole number, not {total!r}"
    if total > playout.shared.countable:
        samples = (_wrong_sample(node, node.sample(playout.draw)) for _ in range(COMPARED // 10))
        return next((wrong for wrong in samples if wrong), None)
    playout.shared.countable -= total
    counted = 0
    outcomes = node.outcomes()
    for outcome, weight in islice(outcomes, COMPARED):
        if not _is_count(weight) or weight != node.weight(outcome):
            return f"{outcome!r} is listed with the weight {weight!r} and weighs {node.weight(outcome)!r}"
        counted += weight
    for weight, times in Counter(map(itemgetter(1), outcomes)).items():
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
"""The number of moves of one seat, or of luck, that are compared with each other in one position."""


def non_interference(playout: Playout) -> Iterator[Fault | None]:
    """Compare imagined states with the view, and the events of moves that a viewer cannot distinguish."""
    for position in playout.each_position():
        for viewer in playout.viewers:
            yield _wrong_imagined_state(playout, position, viewer)
        for mover, steps in _alternatives(playout, position):
            for viewer in playout.viewers:
                if viewer != mover or mover is None:
                    yield from _compare_events(playout, steps, viewer)


def _wrong_imagined_state(playout: Playout, position: Position, viewer: Seat | None) -> Fault | None:
    game, who = playout.game, _viewer_name(viewer)
    view = game.view(position.state, viewer)
    imagined = game.imagine(view, playout.draw)
    if game.view(imagined, viewer) != view:
        reason = f"{who} would see that the imagined state is another one"
        return Fault(reason, "imagine", "an imagined state has the view that it is imagined from")
    if viewer is not None and tuple(game.actions(imagined, viewer)) != position.actions[viewer]:
        reason = f"the actions of {who} depend on what it cannot see"
        return Fault(reason, "actions", "the actions of a seat follow from what its view shows")
    if type(game.turn(imagined)) is not type(position.turn):
        reason = f"whether it is time to decide, for luck or to stop depends on what {who} cannot see"
        return Fault(
            reason, "turn", "the kind of turn follows from what everybody sees: open a place that says it"
        )
    if Counter(game.cards(imagined)) != Counter(game.cards(position.state)):
        reason = f"{who} imagines other cards than the game has"
        return Fault(reason, "imagine", "the first position has all cards, and an imagined one has the same")
    return None


def _alternatives(playout: Playout, position: Position) -> Iterator[tuple[Seat | None, list[Step[Any]]]]:
    """Yield each seat that may move, None for luck, with the steps of some of its moves."""
    if isinstance(position.turn, Await):
        outcomes = [position.turn.chance.sample(playout.draw) for _ in range(COMPARED_MOVES)]
        yield None, [playout.game.step(position.state, Luck(outcome)) for outcome in outcomes]
    for seat, listed in position.actions.items():
        actions = playout.sample(listed, COMPARED_MOVES)
        yield seat, [playout.game.step(position.state, Act(seat, action)) for action in actions]


def _compare_events(playout: Playout, steps: list[Step[Any]], viewer: Seat | None) -> Iterator[Fault | None]:
    """Compare the audible events of moves to different states that have the same view.

    Equal states are left out: their events may differ, as for a card that is shown and shuffled back.
    """
    by_view: dict[bytes, Step[Any]] = {}
    for step in steps:
        first = by_view.setdefault(canonical_json(playout.game.view(step.state, viewer)), step)
        if first.state != step.state:
            one, other = audible_events(first.events, viewer), audible_events(step.events, viewer)
            yield (
                None
                if one == other
                else Fault(
                    f"{_viewer_name(viewer)} gets events about what it cannot see: {one!r} or {other!r}",
                    "events",
                    "tell an event only to those who may know it; a type of moves is marked Open only where all may",
                )
            )


def _viewer_name(viewer: Seat | None) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"


POSITIONS: Final = 12
"""The number of positions of a playout that are written as JSON and read back."""


def replay(playout: Playout) -> Iterator[Fault | None]:
    """Write the playout as a record, read it back, verify it, and compare every ply."""
    plies = [position.next_ply for position in playout.positions if position.next_ply]
    names = [f"seat {seat}" for seat in range(playout.seats)]
    record = Record.of(playout.game, playout.rules, names, [ply.move for ply in plies])
    again = read_record(record.to_toml(), lambda _: playout.game)
    yield None if again == record else Fault("the record reads back as another one", "write", READ_BACK)
    for ply, made in zip(verify(playout.game, again).plies, plies, strict=True):
        playout.at = ply.number
        yield None if ply == made else Fault(f"the replay differs: {ply!r}, not {made!r}", "act", SAME_ANSWER)
    playout.at = 0
    repeated = playout.repeat()
    for position, other in zip(playout.positions, repeated.positions, strict=False):
        playout.at = position.ply
        if position.json != other.json:
            yield Fault("another state follows from the same seed", "act", SAME_ANSWER)
    yield None


def declarations(playout: Playout) -> Iterator[Fault | None]:
    """Read the JSON of every state as the type that the game declares, with the bounds of its fields, and hash it."""
    for position in playout.each_position():
        yield _wrong_hash(position.state) or _wrong_type(playout, position)


def _wrong_hash(state: object) -> Fault | None:
    try:
        hash(state)
    except TypeError as error:
        reason = f"a state cannot be hashed: {error}; use numbers, text, tuples, enums and frozen structs"
        return Fault(_at_field(type(state), _unhashable_field(state), reason), None, "")
    return None


def _unhashable_field(state: object) -> str:
    for name in getattr(state, "__struct_fields__", ()):
        try:
            hash(getattr(state, name))
        except TypeError:
            return str(name)
    return ""


def _at_field(kind: object, field: str, reason: str) -> str:
    return at_place(place_of_field(kind, field) if isinstance(kind, type) else None, reason)


def _wrong_type(playout: Playout, position: Position) -> Fault | None:
    """Return the fault of a state that is not as declared; one that JSON cannot have breaks another law."""
    kind = playout.game.state_type
    if not position.json:
        return None
    try:
        wire.from_json(position.json, kind)
    except InputError as error:
        sentence, where = error.refusal.sentence, error.refusal.where
        field = (where or "").partition("[")[0].partition(".")[0]
        reason = _at_field(kind, field, f"a state is not as declared: {sentence}")
        return Fault(
            reason, None, "keep the values of a field within its type and bounds, or declare wider ones"
        )
    return None


def json(playout: Playout) -> Iterator[Fault | None]:
    """Write the values of some positions as JSON, read them back, and compare."""
    for position in playout.each_position(POSITIONS):
        for value, kind in _values(playout, position):
            text = wire.to_json(value, canonical=True)
            again = wire.from_json(text, kind)
            same = again == value and wire.to_json(again, canonical=True) == text
            yield None if same else Fault(f"{value!r} comes back from JSON as {again!r}", None, DECLARED)


def _values(playout: Playout, position: Position) -> Iterator[tuple[object, Any]]:
    game = playout.game
    yield position.state, game.state_type
    for viewer in playout.viewers:
        yield game.view(position.state, viewer), game.view_type
    for _, action in playout.listed_actions(position):
        yield action, game.action_type
    if position.next_ply:
        for event in position.next_ply.events:
            yield event, game.event_type
    for outcome in position.drawn:
        yield outcome, game.luck_type


def notation(playout: Playout) -> Iterator[Fault | None]:
    """Write moves as lines, read them back, and read corrupted lines."""
    for position in playout.each_position():
        moves: list[Act[Any] | Luck[Any]] = [
            Act(seat, action) for seat, action in playout.listed_actions(position)
        ]
        for move in (*moves, *([position.next_ply.move] if position.next_ply else ())):
            line = playout.game.write(position.state, move)
            again = playout.game.read(position.state, line)
            yield (
                None
                if again == move
                else Fault(f"'{line}' was written for {move!r} and reads as {again!r}", "read", READ_BACK)
            )
            yield _wrong_reading(playout, position, _corrupt(playout, line))


def _corrupt(playout: Playout, line: str) -> str:
    place = playout.draw.below(len(line) + 1)
    return line[:place] + playout.pick(("", "?", "0", " ", "*", "-1")) + line[place + 1 :]


def _wrong_reading(playout: Playout, position: Position, line: str) -> Fault | None:
    try:
        move: object = playout.game.read(position.state, line)
    except OddsmithError:
        return None
    if isinstance(move, Act | Luck):
        return None
    return Fault(f"'{line}' reads as {move!r}, which is no move", "read", READ_BACK)
