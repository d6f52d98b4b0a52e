"""What a tournament is: every evader against every pursuers' agent on the same starts, in a fixed order."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from manhunt import __version__
from manhunt.agents.registry import BOTS, make_agent
from manhunt.arena.anchors import check_anchor, spec_of
from manhunt.arena.own_agents import Entries, OwnAgent, check_names, read_entries, to_travel
from manhunt.core.agent import Limit, check_seat
from manhunt.core.errors import BadAgent, BadConfig, BadText, in_words, unknown
from manhunt.core.game import expect_keys
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import kit_of, make_game
from manhunt.core.seeds import Secret, Seed, child_seed, parse_seed, seed_to_json
from manhunt.core.short_repr import shorten
from manhunt.core.thinking_time import CLOCKS, WALL

REFEREE = "referee"
KERNEL = "kernel"
FORMAT = 1
TRAVELLING = "travelling"
"""The key of own agents in the text for workers. It must not be read from files: pickles are code."""
FINGERPRINT = "sha256"
"""The key of a secret's fingerprint in a plan that anybody may read."""


@dataclass(frozen=True, slots=True)
class Match:
    """One game of the schedule."""

    number: int
    game: int
    cell: int
    evader: str
    pursuers: str
    seed: Seed | None
    """None before the run starts, and in reports of a folder without its secret."""

    @property
    def agents(self) -> dict[Seat, str]:
        """Who sits where."""
        return {Seat.EVADER: self.evader, Seat.PURSUERS: self.pursuers}

    def __str__(self) -> str:
        return f"game {self.game} of {self.evader} against {self.pursuers}"


@dataclass(frozen=True)
class Plan:
    """Everything that determines the games of a tournament; equal plans give the same games."""

    game: str
    config: Mapping[str, Any]
    evaders: tuple[str, ...]
    pursuers: tuple[str, ...]
    n_games: int
    seed: Seed | None = None
    """None until the run starts: then its folder has one, or a secret is drawn."""
    limit: Limit = field(default_factory=Limit)
    records: bool = True
    path: str = REFEREE
    files: tuple[tuple[str, str], ...] = ()
    """Hashes of the files that agents come from, and of your own agents by name."""
    version: str = __version__
    clock: str = WALL
    """Whether the limit's seconds are those of the wall clock or of the processor."""
    own: tuple[OwnAgent, ...] = field(default=(), compare=False)
    """Agents from your program; `files` has their hashes by name."""

    def __repr__(self) -> str:
        both = f"{' '.join(self.evaders)} against {' '.join(self.pursuers)}"
        seed = self.seed if isinstance(self.seed, int) else "none yet" if self.seed is None else "a secret"
        return f"<Plan {self.game}: {shorten(both)}, {self.n_games:,} games a cell, seed {seed}>"

    @property
    def n_cells(self) -> int:
        """Pairs of an evader and a pursuers' agent."""
        return len(self.evaders) * len(self.pursuers)

    @property
    def n_matches(self) -> int:
        """Games in all."""
        return self.n_cells * self.n_games

    @property
    def cells(self) -> list[tuple[str, str]]:
        """All pairs, in the order of the matrix."""
        return [(evader, pursuers) for evader in self.evaders for pursuers in self.pursuers]

    @cached_property
    def run_id(self) -> str:
        """A short hash of everything that decides the games."""
        return hashlib.sha256(_line(self.to_json()).encode()).hexdigest()[:16]

    def match(self, number: int) -> Match:
        """Match `number` of the schedule: all cells play game 0, then all play game 1, and so on."""
        game, cell = divmod(number, self.n_cells)
        evader, pursuers = divmod(cell, len(self.pursuers))
        seed = None if self.seed is None else game_seed(self.seed, game)
        return Match(number, game, cell, self.evaders[evader], self.pursuers[pursuers], seed)

    def to_json(self) -> dict[str, Any]:
        """The plan as JSON that anybody may read, with the fingerprint of a secret instead of the secret."""
        out = asdict(replace(self, seed=0, own=())) | {"seed": self.seed}
        del out["own"]
        if isinstance(self.seed, Secret):
            out["seed"] = {FINGERPRINT: self.seed.fingerprint}
        out |= {"format": FORMAT, "evaders": list(self.evaders), "pursuers": list(self.pursuers)}
        out |= {"files": dict(self.files), "config": dict(self.config)}
        out["limit"] = {"seconds": self.limit.seconds, "iterations": self.limit.iterations}
        if self.clock == WALL:
            del out["clock"]  # as in folders that are older than the choice
        if self.path == KERNEL:
            out["seeds"] = "deals and moves of compiled games come from the kernel's own generator"
        return out

    def to_text(self) -> str:
        """One line of JSON for the workers, with the secret."""
        told = {TRAVELLING: to_travel(self.own)} if self.own else {}
        return _line(self.to_json() | {"seed": None if self.seed is None else seed_to_json(self.seed)} | told)


