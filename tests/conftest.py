"""Speed is measured by the bench, never by a test: no example has a deadline, and CI meets the same ones each time."""

import os

from hypothesis import settings

settings.register_profile("house", deadline=None, derandomize="CI" in os.environ, print_blob=True)
settings.load_profile("house")
