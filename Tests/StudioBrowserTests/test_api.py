"""The requests of the API: their shapes, and that they are what the tool writes with `--json`."""

import csv
import io
import json

import pytest

import stores
from requests_of_pages import rows
from tool import copy_sample, run, run_json, run_lines, wait_until


# MARK: The store

def test_studio_says_what_is_served(zones, writable):
    found = zones.ask("/studio")
    info = run_json("info", zones.store)
    assert found["api"] == 1
    assert found["version"] == run("--version").strip().split()[-1]
    assert (found["path"], found["name"], found["uuid"]) == (str(zones.store), "zones.whimbrel", info["uuid"])
    assert (found["isWritable"], found["appSchema"]) == (False, None)
    assert found["commit"] >= 1
    assert writable.ask("/studio")["isWritable"] is True


def test_info_is_what_the_tool_writes(zones):
    found, expected = zones.ask("/info"), run_json("info", zones.store)
    # Each of them is a reader itself.
    assert found.pop("readers") >= 0 and expected.pop("readers") >= 0
    assert found == expected


def test_schema_is_what_the_tool_writes(zones, packages, hostile):
    for server in (zones, packages, hostile):
        assert server.get("/schema").text.strip() == run("schema", server.store, "--json").strip()


def test_classes_and_history_are_what_the_tool_writes(zones, packages):
    for server in (zones, packages):
        assert server.ask("/classes") == run_json("ls", server.store)
        assert server.ask("/history") == run_json("log", server.store)


def test_show_is_what_the_tool_writes(zones, packages):
    for server, name, key in ((zones, "Zone", "Europe/Paris"), (packages, "Package", "package-00005"), (packages, "Package", "id:7")):
        for depth in ("0", "1", "2"):
            assert server.ask("/show", **{"class": name}, name=key, depth=depth) == run_json("show", server.store, name, key, "--depth", depth)
        assert server.ask("/show", **{"class": name}, name=key) == run_json("show", server.store, name, key)


def test_sizes_add_up_to_the_file(zones, packages):
    for server in (zones, packages):
        sizes, info = server.ask("/sizes"), run_json("info", server.store)
        assert sizes["fileSize"] == server.store.stat().st_size
        assert [(one["name"], one["objects"]) for one in sizes["classes"]] == [(one["name"], one["objects"]) for one in info["classes"]]
        used = sizes["other"] + sum(
            one["records"] + one["overflow"] + one["links"] + sum(index["bytes"] for index in one["indexes"]) for one in sizes["classes"])
        assert used == sizes["used"] * sizes["pageSize"], "All parts together should be the used pages."
        assert (sizes["used"] + sizes["free"]) * sizes["pageSize"] == sizes["fileSize"]
    assert {index["name"] for one in sizes["classes"] for index in one["indexes"]} >= {"name", "installedSize", "description"}


def test_statistics_are_what_the_tool_writes(zones):
    found = zones.ask("/statistics", **{"class": "Zone"})
    assert (found["class"], found["objects"], found["isComplete"]) == ("Zone", 312, True)
    assert found["properties"] == run_lines("stats", zones.store, "Zone")
    some = zones.ask("/statistics", **{"class": "Zone"}, query="latitude > 60", properties="latitude,city")
    assert some["objects"] == 20
    expected = run_lines("stats", zones.store, "Zone where latitude > 60")
    by_name = {one["property"]: one for one in some["properties"]}
    assert by_name == {one["property"]: one for one in expected if one["property"] in ("latitude", "city")}


def test_statistics_with_a_limit_say_that_they_are_not_complete(packages):
    found = packages.ask("/statistics", **{"class": "Package"}, limit=100)
    assert found["isComplete"] is False
    assert {one["objects"] for one in found["properties"]} == {100}


def test_explain_is_what_the_tool_writes(zones):
    for query in ("latitude > 60", "city == \"Paris\"", "country.name BEGINSWITH \"Sw\" SORT(latitude DESC)"):
        found = zones.ask("/explain", **{"class": "Zone"}, query=query)
        assert found == json.loads(run("query", zones.store, "Zone", query, "--explain", "--json"))


