"""The notebook in a real browser: taps and typed lines, wrong lines, undo, edit, the phone."""

import re

from browser_pages import PHONE, WIDE

STARTS = ["123", "91", "50", "138", "174"]
MOVES = ["red T 124", "green T 105", "blue T 38", "white T 150", "yellow T 161"]
BACK = ["red T 123", "green T 91", "blue T 50", "white T 138", "yellow T 174"]


def count(page, selector, n):
    """Wait until so many are there."""
    from playwright.sync_api import expect

    expect(page.locator(selector)).to_have_count(n)


def begin(page, game, lines, **options):
    """Open the notebook with lines that were kept before."""
    page.goto(f"/notebook/{game}")
    kept = {"options": options, "lines": lines}
    page.evaluate(
        "([key, kept]) => localStorage.setItem(key, JSON.stringify(kept))", [f"manhunt-notebook-{game}", kept]
    )
    page.reload()
    page.wait_for_selector(".key, .lines .wrong")


def lines(page):
    """All lines with their words, the oldest first."""
    return page.eval_on_selector_all(
        ".lines li", "items => items.map(i => [i.querySelector('b').textContent, i.querySelector('span').textContent])"
    )[::-1]


def stations(page):
    return page.eval_on_selector_all(".places li", "items => items.map(i => i.dataset.station)")


def typed(page, *texts):
    for text in texts:
        page.fill("#line", text)
        page.press("#line", "Enter")
        page.wait_for_selector(f".lines li:first-child b:text-is('{text}') + .quiet:not(:text-is('…'))")


def answered(page):
    """Wait until every line has its words and the board is drawn anew."""
    count(page, ".lines .quiet:text-is('…')", 0)
    page.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


def tap(page, label):
    """A click on a station of the board."""
    spot = page.evaluate(
        """label => {
          const g = document.querySelector(`[data-node="${label}"]`);
          const box = g.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }""",
        label,
    )
    page.mouse.click(*spot)


def test_scotland_yard_by_taps_and_typing(new_page, shot) -> None:
    page = new_page("/notebook/scotland_yard", WIDE)
    page.wait_for_selector(".key.taxi")
    page.wait_for_selector(".board svg")
    before = stations(page)
    assert len(before) > 5
    page.click(".key.taxi")
    page.wait_for_selector(".lines li:has-text('Mr X pays taxi in round 1')")
    page.wait_for_selector(".key:has-text('red')")
    assert len(stations(page)) > len(before)
    page.click(".key:has-text('red')")
    page.click(".key.taxi")
    page.click(".numbers button >> nth=0")
    count(page, ".lines li", 2)
    answered(page)
    assert re.fullmatch(r"red T \d+", lines(page)[1][0])
    offered = page.locator("[data-offer]").first.get_attribute("data-offer")
    tap(page, offered)
    page.wait_for_selector(".ask, .lines li >> nth=2")
    if page.query_selector(".ask"):
        page.click(".ask button >> nth=0")
    count(page, ".lines li", 3)
    answered(page)
    glows = page.eval_on_selector_all(".layer-glow circle[data-weight]", "all => all.map(c => c.dataset.nodeMark)")
    assert sorted(glows) == sorted(stations(page)), "the heat map and the list say the same"
    shot(page, "yard-wide")


def test_a_shown_round_asks_for_the_station(new_page) -> None:
    page = new_page("/notebook")
    begin(page, "scotland_yard", ["T", *MOVES, "S", *BACK], starts=STARTS)
    page.wait_for_selector(".key.taxi")
    page.click(".key.taxi")
    page.fill(".picks input", "1")
    page.click(".picks button[type=submit]")
    assert page.inner_text(".picks [role=status]") == "1 is not possible here."
    station = page.locator("[data-offer]").first.get_attribute("data-offer")
    page.fill(".picks input", station)
    page.press(".picks input", "Enter")
    page.wait_for_selector(f".lines li:has-text('seen on {station}')")
    assert stations(page) == [station]


def test_a_double_move_is_two_taps_with_a_way_back(new_page) -> None:
    page = new_page("/notebook")
    begin(page, "scotland_yard", [], starts=STARTS)
    page.click(".key:has-text('double')")
    page.click(".keypad .back")
    page.click(".key:has-text('double')")
    page.click(".key.taxi")
    page.click(".key.secret")
    page.wait_for_selector(".lines li:has-text('Mr X makes a double move')")
    assert lines(page)[0][0] == "2 T S"


