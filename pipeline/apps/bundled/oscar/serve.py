"""Serve shop and back office with waitress: serve.py DATA PORT."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import clock

clock.install(tick=True)

os.environ["SHOP_DATA"] = sys.argv[1]
os.environ["DJANGO_SETTINGS_MODULE"] = "settings"

import oscar
from django.core.wsgi import get_wsgi_application
from waitress import serve
from whitenoise import WhiteNoise

LASTING = 10 * 365 * 24 * 3600
"""Seconds that browsers may keep scripts, styles and pictures: a pinned clock makes answers look months old."""


def main(port):
    app = WhiteNoise(get_wsgi_application(), max_age=LASTING, immutable_file_test=lambda path, url: True)
    app.add_files(os.path.join(os.path.dirname(oscar.__file__), "static"), prefix="static/")
    # Seeded pictures never change; what is uploaded later is not known here and comes from Django.
    app.add_files(os.path.join(sys.argv[1], "media"), prefix="media/")
    serve(app, host="127.0.0.1", port=port, threads=4, ident=None)


main(int(sys.argv[2]))
