"""What the desk's pages are made of."""

from html import escape

NAV = (("Items", "/items"), ("Clubs", "/clubs"), ("News", "/news"), ("Contact", "/contact"), ("Settings", "/settings"))
PAGE = """<!doctype html><html lang=en><head><title>{title} - Desk</title><link rel=icon href="data:,"></head><body>
{around}<main id="m-{mark}"><h1>{title}</h1>{body}</main>
<footer><p>Served at {clock} as request {mark}</p></footer></body></html>"""
POWER = "<svg width=16 height=16 aria-hidden=true><circle cx=8 cy=8 r=6 fill=none stroke=black /></svg>"


ENGLISH = ("Signed in as", "Search", "Sign out")
GERMAN = ("Angemeldet:", "Suche", "Abmelden")


def around(who, words):
    greeting, search, out = words
    menu = "".join(f'<li><a href="{to}">{name}</a></li>' for name, to in (("Home", "/"), *NAV))
    query = f"<label>{search} <input type=search name=q></label><button>{search}</button>"
    find = f'<form role=search action="/search">{query}</form>'
    leave = f'<form method=post action="/signout"><button>{out}</button></form><a href="/session/end">{POWER}</a>'
    return f"<nav aria-label=Main><ul>{menu}</ul></nav><p>{greeting} {who}</p>{find}{leave}"


def links(at):
    return f'<p><a href="{at}/edit">Edit</a> <a href="{at}/delete">Delete</a></p>'


def form(to, fields, button, method="post"):
    return f'<form method={method} action="{to}">{fields}<p><button>{button}</button></p></form>'


def text(label, name, value="", required=False):
    return f'<p><label>{label} <input name={name} value="{escape(value)}"{" required" * required}></label></p>'


def area(label, name, value=""):
    return f"<p><label>{label} <textarea name={name}>{escape(value)}</textarea></label></p>"


def select(label, name, options, chosen):
    shown = "".join(f'<option value="{o}"{" selected" * (o == chosen)}>{o or "Any"}</option>' for o in options)
    return f"<p><label>{label} <select name={name}>{shown}</select></label></p>"
