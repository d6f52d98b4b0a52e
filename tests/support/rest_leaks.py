"""No answer too much: what REST tells a seat is made from what that seat knows, and from nothing else.

Games are played in a whole web app, in this process. At some moments all seats ask everything there is to ask, the
evader first, so that whatever is kept for one seat could reach the next. Two things are checked:

- an answer to a question is one that was made from the log of the seat that asks (two seats at the same version);
- in two worlds that a seat cannot tell apart, all its answers are the same, byte for byte.

Routes come from the app and questions from the kit, so that a new route or a new game is asked about, too.
"""

from __future__ import annotations

import asyncio
import json
import pickle
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from itertools import product
from random import Random
from typing import Any
from unittest import mock

import httpx
from fastapi import FastAPI
from fastapi.routing import APIRoute

from manhunt.agents.registry import make_agent
from manhunt.analysis import insights
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.game import AnyGame
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import kit_of, make_game
from manhunt.play.hindsight import TRUTH, Hindsight
from manhunt.play.record import parse_record
from manhunt.server import app as web_app
from manhunt.server import site as web_site
from manhunt.server.addresses import Addresses
from manhunt.server.durable import hold
from manhunt.server.limits import PERSON
from manhunt.server.replays import MOST_FRAMES, log_of
from manhunt.server.rooms import GamePlan, GameRoom, SpectatorPolicy
from manhunt.server.settings import Settings
from manhunt.store.games import load_record
from web_leaks import World, two_worlds

MOST_DEALS = 8
"""Deals in which a second world is looked for."""
ADDRESS = "http://127.0.0.1"
ROUNDS_OF_ADVICE = 60
"""What an adviser may think: iterations instead of seconds, so that the same log gives the same advice."""
QUESTIONS: tuple[Mapping[str, str], ...] = (
    {},
    {"node": "1"},
    {"position": "1", "value": "3"},
    {"numbers": "3"},
    {"numbers": "2,5"},
    {"of": "start", "seconds": "0.05"},
    {"seconds": "0.05"},
)
"""Parameters that questions of some game take; others refuse them or do not read them."""
BODIES: Mapping[tuple[str, str], Any] = {
    ("POST", "/api/games/{uid}/branches"): {"ply": 0, "seat": "pursuers", "agent": "random"},
    ("PUT", "/api/games/{uid}/notes"): {"text": "a note"},
    ("POST", "/api/games/{uid}/tree/moves"): {"variation": 0, "ply": 0, "action": "1"},
    ("PUT", "/api/games/{uid}/tree/comments"): {"variation": 0, "ply": 0, "text": "a comment"},
    ("PATCH", "/api/games/{uid}/tree/{variation}"): {"name": "a name"},
}
OK, CLOSED = 200, 403
FACTS = "/api/games/{uid}"
"""What everybody may know of a running game; everything else is for those who hold a seat, or for the end."""
POLICIES = (SpectatorPolicy.LIVE, SpectatorPolicy.DELAYED, SpectatorPolicy.NEVER)
WATCHERS = {Seat.PURSUERS: (Seat.PURSUERS, Seat.SPECTATOR), Seat.EVADER: (Seat.EVADER,)}
"""Who sees no difference between two worlds that one seat cannot tell apart."""


