"""The standings of a tournament in a real browser: they follow what another process plays."""

from collections.abc import Callable, Iterator

import pytest

from browser_pages import PHONE
from manhunt.arena.competition import run as running
from manhunt.arena.competition.file import parse_competition
from manhunt.arena.competition.run import made_with, run_competition
from manhunt.store.connect import open_store
from manhunt.store.tournaments import create_tournament
from sites import Site, start_site

EVENING = """name = "A <b>Swiss</b> evening"
seed = 4
[format]
kind = "swiss"
rounds = 2
[[game]]
game = "pursuit"
board = "grid:3x3"
options = { n_detectives = 1, max_rounds = 4 }
[[bot]]
name = "ann"
agent = "random"
[[bot]]
name = "bob"
agent = "greedy"
[[bot]]
name = "cy"
command = "./there-is-no-such-bot"
[[bot]]
name = "dan"
agent = "random"
"""


PlayOn = Callable[[], object]


@pytest.fixture
def play_on(tmp_path, monkeypatch) -> Iterator[PlayOn]:
    """A tournament that was cut off after some games; plays the rest of it."""
    monkeypatch.setattr(running, "GROUP_SECONDS", 0.0)
    store = open_store(tmp_path / "games.db")
    competition = parse_competition(EVENING)
    kept = create_tournament(
        store, competition.name, competition.spec(), competition.run_id, "", made_with(competition)
    )

    def cut(progress: running.Progress) -> None:
        if progress.n_played >= 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_competition(store, kept, competition, workers=0, watch=cut)
    yield lambda: run_competition(store, kept, competition, workers=0)
    store.close()


@pytest.fixture
def site(play_on: PlayOn, tmp_path) -> Iterator[Site]:
    """A server beside it."""
    running_site = start_site(tmp_path / "games.db")
    yield running_site
    running_site.kill()


def test_the_standings_follow_the_tournament(play_on, new_page, shot) -> None:
    page = new_page("/standings")
    page.wait_for_selector("#table tbody tr")
    assert page.inner_text("h1") == "A <b>Swiss</b> evening"
    assert "3 of 8 games, round 1 of 2, being played" in page.inner_text("#state")
    assert page.locator("#newest a").count() == 0, "its deals are still being played"
    shot(page, "running")
    play_on()
    page.wait_for_selector("#state >> text=/8 of 8 games, round 2 of 2, finished/")
    page.wait_for_selector("#newest a >> nth=0")
    assert page.locator("#newest a", has_text="Analyse").count() == page.locator("#newest a", has_text="Replay").count()
    page.get_by_label("Which games").select_option("lost by cy")
    page.wait_for_function("document.querySelectorAll('#newest li').length === 4")
    assert all("cy" in text for text in page.locator("#newest li small").all_inner_texts())
    last = page.locator("#table tbody tr").last
    assert last.locator("th").inner_text() == "cy"
    assert last.locator("td").all_inner_texts()[-2:] == ["4", "4"], "forfeits and faults"
    shot(page, "finished")


def test_the_table_fits_a_phone(new_page, shot) -> None:
    page = new_page("/standings", size=PHONE)
    page.wait_for_selector("#table tbody tr")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    assert page.evaluate("(box => box.scrollWidth <= box.clientWidth)(document.querySelector('.scroll'))")
    shot(page, "phone")
