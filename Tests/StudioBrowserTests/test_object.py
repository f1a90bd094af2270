"""The page of one object: its values, links both ways, and its record."""

import re

import pytest

from browser import an_object, objects
from tool import run


@pytest.mark.short
def test_an_object_shows_its_values_and_what_links_to_it(page, zones):
    page.open(zones, an_object("Country", "FR"))
    page.at("Country FR")
    text = page.text()
    assert "France" in text and "Zone.country" in text and "Europe/Paris" in text
    assert page.driver.title.startswith("Country FR")
    page.picture("object")


def test_links_lead_both_ways(page, zones):
    page.open(zones, an_object("Country", "FR"))
    page.click("link", "Europe/Paris", "#main")
    page.ready().sees("48.86")
    page.at("Zone Europe/Paris")
    page.click("link", re.compile(r"^(Country )?FR$"), "#main")
    page.at("Country FR")


def test_embedded_objects_are_opened(page, zones):
    page.open(zones, objects("Zone", query="ANY clockChanges.offset > 0"))
    name = page.row(0)[0]
    page.open(zones, an_object("Zone", name)).sees("clockChanges")
    page.click("link", re.compile("id:|ClockChange"), "[data-property=clockChanges]")
    page.ready()
    page.until(lambda: page.heading().startswith("ClockChange"), "the embedded object is shown")
    page.sees(name).sees("Embedded")


@pytest.mark.short
def test_previous_and_next_follow_the_order_of_the_table(page, zones):
    page.open(zones, objects("Zone", sort="latitude", query="latitude > 60"))
    names = [page.row(number)[0] for number in range(3)]
    page.cell(1, "latitude").click()
    page.press("\ue007")
    page.ready().sees("2 of 20")
    page.at(f"Zone {names[1]}")
    page.click("link", "Next")
    page.until(lambda: page.heading() == f"Zone {names[2]}", "the next object")
    page.sees("3 of 20")
    page.click("link", "Previous")
    page.until(lambda: page.heading() == f"Zone {names[1]}", "the previous object")
    page.click("link", re.compile("^Zone where"), ".crumbs")
    page.ready().sees("20 of 312 objects")


def test_the_record_is_a_picture_and_a_table(page, zones):
    page.open(zones, an_object("Zone", "Europe/Paris")).sees("Record")
    record = zones.ask("/object", **{"class": "Zone"}, name="Europe/Paris")["record"]
    assert page.names("image", "#main") + page.names("img", "#main") != []
    page.click("DisclosureTriangle", "Slots as a table")
    rows = page.js("return [...document.querySelectorAll('.record-slots tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))")
    assert rows == [[slot["property"], str(slot["offset"]), str(slot["bytes"])] for slot in record["slots"]]


def test_long_and_many_values_are_loaded_on_demand(page, packages):
    page.open(packages, an_object("Package", "package-00007"))
    page.click("button", "Show all 20,000 characters")
    page.sees("This is the whole text.")
    page.open(packages, an_object("Package", "package-00042")).sees("1–42 of 42 elements")
    page.open(packages, an_object("Maintainer", "id:1")).sees("Package.maintainer")


def test_many_incoming_links_come_in_parts(page, packages):
    page.open(packages, an_object("Section", "admin")).sees("Package.section")
    count = packages.ask("/object", **{"class": "Section"}, name="admin")["linkedFrom"][0]["count"]
    assert count > 200
    page.click("button", re.compile("^Next: objects of Package.section"))
    page.until(lambda: page.js("return document.querySelector('.incoming [role=status]').textContent").endswith(f"of {count} objects"), "the next part")
    seen = page.names("link", ".incoming")
    page.click("button", re.compile("^Next: objects of Package.section"))
    page.until(lambda: page.names("link", ".incoming") and page.names("link", ".incoming")[0] not in seen, "other objects")


def test_an_object_that_is_not_there_says_so(page, zones):
    page.allow("404")
    page.open(zones, an_object("Zone", "Nowhere/<b>")).sees("This object does not exist.")
    page.open(zones, an_object("<b>", "id:1")).sees("This object does not exist.")


def test_an_object_follows_what_others_write(page, writable):
    page.open(writable, an_object("Zone", "Europe/Paris")).live().sees("48.86")
    run("set", writable.store, "Zone", "Europe/Paris", "latitude=1.25", "comments=written", "--write")
    page.sees("1.25").sees("written")
    run("rm", writable.store, "Zone", "Europe/Paris", "--write")
    page.allow("404").sees("This object was deleted.")
