import type { Entries } from './entry.ts';
import { aspnet, django, express, fastapi, flask, go, rails, spring } from './stacks.ts';

const responses: Entries = {
  'http.json': {
    why: 'A client parses every success as JSON. A page, a plain word or a cut body is an exception in its code.',
    mistake:
      '`res.sendStatus(201)` sends the text "Created", `json.dumps` in Python writes NaN, which is no JSON, and a Content-Length counted in characters cuts the body at the first accent.',
    fixes: [
      express`
res.status(201).json(user); // not res.sendStatus(201)
// If you set the length yourself, count bytes:
res.set('Content-Length', String(Buffer.byteLength(text)));`,
      flask`
# A dict becomes JSON; NaN and infinity are replaced first.
mean = statistics.fmean(values) if values else None
return {"id": user.id, "email": user.email, "mean": mean}`,
    ],
  },
  'http.content-type': {
    why: 'HTTP libraries decide by Content-Type whether to parse a body, and give the client a text otherwise.',
    mistake:
      'Go guesses the type and sends `text/plain` unless it is set before the first write; a string that a Flask view returns is `text/html`, and so is `res.send(JSON.stringify(user))` in Express.',
    fixes: [
      go`
w.Header().Set("Content-Type", "application/json") // before WriteHeader
w.WriteHeader(http.StatusOK)
json.NewEncoder(w).Encode(user)`,
      flask`
# A dict, not json.dumps(...): Flask sets the type for it.
return {"id": user.id, "email": user.email, "name": user.name}`,
    ],
  },
  'http.content-coding': {
    why: 'Clients try to decompress the body, or give up at a coding that they do not know.',
    mistake:
      'The charset is put into the wrong header: `setHeader("Content-Encoding", "UTF-8")` in servlets, or `ContentEncoding: "utf8"` of an object in a cloud storage.',
    fixes: [
      spring`
// The charset belongs to the Content-Type; JSON is UTF-8 anyway.
response.setContentType("application/json");
response.setCharacterEncoding("UTF-8");`,
      express`
// No Content-Encoding, unless compression() sets it.
res.type('json').send(JSON.stringify(user));`,
    ],
    free: 'Any content coding is free if the request has no Accept-Encoding.',
  },
  'http.no-byte-order-mark': {
    why: '`JSON.parse` and many other parsers fail at the first character.',
    mistake:
      '`Encoding.UTF8` in .NET writes a mark at the beginning of a stream, and so does the codec `utf-8-sig` in Python; a file that Windows wrote is sent as it is.',
    fixes: [
      aspnet`
var utf8 = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
await using var writer = new StreamWriter(response.Body, utf8);`,
      flask`
text = path.read_text(encoding="utf-8-sig")  # removes a mark
return Response(text.encode("utf-8"), mimetype="application/json")`,
    ],
    free: 'The bodies of rejections are free.',
  },
};

const requests: Entries = {
  'http.equivalent-requests': {
    why: 'Another HTTP library, a proxy or a formatter changes such details. A client then fails with a request that is as valid as before.',
    mistake:
      'The Accept header is compared as text (`accept === "application/json"`), or the path is answered by format: Rails responds with 406 to an Accept that it does not know. JSON is read by a pattern instead of a parser, or headers are looked up in one spelling.',
    fixes: [
      express`
// Negotiates: */*, a list with q values and no header allow JSON.
if (!req.accepts('json')) return res.sendStatus(406);
const { email, name } = req.body; // from express.json(), in any order`,
      rails`
# config/routes.rb: JSON, whatever the Accept header says
namespace :v1, defaults: { format: :json } do
  resources :users, only: %i[index create show]
end

# In the controller: render json:, without respond_to.`,
    ],
  },
  'http.chunked-body': {
    why: 'Clients that stream a body send no Content-Length, and their users are created empty or rejected.',
    mistake:
      'WSGI applications read as many bytes as Content-Length says, none without it; Django does so behind most servers. In Node, a check of `req.headers["content-length"]` has the same effect.',
    fixes: [
      django`
# In a middleware: 411 asks the client for a length.
def require_length(get_response):
    def middleware(request):
        if "HTTP_TRANSFER_ENCODING" in request.META:
            return HttpResponse(status=411)
        return get_response(request)
    return middleware`,
      express`
// express.json() reads chunks. No test of content-length before it.
app.use(express.json({ limit: '1mb' }));`,
    ],
  },
  'http.media-type': {
    why: 'Many clients add `; charset=utf-8` by default, and each of their creations is rejected.',
    mistake:
      'The header is compared as text: `contentType === "application/json"`. Falcon 3 rejects capitals.',
    fixes: [
      express`
// Compares without case and parameters.
if (!req.is('application/json')) return res.sendStatus(415);`,
      go`
mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
if err != nil || mediaType != "application/json" {
    http.Error(w, "media type", http.StatusUnsupportedMediaType)
    return
}`,
    ],
    free: 'Other media types are free: they may be accepted or rejected.',
  },
};

