"""The navigation: the folders of `docs/`, each in the order in which its README.md links to its pages."""

import re
from pathlib import Path
from typing import Any

LINK = re.compile(r"\]\(([^)#\s:]+)")
HEADING = re.compile(r"^# (.+)$", re.M)


def navigation(folder: Path, top: Path | None = None) -> list[Any]:
    """Pages and sections of a folder, as MkDocs takes them; the README first, what it does not mention last."""
    top = top or folder
    entries: list[Any] = []
    for path in in_order(folder):
        if path.is_dir():
            entries.append({title_of(path): navigation(path, top)})
        else:
            entries.append(path.relative_to(top).as_posix())
    return entries


def in_order(folder: Path) -> list[Path]:
    readme = folder / "README.md"
    linked = linked_from(readme)
    found = [path for path in sorted(folder.iterdir()) if path.suffix == ".md" or any(path.rglob("*.md"))]

    def place(path: Path) -> tuple[int, int, str]:
        itself = [n for n, target in enumerate(linked) if target in (path, path / "README.md")]
        at = itself or [n for n, target in enumerate(linked) if target.is_relative_to(path)]
        return path != readme, at[0] if at else len(linked), path.name

    return sorted(found, key=place)


def linked_from(readme: Path) -> list[Path]:
    """Where the links of a page lead, in order."""
    if not readme.is_file():
        return []
    return [(readme.parent / target).resolve() for target in LINK.findall(readme.read_text(encoding="utf-8"))]


def title_of(folder: Path) -> str:
    readme = folder / "README.md"
    heading = HEADING.search(readme.read_text(encoding="utf-8")) if readme.is_file() else None
    return heading[1] if heading else folder.name.replace("-", " ").capitalize()


def unmentioned(docs: Path) -> list[str]:
    """Pages that the README.md of their folder, or of one above, does not link to."""
    pages = [page for page in sorted(docs.rglob("*.md")) if page.name != "README.md"]
    return [page.relative_to(docs).as_posix() for page in pages if not _is_mentioned(page.resolve(), docs.resolve())]


def _is_mentioned(page: Path, docs: Path) -> bool:
    above = [folder for folder in page.parents if folder.is_relative_to(docs)]
    return any(page in linked_from(folder / "README.md") for folder in above)
