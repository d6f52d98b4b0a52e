"""Small pieces of HTML for notebooks; all text is escaped, because labels and names come from outside."""

from collections.abc import Iterable, Sequence
from html import escape


def html_table(head: Sequence[object], rows: Iterable[Sequence[object]], caption: str) -> str:
    """A table whose first column is a heading, too."""
    titles = "".join(f"<th>{escape(str(cell))}</th>" for cell in head)
    lines = (
        f"<tr><th>{escape(str(first))}</th>{''.join(f'<td>{escape(str(cell))}</td>' for cell in rest)}</tr>"
        for first, *rest in rows
    )
    above = f"<caption>{escape(caption)}</caption>"
    return f"<table>{above}<thead><tr>{titles}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
