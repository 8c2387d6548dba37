"""Where things are: the shop at the root, the back office below /dashboard/."""

from django.apps import apps
from django.conf import settings
from django.urls import include, path
from django.views.static import serve

urlpatterns = [
    path("media/<path:path>", serve, {"document_root": settings.MEDIA_ROOT}),
    path("", include(apps.get_app_config("oscar").urls[0])),
]
