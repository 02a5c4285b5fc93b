"""Attributes, skills and talents: which fire, what they do in play, and their exact odds (§2.5, §4.5 to §4.8, §6.5, §7.8)."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.errors import InputError, RulesError, WorkLimitError
from oddsmith.game import Event, Step
from oddsmith.games.fate.checks import judge
from oddsmith.games.fate.deck import FateDeck
from oddsmith.games.fate.draws import require_drawable
from oddsmith.games.fate.effects import (
    Ability,
    AddToTotal,
    DrawMore,
    Heal,
    LookAtTop,
    RedrawFailure,
    Regain,
    Strike,
    TalentEffect,
)
from oddsmith.games.fate.engine import GAME
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.model import EffectHappened, Peeked, Resolved, Stage, State, TalentFired
from oddsmith.games.fate.odds import check_odds, fresh_memory, known_memory
from oddsmith.games.fate.rule_types import Character, CheckKind, Combine, Talent, Target
from oddsmith.games.fate.rules import DEFAULT, Rules
from oddsmith.games.fate.talent_odds import memory_after, talent_odds
from oddsmith.games.fate.triggers import fires
from oddsmith.games.fate.wording import describe_effect
from tests.games.fate.asking import ask
from tests.games.fate.builders import (
    SMALL,
    apply_line,
    new_game,
    objection_to,
    only_event,
    refusal,
    state_after,
)
from tests.games.fate.oracle import draws_of, worlds
from tests.games.fate.strategies import memories

ADVENTURE = Rules.preset("adventure")


def with_talents(*effects: TalentEffect, trigger: str = "sum >= 0", **changes: object) -> Rules:
    """Return rules in which every player has these talents, which fire with every draw unless a trigger is given."""
    talents = {f"t{place}": Talent(trigger=trigger, effect=effect) for place, effect in enumerate(effects)}
    character = Character(name="Anybody", talents=tuple(talents))
    return DEFAULT.replace(talents=talents, characters=(character,), health=5, **changes)


def called(rules: Rules, *cards: str, check: str = "hard", players: int = 2) -> State:
    """Return the state in which player 1 may answer a check on its turn with these cards."""
    return state_after(
        new_game(rules, players), "1 ready", f"0 call 1 {check}", *(f"* {card}" for card in cards)
    )


def kinds(step: Step[State]) -> list[tuple[str, int, int | None]]:
    """Return the effects that happened."""
    return [(one.kind, one.amount, one.other) for one in step.events if isinstance(one, EffectHappened)]


# --- attributes and skills -------------------------------------------------------------------------------------------


def test_2_5_a_check_adds_the_attribute_and_the_skill_that_it_names() -> None:
    """Corvin, the third character: wits 2 and lore 1 in the archive; the modifier of the seat comes on top."""
    archive, gate = ADVENTURE.checks["archive"], ADVENTURE.checks["gate"]
    raised = ADVENTURE.replace(modifiers=(0, 0, 5))

    assert (3, 0) == (ADVENTURE.check_modifier(3, archive), ADVENTURE.check_modifier(3, gate))
    assert (8, 5) == (raised.check_modifier(3, archive), raised.check_modifier(3, gate))
    assert 5 == DEFAULT.replace(modifiers=(5,)).check_modifier(1, archive)


def test_2_5_after_the_last_character_the_first_follows() -> None:
    names = [character.name for player in range(1, 6) if (character := ADVENTURE.character(player))]

    assert ["Ysolde the Blade", "Brother Anselm", "Corvin the Seer", "Magpie", "Ysolde the Blade"] == names
    assert DEFAULT.character(1) is None
    assert () == DEFAULT.talents_of(1)


def test_2_5_the_score_is_added_in_play_and_in_the_odds_of_all_checks() -> None:
    """Ysolde climbs with strength 1 and climbing 1: 2 and 2 reach the 4 of the rooftop. The odds have her talents, too."""
    done = apply_line(called(ADVENTURE, "2♦", "J♦", check="rooftop"), "1 resolve")
    chances = {one.check: one for one in ask("checks", rules="adventure", player=1).checks}
    odds = ask("odds", rules="adventure", player=1, check="rooftop")

    assert (2, 2, 4, True) == msgspec.structs.astuple(only_event(done, Resolved).result)[1:5]
    assert (2, Fraction(15, 17)) == (chances["rooftop"].modifier, chances["rooftop"].success)
    assert (2, Fraction(15, 17)) == (odds.modifier, Fraction(odds.success.count, odds.success.total))


# --- talents as rule data --------------------------------------------------------------------------------------------


def test_4_5_the_four_forms_of_the_document_have_two_or_three_talents_each() -> None:
    forms = Counter(talent.trigger for talent in ADVENTURE.talents.values())

    assert {
        "single(spade)": 3,
        "single(spade, heart)": 2,
        "both(spade)": 2,
        "pair(spade, heart)": 2,
    } == forms


@pytest.mark.parametrize(
    ("talents", "code"), [(("nothing",), "unknown_talent"), (("mercy", "mercy"), "talent_twice")]
)
def test_4_5_a_talent_is_in_the_rules_and_listed_once(talents: tuple[str, ...], code: str) -> None:
    characters = (Character(name="Odd", talents=talents),)
    refused = refusal(lambda: ADVENTURE.replace(characters=characters), RulesError)

    assert (code, "characters[0].talents") == (refused.code, refused.where)


@pytest.mark.parametrize("trigger", ["", "spade", "single(spade"])
def test_4_5_a_talent_needs_a_trigger(trigger: str) -> None:
    with pytest.raises(InputError):
        Talent(trigger=trigger, effect=AddToTotal(amount=1))


def test_3_4_talents_that_draw_count_among_the_cards_that_can_be_out() -> None:
    """2 · (1 + 1) + 1 = 5 by default; a redraw adds 2 and two more cards add 2, of one character."""
    assert 5 == with_talents(AddToTotal(amount=1)).most_out
    assert 9 == with_talents(RedrawFailure(), DrawMore(cards=2)).most_out
    assert 7 == ADVENTURE.most_out


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        (AddToTotal(amount=-1), "− 1 to the total"),
        (DrawMore(cards=1), "draws 1 more card, which counts"),
        (DrawMore(cards=2), "draws 2 more cards, which count"),
        (RedrawFailure(), "draws a failed check again"),
        (LookAtTop(cards=2), "looks at the top 2 cards after the check"),
        (Strike(amount=3), "takes 3 health from the other player in the lead"),
        (Heal(amount=2), "regains 2 health"),
        (Regain(ability=Ability.PEEK), "regains a use of: peek"),
    ],
    ids=repr,
)
def test_4_5_an_effect_in_words(effect: TalentEffect, words: str) -> None:
    assert words == describe_effect(effect)


# --- talents in play -------------------------------------------------------------------------------------------------


def test_4_6_a_talent_fires_and_adds_to_the_total() -> None:
    """A lone spade adds 1 to Ysolde's total; without one, nothing happens."""
    fired = apply_line(called(ADVENTURE, "A♠", "J♥", check="rooftop"), "1 resolve")
    not_fired = apply_line(called(ADVENTURE, "A♦", "J♥", check="rooftop"), "1 resolve")

    assert "keen_edge" == only_event(fired, TalentFired).talent
    assert [("add", 1, None)] == kinds(fired)
    assert (1, 2, 4, True) == msgspec.structs.astuple(only_event(fired, Resolved).result)[1:5]
    assert (("keen_edge",), 1) == msgspec.structs.astuple(only_event(fired, Resolved).result)[6:]
    assert [] == kinds(not_fired)
    assert only_event(not_fired, Resolved).result.success is False


