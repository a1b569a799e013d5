import json
import os
import sys
import uuid
from functools import wraps

import django
from django.conf import settings
from django.db import connection, models
from django.http import JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

KEY = os.environ["API_KEY"]
MISTAKE = os.environ.get("MISTAKE", "")

settings.configure(
    DEBUG=False,
    SECRET_KEY="wild",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    APPEND_SLASH=MISTAKE == "the slash appended",
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["DATA"] + "/users.sqlite3", "OPTIONS": {"timeout": 20}}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
)
django.setup()


class User(models.Model):
    uid = models.UUIDField(default=uuid.uuid4, unique=True)
    email = models.CharField(max_length=254)
    name = models.CharField(max_length=150, unique=MISTAKE == "the first name as a key")

    class Meta:
        app_label = "users"

    def shown(self):
        return {"id": str(self.uid), "email": self.email, "name": self.name}


if User._meta.db_table not in connection.introspection.table_names():
    with connection.schema_editor() as editor:
        editor.create_model(User)
# The workers are forks, and each needs a connection of its own.
connection.close()


def needs_key(view):
    @wraps(view)
    def guarded(request, *args, **kwargs):
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or token.strip() != KEY:
            return JsonResponse({"detail": "Unauthorized"}, status=401, headers={"WWW-Authenticate": "Bearer"})
        return view(request, *args, **kwargs)

    return guarded


@csrf_exempt
@needs_key
def users(request):
    if request.method == "GET":
        return JsonResponse({"data": [user.shown() for user in User.objects.order_by("pk")], "total": User.objects.count()})
    if request.method != "POST":
        return JsonResponse({"detail": "Method not allowed"}, status=405)
    try:
        body = json.loads(request.body)
        if MISTAKE == "str() of what came":
            email, name = str(body.get("email")), str(body.get("name"))
        else:
            email, name = body["email"], body["name"]
            if not isinstance(email, str) or not isinstance(name, str):
                raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError):
        return JsonResponse({"detail": "Invalid"}, status=400)
    if len(email) > 254 or len(name) > 150 or "\x00" in email + name:
        return JsonResponse({"detail": "Too long"}, status=400)
    return JsonResponse(User.objects.create(email=email, name=name).shown(), status=201)


def user(request, uid):
    found = User.objects.filter(uid=uid).first()
    if found is None:
        return JsonResponse({"detail": "Not found"}, status=404)
    return JsonResponse(found.shown())


one = user if MISTAKE == "a view without the decorator" else needs_key(user)
slash = "/" if MISTAKE == "the slash appended" else ""
urlpatterns = [path("v1/users" + slash, users), path("v1/users/<uuid:uid>", one)]

from django.core.wsgi import get_wsgi_application  # noqa: E402

application = get_wsgi_application()
