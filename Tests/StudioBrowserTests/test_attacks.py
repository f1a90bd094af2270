"""Attacks on the server from other programs and from pages of other origins."""

import json
from pathlib import Path

import pytest

from tool import ASSETS, ROOT, Server, copy_sample, wait_until
from wire import POST, Wire, ask, head, missing_headers

pytestmark = pytest.mark.usefixtures("bounded")

WEB = ROOT / "Sources" / "CWhimbrelStudioWeb" / "Web"


def is_refused(reply, status=403):
    assert reply is not None, f"Expected status {status}, and the server closed the connection without an answer."
    assert reply.status == status, f"Expected status {status}: {reply}"
    assert missing_headers(reply) == []
    assert reply.header("Set-Cookie") == [], "A refused request should get no cookie."
    assert reply.header("Access-Control-Allow-Origin") == [], "No origin should be let in."
    assert b"zones.whimbrel" not in reply.body, "A refusal should say nothing of the store."
    return reply


# MARK: Who may use the server

PATHS = ["/", "/app.js", "/index.html", "/favicon.svg", "/nothing", "/api/v1/studio", "/api/v1/events", "/api/v1/export"]


@pytest.mark.parametrize("path", PATHS)
def test_a_request_without_the_token_is_refused(target, path):
    is_refused(ask(target, path, cookie=None))


def wrong_cookies(server):
    name, secret = server.cookie.split("=")
    return [
        f"{name}={server.token}", f"{name}=", name, f"{name}={secret[:-1]}", f"{name}={secret}0", f"{name}={secret.upper()}x",
        f"x{name}={secret}", f"whimbrel-studio-1={secret}", f"{name}={'0' * 64}", f"{name}=\"{secret}\"", f"a={name}={secret}",
    ]


@pytest.mark.parametrize("index", range(11))
def test_a_wrong_cookie_is_refused(target, index):
    is_refused(ask(target, cookie=wrong_cookies(target)[index]))


@pytest.mark.parametrize("change", ["shorter", "longer", "other", "empty", "twice", "upper"])
def test_a_wrong_token_is_refused(target, change):
    token = target.token
    wrong = {"shorter": token[:-1], "longer": token + "0", "other": "0" * 64, "empty": "", "twice": f"{token}&token=x",
             "upper": token.upper() + "A"}
    is_refused(ask(target, f"/?token={wrong[change]}", cookie=None))


@pytest.mark.parametrize("path", ["/app.js", "/api/v1/studio", "/api/v1/export", "//", "/index.html"])
def test_the_token_in_the_url_opens_the_page_and_nothing_else(target, path):
    is_refused(ask(target, f"{path}?token={target.token}", cookie=None))


def test_a_program_may_send_the_token_in_a_header(target):
    assert ask(target, cookie=None, extra=[f"Authorization: Bearer {target.token}"]).status == 200
    is_refused(ask(target, cookie=None, extra=[f"Authorization: Bearer {target.token[:-1]}"]))
    is_refused(ask(target, cookie=None, extra=[f"Authorization: Basic {target.token}"]))


def test_the_cookie_is_for_this_server_and_for_requests_of_its_own_page(target):
    parts = [part.strip() for part in target.set_cookie.split(";")]
    assert parts[0].startswith(f"whimbrel-studio-{target.port}="), "Servers on other ports should not share a cookie."
    assert parts[0].split("=")[1] != target.token, "The cookie should not be the token."
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(parts), target.set_cookie
    assert not any(part.startswith("Domain") for part in parts), target.set_cookie


def test_each_server_has_a_token_of_its_own(target, serve, folder):
    other = serve(copy_sample(folder))
    assert other.token != target.token
    is_refused(ask(other, cookie=target.cookie))
    is_refused(ask(other, f"/?token={target.token}", cookie=None))


