"""Editing: a preview of the transaction, writing it, and taking it back."""

import json
import re
import shutil

import pytest
from selenium.webdriver.common.keys import Keys

import stores
from browser import an_object, objects
from stores import png
from tool import run, run_lines


def value(server, name, prop, one="Zone"):
    found = server.ask("/object", **{"class": one}, name=name)
    return next(each["cell"] for each in found["properties"] if each["name"] == prop)


def open_editor(page, row, column):
    page.focus(page.cell(row, column)).press(Keys.F2)
    page.until(lambda: page.all("dialog[open]") and not page.all("dialog .skeleton"), "the editor is open")


def preview(page):
    page.click("button", "Preview", "dialog")
    page.until(lambda: "This transaction writes" in page.text("dialog") or "not possible" in page.text("dialog") or page.text("dialog .field-error"), "the preview is shown")
    return page.text("dialog")


def write(page):
    page.click("button", "Write", "dialog")
    page.until(lambda: not page.all("dialog"), "the dialog closes")
    page.sees("Written:", "#toasts")


def test_a_read_only_page_has_no_controls_for_editing(page, zones):
    page.open(zones, objects("Zone"))
    page.row(0)
    assert not {"Add", "Delete", "Undo"} & set(page.names("button"))
    page.focus(page.cell(0, "latitude")).press(Keys.F2)
    assert not page.all("dialog")
    page.go(an_object("Zone", "Europe/Paris"))
    assert not [name for name in page.names("button") if re.match("Edit|Delete|Undo", name)]


def test_a_value_that_has_changed_since_the_preview_is_not_overwritten(page, writable):
    page.allow("409")
    page.open(writable, objects("Zone")).live()
    open_editor(page, 0, "latitude")
    page.fill(page.role("textbox", "latitude", "dialog"), "12.5")
    preview(page)
    run("set", writable.store, "Zone", "Europe/Andorra", "latitude=7.5", "--write")
    page.click("button", "Write", "dialog")
    page.sees("have changed since the preview", "dialog")
    assert value(writable, "Europe/Andorra", "latitude") == 7.5
    page.click("button", "Try again", "dialog")
    page.until(lambda: "7.5" in page.text("dialog"), "the preview is made again")
    write(page)
    assert value(writable, "Europe/Andorra", "latitude") == 12.5


@pytest.mark.short
def test_a_value_is_edited_with_a_preview_and_taken_back(page, writable):
    page.open(writable, objects("Zone")).live()
    open_editor(page, 0, "latitude")
    page.is_accessible()
    page.fill(page.role("textbox", "latitude", "dialog"), "12.5")
    text = preview(page)
    for part in ("1 object changed", "Europe/Andorra", "42.5", "12.5", "whimbrel set"):
        assert part in text, text
    assert value(writable, "Europe/Andorra", "latitude") == 42.5, "A preview should write nothing."
    page.is_accessible()
    page.picture("edit-preview")
    write(page)
    page.until(lambda: page.row(0)[3] == "12.5", "the new value is in its cell")
    assert value(writable, "Europe/Andorra", "latitude") == 12.5
    page.click("button", "Undo", "#toasts")
    page.sees("Undo the latest edit?", "dialog")
    page.click("button", re.compile("^Undo"), "dialog")
    page.until(lambda: page.row(0)[3] == "42.5", "the old value is back")
    assert value(writable, "Europe/Andorra", "latitude") == 42.5


def test_a_preview_leads_back_to_the_editor(page, writable):
    page.open(writable, objects("Zone")).live()
    open_editor(page, 0, "city")
    page.fill(page.role("textbox", "city", "dialog"), "Two\nlines")
    preview(page)
    page.click("button", "Back", "dialog")
    field = page.role("textbox", "city", "dialog")
    page.until(lambda: field.get_attribute("value") == "Two\nlines", "what was entered is kept")
    page.click("button", "Cancel", "dialog")
    page.until(lambda: not page.all("dialog"), "the dialog closes")
    assert page.focused()[0] in ("gridcell", "generic"), "The focus should be back in the table."


