import json
import threading

users = []
lock = threading.Lock()


def application(environ, start_response):
    status, body, headers = respond(environ)
    payload = json.dumps(body).encode()
    headers += [("Content-Type", "application/json"), ("Content-Length", str(len(payload)))]
    start_response(status, headers)
    return [payload]


def respond(environ):
    # All of it is read: closing a connection with unread data loses the response.
    payload = environ["wsgi.input"].read()
    # The proxy sets this header on requests with the right key, and only there.
    if not environ.get("HTTP_X_FORWARDED_USER"):
        return "401 Unauthorized", {"error": "unauthorized"}, [("WWW-Authenticate", "Bearer")]
    method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
    if path == "/v1/users" and method == "GET":
        with lock:
            return "200 OK", {"data": users, "total": len(users)}, []
    if path == "/v1/users" and method == "POST":
        return create(payload)
    ident = path.removeprefix("/v1/users/")
    if method == "GET" and ident.isascii() and ident.isdigit() and 1 <= int(ident) <= len(users):
        return "200 OK", users[int(ident) - 1], []
    return "404 Not Found", {"error": "not found"}, []


def create(payload):
    try:
        body = json.loads(payload)
    except ValueError:
        body = None
    fields = [body.get("email"), body.get("name")] if isinstance(body, dict) else [None]
    if not all(isinstance(field, str) for field in fields):
        return "400 Bad Request", {"error": "email and name are required"}, []
    with lock:
        user = {"id": len(users) + 1, "email": fields[0], "name": fields[1]}
        users.append(user)
    return "201 Created", user, [("Location", f"/v1/users/{user['id']}")]
