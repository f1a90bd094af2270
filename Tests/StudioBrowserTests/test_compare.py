"""The comparison with another store."""

import re

import pytest

from tool import copy_sample, run, run_lines


@pytest.mark.short
def test_two_versions_are_compared(page, zones):
    page.open(zones, "#/compare")
    page.until(lambda: len(page.all("#compare-store option")) == 7, "the stores beside this one, and another file")
    page.css("#compare-store option[value='zones-3.whimbrel']").click()
    page.click("button", "Compare", "#main")
    page.ready().sees("From zones-3.whimbrel (old) to zones.whimbrel (new)")
    assert page.hash == "#/compare?with=zones-3.whimbrel"
    text = page.text()
    lines = run_lines("diff", zones.store.parent / "zones-3.whimbrel", zones.store, exit_codes=(0, 1))
    for line in lines:
        if "schemaChange" in line:
            assert line["text"].replace("'", "'") in text
    page.picture("compare")


def test_changed_objects_are_listed_and_filtered(page, serve, folder):
    store = copy_sample(folder)
    copy_sample(folder, 7, "old.whimbrel")
    run("set", store, "Zone", "Europe/Paris", "latitude=1.25", "comments=<img src=x onerror=alert(1)>", "--write")
    run("rm", store, "Zone", "Asia/Dubai", "--write")
    run("add", store, "Country", "code=XX", "name=New", "--write")
    page.open(serve(store), "#/compare?with=old.whimbrel").sees("3 objects differ")
    text = page.text(".compare-table")
    for part in ("Europe/Paris", "48.86", "1.25", "Asia/Dubai", "XX", "<img src=x onerror=alert(1)>"):
        assert part in text, text
    page.click("button", "Removed", ".filter-bar")
    page.until(lambda: "Europe/Paris" not in page.text(".compare-table"), "only what was removed")
    assert "Asia/Dubai" in page.text(".compare-table")
    page.click("button", "Changed", ".filter-bar")
    page.until(lambda: "Asia/Dubai" not in page.text(".compare-table"), "only what was changed")
    page.is_accessible()
    page.click("link", re.compile("Europe/Paris"), ".compare-table")
    page.at("Zone Europe/Paris")


def test_equal_stores_are_equal(page, serve, folder):
    store = copy_sample(folder)
    copy_sample(folder, 7, "same.whimbrel")
    page.open(serve(store), "#/compare?with=same.whimbrel").sees("The stores are equal.")


def test_a_store_that_is_not_there_is_an_error(page, zones):
    page.allow("404|400")
    page.open(zones, "#/compare?with=nothing.whimbrel").sees("Could not compare the stores.")
    page.open(zones, "#/compare")
    page.css("#compare-store option:last-child").click()
    page.fill(page.role("textbox", "Path"), "/nowhere/<b>.whimbrel")
    page.click("button", "Compare", "#main")
    page.sees("Could not compare the stores.")
    page.is_accessible()
