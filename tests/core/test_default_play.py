"""Play in a terminal of a mechanic that has no terminal part."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from tests.core.flips import FLIPS
from tests.laws.toy import Play, Received, Rules, Vie
from tests.mechanics.subjects import EXAMPLES

from oddsmith.cards import card, cards
from oddsmith.default_play import DefaultPlay, find_actions
from oddsmith.errors import OddsmithError
from oddsmith.game import EVERYONE, Act, Event, Luck
from oddsmith.mechanic import AnyGame, Mechanic
from oddsmith.position import Die, Each, Open, Pile, Position, Track, Turn, ends
from oddsmith.position import Rules as PositionRules
from oddsmith.terminal import Reply

GAMES = {mechanic.name: mechanic.game for mechanic in EXAMPLES}
PIG, KUHN = GAMES["pig"], GAMES["kuhn"]


def start(game: AnyGame, *moves: Act[Any] | Luck[Any], seats: int = 2) -> tuple[Any, tuple[Event, ...]]:
    """Return the position after some moves, and the events of the last."""
    state, events = game.setup(game.rules_type(), seats), ()
    for move in moves:
        state, events = msgspec.structs.astuple(game.step(state, move))
    return state, events


def state_lines(game: AnyGame, state: object, viewer: int | None) -> list[str]:
    return [*DefaultPlay(viewer=viewer).state_lines(game.view(state, viewer))]


DEALT = Luck((cards("Q♠"), cards("K♠")))


def test_each_seat_has_a_line_with_its_entries_and_a_marker() -> None:
    """What is marked to stay aside is not drawn; a track is a bar up to the rule that bounds it, a goal of 100."""
    state, _ = start(PIG)
    lines = state_lines(PIG, state.after(scores=(50, 100), seat=1, pot=3), 1)

    assert lines == [
        "  [bold]seat 0[/]         [dim]scores[/] 50 ██████████",
        "▸ [bold]seat 1[/] (you)   [dim]scores[/] 100 ████████████████████",
        "[dim]pot:[/] 3",
    ]


def test_a_track_without_a_bound_is_a_bar_up_to_the_highest_of_the_seats() -> None:
    class Race(Position[PositionRules, str, str]):
        players = range(2, 3)
        steps: Open[Each[Track[int]]] = (4, 8)

        def turn(self) -> Turn[str]:
            return ends("it has no moves", self.steps)

    game = Mechanic(Race).game

    assert state_lines(game, game.setup(game.rules_type(), 2), None) == [
        "  [bold]seat 0[/]   [dim]steps[/] 4 ██████████",
        "  [bold]seat 1[/]   [dim]steps[/] 8 ████████████████████",
    ]


def test_hidden_cards_are_backs_and_own_ones_faces() -> None:
    """A column that is empty for all seats is left out."""
    state, _ = start(KUHN, DEALT)

    assert state_lines(KUHN, state, 1) == [
        "  [bold]seat 0[/]         [dim]hands[/] ▒▒",
        "  [bold]seat 1[/] (you)   [dim]hands[/] K♠",
        "[dim]stock:[/] ▒▒",
        "[dim]said:[/] none",
    ]


def test_a_game_for_one_seat_has_no_lines_of_seats() -> None:
    class Lonely(PIG.state_type):  # type: ignore[misc, name-defined]  # the type is made at run time
        players = range(1, 2)

    game = Mechanic(Lonely).game
    state, _ = start(game, seats=1)

    assert state_lines(game, state, 0) == ["[dim]scores:[/] 0", "[dim]pot:[/] 0"]


def test_moves_are_described_in_words() -> None:
    rolled, _ = start(PIG, Act(0, "roll"))
    _, acted = start(PIG, Act(0, "roll"))
    _, decided = start(PIG, Act(0, "roll"), Luck(4))

    assert [*DefaultPlay(viewer=1).event_lines((*acted, *decided), rolled)] == [
        "seat 0 chooses roll",
        "luck: ⚃4",
    ]
    assert [*DefaultPlay(viewer=0).event_lines(acted, rolled)] == ["you choose roll"]


def test_a_move_that_is_heard_in_part_and_in_full_is_described_once() -> None:
    """Others hear that something was chosen in secret."""
    cave = GAMES["cave"]
    state, events = start(cave, Luck("7"), Act(0, "deeper"))
    part, *_ = events

    assert [*DefaultPlay(viewer=0).event_lines(events, state)] == ["you choose deeper"]
    assert [*DefaultPlay(viewer=1).event_lines([part], state)] == ["seat 0 chooses in secret"]
    assert [*DefaultPlay().event_lines([part, part], state)] == ["seat 0 chooses in secret"] * 2


def test_other_events_are_their_name_and_fields() -> None:
    class Gained(Event, frozen=True, kw_only=True, tag="big_gain"):
        seat: int
        gems_found: int | None = None

    events = [
        Received(audience=EVERYONE, cards=cards("A♠")),
        Gained(audience=EVERYONE, seat=1, gems_found=3),
        Gained(audience=EVERYONE, seat=0),
    ]

    assert [*DefaultPlay(viewer=0).event_lines(events, None)] == [
        "received, cards A♠",
        "seat 1: big gain, gems found 3",
        "you: big gain",
    ]


def test_a_view_of_another_game_is_drawn_too() -> None:
    game = Vie()
    lines = [*DefaultPlay().state_lines(game.view(game.setup(Rules(), 2), 0))]

    assert "[dim]played:[/] 0" in lines
    assert "[dim]hand:[/] none" in lines


HANDS = (cards("A♠"), cards("2♥ A♠"), cards("2♥ 10♦"), ())


@pytest.mark.parametrize(
    ("answer", "actions", "meant"),
    [
        ("2", ["roll", "hold"], "hold"),
        ("hold", ["roll", "hold"], "hold"),
        ("ro", ["roll", "hold"], "roll"),
        ("pass turn", ["pass_turn", "pass"], "pass_turn"),
        ("pass_turn", ["pass_turn", "pass"], "pass_turn"),
        ("pass", ["pass_turn", "pass"], "pass"),
        ("as 2h", HANDS, HANDS[1]),
        ("2♥ td", HANDS, HANDS[2]),
        ("a♠", HANDS, HANDS[0]),
        ("none", HANDS, ()),
        ("4", HANDS, ()),
        ("3♠", [Play(card("3♠")), Play(card("4♠"))], Play(card("3♠"))),
        ("card 4", [Play(card("3♠")), Play(card("4♠"))], Play(card("4♠"))),
        ("10", [1, 10], 10),
        ("1", [10, 1], 1),
        ("2 5", [(2, 4), (2, 5)], (2, 5)),
        ("[2,5]", [(2, 4), (2, 5)], (2, 5)),
        ("yes", [True, False], True),
    ],
)
def test_an_answer_is_read(answer: str, actions: Sequence[Any], meant: object) -> None:
    """By number, words, a beginning of them, notation, cards in any order; numbers stand for themselves."""
    assert DefaultPlay().read_answer(answer, None, actions) == meant


@pytest.mark.parametrize(
    ("answer", "actions", "sentence"),
    [
        ("3", ["roll", "hold"], "[red]type a number from 1 to 2, or q to leave[/]"),
        ("r", ["roll", "raise"], "[red]'r' may mean roll; raise: type more of it, or its number[/]"),
        (
            "\\[x]",
            ["roll"],
            "[red]type a number from 1 to 1 or the words of an action, ? for help, or q to leave[/]",
        ),
        ("", ["roll"], "[red]type a number from 1 to 1 or the words of an action, ? for help, or q to leave[/]"),
        ("4", [1, 2], "[red]'4' is not listed: type one of the numbers, ? for help, or q to leave[/]"),
        ("p", [f"p{n}" for n in range(9)], "[red]'p' may mean p0; p1; p2; p3; p4; p5; and 3 more: type more of it, or its number[/]"),
    ],
)  # fmt: skip
def test_another_answer_is_refused_in_words(answer: str, actions: Sequence[Any], sentence: str) -> None:
    assert DefaultPlay().read_answer(answer, None, actions) == Reply((sentence,))


def test_help_says_how_to_answer() -> None:
    """Of cards where an action has cards, of numbers where actions are numbers."""

    def read_help(actions: Sequence[Any]) -> str:
        reply = DefaultPlay().read_answer("?", None, actions)
        assert isinstance(reply, Reply)
        return "\n".join(reply.lines)

    assert "[bold]q[/] leaves" in read_help(["roll"])
    assert "cards may be typed" in read_help(HANDS)
    assert "cards" not in read_help(["roll"])
    assert read_help([1, 2]).startswith("type one of the numbers")


def test_actions_are_listed_by_number() -> None:
    """Whole numbers are listed as themselves."""
    assert [*DefaultPlay().choice_lines(None, ["sell_all", cards("2♥")])] == [
        "  [bold] 1[/]  sell all",
        "  [bold] 2[/]  [red]2♥[/]",
    ]
    assert [*DefaultPlay().choice_lines(None, [3, 12])] == ["  [bold]3[/]  [bold]12[/]"]


def test_actions_are_drawn_by_their_type() -> None:
    """Of a mechanic that is known: faces of dice, and cards of any type."""

    class NoRules(PositionRules):
        """No numbers."""

    class Keep(Position[NoRules, tuple[Die, ...], int]):
        """Dice are kept."""

        def turn(self) -> Turn[int]:
            return ends("it has no moves", [0])

    class Throw(Position[NoRules, Pile[str], int]):
        """Cards are thrown."""

        def turn(self) -> Turn[int]:
            return ends("it has no moves", [0])

    kept, thrown = ((2, 5),), (("rocks",),)

    assert [*DefaultPlay(Mechanic(Keep)).choice_lines(None, kept)] == ["  [bold] 1[/]  ⚁2 ⚄5"]
    assert [*DefaultPlay(Mechanic(Throw)).choice_lines(None, thrown)] == ["  [bold] 1[/]  \\[rocks]"]
    assert DefaultPlay(Mechanic(Keep)).read_answer("2 5", None, kept) == (2, 5)


def test_advice_is_the_odds_of_each_action() -> None:
    """With a queen a bet wins where the other folds, and half of the rest. Without a mechanic, to a spectator, and by odds of something else there is none."""
    state, _ = start(KUHN, DEALT)
    view = KUHN.view(state, 0)
    none = Reply(("no advice: this game has no odds of positions",))
    other = Mechanic(KUHN, questions=[msgspec.structs.replace(FLIPS, name="odds")])

    assert DefaultPlay(Mechanic(KUHN), 0).read_answer("a", view, ["check", "bet"]) == Reply(
        (
            "seat 0 chooses; then all seats play at random; exact",
            "  check  wins 37.50 %  score -0.250",
            "  bet    wins 75.00 %  score +0.500  best",
        )
    )
    assert DefaultPlay(Mechanic(KUHN)).read_answer("advice", view, ["check"]) == none
    assert DefaultPlay(viewer=0).read_answer("advise", view, ["check"]) == none
    assert DefaultPlay(other, 0).read_answer("a", view, ["check"]) == none


def test_a_word_that_is_no_card_names_no_cards() -> None:
    assert find_actions("as xx", HANDS) == []
    with pytest.raises(OddsmithError):
        card("xx")
