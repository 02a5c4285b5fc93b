"""The Destiny Deck's questions about gang wars: one, its odds, and many wars and contests in bulk."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith import wire
from oddsmith.cards import JOKERS, STANDARD_DECK, Card, cards
from oddsmith.chance import Seeded
from oddsmith.errors import InputError, Refusal, WorkLimitError
from oddsmith.games.destiny.characters import UNTRAINED, CharacterInput
from oddsmith.games.destiny.engine import DRAW
from oddsmith.games.destiny.many import LETTERS
from oddsmith.games.destiny.model import Contest, GangWar, Side
from oddsmith.games.destiny.odds import gang_odds, gang_work
from oddsmith.games.destiny.questions.contests import (
    CONTEST,
    GANG,
    GANG_WAR,
    MOST_WORK,
    ContestRequest,
    GangOddsReply,
    GangOddsRequest,
    GangWarRequest,
)
from oddsmith.games.destiny.questions.many import (
    CONTESTS,
    GANG_WARS,
    ManyContestsRequest,
    ManyFightsReply,
    ManyGangWarsRequest,
)
from oddsmith.games.destiny.rules import DEFAULT, Character, GangScore, Rules
from oddsmith.games.destiny.scoring import character_bonuses, gang_war, npc, score
from oddsmith.points import Points
from oddsmith.question import Context
from tests.games.destiny.builders import answer, refusal

ROYAL = cards("10♠ J♠ Q♠ K♠ A♠")
PAIR = cards("3♠ 7♥ A♣ K♠ K♦")
GREENHORN = DEFAULT.outlaws["greenhorn"]
NOTHING = cards("2♠ 4♥ 6♣ 8♦ 10♥")


def fight_war(**fields: Any) -> GangWar:  # noqa: ANN401  any field of the request
    return answer(GANG_WAR, GangWarRequest(**fields))


def hold_contest(**fields: Any) -> Contest:  # noqa: ANN401  any field of the request
    return answer(CONTEST, ContestRequest(**fields))


def ask_odds(**fields: Any) -> GangOddsReply:  # noqa: ANN401  any field of the request
    return answer(GANG, GangOddsRequest(**fields))


def ask_many(request: ManyContestsRequest | ManyGangWarsRequest) -> ManyFightsReply:
    if isinstance(request, ManyContestsRequest):
        return answer(CONTESTS, request, Seeded("yuma"))
    return answer(GANG_WARS, request, Seeded("yuma"))


# --- one gang war ----------------------------------------------------------------------------------------------------


def test_9_a_gang_war_agrees_with_the_rule() -> None:
    """The average of a pair of kings and of ten high loses to a pair of kings."""
    found = fight_war(
        attackers=("greenhorn", UNTRAINED), defenders=("greenhorn",), hands=((PAIR, NOTHING), (PAIR,))
    )
    pair, nothing = score(PAIR, GREENHORN), score(NOTHING, Character())

    assert gang_war([pair, nothing], [pair]) == found
    assert (Fraction(pair.total.fraction + nothing.total.fraction, 2), Side.DEFENDER) == (
        found.attack,
        found.winner,
    )


def test_9_3_each_defender_has_the_territory() -> None:
    found = fight_war(
        attackers=("elite",),
        defenders=("elite", "elite"),
        defense_bonus=Points(10),
        hands=((PAIR,), (PAIR, PAIR)),
    )

    assert found.attack + 10 == found.defense


def test_9_2_the_rules_choose_the_score_of_a_side() -> None:
    """With the best member only, a weak hand costs nothing."""
    found = fight_war(
        attackers=("greenhorn",) * 2,
        defenders=("greenhorn",),
        hands=((PAIR, NOTHING), (NOTHING,)),
        rules={"gang_score": "best", "gang_best": 1},
    )

    assert (score(PAIR, GREENHORN).total.fraction, Side.ATTACKER) == (found.attack, found.winner)


def test_hands_are_drawn_attackers_first() -> None:
    """Each member draws from its own deck."""
    luck = Seeded("yuma")
    request = GangWarRequest(attackers=("elite",) * 2, defenders=("elite",))
    found = answer(GANG_WAR, request, Seeded("yuma"))
    drawn = [DRAW.sample(luck) for _ in range(3)]

    assert drawn == [one.hand for one in (*found.attackers, *found.defenders)]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"hands": ((PAIR,), (PAIR, PAIR))}, "bad_hands"),
        ({"hands": ((), (PAIR,))}, "bad_hands"),
        ({"hands": ((PAIR[:4],), (PAIR,))}, "hand_size"),
        ({"attackers": ("elite",) * 3, "rules": {"gang_limit": 2}}, "gang_too_large"),
        ({"attackers": ()}, "empty_gang"),
        ({"defenders": ("elit",)}, "unknown_name"),
    ],
)
def test_9_4_an_invalid_gang_war_is_refused(fields: dict[str, Any], code: str) -> None:
    """The sentence says what is valid."""
    with pytest.raises(InputError) as caught:
        fight_war(**{"attackers": ("elite",), "defenders": ("elite",), **fields})

    assert code == caught.value.refusal.code


# --- odds ------------------------------------------------------------------------------------------------------------


def test_9_odds_of_a_gang_war_are_counts_of_all_draws() -> None:
    """The counts are those of the library, over 2,598,960³ draws."""
    found = ask_odds(attackers=("iron_jack",) * 2, defenders=("elite",), defense_bonus=Points(5))
    jack, elite = (
        character_bonuses(DEFAULT.outlaws["iron_jack"]),
        character_bonuses(npc("elite"), defense_bonus=Points(5)),
    )
    exact = gang_odds([jack, jack], [elite])

    assert (exact.attacker, 2598960**3) == (found.attacker_wins.count, found.attacker_wins.total)
    assert exact.chance(Side.ATTACKER) == found.attacker_exact
    assert ((DEFAULT.outlaws["iron_jack"],) * 2, (npc("elite"),)) == (found.attackers, found.defenders)
    assert (GangScore.AVERAGE, None, None) == (found.score, found.best, found.drawn)


def test_9_2_odds_by_the_best_members() -> None:
    """One against one, the best one is the average."""
    best, average = (
        ask_odds(attackers=("elite",), defenders=("rookie",), rules=rules)
        for rules in ({"gang_score": "best", "gang_best": 2}, "default")
    )

    assert (GangScore.BEST, 2) == (best.score, best.best)
    assert best.attacker_exact == average.attacker_exact


@pytest.mark.parametrize(
    ("changes", "score", "best"),
    [
        ({"score": GangScore.SUM}, GangScore.SUM, None),
        ({"score": GangScore.BEST}, GangScore.BEST, 3),
        ({"best": 1}, GangScore.BEST, 1),
        ({"score": GangScore.BEST, "best": 2}, GangScore.BEST, 2),
    ],
)
def test_9_2_a_request_may_choose_the_score_of_a_side(
    changes: dict[str, Any], score: GangScore, best: int | None
) -> None:
    """As the rules could."""
    sides: dict[str, Any] = {"attackers": ("iron_jack", "elite"), "defenders": ("2x rookie",)}
    rules = {"gang_score": score} if best is None else {"gang_score": score, "gang_best": best}
    found = ask_odds(**sides, **changes)

    assert (score, best) == (found.score, found.best)
    assert ask_odds(**sides, rules=rules) == found


def test_9_2_the_number_of_members_needs_the_score_best() -> None:
    sides: dict[str, Any] = {"attackers": ("elite",), "defenders": ("elite",)}

    assert "best_without_best" == refusal(lambda: ask_odds(**sides, score=GangScore.SUM, best=2)).code


def test_9_a_gang_war_may_be_drawn_with_its_odds() -> None:
    """With the same luck as a gang war alone, by the requested score."""
    sides: dict[str, Any] = {"attackers": ("elite", "rookie"), "defenders": ("greenhorn",)}
    found = answer(GANG, GangOddsRequest(**sides, best=1, draw=True), Seeded("yuma"))
    alone = GangWarRequest(**sides, rules={"gang_score": "best", "gang_best": 1})

    assert answer(GANG_WAR, alone, Seeded("yuma")) == found.drawn


def test_long_counts_report_progress() -> None:
    """Without a work limit, from start to end."""
    works: list[str] = []
    shares: list[float] = []

    @contextmanager
    def progress(what: str) -> Iterator[Callable[[float], None]]:
        works.append(what)
        yield shares.append

    request = GangOddsRequest(attackers=("3x elite",), defenders=("3x rookie",), best=2)
    GANG.answer(request, Context(rules=DEFAULT, progress=progress))

    assert ["counting every draw of every member"] == works
    assert 1 == shares[-1]
    assert sorted(shares) == shares


def test_odds_that_take_too_long_are_refused() -> None:
    """Ten different characters a side, scored by their best three."""
    crowd = tuple(CharacterInput(skills={"stealth": level}) for level in range(1, 11))

    with pytest.raises(WorkLimitError) as caught:
        ask_odds(attackers=crowd, defenders=crowd, rules={"gang_score": "best"})

    assert "gang_too_large" == caught.value.refusal.code
    assert "10 against 10" in caught.value.refusal.sentence


def test_six_a_side_are_within_the_work_limit() -> None:
    """The work grows with the number of members and with the number of different ones."""
    jack, rules = character_bonuses(DEFAULT.outlaws["iron_jack"]), Rules(gang_score=GangScore.BEST)
    others = [character_bonuses(Character(skills={"stealth": level})) for level in range(1, 5)]

    assert gang_work([jack] * 6, [jack] * 6) < MOST_WORK < gang_work([jack] * 10, [jack] * 10)
    assert gang_work([jack] * 4, [jack], rules) < gang_work(others, [jack], rules)


# --- many at once ----------------------------------------------------------------------------------------------------

HAND = st.permutations(STANDARD_DECK).map(lambda deck: tuple(deck[:5]))
HANDS = st.one_of(HAND, st.sampled_from([ROYAL, PAIR, cards("10♥ J♥ Q♥ K♥ A♥")]))
WHO = st.sampled_from(["elite", "rookie", "iron_jack", UNTRAINED, CharacterInput(skills={"lockpicking": 50})])
SWITCHES: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [{}, {"tie_favors_defender": False}, {"royal_flush_auto_win": True}]
)
SCORES: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [{}, {"gang_score": "sum"}, {"gang_score": "best", "gang_best": 2}]
)


def encode_hands(*hands: tuple[Card, ...]) -> str:
    return "".join(LETTERS[STANDARD_DECK.index(card)] for hand in hands for card in hand)


@given(
    pairs=st.lists(
        st.one_of(st.tuples(HANDS, HANDS), HANDS.map(lambda hand: (hand, hand))), min_size=1, max_size=6
    ),
    who=st.tuples(WHO, WHO),
    bonus=st.sampled_from([Points(0), Points(10)]),
    rules=SWITCHES,
)
@settings(max_examples=50, deadline=None)
def test_8_many_contests_agree_with_the_rule(
    pairs: list[tuple[Any, Any]], who: tuple[Any, Any], bonus: Points, rules: dict[str, Any]
) -> None:
    """Totals, ranks and winners in bulk are those of single contests, the same hand and royal flushes included."""
    text = encode_hands(*(hand for pair in pairs for hand in pair))
    fields: dict[str, Any] = {"attacker": who[0], "defender": who[1], "defense_bonus": bonus, "rules": rules}
    found = ask_many(ManyContestsRequest(**fields, hands=text))
    single = [hold_contest(**fields, hands=pair) for pair in pairs]
    scores = [score for one in single for score in (one.attacker, one.defender)]

    assert [one.total.hundredths for one in scores] == found.totals
    assert [one.rank for one in scores] == [found.rank_names[place] for place in found.ranks]
    assert [one.winner for one in single] == [found.winner_names[place] for place in found.winners]
    assert (text, len(pairs), (1, 1)) == (found.hands, found.count, found.sizes)


@pytest.mark.sweep
@given(
    wars=st.lists(st.tuples(HANDS, HANDS, HANDS, HANDS, HANDS), min_size=1, max_size=4),
    who=st.tuples(WHO, WHO, WHO, WHO, WHO),
    size=st.integers(1, 4),
    rules=SCORES,
)
@settings(max_examples=50, deadline=None)
def test_9_many_gang_wars_agree_with_the_rule(
    wars: list[tuple[Any, ...]], who: tuple[Any, ...], size: int, rules: dict[str, Any]
) -> None:
    """By every score of a side, totals and winners in bulk are those of single gang wars."""
    fields: dict[str, Any] = {
        "attackers": who[:size],
        "defenders": who[size:],
        "defense_bonus": Points("2.5"),
        "rules": rules,
    }
    text = encode_hands(*(hand for war in wars for hand in war))
    found = ask_many(ManyGangWarsRequest(**fields, hands=text))
    single = [fight_war(**fields, hands=(war[:size], war[size:])) for war in wars]

    assert [
        one.total.hundredths for war in single for one in (*war.attackers, *war.defenders)
    ] == found.totals
    assert [war.winner for war in single] == [found.winner_names[place] for place in found.winners]
    assert (text, len(wars), (size, 5 - size)) == (found.hands, found.count, found.sizes)


def test_drawn_wars_are_returned_and_judged() -> None:
    """The requested number; requested again with their hands, the results are the same."""
    wars = ask_many(ManyGangWarsRequest(attackers=("elite",) * 2, defenders=("rookie",), count=100))
    contests = ask_many(ManyContestsRequest(attacker="elite", defender="rookie", count=5_000))

    assert wars == ask_many(
        ManyGangWarsRequest(attackers=("elite",) * 2, defenders=("rookie",), hands=wars.hands)
    )
    assert contests == ask_many(
        ManyContestsRequest(attacker="elite", defender="rookie", hands=contests.hands)
    )
    assert (100, 300, 1_500) == (wars.count, len(wars.totals), len(wars.hands))
    assert (5_000, 10_000) == (len(contests.winners), len(contests.ranks))


@pytest.mark.parametrize(
    ("invalid", "code"),
    [
        (ManyContestsRequest(attacker="elite", defender="elite", count=5_001), "too_many_hands"),
        (
            ManyGangWarsRequest(attackers=("elite",) * 10, defenders=("elite",) * 10, count=501),
            "too_many_hands",
        ),
        (ManyContestsRequest(attacker="elite", defender="elite", hands="ABCDE"), "bad_hands"),
        (ManyGangWarsRequest(attackers=("elite",), defenders=("elite",) * 2, hands="ABCDE" * 4), "bad_hands"),
        (ManyContestsRequest(attacker="elite", defender="elite"), "hands_or_count"),
        (
            ManyGangWarsRequest(
                attackers=("elite",) * 3, defenders=("elite",), count=1, rules={"gang_limit": 2}
            ),
            "gang_too_large",
        ),
    ],
)
def test_too_many_or_unequal_hands_are_refused(
    invalid: ManyContestsRequest | ManyGangWarsRequest, code: str
) -> None:
    """At most ten thousand hands, and as many for each war as there are members."""
    with pytest.raises(InputError) as caught:
        ask_many(invalid)

    assert code == caught.value.refusal.code


@pytest.mark.parametrize("side", ["attackers", "defenders"])
@pytest.mark.parametrize("gang", [(), ("11x elite",), ("6x elite", "5x elite")])
def test_9_4_a_refused_gang_is_named(side: str, gang: tuple[str, ...]) -> None:
    """The field of a side that is empty or too large, with and without odds."""
    gangs = {"attackers": ("elite",), "defenders": ("elite",), side: gang}

    assert side == refusal(lambda: fight_war(**gangs)).where
    assert side == refusal(lambda: ask_odds(**gangs)).where


@pytest.mark.parametrize("held", ["A♠ K♠ Q♠ J♠ RJ", (*ROYAL[1:], JOKERS[0])], ids=["text", "cards"])
def test_1_1_a_joker_is_refused_with_its_field(held: str | tuple[Card, ...]) -> None:
    """The sentence names the joker."""
    refused = refusal(lambda: hold_contest(attacker="elite", defender="elite", hands=(ROYAL, held)))

    assert Refusal("card_too_often", "the deck has no jokers: RJ is not in it", "hands", "1.1") == refused


def test_the_size_of_gangs_is_bounded() -> None:
    """Empty gangs and those that are too large are refused."""
    war = b'{"attackers":["elite"],"defenders":[GANG],"count":3}'
    unskilled, crowd = (war.replace(b"GANG", side) for side in (b"", b'"elite"' + b',"elite"' * 10))

    assert "empty_gang" == refusal(lambda: ask_many(wire.from_json(unskilled, ManyGangWarsRequest))).code
    with pytest.raises(InputError, match=r"^defenders: expected a list of at most 10 entries"):
        wire.from_json(crowd, ManyGangWarsRequest)
