"""Measurements with a million objects. They are reported, and never fail by their time."""

import os
import time

import pytest
from selenium.webdriver.common.keys import Keys

import stores
from browser import objects
from tool import BUILD

TOOL = os.environ.get("WHIMBREL_RELEASE")
pytestmark = [pytest.mark.long, pytest.mark.skipif(not TOOL, reason="WHIMBREL_RELEASE names no optimised tool")]
COUNT = int(os.environ.get("WHIMBREL_STUDIO_OBJECTS", 1_000_000))
results = []


@pytest.fixture(scope="module")
def million():
    return stores.make_million(COUNT)


@pytest.fixture(scope="module", autouse=True)
def report():
    yield
    lines = [f"{what:<58} {value:>12}" for what, value in results]
    text = f"Whimbrel Studio, {COUNT:,} objects\n" + "\n".join(lines) + "\n"
    (BUILD / "speed.txt").write_text(text)
    print("\n" + text)


@pytest.fixture
def server(serve, million):
    return serve(million, tool=TOOL)


def note(what, value, unit="ms"):
    results.append((what, f"{value:,.0f} {unit}"))


def note_memory(server):
    note("    peak of the server's memory, with pages of the store", server.memory, "MiB")
    note("    memory of the server after it, without them", server.own_memory, "MiB")


def took(act, wait):
    begin = time.monotonic()
    act()
    wait()
    return (time.monotonic() - begin) * 1000


def paints(page):
    return page.until(lambda: page.js("const entry = performance.getEntriesByName('first-contentful-paint')[0]; return entry && entry.startTime"), "the first paint")


def test_the_first_paint_after_the_command(page, serve, million):
    server = serve(million, tool=TOOL)
    ready = (time.monotonic() - server.started) * 1000
    for name, fragment in (("overview", "#/overview"), ("objects", objects("Measurement"))):
        begin = time.monotonic()
        page.open(server, fragment)
        page.until(lambda: "1" in page.text(), "content")
        shown = (time.monotonic() - begin) * 1000
        note(f"{name}: first contentful paint after navigation", paints(page))
        note(f"{name}: content after navigation (as the driver sees it)", shown)
        note(f"{name}: first contentful paint after the command", ready + paints(page))
    note("server answers its first request after the command", ready)
    note_memory(server)


def test_the_jump_to_the_middle(page, server):
    page.open(server, objects("Measurement"))
    page.row(0)
    field = page.role("spinbutton", "Go to row")
    field.send_keys(str(COUNT // 2))
    note("jump to the middle", took(lambda: page.press(Keys.ENTER), lambda: page.row(COUNT // 2 - 1)))
    assert page.row(COUNT // 2 - 1)[0] == f"m{COUNT // 2 - 1:07}"
    note("jump to the end", took(lambda: page.js("document.querySelector('.grid-scroller').scrollTop = 1e9"), lambda: page.row(COUNT - 1)))
    note("jump to a quarter, as the page measures it", page.driver.execute_async_script("""
        const [count, done] = arguments;
        const scroller = document.querySelector('.grid-scroller');
        const isThere = () => [...document.querySelectorAll('[role=grid] [data-row]:not(.is-loading)')]
            .some((row) => Math.abs(row.dataset.row / count - 0.25) < 0.1);
        const begin = performance.now();
        const look = () => isThere() ? done(performance.now() - begin) : requestAnimationFrame(look);
        scroller.scrollTop = scroller.scrollHeight / 4;
        look();
    """, COUNT))
    note_memory(server)
    note("memory of the page (JS heap)", page.js("return performance.memory.usedJSHeapSize") / 2**20, "MiB")


@pytest.mark.parametrize("what, query", [
    ("by an index", "station == 500"), ("by an index, a range", "station < 500"), ("by a scan", "value > 99.9"), ("by a scan of text", 'note CONTAINS "96"'),
    ("by a scan with an order", "value > 50 SORT(value DESC)"),
])
def test_the_first_page_of_a_filter(page, server, what, query):
    page.open(server, objects("Measurement"))
    page.row(0)
    field = page.role("combobox", "Filter", "#main")
    page.fill(field, query).press(Keys.ESCAPE)
    total = f"{COUNT:,} objects"

    def shown():
        page.until(lambda: f" of {total}" in page.text(".object-count") and page.rows.get(0), f"the first page of '{query}'", 60)

    note(f"first page of a filter {what}", took(lambda: page.press(Keys.ENTER), shown))
    begin = time.monotonic()
    server.ask("/objects", **{"class": "Measurement"}, query=query + " ", limit=100)
    note("    of this the server", (time.monotonic() - begin) * 1000)
    note_memory(server)


def test_sorting(page, server):
    page.open(server, objects("Measurement"))
    page.row(0)
    note("sort by a property without an index", took(lambda: page.css("[role=columnheader][data-column='2']").click(), lambda: page.until(
        lambda: page.css("[role=columnheader][data-column='2']").get_attribute("aria-sort") == "ascending" and page.rows.get(0), "sorted", 60)))
    note_memory(server)
