"""Make the forum's data: seed.py DATA. Same input, same rows: one seed, and a clock that is moved by hand."""

import json
import os
import random
import sys
from datetime import timedelta

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import clock

CLOCK = clock.install(tick=False)

import content
import django

DATA = sys.argv[1]
os.environ.update(FORUM_DATA=DATA, DJANGO_SETTINGS_MODULE="settings")
django.setup()

from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone
from spirit.admin.forms import BasicConfigForm
from spirit.category.models import Category
from spirit.comment.bookmark.models import CommentBookmark
from spirit.comment.flag.models import CommentFlag, Flag
from spirit.comment.forms import CommentForm
from spirit.comment.like.models import CommentLike
from spirit.comment.models import Comment
from spirit.comment.poll.models import CommentPoll, CommentPollChoice, CommentPollVote
from spirit.comment.utils import comment_posted
from spirit.topic.models import Topic
from spirit.topic.notification.models import TopicNotification
from spirit.topic.private.models import TopicPrivate
from spirit.topic.unread.models import TopicUnread

NOW = timezone.now().replace(microsecond=0)
RANDOM = random.Random(7)
User = get_user_model()
COMMENTS = 200
"""In public topics, polls and mentions included."""


def days(count, hour=9, minute=0):
    """A moment that many days from the pinned day."""
    return (NOW + timedelta(days=count)).replace(hour=hour, minute=minute, second=0)


def make_users():
    with open(os.environ["TASKSIEVE_PASSWORDS"], encoding="utf-8") as file:
        passwords = json.load(file)
    for number, (name, first, last, place) in enumerate(content.USERS + content.MEMBERS):
        CLOCK.move(days(-400 + 9 * number))
        user = User(username=name, first_name=first, last_name=last, email=f"{name}@millbrook.example")
        user.is_superuser = user.is_staff = name == "admin"
        user.set_password(passwords.get(name))  # None: this one cannot sign in
        user.save()
        user.st.location, user.st.is_verified, user.st.last_ip = place, True, "127.0.0.1"
        user.st.is_moderator = name == "alice"
        user.st.save()


def make_categories():
    CLOCK.move(days(-390))
    Category.objects.exclude(is_private=True).delete()
    for place, (title, description, colour, parent) in enumerate(content.CATEGORIES, start=1):
        above = Category.objects.get(title=parent) if parent else None
        Category.objects.create(title=title, description=description, color=colour, parent=above, sort=place)


def say(user, topic, text):
    """A comment as the forum itself makes it: marked up, counted, and told to those who follow."""
    form = CommentForm(user=user, topic=topic, data={"comment": text})
    assert form.is_valid(), form.errors
    comment = form.save()
    comment_posted(comment=comment, mentions=form.mentions)
    return comment


def look(user, topic):
    """A visit that leaves what a visit leaves."""
    TopicUnread.create_or_mark_as_read(user=user, topic=topic)
    TopicNotification.mark_as_read(user=user, topic=topic)
    seen = Comment.objects.filter(topic=topic).count()
    CommentBookmark.increase_or_create(user=user, topic=topic, comment_number=seen)


