"""A local web server for tests: serves tests/data/pages, answers programmed paths, and remembers what was asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PAGES = Path(__file__).parent.parent / "data" / "pages"


@dataclass(frozen=True)
class Asked:
    """One request as the server saw it; ``path`` has no query."""

    method: str
    path: str
    query: str = ""
    body: str = ""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Reply:
    """What to answer, after ``delay`` seconds."""

    body: str | bytes = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "text/html; charset=utf-8"
    delay: float = 0.0


class PageServer:
    """Listens on a free loopback port until ``stop``; ``clear`` forgets programs and requests."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self._answers: dict[str, Callable[[Asked], Reply]] = {}
        self.stopping = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def url(self, path: str) -> str:
        """Absolute address of a path."""
        return self.origin + path

    def html(self, path: str, body: str) -> str:
        """Answer a path with a page; returns its address."""
        page = body if "<html" in body else f"<!doctype html><title>{path}</title><body>{body}"
        return self.on(path, lambda asked: Reply(page))

    def on(self, path: str, answer: Callable[[Asked], Reply]) -> str:
        """Answer a path by a function; returns its address."""
        self._answers[path] = answer
        return self.url(path)

    def hang(self, path: str) -> str:
        """A path that never answers."""

        def wait(asked: Asked) -> Reply:
            self.stopping.wait(30)
            return Reply("")

        return self.on(path, wait)

    def count(self, method: str, path: str) -> int:
        """How often something was asked for."""
        return sum(a.method == method and a.path == path for a in self.asked)

    def clear(self) -> None:
        self.stopping.set()
        time.sleep(0)
        self.stopping = threading.Event()
        self.asked.clear()
        self._answers.clear()

    def stop(self) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()

    def answer(self, asked: Asked) -> Reply:
        """The programmed answer, else the file of that name, else 404."""
        self.asked.append(asked)
        if asked.path in self._answers:
            return self._answers[asked.path](asked)
        file = PAGES / asked.path.lstrip("/")
        if file.is_file() and file.resolve().is_relative_to(PAGES):
            return Reply(file.read_bytes())
        return Reply("<title>Not found</title>Not found", status=404)


def _handler_of(server: PageServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _serve(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(length).decode("utf-8", "replace") if length else ""
            path, _, query = self.path.partition("?")
            asked = Asked(self.command, path, query, body, {k.lower(): v for k, v in self.headers.items()})
            reply = server.answer(asked)
            if reply.delay:
                server.stopping.wait(reply.delay)
            data = reply.body.encode("utf-8", "surrogatepass") if isinstance(reply.body, str) else reply.body
            try:
                self.send_response(reply.status)
                self.send_header("Content-Type", reply.content_type)
                self.send_header("Content-Length", str(len(data)))
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)
            except OSError:
                self.close_connection = True  # the browser went away meanwhile

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = do_OPTIONS = _serve

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    return Handler