def _line(data: Mapping[str, Any]) -> str:
    return json.dumps(data, sort_keys=True, ensure_ascii=False)


def game_seed(seed: Seed, game: int) -> Seed:
    """The seed of game number `game`: the same deal and the same agents' chance in every cell."""
    if isinstance(seed, Secret):
        return child_seed(seed, f"arena/{game}")
    digest = hashlib.sha256(f"arena/{seed}/{game}".encode()).digest()
    return int.from_bytes(digest[:6], "big")


def make_plan(
    game: str,
    evaders: Entries,
    pursuers: Entries,
    n_games: int,
    *,
    options: Mapping[str, Any] | None = None,
    seed: Seed | None = None,
    limit: Limit | None = None,
    records: bool = True,
    compiled: bool = True,
    clock: str = WALL,
) -> Plan:
    """Make a plan and check its game, agents and numbers; the first mistake is a one-line error.

    Without a seed the run draws a secret when it starts. Without records, agents with a compiled version use it, unless
    `compiled` is false. On a busy machine `clock="processor"` keeps limits in seconds fair.

    An agent is a spec, an `Agent` class, an object of one, or a function that makes one. A role takes one agent, a list
    of them, or a dict of your own agents by name.
    """
    rules = make_game(game)
    made = rules.make_config(**dict(options or {}))
    config = json.loads(json.dumps(rules.config_to_json(made)))
    if n_games < 1:
        raise BadConfig(f"{n_games} games; a tournament needs at least 1 in each cell")
    bound = limit or Limit()
    if bound.seconds is not None and bound.iterations is not None:
        raise BadConfig("both seconds and iterations given; a tournament has one limit for a decision")
    roles = [rules.seat_names.get(seat, seat.value) for seat in PLAYERS]
    read = [read_entries(entries, role) for entries, role in zip((evaders, pursuers), roles, strict=True)]
    own = check_names([agent for _, agents in read for agent in agents])
    first, second = (names for names, _ in read)
    for seat, specs, role in zip(PLAYERS, (first, second), roles, strict=True):
        _check_agents(game, seat, specs, role, {agent.name: agent for agent in own})
    if clock not in CLOCKS:
        raise BadConfig(unknown("clock", clock, CLOCKS))
    if clock != WALL and (bots := [spec for spec in (*first, *second) if spec.startswith(BOTS)]):
        raise BadConfig(f"agent {bots[0]} thinks in a process of its own, whose {clock} time is not measured")
    hashes = _file_hashes((*first, *second)) | {(agent.name, agent.fingerprint) for agent in own}
    files = tuple(sorted(hashes))
    plan = Plan(game, config, first, second, n_games, seed, bound, records, files=files, clock=clock, own=own)
    return replace(plan, path=KERNEL) if compiled and not records and _can_be_compiled(plan, made) else plan


