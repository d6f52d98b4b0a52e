"""PNG and GIF from our own SVG: pieces in their places, text on machines without fonts, films of one size."""

import io
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageColor

from manhunt.core.errors import ManhuntError, MissingExtra
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.core.scene import Scene
from manhunt.draw import film
from manhunt.draw.calibration import draw_calibration, save_calibration
from manhunt.draw.lines import build_frame
from manhunt.draw.look import LIGHT, pursuer_look, theme_of
from manhunt.draw.pictures import check_format, png_of, save_scenes
from manhunt.draw.scenes import scene_of
from manhunt.draw.strip import Strip
from manhunt.draw.svg import WIDTH, draw_scene
from manhunt.games.pursuit.rules.game import make_setup
from manhunt.play.hindsight import Hindsight
from manhunt.play.onlooker import Onlooker
from manhunt.play.referee import Referee
from random_games import SMALL, random_record

HEAD = 40
GAME = make_game("pursuit")


def watched() -> Onlooker:
    config = GAME.make_config(max_rounds=3)
    from manhunt.agents.registry import make_agent

    agents = {seat: make_agent("random") for seat in (Seat.EVADER, Seat.PURSUERS)}
    return Onlooker(Referee(GAME, config, agents, seed=3, setup=make_setup(config, 1, [5, 10])))


def rendered(scene: Scene) -> Image.Image:
    return Image.open(io.BytesIO(png_of(draw_scene(scene), LIGHT.paper))).convert("RGB")


def near(pixel: tuple[int, ...], colour: str) -> bool:
    return all(abs(a - b) < 12 for a, b in zip(pixel, ImageColor.getrgb(colour), strict=True))


def scotland_yard(*moves: str) -> list[Scene]:
    """The scenes of a game on London with five detectives, before and after each move."""
    game = make_game("scotland_yard")
    setup = {"mrx": "104", "detectives": ["117", "53", "26", "29", "50"]}
    states = [game.start(game.make_config(), setup)]
    for move in moves:
        states.append(states[-1].advance(move))
    return [scene_of(game.view(state, Seat.SPECTATOR)) for state in states]


def test_a_picture_shows_pieces_at_their_nodes() -> None:
    scene = scene_of(watched().view)
    picture, frame = rendered(scene), build_frame(scene.board, WIDTH)

    def pixel(label: str, up: float) -> tuple[int, ...]:
        x, y = frame.points[scene.board.node(label)]
        return picture.getpixel((round(x), round(y + HEAD - up * frame.radius)))  # type: ignore[return-value]

    assert near(pixel("5", 1.22), pursuer_look(0).colour)
    assert near(pixel("10", 1.22), pursuer_look(1).colour)
    assert near(pixel("1", 0.7), LIGHT.ink)
    assert near(pixel("3", 0.6), LIGHT.surface)
    assert near(picture.getpixel((0, 0)), LIGHT.paper)


def test_the_travel_log_is_in_the_picture_field_by_field() -> None:
    (_, scene) = scotland_yard("2:T86,B52")
    svg, picture = draw_scene(scene), rendered(scene)
    strip = Strip(LIGHT, scene.strip, WIDTH)
    top = picture.height - strip.height - (22 * svg.count('class="caption"') + 14)

    def colour(slot: int) -> tuple[int, ...]:
        x, y = strip.place(slot, top)
        return picture.getpixel((round(x + 6), round(y + 6)))  # type: ignore[return-value]

    assert near(colour(0), LIGHT.taxi)
    assert near(colour(1), LIGHT.bus)
    assert near(colour(2), LIGHT.paper)


def test_text_comes_out_on_a_machine_without_fonts() -> None:
    (scene,) = scotland_yard()
    svg = draw_scene(scene)
    for system_fonts in (False, True):
        picture = Image.open(io.BytesIO(png_of(svg, LIGHT.paper, system_fonts=system_fonts))).convert("RGB")
        title = picture.crop((24, 12, 400, 40))
        assert title.getextrema()[0][0] < 80, "dark letters"


def test_captions_are_wrapped_within_the_picture() -> None:
    (scene,) = scotland_yard()
    words = "Mr X's tickets: " + ", ".join(f"taxi {i}" for i in range(60))
    long = replace(scene, caption=(*scene.caption, words))
    picture, short = rendered(long), rendered(scene)
    assert picture.height > short.height + 2 * 22
    margin = picture.crop((WIDTH - 20, short.height, WIDTH, picture.height))
    assert len(margin.getcolors()) == 1, "nothing is cut off at the right"


