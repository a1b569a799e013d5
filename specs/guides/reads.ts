import type { Entries } from './entry.ts';
import { aspnet, django, express, flask, go, rails, spring } from './stacks.ts';

/** A lookup by one identifier, exactly. */
const LOOKUP = {
  express: express`
v1.get('/users/:id', async (req, res) => {
  // Equality and a parameter: no LIKE, no pattern, no string of SQL.
  const { rows } = await pool.query(
    'SELECT id, email, name FROM users WHERE id = $1',
    [req.params.id],
  );
  if (rows.length !== 1) return res.status(404).json({ error: 'user' });
  res.json(rows[0]);
});`,
  go: go`
user, found := users[r.PathValue("id")]
if !found { // without found, it is the zero value of a user
    http.Error(w, "user", http.StatusNotFound)
    return
}`,
  flask: flask`
@app.get("/v1/users/<user_id>")
def retrieve(user_id):
    query = "SELECT id, email, name FROM users WHERE id = ?"
    row = db.execute(query, (user_id,)).fetchone()
    if row is None:
        return {"error": "user"}, 404
    return dict(row)`,
  spring: spring`
@GetMapping("/v1/users/{id}")
ResponseEntity<User> retrieve(@PathVariable UUID id) {
    // 404 for an empty Optional; 400 for what is no UUID.
    return ResponseEntity.of(users.findById(id));
}`,
};

const FORM = {
  express: express`
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

v1.param('id', (req, res, next, id) => {
  if (UUID.test(id)) return next();
  res.status(404).json({ error: 'user' });
});`,
  rails: rails`
def show
  # MySQL reads a word as 0, so that only digits may reach it.
  id = params[:id]
  user = id.match?(/\A\d{1,18}\z/) ? User.find_by(id: id) : nil
  return head :not_found if user.nil?

  render json: user.as_json(only: %i[id email name])
end`,
  django: django`
urlpatterns = [
    # A path with any other text is a 404 before the database sees it.
    path("v1/users/<uuid:pk>", retrieve),
]`,
};

const found: Entries = {
  'retrieve.created-user': {
    why: 'A client created a user, and cannot get it.',
    mistake:
      'The identifier changes on its way: mysql2 rounds integers beyond 2^53, Spring before 5.3 removes the end of an email as a file extension, and a router compares before it decodes percent signs.',
    fixes: [
      express`
// mysql2: integers beyond 2^53 come as strings, not rounded.
const pool = mysql.createPool({
  uri: process.env.DATABASE_URL,
  supportBigNumbers: true,
});`,
      spring`
// The pattern keeps what follows a dot, as in an email.
@GetMapping("/v1/users/{id:.+}")
ResponseEntity<User> retrieve(@PathVariable String id) {
    return ResponseEntity.of(users.findById(id));
}`,
    ],
  },
  'retrieve.exact-user': {
    why: 'A client shows the data of somebody else: a breach, and the wrong person gets the mail.',
    mistake:
      'The query lacks its condition or compares loosely, and the first row is taken: `rows[0]` without WHERE, LIKE, a prefix, or a closure that holds the last user.',
    fixes: [
      LOOKUP.express,
      django`
def retrieve(request, pk):
    # Exactly one row, or 404; not filter(...).first()
    user = get_object_or_404(User, pk=pk)
    return JsonResponse(user_json(user))`,
    ],
  },
  'retrieve.values': {
    why: 'The client sent one name or address and gets another: mail goes astray, and people are called by a wrong name.',
    mistake:
      'Input is "cleaned": `escape()` of express-validator makes `&#x27;` of an apostrophe, names are put into title case or trimmed inside, and a column of 30 characters cuts the rest.',
    fixes: [
      express`
// Validators alone, no sanitizers: no escape(), no trim() of a name.
v1.post('/users', body('email').isEmail(), body('name').isString(), create);`,
      django`
class User(models.Model):
    # No max_length that cuts, no save() that changes case.
    email = models.TextField()
    name = models.TextField()`,
    ],
  },
  'retrieve.existing-users': {
    why: 'Users of an import or an older version are in the list, and cannot be opened.',
    mistake:
      'Old identifiers have another type: `users.get("1")` of a Map finds no key 1, and the converter `<int:id>` of Flask knows no UUID. Or list and retrieval read two tables.',
    fixes: [
      express`
// A path has strings, so the keys are strings.
const users = new Map(rows.map((user) => [String(user.id), user]));
const user = users.get(req.params.id);`,
      LOOKUP.flask,
    ],
    free: 'The list may show no identifiers; then this is not judged.',
  },
  'retrieve.repeatable': {
    why: 'A client that reads twice sees two different users, and cannot tell which one is true.',
    mistake:
      'A read changes what is cached: `delete user.id` or `user.pop("password")` on the shared object, an identifier made anew by the serializer, or a cache by ETag without the path.',
    fixes: [
      express`
// A new object; the one in the cache stays whole.
const { password, ...shown } = user;
res.json(shown);`,
      flask`
# A new dict; the one in the cache stays whole.
shown = {key: user[key] for key in ("id", "email", "name")}
return shown`,
    ],
    free: 'Other members may differ from read to read, such as a time of the last access.',
  },
  'retrieve.concurrent': {
    why: 'Under load a client gets the data of the user whom somebody else has asked for.',
    mistake:
      'A variable of the module or a field of a singleton holds the current user while a query is awaited: `let user` outside the handler in Node, a field of a Spring controller.',
    fixes: [
      express`
v1.get('/users/:id', async (req, res) => {
  const user = await findUser(req.params.id); // const, inside the handler
  if (user === undefined) return res.status(404).json({ error: 'user' });
  res.json(user);
});`,
      spring`
@RestController
class UserController {
    // Only collaborators are fields: all requests share this object.
    private final UserRepository users;

    UserController(UserRepository users) { this.users = users; }

    @GetMapping("/v1/users/{id}")
    ResponseEntity<User> retrieve(@PathVariable UUID id) {
        return ResponseEntity.of(users.findById(id));
    }
}`,
    ],
    free: 'A service may reject with 429 or 503 what is too much for it.',
  },
};

