"""The table of the objects of a class: scrolling, columns, order, filter, views, and all kinds of values."""

import json
import re
from urllib.parse import parse_qs

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

import stores
from browser import an_object, objects
from tool import run_lines

ZONE = ["identifier", "city", "countryCodes", "latitude", "longitude", "comments", "country", "region", "isPopular", "clockChanges"]


def parameters(page):
    """The parameters in the address."""
    return {name: values[0] for name, values in parse_qs(page.hash.split("?", 1)[-1]).items()}


def identifiers(page, count=5):
    place = page.columns.index("identifier")
    return [page.row(number)[place] for number in range(count)]


def filter_by(page, text, key=Keys.ENTER):
    field = page.role("combobox", "Filter", "#main")
    page.fill(field, text)
    if key:
        page.press(Keys.ESCAPE, key)
    return field


# MARK: Rows

@pytest.mark.short
def test_the_table_shows_all_properties_and_the_first_objects(page, zones):
    page.open(zones, objects("Zone"))
    assert page.columns == ZONE
    assert identifiers(page, 2) == ["Europe/Andorra", "Asia/Dubai"]
    assert page.role("grid", "Objects of Zone").get_attribute("aria-rowcount") == "313"
    page.sees("312 objects").sees("Rows 1–")
    page.until(lambda: "42.5" in page.row(0)[3], "a number")
    assert page.row(0)[6] == "AD"
    page.picture("objects")


