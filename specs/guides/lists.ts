import type { Entries } from './entry.ts';
import { django, express, fastapi, flask, go, rails, spring } from './stacks.ts';

/** The total of a list is counted with the list. */
const COUNTED = {
  express: express`
v1.get('/users', async (req, res) => {
  const { rows } = await pool.query('SELECT id, email, name FROM users');
  // All users are shown, so their number is the total.
  res.json({ data: rows, total: rows.length });
});`,
  spring: spring`
@GetMapping("/v1/users")
@Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
public UserList list(@PageableDefault(sort = "id") Pageable pageable) {
    // The page and its count see the same state.
    Page<User> page = users.findAll(pageable);
    return new UserList(page.getContent(), page.getTotalElements());
}`,
  django: django`
def list_users(request):
    users = list(User.objects.order_by("id").values("id", "email", "name"))
    # No counter beside the table: nothing can drift apart.
    return JsonResponse({"data": users, "total": len(users)})`,
};

const SERIALIZED = {
  express: express`
// One function for the list, the creation and the retrieval.
const userJson = ({ id, email, name }) => ({ id, email, name });

v1.get('/users', async (req, res) => {
  const users = await findUsers();
  res.json({ data: users.map(userJson), total: users.length });
});`,
  fastapi: fastapi`
class User(BaseModel):
    id: UUID
    email: str
    name: str

@users.get("/{user_id}")
async def retrieve(user_id: str) -> User: ...

@users.get("")
async def list_users() -> UserList: ...  # its data is a list[User]`,
};

const responses: Entries = {
  'list.answers': {
    why: 'Without the list a client cannot find a single user.',
    mistake:
      'The route ends in a slash, and the framework redirects to it: Go for a pattern `/users/`, FastAPI for `@router.get("/")`, Django by APPEND_SLASH. Or the list loads everything in a query that fails once there are many users.',
    fixes: [
      go`
// No slash at the end: the mux redirects to a pattern that has one.
mux.HandleFunc("GET /v1/users", listUsers)`,
      fastapi`
users = APIRouter(prefix="/v1/users")

@users.get("")  # not "/", which redirects
async def list_users() -> UserList: ...`,
    ],
  },
  'list.data-array': {
    why: 'A client iterates over `data`. With null, an object or a bare array in its place the loop throws on the first day, when there are no users yet.',
    mistake:
      'In Go a nil slice becomes `null` in JSON. In Rails `render json: User.all` is a bare array, and elsewhere a map by identifier is written as an object.',
    fixes: [
      go`
users := []map[string]any{} // not var users []map[string]any: that is null
for rows.Next() {
    users = append(users, scanUser(rows))
}
writeJSON(w, http.StatusOK,
    map[string]any{"data": users, "total": len(users)})`,
      rails`
def index
  users = User.order(:id).as_json(only: %i[id email name])
  render json: { data: users, total: users.size }
end`,
    ],
    free: 'The list may have further members beside `data` and `total`.',
  },
  'list.total-integer': {
    why: 'A client calculates with `total`. A string breaks typed clients, and in JavaScript `"10" + 1` is "101".',
    mistake:
      'node-postgres returns `count(*)` as a string, because a bigint may not fit into a number. In Java, a serializer that writes every Long as a string, registered for large identifiers, also writes the total.',
    fixes: [
      express`
const { rows } = await pool.query('SELECT count(*) FROM users');
res.json({ data, total: Number(rows[0].count) });`,
      spring`
// The serializer is for the identifier alone, not for every Long.
record UserJson(
    @JsonSerialize(using = ToStringSerializer.class) long id,
    String email,
    String name) {}

record UserList(List<UserJson> data, long total) {}`,
    ],
    free: '`3.0` and `3e0` are integers in JSON, too.',
  },
  'list.users': {
    why: 'A client shows the list with names and addresses. A missing or null one is a crash, or an empty row.',
    mistake:
      'The list has a shorter serializer than the retrieval; old rows have no name; Oracle stores an empty string as null; JSON_NUMERIC_CHECK in PHP writes the name "007" as a number.',
    fixes: [
      SERIALIZED.express,
      django`
class User(models.Model):
    email = models.TextField()
    # No null=True. A migration fills the old rows.
    name = models.TextField(default="")`,
    ],
  },
};

