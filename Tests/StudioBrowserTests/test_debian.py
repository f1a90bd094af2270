"""Debian's own index of packages, which every machine with `apt` has: real names, texts, and links in all directions."""

import re
import shutil
import subprocess

import pytest

import stores
from browser import an_object, objects

pytestmark = pytest.mark.long

SCHEMA = {"schemaVersion": 1, "classes": [
    {"name": "Maintainer", "properties": [{"name": "address", "type": "string", "primaryKey": True}]},
    {"name": "Package", "properties": [
        {"name": "name", "type": "string", "primaryKey": True},
        {"name": "version", "type": "string"},
        {"name": "installedSize", "type": "int", "optional": True, "indexed": True},
        {"name": "maintainer", "type": "<Maintainer>"},
        {"name": "depends", "type": "[<Package>]"},
        {"name": "tags", "type": "{string}"},
        {"name": "description", "type": "string"}]},
]}


def fields(text):
    """The fields of a package. A line that begins with a space goes on with the one before."""
    found = {}
    name = None
    for line in text.split("\n"):
        if line[:1] in (" ", "\t") and name:
            found[name] += " " + line.strip()
        elif ": " in line:
            name, value = line.split(": ", 1)
            found[name] = value
    return found


@pytest.fixture(scope="module")
def debian(session_folder, is_short):
    """A server of a store of all packages."""
    if not shutil.which("apt-cache"):
        pytest.skip("this machine has no apt-cache")
    text = subprocess.run(["apt-cache", "dumpavail"], capture_output=True, check=True).stdout.decode(errors="replace")
    packages = {}
    for part in text.split("\n\n"):
        found = fields(part)
        if "Package" in found:
            packages.setdefault(found["Package"], found)
    if len(packages) < 10_000:
        pytest.skip("'apt-get update' has not been run here")
    people = {one: number for number, one in enumerate(sorted({found.get("Maintainer", "") for found in packages.values()}), 1)}
    lines = [("Maintainer", number, {"address": one}) for one, number in people.items()]
    for number, (name, found) in enumerate(sorted(packages.items()), 1):
        depends = dict.fromkeys(re.split(r"[ (:|]", one.strip())[0] for one in found.get("Depends", "").split(","))
        lines.append(("Package", number, {
            "name": name, "version": found.get("Version", ""),
            "installedSize": int(found["Installed-Size"]) if "Installed-Size" in found else None,
            "maintainer": {"key": found.get("Maintainer", "")},
            "depends": [{"key": one} for one in depends if one in packages],
            "tags": sorted({one.strip() for one in found.get("Tag", "").split(",") if one.strip()}),
            "description": found.get("Description", ""),
        }))
    place = session_folder / "debian"
    place.mkdir()
    store = stores.load(place / "debian.whimbrel", "5A6F6E65-7300-4000-8000-0000000000DE", SCHEMA, lines,
                        stores.ids({"Maintainer": len(people), "Package": len(packages)}))
    from tool import Server
    server = Server(store)
    server.packages = packages
    yield server
    server.stop()


def test_all_packages_are_in_the_table(page, debian):
    page.open(debian, objects("Package", sort="name")).live()
    names = sorted(debian.packages)
    page.sees(f"{len(names):,} objects")
    assert names[0] in page.row(0)
    page.fill(page.role("spinbutton", "Go to row"), str(len(names) // 2))
    page.click("button", "Go")
    assert names[len(names) // 2 - 1] in page.row(len(names) // 2 - 1)


def test_a_package_that_thousands_depend_on_lists_them_in_parts(page, debian):
    page.open(debian, an_object("Package", "libc6")).live()
    page.sees("Linked from")
    count = sum("libc6" in [re.split(r"[ (:|]", one.strip())[0] for one in found.get("Depends", "").split(",")]
                for found in debian.packages.values())
    assert count > 1_000
    page.sees(f"{count:,}")
    page.is_accessible()


def test_a_filter_through_links_finds_what_the_index_says(page, debian):
    people = [found.get("Maintainer", "") for found in debian.packages.values()]
    expected = sum("Games" in one for one in people)
    page.open(debian, objects("Package", query='maintainer.address CONTAINS "Games"')).live()
    page.sees(f"{expected:,} of {len(people):,} objects")


def test_the_statistics_of_real_values_are_shown(page, debian):
    page.open(debian, "#/classes?class=Package").sees("installedSize")
    page.sees("all values differ")
    page.is_accessible()
