"""The tool `whimbrel`, and servers that it starts."""

import http.client
import json
import os
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / ".build" / "studio"
SAMPLES = ROOT / "SampleStores"
WHIMBREL = os.environ.get("WHIMBREL") or str(ROOT / ".build" / "debug" / "whimbrel")
# The files of the page, or nothing for those in the tool.
ASSETS = os.environ.get("WHIMBREL_ASSETS")


def run(*arguments, exit_codes=(0,), tool=None, text_input=None):
    """Runs the tool and returns its standard output."""
    command = [tool or WHIMBREL, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, input=text_input, encoding="utf-8", timeout=600)
    if done.returncode not in exit_codes:
        raise AssertionError(
            f"{' '.join(command)} should exit with {exit_codes}, and did with {done.returncode}:\n{done.stderr}")
    return done.stdout


def run_json(*arguments, **options):
    return json.loads(run(*arguments, "--json", **options))


def run_lines(*arguments, **options):
    return [json.loads(line) for line in run(*arguments, "--json", **options).splitlines()]


def wait_until(condition, what, seconds=10, pause=0.03):
    """Returns the first value of `condition()` that is true. Fails when that takes too long.

    `what` says what is waited for: a text, or a function that returns it when it has failed.
    """
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"Expected within {seconds} s: {what() if callable(what) else what}. The last answer was {value!r}.")
        time.sleep(pause)


class Reply:
    """An answer of the server."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def text(self):
        return self.body.decode("utf-8")

    @property
    def json(self):
        try:
            return json.loads(self.body)
        except ValueError as error:
            raise AssertionError(f"Expected JSON, and got {self.body[:300]!r}: {error}") from None

    @property
    def error(self):
        return self.json["error"]

    def header(self, name):
        """All values of a header."""
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def __repr__(self):
        return f"<{self.status} {self.body[:400]!r}>"


class Server:
    """A server of `whimbrel studio`."""

    def __init__(self, store, *arguments, keep=True, assets=ASSETS, tool=None, opener=None):
        """`opener` is a program that is started with the URL, instead of a browser."""
        self.store = Path(store)
        command = [tool or WHIMBREL, "studio", str(store), *map(str, arguments)]
        if not opener:
            command.append("--no-open")
        if keep:
            command.append("--keep")
        if assets:
            command += ["--assets", str(assets)]
        self.errors = tempfile.TemporaryFile()
        self.started = time.monotonic()
        environment = {**os.environ, **({"BROWSER": str(opener), "DISPLAY": ""} if opener else {})}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.errors, env=environment)
        self.printed = b""
        wait_until(self._has_url, f"'{' '.join(command)}' prints its URL", 30, 0.005)
        self.address = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]+)", self.output())
        self.url = self.address.group(0)
        self.port = int(self.address.group(1))
        self.token = self.address.group(2)
        self.origin = f"http://127.0.0.1:{self.port}"
        reply = self.request("GET", f"/?token={self.token}", cookie=None)
        assert reply.status == 200, f"The URL that the tool prints should show the page: {reply}"
        self.set_cookie = reply.header("Set-Cookie")[0]
        self.cookie = self.set_cookie.split(";")[0]

    def _has_url(self):
        ready, _, _ = select.select([self.process.stdout], [], [], 0)
        if ready:
            part = os.read(self.process.stdout.fileno(), 65536)
            self.printed += part
            if not part and self.process.poll() is not None:
                raise AssertionError(f"The server ended with {self.process.returncode}: {self.complaints()}")
        return re.search(rb"token=[0-9a-f]{64}\n", self.printed)

    def output(self):
        """All that was printed so far."""
        while select.select([self.process.stdout], [], [], 0)[0]:
            part = os.read(self.process.stdout.fileno(), 65536)
            if not part:
                break
            self.printed += part
        return self.printed.decode()

    def complaints(self):
        self.errors.seek(0)
        return self.errors.read().decode()

    # Requests of a client that may use the server

    def request(self, method, target, body=None, headers=None, cookie="own", timeout=60):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            fields = dict(headers or {})
            if cookie == "own":
                fields["Cookie"] = self.cookie
            connection.request(method, target, body, fields)
            reply = connection.getresponse()
            return Reply(reply.status, reply.getheaders(), reply.read())
        finally:
            connection.close()

    def get(self, path, **parameters):
        """Asks the API. `path` is relative to `/api/v1`."""
        query = urlencode({name: value for name, value in parameters.items() if value is not None})
        return self.request("GET", f"/api/v1{path}" + (f"?{query}" if query else ""))

    def ask(self, path, **parameters):
        """Returns the JSON of an answer that succeeds."""
        reply = self.get(path, **parameters)
        assert reply.status == 200, f"GET {path} {parameters} should succeed: {reply}"
        return reply.json

    def post(self, path, body=None, **parameters):
        query = urlencode(parameters)
        text = body if isinstance(body, (bytes, str)) else json.dumps(body if body is not None else {})
        return self.request(
            "POST", f"/api/v1{path}" + (f"?{query}" if query else ""), text,
            {"Content-Type": "application/json", "X-Whimbrel-Studio": "1"})

    # The process

    @property
    def memory(self):
        """The peak of the resident memory in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) / 1024

    @property
    def own_memory(self):
        """The resident memory in MiB without the pages of files: those of the store belong to the system."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"RssAnon:\s+(\d+)", status).group(1)) / 1024

    def forget_peak(self):
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    @property
    def open_files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    @property
    def is_running(self):
        return self.process.poll() is None

    def interrupt(self, seconds=10):
        """Presses Ctrl-C, and returns the exit code and the time that it took."""
        begin = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(seconds)
        return code, time.monotonic() - begin

    def stop(self):
        if self.is_running:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if not self.process.stdout.closed:
            self.output()
            self.process.stdout.close()
            self.errors.close()


def copy_sample(folder, version=7, name="zones.whimbrel"):
    """Copies a sample store: to open a store makes a lock file beside it."""
    target = Path(folder) / name
    shutil.copyfile(SAMPLES / f"Zones.v{version}.whimbrel", target)
    return target
