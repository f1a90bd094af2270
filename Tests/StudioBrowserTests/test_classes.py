"""The classes: the diagram, the list, and what the values of each property are like."""

import re
from urllib.parse import parse_qs

import pytest
from selenium.webdriver.common.keys import Keys

import stores
from tool import run_lines


@pytest.mark.short
def test_the_diagram_and_the_list_show_all_classes(page, zones):
    page.open(zones, "#/classes").sees("4 classes")
    page.until(lambda: page.all(".diagram-drawing"), "the diagram is drawn")
    boxes = page.names("link", ".diagram")
    assert sorted(name.split(",")[0] for name in boxes) == ["ClockChange", "Country", "Region", "Zone"]
    zone = next(name for name in boxes if name.startswith("Zone"))
    assert zone == "Zone, 312 objects, links to Country, Region, ClockChange"
    change = next(name for name in boxes if name.startswith("ClockChange"))
    assert "embedded" in change and change.endswith("linked from Zone.clockChanges"), change
    assert [text.text for text in page.all(".box-inverse")] == ["← Zone.clockChanges", "← Zone.country", "← Zone.region"]
    table = page.text("#main table")
    assert re.search(r"Zone\s+312\s+10\s+identifier", table), table
    page.picture("classes")


def test_a_class_is_opened_from_the_diagram(page, zones):
    page.open(zones, "#/classes")
    page.role("link", re.compile("^Zone,"), ".diagram").send_keys(Keys.ENTER)
    page.at("Zone") and page.hash == "#/classes?class=Zone"
    page.driver.back()
    page.at("Classes")


def test_the_diagram_is_zoomed(page, packages):
    page.open(packages, "#/classes")
    page.until(lambda: page.all(".diagram-drawing"), "the diagram is drawn")
    width = page.css(".diagram-drawing").size["width"]
    page.click("button", "Zoom in")
    page.until(lambda: page.css(".diagram-drawing").size["width"] > width, "the diagram is larger")
    page.click("button", "Fit the diagram to the window")
    drawing, host = page.css(".diagram-drawing").size, page.css(".diagram-scroll").size
    assert drawing["width"] <= host["width"] and drawing["height"] <= host["height"] + 2


def test_links_end_at_their_inverses(page, zones):
    page.open(zones, "#/classes")
    page.until(lambda: page.all(".diagram-drawing"), "the diagram is drawn")
    texts = page.js("return [...document.querySelectorAll('.box-inverse')].map((text) => { const { left, top, right, bottom } = text.getBoundingClientRect(); return [text.textContent, left, top, right, bottom] })")
    ends = page.js("""return [...document.querySelectorAll('.diagram .edge[data-from]')].map((edge) => {
        const end = edge.getPointAtLength(edge.getTotalLength()).matrixTransform(edge.getScreenCTM());
        return [end.x, end.y];
    })""")
    assert len(ends) == len(texts) == 3
    for name, left, top, right, bottom in texts:
        assert any(top <= y <= bottom and (abs(x - left) < 40 or x > right) for x, y in ends), f"No link ends at {name}: {ends}"
    page.click("checkbox", "All properties")
    assert not page.all(".box-inverse")


def test_boxes_of_the_diagram_do_not_overlap(page, zones, packages, hostile):
    for server in (zones, packages, hostile):
        page.open(server, "#/classes")
        page.until(lambda: page.all(".diagram-drawing"), "the diagram is drawn")
        boxes = page.js("""return [...document.querySelectorAll('.diagram .box .box-frame')].map((box) => { const { left, top, right, bottom } = box.getBoundingClientRect(); return [left, top, right, bottom] })""")
        for number, one in enumerate(boxes):
            for other in boxes[:number]:
                assert one[0] >= other[2] or one[2] <= other[0] or one[1] >= other[3] or one[3] <= other[1], f"Two boxes overlap: {one} {other}"


