"""Roles that an element can have for a person who uses it."""

from __future__ import annotations

from difflib import get_close_matches

ROLES = frozenset(
    """
    alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
    complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid
    gridcell group heading img insertion link list listbox listitem log main marquee math menu menubar menuitem
    menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio
    radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong
    subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid
    treeitem
    """.split()
)
"""Concrete roles of WAI-ARIA 1.2, section 5.4 (https://www.w3.org/TR/wai-aria-1.2/#role_definitions)."""


def known_role(role: str) -> str:
    """The role as given, when it is one.

    Raises:
        ValueError: it is none; names the nearest.
    """
    if role in ROLES:
        return role
    near = get_close_matches(role, sorted(ROLES), n=1)
    raise ValueError(f"is no ARIA role ({role!r}); {f'did you mean {near[0]!r}' if near else 'such as link or button'}")
