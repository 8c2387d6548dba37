"""A small application for tests: notes in SQLite (write-ahead log), settings in a file, one table that it caches.

app.py seed DATA | serve DATA PORT. How it misbehaves is chosen by the environment variable NOTES.
"""

import http.server
import os
import sqlite3
import sys
import time
from datetime import datetime
from email.utils import formatdate
from urllib.parse import parse_qs, urlsplit

MODE = os.environ.get("NOTES", "")
CACHED = []


def database(data):
    db = sqlite3.connect(os.path.join(data, "notes.db"), timeout=10)
    db.execute("PRAGMA journal_mode=WAL")
    return db


def seed(data):
    os.mkdir(os.path.join(data, "settings"))
    with open(os.path.join(data, "settings", "notes.ini"), "w") as file:
        file.write("title = Notes\nsize = 10\n")
    db = database(data)
    with db:
        db.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT, picture BLOB)")
        db.execute("CREATE TABLE tag (name TEXT NOT NULL, note INTEGER NOT NULL, UNIQUE (name, note))")
        db.execute("CREATE TABLE visit (place TEXT)")
        db.execute("CREATE TABLE cached (word TEXT PRIMARY KEY)")
        db.execute("CREATE TABLE session (token TEXT PRIMARY KEY)")
        db.executemany("INSERT INTO note (text, picture) VALUES (?, ?)", [("milk", b"\x00\x01"), ("bread", None)])
        db.execute("INSERT INTO tag VALUES ('food', 1)")
        db.execute("INSERT INTO visit VALUES ('home')")
        db.execute("INSERT INTO cached VALUES ('old')")
    db.close()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        parts = urlsplit(self.path)
        given = {key: values[0] for key, values in parse_qs(parts.query).items()}
        if parts.path == "/ready":
            return self.say(503 if MODE == "never" else 200, "ready")
        db = database(self.server.data)
        with db:
            if parts.path == "/add":
                db.execute("INSERT INTO note (text) VALUES (?)", (given["text"],))
            elif parts.path == "/login":
                db.execute("INSERT INTO session VALUES (?)", (os.urandom(8).hex(),))
            elif parts.path == "/cache":
                db.execute("UPDATE cached SET word = ?", (given["word"],))
                CACHED[:] = [given["word"]]
            elif parts.path == "/setting":
                with open(os.path.join(self.server.data, "settings", given["name"]), "a") as file:
                    file.write(given["line"] + "\n")
            texts = [row[0] for row in db.execute("SELECT text FROM note ORDER BY id")]
            CACHED[:] = CACHED or [db.execute("SELECT word FROM cached").fetchone()[0]]
        db.close()
        self.say(200, " ".join([*texts, *CACHED]))
        if parts.path == "/die":
            os._exit(3)

    def say(self, status, text):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text.encode())

    def date_time_string(self, timestamp=None):
        pinned = os.environ.get("NOTES_CLOCK") if MODE != "no-clock" else None
        at = datetime.fromisoformat(pinned.replace("Z", "+00:00")).timestamp() if pinned else time.time()
        return formatdate(at, usegmt=True)

    def log_message(self, *parts):
        pass


def serve(data, port):
    if MODE == "exits":
        sys.exit("the licence file is missing")
    if MODE in ("tells", "tells and waits"):
        with open(os.environ["TASKSIEVE_PASSWORDS"], encoding="utf-8") as file:
            sys.stderr.write(f"passwords: {file.read()}\n")
        if MODE == "tells":
            sys.exit(1)
        time.sleep(60)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.data = data
    if MODE == "restless":
        with open(os.path.join(data, "settings", "busy.ini"), "a") as file:
            file.write(f"at = {time.time_ns()}\n")
    server.serve_forever()


if sys.argv[1] == "seed":
    seed(sys.argv[2])
else:
    serve(sys.argv[2], int(sys.argv[3]))
