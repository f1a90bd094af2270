"""The page follows the store while other processes write, migrate, replace and delete it."""

import itertools
import json
import re
import shutil
import socket
import threading

import pytest

from browser import an_object, objects
from tool import copy_sample, run
from test_objects import parameters


class Tunnel:
    """A port that leads to a server, as of `ssh -L`, and that can be cut."""

    def __init__(self, server):
        self.server, self.lines, self.is_cut = server, [], False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        self.url = f"{self.origin}/?token={server.token}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            near, _ = self.listener.accept()
            if self.is_cut:
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self.server.port))
            self.lines += [near, far]
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(source, target), daemon=True).start()

    @staticmethod
    def _carry(source, target):
        try:
            while part := source.recv(1 << 16):
                target.sendall(part)
        except OSError:
            pass
        for line in (source, target):
            try:
                line.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        self.is_cut = True
        for line in self.lines:
            try:
                line.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def mend(self):
        self.is_cut = False


def state(page, expected):
    page.until(lambda: page.js("return document.querySelector('.live')?.dataset.state") == expected, f"the light says '{expected}'")


def place(page):
    """Where the table is scrolled, and where a row of it is in the window of the table."""
    return page.js("""const scroller = document.querySelector('.grid-scroller');
        return [scroller.scrollTop, document.querySelector('[role=grid] [data-row="99"]').getBoundingClientRect().top - scroller.getBoundingClientRect().top]""")


def count(page, name):
    """The number of objects of a class in the side bar. Only events change it."""
    return page.js("return Number(document.querySelector(`#side-classes [data-class=${arguments[0]}] .count`).firstChild.data)", name)


def hear_of_a_commit(page, server):
    """Adds objects of a class that no other test here looks at, until the page has heard of one."""
    before, codes = page.until(lambda: count(page, "Region"), "the side bar counts", 20), itertools.count(1_000)

    def is_heard():
        run("add", server.store, "Region", f"code={next(codes)}", "name=New", "--write")
        return count(page, "Region") > before
    page.until(is_heard, "the page hears of a commit", 20)


@pytest.mark.short
def test_a_changed_value_appears_in_its_cell(page, writable):
    page.open(writable, objects("Zone")).live()
    page.row(1)
    run("set", writable.store, "Zone", "Asia/Dubai", "city=Elsewhere <b>", "--write")
    page.until(lambda: page.row(1)[1] == "Elsewhere <b>", "the new value is in its cell")
    assert page.cell(1, "city").get_attribute("class").split().count("is-changed") == 1, "The cell should be marked for some seconds."
    assert "is-changed" not in page.cell(1, "identifier").get_attribute("class")


@pytest.mark.short
def test_nothing_jumps_while_others_write(page, writable):
    page.open(writable, objects("Zone", sort="latitude", row=100)).live()
    page.row(99)
    rows = page.settled()
    before = place(page)
    first = rows[min(rows)][0]
    page.focus(page.cell(100, "latitude"))
    run("set", writable.store, "Zone", page.rows[100][0], "latitude=-89", "--write")
    page.until(lambda: page.row(100)[3] == "-89", "the value has changed in place")
    run("add", writable.store, "Zone", "identifier=A/B", "latitude=-90", "longitude=0", "countryCodes=AD", "--write")
    page.sees("1 object was added.")
    run("rm", writable.store, "Zone", rows[101][0], "--write")
    page.until(lambda: "is-deleted" in page.css("[role=grid] [data-row='101']").get_attribute("class"), "the deleted row is struck through")
    assert page.rows[min(rows)][0] == first, "The rows should keep their order."
    assert place(page) == before, "The table should not scroll."
    assert page.focused()[0] == "gridcell", "The focus should stay."
    page.click("button", re.compile("^Show them"))
    page.sees_not("was added")
    page.js("document.querySelector('.grid-scroller').scrollTop = 0")
    page.until(lambda: page.rows.get(0, [""])[0] == "A/B", "the new object is at its place")


def test_a_commit_during_the_first_load_of_a_table_is_shown(page, writable):
    """The answer was from before the commit, whose event came while there was no table yet."""
    page.open(writable).live()
    page.until(lambda: count(page, "Country") == 249, "the side bar counts", 20)
    page.hold("/objects").start_to_go(objects("Country")).holds()
    run("set", writable.store, "Country", "AD", "name=Meanwhile", "--write")
    run("add", writable.store, "Country", "code=A-", "name=New", "--write")
    page.until(lambda: count(page, "Country") == 250, "the page hears of the commits", 20)
    page.release().ready()
    page.until(lambda: page.row(0)[1] == "Meanwhile", "the new value is shown")
    page.sees("Objects were written.")
    page.click("button", re.compile("^Show them"))
    page.until(lambda: page.css("[role=grid]").get_attribute("aria-rowcount") == "251", "the new object is in the table")
    page.sees_not("Objects were written.")


