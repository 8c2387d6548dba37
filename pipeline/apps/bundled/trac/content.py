"""What the project holds: plausible, varied, and no two things of a kind with the same name."""

PROJECT = ("Riverbank Tools", "Planning and booking for small repair workshops")

USERS = [
    ("admin", "Ingrid Solberg", "ingrid@riverbank.example"),
    ("alice", "Alice Moreau", "alice@riverbank.example"),
    ("bob", "Bob Okafor", "bob@riverbank.example"),
    ("carol", "Carol Lindqvist", "carol@riverbank.example"),
]

MEMBER_RIGHTS = ["TICKET_CREATE", "TICKET_MODIFY", "WIKI_CREATE", "WIKI_MODIFY", "REPORT_CREATE", "MILESTONE_CREATE"]

COMPONENTS = [
    ("Accounts", "alice", "Signing in, passwords and profiles"),
    ("Booking calendar", "bob", "Appointments, opening hours and reminders"),
    ("Invoices", "carol", "Prices, tax and payment slips"),
    ("Mobile app", "alice", "The companion app for mechanics"),
    ("Search", "bob", "Finding customers, parts and jobs"),
    ("Stock", "carol", "Parts, suppliers and reordering"),
]

# name, due (days from the pinned day; None for no date), completed (likewise), description
MILESTONES = [
    ("Beta feedback", -40, -38, "Everything that the pilot workshops reported."),
    ("Spring release", 30, None, "Faster calendar and clearer invoices."),
    ("Summer release", 120, None, "The mobile app leaves its trial phase."),
    ("Autumn release", 210, None, "Stock keeping with several warehouses."),
    ("Accessibility review", 60, None, "Keyboard and screen reader work throughout."),
    ("Someday", None, None, "Good ideas without a date."),
]

VERSIONS = [
    ("0.9", -420, "Pilot workshops"),
    ("1.0", -300, "First public version"),
    ("1.1", -190, "Reminders by e-mail"),
    ("1.2", -95, "Tax rules per country"),
    ("2.0", -12, "New calendar"),
]

SEVERITIES = ["blocking", "serious", "moderate", "cosmetic"]

KEYWORDS = ["keyboard", "performance", "wording", "printing", "security", "import", "timezone", "layout"]

# summary, component, type, description
TICKETS = [
    ("Login page rejects long passwords", "Accounts", "defect", "Passwords of more than 64 characters are refused with a blank page."),
    ("Reset link expires too early", "Accounts", "defect", "The link in the e-mail stops working after ten minutes instead of a day."),
    ("Allow a second e-mail address", "Accounts", "enhancement", "Owners want copies of invoices at a private address."),
    ("Profile picture is stretched", "Accounts", "defect", "Portrait pictures are squeezed into a square."),
    ("Write a page about roles", "Accounts", "task", "New workshops ask what a foreman may do."),
    ("Lock an account after ten wrong attempts", "Accounts", "enhancement", "At present one can guess for ever."),
    ("Remember the chosen language", "Accounts", "enhancement", "After signing out the language falls back to English."),
    ("Week view starts on Sunday", "Booking calendar", "defect", "Workshops in Norway expect Monday as the first day."),
    ("Appointments overlap after a drag", "Booking calendar", "defect", "Dragging a booking onto a busy hour is accepted silently."),
    ("Print the day plan on one page", "Booking calendar", "enhancement", "The plan spills onto a second sheet with one line."),
    ("Reminder is sent twice", "Booking calendar", "defect", "Customers with two cars get the same reminder two times."),
    ("Show public holidays", "Booking calendar", "enhancement", "Bookings on holidays have to be moved by hand."),
    ("Calendar is slow with many mechanics", "Booking calendar", "defect", "With thirty columns the view needs eight seconds."),
    ("Copy a booking to next month", "Booking calendar", "enhancement", "Regular services are typed again each time."),
    ("Tidy the colours of job types", "Booking calendar", "task", "Two job types share the same green."),
    ("Invoice number skips one", "Invoices", "defect", "After a cancelled invoice the next number is missing."),
    ("Round tax per line, not per invoice", "Invoices", "defect", "Accountants see a difference of one cent."),
    ("Add a field for the order number", "Invoices", "enhancement", "Companies will not pay without it."),
    ("Payment slip prints too low", "Invoices", "defect", "The slip is cut off by four millimetres."),
    ("Translate the invoice footer", "Invoices", "task", "The footer is English on German invoices."),
    ("Discount is applied after tax", "Invoices", "defect", "The discount must lower the net amount."),
    ("Send invoices as attachments", "Invoices", "enhancement", "A link is not enough for some customers."),
    ("App forgets photos without network", "Mobile app", "defect", "Pictures taken in the cellar never arrive."),
    ("Scan part labels with the camera", "Mobile app", "enhancement", "Typing part numbers with gloves is hard."),
    ("Text is too small on tablets", "Mobile app", "defect", "The job list uses the telephone layout."),
    ("Dark theme for night shifts", "Mobile app", "enhancement", "White pages dazzle in the yard."),
    ("Collect crash reports", "Mobile app", "task", "We hear of crashes only by telephone."),
    ("Stop button is next to delete", "Mobile app", "defect", "One slip of the thumb removes the running job."),
    ("Search ignores accents", "Search", "enhancement", "Typing Gomez should find Gómez."),
    ("Results jump while typing", "Search", "defect", "The list is rebuilt with every letter."),
    ("Find customers by telephone number", "Search", "enhancement", "Callers rarely spell their names."),
    ("Old part numbers are not found", "Search", "defect", "Numbers from before the merger return nothing."),
    ("Measure what people look for", "Search", "task", "Count searches that end without a result."),
    ("Filter results by workshop", "Search", "enhancement", "Chains see the parts of every branch mixed."),
    ("Stock level can become negative", "Stock", "defect", "Two mechanics can take the last filter."),
    ("Warn before a part runs out", "Stock", "enhancement", "Orders are placed when the shelf is already empty."),
    ("Import supplier price lists", "Stock", "enhancement", "Lists come as spreadsheets every quarter."),
    ("Duplicate suppliers after import", "Stock", "defect", "A second import adds every supplier again."),
    ("Count the shelf once a year", "Stock", "task", "Prepare a sheet for the yearly count."),
    ("Reorder list forgets the unit", "Stock", "defect", "Oil is ordered in pieces instead of litres."),
]