EDITS = {
    "installedSize": ("12345", 12345), "score": ("1e3", 1000.0), "price": ("99999999999999999999.25", "99999999999999999999.25"),
    "version": ("<b>new</b>", "<b>new</b>"), "tags": ('["one", "two"]', {"one", "two"}), "checksums": ('{"a": "b"}', [["a", "b"]]),
    "files": ("[]", []), "checksum": ("de ad be ef", "3q2+7w=="),
}


@pytest.fixture
def own_packages(serve, folder, packages):
    store = folder / "packages.whimbrel"
    shutil.copyfile(packages.store, store)
    return serve(store, "--write")


@pytest.mark.parametrize("prop", EDITS)
def test_each_kind_of_value_is_edited(page, own_packages, prop):
    text, expected = EDITS[prop]
    page.open(own_packages, an_object("Package", "package-00003")).live()
    page.click("button", f"Edit {prop}")
    page.until(lambda: not page.all("dialog .skeleton"), "the editor is ready")
    field = page.role("textbox", re.compile(f"^{prop}"), "dialog")
    page.fill(field, text)
    shown = preview(page)
    assert "1 object changed" in shown, shown
    write(page)
    cell = value(own_packages, "package-00003", prop, "Package")
    if isinstance(expected, set):
        assert set(cell["elements"]) == expected
    elif isinstance(expected, list):
        assert cell.get("elements", cell.get("entries")) == expected
    elif isinstance(cell, dict):
        assert cell["data"] == expected
    else:
        assert cell == expected


def test_special_numbers_nil_and_choices_are_edited(page, own_packages):
    page.open(own_packages, an_object("Package", "package-00003")).live()
    for name, act, expected in [
        ("score", lambda: page.fill(page.role("textbox", "score", "dialog"), "-infinity"), "-inf"),
        ("score", lambda: page.click("checkbox", "nil: no value", "dialog"), None),
        ("essential", lambda: page.click("radio", "true", "dialog"), True),
        ("priority", lambda: page.css("dialog option[value=extra]").click(), "extra"),
    ]:
        page.click("button", f"Edit {name}")
        page.until(lambda: page.all("dialog") and not page.all("dialog .skeleton"), "the editor is ready")
        act()
        assert "1 object changed" in preview(page), name
        write(page)
        assert value(own_packages, "package-00003", name, "Package") == expected
        page.js("document.getElementById('toasts').replaceChildren()")


def test_a_link_is_edited_with_suggestions(page, writable):
    page.open(writable, objects("Zone")).live()
    open_editor(page, 0, "country")
    field = page.role("combobox", "country", "dialog")
    page.fill(field, "F")
    page.until(lambda: "FR" in page.js("return [...document.querySelectorAll('dialog datalist option')].map((one) => one.value)"), "countries are offered")
    page.fill(field, "FR")
    assert "FR" in preview(page)
    write(page)
    assert value(writable, "Europe/Andorra", "country")["name"] == "FR"


@pytest.fixture
def links(serve, folder):
    """Links to objects whose primary keys a field of one line cannot show."""
    keys = ["", "two\nlines", "x" * 600, "id:2", "plain"]
    schema = {"schemaVersion": 1, "classes": [
        {"name": "Owner", "properties": [{"name": "name", "type": "string", "primaryKey": True}, {"name": "link", "type": "<Target>"}]},
        {"name": "Target", "properties": [{"name": "key", "type": "string", "primaryKey": True}]}]}
    lines = [*(("Target", number + 1, {"key": key}) for number, key in enumerate(keys)),
             *(("Owner", number + 1, {"name": f"owner {number + 1}", "link": {"key": key}}) for number, key in enumerate(keys))]
    counts = {"Owner": len(keys), "Target": len(keys)}
    return serve(stores.load(folder / "links.whimbrel", "5A6F6E65-7300-4000-8000-0000000000C1", schema, lines, stores.ids(counts)), "--write")


@pytest.mark.parametrize("target, shown", [(1, "id:1"), (2, "id:2"), (3, "id:3"), (4, "id:2"), (5, "plain")])
def test_a_link_that_is_not_touched_stays(page, links, target, shown):
    """The empty primary key was taken for nil."""
    page.open(links, an_object("Owner", f"owner {target}")).live()
    page.click("button", "Edit link")
    assert page.role("combobox", "link", "dialog").get_attribute("value") == shown
    page.click("button", "Preview", "dialog")
    page.sees("Nothing changes", "dialog")