def test_4_6_nothing_is_added_by_a_talent_of_zero() -> None:
    done = apply_line(called(with_talents(AddToTotal(amount=0)), "A♠", "J♥"), "1 resolve")

    assert [] == kinds(done)


def test_4_7_a_talent_draws_one_card_more_which_counts_and_fires_nothing() -> None:
    """2 and 0 with one card more, a 3, make 5. The check's trigger is judged by the first two cards."""
    rules = with_talents(
        DrawMore(cards=1), trigger="single(spade)", checks={"seal": CheckKind(target=5, trigger="cards == 2")}
    )
    resolving = apply_line(called(rules, "2♠", "J♥", check="seal"), "1 resolve")
    drawn = state_after(resolving.state, "* 3♠")
    done = apply_line(drawn, "1 resolve")
    result = only_event(done, Resolved).result

    assert (Stage.DRAW, [("draw", 1, None)]) == (resolving.state.stage, kinds(resolving))
    assert (("2♠", "J♥", "3♠"), 5, True, True) == (
        result.cards,
        result.total,
        result.success,
        result.triggered,
    )
    assert [] == kinds(done)
    assert ["talents_fired", "talents_fired"] == [
        objection_to(drawn, line).code for line in ("1 extra", "1 redraw")
    ]
    assert ["3♠", "J♥", "2♠"] == [*done.state.deck.discard]