def test_a_check_runs_in_the_background(serve, folder):
    server = serve(copy_sample(folder))
    assert server.ask("/check") == {"state": "none"}
    reply = server.post("/check")
    assert reply.status == 200 and reply.json["state"] in ("running", "done")
    done = wait_until(lambda: (state := server.ask("/check"))["state"] == "done" and state, "the check is done")
    expected = run_json("check", server.store)
    assert done["report"] | {"path": ""} == expected | {"path": ""}
    assert done["commit"] == server.ask("/studio")["commit"]


def test_a_check_of_a_damaged_store_says_what_is_wrong(damaged):
    damaged.post("/check")
    done = wait_until(lambda: (state := damaged.ask("/check"))["state"] in ("done", "failed") and state, "the check ends")
    expected = json.loads(run("check", damaged.store, "--json", exit_codes=(1,)))
    assert done["state"] == "done" and done["report"]["findings"] == expected["findings"] != []


def test_stores_are_those_beside_this_one(zones, serve, folder):
    found = zones.ask("/stores")
    assert found["folder"] == str(zones.store.parent)
    assert [one["name"] for one in found["stores"]] == [f"zones-{version}.whimbrel" for version in range(1, 7)]
    assert all(one["bytes"] == (zones.store.parent / one["name"]).stat().st_size for one in found["stores"])
    (folder / "folder.whimbrel").mkdir()
    (folder / "notes.txt").write_text("x")
    assert serve(copy_sample(folder)).ask("/stores")["stores"] == []


def test_diff_is_what_the_tool_writes(zones):
    for other in ("zones-6.whimbrel", str(zones.store.parent / "zones-3.whimbrel")):
        found = zones.ask("/diff", **{"with": other})
        expected = run_lines("diff", zones.store.parent / other, zones.store, exit_codes=(0, 1))
        assert found == {"lines": expected, "isComplete": True}


def test_plan_is_what_the_tool_writes(zones):
    folder = zones.store.parent
    expected = json.loads(run("plan", zones.store, folder / "zones-6.whimbrel", "--json", exit_codes=(0, 1)))
    assert zones.post("/plan", {"store": "zones-6.whimbrel"}).json == expected
    schema = run_json("schema", folder / "zones-6.whimbrel")
    assert zones.post("/plan", {"schema": schema}).json == expected
    checked = json.loads(run("plan", zones.store, folder / "zones-6.whimbrel", "--json", "--check", exit_codes=(0, 1)))
    assert zones.post("/plan", {"store": "zones-6.whimbrel"}, check=1).json == checked


def test_plan_knows_the_schema_of_the_app(zones, serve, folder):
    store = copy_sample(folder, 6)
    schema = folder / "schema.json"
    schema.write_text(run("schema", zones.store, "--json"))
    server = serve(store, "--app-schema", schema)
    assert server.ask("/studio")["appSchema"] == str(schema)
    assert server.post("/plan", {"appSchema": True}).json == json.loads(run("plan", store, schema, "--json"))
    assert zones.post("/plan", {"appSchema": True}).status == 400


# MARK: Rows and cells

def test_a_page_of_rows_has_all_properties_in_their_order(zones):
    found = rows(zones, limit=5)
    schema = next(one for one in zones.ask("/schema")["classes"] if one["name"] == "Zone")
    assert [one["name"] for one in found["columns"]] == [one["name"] for one in schema["properties"]]
    assert [one.get("isKey", False) for one in found["columns"]] == [True] + [False] * 9
    assert (found["total"], found["offset"], len(found["rows"])) == (312, 0, 5)
    first = found["rows"][0]
    assert first["id"] == 1
    region = zones.ask("/object", **{"class": "Zone"}, name="id:1")["properties"][7]["cell"]
    assert dict(zip([one["name"] for one in found["columns"]], first["cells"])) == {
        "identifier": "Europe/Andorra", "city": "Andorra", "countryCodes": "AD", "latitude": 42.5, "longitude": pytest.approx(1.5166, 1e-3),
        "comments": "", "country": {"class": "Country", "id": 1, "name": "AD"}, "region": region, "isPopular": False,
        "clockChanges": {"count": 2, "elements": [
            {"class": "ClockChange", "id": number, "name": f"id:{number}", "isEmbedded": True} for number in (1, 2)]},
    }


def test_rows_have_the_columns_that_are_asked_for(zones):
    found = rows(zones, columns="country.name,identifier", query="identifier == \"Europe/Andorra\"")
    assert [(one["name"], one.get("isKey", False)) for one in found["columns"]] == [("country.name", False), ("identifier", True)]
    assert found["columns"][0]["type"] in ("string?", "string")
    assert found["rows"][0]["cells"] == ["Andorra", "Europe/Andorra"]


