"""Raw requests: bytes on a socket, which no HTTP library would send."""

import socket
import time

from tool import Reply

POST = ("Content-Type: application/json", "X-Whimbrel-Studio: 1")
SECURITY_HEADERS = {
    "Content-Security-Policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Wire:
    """A connection to a server."""

    def __init__(self, server, timeout=10):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout)
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, text):
        """Sends bytes. Returns whether the server took them."""
        try:
            self.socket.sendall(text if isinstance(text, bytes) else text.encode("latin-1"))
            return True
        except (BrokenPipeError, ConnectionResetError, TimeoutError):
            return False

    def _more(self):
        try:
            part = self.socket.recv(1 << 16)
        except (ConnectionResetError, TimeoutError, BlockingIOError):
            return False
        self.buffer += part
        return bool(part)

    def reply(self):
        """Returns the next answer, or None when the server has closed the connection, or stays silent."""
        while b"\r\n\r\n" not in self.buffer:
            if not self._more():
                return None
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        headers = [tuple(line.split(": ", 1)) for line in lines[1:]]
        found = Reply(int(lines[0].split()[1]), headers, b"")
        length = found.header("Content-Length")
        if length:
            while len(self.buffer) < int(length[0]) and self._more():
                pass
            found.body, self.buffer = self.buffer[:int(length[0])], self.buffer[int(length[0]):]
        elif found.header("Transfer-Encoding") == ["chunked"]:
            found.body = self._chunks()
        return found

    def _chunks(self):
        body = b""
        while True:
            while b"\r\n" not in self.buffer:
                if not self._more():
                    return body
            size, self.buffer = self.buffer.split(b"\r\n", 1)
            count = int(size, 16)
            while len(self.buffer) < count + 2 and self._more():
                pass
            body += self.buffer[:count]
            self.buffer = self.buffer[count + 2:]
            if count == 0:
                return body

    def replies(self):
        """Returns all answers until the server closes the connection or stays silent."""
        found = []
        while (one := self.reply()) is not None:
            found.append(one)
        return found

    def is_closed(self, seconds):
        """Waits until the server closes the connection; answers are thrown away."""
        end = time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            self.socket.settimeout(rest)
            try:
                if not self.socket.recv(1 << 16):
                    return True
            except ConnectionResetError:
                return True
            except TimeoutError:
                return False
        return False


def small_window(server, seconds):
    """A connection with the smallest buffer, on which answers pile up soon."""
    wire = Wire.__new__(Wire)
    wire.buffer = b""
    wire.socket = socket.socket()
    wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    wire.socket.settimeout(seconds)
    wire.socket.connect(("127.0.0.1", server.port))
    return wire


def head(server, target="/api/v1/studio", method="GET", version="HTTP/1.1", host="own", cookie="own", extra=()):
    """The head of a request of someone who may use the server, unless the arguments say otherwise."""
    lines = [f"{method} {target} {version}"]
    if host is not None:
        lines.append(f"Host: 127.0.0.1:{server.port}" if host == "own" else f"Host: {host}")
    if cookie is not None:
        lines.append(f"Cookie: {server.cookie if cookie == 'own' else cookie}")
    lines += extra
    return "\r\n".join(lines) + "\r\n\r\n"


def ask(server, *arguments, timeout=10, body="", **options):
    """Sends one request and returns its answer, or None."""
    with Wire(server, timeout) as wire:
        wire.send(head(server, *arguments, **options))
        if body:
            wire.send(body)
        return wire.reply()


def missing_headers(reply):
    """The security headers that an answer does not have, each just once and with the right value."""
    return [name for name, value in SECURITY_HEADERS.items() if reply.header(name) != [value]]
