"""The kit accepts a correct game and names the law that a broken one breaks."""

import re
from collections.abc import Callable
from functools import partial

import msgspec
import pytest

from oddsmith.chance import Deck, Draw
from oddsmith.errors import InputError, LawBroken
from oddsmith.game import Seat
from oddsmith.laws import LAWS, Report, check_game, check_random_rules
from tests.laws.broken import (
    BROKEN,
    FaultyDealVie,
    RefusesWithACrash,
    VieWithFloatTotal,
    VieWithImpossibleSamples,
)
from tests.laws.toy import SIX, Rules, State, Vie, View

ONE_ROUND = Rules(rounds=1)


def counts_by_law(report: Report) -> dict[str, tuple[int, int]]:
    return {held.law: (held.playouts, held.checks) for held in report.laws}


def find_broken_law(game: Vie, *, playouts: int = 30, outcomes: int = 1_000_000) -> LawBroken:
    with pytest.raises(LawBroken) as caught:
        check_game(game, playouts=playouts, longest=60, outcomes=outcomes)
    return caught.value


def test_every_law_has_broken_games() -> None:
    """Each law can fail."""
    assert list(LAWS) == list(BROKEN)


@pytest.mark.parametrize(
    ("law", "variant", "words"),
    [(law, variant, words) for law, variants in BROKEN.items() for variant, words in variants.items()],
)
def test_a_broken_game_is_reported_with_its_law(law: str, variant: type[Vie], words: str) -> None:
    """The error's code is the law's id, and its sentence has the fault, the place and the playout."""
    refusal = find_broken_law(variant()).refusal

    assert law == refusal.code
    assert words in refusal.sentence
    assert re.search(r"\(ply \d+ of playout \d+ of seed='oddsmith', with [23] seats\)$", refusal.sentence)
    assert refusal.where is not None


def test_a_correct_game_keeps_every_law() -> None:
    """Every law is checked in every playout of a game with cards, luck and secrets."""
    report = check_game(Vie(), playouts=20)

    assert ("vie", Rules().rules_id, "oddsmith", 20) == (
        report.game,
        report.rules_id,
        report.seed,
        report.playouts,
    )
    assert [(law, promise, 20) for law, promise in LAWS.items()] == [
        (held.law, held.promise, held.playouts) for held in report.laws
    ]


def test_the_counts_are_exact() -> None:
    """One round for two takes four plies: five positions, one end, four plies to replay, the record and the repetition."""
    report = check_game(Vie(), ONE_ROUND, seats=2, playouts=6)
    held = counts_by_law(report)

    assert 24 == report.plies
    assert (6, 6) == held["termination"]
    assert (6, 30) == held["conservation"]
    assert (6, 30) == held["declarations"]
    assert (6, 36) == held["replay"]
    # states 5, views 15, listed actions 4 and then 2, events 2 + 2 + 1 + 2, deals 2
    assert (6, 6 * 35) == held["json"]


def test_playouts_take_every_number_of_seats_in_turn() -> None:
    """Four playouts of one round: two for two seats with four plies each, two for three seats with six."""
    report = check_game(Vie(), ONE_ROUND, playouts=4)

    assert 2 * 4 + 2 * 6 == report.plies


class Open(Vie):
    """All cards are dealt before the game begins: there is no luck."""

    def setup(self, rules: Rules, seats: int) -> State:  # noqa: ARG002  always one round for two
        hands = (SIX[:2], SIX[2:4])
        return State(rounds=1, deck=Deck(SIX[4:]), hands=hands, chosen=(None, None), scores=(0, 0))

    def imagine(self, view: View, draw: Draw) -> State:
        if view.played:
            return super().imagine(view, draw)
        chosen = tuple(
            view.chosen if seat == view.viewer else SIX[2 * seat] if committed else None
            for seat, committed in enumerate(view.committed)
        )
        return msgspec.structs.replace(self.setup(Rules(), 2), chosen=chosen)


def test_a_law_without_checks_counts_no_playout() -> None:
    """A game without luck does not count for the law of chance."""
    held = counts_by_law(check_game(Open(), seats=2, playouts=3))

    assert (0, 0) == held["chance"]
    assert (3, 3) == held["termination"]


class SevenTwice(Vie):
    """A rare fault: the card 7♠ is lost when seat 2 wins the last of two rounds with it."""

    def resolve(self, state: State, winner: Seat) -> State:
        after = super().resolve(state, winner)
        lost = after.scores[2:] == (2,) and state.chosen[2] == SIX[5]
        return msgspec.structs.replace(after, deck=Deck(SIX[:5])) if lost else after


def test_a_fault_is_reproduced_from_its_seed() -> None:
    """The sentence has a playout and a seed: that number of playouts finds the same fault, one less does not."""
    first = find_broken_law(SevenTwice(), playouts=1_000)
    found = re.search(r"playout (\d+) of seed='oddsmith', with 3 seats", str(first))
    number = int(found[1]) if found else 0

    assert 2 < number
    assert str(first) == str(find_broken_law(SevenTwice(), playouts=number))
    assert number - 1 == check_game(SevenTwice(), playouts=number - 1).playouts


def test_an_error_of_the_game_is_the_cause() -> None:
    """The report keeps the traceback of the crash."""
    crash = find_broken_law(RefusesWithACrash()).__cause__

    assert repr(KeyError("no such card")) == repr(crash)


def test_nodes_beyond_the_limit_are_sampled() -> None:
    """Where outcomes may not be counted, a correct node passes and an impossible draw is still found."""
    report = check_game(FaultyDealVie(), playouts=2, outcomes=0)

    assert 2 == counts_by_law(report)["chance"][0]
    assert "was drawn and weighs 0" in str(find_broken_law(VieWithImpossibleSamples(), outcomes=0))
    assert "not 15.0" in str(find_broken_law(VieWithFloatTotal(), outcomes=0))


def test_progress_is_reported_after_each_playout() -> None:
    """With the number done and the total."""
    reported: list[tuple[int, int]] = []
    check_game(Vie(), ONE_ROUND, playouts=3, progress=lambda done, of: reported.append((done, of)))

    assert [(1, 3), (2, 3), (3, 3)] == reported


def test_a_report_is_printed_as_a_table() -> None:
    """One line for the check and one for each law."""
    lines = str(check_game(Vie(), ONE_ROUND, seats=2, playouts=2, seed=7)).splitlines()

    assert "vie: 2 playouts, 8 plies, seed '7'" == lines[0]
    assert "termination              2 checks in 2 playouts" == lines[3]
    assert 1 + len(LAWS) == len(lines)


@pytest.mark.parametrize(
    ("code", "check"),
    [
        ("bad_seats", partial(check_game, Vie(), seats=4)),
        ("bad_bounds", partial(check_game, Vie(), playouts=0)),
        ("bad_bounds", partial(check_game, Vie(), longest=0)),
    ],
)
def test_a_check_of_nothing_is_refused(code: str, check: Callable[[], Report]) -> None:
    """Bounds without anything to check are an error, not a success."""
    with pytest.raises(InputError) as caught:
        check()

    assert code == caught.value.refusal.code


def test_the_report_has_the_id_of_the_rules() -> None:
    rules = Rules(rounds=3)

    assert rules.rules_id == check_game(Vie(), rules, playouts=1).rules_id


def test_random_rules_that_break_a_law_are_named() -> None:
    """The law, the number of the ruleset and its seed, and the rules that differ."""
    with pytest.raises(LawBroken) as caught:
        check_random_rules(RefusesWithACrash(), 20, seed="rules")

    assert re.search(r"; random ruleset [0-9]+ of seed='rules': ", caught.value.refusal.sentence)
