"""A store whose names and values attack the page: nothing of it runs, is markup, or reorders the page."""

import contextlib
import json
import re

import pytest
from selenium.common.exceptions import WebDriverException

import stores
from browser import an_object, objects
from stores import HOSTILE_CLASS, HOSTILE_PROPERTY, MARKUP, ORDERLY_CLASS, TRICKY
from test_objects import peek
from tool import run

# Elements that the page itself makes. Everything else in it would come from a value.
OWN_ELEMENTS = """
const allowed = new Set(['script', 'link', 'meta', 'title', 'html', 'head', 'body', 'noscript']);
const bad = [];
for (const element of document.querySelectorAll('*')) {
  const name = element.localName;
  if (['iframe', 'object', 'embed', 'base', 'style', 'frame', 'b', 'i', 'marquee', 'math', 'foreignObject', 'animate', 'set'].includes(name)) bad.push(name);
  if (name === 'script' && !/^(theme|app)\\.js$/.test(element.getAttribute('src') ?? '')) bad.push(element.outerHTML.slice(0, 200));
  if (name === 'img' && !/^(blob:|data:image)/.test(element.src)) bad.push(element.outerHTML.slice(0, 200));
  for (const attribute of element.attributes) {
    if (/^on/.test(attribute.name)) bad.push(`${name} ${attribute.name}`);
    if (['href', 'src', 'action', 'formaction', 'data', 'srcdoc', 'xlink:href'].includes(attribute.name) && !/^(#|\\/api\\/v1\\/|blob:|data:image\\/|[\\w-]+\\.(js|css|svg)(#[\\w-]+)?$)/.test(attribute.value)) bad.push(`${name} ${attribute.name}=${attribute.value.slice(0, 100)}`);
  }
}
return bad;
"""
# Text whose direction marks could leave their element: outside of bdi, dir=auto and attributes.
LOOSE = """
const marks = /[\\u202a-\\u202e\\u2066-\\u2069\\u200e\\u200f]/;
const loose = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode;
  if (!marks.test(node.data)) continue;
  if (!node.parentElement.closest('bdi, [dir=auto], textarea, option, svg, script')) loose.push(`${node.parentElement.localName}: ${node.data.slice(0, 80)}`);
}
return loose;
"""


def is_harmless(page):
    bad = page.js(OWN_ELEMENTS)
    assert bad == [], f"No element of {page.hash} should come from a value: {bad[:10]}"
    loose = page.js(LOOSE)
    assert loose == [], f"Direction marks should stay in their element at {page.hash}: {loose[:5]}"
    page.check_for_trouble()
    return page


FRAGMENTS = {
    "overview": "#/overview", "classes": "#/classes", "hostile class": f"#/classes?{objects(HOSTILE_CLASS).split('?')[1]}",
    "orderly class": f"#/classes?{objects(ORDERLY_CLASS).split('?')[1]}", "hostile objects": objects(HOSTILE_CLASS),
    "orderly objects": objects(ORDERLY_CLASS), "first object": an_object(HOSTILE_CLASS, f"id:{2**63}"),
    "an object of controls": an_object(HOSTILE_CLASS, f"id:{2**63 + len(MARKUP) + 3}"), "largest object": an_object(HOSTILE_CLASS, f"id:{2**63 + len(MARKUP + TRICKY)}"),
    "object by key": an_object(ORDERLY_CLASS, MARKUP[0]), "object by reversed key": an_object(ORDERLY_CLASS, TRICKY[0]),
    "compare": "#/compare", "plan": "#/plan", "unknown class": objects(MARKUP[0]), "views": objects(HOSTILE_CLASS, views=json.dumps([[text, text, text, True] for text in MARKUP + TRICKY]), tab=0),
    "wrong views": objects(HOSTILE_CLASS, views="{\"a\":1}", row="<b>", sort=MARKUP[0]), "wrong query": objects(HOSTILE_CLASS, query=MARKUP[1]),
    "unknown object": an_object(MARKUP[1], MARKUP[2], query=MARKUP[3], row=MARKUP[4]), "compare with markup": f"#/compare?{objects(MARKUP[0]).split('?')[1].replace('class', 'with')}",
}


@pytest.mark.parametrize("name", FRAGMENTS)
@pytest.mark.short
def test_no_value_runs_or_is_markup(page, hostile, name):
    page.allow("status of 40[04]")
    page.open(hostile, FRAGMENTS[name])
    is_harmless(page)


