"""What the author of an agent reads when it raises: the error, and where in their own file it came from."""

import sysconfig
import traceback
from pathlib import Path

MOST_TEXT = 200
_PACKAGE = Path(__file__).parents[1]
_LIBRARIES = tuple(Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib"))


def crash_text(error: BaseException) -> str:
    """`ValueError: no way out (my_agent.py line 12, in choose_move)`, on one line.

    Of the calls that led to the error the last one outside this package and Python's libraries is named, else the
    last one. A folder is not named: it would tell the other side about the machine when the game is over.
    """
    text = " ".join(str(error).split())
    said = f"{type(error).__name__}: {text[:MOST_TEXT]}" if text else type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)[1:]
    if isinstance(error, SyntaxError) or not frames:
        return said
    place = next((frame for frame in reversed(frames) if _is_outside(frame.filename)), frames[-1])
    return f"{said} ({Path(place.filename).name} line {place.lineno}, in {place.name})"


def _is_outside(name: str) -> bool:
    is_ours_or_python = any(Path(name).is_relative_to(folder) for folder in (_PACKAGE, *_LIBRARIES))
    return not name.startswith("<") and not is_ours_or_python
