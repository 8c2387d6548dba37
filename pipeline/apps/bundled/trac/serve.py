"""Serve Trac with waitress behind a small sign-in form: serve.py DATA PORT.

The form checks the password and then lets Trac's own login run, so that Trac makes its own cookie and its own sign-out
ends it.
"""

import gc
import hmac
import html
import json
import mimetypes
import os
import sys
from urllib.parse import parse_qs, urlencode, urlsplit

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import clock

clock.install(tick=True)

import trac.perm
from trac.env import open_environment
from trac.web.main import dispatch_request
from waitress import serve

# Permissions are cached for 5 s outside the database, where putting rows back does not reach them.
trac.perm.DefaultPermissionPolicy.CACHE_EXPIRY = -1
trac.perm.PermissionSystem.CACHE_EXPIRY = -1

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Sign in - Riverbank Tools</title>
<style>
body {{ font: 14px/1.5 Verdana, Arial, sans-serif; margin: 4em auto; max-width: 22em; color: #222; }}
label, input, button {{ display: block; font: inherit; }}
input {{ width: 100%; box-sizing: border-box; margin: 0 0 1em; padding: .4em; }}
button {{ padding: .4em 1.2em; }}
[role=alert] {{ color: #a00; }}
</style>
</head>
<body>
<main>
<h1>Sign in</h1>
{message}
<form method="post" action="/login">
<label for="username">Username</label>
<input id="username" name="username" autocomplete="username" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<input type="hidden" name="referer" value="{referer}">
<button type="submit">Sign in</button>
</form>
</main>
</body>
</html>
"""


class SignIn:
    """WSGI middleware that answers /login and passes everything else on."""

    def __init__(self, app, passwords):
        self.app = app
        self.passwords = passwords

    def __call__(self, environ, start_response):
        environ.pop("REMOTE_USER", None)
        if environ.get("PATH_INFO", "").rstrip("/") != "/login":
            return self.app(environ, start_response)
        if environ["REQUEST_METHOD"] == "POST":
            return self.sign_in(environ, start_response)
        query = parse_qs(environ.get("QUERY_STRING", ""))
        referer = (query.get("referer") or [environ.get("HTTP_REFERER", "")])[0]
        return self.form(start_response, "200 OK", referer)

    def sign_in(self, environ, start_response):
        length = min(int(environ.get("CONTENT_LENGTH") or 0), 65536)
        fields = parse_qs(environ["wsgi.input"].read(length).decode("utf-8", "replace"))
        user, password, referer = ((fields.get(name) or [""])[0] for name in ("username", "password", "referer"))
        wanted = self.passwords.get(user, "")
        if not wanted or not hmac.compare_digest(wanted.encode(), password.encode()):
            return self.form(start_response, "403 Forbidden", referer, "The username or the password is wrong.")
        # Trac sees a signed-in GET of its own /login; where to go next it judges itself.
        environ.update(REMOTE_USER=user, REQUEST_METHOD="GET", CONTENT_LENGTH="0")
        environ["QUERY_STRING"] = urlencode({"referer": local(referer, environ)})
        environ.pop("HTTP_REFERER", None)
        return self.app(environ, start_response)

    def form(self, start_response, status, referer, problem=""):
        message = f'<p role="alert">{problem}</p>' if problem else ""
        body = PAGE.format(message=message, referer=html.escape(referer, quote=True)).encode()
        headers = [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(body)))]
        start_response(status, [*headers, ("Cache-Control", "no-store")])
        return [body]


class LastingFiles:
    """WSGI middleware: hands out Trac's style sheets, scripts and pictures itself, as a web server in front would.

    Trac asks browsers to check each of some 25 files again on every page, and takes longer for a file than for a
    page's text. They may be kept for ten years because a pinned clock makes answers look months old.
    """

    lasting = ("Cache-Control", "public, max-age=315360000, immutable")

    def __init__(self, app, root):
        self.app = app
        self.root = os.path.realpath(root)
        self.known = {}

    def __call__(self, environ, start_response):
        path = environ.get("PATH_INFO", "")
        found = self.read(path[len("/chrome/common/") :]) if path.startswith("/chrome/common/") else None
        if found is None or environ["REQUEST_METHOD"] != "GET":
            return self.app(environ, start_response)
        kind, body = found
        start_response("200 OK", [("Content-Type", kind), ("Content-Length", str(len(body))), self.lasting])
        return [body]

    def read(self, name):
        """Type and bytes of a file below the root, kept in memory; None for anything else."""
        if name not in self.known:
            path = os.path.realpath(os.path.join(self.root, name))
            if not path.startswith(self.root + os.sep) or not os.path.isfile(path):
                return None
            with open(path, "rb") as file:
                self.known[name] = (mimetypes.guess_type(path)[0] or "application/octet-stream", file.read())
        return self.known[name]


class Frozen:
    """WSGI middleware: what has been loaded is left out of the garbage collection that Trac ends every request with.

    That collection takes longer than the rest of a request otherwise. Much is loaded by the first requests only, so
    once more after those; what is made later is collected as ever, environments that Trac opened anew among it.
    """

    at = (1, 40)

    def __init__(self, app):
        self.app = app
        self.requests = 0

    def __call__(self, environ, start_response):
        self.requests += 1
        if self.requests in self.at:
            gc.collect()
            gc.freeze()
        return self.app(environ, start_response)


def local(referer, environ):
    """The referer when it is a page of this host other than the sign-in page, else the project's wiki."""
    parts = urlsplit(referer)
    same = not parts.netloc or parts.netloc == environ.get("HTTP_HOST")
    if not same or not parts.path or parts.path.rstrip("/") in ("/login", "/logout"):
        return "/wiki"
    return referer


def main(data, port):
    env_path = os.path.join(data, "trac")
    os.environ["TRAC_ENV"] = env_path
    open_environment(env_path, use_cache=True)
    with open(os.environ["TASKSIEVE_PASSWORDS"], encoding="utf-8") as file:
        passwords = json.load(file)
    files = os.path.join(os.path.dirname(trac.__file__), "htdocs")
    app = LastingFiles(SignIn(Frozen(dispatch_request), passwords), files)
    serve(app, host="127.0.0.1", port=port, threads=4, ident=None)


main(sys.argv[1], int(sys.argv[2]))