@pytest.mark.parametrize("name", ["overview", "classes", "hostile class", "hostile objects", "largest object", "an object of controls"])
def test_a_page_of_hostile_values_is_accessible_and_fits(page, hostile, name):
    page.open(hostile, FRAGMENTS[name])
    page.is_accessible()
    page.resize(320, 800)
    page.ready()
    page.until(lambda: page.js("return document.documentElement.scrollWidth <= innerWidth"), lambda: f"{name} does not scroll sideways: {page.js('return document.documentElement.scrollWidth')} in 320")


@pytest.mark.short
def test_names_and_values_are_shown_as_they_are(page, hostile):
    page.open(hostile, objects(HOSTILE_CLASS))
    page.at(HOSTILE_CLASS)
    assert page.columns[:5] == ["id", HOSTILE_PROPERTY, "__proto__", "\"><b id=injected>", "aU+202Eb"]
    place = page.columns.index(HOSTILE_PROPERTY)
    for number, text in enumerate(MARKUP[:8]):
        assert page.row(number)[place].startswith(text[:40]), f"{text} should be shown as it is: {page.row(number)[place]}"
    page.picture("hostile")
    is_harmless(page)


def test_numbers_beyond_what_javascript_holds_are_exact(page, hostile):
    page.open(hostile, objects(HOSTILE_CLASS))
    numbers = [page.row(number)[page.columns.index("number")].replace(",", "") for number in range(3)]
    assert numbers == ["9007199254740993", "-9223372036854775808", "9223372036854775807"]
    reals = [page.row(number)[page.columns.index("real")] for number in range(4)]
    assert reals == ["nan", "inf", "-inf", "-0"]


def test_characters_that_cannot_be_seen_are_made_visible(page, hostile):
    page.open(hostile, objects(HOSTILE_CLASS))
    place = page.columns.index(HOSTILE_PROPERTY)
    number = len(MARKUP)
    assert page.row(number)[place] == "userU+202Egnp.exe"
    assert page.row(number + 3)[place] == "␀null␁␇␛[31m"
    assert page.row(number + 6)[place] == "empty"
    assert page.row(number + 8)[place] == "null" and page.row(number + 9)[place] == "nil"
    assert page.cell(number + 9, place).find_elements("css selector", "[class*=token]") == [], "The text 'nil' should not look like nil."


def test_each_value_is_shown_in_full(page, hostile):
    page.open(hostile, objects(HOSTILE_CLASS))
    columns = page.columns
    last = len(MARKUP + TRICKY)
    for row in (0, 2, last):
        for column in range(len(columns)):
            if row == last and column in (0, 6, 7):
                continue
            page.js("document.querySelector('.grid-scroller').scrollTop = arguments[0]", max(0, (row - 3) * 32))
            peek(page, row, column)
            is_harmless(page)
            page.js("document.querySelector('.peek')?.hidePopover()")
            page.until(lambda: not page.all(".peek"), "the value is closed")


@pytest.mark.short
def test_an_image_with_script_is_not_shown_as_an_image(page, hostile):
    page.open(hostile, an_object(HOSTILE_CLASS, f"id:{2**63}"))
    value = "[data-property=bytes]"
    page.until(lambda: "Download" in page.text(value), "the data is shown")
    assert page.all(f"{value} img") == [], "SVG should be shown as text or bytes."
    page.open(hostile, an_object(HOSTILE_CLASS, f"id:{2**63 + 2}"))
    page.until(lambda: page.all(f"{value} img"), "a PNG is shown as an image")
    page.open(hostile, an_object(HOSTILE_CLASS, f"id:{2**63 + 5}"))
    page.sees("It may be damaged.")


def test_data_that_is_opened_by_itself_does_not_run(page, hostile):
    """A person may open the address of a download in a window of its own."""
    page.open(hostile)
    for index in range(2):
        # The navigation ends without a page. Chromium asks before it downloads twice, so only the first is a file.
        with contextlib.suppress(WebDriverException):
            page.driver.get(f"{hostile.origin}/api/v1/data?{objects(HOSTILE_CLASS, id=2**63 + index, property='bytes').split('?')[1]}")
        assert page.driver.current_url.startswith(f"{hostile.origin}/#"), "The data should not be shown as a page."
    assert page.js("return window.__hacked") is None
    text = f"{hostile.origin}/api/v1/text?{objects(HOSTILE_CLASS, id=2**63 + 1, property=HOSTILE_PROPERTY).split('?')[1]}"
    page.driver.get(text)
    assert page.js("return document.contentType") == "text/plain"
    assert page.js("return [window.__hacked ?? null, document.scripts.length]") == [None, 0]