def test_an_animation_has_one_frame_for_each_position(tmp_path: Path) -> None:
    game = watched()
    game.finish()
    save_scenes([scene_of(view) for view in game.views], tmp_path / "game.gif")
    with Image.open(tmp_path / "game.gif") as gif:
        assert gif.n_frames == len(game.views) == 10  # type: ignore[attr-defined]


def test_the_frames_of_a_film_have_one_size_though_captions_differ(tmp_path: Path) -> None:
    first, last = scotland_yard("T86")
    more = replace(last, caption=(*last.caption, "one more line"))
    save_scenes([first, more], tmp_path / "game.gif")
    with Image.open(tmp_path / "game.gif") as gif:
        assert gif.n_frames == 2  # type: ignore[attr-defined]
        assert gif.size == rendered(more).size


@pytest.mark.parametrize("glowing", [False, True])
def test_a_film_is_its_pictures_with_few_colours(tmp_path: Path, glowing: bool) -> None:
    """The board is drawn once, and colours are few; it shows what single pictures show, small pieces too."""
    scenes = scotland_yard("T86", "R:T108")
    if glowing:
        scenes = [replace(scene, candidates=(scene.board.node("46"),)) for scene in scenes]
    save_scenes(scenes, tmp_path / "game.gif")
    whole = rendered(scenes[-1])
    with Image.open(tmp_path / "game.gif") as film:
        film.seek(len(scenes) - 1)
        shown = film.convert("RGB")
    assert shown.size == whole.size
    apart = ImageChops.difference(shown, whole).convert("L")
    assert sum(apart.histogram()[48:]) < 0.001 * whole.width * whole.height
    red = ImageColor.getrgb(pursuer_look(0).colour)
    pixels = zip(whole.tobytes()[::3], whole.tobytes()[1::3], whole.tobytes()[2::3], strict=True)
    places = [divmod(i, whole.width)[::-1] for i, pixel in enumerate(pixels) if pixel == red]
    assert places
    assert all(max(abs(a - b) for a, b in zip(shown.getpixel(xy), red, strict=True)) <= 8 for xy in places)


def test_names_that_cannot_be_saved_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ManhuntError, match=r"must end in \.gif or \.png or \.svg"):
        check_format(tmp_path / "game.tiff")
    with pytest.raises(ManhuntError, match="does not exist"):
        check_format(tmp_path / "no" / "game.svg")


def test_svg_needs_no_extra_and_the_others_name_it(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    monkeypatch.setitem(sys.modules, "PIL", None)
    scene = scene_of(watched().view)
    save_scenes([scene], tmp_path / "game.svg")
    assert (tmp_path / "game.svg").read_text().startswith("<svg")
    with pytest.raises(MissingExtra, match=r"pip install -c constraints.txt -e '\.\[pictures\]'"):
        save_scenes([scene], tmp_path / "game.png")


def test_a_calibration_plot_is_drawn(tmp_path: Path) -> None:
    curves = {"one": [(0.01, 0.02, 90), (0.5, 0.4, 9), (0.001, 0.5, 1)], "<other>": [(1.0, 1.0, 3)]}
    svg = draw_calibration(curves)
    assert svg.count("<circle") == 3, "what is too small for the axes is left out"
    assert "&lt;other&gt;" in svg
    for kind in ("png", "svg"):
        save_calibration(curves, tmp_path / f"plot.{kind}")
        assert (tmp_path / f"plot.{kind}").stat().st_size > 1000


def test_a_film_that_draws_only_what_changes_shows_whole_pictures() -> None:
    record = random_record("scotland_yard", 2, n_detectives=3, rounds=3, shown=(2,))
    past = Hindsight(record)
    scenes = [scene_of(past.view(ply, None)) for ply in past.stops]
    changed = film._ChangedBoxes(scenes, theme_of("dark"), build_frame(scenes[0].board, 1200))
    palette = changed.picture(0).quantize(255)
    for i, frame in enumerate(changed.frames(palette)):
        whole = film._paletted(changed.picture(i), palette)
        off = ImageChops.difference(frame.convert("RGB"), whole.convert("RGB")).convert("L")
        n_off = sum(off.histogram()[48:])
        assert n_off < 60, f"frame {i}: {n_off} pixels differ by more than the smoothing of rims does"
    assert len(past.stops) > 8


def test_a_film_reports_every_picture() -> None:
    record = random_record("pursuit", 3, **SMALL["pursuit"])
    past, told = Hindsight(record), list[tuple[int, int]]()
    scenes = [scene_of(past.view(ply, None)) for ply in past.stops]
    film.save_film(scenes, io.BytesIO(), report=lambda done, total, words: told.append((done, total)))
    assert told == [(i, len(scenes)) for i in range(1, len(scenes) + 1)]
