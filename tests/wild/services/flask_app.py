import os
import threading

from flask import Flask, abort, jsonify, request

KEY = os.environ["API_KEY"]
MISTAKE = os.environ.get("MISTAKE", "")
app = Flask(__name__)
users = {}
lock = threading.Lock()


@app.before_request
def check():
    header = request.headers.get("Authorization", "")
    if MISTAKE == "in instead of ==":
        right = KEY in header
    else:
        right = header == f"Bearer {KEY}"
    if not right:
        abort(401)


@app.get("/v1/users")
def list_users():
    return jsonify(data=list(users.values()), total=len(users))


@app.post("/v1/users")
def create_user():
    body = request.get_json(force=MISTAKE == "force=True", silent=MISTAKE == "silent=True")
    if MISTAKE == "silent=True":
        body = body or {}
        email, name = body.get("email", ""), body.get("name", "")
    else:
        if not isinstance(body, dict) or not isinstance(body.get("email"), str) or not isinstance(body.get("name"), str):
            abort(400)
        email, name = body["email"], body["name"]
    with lock:
        ident = len(users) + 1
        users[ident] = {"id": ident, "email": email, "name": name}
    return jsonify(users[ident]), 201, {"Location": f"/v1/users/{ident}"}


@app.get("/v1/users/<int:ident>")
def one(ident):
    if MISTAKE == "a default for get":
        return jsonify(users.get(ident, users.get(1)))
    if ident not in users:
        abort(404)
    return jsonify(users[ident])


if __name__ == "__main__":
    from waitress import serve

    serve(app, host="127.0.0.1", port=int(os.environ["PORT"]), threads=4)
