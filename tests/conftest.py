"""What every test shares: properties that repeat exactly, and a browser where there is one."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples in every run and on every machine: a red test is red for everyone.
# HYPOTHESIS_PROFILE=explore looks further, with new examples in each run.
settings.register_profile(
    "ci",
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("explore", parent=settings.get_profile("ci"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the project."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def chromium() -> Path:
    """The browser that tries the pages. Skips the test where there is none."""
    for name in BROWSERS:
        found = shutil.which(name)
        if found is not None:
            return Path(found)
    pytest.skip("no Chromium here")
