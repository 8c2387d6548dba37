"""Make the shop's data: seed.py DATA. Same input, same rows: one seed, and a clock that stands still."""

import os
import random
import re
import sys
from datetime import timedelta

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import clock

clock.install(tick=False)

os.environ["SHOP_DATA"] = sys.argv[1]
os.environ["DJANGO_SETTINGS_MODULE"] = "settings"

import django
from django.conf import settings


class NoMigrations:
    """Tables are made as the models stand: the shop has no past to migrate, and replaying one takes ten seconds."""

    def __contains__(self, app):
        return True

    def __getitem__(self, app):
        return None


settings.MIGRATION_MODULES = NoMigrations()
settings.OSCAR_EAGER_ALERTS = False  # nobody waits for stock yet, and every change of it would be looked up
django.setup()

import content
import passwords
from django.contrib.flatpages.models import FlatPage
from django.contrib.sites.models import Site
from django.core.management import call_command
from django.db import transaction
from moments import NOW, at, days
from oscar.apps.partner.strategy import Selector
from oscar.core.loading import get_class, get_model
from stocking import make_catalogue, make_missing_picture, make_types

RANDOM = random.Random(7)
SHORT = re.compile(r",| (?:with|for|of|in|from|on|without|to|and|before) ")
"""Where a title stops naming the ware and starts describing it."""

User = get_model("auth", "User")
Country = get_model("address", "Country")
UserAddress = get_model("address", "UserAddress")
Product = get_model("catalogue", "Product")
Category = get_model("catalogue", "Category")
Range = get_model("offer", "Range")
Order = get_model("order", "Order")


def make_people():
    for number, (user, first, last, street, town, postcode, country) in enumerate(content.PEOPLE):
        signs_in = number < content.SIGN_IN
        person = User(username=user, first_name=first, last_name=last, email=f"{user}@riverbank.example")
        person.is_staff = person.is_superuser = user == "admin"
        person.date_joined = days(-400 + 17 * number, 10, number)
        person.password = passwords.seeded(user) if signs_in else "!"
        person.save()
        own = {"user": person, "first_name": first, "last_name": last, "country_id": country}
        with at(person.date_joined):
            UserAddress.objects.create(
                **own,
                line1=street,
                line4=town,
                postcode=postcode,
                is_default_for_shipping=True,
                is_default_for_billing=True,
            )
        if user in content.SECOND_ADDRESSES:
            line1, line2, town, postcode = content.SECOND_ADDRESSES[user]
            UserAddress.objects.create(**own, line1=line1, line2=line2, line4=town, postcode=postcode)


def make_countries():
    for place, (two, three, number, name) in enumerate(content.COUNTRIES):
        Country.objects.create(
            iso_3166_1_a2=two, iso_3166_1_a3=three, iso_3166_1_numeric=number, printable_name=name, name=name,
            display_order=len(content.COUNTRIES) - place, is_shipping_country=True,
        )  # fmt: skip


def make_partners():
    for name, code, (street, town, postcode) in content.PARTNERS:
        partner = get_model("partner", "Partner").objects.create(name=name, code=code)
        partner.addresses.create(line1=street, line4=town, postcode=postcode, country_id="GB")


def make_ranges():
    for name, description, public, members in content.RANGES:
        made = Range.objects.create(name=name, description=f"<p>{description}</p>", is_public=public)
        for member in members:
            category = next((c for c in Category.objects.all() if c.full_name == member), None)
            if category:
                made.included_categories.add(category)
            else:
                made.add_product(Product.objects.get(title=member))


def make_offer(name, description, priority, range_name, condition, benefit, **more):
    chosen = Range.objects.get(name=range_name)
    return get_model("offer", "ConditionalOffer").objects.create(
        name=name,
        description=description,
        priority=priority,
        condition=get_model("offer", "Condition").objects.create(range=chosen, type=condition[0], value=condition[1]),
        benefit=get_model("offer", "Benefit").objects.create(range=chosen, type=benefit[0], value=benefit[1]),
        **more,
    )


def make_offers():
    for name, description, priority, range_name, condition, benefit, start, end, status in content.OFFERS:
        ends = days(end, 23, 59) if end is not None else None
        make_offer(
            name, f"<p>{description}</p>", priority, range_name, condition, benefit,
            offer_type="Site", status=status, start_datetime=days(start, 0), end_datetime=ends,
        )  # fmt: skip
    voucher_model, set_model = get_model("voucher", "Voucher"), get_model("voucher", "VoucherSet")
    for name, code, usage, range_name, benefit, start, end in content.VOUCHERS:
        times = {"start_datetime": days(start, 0), "end_datetime": days(end, 23, 59)}
        voucher = voucher_model.objects.create(name=name, code=code, usage=usage, **times)
        voucher.offers.add(
            make_offer(f"Offer for voucher “{name}”", "", 0, range_name, ("Count", 1), benefit, offer_type="Voucher")
        )
    for name, description, count, start, end in content.VOUCHER_SETS:
        times = {"start_datetime": days(start, 0), "end_datetime": days(end, 23, 59)}
        offer = make_offer(
            f"Offer of “{name}”", "", 0, "Spring planting", ("Count", 1), ("Percentage", 5), offer_type="Voucher"
        )
        made = set_model.objects.create(name=name, description=description, count=count, code_length=9, **times)
        for place in range(count):
            code = f"FAIR-{RANDOM.randrange(10**4):04d}"
            voucher = made.vouchers.create(name=f"{name} - {place + 1}", code=code, usage="Single use", **times)
            voucher.offers.add(offer)


