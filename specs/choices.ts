/** The choices that the interface leaves open: never asserted, at most observed. */
export interface Choice {
  slug: string;
  /** The row of the document that says "not shown", or the reason why no standard decides it. */
  source: string;
  /** The freedom of a service. */
  sentence: string;
  /** How the suite copes with it. */
  because: string;
  /** Requirements that a careless check would fail for it. */
  limits: readonly string[];
}

export const choices: Choice[] = [
  {
    slug: 'record',
    source: 'User: fields beyond email and name',
    sentence:
      'A user record may have any further members, other people with emails of their own among them.',
    because:
      'Schemas allow further members, and a record inside a record is not taken for a second user.',
    limits: ['list.users', 'retrieve.exact-user', 'retrieve.values'],
  },
  {
    slug: 'identifier',
    source: 'User: name, type and format of the identifier',
    sentence:
      'The identifier may be a number, a UUID, the email or any text, under any name, and appear in the create response, in its Location or only in the list.',
    because:
      'The identifier is the value that retrieves the user. Two users show where responses carry it.',
    limits: [
      'create.identifier-agrees',
      'list.agrees-with-retrieve',
      'retrieve.created-user',
      'retrieve.unknown',
    ],
  },
  {
    slug: 'constraints',
    source: 'User: constraints on email and name',
    sentence:
      'Formats, lengths and uniqueness of email and name may be restricted, except for plain ones: an address of lower-case letters, digits and dots, a name of two words of ASCII letters.',
    because:
      'Everything but plain values may be rejected, which is then reported as not applicable.',
    limits: ['create.answers', 'create.same-email', 'create.same-name', 'round-trip.other-strings'],
  },
  {
    slug: 'states',
    source: 'States and transitions',
    sentence: 'A user may have states of any kind, as long as it can be retrieved and is counted.',
    because: 'The suite looks at identifier, email and name only.',
    limits: ['retrieve.created-user', 'retrieve.values'],
  },
  {
    slug: 'list',
    source: 'GET /users: query parameters (filtering, paging, sorting)',
    sentence: 'The list may come in any order, and in pages of any size without saying so.',
    because:
      'A list that shows fewer users than its total is paginated: no user is missing from it.',
    limits: [
      'list.contains-created',
      'list.empty-only-at-zero',
      'list.total-covers-data',
      'list.total-exact',
    ],
  },
  {
    slug: 'create-request',
    source: 'POST /users: where else an email and a name may be sent',
    sentence:
      'A service may read the query beside the body, take a user from a member `user` of the body, and find members by their names in any case, as stock frameworks do.',
    because: 'No body that must be rejected contains any of these.',
    limits: [
      'create.email-required',
      'create.members-required',
      'create.name-required',
      'create.object-required',
    ],
  },
  {
    slug: 'create-answer',
    source: 'POST /users: response body and success status code',
    sentence:
      'A creation may get any 2xx status, with any JSON body or none, and the user may appear a little later.',
    because: 'Checks use the identifier that retrieves the user, wherever it was found.',
    limits: ['create.answers', 'create.identifier-agrees', 'create.location', 'create.status-201'],
  },
  {
    slug: 'retrieve-answer',
    source: 'GET /users/:id: response body',
    sentence: 'The record may be the whole body or be wrapped in an envelope.',
    because: 'The suite looks for the object with the email that was sent.',
    limits: ['retrieve.created-user', 'retrieve.exact-user', 'retrieve.values'],
  },
  {
    slug: 'operations',
    source: 'What the service does, other operations: everything beyond the three operations',
    sentence: 'A service may have any further operations.',
    because:
      'The suite sends GET and POST on the documented paths only, so it can destroy nothing.',
    limits: ['list.answers', 'list.total-unchanged-by-reads'],
  },
  {
    slug: 'keys',
    source: 'Authentication: how a key is obtained, its scopes and its expiry',
    sentence: 'Keys may be issued, scoped and revoked in any way, and have any form.',
    because:
      'The suite is given one key that is valid for all three operations. It never asks for another.',
    limits: [
      'authentication.header-syntax',
      'authentication.key-not-in-answers',
      'authentication.wrong-key',
    ],
  },
  {
    slug: 'events',
    source: 'Events, webhooks or notifications',
    sentence: 'A service may send any events.',
    because: 'The suite listens for none.',
    limits: ['list.users', 'retrieve.values'],
  },
  {
    slug: 'errors',
    source: 'Errors: status codes, body shape and error codes',
    sentence:
      'A rejection may have any status but 2xx, and any body: empty, HTML, very long, or an echo of what was sent.',
    because:
      'Only the statuses that RFC 9110 and RFC 6750 recommend are checked, as recommendations.',
    limits: [
      'authentication.refusal-shows-no-user',
      'create.invalid-status',
      'http.json',
      'retrieve.odd-status',
      'retrieve.unknown-status',
    ],
  },
  {
    slug: 'limits',
    source: 'Limits: rate, size and paging limits',
    sentence: 'A service may return 429 or 503 at any time.',
    because:
      'The suite waits as Retry-After says, or a growing pause, sends fewer requests at a time, and tries again. A 503, or no response, at any other path or host rejects the request.',
    limits: [
      'create.answers',
      'http.no-server-error',
      'http.no-sporadic-error',
      'http.survives-bad-requests',
    ],
  },
  {
    slug: 'versions',
    source: 'Versioning: policy for new versions and deprecation',
    sentence: 'Other versions may exist beside v1, and end at any time.',
    because: 'The suite requests v1 and an address with a version that does not exist.',
    limits: ['versioning.needs-segment', 'versioning.unknown-version'],
  },
  {
    slug: 'transport',
    source: 'HTTP leaves it open',
    sentence:
      'Framing, connection handling, content codings, interim responses, further headers and charset parameters are free.',
    because: 'The suite reads what RFC 9112 allows and decodes gzip, deflate and br.',
    limits: ['http.chunked-body', 'http.content-type', 'http.equivalent-requests', 'http.json'],
  },
  {
    slug: 'lag',
    source: 'No sentence requires that a read follows a write at once',
    sentence:
      'A read may lag behind a write, up to the settle time (2 seconds unless set otherwise).',
    because: 'The suite repeats a read until the settle time is over.',
    limits: [
      'create.accepted-exists',
      'list.contains-created',
      'list.total-exact',
      'retrieve.created-user',
    ],
  },
  {
    slug: 'writers',
    source: 'No sentence reserves the service for one caller',
    sentence: 'Others may create users at any time.',
    because:
      'If the list does not show whose users they are, bursts of creations are compared with idle spans of the same length.',
    limits: ['list.contains-created', 'list.total-counts-creations', 'list.total-exact'],
  },
];
