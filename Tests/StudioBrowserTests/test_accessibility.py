"""axe on every page in light and dark, zoom, narrow windows, and the preferences of people."""

import pytest

from browser import an_object, objects

PAGES = {
    "overview": "#/overview", "classes": "#/classes", "class": "#/classes?class=Zone", "objects": objects("Zone"),
    "filtered": objects("Zone", query="latitude > 60", sort="latitude", views='[["North","latitude > 60","latitude",false]]', tab=0),
    "object": an_object("Country", "FR"), "zone": an_object("Zone", "Europe/Paris"), "compare": "#/compare", "comparison": "#/compare?with=zones-6.whimbrel",
    "plan": "#/plan", "planned": "#/plan?store=zones-6.whimbrel", "no class": objects("Nothing"),
}
SETTLED = {"overview": "No problems found.", "class": "Values of all", "comparison": "From zones-6", "planned": "Version 7 to 6"}


def open_page(page, zones, name):
    page.open(zones, PAGES[name]).live()
    if name in SETTLED:
        page.sees(SETTLED[name])
    return page


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.short
def test_axe_finds_nothing(page, zones, name):
    open_page(page, zones, name).is_accessible()
    # Another theme has other colours, and nothing else.
    page.media(prefers_color_scheme="dark")
    page.is_accessible(["color-contrast", "link-in-text-block"])


def test_axe_finds_what_is_wrong(page, zones):
    """Otherwise the tests here would pass whatever the page looks like."""
    page.open(zones)
    page.js("""const text = document.createElement('p');
        text.textContent = 'pale';
        text.style.color = '#ccc';
        document.querySelector('main').append(text, document.createElement('button'))""")
    assert [one.split()[0] for one in page.axe(["color-contrast"])] == ["color-contrast"]
    assert {one.split()[0] for one in page.axe()} >= {"color-contrast", "button-name"}


@pytest.mark.long
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_in_a_narrow_window(page, zones, name):
    page.resize(320, 800)
    open_page(page, zones, name).is_accessible()


