"""HTML pages from Jinja templates: files in folders of this package, where all values are escaped."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment


def thousands(value: object) -> str:
    """Whole numbers with commas; everything else as it is."""
    return f"{value:,}" if isinstance(value, int) else str(value)


@lru_cache
def _environment(folder: str) -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.loader = PackageLoader("manhunt", folder)
    made.filters["thousands"] = thousands
    return made


def render(folder: str, template: str, **values: Any) -> str:
    """The text of a template in a folder such as `arena/templates`."""
    return _environment(folder).get_template(template).render(values)
