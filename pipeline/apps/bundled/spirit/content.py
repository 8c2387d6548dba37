"""What the forum holds: plausible, varied, and no two things of a kind with the same name."""

SITE = ("Millbrook Allotments", "The forum of the gardeners at Millbrook Lane")

# user name, first name, last name, place
USERS = [
    ("admin", "Helen", "Marsh", "Gatehouse"),
    ("alice", "Alice", "Moreau", "Plot 12"),
    ("bob", "Bob", "Okafor", "Plot 27"),
    ("carol", "Carol", "Lindqvist", "Plot 31"),
]

MEMBERS = [  # they write, but never sign in
    ("dmitri", "Dmitri", "Volkov", "Plot 4"),
    ("esther", "Esther", "Nkemelu", "Plot 9"),
    ("farid", "Farid", "Haddad", "Plot 18"),
    ("greta", "Greta", "Olsson", "Plot 22"),
    ("hugo", "Hugo", "Bernard", ""),
    ("ines", "Ines", "Carvalho", "Plot 40"),
]

# title, description, colour, parent
CATEGORIES = [
    ("Vegetables", "Sowing, growing and picking", "#2e7d32", ""),
    ("Fruit and berries", "Trees, bushes and strawberries", "#ad1457", ""),
    ("Compost and soil", "Heaps, manure, mulch and worms", "#6d4c41", ""),
    ("Tools and sheds", "Repairs, loans and buildings", "#455a64", ""),
    ("Wildlife and pests", "Friends and foes of the plots", "#ef6c00", ""),
    ("Committee and events", "Notices, meetings and open days", "#1565c0", ""),
    ("Greenhouse corner", "Growing under glass", "#00838f", "Vegetables"),
]

