"""Requests that tests of the API make."""


def rows(server, **parameters):
    return server.ask("/objects", **{"class": "Zone", **parameters})


def edit(server, operations, mode="write"):
    reply = server.post("/edit", {"mode": mode, "operations": operations})
    assert reply.status == 200, f"The edit should succeed: {reply}"
    return reply.json


def zone(server, name, **values):
    return {"set": {"class": "Zone", "object": name, "values": values}}
