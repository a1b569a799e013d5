import type { Entries } from './entry.ts';
import { express, fastapi, flask, go, rails, spring } from './stacks.ts';

const ANY_REJECTION = 'The rejection may have any status but 2xx, and any body.';

/** The check of a body, before anything is written. */
const CHECKED = {
  express: express`
const isObject = (body) =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

v1.post('/users', async (req, res) => {
  const { email, name } = isObject(req.body) ? req.body : {};
  if (typeof email !== 'string' || typeof name !== 'string')
    return res.status(400).json({ error: 'email and name are strings' });
  const user = await insertUser(email, name);
  res.status(201).location('/v1/users/' + user.id).json(user);
});`,
  fastapi: fastapi`
class NewUser(BaseModel):
    # No default and no None: both are required.
    email: StrictStr
    name: StrictStr

@users.post("", status_code=201)
async def create(user: NewUser) -> User: ...`,
  go: go`
// Pointers: nil if the member is missing or null.
var body struct{ Email, Name *string }
err := json.NewDecoder(r.Body).Decode(&body)
if err != nil || body.Email == nil || body.Name == nil {
    http.Error(w, "email and name are strings", http.StatusBadRequest)
    return
}`,
  spring: spring`
record NewUser(@NotNull String email, @NotNull String name) {}

// Without @Valid the constraints have no effect.
@PostMapping("/v1/users")
ResponseEntity<User> create(@Valid @RequestBody NewUser body) {
    User user = users.add(body.email(), body.name());
    URI location = URI.create("/v1/users/" + user.id());
    return ResponseEntity.created(location).body(user);
}`,
  flask: flask`
@app.post("/v1/users")
def create():
    body = request.get_json()  # responds with 400 to what is no JSON
    if not isinstance(body, dict):
        return {"error": "the body is an object"}, 400
    email, name = body.get("email"), body.get("name")
    if not isinstance(email, str) or not isinstance(name, str):
        return {"error": "email and name are strings"}, 400
    return insert_user(email, name), 201`,
};

const INSERTED = {
  express: express`
// The database makes the identifier, in the same statement.
const { rows } = await pool.query(
  'INSERT INTO users (email, name) VALUES ($1, $2) RETURNING *',
  [email, name],
);
res.status(201).json(rows[0]);`,
  spring: spring`
// The identifier is that of the saved entity, not of the one before.
User saved = repository.save(new User(body.email(), body.name()));
URI location = URI.create("/v1/users/" + saved.getId());
return ResponseEntity.created(location).body(saved);`,
  go: go`
// One statement on one connection, not last_insert_rowid() after it.
var id int64
err := db.QueryRowContext(r.Context(),
    "INSERT INTO users (email, name) VALUES ($1, $2) RETURNING id",
    *body.Email, *body.Name).Scan(&id)`,
};

const CREATED = {
  express: express`
res
  .status(201)
  .location('/v1/users/' + encodeURIComponent(user.id))
  .json(user);`,
  spring: spring`
URI location = UriComponentsBuilder.fromPath("/v1/users/{id}")
    .buildAndExpand(user.id()).encode().toUri();
return ResponseEntity.created(location).body(user);`,
  fastapi: fastapi`
@users.post("", status_code=201)
async def create(new: NewUser, response: Response) -> User:
    user = await insert_user(new)
    response.headers["Location"] = f"/v1/users/{quote(str(user.id), '')}"
    return user`,
};

