"""Sweep files name varied keys and figures; a row number always means the same point."""

from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from oddsmith.balance.sweeping import Sweep, parse_sweep, read_sweep
from oddsmith.balance.sweeping.rows import figures_at, rules_at
from oddsmith.errors import OddsmithError
from oddsmith.games import destiny, fate
from tests.balance.sweeping.sweeps import DRAWS, fate_sweep

SUCCESS: dict[str, Any] = {"met": {"figure": "check.success", "character": "greenhorn", "target": "burglary"}}
CARDS: dict[str, Any] = {"key": "figures.mean.cards", "values": [1, 2]}


def destiny_sweep(*vary: dict[str, Any], **changes: Any) -> Sweep:  # noqa: ANN401  any key of a sweep file
    """Return a sweep of the Destiny Deck."""
    return parse_sweep({"game": "destiny", "figures": SUCCESS, "vary": list(vary)} | changes)


def test_a_grid_has_every_point_once_with_the_rules_outermost() -> None:
    """Axes of the rules come first, whatever the order in the file; the last axis changes from row to row."""
    sweep = fate_sweep()
    points = [sweep.values(row) for row in range(sweep.rows)]

    assert ["on_turn", "figures.*.cards", "figures.met.target"] == [axis.key for axis in sweep.axes]
    assert [(on, cards, target) for on in (1, 2) for cards in range(1, 6) for target in (0, 4)] == points


def test_chunks_have_every_row_once() -> None:
    """The last chunk has the remainder."""
    sweep = fate_sweep(chunk=6)

    assert 4 == sweep.chunks
    assert [*range(20)] == [row for number in range(4) for row in sweep.chunk_rows(number)]


def test_steps_are_exact_and_end_at_the_bound() -> None:
    """From 0.1 to 0.35 by 0.1 are three exact numbers."""
    sweep = destiny_sweep(
        {"key": "curve_coefficient", "from": Decimal("0.1"), "to": Decimal("0.35"), "step": Decimal("0.1")}
    )

    assert (Decimal("0.1"), Decimal("0.2"), Decimal("0.3")) == sweep.axes[0].values


def test_a_sample_is_the_same_for_the_same_seed_and_uniform_over_the_values() -> None:
    """Row n of a seed is one point for any number of rows; each coordinate takes each value about equally often."""
    few, many = (fate_sweep(sample={"count": count, "seed": "yuma"}) for count in (10, 2_000))
    other = fate_sweep(sample={"count": 10, "seed": "tombstone"})
    cards = Counter(many.values(row)[1] for row in range(2_000))

    assert 10 == few.rows
    assert [few.values(row) for row in range(10)] == [many.values(row) for row in range(10)]
    assert [few.values(row) for row in range(10)] != [other.values(row) for row in range(10)]
    assert {1, 2, 3, 4, 5} == set(cards)
    assert max(abs(count - 400) for count in cards.values()) < 100


def test_numbers_switches_names_and_stars_of_the_rules_are_varied() -> None:
    """A number by its key or by a pattern, a switch, a name, all at once."""
    sweep = destiny_sweep(
        {"key": "crimes.*.threshold", "values": [Decimal("99.5")]},
        {"key": "tie_favors_defender", "values": [False]},
        {"key": "curve", "values": ["table"]},
    )
    rules = rules_at(sweep, (0, 0, 0))

    assert isinstance(rules, destiny.Rules)
    assert {"99.5"} == {str(crime.threshold) for crime in rules.crimes.values()}
    assert (False, "table") == (rules.tie_favors_defender, rules.curve.value)


def test_whole_rulesets_are_varied_by_name(tmp_path: Path) -> None:
    """The key `rules` has presets and files next to the sweep file; other axes change them further."""
    (tmp_path / "house.toml").write_text("on_turn = 3\n")
    (tmp_path / "sweep.toml").write_text(
        """
        game = "fate"
        [figures.mean]
        figure = "draw.mean"
        [[vary]]
        key = "rules"
        values = ["default", "house.toml"]
        """
    )
    sweep = read_sweep(str(tmp_path / "sweep.toml"))
    default, own = (rules_at(sweep, (place,)) for place in (0, 1))

    assert isinstance(default, fate.Rules)
    assert isinstance(own, fate.Rules)
    assert (2, 3) == (default.on_turn, own.on_turn)


def test_arguments_of_figures_are_varied_inside_tables_and_lists() -> None:
    """Also where the file has no such table; an argument in pieces is the same as a whole one."""
    figures = {"war": {"figure": "gang.win", "attackers": [{}], "defenders": ["elite"]}}
    sweep = destiny_sweep(
        {"key": "figures.war.attackers[0].skills.stealth", "values": [1, 9]},
        {"key": "figures.war.attackers[0].skills.mining", "values": [2]},
        {"key": "figures.war.defense_bonus", "values": [5, Decimal("7.5")]},
        figures=figures,
    )
    whole = destiny_sweep(
        {"key": "figures.war.at", "values": [0]},
        figures={
            "war": {
                **figures["war"],
                "attackers": [{"skills": {"stealth": 9, "mining": 2}}],
                "defense_bonus": Decimal("7.5"),
            }
        },
    )

    assert figures_at(whole, 0, (0,)) == figures_at(sweep, 3, (1, 0, 1))


