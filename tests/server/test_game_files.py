"""Page files of games: served from their packages, also of other distributions, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from manhunt.core.registry import BUILT_IN, kit_of
from manhunt.draw.scenes import has_scene
from manhunt.server.game_files import address_of, page_files
from outside_games import installed
from sites import Site, running_site

TYPES = {".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that also has a game of another package, with one page file."""
    folder = tmp_path_factory.mktemp("site")
    package = folder / "lantern"
    (package / "web").mkdir(parents=True)
    (package / "web" / "style.css").write_text(".lantern { color: red; }\n")
    (package / "web" / "secret.py").write_text("SECRET = 1\n")
    (package / "__init__.py").write_text(
        "from dataclasses import replace\nimport tag_game\n"
        "KIT = replace(tag_game.KIT, home=__name__, name='lantern', parts={'game': '.game:Lantern'})\n"
    )
    (package / "game.py").write_text(
        "from tag_game.game import TagGame\nclass Lantern(TagGame):\n    name = 'lantern'\n"
    )
    with (
        pytest.MonkeyPatch.context() as patch,
        installed(folder, patch, lantern="lantern:KIT"),
        running_site(folder / "games.db") as running,
    ):
        yield running


def get(site: Site, path: str, **headers: str) -> HTTPResponse:
    """The path goes out as it is, with all its dots."""
    connection = HTTPConnection(urlsplit(site.url).netloc, timeout=300)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    answer.body = answer.read()  # type: ignore[attr-defined]
    connection.close()
    return answer


def test_every_file_of_every_game_is_served_with_its_type_and_checked_each_time(site: Site) -> None:
    for kit in map(kit_of, BUILT_IN):
        for file in (Path(str(kit.files)) / "web").iterdir():
            answer = get(site, f"/games/{kit.name}/{file.name}")
            assert answer.status == 200
            assert answer.body == file.read_bytes()  # type: ignore[attr-defined]
            assert answer.headers.get_content_type() == TYPES[file.suffix]
            assert answer.headers["Cache-Control"] == "no-cache"
            again = get(site, f"/games/{kit.name}/{file.name}", **{"If-None-Match": answer.headers["ETag"]})
            assert again.status == 304


def test_a_game_of_another_package_is_served(site: Site) -> None:
    answer = get(site, "/games/lantern/style.css")
    assert (answer.status, answer.body) == (200, b".lantern { color: red; }\n")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "path",
    [
        "/games/nobody/page.js",
        "/games/pursuit/nothing.js",
        "/games/pursuit",
        "/games/pursuit/",
        "/games/pursuit/../__init__.py",
        "/games/pursuit/../rules/game.py",
        "/games/pursuit/..%2frules%2fgame.py",
        "/games/pursuit/%2e%2e/agents/levels.json",
        "/games/pursuit/..%2fagents%2flevels.json",
        "/games/pursuit/web/page.js",
        "/games/pursuit/.%2e/page.js",
        "/games/../pyproject.toml",
        "/games/%2e%2e/core/kit.py",
        "/games//etc/passwd",
        "/games/lantern/secret.py",
        "/games/lantern/page.js",
        "/games/pursuit/page.js%00.css",
        "/games/pursuit\\page.js",
    ],
)
def test_nothing_else_is_served(site: Site, path: str) -> None:
    answer = get(site, path)
    assert answer.status == 404
    assert b"import" not in answer.body  # type: ignore[attr-defined]


def test_only_the_addresses_of_files_that_are_there_are_told(site: Site) -> None:
    assert page_files(kit_of("pursuit")) == {
        "module": "/games/pursuit/page.js",
        "modules": [],
        "style": "/games/pursuit/style.css",
        "intro": "/games/pursuit/intro.json",
        "lessons": "/learn/pursuit",
    }
    general = {"module": "/js/board_page.js", "style": "/games/lantern/style.css", "intro": "/intro.json"}
    assert page_files(kit_of("lantern")) == {**general, "modules": [], "lessons": None}
    modules = page_files(kit_of("scotland_yard"))["modules"]
    assert modules == [f"/games/scotland_yard/{name}.js" for name in ("danger", "travel_log", "whole_route")]
    assert address_of(kit_of("lantern"), "notebook.js") is None
    for address in (*general.values(), "/picture.svg"):
        assert get(site, address).status == 200


def test_whoever_opens_a_game_is_told_where_its_page_is(site: Site) -> None:
    for name, module in (("pursuit", "/games/pursuit/page.js"), ("lantern", "/js/board_page.js")):
        game = site.begin(name, evader="person")
        with site.sit(game["uid"], game["tokens"]["evader"]) as seat:
            assert seat.hear_until("new")["page"]["module"] == module


def test_home_offers_games_with_a_page_or_a_board(site: Site) -> None:
    offered = {game["name"]: game for game in site.api("/api/catalog")["games"]}
    assert {*BUILT_IN, "lantern"} <= set(offered)
    assert offered["lantern"]["quick"]["agent"] == "random"
    assert offered["lantern"]["picture"] == "/picture.svg"
    cards, board = kit_of("fugitive"), kit_of("pursuit")
    assert not has_scene(replace(cards, parts={"game": cards.parts["game"]}))
    assert has_scene(replace(board, parts={"game": board.parts["game"]}))