const unknown: Entries = {
  'retrieve.unknown': {
    why: 'A client that asks for a deleted or mistyped user gets a real one, and works on the wrong person.',
    mistake:
      'A fallback fills the gap: `users.find(…) ?? users[0]`, `ORDER BY … LIMIT 1` with `>=`, or the zero value of a map in Go.',
    fixes: [LOOKUP.express, LOOKUP.go],
  },
  'retrieve.odd': {
    why: 'A variable that is not set in a client becomes `/users/undefined`, and that must not be somebody.',
    mistake:
      'TypeORM returns the first row for `findOneBy({ id: undefined })`, MySQL compares a word with an integer column as 0, and a decoded slash leads to the list.',
    fixes: [FORM.express, FORM.rails],
    free: 'Any response without a user will do: a 4xx, an HTML page, or `{}`.',
  },
  'retrieve.pattern': {
    why: 'A stranger reads users without knowing an identifier, and an SQL condition reads much more.',
    mistake:
      'The identifier is put into a query or a pattern: an f-string of SQL, LIKE, `new RegExp(id)`, `users[id]` of an array or of a plain object, where `__proto__` and `constructor` exist.',
    fixes: [
      express`
// A Map has no constructor and no __proto__ among its entries.
const user = users.get(req.params.id);
if (user === undefined) return res.status(404).json({ error: 'user' });
res.json(user);`,
      LOOKUP.flask,
    ],
    free: 'Lenient lookups of a known identifier are free: leading zeros, white space around it, another case.',
  },
  'retrieve.unknown-status': {
    why: 'A client takes a 200 with nothing in it for a user, and crashes a line later.',
    mistake:
      'The handler returns what the lookup returned: None in FastAPI and null in Spring become a 200, and so does `res.json(undefined)`.',
    fixes: [LOOKUP.spring, LOOKUP.flask],
  },
  'retrieve.odd-status': {
    why: 'A typo in a client looks like a fault of the service, and pages somebody at night.',
    mistake:
      'The database or the decoder throws: PostgreSQL on a text that is no UUID (22P02), a UUIDField in Django, `decodeURIComponent("%")` in JavaScript. No code catches it, so it is a 500.',
    fixes: [FORM.express, FORM.django],
  },
};

const strings: Entries = {
  'round-trip.letters-beyond-ascii': {
    why: 'José, 山田 and Мария see their own names broken, and two people become the same "???".',
    mistake:
      'Bytes are decoded piece by piece or in another charset: `text += chunk` in Node splits a letter between two chunks, `getBytes()` in Java takes the default charset, and `utf8` in MySQL has no characters of four bytes: it needs `utf8mb4`.',
    fixes: [
      express`
// Decoded once, as a whole. express.json() does the same.
const chunks = [];
for await (const chunk of req) chunks.push(chunk);
const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));`,
      spring`
byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
String text = new String(bytes, StandardCharsets.UTF_8);
// MySQL: ALTER TABLE users CONVERT TO CHARACTER SET utf8mb4`,
    ],
    free: 'A name with such letters may be rejected; if it is accepted, it comes back unchanged.',
  },
  'round-trip.other-strings': {
    why: 'A value that was accepted and changed silently is a wrong value that nobody notices.',
    mistake:
      'A library is too clever: Newtonsoft.Json rewrites strings that look like dates, PHP writes "007" as 7 with JSON_NUMERIC_CHECK, sanitizers remove `<`, and `trim()` or a line-end filter changes white space.',
    fixes: [
      aspnet`
builder.Services.AddControllers().AddNewtonsoftJson(options =>
    options.SerializerSettings.DateParseHandling = DateParseHandling.None);`,
      express`
// Stored as it came. HTML is escaped where a page shows it, not here.
const { email, name } = req.body;
await insertUser(email, name);`,
    ],
  },
};

export const reads: Entries = { ...found, ...unknown, ...strings };
