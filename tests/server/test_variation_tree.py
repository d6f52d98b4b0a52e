"""The tree of variations: chance is stored like any move, and limits hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from manhunt.core.errors import BadText
from manhunt.core.ids import Seat
from manhunt.core.registry import kit_of
from manhunt.play.record import parse_record
from manhunt.play.variation import texts_of
from manhunt.server.replays import FinishedGames, options_of
from manhunt.server.settings import Limits
from manhunt.server.variations import Author, TreeEditor
from manhunt.store.connect import open_store
from manhunt.store.variations import load_tree
from outside_games import installed
from random_games import SMALL, keep_random_games

ME = Author("", is_at_home=True)


@pytest.fixture
def drifting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A game in which chance moves the quarry."""
    folder = tmp_path / "outside"
    (folder / "driftwood").mkdir(parents=True)
    (folder / "driftwood" / "__init__.py").write_text(
        "from dataclasses import replace\nimport tag_game\n"
        "KIT = replace(tag_game.KIT, home=__name__, name='driftwood', parts={'game': '.game:Driftwood'}, commands={})\n"
    )
    (folder / "driftwood" / "game.py").write_text(
        "from manhunt.core.ids import Seat\nfrom tag_game.game import TagGame\n"
        "class Driftwood(TagGame):\n    name = 'driftwood'\n"
        "    def to_act(self, state):\n        acting = super().to_act(state)\n"
        "        return Seat.CHANCE if acting is Seat.EVADER and not state.placing else acting\n"
    )
    with installed(folder, monkeypatch, driftwood="driftwood:KIT"):
        yield "driftwood"


def test_what_chance_does_is_chosen_or_drawn_and_stays(drifting: str, tmp_path: Path) -> None:
    url = str(tmp_path / "games.db")
    past = keep_random_games(url, {drifting: {}}, seed=2)[drifting]
    ply = next(ply for ply in range(past.last) if past.acting(ply) is Seat.CHANCE and len(past.options(ply)) > 1)
    options = options_of(past, ply)
    assert sum(option["odds"] for option in options) == pytest.approx(1.0)
    store = open_store(url)
    record = past.record.format()
    editor = TreeEditor(store, FinishedGames(), Limits.at_home(), drifting, record)
    number, at = editor.play(0, ply, next(o["action"] for o in options if o["action"] != texts_of(past)[ply]), ME)
    assert (number, at) == (1, ply + 1)
    drawn = [editor.play(0, ply, None, ME) for _ in range(30)]
    assert {at for _, at in drawn} == {ply + 1}
    tree = load_tree(store, drifting)
    assert len({number for number, _ in drawn}) == len(tree.variations) + 1 == len(options), "all outcomes come, once"
    line = FinishedGames().get_variation(drifting, record, tree, number)
    again = FinishedGames().get_variation(drifting, record, load_tree(store, drifting), number)
    assert line.states == again.states
    with pytest.raises(BadText, match="not chance's turn"):
        editor.play(number, at, None, ME)
    store.close()


def test_limits_hold_for_the_game_and_for_each_variation(tmp_path: Path) -> None:
    url = str(tmp_path / "games.db")
    past = keep_random_games(url, {"pursuit": SMALL["pursuit"]}, seed=3)["pursuit"]
    assert kit_of("pursuit").game.name == past.game.name
    store, games = open_store(url), FinishedGames()
    limits = Limits(variations_per_game=1, variation_plies=2, comments_per_game=1, comment_chars=5)
    editor = TreeEditor(store, games, limits, "pursuit", past.record.format())
    ply = next(ply for ply in range(past.last) if len(past.options(ply)) > 2)
    others = [option["action"] for option in options_of(past, ply) if option["action"] != texts_of(past)[ply]]
    number, at = editor.play(0, ply, others[0], ME)
    with pytest.raises(Exception, match=r"1 variations \(the maximum\)"):
        editor.play(0, ply, others[1], ME)
    for n in range(2):
        tree = load_tree(store, "pursuit")
        line = games.get_variation("pursuit", past.record.format(), tree, number)
        action = options_of(line, at)[0]["action"]
        if n == 0:
            number, at = editor.play(number, at, action, ME)
        else:
            with pytest.raises(Exception, match="2 plies at most"):
                editor.play(number, at, action, ME)
    editor.comment(0, 0, "first", ME)
    with pytest.raises(Exception, match=r"\(the maximum\)"):
        editor.comment(0, 1, "more", ME)
    editor.comment(0, 0, "again", ME)
    with pytest.raises(Exception, match=r"6 characters \(max 5\)"):
        editor.comment(0, 0, "longer", ME)
    assert parse_record(past.record.format()) == past.record
    store.close()