const faults: Entries = {
  'http.no-sporadic-error': {
    why: 'One request in a hundred fails for no reason that a client could see, and it cannot know whether to repeat a creation.',
    mistake:
      'SQLite responds with "database is locked" while another request writes, a pool hands out a connection that the database has closed, or an array is shorter than the code expects.',
    fixes: [
      express`
// better-sqlite3: readers do not block, writers wait.
db.pragma('journal_mode = WAL');
db.pragma('busy_timeout = 5000');`,
      fastapi`
# SQLAlchemy: checks a connection before it is used.
engine = create_async_engine(
    DATABASE_URL, pool_pre_ping=True, pool_recycle=300
)`,
    ],
  },
  'http.concurrent-requests': {
    why: 'A service that is right in every test fails under load, and nobody can repeat it.',
    mistake:
      'The language, the format or the key of a request is kept in a variable of the module, which the next request overwrites while the first one still awaits.',
    fixes: [
      express`
// On the response of this request, not in a variable of the module.
app.use((req, res, next) => {
  res.locals.language = req.acceptsLanguages('en', 'de') || 'en';
  next();
});`,
      flask`
# flask.g belongs to one request; a global belongs to all.
@app.before_request
def read_language():
    g.language = request.accept_languages.best_match(["en", "de"], "en")`,
    ],
    free: 'A service may reject with 429 or 503 what is too much for it.',
  },
  'http.survives-bad-requests': {
    why: 'One malformed request, or a client that gives up, stops the service for everybody.',
    mistake:
      'A rejected promise of a request listener ends the Node process, also when a client gives up in the middle of its body; a connection with an aborted transaction goes back to the pool or never comes back; a lock stays locked; a server leaves the body of a rejected request unread, and takes it for the next request.',
    fixes: [
      express`
const client = await pool.connect();
try {
  await client.query('BEGIN');
  const user = await insertUser(client, email, name);
  await client.query('COMMIT');
  res.status(201).json(user);
} catch (error) {
  await client.query('ROLLBACK');
  throw error; // to the error handler
} finally {
  client.release(); // whatever happened
}`,
      go`
mu.Lock()
defer mu.Unlock() // also after a panic, which net/http recovers

tx, err := db.BeginTx(r.Context(), nil)
if err != nil {
    http.Error(w, "database", http.StatusServiceUnavailable)
    return
}
defer tx.Rollback() // does nothing after a Commit`,
    ],
  },
  'http.no-server-error': {
    why: 'A 5xx says that the service is at fault: clients repeat the request, and alarms go off for a typo.',
    mistake:
      'Odd input reaches code that throws: a NUL in a string for PostgreSQL, a body that is too large, an unknown path behind an error handler that knows one status, or a firewall that rejects with an exception.',
    fixes: [
      express`
// PostgreSQL stores no NUL.
if ([email, name].some((text) => text.includes('\0')))
  return res.status(400).json({ error: 'NUL' });

app.use((error, req, res, next) => {
  res.status(error.status ?? 500).json({ error: 'request failed' });
});`,
      spring`
@RestControllerAdvice
class Errors {
    @ExceptionHandler({
        IllegalArgumentException.class,
        DataIntegrityViolationException.class,
        RequestRejectedException.class
    })
    ResponseEntity<Void> onBadRequest() {
        return ResponseEntity.badRequest().build();
    }
}`,
    ],
  },
};

export const http: Entries = { ...responses, ...requests, ...faults };
