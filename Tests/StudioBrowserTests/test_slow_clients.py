"""Slow clients, many clients, and clients that never read: the page goes on working meanwhile."""

import contextlib
import threading
import time

import pytest

from tool import wait_until
from wire import POST, Wire, ask, head, small_window

pytestmark = pytest.mark.usefixtures("bounded")


class Visitor:
    """Someone who uses the page meanwhile, on one connection."""

    def __init__(self, server):
        self.server, self.wire, self.slowest = server, Wire(server, 10), 0

    def look(self, limit=3):
        begin = time.monotonic()
        self.wire.send(head(self.server))
        reply = self.wire.reply()
        took = time.monotonic() - begin
        assert reply is not None and reply.status == 200, f"The page should go on working: {reply}"
        assert took < limit, f"The page should get its answers within {limit} s, and waited for {took:.1f} s."
        self.slowest = max(self.slowest, took)

    def close(self):
        self.wire.socket.close()


@pytest.fixture
def visitor(target):
    visitor = Visitor(target)
    visitor.look()
    yield visitor
    visitor.look()
    visitor.close()


def has_few_files(server, before):
    wait_until(lambda: server.open_files <= before + 8, f"The server closes connections, and has about {before} open files again", 20)


@pytest.mark.parametrize("kind", ["silent", "half of a request", "refused requests", "closed at once"])
def test_many_connections_do_not_stop_the_page(target, visitor, kind, is_short):
    total, batch = (600, 200) if is_short else (10_000, 400)
    before = target.open_files
    most = 0
    for _ in range(total // batch):
        with contextlib.ExitStack() as stack:
            for _ in range(batch):
                try:
                    wire = stack.enter_context(Wire(target, 5))
                except OSError:
                    continue
                if kind == "half of a request":
                    wire.send("GET / HTTP/1.1\r\nHost: ")
                elif kind == "refused requests":
                    wire.send(head(target, cookie=None))
                elif kind == "closed at once":
                    wire.socket.close()
            visitor.look()
            most = max(most, target.open_files)
            assert ask(target).status == 200, "A page that is opened meanwhile should get an answer."
    assert most < before + 200, f"The server should keep few connections of strangers, and had {most} open files."
    has_few_files(target, before)


def test_many_event_streams_do_not_stop_the_page(target, visitor):
    before = target.open_files
    with contextlib.ExitStack() as stack:
        for _ in range(60):
            stack.enter_context(Wire(target, 5)).send(head(target, "/api/v1/events"))
            visitor.look()
        assert target.open_files < before + 50, "The server should limit the event streams."
    has_few_files(target, before)


def test_many_slow_requests_do_not_stop_the_page(target, visitor, is_short):
    """As many answers as come to work at once are either given, or refused with 503."""
    with contextlib.ExitStack() as stack:
        wires = []
        for _ in range(50 if is_short else 300):
            # Connections that have sent nothing yet may be closed for new ones.
            wires.append(stack.enter_context(Wire(target, 60)))
            wires[-1].send(head(target, "/api/v1/statistics?class=Zone"))
        visitor.look(10)
        statuses = {reply.status if reply else None for reply in (wire.reply() for wire in wires)}
    assert statuses <= {200, 503}, f"{statuses}"


def test_slow_requests_are_cut_off(target, visitor, is_short):
    """Slowloris: a byte now and then, so that the request never ends."""
    limit = 15
    with contextlib.ExitStack() as stack:
        kinds = [
            "GET / HTTP/1.1\r\nX-", head(target, cookie=None)[:-2] + "X-",
            head(target, "/api/v1/plan", "POST", cookie=None, extra=[*POST, "Content-Length: 1000"]),
        ]
        wires = [(stack.enter_context(Wire(target, 20)), kind) for kind in kinds for _ in range(10)]
        for wire, kind in wires:
            wire.send(kind)
        end = time.monotonic() + (1 if is_short else limit)
        while time.monotonic() < end:
            alive = [wire for wire, _ in wires if wire.send("a")]
            visitor.look()
            if not alive:
                break
            time.sleep(0.2)
        if not is_short:
            assert all(wire.is_closed(1) for wire, _ in wires), f"A request that does not end in {limit} s should be cut off."


@pytest.mark.long
def test_a_slow_request_on_a_connection_that_was_used_is_cut_off(target, visitor):
    with Wire(target, 100) as wire:
        wire.send(head(target))
        assert wire.reply().status == 200
        wire.send("GET / HTTP/1.1\r\nX-")
        end = time.monotonic() + 90
        while time.monotonic() < end and wire.send("a"):
            visitor.look()
            time.sleep(0.5)
        assert wire.is_closed(1), "A request that does not end in 90 s should be cut off."


@pytest.mark.parametrize("path", ["/style.css", "/api/v1/export?format=store&anonymize=1", "/api/v1/objects?class=Zone&limit=1000"])
def test_a_client_that_never_reads_its_answers_does_not_stop_the_page(target, visitor, path, is_short):
    before = target.open_files
    with contextlib.ExitStack() as stack:
        wires = [stack.enter_context(small_window(target, 1)) for _ in range(8)]
        for wire in wires:
            wire.send(head(target, path) * 300)
        for _ in range(10):
            visitor.look()
        if not is_short:
            # Downloads of all clients wait for two threads, each for 30 seconds.
            limit = 75 if "export" not in path else 200
            end = time.monotonic() + limit
            while target.open_files > before + 2 and time.monotonic() < end:
                visitor.look()
                time.sleep(0.5)
            assert target.open_files <= before + 2, f"Clients that do not read should be cut off within {limit} s."


def test_clients_that_go_away_stop_their_work(target, visitor):
    before = target.open_files
    for path in ("/api/v1/export?format=store&anonymize=1", "/api/v1/statistics?class=Zone", "/api/v1/diff?with=zones.whimbrel", "/api/v1/events"):
        for _ in range(20):
            with Wire(target, 5) as wire:
                wire.send(head(target, path))
    visitor.look(10)
    has_few_files(target, before)


@pytest.mark.long
def test_requests_from_many_threads_are_all_answered(target):
    failures = []

    def work():
        for path in ("/studio", "/info", "/schema", "/objects?class=Zone", "/statistics?class=Zone") * 20:
            reply = target.request("GET", f"/api/v1{path}")
            if reply.status not in (200, 503):
                failures.append((path, reply))

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