def plan():
    """What is said in public: (moment, topic's title, user's name, text), in the order of time."""
    names = [row[0] for row in content.USERS + content.MEMBERS]
    said = []
    for place, (_, title, text, answers) in enumerate(content.TOPICS):
        opened = days(-170 + (place * 37 % 60) * 2.7, 8 + place % 11, place * 7 % 60)
        author = "admin" if title in content.CLOSED[:2] + content.PINNED else RANDOM.choice(names)
        others = [name for name in names if name != author]
        said.append((opened, title, author, text))
        for number, answer in enumerate(answers, start=1):
            said.append((opened + timedelta(hours=5 * number, minutes=13), title, RANDOM.choice(others), answer))
    said += [(days(-3, 12, 5 * n), title, who, text) for n, (title, who, text) in enumerate(content.MENTIONS)]
    said += [(days(-5, 10, 7 * n), poll[0], "admin", written(n, poll)) for n, poll in enumerate(content.POLLS)]
    titles = [title for _, title, _, _ in content.TOPICS if title not in content.CLOSED]
    opened = {title: moment for moment, title, _, _ in reversed(said)}
    for number in range(COMMENTS - len(said)):
        title = RANDOM.choice(titles)
        hours = RANDOM.randrange(20, max(21, int((NOW - opened[title]).total_seconds() // 3600)))
        moment = opened[title] + timedelta(hours=hours, minutes=number % 60)
        said.append((moment, title, RANDOM.choice(names), content.REPLIES[number % len(content.REPLIES)]))
    return sorted(said)


def written(number, poll):
    """A poll as it is written into a comment."""
    _, mode, title, choices, _ = poll
    lines = "".join(f"{place}. {choice}\n" for place, choice in enumerate(choices, start=1))
    return f"Please vote.\n\n[poll name=poll{number} mode={mode}]\n# {title}\n{lines}[/poll]"


def make_topics(users):
    place_of = {title: category for category, title, _, _ in content.TOPICS}
    topics = {}
    for moment, title, name, text in plan():
        CLOCK.move(moment)
        if title not in topics:
            category = Category.objects.get(title=place_of[title])
            topics[title] = Topic.objects.create(user=users[name], category=category, title=title)
            say(users[name], topics[title], text)
            for user, *_ in content.USERS:  # all have been there once, so that warming adds no rows
                look(users[user], topics[title])
        else:
            say(users[name], topics[title], text)
            for user in RANDOM.sample([row[0] for row in content.USERS], 2):
                look(users[user], topics[title])
    for title, topic in topics.items():
        Topic.objects.filter(pk=topic.pk).update(
            view_count=20 + RANDOM.randrange(180),
            is_pinned=title in content.PINNED,
            is_globally_pinned=title in content.PINNED_EVERYWHERE,
            is_closed=title in content.CLOSED,
        )
    return topics


def make_votes(users):
    CLOCK.move(days(-2, 18))
    for number, (_, _, _, _, voters) in enumerate(content.POLLS):
        poll = CommentPoll.objects.get(name=f"poll{number}")
        for place, names in voters.items():
            choice = CommentPollChoice.objects.get(poll=poll, number=place)
            for name in names:
                CommentPollVote.objects.create(voter=users[name], choice=choice)
            CommentPollChoice.objects.filter(pk=choice.pk).update(vote_count=len(names))


def make_likes(users, topics):
    CLOCK.move(days(-2, 19))
    comments = list(Comment.objects.filter(topic__in=topics.values()).order_by("pk"))
    for comment in RANDOM.sample(comments, 70):
        for user in RANDOM.sample(list(users.values()), RANDOM.randrange(1, 4)):
            if user.pk != comment.user_id:
                CommentLike.objects.create(user=user, comment=comment)
                comment.increase_likes_count()


def make_flags(users, topics):
    for number, (title, reason, words, name, closed) in enumerate(content.FLAGS):
        CLOCK.move(days(-9 + number, 17))
        comment = Comment.objects.filter(topic=topics[title]).order_by("pk").first()
        moderator = users["admin"] if closed else None
        CommentFlag.objects.create(comment=comment, is_closed=closed, moderator=moderator)
        Flag.objects.create(user=users[name], comment=comment, reason=reason, body=words)


def make_private_topics(users):
    category = Category.objects.get(is_private=True)
    for number, (author, title, others, comments) in enumerate(content.PRIVATE):
        CLOCK.move(days(-30 + number * 4, 20))
        topic = Topic.objects.create(user=users[author], category=category, title=title)
        members = [author, *others]
        TopicPrivate.objects.bulk_create([TopicPrivate(user=users[name], topic=topic) for name in members])
        for place, (name, text) in enumerate(comments):
            CLOCK.move(days(-30 + number * 4, 20, 9 * place))
            comment = say(users[name], topic, text)
            if place == 0:
                TopicNotification.bulk_create(users=[users[name] for name in others], comment=comment)
        for name in members[:-1]:
            look(users[name], topic)


def make_profiles_recent():
    """Seen just now, so that the first page of a run writes nothing."""
    CLOCK.move(NOW)
    for user in User.objects.order_by("pk"):
        user.st.save()


def main():
    call_command("migrate", verbosity=0)
    os.makedirs(os.path.join(DATA, "media"), exist_ok=True)
    with transaction.atomic():
        make_users()
        make_categories()
        config = {"site_name": content.SITE[0], "site_description": content.SITE[1]}
        form = BasicConfigForm(data=config | {"comments_per_page": 20, "topics_per_page": 20})
        assert form.is_valid(), form.errors
        form.save()
        users = {user.username: user for user in User.objects.all()}
        topics = make_topics(users)
        make_votes(users)
        make_likes(users, topics)
        make_flags(users, topics)
        make_private_topics(users)
        make_profiles_recent()


main()
