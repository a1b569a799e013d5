import type { Entries } from './entry.ts';
import { express, fastapi, flask, go, rails, spring } from './stacks.ts';

const ANY_REJECTION = 'The rejection may have any status but 2xx, and any body.';

/** The whole check of a key, for every request. */
const WHOLE_CHECK = {
  express: express`
const digest = (text) => createHash('sha256').update(text).digest();
const expected = digest(process.env.API_KEY);

// Before all routes, and without a path.
app.use((req, res, next) => {
  const header = req.get('authorization') ?? '';
  const [, key] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (key && timingSafeEqual(digest(key), expected)) return next();
  res.set('WWW-Authenticate', 'Bearer').status(401).json({ error: 'key' });
});`,
  fastapi: fastapi`
@app.middleware("http")
async def require_key(request: Request, call_next):
    header = request.headers.get("authorization", "")
    scheme, _, key = header.partition(" ")
    is_key = secrets.compare_digest(key.encode(), API_KEY.encode())
    if scheme.lower() == "bearer" and is_key:
        return await call_next(request)
    challenge = {"WWW-Authenticate": "Bearer"}
    return JSONResponse({"error": "key"}, 401, challenge)`,
  go: go`
func requireKey(next http.Handler) http.Handler {
    return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
        header := r.Header.Get("Authorization")
        scheme, key, _ := strings.Cut(header, " ")
        isKey := subtle.ConstantTimeCompare([]byte(key), apiKey) == 1
        if !strings.EqualFold(scheme, "Bearer") || !isKey {
            w.Header().Set("WWW-Authenticate", "Bearer")
            http.Error(w, "key", http.StatusUnauthorized)
            return
        }
        next.ServeHTTP(w, r)
    })
}`,
  spring: spring`
@Bean
SecurityFilterChain api(HttpSecurity http) throws Exception {
    return http
        .csrf(csrf -> csrf.disable())
        .authorizeHttpRequests(all -> all.anyRequest().authenticated())
        .addFilterBefore(keyFilter, AuthorizationFilter.class)
        .build();
}`,
  rails: rails`
class ApplicationController < ActionController::API
  before_action :require_key

  private

  def require_key
    scheme, key = request.authorization.to_s.split(" ", 2)
    is_key = ActiveSupport::SecurityUtils.secure_compare(key.to_s, API_KEY)
    return if scheme.to_s.casecmp?("Bearer") && is_key

    response.set_header("WWW-Authenticate", "Bearer")
    render json: { error: "key" }, status: :unauthorized
  end
end`,
};

const SCHEME_CHECK = {
  express: express`
const header = req.get('authorization') ?? '';
// The scheme, spaces, one token, and nothing else.
const [, key] = /^Bearer +([\w.~+/-]+=*)$/i.exec(header) ?? [];
if (key === undefined) return reject(res);`,
  go: go`
scheme, key, found := strings.Cut(r.Header.Get("Authorization"), " ")
if !found || !strings.EqualFold(scheme, "Bearer") || !isKey(key) {
    reject(w)
    return
}`,
  fastapi: fastapi`
BEARER = re.compile(r"Bearer +([\w.~+/-]+=*)", re.IGNORECASE | re.ASCII)

match = BEARER.fullmatch(request.headers.get("authorization", ""))
if match is None or not is_key(match[1]):
    return reject()`,
};

const WHOLE_KEY = {
  express: express`
const digest = (text) => createHash('sha256').update(text).digest();

// Compares all of both keys, whatever their lengths.
const isKey = (key) =>
  timingSafeEqual(digest(key), digest(process.env.API_KEY));`,
  go: go`
func isKey(key string) bool {
    // All of both keys: 0 if their lengths differ.
    return subtle.ConstantTimeCompare([]byte(key), apiKey) == 1
}`,
  fastapi: fastapi`
def is_key(key: str) -> bool:
    # All of both keys, as bytes.
    return secrets.compare_digest(key.encode(), API_KEY.encode())`,
  spring: spring`
boolean isKey(String key) {
    // All of both keys, as bytes.
    byte[] expected = apiKey.getBytes(UTF_8);
    return MessageDigest.isEqual(key.getBytes(UTF_8), expected);
}`,
};

