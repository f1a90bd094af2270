"""The export of what a table shows, and of parts of the store."""

import csv
import json

import pytest

import stores
from browser import objects
from tool import run, run_json


def export(page, choice=None):
    page.click("button", "Export")
    page.until(lambda: page.all("dialog"), "the dialog is open")
    if choice:
        page.css(f"dialog input[value={choice}]").click()
    return page.download(lambda: page.click("link", "Download", "dialog"))


def test_the_dialog_names_what_is_exported(page, zones):
    page.open(zones, objects("Zone", query="latitude > 60", sort="latitude"))
    page.click("button", "Export")
    page.sees("latitude > 60", "dialog").sees("10 columns", "dialog")
    page.is_accessible()
    page.picture("export")


def test_lines_of_json_are_exported_in_the_order_of_the_table(page, zones):
    page.open(zones, objects("Zone", query="latitude > 60", sort="latitude", descending=1))
    shown = [page.row(number)[0] for number in range(5)]
    file = export(page)
    assert file.name == "zones-Zone.jsonl"
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(lines) == 20
    assert [line.get("identifier") or line["values"]["identifier"] for line in lines][:5] == shown


@pytest.mark.short
def test_csv_is_exported(page, zones):
    page.open(zones, objects("Zone", query="latitude > 60"))
    file = export(page, "csv")
    rows = list(csv.reader(file.open(newline="")))
    assert rows[0] == page.columns and len(rows) == 21


def test_a_small_store_is_exported(page, zones):
    page.open(zones, objects("Zone", query="latitude > 60"))
    file = export(page, "store")
    assert file.suffix == ".whimbrel"
    run("check", file)
    assert 20 <= {one["name"]: one["objects"] for one in run_json("info", file)["classes"]}["Zone"] < 312


def test_an_anonymised_store_is_exported(page, zones):
    page.open(zones, objects("Zone"))
    file = export(page, "anonymous")
    run("check", file)
    assert b"Longyearbyen" not in file.read_bytes()
    assert {one["name"]: one["objects"] for one in run_json("info", file)["classes"]}["Zone"] == 312


def test_an_export_of_hostile_names_is_saved_under_a_harmless_name(page, hostile):
    page.open(hostile, objects(stores.HOSTILE_CLASS))
    file = export(page)
    assert "/" not in file.name and file.parent == page.browser.downloads
    assert len(file.read_text().strip().split("\n")) == len(stores.MARKUP + stores.TRICKY) + 1