@pytest.mark.parametrize("path, descending", [("latitude", None), ("latitude", 1), ("city", None), ("country.name", None), ("country.name", 1)])
def test_rows_are_sorted_as_by_a_query(zones, path, descending):
    found = rows(zones, sort=path, descending=descending, columns="identifier", limit=400)
    expected = run_lines("query", zones.store, "Zone", f"SORT({path} {'DESC' if descending else 'ASC'})")
    assert [row["cells"][0] for row in found["rows"]] == [one["values"]["identifier"] for one in expected]


@pytest.mark.parametrize("query", [
    "latitude > 60", "city BEGINSWITH \"P\"", "country.name == \"France\"", "isPopular == true", "ANY clockChanges.offset > 0",
    "latitude > 0 SORT(longitude DESC) LIMIT(7)", "FALSEPREDICATE", "comments CONTAINS \"ü\"",
])
def test_rows_are_those_that_a_query_finds(zones, query):
    found = rows(zones, query=query, columns="identifier", limit=400)
    expected = run_lines("query", zones.store, "Zone", query)
    assert [row["cells"][0] for row in found["rows"]] == [one["values"]["identifier"] for one in expected]
    assert found["total"] == len(expected)


def test_pages_of_rows_together_are_all_rows(packages):
    first = packages.ask("/objects", **{"class": "Package"}, columns="name", sort="installedSize", limit=1_000)
    names = [row["cells"][0] for row in first["rows"]]
    while len(names) < first["total"]:
        page = packages.ask("/objects", **{"class": "Package"}, columns="name", sort="installedSize", limit=333, offset=len(names), view=first["view"])
        assert page["view"] == first["view"] and page["offset"] == len(names)
        names += [row["cells"][0] for row in page["rows"]]
    assert len(set(names)) == first["total"]
    assert packages.ask("/objects", **{"class": "Package"}, offset=first["total"] + 5)["rows"] == []


def test_at_most_a_thousand_rows_come_at_once(packages):
    assert len(packages.ask("/objects", **{"class": "Package"}, columns="name", limit=5_000)["rows"]) == 1_000
    assert packages.ask("/objects", **{"class": "Package"}, limit=0)["rows"] == []


def test_a_view_keeps_its_order_while_others_write(writable):
    first = rows(writable, sort="latitude", columns="identifier,latitude", limit=3)
    run("set", writable.store, "Zone", f"id:{first['rows'][0]['id']}", "latitude=80", "--write")
    run("rm", writable.store, "Zone", f"id:{first['rows'][1]['id']}", "--write")
    run("add", writable.store, "Zone", "identifier=A/B", "latitude=-90", "longitude=0", "countryCodes=AD", "--write")
    again = rows(writable, sort="latitude", columns="identifier,latitude", limit=3, view=first["view"])
    assert (again["view"], again["total"]) == (first["view"], 312)
    assert again["commit"] == first["commit"] + 3
    assert [row["id"] for row in again["rows"]] == [row["id"] for row in first["rows"]]
    assert again["rows"][0]["cells"][1] == 80
    assert again["rows"][1] == {"id": first["rows"][1]["id"], "isDeleted": True}
    anew = rows(writable, sort="latitude", columns="identifier,latitude", limit=3)
    assert anew["view"] != first["view"] and anew["rows"][0]["cells"] == ["A/B", -90]


def test_a_view_that_is_not_known_is_made_anew(zones):
    found = rows(zones, view=999_999, limit=1)
    assert found["view"] != 999_999 and found["total"] == 312
    other = rows(zones, query="latitude > 60", limit=1)
    assert rows(zones, view=other["view"], limit=1)["total"] == 312, "A view belongs to its query."


def test_cells_hold_the_beginnings_of_large_values(packages):
    found = packages.ask("/objects", **{"class": "Package"}, columns="description,checksum,icon,depends,tags,checksums,price,updated,score",
                         query="name IN {\"package-00007\", \"package-00042\"} SORT(name ASC)")
    long, many = (dict(zip([one["name"] for one in found["columns"]], row["cells"])) for row in found["rows"])
    assert long["description"] == {"text": long["description"]["text"], "length": 20_000}
    assert 100 <= len(long["description"]["text"]) <= 500
    assert long["checksum"]["length"] == 32
    assert many["depends"]["count"] == 42
    assert [one["name"] for one in many["depends"]["elements"]] == [f"package-{number:05}" for number in range(5)]
    assert many["tags"]["count"] == 3 and many["checksums"]["count"] == 2
    assert many["checksums"]["entries"][0] == ["md5", f"{42:032x}"]
    assert many["price"] == "42.2"
    assert many["updated"].startswith("2020-07-12T12:30:00")


