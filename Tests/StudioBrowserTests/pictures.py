"""Tolerant comparison of screenshots, with nothing but the standard library.

A screenshot is reduced to the mean grey of small blocks. Fonts move text by some pixels and change few of these means;
a part of the page that is missing, or is somewhere else, changes many.
"""

import struct
import zlib
from pathlib import Path

from tool import BUILD

REFERENCES = Path(__file__).parent / "Screenshots"
BLOCK = 8
# The difference of the mean grey from which a block counts as different, and the share of blocks that may be.
TOLERANCE, SHARE = 20, 0.05


def decode(png):
    """Returns width, height and rows of grey of a PNG with 8 bits per channel."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n", "not a PNG"
    place, parts = 8, b""
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place:place + 8])
        body = png[place + 8:place + 8 + length]
        place += 12 + length
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            parts += body
    assert depth == 8 and interlace == 0 and colour in (0, 2, 6), (depth, colour, interlace)
    channels = {0: 1, 2: 3, 6: 4}[colour]
    data = zlib.decompress(parts)
    stride = width * channels
    rows, before = [], bytearray(stride)
    for number in range(height):
        start = number * (stride + 1)
        row = unfilter(data[start], bytearray(data[start + 1:start + 1 + stride]), before, channels)
        before = row
        rows.append(row if channels == 1 else bytes((3 * r + 6 * g + b) // 10 for r, g, b in zip(row[0::channels], row[1::channels], row[2::channels])))
    return width, height, rows


def unfilter(kind, row, before, channels):
    if kind == 1:
        for place in range(channels, len(row)):
            row[place] = (row[place] + row[place - channels]) & 255
    elif kind == 2:
        for place in range(len(row)):
            row[place] = (row[place] + before[place]) & 255
    elif kind == 3:
        for place in range(len(row)):
            left = row[place - channels] if place >= channels else 0
            row[place] = (row[place] + (left + before[place]) // 2) & 255
    elif kind == 4:
        for place in range(len(row)):
            left, corner = (row[place - channels], before[place - channels]) if place >= channels else (0, 0)
            above = before[place]
            guess = left + above - corner
            a, b, c = abs(guess - left), abs(guess - above), abs(guess - corner)
            row[place] = (row[place] + (left if a <= b and a <= c else above if b <= c else corner)) & 255
    return row


def encode(width, height, rows):
    """A PNG of rows of grey."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    body = b"".join(b"\0" + bytes(row) for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(body, 9)) + chunk(b"IEND", b""))


def blocks(rows, size=BLOCK):
    """The mean grey of each block."""
    result = []
    for top in range(0, len(rows) - size + 1, size):
        band = rows[top:top + size]
        result.append([sum(sum(row[left:left + size]) for row in band) / size**2 for left in range(0, len(rows[0]) - size + 1, size)])
    return result


def difference(one, other):
    """The share of blocks of two pictures that differ."""
    pairs = [(a, b) for row, others in zip(blocks(one), blocks(other)) for a, b in zip(row, others)]
    return sum(abs(a - b) > TOLERANCE for a, b in pairs) / len(pairs)


def check(name, png, is_recording):
    """Compares a screenshot with its reference, or writes the reference."""
    width, height, rows = decode(png)
    reference = REFERENCES / f"{name}.png"
    if is_recording:
        REFERENCES.mkdir(exist_ok=True)
        reference.write_bytes(encode(width, height, rows))
        return
    assert reference.exists(), f"Expected a reference '{reference}'. Write it with 'Tools/test studio --record', and look at it."
    old_width, old_height, old = decode(reference.read_bytes())
    assert (old_width, old_height) == (width, height), f"{name} should have the size of its reference: {(old_width, old_height)}, and has {(width, height)}."
    share = difference(old, rows)
    assert share <= SHARE, (
        f"{name} should look like its reference, and {share:.0%} of it differ. Compare '{BUILD / 'screenshots' / name}.png' with '{reference}', "
        "and if it should look so, run 'Tools/test studio --record'.")