def test_an_estimated_figure_has_its_own_seed_in_every_row() -> None:
    """It is made of the figure's seed and the row number, so it does not depend on the reader."""
    sweep = parse_sweep(
        {
            "game": "casino",
            "figures": {"points": {"figure": "points.mean", "seed": "yuma"}},
            "vary": [{"key": "figures.points.seat", "values": [0, 1]}],
        }
    )

    assert ["yuma/0", "yuma/7"] == [getattr(figures_at(sweep, row, (0,))[0], "seed", "") for row in (0, 7)]


def test_equal_sweeps_have_equal_fingerprints_and_any_change_another() -> None:
    """It covers rules, figures, axes, samples, limits and chunks."""
    changes: list[dict[str, Any]] = [
        {"chunk": 5},
        {"figures": {"mean": {"figure": "draw.mean"}}, "vary": [CARDS]},
        {"vary": [*DRAWS["vary"][:2], {"key": "figures.met.target", "values": [0, 5]}]},
        {"sample": {"count": 20, "seed": "yuma"}},
    ]
    others = {fate_sweep(**change).fingerprint for change in changes} | {
        fate_sweep().limit_rows(7).fingerprint
    }

    assert fate_sweep() == fate_sweep()
    assert hash(fate_sweep()) == hash(fate_sweep())
    assert len(changes) + 1 == len(others - {fate_sweep().fingerprint})


def test_a_sweep_with_some_impossible_points_is_accepted() -> None:
    """It is refused only where no point is possible; otherwise the rows have the reason."""
    vary = [
        {"key": "figures.met.cards", "values": [0, 1]},
        {"key": "figures.met.modifier", "values": [9999, 1]},
    ]
    sweep = parse_sweep(
        {"game": "fate", "figures": {"met": {"figure": "draw.success", "target": 1}}, "vary": vary}
    )

    assert 4 == sweep.rows


def test_chunks_are_small_for_slow_figures_and_larger_for_bulk_figures() -> None:
    """About a hundred chunks of figures that are read one by one, about sixteen of others, and at least one row each."""
    one_by_one = parse_sweep({key: DRAWS[key] for key in ("game", "figures")} | {"vary": [CARDS]})
    in_bulk = destiny_sweep(
        {"key": "figures.met.target", "from": 1, "to": 1600},
        figures={"met": {"figure": "check.success", "character": "greenhorn"}},
    )

    assert (1, 100) == (one_by_one.chunk, in_bulk.chunk)


