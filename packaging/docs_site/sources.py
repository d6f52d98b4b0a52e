"""The pages of the site: those of `docs/`, and one for each file of the repository that they link to.

Links in `docs/` are written for readers of the repository, so they lead to `src/...` and `README.md` too. On the site
such a file is a page of its own below `files/`, and the links lead there.
"""

import os
import re
import shutil
from pathlib import Path

LINK = re.compile(r"(!?\[[^\]]*\]\()([^)#\s]+)(#[^)\s]*)?\)")
OUTSIDE = re.compile(r"[a-z]+:", re.I)
LANGUAGES = {".py": "python", ".js": "javascript", ".c": "c", ".toml": "toml", ".json": "json", ".html": "html"}
HOME = "---\nhide: [navigation, toc]\n---\n"
"""The home page needs no list of pages at its side: it has one, and the tabs are above it."""
FENCE = re.compile(r"^(```+).*?^\1\s*$", re.M | re.S)


def write_pages(root: Path, out: Path) -> None:
    """Fill the folder `out` with the pages that the generator reads."""
    docs = root / "docs"
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(docs, out)
    shutil.copytree(Path(__file__).parent / "assets", out / "assets")
    waiting = {page: page.relative_to(docs) for page in sorted(docs.rglob("*.md"))}
    done: set[Path] = set()
    while waiting:
        source, place = waiting.popitem()
        done.add(source)
        text, linked = moved_links(page_text(source, root), source, place, root)
        target = out / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        waiting |= {file: place_of(file, root) for file in linked if file not in done}


def page_text(source: Path, root: Path) -> str:
    """A page as Markdown: files that are none are shown as code, folders as the list of their files."""
    name = source.relative_to(root).as_posix()
    if source.is_dir():
        inside = [path for path in sorted(source.iterdir()) if not path.name.startswith(("__pycache__", "."))]
        return f"# {name}\n\n" + "".join(f"- [{path.name}]({path.name})\n" for path in inside if path.is_file())
    text = source.read_text(encoding="utf-8")
    if source == root / "docs" / "README.md":
        return HOME + text
    if source.suffix == ".md":
        return text if source.is_relative_to(root / "docs") else f"{text}\n\n*This is the file `{name}`.*\n"
    return f"# {source.name}\n\nThe file `{name}`:\n\n````{LANGUAGES.get(source.suffix, 'text')}\n{text}\n````\n"


def place_of(file: Path, root: Path) -> Path:
    """Where the page of a file is on the site, relative to its top."""
    docs = root / "docs"
    if file.is_relative_to(docs) and file.suffix == ".md":
        return file.relative_to(docs)
    name = file.relative_to(root).as_posix()
    return Path("files") / (name if file.suffix == ".md" else f"{name}.md")


def moved_links(text: str, source: Path, place: Path, root: Path) -> tuple[str, set[Path]]:
    """The page with links for the site, and the files that need a page because of them. Code is left alone."""
    linked: set[Path] = set()
    base = source if source.is_dir() else source.parent

    def move(link: re.Match[str]) -> str:
        before, target, anchor = link[1], link[2], link[3] or ""
        if OUTSIDE.match(target):
            return link[0]
        file = (base / target).resolve()
        if not file.exists() or not file.is_relative_to(root):
            raise SystemExit(f"{source.relative_to(root)}: a link leads nowhere: {target}")
        if is_copied(file, root):
            wanted = file.relative_to(root / "docs")
        elif before.startswith("!"):
            raise SystemExit(f"{source.relative_to(root)}: the picture {target} is not in docs/")
        else:
            linked.add(file)
            wanted = place_of(file, root)
        return f"{before}{os.path.relpath(wanted, place.parent)}{anchor})"

    pieces, at = [], 0
    for fence in FENCE.finditer(text):
        pieces += [LINK.sub(move, text[at : fence.start()]), fence[0]]
        at = fence.end()
    pieces.append(LINK.sub(move, text[at:]))
    return "".join(pieces), linked


def is_copied(file: Path, root: Path) -> bool:
    return file.is_file() and file.is_relative_to(root / "docs")