def test_a_commit_during_the_load_of_another_order_is_shown(page, writable):
    """As above, with another table that took the event."""
    page.open(writable, objects("Country")).live()
    page.row(0)
    page.hold("/objects").start_to_go(objects("Country", sort="code")).holds()
    run("set", writable.store, "Country", "AD", "name=Meanwhile", "--write")
    hear_of_a_commit(page, writable)
    page.release().ready()
    page.until(lambda: page.row(0)[1] == "Meanwhile", "the new value is shown")
    page.sees("Objects were written.")


def test_a_commit_during_the_first_load_of_rows_is_shown(page, writable):
    """The rows that were scrolled to were not there yet, so the event told of none that was outdated."""
    page.open(writable, objects("Country")).live()
    page.row(0)
    page.hold("/objects").js("document.querySelector('.grid-scroller').scrollTop = 1e9")
    page.holds()
    run("set", writable.store, "Country", "ZW", "name=Meanwhile", "--write")
    hear_of_a_commit(page, writable)
    page.release()
    page.until(lambda: page.row(248)[1] == "Meanwhile", "the new value is shown")


def test_a_commit_during_the_first_load_of_an_object_is_shown(page, writable):
    """The answer was from before the commit, whose event came while there was no object yet."""
    page.open(writable).live()
    page.hold("/object").start_to_go(an_object("Country", "AD")).holds()
    run("set", writable.store, "Country", "AD", "name=Meanwhile", "--write")
    hear_of_a_commit(page, writable)
    page.release().ready().sees("Meanwhile")


def test_the_counts_of_the_side_bar_follow(page, writable):
    page.open(writable, objects("Zone")).live()
    page.sees("312 objects")
    run("rm", writable.store, "Zone", "--where", "latitude > 60", "--write")
    page.until(lambda: page.find("link", re.compile(r"^Zone\s+292\s+objects$"), "#side-classes"), "the side bar counts 292 objects")


def test_the_overview_follows(page, writable):
    page.open(writable).live().sees("580 objects of 4 classes")
    run("rm", writable.store, "Zone", "Asia/Dubai", "--write")
    page.sees("579 objects of 4 classes")


def test_many_commits_are_shown_in_the_end(page, writable):
    page.open(writable, objects("Zone")).live()
    page.row(1)
    for number in range(20):
        run("set", writable.store, "Zone", "Asia/Dubai", f"comments=number {number}", "--write")
    page.until(lambda: page.row(1)[5] == "number 19", "the last value is shown")


def test_a_change_of_many_objects_is_shown(page, serve, folder, packages):
    store = folder / "packages.whimbrel"
    shutil.copyfile(packages.store, store)
    page.open(serve(store, "--write"), objects("Package")).live()
    page.row(0)
    run("set", store, "Package", "--where", "TRUEPREDICATE", "version=9.9-9", "--write")
    page.until(lambda: page.row(3)[1] == "9.9-9", "the values that are in sight are new")


def test_a_value_at_the_end_of_a_path_follows(page, writable):
    page.open(writable, "#/overview")
    page.js("localStorage.setItem(arguments[0], arguments[1])", f"whimbrel.{writable.ask('/studio')['uuid']}.columns.Zone",
            json.dumps([{"name": "identifier"}, {"name": "country.name"}]))
    page.driver.get("about:blank")
    page.open(writable, objects("Zone"), keeps_storage=True).live()
    page.row(0)
    run("set", writable.store, "Country", "AD", "name=Renamed", "--write")
    page.until(lambda: page.row(0)[1] == "Renamed", "the value of the linked object is new")


@pytest.mark.parametrize("fragment", ["#/overview", objects("Zone"), an_object("Zone", "Asia/Dubai"), "#/classes", "#/classes?class=Zone", "#/plan", "#/compare"])
def test_a_migration_is_followed_on_every_page(page, serve, folder, fragment):
    store = copy_sample(folder, 6)
    page.open(serve(store), fragment).live()
    page.sees("Schema version 6", "#store")
    run("migrate", store, copy_sample(folder, 7, "new.whimbrel"), "--write")
    page.sees("Schema version 7", "#store").ready()
    if "objects" in fragment:
        page.until(lambda: "city" in page.columns, "the new property is a column")
    elif fragment not in ("#/overview", "#/plan", "#/compare"):
        page.sees("city" if "Zone" in fragment else "10")
    state(page, "live")


def test_the_counts_of_a_commit_during_a_reload_stay(page, serve, folder):
    """The counts that the page had asked for after the migration were from before the commit."""
    store = copy_sample(folder, 6)
    page.open(serve(store), objects("Zone")).live()
    page.sees("312 objects")
    page.hold("/info")
    run("migrate", store, copy_sample(folder, 7, "new.whimbrel"), "--write")
    page.holds()
    run("rm", store, "Zone", "--where", "latitude > 60", "--write")
    is_counted = lambda: page.find("link", re.compile(r"^Zone\s+292\s+objects$"), "#side-classes")
    page.until(is_counted, "the side bar counts 292 objects")
    page.release().ready()
    page.until(lambda: page.find("link", re.compile(r"^Country\s+249\s+objects$"), "#side-classes"), "the other classes are counted")
    assert is_counted(), "The answer should not replace the later count."