def test_4_7_a_failed_check_is_drawn_again_once() -> None:
    """The cards are set aside until the check is resolved; the new ones fire nothing."""
    rules = with_talents(RedrawFailure(), trigger="pair(spade, heart)")
    resolving = apply_line(called(rules, "A♠", "J♥"), "1 resolve")
    done = state_after(resolving.state, "* 2♠")
    end = apply_line(state_after(done, "* A♥"), "1 resolve")

    assert [("redraw", 2, None)] == kinds(resolving)
    assert ("A♠", "J♥") == (done.check.aside if done.check else None)
    assert (3, False) == (only_event(end, Resolved).result.total, only_event(end, Resolved).result.success)
    assert ["A♥", "2♠", "J♥", "A♠"] == [*end.state.deck.discard]


@pytest.mark.parametrize(("cards", "check"), [(("3♠", "A♥"), "hard"), (("A♠", "J♥"), "fortune")])
def test_4_7_a_check_that_reaches_its_target_or_has_none_is_not_drawn_again(
    cards: tuple[str, str], check: str
) -> None:
    done = apply_line(
        called(with_talents(RedrawFailure(), trigger="pair(spade, heart)"), *cards, check=check), "1 resolve"
    )

    assert [] == kinds(done)
    assert cards == only_event(done, Resolved).result.cards


def test_4_7_a_draw_by_a_talent_reshuffles_at_one_card_left() -> None:
    """From two cards left one is drawn: the other is shuffled with the pile, without the cards of the check."""
    state = called(with_talents(DrawMore(cards=1)), "2♠", "J♥")
    low = msgspec.structs.replace(state, deck=_discard_down(state, 2))
    done = apply_line(state_after(low, "1 resolve", _next_card(low)), "1 resolve")

    assert 15 == len(done.state.deck.deck)
    assert 3 == len(done.state.deck.discard)


def _discard_down(state: State, size: int) -> FateDeck:
    deck = state.deck
    while len(deck.deck) > size:
        deck = deck.discard_top()
    return deck


def _next_card(state: State) -> str:
    return f"* {next(iter(dict(state.deck.next_card().outcomes())))}"


def test_4_8_a_talent_looks_at_the_top_and_only_its_player_learns_it() -> None:
    """The peek comes after all draws of the check; the player may be off turn."""
    state = state_after(
        new_game(with_talents(LookAtTop(cards=2))), "1 ready", "0 call 2 easy", "* 3♠", "2 resolve", "* A♥"
    )
    done = apply_line(state, "* 2♦")

    assert [Stage.PEEK, Stage.CALL] == [state.stage, done.state.stage]
    assert ((2,), ("A♥", "2♦")) == (only_event(done, Peeked).audience, only_event(done, Peeked).cards)
    assert ("A♥", "2♦") == GAME.view(done.state, 2).memory.deck[:2]
    assert (None, None) == GAME.view(done.state, 1).memory.deck[:2]
    assert (0, 2) == done.state.peeked
    assert [("peek", 2, None)] == kinds(done)


