"""The comparison of screenshots itself: it tolerates fonts, and sees what is missing."""

import pytest

from pictures import REFERENCES, SHARE, decode, difference, encode


def reference(name):
    return decode((REFERENCES / f"{name}.png").read_bytes())


@pytest.mark.parametrize("path", sorted(REFERENCES.glob("*.png")), ids=lambda path: path.stem)
def test_a_reference_is_small_and_not_empty(path):
    width, height, rows = decode(path.read_bytes())
    assert (width, height) == (320, 225) and path.stat().st_size < 12_000
    assert len({byte for row in rows for byte in row}) > 20


def test_a_picture_survives_being_written_and_read():
    width, height, rows = reference("overview")
    assert decode(encode(width, height, rows)) == (width, height, rows)


def test_a_text_that_moves_by_a_pixel_is_tolerated():
    _, _, rows = reference("objects")
    moved = [row[1:] + row[-1:] for row in rows[1:] + rows[-1:]]
    assert difference(rows, rows) == 0
    assert difference(rows, moved) <= SHARE


@pytest.mark.parametrize("one, other", [
    ("overview", "overview-dark"), ("objects", "export"), ("classes", "class"), ("plan", "compare"), ("object", "objects"), ("columns", "objects"),
])
def test_pictures_of_different_pages_differ(one, other):
    assert difference(reference(one)[2], reference(other)[2]) > SHARE


def test_a_part_that_is_missing_is_seen():
    _, _, rows = reference("overview")
    without = [bytes([255]) * len(row) if 20 < number < 120 else row for number, row in enumerate(rows)]
    assert difference(rows, without) > SHARE
