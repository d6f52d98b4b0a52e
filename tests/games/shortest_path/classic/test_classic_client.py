"""`manhunt.client.classic.Client`: the document's names, and what an author of bots can rely on."""

import socket
import threading
from typing import Any

import pytest

from classic_clients import ADVERSARY, PATIENCE_SECONDS, PLAYER, little_config, served
from manhunt.client.classic import Client
from manhunt.core.errors import ManhuntError

UPDATE_KEYS = {"done", "edge", "error", "position"}
WAY = (("1", "2"), ("2", "4"), ("4", "6"))


def in_thread(play: Any) -> tuple[threading.Thread, list[Any]]:
    result: list[Any] = []
    thread = threading.Thread(target=lambda: result.append(play()), daemon=True)
    thread.start()
    return thread, result


def raise_the_last_edge(port: int, *, reads: bool) -> list[dict[str, Any]]:
    """An adversary; with `reads` it hears every move of the player's, else it sends as fast as it can."""
    with Client("127.0.0.1", port, "bob", ADVERSARY) as client:
        client.get_game()
        heard = []
        while True:
            if reads:
                heard.append(client.receive_data())
            if not reads or not heard[-1]["done"]:
                heard.append(client.send_cost_update(4, "6"))
            if heard[-1]["done"]:
                return heard


@pytest.mark.parametrize("reads", [True, False], ids=["hears both sides", "hears its own moves alone"])
def test_a_game_by_the_names_of_the_document(reads) -> None:
    with served(little_config(rule="double")) as (port, _):
        thread, result = in_thread(lambda: raise_the_last_edge(port, reads=reads))
        with Client("127.0.0.1", port, "ann", PLAYER) as client:
            game = client.get_game()
            assert set(game) == {"start_node", "end_node", "graph"}
            assert (game["start_node"], game["end_node"], sorted(game["graph"]["4"])) == ("1", "6", ["2", "3", "6"])
            for a, b in WAY:
                update = client.send_edge_move(a, b)
                assert set(update) == {*UPDATE_KEYS, "add_cost"}
                assert (update["edge"], update["position"], update["error"]) == ((a, b), b, False)
                if reads and not update["done"]:
                    raised = client.receive_data()
                    assert set(raised) == {*UPDATE_KEYS, "new_cost"}
                    assert (raised["edge"], raised["position"], raised["done"]) == (("4", "6"), b, False)
            assert (update["done"], update["add_cost"]) == (True, 4.0)
        thread.join(PATIENCE_SECONDS)
    costs = [update["new_cost"] for update in result[0] if "new_cost" in update]
    assert costs == [2.0, 4.0]
    assert result[0][-1] == {**update, "edge": ("4", "6")}


def both(port: int) -> tuple[Client, Client]:
    """A player and an adversary who have their layouts."""
    ann, bob = Client("127.0.0.1", port, "ann", PLAYER), Client("127.0.0.1", port, "bob", ADVERSARY)
    assert ann.get_game() == bob.get_game()
    return ann, bob


def test_a_move_that_names_no_edge_costs_0() -> None:
    with served(little_config()) as (port, _):
        ann, bob = both(port)
        with ann, bob:
            update = ann.send_edge_move("1", "nowhere")
            assert (update["position"], update["add_cost"], update["edge"]) == ("1", 0.0, ("1", "nowhere"))
            assert bob.send_cost_update(1, 6)["new_cost"] == 0.0


def test_who_forfeits_is_told_to_both_in_words() -> None:
    with served(little_config(), bank_seconds=0.2) as (port, reports):
        ann, bob = both(port)
        with ann, bob:
            told = bob.receive_data()  # ann thinks too long
            assert told == ann.receive_data()
            assert (told["done"], told["error"], told["edge"], told["add_cost"]) == (True, True, 0, 0)
            assert told["reason"] == "the traveller forfeits: time over"
            with pytest.raises(ManhuntError, match="the server closed the connection"):
                ann.send_edge_move("1", "2")
    ended = [report.text for report in reports if report.kind == "ended"]
    assert ended == ["game 1: ended: the traveller forfeits: time over"]


def test_the_last_word_is_read_though_the_server_has_hung_up() -> None:
    with served(little_config()) as (port, _):
        ann, bob = both(port)
        bob.close()
        with ann:
            update = ann.send_edge_move("1", "2")
            while not update["done"]:
                update = ann.receive_data()
            assert update["reason"] == "the adversary forfeits: the connection dropped"


def test_out_of_moves_is_a_forfeit_in_words() -> None:
    with served(little_config()) as (port, _):
        thread, _ = in_thread(lambda: raise_the_last_edge(port, reads=True))
        with Client("127.0.0.1", port, "ann", PLAYER) as ann:
            ann.get_game()
            updates = [ann.send_edge_move("1", "nowhere") for _ in range(13)]
        thread.join(PATIENCE_SECONDS)
    assert [update["done"] for update in updates] == [False] * 12 + [True]
    assert updates[-1]["reason"] == "the traveller forfeits: no moves left"


def test_a_server_that_refuses_is_an_error_of_one_line() -> None:
    refused = pytest.raises(ManhuntError, match="the server refused: 'type' must be")
    with served(little_config()) as (port, _), Client("127.0.0.1", port, "eve", 7) as eve, refused:
        eve.get_game()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(ManhuntError, match=f"no server on 127.0.0.1 port {port}: "):
        Client("127.0.0.1", port)


def test_objects_come_in_pieces_without_newlines_as_the_original_server_sends_them() -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:

        def serve() -> bytes:
            line, _ = door.accept()
            with line:
                hello = line.recv(4096)
                for piece in (b'{"start_node": "a", "end_', b'node": "b", "graph": {"a": ["b"]}}{"done": true, "edge"'):
                    line.sendall(piece)
                line.sendall(b': ["a", "b"], "error": false, "position": "b", "add_cost": 1.0}')
                return hello

        thread, hello = in_thread(serve)
        with Client("127.0.0.1", door.getsockname()[1], "ann", PLAYER) as client:
            assert client.get_game()["graph"] == {"a": ["b"]}
            assert client.send_edge_move("a", "b")["edge"] == ("a", "b")
        thread.join(PATIENCE_SECONDS)
    assert hello[0].startswith(b'{"name": "ann", "type": 0')
