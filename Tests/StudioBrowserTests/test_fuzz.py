"""Random requests: each gets an answer that blames the request, and the server goes on. The seed is in the name of a test."""

import json
import random
from urllib.parse import quote

import pytest

import stores
from requests_of_pages import rows
from tool import copy_sample, run

TEXTS = [
    "", "0", "1", "-1", "id:1", "id:", "9223372036854775807", "18446744073709551615", "99999999999999999999", "1e9", "NaN", "\0", "é", "\U0001f986", "%", "a.b.c", "..", "/",
    "Zone", "Country", "Package", "identifier", "city", "country.name", "clockChanges", "clockChanges.offset", "latitude", "#", "#,#", "city,city", ",", "`city`", "`", "\"", "'", "\\",
    "latitude > 60", "city == \"x\"", "SORT(city ASC)", "LIMIT(0)", "OFFSET(5) LIMIT(2)", "DISTINCT(city)", "ANY clockChanges.offset > 1", "country == nil", "city LIKE \"*a*\"",
    "city IN {\"a\", \"b\"}", "latitude BETWEEN {1, 2}", "clockChanges.@count > 1", "SUBQUERY(clockChanges, $x, $x.offset > 1).@count > 0", "city TEXT \"x\"", "NOT (", "$0", "true", "nil", "x" * 5_000,
]
GETS = {
    "/objects": ["class", "query", "sort", "descending", "columns", "offset", "limit", "view"], "/statistics": ["class", "query", "properties", "limit"],
    "/explain": ["class", "query"], "/object": ["class", "name"], "/collection": ["class", "id", "property", "offset", "limit"],
    "/incoming": ["class", "id", "from", "property", "offset", "limit"], "/text": ["class", "id", "property", "index", "key"],
    "/data": ["class", "id", "property", "index", "key"], "/diff": ["with"], "/export": ["class", "query", "columns", "format", "anonymize"],
}
LIKELY = {"class": ["Zone", "Country", "ClockChange", "Package"], "id": ["1", "2", "313"], "property": ["city", "country", "clockChanges", "latitude"], "from": ["Zone"],
          "format": ["csv", "jsonl"], "name": ["id:1", "Europe/Paris", "FR"]}


def is_an_answer(reply, request):
    assert reply.status in (200, 400, 404, 409, 413, 503), f"{request} should not fail the server: {reply}"
    if reply.status != 200:
        assert reply.error["message"] and reply.error["code"].isalpha(), f"{request}: {reply}"


@pytest.mark.parametrize("seed", range(4))
def test_random_questions_are_answered(zones, packages, seed, is_short):
    generator = random.Random(seed)
    for _ in range(60 if is_short else 600):
        path, names = generator.choice(list(GETS.items()))
        chosen = {name: generator.choice(LIKELY[name]) if name in LIKELY and generator.random() < 0.8 else generator.choice(TEXTS)
                  for name in names if generator.random() < 0.8}
        target = f"/api/v1{path}?" + "&".join(f"{name}={quote(value, safe='')}" for name, value in chosen.items())
        server = generator.choice([zones, packages])
        is_an_answer(server.request("GET", target), target[:300])


def random_value(generator, depth=0):
    kind = generator.randrange(9 if depth < 4 else 6)
    if kind == 6:
        return [random_value(generator, depth + 1) for _ in range(generator.randrange(4))]
    if kind >= 7:
        names = ["class", "object", "values", "key", "link", "int", "set", "add", "remove", "latitude", "city", "", "__proto__"]
        return {generator.choice(names): random_value(generator, depth + 1) for _ in range(generator.randrange(4))}
    return [None, True, generator.randrange(-10, 10), generator.choice([1.5, 1e308, -0.0]), generator.choice(TEXTS), generator.choice(TEXTS)][kind]


