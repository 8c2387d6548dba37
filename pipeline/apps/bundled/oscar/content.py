"""What else the shop holds: people, orders, offers, pages. Plausible, varied, and no two of a kind with one name."""

# user, first name, last name, street, town, postcode, country; the first four sign in
PEOPLE = [
    ("admin", "Ingrid", "Solberg", "3 Quay House", "Whitby", "YO21 3PU", "GB"),
    ("alice", "Alice", "Moreau", "17 Orchard Lane", "Ludlow", "SY8 1AA", "GB"),
    ("bob", "Bob", "Okafor", "92 Canal Street", "Leeds", "LS1 4BR", "GB"),
    ("carol", "Carol", "Lindqvist", "5 Station Road", "Hexham", "NE46 1EZ", "GB"),
    ("dmitri", "Dmitri", "Petrov", "41 Harbour View", "Falmouth", "TR11 3AX", "GB"),
    ("elena", "Elena", "Fischer", "Lindenweg 8", "Bremen", "28195", "DE"),
    ("farid", "Farid", "Haddad", "260 Mill Road", "Cambridge", "CB1 3NF", "GB"),
    ("grace", "Grace", "Tanaka", "11 Castle Terrace", "Edinburgh", "EH1 2DP", "GB"),
    ("henry", "Henry", "Whitlock", "The Old Forge", "Totnes", "TQ9 5DR", "GB"),
    ("isabel", "Isabel", "Cortez", "Calle Mayor 24", "Valencia", "46002", "ES"),
    ("jack", "Jack", "Ferguson", "7 Loch Street", "Oban", "PA34 4AY", "GB"),
    ("karin", "Karin", "Nilsen", "Strandgata 12", "Bergen", "5004", "NO"),
]
SIGN_IN = 4

COUNTRIES = [
    ("GB", "GBR", "826", "United Kingdom"),
    ("DE", "DEU", "276", "Germany"),
    ("ES", "ESP", "724", "Spain"),
    ("FR", "FRA", "250", "France"),
    ("IE", "IRL", "372", "Ireland"),
    ("NO", "NOR", "578", "Norway"),
]

SECOND_ADDRESSES = {
    "admin": ("Riverbank Supplies", "Unit 4, Old Mill", "Whitby", "YO22 4AB"),
    "alice": ("Moreau & Sons", "2 Market Place", "Ludlow", "SY8 1BS"),
    "bob": ("Office", "8 Park Row", "Leeds", "LS1 5HD"),
}

# name, code, address
PARTNERS = [
    ("Hexham Ironworks", "hexham-ironworks", ("14 Forge Lane", "Hexham", "NE46 3PJ")),
    ("Northern Paper Mill", "northern-paper-mill", ("1 Weir Street", "Kendal", "LA9 4HE")),
    ("Valley Potteries", "valley-potteries", ("33 Kiln Road", "Stoke-on-Trent", "ST1 3EJ")),
]

PARTNER_OF = {"Book": 1, "Seeds": 1, "Housewares": 2, "Tool": 0, "Clothing": 0}

# name, description, public, titles or categories
RANGES = [
    ("Spring planting", "Everything for the first warm weekend.", True, ["Garden > Seeds", "Garden > Watering"]),
    ("Baker's choice", "What our baker would take along.", True, ["Kitchen > Baking", "Bread from four things"]),
    ("Gifts under twenty pounds", "Small and welcome.", True, ["Butter dish", "Rain gauge", "The jam notebook", "Tin with a hinged lid", "Thick socks"]),
    ("Reading corner", "A lamp, a throw and something to read.", False, ["Reading lamp with clamp", "Herringbone throw", "Roses without fuss", "Mending visibly"]),
    ("Sharp things", "Sent only to grown-ups.", False, ["Pruning knife", "Tenon saw", "Block plane", "Bevel edged chisel", "Spoke shave"]),
]  # fmt: skip

# name, description, priority, range, condition (type, value), benefit (type, value), start and end in days, status
OFFERS = [
    ("Three seeds for two", "Take three packets and pay for two.", 10, "Spring planting", ("Count", 3), ("Multibuy", None), -20, 60, "Open"),
    ("Baker's tenth", "Ten per cent off two things for baking.", 8, "Baker's choice", ("Count", 2), ("Percentage", 10), -5, 25, "Open"),
    ("Five pounds off fifty", "Spend fifty pounds on tools that cut.", 5, "Sharp things", ("Value", 50), ("Absolute", 5), -60, None, "Open"),
    ("Cosy evenings", "A quarter off the reading corner.", 3, "Reading corner", ("Count", 1), ("Percentage", 25), -90, -10, "Open"),
    ("Gift week", "Fixed price for two small gifts.", 1, "Gifts under twenty pounds", ("Count", 2), ("Fixed price", 20), 14, 21, "Suspended"),
]  # fmt: skip

