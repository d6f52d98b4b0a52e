"""Drawings are valid, repeatable, complete, and can be bound to by a page."""

from collections import Counter
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manhunt.boards.board import Board
from manhunt.boards.build import build_board
from manhunt.boards.catalog import catalogue, generators, load_board
from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Node
from manhunt.core.scene import Scene, SceneOffer, ScenePiece
from manhunt.draw.lines import build_frame, build_lines
from manhunt.draw.look import DARK, LIGHT, PURSUERS, pursuer_look, quarry_letter
from manhunt.draw.svg import draw_board, draw_scene

SVG = "{http://www.w3.org/2000/svg}"
NAMES = [entry.name for entry in catalogue()] + [generator.example for generator in generators()]
LONDON = load_board("london")


def group(root: ElementTree.Element, name: str) -> ElementTree.Element:
    (found,) = [g for g in root.iter(f"{SVG}g") if g.get("class", "").split()[:1] == [name]]
    return found


def drawn(board: Board, **options) -> ElementTree.Element:
    return ElementTree.fromstring(draw_board(board, **options))


def drawn_scene(board: Board, title: str = "", **parts) -> ElementTree.Element:
    return ElementTree.fromstring(draw_scene(Scene(title, board=board, **parts)))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_every_node_and_edge_is_drawn_once(name: str, theme: str) -> None:
    board = load_board(name)
    root = drawn(board, theme=theme)
    nodes = group(root, "nodes")
    assert [node.get("data-node") for node in nodes] == list(board.labels)
    assert [node.find(f"{SVG}text").text for node in nodes] == list(board.labels)
    edges = Counter(path.get("data-edge") for path in root.iter(f"{SVG}path") if path.get("data-edge"))
    assert edges == Counter(f"{board.label(e.a)} {board.label(e.b)}" for e in board.edges)
    assert float(root.get("width")) <= 1200


@pytest.mark.parametrize("name", NAMES)
def test_discs_are_on_the_canvas_and_apart(name: str) -> None:
    frame = build_frame(load_board(name), 1200)
    for i, (x, y) in enumerate(frame.points):
        assert frame.radius < x < frame.width - frame.radius
        assert frame.radius < y < frame.height - frame.radius
        for x1, y1 in frame.points[:i]:
            assert (x - x1) ** 2 + (y - y1) ** 2 > (1.9 * frame.radius) ** 2


def test_lines_between_the_same_nodes_are_bent_apart() -> None:
    lines = build_lines(LONDON, build_frame(LONDON, 1200))
    together = Counter((line.a, line.b) for line in lines)
    assert len(lines) == 467
    assert max(together.values()) == 2
    for ends in (ends for ends, n in together.items() if n > 1):
        controls = [line.control for line in lines if (line.a, line.b) == ends]
        assert None not in controls
        assert len(set(controls)) == len(controls)


def test_a_line_goes_around_a_disc_in_its_way() -> None:
    board = build_board("b", [(1, 3, None), (1, 2, None)], (), {1: (0, 0), 2: (100, 0), 3: (200, 0)})
    frame = build_frame(board, 1200)
    direct, around = build_lines(board, frame)
    assert direct.control is None
    assert around.control is not None
    (x, y), (_, y2) = around.control, frame.points[1]
    assert abs(y - y2) / 2 > frame.radius
    assert x == pytest.approx(frame.points[1][0])


def scene(title: str = "") -> Scene:
    node = LONDON.node
    pieces = (
        ScenePiece(node(67), "hidden", text="round <3>"),
        ScenePiece(node(126), "quarry"),
        ScenePiece(node(103), "pursuer", 0),
        ScenePiece(node(94), "pursuer", 3, letter="D4"),
    )
    return Scene(
        title,
        board=LONDON,
        pieces=pieces,
        offers=(SceneOffer("a", "a", to=(node(86),)), SceneOffer("b", "b", to=(node(85), node(86)))),
        candidates=(node(1), node(84)),
        belief={node(84): 0.64, node(82): 0.16, node(81): 0.0},
        danger=(node(140),),
        arrows=((node(115), node(126)),),
        caption=("Round 4 & on", ""),
    )


def test_marks_carry_their_nodes() -> None:
    root = ElementTree.fromstring(draw_scene(scene("a < b")))
    pieces = {piece.get("data-piece"): piece.get("data-node") for piece in group(root, "pieces")}
    assert pieces == {"hidden-0": "67", "quarry-0": "126", "pursuer-0": "103", "pursuer-3": "94"}
    assert [ring.get("data-node") for ring in group(root, "offers")] == ["85", "86"]
    assert [ring.get("data-node") for ring in group(root, "danger").iter(f"{SVG}circle")] == ["140"]
    assert [arrow.get("data-arrow") for arrow in group(root, "arrows")] == ["115 126"]
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {"a < b", "round <3>", "Round 4 & on", "D4", "R", "X", "?", "white", "last seen"} <= set(texts)