def test_4_8_cards_that_are_decided_are_looked_at_without_luck() -> None:
    state = state_after(new_game(with_talents(LookAtTop(cards=1))), "1 peek 3", "* A♠", "* A♥", "* A♦")
    done = apply_line(state_after(state, "1 ready", "0 call 1 easy", "* A♠", "* A♥"), "1 resolve")

    assert ("A♦",) == only_event(done, Peeked).cards


def test_4_8_a_strike_takes_health_from_the_other_player_in_the_lead() -> None:
    """The lowest seat of several; no more than there is. A lone player strikes nobody."""
    rules = with_talents(Strike(amount=7))
    struck = apply_line(called(rules, "3♠", "A♥", players=3), "1 resolve")
    again = apply_line(state_after(struck.state, "0 call 1 easy", "* 3♥", "* A♦"), "1 resolve")
    alone = apply_line(called(rules, "3♠", "A♥", players=1), "1 resolve")

    assert ([("strike", 5, 2)], (5, 0, 5)) == (kinds(struck), struck.state.health)
    assert ([], []) == (kinds(again), kinds(alone))


def test_4_8_healing_stops_at_the_health_of_the_start_and_a_use_comes_back() -> None:
    rules = with_talents(
        Heal(amount=2), Regain(ability=Ability.PEEK), checks={"trap": CheckKind(target=6, harm=1)}
    )
    state = state_after(new_game(rules), "1 peek 1", "* 2♠", "1 ready", "0 call 1 trap", "* 2♠", "* J♥")
    done = apply_line(state, "1 resolve")
    again = apply_line(state_after(new_game(rules), "1 ready", "0 call 1 trap", "* 3♠", "* BJ"), "1 resolve")

    assert [("heal", 1, None), ("regain", 1, None)] == kinds(done)
    assert ((5, 5), 0) == (done.state.health, done.state.uses[0][0])
    assert [] == kinds(again)


# --- stakes ----------------------------------------------------------------------------------------------------------


def test_6_5_a_success_is_worth_what_the_check_says_and_a_failure_costs_health() -> None:
    won = apply_line(called(ADVENTURE, "3♦", "2♦", check="duel"), "1 resolve")
    lost = apply_line(called(ADVENTURE, "J♦", "J♣", check="duel"), "1 resolve")

    assert (2, 0) == (only_event(won, Resolved).gained, only_event(won, Resolved).health)
    assert ((2, 0), (5, 5)) == (won.state.successes, won.state.health)
    assert (0, -2) == (only_event(lost, Resolved).gained, only_event(lost, Resolved).health)
    assert ((0, 0), (3, 5)) == (lost.state.successes, lost.state.health)


def test_6_5_a_player_without_health_recovers_1_by_a_success_instead_of_its_worth() -> None:
    state = msgspec.structs.replace(called(ADVENTURE, "3♦", "2♦", check="duel"), health=(0, 5))
    done = apply_line(state, "1 resolve")

    assert (0, 1) == (only_event(done, Resolved).gained, only_event(done, Resolved).health)
    assert ((0, 0), (1, 5)) == (done.state.successes, done.state.health)


def test_6_5_without_health_a_failure_costs_nothing() -> None:
    rules = ADVENTURE.replace(health=0)
    lost = apply_line(called(rules, "J♦", "J♣", check="duel"), "1 resolve")

    assert (0, (0, 0)) == (only_event(lost, Resolved).health, lost.state.health)


def test_7_2_a_late_spectator_does_not_learn_which_talents_fired() -> None:
    state = called(ADVENTURE, "A♠", "J♥", check="rooftop")
    step = apply_line(state, "1 resolve")
    versions: list[tuple[Event, ...]] = [step.events]

    assert [()] == [*GAME.late_events(step.state, versions)]


# --- exact odds ------------------------------------------------------------------------------------------------------