# name, code, usage, range, benefit, start and end in days
VOUCHERS = [
    ("Welcome voucher", "WELCOME10", "Once per customer", "Gifts under twenty pounds", ("Percentage", 10), -200, 165),
    ("Allotment club", "ALLOTMENT", "Multi-use", "Spring planting", ("Percentage", 15), -30, 90),
    ("Sorry for the delay", "SORRY5", "Single use", "Baker's choice", ("Absolute", 5), -15, 45),
    ("Winter reading", "WINTERREAD", "Multi-use", "Reading corner", ("Percentage", 20), -120, -25),
    ("Toolmaker's thanks", "THANKS2026", "Once per customer", "Sharp things", ("Absolute", 8), 10, 40),
]

# name, description, how many, start and end in days
VOUCHER_SETS = [
    ("County fair leaflets", "Handed out at the stall.", 5, -10, 30),
    ("Newspaper coupons", "Printed in the Saturday paper.", 4, -3, 45),
    ("Thank-you cards", "Put into parcels that came late.", 3, -40, 120),
]

# path, title, text
PAGES = [
    ("/about/", "About us", "<p>We are five people and a van. Everything we sell we use ourselves.</p>"),
    ("/delivery/", "Delivery", "<p>Parcels leave on weekdays before four. Large tools travel by carrier.</p>"),
    (
        "/returns/",
        "Returns and repairs",
        "<p>Send it back within sixty days. We repair tools for as long as they last.</p>",
    ),
    ("/care/", "Looking after cast iron", "<p>No soap, a little oil, and dry it on the stove.</p>"),
    ("/jobs/", "Work with us", "<p>We look for somebody for Saturdays who knows seeds.</p>"),
]

# code, name, category, subject, text
MESSAGES = [
    ("ORDER_PLACED", "Order confirmation", "Order related", "Your order {{ order.number }}", "Thank you. We pack it today."),
    ("ORDER_SHIPPED", "Parcel on its way", "Order related", "Order {{ order.number }} has left us", "It should arrive within three days."),
    ("REGISTRATION", "Welcome letter", "User related", "Welcome to Riverbank Supplies", "Good to have you here."),
    ("PASSWORD_CHANGED", "Password was changed", "User related", "Your password was changed", "If this was not you, tell us at once."),
]  # fmt: skip

OPTIONS = [
    ("Engraving", "text", False, "Up to twenty letters on the handle"),
    ("Gift wrapping", "boolean", False, "Brown paper and twine"),
    ("Sharpening before delivery", "boolean", False, "Adds a day"),
]

# subject, text, days ago
NOTIFICATIONS = [
    ("Stock count on Friday", "Please count the seeds first.", 4),
    ("New carrier from April", "The old labels are no longer taken.", 9),
    ("Ironworks closed for a week", "Spades and forks will be late.", 16),
    ("Photographs wanted", "The spring catalogue needs five more.", 23),
]

# name, description, default weight, bands as (upper limit, charge)
SHIPPING = [
    ("Parcel post", "Two to four days", "1.5", [("1", "3.50"), ("5", "5.95"), ("20", "9.80")]),
    ("Carrier", "For long and heavy things", "10", [("15", "14.00"), ("60", "32.00")]),
]

# title with the short name of the ware, text, score
REVIEWS = [
    ("{0}: does what it says", "Bought it in spring and used it every week since. No complaints.", 5),
    ("A solid {0}", "Heavier than it looks in the picture, which I like.", 4),
    ("Smaller {0} than I thought", "Measure before you order. Otherwise good quality.", 3),
    ("This {0} was a welcome present", "My brother has not put it down yet.", 5),
    ("Scratch on the {0}", "The shop replaced it without asking questions.", 4),
    ("{0} not for left-handed people", "It is plainly made for the right hand.", 2),
    ("My second {0}", "The first went to my daughter when she moved out.", 5),
    ("Fine {0} but dear", "You can find it for less, though not this well made.", 3),
    ("{0} broke after a month", "A rivet came loose. I am waiting for the repair.", 1),
    ("Better {0} than my old one", "I wish I had changed ten years ago.", 5),
    ("Good colour, this {0}", "Darker than on the screen, and nicer.", 4),
    ("{0} without instructions", "Easy enough to work out, but a leaflet would help.", 3),
]

NOTES = [
    "Customer asked for delivery after five o'clock.",
    "Gift: leave the invoice out of the parcel.",
    "Called about the address; it is correct.",
    "One item was out of stock for two days.",
    "Please add the spring leaflet.",
]

# owner, name, key in its address, titles
WISHES = [
    ("alice", "For the new house", "h7x2qd", ["Butter dish", "Log basket", "Peg rail with five hooks"]),
    ("admin", "Staff picks", "s9k4tw", ["Storm lantern", "Whittling spoons"]),
]


# what lies in the baskets of those who sign in
BASKETS = {
    "admin": ["Carafe with cork ball", "Carrot Early Nantes", "Mallet"],
    "alice": ["Loaf tin, two pounds", "Rain gauge"],
    "bob": ["Mallet"],
    "carol": [],
}


def status(place, orders):
    """What has become of an order: old ones are done, new ones wait."""
    if place % 13 == 5:
        return "Cancelled"
    share = place / orders
    return (
        "Complete" if share < 0.55 else "Shipped" if share < 0.7 else "Being processed" if share < 0.85 else "Pending"
    )
