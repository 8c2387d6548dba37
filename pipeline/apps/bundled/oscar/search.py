"""A haystack backend that searches the shop's own database: there is no index that could be stale after a reset.

Reads the whole catalogue in five queries for each search, which for some hundred products takes milliseconds.
"""

import operator
import re
from collections import Counter, defaultdict

from haystack.backends import BaseEngine, BaseSearchBackend, BaseSearchQuery, SearchNode, log_query
from haystack.models import SearchResult

_OPERATORS = {"gt": operator.gt, "gte": operator.ge, "lt": operator.lt, "lte": operator.le}
_NARROWED = re.compile(r'"([^"]*)"|\[(\S+) TO (\S+)\]')


def catalogue():
    """What can be found, as one dict for each product that has a place of its own."""
    from oscar.core.loading import get_model

    product_model, stock = get_model("catalogue", "Product"), get_model("partner", "StockRecord")
    categories, prices, stocks = defaultdict(list), defaultdict(list), defaultdict(list)
    for product, category in get_model("catalogue", "ProductCategory").objects.values_list("product", "category"):
        categories[product].append(category)
    parents = dict(product_model.objects.exclude(parent=None).values_list("pk", "parent"))
    rows = stock.objects.order_by("pk").values_list("product", "price", "num_in_stock", "num_allocated")
    for product, price, number, allocated in rows:
        if price is not None:
            prices[parents.get(product, product)].append(float(price))
        if number is not None:
            stocks[product].append(number - (allocated or 0))
    found = product_model.objects.exclude(structure="child").select_related("product_class").order_by("pk")
    return [_document(p, categories[p.pk], min(prices[p.pk], default=None), stocks[p.pk]) for p in found]


def _document(product, categories, price, stocks):
    return {
        "pk": product.pk,
        "text": f"{product.upc or ''}\n{product.title}\n{product.description or ''}".casefold(),
        "title": product.title,
        "title_exact": product.title.casefold(),
        "upc": product.upc,
        "product_class": product.product_class.name,
        "category": categories,
        "price": price,
        "num_in_stock": stocks[0] if stocks else None,
        "rating": None if product.rating is None else int(product.rating),
        "date_created": product.date_created,
        "date_updated": product.date_updated,
        "is_public": product.is_public,
        "structure": product.structure,
    }


def holds(node, document):
    """Whether a document meets a tree of conditions."""
    parts = [_part(child, document) for child in node.children]
    met = any(parts) if node.connector == SearchNode.OR else all(parts)
    return met != node.negated


def _part(child, document):
    if isinstance(child, SearchNode):
        return holds(child, document)
    expression, value = child
    field, _, kind = expression.partition("__")
    value = getattr(value, "query_string", value)
    if field in ("content", "text"):
        return all(word in document["text"] for word in str(value).casefold().replace('"', " ").split())
    shown = document.get(field.removesuffix("_exact") if field != "title_exact" else field)
    if kind == "in":
        return bool({_plain(v) for v in value} & _plains(shown))
    if kind in _OPERATORS:
        return shown is not None and _OPERATORS[kind](shown, value)
    if kind == "startswith":
        return any(v.startswith(_plain(value)) for v in _plains(shown))
    wanted = _plain(value)
    return wanted in _plains(shown) or (field == "title" and wanted in _plain(shown))


def _plain(value):
    return str(value).casefold()


def _plains(shown):
    return {_plain(v) for v in shown} if isinstance(shown, list) else {_plain(shown)}


def narrowed(query, document):
    """Whether a document meets a facet such as ``price:([0 TO 20] OR [20 TO 40])`` or ``product_class:("Book")``."""
    field, _, choices = query.partition(":")
    shown = document.get(field.removesuffix("_exact"))
    for text, low, high in _NARROWED.findall(choices):
        if low:
            inside = shown is not None and (low == "*" or shown >= float(low)) and (high == "*" or shown <= float(high))
            if inside:
                return True
        elif _plain(text) in _plains(shown):
            return True
    return False


class DatabaseBackend(BaseSearchBackend):
    """Answers queries from the database."""

    def update(self, index, iterable, commit=True):
        """Nothing to keep up to date; so are the next two."""

    def remove(self, obj_or_string, commit=True):
        pass

    def clear(self, models=None, commit=True):
        pass

    @log_query
    def search(self, query_string, node=None, **asked):
        found = [d for d in catalogue() if node is None or not node.children or holds(node, d)]
        found = [d for d in found if all(narrowed(q, d) for q in asked.get("narrow_queries") or ())]
        for field in reversed(asked.get("sort_by") or []):
            found = _sorted(found, field)
        words = query_string.casefold().split()
        if not asked.get("sort_by") and words:
            found.sort(key=lambda d: -sum(w in d["title_exact"] for w in words))
        shown = found[asked.get("start_offset") or 0 : asked.get("end_offset")]
        results = _results(shown, asked.get("result_class") or SearchResult)
        return {"results": results, "hits": len(found), "facets": _facets(found, asked)}

    def more_like_this(self, model_instance, additional_query_string=None, result_class=None, **asked):
        return {"results": [], "hits": 0}


def _results(documents, make):
    """Results with their products, which would otherwise be read one by one."""
    from haystack import connections
    from oscar.core.loading import get_model

    index = connections["default"].get_unified_index().get_index(get_model("catalogue", "Product"))
    products = index.read_queryset().in_bulk([d["pk"] for d in documents])
    results = []
    for document in documents:
        result = make("catalogue", "product", document["pk"], 0, **{k: v for k, v in document.items() if k != "pk"})
        result.object = products.get(document["pk"])
        results.append(result)
    return results


def _sorted(documents, field):
    """By one field, stably; what has no value comes last either way."""
    name, down = field.lstrip("-"), field.startswith("-")
    valued = [d for d in documents if d.get(name) is not None]
    rest = [d for d in documents if d.get(name) is None]
    return sorted(valued, key=lambda d: d[name], reverse=down) + rest


def _facets(found, asked):
    fields = {}
    for name in asked.get("facets") or {}:
        count = Counter(v for d in found for v in _values(d.get(name.removesuffix("_exact"))))
        fields[name] = sorted(count.items(), key=lambda item: str(item[0]))
    queries = {}
    for name, query in asked.get("query_facets") or ():
        field = name.removesuffix("_exact")
        queries[f"{field}:{query}"] = sum(narrowed(f"{field}:({query})", d) for d in found)
    return {"fields": fields, "queries": queries, "dates": {}}


def _values(shown):
    return [] if shown is None else shown if isinstance(shown, list) else [shown]


class DatabaseQuery(BaseSearchQuery):
    """Hands the conditions on as they are; the text serves for ranking only."""

    def build_query(self):
        return " ".join(self._words(self.query_filter))

    def _words(self, node):
        for child in node.children:
            if isinstance(child, SearchNode):
                yield from self._words(child)
            elif child[0].partition("__")[0] == "content":
                yield str(getattr(child[1], "query_string", child[1]))

    def build_query_fragment(self, field, filter_type, value):
        return f"{field}:{value}"

    def build_params(self, *args, **kwargs):
        return {**super().build_params(*args, **kwargs), "node": self.query_filter}


class DatabaseEngine(BaseEngine):
    backend = DatabaseBackend
    query = DatabaseQuery