def test_a_page_of_another_origin_cannot_read_or_frame_the_server(page, hostile, zones):
    """The other server stands for any page of the web: it has another port, and so another origin."""
    page.allow("CORS|Failed to load|refused to connect|Refused|violates|NotSameOrigin|frame|CSP|blocked")
    page.open(hostile)
    result = page.driver.execute_async_script("""
        const done = arguments[arguments.length - 1];
        fetch(arguments[0], { credentials: 'include', mode: 'no-cors' }).then((answer) => done(`${answer.type} ${answer.status}`), (error) => done(`error: ${error.name}`));""",
        f"{zones.origin}/api/v1/studio")
    assert result.startswith("error"), f"Another origin should get nothing: {result}"


@pytest.mark.short
def test_hostile_values_are_edited_and_previewed_unchanged(page, hostile):
    page.open(hostile, an_object(HOSTILE_CLASS, f"id:{2**63 + 1}")).live()
    page.click("button", f"Edit {HOSTILE_PROPERTY}")
    page.until(lambda: page.all("dialog textarea"), "the editor is ready")
    field = page.css("dialog textarea")
    assert field.get_attribute("value") == MARKUP[1]
    is_harmless(page)
    page.fill(field, MARKUP[0] + "\"'`$(x)")
    page.click("button", "Preview", "dialog")
    page.sees("This transaction writes", "dialog").sees(json.dumps(MARKUP[0])[:-1], "dialog")
    is_harmless(page)
    page.click("button", "Write", "dialog")
    page.sees("Written:", "#toasts")
    is_harmless(page)
    page.js("document.getElementById('toasts').replaceChildren()")
    page.click("button", "Undo", "#main")
    page.click("button", re.compile("^Undo"), "dialog")
    page.sees("Undone", "#toasts")
    is_harmless(page)


def test_a_text_with_controls_is_not_changed_by_an_edit_that_changes_nothing(page, hostile):
    for index in (len(MARKUP) + 3, len(MARKUP) + 4, len(MARKUP), len(MARKUP) + 17):
        page.open(hostile, an_object(HOSTILE_CLASS, f"id:{2**63 + index}")).live()
        page.click("button", f"Edit {HOSTILE_PROPERTY}")
        page.until(lambda: page.all("dialog textarea"), "the editor is ready")
        page.click("button", "Preview", "dialog")
        page.sees("Nothing changes", "dialog")


def test_the_filter_completes_hostile_names(page, hostile):
    page.allow("status of 400")
    page.open(hostile, objects(HOSTILE_CLASS))
    field = page.role("combobox", "Filter", "#main")
    page.fill(field, "scr")
    page.until(lambda: page.names("option", "#main"), "names are offered")
    page.press("\ue015", "\ue007")
    page.until(lambda: field.get_attribute("value") == f"`{HOSTILE_PROPERTY}`", lambda: f"the name is quoted: {field.get_attribute('value')}")
    field.send_keys(' CONTAINS "onerror"')
    page.press("\ue00c", "\ue007")
    page.sees(" of 39 objects")
    is_harmless(page)
    page.click("button", "Explain")
    page.sees("How the objects are found")
    is_harmless(page)


def test_the_diff_and_the_plan_of_hostile_stores_are_harmless(page, hostile):
    other = hostile.store.parent / "other \"><b id=injected>.whimbrel"
    stores.make_hostile(other)
    run("set", other, HOSTILE_CLASS, f"id:{2**63}", json.dumps({HOSTILE_PROPERTY: MARKUP[3]}), "--write")
    run("rm", other, ORDERLY_CLASS, "--where", "TRUEPREDICATE LIMIT(3)", "--write")
    try:
        page.open(hostile, "#/compare")
        page.until(lambda: len(page.all("#compare-store option")) == 2, "the other store is listed")
        page.click("button", "Compare", "#main")
        page.sees("objects differ")
        is_harmless(page)
        page.go("#/plan")
        page.click("radio", "The schema of another store")
        page.click("button", "Plan", "#main")
        page.sees("The store already has this schema.")
        is_harmless(page)
    finally:
        other.unlink()


def test_the_address_cannot_make_the_page_run_scripts(page, zones):
    page.allow("status of 40[04]")
    for fragment in ("#javascript:alert(1)", "#/javascript:alert(1)", "#/objects?class=javascript:alert(1)", "#/../../x", "#/constructor", "#/toString?x", "#//evil.example/x",
                     "#/compare?with=//evil.example/x", "#/object?class=Zone&name=__proto__", "#/%00", "#/objects?class=__proto__", "#/objects?class=constructor"):
        page.open(zones, fragment)
        is_harmless(page)
        assert page.driver.current_url.startswith(zones.origin)