@pytest.mark.short
def test_a_store_that_is_replaced_is_followed(page, writable, folder):
    page.open(writable, objects("Zone")).live()
    page.row(0)
    copy_sample(folder, 6, "other.whimbrel").rename(writable.store)
    page.sees("Schema version 6", "#store").ready()
    page.until(lambda: "city" not in page.columns, "the columns are those of the other store")
    assert page.row(0)[0] == "Europe/Andorra"


def test_a_class_that_is_gone_says_so(page, writable, folder):
    page.open(writable, objects("Region")).live()
    page.row(0)
    copy_sample(folder, 3, "other.whimbrel").rename(writable.store)
    page.at("No such class")


def test_a_store_that_is_deleted_is_told(page, writable):
    page.allow("404|500|Failed to load")
    page.open(writable, objects("Zone")).live()
    page.row(0)
    writable.store.unlink()
    state(page, "stopped")
    page.sees("This page no longer works.")
    assert page.row(0)[0] == "Europe/Andorra", "What was seen should stay."
    assert page.names("button", "#toasts"), "A message should be shown."


def test_a_server_that_stops_is_told(page, serve, folder):
    page.allow("ERR_|Failed to load")
    store = copy_sample(folder)
    server = serve(store)
    page.open(server, objects("Zone")).live()
    page.row(0)
    assert server.interrupt()[0] == 0
    state(page, "stopped")
    page.sees("The server has stopped", "#toasts")
    page.sees("This page no longer works.")
    page.is_accessible()


def test_a_page_of_a_server_that_was_started_again_says_what_to_do(page, serve, folder):
    """The server was killed, and a new one has the same port but another token."""
    page.allow("ERR_|Failed to load|403")
    store = copy_sample(folder)
    server = serve(store)
    page.open(server, objects("Zone")).live()
    page.row(0)
    server.process.kill()
    server.process.wait()
    state(page, "reconnecting")
    serve(store, "--port", server.port)
    state(page, "stopped")
    page.sees("This page no longer works.")


def test_two_pages_see_the_edits_of_each_other(page, writable):
    page.open(writable, an_object("Zone", "Asia/Dubai")).live().sees("Dubai")
    edit = {"mode": "write", "operations": [{"set": {"class": "Zone", "object": "Asia/Dubai", "values": {"city": "Other"}}}]}
    assert writable.post("/edit", edit).status == 200
    page.sees("Other")
    page.click("button", "Undo")
    page.sees("city", "dialog")
    page.click("button", re.compile("^Undo"), "dialog")
    page.sees("Redo", "dialog")
    assert writable.ask("/object", **{"class": "Zone"}, name="Asia/Dubai")["properties"][1]["cell"] == "Dubai"


def test_the_page_connects_again(page, writable):
    """A connection that breaks, as through a tunnel, is made again, and what was written meanwhile is shown."""
    page.allow("ERR_|Failed to load")
    tunnel = Tunnel(writable)
    page.open(tunnel, objects("Zone")).live()
    page.row(1)
    tunnel.cut()
    state(page, "reconnecting")
    run("set", writable.store, "Zone", "Asia/Dubai", "city=Meanwhile", "--write")
    tunnel.mend()
    page.until(lambda: page.row(1)[1] == "Meanwhile", "what was written meanwhile is shown", 20)
    state(page, "live")
    page.driver.get("about:blank")
    tunnel.cut()


def test_what_was_written_without_a_connection_is_shown_after_newer_events(page, writable):
    """An event came between the connection and the answer that tells the commit. The page took its commit for the one that it showed."""
    page.allow("ERR_|Failed to load")
    tunnel = Tunnel(writable)
    page.open(tunnel, objects("Country")).live()
    page.row(0)
    tunnel.cut()
    state(page, "reconnecting")
    run("set", writable.store, "Country", "AD", "name=Meanwhile", "--write")
    page.hold("/studio", is_answered=False)
    tunnel.mend()
    page.holds()
    hear_of_a_commit(page, writable)
    page.release()
    page.until(lambda: page.row(0)[1] == "Meanwhile", "what was written without a connection is shown")
    page.driver.get("about:blank")
    tunnel.cut()


def test_the_row_in_the_address_survives_a_reload_while_others_write(page, writable):
    page.open(writable, objects("Zone", row=200)).live()
    name = page.row(199)[0]
    page.until(lambda: "row" in parameters(page), "the row is in the address")
    page.driver.refresh()
    page.ready()
    assert page.row(199)[0] == name


def test_many_commits_cost_the_server_no_memory(page, writable):
    page.open(writable, objects("Zone")).live()
    before = writable.memory
    for number in range(30):
        run("set", writable.store, "Zone", "Asia/Dubai", f"latitude={number}", "--write")
    page.until(lambda: page.row(1)[3] == "29", "the last value")
    assert writable.memory - before < 60, f"The server should keep nothing of each commit, and grew from {before:.0f} to {writable.memory:.0f} MiB."
