/** What the interface document leaves open: never asserted, at most observed. */
export interface Choice {
  slug: string;
  /** The row of the document that says "not shown", or why no standard speaks either. */
  source: string;
  /** What a service may do as it likes. */
  sentence: string;
  /** How the suite gets by without knowing. */
  because: string;
}

export const choices: Choice[] = [
  {
    slug: 'record',
    source: 'User: fields beyond email and name',
    sentence: 'A user record may have any further members, other people with emails of their own among them.',
    because: 'Schemas allow further members, and a record inside a record is not taken for a second user.',
  },
  {
    slug: 'identifier',
    source: 'User: name, type and format of the identifier',
    sentence:
      'The identifier may be a number, a UUID, the email or any text, under any name, and appear in the create response, in its Location or only in the list.',
    because:
      'The identifier is the value that retrieves the user; the suite tries what may be it, the likeliest first.',
  },
  {
    slug: 'constraints',
    source: 'User: constraints on email and name',
    sentence:
      'Formats, lengths and uniqueness of email and name may be restricted, but for plain ones: an address of lower-case letters, digits and dots, a name of two words of ASCII letters.',
    because: 'Everything but plain values may be rejected, which is then reported as not applicable.',
  },
  {
    slug: 'states',
    source: 'States and transitions',
    sentence: 'A user may have states of any kind, as long as it can be retrieved and is counted.',
    because: 'The suite looks at identifier, email and name only.',
  },
  {
    slug: 'list',
    source: 'GET /users: query parameters (filtering, paging, sorting)',
    sentence: 'The list may come in any order, and in pages of any size without saying so.',
    because: 'A list that shows fewer users than its total is taken for a page: what is not on it is not missed.',
  },
  {
    slug: 'create-request',
    source: 'POST /users: where else an email and a name may be sent',
    sentence:
      'A service may read the query beside the body, take a user from a member `user` of the body, and find members by their names in any case, as stock frameworks do.',
    because: 'Bodies that must be rejected have none of these.',
  },
  {
    slug: 'create-answer',
    source: 'POST /users: response body and success status code',
    sentence: 'A creation may get any 2xx status, with any JSON body or none, and the user may appear a little later.',
    because: 'The round trip goes by the identifier that retrieves the user, wherever it was found.',
  },
  {
    slug: 'retrieve-answer',
    source: 'GET /users/:id: response body',
    sentence: 'The record may be the whole body or be wrapped in an envelope.',
    because: 'The suite looks for the object with the email that was sent.',
  },
  {
    slug: 'operations',
    source: 'What the service does, other operations: everything beyond the three operations',
    sentence: 'A service may have any further operations.',
    because: 'The suite sends GET and POST on the documented paths only, so it can destroy nothing.',
  },
  {
    slug: 'keys',
    source: 'Authentication: how a key is obtained, its scopes and its expiry',
    sentence: 'Keys may be issued, scoped and revoked in any way, and have any form.',
    because: 'The suite is given one key that is valid for all three operations. It never asks for another.',
  },
  {
    slug: 'events',
    source: 'Events, webhooks or notifications',
    sentence: 'A service may send any events.',
    because: 'The suite listens for none.',
  },
  {
    slug: 'errors',
    source: 'Errors: status codes, body shape and error codes',
    sentence:
      'A rejection may have any status but 2xx, and any body: empty, HTML, very long, or an echo of what was sent.',
    because: 'Only statuses that RFC 9110 and RFC 6750 recommend are looked at, as recommendations.',
  },
  {
    slug: 'limits',
    source: 'Limits: rate, size and paging limits',
    sentence: 'A service may return 429 or 503 at any time.',
    because:
      'The suite waits as Retry-After says, or a growing pause, sends fewer requests at a time, and asks again. A 503, or no response, at any other path or host rejects the request.',
  },
  {
    slug: 'versions',
    source: 'Versioning: policy for new versions and deprecation',
    sentence: 'Other versions may exist beside v1, and end at any time.',
    because: 'The suite asks v1 and an address whose version nobody has.',
  },
  {
    slug: 'transport',
    source: 'HTTP leaves it open',
    sentence:
      'Framing, connection handling, content codings, interim answers, further headers and charset parameters are free.',
    because: 'The suite reads what RFC 9112 allows and decodes gzip, deflate and br.',
  },
  {
    slug: 'lag',
    source: 'No sentence asks for a read to follow a write at once',
    sentence: 'A read may lag behind a write, up to the settle time (2 seconds unless set otherwise).',
    because: 'The suite asks again for what should be there until the settle time is over.',
  },
  {
    slug: 'writers',
    source: 'No sentence gives the service to one caller alone',
    sentence: 'Others may create users at any time.',
    because: 'A difference in the total that is not the suite’s own is looked at again before it is judged.',
  },
];