@pytest.mark.parametrize("host", [
    "evil.example", "evil.example:{port}", "127.0.0.1.evil.example:{port}", "localhost.evil.example", "10.0.0.1:{port}",
    "127.0.0.1:{port}@evil.example", "evil.example@127.0.0.1:{port}", "[::1].evil.example", "127.0.0.1:{port}, evil.example",
    "0.0.0.0:{port}", "127.1:{port}", "2130706433", "localhost.:{port}", "", "127.0.0.1:port", "[::ffff:7f00:1]:{port}",
    "xn--localhost", "127.0.0.1/evil.example", "LOCALHOST.EVIL", "\u017flocalhost",
])
def test_another_host_is_refused(target, host):
    reply = ask(target, host=host.format(port=target.port).encode("utf-8").decode("latin-1"))
    assert reply.status in (400, 403), f"A page that rebinds its name should be refused: {reply}"


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LocalHost:{port}", "[::1]:{port}", "localhost"])
def test_a_host_of_this_machine_is_accepted(target, host):
    assert ask(target, host=host.format(port=target.port)).status == 200


def test_a_request_without_a_host_is_refused(target):
    assert ask(target, host=None).status in (400, 403)
    assert ask(target, host=None, version="HTTP/1.0").status in (400, 403)


def test_a_request_with_two_hosts_is_refused(target):
    assert ask(target, extra=["Host: evil.example"]).status in (400, 403)
    assert ask(target, extra=[f"Host: 127.0.0.1:{target.port}"]).status in (400, 403)


@pytest.mark.parametrize("origin", [
    "http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1", "http://127.0.0.1", "http://localhost:{port}",
    "file://", "chrome-extension://abc", "http://127.0.0.1:{port}.evil.example", "",
])
@pytest.mark.parametrize("path", ["/", "/api/v1/studio"])
def test_another_origin_is_refused(target, origin, path):
    is_refused(ask(target, path, extra=[f"Origin: {origin.format(port=target.port)}"]))


@pytest.mark.parametrize("site", ["cross-site", "same-site", "nonsense"])
def test_a_request_from_another_site_is_refused(target, site):
    is_refused(ask(target, extra=[f"Sec-Fetch-Site: {site}"]))
    is_refused(ask(target, "/app.js", extra=[f"Sec-Fetch-Site: {site}"]))
    is_refused(ask(target, "/api/v1/check", "POST", extra=[f"Sec-Fetch-Site: {site}", "Content-Length: 0", *POST]))


def test_a_link_from_elsewhere_opens_the_page_with_the_token(target):
    page = f"/?token={target.token}"
    assert ask(target, page, cookie=None, extra=["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"]).status == 200
    is_refused(ask(target, "/", cookie=None, extra=["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"]))


@pytest.mark.parametrize("headers", [
    (), POST[:1], POST[1:], ("Content-Type: text/plain", POST[1]), (POST[0], "X-Whimbrel-Studio: 2"),
    ("Content-Type: application/x-www-form-urlencoded", POST[1]), ("Content-Type: multipart/form-data", POST[1]),
    ("Content-Type: text/plain; application/json", POST[1]),
])
@pytest.mark.parametrize("path", ["/api/v1/check", "/api/v1/edit", "/api/v1/undo", "/api/v1/plan"])
def test_a_post_without_the_headers_of_the_page_is_refused(target, headers, path):
    is_refused(ask(target, path, "POST", extra=[*headers, "Content-Length: 2"], body="{}"))


def test_a_preflight_of_another_origin_is_refused(target):
    is_refused(ask(target, "/api/v1/edit", "OPTIONS", cookie=None, extra=[
        "Origin: http://evil.example", "Access-Control-Request-Method: POST",
        "Access-Control-Request-Headers: x-whimbrel-studio,content-type"]))


# MARK: Paths and methods

SPELLINGS = [
    "/../conftest.py", "/..%2fconftest.py", "/%2e%2e/conftest.py", "/%2e%2e%2fconftest.py", "/..%5cconftest.py",
    "/..\\conftest.py", "/....//conftest.py", "/./../conftest.py", "//etc/passwd", "/%2fetc/passwd", "///etc/passwd",
    "/etc/passwd", "/app.js/../../StudioWeb.c", "/..%00/StudioWeb.c", "/%00", "/app.js%00", "/app.js%00.html",
    "/../StudioWeb.c%00.js", "/.%2e/StudioWeb.c", "/%252e%252e%252fStudioWeb.c", "/..;/StudioWeb.c", "/.hidden.js",
    "/%c0%ae%c0%ae/StudioWeb.c", "/%uff0e%uff0e/x.js", "/a/app.js", "/app.js/", "/APP.JS", "/app.js%20", "/app.js.",
    "/index.html/../app.js", "/.", "/..", "/~root", "/%", "/%zz", "/%2", "/%ff%fe", "/api/v1/../../app.js", "/api/v1/",
    "/api/v1", "/api/v2/studio", "/api/v1//studio", "/api/v1/studio/", "/API/v1/studio", "/api/v1/%2e%2e/studio",
    "/include/CWhimbrelStudioWeb.h", "/zones.whimbrel", "/..%2fsecret.js", "/..%2f..%2fsecret.js", "/secret.js%00.css",
]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_path_leads_to_no_other_file(target, spelling):
    reply = ask(target, spelling)
    assert reply.status in (400, 404), f"'{spelling}' should not be found: {reply}"
    assert missing_headers(reply) == []
    assert b"root:" not in reply.body and b"import" not in reply.body


