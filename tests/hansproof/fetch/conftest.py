"""A real HTTP server on loopback that serves a small release and misbehaves as a test tells it to."""

import json
import threading
import time
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from hansproof.fetch.transfer import Patience

FILES = {
    "one.jsonl": b"".join(b'{"id":"small/1.0.0/one/%06d"}\n' % i for i in range(3000)),
    "two.jsonl": b'{"id":"small/1.0.0/two/000000"}\n',
    "empty.jsonl": b"",
}


def index_of(files, base="", mirrors=()):
    listed = [{"name": name, "size": len(data), "sha256": sha256(data).hexdigest()} for name, data in files.items()]
    release = {"name": "small", "version": "1.0.0", "files": listed}
    return json.dumps({"base": base, "mirrors": list(mirrors), "releases": [release]})


class Loopback:
    """Records its requests (`requests`: path and Range) and answers by `script`: path -> moods, one per request."""

    def __init__(self):
        self.requests = []
        self.script = {}
        self.headers = {}
        self.sent = 0
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                owner.answer(self)

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def answer(self, handler):
        name = handler.path.rpartition("/")[2]
        wanted = handler.headers.get("Range")
        self.requests.append((name, wanted))
        self.headers[name] = dict(handler.headers)
        moods = self.script.get(name, [])
        mood = moods.pop(0) if moods else "well"
        data = FILES.get(name)
        if isinstance(mood, int):
            handler.send_response(mood)
            handler.send_header("Content-Length", "0")
            handler.end_headers()
        elif isinstance(mood, tuple):
            getattr(self, mood[0])(handler, data, wanted, *mood[1:])
        elif data is None:
            handler.send_error(404)
        else:
            self.send(handler, data, wanted)

    def send(self, handler, data, wanted, ranges=True, cut=None, length=None, pause=0.0, piece=1 << 20):
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and ranges else 0
        body = data[start:]
        handler.send_response(206 if start else 200)
        if start:
            handler.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        if length != "none":
            handler.send_header("Content-Length", str(len(body) if length is None else length))
        handler.end_headers()
        body = body[:cut]
        try:
            for at in range(0, len(body), piece):
                handler.wfile.write(body[at : at + piece])
                handler.wfile.flush()
                time.sleep(pause)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client had enough: what some tests want

    def truncate(self, handler, data, wanted, cut):
        self.send(handler, data, wanted, cut=cut)

    def truncate_unannounced(self, handler, data, wanted, cut):
        self.send(handler, data, wanted, cut=cut, length="none")

    def no_ranges(self, handler, data, wanted):
        self.send(handler, data, wanted, ranges=False)

    def wrong(self, handler, data, wanted, body):
        self.send(handler, body, wanted)

    def announce(self, handler, data, wanted, length):
        self.send(handler, data, wanted, length=length)

    def unannounced(self, handler, data, wanted, body):
        self.send(handler, body, wanted, length="none")

    def drip(self, handler, data, wanted, pause):
        self.send(handler, data, wanted, pause=pause, piece=100)

    def drip_raw(self, handler, data, wanted, head, pause):
        """One byte after another that never makes a header, or the size of a block, complete."""
        try:
            handler.wfile.write(head)
            for _ in range(100):
                handler.wfile.write(b"a")
                handler.wfile.flush()
                time.sleep(pause)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def stall(self, handler, data, wanted, seconds):
        time.sleep(seconds)
        self.send(handler, data, wanted)

    def redirect(self, handler, data, wanted, target):
        handler.send_response(302)
        handler.send_header("Location", target)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    def endless_redirect(self, handler, data, wanted, target):
        """A redirect whose text goes on for as long as somebody reads it (100 MB at most)."""
        handler.send_response(302)
        handler.send_header("Location", target)
        handler.end_headers()
        try:
            for _ in range(1600):
                handler.wfile.write(bytes(1 << 16))
                self.sent += 1 << 16
        except (BrokenPipeError, ConnectionResetError):
            pass

    def other_range(self, handler, data, wanted):
        handler.send_response(206)
        handler.send_header("Content-Range", f"bytes 0-9/{len(data)}")
        handler.send_header("Content-Length", "10")
        handler.end_headers()
        handler.wfile.write(data[:10])

    def later(self, handler, data, wanted, seconds):
        handler.send_response(503)
        handler.send_header("Retry-After", str(seconds))
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def server(monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "HANSPROOF_BASE_URL", "HANSPROOF_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    loopback = Loopback()
    yield loopback
    loopback.close()


@pytest.fixture
def index(tmp_path):
    path = tmp_path / "index.json"
    path.write_text(index_of(FILES))
    return path


@pytest.fixture
def waits():
    return []


@pytest.fixture
def patience(waits):
    """Short limits, and waits that are noted instead of waited."""
    waiting = {"first_wait": 1.0, "longest_wait": 3.0, "sleep": waits.append}
    return Patience(tries=3, connect=2.0, silence=0.15, slowest=1e9, **waiting)


@pytest.fixture
def files():
    return dict(FILES)


@pytest.fixture
def write_index(tmp_path):
    def write(files=FILES, base="", mirrors=()):
        path = tmp_path / "other-index.json"
        path.write_text(index_of(files, base, mirrors))
        return path

    return write
