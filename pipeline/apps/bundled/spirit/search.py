"""A search backend that reads the forum's own database: nothing to index, and nothing to reset beside the rows.

A topic is found when every word stands in its title or in one of its comments.
"""

from django.db.models import Exists, OuterRef, Q
from haystack import connections
from haystack.backends import BaseEngine, BaseSearchBackend, BaseSearchQuery, SearchNode
from haystack.models import SearchResult


def wanted(node):
    """Field and value of each condition below a node of a query."""
    for child in node.children:
        if isinstance(child, SearchNode):
            yield from wanted(child)
        else:
            yield child[0].split("__")[0], child[1]


class DatabaseQuery(BaseSearchQuery):
    """Hands its conditions to the backend as they are."""

    def build_query(self):
        return list(wanted(self.query_filter))


class DatabaseBackend(BaseSearchBackend):
    """Topics by words and category; those last written in come first."""

    def search(self, conditions, start_offset=0, end_offset=None, **others):
        from spirit.topic.models import Topic

        index = connections[self.connection_alias].get_unified_index().get_index(Topic)
        found = index.index_queryset().order_by("-last_active", "-pk")
        for field, value in conditions:
            found = self.narrow(found, field, value)
        results = [self.result(index, topic) for topic in found[start_offset or 0 : end_offset]]
        return {"results": results, "hits": found.count()}

    def narrow(self, topics, field, value):
        from spirit.comment.models import Comment

        if field == "is_removed":
            return topics.exclude(Q(is_removed=True) | Q(category__is_removed=True) | Q(category__parent__is_removed=True))
        if field == "category_id":
            return topics.filter(category_id__in=list(value))
        if field != "content":
            return topics
        for word in str(value.query_string).replace('"', " ").split():
            said = Comment.objects.filter(topic=OuterRef("pk"), comment__icontains=word)
            topics = topics.filter(Q(title__icontains=word) | Exists(said))
        return topics

    def result(self, index, topic):
        names = ("title", "slug", "comment_count", "last_active")
        shown = {name: getattr(topic, name) for name in names}
        shown["main_category_name"] = index.prepare_main_category_name(topic)
        return SearchResult("spirit_topic", "topic", topic.pk, 0, **shown)


class DatabaseEngine(BaseEngine):
    """What the settings name."""

    backend = DatabaseBackend
    query = DatabaseQuery
