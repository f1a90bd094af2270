"""The overview: what the store is, its check, its sizes and its history. And the frame around all pages."""

import re

import pytest
from selenium.webdriver.common.keys import Keys

from tool import copy_sample, run, run_json


@pytest.mark.short
def test_the_overview_says_what_the_store_is(page, zones):
    page.open(zones).sees("No problems found.")
    info = run_json("info", zones.store)
    text = page.text()
    for part in ("580 objects of 4 classes", info["uuid"], str(zones.store), "Whimbrel 0.4.0", "Schema version"):
        assert part in text, f"The overview should say '{part}':\n{text}"
    assert page.driver.title == "Overview · zones.whimbrel · Whimbrel Studio"
    page.picture("overview")


def test_the_side_bar_leads_to_each_class_and_counts_its_objects(page, zones):
    page.open(zones)
    page.until(lambda: len(page.names("link", "#side-classes")) == 4, "four classes")
    assert [re.sub(r"\s+", " ", name) for name in page.names("link", "#side-classes")] == [
        "ClockChange embedded 10 objects", "Country 249 objects", "Region 9 objects", "Zone 312 objects"]
    page.click("link", re.compile("^Country"), "#side-classes")
    page.at("Country")
    assert page.css("#side-classes [aria-current=page]").text.startswith("Country")


def test_the_check_runs_by_itself_and_again(page, zones):
    page.open(zones).live().sees("No problems found.")
    page.click("button", "Check again")
    page.sees("No problems found.")


def test_the_check_of_a_damaged_store_lists_its_problems(page, damaged):
    page.open(damaged).live()
    page.sees("found.", "#main")
    assert re.search(r"\d+ problems? found\.", page.text()), page.text()
    assert page.names("region", "#main").count("Problems") == 1
    page.is_accessible()


def test_the_sizes_are_a_map_and_a_table(page, zones):
    page.open(zones).sees("Size on disk")
    links = page.names("link", ".treemap")
    assert any(name.startswith("Zone: ") for name in links), links
    page.click("DisclosureTriangle", "Sizes as a table")
    table = page.text(".section table")
    assert "Zone" in table and "Free" in table
    page.click("link", re.compile("^Zone: "), ".treemap")
    page.at("Zone") and page.hash.startswith("#/classes?class=Zone")


def test_the_history_lists_migrations(page, serve, folder):
    store = copy_sample(folder, 6)
    page.open(serve(store)).live().sees("This store has not been migrated.")
    run("migrate", store, copy_sample(folder, 7, "new.whimbrel"), "--write")
    page.sees("Version 6 to 7").sees("Property 'Zone.city'")


@pytest.mark.short
def test_the_token_is_in_no_later_address(page, zones):
    page.open(zones, "#/objects?class=Zone")
    page.go("#/overview")
    assert page.driver.current_url == f"{zones.origin}/#/overview"
    assert page.js("return document.referrer") == ""
    addresses = page.js("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert addresses and not [one for one in addresses if zones.token in one]
    assert zones.token not in page.js("return JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, history.state])")
    assert page.js("return document.cookie") == "", "Scripts should not see the cookie."
    page.driver.back()
    page.ready()
    assert "token" not in page.driver.current_url
    assert zones.output().count("\n") == 2, "The server should not log what is asked."


def test_all_that_the_page_loads_is_from_its_server(page, zones):
    page.open(zones, "#/objects?class=Zone")
    addresses = page.js("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert {re.match(r"\w+:(//[^/]*)?", one).group(0) for one in addresses} <= {zones.origin, "blob:", "data:"}


@pytest.mark.short
def test_a_page_without_the_cookie_says_what_to_do(page, zones):
    page.allow("403")
    page.cdp("Network.clearBrowserCookies")
    page.driver.get(f"{zones.origin}/")
    assert "Open the URL that 'whimbrel studio' printed" in page.text("body")


def test_the_theme_is_kept(page, zones):
    page.open(zones)
    light = page.js("return getComputedStyle(document.body).backgroundColor")
    page.css("select[aria-label=Theme]").send_keys("Dark")
    assert page.js("return getComputedStyle(document.body).backgroundColor") != light
    page.driver.refresh()
    page.ready()
    assert page.js("return document.documentElement.dataset.theme") == "dark"
    page.picture("overview-dark")


def test_the_skip_link_leads_to_the_content(page, zones):
    page.open(zones)
    page.js("document.body.focus()")
    page.press(Keys.TAB)
    assert page.focused() == ("link", "Skip to the content")
    page.press(Keys.ENTER)
    assert page.focused() == ("heading", "Overview")


def test_an_unknown_address_shows_the_overview(page, zones):
    page.open(zones, "#/nothing?x=<b>")
    page.at("Overview")
    page.open(zones, "#/__proto__")
    page.at("Overview")


def test_many_visits_of_pages_keep_nothing(page, zones):
    """Each page stops to listen when it is left."""
    page.open(zones).live()
    for _ in range(3):
        for fragment in ("#/objects?class=Zone", "#/classes", "#/classes?class=Zone", "#/compare", "#/plan", "#/object?class=Zone&name=id:1", "#/overview"):
            page.go(fragment)
    page.cdp("HeapProfiler.enable")
    page.cdp("HeapProfiler.collectGarbage")
    counts = page.cdp("Memory.getDOMCounters")
    assert counts["nodes"] < 20_000, f"Nodes of pages that were left should be freed: {counts}"
