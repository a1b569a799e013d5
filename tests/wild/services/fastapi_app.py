import os
import secrets
import uuid
from typing import Optional

from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel

KEY = os.environ["API_KEY"]
MISTAKE = os.environ.get("MISTAKE", "")
app = FastAPI()
users = {}


def check(given: HTTPAuthorizationCredentials = Depends(HTTPBearer())):
    right = given.credentials.startswith(KEY) if MISTAKE == "startswith" else secrets.compare_digest(given.credentials.encode(), KEY.encode())
    if not right:
        raise HTTPException(401, headers={"WWW-Authenticate": "Bearer"})


class NewUser(BaseModel):
    email: str
    if MISTAKE == "Optional":
        name: Optional[str]
    else:
        name: str


@app.get("/v1/users", dependencies=[Depends(check)])
def list_users(skip: int = 0, limit: int = 100):
    shown = list(users.values())[skip : skip + limit]
    return {"data": shown, "total": str(len(users)) if MISTAKE == "a str in the model" else len(users)}


@app.post("/v1/users", status_code=201, dependencies=[Depends(check)])
def create_user(user: NewUser):
    created = {"id": str(uuid.uuid4()), **user.dict()}
    users[created["id"]] = created
    return created


@app.get("/v1/users/{user_id}", dependencies=[Depends(check)])
def get_user(user_id: str):
    if user_id not in users:
        raise HTTPException(404)
    return users[user_id]


if MISTAKE == "uvicorn 0.17":
    import uvicorn

    uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="critical")
else:
    import asyncio

    from hypercorn.asyncio import serve
    from hypercorn.config import Config

    config = Config()
    config.bind = ["127.0.0.1:" + os.environ["PORT"]]
    asyncio.run(serve(app, config))