# category, title, first comment, further comments
TOPICS = [
    ("Vegetables", "Early potatoes in bags", "Has anybody grown first earlies in old compost bags? I have six bags and no free bed.",
        ["Three tubers to a bag, and roll the sides down at first.", "Make holes in the bottom or they will rot."]),
    ("Vegetables", "Leeks that stay thin", "My leeks are like pencils again. Planted in June, watered twice a week.", ["Deeper holes and more room between them did it for me."]),
    ("Vegetables", "Runner beans without flowers", "Plenty of leaves on plot 12, not one flower. Too much manure?", ["Wait for cooler nights, they drop flowers in the heat."]),
    ("Vegetables", "Which pumpkin keeps longest", "I would like to eat the last one in March. Which variety do you store?", ["Crown Prince, without any doubt.", "Ours lasted until April on a dry shelf."]),
    ("Vegetables", "Carrots in heavy clay", "The fork bends before the ground does. Is there any carrot for clay?", ["Try a short round one such as Paris Market."]),
    ("Vegetables", "Garlic planted too late", "It went in at the end of January. Will it still split into cloves?", ["Mine did, but the bulbs were small."]),
    ("Vegetables", "Purple sprouting broccoli gap", "Nothing to pick between February and April. What fills the gap?", []),
    ("Vegetables", "Saving tomato seed", "How long do you leave the pulp to ferment before rinsing it?", ["Three days in a warm kitchen."]),
    ("Vegetables", "Perennial onions to give away", "A bucket of tree onions stands by the water tank. Help yourselves.", ["Took a handful, thank you!"]),
    ("Greenhouse corner", "Cheap shading for June", "The glass reaches forty degrees at noon. What do you hang up?", ["Old net curtains, honestly."]),
    ("Greenhouse corner", "Cucumbers with bitter ends", "Every second fruit is bitter at the stalk. Is it the water?", ["Uneven watering does that."]),
    ("Greenhouse corner", "Paraffin heater or fleece", "Two cold weeks are coming and I have seedlings under glass.", []),
    ("Fruit and berries", "Pruning the old plum", "The tree by the gate has not been cut for years. When may I start?", ["Only in summer, because of silver leaf."]),
    ("Fruit and berries", "Raspberries in the path", "The canes come up a metre away from the row. How do you stop them?", ["A spade once a week is the only cure.", "I sank roofing felt along the row."]),
    ("Fruit and berries", "Strawberries under straw", "Where do you buy clean straw in small amounts?", ["The stables on Mill Road sell single bales."]),
    ("Fruit and berries", "Apple day varieties", "Please list what you could bring for the tasting table.", ["Two boxes of Egremont Russet.", "Bramleys, as many as you like."]),
    ("Fruit and berries", "Gooseberry sawfly again", "All leaves gone within three days. I picked off a whole jar of grubs.", []),
    ("Fruit and berries", "Blackcurrant cuttings", "I pruned hard and have forty cuttings of Ben Lomond. Who wants some?", ["Five for plot 18, please."]),
    ("Fruit and berries", "Grafting afternoon", "If somebody brings a sharp knife, I can bring rootstocks.", ["Count me in."]),
    ("Fruit and berries", "Fig against a shed wall", "South side, sheltered, but the roots have no limit. Will it fruit?", ["Put it in a big pot and sink the pot."]),
    ("Fruit and berries", "Rhubarb crowns to divide", "Mine is ten years old and sulks. Do I split it in autumn or now?", ["Autumn, and give one half away."]),
    ("Fruit and berries", "Nets that birds cannot enter", "A blackbird got caught yesterday. Which mesh is safe?", ["Seven millimetres, and pull it tight."]),
    ("Compost and soil", "Hot heap in eighteen days", "I turned it every second day and it reached sixty degrees.", ["What did you mix in?", "Impressive. Mine never gets beyond thirty."]),
    ("Compost and soil", "Wood chip delivery", "The tree surgeon leaves a load at the gate on Friday.", ["Please keep some for the paths by the tanks."]),
    ("Compost and soil", "Is cardboard safe", "I cover beds with boxes. What about the tape and the printing?", ["Tear off the tape, plain brown is fine."]),
    ("Compost and soil", "Horse manure with weedkiller", "My beans came up twisted. I fear the manure was treated.", ["Test it with a bean in a pot before you spread it."]),
    ("Compost and soil", "Testing the soil for lime", "The school lent us a kit. I can test ten plots on Sunday.", ["Plot 22 would like a test."]),
    ("Compost and soil", "Leaf mould cage", "Four posts and chicken wire, two years of patience. Show me yours.", []),
    ("Compost and soil", "Worm bin smells", "The lower tray is wet and smells of drains. What now?", ["More paper, less fruit.", "Open the tap, it is full."]),
    ("Compost and soil", "Green manure after potatoes", "Phacelia or rye? The bed stays empty until April.", ["Rye, but dig it in early."]),
    ("Compost and soil", "Sieve for the last of the heap", "Half of it is twigs. Which mesh do you use for a sieve?", ["Ten millimetres for beds, six for pots."]),
    ("Tools and sheds", "Rotavator rota", "Write here when you need the rotavator, and bring it back clean.", ["Saturday morning for plot 31, please.", "I would like it on Sunday."]),
    ("Tools and sheds", "Handle for a digging spade", "The ash handle broke. Is it worth replacing?", ["Always. The hardware shop fits one."]),
    ("Tools and sheds", "Shed roof before winter", "Felt or corrugated bitumen? My roof is two metres by three.", ["Bitumen sheets, done in an hour."]),
    ("Tools and sheds", "Lost secateurs", "Red handles, left near the tap on Tuesday. They were a present.", ["They hang on the notice board."]),
    ("Tools and sheds", "Sharpening hoes", "I bring a file and a vice to the next work day.", ["Could you do shears as well?"]),
    ("Tools and sheds", "Padlock number for the store", "The number changes on the first of the month. Ask a committee member.", []),
    ("Tools and sheds", "Water butts from the brewery", "They give away blue barrels. I can fetch eight with the trailer.", ["Two for me, I help with loading.", "One would be lovely."]),
    ("Tools and sheds", "Wheelbarrow with a flat tyre", "The green barrow is down again. A solid tyre costs nineteen pounds.", ["Let us buy one from the tea money."]),
    ("Tools and sheds", "Second-hand cold frame", "I have an aluminium frame to sell, one pane cracked.", []),
    ("Wildlife and pests", "Hedgehogs in the bonfire", "Please look under the heap before anybody lights it.", ["Moved two last year, so yes, please look."]),
    ("Wildlife and pests", "Slugs eat everything", "Beer, wool, copper, coffee. I tried it all. What really works?", ["A torch and a bucket after rain.", "Nematodes in April."]),
    ("Wildlife and pests", "Pigeons on the brassicas", "They sit on the net and push it down. Any better idea?", ["Hoops, not canes."]),
    ("Wildlife and pests", "Frogspawn in the tank", "The dipping tank is full of it. Can it stay there?", ["Yes, we fill the other tank meanwhile."]),
    ("Wildlife and pests", "Bees in the old water meter", "A swarm moved in. Does somebody know a beekeeper?", ["My neighbour keeps bees, I asked her."]),
    ("Wildlife and pests", "Club root on plot 9", "I found it on the sprouts. Please clean your boots.", ["Lime the bed and skip cabbages for years."]),
    ("Wildlife and pests", "Bat boxes on the big oak", "The wildlife trust would give us four boxes for free.", ["Good idea, I have a long ladder."]),
    ("Wildlife and pests", "Blight warning", "Two warm wet days this week. Cut the potato tops in time.", ["Too late for mine.", "Thank you, cut them this morning."]),
    ("Wildlife and pests", "Rats near the chicken run", "Holes under the fence since last week. Who sets a trap?", []),
    ("Wildlife and pests", "Ladybirds by post", "Is it worth buying larvae against greenfly?", ["Leave some nettles and they come by themselves."]),
    ("Committee and events", "Open day in June", "We need twelve people for tea, plants and the gate.", ["I take the plant stall.", "Tea, as every year."]),
    ("Committee and events", "Minutes of the spring meeting", "The rent stays as it is. The hedge will be cut in August.", ["Was the path discussed?"]),
    ("Committee and events", "Waiting list is closed", "Thirty names are enough for three years. It opens again in autumn.", []),
    ("Committee and events", "Water is turned on", "The tanks are full since this morning. Please report leaks here.", ["There is a leak behind plot 40."]),
    ("Committee and events", "Seed swap on Sunday", "Tables from ten in the scout hut. Label your envelopes.", ["I have far too many sunflowers."]),
    ("Committee and events", "Key deposit goes up", "New keys cost fifteen pounds from May.", ["Does it count for old keys too?"]),
    ("Committee and events", "Work party at the car park", "We fill holes on the second Saturday. Bring a rake.", ["I bring the trailer.", "Back is bad, but I can make tea."]),
    ("Committee and events", "Photo competition", "One picture each, of anything that grows. The prize is a fork.", ["Is a snail something that grows?"]),
    ("Committee and events", "Insurance for sheds", "The policy covers fire, not theft. Details are with Helen.", []),
    ("Committee and events", "Village show classes", "The schedule is out. Leeks are judged in pairs this year.", ["Two pairs from plot 27 are ready."]),
]