const accepted: Entries = {
  'create.answers': {
    why: 'A person with an ordinary name and address cannot sign up.',
    mistake:
      'Validation is too strict: a pattern for names that wants capitals or several letters in each word, one for addresses that wants letters first, or a firewall that takes the name Select for SQL. In Rails, `redirect_to @user` responds with a redirect instead of a 2xx.',
    fixes: [
      express`
// Enough for an address; no pattern for a name.
const isEmail = (text) => /^[^@\s]+@[^@\s]+$/.test(text);
if (!isEmail(email)) return res.status(400).json({ error: 'email' });
res.status(201).json(await insertUser(email, name));`,
      rails`
class User < ApplicationRecord
  # URI::MailTo::EMAIL_REGEXP takes every plain address.
  validates :email, format: { with: URI::MailTo::EMAIL_REGEXP }
end

# In the controller: a body, not redirect_to.
render json: user, status: :created`,
    ],
  },
  'create.concurrent': {
    why: 'Two people sign up in the same second, and one of them is lost or gets the account of the other.',
    mistake:
      'An identifier is made of `users.length + 1` before an `await`, a file is read, changed and written back, or `last_insert_rowid()` is asked on a connection that other requests share.',
    fixes: [INSERTED.express, INSERTED.go],
    free: 'A service may reject with 429 or 503 what is too much for it.',
  },
  'create.same-name': {
    why: 'Many people share a name. The second one must not replace the first or get the account of the first.',
    mistake:
      'Users are kept in a map by name, or created by `findOrCreate({ where: { name } })` or `find_or_create_by(name:)`.',
    fixes: [
      express`
// The key is the identifier, which is unique.
const user = { id: randomUUID(), email, name };
users.set(user.id, user);`,
      rails`
# create!, not find_or_create_by!(name: name)
user = User.create!(email: email, name: name)`,
    ],
  },
  'create.same-email': {
    why: 'Whoever signs up with the address of somebody else renames or takes over that account.',
    mistake:
      'The creation is an upsert: `ON CONFLICT (email) DO UPDATE`, `save()` of an entity whose key is the email, or `map.set(email, user)`. Another letter case often gets around the check.',
    fixes: [
      express`
// INSERT without ON CONFLICT: a unique index rejects the second user.
try {
  res.status(201).json(await insertUser(email, name));
} catch (error) {
  if (error.code !== '23505') throw error; // unique_violation
  res.status(409).json({ error: 'email is taken' });
}`,
      spring`
@ExceptionHandler(DataIntegrityViolationException.class)
ResponseEntity<Void> onTakenEmail() {
    return ResponseEntity.status(HttpStatus.CONFLICT).build();
}`,
    ],
  },
  'create.accepted-exists': {
    why: 'The client saw a success and forgets the data, which nobody has.',
    mistake:
      'The response is sent before the write is done or committed: a missing `await` or `commit()`, a background task whose error nobody sees, or `INSERT IGNORE`, which drops a row silently.',
    fixes: [
      express`
const user = await insertUser(email, name); // await: errors end up here
res.status(201).json(user);`,
      fastapi`
@users.post("", status_code=201)
async def create(new: NewUser, db: Session) -> User:
    user = UserRow(email=new.email, name=new.name)
    db.add(user)
    await db.commit()  # before the response, not in a background task
    return User.model_validate(user, from_attributes=True)`,
    ],
  },
};

/** Bodies that make no user. */
const invalid: Entries = {
  'create.email-required': {
    why: 'The service stores a user who can never be reached, and a client never learns of its mistake.',
    mistake:
      'A member that is missing becomes a default: `undefined` in JavaScript, the zero value "" in Go, null in Java unless `@Valid` is there, or what the object of the previous request still held.',
    fixes: [CHECKED.express, CHECKED.go],
  },
  'create.name-required': {
    why: 'Users without a name, or named "undefined", appear in every list that a client shows.',
    mistake:
      'The name is not checked, has a fallback (`body.name ?? body.username`), or is checked for one spelling of the media type only: a validator of Fastify skipped `Application/JSON` (CVE-2025-32442).',
    fixes: [CHECKED.fastapi, CHECKED.spring],
  },
  'create.members-required': {
    why: 'Any object makes a user, so that a request meant for another service fills this one with empty users.',
    mistake:
      'Members are optional in the model and nothing checks them (`email: str = ""`), names are trimmed before they are compared, or members are searched for at any depth.',
    fixes: [CHECKED.fastapi, CHECKED.go],
  },
  'create.object-required': {
    why: 'A list of users or a string makes one wrong user instead of an error.',
    mistake:
      'express.json() takes arrays, and `req.body.email` of one is undefined. In Go, `null` decodes into a struct without an error; serde in Rust takes an array of two strings for a struct.',
    fixes: [CHECKED.express, CHECKED.flask],
  },
  'create.body-required': {
    why: 'A client whose body got lost on the way sees a success, or a fault of the service.',
    mistake:
      'Without a body `req.body` is undefined in Express 5 and {} in Express 4; in Go, the error `io.EOF` of the decoder is ignored.',
    fixes: [CHECKED.express, CHECKED.go],
    free: ANY_REJECTION,
  },
  'create.complete-json': {
    why: 'A body that was cut on the way makes a user with half a name.',
    mistake:
      'The error of the parser is ignored: `_ = json.NewDecoder(r.Body).Decode(&body)` keeps the members before the end, and `get_json(silent=True)` in Flask makes None of it.',
    fixes: [CHECKED.go, CHECKED.flask],
    free: 'Text after a complete JSON value is free: it may be ignored or rejected.',
  },
  'create.strings-only': {
    why: 'Typed clients fail to read the whole list because of one user whose name is a number.',
    mistake:
      'The body is stored as it came: a truthiness check (`if (!name)`) lets objects and arrays through, and a JSON column or a document database keeps them. `{"$ne": ""}` as an email can even reach a query.',
    fixes: [CHECKED.express, CHECKED.flask],
    free: 'The service may reject another type, or convert it to a string.',
  },
};

