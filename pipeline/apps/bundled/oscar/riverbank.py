"""The shop's own Django application: signing in writes no row, so that two templates are equal."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class Riverbank(AppConfig):
    name = "riverbank"
    label = "riverbank"

    def ready(self):
        user_logged_in.disconnect(dispatch_uid="update_last_login")
