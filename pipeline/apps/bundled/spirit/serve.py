"""Serve the forum with waitress: serve.py DATA PORT."""

import mimetypes
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import clock

clock.install(tick=True)

from waitress import serve


class LastingFiles:
    """WSGI middleware: hands out style sheets, scripts and pictures itself, as a web server in front would.

    They may be kept for ten years because a pinned clock makes answers look months old.
    """

    lasting = ("Cache-Control", "public, max-age=315360000, immutable")

    def __init__(self, app, prefix, find):
        self.app = app
        self.prefix = prefix
        self.find = find
        self.known = {}

    def __call__(self, environ, start_response):
        path = environ.get("PATH_INFO", "")
        found = self.read(path[len(self.prefix) :]) if path.startswith(self.prefix) else None
        if found is None or environ["REQUEST_METHOD"] != "GET":
            return self.app(environ, start_response)
        kind, body = found
        start_response("200 OK", [("Content-Type", kind), ("Content-Length", str(len(body))), self.lasting])
        return [body]

    def read(self, name):
        """Type and bytes of a file, kept in memory; None when there is none."""
        if name not in self.known:
            path = self.find(name)
            if not path or not os.path.isfile(path):
                return None
            with open(path, "rb") as file:
                self.known[name] = (mimetypes.guess_type(path)[0] or "application/octet-stream", file.read())
        return self.known[name]


def find_below(finders):
    """The finder of static files, which a path cannot lead out of its folders."""

    def find(name):
        return finders.find(name) if name and ".." not in name.split("/") else None

    return find


def main(data, port):
    os.environ.update(FORUM_DATA=data, FORUM_URL=f"http://127.0.0.1:{port}/", DJANGO_SETTINGS_MODULE="settings")
    from django.contrib.staticfiles import finders
    from django.core.wsgi import get_wsgi_application

    app = get_wsgi_application()
    clock.install_in_templates()
    serve(LastingFiles(app, "/static/", find_below(finders)), host="127.0.0.1", port=port, threads=4, ident=None)


main(sys.argv[1], int(sys.argv[2]))
