"""The seed's part about wares: types with their attributes, categories, products, stock and pictures."""

import os
from decimal import Decimal

import content
import products
from django.conf import settings
from moments import at, days
from oscar.core.loading import get_model
from PIL import Image, ImageDraw

Product = get_model("catalogue", "Product")
Category = get_model("catalogue", "Category")


def make_types():
    for name, attributes in products.TYPES.items():
        kind = get_model("catalogue", "ProductClass").objects.create(name=name)
        for code, label, form, choices, required in attributes:
            group = None
            if choices:
                group = get_model("catalogue", "AttributeOptionGroup").objects.create(name=f"{name}: {label.lower()}")
                for choice in choices:
                    group.options.create(option=choice)
            kind.attributes.create(code=code, name=label, type=form, required=required, option_group=group)
    for order, (name, form, required, text) in enumerate(content.OPTIONS):
        option = get_model("catalogue", "Option").objects.create(
            name=name, type=form, required=required, help_text=text, order=order
        )
        get_model("catalogue", "ProductClass").objects.get(name="Tool").options.add(option)


def make_catalogue():
    places, number = {}, 0
    for path, (kind, colour, says, lines) in products.CATEGORIES.items():
        above, _, name = path.rpartition(" > ")
        text = {"name": name, "description": f"<p>{says}</p>"}
        places[path] = add_category(Category.objects.get(pk=places[above].pk) if above else None, **text)
        picture = draw(name, colour) if lines else ""
        for line in filter(None, map(str.strip, lines.strip().splitlines())):
            title, price, stock, description, attributes = (part.strip() for part in line.split("|"))
            number += 1
            with at(days(-380 + number * 4, 8, number % 60)):
                product = add_product(number, title, kind, places[path], description, attributes, picture)
                add_stock(product, kind, number, price, int(stock))
    for title, path, price, description, variants in products.FAMILIES:
        kind, colour = products.CATEGORIES[path][:2]
        number += 1
        with at(days(-30 + number % 7, 8)):
            parent = add_product(
                number, title, kind, places[path], description, "", draw(path, colour), structure="parent"
            )
            for place, (attributes, stock) in enumerate(variants):
                child = add_product(
                    number * 100 + place, "", kind, None, "", attributes, "", structure="child", parent=parent
                )
                add_stock(child, kind, number * 100 + place, price, stock)


def add_category(above, **text):
    category = Category(**text)
    return (
        Category.objects.add_child(above, instance=category) if above else Category.objects.add_root(instance=category)
    )


def add_product(number, title, kind, category, description, attributes, picture, structure="standalone", parent=None):
    product = Product(
        title=title,
        upc=f"RB{number:05d}",
        structure=structure,
        parent=parent,
        description=description and f"<p>{description}</p>",
    )
    if parent is None:
        product.product_class = get_model("catalogue", "ProductClass").objects.get(name=kind)
    given = dict(pair.split("=", 1) for pair in split_pairs(attributes))
    known = {code: (form, choices) for code, _, form, choices, _ in products.TYPES[kind]}
    for code, text in given.items():
        setattr(product.attr, code, attribute_value(kind, code, known[code][0], text))
    product.save()
    if category is not None:
        product.categories.add(category)
    if picture:
        product.images.create(original=picture, caption=title)
    return product


def split_pairs(text):
    """``code=value`` pairs of one line; a value may hold spaces."""
    words, pairs = text.split(), []
    for word in words:
        if "=" in word:
            pairs.append(word)
        else:
            pairs[-1] += " " + word
    return pairs


def attribute_value(kind, code, form, text):
    if form == "option":
        attribute = get_model("catalogue", "ProductAttribute").objects.get(product_class__name=kind, code=code)
        return attribute.option_group.options.get(option=text)
    return {"integer": int, "float": float, "boolean": lambda t: t == "yes"}.get(form, str)(text)


def add_stock(product, kind, number, price, stock):
    partner = get_model("partner", "Partner").objects.get(code=content.PARTNERS[content.PARTNER_OF[kind]][1])
    product.stockrecords.create(
        partner=partner, partner_sku=f"{partner.code[:3].upper()}-{1000 + number}", price_currency="GBP",
        price=Decimal(price), num_in_stock=stock, low_stock_threshold=10,
    )  # fmt: skip


def draw(name, colour):
    """One plain picture for a category: its colour, a rim and its initial as blocks."""
    folder = os.path.join(settings.MEDIA_ROOT, "images")
    os.makedirs(folder, exist_ok=True)
    file = name.lower().replace(" > ", "-").replace(" ", "-") + ".png"
    picture = Image.new("P", (300, 300), 0)
    base = tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))
    picture.putpalette([*base, *(min(255, c + 60) for c in base), 255, 255, 255])
    pen = ImageDraw.Draw(picture)
    pen.rectangle((20, 20, 279, 279), outline=1, width=8)
    for place in range(len(name) % 5 + 3):
        pen.ellipse((40 + place * 26, 60 + place * 20, 100 + place * 26, 120 + place * 20), outline=2, width=5)
    picture.save(os.path.join(folder, file), "PNG")
    return f"images/{file}"


def make_missing_picture():
    """The picture that stands for none; the shop would link it itself, from outside the data directory."""
    picture = Image.new("RGB", (300, 300), (225, 225, 225))
    picture.save(os.path.join(settings.MEDIA_ROOT, settings.OSCAR_MISSING_IMAGE_URL), "JPEG")