def test_an_object_with_an_empty_key_is_linked_to(page, links):
    page.open(links, an_object("Owner", "owner 5")).live()
    page.click("button", "Edit link")
    field = page.role("combobox", "link", "dialog")
    page.until(lambda: "id:1" in page.js("return [...document.querySelectorAll('dialog datalist option')].map((one) => one.value)"), "the object is offered by its ID")
    page.fill(field, "id:1")
    assert "1 object changed" in preview(page)
    write(page)
    assert value(links, "owner 5", "link", "Owner")["id"] == 1


def test_a_date_is_edited_in_local_time_and_in_utc(page, own_packages):
    page.open(own_packages, an_object("Package", "package-00003")).live()
    before = value(own_packages, "package-00003", "updated", "Package")
    page.click("button", "Edit updated")
    page.until(lambda: page.all("dialog input[type=datetime-local]"), "the editor is ready")
    page.css("dialog select option[value=utc]").click()
    page.js("const field = document.querySelector('dialog input[type=datetime-local]'); field.value = '2031-02-03T04:05:06.789'; field.dispatchEvent(new Event('input', { bubbles: true }))")
    assert "2031-02-03T04:05:06.789Z" in preview(page)
    write(page)
    assert value(own_packages, "package-00003", "updated", "Package").startswith("2031-02-03T04:05:06.789") and before


def test_data_is_edited_with_a_file(page, own_packages, folder):
    picture = folder / "picture.png"
    picture.write_bytes(png(3, 3))
    page.open(own_packages, an_object("Package", "package-00004")).live()
    page.click("button", "Edit icon")
    page.until(lambda: page.all("dialog input[type=file]"), "the editor is ready")
    page.css("dialog input[type=file]").send_keys(str(picture))
    page.sees(f"{picture.stat().st_size} bytes", "dialog")
    preview(page)
    write(page)
    page.sees("PNG, 3 × 3 pixels")


@pytest.fixture
def numbers(serve, folder):
    """Numbers at the limits of what JSON in JavaScript keeps."""
    schema = {"schemaVersion": 1, "classes": [
        {"name": "Part", "embedded": True, "properties": [{"name": "real", "type": "double"}, {"name": "note", "type": "string"}]},
        {"name": "Item", "properties": [
            {"name": "name", "type": "string", "primaryKey": True},
            {"name": "whole", "type": "int"}, {"name": "wholes", "type": "[int]"},
            {"name": "short", "type": "float"}, {"name": "real", "type": "double"}, {"name": "reals", "type": "[double]"},
            {"name": "any", "type": "any", "optional": True}, {"name": "part", "type": "<Part>"}]}]}
    lines = [
        ("Item", 1, {"name": "a", "whole": 2**53, "wholes": [-2**53, 2**53], "short": "-0", "real": 1.5,
                     "reals": ["-0", 0.10000000000000003, 1e20], "any": {"double": "-0"}, "part": {"link": 1}}),
        ("Part", 1, {"real": "-0", "note": "old"})]
    return serve(stores.load(folder / "numbers.whimbrel", "5A6F6E65-7300-4000-8000-0000000000C0", schema, lines, stores.ids({"Item": 1, "Part": 1})), "--write")


def edit(page, prop, change):
    """Edits a value of the object that is shown. `change` makes the new text of the old one."""
    page.click("button", f"Edit {prop}")
    page.until(lambda: page.all("dialog") and not page.all("dialog .skeleton"), "the editor is ready")
    field = page.role("textbox", re.compile(f"^{prop}"), "dialog")
    page.fill(field, change(field.get_attribute("value")))
    shown = preview(page)
    assert "1 object changed" in shown, shown
    write(page)
    page.js("document.getElementById('toasts').replaceChildren()")


def dumped(server, name):
    """The values of the only object of a class, as a dump has them."""
    return next(line["values"] for line in run_lines("dump", server.store)[1:] if line["class"] == name)


