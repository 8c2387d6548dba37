"""Pictures as they are: the browser scales them. Nothing is cached in files or rows when somebody looks."""

import os

from django.conf import settings
from oscar.core.thumbnails import AbstractThumbnailer


class Unscaled(AbstractThumbnailer):
    """Hands out the original instead of making a smaller copy."""

    def generate_thumbnail(self, source, **opts):
        return Original(str(getattr(source, "name", source)))

    def delete_thumbnails(self, source):
        """There are none."""


class Original:
    """What templates ask of a thumbnail."""

    def __init__(self, name):
        self.name = name
        self.url = settings.MEDIA_URL + name.replace(os.sep, "/")