const members: Entries = {
  'list.contains-created': {
    why: 'A user who is missing from the list or listed twice is a user whom the client loses or counts twice.',
    mistake:
      'Each worker has a list of its own in memory (Gunicorn, PM2 and Puma start several), a cache is not invalidated by a creation, or a JOIN returns a user once for each row of the other table.',
    fixes: [
      flask`
# Workers share the database, not a list of this module.
@app.get("/v1/users")
def list_users():
    rows = db.execute("SELECT id, email, name FROM users").fetchall()
    return {"data": [dict(row) for row in rows], "total": len(rows)}`,
      rails`
# distinct: a JOIN has a row for each role of a user.
users = User.left_joins(:roles).distinct.order(:id)
data = users.as_json(only: %i[id email name])
render json: { data: data, total: data.size }`,
    ],
  },
  'list.agrees-with-retrieve': {
    why: 'A client takes an identifier from the list and retrieves a user. If they disagree, it shows or changes the wrong person.',
    mistake:
      'Two places turn a row into JSON: the list numbers its items anew (`users.map((user, id) => …)`), formats names, or reads a view that is refreshed later.',
    fixes: [SERIALIZED.express, SERIALIZED.fastapi],
  },
};

const totals: Entries = {
  'list.total-covers-data': {
    why: 'A client that allocates or pages by `total` drops the users beyond it.',
    mistake:
      'The total is counted elsewhere than the data: in a cache, on a replica that lags, in another transaction, or with `COUNT(DISTINCT …)` of a column that is not unique.',
    fixes: [COUNTED.express, COUNTED.spring],
  },
  'list.total-exact': {
    why: 'A client that waits for `total` users asks for a next page that never comes.',
    mistake:
      'The total is a counter beside the table: it is raised before a creation is rejected, starts at 1, or counts deleted rows that the list filters out.',
    fixes: [COUNTED.django, COUNTED.express],
  },
  'list.empty-only-at-zero': {
    why: 'A client that sees no users although there are some concludes that all were lost.',
    mistake:
      'Pages are counted from 1 on one side and from 0 on the other: `OFFSET page * size` with page 1 skips the first page. Spring Data counts from 0.',
    fixes: [
      express`
const size = 50;
const page = Math.max(1, Number(req.query.page) || 1);
const offset = (page - 1) * size; // nothing is skipped without a query
const { rows } = await pool.query(
  'SELECT id, email, name FROM users ORDER BY id LIMIT $1 OFFSET $2',
  [size, offset],
);`,
      spring`
@GetMapping("/v1/users")
public UserList list(@RequestParam(defaultValue = "1") int page) {
    // PageRequest counts from 0.
    var request = PageRequest.of(Math.max(page - 1, 0), 50, Sort.by("id"));
    Page<User> users = repository.findAll(request);
    return new UserList(users.getContent(), users.getTotalElements());
}`,
    ],
  },
  'list.total-counts-creations': {
    why: 'A client reads from `total` how many users there are, and whether a creation succeeded.',
    mistake:
      'The total is that of the page (`rows.length` behind a LIMIT), is cached, counts the rows of a JOIN, is an estimate (`reltuples`), or ends at 10,000 as in Elasticsearch without `track_total_hits`.',
    fixes: [
      express`
const page = 'SELECT id, email, name FROM users ORDER BY id LIMIT $1';
const { rows } = await pool.query(page, [size]);
const all = await pool.query('SELECT count(*) FROM users');
// Not rows.length, which is that of the page.
res.json({ data: rows, total: Number(all.rows[0].count) });`,
      spring`
Page<User> page = users.findAll(pageable);
// Not getNumberOfElements(), which is that of the page.
return new UserList(page.getContent(), page.getTotalElements());`,
    ],
  },
  'list.total-unchanged-by-reads': {
    why: 'A read that writes grows the data by itself, and a client that polls makes it worse.',
    mistake:
      'The retrieval creates what it does not find (`get_or_create`, `find_or_create_by`, an upsert), a counter counts requests, or several replicas respond in turn.',
    fixes: [
      rails`
def show
  user = User.find_by(id: params[:id]) # not find_or_create_by
  return head :not_found if user.nil?

  render json: user.as_json(only: %i[id email name])
end`,
      django`
def retrieve(request, pk):
    user = get_object_or_404(User, pk=pk)  # not get_or_create
    return JsonResponse(user_json(user))`,
    ],
  },
};

export const lists: Entries = { ...responses, ...members, ...totals };
