"""The catalogue: plausible, varied, no two products with the same title.

One product a line: title | price | stock | description | attributes as code=value, by category.
"""

# class: attributes as (code, name, type, choices, required)
TYPES = {
    "Book": [
        ("author", "Author", "text", (), True),
        ("pages", "Number of pages", "integer", (), False),
        ("binding", "Binding", "option", ("Hardback", "Paperback", "Spiral"), False),
    ],
    "Housewares": [
        (
            "material",
            "Material",
            "option",
            ("Ash", "Beech", "Cast iron", "Glass", "Linen", "Steel", "Stoneware"),
            False,
        ),
        ("dishwasher", "Dishwasher safe", "boolean", (), False),
        ("capacity", "Capacity in litres", "float", (), False),
    ],
    "Tool": [
        ("length", "Length in centimetres", "integer", (), False),
        ("handle", "Handle", "option", ("Ash", "Beech", "Rubber", "Steel"), False),
        ("guarantee", "Guarantee in years", "integer", (), False),
    ],
    "Clothing": [
        ("size", "Size", "option", ("Small", "Medium", "Large"), False),
        ("colour", "Colour", "option", ("Charcoal", "Moss", "Navy", "Rust", "Sand"), False),
    ],
    "Seeds": [
        ("sow", "Sow from", "text", (), False),
        ("height", "Height in centimetres", "integer", (), False),
    ],
}

