"""The page of a finished game: whole, small, self-contained, and true to what each seat knew."""

import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from browser_pages import CHROMIUM
from manhunt.core.errors import BadText
from manhunt.core.ids import Seat, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.core.registry import game_names, make_game
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import load_record, replay
from manhunt.play.referee import Referee
from manhunt.play.replay_page import replay_page
from random_games import random_record

SMALL = {"fugitive": {"preset": "mini"}}
GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.record.txt"))


def data_of(page: str) -> dict:
    found = re.search(r"<script type='application/json' id='data'>(.*?)</script>", page, re.S)
    assert found is not None
    return json.loads(found[1])


def frames(data: dict, track: int) -> list[dict]:
    out: list[dict] = []
    for delta in data["tracks"][track]:
        out.append({**(out[-1] if out else {}), **delta})
    return out


@pytest.mark.parametrize("file", GOLDEN, ids=lambda p: p.name.removesuffix(".record.txt"))
def test_golden_games_have_pages(file: Path) -> None:
    record = load_record(file)
    page = replay_page(record)
    data = data_of(page)
    n_stops = len(Hindsight(record).stops)
    assert len(data["rounds"]) == n_stops - 1
    for track in range(len(data["tracks"])):
        shown = frames(data, track)
        assert len(shown) == n_stops
        assert all(0 <= number < len(data["texts"]) for frame in shown for number in frame.get("p", ()))
    told = [data["texts"][frame["m"]] for frame in frames(data, 0)[1:]]
    if record.game != "fugitive":
        as_listed = [make_game(record.game).format_turn([action], ()) for action in record.actions]
        assert told == as_listed, "the truth tells every move"
    assert all(told)


