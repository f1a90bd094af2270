"""Everything is done without a pointer, and the focus is always seen."""

import re

import pytest
from selenium.webdriver.common.keys import Keys

from browser import an_object, objects
from test_objects import ZONE, identifiers, parameters

FOCUS = """
const element = document.activeElement;
if (element === document.body) return null;
const describe = (style) => [style.outlineStyle, style.outlineWidth, style.outlineColor, style.boxShadow, style.borderColor, style.backgroundColor].join(' ');
const target = element.matches('a') && element.ownerSVGElement ? (element.querySelector('.tile-focus, .box-focus') ?? element.querySelector('rect')) : element;
const styled = (one) => describe(getComputedStyle(one)) + ['', getComputedStyle(one, '::after').content, getComputedStyle(one, '::after').borderColor].join(' ') + (one.ownerSVGElement ? getComputedStyle(one).stroke + getComputedStyle(one).opacity + getComputedStyle(one).strokeWidth : '');
const focused = styled(target) + (element.closest('label') ? styled(element.closest('label')) : '');
const box = element.getBoundingClientRect();
element.blur();
const plain = styled(target) + (element.closest('label') ? styled(element.closest('label')) : '');
element.focus({ preventScroll: true });
return { name: element.outerHTML.slice(0, 120), isSeen: focused !== plain, box: [box.left, box.top, box.right, box.bottom], window: [innerWidth, innerHeight] };
"""


def walk(page, limit=120):
    """Presses Tab until the focus is back at the beginning, and returns what had the focus."""
    page.js("document.activeElement?.blur?.()")
    seen = []
    for _ in range(limit):
        page.press(Keys.TAB)
        found = page.js(FOCUS)
        if found is None or (seen and found["name"] == seen[0]["name"]):
            break
        seen.append(found)
    else:
        raise AssertionError(f"The focus should come back to the beginning of the page after at most {limit} elements.")
    return seen


def test_the_focus_goes_through_each_page_and_is_always_seen(page, zones):
    for fragment in ("#/overview", "#/classes", "#/compare", "#/plan", objects("Zone"), an_object("Country", "AD")):
        page.open(zones, fragment)
        page.until(lambda: fragment != "#/overview" or "No problems found." in page.text(), "the check is done")
        seen = walk(page)
        assert len(seen) >= 10, f"{fragment}: {seen}"
        hidden = [one["name"] for one in seen if not one["isSeen"]]
        assert hidden == [], f"The focus should be seen on each element of {fragment}: {hidden[:5]}"
        outside = [one for one in seen if one["box"][2] <= 0 or one["box"][0] >= one["window"][0] or one["box"][3] <= 0 or one["box"][1] >= one["window"][1]]
        assert outside == [], f"What has the focus should be in the window of {fragment}: {outside[:5]}"


@pytest.mark.short
def test_the_table_is_one_stop_and_arrows_move_in_it(page, zones):
    page.open(zones, objects("Zone"))
    page.row(0)
    page.focus(page.cell(0, 0))
    page.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    where = "return [document.activeElement.closest('[data-row]')?.dataset.row ?? 'head', document.activeElement.dataset.column]"
    assert page.js(where) == ["2", "1"]
    page.press(Keys.END)
    assert page.js(where) == ["2", "9"]
    page.press((Keys.CONTROL, Keys.END))
    assert page.js(where) == ["311", "9"]
    assert page.row(311)[0] != ""
    page.press((Keys.CONTROL, Keys.HOME))
    assert page.js(where) == ["0", "0"]
    page.press(Keys.PAGE_DOWN)
    assert int(page.js(where)[0]) > 5
    page.press((Keys.CONTROL, Keys.HOME), Keys.ARROW_UP)
    assert page.js(where) == ["head", "0"]
    page.press(Keys.ARROW_DOWN, Keys.TAB)
    left = page.js("return document.activeElement.closest('[role=grid]') && document.activeElement.outerHTML")
    assert left is None, f"Tab should leave the table: its links and buttons are reached by the keys of the table. The focus is on {left}"
    assert page.js("return document.querySelectorAll('[role=grid] [tabindex=\"0\"]').length") == 1


def test_columns_are_sorted_resized_and_moved_with_keys(page, zones):
    page.open(zones, objects("Zone"))
    page.row(0)
    page.focus(page.cell(0, "latitude"))
    page.press(Keys.ARROW_UP, Keys.ENTER)
    page.until(lambda: parameters(page).get("sort") == "latitude", "the table is sorted")
    page.ready()
    page.until(lambda: page.focused()[0] == "columnheader", lambda: f"the focus stays on the header: {page.focused()}")
    width = page.css("[role=columnheader][data-column='3']").size["width"]
    page.press((Keys.SHIFT, Keys.ARROW_RIGHT), (Keys.SHIFT, Keys.ARROW_RIGHT))
    page.until(lambda: page.css("[role=columnheader][data-column='3']").size["width"] > width + 20, "the column is wider")
    page.press((Keys.CONTROL, Keys.SHIFT, Keys.ARROW_LEFT))
    page.until(lambda: page.columns == [*ZONE[:2], "latitude", "countryCodes", *ZONE[4:]], lambda: f"the column has moved: {page.columns}")


