"""Make the project's data: seed.py DATA. Same input, same rows: one seed, and a clock that stands still."""

import os
import random
import sys
from datetime import timedelta

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import clock

clock.install(tick=False)

import content
from trac.env import Environment
from trac.perm import PermissionSystem
from trac.ticket import model
from trac.util.datefmt import datetime_now, to_utimestamp, utc
from trac.web.session import DetachedSession
from trac.wiki.admin import WikiAdmin
from trac.wiki.model import WikiPage

NOW = datetime_now(utc).replace(microsecond=0)
RANDOM = random.Random(7)

OPTIONS = [
    ("project", "name", content.PROJECT[0]),
    ("project", "descr", content.PROJECT[1]),
    ("trac", "database", "sqlite:db/trac.db"),
    ("trac", "default_dateinfo_format", "absolute"),
    ("trac", "show_full_names", "disabled"),
    ("logging", "log_type", "none"),
    ("header_logo", "src", ""),  # the default names a picture that is not there
    ("ticket", "restrict_owner", "enabled"),
    ("ticket", "default_severity", "moderate"),
    ("ticket", "default_component", "Accounts"),
    ("ticket", "default_version", ""),
]


def days(count, hour=9):
    """A moment that many days from the pinned day."""
    return (NOW + timedelta(days=count)).replace(hour=hour, minute=0, second=0)


def make_users(env):
    permissions = PermissionSystem(env)
    for user, name, mail in content.USERS:
        session = DetachedSession(env, user)
        session.authenticated = True
        session.set("name", name)
        session.set("email", mail)
        session.save()
        for right in ["TRAC_ADMIN"] if user == "admin" else content.MEMBER_RIGHTS:
            permissions.grant_permission(user, right)
    # Ordinary rights are given by name; being signed in alone gives none.
    for right in ("WIKI_CREATE", "WIKI_MODIFY", "TICKET_CREATE", "TICKET_MODIFY"):
        permissions.revoke_permission("authenticated", right)


def drop_defaults(env):
    for kind in (model.Component, model.Version, model.Milestone):
        for item in list(kind.select(env)):
            item.delete()


def make_choices(env):
    for name, owner, description in content.COMPONENTS:
        component = model.Component(env)
        component.name, component.owner, component.description = name, owner, description
        component.insert()
    for name, due, completed, description in content.MILESTONES:
        milestone = model.Milestone(env)
        milestone.name, milestone.description = name, description
        milestone.due = days(due, 18) if due is not None else None
        milestone.completed = days(completed, 17) if completed is not None else None
        milestone.insert()
    for name, day, description in content.VERSIONS:
        version = model.Version(env)
        version.name, version.time, version.description = name, days(day), description
        version.insert()
    for name in content.SEVERITIES:
        severity = model.Severity(env)
        severity.name = name
        severity.insert()


def make_tickets(env):
    people = [user for user, _, _ in content.USERS[1:]]
    milestones = [name for name, _, completed, _ in content.MILESTONES if completed is None]
    for number, (summary, component, kind, description) in enumerate(content.TICKETS):
        created = days(-180 + number * 4) + timedelta(minutes=RANDOM.randrange(540))
        ticket = model.Ticket(env)
        ticket["summary"], ticket["component"], ticket["type"] = summary, component, kind
        ticket["description"] = description
        ticket["reporter"] = RANDOM.choice(people)
        ticket["owner"] = RANDOM.choice(people)
        ticket["priority"] = RANDOM.choice(["critical", "major", "major", "minor", "trivial"])
        ticket["severity"] = RANDOM.choice(content.SEVERITIES)
        ticket["milestone"] = RANDOM.choice([*milestones, ""])
        ticket["version"] = RANDOM.choice([name for name, _, _ in content.VERSIONS] + [""])
        ticket["keywords"] = " ".join(RANDOM.sample(content.KEYWORDS, RANDOM.randrange(3)))
        ticket["status"] = "new"
        ticket.insert(when=created)
        follow_up(env, ticket, number, created, people)


def follow_up(env, ticket, number, created, people):
    """Comments and changes of status, a few hours or days later."""
    if number % 4 == 1:
        when = created + timedelta(hours=3 + number % 5)
        ticket.save_changes(RANDOM.choice(people), content.COMMENTS[number // 4 % len(content.COMMENTS)], when)
    steps = {0: [], 1: [], 2: ["assigned"], 3: ["accepted"], 4: ["closed"], 5: [], 6: ["assigned"]}[number % 7]
    if number in (11, 25):
        steps = ["closed", "reopened"]
    for place, status in enumerate(steps, start=1):
        ticket["status"] = status
        ticket["resolution"] = RANDOM.choice(["fixed", "fixed", "wontfix", "duplicate"]) if status == "closed" else ""
        if status == "closed" and place == len(steps) and number % 3 == 0:
            ticket["milestone"] = "Beta feedback"
        ticket.save_changes(ticket["owner"], "", created + timedelta(days=place, hours=1))


def make_pages(env):
    for place, (name, text) in enumerate(content.PAGES.items()):
        page = WikiPage(env, name)
        page.text = text
        page.save(content.USERS[1 + place % 3][0], "First version", t=days(-90 + place * 6, 11))
    start = WikiPage(env, "WikiStart")
    start.text = content.START_PAGE
    start.save("admin", "Our own start page", t=days(-89, 8))


def make_reports(env):
    for title, description, query in content.REPORTS:
        report = model.Report(env)
        report.title, report.description, report.query = title, description, query
        report.insert()


def main(data):
    env = Environment(os.path.join(data, "trac"), create=True, options=OPTIONS)
    with env.db_transaction:
        WikiAdmin(env).load_pages(WikiAdmin(env).default_pages_dir)
        # The manual came with the installation, before anything else was written.
        env.db_transaction("UPDATE wiki SET time = %s", (to_utimestamp(days(-430)),))
        drop_defaults(env)
        make_users(env)
        make_choices(env)
        make_tickets(env)
        make_pages(env)
        make_reports(env)
    env.shutdown()


main(sys.argv[1])