@pytest.mark.parametrize("number", [2**53, -2**53, 2**53 + 1, -2**53 - 1])
def test_whole_numbers_at_the_limit_of_javascript_are_edited(page, numbers, number):
    page.open(numbers, an_object("Item", "a")).live()
    edit(page, "whole", lambda _: "7")
    edit(page, "whole", lambda _: str(number))
    assert dumped(numbers, "Item")["whole"] == stores.exact(number)
    edit(page, "wholes", lambda old: json.dumps([*json.loads(old), stores.exact(number)]))
    assert dumped(numbers, "Item")["wholes"] == [-2**53, 2**53, stores.exact(number)]


@pytest.mark.parametrize("prop, text, problem", [("wholes", f"[{2**53 + 1}]", f"Write {2**53 + 1} in quotes"), ("reals", "[1, -1e400]", "-1e400 is too large")])
def test_a_number_that_cannot_be_sent_is_refused_by_the_editor(page, numbers, prop, text, problem):
    page.open(numbers, an_object("Item", "a")).live()
    page.click("button", f"Edit {prop}")
    page.until(lambda: page.all("dialog") and not page.all("dialog .skeleton"), "the editor is ready")
    page.fill(page.role("textbox", re.compile(f"^{prop}"), "dialog"), text)
    page.click("button", "Preview", "dialog")
    page.sees(problem, "dialog .field-error")


@pytest.mark.parametrize("prop", ["short", "real"])
@pytest.mark.parametrize("text", ["-0", "-0.0"])
def test_a_negative_zero_is_written(page, numbers, prop, text):
    page.open(numbers, an_object("Item", "a")).live()
    edit(page, prop, lambda _: "2.5")
    edit(page, prop, lambda _: text)
    assert dumped(numbers, "Item")[prop] == "-0"


def test_numbers_that_stay_are_sent_back_unchanged(page, numbers):
    page.open(numbers, an_object("Item", "a")).live()
    edit(page, "reals", lambda old: json.dumps([*json.loads(old), 2.5]))
    assert dumped(numbers, "Item")["reals"] == ["-0", 0.10000000000000003, 1e20, 2.5]
    edit(page, "reals", lambda _: "[-0.0, 1]")
    assert dumped(numbers, "Item")["reals"] == ["-0", 1]
    edit(page, "part", lambda old: old.replace("old", "new"))
    assert dumped(numbers, "Part") == {"real": "-0", "note": "new"}
    edit(page, "any", lambda old: json.dumps({"list": [json.loads(old)]}))
    assert dumped(numbers, "Item")["any"] == {"list": [{"double": "-0"}]}


@pytest.mark.parametrize("prop, text, problem", [
    ("installedSize", "1.5", "not a whole number"), ("installedSize", "9223372036854775808", "does not fit"), ("score", "x", "not a number"),
    ("price", "1,5", "not a decimal number"), ("tags", "{", "JSON"), ("tags", '["a", "a"]', "twice"), ("checksum", "abc", "pairs of hexadecimal digits"),
])
def test_what_is_not_a_value_is_refused_by_the_editor(page, own_packages, prop, text, problem):
    page.open(own_packages, an_object("Package", "package-00003")).live()
    page.click("button", f"Edit {prop}")
    page.until(lambda: page.all("dialog") and not page.all("dialog .skeleton"), "the editor is ready")
    page.fill(page.role("textbox", re.compile(f"^{prop}"), "dialog"), text)
    page.click("button", "Preview", "dialog")
    page.sees(problem, "dialog .field-error")


def test_what_the_store_refuses_is_shown(page, writable):
    page.allow("400|404|409")
    page.open(writable, objects("Country")).live()
    page.click("button", "Add", "#main")
    page.until(lambda: page.all("dialog") and not page.all("dialog .skeleton"), "the form is ready")
    page.fill(page.role("textbox", "code", "dialog"), "AD")
    page.fill(page.role("textbox", "name", "dialog"), "a second Andorra")
    assert "This transaction is not possible." in preview(page)
    page.is_accessible()


