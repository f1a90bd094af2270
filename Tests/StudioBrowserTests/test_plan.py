"""The plan of a migration."""

import json
import re

import pytest

from tool import copy_sample, run, run_json


@pytest.mark.short
def test_a_pasted_schema_is_planned(page, zones):
    schema = run_json("schema", zones.store)
    schema["schemaVersion"] = 8
    schema["classes"][3]["properties"].append({"name": "note", "type": "string"})
    page.open(zones, "#/plan")
    page.js("arguments[0].value = arguments[1]", page.role("textbox", "Schema"), json.dumps(schema))
    page.click("button", "Plan", "#main")
    page.sees("Version 7 to 8").sees("note")
    page.is_accessible()
    page.picture("plan")


def test_a_schema_is_dropped_as_a_file(page, zones, folder):
    schema = folder / "schema.json"
    schema.write_text(run("schema", zones.store, "--json"))
    page.open(zones, "#/plan")
    page.js("""
        const transfer = new DataTransfer();
        transfer.items.add(new File([arguments[0]], 'schema.json', { type: 'application/json' }));
        const zone = document.querySelector('.drop-zone');
        for (const type of ['dragenter', 'dragover', 'drop']) zone.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }));""",
            schema.read_text())
    page.until(lambda: "schemaVersion" in page.role("textbox", "Schema").get_attribute("value"), "the file is in the field")
    page.click("button", "Plan", "#main")
    page.sees("The store already has this schema.").sees("schema.json")


def test_a_file_is_chosen(page, zones, folder):
    schema = folder / "schema.json"
    schema.write_text(run("schema", zones.store, "--json"))
    page.open(zones, "#/plan")
    page.css("input[type=file]").send_keys(str(schema))
    page.until(lambda: "schemaVersion" in page.role("textbox", "Schema").get_attribute("value"), "the file is in the field")


def test_what_is_no_schema_is_refused(page, zones):
    page.allow("400")
    page.open(zones, "#/plan")
    field = page.role("textbox", "Schema")
    page.click("button", "Plan", "#main")
    page.sees("Choose a file, or paste a schema.")
    page.fill(field, "{")
    page.click("button", "Plan", "#main")
    page.sees("This is not valid JSON")
    page.fill(field, "[1]")
    page.click("button", "Plan", "#main")
    page.sees("not a schema")
    page.fill(field, '{"schemaVersion": 8, "classes": [{"name": "A", "properties": [{"name": "x", "type": "nonsense<"}]}]}')
    page.click("button", "Plan", "#main")
    page.sees("Could not plan the migration.")
    page.is_accessible()


def test_the_schema_of_another_store_is_planned(page, zones):
    page.open(zones, "#/plan")
    page.click("radio", "The schema of another store")
    page.until(lambda: page.all("#plan-store option[value='zones-6.whimbrel']"), "the stores are listed")
    page.css("#plan-store option[value='zones-6.whimbrel']").click()
    page.click("button", "Plan", "#main")
    page.sees("Version 7 to 6").sees("a schema version never goes down")
    assert page.hash == "#/plan?store=zones-6.whimbrel"


def test_data_in_the_way_is_listed(page, serve, folder):
    store = copy_sample(folder)
    schema = run_json("schema", store)
    schema["schemaVersion"] = 8
    for one in schema["classes"]:
        for prop in one["properties"]:
            if (one["name"], prop["name"]) == ("Zone", "city"):
                prop.pop("default", None)
            if (one["name"], prop["name"]) == ("Country", "name"):
                prop["type"] = "int"
    page.open(serve(store), "#/plan")
    page.js("arguments[0].value = arguments[1]", page.role("textbox", "Schema"), json.dumps(schema))
    page.click("button", "Plan", "#main")
    page.sees("Version 7 to 8").sees("Country")
    page.is_accessible()


def test_the_schema_of_the_app_is_offered(page, serve, folder, zones):
    schema = folder / "app <b>.json"
    schema.write_text(run("schema", zones.store, "--json"))
    server = serve(copy_sample(folder, 6), "--app-schema", schema)
    page.open(server, "#/plan").sees("Migrate to the app’s schema")
    page.click("button", "Show the plan")
    page.sees("Version 6 to 7").sees("city")
    page.is_accessible()
    assert re.search(r"app=1", page.hash)


def test_nothing_is_written_by_a_plan(page, serve, folder):
    store = copy_sample(folder, 6)
    copy_sample(folder, 7, "new.whimbrel")
    before = store.read_bytes()
    page.open(serve(store), "#/plan?store=new.whimbrel").sees("Version 6 to 7")
    assert store.read_bytes() == before