@pytest.mark.short
def test_a_class_says_what_its_values_are_like(page, zones):
    page.open(zones, "#/classes?class=Zone").sees("Values of all 312 objects")
    text = page.text()
    for name in ("identifier", "city", "latitude", "clockChanges"):
        assert name in text
    lines = {line["property"]: line for line in run_lines("stats", zones.store, "Zone")}
    assert f"{lines['countryCodes']['distinct']} distinct values" in text
    assert "all values differ" in text
    assert "primary key" in text and "indexed" in text
    page.picture("class")


def test_counting_all_values_shows_how_far_it_is(page, serve):
    server = serve(stores.make_million(100_000))
    page.open(server, "#/classes?class=Measurement").sees("Values of the first 50,000 objects")
    page.js("""
        window.seen = [];
        new MutationObserver(() => {
            const step = document.querySelector('.section-progress .progress-step');
            const bar = document.querySelector('.section-progress progress');
            if (step) window.seen.push([step.textContent, bar.value / bar.max, bar.ariaLabel]);
        }).observe(document.getElementById('main'), { childList: true, subtree: true, characterData: true, attributes: true });
    """)
    page.click("button", "Count all")
    page.until(lambda: "Values of all 100,000 objects" in page.text(), "all values are counted", 60)
    seen = page.js("return window.seen")
    assert any(re.fullmatch(r"Reading Measurement: [\d,]+ of 100,000", text) and 0 < part <= 1 and name == "Statistics" for text, part, name in seen), seen
    assert not page.all(".section-progress")


def test_a_bar_of_a_histogram_leads_to_its_objects(page, zones):
    page.open(zones, "#/classes?class=Zone").sees("Values of all")
    bars = [name for name in page.names("link", ".histogram") if re.search(r"\d+ objects? ", name)]
    assert bars
    count = int(re.search(r": (\d+) object", bars[-1]).group(1))
    page.role("link", bars[-1], ".histogram").send_keys(Keys.ENTER)
    page.ready().sees(f"{count} of 312 objects")


def test_all_bars_of_a_histogram_together_are_all_objects(page, zones):
    page.open(zones, "#/classes?class=Zone").sees("Values of all")
    for figure in page.all(".histogram"):
        names = page.js("return [...arguments[0].querySelectorAll('[aria-label]')].map((one) => one.getAttribute('aria-label'))", figure)
        counts = [int(found.group(1)) for name in names if (found := re.search(r": (\d+) (?:object|element)", name))]
        assert sum(counts) in (312, 10), names


def test_each_bar_of_a_histogram_counts_what_its_filter_finds(page, zones, packages):
    for server, name in ((zones, "Zone"), (packages, "Package")):
        page.open(server, f"#/classes?class={name}").sees("Values of all")
        bars = page.js("return [...document.querySelectorAll('.histogram a')].map((one) => [one.getAttribute('href'), one.getAttribute('aria-label')])")
        assert len(bars) > 5
        for href, label in bars:
            query = parse_qs(href.split("?", 1)[1])["query"][0]
            expected = int(re.search(r": ([\d,]+) object", label).group(1).replace(",", ""))
            found = server.ask("/objects", **{"class": name}, query=query, limit=0)["total"]
            assert found == expected, f"The bar '{label}' should lead to as many objects: '{query}' finds {found}."


def test_frequent_values_lead_to_their_objects(page, zones):
    page.open(zones, "#/classes?class=Zone").sees("Values of all")
    page.click("link", "US", "#main")
    page.ready().sees("28 of 312 objects")
    assert page.role("combobox", "Filter", "#main").get_attribute("value") == 'countryCodes == "US"'


def test_links_between_classes_are_links(page, zones):
    page.open(zones, "#/classes?class=Country").sees("Linked from")
    page.click("link", "Zone", ".class-facts")
    page.at("Zone")


def test_an_unknown_class_says_so(page, zones):
    page.open(zones, "#/classes?class=%3Cimg%20src%3Dx%3E")
    page.at("No such class")
    assert "<img src=x>" in page.text()
