"""The stream of events."""

import json
import time

import pytest

from requests_of_pages import edit, zone
from tool import copy_sample, run, wait_until
from wire import Wire, head


class Events:
    """A page's stream of events."""

    def __init__(self, server):
        self.wire = Wire(server, 10)
        self.wire.send(head(server, "/api/v1/events"))
        self.seen = []
        wait_until(lambda: self.wire._more() and b"retry" in self.wire.buffer, "the event stream begins", 5)
        self.wire.buffer = b""

    def next(self, kind, seconds=5):
        """Waits for the next event of a kind."""
        self.wire.socket.settimeout(0.2)

        def found():
            self.wire._more()
            text = b"".join(self.chunks()).decode()
            *events, rest = text.split("\n\n")
            self.wire.buffer = b""
            self.rest = rest
            for event in events:
                fields = dict(line.split(": ", 1) for line in event.split("\n") if ": " in line)
                if "event" in fields:
                    self.seen.append((fields["event"], json.loads(fields["data"])))
            for place, (name, data) in enumerate(self.seen):
                if name == kind:
                    del self.seen[:place + 1]
                    return data
            return None

        return wait_until(found, f"an event '{kind}'", seconds)

    rest = ""

    def chunks(self):
        """The body: lines with sizes of chunks are left out, since events are whole chunks."""
        yield self.rest.encode()
        lines = self.wire.buffer.split(b"\r\n")
        for number, line in enumerate(lines):
            if number % 2 == 1:
                yield line

    def close(self):
        self.wire.socket.close()


@pytest.fixture
def events(writable):
    events = Events(writable)
    # The feed needs a moment to follow the store.
    time.sleep(0.3)
    yield events
    events.close()


def test_an_event_tells_what_another_process_has_written(writable, events):
    run("set", writable.store, "Zone", "id:5", "latitude=1", "--write")
    told = events.next("commit")
    assert told["classes"] == [{"name": "Zone", "objects": 312, "added": [], "removed": [], "changed": [5]}]
    assert told["commit"] == writable.ask("/studio")["commit"]
    run("rm", writable.store, "Zone", "id:6", "--write")
    told = {one["name"]: one for one in events.next("commit")["classes"]}
    assert told["Zone"]["removed"] == [6] and told["Zone"]["objects"] == 311


def test_an_event_tells_of_edits_of_other_pages(writable, events):
    found = edit(writable, [zone(writable, "id:1", latitude=1.5)])
    assert [step["id"] for step in events.next("edit")["steps"]] == [found["undo"]]


def test_an_event_tells_that_the_store_was_migrated(serve, folder):
    store = copy_sample(folder, 6)
    server = serve(store)
    events = Events(server)
    time.sleep(0.3)
    run("migrate", store, copy_sample(folder, 7, "new.whimbrel"), "--write")
    events.next("schema")
    assert server.ask("/schema")["schemaVersion"] == 7
    events.close()


def test_an_event_tells_that_the_store_was_replaced(writable, events, folder):
    copy_sample(folder, 6, "other.whimbrel").rename(writable.store)
    events.next("schema")
    assert writable.ask("/schema")["schemaVersion"] == 6
    assert writable.ask("/studio")["uuid"].endswith("6")


def test_an_event_tells_that_the_store_is_lost_and_it_may_come_back(writable, events):
    moved = writable.store.with_name("moved.whimbrel")
    writable.store.rename(moved)
    assert events.next("lost")["message"]
    assert writable.get("/info").status == 404
    moved.rename(writable.store)
    events.next("schema")
    assert writable.ask("/info")["classes"]


def test_events_of_many_commits_come_at_most_ten_times_a_second(writable, events):
    begin = time.monotonic()
    for number in range(25):
        run("set", writable.store, "Zone", "id:5", f"latitude={number + 0.5}", "--write")
    last = writable.ask("/studio")["commit"]
    told = []
    while not told or told[-1]["commit"] < last:
        told.append(events.next("commit"))
    took = time.monotonic() - begin
    assert len(told) <= took * 10 + 2, f"{len(told)} events came in {took:.1f} s."


def test_an_event_tells_of_a_check(writable, events):
    writable.post("/check")
    while events.next("check")["state"] != "done":
        pass


def test_long_work_tells_how_far_it_is(packages):
    events = Events(packages)
    packages.ask("/statistics", **{"class": "Package"}, progress="mine")
    found = events.next("progress")
    assert found["name"] == "mine" and found["step"].endswith("Package"), found
    assert 0 < found["completed"] <= found["total"], found
    assert found["total"] == packages.ask("/objects", **{"class": "Package"}, limit=0)["total"]
    events.close()


def test_the_name_of_a_progress_is_short(packages):
    assert packages.get("/statistics", **{"class": "Package"}, progress="x" * 65).status == 400