# category path: (class, colour of its picture, what it says, products)
CATEGORIES = {
    "Kitchen": ("Housewares", "#5b6f8a", "For people who cook every day.", ""),
    "Kitchen > Pots and pans": (
        "Housewares",
        "#4a4f57",
        "Heavy bottoms and tight lids.",
        """
        Cast iron casserole | 64.00 | 14 | Keeps a stew hot until everyone has come home. | material=Cast iron dishwasher=no capacity=4.2
        Milk pan with two lips | 18.50 | 33 | Pours to the left and to the right. | material=Steel dishwasher=yes capacity=1.1
        Copper bottomed saucepan | 47.00 | 9 | Heats evenly and cools quickly. | material=Steel dishwasher=no capacity=2.0
        Griddle with folding handle | 39.90 | 21 | Fits a narrow drawer. | material=Cast iron dishwasher=no
        Steamer basket | 12.75 | 48 | Opens like a flower. | material=Steel dishwasher=yes
        Stockpot for twelve | 58.00 | 6 | For broth, jam and large families. | material=Steel dishwasher=yes capacity=11.5
        Omelette pan | 27.40 | 0 | Low rim, long handle. | material=Steel dishwasher=no
        """,
    ),
    "Kitchen > Tableware": (
        "Housewares",
        "#8a6f5b",
        "Plates, bowls and glasses that go together.",
        """
        Speckled dinner plate | 11.20 | 120 | Twenty-seven centimetres across. | material=Stoneware dishwasher=yes
        Speckled soup bowl | 9.80 | 96 | Deep enough for seconds. | material=Stoneware dishwasher=yes capacity=0.6
        Ash salad servers | 14.00 | 27 | Oiled by hand. | material=Ash dishwasher=no
        Tumbler with thick base | 5.60 | 150 | Stacks without sticking. | material=Glass dishwasher=yes capacity=0.3
        Carafe with cork ball | 22.30 | 18 | The cork floats while you pour. | material=Glass dishwasher=no capacity=1.0
        Butter dish | 16.90 | 24 | The lid is a second plate. | material=Stoneware dishwasher=yes
        Egg cups, set of four | 13.50 | 31 | In four greys. | material=Stoneware dishwasher=yes
        Linen napkins, set of six | 32.00 | 22 | Softer with every wash. | material=Linen
        """,
    ),
    "Kitchen > Baking": (
        "Housewares",
        "#b08968",
        "Tins, bowls and things that measure.",
        """
        Loaf tin, two pounds | 10.40 | 40 | Rounded corners that come clean. | material=Steel dishwasher=no capacity=1.5
        Proving basket | 19.00 | 16 | Leaves rings on the crust. | material=Ash
        Rolling pin without handles | 15.20 | 29 | Tapered at both ends. | material=Beech dishwasher=no
        Mixing bowl with spout | 23.80 | 35 | Sits at an angle on its rubber ring. | material=Stoneware dishwasher=yes capacity=3.0
        Flour sieve | 8.90 | 44 | With a crank that children like. | material=Steel
        Measuring jug | 7.30 | 62 | Pints on one side, litres on the other. | material=Glass dishwasher=yes capacity=1.0
        Pastry brush | 4.95 | 71 | Natural bristles. | material=Beech
        """,
    ),
    "Garden": ("Tool", "#5b8a5f", "For beds, borders and balconies.", ""),
    "Garden > Hand tools": (
        "Tool",
        "#3f6b4a",
        "Forged tools with handles that can be replaced.",
        """
        Border spade | 54.00 | 12 | Narrow enough to work between roses. | length=98 handle=Ash guarantee=25
        Digging fork | 57.50 | 11 | Four square tines. | length=102 handle=Ash guarantee=25
        Onion hoe | 29.00 | 19 | Swan-necked, for weeding on your knees. | length=40 handle=Beech guarantee=10
        Bulb planter | 24.60 | 26 | Twists out a neat plug of turf. | length=32 handle=Beech guarantee=10
        Pruning knife | 34.80 | 15 | A curved blade that folds away. | length=19 handle=Beech guarantee=10
        Bypass secateurs | 41.00 | 23 | Spare springs are in the box. | length=21 handle=Rubber guarantee=5
        Dandelion weeder | 13.20 | 38 | Takes the root with it. | length=36 handle=Ash guarantee=10
        Leaf rake | 31.40 | 17 | Springy tines that do not scratch. | length=165 handle=Ash guarantee=5
        """,
    ),
    "Garden > Watering": (
        "Tool",
        "#4d7f99",
        "Cans, hoses and barrels.",
        """
        Long reach watering can | 36.00 | 20 | Reaches the back of the border. | length=78 handle=Steel guarantee=5
        Indoor watering can | 17.25 | 34 | A thin spout for pots. | length=31 handle=Steel guarantee=5
        Brass hose nozzle | 14.90 | 45 | From mist to jet in one turn. | length=12 handle=Rubber guarantee=10
        Soaker hose | 21.60 | 28 | Waters slowly while you sleep. | length=1500 guarantee=3
        Rain gauge | 9.10 | 52 | Can be read from the kitchen window. | length=28 guarantee=2
        """,
    ),
    "Garden > Seeds": (
        "Seeds",
        "#86a35a",
        "Open pollinated, packed in paper.",
        """
        Broad bean Aquadulce | 3.20 | 210 | Sow in autumn for the first beans of the year. | sow=October height=100
        Carrot Early Nantes | 2.40 | 260 | Sweet, blunt roots. | sow=March height=30
        Beetroot Detroit | 2.30 | 190 | Deep red to the middle. | sow=April height=35
        Climbing pea Alderman | 3.00 | 140 | Needs tall sticks. | sow=March height=170
        Lettuce Winter Density | 2.20 | 175 | Stands light frost. | sow=August height=20
        Sunflower Russian Giant | 2.80 | 160 | Taller than the fence. | sow=April height=250
        Sweet pea Matucana | 3.40 | 0 | The strongest scent of all. | sow=February height=180
        Nasturtium Empress | 2.50 | 130 | Leaves for salads, flowers for the eye. | sow=April height=30
        """,
    ),
    "Books": ("Book", "#7a5b8a", "Read before you dig, saw or knead.", ""),
    "Books > Gardening books": (
        "Book",
        "#64487a",
        "From first spade to last frost.",
        """
        The patient gardener | 18.99 | 25 | A year of waiting for the right moment. | author=Helen Ashcroft pages=312 binding=Hardback
        Hedges and how to lay them | 24.50 | 13 | With drawings of every cut. | author=Tom Wetherby pages=198 binding=Hardback
        A pocket guide to compost | 7.99 | 60 | Fits the shed door. | author=Priya Nair pages=96 binding=Paperback
        Vegetables in small places | 14.95 | 37 | Balconies, steps and window sills. | author=Jonas Lindgren pages=224 binding=Paperback
        Roses without fuss | 16.20 | 29 | Forty that look after themselves. | author=Marguerite Dubois pages=176 binding=Hardback
        The weeds we eat | 12.40 | 18 | Recipes for what grows anyway. | author=Owen Price pages=148 binding=Paperback
        """,
    ),
    "Books > Cookery books": (
        "Book",
        "#8a5b75",
        "Tried in a small kitchen, twice.",
        """
        Bread from four things | 19.50 | 32 | Flour, water, salt and time. | author=Anna Kowalska pages=208 binding=Hardback
        Soups for a long winter | 15.75 | 41 | One for every week from October. | author=Rufus Hale pages=164 binding=Paperback
        The jam notebook | 11.00 | 27 | Room for your own notes. | author=Edith Marlow pages=120 binding=Spiral
        Cooking on one ring | 13.60 | 22 | For boats, tents and first flats. | author=Kemal Aydin pages=186 binding=Paperback
        A year of puddings | 21.80 | 16 | Steamed, baked and chilled. | author=Edith Marlow pages=256 binding=Hardback
        """,
    ),
    "Books > Crafts": (
        "Book",
        "#a0705b",
        "Making and mending by hand.",
        """
        Mending visibly | 17.30 | 19 | Darning as decoration. | author=Yuki Tanabe pages=152 binding=Paperback
        Whittling spoons | 12.90 | 24 | From branch to ladle in an afternoon. | author=Tom Wetherby pages=112 binding=Paperback
        Baskets from the hedge | 20.40 | 8 | Willow, hazel and bramble. | author=Siobhan Keane pages=168 binding=Hardback
        The binder's bench | 26.00 | 7 | Ten bindings, step by step. | author=Carlo Benedetti pages=232 binding=Hardback
        """,
    ),
    "Workshop": ("Tool", "#8a845b", "Sharp, square and made to last.", ""),
    "Workshop > Woodworking": (
        "Tool",
        "#77683f",
        "For boards and branches.",
        """
        Tenon saw | 44.50 | 10 | Fourteen teeth to the inch. | length=38 handle=Beech guarantee=15
        Block plane | 62.00 | 9 | Trims end grain cleanly. | length=16 handle=Steel guarantee=15
        Bevel edged chisel | 22.70 | 30 | Eighteen millimetres wide. | length=27 handle=Ash guarantee=15
        Marking gauge | 19.40 | 20 | With a brass face that does not wear. | length=21 handle=Beech guarantee=10
        Try square | 26.30 | 18 | Checked against a better one. | length=23 handle=Beech guarantee=10
        Spoke shave | 38.20 | 12 | For chair legs and oars. | length=25 handle=Beech guarantee=15
        Mallet | 21.10 | 25 | A head that stays on. | length=33 handle=Ash guarantee=5
        """,
    ),
    "Workshop > Repairs": (
        "Tool",
        "#6b5f4f",
        "For bicycles, chairs and gutters.",
        """
        Adjustable spanner | 23.90 | 28 | Opens to thirty millimetres. | length=25 handle=Steel guarantee=10
        Screwdriver with six bits | 16.40 | 47 | The bits live in the handle. | length=20 handle=Rubber guarantee=5
        Wire brush | 6.80 | 64 | For rust and old paint. | length=29 handle=Beech guarantee=1
        Folding rule | 11.70 | 39 | Two metres of box wood. | length=200 guarantee=2
        Oil can with long nose | 12.60 | 21 | One drop at a time. | length=18 handle=Steel guarantee=5
        Bicycle tyre levers | 5.40 | 83 | A set of three. | length=11 guarantee=2
        """,
    ),
    "Home": ("Housewares", "#8a5b5b", "Light, warmth and a place to sit.", ""),
    "Home > Lighting": (
        "Housewares",
        "#c29b4b",
        "Lamps for reading and for evenings.",
        """
        Reading lamp with clamp | 49.00 | 13 | Holds on to shelves and beds. | material=Steel
        Paper lantern | 15.60 | 36 | Folds flat when summer ends. | material=Linen
        Storm lantern | 33.50 | 15 | Burns through wind and rain. | material=Glass capacity=0.4
        Beeswax candles, box of ten | 18.20 | 58 | Smell faintly of honey. |
        Night light owl | 13.90 | 0 | Goes out by itself after an hour. | material=Stoneware
        """,
    ),
    "Home > Textiles": (
        "Housewares",
        "#93505a",
        "Woven close to home.",
        """
        Herringbone throw | 68.00 | 11 | Lambswool in two greys. |
        Striped tea towel | 8.40 | 90 | Dries a whole dinner. | material=Linen
        Cushion cover with buttons | 21.90 | 26 | Fits fifty centimetres. | material=Linen
        Door mat of coconut | 24.10 | 17 | Takes the mud off two boots at once. |
        Laundry bag | 17.80 | 30 | Stands up while it is filled. | material=Linen capacity=45
        """,
    ),
    "Home > Storage": (
        "Housewares",
        "#6f7f6a",
        "Boxes, hooks and baskets.",
        """
        Peg rail with five hooks | 28.60 | 19 | For coats, keys and a hat. | material=Ash
        Log basket | 46.50 | 8 | Carries an evening's fire. | material=Ash capacity=40
        Tin with a hinged lid | 14.30 | 42 | For tea, nails or letters. | material=Steel capacity=1.8
        Shoe rack for six pairs | 37.70 | 14 | Two can be stacked. | material=Beech
        Letter tray | 19.90 | 23 | Two sizes of paper fit. | material=Beech
        """,
    ),
    "Clothing": (
        "Clothing",
        "#4f5d75",
        "To wear outdoors, and for years.",
        """
        Wool beanie | 19.00 | 46 | Knitted double over the ears. | colour=Charcoal
        Gardening gloves | 12.20 | 75 | Goatskin palms. | size=Medium colour=Sand
        Waxed apron | 42.00 | 17 | Pockets for twine and knife. | colour=Moss
        Neck scarf | 16.50 | 33 | A square of washed cotton. | colour=Rust
        """,
    ),
}

# title, category, price, description, variants as (attributes, stock)
FAMILIES = [
    (
        "Fisherman's jumper",
        "Clothing",
        "79.00",
        "Oiled wool that keeps out spray.",
        [("size=Small colour=Navy", 7), ("size=Medium colour=Navy", 12), ("size=Large colour=Navy", 5)],
    ),
    (
        "Work shirt",
        "Clothing",
        "45.00",
        "Heavy cotton, two pockets with flaps.",
        [("size=Small colour=Sand", 15), ("size=Medium colour=Sand", 22), ("size=Large colour=Moss", 18)],
    ),
    (
        "Thick socks",
        "Clothing",
        "14.00",
        "Terry inside, ribbed outside.",
        [("size=Small colour=Charcoal", 60), ("size=Large colour=Charcoal", 48)],
    ),
]
