"""`manhunt echo`: a command that reads its words itself."""

from collections.abc import Sequence


def run(arguments: Sequence[str]) -> int:
    print(" ".join(arguments))
    return 0
