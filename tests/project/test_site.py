"""The documentation site: links that leave `docs/`, navigation, and what is refused in a built page.

The site itself is built where the extra `docs` is installed, and looked at from its files, without a server.
"""

import importlib.util
from pathlib import Path

import pytest

from browser_pages import PATIENCE
from docs_site.build import build
from docs_site.checks import troubles
from docs_site.navigation import navigation, unmentioned
from docs_site.sources import moved_links, place_of, write_pages

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def test_every_page_is_listed_by_the_readme_of_its_folder() -> None:
    assert not unmentioned(DOCS), "add them to the README.md of their folder: it orders the navigation"


def test_the_navigation_has_the_sections_in_order() -> None:
    home, *sections = navigation(DOCS)
    assert home == "README.md"
    titles = [title for section in sections for title in section]
    assert titles == ["Tutorials", "How-to guides", "Reference", "Explanations", "Decisions"]
    assert all(pages[0].endswith("README.md") for section in sections for pages in section.values())


def test_links_out_of_docs_lead_to_pages_of_files(tmp_path) -> None:
    page = DOCS / "how-to" / "bots.md"
    text = "[a](../../LICENSE) [b](../tutorial/first-hunt.md#watch) [c](https://x.org) ![d](../pictures/home.png)\n"
    moved, linked = moved_links(text, page, Path("how-to/bots.md"), ROOT)
    assert moved == (
        "[a](../files/LICENSE.md) [b](../tutorial/first-hunt.md#watch) [c](https://x.org) ![d](../pictures/home.png)\n"
    )
    assert linked == {ROOT / "LICENSE"}
    assert place_of(ROOT / "README.md", ROOT) == Path("files/README.md")


def test_links_in_code_are_left_alone() -> None:
    text = "```\n[a](nothing.md)\n```\n"
    assert moved_links(text, DOCS / "README.md", Path("README.md"), ROOT) == (text, set())


def test_a_link_to_nothing_ends_the_build() -> None:
    with pytest.raises(SystemExit, match=r"docs/README\.md: a link leads nowhere: nothing\.md"):
        moved_links("[a](nothing.md)", DOCS / "README.md", Path("README.md"), ROOT)


def test_every_page_and_every_linked_file_is_written(tmp_path) -> None:
    write_pages(ROOT, tmp_path)
    written = {path.relative_to(tmp_path) for path in tmp_path.rglob("*.md")}
    assert {page.relative_to(DOCS) for page in DOCS.rglob("*.md")} <= written
    assert Path("files/README.md") in written


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ('<a href="b.html">', "index.html links to b.html, which is missing"),
        ('<a href="#x">', "index.html links to #x, which has no such place"),
        ('<script src="https://cdn.org/x.js">', "index.html loads https://cdn.org/x.js"),
        ('<link rel="stylesheet" href="//fonts.org/f.css">', "index.html loads //fonts.org/f.css"),
        ('<img src="x.png">', "index.html loads x.png, which is missing"),
    ],
)
def test_what_a_built_page_must_not_have(html: str, said: str, tmp_path) -> None:
    (tmp_path / "index.html").write_text(f"<p id=y>{html}", encoding="utf-8")
    assert list(troubles(tmp_path)) == [said]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.css", "body { background: url('//x.org/a.png') }"),
        ("a.css", '@import "https://x.org/a.css";'),
        ("a.js", 'load("https://unpkg.com/mermaid")'),
        ("a.html", '<p style="background: url(https://x.org/a.png)">'),
        ("a.html", '<pre class="mermaid">'),
    ],
)
def test_what_styles_and_scripts_must_not_load(name: str, text: str, tmp_path) -> None:
    (tmp_path / "index.html").write_text("<p>", encoding="utf-8")
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert list(troubles(tmp_path)) == [f"{name} loads something from elsewhere"]


@pytest.mark.parametrize("html", ['<a href="#y">', '<a href="https://x.org">', '<a href="index.html#y">'])
def test_what_a_built_page_may_have(html: str, tmp_path) -> None:
    (tmp_path / "index.html").write_text(f"<p id=y>{html}", encoding="utf-8")
    assert not list(troubles(tmp_path))


@pytest.fixture
def built(tmp_path_factory) -> Path:
    if importlib.util.find_spec("mkdocs") is None or importlib.util.find_spec("mkdocstrings_handlers") is None:
        pytest.skip("the site is not built: mkdocs is not installed (pip install 'manhunt[docs]')")
    folder = tmp_path_factory.mktemp("docs")
    assert build(folder / "site", folder / "pages") == 0
    return folder / "site"


def test_the_site_shows_the_api_searches_without_a_server_and_asks_nobody_else(built: Path, chromium) -> None:
    text = (built / "reference" / "api" / "solvers.html").read_text(encoding="utf-8")
    assert 'id="manhunt.solvers.solve_start"' in text
    asked: list[str] = []
    with chromium.new_context() as context:
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto((built / "index.html").as_uri())
        page.locator("input.md-search__input").press_sequentially("solve_start")  # the search listens to keys
        page.wait_for_selector(".md-search-result__item a", state="attached")
        assert "solvers.html" in (page.locator(".md-search-result__item a").first.get_attribute("href") or "")
    assert {url.split(":")[0] for url in asked} <= {"file", "data", "blob"}
