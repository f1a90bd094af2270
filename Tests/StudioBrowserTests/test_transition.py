"""A store whose app converts its objects while it runs, and has not got to all of them."""

import shutil

import pytest

from browser import an_object, objects
from tool import SAMPLES


@pytest.fixture
def transition(serve, folder):
    store = folder / "transition.whimbrel"
    shutil.copyfile(SAMPLES / "Formats" / "9.Zones.v7.whimbrel", store)
    return serve(store, "--write")


@pytest.mark.short
def test_the_overview_tells_how_far_an_online_migration_is(page, transition):
    page.open(transition).sees("An online migration is under way")
    page.sees("64 of 312 objects visited")
    page.is_accessible()


def test_an_object_that_is_not_converted_shows_the_values_of_then(page, transition):
    page.open(transition, objects("Zone", columns="identifier,city")).live()
    converted = page.row(1)
    page.go(an_object("Zone", "America/Halifax"))
    page.sees("An online migration has not converted this object yet. It is of schema version 6.")
    page.sees("not converted")
    assert "not converted" not in " ".join(map(str, converted))
    page.is_accessible()


def test_the_primary_key_of_an_object_cannot_be_edited(page, transition):
    page.open(transition, an_object("Zone", "Europe/Andorra")).live().sees("Andorra")
    names = page.names("button", "#main")
    assert "Edit latitude" in names
    assert "Edit identifier" not in names
