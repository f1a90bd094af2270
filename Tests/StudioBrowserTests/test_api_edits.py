"""Edits by the API: previews, writes, and taking them back."""

import random
import shlex
import threading

import pytest

from requests_of_pages import edit, rows, zone
from tool import run, run_lines


def test_a_preview_changes_nothing(writable):
    found = edit(writable, [zone(writable, "id:1", latitude=1.5)], "preview")
    assert found["summary"].items() >= {"added": 0, "removed": 0, "changed": 1, "same": 0}.items()
    assert found["changes"][0]["properties"] == [{"property": "latitude", "old": 42.5, "new": 1.5}]
    assert found["undo"] is None
    assert rows(writable, limit=1, columns="latitude")["rows"][0]["cells"] == [42.5]


def test_an_edit_is_written_and_undone(writable):
    lines = run_lines("set", writable.store, "Zone", "id:1", "latitude=1.5")
    found = edit(writable, [zone(writable, "id:1", latitude=1.5)])
    assert found["changes"] == [line for line in lines if "change" in line]
    assert rows(writable, limit=1, columns="latitude")["rows"][0]["cells"] == [1.5]
    steps = writable.ask("/undo")["steps"]
    assert [step["id"] for step in steps] == [found["undo"]] and "latitude" in steps[0]["summary"]
    reply = writable.post("/undo", {"id": found["undo"]})
    assert reply.status == 200, f"{reply}"
    assert rows(writable, limit=1, columns="latitude")["rows"][0]["cells"] == [42.5]


def test_the_command_of_an_edit_does_the_same(writable):
    values = {"latitude": 48.9, "comments": "it's \"quoted\" $HOME `x` ü\n", "country": {"key": "FR"}}
    found = edit(writable, [zone(writable, "id:1", **values)], "preview")
    assert found["command"].startswith("whimbrel set ")
    words = shlex.split(found["command"])
    run(*words[1:2], writable.store, *words[3:])
    cells = rows(writable, limit=1, columns="latitude,comments,country.name")["rows"][0]["cells"]
    assert cells == [48.9, values["comments"], "France"]


def test_objects_are_added_and_removed_and_that_is_undone(writable):
    values = {"identifier": "A/B", "countryCodes": "AD", "latitude": 1, "longitude": 2, "country": {"key": "AD"}}
    before = {one["name"]: one["objects"] for one in writable.ask("/info")["classes"]}
    added = edit(writable, [{"add": {"class": "Zone", "values": values}}])
    assert added["summary"]["added"] == 1
    assert writable.ask("/object", **{"class": "Zone"}, name="A/B")["properties"][3]["cell"] == 1
    removed = edit(writable, [{"remove": {"class": "Country", "object": "AD"}}])
    assert removed["summary"]["removed"] == 1
    assert writable.ask("/object", **{"class": "Zone"}, name="A/B")["properties"][6]["cell"] is None
    for step in (removed["undo"], added["undo"]):
        reply = writable.post("/undo", {"id": step})
        assert reply.status == 200, f"{reply}"
    assert {one["name"]: one["objects"] for one in writable.ask("/info")["classes"]} == before
    andorra = writable.ask("/object", **{"class": "Zone"}, name="Europe/Andorra")
    assert andorra["properties"][6]["cell"]["name"] == "AD", "The link to the removed object should be back."


def test_several_operations_are_one_transaction(writable):
    reply = writable.post("/edit", {"mode": "write", "operations": [
        zone(writable, "id:1", latitude=1.5), zone(writable, "id:2", nothing=1)]})
    assert reply.status == 400, f"{reply}"
    assert rows(writable, limit=1, columns="latitude")["rows"][0]["cells"] == [42.5], "Either all is written or nothing."


def test_a_write_makes_the_changes_of_its_preview_or_none(writable):
    operations = [zone(writable, "id:1", latitude=1.5)]
    digest = edit(writable, operations, "preview")["digest"]
    assert digest == edit(writable, operations, "preview")["digest"]
    run("set", writable.store, "Zone", "id:2", "latitude=2.5", "--write")
    request = {"mode": "write", "digest": digest, "operations": operations}
    run("set", writable.store, "Zone", "id:1", "latitude=2.5", "--write")
    reply = writable.post("/edit", request)
    assert reply.status == 409, f"{reply}"
    assert reply.error["code"] == "changedMeanwhile"
    assert rows(writable, limit=1, columns="latitude")["rows"][0]["cells"] == [2.5]
    run("set", writable.store, "Zone", "id:1", "latitude=42.5", "--write")
    reply = writable.post("/edit", request)
    assert reply.status == 200, "The object is as it was, and what else has changed does not matter."
    assert writable.post("/edit", request | {"digest": 1}).status == 400


