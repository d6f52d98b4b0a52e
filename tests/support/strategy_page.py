"""docs/reference/strategies.md from the classes of views and actions; run this file to write it anew."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any, get_args

from manhunt.core.registry import BUILT_IN, kit_of
from public_names import PublicName, definition, fields_of, public_names

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "strategies.md"
HEAD = """# What a strategy gets: `view` and `valid_moves`

A `Strategy` writes one method:

| argument | what it is |
|---|---|
| `board` | the [`Board`](api/boards.md); None in Fugitive, which has none |
| `view` | what your seat knows now; the tables below list its fields |
| `seat` | `Seat.EVADER` or `Seat.PURSUERS`; in a `TeamStrategy` the piece that is to move |
| `valid_moves` | all actions that the rules allow you now, never empty |

Return one of `valid_moves`. Its notation will do as well, and so will the label of its destination if no other move
leads there. Nodes are numbers from 0 and not what is printed on the board: `board.label(node)` and `board.node("67")`
lead from one to the other.

If you annotate the arguments as in the examples, your editor and mypy know every field. This page is written by
`python tests/support/strategy_page.py`, and a test compares it with the code.
"""
TAIL = """
## Try them

```python
from manhunt import make_agent, make_game, play_game

for name, strategy in {
    "pursuit": PursuitStrategy(),
    "scotland_yard": ScotlandYardStrategy(),
    "fugitive": FugitiveStrategy(),
    "shortest_path": ShortestPathStrategy(),
}.items():
    game = make_game(name)
    agents = {Seat.EVADER: strategy, Seat.PURSUERS: make_agent("random")}
    print(name, play_game(game, game.make_config(), agents, seed=1).outcome)
```
"""
EXAMPLES = {
    "pursuit": ("min(valid_moves, key=lambda move: board.label(move.to))", "PursuitMove"),
    "scotland_yard": ("min(valid_moves, key=lambda move: board.label(move.to))", "ScotlandYardAction"),
    "fugitive": ("valid_moves[0]", "Action"),
    "shortest_path": ("valid_moves[0]", "ShortestPathAction"),
}
"""What the example returns, and the type of its moves; in Pursuit detectives who move at once have another one."""


def page() -> str:
    return "".join([HEAD, *map(section, BUILT_IN), TAIL])


def section(game: str) -> str:
    kit = kit_of(game)
    names = {name.name: name for package in ("core", f"games.{game}") for name in public_names(f"manhunt.{package}")}
    own = [name for name in names if names[name].package != "manhunt.core"]
    view = next(name for name in own if name.endswith("View"))
    union = next(name for name in own if name.endswith("Action"))
    text = (
        f"\n## {kit.title}\n\n{example(game, view)}\n`{view}` has\n\n| field | type | what it says |\n|---|---|---|\n"
    )
    text += "".join(f"| `{name}` | `{kind}` | {said} |\n" for name, kind, said in described(names[view]))
    text += "\n`valid_moves` holds\n\n| action | fields | what it means |\n|---|---|---|\n"
    module = __import__(names[union].home, fromlist=[union])
    actions = [kind.__name__ for kind in get_args(getattr(module, union))]
    text += "".join(row_of(names[action]) for action in actions)
    if types := mentioned([view, *actions], names):
        text += "\nThe types of these fields\n\n| type | fields | what it is |\n|---|---|---|\n"
    return text + "".join(row_of(names[name]) for name in types)


def mentioned(classes: list[str], names: dict[str, PublicName]) -> list[str]:
    """The public classes that fields of these have, and fields of those in turn."""
    found = list(classes)
    for name in found:
        kinds = " ".join(kind for _, kind, _ in described(names[name]))
        for word in re.findall(r"[A-Z]\w+", kinds):
            is_new = (
                word in names and word not in (*found, "Outcome", "Seat") and not word.endswith(("Config", "State"))
            )
            if is_new and isinstance(definition(names[word])[0], ast.ClassDef):
                found.append(word)
    return found[len(classes) :]


def row_of(name: PublicName) -> str:
    return f"| `{name.name}` | {fields_text(name)} | {first_sentence(name)} |\n"


def example(game: str, view: str) -> str:
    returned, action = EXAMPLES[game]
    board = "board: Board" if kit_of(game).game.capabilities.board else "board: None"
    imports = "Board, Seat, Strategy" if "Board" in board else "Seat, Strategy"
    name = "".join(word.capitalize() for word in game.split("_")) + "Strategy"
    own = ", ".join(sorted([action, view]))
    return (
        f"```python\nfrom manhunt import {imports}\nfrom manhunt.games.{game} import {own}\n"
        f"\n\nclass {name}(Strategy):\n    def choose_move(\n        self,\n        {board},\n        view: {view},\n"
        f"        seat: Seat,\n        valid_moves: tuple[{action}, ...],\n"
        f"    ) -> {action}:\n        return {returned}\n```\n"
    )


def described(name: PublicName) -> list[tuple[str, str, str]]:
    """Fields and public properties of a view: name, type, meaning."""
    node, _ = definition(name)
    assert isinstance(node, ast.ClassDef)
    said: dict[str, Any] = dict(fields_of(name))
    rows = []
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            rows.append((each.target.id, each.annotation, said[each.target.id]))
        elif isinstance(each, ast.FunctionDef) and not each.name.startswith("_") and each.decorator_list:
            rows.append((each.name, each.returns, ast.get_docstring(each)))
    return [(field, type_text(kind), " ".join((meaning or "").split())) for field, kind, meaning in rows]


def type_text(kind: ast.expr | None) -> str:
    text = ast.unparse(kind) if kind else ""
    return (
        text.removeprefix("ClassVar[").removesuffix("]").replace("|", "\\|")
        if "ClassVar" in text
        else text.replace("|", "\\|")
    )


def fields_text(name: PublicName) -> str:
    node, _ = definition(name)
    assert isinstance(node, ast.ClassDef)
    fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
    members = [f"`{ast.unparse(each.targets[0])}`" for each in node.body if isinstance(each, ast.Assign)]
    if members:
        return ", ".join(members)
    return ", ".join(f"`{ast.unparse(each.target)}: {type_text(each.annotation)}`" for each in fields) or "-"


def first_sentence(name: PublicName) -> str:
    """The first paragraph of the docstring."""
    return " ".join((definition(name)[1] or "").split("\n\n")[0].split())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
