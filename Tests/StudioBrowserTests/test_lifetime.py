"""Where the server listens, and how it ends."""

import contextlib
import time
from pathlib import Path

import pytest

import stores
from tool import Server, copy_sample, wait_until
from wire import Wire, ask, head, small_window


def listening(port):
    """The addresses at which something listens on a port: the lines that `ss -ltn` shows."""
    found = []
    for name in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]:
            _, local, _, state = line.split()[:4]
            address, number = local.split(":")
            if state == "0A" and int(number, 16) == port:
                found.append(address)
    return found


def test_the_server_listens_on_the_loopback_interface_only(target):
    assert listening(target.port) == ["0100007F"], "The server should listen on 127.0.0.1 alone."


def test_a_port_that_is_taken_is_an_error(target, folder):
    with pytest.raises(AssertionError, match=f"Could not listen on port {target.port}"):
        Server(copy_sample(folder), "--port", target.port)


def test_a_store_has_its_usual_port(serve, folder):
    """So that a page of it that is still open finds the server again."""
    schema = {"schemaVersion": 1, "classes": [{"name": "City", "properties": [{"name": "name", "type": "string"}]}]}
    # An identity of its own: the copies of a sample store have the same usual port.
    store = stores.load(folder / "cities.whimbrel", "5A6F6E65-7300-4000-8000-00000000C1E5", schema, [], stores.ids({"City": 0}))
    first = serve(store)
    second = serve(store)
    assert second.port != first.port
    first.stop()
    assert serve(store).port == first.port


@pytest.fixture
def started(serve, folder):
    """A server that has started a browser, and the code in the URL for it."""
    if not Path("/usr/bin/xdg-open").exists():
        pytest.skip("xdg-open is not installed")
    place = folder / "address"
    opener = folder / "browser.sh"
    opener.write_text(f"#!/bin/sh\necho \"$1\" > '{place}.part' && mv '{place}.part' '{place}'\n")
    opener.chmod(0o755)
    server = serve(copy_sample(folder), opener=opener)
    wait_until(place.exists, "a browser is started with the URL")
    address = place.read_text().strip()
    assert address.startswith(f"{server.origin}/?code="), address
    assert server.token not in address, "All users can see the arguments of a process."
    return server, address.removeprefix(server.origin)


def test_a_browser_is_started_with_a_code_that_works_once(started):
    server, target = started
    for refused in (dict(host="evil.example"), dict(extra=["Origin: http://evil.example"])):
        assert ask(server, target, cookie=None, **refused).status == 403
    assert ask(server, target.replace("/?", "/api/v1/studio?"), cookie=None).status == 403
    assert ask(server, target[:-1] + ("0" if target[-1] != "0" else "1"), cookie=None).status == 403
    reply = ask(server, target, cookie=None)
    assert reply.status == 200 and len(reply.header("Set-Cookie")) == 1, f"The code should work, though others have tried: {reply}"
    again = ask(server, target, cookie=None)
    assert again.status == 403 and again.header("Set-Cookie") == [], f"The code should work once: {again}"
    assert ask(server, cookie=reply.header("Set-Cookie")[0].split(";")[0]).status == 200


def test_the_code_is_removed_from_the_address(page, started):
    server, target = started
    page.driver.get(server.origin + target)
    page.ready()
    assert page.driver.current_url.rstrip("/") in (server.origin, f"{server.origin}/#/overview"), "The code should not stay in the address."
    page.driver.refresh()
    page.ready()
    page.at("Overview")


@pytest.mark.parametrize("state", ["idle", "with pages", "with half of a request", "with a download that nobody takes", "with work"])
def test_the_server_ends_with_control_c_within_a_second(serve, folder, state):
    server = serve(copy_sample(folder))
    with contextlib.ExitStack() as stack:
        wires = [stack.enter_context(small_window(server, 1)) for _ in range(3)]
        if state == "with pages":
            for wire in wires:
                wire.send(head(server, "/api/v1/events"))
                wait_until(lambda: wire._more() and b"retry" in wire.buffer, "the event stream begins", 5)
        elif state == "with half of a request":
            for wire in wires:
                wire.send("GET / HTTP/1.1\r\n")
        elif state == "with a download that nobody takes":
            for wire in wires:
                wire.send(head(server, "/api/v1/export?format=store&anonymize=1") * 100)
        elif state == "with work":
            for wire in wires:
                wire.send(head(server, "/api/v1/export?format=store&anonymize=1"))
            time.sleep(0.05)
        code, took = server.interrupt()
        assert code == 0, f"To stop a server is a success, and it ended with {code}: {server.complaints()}"
        # Work that ended after the threads of the connections had ended left errors of SwiftNIO here.
        assert server.complaints() == "", "Nothing is wrong when a server is stopped."
        assert took < 1, f"The server should end within a second, and took {took:.1f} s."
        if state == "with pages":
            wires[0].socket.settimeout(2)
            while wires[0]._more():
                pass
            assert b"event: goodbye" in wires[0].buffer, "A page should be told that the server stops."
    assert [file.name for file in server.store.parent.iterdir() if file.suffix != ".whimbrel"] == [], "Nothing should be left behind."


def test_a_server_whose_page_was_closed_ends(serve, folder, is_short):
    """It waits for ten seconds, in which the page may be loaded again."""
    server = serve(copy_sample(folder), keep=False)
    with Wire(server, 5) as wire:
        wire.send(head(server, "/api/v1/events"))
        wait_until(lambda: wire._more() and b"retry" in wire.buffer, "the event stream begins", 5)
    if is_short:
        assert server.is_running
        return
    time.sleep(5)
    with Wire(server, 5) as wire:
        wire.send(head(server, "/api/v1/events"))
        wait_until(lambda: wire._more() and b"retry" in wire.buffer, "the event stream begins", 5)
        time.sleep(7)
        assert server.is_running, "A server should not end while a page is open."
    wait_until(lambda: not server.is_running, "the server ends when its page was closed", 20, 0.2)
    assert server.process.returncode == 0
    assert server.output().endswith("Stopped: the page was closed.\n"), server.output()


@pytest.mark.long
def test_a_server_that_is_kept_goes_on_without_a_page(serve, folder):
    server = serve(copy_sample(folder))
    with Wire(server, 5) as wire:
        wire.send(head(server, "/api/v1/events"))
        wait_until(lambda: wire._more() and b"retry" in wire.buffer, "the event stream begins", 5)
    time.sleep(13)
    assert server.is_running
