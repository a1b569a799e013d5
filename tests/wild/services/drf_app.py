import os

import django
from django.conf import settings
from django.db import connection, models

KEY = os.environ["API_KEY"]
MISTAKE = os.environ.get("MISTAKE", "")

settings.configure(
    DEBUG=False,
    SECRET_KEY="wild",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    APPEND_SLASH=False,
    INSTALLED_APPS=["rest_framework"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["DATA"] + "/users.sqlite3", "OPTIONS": {"timeout": 20}}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    REST_FRAMEWORK={
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
        "UNAUTHENTICATED_USER": None,
    },
)
django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework import authentication, exceptions, generics, pagination, permissions, response, serializers  # noqa: E402


class User(models.Model):
    # The validator of a unique field looks first, and the insert may lose the race: a 500.
    email = models.EmailField(max_length=254, unique=True)
    name = models.CharField(max_length=5000)

    class Meta:
        app_label = "users"


if User._meta.db_table not in connection.introspection.table_names():
    with connection.schema_editor() as editor:
        editor.create_model(User)
# The workers are forks, and each needs a connection of its own.
connection.close()


class Bearer(authentication.BaseAuthentication):
    def authenticate(self, request):
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        if token != KEY:
            raise exceptions.AuthenticationFailed()
        return (None, token)

    def authenticate_header(self, request):
        return "Bearer"


class HasKey(permissions.BasePermission):
    def has_permission(self, request, view):
        return request.auth is not None


class Serializer(serializers.ModelSerializer):
    class Meta:
        model = User
        fields = ["id", "email", "name"]
        extra_kwargs = {"name": {"required": False, "default": ""}} if MISTAKE == "required=False" else {}

    def create(self, data):
        if MISTAKE == "a name cut to its column":
            data["name"] = data["name"][:20]
        return super().create(data)


class Pages(pagination.PageNumberPagination):
    page_size = 20

    def get_paginated_response(self, data):
        total = len(data) if MISTAKE == "the length of the page" else self.page.paginator.count
        return response.Response({"data": data, "total": total})


class Users(generics.ListCreateAPIView):
    authentication_classes = [Bearer]
    permission_classes = [HasKey]
    queryset = User.objects.order_by("pk")
    serializer_class = Serializer
    pagination_class = Pages


class OneUser(generics.RetrieveAPIView):
    authentication_classes = [Bearer]
    permission_classes = [] if MISTAKE == "permission_classes = []" else [HasKey]
    queryset = User.objects.all()
    serializer_class = Serializer


urlpatterns = [path("v1/users", Users.as_view()), path("v1/users/<int:pk>", OneUser.as_view())]
application = get_wsgi_application()
