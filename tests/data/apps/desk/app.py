"""A lending desk for tests: items and clubs in SQLite, sign-in by cookie, the usual lists, pages and forms.

app.py seed DATA | serve DATA PORT. In the folder that DESK_CONTROL names it keeps a journal, one line a request, and
finds orders for misbehaving: ``die PATH``, ``status CODE PATH``, ``expire PATH``, ``stale PATH``,
``foreign PATH``; PATH may end in ``*`` and may have a method before it (``POST /items*``). ``once`` before an order
removes it when it was followed. What is saved at a stale path stays in memory, so that putting the database back does
not bring it back; a foreign path speaks another language.
"""

import http.server
import json
import os
import re
import secrets
import sqlite3
import sys
import time
from datetime import UTC, datetime
from fnmatch import fnmatch
from html import escape
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

from pages import ENGLISH, GERMAN, PAGE, area, around, form, links, select, text

SHELVES = ("Attic", "Cellar", "Hall", "Workshop")
PEOPLE = ("alice", "bob")
THEMES = ("Plain", "Forest", "Ocean")
ITEMS = (
    ("Cordless drill", "Workshop", "Two batteries in the case", "alice"),
    ("Tall ladder", "Cellar", "Needs two people to carry", "bob"),
    ("Party tent", "Attic", "Six by three metres", "alice"),
    ("Projector", "Hall", "The cable is in the drawer", "bob"),
    ("Folding tables", "Hall", "Set of eight", "alice"),
    ("Sewing machine", "Workshop", "Oil it after use", "bob"),
    ("Canoe", "Cellar", "Paddles hang on the wall", "alice"),
)
CLUBS = (
    ("rowing", "Rowing", "Harborough", "Pull together"),
    ("chess", "Chess", "Millbrook", "Think first"),
    ("choir", "Choir", "Ashford", "All in tune"),
    ("garden", "Garden", "Millbrook", "Slow and green"),
    ("theatre", "Theatre", "Easton", "Break a leg"),
)
SCHEMA = """
CREATE TABLE item (id INTEGER PRIMARY KEY, title TEXT, shelf TEXT, note TEXT, keeper TEXT, changed REAL);
CREATE TABLE club (slug TEXT PRIMARY KEY, name TEXT, city TEXT, motto TEXT);
CREATE TABLE setting (who TEXT, name TEXT, value TEXT, PRIMARY KEY (who, name));
CREATE TABLE seen (who TEXT PRIMARY KEY, at REAL, times INTEGER);
CREATE TABLE message (id INTEGER PRIMARY KEY, sender TEXT, subject TEXT, body TEXT, sent REAL);
CREATE TABLE visit (who TEXT PRIMARY KEY, day TEXT, week TEXT);
CREATE TABLE session (token TEXT PRIMARY KEY, who TEXT, place TEXT);
"""
STARTED = time.time()
MEMORY = {}


def now():
    pinned = os.environ.get("DESK_CLOCK")
    base = datetime.fromisoformat(pinned.replace("Z", "+00:00")).timestamp() if pinned else STARTED
    return base + time.time() - STARTED


def day_of(seconds):
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def database(data):
    db = sqlite3.connect(os.path.join(data, "desk.db"), timeout=10)
    db.row_factory = sqlite3.Row
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=OFF")
    return db


def seed(data):
    db = database(data)
    db.executescript(SCHEMA)
    with db:
        rows = [(*item, 1000.0 + n) for n, item in enumerate(ITEMS)]
        db.executemany("INSERT INTO item (title, shelf, note, keeper, changed) VALUES (?, ?, ?, ?, ?)", rows)
        db.executemany("INSERT INTO club VALUES (?, ?, ?, ?)", CLUBS)
        for who in PEOPLE:
            given = (("theme", "Plain"), ("greeting", f"Hello {who}"), ("digest", "off"))
            db.execute("INSERT INTO visit VALUES (?, ?, ?)", (who, day_of(now()), day_of(now())))
            db.executemany("INSERT INTO setting VALUES (?, ?, ?)", [(who, *pair) for pair in given])
    db.close()


class Refused(Exception):
    """The form was filled in wrongly; shown to the person."""