REPLIES = [  # said in any topic, by anybody
    "Same here, I was wondering about that.", "Worked well for me last year.", "Thank you, I will try it at the weekend.",
    "It depends on the weather, I think.", "My grandmother did it exactly like that.", "I am not so sure, mine went wrong.",
    "Could you bring a photograph to the tea hut?", "Good to know before I buy anything.", "I have some to spare if anybody needs it.",
    "Let us talk about it at the tea hut.", "Plot 4 has the same trouble.", "That is cheaper than I thought.",
    "Please write down how it goes.", "I learned this the hard way.", "Does it matter which month?",
    "On my side of the lane it is too wet for that.", "Sounds like a lot of work, but all right.", "I can lend a hand on Thursday.",
    "We tried it for two seasons and gave up.", "There was an article about this in the library.", "Count me in as well.",
    "Only after the last frost, I would say.", "Much better than what I do now.", "I asked at the nursery and they agree.",
    "The neighbours did it with good results.", "Has anybody measured it?", "A little patience helps.",
    "I would wait for another week.", "Yes, and keep the rest dry.", "No luck here, sadly.",
    "I put a note on the board as well.", "Perhaps we should order together.", "It was the same in the dry summer.",
    "Fine by me.", "One more reason to start early.", "I will have a look tomorrow morning.",
]  # fmt: skip

