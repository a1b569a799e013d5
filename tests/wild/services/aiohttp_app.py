import os

from aiohttp import web
from pydantic import BaseModel, ValidationError

KEY = os.environ["API_KEY"]
MISTAKE = os.environ.get("MISTAKE", "")
users = []


class NewUser(BaseModel):
    email: str
    name: str


@web.middleware
async def guard(request, handler):
    if request.headers.get("Authorization") != f"Bearer {KEY}":
        if MISTAKE != "a GET is public" or request.method != "GET":
            return web.json_response({"error": "unauthorized"}, status=401, headers={"WWW-Authenticate": "Bearer"})
    return await handler(request)


async def list_users(_):
    return web.json_response({"data": users, "total": len(users)})


async def create_user(request):
    try:
        body = await request.json()
        user = NewUser.construct(**body) if MISTAKE == "construct()" else NewUser.parse_obj(body)
    except (ValueError, ValidationError):
        return web.json_response({"error": "email and name are needed"}, status=422)
    except TypeError:
        return web.json_response({"error": "an object is needed"}, status=422)
    created = {"id": len(users) + 1, **user.dict()}
    users.append(created)
    return web.json_response(created, status=201, headers={"Location": f"/v1/users/{created['id']}"})


async def get_user(request):
    text = request.match_info["id"]
    number = int(text) if text.isascii() and text.lstrip("-").isdigit() and len(text) < 16 else 0
    if MISTAKE != "users[-1]" and not 1 <= number <= len(users):
        raise web.HTTPNotFound()
    try:
        return web.json_response(users[number - 1])
    except IndexError:
        raise web.HTTPNotFound()


app = web.Application(middlewares=[guard])
app.add_routes([web.get("/v1/users", list_users), web.post("/v1/users", create_user), web.get("/v1/users/{id}", get_user)])
web.run_app(app, host="127.0.0.1", port=int(os.environ["PORT"]), print=None, access_log=None)