@pytest.mark.parametrize("width, scale", [(640, 2), (320, 4)], ids=["zoom of 200 %", "320 pixels"])
def test_each_page_fits_a_narrow_window(page, zones, width, scale):
    """Zoom of 400 % in a window of 1280 pixels is 320 pixels wide (WCAG 1.4.10)."""
    problems = []
    for name in PAGES:
        page.resize(width, 225 * 4 // scale * 2, scale)
        open_page(page, zones, name)
        try:
            page.fits()
        except AssertionError as error:
            problems.append(f"{name}: {error}")
        if name in ("overview", "objects", "object", "plan"):
            page.browser.driver.save_screenshot(str(page.shots / f"{name}-{width}.png"))
    assert problems == [], "\n".join(problems)


def test_dialogs_fit_a_narrow_window(page, writable):
    page.resize(320, 640)
    page.open(writable, objects("Zone")).live()
    page.row(0)
    for button in ("Columns", "Export", "Add", "Undo"):
        page.click("button", button, "#main")
        page.until(lambda: page.all("dialog[open]") and not page.all("dialog .skeleton"), f"the dialog '{button}' is open")
        box = page.js("const { left, right, top, bottom } = document.querySelector('dialog').getBoundingClientRect(); return [left, right, top, bottom]")
        assert box[0] >= 0 and box[1] <= 320 and box[2] >= 0 and box[3] <= 640, f"The dialog '{button}' should be in the window: {box}"
        page.fits()
        page.is_accessible()
        page.click("button", "Close", "dialog header") if page.find("button", "Close", "dialog header") else page.press("\ue00c")
        page.until(lambda: not page.all("dialog"), "the dialog closes")


def test_the_side_bar_is_a_menu_in_a_narrow_window(page, zones):
    page.resize(320, 800)
    page.open(zones)
    menu = page.role("button", "Menu")
    assert menu.get_attribute("aria-expanded") == "false"
    assert not page.css("#side").is_displayed()
    menu.click()
    assert menu.get_attribute("aria-expanded") == "true"
    page.is_accessible()
    page.click("link", "Classes", "#side")
    page.at("Classes")
    assert not page.css("#side").is_displayed()


@pytest.mark.parametrize("name", ["overview", "objects", "object"])
def test_a_text_of_twice_the_size_fits(page, zones, name):
    """People enlarge only the text, too (WCAG 1.4.4)."""
    page.open(zones, "#/overview")
    page.cdp("Page.setFontSizes", fontSizes={"standard": 32, "fixed": 26})
    try:
        open_page(page, zones, name).fits()
    finally:
        page.cdp("Page.setFontSizes", fontSizes={"standard": 16, "fixed": 13})


def test_rows_stand_in_their_order_for_screen_readers(page, packages):
    page.open(packages, objects("Package", row=1000))
    page.row(999)
    for step in (-400, 200, -900, 3000, -1500):
        page.js("document.querySelector('.grid-scroller').scrollTop += arguments[0]", step)
        page.until(lambda: page.js("return !document.querySelector('[role=grid] [aria-busy]')"), "the rows are loaded")
        order = [int(number) for number in page.js("return [...document.querySelectorAll('[role=grid] [data-row]')].map((row) => row.dataset.row)")]
        assert order == sorted(order), f"Rows should stand in their order: {order}"


def test_the_table_tells_where_a_cell_is(page, zones):
    page.open(zones, objects("Zone", row=150))
    page.row(149)
    row = page.css("[role=grid] [data-row='149']")
    assert row.get_attribute("aria-rowindex") == "151"
    grid = page.css("[role=grid]")
    assert (grid.get_attribute("aria-rowcount"), grid.get_attribute("aria-colcount")) == ("313", "11")
    assert [cell.get_attribute("aria-colindex") for cell in row.find_elements("css selector", "[aria-colindex]")] == [str(number) for number in range(1, 12)]


def test_nothing_moves_for_people_who_do_not_want_it(page, writable):
    page.media(prefers_reduced_motion="reduce")
    page.open(writable, objects("Zone")).live()
    page.row(0)
    page.click("button", "Columns")
    moving = page.js("return document.getAnimations().filter((one) => one.effect.getComputedTiming().duration > 50).length")
    assert moving == 0


def test_the_page_works_with_forced_colours(page, zones):
    page.media(forced_colors="active")
    open_page(page, zones, "overview")
    page.js("document.querySelector('.side-links a').focus()")
    style = page.js("const style = getComputedStyle(document.activeElement); return [style.outlineStyle, style.outlineWidth]")
    assert style[0] != "none" and style[1] != "0px", "The focus needs an outline: shadows are not shown."


@pytest.mark.parametrize("name", PAGES)
def test_each_page_has_a_title_one_heading_and_landmarks(page, zones, name):
    open_page(page, zones, name)
    assert page.js("return document.querySelectorAll('h1').length") == 1
    assert page.driver.title.endswith("· zones.whimbrel · Whimbrel Studio") and not page.driver.title.startswith("·")
    levels = page.js("return [...document.querySelectorAll('#main :is(h1, h2, h3, h4, h5, h6)')].map((one) => Number(one.localName[1]))")
    jumps = [pair for pair in zip(levels, levels[1:]) if pair[1] > pair[0] + 1]
    assert jumps == [], f"Levels of headings should not be left out: {levels}"
    assert page.js("return [document.documentElement.lang, document.querySelectorAll('main').length]") == ["en", 1]


def test_targets_are_large_enough(page, zones):
    """24 pixels, or room around them (WCAG 2.5.8); links in text are exempt."""
    for name in ("overview", "objects", "object", "plan"):
        open_page(page, zones, name)
        small = page.js("""
            return [...document.querySelectorAll('button, select, input:not([type=hidden]), summary, nav a')].filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !one.closest('.visually-hidden, .skip-link, label, [aria-hidden=true], .cell'))
              .map((one) => [one.outerHTML.slice(0, 100), one.getBoundingClientRect()]).filter(([, box]) => box.width > 0 && (box.width < 24 || box.height < 24)).map(([html, box]) => `${html} ${box.width}×${box.height}`)""")
        assert small == [], f"{name}: {small[:5]}"