# topic, mode, title, choices, voters by choice
POLLS = [
    ("Village show classes", "default", "Which class shall we enter together?", ["Heaviest pumpkin", "Vegetable basket", "Longest runner bean"],
        {1: ["alice", "greta"], 2: ["bob", "farid", "ines"], 3: ["hugo"]}),
    ("Work party at the car park", "default", "When do you have time?", ["Saturday morning", "Saturday afternoon", "Sunday morning"],
        {1: ["bob", "dmitri", "esther"], 3: ["carol"]}),
    ("Wheelbarrow with a flat tyre", "default", "Shall we buy a solid tyre?", ["Yes, from the tea money", "Yes, with a collection", "No, patch it again"],
        {1: ["ines", "alice"], 2: ["farid"], 3: ["hugo"]}),
    ("Photo competition", "secret", "Who should judge?", ["The committee", "The visitors of the open day"], {1: ["greta"], 2: ["dmitri", "carol"]}),
]

# author, title, with whom, comments by (user, text)
PRIVATE = [
    ("admin", "Rent reminder for plot 18", ["carol"], [("admin", "Farid is two months late. Could you speak to him?"), ("carol", "I see him on Sunday and ask.")]),
    ("admin", "Speaker for the winter talk", ["alice", "bob"], [("admin", "The orchid society sends somebody in November."), ("bob", "Ask for fruit trees instead, please.")]),
    ("alice", "Present for Esther", ["admin", "bob", "carol"], [("alice", "Ten years of tea. A good trowel?"), ("carol", "With her name on it!"), ("admin", "I pay a third.")]),
    ("bob", "Key for the store", ["admin"], [("bob", "Mine is bent. May I have another one?"), ("admin", "It is ready at the gatehouse.")]),
    ("carol", "Complaint about the radio", ["admin", "alice"], [("carol", "Every Sunday at eight, behind plot 31."), ("alice", "I hear it as well.")]),
    ("bob", "Trailer for the barrels", ["dmitri", "ines"], [("bob", "Friday at five, before it gets dark."), ("dmitri", "I am there.")]),
]  # fmt: skip

# topic, reason (0 spam, 1 other), words of the person who reports, who, closed by the administrator
FLAGS = [
    ("Second-hand cold frame", 0, "Selling is for the notice board.", "greta", False),
    ("Slugs eat everything", 1, "Beer in the tea hut is not allowed.", "farid", False),
    ("Wheelbarrow with a flat tyre", 1, "We agreed not to spend the tea money.", "ines", False),
    ("Perennial onions to give away", 0, "", "hugo", True),
    ("Rats near the chicken run", 1, "Traps must be set by the committee.", "alice", False),
]

PINNED = ["Water is turned on"]
PINNED_EVERYWHERE = ["Open day in June"]
CLOSED = ["Waiting list is closed", "Minutes of the spring meeting", "Lost secateurs"]
MENTIONS = [
    ("Seed swap on Sunday", "carol", "@admin could you bring the long tables?"),
    ("Bat boxes on the big oak", "bob", "@alice may we use your ladder?"),
    ("Hot heap in eighteen days", "alice", "@bob please show @carol how you turn it."),
]