@pytest.mark.parametrize("name", game_names())
def test_every_game_has_a_page_that_loads_nothing(name: str) -> None:
    page = replay_page(random_record(name, **SMALL.get(name, {})))
    assert len(page.encode()) < 500_000
    assert "not affiliated with any game publisher" in page
    assert "src=" not in page
    assert "<link" not in page
    assert "@import" not in page
    addresses = re.findall(r"https?://[^\"'\s<\\]+", page)
    assert set(addresses) <= {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in page


@pytest.mark.parametrize("name", game_names())
def test_controls_are_named(name: str) -> None:
    page = replay_page(random_record(name, **SMALL.get(name, {})))
    for tag in re.findall(r"<button [^>]*>", page):
        assert "aria-label=" in tag or "data-ply" in tag, "moves are named by themselves"
    assert re.search(r"<input type='range'[^>]* aria-label='Position in the game'", page)
    assert "<fieldset id='tracks'" in page
    assert page.count("<h1>") == 1


def test_london_stays_small() -> None:
    """A whole game of 24 rounds and five detectives."""
    for seed in range(20):
        record = random_record("scotland_yard", seed, n_detectives=5)
        if len(record.actions) > 110:
            break
    assert len(record.actions) > 110
    assert len(replay_page(record).encode()) < 400_000


def test_hunters_see_what_they_knew_and_no_more() -> None:
    """Of every frame but the last: their track has the quarry's ring only where their view had its node."""
    record = random_record("scotland_yard", 3)
    played, data = replay(record), data_of(replay_page(record))
    assert data["names"] == ["truth", "Mr X", "detectives", "spectator"]
    for track, seat in ((1, Seat.EVADER), (2, Seat.PURSUERS), (3, Seat.SPECTATOR)):
        for state, frame in zip(played.states, frames(data, track), strict=True):
            drawn = [data["texts"][number] for number in frame["p"]]
            shown = [row for row in drawn if 'data-piece="quarry-0"' in row]
            view = played.game.view(state, seat)
            assert bool(shown) == (view.quarry is not None)
            if shown:
                assert f'data-node="{record_label(view, view.quarry)}"' in shown[0]
    hidden = [data["texts"][frame["m"]] for frame in frames(data, 2)[1:]]
    mrx = [text for text in hidden if ":" not in text]
    assert any(text.endswith("?") for text in mrx), "tickets without nodes"


def record_label(view, node) -> str:
    return view.config.board.label(node)


def test_the_truth_is_among_the_glowing_candidates() -> None:
    record = random_record("scotland_yard", 5)
    played, data = replay(record), data_of(replay_page(record))
    seen = 0
    for state, frame in zip(played.states[:-1], frames(data, 2)[:-1], strict=True):
        if frame["g"]:
            assert state.quarry in frame["g"]
            seen += 1
    assert seen


def test_the_truth_of_fugitive_has_both_hands() -> None:
    record = random_record("fugitive", 1, preset="mini")
    played, data = replay(record), data_of(replay_page(record))
    stops = Hindsight(record).stops
    step, hand = next(
        (step, hand)
        for step, ply in enumerate(stops)
        if len(hand := played.game.view(played.states[ply], Seat.PURSUERS).marshal) > 1
    )
    text = " ".join(str(card) for card in hand)
    shown = {
        name: "".join(data["texts"][n] for n in frames(data, i)[step]["s"]) for i, name in enumerate(data["names"])
    }
    assert text in shown["truth"]
    assert text in shown["Marshal"]
    assert text not in shown["spectator"]


def test_a_game_that_goes_on_has_no_page() -> None:
    record = random_record("pursuit")
    with pytest.raises(BadText, match="the game is not over; this would show what is still hidden"):
        replay_page(replace(record, outcome=None))


def test_a_forfeit_before_the_first_move() -> None:
    game = make_game("pursuit")
    config = game.make_config()
    referee = Referee(game, config, seed=1, names={Seat.EVADER: "</script><b>", Seat.PURSUERS: "bob"})
    referee.forfeit(Seat.EVADER, "crash", "it </script> broke")
    page = replay_page(referee.record())
    assert referee.outcome == Outcome(Side.PURSUERS, Termination.FORFEIT)
    assert "it &lt;/script&gt; broke" in page
    assert page.count("</script>") == 2
    assert "&lt;/script&gt;&lt;b&gt; against bob" in page
    assert len(data_of(page)["tracks"][0]) == 1


@pytest.mark.parametrize("game", ["pursuit", "scotland_yard", "fugitive"])
def test_a_game_that_was_given_up_ends_with_the_truth_for_everybody(game) -> None:
    made = make_game(game)
    referee = Referee(made, made.make_config(), seed=3)
    rng = Random(3)
    for _ in range(5):
        referee.submit(rng.choice(made.legal_actions(referee.state)))
    referee.forfeit(Seat.PURSUERS, "resign", "enough")
    past = Hindsight(referee.record())
    for seat in (Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR):
        assert past.view(past.last, seat) == replace(referee.view(seat), legal=())  # type: ignore[type-var]
        assert past.view(past.last - 1, seat) == replace(made.view(past.states[-2], seat), legal=())


def test_what_does_not_change_is_not_written_again() -> None:
    data = data_of(replay_page(random_record("scotland_yard", 2)))
    moves = data["tracks"][2][1:]
    assert sum("c" in delta for delta in moves) < len(moves) / 2, "the travel log changes with Mr X's moves alone"
    assert len(data["texts"]) == len(set(data["texts"]))


PRESSES = """
<script>
const press = (key, target = document.body) =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const where = () => document.getElementById("where").textContent;
const seen = [];
for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home", "ArrowLeft"]) {
  press(key);
  seen.push(where());
}
press(" ");
seen.push(document.getElementById("play").getAttribute("aria-label"));
press(" ");
seen.push(document.getElementById("play").getAttribute("aria-label"));
document.querySelector("[data-ply='3']").click();
seen.push(where());
document.querySelector("input[name=track][value='2']").click();
seen.push(document.querySelectorAll("#pieces [data-piece='quarry-0']").length + " quarries");
document.title = seen.join("|");
</script>
"""


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_keys_and_buttons_in_a_browser(tmp_path) -> None:
    record = random_record("scotland_yard", 3)
    last = len(record.actions)
    page = tmp_path / "game.html"
    page.write_text(replay_page(record).replace("</body>", f"{PRESSES}</body>"))
    command = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/profile"]
    done = subprocess.run([*command, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=300)
    title = re.search(r"<title>(.*?)</title>", done.stdout)
    assert title is not None, done.stderr
    at = [f"move {n} of {last}" for n in (1, 2, 1, last, last, 0, 0)]
    assert title[1].split("|") == [*at, "Pause (space)", "Play (space)", f"move 3 of {last}", "0 quarries"]


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_the_script_is_valid(tmp_path) -> None:
    page = replay_page(random_record("pursuit", Random(0).randrange(9)))
    script = re.findall(r"<script>(.*?)</script>", page, re.S)[0]
    (tmp_path / "replay.js").write_text(script)
    done = subprocess.run(["node", "--check", str(tmp_path / "replay.js")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
