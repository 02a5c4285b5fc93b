"""Claims files: claims of a document about its numbers, compared with the rules."""

from fractions import Fraction
from typing import Any

import pytest

from oddsmith.balance.linting.claims import exhibits_of, parse_claims
from oddsmith.balance.linting.findings import judge_exhibit
from oddsmith.errors import InputError
from oddsmith.exhibit import ClaimedFigure, Ladder, Strategy, Supply
from oddsmith.games.fate import Rules
from oddsmith.rules import read_toml

CLAIMS = """
game = "fate"

[[claims]]
figure = "draw.mean"
cards = 1
is = 1.44
quoted = "Card values"

[[claims]]
figure = "draw.mean"
cards = 2
is = 3

[[claims]]
figure = "trigger.chance"
trigger = "single(spade)"
at_most = "99%"

[[exhibits]]
exhibit = "supply"
about = "the deck, tested after whole draws"
where = "page 3"
size = 18
draws = [1, 2]
reshuffles_at = 1
or_below = false
tested_after = "draw"
"""


def exhibits_in(text: str) -> list[Any]:
    return list(exhibits_of(parse_claims(read_toml(text)), Rules()))


def test_a_claim_is_compared_with_the_exact_figure() -> None:
    """The claimed mean is 1.44, the true one 3/2."""
    mean, twice, *_ = exhibits_in(CLAIMS)

    assert ("1.44", "1.5", False) == (mean.said, mean.true, mean.is_met)
    assert ("draw.mean(cards 1)", "claims[0]", "Card values") == (mean.about, mean.where, mean.quoted)
    assert twice.is_met


def test_claim_wrong_has_the_true_value() -> None:
    """The finding has the claim, its path and the true value; a true claim has none."""
    found = [finding for exhibit in exhibits_in(CLAIMS) for finding in judge_exhibit(exhibit)]

    assert ["claim-wrong", "deck-runs-empty"] == [finding.check for finding in found]
    assert "draw.mean(cards 1) is said to be 1.44 (Card values); it is 1.5, exact" == found[0].sentence
    assert Fraction(3, 2) == found[0].evidence["true"]
    assert found[0].suggestion.startswith("write 1.5, or change the rules until 1.44 is true")


def test_a_claims_file_may_have_exhibits() -> None:
    """An exhibit in a file is the same as one from rules."""
    *_, deck = exhibits_in(CLAIMS)

    assert isinstance(deck, Supply)
    assert (18, (1, 2), "draw") == (deck.size, deck.draws, deck.tested_after)


def test_numbers_of_an_exhibit_may_be_written_in_several_ways() -> None:
    """Whole numbers, decimals, percentages and ratios are exact."""
    given = read_toml("""
        game = "duel"
        [[exhibits]]
        exhibit = "ladder"
        about = "hands"
        where = "page 1"
        [[exhibits.rungs]]
        name = "pair"
        where = "pair"
        chance = "42.26%"
        worst = {text = "2 2", worth = 34}
        best = {text = "A A", worth = "88/2"}
        [[exhibits]]
        exhibit = "strategy"
        about = "a duel"
        where = "page 2"
        name = "hiding"
        decided = false
        wins = {value = 0.995}
    """)
    ladder, hiding = parse_claims(given).exhibits

    assert isinstance(ladder, Ladder)
    assert isinstance(hiding, Strategy)
    assert (Fraction("0.4226"), Fraction(44)) == (ladder.rungs[0].chance, ladder.rungs[0].best.worth)  # type: ignore[union-attr]  # the exhibit has one
    assert Fraction(199, 200) == hiding.wins.value


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        ({}, "bad_claims", "claims name their game"),
        ({"game": "fate", "rules": 7}, "bad_claims", "claims name their game"),
        ({"game": "fate", "claim": []}, "unknown_key", "unknown key 'claim' — did you mean 'claims'?"),
        ({"game": "fate", "claims": {}}, "bad_value", "claims: expected tables, each under [[claims]]"),
        ({"game": "fate", "exhibits": [3]}, "bad_value", "exhibits: expected tables"),
        ({"game": "fate", "claims": [{}] * 10_001}, "too_many_tables", "at most 10,000"),
        ({"game": "poker", "claims": [{"is": 1}]}, "unknown_game", "unknown game 'poker'"),
        ({"game": "fate", "claims": [{"figure": "draw.mode", "is": 1}]}, "unknown_figure", "did you mean"),
        ({"game": "fate", "claims": [{"figure": "draw.mean"}]}, "no_aim", "say what it should be"),
        (
            {"game": "fate", "claims": [{"figure": "draw.mean", "is": "1,5"}]},
            "bad_aim",
            "draw.mean is a number, and cannot be 1,5",
        ),
        (
            {"game": "destiny", "claims": [{"figure": "hand.rank", "hand": "A♠ K♠ Q♣ J♥ 10♦", "is": 0}]},
            "bad_aim",
            "hand.rank is a name, and cannot be 0",
        ),
        ({"game": "fate", "claims": [{"is": 1, "quoted": 3}]}, "bad_claims", "claims[0].quoted"),
        ({"game": "fate", "exhibits": [{"exhibit": "deck"}]}, "bad_exhibit", "exhibits[0].exhibit: "),
        (
            {
                "game": "fate",
                "exhibits": [{"exhibit": "outcome", "about": "it", "where": "it", "least": "few"}],
            },
            "bad_exhibit",
            "exhibits[0]: ",
        ),
    ],
)
def test_invalid_claims_are_refused(given: dict[str, Any], code: str, words: str) -> None:
    """Each with its path."""
    with pytest.raises(InputError) as caught:
        parse_claims(given)

    assert code == caught.value.refusal.code
    assert words in caught.value.refusal.sentence


def test_a_claim_is_described_with_its_arguments() -> None:
    """Defaults are left out, and the others have the order of the figure."""
    claims = exhibits_in(
        'game = "fate"\nclaims = [{figure = "draw.success", target = 3, modifier = 1, is = "1/2"},'
        '{figure = "deck.checks", is = 9}]'
    )

    assert ["draw.success(modifier 1, target 3)", "deck.checks"] == [one.about for one in claims]
    assert all(isinstance(one, ClaimedFigure) for one in claims)


def test_a_claim_about_an_unknown_name_is_refused_with_its_path() -> None:
    """Only the rules know which checks exist: the refusal says which claim is wrong."""
    claimed = [
        {"figure": "check.success", "target": "hard", "is": "36.60%"},
        {"figure": "check.success", "target": "harder", "is": "20%"},
    ]
    claims = parse_claims({"game": "fate", "claims": claimed})
    with pytest.raises(InputError) as refused:
        [*exhibits_of(claims, Rules())]

    assert ("unknown_check", "claims[1]") == (refused.value.refusal.code, refused.value.refusal.where)
    assert refused.value.refusal.sentence.startswith("claims[1]: unknown check 'harder'")
