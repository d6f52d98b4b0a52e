"""What a bot receives tells it nothing about deals, chance and other bots; runs stay reproducible and can go on."""

import hashlib
import json
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import count, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from manhunt.arena.competition.deals import match_seed, setup_of
from manhunt.arena.competition.file import parse_competition
from manhunt.arena.competition.model import MatchUp, as_begun, competition_from_text, differences
from manhunt.arena.competition.run import begin_competition, competition_of, run_competition
from manhunt.arena.folder import CONFIG, SECRET, load_ledger, load_plan
from manhunt.arena.schedule import make_plan, plan_from_json
from manhunt.arena.summary import summary_of
from manhunt.arena.tournament import run_tournament
from manhunt.core.errors import BadConfig, BadText
from manhunt.core.registry import make_game
from manhunt.core.seeds import Secret, parse_secret, seeded
from manhunt.play.fair_deal import DealCheck, verify_deal
from manhunt.play.record import Record, load_record, parse_record
from manhunt.store import games
from manhunt.store.connect import open_store
from manhunt.store.tournaments import find_tournament
from scotland_yard_games import board_of

HUNT = """name = "hunt"
[format]
games = 2
[[game]]
game = "scotland_yard"
options = { rounds = 2 }
[[bot]]
name = "ann"
agent = "SPY:Spy"
[[bot]]
name = "bob"
agent = "SPY:Spy"
[[bot]]
name = "cy"
agent = "random"
"""
SPY = """
import json
from manhunt.core.agent import Advice, Agent

class Spy(Agent):
    '''Writes down the number that a bot would get in its first go.'''
    def __init__(self):
        self.first = None
    def observe(self, events):
        self.heard = [event for event in events if event.get("t") == "commitment"] or getattr(self, "heard", [])
    def act(self, view, limit, rng):
        if self.first is None:
            self.first = rng.getrandbits(32)
            with open(__file__ + ".jsonl", "a") as file:
                file.write(json.dumps([view.seat.value, self.first, self.heard[0]["sha256"] if self.heard else None]))
                file.write("\\n")
        return Advice(view.legal[0])
"""
N_TRIED = 3_000
"""File seeds that an attacker tries; the one of an old file without a seed was 0."""


@pytest.fixture
def spy(tmp_path) -> Path:
    file = tmp_path / "spy.py"
    file.write_text(SPY)
    return file


@pytest.fixture
def store(tmp_path):
    store = open_store(tmp_path / "a.db")
    yield store
    store.close()


def noted(spy: Path) -> list[tuple[str, int, str | None]]:
    return [tuple(json.loads(line)) for line in Path(f"{spy}.jsonl").read_text().splitlines()]


def tournament(store, spy: Path, text: str = HUNT, **options: Any):
    competition = parse_competition(text.replace("SPY", str(spy)))
    kept, competition = begin_competition(store, competition, text)
    return run_competition(store, kept, competition, workers=0, **options)


def records_of(store, progress) -> dict[int, Record]:
    return {n: parse_record(games.load_record(store, r.game_uid)) for n, r in progress.results.items()}