def test_a_wrong_last_line_is_written_again(new_page) -> None:
    page = new_page("/notebook")
    begin(page, "scotland_yard", ["T", "red taxi"], starts=STARTS)
    page.wait_for_selector(".lines .wrong")
    page.fill("#line", "red T 124")
    page.press("#line", "Enter")
    page.wait_for_selector(".lines li:has-text('red goes by taxi to 124')")
    assert page.query_selector(".lines .wrong") is None
    assert [text for text, _ in lines(page)] == ["T", "red T 124"]


def test_a_wrong_line_is_marked_and_nothing_is_lost(new_page, shot) -> None:
    page = new_page("/notebook")
    begin(page, "scotland_yard", ["T", "red T 123", "green T 105"], starts=STARTS)
    page.wait_for_selector(".lines .wrong")
    found = lines(page)
    assert found[1][1].startswith("line 2: red cannot go by taxi to 123")
    assert found[2] == ["green T 105", "not read yet"]
    shot(page, "wrong")
    page.fill("#line", "B")
    page.press("#line", "Enter")
    assert page.inner_text(".toast span") == "First correct or delete line 2."
    page.click("[aria-label='Edit line 2']")
    page.fill("[aria-label='Line 2']", "red T 124")
    page.press("[aria-label='Line 2']", "Enter")
    page.wait_for_selector(".lines li:has-text('green goes by taxi to 105')")
    assert page.query_selector(".lines .wrong") is None
    page.reload()
    page.wait_for_selector(".lines li:has-text('green goes by taxi to 105')")
    page.click("text=Undo")
    count(page, ".lines li", 2)
    page.click("[aria-label='Delete line 2']")
    count(page, ".lines li", 1)
    page.click("text=New table")
    page.click("dialog button.danger")
    count(page, ".lines li", 0)


def test_the_tables_options_change_what_can_be_known(new_page) -> None:
    page = new_page("/notebook/scotland_yard")
    page.wait_for_selector(".board svg")
    page.fill("[aria-label='red began on']", "197")
    page.press("[aria-label='red began on']", "Enter")
    page.wait_for_selector(".tickets:has-text('197')")
    page.click(".starts .row:has-text('green') >> text=Tap")
    page.wait_for_selector(".starts >> text=Tap a station")
    tap(page, "198")
    page.wait_for_selector(".tickets:has-text('198')")
    assert page.input_value("[aria-label='green began on']") == "198"
    assert page.input_value("[aria-label='red began on']") == "197"
    page.select_option(".panel[data-part=table] label:has-text('Detectives') select", "2")
    count(page, ".starts .row", 2)


def test_a_bad_start_is_told_in_words(chromium, site) -> None:
    context = chromium.new_context(base_url=site.url)
    page = context.new_page()
    page.goto("/notebook/scotland_yard")
    page.wait_for_selector(".starts input")
    page.fill("[aria-label='red began on']", "9999")
    page.press("[aria-label='red began on']", "Enter")
    page.wait_for_selector(".trouble:has-text(\"no node '9999'\")")
    page.fill("[aria-label='red began on']", "197")
    page.press("[aria-label='red began on']", "Enter")
    page.wait_for_selector(".trouble", state="hidden")
    context.close()


def test_why_and_hint_are_answered(new_page) -> None:
    page = new_page("/notebook")
    begin(page, "scotland_yard", ["T"], starts=STARTS)
    page.wait_for_selector(".key:has-text('red')")
    page.fill("[aria-label='Station']", "199")
    page.press("[aria-label='Station']", "Enter")
    page.wait_for_selector(".why:has-text('Why not 199?')")
    page.click("button.hint")
    page.wait_for_selector(".told.hinted")