const HEADER_ALONE = {
  express: express`
// The header is the only place. No ?? req.query.access_token,
// no ?? req.get('x-api-key'), no ?? req.cookies.token.
const header = req.get('authorization') ?? '';
const [, key] = /^Bearer +(\S+)$/i.exec(header) ?? [];
if (key === undefined || !isKey(key)) return reject(res);`,
  fastapi: fastapi`
bearer = HTTPBearer(auto_error=False)

# No APIKeyHeader, APIKeyQuery or APIKeyCookie beside it.
def require_key(sent: Annotated[
    HTTPAuthorizationCredentials | None, Depends(bearer)
]):
    if sent is None or not is_key(sent.credentials):
        raise HTTPException(401, headers={"WWW-Authenticate": "Bearer"})`,
  spring: spring`
@Bean
BearerTokenResolver bearerTokenResolver() {
    var resolver = new DefaultBearerTokenResolver();
    resolver.setAllowUriQueryParameter(false);
    resolver.setAllowFormEncodedBodyParameter(false);
    return resolver;
}`,
};

const CHALLENGE = {
  express: express`
res.set('WWW-Authenticate', 'Bearer').status(401).json({ error: 'key' });`,
  flask: flask`
@app.before_request
def require_key():
    if not has_key(request):
        return {"error": "key"}, 401, {"WWW-Authenticate": "Bearer"}`,
  go: go`
w.Header().Set("WWW-Authenticate", "Bearer")
http.Error(w, "key", http.StatusUnauthorized)
return`,
};