def small(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")


def first_go(seed: int, seat: str) -> int:
    """What a bot gets from a number: the attacker knows the program."""
    digest = hashlib.sha256(f"{seed}/{seat}".encode()).digest()
    return Random(int.from_bytes(digest[:8], "big")).getrandbits(32)


@lru_cache
def seeds_by_number(seat: str) -> dict[int, int]:
    """File seeds by the number that some deal of the first round would give."""
    tried = product(range(N_TRIED), range(2))
    return {first_go(small(f"tournament/{seed}/0/0/{deal}"), seat): seed for seed, deal in tried}


# -- a bot that computes the deal from what it receives ------------------------------------------------


def test_a_bot_cannot_work_out_the_deal_from_its_seed(store, spy) -> None:
    progress = tournament(store, spy)
    assert progress.is_finished
    told = noted(spy)
    assert len(told) == 16
    assert not any(number in seeds_by_number(seat) for seat, number, _ in told)


def test_the_attack_works_where_a_seed_decides(store, spy) -> None:
    """So the test above would find the hole; and this is why a seed in a file is warned of."""
    text = HUNT.replace("games = 2", "games = 2\nredraw = false").replace('name = "hunt"', 'name = "hunt"\nseed = 2026')
    records = records_of(store, tournament(store, spy, text))
    seat, number, _ = noted(spy)[0]
    assert seeds_by_number(seat)[number] == 2026
    rules = make_game("scotland_yard")
    config = rules.config_from_json(records[0].config)
    deals = [rules.deal(config, seeded(small(f"tournament/2026/0/0/{deal}"), "deal")) for deal in range(2)]
    assert records[0].setup == deals[0]


def test_no_two_games_and_no_two_seats_share_a_generator(store, spy) -> None:
    progress = tournament(store, spy)
    numbers = [number for _, number, _ in noted(spy)]
    assert len(set(numbers)) == len(numbers)
    seeds = [match_seed(progress.competition, match_of(result)) for result in progress.results.values()]
    assert len(set(seeds)) == len(seeds) == 12
    draws = {seeded(seed, purpose).getrandbits(64) for seed in seeds for purpose in ("evader", "pursuers", "chance")}
    assert len(draws) == 36


def match_of(result: Any) -> MatchUp:
    return MatchUp(result.number, result.round, result.entry, result.deal, result.evader, result.pursuers)


# -- a bot that remembers earlier games ------------------------------------------------------------------


def setups_by_deal(store, text: str, spy: Path) -> list[list[Any]]:
    progress = tournament(store, spy, text)
    by_deal: dict[int, list[Any]] = {}
    for number, record in records_of(store, progress).items():
        by_deal.setdefault(progress.results[number].deal, []).append(record.setup)
    return list(by_deal.values())


def test_games_of_one_deal_share_what_all_see_and_not_what_is_hidden(store, spy) -> None:
    for setups in setups_by_deal(store, HUNT.replace("games = 2", "games = 3"), spy):
        assert len({json.dumps(setup["detectives"]) for setup in setups}) == 1
        assert len({setup["mrx"]["at"] for setup in setups}) > 1


def test_unpaired_games_have_a_deal_each(store, spy) -> None:
    for setups in setups_by_deal(store, HUNT.replace("games = 2", "paired = false"), spy):
        assert len({json.dumps(setup["detectives"]) for setup in setups}) == len(setups) == 6


def test_without_redraw_the_whole_deal_is_shared_but_no_generator(store, spy) -> None:
    progress = tournament(store, spy, HUNT.replace("games = 2", "redraw = false"))
    records = records_of(store, progress).values()
    assert len({json.dumps(record.setup) for record in records}) == 1
    assert len({record.seed for record in records}) == 6
    assert len({number for _, number, _ in noted(spy)}) == 8


SKETCH = "1-2:T 2-3:T 3-4:T 4-5:T 5-6:T 6-1:T 1-4:B"
STARTS = {"mrx_starts": ["1", "2", "5"], "detective_starts": ["2", "3", "4", "5"]}


@pytest.mark.parametrize("starts", [STARTS, {"mrx_starts": [], "detective_starts": []}])
def test_redrawing_mr_x_leaves_every_deal_as_likely_as_it_was(starts: dict[str, Any]) -> None:
    check_redeal("scotland_yard", board=board_of(SKETCH), n_detectives=2, **starts)


def test_redrawing_a_hidden_quarry_leaves_every_deal_as_likely_as_it_was() -> None:
    check_redeal("pursuit", board="path:5", visibility="rounds", reveal_rounds=[3], n_detectives=2)


def check_redeal(game: str, **options: Any) -> None:
    """Whoever recognises the public part knows no more than somebody who sees it for the first time."""
    rules, rng = make_game(game), Random(5)
    config = rules.make_config(**options)
    dealt = [rules.deal(config, rng) for _ in range(4_000)]
    again = [rules.redeal(config, setup, rng) for setup in dealt]
    assert all(before["detectives"] == after["detectives"] for before, after in zip(dealt, again, strict=True))
    counts, others = (Counter(json.dumps(setup) for setup in setups) for setups in (dealt, again))
    assert set(counts) == set(others), "nothing new and nothing missing"
    spread = sum((counts[key] - others[key]) ** 2 / (counts[key] + others[key]) for key in counts)
    assert spread < len(counts) + 4 * (2 * len(counts)) ** 0.5, "two samples of one distribution"


def test_games_without_hidden_parts_and_games_of_strangers() -> None:
    path = make_game("shortest_path")
    config = path.make_config(board="grid:3x3", source="1", target="9")
    assert path.redeal(config, {}, Random(1)) == {}
    cards = make_game("fugitive")
    config = cards.make_config("mini")
    setup = cards.deal(config, Random(1))
    assert cards.redeal(config, setup, Random(2)) == cards.deal(config, Random(2)) != setup, "all of it is hidden"
    chosen = make_game("pursuit")
    always = chosen.make_config(visibility="always")
    setup = chosen.deal(always, Random(1))
    assert chosen.redeal(always, setup, Random(2)) == setup, "all of it is seen"


# -- the secret: kept, published at the end, and enough to play everything again -------------------------


class Interrupted(Exception):
    pass


def test_a_tournament_that_was_stopped_goes_on_with_its_secret_and_publishes_it_at_the_end(store, spy) -> None:
    calls = count()

    def stop(progress) -> None:
        if next(calls) == 3:
            raise Interrupted

    with pytest.raises(Interrupted):
        tournament(store, spy, watch=stop)
    kept = find_tournament(store, "hunt")
    competition = competition_of(kept)
    secret = competition.secret
    assert secret is not None
    assert kept.secret == secret.hex
    assert secret.hex not in kept.spec
    progress = run_competition(store, kept, competition, workers=0)
    assert progress.is_finished
    assert progress.origin == {"fingerprint": secret.fingerprint, "secret": secret.hex}
    unfinished = replace(progress, results={})
    assert unfinished.origin == {"fingerprint": secret.fingerprint}

    file = parse_competition(HUNT.replace("SPY", str(spy)))
    published = replace(file, secret=parse_secret(str(progress.origin["secret"])))
    rules = make_game("scotland_yard")
    for number, record in records_of(store, progress).items():
        match = match_of(progress.results[number])
        config = rules.config_from_json(record.config)
        assert record.setup == setup_of(published, match, rules, config)
        assert record.seed == match_seed(published, match)


def test_every_game_of_a_tournament_commits_before_its_first_move_and_keeps_it(store, spy) -> None:
    records = records_of(store, tournament(store, spy)).values()
    assert {verify_deal(record) for record in records} == {DealCheck.KEPT}
    assert {heard for _, _, heard in noted(spy)} <= {record.commitment for record in records}
    assert None not in {heard for _, _, heard in noted(spy)}


OLD_SPEC = {
    "format": 1,
    "games": [
        {
            "name": "pursuit",
            "game": "pursuit",
            "config": make_game("pursuit").config_to_json(make_game("pursuit").make_config()),
            "deals": 1,
        }
    ],
    "bots": [{"name": name, "spec": "random", "games": [], "seats": ["evader", "pursuers"]} for name in ("a", "b")],
    "pairing": {"kind": "round-robin", "rounds": 1, "challengers": []},
    "clock": {"bank_seconds": None, "increment_seconds": 0.0, "cap_seconds": None, "grace_seconds": 0.0},
    "limit": {"seconds": None, "iterations": None},
    "name": "old",
    "seed": 0,
    "policies": {},
    "game_seconds": 600.0,
    "bot_limits": {},
    "hello_seconds": None,
    "keep_bots": False,
}
OLD_FILE = """name = "old"
[[game]]
game = "pursuit"
[[bot]]
name = "a"
agent = "random"
[[bot]]
name = "b"
agent = "random"
"""


def test_a_tournament_of_before_goes_on_with_its_seed() -> None:
    text = json.dumps(OLD_SPEC, sort_keys=True, ensure_ascii=False)
    old = competition_from_text(text)
    assert old.spec() == text, "the run's id is its hash"
    match = MatchUp(0, 0, 0, 0, "a", "b")
    rules = make_game("pursuit")
    config = rules.make_config()
    assert match_seed(old, match) == small("tournament/0/0/0/0")
    assert setup_of(old, match, rules, config) == rules.deal(config, seeded(small("tournament/0/0/0/0"), "deal"))
    given = parse_competition(OLD_FILE)
    assert (given.seed, given.redraw) == (None, True)
    assert differences(old, as_begun(old, given)) == []
    assert differences(old, as_begun(old, replace(given, paired=False))), "who asks for something else is told"
    assert differences(old, as_begun(old, replace(given, seed=1))) == ["seed is 0 there, 1 in the file"]


# -- arenas ----------------------------------------------------------------------------------------------


def arena(spy: Path, out: Path, **options: Any):
    plan = make_plan("scotland_yard", [f"{spy}:Spy"], ["random"], 4, options={"rounds": 2}, **options)
    return run_tournament(plan, out=out, workers=0)


def test_a_bot_in_an_arena_cannot_work_out_the_deal(tmp_path, spy) -> None:
    arena(spy, tmp_path / "out")
    tried = {first_go(small(f"arena/{seed}/{game}"), "evader") for seed in range(N_TRIED) for game in range(4)}
    told = [number for _, number, _ in noted(spy)]
    assert len(set(told)) == 4
    assert not tried & set(told)
    arena(spy, tmp_path / "seeded", seed=17)
    assert tried >= {number for _, number, _ in noted(spy)[4:]}, "with a seed the attack works"


def test_the_folder_keeps_the_secret_apart_and_the_same_command_goes_on_with_it(tmp_path, spy) -> None:
    out = tmp_path / "out"
    ledger = arena(spy, out)
    secret = ledger.plan.seed
    assert isinstance(secret, Secret)
    assert (out / SECRET).read_text().strip() == secret.hex
    assert (out / SECRET).stat().st_mode & 0o777 == 0o600
    assert secret.hex not in (out / CONFIG).read_text() + (out / "results.jsonl").read_text()
    assert secret.fingerprint in (out / CONFIG).read_text()
    assert json.loads((out / "matrix.json").read_text())["seed"] == secret.hex, "all games are played"
    whole = (out / "results.jsonl").read_bytes()
    (out / "results.jsonl").write_bytes(b"".join(whole.splitlines(keepends=True)[:2]))
    (out / "matrix.json").unlink()
    assert summary_of(load_ledger(out))["seed"] is None, "the run is not over"
    assert arena(spy, out).plan == ledger.plan
    assert (out / "results.jsonl").read_bytes() == whole
    records = [load_record(file) for file in (out / "records").iterdir()]
    assert {verify_deal(record) for record in records} == {DealCheck.KEPT}
    assert {record.seed for record in records} == {ledger.plan.match(number).seed for number in range(4)}


def test_two_runs_of_one_plan_play_different_games_and_have_different_names(tmp_path) -> None:
    plan = make_plan("pursuit", ["random"], ["random"], 3)
    one, other = (run_tournament(plan, out=tmp_path / name, workers=0) for name in "ab")
    assert one.plan.run_id != other.plan.run_id
    assert one.plan.match(0).seed != other.plan.match(0).seed


def test_a_folder_of_before_goes_on_with_its_seed(tmp_path) -> None:
    options: Any = {"records": True}
    run_tournament(make_plan("pursuit", ["random"], ["random"], 3, seed=0, **options), out=tmp_path, workers=0)
    assert not (tmp_path / SECRET).exists()
    whole = (tmp_path / "results.jsonl").read_bytes()
    (tmp_path / "results.jsonl").write_bytes(whole.splitlines(keepends=True)[0])
    again = run_tournament(make_plan("pursuit", ["random"], ["random"], 3, **options), out=tmp_path, workers=0)
    assert again.plan.seed == 0
    assert (tmp_path / "results.jsonl").read_bytes() == whole


def test_a_folder_without_its_secret_can_be_read_but_not_played_on(tmp_path) -> None:
    plan = make_plan("pursuit", ["random"], ["random"], 2)
    run_tournament(plan, out=tmp_path, workers=0)
    kept = (tmp_path / SECRET).read_text()
    (tmp_path / SECRET).write_text("ab" * 32)
    with pytest.raises(BadText, match="is not the secret that this tournament was begun with"):
        load_plan(tmp_path)
    (tmp_path / SECRET).unlink()
    assert load_ledger(tmp_path).n_finished == 2
    with pytest.raises(BadConfig, match=r"cannot be resumed: secret\.txt, which its games come from, is missing"):
        run_tournament(plan, out=tmp_path, workers=0)
    (tmp_path / SECRET).write_text(kept)
    assert run_tournament(plan, out=tmp_path, workers=0).n_finished == 2


def test_compiled_games_come_from_the_secret_too(tmp_path) -> None:
    plan = make_plan("scotland_yard", ["random"], ["random"], 300, records=False)
    here = run_tournament(plan, out=tmp_path / "a", workers=0)
    again = run_tournament(plan_from_json(json.loads(here.plan.to_text())), workers=0)
    assert here.winners(0) == again.winners(0)
    assert here.winners(0) != run_tournament(plan, workers=0).winners(0)