def test_an_object_is_opened_and_left_with_keys(page, zones):
    page.open(zones, objects("Zone", sort="identifier"))
    name = identifiers(page, 9)[8]
    page.focus(page.cell(8, 0)).press(Keys.ENTER)
    page.at(f"Zone {name}")
    assert page.focused() == ("heading", f"Zone {name}"), "The focus should be on the heading of the new page."
    page.driver.back()
    page.ready()
    page.row(8)
    page.until(lambda: parameters(page).get("row") == "9", lambda: f"the row is kept: {page.hash}")


def test_shortcuts_lead_to_pages_and_can_be_switched_off(page, zones):
    page.open(zones)
    for key, heading in (("c", "Classes"), ("d", "Compare"), ("p", "Plan a migration"), ("o", "Overview")):
        page.js("document.activeElement?.blur?.()")
        page.press("g", key)
        page.at(heading)
    page.js("document.activeElement?.blur?.()")
    page.press("?")
    page.sees("Keyboard shortcuts", "dialog")
    page.is_accessible()
    page.picture("shortcuts")
    page.click("checkbox", "Use shortcuts of a single key", "dialog")
    page.press(Keys.ESCAPE)
    page.until(lambda: not page.all("dialog"), "Escape closes the dialog")
    page.js("document.activeElement?.blur?.()")
    page.press("g", "c")
    page.press("?")
    page.at("Overview")
    assert not page.all("dialog"), "Shortcuts should be off."


def test_a_slash_leads_to_the_filter(page, zones):
    page.open(zones, objects("Zone"))
    page.js("document.activeElement?.blur?.()")
    page.press("/")
    assert page.focused() == ("combobox", "Filter")
    page.press("g", "c", "?")
    assert page.role("combobox", "Filter", "#main").get_attribute("value") == "gc?", "Keys are text in a field."


def test_a_dialog_keeps_the_focus_and_gives_it_back(page, zones):
    page.open(zones, objects("Zone"))
    page.role("button", "Columns").send_keys(Keys.ENTER)
    page.until(lambda: page.all("dialog[open]"), "the dialog is open")
    for _ in range(80):
        page.press(Keys.TAB)
        # The browser itself is a stop, too: then nothing in the page has the focus.
        assert page.js("const one = document.activeElement; return one === document.body || one.closest('dialog') !== null"), "The focus should stay in the dialog."
    page.press(Keys.ESCAPE)
    page.until(lambda: not page.all("dialog"), "Escape closes the dialog")
    assert page.focused() == ("button", "Columns"), "The focus should be back where it was."


def test_a_row_is_edited_with_keys_alone(page, writable):
    page.open(writable, objects("Zone")).live()
    page.focus(page.cell(1, "city")).press(Keys.F2)
    page.until(lambda: page.all("dialog textarea"), "the editor is open")
    page.press((Keys.CONTROL, "a"), "Written with keys", (Keys.CONTROL, Keys.ENTER))
    page.sees("This transaction writes", "dialog")
    page.until(lambda: page.focused() == ("button", "Write"), "the button has the focus")
    page.press(Keys.ENTER)
    page.until(lambda: page.row(1)[1] == "Written with keys", "the value is written")
    page.until(lambda: page.focused()[0] == "gridcell", lambda: f"the focus is back in the table: {page.focused()}")
    page.press((Keys.CONTROL, "z"))
    page.until(lambda: page.all("dialog .undo button"), "the newest edit is offered")
    page.press(Keys.ENTER)
    page.until(lambda: page.row(1)[1] == "Dubai", "the edit is taken back")


def test_rows_are_selected_and_deleted_with_keys(page, writable):
    page.open(writable, objects("Country")).live()
    page.focus(page.cell(0, "code")).press((Keys.SHIFT, Keys.ARROW_DOWN), (Keys.SHIFT, Keys.ARROW_DOWN), Keys.DELETE)
    page.sees("3 objects deleted", "dialog")
    page.until(lambda: page.focused() == ("button", "Delete"), "the button has the focus")
    page.press(Keys.ENTER)
    page.until(lambda: re.search("deleted", page.css("[role=grid] [data-row='2']").get_attribute("class")), "the rows are struck through")


def test_what_happens_is_announced(page, zones):
    page.open(zones, objects("Zone"))
    page.row(0)
    field = page.role("combobox", "Filter", "#main")
    page.fill(field, "latitude > 60").press(Keys.ESCAPE, Keys.ENTER)
    page.until(lambda: page.text("#announce-polite") == "20 objects", lambda: f"the number of objects is announced: {page.text('#announce-polite')}")
    page.allow("400")
    page.fill(field, "latitude >> 60").press(Keys.ESCAPE, Keys.ENTER)
    page.until(lambda: "expected a value" in page.text("#announce-assertive"), "the error is announced")
