"""A record dropped onto a page in the browser: its replay opens; more than one is refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parents[1] / "golden" / "scotland-yard-caught.record.txt"
DROP = """([text, ...names]) => {
    const transfer = new DataTransfer();
    for (const name of names) transfer.items.add(new File([text], name, { type: "text/plain" }));
    for (const type of ["dragenter", "dragover", "drop"]) {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
        if (type === "dragover") window.seen = !document.querySelector(".drop-veil").hidden;
    }
}"""


def test_a_record_is_dropped_or_chosen_and_its_replay_opens(
    site: Any, new_page: Callable[..., Any], shot: Callable[[Any, str], Path]
) -> None:
    page = new_page("/")
    button = page.get_by_role("button", name="Open a record")
    button.wait_for()
    shot(page, "home-with-records")
    page.evaluate(DROP, ["a letter", "one.txt", "two.txt"])
    assert page.evaluate("window.seen")
    page.locator(".toast").filter(has_text="Drop one record at a time.").wait_for()
    with page.expect_file_chooser() as chosen:
        button.click()
    chosen.value.set_files(GOLDEN)
    page.wait_for_url("**/replay/upload-*")
    page.get_by_role("button", name="Analyse this game").wait_for()
    page.evaluate(DROP, [GOLDEN.read_text(encoding="utf-8").replace("seed: 985", "seed: 986"), "other.txt"])
    first = page.url.partition("?")[0]
    page.wait_for_url(lambda url: "/replay/upload-" in url and not url.startswith(first))
    page.locator("#who").filter(has_text="caught").wait_for()
