import type { Entries } from './entry.ts';
import { express, fastapi, go, rails } from './stacks.ts';

export const versioning: Entries = {
  'versioning.base-address': {
    why: 'A client appends `/users` to a base address that ends in `/v1`. At any other address its requests miss the service, and a later v2 has no place beside it.',
    mistake:
      'The routes are mounted at the root, or the version is written differently: `/api/v1.0`, `/apiv1`, a header or a query parameter. ASP.NET API Versioning reads the query parameter `api-version` by default.',
    fixes: [
      express`
const v1 = express.Router();
v1.get('/users', listUsers);
v1.post('/users', createUser);
v1.get('/users/:id', retrieveUser);
app.use('/v1', v1);`,
      fastapi`
users = APIRouter(prefix="/users")
# @users.get(""), @users.post("") and @users.get("/{user_id}")
app.include_router(users, prefix="/v1")`,
    ],
    free: 'Further segments may stand before `v1`, such as `/api/v1`.',
  },
  'versioning.needs-segment': {
    why: 'A client that forgets the version works by accident, and breaks on the day when the unversioned address becomes another version.',
    mistake:
      'The same routes are registered with and without the prefix, or the prefix is only stripped when it is there: `strings.TrimPrefix(path, "/v1")` serves both addresses, and so does an optional segment in a router or a proxy rule.',
    fixes: [
      go`
// StripPrefix responds with 404 if the path lacks the prefix.
http.ListenAndServe(addr, http.StripPrefix("/v1", mux))`,
      express`
// One mount, with the version. No app.use(users) beside it.
app.use('/v1', users);`,
    ],
  },
  'versioning.unknown-version': {
    why: 'A client with a mistyped or future version gets data in a shape that it does not expect, instead of an error.',
    mistake:
      'The version is a wildcard of the route that nothing checks: `/:version/users` in Express and Rails, `/{version}/users` in Spring and FastAPI.',
    fixes: [
      rails`
# config/routes.rb
namespace :v1 do
  resources :users, only: %i[index create show]
end`,
      express`
// The version is a literal, not app.use('/:version', users).
app.use('/v1', users);`,
    ],
  },
};