class InlinePool:
    """Stands in for the worker processes: the same tasks, done at once, with a list of what was made from what."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self.made: dict[bytes, list[Any]] = {}

    def start(self, lanes: Any) -> None: ...

    async def close(self) -> None: ...

    def forget(self, key: object) -> None: ...

    async def run(self, what: str, *args: Any, **options: Any) -> Any:
        module, _, name = what.partition(":")
        sent = pickle.dumps(args)
        answer = getattr(import_module(module), name)(*pickle.loads(sent))
        self.made.setdefault(_print_of(args), []).append(answer)
        return answer

    def has_made(self, args: tuple[Any, ...], answer: Mapping[str, Any]) -> bool:
        """Whether this came from these arguments; `v` and `what` are added by the server."""
        own = {key: value for key, value in answer.items() if key not in ("v", "what")}
        return any(json.loads(json.dumps(each)) == own for each in self.made.get(_print_of(args), []))


def _print_of(args: tuple[Any, ...]) -> bytes:
    return repr(args).encode()


class _Steady(Agent):
    """An agent that counts iterations, whatever the clock says."""

    def __init__(self, agent: Agent) -> None:
        self.start, self.observe, self.stop = agent.start, agent.observe, agent.stop  # type: ignore[method-assign]
        self._agent = agent

    def act(self, view: Any, limit: Limit, rng: Random) -> Advice:
        return self._agent.act(view, Limit(iterations=ROUNDS_OF_ADVICE), rng)


@contextmanager
def steady_advice() -> Iterator[None]:
    def steady(spec: str, game: str, seat: Seat) -> Agent:
        return _Steady(make_agent(spec, game, seat))

    with mock.patch.object(insights, "make_agent", steady):
        yield


@dataclass
class RestLeaks:
    """How much was compared, which questions were answered, and what was found."""

    n_pairs: int = 0
    n_answers: int = 0
    n_bytes: int = 0
    answered: set[tuple[str, str]] = field(default_factory=set)
    """(seat, insight) that got an answer, not a refusal."""
    found: list[str] = field(default_factory=list)


def look_for_rest_leaks(
    store: str, name: str, options: Mapping[str, Any], n_games: int, seed: int = 0, seat: Seat = Seat.PURSUERS
) -> RestLeaks:
    """Play so many random games, each in two worlds that `seat` cannot tell apart, or in one where there is but one."""
    return asyncio.run(_look(store, name, options, n_games, seed, seat))


async def _look(store: str, name: str, options: Mapping[str, Any], n_games: int, seed: int, seat: Seat) -> RestLeaks:
    leaks, rng, game = RestLeaks(), Random(seed), make_game(name)
    config = game.make_config(**options)
    async with _web(store) as web:
        for number in range(n_games):
            found = (two_worlds(game, config, rng, seat) for _ in range(MOST_DEALS))
            worlds = next(filter(None, found), None) or (_one_world(game, config, rng),)
            moments = {len(worlds[0][1]), rng.randint(0, len(worlds[0][1]))}
            policy = POLICIES[(seed + number) % len(POLICIES)]
            told = [await _Asking(web, game, config, world, policy, moments, leaks).ask_all() for world in worlds]
            if len(told) == 2:
                leaks.n_pairs += 1
                leaks.found += _differences(told[0], told[1], WATCHERS[seat])
    return leaks


def _one_world(game: AnyGame, config: Any, rng: Random) -> World:
    """A random game of some plies, for games that hide nothing."""
    setup = game.deal(config, rng)
    state, actions = game.start(config, setup), list[Any]()
    for _ in range(rng.randrange(1, 6)):
        action = rng.choice(game.legal_actions(state))
        after = game.apply_action(state, action)
        if game.outcome(after) is not None:
            break
        state = after
        actions.append(action)
    return setup, tuple(actions)


Told = dict[tuple[Seat, str], bytes]
"""What each seat was answered, by the moment and the question."""


def _differences(one: Told, two: Told, watchers: Sequence[Seat]) -> list[str]:
    if one.keys() != two.keys():
        return [f"other questions in the other world: {sorted(k[1] for k in one.keys() ^ two.keys())[:3]}"]
    return [
        f"{seat.value} asks {question}: {one[seat, question][:300]!r} and {two[seat, question][:300]!r}"
        for seat, question in one
        if seat in watchers and one[seat, question] != two[seat, question]
    ][:3]


@dataclass
class _Web:
    app: FastAPI
    client: httpx.AsyncClient
    pool: InlinePool

    @property
    def site(self) -> web_site.Site:
        site: web_site.Site = self.app.state.site
        return site

    def routes(self) -> list[tuple[str, str]]:
        """(method, path) of everything that can be asked about one game."""
        return sorted(
            (method, route.path)
            for route in self.app.routes
            if isinstance(route, APIRoute) and route.path.startswith("/api/games/{uid}")
            for method in route.methods - {"HEAD", "OPTIONS"}
        )


@asynccontextmanager
async def _web(store: str) -> AsyncIterator[_Web]:
    app = web_app.create_app(Settings(store))
    with mock.patch.object(web_app, "WorkerPool", InlinePool):
        settings = Settings(store)
        site = web_app.open_site(settings, hold(store), Addresses(settings.limits))
    app.state.site = site
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 1))
    try:
        async with httpx.AsyncClient(transport=transport, base_url=ADDRESS) as client:
            yield _Web(app, client, site.pool)  # type: ignore[arg-type]
    finally:
        await web_app.close_site(site)


class _Visitor:
    """Somebody in the room, so that it stays in memory however long the answers take."""

    seat = Seat.SPECTATOR

    def moved(self, room: GameRoom) -> None: ...

    def presence(self, there: Mapping[str, bool]) -> None: ...


@dataclass
class _Asking:
    """One game in the web app, and all that its seats ask."""

    web: _Web
    game: AnyGame
    config: Any
    world: World
    policy: SpectatorPolicy
    moments: set[int]
    leaks: RestLeaks
    told: Told = field(default_factory=dict)

    async def ask_all(self) -> Told:
        setup, actions = self.world
        begun = await self.web.site.rooms.begin(
            GamePlan(self.game, self.config, dict.fromkeys(PLAYERS, PERSON), 1, setup, spectators=self.policy)
        )
        self.room, self.tokens = begun.room, begun.tokens
        self.room.created_at = 0.0
        self.room.join(_Visitor())
        for ply in range(len(actions) + 1):
            if ply in self.moments:
                await self._ask_now(f"ply {ply}")
            if ply < len(actions):
                acting = self.room.referee.to_act
                assert acting is not None
                await self.room.move(acting, self.room.n, self.game.format_action(self.config, actions[ply]))
        await self.room.resign(Seat.EVADER)
        await self._look_back(len(actions))
        return self.told

    # -- while it runs --------------------------------------------------------------------------------------------

    async def _ask_now(self, moment: str) -> None:
        for what in sorted(insights.insights_of(self.game.name)):
            for params in QUESTIONS:
                for seat in (*PLAYERS, Seat.SPECTATOR):
                    answer = await self._get(seat, moment, f"/api/games/{{uid}}/insights/{what}", params)
                    if answer.status_code == OK:
                        self._check_own(answer, what, self.room.log(seat), params, f"{seat.value} at {moment}")
        for method, path in self.web.routes():
            if "{what}" in path and not path.startswith("/api/games/{uid}/replay"):
                continue  # asked above
            for filled, seat in product(self._filled(path), (*PLAYERS, Seat.SPECTATOR)):
                answer = await self._get(seat, moment, filled, {}, method, BODIES.get((method, path)))
                if answer.status_code != (OK if path == FACTS else CLOSED):
                    self.leaks.found.append(f"{method} {filled} answers {answer.status_code} in a running game")
        if kit_of(self.game.name).has("notebook"):
            lines = kit_of(self.game.name).part("notebook").EXAMPLE.split(" · ")
            for seat in (*PLAYERS, Seat.SPECTATOR):
                await self._get(seat, moment, f"/api/notebook/{self.game.name}", {}, "POST", {"entries": lines})

    def _filled(self, path: str) -> list[str]:
        """A path with something in place of its parameters; `{uid}` stays."""
        tracks = [TRUTH, *(seat.value for seat in (*PLAYERS, Seat.SPECTATOR))]
        values = {"track": tracks, "ply": ["0"], "variation": ["1"]}
        values["what"] = sorted(insights.insights_of(self.game.name))[:1]
        names = [name for name in re.findall(r"\{(\w+)\}", path) if name != "uid"]
        out = []
        for chosen in product(*(values[name] for name in names)):
            filled = path
            for name, value in zip(names, chosen, strict=True):
                filled = filled.replace(f"{{{name}}}", value)
            out.append(filled)
        return out

    # -- when it is over ------------------------------------------------------------------------------------------

    async def _look_back(self, last: int) -> None:
        """What a seat knew is shown without what came out later; the last ply tells everything, as it may."""
        past = Hindsight(parse_record(load_record(self.web.site.store, self.room.uid)))
        plies = sorted({0, last // 2, last - 1} & set(range(last)))
        for track, ply in product(past.tracks, plies):
            seat = past.seat_of(track) or Seat.SPECTATOR
            if track != TRUTH:
                await self._get(seat, f"replay {track}", f"/api/games/{{uid}}/replay/{track}/{ply}", {})
            log = log_of(past, track, ply)
            for what in sorted(insights.insights_of(self.game.name)):
                path = f"/api/games/{{uid}}/replay/{track}/{ply}/insights/{what}"
                answer = await self._get(seat, f"replay {track}", path, {})
                if answer.status_code == OK:
                    self._check_own(answer, what, log, {}, f"replay of {track} at ply {ply}")
        for seat in filter(None, past.tracks.values() if last else ()):
            path, n = f"/api/games/{{uid}}/replay/{seat.value}", min(last, MOST_FRAMES)
            await self._get(seat, "replay", path, {"n": str(n)})

    # -- both -----------------------------------------------------------------------------------------------------

    async def _get(
        self, seat: Seat, moment: str, path: str, params: Mapping[str, str], method: str = "GET", body: Any = None
    ) -> httpx.Response:
        token = self.tokens.get(seat)
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        content = None if body is None else json.dumps(body)
        if content is not None:
            headers["Content-Type"] = "application/json"
        uid = self.room.uid
        answer = await self.web.client.request(
            method, path.replace("{uid}", uid), params=dict(params), headers=headers, content=content
        )
        assert answer.status_code != 422, f"{method} {path} needs something that this test does not know: {answer.text}"
        assert answer.status_code < 500, f"{method} {path}: {answer.text}"
        key = f"{moment}: {method} {path} {json.dumps(dict(params))}"
        told = f"{answer.status_code} ".encode() + answer.content.replace(uid.encode(), b"UID")
        self.told[seat, key] = told
        self.leaks.n_answers += 1
        self.leaks.n_bytes += len(told)
        return answer

    def _check_own(self, answer: httpx.Response, what: str, log: Any, params: Mapping[str, str], who: str) -> None:
        """An answer was made from the log of whoever asks."""
        self.leaks.answered.add((log.seat.value, what))
        if not self.web.pool.has_made((what, log, dict(params)), answer.json()):
            self.leaks.found.append(
                f"{who} got an answer to {what} {dict(params)} that was not made from what it knows"
            )
