"""Small sweeps for tests."""

from typing import Any

from oddsmith.balance.sweeping import Sweep, parse_sweep

DRAWS: dict[str, Any] = {
    "game": "fate",
    "chunk": 4,
    "figures": {
        "mean": {"figure": "draw.mean"},
        "met": {"figure": "draw.success", "target": 4},
    },
    "vary": [
        {"key": "figures.*.cards", "from": 1, "to": 5},
        {"key": "on_turn", "values": [1, 2]},
        {"key": "figures.met.target", "values": [0, 4]},
    ],
}
"""Twenty rows of the Fate Deck: two rulesets, five draws, two targets."""

HEIST: dict[str, Any] = {
    "game": "destiny",
    "chunk": 1,
    "figures": {
        "war": {
            "figure": "gang.win",
            "attackers": [{"skills": {"gun_fighting": 50}}, {"skills": {"stealth": 40}}],
            "defenders": [{"skills": {"brawling": 30}}, {"skills": {"mining": 20}}],
        }
    },
    "vary": [{"key": "figures.war.attackers[0].skills.gun_fighting", "from": 4, "to": 92, "step": 8}],
}
"""Gang wars, each of which takes a while."""


def fate_sweep(**changes: Any) -> Sweep:  # noqa: ANN401  any key of a sweep file
    """Return the sweep of draws with some keys changed."""
    return parse_sweep(DRAWS | changes)


def heist_sweep(**changes: Any) -> Sweep:  # noqa: ANN401  any key of a sweep file
    """Return the sweep of gang wars with some keys changed."""
    return parse_sweep(HEIST | changes)