@pytest.mark.short
def test_the_table_jumps_to_the_middle_and_to_the_end(page, packages):
    page.open(packages, objects("Package"))
    total = packages.ask("/objects", **{"class": "Package"}, limit=0)["total"]
    field = page.role("spinbutton", "Go to row")
    page.fill(field, str(total // 2)).press(Keys.ENTER)
    assert page.row(total // 2 - 1)[0] == f"package-{total // 2 - 1:05}"
    page.fill(field, str(total)).press(Keys.ENTER)
    assert page.row(total - 1)[0] == f"package-{total - 1:05}"
    page.js("document.querySelector('.grid-scroller').scrollTop = 0")
    assert page.row(0)[0] == "package-00000"
    page.until(lambda: len(page.rows) < 80, "few rows are drawn")


def test_each_row_is_seen_once_while_the_table_scrolls(page, zones):
    page.open(zones, objects("Zone", sort="identifier"))
    expected = [one["values"]["identifier"] for one in run_lines("query", zones.store, "Zone", "SORT(identifier ASC)")]
    seen = {}
    while True:
        seen.update({number: cells[0] for number, cells in page.settled().items()})
        if len(seen) == 312:
            break
        page.js("document.querySelector('.grid-scroller').scrollTop += 600")
        page.until(lambda: set(page.rows) - set(seen), "more rows")
    assert [seen[number] for number in range(312)] == expected


def test_the_row_is_in_the_address(page, packages):
    page.open(packages, objects("Package", row=1500))
    assert page.row(1499)[0] == "package-01499"
    page.until(lambda: parameters(page).get("row"), "the row stays in the address")


def test_an_empty_class_and_an_unknown_class_say_so(page, zones):
    page.open(zones, objects("Zone", query="FALSEPREDICATE")).sees("No object matches the filter.")
    page.go(objects("<b>Nothing</b>"))
    page.at("No such class")
    assert "<b>Nothing</b>" in page.text()


# MARK: Order and columns

@pytest.mark.short
def test_a_click_on_a_header_sorts(page, zones):
    page.open(zones, objects("Zone"))
    page.row(0)
    for parameter, order in (({"sort": "latitude"}, "ascending"), ({"sort": "latitude", "descending": "1"}, "descending")):
        page.css("[role=columnheader][data-column='3']").click()
        page.until(lambda: {"class": "Zone", **parameter}.items() <= parameters(page).items(), f"the order {parameter} is in the address")
        page.until(lambda: page.css("[role=columnheader][data-column='3']").get_attribute("aria-sort") == order, f"aria-sort is {order}")
        query = f"SORT(latitude {'DESC' if order == 'descending' else 'ASC'})"
        expected = [one["values"]["identifier"] for one in run_lines("query", zones.store, "Zone", query)][:5]
        page.until(lambda: identifiers(page) == expected, f"the rows are {expected}")
    page.css("[role=columnheader][data-column='3']").click()
    page.until(lambda: "sort" not in parameters(page) and identifiers(page, 1) == ["Europe/Andorra"], "the order of the store is back")


def test_a_list_cannot_be_sorted_by(page, zones):
    page.open(zones, objects("Zone"))
    page.row(0)
    page.css("[role=columnheader][data-column='9']").click()
    page.sees("cannot be sorted by 'clockChanges'", "#toasts")


def test_columns_are_chosen_ordered_and_kept(page, zones):
    page.open(zones, objects("Zone"))
    page.click("button", "Columns")
    page.click("checkbox", re.compile("^city"), "dialog")
    page.click("button", "Move latitude up", "dialog")
    page.fill(page.role("combobox", re.compile("^Add the column of a path"), "dialog"), "country.name")
    page.click("button", "Add", "dialog")
    page.fill(page.role("combobox", re.compile("^Add the column of a path"), "dialog"), "country.nothing")
    page.click("button", "Add", "dialog")
    page.sees("'country.nothing' is not a path of Zone.", "dialog")
    page.is_accessible()
    page.picture("columns")
    page.click("button", "Show these columns", "dialog")
    expected = ["country.name", "identifier", "latitude", "countryCodes", *ZONE[4:]]
    page.until(lambda: page.columns == expected, f"the columns are {expected}")
    assert page.row(0)[:3] == ["Andorra", "Europe/Andorra", "42.5"]
    page.driver.refresh()
    page.ready()
    assert page.columns == expected
    page.click("button", "Columns")
    page.click("button", "Reset", "dialog")
    page.click("button", "Show these columns", "dialog")
    page.until(lambda: page.columns == ZONE, "the columns are as at first")


def test_a_column_is_resized_and_moved_with_the_pointer(page, zones):
    page.open(zones, objects("Zone"))
    width = page.css("[role=columnheader][data-column='1']").size["width"]
    ActionChains(page.driver).click_and_hold(page.css("[role=columnheader][data-column='1'] .resizer")).move_by_offset(80, 0).release().perform()
    page.until(lambda: page.css("[role=columnheader][data-column='1']").size["width"] >= width + 70, "the column is wider")
    page.driver.refresh()
    page.ready()
    assert page.css("[role=columnheader][data-column='1']").size["width"] >= width + 70, "The width should be kept."
    assert page.columns == ZONE


def test_preferences_belong_to_one_store(page, zones, packages):
    page.open(zones, objects("Zone"))
    page.click("button", "Columns")
    page.click("checkbox", re.compile("^city"), "dialog")
    page.click("button", "Show these columns", "dialog")
    page.until(lambda: "city" not in page.columns, "one column less")
    keys = page.js("return Object.keys(localStorage)")
    assert keys == [f"whimbrel.{zones.ask('/studio')['uuid']}.columns.Zone"], keys
    assert packages.ask("/studio")["uuid"] not in keys[0]


# MARK: Filter

@pytest.mark.short
def test_a_filter_finds_objects_and_is_in_the_address(page, zones):
    page.open(zones, objects("Zone"))
    filter_by(page, "latitude > 60 SORT(latitude DESC)")
    page.sees("20 of 312 objects")
    assert parameters(page)["query"] == "latitude > 60 SORT(latitude DESC)"
    assert identifiers(page, 1) == ["Arctic/Longyearbyen"] or float(page.row(0)[3]) > 70
    page.driver.back()
    page.sees("312 objects")
    page.sees_not("20 of")
    assert page.role("combobox", "Filter", "#main").get_attribute("value") == ""
    page.driver.forward()
    page.sees("20 of 312 objects")
    page.click("button", "Clear the filter")
    page.sees_not("20 of")


def test_a_filter_stays_in_the_address_if_the_row_in_sight_is_noted_before_the_page_follows(page, zones):
    page.open(zones, objects("Zone"))
    page.settled()
    page.js("""
        const real = window.setTimeout;
        window.setTimeout = (action, delay, ...rest) => { if (delay === 400) window.__note = action; return real(action, delay, ...rest); };
        document.querySelector('.grid-scroller').scrollTop = 640;""")
    page.until(lambda: page.js("return Boolean(window.__note)"), "the page notes the row in sight soon")
    # The page hears of the new address only when the script has ended.
    page.js("location.hash = arguments[0]; window.__note();", objects("Zone", query="latitude > 60"))
    page.sees("20 of 312 objects")
    assert parameters(page)["query"] == "latitude > 60"


@pytest.mark.short
def test_a_wrong_filter_shows_its_place(page, zones):
    page.allow("400")
    page.open(zones, objects("Zone"))
    field = filter_by(page, "latitude >> 60")
    page.sees("expected a value after '>'")
    message = page.text(".filter-error pre").split("\n")
    place = next(number for number, line in enumerate(message) if line.strip() == "^")
    assert message[place - 1][message[place].index("^")] == ">", f"The ^ should be under the second >: {message}"
    assert field.get_attribute("aria-invalid") == "true"
    assert page.text(".filter-mark mark") == ">"
    assert page.row(0)[0] == "Europe/Andorra", "The table should stay."
    page.is_accessible()
    page.picture("filter-error")
    filter_by(page, "latitude > 60")
    page.sees("20 of 312 objects")
    assert page.text(".filter-error") == ""


def test_a_wrong_filter_in_the_address_shows_its_place(page, zones):
    page.allow("400")
    page.open(zones, objects("Zone", query="nothing == 1"))
    page.sees("nothing").sees("^")


@pytest.mark.short
def test_the_filter_is_completed(page, zones):
    page.open(zones, objects("Zone"))
    field = filter_by(page, "lat", None)
    page.until(lambda: page.names("option", "#main") and page.names("option", "#main")[0].startswith("latitude"), "'latitude' is offered first")
    assert field.get_attribute("aria-expanded") == "true"
    page.press(Keys.ARROW_DOWN)
    assert field.get_attribute("aria-activedescendant")
    page.press(Keys.ENTER)
    page.until(lambda: field.get_attribute("value") == "latitude", "the name is completed")
    field.send_keys(" ")
    page.until(lambda: any(name.startswith(">=") for name in page.names("option", "#main")), "operators are offered")
    page.picture("completion")
    page.fill(field, "country.")
    page.until(lambda: [name.split()[0].removesuffix("string") for name in page.names("option", "#main")] == ["code", "name"], "properties of the linked class are offered")
    page.fill(field, "countryCodes == ")
    page.until(lambda: any("US" in name for name in page.names("option", "#main")), "frequent values are offered")
    page.press(Keys.ESCAPE)
    page.until(lambda: field.get_attribute("aria-expanded") == "false", "Escape closes the suggestions")
    assert field.get_attribute("value") == "countryCodes == "


def test_a_filter_is_explained(page, zones):
    page.open(zones, objects("Zone"))
    filter_by(page, "latitude > 60", None)
    page.press(Keys.ESCAPE)
    page.click("button", "Explain")
    page.sees("How the objects are found").sees("no index fits").sees("It read 0 index entries and 312 records")
    filter_by(page, "city == \"Paris\"", None)
    page.press(Keys.ESCAPE)
    page.click("button", "Explain")
    page.sees("It uses the index")
    page.is_accessible()
    page.click("button", "Close the explanation")
    page.sees_not("How the objects are found")


def test_views_have_names_and_are_in_the_address(page, zones):
    page.open(zones, objects("Zone", query="latitude > 60"))
    page.click("button", "Keep as a view")
    page.role("textbox", "Name", "dialog").send_keys("North <b>")
    page.click("button", "Save", "dialog")
    page.until(lambda: page.names("link", ".views") == ["All", "North <b>"], "the view is shown")
    assert json.loads(parameters(page)["views"]) == [["North <b>", "latitude > 60", "", False]]
    address = page.driver.current_url
    page.click("link", "All", ".views")
    page.sees_not("20 of")
    page.click("button", "Add", ".views")
    page.role("textbox", "Name", "dialog").send_keys("South")
    page.click("button", "Save", "dialog")
    page.until(lambda: len(page.names("link", ".views")) == 3, "a second view")
    filter_by(page, "latitude < -40")
    page.until(lambda: json.loads(parameters(page)["views"])[1][1] == "latitude < -40", "the view keeps its filter")
    page.click("link", "North <b>", ".views")
    page.sees("20 of 312 objects")
    page.click("button", "Rename", ".views")
    page.fill(page.role("textbox", "Name", "dialog"), "Cold")
    page.click("button", "Save", "dialog")
    page.until(lambda: "Cold" in page.names("link", ".views"), "the view is renamed")
    page.click("button", "Remove", ".views")
    page.until(lambda: page.names("link", ".views") == ["All", "South"], "the view is removed")
    page.driver.get("about:blank")
    page.driver.get(address)
    page.ready().sees("20 of 312 objects")
    assert page.names("link", ".views") == ["All", "North <b>"], "The address alone should have the views."


# MARK: Values

def peek(page, row, column):
    """Shows all of a value, with the key for it."""
    page.focus(page.cell(row, column)).press(Keys.SPACE)
    page.until(lambda: page.all(".peek:popover-open"), "the value is shown beside its cell")
    page.until(lambda: not page.all(".peek .skeleton"), "the value is loaded")
    return page.text(".peek")


def show_columns(page, server, name, columns, **parameters):
    """Opens a table with some columns."""
    page.open(server, "#/overview")
    page.js("localStorage.setItem(arguments[0], arguments[1])", f"whimbrel.{server.ask('/studio')['uuid']}.columns.{name}",
            json.dumps([{"name": column, "width": 14} for column in columns]))
    page.driver.get("about:blank")
    return page.open(server, objects(name, **parameters), keeps_storage=True)


def test_a_link_leads_to_its_object(page, zones):
    page.open(zones, objects("Zone"))
    cell = page.cell(0, "country")
    assert cell.text == "AD"
    cell.find_element("css selector", "a").click()
    page.ready().sees("Andorra")
    assert page.hash == an_object("Country", "id:1")
    page.driver.back()
    page.ready()
    assert page.row(0)[0] == "Europe/Andorra"


@pytest.mark.short
def test_a_list_is_seen_in_place(page, packages):
    show_columns(page, packages, "Package", ["name", "depends", "tags", "files", "checksums"], row=43)
    assert page.row(42)[1].startswith("42")
    text = peek(page, 42, "depends")
    page.until(lambda: "1–42 of 42 elements" in page.text(".peek"), f"all elements of the list are shown: {text}")
    assert "package-00041" in page.text(".peek")
    page.is_accessible()
    page.picture("list")
    page.press(Keys.ESCAPE)
    page.until(lambda: not page.all(".peek"), "Escape closes the value")
    assert page.focused()[0] in ("gridcell", "generic") and "42" in page.focused()[1], "The focus should be back on the cell."
    assert "md5" in peek(page, 42, "checksums")


def test_data_is_seen_as_bytes_and_as_an_image(page, packages):
    show_columns(page, packages, "Package", ["name", "checksum", "icon"])
    assert "PNG" in page.row(0)[2]
    peek(page, 20, "checksum")
    page.sees("00000010  9c 9d 9e 9f", ".peek")
    page.press(Keys.ESCAPE)
    peek(page, 0, "icon")
    page.until(lambda: "PNG, 24 × 24 pixels" in page.text(".peek"), "the image is shown")
    page.picture("image")
    page.click("button", "Bytes", ".peek")
    assert "89 50 4e 47" in page.text(".peek")


def test_dates_are_local_and_in_utc(page, packages):
    show_columns(page, packages, "Package", ["name", "updated"])
    assert page.row(0)[1] == "nil"
    assert page.row(1)[1] == "11 Feb 2021, 13:30:00", "A date should be shown in the time zone of the browser."
    time = page.cell(1, "updated").find_element("css selector", "time")
    assert time.get_attribute("title").startswith("2021-02-11 12:30:00") and time.get_attribute("title").endswith("UTC")
    assert "2021-02-11 12:30:00" in peek(page, 1, "updated")


def test_a_long_text_is_shown_on_demand(page, packages):
    show_columns(page, packages, "Package", ["name", "description"], row=8)
    assert "20,000 characters" in page.row(7)[1]
    peek(page, 7, "description")
    page.click("button", "Show all 20,000 characters", ".peek")
    page.until(lambda: "This is the whole text." in page.text(".peek"), "the whole text is shown")
    assert len(page.text(".peek .value-text")) >= 19_999


def test_nil_and_an_empty_text_are_told_apart(page, zones, packages):
    page.open(zones, objects("Zone"))
    assert page.row(0)[5] == "empty"
    show_columns(page, packages, "Package", ["name", "homepage", "icon", "score"])
    assert page.row(0)[1] == "nil" and page.row(1)[2] == "nil" and page.row(0)[3] == "nil"
    assert page.cell(0, "homepage").find_elements("css selector", "[class*=token]"), "nil should not look like a text."


def test_values_are_copied(page, zones):
    page.cdp("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"], origin=zones.origin)
    page.open(zones, objects("Zone"))
    page.cell(1, "identifier").click()
    page.press("c")
    page.until(lambda: page.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0], arguments[0])") == "Asia/Dubai", "the value is on the clipboard")


@pytest.mark.parametrize("name", ["Zone", "Country", "Region", "ClockChange"])
def test_each_class_has_a_table(page, zones, name):
    page.open(zones, objects(name))
    page.row(0)
    page.until(lambda: page.heading().startswith(name), f"the heading begins with {name}")


def test_a_damaged_object_does_not_hide_the_others(page, damaged):
    page.allow("500|404")
    for name in ("Zone", "Country", "Region", "ClockChange"):
        page.open(damaged, objects(name))
        page.until(lambda: page.rows or "damage" in page.text().lower() or "Could not" in page.text(), f"rows of {name} or an error are shown")


def test_the_page_waits_for_no_answer_that_is_slow(page, packages):
    """Typing, sorting and scrolling go on while an answer is under way, and the newest wins."""
    page.open(packages, objects("Package"))
    for query in ("installedSize > 1", "installedSize > 2", "installedSize > 899000"):
        filter_by(page, query)
    expected = packages.ask("/objects", **{"class": "Package"}, query="installedSize > 899000", limit=0)["total"]
    page.sees(f"{expected} of ")
    page.until(lambda: page.css("[role=grid]").get_attribute("aria-rowcount") == str(expected + 1), "the newest filter is shown")


def test_rows_that_are_too_long_for_one_answer_come_in_parts(page, serve, folder):
    names = [f"list{number}" for number in range(20)]
    schema = {"schemaVersion": 1, "classes": [{"name": "Wide", "properties": [
        {"name": "name", "type": "string", "primaryKey": True}, *({"name": name, "type": "[string]"} for name in names)]}]}
    lines = [("Wide", number, {"name": f"row {number}", **{name: [f"{number} " + "\u20ac" * 1_000] * 5 for name in names}})
             for number in range(1, 101)]
    store = stores.load(folder / "wide.whimbrel", "5A6F6E65-7300-4000-8000-0000000000A1", schema, lines, stores.ids({"Wide": 100}))
    server = serve(store)
    assert server.ask("/objects", **{"class": "Wide"}, limit=100)["isPartial"]
    page.open(server, objects("Wide")).live()
    page.fill(page.role("spinbutton", "Go to row"), "100")
    page.click("button", "Go")
    assert "row 100" in page.row(99)