@pytest.fixture(scope="module")
def with_folder(session_folder):
    """A server with the files of the page in a folder, and secrets around it."""
    place = session_folder / "assets"
    web = place / "Web"
    web.mkdir(parents=True)
    for name in ("index.html", "app.js"):
        (web / name).write_text(f"import {name}")
    (web / "inner").mkdir()
    for secret in (place / "secret.js", place / "conftest.py", place / "StudioWeb.c", web / ".hidden.js",
                   web / "inner" / "secret.js", web / "notes.txt", web / "zones.whimbrel"):
        secret.write_text("root: import secret")
    server = Server(copy_sample(place), assets=web)
    yield server
    server.stop()


@pytest.mark.parametrize("spelling", [*SPELLINGS, "/inner/secret.js", "/inner%2fsecret.js", "/notes.txt", "/inner"])
def test_a_path_leads_out_of_the_folder_of_the_page_to_no_other_file(with_folder, spelling):
    test_a_path_leads_to_no_other_file(with_folder, spelling)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])
@pytest.mark.parametrize("path", ["/", "/app.js", "/api/v1/studio", "/api/v1/export"])
def test_another_method_is_refused(target, method, path):
    reply = ask(target, path, method, extra=[*POST, "Content-Length: 0"])
    assert reply.status == 405, f"{method} {path} should be refused with 405: {reply}"
    assert missing_headers(reply) == []
    assert ask(target, path, method, extra=["Content-Length: 0"]).status == 403


@pytest.mark.parametrize("path", ["/", "/app.js", "/api/v1/studio", "/api/v1/nothing"])
def test_a_head_request_has_the_headers_of_a_get_and_no_body(target, path):
    with Wire(target, 2) as wire:
        wire.send(head(target, path, "HEAD"))
        wire.send(head(target, path))
        answers = wire.buffer = b""
        wait_until(lambda: wire._more() and wire.buffer.count(b"HTTP/1.1") == 2, "two answers", 5)
        answers = wire.buffer
    first, rest = answers.split(b"\r\n\r\n", 1)
    assert rest.startswith(b"HTTP/1.1"), f"A HEAD request should get no body: {rest[:100]}"
    assert rest.startswith(first), "Both answers should have the same headers."


def test_every_answer_of_the_page_has_the_security_headers(target):
    files = [file.name for file in (Path(ASSETS) if ASSETS else WEB).iterdir()]
    assert "index.html" in files
    for name in ["", *files]:
        reply = target.request("GET", f"/{name}")
        assert reply.status == 200, f"/{name}: {reply}"
        assert missing_headers(reply) == [], f"/{name}"
        assert len(reply.header("Content-Type")) == 1


@pytest.mark.parametrize("path", [
    "/studio", "/info", "/sizes", "/schema", "/statistics?class=Zone", "/objects?class=Zone", "/explain?class=Zone&query=city%3D%3D%22x%22",
    "/object?class=Zone&name=id:1", "/check", "/stores", "/diff?with=x", "/undo", "/export?class=Zone&format=csv", "/nothing",
    "/objects", "/objects?class=Zone&query=%28", "/text?class=Zone&id=1&property=city", "/data?class=Zone&id=1&property=city",
])
def test_every_answer_of_the_api_has_the_security_headers(target, path):
    assert missing_headers(target.request("GET", f"/api/v1{path}")) == []