def test_7_8_keen_edge_and_death_blow_worked_out_by_hand() -> None:
    """A lone spade (69 of 153 pairs) adds 1, both spades (10) add 4: nothing else changes the mean of 3."""
    odds = talent_odds(fresh_memory(), ADVENTURE, talents=("keen_edge", "death_blow"), target=4)

    assert (Fraction(69, 153), Fraction(10, 153)) == (odds.fires("keen_edge"), odds.fires("death_blow"))
    assert 3 + Fraction(69, 153) + Fraction(40, 153) == odds.totals.mean
    assert odds.is_exact


def test_7_8_without_talents_the_odds_are_those_of_the_check() -> None:
    odds = talent_odds(fresh_memory(), DEFAULT, talents=(), modifier=1)

    assert check_odds(fresh_memory(), modifier=1).totals == odds.totals
    assert Fraction(97, 153) == odds.at_least(4)


def test_7_8_one_more_card_off_turn_is_a_draw_of_two() -> None:
    """Where one card more always comes, a check off turn has the odds of two cards."""
    odds = talent_odds(fresh_memory(), with_talents(DrawMore(cards=1)), talents=("t0",), count=1, target=4)

    assert Fraction(56, 153) == odds.at_least(4)


def test_7_8_too_many_further_hands_are_refused() -> None:
    rules = with_talents(DrawMore(cards=3), DrawMore(cards=3))

    with pytest.raises(WorkLimitError, match="talents can draw more than 600,000 hands"):
        talent_odds(fresh_memory(rules), rules, talents=("t0", "t1"))


def simulate(
    cards: Sequence[str], rules: Rules, *, count: int, modifier: int, target: Target
) -> tuple[int, tuple[str, ...]]:
    """Return the total and the talents of one order of the next cards, by the rules of the page, card by card."""
    hand = list(cards[:count])
    faces = [rules.faces[card] for card in hand]
    fired = tuple(name for name in rules.talents if fires(rules.talents[name].expression, faces))
    following = iter(cards[count:])
    bonus, more, again = 0, 0, False
    for name in fired:
        match rules.talents[name].effect:
            case AddToTotal(amount=amount):
                bonus += amount
            case DrawMore(cards=further):
                more += further
            case RedrawFailure():
                again = True
    total = judge(hand, rules, modifier=modifier).total + bonus
    if again and target != "none" and total < target:
        hand = [next(following) for _ in hand]
    hand += [next(following) for _ in range(more)]
    return judge(hand, rules, modifier=modifier).total + bonus, fired


TRIGGERS = ("single(spade)", "single(spade, heart)", "both(spade)", "pair(spade, heart)", "sum >= 2")
EFFECTS: tuple[TalentEffect, ...] = (
    AddToTotal(amount=2),
    DrawMore(cards=1),
    RedrawFailure(),
    LookAtTop(cards=1),
    AddToTotal(amount=-3),
)


@pytest.mark.sweep
@settings(max_examples=60, deadline=None)
@given(
    memories(),
    st.lists(st.sampled_from([*product(TRIGGERS, EFFECTS)]), min_size=1, max_size=3, unique=True),
    st.integers(1, 2),
    st.sampled_from(["none", 1, 3, 4]),
    st.sampled_from(Combine),
)
def test_7_8_odds_are_those_of_all_orders_of_the_deck(
    memory: Memory,
    parts: list[tuple[str, TalentEffect]],
    count: int,
    target: Target,
    combine: Combine,
) -> None:
    """Brute force: every order that agrees with what the seat knows, and every order after a reshuffle."""
    talents = {f"t{place}": Talent(trigger=one, effect=two) for place, (one, two) in enumerate(parts)}
    rules = SMALL.replace(talents=talents, combine=combine)
    most = count + sum(isinstance(two, DrawMore) for _, two in parts)
    most += count * any(isinstance(two, RedrawFailure) for _, two in parts)
    try:
        require_drawable(memory, most)
    except InputError:
        return
    expected: Counter[tuple[int, tuple[str, ...]]] = Counter()
    for world in worlds(memory).elements():
        orders = [*draws_of(world, most)]
        for cards in orders:
            expected[simulate(cards, rules, count=count, modifier=1, target=target)] += Fraction(
                1, len(orders)
            )  # type: ignore[assignment]  # fractions are counted
    odds = talent_odds(memory, rules, talents=tuple(talents), count=count, modifier=1, target=target)

    found = {(one.total, one.talents): chance for one, chance in odds.chances.items() if chance}
    whole = sum(expected.values())
    if odds.is_exact:
        assert {key: one / whole for key, one in expected.items()} == found


