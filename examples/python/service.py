"""The User Management Service on the standard library. The environment gives API_KEY, and PORT where it is not 3000."""

import hmac
import json
import os
import re
import sys
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

API_KEY = os.environ.get("API_KEY") or sys.exit("API_KEY is not set")
PORT = int(os.environ.get("PORT", "3000"))
BODY_LIMIT = 100_000

users = {}


class TooLarge(Exception):
    pass


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # An answer goes out in one piece: else the peer waits before it takes the second.
    wbufsize = -1

    def do_GET(self):
        self.handle_request()

    def do_POST(self):
        self.handle_request()

    def handle_request(self):
        # The body is read whatever the answer is: the next request on the connection begins behind it.
        try:
            body = self.read_body()
        except (TooLarge, ValueError):
            self.close_connection = True
            return self.answer(400, {"error": "the body is malformed or too large"})
        if not self.is_authorised():
            return self.answer(401, {"error": "the key is missing or wrong"}, {"WWW-Authenticate": "Bearer"})
        path = urlsplit(self.path).path
        one = re.fullmatch(r"/v1/users/([^/]+)", path)
        if path == "/v1/users":
            return self.list_users() if self.command == "GET" else self.create_user(body)
        if one and self.command == "GET":
            return self.retrieve_user(unquote(one[1]))
        return self.answer(404, {"error": "no such address"})

    def is_authorised(self):
        token = re.fullmatch(r"bearer +(.+)", self.headers.get("Authorization", ""), re.IGNORECASE)
        # In the same time whatever was sent, so that the time tells nothing of the key.
        return hmac.compare_digest((token[1] if token else "").encode(), API_KEY.encode())

    def list_users(self):
        data = list(users.values())
        self.answer(200, {"data": data, "total": len(data)})

    def create_user(self, body):
        try:
            sent = json.loads(body)
        except (ValueError, RecursionError):
            return self.answer(400, {"error": "the body is no JSON"})
        values = [sent.get("email"), sent.get("name")] if isinstance(sent, dict) else [None]
        if not all(isinstance(value, str) for value in values):
            return self.answer(400, {"error": "email and name must be strings"})
        user = {"id": str(uuid.uuid4()), "email": values[0], "name": values[1]}
        users[user["id"]] = user
        self.answer(201, user, {"Location": f"/v1/users/{user['id']}"})

    def retrieve_user(self, identifier):
        user = users.get(identifier)
        self.answer(200, user) if user else self.answer(404, {"error": "no such user"})

    def read_body(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", "").lower():
            length = int(self.headers.get("Content-Length", "0"))
            if not 0 <= length <= BODY_LIMIT:
                raise TooLarge
            return self.rfile.read(length)
        body = b""
        while size := int(self.rfile.readline(100).split(b";")[0], 16):
            if not 0 < size <= BODY_LIMIT - len(body):
                raise TooLarge
            body += self.rfile.read(size)
            self.rfile.readline(3)
        while self.rfile.readline(1000).strip():
            pass
        return body

    def answer(self, status, body, headers=None):
        content = json.dumps(body).encode()
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    # Connections that wait to be accepted: five by default.
    request_queue_size = 128


print(f"http://127.0.0.1:{PORT}/v1", flush=True)
Server(("127.0.0.1", PORT), Handler).serve_forever()