REFUSED: list[tuple[str, str, dict[str, Any]]] = [
    ("unknown_key", "unknown key 'varies' — did you mean 'vary'?", {"varies": []}),
    ("bad_sweep", "a sweep names its game", {"game": 5}),
    ("unknown_game", "unknown game 'poker'", {"game": "poker"}),
    ("bad_sweep", "a sweep has figures", {"figures": {}}),
    ("bad_sweep", "a sweep has figures", {"figures": {"mean": "draw.mean"}}),
    ("bad_sweep", "the name of a figure has no dots", {"figures": {"a.b": {"figure": "draw.mean"}}}),
    ("unknown_figure", "unknown figure 'draw.men' of fate", {"figures": {"mean": {"figure": "draw.men"}}}),
    ("unknown_figure", "unknown figure 'None' of fate", {"figures": {"mean": {}}}),
    ("bad_sweep", "a sweep varies something", {"vary": []}),
    ("bad_sweep", "rules: expected the name", {"rules": 5}),
    ("no_rules", "no rules file 'missing.toml'", {"rules": "missing.toml"}),
    ("bad_sweep", "rules: expected the name", {"vary": [{"key": "rules", "values": [5]}]}),
    ("bad_sweep", "chunk: from 1 to 10,000 rows", {"chunk": 0}),
    ("bad_sweep", "chunk: from 1 to 10,000 rows", {"chunk": True}),
    ("bad_vary", "'figures.mean.cards' is varied twice", {"vary": [CARDS, CARDS]}),
    (
        "column_twice",
        "two columns would be called 'row'",
        {"figures": {"row": {"figure": "draw.mean"}}, "vary": [{"key": "on_turn", "values": [1]}]},
    ),
    ("bad_sample", "sample: expected a count and a seed", {"sample": {"count": 5}}),
    ("bad_sample", "sample: from 1 to 10,000,000", {"sample": {"count": 0, "seed": "yuma"}}),
    ("bad_seed", "a seed has 1 to 200 characters", {"sample": {"count": 5, "seed": "x" * 200}}),
    (
        "sweep_too_large",
        "at most 10,000,000 rows, and this grid 25,000,000",
        {"vary": [{"key": f"figures.{name}.target", "from": 1, "to": 5000} for name in ("met", "mean")]},
    ),
]
AXES: list[tuple[str, str, dict[str, Any]]] = [
    ("unknown_key", "vary[0]: unknown key 'start'", {"key": "on_turn", "start": 1}),
    ("bad_vary", "expected the key that is varied", {"values": [1]}),
    ("bad_vary", "has values, or from, to and step: not both", {"key": "on_turn", "values": [1], "to": 2}),
    ("bad_vary", "expected a list of values", {"key": "on_turn", "values": []}),
    ("bad_vary", "expected a list of values", {"key": "on_turn", "values": 5}),
    ("bad_vary", "a value is a number, a text, true or false", {"key": "on_turn", "values": [[1]]}),
    ("bad_vary", "a value is listed twice", {"key": "on_turn", "values": [1, 1]}),
    ("bad_vary", "there is no 'to'", {"key": "on_turn", "from": 1}),
    ("bad_vary", "expected a number, not '1'", {"key": "on_turn", "from": "1", "to": 2}),
    ("not_a_number", "vary[0].from must be a number", {"key": "on_turn", "from": True, "to": 2}),
    ("bad_vary", "the step must be more than 0", {"key": "on_turn", "from": 1, "to": 2, "step": 0}),
    ("bad_vary", "the bounds are reversed, from 5 to 2", {"key": "on_turn", "from": 5, "to": 2}),
    ("bad_vary", "takes at most 1,000,000 values", {"key": "on_turn", "from": 0, "to": 10**6}),
    ("number_too_long", "at most 40 digits", {"key": "on_turn", "values": [Decimal("1E+50")]}),
    ("unknown_key", "no number of the rules has the key 'on_turm'", {"key": "on_turm", "values": [1]}),
    ("unknown_key", "unknown key 'on_turm'", {"key": "on_turm", "values": ["x"]}),
    ("unknown_key", "'on=turn' is no key", {"key": "on=turn", "values": ["x"]}),
    ("bad_value", "on_turn: ", {"key": "on_turn", "values": [-5, 1000]}),
    ("unknown_key", "is no argument of a figure", {"key": "figures.mean", "values": [1]}),
    ("unknown_key", "is no argument of a figure", {"key": "figures.mean.figure", "values": ["draw.mean"]}),
    ("unknown_key", "is no argument of a figure", {"key": "figures.men.cards", "values": [1]}),
    ("unknown_key", "draw.mean has no argument 'card'", {"key": "figures.mean.card", "values": [1]}),
    ("bad_value", "cards: ", {"key": "figures.mean.cards", "values": [0]}),
    ("unknown_key", "there is no argument 'cards[x]'", {"key": "figures.many.cards[x]", "values": [1]}),
    ("unknown_key", "there is no argument 'cards.x'", {"key": "figures.many.cards.x", "values": [1]}),
]


@pytest.mark.parametrize(("code", "sentence", "changes"), REFUSED)
def test_an_invalid_sweep_is_refused(code: str, sentence: str, changes: dict[str, Any]) -> None:
    """In a sentence, before a row is read."""
    figures = {"mean": {"figure": "draw.mean"}, "met": {"figure": "draw.success", "target": 1}}
    given = {"game": "fate", "figures": figures, "vary": [CARDS]} | changes
    with pytest.raises(OddsmithError) as refused:
        parse_sweep(given)

    assert code == refused.value.refusal.code
    assert sentence in refused.value.refusal.sentence


@pytest.mark.parametrize(("code", "sentence", "axis"), AXES)
def test_an_invalid_axis_is_refused(code: str, sentence: str, axis: dict[str, Any]) -> None:
    """Its key, its values or its bounds, and also where none of its values is possible."""
    figures = {"mean": {"figure": "draw.mean"}, "many": {"figure": "draw.mean", "cards": 2}}
    with pytest.raises(OddsmithError) as refused:
        parse_sweep({"game": "fate", "figures": figures, "vary": [axis]})

    assert code == refused.value.refusal.code
    assert sentence in refused.value.refusal.sentence


def test_a_missing_or_invalid_file_is_refused_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text('game = "fate"\n')
    with pytest.raises(OddsmithError, match="no sweep file") as missing:
        read_sweep(str(tmp_path / "missing.toml"))
    with pytest.raises(OddsmithError, match=r"bad.toml: a sweep has figures"):
        read_sweep(str(tmp_path / "bad.toml"))

    assert "no_sweep" == missing.value.refusal.code
