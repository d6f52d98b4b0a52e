"""The page files of games: what each brings in the folder `web` of its package, else the platform's own.

Pages never make up these addresses: they are told them with the catalogue, with a game's first message, with a replay.
"""

import os
import re
from pathlib import Path

from starlette.staticfiles import StaticFiles

from manhunt.core.errors import ManhuntError
from manhunt.core.kit import Kit
from manhunt.core.registry import kit_of

MOUNT = "/games"
GENERAL = {"page.js": "/js/board_page.js", "intro.json": "/intro.json", "picture.svg": "/picture.svg"}
"""What is used in place of a file that a game does not bring."""
_IMPORTED = re.compile(r'^import [^;]*?from "\./([\w-]+\.js)"', re.MULTILINE)
_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*\.(?:js|css|json|svg|png|webp)")


def page_files(kit: Kit) -> dict[str, str | list[str] | None]:
    """The addresses of a game's page files; null where there is nothing to load.

    `modules` are those that the module imports from its own folder: a browser that knows them loads all at once.
    """
    return {
        "module": address_of(kit, "page.js"),
        "modules": imported_by_page(kit),
        "style": address_of(kit, "style.css"),
        "intro": address_of(kit, "intro.json"),
        "lessons": lessons_address(kit),
    }


def imported_by_page(kit: Kit) -> list[str]:
    folder, found = kit.files / "web", ["page.js"] if (kit.files / "web" / "page.js").is_file() else []
    for name in found:
        found += [other for other in _IMPORTED.findall((folder / name).read_text("utf-8")) if other not in found]
    return [f"{MOUNT}/{kit.name}/{name}" for name in found[1:]]


def lessons_address(kit: Kit) -> str | None:
    """The page with the game's lessons, if it brings some."""
    return f"/learn/{kit.name}" if kit.has("lessons") else None


def address_of(kit: Kit, name: str) -> str | None:
    """Where pages find a file of a game, or the general one."""
    return f"{MOUNT}/{kit.name}/{name}" if (kit.files / "web" / name).is_file() else GENERAL.get(name)


class Files(StaticFiles):
    """Files that a browser asks about again each time: they are small, and change with the version."""

    def file_response(self, *args: object, **options: object) -> object:  # type: ignore[override]
        response = super().file_response(*args, **options)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "no-cache"
        return response


class GameFiles(Files):
    """`<game>/<file>` below the mount: files of plain names in the folder `web` of a game's package, nothing else."""

    def __init__(self) -> None:
        super().__init__(directory=None, check_dir=False)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        file = _file_of(*Path(path).parts)
        return ("", None) if file is None else (str(file), file.stat())


def _file_of(*parts: str) -> Path | None:
    if len(parts) != 2 or not _PLAIN_NAME.fullmatch(parts[1]):
        return None
    try:
        file = Path(str(kit_of(parts[0]).files / "web" / parts[1]))
    except ManhuntError:  # there is no such game
        return None
    return file if file.is_file() else None
