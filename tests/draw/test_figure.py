"""matplotlib's side: pictures, animations, and the window's keys and clicks through matplotlib's own events."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from matplotlib.backend_bases import KeyEvent, MouseEvent
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image, ImageChops

from manhunt.agents.registry import make_agent
from manhunt.draw.figure import (
    CANVAS_WIDTH,
    HEAD,
    check_format,
    foot_height,
    new_figure,
    node_at,
    paint_scene,
    render,
    save_scenes,
)
from manhunt.draw.lines import build_frame
from manhunt.draw.look import LIGHT, pursuer_look
from manhunt.draw.scene import Scene, scene_of
from manhunt.draw.strip import Strip
from manhunt.draw.window import GameWindow, open_window
from manhunt.errors import ManhuntError, MissingExtra
from manhunt.games.pursuit.game import make_setup
from manhunt.games.registry import make_game
from manhunt.ids import Seat
from manhunt.play.onlooker import Onlooker
from manhunt.play.referee import Referee

GAME = make_game("pursuit")


def onlooker(seat: Seat | None = None, **options: object) -> Onlooker:
    """A game that is watched, or played from a seat."""
    config = GAME.make_config(**{"max_rounds": 3, **options})
    agents = {s: make_agent("random") for s in (Seat.EVADER, Seat.PURSUERS) if s is not seat}
    referee = Referee(GAME, config, agents, seed=3, setup=make_setup(config, 1, [5, 10]))
    return Onlooker(referee, seat or Seat.SPECTATOR, acting=seat is not None)


def window(game: Onlooker, **options: object) -> GameWindow:
    figure = Figure(figsize=(10, 4))
    FigureCanvasAgg(figure)
    return GameWindow(game, figure=figure, pace_seconds=0, **options)


def press(shown: GameWindow, key: str) -> None:
    KeyEvent("key_press_event", shown.figure.canvas, key)._process()


def click(shown: GameWindow, label: str) -> None:
    board = shown.game.view.config.board
    frame = build_frame(board, CANVAS_WIDTH)
    x, y = shown.figure.axes[0].transData.transform(frame.points[board.node(label)])
    MouseEvent("button_press_event", shown.figure.canvas, x, y, button=1)._process()


def near(pixel: tuple[int, ...], colour: str) -> bool:
    return all(abs(a - 255 * b) < 12 for a, b in zip(pixel, to_rgb(colour), strict=True))


def test_a_picture_shows_pieces_at_their_nodes() -> None:
    scene = scene_of(onlooker().view)
    picture = render(scene)
    frame = build_frame(scene.board, CANVAS_WIDTH)
    scale = picture.width / frame.width

    def pixel(label: str, up: float) -> tuple[int, ...]:
        x, y = frame.points[scene.board.node(label)]
        return picture.getpixel((round(x * scale), round((y + HEAD - up * frame.radius) * scale)))

    assert near(pixel("5", 1.22), pursuer_look(0).colour)
    assert near(pixel("10", 1.22), pursuer_look(1).colour)
    assert near(pixel("1", 0.7), LIGHT.ink)
    assert near(pixel("3", 0.6), LIGHT.surface)
    assert near(picture.getpixel((2, 2)), LIGHT.paper)


def test_an_animation_has_one_frame_for_each_position(tmp_path: Path) -> None:
    game = onlooker()
    game.finish()
    file = tmp_path / "game.gif"
    save_scenes([scene_of(view) for view in game.views], file)
    with Image.open(file) as gif:
        assert gif.n_frames == len(game.views) == 10


def scotland_yard(*moves: str) -> list[Scene]:
    """The scenes of a game on London with five detectives, before and after each move."""
    game = make_game("scotland_yard")
    setup = {"mrx": "104", "detectives": ["117", "53", "26", "29", "50"]}
    states = [game.start(game.make_config(), setup)]
    for move in moves:
        states.append(states[-1].advance(move))
    return [scene_of(game.view(state, Seat.SPECTATOR)) for state in states]


def test_the_travel_log_is_in_the_picture_chip_by_chip() -> None:
    (_, scene) = scotland_yard("2:T86,B52")
    picture = render(scene)
    frame = build_frame(scene.board, CANVAS_WIDTH)
    strip = Strip(LIGHT, scene.marks.strip, frame.width)
    scale = picture.width / frame.width

    def colour(slot: int) -> tuple[int, ...]:
        x, y = strip.place(slot, frame.height)
        return picture.getpixel((round((x + 6) * scale), round((y + HEAD + 6) * scale)))

    assert near(colour(0), LIGHT.taxi)
    assert near(colour(1), LIGHT.bus)
    assert near(colour(2), LIGHT.surface)


def test_captions_are_wrapped_within_the_picture() -> None:
    (scene,) = scotland_yard()
    words = "Mr X's tickets: " + ", ".join(f"taxi {i}" for i in range(60))
    long = replace(scene, marks=replace(scene.marks, caption=(*scene.marks.caption, words)))
    figure = new_figure(long)
    canvas = FigureCanvasAgg(figure)
    paint_scene(figure.axes[0], long)
    canvas.draw()
    shown = [text for text in figure.axes[0].texts if len(text.get_text()) > 20]
    joined = " ".join(text.get_text() for text in shown)
    assert all(line in joined for line in long.marks.caption)
    assert len(shown) >= 2 + len(long.marks.caption)
    for text in shown:
        box = text.get_window_extent()
        assert box.x0 >= 0
        assert box.x1 <= figure.bbox.x1
        assert box.y0 >= 0


def test_the_frames_of_a_film_have_one_size_though_captions_differ(tmp_path: Path) -> None:
    first, last = scotland_yard("T86")
    more = replace(last, marks=replace(last.marks, caption=(*last.marks.caption, "one more line")))
    save_scenes([first, more], tmp_path / "game.gif")
    with Image.open(tmp_path / "game.gif") as gif:
        assert gif.n_frames == 2
        assert gif.size == render(more).size


def test_names_that_cannot_be_saved_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ManhuntError, match=r"must end in \.gif, \.png, \.svg"):
        check_format(tmp_path / "game.tiff")
    with pytest.raises(ManhuntError, match="does not exist"):
        check_format(tmp_path / "no" / "game.svg")


def test_svg_needs_no_matplotlib_and_the_others_name_the_extra(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    scene = scene_of(onlooker().view)
    save_scenes([scene], tmp_path / "game.svg")
    assert (tmp_path / "game.svg").read_text().startswith("<svg")
    with pytest.raises(MissingExtra, match=r"pip install manhunt\[figure\]"):
        save_scenes([scene], tmp_path / "game.png")


def test_node_at_finds_discs_and_nothing_between_them() -> None:
    board = onlooker().view.config.board
    frame = build_frame(board, CANVAS_WIDTH)
    for node in board.nodes():
        x, y = frame.points[node]
        assert node_at(frame, x + frame.radius / 2, y - frame.radius / 2) == node
    assert node_at(frame, -500, -500) is None


def test_keys_step_by_move_by_round_and_to_the_end() -> None:
    game = onlooker()
    shown = window(game)
    counts = []
    for key in ("n", "R", "x", "r", "a", "n"):
        press(shown, key)
        counts.append(len(game.referee.actions))
    assert counts == [1, 3, 3, 6, 9, 9]
    assert game.over
    press(shown, "q")
    assert shown.closed


def test_clicks_on_offered_nodes_play_a_seat() -> None:
    game = onlooker(Seat.EVADER)
    shown = window(game)
    click(shown, "17")
    assert game.referee.actions == []
    click(shown, "8")
    assert GAME.format_action(game.referee.config, game.referee.actions[0]) == "X:8"
    assert len(game.referee.actions) == 3
    assert game.my_turn


def test_the_others_move_first_where_they_begin() -> None:
    game = onlooker(Seat.PURSUERS)
    window(game)
    assert len(game.referee.actions) == 1
    assert game.my_turn


def test_all_at_once_is_picked_detective_by_detective() -> None:
    game = onlooker(Seat.PURSUERS, order="at-once")
    shown = window(game)
    board = game.view.config.board
    click(shown, "15")
    assert shown.picked == (board.node("15"),)
    assert shown.scene().marks.arrows == ((board.node("5"), board.node("15")),)
    click(shown, "17")
    assert shown.picked == ()
    click(shown, "16")
    click(shown, "2")
    assert GAME.format_action(game.referee.config, game.referee.actions[1]) == "all:16,2"


def test_an_adviser_marks_what_loses() -> None:
    game = onlooker(Seat.EVADER)
    board = game.view.config.board
    shown = window(game, adviser=lambda view: {a: board.label(a.to) == "8" for a in view.legal})
    assert shown.scene().marks.danger == (board.node("9"),)


def test_timers_move_the_others_one_by_one() -> None:
    game = onlooker()
    figure = Figure()
    FigureCanvasAgg(figure)
    shown = GameWindow(game, figure=figure, pace_seconds=5)
    press(shown, "a")
    assert game.referee.actions == []
    while shown._tick():
        pass
    assert game.over
    assert not shown._tick()


def test_a_window_without_a_figure_shows_itself_in_a_notebook() -> None:
    game = onlooker(Seat.EVADER)
    shown = GameWindow(game)
    assert 'data-piece="quarry-0"' in shown._repr_svg_()
    shown.click(game.view.config.board.node("8"))
    assert "round 1 of 3" in shown._repr_svg_()


def test_without_a_display_no_window_opens() -> None:
    from matplotlib import pyplot

    pyplot.switch_backend("Agg")
    try:
        with pytest.raises(ManhuntError, match="cannot open a window: matplotlib's backend here is [Aa]gg"):
            open_window(onlooker())
    finally:
        pyplot.close("all")


def test_a_film_is_its_pictures_with_few_colours(tmp_path: Path) -> None:
    """Drawn in layers and thinned out, it shows what single pictures show, also the small pieces in their colours."""
    scenes = scotland_yard("T86", "R:T108")
    save_scenes(scenes, tmp_path / "game.gif")
    whole = render(scenes[-1], least_foot=max(foot_height(scene) for scene in scenes))
    with Image.open(tmp_path / "game.gif") as film:
        film.seek(len(scenes) - 1)
        shown = film.convert("RGB")
    assert shown.size == whole.size
    apart = ImageChops.difference(shown, whole).convert("L")
    assert sum(apart.histogram()[48:]) < 0.001 * whole.width * whole.height
    red = tuple(round(255 * part) for part in to_rgb(pursuer_look(0).colour))
    pixels = zip(whole.tobytes()[::3], whole.tobytes()[1::3], whole.tobytes()[2::3], strict=True)
    places = [divmod(i, whole.width)[::-1] for i, pixel in enumerate(pixels) if pixel == red]
    assert places
    assert all(max(abs(a - b) for a, b in zip(shown.getpixel(xy), red, strict=True)) <= 8 for xy in places)