COMMENTS = [
    "I can reproduce this with the newest version.",
    "A customer in Bergen reported the same thing last week.",
    "The fix is small, but it needs a test with real data.",
    "Could we decide this in the next planning round?",
    "It only happens when the browser window is narrow.",
    "I have added the missing step to the description.",
    "Please check again after the calendar update.",
    "The workaround is to sign out and in again.",
    "This is the third report, so I raise the urgency.",
    "We should tell the support rota about it.",
    "Tested on two machines; both show it.",
    "Carol has a draft on her machine.",
]

PAGES = {
    "TeamHandbook": "= Team handbook =\n\nHow we work at Riverbank Tools.\n\n * [wiki:Onboarding]\n * [wiki:SupportRota]\n * [wiki:MeetingNotes]\n * [wiki:ReleaseChecklist]\n * [wiki:StyleGuide]\n * [wiki:Glossary]\n * [wiki:BackupPlan]\n",
    "Onboarding": "= Onboarding =\n\nWelcome. In your first week:\n\n 1. Ask Ingrid for a key to the workshop.\n 2. Read the [wiki:StyleGuide].\n 3. Take one small ticket and close it.\n",
    "SupportRota": "= Support rota =\n\n||= Day =||= Who =||\n|| Monday || Alice ||\n|| Tuesday || Bob ||\n|| Wednesday || Carol ||\n|| Thursday || Alice ||\n|| Friday || Bob ||\n",
    "MeetingNotes": "= Meeting notes =\n\n== Planning of the spring release ==\n\n * The calendar comes first.\n * Invoices wait for the tax rules.\n * Carol looks after the payment slip.\n",
    "ReleaseChecklist": "= Release checklist =\n\n 1. All serious tickets of the milestone are closed.\n 2. The manual names the new features.\n 3. Backups were restored once.\n 4. Support knows the date.\n",
    "StyleGuide": "= Style guide =\n\nWrite short sentences. Say what the customer sees, not what the program does.\n",
    "Glossary": "= Glossary =\n\n Job:: one visit of one vehicle\n Foreman:: the person who plans the day\n Shelf:: a place in the stock with a number\n",
    "BackupPlan": "= Backup plan =\n\nData is copied every night at two. Bob keeps the disks, Alice tries one restore a month.\n",
}

START_PAGE = """= Riverbank Tools =

Planning and booking for small repair workshops.

 * [wiki:TeamHandbook Team handbook]
 * [wiki:ReleaseChecklist Release checklist]
 * [wiki:Glossary Glossary]
 * [/roadmap Roadmap]
 * [/report Reports]
 * [/query Custom query]
 * [wiki:TracGuide Guide to this site]
 * [wiki:TitleIndex All pages]
"""

REPORTS = [
    (
        "Tickets without a milestone",
        "Open tickets that nobody has planned yet.",
        "SELECT id AS ticket, summary, component, owner, time AS created FROM ticket "
        "WHERE status <> 'closed' AND COALESCE(milestone, '') = '' ORDER BY id",
    ),
    (
        "Serious problems still open",
        "Open tickets of the two highest severities.",
        "SELECT id AS ticket, summary, severity, owner, milestone FROM ticket "
        "WHERE status <> 'closed' AND severity IN ('blocking', 'serious') ORDER BY severity, id",
    ),
    (
        "Workload by owner",
        "How many open tickets each person has.",
        "SELECT owner, COUNT(*) AS tickets FROM ticket WHERE status <> 'closed' GROUP BY owner ORDER BY owner",
    ),
]