def test_numbers_that_javascript_would_round_are_text(hostile):
    found = hostile.ask("/objects", **{"class": stores.HOSTILE_CLASS}, limit=10)
    names = [one["name"] for one in found["columns"]]
    numbers = [row["cells"][names.index("number")] for row in found["rows"]]
    assert numbers[:6] == ["9007199254740993", "-9223372036854775808", "9223372036854775807", numbers[3], 0, -1]
    assert int(numbers[3]) == 2**53
    reals = [row["cells"][names.index("real")] for row in found["rows"]]
    assert reals[:3] == ["nan", "inf", "-inf"]
    assert [row["id"] for row in found["rows"]][:2] == [str(2**63), str(2**63 + 1)], "Object IDs beyond 2⁵³ should be text."


def test_hostile_texts_arrive_unchanged(hostile):
    found = hostile.ask("/objects", **{"class": stores.HOSTILE_CLASS}, limit=100)
    place = [one["name"] for one in found["columns"]].index(stores.HOSTILE_PROPERTY)
    texts = [row["cells"][place] for row in found["rows"]]
    assert texts[:-1] == stores.MARKUP + stores.TRICKY
    assert texts[-1]["length"] == len(stores.MARKUP[0]) * 30_000


# MARK: One object

def test_an_object_has_its_values_and_links_both_ways(zones):
    found = zones.ask("/object", **{"class": "Country"}, name="FR")
    assert (found["class"], found["name"], found["key"]) == ("Country", "FR", "FR")
    assert [(one["name"], one["isKey"], one["cell"]) for one in found["properties"]] == [("code", True, "FR"), ("name", False, "France")]
    incoming = found["linkedFrom"]
    assert [(one["class"], one["property"]) for one in incoming] == [("Zone", "country")]
    expected = run_lines("query", zones.store, "Zone", "country.code == \"FR\"")
    assert incoming[0]["count"] == len(expected)
    assert {one["name"] for one in incoming[0]["objects"]} <= {one["values"]["identifier"] for one in expected}
    same = zones.ask("/object", **{"class": "Country"}, name=f"id:{found['id']}")
    assert same == found


def test_the_layout_of_a_record_covers_its_slots(zones, packages):
    for server, name, key in ((zones, "Zone", "Europe/Andorra"), (packages, "Package", "package-00007")):
        found = server.ask("/object", **{"class": name}, name=key)
        record = found["record"]
        assert record["isCurrent"] is True and record["layout"] >= 1
        ends = [0]
        for slot in record["slots"]:
            assert slot["offset"] >= ends[-1], f"Slots should not overlap: {record}"
            ends.append(slot["offset"] + slot["bytes"])
        assert ends[-1] <= record["bytes"]
        assert {slot["property"] for slot in record["slots"]} <= {one["name"] for one in found["properties"]}
    assert record["outside"] >= 20_000, "The long text should be outside of the record."


def test_a_collection_comes_in_parts(packages):
    number = packages.ask("/object", **{"class": "Package"}, name="package-00042")["id"]
    place = {"class": "Package", "id": number, "property": "depends"}
    found = packages.ask("/collection", **place, offset=10, limit=4)
    assert (found["kind"], found["count"]) == ("list", 42)
    assert [one["name"] for one in found["elements"]] == [f"package-{one:05}" for one in range(10, 14)]
    assert packages.ask("/collection", **place, offset=50)["elements"] == []
    tags = packages.ask("/collection", **place | {"property": "tags"})
    assert tags["kind"] == "set" and tags["count"] == len(tags["elements"]) == 3
    sums = packages.ask("/collection", **place | {"property": "checksums"})
    assert (sums["kind"], sums["elements"][1]) == ("map", ["sha1", f"{42:040x}"])


