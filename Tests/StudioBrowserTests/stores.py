"""Stores that the tests make: packages as in Debian, hostile values, many objects, damage."""

import base64
import json
import random
import struct
import zlib
from pathlib import Path

from tool import BUILD, run

# Text that would run as a script, or break out of where it stands, if the page took it for markup.
MARKUP = [
    "<img src=x onerror=\"window.__hacked='img'\">",
    "</script><script>window.__hacked='script'</script>",
    "\"><b id=injected>bold</b>",
    "<svg onload=window.__hacked='svg'>",
    "javascript:window.__hacked='url'",
    "'-alert(1)-'",
    "{{constructor.constructor('alert(1)')()}}",
    "${alert(1)}",
    "<!--", "]]>", "&lt;b&gt;&amp;&#60;", "<iframe srcdoc='<script>parent.__hacked=1</script>'></iframe>",
    "</textarea></title></style><h1 id=injected>",
]
# Right-to-left override and isolates without their ends, controls, and what looks like nothing.
TRICKY = [
    "user\u202egnp.exe", "\u2066\u2067isolated", "\u05d0\u05d1\u05d2 abc", "\u0000null\u0001\u0007\u001b[31m",
    "line\nfeed\r\ntab\tend", "\u200b\u200e\u200f\ufeff", "", " ", "null", "nil", "true", "12", "{\"class\":\"T\"}",
    "[1,2]", "id:1", "\U0001f469\u200d\U0001f692\U0001f3fd", "e\u0301\u0302\u0303" * 40, "\u2028\u2029", "`back`tick`",
    "quote \" ' \\ end", "%2e%2e%2f", "#/objects?class=x", "__proto__", "constructor", "\ud7ff\ue000\uffff",
]
HOSTILE_CLASS = "<img src=x onerror=window.__hacked='class'>"
ORDERLY_CLASS = "T\u202eest \"><b id=injected>"
HOSTILE_PROPERTY = "</script><script>window.__hacked='property'</script>"
PROTO_PROPERTY = "__proto__"

SVG = (b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg' onload=\"window.__hacked='svgdata'\">"
       b"<script>window.__hacked='svgdata'</script></svg>")


