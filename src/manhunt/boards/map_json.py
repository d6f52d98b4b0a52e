"""Maps in JSON: edges as objects or lists, nodes with their neighbours, or one list a transport."""

from collections.abc import Iterable, Mapping
from typing import Any

from manhunt.boards.map_words import (
    FROM,
    KIND_WORDS,
    NEIGHBOUR_WORDS,
    NODE_WORDS,
    TO,
    FoundMap,
    kinds_of,
    words_of,
)
from manhunt.core.ids import Transport

PLAIN = (Transport.PLAIN,)
Kinds = tuple[Transport, ...]


def found_in_json(value: Any) -> FoundMap:
    """Everything in a JSON value that looks like nodes and edges; the rest is passed over."""
    found = FoundMap()
    _read(found, value, PLAIN)
    return found


def _read(found: FoundMap, value: Any, kinds: Kinds) -> None:
    if isinstance(value, list):
        for number, item in enumerate(value, 1):
            found.n_rows += 1
            _read_item(found, item, kinds, f"entry {number}")
    elif isinstance(value, dict):
        _read_object(found, value, kinds)


def _read_object(found: FoundMap, value: Mapping[str, Any], kinds: Kinds) -> None:
    parts = {key: part for key, part in value.items() if isinstance(part, list | dict)}
    if parts and all(_kind_key(key) for key in parts):
        for key, part in parts.items():
            _read(found, part, _kind_key(key) or kinds)
        return
    if any(set(words_of(key)) & (NEIGHBOUR_WORDS | {"nodes", "stations"}) for key in parts):
        for key, part in parts.items():
            is_nodes = bool({"nodes", "stations"} & set(words_of(key)))
            if is_nodes and isinstance(part, list):
                found.nodes.update(dict.fromkeys(label for item in part if (label := _label(item)) is not None))
                _read(found, [item for item in part if isinstance(item, dict)], kinds)
            elif is_nodes or set(words_of(key)) & NEIGHBOUR_WORDS:
                _read(found, part, kinds)
        return
    for label, part in parts.items():
        found.n_rows += 1
        found.nodes[label] = None
        _neighbours(found, label, part, kinds, f"node {label[:40]}")


def _read_item(found: FoundMap, item: Any, kinds: Kinds, where: str) -> None:
    if isinstance(item, list):
        _read_list(found, item, kinds, where)
    elif isinstance(item, dict):
        a, b = _end(item, FROM), _end(item, TO)
        if a is not None and b is not None:
            _add(found, a, b, _kind_value(item), kinds, where)
        elif (node := _node(item)) is not None:
            found.nodes[node] = None
            _neighbours(found, node, item, kinds, where)
        else:
            found.lose(where, str(item), "it names no two ends")
    elif (label := _label(item)) is not None:
        found.nodes[label] = None
    else:
        found.lose(where, str(item), "it is not an edge")


def _read_list(found: FoundMap, item: list[Any], kinds: Kinds, where: str) -> None:
    cells = [_label(cell) for cell in item]
    if len(cells) == 3 and cells[0] is not None and kinds_of(cells[0]) and not (cells[2] and kinds_of(cells[2])):
        cells = [*cells[1:], cells[0]]
    if not 2 <= len(cells) <= 3 or cells[0] is None or cells[1] is None:
        found.lose(where, str(item), "an edge is [a, b] or [a, b, kind]")
        return
    third = item[2] if len(item) > 2 and isinstance(item[2], list) else cells[2] if len(cells) > 2 else None
    _add(found, cells[0], cells[1], third, kinds, where)


def _neighbours(found: FoundMap, node: str, value: Any, kinds: Kinds, where: str) -> None:
    """`value` is a list of neighbours, an object of lists by transport or by neighbour, or a node with such a part."""
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict):
                to = _end(item, TO) or _node(item)
                if to is not None:
                    _add(found, node, to, _kind_value(item), kinds, where)
            elif isinstance(item, list) and item and (to := _label(item[0])) is not None:
                _add(found, node, to, item[1] if len(item) > 1 else None, kinds, where)
            elif (to := _label(item)) is not None:
                _add(found, node, to, None, kinds, where)
    elif isinstance(value, dict):
        for key, part in value.items():
            if set(words_of(key)) & NEIGHBOUR_WORDS:
                _neighbours(found, node, part, kinds, where)
            elif (named := _kind_key(key)) and isinstance(part, list):
                _neighbours(found, node, part, named, where)
            elif key.isdecimal() and isinstance(part, str | list):
                _add(found, node, key, part, kinds, where)


def _add(found: FoundMap, a: str, b: str, named: Any, kinds: Kinds, where: str) -> None:
    if named is None:
        found.add(a, b, kinds, where)
        return
    texts = named if isinstance(named, list) else [named]
    known = [kinds_of(text) if isinstance(text, str) else None for text in texts]
    if not known or None in known:
        found.lose(where, f"{a}-{b}", f"{str(named)[:20]!r} is not a transport")
        return
    found.add(a, b, tuple(kind for each in known if each for kind in each), where)


def _kind_key(key: str) -> Kinds | None:
    """The transport of a key such as `taxi` or `taxiNeighbours`."""
    named = [kinds for word in words_of(key) if len(word) > 2 and (kinds := kinds_of(word))]
    return named[0] if len(named) == 1 else None


def _kind_value(item: Mapping[str, Any]) -> Any:
    named = [value for key, value in item.items() if set(words_of(key)) & KIND_WORDS]
    named += [value for value in item.values() if isinstance(value, str) and kinds_of(value)]
    return named[0] if named else None


def _end(item: Mapping[str, Any], words: Iterable[str]) -> str | None:
    for key, value in item.items():
        if set(words) & {*words_of(key), "".join(words_of(key))} and (label := _label(value)) is not None:
            return label
    return None


def _node(item: Mapping[str, Any]) -> str | None:
    for key, value in item.items():
        if set(words_of(key)) & NODE_WORDS and (label := _label(value)) is not None:
            return label
    return None


def _label(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    return str(value).strip()