def test_a_primary_key_in_the_table_is_not_edited(page, writable):
    page.open(writable, objects("Zone")).live()
    page.focus(page.cell(0, "identifier")).press(Keys.F2)
    page.sees("A primary key cannot be changed.", "#toasts")
    assert not page.all("dialog[open]")


def test_a_property_with_a_dot_in_its_name_is_edited_in_the_table(page, serve, folder):
    schema = {"schemaVersion": 1, "classes": [{"name": "Parcel", "properties": [{"name": "net.weight", "type": "int"}]}]}
    server = serve(stores.load(folder / "dots.whimbrel", "5A6F6E65-7300-4000-8000-0000000000C1", schema, [("Parcel", 1, {"net.weight": 5})], stores.ids({"Parcel": 1})), "--write")
    page.open(server, objects("Parcel")).live()
    open_editor(page, 0, "net.weight")
    page.fill(page.role("textbox", re.compile("^net.weight"), "dialog"), "7")
    assert "1 object changed" in preview(page)
    write(page)
    assert dumped(server, "Parcel") == {"net.weight": 7}


def test_an_object_is_added_and_deleted(page, writable):
    page.open(writable, objects("Country")).live()
    page.click("button", "Add", "#main")
    page.until(lambda: page.all("dialog") and not page.all("dialog .skeleton"), "the form is ready")
    page.is_accessible()
    page.fill(page.role("textbox", "code", "dialog"), "XX")
    page.fill(page.role("textbox", "name", "dialog"), "<i>New</i>")
    text = preview(page)
    assert "1 object added" in text and "<i>New</i>" in text
    write(page)
    page.sees("1 object was added.")
    page.click("button", re.compile("^Show them"))
    page.until(lambda: page.css("[role=grid]").get_attribute("aria-rowcount") == "251", "the table is loaded anew")
    page.js("document.querySelector('.grid-scroller').scrollTop = 1e9")
    page.until(lambda: page.row(249)[0] == "XX", "the new object is at the end")
    page.js("document.querySelector('.grid-scroller').scrollTop = 0")
    page.click("checkbox", "Select row 1", "#main")
    page.click("checkbox", "Select row 2", "#main")
    page.click("button", "Delete 2", "#main")
    page.sees("2 objects deleted", "dialog")
    page.picture("delete")
    page.click("button", "Delete", "dialog")
    page.sees("Written:", "#toasts")
    page.until(lambda: "is-deleted" in page.css("[role=grid] [data-row='0']").get_attribute("class"), "the rows are struck through")
    assert run_lines("query", writable.store, "Country", "code == \"AD\"") == []
    page.focus(page.cell(3, "name")).press((Keys.CONTROL, "z"))
    page.sees("Undo the latest edit?", "dialog")
    page.click("button", re.compile("^Undo"), "dialog")
    page.until(lambda: run_lines("query", writable.store, "Country", "code == \"AD\""), "the objects are back")
    assert value(writable, "Europe/Andorra", "country")["name"] == "AD", "Links to them should be back, too."


def test_an_edit_that_others_have_overtaken_cannot_be_taken_back(page, writable):
    page.allow("409")
    page.open(writable, objects("Zone")).live()
    open_editor(page, 0, "latitude")
    page.fill(page.role("textbox", "latitude", "dialog"), "12.5")
    preview(page)
    write(page)
    run("set", writable.store, "Zone", "Europe/Andorra", "latitude=13", "--write")
    page.click("button", "Undo", "#main")
    page.click("button", re.compile("^Undo"), "dialog")
    page.sees("This edit cannot be undone.", "dialog")
    assert value(writable, "Europe/Andorra", "latitude") == 13


def test_the_command_of_an_edit_is_copied(page, writable):
    page.cdp("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"], origin=writable.origin)
    page.open(writable, objects("Zone")).live()
    open_editor(page, 0, "comments")
    page.fill(page.role("textbox", "comments", "dialog"), "it's $HOME")
    preview(page)
    page.click("button", "Copy", "dialog")
    page.sees("Copied", "dialog")
    command = page.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0], arguments[0])")
    assert command.startswith("whimbrel set ") and command.endswith("--write")