def test_incoming_links_come_in_parts(zones):
    place = {"class": "Country", "id": 235, "from": "Zone", "property": "country"}
    place["id"] = zones.ask("/object", **{"class": "Country"}, name="US")["id"]
    found = zones.ask("/incoming", **place, limit=10)
    assert found["count"] == int(run("query", zones.store, "Zone where country.code == \"US\"", "--count")) > 20
    more = zones.ask("/incoming", **place, offset=10, limit=100)
    names = [one["name"] for one in found["objects"] + more["objects"]]
    assert len(set(names)) == found["count"] == more["count"]


def test_a_whole_text_and_whole_data_can_be_read(packages):
    number = packages.ask("/object", **{"class": "Package"}, name="package-00007")["id"]
    reply = packages.get("/text", **{"class": "Package"}, id=number, property="description")
    assert reply.text == "long " * 4_000 and reply.header("Content-Type") == ["text/plain; charset=utf-8"]
    reply = packages.get("/text", **{"class": "Package"}, id=number, property="files", index=2)
    assert reply.text == "/usr/share/doc/package-00007/2"
    reply = packages.get("/text", **{"class": "Package"}, id=number, property="checksums", key="md5")
    assert reply.text == f"{7:032x}"
    reply = packages.get("/data", **{"class": "Package"}, id=number, property="checksum")
    assert reply.body == bytes((7 * 7 + place) % 256 for place in range(32))
    assert reply.header("Content-Type") == ["application/octet-stream"]


@pytest.mark.parametrize("index, kind", [(0, "application/octet-stream"), (1, "application/octet-stream"), (2, "image/png"), (4, "image/gif")])
def test_data_is_an_image_only_if_no_script_can_be_in_it(hostile, index, kind):
    reply = hostile.get("/data", **{"class": stores.HOSTILE_CLASS}, id=2**63 + index, property="bytes")
    assert reply.header("Content-Type") == [kind], "SVG and HTML should not be shown by a browser."
    assert reply.header("Content-Disposition")[0].startswith("attachment")


# MARK: Errors

@pytest.mark.parametrize("path, status", [
    ("/objects", 400), ("/objects?class=Nothing", 404), ("/objects?class=Zone&limit=x", 400), ("/objects?class=Zone&offset=-1", 400),
    ("/objects?class=Zone&offset=99999999999999999999999", 400), ("/objects?class=Zone&columns=nothing", 400),
    ("/objects?class=Zone&columns=city..name", 400), ("/objects?class=Zone&sort=nothing", 400), ("/objects?class=Zone&sort=clockChanges", 400),
    ("/objects?class=Zone&view=x", 400), ("/objects?class=Zone&query=%ff", 400), ("/objects?class=zone", 404),
    ("/statistics", 400), ("/statistics?class=Nothing", 404), ("/statistics?class=Zone&properties=nothing", 400), ("/statistics?class=Zone&limit=-5", 400),
    ("/explain", 400), ("/explain?class=Nothing&query=TRUEPREDICATE", 404),
    ("/object", 400), ("/object?class=Zone", 400), ("/object?class=Nothing&name=id:1", 404), ("/object?class=Zone&name=id:99999", 404),
    ("/object?class=Zone&name=Nowhere", 404), ("/object?class=Zone&name=id:x", 404), ("/object?class=Zone&name=id:99999999999999999999999", 404),
    ("/collection?class=Zone&id=1", 400), ("/collection?class=Zone&id=x&property=clockChanges", 400), ("/collection?class=Zone&id=1&property=city", 400),
    ("/collection?class=Zone&id=1&property=nothing", 400), ("/collection?class=Zone&id=99999&property=clockChanges", 404),
    ("/incoming?class=Country&id=1&from=Zone&property=nothing", 400), ("/incoming?class=Country&id=1&from=Nothing&property=country", 404),
    ("/incoming?class=Country&id=1", 400), ("/text?class=Zone&id=1&property=latitude", 400), ("/text?class=Zone&id=99999&property=city", 404),
    ("/text?class=Zone&id=1&property=city&index=0", 400), ("/data?class=Zone&id=1&property=city", 400), ("/data?class=Zone&id=-1&property=city", 400),
    ("/diff", 400), ("/diff?with=", 400), ("/diff?with=nothing.whimbrel", 404), ("/export", 400), ("/export?format=pdf&class=Zone", 400),
    ("/export?format=csv", 400), ("/export?format=csv&class=Nothing", 404), ("/export?format=csv&class=Zone&query=%28", 400), ("/export?format=store", 400),
    ("/nothing", 404), ("/objects/x", 404),
])
def test_a_request_that_is_wrong_gets_an_error_for_people(zones, path, status):
    reply = zones.request("GET", f"/api/v1{path}")
    assert reply.status == status, f"{path}: {reply}"
    assert reply.error["message"], "An error should have a message."
    assert reply.error["code"].isalpha(), f"A code should be one word: {reply.error}"
    assert "Error Domain" not in reply.error["message"] and "Swift." not in reply.error["message"]


