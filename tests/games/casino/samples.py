"""What the tests of all mechanics use of Casino: rules with other switches."""

from typing import Final

from tests.games.casino.tables import SHORT, ruled

RULES: Final = {
    "house": ruled(
        capture_targets=3,
        capture_own_builds=True,
        extend_own_builds=True,
        extension_takes_ownership=True,
        trail_restriction="never",
    ),
    "one card a capture": SHORT.replace(two_card_capture=False),
}