def test_fugitive_by_taps(new_page, shot) -> None:
    page = new_page("/notebook/fugitive", WIDE)
    page.wait_for_selector(".key:has-text('hideout')")
    for sprints in ("1", "0"):
        page.click(".key:has-text('hideout')")
        page.click(f".numbers [data-pick='{sprints}']")
        page.wait_for_selector(f".lines li b:text-is('hide {sprints}')")
        answered(page)
    for pile, card in (("low", "5"), ("middle", "20")):
        page.click(f".key:has-text('I draw {pile}')")
        page.click(f".numbers [data-pick='{card}']")
        page.wait_for_selector(f".lines li b:text-is('I {card}')")
        answered(page)
    page.click(".key:has-text('my guess')")
    page.click(".numbers [data-pick='1']")
    page.click(".numbers [data-pick='4']")
    page.click(".done")
    page.click(".key:has-text('right')")
    page.wait_for_selector(".lines li b:text-is('guess 1 4 yes')")
    answered(page)
    page.click(".key:has-text('1 is the first hideout')")
    page.click(".numbers [data-pick='3']")
    page.click(".key:has-text('4 is the second hideout')")
    page.wait_for_selector(".lines li:has-text('the Marshal wins')")
    shot(page, "fugitive-wide")


def test_the_notepad_of_fugitive_says_why(new_page) -> None:
    page = new_page("/notebook")
    begin(page, "fugitive", ["hide 1", "hide", "I 5", "I 20", "guess 9 no", "he middle", "hide 2"])
    page.wait_for_selector("td[data-position='1'][data-value='20']")
    page.click("td[data-position='1'][data-value='20']")
    page.wait_for_selector(".fg-why:has-text('20 is in your hand')")


def test_usable_on_a_phone_in_the_dark(new_page, shot) -> None:
    page = new_page("/notebook/scotland_yard", PHONE, dark=True, has_touch=True)
    page.wait_for_selector(".key.taxi")
    page.wait_for_selector(".board svg")
    box = page.locator(".key.taxi").bounding_box()
    assert box["height"] >= 44
    assert box["y"] + box["height"] <= PHONE[1], "the keys are on the first screen"
    page.tap(".key.taxi")
    page.wait_for_selector(".lines li:has-text('round 1')")
    page.tap("role=tab[name='Where he can be']")
    assert page.locator(".places li").first.is_visible()
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE[0], "nothing sticks out at the side"
    shot(page, "yard-phone")
    page.set_viewport_size({"width": 844, "height": 390})
    assert page.locator("#stage").bounding_box()["height"] == 390
    tools = [page.locator("#tools > *:visible").nth(i).bounding_box() for i in range(4)]
    assert all(box["x"] + box["width"] <= 844 for box in tools)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.goto("/notebook/fugitive")
    page.wait_for_selector(".key:has-text('hideout')")
    assert page.locator(".key").first.bounding_box()["y"] < PHONE[1]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    shot(page, "fugitive-phone")


def test_by_keyboard_alone(new_page) -> None:
    page = new_page("/notebook")
    begin(page, "scotland_yard", [], starts=STARTS)
    page.focus(".key.taxi")
    page.keyboard.press("Enter")
    page.wait_for_selector(".lines li:has-text('round 1')")
    typed(page, "red T 124", "green T 105")
    assert [line[0] for line in lines(page)] == ["T", "red T 124", "green T 105"]


def test_a_board_of_ones_own_is_followed(new_page, tmp_path) -> None:
    good = tmp_path / "ring.csv"
    edges = [(i, i % 12 + 1) for i in range(1, 13)]
    good.write_text("a,b,transport\n" + "".join(f"{a},{b},taxi\n" for a, b in edges), encoding="utf-8")
    page = new_page("/notebook/scotland_yard", WIDE)
    page.wait_for_selector("#stage [data-part]", state="attached")
    page.get_by_label("Board", exact=True).last.select_option("file")
    page.wait_for_selector("text=CSV: first a line a,b")
    with page.expect_navigation():
        page.set_input_files("input[type=file]", str(good))
    page.wait_for_function("n => document.querySelectorAll('#stage .node').length === n", arg=len(edges))
    assert page.get_by_label("Board", exact=True).last.input_value() == "own"
    with page.expect_navigation():
        page.get_by_label("Board", exact=True).last.select_option("usual")
    page.wait_for_function("() => document.querySelectorAll('#stage .node').length > 100")


def test_a_file_that_is_no_board_says_why(chromium, site, tmp_path) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text("what is this?\n", encoding="utf-8")
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{site.url}/notebook/scotland_yard")
    page.wait_for_selector("#stage [data-part]", state="attached")
    page.get_by_label("Board", exact=True).last.select_option("file")
    page.set_input_files("input[type=file]", str(bad))
    page.wait_for_selector("text=bad.csv is not a valid board")
    context.close()
