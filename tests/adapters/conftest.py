"""The example game, which the platform does not know, has environments too."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from example_games import known_here


@pytest.fixture(scope="module")
def all_games(night_chase_folder: Path) -> Iterator[None]:
    """This process knows the example game while the tests of a file run."""
    with known_here(night_chase_folder):
        yield