/** Requests without a key, and with a wrong one. */
const keys: Entries = {
  'authentication.list-needs-key': {
    why: 'Anybody who can reach the service can read the email addresses of all users.',
    mistake:
      'The guard is registered after the route (in Express, order decides), reading is left open as "public", or a cache in front of the guard serves the list that somebody with the key requested.',
    fixes: [WHOLE_CHECK.express, WHOLE_CHECK.spring],
    free: ANY_REJECTION,
  },
  'authentication.create-needs-key': {
    why: 'Anybody who can reach the service can fill it with users.',
    mistake:
      'The guard is declared for each operation and forgotten for one. In Flask, a decorator above `@app.post` has no effect, because the route registers the function below it; in Spring Security, a matcher of `HttpMethod.GET` leaves POST open.',
    fixes: [
      flask`
# For every request, instead of a decorator for each view.
@app.before_request
def require_key():
    if not has_key(request):
        return {"error": "key"}, 401, {"WWW-Authenticate": "Bearer"}`,
      WHOLE_CHECK.spring,
    ],
    free: ANY_REJECTION,
  },
  'authentication.retrieve-needs-key': {
    why: 'Anybody can read a user by guessing an identifier; integers are guessed at once.',
    mistake:
      'The guard matches the path of the list exactly. In Go, `mux.Handle("/v1/users", guard(h))` does not cover `/v1/users/{id}`; in Spring Security, neither does `requestMatchers("/v1/users")`.',
    fixes: [
      go`
mux := http.NewServeMux()
mux.HandleFunc("GET /v1/users", listUsers)
mux.HandleFunc("POST /v1/users", createUser)
mux.HandleFunc("GET /v1/users/{id}", retrieveUser)
// The guard is around the router, not around one route.
http.ListenAndServe(addr, requireKey(mux))`,
      WHOLE_CHECK.spring,
    ],
    free: ANY_REJECTION,
  },
  'authentication.wrong-key': {
    why: 'A key that was revoked, guessed or invented opens the service as the right one does.',
    mistake:
      'The code checks only that a token is there, or decodes a JWT without verifying it: `jwt.decode` instead of `jwt.verify`, or any algorithm that the token names, `none` included. A key in an SQL string or in a pattern can be made to match, too.',
    fixes: [WHOLE_CHECK.express, WHOLE_CHECK.fastapi],
  },
  'authentication.no-token': {
    why: 'A client whose key is empty by mistake gets in, and so does anybody who sends nothing after the scheme.',
    mistake:
      'The secret is compared up to the length of the token, so that an empty one matches; or the variable with the key is not set, and an empty token equals an empty key.',
    fixes: [
      express`
const { API_KEY } = process.env;
if (!API_KEY) throw new Error('API_KEY is not set.');

const header = req.get('authorization') ?? '';
const [, key] = /^Bearer +(\S+)$/i.exec(header) ?? [];
if (key === undefined || !isKey(key)) return reject(res);`,
      go`
if len(apiKey) == 0 {
    log.Fatal("API_KEY is not set")
}
_, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
if key == "" || subtle.ConstantTimeCompare([]byte(key), apiKey) != 1 {
    reject(w)
    return
}`,
    ],
    free: ANY_REJECTION,
  },
  'authentication.key-cut-short': {
    why: 'If a part of the key is enough, the key can be guessed piece by piece.',
    mistake:
      'The comparison is `API_KEY.startsWith(token)` or `API_KEY.includes(token)`, a prefix in SQL, or bcrypt, which reads the first 72 bytes alone.',
    fixes: [WHOLE_KEY.express, WHOLE_KEY.go],
    free: ANY_REJECTION,
  },
  'authentication.key-extended': {
    why: 'Many strings work as the key, and a client never learns that it sends a damaged one.',
    mistake:
      'The comparison is `token.startsWith(API_KEY)`, a pattern without an end (`/^Bearer secret/`), or bcrypt, which ignores all that follows 72 bytes.',
    fixes: [WHOLE_KEY.express, WHOLE_KEY.spring],
    free: ANY_REJECTION,
  },
  'authentication.key-case': {
    why: 'A key without letter case has far fewer values, and is guessed that much sooner.',
    mistake:
      'The whole header is lowered to compare the scheme, or the key is looked up in a column whose collation ignores case, as MySQL does by default. Jetty 9.4 caches header values without regard to case.',
    fixes: [
      express`
// Only the scheme is case-insensitive: the flag i, not toLowerCase().
const [, key] = /^Bearer +(\S+)$/i.exec(header) ?? [];
if (key === undefined || !isKey(key)) return reject(res);`,
      rails`
# A digest has no case and no accents to ignore.
digest = OpenSSL::Digest::SHA256.hexdigest(token)
api_key = ApiKey.find_by(digest: digest)`,
    ],
    free: ANY_REJECTION,
  },
  'authentication.key-one-character': {
    why: 'Keys that differ count as the same, so that a key of somebody else may open the service.',
    mistake:
      'The key is used as a pattern, in which a dot is any character (`new RegExp(key)`) and an underscore is one for LIKE; a collation ignores accents; PHP compares with `==`; or a checksum too short is compared.',
    fixes: [WHOLE_KEY.express, WHOLE_KEY.fastapi],
    free: 'For a key in the form of a JWT, a change that decodes to the same signature is only a warning of `authentication.header-syntax`.',
  },
};