def _can_be_compiled(plan: Plan, config: Any) -> bool:
    """Whether the game brings compiled games for this config and all of these agents."""
    twin = kit_of(plan.game).part("compiled")
    agents = {spec_of(spec, plan.game, Seat.EVADER) for spec in plan.evaders}
    agents |= {spec_of(spec, plan.game, Seat.PURSUERS) for spec in plan.pursuers}
    return twin is not None and twin.can_play(config, agents)


def _check_agents(game: str, seat: Seat, specs: Sequence[str], name: str, own: Mapping[str, OwnAgent]) -> None:
    if not specs:
        raise BadConfig(f"no agent for {name}; name at least one")
    for i, spec in enumerate(specs):
        if spec in specs[:i]:
            way = "; name your agents: {'first': ..., 'second': ...}" if spec in own else "; once is enough"
            raise BadConfig(f"agent {spec} is named twice for {name}{way}")
        try:
            if spec in own:
                check_seat(made := own[spec].make(), game, seat)
                made.stop()
            else:
                make_agent(spec_of(spec, game, seat), game, seat).stop()
                check_anchor(spec, game, seat)
        except BadAgent as error:
            raise BadAgent(f"{name}: {error}") from None


def _file_hashes(specs: Sequence[str]) -> set[tuple[str, str]]:
    names = (spec.split(":")[0] for spec in specs)
    files = {Path(name) for name in names if name.endswith(".py")}
    return {(str(file), hashlib.sha256(file.read_bytes()).hexdigest()[:16]) for file in files}


def plan_from_json(data: Mapping[str, Any], source: str = "config.json") -> Plan:
    """The inverse of `Plan.to_json`."""
    try:
        if data["format"] != FORMAT:
            raise BadText(f"{source}: format {data['format']} is not {FORMAT}, the one this version reads")
        known = frozenset(Plan.__dataclass_fields__) - {"own"} | {"format", "seeds"}
        expect_keys(data, known, source)
        values = {name: data[name] for name in Plan.__dataclass_fields__ if name not in ("clock", "own")}
        values["clock"] = data.get("clock", WALL)
        values |= {"evaders": tuple(data["evaders"]), "pursuers": tuple(data["pursuers"])}
        values |= {"limit": Limit(**data["limit"]), "files": tuple(sorted(data["files"].items()))}
        if isinstance(data["seed"], dict):
            values["seed"] = None  # it is kept elsewhere
        elif isinstance(data["seed"], str):
            values["seed"] = parse_seed(data["seed"])
        return Plan(**values)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadText(f"{source} is not a tournament's config: {in_words(error)}") from None


def differences(here: Plan, there: Plan) -> list[str]:
    """What differs between two plans, in words: `seed is 2, not 1`."""
    mine, theirs = ({"clock": plan.clock, **plan.to_json()} for plan in (here, there))
    out = []
    for key in {**mine, **theirs}:
        if mine.get(key) != theirs.get(key) and key not in ("config", "files"):
            out.append(f"{key} is {_short(mine.get(key))}, not {_short(theirs.get(key))}")
    for key in sorted({*here.config, *there.config}):
        one, other = here.config.get(key), there.config.get(key)
        if one != other:
            out.append(f"{key} is {_short(one)}, not {_short(other)}")
    if mine["files"] != theirs["files"]:
        changed = sorted(name for name, _ in {*here.files} ^ {*there.files} if not name.endswith(".py"))
        out.append(f"agent {changed[0]} has changed" if changed else "an agent's file has changed")
    return out


def _short(value: object) -> str:
    if isinstance(value, Mapping) and "hash" in value:
        return f"{value.get('name')} ({str(value['hash'])[:8]})"
    if isinstance(value, Mapping) and set(value) == {FINGERPRINT}:
        return f"a secret ({value[FINGERPRINT][:8]})"
    if isinstance(value, Mapping) and set(value) == {"seconds", "iterations"}:
        return ", ".join(f"{v} {k}" for k, v in value.items() if v is not None) or "none"
    return shorten(
        " ".join(value) if isinstance(value, list) and all(isinstance(v, str) for v in value) else str(value)
    )