def make_orders(count=60):
    """Placed through the shop's own order creator, each at its own moment."""
    people = list(User.objects.order_by("pk"))
    wares = list(Product.objects.exclude(structure="parent").filter(stockrecords__num_in_stock__gt=8).order_by("pk"))
    for place in range(count):
        moment = days(-118 + place * 2, 7 + RANDOM.randrange(12), RANDOM.randrange(60))
        with at(moment):
            order = place_order(RANDOM.choice(people), RANDOM.sample(wares, RANDOM.randrange(1, 5)))
        follow_up(order, content.status(place, count), moment, place)


def place_order(person, wares):
    basket = get_model("basket", "Basket").objects.create(owner=person)
    basket.strategy = Selector().strategy(user=person)
    for ware in wares:
        basket.add_product(ware, RANDOM.choice((1, 1, 1, 2, 3)))
    home = UserAddress.objects.filter(user=person).order_by("pk").first()
    shipping, billing = get_model("order", "ShippingAddress")(), get_model("order", "BillingAddress")()
    for address in (shipping, billing):
        home.populate_alternative_model(address)
        address.save()
    method = get_class("shipping.methods", "Free")()
    charge = method.calculate(basket)
    total = get_class("checkout.calculators", "OrderTotalCalculator")().calculate(basket, charge)
    order = get_class("order.utils", "OrderCreator")().place_order(
        basket=basket, total=total, shipping_method=method, shipping_charge=charge, user=person,
        shipping_address=shipping, billing_address=billing,
    )  # fmt: skip
    basket.submit()
    return order


def follow_up(order, status, moment, place):
    """What happened to an order since: its statuses, a note, the day after and the day after that."""
    path = {"Cancelled": ["Cancelled"], "Pending": []}.get(status)
    if path is None:
        path = ["Being processed", "Shipped", "Complete"]
        path = path[: path.index(status) + 1]
    for step, name in enumerate(path, start=1):
        with at(min(moment + timedelta(hours=20 * step), NOW - timedelta(minutes=5))):
            order.set_status(name)
            if name == "Shipped":
                for line in order.lines.all():
                    line.consume_allocation(line.quantity)
            if name == "Cancelled":
                for line in order.lines.all():
                    line.cancel_allocation(line.quantity)
    if place % 6 == 2:
        with at(moment + timedelta(hours=3)):
            text = content.NOTES[place // 6 % len(content.NOTES)]
            order.notes.create(user=User.objects.get(username="admin"), message=text, note_type="Info")


def make_reviews():
    """One in six waits for moderation; nobody reviews a thing twice."""
    people = list(User.objects.exclude(username="admin").order_by("pk"))
    wares = list(Product.objects.exclude(structure="child").order_by("pk"))
    told, titles = set(), set()
    for place in range(42):
        title, body, score = content.REVIEWS[place % len(content.REVIEWS)]
        person, ware = RANDOM.choice(people), RANDOM.choice(wares)
        title = title.format(re.sub(r"^(a|the) ", "", SHORT.split(ware.title)[0].lower()))
        title = title[0].upper() + title[1:]
        if (person.pk, ware.pk) in told or title in titles:
            continue
        told.add((person.pk, ware.pk))
        titles.add(title)
        with at(days(-100 + place * 2, 19, place)):
            ware.reviews.create(user=person, title=title, body=body, score=score, status=0 if place % 6 == 4 else 1)


def make_rest():
    admin, alice = User.objects.get(username="admin"), User.objects.get(username="alice")
    for path, title, text in content.PAGES:
        FlatPage.objects.create(url=path, title=title, content=text).sites.add(Site.objects.get())
    for code, name, category, subject, body in content.MESSAGES:
        get_model("communication", "CommunicationEventType").objects.create(
            code=code, name=name, category=category, email_subject_template=subject, email_body_template=body
        )
    for name, description, weight, bands in content.SHIPPING:
        method = get_model("shipping", "WeightBased").objects.create(
            name=name, description=description, default_weight=weight
        )
        for limit, charge in bands:
            method.bands.create(upper_limit=limit, charge=charge)
    wishes = get_model("wishlists", "WishList")
    for owner, name, key, titles in content.WISHES:
        made = wishes.objects.create(owner=User.objects.get(username=owner), name=name)
        wishes.objects.filter(pk=made.pk).update(key=key)  # one is drawn whenever a list is made
        for title in titles:
            made.add(Product.objects.get(title=title))
    for person in (alice, admin):
        product = Product.objects.get(title="Omelette pan")
        get_model("customer", "ProductAlert").objects.create(product=product, user=person, status="Active")
    for subject, text, ago in content.NOTIFICATIONS:
        with at(days(-ago)):
            get_model("communication", "Notification").objects.create(recipient=admin, subject=subject, body=text)
    for user, titles in content.BASKETS.items():  # the shop makes one at the first visit: then its date would vary
        basket = get_model("basket", "Basket").objects.create(owner=User.objects.get(username=user))
        basket.strategy = Selector().strategy()
        for title in titles:
            basket.add_product(Product.objects.get(title=title))
    alerts = get_model("partner", "StockAlert")
    for record in get_model("partner", "StockRecord").objects.filter(num_in_stock__lt=10).order_by("pk"):
        alerts.objects.get_or_create(stockrecord=record, defaults={"threshold": record.low_stock_threshold})


def main():
    call_command("migrate", verbosity=0, run_syncdb=True)
    with transaction.atomic():
        Site.objects.update(domain="riverbank.example", name=settings.OSCAR_SHOP_NAME)
        with at(days(-420)):
            make_countries()
            make_partners()
            make_types()
            make_people()
        make_catalogue()
        make_missing_picture()
        make_ranges()
        make_offers()
        make_orders()
        make_reviews()
        with at(days(-60)):
            make_rest()


main()