/** Keys in other schemes and places. */
const places: Entries = {
  'authentication.other-scheme': {
    why: 'The service takes credentials that it never agreed to, and a gateway that filters by scheme is bypassed.',
    mistake:
      'The code takes the second word and ignores the first: `header.split(" ")[1]`. Rails takes the scheme `Token` beside `Bearer` in `authenticate_with_http_token`.',
    fixes: [SCHEME_CHECK.express, WHOLE_CHECK.rails],
    free: ANY_REJECTION,
  },
  'authentication.no-scheme': {
    why: 'A client that forgets the scheme works here and fails at every other gateway.',
    mistake:
      'The scheme is removed if it is there: `header.replace("Bearer ", "")` or `strings.TrimPrefix(header, "Bearer ")`. A bare key passes through unchanged.',
    fixes: [SCHEME_CHECK.express, SCHEME_CHECK.go],
    free: ANY_REJECTION,
  },
  'authentication.key-in-query': {
    why: 'Addresses are kept in logs, histories and Referer headers, and a key in an address leaks with them.',
    mistake:
      'The key is also looked for in the query. passport-http-bearer, express-bearer-token and the token guard of Laravel do so by default.',
    fixes: [HEADER_ALONE.express, HEADER_ALONE.spring],
    free: 'A query that is not documented may be ignored or rejected with any 4xx status.',
  },
  'authentication.key-in-other-header': {
    why: 'Proxies remove Authorization from their logs, not a header of your own: the key leaks there.',
    mistake:
      'The service takes `X-Api-Key`, `X-Auth-Token` or `Proxy-Authorization` as well, often a fallback from before Bearer; in FastAPI it is an `APIKeyHeader` beside `HTTPBearer`.',
    fixes: [HEADER_ALONE.express, HEADER_ALONE.fastapi],
    free: 'Every other header is free, as long as it does not replace the key.',
  },
  'authentication.key-in-cookie': {
    why: 'Browsers send cookies by themselves, so that a foreign page can make requests with the key (CSRF).',
    mistake:
      'The session of the admin pages also opens the API: one middleware for both reads `req.cookies.token ?? header`.',
    fixes: [HEADER_ALONE.express, HEADER_ALONE.fastapi],
    free: 'A service may set and read cookies for anything else.',
  },
  'authentication.key-in-body': {
    why: 'Bodies are logged and stored, and a key in a body ends up beside the data.',
    mistake:
      'The helper merges all parameters: `params[:api_key]` in Rails and `$request->input()` in Laravel read the body, too; passport-http-bearer reads `access_token` from it.',
    fixes: [HEADER_ALONE.express, WHOLE_CHECK.rails],
    free: 'Further members of a body are free: a service may ignore or reject them.',
  },
};

/** Responses that give something away. */
const leaks: Entries = {
  'authentication.key-not-in-answers': {
    why: 'Responses are logged, cached and shown in bug reports: a key in one of them is no secret any more.',
    mistake:
      'An error handler dumps the request for debugging: `res.json({ error, headers: req.headers })`, a debug page left on in production, or an axios error whose `config.headers` is serialized.',
    fixes: [
      express`
// The last middleware: a fixed text, nothing of the request.
app.use((error, req, res, next) => {
  console.error(error.message);
  res.status(error.status ?? 500).json({ error: 'request failed' });
});`,
      fastapi`
app = FastAPI(debug=False)

@app.exception_handler(Exception)
async def on_error(request: Request, error: Exception):
    logging.exception("request failed")
    return JSONResponse({"error": "request failed"}, 500)`,
    ],
  },
  'authentication.refusal-shows-no-user': {
    why: 'The status says no while the body hands out the data: the guard protects nothing.',
    mistake:
      'The handler goes on after the rejection. In Go, `http.Error` without `return` lets the rest of the handler write to the same response; elsewhere the user is loaded first, and the error names it.',
    fixes: [
      go`
if !hasKey(r) {
    http.Error(w, "key", http.StatusUnauthorized)
    return // http.Error does not end the handler.
}
writeJSON(w, http.StatusOK, users.List())`,
      express`
app.use((req, res, next) => {
  if (hasKey(req)) return next();
  // Nothing is loaded before this, and next() is not called after it.
  return res.status(401).json({ error: 'key' });
});`,
    ],
  },
};