def png(width=8, height=8, colour=(200, 40, 40)):
    """A PNG of one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes(colour) * width for _ in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def data(value):
    return base64.b64encode(value).decode()


def exact(number):
    """An integer as a dump has it: a string beyond 2⁵³."""
    return number if abs(number) <= 2**53 else str(number)


def load(path, uuid, schema, objects, next_ids):
    """Makes a store with `whimbrel load`. `objects` are triples of class, ID and values."""
    dump = Path(f"{path}.jsonl")
    head = {
        "whimbrel": "dump", "version": 2, "uuid": uuid, "created": "2025-07-30T00:00:00Z", "schema": schema,
        "objectIDs": next_ids, "history": [],
    }
    with open(dump, "w", encoding="utf-8") as file:
        file.write(json.dumps(head) + "\n")
        for name, number, values in objects:
            file.write(json.dumps({"class": name, "id": number, "values": values}) + "\n")
    run("load", dump, path)
    dump.unlink()
    return Path(path)


def ids(counts):
    return [{"class": name, "next": count + 1, "objects": count} for name, count in counts.items()]


def make_packages(path, count=3_000):
    """A store like the index of packages of Debian, with dependencies as links."""
    random_number = random.Random(20260131)
    sections = ["admin", "libs", "python", "net", "doc", "games", "utils", "x11"]
    people = [f"Maintainer {number} <m{number}@example.org>" for number in range(40)]
    words = "fast small embedded object database tool library for the of with server client data".split()
    schema = {"schemaVersion": 3, "classes": [
        {"name": "Maintainer", "properties": [
            {"name": "address", "type": "string", "primaryKey": True}, {"name": "active", "type": "bool"}]},
        {"name": "Package", "properties": [
            {"name": "name", "type": "string", "primaryKey": True},
            {"name": "version", "type": "string"},
            {"name": "priority", "type": "string", "cases": ["required", "optional", "extra"]},
            {"name": "section", "type": "<Section>"},
            {"name": "maintainer", "type": "<Maintainer>"},
            {"name": "installedSize", "type": "int", "indexed": True},
            {"name": "downloadSize", "type": "int"},
            {"name": "score", "type": "double", "optional": True},
            {"name": "price", "type": "decimal"},
            {"name": "updated", "type": "date", "optional": True},
            {"name": "essential", "type": "bool"},
            {"name": "checksum", "type": "data"},
            {"name": "icon", "type": "data", "optional": True},
            {"name": "depends", "type": "[<Package>]"},
            {"name": "tags", "type": "{string}"},
            {"name": "files", "type": "[string]"},
            {"name": "checksums", "type": "[string: string]"},
            {"name": "homepage", "type": "string", "optional": True},
            {"name": "description", "type": "string"}],
         "indexes": [{"properties": ["description"], "kind": "fullText"}]},
        {"name": "Section", "properties": [
            {"name": "name", "type": "string", "primaryKey": True}, {"name": "title", "type": "string"}]},
    ]}
    objects = [("Maintainer", number + 1, {"address": one, "active": number % 3 > 0})
               for number, one in enumerate(people)]
    for number in range(count):
        depends = sorted(random_number.sample(range(number), min(number, random_number.randint(0, 7))))
        if number == 42:
            depends = list(range(42))
        sentence = " ".join(random_number.choices(words, k=random_number.randint(5, 60)))
        objects.append(("Package", number + 1, {
            "name": f"package-{number:05}", "version": f"{number % 7}.{number % 13}-{number % 3 + 1}",
            "priority": ["required", "optional", "extra"][number % 3],
            "section": {"key": sections[number % len(sections)]},
            "maintainer": {"key": people[random_number.randrange(len(people))]},
            "installedSize": random_number.randint(10, 900_000), "downloadSize": random_number.randint(1_000, 90_000_000),
            "score": None if number % 5 == 0 else round(random_number.random() * 10, 3),
            "price": f"{number % 100}.{number % 10}0",
            "updated": None if number % 11 == 0 else f"20{20 + number % 6}-0{number % 9 + 1}-1{number % 10}T12:30:00Z",
            "essential": number % 50 == 0,
            "checksum": data(bytes((number * 7 + place) % 256 for place in range(32))),
            "icon": data(png(24, 24, (number % 256, 90, 160))) if number % 4 == 0 else None,
            "depends": [{"key": f"package-{one:05}"} for one in depends],
            "tags": sorted(random_number.sample(words, 3)),
            "files": [f"/usr/share/doc/package-{number:05}/{place}" for place in range(number % 9)],
            "checksums": {"md5": f"{number:032x}", "sha1": f"{number:040x}"},
            "homepage": None if number % 6 == 0 else f"https://example.org/{number}",
            "description": sentence if number != 7 else "long " * 4_000,
        }))
    objects += [("Section", number + 1, {"name": one, "title": one.title()}) for number, one in enumerate(sections)]
    return load(path, "5A6F6E65-7300-4000-8000-0000000000D0", schema, objects,
                ids({"Maintainer": len(people), "Package": count, "Section": len(sections)}))


def make_hostile(path):
    """A store whose names and values try to leave the place where the page shows them."""
    schema = {"schemaVersion": 1, "classes": [
        {"name": HOSTILE_CLASS, "properties": [
            {"name": "id", "type": "int", "primaryKey": True},
            {"name": HOSTILE_PROPERTY, "type": "string"},
            {"name": PROTO_PROPERTY, "type": "string", "optional": True},
            {"name": "\"><b id=injected>", "type": "[string]"},
            {"name": "a\u202eb", "type": "{string}"},
            {"name": "map", "type": "[string: string]"},
            {"name": "number", "type": "int"},
            {"name": "real", "type": "double"},
            {"name": "bytes", "type": "data", "optional": True},
            {"name": "any", "type": "any", "optional": True},
            {"name": "link", "type": f"<{ORDERLY_CLASS}>"}]},
        {"name": ORDERLY_CLASS, "properties": [
            {"name": "key", "type": "string", "primaryKey": True},
            {"name": "text", "type": "string"}]},
    ]}
    texts = MARKUP + TRICKY
    numbers = [2**53 + 1, -(2**63), 2**63 - 1, 2**53, 0, -1]
    reals = ["nan", "inf", "-inf", "-0", 1e308, 5e-324, 0.1]
    blobs = [SVG, b"<html><script>window.__hacked='html'</script>", png(), b"", b"GIF89a\x01\x00\x01\x00" + b"\0" * 40,
             b"\x89PNG\r\n\x1a\n broken", bytes(range(256)) * 16]
    anys = [{"string": MARKUP[0]}, {"int": exact(2**53 + 3)}, {"list": [{"string": MARKUP[1]}, None]},
            {"map": {MARKUP[2]: {"double": "nan"}}}, {"data": data(SVG)}, None]
    objects = []
    for number, text in enumerate(texts):
        objects.append((HOSTILE_CLASS, 0, {
            "id": number, HOSTILE_PROPERTY: text, PROTO_PROPERTY: text if number % 2 else None,
            "\"><b id=injected>": [text, MARKUP[number % len(MARKUP)]],
            "a\u202eb": [text], "map": {text or "empty": text, MARKUP[number % len(MARKUP)]: "x"},
            "number": exact(numbers[number % len(numbers)]), "real": reals[number % len(reals)],
            "bytes": data(blobs[number % len(blobs)]), "any": anys[number % len(anys)],
            "link": {"key": text},
        }))
    objects.append((HOSTILE_CLASS, 0, {
        "id": len(texts), HOSTILE_PROPERTY: MARKUP[0] * 30_000, PROTO_PROPERTY: "x" * 1_000_000,
        "\"><b id=injected>": MARKUP * 50, "a\u202eb": texts, "map": {text or "empty": text for text in texts},
        "number": 1, "real": 1.5, "bytes": data(SVG * 500), "any": {"string": MARKUP[1] * 500}, "link": None,
    }))
    # An integer primary key is the object ID with its sign bit flipped.
    objects = [(name, str(values["id"] + 2**63), values) for name, _, values in objects]
    objects += [(ORDERLY_CLASS, number + 1, {"key": text, "text": text * 3}) for number, text in enumerate(texts)]
    return load(path, "5A6F6E65-7300-4000-8000-0000000000BD", schema, objects, [
        {"areKeys": True, "class": HOSTILE_CLASS, "objects": len(texts) + 1},
        {"class": ORDERLY_CLASS, "next": len(texts) + 1, "objects": len(texts)}])


def make_million(count=1_000_000):
    """A store of many objects. It takes a minute, so it is kept under `.build/studio`."""
    BUILD.mkdir(parents=True, exist_ok=True)
    path = BUILD / f"measurements-{count}.whimbrel"
    if path.exists():
        return path
    schema = {"schemaVersion": 1, "classes": [{"name": "Measurement", "properties": [
        {"name": "name", "type": "string", "primaryKey": True},
        {"name": "station", "type": "int", "indexed": True},
        {"name": "value", "type": "double"},
        {"name": "note", "type": "string"}]}]}
    random_number = random.Random(1)
    objects = (("Measurement", number + 1, {
        "name": f"m{number:07}", "station": number % 1_000, "value": random_number.random() * 100,
        "note": f"note {number % 97}"}) for number in range(count))
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    load(part, "5A6F6E65-7300-4000-8000-0000000A1B2C", schema, objects, ids({"Measurement": count}))
    part.rename(path)
    Path(f"{part}-lock").unlink(missing_ok=True)
    return path


def damage(path, pages=range(8, 30, 3), size=4096):
    """Flips a byte in some pages."""
    with open(path, "r+b") as file:
        for page in pages:
            file.seek(page * size + 1_000)
            byte = file.read(1)
            file.seek(page * size + 1_000)
            file.write(bytes([byte[0] ^ 0xFF]))
    return path