def test_the_event_stream_has_the_security_headers(target):
    with Wire(target, 2) as wire:
        wire.send(head(target, "/api/v1/events"))
        wait_until(lambda: wire._more() and b"retry" in wire.buffer, "the event stream begins", 5)
        first = wire.buffer.split(b"\r\n\r\n")[0].decode()
    for name in ("Content-Security-Policy", "X-Content-Type-Options", "Cross-Origin-Resource-Policy"):
        assert f"{name}: " in first, first
    assert "text/event-stream" in first


def test_a_read_only_server_refuses_edits(target):
    edit = {"mode": "write", "operations": [{"set": {"class": "Zone", "object": "id:1", "values": {"latitude": 1}}}]}
    for body in (edit, {**edit, "mode": "preview"}):
        reply = target.post("/edit", body)
        assert reply.status == 409, f"A read-only server should refuse to edit with 409: {reply}"
        assert "--write" in reply.error["message"], "The message should say how the server may write."
    assert target.post("/undo", {"id": "u1"}).status == 409


# MARK: Malformed requests

MALFORMED = {
    "TLS": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + "\x00" * 50 + "\r\n\r\n",
    "noise": "\xff\xfe\x00\x01\r\n\r\n", "a line without a version": "GET /\r\n\r\n", "HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a method in small letters": "get / HTTP/1.1\r\n{own}\r\n", "line feeds alone": "GET / HTTP/1.1\n{own}\n",
    "a space before the colon": "GET / HTTP/1.1\r\n{own}X : 1\r\n\r\n", "a folded header": "GET / HTTP/1.1\r\n{own}X: 1\r\n y\r\n\r\n",
    "a null byte in the path": "GET /\0 HTTP/1.1\r\n{own}\r\n", "a null byte in a header": "GET / HTTP/1.1\r\n{own}X: \0\r\n\r\n",
    "a header without a name": "GET / HTTP/1.1\r\n{own}: x\r\n\r\n", "version 9": "GET / HTTP/9.9\r\n{own}\r\n",
    "a huge header": "GET / HTTP/1.1\r\n{own}X: " + "a" * 1_000_000 + "\r\n\r\n",
    "many headers": "GET / HTTP/1.1\r\n{own}" + "A: b\r\n" * 20_000 + "\r\n",
    "a huge path": "GET /" + "a" * 1_000_000 + " HTTP/1.1\r\n{own}\r\n",
    "a header without an end": "GET / HTTP/1.1\r\n{own}X: " + "a" * 200_000,
}
SMUGGLED = {
    "length and chunks": ("Content-Length: 4\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
    "chunks and length": ("Transfer-Encoding: chunked\r\nContent-Length: 4", "0\r\n\r\n"),
    "two lengths": ("Content-Length: 2\r\nContent-Length: 40", "{}"), "lengths in one line": ("Content-Length: 2, 2", "{}"),
    "a length with a sign": ("Content-Length: +2", "{}"), "a negative length": ("Content-Length: -2", ""),
    "a length in hexadecimal": ("Content-Length: 0x2", "{}"), "a length beyond 64 bits": ("Content-Length: 18446744073709551618", "{}"),
    "another encoding": ("Transfer-Encoding: xchunked", "0\r\n\r\n"), "an encoding after chunks": ("Transfer-Encoding: chunked, identity", "0\r\n\r\n"),
    "a vertical tab before chunked": ("Transfer-Encoding: \x0bchunked", "0\r\n\r\n"),
    "a space before the colon": ("Transfer-Encoding : chunked", "0\r\n\r\n"),
    "a chunk with a wrong length": ("Transfer-Encoding: chunked", "1\r\n{}\r\n0\r\n\r\n"),
    "a chunk with a negative length": ("Transfer-Encoding: chunked", "-2\r\n{}\r\n0\r\n\r\n"),
    "a chunk beyond 64 bits": ("Transfer-Encoding: chunked", "ffffffffffffffffff\r\n{}\r\n0\r\n\r\n"),
    "a chunk that ends with a line feed": ("Transfer-Encoding: chunked", "2\n{}\n0\n\n"),
}


def own(server):
    return f"Host: 127.0.0.1:{server.port}\r\nCookie: {server.cookie}\r\n"


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_request_is_refused(target, name):
    with Wire(target) as wire:
        wire.send(MALFORMED[name].replace("{own}", own(target)))
        answers = wire.replies()
        assert wire.is_closed(2), "The connection should be closed."
    assert [one for one in answers if one.status < 400] == [], f"{name} should be refused."
    assert len(answers) <= 1
    assert [one for one in answers if one.body and missing_headers(one)] == [], "An answer with a body should have the security headers."


def test_refusals_of_malformed_requests_have_the_security_headers(target):
    """The answers of the HTTP library itself, which no code of the server sees."""
    refusals = [ask(target, extra=["X : 1"]), ask(target, extra=["X: " + "a" * 200_000]),
                ask(target, "/api/v1/plan", "POST", extra=[*POST, f"Content-Length: {5 << 20}"], body="x" * (5 << 20))]
    assert [one.status for one in refusals] == [400, 400, 413]
    assert [missing_headers(one) for one in refusals] == [[], [], []]


@pytest.mark.parametrize("name", SMUGGLED)
def test_a_request_with_two_meanings_is_refused(target, name):
    header, body = SMUGGLED[name]
    inner = f"GET /api/v1/studio HTTP/1.1\r\n{own(target)}\r\n"
    with Wire(target) as wire:
        wire.send(f"POST /api/v1/check HTTP/1.1\r\n{own(target)}{POST[0]}\r\n{POST[1]}\r\n{header}\r\n\r\n{body}{inner}")
        answers = wire.replies()
    assert [one for one in answers if one.status < 400] == [], f"A request with {name} should be refused: {answers}"


def test_requests_in_one_packet_are_answered_in_order(target):
    with Wire(target) as wire:
        wire.send(head(target, "/api/v1/studio") + head(target, "/api/v1/nothing") + head(target, "/api/v1/schema"))
        statuses = [wire.reply().status for _ in range(3)]
    assert statuses == [200, 404, 200]


def test_a_body_in_chunks_is_read(target):
    with Wire(target) as wire:
        wire.send(head(target, "/api/v1/plan", "POST", extra=[*POST, "Transfer-Encoding: chunked"]))
        body = json.dumps({"store": "none.whimbrel"})
        for letter in body:
            wire.send(f"1\r\n{letter}\r\n")
        wire.send("0\r\n\r\n")
        assert wire.reply().status == 404, "The answer should be of the body: there is no such store."


def test_a_huge_body_is_refused_with_413(target):
    reply = ask(target, "/api/v1/plan", "POST", extra=[*POST, f"Content-Length: {5 << 20}"], body="x" * (5 << 20))
    assert reply.status == 413


def test_a_body_of_chunks_without_an_end_is_refused(target):
    chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
    with Wire(target) as wire:
        wire.send(head(target, "/api/v1/plan", "POST", extra=[*POST, "Transfer-Encoding: chunked"]))
        for _ in range(4_000):
            if not wire.send(chunk):
                break
        else:
            pytest.fail("The server should stop to read a body of more than 4 MiB.")


def test_a_client_that_may_not_use_the_server_sends_no_large_body(target):
    """Otherwise any program could fill the memory with requests that are refused in the end."""
    with Wire(target) as wire:
        wire.send(head(target, "/api/v1/plan", "POST", cookie=None, extra=[*POST, f"Content-Length: {3 << 20}"]))
        wire.send(b"x" * (3 << 20))
        reply = wire.reply()
    assert reply is None or reply.status in (403, 413), f"{reply}"


@pytest.mark.parametrize("body", [
    b"", b"{", b"[]", b"null", b"\"x\"", b"\xff\xfe", b"{\"schema\":" + b"[" * 20_000, b"{}" * 9, b"{\"schema\":{}}",
    b"{\"store\":5}", b"{\"schema\":{\"schemaVersion\":1e999,\"classes\":[]}}", b"{\"appSchema\":true}",
    b"{\"store\":\"../../../etc/passwd\"}", b"{\"store\":\"/dev/zero\"}", b"{\"store\":\"\\u0000\"}",
])
def test_a_body_that_is_not_a_schema_is_refused(target, body):
    reply = target.post("/plan", body)
    assert reply.status in (400, 404), f"{reply}"
    assert reply.error["message"], "The answer should say what is wrong."


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/stdin", "/etc/passwd", "/proc/self/mem", "/", ".", "..", "../..", "\0", "a" * 5_000])
def test_another_file_is_not_read_as_a_store(target, name):
    reply = target.get("/diff", **{"with": name})
    assert reply.status in (400, 404), f"'{name}' should not be read: {reply}"
    assert b"root:" not in reply.body
