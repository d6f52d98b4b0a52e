"""What was used last, kept ready for the next who asks; several threads may share it."""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)
ValueT = TypeVar("ValueT")


class Recent(Generic[KeyT, ValueT]):
    """At most so many values; the one that was not used for the longest time goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[KeyT, ValueT] = OrderedDict()
        self._lock = Lock()

    def get(self, key: KeyT) -> ValueT | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: KeyT, value: ValueT) -> None:
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