/** Recommendations for the header and the statuses. */
const statuses: Entries = {
  'authentication.header-syntax': {
    why: 'Two programs that read a header differently can be played off against each other: a gateway sees no key, the service sees one.',
    mistake:
      'The header is read leniently: `split(" ")[1]` ignores further words, a helper strips quotes, `unquote` decodes percent signs, and `indexOf("Bearer ")` finds the scheme anywhere.',
    fixes: [SCHEME_CHECK.express, SCHEME_CHECK.fastapi],
  },
  'authentication.status-without-credentials': {
    why: 'A client asks for a key when it sees a 401. A 403 tells it that asking is in vain, and a redirect to a login page looks like a success.',
    mistake:
      'FastAPI responded with 403 in `HTTPBearer` for years; Spring Security does so without an entry point, and redirects to `/login` with `formLogin`.',
    fixes: [
      fastapi`
bearer = HTTPBearer(auto_error=False)

def require_key(sent: Annotated[
    HTTPAuthorizationCredentials | None, Depends(bearer)
]):
    if sent is None or not is_key(sent.credentials):
        raise HTTPException(401, headers={"WWW-Authenticate": "Bearer"})`,
      spring`
http.exceptionHandling(errors -> errors
    .authenticationEntryPoint(new BearerTokenAuthenticationEntryPoint()));`,
    ],
    free: 'Any other status but 2xx is a warning, not a failure.',
  },
  'authentication.status-wrong-key': {
    why: 'A client that sees a 404 or a 400 looks for a wrong address or a wrong body, not for a wrong key.',
    mistake:
      'The guard hides the service behind a 404, or a lookup of the key that finds nothing throws the same exception as a lookup of a user.',
    fixes: [CHALLENGE.express, CHALLENGE.go],
    free: 'Any other status but 2xx is a warning, not a failure.',
  },
  'authentication.status-malformed': {
    why: 'A mistake in a header is reported as a fault of the service, and pages somebody at night.',
    mistake:
      'The header is taken apart without a check: `scheme, key = header.split(" ")` raises in Python unless there are exactly two words, and `header.split(" ")[1].trim()` throws in JavaScript. Both become a 500.',
    fixes: [
      flask`
# partition() always returns three parts.
header = request.headers.get("Authorization", "")
scheme, _, key = header.partition(" ")
if scheme.lower() != "bearer" or not is_key(key):
    return {"error": "key"}, 401, {"WWW-Authenticate": "Bearer"}`,
      SCHEME_CHECK.express,
    ],
    free: 'Any other status but 2xx is a warning, not a failure.',
  },
  'authentication.challenge': {
    why: 'HTTP libraries read the header to learn which credentials to send. Some treat a 401 without it as a protocol error.',
    mistake:
      'Only the status is set: `res.sendStatus(401)` in Express and `abort(401)` in Flask add no header, and some gateways rename it.',
    fixes: [CHALLENGE.express, CHALLENGE.flask],
    free: 'The challenge may have any scheme and parameters.',
  },
  'authentication.scheme-case': {
    why: 'Clients and proxies send `bearer` and `BEARER`; HTTP defines them as the same scheme.',
    mistake:
      'The scheme is compared as it is usually written: `header.startsWith("Bearer ")`, `strings.HasPrefix`, and Spring Security before 5.1.',
    fixes: [
      express`
// The flag i is for the scheme; the key is compared as it was sent.
const [, key] = /^Bearer +(\S+)$/i.exec(header) ?? [];`,
      go`
scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
isBearer := strings.EqualFold(scheme, "Bearer")`,
    ],
    free: 'The key itself has its case: `authentication.key-case`.',
  },
  'authentication.before-all-else': {
    why: 'The status tells a stranger without the key which users exist and which bodies are valid.',
    mistake:
      'The guard runs after the body parser or the validation. In Express, `app.use(express.json())` stands before it; FastAPI parses the JSON before it resolves a dependency, so that a truncated body is a 422 even with a wrong key.',
    fixes: [
      express`
app.use(requireKey); // first
app.use(express.json());
app.use('/v1', users);`,
      WHOLE_CHECK.fastapi,
    ],
    free: 'Any status of a rejection will do, as long as it is the same for the same wrong key.',
  },
};

export const authentication: Entries = { ...keys, ...places, ...leaks, ...statuses };