class Desk(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    stale = foreign = False

    def do_GET(self):
        self.serve({})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        self.serve({k: v[0] for k, v in parse_qs(body, keep_blank_values=True).items()})

    def serve(self, form):
        parts = urlsplit(self.path)
        self.place = parts.path
        self.query = {k: v[0] for k, v in parse_qs(parts.query, keep_blank_values=True).items()}
        self.form = form
        self.db = database(self.server.data)
        try:
            with self.db:
                if not self.obey(self.orders()):
                    self.route()
        except Refused as refusal:
            self.page("Not saved", f"<p role=alert>{escape(str(refusal))}</p>", status=200)
        finally:
            self.db.close()

    # Who is there, and what is asked of us

    @property
    def who(self):
        token = re.search(r"desk=(\w+)", self.headers.get("Cookie") or "")
        row = token and self.db.execute("SELECT who FROM session WHERE token = ?", (token[1],)).fetchone()
        return row["who"] if row else ""

    def orders(self):
        folder = Path(os.environ.get("DESK_CONTROL") or "/nowhere")
        if not folder.is_dir() or self.place == "/ready":
            return []
        with open(folder / "journal", "a") as journal:
            journal.write(f"{self.command} {self.place} {self.who or '-'}\n")
        return sorted(folder.glob("order-*"))

    def obey(self, orders):
        for order in orders:
            try:
                words = order.read_text().split()
                once = words[0] == "once"
                verb, *rest = words[1:] if once else words
                if not self.is_meant(" ".join(rest[1:] if verb == "status" else rest)):
                    continue
                if once:
                    order.unlink()
            except FileNotFoundError:
                continue  # another copy of the desk has followed it
            if verb == "die":
                os._exit(3)
            self.stale, self.foreign = verb == "stale", verb == "foreign"
            if verb == "expire":
                self.db.execute("DELETE FROM session")
            if verb == "status":
                self.say(int(rest[0]), "<h1>Out of order</h1>")
                return True
        return False

    def is_meant(self, pattern):
        method, _, place = pattern.rpartition(" ")
        return fnmatch(self.place, place) and method in ("", self.command)

    # Places

    def route(self):
        if self.place == "/ready":
            return self.say(200, "ready")
        if self.place == "/login":
            return self.login()
        if not self.who:
            return self.go(f"/login?next={quote(self.place)}")
        places = {
            "/": self.home,
            "/items": self.items,
            "/items/new": self.new_item,
            "/clubs": self.clubs,
            "/clubs/new": self.new_club,
            "/news": self.news,
            "/contact": self.contact,
            "/loop": lambda: self.go("/loop"),
            "/settings": self.settings,
            "/password": self.password,
            "/search": self.search,
            "/signout": self.leave,
            "/session/end": self.leave,
        }
        if self.place in places:
            return places[self.place]()
        found = re.fullmatch(r"/(items|clubs)/([\w-]+)(?:/(edit|delete))?", self.place)
        row = found and self.thing(found[1], found[2])
        if not row:
            return self.page("Nothing here", "<p>There is no such page.</p>", status=404)
        return getattr(self, f"{found[3] or 'show'}_{found[1][:-1]}")(row)

    def thing(self, kind, key):
        table, column = ("item", "id") if kind == "items" else ("club", "slug")
        return self.db.execute(f"SELECT * FROM {table} WHERE {column} = ?", (key,)).fetchone()

    def login(self):
        if self.command == "GET":
            fields = text("Name", "who") + "<label>Password <input type=password name=word></label>"
            return self.page("Sign in", form("/login", fields, "Sign in"), bare=True)
        with open(os.environ["TASKSIEVE_PASSWORDS"]) as kept:
            if json.load(kept).get(self.form["who"]) != self.form["word"]:
                return self.page("Sign in", "<p>Wrong.</p>", status=403, bare=True)
        token = secrets.token_hex(8)
        self.db.execute("INSERT INTO session VALUES (?, ?, ?)", (token, self.form["who"], "/"))
        return self.go("/", {"Set-Cookie": f"desk={token}; Path=/"})

    def leave(self):
        self.db.execute("DELETE FROM session WHERE who = ?", (self.who,))
        return self.go("/login")

    def home(self):
        greeting = self.setting("greeting")
        links = '<p><a href="https://elsewhere.example/desk">Elsewhere</a> <a href="/password">Change password</a></p>'
        return self.page("Lending desk", f"<p>{escape(greeting)}</p>{links}")

    def visited(self):
        """Note the first visit of a day and that of a week; on the seeded day nothing changes."""
        today, week_ago = day_of(now()), day_of(now() - 7 * 86400)
        self.db.execute("UPDATE visit SET day = ? WHERE who = ? AND day < ?", (today, self.who, today))
        self.db.execute("UPDATE visit SET week = ? WHERE who = ? AND week <= ?", (today, self.who, week_ago))

    def items(self):
        self.visited()
        columns = {"title": "Title", "shelf": "Shelf", "keeper": "Keeper"}
        sort = self.query.get("sort") if self.query.get("sort") in columns else "id"
        rows = self.db.execute(f"SELECT * FROM item ORDER BY {sort}").fetchall()
        wanted = self.query.get("shelf")
        rows = [r for r in rows if not wanted or r["shelf"] == wanted]
        head = "".join(f'<th scope=col><a href="/items?sort={k}">{v}</a></th>' for k, v in columns.items())
        body = "".join(
            f'<tr><td><a href="/items/{r["id"]}">{escape(r["title"])}</a></td>'
            f"<td>{escape(r['shelf'])}</td><td>{escape(r['keeper'])}</td></tr>"
            for r in rows
        )
        narrow = form("/items", select("Shelf", "shelf", ("", *SHELVES), wanted or ""), "Show", method="get")
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return self.page("Items", f'{narrow}{table}<p><a href="/items/new">New item</a></p>')

    def new_item(self):
        if self.command == "POST":
            self.db.execute(
                "INSERT INTO item (title, shelf, note, keeper, changed) VALUES (?, ?, ?, ?, ?)",
                (self.named("title"), self.form["shelf"], self.form["note"], self.who, now()),
            )
            return self.go("/items")
        fields = (
            text("Title", "title", required=True) + select("Shelf", "shelf", SHELVES, "Attic") + area("Note", "note")
        )
        return self.page("New item", form("/items/new", fields, "Create item"))

    def show_item(self, row):
        pairs = (("Shelf", row["shelf"]), ("Note", row["note"]), ("Keeper", row["keeper"]))
        table = "".join(f"<tr><th scope=row>{k}</th><td>{escape(v)}</td></tr>" for k, v in pairs)
        at = f"/items/{row['id']}"
        return self.page(row["title"], f"<table>{table}</table>{links(at)}")

    def edit_item(self, row):
        at = f"/items/{row['id']}"
        if self.command == "POST":
            self.db.execute(
                "UPDATE item SET title = ?, shelf = ?, note = ?, keeper = ?, changed = ? WHERE id = ?",
                (self.named("title"), self.form["shelf"], self.form["note"], self.form["keeper"], now(), row["id"]),
            )
            return self.go(at)
        fields = text("Title", "title", row["title"], required=True) + select("Shelf", "shelf", SHELVES, row["shelf"])
        fields += area("Note", "note", row["note"]) + select("Keeper", "keeper", PEOPLE, row["keeper"])
        return self.page(f"Edit {row['title']}", form(f"{at}/edit", fields, "Save"))

    def delete_item(self, row):
        if self.command == "POST":
            self.db.execute("DELETE FROM item WHERE id = ?", (row["id"],))
            return self.go("/items")
        return self.page(f"Delete {row['title']}?", form(f"/items/{row['id']}/delete", "", "Delete item"))

    def clubs(self):
        self.visited()
        rows = self.db.execute("SELECT * FROM club ORDER BY name").fetchall()
        listed = "".join(f'<li><a href="/clubs/{r["slug"]}">{escape(r["name"])}</a></li>' for r in rows)
        return self.page("Clubs", f'<ul>{listed}</ul><p><a href="/clubs/new">New club</a></p>')

    def new_club(self):
        if self.command == "POST":
            slug = re.sub(r"\W+", "-", self.named("name").lower())
            if self.thing("clubs", slug):
                raise Refused("There is such a club already.")
            self.db.execute(
                "INSERT INTO club VALUES (?, ?, ?, ?)", (slug, *(self.form[k] for k in ("name", "city", "motto")))
            )
            return self.go(f"/clubs/{slug}")
        fields = text("Name", "name", required=True) + text("City", "city") + text("Motto", "motto")
        return self.page("New club", form("/clubs/new", fields, "Create club"))

    def show_club(self, row):
        pairs = "".join(f"<dt>{k}</dt><dd>{escape(row[k.lower()])}</dd>" for k in ("City", "Motto"))
        return self.page(row["name"], f"<dl>{pairs}</dl>{links('/clubs/' + row['slug'])}")

    def edit_club(self, row):
        if self.command == "POST":
            given = (self.form["city"], self.form["motto"], row["slug"])
            self.db.execute("UPDATE club SET city = ?, motto = ? WHERE slug = ?", given)
            return self.go(f"/clubs/{row['slug']}")
        fields = text("City", "city", row["city"]) + text("Motto", "motto", row["motto"])
        return self.page(f"Edit {row['name']}", form(f"/clubs/{row['slug']}/edit", fields, "Save"))

    def delete_club(self, row):
        if self.command == "POST":
            self.db.execute("DELETE FROM club WHERE slug = ?", (row["slug"],))
            return self.go("/clubs")
        return self.page(f"Delete {row['name']}?", form(f"/clubs/{row['slug']}/delete", "", "Delete club"))

    def news(self):
        self.db.execute("UPDATE session SET place = ? WHERE who = ?", (self.place, self.who))
        self.db.execute(
            "INSERT INTO seen VALUES (?, ?, 1) ON CONFLICT (who) DO UPDATE SET at = excluded.at, times = times + 1",
            (self.who, now()),
        )
        return self.page("News", '<p>The hall is closed on Sunday. <a href="/loop">Round and round</a></p>')

    def contact(self):
        if self.command == "POST":
            self.db.execute(
                "INSERT INTO message (sender, subject, body, sent) VALUES (?, ?, ?, ?)",
                (self.who, self.named("subject"), self.form["body"], now()),
            )
            return self.page("Thank you", "<p>We have your message.</p>")
        fields = text("Subject", "subject", required=True) + area("Message", "body")
        return self.page("Contact", form("/contact", fields, "Send message"))

    def settings(self):
        if self.command == "POST":
            given = {
                "theme": self.form["theme"],
                "greeting": self.form["greeting"],
                "digest": self.form.get("digest", "off"),
            }
            for name, value in given.items():
                self.db.execute("UPDATE setting SET value = ? WHERE who = ? AND name = ?", (value, self.who, name))
                if self.stale:
                    MEMORY[self.who, name] = value
            return self.go("/settings")
        ticked = " checked" * (self.setting("digest") == "on")
        box = f"<label><input type=checkbox name=digest{ticked}> Weekly digest</label>"
        fields = select("Theme", "theme", THEMES, self.setting("theme")) + text(
            "Greeting", "greeting", self.setting("greeting")
        )
        return self.page("Settings", form("/settings", fields + box, "Save settings"))

    def password(self):
        if self.command == "POST":
            raise Refused("Passwords are not changed here.")
        fields = "".join(f"<label>{n} password <input type=password name={n}></label>" for n in ("Old", "New"))
        return self.page("Change password", form("/password", fields, "Change password"))

    def search(self):
        wanted = self.query.get("q", "").lower()
        rows = [r for r in self.db.execute("SELECT * FROM item").fetchall() if wanted in r["title"].lower()]
        hits = "".join(f'<li><a href="/items/{r["id"]}">{escape(r["title"])}</a></li>' for r in rows if wanted)
        return self.page("Search", f"<p>Found for {escape(wanted)}:</p><ul>{hits}</ul>")

    def setting(self, name):
        row = self.db.execute("SELECT value FROM setting WHERE who = ? AND name = ?", (self.who, name)).fetchone()
        return MEMORY.get((self.who, name), row["value"])

    def named(self, field):
        if not self.form[field].strip():
            raise Refused(f"The {field} is missing.")
        return self.form[field]

    # Answers

    def page(self, title, body, status=200, bare=False):
        mark = secrets.token_hex(6)
        clock = datetime.fromtimestamp(now(), UTC).strftime("%H:%M:%S.%f")
        self.say(
            status,
            PAGE.format(
                title=escape(title),
                body=body,
                mark=mark,
                clock=clock,
                around="" if bare else around(self.who, GERMAN if self.foreign else ENGLISH),
            ),
        )

    def go(self, place, headers=None):
        self.say(303, "", {"Location": place, **(headers or {})})

    def say(self, status, text, headers=None):
        content = text.encode()
        self.db.commit()  # what was done is there before anybody can look
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def date_time_string(self, timestamp=None):
        return super().date_time_string(now())

    def log_message(self, *parts):
        pass


if sys.argv[1] == "seed":
    seed(sys.argv[2])
else:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[3])), Desk)
    server.data = sys.argv[2]
    server.serve_forever()
