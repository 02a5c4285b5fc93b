"""Speed is measured by the bench, never by a test: no example has a deadline, and CI meets the same ones each time.

Solved tables of a run of the tests are shared by its workers, found by no other run, and removed at its end: a table
that an older solver left behind proves nothing of this one.
"""

import atexit
import os
import shutil
from tempfile import mkdtemp

from hypothesis import settings

settings.register_profile("house", deadline=None, derandomize="CI" in os.environ, print_blob=True)
settings.load_profile("house")

if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["ODDSMITH_CACHE"] = mkdtemp(prefix="oddsmith-tests-")
    atexit.register(shutil.rmtree, os.environ["ODDSMITH_CACHE"], ignore_errors=True)