@pytest.mark.parametrize("query, offset", [
    ("latitude >> 60", 10), ("nothing == 1", 0), ("latitude > ", 11), ("city == \"", 8), ("(latitude > 1", 13), ("city == \"é🦆\" AND", 17),
])
def test_an_error_of_a_query_has_its_place(zones, query, offset):
    for path in ("/objects", "/explain", "/statistics", "/export"):
        reply = zones.get(path, **{"class": "Zone"}, query=query, format="csv")
        assert reply.status == 400, f"{path} {query}: {reply}"
        assert reply.error["code"] == "invalidQuery" or reply.error["code"] == "queryMismatch", reply.error
        assert abs(reply.error["offset"] - offset) <= 1, f"The offset of '{query}' should be about {offset}: {reply.error}"


def test_a_query_with_a_value_of_another_type_is_refused(zones):
    for path in ("/objects", "/explain", "/statistics", "/export"):
        reply = zones.get(path, **{"class": "Zone"}, query="latitude > \"x\"", format="csv")
        assert reply.status == 400 and "latitude" in reply.error["message"], f"{reply}"


def test_a_query_of_great_depth_is_refused(zones):
    for query in ("(" * 20_000, "NOT " * 20_000 + "TRUEPREDICATE", "latitude > " + "-" * 20_000, "a." * 20_000):
        reply = zones.get("/objects", **{"class": "Zone"}, query=query)
        assert reply.status in (400, 413), f"{reply}"
        assert len(reply.body) < 200_000


def test_damage_is_an_error_of_its_rows_or_of_the_request(damaged):
    classes = [one["name"] for one in damaged.ask("/schema")["classes"]]
    for name in classes:
        reply = damaged.get("/objects", **{"class": name}, limit=400)
        assert reply.status in (200, 500), f"{reply}"
        if reply.status == 500:
            assert reply.error["code"] == "damaged" and "salvage" in reply.error["message"], reply.error
        assert damaged.get("/object", **{"class": name}, name="id:1").status in (200, 404, 500)
    assert damaged.get("/info").status in (200, 500)


# MARK: Export

def test_an_export_as_csv_is_what_the_tool_writes(zones):
    reply = zones.get("/export", **{"class": "Zone"}, format="csv", query="latitude > 60", columns="identifier,country.name,latitude")
    assert reply.status == 200 and reply.header("Content-Type") == ["text/csv; charset=utf-8"]
    assert "attachment" in reply.header("Content-Disposition")[0]
    expected = run("query", zones.store, "Zone", "latitude > 60", "--csv", "--columns", "identifier,country.name,latitude")
    assert reply.text.replace("\r\n", "\n") == expected.replace("\r\n", "\n")
    assert len(list(csv.reader(io.StringIO(reply.text)))) == 21


def test_an_export_as_lines_of_json_is_what_the_tool_writes(zones):
    reply = zones.get("/export", **{"class": "Zone"}, format="jsonl", query="latitude > 60")
    lines = [json.loads(line) for line in reply.text.splitlines()]
    assert len(lines) == 20
    expected = run_lines("query", zones.store, "Zone", "latitude > 60")
    assert lines == expected


@pytest.mark.parametrize("parameters", [
    {"class": "Zone", "query": "latitude > 60"}, {"anonymize": 1}, {"class": "Zone", "query": "latitude > 60", "anonymize": 1},
])
def test_an_exported_store_is_sound(zones, folder, parameters):
    reply = zones.get("/export", format="store", **parameters)
    assert reply.status == 200, f"{reply}"
    path = folder / "export.whimbrel"
    path.write_bytes(reply.body)
    run("check", path)
    counts = {one["name"]: one["objects"] for one in run_json("info", path)["classes"]}
    assert 20 <= counts["Zone"] < 312 if "class" in parameters else counts["Zone"] == 312
    if "anonymize" in parameters:
        assert b"Reykjavik" not in reply.body and b"Longyearbyen" not in reply.body
