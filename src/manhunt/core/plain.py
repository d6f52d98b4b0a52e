"""Frozen values as plain JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from manhunt.core.outcome import Outcome

SENT_APART = ("config", "legal")


def plain_view(view: Any) -> dict[str, Any]:
    """The fields of a view, but for its config and its legal actions."""
    return {field.name: plain(getattr(view, field.name)) for field in fields(view) if field.name not in SENT_APART}


def plain(value: Any) -> Any:
    """Enums as their values, records as objects, sequences as lists; sets are sorted."""
    if isinstance(value, Outcome):
        return str(value)
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        names = (field.name for field in fields(value) if field.name != "config")
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(plain(item) for item in value)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    return [plain(item) for item in value] if isinstance(value, tuple | list) else value
