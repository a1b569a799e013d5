import { jsonOf } from '../broken/broken.ts';
import type { Reply, Request } from '../service.ts';
import { type Deep, deep, faultsFor, isCreation, isList, isRetrieval } from './deep.ts';

const READS = 'equivalent retrievals';
const LISTS = 'equivalent list requests';

const read = deep('http.equivalent-requests');
const list = deep('http.equivalent-requests');
const create = deep('http.equivalent-requests');
const mediaType = deep('http.media-type');

/** Rejects authorised requests for which `when` returns true. */
const rejecting =
  (
    when: (request: Request) => boolean,
    reply: Reply = { status: 406, body: { error: 'not like this' } },
  ): Deep['patch'] =>
  (service) => {
    const { handle } = service;
    service.handle = (request) =>
      service.authorised(request) && when(request) ? reply : handle(request);
  };

const header = (name: string, test: RegExp) => (request: Request) =>
  test.test(`${request.headers[name] ?? ''}`);

const BAD_REQUEST: Reply = { status: 400, body: { error: 'not like this' } };

/** Changes bodies before they are parsed. */
const reading =
  (read: (body: string) => string): Deep['patch'] =>
  (service) => {
    const { parse } = service;
    service.parse = (body) => parse(read(body));
  };

/** Faults that only another spelling of an equivalent request triggers. */
export const otherRequests: Deep[] = [
  ...faultsFor<[string, RegExp]>(
    [
      ['with a charset', /charset/],
      ['with a weight for JSON', /json;q=0/],
      ['of a browser', /text\/html/],
      ['with a parameter', /indent/],
      ['of problems, too', /problem/],
      ['where JSON stands last', /, application\/json$/],
    ],
    ([what, accept]) =>
      read(
        `an Accept ${what} is 406`,
        rejecting((request) => isRetrieval(request) && header('accept', accept)(request)),
      ),
  ),
  ...faultsFor([READS, LISTS], (topic) =>
    deep('http.equivalent-requests')(
      `more than 30 lines of headers are 431 (${topic})`,
      rejecting(
        (request) =>
          (topic === LISTS ? isList(request) : isRetrieval(request)) &&
          Object.keys(request.headers).length > 30,
        {
          status: 431,
        },
      ),
    ),
  ),
  ...faultsFor<[string, RegExp]>(
    [
      ['identity alone', /^identity$/],
      ['with weights', /q=/],
      ['x-gzip', /x-gzip/],
      ['any', /^\*$/],
    ],
    ([what, encoding]) =>
      read(`an Accept-Encoding ${what} is 406`, rejecting(header('accept-encoding', encoding))),
  ),
  ...faultsFor<[string, RegExp]>(
    [
      ['of Chinese', /zh/],
      ['any', /^\*$/],
    ],
    ([what, language]) =>
      read(`an Accept-Language ${what} is 406`, rejecting(header('accept-language', language))),
  ),
  ...faultsFor(['cookie', 'x-request-id', 'pragma', 'if-none-match'], (name) =>
    read(
      `a retrieval with ${name} is 406`,
      rejecting((request) => isRetrieval(request) && name in request.headers),
    ),
  ),
  ...faultsFor([256, 1024], (length) =>
    read(
      `a header of ${length} characters or more is 400`,
      rejecting(
        (request) => isRetrieval(request) && `${request.headers.baggage ?? ''}`.length >= length,
        BAD_REQUEST,
      ),
    ),
  ),
  ...faultsFor<[number, (request: Request) => boolean]>(
    [
      [405, (request) => isCreation(request) && /users\/./.test(request.path)],
      [406, (request) => isList(request) && request.headers.accept === 'text/html'],
      [413, ({ body }) => body.length > 1_000_000],
      [
        415,
        (request) => isCreation(request) && /text|xml/.test(request.headers['content-type'] ?? ''),
      ],
    ],
    ([status, isMeant]) =>
      deep('authentication.key-not-in-answers')(
        `a ${status} repeats the header with the key`,
        (service) => {
          const { handle } = service;
          service.handle = (request) =>
            isMeant(request)
              ? { status, body: { error: request.headers.authorization } }
              : handle(request);
        },
      ),
  ),
  read(
    'a traceparent that is malformed is 400',
    rejecting(
      (request) => isRetrieval(request) && header('traceparent', /x-y|what/)(request),
      BAD_REQUEST,
    ),
  ),
  list(
    'a list for a browser is HTML',
    rejecting((request) => isList(request) && header('accept', /text\/html/)(request), {
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<p>',
    }),
  ),
  ...faultsFor<[string, RegExp]>(
    [
      ['with the charset in quotes', /"utf-8"/],
      ['with a space before the semicolon', / ;/],
      ['with the parameter in capital letters', /CHARSET/],
      ['in capital letters', /^APPLICATION/],
    ],
    ([what, type]) =>
      mediaType(
        `a media type ${what} is 415`,
        rejecting((request) => isCreation(request) && header('content-type', type)(request), {
          status: 415,
        }),
      ),
  ),
  ...faultsFor<[string, RegExp, string]>(
    [
      ['a line break before the JSON', /^\n/, '!'],
      ['a tab before the JSON', /^\t/, '!'],
      ['spaces behind the JSON', /\} +$/, '!'],
      ['a line break between the members', /",[\r\n]/, '!'],
      ['\\u escapes with capital letters', /\\u00[0-9][A-F]/, '!'],
    ],
    ([what, from, to]) =>
      create(
        `${what} is no JSON`,
        reading((body) => body.replace(from, to)),
      ),
  ),
  create('the members the other way round are taken for each other', (service) => {
    const { parse } = service;
    service.parse = (body) => {
      const parsed = parse(body);
      const isTurned = /^\s*\{\s*"name"/.test(body) && body.includes('\\u');
      return 'error' in parsed || !isTurned ? parsed : { email: parsed.name, name: parsed.email };
    };
  }),
  deep('http.chunked-body')(
    'a body in chunks with Accept-Encoding is refused',
    rejecting(
      (request) =>
        isCreation(request) &&
        request.headers['transfer-encoding'] !== undefined &&
        request.headers['accept-encoding'] !== undefined,
      BAD_REQUEST,
    ),
  ),
  deep('round-trip.letters-beyond-ascii')(
    'letters in a chunked body become question marks',
    (service) => {
      const { create } = service;
      service.create = (request) => {
        const isChunked = request.headers['transfer-encoding'] !== undefined;
        return create(
          isChunked ? { ...request, body: request.body.replace(/[^\0-\x7f]+/g, '?') } : request,
        );
      };
    },
  ),
  deep('round-trip.other-strings')('a name within a further member is taken', (service) => {
    const { parse } = service;
    service.parse = (body) => {
      const parsed = parse(body);
      const { name } = (jsonOf({ body }) as { manager?: { name: string } })?.manager ?? {};
      return 'error' in parsed || name === undefined ? parsed : { ...parsed, name };
    };
  }),
  deep('list.empty-only-at-zero')(
    'the last page is shown, and behind a full one that is empty',
    (service) => {
      service.listed = () => service.users.slice(10 * Math.floor(service.users.length / 10));
    },
  ),
  deep('http.no-server-error')('a page that is no number is 500', (service) => {
    const { list: usual } = service;
    service.list = (request) =>
      /\D/.test(request.query.get('page') ?? '') ? { status: 500 } : usual(request);
  }),
  ...faultsFor(['limit=-1', 'sort=x', "q='", 'ids=1,2'], (query) => {
    const [name = '', value = ''] = query.split('=');
    return deep('http.no-server-error')(`?${query} is 500`, (service) => {
      const { list: usual } = service;
      service.list = (request) =>
        request.query.get(name) === value ? { status: 500 } : usual(request);
    });
  }),
  ...faultsFor(['limit=1', 'name=x', 'page=2', 'per_page=1'], (query) => {
    const [name = ''] = query.split('=');
    return deep('list.contains-created')(
      `?${query} also limits the next list, and its total`,
      (service) => {
        const { list: usual } = service;
        let next = false;
        service.list = (request) => {
          const isLimited = next;
          next = request.query.has(name);
          return isLimited
            ? { status: 200, body: { data: service.users.slice(0, 1), total: 1 } }
            : usual(request);
        };
      },
    );
  }),
];