def test_7_8_the_deck_is_reshuffled_between_the_draws() -> None:
    """Of three cards left, two are drawn; the last one and the pile make the deck of the next card."""
    memory = known_memory(seen=[*DEFAULT.deck][3:], top=[*DEFAULT.deck][:3])
    after = memory_after(memory, [*DEFAULT.deck][:2])

    assert (16, 0, 16) == (len(after.deck), len(after.discard), len(after.unseen))


def test_7_8_play_and_odds_agree_over_every_draw_of_a_small_deck() -> None:
    """Every sequence of luck of one check, with its chance, through the engine."""
    talents = {
        "more": Talent(trigger="single(spade)", effect=DrawMore(cards=1)),
        "again": Talent(trigger="single(heart)", effect=RedrawFailure()),
        "add": Talent(trigger="both(heart)", effect=AddToTotal(amount=1)),
    }
    cards = msgspec.structs.replace(SMALL.cards[1], copies=7)
    rules = SMALL.replace(
        cards=(SMALL.cards[0], cards, *SMALL.cards[2:]),
        talents=talents,
        characters=(Character(name="One", talents=tuple(talents)),),
        checks={"four": CheckKind(target=4)},
    )
    odds = talent_odds(fresh_memory(rules), rules, talents=tuple(talents), target=4)
    found: dict[int, Fraction] = {}
    waiting = [(state_after(new_game(rules), "1 ready", "0 call 1 four"), Fraction(1))]
    while waiting:
        state, chance = waiting.pop()
        if state.stage is Stage.ANSWER:
            step = apply_line(state, "1 resolve")
            for event in step.events:
                if isinstance(event, Resolved):
                    total = event.result.total
                    found[total] = found.get(total, Fraction(0)) + chance
            if step.state.check is not None:
                waiting.append((step.state, chance))
            continue
        outcomes = dict(state.deck.next_card().outcomes())
        whole = sum(outcomes.values())
        waiting += [
            (state_after(state, f"* {card}"), chance * Fraction(ways, whole))
            for card, ways in outcomes.items()
        ]

    assert {total: odds.totals.probability(total) for total in odds.totals} == found


# --- the question ----------------------------------------------------------------------------------------------------


def test_7_8_the_question_names_each_talent_and_what_it_adds() -> None:
    reply = ask("talents", rules="adventure", check="duel", player=1)

    assert ("Ysolde the Blade", 2, 2, 4) == (reply.character, reply.drawn, reply.modifier, reply.target)
    assert (Fraction(41, 51), Fraction(15, 17)) == (reply.plain, reply.success)
    assert [("keen_edge", Fraction(23, 51)), ("death_blow", Fraction(10, 153))] == [
        (one.talent, one.fires) for one in reply.talents
    ]
    assert all(one.gain and one.gain > 0 for one in reply.talents)


def test_7_8_without_a_target_there_is_a_mean_and_no_chance() -> None:
    reply = ask("talents", rules="adventure", player=1)

    assert (None, None, None) == (reply.plain, reply.success, reply.talents[0].gain)
    assert 3 + Fraction(109, 153) == reply.mean


def test_7_8_a_player_without_a_character_has_no_talents() -> None:
    reply = ask("talents", check="hard", player=2)

    assert (None, (), Fraction(56, 153)) == (reply.character, reply.talents, reply.success)
    assert "no_player" == refusal(lambda: ask("talents", check="hard", player=None)).code