@pytest.mark.parametrize("seed", range(4))
def test_random_edits_are_previewed_or_refused(writable, seed, is_short):
    generator = random.Random(seed)
    properties = ["identifier", "city", "countryCodes", "latitude", "comments", "country", "region", "isPopular", "clockChanges", "nothing"]
    for _ in range(40 if is_short else 300):
        operations = []
        for _ in range(generator.randrange(1, 4)):
            values = {generator.choice(properties): random_value(generator) for _ in range(generator.randrange(1, 4))}
            name = generator.choice(["id:1", "Europe/Paris", "Nowhere", "id:x", ""])
            operations.append(generator.choice([
                {"set": {"class": "Zone", "object": name, "values": values}}, {"add": {"class": "Zone", "values": values}},
                {"remove": {"class": generator.choice(["Zone", "Country", "ClockChange"]), "object": name}}, random_value(generator)]))
        body = json.dumps({"mode": generator.choice(["preview", "write"]), "operations": operations})
        is_an_answer(writable.post("/edit", body), body[:500])
        if generator.random() < 0.3:
            steps = writable.ask("/undo")["steps"]
            if steps:
                is_an_answer(writable.post("/undo", {"id": generator.choice(steps)["id"]}), "an undo")
    run("check", writable.store)
    assert rows(writable, limit=1)["total"] > 0


@pytest.mark.parametrize("seed", range(4))
def test_random_schemas_are_planned_or_refused(zones, seed, is_short):
    generator = random.Random(seed)
    types = ["int", "string", "double", "date", "<Zone>", "[<Country>]", "{string}", "[string: int]", "any", "[any]", "uuid", "nonsense", "", "<", "[int?]", "int?"]
    for _ in range(20 if is_short else 150):
        schema = zones.ask("/schema")
        schema["schemaVersion"] = generator.choice([0, 6, 7, 8, 2**31, 2**63, "8", None])
        for _ in range(generator.randrange(1, 5)):
            one = generator.choice(schema["classes"])
            prop = generator.choice(one["properties"])
            generator.choice([
                lambda: prop.update(type=generator.choice(types)), lambda: prop.update(name=generator.choice(TEXTS)), lambda: prop.update(optional=True),
                lambda: prop.update(primaryKey=True), lambda: one.update(embedded=True), lambda: one.update(name=generator.choice(TEXTS)),
                lambda: one["properties"].append(dict(prop)), lambda: prop.update(cases=[random_value(generator)]), lambda: prop.update(default=random_value(generator)),
                lambda: one.update(indexes=[{"properties": [generator.choice(TEXTS)], "kind": generator.choice(["unique", "fullText", "x"])}]),
                lambda: prop.update(previousNames=[generator.choice(TEXTS)]),
            ])()
        is_an_answer(zones.post("/plan", {"schema": schema}, check=generator.randrange(2)), json.dumps(schema)[:500])


@pytest.mark.parametrize("seed", range(6))
def test_a_store_with_random_damage_does_not_end_the_server(serve, folder, seed):
    """Errors are answers, or are in the cells; the check says what is wrong."""
    generator = random.Random(seed)
    store = copy_sample(folder)
    stores.damage(store, sorted(generator.sample(range(3, 48), 6)))
    try:
        server = serve(store)
    except AssertionError as error:
        assert "damaged" in str(error) or "Could not" in str(error), error
        return
    for path in ("/studio", "/info", "/sizes", "/schema", "/statistics?class=Zone", "/export?class=Zone&format=csv", "/explain?class=Zone&query=latitude%20%3E%2060",
                 *(f"/objects?class={name}&limit=1000&sort={sort}" for name, sort in (("Zone", "city"), ("Zone", "latitude"), ("Country", ""), ("Region", "name"), ("ClockChange", ""))),
                 *(f"/object?class={name}&name=id:{number}" for name in ("Zone", "Country", "ClockChange") for number in range(1, 200, 23))):
        reply = server.request("GET", f"/api/v1{path}")
        assert reply.status in (200, 400, 404, 500), f"{path}: {reply}"
        if reply.status == 500:
            assert reply.error["code"] in ("damaged", "truncated"), f"{path}: {reply}"
    assert server.is_running and server.complaints() == ""