def test_an_undo_of_what_has_changed_meanwhile_is_refused(writable):
    found = edit(writable, [zone(writable, "id:1", latitude=1.5)])
    run("set", writable.store, "Zone", "id:1", "latitude=2.5", "--write")
    reply = writable.post("/undo", {"id": found["undo"]})
    assert reply.status == 409, f"{reply}"
    assert reply.error["code"] == "changedMeanwhile"
    assert rows(writable, limit=1, columns="latitude")["rows"][0]["cells"] == [2.5]


@pytest.mark.parametrize("operations", [
    [], [{}], [{"set": {}}], [{"nothing": {"class": "Zone"}}], [{"set": {"class": "Nothing", "object": "id:1", "values": {}}}],
    [{"set": {"class": "Zone", "object": "id:99999", "values": {"latitude": 1}}}], [{"set": {"class": "Zone", "object": "id:1", "values": {"latitude": "x"}}}],
    [{"set": {"class": "Zone", "object": "id:1", "values": {"identifier": "Asia/Dubai"}}}], [{"set": {"class": "Zone", "object": "id:1", "values": {"country": {"key": "ZZZ"}}}}],
    [{"add": {"class": "Zone", "values": {"identifier": "Asia/Dubai"}}}], [{"add": {"class": "ClockChange", "values": {"offset": 1}}}],
    [{"remove": {"class": "Zone", "object": "id:99999"}}], [{"set": {"class": "Region", "object": "id:1", "values": {"code": 1.5}}}],
])
def test_an_edit_that_is_wrong_is_refused(writable, operations):
    for mode in ("preview", "write"):
        reply = writable.post("/edit", {"mode": mode, "operations": operations})
        assert reply.status in (400, 404), f"{operations}: {reply}"
        assert reply.error["message"]
    assert writable.ask("/undo") == {"steps": []}


def test_an_edit_waits_for_another_writer_and_others_are_answered(writable):
    """A process that holds the write lock must not stop the reading of the page."""
    done = []
    def write(number):
        done.append(writable.post("/edit", {"mode": "write", "operations": [zone(writable, "id:1", latitude=number + 0.5)]}).status)

    threads = [threading.Thread(target=write, args=[number]) for number in range(8)]
    for thread in threads:
        thread.start()
    assert rows(writable, limit=1)["total"] == 312
    for thread in threads:
        thread.join()
    assert done == [200] * 8
    assert len(writable.ask("/undo")["steps"]) == 8


@pytest.mark.parametrize("seed", range(3))
def test_all_edits_that_are_taken_back_leave_the_store_as_it_was(writable, seed):
    generator = random.Random(seed)
    countries = [row["cells"][0] for row in writable.ask("/objects", **{"class": "Country"}, columns="code", limit=1_000)["rows"]]
    before = run("dump", writable.store).split("\n")[1:]
    steps = []
    for number in range(25):
        zones = [f"id:{row['id']}" for row in rows(writable, columns="identifier", limit=1_000)["rows"]]
        country = generator.choice(countries)
        operation = generator.choice([
            lambda: zone(writable, generator.choice(zones), latitude=generator.random() * 90, city=f"city {number}", country={"key": country}),
            lambda: zone(writable, generator.choice(zones), clockChanges=[{"date": "2026-01-31T12:00:00Z", "offset": number, "abbreviation": "X"}]),
            lambda: zone(writable, generator.choice(zones), clockChanges=[], comments="\u202e\0 <b>"),
            lambda: {"remove": {"class": "Zone", "object": generator.choice(zones)}},
            lambda: {"remove": {"class": "Country", "object": countries.pop(generator.randrange(len(countries)))}} if country else None,
            lambda: {"add": {"class": "Zone", "values": {"identifier": f"New/{number}", "latitude": 1, "longitude": 2, "countryCodes": "XX", "country": {"key": generator.choice(countries)}}}},
        ])()
        if "set" in operation and operation["set"]["values"].get("country", {"key": countries[0]})["key"] not in countries:
            continue
        steps.append(edit(writable, [operation])["undo"])
    run("check", writable.store)
    assert run("dump", writable.store).split("\n")[1:] != before
    for step in reversed([step for step in steps if step]):
        reply = writable.post("/undo", {"id": step})
        assert reply.status == 200, f"{reply}"
    run("check", writable.store)
    after = run("dump", writable.store).split("\n")[1:]
    differing = [(old, new) for old, new in zip(before, after) if old != new][:3]
    assert after == before, f"The store should be as it was before. It differs in {differing}"
