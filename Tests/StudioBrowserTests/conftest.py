"""Fixtures of the tests of Whimbrel Studio.

    Tools/test studio             everything
    Tools/test studio --short     what runs for every change: under 90 seconds
    Tools/test studio --record    write the reference screenshots anew

`WHIMBREL` names the tool, `WHIMBREL_ASSETS` a folder with the files of the page that is served instead of those in
the tool, and `WHIMBREL_RELEASE` an optimised tool for `test_speed.py`.
"""

import shutil
import tempfile
from pathlib import Path

import pytest

import stores
from browser import Browser, Page
from tool import WHIMBREL, Server, copy_sample


def pytest_addoption(parser):
    parser.addoption("--short", action="store_true", help="run the short form")
    parser.addoption("--record", action="store_true", help="write the reference screenshots anew")


def pytest_collection_modifyitems(config, items):
    """The short form has the tests of the server, and of those of the page the ones that are marked 'short'."""
    if not config.getoption("--short"):
        return
    skip = pytest.mark.skip(reason="long form only")
    for item in items:
        if item.get_closest_marker("long") or ("page" in item.fixturenames and not item.get_closest_marker("short")):
            item.add_marker(skip)


def pytest_report_header():
    return f"whimbrel: {WHIMBREL}"


@pytest.fixture(scope="session")
def is_short(request):
    return request.config.getoption("--short")


@pytest.fixture(scope="session")
def session_folder():
    folder = Path(tempfile.mkdtemp(prefix="whimbrel-studio-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def folder(session_folder):
    return Path(tempfile.mkdtemp(dir=session_folder))


def _serving(store, *arguments):
    server = Server(store, *arguments)
    yield server
    server.stop()


# Servers that several tests share. Each has its store in a folder of its own.

@pytest.fixture(scope="session")
def zones(session_folder):
    """A read-only server of the sample store of version 7; the older ones are beside it."""
    place = session_folder / "zones"
    place.mkdir()
    for version in range(1, 7):
        copy_sample(place, version, f"zones-{version}.whimbrel")
    yield from _serving(copy_sample(place))


@pytest.fixture(scope="session")
def packages(session_folder, is_short):
    """A read-only server of a store like the index of packages of Debian."""
    place = session_folder / "packages"
    place.mkdir()
    yield from _serving(stores.make_packages(place / "packages.whimbrel", 2_000 if is_short else 5_000))


@pytest.fixture(scope="session")
def hostile(session_folder):
    """A server that may write, of a store whose names and values attack the page."""
    place = session_folder / "hostile"
    place.mkdir()
    yield from _serving(stores.make_hostile(place / "<img src=x onerror=alert(1)>.whimbrel"), "--write")


@pytest.fixture(scope="session")
def damaged(session_folder):
    """A server of a store with damaged pages."""
    place = session_folder / "damaged"
    place.mkdir()
    yield from _serving(stores.damage(copy_sample(place)))


@pytest.fixture
def serve():
    """Starts a server for one test: `serve(store, '--write')`."""
    started = []

    def start(store, *arguments, **options):
        server = Server(store, *arguments, **options)
        started.append(server)
        return server

    yield start
    for server in started:
        server.stop()


@pytest.fixture
def writable(serve, folder):
    """A server that may write, of a sample store of its own."""
    return serve(copy_sample(folder), "--write")


# What the server may need during an attack beside what it has needed before, in MiB.
MEMORY_LIMIT = 96


@pytest.fixture(scope="session")
def target(session_folder):
    """A server that is attacked, and that nothing else uses."""
    place = session_folder / "attacked"
    place.mkdir()
    yield from _serving(copy_sample(place))


@pytest.fixture
def bounded(target):
    """After each attack the server runs, has said nothing, answers, and has not grown."""
    target.forget_peak()
    before = target.memory
    yield
    assert target.is_running, f"The server should run after the attack, and ended: {target.complaints()}"
    assert target.ask("/studio")["api"] == 1
    grown = target.memory - before
    assert grown < MEMORY_LIMIT, f"The server should need at most {MEMORY_LIMIT} MiB more, and needed {grown:.0f}."
    assert target.output().count("\n") == 2, f"The server should print nothing more: {target.output()}"
    assert target.complaints() == "", "The server should log nothing."


# The browser

@pytest.fixture(scope="session")
def browser(session_folder):
    downloads = session_folder / "downloads"
    downloads.mkdir()
    browser = Browser(downloads)
    yield browser
    browser.quit()


@pytest.fixture
def page(browser, request, serve):
    """A fresh page. It is judged before the servers of the test stop. The test fails if the page logged an error, or broke its Content-Security-Policy."""
    page = Page(browser, is_recording=request.config.getoption("--record"))
    page.reset()
    yield page
    page.check_for_trouble()