/** Recommendations for statuses and headers, and the effect of a rejection. */
const responses: Entries = {
  'create.refused-creates-nothing': {
    why: 'The client sees an error and tries again: now there are two users, or one whom nobody wanted.',
    mistake:
      'The user is stored before the last check, without a transaction around both, or the handler goes on after the error: `http.Error` in Go does not end it. In Spring, `@Transactional` does not roll back for a checked exception.',
    fixes: [
      go`
if body.Email == nil || body.Name == nil {
    http.Error(w, "email and name", http.StatusBadRequest)
    return // http.Error does not end the handler.
}
insertUser(r.Context(), *body.Email, *body.Name)`,
      spring`
@Transactional(rollbackFor = Exception.class)
public User add(NewUser body) throws InvalidUserException {
    check(body); // all checks first
    return repository.save(new User(body.email(), body.name()));
}`,
    ],
    free: ANY_REJECTION,
  },
  'create.invalid-status': {
    why: 'A client repeats a request after a 500 or follows a redirect, and never learns that its body is wrong.',
    mistake:
      'An error handler makes a 500 of everything, also of the 400 that a body parser throws; or `json.loads(request.data)` raises an exception that nobody catches.',
    fixes: [
      express`
app.use((error, req, res, next) => {
  // express.json() throws errors with a status of their own: 400, 413.
  res.status(error.status ?? 500).json({ error: 'request failed' });
});`,
      CHECKED.flask,
    ],
  },
  'create.answered': {
    why: 'The client waits until its own timeout, and does not know whether the user exists.',
    mistake:
      'In Express 4 a rejected promise of an async handler leaves the request without a response. In Spring, a DeferredResult is never completed if the work behind it fails.',
    fixes: [
      express`
// Express 5 does this by itself.
const handle = (handler) => (req, res, next) =>
  Promise.resolve(handler(req, res)).catch(next);

v1.post('/users', handle(createUser));`,
      spring`
var result = new DeferredResult<ResponseEntity<User>>(5_000L);
users.add(body).whenComplete((user, error) -> {
    if (error != null) result.setErrorResult(error);
    else result.setResult(ResponseEntity.status(201).body(user));
});
return result;`,
    ],
    free: 'The response may be a rejection of any kind.',
  },
  'create.mistyped-status': {
    why: 'A client with a wrong type gets no hint, and finds "42" or "[object Object]" as a name later.',
    mistake:
      'The value is converted: Jackson makes strings of numbers and booleans by default, and template strings in JavaScript of everything.',
    fixes: [
      spring`
@Bean
Jackson2ObjectMapperBuilderCustomizer strictStrings() {
    return builder -> builder.postConfigurer(mapper -> mapper
        .coercionConfigFor(LogicalType.Textual)
        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
}`,
      CHECKED.express,
    ],
    free: 'The interface allows a conversion to a string, so this is a warning.',
  },
  'create.identifier-agrees': {
    why: 'A client keeps the identifier of the create response, and later retrieves nobody or somebody else.',
    mistake:
      'The response is made before the database has its say: of a temporary identifier, of `users.at(-1)`, or of an entity from before `save()`.',
    fixes: [INSERTED.express, INSERTED.spring],
  },
  'create.status-201': {
    why: 'A client tells from a 201 that a user was made, and from a 202 that it comes later. A 200 says neither.',
    mistake:
      'The status is the default of the framework: 200 in Express, FastAPI, Flask, Spring and Go.',
    fixes: [CREATED.fastapi, CREATED.spring],
  },
  'create.location': {
    why: 'A client follows the Location to the new user, without a rule of its own for making paths.',
    mistake:
      'The header is missing, is relative to the wrong base (`users/1` at `/v1/users/`), has the identifier not percent-encoded, or is made of `X-Forwarded-Proto: https,http` of two proxies.',
    fixes: [CREATED.express, CREATED.spring],
  },
};

export const creations: Entries = { ...accepted, ...invalid, ...responses };