def test_glow_is_by_square_root_with_a_legend() -> None:
    root = ElementTree.fromstring(draw_scene(scene()))
    glow = {circle.get("data-node"): float(circle.get("opacity")) for circle in group(root, "belief")}
    assert set(glow) == {"1", "82", "84"}
    assert glow["82"] == pytest.approx(glow["84"] / 2)
    assert glow["1"] < glow["82"]
    texts = [text.text for text in group(root, "legend").iter(f"{SVG}text")]
    assert {"belief 64 %", "16 %", "4 %"} <= set(texts)


def test_candidates_without_belief_glow_alike() -> None:
    root = drawn_scene(LONDON, candidates=(Node(3), Node(5), Node(3)))
    assert len({circle.get("opacity") for circle in group(root, "belief")}) == 1
    assert "candidates: 2" in [text.text for text in group(root, "legend").iter(f"{SVG}text")]


def test_pieces_on_one_node_do_not_cover_each_other() -> None:
    board = load_board("ring:5")
    root = drawn_scene(board, pieces=(ScenePiece(Node(2), "quarry"), ScenePiece(Node(2), "pursuer", 1)))
    radii = [max(float(c.get("r")) for c in piece.iter(f"{SVG}circle")) for piece in group(root, "pieces")]
    assert radii == sorted(radii, reverse=True)
    badges = [
        (piece.findall(f"{SVG}text")[-1].get("x"), piece.findall(f"{SVG}text")[-1].get("y"))
        for piece in group(root, "pieces")
    ]
    assert len(set(radii)) == len(set(badges)) == 2


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=12), st.text(max_size=5).filter(str.isprintable))
@settings(max_examples=40)
def test_any_text_gives_valid_xml(text: str, letter: str) -> None:
    board = load_board("path:3")
    piece = ScenePiece(Node(0), "pursuer", 7, letter, text=text)
    root = drawn_scene(board, text, pieces=(piece,), caption=(text,))
    assert group(root, "pieces")[0].get("data-node") == "1"


def test_labels_are_escaped_and_long_ones_stand_under_their_disc() -> None:
    board = build_board("<&>", [("<a>", '"&"', None), ("<a>", "Charing-Cross-Station", None)])
    root = drawn(board)
    assert {node.get("data-node") for node in group(root, "nodes")} == {"<a>", '"&"', "Charing-Cross-Station"}
    long = next(n for n in group(root, "nodes") if n.get("data-node") == "Charing-Cross-Station")
    radius = float(long.find(f"{SVG}circle").get("r"))
    assert float(long.find(f"{SVG}text").get("y")) > radius


def test_drawing_twice_gives_the_same_text() -> None:
    assert draw_scene(scene()) == draw_scene(scene())
    bare = load_board("random:12:18:seed=3")
    assert draw_board(bare) == bare._repr_svg_()


def test_bad_requests_are_one_line() -> None:
    board = load_board("path:3")
    requests = [
        ({"theme": "drak"}, "unknown theme 'drak'; did you mean dark"),
        ({"width": 10}, "a drawing 10 px wide is too narrow"),
    ]
    for options, message in requests:
        with pytest.raises(ManhuntError) as caught:
            draw_board(board, **options)
        assert str(caught.value).startswith(message)
    scenes = [
        ({"candidates": (Node(3),)}, "cannot draw node 3 on path:3; its nodes are 0 to 2"),
        ({"belief": {Node(0): 1.5}}, "belief at 1 is 1.5; expected a number from 0 to 1"),
    ]
    for parts, message in scenes:
        with pytest.raises(ManhuntError) as caught:
            draw_scene(Scene("", board=board, **parts))
        assert str(caught.value).startswith(message)


def test_every_pursuer_has_its_own_letter() -> None:
    assert len({pursuer_look(i).letter for i in range(12)}) == 12
    assert [look.letter for look in PURSUERS] == ["R", "G", "B", "W", "Y"]


@pytest.mark.parametrize(("name", "letter"), [("Sly Fox", "S"), ("hare", "H"), ("runner", "X"), ("Y", "X")])
def test_the_quarry_has_the_letter_of_its_name_unless_a_pursuer_has_it(name: str, letter: str) -> None:
    assert quarry_letter(name) == letter


def _contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_text_has_contrast(theme) -> None:
    for ground in (theme.paper, theme.surface):
        assert _contrast(theme.ink, ground) >= 7
        assert _contrast(theme.quiet, ground) >= 4.3
    assert all(_contrast(look.colour, look.on_colour) >= 4 for look in PURSUERS)
